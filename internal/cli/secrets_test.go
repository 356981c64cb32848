package cli_test

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the samples of OpenCode are a database
)

// made gives n characters of a secret that nobody has.
func made(seed, n int, chars string) string {
	b := make([]byte, n)
	x := uint64(seed)*2654435761 + 88172645463325252
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = chars[x>>33%uint64(len(chars))]
	}
	return string(b)
}

const (
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// plant is what is put into the transcripts: each secret with the place it
// goes to. They are put together here, so that none stands in this file.
type plant struct {
	kind, secret string
	old          string // what it replaces in the files
	to           func(secret string) string
}

func plants() []plant {
	before := func(old string) func(string) string {
		return func(s string) string { return old + s + ` \u001b]0;owned\u0007\u001b[2J` }
	}
	return []plant{
		{"aws id in the directory", "AK" + "IA" + made(1, 16, upper), "/home/dev/src/", func(s string) string { return "/home/dev/" + s + "/" }},
		{"github token in the branch of claude", "gh" + "p_" + made(2, 36, letters), `"gitBranch":"main"`, func(s string) string { return `"gitBranch":"fix/` + s + `"` }},
		{"gitlab token in the branch of codex", "gl" + "pat-" + made(3, 20, letters), `"branch":"main"`, func(s string) string { return `"branch":"fix/` + s + `"` }},
		{"stripe key in texts", "sk_" + "live_" + made(4, 24, letters), `"text":"`, before(`"text":"`)},
		{"anthropic key in answers", "sk" + "-ant-" + "api03-" + made(5, 93, letters) + "AA", `"message":"`, before(`"message":"`)},
		{"slack token in contents", "xo" + "xb-" + made(6, 12, "0123456789") + "-" + made(7, 13, "0123456789") + "-" + made(8, 24, letters), `"content":"`, before(`"content":"`)},
		{"npm token in titles", "np" + "m_" + made(9, 36, letters), `"thread_name":"`, before(`"thread_name":"`)},
		{"hugging face token in to-dos", "h" + "f_" + made(10, 34, "abcdefghijklmnopqrstuvwxyz"), `"step":"`, before(`"step":"`)},
		{"bearer token in commands", made(11, 40, letters), "go test ./...", func(s string) string { return `curl -H 'Author` + `ization: Bearer ` + s + `' x && go test ./...` }},
		{"password in a command", made(12, 20, letters), "go run . ", func(s string) string { return "PG" + "PASSWORD=" + s + " go run . " }},
		{"database address in tool output", made(13, 18, letters), "example.com/", func(s string) string { return "postgres://dev:" + s + "@example.com/" }},
		{"google key in file names", "AI" + "za" + made(14, 35, letters), "_test.go", func(s string) string { return "/" + s + "/x_test.go" }},
		{"private key in tool output", made(15, 64, letters), `FAIL\n`, func(s string) string {
			return `-----BEGIN RSA ` + `PRIVATE KEY-----\n` + s + `\n-----END RSA ` + `PRIVATE KEY-----\nFAIL\n`
		}},
		{"cookie in tool output", made(16, 40, letters), "ok  ", func(s string) string { return "Set-" + "Cookie: session=" + s + "; ok  " }},
	}
}

// infect puts the secrets into every transcript, and says how often each was
// planted with each agent.
func infect(t *testing.T, home string, ps []plant) map[string]map[string]int {
	t.Helper()
	counts := map[string]map[string]int{}
	change := func(agent, s string) string {
		if counts[agent] == nil {
			counts[agent] = map[string]int{}
		}
		for _, p := range ps {
			counts[agent][p.kind] += strings.Count(s, p.old)
			s = strings.ReplaceAll(s, p.old, p.to(p.secret))
		}
		return s
	}
	err := filepath.WalkDir(filepath.Join(home, "agents"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(filepath.Join(home, "agents"), path)
		if err != nil {
			return err
		}
		agent, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if filepath.Ext(path) == ".db" {
			infectDatabase(t, path, func(s string) string { return change(agent, s) }, ps)
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(change(agent, string(b))), 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// cells gives the texts of a column by row.
func cells(t *testing.T, db *sql.DB, table, column string) map[int64]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), fmt.Sprintf("SELECT rowid, %s FROM %s", column, table))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // of a test
	texts := map[int64]string{}
	for rows.Next() {
		var id int64
		var s string
		if err := rows.Scan(&id, &s); err != nil {
			t.Fatal(err)
		}
		texts[id] = s
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

func infectDatabase(t *testing.T, path string, change func(string) string, ps []plant) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // of a test
	db.SetMaxOpenConns(1)
	for _, c := range [][2]string{{"message", "data"}, {"part", "data"}, {"event", "data"}, {"session", "directory"}, {"project", "worktree"}, {"todo", "content"}} {
		texts := cells(t, db, c[0], c[1])
		for id, s := range texts {
			if _, err := db.ExecContext(t.Context(), fmt.Sprintf("UPDATE %s SET %s = ? WHERE rowid = ?", c[0], c[1]), change(s), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE session SET title = ? || title", ps[6].secret+"\x1b[2J "); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE todo SET content = ? || content", ps[7].secret+" "); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
}

// everyCommand are commands that show or store something of a session.
func everyCommand(id, word string) [][]string {
	return [][]string{
		{id},
		{"show", id},
		{"show", id, "--turns"},
		{"why", id},
		{"resume", id, "--print"},
		{"list", "--all"},
		{"away", "--peek"},
		{"search", word},
		{"doctor"},
		{"mute", id},
		{"mute", "--list"},
		{id},
		{"why", id},
		{"mute", "--off", id},
		{"01a22a4b"},
		{"prompt"},
		{"config"},
	}
}

// Secrets of fourteen kinds stand in the prompts, answers, titles, to-dos,
// commands, outputs, file names, branches and directories of five agents'
// transcripts, and escape sequences beside them. None comes out.
func TestH2_NoSecretComesOut(t *testing.T) {
	t.Parallel()
	d := samples(t)
	ps := plants()
	counts := infect(t, d.home, ps)
	for agent, kinds := range counts {
		n := 0
		for _, c := range kinds {
			if c > 0 {
				n++
			}
		}
		if n < 5 && agent != "stories.json" && agent != "README.md" {
			t.Errorf("%s: only %d kinds planted: %v", agent, n, kinds)
		}
	}
	d.env["RECAP_LOG_LEVEL"] = "debug"
	leak := func(where, text string) {
		t.Helper()
		for _, p := range ps {
			if i := strings.Index(text, p.secret); i >= 0 {
				t.Errorf("%s: %s: …%q", where, p.kind, text[max(0, i-80):min(len(text), i+len(p.secret)+10)])
			}
		}
	}
	marks := 0
	for _, id := range []string{
		"cc52fe65", "f6fa29fe", "10925115", "9ccec1aa", "01a22a4b-2", "01a22a4b-a", "01a22a4a", "3aa3107a", "230a6d32", "19541cd1", "6b79a52b",
		"0cf9345d", "47c8dc8e", "7651963b", "61c5dc11", "ses_dd5b", "ses_dd5ad9", "ses_dd5ad6", "ses_dd5add",
	} {
		commands := [][]string{{"show", id, "--turns"}} // "list --json" shows the records of all
		if id == "cc52fe65" {
			commands = nil
			for _, args := range everyCommand(id, "redacted") {
				commands = append(commands, args, append([]string{"--json"}, args...))
			}
		}
		for _, args := range commands {
			a := d.run(t, args...)
			where := "recap " + strings.Join(args, " ")
			leak(where, a.out+a.err)
			if i := strings.IndexAny(a.out+a.err, "\x1b\a\x00\u009b"); i >= 0 {
				t.Errorf("%s: a control character: %q", where, (a.out + a.err)[max(0, i-40):min(len(a.out+a.err), i+20)])
			}
			marks += strings.Count(a.out, "[redacted:")
		}
	}
	if marks < 100 {
		t.Errorf("only %d marks of redaction: the secrets were not shown at all", marks)
	}
	files := 0
	err := filepath.WalkDir(d.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(d.home, path)
		if err != nil || strings.HasPrefix(rel, "agents") {
			return err
		}
		b, err := os.ReadFile(path)
		leak(rel, string(b))
		leak(rel+" (its name)", rel)
		files++
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 3 {
		t.Errorf("only %d files of ours", files)
	}
}

// With redaction switched off the texts come as they are: so the test above
// tests redaction.
func TestRedactionCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	d := samples(t)
	ps := plants()
	infect(t, d.home, ps)
	d.env["RECAP_PRIVACY_REDACT"] = "false"
	out := d.ok(t, "show", "cc52", "--turns")
	if !strings.Contains(out, ps[3].secret) {
		t.Errorf("%s", out)
	}
	if strings.Contains(out, "\x1b") {
		t.Errorf("escape sequences: %q", out)
	}
}
