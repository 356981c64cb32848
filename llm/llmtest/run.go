package llmtest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// Open makes the client under test; it is the New of a client's package.
type Open func(p llm.Provider, hc *http.Client) llm.Client

// Run holds a client of one protocol to the contract.
func Run(t *testing.T, p llm.Protocol, open Open) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(*testing.T, *bench)
	}{
		{"a call is one plain request", testRequest},
		{"the same request is the same bytes", testBytes},
		{"E49c a request's parameters are its own", testParameters},
		{"fields ask for a JSON object of them", testFields},
		{"the key goes into its header alone", testKey},
		{"E62 no key, no request", testNoKey},
		{"headers of the person and of the session", testHeaders},
		{"base URLs", testBaseURLs},
		{"E66 usage as the provider counts it", testUsage},
		{"why a reply ended", testFinish},
		{"E50 replies without text", testNoText},
		{"H5 a notice in words is text", testNotice},
		{"failures have a code", testFailures},
		{"broken connections and replies", testBroken},
		{"a limit says when it ends", testReset},
		{"E67 nothing secret in an error", testSecrets},
		{"K2 a reply without end", testHuge},
		{"gzip", testGzip},
		{"a redirect is not followed", testRedirect},
		{"E68 cancel closes the socket", testCancel},
		{"a deadline is a timeout", testDeadline},
		{"no connection stays", testNothingStays},
		{"concurrent use", testConcurrent},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, &bench{Server: NewServer(t), protocol: p, open: open}) })
	}
}

// bench is a server and the way to a client of it.
type bench struct {
	*Server
	protocol llm.Protocol
	open     Open
}

func (b *bench) provider() llm.Provider { return b.Provider(b.protocol) }

func (b *bench) client() llm.Client { return b.open(b.provider(), nil) }

// model is a small model of the protocol's vendor.
func (b *bench) model() string {
	return map[llm.Protocol]string{llm.OpenAI: "gpt-4.1-mini", llm.Anthropic: "claude-haiku-4-5", llm.Gemini: "gemini-2.0-flash-lite"}[b.protocol]
}

const (
	system = "You write a recap.\nAnswer in the fields alone."
	prompt = "<evidence>\nThe person asked for a parser of ünïcode & <tags>. \"Done\", said the agent.\n</evidence>\nWrite the recap now."
)

func (b *bench) request() llm.Request {
	return llm.Request{Model: b.model(), System: system, Prompt: prompt, MaxOutput: 300, Temperature: 0.3}
}

// ok makes a call that must succeed.
func (b *bench) ok(t *testing.T, c llm.Client, req llm.Request) llm.Response {
	t.Helper()
	before := b.Count()
	got, err := c.Complete(t.Context(), req)
	if err != nil {
		t.Fatalf("%v (%#v)", err, err)
	}
	if n := b.Count() - before; n != 1 {
		t.Fatalf("%d requests for one call", n)
	}
	return got
}

func testRequest(t *testing.T, b *bench) {
	got := b.ok(t, b.client(), b.request())
	if got.Text != Said || got.Finish != recap.FinishStop || got.Model != b.model() {
		t.Errorf("response: %+v", got)
	}
	if got.Usage.CostUSD != nil {
		t.Error("a client does not know prices")
	}
	r := b.Last()
	a := r.Asked()
	if r.Protocol() != b.protocol || a.Model != b.model() {
		t.Errorf("%s %s for model %q", r.Method, r.Path, a.Model)
	}
	if a.System != system || a.User != prompt || a.Messages != 1 {
		t.Errorf("system %q, user %q, %d messages", a.System, a.User, a.Messages)
	}
	if a.MaxOutput != 300 || a.Temperature == nil || *a.Temperature != 0.3 {
		t.Errorf("at most %d tokens at %v", a.MaxOutput, a.Temperature)
	}
	if a.Tools || a.Stream || a.JSON != "" || a.Reasoning != "" {
		t.Errorf("more than was asked for: %+v", a)
	}
	if ct := r.Header.Get("Content-Type"); ct != "application/json" {
		t.Errorf("content type %q", ct)
	}
	if ua := r.Header.Get("User-Agent"); !strings.HasPrefix(ua, "recap") {
		t.Errorf("E66 the provider can't see who asks: %q", ua)
	}
	if r.Query != "" {
		t.Errorf("a query: %q", r.Query)
	}
}

func testBytes(t *testing.T, b *bench) {
	req := b.request()
	req.Fields = []string{"recap", "suggestion"}
	for range 8 {
		b.ok(t, b.client(), req)
	}
	all := b.Requests()
	for _, r := range all[1:] {
		if string(r.Body) != string(all[0].Body) {
			t.Fatalf("two bodies:\n%s\n%s", all[0].Body, r.Body)
		}
	}
}

