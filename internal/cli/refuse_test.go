package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/internal/cli"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// claude writes a session of Claude Code that worked in a directory.
func (d *desk) claude(t *testing.T, id, dir, request string) {
	t.Helper()
	at := d.now.Add(-time.Hour).UTC().Format(time.RFC3339)
	write(t, filepath.Join(d.home, "agents", "claude", "projects", "-x-"+id, id+".jsonl"),
		`{"type":"user","uuid":"u-`+id+`","sessionId":"`+id+`","timestamp":"`+at+`","cwd":"`+dir+`","message":{"role":"user","content":"`+request+`"}}`+"\n"+
			`{"type":"assistant","uuid":"a-`+id+`","parentUuid":"u-`+id+`","sessionId":"`+id+`","timestamp":"`+at+`","cwd":"`+dir+
			`","message":{"role":"assistant","id":"m-`+id+`","stop_reason":"end_turn","content":[{"type":"text","text":"The index is rebuilt now."}]}}`+"\n")
}

// What is left out by a .recap.toml is left out below it too, repository or not.
func TestProjectFileCoversWhatIsBelow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	w := filepath.Join(d.home, "w")
	for id, dir := range map[string]string{
		"aaaaaaaa-0000-4000-8000-000000000001": "sub/deep",
		"aaaaaaaa-0000-4000-8000-000000000002": "sub",
		"aaaaaaaa-0000-4000-8000-000000000003": "other",
		"aaaaaaaa-0000-4000-8000-000000000004": "clients/acme/repo",
		"aaaaaaaa-0000-4000-8000-000000000005": "clients/acme/repo/private/x",
		"aaaaaaaa-0000-4000-8000-000000000006": "subway",
	} {
		if err := os.MkdirAll(filepath.Join(w, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		d.claude(t, id, filepath.Join(w, dir), "rebuild the index of "+dir)
	}
	if err := os.MkdirAll(filepath.Join(w, "clients/acme/repo/.git"), 0o700); err != nil {
		t.Fatal(err)
	}
	shown := func(want ...string) {
		t.Helper()
		a := d.run(t, "list", "--all")
		out := a.out + a.err
		var got []string
		for line := range strings.Lines(a.out) {
			_, what, _ := strings.Cut(line, "rebuild the index of ")
			what, _, _ = strings.Cut(strings.TrimSpace(what), " ")
			got = append(got, what)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("listed %q, want %q\n%s", got, want, out)
		}
	}
	write(t, filepath.Join(w, "sub/.recap.toml"), "off = true\n")
	shown("other", "subway", "clients/acme/repo", "clients/acme/repo/private/x")
	write(t, filepath.Join(w, "clients/acme/repo/private/.recap.toml"), "off = true\n")
	shown("other", "subway", "clients/acme/repo")
	write(t, filepath.Join(w, "clients/.recap.toml"), "off = true\n")
	shown("other", "subway")
	write(t, filepath.Join(w, ".recap.toml"), "privacy.exclude = [\"other\"]\n")
	shown("subway")
}

// A store that can't be used is no reason to say that something was done.
func TestMuteAndForgetSayWhenNothingHappened(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want string
		spoil      func(t *testing.T, d *desk, db string)
	}{
		{"damaged", "damaged", func(t *testing.T, _ *desk, db string) { write(t, db, strings.Repeat("no database at all ", 100)) }},
		{"a directory", "not a file", func(t *testing.T, _ *desk, db string) {
			if err := os.MkdirAll(db, 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"no place for it", "the store", func(t *testing.T, d *desk, _ string) { write(t, filepath.Join(d.home, "data"), "") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.claude(t, "aaaaaaaa-0000-4000-8000-000000000001", "/home/dev/src/x", "rebuild the index")
			tt.spoil(t, d, filepath.Join(d.home, "data", "recap", "recap.db"))
			for _, args := range [][]string{{"mute", "aaaaaaaa"}, {"mute", "--project"}, {"forget", "aaaaaaaa"}, {"forget", "--all"}} {
				a := d.run(t, args...)
				if a.code != 1 || a.out != "" || !strings.Contains(a.err, tt.want) || strings.Count(a.err, "\n") != 2 {
					t.Errorf("recap %v: %+v", args, a)
				}
			}
			a := d.run(t, "list")
			if a.code != 0 || strings.Count(a.err, "nothing is kept this time") != 1 {
				t.Errorf("%+v", a)
			}
			a = d.run(t, "doctor", "--json")
			if a.code != 0 || strings.Contains(a.out, `"problems":[]`) || !strings.Contains(a.out, tt.want) || a.err != "" {
				t.Errorf("doctor: %+v", a)
			}
		})
	}
}

// doctor marks the home in which nothing could be used.
func TestDoctorMarksAHomeOfWhichNothingCanBeUsed(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	write(t, filepath.Join(d.home, "agents", "opencode", "opencode.db"), strings.Repeat("this is no database. ", 100))
	out := d.ok(t, "doctor")
	if strings.Contains(out, "✓ OpenCode") || !strings.Contains(out, "✗ OpenCode: ") || strings.Contains(out, "Problems\n  none") {
		t.Errorf("%s", out)
	}
}

func TestWordsForWrongUsage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, tt := range []struct {
		args string
		code int
		want []string
	}{
		{"show", 2, []string{"recap: name a session", "recap show --help"}},
		{"why", 2, []string{"recap: name a session", "recap why --help"}},
		{"resume", 2, []string{"recap: name a session", "recap resume --help"}},
		{"show a b", 2, []string{"recap: name one session only", "recap show --help"}},
		{"last more", 2, []string{"recap: name one session only", "recap list shows"}},
		{"last --model openai/gpt-x", 2, []string{"recap: name one session only", "--model=openai/gpt-x"}},
		{"--model openai/gpt-x", 1, []string{"no such session", "a model is named behind =: --model=openai/gpt-x"}},
		{"search", 2, []string{"recap: give the words to look for", "recap search --help"}},
		{"config get", 2, []string{"recap: name a key", "recap config get --help"}},
		{"completion", 2, []string{"recap: name a shell", "recap completion --help"}},
		{"list -n x", 2, []string{`"x" for "-n, --limit"`, "must be a whole number"}},
		{"list -n -1", 2, []string{"--limit can't be below 0"}},
		{"away --limit -3", 2, []string{"--limit can't be below 0"}},
		{"prompt --width -3", 2, []string{"--width can't be below 0"}},
		{"list --all=maybe", 2, []string{"must be true or false"}},
		{"config set budget.daily_tokens -5", 2, []string{"budget.daily_tokens must be a number that is not below 0, or \"unlimited\""}},
		{"config set budget.daily_usd -.5 -q", 2, []string{"budget.daily_usd must be a number that is not below 0"}},
		{"config set recent.max -- -1", 2, []string{"recent.max must be a whole number that is not below 0"}},
		{"config set budget.daily_tokens -x", 2, []string{"unknown shorthand flag"}},
		{"config set privacy.exclude relative/dir", 2, []string{"must be absolute directories", `"relative/dir" is not`}},
		{"config set store.url mysql://x", 2, []string{"store.url must be sqlite"}},
		{"config set sources.nope x", 2, []string{"sources.nope must be true, false or the absolute path"}},
		{"config set sources.nope /x", 2, []string{"sources.nope unknown agent"}},
		{"config set nosuch 1", 2, []string{"unknown key nosuch\n", "recap config lists the keys"}},
	} {
		a := d.run(t, strings.Fields(tt.args)...)
		if a.code != tt.code || a.out != "" || strings.Contains(a.err, "strconv") {
			t.Errorf("recap %s: %+v", tt.args, a)
		}
		for _, w := range tt.want {
			if strings.Count(a.err, w) != 1 {
				t.Errorf("recap %s: %q, want %q", tt.args, a.err, w)
			}
		}
	}
}

// What is set is what counts, in every form that the program itself prints.
func TestExclusionsThatAreSetHold(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`["/home/dev/src/x"]`, `['/home/dev/src/x', "/other"]`, "/home/dev/src/x", "/other, /home/dev/src"} {
		d := newDesk(t)
		d.claude(t, "aaaaaaaa-0000-4000-8000-000000000001", "/home/dev/src/x", "rebuild the index")
		d.ok(t, "config", "set", "privacy.exclude", "[]")
		if got := strings.TrimSpace(d.ok(t, "config", "get", "privacy.exclude")); got != "[]" {
			t.Errorf("none: %s", got)
		}
		d.ok(t, "list")
		d.ok(t, "config", "set", "privacy.exclude", value)
		if a := d.run(t, "list", "--all"); a.code != 3 || a.out != "" {
			t.Errorf("%s: %+v", value, a)
		}
		printed := strings.TrimSpace(d.ok(t, "config", "get", "privacy.exclude"))
		d.ok(t, "config", "set", "privacy.exclude", printed)
		if again := strings.TrimSpace(d.ok(t, "config", "get", "privacy.exclude")); again != printed {
			t.Errorf("%s became %s", printed, again)
		}
	}
}

