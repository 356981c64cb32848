package wire

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/redact/redacttest"
)

func TestResetForms(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		h     http.Header
		after time.Duration
		want  time.Duration // from now, 0 for none
	}{
		{"seconds", http.Header{"Retry-After": {" 30 "}}, 0, 30 * time.Second},
		{"fractions", http.Header{"Retry-After": {"0.5"}}, 0, 500 * time.Millisecond},
		{"a date in the past, then the body", http.Header{"Retry-After": {"Mon, 30 Nov 2026 11:00:00 GMT"}}, time.Minute, time.Minute},
		{"the body alone", nil, 34500 * time.Millisecond, 34500 * time.Millisecond},
		{"Groq", http.Header{"X-Ratelimit-Reset-Tokens": {"7.66s"}, "X-Ratelimit-Reset-Requests": {"2m59.56s"}}, 0, 2*time.Minute + 59560*time.Millisecond},
		{"milliseconds since 1970 of today", http.Header{"X-Ratelimit-Reset": {"1796040060000"}}, 0, time.Minute},
		{"not a number", http.Header{"Retry-After": {"NaN"}, "Retry-After-Ms": {"NaN"}}, 0, 0},
		{"infinite", http.Header{"Retry-After-Ms": {"Inf"}}, 0, maxReset},
		{"far ahead", http.Header{"Retry-After": {"1e300"}}, 0, maxReset},
		{"negative", http.Header{"Retry-After-Ms": {"-1e300"}}, 0, 0},
	} {
		got := resetAt(c.h, c.after, now)
		if c.want == 0 && !got.IsZero() || c.want != 0 && !got.Equal(now.Add(c.want)) {
			t.Errorf("%s: %v, want %v from now", c.name, got, c.want)
		}
	}
}

func FuzzReset(f *testing.F) {
	for _, s := range []string{"30", "6m0s", "1e999", "-1", "NaN", "Mon, 30 Nov 2026 11:00:00 GMT", "2026-11-30T12:00:00Z", "9223372036854775807"} {
		f.Add(s, s)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, a, b string) {
		h := http.Header{"Retry-After": {a}, "Retry-After-Ms": {b}, "X-Ratelimit-Reset-Tokens": {b}}
		if got := resetAt(h, 0, now); !got.IsZero() && (!got.After(now) || got.After(now.Add(maxReset))) {
			t.Errorf("%q %q: %v", a, b, got)
		}
	})
}

func TestExtraMembers(t *testing.T) {
	for _, c := range []struct{ extra, want string }{
		{"", `{"a":"<&>"}`},
		{"{}", `{"a":"<&>"}`},
		{`{ "b": {"c": [1]} }`, `{"b":{"c":[1]},"a":"<&>"}`},
		{"[1]", `{"a":"<&>"}`},
		{"{broken", ""},
	} {
		got, err := encode(map[string]string{"a": "<&>"}, json.RawMessage(c.extra))
		if string(got) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%q: %s, %v", c.extra, got, err)
		}
	}
}

// The password of an address is repeated in no error.
func TestPasswordOfTheAddressIsNotQuoted(t *testing.T) {
	c := New(llm.Provider{ID: "p", BaseURL: "https://dev:correcthorse@example.com/v1"}, nil)
	if got := c.clean("no user dev with correcthorse here", llm.Request{}); strings.Contains(got, "horse") || !strings.Contains(got, "no user dev") {
		t.Errorf("%q", got)
	}
}

