package opencode

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

type object = map[string]any

// stub is a server without a network, for tests in virtual time.
type stub struct {
	t        *testing.T
	password string
	version  string

	mu       sync.Mutex
	sessions []object
	messages map[string][]object
	status   map[string]object // by session
	asked    []object
	calls    []string
	patches  []string
	streams  []*io.PipeWriter
	// odd answers in place of the stub; nil is the stub's own answer.
	odd func(*http.Request) (*http.Response, error)
	// beat stops the heartbeats where it is false.
	beat bool
}

func newStub(t *testing.T) *stub {
	return &stub{t: t, version: "1.18.33", messages: map[string][]object{}, status: map[string]object{}, beat: true}
}

func answered(status int, kind, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

func (s *stub) json(v any) *http.Response { return answered(200, "application/json", encode(s.t, v)) }

type odd = func(*http.Request) (*http.Response, error)

// always gives the same answer.
func always(status int, kind, body string) odd {
	return func(*http.Request) (*http.Response, error) { return answered(status, kind, body), nil }
}

// flowing answers with what a reader gives.
func flowing(body func(context.Context) io.Reader) odd {
	return func(r *http.Request) (*http.Response, error) {
		res := answered(200, "application/json", "")
		res.Body = io.NopCloser(body(r.Context()))
		return res, nil
	}
}

// touch sets when a session was touched, under one of its times.
func (s *stub) touch(id, key string) {
	if times, ok := s.find(id)["time"].(object); ok {
		times[key] = time.Now().UnixMilli()
	}
}

// hang is a server that takes a connection and never answers.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// RoundTrip answers a request.
func (s *stub) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.calls = append(s.calls, r.Method+" "+r.URL.Path)
	odd := s.odd
	s.mu.Unlock()
	if odd != nil {
		if res, err := odd(r); res != nil || err != nil {
			if res != nil {
				res.Request = r
			}
			return res, err
		}
	}
	if _, p, _ := r.BasicAuth(); p != s.password {
		return answered(401, "", ""), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/session/"), "/")
	switch {
	case r.URL.Path == "/global/health":
		return s.json(object{"healthy": true, "version": s.version}), nil
	case r.URL.Path == "/global/event":
		return s.stream(r), nil
	case r.URL.Path == "/experimental/session":
		list := []object{}
		for _, x := range s.sessions {
			if r.URL.Query().Get("roots") != "true" || x["parentID"] == nil {
				list = append([]object{x}, list...)
			}
		}
		return s.json(list), nil
	case r.URL.Path == "/session/status":
		out := object{}
		for id, st := range s.status {
			if x := s.find(id); x != nil && x["directory"] == r.URL.Query().Get("directory") {
				out[id] = st
			}
		}
		return s.json(out), nil
	case r.URL.Path == "/permission":
		return s.json(append([]object{}, s.asked...)), nil
	case r.URL.Path == "/question":
		return s.json([]any{}), nil
	case s.find(id) == nil:
		return answered(404, "application/json", `{"name":"NotFoundError"}`), nil
	case rest == "message":
		list := s.messages[id]
		if r.URL.Query().Get("limit") == "1" {
			list = list[max(0, len(list)-1):]
		}
		return s.json(list), nil
	case r.Method == http.MethodPatch:
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		s.patches = append(s.patches, string(b))
		var in struct{ Metadata object }
		if err := json.Unmarshal(b, &in); err != nil {
			return answered(400, "application/json", "{}"), nil
		}
		s.find(id)["metadata"] = in.Metadata
		s.touch(id, "updated")
		go s.push(encode(s.t, object{"directory": "/p", "payload": object{"type": "session.updated", "properties": object{"info": s.find(id)}}}))
		return s.json(s.find(id)), nil
	}
	return s.json(s.find(id)), nil
}

func (s *stub) find(id string) object {
	for _, x := range s.sessions {
		if x["id"] == id {
			return x
		}
	}
	return nil
}

func (s *stub) stream(r *http.Request) *http.Response {
	out, in := io.Pipe()
	s.streams = append(s.streams, in)
	go func() {
		write := func(kind string) bool {
			_, err := fmt.Fprintf(in, "data: {\"payload\":{\"id\":\"evt_1\",\"type\":%q,\"properties\":{}}}\n\n", kind)
			return err == nil
		}
		ok := write("server.connected")
		tick := time.NewTicker(10 * time.Second)
		defer tick.Stop()
		for ok {
			select {
			case <-r.Context().Done():
				in.CloseWithError(r.Context().Err())
				return
			case <-tick.C:
				s.mu.Lock()
				beat := s.beat
				s.mu.Unlock()
				ok = !beat || write("server.heartbeat")
			}
		}
	}()
	res := answered(200, "text/event-stream", "")
	res.Body, res.ContentLength = out, -1
	return res
}

// send sends an event to everybody, in both forms.
func (s *stub) send(kind string, props object) {
	s.t.Helper()
	dir := "/p"
	if i, ok := props["info"].(object); ok && i["directory"] != nil {
		dir = fmt.Sprint(i["directory"])
	}
	s.raw(encode(s.t, object{"directory": dir, "payload": object{"id": "evt_1", "type": kind, "properties": props}}))
	s.raw(encode(s.t, object{"directory": dir, "payload": object{"type": "sync", "syncEvent": object{"type": kind + ".1", "data": props}}}))
}

func (s *stub) raw(event string) {
	s.push(event)
	synctest.Wait()
}

func (s *stub) push(event string) {
	s.mu.Lock()
	streams := append([]*io.PipeWriter(nil), s.streams...)
	s.mu.Unlock()
	for _, w := range streams {
		_, _ = io.WriteString(w, "data: "+event+"\n\n")
	}
}

// cut breaks all streams.
func (s *stub) cut() {
	s.mu.Lock()
	for _, w := range s.streams {
		_ = w.CloseWithError(io.ErrUnexpectedEOF)
	}
	s.streams = nil
	s.mu.Unlock()
	synctest.Wait()
}

func (s *stub) set(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}

// session makes a session, an hour old.
func (s *stub) session(id string, more object) {
	at := time.Now().Add(-time.Hour).UnixMilli()
	x := object{"id": id, "directory": "/p", "title": "title of " + id, "time": object{"created": at, "updated": at + 1}}
	maps.Copy(x, more)
	s.set(func() { s.sessions = append(s.sessions, x) })
}

// updated sends what a session is now.
func (s *stub) updated(id string) {
	s.mu.Lock()
	b := encode(s.t, s.find(id))
	s.mu.Unlock()
	var x object
	if err := json.Unmarshal([]byte(b), &x); err != nil {
		s.t.Error(err)
		return
	}
	s.send("session.updated", object{"sessionID": id, "info": x})
}

func (s *stub) level(id, kind string) {
	s.set(func() {
		delete(s.status, id)
		if kind != "idle" {
			s.status[id] = object{"type": kind}
		}
	})
	s.send("session.status", object{"sessionID": id, "status": object{"type": kind}})
	if kind == "idle" {
		s.send("session.idle", object{"sessionID": id})
	}
}

func (s *stub) message(id, msg, role string, done bool) {
	now := time.Now().UnixMilli()
	times := object{"created": now}
	info := object{"id": msg, "sessionID": id, "role": role, "time": times}
	if done {
		times["completed"] = now
		info["finish"] = "stop"
	}
	s.set(func() {
		s.messages[id] = append(s.messages[id], object{"info": info, "parts": []any{object{"id": "prt_" + msg, "type": "text", "text": "text"}}})
		s.touch(id, "updated")
	})
	s.send("message.updated", object{"sessionID": id, "info": info})
}

// since gives the calls after the first n.
func (s *stub) since(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.calls[n:]...)
}

