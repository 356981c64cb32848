//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serving is a daemon with one home of Claude Code.
type serving struct {
	t            *testing.T
	program, dir string
	home         string
	env          []string
	cmd          *exec.Cmd
}

func newServing(t *testing.T, env ...string) *serving {
	program, err := exec.LookPath("recap")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	s := &serving{t: t, program: program, home: home, dir: filepath.Join(home, "src", "app")}
	for _, d := range []string{s.dir, filepath.Join(home, ".claude", "projects")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s.env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0", "RECAP_ASSIST_QUIET_WINDOW=100ms",
	}, env...)
	return s
}

func (s *serving) start() {
	s.cmd = startServe(s.t, s.program, s.env)
	s.t.Cleanup(func() { _, _ = s.cmd.Process.Kill(), s.cmd.Wait() })
}

func (s *serving) turn(id, request string) {
	s.t.Helper()
	if err := claudeTurn(s.home, s.dir, id, request, time.Now()); err != nil {
		s.t.Fatal(err)
	}
}

// made reports that a recap was made.
func (s *serving) made() bool {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(statusOf(s.home)), "daemon*.json"))
	if err != nil || len(files) != 1 {
		return false
	}
	var now struct{ Recaps int }
	b, err := os.ReadFile(files[0])
	return err == nil && json.Unmarshal(b, &now) == nil && now.Recaps > 0
}

// doctor waits until doctor says something, and gives all of it.
func (s *serving) doctor(want string) string {
	s.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		cmd := exec.Command(s.program, "doctor")
		cmd.Env, cmd.Dir = s.env, s.home
		out, err := cmd.CombinedOutput()
		if strings.Contains(string(out), want) {
			return string(out)
		}
		if time.Now().After(end) {
			s.t.Fatalf("doctor never said %q: %v\n%s", want, err, out)
		}
	}
}

func (s *serving) stop() {
	s.t.Helper()
	begin := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("it did not stop in order: %v", err)
	}
	s.t.Logf("it stopped within %v", time.Since(begin).Round(time.Millisecond))
}

// A disk that is full stops nothing: doctor says it, and once there is room
// again the next recap is kept.
func TestH9_DiskFull(t *testing.T) {
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", disk).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	s := newServing(t, "RECAP_STORE_URL=sqlite:"+filepath.Join(disk, "recap.db"))
	s.start()
	// What moves before the watcher has looked around is as old as the rest.
	for i, end := 0, time.Now().Add(patience); !s.made(); i++ {
		s.turn("11111111-0000-4000-8000-000000000000", fmt.Sprintf("the first request, said for the %dth time", i))
		if time.Now().After(end) {
			t.Fatalf("no recap is made: %s", s.doctor("Daemon"))
		}
		time.Sleep(time.Second)
	}
	fill := filepath.Join(disk, "fill")
	f, err := os.Create(fill)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	_ = f.Close()
	// What the store's log has room for goes in, and clears the problem again:
	// sessions move on until doctor says it.
	var out []byte
	for end, i := time.Now().Add(patience), 0; !strings.Contains(string(out), "the daemon keeps nothing"); i++ {
		s.turn(fmt.Sprintf("2222%04d-0000-4000-8000-000000000000", i%20), strings.Repeat("a request on a full disk ", 40))
		cmd := exec.Command(s.program, "doctor")
		cmd.Env, cmd.Dir = s.env, s.home
		out, _ = cmd.CombinedOutput()
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(s.home, ".local", "state", "recap", "recap.log"))
			t.Fatalf("doctor never says that nothing is kept:\n%s\n%s", out, log)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !strings.Contains(string(out), "disk is full") || !strings.Contains(string(out), "running: pid") {
		t.Errorf("doctor: %s", out)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	var before struct{ Recaps int }
	files, err := filepath.Glob(filepath.Join(filepath.Dir(statusOf(s.home)), "daemon-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil || json.Unmarshal(b, &before) != nil {
		t.Fatal(err, string(b))
	}
	s.turn("33333333-0000-4000-8000-000000000000", "a request after there was room again")
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var now struct {
			Recaps  int
			Problem string
		}
		b, err := os.ReadFile(files[0])
		if err == nil && json.Unmarshal(b, &now) == nil && now.Recaps > before.Recaps && now.Problem == "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("nothing is kept again: %s", b)
		}
	}
	s.stop()
	log, err := os.ReadFile(filepath.Join(s.home, ".local", "state", "recap", "recap.log"))
	if err != nil || strings.Contains(string(log), "request") {
		t.Errorf("words of a session in the log, %v", err)
	}
}

// A store that can't be written is said at the start, and nothing is begun.
func TestH9_StoreIsReadOnly(t *testing.T) {
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k,ro", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no disk that can only be read can be made here: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", disk).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	})
	s := newServing(t, "RECAP_STORE_URL=sqlite:"+filepath.Join(disk, "recap.db"))
	cmd := exec.Command(s.program, "serve")
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "can't be written") {
		t.Errorf("%v: %s", err, out)
	}
	if out := s.doctor("not running"); !strings.Contains(out, "can't be written") {
		t.Errorf("doctor: %s", out)
	}
}
