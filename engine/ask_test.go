package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

func TestAskModel(t *testing.T) {
	m := says(trueReply)
	a := newAsker(t, m, nil)
	r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
	if r.Err != nil || r.Record == nil || !r.Fresh {
		t.Fatalf("%v, %s", r.Err, short(r.Record))
	}
	rec := r.Record
	if rec.Recap != trueRecap || rec.Away != trueAway || rec.Suggestion != trueNext {
		t.Errorf("texts: %q, %q, %q", rec.Recap, rec.Away, rec.Suggestion)
	}
	for _, f := range all() {
		if rec.FieldSources[f] != recap.FromModel {
			t.Errorf("%s is from %q", f, rec.FieldSources[f])
		}
	}
	if rec.FieldSources[recap.FieldDigest] != recap.Extractive || rec.Digest == "" {
		t.Error("a field that was not asked for stays free")
	}
	if rec.Source != recap.FromModel || rec.Model == nil || rec.Model.Provider != "anthropic" || !strings.Contains(rec.Model.ID, "haiku") {
		t.Errorf("source %s, model %v", rec.Source, rec.Model)
	}
	if rec.Usage == nil || rec.Usage.InputTokens != 900 || rec.Usage.OutputTokens != 60 || rec.Usage.CostUSD == nil || *rec.Usage.CostUSD <= 0 {
		t.Errorf("usage %+v", rec.Usage)
	}
	if !slices.ContainsFunc(rec.Receipts, func(x recap.Receipt) bool { return x.Field == recap.FieldRecap && x.MessageID != "" }) {
		t.Errorf("no receipts of the recap: %+v", rec.Receipts)
	}
	for _, x := range rec.Receipts {
		if strings.TrimLeft(x.Claim, ".,;: ") != x.Claim {
			t.Errorf("a claim begins with a sign: %q", x.Claim)
		}
	}
	stored, err := a.store.Record(t.Context(), a.s.Ref)
	if err != nil || stored.Recap != trueRecap || stored.Source != recap.FromModel || stored.Usage == nil {
		t.Errorf("stored: %s (%v)", short(&stored), err)
	}
	d := a.decisions(t)[0]
	if d.Action != "made-by-model" || d.Code != "" || !strings.Contains(gateOf(d, "model"), "haiku") || gateOf(d, "tokens") != "900 in, 60 out" {
		t.Errorf("journal: %+v", d)
	}
	calls := m.sent()
	if len(calls) != 1 || !calls[0].Permitted || calls[0].Background || calls[0].Session != a.s.Ref || calls[0].Temperature != 0.3 {
		t.Fatalf("calls: %+v", calls)
	}
	// The claim is given up.
	if err := a.store.Claim(t.Context(), store.Claim{Session: a.s.Ref, Owner: "other:2", Fingerprint: "x"}, noon, time.Second); err != nil {
		t.Errorf("the claim: %v", err)
	}
}

func TestModelRecordLivesAsLongAsItsTail(t *testing.T) {
	m := says(trueReply)
	a := newAsker(t, m, nil)
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil {
		t.Fatal(r.Err)
	}
	// The file changed, what was said did not.
	a.src.change("a", func(x *recap.Session) { x.Stamp = "2" })
	r := a.Recap(t.Context(), a.find(t, "a"))
	if r.Err != nil || r.Record.Source != recap.FromModel || r.Record.Suggestion != trueNext || r.Stored {
		t.Fatalf("a listing anew lost it: %s (%v)", short(r.Record), r.Err)
	}
	rows := a.list(t, engine.Query{})
	if len(rows) != 1 || rows[0].Record.Recap != trueRecap {
		t.Fatalf("list: %d, %s", len(rows), short(rows[0].Record))
	}
	// The session moved.
	a.src.add("a", "/home/dev/src/shop", time.Minute, append(login("a"), talk("b", "And the footer?", "The footer is green now.")...)...)
	r = a.Recap(t.Context(), a.find(t, "a"))
	if r.Err != nil || r.Record.Source != recap.Extractive || r.Record.Suggestion != "" || r.Record.Model != nil || r.Record.Usage != nil {
		t.Fatalf("a new tail shows the old recap: %s (%v)", short(r.Record), r.Err)
	}
	if len(m.sent()) != 1 {
		t.Errorf("%d calls", len(m.sent()))
	}
}