func (s *stub) count(call string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.calls {
		if c == call {
			n++
		}
	}
	return n
}

// server makes the server under test; its chance is the longest pause.
func (s *stub) server(cfg ServerConfig) *Server {
	s.t.Helper()
	cfg.Transport = s
	if cfg.URL == "" {
		cfg.URL = "http://opencode.test:4096"
	}
	if cfg.Rand == nil {
		cfg.Rand = func() float64 { return 1 }
	}
	srv, err := NewServer(cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	return srv
}

// play runs a test in virtual time, with the stub followed. Its end waits for
// all goroutines.
func play(t *testing.T, cfg ServerConfig, before, test func(s *stub, srv *Server, h *heard)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := newStub(t)
		if before != nil {
			before(s, nil, nil)
		}
		srv := s.server(cfg)
		watched(t, srv, func(h *heard) { test(s, srv, h) })
		s.cut()
	})
}

// watched runs a test while a watcher is heard, and waits for its end.
func watched(t *testing.T, w agent.Watcher, test func(h *heard)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	h := listenWith(ctx, w)
	synctest.Wait()
	test(h)
	cancel()
	<-h.done
}

func listenWith(ctx context.Context, w agent.Watcher) *heard {
	h := &heard{done: make(chan struct{})}
	go func() {
		defer close(h.done)
		for ev, err := range w.Watch(ctx) {
			h.mu.Lock()
			switch {
			case err != nil:
				h.problems = append(h.problems, err)
			case ev == agent.Event{Kind: agent.EventReady}:
				h.ready++
			default:
				h.events = append(h.events, ev)
			}
			h.mu.Unlock()
		}
	}()
	return h
}

// told checks and forgets what was told: "id kind, id kind".
func (h *heard) told(t *testing.T, what, want string) {
	t.Helper()
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	got := make([]string, len(h.events))
	for i, e := range h.events {
		got[i] = e.Ref.ID + " " + e.Kind.String()
	}
	h.events = nil
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s: told %q, want %q", what, s, want)
	}
}

// said gives how often it was said that all has been looked at.
func (h *heard) said() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ready
}

func (h *heard) faults() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprint(h.problems)
}

func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func stubRef(id string) recap.SessionRef {
	return recap.SessionRef{Agent: recap.OpenCode, Root: "http://opencode.test:4096", ID: id}
}
