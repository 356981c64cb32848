package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/quiet"
)

func TestMain(m *testing.M) {
	if os.Getenv("RECAP_TEST_HOLD") != "" { // a process that holds the lock until it is killed
		f, err := lock(os.Getenv("RECAP_TEST_HOLD"), Holder{PID: os.Getpid(), StartedAt: time.Now().UTC().Truncate(time.Millisecond)})
		if err != nil {
			os.Stdout.WriteString("no\n") //nolint:errcheck // the test sees it
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n") //nolint:errcheck // the test sees it
		time.Sleep(time.Hour)
		f.Close() //nolint:errcheck // kept until here
	}
	goleak.VerifyTestMain(m)
}

// fake follows what a test says.
type fake struct {
	mu     sync.Mutex
	o      engine.FollowOptions
	status engine.FollowStatus
	err    error
	ended  chan struct{} // closed: Follow ends by itself
	slow   time.Duration // what it takes to end
	events int
	looks  int // at Following

	rewatched []agent.Watcher
}

func (f *fake) Follow(ctx context.Context, o engine.FollowOptions) error {
	f.mu.Lock()
	f.o = o
	f.mu.Unlock()
	var wg sync.WaitGroup
	for _, w := range o.Watchers {
		wg.Go(func() {
			for _, err := range w.Watch(ctx) {
				if err != nil {
					return
				}
				f.mu.Lock()
				f.events++
				f.mu.Unlock()
			}
		})
	}
	select {
	case <-ctx.Done():
	case <-f.ended:
	}
	time.Sleep(f.slow)
	if f.ended == nil || ctx.Err() != nil {
		wg.Wait()
	}
	return f.err
}

func (f *fake) Rewatch(watchers []agent.Watcher) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rewatched = watchers
}

func (f *fake) Following() engine.FollowStatus {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looks++
	return f.status
}

func (f *fake) looked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.looks
}

func (f *fake) set(s engine.FollowStatus) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = s
}

func (f *fake) options() engine.FollowOptions {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.o
}

// events is a watcher that tells what comes on it.
type events chan agent.Event

func (e events) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case ev := <-e:
				if !yield(ev, nil) {
					return
				}
			}
		}
	}
}

type mirrored struct{ events }

func (mirrored) PutRecord(context.Context, recap.SessionRef, recap.Record) error { return nil }

func options(dir string, f Follower) Options {
	return Options{
		Follower: f, Lock: filepath.Join(dir, "recap.db.lock"), Status: filepath.Join(dir, "state", "daemon.json"),
		Build: Build{Version: "v1.2.3", Commit: "abc", Date: "2026-11-30T00:00:00Z"},
		Settings: func() engine.FollowSettings {
			return engine.FollowSettings{Recap: true, Auto: true, Window: time.Minute}
		},
	}
}

func start(t *testing.T, o Options) *Daemon {
	t.Helper()
	d, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func file(t *testing.T, path string) Status {
	t.Helper()
	s, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStartAndStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{slow: time.Second}
		o := options(t.TempDir(), f)
		d := start(t, o)
		seen := Look(o.Lock, o.Status)
		if !seen.Running || !seen.Told || seen.Status.PID != os.Getpid() || seen.Status.Version != "v1.2.3" || !seen.Status.Auto {
			t.Errorf("seen %+v", seen)
		}
		begin := time.Now()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if err := d.Stop(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(begin); took != time.Second {
			t.Errorf("stop took %v, want what following took to end", took)
		}
		select {
		case <-d.Done():
		default:
			t.Error("not done after Stop")
		}
		if seen := Look(o.Lock, o.Status); seen.Running {
			t.Errorf("seen after the stop: %+v", seen)
		}
		if s := file(t, o.Status); !s.Stopped {
			t.Error("the status file does not say that it stopped")
		}
		start(t, o).Stop() //nolint:errcheck // tested above
	})
}

func TestStartStopMany(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	for range 50 {
		o.Follower = &fake{}
		d := start(t, o)
		if err := d.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFollowingEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("bad")
		f := &fake{ended: make(chan struct{}), err: bad}
		d := start(t, options(t.TempDir(), f))
		close(f.ended)
		<-d.Done()
		synctest.Wait()
		if !errors.Is(d.Err(), bad) || !errors.Is(d.Stop(), bad) {
			t.Errorf("error %v", d.Err())
		}
	})
}

