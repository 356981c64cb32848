package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// prune gives what is left of a sentence without the clauses that claim more
// than the facts prove: its start before the first such clause, else its end
// after the last one, else nothing.
func (f *Facts) prune(s string, told bool, sp *scratchpad) string {
	r := sp.read(s)
	bad, last := -1, -1
	for i := range r.clauses {
		if !f.permitsAll(r.clauses[i].claims(), told) {
			if bad < 0 {
				bad = i
			}
			last = i
		}
	}
	if bad < 0 {
		return s
	}
	if bad > 0 {
		// A conjunction keeps the clause before it whole; an opening such as
		// "after the tests" does not stand alone.
		if kept := withoutOpening(trimClause(s[:r.clauses[bad].start])); language.Words(kept) >= 3 && !open(kept, sp) {
			return f.prune(kept, told, sp)
		}
	}
	if last < len(r.clauses)-1 {
		next := r.clauses[last+1]
		if kept := trimClause(s[next.start:]); language.Words(kept) >= 4 && !open(kept, sp) && standsAlone(s, next.start) {
			return f.prune(kept, told, sp)
		}
	}
	return ""
}

// withoutOpening drops what a cut left of a bracket: "9 px (tests".
func withoutOpening(s string) string {
	for _, pair := range [...]string{"()", "[]", "（）", "「」", "『』", "【】", "“”", "«»"} {
		open, n := utf8.DecodeRuneInString(pair)
		if at := strings.LastIndex(s, pair[:n]); at >= 0 && !strings.Contains(s[at:], pair[n:]) && (open != '“' || !strings.Contains(s, "„")) {
			if at == 0 {
				return ""
			}
			s = trimClause(s[:at])
		}
	}
	return s
}

// unfinished: the start of a Japanese or Korean sentence goes on.
func unfinished(s string) bool {
	r := lastRune(s)
	switch {
	case r >= 0x3040 && r <= 0x309f:
		return !strings.ContainsRune("たすだるいんねよう", r)
	case r >= 0xac00 && r <= 0xd7a3:
		return strings.ContainsRune("고며서만니면여게도", r)
	}
	return false
}

// permitsAll also settles failing tests: the person's own word of them is
// enough where no run says otherwise.
func (f *Facts) permitsAll(claims []claim, told bool) bool {
	for _, c := range claims {
		if c.kind == claimTestsFailed || c.kind == claimBuildFailed {
			if told && len(f.Tests) == 0 {
				continue
			}
		}
		if !f.permits(c) {
			return false
		}
	}
	return true
}

// standsAlone: a divider of clauses, not only a conjunction, opens the rest.
func standsAlone(s string, at int) bool {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return strings.ContainsRune(",;，；、—–.", r)
}

// open: the clause waits for another ("if the tests", "after running").
func open(s string, sp *scratchpad) bool {
	sp.scan(s)
	return len(sp.hits) > 0 && sp.hits[0].tok == 0 && sp.hits[0].mark&(mCond|mOpen) != 0 && !sp.toks[0].run
}

func trimClause(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:，；、：—–-(（", r)
	})
	for {
		i := strings.LastIndexAny(s, " ,;")
		if i < 0 || !conjunction(s[i+1:]) {
			break
		}
		s = strings.TrimRight(s[:i], " ,;:—–-")
	}
	for {
		i := strings.IndexByte(s, ' ')
		if i < 0 || !conjunction(s[:i]) {
			break
		}
		s = strings.TrimLeft(s[i:], " ,;:—–-")
	}
	return s
}

func conjunction(w string) bool {
	switch lower(w) {
	case "and", "but", "so", "while", "then", "with", "because", "also", "though", "although", "however", "yet", "plus",
		"и", "а", "но", "та", "й", "але", "однако", "поэтому", "y", "e", "pero", "mas", "ma", "und", "aber", "jedoch", "sowie", "dann", "et", "mais", "puis", "donc", "car", "maar", "oraz", "ale", "ve", "ama":
		return true
	}
	return false
}

// dangles: the clause ends in a word that waits for another.
func dangles(s string) bool {
	s = strings.TrimRight(s, ".。 ")
	i := strings.LastIndexByte(s, ' ')
	switch lower(s[i+1:]) {
	case "the", "a", "an", "to", "of", "in", "on", "at", "for", "from", "by", "with", "is", "are", "was", "were", "be", "that", "which", "into", "as", "or", "not", "via", "until", "в", "на", "с", "к", "по", "из", "для", "от", "до", "что", "или", "не", "без", "der", "die", "das", "den", "dem", "im", "am", "zu", "zum", "zur", "mit", "von", "für", "auf", "ist", "sind", "dass", "oder", "ohne", "le", "la", "les", "de", "du", "des", "à", "au", "aux", "en", "dans", "pour", "par", "avec", "est", "que", "ou", "sans", "el", "los", "las", "del", "al", "por", "para", "con", "es", "o", "sin", "il", "lo", "gli", "di", "da", "do", "dos", "no", "na", "em", "com", "sem":
		return true
	}
	return false
}

// receipts adds the proofs of what a text claims.
func (f *Facts) receipts(text string, out []recap.Receipt, sp *scratchpad) []recap.Receipt {
	r := sp.read(text)
	for i := range r.clauses {
		c := &r.clauses[i]
		for _, cl := range c.claims() {
			if cl.negated || cl.cond {
				continue
			}
			rec, ok := f.receipt(cl.kind)
			if !ok {
				continue
			}
			rec.Claim = trimClause(text[c.start:c.end])
			out = append(out, rec)
		}
	}
	return out
}

// receipt gives the proof of a kind of claim.
func (f *Facts) receipt(k kind) (recap.Receipt, bool) {
	command := func(class class) (recap.Receipt, bool) {
		for i := len(f.Commands) - 1; i >= 0; i-- {
			if c := &f.Commands[i]; c.class == class && c.Passed {
				return recap.Receipt{Kind: recap.ReceiptCommand, MessageID: c.MessageID, Detail: c.detail()}, true
			}
		}
		return recap.Receipt{}, false
	}
	switch k {
	case claimEdited:
		if n := len(f.Edits); n > 0 {
			e := f.Edits[n-1]
			return recap.Receipt{Kind: recap.ReceiptEdit, MessageID: e.MessageID, Detail: clip(strings.Join(e.Paths, " "), 300)}, true
		}
	case claimTestsPassed, claimTestsFailed, claimTestsRan, claimVerified:
		if t, ok := f.lastTest(); ok {
			return recap.Receipt{Kind: recap.ReceiptTest, MessageID: t.MessageID, Detail: t.detail()}, true
		}
		if k == claimVerified {
			if r, ok := command(classBuild); ok {
				return r, true
			}
			return command(classOther)
		}
	case claimBuildPassed:
		return command(classBuild)
	case claimCommitted:
		if c, ok := f.lastCommit(); ok {
			return recap.Receipt{Kind: recap.ReceiptCommit, MessageID: c.MessageID, Detail: strings.TrimSpace(c.Hash + " " + c.Subject)}, true
		}
	case claimPushed:
		if p, ok := f.lastPush(); ok {
			return recap.Receipt{Kind: recap.ReceiptPush, MessageID: p.MessageID, Detail: p.detail()}, true
		}
	case claimMerged:
		return command(classMerge)
	case claimPR:
		return command(classPR)
	case claimDeployed:
		return command(classDeploy)
	case claimHosted:
		return command(classHost)
	}
	return recap.Receipt{}, false
}
