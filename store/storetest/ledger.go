package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// RunLedger runs the suite of the ledger and the egress log. The function
// opens a new, empty store; the suite closes it.
func RunLedger(t *testing.T, open func(t *testing.T) store.Store) {
	t.Helper()
	tests := []struct {
		name string
		run  func(*testing.T, store.Store)
	}{
		{"entries/round trip of every field", entryRoundTrip},
		{"entries/newest first, since, at most", entriesOrder},
		{"entries/stored value is a copy", entryIsCopy},
		{"settle/once, known ids", settleOnce},
		{"settle/a forged number frees nothing", forged},
		{"caps/table", capsTable},
		{"caps/what counts: estimate, used, not sent", whatCounts},
		{"caps/price unknown counts in tokens only", unknownPrice},
		{"caps/H6 at midnight it goes on by itself", midnight},
		{"caps/H9 clock set back an hour", ledgerClockBack},
		{"caps/hold with 100 at once", func(t *testing.T, s store.Store) { capsAtOnce(t, s, s) }},
		{"egress/round trip, newest first", egressLog},
		{"egress/none of a call that a cap refuses", egressRefused},
		{"egress/taken back where nothing was sent", takenBack},
		{"used/what caps are compared with", usedOf},
		{"forget/session", ledgerForgetSession},
		{"forget/project, before and all", ledgerForgetOthers},
		{"forget/while the call runs", forgetRunning},
		{"canceled context", ledgerCanceled},
		{"close", ledgerClosed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() { _ = s.Close() })
			tt.run(t, s)
		})
	}
}

// RunLedgerShared tests the ledger over two handles on one store. The function
// opens two handles on one new, empty store; the suite closes them.
func RunLedgerShared(t *testing.T, open2 func(t *testing.T) (a, b store.Store)) {
	t.Helper()
	tests := []struct {
		name string
		run  func(t *testing.T, a, b store.Store)
	}{
		{"caps hold with 100 at once", capsAtOnce},
		{"what one books the other counts and settles", ledgerShared},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := open2(t)
			t.Cleanup(func() { _, _ = a.Close(), b.Close() })
			tt.run(t, a, b)
		})
	}
}

// limits are caps: tokens and dollars a day, tokens a session.
func limits(dayTokens int64, dayUSD float64, sessionTokens int64) store.Caps {
	return store.Caps{DayTokens: dayTokens, DayUSD: dayUSD, SessionTokens: sessionTokens}
}

// call is a reservation of 100 + 20 tokens.
func call(id string, when time.Time) store.Reservation {
	return store.Reservation{
		At: when, Session: ref(id), Provider: "prov", Model: "a/small", Background: true,
		InputTokens: 100, OutputTokens: 20, CostUSD: new(0.25),
	}
}

func reserve(t *testing.T, s store.Ledger, r store.Reservation, leaves ...store.Egress) int64 {
	t.Helper()
	id, err := s.Reserve(t.Context(), r, store.NoCaps, leaves...)
	if err != nil {
		t.Fatalf("Reserve: %v", err)
	}
	return id
}

func entries(t *testing.T, s store.Ledger) []store.Entry {
	t.Helper()
	es, err := s.Entries(t.Context(), time.Time{}, 0)
	must(t, err)
	return es
}

func entryRoundTrip(t *testing.T, s store.Store) {
	east := time.FixedZone("east", 5*3600+1800)
	r := call("s1", at(0).In(east))
	id := reserve(t, s, r)
	got := entries(t, s)
	if len(got) != 1 || got[0].ID != id || id == 0 || got[0].Settled != nil {
		t.Fatalf("entries = %+v", got)
	}
	sameReservation(t, got[0].Reservation, r)
	if day := store.Day(got[0].At); day != store.Day(r.At) {
		t.Errorf("the entry's day is %s, want %s", day, store.Day(r.At))
	}
	st := store.Settlement{
		At: at(3), Sent: true, Code: recap.CodeOutputExhausted,
		Usage: recap.Usage{InputTokens: 90, OutputTokens: 7, CachedTokens: 30, CostUSD: new(0.125)},
	}
	must(t, s.Settle(t.Context(), id, st))
	e := entries(t, s)[0]
	if e.Settled == nil || !e.Settled.At.Equal(st.At) || !e.Settled.Sent || e.Settled.Code != st.Code || !reflect.DeepEqual(e.Settled.Usage, st.Usage) {
		t.Fatalf("settled = %+v, want %+v", e.Settled, st)
	}
	sameReservation(t, e.Reservation, r)
	if e.Tokens() != 97 || *e.USD() != 0.125 {
		t.Errorf("it counts %d tokens, %v dollars", e.Tokens(), *e.USD())
	}
	// A manual call, price unknown, no session.
	other := reserve(t, s, store.Reservation{At: at(9), Provider: "修", Model: "'; --"})
	must(t, s.Settle(t.Context(), other, store.Settlement{At: at(9), Sent: true}))
	e = entries(t, s)[0]
	if e.ID != other || e.Background || e.CostUSD != nil || e.Settled.Usage.CostUSD != nil || e.USD() != nil || e.Provider != "修" || e.Model != "'; --" {
		t.Errorf("entry = %+v", e)
	}
}

