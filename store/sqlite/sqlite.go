// Package sqlite is the store on a laptop: one SQLite file in WAL mode, shared
// by every recap process of the machine.
//
// Call [Open]; it makes the file and brings an older one up to date. A command
// that must be quick and may change nothing, like the line of a shell prompt,
// calls [OpenReadOnly].
//
// Promises:
//   - Opening a store that is up to date reads one page and writes nothing.
//     Connections are made when they are first needed.
//   - Writes go through one connection and are atomic; a process killed at any
//     point leaves a store that opens, with every write that was confirmed.
//   - Readers never wait for a writer. A writer waits at most [Wait] for
//     another process, and less if its context ends.
//   - A text that was replaced is overwritten in the file. Forget also cleans
//     the search index and empties the write-ahead log; it takes about a
//     second for 5,000 records.
//   - The file is for its owner alone (0600, in a folder 0700). Nothing is
//     written elsewhere: what SQLite would put into a temporary file is held in
//     memory.
//   - Errors of the file are a [recap.Error] with recap.CodeStore (or
//     recap.CodeStoreTooNew), a reason in words and a hint.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// Wait is the longest a call waits for another process that writes.
const Wait = 5 * time.Second

// The readers of one process, and the wait of a read-only store.
const (
	readers      = 4
	readOnlyWait = "200"
)

// Store is a store in one SQLite file. All methods are safe for concurrent
// use.
type Store struct {
	path     string
	read     *sql.DB
	write    *sql.DB // nil in a read-only store
	reads    statements
	writes   statements
	turn     chan struct{} // holds one while somebody writes
	closing  sync.Once
	closeErr error
	// residue: forgotten text may still stand in the write-ahead log.
	residue atomic.Bool
}

var _ store.Store = (*Store)(nil)

// Open opens the store at path, and makes it where there is none. An older
// store is brought up to date; a newer one is store.ErrTooNew.
func Open(ctx context.Context, path string) (*Store, error) {
	path, err := prepare(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, turn: make(chan struct{}, 1)}
	if s.read, err = open(path, readers, url.Values{
		"mode": {"rw"}, "_busy_timeout": {strconv.FormatInt(Wait.Milliseconds(), 10)}, "_query_only": {"1"},
	}); err != nil {
		return nil, s.fail(ctx, "open the store", err)
	}
	if s.write, err = open(path, 1, url.Values{
		"mode": {"rw"}, "_busy_timeout": {strconv.FormatInt(Wait.Milliseconds(), 10)}, "_txlock": {"immediate"},
		"_synchronous": {"NORMAL"}, "_pragma": {"secure_delete(1)"},
	}); err != nil {
		return nil, errors.Join(s.fail(ctx, "open the store", err), s.read.Close())
	}
	if err := s.upToDate(ctx); err != nil {
		return nil, errors.Join(err, s.read.Close(), s.write.Close())
	}
	return s, nil
}

// OpenReadOnly opens the store at path as it is. Where there is none the
// error is fs.ErrNotExist. Every change is refused with store.ErrReadOnly.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	path, err := existing(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path}
	params := url.Values{"mode": {"ro"}, "_busy_timeout": {readOnlyWait}, "_query_only": {"1"}}
	for {
		if s.read, err = open(path, readers, params); err != nil {
			return nil, s.fail(ctx, "open the store", err)
		}
		version, err := s.version(ctx, schemaVersion)
		switch {
		case err == nil && version == schemaVersion:
			return s, nil
		case err == nil && version < schemaVersion:
			err = &recap.Error{
				Code: recap.CodeStore, Message: "the store was written by an older recap",
				Hint: "Run any recap command that may write, such as `recap list`, once.",
			}
		case errors.Is(err, store.ErrReadOnly) && params.Get("immutable") == "" && noLog(path):
			// A folder that can't be written, and no log to read: the file
			// alone is the whole store.
			if err := s.read.Close(); err != nil {
				return nil, s.fail(ctx, "open the store", err)
			}
			params.Set("immutable", "1")
			continue
		}
		return nil, errors.Join(err, s.read.Close())
	}
}

// Close releases the store. It may be called twice.
func (s *Store) Close() error {
	s.closing.Do(func() {
		if s.residue.Load() {
			_ = s.emptyLog(context.Background()) // the last to close does it too
		}
		s.reads.close()
		s.writes.close()
		err := s.read.Close()
		if s.write != nil {
			err = errors.Join(err, s.write.Close())
		}
		if err != nil {
			s.closeErr = s.fail(context.Background(), "close the store", err)
		}
	})
	return s.closeErr
}

