package engine

import (
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store/memory"
)

func TestRenew(t *testing.T) {
	asked, out := 0, false
	e := New(Options{
		Store:    memory.New(),
		Asking:   func() *Asking { asked++; return &Asking{Language: "de"} },
		Excluded: func(_, dir string) bool { return out && dir == "/home/dev/b" },
	})
	s := func(dir string) recap.Session { return recap.Session{Directory: dir} }
	if e.isExcluded(s("/home/dev/a")) || e.isExcluded(s("/home/dev/b")) {
		t.Error("excluded at first")
	}
	e.asking()
	e.asking()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	out = true
	if e.isExcluded(s("/home/dev/b")) {
		t.Error("a directory is asked of once")
	}
	e.Reconsider()
	if !e.isExcluded(s("/home/dev/b")) {
		t.Error("not asked anew")
	}
	e.Renew([]string{"/home/dev/a"})
	if !e.isExcluded(s("/home/dev/a/below")) {
		t.Error("the new settings do not hold")
	}
	if e.asking(); asked != 2 {
		t.Errorf("asked %d times after they were renewed", asked)
	}
}
