package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// setup writes a settings file and loads it in a home of its own.
func setup(t *testing.T, file string, env map[string]string) (*Config, string) {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, "config.toml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return load(home, path, env), home
}

func load(home, path string, env map[string]string) *Config {
	return Load(Options{Home: home, Env: func(name string) string {
		if v, ok := env[name]; ok {
			return v
		}
		switch name {
		case "RECAP_CONFIG":
			return path
		case "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME":
			return filepath.Join(home, strings.ToLower(name))
		}
		return ""
	}})
}

// samples are a good and a bad value of each kind, as a file has them, with
// the value that is read.
func samples(s Setting) (good string, want any, bad []string) {
	if len(s.choice) > 0 {
		return quote(s.choice[0]), s.choice[0], []string{`"something else"`, `1`}
	}
	if x := map[string]string{
		"model.override": "p/m", "language": "de", "server.listen": "localhost:1", "log.file": "/x", "store.url": "sqlite:/x", "sources.NAME.home": "/x",
		"sources.NAME.database": "/x", "sources.NAME.url": "http://h:1", "model.providers.NAME.base_url": "https://h/v1",
	}[s.Key]; x != "" {
		bad := []string{`1`, `true`, `["x"]`}
		if s.Key != storeKey { // what can't be one stays: see TestStoreThatIsNotUnderstood
			bad = append(bad, `"\u0007"`)
		}
		return quote(x), x, bad
	}
	switch s.kind {
	case boolean:
		return "true", true, []string{`"yes"`, `1`}
	case text:
		return `"x"`, "x", []string{`1`, `true`, `["x"]`}
	case duration:
		return `"90s"`, 90 * time.Second, []string{`"soon"`, `"-5s"`, `"0s"`, `60`}
	case minutes:
		return `2.5`, 150 * time.Second, []string{`"soon"`, `true`, `nan`, `1e300`}
	case count:
		return `3`, 3, []string{`-1`, `"3"`, `3.5`, `99999999999`}
	case limit:
		return `12.5`, 12.5, []string{`-1`, `-0.5`, `"many"`, `inf`, `nan`}
	case list:
		return `["a", "b"]`, []string{"a", "b"}, []string{`"a"`, `[1]`, `true`}
	case texts:
		return `{ a = "b" }`, map[string]string{"a": "b"}, []string{`"a"`, `{ a = 1 }`}
	case switched:
	}
	return "", nil, nil
}

// Every key: its default, a value from the file, from the environment, from a
// flag, each with its origin, and values of a wrong type by line.
func TestEverySetting(t *testing.T) {
	for _, s := range Settings() {
		t.Run(s.Key, func(t *testing.T) {
			c, _ := setup(t, "", nil)
			if v := c.values[s.Key]; !reflect.DeepEqual(v.Value, s.Default) || v.Origin != "default" {
				t.Errorf("default %+v", v)
			}
			table, name, _ := strings.Cut(s.Key, ".")
			line := func(value string) string {
				if name == "" {
					return "# one\n" + table + " = " + value + "\n"
				}
				return "# one\n[" + table + "]\n" + name + " = " + value + "\n"
			}
			good, want, bad := samples(s)
			c, home := setup(t, line(good), nil)
			origin := "file " + filepath.Join(home, "config.toml")
			if v := c.values[s.Key]; !reflect.DeepEqual(v.Value, want) || v.Origin != origin || len(c.Problems) > 0 {
				t.Errorf("file: %+v %v", v, c.Problems)
			}
			for _, b := range bad {
				c, home := setup(t, line(b), nil)
				if v := c.values[s.Key]; !reflect.DeepEqual(v.Value, s.Default) || v.Origin != "default" {
					t.Errorf("%s: %+v", b, v)
				}
				at := 3
				if name == "" {
					at = 2
				}
				if len(c.Problems) != 1 || c.Problems[0].Key != s.Key || c.Problems[0].Line != at {
					t.Errorf("%s: problems %v", b, c.Problems)
				} else if text := c.Problems[0].String(); !strings.HasPrefix(text, fmt.Sprintf("%s:%d: %s: must be ", filepath.Join(home, "config.toml"), at, s.Key)) {
					t.Errorf("%s: %s", b, text)
				}
			}
			// The environment outranks the file, a flag outranks it.
			env := strings.Trim(good, `"`)
			if s.kind == list {
				env = "a" + string(filepath.ListSeparator) + "b"
			}
			variable := "RECAP_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
			c, home = setup(t, "", map[string]string{variable: env})
			if v := c.values[s.Key]; !reflect.DeepEqual(v.Value, want) || v.Origin != "env "+variable {
				t.Errorf("environment: %+v %v", v, c.Problems)
			}
			c = Load(Options{Home: home, Flags: map[string]any{s.Key: s.Default}, Env: func(n string) string {
				return map[string]string{variable: env, "RECAP_CONFIG": filepath.Join(home, "config.toml")}[n]
			}})
			if v := c.values[s.Key]; !reflect.DeepEqual(v.Value, s.Default) || v.Origin != "flag" {
				t.Errorf("flag: %+v %v", v, c.Problems)
			}
			if s.kind != text || len(s.choice) > 0 {
				c, _ = setup(t, line(good), map[string]string{variable: "?"})
				if s.kind != list && (len(c.Problems) != 1 || c.Problems[0].Origin != "environment" || c.Problems[0].Line != 0) {
					t.Errorf("a wrong variable: %v", c.Problems)
				}
			}
		})
	}
}

