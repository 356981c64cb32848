package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// olderWork tells the work that a commit or a deployment holds from what was
// changed since, by the words that were said of each. What is proven of the one
// says nothing of the other.
type olderWork struct {
	dirty bool            // something was changed since
	one   bool            // in the same turn: what nobody says of the older work is not of it
	old   grounds         // words of the older work
	fresh grounds         // and of what was changed since
	code  map[string]bool // what the newer answers write as code
}

// mistold gives the clauses of a sentence that tell of the newest changes what
// is proven of older work alone.
func (c *checker) mistold(s string, r *reading) []find {
	var out []find
	saves := false
	if len(r.clauses) == 0 && c.sinceCommit().dirty && namesHash(s) {
		if _, fresh, _ := c.tellsOf(c.sinceCommit(), s, r, 0); fresh > 0 && !c.saysNo(tokenize(s, nil)) {
			out = append(out, find{hashAt(s), "overclaims:committed"})
		}
	}
	for i := range r.clauses {
		cl := &r.clauses[i]
		if cl.n == 0 && c.sinceCommit().dirty && namesHash(s[cl.start:cl.end]) && !c.saysNo(tokenize(s[cl.start:cl.end], nil)) {
			// Whatever it says of a commit, it says it of what stands beside it.
			if !c.ofOlder(c.sinceCommit(), s, r, i) {
				out = append(out, find{cl.start, "overclaims:committed"})
			}
		}
		for _, x := range cl.claims() {
			saves = saves || x.kind.rung() >= RungCommitted
			if x.negated || x.cond {
				continue
			}
			switch x.kind { //nolint:exhaustive // the others are read against the edits themselves
			case claimCommitted, claimPushed, claimMerged, claimPR, claimHosted:
				if o := c.sinceCommit(); o.dirty && !c.ofOlder(o, s, r, i) {
					out = append(out, find{cl.start, "overclaims:" + x.kind.word()})
				}
			case claimDeployed:
				if o := c.sinceDeploy(); o.dirty && !c.ofOlder(o, s, r, i) {
					out = append(out, find{cl.start, "overclaims:" + x.kind.word()})
				}
			}
		}
	}
	if c.vets && c.allDone(s) {
		out = append(out, find{0, "overclaims:done"})
	}
	if c.vets {
		out = append(out, c.waitsStill(s)...)
	}
	if c.vets && !c.abroad {
		out = append(out, c.changed(s, saves)...)
	}
	return out
}

// allDone: the sentence says that nothing is left to do, and the newest answer
// says what is.
func (c *checker) allDone(s string) bool {
	return c.standings().limits && tellsLeft(lower(s)) && c.saysNothing(tokenize(s, nil)) && meanings(s)&wordContrasts == 0
}

// sinceCommit is what the newest commit that stands holds, and what it does not.
func (c *checker) sinceCommit() *olderWork {
	if c.older.commit == nil {
		o := &olderWork{}
		c.older.commit = o
		if last, ok := c.f.lastCommit(); ok && !c.f.partly() {
			if _, _, o.dirty = c.f.unsaved(); o.dirty {
				c.divide(o, last.Turn, last.Subject+" "+last.Hash, func(e *Edit) bool {
					return slices.ContainsFunc(e.spots, func(s spot) bool { return c.f.left(&s) })
				})
			}
		}
	}
	return c.older.commit
}

// sinceDeploy is the same for the newest deployment.
func (c *checker) sinceDeploy() *olderWork {
	if c.older.deploy == nil {
		o := &olderWork{}
		c.older.deploy = o
		for _, r := range slices.Backward(c.f.Commands) {
			if r.class != classDeploy || !r.Passed {
				continue
			}
			after := func(e *Edit) bool { return e.Seq > r.Seq && !e.scratch }
			if o.dirty = slices.ContainsFunc(c.f.Edits, func(e Edit) bool { return after(&e) }); o.dirty {
				c.divide(o, r.Turn, "", after)
			}
			break
		}
	}
	return c.older.deploy
}

// divide notes what was said of the older work, that of the turn at, and of
// the edits that came after it.
func (c *checker) divide(o *olderWork, at int, subject string, since func(*Edit) bool) {
	first := len(c.in.Turns)
	var files []string
	for i := range c.f.Edits {
		e := &c.f.Edits[i]
		if !since(e) {
			for _, p := range e.Paths {
				o.old.add(baseName(p))
			}
			continue
		}
		first = min(first, e.Turn)
		for _, p := range e.Paths {
			o.fresh.add(baseName(p))
			files = append(files, baseName(p))
		}
	}
	o.old.add(subject)
	o.one, o.code = first <= at, map[string]bool{}
	for i := range c.in.Turns {
		t := &c.in.Turns[i]
		switch {
		case i < min(first, at+1):
			o.old.add(clip(t.Text, maxHeard))
			o.old.add(clip(t.Answer, maxHeard))
		case i > at:
			o.fresh.add(clip(t.Text, maxHeard))
			o.fresh.add(clip(t.Answer, maxHeard))
			for k, span := range strings.Split(clip(t.Answer, maxHeard), "`") {
				if k%2 == 1 && len(span) < maxWord {
					o.code[lower(span)] = true
				}
			}
		}
	}
	if !o.one {
		return
	}
	// Within one turn the agent's own sentences tell.
	defer c.otherPad()()
	for i := first; i <= at && i < len(c.in.Turns); i++ {
		for _, seg := range c.sp.segments(clip(c.in.Turns[i].Answer, maxHeard)) {
			for _, u := range units(seg.text) {
				s := seg.text[u.start:u.end]
				low := lower(s)
				named := slices.ContainsFunc(files, func(f string) bool { return len(f) > 2 && strings.Contains(low, f) })
				says, denies := false, false
				r := c.sp.read(s)
				for k := range r.clauses {
					for _, x := range r.clauses[k].claims() {
						if x.kind.rung() >= RungCommitted {
							says, denies = says || !x.negated && !x.cond, denies || x.negated
						}
					}
				}
				switch {
				case named || denies:
					o.fresh.add(s)
				case says || namesHash(s):
					o.old.add(seg.text[:u.end])
				}
			}
		}
	}
}

