package engine_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store"
)

// H6: ten sessions go quiet and the cap of the day is reached after the third:
// the rest have their free recap, nothing is tried again before midnight, and
// then it goes on by itself.
func TestFollow_H6_CapInTheMiddle(t *testing.T) {
	follow(t, 10, func(t *testing.T, w *liveWorld, _ *daemon) {
		midnight := store.NextDay(time.Now())
		w.model = func(_ context.Context, n int, _ string) (llm.Response, error) {
			if n > 3 && time.Now().Before(midnight) {
				return llm.Response{}, &store.OverBudget{Cap: "budget.daily_tokens", Until: midnight}
			}
			return llm.Response{}, nil
		}
		for _, id := range w.names {
			w.prompt(id)
			w.finish(id)
			time.Sleep(time.Second)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		made, free := 0, 0
		for _, id := range w.names {
			switch r, ok := w.record(id); {
			case !ok || r.Recap == "":
				t.Errorf("%s has no recap", id)
			case r.Source == recap.FromModel:
				made++
			default:
				free++
			}
		}
		if made != 3 || free != 7 || w.called() != 10 {
			t.Fatalf("%d by a model, %d free, %d calls", made, free, w.called())
		}
		// Told again and again that it is idle: no call before midnight.
		for range 20 {
			time.Sleep(10 * time.Minute)
			for _, id := range w.names {
				w.say(id, agent.EventIdle)
			}
		}
		synctest.Wait()
		if n := w.called(); n != 10 {
			t.Errorf("%d calls, 10 before", n)
		}
		// One that moves on is tried, and refused; another leaves.
		w.prompt("s9")
		w.finish("s9")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if n := w.called(); n != 11 {
			t.Errorf("%d calls, one more was due", n)
		}
		time.Sleep(time.Until(midnight) + 5*time.Minute)
		synctest.Wait()
		for _, id := range w.names {
			if r, ok := w.record(id); !ok || r.Source != recap.FromModel {
				t.Errorf("%s is not by the model after midnight: %s", id, short(&r))
			}
		}
		if n := w.called(); n != 11+7 {
			t.Errorf("%d calls in all, want 18", n)
		}
	})
}

// E66: without the person's consent no model is asked, and the free recap is
// there all the same.
func TestFollow_E66_WithoutConsentNoCall(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		w.allow(func(s *engine.FollowSettings) { s.Auto = false })
		for range 3 {
			w.prompt("s1")
			w.finish("s1")
			time.Sleep(5 * time.Minute)
			synctest.Wait()
			if r, ok := w.record("s1"); !ok || r.Source != recap.Extractive || r.Recap == "" || w.called() != 0 {
				t.Errorf("stored %v %s, %d calls", ok, short(&r), w.called())
			}
		}
	})
}

// booked has each call booked under a cap of the day, as package outbound does
// it: with 2146 tokens while it runs, and what it took when it is over.
func (w *liveWorld) booked(limit *atomic.Int64, took int64) func(context.Context, int, string) (llm.Response, error) {
	return func(ctx context.Context, _ int, id string) (llm.Response, error) {
		caps := store.Caps{DayTokens: limit.Load(), DayUSD: -1, SessionTokens: -1}
		entry, err := w.store.Reserve(ctx, store.Reservation{
			At: time.Now(), Session: recap.SessionRef{Agent: recap.OpenCode, Root: liveRoot, ID: id}, InputTokens: 2046, OutputTokens: 100,
		}, caps)
		if err != nil {
			return llm.Response{}, err
		}
		time.Sleep(3700 * time.Millisecond)
		err = w.store.Settle(ctx, entry, store.Settlement{At: time.Now(), Sent: true, Usage: recap.Usage{InputTokens: took - 20, OutputTokens: 20}})
		return llm.Response{}, err
	}
}

