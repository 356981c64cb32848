package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// ellipsis ends a text that was cut.
const ellipsis = "…"

// Chars is the length of a text as people count it here: code points after
// NFC.
func Chars(s string) int { return utf8.RuneCountInString(norm.NFC.String(s)) }

// Words counts the words of a text. Where a script has no blanks between words
// two characters are one word, an odd one more counts as a whole.
func Words(text string) int {
	var c wordCounter
	for _, r := range norm.NFC.String(text) {
		c.add(r)
	}
	return c.words()
}

// wordCounter counts the words of a text as it comes.
type wordCounter struct {
	spaced int // words between blanks
	dense  int // letters of scripts without blanks
	inside bool
}

func (c *wordCounter) add(r rune) {
	switch {
	case spaceless(scriptOf(r)):
		if !unicode.IsMark(r) {
			c.dense++
		}
		c.inside = false
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		if !c.inside {
			c.spaced++
		}
		c.inside = true
	case unicode.IsSpace(r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65 || r == '—' || r == '…':
		c.inside = false
	}
	// Other signs belong to the word around them: don't, main.go, v1.2.
}

func (c *wordCounter) words() int { return c.spaced + (c.dense+1)/2 }

// ClampWords cuts a text to at most so many words and characters, the mark of
// the cut among them. A limit of zero or less allows nothing. A text within the
// limits stays as it is, but for NFC and white space around it. It is cut at the
// end of a word where one lies in the last fifth of the limit, and never inside
// a grapheme cluster.
func ClampWords(text string, words, chars int) string {
	text = strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")))
	if words <= 0 || chars <= 0 || text == "" {
		return ""
	}
	if Words(text) <= words && utf8.RuneCountInString(text) <= chars {
		return text
	}
	kept := clusters(text, words, chars-1)
	if boundary := lastBoundary(text, len(kept)); boundary > 0 && inLastFifth(kept, boundary) {
		kept = kept[:boundary]
	}
	kept = trimCut(kept)
	out := norm.NFC.String(kept + ellipsis)
	if kept == "" || Words(out) > words || utf8.RuneCountInString(out) > chars {
		return ellipsis
	}
	return out
}

// clusters is the longest start of the text, in whole grapheme clusters, within
// the limits.
func clusters(text string, words, chars int) string {
	var c wordCounter
	n, end, state := 0, 0, -1
	rest := text
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n += utf8.RuneCountInString(cluster)
		for _, r := range cluster {
			c.add(r)
		}
		if n > chars || c.words() > words {
			break
		}
		end += len(cluster)
	}
	return text[:end]
}

// lastBoundary is the offset of the last end of a word at or before the cut.
func lastBoundary(text string, cut int) int {
	if cut >= len(text) {
		return len(text)
	}
	last, at, state := 0, 0, -1
	rest := text
	for rest != "" && at < cut {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		at += len(word)
		if at <= cut && !glued(text, at) {
			last = at
		}
	}
	return last
}

// glued reports whether the place lies inside what people see as one word:
// between two signs that are no blanks, such as in main.go or a/b.
func glued(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	if unicode.IsSpace(before) || unicode.IsSpace(after) {
		return false
	}
	dense := func(r rune) bool {
		return spaceless(scriptOf(r)) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65
	}
	return !dense(before) && !dense(after)
}

// inLastFifth reports whether little is lost by a cut at the boundary.
func inLastFifth(kept string, boundary int) bool {
	all := utf8.RuneCountInString(kept)
	return utf8.RuneCountInString(kept[:boundary]) >= all-all/5
}

// trimCut drops what looks wrong before the mark of a cut.
func trimCut(s string) string {
	return strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:-–—(。、，；：", r)
	})
}
