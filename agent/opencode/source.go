package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	sqlite "modernc.org/sqlite"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// Config says where a [Source] reads.
type Config struct {
	// Name of the home in the settings, "opencode" where empty.
	Name string
	// Root is OpenCode's data directory, an absolute path. Every
	// "opencode*.db" in it is read: each release channel has its own.
	Root string
	// DB is the one database to read in place of those of the root
	// (OPENCODE_DB), "" for none. A relative path lies in Root.
	DB string
	// Origin says how Root or DB was chosen.
	Origin string
	// Index remembers listings between runs; nil remembers nothing.
	Index agent.Index
	// Exclude are absolute directories whose sessions Watch does not tell of and
	// nothing is remembered of, as in agent.Query.
	Exclude []string
}

// Source reads the sessions of one data directory of OpenCode. It is safe for
// concurrent use and holds nothing open between calls.
type Source struct {
	cfg Config

	mu     sync.Mutex
	judged map[string]verdict // by database
	rests  *rests

	// For tests: how often a database was opened, and how many message and
	// part bodies were read; what happens after each reading.
	opened, bodies atomic.Int64
	afterRead      func()
}

// memoryDB is the value of OPENCODE_DB that keeps nothing on disk.
const memoryDB = ":memory:"

// New makes a source. It opens nothing.
func New(cfg Config) *Source {
	if cfg.Name == "" {
		cfg.Name = string(recap.OpenCode)
	}
	if cfg.Index == nil {
		cfg.Index = agent.NoIndex{}
	}
	if cfg.DB != "" && cfg.DB != memoryDB && !filepath.IsAbs(cfg.DB) {
		cfg.DB = filepath.Join(cfg.Root, cfg.DB)
	}
	return &Source{cfg: cfg, rests: &rests{}}
}

// Agent names OpenCode.
func (s *Source) Agent() recap.Agent { return recap.OpenCode }

// verdict says whether a database in some state can be used.
type verdict struct {
	size, modTime int64
	err           error
}

// judge remembers whether a database could be read. A moment in which it is
// busy says nothing.
func (s *Source) judge(path string, stamp agent.Entry, err error) {
	if err != nil && recap.CodeOf(problemOf(path, err).Err) == recap.CodeBusy || errors.Is(err, context.Canceled) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.judged == nil {
		s.judged = map[string]verdict{}
	}
	s.judged[path] = verdict{stamp.Size, stamp.ModTime, err}
}

// usable tells whether a database has the tables that are read. It is opened
// only where no listing has told that.
func (s *Source) usable(path string) error {
	stamp, err := dbStamp(path, nil)
	if err != nil {
		return err
	}
	s.mu.Lock()
	v, ok := s.judged[path]
	s.mu.Unlock()
	if ok && v.size == stamp.Size && v.modTime == stamp.ModTime {
		return v.err
	}
	if e, ok := s.cfg.Index.Lookup(path); ok && e.Size == stamp.Size && e.ModTime == stamp.ModTime && len(e.Facts) > 0 && e.Facts[0] == indexVersion {
		if e.Skip == "" {
			return nil
		}
		return &recap.Error{Code: recap.CodeUnsupported, Message: e.Skip, Hint: versionsHint}
	}
	if err := checkHeader(path); err != nil {
		return err
	}
	err = s.read(context.Background(), path, func(db *sql.DB) error {
		_, err := readSchema(context.Background(), db)
		return err
	})
	s.judge(path, stamp, err)
	if err != nil && recap.CodeOf(problemOf(path, err).Err) == recap.CodeBusy {
		return nil
	}
	return err
}

// Home says where this source reads, and whether what is there can be read: a
// database whose tables are not known is a problem of the home where there is
// no other.
func (s *Source) Home() agent.Home {
	h := agent.Home{Name: s.cfg.Name, Root: s.cfg.Root, Origin: s.cfg.Origin}
	dbs, problems := s.databases()
	usable := 0
	for _, db := range dbs {
		if err := s.usable(db); err != nil {
			problems = append(problems, problemOf(db, err))
			continue
		}
		usable++
	}
	h.Found = len(dbs) > 0 || len(problems) > 0
	if usable == 0 && len(problems) > 0 {
		h.Problem = problems[0].Reason
		if e, ok := errors.AsType[*recap.Error](problems[0]); ok && e.Hint != "" {
			h.Problem += ": " + e.Hint
		}
	}
	return h
}

// checkHeader tells whether a file can be a database.
func checkHeader(path string) error {
	id, err := statFile(path)
	if err != nil {
		return err
	}
	f, err := os.Open(path) //nolint:gosec // a file of the home that is read
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	var h [16]byte
	if _, err := f.ReadAt(h[:], 0); id.size > 0 && (err != nil || string(h[:]) != sqliteMagic) {
		return errNotSQLite
	}
	return nil
}

// databases lists the databases to read, by name, and what looks like one and
// is none.
func (s *Source) databases() ([]string, []*agent.Problem) {
	if s.cfg.DB == memoryDB {
		return nil, nil
	}
	names := []string{s.cfg.DB}
	if s.cfg.DB == "" {
		entries, err := os.ReadDir(s.cfg.Root)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, []*agent.Problem{problemOf(s.cfg.Root, err)}
		}
		names = names[:0]
		for _, e := range entries {
			if n := e.Name(); strings.HasPrefix(n, "opencode") && strings.HasSuffix(n, ".db") {
				names = append(names, filepath.Join(s.cfg.Root, n))
			}
		}
	}
	var dbs []string
	var problems []*agent.Problem
	for _, n := range names {
		switch id, err := statFile(n); {
		case err != nil:
			problems = append(problems, problemOf(n, err))
		case id.exists:
			dbs = append(dbs, n)
		case s.cfg.DB == "":
			problems = append(problems, problemOf(n, fs.ErrNotExist)) // a link to nothing
		}
	}
	if len(dbs) == 0 && len(problems) == 0 && s.cfg.DB == "" && s.oldStorage() {
		problems = append(problems, problemOf(filepath.Join(s.cfg.Root, "storage", "session"), errOldStorage))
	}
	return dbs, problems
}

