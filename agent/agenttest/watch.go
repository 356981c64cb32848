package agenttest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
		{"E2 a turn is busy, then idle once, then busy by a prompt", (*watching).turn},
		{"E9 what moves no content is no event", (*watching).noise},
		{"a new session in a new folder", (*watching).begins},
		{"an interrupted turn is over", (*watching).interrupted},
		{"a session that is deleted is gone", (*watching).gone},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWatching(t, m)
			w.run(nil)
			w.begun()
			c.test(w)
		})
	}
	t.Run("what moves while it looks for the first time is told", func(t *testing.T) {
		t.Parallel()
		newWatching(t, m).during()
	})
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
	ready  chan struct{} // closed when it said that it has looked
	moved  atomic.Bool
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
	return w
}

// run begins to watch. Each event of looking, if not nil, is a reading of the
// first look.
func (w *watching) run(looking func()) {
	w.t.Helper()
	src, ok := w.m.Open(w.root, "", &hooked{Index: NewIndex(), hook: looking}).(agent.Watcher)
	if !ok {
		w.t.Fatal("the source is no agent.Watcher")
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	done := make(chan struct{})
	w.now, w.ready = time.Now(), make(chan struct{})
	go func() {
		defer close(done)
		said := false
		for e, err := range src.Watch(ctx) {
			switch {
			case err != nil:
				w.t.Errorf("watching: %v", err)
			case e.Kind != agent.EventReady:
				w.events <- e
			case said || e != agent.Event{Kind: agent.EventReady}:
				w.t.Errorf("told %+v, said already: %t", e, said)
			default:
				said = true
				close(w.ready)
			}
		}
		if !said && !w.t.Failed() {
			w.t.Error("it never said that it has looked")
		}
	}()
	w.t.Cleanup(func() { cancel(); <-done })
}

// hooked is an index whose reading is told of.
type hooked struct {
	*Index
	hook func()
}

// Lookup implements agent.Index.
func (x *hooked) Lookup(path string) (agent.Entry, bool) {
	if x.hook != nil {
		x.hook()
	}
	return x.Index.Lookup(path)
}

// begun waits until the watcher says that it has looked. What moves from then
// on is told, without waiting.
func (w *watching) begun() {
	w.t.Helper()
	select {
	case <-w.ready:
	case <-time.After(time.Minute):
		w.t.Fatal("it does not say that it has looked")
	}
	w.now = time.Now()
	w.quiet()
}

// during: the first look is under way when two sessions move, one of which it
// may have seen already. They are at rest again before it ends.
func (w *watching) during() {
	w.run(sync.OnceFunc(func() {
		w.now = time.Now().Add(-time.Second) // the first row's is now
		for _, id := range w.old {
			w.n++
			w.build.Add(w.t, id, Event{Kind: Prompt, At: w.now, Text: fmt.Sprintf("Please look %d", w.n)})
			w.build.Add(w.t, id, Event{Kind: Answer, At: time.Now(), Text: fmt.Sprintf("Done %d.", w.n)})
		}
		w.moved.Store(true)
	}))
	<-w.ready
	if !w.moved.Load() {
		w.t.Fatal("no look of this member asks its index: nothing was shown")
	}
	idle := map[string]int{}
	for idle[w.old[0]] == 0 || idle[w.old[1]] == 0 {
		e, ok := w.next(time.Minute)
		if !ok {
			w.t.Fatalf("told idle %v, and nothing more", idle)
		}
		if e.Kind == agent.EventIdle {
			idle[e.Ref.ID]++
		}
	}
	w.now = time.Now()
	w.quiet()
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
	// A prompt alone is told: what is being made of the turn before is ended by
	// it. Where no message is told of, the level is.
	w.build.Add(w.t, id, Event{Kind: Prompt, At: w.tick(), Text: "And another thing"})
	if before := w.until(id, agent.EventBusy); slices.ContainsFunc(before, func(k agent.EventKind) bool { return k != agent.EventUserMessage }) {
		w.t.Errorf("told %v before the prompt's turn is busy", before)
	}
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
	w := &watching{t: t, m: m, root: root, events: make(chan agent.Event, 1000)}
	w.run(nil)
	<-w.ready
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	w.build = m.Build(t, root)
	w.begun()
}

// watchEnds: nothing runs on.
func watchEnds(t *testing.T, m Watched) {
	root := t.TempDir()
	build := m.Build(t, root)
	id := build.Begin(t, work, time.Now())
	build.Add(t, id, Event{Kind: Prompt, At: time.Now(), Text: "go"}, Event{Kind: Answer, At: time.Now(), Text: "done"})
	src, ok := m.Open(root, "", NewIndex()).(agent.Watcher)
	if !ok {
		t.Fatal("the source is no agent.Watcher")
	}
	here := goleak.IgnoreCurrent()
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, err := range src.Watch(ctx) {
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
