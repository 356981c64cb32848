package config

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"
)

// findHome finds the person's home: HOME, else what the system's list of users
// says. A relative one would make folders wherever recap is run.
func (c *Config) findHome(userHome func() string) {
	if c.home != "" {
		return
	}
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	c.home = c.env(name)
	if c.home != "" && !filepath.IsAbs(c.home) {
		c.ignored(name)
		c.home = ""
	}
	if c.home != "" {
		return
	}
	if userHome == nil {
		userHome = systemHome
	}
	if c.home = userHome(); !filepath.IsAbs(c.home) {
		c.home = ""
	}
}

func systemHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// ignored notes a variable that is no absolute path.
func (c *Config) ignored(name string) {
	c.Problems = append(c.Problems, Problem{Origin: "environment", Key: name, Message: "is no absolute path, so it does not count"})
}

// Home is the person's home directory, "" where nothing says which it is: then
// recap has no place to work in.
func (c *Config) Home() string { return c.home }

// base gives the directory of a kind of files: what the variable says, where
// that is an absolute path, else the usual one.
func (c *Config) base(name string) string {
	if v := c.env(name); filepath.IsAbs(v) {
		return v
	}
	return c.usualBase(name)
}

// usualBase is base where no variable says otherwise.
func (c *Config) usualBase(name string) string {
	switch runtime.GOOS {
	case "windows":
		return map[string]string{"XDG_CONFIG_HOME": xdg.ConfigHome, "XDG_DATA_HOME": xdg.DataHome, "XDG_STATE_HOME": xdg.StateHome, "XDG_CACHE_HOME": xdg.CacheHome}[name]
	case "darwin":
		if name == "XDG_CACHE_HOME" {
			return filepath.Join(c.home, "Library", "Caches")
		}
		return filepath.Join(c.home, "Library", "Application Support")
	}
	return filepath.Join(c.home, filepath.FromSlash(map[string]string{
		"XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state", "XDG_CACHE_HOME": ".cache",
	}[name]))
}

// agentNames are the agents' names.
func agentNames() []string { return []string{"claude", "codex", "gemini", "opencode", "qwen"} }

