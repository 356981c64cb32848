package engine_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/anthropic"
	"github.com/sessionrecap/recap/llm/gemini"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/llm/openai"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// open gives the real client of a provider's protocol.
func open(p llm.Provider) (llm.Client, error) {
	switch p.Protocol {
	case llm.OpenAI:
		return openai.New(p, nil), nil
	case llm.Anthropic:
		return anthropic.New(p, nil), nil
	case llm.Gemini:
		return gemini.New(p, nil), nil
	}
	return nil, errors.New("no such protocol")
}

func protocols() []llm.Protocol { return []llm.Protocol{llm.OpenAI, llm.Anthropic, llm.Gemini} }

// smallOf is a model of the vendor whose price is known.
func smallOf(p llm.Protocol) string {
	k, _ := llm.Catalogue().Provider(string(p))
	return k.Small
}

// wired is an asker with the real clients, the real outbound, and a database.
func wired(t *testing.T, p llm.Protocol, change func(*outbound.Options)) (*asker, *llmtest.Server) {
	t.Helper()
	return wiredAt(t, filepath.Join(t.TempDir(), "recap.db"), p, change)
}

// wiredAt is wired with the database at path.
func wiredAt(t *testing.T, path string, p llm.Protocol, change func(*outbound.Options)) (*asker, *llmtest.Server) {
	t.Helper()
	srv := llmtest.NewServer(t)
	st, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	now := func() time.Time { return noon }
	out := outbound.Options{Client: open, Ledger: st, Now: now, Caps: store.Caps{DayTokens: 500_000, DayUSD: 1, SessionTokens: 50_000}}
	if change != nil {
		change(&out)
	}
	src := newSource(recap.OpenCode, "/home/dev/.local/share/opencode")
	src.add("a", "/home/dev/src/shop", time.Hour, login("a", edit("src/login.go"))...)
	src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: string(p), ID: "the-large-one"} })
	k := &engine.Asking{
		Sender: outbound.New(out), Catalogue: llm.Catalogue(), Own: []llm.Provider{srv.Provider(p)},
		Env: func(string) string { return "" }, Owner: "this:1",
	}
	w := newWorld(t, func(o *engine.Options) {
		o.Store = st
		o.Asking = func() *engine.Asking { return k }
	}, agent.Source(src))
	return &asker{w, src, w.find(t, "a")}, srv
}

func TestAskModelOverTheWire(t *testing.T) {
	for _, p := range protocols() {
		t.Run(string(p), func(t *testing.T) {
			a, srv := wired(t, p, nil)
			srv.Answer(llmtest.Reply{Text: trueReply, Input: 1000, Output: 50, Cached: 100})
			r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
			if r.Err != nil || r.Record.Recap != trueRecap || r.Record.Suggestion != trueNext {
				t.Fatalf("%v %s", r.Err, short(r.Record))
			}
			if m := r.Record.Model; m.Provider != string(p) || m.ID != smallOf(p) {
				t.Errorf("model %v", m)
			}
			if u := r.Record.Usage; u.InputTokens != 1000 || u.OutputTokens != 50 || u.CachedTokens != 100 || u.CostUSD == nil || *u.CostUSD <= 0 {
				t.Errorf("usage %+v", u)
			}
			asked := srv.Last().Asked()
			if srv.Count() != 1 || asked.Model != smallOf(p) || asked.Tools || asked.Messages != 1 || !strings.Contains(asked.User, "plus sign") {
				t.Errorf("%d requests: %+v", srv.Count(), asked)
			}
			entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
			if err != nil || len(entries) != 1 || entries[0].Settled == nil || entries[0].Tokens() != 1050 || entries[0].Background {
				t.Errorf("ledger: %+v (%v)", entries, err)
			}
			sent, err := a.store.Egress(t.Context(), time.Time{}, 0)
			if err != nil || len(sent) != 1 || sent[0].Session != a.s.Ref || !strings.HasPrefix(srv.URL, "http://"+sent[0].Host) || sent[0].Characters == 0 {
				t.Errorf("egress: %+v (%v)", sent, err)
			}
			stored, err := a.store.Record(t.Context(), a.s.Ref)
			if err != nil || stored.Recap != trueRecap || stored.Model == nil || stored.Usage == nil || *stored.Usage.CostUSD != *r.Record.Usage.CostUSD {
				t.Errorf("stored: %s (%v)", short(&stored), err)
			}
		})
	}
}

