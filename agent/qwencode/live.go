package qwencode

import (
	"slices"
	"strconv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/filelog"
)

// state joins how the tail stands with whether the process still runs. updated
// is the time of the newest content.
func (s *Source) state(facts []string, path string, updated time.Time) (recap.State, string) {
	var tail, about string
	var launched int64
	if len(facts) == 3 {
		tail, about = facts[0], facts[1]
		launched, _ = strconv.ParseInt(facts[2], 10, 64)
	}
	over, ends := map[string]recap.State{
		tailDone: recap.StateIdle, "": recap.StateIdle, tailStopped: recap.StateInterrupted, tailFailed: recap.StateFailed,
	}[tail]
	if ends && launched == 0 {
		return over, ""
	}
	begun, alive, known := s.runtime(path)
	switch {
	case ends && !known, tail == tailLost && (alive || !known):
		return recap.StateUnknown, ""
	case tail == tailLost:
		return recap.StateIdle, ""
	case ends && alive && !begun.After(time.UnixMilli(launched)):
		return recap.StateBusy, "" // an agent works in the background
	case ends:
		return over, ""
	case !known:
		return recap.StateUnknown, about
	case !alive, begun.After(updated): // what it waited for when it ended is still worth knowing
		return recap.StateInterrupted, about
	case tail == tailCalls, tail == tailQuestion:
		return recap.StateWaiting, about
	}
	return recap.StateBusy, ""
}

// settle says of the newest record, where it stands open, whether somebody goes
// on with it, as state says it of the session. A call without a result waits for
// the person, and is known to have waited when the process ended.
func (s *Source) settle(records []recap.Message, path string, updated time.Time) {
	if len(records) == 0 {
		return
	}
	m := &records[len(records)-1]
	if m.Interrupted || m.Failure != nil || m.Role == recap.RoleAssistant && m.Finish != recap.FinishToolCalls ||
		m.Role == recap.RoleUser && slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return !p.Synthetic }) {
		return
	}
	begun, alive, known := s.runtime(path)
	if !known {
		return
	}
	for i := range m.Parts {
		if t := m.Parts[i].Tool; t != nil && t.Status == recap.ToolPending {
			t.Status = recap.ToolWaiting
		}
	}
	m.Interrupted = !alive || begun.After(updated)
}

// runtime asks the file <id>.runtime.json beside a transcript for the process
// that has the session open, and when it began.
func (s *Source) runtime(path string) (begun time.Time, alive, known bool) {
	// Runs without a terminal write none.
	ends, err := filelog.ReadEnds(strings.TrimSuffix(path, ".jsonl") + ".runtime.json")
	if err != nil || !ends.Whole() {
		return begun, false, false
	}
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	v, err := p.ParseBytes(ends.Head)
	if err != nil {
		return begun, false, false
	}
	pid, at := v.GetInt("pid"), v.GetFloat64("started_at")
	if pid <= 0 || at <= 0 {
		return begun, false, false
	}
	begun = time.UnixMilli(int64(at * 1000))
	alive, known = s.cfg.Alive(pid, begun)
	return begun, alive, known
}
