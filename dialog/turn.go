package dialog

import (
	"slices"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Bounds of what one turn's stretch of a session may make us remember.
const (
	// maxParents is how many requests may be answered in it without having
	// been met yet. More are not looked at: there is one in an ordinary
	// session, and a few where answers come late.
	maxParents = 64
	// maxContinuations is how many ids of continuations are kept.
	maxContinuations = 1 << 14
)

// segment is what was read since the newer turn's opening record: the answers
// whose request has not been met yet, by that request.
type segment struct {
	byParent map[string]*answers
	resolved answers             // to the continuations met so far
	ids      map[string]struct{} // of those continuations
	tools    []owned             // newest first
	unowned  int                 // tools from here on answer the nearest user record
	output   int                 // bytes of tool output kept
	stopped  int                 // newest service record that says the work was stopped
}

// owned is a tool call with the request it was made for.
type owned struct {
	parent string
	tool   recap.Tool
}

// answers sums up the counted records that answer one request.
type answers struct {
	last        int // seq of the newest record, 0 where there is none
	complete    bool
	interrupted bool
	failure     *recap.Failure
	model       recap.ModelRef // of the newest record that names one

	textSeq   int // seq of the newest record with text
	textID    string
	text      string
	textAt    time.Time
	textModel recap.ModelRef
}

// of gives what is known of the answers to a request, nil where nothing is. A
// continuation may have been met already, where a page is out of order.
func (s *segment) of(parent string) *answers {
	if _, ok := s.ids[parent]; ok {
		return &s.resolved
	}
	return s.byParent[parent]
}

// wantsText tells whether an answer to this request would be the newest with
// text.
func (s *segment) wantsText(parent string) bool {
	if a := s.of(parent); a != nil {
		return a.textSeq == 0
	}
	return len(s.byParent) < maxParents
}

// answer takes an assistant record, with its text if that is wanted.
func (s *segment) answer(m *recap.Message, text string, seq int) {
	if m.Summary {
		return
	}
	a := s.of(m.ParentID)
	if a == nil {
		if len(s.byParent) >= maxParents {
			return
		}
		if s.byParent == nil {
			s.byParent = map[string]*answers{}
		}
		a = &answers{}
		s.byParent[strings.Clone(m.ParentID)] = a
	}
	if a.last == 0 {
		a.last, a.complete = seq, isComplete(m)
		a.interrupted, a.failure = m.Interrupted, m.Failure
	}
	if a.model == (recap.ModelRef{}) {
		a.model = m.Model
	}
	if a.textSeq == 0 && text != "" {
		a.textSeq, a.textID, a.text, a.textAt, a.textModel = seq, m.ID, text, at(m), m.Model
	}
	s.takeTools(m)
}

// service takes a service record: it has no text, but it may carry the result
// of a tool call, or the word that the person stopped the work.
func (s *segment) service(m *recap.Message, seq int) {
	if m.Interrupted && s.stopped == 0 {
		s.stopped = seq
	}
	s.takeTools(m)
}

func (s *segment) takeTools(m *recap.Message) {
	for i := len(m.Parts) - 1; i >= 0 && len(s.tools) < 2*MaxTools; i-- {
		p := &m.Parts[i]
		if p.Kind != recap.PartTool || p.Tool == nil {
			continue
		}
		t := *p.Tool
		if s.output += len(t.Output); s.output > MaxOutput {
			t.Output = ""
		}
		s.tools = append(s.tools, owned{m.ParentID, t})
	}
}

// continuation takes a user record that no person made.
func (s *segment) continuation(id string) {
	s.own(id)
	if s.ids == nil {
		s.ids = map[string]struct{}{}
	}
	if len(s.ids) < maxContinuations && id != "" {
		s.ids[strings.Clone(id)] = struct{}{}
	}
}

// own gives to a user record what answers it.
func (s *segment) own(id string) {
	for _, parent := range [...]string{id, ""} {
		if a, ok := s.byParent[parent]; ok {
			s.resolved.merge(a)
			delete(s.byParent, parent)
		}
	}
	for i := s.unowned; i < len(s.tools); i++ {
		if s.tools[i].parent == "" {
			s.tools[i].parent = id
		}
	}
	s.unowned = len(s.tools)
}

// merge keeps the newer of each.
func (a *answers) merge(b *answers) {
	if a.model == (recap.ModelRef{}) || b.last < a.last && b.model != (recap.ModelRef{}) {
		a.model = b.model
	}
	if a.last == 0 || b.last < a.last {
		a.last, a.complete, a.interrupted, a.failure = b.last, b.complete, b.interrupted, b.failure
	}
	if b.textSeq != 0 && (a.textSeq == 0 || b.textSeq < a.textSeq) {
		a.textSeq, a.textID, a.text, a.textAt, a.textModel = b.textSeq, b.textID, b.text, b.textAt, b.textModel
	}
}

// close makes the turn that m opens, without its texts. It gives the seq of
// the turn's last counted record, and the tool calls that were made for older
// requests: those it was given that are not this turn's, and its own.
func (s *segment) close(m *recap.Message, late []owned) (t recap.Turn, last int, older []owned) {
	s.own(m.ID)
	a := s.resolved
	t = recap.Turn{
		UserID: strings.Clone(m.ID), At: m.Created,
		AnswerID: strings.Clone(a.textID), Answer: a.text, AnswerAt: a.textAt,
		Complete: a.complete, Interrupted: a.interrupted, Failure: a.failure,
		Model: a.textModel,
	}
	if t.Model == (recap.ModelRef{}) {
		t.Model = a.model
	}
	if !t.Complete && s.stopped != 0 && (a.last == 0 || s.stopped < a.last) || a.last == 0 && m.Interrupted {
		t.Interrupted = true
	}
	for _, o := range slices.Concat(late, s.tools) {
		_, mine := s.ids[o.parent]
		switch mine = mine || o.parent == m.ID; {
		case mine && len(t.Tools) < MaxTools:
			t.Tools = append(t.Tools, o.tool)
		case !mine && len(older) < MaxTools:
			older = append(older, o)
		}
	}
	slices.Reverse(t.Tools)
	return t, a.last, older
}

// isComplete tells whether the record is a complete answer.
func isComplete(m *recap.Message) bool { return endOf(m, false) == EndComplete }

// endOf tells how the session stands if m is its newest content record.
func endOf(m *recap.Message, human bool) End {
	waiting, running := toolsOf(m)
	switch {
	case m.Interrupted:
		return EndInterrupted
	case m.Failure != nil:
		return EndFailed
	case human:
		return EndUnanswered
	case m.Role == recap.RoleUser:
		return EndWorking
	case m.Summary:
		return EndSummary
	case waiting:
		return EndWaiting
	case m.Finish == recap.FinishLength, m.Finish == recap.FinishOther:
		return EndCut
	case m.Completed.IsZero(), m.Finish == recap.FinishToolCalls, running && m.Finish != recap.FinishStop:
		return EndWorking
	case len(answerTexts(m)) == 0:
		return EndNoText
	}
	return EndComplete
}

func toolsOf(m *recap.Message) (waiting, running bool) {
	for i := range m.Parts {
		if t := m.Parts[i].Tool; t != nil && m.Parts[i].Kind == recap.PartTool {
			waiting = waiting || t.Status == recap.ToolWaiting
			running = running || t.Status == recap.ToolPending
		}
	}
	return waiting, running
}

// at is when a record was completed, or else made.
func at(m *recap.Message) time.Time {
	if m.Completed.IsZero() {
		return m.Created
	}
	return m.Completed
}
