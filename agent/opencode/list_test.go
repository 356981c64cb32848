package opencode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// The second run over sessions that did not change opens no database; after
// one of them changed, only its own messages are read.
func TestListingIsCheap(t *testing.T) {
	t.Parallel()
	n := 300
	if long() {
		n = 2000
	}
	m := makeDB(t, "opencode.db")
	m.exec(`BEGIN`)
	for i := range n {
		id := fmt.Sprintf("ses_%04d", i)
		m.session(id, "/home/dev/app")
		m.message(id, userInfo, "question")
		m.message(id, doneInfo, "answer")
	}
	m.exec(`COMMIT`)
	ix := newMemory()
	s := m.source(ix)
	first, probs := listed(t, s, agent.Query{})
	if len(first) != n || len(probs) != 0 {
		t.Fatalf("%d sessions, %v", len(first), probs)
	}

	s = m.source(ix)
	second, _ := listed(t, s, agent.Query{})
	if s.opened.Load() != 0 || s.bodies.Load() != 0 {
		t.Errorf("second run: opened %d, bodies %d", s.opened.Load(), s.bodies.Load())
	}
	if len(second) != n {
		t.Fatalf("second run: %d sessions", len(second))
	}
	for i := range first {
		if first[i] != second[i] {
			t.Fatalf("session differs:\n%+v\n%+v", first[i], second[i])
		}
	}

	m.message("ses_0007", userInfo, "one more")
	s = m.source(ix)
	third, _ := listed(t, s, agent.Query{})
	if s.opened.Load() != 1 || s.bodies.Load() != 2 { // the newest message and its part
		t.Errorf("after a change: opened %d, bodies %d", s.opened.Load(), s.bodies.Load())
	}
	if third[0].Ref.ID != "ses_0007" || third[0].Stamp == second[0].Stamp {
		t.Errorf("newest is %s", third[0].Ref.ID)
	}
	s = m.source(ix)
	if _, _ = listed(t, s, agent.Query{}); s.opened.Load() != 0 {
		t.Error("fourth run opened the database")
	}
}

// The index of one query serves another, but not one that leaves out other
// folders: of those nothing was remembered.
func TestExcludedFoldersAreNotRemembered(t *testing.T) {
	m := makeDB(t, "opencode.db")
	for id, dir := range map[string]string{"ses_a": "/home/dev/open", "ses_b": "/home/dev/secret", "ses_c": "/home/dev/secret/deep", "ses_d": "/home/dev/secrets"} {
		m.session(id, dir)
		m.message(id, userInfo, "question")
	}
	ix := newMemory()
	q := agent.Query{Exclude: []string{"/home/dev/secret"}}
	for range 2 {
		ses, _ := listed(t, m.source(ix), q)
		for _, s := range ses {
			if s.Ref.ID == "ses_b" || s.Ref.ID == "ses_c" {
				t.Errorf("%s is listed", s.Ref.ID)
			}
		}
		if len(ses) != 2 {
			t.Errorf("%d sessions", len(ses))
		}
	}
	for k, e := range ix.m {
		if strings.Contains(fmt.Sprintf("%s %+v", k, e), "ses_b") {
			t.Errorf("remembered: %s", k)
		}
	}
	if ses, _ := listed(t, m.source(ix), agent.Query{}); len(ses) != 4 {
		t.Errorf("without the exclusion: %d sessions", len(ses))
	}
	if ses, _ := listed(t, m.source(ix), agent.Query{Exclude: []string{m.dir}}); len(ses) != 0 {
		t.Errorf("a database in an excluded folder was read")
	}
}

func TestQuery(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_old", "/home/dev/app")
	m.message("ses_old", userInfo, "old")
	m.session("ses_archived", "/home/dev/app")
	m.message("ses_archived", userInfo, "a")
	m.set("ses_archived", "time_archived", 0) // 0 too hides it in OpenCode
	m.session("ses_child", "/home/dev/app")
	m.message("ses_child", userInfo, "c")
	m.set("ses_child", "parent_id", "ses_old")
	m.session("ses_empty", "/home/dev/app")
	m.session("ses_new", "/home/dev/app")
	m.message("ses_new", userInfo, "new")
	// A change of metadata raises the session's time: it is no content.
	m.set("ses_old", "time_updated", startMS+999_000_000)
	m.set("ses_old", "metadata", `{"recap":{"recap":"foreign"}}`)

	cases := []struct {
		name string
		q    agent.Query
		want string
	}{
		{"plain", agent.Query{}, "ses_new ses_old"},
		{"archived", agent.Query{Archived: true}, "ses_new ses_archived ses_old"},
		{"subagents", agent.Query{Subagents: true}, "ses_new ses_child ses_old"},
		{"since", agent.Query{Since: time.UnixMilli(startMS + 5000)}, "ses_new"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if ses, _ := listed(t, m.source(nil), c.q); ids(ses) != c.want {
				t.Errorf("%q, want %q", ids(ses), c.want)
			}
		})
	}
}

