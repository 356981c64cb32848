package qwencode

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Config says where a source reads.
type Config struct {
	// Name of the home in the settings, "qwen" where empty.
	Name string
	// Root is the absolute path of Qwen Code's home (usually ~/.qwen).
	Root string
	// Origin says how the root was chosen.
	Origin string
	// Index remembers listings; nil remembers nothing.
	Index agent.Index
	// Exclude are absolute directories whose sessions Watch does not tell of and
	// nothing is remembered of, as in agent.Query.
	Exclude []string
	// Alive reports whether the process runs that was there at a time, and
	// whether that can be told here. Nil asks the system.
	Alive func(pid int, at time.Time) (alive, known bool)
}

// Source reads the sessions of one home. It is safe for concurrent use.
type Source struct {
	cfg     Config
	parsers fastjson.ParserPool
	// watches: only listings are asked for, and nothing is kept between them.
	watches bool

	mu    sync.Mutex
	files map[string]string // session id → file, of the newest listing
}

var (
	_ agent.Source  = (*Source)(nil)
	_ agent.Resumer = (*Source)(nil)
)

// New makes a source. Nothing is read.
func New(cfg Config) *Source {
	if cfg.Name == "" {
		cfg.Name = string(recap.Qwen)
	}
	if cfg.Index == nil {
		cfg.Index = agent.NoIndex{}
	}
	if cfg.Alive == nil {
		cfg.Alive = runs
	}
	return &Source{cfg: cfg}
}

// Agent names the agent.
func (s *Source) Agent() recap.Agent { return recap.Qwen }

func (s *Source) projects() string { return filepath.Join(s.cfg.Root, "projects") }

// Home says where this source reads, and whether anything is there.
func (s *Source) Home() agent.Home {
	return filelog.FindHome(agent.Home{Name: s.cfg.Name, Root: s.cfg.Root, Origin: s.cfg.Origin}, s.cfg.Root, s.projects())
}

// keep says which files are transcripts: projects/<slug>/chats/<id>.jsonl.
func keep(rel string, dir bool) bool {
	parts := strings.Split(rel, "/")
	if dir {
		return len(parts) == 1 || len(parts) == 2 && parts[1] == "chats"
	}
	return len(parts) == 3 && parts[1] == "chats" && strings.HasSuffix(rel, ".jsonl")
}

// Sessions yields the sessions newest first.
func (s *Source) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		found, problems, err := s.list(ctx, q)
		for _, p := range problems {
			if !yield(recap.Session{}, p) {
				return
			}
		}
		if err != nil {
			yield(recap.Session{}, err)
			return
		}
		for _, x := range found {
			if !yield(x, nil) {
				return
			}
		}
	}
}

func (s *Source) list(ctx context.Context, q agent.Query) ([]recap.Session, []*agent.Problem, error) {
	var (
		problems []*agent.Problem
		byID     = map[string]recap.Session{}
		files    = map[string]string{}
	)
	problem := func(p *agent.Problem) { problems = append(problems, p) }
	err := filelog.Walk(ctx, s.projects(), keep, func(f filelog.File) {
		e, known, err := s.entry(f)
		if err != nil {
			problem(filelog.ProblemOf(f.Path, err))
			return
		}
		if agent.Excluded(e.Session.Directory, q.Exclude) {
			e.Session, e.Facts, e.Skip, e.Broken = recap.Session{}, nil, "excluded", 0
			s.cfg.Index.Remember(f.Path, e)
			return
		}
		if !known {
			s.cfg.Index.Remember(f.Path, e)
		}
		switch e.Skip {
		case skipUnreadable:
			problem(filelog.ProblemOf(f.Path, filelog.ErrNoRow))
		case skipNoID:
			problem(filelog.ProblemOf(f.Path, filelog.ErrNoID))
		default:
			if p := filelog.Broken(f.Path, e.Broken); p != nil {
				problem(p)
			}
			if e.Size == 0 && !s.watches {
				problem(filelog.ProblemOf(f.Path, filelog.ErrEmpty))
			}
		}
		id := e.Session.Ref.ID
		if id == "" {
			return
		}
		files[id] = f.Path
		x := s.finish(e, f)
		if old, ok := byID[id]; ok && !x.UpdatedAt.After(old.UpdatedAt) {
			return
		}
		byID[id] = x
	}, problem)
	if err != nil {
		return nil, problems, err
	}
	if !s.watches {
		s.mu.Lock()
		s.files = files
		s.mu.Unlock()
	}
	out := make([]recap.Session, 0, len(byID))
	for _, x := range byID {
		if q.Since.IsZero() || !x.UpdatedAt.Before(q.Since) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b recap.Session) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.Ref.ID, b.Ref.ID)
	})
	return out, problems, nil
}

