package opencode

import (
	"errors"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// joint is a database and two servers on it, whose notes a test sends.
type joint struct {
	t      *testing.T
	files  *Source
	a, b   *Server
	j      *joined
	events []string
}

func newJoint(t *testing.T) *joint {
	t.Helper()
	x := &joint{t: t, files: New(Config{Root: "/home/dev/data"})}
	server := func(url string) *Server {
		s, err := NewServer(ServerConfig{URL: url, Local: []*Source{x.files}})
		if err != nil {
			t.Fatal(err)
		}
		s.connected = true
		return s
	}
	x.a, x.b = server("http://a.test"), server("http://b.test")
	x.j = &joined{parts: []*part{{file: x.files}, {server: x.a}, {server: x.b}}, of: voices{}, yield: func(e agent.Event, err error) bool {
		text := e.Kind.String()
		if err != nil {
			text = err.Error()
		}
		x.events = append(x.events, text)
		return true
	}}
	return x
}

func (x *joint) ref() recap.SessionRef {
	return recap.SessionRef{Agent: recap.OpenCode, Root: "/home/dev/data", ID: "s"}
}

// file is what the database shows, with content of a second.
func (x *joint) file(kind agent.EventKind, second int64) {
	ses := recap.Session{Ref: x.ref(), UpdatedAt: time.UnixMilli(startMS + second*1000)}
	x.j.take(note{event: agent.Event{Kind: kind, Ref: x.ref(), Session: &ses}})
}

// says is what a server's stream told.
func (x *joint) says(s *Server, kind agent.EventKind, second int64) {
	t := s.tracks.get("s")
	t.known, t.placed, t.home, t.told, t.last, t.content = true, true, x.files, true, kind, startMS+second*1000
	t.work, t.compact = workIdle, kind == agent.EventBackground
	if kind == agent.EventBusy {
		t.work = workBusy
	}
	x.j.take(note{server: s, event: agent.Event{Kind: kind, Ref: x.ref()}})
}

func (x *joint) cut(s *Server) {
	s.connected = false
	x.j.take(note{server: s, broken: true})
}

func (x *joint) want(what string, want ...string) {
	x.t.Helper()
	if got := strings.Join(x.events, ", "); got != strings.Join(want, ", ") {
		x.t.Errorf("%s: told %s, want %s", what, got, strings.Join(want, ", "))
	}
	x.events = nil
}

func TestJoin(t *testing.T) {
	t.Parallel()
	const busy, waits, idle, gone = agent.EventBusy, agent.EventBackground, agent.EventIdle, agent.EventGone
	t.Run("the stream outranks the database", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.says(x.a, busy, 1)
		x.file(busy, 1)
		x.file(idle, 2) // between two steps
		x.says(x.a, waits, 2)
		x.file(busy, 2)
		x.says(x.a, busy, 3)
		x.says(x.a, idle, 4)
		x.file(idle, 4)
		x.file(busy, 4) // stopped before an answer: the database shows an open turn
		x.says(x.a, idle, 4)
		x.want("", "busy", "background", "busy", "idle")
	})
	t.Run("the database first", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.file(busy, 1)
		x.says(x.a, busy, 1)
		x.file(idle, 2)
		x.says(x.a, idle, 2)
		x.want("", "busy", "idle")
	})
	t.Run("followed from the middle of a turn", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		rests := func() {
			x.j.take(note{server: x.a, event: agent.Event{Kind: idle, Ref: x.ref()}, unasked: true})
		}
		rests()
		x.want("it rested before")
		x.file(busy, 1)
		t1 := x.a.tracks.get("s")
		t1.work, t1.content = workIdle, startMS+1000
		rests() // stopped before an answer: the database goes on to show an open turn
		rests()
		x.want("the stream knows", "busy", "idle")
	})
	t.Run("G9 another process goes on", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.says(x.a, busy, 1)
		x.says(x.a, idle, 2)
		x.want("a turn on the server", "busy", "idle")
		x.file(busy, 9)
		x.want("a turn in a terminal", "busy")
		x.says(x.a, idle, 2) // again, of what was before
		x.want("the server knows nothing of it")
		x.file(idle, 12)
		x.want("it ends", "idle")
		x.says(x.a, busy, 20)
		x.file(busy, 20)
		x.says(x.a, idle, 21)
		x.want("back on the server", "busy", "idle")
	})
	t.Run("two servers", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.says(x.a, busy, 1)
		x.says(x.b, busy, 2)
		x.says(x.a, idle, 3)
		x.want("one works on", "busy")
		x.cut(x.a)
		x.file(idle, 2)
		x.want("the other is dead")
		x.says(x.b, idle, 4)
		x.want("both rest", "idle")
	})
	t.Run("G2 a stream that breaks", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.says(x.a, busy, 1)
		x.file(busy, 1)
		x.cut(x.a)
		x.want("nothing is idle", "busy")
		x.file(idle, 5)
		x.want("the database shows the end", "idle")

		x = newJoint(t)
		x.says(x.a, busy, 1)
		x.file(idle, 2)
		x.want("not believed", "busy")
		x.cut(x.a)
		x.want("until the server is gone", "idle")

		x = newJoint(t)
		x.says(x.a, busy, 1)
		x.says(x.a, idle, 2)
		x.file(busy, 1)
		x.cut(x.a)
		x.want("an open turn of a session that rests", "busy", "idle")
	})
	t.Run("gone once, problems pass", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.file(gone, 1)
		x.want("never told of")
		x.says(x.a, busy, 1)
		x.says(x.a, gone, 1)
		x.file(gone, 1)
		x.want("both tell", "busy", "gone")
		x.j.take(note{err: &agent.Problem{Reason: "x", Err: errors.New("y")}})
		x.want("a problem", "x")
	})
	t.Run("what is left out is gone, but for what another source has", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		x.file(busy, 1)
		x.want("the database", "busy")
		files := x.j.parts[0]
		x.j.left(x.j.parts[1])
		x.want("without a server that does not have it")
		x.j.parts[0] = &part{file: New(Config{Root: "/home/dev/data", Name: "another"})}
		x.j.left(files)
		x.want("where another reads the same place")
		x.j.parts = x.j.parts[1:]
		x.j.left(files)
		x.want("without its database", "gone")
		x.j.left(files)
		x.want("once")
	})
	t.Run("a broken server wakes when its database moves", func(t *testing.T) {
		t.Parallel()
		x := newJoint(t)
		wake := make(chan struct{}, 1)
		x.j.parts[1].wake = wake
		x.file(busy, 1)
		x.file(idle, 2)
		if len(wake) != 1 {
			t.Error("not woken")
		}
	})
}

