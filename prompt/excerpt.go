package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// OmissionMarker stands between the two ends of an excerpt. It begins and ends
// with line breaks, so nothing of the text joins with it.
const OmissionMarker = "\n\n[…]\n\n"

// Bounds of the search for a cut.
const (
	// restartWindow is how far back, in bytes, a place is looked for at which
	// a scan for grapheme clusters may start.
	restartWindow = 256
	// balanceSteps is how often the longer end is shortened to match.
	balanceSteps = 64
)

// Normalize gives s in the form that characters are counted in: NFC, with
// invalid UTF-8 replaced by U+FFFD.
func Normalize(s string) string {
	if isASCII(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

// Length is the number of characters of s.
func Length(s string) int { return utf8.RuneCountInString(Normalize(s)) }

// Excerpt gives s in at most n characters, normalised. A text that is too
// long keeps its head and its tail around [OmissionMarker], the head the
// longer by at most one character. Where n has no room for the marker and
// both ends, the head alone is kept. The result is empty for n <= 0.
//
// Grapheme clusters stay whole; where clusters of several characters stand at
// the cuts, the ends may be shorter than n allows, and of unequal length if
// equal ones would lose more than half of the room.
func Excerpt(s string, n int) string {
	if n <= 0 {
		return ""
	}
	s = Normalize(s)
	if fits(s, n) {
		return s
	}
	if room := n - utf8.RuneCountInString(OmissionMarker); room >= 2 {
		if head, tail := ends(s, room); head > 0 && tail < len(s) {
			return s[:head] + OmissionMarker + s[tail:]
		}
	}
	return s[:headCut(s, n).at]
}

// cut is a cluster boundary: its byte offset, and how many characters stand on
// the side that is kept.
type cut struct{ at, chars int }

// ends gives the byte offsets at which the head ends and the tail begins.
func ends(s string, room int) (head, tail int) {
	h, t := headCut(s, (room+1)/2), tailCut(s, room/2)
	most := [2]cut{h, t}
	for range balanceSteps {
		switch {
		case h.chars > t.chars+1:
			h = headCut(s, t.chars+1)
		case t.chars > h.chars:
			t = tailCut(s, h.chars)
		default:
			if 2*(h.chars+t.chars) >= room && h.chars > 0 && t.chars > 0 {
				return h.at, t.at
			}
			return most[0].at, most[1].at
		}
	}
	return most[0].at, most[1].at
}

// headCut finds the last boundary with at most n characters before it.
func headCut(s string, n int) cut {
	off, chars := 0, 0
	for chars < n && off < len(s) {
		_, w := utf8.DecodeRuneInString(s[off:])
		off += w
		chars++
	}
	if off == len(s) {
		return cut{off, chars}
	}
	at := restart(s, off)
	for at < off {
		c, _, _, _ := uniseg.FirstGraphemeClusterInString(s[at:], -1)
		if at+len(c) > off {
			break
		}
		at += len(c)
	}
	return cut{at, chars - utf8.RuneCountInString(s[at:off])}
}

// tailCut finds the first boundary with at most n characters after it.
func tailCut(s string, n int) cut {
	off, chars := len(s), 0
	for chars < n && off > 0 {
		_, w := utf8.DecodeLastRuneInString(s[:off])
		off -= w
		chars++
	}
	at := restart(s, off)
	for at < off {
		c, _, _, _ := uniseg.FirstGraphemeClusterInString(s[at:], -1)
		at += len(c)
	}
	return cut{at, chars - utf8.RuneCountInString(s[off:at])}
}

// restart gives a cluster boundary at or before off, near it where the text
// allows, so that a long text need not be scanned from its beginning.
func restart(s string, off int) int {
	if off == 0 || off == len(s) {
		return off
	}
	right, _ := utf8.DecodeRuneInString(s[off:])
	for at := off; at > 0 && off-at < restartWindow; {
		left, w := utf8.DecodeLastRuneInString(s[:at])
		if parted(left, right) {
			return at
		}
		at -= w
		right = left
	}
	return 0
}

// parted tells that there is always a cluster boundary between the two runes,
// whatever stands around them.
func parted(left, right rune) bool {
	switch {
	case left == '\r':
		return right != '\n' && alone(right)
	case left < utf8.RuneSelf:
		return alone(right) || startsWord(right)
	}
	return alone(left) && alone(right)
}

// alone tells that r is a character that joins only with marks: none of the
// joining rules for jamo, Indic conjuncts, flags or emoji concern it.
func alone(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return true
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul syllables
		return true
	}
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lo) &&
		unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// startsWord tells that r is a letter which never joins to ASCII before it.
func startsWord(r rune) bool {
	return unicode.Is(unicode.Lo, r) && r != 0x0E33 && r != 0x0EB3
}

func fits(s string, n int) bool {
	return len(s) <= n || utf8.RuneCountInString(s) <= n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
