package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/quiet"
)

// ReadyWithin is how long Ready waits for watchers that take long to look.
const ReadyWithin = 10 * time.Second

// Waits before a watcher that ended is started again.
const (
	firstRestart = time.Second
	lastRestart  = 5 * time.Minute
)

// watching is a watcher that is heard.
type watching struct {
	w      agent.Watcher
	stop   context.CancelFunc // nil: it is left out
	looked bool
}

// Rewatch has Follow hear these watchers from now on. Those that it hears
// already go on as they are. The sessions that one told of which is left out
// are no longer followed. It waits for nothing; without a Follow it does
// nothing.
func (e *Engine) Rewatch(watchers []agent.Watcher) {
	f := e.follower.Load()
	if f == nil {
		return
	}
	f.mu.Lock()
	f.want = watchers
	f.mu.Unlock()
	select {
	case f.others <- struct{}{}:
	default:
	}
}

// rewatch begins to hear the watchers that are new and leaves out those that
// are no longer wanted.
func (f *follower) rewatch(ctx context.Context) {
	f.mu.Lock()
	want := f.want
	f.mu.Unlock()
	for i, w := range f.watchers {
		if w.stop == nil || slices.Contains(want, w.w) {
			continue
		}
		w.stop()
		w.stop = nil
		for x := range f.all() {
			if int(x.by) == i {
				f.step(ctx, x, quiet.Gone{})
				f.drop(x)
			}
		}
	}
	for _, w := range want {
		if slices.ContainsFunc(f.watchers, func(x *watching) bool { return x.w == w && x.stop != nil }) {
			continue
		}
		x, by := &watching{w: w}, uint16(len(f.watchers)) //nolint:gosec // there are few
		var hears context.Context
		hears, x.stop = context.WithCancel(ctx)
		f.watchers = append(f.watchers, x)
		f.running.Go(func() { f.watch(hears, w, by) })
	}
	f.looked(nil, false)
}

// looked notes that a watcher has looked, and tells when all have, or when it
// is late.
func (f *follower) looked(w *watching, late bool) {
	if w != nil {
		w.looked = true
	}
	n := 0
	for _, w := range f.watchers {
		if !w.looked && w.stop != nil {
			n++
		}
	}
	if f.ready || n > 0 && !late {
		return
	}
	f.ready = true
	f.late.Stop()
	if n > 0 {
		f.e.o.Log.Warn("watchers still look", "watchers", n)
	}
	if f.o.Ready != nil {
		f.o.Ready(n)
	}
}

// watch hands on what a watcher tells, and begins anew where it ended.
func (f *follower) watch(ctx context.Context, w agent.Watcher, by uint16) {
	for wait := firstRestart; ctx.Err() == nil; wait = min(2*wait, lastRestart) {
		began := time.Now()
		for ev, err := range w.Watch(ctx) {
			if err != nil {
				f.problem(ctx, err)
				continue
			}
			select {
			case f.events <- told{ev, by}:
			case <-ctx.Done():
				return
			}
		}
		select { // it may have ended before it said so
		case f.events <- told{agent.Event{Kind: agent.EventReady}, by}:
		case <-ctx.Done():
			return
		}
		if time.Since(began) > lastRestart {
			wait = firstRestart
		}
		again := time.NewTimer(wait)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
		}
	}
}

func (f *follower) problem(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	p, ok := errors.AsType[*agent.Problem](err)
	if !ok {
		p = &agent.Problem{Reason: "following ended, and is tried again", Count: 1, Err: err}
	}
	f.e.o.Log.WarnContext(ctx, "watcher", "reason", p.Reason, "count", p.Count, "code", recap.CodeOf(p.Err))
	if f.o.Problem != nil {
		f.o.Problem(p)
	}
}
