package engine_test

import (
	"errors"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// ledgered fails unless each request that the server saw is settled in the
// ledger and stands in the egress log, and nothing else does.
func ledgered(t *testing.T, a *asker, srv *llmtest.Server) (tokens int64) {
	t.Helper()
	entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
	sent, serr := a.store.Egress(t.Context(), time.Time{}, 0)
	if n := srv.Count(); err != nil || serr != nil || len(entries) != n || len(sent) != n {
		t.Errorf("%d requests, %d in the ledger, %d in the egress log (%v, %v)", n, len(entries), len(sent), err, serr)
	}
	for _, e := range entries {
		if e.Settled == nil || !e.Settled.Sent {
			t.Errorf("entry %d is not settled: %+v", e.ID, e.Settled)
		}
		tokens += e.Tokens()
	}
	return tokens
}

// estimate is what one call about the session is booked at.
func (a *asker) estimate(t *testing.T) int64 {
	t.Helper()
	p := a.Plan(t.Context(), a.s, engine.Ask{Fields: all(), OverBudget: true})
	if p.Err != nil || p.Estimate.InputTokens == 0 {
		t.Fatalf("%v, estimate %+v", p.Err, p.Estimate)
	}
	return p.Estimate.InputTokens + p.Estimate.OutputTokens
}

// Each request of a call is booked by itself and held to the caps: the one
// without structured output, and the one in another language.
func TestTheSecondRequestIsHeldToTheCaps(t *testing.T) {
	refused := llmtest.Reply{Status: 400, Message: "Unknown parameter: 'response_format'"}
	foreign := llmtest.Reply{Text: recapOnly(tongues()[0].answer), Input: 1000, Output: 50}
	half := llmtest.Reply{Text: fields("recap", trueRecap, "away", tongues()[0].answer, "suggestion", ""), Input: 1000, Output: 50}
	for _, c := range []struct {
		name  string
		first llmtest.Reply
		room  int64 // tokens beside the estimate of one call
		ask   engine.Ask
		want  recap.Code
		asked int
		used  int64
		recap string // what a model wrote and is shown
	}{
		{"no structured output: what was refused costs nothing", refused, 0, engine.Ask{}, "", 2, 1050, trueRecap},
		{"no structured output: no room for the first", refused, -1, engine.Ask{}, recap.CodeBudget, 0, 0, ""},
		{"another language: room for both", foreign, 1150, engine.Ask{}, "", 2, 2100, trueRecap},
		{"another language: no room for the second", foreign, 100, engine.Ask{}, recap.CodeBudget, 1, 1050, ""},
		{"another language: no room for the second, in the background", foreign, 100, engine.Ask{Background: true}, recap.CodeBudget, 1, 1050, ""},
		{"another language: --over-budget", foreign, 100, engine.Ask{OverBudget: true}, "", 2, 2100, trueRecap},
		{"one field in another language: no room to ask for it again", half, 100, engine.Ask{}, "", 1, 1050, trueRecap},
	} {
		for _, by := range []string{store.CapDayTokens, store.CapSessionTokens} {
			t.Run(c.name+", "+by, func(t *testing.T) {
				caps := store.NoCaps
				a, _ := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = caps })
				limit := a.estimate(t) + c.room
				if by == store.CapDayTokens {
					caps.DayTokens = limit
				} else {
					caps.SessionTokens = limit
				}
				a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = caps })
				srv.Queue(c.first)
				srv.Answer(llmtest.Reply{Text: trueReply, Input: 1000, Output: 50})
				c.ask.Fields = all()
				r := a.AskModel(t.Context(), a.s, c.ask)
				if c.want != "" {
					a.wantFree(t, r, c.want)
				} else if r.Err != nil || r.Record.Recap != c.recap || r.Record.FieldSources[recap.FieldRecap] != recap.FromModel {
					t.Errorf("%v %s", r.Err, short(r.Record))
				}
				if srv.Count() != c.asked {
					t.Errorf("%d requests, want %d", srv.Count(), c.asked)
				}
				if used := ledgered(t, a, srv); used != c.used {
					t.Errorf("the ledger counts %d tokens, want %d", used, c.used)
				}
			})
		}
	}
}

