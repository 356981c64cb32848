package quiet

import (
	"encoding/binary"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// world is a careless caller with a faithful memory: it carries out actions,
// and knows by simple means which are right.
type world struct {
	s     State
	wall  time.Time
	awake time.Duration // true time, sleep left out
	slept time.Duration // true time of sleep

	// What was asked for.
	timer    uint32 // armed
	timerDue time.Duration
	oldTimer uint32 // canceled or fired
	run      uint32 // not settled
	aborted  bool
	oldRun   uint32
	runTail  Tail
	lastID   uint32

	// What is true.
	content  byte // the tail
	messages int

	// The reference: what a person would say of the session.
	on, stopped bool
	touched     bool // activity was seen since we may look
	idle        bool
	moved       bool // activity that no run has answered
	pending     bool // a window runs
	waiting     bool
	waitTail    Tail
	gaveUp      bool // a run ended early by itself
	answered    Tail
	opened      time.Duration // when the window began
	openedWall  time.Time
	heldTrue    time.Duration // by true time, sleep counted
	heldWall    time.Time

	log func(format string, args ...any) // nil: no log
	buf []Action
	err error
	n   *counts
}

// counts shows that the interleavings reach what they are about.
type counts struct {
	steps, starts, waits, waitStarts, waitDrops, aborts, stored, parked, same, held, stale, slept, stops int
}

func newWorld(n *counts) *world {
	return &world{s: New(t0), wall: t0, on: true, n: n, heldWall: t0.Add(-time.Hour), content: 1}
}

func (w *world) failf(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// do hands an event in and checks what comes back. start says whether this step
// has to start a run.
func (w *world) do(ev Event, start bool) {
	w.n.steps++
	before := w.s
	s, actions := AppendStep(w.buf[:0], w.s, ev, w.wall, window)
	w.s, w.buf = s, actions
	if w.log != nil {
		w.log("%v %T%+v: %v -> %v [%s]", w.wall.Format(time.TimeOnly), ev, ev, name(before), name(s), kinds(actions))
	}
	started := false
	for _, a := range actions {
		switch a.Kind {
		case ArmTimer:
			if w.timer != 0 {
				w.failf("a second timer")
			}
			w.fresh(a.ID)
			w.timer, w.timerDue = a.ID, w.awake+a.After
			if a.After < 0 || !a.At.Equal(w.wall.Add(a.After)) {
				w.failf("timer at %v, after %v", a.At, a.After)
			}
		case CancelTimer:
			if a.ID != w.timer || w.timer == 0 {
				w.failf("cancels timer %d, armed is %d", a.ID, w.timer)
			}
			w.timer, w.oldTimer = 0, a.ID
		case StartGeneration:
			if w.run != 0 {
				w.failf("a second run")
			}
			w.fresh(a.ID)
			started = true
			w.run, w.aborted = a.ID, false
			w.n.starts++
		case AbortGeneration:
			if a.ID != w.run || w.aborted {
				w.failf("aborts run %d, running is %d", a.ID, w.run)
			}
			w.aborted = true
			w.n.aborts++
		default:
			w.failf("action %+v", a)
		}
	}
	w.check(started, start)
}

func (w *world) fresh(id uint32) {
	if id <= w.lastID {
		w.failf("id %d after %d", id, w.lastID)
	}
	w.lastID = id
}

// check compares what is asked for with what is right.
func (w *world) check(started, start bool) {
	if err := sound(w.s); err != nil {
		w.failf("%v", err)
	}
	if started != start {
		w.failf("started %v, want %v", started, start)
	}
	if started && w.awake-w.opened < window && w.wall.Sub(w.openedWall) < window {
		w.failf("started after %v without activity", w.awake-w.opened)
	}
	if started && w.awake+w.slept < w.heldTrue && w.wall.Before(w.heldWall) {
		w.failf("started before the provider allows")
	}
	if started && (!w.on || w.stopped || !w.touched || !w.idle) {
		w.failf("started: on %v, stopped %v, touched %v, idle %v", w.on, w.stopped, w.touched, w.idle)
	}
	if w.pending != (w.timer != 0) {
		w.failf("timer %d, a window runs: %v", w.timer, w.pending)
	}
	if w.waiting != (w.s.Phase() == Waiting) {
		w.failf("%v, a run waits: %v", w.s.Phase(), w.waiting)
	}
	if runs := w.run != 0 && !w.aborted; runs != (w.s.Phase() == Generating) {
		w.failf("%v, a run is on: %v", w.s.Phase(), runs)
	}
	if (!w.on || w.stopped || !w.idle) && (w.timer != 0 || w.waiting || w.run != 0 && !w.aborted) {
		w.failf("on %v, stopped %v, idle %v: timer %d, run %d aborted %v", w.on, w.stopped, w.idle, w.timer, w.run, w.aborted)
	}
}

func (w *world) tail() Tail { return Tail{w.content, 1} }

// wants says whether a tail is owed a run.
func (w *world) wants(t Tail) bool {
	known := t != Tail{} && w.answered != Tail{}
	return known && t != w.answered || !known && w.moved
}

// held reports whether the provider wants to be left alone. After a change of
// the clock it is the time of the state that counts.
func (w *world) held() bool {
	return min(w.s.notBefore, w.wall.UnixMicro()+w.s.hold) > w.wall.UnixMicro()
}

func (w *world) open() {
	w.pending, w.opened, w.openedWall = true, w.awake, w.wall
}

// active is the reference of all that counts as activity.
func (w *world) active() {
	w.idle = false
	if w.stopped {
		return
	}
	w.touched, w.moved, w.pending, w.gaveUp = true, w.on, false, false
	if w.waiting {
		w.n.waitDrops++
	}
	w.waiting = false
}

func (w *world) end() {
	w.pending, w.waiting, w.moved, w.gaveUp = false, false, false, false
}

func (w *world) busy(ev Event) {
	w.active()
	w.do(ev, false)
}

func (w *world) goIdle() {
	w.idle = true
	switch {
	case w.stopped, !w.touched:
	case !w.on:
		w.touched = false // went quiet while off
	case w.run != 0 && !w.aborted, w.waiting:
	case w.pending: // repeated: the window is put off, but not for ever
		if w.wall.Before(w.openedWall) {
			w.openedWall, w.opened = w.wall, w.awake
		}
	default:
		w.open()
	}
	w.do(Idle{}, false)
}

// tick hands in a tick of the armed timer, true or forged.
func (w *world) tick(tail Tail) {
	if w.timer == 0 {
		w.do(Tick{Timer: w.oldTimer, Tail: tail}, false)
		w.n.stale++
		return
	}
	id := w.timer
	w.timer, w.oldTimer = 0, id
	due, _ := w.s.Due()
	late := w.wall.Sub(due)
	start := false
	switch {
	case late < 0:
		if w.wall.Before(w.openedWall) {
			w.openedWall, w.opened = w.wall, w.awake
		}
	case late > window:
		w.open()
		w.n.slept++
	default:
		w.pending = false
		switch wants := w.wants(tail); {
		case !wants:
			w.moved = false
			w.n.same++
		case w.held():
			w.pending, w.moved = true, true
			w.n.held++
		case w.run != 0:
			w.waiting, w.waitTail, w.moved = true, tail, true
			w.n.waits++
		default:
			start, w.runTail, w.moved = true, tail, true
		}
	}
	w.do(Tick{Timer: id, Tail: tail}, start)
}

func (w *world) settle(o Outcome, tail Tail, retry time.Duration) {
	if w.run == 0 {
		w.do(Settled{Run: w.oldRun, Outcome: o, Tail: tail, RetryAfter: retry}, false)
		w.n.stale++
		return
	}
	id, aborted, start := w.run, w.aborted, false
	w.run, w.aborted, w.oldRun = 0, false, id
	if o == Failed && retry > 0 {
		w.heldTrue, w.heldWall = w.awake+w.slept+min(retry, MaxHold), w.wall.Add(min(retry, MaxHold))
	}
	if o == Stored {
		w.heldTrue, w.heldWall = w.awake+w.slept, w.wall
	}
	switch {
	case !aborted && o == Canceled:
		w.gaveUp = true
	case !aborted:
		w.answered, w.moved = w.runTail, false
		if tail != (Tail{}) {
			w.answered = tail
		}
		switch o {
		case Stored:
			w.n.stored++
		case Failed:
			w.n.parked++
		case Discarded, Canceled:
		}
	default:
		if o == Stored && tail != (Tail{}) {
			w.answered = tail
		}
		if w.waiting {
			w.waiting = false
			held := o != Stored && w.held() || o == Failed && retry > 0
			switch {
			case !w.wants(w.waitTail):
				w.moved = false
			case held:
				w.pending = true
			default:
				start, w.runTail = true, w.waitTail
				w.n.waitStarts++
			}
		}
	}
	w.do(Settled{Run: id, Outcome: o, Tail: tail, RetryAfter: retry}, start)
}

// message hands in a message that is new, or late: unseen and old.
func (w *world) message(late, bare bool) {
	w.messages++
	m := UserMessage{ID: fmt.Sprint("m", w.messages), Created: w.wall}
	if late {
		m.Created = t0.AddDate(0, -1, w.messages%20)
	}
	if bare {
		m.ID = ""
	}
	switch {
	case !late:
		w.content++
		w.active()
	case bare, w.stopped, !w.on, !w.idle:
	case w.pending, w.waiting, w.run != 0 && !w.aborted:
		w.waiting, w.moved = false, true
		w.open()
	}
	w.do(m, false)
	if m.ID != "" { // sent again at once or later, it changes nothing
		was := w.s
		w.do(m, false)
		if w.s != was {
			w.failf("a message sent again changed %+v to %+v", was, w.s)
		}
	}
}

func (w *world) wake() {
	if w.pending {
		w.open()
	}
	w.do(Wake{}, false)
}

// pass lets time go by.
func (w *world) pass(d time.Duration) {
	w.awake += d
	w.wall = w.wall.Add(d)
}

// fire waits for the timer and hands in its tick.
func (w *world) fire(tail Tail) {
	if w.timer != 0 && w.timerDue > w.awake {
		w.pass(w.timerDue - w.awake)
	}
	w.tick(tail)
}

// ops are the steps: each once, then what makes up the life of a session more
// often.
var ops = slices.Concat(
	[]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
	[]byte{0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4},
	[]byte{5, 5, 6, 6, 6, 7, 7, 9, 9, 9, 11, 12, 12, 12, 13, 14, 15, 21},
)

// op carries out one step of an interleaving.
func (w *world) op(code, arg byte) {
	outcome := Outcome(arg % 4)
	switch ops[int(code)%len(ops)] {
	case 0:
		w.busy(Busy{})
	case 1:
		w.goIdle()
	case 2:
		w.fire(w.tail())
	case 3:
		w.settle(Stored, Tail{}, 0)
	case 4: // a turn
		w.content++
		w.busy(Busy{})
		w.goIdle()
	case 5:
		w.settle(outcome, Tail{}, 0)
	case 6:
		w.fire(Tail{})
	case 7:
		w.message(false, arg%4 == 0)
	case 8:
		w.pass(time.Duration(arg) * time.Second / 2)
	case 9:
		w.settle(Canceled, Tail{}, 0)
	case 10:
		w.busy(Background{})
	case 11: // the caller is early
		w.tick(w.tail())
	case 12:
		w.settle(Failed, Tail{}, time.Duration(arg)*10*time.Minute)
	case 13: // it had stored what is there now
		w.settle(Stored, w.tail(), 0)
	case 14:
		w.message(true, arg%4 == 0)
	case 15: // content that no event told of
		w.content++
	case 16:
		w.do(Tick{Timer: w.lastID + 1 + uint32(arg), Tail: w.tail()}, false)
		w.do(Settled{Run: w.lastID + 1 + uint32(arg), Outcome: outcome}, false)
	case 17:
		w.wall = w.wall.Add(8 * time.Hour) // asleep
		w.slept += 8 * time.Hour
		if arg%2 == 0 {
			w.wake()
		}
	case 18:
		w.wall = w.wall.Add(-time.Hour) // the clock is set back
		if arg%2 == 0 {
			w.wake()
		}
	case 19:
		w.wake()
	case 20:
		if !w.stopped && w.on {
			w.end()
			w.on = false
			w.touched = !w.idle && w.touched
		}
		w.do(SettingsOff{}, false)
	case 21:
		if !w.stopped && !w.on {
			w.on, w.moved = true, w.touched
		}
		w.do(SettingsOn{}, false)
	case 22:
		if !w.stopped {
			w.end()
			w.touched = false
		}
		w.do(Gone{}, false)
	case 23:
		if arg%4 == 0 {
			w.end()
			w.stopped = true
			w.do(Stop{}, false)
			w.n.stops++
		}
	}
}

// drain lets everything come to its end: what is owed is made, and then there
// is rest.
func (w *world) drain() {
	owed := w.on && !w.stopped && w.touched && w.idle && w.moved && !w.gaveUp
	for range 8 {
		switch {
		case w.err != nil:
			return
		case w.run != 0 && w.aborted:
			w.settle(Canceled, Tail{}, 0)
		case w.run != 0:
			w.settle(Stored, w.tail(), 0)
		case w.timer != 0:
			w.fire(w.tail())
		}
	}
	switch {
	case w.timer != 0 || w.run != 0 || w.waiting:
		w.failf("no rest: timer %d, run %d", w.timer, w.run)
	case owed && w.answered != w.tail():
		w.failf("a run was lost")
	}
}

// play runs an interleaving, two bytes a step, and tells what was wrong.
func play(program []byte, n *counts, log func(string, ...any)) error {
	w := newWorld(n)
	w.log = log
	for i := 0; i+1 < len(program) && w.err == nil; i += 2 {
		w.op(program[i], program[i+1])
	}
	w.drain()
	return w.err
}

// spread makes a program of numbers: rapid likes small ones, and every step
// has to be as likely as another.
func spread(seeds []uint64) []byte {
	var program []byte
	state := uint64(0)
	for _, x := range seeds {
		state += x + 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		program = binary.LittleEndian.AppendUint64(program, z^z>>31)
	}
	return program
}

// shrink leaves out every step without which a program still fails.
func shrink(program []byte) []byte {
	for i := 0; i+1 < len(program); {
		less := slices.Delete(slices.Clone(program), i, i+2)
		if play(less, &counts{}, nil) == nil {
			i += 2
			continue
		}
		program, i = less, 0
	}
	return program
}

func TestInterleavings(t *testing.T) {
	const want = 100_000
	checks := flag.Lookup("rapid.checks")
	old := checks.Value.String()
	if err := checks.Value.Set(strconv.Itoa(want)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = checks.Value.Set(old) }()
	var n counts
	played := 0
	seeds := rapid.SliceOfN(rapid.Uint64(), 8, 12)
	rapid.Check(t, func(t *rapid.T) {
		played++
		program := spread(seeds.Draw(t, "seeds"))
		if play(program, &n, nil) != nil {
			program = shrink(program)
			t.Logf("%#v", program)
			t.Fatal(play(program, &counts{}, t.Logf))
		}
	})
	t.Logf("%d interleavings, %+v", played, n)
	if played < want {
		t.Errorf("%d interleavings, want %d", played, want)
	}
	for _, c := range []int{n.starts, n.waits, n.waitStarts, n.waitDrops, n.aborts, n.stored, n.parked, n.same, n.held, n.stale, n.slept, n.stops} {
		if c < 500 {
			t.Errorf("too few of a kind to mean anything: %+v", n)
			break
		}
	}
}

func FuzzStep(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 2, 0, 3, 0})                                           // a turn and its recap
	f.Add([]byte{4, 0, 2, 0, 0, 0, 1, 0, 2, 0, 9, 0})                               // a waiting run
	f.Add([]byte{4, 0, 2, 0, 4, 0, 2, 0, 12, 9, 2, 0})                              // held back while it waits
	f.Add([]byte{4, 0, 17, 1, 2, 0, 18, 1, 2, 0, 2, 0})                             // asleep, the clock set back
	f.Add([]byte{4, 0, 20, 0, 21, 0, 1, 0, 2, 0, 4, 0, 22, 0, 23, 0, 1, 0, 2, 0})   // settings, gone, stop
	f.Add([]byte{4, 0, 2, 0, 14, 1, 7, 1, 1, 0, 1, 0, 1, 0, 8, 99, 1, 0, 11, 0, 2}) // messages, repeated idle
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 4096 {
			return
		}
		if play(program, &counts{}, nil) != nil {
			t.Fatal(play(program, &counts{}, t.Logf))
		}
	})
}
