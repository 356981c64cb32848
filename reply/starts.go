package reply

import (
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// starts is a pattern of many beginnings, `^(?:a|b|…)`. A text is held to those
// only that can begin with its first character; they are compiled when a text
// asks for them.
type starts struct {
	words []string
	mu    sync.Mutex
	trees map[string]*syntax.Regexp // of those whose first character is not plain to see
	by    map[rune]*pattern
}

func newStarts(words []string) *starts {
	return &starts{words: words, trees: map[string]*syntax.Regexp{}, by: map[rune]*pattern{}}
}

// find is the beginning of s that matches, "" where none does.
func (p *starts) find(s string) string {
	if p == nil {
		return ""
	}
	r, _ := utf8.DecodeRuneInString(s)
	if re := p.of(r); re != nil {
		return re.find(s)
	}
	return ""
}

// matches reports whether s begins so.
func (p *starts) matches(s string) bool {
	if p == nil {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	re := p.of(r)
	return re != nil && re.matches(s)
}

// of is the pattern of texts that begin with the character, nil where none does.
func (p *starts) of(r rune) *pattern {
	p.mu.Lock()
	defer p.mu.Unlock()
	re, ok := p.by[r]
	if !ok {
		var own []string
		for _, w := range p.words {
			if first := firstOf(w); first == r || first < 0 && p.mayBegin(w, r) {
				own = append(own, w)
			}
		}
		if len(own) > 0 {
			re = newPattern(`^(?:` + strings.Join(own, "|") + `)`)
		}
		p.by[r] = re
	}
	return re
}

// mayBegin reports false where no match of the expression begins with r.
func (p *starts) mayBegin(expr string, r rune) bool {
	tree, ok := p.trees[expr]
	if !ok {
		tree, _ = syntax.Parse(expr, syntax.Perl) // it is nil where that fails
		p.trees[expr] = tree
	}
	if tree == nil {
		return true
	}
	begins, empty := begin(tree, r)
	return begins || empty
}

// begin reports whether a match may begin with r, and whether it may be empty.
func begin(re *syntax.Regexp, r rune) (begins, empty bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return re.Rune[0] == r || re.Flags&syntax.FoldCase != 0, false
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			begins = begins || re.Rune[i] <= r && r <= re.Rune[i+1]
		}
		return begins, false
	case syntax.OpCapture, syntax.OpPlus:
		return begin(re.Sub[0], r)
	case syntax.OpStar, syntax.OpQuest:
		begins, _ = begin(re.Sub[0], r)
		return begins, true
	case syntax.OpRepeat:
		begins, empty = begin(re.Sub[0], r)
		return begins, empty || re.Min == 0
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			b, e := begin(sub, r)
			if begins = begins || b; !e {
				return begins, false
			}
		}
		return begins, true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			b, e := begin(sub, r)
			begins, empty = begins || b, empty || e
		}
		return begins, empty
	case syntax.OpNoMatch:
		return false, false
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return false, true
	}
	return true, true
}

// firstOf is the character that all matches of an expression begin with, -1
// where that is not plain to see.
func firstOf(expr string) rune {
	r, n := utf8.DecodeRuneInString(expr)
	if n == 0 || strings.ContainsRune(`\.+*?()|[]{}^$`, r) || n < len(expr) && strings.IndexByte("?*{|", expr[n]) >= 0 {
		return -1
	}
	depth := 0
	for i := n; i < len(expr); i++ {
		switch expr[i] {
		case '\\':
			i++
		case '[': // its signs are plain
			for i++; i < len(expr) && expr[i] != ']'; i++ {
				if expr[i] == '\\' {
					i++
				}
			}
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				return -1
			}
		}
	}
	return r
}
