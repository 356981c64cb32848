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
// a grapheme cluster. A number, an identifier, a path or an address is not cut
// where there is anything before it.
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
	} else if boundary > 0 && boundary < len(kept) && unbroken(text, boundary) {
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
	if insideNumber(text, at) {
		return true
	}
	if unicode.IsSpace(before) || unicode.IsSpace(after) {
		return false
	}
	dense := func(r rune) bool {
		return spaceless(scriptOf(r)) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65
	}
	return !dense(before) && !dense(after)
}

// unbroken reports whether what begins at the place is a number or a name,
// which a cut would turn into another one.
func unbroken(text string, at int) bool {
	rest := strings.TrimLeftFunc(text[at:], unicode.IsSpace)
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		rest = rest[:i]
	}
	token := strings.TrimFunc(rest, func(r rune) bool { return strings.ContainsRune(".,;:!?()[]{}<>\"'*`“”«»„", r) })
	if token == "" {
		return false
	}
	return unicode.IsDigit([]rune(token)[0]) || strings.ContainsAny(token, "0123456789/\\_@=#$€£¥~:.") || name(token) || hanNumeral([]rune(token)[0])
}

// insideNumber reports whether the place lies inside a number that is written
// with a blank or with words: "10 000", "5 million", "500万", "三千五百", or between
// a sign and its number.
func insideNumber(text string, at int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:at])
	after, m := utf8.DecodeRuneInString(text[at:])
	switch {
	case hanNumeral(before) && hanNumeral(after), unicode.IsDigit(before) && hanUnit(after), strings.ContainsRune("$€£¥₽-−+±≈~", before) && unicode.IsDigit(after):
		return true
	case unicode.IsSpace(after) && unicode.IsDigit(before):
		return grouped(text[:at], text[at+m:])
	case unicode.IsSpace(before):
		return grouped(text[:at-n], text[at:])
	}
	return false
}

// grouped reports whether a number goes on behind a blank: by three digits, or
// by a word for a large number.
func grouped(before, after string) bool {
	head := before[strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsDigit(r) })+1:]
	number := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	if number == "" || !unicode.IsDigit(rune(number[len(number)-1])) {
		return false
	}
	digits := 0
	for digits < len(after) && after[digits] >= '0' && after[digits] <= '9' {
		digits++
	}
	next, _ := utf8.DecodeRuneInString(after[digits:])
	if digits == 3 && len(head) <= 3 && (unicode.IsSpace(next) || after[digits:] == "" || strings.ContainsRune(".,;:!?)%", next)) {
		return true
	}
	word := after
	if i := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		word = word[:i]
	}
	switch strings.ToLower(word) {
	case "million", "millions", "billion", "billions", "trillion", "thousand", "hundred", "millionen", "mio", "milliarde", "milliarden", "mrd", "tausend", "mille", "milliard", "milliards", "mil", "millones", "millón", "millón.", "milhões", "milhão", "bilhões", "mila", "milioni", "milione", "miliardi",
		"тысяч", "тысячи", "тысяча", "тыс", "млн", "млрд", "миллион", "миллиона", "миллионов", "миллиард", "миллиардов", "мільйон", "мільйонів", "тисяч", "tys", "milion", "miliony", "milionów", "miljoen", "miljard", "duizend", "milyon", "milyar", "bin", "triệu", "tỷ", "nghìn", "juta", "ribu", "लाख", "करोड़", "हज़ार", "مليون", "ألف":
		return true
	}
	return false
}

// hanUnit reports signs that multiply the number before them.
func hanUnit(r rune) bool {
	return strings.ContainsRune("十百千万萬億亿兆만억조천백", r)
}

// hanNumeral reports numerals of Chinese and Japanese.
func hanNumeral(r rune) bool {
	return r != utf8.RuneError && strings.ContainsRune("〇零一二三四五六七八九十百千万萬億亿兆两", r)
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
