package reply

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestNeedOf(t *testing.T) {
	for _, c := range []struct {
		expr string
		want []string // nil: none
	}{
		{`abc`, []string{"abc"}},
		{`^(?:limit|quota) reached$`, []string{" reached"}},
		{`try again|retry|please (?:wait|call)`, []string{"try again", "retry", "please "}},
		{`(?:please )?(?:wait|call) [0-9]`, []string{"wait", "call"}},
		{`(?:wait)+`, []string{"wait"}},
		{`(?:wait){2,}`, []string{"wait"}},
		{`(?:wait)?x`, nil},
		{`(?:wait)*`, nil},
		{`(?:wait){0,2}`, nil},
		{`wait|[0-9]`, nil},
		{`(?i)wait`, nil},
		{`[ab]`, nil},
		{`重试|x`, nil},
		{`重试|请`, []string{"重试", "请"}},
	} {
		p := newPattern(c.expr)
		if slices.Sort(p.need); !slices.Equal(p.need, sorted(c.want)) {
			t.Errorf("%s: %q, want %q", c.expr, p.need, c.want)
		}
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// What is looked for first changes no answer: each pattern of the notices says
// the same of all notices and of their pieces as its expression alone.
func TestNeedChangesNoAnswer(t *testing.T) {
	n := table()
	var patterns []*pattern
	patterns = append(patterns, n.advice)
	for _, k := range n.kinds {
		for _, s := range []*starts{k.sure, k.begins} {
			if s == nil {
				continue
			}
			for _, w := range s.words {
				patterns = append(patterns, newPattern("^(?:"+w+")"))
			}
		}
	}
	needed := 0
	for _, p := range patterns {
		if p.need != nil {
			needed++
		}
	}
	if n.advice.need == nil || needed*10 < len(patterns)*9 {
		t.Errorf("of %d patterns only %d need a word", len(patterns), needed)
	}
	var texts []string
	for _, p := range patterns { // an expression is nearly a text that it matches
		s := regexp.MustCompile(`[\\^$?*+]|\(\?:`).ReplaceAllString(p.re.String(), "")
		for piece := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("|()[]{}", r) }) {
			texts = append(texts, piece, piece+" 5", "please "+piece, "error; "+piece+" later")
		}
	}
	for _, p := range patterns {
		for i, s := range texts {
			if i%7 != 0 && len(patterns) > 40 && p != n.advice {
				continue
			}
			if got, want := p.matches(s), p.re.MatchString(s); got != want {
				t.Fatalf("%s: %q matches %v, want %v", p.re, s, got, want)
			}
		}
	}
}