func TestG7_MetadataIsNeverRead(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "hi")
	m.set("ses_1", "metadata", `{"recap":{"assist":{"recap":"RECAP OF THE PARENT"}}}`)
	s := m.source(nil)
	ses, _ := listed(t, s, agent.Query{})
	p := m.page(s, "ses_1", "", 10)
	if got := fmt.Sprintf("%+v %+v", ses, p); strings.Contains(got, "PARENT") {
		t.Error(got)
	}
}

func TestTitles(t *testing.T) {
	cases := []struct{ name, title, want string }{
		{"own", "  Fix the\n login ", "Fix the login"},
		{"made of the date", "New session - 2026-11-30T00:10:04.812Z", "the first prompt of the session"},
		{"child", "Child session - 2026-11-30T00:10:04.812Z", "the first prompt of the session"},
		{"empty", "", "the first prompt of the session"},
		{"long", strings.Repeat("é", 300), strings.Repeat("é", 199) + "…"},
		{"family emoji are not cut", strings.Repeat("👩‍👩‍👧‍👦", 40), strings.Repeat("👩‍👩‍👧‍👦", 28) + "…"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")
			m.set("ses_1", "title", c.title)
			m.message("ses_1", userInfo, jsonText(t, map[string]any{"text": "injected", "synthetic": true}), "the first prompt\n of the session")
			m.message("ses_1", doneInfo, "answer")
			m.message("ses_1", userInfo, "second")
			ix := newMemory()
			for range 2 {
				if ses, _ := listed(t, m.source(ix), agent.Query{}); ses[0].Title != c.want {
					t.Errorf("%q, want %q", ses[0].Title, c.want)
				}
			}
		})
	}
}

// A title may change and nothing else with it.
func TestNewTitles(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "the first prompt")
	m.message("ses_1", doneInfo, "answer")
	ix := newMemory()
	for _, c := range []struct{ title, want string }{
		{"one", "one"},
		{"two", "two"},
		{"New session - 2026-11-30T00:10:04.812Z", "the first prompt"},
		{"three", "three"},
		{"", "the first prompt"},
	} {
		m.set("ses_1", "title", c.title)
		for range 2 {
			if ses, _ := listed(t, m.source(ix), agent.Query{}); ses[0].Title != c.want {
				t.Errorf("%q, want %q", ses[0].Title, c.want)
			}
		}
	}
}

func jsonText(t *testing.T, m map[string]any) any {
	t.Helper()
	m["type"] = "text"
	return json.RawMessage(encode(t, m))
}