func TestEveryTableKey(t *testing.T) {
	for _, s := range Tables() {
		if s.kind == switched {
			continue
		}
		t.Run(s.Key, func(t *testing.T) {
			key := strings.Replace(s.Key, "NAME", "claude", 1)
			if strings.HasSuffix(key, ".url") { // only OpenCode has servers
				key = "sources.opencode.url"
			}
			good, want, bad := samples(s)
			if strings.HasSuffix(s.Key, ".agent") {
				good, want = `"claude"`, "claude"
			}
			c, _ := setup(t, key+" = "+good+"\n", nil)
			if v := c.values[key]; !reflect.DeepEqual(v.Value, want) || len(c.Problems) > 0 {
				t.Errorf("%+v %v", v, c.Problems)
			}
			for _, b := range bad {
				c, _ := setup(t, "\n"+key+" = "+b+"\n", nil)
				if _, ok := c.values[key]; ok || len(c.Problems) == 0 || c.Problems[0].Key != key || c.Problems[0].Line != 2 {
					t.Errorf("%s: %v", b, c.Problems)
				}
			}
		})
	}
}

func TestProblemsAreNamedWithLineAndKey(t *testing.T) {
	tests := []struct {
		name, file string
		line       int
		key, hint  string
	}{
		{"unknown key", "[assist]\nrecap = true\nfoo = 1\n", 3, "assist.foo", "recap config lists"},
		{"unknown key in the wrong table", "[assist]\nthreshold = 5\n", 2, "assist.threshold", "away.threshold"},
		{"a slip of the pen", "[privacy]\nexlude = []\n", 2, "privacy.exlude", "privacy.exclude"},
		{"unknown table", "\n[asist]\nauto = true\n", 2, "asist", "unknown table"},
		{"unknown dotted key", "\nasist.auto = true\n", 2, "asist", "unknown table"},
		{"a value where a table should be", "assist = 1\n", 1, "assist", "must be a table"},
		{"a table where a value should be", "[language]\nx = 1\n", 1, "language", "must be a text"},
		{"an array of tables", "[[assist]]\nauto = true\n", 1, "assist", "must be a table"},
		{"unknown key of a source", "[sources.claude]\nhoem = \"/x\"\n", 2, "sources.claude.hoem", "unknown key"},
		{"a source that is a number", "[sources]\nclaude = 1\n", 2, "sources.claude", "true, false or a directory"},
		{"an empty path", "[sources]\nclaude = \"\"\n", 2, "sources.claude", "true, false or a directory"},
		{"a home of nobody", "[sources.work]\nhome = \"/x\"\n", 1, "sources.work", "agent"},
		{"a home of an unknown agent", "[sources.work]\nagent = \"cursor\"\nhome = \"/x\"\n", 2, "sources.work.agent", "must be one of"},
		{"a home without a directory", "[sources.work]\nagent = \"codex\"\n", 1, "sources.work.home", "missing"},
		{"another agent's home", "[sources.claude]\nagent = \"codex\"\n", 2, "sources.claude.agent", "name of its own"},
		{"unknown key of a provider", "[model.providers.x]\nurl = \"y\"\n", 2, "model.providers.x.url", "unknown key"},
		{"a provider that is a text", "[model.providers]\nx = \"y\"\n", 2, "model.providers.x", "must be a table"},
		{"not TOML", "[assist]\nauto = \n", 2, "", "no TOML"},
		{"a store of another kind", "[store]\nurl = \"mysql://x\"\n", 2, "store.url", "must be sqlite"},
		{"no address", "[server]\nlisten = \"nonsense\"\n", 2, "server.listen", "HOST:PORT"},
		{"a relative log", "log.file = \"rel.log\"\n", 1, "log.file", "absolute path"},
		{"a language of signs", "language = \"\\u001b[31m\"\n", 1, "language", "control characters"},
		{"a relative home", "[sources]\ncodex = \"x\"\n", 2, "sources.codex", "absolute path"},
		{"a list that became a text", "[privacy]\nexclude = [\"[\\\"/a\\\"]\"]\n", 2, "privacy.exclude", "list of directories"},
		{"a limit below 0", "budget.daily_usd = -0.5\n", 1, "budget.daily_usd", "not below 0"},
		{"a key twice", "[assist]\nauto = true\nauto = false\n", 3, "", "no TOML"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := setup(t, tt.file, nil)
			if len(c.Problems) != 1 {
				t.Fatalf("problems %v", c.Problems)
			}
			p := c.Problems[0]
			if p.Line != tt.line || tt.key != "" && p.Key != tt.key || !strings.Contains(p.Message, tt.hint) {
				t.Errorf("%d %q %q", p.Line, p.Key, p.Message)
			}
			// The rest counts: every agent has its home.
			if len(c.Sources) != 5 {
				t.Errorf("sources %+v", c.Sources)
			}
		})
	}
}

