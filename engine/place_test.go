package engine_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
)

// A worktree beside its repository belongs to it also after it was removed: in
// the same run, in a later one, for what is excluded and for what is muted.
func TestARemovedWorktreeKeepsItsProject(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo := mkdir(t, top, "shop")
	git(t, repo, "init", "-q")
	git(t, repo, "commit", "-q", "--allow-empty", "-m", "first")
	git(t, top, "clone", "-q", "--bare", repo, "bare.git")
	bare := filepath.Join(top, "bare.git")
	tree := func(in, name string) string {
		path := filepath.Join(top, name)
		git(t, in, "worktree", "add", "-q", path, "-b", filepath.Base(name))
		return path
	}
	beside, inside, ofBare := tree(repo, "shop-fix"), tree(repo, "shop/.trees/x"), tree(bare, "bare-fix")
	below := mkdir(t, beside, "cmd", "shop")

	src := newSource(recap.Claude, "/homes/claude")
	src.add("beside", beside, time.Hour)
	src.add("below", below, 2*time.Hour)
	src.add("inside", inside, 3*time.Hour)
	src.add("bare", ofBare, 4*time.Hour)
	first := newWorld(t, nil, src)
	at := func(e *engine.Engine) string {
		t.Helper()
		l, err := e.Sessions(t.Context(), engine.Query{})
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, s := range l.Sessions {
			rel, err := filepath.Rel(top, s.Project)
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(s.Ref.ID + "=" + rel + " ")
		}
		return out.String()
	}
	const want = "beside=shop below=shop inside=shop bare=bare.git "
	if got := at(first.Engine); got != want {
		t.Fatalf("before: %s", got)
	}
	if noted, err := first.store.Marked(t.Context(), store.MarkWorktree); err != nil || len(noted) != 2 || noted[beside] != repo || noted[ofBare] != bare {
		t.Errorf("noted %v, %v", noted, err)
	}
	git(t, repo, "worktree", "remove", "--force", beside)
	git(t, repo, "worktree", "remove", "--force", inside)
	git(t, bare, "worktree", "remove", "--force", ofBare)

	later := func(change func(*engine.Options)) *engine.Engine {
		o := engine.Options{Sources: []agent.Source{src}, Store: first.store, Now: func() time.Time { return noon }}
		if change != nil {
			change(&o)
		}
		return engine.New(o)
	}
	if got := at(first.Engine); got != want {
		t.Errorf("same run: %s", got)
	}
	if got := at(later(nil)); got != want {
		t.Errorf("a later run: %s", got)
	}
	if s, _, err := later(nil).Newest(t.Context(), repo); err != nil || s.Ref.ID != "beside" {
		t.Errorf("newest %v, %v", s.Ref, err)
	}
	if got := at(later(func(o *engine.Options) { o.Exclude = []string{repo} })); got != "bare=bare.git " {
		t.Errorf("excluded: %s", got)
	}
	if err := first.Mute(t.Context(), nil, repo, true); err != nil {
		t.Fatal(err)
	}
	if a, err := later(nil).Away(t.Context(), true, 0); err != nil || fmt.Sprint(ids(a.Rows)) != "[bare]" {
		t.Errorf("muted: %v, %v", ids(a.Rows), err)
	}

	// What is there again speaks for itself.
	mkdir(t, beside)
	if got := later(nil).Project(beside); got != beside {
		t.Errorf("a plain directory in its place: %s", got)
	}
	git(t, beside, "init", "-q")
	if got := later(nil).Project(below); got != beside {
		t.Errorf("another repository in its place: %s", got)
	}
	if err := os.RemoveAll(beside); err != nil {
		t.Fatal(err)
	}

	// Forgetting keeps what the mute stands on, and nothing else.
	if _, err := later(nil).Forget(t.Context(), store.Which{All: true}); err != nil {
		t.Fatal(err)
	}
	if noted, err := first.store.Marked(t.Context(), store.MarkWorktree); err != nil || len(noted) != 1 || noted[beside] != repo {
		t.Errorf("noted after forgetting all: %v, %v", noted, err)
	}
	if err := first.Mute(t.Context(), nil, repo, false); err != nil {
		t.Fatal(err)
	}
	if _, err := later(nil).Forget(t.Context(), store.Which{Project: repo}); err != nil {
		t.Fatal(err)
	}
	if noted, err := first.store.Marked(t.Context(), store.MarkWorktree); err == nil && len(noted) != 0 {
		t.Errorf("noted after forgetting the project: %v, %v", noted, err)
	}
}

// A session of a clock that is far ahead is not the newest for that.
func TestSessionsOfAnotherClock(t *testing.T) {
	const day = 24 * time.Hour
	begun := func(src *source, id string, age time.Duration) {
		src.change(id, func(s *recap.Session) { s.CreatedAt = noon.Add(-age) })
	}
	src := newSource(recap.Claude, "/homes/claude")
	src.add("far", "/home/dev/a", -400*day)
	begun(src, "far", -399*day)
	src.add("farther", "/home/dev/a", -500*day)
	begun(src, "farther", -500*day)
	src.add("jumped", "/home/dev/a", -400*day)
	begun(src, "jumped", 2*time.Hour)
	src.add("tomorrow", "/home/dev/a", -20*time.Hour)
	src.add("old", "/home/dev/a", 9*day)
	src.add("now", "/home/dev/a", time.Minute)
	w := newWorld(t, nil, src)
	want := []string{"tomorrow", "now", "jumped", "old", "farther", "far"}
	rows := w.list(t, engine.Query{})
	if got := ids(rows); !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for _, r := range rows {
		if r.Session.UpdatedAt.After(noon.Add(day)) || r.Record.UpdatedAt.After(noon.Add(day)) {
			t.Errorf("%s: %v, record %v", r.Session.Ref.ID, r.Session.UpdatedAt, r.Record.UpdatedAt)
		}
	}
	if s := w.find(t, "last"); s.Ref.ID != "tomorrow" {
		t.Errorf("last is %s", s.Ref.ID)
	}
	if got := ids(w.list(t, engine.Query{Since: noon.Add(-time.Hour)})); !slices.Equal(got, []string{"tomorrow", "now"}) {
		t.Errorf("of the last hour: %v", got)
	}
	// When its day comes, it counts as it says.
	w.now = noon.Add(399*day + time.Hour)
	if s := w.find(t, "last"); s.Ref.ID != "far" && s.Ref.ID != "jumped" {
		t.Errorf("last is %s", s.Ref.ID)
	}
	// A clock that was set back: the order stays.
	w.now = noon.Add(-3000 * day)
	if got := ids(w.list(t, engine.Query{})); !slices.Equal(got, []string{"farther", "far", "jumped", "tomorrow", "now", "old"}) {
		t.Errorf("by a clock that is behind: %v", got)
	}
}
