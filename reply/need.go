package reply

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a regular expression that is asked only where a text holds one of
// the words that each of its matches holds. Most texts hold none.
type pattern struct {
	re   *regexp.Regexp
	need []string // nil: a match may hold anything
}

func newPattern(expr string) *pattern {
	p := &pattern{re: regexp.MustCompile(expr)}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		p.need = needOf(tree.Simplify())
	}
	return p
}

// may reports false where s holds no match.
func (p *pattern) may(s string) bool {
	if p.need == nil {
		return true
	}
	for _, w := range p.need {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// matches reports whether s holds a match.
func (p *pattern) matches(s string) bool { return p.may(s) && p.re.MatchString(s) }

// find is the first match, "" where there is none.
func (p *pattern) find(s string) string {
	if !p.may(s) {
		return ""
	}
	return p.re.FindString(s)
}

// leastNeed is the shortest word, in bytes, that is worth to be looked for.
const leastNeed = 2

// needOf gives words of which each match of the expression holds one, nil
// where there are none.
func needOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if s := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(s) >= leastNeed {
			return []string{s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if need := needOf(sub); need != nil && (best == nil || shortest(need) > shortest(best)) {
				best = need
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			need := needOf(sub)
			if need == nil {
				return nil
			}
			all = append(all, need...)
		}
		return all
	}
	return nil
}

func shortest(words []string) int {
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}
