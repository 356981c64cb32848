package cli_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/claudecode"
	"github.com/sessionrecap/recap/agent/codex"
	"github.com/sessionrecap/recap/agent/geminicli"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/agent/qwencode"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/demo"
	"github.com/sessionrecap/recap/store/memory"
)

// told is what is known of a sample session.
type told struct {
	Agent, ID, LastRequest string
	Expect                 struct {
		State      string
		AtRest     []string
		WaitingFor string
		Status     []string
	}
}

// TestStoriesOfTheSamples: every sample session of every agent has the state,
// the statuses and the request that its recording is known to have.
func TestStoriesOfTheSamples(t *testing.T) {
	t.Parallel()
	raw, err := demo.File("stories.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []told
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	rows := sampleRecaps(t)
	if len(all) < 19 || len(rows) != len(all) {
		t.Errorf("%d stories, %d sessions", len(all), len(rows))
	}
	for _, s := range all {
		t.Run(s.Agent+" "+s.ID[max(0, len(s.ID)-8):], func(t *testing.T) {
			i := slices.IndexFunc(rows, func(r engine.Result) bool {
				return string(r.Session.Ref.Agent) == s.Agent && r.Session.Ref.ID == s.ID
			})
			if i < 0 {
				t.Fatal("not listed")
			}
			s.check(t, rows[i])
		})
	}
}

// sampleRecaps makes the free recaps of the sample sessions.
func sampleRecaps(t *testing.T) []engine.Result {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Install(dir); err != nil {
		t.Fatal(err)
	}
	homes := demo.Homes(dir)
	e := engine.New(engine.Options{Store: memory.New(), Now: demo.Now, Sources: []agent.Source{
		claudecode.New(claudecode.Config{Root: homes[recap.Claude]}),
		codex.New(codex.Config{Root: homes[recap.Codex]}),
		geminicli.New(geminicli.Config{Root: homes[recap.Gemini]}),
		qwencode.New(qwencode.Config{Root: homes[recap.Qwen]}),
		opencode.New(opencode.Config{Root: homes[recap.OpenCode], DB: filepath.Join(homes[recap.OpenCode], "opencode.db")}),
	}})
	rows, _, _, err := e.List(t.Context(), engine.Query{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func (s *told) check(t *testing.T, row engine.Result) {
	t.Helper()
	r := row.Record
	if r == nil {
		t.Fatalf("no record: %v", row.Err)
	}
	if state := string(row.Session.State); state != s.Expect.State && !slices.Contains(s.Expect.AtRest, state) {
		t.Errorf("state %s, want %s or %v", state, s.Expect.State, s.Expect.AtRest)
	}
	has := func(x recap.Status) bool { return slices.Contains(r.Status, x) }
	expected := func(x recap.Status) bool {
		return slices.ContainsFunc(s.Expect.Status, func(name string) bool { return status(name) == x })
	}
	// OpenCode's database does not keep what a program that has ended waited
	// for apart from what it was doing.
	untold := s.Agent == "opencode" && string(row.Session.State) != s.Expect.State && row.Session.WaitingFor == ""
	for _, name := range s.Expect.Status {
		if untold && strings.HasPrefix(name, "waiting") {
			t.Logf("%s is not told at rest", name)
			continue
		}
		if !has(status(name)) {
			t.Errorf("%s is not in %v", name, r.Status)
		}
	}
	for _, x := range []recap.Status{
		recap.StatusTestsPassed, recap.StatusTestsFailed, recap.StatusCommitted, recap.StatusPushed, recap.StatusFailed,
		recap.StatusWaitingApproval, recap.StatusWaitingAnswer, recap.StatusWorking, recap.StatusNoAnswer,
	} {
		if has(x) && !expected(x) {
			t.Errorf("%s is in %v, want %v", x, r.Status, s.Expect.Status)
		}
	}
	if has(recap.StatusInterrupted) && s.Expect.State != "interrupted" && row.Session.State != recap.StateInterrupted {
		t.Errorf("interrupted, and the session is %s", row.Session.State)
	}
	if s.Expect.WaitingFor != "" && !untold && !strings.Contains(r.WaitingFor, s.Expect.WaitingFor) {
		t.Errorf("waiting for %q, want %q", r.WaitingFor, s.Expect.WaitingFor)
	}
	if !sameRequest(r.Request, s.LastRequest) {
		t.Errorf("request %q, want %q", r.Request, s.LastRequest)
	}
	if r.Recap == "" || r.Away == "" || r.Digest == "" {
		t.Errorf("an empty text: %q, %q, %q", r.Recap, r.Away, r.Digest)
	}
}

// status gives the status by the name that the stories have for it.
func status(name string) recap.Status {
	if name == "question" {
		return recap.StatusWaitingAnswer
	}
	return recap.Status(name)
}

// sameRequest: the request is a part of what the person wrote, of some length.
func sameRequest(got, whole string) bool {
	plain := func(s string) string {
		return strings.Trim(strings.Join(strings.Fields(strings.ToLower(s)), " "), " .?!。¿…")
	}
	got, whole = plain(got), plain(whole)
	return len(got) >= 10 && strings.Contains(whole, got)
}
