package evidence

import (
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

// quoteShare is how much of a sentence must stand in an answer in runs of words
// for it to be a quotation: the signs between them may differ, an opening word
// may be gone.
const quoteShare = 0.95

// quotation gives the sentences of a text that stand in the newest answers.
func (c *checker) quotation(text string) (kept string, dropped []Drop) {
	var answers []uint64
	for i := len(c.in.Turns) - 1; i >= 0 && i >= len(c.in.Turns)-listenTurns; i-- {
		answers = append(append(answers, c.wordHashes(c.in.Turns[i].Answer)...), 0)
	}
	var b strings.Builder
	end := 0
	for _, u := range units(text) {
		s := text[u.start:u.end]
		if hashRuns(wordHashes(s), answers) < quoteShare {
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
