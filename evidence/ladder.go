package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// Rung is a step of the status ladder: what a text claims, or what evidence
// proves. A higher rung claims more. Passed and Failed stand on one step, and
// so do Pushed and Deployed.
type Rung uint8

// Rungs of the ladder.
const (
	RungNone Rung = iota
	RungAsked
	RungProposed
	RungEdited
	RungRan
	RungPassed
	RungFailed
	RungCommitted
	RungPushed
	RungDeployed
)

// claim is what a clause says about the work.
type claim struct {
	kind    kind
	negated bool
	cond    bool // "if the tests pass"
	all     bool // "all tests"
}

// kind is finer than a rung.
type kind uint8

const (
	claimEdited kind = iota + 1
	claimRan
	claimTestsRan
	claimBuildPassed
	claimVerified
	claimTestsPassed
	claimTestsFailed
	claimBuildFailed
	claimCommitted
	claimMerged
	claimPR
	claimPushed
	claimDeployed
	claimHosted   // tagged, closed, deleted on a server of code
	claimDone     // finished, works: read for [Check] alone
	claimApproved // the person said yes: read for [Check] alone
)

func (k kind) rung() Rung {
	switch k {
	case claimEdited:
		return RungEdited
	case claimRan, claimTestsRan:
		return RungRan
	case claimBuildPassed, claimVerified, claimTestsPassed:
		return RungPassed
	case claimTestsFailed, claimBuildFailed:
		return RungFailed
	case claimCommitted:
		return RungCommitted
	case claimMerged, claimPR, claimPushed, claimHosted:
		return RungPushed
	case claimDeployed:
		return RungDeployed
	}
	return RungNone
}

// clause is a part of a sentence that can stand alone.
type clause struct {
	start, end int // bytes
	marks      mark
	found      [8]claim
	n          int
}

// claims gives what the clause claims.
func (c *clause) claims() []claim { return c.found[:c.n] }

func (c *clause) add(cl claim) {
	if c.n < len(c.found) {
		c.found[c.n] = cl
		c.n++
	}
}

// reading is a sentence with its clauses.
type reading struct {
	clauses  []clause
	hits     []hit
	toks     []token
	marks    mark
	question bool
	strict   bool
	wish     bool // a message to the agent: "commit it" is no claim
}

// scratchpad is memory that is used again for each sentence.
type scratchpad struct {
	toks    []token
	hits    []hit
	clauses []clause
	strict  bool // also read what only a guard asks for
	wish    bool
	polish  bool         // "jest" is no runner of tests
	said    segmentCache // nil: nothing is kept
}

// scan finds the words of the lexicon in a sentence.
func (sp *scratchpad) scan(s string) {
	ix := lookup
	if sp.strict {
		ix = lookupStrict
	}
	sp.toks = tokenize(s, sp.toks[:0])
	sp.hits = ix().scan(sp.toks, sp.hits[:0])
	if sp.polish {
		sp.hits = slices.DeleteFunc(sp.hits, func(h hit) bool { return h.mark == mTest && sp.toks[h.tok].text == "jest" })
	}
	if sp.strict {
		sp.namedTests(s)
	}
}

// namedTests counts the name of a test ("TestEmpty", "test_empty",
// "a_test.go") as a word for tests.
func (sp *scratchpad) namedTests(s string) {
	for i, t := range sp.toks {
		if t.sign != 0 || t.run || !namesTest(s[t.start:t.end]) {
			continue
		}
		at := 0
		for at < len(sp.hits) && sp.hits[at].start < t.start {
			at++
		}
		sp.hits = slices.Insert(sp.hits, at, hit{mark: mTest, tok: i, start: t.start, end: t.end})
	}
}

func namesTest(w string) bool {
	if rest, ok := strings.CutPrefix(w, "Test"); ok {
		return rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
	}
	return strings.HasPrefix(w, "test_") || strings.Contains(w, "_test.") || strings.Contains(w, ".test.") || strings.Contains(w, ".spec.")
}

// read looks a sentence up in the lexicon. The reading is good until the next
// one.
func (sp *scratchpad) read(s string) reading {
	sp.scan(s)
	r := reading{toks: sp.toks, hits: sp.hits, strict: sp.strict, wish: sp.wish}
	for _, h := range r.hits {
		r.marks |= h.mark
	}
	if n := len(r.toks); n > 0 {
		r.question = r.toks[n-1].sign == '?'
	}
	if r.marks&(mPass|mFail|mTestPass|mBuildPass|mVerified|mEdited|mRan|mCommitted|mPushed|mMerged|mPR|mDeployed|mHosted|mWeak|mDeployVerb|mDone|mApproved|mProd|mPRWhat) == 0 && !(r.strict && r.marks&mTest != 0) {
		return r
	}
	r.clauses = sp.clauses[:0]
	r.split(s)
	sp.clauses = r.clauses
	return r
}

