package claudecode

import (
	"bytes"
	"slices"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// background follows, newest row first, what goes on beside the turns: agents
// in the background and prompts in the queue.
type background struct {
	finished map[string]bool // agents whose end was noticed
	settled  bool            // a newer turn ended with none at work
	agents   int             // those still at work
	turned   bool            // a prompt was met: what is older was delivered
	queued   []string        // operations on the queue after it, newest first
}

// row takes a row of the conversation.
func (b *background) row(r *row) {
	switch {
	case r.kind == turnEnd && r.pending == 0:
		b.settled = true
	case r.finished != "":
		if b.finished == nil {
			b.finished = map[string]bool{}
		}
		b.finished[r.finished] = true
	case r.launched != "" && !b.settled && !b.finished[r.launched]:
		b.agents++
	}
	b.turned = b.turned || r.local || r.kind == person || r.kind == inserted
}

// queue takes a row of bookkeeping.
func (b *background) queue(row []byte) {
	if b.turned {
		return
	}
	head := row[:min(len(row), peekBytes)]
	if bytes.Contains(head, []byte(`"subtype":"local_command"`)) {
		b.turned = true
		return
	}
	if rest, ok := bytes.CutPrefix(head, []byte(`{"type":"queue-operation","operation":"`)); ok {
		op, _, _ := bytes.Cut(rest, []byte(`"`))
		b.queued = append(b.queued, string(op))
	}
}

// left says what is still to be done when a turn is over.
func (b *background) left() string {
	waits := 0
	for _, op := range slices.Backward(b.queued) {
		switch op {
		case "enqueue":
			waits++
		case "dequeue": // its prompt is to be written
			waits = max(waits, 1)
		case "remove":
			waits = max(waits-1, 0)
		default: // all of them were taken back, or it is not known what was done
			waits = 0
		}
	}
	switch {
	case waits > 0:
		return openQueue
	case b.agents > 0:
		return openAgents
	}
	return ""
}

// unsaid reports that the newest answer is not known to be over: it only thought
// so far, or nothing says how it ended in a transcript that says it of others.
func (c *collector) unsaid(m *recap.Message) bool {
	if m.Finish != recap.FinishStop {
		return false
	}
	thought := func(p recap.Part) bool { return p.Kind == recap.PartReasoning }
	only := len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return !thought(p) })
	return only || m == c.guessed && c.noted > 0 && c.unnoted == 1
}

// since makes up for newest rows that are bookkeeping alone, which can be longer
// than what is read: it looks at all that was appended since the entry was made,
// and where none of it is of the conversation, the entry's word stands.
func since(ends filelog.Ends, was agent.Entry, s recap.Session, f facts, p *parser) (recap.Session, facts) {
	if !f.blank && !f.lost {
		return s, f
	}
	grown, seen := ends.Since(was)
	if !seen {
		return s, f
	}
	if grown.TailStart < ends.TailStart {
		s, f, _ = learn(grown, p)
	}
	if f.blank || f.lost && f.leaf != "" && slices.Contains(was.Facts, "leaf="+f.leaf) {
		carry(was, &s, &f)
	}
	return s, f
}

// carry keeps what an earlier look learnt of the conversation, where nothing of it
// came since.
func carry(was agent.Entry, s *recap.Session, f *facts) {
	old := decodeFacts(was.Facts)
	s.UpdatedAt = was.Session.UpdatedAt
	if s.Model.ID == "" {
		s.Model = was.Session.Model
	}
	if !f.placed {
		s.Directory, s.Branch = was.Session.Directory, was.Session.Branch
	}
	if !f.entered {
		f.terminal = old.terminal
	}
	if !f.titled && old.titled {
		s.Title, f.titled = was.Session.Title, true
	}
	over := old.open == "" || old.open == openAgents || old.open == openQueue
	switch {
	case f.ended && over: // as it was, with what the turn's end says is left
		s.State = was.Session.State
	case f.ended:
	case over && f.open == openQueue:
		s.State = was.Session.State
	default:
		s.State, f.open, f.asked = was.Session.State, old.open, old.asked
	}
	f.forkOf, f.ownWork, f.background = old.forkOf, old.ownWork, old.background
	f.prompts, f.headless, f.template, f.internal = old.prompts, old.headless, old.template, old.internal
	f.leaf, f.asks, f.first = old.leaf, old.asks, old.first
	if f.continued == "" {
		f.continued = old.continued
	}
	if len(f.summaries) == 0 {
		f.summaries = old.summaries
	}
}
