package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// turned gives the places at which a sentence tells a cause that is not of the
// session, a choice that the person did not make, a place that the work did
// not reach, or the contrary of a short answer.
func (c *checker) turned(s string, toks []token) []find {
	var out []find
	if c.refused() != nil {
		if at := c.affirms(s, toks); at >= 0 {
			out = append(out, find{at, whyChanged})
		}
	}
	hits := turns().scan(toks, nil)
	if len(hits) == 0 || isQuestion(s) {
		return out
	}
	var all mark
	for _, h := range hits {
		all |= h.mark
	}
	if all&(turnCause|turnCaused) != 0 && c.piecewise() {
		out = append(out, c.inventedCauses(s, toks, hits)...)
	}
	if all&turnChooses != 0 && all&turnPerson != 0 {
		for _, p := range clausesOf(s, toks) {
			if c.chosenByNobody(s, p, hits) {
				out = append(out, find{p.start, "overclaims:approved"})
			}
		}
	}
	if all&turnProd != 0 {
		for _, p := range clausesOf(s, toks) {
			if c.notThere(s, p, hits) {
				out = append(out, find{p.start, "overclaims:deployed"})
			}
		}
	}
	if all&turnOn != 0 && c.goesOn(s, toks, hits) {
		out = append(out, find{0, whyChanged})
	}
	return out
}

// marksIn are those of the hits in a part of a sentence.
func marksIn(hits []hit, p span) (m mark) {
	for _, h := range hits {
		if h.start >= p.start && h.start < p.end {
			m |= h.mark
		}
	}
	return m
}

// inventedCauses gives where a sentence tells a cause of which too many words
// are not of the session.
func (c *checker) inventedCauses(s string, toks []token, hits []hit) []find {
	var out []find
	for _, h := range hits {
		from, to := h.end, len(s)
		switch {
		case h.mark&turnCause != 0:
			for _, t := range toks {
				if t.sign == ',' && t.start > h.end {
					to = t.start
					break
				}
			}
		case h.mark&turnCaused != 0:
			from, to = 0, h.start
			for _, t := range toks {
				if t.sign == ',' && t.end <= h.start {
					from = t.end
				}
			}
		default:
			continue
		}
		w := c.weigh(s[from:to])
		if w.odd >= 4 && 2*w.odd > w.known {
			out = append(out, find{min(h.start, from), whyStray})
		}
	}
	return out
}

// chosenByNobody: the part says that the person chose, agreed or refused, and
// neither do the person's messages hold what, nor did the person answer since
// it was proposed.
func (c *checker) chosenByNobody(s string, p span, hits []hit) bool {
	m := marksIn(hits, p)
	if m&turnChooses == 0 || m&turnPerson == 0 || !c.standings().offers && !c.personsMove() {
		return false
	}
	l := c.line(s)
	if c.saysNo(l.in(p).toks) || c.reads(s[p.start:p.end], mNegAdj|mFuture) {
		return false
	}
	for _, h := range l.hits {
		if h.start >= p.start && h.start < p.end && h.mark&(wordPlans|wordPends|wordProposes|wordOffers) != 0 && !slices.ContainsFunc(hits, func(k hit) bool { return k.mark&turnChooses != 0 && k.start < h.end && k.end > h.start }) {
			return false
		}
	}
	for i := range c.in.Turns {
		if slices.ContainsFunc(c.in.Turns[i].Tools, func(t recap.Tool) bool { return len(t.Questions) > 0 && t.Status == recap.ToolDone }) {
			return false // asked and answered
		}
	}
	var earlier grounds
	for i := max(0, len(c.in.Turns)-heardTurns); i < len(c.in.Turns)-1; i++ {
		earlier.add(clip(c.in.Turns[i].Answer, maxHeard))
	}
	asked := &toldSentence{words: c.standings().asked}
	before := &toldSentence{words: earlier}
	// What was chosen, without the words that say so.
	var b strings.Builder
	at := p.start
	for _, h := range hits {
		if h.start >= at && h.end <= p.end {
			b.WriteString(s[at:h.start])
			b.WriteByte(' ')
			at = h.end
		}
	}
	b.WriteString(s[at:p.end])
	held, all := asked.holding(b.String())
	if all > 0 && 2*held >= all {
		return false
	}
	held, all = before.holding(b.String())
	return all == 0 || 2*held < all
}

// notThere: the part says that something runs in production, and the newest
// answer says that it does not yet, or all that was deployed went elsewhere.
func (c *checker) notThere(s string, p span, hits []hit) bool {
	part := s[p.start:p.end]
	if marksIn(hits, p)&turnProd == 0 || marksIn(hits, p)&turnStays != 0 {
		return false
	}
	if !c.reads(part, mDeployed|mHosted|mDeployVerb|mDeployWeak|mDone|mPass|mEdited) && takers().all(tokenize(part, nil))&(wordBack|wordReverts|wordRemoves) == 0 {
		return false
	}
	l := c.line(s).in(p)
	if c.limited(part, l) || l.mark&wordEnds != 0 {
		return false
	}
	return c.deployedElsewhere() || c.prodWaits()
}

// deployedElsewhere: something was deployed, and each command names a place
// that is not production.
func (c *checker) deployedElsewhere() bool {
	found := false
	for i := range c.f.Commands {
		r := &c.f.Commands[i]
		if r.class != classDeploy || !r.Passed {
			continue
		}
		m := turns().all(tokenize(clip(r.Command, 1000), nil))
		if m&turnStage == 0 || m&turnProd != 0 {
			return false
		}
		found = true
	}
	return found
}

