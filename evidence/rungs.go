package evidence

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// saidAs holds the words of the newest turns by how they were said. On the
// ladder asked < proposed < edited a word that was only asked for, or only
// proposed, or only said of what is still open, does not tell what was done.
type saidAs struct {
	asked     grounds // by the person
	proposed  grounds // by the agent, and not done since
	open      grounds // what the newest answer says is not so yet
	fact      grounds // what answers say is so
	offers    bool    // there are words in proposed
	limits    bool    // and in open
	turned    bool    // an answer says, as a fact, that something changed
	untouched bool    // no turn changed anything
}

// standings reads them when they are first asked for.
func (c *checker) standings() *saidAs {
	if c.stand != nil {
		return c.stand
	}
	st := &saidAs{untouched: c.untouched()}
	c.stand = st
	defer c.listening()()
	_, since := c.lastChange()
	newest := len(c.in.Turns) - 1
	for i := range c.in.Turns {
		t := &c.in.Turns[i]
		if i >= newest-1 {
			st.asked.add(clip(t.Text, maxHeard))
		}
		for j := range t.Tools {
			for _, p := range t.Tools[j].Paths {
				st.fact.add(p)
			}
		}
		if i == newest && t.Answer != "" {
			st.fact.add(c.in.Session.Branch)
		}
		limits := i == newest && !st.untouched
		plan := false
		para := -1 // of the sentence before, where that says what is open
		for _, seg := range c.sp.segments(bothEnds(t.Answer, maxRead)) {
			if limits && c.failing && seg.para == para && !c.claimsWork(seg.text) && meanings(seg.text)&wordContrasts == 0 {
				st.open.add(seg.text) // more of what fails
				continue
			}
			para = -1
			if plan = plan || i == newest && st.untouched && planHead(seg.text); plan {
				st.proposed.add(seg.text)
				st.offers = true
				continue
			}
			for _, u := range units(seg.text) {
				if c.place(st, seg.text[u.start:u.end], seg.asks, i >= since, i == newest, limits) {
					para = seg.para
				}
			}
		}
	}
	return st
}

// planHead: a sentence opens a plan: "Plan: 1. …".
func planHead(s string) bool {
	word, rest, ok := strings.Cut(strings.TrimLeft(s, "#*_ "), ":")
	if !ok {
		word, rest, ok = strings.Cut(s, "：")
	}
	switch lower(strings.Trim(word, "#*_ ")) {
	case "plan", "the plan", "my plan", "proposal", "suggestion", "next steps", "der plan", "vorschlag", "mein plan", "plan d'action", "le plan", "proposition", "el plan", "propuesta", "plano", "o plano", "proposta", "piano", "il piano", "план", "предложение", "计划", "方案", "建议", "計画", "提案", "案", "계획", "제안":
		return ok && rest != "" || ok && strings.HasSuffix(s, ":")
	}
	return false
}

// untouched: no turn changed anything.
func (c *checker) untouched() bool {
	changed, since := c.lastChange()
	return len(c.f.Edits)+len(c.f.Commits) == 0 && !changed && since == 0
}

// lastChange gives the turn after the last one that may have changed
// something; changed where that was the newest.
func (c *checker) lastChange() (changed bool, since int) {
	for i := len(c.in.Turns) - 1; i >= 0; i-- {
		t := &c.in.Turns[i]
		for j := range t.Tools {
			if mayChange(&t.Tools[j]) {
				return i == len(c.in.Turns)-1, i + 1
			}
		}
	}
	return false, 0
}

// place notes the words of a sentence of an answer, and says whether they are
// of what is open.
func (c *checker) place(st *saidAs, s string, asks, free, newest, limits bool) (open bool) {
	l := c.line(s)
	m := l.all()
	if free || newest && m&wordOffers != 0 {
		if at := c.proposes(s, asks, l); at >= 0 {
			st.says(s[:at], meanings(s[:at]))
			st.proposed.add(s[at:])
			st.offers = true
			return false
		}
	}
	if !limits || m&wordPends == 0 && !c.reads(s, mFail|mNeg) && !c.saysNo(l.toks) {
		st.says(s, m)
		return false
	}
	for _, part := range contrasted(s, l) {
		from, at := c.pendsFrom(part)
		if from < 0 {
			st.says(part, meanings(part))
			continue
		}
		st.limits, open = true, true
		st.says(part[:from], meanings(part[:from]))
		for _, p := range c.pieces(part[at:], nil) {
			if text := part[at+p.start : at+p.end]; p.start > 0 && c.claimsWork(text) && !c.pendsIn(text) {
				st.says(text, meanings(text))
			} else {
				st.open.add(text)
			}
		}
		st.open.add(part[from:at])
	}
	return open
}

