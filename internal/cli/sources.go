package cli

import (
	"slices"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/claudecode"
	"github.com/sessionrecap/recap/agent/codex"
	"github.com/sessionrecap/recap/agent/geminicli"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/agent/qwencode"
	"github.com/sessionrecap/recap/internal/config"
)

// sources are those that the settings name: homes, and servers beside them.
type sources struct {
	all     []agent.Source
	local   []*opencode.Source
	servers []*opencode.Server
	of      map[named]agent.Source
	index   map[agent.Source]*agent.FileIndex
}

// named is what the settings say of a source.
type named struct {
	config.Source
	server bool
}

// homeNamed leaves out what is said of the server beside a home.
func homeNamed(s config.Source) named {
	s.URL, s.Username, s.Password, s.PasswordProblem, s.Namespace = "", "", "", "", ""
	return named{s, false}
}

// assemble makes the sources that are on. One of which the settings say the
// same as before stays the same. It reports whether any is another.
func (a *app) assemble(c *config.Config) bool {
	a.mu.Lock()
	was := a.src
	a.mu.Unlock()
	is := sources{of: map[named]agent.Source{}, index: map[agent.Source]*agent.FileIndex{}}
	take := func(n named, src agent.Source) {
		is.all = append(is.all, src)
		is.of[n] = src
	}
	for _, s := range c.Sources {
		n := homeNamed(s)
		src, index := was.of[n], was.index[was.of[n]]
		if src == nil {
			src, index = a.source(c, s)
		}
		if src == nil {
			continue
		}
		take(n, src)
		is.index[src] = index
		if x, ok := src.(*opencode.Source); ok {
			is.local = append(is.local, x)
		}
	}
	for _, s := range c.Sources {
		n := named{s, true}
		srv, ok := was.of[n].(*opencode.Server)
		if !ok || !slices.Equal(was.local, is.local) { // it tells its sessions apart from theirs
			srv = a.server(c, s, is.local)
		}
		if srv != nil {
			take(n, srv)
			is.servers = append(is.servers, srv)
		}
	}
	a.mu.Lock()
	a.src = is
	a.mu.Unlock()
	return !slices.Equal(was.all, is.all)
}

// reads gives what is read now.
func (a *app) reads() sources {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.src
}

// source makes the source of a home, nil where it is off.
func (a *app) source(c *config.Config, s config.Source) (agent.Source, *agent.FileIndex) {
	if !s.Enabled || s.Root == "" {
		return nil, nil
	}
	file := agent.OpenIndex(a.indexPath(s))
	idx := cleanIndex{Index: file, excluded: a.narrow.out, redact: a.cfg.Bool("privacy.redact")}
	if s.Chosen {
		s.Origin = "config" // the agent's own command must be told of it
	}
	var src agent.Source
	switch recap.Agent(s.Agent) {
	case recap.Claude:
		src = claudecode.New(claudecode.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx, Exclude: c.Exclude()})
	case recap.Codex:
		src = codex.New(codex.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx, Exclude: c.Exclude()})
	case recap.Gemini:
		src = geminicli.New(geminicli.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx, Exclude: c.Exclude()})
	case recap.Qwen:
		src = qwencode.New(qwencode.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx, Exclude: c.Exclude()})
	case recap.OpenCode:
		src = opencode.New(opencode.Config{Name: s.Name, Root: s.Root, DB: s.Database, Origin: s.Origin, Index: idx, Exclude: c.Exclude()})
	default:
		return nil, nil
	}
	a.mu.Lock()
	a.indexes = append(a.indexes, file)
	a.mu.Unlock()
	return src, file
}
