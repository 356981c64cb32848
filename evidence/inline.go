package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// writing is how a text was written.
type writing int

const (
	// markdown is what agents write: marks stand around words.
	markdown writing = iota
	// typed is what a person typed: signs are meant as they stand, apart from
	// those of code, of links and of bold words.
	typed
)

// inline strips the marks of markdown within a paragraph. The words stay.
func inline(s string) string { return inlineAs(s, markdown, nil) }

// inlineTyped does it for what a person typed.
func inlineTyped(s string) string { return inlineAs(s, typed, nil) }

// inlineAs strips marks only where they come in pairs around words: a name
// (__init__), a pattern (src/**/*.ts), a product (a*b), a pointer (*p), a type
// (Vec<i>) and a tag that is spoken of keep theirs.
func inlineAs(s string, as writing, code *strings.Replacer) string {
	if !strings.ContainsAny(s, "`*_[~<!\\&") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		n := 0
		switch s[i] {
		case '`':
			n = codeSpan(&b, s[i:], code)
		case '*', '_', '~':
			n = runOf(s[i:])
			if end := emphasisEnd(s, i, n); end > 0 && (as == markdown || s[i] == '*' && n > 1) {
				b.WriteString(inlineAs(s[i+n:end], as, code))
				n += end - i
			} else {
				b.WriteString(s[i : i+n])
			}
		case '!':
			if _, k := link(s, i+1); k > 0 {
				n = 1 + k
			}
		case '[':
			var text string
			if text, n = link(s, i); n > 0 {
				b.WriteString(inlineAs(text, as, code))
			}
		case '<':
			if n = autolink(s[i:]); n > 0 {
				b.WriteString(s[i+1 : i+n-1])
			} else if as == markdown {
				if n = htmlTag(s, i); n > 0 {
					b.WriteByte(' ')
				}
			}
		case '\\':
			if as == markdown && i+1 < len(s) && strings.IndexByte("*_`[]#~<>", s[i+1]) >= 0 {
				b.WriteByte(s[i+1])
				n = 2
			}
		case '&':
			if as == markdown {
				n = entity(&b, s[i:])
			}
		}
		if n == 0 {
			b.WriteByte(s[i])
			n = 1
		}
		i += n
	}
	return b.String()
}

// codeSpan writes what stands between marks of code, and gives how long it is
// with them. A mark that nothing ends is left out.
func codeSpan(b *strings.Builder, s string, code *strings.Replacer) int {
	n := runOf(s)
	end := strings.Index(window(s[n:]), s[:n])
	if end < 0 {
		return n
	}
	span := strings.Trim(s[n:n+end], " ")
	if code != nil {
		body := strings.TrimRight(span, ".…")
		span = code.Replace(body) + strings.NewReplacer(".", "\u2e3c", "…", "...").Replace(span[len(body):])
	}
	b.WriteString(span)
	return n + end + n
}

// runOf is how often the first byte of s stands at its start.
func runOf(s string) int { return len(s) - len(strings.TrimLeft(s, s[:1])) }

// The end of a mark is looked for within so many bytes.
const (
	maxEmphasis = 600
	maxMarkup   = 4000
	maxTag      = 60
)

func window(s string) string { return s[:min(len(s), maxMarkup)] }

// emphasisEnd gives where the marks stand that end those at i, n of them, or 0
// where these open no emphasis.
func emphasisEnd(s string, i, n int) int {
	mark := s[i : i+n]
	if n > 3 || mark == "~" || mark == "~~~" || !opens(s, i, n) {
		return 0
	}
	limit := min(len(s), i+maxEmphasis)
	for j := i + n; j < limit; {
		switch s[j] {
		case '`': // marks within code are code
			k := runOf(s[j:])
			if end := strings.Index(s[j+k:limit], s[j:j+k]); end >= 0 {
				j += k + end
			}
			j += k
		case mark[0]:
			k := runOf(s[j:])
			if k == n && closes(s, j, n) && !ownMarks(s[i+n:j], mark) {
				return j
			}
			j += k
		default:
			j++
		}
	}
	return 0
}

// opens: the marks stand before a word, and behind none.
func opens(s string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+n:])
	if i+n == len(s) || unicode.IsSpace(after) || after == '/' || after == '.' {
		return false
	}
	return i == 0 || unicode.IsSpace(before) || strings.ContainsRune("([{\"'“‘«:;,.!?—–-。，、：；（「『*_~", before) && !nameBefore(s[:i], before) || s[i] != '_' && isRun(before)
}

// nameBefore: the sign before a mark belongs to a name or a path, as in
// "x.*" and "a-*".
func nameBefore(s string, sign rune) bool {
	if !strings.ContainsRune(".-_*:", sign) {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s[:len(s)-1])
	return len(s) > 1 && !unicode.IsSpace(r) && sign != ':'
}

