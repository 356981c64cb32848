package evidence

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// whyChanged: the text says it otherwise than the session does.
const whyChanged = "contradicts:the-session"

// changed gives the parts of a sentence that turn round what the session says:
// a denial of what an answer says is so now, something taken back that nobody
// took back, two names or numbers in each other's place, a number of something
// else.
func (c *checker) changed(s string, saves bool) []find {
	l := c.line(s)
	var out []find
	if c.swapped(s, l.toks) {
		out = append(out, find{0, whyChanged})
	}
	note := func(at int, why string) {
		if at >= 0 {
			out = append(out, find{at, why})
		}
	}
	note(c.otherThing(l.toks), whyNumber)
	note(c.otherMeasure(s, l.toks), whyNumber)
	if saves {
		note(c.otherBranch(l.toks), whyName)
	}
	note(c.otherOne(l.toks), whyChanged)
	note(c.takenBack(s, l.toks), whyChanged)
	note(c.offeredWords(s, l.toks), "overclaims:edited")
	c.older.own = tokenize(s, c.older.own[:0])
	toks := c.older.own
	out = append(out, c.turned(s, toks)...)
	out = append(out, c.misplaced(s, toks)...)
	l = c.line(s)
	if opposites().all(l.toks) != 0 {
		for _, p := range clausesOf(s, l.toks) {
			if here := l.in(p); here.mark&wordEnds == 0 && !c.saysNo(here.toks) && c.saysOpposite(s[p.start:p.end], here.toks) {
				out = append(out, find{p.start, whyChanged})
			}
		}
		l = c.line(s)
	}
	if l.in(span{0, len(s)}).mark&wordEnds == 0 && !c.saysNo(l.toks) {
		return out
	}
	for _, p := range clausesOf(s, l.toks) {
		if here := l.in(p); c.deniesTold(s[p.start:p.end], here) {
			out = append(out, find{p.start, whyChanged})
		}
	}
	return out
}

// clausesOf divides a sentence at its signs alone.
func clausesOf(s string, toks []token) []span {
	var out []span
	from := 0
	for _, t := range toks {
		if t.sign == ',' && t.start > from {
			out = append(out, span{from, t.start})
			from = t.end
		}
	}
	return append(out, span{from, len(s)})
}

// toldFacts is what the newest messages say, as far as a text can turn it
// round. Each part of it is read when a text first asks for it.
type toldFacts struct {
	units     []toldUnit
	places    *toldPlaces
	away      *toldAway
	sentences []toldSentence // of the newest answers
	words     *toldWordsIn
}

// toldUnit is a sentence of a message.
type toldUnit struct {
	text   string
	answer bool
	newest bool // of the newest turns, see listenTurns
}

// toldPlaces is what stands in the place of what.
type toldPlaces struct {
	pairs map[pairOf]bool
	ways  map[pairOf]bool // of what went from the one to the other
	olds  map[string]bool // numbers that fell or rose to others, and are none of those
}

// toldAway is what was taken back or is gone.
type toldAway struct {
	marks mark
	swaps []string // sentences in which one thing stands for another
}

// toldWordsIn are the words that the messages and commands hold.
type toldWordsIn struct {
	body  string // all of them
	known map[string]bool
}

// toldSentence is a sentence of an answer and its words.
type toldSentence struct {
	words grounds
	no    bool // it denies something
	fresh bool // it says how things are now
	takes bool // it tells of something that went away
	sides mark // see opposites
}

// pairOf is two values, the second in whose place the first is.
type pairOf struct{ new, old string }

const (
	wordReverts mark = 1 << iota // "reverted"
	wordRemoves                  // "removed"
	wordGone                     // what may be told as removed
	wordBack                     // what may be told as reverted
	wordSwaps                    // what may be told as removed, where it is of the same
)

// maxRead is how many bytes of either end of a message are read sentence by
// sentence.
const maxRead = 2000

// heardOnes are the newest turns.
func (c *checker) heardOnes() []recap.Turn {
	return c.in.Turns[max(0, len(c.in.Turns)-heardTurns):]
}

// units gives the sentences of both ends of the newest messages.
func (c *checker) units() []toldUnit {
	t := &c.older.told
	if t.units != nil {
		return t.units
	}
	t.units = []toldUnit{}
	turns := c.heardOnes()
	for i := range turns {
		for k, text := range [...]string{turns[i].Text, turns[i].Answer} {
			for _, seg := range c.sp.segments(bothEnds(text, maxRead)) {
				for _, u := range units(seg.text) {
					t.units = append(t.units, toldUnit{seg.text[u.start:u.end], k == 1, i >= len(turns)-listenTurns})
				}
			}
		}
	}
	return t.units
}