// pendsFrom gives the part of a clause at which an answer says what is not so
// yet, and where that begins: items of a list belong to it, a clause that says
// what was done does not. -1 where there is none.
func (c *checker) pendsFrom(s string) (from, at int) {
	list := c.pieces(s, nil)
	for i := range list {
		if text := s[list[i].start:list[i].end]; !c.pendsIn(text) || strings.ContainsFunc(text, isHangul) && c.claimsWork(text) {
			continue
		}
		from = list[i].start
		for k := i - 1; k >= 0; k-- {
			text := s[list[k].start:list[k].end]
			if language.Words(text) > 4 || c.claims(text) || strings.HasPrefix(s[list[k+1].start:], "，") {
				break
			}
			from = list[k].start
		}
		return from, list[i].start
	}
	return -1, -1
}

// says notes what an answer says is so. Its words mean m.
func (st *saidAs) says(s string, m mark) {
	st.fact.add(s)
	st.turned = st.turned || m&(wordTurns|wordEnds) != 0
}

// proposes gives where a sentence begins to propose, -1 where it does not. What
// a clause before that says is so; in languages with the verb at the end all
// of it is proposed.
func (c *checker) proposes(s string, asks bool, l saidLine) int {
	at := -1
	for _, h := range l.hits {
		if h.mark&(wordProposes|wordOffers) != 0 {
			at = h.start
			break
		}
	}
	for i := range l.toks {
		if t := &l.toks[i]; t.sign == 0 && !t.run && conditionalEnding(t.text) && (at < 0 || t.start < at) {
			at = t.start
		}
	}
	switch {
	case asks && (at < 0 || addressed(s)):
		return 0
	case at < 0:
		return -1
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3040 && r <= 0x30ff || r >= 0xac00 && r <= 0xd7a3 }) {
		return 0
	}
	from := 0
	for _, t := range l.toks {
		if t.sign == ',' && t.start < at {
			from = t.start
		}
	}
	return from
}

// contrasted parts a sentence at words such as "but".
func contrasted(s string, l saidLine) []string {
	var out []string
	from := 0
	for _, h := range l.hits {
		if h.mark == wordContrasts && h.start > from {
			out = append(out, s[from:h.start])
			from = h.start
		}
	}
	return append(out, s[from:])
}

// pendsIn: a part of an answer says what is not so yet.
func (c *checker) pendsIn(s string) bool {
	toks := tokenize(s, nil)
	r := c.sp.read(s)
	if len(r.hits) > 0 && r.hits[0].mark&mCond != 0 && r.hits[0].tok <= 1 && !c.saysNo(toks) {
		return false // "if one of them is missing"
	}
	for _, h := range proposals().scan(toks, nil) {
		if h.mark == wordPends {
			return true
		}
	}
	if r.marks&mFail != 0 && (c.failing || r.marks&(mTest|mBuild) != 0) || c.failing && r.marks&mNeg != 0 {
		return true
	}
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			switch x.kind { //nolint:exhaustive // the others tell of no step that is left out
			case claimTestsRan, claimRan, claimVerified, claimCommitted, claimMerged, claimPR, claimPushed, claimDeployed:
				if x.negated && c.saysNo(toks) {
					return true
				}
			}
		}
	}
	return false
}

// told is how the words of a part of a text stand.
type toldWords struct {
	fact, asked, proposed, open, odd int // the last three only that
	count, offered                   int // numbers that were only asked for, only proposed
	counts                           int // numbers
}

