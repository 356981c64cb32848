package codex

import (
	"encoding/hex"
	"hash/fnv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// ending says how the newest turn of the rows that were read stands.
type ending uint8

const (
	endNone ending = iota // no turn seen
	endComplete
	endAborted
	endFailed
	endOpen
	endWaiting
	endAsking // a call asked to leave the sandbox and has no result: it waits, or the agent died
)

// built is what rows tell.
type built struct {
	records []recap.Message
	// foreign marks the records that a fork copied from its parent.
	foreign    []bool
	end        ending
	waitingFor string
	newest     time.Time // of the newest content
	model      string
	cwd        string
	rolledBack bool      // the newest thing that happened is a rollback
	began      time.Time // when the newest turn began
	tells      bool      // the rows tell when a turn is over
}

// place is a part of a record.
type place struct{ rec, part int }

// builder makes records of rows, oldest first.
type builder struct {
	built
	provider string
	tasks    bool // the rollout writes the beginnings and ends of turns
	copied   func(turn string, at time.Time) bool

	turn    string
	started bool   // a row began this turn
	over    bool   // a row ended it
	first   int    // its first record
	before  ending // how the turn before it stood
	err     *recap.Failure
	cur     int  // record that further parts join, -1: none
	result  bool // a result came since
	calls   map[string]place
	runs    map[string]string // id of a background run to the id of its call
	looks   map[string]string // id of a call that looks at a run to the run's id
	asks    map[string]bool   // ids of calls that the person is asked about
	unasked bool              // nobody is asked
	ask     *recap.Tool
	usages  bool // the rollout tells when an answer of the model is whole
	whole   bool // the newest content is an answer that is
	erred   bool // the newest content is an error
}

func newBuilder(provider string, model string, tasks bool) *builder {
	return &builder{
		built: built{model: model}, provider: provider, tasks: tasks, cur: -1,
		calls: map[string]place{}, runs: map[string]string{}, looks: map[string]string{}, asks: map[string]bool{},
	}
}

// after says what stands behind the rows that are built.
type after uint8

const (
	afterNothing after = iota // they are the newest
	afterTurn                 // another turn
	afterPart                 // more of the same turn
)

// build makes records of rows, oldest first. In rows that Codex migrated from
// the old form a prompt stands before the beginning of its turn.
func (b *builder) build(rows []row, a after) *built {
	straighten(rows)
	for i := range rows {
		b.add(&rows[i])
	}
	if a != afterPart {
		b.close(a == afterTurn)
	}
	return &b.built
}

// migrated begins the id of a turn that Codex made up for an old rollout. The
// end of such a turn stands behind the prompt of the next.
const migrated = "rollout-"

// straighten moves the prompt of a migrated turn behind the row that begins
// the turn.
func straighten(rows []row) {
	for i := range rows {
		if rows[i].kind != rowHuman || rows[i].turn != "" {
			continue
		}
		j := i + 1
		for j < len(rows) && (rows[j].kind == rowEnd || rows[j].kind == rowContext) {
			j++
		}
		if j < len(rows) && rows[j].kind == rowStart && strings.HasPrefix(rows[j].turn, migrated) {
			u := rows[i]
			copy(rows[i:], rows[i+1:j+1])
			u.turn = rows[j].turn
			rows[j] = u
		}
	}
}

func (b *builder) add(r *row) {
	b.content(r)
	switch r.kind {
	case rowMeta:
		if r.meta.provider != "" {
			b.provider = r.meta.provider
		}
	case rowContext:
		if r.model != "" {
			b.model = r.model
		}
		if r.cwd != "" {
			b.cwd = r.cwd
		}
		b.unasked = r.unasked
	case rowStart:
		b.close(true)
		b.begin(r.turn, r.at, true)
		b.tasks = true
	case rowHuman:
		if !b.started || b.over {
			b.close(true)
			b.begin(r.turn, r.at, false)
		}
		b.cur = -1
		b.human(r)
	case rowInjected:
		b.cur = -1
	case rowReasoning, rowAnswer, rowCall:
		b.answer(r)
	case rowResult:
		b.take(r)
		b.result = true
	case rowRan:
		b.ran(r)
	case rowAsk:
		t := r.tool
		b.ask = &t
		if p, ok := b.calls[t.CallID]; ok {
			b.tool(p).Status = recap.ToolWaiting
		}
	case rowError:
		b.err = r.failure
	case rowCompacted:
		b.compacted(r.text)
	case rowEnd, rowAbort:
		b.finish(r)
	case rowRollback:
		b.end = endComplete
	case rowUsage:
		b.usages, b.whole = true, true
	case rowOther:
	}
	b.tells = b.tasks || b.usages
}

// content notes the newest content, and that nothing waits any more.
func (b *builder) content(r *row) {
	switch r.kind {
	case rowHuman, rowReasoning, rowAnswer, rowCall, rowResult, rowEnd, rowAbort, rowError, rowCompacted, rowRollback, rowAsk, rowStart:
		b.rolledBack = r.kind == rowRollback || b.rolledBack && r.kind == rowStart
		if r.at.After(b.newest) && r.kind != rowStart {
			b.newest = r.at
		}
		if r.kind != rowAsk && r.kind != rowStart {
			b.ask = nil
		}
		b.whole, b.erred = false, r.kind == rowError
	case rowOther, rowMeta, rowContext, rowInjected, rowRan, rowUsage:
	}
}

func (b *builder) begin(turn string, at time.Time, started bool) {
	b.turn, b.started, b.over, b.before, b.began = turn, started, false, b.end, at
	b.first, b.err, b.cur, b.ask = len(b.records), nil, -1, nil
	if started {
		b.end = endOpen
	}
}

func (b *builder) push(r *row, m recap.Message) int {
	if m.ID == "" {
		m.ID = derivedID(r.at, string(m.Role), r.text+r.tool.CallID)
	}
	turn := r.turn
	if turn == "" {
		turn = b.turn
	}
	b.records = append(b.records, m)
	b.foreign = append(b.foreign, b.copied != nil && b.copied(turn, r.at))
	return len(b.records) - 1
}

// derivedID names a record that Codex gave no id by its place in time and its
// text: both stay when a rollout is migrated or compressed.
func derivedID(at time.Time, role, text string) string {
	h := fnv.New128a()
	h.Write([]byte(at.Format(time.RFC3339Nano) + "\x00" + role + "\x00" + text))
	return "r" + hex.EncodeToString(h.Sum(nil)[:12])
}

func (b *builder) human(r *row) {
	m := recap.Message{ID: r.id, Role: recap.RoleUser, Created: r.at}
	if r.text != "" {
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartText, Text: r.text})
	}
	for i := range r.files {
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartFile, File: &r.files[i]})
	}
	b.push(r, m)
	b.end = endOpen
}