// split divides the sentence into clauses and reads their claims.
func (r *reading) split(s string) {
	start := 0
	from := 0
	h := 0
	var carried mark // the subject goes over to the next clause
	end := func(at, next int) {
		c := clause{start: start, end: at}
		firstHit := from
		for from < len(r.hits) && r.hits[from].start < at {
			c.marks |= r.hits[from].mark
			from++
		}
		if strings.TrimSpace(s[start:at]) != "" {
			r.judge(&c, s, r.hits[firstHit:from], carried)
			r.clauses = append(r.clauses, c)
		}
		if subject := c.marks & (mTest | mBuild | mMergeWhat); subject != 0 {
			carried = subject
		}
		carried |= c.marks & mAll
		start = next
	}
	for i, t := range r.toks {
		if t.sign == ',' {
			end(t.start, t.start)
			continue
		}
		for h < len(r.hits) && r.hits[h].tok < i {
			h++
		}
		for k := h; k < len(r.hits) && r.hits[k].tok == i; k++ {
			if r.hits[k].mark&mSplit != 0 && r.hits[k].start > start {
				if t.run && r.hits[k].mark&mNeg != 0 {
					continue
				}
				end(r.hits[k].start, r.hits[k].start)
			}
		}
	}
	end(len(s), len(s))
}

// judge reads what a clause claims.
func (r *reading) judge(c *clause, s string, hits []hit, carried mark) {
	neg := c.marks&mNeg != 0
	cond, zero := false, false
	for i, h := range hits {
		if h.mark&mCond != 0 && (i == 0 || h.tok <= hits[0].tok+1 || r.toks[h.tok].run) {
			cond = cond || !earlier(s, c, h) && !r.beforeHash(s, h)
		}
		if h.mark&mFail != 0 && zeroBefore(r.toks, h.tok) {
			zero = true
		}
	}
	subject := c.marks & (mTest | mBuild)
	if subject == 0 {
		subject = carried & (mTest | mBuild)
	}
	all := (c.marks|carried)&mAll != 0
	done := r.marks&mAspect != 0
	// A word of the key makes the claim; where it stands tells whether the
	// denial in the clause is of it.
	add := func(k kind, key mark) {
		for _, have := range c.claims() {
			if have.kind == k {
				return
			}
		}
		c.add(claim{kind: k, negated: neg && r.denied(s, hits, key), cond: cond || r.conditional(s, hits, key) || r.ahead(s, hits, k, key), all: all})
	}
	is := func(strong, weak mark) mark {
		switch {
		case c.marks&strong != 0:
			return strong
		case c.marks&weak != 0 && (done || neg || madeBehind(hits, weak&(mCommitWeak|mPushWeak|mDeployWeak|mMergeWeak))):
			return weak
		}
		return 0
	}
	counted := c.marks&mPass != 0 && numberBeside(r.toks, hits)
	if c.marks&mPass != 0 {
		switch {
		case subject&mTest != 0:
			add(claimTestsPassed, mPass)
		case subject&mBuild != 0:
			add(claimBuildPassed, mPass)
		case c.marks&mAll != 0 || counted:
			add(claimTestsPassed, mPass)
		}
	}
	if c.marks&mTestPass != 0 {
		add(claimTestsPassed, mTestPass)
	}
	if c.marks&mBuildPass != 0 {
		add(claimBuildPassed, mBuildPass)
	}
	if c.marks&mFail != 0 && subject != 0 {
		none := zero || neg && r.denied(s, hits, mFail)
		switch {
		case none && subject&mTest != 0:
			// "no test fails" is a claim that they pass.
			c.add(claim{kind: claimTestsPassed, cond: cond, all: all})
		case none:
			c.add(claim{kind: claimBuildPassed, cond: cond, all: all})
		case subject&mTest != 0 && c.marks&mPass == 0:
			add(claimTestsFailed, mFail)
		case c.marks&mPass == 0:
			add(claimBuildFailed, mFail)
		}
	}
	if key := is(mVerified, mVerifyWeak); key != 0 {
		add(claimVerified, key)
	}
	if key := is(mCommitted, mCommitWeak); key != 0 {
		add(claimCommitted, key)
	}
	if key := is(mPushed, mPushWeak); key != 0 && !r.commitsOn(s, hits) {
		add(claimPushed, key)
	}
	if key := is(mDeployed, mDeployWeak); key != 0 {
		add(claimDeployed, key)
	} else if c.marks&mDeployVerb != 0 && c.marks&mDeployWhat != 0 {
		add(claimDeployed, mDeployVerb)
	}
	switch {
	case c.marks&mMerged != 0:
		add(claimMerged, mMerged)
	case c.marks&mMergeWeak != 0 && (done || (c.marks|carried)&mMergeWhat != 0 && strings.Contains(strings.ToLower(s[c.start:c.end]), "merged")):
		add(claimMerged, mMergeWeak)
	}
	if c.marks&mPR != 0 {
		add(claimPR, mPR)
	}
	if c.marks&mHosted != 0 {
		add(claimHosted, mHosted)
	}
	key := is(mRan, mRanWeak)
	if key == 0 && c.marks&mTest != 0 && c.marks&mRanWeak != 0 && testsRun(hits) {
		key = mRanWeak
	}
	if key != 0 {
		if subject&mTest != 0 {
			add(claimTestsRan, key)
		} else {
			add(claimRan, key)
		}
	}
	if key := is(mEdited, mEditWeak); key != 0 {
		add(claimEdited, key)
	}
	if r.strict {
		if c.marks&mPRWhat != 0 && (c.marks&(mMade|mEdited) != 0 || c.marks&mEditWeak != 0 && done) {
			add(claimPR, mMade|mEdited|mEditWeak)
		}
		if c.marks&mCommitWeak != 0 && !r.wish && !asksFor(hits) && !asksFor(r.hits[:min(1, len(r.hits))]) && !namesHash(s[c.start:c.end]) {
			add(claimCommitted, mCommitWeak) // there is one, or there is to be one
		}
		if r.aboutTests(c, hits) && !pendsTogether(s[c.end:]) {
			add(claimTestsPassed, mTest) // whatever it says of them
		}
		if c.marks&mProd != 0 && c.marks&(mEdited|mRan|mRanWeak|mNow|mDone) != 0 || c.marks&mProd != 0 && c.marks&mEditWeak != 0 && done {
			add(claimDeployed, mProd)
		}
		if c.marks&mDone != 0 {
			add(claimDone, mDone)
		}
		if c.marks&mApproved != 0 {
			add(claimApproved, mApproved)
		}
	}
}

