package engine

import (
	"container/heap"
	"time"
)

// timers are the sessions whose quiet window runs, by when it ends. One alarm
// serves them all.
type timers []*followed

// first gives when the first window ends, zero where none runs.
func (t timers) first() time.Time {
	if len(t) == 0 {
		return time.Time{}
	}
	return t[0].due
}

// put adds a session, or moves it to its new time.
func (t *timers) put(x *followed) {
	if x.place >= 0 {
		heap.Fix(t, int(x.place))
		return
	}
	heap.Push(t, x)
}

// take removes a session.
func (t *timers) take(x *followed) {
	if x.place >= 0 {
		heap.Remove(t, int(x.place))
	}
}

// pop removes the first session whose window is over, nil where none is.
func (t *timers) pop(now time.Time) *followed {
	if len(*t) == 0 || (*t)[0].due.After(now) {
		return nil
	}
	x, _ := heap.Pop(t).(*followed)
	return x
}

// Len implements heap.Interface.
func (t timers) Len() int { return len(t) }

// Less implements heap.Interface.
func (t timers) Less(i, j int) bool { return t[i].due.Before(t[j].due) }

// Swap implements heap.Interface.
func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].place, t[j].place = int32(i), int32(j) //nolint:gosec // fewer than two billion sessions
}

// Push implements heap.Interface.
func (t *timers) Push(v any) {
	x, _ := v.(*followed)
	x.place = int32(len(*t)) //nolint:gosec // fewer than two billion sessions
	*t = append(*t, x)
}

// Pop implements heap.Interface.
func (t *timers) Pop() any {
	old := *t
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*t = old[:len(old)-1]
	x.place = -1
	return x
}
