package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/unicode/norm"
)

// oneLine gives s on one line: no control, escape or direction characters,
// white space collapsed, NFC.
func oneLine(s string) string {
	if plain(s) {
		return s
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r == 0x1b || r >= 0x80 && r < 0xa0 }) {
		s = ansi.Strip(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), r < 0x20:
			space = b.Len() > 0
			continue
		case dropped(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

// plain: nothing to clean.
func plain(s string) bool {
	if s == "" {
		return true
	}
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c >= 0x7f || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' '
}

// dropped are characters that print nothing or turn the direction of others.
func dropped(r rune) bool {
	switch {
	case r == 0x7f || r >= 0x80 && r < 0xa0,
		r == utf8.RuneError, r == 0xfeff, r == 0x200b, r == 0x200e, r == 0x200f, r == 0x061c, r == 0x00ad, r == 0x2060, r == 0x180e,
		r >= 0x202a && r <= 0x202e, r >= 0x2061 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return r > 0x7f && unicode.In(r, unicode.Co, unicode.Cs)
}

// clip cuts s to n characters at most, on a character boundary.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n {
			return strings.TrimSpace(s[:i])
		}
		count++
	}
	return s
}

// segment is a sentence of a text.
type segment struct {
	text string
	para int
	// block is the part of the text between two headings.
	block int
	list  bool
	asks  bool // it ends in a question mark of its own, not of code
}

// maxSegments bounds the work on one text: as many are taken from its start
// and from its end.
const maxSegments = 80

// segments gives the sentences of prose in markdown: no code, tables,
// headings, quotes, nor lines of our own. Markup is gone.
func segments(md string, limit int) []segment {
	var out []segment
	var para strings.Builder
	n, block, list := 0, 0, false
	flush := func() {
		if para.Len() == 0 {
			return
		}
		text := oneLine(inlineAs(para.String(), maskEnds))
		para.Reset()
		for s := range sentences(text) {
			out = append(out, segment{text: unmaskEnds(s), para: n, block: block, list: list, asks: isQuestion(s)})
		}
		n++
		list = false
	}
	fence := ""
	ours := false
	md = withoutOurs(unescape(md))
	for line := range strings.SplitSeq(md, "\n") {
		trimmed := strings.TrimSpace(line)
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			flush()
			fence = trimmed[:3]
			continue
		}
		if ours = ownBlock(trimmed, ours); ours {
			flush()
			continue
		}
		switch {
		case trimmed == "":
			flush()
			continue
		case noProse(trimmed):
			flush()
			block++
			continue
		}
		if item, ok := listItem(trimmed); ok {
			flush()
			list = true
			trimmed = item
		} else if list && (line == "" || line[0] != ' ' && line[0] != '\t') {
			flush()
		}
		if para.Len() > 0 {
			para.WriteByte(' ')
		}
		para.WriteString(trimmed)
	}
	flush()
	if len(out) > limit {
		head := limit / 2
		out = append(out[:head:head], out[len(out)-(limit-head):]...)
	}
	return out
}

