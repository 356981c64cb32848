package redact

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letterAt is the plain ASCII for the entity or the wide letter at s[i:], and
// how many bytes that takes. 0 if there is none.
func letterAt(s string, i int) (n int, plain string) {
	switch s[i] {
	case '&':
		return entityAt(s, i)
	case '%':
		return percentAt(s, i)
	case '\\':
		return slashedAt(s, i)
	case '=': // of quoted-printable mail
		if strings.HasPrefix(s[i:], "=3D") {
			return 3, "="
		}
		return 0, ""
	case 0xe2, 0xef, 0xf0:
	default:
		return 0, ""
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return n, string(r - 0xff01 + '!')
	case r >= 0x1d400 && r <= 0x1d7ff, r >= 0x2460 && r <= 0x24ff, r >= 0x2070 && r <= 0x209c, r >= 0x2102 && r <= 0x2139:
		if p := norm.NFKC.String(string(r)); len(p) == 1 && isAlnum(p[0]) {
			return n, p
		}
	}
	return 0, ""
}

// percentAt reads a character that is written in percent, once or twice.
func percentAt(s string, i int) (n int, plain string) {
	c, j := percentByte(s, i)
	switch {
	case j == i:
		return 0, ""
	case c >= ' ' && c < 0x7f && c != '%':
		return j - i, asciiAt(c)
	case c < 0xc2 || c > 0xf4:
		return 0, ""
	}
	b := []byte{byte(c)}
	for j < len(s) && s[j] == '%' && !utf8.FullRune(b) {
		c, next := percentByte(s, j)
		if c < 0x80 || c > 0xbf {
			return 0, ""
		}
		b, j = append(b, byte(c)), next
	}
	if r, _ := utf8.DecodeRune(b); r == utf8.RuneError || invisible(r) {
		return 0, ""
	}
	return j - i, string(b)
}

// percentByte reads a byte that is written in percent, and where it ends.
func percentByte(s string, i int) (c, end int) {
	j := i + 1
	for strings.HasPrefix(s[j:], "25") && j < i+5 {
		j += 2
	}
	if c, ok := hexAt(s, j); ok {
		return c, j + 2
	}
	return 0, i
}

// slashedAt reads \u003d, \x3d and \/, with however many backslashes.
func slashedAt(s string, i int) (n int, plain string) {
	j := i + backslashes(s, i)
	if j == len(s) {
		return 0, ""
	}
	c, at := 0, j+1
	switch s[j] {
	case '/':
		return j + 1 - i, "/"
	case 'u':
		high, ok := hexAt(s, at)
		if !ok {
			return 0, ""
		}
		c, at = high<<8, at+2
	case 'x':
	default:
		return 0, ""
	}
	low, ok := hexAt(s, at)
	if c += low; !ok || s[j] == 'x' && c >= 0x7f {
		return 0, ""
	}
	switch r := rune(c); { //nolint:gosec // four digits
	case c <= ' ' || c >= 0x7f && c <= 0xa0 || !utf8.ValidRune(r) || invisible(r):
		return 0, ""
	case c < 0x7f:
		return at + 2 - i, asciiAt(c)
	default:
		return at + 2 - i, string(r)
	}
}

// backslashes is the length of the run of them at s[i:], maxBackslashes at most.
func backslashes(s string, i int) int {
	n := 0
	for i+n < len(s) && s[i+n] == '\\' && n < maxBackslashes {
		n++
	}
	return n
}

// maxBackslashes is how many stand before a letter that was escaped again and
// again.
const maxBackslashes = 16

// asciiAt is the printable character c.
func asciiAt(c int) string {
	const printable = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
	return printable[c-' ' : c-' '+1]
}

// hexAt reads two hexadecimal digits.
func hexAt(s string, i int) (c int, ok bool) {
	if i+2 > len(s) || !isHex(s[i]) || !isHex(s[i+1]) {
		return 0, false
	}
	digit := func(c byte) int {
		if isDigit(c) {
			return int(c - '0')
		}
		return int(c|0x20-'a') + 10
	}
	return digit(s[i])<<4 | digit(s[i+1]), true
}

// entityAt reads an entity of HTML that stands for an ASCII character.
func entityAt(s string, i int) (n int, plain string) {
	w := s[i+1 : min(len(s), i+12)]
	end := strings.IndexByte(w, ';')
	if end < 2 {
		return 0, ""
	}
	name := w[:end]
	if name[0] == '#' {
		c, base := 0, 10
		if name = name[1:]; name[0]|0x20 == 'x' {
			name, base = name[1:], 16
		}
		for k := range len(name) {
			d := strings.IndexByte("0123456789abcdef", name[k]|0x20)
			if isDigit(name[k]) {
				d = int(name[k] - '0')
			}
			if d < 0 || d >= base || c > 0xff {
				return 0, ""
			}
			c = c*base + d
		}
		if c <= ' ' || c >= 0x7f {
			return 0, ""
		}
		return end + 2, asciiAt(c)
	}
	for _, e := range [...]struct{ name, plain string }{
		{"amp", "&"},
		{"lt", "<"},
		{"gt", ">"},
		{"quot", `"`},
		{"apos", "'"},
		{"lowbar", "_"},
		{"UnderBar", "_"},
		{"hyphen", "-"},
		{"dash", "-"},
		{"period", "."},
		{"equals", "="},
		{"colon", ":"},
		{"sol", "/"},
		{"plus", "+"},
		{"ast", "*"},
		{"num", "#"},
		{"excl", "!"},
		{"dollar", "$"},
		{"percnt", "%"},
		{"commat", "@"},
		{"Hat", "^"},
		{"quest", "?"},
	} {
		if e.name == name {
			return end + 2, e.plain
		}
	}
	return 0, ""
}
