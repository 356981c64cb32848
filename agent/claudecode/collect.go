package claudecode

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	recap "github.com/sessionrecap/recap"
)

// branchBytes is how far back a prompt's parent is looked for. Prompts whose
// parent was never written are common; a branch that was left over more than
// this is shown as what it was, a part of the talk.
const branchBytes = 4 << 20

// collector joins rows, newest first, to records.
type collector struct {
	// fromEnd: the rows begin at the end of the transcript.
	fromEnd bool
	// midTurn: the rows begin inside a turn whose newer answers were read.
	midTurn bool
	// life says what is known of the process that has the session open.
	life life

	records []*recap.Message // newest first
	answers map[string]*recap.Message
	newest  *recap.Message // the newest answer of the open turn
	results map[string]result
	ops     map[*recap.Tool]taskOp
	stop    *row           // an interrupt whose answer is not found yet
	ended   bool           // the agent noted the end of the open turn
	sealed  bool           // and the newest record is its answer
	pending bool           // background agents worked on after the newest turn
	guessed *recap.Message // the newest answer, where it is not noted how it ended
	noted   int            // rows that note how their answer ended
	unnoted int            // turns whose last answer does not
	seen    map[string]bool
	// children: parent → how many records stood when its newest prompt was
	// taken; open: parents that were not met yet, with where the prompt began.
	children map[string]int
	open     map[string]int64
	// left: parent → the records that were left if the parent exists. drops
	// counts what was dropped for that.
	left  map[string]span
	drops int
}

func newCollector(fromEnd, midTurn bool, l life) *collector {
	return &collector{
		fromEnd: fromEnd, midTurn: midTurn, life: l,
		answers: map[string]*recap.Message{}, results: map[string]result{}, ops: map[*recap.Tool]taskOp{}, seen: map[string]bool{},
		children: map[string]int{}, open: map[string]int64{}, left: map[string]span{},
	}
}

// add takes the next older row, which begins at offset. It reports whether
// the row opened a person's turn.
func (c *collector) add(r *row, offset int64) (turn bool) {
	if r.uuid != "" {
		if c.seen[r.uuid] {
			return false
		}
		c.seen[r.uuid] = true
		c.met(r.uuid)
	}
	switch r.kind {
	case none:
	case turnEnd:
		c.ended = true
		if c.newestYet() && c.stop == nil {
			c.pending = c.pending || r.pending > 0
		}
	case interrupt:
		c.stop = r
	case results:
		if r.interrupted {
			c.stop = r
		}
		if r.said != "" { // typed inside the work, as a queued prompt is
			c.person(&row{uuid: r.uuid, at: r.at, delivery: "said " + id(r.uuid, offset), parts: []recap.Part{{Kind: recap.PartText, Text: r.said}}}, offset)
		}
		for _, x := range r.results {
			if _, newer := c.results[x.call]; x.call != "" && !newer {
				c.results[x.call] = x
			}
		}
	case answer:
		c.answer(r, offset)
	case person:
		return c.person(r, offset)
	case inserted, summary:
		c.closeTurn()
		c.push(&recap.Message{ID: id(r.uuid, offset), Role: recap.RoleUser, Created: r.at, Summary: r.kind == summary, Parts: synthetic(r.parts)})
	}
	return false
}

func synthetic(parts []recap.Part) []recap.Part {
	for i := range parts {
		parts[i].Synthetic = true
	}
	return parts
}

// id is the row's own, else its place.
func id(own string, offset int64) string {
	if own != "" {
		return own
	}
	return "row-" + strconv.FormatInt(offset, 10)
}

// newestYet reports that nothing of the talk was met: a compaction is no part
// of it.
func (c *collector) newestYet() bool {
	return !slices.ContainsFunc(c.records, func(m *recap.Message) bool { return !m.Summary })
}

func (c *collector) push(m *recap.Message) { c.records = append(c.records, m) }