func TestConfigSetSaysHowToMendTheFile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	write(t, d.env["RECAP_CONFIG"], "language = \"de\"\n[assist\n")
	a := d.run(t, "config", "set", "language", "fr")
	if a.code != 1 || !strings.Contains(a.err, d.env["RECAP_CONFIG"]+":2:") || !strings.Contains(a.err, "mend that line") {
		t.Errorf("%+v", a)
	}
	write(t, filepath.Join(d.home, "file"), "")
	d.env["RECAP_CONFIG"] = filepath.Join(d.home, "file", "config.toml")
	a = d.run(t, "config", "set", "language", "fr")
	if a.code != 1 || !strings.Contains(a.err, "the settings file can't be changed") || !strings.Contains(a.err, "check who owns it") {
		t.Errorf("%+v", a)
	}
}

func TestStoppedIsOneWord(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"list"}, {"search", "x"}, {"doctor"}, {}} {
		if a := d.runContext(ctx, t, args...); a.code != 1 || a.err != "recap: stopped\n" {
			t.Errorf("recap %v: %+v", args, a)
		}
	}
}

// stuck takes nothing, as a full disk.
type stuck struct{}

func (stuck) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

var _ io.Writer = stuck{}

func TestOutputThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.claude(t, "aaaaaaaa-0000-4000-8000-000000000001", "/home/dev/src/x", "rebuild the index")
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", "last", "--json"}, {"--json", "nosuch"}, {"--help"}} {
		var errs bytes.Buffer
		code := cli.Run(t.Context(), args, cli.Streams{
			In: strings.NewReader(""), Out: stuck{}, Err: &errs, Env: func(name string) string { return d.env[name] }, Now: func() time.Time { return d.now },
		})
		if args[0] == "--help" {
			continue // cobra gives help no way to fail
		}
		if code != 1 || errs.Len() == 0 {
			t.Errorf("recap %v: exit code %d, %q", args, code, errs.String())
		}
		if args[0] != "--json" && !strings.Contains(errs.String(), "the output could not be written: no space left on device") {
			t.Errorf("recap %v: %q", args, errs.String())
		}
	}
}

