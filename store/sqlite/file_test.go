package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

func dbPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "recap.db")
}

func record(id, text string) recap.Record {
	return recap.Record{
		Session: session(id), Recap: text, Away: text + " away", Request: text + " request", Title: text + " title",
		Fingerprint: "fp-" + id, Project: "/home/dev/" + id, Directory: "/home/dev/" + id, UpdatedAt: time.Unix(1000, 0),
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, s *sqlite.Store, rs ...recap.Record) {
	t.Helper()
	for _, r := range rs {
		must(t, s.Put(t.Context(), r, store.Condition{}))
	}
}

// raw runs SQL past the store.
func raw(t *testing.T, path string, queries ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { _ = db.Close() }()
	for _, q := range queries {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes of Unix")
	}
	path := filepath.Join(t.TempDir(), "share", "recap", "a?b#c%20d é.db")
	s := open(t, path)
	put(t, s, record("a", "text"))
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, want 0600", name, info.Mode())
		}
	}
	for _, name := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != 0o700 {
			t.Errorf("%s: mode %v, want 0700", name, info.Mode())
		}
	}
	must(t, s.Close())
	must(t, os.Chmod(path, 0o644))
	must(t, open(t, path).Close())
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a store that others could read: %v, %v", info.Mode(), err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != 1 {
		t.Errorf("files of a closed store: %v, %v", names, err)
	}
}

func TestForgottenTextLeavesNoTrace(t *testing.T) {
	// The index keeps terms of three characters, packed: of a rare one the end
	// stands in the file as it is.
	const secret, term, termEnd = "Xylophonquartz鑫龘靐", "鑫龘靐", "龘靐"
	forget := map[string]store.Which{
		"session": {Session: &[]recap.SessionRef{session("a")}[0]},
		"project": {Project: "/home/dev/a"},
		"before":  {Before: time.Unix(2000, 0)},
		"all":     {All: true},
	}
	for name, which := range forget {
		t.Run(name, func(t *testing.T) {
			path := dbPath(t)
			s := open(t, path)
			which := which
			kept := record("kept", "an innocent text")
			kept.UpdatedAt = time.Unix(3000, 0)
			put(t, s, kept)
			r := record("a", secret)
			r.Session.Root = "/home/dev/" + secret
			r.Receipts = []recap.Receipt{{Claim: strings.Repeat(secret+" ", 2000)}} // over many pages
			if which.Session != nil {
				which.Session = &r.Session
			}
			older := r // of a text that was replaced nothing is left either
			older.Title = "Xylophonquartz 龗龖龞"
			for i := range 30 {
				put(t, s, older, record("more"+strconv.Itoa(i), "some text"), r)
			}
			c := store.Claim{Session: r.Session, Owner: secret, Fingerprint: secret}
			must(t, s.Claim(t.Context(), c, time.Unix(1, 0), time.Hour))
			must(t, s.Decide(t.Context(), store.Decision{Session: r.Session, Gates: []store.Gate{{Value: secret}}}))
			must(t, s.SetMark(t.Context(), store.MarkMuted, store.Scope(r.Session), secret))
			if !traces(t, path, secret) {
				t.Fatal("the test looks at the wrong files")
			}
			if terms(t, path, term) == 0 || !indexHas(t, path, termEnd) || !indexHas(t, path, "龖龞") {
				t.Fatal("the test looks at the wrong index")
			}
			if _, err := s.Forget(t.Context(), which); err != nil {
				t.Fatal(err)
			}
			if traces(t, path, secret) {
				t.Error("the text is in a file of the open store")
			}
			if n := terms(t, path, term); n != 0 || indexHas(t, path, termEnd) || indexHas(t, path, "龖龞") {
				t.Errorf("the search index has its terms, %d to be found", n)
			}
			must(t, s.Close())
			if traces(t, path, secret) {
				t.Error("the text is in a file of the closed store")
			}
			wholeFile(t, path)
		})
	}
}

func TestReplacedTextLeavesTheFile(t *testing.T) {
	path := dbPath(t)
	s := open(t, path)
	put(t, s, record("a", strings.Repeat("Xylophonquartz ", 900)), record("a", "short"))
	must(t, s.Close())
	if traces(t, path, "Xylophonquartz") {
		t.Error("the old text is in the file")
	}
}