// tells weighs the words of a part: a word counts two, two neighbours of a
// script without spaces one.
func (st *saidAs) tells(s, lang string) toldWords {
	var w toldWords
	neutral := neutralWords()
	note := func(n int, fact, proposed, open, asked, counts, digits bool) {
		switch {
		case fact:
			w.fact += n
		case proposed:
			w.proposed += n
			if counts || digits {
				w.offered++
			}
		case open:
			w.open += n
		case asked:
			w.asked += n
			if counts {
				w.count++
			}
		default:
			w.odd += n
		}
		if counts {
			w.counts++
		}
	}
	was := 0 // where a word such as "from" ended
	words(s, func(word string, kind script, at int) {
		if kind == dense {
			st.dense(word, note)
			return
		}
		low := lower(word)
		if wasBefore(low) {
			was = at + len(word)
			return
		}
		digits := strings.ContainsAny(low, "0123456789")
		counts := cardinal(low, lang) > 1 || digits && at+len(word) < len(s) && measured(s[at+len(word):])
		if !counts && !digits && (kind != hangul && utf8.RuneCountInString(low) < 3 || neutral[low]) {
			return
		}
		if before := was; was > 0 {
			if was = 0; at-before <= 8 && !counts && !digits {
				return // "from", "instead of": what it was before
			}
		}
		note(2, st.fact.holds(low, kind), st.proposed.holds(low, kind), st.open.holds(low, kind) && thingOf(low) != 'f', st.asked.holds(low, kind), counts, digits)
	})
	return w
}

func isHangul(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }

// measured: a measure follows the digits.
func measured(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	return strings.ContainsRune("つ個枚件个條条项項개", r)
}

// dense does it for a run of a script without spaces.
func (st *saidAs) dense(run string, note func(n int, fact, proposed, open, asked, counts, digits bool)) {
	stop := stopRune()
	rs := []rune(run)
	tells := func(r rune) bool { return (r < 0x3040 || r > 0x309f) && !stop[r] }
	for k := 1; k < len(rs); k++ {
		p, r := rs[k-1], rs[k]
		if !tells(p) || stop[r] || strings.ContainsRune("はがをにでとものへや", r) {
			continue
		}
		n := 1
		if tells(r) && (k < 2 || !tells(rs[k-2])) && (k+1 == len(rs) || !tells(rs[k+1])) {
			n = 2 // a word of two characters
		}
		h := pair(p, r)
		note(n, st.fact.set.has(h), st.proposed.set.has(h), st.open.set.has(h), st.asked.set.has(h), false, false)
	}
	hanNumbers(run, func(v, _, _ int) {
		if v < 2 {
			return
		}
		// A number stands in the same characters where it was said before.
		for _, r := range run {
			if hanDigit(r) == v {
				in := func(g *grounds) bool { return g.holdsRune(r) }
				note(1, in(&st.fact), in(&st.proposed), in(&st.open), in(&st.asked), true, true)
				return
			}
		}
	})
}

// unsaid gives the parts of a sentence that tell more than was done, each with
// its reason: what was only proposed, without a word that says so; what the
// newest answer says is open; all of what it says is done in part.
func (c *checker) unsaid(s string) []piece {
	st := c.standings()
	unpushed := len(c.f.Commits) > 0 && !c.f.pushed()
	if !st.offers && !st.limits && (!st.untouched || st.turned) && (!unpushed || !namesHash(s)) {
		return nil
	}
	var out []piece
	l := c.line(s)
	parts := c.parts(s, l)
	limited := func(p span) bool { return c.limited(s[p.start:p.end], l.in(p)) }
	plans, asked := false, isQuestion(strings.TrimSpace(s))
	for _, p := range parts {
		plans = plans || l.in(p).plans()
	}
	plans = plans || asked
	for i, p := range parts {
		text := s[p.start:p.end]
		var w toldWords
		if st.offers || st.limits {
			w = st.tells(text, c.hay.lang)
		}
		here := l.in(p)
		done := ""
		switch {
		case st.offers && w.proposed >= 2 && !plans && !c.saysNo(here.toks) && !c.changesNothing():
			done = "overclaims:edited"
		case st.untouched && !st.turned && here.mark&(wordTurns|wordEnds) != 0 && !plans && !c.changesNothing():
			done = "overclaims:edited"
		case unpushed && c.elsewhere(text, here):
			done = "overclaims:pushed"
		case !st.limits || asked:
		case here.mark&wordEnds != 0 && w.open > 0 && c.reads(text, mTest|mBuild|mFail):
			done = "overclaims:passed"
		case w.open < 2 && w.count == 0 && (!c.failing || w.fact > 0), limited(p):
		case i > 0 && limited(parts[i-1]) && !c.claimsWork(text) && !opensAnew(text):
		case i+1 < len(parts) && language.Words(text) < leastPart && here.mark&wordTurns == 0 && !c.claimsWork(text) && limited(parts[i+1]):
		case w.open >= 2 && (c.failing && w.open >= 4 || 2*w.open > w.fact || here.mark&wordTurns != 0 || c.claimsWork(text)) && (c.claimsWork(text) || !slices.ContainsFunc(parts[i+1:], limited)),
			w.count > 0 && w.counts == 1,
			c.failing && w.fact == 0 && w.asked+w.open > 0 && (w.odd > 0 || here.mark&wordTurns != 0):
			done = "overclaims:done"
		}
		if done != "" {
			out = append(out, piece{p.start, p.end, done})
		}
	}
	return out
}

