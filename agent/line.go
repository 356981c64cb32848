package agent

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/redact"
)

const (
	// lineChars is the longest Line, in characters.
	lineChars = 200
	// What is looked at of a text, in bytes: enough that a key which is cut at
	// its end begins far behind what is kept. Where much of that goes, because
	// it is a secret or shows nothing, more is looked at. The first is also the
	// longest text in which redaction finds a key that a blank breaks.
	lineLook, lineLookOn = 4 << 10, 32 << 10
	// lostEnd is what goes of the end of a text that is not whole, in bytes: more
	// than a key that lines break.
	lostEnd = 512
)

// Line makes a title of a text, or what a session waits for: one safe line of
// at most 200 characters, with "…" where it was cut, and without secrets. They
// are looked for before lines are joined and before anything is cut: a key that
// is broken or cut is not known for one any more. It is "" where they can't be
// looked for.
func Line(text string) string {
	for _, look := range [...]int{lineLook, lineLookOn} {
		piece, whole := text, len(text) <= look
		if !whole {
			piece = upTo(text, look)
		}
		if piece == "" && !whole && look == lineLookOn {
			piece = text[:look] // too long a word to be a key
		}
		line, ok := clean(strings.ToValidUTF8(piece, ""))
		if !ok {
			return ""
		}
		if len(line) > lineLook {
			whole = false
			if piece = upTo(line, lineLook); piece == "" {
				piece = strings.ToValidUTF8(line[:lineLook], "")
			}
			if line, ok = hide(piece); !ok {
				return ""
			}
		}
		if whole || len(line) >= lineLook/2 {
			return CutLine(line)
		}
	}
	return ""
}

// Beginning gives what may be shown of a text that is not whole: its end goes,
// which may be the beginning of a key.
func Beginning(text string) string {
	if n := len(text) - lostEnd; n <= lineLookOn {
		return upTo(text, n)
	}
	return text
}

// upTo gives at most n bytes of a longer text, up to a blank or to a character
// that no key has; none where the second half has neither.
func upTo(s string, n int) string {
	if n <= 0 {
		return ""
	}
	for i := n; i > n/2; i-- {
		if c := s[i]; c <= ' ' || c >= utf8.RuneSelf && utf8.RuneStart(c) {
			return s[:i]
		}
	}
	return ""
}

// clean redacts a text and makes it one safe line. What escapes, characters
// that show nothing and line breaks held apart is together only then, so it is
// redacted again.
func clean(s string) (string, bool) {
	out, ok := hide(s)
	for _, f := range [...]func(string) string{recap.Visible, recap.Line} {
		if next := f(out); ok && next != out {
			out, ok = hide(next)
		}
	}
	return out, ok
}

func hide(s string) (string, bool) {
	if s == "" {
		return "", true
	}
	out, _, err := redact.Text(s)
	return out, err == nil
}

// CutLine cuts a line without secrets at 200 characters, between two grapheme
// clusters, on a word boundary where one lies in the last fifth.
func CutLine(s string) string {
	if len(s) <= lineChars {
		return s
	}
	n, at, space := 0, 0, -1
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		chars := utf8.RuneCountInString(norm.NFC.String(cluster))
		if n+chars > lineChars-1 && (rest != "" || n+chars > lineChars) {
			if space > 0 {
				at = space
			}
			if i := strings.LastIndexByte(s[:at], '['); i >= 0 && strings.HasPrefix(s[i:], "[redacted:") && !strings.Contains(s[i:at], "]") {
				at = i // no piece of a mark
			}
			return strings.TrimRight(s[:at], " ") + "…"
		}
		if cluster == " " && n >= lineChars*4/5 {
			space = at
		}
		n, at = n+chars, at+len(cluster)
	}
	return s
}