func sameReservation(t *testing.T, got, want store.Reservation) {
	t.Helper()
	if !got.At.Equal(want.At) {
		t.Errorf("At = %v, want %v", got.At, want.At)
	}
	got.At, want.At = time.Time{}, time.Time{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("reservation = %+v, want %+v", got, want)
	}
}

func entriesOrder(t *testing.T, s store.Store) {
	var byTime []int64
	for _, n := range []int{2, 0, 4, 1, 3, 3} {
		byTime = append(byTime, reserve(t, s, call("s", at(n))))
	}
	want := []int64{byTime[2], byTime[5], byTime[4], byTime[0], byTime[3], byTime[1]}
	for _, tt := range []struct {
		name  string
		since time.Time
		n     int
		want  []int64
	}{
		{"all", time.Time{}, 0, want},
		{"two", time.Time{}, 2, want[:2]},
		{"more than there are", time.Time{}, 99, want},
		{"since, itself too", at(3), 0, want[:3]},
		{"since and two", at(1), 2, want[:2]},
		{"later", at(5), 0, nil},
	} {
		es, err := s.Entries(t.Context(), tt.since, tt.n)
		must(t, err)
		var got []int64
		for _, e := range es {
			got = append(got, e.ID)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func entryIsCopy(t *testing.T, s store.Store) {
	r := call("s", at(0))
	id := reserve(t, s, r)
	*r.CostUSD = 99
	st := store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{CostUSD: new(1.0)}}
	must(t, s.Settle(t.Context(), id, st))
	*st.Usage.CostUSD = 99
	e := entries(t, s)[0]
	*e.CostUSD, *e.Settled.Usage.CostUSD, e.Settled.Sent = 77, 77, false
	if e := entries(t, s)[0]; *e.CostUSD != 0.25 || *e.USD() != 1 || !e.Settled.Sent {
		t.Errorf("the stored entry changed: %+v, %+v", e, e.Settled)
	}
}

func settleOnce(t *testing.T, s store.Store) {
	id := reserve(t, s, call("s", at(0)))
	sent := store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{InputTokens: 5}}
	for _, unknown := range []int64{0, -1, id + 1, math.MaxInt64} {
		if err := s.Settle(t.Context(), unknown, sent); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Settle(%d): %v, want ErrNotFound", unknown, err)
		}
	}
	must(t, s.Settle(t.Context(), id, sent))
	if err := s.Settle(t.Context(), id, store.Settlement{At: at(2)}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("settled twice: %v, want ErrNotFound", err)
	}
	if e := entries(t, s)[0]; e.Tokens() != 5 {
		t.Errorf("it counts %d tokens, want 5", e.Tokens())
	}
}

