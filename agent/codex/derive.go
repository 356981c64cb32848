package codex

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// factsVersion changes when listing learns something new: what an older
// version remembered is then learnt again.
const factsVersion = "codex 5"

// facts are what has to be known of a file to find the way through a history.
type facts struct {
	base                    string // history_base: key of the file before this one
	baseOrdinal, baseOffset int64
	start                   int64 // Unix milliseconds of the first row
	firstPrompt             int64 // ordinal of the first prompt, -1: none known
	own                     bool  // holds a prompt that is not copied
	copies                  bool  // begins with rows copied from the parent
	tasks                   bool  // writes where turns begin and end
	thread                  int64 // Unix milliseconds at which the thread was made
	turn                    int64 // Unix milliseconds at which the newest turn began, 0 where the tail does not tell
	ends                    bool  // what was read tells when a turn is over
}

func current(list []string) bool { return len(list) > 0 && list[0] == factsVersion }

func (f facts) list() []string {
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	return []string{
		factsVersion, f.base, n(f.baseOrdinal), n(f.baseOffset), n(f.start), n(f.firstPrompt),
		strconv.FormatBool(f.own), strconv.FormatBool(f.copies), strconv.FormatBool(f.tasks), n(f.thread),
		n(f.turn), strconv.FormatBool(f.ends),
	}
}

func parseFacts(l []string) facts {
	if len(l) < 12 {
		return facts{baseOrdinal: -1, baseOffset: -1, firstPrompt: -1}
	}
	n := func(i int) int64 {
		v, err := strconv.ParseInt(l[i], 10, 64)
		if err != nil {
			return -1
		}
		return v
	}
	return facts{
		base: l[1], baseOrdinal: n(2), baseOffset: n(3), start: n(4), firstPrompt: n(5),
		own: l[6] == "true", copies: l[7] == "true", tasks: l[8] == "true", thread: n(9),
		turn: n(10), ends: l[11] == "true",
	}
}

// named reports that the file's title comes from a prompt that still holds
// where the file is valid up to an ordinal.
func (f facts) named(end int64) bool {
	return f.own && (end < 0 || f.firstPrompt < 0 || f.firstPrompt < end)
}

// copiedBurst is how long a fork took to copy its parent, at most: copied
// rows carry the time of the copy.
const copiedBurst = time.Second

// isCopied judges whether a row of a fork was copied from its parent. Turn ids
// tell by the time in them; rows without one by the time of the copy.
func (f facts) isCopied(turn string, at time.Time) bool {
	if !f.copies {
		return false
	}
	if made, ok := uuidTime(turn); ok {
		return made < f.thread
	}
	return at.UnixMilli() <= f.start+copiedBurst.Milliseconds()
}

// uuidTime gives the time in a UUID of version 7, in Unix milliseconds.
func uuidTime(id string) (int64, bool) {
	b, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil || len(b) != 16 || b[6]>>4 != 7 {
		return 0, false
	}
	var ms int64
	for _, c := range b[:6] {
		ms = ms<<8 | int64(c)
	}
	return ms, true
}

// derived is what both ends of a file tell.
type derived struct {
	session recap.Session
	skip    string
	facts   facts
	broken  int // rows that are none
}