func TestNoHomeIsAnError(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.env = map[string]string{"HOME": ".", "XDG_DATA_HOME": "data", "LANG": "C.UTF-8"}
	a := d.run(t, "config", "path")
	if a.code == 0 && (!filepath.IsAbs(strings.TrimSpace(a.out)) || !strings.Contains(a.err, "HOME: is no absolute path") || !strings.Contains(a.err, "XDG_DATA_HOME: is no absolute path")) ||
		a.code != 0 && !strings.Contains(a.err, "your home directory is not known") {
		t.Errorf("%+v", a)
	}
	if _, err := os.Stat("recap"); err == nil {
		t.Error("a folder was made where recap ran")
	}
}

// F20: in a search and in JSON a session whose transcript is gone says so.
func TestF20_GoneIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id := "aaaaaaaa-0000-4000-8000-000000000001"
	d.claude(t, id, "/home/dev/src/x", "rebuild the index")
	d.ok(t, "list")
	if err := os.RemoveAll(filepath.Join(d.home, "agents", "claude", "projects", "-x-"+id)); err != nil {
		t.Fatal(err)
	}
	if out := d.ok(t, "search", "rebuild"); !strings.Contains(out, "\tx\tgone\t") {
		t.Errorf("%s", out)
	}
	for _, args := range [][]string{{"search", "rebuild"}, {"list", "--all"}} {
		if r := decode[api.Row](t, d.ok(t, append(args, "--json")...)); !r.Gone || r.Fresh || r.Record == nil {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := decode[api.Result](t, d.ok(t, "show", id, "--json")); !r.Gone || r.Fresh || r.Reason == nil {
		t.Errorf("%+v", r)
	}
}
