package redact

import "strings"

// maxBack bounds how far a match begins before its keyword.
const (
	maxBack  = 64
	maxLines = 8 << 10
)

// maxName bounds the name of a parameter or an element.
const maxName = 32

// stepBack is where a match may begin whose keyword stands at the offset.
func (v *view) stepBack(b back, at int) int {
	from := at
	var in func(byte) bool
	switch b {
	case backNone:
		return at
	case backLines:
		return v.stepBackLines(at)
	case backSecret:
		return max(0, at-3)
	case backTag:
		return v.stepBackTo(at, "<")
	case backQuery:
		return v.stepBackTo(at, "?&#")
	case backEcho:
		return v.stepBackEcho(at)
	case backToken:
		in = func(c byte) bool { return c > ' ' && c < 0x7f && c != '"' && c != '\'' && c != '`' && c != '=' }
	case backDigits:
		in = isDigit
	case backWord:
		in = func(c byte) bool { return isAlnum(c) || c == '-' || c == '_' }
	case backAlnum:
		in = isAlnum
	case backName:
		in = func(c byte) bool { return isAlnum(c) || c == '+' || c == '.' || c == '-' }
	}
	for from > 0 && at-from < maxBack && in(v.text[from-1]) {
		from--
	}
	// A digit or letter that belongs to an escape is no part of the match.
	for from < at && v.escapeEnds(from) == 0 && v.escapeWithin(from) {
		from++
	}
	if (b == backWord || b == backAlnum) && from > 0 && v.text[from-1] == '`' && from < at && v.spelledEnds(from+1) {
		from++ // `n of PowerShell
	}
	if b == backName { // a scheme begins with a letter; what is before it may be the sign of a changed line
		for from < at && !isUpper(v.text[from]) && !isLower(v.text[from]) {
			from++
		}
	}
	return from
}

// stepBackEcho steps back to the command of the pipe that prints, at if there is
// none.
func (v *view) stepBackEcho(at int) int {
	const most = 160
	line := v.text[max(0, at-most):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if !strings.Contains(line, "|") {
		return at
	}
	for _, command := range [...]string{"echo ", "printf ", "print "} {
		if i := strings.LastIndex(line, command); i >= 0 {
			return at - len(line) + i
		}
	}
	return at
}

// stepBackTo steps back over a name to one of the signs, if it stands there.
func (v *view) stepBackTo(at int, signs string) int {
	for from := at; from >= 0 && at-from < maxName; from-- {
		c := v.text[from]
		if strings.IndexByte(signs, c) >= 0 {
			return from
		}
		if !isAlnum(c) && c != '_' && c != '-' && c != ':' && c != '.' {
			break
		}
	}
	return at
}

// stepBackLines steps over the lines of a private key before the one at the
// offset: lines that are base64 and nothing else, or that end with much of it
// behind whatever each line of the text begins with.
func (v *view) stepBackLines(at int) int {
	const (
		most = 100 // bytes before the base64 of a line, and on the last one before its mark
		full = 40  // of base64: a line that can be nothing else
		part = 8
	)
	s := v.text
	from := at
	if !strings.Contains(s[at:min(len(s), at+maxBack)], "PRIVATE KEY") {
		return at
	}
	for start := at; at-from < maxLines; start = from {
		i := start
		for i > 0 && start-i < most && breakEnds(s, i) == 0 {
			i--
		}
		n := breakEnds(s, i)
		if n == 0 && (i == 0 || s[i-1] != ' ' || i != start) {
			return from
		}
		for i -= n; ; { // more breaks, and what the line before ends with
			if n = breakEnds(s, i); n == 0 {
				n = trailing(s, i)
			}
			if n == 0 {
				break
			}
			i -= n
		}
		j := i
		for j > 0 && i-j < 200 && (isAlnum(s[j-1]) || strings.IndexByte("+/=", s[j-1]) >= 0) {
			j--
		}
		if j < i && j > 0 && s[j] == 'n' && s[j-1] == '\\' {
			j++
		}
		switch size := i - j; {
		case size >= full, size >= part && (j == 0 || onlyMarks(s, j)), from == at && size > 0 && s[i-1] == '=':
			from = j
		default:
			return from
		}
	}
	return from
}

// breakEnds is the length of the line break that ends before the byte at.
func breakEnds(s string, at int) int {
	switch {
	case at > 0 && (s[at-1] == '\n' || s[at-1] == '\r'):
		return 1
	case at > 1 && s[at-2] == '\\' && (s[at-1] == 'n' || s[at-1] == 'r'):
		return 2
	}
	return 0
}

// trailing is the length of the blank, the mark or the code of a terminal that
// a line ends with before the byte at.
func trailing(s string, at int) int {
	if at == 0 {
		return 0
	}
	if strings.IndexByte(" \t\"'`|\\", s[at-1]) >= 0 || s[at-1] == '+' && at > 1 && s[at-2] == ' ' {
		return 1
	}
	if strings.HasSuffix(s[:at], "│") {
		return len("│")
	}
	if v := (view{text: s}); isFinal(s[at-1]) {
		if n := v.escapeEnds(at); n > 2 {
			return n
		}
	}
	return 0
}

// onlyMarks reports whether nothing but marks stands between the break of the
// line and the byte at.
func onlyMarks(s string, at int) bool {
	for i := at; i > 0 && at-i < 12; i-- {
		if breakEnds(s, i) > 0 {
			return true
		}
		if c := s[i-1]; c < 0x80 && strings.IndexByte(" \t>|+#*/\"'-", c) < 0 {
			return false
		}
	}
	return false
}