// The status file is written when something changed, and only then.
func TestStatusFileIsWrittenOnChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := options(t.TempDir(), f)
		w := make(events)
		o.Watchers = []agent.Watcher{w}
		d := start(t, o)
		defer d.Stop() //nolint:errcheck // tested elsewhere
		first := file(t, o.Status).WrittenAt
		time.Sleep(24 * time.Hour)
		if s := file(t, o.Status); !s.WrittenAt.Equal(first) {
			t.Error("written while nothing happened")
		}
		f.set(engine.FollowStatus{Known: 1, Phases: map[quiet.Phase]int{quiet.Window: 1}})
		w <- agent.Event{Kind: agent.EventIdle}
		time.Sleep(statusPause)
		synctest.Wait()
		if s := file(t, o.Status); s.Known != 1 || s.Phases["window"] != 1 {
			t.Errorf("after an event: %+v", s)
		}
		// How a window ends is told by nobody: the counts are looked at.
		f.set(engine.FollowStatus{Known: 1, Phases: map[quiet.Phase]int{quiet.Parked: 1}})
		time.Sleep(liveLook)
		synctest.Wait()
		if s := file(t, o.Status); s.Parked != 1 || s.Phases["window"] != 0 {
			t.Errorf("after the window: %+v", s)
		}
		at := file(t, o.Status).WrittenAt
		w <- agent.Event{Kind: agent.EventIdle} // nothing new
		time.Sleep(time.Hour)
		if s := file(t, o.Status); !s.WrittenAt.Equal(at) {
			t.Error("written though nothing changed")
		}
	})
}

// What a run does is said at once: it asks for the settings where it begins and
// where it ends. Nothing is looked at while nothing is live.
func TestStatusFileFollowsARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := options(t.TempDir(), f)
		w := make(events)
		o.Watchers = []agent.Watcher{w}
		d := start(t, o)
		defer d.Stop() //nolint:errcheck // tested elsewhere
		says := func(phase quiet.Phase, runs int, within time.Duration) {
			t.Helper()
			time.Sleep(within)
			synctest.Wait()
			if s := file(t, o.Status); s.Runs != runs || s.Phases[phase.String()] != 1 {
				t.Errorf("after %v: %+v, want %v", within, s, phase)
			}
		}
		f.set(engine.FollowStatus{Known: 1, Phases: map[quiet.Phase]int{quiet.Window: 1}})
		w <- agent.Event{Kind: agent.EventIdle}
		says(quiet.Window, 0, statusPause)
		before := f.looked()
		time.Sleep(time.Minute)
		if n := f.looked() - before; n > int(time.Minute/liveLook)+2 {
			t.Errorf("%d looks in a minute's window", n)
		}
		f.options().Settings()
		f.set(engine.FollowStatus{Known: 1, Phases: map[quiet.Phase]int{quiet.Generating: 1}, Runs: 1})
		says(quiet.Generating, 1, statusPause)
		f.options().Settings() // then it is dropped, without a word
		time.Sleep(statusPause)
		synctest.Wait()
		f.set(engine.FollowStatus{Known: 1, Phases: map[quiet.Phase]int{quiet.Rest: 1}})
		says(quiet.Rest, 0, firstLook)
		before = f.looked()
		time.Sleep(24 * time.Hour)
		if n := f.looked() - before; n != 0 {
			t.Errorf("%d looks while nothing happens", n)
		}
	})
}

// A watcher that stays is the same to the follower, one that comes is heard,
// and a mirror stays one.
func TestRewatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := options(t.TempDir(), f)
		a, b, c := make(events), mirrored{make(events)}, make(events)
		o.Watchers = []agent.Watcher{a, b}
		d := start(t, o)
		defer d.Stop() //nolint:errcheck // tested elsewhere
		synctest.Wait()
		was := f.options().Watchers
		d.Rewatch([]agent.Watcher{c, b})
		got := f.rewatched
		if len(got) != 2 || got[1] != was[1] || got[0] == was[0] {
			t.Fatalf("heard are %v, before %v", got, was)
		}
		if _, ok := got[1].(agent.Mirror); !ok {
			t.Error("a mirror is none any more")
		}
		d.Rewatch([]agent.Watcher{c, a})
		if f.rewatched[0] != got[0] || f.rewatched[1] == was[0] {
			t.Errorf("then %v", f.rewatched)
		}
	})
}

func TestReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		d := start(t, options(t.TempDir(), f))
		defer d.Stop() //nolint:errcheck // tested elsewhere
		synctest.Wait()
		select {
		case <-d.Ready():
			t.Fatal("ready before the follower is")
		default:
		}
		f.options().Ready(2)
		<-d.Ready()
		if d.Late() != 2 {
			t.Errorf("%d late", d.Late())
		}
	})
}