// entry gives what is known of a file, reading its ends only where it changed.
// known: the index has it as it is.
func (s *Source) entry(f filelog.File) (e agent.Entry, known bool, err error) {
	old, ok := s.cfg.Index.Lookup(f.Path)
	if ok && old.Skip != "excluded" && filelog.Unchanged(old, f) {
		return old, true, nil
	}
	ends, err := filelog.ReadEnds(f.Path)
	if err != nil {
		return agent.Entry{}, false, err
	}
	if ok && old.Skip != "excluded" && old.Size == ends.File.Size && old.Head == ends.HeadSum && old.Tail == ends.TailSum {
		old.ModTime, old.Change = ends.File.ModTime, ends.File.Change
		return old, false, nil
	}
	e = s.derive(ends)
	if ok && e.Skip == "" && old.Skip == "" && e.Facts[0] == tailLost && len(old.Facts) == len(e.Facts) {
		e = s.since(ends, old, e)
	}
	return e, false, nil
}

// since makes up for newest rows that are bookkeeping alone, which can be longer
// than what is read: it looks at all that was appended since the old entry, and
// where none of it is of the conversation, the old entry's word stands.
func (s *Source) since(ends filelog.Ends, old, e agent.Entry) agent.Entry {
	grown, seen := ends.Since(old)
	if !seen {
		return e
	}
	if grown.TailStart < ends.TailStart {
		e = s.derive(grown)
	}
	if e.Skip != "" || e.Facts[0] != tailLost {
		return e
	}
	e.Facts = old.Facts
	e.Session.UpdatedAt, e.Session.Title = old.Session.UpdatedAt, cmp.Or(old.Session.Title, e.Session.Title)
	if e.Session.Model.ID == "" {
		e.Session.Model = old.Session.Model
	}
	return e
}

// finish gives a session what does not stand in its file.
func (s *Source) finish(e agent.Entry, f filelog.File) recap.Session {
	x := e.Session
	x.Ref.Agent, x.Ref.Root, x.Home, x.Stamp = recap.Qwen, s.cfg.Root, s.cfg.Name, f.Stamp()
	x.State, x.WaitingFor = s.state(e.Facts, f.Path, x.UpdatedAt)
	return x
}

// path finds the file of a session.
func (s *Source) path(ctx context.Context, ref recap.SessionRef) (string, error) {
	if ref.Agent == recap.Qwen && ref.Root == s.cfg.Root {
		for range 2 {
			s.mu.Lock()
			p, ok := s.files[ref.ID]
			s.mu.Unlock()
			if ok {
				return p, nil
			}
			if _, _, err := s.list(ctx, agent.Query{}); err != nil {
				return "", err
			}
		}
	}
	return "", &recap.Error{Code: recap.CodeSessionNotFound, Message: "no such session of Qwen Code", Hint: "recap list shows the sessions"}
}

// ResumeCommand continues the session; Qwen Code finds it only from the same
// project.
func (s *Source) ResumeCommand(x recap.Session) (dir string, argv []string) {
	if x.Ref.ID == "" || strings.HasPrefix(x.Ref.ID, "-") {
		return "", nil
	}
	argv = []string{"qwen", "--resume", x.Ref.ID}
	if s.cfg.Origin == "config" {
		argv = append([]string{"env", "QWEN_RUNTIME_DIR=" + s.cfg.Root}, argv...)
	}
	return x.Directory, argv
}
