package claudecode

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/dialog"
)

// fixture opens a recorded home. No process of it runs.
func fixture(t testing.TB, name string) *Source {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Name: "claude", Root: root, Origin: "default", Alive: func(int, string, string) (bool, bool) { return false, true }})
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"current", "v1.0.128"} {
		t.Run(name, func(t *testing.T) {
			agenttest.Golden(t, fixture(t, name), filepath.Join("testdata", name+".golden"))
		})
	}
}

// pager lets package dialog read a session.
type pagerOf struct {
	src agent.Source
	ref recap.SessionRef
}

func (p pagerOf) Page(ctx context.Context, before string, n int) (dialog.Page, error) {
	x, err := p.src.Page(ctx, p.ref, agent.Cursor(before), n)
	return dialog.Page{Records: x.Records, Next: string(x.Next), Bytes: x.Bytes}, err
}

func read(t testing.TB, src *Source, id string, turns int) dialog.Dialog {
	t.Helper()
	l := dialog.FileLimits()
	l.Turns = turns
	d, err := dialog.Read(t.Context(), pagerOf{src, recap.SessionRef{Agent: recap.Claude, Root: src.cfg.Root, ID: id}}, l)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func sessions(t testing.TB, src *Source, q agent.Query) []recap.Session {
	t.Helper()
	var out []recap.Session
	for s, err := range src.Sessions(t.Context(), q) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestTypedPromptsAreTheTurns compares the turns with the agent's own log of
// what was typed. Each line of the log is a turn or of a class that is none;
// each turn is in the log or of a class that is not logged.
func TestTypedPromptsAreTheTurns(t *testing.T) {
	const (
		a = "d7413b95-f120-43d8-a8b0-e81c2a8e9040"
		b = "04e29d68-2374-4b79-9b70-ee24e0ea7897"
		c = "b19f6e75-4f38-4c05-9bdd-6d48d394984c"
		d = "60efd75b-c7f9-4ca8-b53e-7118fc9bf7bb"
		e = "8044b929-4fdd-43b1-937d-adeaa27732b5"
		f = "8798a04a-2c91-4316-bfc8-6990f8eb9276"
		g = "f7d51118-1975-49a1-8047-8a678fc13c2e"

		builtIn, shell, rewound = "built-in slash command", "`!` line", "rewound"
		headless, inFork        = "-p", "-p in a fork"
	)
	noTurn := map[string]string{
		a + "! echo bang-command":         shell,
		a + "/cost":                       builtIn,
		a + "/rename my nice name":        builtIn,
		a + "/compact keep the auth bits": builtIn,
		a + "/exit":                       builtIn,
		a + "/clear":                      builtIn,
		a + "branch A question":           rewound,
		b + "/exit":                       builtIn,
		c + "/exit":                       builtIn,
		d + "/recap":                      builtIn,
	}
	const tooled = "@@THINK let me think\n@@TOOL Bash {\"command\":\"echo from-tool\",\"description\":\"echo\"}"
	notLogged := map[string]string{
		a + "print-resumed question":    headless,
		e + "forked question":           inFork,
		e + "continued question":        inFork,
		f + "hello there, first prompt": headless,
		g + tooled:                      headless,
	}
	src := fixture(t, "current")
	turns := map[string]int{}
	for _, s := range sessions(t, src, agent.Query{}) {
		for _, turn := range read(t, src, s.Ref.ID, 100).Turns {
			turns[s.Ref.ID+turn.Text]++
		}
	}
	log, err := os.ReadFile(filepath.Join("testdata", "current", "history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(log)) {
		lines++
		var h struct{ Display, SessionID string }
		if err := json.Unmarshal([]byte(line), &h); err != nil {
			t.Fatal(err)
		}
		key := h.SessionID + h.Display
		if class := noTurn[key]; class != "" {
			if turns[key] > 0 {
				t.Errorf("%s is a turn, and is a %s", key, class)
			}
			continue
		}
		if turns[key] == 0 {
			t.Errorf("typed and no turn: %s", key)
			continue
		}
		turns[key]--
	}
	if lines != 29 {
		t.Errorf("%d lines in the log", lines)
	}
	for key, n := range turns {
		if n > 0 && notLogged[key] == "" {
			t.Errorf("a turn that nobody typed: %q", key)
		}
	}
	for key, class := range notLogged {
		if turns[key] != 1 {
			t.Errorf("%s (%s): %d turns", key, class, turns[key])
		}
	}
}

// TestSampleSessions reads sessions with stories: what a person would see.
func TestSampleSessions(t *testing.T) {
	root, err := filepath.Abs("../../internal/demo/sessions/claude")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root); err != nil {
		t.Skip("no sample sessions here")
	}
	before := agenttest.Snapshot(t, root)
	src := New(Config{Root: root})
	got := map[string]recap.Session{}
	for _, s := range sessions(t, src, agent.Query{}) {
		got[path.Base(s.Directory)] = s
	}
	if s := got["shop-login"]; s.State != recap.StateIdle || s.Title != "the login page 500s when the email has a plus sign, find out why and fix it" {
		t.Errorf("%+v", s)
	}
	if s := got["atlas-rutas"]; s.State != recap.StateInterrupted {
		t.Errorf("%+v", s)
	}
	// Its process is of a machine that can't be seen from here; it said that
	// it waits.
	if s := got["kakeibo"]; s.State != recap.StateWaiting || s.WaitingFor != "approval: Bash go run . -in data/2025.csv -replace" {
		t.Errorf("%+v", s)
	}
	d := read(t, src, got["rechnung"].Ref.ID, 3)
	tools := d.Turns[len(d.Turns)-1].Tools
	last := tools[len(tools)-1]
	if last.Kind != recap.ToolTodo || len(last.Todos) != 3 && len(last.Todos) != 4 {
		t.Errorf("last tool = %+v", last)
	}
	exit := 0
	for _, x := range tools {
		if x.Command == "go test ./..." && x.Exit != nil {
			exit = *x.Exit
		}
	}
	if exit != 1 {
		t.Errorf("the last test run ended %d", exit)
	}
	for p, was := range agenttest.Snapshot(t, root) {
		if before[p] != was {
			t.Errorf("%s changed", p)
		}
	}
}
