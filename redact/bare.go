package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// bare is the view as a reader sees it: without the marks of markup, escapes of
// a terminal and characters that show nothing inside a word, with entities,
// full-width and mathematical letters as plain ones. It returns false when
// there is nothing of that kind.
func (v *view) bare() (view, bool) {
	s := v.text
	out := view{doc: v.doc, whole: true}
	var buf []byte
	var stretches []stretch
	copied := 0 // s[:copied] is in buf or was left out
	join := 0   // joins before it lie behind
	flush := func(to int) {
		if to > copied {
			if buf == nil {
				buf = make([]byte, 0, len(s))
				out.runs, out.edits, stretches = slices.Grow(out.runs, len(s)/64), slices.Grow(out.edits, len(s)/128), slices.Grow(stretches, len(s)/128)
			}
			stretches = append(stretches, stretch{len(buf), copied, to})
			join = out.keepJoins(v, join, len(buf), copied, to)
			out.addRuns(v, len(buf), copied, to)
			buf = append(buf, s[copied:to]...)
		}
		copied = to
	}
	for i := 0; i < len(s); {
		for i < len(s) && ordinary[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		if !marking[s[i]] {
			i += letter(s, i)
			continue
		}
		if n, plain := letterAt(s, i); n > 0 {
			flush(i)
			src := v.source(i)
			last := v.source(i + n - 1)
			for k := range len(plain) {
				out.runs = append(out.runs, run{at: len(buf) + k, src: src, wide: last + 1 - src})
			}
			out.edits = append(out.edits, len(buf))
			buf = append(buf, plain...)
			i += n
			copied = i
			continue
		}
		n, soft := v.marksAt(i)
		if n == 0 {
			i += letter(s, i)
			continue
		}
		if soft {
			before := byte(' ')
			switch {
			case i > copied:
				before = s[i-1]
			case len(buf) > 0:
				before = buf[len(buf)-1]
			}
			after := byte(' ')
			if i+n < len(s) {
				after = s[i+n]
			}
			label := (before == ':' || before == '=') && after == ' '
			if !label && (!ofWord(before) || !ofWord(after) && after != '&') {
				i += n
				continue
			}
		}
		flush(i)
		if k := v.firstJoin(i, join); k < len(v.joins) && v.joins[k] < i+n {
			out.joins = append(out.joins, len(buf))
		}
		out.edits = append(out.edits, len(buf))
		i += n
		copied = i
	}
	if len(out.edits) == 0 {
		return view{}, false
	}
	flush(len(s))
	out.text = string(buf)
	if len(out.runs) == 0 {
		out.runs = []run{{}}
	}
	out.words = table().keywords.findIn(out.text, v.words, stretches)
	return out, true
}

// unedited reports whether a rule sees nothing new at the keyword at.
func (v *view) unedited(r *Rule, at int) bool {
	if len(v.edits) == 0 || r.block {
		return false
	}
	reach := r.far()
	if r.value {
		reach += maxValue
	}
	i, _ := slices.BinarySearch(v.edits, at-maxNear)
	return i == len(v.edits) || v.edits[i] > at+reach
}

// keepJoins takes over the joins of the bytes [from, to) of src, which are
// appended at the offset at. The joins before the first-th lie before them; it
// returns the next such number.
func (v *view) keepJoins(src *view, first, at, from, to int) int {
	for first < len(src.joins) && src.joins[first] < from {
		first++
	}
	for ; first < len(src.joins) && src.joins[first] < to; first++ {
		v.joins = append(v.joins, src.joins[first]-from+at)
	}
	return first
}

// letter is the length of the character at s[i:].
func letter(s string, i int) int {
	if s[i] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

// mayMark reports bytes that a mark or a changed letter may begin with.
func mayMark(c byte) bool { return marking[c] }

var marking = func() (t [256]bool) {
	for c := range 256 {
		// The bytes from 0x80 to 0xc1 and from 0xf4 on begin nothing in UTF-8.
		t[c] = c < ' ' || c >= 0x80 && c < 0xc2 || c >= 0xf4
	}
	for _, c := range "*`~_\\<[]\"'&%=^\x7f" {
		t[c] = true
	}
	for _, c := range [...]byte{0xc2, 0xcc, 0xcd, 0xd8, 0xe1, 0xe2, 0xee, 0xef, 0xf0, 0xf3} {
		t[c] = true
	}
	for _, c := range "\n\r\t" {
		t[c] = false
	}
	return t
}()

// ordinary are the bytes of one character that begin nothing of that kind.
var ordinary = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = !marking[c]
	}
	return t
}()

