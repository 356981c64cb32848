package geminicli

import (
	"slices"
	"time"

	recap "github.com/sessionrecap/recap"
)

// process is a process of the agent.
type process struct {
	pid   int
	start string // as the system words it: a number is used again
	// child is when the newest process below it was started, zero where there
	// is none.
	child time.Time
}

// processes tells what the processes of the agent add to the transcripts. The
// program writes nothing while a tool runs, and nothing when it is killed.
//
//   - An answer that looks whole is not while a process of the agent in the
//     session's directory has one below it that was started since: a tool runs.
//   - An open turn is over when all processes of the agent are gone that were
//     seen in its directory while the turn went on.
type processes struct {
	seen   map[string]turn // session id → what was seen of it
	looked bool            // a first look was taken
	// find looks for the processes of the agent in directories.
	find func(dirs []string) map[string][]process
	// lives reports that a process is there and the same as it was.
	lives func(process) bool
}

// turn is what was seen of a session.
type turn struct {
	stamp string // of the transcript when it was looked at
	moved bool   // it moved while it was watched
	tool  bool   // a tool ran when it was looked at
	dead  bool   // the processes were gone when it was looked at
	procs []process
}

func newProcesses() processes {
	return processes{seen: map[string]turn{}, find: agentsIn, lives: running}
}

// early is how much older than its answer a tool's process may seem: the system
// counts in ticks since it was started, and that in seconds.
const early = time.Second

// look puts what processes tell into the states of sessions.
func (p *processes) look(all []recap.Session) {
	seen := make(map[string]turn, len(all))
	var dirs []string
	for i := range all {
		x := &all[i]
		was := p.seen[x.Ref.ID]
		changed := was.stamp != x.Stamp
		now := turn{stamp: x.Stamp, moved: was.moved || changed && p.looked, tool: was.tool, procs: was.procs}
		if x.State != recap.StateUnknown || was.dead && changed { // somebody else goes on
			now.procs = nil
		}
		seen[x.Ref.ID] = now
		if x.Directory == "" || !now.moved {
			continue
		}
		if x.State == recap.StateUnknown && (changed || len(now.procs) > 0 && !slices.ContainsFunc(now.procs, p.lives)) ||
			x.State == recap.StateIdle && !x.Reverted && (changed || was.tool) {
			dirs = append(dirs, x.Directory)
		}
	}
	var found map[string][]process
	if len(dirs) > 0 {
		slices.Sort(dirs)
		found = p.find(slices.Compact(dirs))
	}
	for i := range all {
		x := &all[i]
		now := seen[x.Ref.ID]
		procs, asked := found[x.Directory], slices.Contains(dirs, x.Directory)
		switch x.State {
		case recap.StateUnknown:
			now.tool = false
			if len(procs) > 0 {
				now.procs = procs
			}
			if now.dead = len(now.procs) > 0 && !slices.ContainsFunc(now.procs, p.lives); now.dead {
				x.State = recap.StateInterrupted
			}
		case recap.StateIdle:
			if asked {
				now.tool = now.moved && !x.Reverted && slices.ContainsFunc(procs, func(q process) bool {
					return q.child.After(x.UpdatedAt.Add(-early))
				})
			}
			if now.tool {
				x.State = recap.StateBusy
			}
		default:
			now.tool = false
		}
		seen[x.Ref.ID] = now
	}
	p.seen, p.looked = seen, true
}
