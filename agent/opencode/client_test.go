package opencode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func TestNewServer(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "localhost:4096", "ftp://h", "http://", "http://h/?directory=x", "http://h/#x", "http://open:sesame@%zz", "://", "file:///etc/passwd", "http://a b"} {
		_, err := NewServer(ServerConfig{Name: "work", URL: bad})
		if recap.CodeOf(err) != recap.CodeConfig || strings.Contains(fmt.Sprint(err), "sesame") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := NewServer(ServerConfig{URL: "http://h", Namespace: " x"}); recap.CodeOf(err) != recap.CodeConfig {
		t.Errorf("namespace: %v", err)
	}
	s, err := NewServer(ServerConfig{URL: " https://dev:sesame@Host:1/base/ "})
	if err != nil {
		t.Fatal(err)
	}
	if s.c.address() != "https://Host:1/base" || s.c.user != "dev" || s.c.password != "sesame" {
		t.Errorf("%+v", s.c)
	}
	if text := fmt.Sprintf("%v %+v %#v", s.cfg, s.cfg, s.fault(errDead)); strings.Contains(text, "sesame") {
		t.Errorf("the password stands in %s", text)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ version, want string }{
		{"1.18.33", ""},
		{"1.2.26", ""},
		{"v1.19.0-beta.2", ""},
		{"0.0.0-dev-202611300000", ""},
		{"local", ""},
		{"1.2.25", "too old"},
		{"0.15.31", "too old"},
		{"2.0.1", "not supported yet"},
		{"10.0", "not supported yet"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newStub(t)
			s.version = x.version
			err := s.server(ServerConfig{}).c.health(t.Context())
			if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
				t.Errorf("%s: %v", x.version, err)
			}
		})
	}
}

func TestAnswersOfStrangers(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		odd  func(*http.Request) (*http.Response, error)
		want string
	}{
		"a page":       {always(200, "text/html; charset=utf-8", "<html>secret words"), "no OpenCode server"},
		"not JSON":     {always(200, "application/json", "{secret words"), "no OpenCode server"},
		"a list":       {always(200, "application/json", "[]"), "no OpenCode server"},
		"nothing":      {always(200, "application/json", ""), "no OpenCode server"},
		"not found":    {always(404, "text/plain", ""), "no OpenCode server"},
		"broken":       {always(502, "text/html", "secret words"), "status 502"},
		"elsewhere":    {always(302, "text/html", ""), "sends elsewhere"},
		"asks":         {always(401, "text/html", ""), "refuses the password"},
		"endless":      {flowing(func(context.Context) io.Reader { return endless{} }), "too large"},
		"cut":          {flowing(func(context.Context) io.Reader { return torn{} }), "can't be reached"},
		"hangs":        {hang, "did not answer in time"},
		"unreachable":  {func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }, "can't be reached"},
		"slow as snow": {flowing(func(ctx context.Context) io.Reader { return drip{ctx} }), "did not answer in time"},
		"OpenCode 2": {func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/api/session" {
				return answered(200, "application/json", `{"data":[],"cursor":null}`), nil
			}
			return answered(404, "text/html", ""), nil
		}, "OpenCode 2 is not supported yet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStub(t)
				s.odd = x.odd
				srv := s.server(ServerConfig{Password: "sesame"})
				begun := time.Now()
				err := srv.c.health(t.Context())
				if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sesame") {
					t.Errorf("got %v, want %s", err, x.want)
				}
				if d := time.Since(begun); d > 2*healthWithin {
					t.Errorf("took %s", d)
				}
				for _, err := range srv.Sessions(t.Context(), agent.Query{}) {
					if p, ok := errors.AsType[*agent.Problem](err); !ok || p.Path != "http://opencode.test:4096" {
						t.Errorf("%T %v", err, err)
					}
				}
				if _, err := srv.Page(t.Context(), stubRef("a"), "", 10); err == nil {
					t.Error("a page was read")
				}
			})
		})
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return copy(b, bytes.Repeat([]byte(" "), len(b))), nil }

type torn struct{}

func (torn) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// drip gives a byte a second until the request is over.
type drip struct{ ctx context.Context } //nolint:containedctx // a body of a test

func (d drip) Read(b []byte) (int, error) {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-t.C:
		return copy(b, " "), nil
	}
}

