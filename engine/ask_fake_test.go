package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// model is a Sender that answers what a test says, and keeps what it was sent.
type model struct {
	mu    sync.Mutex
	calls []outbound.Call
	say   func(ctx context.Context, n int, c outbound.Call) (llm.Response, error)
}

func (m *model) Send(ctx context.Context, c outbound.Call) (llm.Response, error) {
	m.mu.Lock()
	n := len(m.calls)
	m.calls = append(m.calls, c)
	say := m.say
	m.mu.Unlock()
	return say(ctx, n, c)
}

func (m *model) sent() []outbound.Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

// says answers these texts, one call after the other, the last for all others.
func says(texts ...string) *model {
	return &model{say: func(_ context.Context, n int, _ outbound.Call) (llm.Response, error) {
		return reply(texts[min(n, len(texts)-1)]), nil
	}}
}

func reply(text string) llm.Response {
	return llm.Response{Text: text, Finish: recap.FinishStop, Usage: recap.Usage{InputTokens: 900, OutputTokens: 60}}
}

// fields writes a reply as JSON: "recap", text, "away", text.
func fields(pairs ...string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(b)
}

// The login session, and a true reply about it.
const (
	loginAsk    = "The login page answers 500 for emails with a plus sign. Fix it in src/login.go and add a test for it, please."
	loginAnswer = "Login works for plus-sign emails now: the regular expression in src/login.go was too strict. The test for it is still missing."
	trueRecap   = "Login works for plus-sign emails now."
	trueAway    = "Fixing the login page for emails with a plus sign in src/login.go; next is the missing test."
	trueNext    = "Add the missing test for plus-sign emails."
)

var trueReply = fields("recap", trueRecap, "away", trueAway, "suggestion", trueNext)

func all() []recap.Field {
	return []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldSuggestion}
}

// tool is a call of a tool in an answer.
func command(cmd string, exit int) recap.Part {
	return recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: cmd, Exit: &exit}}
}

func edit(path string) recap.Part {
	return recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: []string{path}}}
}

// login are the records of the login session; the tools come before the words.
func login(id string, tools ...recap.Part) []recap.Message {
	records := talk(id, loginAsk, loginAnswer)
	records[1].Parts = append(tools, records[1].Parts...)
	return records
}

// ownProvider is the one the person chose for the sessions of these tests.
func ownProvider() llm.Provider {
	return llm.Provider{ID: "anthropic", Protocol: llm.Anthropic, BaseURL: "https://api.anthropic.com", Key: llm.NewKey("sk-made-for-tests"), Origin: "config"}
}

// asker is a world with a login session and a model to ask about it.
type asker struct {
	*world
	src *source
	s   recap.Session
}

func newAsker(t *testing.T, sender outbound.Sender, change func(*engine.Asking), records ...recap.Message) *asker {
	t.Helper()
	if len(records) == 0 {
		records = login("a", edit("src/login.go"))
	}
	src := newSource(recap.Claude, "/home/dev/.claude")
	src.add("a", "/home/dev/src/shop", time.Hour, records...)
	src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"} })
	k := &engine.Asking{
		Sender: sender, Catalogue: llm.Catalogue(), Own: []llm.Provider{ownProvider()}, Env: func(string) string { return "" }, Owner: "this:1",
	}
	if change != nil {
		change(k)
	}
	w := newWorld(t, func(o *engine.Options) { o.Asking = func() *engine.Asking { return k } }, agent.Source(src))
	return &asker{w, src, w.find(t, "a")}
}

// decisions are the newest of the journal.
func (a *asker) decisions(t *testing.T) []store.Decision {
	t.Helper()
	ds, err := a.store.Decisions(t.Context(), a.s.Ref, 10)
	if err != nil || len(ds) == 0 {
		t.Fatalf("%d decisions, %v", len(ds), err)
	}
	return ds
}

// short is what a failing test says of a record.
func short(r *recap.Record) string {
	if r == nil {
		return "no record"
	}
	return fmt.Sprintf("%s %q %q %q %v", r.Source, r.Recap, r.Away, r.Suggestion, r.FieldSources)
}

// gateOf is what the newest decision says about a gate.
func gateOf(d store.Decision, name string) string {
	for _, g := range d.Gates {
		if g.Name == name {
			return g.Value
		}
	}
	return ""
}

// wantFree fails unless the result shows the free recap, nothing of a model is
// stored, and the journal says why.
func (a *asker) wantFree(t *testing.T, r engine.Result, code recap.Code) {
	t.Helper()
	wantCode(t, r.Err, code)
	if r.Record == nil || r.Record.Source != recap.Extractive || !r.Fresh || r.Record.Model != nil {
		t.Fatalf("not the free recap: %s", short(r.Record))
	}
	stored, err := a.store.Record(t.Context(), a.s.Ref)
	if err != nil || stored.Source != recap.Extractive {
		t.Fatalf("stored: %s (%v)", stored.Source, err)
	}
	d := a.decisions(t)[0]
	if d.Action != "refused" || d.Code != code || gateOf(d, "reason") == "" {
		t.Fatalf("the journal: %+v", d)
	}
	for _, g := range d.Gates {
		if strings.ContainsAny(g.Value, "\n\x1b") {
			t.Errorf("a gate of several lines: %q", g.Value)
		}
	}
}
