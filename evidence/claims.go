package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// overclaim gives the reason to drop a clause, "" where there is none.
func (c *checker) overclaim(r *reading, cl *clause, s string) string {
	for _, x := range cl.claims() {
		if x.kind == claimTestsPassed && !x.negated && c.somePassed(r, cl) {
			continue
		}
		if x.kind == claimTestsPassed && !x.negated && c.fails && cl.marks&(mPass|mTestPass|mFail) == 0 && c.tellsOpen(s) {
			continue // more of the test that fails
		}
		if x.kind == claimEdited && c.vets && strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3040 && r <= 0x309f }) && meanings(s)&(wordProposes|wordOffers) != 0 {
			continue // "to change it was proposed", with the verb at the end
		}
		if x.kind == claimCommitted && cl.marks&mCommitted == 0 && c.countsCommits(s[cl.start:cl.end]) {
			continue // "the 23 commits since v3.0"
		}
		if x.kind == claimDeployed && c.vets && meanings(s[cl.start:cl.end])&wordStays != 0 {
			continue // what runs there as before
		}
		if x.kind == claimBuildFailed || x.kind == claimDone && c.excepts(s[cl.start:]) {
			continue // claims no success
		}
		if !c.f.permitsAll([]claim{x}, c.told) || !x.negated && !x.cond && !c.bears(x, cl, s[cl.start:cl.end]) {
			return "overclaims:" + x.kind.word()
		}
	}
	return ""
}

// countsCommits: the clause counts commits as the session does.
func (c *checker) countsCommits(s string) bool {
	toks := tokenize(s, nil)
	for i := 1; i < len(toks); i++ {
		if n := toks[i-1].text; number(n) > 1 && (strings.HasPrefix(toks[i].text, "commit") || strings.HasPrefix(toks[i].text, "коммит")) {
			return strings.Contains(c.wordsIn().body, n+" "+toks[i].text[:len("commit")])
		}
	}
	return false
}

// somePassed: "40 passed, two fail" says the truth of a run that failed.
func (c *checker) somePassed(r *reading, cl *clause) bool {
	failed := false
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			failed = failed || x.kind == claimTestsFailed && !x.negated && !x.cond && c.f.permits(x)
		}
	}
	t, ok := c.f.lastTest()
	if !failed || !ok || t.Count == "" {
		return false
	}
	count, _, _ := strings.Cut(t.Count, " ")
	for _, tok := range r.toks {
		if tok.start >= cl.start && tok.end <= cl.end && tok.text == count {
			return true
		}
	}
	return false
}

// bears is what a guard asks beyond the ladder.
func (c *checker) bears(x claim, cl *clause, s string) bool {
	f := c.f
	switch x.kind {
	case claimDone, claimVerified:
		if x.kind == claimDone && cl.marks&mBuild != 0 && (f.commandPassed(classBuild) || f.commandPassed(classOther)) {
			return true
		}
		if c.stuck && !(x.kind == claimVerified && f.testsPass(false) && !f.waiting) {
			return false
		}
		open, _, _ := todos(f.Todos)
		return !x.all || open == 0
	case claimRan:
		for w := range c.unrun {
			if strings.Contains(lower(s), w) {
				return false
			}
		}
	case claimApproved:
		return !f.waiting && !c.rejected()
	case claimBuildPassed:
		return !f.newestFailed(classBuild)
	case claimCommitted:
		if !x.all {
			return true
		}
		_, _, dirty := f.unsaved()
		return !dirty
	case claimEdited:
		if len(f.Edits) == 0 && len(f.Commits) == 0 && !f.writer && !f.commandPassed(classBuild) && !c.stated(s) {
			if c.listen(); !c.answered || f.refused {
				return false
			}
		}
		low := lower(s)
		for b := range c.tried {
			if len(b) > 2 && strings.Contains(low, b) {
				return false
			}
		}
	}
	return true
}

// stated: the words of the clause that tell of edits stand in the session, as
// in "the button is disabled".
func (c *checker) stated(s string) bool {
	var sp scratchpad
	sp.strict = true
	sp.scan(s)
	for _, h := range sp.hits {
		if h.mark&(mEdited|mEditWeak) != 0 && (h.tok == 0 || sp.toks[h.tok].run || !c.hay.holds(s[h.start:h.end])) {
			return false
		}
	}
	return !c.f.refused
}

// rejected: the newest turn holds a call that the person said no to.
func (c *checker) rejected() bool {
	t := c.in.newest()
	if t == nil {
		return false
	}
	for i := range t.Tools {
		if t.Tools[i].Status == recap.ToolRejected {
			return true
		}
	}
	return false
}

// newestFailed: the newest command of the class failed.
func (f *Facts) newestFailed(k class) bool {
	for i := len(f.Commands) - 1; i >= 0; i-- {
		if c := &f.Commands[i]; c.class == k {
			return c.Failed
		}
	}
	return false
}

// word names a kind of claim in a reason.
func (k kind) word() string {
	switch k {
	case claimEdited:
		return "edited"
	case claimRan, claimTestsRan:
		return "ran"
	case claimBuildPassed, claimTestsPassed:
		return "passed"
	case claimVerified:
		return "verified"
	case claimTestsFailed, claimBuildFailed:
		return "failed"
	case claimCommitted:
		return "committed"
	case claimMerged:
		return "merged"
	case claimPR:
		return "pull-request"
	case claimPushed:
		return "pushed"
	case claimDeployed:
		return "deployed"
	case claimHosted:
		return "hosted"
	case claimApproved:
		return "approved"
	}
	return "done"
}

