package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits a text into its sentences, trimmed, none empty. Lines that
// begin a list item, a heading or with a capital end the sentence before them;
// a fenced block is one item. A full stop inside a name, a number, an address,
// an abbreviation, an ordinal, an ellipsis or a code span ends nothing.
func Sentences(text string) []string {
	var out []string
	for _, block := range blocks(text) {
		if strings.HasPrefix(block, "```") || strings.HasPrefix(block, "~~~") {
			out = append(out, block)
			continue
		}
		out = splitBlock(out, block)
	}
	return out
}

// blocks joins the lines of a paragraph and keeps fences whole.
func blocks(text string) []string {
	var out []string
	var cur strings.Builder
	flush := func() {
		if s := strings.TrimSpace(cur.String()); s != "" {
			out = append(out, s)
		}
		cur.Reset()
	}
	fence := ""
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		switch {
		case fence != "":
			cur.WriteString(line)
			if strings.HasPrefix(t, fence) {
				fence = ""
				flush()
			}
			continue
		case strings.HasPrefix(t, "```") && !strings.Contains(t[3:], "```") || strings.HasPrefix(t, "~~~"):
			flush()
			fence = t[:3]
			cur.WriteString(line)
			continue
		case t == "" || !continues(t):
			flush()
		default:
			if cur.Len() > 0 {
				cur.WriteByte(' ')
			}
		}
		cur.WriteString(t)
	}
	flush()
	return out
}

// continues reports whether a line goes on with the sentence of the line before
// it: it begins with a small letter.
func continues(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(r)
}

func splitBlock(out []string, s string) []string {
	start := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == '`' {
			n, _ := codeSpan(s[i:])
			i += n
			continue
		}
		end := i + size
		if terminal(r) {
			for end < len(s) {
				next, n := utf8.DecodeRuneInString(s[end:])
				if !terminal(next) && !closer(next) {
					break
				}
				end += n
			}
			if ends(s, start, i, end, r) {
				if t := strings.TrimSpace(s[start:end]); t != "" {
					out = append(out, t)
				}
				start = end
			}
		}
		i = end
	}
	if t := strings.TrimSpace(s[start:]); t != "" {
		out = append(out, t)
	}
	return out
}

func terminal(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '｡', '؟', '۔', '।', '॥', ';', '՞', '։', '።':
		return true
	}
	return false
}

func closer(r rune) bool { return strings.ContainsRune(`)]}"'”’»›」』】）*_`, r) }

// ends decides whether the marks s[at:end] end the sentence that begins at
// start; r is the first of them.
func ends(s string, start, at, end int, r rune) bool {
	marks := s[at:end]
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[end:], " \t"))
	blank := end == len(s) || s[end] == ' ' || s[end] == '\t' || s[end] == '\n'
	switch r {
	case '。', '！', '？', '｡', '।', '॥', '؟', '۔', '։', '።', '՞':
		return true
	case ';':
		prev, _ := utf8.DecodeLastRuneInString(s[:at])
		return blank && scriptOf(prev) == Greek
	}
	if strings.HasPrefix(marks, "...") || strings.HasPrefix(marks, "…") {
		return end == len(s) || strings.ContainsAny(marks, "!?")
	}
	if !blank {
		// Right before a letter of a script without blanks a mark may end.
		return r != '.' && spaceless(scriptOf(next)) && next != utf8.RuneError
	}
	if r != '.' {
		return !unicode.IsLower(next) || strings.TrimSpace(s[end:]) == ""
	}
	return end == len(s) || !abbreviated(s[start:at], next)
}

// abbreviated reports whether the full stop after the text belongs to its last
// word: an abbreviation, an initial, an ordinal.
func abbreviated(before string, next rune) bool {
	word := before
	if i := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '[' || r == '"' }); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		word = before[i+n:]
	}
	rest := strings.TrimSpace(before[:len(before)-len(word)])
	if word == "" {
		return true
	}
	number := strings.TrimLeft(word, "0123456789") == ""
	switch {
	case number && rest == "": // the mark of a list item
		return true
	case number && len(word) <= 3:
		return unicode.IsLower(next) || ordinalAfter(lastWord(rest))
	case utf8.RuneCountInString(word) == 1:
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLetter(r) && !spaceless(scriptOf(r))
	}
	lower := strings.ToLower(word)
	if isAbbreviation(lower) {
		return true
	}
	return mayEnd(lower) && unicode.IsLower(next)
}

func lastWord(s string) string {
	return strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:])
}

// ordinalAfter reports words before which a number with a full stop is an
// ordinal.
func ordinalAfter(word string) bool {
	switch word {
	case "am", "der", "die", "das", "den", "dem", "des", "im", "vom", "zum", "zur", "bis", "ab", "seit", "dne", "dnia", "od", "do", "den.", "a", "az", "ve":
		return true
	}
	return false
}

// isAbbreviation reports words that stand with a full stop and want more after
// it.
func isAbbreviation(word string) bool {
	switch word {
	case "e.g", "i.e", "eg", "ie", "vs", "cf", "approx", "mr", "mrs", "ms", "dr", "prof", "st", "fig", "eq", "sec", "ch", "vol", "ver", "incl", "resp", "esp",
		"z.b", "d.h", "u.a", "o.ä", "i.d.r", "bzw", "ggf", "evtl", "inkl", "ca", "nr", "vgl", "sog", "zzgl", "bspw", "s.o", "s.u",
		"p.ej", "ej", "sr", "sra", "pág", "núm", "p.ex", "ex", "env", "réf", "p.es", "es", "ad", "art", "tel", "zie", "bijv", "d.w.z", "o.a", "m.b.t", "i.p.v",
		"t.ex", "bl.a", "d.v.s", "f.eks", "bl", "np", "tj", "tzn", "m.in", "wg", "tzv", "např", "napr", "tj.", "popř", "mj", "örn", "vb", "bkz", "yani",
		"т.е", "т.к", "т.н", "напр", "см", "стр", "рис", "ср", "тзв", "наприклад", "див", "pl", "ill", "kb", "ún", "dvs", "mm.":
		return true
	}
	return false
}

// mayEnd reports abbreviations that end a sentence when a capital follows.
func mayEnd(word string) bool {
	switch word {
	case "etc", "usw", "osv", "itd", "itp", "atd", "apod", "enz", "stb", "т.д", "т.п", "др", "и.т.д", "vb", "vs", "no", "inc", "ltd", "co", "al":
		return true
	}
	return false
}
