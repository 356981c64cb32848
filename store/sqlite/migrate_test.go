package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// atNext ends a migration that comes after the real ones.
var atNext = fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion+1)

// twoVersions are the real migrations and one more.
func twoVersions(t *testing.T, next string) fs.FS {
	t.Helper()
	name := fmt.Sprintf("%05d_next.sql", schemaVersion+1)
	files := fstest.MapFS{name: {Data: []byte("-- +goose Up\n" + next)}}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		b, err := fs.ReadFile(migrations, name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = &fstest.MapFile{Data: b}
	}
	return files
}

func count(t *testing.T, s *Store, query string) (n int) {
	t.Helper()
	if err := s.read.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestMigrationsEndAtTheVersionOfTheProgram(t *testing.T) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) != schemaVersion {
		t.Fatalf("%d migrations, version %d, %v", len(names), schemaVersion, err)
	}
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	if n := count(t, s, "PRAGMA user_version"); n != schemaVersion {
		t.Errorf("user_version = %d", n)
	}
	var mode string
	if err := s.write.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
		t.Errorf("journal_mode = %q, %v", mode, err)
	}
}

func TestMigrateFromAnOlderStore(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	r := recap.Record{Session: recap.SessionRef{ID: "a"}, Recap: "kept"}
	if err := s.Put(t.Context(), r, store.Condition{}); err != nil {
		t.Fatal(err)
	}
	// A step that would fail or count if it ran twice.
	files := twoVersions(t, `CREATE TABLE next (n INTEGER); INSERT INTO next VALUES (1);`+atNext)
	others := []*Store{s}
	for range 3 {
		others = append(others, opened(t, s.path))
	}
	var wg sync.WaitGroup
	for _, o := range others {
		wg.Go(func() {
			if err := o.migrate(t.Context(), files, schemaVersion+1); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := count(t, s, "SELECT sum(n) FROM next"); n != 1 {
		t.Errorf("the step ran %d times", n)
	}
	if got, err := s.Record(t.Context(), r.Session); err != nil || got.Recap != "kept" {
		t.Errorf("Record = %q, %v", got.Recap, err)
	}
}

// A store of the first version has records and no ledger yet.
func TestMigrateFromTheFirstVersion(t *testing.T) {
	path, err := prepare(filepath.Join(t.TempDir(), "recap.db"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	first, err := fs.ReadFile(files, "00001_records.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	old := &Store{path: path, read: db, write: db, turn: make(chan struct{}, 1)}
	db.SetMaxOpenConns(1)
	if err := old.migrate(t.Context(), fstest.MapFS{"00001_records.sql": {Data: first}}, 1); err != nil {
		t.Fatal(err)
	}
	r := recap.Record{Session: recap.SessionRef{ID: "a"}, Recap: "kept"}
	if err := errors.Join(old.Put(t.Context(), r, store.Condition{}), db.Close()); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	if got, err := s.Record(t.Context(), r.Session); err != nil || got.Recap != "kept" {
		t.Errorf("Record = %q, %v", got.Recap, err)
	}
	if _, err := s.Reserve(t.Context(), store.Reservation{At: time.Unix(1, 0)}, store.NoCaps); err != nil {
		t.Errorf("Reserve: %v", err)
	}
}

// Caps are looked up in an index: their cost does not grow with the ledger.
func TestReserveUsesTheIndexes(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	for query, want := range map[string]string{
		`SELECT sum(tokens), sum(usd) FROM ledger WHERE day IN ('a', 'b')`:          "COVERING INDEX ledger_day",
		`SELECT sum(tokens) FROM ledger WHERE agent = '' AND root = '' AND id = ''`: "COVERING INDEX ledger_session",
		`SELECT * FROM ledger WHERE at >= 1 ORDER BY at DESC, seq DESC LIMIT 5`:     "INDEX ledger_newest",
		`SELECT * FROM egress WHERE at >= 1 ORDER BY at DESC, seq DESC LIMIT 5`:     "INDEX egress_newest",
		`SELECT * FROM egress WHERE ledger = 5`:                                     "INDEX egress_ledger",
		`SELECT * FROM egress WHERE agent = '' AND root = '' AND id = ''`:           "INDEX egress_session",
	} {
		var a, b, c int
		var plan string
		if err := s.read.QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+query).Scan(&a, &b, &c, &plan); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, want) {
			t.Errorf("%s: %s, want %s", query, plan, want)
		}
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	tests := map[string]string{
		"wrong SQL":          "CREATE TABLE next (n INTEGER); INSERT INTO nowhere VALUES (1);" + atNext,
		"forgot the version": "CREATE TABLE next (n INTEGER);",
	}
	for name, next := range tests {
		t.Run(name, func(t *testing.T) {
			s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
			err := s.migrate(t.Context(), twoVersions(t, next), schemaVersion+1)
			if recap.CodeOf(err) != recap.CodeStore {
				t.Fatalf("migrate: %v", err)
			}
			if n := count(t, s, "SELECT count(*) FROM sqlite_schema WHERE name = 'next'"); n != 0 {
				t.Error("half of the migration stands")
			}
			if n := count(t, s, "PRAGMA user_version"); n != schemaVersion {
				t.Errorf("user_version = %d", n)
			}
			// The store still works, also for writing.
			if err := s.SetMark(t.Context(), "m", "", "v"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMigrateCanceled(t *testing.T) {
	path, err := prepare(filepath.Join(t.TempDir(), "recap.db"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	opened(t, path)
}

// H9: the disk is full, as far as SQLite is concerned.
func TestH9_DiskFull(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	kept := recap.Record{Session: recap.SessionRef{ID: "a"}, Recap: "kept"}
	if err := s.Put(t.Context(), kept, store.Condition{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.write.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil { // = what there is
		t.Fatal(err)
	}
	big := recap.Record{Session: recap.SessionRef{ID: "b"}, Recap: strings.Repeat("text ", 20_000)}
	err := s.Put(t.Context(), big, store.Condition{})
	if recap.CodeOf(err) != recap.CodeStore || recap.HintOf(err) == "" || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("Put: %v, hint %q", err, recap.HintOf(err))
	}
	if all, err := s.Records(t.Context(), nil); err != nil || len(all) != 1 || all[0].Recap != "kept" {
		t.Errorf("after it: %d records, %v", len(all), err)
	}
	if _, err := s.write.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), big, store.Condition{}); err != nil {
		t.Errorf("with space again: %v", err)
	}
}

// Opening a store that is up to date makes one connection, which can't write.
func TestOpenIsCheap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recap.db")
	if err := opened(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	if r, w := s.read.Stats().OpenConnections, s.write.Stats().OpenConnections; r != 1 || w != 0 {
		t.Errorf("%d readers and %d writers open, want 1 and 0", r, w)
	}
	if _, err := s.read.ExecContext(t.Context(), "DELETE FROM record"); err == nil {
		t.Error("a reader wrote")
	}
}

// A change holds the write lock from its first look on: what it compared
// can't change before it writes.
func TestChangeLocksFromTheStart(t *testing.T) {
	a := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	b := opened(t, a.path)
	err := a.change(t.Context(), "test", func(tx writing) error {
		var n int
		if err := tx.QueryRowContext(t.Context(), "SELECT count(*) FROM record").Scan(&n); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := b.SetMark(ctx, "m", "", "v"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second writer came between: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A search by a long word asks the index; it does not read every text.
func TestSearchUsesTheIndex(t *testing.T) {
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	if q := indexQuery([]string{"ab", `a"b`, "解析器"}); q != `"解析器" AND "a""b"` {
		t.Errorf("indexQuery = %s", q)
	}
	if q := indexQuery([]string{"ab", "解析"}); q != "" {
		t.Errorf("indexQuery of short words = %s", q)
	}
	rows, err := s.read.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+searchQuery(true, false), `"abc"`, `["abc"]`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var plan strings.Builder
	for rows.Next() {
		var a, b, c int
		var detail string
		if err := rows.Scan(&a, &b, &c, &detail); err != nil {
			t.Fatal(err)
		}
		plan.WriteString(detail + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if p := plan.String(); !strings.Contains(p, "SEARCH record USING INTEGER PRIMARY KEY") || !strings.Contains(p, "VIRTUAL TABLE INDEX") {
		t.Errorf("plan:\n%s", p)
	}
}

func TestTimesKeepTheirOrder(t *testing.T) {
	times := []time.Time{
		{},
		time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Unix(-1, 0), time.Unix(0, 0), time.Unix(0, 1),
		time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for i, at := range times[1:] {
		if toNanos(times[i]) >= toNanos(at) {
			t.Errorf("%v is not before %v", times[i], at)
		}
	}
}

func benchStore(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "recap.db")
	s, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		r := recap.Record{
			Session: recap.SessionRef{Agent: recap.Claude, Root: "/home/dev/.claude", ID: url.QueryEscape(time.Unix(int64(i), 0).String())},
			Recap:   "Fixed the parser; tests passed.", Away: "You asked to fix the parser.", UpdatedAt: time.Unix(int64(i), 0),
		}
		if err := s.Put(b.Context(), r, store.Condition{}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkOpenAndRead(b *testing.B) {
	path := benchStore(b, 1000)
	opens := map[string]func(context.Context, string) (*Store, error){"Open": Open, "OpenReadOnly": OpenReadOnly}
	for name, open := range opens {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := open(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Record(b.Context(), recap.SessionRef{ID: "x"}); !errors.Is(err, store.ErrNotFound) {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What was written before the context of a change ended is taken back, and so
// is what a change wrote before it failed; a write of another caller of the
// same store is no part of either.
func TestChangeIsWholeOrNothing(t *testing.T) {
	const insert = "INSERT INTO mark (name, scope, value) VALUES ('m', ?, 'v')"
	s := opened(t, filepath.Join(t.TempDir(), "recap.db"))
	boom := errors.New("boom")
	for name, end := range map[string]func(cancel func()) error{
		"the context ends": func(cancel func()) error { cancel(); return nil },
		"it fails":         func(func()) error { return boom },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		other := make(chan error, 1)
		err := s.change(ctx, "test", func(tx writing) error {
			if _, err := tx.ExecContext(ctx, insert, name); err != nil {
				return err
			}
			go func() { other <- s.SetMark(t.Context(), "m", "other", name) }()
			return end(cancel)
		}, insert)
		cancel()
		if !errors.Is(err, context.Canceled) && !errors.Is(err, boom) {
			t.Errorf("%s: %v", name, err)
		}
		if err := <-other; err != nil {
			t.Errorf("%s: the other write: %v", name, err)
		}
		got, err := s.Marked(t.Context(), "m")
		if err != nil || len(got) != 1 || got["other"] != name {
			t.Errorf("%s: stored %v, %v", name, got, err)
		}
	}
	func() {
		defer func() { _ = recover() }()
		_ = s.change(t.Context(), "test", func(tx writing) error {
			_, _ = tx.ExecContext(t.Context(), insert, "panic")
			panic(boom)
		})
	}()
	if err := s.SetMark(t.Context(), "m", "other", "after"); err != nil {
		t.Errorf("after a panic: %v", err)
	}
	if got, err := s.Marked(t.Context(), "m"); err != nil || len(got) != 1 || got["other"] != "after" {
		t.Errorf("after a panic: stored %v, %v", got, err)
	}
}
