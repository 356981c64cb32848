package evidence

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
)

// A cut leaves no open bracket behind, and an answer that is a hash is one.
func TestE49a_NoOpenBracketIsLeft(t *testing.T) {
	for _, c := range []struct{ ask, answer, want, not string }{
		{"fix footer", "The footer is at 9 px (tests: ✓)", "The footer is at 9 px", "("},
		{"fix footer", "The footer is at 9 px (all tests pass) now and stays there.", "footer", "pass"},
		{"Fußzeile reparieren", "Die Fußzeile ist 9 px hoch [Tests: ✅].", "Die Fußzeile ist 9 px hoch", "["},
		{"which commit broke it", "Commit 3ef88b6c1d2e broke it.", "3ef88b6c1d2e", "("},
	} {
		got := Free(Input{End: "complete", Turns: []recap.Turn{{
			UserID: "u", Text: c.ask, Authored: c.ask, AnswerID: "a", Answer: c.answer, Complete: true,
		}}}).Recap
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%q: %q", c.answer, got)
		}
	}
}