// derive reads a session out of both ends of its file.
func (s *Source) derive(e *filelog.Ends, r *rollout) derived {
	d := derived{facts: facts{baseOrdinal: -1, baseOffset: -1, firstPrompt: -1}}
	if len(bytes.TrimSpace(e.Head)) == 0 {
		d.skip = skipEmpty
		return d
	}
	head, good, broken := s.parseRows(e.HeadRows)
	if e.TailStart >= int64(len(e.Head)) {
		d.broken = broken // else the tail holds them too
	}
	if good == 0 && !e.Whole() && bytes.HasPrefix(e.Head, []byte("{")) && !bytes.Contains(e.Head, []byte("\n")) {
		// The first row is longer than the head: what it says of the place in a
		// history stands behind its instructions.
		head, good, _ = s.parseRows(firstRow(r))
	}
	if good == 0 {
		if head, good, _ = s.parseRows(cutMeta(e.Head)); good == 0 {
			d.skip = skipUnreadable
			return d
		}
	}
	m := firstMeta(head)
	if m == nil {
		m = &meta{id: r.thread, baseOrdinal: -1, baseOffset: -1}
	}
	if m.id == "" {
		d.skip = skipUnreadable
		return d
	}
	d.begin(m, head)
	rows, _, broken := s.parseRows(e.TailRows)
	d.broken += broken
	if d.broken > 0 && e.Torn() && s.brokenEnd(e) {
		d.broken-- // it is being written
	}
	if s.deep && !r.zst && e.TailStart > 0 && !slices.ContainsFunc(rows, telling) {
		if all := s.further(r.file.Path); len(all) > 0 {
			rows = all
		}
	}
	slices.Reverse(rows)
	b := newBuilder(m.provider, "", d.facts.tasks)
	b.copied = d.facts.isCopied
	b.usages = slices.ContainsFunc(head, func(r row) bool { return r.kind == rowUsage })
	out := b.build(rows, afterNothing)

	x := &d.session
	x.Ref = recap.SessionRef{Agent: recap.Codex, Root: s.home.Root, ID: m.id}
	d.place(m, head, rows, out)
	x.Model = recap.ModelRef{Provider: b.provider, ID: out.model}
	x.State, x.WaitingFor = out.state()
	x.Reverted = out.rolledBack
	d.facts.turn, d.facts.ends = out.began.UnixMilli(), out.tells
	if out.began.IsZero() {
		d.facts.turn = 0
	}
	d.times(e, m, head, out)
	gap := e.TailStart > 0
	d.prompts(m, head, out, gap)
	if !gap && len(out.records) == 0 && out.end == endNone {
		if m.base == "" && d.skip == "" {
			d.skip = skipUnasked
		}
		x.State = recap.StateIdle
	}
	return d
}

// brokenEnd reports that the last row can't be used.
func (s *Source) brokenEnd(e *filelog.Ends) bool {
	_, _, broken := s.parseRows(func(yield func([]byte) bool) {
		for b := range e.TailRows {
			yield(b)
			return
		}
	})
	return broken > 0
}

// parseRows parses the rows of one end that are worth it, and counts those
// that are JSON or known bookkeeping, and those that are neither.
func (s *Source) parseRows(each func(func([]byte) bool)) (rows []row, good, broken int) {
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	for b := range each {
		if bookkeeping(b) {
			good++
			if usage(b) {
				rows = append(rows, row{kind: rowUsage, ordinal: -1})
			}
			continue
		}
		if r, err := parseRow(p, b); err == nil {
			good++
			rows = append(rows, r)
		} else {
			broken++
		}
	}
	return rows, good, broken
}

// telling reports that a row has content or says how a turn stands.
func telling(r row) bool {
	switch r.kind {
	case rowOther, rowMeta, rowContext, rowInjected, rowRan, rowUsage:
		return false
	case rowHuman, rowAnswer, rowReasoning, rowCall, rowResult, rowAsk, rowStart, rowEnd, rowAbort, rowError, rowCompacted, rowRollback:
	}
	return true
}

// furtherScan is how far a watch reads back in a rollout whose last rows tell
// nothing, or whose last row is longer than a listing reads.
const furtherScan = 8 << 20

