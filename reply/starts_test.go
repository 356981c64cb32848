package reply

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A text is held to fewer patterns and matches the same.
func TestStartsMatchAsTheWholePattern(t *testing.T) {
	var texts []string
	file, err := os.Open("testdata/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		for s := range strings.SplitSeq(lines.Text(), `"`) {
			texts = append(texts, s, folding(s))
		}
	}
	texts = append(texts, "", "é", "\xff", "\x00")
	matched, all, plain := 0, 0, 0
	for name, words := range map[string][]string{
		"limit, sure": limitSure(), "limit": limitBegins(), "login, sure": loginSure(), "login": loginBegins(), "context, sure": contextSure(), "context": contextBegins(),
		"model": modelBegins(), "unavailable": unavailableBegins(), "timeout": timeoutBegins(), "refusal": refusalSure(), "error": errorBegins(),
	} {
		whole := regexp.MustCompile(`^(?:` + strings.Join(words, "|") + `)`)
		p := newStarts(words)
		for _, w := range words {
			all++
			if firstOf(w) >= 0 {
				plain++
			}
		}
		for _, s := range texts {
			want := whole.FindString(s)
			if got := p.find(s); got != want || p.matches(s) != whole.MatchString(s) {
				t.Errorf("%s: %q in %q, want %q", name, got, s, want)
			}
			if want != "" {
				matched++
			}
		}
	}
	if matched < 50 || plain*2 < all {
		t.Errorf("%d matches; of %d beginnings %d have a first letter", matched, all, plain)
	}
}

func TestFirstOf(t *testing.T) {
	for expr, want := range map[string]rune{
		"rate limit": 'r', "rates? limit": 'r', "r?ate": -1, "(?:a|b)": -1, "a(?:b|c)d": 'a', "a|b": -1, `\d+`: -1, "[ab]": -1, "превышен": 'п', "п?ре": -1, "": -1, "a[|]b": 'a', `a\|b`: 'a', "x{2}": -1, "x+y": 'x', ".": -1,
	} {
		if got := firstOf(expr); got != want {
			t.Errorf("%q: %q, want %q", expr, got, want)
		}
	}
}
