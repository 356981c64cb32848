package reply

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression that is asked only where a text holds the
// words that a match holds. Most texts do not.
type pattern struct {
	re   *regexp.Regexp
	need need
}

func newPattern(expr string) *pattern {
	p := &pattern{re: regexp.MustCompile(expr)}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		p.need = needOf(tree.Simplify())
	}
	return p
}

// matches reports whether s holds a match.
func (p *pattern) matches(s string) bool { return p.need.in(s) && p.re.MatchString(s) }

// find is the first match, "" where there is none.
func (p *pattern) find(s string) string {
	if !p.need.in(s) {
		return ""
	}
	return p.re.FindString(s)
}

// need is what a text holds that holds a match: a word, all of several needs,
// or one of several. The zero need is nothing.
type need struct {
	word     string
	all, one []need
}

// in reports whether the text holds what is needed.
func (n *need) in(s string) bool {
	if n.word != "" && !strings.Contains(s, n.word) {
		return false
	}
	for i := range n.all {
		if !n.all[i].in(s) {
			return false
		}
	}
	for i := range n.one {
		if n.one[i].in(s) {
			return true
		}
	}
	return len(n.one) == 0
}

func (n *need) none() bool { return n.word == "" && len(n.all) == 0 && len(n.one) == 0 }

// leastNeed is the shortest word, in bytes, that is worth to be looked for.
const leastNeed = 2

// needOf gives what each match of the expression holds.
func needOf(re *syntax.Regexp) need {
	switch re.Op {
	case syntax.OpLiteral:
		if s := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(s) >= leastNeed {
			return need{word: s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []need
		for _, sub := range re.Sub {
			if n := needOf(sub); !n.none() {
				all = append(all, n)
			}
		}
		return need{all: all}
	case syntax.OpAlternate:
		var one []need
		for _, sub := range re.Sub {
			n := needOf(sub)
			if n.none() {
				return need{}
			}
			one = append(one, n)
		}
		return need{one: one}
	}
	return need{}
}