func forged(t *testing.T, s store.Store) {
	caps := store.Caps{DayTokens: 1000, DayUSD: 1, SessionTokens: 1000}
	r := call("s", at(0))
	r.InputTokens, r.OutputTokens, r.CostUSD = 400, 400, new(0.8)
	_, err := s.Reserve(t.Context(), r, caps)
	must(t, err)
	bad := call("s", at(0))
	bad.InputTokens, bad.OutputTokens, bad.CostUSD = -1e15, math.MinInt64, new(-1e9)
	id := reserve(t, s, bad)
	must(t, s.Settle(t.Context(), id, store.Settlement{
		At: at(1), Sent: true,
		Usage: recap.Usage{InputTokens: -1e15, OutputTokens: math.MinInt64, CachedTokens: -1, CostUSD: new(math.Inf(-1))},
	}))
	if _, err := s.Reserve(t.Context(), r, caps); !isOver(err, store.CapDayTokens) {
		t.Errorf("after a negative usage: %v", err)
	}
	huge := call("s", at(0))
	huge.InputTokens, huge.OutputTokens, huge.CostUSD = math.MaxInt64, math.MaxInt64, new(math.Inf(1))
	for range 3 {
		reserve(t, s, huge)
	}
	nan := call("s", at(0))
	nan.CostUSD = new(math.NaN())
	reserve(t, s, nan)
	if e := entries(t, s)[0]; e.USD() != nil {
		t.Errorf("a price that is no number counts %v", *e.USD())
	}
	for _, c := range []store.Caps{limits(1e6, -1, -1), limits(-1, 1e6, -1), limits(-1, -1, 1e6)} {
		if _, err := s.Reserve(t.Context(), call("s", at(0)), c); err == nil {
			t.Errorf("%+v: not refused after huge numbers", c)
		}
	}
}

func isOver(err error, limit string) bool {
	o, ok := errors.AsType[*store.OverBudget](err)
	return ok && o.Cap == limit && recap.CodeOf(err) == recap.CodeBudget && recap.HintOf(err) != ""
}

func capsTable(t *testing.T, s store.Store) {
	// Booked: 120 tokens and 0.25 of the session, 240 and 0.50 of the day.
	reserve(t, s, call("s", at(0)))
	manual := call("other", at(0))
	manual.Background = false
	reserve(t, s, manual)
	yesterday := call("s2", at(0).AddDate(0, 0, -1))
	reserve(t, s, yesterday)
	for _, tt := range []struct {
		name string
		caps store.Caps
		cost *float64
		over string
	}{
		{"none", store.NoCaps, new(1.0), ""},
		{"day, to the brim", limits(360, -1, -1), new(1.0), ""},
		{"day, one too few", limits(359, -1, -1), new(1.0), store.CapDayTokens},
		{"money, to the brim", limits(-1, 0.8, -1), new(0.3), ""},
		{"money, too much", limits(-1, 0.79, -1), new(0.3), store.CapDayUSD},
		{"session, to the brim", limits(-1, -1, 240), new(1.0), ""},
		{"session, one too few", limits(-1, -1, 239), new(1.0), store.CapSessionTokens},
		{"no tokens allowed", limits(0, -1, -1), new(0.0), store.CapDayTokens},
		{"no tokens of a session allowed", limits(-1, -1, 0), new(0.0), store.CapSessionTokens},
		{"no money allowed", limits(-1, 0, -1), new(0.01), store.CapDayUSD},
		{"no money allowed, unknown price", limits(-1, 0, -1), nil, store.CapDayUSD},
		{"no money allowed, free", limits(-1, 0, -1), new(0.0), ""},
		{"little money, unknown price", limits(-1, 0.01, -1), nil, ""},
	} {
		before := len(entries(t, s))
		r := call("s", at(0))
		r.CostUSD = tt.cost
		id, err := s.Reserve(t.Context(), r, tt.caps)
		if tt.over != "" {
			if !isOver(err, tt.over) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.over)
			}
			if n := len(entries(t, s)); n != before {
				t.Errorf("%s: booked all the same", tt.name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		must(t, s.Settle(t.Context(), id, store.Settlement{At: at(1)})) // frees it for the next case
	}
	_, err := s.Reserve(t.Context(), call("s", at(0)), limits(300, -1, -1))
	o, ok := errors.AsType[*store.OverBudget](err)
	if !ok || o.Used != 240 || o.Wanted != 120 || o.Limit != 300 || !o.Until.Equal(time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("refusal = %+v", o)
	}
	_, err = s.Reserve(t.Context(), call("s", at(0)), limits(-1, -1, 10))
	if o, ok := errors.AsType[*store.OverBudget](err); !ok || !o.Until.IsZero() {
		t.Errorf("refusal of a session = %+v; it does not end by itself", o)
	}
}

func whatCounts(t *testing.T, s store.Store) {
	caps := store.Caps{DayTokens: 240, DayUSD: 0.5, SessionTokens: 240}
	full := func(when string) {
		t.Helper()
		if _, err := s.Reserve(t.Context(), call("s", at(0)), caps); !isOver(err, store.CapDayTokens) {
			t.Fatalf("%s: %v, want a refusal", when, err)
		}
	}
	a, b := reserve(t, s, call("s", at(0))), reserve(t, s, call("s", at(0)))
	full("two reserved")
	must(t, s.Settle(t.Context(), a, store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{InputTokens: 100, OutputTokens: 20, CostUSD: new(0.25)}}))
	full("one used its estimate")
	must(t, s.Settle(t.Context(), b, store.Settlement{At: at(1), Sent: false, Code: recap.CodeProviderError}))
	c, err := s.Reserve(t.Context(), call("s", at(0)), caps)
	if err != nil {
		t.Fatalf("one was not sent: %v", err)
	}
	must(t, s.Settle(t.Context(), c, store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{InputTokens: 1, CachedTokens: 1000, CostUSD: new(0.0)}}))
	var tokens int64
	for _, e := range entries(t, s) {
		tokens += e.Tokens()
	}
	if tokens != 121 {
		t.Fatalf("the entries count %d, want 121", tokens)
	}
	if _, err := s.Reserve(t.Context(), call("s", at(0)), limits(241, -1, 241)); err != nil {
		t.Errorf("caps count more than the entries: %v", err)
	}
}