// ofWord reports bytes that may stand in a key or in the name before it.
func ofWord(c byte) bool {
	return isAlnum(c) || c >= utf8.RuneSelf || strings.IndexByte("-_./+=:%~#@!$^", c) >= 0
}

// marksAt is the length of the marks at s[i:]. They are soft when one of them
// shows: then they are left out inside a word only.
func (v *view) marksAt(i int) (n int, soft bool) {
	s := v.text
	for j := i; j < len(s) && mayMark(s[j]); {
		k, shows := markAt(s, j)
		if k == 0 && s[j] == barrier && v.doc[v.source(j)] == barrier {
			k, shows = 1, true // the text's own
		}
		if k == 0 {
			break
		}
		j += k
		n, soft = j-i, soft || shows
	}
	return n, soft
}

// markAt is the length of one mark at s[i:], and whether it shows.
func markAt(s string, i int) (n int, shows bool) {
	switch c := s[i]; {
	case c == '*' || c == '`':
		return 1, true
	case c == '~' || c == '_':
		if i+1 < len(s) && s[i+1] == c {
			return 2, true
		}
	case c == '\\':
		if i+1 < len(s) && strings.IndexByte("_*-.~`+=", s[i+1]) >= 0 {
			return 1, true
		}
		return spelledEscapeAt(s, i), false
	case c == '^':
		return spelledEscapeAt(s, i), false
	case c == '[':
		return lostEscapeAt(s, i), true
	case c == ']':
		if i+1 < len(s) && s[i+1] == '(' {
			return 2, true
		}
	case c == '<':
		return tagAt(s, i), true
	case c == '"' || c == '\'':
		return concatAt(s, i), true
	case c == 0x1b:
		return escapeAt(s, i), false
	case c < ' ' && c != barrier || c == 0x7f:
		return 1, true
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case invisible(r):
			return n, false
		case r == '␛':
			if code := codeAt(s, i+n); code > 0 {
				return n + code, false
			}
		}
	}
	return 0, false
}

// invisible reports characters that show nothing, and those that are left out
// where text is shown.
func invisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x180e, r == 0xfeff, r == utf8.RuneError:
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfe00 && r <= 0xfe0f:
	case r >= 0x80 && r < 0xa0, r >= 0xe000 && r <= 0xf8ff, r >= 0xe0000 && r <= 0xe01ef:
	default:
		return false
	}
	return true
}

// tagAt is the length of a short tag or comment of HTML.
func tagAt(s string, i int) int {
	const most = 40
	w := s[i:min(len(s), i+most)]
	if strings.HasPrefix(w, "<!--") {
		if n := strings.Index(w, "-->"); n > 0 && !strings.Contains(w[:n], "\x00") {
			return n + 3
		}
		return 0
	}
	n := strings.IndexAny(w[1:], "<>\n\x00")
	if n < 1 || strings.Contains(w[:n+1], `\x`) || w[n+1] != '>' || w[1] != '/' && !isLower(w[1]|0x20) {
		return 0
	}
	return n + 2
}

// concatAt is the length of what joins two literals: a quote, a plus, a quote.
func concatAt(s string, i int) int {
	j := i + 1
	for j < len(s) && j < i+4 && s[j] == ' ' {
		j++
	}
	if j == len(s) || s[j] != '+' && s[j] != '.' && s[j] != '&' {
		return 0
	}
	for j++; j < len(s) && j < i+8 && s[j] == ' '; {
		j++
	}
	if j < len(s) && (s[j] == '"' || s[j] == '\'') {
		return j + 1 - i
	}
	return 0
}

