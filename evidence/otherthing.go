package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// otherThing gives where a sentence has a number of the session with a thing
// that the session never gives it; -1 where it does not.
func (c *checker) otherThing(toks []token) int {
	for i, tok := range toks {
		if tok.sign != 0 || tok.run || len(tok.text) < 2 || strings.Trim(tok.text, "0123456789") != "" || i+1 >= len(toks) {
			continue
		}
		next := toks[i+1]
		if next.sign != 0 || next.run || next.start-tok.end > 2 {
			continue
		}
		said := followers(c.wordsIn().body, tok.text)
		if len(said) == 0 {
			continue
		}
		if measureOf(next.text) != 0 {
			continue // see otherMeasure
		}
		right, other := false, false
		thing := thingOf(next.text)
		for _, ws := range said {
			switch {
			case len(ws) == 0, neutralWords()[ws[0]], thing == 'x' && passOrFail(ws[0]):
				right = true // nothing says of what: "the other 27 have none"
			default:
				if has := thingOf(ws[0]); has != 0 && has != thing {
					other = true
				}
				for n, w := range ws {
					if n > 0 && neutralWords()[w] {
						break
					}
					for k := i + 1; k < len(toks) && k <= i+3 && !(k > i+1 && neutralWords()[toks[k].text]); k++ {
						right = right || akin([]string{toks[k].text}, []string{w}) || w == toks[k].text
					}
				}
			}
		}
		switch {
		case right:
		case c.tellsWord(next.text), thing != 0 && other:
			return tok.start
		}
	}
	return -1
}

// passOrFail: the word says that tests pass or fail.
func passOrFail(w string) bool {
	return lookupStrict().all([]token{{text: w}})&(mPass|mFail|mTestPass) != 0
}

// tellsWord: the messages hold a form of the word.
func (c *checker) tellsWord(w string) bool {
	return utf8.RuneCountInString(w) > 3 && !neutralWords()[w] && c.standings().fact.holds(w, spaced)
}

// followers gives the words behind each place at which a text has the number.
func followers(text, number string) [][]string {
	var out [][]string
	for from := 0; ; {
		i := strings.Index(text[from:], number)
		if i < 0 {
			return out
		}
		i += from
		from = i + len(number)
		if i > 0 && (text[i-1] >= '0' && text[i-1] <= '9' || strings.IndexByte(".,_-/:#", text[i-1]) >= 0) || from < len(text) && text[from] >= '0' && text[from] <= '9' {
			continue
		}
		rest := text[from:min(len(text), from+60)]
		if rest != "" && rest[0] != ' ' && rest[0] != '-' {
			out = append(out, nil) // a unit of its own, or the end
			continue
		}
		var ws []string
		for w := range strings.FieldsSeq(rest) {
			word := w
			if k := strings.IndexFunc(w, func(r rune) bool { return !isWordRune(r) || isRun(r) }); k >= 0 {
				word = w[:k]
			}
			if word == "" {
				break
			}
			ws = append(ws, word)
			if len(ws) == 3 || len(word) < len(w) {
				break
			}
		}
		out = append(out, ws)
	}
}