// negative: the clause denies something.
func (c *checker) negative(s string) bool {
	c.sp.scan(s)
	for _, h := range c.sp.hits {
		if h.mark&mNeg != 0 {
			return true
		}
	}
	return false
}

// denial is a clause of an answer that denies something, by its words.
type denial struct{ all, telling []string }

// contrary: the words of the clause stand in the answers only with a denial.
func (c *checker) contrary(s string) bool {
	words := stems(s)
	if len(words) < 2 || c.negative(s) || isQuestion(s) {
		return false
	}
	c.listen()
	need := len(words)
	if need > 4 {
		need = (need*4 + 4) / 5
	}
	for _, d := range c.denials {
		// What is denied must be told: "one page each is no problem" denies
		// no page.
		if shared(words, d.all) >= need && 2*shared(d.telling, words) > len(d.telling) {
			return !c.assured(words, need)
		}
	}
	return false
}

func shared(a, b []string) int {
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return n
}

// stems gives the words of a clause that tell something, without endings.
func stems(s string) []string { return stemsOf(s, false) }

// tellingStems are those without words of grammar.
func tellingStems(s string) []string { return stemsOf(s, true) }

func stemsOf(s string, telling bool) []string {
	var toks [48]token
	var out []string
	for _, t := range tokenize(s, toks[:0]) {
		switch {
		case t.sign != 0 || conjunction(t.text):
		case t.run:
			prev := -1
			for i := range t.text {
				if prev >= 0 {
					_, n := utf8.DecodeRuneInString(t.text[i:])
					out = append(out, t.text[prev:i+n])
				}
				prev = i
			}
		case utf8.RuneCountInString(t.text) >= 3 && !smallWord(t.text) && (!telling || !neutralWords()[t.text]):
			w := t.text
			if n := utf8.RuneCountInString(w); (n > 5 || n == 5 && w[len(w)-1] == 's') && !strings.ContainsAny(w, "./_") {
				w = clip(w, max(4, n-2))
			}
			out = append(out, w)
		}
	}
	return out
}

func smallWord(w string) bool {
	switch w {
	case "the", "was", "were", "are", "has", "have", "had", "been", "and", "for", "that", "this", "its", "now", "all", "der", "die", "das", "den", "dem", "und", "ist", "sind", "wurde", "wurden", "ein", "eine", "les", "des", "une", "est", "sont", "été", "los", "las", "una", "fue", "fueron", "han", "это", "был", "была", "были", "для":
		return true
	}
	return false
}

// agentSaid: an answer holds the words as they stand.
func (c *checker) agentSaid(s string) bool {
	if c.answers == "" {
		var b strings.Builder
		for i := range c.in.Turns {
			b.WriteString(plainWords(c.in.Turns[i].Answer))
			b.WriteByte('\n')
		}
		c.answers = b.String()
	}
	w := plainWords(s)
	return w != "" && strings.Contains(c.answers, w)
}

// plainWords is s in small letters without markup, signs and doubled spaces.
func plainWords(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(oneLine(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ")
}

// otherPad lets the answers be read while a sentence of the text is: its
// reading stays as it is until the function that it gives is called.
func (c *checker) otherPad() func() {
	c.sp, c.ear = c.ear, c.sp
	c.sp.strict = true
	return func() { c.sp, c.ear = c.ear, c.sp }
}

// listening is otherPad for what the answers say, which is read in their
// language whatever the text is in.
func (c *checker) listening() func() {
	lang, back := c.hay.lang, c.otherPad()
	c.hay.lang = c.answersLanguage().Lang
	return func() {
		c.hay.lang = lang
		back()
	}
}

// listenTurns is how many of the newest answers are read for denials.
const listenTurns = 2

// listen reads what the answers say, when it is first asked for.
func (c *checker) listen() {
	if c.said {
		return
	}
	c.said = true
	defer c.listening()()
	c.sentences(func(s string) {
		r := c.sp.read(s)
		for k := range r.clauses {
			for _, cl := range r.clauses[k].claims() {
				c.answered = c.answered || cl.kind == claimEdited && !cl.negated && !cl.cond && r.marks&mHedge == 0
				if cl.negated || cl.kind == claimTestsFailed {
					c.denied = append(c.denied, cl)
				}
			}
		}
		if r.marks&mNeg == 0 {
			return
		}
		for _, p := range c.pieces(s, nil) {
			if part := s[p.start:p.end]; c.negative(part) {
				if words := stems(part); len(words) >= 2 {
					c.denials = append(c.denials, denial{words, tellingStems(part)})
				}
			}
		}
	})
}

// assured: an answer says the words without a denial.
func (c *checker) assured(words []string, need int) bool {
	found := false
	defer c.otherPad()()
	c.sentences(func(s string) {
		if found {
			return
		}
		for _, p := range c.pieces(s, nil) {
			if part := s[p.start:p.end]; shared(words, stems(part)) >= need && !c.negative(part) {
				found = true
				return
			}
		}
	})
	return found
}

// sentences calls f for those of the newest answers.
func (c *checker) sentences(f func(string)) {
	for i := len(c.in.Turns) - 1; i >= 0 && i >= len(c.in.Turns)-listenTurns; i-- {
		for _, s := range c.sp.segments(c.in.Turns[i].Answer) {
			f(s.text)
		}
	}
}
