package opencode

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// C18: a newest row that is broken is counted, and what was said before it is
// not taken for the last word.
func TestC18_BrokenNewestRow(t *testing.T) {
	t.Parallel()
	cut := rawPart{`{"type":"text","text":"all do`}
	goesOn := with(doneInfo, "finish", "tool-calls")
	for _, c := range []struct {
		name  string
		add   func(m *made)
		state recap.State
	}{
		{"the row of an answer", func(m *made) { m.raw("s", "msg_z", m.now(), `{"role":"assistant","finish":"st`, "all done") }, recap.StateUnknown},
		{"bytes", func(m *made) { m.raw("s", "msg_z", m.now(), []byte{0xff, 0xfe, 0}, "all done") }, recap.StateUnknown},
		{"the row of a prompt", func(m *made) { m.raw("s", "msg_z", m.now(), `{"role":"user","tim`, "and now?") }, recap.StateUnknown},
		{"the text of an answer", func(m *made) { m.message("s", doneInfo, cut) }, recap.StateUnknown},
		{"a call beside a text", func(m *made) { m.message("s", doneInfo, "all done", rawPart{`{"type":"tool`}) }, recap.StateIdle},
		{"a text in a failed answer", func(m *made) {
			m.message("s", with(openInfo, "error", map[string]any{"name": "APIError"}), cut)
		}, recap.StateFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("s", "/home/dev/app")
			m.message("s", userInfo, "do it")
			m.message("s", goesOn, "I will look first.", tool("bash", map[string]any{"status": "completed", "input": map[string]any{"command": "ls"}, "metadata": map[string]any{"exit": 0}}))
			c.add(m)
			m.close()
			ix := newMemory()
			for _, what := range []string{"read", "remembered"} {
				ses, probs := listed(t, m.source(ix), agent.Query{})
				if len(ses) != 1 || ses[0].State != c.state {
					t.Errorf("%s: %+v, want %s", what, ses, c.state)
				}
				if len(probs) != 1 || probs[0].Reason != reasonInvalid || probs[0].Count != 1 || probs[0].Path != m.path {
					t.Errorf("%s: problems %+v", what, probs)
				}
			}
			p := m.page(m.source(nil), "s", "", 10)
			if len(p.Problems) != 1 || p.Problems[0].Count != 1 {
				t.Errorf("problems of the page %+v", p.Problems)
			}
			last := p.Records[len(p.Records)-1]
			if c.state == recap.StateUnknown && strings.Contains(c.name, "prompt") {
				return // nothing of it is there
			}
			if c.state == recap.StateUnknown && (last.Role != recap.RoleAssistant || texts([]recap.Message{last}) != "" || last.Interrupted) {
				t.Errorf("the newest record is %+v", last)
			}
			if c.state == recap.StateIdle && texts([]recap.Message{last}) != "all done" {
				t.Errorf("the newest record is %+v", last)
			}
		})
	}
}

// C18: rows of sessions that can't be used are counted.
func TestC18_SessionRowsOfWrongTypes(t *testing.T) {
	m := makeDB(t, "opencode.db")
	for _, id := range []string{"ses_1", "ses_2", "ses_3", "ses_4", "ses_5"} {
		m.session(id, "/home/dev/app")
		m.message(id, userInfo, "q")
		m.message(id, doneInfo, "a")
	}
	m.exec(`UPDATE session SET id = '' WHERE id = 'ses_1'`)
	m.exec(`UPDATE session SET id = x'00ff' WHERE id = 'ses_2'`)
	m.exec(`UPDATE session SET time_created = 'yesterday' WHERE id = 'ses_3'`)
	m.exec(`UPDATE session SET directory = x'ff' WHERE id = 'ses_4'`)
	m.close()
	ix := newMemory()
	for _, what := range []string{"read", "remembered"} {
		ses, probs := listed(t, m.source(ix), agent.Query{})
		if got := ids(ses); got != "ses_5 ses_4 ses_3" {
			t.Errorf("%s: %s", what, got)
		}
		if len(probs) != 2 || probs[0].Reason != reasonNoID || probs[0].Count != 2 || probs[1].Reason != reasonOdd || probs[1].Count != 2 {
			t.Errorf("%s: %+v", what, probs)
		}
	}
}

