package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Prose is the text without what tells nothing of its language: code fences and
// spans, quoted lines and quoted words, addresses, paths, file names, flags and
// identifiers. What is left out leaves one blank.
func Prose(text string) string {
	text = dropFences(text)
	text = dropSpans(text)
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		n := tokenLen(text[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			b.WriteString(text[i : i+size])
			i += size
			continue
		}
		writeToken(&b, text[i:i+n])
		i += n
	}
	return b.String()
}

// dropFences leaves fenced blocks, an unclosed one too, and quoted lines out.
func dropFences(text string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") && !strings.Contains(text, ">") {
		return text
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		t := strings.TrimLeft(line, " \t")
		switch {
		case fence != "":
			if strings.HasPrefix(t, fence) {
				fence = ""
			}
		case strings.HasPrefix(t, "```") && !strings.Contains(t[3:], "```"):
			fence = "```"
		case strings.HasPrefix(t, "~~~"):
			fence = "~~~"
		case strings.HasPrefix(t, "> "):
		default:
			b.WriteString(line)
			continue
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// closingOf gives the sign that ends a quotation.
func closingOf(r rune) rune {
	switch r {
	case '"':
		return '"'
	case '\'':
		return '\''
	case '“', '”', '„':
		return '”'
	case '‘', '‚':
		return '’'
	case '«':
		return '»'
	case '»':
		return '«'
	case '‹':
		return '›'
	case '「':
		return '」'
	case '『':
		return '』'
	case '《':
		return '》'
	}
	return 0
}

// maxQuote bounds a quotation: what is longer is an unpaired sign.
const maxQuote = 300

// dropSpans leaves code spans and quoted words out.
func dropSpans(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	prev := ' '
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '`' {
			n, ok := codeSpan(text[i:])
			if ok {
				b.WriteByte(' ')
				prev = ' '
			} else {
				b.WriteString(text[i : i+n])
				prev = r
			}
			i += n
			continue
		}
		if c := closingOf(r); c != 0 && !unicode.IsLetter(prev) && !unicode.IsDigit(prev) || r == '「' || r == '『' || r == '《' || r == '“' || r == '«' || r == '„' {
			if n := quotation(text[i+size:], closingOf(r)); n > 0 {
				b.WriteByte(' ')
				prev = ' '
				i += size + n
				continue
			}
		}
		b.WriteString(text[i : i+size])
		prev = r
		i += size
	}
	return b.String()
}

// maxSpan bounds a code span: what is longer is an unpaired sign.
const maxSpan = 4000

// codeSpan is the length of the code span at the start of s. Where none is
// closed it is that of its opening ticks, and ok is false.
func codeSpan(s string) (n int, ok bool) {
	ticks := 0
	for ticks < len(s) && s[ticks] == '`' {
		ticks++
	}
	body := s[ticks:min(len(s), ticks+maxSpan)]
	end := strings.Index(body, s[:ticks])
	if end < 0 {
		return ticks, false
	}
	return ticks + end + ticks, true
}

// quotation is the length up to and with the closing sign, 0 if there is none
// on the line.
func quotation(s string, closing rune) int {
	for i, r := range s {
		if r == '\n' || i > maxQuote {
			return 0
		}
		match := r == closing || closing == '”' && r == '“' || closing == '’' && r == '‘'
		if !match || i == 0 {
			continue
		}
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(s[end:])
		if closing == '\'' || closing == '’' || closing == '"' {
			if end < len(s) && (unicode.IsLetter(next) || unicode.IsDigit(next)) && !spaceless(scriptOf(next)) && scriptOf(next) != Hangul {
				continue
			}
		}
		return end
	}
	return 0
}

// tokenLen is the length of the word, path or name at the start of s: what
// stands between blanks, and letters of scripts without blanks apart from it.
func tokenLen(s string) int {
	for i, r := range s {
		if unicode.IsSpace(r) || solitary(r) {
			return i
		}
	}
	return len(s)
}

// solitary reports letters that end a Latin name without a blank, and full
// width punctuation.
func solitary(r rune) bool {
	if r < 0x300 {
		return false
	}
	s := scriptOf(r)
	return spaceless(s) || s == Hangul || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff65 || r == '—' || r == '…' || r == '·' || r == '、'
}

// writeToken writes the words of a token, or a blank when it is a name.
func writeToken(b *strings.Builder, token string) {
	core := strings.Trim(token, ".,;:!?()[]{}<>\"'*")
	switch {
	case core == "":
		b.WriteString(token)
	case strings.Contains(core, "://") || strings.HasPrefix(core, "www.") || mail(core) || name(core) || path(token, core):
		b.WriteByte(' ')
		b.WriteString(token[len(strings.TrimRight(token, ".,;:!?")):])
	default:
		b.WriteString(token)
	}
}

func mail(s string) bool {
	at := strings.IndexByte(s, '@')
	return at >= 0 && (at == 0 || strings.Contains(s[at:], "."))
}

// path reports paths: rooted, with several slashes, or with a file at the end.
// "and/or" is none.
func path(token, s string) bool {
	if strings.HasPrefix(token, "./") || strings.HasPrefix(token, "../") || strings.HasPrefix(s, "~/") || strings.ContainsRune(s, '\\') {
		return true
	}
	n := strings.Count(s, "/")
	return n > 0 && (s[0] == '/' || n > 1 || strings.ContainsAny(s, "._-0123456789"))
}

// name reports identifiers: --flags, snake_case, camelCase, dotted.names,
// file.ext, name(), words with digits, $VARIABLES.
func name(s string) bool {
	if s[0] == '-' && len(s) > 1 || s[0] == '$' || s[0] == '#' || s[0] == '@' || s[0] == '%' {
		return true
	}
	if strings.ContainsAny(s, "_=(){}[]<>|&^+") || strings.Contains(s, "::") {
		return true
	}
	var prev rune
	for i, r := range s {
		switch {
		case unicode.IsDigit(r):
			return true
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			return true
		case (r == '.' || r == ':') && i > 0 && unicode.IsLetter(prev):
			next, _ := utf8.DecodeRuneInString(s[i+1:])
			if unicode.IsLower(next) || scriptOf(next) == Latin {
				return true
			}
		}
		prev = r
	}
	return false
}