// The password goes to the configured address alone.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 10)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.Header.Get("Authorization") }))
	defer other.Close()
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer first.Close()
	s, err := NewServer(ServerConfig{URL: first.URL, Password: "sesame"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.c.health(t.Context()); err == nil {
		t.Error("followed")
	}
	if err := s.c.stream(t.Context(), func(signal) error { return nil }); err == nil {
		t.Error("followed")
	}
	if _, err := s.c.putMetadata(t.Context(), "ses_1", []byte(`{}`)); err == nil {
		t.Error("followed")
	}
	if len(asked) != 0 {
		t.Errorf("the other server was sent %q", <-asked)
	}
}

func TestF2_GiantEventsAreLeftOut(t *testing.T) {
	t.Parallel()
	var in bytes.Buffer
	status := func(id string) string {
		return `{"directory":"/p","payload":{"id":"e","type":"session.idle","properties":{"sessionID":"` + id + `"}}}`
	}
	fmt.Fprintf(&in, "data: %s\n\n: comment\nid: 1\nevent: x\ndata:%s\r\n\r\n", status("a"), status("b"))
	fmt.Fprintf(&in, "data: %s\n\n", strings.Repeat("x", 3*maxEvent))
	fmt.Fprintf(&in, "data: {\"payload\":\ndata: {\"type\":\"session.idle\",\ndata: \"properties\":{\"sessionID\":\"c\"}}}\n\n")
	for range 3000 {
		fmt.Fprintf(&in, "data: %s\n", strings.Repeat("y", 4000))
	}
	fmt.Fprintf(&in, "\ndata: %s\n\ndata: %s", status("d"), status("torn"))
	var got []string
	most := 0
	err := events(&in, func() {}, func(data []byte) error {
		most = max(most, cap(data))
		if sig, ok := parseSignal(data); ok {
			got = append(got, sig.session)
		}
		return nil
	})
	if !errors.Is(err, io.EOF) || fmt.Sprint(got) != "[a b c d]" || most > 2*maxEvent {
		t.Errorf("%v %v %d", err, got, most)
	}
}

// Fields of any type in what a server sends: nothing panics.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/global-event-permission.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(b)) {
		var doc map[string]any
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatal(err)
		}
		p, ok := doc["payload"].(map[string]any)
		if !ok || seen[fmt.Sprint(p["type"])] {
			continue
		}
		seen[fmt.Sprint(p["type"])] = true
		m := newTracks()
		agenttest.Mutate(doc, func() {
			if sig, ok := parseSignal([]byte(encode(t, doc))); ok {
				if sig.kind == sigAlive || sig.kind == sigDisposed {
					return
				}
				m.apply(sig, time.UnixMilli(startMS))
			}
		}, "data")
	}
	page := []any{map[string]any{
		"info":  map[string]any{"id": "m", "role": "assistant", "time": map[string]any{"created": 1.0, "completed": 2.0}, "error": map[string]any{"name": "APIError", "data": map[string]any{"message": "x"}}},
		"parts": []any{map[string]any{"id": "p", "type": "text", "text": "x"}, map[string]any{"type": "tool", "tool": "bash", "state": map[string]any{"status": "completed", "input": map[string]any{"command": "ls"}}}},
	}, map[string]any{"info": map[string]any{"id": "n", "role": "user", "time": map[string]any{"created": 3.0}}, "parts": []any{}}}
	session := map[string]any{"id": "a", "directory": "/p", "title": "t", "parentID": nil, "time": map[string]any{"created": 1.0, "updated": 2.0}, "revert": map[string]any{"messageID": "n"}, "metadata": map[string]any{"recap": map[string]any{"assist": map[string]any{"forMessageID": "m", "generatedAt": 1.0}}}}
	list := []any{session}
	var at string
	s := newStub(t)
	s.odd = func(r *http.Request) (*http.Response, error) {
		v := any(session)
		switch {
		case strings.HasSuffix(r.URL.Path, "/message"):
			v = page
		case r.URL.Path == "/experimental/session":
			v = list
		case r.URL.Path == "/global/health":
			return nil, nil
		case strings.HasPrefix(r.URL.Path, "/session/status"), r.URL.Path == "/permission":
			v = map[string]any{"list": list, "page": page}[at]
		}
		return s.json(v), nil
	}
	srv := s.server(ServerConfig{})
	ctx := t.Context()
	try := func() {
		for _, err := range srv.Sessions(ctx, agent.Query{}) {
			_ = err // only that it ends
		}
		_, _ = srv.Page(ctx, stubRef("a"), "", 10)
		_ = srv.PutRecord(ctx, stubRef("a"), recap.Record{Recap: "x", Fingerprint: "y", GeneratedAt: time.UnixMilli(startMS)})
		_, _ = srv.c.statuses(ctx, "/p")
		_, _ = srv.c.asked(ctx, "/p")
	}
	agenttest.Mutate(page, try)
	agenttest.Mutate(list, try)
	at = "list"
	agenttest.Mutate(list, try)
}