// maxFolded bounds the texts that are searched for keys broken by a blank: a
// title or a recap, where line breaks were made blanks.
const maxFolded = 4 << 10

// folded is a short view without the single blanks inside a line. They are its
// joins.
func (v *view) folded() (view, bool) {
	s := v.text
	if len(s) > maxFolded || !digit(s) || !strings.Contains(s, " ") {
		return view{}, false
	}
	n := strings.Count(s, " ")
	out := view{doc: v.doc, whole: true, runs: make([]run, 0, len(v.runs)+n), joins: make([]int, 0, n)}
	buf := make([]byte, 0, len(s))
	stretches := make([]stretch, 0, n+1)
	copied := 0
	for i := 1; i < len(s)-1; i++ {
		if s[i] != ' ' || !ofKey(s[i-1]) || !ofKey(s[i+1]) {
			continue
		}
		stretches = append(stretches, stretch{len(buf), copied, i})
		out.addRuns(v, len(buf), copied, i)
		buf = append(buf, s[copied:i]...)
		copied = i + 1
		out.joins = append(out.joins, len(buf))
	}
	if len(out.joins) == 0 {
		return view{}, false
	}
	stretches = append(stretches, stretch{len(buf), copied, len(s)})
	out.addRuns(v, len(buf), copied, len(s))
	out.text = string(append(buf, s[copied:]...))
	out.words = table().keywords.findIn(out.text, v.words, stretches)
	return out, true
}

func ofKey(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' }

// maxFolds is how many blanks a key may be broken by.
const maxFolds = 4

// scanFolded finds keys of distinctive prefixes that blanks break: what follows
// a blank must be no word.
func (v *view) scanFolded(found []span) []span {
	t := table()
	done := 0
	for _, k := range v.words {
		at := k.start
		if at < done {
			continue
		}
		for _, u := range t.usesOf(k.word) {
			r := int(u.rule)
			if !t.rules[r].folds {
				continue
			}
			if start, end, ok := v.tryFolded(r, at, t.keywords.length[k.word]); ok {
				done = end
				found = append(found, v.pieces(start, end, r)...)
				break
			}
		}
	}
	return found
}

func (v *view) tryFolded(rule, at, prefix int) (start, end int, ok bool) {
	limit := func(i int) int {
		if i < len(v.joins) {
			return v.joins[i]
		}
		return len(v.text)
	}
	first := v.firstJoin(at+1, 0)
	if first == len(v.joins) {
		return 0, 0, false
	}
	_, _, alone := v.try(rule, at, v.joins[first])
	least := 6
	if alone {
		least = 12
	}
	head := v.text[min(at+prefix, v.joins[first]):v.joins[first]]
	sure := !alone && len(head) >= 5 && digit(head) && (upper(head) || lower(head)) && looksRandom(head)
	for i := first; i < len(v.joins) && i < first+maxFolds; i++ {
		piece := v.text[v.joins[i]:limit(i+1)]
		piece = piece[:runOf(piece, ofKey)]
		piece = strings.TrimRight(piece, ".-_")
		if !keyPiece(piece, least) && (!sure || len(piece) < 6 || !belongs(head, piece)) {
			break
		}
		if s, e, fits := v.try(rule, at, limit(i+1)); fits && e > v.joins[i] {
			start, end, ok = s, e, true
		}
	}
	return start, end, ok
}

// runOf is the length of the run of such bytes that s begins with.
func runOf(s string, in func(byte) bool) int {
	for i := range len(s) {
		if !in(s[i]) {
			return i
		}
	}
	return len(s)
}

// keyPiece reports whether a piece can only be one of a key.
func keyPiece(s string, least int) bool {
	if len(s) < least || namedID(s) || ordinaryID(s) || identifier(s) || named(s) || filler(s) {
		return false
	}
	if !looksRandom(s) || !digit(s) && len(s) < 8 {
		return false
	}
	return upper(s) && lower(s) || least < 12 && len(s) >= 16
}
