package evidence

import (
	"strconv"
	"testing"

	"github.com/sessionrecap/recap"
)

// TestLongSessionsCostLittle: what a commit holds is settled with little
// memory, however many edits and commits there are.
func TestLongSessionsCostLittle(t *testing.T) {
	cost := func(n int) float64 {
		var tools []recap.Tool
		for i := range n {
			name := "f" + strconv.Itoa(i) + ".go"
			tools = append(tools, edit("/home/dev/app/"+name), bash("git add "+name+" && git commit -m x", new(0), "[main 1a2b3c4] x\n 1 file changed"))
		}
		turns := turnOf(tools...)
		s := &recap.Session{Directory: "/home/dev/app"}
		return testing.AllocsPerRun(1, func() {
			if f := collect(turns, s); len(f.Commits) != n || f.partly() {
				t.Errorf("%d commits, partly %v", len(f.Commits), f.partly())
			}
		})
	}
	if small, large := cost(100), cost(800); large > 10*small {
		t.Errorf("%.0f allocations for 100 commits, %.0f for 800", small, large)
	}
}
