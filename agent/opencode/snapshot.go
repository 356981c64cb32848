package opencode

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	_ "modernc.org/sqlite" // the driver
	"modernc.org/sqlite/vfs"
)

// liveness says whether a process has a database open.
type liveness int

const (
	liveUnknown liveness = iota
	liveYes
	liveNo
)

const (
	// viewName is the only file in the file system that SQLite is given.
	viewName = "opencode.db"
	// dsn: temporary tables stay in memory, the view has no room for files.
	dsn = "file:" + viewName + "?mode=ro&vfs=%s&_pragma=temp_store(2)&_pragma=query_only(1)" +
		"&_pragma=trusted_schema(0)&_pragma=cache_size(-4096)"

	// Tries of one reading, with a pause before each but the first that
	// doubles from firstPause: 1.3 s in all.
	tries      = 8
	firstPause = 10 * time.Millisecond
)

var (
	errNotRegular = errors.New("not a regular file")
	errNotSQLite  = errors.New("not a SQLite database")
	// errMoved: OpenCode wrote to the database while it was read.
	errMoved = errors.New("the database changed while it was read")
	// errJournal: a write stands in a rollback journal.
	errJournal = errors.New("a write to the database is not finished")
)

// fileID tells one state of a file from another.
type fileID struct {
	exists         bool
	size, mod, chg int64
}

// statFile looks at a file without opening it. A file that is missing is no
// error; one that is no regular file is.
func statFile(path string) (fileID, error) {
	fi, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fileID{}, nil
	}
	if err != nil {
		return fileID{}, err
	}
	if !fi.Mode().IsRegular() {
		return fileID{}, errNotRegular
	}
	return fileID{true, fi.Size(), fi.ModTime().UnixNano(), changeTime(fi)}, nil
}

// shmState is what the shared index of a live log says of checkpoints: which
// log it is of, and up to which frame pages were moved or are being moved.
type shmState struct {
	ok    bool
	salt  [8]byte
	moved uint32
}

// Places in a "-shm" file: the copy of the log's salt, and nBackfillAttempted.
const (
	shmSalt  = 32
	shmMoved = 128
)

func readShm(db string) shmState {
	if id, err := statFile(db + "-shm"); err != nil || !id.exists {
		return shmState{}
	}
	f, err := os.Open(db + "-shm") //nolint:gosec // a file of the home that is read
	if err != nil {
		return shmState{}
	}
	defer f.Close() //nolint:errcheck // nothing was written
	var b [shmMoved + 4]byte
	if _, err := f.ReadAt(b[:shmSalt+8], 0); err != nil {
		return shmState{}
	}
	if _, err := f.ReadAt(b[shmMoved:], shmMoved); err != nil {
		return shmState{}
	}
	return shmState{true, [8]byte(b[shmSalt : shmSalt+8]), binary.NativeEndian.Uint32(b[shmMoved:])}
}

// snapshot is one state of a database: the file with the committed pages of
// its log laid over it. It is a file system with one file, for SQLite.
type snapshot struct {
	path     string
	main     *os.File
	log      *os.File // nil where there is none
	id       fileID   // of main, before anything was read
	shm      shmState
	wal      *walIndex
	pageSize int64
	size     int64
}

// openSnapshot opens the files for reading and finds the committed pages.
func openSnapshot(path string) (_ *snapshot, err error) {
	s := &snapshot{path: path}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.id, err = statFile(path); err != nil {
		return nil, err
	}
	if !s.id.exists {
		return nil, fs.ErrNotExist
	}
	if err := s.journal(); err != nil {
		return nil, err
	}
	s.shm = readShm(path)
	if s.main, err = os.Open(path); err != nil { //nolint:gosec // a file of the home that is read
		return nil, err
	}
	if err := s.openLog(); err != nil {
		return nil, err
	}
	s.size = s.id.size
	if s.wal.frames > 0 {
		s.pageSize = s.wal.pageSize
		s.size = int64(s.wal.pages) * s.pageSize
		return s, nil
	}
	if s.size == 0 {
		return s, nil
	}
	var h [100]byte
	if _, err := s.main.ReadAt(h[:], 0); err != nil || string(h[:16]) != sqliteMagic {
		return nil, errNotSQLite
	}
	if s.pageSize = int64(binary.BigEndian.Uint16(h[16:])); s.pageSize == 1 {
		s.pageSize = maxPage
	}
	if s.pageSize < minPage || s.pageSize&(s.pageSize-1) != 0 {
		return nil, errNotSQLite
	}
	return s, nil
}

func (s *snapshot) openLog() error {
	s.wal = &walIndex{}
	id, err := statFile(s.path + "-wal")
	if err != nil || !id.exists || id.size == 0 {
		return err
	}
	f, err := os.Open(s.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its writer just closed it: the database holds everything
	}
	if err != nil {
		return err
	}
	s.log = f
	s.wal, err = readWAL(f)
	return err
}