func unknownPrice(t *testing.T, s store.Store) {
	r := call("s", at(0))
	r.CostUSD = nil
	for range 10 {
		if _, err := s.Reserve(t.Context(), r, limits(-1, 0.3, -1)); err != nil {
			t.Fatal(err)
		}
	}
	priced := call("s", at(0))
	id, err := s.Reserve(t.Context(), priced, limits(1320, 0.3, -1))
	if err != nil {
		t.Fatalf("unknown prices were counted in money: %v", err)
	}
	if _, err := s.Reserve(t.Context(), r, limits(1320, -1, -1)); !isOver(err, store.CapDayTokens) {
		t.Errorf("unknown prices were not counted in tokens: %v", err)
	}
	// The price was known when it was reserved: its estimate goes on counting.
	must(t, s.Settle(t.Context(), id, store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{InputTokens: 1}}))
	if _, err := s.Reserve(t.Context(), priced, limits(-1, 0.3, -1)); !isOver(err, store.CapDayUSD) {
		t.Errorf("an unknown price at the end freed the estimate: %v", err)
	}
	if u := entries(t, s)[0].USD(); u == nil || *u != 0.25 {
		t.Errorf("it counts %v dollars", u)
	}
}

func midnight(t *testing.T, s store.Store) {
	caps := store.Caps{DayTokens: 120, DayUSD: 0.25, SessionTokens: -1}
	for name, zone := range map[string]*time.Location{
		"UTC": time.UTC, "east": time.FixedZone("", 13*3600), "west": time.FixedZone("", -9*3600),
	} {
		late := time.Date(2026, 3, 4, 23, 59, 59, 999, zone)
		if name != "UTC" {
			late = late.AddDate(0, len(name), len(entries(t, s))) // days of their own
		}
		_, err := s.Reserve(t.Context(), call("s", late), caps)
		must(t, err)
		_, err = s.Reserve(t.Context(), call("s", late), caps)
		if !isOver(err, store.CapDayTokens) {
			t.Fatalf("%s: %v, want a refusal", name, err)
		}
		o, _ := errors.AsType[*store.OverBudget](err)
		if _, err := s.Reserve(t.Context(), call("s", o.Until.Add(-1)), caps); !isOver(err, store.CapDayTokens) {
			t.Errorf("%s: just before: %v", name, err)
		}
		if _, err := s.Reserve(t.Context(), call("s", o.Until), caps); err != nil {
			t.Errorf("%s: at midnight: %v", name, err)
		}
	}
}

func ledgerClockBack(t *testing.T, s store.Store) {
	caps := store.Caps{DayTokens: 120, DayUSD: -1, SessionTokens: -1}
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	_, err := s.Reserve(t.Context(), call("s", noon), caps)
	must(t, err)
	past := time.Date(2026, 3, 7, 0, 30, 0, 0, time.UTC)
	_, err = s.Reserve(t.Context(), call("s", past), caps)
	must(t, err)
	for name, now := range map[string]time.Time{
		"an hour back":                   noon.Add(-time.Hour),
		"an hour back over midnight":     past.Add(-time.Hour),
		"the person went west":           past.In(time.FixedZone("", -8*3600)),
		"and the same day goes on later": past.Add(23 * time.Hour),
	} {
		if _, err := s.Reserve(t.Context(), call("s", now), caps); !isOver(err, store.CapDayTokens) {
			t.Errorf("%s: %v, want a refusal", name, err)
		}
	}
	// A clock that once was years ahead stops nothing today.
	reserve(t, s, call("s", noon.AddDate(9, 0, 0)))
	if _, err := s.Reserve(t.Context(), call("s", past.AddDate(0, 0, 2)), caps); err != nil {
		t.Errorf("after a clock that was years ahead: %v", err)
	}
}

