package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// Drop is a part of a text that [Check] left out, as it stood, and why:
//
//	overclaims:passed      a status beyond what is proven (the word is the claim)
//	number-not-in-evidence
//	name-not-in-evidence   a path, an identifier, a proper name
//	quote-not-in-evidence
//	hash, url
//	lost-negation          the session says the contrary
//	unquoted-status        a status in a language without a lexicon, not quoted
//	fragment               what the other drops left of it is no sentence
//
// [Guard.Vet] has more:
//
//	not-in-session         its words are not those of the session
//	word-not-in-session    it holds a word of time, degree or reach that is not
//	no-quotation           of a doubtful reply, and not word for word in an answer
//	overtaken              an older answer said it of what was open then
//	says-nothing           it tells nothing of the session
//	unfinished-text        it ends in the air
//	repeats-a-request      the person's own words again
//	answered-already       a question to the person that is not open
//	contradicts:committed  it denies what is proven (the word is the claim)
//	contradicts:the-session  it turns round what the session says
//
// and of suggestions
//
//	repeats-the-answer, repeats-the-recap, repeats-a-question
//	the-person-decides     the next move is the person's: a question, an approval
//	done-already           it asks for what is proven done
//	not-asked-for          to commit, push or deploy, which nobody asked for
//	nothing-unfinished     nothing is left to do
type Drop struct{ Clause, Why string }

// Check drops from a text that somebody else wrote, such as a model, what the
// session does not bear out: statuses that claim more than the facts prove,
// and paths, identifiers, numbers, hashes, addresses and quotations that stand
// nowhere in it. What is left is made of the words of the text, in their
// order, reads as a sentence, and may be empty; checking it again drops
// nothing. A suggestion is kept whole or not at all.
//
// Receipts prove the claims that stayed. In a language without a status
// lexicon a clause with a status word is kept only where the agent wrote it
// so.
func Check(field recap.Field, text string, in Input) (kept string, dropped []Drop, receipts []recap.Receipt) {
	f := collect(in.Turns, &in.Session)
	return newChecker(&f, &in).check(field, text)
}

// maxPasses is how often what is left of a text is read anew.
const maxPasses = 8

// checker holds what texts are checked against.
type checker struct {
	f    *Facts
	in   *Input
	hay  *haystack
	sp   scratchpad
	ear  scratchpad // for the answers, while a sentence of the text is read
	told bool
	// tried are the base names of files whose edits all came to nothing.
	tried map[string]bool
	// unrun are the words of commands that wait or were refused, and of no
	// command that ran.
	unrun    map[string]bool
	answered bool   // an answer says that work was done
	failing  bool   // the newest run of tests failed
	fails    bool   // the text says that something fails
	text     string // that is read
	lineToks []token
	lineHits []hit
	stuck    bool         // the session waits, was stopped or failed, or its tests fail
	denials  []denial     // of the answers
	answers  string       // all of them, as plainWords gives them
	ground   *grounds     // the words of the session
	stand    *saidAs      // and how they were said
	vets     bool         // for [Guard.Vet]: words are weighed too
	abroad   bool         // the text is in another language than the answers
	denied   []claim      // what the answers deny, or say to fail
	heard    []heardWords // what the newest turns charge
	clauseOf map[string]answerWords
	tongue   string // the language by whose charged words the text is read
	hashes   map[string][]uint64
	language *language.Detection // of the answers
	detected detected            // the newest
	proper   bool
	suggests bool
	older    olderTexts
	lists    map[int]bool // see listed
	weighed  weighedText
	said     bool
}

func newChecker(f *Facts, in *Input) *checker {
	c := &checker{f: f, in: in, hay: newHaystack(in)}
	c.told = toldFailure(in.Turns, &c.sp)
	c.sp.strict = true
	c.hay.counts(f)
	c.hay.listed = c.listed
	c.state()
	return c
}