// answer adds a row of the model to the record it belongs to: each text is a
// record, thoughts before it and calls after it join it.
func (b *builder) answer(r *row) {
	if r.kind == rowAnswer && r.text == "" {
		return
	}
	fresh := b.cur < 0 || b.result
	if !fresh && r.kind != rowCall {
		for _, p := range b.records[b.cur].Parts {
			fresh = fresh || p.Kind != recap.PartReasoning
		}
	}
	if fresh {
		b.cur = b.push(r, recap.Message{
			ID: r.id, Role: recap.RoleAssistant, Created: r.at,
			Model: recap.ModelRef{Provider: b.provider, ID: b.model},
		})
		b.result = false
	}
	m := &b.records[b.cur]
	switch r.kind {
	case rowAnswer:
		if r.id != "" {
			m.ID = r.id // the text's id is the answer's, not that of its thoughts
		}
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartText, Text: r.text})
	case rowCall:
		t := r.tool
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartTool, Tool: &t})
		m.Finish = recap.FinishToolCalls
		if t.CallID != "" {
			b.calls[t.CallID] = place{b.cur, len(m.Parts) - 1}
			if r.run != "" {
				b.looks[t.CallID] = r.run
			}
			if r.asks && !b.unasked {
				b.asks[t.CallID] = true
			}
		}
	default:
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartReasoning, Text: r.text})
	}
	b.end = endOpen
}

func (b *builder) tool(p place) *recap.Tool { return b.records[p.rec].Parts[p.part].Tool }

// take gives a call its result.
func (b *builder) take(r *row) {
	p, ok := b.calls[r.tool.CallID]
	if !ok {
		return
	}
	t, res := b.tool(p), &r.tool
	b.records[p.rec].Completed = r.at
	if t.Exit == nil {
		t.Exit = res.Exit
	}
	t.Output, t.Status, t.Background = res.Output, res.Status, res.Background && t.Exit == nil
	if t.Kind == recap.ToolEdit && t.Exit != nil && *t.Exit != 0 && t.Status == recap.ToolDone {
		t.Status = recap.ToolFailed
	}
	if t.Status == recap.ToolRejected || t.Status == recap.ToolStopped {
		t.Exit = nil
	}
	switch {
	case t.Kind == recap.ToolCommand && r.run != "":
		b.runs[r.run] = t.CallID
	case b.looks[t.CallID] != "" && res.Exit != nil:
		b.ended(b.runs[b.looks[t.CallID]], res)
	}
}

