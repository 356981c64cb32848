package codex

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/evidence"
)

// TestSampleWaitsForApproval reads the recorded session whose program was
// ended while a command waited for the person.
func TestSampleWaitsForApproval(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", "internal", "demo", "sessions", "codex"))
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Name: "codex", Root: root, Origin: "config"})
	list, _ := all(t, s, agent.Query{})
	seen := 0
	for _, x := range list {
		d := turns(t, s, x.Ref.ID)
		free := evidence.Free(evidence.Input{Session: x, Turns: d.Turns, End: string(d.End), Failure: d.Failure})
		got := slices.Contains(free.Status, recap.StatusWaitingApproval)
		want := strings.HasPrefix(x.Ref.ID, "01a22a4a")
		if got != want {
			t.Errorf("%s: status %v", x.Ref.ID, free.Status)
		}
		if !want {
			continue
		}
		seen++
		if x.State != recap.StateUnknown || x.WaitingFor != "approval: exec_command rm -rf index/2024" {
			t.Errorf("state %s, waiting for %q", x.State, x.WaitingFor)
		}
		if !slices.Equal(free.Status, []recap.Status{recap.StatusWaitingApproval}) || !strings.Contains(free.WaitingFor, "rm -rf index/2024") {
			t.Errorf("status %v, waiting for %q", free.Status, free.WaitingFor)
		}
	}
	if seen != 1 || len(list) != 3 {
		t.Errorf("%d of %d sessions", seen, len(list))
	}
}
