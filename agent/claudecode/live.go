package claudecode

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// pulse says what the process that has a session open does.
type pulse int

const (
	unknown pulse = iota // nothing tells
	dead                 // no process has the session open
	alive                // one has it open, and does not say what it does
	busy
	waiting
	idle
)

// life is what is known of the process of a session.
type life struct {
	state pulse
	// waited: the process waited for the person when it was last heard of.
	waited bool
	// reason is the agent's word for what it waits for.
	reason string
	// since is when it began to do what it says it does, begun when it began.
	since, begun time.Time
}

// over reports that nobody goes on with what stands open.
func (l life) over() bool { return l.state == dead || l.state == idle }

// working reports that the process may be in the middle of an answer.
func (l life) working() bool { return l.state == busy || l.state == alive }

// lives are the sessions that processes have open, or had when they died.
type lives struct {
	// kept: this version of the agent notes its processes.
	kept bool
	// doubt: a note of a process that may live could not be read. It is being
	// written, and may be of any session.
	doubt bool
	of    map[string]life
}

// session gives what is known of a session's process. Only those in a terminal
// are noted: of the others, nothing follows from no note.
func (l lives) session(id string, terminal bool) life {
	if x, ok := l.of[id]; ok {
		return x
	}
	if l.kept && terminal && !l.doubt {
		return life{state: dead}
	}
	return life{}
}

// lives reads <root>/sessions/<pid>.json, and nothing else there.
func (s *Source) lives(ctx context.Context) lives {
	dir := filepath.Join(s.cfg.Root, "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return lives{}
	}
	out := lives{kept: true, of: map[string]life{}}
	var p fastjson.Parser
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		pid, err := strconv.Atoi(name)
		if !ok || err != nil || pid <= 0 || ctx.Err() != nil {
			continue
		}
		ends, err := filelog.ReadEnds(filepath.Join(dir, e.Name()))
		if err != nil || !ends.Whole() {
			continue
		}
		v, err := p.ParseBytes(ends.Head)
		if err != nil {
			if alive, known := s.cfg.Alive(pid, "", ""); alive || !known {
				out.doubt = true
			}
			continue
		}
		id := str(v, "sessionId")
		if id == "" {
			continue
		}
		l := s.life(pid, v)
		if l.since.IsZero() {
			l.since = time.Unix(0, ends.File.ModTime)
		}
		if was, ok := out.of[id]; !ok || was.state == dead || was.state == unknown && l.state > dead {
			out.of[id] = l
		}
	}
	return out
}

func (s *Source) life(pid int, v *fastjson.Value) life {
	status := string(v.GetStringBytes("status"))
	l := life{waited: status == "waiting", reason: str(v, "waitingFor")}
	if ms := v.GetInt64("statusUpdatedAt"); ms > 0 {
		l.since = time.UnixMilli(ms)
	}
	if ms := v.GetInt64("startedAt"); ms > 0 {
		l.begun = time.UnixMilli(ms)
	}
	start := str(v, "procStart")
	if n := v.GetInt64("procStart"); start == "" && n > 0 {
		start = strconv.FormatInt(n, 10)
	}
	running, known := s.cfg.Alive(pid, start, str(v, "pidDomain"))
	switch {
	case !known && l.waited: // of another machine or container: take its word
		l.state = waiting
	case !known:
		l.state = unknown
	case !running:
		l.state = dead
	case status == "busy":
		l.state = busy
	case status == "waiting":
		l.state = waiting
	case status == "idle":
		l.state = idle
	default:
		l.state = alive
	}
	return l
}

// at is what follows of it for a transcript whose newest content is of a time.
func (l life) at(updated time.Time) life {
	if (l.state == idle || l.state == waiting) && l.since.Before(updated) {
		l.state = alive // said before the newest row: not true any more
	}
	if (l.state == idle || l.state == alive) && l.begun.After(updated) {
		l.state, l.waited = dead, false // what is open was left so by another process
	}
	return l
}

// stateOf joins what the transcript's tail says with what its process does.
// open says what the tail waits for: "" where the turn is over. updated is the
// time of the newest content.
func (l life) stateOf(tail recap.State, open, asked string, updated time.Time) (recap.State, string) {
	l = l.at(updated)
	over := open == "" || open == openAgents || open == openQueue
	switch {
	case (l.state == busy || l.state == idle) && asksPerson(asked),
		l.state == waiting, l.state == alive && open == openTool:
		if asked == "" && l.reason != "" {
			asked = agent.Line("approval: " + l.reason)
		}
		return recap.StateWaiting, asked
	case l.state == busy, l.state == alive && open != "", l.state == idle && (open == openAgents || open == openQueue):
		return recap.StateBusy, ""
	case open == "", over && l.state != unknown:
		return tail, ""
	case l.state == dead && open == openTool && (l.waited || asksPerson(asked)): // it still says what it waited for
		return recap.StateInterrupted, asked
	case l.state == dead, l.state == idle:
		return recap.StateInterrupted, ""
	}
	return recap.StateUnknown, ""
}

// asksPerson reports that the call asks the person and does nothing else: while
// it has no result it waits for nobody but them, whatever the process says.
func asksPerson(asked string) bool {
	if strings.HasPrefix(asked, questionMark) {
		return true
	}
	name, ok := strings.CutPrefix(asked, "approval: ")
	return ok && toolKind(name) == recap.ToolPlan
}
