package quiet

import (
	"testing"
	"time"
)

// session drives one state by hand.
type session struct {
	t   *testing.T
	s   State
	now time.Time
}

func newSession(t *testing.T) *session { return &session{t: t, s: New(t0), now: t0} }

// want hands an event in and expects the phase and the actions.
func (d *session) want(ev Event, phase Phase, actions string) {
	d.t.Helper()
	s, got := Step(d.s, ev, d.now, window)
	d.s = s
	if s.Phase() != phase || kinds(got) != actions {
		d.t.Fatalf("%T%+v: %v %q, want %v %q", ev, ev, s.Phase(), kinds(got), phase, actions)
	}
}

func (d *session) after(t time.Duration) { d.now = d.now.Add(t) }

// over goes to the end of the window.
func (d *session) over(tail Tail, phase Phase, actions string) {
	d.t.Helper()
	due, ok := d.s.Due()
	if !ok {
		d.t.Fatal("no timer is armed")
	}
	d.now = due
	d.want(Tick{Timer: d.s.timer, Tail: tail}, phase, actions)
}

// generating is a session whose first run is on.
func generating(t *testing.T) *session {
	t.Helper()
	d := newSession(t)
	d.want(UserMessage{ID: "m1", Created: d.now}, Working, "")
	d.want(Busy{}, Working, "")
	d.after(10 * time.Second)
	d.want(Idle{}, Window, "arm")
	d.over(tailA, Generating, "start")
	return d
}

func TestE1_OldUserMessageSentAgain(t *testing.T) {
	m1 := UserMessage{ID: "m1", Created: t0}
	t.Run("while the window runs", func(t *testing.T) {
		d := newSession(t)
		d.want(m1, Working, "")
		d.want(Idle{}, Window, "arm")
		due, _ := d.s.Due()
		d.after(30 * time.Second)
		d.want(m1, Window, "")
		if now, _ := d.s.Due(); !now.Equal(due) {
			t.Errorf("the timer moved from %v to %v", due, now)
		}
	})
	t.Run("while the run is on", func(t *testing.T) {
		d := generating(t)
		d.want(m1, Generating, "")
		d.want(Settled{Run: d.s.run, Outcome: Stored}, Rest, "")
		d.want(m1, Rest, "")
	})
	t.Run("the agent's clock is ahead", func(t *testing.T) {
		d := newSession(t)
		ahead := UserMessage{ID: "m1", Created: t0.Add(time.Hour)}
		d.want(ahead, Working, "")
		d.want(Idle{}, Window, "arm")
		d.want(ahead, Window, "")
	})
	t.Run("never seen by us, at rest", func(t *testing.T) {
		d := generating(t)
		d.want(Settled{Run: d.s.run, Outcome: Stored}, Rest, "")
		d.want(UserMessage{ID: "m0", Created: t0.Add(-time.Hour)}, Rest, "")
	})
	t.Run("never seen by us, in the window: later, not lost", func(t *testing.T) {
		d := newSession(t)
		d.want(Busy{}, Working, "")
		d.want(Idle{}, Window, "arm")
		d.after(50 * time.Second)
		d.want(UserMessage{ID: "m0", Created: t0.Add(-time.Hour)}, Window, "cancel arm")
		d.over(tailA, Generating, "start")
	})
	t.Run("without an id, older", func(t *testing.T) {
		d := generating(t)
		d.want(UserMessage{Created: t0}, Generating, "")
		d.want(UserMessage{Created: d.now}, Working, "abort")
	})
	t.Run("an id made of the text, typed again", func(t *testing.T) {
		d := generating(t)
		d.want(UserMessage{ID: "m1", Created: d.now}, Working, "abort")
	})
}

func TestE2_E58_NewUserMessageAbortsTheRun(t *testing.T) {
	d := generating(t)
	d.want(UserMessage{ID: "m2", Created: d.now}, Working, "abort")
	if !d.s.Settling() {
		t.Error("the aborted run is forgotten")
	}
	d.want(Settled{Run: d.s.run, Outcome: Canceled}, Working, "")
}