// ended gives a command that went on in the background the exit status that a
// later look at it brought.
func (b *builder) ended(call string, res *recap.Tool) {
	p, ok := b.calls[call]
	if !ok {
		return
	}
	t := b.tool(p)
	t.Exit, t.Background = res.Exit, false
	if res.Output != "" {
		t.Output = excerpt(t.Output+"\n"+res.Output, recap.MaxToolOutput)
	}
}

// ran takes what an event tells of a command or an edit.
func (b *builder) ran(r *row) {
	res := &r.tool
	if res.Name == "user_shell" { // the person's own command
		return
	}
	p, ok := b.calls[res.CallID]
	if !ok {
		// A command that a script of the model ran has no call of its own.
		if b.cur < 0 || res.Name == "" || res.Status == recap.ToolPending || res.Command == "" && len(res.Paths) == 0 {
			return
		}
		t := *res
		m := &b.records[b.cur]
		m.Parts = append(m.Parts, recap.Part{Kind: recap.PartTool, Tool: &t})
		b.calls[t.CallID] = place{b.cur, len(m.Parts) - 1}
		return
	}
	t := b.tool(p)
	if t.Exit == nil && res.Status != recap.ToolRejected {
		t.Exit = res.Exit
	}
	if res.Exit != nil {
		t.Background = false
	}
	if res.Status == recap.ToolRejected || res.Status == recap.ToolFailed || t.Status == recap.ToolPending || t.Status == recap.ToolWaiting {
		t.Status = res.Status
	}
	for _, f := range res.Paths {
		if t.Kind == recap.ToolEdit && !named(t.Paths, f) {
			t.Paths = append(t.Paths, f)
		}
	}
	if t.Output == "" {
		t.Output = res.Output
	}
}

// named reports that a path is already listed, maybe relative to a folder.
func named(paths []string, f string) bool {
	for _, p := range paths {
		if p == f || strings.HasSuffix(f, "/"+p) {
			return true
		}
	}
	return false
}

// compacted marks the answer that became the summary.
func (b *builder) compacted(summary string) {
	for i := len(b.records) - 1; i >= b.first; i-- {
		m := &b.records[i]
		if m.Role != recap.RoleAssistant {
			return
		}
		for _, p := range m.Parts {
			if p.Kind != recap.PartText {
				continue
			}
			if head, _, _ := strings.Cut(p.Text, "…"); head != "" && strings.Contains(summary, head[:min(len(head), 400)]) {
				m.Summary, m.Finish = true, recap.FinishStop
				m.Completed = m.Created
				b.cur = -1
			}
			return
		}
	}
}

// finish ends a turn.
func (b *builder) finish(r *row) {
	if b.over && r.turn == b.turn {
		return
	}
	if b.turn != "" && r.turn != "" && r.turn != b.turn && b.started {
		return // the end of an older turn that came late
	}
	b.over = true
	if b.turn == "" {
		b.turn = r.turn
	}
	fail := r.failure
	if fail == nil && r.kind == rowEnd && b.err != nil {
		fail = b.err
	}
	switch {
	case r.kind == rowAbort:
		b.end = endAborted
		b.broken(r, func(m *recap.Message) { m.Interrupted = true })
	case fail != nil:
		b.end = endFailed
		b.broken(r, func(m *recap.Message) { m.Failure = fail })
	default:
		b.end = endComplete
		m := b.last()
		if r.text != "" && !b.hasText() && b.hasHuman() {
			m = &b.records[b.push(&row{at: r.at, turn: r.turn, text: r.text}, recap.Message{
				Role: recap.RoleAssistant, Created: r.at, Model: recap.ModelRef{Provider: b.provider, ID: b.model},
				Parts: []recap.Part{{Kind: recap.PartText, Text: r.text}},
			})]
		}
		if m != nil && !m.Summary {
			m.Finish = recap.FinishStop
			if m.Completed.IsZero() {
				m.Completed = m.Created
			}
		}
	}
	if b.started && !b.worked() {
		b.end = b.before
	}
	b.cur, b.err = -1, nil
}