// unescape drops terminal sequences before lines are told apart.
func unescape(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		s = ansi.Strip(s)
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// noProse: headings, quotes, tables, rules and lines of our own.
func noProse(l string) bool {
	switch {
	case l[0] == '#':
		rest := strings.TrimLeft(l, "#")
		return rest == "" || rest[0] == ' '
	case l[0] == '>':
		return true
	case l[0] == '|':
		return true
	case strings.HasPrefix(l, "**") && strings.HasSuffix(strings.TrimRight(l, ":："), "**") && strings.Count(l, "**") == 2:
		// A line all in bold is a heading, unless it is a sentence.
		inner := strings.Trim(l, "*:： ")
		return inner == "" || !strings.ContainsAny(inner[len(inner)-1:], ".!?") && !strings.HasSuffix(inner, "。") && len(strings.Fields(inner)) < 6
	case ownLine(l):
		return true
	}
	return strings.Trim(l, "-=_* ") == ""
}

// ownLine: a line recap itself has drawn, or a record of ours.
func ownLine(l string) bool {
	l = strings.TrimLeft(l, "*_> ")
	if strings.HasPrefix(l, "※") || markLine(l) || headLine(l) {
		return true
	}
	if l != "" && (l[0] == '{' || l[0] == '[') {
		for _, key := range [...]string{`"recap"`, `"suggestion"`, `"generatedAt"`, `"forMessageID"`, `"forMessageId"`, `"fingerprint"`, `"session_id"`} {
			if strings.Contains(l, key) {
				return true
			}
		}
	}
	return false
}

// ownBlock follows the block of recent sessions from its heading to its end.
func ownBlock(l string, inside bool) bool {
	if strings.HasPrefix(l, "## Recent sessions") {
		return true
	}
	if !inside {
		return false
	}
	return l == "" || strings.HasPrefix(l, "- **") || strings.HasPrefix(l, "* **")
}

// listItem gives the text of a line of a list.
func listItem(l string) (string, bool) {
	var rest string
	switch {
	case strings.HasPrefix(l, "- "), strings.HasPrefix(l, "* "), strings.HasPrefix(l, "+ "):
		rest = l[2:]
	case strings.HasPrefix(l, "• "), strings.HasPrefix(l, "– "), strings.HasPrefix(l, "・"):
		_, n := utf8.DecodeRuneInString(l)
		rest = strings.TrimSpace(l[n:])
	default:
		i := 0
		for i < len(l) && i < 3 && l[i] >= '0' && l[i] <= '9' {
			i++
		}
		if i == 0 || i >= len(l)-1 || l[i] != '.' && l[i] != ')' || l[i+1] != ' ' {
			return l, false
		}
		rest = l[i+2:]
	}
	rest = strings.TrimSpace(rest)
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return rest, rest != ""
}

// Signs of code that end no sentence stand for themselves behind these.
var (
	maskEnds   = strings.NewReplacer("?", "\u2e2e", "!", "\u2e53", ". ", "\u2e3c ")
	unmaskSign = strings.NewReplacer("\u2e2e", "?", "\u2e53", "!", "\u2e3c", ".")
)

func unmaskEnds(s string) string {
	if strings.IndexByte(s, 0xe2) < 0 {
		return s
	}
	return unmaskSign.Replace(s)
}

// inline strips the marks of markdown within a paragraph. The words stay.
func inline(s string) string { return inlineAs(s, nil) }

func inlineAs(s string, code *strings.Replacer) string {
	if !strings.ContainsAny(s, "`*_[~<!\\") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '`':
			n := 1
			for i+n < len(s) && s[i+n] == '`' {
				n++
			}
			end := strings.Index(s[i+n:], s[i:i+n])
			if end >= 0 {
				span := strings.Trim(s[i+n:i+n+end], " ")
				if code != nil {
					body := strings.TrimRight(span, ".…")
					span = code.Replace(body) + strings.NewReplacer(".", "\u2e3c", "…", "...").Replace(span[len(body):])
				}
				b.WriteString(span)
				i += n + end + n
			} else {
				i += n
			}
		case '*':
			// A mark touches a word; a sign of multiplication does not.
			if i > 0 && s[i-1] == ' ' && i+1 < len(s) && s[i+1] == ' ' || glob(s, i) {
				b.WriteByte(c)
			}
			i++
		case '_':
			if i > 0 && wordByte(s[i-1]) && i+1 < len(s) && wordByte(s[i+1]) || i+1 < len(s) && s[i+1] == '_' && i+2 < len(s) && isAlnum(s[i+2]) && strings.HasPrefix(s[i:], "__init") {
				b.WriteByte(c)
			} else if i > 0 && s[i-1] != ' ' && i+1 < len(s) && wordByte(s[i+1]) {
				b.WriteByte(c) // else it is an emphasis mark
			}
			i++
		case '~':
			if strings.HasPrefix(s[i:], "~~") {
				i += 2
				continue
			}
			b.WriteByte(c)
			i++
		case '!':
			if strings.HasPrefix(s[i:], "![") {
				if _, n := link(s[i+1:]); n > 0 {
					i += n + 1
					continue
				}
			}
			b.WriteByte(c)
			i++
		case '[':
			text, n := link(s[i:])
			if n == 0 {
				b.WriteByte(c)
				i++
				continue
			}
			b.WriteString(inlineAs(text, code))
			i += n
		case '<':
			if n := htmlTag(s[i:]); n > 0 {
				b.WriteByte(' ')
				i += n
				continue
			}
			b.WriteByte(c)
			i++
		case '\\':
			if i+1 < len(s) && strings.IndexByte("*_`[]#~<>", s[i+1]) >= 0 {
				b.WriteByte(s[i+1])
				i += 2
				continue
			}
			b.WriteByte(c)
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func wordByte(c byte) bool { return isAlnum(c) || c == '_' || c >= 0x80 }

// glob: the star is part of a pattern like *.go or src/*.
func glob(s string, i int) bool {
	if i > 0 && (s[i-1] == '/' || s[i-1] == '.') {
		return true
	}
	return i+2 < len(s) && s[i+1] == '.' && isAlnum(s[i+2]) && (i == 0 || s[i-1] == ' ' || s[i-1] == '(')
}

// link reads "[text](target)": its text, and how long it is, else 0.
func link(s string) (text string, n int) {
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 400 || end+1 >= len(s) || s[end+1] != '(' {
		return "", 0
	}
	stop := strings.IndexByte(s[end:], ')')
	if stop < 0 {
		return "", 0
	}
	return s[1:end], end + stop + 1
}

func htmlTag(s string) int {
	end := strings.IndexByte(s, '>')
	if end < 2 || end > 60 {
		return 0
	}
	name := strings.TrimLeft(s[1:end], "/")
	k := 0
	for k < len(name) && isAlnum(name[k]) {
		k++
	}
	tag := name[:k]
	for j := k; j < len(name) && (isAlnum(name[j]) || name[j] == '-' || name[j] == '_'); j++ {
		tag = name[:j+1]
	}
	switch low := strings.ToLower(tag); {
	case len(tag) < 3 || low != tag || tag != name:
	case s[1] == '/' || strings.Contains(s[end:], "</"+tag+">"):
		return end + 1 // a pair of tags: the words in it stay
	}
	switch strings.ToLower(name[:k]) {
	case "br", "b", "i", "em", "strong", "code", "p", "div", "span", "details", "summary", "sub", "sup", "kbd", "a", "img", "u":
		return end + 1
	}
	return 0
}

// sentences splits a line of prose.
func sentences(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i < len(s); {
			r, n := utf8.DecodeRuneInString(s[i:])
			i += n
			if !endsSentence(r) {
				continue
			}
			// Signs and closing marks that belong to the end.
			for i < len(s) {
				q, w := utf8.DecodeRuneInString(s[i:])
				if !endsSentence(q) && !strings.ContainsRune(`"'”’»)」』）]`, q) {
					break
				}
				i += w
			}
			if rest := strings.TrimLeft(s[i:], " \u00a0\u202f"); strings.HasPrefix(rest, "»") { // as French sets it
				i = len(s) - len(rest) + len("»")
			}
			wide := r >= 0x3000 || r == '।'
			if !wide && i < len(s) && s[i] != ' ' {
				continue
			}
			if r == '.' && abbreviated(s[start:i]) {
				continue
			}
			if r != '。' && !wide && i < len(s) && unicode.IsLower(firstRune(s[i+1:])) && (r != '.' || strings.HasSuffix(s[:i], "..")) {
				continue // a question that is quoted, "a ? b : c", "./... passes"
			}
			if t := strings.TrimSpace(s[start:i]); t != "" && !yield(t) {
				return
			}
			start = i
		}
		if t := strings.TrimSpace(s[start:]); t != "" {
			yield(t)
		}
	}
}

func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '؟', '।', '۔', '︒':
		return true
	}
	return false
}

// abbreviated: the point at the end of s ends no sentence.
func abbreviated(s string) bool {
	s = strings.TrimRight(s, ".")
	i := strings.LastIndexByte(s, ' ')
	w := strings.ToLower(strings.TrimLeft(s[i+1:], "(\"'"))
	switch w {
	case "e.g", "i.e", "eg", "ie", "vs", "cf", "approx", "z.b", "d.h", "u.a", "bzw", "ca", "nr", "evtl", "ggf", "т.е", "т.к", "т.д", "т.п", "напр", "p.ej", "p. ej", "ej", "mr", "mrs", "dr", "st", "no", "fig", "usw", "np", "tzn", "tj", "min", "max", "incl", "inkl":
		return true
	}
	// "1." at the start of a line, a letter with a point.
	return len(w) > 0 && len(w) <= 2 && number(w) >= 0 && i < 0 || utf8.RuneCountInString(w) == 1 && i >= 0 && number(w) < 0 && w != "i"
}
