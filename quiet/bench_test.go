package quiet

import (
	"testing"
	"time"
	"unsafe"
)

// maxState is what a state may weigh: a daemon keeps one for each session.
const maxState = 128

func TestStateIsSmall(t *testing.T) {
	size := unsafe.Sizeof(State{})
	t.Logf("%d bytes a state", size)
	if size > maxState {
		t.Errorf("a state is %d bytes, want at most %d", size, maxState)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	s := New(t0)
	buf := make([]Action, 0, 4)
	if n := testing.AllocsPerRun(100, func() { s, buf = life(s, t0, buf) }); n != 0 {
		t.Errorf("%v allocations in a turn and its recap", n)
	}
}

const lifeEvents = 8

// life is a turn and its recap.
func life(s State, now time.Time, buf []Action) (State, []Action) {
	step := func(ev Event) { s, buf = AppendStep(buf[:0], s, ev, now, window) }
	step(UserMessage{ID: "msg_01j8", Created: now})
	step(Busy{})
	step(Busy{})
	step(Background{})
	step(Idle{})
	step(Idle{})
	now = now.Add(window)
	step(Tick{Timer: s.timer, Tail: Tail{byte(s.seq), byte(s.seq >> 8), byte(s.seq >> 16), 1}})
	step(Settled{Run: s.run, Outcome: Stored})
	return s, buf
}

// BenchmarkStep: ten thousand sessions, each lives turn after turn. One
// operation is one event.
func BenchmarkStep(b *testing.B) {
	states := make([]State, 10_000)
	for i := range states {
		states[i] = New(t0)
	}
	buf := make([]Action, 0, 4)
	b.ReportAllocs()
	now, k := t0, 0
	for n := 0; n < b.N; n += lifeEvents {
		states[k], buf = life(states[k], now, buf)
		if k++; k == len(states) {
			k, now = 0, now.Add(time.Hour)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(unsafe.Sizeof(State{})), "B/state")
}
