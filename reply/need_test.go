package reply

import (
	"regexp"
	"strings"
	"testing"
)

func TestNeedOf(t *testing.T) {
	for _, c := range []struct {
		expr    string
		yes, no string // texts that may hold a match, and that hold none for sure; by |
	}{
		{`abc`, "abc|xabcx", "ab|bc|"},
		{`^(?:limit|quota) reached$`, "limit reached|x quota  reached", "limit| reached"},
		{`try again|retry|please (?:wait|call)`, "try again|retry|please, please wait", "please|try|wait"},
		{`run /?login`, "run login|login run ", "login|run it"},
		{`(?:wait){2,}x{0,2}`, "wait", "wai"},
		{`(?:wait)+`, "wait", "x"},
		{`(?:wait)?x`, "|y", ""},
		{`(?:wait)*`, "|y", ""},
		{`wait|[0-9]`, "|y", ""},
		{`(?i)wait`, "WAIT|", ""},
		{`[ab]`, "|y", ""},
		{`重试|请`, "重试|请", "重|试"},
	} {
		p := newPattern(c.expr)
		for s := range strings.SplitSeq(c.yes, "|") {
			if !p.need.in(s) {
				t.Errorf("%s: %q holds no match, it says", c.expr, s)
			}
		}
		for s := range strings.SplitSeq(c.no, "|") {
			if c.no != "" && p.need.in(s) {
				t.Errorf("%s: %q may hold a match, it says", c.expr, s)
			}
		}
	}
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
		if !p.need.none() {
			needed++
		}
	}
	if n.advice.need.none() || needed*10 < len(patterns)*9 {
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
