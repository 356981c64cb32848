package engine

import (
	"context"
	"slices"
	"time"

	"github.com/sessionrecap/recap/quiet"
	"github.com/sessionrecap/recap/store"
)

// capLook is how long a cap is taken to hold without a look at the clock: it
// is lifted at an hour of the day, and clocks are set and machines sleep.
const capLook = 10 * time.Minute

// Waits of sessions whose call a cap forbade.
const (
	// retryCapped is the stillness before one is tried again whose window was
	// over before.
	retryCapped = time.Second
	// usedWithin is how long the ledger may take to say what was used.
	usedWithin = time.Second
)

// held is a session whose call a cap forbade.
type held struct {
	x  *followed
	by *store.OverBudget
}

// hold notes a session and until when the cap holds it.
func (f *follower) hold(x *followed, by *store.OverBudget) {
	f.held = slices.DeleteFunc(f.held, func(h held) bool { return h.x == x || !h.x.capped })
	f.held = append(f.held, held{x, by})
	if f.lifted.IsZero() || by.Until.Before(f.lifted) {
		f.lifted = by.Until
		f.caps.Reset(min(by.Until.Sub(f.e.o.Now()), capLook))
	}
}

// lift goes on with the sessions whose call a cap forbade, once it is lifted.
func (f *follower) lift(ctx context.Context) {
	if left := f.lifted.Sub(f.e.o.Now()); left > 0 {
		f.caps.Reset(min(left, capLook))
		f.settledCall(ctx) // another process's may have
		return
	}
	f.lifted = time.Time{}
	f.free(ctx, f.settings.Window)
}

// free tries all sessions again that a cap holds.
func (f *follower) free(ctx context.Context, window time.Duration) {
	all := f.held
	f.held = nil
	f.refresh(ctx, 0)
	for _, h := range all {
		f.again(ctx, h.x, window)
	}
}

func (f *follower) again(ctx context.Context, x *followed, window time.Duration) {
	if x.capped {
		x.capped = false
		f.stepIn(ctx, x, quiet.Idle{}, window)
	}
}

// settledCall tries sessions again for which there is room now. What a cap is
// compared with holds the calls under way at the most they may take; most take
// far less. One is tried only where the day counts less than when it was
// refused, so nothing is tried twice for the same.
func (f *follower) settledCall(ctx context.Context) {
	if len(f.held) == 0 || ctx.Err() != nil {
		return
	}
	work, cancel := context.WithTimeout(ctx, usedWithin)
	defer cancel()
	used, err := f.e.o.Store.Used(work, store.Reservation{At: f.e.o.Now()})
	if err != nil {
		return
	}
	counted := map[string]float64{store.CapDayTokens: float64(used.DayTokens), store.CapDayUSD: used.DayUSD}
	more := map[string]float64{} // what those that are tried now will want
	var room []*followed
	f.held = slices.DeleteFunc(f.held, func(h held) bool {
		if !h.x.capped {
			return true // it went on
		}
		now, known := counted[h.by.Cap]
		if !known || now >= h.by.Used || now+more[h.by.Cap]+h.by.Wanted > h.by.Limit {
			return false
		}
		more[h.by.Cap] += h.by.Wanted
		room = append(room, h.x)
		return true
	})
	for _, x := range room {
		f.again(ctx, x, retryCapped)
	}
}
