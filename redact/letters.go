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
	j := i + 1
	for strings.HasPrefix(s[j:], "25") && j < i+5 {
		j += 2
	}
	if c, ok := hexAt(s, j); ok && c >= ' ' && c < 0x7f && c != '%' {
		return j + 2 - i, asciiAt(c)
	}
	return 0, ""
}

// slashedAt reads \u003d and \/, with however many backslashes.
func slashedAt(s string, i int) (n int, plain string) {
	j := i
	for j < len(s) && s[j] == '\\' {
		j++
	}
	switch {
	case strings.HasPrefix(s[j:], "u00"):
		if c, ok := hexAt(s, j+3); ok && c > ' ' && c < 0x7f {
			return j + 5 - i, asciiAt(c)
		}
	case j < len(s) && s[j] == '/':
		return j + 1 - i, "/"
	}
	return 0, ""
}

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