func TestE3_OneWaitingRunWhileAnAbortedOneSettles(t *testing.T) {
	d := generating(t)
	old := d.s.run
	d.want(Busy{}, Working, "abort")
	d.want(Idle{}, Window, "arm")
	d.over(tailB, Waiting, "")
	d.want(Idle{}, Waiting, "")
	d.want(Settled{Run: old, Outcome: Canceled}, Generating, "start")
	d.want(Settled{Run: old, Outcome: Stored}, Generating, "") // E15: no longer ours
	d.want(Settled{Run: d.s.run, Outcome: Stored}, Rest, "")
}

func TestE4_ActivityDropsTheWaitingRun(t *testing.T) {
	for _, ev := range []Event{Busy{}, Background{}, UserMessage{ID: "m2", Created: t0.Add(time.Hour)}} {
		d := generating(t)
		old := d.s.run
		d.want(Busy{}, Working, "abort")
		d.want(Idle{}, Window, "arm")
		d.over(tailB, Waiting, "")
		d.want(ev, Working, "")
		d.want(Settled{Run: old, Outcome: Canceled}, Working, "")
	}
}

func TestE5_StopDuringTheRun(t *testing.T) {
	d := generating(t)
	d.want(Stop{}, Stopped, "abort")
	if _, armed := d.s.Due(); armed {
		t.Error("a timer is left")
	}
	d.want(Settled{Run: d.s.run, Outcome: Canceled}, Stopped, "")
	d.want(Busy{}, Stopped, "")
	d.want(Idle{}, Stopped, "")
	if d.s.Settling() {
		t.Error("the run is not over")
	}
}

func TestE6_SettingsOff(t *testing.T) {
	d := generating(t)
	d.want(SettingsOff{}, Off, "abort")
	d.want(Settled{Run: d.s.run, Outcome: Canceled}, Off, "")
	d.want(SettingsOn{}, Dormant, "")
	d.want(Idle{}, Dormant, "") // no backfill
	d.want(Busy{}, Working, "")
	d.want(SettingsOff{}, OffWorking, "")
	d.want(SettingsOn{}, Working, "")
	d.want(Idle{}, Window, "arm") // the work was seen
	d.want(SettingsOff{}, Off, "cancel")
}

func TestE7_E8_GoneDuringTheRun(t *testing.T) {
	d := generating(t)
	d.want(Gone{}, Dormant, "abort")
	d.want(Idle{}, Dormant, "")
	d.want(Settled{Run: d.s.run, Outcome: Discarded}, Dormant, "")
	d.after(time.Second)
	d.want(UserMessage{ID: "m2", Created: d.now}, Working, "") // brought back
}

func TestE9_E59_SecondQuietWindowOverTheSameTail(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome Outcome
		rest    Phase
	}{{"stored", Stored, Rest}, {"discarded", Discarded, Rest}, {"failed", Failed, Parked}} {
		t.Run(c.name, func(t *testing.T) {
			d := generating(t)
			d.want(Settled{Run: d.s.run, Outcome: c.outcome}, c.rest, "")
			// Sent again after a reconnect: nothing was seen to move.
			d.want(Idle{}, Window, "arm")
			d.over(Tail{}, c.rest, "")
			d.want(Idle{}, Window, "arm")
			d.over(tailA, c.rest, "")
			// A turn that left nothing.
			d.want(Busy{}, Working, "")
			d.want(Idle{}, Window, "arm")
			d.over(tailA, c.rest, "")
			// It moved while the stream was cut.
			d.want(Idle{}, Window, "arm")
			d.over(tailB, Generating, "start")
		})
	}
	t.Run("an aborted run had stored it", func(t *testing.T) {
		d := generating(t)
		old := d.s.run
		d.want(Busy{}, Working, "abort")
		d.want(Idle{}, Window, "arm")
		d.over(tailB, Waiting, "")
		d.want(Settled{Run: old, Outcome: Stored, Tail: tailB}, Rest, "")
	})
	t.Run("no tail was ever named", func(t *testing.T) {
		d := newSession(t)
		d.want(Busy{}, Working, "")
		d.want(Idle{}, Window, "arm")
		d.over(Tail{}, Generating, "start")
		d.want(Settled{Run: d.s.run, Outcome: Stored}, Rest, "")
		d.want(Idle{}, Window, "arm")
		d.over(tailA, Rest, "")
	})
}

