package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// anchored is what the newest answers say clause by clause: which numbers and
// names stand with which words, and what is denied or refused.
type anchored struct {
	read, grouped bool
	lines         []groupedLine
	denied        []toldClause
	refused       []toldClause
	allRefused    toldSentence // their words
	plain         []toldClause // the others
}

// toldClause is a clause and its words.
type toldClause struct {
	text  string
	stems []string
	told  *toldSentence
}

// holding is that of its words, which are read when they are first asked for.
func (t *toldClause) holding(part string) (held, all int) {
	if t.told == nil {
		t.told = &toldSentence{}
		t.told.words.add(t.text)
	}
	return t.told.holding(part)
}

// groupedLine is a sentence, and its values with the words that stand before
// and behind each.
type groupedLine struct{ list []grouped }

type grouped struct {
	text          string
	before, after []string
}

// anchors reads the newest answers clause by clause.
func (c *checker) anchors() *anchored {
	a := &c.older.anchored
	if a.read {
		return a
	}
	a.read = true
	defer c.listening()()
	var toks, own []token
	for _, u := range c.units() {
		if !u.answer || !u.newest || isQuestion(u.text) {
			continue
		}
		toks = tokenize(u.text, toks[:0])
		special := refusing(toks) || c.saysNo(toks)
		for _, p := range clausesOf(u.text, toks) {
			t := toldClause{text: u.text[p.start:p.end]}
			if special {
				own = tokenize(t.text, own[:0])
			}
			switch {
			case special && refusing(own):
				a.refused = append(a.refused, t)
				a.allRefused.words.add(t.text)
			case special && c.saysNo(own):
				if t.stems = c.placeStems(t.text, own); len(t.stems) > 0 {
					a.denied = append(a.denied, t)
				}
			default:
				a.plain = append(a.plain, t)
			}
		}
	}
	return a
}

// groupedLines are the sentences of the newest answers with several values.
func (c *checker) groupedLines() []groupedLine {
	a := &c.older.anchored
	if a.grouped {
		return a.lines
	}
	a.grouped = true
	defer c.listening()()
	var toks []token
	for _, u := range c.units() {
		if u.answer && u.newest {
			toks = tokenize(u.text, toks[:0])
			if l := c.grouped(u.text, toks, c.values(u.text, toks)); len(l.list) > 1 {
				a.lines = append(a.lines, l)
			}
		}
	}
	return a.lines
}

// refusing: a word says that something was turned down.
func refusing(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		if t.run {
			return slices.ContainsFunc([]string{"否决", "驳回", "拒绝", "却下", "否決", "見送", "拒否", "부결", "기각", "거부", "거절"}, func(w string) bool { return strings.Contains(t.text, w) })
		}
		return t.sign == 0 && (refuses(t.text) || slices.ContainsFunc([]string{"declin", "dismiss", "verworf", "verwarf", "écart", "descart", "scartat", "bocciat", "respint", "отверг", "отклон"}, func(p string) bool { return strings.HasPrefix(t.text, p) }))
	})
}

// placeStems are the words of a clause that are neither of status nor of
// grammar, with names in capitals.
func (c *checker) placeStems(s string, toks []token) []string {
	c.sp.scan(s)
	hits := c.sp.hits
	var out []string
	for i := range toks {
		t := &toks[i]
		if t.sign == 0 && !t.run && acronym(s[t.start:t.end]) {
			out = append(out, t.text)
			continue
		}
		if t.sign != 0 || slices.ContainsFunc(hits, func(h hit) bool { return h.mark&statusMarks != 0 && h.start <= t.start && h.end >= t.end }) {
			continue
		}
		switch {
		case t.run:
			prev := -1
			for k := range t.text {
				if prev >= 0 {
					_, n := utf8.DecodeRuneInString(t.text[k:])
					two := t.text[prev : k+n]
					at := t.start + prev
					if !strings.ContainsFunc(two, func(r rune) bool { return stopRune()[r] || isHiragana(r) }) && !slices.ContainsFunc(hits, func(h hit) bool { return h.mark&statusMarks != 0 && at < h.end && at+len(two) > h.start }) {
						out = append(out, two)
					}
				}
				prev = k
			}
		case !neutralWords()[t.text] && !sessionTalk()[t.text] && !smallWord(t.text) && !negates(t.text) && utf8.RuneCountInString(t.text) >= 3:
			out = append(out, tellingStems(t.text)...)
		}
	}
	return out
}

