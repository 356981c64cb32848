package opencode

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// made is a database that a test makes.
type made struct {
	t    testing.TB
	db   *sql.DB
	dir  string
	path string
	n    int64 // ids and times
}

// start of the times in made databases: 2026-11-30T00:00:00Z.
const startMS = 1795996800000

// makeDB makes a database with OpenCode's schema, in WAL mode.
func makeDB(t testing.TB, name string) *made {
	t.Helper()
	return makeDBIn(t, t.TempDir(), name)
}

func makeDBIn(t testing.TB, dir, name string) *made {
	t.Helper()
	m := &made{t: t, dir: dir, path: filepath.Join(dir, name)}
	b, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+m.path+"?_pragma=journal_mode(WAL)&_pragma=foreign_keys(0)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	m.db = db
	t.Cleanup(func() { _ = db.Close() })
	return m
}

// empty is a database with OpenCode's schema, closed, in WAL mode.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "opencode")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	schema, err := os.ReadFile("testdata/schema.sql")
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "empty.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=foreign_keys(0)")
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(context.Background(), string(schema))
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func (m *made) exec(query string, args ...any) {
	m.t.Helper()
	if _, err := m.db.ExecContext(m.t.Context(), query, args...); err != nil {
		m.t.Fatalf("%s: %v", query[:min(len(query), 80)], err)
	}
}

func (m *made) now() int64 { m.n++; return startMS + m.n*1000 }

func (m *made) session(id, dir string) {
	m.t.Helper()
	at := m.now()
	m.exec(`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?,?,?,?,?,?,?,?)`,
		id, "global", "slug", dir, "title of "+id, "1.18.33", at, at)
	m.exec(`INSERT INTO event_sequence (aggregate_id, seq) VALUES (?, 0)`, id)
}

func (m *made) set(id, col string, v any) {
	m.t.Helper()
	m.exec(`UPDATE session SET `+col+` = ? WHERE id = ?`, v, id)
}

// message adds a message and gives its id. info gains the time of creation;
// a part may be a string, which is a text, or raw JSON.
func (m *made) message(session string, info map[string]any, parts ...any) string {
	m.t.Helper()
	at := m.now()
	id := fmt.Sprintf("msg_%06d", m.n)
	info = maps.Clone(info)
	times := map[string]any{"created": at}
	if c, ok := info["completed"]; ok {
		delete(info, "completed")
		if c == true {
			c = at + 500
		}
		times["completed"] = c
	}
	info["time"] = times
	m.raw(session, id, at, encode(m.t, info), parts...)
	return id
}

func (m *made) raw(session, id string, at any, info any, parts ...any) {
	m.t.Helper()
	m.exec(`INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES (?,?,?,?,?)`, id, session, at, at, info)
	for i, p := range parts {
		if s, ok := p.(string); ok {
			p = json.RawMessage(encode(m.t, map[string]any{"type": "text", "text": s}))
		}
		data := p
		switch p := p.(type) {
		case json.RawMessage:
			data = string(p)
		case rawPart:
			data = p.v
		}
		m.exec(`INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES (?,?,?,?,?,?)`,
			fmt.Sprintf("prt_%s_%04d", id, i), id, session, startMS, startMS, data)
	}
	m.exec(`UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?`, session)
}

var (
	userInfo = map[string]any{"role": "user", "model": map[string]any{"providerID": "fake", "modelID": "large"}}
	doneInfo = map[string]any{"role": "assistant", "providerID": "fake", "modelID": "large", "finish": "stop", "completed": true}
	openInfo = map[string]any{"role": "assistant", "providerID": "fake", "modelID": "large"}
)

func with(base map[string]any, k string, v any) map[string]any {
	m := maps.Clone(base)
	m[k] = v
	return m
}

func tool(name string, state map[string]any) json.RawMessage {
	b, err := json.Marshal(map[string]any{"type": "tool", "tool": name, "callID": "call_1", "state": state})
	if err != nil {
		panic(err)
	}
	return b
}

func encode(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkpoint moves everything into the database and empties the log.
func (m *made) checkpoint() { m.t.Helper(); m.exec(`PRAGMA wal_checkpoint(TRUNCATE)`) }

// close stops the writer as OpenCode does when it ends in good order.
func (m *made) close() {
	m.t.Helper()
	if err := m.db.Close(); err != nil {
		m.t.Fatal(err)
	}
}

func (m *made) source(ix agent.Index) *Source {
	return New(Config{Name: "opencode", Root: m.dir, Origin: "default", Index: ix})
}

// listed gives what a listing yields.
func listed(t *testing.T, s *Source, q agent.Query) ([]recap.Session, []*agent.Problem) {
	t.Helper()
	var ses []recap.Session
	var probs []*agent.Problem
	for se, err := range s.Sessions(t.Context(), q) {
		if p, ok := err.(*agent.Problem); ok { //nolint:errorlint // the contract yields problems themselves
			probs = append(probs, p)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		ses = append(ses, se)
	}
	return ses, probs
}

func ids(ses []recap.Session) string {
	var out []string
	for _, s := range ses {
		out = append(out, s.Ref.ID)
	}
	return strings.Join(out, " ")
}

func (m *made) page(s *Source, id string, before agent.Cursor, n int) agent.Page {
	m.t.Helper()
	p, err := s.Page(m.t.Context(), recap.SessionRef{Agent: recap.OpenCode, Root: m.dir, ID: id}, before, n)
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

// texts gives the texts of records, for comparison.
func texts(records []recap.Message) string {
	var out []string
	for _, r := range records {
		for _, p := range r.Parts {
			if p.Kind == recap.PartText {
				out = append(out, p.Text)
			}
		}
	}
	return strings.Join(out, "|")
}

// memory is an index that counts.
type memory struct {
	mu sync.Mutex
	m  map[string]agent.Entry
}

func newMemory() *memory { return &memory{m: map[string]agent.Entry{}} }

func (x *memory) Lookup(p string) (agent.Entry, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e, ok := x.m[p]
	return e, ok
}

func (x *memory) Remember(p string, e agent.Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.m[p] = e
}

// state gives the names in a folder and hashes of what must not change.
func state(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			out[e.Name()] = "folder"
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(b))
	}
	return out
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

const writerEnv = "RECAP_TEST_OPENCODE_WRITER"

// TestMain makes the test binary a writer of a database in another process.
func TestMain(m *testing.M) {
	if path := os.Getenv(writerEnv); path != "" {
		if err := write(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// write runs the statements of standard input, one a line, and answers each.
func write(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if _, err := db.ExecContext(context.Background(), in.Text()); err != nil {
			return err
		}
		fmt.Println("ok")
	}
	return nil
}

// writer is a process that has the database open.
type writer struct {
	t   *testing.T
	do  func(string)
	end func()
}

func startWriter(t *testing.T, path string) writer {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), writerEnv+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	w := writer{t: t}
	w.do = func(stmt string) {
		t.Helper()
		if _, err := fmt.Fprintln(in, strings.ReplaceAll(stmt, "\n", " ")); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != "ok" {
			t.Fatalf("writer: %q %v", lines.Text(), lines.Err())
		}
	}
	var once sync.Once
	w.end = func() {
		once.Do(func() {
			_ = in.Close()
			_ = cmd.Wait()
		})
	}
	t.Cleanup(w.end)
	return w
}

// long reports that what takes minutes runs too: more seeds, values and rounds
// of the same.
func long() bool { return os.Getenv("RECAP_TEST_LONG") != "" }
