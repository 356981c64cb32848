package llmtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// wantError checks a failed call; status -1 means any.
func wantError(t *testing.T, err error, code recap.Code, status int) llm.Error {
	t.Helper()
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Errorf("%v (%T) is no *llm.Error", err, err)
		return llm.Error{}
	}
	if e.Code != code || recap.CodeOf(err) != code || status >= 0 && e.Status != status {
		t.Errorf("%v: code %s (%s), status %d; want %s, %d", err, e.Code, recap.CodeOf(err), e.Status, code, status)
	}
	if e.Provider == "" {
		t.Errorf("%v does not name the provider", err)
	}
	if len([]rune(e.Detail)) > 200 || strings.ContainsAny(e.Detail, "\n\r\x1b<") {
		t.Errorf("detail: %q", e.Detail)
	}
	return *e
}

const page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Sign in</h1></body></html>"

func testFailures(t *testing.T, b *bench) {
	for _, c := range []struct {
		name   string
		status int
		kind   string
		words  string
		want   recap.Code
		loads  bool
	}{
		{"400", 400, "invalid_request_error", "Unsupported value: temperature", recap.CodeInvalidRequest, false},
		{"400 context", 400, "context_length_exceeded", "This model's maximum context length is 8192 tokens", recap.CodeContextTooSmall, false},
		{"400 prompt is too long", 400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", recap.CodeContextTooSmall, false},
		{"400 Google's context", 400, "INVALID_ARGUMENT", "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).", recap.CodeContextTooSmall, false},
		{"400 Google's key", 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", recap.CodeNoLogin, false},
		{"400 credit", 400, "invalid_request_error", "Your credit balance is too low to access the API.", recap.CodeRateLimited, false},
		{"400 filter", 400, "content_filter", "The response was filtered", recap.CodeProviderError, false},
		{"400 model", 400, "invalid_request_error", "Model Not Exist", recap.CodeModelUnavailable, false},
		{"401", 401, "authentication_error", "invalid x-api-key", recap.CodeNoLogin, false},
		{"402", 402, "", "Insufficient credits", recap.CodeRateLimited, false},
		{"403", 403, "permission_error", "not allowed", recap.CodeNoLogin, false},
		{"404 model", 404, "not_found_error", "model: small-1", recap.CodeModelUnavailable, false},
		{"404 path", 404, "", "no such route", recap.CodeProviderError, false},
		{"405", 405, "", "", recap.CodeProviderUnsupported, false},
		{"408", 408, "timeout", "request timeout", recap.CodeTimeout, false},
		{"409", 409, "conflict", "try again", recap.CodeProviderError, false},
		{"410", 410, "", "this model was retired", recap.CodeModelUnavailable, false},
		{"413", 413, "request_too_large", "too large", recap.CodeContextTooSmall, false},
		{"422", 422, "", "unprocessable", recap.CodeInvalidRequest, false},
		{"429", 429, "rate_limit_error", "Rate limit reached", recap.CodeRateLimited, false},
		{"429 quota", 429, "insufficient_quota", "You exceeded your current quota", recap.CodeRateLimited, false},
		{"500", 500, "api_error", "Internal server error", recap.CodeProviderError, false},
		{"501", 501, "", "", recap.CodeProviderUnsupported, false},
		{"502", 502, "", "bad gateway", recap.CodeProviderError, false},
		{"503 loading", 503, "unavailable_error", "Loading model", recap.CodeModelUnavailable, true},
		{"503 overloaded", 503, "UNAVAILABLE", "The model is overloaded.", recap.CodeModelUnavailable, false},
		{"504", 504, "DEADLINE_EXCEEDED", "deadline", recap.CodeTimeout, false},
		{"529", 529, "overloaded_error", "Overloaded", recap.CodeModelUnavailable, false},
	} {
		b.Answer(Reply{Status: c.status, Kind: c.kind, Message: c.words})
		before := b.Count()
		_, err := b.client().Complete(t.Context(), b.request())
		e := wantError(t, err, c.want, c.status)
		if e.Detail != c.words {
			t.Errorf("%s: detail %q, want %q", c.name, e.Detail, c.words)
		}
		if e.Loading != c.loads {
			t.Errorf("%s: loading %v", c.name, e.Loading)
		}
		if n := b.Count() - before; n != 1 {
			t.Errorf("%s: %d requests", c.name, n)
		}
	}
}

func testBroken(t *testing.T, b *bench) {
	for _, c := range []struct {
		name   string
		r      Reply
		want   recap.Code
		status int
	}{
		{"H5 a page with 200", Reply{Type: "text/html", Body: page}, recap.CodeProviderError, 200},
		{"H5 a page that calls itself JSON", Reply{Body: page}, recap.CodeProviderError, 200},
		{"H5 a page with 502", Reply{Status: 502, Type: "text/html", Body: page}, recap.CodeProviderError, 502},
		{"a page with 403", Reply{Status: 403, Type: "text/html", Body: page}, recap.CodeProviderError, 403},
		{"a page with 429", Reply{Status: 429, Type: "text/html", Body: page}, recap.CodeRateLimited, 429},
		{"empty body", Reply{Type: "application/json"}, recap.CodeProviderError, 200},
		{"empty body with 500", Reply{Status: 500, Type: "application/json"}, recap.CodeProviderError, 500},
		{"plain 404", Reply{Status: 404, Type: "text/plain", Body: "404 page not found"}, recap.CodeProviderError, 404},
		{"no JSON", Reply{Body: "ok"}, recap.CodeProviderError, 200},
		{"half a JSON object", Reply{Body: `{"choices":[`}, recap.CodeProviderError, 200},
		{"a list", Reply{Body: `[1]`}, recap.CodeProviderError, 200},
		{"another object", Reply{Body: `{"ok":true}`}, recap.CodeProviderError, 200},
		{"wrong types", Reply{Body: `{"choices":{"a":1},"content":7,"candidates":"x"}`}, recap.CodeProviderError, 200},
		{"G5 an error with 200", Reply{Body: `{"error":{"message":"Rate limit exceeded","code":429}}`}, recap.CodeRateLimited, 429},
		{"G5 an error in a word", Reply{Body: `{"error":"the runner has stopped"}`}, recap.CodeProviderError, 502},
		{"loading, said in a word", Reply{Status: 503, Body: `{"error":"Model small is currently loading","estimated_time":20.0}`}, recap.CodeModelUnavailable, 503},
		{"an unknown model, said in a word", Reply{Status: 404, Body: `{"error":"model 'small' not found"}`}, recap.CodeModelUnavailable, 404},
		{"a list of one error", Reply{Status: 429, Body: `[{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}]`}, recap.CodeRateLimited, 429},
		{"cut in the middle of the body", Reply{Cut: true}, recap.CodeProviderError, 0},
		{"reset before the reply", Reply{Reset: true}, recap.CodeProviderError, 0},
		{"closed before the reply", Reply{Raw: "\r\n"}, recap.CodeProviderError, 0},
		{"not HTTP", Reply{Raw: "SSH-2.0-OpenSSH_9.6\r\n"}, recap.CodeProviderError, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.Answer(c.r)
			before := b.Count()
			got, err := b.client().Complete(t.Context(), b.request())
			e := wantError(t, err, c.want, c.status)
			if got.Text != "" {
				t.Errorf("text beside an error: %q", got.Text)
			}
			if n := b.Count() - before; n != 1 {
				t.Errorf("%d requests", n)
			}
			if strings.Contains(c.name, "page") && strings.Contains(c.r.Body, "<") && !strings.Contains(e.Detail, "page") {
				t.Errorf("it does not say what came: %q", e.Detail)
			}
			if strings.Contains(e.Detail, "Sign in") {
				t.Errorf("the page's text: %q", e.Detail)
			}
		})
	}
	t.Run("no server", func(t *testing.T) {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		p := b.provider()
		p.BaseURL = "http://" + l.Addr().String()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = b.open(p, nil).Complete(t.Context(), b.request())
		if e := wantError(t, err, recap.CodeModelUnavailable, 0); e.Loading || !strings.Contains(e.Detail, l.Addr().String()) {
			t.Errorf("%+v", e)
		}
	})
}

func testReset(t *testing.T, b *bench) {
	fixed := time.Now().Add(3 * time.Hour).UTC().Truncate(time.Second)
	for _, c := range []struct {
		name string
		h    map[string]string
		want time.Duration // from now; 0 none, -1 fixed
	}{
		{"seconds", map[string]string{"Retry-After": "30"}, 30 * time.Second},
		{"a date", map[string]string{"Retry-After": fixed.Format(http.TimeFormat)}, -1},
		{"milliseconds win", map[string]string{"Retry-After-Ms": "1500", "Retry-After": "9"}, 1500 * time.Millisecond},
		{"of two limits the one that is used up", map[string]string{
			"x-ratelimit-reset-requests": "120ms", "x-ratelimit-remaining-requests": "12",
			"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "0",
		}, 6 * time.Minute},
		{"Retry-After before the limits", map[string]string{"Retry-After": "7", "x-ratelimit-reset-tokens": "6m0s"}, 7 * time.Second},
		{"Anthropic's", map[string]string{
			"anthropic-ratelimit-requests-reset": fixed.Add(time.Hour).Format(time.RFC3339), "anthropic-ratelimit-requests-remaining": "49",
			"anthropic-ratelimit-tokens-reset": fixed.Format(time.RFC3339), "anthropic-ratelimit-tokens-remaining": "0",
		}, -1},
		{"OpenRouter's, in milliseconds since 1970", map[string]string{"X-RateLimit-Reset": strconv.FormatInt(fixed.UnixMilli(), 10)}, -1},
		{"since 1970", map[string]string{"x-ratelimit-reset": strconv.FormatInt(fixed.Unix(), 10)}, -1},
		{"none", nil, 0},
		{"in the past", map[string]string{"Retry-After": "-5"}, 0},
		{"nonsense", map[string]string{"Retry-After": "soon", "x-ratelimit-reset-tokens": "NaN"}, 0},
		{"in a hundred years", map[string]string{"Retry-After": "3153600000"}, 31 * 24 * time.Hour},
	} {
		h := http.Header{}
		for k, v := range c.h {
			h.Set(k, v)
		}
		b.Answer(Reply{Status: 429, Kind: "rate_limit_error", Message: "Rate limit", Header: h})
		before := time.Now()
		_, err := b.client().Complete(t.Context(), b.request())
		e := wantError(t, err, recap.CodeRateLimited, 429)
		after := time.Now()
		switch {
		case c.want == 0:
			if !e.Reset.IsZero() {
				t.Errorf("%s: reset %v", c.name, e.Reset)
			}
		case c.want < 0:
			if !e.Reset.Equal(fixed) {
				t.Errorf("%s: reset %v, want %v", c.name, e.Reset, fixed)
			}
		case e.Reset.Before(before.Add(c.want)) || e.Reset.After(after.Add(c.want)):
			t.Errorf("%s: reset %v, want %v from now", c.name, e.Reset, c.want)
		}
	}
	if b.protocol == llm.Gemini {
		b.Answer(Reply{Status: 429, Kind: "RESOURCE_EXHAUSTED", Message: "Quota", RetryDelay: "34.5s"})
		before := time.Now()
		_, err := b.client().Complete(t.Context(), b.request())
		if e := wantError(t, err, recap.CodeRateLimited, 429); e.Reset.Before(before.Add(34*time.Second)) || e.Reset.After(time.Now().Add(35*time.Second)) {
			t.Errorf("RetryInfo: reset %v", e.Reset)
		}
	}
}

// everything gives all that can be printed of an error and its causes.
func everything(err error) string {
	var b strings.Builder
	var walk func(error)
	walk = func(err error) {
		if err == nil {
			return
		}
		fmt.Fprintf(&b, "%v|%+v|%#v|%q\n", err, err, err, err)
		switch u := err.(type) { //nolint:errorlint // walks the tree itself
		case interface{ Unwrap() error }:
			walk(u.Unwrap())
		case interface{ Unwrap() []error }:
			for _, e := range u.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	return b.String()
}

func testSecrets(t *testing.T, b *bench) {
	const header = "Basic dXNlcjpodW50ZXIy"
	p := b.provider()
	p.Headers = map[string]string{"X-Gateway": header}
	p.BaseURL = strings.Replace(b.URL, "://", "://someone:hunter2hunter2@", 1) + "/private-path/v1"
	req := b.request()
	echoes := []string{
		"Incorrect API key provided: " + Key + ". You can find it in your account.",
		"Incorrect API key provided: " + Key[:8] + strings.Repeat("*", 20) + Key[len(Key)-4:],
		"Bearer " + Key + " is wrong\nx-gateway: " + header,
		"could not parse: " + prompt,
		"system: " + system + " user: " + strings.ReplaceAll(prompt, "\n", " "),
		"token sk-ant-api03-" + strings.Repeat("aB3", 30) + " is revoked",
		strings.Repeat("x ", 90) + Key,
	}
	replies := []Reply{
		{Reset: true},
		{Cut: true, Body: "{" + Key + prompt, Type: "application/json"},
		{Hang: true},
		{Redirect: "http://" + Key + "@127.0.0.1:1/" + Key + "?key=" + Key},
		{Body: "HTTP/1.1 " + Key},
		{Raw: "HTTP/1.1 2000 " + Key + " asked for a parser\r\n\r\n"},
		{Raw: "HTTP/1.1 200 OK\r\nContent-Length: " + Key + "\r\n\r\n"},
		{Raw: "asked for a parser " + Key + "\r\n\r\n"},
	}
	for _, s := range []int{200, 400, 401, 403, 404, 429, 500, 503} {
		for _, e := range echoes {
			replies = append(replies,
				Reply{Status: s, Kind: Key, Message: e, Body: map[bool]string{true: fmt.Sprintf(`{"error":{"message":%q}}`, e)}[s == 200]},
				Reply{Status: s, Type: "text/plain", Body: e})
		}
	}
	for _, r := range replies {
		b.Answer(r)
		ctx, cancel := context.WithCancel(t.Context())
		if r.Hang {
			go func() {
				for range b.Arrived() {
					if b.Count() > 2 {
						cancel()
						return
					}
				}
			}()
		}
		_, err := b.open(p, nil).Complete(ctx, req)
		cancel()
		if err == nil {
			t.Errorf("%+v: no error", r)
			continue
		}
		all := everything(err)
		for _, secret := range []string{Key, Key[:16], "*" + Key[len(Key)-4:], header, "asked for a parser", "said the agent", "Answer in the fields", "aB3aB3aB3", "private-path", "hunter2"} {
			if strings.Contains(all, secret) {
				t.Errorf("status %d %q: %q is in the error:\n%s", r.Status, r.Message, secret, all)
			}
		}
	}
}

func testHuge(t *testing.T, b *bench) {
	for _, zip := range []bool{false, true} {
		b.Answer(Reply{Endless: true, Gzip: zip})
		_, err := b.client().Complete(t.Context(), b.request())
		wantError(t, err, recap.CodeProviderError, 200)
		b.Answer(Reply{Endless: true, Gzip: zip, Status: 429, Message: "Rate limit"})
		_, err = b.client().Complete(t.Context(), b.request())
		wantError(t, err, recap.CodeRateLimited, 429)
		// Packed, all of it fits into the socket's buffers.
		if !zip && b.Taken() != 0 {
			t.Error("an endless reply was read to its end")
		}
	}
	b.Answer(Reply{Header: http.Header{"X-Long": {strings.Repeat("h", 4<<20)}}})
	_, err := b.client().Complete(t.Context(), b.request())
	wantError(t, err, recap.CodeProviderError, 0)
}

func testGzip(t *testing.T, b *bench) {
	for _, hc := range []*http.Client{nil, {Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}} {
		b.Answer(Reply{Gzip: true})
		if got, err := b.open(b.provider(), hc).Complete(t.Context(), b.request()); err != nil || got.Text != Said {
			t.Errorf("%+v, %v", got, err)
		}
		b.Answer(Reply{Gzip: true, Status: 400, Message: "no such field"})
		_, err := b.open(b.provider(), hc).Complete(t.Context(), b.request())
		if e := wantError(t, err, recap.CodeInvalidRequest, 400); e.Detail != "no such field" {
			t.Errorf("detail %q", e.Detail)
		}
		b.Answer(Reply{Header: http.Header{"Content-Encoding": {"gzip"}}})
		_, err = b.open(b.provider(), hc).Complete(t.Context(), b.request())
		wantError(t, err, recap.CodeProviderError, -1)
	}
}

func testRedirect(t *testing.T, b *bench) {
	other := NewServer(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL + "/v1/chat/completions", b.URL + "/v1/messages", "/elsewhere", "https://127.0.0.1:1/"} {
			b.Answer(Reply{Status: status, Redirect: to, Body: "moved", Type: "text/plain"})
			before := b.Count()
			_, err := b.open(b.provider(), &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Complete(t.Context(), b.request())
			if e := wantError(t, err, recap.CodeProviderError, status); strings.Contains(e.Detail, "/v1") || strings.Contains(e.Detail, "elsewhere") {
				t.Errorf("more than the host: %q", e.Detail)
			}
			if n := b.Count() - before; n != 1 {
				t.Errorf("%d to %s: %d requests", status, to, n)
			}
		}
	}
	if n := other.Count(); n != 0 {
		t.Errorf("the other host got %d requests", n)
	}
}

// within is how soon after a cancel the socket must be closed. The median of
// several tries counts: the machine may pause any one of them.
const within = 50 * time.Millisecond

func testCancel(t *testing.T, b *bench) {
	for _, c := range []struct {
		name string
		r    Reply
	}{
		{"before the reply", Reply{Hang: true}},
		{"in the middle of the body", Reply{Stall: true}},
		{"in a slow body", Reply{Slow: time.Hour}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.Answer(c.r)
			here := goleak.IgnoreCurrent()
			var took []time.Duration
			for range 9 {
				ctx, cancel := context.WithCancel(t.Context())
				failed := make(chan error, 1)
				go func() {
					_, err := b.client().Complete(ctx, b.request())
					failed <- err
				}()
				<-b.Arrived()
				start := time.Now()
				cancel()
				took = append(took, (<-b.Left()).Sub(start))
				err := <-failed
				wantError(t, err, recap.CodeCanceled, 0)
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%v is no context.Canceled", err)
				}
			}
			slices.Sort(took)
			t.Logf("cancel to closed socket: median %v, longest %v", took[len(took)/2], took[len(took)-1])
			if got := took[len(took)/2]; got > within {
				t.Errorf("the socket was closed after %v, want %v", got, within)
			}
			goleak.VerifyNone(t, here)
		})
	}
	t.Run("before the call", func(t *testing.T) {
		before := b.Count()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := b.client().Complete(ctx, b.request())
		wantError(t, err, recap.CodeCanceled, 0)
		if b.Count() != before {
			t.Error("a request left")
		}
	})
	t.Run("with a cause of its own", func(t *testing.T) {
		b.Answer(Reply{Hang: true})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-b.Arrived()
			cancel(errors.New("the session went on"))
		}()
		_, err := b.client().Complete(ctx, b.request())
		wantError(t, err, recap.CodeCanceled, 0)
	})
}

