package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// schemaVersion is the user_version that the last migration sets.
const schemaVersion = 2

// applicationID marks a database as recap's ("recp").
const applicationID = 1919247216

//go:embed migrations/*.sql
var migrations embed.FS

// upToDate looks at the version, and migrates only where that is needed.
func (s *Store) upToDate(ctx context.Context) error {
	version, err := s.version(ctx, schemaVersion)
	if err != nil || version == schemaVersion {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return s.fail(ctx, "read the migrations", err)
	}
	return s.migrate(ctx, files, schemaVersion)
}

// version is the schema's version of a store that this program may use.
func (s *Store) version(ctx context.Context, newest int) (int, error) {
	version, err := versionOf(ctx, s.read, newest)
	if err != nil {
		return 0, s.fail(ctx, "open the store", err)
	}
	return version, nil
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// versionOf gives the version of a store that a program of version newest may
// use.
func versionOf(ctx context.Context, db queryer, newest int) (int, error) {
	var version, application, tables int
	err := db.QueryRowContext(ctx, `SELECT user_version, application_id, EXISTS (SELECT 1 FROM sqlite_schema)
		FROM pragma_user_version, pragma_application_id`).Scan(&version, &application, &tables)
	switch {
	case err != nil:
		return 0, err
	case application != applicationID && (version != 0 || application != 0 || tables != 0):
		return 0, &recap.Error{
			Code: recap.CodeStore, Message: "the file is a database of another program",
			Hint: "Set store.url to another file.",
		}
	case version > newest:
		return 0, &recap.Error{
			Code:    recap.CodeStoreTooNew,
			Message: fmt.Sprintf("the store has version %d and this recap knows %d", version, newest),
			Hint:    "Update recap on this machine, or set store.url to another file.",
			Err:     store.ErrTooNew,
		}
	}
	return version, nil
}

// migrate brings the schema to the target version, all the way or not at all.
// SQLite's own user_version says how far it is; goose reads and runs the
// files. Its version table would be made outside of its lock, in two steps: a
// program killed between them would leave a store that no longer opens.
func (s *Store) migrate(ctx context.Context, files fs.FS, target int) error {
	for {
		version, err := s.version(ctx, target)
		if err != nil || version == target {
			return err
		}
		p, err := goose.NewProvider(goose.DialectSQLite3, s.write, pending{files, version},
			goose.WithSessionLocker(migrationLock{version, target}), goose.WithDisableVersioning(true),
			goose.WithIsolateDDL(true), goose.WithDisableGlobalRegistry(true))
		if err != nil {
			return s.fail(ctx, "read the migrations", err)
		}
		switch _, err := p.Up(ctx); {
		case errors.Is(err, errMoved):
		case err != nil:
			return s.fail(ctx, "bring the store up to date", err)
		default:
			if version, err = s.version(ctx, target); err == nil && version != target {
				err = s.fail(ctx, "bring the store up to date", errors.New("it stayed at version "+strconv.Itoa(version)))
			}
			return err
		}
	}
}

// pending shows the migrations after a version.
type pending struct {
	fs.FS
	version int
}

// ReadDir implements [fs.ReadDirFS].
func (p pending) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(p.FS, name)
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool {
		number, _, _ := strings.Cut(e.Name(), "_")
		n, err := strconv.Atoi(number)
		return err == nil && n <= p.version
	}), err
}

// errMoved: another program migrated before the lock was ours.
var errMoved = errors.New("the store has another version by now")

// migrationLock makes all migrations one write transaction of SQLite: two
// programs never migrate at once, and a killed one leaves nothing half done.
type migrationLock struct{ from, target int }

// SessionLock begins the transaction.
func (l migrationLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	// SQLite does not always wait where two programs set the journal mode.
	deadline := time.NewTimer(Wait)
	defer deadline.Stop()
	for {
		_, err := conn.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		if err == nil {
			_, err = conn.ExecContext(ctx, "BEGIN IMMEDIATE")
		}
		if err == nil {
			break
		}
		if se, ok := errors.AsType[*driver.Error](err); !ok || se.Code()&0xff != sqlite3.SQLITE_BUSY {
			return err
		}
		pause := time.NewTimer(10 * time.Millisecond)
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-deadline.C:
			pause.Stop()
			return err
		case <-pause.C:
		}
	}
	version, err := versionOf(ctx, conn, l.target)
	if err == nil && version != l.from {
		err = errMoved
	}
	if err != nil {
		return errors.Join(err, rollback(ctx, conn))
	}
	return nil
}

// SessionUnlock ends the transaction: it stands if the last migration ran.
func (l migrationLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	var version int
	err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err != nil || version != l.target {
		return errors.Join(err, rollback(ctx, conn))
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

func rollback(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return err
}