func TestFailuresOverTheWire(t *testing.T) {
	for _, p := range protocols() {
		for _, c := range []struct {
			name string
			r    llmtest.Reply
			want recap.Code
		}{
			{"401", llmtest.Reply{Status: 401, Kind: "authentication_error", Message: "invalid x-api-key"}, recap.CodeNoLogin},
			{"429", llmtest.Reply{Status: 429, Kind: "rate_limit_error", Message: "slow down"}, recap.CodeRateLimited},
			{"500", llmtest.Reply{Status: 500, Message: "oops"}, recap.CodeProviderError},
			{"503", llmtest.Reply{Status: 503, Message: "overloaded"}, recap.CodeModelUnavailable},
			{"H5 a page", llmtest.Reply{Type: "text/html", Body: "<!DOCTYPE html><html><body>Sign in</body></html>"}, recap.CodeProviderError},
			{"H5 a notice", llmtest.Reply{Text: "You have reached your usage limit. Try again at 5pm."}, recap.CodeRateLimited},
			{"E50 reasoning ate the output", llmtest.Reply{Silent: true, Reasoning: "Hm.", Finish: map[llm.Protocol]string{llm.OpenAI: "length", llm.Anthropic: "max_tokens", llm.Gemini: "MAX_TOKENS"}[p]}, recap.CodeOutputExhausted},
			{"cut", llmtest.Reply{Cut: true}, recap.CodeProviderError},
			{"a secret in the failure", llmtest.Reply{Status: 401, Message: "bad key " + llmtest.Key}, recap.CodeNoLogin},
		} {
			t.Run(string(p)+" "+c.name, func(t *testing.T) {
				a, srv := wired(t, p, nil)
				srv.Answer(c.r)
				r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
				a.wantFree(t, r, c.want)
				if srv.Count() != 1 {
					t.Errorf("%d requests: one attempt", srv.Count())
				}
				if strings.Contains(r.Err.Error(), llmtest.Key) || strings.Contains(gateOf(a.decisions(t)[0], "reason"), llmtest.Key) {
					t.Error("the key is told")
				}
				entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
				if err != nil || len(entries) != 1 || entries[0].Settled == nil {
					t.Errorf("ledger: %+v (%v)", entries, err)
				}
			})
		}
	}
}

// The caller's context ends the socket in less than 50 ms, and nothing of the
// call stays.
func TestE68_CancelClosesTheSocket(t *testing.T) {
	for _, p := range protocols() {
		t.Run(string(p), func(t *testing.T) {
			a, srv := wired(t, p, nil)
			ignore := goleak.IgnoreCurrent()
			srv.Answer(llmtest.Reply{Hang: true})
			tries := 0
			for late := time.Hour; late > 50*time.Millisecond; tries++ {
				if tries == 5 {
					t.Fatalf("the socket closed after %v, and so in five tries", late)
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan engine.Result, 1)
				go func() { done <- a.AskModel(ctx, a.s, engine.Ask{Fields: all()}) }()
				<-srv.Arrived()
				cancelled := time.Now()
				cancel()
				select {
				case closed := <-srv.Left():
					late = closed.Sub(cancelled) // a busy machine may be late once, a slow program always is
				case <-time.After(10 * time.Second):
					t.Fatal("the socket stays open")
				}
				a.wantFree(t, <-done, recap.CodeCanceled)
			}
			if err := goleak.Find(ignore, goleak.IgnoreTopFunction("net/http.(*conn).serve")); err != nil {
				t.Error(err)
			}
			entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
			if err != nil || len(entries) != tries || entries[0].Settled == nil || !entries[0].Settled.Sent || entries[0].Tokens() == 0 {
				t.Errorf("what was sent counts: %+v (%v)", entries, err)
			}
			// Nothing holds the session.
			srv.Answer(llmtest.Reply{Text: trueReply})
			if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil {
				t.Error(r.Err)
			}
		})
	}
}

func TestBudget(t *testing.T) {
	none := func(o *outbound.Options) { o.Caps = store.Caps{} }
	for _, c := range []struct {
		name string
		caps func(*outbound.Options)
		ask  engine.Ask
		want recap.Code
	}{
		{"manual is refused too", none, engine.Ask{Fields: all()}, recap.CodeBudget},
		{"background", none, engine.Ask{Fields: all(), Background: true}, recap.CodeBudget},
		{"--over-budget goes through", none, engine.Ask{Fields: all(), OverBudget: true}, ""},
		{"background can't go over", none, engine.Ask{Fields: all(), Background: true, OverBudget: true}, recap.CodeBudget},
		{"too few dollars", func(o *outbound.Options) { o.Caps = store.Caps{DayTokens: -1, DayUSD: 0.000001, SessionTokens: -1} }, engine.Ask{Fields: all()}, recap.CodeBudget},
		{"within", nil, engine.Ask{Fields: all()}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, srv := wired(t, llm.OpenAI, c.caps)
			srv.Answer(llmtest.Reply{Text: trueReply})
			r := a.AskModel(t.Context(), a.s, c.ask)
			if c.want == "" {
				if r.Err != nil || srv.Count() != 1 {
					t.Fatalf("%v, %d requests", r.Err, srv.Count())
				}
				return
			}
			a.wantFree(t, r, c.want)
			if srv.Count() != 0 {
				t.Errorf("%d requests", srv.Count())
			}
			if !strings.Contains(recap.HintOf(r.Err), "--over-budget") {
				t.Errorf("no way round it: %q", recap.HintOf(r.Err))
			}
		})
	}
}

