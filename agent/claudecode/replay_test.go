package claudecode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// label says what a row is.
func label(row []byte) string {
	var r struct {
		Type, Subtype, Operation string
		IsMeta, IsSidechain      bool
		IsCompactSummary         bool
		Pending                  int `json:"pendingBackgroundAgentCount"`
		Attachment               struct{ Type string }
		Message                  struct {
			Content json.RawMessage
			Stop    *string `json:"stop_reason"`
		}
	}
	if err := json.Unmarshal(row, &r); err != nil {
		return "broken"
	}
	words := []string{r.Type, r.Subtype, r.Operation, r.Attachment.Type}
	for name, on := range map[string]bool{"meta": r.IsMeta, "subagent": r.IsSidechain, "summary": r.IsCompactSummary} {
		if on {
			words = append(words, name)
		}
	}
	if r.Pending > 0 {
		words = append(words, fmt.Sprint(r.Pending, " pending"))
	}
	var text string
	var blocks []struct{ Type, Text, Name string }
	if json.Unmarshal(r.Message.Content, &text) == nil {
		words = append(words, fmt.Sprintf("%.24q", text))
	} else if json.Unmarshal(r.Message.Content, &blocks) == nil && r.Type != "api-request-blob" {
		for _, b := range blocks {
			words = append(words, b.Type+" "+b.Name)
			if b.Text != "" {
				words = append(words, fmt.Sprintf("%.24q", b.Text))
			}
		}
	}
	if r.Message.Stop != nil {
		words = append(words, *r.Message.Stop)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// terminal plays the program in whose terminal a session runs: what it notes
// of itself while the rows come.
type terminal struct {
	t     *testing.T
	alive bool
	last  string
	begun time.Time
}

// note writes what the process says of itself; status "" is a version that
// says nothing.
func (x *terminal) note(root, file, status string, at time.Time) {
	x.t.Helper()
	id := strings.TrimSuffix(filepath.Base(file), ".jsonl")
	row := map[string]any{"pid": 4711, "sessionId": id, "procStart": "88957", "kind": "interactive"}
	if x.begun.IsZero() {
		x.begun = at.Add(-time.Second)
	}
	row["startedAt"] = x.begun.UnixMilli()
	if status != "" {
		row["status"], row["statusUpdatedAt"] = status, at.UnixMilli()
	}
	if status == "waiting" {
		row["waitingFor"] = "permission prompt"
	}
	b, err := json.Marshal(row)
	if err != nil {
		x.t.Fatal(err)
	}
	dir := filepath.Join(root, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "4711.json"), b, 0o600); err != nil {
		x.t.Fatal(err)
	}
	x.alive, x.last = true, status
}

func (x *terminal) open(root string, idx agent.Index) agent.Source {
	return New(Config{Root: root, Index: idx, Alive: func(int, string, string) (bool, bool) { return x.alive, true }})
}

// phases are what follows the last row: the process is killed.
func (x *terminal) phases() []agenttest.Phase {
	return []agenttest.Phase{{Name: "killed", Do: func(string) { x.alive = false }}}
}

const demo = "../../internal/demo/sessions/claude"

var (
	// interactive sessions note what they do; of runs without a terminal and of
	// older versions nothing is known.
	interactive = []string{"nothing known", "no status", "status"}
	unattended  = []string{"nothing known"}
)

var recordings = []struct {
	name, from, file string
	modes            []string
}{
	{"day", "testdata/current", "d7413b95-f120-43d8-a8b0-e81c2a8e9040", interactive},
	{"approval", "testdata/current", "04e29d68-2374-4b79-9b70-ee24e0ea7897", interactive},
	{"fork", "testdata/current", "8044b929-4fdd-43b1-937d-adeaa27732b5", unattended},
	{"killed", "testdata/current", "60efd75b-c7f9-4ca8-b53e-7118fc9bf7bb", interactive},
	{"clear", "testdata/current", "b19f6e75-4f38-4c05-9bdd-6d48d394984c", interactive},
	{"headless", "testdata/current", "f7d51118-1975-49a1-8047-8a678fc13c2e", unattended},
	{"old", "testdata/v1.0.128", "f3125c95-d812-4198-8522-9065ca85d406", unattended},
	{"interrupt", demo, "9ccec1aa-e0e2-44ba-906f-e932f776ab7c", interactive},
	{"waits", demo, "f6fa29fe-2018-4078-8cce-56a08fd8b009", interactive},
	{"todos", demo, "10925115-c8a3-41cd-88fa-3df84893e973", interactive},
	{"commit", demo, "cc52fe65-6938-454c-aa13-3fd86983d8a9", interactive},
}

// TestReplay writes recorded sessions row by row. The golden files were looked
// at line by line: no session is idle in the middle of a turn.
func TestReplay(t *testing.T) {
	for _, rec := range recordings {
		found, err := filepath.Glob(filepath.Join(rec.from, "projects", "*", rec.file+".jsonl"))
		if err != nil || len(found) != 1 {
			t.Fatal(rec.file, found, err)
		}
		rel, err := filepath.Rel(rec.from, found[0])
		if err != nil {
			t.Fatal(err)
		}
		files := []string{filepath.ToSlash(rel)}
		beside, err := filepath.Glob(strings.TrimSuffix(found[0], ".jsonl") + "/subagents/*.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range beside { // its subagents write at the same time
			rel, err := filepath.Rel(rec.from, f)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, filepath.ToSlash(rel))
		}
		for _, mode := range rec.modes {
			t.Run(rec.name+", "+mode, func(t *testing.T) {
				t.Parallel()
				x := &terminal{t: t}
				r := agenttest.Replay{From: rec.from, Files: files, Open: x.open, Label: label}
				switch mode {
				case "no status":
					r.Before = func(root string, s agenttest.Step) { x.note(root, files[0], "", s.At) }
					r.Then = x.phases()
				case "status":
					r.Before, r.After, r.Then = x.before, x.after, x.phases()
				}
				got := r.Run(t)
				agenttest.GoldenText(t, got, filepath.Join("testdata", "replay", rec.name+", "+mode+".golden"))
			})
		}
	}
}

