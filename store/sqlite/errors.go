package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// fail gives an error its code, words and hint. The contract's own errors and
// those of the context pass as they are.
func (s *Store) fail(ctx context.Context, what string, err error) error {
	for _, own := range []error{store.ErrNotFound, store.ErrClaimed, store.ErrStale, store.ErrWhich} {
		if errors.Is(err, own) {
			return err
		}
	}
	if over, ok := errors.AsType[*store.OverBudget](err); ok {
		return over
	}
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if e, ok := errors.AsType[*recap.Error](err); ok {
		return e
	}
	e := &recap.Error{Code: recap.CodeStore, Message: "can't " + what, Err: err}
	se, ok := errors.AsType[*driver.Error](err)
	if !ok {
		if errors.Is(err, sql.ErrConnDone) || err.Error() == "sql: database is closed" {
			e.Message = "can't " + what + ", the store is closed"
		}
		return e
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		e.Message, e.Hint = "can't "+what+", the disk is full", "Free some space on the disk of "+s.path+"."
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return readOnlyAt(s.path, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		e.Message = "can't " + what + ", the store at " + s.path + " is damaged"
		e.Hint = "Move the file away; recap starts a new one. Transcripts are not touched."
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Message, e.Hint = "can't "+what+", another program holds the store", "Try again; if it stays so, see what has "+s.path+" open."
	case sqlite3.SQLITE_IOERR:
		e.Message, e.Hint = "can't "+what+", the disk of "+s.path+" reports an error", "Check the disk and its free space."
	}
	return e
}

func readOnlyAt(path string, err error) error {
	return &recap.Error{
		Code: recap.CodeStore, Message: "the store at " + path + " can't be written",
		Hint: "Check who owns the file and its folder, or set store.url to another place.",
		Err:  errors.Join(store.ErrReadOnly, err),
	}
}

func readOnlyError(err error) error {
	return &recap.Error{Code: recap.CodeStore, Message: "the store is open for reading only", Err: err}
}

// fileError is what stops a file or folder from being made.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return readOnlyAt(path, err)
	case errors.Is(err, syscall.ENOSPC):
		return &recap.Error{
			Code: recap.CodeStore, Message: "can't make the store, the disk is full",
			Hint: "Free some space on the disk of " + path + ".", Err: err,
		}
	case errors.Is(err, fs.ErrNotExist):
		return &recap.Error{Code: recap.CodeStore, Message: "there is no store yet", Err: err}
	}
	return &recap.Error{
		Code: recap.CodeStore, Message: "can't make the store",
		Hint: "Set store.url to a place where recap may write.", Err: err,
	}
}