// further gives the last rows of a rollout, newest first, back to one that says
// how the newest turn stands.
func (s *Source) further(path string) []row {
	r, err := filelog.Open(path)
	if err != nil {
		return nil // gone: the next listing sees it
	}
	defer r.Close() //nolint:errcheck // read only
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	var rows []row
	for r.Bytes() < furtherScan {
		line, err := r.Prev()
		if err != nil {
			break
		}
		if bookkeeping(line.Data) {
			if usage(line.Data) {
				rows = append(rows, row{kind: rowUsage, ordinal: -1})
			}
			continue
		}
		b, err := r.Load(line)
		if err != nil {
			continue
		}
		x, err := parseRow(p, b)
		if err != nil {
			continue
		}
		rows = append(rows, x)
		switch x.kind {
		case rowHuman, rowStart, rowEnd, rowAbort, rowRollback:
			return rows
		default:
		}
	}
	return rows
}

// maxFirst is how much of a rollout is read for its first row where that is
// longer than the head.
const maxFirst = 1 << 20

// firstRow gives the first row of a rollout, if it ends within maxFirst.
func firstRow(r *rollout) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		var b []byte
		if r.zst {
			err := inflate(context.Background(), r.file.Path, maxFirst, func(piece []byte) bool {
				b = append(b, piece...)
				return bytes.IndexByte(piece, '\n') < 0
			})
			if err != nil {
				return
			}
		} else {
			f, err := filelog.Open(r.file.Path)
			if err != nil {
				return
			}
			defer f.Close() //nolint:errcheck // read only
			if b, err = bufio.NewReader(f.Section(0, min(maxFirst, f.File().Size))).ReadBytes('\n'); err != nil {
				return // no end of it, or gone
			}
		}
		if row, _, ok := bytes.Cut(b, []byte("\n")); ok {
			yield(row)
		}
	}
}

// cutMeta gives a session_meta that is cut off in its instructions without
// them: what tells of the thread stands before or is not there.
func cutMeta(b []byte) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		if meta, _, ok := bytes.Cut(b, []byte(`,"base_instructions":`)); ok && !bytes.Contains(meta, []byte("\n")) {
			yield(slices.Concat(meta, []byte("}}")))
		}
	}
}

func firstMeta(rows []row) *meta {
	for i := range rows {
		if rows[i].kind == rowMeta {
			return rows[i].meta
		}
	}
	return nil
}

// begin takes what the first rows say of the place in a history.
func (d *derived) begin(m *meta, head []row) {
	f := &d.facts
	f.base, f.baseOrdinal, f.baseOffset, f.tasks = m.base, m.baseOrdinal, m.baseOffset, m.paginated
	for i := range head {
		f.tasks = f.tasks || head[i].kind == rowStart || head[i].ordinal >= 0
	}
	for i := range head {
		if !head[i].at.IsZero() {
			f.start = head[i].at.UnixMilli()
			break
		}
	}
	f.thread = f.start
	if t, ok := uuidTime(m.id); ok {
		f.thread = t
	} else if !m.at.IsZero() {
		f.thread = m.at.UnixMilli()
	}
	f.copies = m.base == "" && m.forkedFrom != ""
	for i := range head {
		if o := head[i].meta; head[i].kind == rowMeta && o.id != m.id && m.base == "" {
			f.copies = true
			if m.forkedFrom == "" {
				m.forkedFrom = o.id
			}
		}
	}
	d.session.ForkedFrom, d.session.ParentID = m.forkedFrom, m.parent
	switch {
	case m.kind != "" && (m.kind != "thread_spawn" || m.parent == ""):
		d.skip = skipInternal // review, guardian, compaction, memory
	case m.threadSource != "" && m.threadSource != "user" && m.threadSource != "subagent":
		d.skip = skipInternal
	}
}

// place takes directory and branch from the newest rows that name them.
func (d *derived) place(m *meta, head, rows []row, out *built) {
	x := &d.session
	x.Directory, x.Branch = out.cwd, m.branch
	for i := range rows {
		if o := rows[i].meta; rows[i].kind == rowMeta && o.id == m.id && o.branch != "" {
			x.Branch = o.branch
		}
	}
	for i := range slices.Backward(head) {
		if head[i].kind != rowContext {
			continue
		}
		if x.Directory == "" {
			x.Directory = head[i].cwd
		}
		if out.model == "" {
			out.model = head[i].model
		}
	}
	if x.Directory == "" {
		x.Directory = m.cwd
	}
}

