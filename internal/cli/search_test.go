package cli_test

import (
	"fmt"
	"strings"
	"testing"
)

// A list that is cut says so on Err, wherever it goes; -q does not.
func TestWhatIsCutIsSaid(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for i := range 23 {
		d.claude(t, fmt.Sprintf("aaaaaaaa-0000-4000-8000-%012d", i), "/home/dev/src/x", fmt.Sprintf("rebuild the index number %d", i))
	}
	for _, tt := range []struct {
		args []string
		rows int
		said string
	}{
		{[]string{"list"}, 20, "20 of 23 sessions; -n 0 shows all"},
		{[]string{"list", "--json"}, 20, "20 of 23 sessions; -n 0 shows all"},
		{[]string{"list", "-n", "5", "--agent", "claude"}, 5, "5 of 23 sessions; -n 0 shows all"},
		{[]string{"list", "-n", "0"}, 23, ""},
		{[]string{"list", "-n", "23"}, 23, ""},
		{[]string{"list", "-q"}, 20, ""},
		{[]string{"list", "--all"}, 23, ""},
		{[]string{"search", "index"}, 20, "20 of 23 sessions that have these words; -n 0 shows all"},
		{[]string{"search", "index", "--json"}, 20, "20 of 23 sessions that have these words; -n 0 shows all"},
		{[]string{"search", "index", "number", "2", "-n", "2"}, 2, "2 of 5 sessions that have these words; -n 0 shows all"},
		{[]string{"search", "index", "-n", "0"}, 23, ""},
		{[]string{"search", "index", "-q"}, 20, ""},
	} {
		a := d.run(t, tt.args...)
		if n := strings.Count(a.out, "\n"); a.code != 0 || n != tt.rows {
			t.Errorf("recap %v: exit code %d, %d rows, want %d", tt.args, a.code, n, tt.rows)
		}
		if tt.said == "" && a.err != "" || !strings.Contains(a.err, tt.said) {
			t.Errorf("recap %v: %q, want %q", tt.args, a.err, tt.said)
		}
	}
}
