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
// after the last one, else nothing. strict also drops what is conditional.
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
		if kept := trimClause(s[:r.clauses[bad].start]); language.Words(kept) >= 3 && !open(kept, sp) {
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
	sp.toks = tokenize(s, sp.toks[:0])
	sp.hits = lookup().scan(sp.toks, sp.hits[:0])
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

// Guard drops from a text that somebody else wrote the clauses and sentences
// that claim more than the facts prove, or that name a path, an identifier, a
// number, a hash, an address or a quoted string the turns do not hold. What
// is left may be empty. Dropped are the parts left out, as they stood;
// receipts prove the claims that stayed.
//
// In a language without a status lexicon nothing is dropped for its claims:
// there, take status from [Statuses] alone.
func Guard(text string, f Facts, turns []recap.Turn) (kept string, dropped []string, receipts []recap.Receipt) {
	var sp scratchpad
	told := toldFailure(turns, &sp)
	ev := newHaystack(turns)
	var b strings.Builder
	for s := range sentences(oneLine(text)) {
		left := f.prune(s, told, &sp)
		if left != "" {
			left = ev.prune(left, &sp)
		}
		if left == "" {
			dropped = append(dropped, s)
			continue
		}
		if left != s {
			dropped = append(dropped, strings.TrimSpace(strings.Replace(s, left, "", 1)))
			left = endLike(left, s)
		}
		receipts = f.receipts(left, receipts, &sp)
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(left)
	}
	return b.String(), dropped, receipts
}

// endLike gives a shortened sentence the end of the whole one.
func endLike(kept, whole string) string {
	last, _ := utf8.DecodeLastRuneInString(kept)
	end, n := utf8.DecodeLastRuneInString(whole)
	if endsSentence(end) && !endsSentence(last) {
		return kept + whole[len(whole)-n:]
	}
	return kept
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
	}
	return recap.Receipt{}, false
}

// haystack is the text that names in a recap must stand in.
type haystack struct{ text string }

func newHaystack(turns []recap.Turn) *haystack {
	var b strings.Builder
	for i := range turns {
		t := &turns[i]
		b.WriteString(t.Text)
		b.WriteByte('\n')
		b.WriteString(t.Answer)
		b.WriteByte('\n')
		for j := range t.Tools {
			tool := &t.Tools[j]
			b.WriteString(tool.Command)
			b.WriteByte('\n')
			for _, p := range tool.Paths {
				b.WriteString(p)
				b.WriteByte('\n')
			}
			b.WriteString(tool.Output)
			b.WriteByte('\n')
			for _, q := range tool.Questions {
				b.WriteString(q)
				b.WriteByte('\n')
			}
			for _, t := range tool.Todos {
				b.WriteString(t.Text)
				b.WriteByte('\n')
			}
		}
	}
	return &haystack{strings.ToLower(b.String())}
}

// prune drops the clauses that name something the evidence does not hold.
func (h *haystack) prune(s string, sp *scratchpad) string {
	at := h.stranger(s)
	if at < 0 {
		return s
	}
	// Keep the clauses before the stranger.
	sp.toks = tokenize(s, sp.toks[:0])
	cut := -1
	for _, t := range sp.toks {
		if t.start >= at {
			break
		}
		if t.sign == ',' || t.sign == 0 && !t.run && conjunction(t.text) {
			cut = t.start
		}
	}
	if cut > 0 {
		if kept := trimClause(s[:cut]); language.Words(kept) >= 2 && !open(kept, sp) && h.stranger(kept) < 0 {
			return kept
		}
	}
	return ""
}

// stranger gives the offset of the first name the evidence lacks, or -1.
func (h *haystack) stranger(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if q := closingQuote(r); q != 0 && (i == 0 || !isWordRune(lastRune(s[:i]))) {
			if end := strings.IndexRune(s[i+n:], q); end > 0 {
				if !h.holds(s[i+n : i+n+end]) {
					return i
				}
				i += n + end + utf8.RuneLen(q)
				continue
			}
		}
		if !isNameRune(r) {
			i += n
			continue
		}
		start := i
		for i < len(s) {
			r, n = utf8.DecodeRuneInString(s[i:])
			if !isNameRune(r) {
				break
			}
			i += n
		}
		name := strings.Trim(s[start:i], ".:-/@'")
		if isName(name) && !h.holds(name) {
			return start
		}
	}
	return -1
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func closingQuote(r rune) rune {
	switch r {
	case '`', '"', '\'':
		return r
	case '“', '„':
		return '”'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	}
	return 0
}

func isNameRune(r rune) bool {
	if r < 0x80 {
		return isAlnum(byte(r)) || strings.IndexByte("_./:-@%", byte(r)) >= 0
	}
	return !isRun(r) && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isName: a path, an identifier, a number, a hash or an address; no plain
// word.
func isName(w string) bool {
	if len(w) < 2 {
		return len(w) == 1 && w[0] >= '0' && w[0] <= '9'
	}
	for i := range len(w) {
		c := w[i]
		switch {
		case c >= '0' && c <= '9', c == '_', c == '/', c == '.', c == ':', c == '@':
			return true
		case c >= 'A' && c <= 'Z':
			if i > 0 && (w[i-1] >= 'a' && w[i-1] <= 'z') {
				return true // camelCase
			}
		}
	}
	return false
}

// holds: the evidence has the name, not as a part of a longer number or word.
func (h *haystack) holds(name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return true
	}
	edge := func(c byte) bool { return !isAlnum(c) && c != '_' }
	for from := 0; ; {
		i := strings.Index(h.text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || edge(h.text[i-1]) || !isAlnum(name[0])) && (end == len(h.text) || edge(h.text[end]) || !isAlnum(name[len(name)-1])) {
			return true
		}
		from = i + 1
	}
}
