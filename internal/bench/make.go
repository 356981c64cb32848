package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver

	"github.com/sessionrecap/recap/internal/demo"
)

// began is when all made sessions begin; they do not age with the machine.
var began = time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)

const giant = 64 << 20

// writer writes the rows of one Claude Code session.
type writer struct {
	w       *bufio.Writer
	session string
	dir     string
	n       int
	size    int64
	now     time.Time // of its turns, zero for made times
}

func (w *writer) row(s string) error {
	n, err := w.w.WriteString(s + "\n")
	w.size += int64(n)
	return err
}

func (w *writer) turn(prompt, answer string) error {
	w.n++
	when := began.Add(time.Duration(w.n) * time.Minute)
	if !w.now.IsZero() {
		when = w.now
	}
	at := when.UTC().Format("2006-01-02T15:04:05.000Z")
	common := fmt.Sprintf(`"userType":"external","entrypoint":"cli","cwd":%q,"sessionId":%q,"version":"2.1.332","gitBranch":"main"`, w.dir, w.session)
	if err := w.row(fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":%q},"uuid":"u%08d-0000-4000-8000-000000000000","timestamp":%q,"origin":{"kind":"human"},"promptSource":"typed",%s}`,
		prompt, w.n, at, common)); err != nil {
		return err
	}
	return w.row(fmt.Sprintf(`{"parentUuid":"u%08d-0000-4000-8000-000000000000","isSidechain":false,"message":{"id":"msg_%08d","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":%q}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":5}},"type":"assistant","uuid":"a%08d-0000-4000-8000-000000000000","timestamp":%q,%s}`,
		w.n, w.n, answer, w.n, at, common))
}

func (w *writer) noise(size int) error {
	return w.row(fmt.Sprintf(`{"type":"api-request-blob","sessionId":%q,"hash":"0","message":{"role":"system","content":[{"type":"text","text":"%s"}]}}`,
		w.session, strings.Repeat("x", size)))
}

func slug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

