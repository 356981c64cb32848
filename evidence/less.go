package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLess is how many more words, each two, may be odd in a clause that says
// less.
const maxLess = 4

// saysLess: the part claims nothing: it denies, or says that something is
// still to come or as it was, in a session that leaves something so. What it
// says of tests and builds the ladder reads.
func (c *checker) saysLess(s string) bool {
	st := c.standings()
	if !st.limits && !st.untouched && !c.deniesSomething() || c.reads(s, mTest|mBuild) {
		return false
	}
	toks, m := tokenize(s, nil), meanings(s)
	if !c.saysNo(toks) && m&(wordPends|wordStays) == 0 && !c.reads(s, mNegAdj) || m&wordEnds != 0 || steps().all(toks)&stepEnough != 0 {
		return false // "nothing more" claims that all is done
	}
	r := c.sp.read(s)
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			if !x.negated && !x.cond {
				return false
			}
		}
	}
	return true
}

// weighedText is a text and its weight.
type weighedText struct {
	text string
	weight
}

// weighText weighs the whole text, once.
func (c *checker) weighText() weight {
	if c.weighed.text != c.text {
		c.weighed = weighedText{c.text, c.weigh(c.text)}
	}
	return c.weighed.weight
}

// without takes the words of a part away.
func (w weight) without(part weight) weight {
	return weight{w.known - part.known, w.odd - part.odd, w.plain - part.plain, w.own - part.own, w.exact - part.exact}
}

// borne: most of the words are the session's, and there are some.
func (w weight) borne() bool { return w.known >= 4 && w.share() >= amidShare }

// filesUnchanged: the text says of files that they are as they were.
func filesUnchanged(text string) bool {
	toks := tokenize(text, nil)
	for i, t := range toks {
		if t.sign != 0 || t.run || !slices.ContainsFunc([]string{"unchanged", "untouched", "unaltered", "unmodified", "altered", "unverändert", "unberührt", "inchang", "intact", "intatt", "invariat", "inalterad", "нетронут", "неизмен"}, func(p string) bool { return strings.HasPrefix(t.text, p) }) {
			continue
		}
		for _, n := range toks[max(0, i-4):min(len(toks), i+3)] {
			if n.sign == 0 && thingOf(n.text) == 'f' && (t.text != "altered" || slices.ContainsFunc(toks[max(0, i-3):i], func(n token) bool { return n.text == "no" || n.text == "not" })) {
				return true
			}
		}
	}
	return false
}

// wasBefore: what stands behind the word is what something was before.
func wasBefore(w string) bool {
	return slices.Contains([]string{"from", "instead", "statt", "anstelle", "anstatt", "lieu", "vez", "lugar", "invece", "вместо"}, w)
}

// orWord: what it joins to a denial is denied with it.
func orWord(w string) bool {
	return slices.Contains([]string{"or", "nor", "oder", "noch", "ou", "ni", "o", "nem", "né", "или", "ни", "або", "lub", "ani", "veya"}, lower(w))
}

// wouldBe: the part says what would be, in a session that proposes something,
// and claims nothing.
func (c *checker) wouldBe(s string) bool {
	return c.standings().offers && (meanings(s)&(wordProposes|wordOffers) != 0 || slices.ContainsFunc(tokenize(s, nil), func(t token) bool { return t.sign == 0 && !t.run && conditionalEnding(t.text) })) && !c.claims(s)
}

// pendsTogether: what follows a part of a sentence says of it, and of something
// else, that both are to come: "the guide and the commit are missing".
func pendsTogether(rest string) bool {
	toks := tokenize(clip(rest, 80), nil)
	if len(toks) == 0 || !joinsItems(toks[0].text) {
		return false
	}
	for _, t := range toks[1:min(len(toks), 6)] {
		if t.sign != 0 {
			return false
		}
		if slices.Contains([]string{"remain", "fehlen", "stehen", "bleiben", "restent", "manquent", "faltan", "quedan", "siguen", "faltam", "ficam", "mancano", "restano", "остаются", "остались"}, t.text) {
			return true
		}
	}
	return false
}

// deniesSomething: a sentence of the newest answers denies something.
func (c *checker) deniesSomething() bool {
	return slices.ContainsFunc(c.tellings(), func(t toldSentence) bool { return t.no })
}

// undenied gives a word without the syllable that denies it, "" where it has
// none: "unavailable", "indisponible", "недоступен".
func undenied(w string) string {
	for _, p := range [...]string{"un", "in", "im", "ir", "il", "dis", "des", "dés", "non", "не", "без"} {
		if rest, ok := strings.CutPrefix(w, p); ok && len(rest) >= 6 {
			return rest
		}
	}
	return ""
}

// deniedWord: the part tells one thing alone, which the answers only deny: "and
// is booked".
func (c *checker) deniedWord(s string) bool {
	told := tellingStems(s)
	if len(told) != 1 || utf8.RuneCountInString(told[0]) < 5 || c.negative(s) || isQuestion(s) ||
		meanings(s)&(wordPends|wordStays|wordProposes|wordOffers|wordPlans) != 0 || c.reads(s, mNegAdj|mFuture|mFail|mCond) {
		return false
	}
	c.listen()
	return slices.ContainsFunc(c.denials, func(d denial) bool { return slices.Contains(d.telling, told[0]) }) && !c.assured(told, 1)
}
