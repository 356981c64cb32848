package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// result is the sentence of an answer that states what came out.
type result struct {
	text   string
	id     string
	more   []extra // what may follow where there is room
	quoted bool    // it is shown as the agent's words only
}

type extra struct {
	mark string
	text string
}

// enough is the score from which a sentence is worth quoting.
const enough = 3

// findResult looks for the result in the newest answer. Where that one only
// closes the talk ("committed", "you're welcome"), the answers before it are
// asked, back to the one of the request. Told is what toldFailure says.
func findResult(in *Input, f *Facts, req request, told bool, sp *scratchpad) result {
	n := len(in.Turns)
	if n == 0 || !in.complete() {
		return result{}
	}
	words := contentWords(req.text)
	w := newWording(f, in.Turns)
	closed := req.turn >= 0 && req.turn < n-1
	var weak result
	for i := n - 1; i >= 0 && i >= req.turn; i-- {
		t := &in.Turns[i]
		if t.Answer == "" || i < n-1 && !t.Complete {
			continue
		}
		res, score := w.best(t.Answer, words, told, req.text, closed && i == n-1, sp)
		res.id = t.AnswerID
		if res.text != "" && score >= enough {
			return res
		}
		if weak.text == "" && res.text != "" && score > enough-12 {
			weak = res
		}
		if !closed {
			break
		}
	}
	return weak
}

// best scores the sentences of an answer.
func (w *wording) best(answer string, words []string, told bool, ask string, closing bool, sp *scratchpad) (result, int) {
	f := w.f
	segs := sp.segments(answer)
	type candidate struct{ i, score int }
	var list []candidate
	firstPara := -1
	lastPara := 0
	if len(segs) > 0 {
		lastPara = segs[len(segs)-1].para
	}
	for i := range segs {
		s := &segs[i]
		if undone(s.text) {
			s.text = ""
			continue
		}
		s.text = strings.TrimLeftFunc(s.text, func(r rune) bool {
			return !isWordRune(r) && !isRun(r) && !strings.ContainsRune(`"'“«„「『([<./-~$@¿¡`, r)
		})
		if s.text == "" || ownLine(s.text) {
			s.text = ""
			continue
		}
		if i := forged(s.text); i >= 0 {
			s.text = strings.TrimRight(s.text[:i], " ·-(（,:;")
			if dangles(s.text) || language.Words(s.text) < 3 {
				s.text = ""
				continue
			}
		}
		r := sp.read(s.text)
		if start, _ := r.opening(); start&mGreeting != 0 {
			s.text = noGreeting(s.text, &r)
			r = sp.read(s.text)
		}
		score := f.score(s, &r, closing)
		if firstPara < 0 && score > 0 {
			firstPara = s.para
			score += 2
		} else if s.para == lastPara && !s.list {
			score++
		}
		score -= min(i, 12) / 4
		list = append(list, candidate{i, score + overlap(s.text, words)})
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.score - a.score })
	best, bestScore := -1, -100
	bestText, bestHow := "", unborne
	for _, c := range list {
		i, score := c.i, c.score
		if score < bestScore {
			break // what follows can only lose
		}
		s := &segs[i]
		kept := f.prune(s.text, told, sp)
		if kept == "" || f.boast(kept, words, sp) || announced(s.text, kept) || sameWords(kept, ask) || s.list && language.Words(kept) < 2 {
			continue
		}
		kept, how := w.stand(kept, sp)
		if how == unborne {
			continue
		}
		if how == asQuoted {
			score--
		}
		if kept != s.text {
			score -= 2
		}
		if score < bestScore || score == bestScore && i > best {
			continue
		}
		if kept != s.text && unfinished(kept) {
			kept += "…"
		}
		best, bestScore, bestText, bestHow = i, score, kept, how
	}
	if best < 0 {
		return result{}, bestScore
	}
	res := result{text: bestText, quoted: bestHow == asQuoted}
	if best > 0 && segs[best-1].para == segs[best].para && verdictWord(segs[best-1].text, isQuestion(ask), sp) && (language.Words(segs[best-1].text) < 2 || !f.boast(segs[best-1].text, words, sp)) {
		res.text = segs[best-1].text + " " + bestText
	}
	if bestText == segs[best].text {
		res.more = w.following(segs, best, told, words, bestHow, sp)
	}
	return res, bestScore
}

