//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/sessionrecap/recap/internal/cli"
	"github.com/sessionrecap/recap/internal/demo"
)

// TestMain lets the test program be recap itself, so that it can run on a real
// terminal.
func TestMain(m *testing.M) {
	if os.Getenv("RECAP_TEST_MAIN") == "1" {
		os.Unsetenv("RECAP_TEST_MAIN") //nolint:errcheck // then it would only be there
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: demo.Now})
		stop()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// terminal runs a command on a terminal of tmux and gives what stands on it,
// colours too. Lines that the terminal broke are joined again.
func (d *desk) terminal(t *testing.T, columns int, dir string, env map[string]string, args ...string) string {
	t.Helper()
	return d.terminals(t, columns, dir, env, args)[0]
}

// over stands between the commands of one terminal.
const over = "=====OVER====="

// terminals runs commands one after the other on one terminal, and gives what
// each put there.
func (d *desk) terminals(t *testing.T, columns int, dir string, env map[string]string, commands ...[]string) []string {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("no tmux: scripts/setup.sh check installs it")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), tmux, append([]string{"-u", "-S", socket, "-f", os.DevNull}, args...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm-256color")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	var script strings.Builder
	script.WriteString("cd " + dir + "\n")
	for _, args := range commands {
		script.WriteString("env -i PATH=\"$PATH\" TERM=screen-256color RECAP_TEST_MAIN=1 GORACE=atexit_sleep_ms=0")
		for _, m := range []map[string]string{d.env, env} {
			for k, v := range m {
				fmt.Fprintf(&script, " %s='%s'", k, v)
			}
		}
		fmt.Fprintf(&script, " %s %s\necho %s\n", self, strings.Join(args, " "), over)
	}
	file := filepath.Join(t.TempDir(), "run.sh")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	run("new-session", "-d", "-x", strconv.Itoa(columns), "-y", "2000",
		"sh "+file+"; "+tmux+" -S "+socket+" wait-for -S done; sleep 60")
	defer run("kill-server")
	run("wait-for", "done")
	shown := strings.Split(run("capture-pane", "-p", "-J", "-e"), over)
	if len(shown) != len(commands)+1 {
		t.Fatalf("%d commands, %d answers", len(commands), len(shown)-1)
	}
	shown = shown[:len(commands)]
	for i, s := range shown {
		shown[i] = strings.Trim(s, "\n") + "\n"
	}
	return shown
}

// Each command at each width: no line is so long that the terminal breaks it.
func TestK6_Terminal(t *testing.T) {
	t.Parallel()
	d := samples(t)
	d.ok(t, "list")
	look := t.TempDir()
	commands := [][]string{{"cc52"}, {"list"}, {"away", "--peek"}, {"show", "cc52"}, {"show", "0cf9345d", "--turns"}, {"why", "cc52"}, {"doctor"}, {"--help"}, {"spend"}, {"mute", "cc52"}, {"mute", "--off", "cc52"}, {"serve", "more"}}
	for _, width := range []int{100, 40, 20} {
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			t.Parallel()
			for i, joined := range d.terminals(t, width, look, map[string]string{"NO_COLOR": "1"}, commands...) {
				name := strings.Join(commands[i], " ")
				if strings.Contains(joined, "\x1b[3") || strings.Contains(joined, "\x1b[1m") {
					t.Errorf("%s: NO_COLOR: %q", name, joined)
				}
				// Joined, a line that the terminal broke is wider than it.
				for line := range strings.Lines(joined) {
					if w := uniseg.StringWidth(strings.TrimRight(line, " \n")); w > width {
						t.Errorf("%s: %d columns: %q", name, w, line)
					}
				}
				if len(strings.TrimSpace(joined)) < 10 {
					t.Errorf("%s: nothing shown: %q", name, joined)
				}
				if testing.Verbose() {
					t.Logf("\n%s", joined)
				}
			}
		})
	}
}

func TestK6_Colours(t *testing.T) {
	t.Parallel()
	d := samples(t)
	dir := t.TempDir()
	if out := d.terminal(t, 80, dir, nil, "cc52"); !strings.Contains(out, "\x1b[1mshop-login") || !strings.Contains(out, "\x1b[32m") {
		t.Errorf("no colours on a terminal: %q", out)
	}
	if out := d.terminal(t, 80, dir, map[string]string{"TERM": "dumb"}, "cc52"); strings.Contains(out, "\x1b[1m") {
		t.Errorf("colours on a dumb terminal: %q", out)
	}
	if out := d.ok(t, "cc52"); strings.Contains(out, "\x1b") {
		t.Errorf("colours in a pipe: %q", out)
	}
}

