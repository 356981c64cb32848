package daemon

import (
	"context"
	"iter"

	"github.com/sessionrecap/recap/agent"
)

// listen gives a watcher whose events are heard. One that is a mirror stays
// one.
func listen(w agent.Watcher, heard func()) agent.Watcher {
	l := &listener{w, heard}
	if m, ok := w.(agent.Mirror); ok {
		return &mirror{l, m}
	}
	return l
}

type listener struct {
	w     agent.Watcher
	heard func()
}

type mirror struct {
	*listener
	agent.Mirror
}

// Watch implements agent.Watcher.
func (l *listener) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		for ev, err := range l.w.Watch(ctx) {
			l.heard()
			if !yield(ev, err) {
				return
			}
		}
	}
}