func testParameters(t *testing.T, b *bench) {
	c := b.client()
	first := b.request()
	first.MaxOutput, first.Temperature, first.Session = 1200, 0, "one"
	b.ok(t, c, first)
	if a := b.Last().Asked(); a.MaxOutput != 1200 || a.Temperature == nil || *a.Temperature != 0 {
		t.Errorf("a temperature of 0 is one: %+v", a)
	}
	b.ok(t, c, b.request())
	if a := b.Last().Asked(); a.MaxOutput != 300 || a.Temperature == nil || *a.Temperature != 0.3 {
		t.Errorf("kept from the call before: %+v", a)
	}
	bare := b.request()
	bare.System = ""
	b.ok(t, c, bare)
	if a := b.Last().Asked(); a.System != "" || strings.Contains(string(b.Last().Body), `ystem`) {
		t.Errorf("an empty system prompt was sent: %s", b.Last().Body)
	}
}

func testFields(t *testing.T, b *bench) {
	req := b.request()
	req.Fields = []string{"recap", "suggestion"}
	b.ok(t, b.client(), req)
	if a := b.Last().Asked(); a.JSON != "schema" || !slices.Equal(a.Fields, req.Fields) || a.Tools {
		t.Errorf("asked for %q %v", a.JSON, a.Fields)
	}
	if a := b.Last().Asked(); a.System != system || a.User != prompt {
		t.Error("the prompt was changed")
	}
	p := b.provider()
	p.PlainJSON = true
	b.ok(t, b.open(p, nil), req)
	if a := b.Last().Asked(); a.JSON != "" || a.Fields != nil || a.User != prompt {
		t.Errorf("a server without structured output was asked for it: %+v", a)
	}
}

func testKey(t *testing.T, b *bench) {
	header := map[llm.Protocol]string{llm.OpenAI: "Authorization", llm.Anthropic: "X-Api-Key", llm.Gemini: "X-Goog-Api-Key"}[b.protocol]
	p := b.provider()
	p.Key = llm.NewKey(Key + "\n") // files end with a line break
	b.ok(t, b.open(p, nil), b.request())
	r := b.Last()
	if h, k := r.Key(); h != header || k != Key {
		t.Errorf("key in %s: %v", h, k == Key)
	}
	r.Header.Del(header)
	if r.Holds(Key) {
		t.Error("the key stands in a second place")
	}
	p.Key, p.Keyless = llm.Key{}, true
	b.ok(t, b.open(p, nil), b.request())
	if h, _ := b.Last().Key(); h != "" {
		t.Errorf("a keyless provider got a key in %s", h)
	}
}

