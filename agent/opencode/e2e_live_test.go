package opencode

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode/opencodetest"
)

// heard collects what a watcher tells.
type heard struct {
	mu       sync.Mutex
	events   []agent.Event
	problems []error
	ready    int // how often it was said
	// loose: the database may tell of work, or of the whole turn, before the
	// stream tells of the message that began it.
	loose bool
	done  chan struct{}
}

func listen(t *testing.T, w agent.Watcher) *heard {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	h := listenWith(ctx, w)
	t.Cleanup(func() { cancel(); <-h.done })
	return h
}

// of gives the kinds that were told of a session.
func (h *heard) of(id string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, e := range h.events {
		if e.Ref.ID == id {
			out = append(out, e.Kind.String())
			k := len(out)
			if !h.loose || out[k-1] != "user-message" {
				continue
			}
			rested := func(k int) bool { return k == 0 || out[k-1] == "idle" }
			switch {
			case k > 1 && out[k-2] == "busy" && rested(k-2):
				out[k-1], out[k-2] = out[k-2], out[k-1]
			case k > 2 && out[k-2] == "idle" && out[k-3] == "busy" && rested(k-3):
				out = append(out[:k-3], "user-message")
			}
		}
	}
	return out
}

func (h *heard) refs(id string) []recap.SessionRef {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []recap.SessionRef
	for _, e := range h.events {
		if e.Ref.ID == id && !slices.Contains(out, e.Ref) {
			out = append(out, e.Ref)
		}
	}
	return out
}

func (h *heard) wait(t *testing.T, id string, want ...string) {
	t.Helper()
	over := time.Now().Add(90 * time.Second)
	for {
		got := h.of(id)
		if reflect.DeepEqual(got, want) {
			return
		}
		if time.Now().After(over) || len(got) > len(want) {
			t.Fatalf("told %v, want %v", got, want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// proxy is an address that stays while the server behind it moves.
type proxy struct {
	url string
	mu  sync.Mutex
	to  string
	all []net.Conn
}

func startProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{url: "http://" + l.Addr().String(), to: to}
	var wg sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); p.cut(); wg.Wait() })
	wg.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { p.carry(in) })
		}
	})
	return p
}

func (p *proxy) carry(in net.Conn) {
	defer func() { _ = in.Close() }()
	p.mu.Lock()
	u, err := url.Parse(p.to)
	p.mu.Unlock()
	if err != nil {
		return
	}
	out, err := (&net.Dialer{Timeout: 5 * time.Second}).Dial("tcp", u.Host)
	if err != nil {
		return
	}
	p.mu.Lock()
	p.all = append(p.all, in, out)
	p.mu.Unlock()
	go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
	_, _ = io.Copy(in, out)
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.all {
		_ = c.Close()
	}
	p.all = nil
}

func (p *proxy) move(to string) {
	p.mu.Lock()
	p.to = to
	p.mu.Unlock()
	p.cut()
}

func serverOf(t *testing.T, cfg ServerConfig) *Server {
	t.Helper()
	s, err := NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Server) isConnected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connected
}

func ready(t *testing.T, s ...*Server) {
	t.Helper()
	opencodetest.WaitFor(t, "stream", func() bool {
		return !slices.ContainsFunc(s, func(s *Server) bool { return !s.isConnected() })
	})
}

func record(ref recap.SessionRef, fingerprint, dir, forMessage string) recap.Record {
	return recap.Record{
		Session: ref, Fingerprint: fingerprint, Directory: dir, ForMessageID: forMessage,
		Recap: "The tool was run.", Suggestion: "Run it <again>.", GeneratedAt: time.Now(),
	}
}