func TestE9_SameTail(t *testing.T) {
	for _, c := range []struct {
		name string
		ask  engine.Ask
		want int
	}{
		{"manual asks anew", engine.Ask{Fields: all()}, 2},
		{"once does not", engine.Ask{Fields: all(), Once: true}, 1},
		{"background does not", engine.Ask{Fields: all(), Background: true}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := says(trueReply)
			a := newAsker(t, m, nil)
			for range 2 {
				r := a.AskModel(t.Context(), a.s, c.ask)
				if r.Err != nil || r.Record.Recap != trueRecap || r.Record.Source != recap.FromModel {
					t.Fatalf("%v %s", r.Err, short(r.Record))
				}
			}
			if n := len(m.sent()); n != c.want {
				t.Errorf("%d calls, want %d", n, c.want)
			}
		})
	}
}

func TestE13_TwoAtOnceMakeOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
			time.Sleep(2 * time.Second) // in the bubble's time
			return reply(trueReply), nil
		}}
		a := newAsker(t, m, nil)
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || r.Record.Recap != trueRecap {
					t.Errorf("%v %s", r.Err, short(r.Record))
				}
			})
		}
		wg.Wait()
		if n := len(m.sent()); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}

// One that wants more than the call that runs gets it, one after the other.
func TestE13_AnotherWishIsNotAnsweredByTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
			time.Sleep(time.Second)
			return reply(trueReply), nil
		}}
		a := newAsker(t, m, nil)
		var wg sync.WaitGroup
		wg.Go(func() { a.AskModel(t.Context(), a.s, engine.Ask{Fields: []recap.Field{recap.FieldRecap}}) })
		synctest.Wait()
		r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
		wg.Wait()
		if r.Err != nil || r.Record.Suggestion != trueNext || len(m.sent()) != 2 {
			t.Errorf("%v %s, %d calls", r.Err, short(r.Record), len(m.sent()))
		}
	})
}

func TestE13_OneThatStopsLeavesTheOtherItsRecap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(ctx context.Context, n int, _ outbound.Call) (llm.Response, error) {
			if n == 0 {
				<-ctx.Done()
				return llm.Response{}, &llm.Error{Code: recap.CodeCanceled, Err: ctx.Err()}
			}
			return reply(trueReply), nil
		}}
		a := newAsker(t, m, nil)
		first, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			a.wantFreeLater(t, a.AskModel(first, a.s, engine.Ask{Fields: all()}))
		})
		synctest.Wait()
		var second engine.Result
		wg.Go(func() { second = a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}) })
		synctest.Wait()
		stop()
		wg.Wait()
		if second.Err != nil || second.Record.Recap != trueRecap || len(m.sent()) != 2 {
			t.Errorf("%v %s, %d calls", second.Err, short(second.Record), len(m.sent()))
		}
	})
}

func (a *asker) wantFreeLater(t *testing.T, r engine.Result) {
	t.Helper()
	if recap.CodeOf(r.Err) != recap.CodeCanceled || r.Record == nil || r.Record.Source != recap.Extractive {
		t.Errorf("%v %s", r.Err, short(r.Record))
	}
}

// A waiter that stops does not wait for the call of another.
func TestE13_AWaiterStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
			time.Sleep(time.Minute)
			return reply(trueReply), nil
		}}
		a := newAsker(t, m, nil)
		var wg sync.WaitGroup
		wg.Go(func() { a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}) })
		synctest.Wait()
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		start := time.Now()
		a.wantFreeLater(t, a.AskModel(ctx, a.s, engine.Ask{Fields: all()}))
		if d := time.Since(start); d != time.Second {
			t.Errorf("it waited %v", d)
		}
		wg.Wait()
	})
}