// otherBranch gives where a sentence names a branch that is none of the
// session's; -1 where it does not. A word of the folder's path is no branch.
func (c *checker) otherBranch(toks []token) int {
	known := func(w string) bool {
		return w == lower(c.in.Session.Branch) || c.in.Session.Branch == "" && (w == "main" || w == "master") || slices.ContainsFunc(c.f.Commits, func(m Commit) bool { return lower(m.branch) == w }) || strings.HasSuffix(lower(c.in.Session.Branch), "/"+w) || c.knows(w) || strings.ContainsAny(w, "/._-") && strings.Contains(c.wordsIn().body, w)
	}
	path := strings.FieldsFunc(lower(c.in.Session.Directory), func(r rune) bool { return r == '/' || r == '\\' })
	for i, tok := range toks {
		if tok.sign != 0 || tok.run {
			if tok.run && strings.Contains(tok.text, "分支") {
				if i > 0 && !toks[i-1].run && toks[i-1].sign == 0 && !known(toks[i-1].text) {
					return toks[i-1].start
				}
			}
			if tok.run && strings.Contains(tok.text, "ブランチ") && i > 0 && !toks[i-1].run && toks[i-1].sign == 0 && !known(toks[i-1].text) {
				return toks[i-1].start
			}
			continue
		}
		switch tok.text {
		case "branch", "zweig", "branche", "rama", "ramo", "ветка", "ветке", "ветку", "ветки":
			if i+1 < len(toks) {
				if n := toks[i+1]; n.sign == 0 && !n.run && isASCII(n.text) && len(n.text) > 2 && !neutralWords()[n.text] && !conjunction(n.text) && language.Words(n.text) == 1 && !known(n.text) {
					return n.start
				}
			}
		}
		if slices.Contains(path, tok.text) && !known(tok.text) && tok.text != path[len(path)-1] {
			return tok.start
		}
	}
	return -1
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// eachWord: the word before what is told of each of several.
func eachWord(w string) bool {
	return slices.Contains([]string{"each", "every", "jeder", "jede", "jedes", "jeden", "jedem", "chaque", "cada", "ogni", "каждый", "каждая", "каждое", "каждого", "каждой", "каждому", "каждую"}, w)
}

// otherOne gives where a sentence says of each of one thing what the session
// says, in the same words, of each of another; -1 where it does not.
func (c *checker) otherOne(toks []token) int {
	for i := 1; i+1 < len(toks); i++ {
		next := toks[i+1]
		if !eachWord(toks[i].text) || toks[i-1].sign != 0 || next.sign != 0 || next.run || c.knows(next.text) || c.grounds().holds(next.text, spaced) {
			continue
		}
		if strings.Contains(c.wordsIn().body, toks[i-1].text+" "+toks[i].text+" ") {
			return toks[i].start
		}
	}
	return -1
}

// offered are the words in a row that were only proposed.
type offered struct{ said, proposed map[[3]string]bool }

// offeredWords gives where a sentence has three words in a row that the session
// has only in a proposal, nothing having been changed since; -1 where not.
func (c *checker) offeredWords(s string, toks []token) int {
	if !c.untouched() || !c.standings().offers || c.line(s).in(span{0, len(s)}).plans() || isQuestion(s) || c.changesNothing() {
		return -1
	}
	o := c.older.offers
	if o == nil {
		o = &offered{map[[3]string]bool{}, map[[3]string]bool{}}
		c.older.offers = o
		restore := c.otherPad()
		for i := range c.in.Turns {
			for k, text := range [...]string{c.in.Turns[i].Text, c.in.Turns[i].Answer} {
				for _, seg := range c.sp.segments(clip(text, maxHeard)) {
					at := len(seg.text)
					if k == 1 {
						words := tokenize(seg.text, nil)
						if from := c.proposes(seg.text, seg.asks, saidLine{toks: words, hits: proposals().scan(words, nil)}); from >= 0 {
							at = from
						}
					}
					threes(tokenize(seg.text[:at], nil), func(w [3]string, _ int) { o.said[w] = true })
					threes(tokenize(seg.text[at:], nil), func(w [3]string, _ int) { o.proposed[w] = true })
				}
			}
		}
		restore()
	}
	found := -1
	threes(toks, func(w [3]string, at int) {
		if found < 0 && o.proposed[w] && !o.said[w] {
			found = at
		}
	})
	return found
}

// threes calls f for each three words in a row.
func threes(toks []token, f func(w [3]string, at int)) {
	for i := 0; i+2 < len(toks); i++ {
		a, b, d := &toks[i], &toks[i+1], &toks[i+2]
		if a.sign == 0 && b.sign == 0 && d.sign == 0 && !a.run && !b.run && !d.run && !(neutralWords()[a.text] && neutralWords()[b.text] && neutralWords()[d.text]) {
			f([3]string{a.text, b.text, d.text}, a.start)
		}
	}
}
