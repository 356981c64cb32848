package engine

import (
	"context"
	"iter"
	"math"
	"sync"
	"sync/atomic"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/quiet"
)

// FollowSettings are what the person allows.
type FollowSettings struct {
	// Recap and Suggestion say which fields are made. With neither nothing is
	// read, made or written.
	Recap, Suggestion bool
	// Auto allows model calls. Without it the free recap serves.
	Auto bool
	// Window is the stillness after which a recap is made.
	Window time.Duration
}

func (s FollowSettings) on() bool { return s.Recap || s.Suggestion }

// fields are those a model is asked for.
func (s FollowSettings) fields() []recap.Field {
	var out []recap.Field
	if s.Recap {
		out = append(out, recap.FieldRecap, recap.FieldAway)
	}
	if s.Suggestion {
		out = append(out, recap.FieldSuggestion)
	}
	return out
}

// FollowOptions are what following stands on.
type FollowOptions struct {
	// Watchers tell what happens. One that is also an [agent.Mirror] is given
	// the records of the sessions it told of. [Engine.Rewatch] names others.
	Watchers []agent.Watcher
	// Settings is asked before any reading and again before any writing, often
	// and from several goroutines: it has to be cheap. Between two askings
	// nothing is known: an off that is over before anybody asked has not been.
	// One that was seen, by whoever it was, counts for all sessions.
	Settings func() FollowSettings
	// Ready, if not nil, is told once that every watcher has looked: whatever
	// moves from then on is seen. late is how many have not yet after
	// [ReadyWithin]; one that ended counts as having looked.
	Ready func(late int)
	// Narrow, if not nil, gives what of the settings a project's own file
	// leaves to the sessions of a directory.
	Narrow func(project, directory string, s FollowSettings) FollowSettings
	// Changed, if not nil, is told of what following stored: of a model's record,
	// and of a free one where no model's comes, or none within half a minute. It
	// may be called from several goroutines.
	Changed func(recap.Record)
	// Problem, if not nil, is told what a watcher could not use. It may be
	// called from several goroutines.
	Problem func(*agent.Problem)
}

// FollowStatus says how many sessions are followed, and where they stand.
type FollowStatus struct {
	// Known sessions: those in which something happened since Follow began.
	Known  int
	Phases map[quiet.Phase]int
	// Runs are recaps being made, Queued those that wait for their turn.
	Runs, Queued int
	// Capped are sessions whose model waits for a cap to leave room, Cap says
	// which, in numbers, "" where none does.
	Capped int
	Cap    string
}

// Bounds of what is done at once. After a night many windows may end together.
const (
	maxReads = 2
	maxRuns  = 16
)

// recheck is how old the settings may be when an event is looked at.
const recheck = time.Second

// Follow makes a recap of each session that goes quiet, once for each tail:
// when a window of stillness is over the session is read, a free recap is
// stored, a model is asked where that is allowed, everything is read again,
// and what came of it is stored and mirrored. A session in which nothing
// happens since Follow began gets none.
//
// It returns when ctx is over and all that it began has ended; nothing is
// written then any more. One Follow may run at a time.
func (e *Engine) Follow(ctx context.Context, o FollowOptions) error {
	f := &follower{
		e: e, o: o, places: map[place]uint16{}, others: make(chan struct{}, 1), renewed: make(chan struct{}, 1),
		events: make(chan told, 256), done: make(chan result), status: make(chan chan FollowStatus), over: make(chan struct{}),
	}
	f.want = o.Watchers
	f.o.Settings = func() FollowSettings {
		s := o.Settings()
		if !s.on() {
			f.off.Store(true)
		}
		return s
	}
	if !e.follower.CompareAndSwap(nil, f) {
		return &recap.Error{Code: recap.CodeBusy, Message: "the sessions are followed already"}
	}
	defer e.follower.Store(nil)
	defer close(f.over)
	f.run(ctx)
	return nil
}

// Following says how many sessions are followed. It is zero while Follow does
// not run.
func (e *Engine) Following() FollowStatus {
	f := e.follower.Load()
	if f == nil {
		return FollowStatus{}
	}
	answer := make(chan FollowStatus, 1)
	select {
	case f.status <- answer:
		return <-answer
	case <-f.over:
		return FollowStatus{}
	}
}

