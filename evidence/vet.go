package evidence

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// Reasons of a [Drop] that [Guard.Vet] gives beside those of [Check].
const (
	whyStray      = "not-in-session"      // its words are not those of the session
	whyCharged    = "word-not-in-session" // a word of time, degree or reach that is not the session's
	whyLoose      = "no-quotation"        // of a doubtful reply, and not word for word in an answer
	whyOvertaken  = "overtaken"           // an older answer said it of what was open then
	whySilent     = "says-nothing"        // it tells nothing of the session
	whyRequest    = "repeats-a-request"   // the person's own words again
	whyAnswer     = "repeats-the-answer"  // a suggestion that the agent said itself
	whyOther      = "repeats-the-recap"   // a suggestion that is another text of the record
	whyDone       = "done-already"        // a suggestion of what is proven done
	whyNoneAsked  = "not-asked-for"       // a suggestion to commit, push or deploy that nobody asked for
	whyNoWork     = "nothing-unfinished"  // a suggestion where nothing is left to do
	whyContrary   = "contradicts:"        // and what is proven
	whyAnswered   = "answered-already"    // a question that is not open
	whyUnfinished = "unfinished-text"     // it ends in the air
	whyQuestion   = "repeats-a-question"  // a suggestion that takes up the words of the agent's question
	whyPerson     = "the-person-decides"  // a suggestion where the next move is the person's
)

// Guard checks what a model says about one session. It reads the session when
// it is first asked, and once. It is not safe for concurrent use.
type Guard struct {
	in      Input
	f       Facts
	read    bool // f is there
	c       *checker
	checked Facts // those of the checker, which notes more in them
	said    segmentCache
	doubt   bool // see Doubt
}

// NewGuard gives the guard of a session.
func NewGuard(in Input) *Guard {
	in.Turns = withoutOrders(in.Turns)
	in.Session.Title = calmed(in.Session.Title, true)
	return &Guard{in: in, said: segmentCache{}}
}

func (g *Guard) checker() *checker {
	if g.c == nil {
		g.checked = *g.facts()
		g.c = newChecker(&g.checked, &g.in)
		g.c.vets = true
		g.c.sp.said, g.c.ear.said = g.said, g.said
	}
	return g.c
}

// Vet is what a text by a model has to pass before it is shown: what [Check]
// asks, and that it is about this session and says something of it.
//
// A text goes whole where it is mostly of words that the session does not
// hold, where it tells nothing, or where it only says again what the person
// typed; a clause goes where its own words are not those of the session, or
// where it denies what is proven. In languages whose words of status are not
// known only the whole is weighed; a text in another language than the
// answers can't be weighed by its words, and has to hold a name or a number of
// the session.
//
// Others are the texts that stand beside a suggestion. A suggestion is also
// dropped where it repeats one of them, a request that was answered or the
// answer, where it asks for what is done, or where nothing is unfinished.
func (g *Guard) Vet(field recap.Field, text string, others ...string) (kept string, dropped []Drop, receipts []recap.Receipt) {
	c := g.checker()
	c.standings()
	c.abroad = c.otherLanguage(text)
	whole, torn := text, ""
	if field != recap.FieldSuggestion {
		whole, torn = withoutTorn(text)
	}
	if g.doubt {
		if field == recap.FieldSuggestion {
			return "", []Drop{{text, whyLoose}}, nil
		}
		var loose []Drop
		if whole, loose = c.quotation(oneLine(whole)); whole == "" {
			return "", loose, nil
		}
		dropped = loose
	}
	if field != recap.FieldSuggestion {
		var old []Drop
		if whole, old = c.current(oneLine(whole)); whole == "" {
			return "", append(dropped, old...), nil
		}
		dropped = append(dropped, old...)
	}
	kept, drops, receipts := c.check(field, whole)
	dropped = append(dropped, drops...)
	if torn != "" {
		dropped = append(dropped, Drop{torn, whyUnfinished})
	}
	if kept == "" {
		return "", dropped, nil
	}
	if field != recap.FieldSuggestion && 3*language.Words(kept) < language.Words(whole) {
		return "", append(dropped, Drop{kept, dropped[0].Why}), nil // one who is mostly wrong is not believed
	}
	why := ""
	if kept != whole && field != recap.FieldSuggestion && c.echo(whole) >= mostEcho {
		return "", append(dropped, Drop{kept, whyRequest}), nil // a rest of the request is no better
	}
	if field == recap.FieldSuggestion {
		why = c.needless(kept, others)
	} else {
		why = c.empty(kept)
	}
	if why != "" {
		return "", append(dropped, Drop{kept, why}), nil
	}
	return kept, dropped, receipts
}

