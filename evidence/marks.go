package evidence

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// phrase is a compiled phrase of the lexicon.
type phrase struct {
	rest []string // the words after the first
	stem bool     // the last word may go on
	mark mark
	next int32 // the next phrase with the same first word, 1-based
}

// index finds phrases by their first word, stem, or, for scripts without
// spaces, whole.
type index struct {
	words   map[string]int32 // first of its phrases, 1-based
	stems   map[string]int32
	heads   [1 << 16 / 64]uint64 // the first two bytes of the stems
	phrases []phrase
	runs    map[string]mark
	// runMax is the length of the longest run phrase, in characters.
	runMax int
	first  map[rune]bool // first characters of run phrases
	plain  bool          // its marks are not those of the lexicon
}

// lookup compiles the lexicon when it is first needed.
var lookup = sync.OnceValue(func() *index {
	ix := newIndex(4096, 1024)
	for _, list := range [...][]entry{lexicon[:], moreLexicon[:]} {
		for _, e := range list {
			for p := range strings.SplitSeq(e.phrases, "|") {
				ix.add(p, e.mark)
			}
		}
	}
	return ix
})

// lookupStrict is the lexicon with the words that only [Check] asks for.
var lookupStrict = sync.OnceValue(func() *index {
	ix := newIndex(4608, 1152)
	for _, list := range [...][]entry{lexicon[:], moreLexicon[:], strictLexicon[:]} {
		for _, e := range list {
			for p := range strings.SplitSeq(e.phrases, "|") {
				ix.add(p, e.mark)
			}
		}
	}
	return ix
})

// plainIndex compiles a table whose marks are not those of the lexicon.
func plainIndex(list []entry) *index {
	ix := newIndex(512, 256)
	ix.plain = true
	for _, e := range list {
		for p := range strings.SplitSeq(e.phrases, "|") {
			ix.add(p, e.mark)
		}
	}
	return ix
}

func newIndex(words, runs int) *index {
	return &index{
		words: make(map[string]int32, words), stems: make(map[string]int32, words/8), phrases: make([]phrase, 0, words+words/4),
		runs: make(map[string]mark, runs), first: make(map[rune]bool, runs/2),
	}
}

func (ix *index) add(p string, m mark) {
	if p == "" {
		return
	}
	r, _ := utf8.DecodeRuneInString(p)
	if isRun(r) || strings.ContainsFunc(p, isRun) {
		p = strings.ReplaceAll(p, " ", "")
		if !ix.plain && m&(mVerified|mCommitted|mPushed|mMerged|mDeployed|mHosted) != 0 {
			// The longest phrase hides the sign of the past in it.
			for _, past := range [...]string{"ました", "済", "した", "已", "了", "했", "됐"} {
				if strings.Contains(p, past) {
					m |= mAspect
				}
			}
		}
		ix.runs[p] |= m
		ix.runMax = max(ix.runMax, utf8.RuneCountInString(p))
		ix.first[r] = true
		return
	}
	p, stem := strings.CutSuffix(p, "*")
	ph := phrase{stem: stem, mark: m}
	head, tail, several := strings.Cut(p, " ")
	if several {
		ph.rest = strings.Fields(tail)
	}
	into := ix.words
	if stem && !several {
		into = ix.stems
		if len(head) >= 2 {
			h := headOf(head)
			ix.heads[h/64] |= 1 << (h % 64)
		}
	}
	ph.next = into[head]
	ix.phrases = append(ix.phrases, ph)
	into[head] = int32(len(ix.phrases)) //nolint:gosec // a few thousand
}

// isRun: the character belongs to a script whose words are found inside runs.
func isRun(r rune) bool {
	if r < 0x1100 {
		return false
	}
	return r >= 0x3040 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x2ffff || r == 0x3005
}

// token is a word, a run, or a sign that divides clauses.
type token struct {
	text       string // lower case
	start, end int    // bytes of the sentence
	run        bool
	sign       byte // 0, or ',' for any divider, '?' for a question mark
}

// tokenize splits a sentence. A path, a dotted name or a number with a point
// stays one word.
func tokenize(s string, out []token) []token {
	if cap(out) == 0 {
		out = make([]token, 0, len(s)/6+4) // a word and its blank, on average
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isRun(r):
			start := i
			for i < len(s) {
				r, n = utf8.DecodeRuneInString(s[i:])
				if !isRun(r) && r != 'ー' {
					break
				}
				i += n
			}
			out = append(out, token{text: s[start:i], start: start, end: i, run: true})
		case isWordRune(r):
			start := i
			for i < len(s) {
				if c := s[i]; c >= 'a' && c <= 'z' {
					i++
					continue
				}
				r, n = utf8.DecodeRuneInString(s[i:])
				if isRun(r) {
					break
				}
				if !isWordRune(r) {
					next, _ := utf8.DecodeRuneInString(s[i+n:])
					joins := r == '.' || r == '\'' || r == '’' || r == '-' || r == '/' || r == ':' || r == '@'
					if !joins || !isWordRune(next) || isRun(next) {
						break
					}
				}
				i += n
			}
			out = append(out, token{text: lower(s[start:i]), start: start, end: i})
		case r == '✅' || r == '✓' || r == '✔' || r == '☑' || r == '🟢':
			out = append(out, token{text: "✅", start: i, end: i + n})
			i += n
		default:
			if sign := divider(r, s, i, n); sign != 0 {
				out = append(out, token{sign: sign, start: i, end: i + n})
			}
			i += n
		}
	}
	return out
}

