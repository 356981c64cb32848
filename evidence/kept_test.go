package evidence

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// TestH3_TruthsInOwnWords reads sessions, each with texts that say the truth in words of
// their own, and with others that say more, which stands in braces.
func TestH3_TruthsInOwnWords(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/guard/kept.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	n := 0
	for lines.Scan() {
		n++
		var s struct {
			story
			Over, True []string
		}
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		in := s.input(t)
		for _, text := range s.True {
			if kept, dropped, _ := NewGuard(in).Vet(recap.FieldRecap, text); kept != text {
				t.Errorf("%d %q became %q: %q", n, text, kept, dropped)
			}
		}
		for _, text := range s.Over {
			before, rest, _ := strings.Cut(text, "{")
			wrong, after, ok := strings.Cut(rest, "}")
			if !ok {
				t.Fatalf("line %d: no braces in %q", n, text)
			}
			x := rungText{before: before, after: after, text: before + wrong + after}
			if kept, _, _ := NewGuard(in).Vet(recap.FieldRecap, x.text); x.shows(kept) {
				t.Errorf("%d %q shown as %q", n, text, kept)
			}
		}
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatal(n, err)
	}
}