// What happens to the session while the model writes makes its recap void.
func TestE2E8E15_WhatMovedMeanwhileIsDiscarded(t *testing.T) {
	for _, c := range []struct {
		name string
		move func(a *asker)
		want recap.Code
	}{
		{"E2 a new message", func(a *asker) {
			a.src.add("a", "/home/dev/src/shop", 0, append(login("a"), talk("b", "Now the footer, please.")...)...)
		}, recap.CodeBusy},
		{"E15 another answer", func(a *asker) {
			a.src.add("a", "/home/dev/src/shop", 0, append(login("a"), talk("b", "Now the footer, please.", "The footer is green.")...)...)
		}, recap.CodeBusy},
		{"it works again", func(a *asker) { a.src.change("a", func(x *recap.Session) { x.State = recap.StateBusy }) }, recap.CodeBusy},
		{"E8 archived", func(a *asker) { a.src.change("a", func(x *recap.Session) { x.Archived = true }) }, recap.CodeNotEnough},
		{"E8 reverted", func(a *asker) { a.src.change("a", func(x *recap.Session) { x.Reverted = true }) }, recap.CodeNotEnough},
		{"E8 turned child", func(a *asker) { a.src.change("a", func(x *recap.Session) { x.ParentID = "p" }) }, recap.CodeNotEnough},
		{"E7 another directory", func(a *asker) { a.src.change("a", func(x *recap.Session) { x.Directory = "/home/dev/src/other" }) }, recap.CodeBusy},
		{"gone", func(a *asker) { a.src.remove("a") }, recap.CodeSessionNotFound},
		{"unreadable", func(a *asker) { a.src.mu.Lock(); a.src.reading["a"] = errDisk; a.src.mu.Unlock() }, recap.CodeUnreadable},
		{"muted", func(a *asker) {
			if err := a.store.SetMark(context.Background(), store.MarkMuted, store.Scope(a.s.Ref), "yes"); err != nil {
				panic(err)
			}
		}, recap.CodeMuted},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a *asker
			m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
				c.move(a)
				return reply(trueReply), nil
			}}
			a = newAsker(t, m, nil)
			r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
			wantCode(t, r.Err, c.want)
			if r.Record != nil && r.Record.Source != recap.Extractive {
				t.Errorf("shown: %s", short(r.Record))
			}
			if rec, err := a.store.Record(t.Context(), a.s.Ref); err == nil && rec.Source != recap.Extractive {
				t.Errorf("stored: %s", short(&rec))
			}
			if d := a.decisions(t)[0]; d.Action != "refused" || gateOf(d, "tokens") == "" {
				t.Errorf("journal: %+v", d)
			}
		})
	}
}

// A row that changed in the file and says the same is no move.
func TestE15_TheSameWordsInAnotherFileStand(t *testing.T) {
	var a *asker
	m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
		a.src.change("a", func(x *recap.Session) { x.Stamp = "9" })
		return reply(trueReply), nil
	}}
	a = newAsker(t, m, nil)
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || r.Record.Recap != trueRecap {
		t.Fatalf("%v %s", r.Err, short(r.Record))
	}
	r := a.Recap(t.Context(), a.find(t, "a"))
	if !r.Stored || r.Record.Recap != trueRecap {
		t.Errorf("the record does not know the new file: %+v", r)
	}
}

func TestMayNotAsk(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(x *recap.Session)
		talk   []recap.Message
		want   recap.Code
	}{
		{"E33 no answer", nil, talk("a", loginAsk), recap.CodeNotEnough},
		{"E33 failed", nil, func() []recap.Message {
			r := login("a")
			r[1].Failure, r[1].Finish = &recap.Failure{Code: "529"}, ""
			return r
		}(), recap.CodeNotEnough},
		{"E33 cut by length", nil, func() []recap.Message { r := login("a"); r[1].Finish = recap.FinishLength; return r }(), recap.CodeNotEnough},
		{"E33 compacted after the answer", nil, compacted(login("a")), recap.CodeNotEnough},
		{"E54 waits for approval", func(x *recap.Session) { x.State, x.WaitingFor = recap.StateWaiting, "approval: Bash go test ./..." }, func() []recap.Message {
			r := login("a")
			r[1].Finish, r[1].Completed = recap.FinishToolCalls, time.Time{}
			r[1].Parts = append(r[1].Parts, recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolWaiting, Command: "go test ./..."}})
			return r
		}(), recap.CodeNotEnough},
		{"busy", func(x *recap.Session) { x.State = recap.StateBusy }, nil, recap.CodeBusy},
		{"a subagent's", func(x *recap.Session) { x.ParentID = "p" }, nil, recap.CodeNotEnough},
		{"archived", func(x *recap.Session) { x.Archived = true }, nil, recap.CodeNotEnough},
		{"reverted", func(x *recap.Session) { x.Reverted = true }, nil, recap.CodeNotEnough},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := says(trueReply)
			a := newAsker(t, m, nil, c.talk...)
			if c.change != nil {
				a.src.change("a", c.change)
				a.s = a.find(t, "a")
			}
			a.wantFree(t, a.AskModel(t.Context(), a.s, engine.Ask{Fields: all(), OverBudget: true}), c.want)
			if p := a.Plan(t.Context(), a.s, engine.Ask{Fields: all()}); recap.CodeOf(p.Err) != c.want {
				t.Errorf("the plan: %v", p.Err)
			}
			if len(m.sent()) != 0 {
				t.Error("a call was made")
			}
		})
	}
}