// closes: the marks stand behind a word, and before none.
func closes(s string, i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, size := utf8.DecodeRuneInString(s[i+n:])
	if unicode.IsSpace(before) || before == '/' || before == '(' {
		return false
	}
	if i+n == len(s) || unicode.IsSpace(after) || s[i] != '_' && isRun(after) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[i+n+size:])
	if (after == '.' || after == ':' || after == '-' || after == '*' || after == '_') && i+n+size < len(s) && !unicode.IsSpace(next) && !strings.ContainsRune("*_)\"'”’", next) {
		return false // a name goes on, as in "__main__.py"
	}
	return strings.ContainsRune(")]}\"'”’»:;,.!?…—–-。，、：；）」』！？*_~", after)
}

// ownMarks: the marks may belong to the words between them, as in "__init__"
// and from the first to the last of "__a__ and __b__".
func ownMarks(s, mark string) bool {
	if mark[0] != '_' {
		return false
	}
	words := strings.Fields(s)
	if len(words) < 2 {
		return len(mark) > 1 || strings.ContainsAny(s, "_/.(")
	}
	return strings.Contains(words[0], mark) || strings.Contains(words[len(words)-1], mark)
}

// link reads "[text](target)" at i: its text, and how long it is, else 0. A
// call of what an index gives, "f[i](x)", is none.
func link(s string, i int) (text string, n int) {
	if i >= len(s) || s[i] != '[' {
		return "", 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && (unicode.IsLetter(before) && before < 0x2e80 || unicode.IsDigit(before) || before == '_' || before == ')' || before == ']') {
		return "", 0
	}
	end := strings.IndexByte(window(s[i:]), ']')
	if end < 0 || end > 400 || i+end+1 >= len(s) || s[i+end+1] != '(' {
		return "", 0
	}
	stop := strings.IndexByte(window(s[i+end:]), ')')
	if stop < 0 {
		return "", 0
	}
	if n = end + stop + 1; i+n < len(s) && isAlnum(s[i+n]) {
		return "", 0 // its text would run into the next word
	}
	return s[i+1 : i+end], n
}

// autolink reads "<https://…>": how long it is, else 0.
func autolink(s string) int {
	end := strings.IndexByte(window(s), '>')
	if end < 0 || strings.ContainsAny(s[1:end], " <\"") {
		return 0
	}
	if target := s[1:end]; strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "mailto:") {
		return end + 1
	}
	return 0
}

// htmlTag gives how long the tag at i is that marks words up, else 0: one of a
// pair whose other stands in the same paragraph, or a line break between words.
// A tag alone is spoken of.
func htmlTag(s string, i int) int {
	end := strings.IndexByte(s[i:min(len(s), i+maxTag)], '>')
	if end < 2 {
		return 0
	}
	inner := s[i+1 : i+end]
	closing := strings.HasPrefix(inner, "/")
	name := strings.TrimPrefix(inner, "/")
	k := 0
	for k < len(name) && (isAlnum(name[k]) || name[k] == '-' || name[k] == '_') {
		k++
	}
	name, attrs := name[:k], name[k:]
	if name == "" || name != strings.ToLower(name) || !isLetterByte(name[0]) || attrs != "" && attrs[0] != ' ' && attrs != "/" {
		return 0
	}
	switch {
	case name == "br":
		if i > 0 && s[i-1] != ' ' || i+end+1 < len(s) && s[i+end+1] != ' ' {
			return end + 1
		}
		return 0
	case closing && attrs == "":
		if lastTag(s[max(0, i-maxMarkup):i], name) {
			return end + 1
		}
	case !closing:
		if c := strings.Index(window(s[i+end:]), "</"+name+">"); c >= 0 && strings.TrimSpace(s[i+end+1:i+end+c]) != "" && !strings.HasPrefix(s[i+end+1:], "`") {
			return end + 1
		}
	}
	return 0
}

// lastTag: a tag of that name was opened in s.
func lastTag(s, name string) bool {
	at := strings.LastIndex(s, "<"+name)
	if at < 0 {
		return false
	}
	rest := s[at+1+len(name):]
	return rest != "" && (rest[0] == '>' || rest[0] == ' ') && strings.Contains(rest, ">")
}

func isLetterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// entity writes the sign that a character reference stands for, and gives how
// long it is, else 0. A tag is never made of it by what follows: the words are
// shown, not read again.
func entity(b *strings.Builder, s string) int {
	for _, e := range [...]struct{ name, sign string }{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", `"`}, {"&#39;", "'"}, {"&nbsp;", " "}} {
		if strings.HasPrefix(s, e.name) {
			b.WriteString(e.sign)
			return len(e.name)
		}
	}
	return 0
}
