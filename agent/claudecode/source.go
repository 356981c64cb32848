package claudecode

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Config says where a source reads.
type Config struct {
	// Name of the home in the settings, "claude" where empty.
	Name string
	// Root is the absolute path of the agent's home.
	Root string
	// Origin says how Root was chosen.
	Origin string
	// Index remembers what listing learnt; nil remembers nothing.
	Index agent.Index
	// Exclude are absolute directories whose sessions Watch does not tell of and
	// nothing is remembered of, as in agent.Query.
	Exclude []string
	// Alive reports whether the process runs that was started at start (in
	// the agent's notation, "" where it noted none) in domain, its name for
	// the machine, and whether that can be told from here. Nil asks the system.
	Alive func(pid int, start, domain string) (alive, known bool)
}

// Source reads one home of Claude Code. Safe for concurrent use.
type Source struct {
	cfg Config
	// watches: only listings are asked for, and nothing is kept between them.
	watches bool

	mu    sync.Mutex
	known map[string]*session // by id, of the newest listing
	// marks are the rows of the session that another was copied from without
	// a link, kept for the pages of the copy.
	marks copied
}

var (
	_ agent.Source  = (*Source)(nil)
	_ agent.Resumer = (*Source)(nil)
)

// New makes a source. Nothing is read.
func New(cfg Config) *Source {
	if cfg.Name == "" {
		cfg.Name = string(recap.Claude)
	}
	if cfg.Index == nil {
		cfg.Index = agent.NoIndex{}
	}
	if cfg.Alive == nil {
		cfg.Alive = running
	}
	return &Source{cfg: cfg}
}

// Agent implements agent.Source.
func (s *Source) Agent() recap.Agent { return recap.Claude }

// Home implements agent.Source.
func (s *Source) Home() agent.Home {
	return filelog.FindHome(agent.Home{Name: s.cfg.Name, Root: s.cfg.Root, Origin: s.cfg.Origin}, s.cfg.Root, filepath.Join(s.cfg.Root, "projects"))
}

// ResumeCommand implements agent.Resumer. The directory matters: older
// versions resume a session in its own project only.
func (s *Source) ResumeCommand(x recap.Session) (dir string, argv []string) {
	if x.Ref.ID == "" || x.Ref.ID[0] == '-' {
		return "", nil
	}
	argv = []string{"claude", "--resume", x.Ref.ID}
	if s.cfg.Origin == "config" {
		argv = append([]string{"env", "CLAUDE_CONFIG_DIR=" + s.cfg.Root}, argv...)
	}
	return x.Directory, argv
}

// session is a session and the files it stands in.
type session struct {
	recap.Session
	facts
	path string
	// older are the files of the sessions that were continued in this one,
	// newest first.
	older []*session
	// copyOf are sessions that this one begins with rows of, without a link.
	copyOf []*session
	// others are the sessions it may have copied rows of.
	others    map[string]*session
	sidechain bool
	hidden    bool
}

// Sessions implements agent.Source.
func (s *Source) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		all, problems, err := s.list(ctx, q, true)
		for _, p := range problems {
			if !yield(recap.Session{}, p) {
				return
			}
		}
		if err != nil {
			yield(recap.Session{}, err)
			return
		}
		live := s.lives(ctx)
		slices.SortFunc(all, func(a, b *session) int {
			if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
				return c
			}
			return strings.Compare(a.Ref.ID, b.Ref.ID)
		})
		for _, x := range all {
			if x.hidden || x.UpdatedAt.Before(q.Since) {
				continue
			}
			out := x.Session
			out.State, out.WaitingFor = live.session(x.Ref.ID, x.terminal).stateOf(x.State, x.open, x.asked, x.UpdatedAt)
			if !yield(out, nil) {
				return
			}
		}
	}
}

// list finds all sessions. Without remember the index is only asked.
func (s *Source) list(ctx context.Context, q agent.Query, remember bool) ([]*session, []*agent.Problem, error) {
	var files []filelog.File
	var problems []*agent.Problem
	keep := func(rel string, dir bool) bool {
		depth := strings.Count(rel, "/")
		if dir {
			return depth == 0 || q.Subagents && (depth == 1 || strings.Contains(rel+"/", "/subagents/"))
		}
		if !strings.HasSuffix(rel, ".jsonl") {
			return false
		}
		return depth == 1 || depth > 2 && strings.Contains(rel, "/subagents/")
	}
	err := filelog.Walk(ctx, filepath.Join(s.cfg.Root, "projects"), keep,
		func(f filelog.File) { files = append(files, f) },
		func(p *agent.Problem) { problems = append(problems, p) })
	if err != nil {
		return nil, nil, err
	}
	p := &parser{}
	all := make([]*session, 0, len(files))
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		x, problem := s.file(f, q.Exclude, p, remember)
		if problem != nil {
			problems = append(problems, problem)
		}
		if x != nil && (q.Subagents || x.ParentID == "") {
			all = append(all, x)
		}
	}
	all = merge(all)
	if s.watches {
		return all, problems, nil
	}
	s.mu.Lock()
	s.known = make(map[string]*session, len(all))
	for _, x := range all {
		s.known[x.Ref.ID] = x
	}
	s.mu.Unlock()
	return all, problems, nil
}

