package evidence

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// TestH3_FreshEyes reads sessions that somebody wrote who did not know the
// rules, each with three texts that say more than is so, which stands in braces,
// and three that say the truth in words of their own. When the first set was
// first tried, 37 over-claims were shown and 64 truths lost something; the rules
// were mended for what it showed. The second is the measure: nobody looked at
// what it holds, and of it 47 were shown and 70 lost something before that, 48 and
// 57 after. What is still shown tells who did what to whom the other way round,
// or is told of another thing of the session, in its words.
func TestH3_FreshEyes(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		file                string
		mostShown, mostLost int
	}{{"own-words.jsonl", 15, 18}, {"own-words-unseen.jsonl", 48, 57}} {
		t.Run(set.file, func(t *testing.T) {
			b, err := os.ReadFile("testdata/guard/" + set.file)
			if err != nil {
				t.Fatal(err)
			}
			shown, lost, over, truths := 0, 0, 0, 0
			for l := range strings.Lines(string(b)) {
				var s struct {
					story
					Over, True []string
				}
				if err := json.Unmarshal([]byte(l), &s); err != nil {
					t.Fatal(err)
				}
				in := s.input(t)
				for _, text := range s.Over {
					over++
					before, rest, _ := strings.Cut(text, "{")
					wrong, after, ok := strings.Cut(rest, "}")
					if !ok {
						t.Fatal(text)
					}
					x := rungText{before: before, after: after, text: before + wrong + after}
					if kept, _, _ := NewGuard(in).Vet(recap.FieldRecap, x.text); x.shows(kept) {
						shown++
						t.Logf("%q is shown as %q", text, kept)
					}
				}
				for _, text := range s.True {
					truths++
					if kept, dropped, _ := NewGuard(in).Vet(recap.FieldRecap, text); kept != text {
						lost++
						t.Logf("%q became %q, %q", text, kept, dropped)
					}
				}
			}
			if over != 120 || truths != 120 {
				t.Fatalf("%d over-claims, %d truths", over, truths)
			}
			t.Logf("%d over-claims are shown, %d truths lost something", shown, lost)
			if shown > set.mostShown || lost > set.mostLost {
				t.Errorf("%d over-claims are shown, %d truths lost something", shown, lost)
			}
		})
	}
}
