package engine_test

import (
	"errors"
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
	"github.com/sessionrecap/recap/store/memory"
)

func TestListOrderAndLimit(t *testing.T) {
	one, two := newSource(recap.Claude, "/homes/claude"), newSource(recap.Codex, "/homes/codex")
	one.add("old", "/home/dev/src/shop", 48*time.Hour)
	one.add("new", "/home/dev/src/shop", time.Hour)
	two.add("mid", "/home/dev/src/blog", 2*time.Hour)
	two.add("away", "/home/dev/src/blog", time.Minute)
	two.change("away", func(s *recap.Session) { s.Archived = true })
	one.add("child", "/home/dev/src/shop", time.Minute)
	one.change("child", func(s *recap.Session) { s.ParentID = "new" })
	w := newWorld(t, nil, one, two)
	if got := ids(w.list(t, engine.Query{})); !slices.Equal(got, []string{"new", "mid", "old"}) {
		t.Errorf("list %v", got)
	}
	if got := ids(w.list(t, engine.Query{Archived: true})); !slices.Equal(got, []string{"away", "new", "mid", "old"}) {
		t.Errorf("all %v", got)
	}
	if got := ids(w.list(t, engine.Query{Agent: recap.Codex})); !slices.Equal(got, []string{"mid"}) {
		t.Errorf("one agent %v", got)
	}
	if got := ids(w.list(t, engine.Query{Project: "/home/dev/src/shop"})); !slices.Equal(got, []string{"new", "old"}) {
		t.Errorf("one project %v", got)
	}
	one.read()
	two.read()
	rows, total, _, err := w.List(t.Context(), engine.Query{Since: noon.Add(-24 * time.Hour)}, 1)
	if err != nil || total != 2 || !slices.Equal(ids(rows), []string{"new"}) {
		t.Errorf("limit: %v of %d, %v", ids(rows), total, err)
	}
}

func TestOneFailingHomeHidesNoOther(t *testing.T) {
	good, bad := newSource(recap.Claude, "/homes/claude"), newSource(recap.Codex, "/homes/codex")
	good.add("aaa", "/home/dev/src/shop", time.Hour)
	bad.add("bbb", "/home/dev/src/shop", time.Minute)
	bad.listing = errDisk
	bad.problems = []agent.Problem{{Path: "/homes/codex/x.jsonl", Reason: "permission denied", Count: 1}}
	w := newWorld(t, nil, bad, good)
	rows, _, l, err := w.List(t.Context(), engine.Query{}, 0)
	if err != nil || !slices.Equal(ids(rows), []string{"bbb", "aaa"}) {
		t.Fatalf("%v, %v", ids(rows), err)
	}
	if len(l.Failed) != 1 || l.Failed[0].Agent != recap.Codex || !errors.Is(l.Failed[0].Err, errDisk) {
		t.Errorf("failed %+v", l.Failed)
	}
	if len(l.Problems) != 1 || l.Problems[0].Reason != "permission denied" {
		t.Errorf("problems %+v", l.Problems)
	}
	if s, l, err := w.Newest(t.Context(), "/home/dev/src/shop"); err != nil || s.Ref.ID != "bbb" || len(l.Failed) != 1 {
		t.Errorf("newest %+v, %v", s.Ref, err)
	}
}