// saidLine are the words of a sentence, or of a part of it, by what they mean.
type saidLine struct {
	toks []token
	hits []hit
	mark mark
}

// line reads a sentence. What it gives is good until the next one.
func (c *checker) line(s string) saidLine {
	c.lineToks = tokenize(s, c.lineToks[:0])
	c.lineHits = proposals().scan(c.lineToks, c.lineHits[:0])
	return saidLine{toks: c.lineToks, hits: c.lineHits}
}

// all are the marks of all its words.
func (l saidLine) all() mark {
	var m mark
	for _, h := range l.hits {
		m |= h.mark
	}
	return m
}

// in is what stands in a part of it.
func (l saidLine) in(p span) saidLine {
	from, to := 0, len(l.toks)
	for from < to && l.toks[from].end <= p.start {
		from++
	}
	for to > from && l.toks[to-1].start >= p.end {
		to--
	}
	out := saidLine{toks: l.toks[from:to]}
	for _, h := range l.hits {
		if h.start >= p.start && h.start < p.end {
			out.mark |= h.mark
		}
	}
	return out
}

// plans: it says that something is proposed, or is to be decided.
func (l saidLine) plans() bool {
	return l.mark&(wordProposes|wordOffers|wordPlans) != 0 || slices.ContainsFunc(l.toks, func(t token) bool { return t.sign == 0 && !t.run && conditionalEnding(t.text) })
}

// limited: the part says itself that something is not so, or not yet.
func (c *checker) limited(s string, l saidLine) bool {
	if l.mark&wordEnds != 0 {
		return false
	}
	return l.mark&(wordPends|wordProposes|wordOffers|wordPlans|wordStays) != 0 || c.saysNo(l.toks) || c.reads(s, mFail|mNegAdj)
}

// parts are those of a sentence that may tell something of their own: divided
// at words such as "but", and at others where what follows is no mere item of a
// list.
func (c *checker) parts(s string, l saidLine) []span {
	p := &c.older.parts
	if p.text != s || p.lang != c.hay.lang {
		*p = lineParts{s, c.hay.lang, c.partsOf(s, l)}
	}
	return p.list
}

// lineParts are those of the sentence that was asked last.
type lineParts struct {
	text, lang string
	list       []span
}

func (c *checker) partsOf(s string, l saidLine) []span {
	var out []span
	from := 0
	cut := func(at int) {
		if at > from {
			out = append(out, span{from, at})
			from = at
		}
	}
	for _, p := range c.pieces(s, nil) {
		text := s[p.start:p.end]
		first := strings.TrimLeft(text, " ,，、(（")
		at := p.start + len(text) - len(first)
		var opens mark
		for _, h := range l.hits {
			if h.start == at {
				opens |= h.mark
			}
		}
		if opens&wordContrasts != 0 {
			cut(p.start)
			continue
		}
		if opens&wordGoesOn != 0 || c.hay.lang == "zh" && strings.HasPrefix(text, "、") {
			continue
		}
		n := language.Words(text)
		word, _, _ := strings.Cut(first, " ")
		if conjunction(word) && c.countsBefore(s[:at]) {
			continue // "vingt et une lignes"
		}
		if conjunction(word) && n > leastPart || n >= leastPart && first != text && text[0] != ' ' {
			cut(p.start)
		}
	}
	cut(len(s))
	return out
}