// That a server is there is told by nobody: it is looked for.
func TestStatusOfServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t.TempDir(), &fake{})
		var mu sync.Mutex
		state := Server{Name: "opencode", Connecting: true, Problem: "not connected yet"}
		set := func(s Server) {
			mu.Lock()
			defer mu.Unlock()
			state = s
		}
		o.Servers = func() []Server {
			mu.Lock()
			defer mu.Unlock()
			return []Server{state}
		}
		d := start(t, o)
		defer d.Stop() //nolint:errcheck // tested elsewhere
		time.Sleep(10 * time.Second)
		for _, s := range []Server{{Name: "opencode", Connected: true}, {Name: "opencode", Problem: "gone"}, {Name: "opencode", Connected: true}} {
			set(s)
			if s.Problem != "" {
				d.Reloaded() // as a watcher tells of it
			}
			time.Sleep(lostLook + time.Second)
			synctest.Wait()
			if got := file(t, o.Status).Servers; len(got) != 1 || got[0] != s {
				t.Errorf("the status file says %+v, want %+v", got, s)
			}
		}
		at := file(t, o.Status).WrittenAt
		time.Sleep(time.Hour)
		if !file(t, o.Status).WrittenAt.Equal(at) {
			t.Error("written while nothing happened")
		}
	})
}

func TestE67_CountsAndNoText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		f := &fake{}
		o := options(t.TempDir(), f)
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		var shown []recap.Record
		o.Recap = func(r recap.Record) { shown = append(shown, r) }
		d := start(t, o)
		synctest.Wait()
		f.options().Changed(recap.Record{
			Session: recap.SessionRef{Agent: recap.Claude, ID: "s1"}, Source: recap.FromModel, Recap: "secretive words", Title: "a title",
			Model: &recap.ModelRef{Provider: "p", ID: "m"}, Usage: &recap.Usage{InputTokens: 12, OutputTokens: 3},
		})
		f.options().Changed(recap.Record{Session: recap.SessionRef{Agent: recap.Claude, ID: "s2"}, Source: recap.Extractive, Recap: "secretive words"})
		if err := d.Stop(); err != nil {
			t.Fatal(err)
		}
		if len(shown) != 2 {
			t.Errorf("%d recaps told", len(shown))
		}
		for _, want := range []string{"recaps=2", "by_model=1"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("no %s in the log:\n%s", want, log.String())
			}
		}
		for _, text := range []string{"secretive", "title"} {
			if strings.Contains(log.String(), text) {
				t.Errorf("%q in the log", text)
			}
			if b, err := os.ReadFile(o.Status); err != nil || bytes.Contains(b, []byte(text)) {
				t.Errorf("%q in the status file, %v", text, err)
			}
		}
		if s := file(t, o.Status); s.Recaps != 2 || s.ByModel != 1 || s.LastAt == nil {
			t.Errorf("counts %+v", s)
		}
	})
}

func TestProblemsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		o := options(t.TempDir(), f)
		n := 0
		o.Problem = func(*agent.Problem) { n++ }
		d := start(t, o)
		synctest.Wait()
		for range 10 {
			f.options().Problem(&agent.Problem{Path: "http://127.0.0.1:4096", Reason: "not reached", Count: 1})
		}
		f.options().Problem(&agent.Problem{Path: "other", Reason: "not reached", Count: 1})
		if err := d.Stop(); err != nil || n != 2 {
			t.Errorf("told %d times, %v", n, err)
		}
	})
}

func TestH9_WhatCanNotBeKeptIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t.TempDir(), &fake{})
		d := start(t, o)
		defer d.Stop() //nolint:errcheck // tested elsewhere
		d.Unkept(&recap.Error{Code: recap.CodeStore, Message: "can't write the record, the disk is full"})
		time.Sleep(statusPause)
		synctest.Wait()
		if s := file(t, o.Status); s.Problem != "can't write the record, the disk is full" {
			t.Errorf("problem %q", s.Problem)
		}
		d.Unkept(nil)
		time.Sleep(statusPause)
		synctest.Wait()
		if s := file(t, o.Status); s.Problem != "" {
			t.Errorf("problem %q after it went well", s.Problem)
		}
	})
}

// A status file that can't be written stops nothing.
func TestH9_StatusFolderIsNotWritable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "state"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		o := options(dir, &fake{})
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		d := start(t, o)
		for range 5 {
			d.Reloaded()
			time.Sleep(time.Second)
		}
		if err := d.Stop(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(log.String(), "status file not written"); n != 1 {
			t.Errorf("said %d times", n)
		}
		if seen := Look(o.Lock, o.Status); seen.Running {
			t.Error("still seen")
		}
	})
}