// commitsOn: the word for a push only names the branch of a commit: "committed
// on main".
func (r *reading) commitsOn(s string, hits []hit) bool {
	committed, on := false, false
	for _, h := range hits {
		switch {
		case h.mark&mPushWeak != 0:
			return false
		case h.mark&mPushed != 0:
			if _, branch, ok := strings.Cut(lower(s[h.start:h.end]), " "); !ok || branch != "main" && branch != "master" {
				return false
			}
			on = true
		}
		committed = committed || h.mark&mCommitted != 0
	}
	return committed && on
}

// beforeHash: a commit follows the word: "gepusht als 1a2b3c4".
func (r *reading) beforeHash(s string, h hit) bool {
	for _, t := range r.toks[h.tok:] {
		if t.start >= h.end {
			return namesHash(s[t.start:t.end])
		}
	}
	return false
}

// earlier: "之前" at the start of a clause is "earlier", not "before".
func earlier(s string, c *clause, h hit) bool {
	return s[h.start:h.end] == "之前" && strings.TrimLeft(s[c.start:h.start], " ,，、") == ""
}

// aboutTests: the clause is about tests, and says no more of them than that
// they are there: not that they fail, were written, or are wanted.
func (r *reading) aboutTests(c *clause, hits []hit) bool {
	if len(hits) == 0 || hits[0].mark&mTest == 0 || c.n > 0 || r.wish || r.question {
		return false
	}
	// They are the subject, and something is said of them.
	before, behind := 0, r.toks[hits[0].tok].run
	for i, t := range r.toks {
		switch {
		case t.sign != 0 || t.start < c.start || t.end > c.end:
		case i < hits[0].tok:
			before++
		case i > hits[0].tok:
			behind = true
		}
	}
	return before <= 1 && behind && c.marks&(mNeg|mCond|mHedge|mFuture|mOffer|mFail|mEdited|mEditWeak|mMade|mRan|mRanWeak) == 0 && r.marks&mFail == 0
}