// worked reports that the turn was more than a command of the person's own or
// a compaction.
func (b *builder) worked() bool {
	for _, m := range b.records[b.first:] {
		if !m.Summary {
			return true
		}
	}
	return false
}

// last gives the newest answer of the turn.
func (b *builder) last() *recap.Message {
	for i := len(b.records) - 1; i >= b.first; i-- {
		if b.records[i].Role == recap.RoleAssistant {
			return &b.records[i]
		}
	}
	return nil
}

func (b *builder) hasText() bool {
	for _, m := range b.records[b.first:] {
		for _, p := range m.Parts {
			if m.Role == recap.RoleAssistant && p.Kind == recap.PartText {
				return true
			}
		}
	}
	return false
}

func (b *builder) hasHuman() bool {
	for _, m := range b.records[b.first:] {
		if m.Role == recap.RoleUser {
			return true
		}
	}
	return false
}

// broken marks the end of a turn that did not end well: on its newest answer,
// or on an empty one where the newest prompt has none.
func (b *builder) broken(r *row, mark func(*recap.Message)) {
	if !b.worked() {
		return // nobody asked anything
	}
	i := len(b.records) - 1
	if b.records[i].Role != recap.RoleAssistant || b.records[i].Summary {
		i = b.push(&row{at: r.at, turn: b.turn, text: "end " + b.turn}, recap.Message{
			Role: recap.RoleAssistant, Created: r.at, Model: recap.ModelRef{Provider: b.provider, ID: b.model},
		})
	}
	m := &b.records[i]
	mark(m)
	if m.Finish != recap.FinishToolCalls {
		m.Finish = ""
	}
	for _, m := range b.records[b.first:] {
		for _, p := range m.Parts {
			if p.Kind == recap.PartTool && (p.Tool.Status == recap.ToolPending || p.Tool.Status == recap.ToolWaiting) {
				p.Tool.Status = recap.ToolStopped
			}
		}
	}
}

// close leaves the turn at the beginning of the next or at the end.
func (b *builder) close(next bool) {
	if b.over || len(b.records) == b.first {
		b.settle(next)
		return
	}
	made := strings.HasPrefix(b.turn, migrated)
	if next && b.started && !made {
		// The next turn began and this one has no end: the agent died in it.
		b.broken(&row{at: b.records[len(b.records)-1].Created}, func(m *recap.Message) { m.Interrupted = true })
		return
	}
	if !b.tasks && b.erred {
		// Old rollouts do not write the end of a turn: an error is it.
		fail := b.err
		b.end, b.err = endFailed, nil
		b.broken(&row{at: b.newest, turn: b.turn}, func(m *recap.Message) { m.Failure = fail })
		return
	}
	m := &b.records[len(b.records)-1]
	answered := m.Role == recap.RoleAssistant && m.Finish == "" && m.Failure == nil && !m.Interrupted && !m.Summary
	if (!b.tasks || made) && answered {
		// Old rollouts do not write the end of a turn: its last text is it.
		for _, p := range m.Parts {
			if p.Kind == recap.PartText {
				m.Finish, m.Completed = recap.FinishStop, m.Created
				if made || next || !b.usages || b.whole {
					b.end = endComplete // else a call may follow yet
				}
			}
		}
	}
	b.settle(next)
}

// settle looks for what the agent waits for.
func (b *builder) settle(next bool) {
	if b.end != endOpen {
		return
	}
	if b.ask != nil {
		b.end, b.waitingFor = endWaiting, waitingFor(*b.ask)
		return
	}
	if m := b.last(); m != nil {
		for _, p := range m.Parts {
			if p.Kind == recap.PartTool && p.Tool.Status == recap.ToolWaiting {
				b.end, b.waitingFor = endWaiting, waitingFor(*p.Tool)
				return
			}
		}
		for _, p := range m.Parts {
			if !next && p.Kind == recap.PartTool && p.Tool.Status == recap.ToolPending && b.asks[p.Tool.CallID] {
				p.Tool.Status = recap.ToolWaiting
				if b.end == endOpen {
					b.end, b.waitingFor = endAsking, waitingFor(*p.Tool)
				}
			}
		}
	}
}

// excerpt keeps both ends of a text of at most n characters.
func excerpt(s string, n int) string { return prompt.Excerpt(s, n) }
