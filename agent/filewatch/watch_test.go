package filewatch

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// scene is a watch under virtual time, over a listing and a notifier that the
// test moves.
type scene struct {
	t       *testing.T
	changes chan Change
	refuse  error // what Add says
	none    error // why there is no notifier
	cost    time.Duration
	dir     string

	mu     sync.Mutex
	list   []recap.Session
	errs   []error // of each look
	looks  int
	timers int
	told   []string
	ready  int      // how often it was said
	before []string // what was told before that
	began  time.Time
}

func (s *scene) Add(string) error       { return s.refuse }
func (s *scene) Remove(string) error    { return nil }
func (s *scene) Changes() <-chan Change { return s.changes }
func (s *scene) Close() error           { return nil }

func (s *scene) sessions(context.Context) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		s.mu.Lock()
		s.looks++
		cost := s.cost
		s.mu.Unlock()
		time.Sleep(cost) // virtual
		s.mu.Lock()
		list, errs := slices.Clone(s.list), slices.Clone(s.errs)
		s.mu.Unlock()
		for _, err := range errs {
			if !yield(recap.Session{}, err) {
				return
			}
		}
		for _, x := range list {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// play runs the watch while f runs.
func play(t *testing.T, s *scene, f func()) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s.t, s.dir, s.changes, s.began = t, dir, make(chan Change), time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w := &watch{
				cfg:  Config{Roots: []Root{{Path: dir}}, List: s.sessions, Notifier: func() (Notifier, error) { return s, s.none }},
				told: map[string]bool{},
				timer: func(d time.Duration) *time.Timer {
					s.mu.Lock()
					s.timers++
					s.mu.Unlock()
					return time.NewTimer(d)
				},
				yield: func(e agent.Event, err error) bool {
					s.mu.Lock()
					defer s.mu.Unlock()
					switch {
					case err != nil:
						s.told = append(s.told, "problem: "+err.Error())
					case e == agent.Event{Kind: agent.EventReady}:
						s.ready++
						s.before = slices.Clone(s.told)
					default:
						s.told = append(s.told, e.Ref.ID+" "+e.Kind.String())
					}
					return true
				},
			}
			w.run(ctx)
		}()
		synctest.Wait()
		f()
		cancel()
		<-done
		if s.ready != 1 {
			t.Errorf("ready was said %d times", s.ready)
		}
	})
}

func (s *scene) set(list ...recap.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = list
}

// at is a session with content that many seconds after the watch began.
func (s *scene) at(id string, seconds int, state recap.State) recap.Session {
	x := sess(id, 0, state)
	x.UpdatedAt = s.began.Add(time.Duration(seconds) * time.Second)
	return x
}

// touch tells of a change.
func (s *scene) touch() { s.changes <- Change{Path: filepath.Join(s.dir, "x.jsonl")} }

// pass lets time go by and gives what was counted meanwhile.
func (s *scene) pass(d time.Duration) (looks, timers int) {
	s.mu.Lock()
	l, n := s.looks, s.timers
	s.mu.Unlock()
	time.Sleep(d) // virtual
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looks - l, s.timers - n
}

func (s *scene) want(events ...string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.told, events) {
		s.t.Errorf("told %q, want %q", s.told, events)
	}
	s.told = nil
}

func TestNothingIsPolledWhileNoneIsAtWork(t *testing.T) {
	s := &scene{}
	for i := range 1000 {
		s.list = append(s.list, sess(string(rune('a'+i%26))+strings.Repeat("x", i/26), -9, recap.StateIdle))
	}
	play(t, s, func() {
		if looks, timers := s.pass(30 * 24 * time.Hour); looks != 0 || timers != 0 {
			t.Errorf("E11 %d looks, %d timers in a month", looks, timers)
		}
		s.want()
	})
}

func TestATurn(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateBusy))
		s.touch()
		if looks, _ := s.pass(gather); looks != 1 {
			t.Errorf("%d looks for a change", looks)
		}
		s.want("a busy")
		// While it is at work it is looked at, though nothing is told of.
		if looks, _ := s.pass(9 * time.Second); looks != 3 {
			t.Errorf("%d looks in nine seconds of work", looks)
		}
		s.set(s.at("a", 9, recap.StateIdle)) // an open file is not always told of
		s.pass(pollSoon + time.Second)
		s.want("a idle")
		if looks, timers := s.pass(time.Hour); looks != 0 || timers > 0 {
			t.Errorf("%d looks, %d timers after the turn", looks, timers)
		}
		s.want()
	})
}