func lower(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] >= 'A' && s[i] <= 'Z' {
			return strings.ReplaceAll(strings.ToLower(s), "’", "'")
		}
	}
	return s
}

func isWordRune(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '#'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// divider gives the kind of sign that divides clauses.
func divider(r rune, s string, i, n int) byte {
	switch r {
	case ',', ';', '，', '、', '；', '،', '؛', '—', '–', '。', '!', '！', '(', ')', '（', '）', '·', '|', '→':
		return ','
	case '.':
		// Not the points of "./...".
		if i+n < len(s) && s[i+n] != ' ' && s[i+n] < 0x80 || i > 0 && (s[i-1] == '.' || s[i-1] == '/') {
			return 0
		}
		return ','
	case ':', '：':
		return ','
	case '-':
		if i > 0 && s[i-1] == ' ' && i+n < len(s) && s[i+n] == ' ' {
			return ','
		}
	case '?', '？', '؟':
		return '?'
	}
	return 0
}

// hit is a phrase found in a sentence.
type hit struct {
	mark       mark
	tok        int // index of its first token
	start, end int // bytes
}

// scan finds the phrases of the lexicon, the longest at each place.
func (ix *index) scan(toks []token, out []hit) []hit {
	skip := 0 // how much of the next run a phrase before has taken
	for i := 0; i < len(toks); {
		t := &toks[i]
		if t.sign != 0 {
			i++
			continue
		}
		if t.run {
			out, skip = ix.scanRun(t, i, skip, koreanNext(toks, i), out)
			i++
			continue
		}
		skip = 0
		m, n := ix.word(toks, i)
		if m != 0 {
			out = append(out, hit{mark: m, tok: i, start: t.start, end: toks[i+n-1].end})
		}
		i += max(n, 1)
	}
	return out
}

// word gives the marks of the longest phrase at toks[i] and its length.
func (ix *index) word(toks []token, i int) (mark, int) {
	t := toks[i].text
	var best mark
	length := 0
	take := func(at int32) {
		for at > 0 {
			p := &ix.phrases[at-1]
			at = p.next
			n, ok := p.match(toks[i:])
			if !ok || n < length {
				continue
			}
			if n > length {
				best, length = 0, n
			}
			best |= p.mark
		}
	}
	take(ix.words[t])
	if !ix.plain && strings.HasPrefix(t, "#") {
		return best | mMergeWhat, max(length, 1)
	}
	if length <= 1 && len(t) >= 2 && ix.heads[headOf(t)/64]>>(headOf(t)%64)&1 != 0 {
		for k := len(t); k >= 2; k-- {
			if k < len(t) && !utf8.RuneStart(t[k]) {
				continue
			}
			if at, ok := ix.stems[t[:k]]; ok {
				take(at)
				break
			}
		}
	}
	return best, length
}

func headOf(word string) uint16 { return uint16(word[0])<<8 | uint16(word[1]) }

// match gives the number of tokens the phrase covers. toks[0] is known to be
// its first word.
func (p *phrase) match(toks []token) (int, bool) {
	if len(toks) <= len(p.rest) {
		return 0, false
	}
	for j, w := range p.rest {
		t := toks[j+1]
		if t.sign != 0 || t.text != w && (!p.stem || j != len(p.rest)-1 || !strings.HasPrefix(t.text, w)) {
			return 0, false
		}
	}
	return len(p.rest) + 1, true
}

// koreanNext gives the word behind a Korean one: phrases of two words are
// found over the space.
func koreanNext(toks []token, i int) string {
	if i+1 >= len(toks) || !toks[i+1].run || toks[i+1].start != toks[i].end+1 {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(toks[i].text); r < 0xac00 || r > 0xd7a3 {
		return ""
	}
	return toks[i+1].text
}

// scanRun finds the phrases that begin in a run, from skip on. It gives how
// much of the next run they take.
func (ix *index) scanRun(t *token, tok, skip int, next string, out []hit) ([]hit, int) {
	s, own := t.text, len(t.text)
	if !ix.plain && s == "안" && skip == 0 { // "not", where it is a word of its own
		return append(out, hit{mark: mNeg, tok: tok, start: t.start, end: t.end}), 0
	}
	if next != "" {
		s += next
	}
	i := skip
	for i < own {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !ix.first[r] {
			i += n
			continue
		}
		var m mark
		size := 0
		j := i
		for k := 0; k < ix.runMax && j < len(s); k++ {
			_, w := utf8.DecodeRuneInString(s[j:])
			j += w
			if found, ok := ix.runs[s[i:j]]; ok {
				m, size = found, j-i
			}
		}
		if size == 0 {
			i += n
			continue
		}
		end := t.start + i + size
		if i+size > own {
			end++ // the space
		}
		out = append(out, hit{mark: m, tok: tok, start: t.start + i, end: end})
		i += size
	}
	return out, max(0, i-own)
}