// announced: what was kept only opens the quotation or list that was cut off.
func announced(s, kept string) bool {
	rest := strings.TrimLeft(strings.TrimPrefix(s, kept), " ")
	return len(rest) < len(s) && (strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "："))
}

// sameWords: the result repeats the request.
func sameWords(a, b string) bool {
	const ends = " .!?…。！？:：\"'"
	return b != "" && strings.EqualFold(strings.Trim(a, ends), strings.Trim(b, ends))
}

// undone: the entry of a list carries the sign of something that failed or is
// not done. Without the sign its words would say the opposite.
func undone(s string) bool {
	for _, sign := range [...]string{"❌", "✗", "✘", "✖", "⏳", "⌛", "🚧", "⬜", "☐", "🔴", "⚠", "🟡", "🔲", "🚫", "⛔", "🕒", "⏸"} {
		if strings.HasPrefix(s, sign) {
			return true
		}
	}
	return false
}

// verdictWord: the short sentence is a "Not yet." or a "Yes." to a question,
// without which the next one says something else.
func verdictWord(s string, asked bool, sp *scratchpad) bool {
	n := language.Words(s)
	if n == 0 || n > 3 || isQuestion(s) || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "！") {
		return false
	}
	r := sp.read(s)
	if len(r.clauses) > 0 {
		return false // a claim of its own
	}
	return r.marks&mNeg != 0 || asked && n == 1
}

// following gives what stands behind the chosen sentence and goes with it: the
// next entries of its list, or the next sentence of its paragraph.
func (w *wording) following(segs []segment, i int, told bool, words []string, how standing, sp *scratchpad) []extra {
	f := w.f
	var out []extra
	for j := i + 1; j < len(segs) && len(out) < 3; j++ {
		s := &segs[j]
		if s.text == "" || s.block != segs[i].block || s.list != segs[i].list || !s.list && s.para != segs[i].para {
			break
		}
		r := sp.read(s.text)
		if !s.list && (f.score(s, &r, false) < 1 || s.asks || statusOnly(&r)) {
			break
		}
		if f.prune(s.text, told, sp) != s.text || f.boast(s.text, words, sp) {
			break
		}
		if kept, h := w.stand(s.text, sp); kept != s.text || h < how {
			break
		}
		m := markList
		if !s.list {
			m = ". "
			if strings.HasSuffix(segs[j-1].text, "。") || endsWide(segs[j-1].text) {
				m = "。"
			}
			if last, _ := utf8.DecodeLastRuneInString(segs[j-1].text); last != '.' && last != '。' {
				m = " "
			}
		}
		out = append(out, extra{m, s.text})
	}
	return out
}

func endsWide(s string) bool { return isRun(lastRune(s)) }

// score says how well a sentence states a result, in the words of the
// lexicon. A language without one gets by on the other signs.
func (f *Facts) score(s *segment, r *reading, closing bool) int {
	score := 4
	n := language.Words(s.text)
	switch {
	case n < 2:
		score -= 7
	case n < 3:
		score -= 4
	case n < 5:
		score--
	case n > 34:
		score -= 2
	}
	if s.list {
		score -= 2
	}
	if strings.HasSuffix(s.text, ":") || strings.HasSuffix(s.text, "：") {
		score -= 9
	}
	if s.asks {
		score -= 8
		if courtesy(s.text) {
			score -= 20
		}
	}
	start, startEnd := r.opening()
	switch {
	case start&mOffer != 0:
		score -= 9
	case start&mPreamble != 0 && r.marks&mEdited == 0:
		score -= 7
	case start&mSummary != 0:
		score -= 5
	case start&mNext != 0:
		score -= 4
	case start&mGreeting != 0 && (n <= 3 || startEnd >= len(strings.TrimRight(s.text, " .!。！…~"))-2):
		score -= 9
	case start&mGreeting != 0:
		score--
	}
	if start&mCond != 0 {
		score -= 3
	}
	if r.marks&mOffer != 0 && start&mOffer == 0 {
		score -= 4
	}
	switch {
	case r.marks&mNow != 0 && start&(mPreamble|mNext) == 0:
		score += 3
	case r.marks&mResult != 0 && len(f.Edits) > 0:
		score++ // the cause is known; what was done about it tells more
	case r.marks&mResult != 0:
		score += 2
	}
	return score + f.worth(r, closing)
}

