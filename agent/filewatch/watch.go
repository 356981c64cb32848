package filewatch

import (
	"context"
	"errors"
	"iter"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Times of a watch.
const (
	gather    = 300 * time.Millisecond // changes that follow each other are one
	gatherMax = time.Second            // but no longer than this
	pollSoon  = 3 * time.Second        // between looks while a session is at work and moves
	pollLate  = 30 * time.Second       // between looks while it is at work and does not
	pollBlind = 10 * time.Second       // between looks where changes are not told of
	openFor   = 10 * time.Minute       // how long a turn that nobody is known to work on is looked at
	confirm   = time.Second            // before a session that is missing is gone
	retrySoon = time.Second            // after a listing that failed
	retryLate = time.Minute
	share     = 20 // looks take at most one part of this many of the time
	restMax   = time.Minute
)

// maxProblems is how many problems are remembered as told.
const maxProblems = 4096

// Config says what to watch.
type Config struct {
	// Roots are the folders in which changes are looked for.
	Roots []Root
	// List lists all sessions that are to be told of, reading nothing of files
	// that did not change. An error that is a *agent.Problem concerns one file;
	// any other ends the listing, which is tried again.
	List func(ctx context.Context) iter.Seq2[recap.Session, error]
	// Notifier makes what tells of changes. Nil asks the system.
	Notifier func() (Notifier, error)
}

// Watch tells what happens to the sessions that are listed, as agent.Watcher
// promises it, until ctx is over. The first listing is what was before; it says
// Ready, also where it failed.
func Watch(ctx context.Context, cfg Config) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		w := &watch{cfg: cfg, yield: yield, told: map[string]bool{}, timer: time.NewTimer}
		w.run(ctx)
	}
}

type watch struct {
	cfg   Config
	yield func(agent.Event, error) bool
	track *Tracker
	told  map[string]bool // problems
	timer func(time.Duration) *time.Timer

	cover *cover
	blind bool // changes are not told of, or not all

	looked   time.Time     // the end of the newest look
	cost     time.Duration // of it, and of the one before
	costWas  time.Duration
	failed   time.Duration // the pause after a listing that failed, 0 where it did not
	movedAt  time.Time     // when anything was seen to move
	firstHit time.Time     // the first change since the newest look
	lastHit  time.Time     // the newest
	stopped  bool          // the reader wants no more
}

func (w *watch) run(ctx context.Context) {
	w.track = NewTracker(time.Now())
	w.movedAt = time.Now()
	changes, end := w.begin()
	defer end()
	if !w.stopped {
		w.look(ctx)
	}
	if ctx.Err() == nil {
		w.tell(agent.Event{Kind: agent.EventReady}, nil)
	}
	for !w.stopped && ctx.Err() == nil {
		var fire <-chan time.Time
		stop := func() bool { return false }
		if at, ok := w.next(); ok {
			t := w.timer(max(0, time.Until(at)))
			fire, stop = t.C, t.Stop
		}
		select {
		case <-ctx.Done():
		case <-fire:
			w.look(ctx)
		case x, ok := <-changes:
			if !ok {
				changes = nil
				w.blinded(errors.New("the system ended it"))
				break
			}
			w.change(x)
		}
		stop()
	}
}

// begin starts to watch the folders.
func (w *watch) begin() (changes <-chan Change, end func()) {
	notifier := w.cfg.Notifier
	if notifier == nil {
		notifier = newSystem
	}
	n, err := notifier()
	if err != nil {
		w.blinded(err)
		return nil, func() {}
	}
	w.cover = newCover(n, w.cfg.Roots)
	if err := w.cover.all(); err != nil {
		w.blinded(err)
	}
	return n.Changes(), func() { n.Close() } //nolint:errcheck,gosec // nothing is lost
}

// blinded notes that changes are not told of, or not all: from now on it looks
// by itself, slowly.
func (w *watch) blinded(err error) {
	if !w.blind {
		w.blind = true
		w.problem(&agent.Problem{Path: w.cfg.path(), Reason: "changes are not told of here: looking every 10 seconds", Count: 1, Err: err})
	}
}

func (c Config) path() string {
	if len(c.Roots) == 0 {
		return ""
	}
	return c.Roots[0].Path
}

// change takes a change.
func (w *watch) change(x Change) {
	matters, err := w.cover.changed(x)
	if err != nil {
		w.blinded(err)
	}
	if !matters {
		return
	}
	w.lastHit = time.Now()
	if w.firstHit.IsZero() {
		w.firstHit = w.lastHit
	}
}

// next says when to look again; false where nothing asks for it.
func (w *watch) next() (at time.Time, ok bool) {
	sooner := func(t time.Time) {
		if !ok || t.Before(at) {
			at, ok = t, true
		}
	}
	if !w.firstHit.IsZero() {
		sooner(earlier(w.lastHit.Add(gather), w.firstHit.Add(gatherMax)))
	}
	if w.track.Missing() > 0 {
		sooner(w.looked.Add(confirm))
	}
	calm := w.looked.Sub(w.movedAt)
	if w.track.Working() > 0 || w.track.Open() > 0 && calm < openFor {
		sooner(w.looked.Add(min(max(calm/10, pollSoon), pollLate)))
	}
	if w.blind {
		sooner(w.looked.Add(pollBlind))
	}
	if w.failed > 0 {
		sooner(w.looked.Add(w.failed))
		at = w.looked.Add(w.failed) // not before
	}
	// One look that took long is a machine that was busy or asleep.
	if rest := w.looked.Add(min(share*min(w.cost, w.costWas), restMax)); ok && at.Before(rest) {
		at = rest
	}
	return at, ok
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// look lists once and tells what moved.
func (w *watch) look(ctx context.Context) {
	begun, moved := time.Now(), w.track.Moved()
	w.firstHit = time.Time{}
	var events []agent.Event
	var failure error
	for s, err := range w.cfg.List(ctx) {
		if p, ok := errors.AsType[*agent.Problem](err); ok {
			w.problem(p)
		} else if err != nil {
			failure = err
			break
		} else {
			events = append(events, w.track.See(s)...)
		}
		if w.stopped {
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	events = append(events, w.track.End(failure == nil)...)
	w.looked = time.Now()
	w.cost, w.costWas = w.looked.Sub(begun), w.cost
	if w.track.Moved() != moved {
		w.movedAt = w.looked
	}
	if failure != nil {
		w.failed = min(max(2*w.failed, retrySoon), retryLate)
		w.problem(&agent.Problem{Path: w.cfg.path(), Reason: "the sessions can't be listed", Count: 1, Err: failure})
	} else {
		w.failed = 0
		delete(w.told, w.cfg.path()+"\x00the sessions can't be listed")
	}
	for _, e := range events {
		if !w.tell(e, nil) {
			return
		}
	}
}

// problem tells of a problem once.
func (w *watch) problem(p *agent.Problem) {
	key := p.Path + "\x00" + p.Reason
	if w.told[key] || len(w.told) >= maxProblems {
		return
	}
	w.told[key] = true
	w.tell(agent.Event{}, p)
}

func (w *watch) tell(e agent.Event, err error) bool {
	if w.stopped {
		return false
	}
	w.stopped = !w.yield(e, err)
	return !w.stopped
}
