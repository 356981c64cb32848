package opencode

import (
	"bytes"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Every state in which OpenCode may have left or hold its files: the newest
// committed rows are read, no file appears, none changes.
func TestF19_ReadsEveryStateAndTouchesNothing(t *testing.T) {
	t.Parallel()
	fill := func(m *made) {
		m.session("ses_1", "/home/dev/app")
		m.message("ses_1", userInfo, "first")
		m.message("ses_1", doneInfo, "answer one")
	}
	more := func(m *made) {
		for i := range 80 {
			m.message("ses_1", userInfo, fmt.Sprintf("more %d %s", i, strings.Repeat("x", 5000)))
		}
		m.message("ses_1", doneInfo, "newest")
	}
	cases := []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  string
	}{
		{"stopped, no log", func(t *testing.T, dir string) {
			m := makeDBIn(t, dir, "opencode.db")
			fill(m)
			m.close()
		}, "answer one"},
		{"stopped, empty log", func(t *testing.T, dir string) {
			m := makeDBIn(t, dir, "opencode.db")
			fill(m)
			m.close()
			if err := os.WriteFile(filepath.Join(dir, "opencode.db-wal"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "answer one"},
		{"killed, big log and index", func(t *testing.T, dir string) {
			m := makeDB(t, "opencode.db")
			fill(m)
			m.checkpoint()
			m.exec(`PRAGMA wal_autocheckpoint = 0`)
			more(m)
			for _, ext := range []string{"", "-wal", "-shm"} {
				copyFile(t, m.path+ext, filepath.Join(dir, "opencode.db"+ext))
			}
		}, "newest"},
		{"log without index", func(t *testing.T, dir string) {
			m := makeDB(t, "opencode.db")
			fill(m)
			m.checkpoint()
			m.exec(`PRAGMA wal_autocheckpoint = 0`)
			more(m)
			for _, ext := range []string{"", "-wal"} {
				copyFile(t, m.path+ext, filepath.Join(dir, "opencode.db"+ext))
			}
		}, "newest"},
		{"everything in the log", func(t *testing.T, dir string) {
			m := makeDB(t, "opencode.db")
			m.exec(`PRAGMA wal_autocheckpoint = 0`)
			fill(m)
			copyFile(t, m.path, filepath.Join(dir, "opencode.db"))
			copyFile(t, m.path+"-wal", filepath.Join(dir, "opencode.db-wal"))
		}, "answer one"},
		{"log torn in its last transaction", func(t *testing.T, dir string) {
			m := makeDB(t, "opencode.db")
			fill(m)
			m.checkpoint()
			m.exec(`PRAGMA wal_autocheckpoint = 0`)
			m.message("ses_1", doneInfo, "newest")
			b, err := os.ReadFile(m.path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			m.exec(`UPDATE session SET title = 'torn'`)
			after, err := os.ReadFile(m.path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			if len(after) <= len(b) {
				t.Fatal("the log did not grow")
			}
			copyFile(t, m.path, filepath.Join(dir, "opencode.db"))
			if err := os.WriteFile(filepath.Join(dir, "opencode.db-wal"), after[:len(after)-100], 0o600); err != nil {
				t.Fatal(err)
			}
		}, "newest"},
		{"live writer holding a transaction", func(t *testing.T, dir string) {
			m := makeDBIn(t, dir, "opencode.db")
			fill(m)
			m.close()
			w := startWriter(t, m.path)
			w.do(`INSERT INTO message VALUES ('msg_8', 'ses_1', 1795997000000, 0, '{"role":"user"}')`)
			w.do(`INSERT INTO part VALUES ('prt_8', 'msg_8', 'ses_1', 0, 0, '{"type":"text","text":"live"}')`)
			w.do(`BEGIN EXCLUSIVE`)
			w.do(`UPDATE part SET data = '{"type":"text","text":"not committed"}' WHERE id = 'prt_8'`)
		}, "live"},
		{"read-only folder", func(t *testing.T, dir string) {
			m := makeDB(t, "opencode.db")
			fill(m)
			m.checkpoint()
			more(m)
			for _, ext := range []string{"", "-wal"} {
				copyFile(t, m.path+ext, filepath.Join(dir, "opencode.db"+ext))
				if err := os.Chmod(filepath.Join(dir, "opencode.db"+ext), 0o400); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
		}, "newest"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.setup(t, dir)
			before := state(t, dir)
			s := New(Config{Root: dir})
			if h := s.Home(); !h.Found || h.Problem != "" {
				t.Fatalf("home: %+v", h)
			}
			ses, probs := listed(t, s, agent.Query{})
			if ids(ses) != "ses_1" || len(probs) != 0 {
				t.Fatalf("sessions %q, problems %v", ids(ses), probs)
			}
			p, err := s.Page(t.Context(), ses[0].Ref, "", 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(p.Records); got != c.want {
				t.Errorf("newest text %q, want %q", got, c.want)
			}
			if after := state(t, dir); !maps.Equal(before, after) {
				t.Errorf("files changed: %v -> %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
			}
		})
	}
}

// The view of a log is what SQLite itself makes of it, at many moments.
func TestViewIsWhatSQLiteRecovers(t *testing.T) {
	t.Parallel()
	m := makeDB(t, "opencode.db")
	rng := rand.New(rand.NewPCG(1, 2))
	m.session("ses_1", "/home/dev/app")
	rounds := 12
	if long() {
		rounds = 60
	}
	for round := range rounds {
		m.exec(`PRAGMA wal_autocheckpoint = ` + strconv.Itoa(rng.IntN(40)))
		for range rng.IntN(6) {
			switch rng.IntN(5) {
			case 0:
				m.exec(`DELETE FROM part WHERE rowid % 3 = 0`)
			case 1:
				m.exec(`PRAGMA wal_checkpoint(` + []string{"PASSIVE", "RESTART", "TRUNCATE"}[rng.IntN(3)] + `)`)
			case 2:
				m.exec(`UPDATE part SET data = data || ' '`)
			default:
				m.message("ses_1", doneInfo, strings.Repeat("text ", rng.IntN(4000)))
			}
		}
		dir := t.TempDir()
		mine, theirs := filepath.Join(dir, "mine.db"), filepath.Join(dir, "theirs.db")
		for _, to := range []string{mine, theirs} {
			copyFile(t, m.path, to)
			copyFile(t, m.path+"-wal", to+"-wal")
		}
		const dump = `SELECT count(*) || ' ' || ifnull(sum(length(data)), 0) || ' ' || ifnull(group_concat(id), '') FROM part`
		var got, check, want string
		err := New(Config{}).read(t.Context(), mine, func(db *sql.DB) error {
			if err := db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&check); err != nil {
				return err
			}
			return db.QueryRowContext(t.Context(), dump).Scan(&got)
		})
		if err != nil || check != "ok" {
			t.Fatalf("round %d: %v %s", round, err, check)
		}
		db, err := sql.Open("sqlite", "file:"+theirs)
		if err != nil {
			t.Fatal(err)
		}
		err = db.QueryRowContext(t.Context(), dump).Scan(&want)
		_ = db.Close()
		if err != nil || got != want {
			t.Fatalf("round %d: %v\n got %.80s\nwant %.80s", round, err, got, want)
		}
	}
}

// A writer that moves pages into the database while it is read: the answer is
// read again, and after a bounded number of tries it is an error.
func TestF19_WriterMovesPagesWhileWeRead(t *testing.T) {
	cases := []struct {
		name  string
		often int // how many readings are disturbed
		tries int64
		code  recap.Code
	}{
		{"not disturbed", 0, 1, ""},
		{"once", 1, 2, ""},
		{"always", 1000, tries, recap.CodeBusy},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")
			m.message("ses_1", doneInfo, "a")
			s := m.source(nil)
			left := c.often
			s.afterRead = func() {
				if left > 0 {
					left--
					m.message("ses_1", doneInfo, "b")
					m.checkpoint()
				}
			}
			start := time.Now()
			ses, probs := listed(t, s, agent.Query{})
			if s.opened.Load() != c.tries {
				t.Errorf("%d tries, want %d", s.opened.Load(), c.tries)
			}
			if time.Since(start) > 20*time.Second {
				t.Error("the wait has no bound")
			}
			if c.code == "" {
				if ids(ses) != "ses_1" || len(probs) != 0 {
					t.Errorf("%q %v", ids(ses), probs)
				}
				return
			}
			if len(probs) != 1 || recap.CodeOf(probs[0]) != c.code {
				t.Errorf("problems %v", probs)
			}
		})
	}
}

// Only a checkpoint beyond what was read disturbs: new rows in the log don't.
func TestF19_RowsAddedWhileWeReadDoNotDisturb(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.exec(`PRAGMA wal_autocheckpoint = 0`)
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", doneInfo, "a")
	s := m.source(nil)
	s.afterRead = func() { m.message("ses_1", doneInfo, "b") }
	if p := m.page(s, "ses_1", "", 10); texts(p.Records) != "a" || s.opened.Load() != 1 {
		t.Errorf("%q in %d tries", texts(p.Records), s.opened.Load())
	}
}

// A write in a rollback journal (a database that is not in WAL mode) is never
// read through.
func TestF19_RollbackJournal(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", doneInfo, "a")
	m.exec(`PRAGMA journal_mode = DELETE`)
	s := m.source(nil)
	if ses, probs := listed(t, s, agent.Query{}); ids(ses) != "ses_1" || len(probs) != 0 {
		t.Fatalf("%q %v", ids(ses), probs)
	}
	if err := os.WriteFile(m.path+"-journal", bytes.Repeat([]byte{1}, 600), 0o600); err != nil {
		t.Fatal(err)
	}
	if ses, probs := listed(t, s, agent.Query{}); len(ses) != 0 || len(probs) != 1 || recap.CodeOf(probs[0]) != recap.CodeBusy {
		t.Fatalf("%q %v", ids(ses), probs)
	}
}

func FuzzReadWAL(f *testing.F) {
	whole, err := os.ReadFile("testdata/small.wal")
	if err != nil {
		f.Fatal(err)
	}
	if w, err := readWAL(bytes.NewReader(whole)); err != nil || w.frames == 0 || w.pageSize != 512 {
		f.Fatalf("the seed is no log: %+v %v", w, err)
	}
	f.Add(whole)
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0x37, 0x7f, 0x06, 0x82}, 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := readWAL(bytes.NewReader(b))
		if err != nil {
			return
		}
		for p, off := range w.at {
			if off+w.pageSize > int64(len(b)) || p == 0 {
				t.Fatalf("page %d at %d of %d", p, off, len(b))
			}
		}
	})
}
