package geminicli

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/filewatch"
)

// TestProcesses holds what processes add to what the transcript tells.
func TestProcesses(t *testing.T) {
	const dir = "/home/dev/x"
	one := process{pid: 1, start: "1"}
	sec := func(n int) time.Time { return at0.Add(time.Duration(n) * time.Second) }
	root := t.TempDir()
	w := newWriter(root)
	id := w.Begin(t, dir, at0)
	w.prompt(t, id, at0, "before the watch")
	l := &live{own: New(Config{Root: root}).own(), procs: newProcesses()}
	track := filewatch.NewTracker(time.Time{})
	var procs []process
	var dead bool
	asked := 0
	l.procs.find = func(dirs []string) map[string][]process {
		asked++
		if !slices.Equal(dirs, []string{dir}) {
			t.Errorf("asked for %v", dirs)
		}
		if dead {
			return nil
		}
		return map[string][]process{dir: procs}
	}
	l.procs.lives = func(p process) bool {
		return !dead && slices.ContainsFunc(procs, func(q process) bool { return q.pid == p.pid })
	}
	want := func(when string, state recap.State, events ...string) {
		t.Helper()
		var got []string
		for x, err := range l.list(t.Context()) {
			if err != nil || x.State != state {
				t.Errorf("%s: %s (%v), want %s", when, x.State, err, state)
			}
			for _, e := range track.See(x) {
				got = append(got, e.Kind.String())
			}
		}
		track.End(true)
		if !slices.Equal(got, events) {
			t.Errorf("%s: told %v, want %v", when, got, events)
		}
	}
	procs = []process{one}
	want("open since before", recap.StateUnknown)
	if asked > 0 {
		t.Error("asked for the processes of a session that did not move")
	}
	w.answer(t, id, sec(1), "All is done.")
	want("an answer", recap.StateIdle, "busy", "idle")
	n := asked
	want("and nothing else", recap.StateIdle)
	if asked != n {
		t.Error("asked while nothing moved")
	}
	// A text, and a tool that runs.
	w.prompt(t, id, sec(10), "more")
	want("asked", recap.StateUnknown, "busy")
	procs[0].child = sec(2) // of the turn before
	w.answer(t, id, sec(12), "I run the tests now.")
	procs[0].child = sec(12)
	want("a tool runs", recap.StateBusy)
	want("it runs on", recap.StateBusy)
	procs[0].child = sec(2)
	want("it has ended and is not written yet", recap.StateIdle, "idle")
	w.call(t, id, sec(12), "run_shell_command", obj{"command": "make"}, "Output: x", "success")
	want("written", recap.StateUnknown, "busy")
	// Killed.
	dead = true
	want("killed", recap.StateInterrupted, "idle")
	want("later", recap.StateInterrupted)
	// Taken up again, by one that is not seen: it is not known.
	dead, procs = false, nil
	w.prompt(t, id, sec(20), "go on")
	want("another goes on", recap.StateUnknown, "busy")
}

// TestAgentsIn asks the system itself.
func TestAgentsIn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	dir, bin := t.TempDir(), t.TempDir()
	script := filepath.Join(bin, "gemini")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho ready; read x; sleep 60 & echo $!; read x\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "sh", script)
	c.Dir = dir
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	line := func(want string) {
		t.Helper()
		if s, err := r.ReadString('\n'); err != nil || s != want+"\n" {
			t.Fatal(s, err)
		}
	}
	line("ready")
	found := agentsIn([]string{dir, bin})
	if len(found[dir]) != 1 || found[dir][0].pid != c.Process.Pid || !found[dir][0].child.IsZero() || len(found[bin]) > 0 {
		t.Fatalf("found %v, want %d", found, c.Process.Pid)
	}
	if p := found[dir][0]; !running(p) || running(process{pid: p.pid, start: "1"}) {
		t.Error("the process is not known by its number and its start")
	}
	before := time.Now()
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	s, err := r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p, err := os.FindProcess(pid); err == nil {
			p.Kill() //nolint:errcheck // it may have ended
		}
	})
	// A forked process is told apart from the agent once it runs a program of
	// its own.
	child := agentsIn([]string{dir})[dir][0].child
	for range 10_000 {
		if !child.IsZero() {
			break
		}
		child = agentsIn([]string{dir})[dir][0].child
	}
	if d := child.Sub(before); d < -early || d > time.Minute {
		t.Errorf("its child was started %v after it was", d)
	}
	p := found[dir][0]
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.Wait() //nolint:errcheck // killed
	if running(p) {
		t.Error("it is dead")
	}
}
