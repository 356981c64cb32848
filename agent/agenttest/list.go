package agenttest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

func testList(t *testing.T, m Member) {
	h := newHome(t, m)
	if got := h.src.Agent(); got != m.Agent {
		t.Fatalf("agent = %q", got)
	}
	old := h.session(work, 0, 2, "apples")
	newest := h.session(work+"/sub dir", 100, 1, "pears")
	mid := h.session(work, 50, 3, "plums")
	stopped := h.build.Begin(t, work, at(20))
	h.build.Add(t, stopped, Event{Kind: Prompt, At: at(20), Text: "Count to a million"}, Event{Kind: Interrupt, At: at(21)})

	if hm := h.src.Home(); !hm.Found || hm.Problem != "" || hm.Root != h.root {
		t.Fatalf("home = %+v", hm)
	}
	list := h.list(agent.Query{})
	var ids []string
	stamps := map[string]bool{}
	for _, s := range list {
		ids = append(ids, s.Ref.ID)
		if s.Ref.Agent != m.Agent || s.Ref.Root != h.root {
			t.Errorf("ref = %+v", s.Ref)
		}
		if s.Stamp == "" || stamps[s.Stamp] {
			t.Errorf("stamp of %s = %q", s.Ref.ID, s.Stamp)
		}
		stamps[s.Stamp] = true
	}
	if want := []string{newest, mid, stopped, old}; !slices.Equal(ids, want) && !slices.Equal(ids, []string{newest, mid, old, stopped}) {
		t.Fatalf("order = %v, want %v", ids, want)
	}
	s := list[0]
	if s.Directory != work+"/sub dir" {
		t.Errorf("directory = %q", s.Directory)
	}
	if !strings.Contains(s.Title, "Please look at pears 1") {
		t.Errorf("title = %q, want the first prompt", s.Title)
	}
	if d := s.UpdatedAt.Sub(at(100)).Seconds(); d < 19 || d > 22 {
		t.Errorf("updated = %v", s.UpdatedAt)
	}
	if d := s.CreatedAt.Sub(at(100)).Abs().Seconds(); d > 11 {
		t.Errorf("created = %v", s.CreatedAt)
	}
	if s.State != recap.StateIdle {
		t.Errorf("state = %q, want idle", s.State)
	}
	if s.ParentID != "" || s.Archived || s.Reverted || s.WaitingFor != "" {
		t.Errorf("session = %+v", s)
	}
	if st := h.find(stopped).State; st != recap.StateInterrupted {
		t.Errorf("state of the stopped session = %q", st)
	}
	again := h.list(agent.Query{})
	for i, s := range again {
		if s.Stamp != list[i].Stamp {
			t.Errorf("stamp of %s moved", s.Ref.ID)
		}
	}
	// A caller may stop at any time.
	for _, err := range h.src.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}

func testNoHome(t *testing.T, m Member) {
	root := filepath.Join(t.TempDir(), "nothing here")
	src := m.Open(root, "", NewIndex())
	if h := src.Home(); h.Found || h.Problem != "" {
		t.Errorf("home = %+v", h)
	}
	for s, err := range src.Sessions(t.Context(), agent.Query{}) {
		t.Errorf("session %v, error %v", s, err)
	}
	_, err := src.Page(t.Context(), recap.SessionRef{Agent: m.Agent, Root: root, ID: "x"}, "", 10)
	if recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("page: %v", err)
	}
	if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the home was made: %v", err)
	}
}

func testUnread(t *testing.T, m Member) {
	h := newHome(t, m)
	a := h.session(work, 0, 2, "apples")
	b := h.session(work, 30, 2, "pears")
	first := h.list(agent.Query{})
	files := slices.Concat(h.build.Files(a), h.build.Files(b))
	if len(files) == 0 {
		t.Skip("no files: the source says how it lists")
	}
	n := h.index.Remembered()
	if n == 0 {
		t.Fatal("nothing was remembered")
	}
	// Another source over the same index: nothing hides in memory.
	src := m.Open(h.root, "", h.index)
	opened := opens(t, files)
	var second []recap.Session
	for s, err := range src.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		second = append(second, s)
	}
	if got := opened(); len(got) > 0 {
		t.Errorf("opened again: %v", got)
	}
	if got := h.index.Remembered(); got != n {
		t.Errorf("%d entries were remembered again", got-n)
	}
	if !equalJSON(t, first, second) {
		t.Errorf("second listing = %+v\nfirst = %+v", second, first)
	}
	// What opens notices: the check above can fail.
	if _, err := os.ReadFile(files[0]); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && len(opened()) == 0 {
		t.Log("this system does not tell who opens files; only the index was watched")
	}
	// Whoever has no index gets the same.
	var third []recap.Session
	for s, err := range m.Open(h.root, "", nil).Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		third = append(third, s)
	}
	if !equalJSON(t, first, third) {
		t.Errorf("listing without an index = %+v\nwith = %+v", third, first)
	}
}

