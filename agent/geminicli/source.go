package geminicli

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Config says where a source reads.
type Config struct {
	// Name of the home in the settings, "gemini" where empty.
	Name string
	// Root is the absolute path of the .gemini folder.
	Root string
	// Origin says how the root was chosen.
	Origin string
	// Index remembers listings; nil remembers nothing.
	Index agent.Index
	// Exclude are absolute directories whose sessions Watch does not tell of and
	// does not read.
	Exclude []string
}

// Source reads the sessions of one home. It is safe for concurrent use.
type Source struct {
	cfg     Config
	parsers fastjson.ParserPool
	deep    bool // where the end of a log tells nothing it is read further back

	mu    sync.Mutex
	files map[string][]string // session id → its files, the one to trust most first
}

var (
	_ agent.Source  = (*Source)(nil)
	_ agent.Resumer = (*Source)(nil)
)

// New makes a source. Nothing is read.
func New(cfg Config) *Source {
	if cfg.Name == "" {
		cfg.Name = string(recap.Gemini)
	}
	if cfg.Index == nil {
		cfg.Index = agent.NoIndex{}
	}
	return &Source{cfg: cfg}
}

// Agent names the agent.
func (s *Source) Agent() recap.Agent { return recap.Gemini }

func (s *Source) tmp() string { return filepath.Join(s.cfg.Root, "tmp") }

// Home says where this source reads, and whether anything is there.
func (s *Source) Home() agent.Home {
	return filelog.FindHome(agent.Home{Name: s.cfg.Name, Root: s.cfg.Root, Origin: s.cfg.Origin}, s.cfg.Root, s.tmp())
}

// keep says which files are transcripts: tmp/<project>/chats/session-*.json(l).
// The logs of subagents lie a folder deeper, in one named by their session.
func keep(rel string, dir bool) bool {
	parts := strings.Split(rel, "/")
	if dir {
		return len(parts) == 1 || len(parts) <= 3 && parts[1] == "chats" && !keep(rel, false)
	}
	if len(parts) == 4 {
		return isLog(rel)
	}
	if len(parts) != 3 || parts[1] != "chats" || !strings.HasPrefix(parts[2], "session-") {
		return false
	}
	return strings.HasSuffix(rel, ".jsonl") || strings.HasSuffix(rel, ".json")
}

// Sessions yields the sessions newest first.
func (s *Source) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		found, problems, err := s.list(ctx, q, s.cfg.Index)
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

// part is a file of a session as the index knows it.
type part struct {
	path  string
	stamp string
	e     agent.Entry
}

func (s *Source) list(ctx context.Context, q agent.Query, idx agent.Index) ([]recap.Session, []*agent.Problem, error) {
	var problems []*agent.Problem
	byID := map[string][]part{}
	subs := map[string]int64{} // session id → newest content of its subagents
	dirs := s.folders()
	err := filelog.Walk(ctx, s.tmp(), keep, func(f filelog.File) {
		folder, _, _ := strings.Cut(f.Rel, "/")
		dir := dirs.of(folder)
		if agent.Excluded(dir, q.Exclude) { // not even opened
			forget(idx, f)
			return
		}
		e, known, err := s.entry(idx, f)
		if err != nil {
			problems = append(problems, filelog.ProblemOf(f.Path, err))
			return
		}
		if dir == "" && len(e.Facts) > 0 {
			dir = dirs.byHash(e.Facts[0])
		}
		if dir == "" {
			dir = e.Session.Directory // as the transcript says
		}
		if agent.Excluded(dir, q.Exclude) {
			forget(idx, f)
			return
		}
		if !known {
			idx.Remember(f.Path, e)
		}
		if parts := strings.Split(f.Rel, "/"); len(parts) == 4 {
			subs[parts[2]] = max(subs[parts[2]], subagentAt(e))
			return
		}
		switch e.Skip {
		case skipUnreadable:
			problems = append(problems, filelog.ProblemOf(f.Path, filelog.ErrNoRow))
		case skipNoID:
			problems = append(problems, filelog.ProblemOf(f.Path, filelog.ErrNoID))
		default:
			if p := filelog.Broken(f.Path, e.Broken); p != nil {
				problems = append(problems, p)
			}
			if e.Size == 0 && isLog(f.Path) && !s.deep {
				problems = append(problems, filelog.ProblemOf(f.Path, filelog.ErrEmpty))
			}
		}
		if id := e.Session.Ref.ID; id != "" {
			e.Session.Directory = dir
			byID[id] = append(byID[id], part{f.Path, f.Stamp(), e})
		}
	}, func(p *agent.Problem) { problems = append(problems, p) })
	if err != nil {
		return nil, problems, err
	}
	files := make(map[string][]string, len(byID))
	out := make([]recap.Session, 0, len(byID))
	for id, parts := range byID {
		x, paths := s.merge(id, parts)
		if len(paths) == 0 { // only stubs: nothing was asked
			continue
		}
		// A subagent is at work while its newest content is newer than that of
		// the session, which goes on when it has ended.
		if x.State == recap.StateIdle && !x.Reverted && subs[id] > x.UpdatedAt.UnixNano() {
			x.State = recap.StateUnknown
		}
		files[id] = paths
		if q.Since.IsZero() || !x.UpdatedAt.Before(q.Since) {
			out = append(out, x)
		}
	}
	s.mu.Lock()
	s.files = files
	s.mu.Unlock()
	slices.SortFunc(out, func(a, b recap.Session) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.Ref.ID, b.Ref.ID)
	})
	return out, problems, nil
}