// follower is one Follow. What is not a channel belongs to the goroutine of
// run.
type follower struct {
	e *Engine
	o FollowOptions

	events chan told
	done   chan result
	status chan chan FollowStatus
	over   chan struct{}
	off    atomic.Bool   // somebody saw that all is off
	others chan struct{} // want is another
	// renewed: the engine's settings are others, caps too.
	renewed chan struct{}

	mu   sync.Mutex
	want []agent.Watcher

	watchers []*watching // by number; one that is left out keeps its own
	running  sync.WaitGroup
	ready    bool // it was told
	late     *time.Timer
	caps     *time.Timer // looks whether the caps are lifted
	lifted   time.Time   // when they are, zero where none holds
	look     time.Time   // when that timer goes off, zero where it does not run
	held     []held      // what they hold, the first that was held first

	sessions []map[string]*followed // by place and id
	places   map[place]uint16
	begun    time.Time // what times are counted from
	timers   timers
	settings FollowSettings
	asked    time.Time // when the settings were last asked

	reads, runs     []job // that wait for their turn
	reading, making int   // that are under way
	actions         []quiet.Action
}

// told is an event and which watcher told it.
type told struct {
	agent.Event
	by uint16
}

// place is what the sessions of a home have in common.
type place struct {
	agent recap.Agent
	root  string
}

// followed is what is kept of a session. There are many: it is kept small.
type followed struct {
	id    string
	state quiet.State
	due   time.Duration // when the armed timer goes off
	work  *underway     // nil where there is none
	timer uint32        // armed, or gone off and being read for
	index int32         // in the heap of timers, -1: none
	place uint16
	by    uint16 // the watcher that told of it last
	// open: its directory is known, and is not excluded.
	open bool
	// capped: its model is owed, and waits for a cap to leave room.
	capped bool
	// said is what was said of its free recap since it moved.
	said saying
}

// saying is what was said of the free recap of a tail.
type saying uint8

const (
	unsaid    saying = iota
	overdue          // it is to be announced, whatever may still come
	announced        // it was
	shown            // and the agent's own metadata have it
)

// underway is what is being done for a session.
type underway struct {
	stop context.CancelFunc // of the reading
	// made is the run under way or waiting for its turn, 0 for none.
	made uint32
	end  context.CancelFunc
}

// doing gives what is being done, for writing.
func (x *followed) doing() *underway {
	if x.work == nil {
		x.work = &underway{}
	}
	return x.work
}

// made is the run under way or waiting for its turn, 0 for none.
func (x *followed) made() uint32 {
	if x.work == nil {
		return 0
	}
	return x.work.made
}

// maxPlaces is how many homes are told apart. There are few.
const maxPlaces = math.MaxUint16

// of gives what is kept of a session, nil where nothing is.
func (f *follower) of(ref recap.SessionRef) *followed {
	if n, ok := f.places[place{ref.Agent, ref.Root}]; ok {
		return f.sessions[n][ref.ID]
	}
	return nil
}

// add keeps a session from now on; nil where there is no room for its place.
func (f *follower) add(ref recap.SessionRef) *followed {
	p := place{ref.Agent, ref.Root}
	n, ok := f.places[p]
	if !ok {
		if len(f.sessions) > maxPlaces {
			return nil
		}
		n = uint16(len(f.sessions)) //nolint:gosec // looked at above
		f.places[p] = n
		f.sessions = append(f.sessions, map[string]*followed{})
	}
	x := &followed{id: ref.ID, place: n, state: quiet.New(f.e.o.Now()), index: -1}
	f.sessions[n][ref.ID] = x
	return x
}

// all gives what is kept of every session.
func (f *follower) all() iter.Seq[*followed] {
	return func(yield func(*followed) bool) {
		for _, ids := range f.sessions {
			for _, x := range ids {
				if !yield(x) {
					return
				}
			}
		}
	}
}

func (f *follower) ref(x *followed) recap.SessionRef {
	for p, n := range f.places {
		if n == x.place {
			return recap.SessionRef{Agent: p.agent, Root: p.root, ID: x.id}
		}
	}
	return recap.SessionRef{}
}

// job is a reading for a timer, or a run.
type job struct {
	x  *followed
	id uint32
}

// result is what came of a job.
type result struct {
	x    *followed
	id   uint32
	read bool // a reading, not a run
	tail quiet.Tail
	settled
}