// compacted is a talk after a compaction that the person asked for.
func compacted(talk []recap.Message) []recap.Message {
	at := talk[len(talk)-1].Completed.Add(time.Minute)
	return append(talk, recap.Message{
		ID: "sum", Role: recap.RoleUser, Created: at, Summary: true,
		Parts: []recap.Part{{Kind: recap.PartText, Text: "This session is being continued.", Synthetic: true}},
	})
}

// A compaction changes nothing of what was asked and answered: what a model
// wrote of it stands.
func TestACompactionLeavesTheModelsWords(t *testing.T) {
	a := newAsker(t, says(trueReply), nil)
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || r.Record.Recap != trueRecap {
		t.Fatalf("%v %s", r.Err, short(r.Record))
	}
	a.src.mu.Lock()
	a.src.records["a"] = compacted(a.src.records["a"])
	a.src.mu.Unlock()
	a.src.change("a", func(x *recap.Session) { x.Stamp = "compacted" })
	r := a.Recap(t.Context(), a.find(t, "a"))
	if r.Err != nil || r.Record.Recap != trueRecap || r.Record.Source != recap.FromModel || slices.Contains(r.Record.Status, recap.StatusNoAnswer) {
		t.Errorf("%v %s", r.Err, short(r.Record))
	}
}

func TestABusySessionIsMarkedWorking(t *testing.T) {
	a := newAsker(t, says(trueReply), nil, talk("a", loginAsk)...)
	a.src.change("a", func(x *recap.Session) { x.State = recap.StateBusy })
	r := a.AskModel(t.Context(), a.find(t, "a"), engine.Ask{Fields: all()})
	a.wantFree(t, r, recap.CodeBusy)
	if !slices.Contains(r.Record.Status, recap.StatusWorking) {
		t.Errorf("status %v", r.Record.Status)
	}
}

func TestE63_ContextTooSmall(t *testing.T) {
	m := says(trueReply)
	a := newAsker(t, m, func(k *engine.Asking) { k.Catalogue = tiny{llm.Catalogue()} })
	a.wantFree(t, a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}), recap.CodeContextTooSmall)
	if len(m.sent()) != 0 {
		t.Error("a cut prompt was sent")
	}
}

// tiny knows models whose context is too small for any prompt.
type tiny struct{ *llm.Catalog }

func (c tiny) Model(provider, id string) (llm.Model, bool) {
	m, ok := c.Catalog.Model(provider, id)
	m.Context = 1200
	return m, ok
}

func TestClaimOfAnother(t *testing.T) {
	m := says(trueReply)
	a := newAsker(t, m, nil)
	other := store.Claim{Session: a.s.Ref, Owner: "other:2", Fingerprint: "x"}
	if err := a.store.Claim(t.Context(), other, noon, time.Minute); err != nil {
		t.Fatal(err)
	}
	a.wantFree(t, a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}), recap.CodeBusy)
	a.now = noon.Add(2 * time.Minute) // the other died
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil || len(m.sent()) != 1 {
		t.Errorf("%v, %d calls", r.Err, len(m.sent()))
	}
}

// bubble is an asker whose clock is the bubble's.
func bubble(t *testing.T, m *model) *asker {
	t.Helper()
	src := newSource(recap.Claude, "/home/dev/.claude")
	src.add("a", "/home/dev/src/shop", time.Hour, login("a", edit("src/login.go"))...)
	src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"} })
	k := &engine.Asking{Sender: m, Catalogue: llm.Catalogue(), Own: []llm.Provider{ownProvider()}, Env: func(string) string { return "" }, Owner: "this:1"}
	w := newWorld(t, func(o *engine.Options) {
		o.Now = time.Now
		o.Asking = func() *engine.Asking { return k }
	}, agent.Source(src))
	return &asker{w, src, w.find(t, "a")}
}

func TestClaimIsRenewedWhileTheModelWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(context.Context, int, outbound.Call) (llm.Response, error) {
			time.Sleep(50 * time.Second)
			return reply(trueReply), nil
		}}
		a := bubble(t, m)
		var r engine.Result
		var wg sync.WaitGroup
		wg.Go(func() { r = a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}) })
		for range 9 {
			time.Sleep(5 * time.Second)
			err := a.store.Claim(t.Context(), store.Claim{Session: a.s.Ref, Owner: "other:2", Fingerprint: "x"}, time.Now(), time.Second)
			if !errors.Is(err, store.ErrClaimed) {
				t.Fatalf("taken over: %v", err)
			}
		}
		wg.Wait()
		if r.Err != nil || r.Record.Recap != trueRecap {
			t.Errorf("%v %s", r.Err, short(r.Record))
		}
	})
}