// The state of a session, by its newest message and by whether another
// process has the database open.
func TestStates(t *testing.T) {
	t.Parallel()
	fail := func(name string) map[string]any {
		return with(with(openInfo, "completed", true), "error", map[string]any{"name": name, "data": map[string]any{"message": "no"}})
	}
	ask := tool("question", map[string]any{"status": "running", "input": map[string]any{
		"questions": []any{map[string]any{"question": "Which port?", "header": "Port"}},
	}})
	run := tool("bash", map[string]any{"status": "running", "input": map[string]any{"command": "sleep 9"}, "metadata": map[string]any{"output": ""}})
	approve := tool("bash", map[string]any{"status": "running", "input": map[string]any{"command": "rm -rf\n dup", "description": strings.Repeat("x", 20<<10)}})
	edit := tool("edit", map[string]any{"status": "running", "input": map[string]any{"filePath": "a.go"}})
	cases := []struct {
		name       string
		add        func(m *made)
		dead, live recap.State
		waiting    string
	}{
		{"complete", func(m *made) { m.message("s", doneInfo, "a") }, recap.StateIdle, recap.StateIdle, ""},
		{"cut by length", func(m *made) { m.message("s", with(doneInfo, "finish", "length"), "a") }, recap.StateIdle, recap.StateIdle, ""},
		{"aborted", func(m *made) { m.message("s", fail("MessageAbortedError"), "a") }, recap.StateInterrupted, recap.StateInterrupted, ""},
		{"error", func(m *made) { m.message("s", fail("APIError")) }, recap.StateFailed, recap.StateFailed, ""},
		{"no end", func(m *made) { m.message("s", openInfo, "a") }, recap.StateInterrupted, recap.StateBusy, ""},
		{"between two steps", func(m *made) { m.message("s", with(doneInfo, "finish", "tool-calls"), "a") }, recap.StateInterrupted, recap.StateBusy, ""},
		{"prompt without answer", func(m *made) { m.message("s", userInfo, "q") }, recap.StateInterrupted, recap.StateBusy, ""},
		{"tool runs", func(m *made) { m.message("s", openInfo, run) }, recap.StateInterrupted, recap.StateBusy, ""},
		{"question", func(m *made) { m.message("s", openInfo, "a", ask) }, recap.StateInterrupted, recap.StateWaiting, "question: Which port?"},
		{"approval of a command", func(m *made) { m.message("s", openInfo, "a", approve) }, recap.StateInterrupted, recap.StateWaiting, "approval: bash rm -rf dup"},
		{"the person refused", func(m *made) {
			m.message("s", with(doneInfo, "finish", "tool-calls"), tool("bash", map[string]any{"status": "error", "error": "The user rejected permission to use this specific tool call."}))
		}, recap.StateInterrupted, recap.StateInterrupted, ""},
		{"edit runs, or waits", func(m *made) { m.message("s", openInfo, edit) }, recap.StateInterrupted, recap.StateBusy, ""},
		{"left a day ago by another process", func(m *made) {
			m.raw("s", "msg_old", startMS-3*24*3600*1000, encode(m.t, openInfo), "a")
		}, recap.StateInterrupted, recap.StateInterrupted, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("s", "/home/dev/app")
			c.add(m)
			m.close()
			written := time.UnixMilli(startMS)
			if err := os.Chtimes(m.path, written, written); err != nil {
				t.Fatal(err)
			}
			ix := newMemory()
			check := func(want recap.State, waiting string) {
				t.Helper()
				for _, what := range []string{"read", "remembered"} {
					ses, _ := listed(t, m.source(ix), agent.Query{})
					if len(ses) != 1 || ses[0].State != want || ses[0].WaitingFor != waiting {
						t.Errorf("%s: %+v, want %s %q", what, ses, want, waiting)
					}
				}
			}
			left := "" // B16: what it waited for when OpenCode ended
			if c.live == recap.StateWaiting {
				left = c.waiting
			}
			check(c.dead, left)
			if c.dead == c.live && !long() {
				return
			}
			w := startWriter(t, m.path)
			w.do(`SELECT count(*) FROM message`)
			check(c.live, c.waiting)
			w.end()
			check(c.dead, left)
		})
	}
}

func TestBranchOfTheWorkspace(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "q")
	m.exec(`INSERT INTO workspace (id, type, branch, project_id, time_used) VALUES ('wrk_1', 'worktree', 'fix/login', 'global', 0)`)
	m.set("ses_1", "workspace_id", "wrk_1")
	if ses, _ := listed(t, m.source(nil), agent.Query{}); ses[0].Branch != "fix/login" {
		t.Errorf("%+v", ses[0])
	}
}

// The databases of several release channels are one list; a session in two of
// them is the one that was used last.
func TestChannels(t *testing.T) {
	dir := t.TempDir()
	a, b := makeDBIn(t, dir, "opencode.db"), makeDBIn(t, dir, "opencode-beta.db")
	a.session("ses_both", "/home/dev/app")
	a.message("ses_both", userInfo, "stale")
	a.session("ses_a", "/home/dev/app")
	a.message("ses_a", userInfo, "a")
	b.n = 100
	b.session("ses_both", "/home/dev/app")
	b.message("ses_both", userInfo, "newer")
	s := New(Config{Root: dir})
	if ses, _ := listed(t, s, agent.Query{}); ids(ses) != "ses_both ses_a" {
		t.Errorf("%q", ids(ses))
	}
	if p := a.page(s, "ses_both", "", 5); texts(p.Records) != "newer" {
		t.Errorf("%q", texts(p.Records))
	}
	if p := a.page(s, "ses_a", "", 5); texts(p.Records) != "a" {
		t.Errorf("%q", texts(p.Records))
	}
	// One of them broken: the other works.
	if err := os.WriteFile(filepath.Join(dir, "opencode-dev.db"), []byte("no database at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	ses, probs := listed(t, s, agent.Query{})
	if ids(ses) != "ses_both ses_a" || len(probs) != 1 || probs[0].Reason != errNotSQLite.Error() {
		t.Errorf("%q %v", ids(ses), probs)
	}
	if p := a.page(s, "ses_a", "", 5); texts(p.Records) != "a" {
		t.Errorf("%q", texts(p.Records))
	}
	_, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: dir, ID: "ses_none"}, "", 5)
	if recap.CodeOf(err) != recap.CodeUnreadable { // it may stand in the broken one
		t.Errorf("%v", err)
	}
}