// asksFor: the clause asks the reader for something.
func asksFor(hits []hit) bool {
	for i, h := range hits {
		if h.mark&mHedge != 0 || i == 0 && h.mark&(mNext|mOffer) != 0 {
			return true
		}
	}
	return false
}

// namesHash: "see commit 1a2b3c4" names one, which is checked as a name.
func namesHash(s string) bool {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) }) {
		if isHash(w) && strings.ContainsAny(w, "0123456789") {
			return true
		}
	}
	return false
}

// testsRun: "tests run", not "run the tests".
func testsRun(hits []hit) bool {
	for _, h := range hits {
		switch {
		case h.mark&mRanWeak != 0:
			return false
		case h.mark&mTest != 0:
			return true
		}
	}
	return false
}

// madeBehind: a noun of the marks has a verb behind it ("the commit has been
// created").
func madeBehind(hits []hit, nouns mark) bool {
	seen := -1
	for _, h := range hits {
		if seen >= 0 && h.mark&mMade != 0 && h.tok-seen <= maxMadeBehind {
			return true
		}
		if h.mark&nouns != 0 {
			seen = h.tok
		}
	}
	return false
}

// maxMadeBehind is how many words behind a noun its verb may stand.
const maxMadeBehind = 4

// zeroBefore: "0 failed".
func zeroBefore(toks []token, i int) bool {
	if i > 0 && (toks[i-1].text == "0" || toks[i-1].text == "zero") {
		return true
	}
	return i > 1 && toks[i-2].text == "0"
}

// numberBeside: "42 passed", "42/42 pass".
func numberBeside(toks []token, hits []hit) bool {
	for _, h := range hits {
		if h.mark&mPass == 0 || h.tok == 0 {
			continue
		}
		if t := toks[h.tok-1].text; t != "" && t[0] >= '0' && t[0] <= '9' {
			return true
		}
	}
	return false
}

// Level reads the status words of a sentence. It gives the highest rung the
// sentence claims; where everything in it is negated ("the tests were not
// run"), the highest rung it denies, and negated. Known is false where the
// lexicon finds no status word.
func Level(sentence string) (rung Rung, negated, known bool) {
	var sp scratchpad
	r := sp.read(sentence)
	var denied Rung
	for i := range r.clauses {
		for _, cl := range r.clauses[i].claims() {
			if cl.negated {
				denied = max(denied, cl.kind.rung())
			} else if !cl.cond {
				rung = max(rung, cl.kind.rung())
			}
		}
	}
	switch {
	case rung != RungNone:
		return rung, false, true
	case denied != RungNone:
		return denied, true, true
	}
	return RungNone, false, false
}

// Permits says whether the facts prove the rung: for RungPassed that the
// newest test run passed and no file of the project changed since.
func Permits(f Facts, r Rung) bool {
	switch r {
	case RungEdited:
		return f.permits(claim{kind: claimEdited})
	case RungRan:
		return f.permits(claim{kind: claimRan})
	case RungPassed:
		return f.permits(claim{kind: claimTestsPassed})
	case RungFailed:
		return f.permits(claim{kind: claimTestsFailed})
	case RungCommitted:
		return f.permits(claim{kind: claimCommitted})
	case RungPushed:
		return f.permits(claim{kind: claimPushed})
	case RungDeployed:
		return f.permits(claim{kind: claimDeployed})
	}
	return true
}

// permits says whether the facts prove a claim. A denial needs no proof.
func (f *Facts) permits(c claim) bool {
	if c.negated || c.cond {
		return true
	}
	switch c.kind {
	case claimEdited:
		// The kept turns do not reach back to all edits, so an edit is
		// disproved only where edits were tried and none went through.
		if len(f.Edits) > 0 && len(f.Commits) == 0 && !f.writer && f.allUndone() {
			return false
		}
		return !f.refused || len(f.Edits) > 0 || len(f.Commits) > 0
	case claimRan:
		return len(f.Tests)+len(f.Commands)+len(f.Commits)+len(f.Pushes) > 0 || f.writer
	case claimTestsRan:
		return len(f.Tests) > 0
	case claimTestsPassed:
		return f.testsPass(c.all)
	case claimBuildPassed:
		return f.testsPass(false) || f.commandPassed(classBuild)
	case claimVerified:
		return !f.waiting && !f.halted && (f.testsPass(false) || f.commandPassed(classBuild) || f.commandPassed(classOther))
	case claimTestsFailed:
		return f.anyTestFailed()
	case claimBuildFailed:
		return f.anyFailed()
	case claimCommitted:
		return f.committed(c.all)
	case claimPushed:
		if _, _, dirty := f.unsaved(); c.all && dirty {
			return false
		}
		return f.pushed()
	case claimMerged:
		return f.merged()
	case claimPR:
		return f.commandPassed(classPR)
	case claimDeployed:
		return f.commandPassed(classDeploy)
	case claimHosted:
		return f.commandPassed(classHost)
	}
	return true
}