func TestE11_QuietBeforeWeCame(t *testing.T) {
	d := newSession(t)
	for range 3 {
		d.after(time.Hour)
		d.want(Idle{}, Dormant, "")
		d.want(UserMessage{ID: "old", Created: t0.Add(-time.Minute)}, Dormant, "")
		d.want(SettingsOn{}, Dormant, "")
		d.want(Wake{}, Dormant, "")
	}
	d.want(Busy{}, Working, "")
}

func TestE12_E60_SessionsShareNothing(t *testing.T) {
	a, b := generating(t), generating(t)
	was := b.s
	a.want(Settled{Run: a.s.run, Outcome: Failed, RetryAfter: time.Hour}, Parked, "")
	a.want(Stop{}, Stopped, "")
	if b.s != was {
		t.Error("one session moved another")
	}
	b.want(Settled{Run: b.s.run, Outcome: Stored}, Rest, "")
}

func TestE15_LateReportsAreToldApart(t *testing.T) {
	d := newSession(t)
	d.want(Busy{}, Working, "")
	d.want(Idle{}, Window, "arm")
	first := d.s.timer
	d.after(59 * time.Second)
	d.want(Busy{}, Working, "cancel")
	d.want(Idle{}, Window, "arm")
	d.after(time.Second)
	d.want(Tick{Timer: first}, Window, "") // it had gone off already
	d.over(tailA, Generating, "start")
	d.want(Settled{Run: d.s.run - 1, Outcome: Stored}, Generating, "")
}

func TestE56_AFailedReadDiscards(t *testing.T) {
	d := generating(t)
	d.want(Settled{Run: d.s.run, Outcome: Discarded}, Rest, "")
	d.want(Idle{}, Window, "arm")
	d.over(Tail{}, Rest, "")
}

func TestH9_ClockAndSleep(t *testing.T) {
	start := func(t *testing.T) *session {
		d := newSession(t)
		d.want(Busy{}, Working, "")
		d.want(Idle{}, Window, "arm")
		return d
	}
	left := func(d *session) time.Duration {
		due, _ := d.s.Due()
		return due.Sub(d.now)
	}
	t.Run("asleep for a night, told by Wake", func(t *testing.T) {
		d := start(t)
		d.after(8 * time.Hour)
		timer := d.s.timer
		d.want(Wake{}, Window, "cancel arm")
		d.want(Tick{Timer: timer}, Window, "")
		if left(d) != window {
			t.Errorf("the window has %v left", left(d))
		}
	})
	t.Run("asleep for a night, told by the tick", func(t *testing.T) {
		d := start(t)
		d.after(8 * time.Hour)
		d.want(Tick{Timer: d.s.timer, Tail: tailA}, Window, "arm")
		if left(d) != window {
			t.Errorf("the window has %v left", left(d))
		}
		d.over(tailA, Generating, "start")
	})
	t.Run("a busy machine is no sleep", func(t *testing.T) {
		d := start(t)
		d.after(window + 25*time.Second)
		d.want(Tick{Timer: d.s.timer, Tail: tailA}, Generating, "start")
	})
	t.Run("set back an hour, told by the tick", func(t *testing.T) {
		d := start(t)
		d.after(window - time.Hour)
		d.want(Tick{Timer: d.s.timer, Tail: tailA}, Window, "arm")
		if left(d) != window {
			t.Errorf("the window has %v left", left(d))
		}
		d.over(tailA, Generating, "start")
	})
	t.Run("set back an hour, a new message", func(t *testing.T) {
		d := start(t)
		d.after(-time.Hour)
		d.want(UserMessage{ID: "m2", Created: d.now}, Working, "cancel")
	})
	t.Run("set back an hour, the provider's time", func(t *testing.T) {
		d := generating(t)
		d.want(Settled{Run: d.s.run, Outcome: Failed, RetryAfter: 2 * time.Hour}, Parked, "")
		d.after(-time.Hour)
		d.want(Busy{}, Working, "")
		d.want(Idle{}, Window, "arm")
		if left(d) != 2*time.Hour {
			t.Errorf("held back for %v", left(d))
		}
	})
}