func TestF17_AnyPlaceAndName(t *testing.T) {
	for i, name := range []string{"with space", "under_score", "Zoë – 日本語", strings.Repeat("x", 220), "q?mode=rw#frag%20&vfs=unix"} {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/"+name)
			m.message("ses_1", userInfo, "q")
			m.checkpoint()
			copyFile(t, m.path, filepath.Join(dir, "opencode.db"))
			copyFile(t, m.path, filepath.Join(dir, "elsewhere.sqlite"))
			for _, cfg := range []Config{{Root: dir}, {Root: dir, DB: "elsewhere.sqlite"}, {Root: t.TempDir(), DB: filepath.Join(dir, "elsewhere.sqlite")}} {
				ses, probs := listed(t, New(cfg), agent.Query{})
				if len(ses) != 1 || ses[0].Directory != "/home/dev/"+name || len(probs) != 0 {
					t.Errorf("%+v: %+v %v", cfg, ses, probs)
				}
			}
		})
	}
}

func TestHome(t *testing.T) {
	cases := []struct {
		name   string
		setup  func(t *testing.T, dir string) Config
		found  bool
		reason string
	}{
		{"F19 nothing there", func(_ *testing.T, dir string) Config { return Config{Root: filepath.Join(dir, "none")} }, false, ""},
		{"F19 empty folder", func(_ *testing.T, dir string) Config { return Config{Root: dir} }, false, ""},
		{"F19 OPENCODE_DB names nothing", func(_ *testing.T, dir string) Config { return Config{Root: dir, DB: "gone.db"} }, false, ""},
		{"in memory", func(_ *testing.T, dir string) Config { return Config{Root: dir, DB: ":memory:"} }, false, ""},
		{"F19 old JSON storage", func(t *testing.T, dir string) Config {
			old := filepath.Join(dir, "storage", "session", "global")
			if err := os.MkdirAll(old, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(old, "ses_1.json"), []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
			return Config{Root: dir}
		}, true, "start any OpenCode from 1.2 to 1.15 once"},
		{"F21 FIFO", func(t *testing.T, dir string) Config {
			if err := mkfifo(filepath.Join(dir, "opencode.db")); err != nil {
				t.Skip(err)
			}
			return Config{Root: dir}
		}, true, "not a regular file"},
		{"F21 FIFO as log", func(t *testing.T, dir string) Config {
			m := makeDBIn(t, dir, "opencode.db")
			m.close()
			if err := mkfifo(m.path + "-wal"); err != nil {
				t.Skip(err)
			}
			return Config{Root: dir}
		}, true, "not a regular file"},
		{"F21 folder", func(t *testing.T, dir string) Config {
			if err := os.Mkdir(filepath.Join(dir, "opencode.db"), 0o700); err != nil {
				t.Fatal(err)
			}
			return Config{Root: dir}
		}, true, "not a regular file"},
		{"F21 link to itself", func(t *testing.T, dir string) Config {
			if err := os.Symlink("opencode.db", filepath.Join(dir, "opencode.db")); err != nil {
				t.Skip(err)
			}
			return Config{Root: dir}
		}, true, "can't be read"},
		{"F21 link to nothing", func(t *testing.T, dir string) Config {
			if err := os.Symlink("nowhere", filepath.Join(dir, "opencode.db")); err != nil {
				t.Skip(err)
			}
			return Config{Root: dir}
		}, true, "missing"},
		{"F19 text", func(t *testing.T, dir string) Config {
			if err := os.WriteFile(filepath.Join(dir, "opencode.db"), []byte("hello, this is no database"), 0o600); err != nil {
				t.Fatal(err)
			}
			return Config{Root: dir}
		}, true, "not a SQLite database"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := New(c.setup(t, t.TempDir()))
			h := s.Home()
			if h.Found != c.found || !strings.Contains(h.Problem, c.reason) || (c.reason == "") != (h.Problem == "") {
				t.Errorf("%+v", h)
			}
			ses, probs := listed(t, s, agent.Query{})
			if len(ses) != 0 {
				t.Errorf("sessions %v", ses)
			}
			if c.reason != "" && (len(probs) != 1 || recap.CodeOf(probs[0]) == recap.CodeInternal) {
				t.Errorf("problems %v", probs)
			}
			if _, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: s.cfg.Root, ID: "ses_1"}, "", 5); err == nil {
				t.Error("a page of nothing")
			}
		})
	}
}