// oldStorage tells whether sessions of OpenCode before 1.2 lie in the root.
func (s *Source) oldStorage() bool {
	dir := filepath.Join(s.cfg.Root, "storage", "session")
	projects, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, p := range projects {
		files, err := os.ReadDir(filepath.Join(dir, p.Name()))
		if err != nil {
			continue
		}
		if slices.ContainsFunc(files, func(f fs.DirEntry) bool { return strings.HasSuffix(f.Name(), ".json") }) {
			return true
		}
	}
	return false
}

var errOldStorage = &recap.Error{
	Code:    recap.CodeUnsupported,
	Message: "sessions of OpenCode before 1.2 (JSON files)",
	Hint:    "start any OpenCode from 1.2 to 1.15 once: it moves them into its database",
}

// problemOf says in a fixed phrase why a file can't be used. Its cause carries
// a code.
func problemOf(path string, err error) *agent.Problem {
	p := &agent.Problem{Path: path, Count: 1}
	if e, ok := errors.AsType[*recap.Error](err); ok {
		p.Reason, p.Err = e.Message, e
		return p
	}
	code := recap.CodeUnreadable
	hint := ""
	sq, isSQLite := errors.AsType[*sqlite.Error](err)
	switch {
	case errors.Is(err, errNotRegular):
		p.Reason = errNotRegular.Error()
	case errors.Is(err, fs.ErrPermission):
		p.Reason = "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		p.Reason = "missing"
	case errors.Is(err, errNotSQLite):
		p.Reason = errNotSQLite.Error()
	case errors.Is(err, errWALFormat):
		code, p.Reason = recap.CodeUnsupported, errWALFormat.Error()
	case errors.Is(err, errMoved), errors.Is(err, errJournal):
		code, p.Reason = recap.CodeBusy, "OpenCode is writing to the database"
		hint = "try again in a moment"
	case isSQLite && (sq.Code()&0xff == sqliteCorrupt || sq.Code()&0xff == sqliteNotADB):
		p.Reason = "the database is damaged"
	case isSQLite:
		p.Reason = "the database can't be read"
	default:
		p.Reason = "can't be read"
	}
	p.Err = &recap.Error{Code: code, Message: p.Reason, Hint: hint, Err: err}
	return p
}

// Codes of SQLite.
const (
	sqliteCorrupt = 11
	sqliteNotADB  = 26
	sqliteMagic   = "SQLite format 3\x00"
)

// Sessions yields the sessions of all databases, newest first, after the
// databases that can't be read. Sessions without a message are left out, and
// so are those whose messages have the form of OpenCode 2: they are counted
// in a problem.
func (s *Source) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		var found []recap.Session
		dbs, problems := s.databases()
		for _, db := range dbs {
			if agent.Excluded(db, q.Exclude) {
				s.forgetAll(db)
				continue
			}
			got, more, err := s.list(ctx, db, q)
			if ctx.Err() != nil {
				yield(recap.Session{}, ctx.Err())
				return
			}
			if err != nil {
				more = append(more, problemOf(db, err))
			}
			problems = append(problems, more...)
			found = append(found, got...)
		}
		for _, p := range problems {
			if !yield(recap.Session{}, p) {
				return
			}
		}
		order := make([]*recap.Session, len(found))
		for i := range found {
			order[i] = &found[i]
		}
		slices.SortFunc(order, newestFirst)
		seen := map[string]bool{} // a session may stand in the databases of two channels
		for _, ses := range order {
			if len(dbs) > 1 {
				if seen[ses.Ref.ID] {
					continue
				}
				seen[ses.Ref.ID] = true
			}
			if wanted(ses, q) && !yield(*ses, nil) {
				return
			}
		}
	}
}

func newestFirst(a, b *recap.Session) int {
	return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.Ref.ID, b.Ref.ID))
}

func wanted(ses *recap.Session, q agent.Query) bool {
	return (q.Archived || !ses.Archived) && (q.Subagents || ses.ParentID == "") && !ses.UpdatedAt.Before(q.Since)
}

// ResumeCommand continues a session in its directory. A data directory or
// database that OpenCode does not find by itself is named to it.
func (s *Source) ResumeCommand(ses recap.Session) (dir string, argv []string) {
	if ses.Ref.ID == "" || strings.HasPrefix(ses.Ref.ID, "-") {
		return "", nil
	}
	argv = []string{"opencode", "--session", ses.Ref.ID}
	if s.cfg.Origin != "config" {
		return ses.Directory, argv
	}
	named := "OPENCODE_DB=" + filepath.Join(s.cfg.Root, "opencode.db")
	switch {
	case s.cfg.DB != "":
		named = "OPENCODE_DB=" + s.cfg.DB
	case filepath.Base(s.cfg.Root) == "opencode":
		named = "XDG_DATA_HOME=" + filepath.Dir(s.cfg.Root)
	}
	return ses.Directory, append([]string{"env", named}, argv...)
}

var (
	_ agent.Source  = (*Source)(nil)
	_ agent.Resumer = (*Source)(nil)
)