// journal fails while a rollback journal holds a write.
func (s *snapshot) journal() error {
	if j, err := statFile(s.path + "-journal"); err != nil || j.size > 0 {
		return errJournal
	}
	return nil
}

// verify tells whether the state that was read is one the database was in: no
// page of it was written and its log is the same as when it was opened.
func (s *snapshot) verify() error {
	now, err := statFile(s.path)
	if err != nil || now != s.id {
		return errMoved
	}
	if err := s.journal(); err != nil {
		return err
	}
	if s.log != nil {
		var h [walHeaderSize]byte
		if _, err := s.log.ReadAt(h[:], 0); err != nil || h != s.wal.header {
			return errMoved
		}
	}
	// Times of files are coarse. The shared index, where there is one, says
	// exactly whether pages beyond ours were moved.
	shm := readShm(s.path)
	switch {
	case !shm.ok:
	case s.shm.ok && shm.salt != s.shm.salt:
		return errMoved
	case s.log != nil && shm.salt == s.wal.salt() && shm.moved > s.wal.frames:
		return errMoved
	}
	return nil
}

func (s *snapshot) close() {
	if s.main != nil {
		_ = s.main.Close()
	}
	if s.log != nil {
		_ = s.log.Close()
	}
}

// Open gives SQLite the view.
func (s *snapshot) Open(name string) (fs.File, error) {
	if name != viewName {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &view{s: s}, nil
}

// view is the database as a file. SQLite seeks and reads it.
type view struct {
	s   *snapshot
	pos int64
}

func (v *view) Close() error { return nil }

func (v *view) Stat() (fs.FileInfo, error) { return viewInfo{v.s.size}, nil }

func (v *view) Seek(off int64, whence int) (int64, error) {
	if whence != io.SeekStart || off < 0 {
		return 0, fs.ErrInvalid
	}
	v.pos = off
	return off, nil
}

func (v *view) Read(b []byte) (int, error) {
	if v.pos >= v.s.size {
		return 0, io.EOF
	}
	in := v.pos % v.s.pageSize
	page := v.pos/v.s.pageSize + 1
	b = b[:min(int64(len(b)), v.s.pageSize-in, v.s.size-v.pos)]
	f, off := v.s.main, v.pos
	if at, ok := v.s.wal.at[uint32(page)]; ok { //nolint:gosec // a database has fewer than 2^32 pages
		f, off = v.s.log, at+in
	}
	n, err := f.ReadAt(b, off)
	// Bytes 18 and 19 say "has a log". The view has none.
	for _, i := range []int64{18, 19} {
		if j := i - v.pos; j >= 0 && j < int64(n) {
			b[j] = 1
		}
	}
	v.pos += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// viewInfo is what SQLite asks of the view.
type viewInfo struct{ size int64 }

func (viewInfo) Name() string       { return viewName }
func (i viewInfo) Size() int64      { return i.size }
func (viewInfo) Mode() fs.FileMode  { return 0o444 }
func (viewInfo) ModTime() time.Time { return time.Time{} }
func (viewInfo) IsDir() bool        { return false }
func (viewInfo) Sys() any           { return nil }

// read calls fn with a database that stands still. fn is called again from the
// start where OpenCode wrote in the middle; it must forget what it had.
func (s *Source) read(ctx context.Context, path string, fn func(*sql.DB) error) error {
	var err error
	pause := firstPause
	for i := range tries {
		if i > 0 {
			t := time.NewTimer(pause)
			select {
			case <-ctx.Done():
				t.Stop()
				return ctx.Err()
			case <-t.C:
			}
			pause *= 2
		}
		if err = s.try(path, fn); !errors.Is(err, errMoved) && !errors.Is(err, errJournal) {
			return err
		}
	}
	return err
}

// try reads once.
func (s *Source) try(path string, fn func(*sql.DB) error) (err error) {
	s.opened.Add(1)
	snap, err := openSnapshot(path)
	if err != nil {
		return err
	}
	defer snap.close()
	name, fsys, err := vfs.New(snap)
	if err != nil {
		return fmt.Errorf("register the view: %w", err)
	}
	db, err := sql.Open("sqlite", fmt.Sprintf(dsn, name))
	if err != nil {
		_ = fsys.Close()
		return err
	}
	db.SetMaxOpenConns(1)
	err = fn(db)
	if e := errors.Join(db.Close(), fsys.Close()); err == nil {
		err = e
	}
	if s.afterRead != nil {
		s.afterRead()
	}
	// Whatever went wrong may come of the pages that moved.
	if e := snap.verify(); e != nil {
		return e
	}
	return err
}