func TestG5_AnAnswerThatFailed(t *testing.T) {
	t.Parallel()
	s := newStub(t)
	s.sessions = []object{{"id": "a", "directory": "/p", "time": object{"created": 1, "updated": 2}}}
	s.messages["a"] = []object{{"info": object{"id": "m", "role": "assistant", "time": object{"created": 1, "completed": 2}, "error": object{"name": "APIError", "data": object{"message": "no"}}}, "parts": []any{}}}
	p, err := s.server(ServerConfig{}).Page(t.Context(), stubRef("a"), "", 10)
	if err != nil || len(p.Records) != 1 || p.Records[0].Failure == nil || p.Records[0].Failure.Code != "APIError" {
		t.Errorf("%v %+v", err, p.Records)
	}
}

func TestE31_ServerPages(t *testing.T) {
	t.Parallel()
	s := newStub(t)
	s.sessions = []object{{"id": "a", "directory": "/p", "time": object{"created": 1, "updated": 2}}}
	srv := s.server(ServerConfig{})
	limits := []string{}
	s.odd = func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/message") {
			return nil, nil
		}
		limit := r.URL.Query().Get("limit")
		limits = append(limits, limit)
		res := s.json([]any{object{"info": object{"id": "m", "role": "user", "time": object{"created": 1}}}})
		if limit == "50" {
			res.Body = io.NopCloser(endless{})
		}
		res.Header.Set("X-Next-Cursor", string(place{"m", 1}.cursor()))
		return res, nil
	}
	p, err := srv.Page(t.Context(), stubRef("a"), "", 1000)
	if err != nil || len(p.Records) != 1 || p.Next == "" || fmt.Sprint(limits) != "[50 10]" {
		t.Errorf("%v %+v %v", err, p, limits)
	}
	if _, err := srv.Page(t.Context(), stubRef("a"), p.Next, 10); recap.CodeOf(err) != recap.CodeUnreadable {
		t.Errorf("the same page twice: %v", err)
	}
	if _, err := srv.Page(t.Context(), stubRef("a"), "nonsense", 10); recap.CodeOf(err) != recap.CodeUsage {
		t.Errorf("cursor: %v", err)
	}
	if _, err := srv.Page(t.Context(), stubRef("b"), "", 10); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("missing: %v", err)
	}
	other := stubRef("a")
	other.Root = "/home/dev"
	if _, err := srv.Page(t.Context(), other, "", 10); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("another's: %v", err)
	}
}

func TestTimeOfID(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int64{"msg_229c7e845001afEc8pp0fjnG95": 1795997296709, "msg_": 0, "x": 0, "msg_zzzzzzzzzzzz": 0} {
		if got := timeOfID(id, 1795997296709+60_000); got != want {
			t.Errorf("%s: %d, want %d", id, got, want)
		}
	}
	if got := timeOfID("msg_229c7e845001", 1795997296709+48*3600_000); got != 0 {
		t.Errorf("two days earlier: %d", got)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: {\"payload\":{\"type\":\"session.idle\",\"properties\":{\"sessionID\":\"a\"}}}\n\n"))
	f.Add([]byte("data: x\r\n\r\ndata\n\n:\n\ndata:\ndata:\n\n"))
	b, err := os.ReadFile("testdata/global-event-multidir.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("data: " + strings.ReplaceAll(string(b[:20000]), "\n", "\n\ndata: ")))
	f.Fuzz(func(t *testing.T, in []byte) {
		m := newTracks()
		at := time.UnixMilli(startMS)
		_ = events(bytes.NewReader(in), func() {}, func(data []byte) error {
			if sig, ok := parseSignal(data); ok && sig.kind != sigAlive && sig.kind != sigDisposed {
				for _, h := range m.apply(sig, at) {
					if h.id == "" || h.kind == 0 {
						t.Errorf("told %+v", h)
					}
				}
			}
			return nil
		})
		m.doubt("")
		_, dirs := m.overdue(at.Add(time.Hour))
		for _, ids := range dirs {
			for _, id := range ids {
				m.settle(id, false, nil)
			}
		}
	})
}

func FuzzServerAnswers(f *testing.F) {
	f.Add([]byte(`[{"info":{"id":"m","role":"user"},"parts":[{"id":"p","type":"text","text":"x"}]}]`))
	f.Add([]byte(`{"id":"a","directory":"/p","time":{"created":1,"updated":2},"metadata":{"recap":{"assist":{"recap":"x"}}}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := &stub{t: t}
		s.odd = always(200, "application/json", string(in))
		srv, err := NewServer(ServerConfig{URL: "http://opencode.test:4096", Transport: s})
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		for _, err := range srv.Sessions(ctx, agent.Query{}) {
			_ = err // only that it ends
		}
		_, _ = srv.Page(ctx, stubRef("a"), "", 10)
		_ = srv.PutRecord(ctx, stubRef("a"), recap.Record{Recap: "x", Fingerprint: "y"})
		_, _ = srv.c.statuses(ctx, "/p")
		_, _ = srv.c.asked(ctx, "/p")
	})
}