// ofOlder: the i-th clause of the sentence tells of the older work and of
// nothing else.
func (c *checker) ofOlder(o *olderWork, s string, r *reading, i int) bool {
	cl := &r.clauses[i]
	old, fresh, odd := c.tellsOf(o, s[cl.start:cl.end], r, cl.start)
	own := old + fresh
	for k := i - 1; k >= 0; k-- {
		before := &r.clauses[k]
		text := s[before.start:before.end]
		if own > 0 && (before.n > 0 || language.Words(text) > leastPart-1 || !opensAnew(s[r.clauses[k+1].start:cl.end])) {
			break
		}
		a, b, d := c.tellsOf(o, text, r, before.start)
		old, fresh, odd = old+a, fresh+b, odd+d
		own = old + fresh
	}
	if own == 0 || r.leads(cl) {
		for k := i + 1; k < len(r.clauses) && (own == 0 || r.clauses[k].n == 0); k++ {
			next := &r.clauses[k]
			a, b, d := c.tellsOf(o, s[next.start:next.end], r, next.start)
			old, fresh, odd = old+a, fresh+b, odd+d
			own = old + fresh
		}
	}
	if own == 0 {
		if before := c.unitBefore(s); before != "" {
			restore := c.otherPad()
			r := c.sp.read(before)
			old, fresh, odd = c.tellsOf(o, before, &r, 0)
			restore()
		}
	}
	if fresh > 0 || o.one && odd > 0 {
		return false
	}
	return old > 0 || namesHash(s[cl.start:cl.end])
}

// hashAt gives where the name of a commit begins.
func hashAt(s string) int {
	for _, t := range tokenize(s, nil) {
		if t.sign == 0 && namesHash(t.text) {
			return t.start
		}
	}
	return 0
}

// leads: the clause opens with the word for its claim, so that what follows is
// what it is of.
func (r *reading) leads(cl *clause) bool {
	for _, h := range r.hits {
		if h.start >= cl.start && h.start < cl.end {
			return h.mark&(mCommitted|mPushed|mMerged|mDeployed|mCommitWeak|mPushWeak) != 0
		}
	}
	return false
}

// tellsOf counts the telling words of a part of a sentence that are of the
// older work alone, of what was changed since, and of neither. It begins at at.
func (c *checker) tellsOf(o *olderWork, part string, r *reading, at int) (old, fresh, odd int) {
	neutral, generic := neutralWords(), sessionTalk()
	branch := lower(c.in.Session.Branch)
	covered := func(from, to int) bool {
		return slices.ContainsFunc(r.hits, func(h hit) bool {
			return h.mark&statusMarks != 0 && from < h.end-at && to > h.start-at
		})
	}
	note := func(isOld, isFresh bool) {
		switch {
		case isFresh && !isOld:
			fresh++
		case isOld && !isFresh:
			old++
		case !isOld:
			odd++
		}
	}
	words(part, func(w string, kind script, from int) {
		if kind == dense {
			c.denseTells(o, w, from, covered, note)
			return
		}
		low := lower(w)
		switch {
		case o.code[low] && !o.old.holds(low, kind):
			fresh++
		case covered(from, from+len(w)), kind != hangul && utf8.RuneCountInString(low) < 3, neutral[low], generic[low], low == branch:
		case low == "origin", low == "main", low == "master", isHash(low) && strings.ContainsAny(low, "0123456789"):
		case conjunction(low), strings.Trim(low, "0123456789") == "":
		default:
			note(o.old.holds(low, kind), o.fresh.holds(low, kind))
		}
	})
	return old, fresh, odd
}

// denseTells does it for a run of a script without spaces.
func (c *checker) denseTells(o *olderWork, run string, at int, covered func(int, int) bool, note func(bool, bool)) {
	stop, generic := stopRune(), sessionTalk()
	var prev rune
	for i, r := range run {
		if p := prev; p != 0 {
			from := at + i - utf8.RuneLen(p)
			if !stop[p] && !stop[r] && !isHiragana(p) && !isHiragana(r) && !generic[string([]rune{p, r})] && !covered(from, at+i+utf8.RuneLen(r)) {
				k := pair(p, r)
				note(o.old.set.has(k), o.fresh.set.has(k))
			}
		}
		prev = r
	}
}

func isHiragana(r rune) bool { return r >= 0x3040 && r <= 0x309f }

// unitBefore gives the sentence of the text that stands before s.
func (c *checker) unitBefore(s string) string {
	text := c.text
	before := ""
	for _, u := range units(text) {
		if text[u.start:u.end] == s {
			return before
		}
		before = text[u.start:u.end]
	}
	return ""
}

// olderTexts are what was committed and what was deployed, read when they are
// first asked for.
type olderTexts struct {
	commit, deploy *olderWork
	told           toldFacts
	code           map[string]bool // words that answers write as code
	steps          mark            // see stepsPending
	stepsRead      bool
	toks           []token // of the sentence that is read
	hits           []hit
	offers         *offered
	over           [][]string // see overNow
	refusal        refusal
	anchored       anchored
	parts          lineParts
	own            []token // of the sentence that is read, see changed
}