// traces says whether a text stands in any file of the store.
func traces(t *testing.T, path, text string) bool {
	t.Helper()
	names, err := filepath.Glob(path + "*")
	must(t, err)
	for _, name := range names {
		b, err := os.ReadFile(name)
		must(t, err)
		if bytes.Contains(bytes.ToLower(b), bytes.ToLower([]byte(text))) {
			return true
		}
	}
	return false
}

// terms counts a trigram in the search index, as the index itself has it.
func terms(t *testing.T, path, term string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	_, err = db.Exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab ('main', 'record_text', 'instance')")
	must(t, err)
	must(t, db.QueryRow("SELECT count(*) FROM temp.terms WHERE term = ?", term).Scan(&n))
	return n
}

// indexHas says whether bytes stand in a block of the search index.
func indexHas(t *testing.T, path, text string) bool {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { _ = db.Close() }()
	var n int
	must(t, db.QueryRow("SELECT count(*) FROM record_text_data WHERE instr(block, CAST(? AS BLOB)) > 0", text).Scan(&n))
	return n > 0
}

func TestTooNew(t *testing.T) {
	path := dbPath(t)
	s := open(t, path)
	put(t, s, record("a", "text"))
	must(t, s.Close())
	raw(t, path, "PRAGMA user_version = 99")
	before, err := os.ReadFile(path)
	must(t, err)
	for name, open := range opens() {
		s, err := open(t, path)
		if s != nil || !errors.Is(err, store.ErrTooNew) || recap.CodeOf(err) != recap.CodeStoreTooNew || recap.HintOf(err) == "" {
			t.Errorf("%s: %v, code %s, hint %q", name, err, recap.CodeOf(err), recap.HintOf(err))
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the newer store was changed: %v", err)
	}
}

func opens() map[string]func(t *testing.T, path string) (*sqlite.Store, error) {
	return map[string]func(t *testing.T, path string) (*sqlite.Store, error){
		"Open":         func(t *testing.T, path string) (*sqlite.Store, error) { return sqlite.Open(t.Context(), path) },
		"OpenReadOnly": func(t *testing.T, path string) (*sqlite.Store, error) { return sqlite.OpenReadOnly(t.Context(), path) },
	}
}

func pagesOf(t *testing.T, path, query string) (pages []int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { _ = db.Close() }()
	rows, err := db.Query(query)
	must(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int
		must(t, rows.Scan(&n))
		pages = append(pages, n)
	}
	must(t, rows.Err())
	if len(pages) == 0 {
		t.Fatal("no pages")
	}
	return pages
}

// H9 and E81: what is wrong with the file is a clear error, and the file stays
// as it was.
func TestH9_UnusableFiles(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	s := open(t, whole)
	for i := range 50 {
		put(t, s, record(strconv.Itoa(i), strings.Repeat("text ", 100)))
	}
	must(t, s.Close())
	b, err := os.ReadFile(whole)
	must(t, err)
	edit := func(f func(b []byte)) []byte {
		c := bytes.Clone(b)
		f(c)
		return c
	}
	other := filepath.Join(dir, "other.db")
	raw(t, other, "CREATE TABLE theirs (x)")
	theirs, err := os.ReadFile(other)
	must(t, err)
	raw(t, other, "PRAGMA application_id = 7", "PRAGMA user_version = 1")
	marked, err := os.ReadFile(other)
	must(t, err)
	files := map[string][]byte{
		"text":                  []byte(strings.Repeat("not a database\n", 100)),
		"short text":            []byte("hello"),
		"head destroyed":        edit(func(b []byte) { copy(b[20:], bytes.Repeat([]byte{0xff}, 80)) }),
		"of another program":    theirs,
		"of another, versioned": marked,
	}
	for name, content := range files {
		for how, open := range opens() {
			t.Run(name+"/"+how, func(t *testing.T) {
				path := dbPath(t)
				must(t, os.WriteFile(path, content, 0o600))
				s, err := open(t, path)
				if s != nil || recap.CodeOf(err) != recap.CodeStore || recap.HintOf(err) == "" {
					t.Errorf("%v, code %s, hint %q", err, recap.CodeOf(err), recap.HintOf(err))
				}
				if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, content) {
					t.Errorf("the file was changed: %v", err)
				}
			})
		}
	}
	// Damage further in shows when it is read; nothing crashes.
	t.Run("pages destroyed", func(t *testing.T) {
		path := dbPath(t)
		pages := pagesOf(t, whole, "SELECT pageno FROM dbstat WHERE name <> 'sqlite_schema'")
		must(t, os.WriteFile(path, edit(func(b []byte) {
			for _, p := range pages {
				for i := (p - 1) * 4096; i < p*4096; i++ {
					b[i] ^= 0x5a
				}
			}
		}), 0o600))
		s, err := sqlite.Open(t.Context(), path)
		must(t, err)
		defer func() { _ = s.Close() }()
		_, rerr := s.Records(t.Context(), nil)
		_, serr := s.Search(t.Context(), []string{"text"}, 0)
		_, ferr := s.Forget(t.Context(), store.Which{All: true})
		for name, err := range map[string]error{
			"Records": rerr, "Search": serr, "Forget": ferr,
			"Put": s.Put(t.Context(), record("x", "text"), store.Condition{}),
		} {
			if recap.CodeOf(err) != recap.CodeStore || recap.HintOf(err) == "" || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s: %v, hint %q", name, err, recap.HintOf(err))
			}
		}
	})
	t.Run("cut", func(t *testing.T) {
		path := dbPath(t)
		must(t, os.WriteFile(path, b[:len(b)/2], 0o600))
		s, err := sqlite.Open(t.Context(), path)
		if err == nil {
			_, err = s.Records(t.Context(), nil)
			must(t, s.Close())
		}
		if recap.CodeOf(err) != recap.CodeStore {
			t.Errorf("%v", err)
		}
	})
	t.Run("folder", func(t *testing.T) {
		for how, open := range opens() {
			if s, err := open(t, t.TempDir()); s != nil || recap.CodeOf(err) != recap.CodeStore {
				t.Errorf("%s: %v", how, err)
			}
		}
	})
	t.Run("file in place of the folder", func(t *testing.T) {
		if s, err := sqlite.Open(t.Context(), filepath.Join(whole, "recap.db")); s != nil || recap.CodeOf(err) != recap.CodeStore {
			t.Errorf("%v", err)
		}
	})
	t.Run("nul in the path", func(t *testing.T) {
		if s, err := sqlite.Open(t.Context(), filepath.Join(dir, "a\x00b")); s != nil || recap.CodeOf(err) != recap.CodeStore {
			t.Errorf("%v", err)
		}
	})
	t.Run("empty file", func(t *testing.T) {
		path := dbPath(t)
		must(t, os.WriteFile(path, nil, 0o600))
		put(t, open(t, path), record("a", "text"))
	})
}

