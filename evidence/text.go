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
func segments(md string, limit int) []segment { return segmentsAs(md, limit, markdown) }

// segmentsAs does it for a text of that kind.
func segmentsAs(md string, limit int, as writing) []segment {
	var out []segment
	var para strings.Builder
	n, block, list := 0, 0, false
	flush := func() {
		if para.Len() == 0 {
			return
		}
		text := oneLine(inlineAs(para.String(), as, maskEnds))
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
	case signed(l):
		return l, true
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
	if r, ok := strings.CutPrefix(rest, "[ ] "); ok {
		return "☐ " + r, true // not done
	}
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return rest, rest != ""
}

// signed: the line begins with a sign of how something stands, as entries of a
// list do.
func signed(l string) bool {
	return undone(l) || strings.HasPrefix(l, "✅ ") || strings.HasPrefix(l, "✔") || strings.HasPrefix(l, "✓") || strings.HasPrefix(l, "🟢")
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
