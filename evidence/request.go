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
	if title := strings.TrimSuffix(clip(titleText(in.Session.Title), maxRequestChars), "…"); title != "" && !isClosing(title, sp) && !ownLine(title) {
		id := ""
		if len(in.Turns) > 0 {
			id = in.Turns[0].UserID
		}
		return request{text: title, turn: longest.turn, id: id}
	}
	return longest
}

// titleText cleans a title as a request is cleaned: agents make it of the
// first prompt.
func titleText(s string) string {
	s, _, _ = strings.Cut(withoutBlocks(unescape(s)), "## Recent sessions")
	return withoutMarks(oneLine(inlineTyped(s)))
}

// noRequest: signs and emoji alone.
func noRequest(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// requestText gives the most telling sentence of what a person wrote.
func requestText(t *recap.Turn, sp *scratchpad) string {
	src := t.Text
	for _, s := range [...]string{t.Typed, t.Authored} {
		if strings.TrimSpace(s) != "" {
			src = s
			break
		}
	}
	src = withoutOurs(unescape(src))
	segs := segmentsAs(src, 40, typed)
	if len(segs) == 0 {
		// Nothing but code, quotes or headings: their words are all there is.
		text := withoutMarks(oneLine(inlineTyped(firstWords(src))))
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
	if at < 0 {
		best = segs[0].text // signs and emoji alone
	}
	if at > 0 && (generic(best, sp) || refersBack(best)) {
		// "Fix this." What it is about stands before it.
		before := mentions(segs[at-1].text)
		if at == 1 {
			before = greetingOff(before, sp)
		}
		if !noRequest(before) && language.Words(before) >= 3 && !isClosing(before, sp) {
			if last := lastRune(before); !endsSentence(last) {
				before += " ·"
			}
			best = beside(before, mentions(segs[at].text))
		}
	} else if next := at + 1; at >= 0 && next < len(segs) && !segs[next].list && !segs[at].list {
		// What is asked for may stand behind what it is about.
		if text := mentions(segs[next].text); refersBack(text) && !isClosing(text, sp) && !noRequest(text) {
			best = beside(best, text)
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

// beside puts two sentences together, as their script does.
func beside(a, b string) string {
	if last := lastRune(a); last >= 0x3000 && endsSentence(last) {
		return a + b
	}
	return a + " " + b
}

// maxReferring is the length, in words, of a request that may be about the
// sentence before it.
const maxReferring = 12

// refersBack: the request names what it is about by a word that stands for
// what was said before ("Verify it and remove them").
func refersBack(s string) bool {
	if language.Words(s) > maxReferring {
		return false
	}
	var sp scratchpad
	for i, t := range tokenize(s, sp.toks) {
		if t.sign != 0 {
			continue
		}
		if t.run {
			for _, w := range [...]string{"它", "这个", "那个", "这些", "那些", "这里", "該", "これ", "それ", "あれ", "そこ", "ここ", "그것", "이것", "그걸", "이걸", "이거", "그거"} {
				if strings.Contains(t.text, w) {
					return true
				}
			}
			continue
		}
		switch t.text {
		case "it", "them", "they", "those", "these", "both", "its", "their", "one", "ones",
			"es", "sie", "ihn", "ihm", "dies", "diese", "dieses", "diesen", "beide", "beides", "davon", "dafür", "damit", "darin", "daran",
			"их", "его", "её", "ее", "им", "ему", "ней", "нему", "них", "это", "этого", "этому", "эти", "этих", "оба", "обе", "там", "їх", "його", "її", "це", "ці",
			"ello", "ellos", "ellas", "esto", "eso", "estos", "esos", "ambos", "ambas", "ça", "cela", "ceci", "eux", "elles", "celui-ci", "ceux-ci", "isso", "isto", "eles", "elas", "esses", "estes", "questo", "quello", "questi", "quelli", "entrambi",
			"het", "ze", "hen", "dit", "deze", "go", "je", "ich", "to", "te", "onu", "onları", "bunu", "bunları", "इसे", "उन्हें", "nó", "chúng":
			if t.text != "ich" && t.text != "je" && t.text != "to" && t.text != "go" && t.text != "te" || i > 0 && i == len(sp.toks)-1 {
				return true
			}
		case "this", "that", "das":
			if next := behind(s, t.end); next == "" || !unicode.IsLetter(firstRune(next)) {
				return true
			}
		case "lo", "los", "las", "la", "le", "les", "li":
			if behind(s, t.end) == "" || i == 0 {
				return true // "sistema li", "lo arreglas?"
			}
		}
		for _, end := range [...]string{"-le", "-la", "-les", "-o", "-os", "-a", "-as", "-los", "-las", "-lo"} {
			if strings.HasSuffix(t.text, end) {
				return true // "supprime-les", "remova-os"
			}
		}
		if utf8.RuneCountInString(t.text) > 5 && i < 3 {
			for _, end := range [...]string{"álo", "álos", "ála", "álas", "élo", "élos", "éla", "élas", "ílo", "ílos", "íla", "ílas", "alos", "alas", "elos", "elas", "alo", "ali", "ilo", "ili", "ila", "lelo", "celo"} {
				if strings.HasSuffix(t.text, end) {
					return true // "bórralos", "correggilo"
				}
			}
		}
	}
	return false
}

// behind is what follows a place in a sentence, without blanks.
func behind(s string, at int) string { return strings.Trim(s[at:], " .!?…") }

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

// greetingOff strips politeness from the start of a request, where a sentence
// is left that begins as one.
func greetingOff(s string, sp *scratchpad) string {
	for range 4 {
		sp.toks = tokenize(s, sp.toks[:0])
		sp.hits = lookup().scan(sp.toks, sp.hits[:0])
		if len(sp.hits) == 0 || sp.hits[0].tok != 0 || sp.hits[0].mark&mStrip == 0 {
			return s
		}
		h := &sp.hits[0]
		if h.start > 0 && s[:h.start] != "¡" {
			return s // "¿puedes...", a quotation
		}
		if h.mark&mAskVerb != 0 && !sp.toks[0].run && lower(s[h.start:h.end]) != "please" && !sep(s[h.end:]) {
			return s
		}
		rest := s[h.end:]
		if !sep(rest) && !(strings.HasPrefix(rest, " ") && polite(s, h, sp)) && !(sp.toks[0].run && asksHan(s[h.start:h.end], rest)) {
			return s
		}
		rest = strings.TrimLeftFunc(rest, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune(",!.，、。！:：;；—–-…", r)
		})
		if first := firstRune(rest); !unicode.IsLetter(first) && !unicode.IsDigit(first) && !strings.ContainsRune("@/`¿#", first) {
			return s
		}
		// Too little left: keep the words.
		if language.Words(rest) < 2 || noRequest(rest) || rest == s {
			return s
		}
		s = rest
	}
	return s
}

// sep: a sign parts the words before it from the sentence, and is no part of
// a name: "hello, fix it", not "hello() returns nil".
func sep(rest string) bool {
	r := firstRune(rest)
	if !strings.ContainsRune(",!.，、。！:：;；—–…", r) && !strings.HasPrefix(rest, " - ") && !strings.HasPrefix(rest, " —") && !strings.HasPrefix(rest, " –") {
		return false
	}
	next := firstRune(rest[utf8.RuneLen(r):])
	return r >= 0x80 || unicode.IsSpace(next)
}

// polite: the words go with no more than a blank, as "please fix" does: what
// follows asks, or the words never say anything of their own.
func polite(s string, h *hit, sp *scratchpad) bool {
	n := 1
	for n < len(sp.toks) && sp.toks[n].start < h.end {
		n++
	}
	for _, next := range sp.hits[1:] {
		if next.tok == n {
			if next.mark&(mAskVerb|mStrip) != 0 {
				return true
			}
			break
		}
	}
	switch lower(s[h.start:h.end]) {
	case "please", "pls", "kindly", "can you", "could you", "would you", "can you please", "could you please", "i want you to", "i'd like you to", "i need you to", "i would like you to", "and", "also", "so", "ok now", "ok so", "hi claude", "hey claude",
		"bitte", "und", "por favor", "y", "stp", "svp", "s'il te plaît", "s'il vous plaît", "et", "per favore", "alsjeblieft", "пожалуйста", "будь ласка", "а", "и", "ну", "proszę", "lütfen", "а теперь", "teraz", "maintenant", "ahora", "agora", "adesso", "jetzt", "nun", "теперь", "тепер", "now", "nu", "şimdi":
		return true
	}
	return false
}

// asksHan: words of a run that only ask, with the rest of the run behind them.
func asksHan(w, rest string) bool {
	switch w {
	case "请帮我", "请你", "麻烦你", "麻烦您", "帮我":
		return true
	case "请":
		return !strings.ContainsRune("求假问教示客愿安", firstRune(rest))
	}
	return false
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
		line = strings.Trim(line, "`~>| \t\r-=")
		if h := strings.TrimLeft(line, "#"); strings.HasPrefix(line, "##") || strings.HasPrefix(h, " ") && !unicode.IsLower(firstRune(h[1:])) {
			line = strings.TrimSpace(h) // a heading; "# of users" is none
		}
		if line != "" && !ownLine(line) {
			return clip(line, 400)
		}
	}
	return ""
}