// Ten sessions go quiet together, and calls under way are booked at the most
// they may take. Those that only this holds back are asked about when it is
// known what the calls took.
func TestFollow_H6_CallsUnderWay(t *testing.T) {
	for name, tt := range map[string]struct {
		took        int64
		made, calls int
		capped      int
		said        map[string]int
	}{
		// One has room beside what was used, until all are made. Three wait for so
		// long that their free recap is announced.
		"small": {120, 10, 10 + 9 + 3, 0, map[string]int{"model": 10, "extractive 1m3": 3}},
		// Two have room in the day; the others are told so when that is known.
		"large": {1500, 2, 10 + 1 + 8, 8, map[string]int{"model": 2, "extractive 1m9": 8}},
	} {
		t.Run(name, func(t *testing.T) {
			follow(t, 10, func(t *testing.T, w *liveWorld, d *daemon) {
				var limit atomic.Int64
				limit.Store(4000)
				w.model = w.booked(&limit, tt.took)
				for _, id := range w.names {
					w.prompt(id)
					w.finish(id)
				}
				time.Sleep(5 * time.Minute)
				w.wantMade(t, tt.made, tt.calls)
				st := d.eng.Following()
				if st.Capped != tt.capped || (st.Cap != "") != (tt.capped > 0) {
					t.Errorf("%d capped: %q", st.Capped, st.Cap)
				}
				// Nothing is tried while nothing happens.
				time.Sleep(3 * time.Hour)
				w.wantMade(t, tt.made, tt.calls)
				told := w.announced()
				for said, n := range tt.said {
					if got := len(slices.DeleteFunc(slices.Clone(told), func(x string) bool { return !strings.HasPrefix(x, said) })); got != n {
						t.Errorf("%q %d times, want %d: %v", said, got, n, told)
					}
				}
				for _, id := range w.names {
					if n := len(w.mirrored(id)); n != 1 {
						t.Errorf("%s mirrored %d times", id, n)
					}
				}
			})
		})
	}
}

// A call of another process, too, is done some time.
func TestFollow_H6_CallOfAnother(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		var limit atomic.Int64
		limit.Store(4000)
		w.model = w.booked(&limit, 120)
		entry, err := w.store.Reserve(t.Context(), store.Reservation{At: time.Now(), InputTokens: 3000}, store.NoCaps)
		if err != nil {
			t.Fatal(err)
		}
		w.prompt("s1")
		w.finish("s1")
		time.Sleep(5 * time.Minute)
		w.wantMade(t, 0, 2)
		if got := strings.Join(w.announced(), ","); got != "extractive 1m31s" {
			t.Errorf("announced %s", got)
		}
		err = w.store.Settle(t.Context(), entry, store.Settlement{At: time.Now(), Sent: true, Usage: recap.Usage{InputTokens: 300}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(15 * time.Minute)
		w.wantMade(t, 1, 3)
	})
}

// A cap that is raised counts at once for what it held back.
func TestFollow_H6_CapIsRaised(t *testing.T) {
	follow(t, 3, func(t *testing.T, w *liveWorld, d *daemon) {
		var limit atomic.Int64
		limit.Store(1000)
		w.model = w.booked(&limit, 120)
		for _, id := range w.names {
			w.prompt(id)
			w.finish(id)
		}
		time.Sleep(5 * time.Minute)
		w.wantMade(t, 0, 3)
		if st := d.eng.Following(); st.Capped != 3 || !strings.Contains(st.Cap, "budget.daily_tokens: 0 used, 2146 more wanted, limit 1000") {
			t.Errorf("%d capped: %q", st.Capped, st.Cap)
		}
		d.eng.Renew(nil) // other settings, the same cap
		time.Sleep(time.Minute)
		w.wantMade(t, 0, 6)
		limit.Store(10_000)
		d.eng.Renew(nil)
		time.Sleep(time.Minute)
		w.wantMade(t, 3, 9)
	})
}

// wantMade counts the sessions with a model's recap, and the calls tried.
func (w *liveWorld) wantMade(t *testing.T, made, calls int) {
	t.Helper()
	synctest.Wait()
	n := 0
	for _, id := range w.names {
		r, ok := w.record(id)
		if !ok || r.Recap == "" {
			t.Errorf("%s has no recap", id)
		}
		if r.Source == recap.FromModel {
			n++
		}
	}
	if n != made || w.called() != calls {
		t.Errorf("%d by a model, want %d; %d calls tried, want %d", n, made, w.called(), calls)
	}
}