func TestParkedTailAndTheProvidersTime(t *testing.T) {
	d := generating(t)
	d.want(Settled{Run: d.s.run, Outcome: Failed, RetryAfter: time.Hour}, Parked, "")
	until, held := d.s.HeldUntil()
	if !held || !until.Equal(d.now.Add(time.Hour)) {
		t.Fatalf("held until %v, %v", until, held)
	}
	d.want(Busy{}, Working, "")
	d.want(Idle{}, Window, "arm")
	if due, _ := d.s.Due(); !due.Equal(until) {
		t.Errorf("due at %v, the provider said %v", due, until)
	}
	d.over(tailB, Generating, "start")
	d.want(Settled{Run: d.s.run, Outcome: Stored}, Rest, "")
	if _, held := d.s.HeldUntil(); held {
		t.Error("still held after a success")
	}
	t.Run("told while the next window runs", func(t *testing.T) {
		d := generating(t)
		old := d.s.run
		d.want(Busy{}, Working, "abort")
		d.want(Idle{}, Window, "arm")
		d.want(Settled{Run: old, Outcome: Failed, RetryAfter: time.Hour}, Window, "")
		until := d.now.Add(time.Hour)
		d.over(tailB, Window, "arm")
		d.over(Tail{}, Generating, "start")
		if !d.now.Equal(until) {
			t.Errorf("started at %v, the provider said %v", d.now, until)
		}
	})
	t.Run("an absurd time", func(t *testing.T) {
		d := generating(t)
		d.want(Settled{Run: d.s.run, Outcome: Failed, RetryAfter: 1 << 62}, Parked, "")
		if until, _ := d.s.HeldUntil(); until.Sub(d.now) != MaxHold {
			t.Errorf("held for %v", until.Sub(d.now))
		}
	})
}

func TestRepeatedIdleDoesNotStarve(t *testing.T) {
	d := newSession(t)
	d.want(Busy{}, Working, "")
	began := d.now
	d.want(Idle{}, Window, "arm")
	for range 100 {
		d.after(10 * time.Second)
		if due, _ := d.s.Due(); !d.now.Before(due) {
			break
		}
		d.s, _ = Step(d.s, Idle{}, d.now, window)
	}
	d.over(tailA, Generating, "start")
	if took := d.now.Sub(began); took < window || took > maxWindows*window {
		t.Errorf("the run started after %v", took)
	}
}

func TestStatusAndBackgroundCountAsBusy(t *testing.T) {
	for _, ev := range []Event{Busy{}, Background{}} {
		d := newSession(t)
		d.want(ev, Working, "")
		d.want(Idle{}, Window, "arm")
		d.want(ev, Working, "cancel")
		d.want(Idle{}, Window, "arm")
		d.over(tailA, Generating, "start")
		d.want(ev, Working, "abort")
	}
}

func TestOddWindows(t *testing.T) {
	for _, w := range []time.Duration{-time.Hour, 0, time.Nanosecond, 1<<63 - 1} {
		s, _ := Step(New(t0), Busy{}, t0, w)
		s, actions := Step(s, Idle{}, t0, w)
		if len(actions) != 1 || actions[0].After < 0 || actions[0].After > max(w, 0) {
			t.Errorf("window %v: %+v", w, actions)
		}
		if err := sound(s); err != nil {
			t.Error(err)
		}
	}
}
