package llmtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sessionrecap/recap/llm"
)

// Key is the secret of the providers that a Server gives. It looks like one.
var Key = "sk-test-" + strings.Repeat("Zq7w", 10)

// Reply says how a request is answered. The zero value is an ordinary answer
// in the protocol of the request.
type Reply struct {
	// Text is the visible text; the zero Reply says Said.
	Text string
	// Reasoning comes apart from the text. Silent leaves the text out.
	Reasoning string
	Silent    bool
	// Finish is the protocol's own word; "" is its ordinary end.
	Finish string
	// Refusal is a refusal in a place of its own, where the protocol has one.
	Refusal string
	// Empty leaves choices, content or candidates out.
	Empty bool
	// Input, Output, Cached and Thought are counts of tokens.
	Input, Output, Cached, Thought int64

	// Status other than 0 and 200 is a failure, in the protocol's error shape
	// with Message and Kind, or with Body as it is.
	Status  int
	Kind    string
	Message string
	Header  http.Header
	Body    string
	// Type is the content type of Body, JSON where it is empty.
	Type string
	// RetryDelay goes into the body as Google's RetryInfo: "34s".
	RetryDelay string
	// Redirect sends the client on to another address.
	Redirect string

	// Hang never answers. Stall sends half of the body and then nothing more.
	Hang, Stall bool
	// Slow sends the reply in pieces with this pause before each.
	Slow time.Duration
	// Cut ends the connection in the middle of the body, Reset before the
	// reply, both without a good-bye.
	Cut, Reset bool
	// Endless sends white space after the body until the client leaves, or
	// has taken 64 MB of it (12 MB where it is packed): far more than any
	// client should.
	Endless bool
	// Raw is written to the connection as it is, instead of a reply.
	Raw string
	// Gzip compresses the body even where nobody asked for it.
	Gzip bool
	// Wait, where not nil, is waited for before anything else.
	Wait <-chan struct{}
}

// Said is the text of an ordinary answer.
const Said = `{"recap":"The parser reads the new format.","suggestion":""}`

// Server is the loopback server.
type Server struct {
	// URL is its address without a path.
	URL string

	ts *httptest.Server

	mu       sync.Mutex
	standing Reply
	queue    []Reply
	got      []Request
	open     map[net.Conn]bool
	taken    int
	left     chan time.Time
	arrived  chan struct{}
	stop     chan struct{}
}

// NewServer starts a server that ends with the test.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := &Server{
		open: map[net.Conn]bool{}, left: make(chan time.Time, 1024),
		arrived: make(chan struct{}, 1024), stop: make(chan struct{}),
	}
	s.ts = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.ts.Config.ConnState = s.state
	s.ts.Start()
	s.URL = s.ts.URL
	t.Cleanup(s.Close)
	return s
}

// Close ends the server and all that hangs in it. It may be called twice.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.stop:
	default:
		close(s.stop)
	}
	s.mu.Unlock()
	s.ts.Close()
}

// Provider gives a provider of this protocol with Key, named as the catalogue
// names the vendor of the protocol.
func (s *Server) Provider(p llm.Protocol) llm.Provider {
	out := llm.Provider{ID: string(p), Protocol: p, BaseURL: s.URL, Key: llm.NewKey(Key)}
	if p == llm.OpenAI {
		out.BaseURL += "/v1"
	}
	return out
}

// Client gives an HTTP client whose every address leads to this server, so that
// a call to "http://api.example.com" can be seen.
func (s *Server) Client() *http.Client {
	addr := s.ts.Listener.Addr().String()
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
	}}
}

// Answer says how requests are answered from now on.
func (s *Server) Answer(r Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standing = r
}

// Queue says how the next requests are answered, before what Answer said.
func (s *Server) Queue(r ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, r...)
}

// Requests gives what came in so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.got...)
}

// Count says how many requests came in.
func (s *Server) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// Last gives the newest request, the zero one where none came.
func (s *Server) Last() Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.got) == 0 {
		return Request{}
	}
	return s.got[len(s.got)-1]
}