// merge puts the files of one session together. Event logs come before
// documents, the newest first.
func (s *Source) merge(id string, parts []part) (recap.Session, []string) {
	slices.SortFunc(parts, func(a, b part) int {
		if x, y := isLog(a.path), isLog(b.path); x != y {
			if x {
				return -1
			}
			return 1
		}
		if c := b.e.Session.UpdatedAt.Compare(a.e.Session.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	x := recap.Session{Ref: recap.SessionRef{Agent: recap.Gemini, Root: s.cfg.Root, ID: id}, Home: s.cfg.Name}
	var paths, stamps []string
	newest := parts[0]
	for _, p := range parts {
		stamps = append(stamps, p.stamp)
		y := p.e.Session
		if x.CreatedAt.IsZero() || !y.CreatedAt.IsZero() && y.CreatedAt.Before(x.CreatedAt) {
			x.CreatedAt = y.CreatedAt
		}
		if p.e.Skip != "" { // a stub
			continue
		}
		paths = append(paths, p.path)
		if x.Title == "" {
			x.Title = y.Title
		}
		if x.Directory == "" {
			x.Directory = y.Directory
		}
		if x.Model.ID == "" {
			x.Model = y.Model
		}
		if newest.e.Skip != "" || y.UpdatedAt.After(newest.e.Session.UpdatedAt) {
			newest = p
		}
	}
	x.UpdatedAt, x.State, x.WaitingFor = newest.e.Session.UpdatedAt, newest.e.Session.State, newest.e.Session.WaitingFor
	x.Reverted = newest.e.Session.Reverted
	slices.Sort(stamps)
	x.Stamp = strings.Join(stamps, "+")
	return x, paths
}

// subagentAt gives the newest content of the log of a subagent, in Unix
// nanoseconds.
func subagentAt(e agent.Entry) int64 {
	if e.Skip != ofSubagent || len(e.Facts) < 2 {
		return 0
	}
	n, err := strconv.ParseInt(e.Facts[1], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func isLog(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// outside marks the entry of a file in a directory that is not to be read.
const outside = "excluded"

// forget leaves nothing of a file in the index but that it is excluded.
func forget(idx agent.Index, f filelog.File) {
	if old, ok := idx.Lookup(f.Path); ok && old.Skip == outside {
		return
	}
	idx.Remember(f.Path, agent.Entry{Skip: outside})
}

// entry gives what is known of a file, reading its ends only where it changed.
// known: the index has it as it is.
func (s *Source) entry(idx agent.Index, f filelog.File) (e agent.Entry, known bool, err error) {
	old, ok := idx.Lookup(f.Path)
	ok = ok && old.Skip != outside
	if ok && filelog.Unchanged(old, f) {
		return old, true, nil
	}
	ends, err := filelog.ReadEnds(f.Path)
	if err != nil {
		return agent.Entry{}, false, err
	}
	if ok && old.Session.Ref.ID != "" && torn(ends) {
		return old, true, nil // it is being written: the rest will come
	}
	if ok && old.Size == ends.File.Size && old.Head == ends.HeadSum && old.Tail == ends.TailSum {
		old.ModTime, old.Change = ends.File.ModTime, ends.File.Change
		return old, false, nil
	}
	return s.derive(ends), false, nil
}

func (s *Source) known(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[id]
}

// forgetful is an index that learns nothing.
type forgetful struct{ agent.Index }

// Remember does nothing.
func (forgetful) Remember(string, agent.Entry) {}

// paths finds the files of a session.
func (s *Source) paths(ctx context.Context, ref recap.SessionRef) ([]string, error) {
	if ref.Agent == recap.Gemini && ref.Root == s.cfg.Root {
		p := s.known(ref.ID)
		if len(p) == 0 {
			// Nobody said what is excluded: nothing may be remembered.
			if _, _, err := s.list(ctx, agent.Query{}, forgetful{s.cfg.Index}); err != nil {
				return nil, err
			}
			p = s.known(ref.ID)
		}
		if len(p) > 0 {
			return p, nil
		}
	}
	return nil, &recap.Error{Code: recap.CodeSessionNotFound, Message: "no such session of Gemini CLI", Hint: "recap list shows the sessions"}
}

// ResumeCommand continues the session; Gemini CLI finds it only from its
// project. It can be told of a moved home where that is named .gemini.
func (s *Source) ResumeCommand(x recap.Session) (dir string, argv []string) {
	if x.Ref.ID == "" || strings.HasPrefix(x.Ref.ID, "-") {
		return "", nil
	}
	argv = []string{"gemini", "--resume", x.Ref.ID}
	if s.cfg.Origin == "config" {
		if filepath.Base(s.cfg.Root) != ".gemini" {
			return "", nil
		}
		argv = append([]string{"env", "GEMINI_CLI_HOME=" + filepath.Dir(s.cfg.Root)}, argv...)
	}
	return x.Directory, argv
}
