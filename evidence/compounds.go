package evidence

import (
	"strings"
	"unicode/utf8"
)

const (
	// partOfWord tells the hash of a part of a compound from those of words.
	partOfWord = 0x3C3C3C3C3C3C3C3C
	// leastPartOf is how many letters a part of a compound has at least, and
	// leastCompound how many a compound.
	leastPartOf   = 4
	leastCompound = 8
)

// joinsWords: the language writes compounds in one word.
func joinsWords(lang string) bool { return lang == "de" || lang == "nl" }

// addParts notes what a compound may begin or end with.
func (g *grounds) addParts(w string) {
	rs := append(g.lower[:0], []rune(w)...)
	g.lower = rs
	if len(rs) < leastCompound || len(rs) > maxWord/2 {
		return
	}
	for from := 0; from+leastPartOf <= len(rs); from++ {
		h := uint64(hashSeed)
		for k := from; k < len(rs); k++ {
			h = hashRune(h, plainLetter(rs[k]))
			if n := k + 1 - from; from == 0 && n >= leastPartOf && n+leastPartOf <= len(rs) {
				g.set.add((h ^ partOfWord) | 1)
			}
		}
		if from > 0 {
			g.set.add((h ^ partOfWord) | 1)
		}
	}
}

// part: the word begins or ends a compound of the session.
func (g *grounds) part(w string) bool {
	h, n := uint64(hashSeed), 0
	for _, r := range w {
		h = hashRune(h, plainLetter(r))
		n++
	}
	return n >= leastPartOf && g.set.has((h^partOfWord)|1)
}

// compound says how much of a compound is known: all of it, as the session's or
// as words of any session; or one of its parts.
func (g *grounds) compound(w string) (all, half bool) {
	n := utf8.RuneCountInString(w)
	if n < leastCompound || n > maxWord/2 {
		return false, false
	}
	generic := sessionTalk()
	at := 0
	for i := 0; i < n-leastPartOf; i++ {
		_, size := utf8.DecodeRuneInString(w[at:])
		at += size
		if i < 2 {
			continue
		}
		tail := w[at:]
		known := g.holds(tail, spaced) || g.part(tail)
		for _, joint := range [...]string{"", "s", "n", "en", "es", "er", "e"} {
			head, ok := strings.CutSuffix(w[:at], joint)
			if !ok || utf8.RuneCountInString(head) < 3 || !g.holds(head, spaced) && !g.part(head) && !(known && generic[head]) {
				continue
			}
			if known || generic[tail] {
				return true, true
			}
			half = half || len(head) > leastPartOf
		}
		half = half || known && n-i-1 > leastPartOf
	}
	return false, half
}