// before notes what the program had noted when it wrote the row.
func (x *terminal) before(root string, s agenttest.Step) {
	if strings.Contains(s.File, "/subagents/") {
		return
	}
	if s.N == 0 {
		x.note(root, s.File, "idle", s.At.Add(-time.Second))
	}
	l := label(s.Row)
	if x.last == "waiting" && strings.HasPrefix(l, "user tool_result") {
		x.note(root, s.File, "busy", s.At)
	}
	if strings.HasPrefix(l, "system compact_boundary") { // it ran before its rows were written
		x.note(root, s.File, "busy", s.At.Add(-time.Second))
	}
}

// after notes what the program notes once a row stands: busy a moment after a
// prompt, idle a moment after the end of a turn.
func (x *terminal) after(root string, s agenttest.Step) {
	if strings.Contains(s.File, "/subagents/") {
		return
	}
	l := label(s.Row)
	later := s.At.Add(50 * time.Millisecond)
	switch {
	case strings.Contains(l, "[Request interrupted") && s.N == 138 && strings.Contains(s.File, "d7413b95"): // the queued prompt is next
	case strings.HasPrefix(l, `system turn_duration`), strings.Contains(l, "[Request interrupted"), strings.Contains(l, `"API Error`), strings.Contains(string(s.Row), "[2mCompacted"):
		x.note(root, s.File, "idle", later)
	case strings.HasPrefix(l, `user "`) && !strings.Contains(l, "<command-name>") && !strings.Contains(l, "meta") &&
		!strings.Contains(l, "local-command"):
		// The look that follows finds the row and the old word.
		x.last = "late"
	case x.last == "late":
		x.note(root, s.File, "busy", later)
	case strings.Contains(l, "tool_use Bash") && (strings.Contains(s.File, "04e29d68") && s.N == 26 || strings.Contains(s.File, "f6fa29fe") && s.N == 35):
		x.note(root, s.File, "waiting", later)
	}
}