// times takes the beginning and the newest content.
func (d *derived) times(e *filelog.Ends, m *meta, head []row, out *built) {
	x := &d.session
	x.CreatedAt = m.at
	if x.CreatedAt.IsZero() && d.facts.start > 0 {
		x.CreatedAt = time.UnixMilli(d.facts.start).UTC()
	}
	x.UpdatedAt = out.newest
	if x.UpdatedAt.IsZero() && e.TailStart > 0 {
		// The tail lies within one long row, or was not unpacked: the file's
		// own time is the best there is.
		x.UpdatedAt = time.Unix(0, e.File.ModTime).UTC()
		x.State = recap.StateUnknown
	}
	for i := range head {
		if x.UpdatedAt.IsZero() && head[i].kind == rowHuman {
			x.UpdatedAt = head[i].at
		}
	}
	changed := time.Unix(0, e.File.ModTime).UTC()
	if x.UpdatedAt.IsZero() && x.CreatedAt.IsZero() { // no row has a time
		x.UpdatedAt = changed
	}
	if x.CreatedAt.IsZero() {
		x.CreatedAt = x.UpdatedAt
	}
	x.CreatedAt, x.UpdatedAt = filelog.Plausible(x.CreatedAt, e.File.ModTime), filelog.Plausible(x.UpdatedAt, e.File.ModTime)
	if x.UpdatedAt.Before(x.CreatedAt) {
		x.UpdatedAt = x.CreatedAt
	}
}

// prompts takes the title, and decides whether a person speaks at all.
func (d *derived) prompts(m *meta, head []row, out *built, gap bool) {
	x, f := &d.session, &d.facts
	seen := map[string]bool{}
	first, copied := "", ""
	for i := range head {
		r := &head[i]
		if r.kind != rowHuman {
			continue
		}
		if copied == "" {
			copied = r.text
		}
		if f.isCopied(r.turn, r.at) {
			continue
		}
		if first == "" {
			first, f.firstPrompt = r.text, r.ordinal
		}
		seen[r.at.String()+r.text] = true
	}
	for i := range out.records {
		rec := &out.records[i]
		if rec.Role != recap.RoleUser || out.foreign[i] {
			continue
		}
		t := rec.Parts[0].Text
		if first == "" && !gap {
			first = t
		}
		seen[rec.Created.String()+t] = true
	}
	// What a person asked may stand in a row that can't be read.
	f.own = len(seen) > 0 || (gap || d.broken > 0) && !f.copies
	if x.Title = agent.Line(first); x.Title == "" {
		x.Title = agent.Line(copied)
	}
	if d.skip != "" || first == "" || len(seen) > 1 || x.ParentID != "" {
		return
	}
	if internal(first) || headless(m) && machineMade(first) {
		d.skip = skipHeadless
	}
}

// headless reports a thread that no person's screen started.
func headless(m *meta) bool {
	return m.source == "exec" || m.source == "mcp" || m.originator == "codex_exec" || strings.HasPrefix(m.originator, "codex_sdk")
}

// state words how the newest turn stands. Codex leaves no sign of life in its
// files: a turn without an end may run, or have died.
func (b *built) state() (recap.State, string) {
	switch b.end {
	case endComplete:
		return recap.StateIdle, ""
	case endAborted:
		return recap.StateInterrupted, ""
	case endFailed:
		return recap.StateFailed, ""
	case endWaiting:
		return recap.StateWaiting, agent.Line(b.waitingFor)
	case endAsking:
		return recap.StateUnknown, agent.Line(b.waitingFor)
	case endNone, endOpen:
	}
	return recap.StateUnknown, ""
}