// statusOnly: the sentence tells of tests, commits or pushes and of no work.
// The status of the draft says so already.
func statusOnly(r *reading) bool {
	status := false
	for i := range r.clauses {
		c := &r.clauses[i]
		for _, cl := range c.claims() {
			switch {
			case cl.negated, cl.cond, cl.kind == claimEdited, cl.kind == claimTestsFailed, cl.kind == claimBuildFailed:
				return false
			case cl.kind == claimTestsPassed, cl.kind == claimBuildPassed, cl.kind == claimVerified, cl.kind == claimCommitted, cl.kind == claimPushed:
				status = true
			}
		}
	}
	return status
}

// noGreeting drops a greeting before the first comma ("Sure, ...").
func noGreeting(s string, r *reading) string {
	if len(r.hits) == 0 || r.hits[0].mark&mGreeting == 0 || r.hits[0].start > 0 {
		return s
	}
	h := r.hits[0]
	next := strings.IndexFunc(s[h.end:], func(r rune) bool { return !strings.ContainsRune(" \t", r) })
	if next < 0 {
		return s
	}
	rest := s[h.end+next:]
	d, n := utf8.DecodeRuneInString(rest)
	if !strings.ContainsRune(",，、!！—–;；", d) {
		return s
	}
	rest = strings.TrimLeft(rest[n:], " ,，、!！—–;；")
	if language.Words(rest) < 4 {
		return s
	}
	return rest
}

// opening gives the marks of the first words.
func (r *reading) opening() (m mark, end int) {
	if len(r.toks) == 0 {
		return 0, 0
	}
	for _, h := range r.hits {
		if h.tok > 1 || h.tok == 1 && r.toks[0].sign == 0 && h.mark&(mOffer|mPreamble) == 0 {
			break
		}
		if r.toks[h.tok].run && h.start > r.toks[0].start+12 {
			break
		}
		m |= h.mark
		end = max(end, h.end)
	}
	return m, end
}

// worth scores what the clauses claim: work that was done tells most; tests,
// commits and pushes are shown as status anyway.
func (f *Facts) worth(r *reading, closing bool) int {
	work, status, failed, denial := false, false, false, false
	for i := range r.clauses {
		c := &r.clauses[i]
		for _, cl := range c.claims() {
			switch {
			case cl.cond:
			case cl.negated:
				denial = true
			case cl.kind == claimEdited:
				work = true
			case cl.kind == claimTestsFailed || cl.kind == claimBuildFailed:
				failed = true
			default:
				status = true
			}
		}
	}
	score := 0
	if work {
		score += 4
	}
	if failed {
		score += 3
	}
	if denial {
		score++
	}
	if status && !work {
		score--
		if closing {
			score -= 6
		}
	}
	if r.marks&mHedge != 0 && !work {
		score--
	}
	return score
}

// contentWords gives words of a request that tell its subject.
func contentWords(s string) []string {
	var sp scratchpad
	sp.toks = tokenize(s, sp.toks[:0])
	var out []string
	for _, t := range sp.toks {
		if len(out) == 24 {
			break
		}
		if t.run {
			// Pairs of characters stand for words.
			prev := -1
			for i := range t.text {
				if prev >= 0 && i > prev && len(out) < 24 {
					_, w := utf8.DecodeRuneInString(t.text[i:])
					out = append(out, t.text[prev:i+w])
				}
				prev = i
			}
			continue
		}
		if utf8.RuneCountInString(t.text) >= 4 {
			out = append(out, t.text)
		}
	}
	return out
}

// maxOverlap is the most that words of the request are worth.
const maxOverlap = 3

// overlap counts words of the request in a sentence, maxOverlap at most.
func overlap(s string, words []string) int {
	s = lower(s)
	n := 0
	for _, w := range words {
		stem := w
		if !strings.ContainsFunc(w, isRun) && utf8.RuneCountInString(w) > 6 {
			stem = clip(w, utf8.RuneCountInString(w)-2)
		}
		if strings.Contains(s, stem) {
			if n++; n == maxOverlap {
				break
			}
		}
	}
	return n
}
