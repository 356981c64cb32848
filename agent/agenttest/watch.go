package agenttest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Watched is a watcher under test: a member whose source is an agent.Watcher.
type Watched struct {
	Member
	// Remove deletes a session where Builder.Files names no files of its own.
	Remove func(t *testing.T, root, id string)
	// Retitle moves something of the session that is no content: a title,
	// metadata. Nil writes Noise.
	Retitle func(t *testing.T, root, id string)
}

// RunWatcher holds a watcher to the contract, over real files and what the
// system tells of them.
func RunWatcher(t *testing.T, m Watched) {
	t.Helper()
	// Before the others, which run at the same time.
	t.Run("the end of the context ends the sequence and leaves nothing behind", func(t *testing.T) { watchEnds(t, m) })
	for _, c := range []struct {
		name string
		test func(*watching)
	}{
		{"E11 nothing is said of sessions that are still", (*watching).backfill},
		{"a turn is busy, then idle once", (*watching).turn},
		{"E9 what moves no content is no event", (*watching).noise},
		{"a new session in a new folder", (*watching).begins},
		{"an interrupted turn is over", (*watching).interrupted},
		{"a session that is deleted is gone", (*watching).gone},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(newWatching(t, m))
		})
	}
	t.Run("a home that is not there yet", func(t *testing.T) {
		t.Parallel()
		watchNothing(t, m)
	})
}

// watching is a watcher that runs over a home with two old sessions.
type watching struct {
	t      *testing.T
	m      Watched
	root   string
	build  Builder
	events chan agent.Event
	now    time.Time // the time of the newest row that was written
	old    [2]string
	n      int
}

func newWatching(t *testing.T, m Watched) *watching {
	t.Helper()
	root := filepath.Join(t.TempDir(), "agent home")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	w := &watching{t: t, m: m, root: root, build: m.Build(t, root), events: make(chan agent.Event, 1000), now: time.Now().Add(-48 * time.Hour)}
	for i := range w.old {
		w.old[i] = w.build.Begin(t, work, w.now)
		w.turnOf(w.old[i], "before")
	}
	w.now = time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range m.watch(t, root)(ctx) {
			if err != nil {
				t.Errorf("watching: %v", err)
				continue
			}
			w.events <- e
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	w.begun()
	return w
}

func (m Watched) watch(t testing.TB, root string) func(context.Context) func(func(agent.Event, error) bool) {
	src, ok := m.Open(root, "", NewIndex()).(agent.Watcher)
	if !ok {
		t.Fatal("the source is no agent.Watcher")
	}
	return func(ctx context.Context) func(func(agent.Event, error) bool) { return src.Watch(ctx) }
}

// begun waits until the watcher has seen what was before: until it tells of
// something that a session of its own does.
func (w *watching) begun() {
	w.t.Helper()
	id := w.build.Begin(w.t, work, w.tick())
	for range 60 {
		w.turnOf(id, "first")
		if e, ok := w.next(2 * time.Second); ok {
			if e.Ref.ID != id {
				w.t.Fatalf("told %v of %s", e.Kind, e.Ref.ID)
			}
			for e.Kind != agent.EventIdle { // the rest of what was written
				if e, ok = w.next(time.Minute); !ok || e.Ref.ID != id {
					w.t.Fatalf("told %v of %s", e.Kind, e.Ref.ID)
				}
			}
			w.settle()
			return
		}
	}
	w.t.Fatal("the watcher tells nothing")
}

// settle writes a turn of a session that was not told of, and waits for it: all
// that was written before has been told of then. It gives what else was told.
func (w *watching) settle() []agent.Event {
	w.t.Helper()
	var other []agent.Event
	id := w.build.Begin(w.t, work, w.tick())
	w.turnOf(id, "settle")
	for {
		e, ok := w.next(time.Minute)
		if !ok {
			w.t.Fatalf("nothing is told of a turn; before it: %v", kinds(other))
		}
		if e.Ref.ID != id {
			other = append(other, e)
		} else if e.Kind == agent.EventIdle {
			return other
		}
	}
}

func (w *watching) next(d time.Duration) (agent.Event, bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case e := <-w.events:
		if want := (recap.SessionRef{Agent: w.m.Agent, Root: e.Ref.Root, ID: e.Ref.ID}); e.Ref != want {
			w.t.Errorf("told of %+v", e.Ref)
		}
		if e.Session != nil && e.Session.Ref != e.Ref {
			w.t.Errorf("told of %v with the session %v", e.Ref, e.Session.Ref)
		}
		return e, true
	case <-timer.C:
		return agent.Event{}, false
	}
}

// until waits for an event of the session and gives those that came before it.
func (w *watching) until(id string, want agent.EventKind) []agent.EventKind {
	w.t.Helper()
	var before []agent.EventKind
	for {
		e, ok := w.next(time.Minute)
		if !ok {
			w.t.Fatalf("%s is not told to be %v, only %v", id, want, before)
		}
		if e.Ref.ID != id {
			w.t.Errorf("told %v of %s", e.Kind, e.Ref.ID)
			continue
		}
		if e.Kind == want {
			return before
		}
		before = append(before, e.Kind)
	}
}