// acronym: a word of two capitals or more.
func acronym(w string) bool {
	return len(w) >= 2 && len(w) <= 6 && strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// grouped gives the numbers and names of a sentence with the words around each.
func (c *checker) grouped(s string, toks []token, list []value) groupedLine {
	for _, t := range toks {
		if t.sign == 0 && !t.run && acronym(s[t.start:t.end]) && measureOf(t.text) == 0 && !slices.ContainsFunc(list, func(v value) bool { return v.start == t.start }) {
			list = append(list, value{t.text, t.start, t.end, false})
		}
	}
	if len(list) < 2 {
		return groupedLine{}
	}
	slices.SortFunc(list, func(a, b value) int { return a.start - b.start })
	var out groupedLine
	for i, v := range list {
		g := grouped{text: v.text}
		from, to := 0, len(s)
		if i > 0 {
			from = list[i-1].end
			g.before = append(g.before, list[i-1].text)
		}
		if i+1 < len(list) {
			to = list[i+1].start
		}
		if from <= v.start {
			g.before = append(g.before, tellingStems(s[from:v.start])...)
		}
		if to >= v.end {
			g.after = tellingStems(s[v.end:to])
		}
		out.list = append(out.list, g)
	}
	return out
}

// crossed: two values of the sentence stand each with the words with which the
// answer has the other one.
func (c *checker) crossed(s string, toks []token, list []value) bool {
	l := c.grouped(s, toks, list)
	if len(l.list) < 2 {
		return false
	}
	lines := c.groupedLines()
	for i := 1; i < len(l.list); i++ {
		a, b := &l.list[i-1], &l.list[i]
		for _, t := range lines {
			for k := 1; k < len(t.list); k++ {
				x, y := &t.list[k-1], &t.list[k]
				if a.text != y.text || b.text != x.text || a.text == b.text {
					continue
				}
				// x and y are b and a of the answer, in its order.
				straight := func(p, q, r, u []string) bool { return akin(p, r) && akin(q, u) && !akin(p, u) && !akin(q, r) }
				if straight(a.before, b.before, x.before, y.before) && !akin(a.after, y.after) && !akin(b.after, x.after) ||
					straight(a.after, b.after, x.after, y.after) && !akin(a.before, y.before) && !akin(b.before, x.before) {
					return true
				}
			}
		}
	}
	return false
}

// otherNumber: the part is a clause of an answer but for its one number, and no
// clause has that one with its words.
func (c *checker) otherNumber(part string) bool {
	toks := tokenize(part, nil)
	mine := c.values(part, toks)
	if len(mine) != 1 || !mine[0].number || isQuestion(part) {
		return false
	}
	without := func(s string, v *value) string {
		return strings.TrimSpace(s[:v.start]) + " " + strings.TrimSpace(s[v.end:])
	}
	rest := without(part, &mine[0])
	found := false
	plain := c.anchors().plain
	for i := range plain {
		t := &plain[i]
		held, all := t.holding(rest)
		near := all >= 3 && 10*held >= 9*all
		if !near && utf8.RuneCountInString(rest) < 8 {
			continue
		}
		theirs := c.values(t.text, tokenize(t.text, nil))
		one := len(theirs) == 1 && theirs[0].number
		if !near && (!one || without(t.text, &theirs[0]) != rest) {
			continue
		}
		if slices.ContainsFunc(theirs, func(v value) bool { return v.text == mine[0].text }) {
			return false
		}
		found = found || one
	}
	return found
}

// wasDenied: the part says that it was tried, or works, where an answer says
// that just there it was not.
func (c *checker) wasDenied(part string) bool {
	if len(c.anchors().denied) == 0 || !c.reads(part, mPass|mTestPass|mBuildPass|mVerified|mVerifyWeak|mRan|mDone|mDeployed|mHosted) || c.mentions(mNeg|mNegAdj|mFuture|mHedge|mFail|mCond) {
		return false
	}
	toks := tokenize(part, nil)
	if proposals().all(toks)&(wordPends|wordEnds|wordPlans|wordProposes) != 0 {
		return false
	}
	stems := c.placeStems(part, toks)
	holds := func(of []string) bool {
		n := 0
		for _, w := range of {
			if akin([]string{w}, stems) {
				n++
			}
		}
		return 5*n >= 4*len(of)
	}
	return slices.ContainsFunc(c.anchors().denied, func(t toldClause) bool { return holds(t.stems) })
}

// wasRefused: the part tells what an answer says was turned down, in words of
// that clause alone.
func (c *checker) wasRefused(part string) bool {
	a := c.anchors()
	if len(a.refused) == 0 {
		return false
	}
	if held, all := a.allRefused.holding(part); all < 2 || held < all {
		return false
	}
	toks := tokenize(part, nil)
	if refusing(toks) || c.saysNo(toks) || isQuestion(part) || proposals().all(toks)&(wordPends|wordEnds|wordContrasts) != 0 {
		return false
	}
	for i := range a.refused {
		held, all := a.refused[i].holding(part)
		if all < 2 || held < all {
			continue
		}
		said := false
		for k := range a.plain {
			h, _ := a.plain[k].holding(part)
			said = said || h >= held
		}
		if !said {
			return true
		}
	}
	return false
}

// misplaced gives the parts of a sentence that say of one thing what an answer
// says of another, or what it denies or says was refused.
func (c *checker) misplaced(s string, toks []token) []find {
	var out []find
	if isQuestion(s) {
		return nil
	}
	list := c.values(s, toks)
	if c.crossed(s, toks, slices.Clone(list)) {
		out = append(out, find{0, whyChanged})
	}
	if a := c.anchors(); len(a.denied)+len(a.refused) > 0 {
		for _, p := range c.parts(s, c.line(s)) {
			part := s[p.start:p.end]
			if c.wasDenied(part) {
				out = append(out, find{p.start, "overclaims:verified"})
			}
			if c.wasRefused(part) {
				out = append(out, find{p.start, whyChanged})
			}
		}
	}
	if !slices.ContainsFunc(list, func(v value) bool { return v.number }) {
		return out
	}
	for _, p := range clausesOf(s, toks) {
		if c.otherNumber(s[p.start:p.end]) {
			out = append(out, find{p.start, whyChanged})
		}
	}
	return out
}