// capsAtOnce reserves 100 calls over two handles where 7 fit, and settles some
// in between.
func capsAtOnce(t *testing.T, x, y store.Store) {
	for name, caps := range map[string]store.Caps{
		"tokens": {DayTokens: 7*120 + 119, DayUSD: -1, SessionTokens: -1}, "money": {DayTokens: -1, DayUSD: 7*0.25 + 0.2, SessionTokens: -1},
		"session": {DayTokens: -1, DayUSD: -1, SessionTokens: 7*120 + 119},
	} {
		day := at(0).AddDate(0, 0, 2*len(name)) // a day of its own
		var (
			wg   sync.WaitGroup
			mu   sync.Mutex
			fits int
		)
		for i := range 100 {
			s := []store.Store{x, y}[i%2]
			wg.Go(func() {
				_, err := s.Reserve(t.Context(), call(name, day), caps)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					fits++
				case recap.CodeOf(err) != recap.CodeBudget:
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		wg.Wait()
		if fits != 7 {
			t.Errorf("%s: %d fitted, want 7", name, fits)
		}
	}
}

func ledgerShared(t *testing.T, a, b store.Store) {
	id := reserve(t, a, call("s", at(0)))
	if _, err := b.Reserve(t.Context(), call("s", at(0)), limits(239, -1, -1)); !isOver(err, store.CapDayTokens) {
		t.Errorf("the other does not count it: %v", err)
	}
	must(t, b.Settle(t.Context(), id, store.Settlement{At: at(1)}))
	if _, err := a.Reserve(t.Context(), call("s", at(0)), limits(120, -1, -1)); err != nil {
		t.Errorf("the other's settlement frees nothing: %v", err)
	}
	reserve(t, a, call("s", at(0)), egressOf("s", 0))
	if es, err := b.Egress(t.Context(), time.Time{}, 0); err != nil || len(es) != 1 {
		t.Errorf("the other's egress log: %v, %v", es, err)
	}
}

func egressOf(id string, n int) store.Egress {
	return store.Egress{
		At: at(n), Session: ref(id), Provider: "prov", Model: "a/small", Host: "api.example.com:8443",
		Purpose: "recap,suggestion", Characters: 1234, Redactions: 5, Ledger: 99,
	}
}

func egressLog(t *testing.T, s store.Store) {
	entry := map[int]int64{}
	for _, n := range []int{2, 0, 1} {
		entry[n] = reserve(t, s, call(fmt.Sprint("s", n), at(n)), egressOf(fmt.Sprint("s", n), n))
	}
	got, err := s.Egress(t.Context(), time.Time{}, 0)
	must(t, err)
	if len(got) != 3 {
		t.Fatalf("%d lines, want 3", len(got))
	}
	for i, n := range []int{2, 1, 0} {
		want := egressOf(fmt.Sprint("s", n), n)
		want.Ledger = entry[n]
		if !got[i].At.Equal(want.At) {
			t.Errorf("line %d: At = %v, want %v", i, got[i].At, want.At)
		}
		got[i].At = want.At
		if got[i] != want {
			t.Errorf("line %d = %+v, want %+v", i, got[i], want)
		}
	}
	for _, tt := range []struct {
		since time.Time
		n     int
		want  int
	}{{at(1), 0, 2}, {at(1), 1, 1}, {at(3), 0, 0}, {time.Time{}, 2, 2}} {
		if got, err := s.Egress(t.Context(), tt.since, tt.n); err != nil || len(got) != tt.want {
			t.Errorf("since %v, %d: %d lines, %v, want %d", tt.since, tt.n, len(got), err, tt.want)
		}
	}
}

func takenBack(t *testing.T, s store.Store) {
	a, b := reserve(t, s, call("s", at(0)), egressOf("s", 1), egressOf("s", 1)), reserve(t, s, call("s", at(0)), egressOf("s", 1))
	must(t, s.Settle(t.Context(), a, store.Settlement{At: at(2), Code: recap.CodeProviderError}))
	must(t, s.Settle(t.Context(), b, store.Settlement{At: at(2), Sent: true}))
	if got, err := s.Egress(t.Context(), time.Time{}, 0); err != nil || len(got) != 1 || got[0].Ledger != b {
		t.Errorf("egress log = %+v, %v; want what was sent alone", got, err)
	}
	if es := entries(t, s); len(es) != 2 {
		t.Errorf("%d entries, want 2", len(es))
	}
}

// What a cap refuses leaves no line.
func egressRefused(t *testing.T, s store.Store) {
	if _, err := s.Reserve(t.Context(), call("s", at(0)), limits(10, -1, -1), egressOf("s", 0)); !isOver(err, store.CapDayTokens) {
		t.Errorf("%v, want a refusal", err)
	}
	if got, err := s.Egress(t.Context(), time.Time{}, 0); err != nil || len(got) != 0 {
		t.Errorf("egress log = %+v, %v", got, err)
	}
}

func usedOf(t *testing.T, s store.Store) {
	wants := func(when string, r store.Reservation, want store.Used) {
		t.Helper()
		if got, err := s.Used(t.Context(), r); err != nil || got != want {
			t.Errorf("%s: used %+v, %v; want %+v", when, got, err, want)
		}
	}
	wants("an empty ledger", call("s", at(0)), store.Used{})
	id := reserve(t, s, call("s", at(0)))
	reserve(t, s, call("other", at(0)))
	wants("two estimates", call("s", at(1)), store.Used{DayTokens: 240, DayUSD: 0.5, SessionTokens: 120})
	must(t, s.Settle(t.Context(), id, store.Settlement{At: at(1), Sent: true, Usage: recap.Usage{InputTokens: 7, CostUSD: new(0.125)}}))
	wants("one settled", call("s", at(1)), store.Used{DayTokens: 127, DayUSD: 0.375, SessionTokens: 7})
	wants("another day", call("s", at(0).AddDate(0, 0, 2)), store.Used{SessionTokens: 7})
	wants("another session", call("new", at(1)), store.Used{DayTokens: 127, DayUSD: 0.375})
	if n := len(entries(t, s)); n != 2 {
		t.Errorf("asking booked something: %d entries", n)
	}
}

// traceOf says what the ledger and the egress log still tell of sessions.
func traceOf(t *testing.T, s store.Store, ids ...string) (lines int) {
	t.Helper()
	logged, err := s.Egress(t.Context(), time.Time{}, 0)
	must(t, err)
	for _, id := range ids {
		for _, e := range entries(t, s) {
			if e.Session == ref(id) {
				lines++
			}
		}
		for _, e := range logged {
			if e.Session == ref(id) {
				lines++
			}
		}
	}
	return lines
}

func spend(t *testing.T, s store.Store, id string, n int) {
	t.Helper()
	entry := reserve(t, s, call(id, at(n)), egressOf(id, n))
	must(t, s.Settle(t.Context(), entry, store.Settlement{
		At: at(n + 1), Sent: true, Usage: recap.Usage{InputTokens: 50, OutputTokens: 10, CostUSD: new(0.1)},
	}))
}

func ledgerForgetSession(t *testing.T, s store.Store) {
	spend(t, s, "gone", 0)
	spend(t, s, "gone", 1)
	spend(t, s, "stays", 2)
	session := ref("gone")
	forget(t, s, store.Which{Session: &session}, 1)
	if n := traceOf(t, s, "gone"); n != 0 {
		t.Errorf("%d lines of the forgotten session", n)
	}
	if n := traceOf(t, s, "stays"); n != 2 {
		t.Errorf("%d lines of the other session, want 2", n)
	}
	es := entries(t, s)
	anonymous := 0
	for _, e := range es {
		if e.Session != (recap.SessionRef{}) {
			continue
		}
		anonymous++
		if !e.At.Equal(store.DayStart(at(0))) || !e.Settled.At.Equal(e.At) {
			t.Errorf("the time of day is left: %v, settled %v", e.At, e.Settled.At)
		}
		if e.Tokens() != 60 || *e.USD() != 0.1 || e.Provider != "prov" || e.Model != "a/small" {
			t.Errorf("entry = %+v; what was paid to whom stays", e)
		}
	}
	if len(es) != 3 || anonymous != 2 {
		t.Fatalf("%d entries, %d without a session, want 3 and 2", len(es), anonymous)
	}
	if _, err := s.Reserve(t.Context(), call("new", at(9)), limits(180+119, -1, -1)); !isOver(err, store.CapDayTokens) {
		t.Errorf("forgetting freed tokens: %v", err)
	}
	if _, err := s.Reserve(t.Context(), call("new", at(9)), limits(-1, 0.3+0.2, -1)); !isOver(err, store.CapDayUSD) {
		t.Errorf("forgetting freed money: %v", err)
	}
	// No session does not share the budget of those that were forgotten.
	none := call("", at(9))
	none.Session = recap.SessionRef{}
	if _, err := s.Reserve(t.Context(), none, limits(-1, -1, 120)); err != nil {
		t.Errorf("a call of no session: %v", err)
	}
	forget(t, s, store.Which{Session: &session}, 0)
	if n := len(entries(t, s)); n != 4 {
		t.Errorf("%d entries, want 4", n)
	}
}

func ledgerForgetOthers(t *testing.T, s store.Store) {
	put(t, s, small("in", "zebra", 1), small("out", "zebra", 20), small("old", "zebra", 2))
	for _, id := range []string{"in", "out", "old", "no record"} {
		spend(t, s, id, 0)
	}
	forget(t, s, store.Which{Project: "/home/dev/in"}, 1)
	if g, k := traceOf(t, s, "in"), traceOf(t, s, "out", "old", "no record"); g != 0 || k != 6 {
		t.Errorf("project: %d lines of it, %d of others", g, k)
	}
	forget(t, s, store.Which{Before: at(10)}, 1)
	if g, k := traceOf(t, s, "in", "old"), traceOf(t, s, "out", "no record"); g != 0 || k != 4 {
		t.Errorf("before: %d lines of it, %d of others", g, k)
	}
	forget(t, s, store.Which{All: true}, 2)
	if n := traceOf(t, s, "in", "out", "old", "no record"); n != 0 {
		t.Errorf("all: %d lines left", n)
	}
	if lines, err := s.Egress(t.Context(), time.Time{}, 0); err != nil || len(lines) != 0 {
		t.Errorf("all: egress log %v, %v", lines, err)
	}
	var tokens int64
	for _, e := range entries(t, s) {
		tokens += e.Tokens()
	}
	if tokens != 4*60 {
		t.Errorf("the entries count %d tokens, want %d", tokens, 4*60)
	}
	forget(t, s, store.Which{All: true}, 0)
}

func forgetRunning(t *testing.T, s store.Store) {
	id := reserve(t, s, call("s", at(0)))
	session := ref("s")
	forget(t, s, store.Which{Session: &session}, 1)
	must(t, s.Settle(t.Context(), id, store.Settlement{At: at(5), Sent: true, Usage: recap.Usage{InputTokens: 7}}))
	e := entries(t, s)[0]
	if e.Session != (recap.SessionRef{}) || e.Tokens() != 7 || !e.Settled.At.Equal(store.DayStart(at(0))) {
		t.Errorf("entry = %+v, settled %+v", e, e.Settled)
	}
}

func ledgerCanceled(t *testing.T, s store.Store) {
	id := reserve(t, s, call("s", at(0)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, f := range map[string]func() error{
		"Reserve": func() error { _, err := s.Reserve(ctx, call("s", at(0)), store.NoCaps, egressOf("s", 0)); return err },
		"Used":    func() error { _, err := s.Used(ctx, call("s", at(0))); return err },
		"Settle":  func() error { return s.Settle(ctx, id, store.Settlement{}) },
		"Entries": func() error { _, err := s.Entries(ctx, time.Time{}, 0); return err },
		"Egress":  func() error { _, err := s.Egress(ctx, time.Time{}, 0); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", name, err)
		}
	}
	lines, err := s.Egress(t.Context(), time.Time{}, 0)
	if es := entries(t, s); len(es) != 1 || es[0].Settled != nil || len(lines) != 0 || err != nil {
		t.Errorf("after the canceled calls: %+v, %v, %v", es, lines, err)
	}
}

func ledgerClosed(t *testing.T, s store.Store) {
	must(t, s.Close())
	if _, err := s.Reserve(t.Context(), call("s", at(0)), store.NoCaps); recap.CodeOf(err) != recap.CodeStore {
		t.Errorf("Reserve on a closed store: %v", err)
	}
}
