package cli_test

import (
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree is what every file below a folder holds.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if e.IsDir() {
			out[path] = info.Mode().String()
			return nil
		}
		b, err := os.ReadFile(path)
		sum := sha256.Sum256(b)
		out[path] = info.Mode().String() + info.ModTime().String() + string(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// No command changes, adds or touches a file of an agent.
func TestAgentsFilesStayAsTheyAre(t *testing.T) {
	t.Parallel()
	d := samples(t)
	before := tree(t, filepath.Join(d.home, "agents"))
	commands := append(everyCommand("cc52", "csv"), []string{"show", "ses_dd5b", "--turns"}, []string{"last"}, []string{"away"}, []string{"forget", "cc52"}, []string{"forget", "--before", "2036-01-01"}, []string{"forget", "--all"}, []string{"list"})
	for _, args := range commands {
		if args[0] == "config" || args[0] == "prompt" {
			continue
		}
		d.run(t, args...)
	}
	after := tree(t, filepath.Join(d.home, "agents"))
	for path := range after {
		if before[path] != after[path] {
			t.Errorf("changed or made: %s", path)
		}
	}
	if len(after) < len(before) {
		t.Errorf("%d of %d files and folders are left", len(after), len(before))
	}
}

// Under --json standard output holds JSON objects, one a line, and nothing
// else, whatever happens.
func TestJSONIsJSON(t *testing.T) {
	t.Parallel()
	d := samples(t)
	commands := append(everyCommand("cc52", "login"),
		[]string{"version"}, []string{"config", "get", "language"}, []string{"config", "path"}, []string{"config", "set", "language", "de"},
		[]string{"forget", "cc52"}, []string{"search", "zebra"}, []string{"list", "--since", "2036-01-01"},
		// Errors.
		[]string{}, []string{"nosuch"}, []string{"a", "b"}, []string{"list", "--bogus"}, []string{"list", "--since", "soon"}, []string{"list", "--agent", "x"},
		[]string{"show"}, []string{"show", "nosuch"}, []string{"why", "nosuch"}, []string{"resume", "nosuch"}, []string{"search"}, []string{"mute"}, []string{"mute", "nosuch"},
		[]string{"forget"}, []string{"config", "get", "x"}, []string{"config", "set", "x", "y"}, []string{"config", "set", "recent.max", "y"}, []string{"completion", "tcsh"},
		[]string{"demo", "demo"}, []string{"demo", "nosuch"}, []string{"help", "nosuch"}, []string{"--limit", "x"}, []string{"list", "--limit", "x"},
	)
	for i, args := range commands {
		// Before or behind the command.
		if args = append([]string{"--json"}, args...); i%2 == 0 && len(args) > 1 && args[1] != "help" && args[1] != "demo" {
			args = append(slices.Clone(args[1:]), "--json")
		}
		a := d.run(t, args...)
		what := "recap " + strings.Join(args, " ")
		if a.out == "" && a.code != 3 {
			t.Errorf("%s: no output, exit code %d, %s", what, a.code, a.err)
		}
		for line := range strings.Lines(a.out) {
			var v map[string]any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Errorf("%s: %v: %s", what, err, line)
			}
			if e, ok := v["error"].(map[string]any); ok {
				if a.code == 0 || e["code"] == "" || e["message"] == "" || e["hint"] == nil {
					t.Errorf("%s: exit code %d: %s", what, a.code, line)
				}
				if e["code"] == "internal" {
					t.Errorf("%s: %s", what, line)
				}
			}
		}
		if a.code != 0 && a.err != "" {
			t.Errorf("%s: an error in words too: %s", what, a.err)
		}
	}
}

// Without --json errors go to standard error alone, with a next step.
func TestErrorsAreWordsWithANextStep(t *testing.T) {
	t.Parallel()
	d := samples(t)
	for _, args := range [][]string{
		{"nosuch"},
		{"a", "b"},
		{"list", "--bogus"},
		{"list", "--since", "soon"},
		{"show"},
		{"search", "zebra"},
		{"mute"},
		{"forget"},
		{"config", "get", "x"},
		{"config", "set", "x", "y"},
		{"completion", "tcsh"},
		{"01a22a4b"},
		{"list", "--since", "2036-01-01"},
		{"help", "nosuch"},
		{"demo", "demo"},
		{"resume", "nosuch"},
	} {
		a := d.run(t, args...)
		if a.code == 0 || a.out != "" || !strings.HasPrefix(a.err, "recap: ") || strings.Count(a.err, "\n") < 2 || !strings.HasSuffix(a.err, "\n") {
			t.Errorf("recap %v: %+v", args, a)
		}
	}
}

// Every command has help, with an example of a next step.
func TestHelp(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	top := d.ok(t, "--help")
	for _, name := range []string{
		"away", "list", "search", "show", "why", "spend", "egress", "resume", "prompt", "mute", "forget", "doctor", "config", "config get", "config set", "config path", "demo", "version", "completion", "serve",
	} {
		words := strings.Fields(name)
		if len(words) == 1 && !strings.Contains(top, "\n  "+name+" ") {
			t.Errorf("recap --help does not name %s", name)
		}
		out := d.ok(t, append(words, "--help")...)
		if !strings.Contains(out, "Examples:\n") || !strings.Contains(out, "Usage:\n  recap "+name) {
			t.Errorf("recap %s --help:\n%s", name, out)
		}
		if again := d.ok(t, append([]string{"help"}, words...)...); again != out {
			t.Errorf("recap help %s differs", name)
		}
		for line := range strings.Lines(out) {
			if n := len([]rune(line)); n > 140 {
				t.Errorf("%s: a line of %d characters: %s", name, n, line)
			}
		}
	}
}
