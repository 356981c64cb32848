package daemon

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/quiet"
)

// Pauses of the status file.
const (
	// statusPause is how long after something happened it is written.
	statusPause = 300 * time.Millisecond
	// firstLook is how long after that the counts are looked at again while a
	// window is open, a recap is made or a server is not there: how that ends is
	// told by nobody. Then it is twice as long each time.
	firstLook = time.Second
	// liveLook is the most while a window is open or a recap is made.
	liveLook = 5 * time.Second
	// lostLook is the most while a server is not there.
	lostLook = time.Minute
)

// Follower is the engine's part of the daemon.
type Follower interface {
	// Follow follows until ctx is over, then ends what runs and returns when
	// it has.
	Follow(ctx context.Context, o engine.FollowOptions) error
	// Rewatch has Follow hear these watchers from then on.
	Rewatch(watchers []agent.Watcher)
	// Following says how many sessions are known, and in which phase.
	Following() engine.FollowStatus
}

// Options of a daemon.
type Options struct {
	Follower Follower
	Watchers []agent.Watcher
	// Settings are asked before any read and again before any write.
	Settings func() engine.FollowSettings
	// Lock and Status are the paths of both files.
	Lock, Status string
	Build        Build
	// Store is the path of what is kept, AtStart hashes of the settings that
	// count at the start, by key: who looks at the daemon compares them with
	// its own.
	Store   string
	AtStart map[string]string
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// Log gets ids, counts and codes. Nil: no log.
	Log *slog.Logger
	// Recap is told of each recap that was made, Problem of what could not be
	// used: each problem once until the daemon ends. Both are called one after
	// the other, and may be nil.
	Recap   func(recap.Record)
	Problem func(*agent.Problem)
	// Servers says how the servers are; nil: there are none.
	Servers func() []Server
	// LogProblem says in words why the log can't be written, "" where it can;
	// nil: it is not known.
	LogProblem func() string
	// Count writes goroutines and live memory to the status file too.
	Count bool
}

// Daemon follows the sessions of this machine.
type Daemon struct {
	o      Options
	holds  *holds
	cancel context.CancelFunc
	dirty  chan struct{} // the counts may have changed
	ready  chan struct{} // every watcher has looked
	late   int           // how many had not when ready was closed
	done   chan struct{} // following is over
	stop   sync.Once
	wg     sync.WaitGroup

	stopped chan struct{} // Stop has done its work

	tell sync.Mutex // one caller of Recap and Problem at a time

	mu      sync.Mutex
	heard   map[agent.Watcher]agent.Watcher // the watchers as Follower hears them
	status  Status                          // but for what is counted when it is written
	problem string
	told    map[string]bool // problems that were told
	err     error

	writing sync.Mutex
	last    Status // as it was written last
	mute    bool   // that it could not be written was logged
}

// Start begins to follow. It returns when the lock is held, the status file is
// written and following began: what moves from then on is seen. Ready says when
// it is told of without delay. Another daemon of the same store is a
// *RunningError; a lock that can't be taken is a recap.Error.
func Start(ctx context.Context, o Options) (*Daemon, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	h := Holder{PID: os.Getpid(), StartedAt: o.Now().UTC().Truncate(time.Millisecond), Build: o.Build}
	l, err := take(o.Lock, o.Status, h)
	if err != nil {
		return nil, err
	}
	d := &Daemon{
		o: o, holds: l, dirty: make(chan struct{}, 1), done: make(chan struct{}), stopped: make(chan struct{}), told: map[string]bool{}, status: Status{Holder: h, Store: o.Store, AtStart: o.AtStart},
		ready: make(chan struct{}),
	}
	ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx)) // Stop ends it
	o.Log.InfoContext(ctx, "serve started", "pid", h.PID, "version", o.Build.Version, "watchers", len(o.Watchers), "auto", o.Settings().Auto)
	watchers := d.listening(o.Watchers)
	d.wg.Go(func() {
		defer close(d.done)
		err := o.Follower.Follow(ctx, engine.FollowOptions{
			Watchers: watchers, Changed: d.made, Problem: d.met, Settings: d.settings,
			Ready: func(late int) { d.late = late; close(d.ready) },
		})
		if err == nil && ctx.Err() == nil {
			err = &recap.Error{Code: recap.CodeInternal, Message: "following ended by itself"}
		}
		if ctx.Err() == nil {
			o.Log.ErrorContext(ctx, "following ended", "code", recap.CodeOf(err))
			d.mu.Lock()
			d.err = err
			d.mu.Unlock()
		}
	})
	if d.write(ctx, false) > 0 {
		d.touch()
	}
	d.wg.Go(func() { d.scribe(ctx) })
	return d, nil
}

