package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// Doubtful says whether one reply of a model shows that it did not do what it
// was asked: one of its texts says nothing, was cut, is in another language or
// is what the model was told, or the suggestion is the recap, or what the agent
// told. Said are its texts as they came, stopped says why those that are not
// shown are not; the reasons are those of [Guard.Vet] and of package reply.
//
// A field that is missing or empty shows nothing of the kind, nor does a poor
// suggestion, nor a recap that is the person's request: each goes alone.
//
// Words of the session in a wrong order are what such a model writes, and no
// check of words finds that. So its other texts are vetted with [Guard.Doubt].
func Doubtful(said, stopped map[recap.Field]string) bool {
	for f, why := range stopped {
		why, _, _ = strings.Cut(why, ":")
		switch {
		case why == whyOther || why == whyAnswer:
			return true
		case f == recap.FieldSuggestion:
		case why == whySilent || why == "cut" || why == "instruction" || why == "language":
			return true
		}
	}
	next := said[recap.FieldSuggestion]
	for f, t := range said {
		if f != recap.FieldSuggestion && next != "" && t != "" && max(inRuns(next, t), inRuns(t, next)) >= mostEcho {
			return true
		}
	}
	return false
}

// Doubt sets whether what is vetted next comes from a reply that is [Doubtful].
// Of such texts only the sentences are kept that the newest answers hold word
// for word, and no suggestion.
func (g *Guard) Doubt(doubtful bool) { g.doubt = doubtful }

// quotation gives the sentences of a text that the newest answers hold word for
// word, from where a clause begins to where one ends.
func (c *checker) quotation(text string) (kept string, dropped []Drop) {
	return keepUnits(text, whyLoose, func(s string) bool { return c.quotedAt(s) >= max(0, len(c.in.Turns)-listenTurns) })
}

// current gives the sentences of a text but those that an older answer said of
// what was still open then, and the newest does not say.
func (c *checker) current(text string) (kept string, dropped []Drop) {
	return keepUnits(text, whyOvertaken, func(s string) bool {
		if !c.pends(s) {
			return true
		}
		at := c.quotedAt(s)
		return at < 0 || at == len(c.in.Turns)-1
	})
}

// keepUnits keeps the sentences of a text that are wanted.
func keepUnits(text, why string, want func(string) bool) (kept string, dropped []Drop) {
	var b strings.Builder
	end := 0
	for _, u := range units(text) {
		s := text[u.start:u.end]
		if !want(s) {
			dropped = append(dropped, Drop{s, why})
			end = u.end
			continue
		}
		if b.Len() > 0 {
			b.WriteString(text[end:u.start])
		}
		b.WriteString(s)
		end = u.end
	}
	return b.String(), dropped
}

// pends: the sentence says what is still to be done, or still fails.
func (c *checker) pends(s string) bool {
	if c.reads(s, mFuture|mOffer) || offers(s) || c.reads(s, mFail) && c.reads(s, mTest|mBuild) || tellsLeft(lower(s)) {
		return true
	}
	hits := chargedIndex("+").scan(tokenize(s, nil), nil)
	return slices.ContainsFunc(hits, func(h hit) bool { return h.mark&(chStill|chSoFar) != 0 })
}

// offers: the agent could do something, or something should be done.
func offers(s string) bool {
	able, own := false, false
	for _, t := range tokenize(s, nil) {
		if t.run {
			own = own || strings.Contains(t.text, "我")
			able = able || strings.Contains(t.text, "可以")
			continue
		}
		switch t.text {
		case "could", "should", "might", "könnte", "könnten", "sollte", "могу", "можно", "могли", "puedo", "podría", "podríamos", "peux", "pourrait", "pourrais", "posso", "poderia", "potrei":
			return true
		case "can", "kann", "können":
			able = true
		case "i", "we", "ich", "wir":
			own = true
		}
	}
	return able && own
}

// quotedAt gives the newest turn whose answer holds the sentence, -1 where none
// does; signs and markup may differ. One that a limit cut may end anywhere.
func (c *checker) quotedAt(s string) int {
	words := wordHashes(s)
	cut := strings.HasSuffix(strings.TrimSpace(s), "…")
	for i := len(c.in.Turns) - 1; len(words) > 0 && i >= 0; i-- {
		answer, opens := c.clauses(c.in.Turns[i].Answer)
		for at := 0; at+len(words) <= len(answer); at++ {
			if opens[at] && slices.Equal(answer[at:at+len(words)], words) && (cut || at+len(words) == len(answer) || opens[at+len(words)]) {
				return i
			}
		}
	}
	return -1
}

// answerWords are those of an answer, and where its clauses open.
type answerWords struct {
	hashes []uint64
	opens  []bool
}

// clauses keeps what clauseHashes gives of the answers.
func (c *checker) clauses(answer string) (hashes []uint64, opens []bool) {
	a, ok := c.clauseOf[answer]
	if !ok {
		if c.clauseOf == nil {
			c.clauseOf = map[string]answerWords{}
		}
		a.hashes, a.opens = clauseHashes(inline(clip(answer, 8000)))
		c.clauseOf[answer] = a
	}
	return a.hashes, a.opens
}

// clauseHashes are wordHashes, and which of them open a clause.
func clauseHashes(s string) (hashes []uint64, opens []bool) {
	last := 0
	words(s, func(w string, _ script, at int) {
		open := len(hashes) == 0 || strings.ContainsAny(s[last:at], ".!?…:;,()\n。！？：；，、—–")
		n := len(hashes)
		hashes = append(hashes, wordHashes(w)...)
		for k := n; k < len(hashes); k++ {
			opens = append(opens, open && k == n)
		}
		last = at + len(w)
	})
	return hashes, opens
}
