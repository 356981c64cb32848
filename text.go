package recap

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Line makes text from outside safe for one line of a terminal: no escape
// sequence, no control or bidirectional formatting character, white space
// folded, valid UTF-8. Joiners and variation selectors stay.
func Line(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	space := false
	for _, r := range Safe(s) {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Safe is Line for text of several lines: line breaks and spaces stay.
func Safe(s string) string {
	if printable(s) {
		return s
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.Contains(s, "\x1b") {
		s = ansi.Strip(s)
	}
	if strings.ContainsAny(s, "\u009b\u009d") {
		s = shortEscapes().ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r):
			return ' '
		case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f', r == '\u061c',
			r == '\u2028', r == '\u2029', r == '\ufeff':
			if r == '\u2028' || r == '\u2029' {
				return '\n'
			}
			return -1
		case r >= 0xE0000 && r <= 0xE007F: // tag characters carry hidden text
			return -1
		}
		return r
	}, s)
}

// Visible is Safe without the characters that show nothing and join nothing:
// what they hold apart a reader sees as one.
func Visible(s string) string {
	s = Safe(s)
	if !strings.ContainsAny(s, "\u00ad\u200b\u2060") {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u00ad', '\u200b', '\u2060':
			return -1
		}
		return r
	}, s)
}

// shortEscapes are whole sequences in the form of one sign that stands for ESC and
// the next: colours, cursors, and what a title of a window is set by.
var shortEscapes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\x{9b}[0-9:;<=>?]*[ -/]*[@-~]|\x{9d}[^\x{9c}\x07\n]{0,400}(?:\x{9c}|\x07)`)
})

// printable reports whether s is ASCII without control characters but line
// feeds and tabs.
func printable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c > '~' || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// plain reports whether s is printable ASCII without runs of spaces.
func plain(s string) bool {
	prev := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && prev == ' ' {
			return false
		}
		prev = c
	}
	return prev != ' ' || s == ""
}