// countsBefore: the text ends in the word for a number.
func (c *checker) countsBefore(s string) bool {
	s = strings.TrimRight(s, " ")
	return cardinal(lower(s[strings.LastIndexByte(s, ' ')+1:]), c.hay.lang) > 1
}

// leastPart is how many words a part has that is more than an item of a list.
const leastPart = 4

// meanings are those of the words of a text.
func meanings(s string) mark {
	return proposals().all(tokenize(s, nil))
}

// elsewhere: a part that names a commit of the session says that it is where
// others see it, or something else than that it was made.
func (c *checker) elsewhere(s string, l saidLine) bool {
	if !namesHash(s) || c.saysNo(l.toks) {
		return false
	}
	if l.mark&wordServer != 0 {
		return true
	}
	low := lower(s)
	return !c.reads(s, mCommitted|mCommitWeak) && slices.ContainsFunc(c.f.Commits, func(k Commit) bool { return len(k.Hash) >= 7 && strings.Contains(low, k.Hash[:7]) })
}

// tellsOpen: a part of the text says of what the newest answer leaves open that
// it is so.
func (c *checker) tellsOpen(text string) bool {
	st := c.standings()
	defer c.otherPad()()
	for s := range sentences(text) {
		for _, u := range units(s) {
			part := s[u.start:u.end]
			m := meanings(part)
			if m&wordEnds == 0 && (m&wordPends != 0 || c.reads(part, mFail)) && st.tells(part, c.hay.lang).open >= 2 {
				return true
			}
		}
	}
	return false
}

// opensAnew: the part begins with "and".
func opensAnew(s string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(s, " ,，、;"), " ")
	return conjunction(word) && !orWord(word)
}

// changesNothing: the text says that nothing was changed, so that the rest of
// it tells of a plan.
func (c *checker) changesNothing() bool {
	text := c.text
	if meanings(text)&wordUnchanged != 0 || filesUnchanged(text) {
		return true
	}
	defer c.otherPad()()
	for s := range sentences(text) {
		r := c.sp.read(s)
		for i := range r.clauses {
			for _, x := range r.clauses[i].claims() {
				if x.kind == claimEdited && x.negated {
					return true
				}
			}
		}
	}
	return false
}

// claimsWork: the part says that something was done.
func (c *checker) claimsWork(s string) bool {
	r := c.sp.read(s)
	return r.claimsWork()
}

func (r *reading) claimsWork() bool {
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			if !x.negated && !x.cond && (x.kind == claimEdited || x.kind == claimDone || x.kind == claimRan) {
				return true
			}
		}
	}
	return false
}

const (
	wordProposes  mark = 1 << iota // "I would": in an answer, and in a text
	wordPlans                      // "planned", "option": in a text alone
	wordPends                      // "still", "missing"
	wordContrasts                  // "but"
	wordEnds                       // "no longer"
	wordChanges                    // "already", "instead of"
	wordTurns                      // "now", "went down"
	wordGoesOn                     // "with", "because"
	wordOffers                     // "I would"
	wordUnchanged                  // "no changes"
	wordServer                     // where others see it
	wordStays                      // "keeps", "as before": it was so all the time
)

// conditionalEnding: a verb of French, Spanish, Portuguese or Italian says what
// would be.
func conditionalEnding(w string) bool {
	n := utf8.RuneCountInString(w)
	switch {
	case n < 6:
		return false
	case strings.HasSuffix(w, "rais"), strings.HasSuffix(w, "rait"), strings.HasSuffix(w, "raient"):
		return !slices.Contains([]string{"extrait", "retrait", "portrait", "extrais"}, w)
	case strings.HasSuffix(w, "ría"), strings.HasSuffix(w, "rían"), strings.HasSuffix(w, "ríamos"):
		return !strings.HasSuffix(w, "ería") || n < 8
	case strings.HasSuffix(w, "aria"), strings.HasSuffix(w, "eria"), strings.HasSuffix(w, "iria"), strings.HasSuffix(w, "ariam"), strings.HasSuffix(w, "eriam"), strings.HasSuffix(w, "iriam"):
		return false // also nouns: its other words tell
	case strings.HasSuffix(w, "rebbe"), strings.HasSuffix(w, "rebbero"), strings.HasSuffix(w, "remmo"):
		return true
	}
	return false
}

var proposals = sync.OnceValue(func() *index { return plainIndex(proposalWords[:]) })