func testNoKey(t *testing.T, b *bench) {
	for _, key := range []string{"", "public", "none", "null", "undefined"} {
		p := b.provider()
		p.Key = llm.NewKey(key)
		_, err := b.open(p, nil).Complete(t.Context(), b.request())
		wantError(t, err, recap.CodeNoLogin, 0)
	}
	for _, base := range []string{"", "127.0.0.1:1234", "ftp://127.0.0.1/v1", "http://", "http://[", "file:///tmp/x"} {
		p := b.provider()
		p.BaseURL = base
		_, err := b.open(p, nil).Complete(t.Context(), b.request())
		wantError(t, err, recap.CodeProviderUnsupported, 0)
	}
	if n := b.Count(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func testHeaders(t *testing.T, b *bench) {
	p := b.provider()
	p.Headers = map[string]string{"X-Team": "core", "user-agent": "gateway"}
	p.SessionHeader = "X-Session-Id"
	req := b.request()
	req.Session = "ses_1"
	b.ok(t, b.open(p, nil), req)
	h := b.Last().Header
	if h.Get("X-Team") != "core" || h.Get("X-Session-Id") != "ses_1" || h.Get("User-Agent") != "gateway" {
		t.Errorf("headers: %v", h)
	}
	req.Session = ""
	b.ok(t, b.open(p, nil), req)
	if _, ok := b.Last().Header["X-Session-Id"]; ok {
		t.Error("a session header without a session")
	}
	p.SessionHeader = ""
	req.Session = "ses_secret"
	b.ok(t, b.open(p, nil), req)
	if b.Last().Holds("ses_secret") {
		t.Error("the session's id left without a header for it")
	}
}

func testBaseURLs(t *testing.T, b *bench) {
	want := map[llm.Protocol]string{
		llm.OpenAI: "/v1/chat/completions", llm.Anthropic: "/v1/messages", llm.Gemini: "/v1beta/models/" + b.model() + ":generateContent",
	}[b.protocol]
	version := map[llm.Protocol]string{llm.OpenAI: "/v1", llm.Anthropic: "/v1", llm.Gemini: "/v1beta"}[b.protocol]
	for _, c := range []struct{ base, want string }{
		{b.URL, want},
		{b.URL + "/", want},
		{b.URL + version, want},
		{b.URL + version + "/", want},
		{" " + b.URL + version + "\n", want},
		{b.URL + "/gateway/team a" + version, "/gateway/team a" + want},
	} {
		p := b.provider()
		p.BaseURL = c.base
		b.ok(t, b.open(p, nil), b.request())
		if got := b.Last().Path; got != c.want {
			t.Errorf("%q: %s, want %s", c.base, got, c.want)
		}
	}
}

func testUsage(t *testing.T, b *bench) {
	b.Answer(Reply{Input: 1000, Output: 40, Cached: 600})
	if got := b.ok(t, b.client(), b.request()).Usage; got != (recap.Usage{InputTokens: 1000, OutputTokens: 40, CachedTokens: 600}) {
		t.Errorf("%+v", got)
	}
	b.Answer(Reply{Input: 1000, Output: 400, Thought: 360, Reasoning: "Let me see."})
	if got := b.ok(t, b.client(), b.request()); got.Usage.OutputTokens != 400 || got.Text != Said {
		t.Errorf("reasoning is output, and no text: %+v", got)
	}
}

func testFinish(t *testing.T, b *bench) {
	for _, c := range map[llm.Protocol][]struct {
		wire string
		want recap.Finish
	}{
		llm.OpenAI:    {{"stop", recap.FinishStop}, {"length", recap.FinishLength}, {"tool_calls", recap.FinishToolCalls}, {"content_filter", recap.FinishOther}, {"novel", recap.FinishOther}},
		llm.Anthropic: {{"end_turn", recap.FinishStop}, {"stop_sequence", recap.FinishStop}, {"max_tokens", recap.FinishLength}, {"model_context_window_exceeded", recap.FinishLength}, {"tool_use", recap.FinishToolCalls}, {"refusal", recap.FinishOther}, {"novel", recap.FinishOther}},
		llm.Gemini:    {{"STOP", recap.FinishStop}, {"MAX_TOKENS", recap.FinishLength}, {"SAFETY", recap.FinishOther}, {"RECITATION", recap.FinishOther}, {"NOVEL", recap.FinishOther}},
	}[b.protocol] {
		b.Answer(Reply{Finish: c.wire, Text: "Some text"})
		if got := b.ok(t, b.client(), b.request()); got.Finish != c.want || got.Text != "Some text" {
			t.Errorf("%s: %+v, want %q", c.wire, got, c.want)
		}
	}
}

func testNoText(t *testing.T, b *bench) {
	length := map[llm.Protocol]string{llm.OpenAI: "length", llm.Anthropic: "max_tokens", llm.Gemini: "MAX_TOKENS"}[b.protocol]
	filter := map[llm.Protocol]string{llm.OpenAI: "content_filter", llm.Anthropic: "refusal", llm.Gemini: "SAFETY"}[b.protocol]
	for _, c := range []struct {
		name string
		r    Reply
		want recap.Code
	}{
		{"reasoning ate the output", Reply{Silent: true, Reasoning: "Hm.", Finish: length}, recap.CodeOutputExhausted},
		{"cut before the first word", Reply{Silent: true, Finish: length}, recap.CodeOutputExhausted},
		{"reasoning alone, ended well", Reply{Silent: true, Reasoning: "Hm."}, recap.CodeOutputExhausted},
		{"white space", Reply{Text: " \n\t"}, recap.CodeProviderError},
		{"nothing at all", Reply{Silent: true}, recap.CodeProviderError},
		{"no choices", Reply{Empty: true}, recap.CodeProviderError},
		{"filter", Reply{Silent: true, Finish: filter}, recap.CodeProviderError},
		{"refusal in its own place", Reply{Refusal: "I can't help with that."}, recap.CodeProviderError},
	} {
		c.r.Input, c.r.Output = 900, 300
		b.Answer(c.r)
		before := b.Count()
		got, err := b.client().Complete(t.Context(), b.request())
		wantError(t, err, c.want, http.StatusOK)
		if b.Count() != before+1 {
			t.Errorf("%s: tried again", c.name)
		}
		if got.Usage.InputTokens != 900 || got.Usage.OutputTokens != 300 || got.Text != "" {
			t.Errorf("%s: what was spent is not told: %+v", c.name, got)
		}
	}
}

func testNotice(t *testing.T, b *bench) {
	for _, text := range []string{"You have reached your usage limit. Try again at 5pm.", "I'm sorry, but I can't help with that.", "Please run /login"} {
		b.Answer(Reply{Text: text})
		if got := b.ok(t, b.client(), b.request()); got.Text != text {
			t.Errorf("%q became %q", text, got.Text)
		}
	}
}

func testConcurrent(t *testing.T, b *bench) {
	c := b.client()
	var wg sync.WaitGroup
	const n = 24
	for i := range n {
		wg.Go(func() {
			req := b.request()
			req.Prompt = strings.Repeat("x", i+1)
			if got, err := c.Complete(context.Background(), req); err != nil || got.Text != Said {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, r := range b.Requests() {
		seen[r.Asked().User] = true
	}
	if len(seen) != n || b.Count() != n {
		t.Errorf("%d prompts in %d requests, want %d", len(seen), b.Count(), n)
	}
}