// state reads how the session stands.
func (c *checker) state() {
	done := map[string]bool{}
	for i := range c.f.Edits {
		for _, p := range c.f.Edits[i].Paths {
			done[baseName(p)] = true
		}
	}
	c.tried, c.unrun = map[string]bool{}, map[string]bool{}
	ran := map[string]bool{}
	for i := range c.in.Turns {
		t := &c.in.Turns[i]
		for j := range t.Tools {
			tool := &t.Tools[j]
			if tool.Kind == recap.ToolCommand {
				into := ran
				if tool.Status == recap.ToolWaiting || tool.Status == recap.ToolRejected {
					into = c.unrun
				}
				commandWords(tool.Command, into)
			}
			if tool.Kind != recap.ToolEdit || tool.Status == recap.ToolDone {
				continue
			}
			for _, p := range tool.Paths {
				if b := baseName(p); !done[b] {
					c.tried[b] = true
				}
			}
		}
	}
	for w := range ran {
		delete(c.unrun, w)
	}
	waits := c.in.Session.WaitingFor != "" && c.in.Session.State == recap.StateWaiting || c.in.End == "waiting"
	over := c.in.End == "interrupted" || c.in.End == "failed" || c.in.Failure != nil || c.in.Session.State == recap.StateInterrupted
	if t, ok := c.f.lastTest(); ok && !c.f.editedAfter(t.Seq) {
		_, c.failing = c.f.unanswered()
	}
	c.f.waiting = c.f.waiting || strings.HasPrefix(c.in.Session.WaitingFor, "approval") && waits
	c.stuck = c.f.waiting || c.f.halted || over || c.failing || len(c.f.Running) > 0 || waits && len(c.f.Questions) == 0
}

// commandWords notes the words of a command that name something.
func commandWords(cmd string, into map[string]bool) {
	for w := range strings.FieldsSeq(clip(cmd, 1000)) {
		if w = baseName(strings.Trim(w, `"'`)); len(w) > 3 && w[0] != '-' {
			into[w] = true
		}
	}
}