// Without a UTF-8 locale our own signs are ASCII; the person's words stay.
func TestK6_NoUTF8(t *testing.T) {
	t.Parallel()
	d := samples(t)
	for _, env := range []map[string]string{{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"LC_CTYPE": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"}} {
		d.env["LANG"], d.env["LC_ALL"], d.env["LC_CTYPE"] = env["LANG"], env["LC_ALL"], env["LC_CTYPE"]
		for _, args := range [][]string{{"cc52"}, {"show", "cc52"}, {"why", "cc52"}, {"doctor"}, {"prompt"}} {
			out := d.ok(t, args...)
			for _, r := range out {
				if r > 0x7e {
					t.Errorf("%v, recap %v: %q in %s", env, args, r, out)
					break
				}
			}
		}
		if out := d.ok(t, "show", "f6fa29fe"); !strings.Contains(out, "家計簿") {
			t.Errorf("the person's words are gone: %s", out)
		}
	}
}

// Scripts from right to left and wide letters, in names too.
func TestK6_WideAndRightToLeft(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	rows := map[string]string{
		"aaaaaaaa-0000-4000-8000-000000000001": "تحقق من صفحة تسجيل الدخول وأصلح الخطأ الذي يظهر عند استخدام علامة الجمع في البريد الإلكتروني",
		"aaaaaaaa-0000-4000-8000-000000000002": "בדוק את דף הכניסה ותקן את השגיאה המופיעה כאשר יש סימן פלוס בכתובת הדואר האלקטרוני",
		"aaaaaaaa-0000-4000-8000-000000000003": "ログインページでメールアドレスにプラス記号が含まれると五百エラーになる問題を調べて直してください",
		"aaaaaaaa-0000-4000-8000-000000000004": "👩‍👩‍👧‍👦🇩🇪 emoji everywhere 👍🏽👍🏽👍🏽👍🏽 please fix the family 👨‍👩‍👧 picture 🏳️‍🌈🏳️‍🌈🏳️‍🌈🏳️‍🌈",
		"aaaaaaaa-0000-4000-8000-000000000005": strings.Repeat("verylongwordwithoutanyspace", 12),
	}
	dir := filepath.Join(d.home, "agents", "claude", "projects", "-x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for id, text := range rows {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		body := string(quoted)
		row := fmt.Sprintf(`{"type":"user","uuid":"u-%[1]s","sessionId":"%[1]s","timestamp":"2026-11-30T02:00:00.000Z","cwd":"/home/dev/src/プロジェクト名前","gitBranch":"feature/ветка-очень-длинная","message":{"role":"user","content":%[2]s}}`+"\n", id, body)
		row += fmt.Sprintf(`{"type":"assistant","uuid":"a-%[1]s","parentUuid":"u-%[1]s","sessionId":"%[1]s","timestamp":"2026-11-30T02:00:09.000Z","cwd":"/home/dev/src/プロジェクト名前","message":{"role":"assistant","id":"m-%[1]s","stop_reason":"end_turn","content":[{"type":"text","text":%[2]s}]}}`+"\n", id, body)
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.ok(t, "list")
	for _, width := range []int{80, 20} {
		commands := [][]string{{"list"}, {"show", "aaaaaaaa-0000-4000-8000-000000000003"}, {"show", "aaaaaaaa-0000-4000-8000-000000000004", "--turns"}, {"prompt", "--width", strconv.Itoa(width)}}
		for i, out := range d.terminals(t, width, d.home, map[string]string{"NO_COLOR": "1"}, commands...) {
			args := commands[i]
			for line := range strings.Lines(out) {
				if w := uniseg.StringWidth(strings.TrimRight(line, " \n")); w > width {
					t.Errorf("recap %v at %d: %d columns: %q", args, width, w, line)
				}
			}
			if testing.Verbose() {
				t.Logf("recap %v at %d\n%s", args, width, out)
			}
		}
	}
}