// scan looks for the parents of prompts in a row that is not decoded.
func (c *collector) scan(b []byte) {
	const key = `"uuid":"`
	for len(c.open) > 0 {
		i := bytes.Index(b, []byte(key))
		if i < 0 {
			return
		}
		b = b[i+len(key):]
		if j := bytes.IndexByte(b, '"'); j >= 0 {
			if _, ok := c.open[string(b[:j])]; ok {
				c.met(string(b[:j]))
			}
		}
	}
}

// met notes that the row with this id exists: what branches off from it and
// was left is dropped.
func (c *collector) met(uuid string) {
	delete(c.open, uuid)
	left, ok := c.left[uuid]
	if !ok {
		return
	}
	delete(c.left, uuid)
	c.drops++
	c.records = slices.Delete(c.records, left.from, left.to)
	move := func(i int) int {
		if i <= left.from {
			return i
		}
		return max(left.from, i-(left.to-left.from))
	}
	for k, i := range c.children {
		c.children[k] = move(i)
	}
	for k, x := range c.left {
		c.left[k] = span{move(x.from), move(x.to)}
	}
}

// span is a range of records.
type span struct{ from, to int }

// answer takes a block of an answer; its blocks are one record.
func (c *collector) answer(r *row, offset int64) {
	if r.finish != "" {
		c.noted++
	}
	key := id(r.message, offset)
	m := c.answers[key]
	if m == nil {
		m = &recap.Message{ID: key, Role: recap.RoleAssistant, Created: r.at}
		first := c.newestYet()
		c.newAnswer(m, r)
		c.answers[key] = m
		c.push(m)
		if c.newest == nil {
			c.newest = m
			if first {
				c.sealed = c.ended
			}
		}
	}
	if !r.at.IsZero() {
		m.Created = r.at
	}
	if m.Finish == "" && r.failure == nil {
		m.Finish = r.finish
	}
	if m.Model.ID == "" && r.model != "" {
		m.Model = model(r.model)
	}
	m.Interrupted = m.Interrupted || r.aborted
	if r.failure != nil {
		m.Failure = r.failure
	}
	for i := range r.parts {
		if t := r.parts[i].Tool; t != nil {
			x, ok := c.resolve(t, m)
			if op, task := r.ops[t]; task && ok {
				c.ops[t] = op.with(x)
			}
		}
	}
	if m.Completed.IsZero() && m.Finish != "" && m.Finish != recap.FinishToolCalls && !m.Interrupted && m.Failure == nil {
		m.Completed = r.at
	}
	m.Parts = append(slices.Clone(r.parts), m.Parts...)
}

// model names the provider only where the id is one of its own: other clouds
// serve the same models under ids of theirs.
func model(id string) recap.ModelRef {
	if strings.HasPrefix(id, "claude-") && !strings.Contains(id, "@") {
		return recap.ModelRef{Provider: "anthropic", ID: id}
	}
	return recap.ModelRef{ID: id}
}

// newAnswer sets what the place of an answer says about it.
func (c *collector) newAnswer(m *recap.Message, r *row) {
	if c.stop != nil && r.finish == recap.FinishStop && !r.aborted {
		c.stopped() // what was stopped came after this answer
	}
	if c.stop != nil {
		m.Interrupted = true
		c.stop = nil
	}
	switch {
	case r.finish != "" || r.aborted || r.failure != nil || m.Interrupted:
	case slices.ContainsFunc(r.parts, func(p recap.Part) bool { return p.Tool != nil }):
		m.Finish = recap.FinishToolCalls
	case c.newest != nil || c.midTurn:
	case !c.fromEnd || len(c.records) > 0 || c.ended || !c.life.working():
		// Older versions wrote no reason; the answer is over if something
		// follows it or nobody works on it.
		m.Finish = recap.FinishStop
		c.unnoted++
		if c.newestYet() {
			c.guessed = m
		}
	}
}

