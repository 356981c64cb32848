package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// limited is a provider that refuses for so long.
func limited(code recap.Code, rest time.Duration) error {
	return &llm.Error{Code: code, Provider: "anthropic", Status: 429, Reset: time.Now().Add(rest)}
}

// quietly has a session go on and go quiet, and waits for what comes of it.
func (w *liveWorld) quietly(id string) {
	w.prompt(id)
	w.finish(id)
	time.Sleep(2 * time.Minute)
	synctest.Wait()
}

func TestFollow_ARestartHeedsTheProvidersReset(t *testing.T) {
	for _, tt := range []struct {
		name string
		code recap.Code
		rest time.Duration
		// early is when the provider is still left alone, late when it is asked.
		early, late time.Duration
	}{
		{"a limit", recap.CodeRateLimited, 30 * time.Minute, 20 * time.Minute, 31 * time.Minute},
		{"a provider that is overloaded", recap.CodeModelUnavailable, 30 * time.Minute, 20 * time.Minute, 31 * time.Minute},
		{"no word is believed for longer than a day", recap.CodeRateLimited, 20 * 24 * time.Hour, 23 * time.Hour, 25 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			follow(t, 3, func(t *testing.T, w *liveWorld, d *daemon) {
				w.model = func(_ context.Context, n int, _ string) (llm.Response, error) {
					if n == 1 {
						return llm.Response{}, limited(tt.code, tt.rest)
					}
					return llm.Response{}, nil
				}
				w.quietly("s1")
				refused := time.Now()
				if w.called() != 1 {
					t.Fatalf("%d calls", w.called())
				}
				d.kill()
				two := w.start("two", 0)
				defer two.end()
				synctest.Wait()
				w.quietly("s2")
				if w.called() != 1 {
					t.Fatalf("%d calls: a restart forgot the rest", w.called())
				}
				if r, ok := w.record("s2"); !ok || r.Source != recap.Extractive {
					t.Errorf("%s: no free recap meanwhile", short(&r))
				}
				why, err := w.store.Decisions(t.Context(), w.sessions["s2"].ses.Ref, 1)
				if err != nil || why[0].Code != recap.CodeRateLimited || !strings.Contains(gateOf(why[0], "reason"), "asked to wait until") {
					t.Errorf("why: %+v, %v", why, err)
				}
				time.Sleep(time.Until(refused.Add(tt.early)))
				w.quietly("s3")
				if w.called() != 1 {
					t.Fatalf("%d calls before the reset", w.called())
				}
				time.Sleep(time.Until(refused.Add(tt.late)))
				w.quietly("s1")
				w.wantModel(t, "s1", 2)
			})
		})
	}
}

// Two daemons share a store: what one is told the other heeds.
func TestFollow_AnotherDaemonHeedsTheProvidersReset(t *testing.T) {
	follow(t, 2, func(t *testing.T, w *liveWorld, d *daemon) {
		w.model = func(context.Context, int, string) (llm.Response, error) {
			return llm.Response{}, limited(recap.CodeRateLimited, time.Hour)
		}
		two := w.start("two", 0)
		synctest.Wait()
		w.quietly("s1")
		if w.called() != 1 {
			t.Fatalf("%d calls", w.called())
		}
		w.mu.Lock()
		told, other := w.caller, two
		w.mu.Unlock()
		if told == two {
			other = d
		}
		told.kill()
		defer other.end()
		w.quietly("s2")
		if w.called() != 1 {
			t.Errorf("%d calls: the other daemon asked too", w.called())
		}
	})
}

// The clock was years ahead when the provider named its time.
func TestFollow_AClockSetBackEndsARest(t *testing.T) {
	follow(t, 1, func(t *testing.T, w *liveWorld, _ *daemon) {
		ahead := time.Now().AddDate(3, 0, 0)
		if err := store.SetRest(t.Context(), w.store, "anthropic", store.Rest{Since: ahead, Until: ahead.Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		w.quietly("s1")
		w.wantModel(t, "s1", 1)
	})
}

// writes counts what is written of rests.
type writes struct {
	store.Store
	n int
}

func (w *writes) SetMark(ctx context.Context, name, scope, value string) error {
	if name == store.MarkResting {
		w.n++
	}
	return w.Store.SetMark(ctx, name, scope, value)
}

// sending is one call by a Sender over a store.
func sending(t *testing.T, marks store.Marks, background bool, say func() error) error {
	t.Helper()
	m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) { return llm.Response{}, say() }}
	_, err := engine.Resting(m, marks, time.Now, nil).Send(t.Context(), outbound.Call{Provider: ownProvider(), Background: background})
	if len(m.sent()) != 1 {
		t.Fatalf("%d calls", len(m.sent()))
	}
	return err
}

func TestResting_OnlyARefusalWrites(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		err    func() error
		writes int
	}{
		{"an answer", func() error { return nil }, 0},
		{"a limit without a time", func() error { return &llm.Error{Code: recap.CodeRateLimited, Provider: "anthropic"} }, 0},
		{"a limit", func() error { return limited(recap.CodeRateLimited, time.Minute) }, 1},
		{"an overload", func() error { return limited(recap.CodeModelUnavailable, time.Minute) }, 1},
		{"a bad gateway", func() error { return limited(recap.CodeProviderError, time.Minute) }, 1},
		{"a key that is wrong is not a matter of time", func() error { return limited(recap.CodeNoLogin, time.Minute) }, 0},
		{"nor is a request that is", func() error { return limited(recap.CodeInvalidRequest, time.Minute) }, 0},
		{"a server that loads its model", func() error {
			return &llm.Error{Code: recap.CodeModelUnavailable, Provider: "anthropic", Loading: true, Reset: time.Now().Add(time.Minute)}
		}, 0},
		{"a cap", func() error { return &store.OverBudget{Until: time.Now().Add(time.Minute)} }, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, background := range []bool{true, false} {
				w := &writes{Store: memory.New()}
				want := tt.err()
				if err := sending(t, w, background, func() error { return want }); !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
				if w.n != tt.writes {
					t.Errorf("background %v: %d writes", background, w.n)
				}
			}
		})
	}
}

