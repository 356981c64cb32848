package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// A server that does not take the structured output is asked once more without
// it; both requests are in the ledger, and the next call does not try it again.
func TestServerWithoutStructuredOutput(t *testing.T) {
	a, srv := wired(t, llm.OpenAI, nil)
	srv.Queue(llmtest.Reply{Status: 400, Message: "Unknown parameter: 'response_format'"})
	srv.Answer(llmtest.Reply{Text: trueReply, Input: 1000, Output: 50})
	r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
	if r.Err != nil || r.Record.Recap != trueRecap {
		t.Fatalf("%v %s", r.Err, short(r.Record))
	}
	if n := srv.Count(); n != 2 {
		t.Fatalf("%d requests", n)
	}
	if first, second := srv.Requests()[0].Asked(), srv.Requests()[1].Asked(); first.JSON != "schema" || second.JSON != "" || first.User != second.User {
		t.Errorf("asked for %q, then %q", first.JSON, second.JSON)
	}
	for n := 2; ; n++ {
		entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
		sent, serr := a.store.Egress(t.Context(), time.Time{}, 0)
		if err != nil || serr != nil || len(entries) != n || len(sent) != n || entries[0].Settled == nil || entries[1].Settled == nil {
			t.Fatalf("%d in the ledger, %d in the log, want %d (%v, %v)", len(entries), len(sent), n, err, serr)
		}
		if n == 3 {
			break
		}
		if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if n := srv.Count(); n != 3 || srv.Last().Asked().JSON != "" {
		t.Errorf("%d requests, the last asked for %q", n, srv.Last().Asked().JSON)
	}
}

// A server that refuses the plain request too is not asked a third time.
func TestServerThatRefusesThePlainRequestToo(t *testing.T) {
	a, srv := wired(t, llm.OpenAI, nil)
	srv.Answer(llmtest.Reply{Status: 422, Message: "json_schema is not supported"})
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err == nil || srv.Count() != 2 {
		t.Errorf("%v, %d requests", r.Err, srv.Count())
	}
	entries, err := a.store.Entries(t.Context(), time.Time{}, 0)
	if err != nil || len(entries) != 2 || entries[0].Settled == nil || entries[1].Settled == nil {
		t.Errorf("%d entries for %d requests (%v)", len(entries), srv.Count(), err)
	}
}

// A server that knows the limit of the reply by its newer name alone is asked by
// that, from then on at once; one that refuses both is not asked a third time.
func TestServerThatTakesNewLimits(t *testing.T) {
	for _, message := range []string{
		"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
		"Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
	} {
		a, srv := wired(t, llm.OpenAI, nil)
		srv.Queue(llmtest.Reply{Status: 400, Message: message})
		srv.Answer(llmtest.Reply{Text: trueReply})
		for want := 2; want <= 3; want++ {
			r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()})
			if r.Err != nil || srv.Count() != want {
				t.Fatalf("%v, %d requests, want %d", r.Err, srv.Count(), want)
			}
			q := srv.Last().Asked()
			if q.Temperature != nil || slices.Contains(q.Members, "max_tokens") || !slices.Contains(q.Members, "max_completion_tokens") || q.MaxOutput == 0 {
				t.Errorf("members %v", q.Members)
			}
		}
		if entries, err := a.store.Entries(t.Context(), time.Time{}, 0); err != nil || len(entries) != 3 {
			t.Errorf("%d entries (%v)", len(entries), err)
		}
	}
	a, srv := wired(t, llm.OpenAI, nil)
	srv.Answer(llmtest.Reply{Status: 400, Message: "max_tokens must be at least 4000"})
	if r := a.AskModel(t.Context(), a.s, engine.Ask{Fields: all()}); r.Err == nil || srv.Count() != 2 {
		t.Errorf("%v, %d requests", r.Err, srv.Count())
	}
}