func TestAProcessThatWasKilledChangesNoFile(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateWaiting))
		s.touch()
		// Nothing moves for an hour: looks grow rare, but do not end.
		looks, _ := s.pass(time.Hour)
		if looks < 100 || looks > 200 {
			t.Errorf("%d looks in an hour of waiting", looks)
		}
		s.want("a background")
		s.set(s.at("a", 1, recap.StateInterrupted))
		s.pass(pollLate)
		s.want("a idle")
		if looks, timers := s.pass(time.Hour); looks+timers != 0 {
			t.Errorf("%d looks, %d timers", looks, timers)
		}
	})
}

func TestAnOpenTurnThatNobodyIsKnownToWorkOn(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateUnknown))
		s.touch()
		if looks, _ := s.pass(openFor + time.Minute); looks < 10 {
			t.Errorf("%d looks", looks)
		}
		s.want("a busy")
		// It is not idle, and not looked at for ever.
		if looks, timers := s.pass(24 * time.Hour); looks+timers != 0 {
			t.Errorf("%d looks, %d timers", looks, timers)
		}
		s.set(s.at("a", 9, recap.StateIdle))
		s.touch()
		s.pass(time.Second)
		s.want("a idle")
	})
}

func TestChangesAreGathered(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateIdle))
		looks := 0
		for range 100 { // ten seconds of a file that grows all the time
			s.touch()
			n, _ := s.pass(100 * time.Millisecond)
			looks += n
		}
		if looks < 8 || looks > 11 {
			t.Errorf("%d looks in ten seconds of changes", looks)
		}
		s.want("a busy", "a idle")
	})
}

func TestLooksCostATwentiethOfTheTime(t *testing.T) {
	s := &scene{cost: 500 * time.Millisecond}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateBusy))
		looks := 0
		for range 600 { // a minute
			s.touch()
			n, _ := s.pass(100 * time.Millisecond)
			looks += n
		}
		if spent := time.Duration(looks) * s.cost; spent > 100*time.Second/share+s.cost {
			t.Errorf("%d looks, %v of two minutes", looks, spent)
		}
		if looks < 4 {
			t.Errorf("%d looks", looks)
		}
	})
}

func TestGoneIsSeenTwice(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateIdle))
		s.touch()
		s.pass(time.Second)
		s.want("a busy", "a idle")
		s.set() // for a moment, as when a file is put in its place
		s.touch()
		s.pass(gather)
		s.set(s.at("a", 1, recap.StateIdle))
		s.pass(time.Minute)
		s.want()
		s.set()
		s.touch()
		s.pass(gather + confirm)
		s.want("a gone")
		if looks, timers := s.pass(time.Hour); looks+timers != 0 {
			t.Errorf("%d looks, %d timers", looks, timers)
		}
	})
}

func TestAListingThatFails(t *testing.T) {
	s := &scene{}
	broken := errors.New("disk on fire")
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateIdle))
		s.touch()
		s.pass(time.Second)
		s.want("a busy", "a idle")
		s.errs = []error{broken}
		s.set()
		s.touch()
		looks, _ := s.pass(10 * time.Minute)
		if looks < 10 || looks > 20 {
			t.Errorf("%d tries in ten minutes", looks)
		}
		s.want("problem: " + s.dir + ": the sessions can't be listed")
		s.errs = nil
		s.set(s.at("a", 1, recap.StateIdle))
		s.pass(retryLate)
		if looks, timers := s.pass(time.Hour); looks+timers != 0 {
			t.Errorf("%d looks, %d timers after it works again", looks, timers)
		}
		s.want()
	})
}

func TestAFirstListingThatFails(t *testing.T) {
	s := &scene{errs: []error{errors.New("not yet")}, list: []recap.Session{sess("old", -9, recap.StateIdle)}}
	play(t, s, func() {
		s.errs = nil
		s.pass(time.Minute)
		s.want("problem: " + s.dir + ": the sessions can't be listed")
		s.set(sess("old", -9, recap.StateIdle), s.at("new", 70, recap.StateIdle))
		s.touch()
		s.pass(time.Second)
		s.want("new busy", "new idle")
	})
}

// TestReady: what is found at work and what moved since the beginning is told
// before, and a listing that fails holds nothing up.
func TestReady(t *testing.T) {
	s := &scene{cost: 10 * time.Second} // the first look takes long
	s.list = []recap.Session{sess("old", -9, recap.StateIdle), sess("works", -9, recap.StateBusy)}
	play(t, s, func() {
		if s.ready > 0 {
			t.Error("ready before it looked")
		}
		// The listing knows of these already.
		past, late := s.at("early", 0, recap.StateIdle), s.at("yet to come", 16, recap.StateIdle)
		past.UpdatedAt = past.UpdatedAt.Add(-time.Millisecond)
		s.set(s.list[0], s.list[1], past, s.at("since", 0, recap.StateIdle), s.at("open", 3, recap.StateUnknown), late)
		s.pass(10 * time.Second)
		s.want("works busy", "since busy", "since idle", "open busy")
		if want := []string{"works busy", "since busy", "since idle", "open busy"}; !slices.Equal(s.before, want) {
			t.Errorf("before ready: %q", s.before)
		}
	})
	s = &scene{errs: []error{errors.New("not yet")}}
	play(t, s, func() {
		if s.want("problem: " + s.dir + ": the sessions can't be listed"); s.ready != 1 {
			t.Error("a listing that fails holds ready up")
		}
		s.errs = nil
		s.set(sess("old", -9, recap.StateIdle), s.at("meanwhile", 1, recap.StateIdle))
		s.pass(time.Minute)
		s.want("meanwhile busy", "meanwhile idle")
	})
}