func TestTheRestOfABrokenFileCounts(t *testing.T) {
	c, _ := setup(t, "[assist]\nfoo = 1\nrecap = false\n[recent]\nmax = -1\ndays = 3\n", nil)
	if c.Bool("assist.recap") || c.Count("recent.max") != 10 || c.Count("recent.days") != 3 || len(c.Problems) != 2 {
		t.Errorf("%v", c.Problems)
	}
}

func TestFilesThatCanNotBeRead(t *testing.T) {
	home := t.TempDir()
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path string) error
		want string
	}{
		{"missing, and named", func(*testing.T, string) error { return nil }, "no such file"},
		{"a directory", func(_ *testing.T, p string) error { return os.Mkdir(p, 0o700) }, "not a regular file"},
		{"F21 a pipe", makePipe, "not a regular file"},
		{"giant", func(_ *testing.T, p string) error { return os.WriteFile(p, make([]byte, maxFile+1), 0o600) }, "over 1 MB"},
		{"UTF-16", func(_ *testing.T, p string) error { return os.WriteFile(p, []byte("\xff\xfea\x00=\x001\x00"), 0o600) }, "no TOML"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(home, strings.ReplaceAll(tt.name, " ", "-"))
			if err := tt.make(t, path); err != nil {
				t.Fatal(err)
			}
			c := load(home, path, nil)
			if len(c.Problems) != 1 || !strings.Contains(c.Problems[0].String(), tt.want) || len(c.Sources) != 5 {
				t.Errorf("%v", c.Problems)
			}
		})
	}
	// Where no file is named, none is needed.
	c := load(home, "", map[string]string{"RECAP_CONFIG": ""})
	if len(c.Problems) != 0 || c.Path != filepath.Join(home, "xdg_config_home", "recap", "config.toml") {
		t.Errorf("%s %v", c.Path, c.Problems)
	}
}