// A local server without a key costs nothing, so a cap of 0 dollars lets it go.
func TestBudgetOfZeroDollarsAllowsALocalServer(t *testing.T) {
	for _, local := range []bool{true, false} {
		a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = store.Caps{DayTokens: -1, DayUSD: 0, SessionTokens: -1} })
		p := srv.Provider(llm.OpenAI)
		if local {
			p.Key, p.Keyless = llm.Key{}, true
		}
		k := a.again(t, p)
		srv.Answer(llmtest.Reply{Text: trueReply})
		r := k.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
		switch {
		case local && (r.Err != nil || r.Record.Usage.CostUSD == nil || *r.Record.Usage.CostUSD != 0):
			t.Errorf("%v %+v", r.Err, r.Record.Usage)
		case !local && recap.CodeOf(r.Err) != recap.CodeBudget:
			t.Errorf("a server with a key: %v", r.Err)
		}
	}
}

// again is another process on the same store, with another provider.
func (a *asker) again(t *testing.T, p llm.Provider) *world {
	t.Helper()
	return newWorld(t, func(o *engine.Options) {
		o.Store = a.store
		o.Asking = func() *engine.Asking {
			return &engine.Asking{
				Sender:    outbound.New(outbound.Options{Client: open, Ledger: a.store, Now: func() time.Time { return noon }, Caps: store.Caps{DayTokens: -1, DayUSD: 0, SessionTokens: -1}}),
				Catalogue: llm.Catalogue(), Own: []llm.Provider{p}, Env: func(string) string { return "" }, Owner: "another:2",
			}
		}
	}, agent.Source(a.src))
}

func TestRedactionFailingSendsNothing(t *testing.T) {
	a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) {
		o.Redact = func(string) (string, int, error) { return "", 0, errors.New("broken") }
	})
	a.wantFree(t, a.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), OverBudget: true}), recap.CodeRedaction)
	if srv.Count() != 0 {
		t.Errorf("%d requests", srv.Count())
	}
}

// A secret of the session is in no request and in no plan.
func TestSecretsStay(t *testing.T) {
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	a, srv := wired(t, llm.OpenAI, nil)
	a.src.add("a", "/home/dev/src/shop", time.Hour, talk("a", loginAsk+" The token is "+secret+".", loginAnswer+" I used "+secret+".")...)
	a.src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "openai", ID: "the-large-one"} })
	a.s = a.find(t, "a")
	p := a.Plan(t.Context(), a.s, engine.Ask{Fields: all()})
	if p.Err != nil || p.Redactions < 2 || strings.Contains(p.Prompt.User, secret) {
		t.Errorf("plan: %v, %d redactions", p.Err, p.Redactions)
	}
	srv.Answer(llmtest.Reply{Text: fields("recap", "The token is "+secret+".", "away", trueAway)})
	r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
	if srv.Count() != 1 || srv.Last().Holds(secret) {
		t.Errorf("%d requests, %v", srv.Count(), r.Err)
	}
	if asked := srv.Last().Asked(); asked.User != p.Prompt.User || asked.System != p.Prompt.System {
		t.Error("the dry run shows other bytes than those that left")
	}
	stored, err := a.store.Record(t.Context(), a.s.Ref)
	if err != nil || strings.Contains(stored.Recap+stored.Away, secret) {
		t.Errorf("stored: %s (%v)", short(&stored), err)
	}
}

// H7: two processes, one store, one session: one call.
func TestH7_TwoProcesses(t *testing.T) {
	a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = store.NoCaps })
	wait := make(chan struct{})
	srv.Answer(llmtest.Reply{Text: trueReply, Wait: wait})
	p := srv.Provider(llm.OpenAI)
	p.Key, p.Keyless = llm.Key{}, true
	other := a.again(t, p)
	done := make(chan engine.Result, 1)
	go func() { done <- a.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), Background: true}) }()
	<-srv.Arrived()
	if r := other.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), Background: true}); recap.CodeOf(r.Err) != recap.CodeBusy || r.Record == nil {
		t.Errorf("%v", r.Err)
	}
	close(wait)
	if r := <-done; r.Err != nil || r.Record.Recap != trueRecap {
		t.Errorf("%v %s", r.Err, short(r.Record))
	}
	// After it, the other finds the record.
	if r := other.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), Background: true}); r.Err != nil || r.Record.Recap != trueRecap {
		t.Errorf("%v %s", r.Err, short(r.Record))
	}
	if srv.Count() != 1 {
		t.Errorf("%d requests", srv.Count())
	}
}