func (f *follower) run(ctx context.Context) {
	defer f.running.Wait()
	f.begun = time.Now()
	f.settings, f.asked = f.o.Settings(), f.begun
	f.off.Store(false)
	f.late = time.NewTimer(ReadyWithin)
	defer f.late.Stop()
	f.caps = time.NewTimer(0)
	<-f.caps.C
	defer f.caps.Stop()
	f.rewatch(ctx)
	alarm := time.NewTimer(0)
	<-alarm.C
	defer alarm.Stop()
	const never = -1
	set := time.Duration(never) // when the alarm goes off
	for {
		if next, ok := f.timers.first(); !ok && set != never {
			set = never
			alarm.Stop()
		} else if ok && next != set {
			set = next
			alarm.Reset(next - time.Since(f.begun))
		}
		select {
		case ev := <-f.events:
			f.event(ctx, ev)
		case r := <-f.done:
			f.finish(ctx, r)
		case <-alarm.C:
			set = never
			f.fire(ctx)
		case <-f.others:
			f.rewatch(ctx)
		case <-f.caps.C:
			f.lift(ctx)
		case <-f.renewed:
			f.free(ctx, retryCapped)
		case <-f.late.C:
			f.looked(nil, true)
		case answer := <-f.status:
			answer <- f.count()
		case <-ctx.Done():
			f.stop()
			return
		}
	}
}

// event hands an event of a watcher to the state of its session.
func (f *follower) event(ctx context.Context, ev told) {
	w := f.watchers[ev.by]
	switch {
	case w.stop == nil:
		return // left out meanwhile
	case ev.Kind == agent.EventReady:
		f.looked(w, false)
		return
	}
	f.refresh(ctx, recheck)
	x := f.of(ev.Ref)
	if x == nil {
		if ev.Kind == agent.EventGone || ev.Kind == agent.EventIdle {
			return // at rest, and nothing is known that it rests from
		}
		if ev.Session != nil && f.e.isExcluded(*ev.Session) {
			return
		}
		if x = f.add(ev.Ref); x == nil {
			return
		}
		if !f.settings.on() {
			f.step(ctx, x, quiet.SettingsOff{})
		}
	}
	x.by = ev.by
	if ev.Kind != agent.EventIdle {
		x.capped, x.said = false, unsaid // what comes of it is another tail
	}
	if ev.Session != nil {
		x.open = ev.Session.Directory != "" && !f.e.isExcluded(*ev.Session)
	}
	switch ev.Kind {
	case agent.EventBusy:
		f.step(ctx, x, quiet.Busy{})
	case agent.EventBackground:
		f.step(ctx, x, quiet.Background{})
	case agent.EventIdle:
		if !x.capped {
			f.step(ctx, x, quiet.Idle{})
		}
	case agent.EventUserMessage:
		f.step(ctx, x, quiet.UserMessage{ID: ev.MessageID, Created: ev.Created})
	case agent.EventGone:
		f.step(ctx, x, quiet.Gone{})
		f.drop(x)
	case agent.EventReady: // above
	}
}

// refresh asks for the settings if they are older than that, while all is off,
// or if somebody saw that it was, and tells every session where they were
// switched off or on.
func (f *follower) refresh(ctx context.Context, older time.Duration) {
	now := time.Now()
	if now.Sub(f.asked) < older && f.settings.on() && !f.off.Load() {
		return
	}
	was := f.settings.on()
	f.asked, f.settings = now, f.o.Settings()
	is, off := f.settings.on(), f.off.Swap(false)
	if was && (off || !is) {
		f.each(ctx, quiet.SettingsOff{})
		was = false
	}
	if is && !was {
		f.each(ctx, quiet.SettingsOn{})
	}
}

func (f *follower) each(ctx context.Context, ev quiet.Event) {
	for x := range f.all() {
		f.step(ctx, x, ev)
	}
}

// step moves a session's state and does what it says.
func (f *follower) step(ctx context.Context, x *followed, ev quiet.Event) {
	f.stepIn(ctx, x, ev, f.settings.Window)
}

// stepIn is step with a window of its own.
func (f *follower) stepIn(ctx context.Context, x *followed, ev quiet.Event, window time.Duration) {
	x.state, f.actions = quiet.AppendStep(f.actions[:0], x.state, ev, f.e.o.Now(), window)
	for _, a := range f.actions {
		switch a.Kind {
		case quiet.ArmTimer:
			x.timer, x.due = a.ID, time.Since(f.begun)+a.After
			f.timers.put(x)
		case quiet.CancelTimer:
			f.timers.take(x)
			x.timer = 0
			if x.work != nil && x.work.stop != nil {
				x.work.stop()
			}
		case quiet.StartGeneration:
			x.doing().made = a.ID
			f.runs = append(f.runs, job{x, a.ID})
		case quiet.AbortGeneration:
			f.abort(x)
		}
	}
	f.begin(ctx)
}