// Stop ends what runs, waits for it and gives the lock up. What it returns is
// why following had ended before, nil where Stop ended it.
func (d *Daemon) Stop() error {
	d.stop.Do(func() { go d.end() })
	<-d.stopped
	return d.Err()
}

func (d *Daemon) end() {
	defer close(d.stopped)
	d.cancel()
	d.wg.Wait()
	ctx := context.Background()
	d.write(ctx, true)
	s := d.Status()
	d.o.Log.InfoContext(ctx, "serve stopped", "pid", s.PID, "recaps", s.Recaps, "by_model", s.ByModel)
	d.holds.release()
}

// settings are those of Options, none for a daemon that is no longer the one.
// They are asked before anything is read or written, and so where a window is
// over, a recap is begun, and each second while it is made: the counts change
// then.
func (d *Daemon) settings() engine.FollowSettings {
	if !d.alone() {
		return engine.FollowSettings{}
	}
	d.touch()
	return d.o.Settings()
}

// alone looks whether this daemon holds its locks still. One that does not ends
// following.
func (d *Daemon) alone() bool {
	err := d.holds.check()
	if err == nil {
		return true
	}
	select {
	case <-d.done: // it ended before
		return false
	default:
	}
	d.mu.Lock()
	first := d.err == nil
	if first {
		d.err = err
	}
	d.mu.Unlock()
	if first {
		d.o.Log.Error("the lock is lost", "code", recap.CodeOf(err))
		d.cancel()
	}
	return false
}

// Ready is closed when all that is watched has been looked at, or takes long.
func (d *Daemon) Ready() <-chan struct{} { return d.ready }

// Late is how many watchers had not looked yet when Ready was closed.
func (d *Daemon) Late() int {
	<-d.ready
	return d.late
}

// Rewatch hears these watchers from now on. Those that are heard already go on
// as they are.
func (d *Daemon) Rewatch(watchers []agent.Watcher) {
	d.o.Follower.Rewatch(d.listening(watchers))
	d.touch()
}

// listening gives the watchers as they are heard: each always the same.
func (d *Daemon) listening(watchers []agent.Watcher) []agent.Watcher {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.heard
	d.heard = map[agent.Watcher]agent.Watcher{}
	out := make([]agent.Watcher, len(watchers))
	for i, w := range watchers {
		l := was[w]
		if l == nil {
			l = listen(w, d.touch)
		}
		out[i], d.heard[w] = l, l
	}
	return out
}

// Done is closed when following is over.
func (d *Daemon) Done() <-chan struct{} { return d.done }

// Err says why following ended by itself.
func (d *Daemon) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Status is what the daemon says of itself now.
func (d *Daemon) Status() Status {
	var now engine.FollowStatus
	select {
	case <-d.done:
	default:
		now = d.o.Follower.Following()
	}
	var servers []Server
	if d.o.Servers != nil {
		servers = d.o.Servers()
	}
	auto := d.o.Settings().Auto
	d.mu.Lock()
	s := d.status
	s.Problem = d.problem
	d.mu.Unlock()
	s.Auto, s.Known, s.Runs, s.Parked = auto, now.Known, now.Runs+now.Queued, now.Phases[quiet.Parked]
	s.Capped, s.Cap = now.Capped, now.Cap
	s.Phases = map[string]int{}
	for p, n := range now.Phases {
		if n > 0 {
			s.Phases[p.String()] = n
		}
	}
	if s.Servers = servers; servers == nil {
		s.Servers = []Server{}
	}
	if d.o.LogProblem != nil {
		s.LogProblem = d.o.LogProblem()
	}
	if d.o.Count {
		s.Goroutines, s.Heap = runtime.NumGoroutine(), liveHeap()
	}
	return s
}

