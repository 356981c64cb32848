package codex

import "slices"

// pulse is what is known of the process that writes a rollout.
type pulse uint8

const (
	unseen pulse = iota // none was ever seen to have it open
	alive               // one that had it open lives
	dead                // all that had it open are gone
)

// process is a process that had a rollout open for writing.
type process struct {
	pid   int
	start string // as the system words it: a number is used again
}

// writers remembers which processes had which rollout open for writing. Codex
// keeps the file open while it has the thread loaded. That nobody has it open
// says nothing; that who had it open is gone does.
type writers struct {
	seen map[string]writing
	// find looks for the processes that have the files open for writing.
	find func(paths []string) map[string][]process
	// lives reports that a process is there and the same as it was.
	lives func(process) bool
}

type writing struct {
	stamp string // of the file when it was looked for
	dead  bool   // all were gone when they were looked at
	procs []process
}

func newWriters() writers {
	return writers{seen: map[string]writing{}, find: writersOf, lives: running}
}

// look looks for the writers of the files that are not known, or died while
// the file went on. Files that are not named are forgotten.
func (w *writers) look(files []*rollout) {
	seen := make(map[string]writing, len(files))
	var ask []string
	for _, r := range files {
		path, stamp := r.file.Path, r.file.Stamp()
		was, ok := w.seen[path]
		if ok && (was.stamp == stamp || w.living(was)) {
			seen[path] = was
			continue
		}
		if was.dead { // somebody else goes on
			was.procs = nil
		}
		seen[path] = writing{stamp: stamp, procs: was.procs}
		ask = append(ask, path)
	}
	if len(ask) > 0 {
		for path, procs := range w.find(ask) {
			x := seen[path]
			x.procs = procs
			seen[path] = x
		}
	}
	for path, x := range seen {
		x.dead = len(x.procs) > 0 && !w.living(x)
		seen[path] = x
	}
	w.seen = seen
}

func (w *writers) living(x writing) bool {
	return slices.ContainsFunc(x.procs, w.lives)
}

// of gives the pulse of a file that look was told of.
func (w *writers) of(path string) pulse {
	x := w.seen[path]
	switch {
	case len(x.procs) == 0:
		return unseen
	case x.dead:
		return dead
	}
	return alive
}