// prodWaits: the newest answer says of production that it is as it was, or
// asks about it.
func (c *checker) prodWaits() bool {
	t := c.in.newest()
	if t == nil {
		return false
	}
	defer c.otherPad()()
	waits := false
	var toks []token
	for _, seg := range c.sp.segments(bothEnds(t.Answer, maxRead)) {
		for _, u := range units(seg.text) {
			toks = tokenize(seg.text[u.start:u.end], toks[:0])
			m := turns().all(toks)
			if m&turnProd == 0 {
				continue
			}
			if m&turnStays == 0 && !seg.asks && !c.saysNo(toks) && proposals().all(toks)&(wordPends|wordOffers) == 0 && steps().all(toks)&stepApproval == 0 {
				return false
			}
			waits = true
		}
	}
	return waits
}

// goesOn: the sentence says that something goes on of which an answer says that
// it no longer does, in its words.
func (c *checker) goesOn(s string, toks []token, hits []hit) bool {
	for _, h := range hits {
		if h.mark&turnOn == 0 {
			continue
		}
		// What goes on stands behind the word, or around it.
		from, to := 0, len(s)
		for _, t := range toks {
			if t.sign == ',' && t.end <= h.start {
				from = t.end
			}
			if t.sign == ',' && t.start >= h.end {
				to = t.start
				break
			}
		}
		words := tellingStems(s[from:to])
		if len(words) == 0 {
			continue
		}
		for _, over := range c.overNow() {
			if !slices.ContainsFunc(over, func(w string) bool { return !akin([]string{w}, words) }) {
				return true
			}
		}
	}
	return false
}

// overNow gives for each clause of the newest answers that says that something
// is no longer so the telling words behind that.
func (c *checker) overNow() [][]string {
	if c.older.over != nil {
		return c.older.over
	}
	c.older.over = [][]string{}
	var toks []token
	for _, u := range c.units() {
		if !u.answer || !u.newest {
			continue
		}
		toks = tokenize(u.text, toks[:0])
		for _, h := range proposals().scan(toks, nil) {
			if h.mark&wordEnds == 0 {
				continue
			}
			for _, p := range clausesOf(u.text, toks) {
				if h.start < p.start || h.end > p.end {
					continue
				}
				if words := tellingStems(u.text[h.end:p.end]); len(words) > 0 && len(words) <= 4 {
					c.older.over = append(c.older.over, words)
				}
			}
		}
	}
	return c.older.over
}

// refusal is the question of the person that the newest answer denies.
type refusal struct {
	read  bool
	words *toldSentence
}

// refused gives the words of the person's question, where the newest answer
// begins with a no; nil where it does not.
func (c *checker) refused() *toldSentence {
	r := &c.older.refusal
	if r.read {
		return r.words
	}
	r.read = true
	t := c.in.newest()
	if t == nil || !beginsWithNo(clip(strings.TrimLeft(t.Answer, " \n\t*_#>"), 80)) {
		return nil
	}
	if q := lastSentence(t.Text); isQuestion(q) && language.Words(q) >= 3 {
		r.words = &toldSentence{}
		r.words.words.add(q)
	}
	return r.words
}

// beginsWithNo: an answer begins by saying no to a question.
func beginsWithNo(s string) bool {
	low := lower(s)
	for _, w := range shortNo {
		rest, ok := strings.CutPrefix(low, w)
		if !ok {
			continue
		}
		if w[0] >= 0x80 && isRun(firstRune(w)) {
			return true
		}
		if rest == "" || strings.ContainsRune(",.:;!—–-", firstRune(strings.TrimLeft(rest, " *_"))) {
			return true
		}
	}
	return false
}

var shortNo = [...]string{
	"no", "not yet", "nope", "not really", "not quite", "not entirely", "not at the moment", "not as it is", "unfortunately not", "sadly not", "i'm afraid not", "better not", "i wouldn't",
	"nein", "noch nicht", "leider nein", "leider nicht", "leider noch nicht", "nicht ganz", "nicht wirklich", "besser nicht", "eher nicht", "nö",
	"non", "pas encore", "pas vraiment", "pas tout à fait", "malheureusement non", "malheureusement pas", "mieux vaut pas",
	"todavía no", "aún no", "no todavía", "no del todo", "por desgracia no", "lamentablemente no", "mejor no",
	"não", "ainda não", "não ainda", "infelizmente não", "não exatamente", "melhor não",
	"non ancora", "purtroppo no", "non proprio", "non del tutto", "meglio di no", "ancora no",
	"нет", "ещё нет", "еще нет", "пока нет", "пока ещё нет", "не совсем", "к сожалению, нет", "лучше не надо", "увы, нет",
	"不行", "不是", "不能", "不可以", "不会", "不安全", "不需要", "不建议", "还不行", "还不能", "还不是", "还没有", "还没", "暂时不", "目前不", "没有，", "没有。", "不，", "不。", "尚未", "并不",
	"いいえ", "まだです", "まだ", "いや、", "残念ながら", "違います", "아니요", "아니오", "아닙니다", "아직", "아뇨",
}

// affirms gives where a sentence says in the words of the person's question, and
// without a limit, what the newest answer denies; -1 where it does not.
func (c *checker) affirms(s string, toks []token) int {
	q := c.refused()
	l := c.line(s)
	if isQuestion(s) || l.in(span{0, len(s)}).mark&(wordContrasts|wordPends|wordProposes|wordOffers) != 0 {
		return -1
	}
	for _, p := range clausesOf(s, toks) {
		here := l.in(p)
		held, all := q.holding(s[p.start:p.end])
		if all >= 3 && 10*held >= 8*all && !c.saysNo(here.toks) && here.mark&(wordPlans|wordEnds) == 0 && !c.reads(s[p.start:p.end], mNegAdj|mFail|mFuture) {
			return p.start
		}
	}
	return -1
}
