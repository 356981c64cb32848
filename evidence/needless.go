package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// needless says why a suggestion is not worth to be shown, or not justified.
func (c *checker) needless(s string, others []string) string {
	if inTheAir(s) || strings.HasSuffix(s, "…") {
		return whyUnfinished
	}
	if why := c.settled(s); why != "" {
		return why
	}
	for _, o := range others {
		if o != "" && (inRuns(s, o) >= mostEcho || inRuns(o, s) >= mostEcho) {
			return whyOther
		}
	}
	if c.echo(s) >= mostEcho || c.sameWords(s) {
		return whyRequest
	}
	if from := c.fromAnswers(s); from >= wholeEcho || from >= mostEcho && c.copied(s) {
		if c.fromQuestion(s) {
			return whyQuestion
		}
		return whyAnswer
	}
	w := c.weigh(s)
	switch {
	case w.known+w.odd+w.plain < 4:
		return whySilent
	case !c.abroad && w.share() < leastShare:
		return whyStray
	case !c.abroad && w.own < 2 && w.exact == 0 && !c.mentions(mTest|mBuild):
		return whySilent
	}
	if c.personsMove() {
		return whyPerson
	}
	if !c.workLeft() {
		return whyNoWork
	}
	return ""
}

// copied: it begins as the answers do somewhere, not with an order of its own.
func (c *checker) copied(s string) bool {
	head := wordHashes(s)
	head = head[:min(len(head), shortestRun)]
	return slices.ContainsFunc(c.in.Turns, func(t recap.Turn) bool { return hashRuns(head, c.wordHashes(t.Answer)) > 0 })
}

// fromQuestion: the words are those of a question of the newest answer.
func (c *checker) fromQuestion(s string) bool {
	t := c.in.newest()
	return t != nil && slices.ContainsFunc(c.sp.segments(t.Answer), func(seg segment) bool { return seg.asks && inRuns(s, seg.text) >= mostEcho })
}

// personsMove: the agent waits for an answer, a choice or an approval.
func (c *checker) personsMove() bool {
	if c.f.waiting || len(c.f.Questions) > 0 || c.in.Session.WaitingFor != "" {
		return true
	}
	t := c.in.newest()
	return t != nil && c.sp.openQuestion(t) != ""
}

// workLeft is unfinished for a suggestion: that nothing was pushed, or what the
// agent would do, is no work that was asked for.
func (c *checker) workLeft() bool {
	if c.provenOpen() {
		return true
	}
	t := c.in.newest()
	st := c.standings()
	for _, seg := range c.sp.segments(t.Answer) {
		for _, p := range c.pieces(seg.text, nil) {
			part := seg.text[p.start:p.end]
			c.sp.scan(part)
			var m mark
			for _, h := range c.sp.hits {
				m |= h.mark
			}
			if m&(mNeg|mNegAdj|mFuture|mNext|mFail) != 0 && m&(mCommitWeak|mCommitted|mPushWeak|mPushed|mDeployWeak|mDeployed|mMerged|mMergeWeak|mPRWhat|mOffer) == 0 &&
				(!st.untouched || !isQuestion(lastSentence(t.Text))) {
				return true
			}
		}
	}
	return false
}

// lastSentence of a text.
func lastSentence(s string) (last string) {
	for s := range sentences(oneLine(clip(s, 2000))) {
		last = s
	}
	return last
}

// mentions: the sentence that was scanned last has such a word.
func (c *checker) mentions(m mark) bool {
	return slices.ContainsFunc(c.sp.hits, func(h hit) bool { return h.mark&m != 0 })
}

// sameWords: the suggestion has the telling words of a request and no other.
func (c *checker) sameWords(s string) bool {
	words := stems(s)
	if len(words) < 3 {
		return false
	}
	for i := range c.in.Turns {
		t := &c.in.Turns[i]
		asked := stems(clip(t.Text, 600))
		if t.Complete && len(asked) <= 2*len(words) && shared(words, asked)*10 >= 9*len(words) && shared(asked, words)*10 >= 6*len(asked) {
			return true
		}
	}
	return false
}

// settled says whether a suggestion asks for what is proven done, or to
// commit, push or deploy, which the person must have asked for.
func (c *checker) settled(s string) string {
	c.sp.scan(s)
	var asks mark
	for _, h := range c.sp.hits {
		asks |= h.mark
	}
	f := c.f
	commit := asks&(mCommitWeak|mCommitted) != 0
	push := asks&(mPushWeak|mPushed) != 0
	deploy := asks&(mDeployWeak|mDeployed|mDeployVerb) != 0
	if commit && !push && !deploy && f.permits(claim{kind: claimCommitted, all: true}) || push && f.pushed() || deploy && f.commandPassed(classDeploy) {
		return whyDone
	}
	if asks&mTest != 0 && asks&(mRanWeak|mAskVerb) != 0 && asks&(mEditWeak|mFail|mVerbs&^(mRanWeak|mEditWeak)) == 0 && f.testsPass(false) && !commit && len(stems(s)) <= 3 {
		return whyDone
	}
	if !commit && !push && !deploy {
		return ""
	}
	var asked mark
	for i := range c.in.Turns {
		c.sp.scan(clip(c.in.Turns[i].Text, 4000))
		for _, h := range c.sp.hits {
			asked |= h.mark
		}
	}
	if commit && asked&(mCommitWeak|mCommitted) == 0 || push && asked&(mPushWeak|mPushed) == 0 || deploy && asked&(mDeployWeak|mDeployed|mDeployVerb) == 0 {
		return whyNoneAsked
	}
	return ""
}