// abort ends a run. One that waits for its turn is over at once.
func (f *follower) abort(x *followed) {
	w := x.doing()
	if w.end != nil {
		w.end()
		return
	}
	for i, j := range f.runs {
		if j.x == x {
			f.runs = append(f.runs[:i], f.runs[i+1:]...)
			break
		}
	}
	id := w.made
	w.made = 0
	// The state is in the middle of a step: what an aborted run gives then
	// starts nothing.
	x.state, _ = quiet.Step(x.state, quiet.Settled{Run: id, Outcome: quiet.Canceled}, f.e.o.Now(), f.settings.Window)
}

// fire reads the tails of the sessions whose window is over.
func (f *follower) fire(ctx context.Context) {
	f.refresh(ctx, 0)
	for now := time.Since(f.begun); ; {
		x := f.timers.pop(now)
		if x == nil {
			break
		}
		f.reads = append(f.reads, job{x, x.timer})
	}
	f.begin(ctx)
}

// begin starts what waits, as far as there is room.
func (f *follower) begin(ctx context.Context) {
	for f.reading < maxReads && len(f.reads) > 0 {
		j := f.reads[0]
		f.reads = f.reads[1:]
		if j.x.timer != j.id || ctx.Err() != nil {
			continue // canceled meanwhile
		}
		f.reading++
		work, stop := context.WithCancel(ctx)
		j.x.doing().stop = stop
		ref, open := f.ref(j.x), j.x.open
		go func() {
			r := result{x: j.x, id: j.id, read: true}
			if open {
				r.tail = f.tail(work, ref)
			}
			stop()
			f.done <- r
		}()
	}
	for f.making < maxRuns && len(f.runs) > 0 {
		j := f.runs[0]
		f.runs = f.runs[1:]
		f.making++
		work, end := context.WithCancel(ctx)
		j.x.doing().end = end
		ref, by, said := f.ref(j.x), f.watchers[j.x.by].w, j.x.said
		go func() {
			r := result{x: j.x, id: j.id}
			r.settled = f.make(work, ref, by, said)
			end()
			f.done <- r
		}()
	}
}

// finish hands what came of a job to the state of its session.
func (f *follower) finish(ctx context.Context, r result) {
	if f.off.Load() { // before what came of it: it may be why
		f.refresh(ctx, 0)
	}
	x := r.x
	if r.read {
		f.reading--
		if x.timer == r.id {
			x.timer = 0
			x.doing().stop = nil
			f.step(ctx, x, quiet.Tick{Timer: r.id, Tail: r.tail})
		}
	} else {
		f.making--
		w := x.doing()
		w.end, w.made = nil, 0
		f.step(ctx, x, quiet.Settled{Run: r.id, Outcome: r.outcome, RetryAfter: r.retryAfter})
		if p := x.state.Phase(); p == quiet.Rest || p == quiet.Parked { // else it moved on
			x.said = r.said
			if x.capped = r.over != nil && p == quiet.Rest; x.capped {
				f.hold(x, r.over, r.waits)
			}
		}
		f.settledCall(ctx)
		f.drop(x)
	}
	if w := x.work; w != nil && w.stop == nil && w.end == nil && w.made == 0 {
		x.work = nil
	}
	f.begin(ctx)
}

// drop forgets a session in which nothing is left to do and of which nothing
// has to be remembered.
func (f *follower) drop(x *followed) {
	if x.state.Phase() == quiet.Dormant && x.made() == 0 && x.timer == 0 && f.sessions[x.place][x.id] == x {
		delete(f.sessions[x.place], x.id)
	}
}

// stop ends everything and waits for it.
func (f *follower) stop() {
	for f.reading+f.making > 0 {
		select {
		case r := <-f.done:
			if r.read {
				f.reading--
			} else {
				f.making--
			}
		case answer := <-f.status:
			answer <- f.count()
		case <-f.events:
		}
	}
}

func (f *follower) count() FollowStatus {
	s := FollowStatus{Phases: map[quiet.Phase]int{}, Runs: f.making, Queued: len(f.runs)}
	for x := range f.all() {
		s.Known++
		s.Phases[x.state.Phase()]++
		if x.capped {
			s.Capped++
		}
	}
	if n := len(f.held); n > 0 && s.Capped > 0 {
		s.Cap = f.held[n-1].by.Error()
	}
	return s
}
