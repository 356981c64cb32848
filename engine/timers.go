package engine

import (
	"container/heap"
	"time"
)

// timers are the sessions whose quiet window runs, by when it ends. One alarm
// serves them all.
type timers []*followed

// first gives when the first window ends; false where none runs.
func (t timers) first() (time.Duration, bool) {
	if len(t) == 0 {
		return 0, false
	}
	return t[0].due, true
}

// put adds a session, or moves it to its new time.
func (t *timers) put(x *followed) {
	if x.index >= 0 {
		heap.Fix(t, int(x.index))
		return
	}
	heap.Push(t, x)
}

// take removes a session.
func (t *timers) take(x *followed) {
	if x.index >= 0 {
		heap.Remove(t, int(x.index))
	}
}

// pop removes the first session whose window is over, nil where none is.
func (t *timers) pop(now time.Duration) *followed {
	if len(*t) == 0 || (*t)[0].due > now {
		return nil
	}
	x, _ := heap.Pop(t).(*followed)
	return x
}

// Len implements heap.Interface.
func (t timers) Len() int { return len(t) }

// Less implements heap.Interface.
func (t timers) Less(i, j int) bool { return t[i].due < t[j].due }

// Swap implements heap.Interface.
func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = int32(i), int32(j) //nolint:gosec // fewer than two billion sessions
}

// Push implements heap.Interface.
func (t *timers) Push(v any) {
	x, _ := v.(*followed)
	x.index = int32(len(*t)) //nolint:gosec // fewer than two billion sessions
	*t = append(*t, x)
}

// Pop implements heap.Interface.
func (t *timers) Pop() any {
	old := *t
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*t = old[:len(old)-1]
	x.index = -1
	return x
}
