package cli_test

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sessionrecap/recap/internal/cli"
)

// serve runs the daemon, and something beside it, and gives what it printed.
func (d *desk) serve(t *testing.T, beside func()) (out, errs string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var o, e bytes.Buffer
	ready := &notifier{w: &o, first: make(chan struct{})}
	env := maps.Clone(d.env)
	code := make(chan int, 1)
	go func() {
		defer ready.ended()
		code <- cli.Run(ctx, []string{"serve"}, cli.Streams{
			In: strings.NewReader(""), Out: ready, Err: &e, Env: func(name string) string { return env[name] }, Now: time.Now,
		})
	}()
	<-ready.first
	beside()
	stop()
	if c := <-code; c != 0 {
		t.Errorf("recap serve: exit code %d: %s%s", c, o.String(), e.String())
	}
	return o.String(), e.String()
}

// notifier tells of the first write.
type notifier struct {
	w     *bytes.Buffer
	first chan struct{}
	once  sync.Once
}

func (n *notifier) Write(b []byte) (int, error) {
	defer n.ended()
	return n.w.Write(b)
}

// ended: there is nothing more to wait for.
func (n *notifier) ended() { n.once.Do(func() { close(n.first) }) }

// A log that can't be written is told of, by doctor among the problems, by
// serve in one line; everything else is done.
func TestH9_ALogThatCanNotBeWritten(t *testing.T) {
	t.Parallel()
	paths := map[string]string{"no folder": filepath.Join(t.TempDir(), "file", "recap.log"), "a full disk": "/dev/full"}
	if err := os.WriteFile(filepath.Dir(paths["no folder"]), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(path); name == "a full disk" && err != nil {
				t.Skip("there is no such file here")
			}
			d := samples(t)
			d.env["RECAP_LOG_FILE"] = path
			flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
			says := "the log " + path + " can't be written: "
			a := d.run(t, "doctor")
			if _, problems, _ := strings.Cut(flat(a.out), " Problems "); a.code != 0 || !strings.Contains(problems, says) || a.err != "" {
				t.Errorf("doctor: %d, %s, %s", a.code, problems, a.err)
			}
			if a := d.run(t, "prompt"); a.err != "" {
				t.Errorf("prompt: %s", a.err)
			}
			out, errs := d.serve(t, func() {
				a := d.run(t, "doctor", "--json")
				if n := strings.Count(a.out, "can't be written"); n != 1 {
					t.Errorf("doctor beside the daemon says it %d times: %s", n, a.out)
				}
				d.env["RECAP_LOG_FILE"] = ""
				if a := d.run(t, "doctor"); !strings.Contains(flat(a.out), "the daemon says: "+says) {
					t.Errorf("doctor does not say it of the daemon: %s", a.out)
				}
			})
			if n := strings.Count(flat(errs), says); n != 1 || !strings.Contains(out, "following 5 homes") {
				t.Errorf("serve says it %d times: %s %s", n, out, errs)
			}
		})
	}
}

// A settings file that breaks while the daemon runs asks for no restart: what
// it says is not known.
func TestDoctorAsksForARestartOnlyWhereSettingsAreKnown(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const asks = "was started with other settings of log.level"
	d.settings(t, "[log]\nlevel = \"debug\"\n")
	d.serve(t, func() {
		for _, c := range []struct {
			name, file string
			asks       bool
		}{
			{"as it was", "[log]\nlevel = \"debug\"\n", false},
			{"broken", "[log]\nlevel = \"debug\"\n[model\n", false},
			{"another", "[log]\nlevel = \"warn\"\n", true},
		} {
			d.settings(t, c.file)
			out := strings.Join(strings.Fields(d.ok(t, "doctor")), " ")
			if strings.Contains(out, asks) != c.asks || strings.Contains(out, "not running") {
				t.Errorf("%s: %s", c.name, out)
			}
		}
	})
}

// A store that only the broken file names is not said to have been changed.
func TestDoctorBesideABrokenFileAndAnotherStore(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.settings(t, "[store]\nurl = \"sqlite:"+filepath.Join(d.home, "other.db")+"\"\n")
	d.serve(t, func() {
		d.settings(t, "[model\n")
		out := strings.Join(strings.Fields(d.ok(t, "doctor")), " ")
		if strings.Contains(out, "start it again") || !strings.Contains(out, "once the settings file can be understood") {
			t.Errorf("%s", out)
		}
	})
}

// That nobody could be asked about model calls is logged at the first start
// alone.
func TestThatNobodyCouldBeAskedIsLoggedOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for range 2 {
		d.serve(t, func() {})
	}
	b, err := os.ReadFile(filepath.Join(d.env["XDG_STATE_HOME"], "recap", "recap.log"))
	if n, starts := strings.Count(string(b), "nobody could be asked"), strings.Count(string(b), "serve started"); err != nil || n != 1 || starts != 2 {
		t.Errorf("said %d times in %d starts, %v:\n%s", n, starts, err, b)
	}
}

// Where models may be asked doctor says what of the day's caps is used.
func TestDoctorSaysWhatIsUsedOfTheCaps(t *testing.T) {
	t.Parallel()
	d, _ := withModel(t, "[assist]\nauto = true\n[model]\noverride = \"local/tiny\"\n[budget]\ndaily_usd = \"unlimited\"\n")
	d.ok(t, "cc52", "--model")
	d.serve(t, func() {
		out := strings.Join(strings.Fields(d.ok(t, "doctor")), " ")
		if !strings.Contains(out, "model calls: on, 960 of 500000 tokens and $0.00 used today") {
			t.Errorf("%s", out)
		}
		_, models, _ := strings.Cut(out, " Models ")
		at := -1
		for _, name := range []string{"Claude Code: ", "Codex: ", "Gemini CLI: ", "OpenCode: ", "Qwen Code: "} {
			i := strings.Index(models, name)
			if i <= at {
				t.Errorf("the models are in another order than the agents: %s", models)
			}
			at = i
		}
	})
}