// resolve gives a call its result, or says what the lack of one means.
func (c *collector) resolve(t *recap.Tool, m *recap.Message) (result, bool) {
	if x, ok := c.results[t.CallID]; ok && t.CallID != "" {
		x.apply(t)
		delete(c.results, t.CallID)
		return x, true
	}
	if m.Finish == "" {
		m.Finish = recap.FinishToolCalls
	}
	switch {
	case c.newest != m || c.midTurn: // the agent went on: the result was lost
		t.Status = recap.ToolDone
	case m.Interrupted, !c.fromEnd, c.records[0] != m:
		t.Status = recap.ToolStopped
	case c.life.state == waiting, c.life.state == alive, (c.life.state == busy || c.life.state == idle) && asks(t.Kind):
		t.Status = recap.ToolWaiting
	case c.life.over():
		t.Status = recap.ToolStopped
		if c.life.waited || asks(t.Kind) {
			t.Status = recap.ToolWaiting
		}
	}
	return result{}, false
}

// asks reports that a call of this kind asks the person and does nothing else.
func asks(k recap.ToolKind) bool { return k == recap.ToolQuestion || k == recap.ToolPlan }

// stopped notes the interrupt as a record of its own.
func (c *collector) stopped() {
	if c.stop == nil {
		return
	}
	c.push(&recap.Message{ID: id(c.stop.uuid, 0), Role: recap.RoleService, Created: c.stop.at, Interrupted: true})
	c.stop = nil
}

// closeTurn forgets what belongs to the turn that a user record begins.
func (c *collector) closeTurn() {
	c.stopped()
	c.newest, c.ended, c.midTurn = nil, false, false
}

// person takes a person's prompt.
func (c *collector) person(r *row, offset int64) bool {
	if r.delivery != "" {
		if c.seen["delivery "+r.delivery] {
			return false
		}
		c.seen["delivery "+r.delivery] = true
	}
	c.closeTurn()
	c.push(&recap.Message{ID: id(r.uuid, offset), Role: recap.RoleUser, Created: r.at, Parts: r.parts})
	if r.delivery == "" { // a queued prompt stands inside the work on another
		clear(c.results)
		clear(c.answers)
	}
	if r.parent == "" {
		return true
	}
	if n, ok := c.children[r.parent]; ok {
		// The person went back to before this prompt, and what stands
		// between it and the newer one was left; if the parent exists.
		c.left[r.parent] = span{n, len(c.records)}
	} else {
		c.children[r.parent] = len(c.records)
	}
	c.open[r.parent] = offset
	return true
}

// settled reports that no row read so far needs an older one to be understood,
// but for the places of prompts' parents.
func (c *collector) settled() bool { return len(c.results) == 0 && c.stop == nil }

// branching reports that a prompt's parent is still looked for.
func (c *collector) branching(offset int64) bool {
	for uuid, from := range c.open {
		if from-offset > branchBytes {
			delete(c.open, uuid)
		}
	}
	return len(c.open) > 0
}

// givenUp marks work that stands open at the end and that nobody goes on with.
func (c *collector) givenUp() {
	if !c.fromEnd || !c.life.over() {
		return
	}
	i := slices.IndexFunc(c.records, func(m *recap.Message) bool { return !m.Summary })
	if i < 0 {
		return
	}
	m := c.records[i]
	open := m.Role == recap.RoleAssistant && (m.Finish == "" || m.Finish == recap.FinishToolCalls) && m.Failure == nil ||
		m.Role == recap.RoleUser && !slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return !p.Synthetic })
	waits := slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return p.Tool != nil && p.Tool.Status == recap.ToolWaiting })
	if open && (c.life.state == dead || !waits) {
		m.Interrupted = true
	}
}

// finish gives the records, oldest first.
func (c *collector) finish() []recap.Message {
	c.stopped()
	c.givenUp()
	out := make([]recap.Message, 0, len(c.records))
	var list tasks
	for _, m := range slices.Backward(c.records) {
		for i := range m.Parts {
			if t := m.Parts[i].Tool; t != nil {
				if op, ok := c.ops[t]; ok {
					list.apply(t, op)
				}
			}
		}
		out = append(out, *m)
	}
	return out
}