// liveHeap is what the last collection left.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// Tell writes the status file now, also where nothing changed. Where memory is
// counted, it is collected first.
func (d *Daemon) Tell(ctx context.Context) {
	if d.o.Count {
		runtime.GC()
	}
	d.writing.Lock()
	d.last = Status{}
	d.writing.Unlock()
	d.write(ctx, false)
}

// Reloaded notes that the settings were read anew.
func (d *Daemon) Reloaded() { d.touch() }

// Unkept notes that something could not be stored; with nil, that it could
// again.
func (d *Daemon) Unkept(err error) {
	why := ""
	if err != nil {
		why = string(recap.CodeOf(err))
		if e, ok := errors.AsType[*recap.Error](err); ok {
			why = recap.Line(e.Message) // our own words
		}
	}
	d.mu.Lock()
	changed := d.problem != why
	d.problem = why
	d.mu.Unlock()
	if changed {
		if err != nil {
			d.o.Log.Warn("nothing is kept", "code", recap.CodeOf(err), "problem", why)
		}
		d.touch()
	}
}

// made counts a recap that was stored.
func (d *Daemon) made(r recap.Record) {
	d.tell.Lock()
	defer d.tell.Unlock()
	at := d.o.Now().UTC().Truncate(time.Millisecond)
	d.mu.Lock()
	d.status.Recaps++
	if r.Source == recap.FromModel {
		d.status.ByModel++
	}
	d.status.LastAt = &at
	d.problem = ""
	d.mu.Unlock()
	d.touch()
	if d.o.Recap != nil {
		d.o.Recap(r)
	}
}

// maxTold is how many different problems are remembered as told.
const maxTold = 1000

// met passes on what a watcher could not use, once each.
func (d *Daemon) met(p *agent.Problem) {
	d.touch()
	d.tell.Lock()
	defer d.tell.Unlock()
	key := p.Path + "\x00" + p.Reason
	if d.told[key] || len(d.told) >= maxTold {
		return
	}
	d.told[key] = true
	if d.o.Problem != nil {
		d.o.Problem(p)
	}
}

// touch notes that the counts may have changed.
func (d *Daemon) touch() {
	select {
	case d.dirty <- struct{}{}:
	default:
	}
}

// scribe keeps the status file up to date. It sleeps while nothing happens.
func (d *Daemon) scribe(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	look := firstLook
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.done:
			return
		case <-d.dirty:
			look = firstLook
			// What was heard is not counted yet, and seldom comes alone.
			timer.Reset(statusPause)
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
		case <-timer.C:
			look = min(2*look, lostLook)
		}
		if again := d.write(ctx, false); again > 0 {
			timer.Reset(min(again, look))
		}
	}
}

// write writes the status file where it would say something new, and tells
// when it is to be looked at again at the latest, 0 for when something happens.
func (d *Daemon) write(ctx context.Context, stopped bool) (again time.Duration) {
	d.writing.Lock()
	defer d.writing.Unlock()
	if !d.alone() {
		return 0 // the file is another's now
	}
	s := d.Status()
	s.Stopped = stopped
	switch {
	case s.Runs+s.Phases[quiet.Window.String()]+s.Phases[quiet.Generating.String()]+s.Phases[quiet.Waiting.String()] > 0:
		again = liveLook
	case slices.ContainsFunc(s.Servers, func(x Server) bool { return x.Connecting }):
		again = statusPause
	case slices.ContainsFunc(s.Servers, func(x Server) bool { return !x.Connected }):
		again = lostLook
	}
	if s.same(d.last) {
		return again
	}
	s.WrittenAt = d.o.Now().UTC().Truncate(time.Millisecond)
	if err := s.write(d.o.Status); err != nil {
		if !d.mute {
			d.o.Log.WarnContext(ctx, "status file not written", "code", recap.CodeStore, "error", err.Error())
		}
		d.mute = true
		return again
	}
	d.last, d.mute = s, false
	return again
}