func testGrown(t *testing.T, m Member) {
	h := newHome(t, m)
	a := h.session(work, 0, 1, "apples")
	b := h.session(work, 30, 1, "pears")
	first := h.list(agent.Query{})
	if first[0].Ref.ID != b {
		t.Fatalf("order: %v", first)
	}
	h.turn(a, 60, "cherries")
	second := h.list(agent.Query{})
	if second[0].Ref.ID != a || second[0].Stamp == first[1].Stamp {
		t.Errorf("the grown session is not first or kept its stamp: %+v", second)
	}
	if d := second[0].UpdatedAt.Sub(at(60)).Seconds(); d < 19 || d > 22 {
		t.Errorf("updated = %v", second[0].UpdatedAt)
	}
	if second[1].Stamp != first[0].Stamp {
		t.Error("the stamp of the other moved")
	}
	got := texts(h.read(a), recap.RoleUser)
	if len(got) != 2 || !strings.Contains(got[1], "cherries") {
		t.Errorf("prompts = %q", got)
	}
	// Deleted: gone from the list, and a page says so.
	for _, f := range h.build.Files(a) {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if len(h.build.Files(a)) == 0 {
		return
	}
	third := h.list(agent.Query{})
	if len(third) != 1 || third[0].Ref.ID != b {
		t.Errorf("after deletion: %+v", third)
	}
	if _, err := h.src.Page(t.Context(), h.ref(a), "", 5); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("page of a deleted session: %v", err)
	}
}

func testRewritten(t *testing.T, m Member) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system has no change time")
	}
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	first := h.list(agent.Query{})
	file := main(t, h, id)
	rewrite(t, file, "apples", "cheese")
	second := h.list(agent.Query{})
	if len(second) != 1 || !strings.Contains(second[0].Title, "cheese") {
		t.Fatalf("after the rewrite: %+v", second)
	}
	if second[0].Stamp == first[0].Stamp {
		t.Error("the stamp did not move")
	}
}

// rewrite replaces a word in place, keeping size and time.
func rewrite(t *testing.T, file, from, to string) {
	t.Helper()
	fi, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := strings.ReplaceAll(string(b), from, to)
	if len(c) != len(b) || c == string(b) {
		t.Fatal("the rewrite must keep the size and change something")
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(c); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, fi.ModTime(), fi.ModTime()); err != nil {
		t.Fatal(err)
	}
}

func testExcluded(t *testing.T, m Member) {
	h := newHome(t, m)
	secret := h.session("/home/dev/private/diary", 0, 1, "zebras")
	open := h.session("/home/dev/private-not", 10, 1, "apples")
	if n := len(h.list(agent.Query{})); n != 2 {
		t.Fatalf("%d sessions", n)
	}
	q := agent.Query{Exclude: []string{"/home/dev/private"}}
	for range 2 {
		list := h.list(q)
		if len(list) != 1 || list[0].Ref.ID != open {
			t.Fatalf("listed: %+v", list)
		}
		// Paths may name a directory; what is known of them must not.
		b, err := json.Marshal(slices.Collect(maps.Values(h.index.Entries())))
		if err != nil {
			t.Fatal(err)
		}
		if s := string(b); strings.Contains(s, "zebras") || strings.Contains(s, "diary") {
			t.Errorf("remembered: %s", s)
		}
	}
	list := h.list(agent.Query{})
	if len(list) != 2 || list[1].Ref.ID != secret {
		t.Errorf("no longer excluded: %+v", list)
	}
}

func testSince(t *testing.T, m Member) {
	h := newHome(t, m)
	h.session(work, 0, 1, "apples")
	b := h.session(work, 30, 1, "pears")
	list := h.list(agent.Query{Since: at(20)})
	if len(list) != 1 || list[0].Ref.ID != b {
		t.Errorf("listed: %+v", list)
	}
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x) == string(y)
}

// main is the main file of a session.
func main(t *testing.T, h *home, id string) string {
	t.Helper()
	f := h.build.Files(id)
	if len(f) == 0 {
		t.Fatal("a member with Lines must name its files")
	}
	return f[len(f)-1]
}
