//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The question of the first run: asked on a terminal, once, with the model and
// the cap; the answer is kept.
func TestServeAsksOnce(t *testing.T) {
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("no tmux: scripts/setup.sh check installs it")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, keys, kept, says string
		first                  bool // there is no session yet
	}{
		{"yes", "y", "auto = true", "model calls: on, at most $1.00 and 500000 tokens a day", false},
		{"no", "n", "auto = false", "model calls: off", false},
		{"nothing, without a session", "", "auto = false", "model calls: off", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := withModel(t, "[model]\noverride = \"local/tiny\"\n")
			if c.first {
				if err := os.RemoveAll(filepath.Join(d.home, "agents")); err != nil {
					t.Fatal(err)
				}
			}
			socket := filepath.Join(t.TempDir(), "s")
			run := func(args ...string) string {
				cmd := exec.Command(tmux, append([]string{"-u", "-S", socket, "-f", os.DevNull}, args...)...)
				cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("tmux %v: %v\n%s", args, err, out)
				}
				return string(out)
			}
			var script strings.Builder
			// Twice: the second time nothing is asked.
			script.WriteString("trap : INT\nfor i in 1 2; do env -i PATH=\"$PATH\" TERM=screen-256color RECAP_TEST_MAIN=1 GORACE=atexit_sleep_ms=0 HOME='" + d.home + "'")
			for k, v := range d.env {
				fmt.Fprintf(&script, " %s='%s'", k, v)
			}
			fmt.Fprintf(&script, " %s serve; echo %s; done\n", self, over)
			file := filepath.Join(t.TempDir(), "run.sh")
			if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			run("new-session", "-d", "-x", "100", "-y", "60", "trap : INT; sh "+file+"; sleep 60")
			t.Cleanup(func() { run("kill-server") })
			shows := func(want string, times int) string {
				t.Helper()
				for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
					if out := run("capture-pane", "-p", "-J"); strings.Count(out, want) == times {
						return out
					} else if time.Now().After(end) {
						t.Fatalf("the terminal never shows %q:\n%s", want, out)
					}
				}
			}
			asked := strings.Join(strings.Fields(shows("[y/N]", 1)), " ")
			for _, want := range []string{"May recap ask a model in the background", "local/tiny", "at most $1.00 and 500000 tokens a day", "recap spend"} {
				if !strings.Contains(asked, want) {
					t.Errorf("the question does not say %q: %s", want, asked)
				}
			}
			run("send-keys", c.keys+"\n")
			shows(c.says, 1)
			b, err := os.ReadFile(d.env["RECAP_CONFIG"])
			if err != nil || !strings.Contains(string(b), c.kept) {
				t.Errorf("the settings hold %s, %v", b, err)
			}
			run("send-keys", "C-c")
			if out := shows("following ", 2); strings.Count(out, "[y/N]") != 1 {
				t.Errorf("asked more than once:\n%s", out)
			}
			run("send-keys", "C-c")
			if out := shows(over, 2); strings.Contains(out, "^C") || strings.Count(out, "\nstopped: 0 recaps made") != 2 {
				t.Errorf("the stop reads:\n%s", out)
			}
		})
	}
}