// allUndone: everything that was changed was thrown away again.
func (f *Facts) allUndone() bool {
	for i := range f.Edits {
		if f.Edits[i].scratch {
			return false
		}
	}
	for _, s := range f.spots {
		if !s.gone {
			return false
		}
	}
	return true
}

// committed: a commit stands, it holds what was changed before it, and, where
// all is claimed, nothing was changed since.
func (f *Facts) committed(all bool) bool {
	if _, ok := f.lastCommit(); !ok || f.partly() {
		return false
	}
	_, _, dirty := f.unsaved()
	return !all || !dirty
}

// testsPass: the newest run passed, nothing changed since, and, where all is
// claimed, it was no chosen few.
func (f *Facts) testsPass(all bool) bool {
	t, ok := f.lastTest()
	if !ok || !t.Passed {
		return false
	}
	if f.editedAfter(t.Seq) || f.unproven {
		return false
	}
	if _, open := f.unanswered(); open {
		return false
	}
	// Runs of one call stand or fall together.
	for _, o := range f.Tests {
		if o.Seq/1000 == t.Seq/1000 && !o.Passed && !o.empty {
			return false
		}
	}
	if !all || !t.Partial && !f.narrowed(&t) {
		return true
	}
	for _, o := range f.Tests {
		if o.Passed && !o.Partial && !f.narrowed(&o) && !f.editedAfter(o.Seq) {
			return true
		}
	}
	return false
}

// narrowed: a run before it had a wider reach and failed.
func (f *Facts) narrowed(r *Run) bool {
	for i := range f.Tests {
		if o := &f.Tests[i]; o.Seq < r.Seq && o.Failed && !r.reach.covers(&o.reach) {
			return true
		}
	}
	return false
}

// merged: a merge passed, or its conflicts were settled by a commit.
func (f *Facts) merged() bool {
	for i := len(f.Commands) - 1; i >= 0; i-- {
		c := &f.Commands[i]
		if c.class != classMerge {
			continue
		}
		if strings.Contains(c.Command, "--abort") {
			return false
		}
		last, ok := f.lastCommit()
		return c.Passed || ok && last.Seq > c.Seq && strings.HasPrefix(c.Runner, "git")
	}
	return false
}

// commandPassed: the newest command of the class passed, and for builds and
// checks no file changed since.
func (f *Facts) commandPassed(k class) bool {
	for i := len(f.Commands) - 1; i >= 0; i-- {
		c := &f.Commands[i]
		if c.class != k || k == classOther && isTrivialRun(c) {
			continue
		}
		if (k == classBuild || k == classOther) && f.editedAfter(c.Seq) {
			return false
		}
		return c.Passed
	}
	return false
}

func isTrivialRun(r *Run) bool {
	w := strings.Fields(r.Command)
	return len(w) == 0 || trivial(simple{words: w}) || strings.HasPrefix(r.Runner, "git ") || r.Runner == "mkdir" || r.Runner == "chmod"
}

func (f *Facts) anyTestFailed() bool {
	unknown := false
	for _, t := range f.Tests {
		if t.Failed {
			return true
		}
		unknown = unknown || !t.Passed && !t.empty
	}
	return unknown
}

func (f *Facts) anyFailed() bool {
	if f.anyTestFailed() {
		return true
	}
	for _, c := range f.Commands {
		if !c.Passed && c.class != classSearch {
			return true
		}
	}
	return false
}

// pushed: a push went through and no commit followed it.
func (f *Facts) pushed() bool {
	p, ok := f.lastPush()
	if !ok || !p.Passed {
		return false
	}
	c, ok := f.lastCommit()
	if !ok {
		_, _, dirty := f.unsaved()
		return !p.sends.tags && !dirty // it carried what was there before
	}
	for i := range f.Pushes {
		if f.carries(&f.Pushes[i], &c) {
			return true
		}
	}
	return false
}

// toldFailure: the person said that something fails. The agent may say it
// again without a run of its own.
func toldFailure(turns []recap.Turn, sp *scratchpad) bool {
	for i := range turns {
		text := turns[i].Text
		if len(text) > 4000 {
			text = text[:4000]
		}
		if sp.read(text).marks&mFail != 0 {
			return true
		}
	}
	return false
}
