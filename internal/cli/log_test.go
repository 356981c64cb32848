package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newLogFile(t *testing.T) (l *logFile, failures *int) {
	t.Helper()
	failures = new(int)
	l = &logFile{path: filepath.Join(t.TempDir(), "state", "recap.log"), may: func(string) error { return nil }, failed: func(error) { *failures++ }}
	t.Cleanup(l.close)
	return l, failures
}

func put(t *testing.T, l *logFile, line string) {
	t.Helper()
	if n, err := l.Write([]byte(line)); n != len(line) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func says(t *testing.T, path, want string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != want {
		t.Errorf("%s: %.100q, %v, want %q", path, b, err, want)
	}
}

// A daemon's log is rotated while it is open, and made anew where it was
// removed.
func TestLogFileOfALongRun(t *testing.T) {
	t.Parallel()
	l, failures := newLogFile(t)
	put(t, l, "one\n")
	put(t, l, "two\n")
	says(t, l.path, "one\ntwo\n")
	long := strings.Repeat("x", maxLog)
	put(t, l, long)
	put(t, l, "three\n")
	says(t, l.path, "three\n")
	says(t, l.path+".1", "one\ntwo\n"+long)
	if err := os.RemoveAll(filepath.Dir(l.path)); err != nil {
		t.Fatal(err)
	}
	put(t, l, "four\n")
	says(t, l.path, "four\n")
	if *failures != 0 || l.try() != nil {
		t.Errorf("%d failures, then %v", *failures, l.try())
	}
}

// A log that can't be written says why, and goes on once it can.
func TestLogFileThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	l, failures := newLogFile(t)
	folder := filepath.Dir(l.path)
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.try(); err == nil {
		t.Error("no error where its folder is a file")
	}
	put(t, l, "one\n")
	if *failures != 1 {
		t.Errorf("%d failures", *failures)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	put(t, l, "two\n")
	says(t, l.path, "two\n")
	if err := l.try(); *failures != 1 || err != nil {
		t.Errorf("%d failures, then %v", *failures, err)
	}
}