// Open says how many connections are open.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Taken says how many endless replies were taken whole.
func (s *Server) Taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Arrived yields once for each request, when it was read whole.
func (s *Server) Arrived() <-chan struct{} { return s.arrived }

// Left yields the time whenever a client closes its socket before it has a
// whole reply.
func (s *Server) Left() <-chan time.Time { return s.left }

func (s *Server) state(c net.Conn, st http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch st {
	case http.StateNew:
		s.open[c] = true
	case http.StateClosed, http.StateHijacked:
		delete(s.open, c)
	case http.StateActive, http.StateIdle:
	}
}

// next records the request and takes its reply.
func (s *Server) next(r Request) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, r)
	if len(s.queue) > 0 {
		out := s.queue[0]
		s.queue = s.queue[1:]
		return out
	}
	return s.standing
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		return
	}
	req := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: raw}
	rep := s.next(req)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	if rep.Wait != nil && !s.pause(r, rep.Wait) {
		return
	}
	if req.Protocol() == "" {
		http.NotFound(w, r)
		return
	}
	switch {
	case rep.Hang:
		s.pause(r, nil)
	case rep.Reset:
		drop(w, nil)
	case rep.Raw != "":
		drop(w, []byte(rep.Raw))
	default:
		s.send(w, r, req, rep)
	}
}

// pause waits for the channel, the client's or the server's end; it reports
// whether to go on.
func (s *Server) pause(r *http.Request, until <-chan struct{}) bool {
	select {
	case <-until:
		return true
	case <-r.Context().Done():
		s.left <- time.Now()
	case <-s.stop:
	}
	return false
}

func (s *Server) send(w http.ResponseWriter, r *http.Request, req Request, rep Reply) {
	status, kind, body := rep.render(req)
	h := w.Header()
	maps.Copy(h, rep.Header)
	h.Set("Content-Type", kind)
	if rep.Redirect != "" {
		h.Set("Location", rep.Redirect)
	}
	if rep.Endless {
		if endless(w, status, body, rep.Gzip) {
			s.mu.Lock()
			s.taken++
			s.mu.Unlock()
		}
		return
	}
	if rep.Gzip {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body)
		_ = z.Close()
		body = b.Bytes()
		h.Set("Content-Encoding", "gzip")
	}
	switch {
	case rep.Cut:
		head := "HTTP/1.1 200 OK\r\nContent-Type: " + kind + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
		drop(w, append([]byte(head), body[:len(body)/2]...))
	case rep.Stall:
		h.Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write(body[:len(body)/2])
		flush(w)
		s.pause(r, nil)
	case rep.Slow > 0:
		w.WriteHeader(status)
		for len(body) > 0 {
			tick := make(chan struct{})
			timer := time.AfterFunc(rep.Slow, func() { close(tick) })
			if !s.pause(r, tick) {
				timer.Stop()
				return
			}
			n := min(len(body), 64)
			_, _ = w.Write(body[:n])
			flush(w)
			body = body[n:]
		}
	default:
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

// endless writes until a write fails, or 64 MB; it reports whether the client
// took them all.
func endless(w http.ResponseWriter, status int, body []byte, zip bool) bool {
	var to io.Writer = w
	if zip {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer func() { _ = z.Close() }()
		to = z
	}
	w.WriteHeader(status)
	piece := bytes.Repeat([]byte(" "), 64<<10)
	pieces := 1024
	if zip {
		pieces = 192
	}
	_, err := to.Write(body)
	for range pieces {
		if err != nil {
			return false
		}
		_, err = to.Write(piece)
	}
	return err == nil
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// drop writes these bytes and breaks the connection; without any it resets it.
func drop(w http.ResponseWriter, raw []byte) {
	hj, ok := w.(http.Hijacker)
	if !ok {
		return
	}
	conn, _, err := hj.Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	if len(raw) > 0 {
		_, _ = conn.Write(raw)
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}
