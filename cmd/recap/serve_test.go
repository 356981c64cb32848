//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// daemonCommands are the commands of stories about recap serve.
func daemonCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"signal": signalDaemon, "until": until, "turn": turn, "turn-at": turnAt,
	}
}

// statusOf is the status file of the story's daemon.
func statusOf(home string) string {
	return filepath.Join(home, ".local", "state", "recap", "daemon.json")
}

// signalDaemon sends a signal to the daemon: "signal TERM".
func signalDaemon(ts *testscript.TestScript, _ bool, args []string) {
	b, err := os.ReadFile(statusOf(ts.Getenv("HOME")))
	ts.Check(err)
	var s struct{ PID int }
	ts.Check(json.Unmarshal(b, &s))
	sig, ok := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL, "USR1": syscall.SIGUSR1}[args[0]]
	if !ok || s.PID <= 1 {
		ts.Fatalf("signal %s to %d", args[0], s.PID)
	}
	ts.Check(syscall.Kill(s.PID, sig))
}

// patience is how long a story waits for another process.
const patience = 30 * time.Second

// until runs a program until what it prints matches: "until PATTERN recap doctor".
func until(ts *testscript.TestScript, neg bool, args []string) {
	re, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if out := ts.ReadFile("stdout"); re.MatchString(out) != neg {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("waited in vain for %s, %v", args[0], err)
		}
	}
}

// turn appends a turn of the person and its answer to a session of Claude Code:
// "turn PROJECT ID WORDS".
func turn(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(claudeTurn(ts.Getenv("HOME"), filepath.Join(ts.Getenv("DEV"), "src", args[0]), args[1], strings.Join(args[2:], " "), time.Now()))
}

// turnAt is turn in another home: "turn-at DIR PROJECT ID WORDS".
func turnAt(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(claudeTurn(args[0], filepath.Join(ts.Getenv("DEV"), "src", args[1]), args[2], strings.Join(args[3:], " "), time.Now()))
}

func claudeSlug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// claudeTurn appends what Claude Code writes of a request and its answer.
func claudeTurn(home, dir, id, request string, at time.Time) error {
	folder := filepath.Join(home, ".claude", "projects", claudeSlug(dir))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, id+".jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	n := at.UnixNano()
	common := fmt.Sprintf(`"isSidechain":false,"userType":"external","entrypoint":"sdk-cli","cwd":%q,"sessionId":%q,"version":"2.1.332","gitBranch":"main"`, dir, id)
	_, err = fmt.Fprintf(f, `{"parentUuid":null,"type":"user","message":{"role":"user","content":%q},"uuid":"u-%d","timestamp":%q,"origin":{"kind":"human"},"promptSource":"typed",%s}`+"\n"+
		`{"parentUuid":"u-%d","type":"assistant","message":{"id":"msg_%d","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":%q}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":5}},"uuid":"a-%d","timestamp":%q,%s}`+"\n",
		request, n, at.UTC().Format("2006-01-02T15:04:05.000Z"), common, n, n, "Done: "+request+". The page has its new words now.", n, at.UTC().Format("2006-01-02T15:04:05.000Z"), common)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