// answersLanguage is that of the newest answers.
func (c *checker) answersLanguage() *language.Detection {
	if c.language == nil {
		var b strings.Builder
		for i := len(c.in.Turns) - 1; i >= 0 && b.Len() < 800; i-- {
			b.WriteString(bothEnds(c.in.Turns[i].Answer, 400))
			b.WriteByte('\n')
		}
		d := language.Detect(b.String())
		c.language = &d
	}
	return c.language
}

// otherLanguage: the text is in another language than the answers.
func (c *checker) otherLanguage(text string) bool {
	d, a := c.detect(text), c.answersLanguage()
	if a.Script == language.Unknown || d.Script == language.Unknown || a.Letters < 12 {
		return false
	}
	if d.Script != a.Script {
		return !(d.Script == language.Han && a.Script == language.Kana || d.Script == language.Kana && a.Script == language.Han)
	}
	return d.Reliable && a.Reliable && d.Lang != a.Lang && d.Confidence > 0.5 && a.Confidence > 0.5
}

// piecewise: the language is one in which each clause is weighed.
func (c *checker) piecewise() bool {
	if c.abroad {
		return false
	}
	switch c.hay.lang {
	case "en", "ru", "uk", "zh", "es", "pt", "it", "de", "fr", "ja", "ko":
		return true
	}
	return false
}

// stray: a clause whose own words are not those of the session. A denial of a
// status is none, the ladder reads it.
// Where it has as many of both kinds, the sentence around it decides; what
// comes before a "because" tells of a cause.
func (c *checker) stray(sentence string, p *piece) bool {
	if !c.piecewise() {
		return false
	}
	s := sentence[p.start:p.end]
	w := c.weigh(s)
	switch {
	case w.odd < 2, w.odd < w.known, w.odd == w.known && (w.exact > 0 || c.namesHeld(s)):
		return false
	case w.odd == w.known && w.odd == 2 && w.plain >= 8:
		return false // one word among such as every session has
	case w.odd == w.known && c.wouldBe(s):
		return false
	case w.odd <= w.known+2 && w.known > 0 && because(sentence[p.end:]):
		return false
	case w.odd == w.known && w.known >= 4 && p.end-p.start < len(sentence)-1 && c.weigh(sentence).share() >= amidShare:
		return false
	case w.odd <= w.known+maxLess && p.end-p.start < len(c.text)-1 && !strings.ContainsAny(sentence[p.end:], "0123456789") && c.saysLess(s) && c.weighText().without(w).borne():
		return false
	}
	r := c.sp.read(s)
	if r.marks&mNeg == 0 || r.marks&mTest != 0 || r.marks&(mVerbs|mProd) == 0 {
		return true
	}
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			if !x.negated && !x.cond {
				return true
			}
		}
	}
	return false
}

// amidShare of a sentence's words must be the session's for a clause in it to
// pass that has as many others.
const amidShare = 0.7

// because: the text goes on with a reason.
func because(s string) bool {
	s = strings.TrimLeft(lower(s), " ,，、;；:：—–-")
	for _, w := range [...]string{"because ", "since ", "as ", "due to ", "weil ", "da ", "denn ", "parce que ", "car ", "puisque ", "porque ", "ya que ", "pois ", "perché ", "poiché ", "потому что", "так как", "поскольку", "из-за ", "тому що", "бо ", "因为", "由于", "是因为", "ため", "ので", "から", "때문"} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// tells: it says something of the session.
func (w weight) tells(dense bool) bool {
	all := w.known + w.odd + w.plain
	if dense && w.own >= 2 && all >= 6 {
		return true // a pair of characters says as much as a word
	}
	return (w.own >= 3 || w.own >= 2 && all >= 8 || w.own >= 2 && w.exact > 0 || w.exact > 0 && all >= 8) && all >= 6
}

// leastShare of a text's words must be the session's.
const leastShare = 0.5

// empty says why a text is not worth to be shown.
func (c *checker) empty(s string) string {
	if inTheAir(s) {
		return whyUnfinished
	}
	if wordList(s) || babbles(s) {
		return whySilent
	}
	w := c.weigh(s)
	if c.abroad {
		switch {
		case w.known+w.odd < 6:
			return whySilent
		case w.own < 2 && w.exact == 0:
			return whyStray // not even a name
		}
	} else {
		least := leastShare
		if !hasLexicon(c.hay.lang) {
			least = 0.3 // endings and beginnings are not known
		}
		if w.share() < least {
			return whyStray
		}
		if !w.tells(isDense(s)) && !c.tellsPoint(s, w) {
			return whySilent
		}
	}
	if mine := c.echo(s); mine >= mostEcho && mine > c.fromAnswers(s) {
		return whyRequest
	}
	return ""
}

// fromAnswers gives how much of a text stands in the answers, in runs.
func (c *checker) fromAnswers(s string) float64 {
	var all []uint64
	for i := range c.in.Turns {
		all = append(append(all, c.wordHashes(c.in.Turns[i].Answer)...), 0)
	}
	return hashRuns(wordHashes(s), all)
}

// withoutTorn takes the last sentence away where a limit cut it ("Shall…") and
// another stands before it: its end might have changed what it says.
func withoutTorn(text string) (whole, torn string) {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, "…") {
		return text, ""
	}
	list := units(text)
	if len(list) < 2 {
		return text, ""
	}
	at := list[len(list)-1].start
	return strings.TrimRight(text[:at], " ;；"), text[at:]
}

