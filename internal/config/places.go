package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
)

// agents are the agents' names, with their usual home below the person's.
var agents = []string{"claude", "codex", "gemini", "opencode", "qwen"}

// usual gives the usual root of an agent's home and its origin.
func (c *Config) usual(agent, home string) (root, origin string) {
	from := func(name, below string) bool {
		v := c.env(name)
		if v == "" {
			return false
		}
		root, origin = filepath.Join(expand(v, home), below), "env "+name
		return true
	}
	switch agent {
	case "claude":
		if from("CLAUDE_CONFIG_DIR", "") {
			return root, origin
		}
		return filepath.Join(home, ".claude"), "default"
	case "codex":
		if from("CODEX_HOME", "") {
			return root, origin
		}
		return filepath.Join(home, ".codex"), "default"
	case "gemini":
		if from("GEMINI_CLI_HOME", ".gemini") {
			return root, origin
		}
		return filepath.Join(home, ".gemini"), "default"
	case "qwen":
		if from("QWEN_RUNTIME_DIR", "") || from("QWEN_HOME", "") {
			return root, origin
		}
		return filepath.Join(home, ".qwen"), "default"
	case "opencode":
		if from("XDG_DATA_HOME", "opencode") {
			return root, origin
		}
		return filepath.Join(home, ".local", "share", "opencode"), "default"
	}
	return "", ""
}

func expand(p, home string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		p = filepath.Join(home, p[1:])
	}
	if !filepath.IsAbs(p) {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
	}
	return filepath.Clean(p)
}

// findSources lists the homes to read: the usual one of each agent unless its
// table moves it or switches it off, and those of further tables.
func (c *Config) findSources(home string, tables map[string]sourceTable) {
	for _, a := range agents {
		root, origin := c.usual(a, home)
		s := Source{Name: a, Agent: a, Root: root, Origin: origin, Enabled: true}
		if a == "opencode" {
			if db := c.env("OPENCODE_DB"); db != "" && db != ":memory:" {
				s.Database = db
				if !filepath.IsAbs(db) {
					s.Database = filepath.Join(root, db)
				}
				s.Origin = "env OPENCODE_DB"
			}
		}
		if t, ok := tables[a]; ok {
			c.apply(&s, t, home)
		}
		if v := c.env(EnvName("sources." + a)); v != "" {
			switch v {
			case "0", "false", "off":
				s.Enabled, s.Origin = false, "env "+EnvName("sources."+a)
			case "1", "true", "on":
				s.Enabled = true
			default:
				s.Root, s.Origin = expand(v, home), "env "+EnvName("sources."+a)
			}
		}
		c.Sources = append(c.Sources, s)
	}
	for name, t := range tables {
		if slices.Contains(agents, name) {
			continue
		}
		s := Source{Name: name, Enabled: true}
		s.Agent, _ = t.values["agent"].(string)
		if !slices.Contains(agents, s.Agent) {
			c.Problems = append(c.Problems, Problem{
				Origin: c.Path, Key: "sources." + name + ".agent", Message: "must be one of " + strings.Join(agents, ", ") + " for a home with a name of its own",
			})
			continue
		}
		c.apply(&s, t, home)
		if s.Root == "" && s.URL == "" {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Key: "sources." + name + ".home", Message: "is missing: the directory of this home"})
			continue
		}
		c.Sources = append(c.Sources, s)
	}
	slices.SortStableFunc(c.Sources, func(a, b Source) int { return strings.Compare(a.Agent+"\x00"+a.Name, b.Agent+"\x00"+b.Name) })
	// Two names of one directory are one home: the first counts.
	var seen []string
	c.Sources = slices.DeleteFunc(c.Sources, func(s Source) bool {
		key := s.Agent + "\x00" + s.Root + "\x00" + s.URL + "\x00" + s.Database
		if slices.Contains(seen, key) {
			return true
		}
		seen = append(seen, key)
		return false
	})
}

func (c *Config) apply(s *Source, t sourceTable, home string) {
	s.Enabled = !t.off
	if h, ok := t.values["home"].(string); ok && h != "" {
		s.Root, s.Origin = expand(h, home), "file "+c.Path
	}
	if u, ok := t.values["url"].(string); ok {
		s.URL = u
	}
	if d, ok := t.values["database"].(string); ok && d != "" {
		s.Database, s.Origin = expand(d, home), "file "+c.Path
	}
}

// DataDir is where the store lives.
func (c *Config) DataDir() string {
	return filepath.Join(dir(c.env("XDG_DATA_HOME"), xdg.DataHome), "recap")
}

// StateDir is where logs live.
func (c *Config) StateDir() string {
	return filepath.Join(dir(c.env("XDG_STATE_HOME"), xdg.StateHome), "recap")
}

// CacheDir is where the index of the agents' files lives.
func (c *Config) CacheDir() string {
	return filepath.Join(dir(c.env("XDG_CACHE_HOME"), xdg.CacheHome), "recap")
}

// StorePath is the path of the SQLite store, "" where another store is set.
func (c *Config) StorePath() string {
	switch u := c.Text("store.url"); {
	case u == "" || u == "sqlite":
		return filepath.Join(c.DataDir(), "recap.db")
	case strings.HasPrefix(u, "sqlite:"):
		return expand(strings.TrimPrefix(u, "sqlite:"), xdg.Home)
	}
	return ""
}

// LogPath is the log file, "" where logging is off.
func (c *Config) LogPath() string {
	if v := c.env("RECAP_LOG"); v == "off" || v == "0" {
		return ""
	}
	if f := c.Text("log.file"); f != "" {
		return expand(f, xdg.Home)
	}
	return filepath.Join(c.StateDir(), "recap.log")
}

// Exclude are the directories that are never read, absolute.
func (c *Config) Exclude() []string {
	var out []string
	for _, d := range c.List("privacy.exclude") {
		if d != "" {
			out = append(out, expand(d, xdg.Home))
		}
	}
	return out
}

// Self are the ids of agent sessions that run this very process.
func (c *Config) Self() []string {
	var out []string
	for _, name := range []string{"CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "QWEN_SESSION_ID", "OPENCODE_SESSION_ID"} {
		if v := c.env(name); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// Shell is the person's shell, for completion hints.
func (c *Config) Shell() string { return filepath.Base(c.env("SHELL")) }

// Env reads a variable of the process.
func (c *Config) Env(name string) string { return c.env(name) }

// WorkDir is the directory the process runs in, as the person named it where
// the shell says so.
func WorkDir() (string, error) { return os.Getwd() }