// baseName is the last part of a path, in small letters.
func baseName(p string) string {
	p = lower(strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/"))
	return p[strings.LastIndexByte(p, '/')+1:]
}

func (c *checker) check(field recap.Field, text string) (kept string, dropped []Drop, receipts []recap.Receipt) {
	text = oneLine(text)
	c.suggests = field == recap.FieldSuggestion
	c.sp.wish = c.suggests
	kept = text
	// What is left is read anew: a cut can change what the rest says, and in
	// which language.
	for i := 0; kept != ""; i++ {
		c.tune(kept)
		left, drops := c.pass(kept)
		dropped = append(dropped, drops...)
		if c.suggests && len(drops) > 0 {
			return "", []Drop{{text, drops[0].Why}}, nil
		}
		if left == kept {
			break
		}
		if kept = left; i == maxPasses {
			kept = ""
		}
	}
	if kept == "" || c.suggests {
		return kept, dropped, nil
	}
	receipts = c.f.receipts(kept, nil, &c.sp)
	if t := c.in.newest(); len(receipts) == 0 && t != nil {
		r := recap.Receipt{Kind: recap.ReceiptAnswer, Claim: kept, MessageID: t.AnswerID, Detail: clip(oneLine(t.Answer), 200)}
		if t.AnswerID == "" {
			r = recap.Receipt{Kind: recap.ReceiptRequest, Claim: kept, MessageID: t.UserID, Detail: clip(oneLine(t.Text), 200)}
		}
		receipts = append(receipts, r)
	}
	for i := range receipts {
		receipts[i].Field = field
	}
	return kept, dropped, receipts
}

// detected is a text and its language.
type detected struct {
	text string
	language.Detection
}

// detect is language.Detect; the text that was asked last costs nothing.
func (c *checker) detect(text string) language.Detection {
	if c.detected.text != text {
		c.detected = detected{text, language.Detect(text)}
	}
	return c.detected.Detection
}

// tune sets what depends on the language of the text.
func (c *checker) tune(text string) {
	d := c.detect(text)
	c.hay.lang = d.Lang
	c.tongue = tongueOf(d, c.language)
	c.sp.polish = c.hay.lang == "pl"
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case r < 0x250 && unicode.IsLetter(r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	c.hay.latinAlone = other > 0 && other*2 > latin
	c.text = text
	if c.failing && c.vets {
		c.fails = c.tellsFailure(text) || c.tellsOpen(text)
	}
	// German writes every noun with a capital.
	c.proper = !c.hay.latinAlone && c.hay.lang != "de" && c.hay.lang != "lb" && c.hay.lang != ""
}

// unit is a sentence, or a part of one before a semicolon.
type unit struct{ start, end int }

func units(s string) []unit {
	var out []unit
	at := 0
	for sentence := range sentences(s) {
		i := strings.Index(s[at:], sentence)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(sentence)
		from := start
		quote := rune(0)
		for k, r := range s[start:at] {
			switch {
			case quote != 0:
				if strings.ContainsRune(closingQuote(quote), r) {
					quote = 0
				}
			case r != '\'' && closingQuote(r) != "" && strings.ContainsAny(s[start+k+utf8.RuneLen(r):at], closingQuote(r)):
				quote = r
			case r == ';' || r == '；':
				end := start + k + utf8.RuneLen(r)
				out = append(out, unit{from, end})
				from = end
				for from < at && s[from] == ' ' {
					from++
				}
			}
		}
		if from < at {
			out = append(out, unit{from, at})
		}
	}
	return out
}

// pass checks a text once.
func (c *checker) pass(text string) (kept string, dropped []Drop) {
	var b strings.Builder
	end := 0
	list := units(text)
	clean := true
	for _, u := range list {
		s := text[u.start:u.end]
		left, drops := c.unit(s)
		dropped = append(dropped, drops...)
		clean = clean && left == s
		if left != "" {
			if b.Len() > 0 {
				b.WriteString(text[end:u.start])
			}
			b.WriteString(left)
			if end := lastRune(s); left != s && (end == ';' || end == '；') && lastRune(left) != end {
				b.WriteRune(end)
			}
		}
		end = u.end
	}
	if clean && len(list) > 0 {
		return text, dropped
	}
	kept = b.String()
	if trimmed := strings.TrimRight(kept, " ;；,，:："); trimmed != kept || kept != "" && !strings.HasSuffix(text, kept) {
		kept = endLike(trimmed, text)
	}
	if !balanced(kept) {
		return "", append(dropped, Drop{kept, "fragment"})
	}
	return kept, dropped
}

// endLike gives a shortened sentence the end of the whole one.
func endLike(kept, whole string) string {
	if kept == "" {
		return ""
	}
	last := lastRune(kept)
	end := lastRune(whole)
	if endsSentence(end) && !endsSentence(last) {
		return kept + string(end)
	}
	return kept
}

// balanced: each bracket that opens is closed.
func balanced(s string) bool {
	for _, pair := range [...]string{"()", "[]", "（）", "「」", "『』", "【】", "《》", "«»", "“”"} {
		open, n := utf8.DecodeRuneInString(pair)
		if strings.Count(s, pair[:n]) != strings.Count(s, pair[n:]) && (open != '“' || !strings.Contains(s, "„")) {
			return false
		}
	}
	return strings.Count(s, "`")%2 == 0 && strings.Count(s, `"`)%2 == 0
}

// piece is a clause with what is wrong in it.
type piece struct {
	start, end int
	why        string
}

// pieces divides a sentence where read does, never within whole.
func (c *checker) pieces(s string, whole []span) []piece {
	c.sp.scan(s)
	whole = c.hay.withNumbers(s, whole)
	out := make([]piece, 0, 4)
	start := 0
	cut := func(at int) {
		if at <= start {
			return
		}
		for _, w := range whole {
			if at > w.start && at < w.end {
				return
			}
		}
		if strings.TrimFunc(s[start:at], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) == "" {
			return // no clause of its own
		}
		out = append(out, piece{start: start, end: at})
		start = at
	}
	h := 0
	for i, t := range c.sp.toks {
		if t.sign == ',' {
			cut(t.start)
			continue
		}
		for h < len(c.sp.hits) && c.sp.hits[h].tok < i {
			h++
		}
		for k := h; k < len(c.sp.hits) && c.sp.hits[k].tok == i; k++ {
			if m := c.sp.hits[k].mark; m&mSplit != 0 && (!t.run || m&mNeg == 0) {
				cut(c.sp.hits[k].start)
			}
		}
	}
	if start < len(s) {
		out = append(out, piece{start: start, end: len(s)})
	}
	return out
}

// unit checks a sentence. What is left is its start before the first piece
// that fails, else its end after the last one.
func (c *checker) unit(s string) (kept string, dropped []Drop) {
	finds, whole := c.hay.strangers(s, c.proper)
	list := c.pieces(s, whole)
	bad, last := -1, -1
	c.judge(s, list, finds)
	for i := range list {
		if list[i].why == "" {
			continue
		}
		if bad < 0 {
			bad = i
		}
		last = i
	}
	if bad < 0 {
		return s, nil
	}
	why := list[bad].why
	gone := func(from, to int) []Drop { return []Drop{{strings.TrimSpace(s[from:to]), why}} }
	if bad > 0 {
		least := 3
		if !strings.HasPrefix(why, "overclaims") && c.claims(s[:list[bad].start]) {
			least = 2 // the name alone was wrong: "Changed a.go"
		}
		if left := trimClause(s[:list[bad].start]); language.Words(left) >= least && !open(left, &c.sp) && balanced(left) && !dangles(left) && !(c.vets && unfinished(left)) && c.whole(left) {
			return endLike(left, s), gone(list[bad].start, len(s))
		}
	}
	if last < len(list)-1 {
		next := list[last+1]
		if left := trimClause(s[next.start:]); language.Words(left) >= 4 && !open(left, &c.sp) && standsAlone(s, next.start) && balanced(left) && c.whole(left) {
			return left, gone(0, next.start)
		}
	}
	return "", gone(0, len(s))
}

// claims: the text says that something was done.
func (c *checker) claims(s string) bool {
	r := c.sp.read(s)
	for i := range r.clauses {
		if r.clauses[i].n > 0 {
			return true
		}
	}
	return false
}

// whole: nothing is wrong in what is left.
func (c *checker) whole(s string) bool {
	finds, whole := c.hay.strangers(s, c.proper)
	list := c.pieces(s, whole)
	c.judge(s, list, finds)
	for i := range list {
		if list[i].why != "" {
			return false
		}
	}
	return true
}

// judge notes what is wrong in each piece.
func (c *checker) judge(s string, list []piece, finds []find) {
	at := func(pos int) *piece {
		for i := range list {
			if pos >= list[i].start && pos < list[i].end {
				return &list[i]
			}
		}
		return &list[len(list)-1]
	}
	mark := func(p *piece, why string) {
		if p.why == "" {
			p.why = why
		}
	}
	if len(list) == 0 {
		return
	}
	if c.vets && !c.suggests && c.asksInVain(s) {
		for i := range list {
			mark(&list[i], whyAnswered)
		}
		return
	}
	for _, f := range finds {
		mark(at(f.start), f.why)
	}
	r := c.sp.read(s)
	for i := range r.clauses {
		cl := &r.clauses[i]
		if why := c.overclaim(&r, cl, s); why != "" {
			mark(at(cl.start), why)
		}
		if c.vets && !c.suggests {
			if why := c.denies(cl); why != "" {
				mark(at(cl.start), whyContrary+why)
			}
			if c.failing && !c.fails && cl.marks&mTest != 0 {
				mark(at(cl.start), "overclaims:passed")
			}
			if c.failing && cl.marks&mFail != 0 && c.noneFails(s[cl.start:cl.end]) {
				mark(at(cl.start), "overclaims:passed")
			}
		}
	}
	if c.suggests {
		return
	}
	for _, f := range c.mistold(s, &r) {
		mark(at(f.start), f.why)
	}
	if c.vets && !c.abroad {
		for _, u := range c.unsaid(s) {
			for i := range list {
				if list[i].start < u.end && list[i].end > u.start {
					mark(&list[i], u.why)
				}
			}
		}
		if c.standings().untouched {
			// What follows from a change that was not made is not so either.
			for i := 1; i < len(list); i++ {
				if list[i-1].why == "overclaims:edited" && meanings(s[list[i].start:list[i].end])&wordContrasts == 0 {
					mark(&list[i], list[i-1].why)
				}
			}
		}
	}
	if foreignStatus(s, c.hay.lang) {
		for i := range list {
			if part := s[list[i].start:list[i].end]; foreignStatus(part, c.hay.lang) && !c.agentSaid(part) {
				mark(&list[i], "unquoted-status")
			}
		}
	}
	for i := range list {
		p := &list[i]
		part := s[p.start:p.end]
		switch {
		case p.why != "":
		case c.contrary(part) && !pendsTogether(s[p.end:]):
			p.why = "lost-negation"
		case c.vets && i > 0 && !strings.ContainsFunc(s[p.end:], unicode.IsLetter) && c.deniedWord(part):
			p.why = "lost-negation"
		case c.vets && c.leftCount(part):
			p.why = whyNumber
		case c.vets && c.nothingLeft(part):
			p.why = "overclaims:done"
		case c.vets && c.charges(part) != "", c.vets && c.youConfirmed(part):
			p.why = whyCharged
		case c.vets && c.readyFor(part):
			p.why = "overclaims:done"
		case c.vets && c.stray(s, p):
			p.why = whyStray
		}
	}
}