// isDense: it has words of a script without spaces.
func isDense(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && scriptOf(r) == dense && unicode.IsLetter(r) })
}

// babbles: half of a text is said twice.
func babbles(s string) bool {
	if isDense(s) {
		return false // characters come again in any text
	}
	said := wordHashes(s)
	n := len(said)
	slices.Sort(said)
	return n >= 12 && 2*len(slices.Compact(said)) < n
}

// wordList: single words in a row ("tests-passed, uncommitted"), no sentence.
func wordList(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",;|/，、；", r) })
	for _, p := range parts {
		if p = strings.TrimSpace(p); strings.ContainsAny(p, " \u00a0") || strings.ContainsFunc(p, isRun) || strings.ContainsFunc(p, func(r rune) bool { return scriptOf(r) == dense && unicode.IsLetter(r) }) {
			return false
		}
	}
	return true
}

// inTheAir: it ends in a sign that waits for more.
func inTheAir(s string) bool {
	return strings.ContainsRune(":：,，、;；-–—(（", lastRune(strings.TrimSpace(s)))
}

// mostEcho is how much of a text may be the person's words in their order.
const mostEcho = 0.75

// echo gives how much of a text stands in the person's messages, in runs of a
// few words.
func (c *checker) echo(s string) float64 {
	var all []uint64
	for i := range c.in.Turns {
		t := c.in.Turns[i].Authored
		if t == "" {
			t = c.in.Turns[i].Text
		}
		all = append(append(all, c.wordHashes(t)...), 0)
	}
	return hashRuns(wordHashes(s), all)
}

// wholeEcho is how much makes a text nothing else, whatever it begins with.
const wholeEcho = 0.8

// shortestRun is the least number of words in a row that count as repeated,
// where a text has as many.
const shortestRun = 4

// inRuns gives how much of a is in b in runs.
func inRuns(a, b string) float64 { return hashRuns(wordHashes(a), wordHashes(b)) }

// wordHashes keeps those of the texts of the session.
func (c *checker) wordHashes(s string) []uint64 {
	h, ok := c.hashes[s]
	if !ok {
		if c.hashes == nil {
			c.hashes = map[string][]uint64{}
		}
		h = wordHashes(s)
		c.hashes[s] = h
	}
	return h
}

func hashRuns(x, y []uint64) float64 {
	if len(x) == 0 {
		return 0
	}
	least := min(shortestRun, len(x))
	held := 0
	for i := 0; i < len(x); {
		best := 0
		for k := range y {
			n := 0
			for i+n < len(x) && k+n < len(y) && x[i+n] == y[k+n] {
				n++
			}
			best = max(best, n)
		}
		if best >= least {
			held += best
		}
		i += max(best, 1)
	}
	return float64(held) / float64(len(x))
}

// wordHashes are the words of a text, of a script without spaces its
// characters.
func wordHashes(s string) []uint64 {
	s = clip(s, 8000)
	out := make([]uint64, 0, len(s)/4)
	words(s, func(w string, kind script, _ int) {
		h := uint64(hashSeed)
		for _, r := range w {
			h = hashRune(h, plainLetter(r))
			if kind == dense {
				out = append(out, h)
				h = hashSeed
			}
		}
		if kind != dense {
			out = append(out, h)
		}
	})
	return out
}

// provenOpen: the facts show that work is not done.
func (c *checker) provenOpen() bool {
	f := c.f
	if c.stuck || len(f.Running) > 0 {
		return true
	}
	if open, _, _ := todos(f.Todos); open > 0 {
		return true
	}
	if t, ok := f.lastTest(); ok && !t.Passed || len(f.Edits) > 0 && !f.testsPass(false) {
		return true
	}
	t := c.in.newest()
	return t == nil || !t.Complete
}

