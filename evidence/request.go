package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// request is the newest substantive request.
type request struct {
	text string // one sentence, clean
	turn int    // index of its turn, -1 for a title
	id   string
}

// maxRequestChars is the longest request a draft keeps.
const maxRequestChars = 300

// findRequest gives the newest request that asks for something. Where all
// kept turns are closing exchanges the title of the session serves, else the
// longest of them.
func findRequest(in *Input, sp *scratchpad) request {
	longest := request{turn: -1}
	for i := len(in.Turns) - 1; i >= 0; i-- {
		t := &in.Turns[i]
		text := requestText(t, sp)
		if text == "" {
			continue
		}
		r := request{text: text, turn: i, id: t.UserID}
		if !isClosing(text, sp) && !noRequest(text) {
			return r
		}
		if utf8.RuneCountInString(text) > utf8.RuneCountInString(longest.text) {
			longest = r
		}
	}
	if title := strings.TrimSuffix(clip(oneLine(in.Session.Title), maxRequestChars), "…"); title != "" && !isClosing(title, sp) && !ownLine(title) {
		id := ""
		if len(in.Turns) > 0 {
			id = in.Turns[0].UserID
		}
		return request{text: title, turn: longest.turn, id: id}
	}
	return longest
}

// noRequest: signs and emoji alone.
func noRequest(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// requestText gives the most telling sentence of what a person wrote.
func requestText(t *recap.Turn, sp *scratchpad) string {
	src := t.Authored
	if strings.TrimSpace(src) == "" {
		src = t.Text
	}
	src = withoutOurs(unescape(src))
	segs := segments(src, 40)
	if len(segs) == 0 {
		// Nothing but code, quotes or headings: their words are all there is.
		text := withoutMarks(oneLine(inline(firstWords(src))))
		if ownLine(text) || strings.HasPrefix(strings.TrimSpace(src), "## Recent sessions") {
			return ""
		}
		return language.ClampWords(text, maxRequestChars, maxRequestChars)
	}
	best, bestScore, at := "", -1000, -1
	for i := range segs {
		segs[i].text = withoutMarks(segs[i].text)
		s := segs[i]
		text := mentions(s.text)
		text = greetingOff(text, sp)
		if noRequest(text) {
			continue
		}
		score := -min(i, 6)
		words := language.Words(text)
		switch {
		case words < 2:
			score -= 5
		case words < 3:
			score -= 2
		case words > 40:
			score -= 2
		}
		r := sp.read(text)
		if isClosing(text, sp) {
			score -= 8
		}
		if s.list {
			score -= 3
		}
		if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟") {
			score += 2
		}
		if asks(r) {
			score += 4
		}
		if i == len(segs)-1 {
			score++
		}
		if score > bestScore {
			best, bestScore, at = text, score, i
		}
	}
	if at > 0 && generic(best, sp) {
		// "Fix this." What it is about stands before it.
		before := mentions(segs[at-1].text)
		if at == 1 {
			before = greetingOff(before, sp)
		}
		if !noRequest(before) && language.Words(before) >= 3 && !isClosing(before, sp) {
			if last := lastRune(before); !endsSentence(last) {
				before += " ·"
			}
			best = before + " " + mentions(segs[at].text)
		}
	}
	if at >= 0 {
		best = withItems(best, segs[at:])
	}
	return language.ClampWords(best, maxRequestChars, maxRequestChars)
}

// maxListedWords is how long a request with its list may grow.
const maxListedWords = 24

// withItems adds the entries of a list to the request that opens it, or that
// is its first entry.
func withItems(best string, segs []segment) string {
	intro := strings.HasSuffix(best, ":") || strings.HasSuffix(best, "：")
	if !segs[0].list && !intro {
		return best
	}
	sep := markList
	if intro {
		sep = " "
	}
	words := language.Words(best)
	for _, s := range segs[1:] {
		if words += language.Words(s.text); !s.list || words > maxListedWords {
			break
		}
		best = strings.TrimRight(best, ".。") + sep + s.text
		sep = markList
	}
	return best
}

// generic: the request names nothing but what to do ("find out why and fix
// it").
func generic(s string, sp *scratchpad) bool {
	r := sp.read(s)
	named := 0
	for i, t := range r.toks {
		if t.sign != 0 {
			continue
		}
		if t.run {
			covered := 0
			for _, h := range r.hits {
				if h.tok == i {
					covered += h.end - h.start
				}
			}
			named += (t.end - t.start - covered) / 6
			continue
		}
		hit := false
		for _, h := range r.hits {
			hit = hit || t.start >= h.start && t.end <= h.end
		}
		if !hit && utf8.RuneCountInString(t.text) > 3 {
			named++
		}
	}
	return named < 2
}

// asks: the sentence begins with a verb or a word of asking. In scripts with
// runs the verb may end it.
func asks(r reading) bool {
	// Words of politeness before the verb do not count.
	skip := 0
	for _, h := range r.hits {
		if h.mark&mAskVerb != 0 && (h.tok <= skip+1 || r.toks[h.tok].run) {
			return true
		}
		if h.mark&mStrip != 0 && h.tok <= skip+1 {
			skip = h.tok + 2
		}
	}
	return false
}

// greetingOff strips politeness from the start of a request, where something
// is left.
func greetingOff(s string, sp *scratchpad) string {
	for range 3 {
		sp.toks = tokenize(s, sp.toks[:0])
		sp.hits = lookup().scan(sp.toks, sp.hits[:0])
		if len(sp.hits) == 0 || sp.hits[0].tok != 0 || sp.hits[0].mark&mStrip == 0 || sp.hits[0].start > 2 {
			return s
		}
		at := sp.hits[0].end
		if sp.toks[0].run && at == sp.toks[0].end && len(sp.toks) == 1 {
			return s
		}
		rest := strings.TrimLeftFunc(s[at:], func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(",!.，、。！:：;；—–-", r)
		})
		// A question word after it goes with it: "how do I" keeps "now"'s sense
		// without it. Too little left: keep the words.
		if language.Words(rest) < 2 || noRequest(rest) || rest == s {
			return s
		}
		if strings.HasPrefix(s, "¿") {
			rest = strings.TrimSuffix(rest, "?") // the other half went with the words
		}
		s = rest
	}
	return s
}

// mentions drops "@path" where enough is left without it, else its sign.
func mentions(s string) string {
	if strings.IndexByte(s, '@') < 0 {
		return s
	}
	words := strings.Fields(s)
	kept := make([]string, 0, len(words))
	signed := make([]string, 0, len(words))
	for i, w := range words {
		if len(w) > 1 && w[0] == '@' {
			signed = append(signed, w[1:])
			if i > 0 && i < len(words)-1 {
				kept = append(kept, w[1:]) // within a sentence it is a word of it
			}
			continue
		}
		kept = append(kept, w)
		signed = append(signed, w)
	}
	if len(kept) >= 3 {
		return strings.Join(kept, " ")
	}
	return strings.Join(signed, " ")
}

// firstWords gives the start of a text without the marks of quotes and code.
func firstWords(s string) string {
	s = unescape(s)
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.Trim(line, "`~#>| \t\r-=*_")
		if line != "" && !ownLine(line) {
			return clip(line, 400)
		}
	}
	return ""
}