const skipExcluded, skipEmpty, skipUnreadable = "excluded directory", "no conversation", "no readable row"

// file gives the session of one file, from the index where the file is what
// it was. Nil where it holds none to be shown.
func (s *Source) file(f filelog.File, exclude []string, p *parser, remember bool) (*session, *agent.Problem) {
	e, ok := s.cfg.Index.Lookup(f.Path)
	fresh := ok && filelog.Unchanged(e, f)
	if fresh && e.Skip == skipExcluded {
		if !remember || slices.Equal(e.Facts, []string{mark(exclude)}) {
			return nil, nil
		}
		fresh = false // it may not be excluded any more
	}
	parent := parentOf(f.Rel)
	if !fresh {
		ends, err := filelog.ReadEnds(f.Path)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil // deleted meanwhile
			}
			return nil, filelog.ProblemOf(f.Path, err)
		}
		f.Size, f.ModTime, f.Change, f.Inode = ends.File.Size, ends.File.ModTime, ends.File.Change, ends.File.Inode
		now := ends.Entry()
		if ok && e.Skip != skipExcluded && e.Size == now.Size && e.Head == now.Head && e.Tail == now.Tail {
			now.Session, now.Facts, now.Skip, now.Broken = e.Session, e.Facts, e.Skip, e.Broken
			if now.Skip == "" {
				now.Session.Stamp = f.Stamp()
			}
		} else {
			p.sidechain = parent != ""
			x, facts, skip := learn(ends, p)
			if skip == "" && ok && e.Skip == "" {
				x, facts = since(ends, e, x, facts, p)
			}
			now.Broken = facts.broken
			if now.Skip = skip; skip == "" {
				x.Ref = recap.SessionRef{Agent: recap.Claude, Root: s.cfg.Root, ID: stem(f.Rel)}
				x.ParentID, x.Stamp = parent, f.Stamp()
				if parent == unknownParent && facts.parent != "" {
					x.ParentID = facts.parent
				}
				now.Session, now.Facts = x, facts.encode()
			}
		}
		e = now
	}
	x := &session{Session: e.Session, facts: decodeFacts(e.Facts), path: f.Path, sidechain: parent != ""}
	if e.Skip == "" && (agent.Excluded(x.Directory, exclude) || agent.Excluded(x.start, exclude)) {
		e = agent.Entry{Size: e.Size, ModTime: e.ModTime, Change: e.Change, Skip: skipExcluded, Facts: []string{mark(exclude)}}
		fresh = false
	}
	if !fresh && remember {
		s.cfg.Index.Remember(f.Path, e)
	}
	switch {
	case e.Skip == "":
		x.Home = s.cfg.Name
		return x, filelog.Broken(f.Path, e.Broken)
	case e.Skip == skipUnreadable:
		return nil, filelog.ProblemOf(f.Path, filelog.ErrNoRow)
	case e.Skip == skipEmpty && e.Size == 0 && !s.watches:
		return nil, filelog.ProblemOf(f.Path, filelog.ErrEmpty)
	}
	return nil, filelog.Broken(f.Path, e.Broken)
}

// stem is the session's id: the name of its file.
func stem(rel string) string {
	return strings.TrimSuffix(rel[strings.LastIndexByte(rel, '/')+1:], ".jsonl")
}

// parentOf gives the session whose subagent the file belongs to: its folder
// says so, or, in some versions, its name alone says that it is a subagent's.
func parentOf(rel string) string {
	parts := strings.Split(rel, "/")
	if i := slices.Index(parts, "subagents"); i > 0 {
		return parts[i-1]
	}
	if strings.HasPrefix(parts[len(parts)-1], "agent-") {
		return unknownParent
	}
	return ""
}

// unknownParent stands for a session that neither folder nor rows name.
const unknownParent = "unknown"

// mark stands for a list of excluded directories in the index.
func mark(dirs []string) string {
	h := fnv.New64a()
	for _, d := range dirs {
		fmt.Fprintf(h, "%q", d) //nolint:errcheck // a hash never fails
	}
	return strconv.FormatUint(h.Sum64(), 16)
}

// resolve finds a session by its id among those that were found by walking:
// an id is never made a path.
func (s *Source) resolve(ctx context.Context, ref recap.SessionRef) (*session, error) {
	notFound := &recap.Error{Code: recap.CodeSessionNotFound, Message: "there is no such session of Claude Code"}
	if ref.Agent != recap.Claude || ref.Root != s.cfg.Root || ref.ID == "" {
		return nil, notFound
	}
	s.mu.Lock()
	x := s.known[ref.ID]
	s.mu.Unlock()
	if x != nil {
		if _, err := filelog.Stat(x.path); err == nil {
			return x, nil
		}
	}
	q := agent.Query{Subagents: strings.HasPrefix(ref.ID, "agent-")}
	if _, _, err := s.list(ctx, q, false); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.known[ref.ID]; x != nil {
		return x, nil
	}
	return nil, notFound
}