// A listing of 10,000 sessions reads nothing of them a second time.
func TestTenThousandSessions(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	const n = 10_000
	for i := range n {
		src.add(fmt.Sprintf("s%05d", i), fmt.Sprintf("/home/dev/src/p%d", i%50), time.Duration(i)*time.Minute)
	}
	w := newWorld(t, nil, src)
	// The first run: one record is made, and stands for those of all.
	made := *w.Recap(t.Context(), src.sessions["s00000"]).Record
	for _, s := range src.sessions {
		made.Session, made.Directory = s.Ref, s.Directory
		if err := w.store.Put(t.Context(), made, store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	src.read()
	rows := w.list(t, engine.Query{})
	if len(rows) != n || src.read() != 0 {
		t.Errorf("second run: %d rows", len(rows))
	}
	src.change("s00007", func(s *recap.Session) { s.Stamp = "2" })
	w.list(t, engine.Query{})
	if got := src.read(); got != 1 {
		t.Errorf("%d pages for one change", got)
	}
}

// Only a whole listing without a failure says which files are gone.
func TestListed(t *testing.T) {
	good, bad := newSource(recap.Claude, "/homes/claude"), newSource(recap.Codex, "/homes/codex")
	good.add("aaa", "/home/dev/src/shop", time.Hour)
	bad.listing = errDisk
	var listed []agent.Source
	w := newWorld(t, func(o *engine.Options) { o.Listed = func(s agent.Source) { listed = append(listed, s) } }, bad, good)
	w.list(t, engine.Query{})
	w.list(t, engine.Query{Archived: true})
	w.list(t, engine.Query{Archived: true, Subagents: true, Since: noon.Add(-time.Hour)})
	if len(listed) > 0 {
		t.Errorf("after a part: %v", listed)
	}
	w.find(t, "aaa")
	if len(listed) != 1 || listed[0] != agent.Source(good) {
		t.Errorf("%v", listed)
	}
}

func TestAway(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("plain", "/home/dev/src/shop", time.Minute)
	src.add("asks", "/home/dev/src/shop", 3*time.Hour, talk("q", "Add a cache", "Which size should the cache have?")...)
	src.add("waits", "/home/dev/src/blog", 2*time.Hour)
	src.change("waits", func(s *recap.Session) { s.State, s.WaitingFor = recap.StateWaiting, "approval: Bash go test" })
	src.add("ancient", "/home/dev/src/blog", 72*time.Hour)
	w := newWorld(t, nil, src)

	a, err := w.Away(t.Context(), true, 0)
	if err != nil || !a.Since.IsZero() {
		t.Fatalf("%+v, %v", a.Since, err)
	}
	if got := ids(a.Rows); !slices.Equal(got, []string{"waits", "asks", "plain"}) || a.Waiting != 2 {
		t.Errorf("%v, %d wait", got, a.Waiting)
	}
	// What waits is first also where the limit is shorter than the list.
	a, err = w.Away(t.Context(), false, 2)
	if got := ids(a.Rows); err != nil || !slices.Equal(got, []string{"waits", "asks"}) || a.More != 1 || !a.Since.IsZero() {
		t.Errorf("peeking counted as looking: %v, more %d, %v", got, a.More, err)
	}
	w.now = noon.Add(time.Hour)
	a, err = w.Away(t.Context(), false, 0)
	if err != nil || len(a.Rows) != 0 || !a.Since.Equal(noon) {
		t.Errorf("nothing moved: %v since %s, %v", ids(a.Rows), a.Since, err)
	}
	src.change("plain", func(s *recap.Session) { s.UpdatedAt, s.Stamp = noon.Add(90*time.Minute), "2" })
	w.now = noon.Add(2 * time.Hour)
	if a, err = w.Away(t.Context(), false, 0); err != nil || !slices.Equal(ids(a.Rows), []string{"plain"}) {
		t.Errorf("moved: %v, %v", ids(a.Rows), err)
	}
	// A clock that was set back starts anew.
	w.now = noon.Add(-time.Hour)
	if a, err = w.Away(t.Context(), true, 0); err != nil || !a.Since.IsZero() {
		t.Errorf("since %s, %v", a.Since, err)
	}
}

func TestK7_TheAskingSessionIsNotInItsOwnList(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("self", "/home/dev/src/shop", time.Minute)
	src.add("other", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, func(o *engine.Options) { o.Self = []string{"self"} }, src)
	if got := ids(w.list(t, engine.Query{})); !slices.Equal(got, []string{"other"}) {
		t.Errorf("list %v", got)
	}
	if s, _, err := w.Newest(t.Context(), "/home/dev/src/shop"); err != nil || s.Ref.ID != "other" {
		t.Errorf("newest %v, %v", s.Ref, err)
	}
	if s := w.find(t, "last"); s.Ref.ID != "other" {
		t.Errorf("last is %v", s.Ref)
	}
	if a, err := w.Away(t.Context(), true, 0); err != nil || !slices.Equal(ids(a.Rows), []string{"other"}) {
		t.Errorf("away %v, %v", ids(a.Rows), err)
	}
	if s := w.find(t, "self"); s.Ref.ID != "self" {
		t.Error("by its id it is found")
	}
}

// What is stored of a session that is excluded, or of a source that is off, can
// be forgotten by its name.
func TestForgetWhatIsNotListed(t *testing.T) {
	src, off := newSource(recap.Claude, "/homes/claude"), newSource(recap.Codex, "/homes/codex")
	private := src.add("aaa-1", "/home/dev/src/private", time.Hour)
	src.add("aaa-2", "/home/dev/src/shop", time.Hour)
	other := off.add("bbb-1", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src, off)
	w.list(t, engine.Query{})
	spent := recap.SessionRef{Agent: recap.Claude, Root: "/homes/claude", ID: "ccc-1"} // only the ledger knows it
	if _, err := w.store.Reserve(t.Context(), store.Reservation{At: noon, Session: spent, InputTokens: 1}, store.NoCaps); err != nil {
		t.Fatal(err)
	}
	if err := w.store.SetMark(t.Context(), store.MarkParked, store.Scope(recap.SessionRef{Agent: recap.Claude, Root: "/homes/claude", ID: "ddd-1"}), "f"); err != nil {
		t.Fatal(err)
	}
	w.Renew([]string{"/home/dev/src/private"})
	w.Replace([]agent.Source{src})
	_, err := w.Find(t.Context(), "aaa-1")
	wantCode(t, err, recap.CodeSessionNotFound) // for all else it is not there
	for name, want := range map[string]recap.Code{
		"aaa": recap.CodeAmbiguousSession, "codex:aaa-1": recap.CodeSessionNotFound, "claude@work:aaa-1": recap.CodeSessionNotFound,
		"nosuch": recap.CodeSessionNotFound, "": recap.CodeSessionNotFound, "claude:": recap.CodeSessionNotFound,
	} {
		_, err := w.FindKept(t.Context(), name)
		if recap.CodeOf(err) != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	if s, err := w.FindKept(t.Context(), "aaa-2"); err != nil || s.Title != "title of aaa-2" {
		t.Errorf("one that is listed: %+v, %v", s, err)
	}
	for _, name := range []string{"claude:aaa-1", "bbb", "ccc-1", "ddd"} {
		s, err := w.FindKept(t.Context(), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n, err := w.Forget(t.Context(), store.Which{Session: &s.Ref}); n != 1 || err != nil {
			t.Errorf("%s: %d forgotten, %v", name, n, err)
		}
		_, err = w.FindKept(t.Context(), name)
		wantCode(t, err, recap.CodeSessionNotFound)
	}
	for _, ref := range []recap.SessionRef{private.Ref, other.Ref} {
		if _, err := w.store.Record(t.Context(), ref); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s is stored still: %v", ref, err)
		}
	}
}

func TestFind(t *testing.T) {
	one, two := newSource(recap.Claude, "/homes/claude"), newSource(recap.Codex, "/homes/codex")
	one.add("abc1", "/home/dev/src/shop", time.Hour)
	one.add("abc12", "/home/dev/src/shop", 2*time.Hour)
	one.add("xyz", "/home/dev/src/shop", 3*time.Hour)
	two.add("abd", "/home/dev/src/shop", 4*time.Hour)
	two.add("with:colon", "/home/dev/src/shop", 5*time.Hour)
	two.add("gone", "/home/dev/src/shop", 6*time.Hour)
	two.change("gone", func(s *recap.Session) { s.Archived = true })
	w := newWorld(t, nil, one, two)
	tests := []struct {
		name string
		want string
		code recap.Code
	}{
		{"abc1", "abc1", ""}, // an id is no prefix of another
		{"abc", "", recap.CodeAmbiguousSession},
		{"ab", "", recap.CodeAmbiguousSession},
		{"abd", "abd", ""},
		{"codex:ab", "abd", ""},
		{"claude:ab", "", recap.CodeAmbiguousSession},
		{"claude@claude:xy", "xyz", ""},
		{"claude@work:xy", "", recap.CodeSessionNotFound},
		{"with:co", "with:colon", ""},
		{"codex:with:colon", "with:colon", ""},
		{"gone", "gone", ""},
		{"last", "abc1", ""},
		{"codex:last", "abd", ""},
		{"gemini:last", "", recap.CodeNothing},
		{"nope", "", recap.CodeSessionNotFound},
		{"", "", recap.CodeSessionNotFound},
		{"claude:", "", recap.CodeSessionNotFound},
		{"../../etc/passwd", "", recap.CodeSessionNotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := w.Find(t.Context(), tt.name)
			if recap.CodeOf(err) != tt.code || s.Ref.ID != tt.want {
				t.Errorf("%q, %v; want %q, %q", s.Ref.ID, err, tt.want, tt.code)
			}
			if err != nil && recap.HintOf(err) == "" {
				t.Error("no hint")
			}
		})
	}
	_, err := w.Find(t.Context(), "ab")
	amb, ok := errors.AsType[*engine.AmbiguousError](err)
	if !ok || len(amb.Candidates) != 3 {
		t.Errorf("candidates: %v", err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@example.com"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWorktreesAreOneProject(t *testing.T) {
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
	git(t, repo, "worktree", "add", "-q", filepath.Join(top, "shop-fix"), "-b", "fix")
	git(t, top, "clone", "-q", "--bare", repo, "bare.git")
	git(t, filepath.Join(top, "bare.git"), "worktree", "add", "-q", filepath.Join(top, "bare-fix"), "-b", "other")
	hidden := mkdir(t, top, "hidden")
	git(t, hidden, "clone", "-q", "--bare", repo, ".bare")
	git(t, filepath.Join(hidden, ".bare"), "worktree", "add", "-q", filepath.Join(hidden, "main"), "-b", "third")
	deep := mkdir(t, repo, "cmd", "shop")
	plain := mkdir(t, top, "notes")
	sub := mkdir(t, repo, "vendor", "dep")
	if err := os.WriteFile(filepath.Join(sub, ".git"), []byte("gitdir: ../../.git/modules/dep\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	odd := mkdir(t, top, "odd")
	if err := os.WriteFile(filepath.Join(odd, ".git"), []byte(strings.Repeat("x", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(top, "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}

	e := newWorld(t, nil)
	for _, tt := range []struct{ name, dir, want string }{
		{"the repository", repo, repo},
		{"a directory in it", deep, repo},
		{"a worktree", filepath.Join(top, "shop-fix"), repo},
		{"a link to it", link, repo},
		{"a worktree of a bare repository", filepath.Join(top, "bare-fix"), filepath.Join(top, "bare.git")},
		{"a worktree of a bare repository that hides", filepath.Join(hidden, "main"), hidden},
		{"a submodule", sub, sub},
		{"no repository", plain, plain},
		{"a .git that is something else", odd, odd},
		{"a directory of the repository that is gone", filepath.Join(repo, "gone", "below"), repo},
		{"gone", "/nowhere/at/all", "/nowhere/at/all"},
		{"a foreign path", `C:\src\shop`, `C:\src\shop`},
		{"no path", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := e.Project(tt.dir); got != tt.want {
				t.Errorf("project %q, want %q", got, tt.want)
			}
		})
	}

	src := newSource(recap.Claude, "/homes/claude")
	src.add("main", repo, 2*time.Hour)
	src.add("tree", filepath.Join(top, "shop-fix"), time.Hour)
	src.add("foreign", `C:\src\shop`, time.Minute)
	src.add("nodir", "", time.Minute)
	w := newWorld(t, nil, src)
	if s, _, err := w.Newest(t.Context(), link); err != nil || s.Ref.ID != "tree" {
		t.Errorf("newest %v, %v", s.Ref, err)
	}
	if s, _, err := w.Newest(t.Context(), deep); err != nil || s.Ref.ID != "tree" {
		t.Errorf("newest %v, %v", s.Ref, err)
	}
	_, _, err = w.Newest(t.Context(), plain)
	wantCode(t, err, recap.CodeNothing)
	w.list(t, engine.Query{})
	if r, err := w.NewestStored(t.Context(), link); err != nil || r.Session.ID != "tree" {
		t.Errorf("newest stored %v, %v", r.Session, err)
	}
}

// plainStore hides what a store offers beside the contract.
type plainStore struct{ store.Store }

func TestNewestStoredReadsTheStoreAlone(t *testing.T) {
	for _, tt := range []struct {
		name  string
		store store.Store
	}{{"a store that knows the newest", memory.New()}, {"any store", plainStore{memory.New()}}} {
		t.Run(tt.name, func(t *testing.T) {
			src := newSource(recap.Claude, "/homes/claude")
			src.add("new", "/home/dev/src/shop/deep", time.Minute)
			src.add("old", "/home/dev/src/shop", time.Hour)
			src.add("near", "/home/dev/src/shopping", time.Second)
			src.add("empty", "/home/dev/src/shop", time.Millisecond, recap.Message{ID: "s", Role: recap.RoleService})
			w := newWorld(t, func(o *engine.Options) { o.Store = tt.store }, src)
			_, err := w.NewestStored(t.Context(), "/home/dev/src/shop")
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("empty store: %v", err)
			}
			w.list(t, engine.Query{})
			lists := src.lists
			src.read()
			r, err := w.NewestStored(t.Context(), "/home/dev/src/shop")
			if err != nil || r.Session.ID != "new" {
				t.Errorf("%v, %v", r.Session, err)
			}
			if src.lists != lists || src.read() != 0 {
				t.Error("the source was asked")
			}
			if err := w.Mute(t.Context(), &r.Session, "", true); err != nil {
				t.Fatal(err)
			}
			if r, err := w.NewestStored(t.Context(), "/home/dev/src/shop"); err != nil || r.Session.ID != "old" {
				t.Errorf("behind a muted one: %v, %v", r.Session, err)
			}
			if err := w.Mute(t.Context(), nil, "/home/dev/src/shop", true); err != nil {
				t.Fatal(err)
			}
			if _, err := w.NewestStored(t.Context(), "/home/dev/src/shop"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("muted project: %v", err)
			}
		})
	}
}

// The texts of a session are clean when they leave: no secret, no escape
// sequence, in none of its fields.
func TestH2_SessionTextsAreClean(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	src := newSource(recap.Claude, "/homes/claude")
	src.add("aaa", "/home/dev/"+secret+"/app", time.Hour, talk("m", "Use "+secret+" \x1b[2J to log in", "I used "+secret)...)
	src.change("aaa", func(s *recap.Session) {
		s.Title, s.Branch, s.WaitingFor = "\x1b]0;x\a"+secret, "fix/"+secret, "approval: curl "+secret
		s.State = recap.StateWaiting
	})
	w := newWorld(t, nil, src)
	rows := w.list(t, engine.Query{})
	if err := w.Mute(t.Context(), nil, rows[0].Session.Directory, true); err != nil {
		t.Fatal(err)
	}
	if err := w.Mute(t.Context(), nil, "/home/dev/"+secret+"/app", true); err != nil {
		t.Fatal(err)
	}
	marks, err := w.store.Marked(t.Context(), store.MarkMuted)
	if err != nil {
		t.Fatal(err)
	}
	s := w.find(t, "aaa")
	wantCode(t, w.Recap(t.Context(), s).Err, recap.CodeMuted) // by its clean name
	stored, err := w.store.Records(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	gates, ds, err := w.Why(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	l, err := w.Sessions(t.Context(), engine.Query{})
	if err != nil {
		t.Fatal(err)
	}
	d, _, err := w.Turns(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%+v %+v %+v %+v %+v %+v %+v", rows[0].Session, *rows[0].Record, marks, stored, gates, ds, l.Sessions)
	all += fmt.Sprintf("%+v", d)
	if strings.Contains(all, secret) || strings.Contains(all, "\x1b") || strings.Contains(all, "\a") {
		t.Errorf("leaks: %q", all)
	}
	if !strings.Contains(all, "[redacted:") {
		t.Error("nothing was redacted: the test does not test")
	}
}

func TestResume(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	src.add("aaa", "/home/dev/src/shop", time.Hour)
	src.add("-rm", "/home/dev/src/shop", time.Hour)
	w := newWorld(t, nil, src)
	dir, argv, err := w.Resume(w.find(t, "aaa"))
	if err != nil || dir != "/home/dev/src/shop" || !slices.Equal(argv, []string{"claude", "--resume", "aaa"}) {
		t.Errorf("%s %v %v", dir, argv, err)
	}
	_, _, err = w.Resume(w.find(t, "-rm"))
	wantCode(t, err, recap.CodeUnsupported)
}

func TestProgressIsTold(t *testing.T) {
	src := newSource(recap.Claude, "/homes/claude")
	for i := range 200 {
		src.add(fmt.Sprintf("s%03d", i), "/home/dev/src/shop", time.Hour)
	}
	seen := make(chan engine.Progress, 1000)
	w := newWorld(t, func(o *engine.Options) { o.Progress = func(p engine.Progress) { seen <- p } }, src)
	w.list(t, engine.Query{})
	close(seen)
	sessions, made := 0, 0
	for p := range seen {
		sessions, made = max(sessions, p.Sessions), max(made, p.Made)
		if p.Of != 0 && p.Of != 200 {
			t.Errorf("%+v", p)
		}
	}
	if sessions < 64 || made != 200 {
		t.Errorf("told of %d sessions and %d recaps", sessions, made)
	}
}