// open makes a pool; nothing is opened before it is used.
func open(path string, size int, params url.Values) (*sql.DB, error) {
	params.Set("_dqs", "0")
	params.Add("_pragma", "temp_store(2)")
	slash := filepath.ToSlash(path)
	if !strings.HasPrefix(slash, "/") {
		slash = "/" + slash
	}
	u := url.URL{Path: slash}
	db, err := sql.Open("sqlite", "file://"+u.EscapedPath()+"?"+params.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// prepare makes the folder and the file, for their owner alone.
func prepare(path string) (string, error) {
	abs, err := existing(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return abs, err
	}
	if abs, err = filepath.Abs(path); err != nil {
		return "", fileError(path, err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return "", fileError(abs, err)
	}
	f, err := os.OpenFile(abs, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the path is the person's setting
	if errors.Is(err, fs.ErrExist) {
		return abs, nil // another program was faster
	}
	if err != nil {
		return "", fileError(abs, err)
	}
	if err := f.Close(); err != nil {
		return "", fileError(abs, err)
	}
	return abs, nil
}

// existing checks a file that is there. What others may read is closed to
// them, where that is ours to do.
func existing(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fileError(path, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", fileError(abs, err)
	}
	if !info.Mode().IsRegular() {
		return "", &recap.Error{
			Code: recap.CodeStore, Message: "the store at " + abs + " is not a file",
			Hint: "Set store.url to a file, or move what is there away.",
		}
	}
	if info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(abs, 0o600) // not the owner: it stays as it is
	}
	return abs, nil
}

// noLog says whether the store has no write-ahead log with something in it.
func noLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == 0)
}

// Statements of a write transaction. It takes the lock of the file at once.
const (
	beginWriting = `BEGIN IMMEDIATE`
	keepWriting  = `COMMIT`
	dropWriting  = `ROLLBACK`
)

// lock takes the one connection that writes. What is not under it would become
// part of another's transaction.
func (s *Store) lock(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) unlock() { <-s.turn }

// change runs f in a write transaction, with the queries prepared. Where the
// context has ended before the end, nothing is written.
func (s *Store) change(ctx context.Context, what string, f func(tx writing) error, queries ...string) error {
	if s.write == nil {
		return readOnlyError(store.ErrReadOnly)
	}
	if err := s.lock(ctx); err != nil {
		return s.fail(ctx, what, err)
	}
	defer s.unlock()
	if err := s.writes.prepare(ctx, s.write, append(queries, beginWriting, keepWriting, dropWriting)...); err != nil {
		return s.fail(ctx, what, err)
	}
	tx, kept := writing{s.write, &s.writes}, false
	defer func() {
		if !kept {
			_, _ = tx.run(context.WithoutCancel(ctx), dropWriting) // the first error says more
		}
	}()
	_, err := tx.run(ctx, beginWriting) // it may wait for another process
	if err == nil {
		err = f(tx)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, keepWriting)
	}
	if err != nil {
		return s.fail(ctx, what, err)
	}
	kept = true
	return nil
}

// exec runs one statement that changes the store, and says how many rows it
// changed.
func (s *Store) exec(ctx context.Context, what, query string, args ...any) (int64, error) {
	if s.write == nil {
		return 0, readOnlyError(store.ErrReadOnly)
	}
	if err := s.lock(ctx); err != nil {
		return 0, s.fail(ctx, what, err)
	}
	defer s.unlock()
	if err := s.writes.prepare(ctx, s.write, query); err != nil {
		return 0, s.fail(ctx, what, err)
	}
	res, err := s.writes.of(query).ExecContext(ctx, args...) //nolint:sqlclosecheck // it is kept until the store is closed
	if err != nil {
		return 0, s.fail(ctx, what, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, s.fail(ctx, what, err)
	}
	return n, nil
}

// emptyLog moves the write-ahead log into the file and truncates it, so that
// no older version of a page is left.
func (s *Store) emptyLog(ctx context.Context) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	var busy, logged, moved int
	err := s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &logged, &moved)
	if err != nil {
		return err
	}
	s.residue.Store(busy != 0)
	return nil
}
