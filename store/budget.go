package store

import (
	"math"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Settings that an [*OverBudget] names.
const (
	CapDayTokens     = "budget.daily_tokens"
	CapDayUSD        = "budget.daily_usd"
	CapSessionTokens = "budget.session_tokens"
)

// Used is what the ledger has counted so far, and what caps are compared with.
type Used struct {
	DayTokens     int64
	DayUSD        float64
	SessionTokens int64
}

// The most that one entry counts: sums of it do not overflow.
const (
	maxTokens = 1 << 40
	maxUSD    = 1e9
	tiny      = 1e-9 // less than any price; sums of money are not exact
)

// Check gives *OverBudget where the reservation would exceed a cap. A cap of 0
// allows none: no tokens at all, and no call that costs money or might. Else a
// call whose price is not known is held by the caps of tokens alone.
func (c Caps) Check(r Reservation, used Used) error {
	tokens := r.InputTokens + r.OutputTokens
	if full(c.DayTokens, used.DayTokens, tokens) {
		return &OverBudget{
			Cap: CapDayTokens, Used: float64(used.DayTokens), Wanted: float64(tokens), Limit: float64(c.DayTokens),
			Until: NextDay(r.At),
		}
	}
	if usd, over := c.overUSD(r, used); over {
		return &OverBudget{Cap: CapDayUSD, Used: used.DayUSD, Wanted: usd, Limit: c.DayUSD, Until: NextDay(r.At)}
	}
	if full(c.SessionTokens, used.SessionTokens, tokens) {
		return &OverBudget{
			Cap: CapSessionTokens, Used: float64(used.SessionTokens), Wanted: float64(tokens), Limit: float64(c.SessionTokens),
		}
	}
	return nil
}

func (c Caps) overUSD(r Reservation, used Used) (wanted float64, over bool) {
	if r.CostUSD != nil {
		wanted = *r.CostUSD
	}
	switch {
	case c.DayUSD < 0:
		return wanted, false
	case c.DayUSD == 0:
		return wanted, r.CostUSD == nil || wanted > 0
	}
	return wanted, r.CostUSD != nil && used.DayUSD+wanted > c.DayUSD+tiny
}

func full(limit, used, wanted int64) bool {
	return limit >= 0 && (limit == 0 || used+wanted > limit)
}

// Day is the name of the time's day in its own zone: "2026-03-04".
func Day(t time.Time) string { return t.Format(time.DateOnly) }

// CountedDays are the days whose entries count against the caps of a call now:
// today, and tomorrow. Entries of tomorrow are there where the clock was set
// back, or the person went west, over a midnight.
func CountedDays(now time.Time) (today, tomorrow string) {
	y, m, d := now.Date()
	return Day(now), Day(time.Date(y, m, d+1, 12, 0, 0, 0, now.Location()))
}

// NextDay is the first moment of the next day in the time's zone.
func NextDay(t time.Time) time.Time {
	y, m, d := t.Date()
	next := time.Date(y, m, d+1, 0, 0, 0, 0, t.Location())
	for Day(next) == Day(t) { // a zone in which that midnight does not exist
		next = next.Add(time.Hour)
	}
	return next
}

// DayStart is the time's day without the time of day. It is what is left of
// the time of an entry whose session was forgotten.
func DayStart(t time.Time) time.Time {
	y, m, d := t.Date()
	start := time.Date(y, m, d, 0, 0, 0, 0, t.Location())
	if Day(start) != Day(t) {
		return time.Date(y, m, d, 12, 0, 0, 0, t.Location())
	}
	return start
}

// Sane is the reservation as stores keep it: no number of it is negative or
// beyond reason, so that none can free budget.
func (r Reservation) Sane() Reservation {
	r.InputTokens, r.OutputTokens = saneTokens(r.InputTokens), saneTokens(r.OutputTokens)
	r.CostUSD = saneUSD(r.CostUSD)
	return r
}

// Sane is the settlement as stores keep it.
func (s Settlement) Sane() Settlement {
	u := &s.Usage
	u.InputTokens, u.OutputTokens, u.CachedTokens = saneTokens(u.InputTokens), saneTokens(u.OutputTokens), saneTokens(u.CachedTokens)
	u.CostUSD = saneUSD(u.CostUSD)
	return s
}

func saneTokens(n int64) int64 { return min(max(n, 0), maxTokens) }

func saneUSD(p *float64) *float64 {
	if p == nil || math.IsNaN(*p) {
		return nil
	}
	v := min(max(*p, 0), maxUSD)
	return &v
}

// USD is the money the entry counts: what was paid, else the estimate; nil
// where the price is not known.
func (e Entry) USD() *float64 {
	switch {
	case e.Settled == nil || (e.Settled.Sent && e.Settled.Usage.CostUSD == nil):
		return e.CostUSD
	case !e.Settled.Sent:
		return new(float64)
	}
	return e.Settled.Usage.CostUSD
}

// Anonymous is what is left of the entry when its session is forgotten: who
// was paid how much on which day.
func (e Entry) Anonymous() Entry {
	e.Session = recap.SessionRef{}
	e.At = DayStart(e.At)
	if e.Settled != nil {
		s := *e.Settled
		s.At = DayStart(s.At)
		e.Settled = &s
	}
	return e
}
