package store_test

import (
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

func TestWhichCheck(t *testing.T) {
	ref := &recap.SessionRef{ID: "s"}
	tests := []struct {
		name string
		w    store.Which
		ok   bool
	}{
		{"nothing", store.Which{}, false},
		{"session", store.Which{Session: ref}, true},
		{"project", store.Which{Project: "/p"}, true},
		{"before", store.Which{Before: time.Unix(1, 0)}, true},
		{"all", store.Which{All: true}, true},
		{"two", store.Which{All: true, Project: "/p"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.w.Check(); (err == nil) != tt.ok {
				t.Errorf("Check() = %v, want ok %t", err, tt.ok)
			}
		})
	}
}

func TestWhichProject(t *testing.T) {
	tests := []struct {
		name, forget, project, directory string
		want                             bool
	}{
		{"itself", "/home/dev/a", "/home/dev/a", "", true},
		{"trailing slash", "/home/dev/a/", "/home/dev/a", "", true},
		{"below", "/home/dev/a", "/home/dev/a/b", "", true},
		{"sibling with the same beginning", "/home/dev/a", "/home/dev/ab", "/home/dev/a-b", false},
		{"parent", "/home/dev/a/b", "/home/dev/a", "/home/dev/a", false},
		{"directory below, project above", "/home/dev/a/b", "/home/dev/a", "/home/dev/a/b/c", true},
		{"worktree elsewhere", "/home/dev/a", "/home/dev/a", "/tmp/wt", true},
		{"no project known", "/home/dev/a", "", "", false},
		{"root", "/", "/home/dev/a", "", true},
		{"windows", `C:\dev\a`, `C:\dev\a\b`, "", true},
		{"backslash in a name", "/home/dev/a", `/home/dev/a\b`, "", false},
		{"quotes and wildcards", "/home/dev/%_'", "/home/dev/%_'/x", "", true},
		{"wildcards match nothing else", "/home/dev/%", "/home/dev/b", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := recap.Record{Project: tt.project, Directory: tt.directory}
			if got := (store.Which{Project: tt.forget}).Selects(r); got != tt.want {
				t.Errorf("Selects = %t, want %t", got, tt.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	tests := []struct{ name, a, b string }{
		{"ascii", "FiX", "fix"},
		{"cyrillic", "ПОЧИНИ", "почини"},
		{"greek final sigma", "ΟΔΟΣ", "οδος"},
		{"greek final sigma in the text", "οδός", "ΟΔΌΣ"},
		{"composed and decomposed", "e\u0301te\u0301", "ÉTÉ"},
		{"kelvin", "\u212a", "k"},
		{"turkish capital dotted i", "İstanbul", "istanbul"},
		{"control characters", "a\x00b\tc", "a b c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if a, b := store.Fold(tt.a), store.Fold(tt.b); a != b {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", tt.a, a, tt.b, b)
			}
		})
	}
	if store.Fold("straße") == store.Fold("strase") {
		t.Error("ß and s are one letter")
	}
}

func TestScopeRef(t *testing.T) {
	ref := recap.SessionRef{Agent: recap.Codex, Root: "/home/dev/.codex", ID: "a\x1fb"}
	got, ok := store.ScopeRef(store.Scope(ref))
	if !ok || got != ref {
		t.Errorf("ScopeRef = %v, %t", got, ok)
	}
	for _, s := range []string{"", "/home/dev/a"} {
		if _, ok := store.ScopeRef(s); ok {
			t.Errorf("%q is no session", s)
		}
	}
}
