package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

const lease = 30 * time.Second

func byClaim(t *testing.T, s store.Store) {
	ctx := t.Context()
	mine := store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f1"}
	write := func(name string, r recap.Record, c store.Claim, want error) {
		t.Helper()
		r.Recap = name
		if err := s.Put(ctx, r, store.Condition{Claim: &c}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	r := small("s", "", 1)
	write("never claimed", r, mine, store.ErrStale)
	must(t, s.Claim(ctx, mine, at(0), lease))
	write("held", r, mine, nil)
	write("another owner", r, store.Claim{Session: ref("s"), Owner: "b", Fingerprint: "f1"}, store.ErrStale)
	write("another fence", r, store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f2"}, store.ErrStale)
	write("a claim on another session", small("other", "", 1), mine, store.ErrStale)
	// Both conditions must hold.
	wrong := "fp-x"
	if err := s.Put(ctx, r, store.Condition{Claim: &mine, Previous: &wrong}); !errors.Is(err, store.ErrStale) {
		t.Errorf("held, wrong previous: %v", err)
	}
	must(t, s.Claim(ctx, store.Claim{Session: ref("s"), Owner: "b", Fingerprint: "f1"}, at(31), lease))
	write("taken over", r, mine, store.ErrStale)
	got, err := s.Record(ctx, ref("s"))
	if err != nil || got.Recap != "held" {
		t.Errorf("stored %q, %v", got.Recap, err)
	}
	if _, err := s.Record(ctx, ref("other")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a wrong session was written: %v", err)
	}
}

func claimLife(t *testing.T, s store.Store) {
	ctx := t.Context()
	a := store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f1"}
	a2 := store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f2"}
	b := store.Claim{Session: ref("s"), Owner: "b", Fingerprint: "f1"}
	steps := []struct {
		name string
		err  error
		want error
	}{
		{"renew what nobody holds", s.Renew(ctx, a, at(0), lease), store.ErrStale},
		{"release what nobody holds", s.Release(ctx, a), nil},
		{"first claim", s.Claim(ctx, a, at(0), lease), nil},
		{"other owner", s.Claim(ctx, b, at(1), lease), store.ErrClaimed},
		{"other session", s.Claim(ctx, store.Claim{Session: ref("t"), Owner: "b"}, at(1), lease), nil},
		{"same owner again", s.Claim(ctx, a, at(10), lease), nil}, // until 40
		{"first lease over, second not", s.Claim(ctx, b, at(35), lease), store.ErrClaimed},
		{"renew", s.Renew(ctx, a, at(38), lease), nil}, // until 68
		{"renewed", s.Claim(ctx, b, at(67), lease), store.ErrClaimed},
		{"renew with another fence", s.Renew(ctx, a2, at(67), lease), store.ErrStale},
		{"release by another owner", s.Release(ctx, b), nil},
		{"release with another fence", s.Release(ctx, a2), nil},
		{"still held", s.Claim(ctx, b, at(67), lease), store.ErrClaimed},
		{"expired at the very moment", s.Claim(ctx, b, at(68), lease), nil}, // until 98
		{"renew after loss", s.Renew(ctx, a, at(69), lease), store.ErrStale},
		{"release after loss", s.Release(ctx, a), nil},
		{"the new owner kept it", s.Claim(ctx, a, at(97), lease), store.ErrClaimed},
		{"release", s.Release(ctx, b), nil},
		{"free at once", s.Claim(ctx, a, at(70), lease), nil}, // until 100
		{"same owner, new fence", s.Claim(ctx, a2, at(71), lease), nil},
		{"the old fence is lost", s.Renew(ctx, a, at(72), lease), store.ErrStale},
		{"the new one holds", s.Renew(ctx, a2, at(72), lease), nil}, // until 102
		// Late, but nobody took it: the work may go on.
		{"renew an expired claim", s.Renew(ctx, a2, at(200), lease), nil},
		{"which holds again", s.Claim(ctx, b, at(229), lease), store.ErrClaimed},
	}
	for _, st := range steps {
		if !errors.Is(st.err, st.want) {
			t.Errorf("%s: %v, want %v", st.name, st.err, st.want)
		}
	}
}

// clockBack: when the clock goes back, a claim that is renewed follows it, so
// that its end is never further away than a lease.
func clockBack(t *testing.T, s store.Store) {
	ctx := t.Context()
	a := store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f"}
	b := store.Claim{Session: ref("s"), Owner: "b", Fingerprint: "f"}
	must(t, s.Claim(ctx, a, at(3600), lease))
	must(t, s.Renew(ctx, a, at(0), lease))
	if err := s.Claim(ctx, b, at(29), lease); !errors.Is(err, store.ErrClaimed) {
		t.Errorf("before the end: %v, want ErrClaimed", err)
	}
	if err := s.Claim(ctx, b, at(31), lease); err != nil {
		t.Errorf("after the end: %v", err)
	}
}

// oneWinner lets many owners claim one session on two handles: at any time
// one of them holds it.
func oneWinner(t *testing.T, x, y store.Store) {
	const owners, rounds = 16, 8
	var holders, wins atomic.Int32
	var wg sync.WaitGroup
	for i := range owners {
		s := x
		if i%2 == 1 {
			s = y
		}
		wg.Go(func() {
			c := store.Claim{Session: ref("s"), Owner: strconv.Itoa(i), Fingerprint: "f"}
			for range rounds {
				err := s.Claim(t.Context(), c, at(0), lease)
				if errors.Is(err, store.ErrClaimed) {
					continue
				}
				if err != nil {
					t.Errorf("Claim: %v", err)
					return
				}
				wins.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d owners hold one claim", n)
				}
				if err := s.Renew(t.Context(), c, at(1), lease); err != nil {
					t.Errorf("Renew of a held claim: %v", err)
				}
				holders.Add(-1)
				if err := s.Release(t.Context(), c); err != nil {
					t.Errorf("Release: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if wins.Load() == 0 {
		t.Error("nobody won")
	}
	// All claim at once and nobody gives up: exactly one wins.
	wins.Store(0)
	for i := range owners {
		s := x
		if i%2 == 1 {
			s = y
		}
		wg.Go(func() {
			c := store.Claim{Session: ref("t"), Owner: strconv.Itoa(i)}
			switch err := s.Claim(t.Context(), c, at(0), lease); {
			case err == nil:
				wins.Add(1)
			case !errors.Is(err, store.ErrClaimed):
				t.Errorf("Claim: %v", err)
			}
		})
	}
	wg.Wait()
	if n := wins.Load(); n != 1 {
		t.Errorf("%d owners won one session", n)
	}
}

// oneWrite lets many writers replace the same record, round after round:
// exactly one may in each.
func oneWrite(t *testing.T, x, y store.Store) {
	const writers, rounds = 8, 12
	put(t, x, small("s", "first", 1))
	before := "fp-s"
	for round := range rounds {
		var winner atomic.Value
		var wins atomic.Int32
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range writers {
			s := x
			if i%2 == 1 {
				s = y
			}
			wg.Go(func() {
				r := small("s", "next", round)
				r.Fingerprint = fmt.Sprintf("fp-%d-%d", round, i)
				<-start
				switch err := s.Put(t.Context(), r, store.Condition{Previous: &before}); {
				case err == nil:
					wins.Add(1)
					winner.Store(r.Fingerprint)
				case !errors.Is(err, store.ErrStale):
					t.Errorf("Put: %v", err)
				}
			})
		}
		close(start)
		wg.Wait()
		stored, err := x.Record(t.Context(), ref("s"))
		if n := wins.Load(); n != 1 || err != nil || stored.Fingerprint != winner.Load() {
			t.Fatalf("round %d: %d writers replaced one record; stored %q, %v, the winner wrote %v",
				round, n, stored.Fingerprint, err, winner.Load())
		}
		before = stored.Fingerprint
	}
}

func shared(t *testing.T, a, b store.Store) {
	ctx := t.Context()
	put(t, a, full("s"))
	got, err := b.Record(ctx, ref("s"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, full("s"))
	must(t, b.SetMark(ctx, store.MarkLooked, "", "now"))
	if v, err := a.Mark(ctx, store.MarkLooked, ""); err != nil || v != "now" {
		t.Errorf("Mark = %q, %v", v, err)
	}
	must(t, a.Decide(ctx, store.Decision{Session: ref("s"), Action: "x"}))
	if n, err := b.Forget(ctx, store.Which{All: true}); err != nil || n != 1 {
		t.Errorf("Forget = %d, %v", n, err)
	}
	if _, err := a.Record(ctx, ref("s")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("forgotten record: %v", err)
	}
}

func journal(t *testing.T, s store.Store) {
	ctx := t.Context()
	const n = store.MaxDecisions + 13
	for i := range n {
		// The clock goes back: the order is that of the calls.
		must(t, s.Decide(ctx, store.Decision{
			Session: ref("s"), At: at(-i), Action: strconv.Itoa(i), Code: recap.CodeBusy,
			Gates: []store.Gate{{Name: "quiet", Value: "60 s", Pass: i%2 == 0}, {Name: "muted"}},
		}))
	}
	must(t, s.Decide(ctx, store.Decision{Session: ref("t"), Action: "other"}))
	all, err := s.Decisions(ctx, ref("s"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != store.MaxDecisions {
		t.Fatalf("%d decisions kept, want %d", len(all), store.MaxDecisions)
	}
	for i, d := range all {
		k := n - 1 - i
		if d.Action != strconv.Itoa(k) || d.Session != ref("s") || !d.At.Equal(at(-k)) || d.Code != recap.CodeBusy {
			t.Fatalf("decision %d: %+v", i, d)
		}
		want := []store.Gate{{Name: "quiet", Value: "60 s", Pass: k%2 == 0}, {Name: "muted"}}
		if !reflect.DeepEqual(d.Gates, want) {
			t.Fatalf("decision %d: gates %+v", i, d.Gates)
		}
	}
	for n, want := range map[int]int{3: 3, 1: 1, 0: 0, -1: 0} {
		got, err := s.Decisions(ctx, ref("s"), n)
		if err != nil || len(got) != want {
			t.Errorf("Decisions(%d): %d, %v", n, len(got), err)
		}
	}
	if ds, err := s.Decisions(ctx, ref("t"), 9); err != nil || len(ds) != 1 || ds[0].Action != "other" || !ds[0].At.IsZero() {
		t.Errorf("other session: %+v, %v", ds, err)
	}
	if ds, err := s.Decisions(ctx, ref("nobody"), 9); err != nil || len(ds) != 0 {
		t.Errorf("unknown session: %+v, %v", ds, err)
	}
}

func marks(t *testing.T, s store.Store) {
	ctx := t.Context()
	if _, err := s.Mark(ctx, store.MarkMuted, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no mark: %v, want ErrNotFound", err)
	}
	scopes := map[string]string{"": "all", "/home/dev/a": "yes", store.Scope(ref("s")): "also"}
	for scope, v := range scopes {
		must(t, s.SetMark(ctx, store.MarkMuted, scope, "before"))
		must(t, s.SetMark(ctx, store.MarkMuted, scope, v))
		must(t, s.SetMark(ctx, store.MarkLooked, scope, "other name"))
	}
	for scope, want := range scopes {
		if v, err := s.Mark(ctx, store.MarkMuted, scope); err != nil || v != want {
			t.Errorf("Mark(%q) = %q, %v", scope, v, err)
		}
	}
	if got, err := s.Marked(ctx, store.MarkMuted); err != nil || !reflect.DeepEqual(got, scopes) {
		t.Errorf("Marked = %q, %v", got, err)
	}
	must(t, s.SetMark(ctx, store.MarkMuted, "", ""))
	must(t, s.SetMark(ctx, store.MarkMuted, "never set", ""))
	delete(scopes, "")
	if got, err := s.Marked(ctx, store.MarkMuted); err != nil || !reflect.DeepEqual(got, scopes) {
		t.Errorf("Marked = %q, %v", got, err)
	}
	if _, err := s.Mark(ctx, store.MarkMuted, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("removed mark: %v", err)
	}
	if got, err := s.Marked(ctx, "unknown"); err != nil || len(got) != 0 {
		t.Errorf("Marked(unknown) = %q, %v", got, err)
	}
}

// rests has one program told by providers, and the other read it.
func rests(t *testing.T, a, b store.Store) {
	ctx := t.Context()
	if r, err := store.RestOf(ctx, b, "anthropic"); err != nil || r != (store.Rest{}) {
		t.Errorf("nothing was said: %+v, %v", r, err)
	}
	if all, err := store.Rests(ctx, b); err != nil || len(all) != 0 {
		t.Errorf("nothing was said: %+v, %v", all, err)
	}
	want := map[string]store.Rest{
		"anthropic": {Since: at(0), Until: at(90)}, "a/b\x1fc d": {Since: at(1), Until: at(2)}, "too-long": {Since: at(0), Until: at(0).Add(store.LongestRest)},
	}
	must(t, store.SetRest(ctx, a, "anthropic", store.Rest{Since: at(-60), Until: at(5000)})) // the last word counts
	must(t, store.SetRest(ctx, a, "anthropic", want["anthropic"]))
	must(t, store.SetRest(ctx, a, "a/b\x1fc d", want["a/b\x1fc d"]))
	must(t, store.SetRest(ctx, a, "too-long", store.Rest{Since: at(0).In(time.FixedZone("", 3600)), Until: at(0).Add(99 * 24 * time.Hour)}))
	must(t, a.SetMark(ctx, store.MarkResting, "nonsense", "soon"))
	must(t, a.SetMark(ctx, store.MarkResting, "half", at(0).Format(time.RFC3339Nano)))
	if all, err := store.Rests(ctx, b); err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, %v, want %+v", all, err, want)
	}
	for provider, r := range want {
		if got, err := store.RestOf(ctx, b, provider); err != nil || got != r {
			t.Errorf("%q: %+v, %v", provider, got, err)
		}
	}
	if _, err := a.Forget(ctx, store.Which{All: true}); err != nil {
		t.Fatal(err)
	}
	if r, err := store.RestOf(ctx, b, "anthropic"); err != nil || r != want["anthropic"] {
		t.Errorf("forgetting sessions changes no provider's word: %+v, %v", r, err)
	}
}

func concurrent(t *testing.T, s store.Store) {
	ctx := t.Context()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			id := fmt.Sprint("s", i)
			for k := range 10 {
				r := full(id)
				r.Request = fmt.Sprintf("needle%d round%d", i, k)
				check := func(err error) {
					if err != nil {
						t.Error(err)
					}
				}
				check(s.Put(ctx, r, store.Condition{}))
				check(s.Decide(ctx, store.Decision{Session: ref(id), Action: "a"}))
				check(s.SetMark(ctx, "m", id, strconv.Itoa(k)))
				got, err := s.Search(ctx, []string{fmt.Sprintf("NEEDLE%d", i), fmt.Sprint("round", k)}, 0)
				if err != nil || len(got) != 1 || got[0].Session.ID != id {
					t.Errorf("Search: %q, %v", ids(got), err)
				}
				if _, err := s.Records(ctx, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	all, err := s.Records(ctx, nil)
	if err != nil || len(all) != 8 {
		t.Errorf("%d records, %v", len(all), err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What goes with a record is done with it, or not at all.
func inOneStep(t *testing.T, s store.Store) {
	ctx := t.Context()
	claim := store.Claim{Session: ref("s"), Owner: "a", Fingerprint: "f1"}
	d := store.Decision{Session: ref("s"), At: at(3), Action: "made", Gates: []store.Gate{{Name: "model", Value: "m", Pass: true}}}
	cond := store.Condition{Claim: &claim, Newest: true, Release: true, Decision: &d}
	held := func(when string, want bool) {
		t.Helper()
		if err := s.Renew(ctx, claim, at(5), lease); (err == nil) != want {
			t.Errorf("%s: the claim is held: %v, want %v", when, err == nil, want)
		}
	}
	decisions := func(when string, want int) {
		t.Helper()
		ds, err := s.Decisions(ctx, ref("s"), 100)
		if err != nil || len(ds) != want || want > 0 && !reflect.DeepEqual(ds[0].Gates, d.Gates) {
			t.Errorf("%s: decisions %+v, %v; want %d", when, ds, err, want)
		}
	}
	r := small("s", "first", 2)
	if err := s.Put(ctx, r, cond); !errors.Is(err, store.ErrStale) || errors.Is(err, store.ErrNewer) {
		t.Errorf("not claimed: %v", err)
	}
	decisions("not claimed", 0)
	must(t, s.Claim(ctx, claim, at(0), lease))
	must(t, s.Put(ctx, r, cond))
	held("written", false)
	decisions("written", 1)

	must(t, s.Claim(ctx, claim, at(0), lease))
	newer, older := small("s", "newer", 9), small("s", "older", 1)
	newer.Fingerprint = "fp-newer"
	must(t, s.Put(ctx, newer, store.Condition{}))
	if err := s.Put(ctx, older, cond); !errors.Is(err, store.ErrNewer) || !errors.Is(err, store.ErrStale) {
		t.Errorf("over a newer state: %v", err)
	}
	held("refused", true)
	decisions("refused", 1)
	if got, err := s.Record(ctx, ref("s")); err != nil || got.Recap != newer.Recap {
		t.Errorf("stored %q, %v", got.Recap, err)
	}
	older.Fingerprint = newer.Fingerprint // the same state, by another clock
	must(t, s.Put(ctx, older, store.Condition{Newest: true, Decision: &d}))
	held("without Release", true)
	decisions("without a claim", 2)
	for range store.MaxDecisions {
		must(t, s.Put(ctx, older, store.Condition{Decision: &d}))
	}
	decisions("the oldest are dropped", store.MaxDecisions)
	must(t, s.Put(ctx, older, store.Condition{Release: true})) // of no claim
	held("a release that names no claim", true)
}