func (w *watching) tick() time.Time {
	w.now = w.now.Add(time.Second)
	return w.now
}

// turnOf writes a whole turn.
func (w *watching) turnOf(id, word string) {
	w.t.Helper()
	w.n++
	word = fmt.Sprintf("%s %d", word, w.n)
	w.build.Add(w.t, id,
		Event{Kind: Prompt, At: w.tick(), Text: "Please look at " + word},
		Event{Kind: Command, At: w.tick(), Text: "ls", Output: "a.go"},
		Event{Kind: Answer, At: w.tick(), Text: "Done with " + word + "."})
}

func kinds(events []agent.Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Ref.ID+" "+e.Kind.String())
	}
	return out
}

// quiet fails if anything is told of what was written before.
func (w *watching) quiet() {
	w.t.Helper()
	if other := w.settle(); len(other) > 0 {
		w.t.Errorf("told %s", strings.Join(kinds(other), ", "))
	}
}

func (w *watching) backfill() { w.quiet() }

func (w *watching) turn() {
	id := w.old[0]
	w.build.Add(w.t, id, Event{Kind: Prompt, At: w.tick(), Text: "Please go on"})
	w.until(id, agent.EventBusy)
	w.build.Add(w.t, id, Event{Kind: Command, At: w.tick(), Text: "ls", Output: "a.go"})
	for _, e := range w.settle() { // in the middle of the turn
		if e.Ref.ID != id || e.Kind == agent.EventIdle || e.Kind == agent.EventGone {
			w.t.Errorf("told %v of %s in the middle of a turn", e.Kind, e.Ref.ID)
		}
	}
	w.build.Add(w.t, id, Event{Kind: Answer, At: w.tick(), Text: "Done."})
	if before := w.until(id, agent.EventIdle); slices.Contains(before, agent.EventGone) {
		w.t.Errorf("told %v", before)
	}
	w.quiet()
}

func (w *watching) noise() {
	id := w.old[1]
	w.turnOf(id, "again")
	w.until(id, agent.EventIdle)
	if w.m.Retitle != nil {
		w.m.Retitle(w.t, w.root, id)
	} else {
		w.build.Add(w.t, id, Event{Kind: Noise, At: w.tick(), Size: 200 << 10}) // longer than what is read
	}
	w.quiet()
}

func (w *watching) begins() {
	id := w.build.Begin(w.t, work+"/another place", w.tick())
	w.build.Add(w.t, id, Event{Kind: Prompt, At: w.tick(), Text: "Please begin"})
	if before := w.until(id, agent.EventBusy); len(before) > 0 {
		w.t.Errorf("told %v first", before)
	}
	w.build.Add(w.t, id, Event{Kind: Answer, At: w.tick(), Text: "Done."})
	w.until(id, agent.EventIdle)
	w.quiet()
}

func (w *watching) interrupted() {
	id := w.old[0]
	w.build.Add(w.t, id, Event{Kind: Prompt, At: w.tick(), Text: "Please go on"})
	w.until(id, agent.EventBusy)
	w.build.Add(w.t, id, Event{Kind: Interrupt, At: w.tick()})
	w.until(id, agent.EventIdle)
}

func (w *watching) gone() {
	id := w.old[1]
	w.turnOf(id, "last")
	w.until(id, agent.EventIdle)
	w.remove(id)
	w.until(id, agent.EventGone)
	w.remove(w.old[0]) // and of one that was not told of nothing is said
	w.quiet()
}

func (w *watching) remove(id string) {
	w.t.Helper()
	files := w.build.Files(id)
	switch {
	case w.m.Remove != nil:
		w.m.Remove(w.t, w.root, id)
	case len(files) == 0:
		w.t.Skip("this member says nothing of how a session is deleted")
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			w.t.Fatal(err)
		}
	}
}

// watchNothing: the home appears while it is watched.
func watchNothing(t *testing.T, m Watched) {
	root := filepath.Join(t.TempDir(), "not there")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := make(chan agent.Event, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e, err := range m.watch(t, root)(ctx) {
			if err != nil {
				t.Errorf("watching: %v", err)
				continue
			}
			events <- e
		}
	}()
	w := &watching{t: t, m: m, root: root, events: events, now: time.Now()}
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	w.build = m.Build(t, root)
	w.begun()
	cancel()
	<-done
}

// watchEnds: nothing runs on.
func watchEnds(t *testing.T, m Watched) {
	root := t.TempDir()
	build := m.Build(t, root)
	id := build.Begin(t, work, time.Now())
	build.Add(t, id, Event{Kind: Prompt, At: time.Now(), Text: "go"}, Event{Kind: Answer, At: time.Now(), Text: "done"})
	watch := m.watch(t, root)
	here := goleak.IgnoreCurrent()
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, err := range watch(ctx) {
				if err != nil {
					t.Errorf("watching: %v", err)
				}
			}
		}()
		cancel()
		<-done
	}
	if err := goleak.Find(here); err != nil {
		t.Error(err)
	}
}