// A provider quotes what it got: a key in it that lines break, or whose context
// stands in the prompt too, or that begins as the provider's own does.
func TestKeysOfOthersAreNotQuoted(t *testing.T) {
	kinds := redacttest.Plant(5)
	search := redacttest.NewSearch(kinds...)
	for _, s := range kinds {
		own := s.Key[:min(12, len(s.Key))] + strings.Repeat("x", 20)
		c := New(llm.Provider{ID: "p", BaseURL: "http://127.0.0.1:1", Key: llm.NewKey(own)}, nil)
		for name, text := range map[string]string{"whole": s.Text(), "lines": s.Split("\n").Text(), "indented": s.Split("\n    ").Text()} {
			got := c.clean("bad input: "+text, llm.Request{Prompt: "It was " + s.Before + "[redacted:x]" + s.After + " there."})
			if found := search.In(got); len(found) > 0 {
				t.Errorf("%s, %s: %q", s.Kind, name, got)
			}
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("bad key sk-abcdefgh12345678abcdefgh1234 for <you>\n", "the person asked for a parser of dates")
	f.Add(strings.Repeat("é", 2000), "é")
	c := New(llm.Provider{ID: "p", BaseURL: "http://127.0.0.1:1", Key: llm.NewKey(llmtest.Key), Headers: map[string]string{"X": "0123456789"}}, nil)
	f.Fuzz(func(t *testing.T, detail, prompt string) {
		got := c.clean(detail+llmtest.Key+detail, llm.Request{Prompt: prompt})
		switch {
		case len([]rune(got)) > maxDetail:
			t.Errorf("%d characters", len([]rune(got)))
		case strings.Contains(got, llmtest.Key), strings.Contains(got, "0123456789"):
			t.Errorf("a secret: %q", got)
		case strings.ContainsAny(got, "\n\r\x1b"), got != recap.Line(got):
			t.Errorf("not one line: %q", got)
		case redact.Contains(got):
			t.Errorf("a secret of another: %q", got)
		}
	})
}

func FuzzFailure(f *testing.F) {
	for _, s := range []string{
		`{"error":{"message":"m","code":429,"type":"t","details":[{"retryDelay":"3s","reason":"R"}],"metadata":{"raw":"r"}}}`,
		`{"error":"e","estimated_time":1e300}`, `[{"error":null}]`, `{"type":"error"}`, `{"detail":[{"msg":"m"}]}`, `{"error":{"code":1e99,"details":[1,null]}}`,
	} {
		f.Add([]byte(s), 200)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		got := readFailure(body)
		if s := got.status(status); status/100 == 2 && s/100 == 2 {
			t.Errorf("a failure with status %d", s)
		}
		if codeOf(status, got) == "" || got.after < 0 {
			t.Errorf("%+v", got)
		}
	})
}

// TestEchoes: what a provider quotes of the prompt is not kept, its own words
// are.
func TestEchoes(t *testing.T) {
	const prompt = "fix the\n  billing export for customer Ünal, then push"
	for _, c := range []struct{ in, want string }{
		{"Unsupported value", "Unsupported value"},
		{"bad input: fix the billing export for customer Ünal, then push!", "bad input: …!"},
		{"fix the bill", "fix the bill"}, // too short to tell
		{"a: billing export for cust / b: customer Ünal, then", "a:… / b:…"},
	} {
		got := withoutEcho(c.in, strings.Join(strings.Fields(prompt), " "))
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestOneCallOneConnection: the default client keeps nothing open, and it
// takes no proxy from its surroundings.
func TestOneCallOneConnection(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	hc := NewHTTP(nil)
	tr, ok := hc.Transport.(*http.Transport)
	if !ok || !tr.DisableKeepAlives || tr.Proxy != nil || tr.Protocols.HTTP2() {
		t.Errorf("%+v", hc.Transport)
	}
	srv := llmtest.NewServer(t)
	c := New(srv.Provider(llm.OpenAI), nil)
	for range 3 {
		if _, err := c.Post(t.Context(), llm.Request{}, Out{Path: "/v1/chat/completions", KeyHeader: "Authorization", Body: struct{}{}}); err != nil {
			t.Fatal(err)
		}
	}
	if srv.Count() != 3 {
		t.Errorf("%d requests", srv.Count())
	}
}

// TestBodyIsSentOnce: also with a caller's transport that keeps connections,
// one that dies under the request makes no second request.
func TestBodyIsSentOnce(t *testing.T) {
	srv := llmtest.NewServer(t)
	keeps := &http.Client{Transport: &http.Transport{}}
	defer keeps.CloseIdleConnections()
	c := New(srv.Provider(llm.OpenAI), keeps)
	out := Out{Path: "/v1/chat/completions", KeyHeader: "Authorization", Body: struct{}{}}
	if _, err := c.Post(t.Context(), llm.Request{}, out); err != nil {
		t.Fatal(err)
	}
	srv.Answer(llmtest.Reply{Reset: true})
	if _, err := c.Post(t.Context(), llm.Request{}, out); recap.CodeOf(err) != recap.CodeProviderError {
		t.Errorf("%v", err)
	}
	if srv.Count() != 2 {
		t.Errorf("%d requests for two calls", srv.Count())
	}
}

// TestHostsThatCannotBeReached: each says why, and none names more than the host.
func TestHostsThatCannotBeReached(t *testing.T) {
	self := httptest.NewUnstartedServer(http.NotFoundHandler())
	self.Config.ErrorLog = log.New(io.Discard, "", 0)
	self.StartTLS()
	defer self.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for _, c := range []struct{ name, base, words string }{
		{"an unknown certificate", self.URL, "not trusted"},
		{"TLS to a server without", strings.Replace(plain.URL, "http:", "https:", 1), ""},
		{"no such host", "http://no-such-host.invalid", "no-such-host.invalid"},
	} {
		p := llm.Provider{ID: "p", BaseURL: c.base + "/v1", Key: llm.NewKey(llmtest.Key)}
		_, err := New(p, nil).Post(t.Context(), llm.Request{}, Out{Path: "/secret-path", KeyHeader: "Authorization", Body: 1})
		e, ok := errors.AsType[*llm.Error](err)
		if !ok || e.Code != recap.CodeProviderError || !strings.Contains(e.Detail, c.words) || strings.Contains(e.Detail, "secret-path") {
			t.Errorf("%s: %+v", c.name, err)
		}
	}
}

func BenchmarkPost(b *testing.B) {
	srv := llmtest.NewServer(b)
	c := New(srv.Provider(llm.OpenAI), nil)
	req := llm.Request{Prompt: strings.Repeat("word ", 400)}
	out := Out{Path: "/v1/chat/completions", KeyHeader: "Authorization", Body: map[string]string{"p": req.Prompt}}
	b.Run("post", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Post(b.Context(), req, out); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("net/http alone", func(b *testing.B) {
		hc := NewHTTP(nil)
		for b.Loop() {
			r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, srv.URL+out.Path, strings.NewReader(`{"p":"`+req.Prompt+`"}`))
			if err != nil {
				b.Fatal(err)
			}
			resp, err := hc.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				b.Fatal(err)
			}
			_ = resp.Body.Close()
		}
	})
}

func BenchmarkClean(b *testing.B) {
	c := New(llm.Provider{ID: "p", BaseURL: "http://127.0.0.1:1", Key: llm.NewKey(llmtest.Key)}, nil)
	prompt := strings.Repeat("the person asked for a parser of dates. ", 800)
	for b.Loop() {
		c.clean("could not parse: "+prompt, llm.Request{Prompt: prompt})
	}
}