func TestF17_Homes(t *testing.T) {
	type want struct {
		name, agent, root, origin string
		off                       bool
		database                  string
	}
	tests := []struct {
		name, file string
		env        map[string]string
		want       want
	}{
		{"usual claude", "", nil, want{name: "claude", agent: "claude", root: "~/.claude", origin: "default"}},
		{"usual codex", "", nil, want{name: "codex", agent: "codex", root: "~/.codex", origin: "default"}},
		{"usual gemini", "", nil, want{name: "gemini", agent: "gemini", root: "~/.gemini", origin: "default"}},
		{"usual qwen", "", nil, want{name: "qwen", agent: "qwen", root: "~/.qwen", origin: "default"}},
		{"usual opencode", "", map[string]string{"XDG_DATA_HOME": ""}, want{name: "opencode", agent: "opencode", root: "~/.local/share/opencode", origin: "default"}},
		{"CLAUDE_CONFIG_DIR", "", map[string]string{"CLAUDE_CONFIG_DIR": "~/c"}, want{name: "claude", agent: "claude", root: "~/c", origin: "env CLAUDE_CONFIG_DIR"}},
		{"CODEX_HOME", "", map[string]string{"CODEX_HOME": "/c/ö x"}, want{name: "codex", agent: "codex", root: "/c/ö x", origin: "env CODEX_HOME"}},
		{"GEMINI_CLI_HOME", "", map[string]string{"GEMINI_CLI_HOME": "/g"}, want{name: "gemini", agent: "gemini", root: "/g/.gemini", origin: "env GEMINI_CLI_HOME"}},
		{"QWEN_HOME", "", map[string]string{"QWEN_HOME": "/q"}, want{name: "qwen", agent: "qwen", root: "/q", origin: "env QWEN_HOME"}},
		{"QWEN_RUNTIME_DIR", "", map[string]string{"QWEN_HOME": "/q", "QWEN_RUNTIME_DIR": "/r"}, want{name: "qwen", agent: "qwen", root: "/r", origin: "env QWEN_RUNTIME_DIR"}},
		{"XDG_DATA_HOME", "", map[string]string{"XDG_DATA_HOME": "/d"}, want{name: "opencode", agent: "opencode", root: "/d/opencode", origin: "env XDG_DATA_HOME"}},
		{"OPENCODE_DB", "", map[string]string{"XDG_DATA_HOME": "/d", "OPENCODE_DB": "/o/x.db"}, want{name: "opencode", agent: "opencode", root: "/d/opencode", origin: "env OPENCODE_DB", database: "/o/x.db"}},
		{"OPENCODE_DB, relative", "", map[string]string{"XDG_DATA_HOME": "/d", "OPENCODE_DB": "x.db"}, want{name: "opencode", agent: "opencode", root: "/d/opencode", origin: "env OPENCODE_DB", database: "/d/opencode/x.db"}},
		{"OPENCODE_DB in memory", "", map[string]string{"XDG_DATA_HOME": "/d", "OPENCODE_DB": ":memory:"}, want{name: "opencode", agent: "opencode", root: "/d/opencode", origin: "env XDG_DATA_HOME"}},
		{"a path", "sources.claude = \"~/c\"", nil, want{name: "claude", agent: "claude", root: "~/c", origin: "file"}},
		{"a table", "[sources.codex]\nhome = \"/c\"", nil, want{name: "codex", agent: "codex", root: "/c", origin: "file"}},
		{"off", "sources.qwen = false", nil, want{name: "qwen", agent: "qwen", root: "~/.qwen", origin: "file", off: true}},
		{"on", "sources.qwen = true", nil, want{name: "qwen", agent: "qwen", root: "~/.qwen", origin: "default"}},
		{"off by its table", "[sources.qwen]\nenabled = false\nhome = \"/q\"", nil, want{name: "qwen", agent: "qwen", root: "/q", origin: "file", off: true}},
		{"off by a variable", "sources.qwen = \"/q\"", map[string]string{"RECAP_SOURCES_QWEN": "off"}, want{name: "qwen", agent: "qwen", root: "/q", origin: "file", off: true}},
		{"moved by a variable", "sources.qwen = false", map[string]string{"RECAP_SOURCES_QWEN": "/r"}, want{name: "qwen", agent: "qwen", root: "/r", origin: "env RECAP_SOURCES_QWEN"}},
		{"moved by a variable of the long name", "sources.qwen = \"/q\"", map[string]string{"RECAP_SOURCES_QWEN_HOME": "/r"}, want{name: "qwen", agent: "qwen", root: "/r", origin: "env RECAP_SOURCES_QWEN_HOME"}},
		{"a home of its own name", "[sources.work]\nagent = \"claude\"\nhome = \"~/work\"", nil, want{name: "work", agent: "claude", root: "~/work", origin: "file"}},
		{"a database of its own", "[sources.work]\nagent = \"opencode\"\ndatabase = \"/w/x.db\"", nil, want{name: "work", agent: "opencode", root: "/w", origin: "file", database: "/w/x.db"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, home := setup(t, tt.file, tt.env)
			i := slices.IndexFunc(c.Sources, func(s Source) bool { return s.Name == tt.want.name })
			if i < 0 || len(c.Problems) > 0 {
				t.Fatalf("%+v %v", c.Sources, c.Problems)
			}
			s := c.Sources[i]
			origin := s.Origin
			if strings.HasPrefix(origin, "file ") {
				origin = "file"
			}
			got := want{s.Name, s.Agent, s.Root, origin, !s.Enabled, s.Database}
			tt.want.root = strings.Replace(tt.want.root, "~", home, 1)
			if tt.want.off {
				got.origin, tt.want.origin = "", ""
			}
			if got != tt.want {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
			if chosen := strings.HasPrefix(s.Origin, "file") && s.Enabled || strings.HasPrefix(s.Origin, "env RECAP_"); chosen != s.Chosen && s.Enabled {
				t.Errorf("chosen %v by %s", s.Chosen, s.Origin)
			}
		})
	}
}

func TestTwoNamesOfOneDirectoryAreOneHome(t *testing.T) {
	home := t.TempDir()
	target := filepath.Join(home, ".claude")
	if err := os.Mkdir(target, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, file, want string }{
		{"the same path", "[sources.work]\nagent = \"claude\"\nhome = \"~/.claude/\"", "claude"},
		{"a link", "[sources.work]\nagent = \"claude\"\nhome = \"~/link\"", "claude"},
		{"the first is off", "[sources]\nclaude = false\n[sources.work]\nagent = \"claude\"\nhome = \"~/link\"", "work"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(home, "config.toml")
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var on []string
			for _, s := range load(home, path, nil).Sources {
				if s.Agent == "claude" && s.Enabled {
					on = append(on, s.Name)
				}
			}
			if !slices.Equal(on, []string{tt.want}) {
				t.Errorf("%v", on)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	c, home := setup(t, "[store]\nurl = \"sqlite:~/s/x.db\"\n[log]\nfile = \"logs/r.log\"\n[privacy]\nexclude = [\"~/a\", \"/b/../c/\", \"\", \"rel\"]\n", nil)
	wd, err := WorkDir()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.StorePath(); got != filepath.Join(home, "s/x.db") {
		t.Errorf("store %s", got)
	}
	if got := c.LogPath(); got != filepath.Join(c.StateDir(), "recap.log") || len(c.Problems) != 1 || c.Problems[0].Key != "log.file" {
		t.Errorf("log %s, %v", got, c.Problems)
	}
	c, _ = setup(t, "", map[string]string{"RECAP_LOG_FILE": "logs/r.log"})
	if got := c.LogPath(); got != filepath.Join(wd, "logs/r.log") || len(c.Problems) > 0 {
		t.Errorf("log %s, %v", got, c.Problems)
	}
	c, _ = setup(t, "[store]\nurl = \"sqlite:~/s/x.db\"\n[privacy]\nexclude = [\"~/a\", \"/b/../c/\", \"\", \"rel\"]\n", nil)
	home = c.Home()
	if got := c.Exclude(); !slices.Equal(got, []string{filepath.Join(home, "a"), "/c", filepath.Join(home, "rel")}) {
		t.Errorf("exclude %v", got)
	}
	c, _ = setup(t, "store.url = \"postgres://u:pw@h/d\"\nserver.token = \"tok\"\n", map[string]string{"RECAP_LOG": "off"})
	if c.StorePath() != "" || c.LogPath() != "" {
		t.Errorf("%q %q", c.StorePath(), c.LogPath())
	}
	if v, _ := c.Get("store.url"); strings.Contains(v.Text(), "pw") {
		t.Errorf("shown: %s", v.Text())
	}
	if v, _ := c.Get("server.token"); v.Value != "(set)" || c.Text("server.token") != "tok" {
		t.Errorf("shown: %v", v)
	}
	c, home = setup(t, "", nil)
	if got := c.StorePath(); got != filepath.Join(home, "xdg_data_home", "recap", "recap.db") {
		t.Errorf("store %s", got)
	}
	if got := c.LogPath(); got != filepath.Join(home, "xdg_state_home", "recap", "recap.log") {
		t.Errorf("log %s", got)
	}
	// An excluded link excludes what it leads to.
	to := filepath.Join(home, "to")
	if err := os.Mkdir(to, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, filepath.Join(home, "ln")); err != nil {
		t.Fatal(err)
	}
	c = load(home, "", map[string]string{"RECAP_PRIVACY_EXCLUDE": "~/ln", "RECAP_CONFIG": ""})
	resolved, err := filepath.EvalSymlinks(to)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Exclude(); !slices.Contains(got, resolved) || !slices.Contains(got, filepath.Join(home, "ln")) {
		t.Errorf("exclude %v", got)
	}
}

func TestSecretsOfTablesAreNotShown(t *testing.T) {
	c, _ := setup(t, `
[model.providers.a]
key = "sk-secret"
headers = { Authorization = "Bearer secret" }
[model.providers.b]
key = "{env:KEY}"
[sources.opencode]
url = "http://127.0.0.1:1"
password = "secret"
`, nil)
	text := fmt.Sprint(c.Values())
	if strings.Contains(text, "secret") || !strings.Contains(text, "{env:KEY}") || !strings.Contains(text, "Authorization") {
		t.Errorf("%s", text)
	}
	if len(c.Problems) > 0 {
		t.Error(c.Problems)
	}
}

func TestSecretsInAddressesAreNotShown(t *testing.T) {
	for in, want := range map[string]string{
		"http://user:hunter2secret@127.0.0.1:1/v1":                   "http://user:xxxxx@127.0.0.1:1/v1",
		"https://hunter2secret@proxy.example.com/v1":                 "https://xxxxx@proxy.example.com/v1",
		"https://:hunter2secret@proxy.example.com/v1":                "https://:xxxxx@proxy.example.com/v1",
		"https://a:p@hunter2secret@proxy.example.com/v1":             "https://a:xxxxx@proxy.example.com/v1",
		"https://h.example.com/v1?api-version=1&key=hunter2secret":   "https://h.example.com/v1?api-version=1&key=xxxxx",
		"https://h.example.com/v1?Access_Token=hunter2secret&b=%41c": "https://h.example.com/v1?Access_Token=xxxxx&b=%41c",
		"https://h.example.com/v1?api-version=1":                     "https://h.example.com/v1?api-version=1",
		"HTTP://h.example.com/%761":                                  "HTTP://h.example.com/%761",
	} {
		c, _ := setup(t, "[model.providers.a]\nbase_url = \""+in+"\"\n[sources.opencode]\nurl = \""+in+"\"\n", nil)
		for _, key := range []string{"model.providers.a.base_url", "sources.opencode.url"} {
			if v, _ := c.Get(key); v.Value != want {
				t.Errorf("%s %q is shown as %q, want %q", key, in, v.Value, want)
			}
		}
		if text := fmt.Sprint(c.Values(), c.Problems); strings.Contains(text, "hunter2") {
			t.Errorf("%q: %s", in, text)
		}
		if got := c.Providers()[0].BaseURL; got != in { // what is called stays
			t.Errorf("%q is called at %q", in, got)
		}
	}
	for in, want := range map[string]string{
		"postgres://app:hunter2secret@db/x": "postgres://app:xxxxx@db/x", "postgres://db/x?password=hunter2secret&sslmode=require": "postgres://db/x?password=xxxxx&sslmode=require",
		"app:hunter2secret@db/x": "(set)", "sqlite:/x": "sqlite:/x", "sqlite": "sqlite",
	} {
		c, _ := setup(t, "[store]\nurl = \""+in+"\"\n", nil)
		if v, _ := c.Get("store.url"); v.Value != want {
			t.Errorf("store %q is shown as %q, want %q", in, v.Value, want)
		}
	}
}

func TestServers(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "pass")
	if err := os.WriteFile(file, []byte("from a file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _ := setup(t, `
[sources.opencode]
url = "http://127.0.0.1:4096"
[sources.second]
agent = "opencode"
url = "http://127.0.0.1:4097"
username = "u"
password = "{env:PASS}"
metadata_namespace = "openchamber"
[sources.third]
agent = "opencode"
url = "http://127.0.0.1:4098"
password = "{file:`+file+`}"
[sources.fourth]
agent = "opencode"
url = "http://127.0.0.1:4099"
password = "{env:NONE}"
[sources.codex]
url = "http://127.0.0.1:4100"
`, map[string]string{"PASS": "word", "RECAP_SOURCES_OPENCODE_PASSWORD": "plain"})
	got := map[string]Source{}
	for _, s := range c.Sources {
		got[s.Name] = s
	}
	for name, want := range map[string][5]string{
		"opencode": {"http://127.0.0.1:4096", "", "plain", "recap", ""},
		"second":   {"http://127.0.0.1:4097", "u", "word", "openchamber", ""},
		"third":    {"http://127.0.0.1:4098", "", "from a file", "recap", ""},
		"fourth":   {"http://127.0.0.1:4099", "", "", "recap", "the variable NONE is not set"},
		"codex":    {"", "", "", "recap", ""},
	} {
		s := got[name]
		if is := [5]string{s.URL, s.Username, s.Password, s.Namespace, s.PasswordProblem}; is != want {
			t.Errorf("%s: %q, want %q", name, is, want)
		}
	}
	if got["opencode"].Root == "" || got["second"].Root != "" {
		t.Errorf("roots %q and %q: a server stands beside its home, or alone", got["opencode"].Root, got["second"].Root)
	}
	var keys []string
	for _, p := range c.Problems {
		keys = append(keys, p.Key)
	}
	slices.Sort(keys)
	if !slices.Equal(keys, []string{"sources.codex.url", "sources.fourth.password"}) {
		t.Errorf("problems %v", c.Problems)
	}
}

func TestSelf(t *testing.T) {
	c, _ := setup(t, "", map[string]string{"CLAUDE_CODE_SESSION_ID": "a", "CODEX_THREAD_ID": "b"})
	if got := c.Self(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%v", got)
	}
}

func TestAwayThreshold(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  time.Duration
	}{{"0", 5 * time.Minute}, {"-3", 5 * time.Minute}, {`"0s"`, 5 * time.Minute}, {"0.5", 30 * time.Second}, {`"90s"`, 90 * time.Second}, {"2", 2 * time.Minute}} {
		c, _ := setup(t, "[away]\nthreshold = "+tt.value+"\n", nil)
		if got := c.Duration("away.threshold"); got != tt.want || len(c.Problems) > 0 {
			t.Errorf("%s: %s %v", tt.value, got, c.Problems)
		}
	}
}

func TestProjectFileOnlyNarrows(t *testing.T) {
	tests := []struct {
		name, file string
		want       Narrow
		problems   []string // line:key
	}{
		{"nothing", "", Narrow{}, nil},
		{"off", "off = true", Narrow{Off: true}, nil},
		{"not off", "off = false", Narrow{}, nil},
		{"off, badly said", "off = \"yes\"", Narrow{Off: true}, []string{"1:off"}},
		{"fewer fields", "[assist]\nauto = false\nrecap = false\nsuggestion = false\n[away]\nenabled = false", Narrow{NoAuto: true, NoRecap: true, NoSuggestion: true, NoAway: true}, nil},
		{"more fields", "[assist]\nauto = true\nrecap = true", Narrow{}, []string{"2:assist.auto", "3:assist.recap"}},
		{"excluded", "[privacy]\nexclude = [\"sub\", \"/abs/\"]", Narrow{Exclude: []string{"P/sub", "/abs"}}, nil},
		{"excluded, badly said", "[privacy]\nexclude = \"sub\"", Narrow{Off: true}, []string{"2:privacy.exclude"}},
		{"privacy, badly said", "privacy = 1", Narrow{Off: true}, []string{"1:privacy"}},
		{"spending", "[budget]\ndaily_usd = 100", Narrow{}, []string{"2:budget.daily_usd"}},
		{"redaction off", "[privacy]\nredact = false", Narrow{}, []string{"2:privacy.redact"}},
		{"redaction on", "[privacy]\nredact = true", Narrow{}, nil},
		{"provider", "[model.providers.x]\nbase_url = \"http://evil\"\n[model]\noverride = \"x/y\"", Narrow{}, []string{"4:model.override", "2:model.providers.x.base_url"}},
		{"server", "[server]\nlisten = \"0.0.0.0:1\"\n[store]\nurl = \"postgres://evil\"", Narrow{}, []string{"2:server.listen", "4:store.url"}},
		{"source", "sources.claude = \"/evil\"", Narrow{}, []string{"1:sources.claude.enabled", "1:sources.claude.home"}},
		{"unknown key", "[assist]\nfoo = 1", Narrow{}, []string{"2:assist.foo"}},
		{"not TOML", "off = ", Narrow{Off: true}, []string{"1:"}},
		{"off, misspelt", "# x\nof = true", Narrow{Off: true}, []string{"2:of"}},
		{"off, in capitals", "OFF = true", Narrow{Off: true}, []string{"1:OFF"}},
		{"excluded, misspelt", "[privacy]\nexclud = [\"sub\"]", Narrow{Off: true}, []string{"2:privacy.exclud"}},
		{"excluded, outside its table", "exclude = [\"sub\"]", Narrow{Off: true}, []string{"1:exclude"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, ProjectFile), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			got := ReadProject(dir)
			var problems []string
			for _, p := range got.Problems {
				problems = append(problems, fmt.Sprintf("%d:%s", p.Line, p.Key))
			}
			if !slices.Equal(problems, tt.problems) {
				t.Errorf("problems %v", got.Problems)
			}
			if got.Path != filepath.Join(dir, ProjectFile) {
				t.Errorf("path %q", got.Path)
			}
			got.Problems, got.Path = nil, ""
			for i, x := range tt.want.Exclude {
				tt.want.Exclude[i] = strings.Replace(x, "P", dir, 1)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("\n got %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestProjectFilesThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	if n := ReadProject(dir); n.Off || n.Problems != nil {
		t.Errorf("none: %+v", n)
	}
	if n := ReadProject(filepath.Join(dir, "gone")); n.Off || n.Problems != nil {
		t.Errorf("gone: %+v", n)
	}
	if n := ReadProject("/dev/null/x"); n.Off || n.Problems != nil {
		t.Errorf("below a file: %+v", n)
	}
	if err := makePipe(t, filepath.Join(dir, ProjectFile)); err != nil {
		t.Fatal(err)
	}
	if n := ReadProject(dir); !n.Off || len(n.Problems) != 1 {
		t.Errorf("F21 a pipe: %+v", n)
	}
}

// What names directories to leave out holds, or nothing is read.
func TestAnExclusionThatCanNotBeUnderstoodRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		refused    bool
	}{
		{"good", "[privacy]\nexclude = [\"/w\"]\n", false},
		{"a bad line beside it", "language = de\n[privacy]\nexclude = [\"/w\"]\n", true},
		{"a bad line, and no exclusion", "language = de\n", false},
		{"a bad value beside it", "language = 1\n[privacy]\nexclude = [\"/w\"]\n", false},
		{"a text", "privacy.exclude = \"/w\"\n", true},
		{"a number in the list", "privacy.exclude = [\"/w\", 1]\n", true},
		{"no table", "privacy = [\"/w\"]\n", true},
		{"misspelt", "[privacy]\nexlude = [\"/w\"]\n", true},
		{"outside its table", "exclude = [\"/w\"]\n", true},
		{"another key of the table", "[privacy]\nfoo = 1\nredact = 7\n", false},
		{"UTF-16", "\xff\xfee\x00x\x00c\x00l\x00u\x00d\x00e\x00 \x00=\x00", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := setup(t, tt.file, nil)
			if p := c.Refusal(); (p != nil) != tt.refused {
				t.Errorf("%v, problems %v", p, c.Problems)
			} else if p != nil && !slices.Contains(c.Problems, *p) {
				t.Errorf("%v is not among %v", p, c.Problems)
			}
			// The environment outranks the file.
			c, _ = setup(t, tt.file, map[string]string{"RECAP_PRIVACY_EXCLUDE": "/x"})
			if p := c.Refusal(); p != nil || !slices.Equal(c.Exclude(), []string{"/x"}) {
				t.Errorf("%v %v", p, c.Exclude())
			}
		})
	}
	for name, make := range map[string]func(t *testing.T, path string) error{
		"a pipe":   makePipe,
		"too long": func(_ *testing.T, p string) error { return os.WriteFile(p, make([]byte, maxFile+1), 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := make(t, path); err != nil {
			t.Fatal(err)
		}
		if load(filepath.Dir(path), path, nil).Refusal() == nil {
			t.Errorf("%s: read on", name)
		}
	}
	c := load(t.TempDir(), os.DevNull, nil)
	if c.Refusal() != nil || len(c.Problems) > 0 {
		t.Errorf("no settings at all: %v", c.Problems)
	}
}

// A variable takes a list in both forms; one that is neither stops everything.
func TestExclusionsOfTheEnvironment(t *testing.T) {
	for value, want := range map[string][]string{
		`["/a", "/b:c"]`: {"/a", "/b:c"}, "/a" + string(filepath.ListSeparator) + "/b": {"/a", "/b"}, "[]": nil, `["/a"`: nil, `[1]`: nil,
	} {
		c, _ := setup(t, "privacy.exclude = [\"/file\"]\n", map[string]string{"RECAP_PRIVACY_EXCLUDE": value})
		if refused := c.Refusal() != nil; refused != (value == `["/a"` || value == `[1]`) {
			t.Errorf("%s: refusal %v", value, c.Refusal())
		} else if got := c.Exclude(); !refused && !slices.Equal(got, want) {
			t.Errorf("%s: %v", value, got)
		}
	}
	c, _ := setup(t, "privacy.exclude = [\"[]\"]\n", nil)
	if c.Refusal() == nil {
		t.Error("a list that became a text refuses nothing")
	}
}

// A store that is not understood is no reason to keep things in another.
func TestStoreThatIsNotUnderstood(t *testing.T) {
	for _, url := range []string{"mysql://x", "sqlite:x.db", "x"} {
		c, _ := setup(t, "store.url = \""+url+"\"\n", nil)
		if c.StorePath() != "" || len(c.Problems) != 1 {
			t.Errorf("%s: %q, %v", url, c.StorePath(), c.Problems)
		}
	}
}

func TestARelativeExclusionBeginsAtTheHome(t *testing.T) {
	c, home := setup(t, "privacy.exclude = [\"work\", \"~/x\"]\n", nil)
	if got := c.Exclude(); !slices.Equal(got, []string{filepath.Join(home, "work"), filepath.Join(home, "x")}) {
		t.Errorf("%v", got)
	}
}

// HOME, else the system's list of users, else nothing: never the directory
// that recap runs in.
func TestHome(t *testing.T) {
	for _, tt := range []struct {
		name, env, users, want string
		problems               int
	}{
		{"HOME", "/home/dev", "/home/other", "/home/dev", 0},
		{"none", "", "/home/other", "/home/other", 0},
		{"a relative one", ".", "/home/other", "/home/other", 1},
		{"nothing", "", "", "", 0},
		{"nothing of use", "x", "y", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Load(Options{UserHome: func() string { return tt.users }, Env: func(name string) string {
				return map[string]string{"HOME": tt.env, "USERPROFILE": tt.env}[name]
			}})
			if c.Home() != tt.want || len(c.Problems) != tt.problems {
				t.Errorf("%q %v", c.Home(), c.Problems)
			}
			if c.Home() != "" && (!strings.HasPrefix(c.StorePath(), tt.want) || !strings.HasPrefix(c.LogPath(), tt.want) || !strings.HasPrefix(c.Path, tt.want)) {
				t.Errorf("%s %s %s", c.StorePath(), c.LogPath(), c.Path)
			}
		})
	}
	if home := Load(Options{Env: func(string) string { return "" }}).Home(); home != "" && !filepath.IsAbs(home) {
		t.Errorf("of the system: %q", home)
	}
}

func TestRelativeDirectoriesOfTheEnvironmentDoNotCount(t *testing.T) {
	home := t.TempDir()
	c := Load(Options{Home: home, Env: func(name string) string {
		if strings.HasPrefix(name, "XDG_") {
			return "here"
		}
		return ""
	}})
	if len(c.Problems) != 4 || c.Problems[0].Key != "XDG_CONFIG_HOME" {
		t.Errorf("%v", c.Problems)
	}
	for _, path := range []string{c.Path, c.DataDir(), c.StateDir(), c.CacheDir()} {
		if !strings.HasPrefix(path, home) {
			t.Error(path)
		}
	}
}

// Each store's daemon has a status file of its own.
func TestStatusPathIsOneAStore(t *testing.T) {
	home := t.TempDir()
	usually := map[string]string{"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_DATA_HOME": ""}
	usual := load(home, filepath.Join(home, "none.toml"), usually).StatusPath()
	if usual != filepath.Join(home, "state", "recap", "daemon.json") {
		t.Errorf("the usual one is %s", usual)
	}
	said := map[string]string{"XDG_STATE_HOME": usually["XDG_STATE_HOME"], "XDG_DATA_HOME": filepath.Join(home, ".local", "share")}
	if got := load(home, filepath.Join(home, "none.toml"), said).StatusPath(); runtime.GOOS == "linux" && got != usual {
		t.Errorf("a variable that says the usual: %s", got)
	}
	seen := []string{usual}
	for _, env := range []map[string]string{
		{"XDG_DATA_HOME": filepath.Join(home, "a")}, {"XDG_DATA_HOME": filepath.Join(home, "b")}, {"XDG_DATA_HOME": "", "RECAP_STORE_URL": "sqlite:" + filepath.Join(home, "c.db")},
	} {
		env["XDG_STATE_HOME"] = usually["XDG_STATE_HOME"]
		path := load(home, filepath.Join(home, "none.toml"), env).StatusPath()
		if slices.Contains(seen, path) || filepath.Dir(path) != filepath.Dir(usual) {
			t.Errorf("%v: %s, others are %v", env, path, seen)
		}
		seen = append(seen, path)
	}
}

// A person mends the file from its top.
func TestProblemsAreInTheOrderOfTheFile(t *testing.T) {
	c, _ := setup(t, "[assist]\nquiet_windo = \"2s\"\nauto = \"maybe\"\nrecap = 3\n[recent]\nno = 1\n", map[string]string{"RECAP_LANGUAGE": "no language"})
	var lines []int
	for _, p := range c.Problems {
		lines = append(lines, p.Line)
	}
	if want := []int{0, 2, 3, 4, 6}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v: %v", lines, want, c.Problems)
	}
}