// What another process spends between two requests of one call counts.
func TestTheSecondRequestSeesWhatOthersSpent(t *testing.T) {
	caps := store.NoCaps
	a, _ := wired(t, llm.OpenAI, nil)
	caps.DayTokens = a.estimate(t)
	a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = caps })
	wait := make(chan struct{})
	srv.Queue(llmtest.Reply{Status: 400, Message: "Unknown parameter: 'response_format'", Wait: wait})
	srv.Answer(llmtest.Reply{Text: trueReply, Input: 1000, Output: 50})
	done := make(chan engine.Result, 1)
	go func() { done <- a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}) }()
	<-srv.Arrived()
	other := store.Reservation{At: noon, Session: recap.SessionRef{Agent: recap.Codex, ID: "other"}, Provider: "p", Model: "m", InputTokens: 1}
	if _, err := a.store.Reserve(t.Context(), other, store.NoCaps); err != nil {
		t.Fatal(err)
	}
	close(wait)
	a.wantFree(t, <-done, recap.CodeBudget)
	entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
	if err != nil || srv.Count() != 1 || len(entries) != 2 {
		t.Errorf("%d requests, %d entries with the other's (%v)", srv.Count(), len(entries), err)
	}
}

// A dry run says what a cap would say, and books nothing.
func TestAPlanIsHeldToTheCaps(t *testing.T) {
	for _, c := range []struct {
		name string
		caps store.Caps
		ask  engine.Ask
		want string // the cap
	}{
		{"within", store.Caps{DayTokens: 500_000, DayUSD: 1, SessionTokens: 50_000}, engine.Ask{}, ""},
		{"none allowed", store.Caps{DayTokens: 0, DayUSD: -1, SessionTokens: -1}, engine.Ask{}, store.CapDayTokens},
		{"too few dollars", store.Caps{DayTokens: -1, DayUSD: 0.000001, SessionTokens: -1}, engine.Ask{}, store.CapDayUSD},
		{"used up by the session", store.Caps{DayTokens: -1, DayUSD: -1, SessionTokens: 1100}, engine.Ask{}, store.CapSessionTokens},
		{"--over-budget", store.Caps{}, engine.Ask{OverBudget: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) { o.Caps = c.caps })
			spent := store.Reservation{At: noon, Session: a.s.Ref, Provider: "p", Model: "m", InputTokens: 1000, CostUSD: new(float64)}
			if _, err := a.store.Reserve(t.Context(), spent, store.NoCaps); err != nil {
				t.Fatal(err)
			}
			c.ask.Fields = all()
			p := a.Plan(t.Context(), a.s, c.ask)
			srv.Answer(llmtest.Reply{Text: trueReply})
			if entries, err := a.store.Entries(t.Context(), time.Time{}, 0); err != nil || len(entries) != 1 || srv.Count() != 0 {
				t.Errorf("a plan booked or sent: %d entries, %d requests (%v)", len(entries), srv.Count(), err)
			}
			r := a.AskModel(t.Context(), a.s, c.ask)
			if c.want == "" {
				if p.Err != nil || r.Err != nil {
					t.Errorf("plan %v, call %v", p.Err, r.Err)
				}
				return
			}
			over, ok := errors.AsType[*store.OverBudget](p.Err)
			if !ok || over.Cap != c.want || p.Prompt.User == "" || p.Choice.Model == "" {
				t.Errorf("plan: %v", p.Err)
			}
			if r.Err == nil || p.Err == nil || r.Err.Error() != p.Err.Error() {
				t.Errorf("the plan says %v, the call %v", p.Err, r.Err)
			}
		})
	}
}