func TestProblemsAreToldOnce(t *testing.T) {
	s := &scene{errs: []error{&agent.Problem{Path: "/home/dev/x", Reason: "permission denied", Count: 1}}}
	play(t, s, func() {
		for range 5 {
			s.touch()
			s.pass(time.Second)
		}
		s.want("problem: /home/dev/x: permission denied")
	})
}

func TestWithoutEventsItLooksByItself(t *testing.T) {
	s := &scene{refuse: errors.New("no space left on device")}
	play(t, s, func() {
		s.want("problem: " + s.dir + ": changes are not told of here: looking every 10 seconds")
		if looks, _ := s.pass(time.Minute); looks != 6 {
			t.Errorf("%d looks in a minute", looks)
		}
		s.set(s.at("a", 1, recap.StateBusy))
		s.pass(pollBlind)
		s.want("a busy")
		s.set(s.at("a", 20, recap.StateIdle))
		s.pass(pollSoon)
		s.want("a idle")
	})
}

func TestWithoutANotifierItLooksByItself(t *testing.T) {
	s := &scene{none: errors.New("too many open files")}
	play(t, s, func() {
		s.want("problem: " + s.dir + ": changes are not told of here: looking every 10 seconds")
		s.set(s.at("a", 1, recap.StateIdle))
		if looks, _ := s.pass(time.Minute); looks != 6 {
			t.Errorf("%d looks in a minute", looks)
		}
		s.want("a busy", "a idle")
	})
}

func TestTheSystemEndsItsEvents(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.want()
		close(s.changes)
		synctest.Wait()
		s.want("problem: " + s.dir + ": changes are not told of here: looking every 10 seconds")
		if looks, _ := s.pass(time.Minute); looks != 6 {
			t.Errorf("%d looks in a minute", looks)
		}
	})
}

func TestChangesThatWereLost(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateIdle))
		s.changes <- Change{} // anything may have changed
		s.pass(time.Second)
		s.want("a busy", "a idle")
		s.changes <- Change{Path: filepath.Join(s.dir, "deep", "x.jsonl")} // not kept
		if looks, timers := s.pass(time.Hour); looks+timers != 0 {
			t.Errorf("%d looks, %d timers for a file that is none of ours", looks, timers)
		}
	})
}

func TestFoldersOfOtherMachines(t *testing.T) {
	s := &scene{}
	c := newCover(s, []Root{{Path: t.TempDir()}})
	if err := c.all(); err != nil {
		t.Fatal(err)
	}
	c.remote = func(string) bool { return true }
	if err := c.all(); !errors.Is(err, errRemote) {
		t.Error(err)
	}
}

func TestRemember(t *testing.T) {
	mine := agent.OpenIndex(filepath.Join(t.TempDir(), "index"))
	if Remember(mine) != agent.Index(mine) {
		t.Error("an index that remembers is taken as it is")
	}
	for _, none := range []agent.Index{nil, agent.NoIndex{}} {
		x := Remember(none)
		x.Remember("/x", agent.Entry{Size: 5})
		if e, ok := x.Lookup("/x"); !ok || e.Size != 5 {
			t.Errorf("%+v %v", e, ok)
		}
	}
}

// TestH9Asleep: a machine that slept for a night tells once what happened.
func TestH9Asleep(t *testing.T) {
	s := &scene{}
	play(t, s, func() {
		s.set(s.at("a", 1, recap.StateBusy), s.at("b", 1, recap.StateBusy))
		s.touch()
		s.pass(time.Second)
		s.want("a busy", "b busy")
		s.cost = 8 * time.Hour // the look that it slept in
		s.set(s.at("a", 2, recap.StateIdle), s.at("b", 2, recap.StateBusy))
		s.pass(8*time.Hour + 10*time.Second)
		s.cost = 0
		s.want("a idle")
		if looks, _ := s.pass(5 * time.Minute); looks > 40 {
			t.Errorf("%d looks after waking", looks)
		}
		s.set(s.at("b", 9, recap.StateIdle))
		s.pass(2 * time.Minute)
	})
}