// Older and newer schemas, and damage.
func TestF19_Schemas(t *testing.T) {
	cases := []struct {
		name string
		do   func(m *made)
		code recap.Code // "" = works
	}{
		{"as it is", func(*made) {}, ""},
		{"before metadata, workspaces, events", func(m *made) {
			m.exec(`DROP INDEX session_workspace_idx`)
			for _, c := range []string{"metadata", "workspace_id", "path", "agent", "model", "time_archived", "revert", "cost"} {
				m.exec(`ALTER TABLE session DROP COLUMN ` + c)
			}
			for _, table := range []string{"event", "event_sequence", "workspace", "todo", "session_message", "session_input"} {
				m.exec(`DROP TABLE ` + table)
			}
		}, ""},
		{"newer: more columns and tables", func(m *made) {
			m.exec(`ALTER TABLE session ADD COLUMN mood text DEFAULT 'fine'`)
			m.exec(`ALTER TABLE message ADD COLUMN flags integer`)
			m.exec(`CREATE TABLE future (id text)`)
		}, ""},
		{"newer: messages renamed", func(m *made) { m.exec(`ALTER TABLE message RENAME TO message2`) }, recap.CodeUnsupported},
		{"newer: no data column", func(m *made) { m.exec(`ALTER TABLE part RENAME COLUMN data TO body`) }, recap.CodeUnsupported},
		{"another program's", func(m *made) { m.exec(`DROP TABLE part; DROP TABLE message; DROP TABLE session; DROP TABLE todo`) }, recap.CodeUnsupported},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")
			m.message("ses_1", userInfo, "q")
			m.message("ses_1", doneInfo, "a")
			c.do(m)
			ix := newMemory()
			for range 2 {
				s := m.source(ix)
				ses, probs := listed(t, s, agent.Query{})
				p, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: m.dir, ID: "ses_1"}, "", 5)
				if c.code == "" {
					if ids(ses) != "ses_1" || len(probs) != 0 || err != nil || texts(p.Records) != "q|a" {
						t.Errorf("%q %v %q %v", ids(ses), probs, texts(p.Records), err)
					}
					continue
				}
				if len(ses) != 0 || len(probs) != 1 || recap.CodeOf(probs[0]) != c.code || recap.CodeOf(err) != c.code {
					t.Errorf("%q %v %v", ids(ses), probs, err)
				}
			}
		})
	}
}

func TestF19_DamagedDatabase(t *testing.T) {
	m := makeDB(t, "opencode.db")
	for i := range 50 {
		id := fmt.Sprintf("ses_%02d", i)
		m.session(id, "/home/dev/app")
		m.message(id, userInfo, strings.Repeat("text ", 900))
	}
	m.checkpoint()
	whole, err := os.ReadFile(m.path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		make func() []byte
	}{
		{"cut in half", func() []byte { return whole[:len(whole)/2] }},
		{"cut inside the header", func() []byte { return whole[:60] }},
		{"zeros in the middle", func() []byte {
			b := append([]byte{}, whole...)
			clear(b[4096 : len(b)-4096])
			return b
		}},
		{"header alone", func() []byte { return whole[:4096] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "opencode.db"), c.make(), 0o600); err != nil {
				t.Fatal(err)
			}
			_, probs := listed(t, New(Config{Root: dir}), agent.Query{})
			if len(probs) != 1 || recap.CodeOf(probs[0]) == recap.CodeInternal {
				t.Errorf("%v", probs)
			}
		})
	}
}

// A session of OpenCode 2 is named, not shown as empty.
func TestSessionsOfOpenCode2(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "q")
	m.session("ses_2", "/home/dev/app")
	m.exec(`INSERT INTO session_message VALUES ('m', 'ses_2', 'user', 1, 0, 0, '{}')`)
	ix := newMemory()
	for range 2 {
		ses, probs := listed(t, m.source(ix), agent.Query{})
		if ids(ses) != "ses_1" || len(probs) != 1 || recap.CodeOf(probs[0]) != recap.CodeUnsupported || probs[0].Count != 1 {
			t.Errorf("%q %v", ids(ses), probs)
		}
	}
	_, err := m.source(nil).Page(t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: m.dir, ID: "ses_2"}, "", 5)
	if recap.CodeOf(err) != recap.CodeUnsupported {
		t.Errorf("%v", err)
	}
}

func TestResumeCommand(t *testing.T) {
	dir, argv := New(Config{}).ResumeCommand(recap.Session{Ref: recap.SessionRef{ID: "ses_1"}, Directory: "/home/dev/app"})
	if dir != "/home/dev/app" || strings.Join(argv, " ") != "opencode --session ses_1" {
		t.Errorf("%s %v", dir, argv)
	}
}