func newWriter(home, dir string, number int, appending bool) (*writer, *os.File, error) {
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", number)
	folder := filepath.Join(home, ".claude", "projects", slug(dir))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, nil, err
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if appending {
		mode = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	f, err := os.OpenFile(filepath.Join(folder, id+".jsonl"), mode, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return &writer{w: bufio.NewWriterSize(f, 1<<20), session: id, dir: dir}, f, nil
}

// claudeSession appends turns to a session.
func claudeSession(home, dir string, number, turns int) error {
	w, f, err := newWriter(home, dir, number, true)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := range turns {
		if err := w.turn(fmt.Sprintf("please fix the parser, part %d", i), "Fixed: the parser now accepts an empty list. Nothing was tested yet."); err != nil {
			return err
		}
	}
	return w.w.Flush()
}

// liveTurn appends the turn of that number, of now, to a session.
func liveTurn(home, dir string, number, turn int) error {
	w, f, err := newWriter(home, dir, number, true)
	if err != nil {
		return err
	}
	defer f.Close()
	w.n, w.now = turn, time.Now()
	if err := w.turn(fmt.Sprintf("please fix part %d of the parser", turn), "Fixed: the parser now accepts an empty list. Nothing was tested yet."); err != nil {
		return err
	}
	return w.w.Flush()
}

// longTranscript writes a transcript of a size, four fifths of it bookkeeping,
// with a giant line either before the newest turns or among them.
func longTranscript(home, dir string, size int64, inside bool) (string, error) {
	w, f, err := newWriter(home, dir, 1, false)
	if err != nil {
		return "", err
	}
	defer f.Close()
	answer := strings.Repeat("The table of rates is read once and kept. ", 40)
	for w.size < size-giant-(8<<20) {
		if err := w.turn("what about the next one? "+strings.Repeat("detail ", 60), answer); err != nil {
			return "", err
		}
		for range 4 {
			if err := w.noise(2200); err != nil {
				return "", err
			}
		}
	}
	line := func() error { return w.noise(giant) }
	if !inside {
		if err := line(); err != nil {
			return "", err
		}
	}
	for i := range 3 {
		if err := w.turn(fmt.Sprintf("now the last part, number %d", i), answer); err != nil {
			return "", err
		}
		if inside && i == 1 {
			if err := line(); err != nil {
				return "", err
			}
		}
		// About four megabytes in all stand between the newest turns.
		for range 300 {
			if err := w.noise(2200); err != nil {
				return "", err
			}
		}
	}
	return f.Name(), w.w.Flush()
}

// manySessions makes n sessions of five agents below a home and gives the
// folders they lie in.
func manySessions(home string, n int) ([]string, error) {
	each := n / 5
	samples := filepath.Join(home, "samples")
	if err := demo.Install(samples); err != nil {
		return nil, err
	}
	for i := range each {
		dir := fmt.Sprintf("/home/dev/src/app%03d", i%200)
		if err := claudeSession(home, dir, i+1, 3); err != nil {
			return nil, err
		}
		if err := codexSession(home, dir, i); err != nil {
			return nil, err
		}
		if err := geminiSession(home, dir, i); err != nil {
			return nil, err
		}
		if err := qwenSession(home, dir, i); err != nil {
			return nil, err
		}
	}
	oc := filepath.Join(home, ".local", "share", "opencode")
	if err := os.MkdirAll(oc, 0o700); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(samples, "opencode", "opencode.db"))
	if err != nil {
		return nil, err
	}
	db := filepath.Join(oc, "opencode.db")
	if err := os.WriteFile(db, b, 0o600); err != nil {
		return nil, err
	}
	if err := opencodeSessions(db, each); err != nil {
		return nil, err
	}
	return []string{
		filepath.Join(home, ".claude"), filepath.Join(home, ".codex"), filepath.Join(home, ".gemini"), filepath.Join(home, ".qwen"), oc,
	}, os.RemoveAll(samples)
}

func at(i, minute int) time.Time {
	return began.Add(time.Duration(i)*time.Hour/4 + time.Duration(minute)*time.Minute)
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

func write(path string, rows ...string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600)
}

func codexSession(home, dir string, i int) error {
	t := at(i, 0)
	id := fmt.Sprintf("%08x-%04x-7000-8000-%012x", t.UnixMilli()>>16, t.UnixMilli()&0xffff, i)
	msg := func(minute int, role, kind, text string) string {
		return fmt.Sprintf(`{"timestamp":%q,"type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}}`, stamp(at(i, minute)), role, kind, text)
	}
	return write(filepath.Join(home, ".codex", "sessions", t.Format("2006"), t.Format("01"), t.Format("02"), "rollout-"+t.Format("2006-01-02T15-04-05")+"-"+id+".jsonl"),
		fmt.Sprintf(`{"timestamp":%q,"type":"session_meta","payload":{"id":%q,"timestamp":%q,"cwd":%q,"originator":"codex_cli_rs","cli_version":"0.98.0","source":"cli","git":{"branch":"main"}}}`, stamp(t), id, stamp(t), dir),
		msg(1, "user", "input_text", "why is the build slow?"),
		msg(2, "assistant", "output_text", "The cache is not used: its key holds the time of day."))
}

func geminiSession(home, dir string, i int) error {
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", i, i)
	t := at(i, 0)
	folder := filepath.Join(home, ".gemini", "tmp", filepath.Base(dir))
	if err := write(filepath.Join(folder, ".project_root"), dir); err != nil {
		return err
	}
	return write(filepath.Join(folder, "chats", "session-"+t.Format("2006-01-02T15-04")+"-"+id[:8]+".jsonl"),
		fmt.Sprintf(`{"sessionId":%q,"projectHash":"0","startTime":%q,"lastUpdated":%q,"kind":"main"}`, id, stamp(t), stamp(t)),
		fmt.Sprintf(`{"id":"u1","timestamp":%q,"type":"user","content":[{"text":"rename the flag to --quiet"}]}`, stamp(at(i, 1))),
		fmt.Sprintf(`{"id":"a1","timestamp":%q,"type":"gemini","content":"Renamed the flag in the parser and the help.","tokens":{"input":1},"model":"gemini-2.5-pro"}`, stamp(at(i, 2))))
}

func qwenSession(home, dir string, i int) error {
	id := fmt.Sprintf("%08x-0000-4000-9000-%012x", i, i)
	row := func(minute int, typ, prov, rest string) string {
		return fmt.Sprintf(`{"uuid":"r%d-%d","parentUuid":null,"sessionId":%q,"timestamp":%q,"type":%q,"provenance":%q,"cwd":%q,"version":"0.24.4","gitBranch":"main",%s}`, i, minute, id, stamp(at(i, minute)), typ, prov, dir, rest)
	}
	return write(filepath.Join(home, ".qwen", "projects", slug(dir), "chats", id+".jsonl"),
		row(1, "user", "real_user", `"message":{"role":"user","parts":[{"text":"add a test for the empty file"}]}`),
		row(2, "assistant", "assistant_output", `"model":"qwen3-coder-plus","message":{"role":"model","parts":[{"text":"Added a test for the empty file; it was not run."}]},"usageMetadata":{"totalTokenCount":5}`))
}

// opencodeSessions adds copies of the samples' first session to a database.
func opencodeSessions(path string, n int) error {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx := context.Background()
	for _, q := range []string{
		`PRAGMA journal_mode=DELETE`, `PRAGMA synchronous=OFF`,
		`CREATE TEMP TABLE n(i INTEGER PRIMARY KEY)`,
		fmt.Sprintf(`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i < %d) INSERT INTO n SELECT i FROM c`, n),
		`CREATE TEMP TABLE s AS SELECT * FROM session ORDER BY id LIMIT 1`,
		`CREATE TEMP TABLE m AS SELECT * FROM message WHERE session_id IN (SELECT id FROM s)`,
		`CREATE TEMP TABLE p AS SELECT * FROM part WHERE session_id IN (SELECT id FROM s)`,
	} {
		if _, err := db.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	for _, t := range []struct{ table, from string }{{"session", "s"}, {"message", "m"}, {"part", "p"}} {
		cols, err := columns(ctx, db, t.table)
		if err != nil {
			return err
		}
		exprs := make([]string, len(cols))
		for i, c := range cols {
			exprs[i] = t.from + `."` + c + `"`
			switch c {
			case "id", "session_id", "message_id":
				exprs[i] = fmt.Sprintf(`%s."%s" || 'x' || n.i`, t.from, c)
			case "slug":
				exprs[i] = fmt.Sprintf(`%s."slug" || n.i`, t.from)
			}
		}
		q := fmt.Sprintf(`INSERT INTO %s ("%s") SELECT %s FROM n, %s`, t.table, strings.Join(cols, `","`), strings.Join(exprs, ","), t.from)
		if _, err := db.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("%s: %w", t.table, err)
		}
	}
	return nil
}

func columns(ctx context.Context, db *sql.DB, table string) ([]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?)`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var c string
		if err := rows.Scan(&c); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}