// unfinished: the session shows that requested work is not done: open to-dos,
// a run that failed or is missing, an end before the end, or an answer that
// says what is still to come.
func (c *checker) unfinished() bool {
	if c.provenOpen() {
		return true
	}
	t := c.in.newest()
	for _, seg := range c.sp.segments(t.Answer) {
		c.sp.scan(seg.text)
		for _, h := range c.sp.hits {
			if h.mark&(mNeg|mNegAdj|mFuture|mNext|mHedge|mFail) != 0 {
				return true
			}
		}
	}
	return false
}

// leftCount: the clause says how many items are left, and it is not what the
// newest to-do list says. An older answer may have had it right.
func (c *checker) leftCount(s string) bool {
	if len(c.f.Todos) == 0 {
		return false
	}
	low := lower(s)
	if !tellsLeft(low) {
		return false
	}
	open, done, _ := todos(c.f.Todos)
	found, right := false, false
	count := func(v int) {
		if v > 0 && v <= 20 {
			found = true
			right = right || v == open || v == open+done
		}
	}
	words(low, func(w string, kind script, _ int) {
		switch n, err := strconv.Atoi(w); {
		case err == nil:
			count(n)
		case kind == dense:
			hanNumbers(w, func(v, _, _ int) { count(v) })
		default:
			count(cardinal(w, c.hay.lang))
		}
	})
	return found && !right
}

// tellsLeft: the words, in small letters, are about what is left to do.
func tellsLeft(low string) bool {
	return slices.ContainsFunc([]string{
		"remain", "left", "still open", "are open", "to do", "to-do", "unfinished", "outstanding", "offen", "übrig", "steht noch", "stehen noch", "reste", "queda", "falta", "pendiente", "resta", "осталось", "остались", "остаётся", "остается",
		"还剩", "剩下", "剩余", "未完成", "没有做", "残り", "残って", "남았", "남아",
	}, func(w string) bool { return strings.Contains(low, w) })
}

// asksInVain: the sentence is a question, and none is open.
func (c *checker) asksInVain(s string) bool {
	if !isQuestion(strings.TrimSpace(s)) || len(c.f.Questions) > 0 || strings.HasPrefix(c.in.Session.WaitingFor, "question") {
		return false
	}
	t := c.in.newest()
	return t == nil || c.sp.openQuestion(t) == ""
}

// leftOver is unfinished, asked while a sentence of the text is read.
func (c *checker) leftOver() bool {
	defer c.otherPad()()
	return c.unfinished()
}

// denies gives what a clause denies though it is proven, "" where nothing.
func (c *checker) denies(cl *clause) string {
	f := c.f
	for _, x := range cl.claims() {
		proven := false
		switch x.kind {
		case claimCommitted:
			dirty := false
			if _, ok := f.lastCommit(); ok {
				_, _, dirty = f.unsaved()
			}
			proven = x.negated && f.permits(claim{kind: claimCommitted}) && !dirty
		case claimPushed:
			proven = x.negated && f.pushed()
		case claimDeployed:
			proven = x.negated && f.commandPassed(classDeploy)
		case claimMerged:
			proven = x.negated && f.merged()
		case claimTestsRan:
			proven = x.negated && f.testsPass(true)
		case claimTestsPassed:
			proven = x.negated && f.testsPass(true)
		case claimDone:
			proven = x.negated && f.permits(claim{kind: claimCommitted, all: true}) && f.testsPass(false) && !c.leftOver()
		case claimTestsFailed:
			proven = !x.negated && !x.cond && f.testsPass(true) && !c.told
		}
		if proven && !x.cond && !c.saidSo(x) {
			return x.kind.word()
		}
	}
	return ""
}

// tellsFailure: the text says that something fails, or does not pass.
func (c *checker) tellsFailure(text string) bool {
	for s := range sentences(text) {
		r := c.sp.read(s)
		for i := range r.clauses {
			cl := &r.clauses[i]
			if meanings(s[cl.start:cl.end])&wordEnds != 0 {
				continue // what no longer fails
			}
			if cl.marks&mFail != 0 && (cl.marks&mNeg == 0 || !r.denied(s, r.hits, mFail)) {
				return true
			}
			for _, x := range cl.claims() {
				if x.kind == claimTestsFailed && !x.negated || x.kind == claimTestsPassed && x.negated {
					return true
				}
			}
		}
	}
	return false
}

// saidSo: an answer makes the denial too.
func (c *checker) saidSo(x claim) bool {
	c.listen()
	return slices.ContainsFunc(c.denied, func(y claim) bool { return y.kind == x.kind && y.negated == x.negated })
}