// places reads what stands in the place of what.
func (c *checker) places() *toldPlaces {
	if c.older.told.places != nil {
		return c.older.told.places
	}
	t := &toldPlaces{pairs: map[pairOf]bool{}, ways: map[pairOf]bool{}, olds: map[string]bool{}}
	c.older.told.places = t
	defer c.listening()()
	var toks []token
	list := c.units()
	for i, u := range list {
		toks = tokenize(u.text, toks[:0])
		c.pairsOf(u.text, toks, func(p pairOf, how mark, end int) {
			switch {
			case how != placeInstead:
				t.pairs[p] = true
			case c.fixedSince(u.text[end:]) || i+1 < len(list) && c.fixedSince(list[i+1].text):
				t.ways[pairOf{p.old, p.new}] = true // it was so, and is the other way now
			default:
				t.pairs[p] = true
			}
		})
		waysOf(toks, func(p pairOf) { t.ways[p] = true })
	}
	for p := range t.pairs {
		if strings.Trim(p.old, "0123456789.") == "" {
			t.olds[p.old] = true
		}
	}
	for p := range t.pairs {
		delete(t.olds, p.new)
	}
	return t
}

// wentAway reads what was taken back or is gone.
func (c *checker) wentAway() *toldAway {
	if c.older.told.away != nil {
		return c.older.told.away
	}
	t := &toldAway{}
	c.older.told.away = t
	var toks []token
	for _, u := range c.units() {
		toks = tokenize(u.text, toks[:0])
		m := takers().all(toks)
		if t.marks |= m; m&wordSwaps != 0 {
			t.swaps = append(t.swaps, u.text)
		}
	}
	turns := c.heardOnes()
	for i := range turns {
		for j := range turns[i].Tools {
			tool := &turns[i].Tools[j]
			toks = tokenize(clip(tool.Command, 1000), toks[:0])
			t.marks |= takers().all(toks)
			for _, td := range tool.Todos {
				toks = tokenize(td.Text, toks[:0])
				t.marks |= takers().all(toks)
			}
		}
	}
	return t
}

// tellings reads the sentences of the newest answers.
func (c *checker) tellings() []toldSentence {
	t := &c.older.told
	if t.sentences != nil {
		return t.sentences
	}
	t.sentences = []toldSentence{}
	defer c.listening()()
	var toks []token
	for _, u := range c.units() {
		if !u.answer || !u.newest {
			continue
		}
		toks = tokenize(u.text, toks[:0])
		r := c.sp.read(u.text)
		said := toldSentence{no: c.saysNo(toks) || r.marks&(mNeg|mNegAdj|mFail) != 0 || meanings(u.text)&wordPends != 0, takes: takers().all(toks) != 0}
		said.fresh = r.marks&mNow != 0 || strings.Contains(u.text, "ようにな") || proposals().all(toks)&wordTurns != 0 || r.claimsWork()
		said.sides = opposites().all(toks)
		said.words.add(u.text)
		t.sentences = append(t.sentences, said)
	}
	return t.sentences
}

// wordsIn reads the words of the messages and commands.
func (c *checker) wordsIn() *toldWordsIn {
	if c.older.told.words != nil {
		return c.older.told.words
	}
	var body strings.Builder
	line := func(s string) {
		body.WriteString(s)
		body.WriteByte('\n')
	}
	turns := c.heardOnes()
	for i := range turns {
		line(clip(turns[i].Text, maxHeard))
		line(clip(turns[i].Answer, maxHeard))
		for j := range turns[i].Tools {
			tool := &turns[i].Tools[j]
			line(clip(tool.Command, 1000))
			for _, q := range tool.Questions {
				line(q)
			}
			for _, td := range tool.Todos {
				line(td.Text)
			}
		}
	}
	t := &toldWordsIn{body: fold(body.String())}
	c.older.told.words = t
	return t
}

// knows: the messages or commands hold the word.
func (c *checker) knows(w string) bool {
	t := c.wordsIn()
	if t.known == nil {
		t.known = map[string]bool{}
		words(t.body, func(w string, _ script, _ int) { t.known[w] = true })
	}
	return t.known[w]
}

// all gives the marks of the words.
func (ix *index) all(toks []token) mark {
	var m mark
	for _, h := range ix.scan(toks, nil) {
		m |= h.mark
	}
	return m
}

// takenBack gives where a sentence says that something was taken back, and
// nobody said so; -1 where it does not.
func (c *checker) takenBack(s string, toks []token) int {
	for _, h := range takers().scan(toks, nil) {
		switch {
		case h.mark&(wordReverts|wordRemoves) == 0:
		case h.mark&wordReverts != 0 && c.wentAway().marks&(wordReverts|wordBack) == 0:
			return h.start
		case h.mark&wordRemoves != 0 && c.wentAway().marks&(wordRemoves|wordGone|wordReverts|wordBack) == 0:
			words := tellingStems(s)
			if !slices.ContainsFunc(c.wentAway().swaps, func(x string) bool { return akin(words, tellingStems(x)) }) {
				return h.start
			}
		}
	}
	return -1
}

