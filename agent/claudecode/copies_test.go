package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/agent"
)

// Copies that say nothing of where they come from.
func TestC25_CopiesWithoutOwnWorkAreListedOnce(t *testing.T) {
	m := newMade(t)
	a := m.begin()
	m.ask(a, "one")
	m.say(a, "first")
	m.ask(a, "two")
	m.say(a, "second")
	same := func(map[string]any) {}
	b, err := os.ReadFile(m.path(a))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.SplitAfter(strings.TrimSpace(string(b)), "\n")
	// Dozens of copies: whole, torn in the newest row, without the newest row,
	// with another newest answer, with an older time.
	for i := range 60 {
		id := m.uuid()
		m.dirs[id] = m.dirs[a]
		last := rows[len(rows)-1]
		switch i % 5 {
		case 1:
			last = last[:len(last)/2]
		case 2:
			last = ""
		case 3:
			last = strings.Replace(last, `"uuid":"`, `"uuid":"x`, 1)
		case 4:
			last = strings.Replace(last, `"timestamp":"2026`, `"timestamp":"1970`, 1)
		}
		text := strings.ReplaceAll(strings.Join(rows[:len(rows)-1], "")+last, a, id)
		if err := os.WriteFile(m.path(id), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list := m.listed()
	if len(list) != 1 {
		t.Fatalf("%d sessions listed, want one", len(list))
	}
	for id := range list {
		m.want(id, "one → first", "two → second")
		if list[id].ForkedFrom != "" {
			t.Errorf("%+v", list[id])
		}
	}
	// One goes on: it is listed with what is its own.
	c := m.copyOf(a, same)
	m.ask(c, "three")
	m.say(c, "third")
	d := m.copyOf(c, same) // a copy of the copy
	m.ask(d, "four")
	m.say(d, "fourth")
	m.copyOf(d, same)
	if list = m.listed(); len(list) != 3 || list[c].ForkedFrom == "" || list[d].ForkedFrom == "" {
		t.Fatalf("%+v", list)
	}
	m.want(c, "three → third")
	m.want(d, "four → fourth")
	// What the index remembers gives the same.
	m.src = open(m.root, m.src.cfg.Index)
	if again := m.listed(); len(again) != 3 {
		t.Errorf("remembered: %+v", again)
	}
}

// C18: what hides behind a link, and what can't be used, in one home.
func TestC18_LinkedProjects(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.say(id, "first")
	projects := filepath.Join(m.root, "projects")
	away := t.TempDir()
	if err := os.Rename(filepath.Dir(m.path(id)), filepath.Join(away, "shop")); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"linked": filepath.Join(away, "shop"), "again": filepath.Join(away, "shop"), "up": m.root, "self": projects, "nowhere": filepath.Join(away, "gone"),
	} {
		if err := os.Symlink(to, filepath.Join(projects, name)); err != nil {
			t.Skip("no links here")
		}
	}
	var problems []string
	n := 0
	for s, err := range m.src.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			problems = append(problems, filepath.Base(err.Error()))
			continue
		}
		if n++; s.Ref.ID != id {
			t.Errorf("%+v", s)
		}
	}
	got := strings.Join(problems, "\n")
	for _, want := range []string{"link to a folder that holds it", "link to a folder that another link names"} {
		if !strings.Contains(got, want) {
			t.Errorf("no problem %q in %q", want, got)
		}
	}
	if n != 1 || len(problems) != 3 {
		t.Errorf("%d sessions, problems %q", n, problems)
	}
}