// What was interrupted stays so when another process opens the database.
func TestRests(t *testing.T) {
	t.Parallel()
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "question")
	s := New(Config{Root: m.dir, Index: newMemory()})
	if got := only(t, s).State; got != recap.StateInterrupted {
		t.Fatalf("nobody runs: %s", got)
	}
	w := startWriter(t, m.path)
	w.do("SELECT count(*) FROM session")
	ses := only(t, s)
	if ses.State != recap.StateInterrupted {
		t.Errorf("somebody came: %s", ses.State)
	}
	if other := New(Config{Root: m.dir}); only(t, other).State != recap.StateBusy {
		t.Errorf("who did not see it alone: %s", only(t, other).State)
	}
	m.message("ses_1", userInfo, "another")
	if got := only(t, s).State; got != recap.StateBusy {
		t.Errorf("it goes on: %s", got)
	}
	s.rests.note("ses_1", only(t, s).UpdatedAt)
	m.message("ses_1", map[string]any{"role": "assistant"}, "I begin")
	s.rests.note("ses_1", only(t, s).UpdatedAt)
	if p, err := s.Page(t.Context(), ses.Ref, "", 1); err != nil || !p.Records[0].Interrupted {
		t.Errorf("a page: %v %+v", err, p.Records)
	}
	s.rests.clear("ses_1")
	if p, err := s.Page(t.Context(), ses.Ref, "", 1); err != nil || p.Records[0].Interrupted {
		t.Errorf("a page: %v %+v", err, p.Records)
	}
}