// deniesTold: the part denies what an answer says is so now, and no answer
// denies it.
func (c *checker) deniesTold(part string, l saidLine) bool {
	if !c.saysNo(l.toks) && l.mark&wordEnds == 0 || isQuestion(part) {
		return false
	}
	r := c.sp.read(part)
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			if x.kind != claimEdited && x.kind != claimDone {
				return false // a step of the ladder
			}
		}
	}
	sides := sidesOf(opposites().all(l.toks))
	most := 4 // words that are all of one sentence
	if slices.ContainsFunc(l.toks, func(t token) bool { return t.sign == 0 && without(t.text) }) {
		most = 3
	}
	best := false
	told := c.tellings()
	for i := range told {
		said := &told[i]
		held, all := said.holding(part)
		switch {
		case all < 3 || 5*held < 3*all:
		case said.no || said.takes || said.sides&sides != 0: // "no longer lost" is "kept"
			return false
		case said.fresh && 5*held >= 4*all, held == all && all >= most:
			best = true
		}
	}
	return best
}

// holding counts the telling words of a part, but for those that deny, and how
// many of them the sentence holds.
func (t *toldSentence) holding(part string) (held, all int) {
	neutral := neutralWords()
	words(part, func(w string, kind script, _ int) {
		if kind == dense {
			stop := stopRune()
			var prev rune
			for _, r := range w {
				if p := prev; p != 0 && !stop[p] && !stop[r] && !isHiragana(p) && !isHiragana(r) && !strings.ContainsRune("不再没未别無", p) && !strings.ContainsRune("不再没未别無", r) {
					all++
					if t.words.set.has(pair(p, r)) {
						held++
					}
				}
				prev = r
			}
			return
		}
		low := lower(w)
		if kind != hangul && utf8.RuneCountInString(low) < 3 || neutral[low] || conjunction(low) || negates(low) {
			return
		}
		all++
		if t.words.holds(low, kind) {
			held++
		}
	})
	return held, all
}

// negates: the word only denies.
func negates(w string) bool {
	return slices.Contains([]string{
		"not", "longer", "more", "anymore", "never", "does", "doesn't", "don't", "without", "nicht", "mehr", "kein", "keine", "keinen", "länger", "pas", "plus", "sans", "jamais", "aucun", "aucune", "ninguna", "ningún", "nunca", "sin",
		"não", "mais", "nenhum", "nenhuma", "sem", "non", "più", "nessun", "senza", "больше", "нет", "без", "никогда", "now", "jetzt", "nun", "ahora", "agora", "ora", "adesso", "теперь", "maintenant", "désormais",
	}, w)
}

// value is a number or a name of a sentence.
type value struct {
	text       string
	start, end int
	number     bool
}

// values gives the numbers and names of a sentence, in their order.
func (c *checker) values(s string, toks []token) []value {
	var out []value
	compound := wordNumbers(s, c.hay.lang)
	for _, t := range toks {
		if t.sign != 0 {
			continue
		}
		if t.run {
			hanNumbers(t.text, func(v, from, to int) { out = append(out, value{strconv.Itoa(v), t.start + from, t.start + to, true}) })
			continue
		}
		if len(compound) > 0 && t.start >= compound[0].start {
			n := compound[0]
			if t.end >= n.end {
				compound = compound[1:]
				out = append(out, value{strconv.Itoa(n.value), n.start, n.end, true})
			}
			continue
		}
		switch w := s[t.start:t.end]; {
		case t.text[0] >= '0' && t.text[0] <= '9':
			if forms := numeral(t.text, nil); len(forms) > 0 {
				out = append(out, value{forms[0], t.start, t.end, true})
			}
		case cardinal(t.text, c.hay.lang) > 0:
			out = append(out, value{strconv.Itoa(cardinal(t.text, c.hay.lang)), t.start, t.end, true})
		case isName(w) && !isHash(t.text), c.codeWord(t.text):
			out = append(out, value{t.text, t.start, t.end, false})
		}
	}
	return out
}

// codeWord: the answers write the word as code.
func (c *checker) codeWord(w string) bool {
	if c.older.code == nil {
		c.older.code = map[string]bool{}
		for i := max(0, len(c.in.Turns)-heardTurns); i < len(c.in.Turns); i++ {
			for k, span := range strings.Split(clip(c.in.Turns[i].Answer, maxHeard), "`") {
				if k%2 == 1 && len(span) < maxWord && !strings.ContainsAny(span, " \n") {
					c.older.code[lower(span)] = true
				}
			}
		}
	}
	return c.older.code[w]
}