func testDeadline(t *testing.T, b *bench) {
	here := goleak.IgnoreCurrent()
	for _, r := range []Reply{{Hang: true}, {Stall: true}} {
		b.Answer(r)
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		_, err := b.client().Complete(ctx, b.request())
		cancel()
		if wantError(t, err, recap.CodeTimeout, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no context.DeadlineExceeded", err)
		}
	}
	b.Answer(Reply{Hang: true})
	_, err := b.open(b.provider(), &http.Client{Timeout: 30 * time.Millisecond, Transport: &http.Transport{DisableKeepAlives: true}}).Complete(t.Context(), b.request())
	wantError(t, err, recap.CodeTimeout, 0)
	goleak.VerifyNone(t, here)
}

func testNothingStays(t *testing.T, b *bench) {
	here := goleak.IgnoreCurrent()
	c := b.client()
	for _, r := range []Reply{{}, {Status: 500}, {Endless: true}, {Status: 429, Endless: true}, {Cut: true}, {Reset: true}, {Empty: true}} {
		b.Answer(r)
		// Whether it failed is what the other tests ask.
		_, _ = c.Complete(t.Context(), b.request())
	}
	goleak.VerifyNone(t, here)
	if n := b.Open(); n != 0 {
		t.Errorf("%d connections are open", n)
	}
}
