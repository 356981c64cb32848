package engine_test

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// noon is the time of every test.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// source is an agent's home in memory. It counts what is asked of it.
type source struct {
	agent recap.Agent
	home  agent.Home

	mu       sync.Mutex
	sessions map[string]recap.Session
	records  map[string][]recap.Message
	problems []agent.Problem
	listing  error            // of the whole home
	reading  map[string]error // of one session
	lists    int
	pages    int
	onPage   func(id string)
}

func newSource(name recap.Agent, root string) *source {
	return &source{
		agent: name, home: agent.Home{Name: string(name), Root: root, Origin: "default", Found: true},
		sessions: map[string]recap.Session{}, records: map[string][]recap.Message{}, reading: map[string]error{},
	}
}

func (s *source) Agent() recap.Agent { return s.agent }
func (s *source) Home() agent.Home   { return s.home }

func (s *source) Sessions(_ context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		s.mu.Lock()
		s.lists++
		all := make([]recap.Session, 0, len(s.sessions))
		for _, x := range s.sessions {
			if (q.Archived || !x.Archived) && (q.Subagents || x.ParentID == "") && !x.UpdatedAt.Before(q.Since) {
				all = append(all, x)
			}
		}
		problems, broken := s.problems, s.listing
		s.mu.Unlock()
		slices.SortFunc(all, func(a, b recap.Session) int {
			return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.Ref.ID, b.Ref.ID))
		})
		for _, p := range problems {
			if !yield(recap.Session{}, &p) {
				return
			}
		}
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
		if broken != nil {
			yield(recap.Session{}, broken)
		}
	}
}

func (s *source) Page(ctx context.Context, ref recap.SessionRef, _ agent.Cursor, _ int) (agent.Page, error) {
	if err := ctx.Err(); err != nil {
		return agent.Page{}, err
	}
	s.mu.Lock()
	s.pages++
	records, ok := s.records[ref.ID]
	err, then := s.reading[ref.ID], s.onPage
	s.mu.Unlock()
	if then != nil {
		then(ref.ID)
	}
	switch {
	case err != nil:
		return agent.Page{}, err
	case !ok:
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "no such session"}
	}
	return agent.Page{Records: slices.Clone(records)}, nil
}

func (s *source) ResumeCommand(x recap.Session) (dir string, argv []string) {
	if x.Ref.ID[0] == '-' {
		return "", nil
	}
	return x.Directory, []string{string(s.agent), "--resume", x.Ref.ID}
}

// add puts a session with these records, one hour after the other.
func (s *source) add(id, dir string, age time.Duration, records ...recap.Message) recap.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := recap.Session{
		Ref: recap.SessionRef{Agent: s.agent, Root: s.home.Root, ID: id}, Home: s.home.Name, Title: "title of " + id, Directory: dir,
		UpdatedAt: noon.Add(-age), State: recap.StateIdle, Stamp: "1",
	}
	s.sessions[id] = x
	if len(records) == 0 {
		records = talk(id, "Fix the login page of "+id, "The login page works now.")
	}
	s.records[id] = records
	return x
}

func (s *source) change(id string, f func(x *recap.Session)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessions[id]
	f(&x)
	s.sessions[id] = x
}

// remove deletes a transcript, as an agent's clean-up does.
func (s *source) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, id)
	delete(s.records, id)
}

func (s *source) read() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.pages
	s.pages = 0
	return n
}

// talk gives the records of prompts and answers in turn.
func talk(id string, texts ...string) []recap.Message {
	var out []recap.Message
	for i, text := range texts {
		at := noon.Add(-time.Hour + time.Duration(i)*time.Second)
		m := recap.Message{
			ID: id + "-" + strconv.Itoa(i), Role: recap.RoleUser, Created: at, Parts: []recap.Part{{Kind: recap.PartText, Text: text}},
		}
		if i%2 == 1 {
			m.Role, m.Finish, m.Completed = recap.RoleAssistant, recap.FinishStop, at
		}
		out = append(out, m)
	}
	return out
}

// world is an engine with what it stands on.
type world struct {
	*engine.Engine
	store store.Store
	now   time.Time
}

func newWorld(t *testing.T, change func(*engine.Options), sources ...agent.Source) *world {
	t.Helper()
	w := &world{store: memory.New(), now: noon}
	o := engine.Options{Sources: sources, Store: w.store, Now: func() time.Time { return w.now }}
	if change != nil {
		change(&o)
	}
	w.Engine = engine.New(o)
	w.store = o.Store
	return w
}

func (w *world) list(t *testing.T, q engine.Query) []engine.Result {
	t.Helper()
	rows, _, _, err := w.List(t.Context(), q, 0)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (w *world) find(t *testing.T, name string) recap.Session {
	t.Helper()
	s, err := w.Find(t.Context(), name)
	if err != nil {
		t.Fatalf("find %s: %v", name, err)
	}
	return s
}

func ids(rows []engine.Result) []string {
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.Session.Ref.ID)
	}
	return out
}

func wantCode(t *testing.T, err error, want recap.Code) {
	t.Helper()
	if got := recap.CodeOf(err); got != want {
		t.Fatalf("code %q (%v), want %q", got, err, want)
	}
}

var errDisk = errors.New("the disk is gone")
