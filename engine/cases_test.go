package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// E14: what a model says of one session is never shown or stored for another,
// and one session's call holds up no other's.
func TestE14_EachResultStaysWithItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const footer = "The footer shows the year on every page now."
		m := &model{say: func(_ context.Context, _ int, c outbound.Call) (llm.Response, error) {
			if c.Session.ID == "a" {
				time.Sleep(10 * time.Second) // in the bubble's time
				return reply(trueReply), nil
			}
			time.Sleep(time.Second)
			return reply(fields("recap", footer, "away", footer, "suggestion", "")), nil
		}}
		a := newAsker(t, m, nil)
		a.src.add("b", "/home/dev/src/shop", time.Hour, talk("b", "Show the year in the footer of every page, please.", footer)...)
		a.src.change("b", func(x *recap.Session) { x.Model = a.s.Model })
		b := a.find(t, "b")
		var wg sync.WaitGroup
		wg.Go(func() {
			if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || r.Session.Ref.ID != "a" || r.Record.Recap != trueRecap {
				t.Errorf("a: %v %s", r.Err, short(r.Record))
			}
		})
		synctest.Wait()
		begin := time.Now()
		if r := a.AskModel(t.Context(), b, engine.Ask{Fields: all()}); r.Err != nil || r.Session.Ref.ID != "b" || r.Record.Recap != footer {
			t.Errorf("b: %v %s", r.Err, short(r.Record))
		}
		if d := time.Since(begin); d != time.Second {
			t.Errorf("b waited %v for the call of a", d)
		}
		wg.Wait()
		for id, want := range map[string]string{"a": trueRecap, "b": footer} {
			rec, err := a.store.Record(t.Context(), recap.SessionRef{Agent: a.s.Ref.Agent, Root: a.s.Ref.Root, ID: id})
			if err != nil || rec.Recap != want {
				t.Errorf("stored for %s: %s (%v)", id, short(&rec), err)
			}
		}
	})
}

// E34, E35: of all that an agent puts into a session, the model is given the
// talk alone.
func TestE34E35_NothingInjectedReachesTheModel(t *testing.T) {
	text := func(s string) recap.Part { return recap.Part{Kind: recap.PartText, Text: s} }
	for _, c := range []struct{ name, ask, answer string }{
		{"E34 a request", loginAsk, loginAnswer},
		{"E35 one word", "hi", "Hello! What shall we work on?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			records := talk("a", c.ask, c.answer)
			records[0].Parts = append([]recap.Part{
				{Kind: recap.PartText, Text: "PLANTED skills: pdf, xlsx, deploy", Synthetic: true},
				{Kind: recap.PartText, Text: "PLANTED notice", Ignored: true},
				text("<system-reminder>PLANTED reminder</system-reminder>"),
			}, records[0].Parts...)
			records[1].Parts = append([]recap.Part{
				{Kind: recap.PartReasoning, Text: "PLANTED thought"},
				{Kind: recap.PartTool, Tool: &recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "cat PLANTED", Output: "PLANTED output"}},
				text("<think>PLANTED thought</think>"),
			}, records[1].Parts...)
			m := says(fields("recap", c.answer, "away", c.answer, "suggestion", ""))
			a := newAsker(t, m, nil, records...)
			if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil && recap.CodeOf(r.Err) != recap.CodeGuarded {
				t.Fatal(r.Err)
			}
			calls := m.sent()
			if len(calls) == 0 || !strings.Contains(calls[0].Prompt, "<asked>\n"+c.ask) || !strings.Contains(calls[0].Prompt, c.answer) {
				t.Fatalf("%d calls, or the talk is not in them", len(calls))
			}
			for _, call := range calls {
				if s := call.System + call.Prompt; strings.Contains(s, "PLANTED") || strings.Contains(s, "system-reminder") {
					t.Errorf("it was sent:\n%s", s)
				}
			}
		})
	}
}