// The real server, followed: one program for all cases.
func TestE2E_Live(t *testing.T) {
	t.Parallel()
	bin := opencodetest.Binary(t)
	model := opencodetest.StartModel(t)
	srv := opencodetest.Start(t, opencodetest.Options{Bin: bin, Model: model, Password: "open sesame"})
	front := startProxy(t, srv.URL)
	// The first prompt of a process takes its time; the other server starts meanwhile.
	twins := make(chan *opencodetest.Server, 1)
	go func() { // it starts meanwhile
		defer close(twins)
		twins <- srv.Twin()
	}()
	old := srv.Create("quiet before")
	srv.Prompt(old, "[say:before]")
	twin := <-twins
	if twin == nil {
		t.Fatal("no second server")
	}

	files := New(Config{Root: srv.Root, Index: newMemory()})
	near := serverOf(t, ServerConfig{Name: "near", URL: front.url, Password: "open sesame", Local: []*Source{files}})
	live := NewLive([]*Source{files}, []*Server{near})
	far := serverOf(t, ServerConfig{Name: "far", URL: srv.URL, Password: "open sesame"}) // as if on another machine
	all, remote := listen(t, live), listen(t, far)
	all.loose = true
	ready(t, near, far)
	ref := func(id string) recap.SessionRef {
		return recap.SessionRef{Agent: recap.OpenCode, Root: srv.Root, ID: id}
	}
	turn := []string{"user-message", "busy", "idle"}

	terminal := srv.Run("[slow:1500] hello")
	id := srv.Create("one")
	t.Run("a prompt with a tool call", func(t *testing.T) {
		srv.Prompt(id, "[tool] please")
		remote.wait(t, id, turn...)
		all.wait(t, id, turn...)
		if got := all.refs(id); len(got) != 1 || got[0] != ref(id) {
			t.Errorf("told of as %v", got)
		}
		if got := remote.refs(id); len(got) != 1 || got[0].Root != srv.URL {
			t.Errorf("told of as %v", got)
		}
	})
	t.Run("G8 listed once, read by pages", func(t *testing.T) {
		for s, err := range near.Sessions(t.Context(), agent.Query{}) {
			t.Errorf("listed %v %v", s.Ref, err)
		}
		var list []recap.Session
		for s, err := range far.Sessions(t.Context(), agent.Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			if s.Ref.ID == id {
				list = append(list, s)
			}
		}
		if len(list) != 1 || list[0].Ref.ID != id || list[0].State != recap.StateIdle || list[0].Title != "one" || list[0].Directory != srv.Project {
			t.Fatalf("listed %+v", list)
		}
		// By pages of two it reads what the database has.
		var got []recap.Message
		cursor := agent.Cursor("")
		for {
			p, err := far.Page(t.Context(), list[0].Ref, cursor, 2)
			if err != nil || len(p.Problems) > 0 {
				t.Fatal(err, p.Problems)
			}
			got = append(slices.Clone(p.Records), got...)
			if cursor = p.Next; cursor == "" {
				break
			}
		}
		want, err := files.Page(t.Context(), ref(id), "", 50)
		if err != nil || encode(t, got) != encode(t, want.Records) {
			t.Errorf("%v\n got %s\nwant %s", err, encode(t, got), encode(t, want.Records))
		}
		fromFile := one(t, files, id)
		if !list[0].UpdatedAt.Equal(fromFile.UpdatedAt) {
			t.Errorf("updated %v, the database says %v", list[0].UpdatedAt, fromFile.UpdatedAt)
		}
	})
	t.Run("E56 G4 mirror", func(t *testing.T) {
		srv.Call("PATCH", "/session/"+id, map[string]any{"metadata": map[string]any{
			"other": map[string]any{"n": json.Number("1.50"), "list": []any{1, nil}}, "recap": map[string]any{"mine": true},
		}}, nil)
		before := one(t, files, id)
		r := record(ref(id), "print 1", srv.Project, "msg_1")
		for range 2 {
			if err := live.PutRecord(t.Context(), ref(id), r); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]any{
			"other": map[string]any{"n": 1.5, "list": []any{1.0, nil}},
			"recap": map[string]any{"mine": true, "assist": map[string]any{
				"recap": r.Recap, "suggestion": r.Suggestion, "forMessageID": "msg_1", "generatedAt": float64(r.GeneratedAt.UnixMilli()),
			}},
		}
		if got := srv.Metadata(id); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		if after := one(t, files, id); !after.UpdatedAt.Equal(before.UpdatedAt) {
			t.Errorf("the write moved the session: %v -> %v", before.UpdatedAt, after.UpdatedAt)
		}
		// The next turn comes after the write on both streams: nothing was told in between.
		srv.Prompt(id, "[say:again]")
		remote.wait(t, id, append(slices.Clone(turn), turn...)...)
		all.wait(t, id, append(slices.Clone(turn), turn...)...)
		if got := srv.Metadata(id); !reflect.DeepEqual(got, want) {
			t.Errorf("after a turn: %v", got)
		}
	})
	t.Run("an approval, refused", func(t *testing.T) {
		id := srv.Create("approval")
		srv.Async(id, "[ask] clean up")
		remote.wait(t, id, "user-message", "busy", "background")
		all.wait(t, id, "user-message", "busy", "background")
		if err := live.PutRecord(t.Context(), ref(id), record(ref(id), "p", srv.Project, "m")); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("written while it waits: %v", err)
		}
		asked := srv.Asked()
		srv.Call("POST", "/permission/"+asked[0]+"/reply", map[string]any{"reply": "reject"}, nil)
		remote.wait(t, id, "user-message", "busy", "background", "busy", "idle")
		all.wait(t, id, "user-message", "busy", "background", "busy", "idle")
	})
	t.Run("abort, a new message while it answers", func(t *testing.T) {
		id := srv.Create("abort")
		srv.Async(id, "[hang] go on")
		remote.wait(t, id, "user-message", "busy")
		opencodetest.WaitFor(t, "request", func() bool {
			r := model.Requests()
			return strings.Contains(r[len(r)-1].User, "[hang]")
		})
		srv.Async(id, "and more")
		remote.wait(t, id, "user-message", "busy", "user-message")
		srv.Call("POST", "/session/"+id+"/abort", nil, nil)
		remote.wait(t, id, "user-message", "busy", "user-message", "idle")
		all.wait(t, id, "user-message", "busy", "user-message", "idle")
	})
	t.Run("two sessions, a subagent, a question of neither", func(t *testing.T) {
		a, b := srv.Create("a"), srv.Create("b")
		srv.Async(a, "[task] look")
		srv.Async(b, "[err]")
		for _, h := range []*heard{remote, all} {
			opencodetest.WaitFor(t, "end", func() bool {
				x, y := h.of(a), h.of(b)
				return len(x) > 0 && x[len(x)-1] == "idle" && len(y) > 0 && y[len(y)-1] == "idle"
			})
			if got := h.of(a); got[0] != "user-message" || got[1] != "busy" || slices.Contains(got[:len(got)-1], "idle") {
				t.Errorf("with a subagent: %v", got)
			}
		}
		var kids []struct{ ID string }
		srv.Call("GET", "/session/"+a+"/children", nil, &kids)
		if len(kids) != 1 || len(remote.of(kids[0].ID)) != 0 || len(all.of(kids[0].ID)) != 0 {
			t.Errorf("subagents %v: %v", kids, remote.of(kids[0].ID))
		}
	})
	t.Run("G7 a fork tells nothing and shows nothing of its parent's", func(t *testing.T) {
		var fork struct {
			ID       string
			Metadata json.RawMessage
		}
		srv.Call("POST", "/session/"+id+"/fork", map[string]any{}, &fork)
		srv.Call("GET", "/session/"+fork.ID, nil, &fork)
		a, ok := ReadAssist(fork.Metadata, "recap")
		if !ok {
			t.Fatalf("no record in the fork: %s", fork.Metadata)
		}
		p, err := files.Page(t.Context(), ref(fork.ID), "", 1)
		if err != nil || len(p.Records) == 0 {
			t.Fatal(err)
		}
		if a.Fresh(recap.Session{State: recap.StateIdle}, p.Records[len(p.Records)-1].ID) {
			t.Error("the parent's record counts as the fork's")
		}
		for _, h := range []*heard{remote, all} {
			if got := h.of(fork.ID); len(got) != 0 {
				t.Errorf("told %v of the fork itself", got)
			}
		}
		srv.Prompt(fork.ID, "[say:own]")
		remote.wait(t, fork.ID, turn...)
		all.wait(t, fork.ID, turn...)
	})
	t.Run("E8 archived, reverted, child: nothing is written", func(t *testing.T) {
		put := func(id string) error {
			return live.PutRecord(t.Context(), ref(id), record(ref(id), "late", srv.Project, "m"))
		}
		made := srv.Create("archive me")
		srv.Prompt(made, "[say:done]")
		remote.wait(t, made, turn...)
		all.wait(t, made, turn...)
		srv.Call("PATCH", "/session/"+made, map[string]any{"time": map[string]any{"archived": time.Now().UnixMilli()}}, nil)
		remote.wait(t, made, append(slices.Clone(turn), "gone")...)
		all.wait(t, made, append(slices.Clone(turn), "gone")...)
		if err := put(made); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("archived: %v", err)
		}
		if err := put(srv.CreateIn(srv.Project, map[string]any{"parentID": id})); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("child: %v", err)
		}
		moved := record(ref(id), "late", "/elsewhere", "m")
		if err := live.PutRecord(t.Context(), ref(id), moved); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("moved: %v", err)
		}
		p, err := files.Page(t.Context(), ref(id), "", 50)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(p.Records, func(m recap.Message) bool { return m.Role == recap.RoleUser && m.ID != p.Records[0].ID })
		srv.Call("POST", "/session/"+id+"/revert", map[string]any{"messageID": p.Records[at].ID}, nil)
		if err := put(id); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("reverted: %v", err)
		}
		far, err := far.Page(t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: srv.URL, ID: id}, "", 50)
		if err != nil || len(far.Records) != at {
			t.Errorf("shows %d records of a reverted session, want %d: %v", len(far.Records), at, err)
		}
		if got := encode(t, srv.Metadata(id)); !strings.Contains(got, `"forMessageID":"msg_1"`) {
			t.Errorf("written: %v", got)
		}
		srv.Call("DELETE", "/session/"+id, nil, nil)
		for _, h := range []*heard{remote, all} {
			opencodetest.WaitFor(t, "gone", func() bool { got := h.of(id); return len(got) > 0 && got[len(got)-1] == "gone" })
		}
	})
	t.Run("G9 a process of its own on the same database", func(t *testing.T) {
		if err := terminal.Wait(); err != nil {
			t.Fatal(err)
		}
		other := ""
		for ses, err := range files.Sessions(t.Context(), agent.Query{}) {
			if p, e := files.Page(t.Context(), ses.Ref, "", 2); err == nil && e == nil && strings.Contains(encode(t, p.Records), "[slow:1500]") {
				other = ses.Ref.ID
			}
		}
		all.wait(t, other, "busy", "idle")
		if got := remote.of(other); len(got) != 0 {
			t.Errorf("the server's stream told %v", got)
		}
		// The server serves its metadata all the same.
		r := record(ref(other), "print", srv.Project, "msg_o")
		if err := live.PutRecord(t.Context(), ref(other), r); err != nil || srv.Metadata(other)["recap"] == nil {
			t.Errorf("mirror: %v %v", err, srv.Metadata(other))
		}
		all.wait(t, other, "busy", "idle")
	})
	t.Run("two servers on one database, a third is dead", func(t *testing.T) {
		dead := serverOf(t, ServerConfig{Name: "dead", URL: "http://127.0.0.1:1", Local: []*Source{files}})
		first := serverOf(t, ServerConfig{Name: "first", URL: srv.URL, Password: "open sesame", Local: []*Source{files}})
		second := serverOf(t, ServerConfig{Name: "second", URL: twin.URL, Password: "open sesame", Local: []*Source{files}})
		both := listen(t, NewLive([]*Source{files}, []*Server{dead, first, second}))
		both.loose = true
		ready(t, first, second)
		a, b := srv.Create("of the first"), twin.Create("of the second")
		srv.Prompt(a, "[tool]")
		twin.Prompt(b, "[tool]")
		for _, id := range []string{a, b} {
			// The second's first prompt may keep it from saying anything for so
			// long that its stream is given up: then it is busy when it is back.
			opencodetest.WaitFor(t, "end of the turn", func() bool { return slices.Contains(both.of(id), "idle") })
			if got := strings.TrimPrefix(strings.Join(both.of(id), " "), "user-message "); got != "busy idle" {
				t.Errorf("told %s", got)
			}
		}
		if got := append(both.refs(a), both.refs(b)...); len(got) != 2 || got[0] != ref(a) || got[1] != ref(b) {
			t.Errorf("told of as %v", got)
		}
		if got := remote.of(b); len(got) != 0 {
			t.Errorf("the first's stream told of the second's session: %v", got)
		}
		if len(both.problems) != 1 || !strings.Contains(both.problems[0].Error(), "can't be reached") {
			t.Errorf("problems %v", both.problems)
		}
	})
	t.Run("G2 killed in the middle, back on another port; a wrong password", func(t *testing.T) {
		broken, done := srv.Create("cut"), srv.Create("rests")
		srv.Prompt(done, "[say:fine]")
		srv.Async(broken, "[hang] in the middle")
		all.wait(t, done, turn...)
		all.wait(t, broken, "user-message", "busy")
		remote.wait(t, broken, "user-message", "busy")
		srv.Kill()
		opencodetest.WaitFor(t, "end of the stream", func() bool { return !near.isConnected() })
		if err := live.PutRecord(t.Context(), ref(done), record(ref(done), "x", srv.Project, "m")); !errors.Is(err, agent.ErrNoMirror) {
			t.Errorf("no server: %v", err)
		}
		front.move(twin.URL)
		ready(t, near)
		all.wait(t, broken, "user-message", "busy", "idle") // nobody works on it
		if got := remote.of(broken); !reflect.DeepEqual(got, []string{"user-message", "busy"}) {
			t.Errorf("of a server that is gone: %v", got)
		}
		if got := one(t, files, broken); got.State != recap.StateInterrupted {
			t.Errorf("what was cut is %s", got.State)
		}
		twin.Prompt(done, "[say:more]")
		all.wait(t, done, append(slices.Clone(turn), turn...)...)

		wrong := serverOf(t, ServerConfig{Name: "near", URL: twin.URL, Password: "mellon"})
		h := listen(t, wrong)
		opencodetest.WaitFor(t, "problem", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.problems) > 0 })
		if text := h.faults(); !strings.Contains(text, "refuses the password") || strings.Contains(text, "mellon") {
			t.Errorf("problem %s", text)
		}
	})
	if got := all.of(old); len(got) != 0 {
		t.Errorf("of a session that was quiet before: %v", got)
	}
}

// one lists the session with an id.
func one(t *testing.T, s *Source, id string) recap.Session {
	t.Helper()
	list, problems := listed(t, s, agent.Query{})
	k := slices.IndexFunc(list, func(x recap.Session) bool { return x.Ref.ID == id })
	if k < 0 {
		t.Fatalf("not listed: %s %v", id, problems)
	}
	return list[k]
}