// C18: a database with tables of another kind is a problem of the home.
func TestC18_UnknownSchemaIsAProblemOfTheHome(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE session (id TEXT, something TEXT)`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ix := newMemory()
	const want = "database of another version of OpenCode: no session.directory: recap reads the databases of OpenCode 1.2 to 1.18"
	s := New(Config{Root: dir, Index: ix})
	for range 2 {
		if h := s.Home(); !h.Found || h.Problem != want {
			t.Errorf("before listing: %+v", h)
		}
	}
	if n := s.opened.Load(); n != 1 {
		t.Errorf("opened %d times", n)
	}
	if ses, probs := listed(t, s, agent.Query{}); len(ses) != 0 || len(probs) != 1 {
		t.Errorf("%v %v", ses, probs)
	}
	s = New(Config{Root: dir, Index: ix})
	if h := s.Home(); h.Problem != want || s.opened.Load() != 0 {
		t.Errorf("remembered: %+v, opened %d times", h, s.opened.Load())
	}
	// One beside it that can be read: the home is in use.
	m := makeDBIn(t, dir, "opencode-beta.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "q")
	m.close()
	if h := New(Config{Root: dir}).Home(); h.Problem != "" {
		t.Errorf("with another: %+v", h)
	}
}

// C21: an answer is complete though its time is of a wrong type, and no time
// is far beyond that of the file.
func TestC21_TimesOfWrongTypes(t *testing.T) {
	t.Parallel()
	const far = 32503680000000 // the year 3000
	for _, c := range []struct {
		name string
		info map[string]any
		at   any
	}{
		{"completed is a text", with(doneInfo, "completed", "yesterday"), nil},
		{"completed is missing", func() map[string]any { m := with(doneInfo, "x", 1); delete(m, "completed"); return m }(), nil},
		{"completed in another century", with(doneInfo, "completed", far), nil},
		{"all in another century", with(doneInfo, "completed", far), far},
		{"a time of the row that is no number", doneInfo, "soon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("s", "/home/dev/app")
			m.message("s", userInfo, "do it")
			id := m.message("s", c.info, "done")
			if c.at != nil {
				m.exec(`UPDATE message SET time_created = ?, data = json_remove(data, '$.time.created') WHERE id = ?`, c.at, id)
			}
			m.close()
			limit := time.UnixMilli(startMS).Add(time.Hour).UTC()
			if err := os.Chtimes(m.path, limit, limit); err != nil {
				t.Fatal(err)
			}
			ses, _ := listed(t, m.source(nil), agent.Query{})
			if len(ses) != 1 || ses[0].State != recap.StateIdle || ses[0].UpdatedAt.IsZero() || ses[0].UpdatedAt.After(limit) {
				t.Errorf("%+v", ses)
			}
			p := m.page(m.source(nil), "s", "", 10)
			last := p.Records[len(p.Records)-1]
			if texts(p.Records) != "do it|done" || last.Completed.IsZero() || last.Created.IsZero() || last.Completed.After(limit) || last.Interrupted {
				t.Errorf("%+v", p.Records)
			}
		})
	}
}

// B16: the sample that was killed while it waited still says for what.
func TestB16_SampleLeftWaiting(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, "../../internal/demo/sessions/opencode/opencode.db", filepath.Join(dir, "opencode.db"))
	s := New(Config{Root: dir})
	list, _ := listed(t, s, agent.Query{})
	i := slices.IndexFunc(list, func(x recap.Session) bool { return x.Directory == "/home/dev/src/fotoarhiv" })
	if i < 0 || list[i].State != recap.StateInterrupted || list[i].WaitingFor != "approval: bash rm -rf dup" {
		t.Fatalf("%+v", list)
	}
	p, err := s.Page(t.Context(), list[i].Ref, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	last := p.Records[len(p.Records)-1]
	call := last.Parts[len(last.Parts)-1].Tool
	if !last.Interrupted || call == nil || call.Status != recap.ToolWaiting || call.Command != "rm -rf dup" {
		t.Errorf("%+v", last)
	}
}
