package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

func TestSetKeepsTheRest(t *testing.T) {
	tests := []struct{ name, file, key, value, want string }{
		{"no file", "", "assist.auto", "true", "[assist]\nauto = true\n"},
		{"no table, no file", "", "language", "de", "language = \"de\"\n"},
		{"change", "# mine\n[assist]\nauto = false # no\nrecap = true\n", "assist.auto", "true", "# mine\n[assist]\nauto = true # no\nrecap = true\n"},
		{"change, no space", "[assist]\nauto=false#x\n", "assist.auto", "on", "[assist]\nauto=true#x\n"},
		{"change, the value stands elsewhere before", "language = \"true\"\n[assist]\n# auto = true\nauto   =\ttrue\n", "assist.auto", "no", "language = \"true\"\n[assist]\n# auto = true\nauto   =\tfalse\n"},
		{"change a text", "[recent]\nscope = 'project' # x\n", "recent.scope", "all", "[recent]\nscope = \"all\" # x\n"},
		{"change a text of several lines", "[log]\nfile = \"\"\"\na\"\"\" # x\nlevel = \"info\"\n", "log.file", "/b", "[log]\nfile = \"/b\" # x\nlevel = \"info\"\n"},
		{"change a list of several lines", "[privacy]\nexclude = [ # all\n  \"/a\", # a\n  \"/b\",\n]\nredact = true\n", "privacy.exclude", "/c,/d", "[privacy]\nexclude = [\"/c\", \"/d\"]\nredact = true\n"},
		{"empty a list", "[privacy]\nexclude = [\"/a\"]\n", "privacy.exclude", "", "[privacy]\nexclude = []\n"},
		{"add to a table", "[assist]\n# first\nauto = false\n\n# about models\n[model]\nmanual = true\n", "assist.recap", "false", "[assist]\n# first\nauto = false\nrecap = false\n\n# about models\n[model]\nmanual = true\n"},
		{"add to an empty table", "[assist] # x\n[model]\nmanual = true\n", "assist.recap", "false", "[assist] # x\nrecap = false\n[model]\nmanual = true\n"},
		{"add a table", "# mine\n[model]\nmanual = true", "assist.recap", "false", "# mine\n[model]\nmanual = true\n\n[assist]\nrecap = false\n"},
		{"add to the top", "language = \"de\" # x\n\n[model]\nmanual = true\n", "model.override", "a/b", "language = \"de\" # x\n\n[model]\nmanual = true\noverride = \"a/b\"\n"},
		{"a key of no table", "# mine\n[model]\nmanual = true\n", "language", "fr", "language = \"fr\"\n# mine\n[model]\nmanual = true\n"},
		{"a key of no table beside another", "a = 1\n[model]\nmanual = true\n", "language", "fr", "a = 1\nlanguage = \"fr\"\n[model]\nmanual = true\n"},
		{"dotted", "assist.auto = false # x\n", "assist.auto", "true", "assist.auto = true # x\n"},
		{"add to dotted", "assist.auto = false # x\nlanguage = \"de\"\n", "assist.recap", "false", "assist.auto = false # x\nassist.recap = false\nlanguage = \"de\"\n"},
		{"inline", "assist = { auto = false, recap = true } # x\n", "assist.recap", "false", "assist = { auto = false, recap = false } # x\n"},
		{"add to inline", "assist = { auto = false } # x\n", "assist.recap", "false", "assist = { auto = false, recap = false } # x\n"},
		{"add to tight inline", "assist = {auto = false}\n", "assist.recap", "false", "assist = {auto = false, recap = false}\n"},
		{"add to empty inline", "assist = {}\n", "assist.recap", "false", "assist = { recap = false }\n"},
		{"quoted", "[\"assist\"]\n\"auto\" = false\n", "assist.auto", "true", "[\"assist\"]\n\"auto\" = true\n"},
		{"a quoted key with a dot is another key", "\"assist.auto\" = false\n", "assist.auto", "true", "\"assist.auto\" = false\n\n[assist]\nauto = true\n"},
		{"spaces in a header", "[ model . providers . \"x\" ]\nkey = \"{env:A}\"\n", "model.providers.x.base_url", "http://h", "[ model . providers . \"x\" ]\nkey = \"{env:A}\"\nbase_url = \"http://h\"\n"},
		{"a table above one that is there", "[model.providers.x]\nkey = \"{env:A}\"\n", "model.manual", "true", "[model.providers.x]\nkey = \"{env:A}\"\n\n[model]\nmanual = true\n"},
		{"lines of Windows", "[assist]\r\nauto = false\r\n", "assist.recap", "false", "[assist]\r\nauto = false\r\nrecap = false\r\n"},
		{"signs in a text", "", "log.file", "/a \"b\"\\c#é", "[log]\nfile = \"/a \\\"b\\\"\\\\c#é\"\n"},
		{"unlimited", "", "budget.daily_usd", "unlimited", "[budget]\ndaily_usd = \"unlimited\"\n"},
		{"minutes", "", "away.threshold", "2.5", "[away]\nthreshold = \"2m30s\"\n"},
		{"a home", "[sources.work]\nagent = \"codex\"\n", "sources.work.home", "~/w", "[sources.work]\nagent = \"codex\"\nhome = \"~/w\"\n"},
		{"a home of a new name", "", "sources.work.agent", "claude", "[sources.work]\nagent = \"claude\"\n"},
		{"a list as the file has it", "", "privacy.exclude", `["/a", '~/b c,d', "~"]`, "[privacy]\nexclude = [\"/a\", \"~/b c,d\", \"~\"]\n"},
		{"an empty list", "[privacy]\nexclude = [\"/a\"]\n", "privacy.exclude", "[]", "[privacy]\nexclude = []\n"},
		{"a list by commas", "", "privacy.exclude", "/a, ~/b ,,/c", "[privacy]\nexclude = [\"/a\", \"~/b\", \"/c\"]\n"},
		{"models as a list", "", "model.providers.x.models", `["a", "b,c"]`, "[model.providers.x]\nmodels = [\"a\", \"b,c\"]\n"},
		{"a store", "", "store.url", "sqlite:~/x.db", "[store]\nurl = \"sqlite:~/x.db\"\n"},
		{"another store", "", "store.url", "postgres://u:p@db.example/recap", "[store]\nurl = \"postgres://u:p@db.example/recap\"\n"},
		{"an address", "", "server.listen", "[::1]:0", "[server]\nlisten = \"[::1]:0\"\n"},
		{"a language by name", "", "language", "Deutsch", "language = \"Deutsch\"\n"},
		{"a language by tag", "", "language", "pt-BR", "language = \"pt-BR\"\n"},
		{"a setting beside another that is wrong", "[sources.work]\nhome = \"/x\"\n", "language", "de", "language = \"de\"\n[sources.work]\nhome = \"/x\"\n"},
		{"a password that is not there yet", "[sources.opencode]\nurl = \"http://h:1\"\n", "sources.opencode.password", "{env:NONE}", "[sources.opencode]\nurl = \"http://h:1\"\npassword = \"{env:NONE}\"\n"},
		{"a home off", "[sources]\nclaude = true\n", "sources.claude", "off", "[sources]\nclaude = false\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := setup(t, tt.file, nil)
			if err := c.Set(tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(c.Path)
			if err != nil {
				t.Fatal(err)
			}
			if string(b) != tt.want {
				t.Errorf("\n got %q\nwant %q", b, tt.want)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct{ name, file, key, value, want string }{
		{"an unknown key", "", "assist.foo", "1", "unknown key assist.foo"},
		{"a wrong type", "", "assist.auto", "maybe", "must be true or false"},
		{"a wrong choice", "", "recent.scope", "none", "must be one of project, all"},
		{"a negative number", "", "recent.max", "-1", "must be a whole number"},
		{"no number", "", "budget.daily_usd", "inf", "must be a number"},
		{"a broken file", "[assist\n", "assist.auto", "true", "mend it first"},
		{"a table", "", "model.providers.x.headers", "a", "by hand"},
		{"an array of tables in the way", "[[assist]]\nauto = true\n", "assist.auto", "true", "by hand"},
		{"a value in the way", "assist = 1\n", "assist.auto", "true", "by hand"},
		{"bytes that are no text", "", "language", "\xff", "no UTF-8"},
		{"a name that needs quotes", "", "sources.a b.home", "/x", "needs quotes"},
		{"a negative limit", "", "budget.daily_tokens", "-5", "not below 0"},
		{"a relative exclusion", "", "privacy.exclude", "/a,relative/dir", `"relative/dir" is not`},
		{"a relative exclusion in a list", "", "privacy.exclude", `["./x"]`, `"./x" is not`},
		{"another's home", "", "privacy.exclude", "~bob/x", `"~bob/x" is not`},
		{"half a list", "", "privacy.exclude", `["/a"`, "must be a list"},
		{"a list of numbers", "", "privacy.exclude", `[1]`, "must be a list"},
		{"a list with more", "", "privacy.exclude", "[\"/a\"]\nx = 1", "must be a list"},
		{"a store of another kind", "", "store.url", "mysql://x", "must be sqlite"},
		{"a store somewhere", "", "store.url", "sqlite:x.db", "absolute path"},
		{"no address", "", "server.listen", "nonsense", "must be HOST:PORT"},
		{"a port that is none", "", "server.listen", "127.0.0.1:http", "must be HOST:PORT"},
		{"a port beyond all", "", "server.listen", ":70000", "must be HOST:PORT"},
		{"a language of signs", "", "language", "\x1b[31m", "control characters"},
		{"no language", "", "language", "nonsense", "must be auto"},
		{"a relative log", "", "log.file", "rel.log", "absolute path"},
		{"no model", "", "model.override", "/x", "must be PROVIDER/MODEL"},
		{"an unknown agent", "", "sources.nope", "/x", "unknown agent"},
		{"an unknown agent's home", "", "sources.nope.home", "/x", "unknown agent"},
		{"a relative home", "", "sources.claude", "x", "absolute path"},
		{"a home that is a word", "", "sources.claude", "maybe", "true, false or"},
		{"another agent", "", "sources.claude.agent", "codex", "must be claude"},
		{"a server of another agent", "", "sources.codex.url", "http://h", "OpenCode alone"},
		{"no server", "", "sources.opencode.url", "h:1", "must be an address"},
		{"no provider's address", "", "model.providers.x.base_url", "ftp://h", "must be an address"},
		{"no header", "", "model.providers.x.session_header", "a b", "the name of a header"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := setup(t, tt.file, nil)
			err := c.Set(tt.key, tt.value)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
			if b, _ := os.ReadFile(c.Path); string(b) != tt.file {
				t.Errorf("the file changed: %q", b)
			}
		})
	}
}

// A settings file that is a link, as in a folder of dotfiles, stays one, and
// keeps its mode.
func TestSetKeepsLinkAndMode(t *testing.T) {
	c, home := setup(t, "", nil)
	target := filepath.Join(home, "dotfiles.toml")
	if err := os.WriteFile(target, []byte("language = \"de\"\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(c.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, c.Path); err != nil {
		t.Fatal(err)
	}
	if err := c.Set("language", "fr"); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(c.Path); err != nil || to != target {
		t.Errorf("link: %s %v", to, err)
	}
	fi, err := os.Stat(target)
	if err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", fi.Mode(), err)
	}
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// A secret in the file closes it to others; a new file is its owner's alone.
func TestSetKeepsSecretsToTheOwner(t *testing.T) {
	for _, tt := range []struct {
		name, file, key string
		mode, want      os.FileMode
	}{
		{"a secret", "", "server.token", 0o644, 0o600},
		{"beside a secret", "server.token = \"x\"\n", "language", 0o644, 0o600},
		{"no secret", "", "language", 0o644, 0o644},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := setup(t, tt.file, nil)
			if err := os.Chmod(c.Path, tt.mode); err != nil {
				t.Fatal(err)
			}
			if err := c.Set(tt.key, "de"); err != nil {
				t.Fatal(err)
			}
			fi, err := os.Stat(c.Path)
			if err != nil || fi.Mode().Perm() != tt.want {
				t.Errorf("mode %v %v", fi.Mode(), err)
			}
		})
	}
	home := t.TempDir()
	c := load(home, filepath.Join(home, "new", "config.toml"), nil)
	if err := c.Set("language", "de"); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(c.Path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("a new file: %v %v", fi.Mode(), err)
	}
}

// Whatever the file, an edit either refuses or gives a file that parses and
// differs in the one key alone.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"", "[assist]\nauto = true\n", "assist.auto = true # x\n", "assist = { auto = true, x = [1, 2] }\n", "[[assist]]\n", "[assist.x]\ny = 1\n",
		"a = \"\"\"\n[assist]\nauto = 1\n\"\"\"\n", "[model]\nmanual = true\n\n# end", "\"assist\".'auto' = 1\r\n", "assist = {}", "\ufeff[assist]\n", "[assist]\nauto=[\n1,#]\n]",
		"x = 1979-05-27T07:32:00Z\n[assist] # [assist]\n\"auto\" = 'true'#t",
	} {
		for _, key := range []string{"assist.auto", "language", "model.providers.x.key"} {
			f.Add(seed, key, "v")
		}
	}
	f.Fuzz(func(t *testing.T, file, key, value string) {
		s, ok := setting(key)
		if !ok {
			t.Skip()
		}
		var before map[string]any
		if toml.Unmarshal([]byte(file), &before) != nil {
			t.Skip()
		}
		v, err := s.convert(s.kind.parse(value, ","))
		if err != nil || !utf8.ValidString(value) {
			t.Skip()
		}
		parts := strings.Split(key, ".")
		out, err := edit([]byte(file), parts, format(v))
		if err != nil {
			return
		}
		var after map[string]any
		if err := toml.Unmarshal(out, &after); err != nil {
			t.Fatalf("%v\n%q", err, out)
		}
		if before == nil {
			before = map[string]any{}
		}
		get := func(doc map[string]any) any {
			for _, p := range parts[:len(parts)-1] {
				doc, _ = doc[p].(map[string]any)
			}
			return doc[parts[len(parts)-1]]
		}
		got, err := s.convert(get(after))
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Fatalf("%v, want %v: %v\n%q", got, v, err, out)
		}
		put(before, parts, get(after))
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("more changed\n%q\n%q", file, out)
		}
		keyLines(out)
	})
}

func FuzzLoad(f *testing.F) {
	f.Add("[assist]\nauto = 1\n[sources.x]\nhome = 1\n")
	f.Add("sources = { claude = false, a = { agent = \"codex\" } }\n[[model.providers]]\n")
	f.Add("[model.providers.x.headers]\na = 1\n\"\".\"\" = 1\n")
	f.Fuzz(func(t *testing.T, file string) {
		c := &Config{values: map[string]Value{}, env: func(string) string { return "" }, home: "/home/dev", Path: "f"}
		var doc map[string]any
		if toml.Unmarshal([]byte(file), &doc) != nil {
			t.Skip()
		}
		c.lines = keyLines([]byte(file))
		c.walk(doc, "")
		c.findSources()
		for _, p := range c.Problems {
			if p.Line == 0 && p.Key != "" {
				t.Errorf("no line: %s", p)
			}
		}
		for _, v := range c.Values() {
			_ = v.Text()
		}
	})
}
