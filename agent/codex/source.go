package codex

import (
	"context"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Config says where a source reads.
type Config struct {
	// Name of the home in the settings, "codex" where empty.
	Name string
	// Root is the absolute path of the Codex home.
	Root string
	// Origin says how the root was chosen ("default", "env CODEX_HOME",
	// "config").
	Origin string
	// Index remembers listings; nil remembers nothing.
	Index agent.Index
	// Exclude are absolute directories whose sessions Watch does not tell of and
	// does not read.
	Exclude []string
}

// Source reads the sessions of one Codex home. It is safe for concurrent use.
type Source struct {
	home    agent.Home
	index   agent.Index
	unread  []string // the directories that Watch leaves out
	deep    bool     // where the end of a rollout tells nothing it is read further back
	parsers fastjson.ParserPool

	mu      sync.Mutex
	known   *catalog // of the newest listing
	exclude []string // what it left out
	titles  titles
}

var (
	_ agent.Source  = (*Source)(nil)
	_ agent.Resumer = (*Source)(nil)
)

// New makes a source. Nothing is read.
func New(cfg Config) *Source {
	if cfg.Name == "" {
		cfg.Name = string(recap.Codex)
	}
	if cfg.Index == nil {
		cfg.Index = agent.NoIndex{}
	}
	return &Source{
		home:  agent.Home{Name: cfg.Name, Root: cfg.Root, Origin: cfg.Origin},
		index: cfg.Index, unread: cfg.Exclude,
	}
}

// Agent names the agent.
func (s *Source) Agent() recap.Agent { return recap.Codex }

// Home says where this source reads, and whether anything is there.
func (s *Source) Home() agent.Home {
	return filelog.FindHome(s.home, s.home.Root, filepath.Join(s.home.Root, "sessions"))
}

// ResumeCommand gives the command that continues a session. A home that
// Codex does not find by itself is named to it where the system has "env".
func (s *Source) ResumeCommand(x recap.Session) (dir string, argv []string) {
	if x.Ref.ID == "" || strings.HasPrefix(x.Ref.ID, "-") {
		return x.Directory, nil
	}
	argv = []string{"codex", "resume", x.Ref.ID}
	if s.home.Origin == "config" && runtime.GOOS != "windows" {
		argv = append([]string{"env", "CODEX_HOME=" + s.home.Root}, argv...)
	}
	return x.Directory, argv
}

// Sessions yields the sessions newest first.
func (s *Source) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		var problems []*agent.Problem
		cat, err := s.scan(ctx, q.Exclude, func(p *agent.Problem) { problems = append(problems, p) })
		for _, p := range problems {
			if !yield(recap.Session{}, p) {
				return
			}
		}
		if err != nil {
			yield(recap.Session{}, err)
			return
		}
		all := s.list(cat)
		await(cat, all)
		for i := range all {
			if chosen(&all[i], q) && !yield(all[i], nil) {
				return
			}
		}
	}
}

// chosen reports that a query asks for the session.
func chosen(x *recap.Session, q agent.Query) bool {
	return (!x.Archived || q.Archived) && (x.ParentID == "" || q.Subagents) && (q.Since.IsZero() || !x.UpdatedAt.Before(q.Since))
}

// list makes the sessions of a catalogue, the newest first.
func (s *Source) list(cat *catalog) []recap.Session {
	titles := s.readTitles()
	var all []recap.Session
	for id, t := range cat.threads {
		x, ok := cat.session(t)
		if !ok {
			continue
		}
		if title := titles[id]; title != "" {
			x.Title = title
		}
		x.Home = s.home.Name
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b recap.Session) int {
		if c := b.UpdatedAt.Compare(a.UpdatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.Ref.ID, b.Ref.ID)
	})
	return all
}