// pairsOf calls f for the values that a sentence puts in each other's place:
// "21 rows instead of 20", "`a` renamed to `b`", "from 48 to 19". It gives how,
// one of placeInstead, placeTo and placeRename, and where the second one ends.
func (c *checker) pairsOf(s string, toks []token, f func(p pairOf, how mark, end int)) {
	ws := placers()
	hits := ws.scan(toks, c.older.hits[:0])
	c.older.hits = hits
	if len(hits) == 0 {
		return
	}
	list := c.values(s, toks)
	between := func(from, to int) mark {
		var m mark
		for _, h := range hits {
			if h.start >= from && h.end <= to {
				m |= h.mark
			}
		}
		return m
	}
	all := between(0, len(s))
	for i := range list {
		for k := i + 1; k < len(list) && k <= i+1; k++ {
			a, b := &list[i], &list[k]
			if a.number != b.number || a.text == b.text {
				continue
			}
			m := between(a.end, b.start)
			before := mark(0)
			if i == 0 {
				before = between(0, a.start)
			} else {
				before = between(list[i-1].end, a.start)
			}
			switch {
			case m&placeAnd != 0 && m&(placeInstead|placeRather) == 0:
			case m&placeInstead != 0:
				f(pairOf{a.text, b.text}, placeInstead, b.end)
			case m&placeRather != 0, before&placeInstead != 0 && m&placeTo == 0:
				f(pairOf{b.text, a.text}, placeInstead, b.end)
			case m&placeTo != 0 && (before|m)&placeFrom != 0:
				f(pairOf{b.text, a.text}, placeTo, b.end)
			}
		}
	}
	if all&placeRename == 0 || all&(placeInstead|placeRather|placeOld) != 0 {
		return
	}
	// The old name comes first, files between them or not.
	var names []*value
	for i := range list {
		if v := &list[i]; !v.number && !fileLike(v.text) && (len(names) == 0 || names[len(names)-1].text != v.text) {
			names = append(names, v)
		}
	}
	if len(names) == 2 {
		f(pairOf{names[1].text, names[0].text}, placeRename, names[1].end)
	}
}

// fileLike: the name has an ending as a file has.
func fileLike(w string) bool {
	i := strings.LastIndexByte(w, '.')
	return i > 0 && len(w)-i <= 6 || strings.Contains(w, "/")
}

// swapped: the sentence puts two values in each other's place the other way
// round than the session does.
func (c *checker) swapped(s string, toks []token) bool {
	var told, ways []pairOf
	c.pairsOf(s, toks, func(p pairOf, how mark, _ int) {
		if told = append(told, p); how == placeTo {
			ways = append(ways, p)
		}
	})
	waysOf(toks, func(p pairOf) { ways = append(ways, p) })
	if len(told)+len(ways) > 0 {
		t := c.places()
		other := func(p pairOf) pairOf { return pairOf{p.old, p.new} }
		if slices.ContainsFunc(told, func(p pairOf) bool { return t.pairs[other(p)] && !t.pairs[p] && !t.ways[p] }) ||
			slices.ContainsFunc(ways, func(p pairOf) bool { return t.ways[other(p)] && !t.ways[p] && !t.pairs[p] }) {
			return true
		}
	}
	return c.toOld(s, toks) || c.otherSide(s, toks)
}

// toOld: the sentence says that something came to a number that it came from.
func (c *checker) toOld(s string, toks []token) bool {
	hits := placers().scan(toks, nil)
	var all mark
	for _, h := range hits {
		all |= h.mark
	}
	if all&placeTo == 0 || all&(placeFrom|placeOld|placeInstead|placeRather) != 0 || !takesNew(toks) {
		return false
	}
	for _, v := range c.values(s, toks) {
		if !v.number {
			continue
		}
		for _, h := range hits {
			if h.mark&placeTo != 0 && h.end <= v.start && v.start-h.end <= 1 && c.places().olds[v.text] {
				return true
			}
		}
	}
	return false
}

// takesNew: the words say that a value was set or went somewhere.
func takesNew(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		return t.sign == 0 && slices.ContainsFunc([]string{"went", "rose", "fell", "raised", "lower", "set", "changed", "reduced", "increas", "dropp", "passé", "réduit", "augment", "erhöh", "gesenkt", "senk", "gesetzt", "sank", "stieg", "ging", "pasó", "subió", "bajó", "reduj", "aument", "passou", "subiu", "caiu", "reduzi", "уменьш", "увелич", "снижен", "измен"}, func(p string) bool { return strings.HasPrefix(t.text, p) })
	})
}