func TestAMirrorStaysOne(t *testing.T) {
	if _, ok := listen(mirrored{}, func() {}).(agent.Mirror); !ok {
		t.Error("no mirror any more")
	}
	if _, ok := listen(events(nil), func() {}).(agent.Mirror); ok {
		t.Error("a mirror now")
	}
}

// hold starts a process that holds the lock.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "RECAP_TEST_HOLD="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() }) //nolint:errcheck // it may be gone
	line := make([]byte, 5)
	if n, err := out.Read(line); err != nil || string(line[:n]) != "held\n" {
		t.Fatalf("%q, %v", line[:n], err)
	}
	return cmd
}

func TestH7_OneDaemonAStore(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	other := hold(t, o.Lock)
	_, err := Start(t.Context(), o)
	running, ok := errors.AsType[*RunningError](err)
	if !ok || running.Holder.PID != other.Process.Pid || recap.CodeOf(err) != recap.CodeRunning {
		t.Fatalf("error %v", err)
	}
	seen := Look(o.Lock, o.Status)
	if !seen.Running || seen.Told || seen.Status.PID != other.Process.Pid {
		t.Errorf("seen %+v", seen)
	}
}

// What a killed daemon leaves behind is no obstacle.
func TestH8_AKilledDaemonIsNoObstacle(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	other := hold(t, o.Lock)
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	other.Wait() //nolint:errcheck // it was killed
	if seen := Look(o.Lock, o.Status); seen.Running {
		t.Errorf("seen %+v", seen)
	}
	d := start(t, o)
	if seen := Look(o.Lock, o.Status); seen.Status.PID != os.Getpid() || !seen.Told {
		t.Errorf("seen %+v", seen)
	}
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
}

// A status file of another daemon says nothing about the one that runs.
func TestStatusOfAnother(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	other := hold(t, o.Lock)
	if err := (Status{Holder: Holder{PID: other.Process.Pid, StartedAt: time.Unix(1, 0)}, Recaps: 7}).write(o.Status); err != nil {
		t.Fatal(err)
	}
	if seen := Look(o.Lock, o.Status); !seen.Running || seen.Told || seen.Status.Recaps != 0 {
		t.Errorf("seen %+v", seen)
	}
}

func TestLockFileThatSaysNothing(t *testing.T) {
	o := options(t.TempDir(), &fake{})
	for name, text := range map[string]string{
		"empty": "", "no JSON": "\x00\x00", "a long one": strings.Repeat("9", maxStatus*2), "of nobody": `{"pid":-4}`,
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(o.Lock, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if seen := Look(o.Lock, o.Status); seen.Running {
				t.Errorf("seen %+v", seen)
			}
			o.Follower = &fake{}
			d := start(t, o)
			b, err := os.ReadFile(o.Lock)
			if err != nil || !json.Valid(b) {
				t.Errorf("the lock file holds %q, %v", b, err)
			}
			if err := d.Stop(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestLockPathIsOneForAllNames(t *testing.T) {
	dir := t.TempDir()
	there, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(there, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(there, link); err != nil {
		t.Skip(err)
	}
	for _, made := range []bool{false, true} {
		if made {
			if err := os.WriteFile(filepath.Join(there, "recap.db"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := LockPath(filepath.Join(there, "recap.db")), LockPath(filepath.Join(link, "recap.db")); a != b {
			t.Errorf("%s and %s", a, b)
		}
	}
}

func TestCompare(t *testing.T) {
	b := func(version, commit, date string) Build { return Build{version, commit, date} }
	for _, c := range []struct {
		name            string
		daemon, command Build
		want            string
	}{
		{"the same", b("v1.0.0", "a", ""), b("v1.0.0", "a", ""), ""},
		{"an older release", b("v1.9.0", "a", ""), b("v1.10.0", "b", ""), "older than"},
		{"a newer release", b("v2.0.0", "a", ""), b("v1.10.0", "b", ""), "newer than"},
		{"an older build of one release", b("(devel)", "a", "2026-11-29T00:00:00Z"), b("(devel)", "b", "2026-11-30T00:00:00Z"), "older than"},
		{"pseudo versions", b("v0.0.0-20261129-a", "a", "2026-11-29T00:00:00Z"), b("v0.0.0-20261130-b", "b", "2026-11-30T00:00:00Z"), "older than"},
		{"no dates", b("(devel)", "a", ""), b("(devel)", "b", ""), "another build than"},
		{"nothing known", Build{}, b("v1.0.0", "a", ""), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Compare(c.daemon, c.command); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