func TestTheReaderStops(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	list := func(context.Context) iter.Seq2[recap.Session, error] {
		return func(yield func(recap.Session, error) bool) {
			_ = yield(sess("a", 0, recap.StateBusy), nil) && yield(sess("b", 0, recap.StateBusy), nil)
		}
	}
	for _, err := range Watch(t.Context(), Config{Roots: []Root{{Path: t.TempDir()}}, List: list}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range Watch(ctx, Config{Roots: []Root{{Path: t.TempDir()}}, List: list}) {
		if err != nil {
			t.Error(err)
		}
		if n++; n == 2 {
			cancel()
		}
	}
	if err := goleak.Find(ignore); err != nil {
		t.Error(err)
	}
}

// files lists a folder as a source would: a session is a file, its state the
// last word in it.
func files(root string) func(context.Context) iter.Seq2[recap.Session, error] {
	return func(context.Context) iter.Seq2[recap.Session, error] {
		return func(yield func(recap.Session, error) bool) {
			err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || filepath.Ext(p) != ".jsonl" {
					return nil //nolint:nilerr // gone, or not there yet
				}
				b, err := os.ReadFile(p)
				words := strings.Fields(string(b))
				if err != nil || len(words) == 0 {
					return nil //nolint:nilerr // gone again
				}
				x := sess(strings.TrimSuffix(d.Name(), ".jsonl"), 0, recap.State(words[len(words)-1]))
				x.UpdatedAt = time.Now().Add(time.Duration(len(words)) * time.Second).Truncate(time.Hour).Add(time.Duration(len(words)) * time.Second)
				if !yield(x, nil) {
					return fs.SkipAll
				}
				return nil
			})
			if err != nil {
				yield(recap.Session{}, err)
			}
		}
	}
}

// disk watches a folder by what the system tells.
type disk struct {
	t      *testing.T
	root   string
	events chan string
}

func newDisk(t *testing.T, root string, notifier func() (Notifier, error)) *disk {
	t.Helper()
	r := &disk{t: t, root: root, events: make(chan string, 100)}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		keep := func(rel string, dir bool) bool { return dir || strings.HasSuffix(rel, ".jsonl") }
		for e, err := range Watch(ctx, Config{Roots: []Root{{Path: root, Keep: keep}}, List: files(root), Notifier: notifier}) {
			switch {
			case err != nil:
				r.events <- "problem"
			case e.Kind != agent.EventReady:
				r.events <- e.Ref.ID + " " + e.Kind.String()
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return r
}

func (r *disk) write(rel, words string) {
	r.t.Helper()
	p := filepath.Join(r.root, rel)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		r.t.Fatal(err)
	}
	f, err := os.OpenFile(p, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	_, err = f.WriteString(words + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		r.t.Fatal(err)
	}
}

// wait reads events until the wanted ones came, in this order.
func (r *disk) wait(want ...string) {
	r.t.Helper()
	deadline := time.After(time.Minute)
	for len(want) > 0 {
		select {
		case e := <-r.events:
			if e == want[0] {
				want = want[1:]
			} else if strings.HasPrefix(e, "problem") {
				r.t.Fatal(e)
			}
		case <-deadline:
			r.t.Fatalf("no %q", want)
		}
	}
}

func TestRealEvents(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	root := filepath.Join(t.TempDir(), "not", "there", "yet")
	t.Run("", func(t *testing.T) {
		r := newDisk(t, root, nil)
		r.write("one/a.jsonl", "busy") // the home, a project and a session at once
		r.wait("a busy")
		r.write("one/a.jsonl", "idle")
		r.wait("a idle")
		r.write("one/b.jsonl", "busy") // a file in a folder that was new
		r.wait("b busy")
		r.write("two/deep/c.jsonl", "busy") // another project
		r.wait("c busy")
		r.write("two/deep/c.jsonl", "waiting")
		r.wait("c background")
		if err := os.Remove(filepath.Join(root, "one/a.jsonl")); err != nil {
			t.Fatal(err)
		}
		r.wait("a gone")
		// The home goes and comes again.
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		r.wait("b gone")
		r.write("three/d.jsonl", "busy")
		r.wait("d busy")
		r.write("three/d.jsonl", "idle")
		r.wait("d idle")
	})
	if err := goleak.Find(ignore); err != nil {
		t.Error(err)
	}
}

// TestRealMoves: folders that are moved and linked.
func TestRealMoves(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "root")
	r := newDisk(t, root, nil)
	r.write("one/a.jsonl", "busy")
	r.wait("a busy")
	if err := os.Rename(filepath.Join(root, "one"), filepath.Join(root, "two")); err != nil {
		t.Fatal(err)
	}
	r.write("two/a.jsonl", "idle")
	r.wait("a idle")
	other := filepath.Join(base, "elsewhere")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	r.write("two/b.jsonl", "busy")
	r.wait("b busy") // and the link was seen
	r.write("two/b.jsonl", "idle")
	r.wait("b idle")
}