// E49b: of a rejected attempt and its retry one line is shown, and the model to
// which the session was switched just before is the one that is asked.
func TestE49b_OneLineAndTheNewModel(t *testing.T) {
	m := says(recapOnly(tongues()[0].answer), recapOnly(trueRecap))
	a := newAsker(t, m, func(k *engine.Asking) {
		k.Own = append(k.Own, llm.Provider{ID: "openai", Protocol: llm.OpenAI, BaseURL: "https://api.openai.com/v1", Key: llm.NewKey("sk-made-too"), Origin: "config"})
	})
	a.src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "openai", ID: "gpt-5.5"} })
	r := a.AskModel(t.Context(), a.find(t, "a"), engine.Ask{Fields: twoFields()})
	if r.Err != nil || r.Record.Recap != trueRecap || r.Record.Model == nil || r.Record.Model.Provider != "openai" {
		t.Fatalf("%v %s", r.Err, short(r.Record))
	}
	calls := m.sent()
	if len(calls) != 2 {
		t.Fatalf("%d calls", len(calls))
	}
	for _, c := range calls {
		if c.Provider.ID != "openai" {
			t.Errorf("%s was asked", c.Provider.ID)
		}
	}
}

// E54: that an earlier turn was stopped and that a question is open is told to
// the model.
func TestE54_TheModelKnowsWhatIsUnfinished(t *testing.T) {
	records := talk("a", "Rename the table of users.", "I began to rename it.", loginAsk, loginAnswer+" Shall I add it?")
	records[1].Interrupted, records[1].Finish = true, ""
	m := says(trueReply)
	a := newAsker(t, m, nil, records...)
	a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
	calls := m.sent()
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	for _, want := range []string{"<answered unfinished>\nI began to rename it.", "<answered>\n" + loginAnswer, "status: " + string(recap.StatusWaitingAnswer)} {
		if !strings.Contains(calls[0].Prompt, want) {
			t.Errorf("no %q in\n%s", want, calls[0].Prompt)
		}
	}
}

// E58: a new message hides the recap of the answer before it, with no daemon
// that could have deleted it. E59: a marker after the answer hides nothing.
func TestE58E59_WhatHidesARecap(t *testing.T) {
	for _, c := range []struct {
		name string
		more recap.Message
		keep bool
	}{
		{"E58 a new message", talk("n", "Now the footer, please.")[0], false},
		{"E59 an idle marker", recap.Message{ID: "n", Role: recap.RoleService, Created: noon}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAsker(t, says(trueReply), nil)
			if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil {
				t.Fatal(r.Err)
			}
			c.more.Created = noon
			a.src.add("a", "/home/dev/src/shop", 0, append(login("a", edit("src/login.go")), c.more)...)
			a.src.change("a", func(x *recap.Session) { x.Stamp = "2" })
			for _, r := range []engine.Result{a.Recap(t.Context(), a.find(t, "a")), a.list(t, engine.Query{})[0]} {
				kept := r.Fresh && r.Record.Recap == trueRecap && r.Record.Suggestion == trueNext
				if kept != c.keep || !c.keep && (strings.Contains(r.Record.Recap+r.Record.Away, "Login works") || r.Record.Suggestion != "") {
					t.Errorf("fresh %v, %s", r.Fresh, short(r.Record))
				}
			}
		})
	}
}

// E66: a background call is in the log with its model and what it used, and
// with none of its words (E67).
func TestE66_BackgroundCallsAreInTheLog(t *testing.T) {
	var log bytes.Buffer
	a, srv := wired(t, llm.OpenAI, nil)
	srv.Answer(llmtest.Reply{Text: trueReply, Input: 1000, Output: 50})
	logged := engine.New(engine.Options{
		Sources: []agent.Source{a.src}, Store: a.store, Now: func() time.Time { return noon }, Log: slog.New(slog.NewTextHandler(&log, nil)),
		Asking: func() *engine.Asking {
			return &engine.Asking{
				Sender: outbound.New(outbound.Options{Client: open, Ledger: a.store, Now: func() time.Time { return noon }, Caps: store.NoCaps}), Catalogue: llm.Catalogue(),
				Own: []llm.Provider{srv.Provider(llm.OpenAI)}, Env: func(string) string { return "" }, Owner: "logged:3",
			}
		},
	})
	if r := logged.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), Background: true}); r.Err != nil {
		t.Fatal(r.Err)
	}
	for _, want := range []string{"provider=openai", "model=" + smallOf(llm.OpenAI), "inputTokens=1000", "outputTokens=50", "session=a"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %s in the log:\n%s", want, log.String())
		}
	}
	for _, text := range []string{"plus", "Login", "login", llmtest.Key} {
		if strings.Contains(log.String(), text) {
			t.Errorf("%q in the log:\n%s", text, log.String())
		}
	}
}