func TestH9_ReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("needs a person who may not write everywhere")
	}
	dir := filepath.Join(t.TempDir(), "sub")
	path := filepath.Join(dir, "recap.db")
	s := open(t, path)
	put(t, s, record("a", "text"))
	must(t, s.Close())
	must(t, os.Chmod(path, 0o400))
	must(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if s, err := sqlite.Open(t.Context(), path); err == nil {
		err = s.Put(t.Context(), record("b", "text"), store.Condition{})
		if !errors.Is(err, store.ErrReadOnly) || recap.CodeOf(err) != recap.CodeStore || recap.HintOf(err) == "" {
			t.Errorf("Put: %v", err)
		}
		must(t, s.Close())
	} else if !errors.Is(err, store.ErrReadOnly) || recap.CodeOf(err) != recap.CodeStore || recap.HintOf(err) == "" {
		t.Errorf("Open: %v", err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(dir, "new", "recap.db")); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a new store: %v", err)
	}
	ro, err := sqlite.OpenReadOnly(t.Context(), path)
	must(t, err)
	if r, err := ro.Record(t.Context(), session("a")); err != nil || r.Recap != "text" {
		t.Errorf("Record = %q, %v", r.Recap, err)
	}
	must(t, ro.Close())
}

func TestOpenReadOnly(t *testing.T) {
	path := dbPath(t)
	if s, err := sqlite.OpenReadOnly(t.Context(), path); s != nil || !errors.Is(err, fs.ErrNotExist) || recap.CodeOf(err) != recap.CodeStore {
		t.Errorf("no store: %v", err)
	}
	if names, err := filepath.Glob(path + "*"); err != nil || len(names) != 0 {
		t.Errorf("files were made: %v, %v", names, err)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if s, err := sqlite.OpenReadOnly(t.Context(), path); s != nil || recap.CodeOf(err) != recap.CodeStore {
		t.Errorf("a store that was never used: %v", err)
	}
	w := open(t, path)
	put(t, w, record("a", "text"))
	must(t, w.SetMark(t.Context(), store.MarkLooked, "", "now"))
	s, err := sqlite.OpenReadOnly(t.Context(), path)
	must(t, err)
	defer func() { _ = s.Close() }()
	put(t, w, record("a", "newer text")) // seen while the writer lives
	if r, err := s.Record(t.Context(), session("a")); err != nil || r.Recap != "newer text" {
		t.Errorf("Record = %q, %v", r.Recap, err)
	}
	if v, err := s.Mark(t.Context(), store.MarkLooked, ""); err != nil || v != "now" {
		t.Errorf("Mark = %q, %v", v, err)
	}
	c := store.Claim{Session: session("a")}
	_, ferr := s.Forget(t.Context(), store.Which{All: true})
	for name, err := range map[string]error{
		"Put": s.Put(t.Context(), record("a", "x"), store.Condition{}), "Forget": ferr,
		"Claim": s.Claim(t.Context(), c, time.Unix(1, 0), time.Hour), "Renew": s.Renew(t.Context(), c, time.Unix(1, 0), time.Hour),
		"Release": s.Release(t.Context(), c), "Decide": s.Decide(t.Context(), store.Decision{}),
		"SetMark": s.SetMark(t.Context(), "m", "", "v"), "SetMark empty": s.SetMark(t.Context(), "m", "", ""),
	} {
		if !errors.Is(err, store.ErrReadOnly) || recap.CodeOf(err) != recap.CodeStore {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// E81: another program holds the write lock: readers go on, a writer's wait
// is bounded by its context.
func TestE81_LockedByAnotherProgram(t *testing.T) {
	path := dbPath(t)
	s := open(t, path)
	put(t, s, record("a", "text"))
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	must(t, err)
	if r, err := s.Record(t.Context(), session("a")); err != nil || r.Recap != "text" {
		t.Errorf("Record = %q, %v", r.Recap, err)
	}
	again, err := sqlite.Open(t.Context(), path) // up to date: needs no lock
	must(t, err)
	must(t, again.Close())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Put(ctx, record("a", "new"), store.Condition{}); !errors.Is(err, ctx.Err()) || err == nil {
		t.Errorf("Put: %v, want the context's error", err)
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	must(t, err)
	put(t, s, record("a", "new"))
}

// Many programs start at once on a machine where recap was never used.
func TestFirstOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "recap.db")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Put(t.Context(), record(strconv.Itoa(i), "text"), store.Condition{}); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	all, err := open(t, path).Records(t.Context(), nil)
	if err != nil || len(all) != 8 {
		t.Errorf("%d records, %v", len(all), err)
	}
	wholeFile(t, path)
}

// The entry and its line of the egress log are written in one step.
func TestReservationAndEgressTogether(t *testing.T) {
	path := dbPath(t)
	s, err := sqlite.Open(t.Context(), path)
	must(t, err)
	defer func() { _ = s.Close() }()
	r := store.Reservation{At: time.Unix(1000, 0), Session: session("s"), Provider: "p", Model: "m", InputTokens: 10}
	line := store.Egress{At: r.At, Session: r.Session, Host: "h", Characters: 7}
	raw(t, path, `CREATE TRIGGER broken BEFORE INSERT ON egress BEGIN SELECT RAISE (ABORT, 'no room'); END`)
	if id, err := s.Reserve(t.Context(), r, store.NoCaps, line); recap.CodeOf(err) != recap.CodeStore || id != 0 {
		t.Errorf("%d, %v: want an error of the store", id, err)
	}
	if es, err := s.Entries(t.Context(), time.Time{}, 0); err != nil || len(es) != 0 {
		t.Errorf("half a booking: %+v, %v", es, err)
	}
	raw(t, path, `DROP TRIGGER broken`)
	id, err := s.Reserve(t.Context(), r, store.NoCaps, line)
	must(t, err)
	if es, err := s.Egress(t.Context(), time.Time{}, 0); err != nil || len(es) != 1 || es[0].Ledger != id || es[0].Characters != 7 {
		t.Errorf("egress log: %+v, %v", es, err)
	}
}
