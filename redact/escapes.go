package redact

import "strings"

// escapeAt is the length of an escape sequence of a terminal.
func escapeAt(s string, i int) int {
	if i+1 == len(s) {
		return 1
	}
	switch s[i+1] {
	case '[':
		if n := codeAt(s, i+1); n > 0 {
			return 1 + n
		}
	case ']':
		for j := i + 2; j < len(s) && j < i+512 && s[j] != barrier; j++ {
			if s[j] == 0x07 {
				return j + 1 - i
			}
			if s[j] == 0x1b && j+1 < len(s) && s[j+1] == '\\' {
				return j + 2 - i
			}
		}
	case '(', ')':
		if i+2 < len(s) && s[i+2] > ' ' {
			return 3
		}
	}
	return 1
}

// codeAt is the length of what follows the ESC in a code of a terminal.
func codeAt(s string, i int) int {
	if i >= len(s) || s[i] != '[' {
		return 0
	}
	j := i + 1
	for j < len(s) && j < i+40 && s[j] >= 0x20 && s[j] < 0x40 {
		j++
	}
	if j < len(s) && s[j] >= 0x40 && s[j] < 0x7f {
		return j + 1 - i
	}
	return 0
}

// spelledEscapeAt is the length of a code of a terminal whose ESC is written
// out: \u001b[0m, \x1b[0m, \033[0m, \e[0m, ^[[0m.
func spelledEscapeAt(s string, i int) int {
	j := i + backslashes(s, i)
	w := s[j:min(len(s), j+5)]
	for _, esc := range [...]string{"u001b", "u001B", "x1b", "x1B", "033", "e", "E", "^["} {
		if (j > i) != (esc == "^[") && strings.HasPrefix(w, esc) {
			if n := codeAt(s, j+len(esc)); n > 0 {
				return j + len(esc) + n - i
			}
		}
	}
	return 0
}

// lostEscapeAt is the length of codes of a terminal that lost their ESC.
func lostEscapeAt(s string, i int) int {
	at := i
	for at+1 < len(s) && s[at] == '[' {
		j := at + 1
		for j < len(s) && j < at+24 && ofCode(s[j]) {
			j++
		}
		if j == len(s) || !isFinal(s[j]) {
			break
		}
		// Without a number it is a code only next to another one.
		next := strings.HasPrefix(s[j+1:], "[K")
		if j == at+1 && (s[j] != 'm' || !next) && (s[j] != 'K' || at == i && (i == 0 || s[i-1] != 'm')) {
			break
		}
		at = j + 1
	}
	return at - i
}

// codeIn is where the code of a terminal that lost its ESC begins in s, -1 if
// there is none.
func codeIn(s string) int {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '[')
		if i < 0 {
			return -1
		}
		if at += i; strings.HasPrefix(s[at:], "[m") && at > 0 || lostEscapeAt(s, at) > 0 {
			return at
		}
	}
}

// spelledEnds reports whether what stands right before the byte at is written
// in two characters or three: \b, `n, or the equals sign, a quote or a blank of
// quoted-printable mail.
func (v *view) spelledEnds(at int) bool {
	if at < 2 {
		return false
	}
	switch s := v.text; {
	case s[at-2] == '\\':
		return true
	case s[at-2] == '`':
		return s[at-1] == 'n' || s[at-1] == 't' || s[at-1] == 'r'
	case at > 2 && s[at-3] == '=':
		switch s[at-2 : at] {
		case "3D", "20", "22", "09", "0A":
			return true
		}
	}
	return false
}

// escapeEnds is the length of an escape right before the byte at: \n, \u003d,
// \x3d, %3D or what is left of the code of a terminal. 0 if there is none.
func (v *view) escapeEnds(at int) int {
	s := v.text
	if at >= 2 && s[at-2] == '\\' && (s[at-1] == 'n' || s[at-1] == 't' || s[at-1] == 'r' || s[at-1] == 'f' || s[at-1] == 'b') {
		return 2
	}
	if at >= 3 && s[at-3] == '%' && isHex(s[at-2]) && isHex(s[at-1]) {
		return 3
	}
	if at >= 4 && s[at-4] == '\\' && s[at-3] == 'x' && isHex(s[at-2]) && isHex(s[at-1]) {
		return 4
	}
	if at >= 6 && s[at-6] == '\\' && s[at-5] == 'u' && isHex(s[at-4]) && isHex(s[at-3]) && isHex(s[at-2]) && isHex(s[at-1]) {
		return 6
	}
	if at >= 2 && isFinal(s[at-1]) {
		i := at - 2
		for i > 0 && at-i < 24 && ofCode(s[i]) {
			i--
		}
		if s[i] == '[' {
			if i > 0 && s[i-1] == 0x1b {
				i--
			}
			return at - i
		}
	}
	return 0
}

// isFinal reports what ends a code of a terminal: of color, of clearing, of
// moving.
func isFinal(c byte) bool { return strings.IndexByte("mKJHGABCDhl", c) >= 0 }

// ofCode reports the parameters of such a code.
func ofCode(c byte) bool { return isDigit(c) || c == ';' || c == '?' }

// escapeWithin reports whether the byte at belongs to an escape that began
// before it.
func (v *view) escapeWithin(at int) bool {
	for n := 1; n <= 6 && at+n <= len(v.text); n++ {
		if v.escapeEnds(at+n) > n {
			return true
		}
	}
	return false
}
