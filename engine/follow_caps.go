package engine

import (
	"context"
	"slices"
	"time"

	"github.com/sessionrecap/recap/outbound"
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
	// openWithin is how old an entry of the ledger may be whose call is under way
	// still: an older one was left by a crash, and counts as it is.
	openWithin = outbound.BackgroundTimeout + time.Minute
)

// held is a session whose call a cap forbade.
type held struct {
	x     *followed
	by    *store.OverBudget
	since time.Time
	waits bool // only calls under way stand in the way
}

// fits reports whether the call has room beside that much.
func (h held) fits(used float64) bool { return used+h.by.Wanted <= h.by.Limit }

// hold notes a session and until when the cap holds it.
func (f *follower) hold(x *followed, by *store.OverBudget, waits bool) {
	f.held = slices.DeleteFunc(f.held, func(h held) bool { return h.x == x || !h.x.capped })
	f.held = append(f.held, held{x, by, time.Now(), waits})
	if f.lifted.IsZero() || by.Until.Before(f.lifted) {
		f.lifted = by.Until
	}
	f.lookAgain()
}

// lookAgain has the caps looked at in time.
func (f *follower) lookAgain() {
	if len(f.held) == 0 {
		return
	}
	wait := capLook
	if slices.ContainsFunc(f.held, func(h held) bool { return h.waits && h.x.said < overdue }) {
		wait = sayFree
	}
	at := time.Now().Add(min(f.lifted.Sub(f.e.o.Now()), wait))
	if f.look.IsZero() || at.Before(f.look) {
		f.look = at
		f.caps.Reset(time.Until(at))
	}
}

// lift goes on with the sessions whose call a cap forbade, once it is lifted.
func (f *follower) lift(ctx context.Context) {
	f.look = time.Time{}
	if f.lifted.After(f.e.o.Now()) {
		f.settledCall(ctx) // another process's may have
		f.sayHeld(ctx)
		f.lookAgain()
		return
	}
	f.lifted = time.Time{}
	f.free(ctx, f.settings.Window)
}

// sayHeld has the free recaps announced of sessions that waited for long for calls
// under way.
func (f *follower) sayHeld(ctx context.Context) {
	for _, h := range slices.Clone(f.held) {
		if h.waits && h.x.capped && h.x.said == unsaid && time.Since(h.since) >= sayFree {
			h.x.said = overdue
			f.again(ctx, h.x, retryCapped)
		}
	}
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
// refused, so nothing is tried twice for the same. One that waited for calls
// under way and has no room without them either is tried too: it is told so.
func (f *follower) settledCall(ctx context.Context) {
	if len(f.held) == 0 || ctx.Err() != nil {
		return
	}
	used, open, err := f.counted(ctx)
	if err != nil {
		return
	}
	more := map[string]float64{} // what those that are tried now will want
	var again []*followed
	for _, h := range f.held {
		now := used[h.by.Cap]
		switch room := h.fits(now + more[h.by.Cap]); {
		case !h.x.capped: // it went on
		case room && now < h.by.Used:
			more[h.by.Cap] += h.by.Wanted
			again = append(again, h.x)
		case h.waits && !room && !h.fits(max(now-open[h.by.Cap], 0)):
			again = append(again, h.x)
		}
	}
	for _, x := range again {
		f.again(ctx, x, retryCapped)
	}
	f.held = slices.DeleteFunc(f.held, func(h held) bool { return !h.x.capped })
}

// counted gives what the caps of the day are compared with, and how much of it
// is of calls under way.
func (f *follower) counted(ctx context.Context) (used, open map[string]float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, usedWithin)
	defer cancel()
	now := f.e.o.Now()
	u, err := f.e.o.Store.Used(ctx, store.Reservation{At: now})
	if err != nil {
		return nil, nil, err
	}
	entries, err := f.e.o.Store.Entries(ctx, now.Add(-openWithin), 0)
	if err != nil {
		return nil, nil, err
	}
	used = map[string]float64{store.CapDayTokens: float64(u.DayTokens), store.CapDayUSD: u.DayUSD}
	open = map[string]float64{}
	for _, x := range entries {
		if x.Settled == nil {
			open[store.CapDayTokens] += float64(x.Tokens())
			if usd := x.USD(); usd != nil {
				open[store.CapDayUSD] += *usd
			}
		}
	}
	return used, open, nil
}

// mayHaveRoom reports whether a cap forbade a call only for what the calls under
// way may take at most.
func (f *follower) mayHaveRoom(ctx context.Context, by *store.OverBudget) bool {
	all, calls, err := f.counted(ctx)
	if err != nil {
		return false
	}
	used, open := all[by.Cap], calls[by.Cap]
	return (open > 0 || used < by.Used) && held{by: by}.fits(max(used-open, 0))
}