// A person's call is made while the provider rests, and what comes of it counts
// for the background.
func TestResting_APersonsCall(t *testing.T) {
	follow(t, 3, func(t *testing.T, w *liveWorld, _ *daemon) {
		refuse := func() error { return limited(recap.CodeRateLimited, time.Hour) }
		if err := sending(t, w.store, false, refuse); recap.CodeOf(err) != recap.CodeRateLimited {
			t.Fatal(err)
		}
		w.quietly("s1")
		if w.called() != 0 {
			t.Fatalf("%d calls: what a person's call was told is not heeded", w.called())
		}
		// It is said to another call while one is under way: that holds.
		if err := sending(t, w.store, false, func() error {
			time.Sleep(time.Second)
			return sending(t, w.store, true, func() error {
				_ = sending(t, w.store, true, refuse)
				return nil
			})
		}); err != nil {
			t.Fatal(err)
		}
		w.quietly("s2")
		if w.called() != 0 {
			t.Fatalf("%d calls: an older call ended a newer rest", w.called())
		}
		if err := sending(t, w.store, false, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		w.quietly("s3")
		w.wantModel(t, "s3", 1)
	})
}

// A call that only a setting asks for leaves a provider alone that rests.
func TestAskOnceLeavesAProviderThatRestsAlone(t *testing.T) {
	t.Parallel()
	m := says(trueReply)
	a := newAsker(t, m, nil)
	now := a.now
	rest := func(until time.Duration) {
		t.Helper()
		if err := store.SetRest(t.Context(), a.store, "anthropic", store.Rest{Since: now, Until: now.Add(until)}); err != nil {
			t.Fatal(err)
		}
	}
	rest(time.Hour)
	ask := engine.Ask{Fields: all(), Once: true}
	a.wantFree(t, a.AskModel(t.Context(), a.s, ask), recap.CodeRateLimited)
	if n := len(m.sent()); n != 0 {
		t.Fatalf("%d calls", n)
	}
	rest(0)
	r := a.AskModel(t.Context(), a.s, ask)
	if r.Err != nil || r.Record == nil || r.Record.Source != recap.FromModel || len(m.sent()) != 1 {
		t.Fatalf("%v %s, %d calls", r.Err, short(r.Record), len(m.sent()))
	}
	// What a model wrote serves, and the provider is of no matter.
	rest(time.Hour)
	if r := a.AskModel(t.Context(), a.s, ask); r.Err != nil || r.Record == nil || r.Record.Source != recap.FromModel || len(m.sent()) != 1 {
		t.Fatalf("%v %s, %d calls", r.Err, short(r.Record), len(m.sent()))
	}
	// One that is asked for by name is made.
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || len(m.sent()) != 2 {
		t.Errorf("%v, %d calls", r.Err, len(m.sent()))
	}
}

// A key that a provider did not accept is not tried again for every session.
func TestResting_ARefusedKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refuse := func(status int) error {
			return &llm.Error{Code: recap.CodeNoLogin, Provider: "anthropic", Status: status, Detail: "bad key"}
		}
		var answer error
		m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) { return llm.Response{}, answer }}
		st := &writes{Store: memory.New()}
		s := engine.Resting(m, st, time.Now, nil)
		call := func(what string, p llm.Provider, background bool, asked bool) {
			t.Helper()
			before := len(m.sent())
			_, err := s.Send(t.Context(), outbound.Call{Provider: p, Background: background})
			if got := len(m.sent()) > before; got != asked {
				t.Errorf("%s: asked %v", what, got)
			}
			if want := recap.CodeOf(answer); asked && recap.CodeOf(err) != want || !asked && (recap.CodeOf(err) != recap.CodeNoLogin || recap.HintOf(err) == "") {
				t.Errorf("%s: %v", what, err)
			}
		}
		own, other, elsewhere, second := ownProvider(), ownProvider(), ownProvider(), ownProvider()
		other.Key, elsewhere.BaseURL, second.ID = llm.NewKey("another-made-for-tests"), "https://example.com", "openai"
		answer = refuse(401)
		call("the first", own, true, true)
		call("another session's", own, true, false)
		call("another provider's", second, true, true)
		call("a person's", own, false, true)
		answer = nil
		call("another key", other, true, true)
		call("the old key, of which the answer to the other says nothing", own, true, true)
		answer = refuse(403)
		call("a key that may do nothing", own, true, true)
		call("another address", elsewhere, true, true)
		call("back at the first", own, true, true)
		call("at once", own, true, false)
		time.Sleep(engine.KeyRest - time.Second)
		call("a moment before its time", own, true, false)
		time.Sleep(time.Second)
		call("at its time", own, true, true)
		call("refused again", own, true, false)
		answer = nil
		call("a person's, answered", own, false, true)
		call("after that", own, true, true)
		answer = refuse(0) // nobody was asked: there is no key
		call("no key", own, true, true)
		call("no key, again", own, true, true)
		if st.n != 0 {
			t.Errorf("%d writes", st.n)
		}
	})
}
