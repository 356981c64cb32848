package recap

import "testing"

// The lengths of the fields, as people are told them.
func TestLengthsOfTheFields(t *testing.T) {
	for name, c := range map[string][2]int{
		"words of a recap": {RecapWords, 20}, "characters of a recap": {RecapChars, 320},
		"words of an away recap": {AwayWords, 40}, "characters of an away recap": {AwayChars, 400},
		"characters of a suggestion": {SuggestionChars, 500},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}
