package qwencode

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/filelog"
)

// state joins how the tail stands with whether the process still runs.
func (s *Source) state(facts []string, path string) (recap.State, string) {
	var tail, about string
	if len(facts) == 2 {
		tail, about = facts[0], facts[1]
	}
	switch tail {
	case tailDone:
		return recap.StateIdle, ""
	case tailStopped:
		return recap.StateInterrupted, ""
	case tailFailed:
		return recap.StateFailed, ""
	case "":
		return recap.StateIdle, ""
	}
	alive, known := s.runtime(path)
	switch {
	case !known:
		return recap.StateUnknown, about
	case !alive: // what it waited for when it ended is still worth knowing
		return recap.StateInterrupted, about
	case tail == tailCalls, tail == tailQuestion:
		return recap.StateWaiting, about
	}
	return recap.StateBusy, ""
}

// runtime asks the file <id>.runtime.json beside a transcript for the process
// that has the session open.
func (s *Source) runtime(path string) (alive, known bool) {
	ends, err := filelog.ReadEnds(strings.TrimSuffix(path, ".jsonl") + ".runtime.json")
	if os.IsNotExist(err) {
		// This version notes its processes, so nobody has it open.
		if _, err := os.Stat(filepath.Join(s.cfg.Root, "sessions")); err == nil {
			return false, true
		}
		return false, false
	}
	if err != nil || !ends.Whole() {
		return false, false
	}
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	v, err := p.ParseBytes(ends.Head)
	if err != nil {
		return false, false
	}
	pid, at := v.GetInt("pid"), v.GetFloat64("started_at")
	if pid <= 0 || at <= 0 {
		return false, false
	}
	return s.cfg.Alive(pid, time.UnixMilli(int64(at*1000)))
}
