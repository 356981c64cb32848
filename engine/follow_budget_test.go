package engine_test

import (
	"context"
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