// H6: the cap of the day is reached in the middle of ten recaps in the
// background: the rest are refused before the call and show the free recap, the
// journal says why, and on the next day they are made.
func TestH6_CapInTheMiddleOfTen(t *testing.T) {
	now := noon
	a, srv := wired(t, llm.OpenAI, func(o *outbound.Options) {
		o.Caps = store.Caps{DayTokens: 12_000, DayUSD: -1, SessionTokens: -1}
		o.Now = func() time.Time { return now }
	})
	srv.Answer(llmtest.Reply{Text: trueReply, Input: 2000, Output: 50})
	var refused []recap.Session
	made := 0
	for i := range 10 {
		id := fmt.Sprint("t", i)
		a.src.add(id, "/home/dev/src/shop", time.Hour, login(id, edit("src/login.go"))...)
		a.src.change(id, func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "openai", ID: "the-large-one"} })
		s := a.find(t, id)
		before := srv.Count()
		r := a.AskModel(t.Context(), s, engine.Ask{Fields: all(), Background: true})
		switch recap.CodeOf(r.Err) {
		case "":
			made++
			if len(refused) > 0 || r.Record.Source != recap.FromModel {
				t.Errorf("%s after a refusal: %s", id, short(r.Record))
			}
		case recap.CodeBudget:
			refused = append(refused, s)
			if srv.Count() != before {
				t.Error("refused after the call")
			}
			if r.Record == nil || r.Record.Source != recap.Extractive || r.Record.Recap == "" || !r.Fresh {
				t.Errorf("no free recap: %s", short(r.Record))
			}
			_, ds, err := a.Why(t.Context(), s)
			if err != nil || len(ds) == 0 || ds[0].Code != recap.CodeBudget || !strings.Contains(gateOf(ds[0], "reason"), "budget") {
				t.Errorf("why: %+v, %v", ds, err)
			}
		default:
			t.Fatal(r.Err)
		}
	}
	if made == 0 || made == 10 || srv.Count() != made {
		t.Fatalf("%d made, %d refused, %d requests", made, len(refused), srv.Count())
	}
	// The same tails, a day on: nothing parked them.
	now, a.now = now.Add(24*time.Hour), a.now.Add(24*time.Hour)
	if r := a.AskModel(t.Context(), refused[0], engine.Ask{Fields: all(), Background: true}); r.Err != nil || r.Record.Source != recap.FromModel {
		t.Errorf("the next day: %v %s", r.Err, short(r.Record))
	}
}

// The time of a call, through all that stands around it: 120 s where nobody
// waits, 55 s for a person.
func TestTimeOfACall(t *testing.T) {
	for background, want := range map[bool]time.Duration{true: 120 * time.Second, false: 55 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			a := bubble(t, nil)
			hangs := outbound.New(outbound.Options{
				Client: func(llm.Provider) (llm.Client, error) { return hanging{}, nil }, Ledger: a.store, Now: time.Now, Caps: store.NoCaps,
			})
			m := &model{say: func(ctx context.Context, _ int, c outbound.Call) (llm.Response, error) { return hangs.Send(ctx, c) }}
			a = bubble(t, m)
			begin := time.Now()
			r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), Background: background})
			if d := time.Since(begin); d != want || recap.CodeOf(r.Err) != recap.CodeTimeout || len(m.sent()) != 1 {
				t.Errorf("background %v: ended after %v with %v, %d calls", background, d, r.Err, len(m.sent()))
			}
		})
	}
}

// hanging is a client that never answers.
type hanging struct{}

func (hanging) Complete(ctx context.Context, _ llm.Request) (llm.Response, error) {
	<-ctx.Done()
	return llm.Response{}, ctx.Err()
}
