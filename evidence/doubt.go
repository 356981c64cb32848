package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// Doubtful says whether one reply of a model shows that it did not do what it
// was asked: two of its texts are the same, one is the person's request, says
// nothing, was cut or is in another language, or the suggestion is the answer.
// Said are its texts as they came, stopped says why those that are not shown
// are not; the reasons are those of [Guard.Vet] and of package reply.
//
// Words of the session in a wrong order are what such a model writes, and no
// check of words finds that. So its other texts are vetted with [Guard.Doubt].
func Doubtful(said, stopped map[recap.Field]string) bool {
	for f, why := range stopped {
		why, _, _ = strings.Cut(why, ":")
		switch why {
		case whySilent, "cut", "missing", "instruction", "language":
			return true
		case whyRequest:
			if f != recap.FieldSuggestion {
				return true
			}
		case whyOther, whyAnswer:
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
	var b strings.Builder
	end := 0
	for _, u := range units(text) {
		s := text[u.start:u.end]
		if !c.quoted(s) {
			dropped = append(dropped, Drop{s, whyLoose})
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

// quoted: an answer holds the sentence; signs and markup may differ. One that a
// limit cut may end anywhere.
func (c *checker) quoted(s string) bool {
	words := wordHashes(s)
	cut := strings.HasSuffix(strings.TrimSpace(s), "…")
	for i := len(c.in.Turns) - 1; len(words) > 0 && i >= 0 && i >= len(c.in.Turns)-listenTurns; i-- {
		answer, opens := clauseHashes(inline(clip(c.in.Turns[i].Answer, 8000)))
		for at := 0; at+len(words) <= len(answer); at++ {
			if opens[at] && slices.Equal(answer[at:at+len(words)], words) && (cut || at+len(words) == len(answer) || opens[at+len(words)]) {
				return true
			}
		}
	}
	return false
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