// usual gives the usual root of an agent's home and its origin.
func (c *Config) usual(agent string) (root, origin string) {
	home := c.home
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
		if filepath.IsAbs(c.env("XDG_DATA_HOME")) && from("XDG_DATA_HOME", "opencode") {
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

// findSources lists the homes to read: the usual one of each agent unless the
// settings move it or switch it off, and those of further tables.
func (c *Config) findSources() {
	names := agentNames()
	for _, name := range c.names {
		if !slices.Contains(names, name) && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if s, ok := c.sourceOf(name); ok {
			c.Sources = append(c.Sources, s)
		}
	}
	slices.SortStableFunc(c.Sources, func(a, b Source) int { return strings.Compare(a.Agent+"\x00"+a.Name, b.Agent+"\x00"+b.Name) })
	// Two names of one directory are one home: the first that is on counts.
	seen := map[string]bool{}
	c.Sources = slices.DeleteFunc(c.Sources, func(s Source) bool {
		if !s.Enabled {
			return false
		}
		key := s.Agent + "\x00" + linkTarget(s.Root) + "\x00" + s.URL + "\x00" + linkTarget(s.Database)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// linkTarget is the path that links lead to, where there is one.
func linkTarget(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// sourceOf makes the home of a name; false where the settings don't say enough.
func (c *Config) sourceOf(name string) (Source, bool) {
	key := "sources." + name
	s := Source{Name: name, Agent: name, Enabled: true}
	ours := slices.Contains(agentNames(), name)
	if ours {
		s.Root, s.Origin = c.usual(name)
		if db := c.env("OPENCODE_DB"); name == "opencode" && db != "" && db != ":memory:" {
			s.Database, s.Origin = db, "env OPENCODE_DB"
			if !filepath.IsAbs(db) {
				s.Database = filepath.Join(s.Root, db)
			}
		}
		if a := c.Text(key + ".agent"); a != "" && a != name {
			c.problem(key+".agent", "must be "+name+": a home of another agent needs a name of its own")
		}
	} else if s.Agent = c.Text(key + ".agent"); s.Agent == "" {
		if !c.blames(key) {
			c.problem(key, "unknown agent; a home with a name of its own needs agent = one of "+strings.Join(agentNames(), ", "))
		}
		return s, false
	}
	if v, ok := c.values[key+".enabled"]; ok {
		s.Enabled = c.Bool(key + ".enabled")
		if !s.Enabled {
			s.Origin = v.Origin
		}
	}
	c.server(&s, key)
	if d := c.Text(key + ".database"); d != "" {
		s.Database, s.Origin, s.Chosen = expand(d, c.home), c.values[key+".database"].Origin, true
		if s.Root == "" {
			s.Root = filepath.Dir(s.Database)
		}
	}
	if h := c.Text(key + ".home"); h != "" {
		s.Root, s.Origin, s.Chosen = expand(h, c.home), c.values[key+".home"].Origin, true
		if c.Text(key+".database") == "" {
			s.Database = "" // the variable speaks of the usual home
		}
	}
	if s.Root == "" && s.URL == "" {
		c.problem(key+".home", "is missing: the directory of this home")
		return s, false
	}
	return s, true
}

// defaultNamespace is sources.NAME.metadata_namespace where it is not set.
const defaultNamespace = "recap"

// server takes what the settings say of OpenCode's server. Its password is
// there in words, or a reference to it.
func (c *Config) server(s *Source, key string) {
	s.URL, s.Username, s.Namespace = c.Text(key+".url"), c.Text(key+".username"), c.Text(key+".metadata_namespace")
	if s.Namespace == "" {
		s.Namespace = defaultNamespace
	}
	if s.URL != "" && s.Agent != "opencode" {
		c.problem(key+".url", "counts for OpenCode alone")
		s.URL = ""
	}
	if s.Password = c.Text(key + ".password"); s.URL == "" || !strings.HasPrefix(s.Password, "{") {
		return
	}
	if s.Password, _, s.PasswordProblem = c.secret(s.Password); s.PasswordProblem != "" {
		c.problem(key+".password", s.PasswordProblem)
	}
}

// problem notes what is wrong at a key of the file.
func (c *Config) problem(key, message string) {
	c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: c.lineOf(key), Key: key, Message: message})
}

// lineOf is the line of a key, or of the table it stands in.
func (c *Config) lineOf(key string) int {
	for {
		if line := c.lines[key]; line > 0 {
			return line
		}
		i := strings.LastIndexByte(key, '.')
		if i < 0 {
			return 0
		}
		key = key[:i]
	}
}

// blames reports whether something below the key was already found wrong.
func (c *Config) blames(key string) bool {
	return slices.ContainsFunc(c.Problems, func(p Problem) bool { return p.Key == key || strings.HasPrefix(p.Key, key+".") })
}

// DataDir is where the store lives.
func (c *Config) DataDir() string {
	return filepath.Join(c.base("XDG_DATA_HOME"), "recap")
}

// StateDir is where logs live.
func (c *Config) StateDir() string {
	return filepath.Join(c.base("XDG_STATE_HOME"), "recap")
}

// CacheDir is where the index of the agents' files lives.
func (c *Config) CacheDir() string {
	return filepath.Join(c.base("XDG_CACHE_HOME"), "recap")
}

// StorePath is the path of the SQLite store, "" where another store is set.
func (c *Config) StorePath() string {
	switch u := c.Text(storeKey); {
	case u == "" || u == "sqlite":
		return filepath.Join(c.DataDir(), "recap.db")
	case strings.HasPrefix(u, "sqlite:") && isStore(u):
		return expand(strings.TrimPrefix(u, "sqlite:"), c.home)
	}
	return ""
}

// LogPath is the log file, "" where logging is off.
func (c *Config) LogPath() string {
	if v := c.env("RECAP_LOG"); v == "off" || v == "0" {
		return ""
	}
	if f := c.Text("log.file"); f != "" {
		return expand(f, c.home)
	}
	return filepath.Join(c.StateDir(), "recap.log")
}

// StatusPath is where a daemon says what it does. A store that is not the
// usual one has a file of its own, also where a variable moved it.
func (c *Config) StatusPath() string {
	name := "daemon.json"
	if path := c.StorePath(); path != filepath.Join(c.usualBase("XDG_DATA_HOME"), "recap", "recap.db") {
		h := fnv.New32a()
		h.Write([]byte(path)) //nolint:gosec // a hash never fails
		name = fmt.Sprintf("daemon-%08x.json", h.Sum32())
	}
	return filepath.Join(c.StateDir(), name)
}

// Exclude are the directories that are never read, absolute, by every name
// they have. A relative one in the settings file begins at the home directory.
func (c *Config) Exclude() []string {
	var out []string
	for _, d := range c.List(excludeKey) {
		if d == "" {
			continue
		}
		if strings.HasPrefix(c.values[excludeKey].Origin, "file ") && !filepath.IsAbs(d) && !strings.HasPrefix(d, "~") {
			d = filepath.Join(c.home, d)
		}
		d = expand(d, c.home)
		out = append(out, d)
		if to := linkTarget(d); to != d {
			out = append(out, to)
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

// Env reads a variable of the process.
func (c *Config) Env(name string) string { return c.env(name) }

// WorkDir is the directory the process runs in, as the person named it where
// the shell says so.
func WorkDir() (string, error) { return os.Getwd() }