// A process that slept for a night has lost its claim: what it brings is not
// stored over the other's.
func TestClaimLostEndsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &model{say: func(ctx context.Context, _ int, _ outbound.Call) (llm.Response, error) {
			select {
			case <-ctx.Done():
				return llm.Response{}, &llm.Error{Code: recap.CodeCanceled, Err: ctx.Err()}
			case <-time.After(50 * time.Second):
				return reply(trueReply), nil
			}
		}}
		a := bubble(t, m)
		var r engine.Result
		var wg sync.WaitGroup
		wg.Go(func() { r = a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}) })
		synctest.Wait()
		// The other sees a clock an hour on.
		if err := a.store.Claim(t.Context(), store.Claim{Session: a.s.Ref, Owner: "other:2", Fingerprint: "x"}, time.Now().Add(time.Hour), time.Hour); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		wg.Wait()
		a.wantFree(t, r, recap.CodeBusy)
		if d := time.Since(start); d > 15*time.Second {
			t.Errorf("it went on for %v", d)
		}
	})
}

// Only a server of the person's own that loads its model is asked again, and
// within the time of one call.
func TestLoadingIsRetriedWithinTheTimeOfACall(t *testing.T) {
	loading := &llm.Error{Code: recap.CodeModelUnavailable, Status: 503, Loading: true}
	for _, c := range []struct {
		name  string
		after int
		local bool
		err   error
		want  int // calls
		code  recap.Code
	}{
		{"it comes", 3, true, loading, 4, ""},
		{"it never comes", 1 << 20, true, loading, 9, recap.CodeModelUnavailable},
		{"a provider far away", 1, false, loading, 1, recap.CodeModelUnavailable},
		{"not loading", 1, true, &llm.Error{Code: recap.CodeModelUnavailable, Status: 404}, 1, recap.CodeModelUnavailable},
		{"a limit", 1, true, &llm.Error{Code: recap.CodeRateLimited, Status: 429}, 1, recap.CodeRateLimited},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &model{say: func(_ context.Context, n int, _ outbound.Call) (llm.Response, error) {
					if n < c.after {
						return llm.Response{}, c.err
					}
					return reply(trueReply), nil
				}}
				a := newAsker(t, m, func(k *engine.Asking) {
					if c.local {
						k.Own = []llm.Provider{{ID: "anthropic", Protocol: llm.OpenAI, BaseURL: "http://127.0.0.1:9/v1", Keyless: true}}
					}
				})
				start := time.Now()
				r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
				wantCode(t, r.Err, c.code)
				if n := len(m.sent()); n != c.want {
					t.Errorf("%d calls, want %d", n, c.want)
				}
				if d := time.Since(start); d > outbound.CallTimeout {
					t.Errorf("it took %v", d)
				}
			})
		})
	}
}

func TestE41_OurOwnRecapIsNoEvidence(t *testing.T) {
	m := says(trueReply)
	a := newAsker(t, m, nil)
	for range 2 {
		if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	calls := m.sent()
	if len(calls) != 2 || calls[0].Prompt != calls[1].Prompt || calls[0].System != calls[1].System {
		t.Fatal("the second prompt is another")
	}
	if strings.Contains(calls[1].Prompt, trueNext) || strings.Contains(calls[1].Prompt, trueAway) {
		t.Error("our own recap stands in the prompt")
	}
}

func TestPriceOfALocalServerIsZero(t *testing.T) {
	for _, c := range []struct {
		name string
		p    llm.Provider
		want bool
	}{
		{"local", llm.Provider{ID: "anthropic", Protocol: llm.OpenAI, BaseURL: "http://127.0.0.1:9/v1", Keyless: true}, true},
		{"a gateway with a login in its headers", llm.Provider{ID: "anthropic", Protocol: llm.OpenAI, BaseURL: "http://10.0.0.9/v1", Headers: map[string]string{"Authorization": "Bearer t"}}, false},
		{"far away", llm.Provider{ID: "anthropic", Protocol: llm.Anthropic, BaseURL: "https://api.anthropic.com", Key: llm.NewKey("k")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAsker(t, says(trueReply), func(k *engine.Asking) { k.Own = []llm.Provider{c.p} })
			p := a.Plan(t.Context(), a.s, engine.Ask{Fields: all(), Model: recap.ModelRef{Provider: "anthropic", ID: "claude-haiku-4-5-20251001"}})
			if p.Err != nil || p.Local != c.want || p.Estimate.CostUSD == nil || (*p.Estimate.CostUSD == 0) != c.want {
				t.Errorf("%v local %v, %v", p.Err, p.Local, p.Estimate.CostUSD)
			}
		})
	}
}
