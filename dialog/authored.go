package dialog

import (
	"strings"
	"unicode"

	"github.com/sessionrecap/recap/prompt"
)

// maxSampled is how much of one text is looked at, in characters.
const maxSampled = 4 * MaxUserText

// authoredText gives what a person wrote in the texts: no quotes, code, logs,
// links and terminal output. It is the sample that decides a language, so it
// rather drops a line too many than keeps one of a machine's. Typed is the same
// with the code and the links that stand within a line.
func authoredText(texts []string) (wrote, typed string) {
	var out, whole []string
	for _, s := range texts {
		t := typedText(s)
		if t == "" {
			continue
		}
		whole = append(whole, tidy(t))
		if t = authored(t); t != "" {
			out = append(out, t)
		}
	}
	wrote, typed = strings.Join(out, "\n\n"), strings.Join(whole, "\n\n")
	if typed == wrote {
		wrote = strings.Clone(prompt.Excerpt(wrote, MaxUserText))
		return wrote, wrote
	}
	return strings.Clone(prompt.Excerpt(wrote, MaxUserText)), strings.Clone(prompt.Excerpt(typed, MaxUserText))
}

// typedText gives the lines of a text that the person wrote.
func typedText(s string) string {
	s = withoutTerminal(prompt.Excerpt(s, maxSampled))
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var keep []string
	var f filter
	for line := range strings.SplitSeq(s, "\n") {
		if !f.drop(line) {
			keep = append(keep, line)
		}
	}
	return strings.Join(keep, "\n")
}

// authored drops links and code from lines that the person wrote.
func authored(typed string) string {
	var keep []string
	for line := range strings.SplitSeq(typed, "\n") {
		keep = append(keep, withoutLinks(line))
	}
	return tidy(withoutSpans(strings.Join(keep, "\n")))
}

// withoutTerminal drops terminal output that a client put into the text. A
// block that is not closed reaches to the end.
func withoutTerminal(s string) string {
	const tag = "terminal_context"
	s = withoutPairs(s, tag)
	s, _, _ = strings.Cut(s, "<"+tag+">")
	return s
}

// filter looks at the lines of a text one after the other.
type filter struct {
	fence   string // the mark that closes the open code block
	started bool   // a line with text was seen
	blank   bool   // the line before was blank
	code    bool   // the line before was indented code
	diff    bool   // the line before was of a diff
}

// drop tells whether the line was not written by the person.
func (f *filter) drop(line string) bool {
	text := strings.TrimSpace(line)
	if f.fence != "" {
		if strings.HasPrefix(text, f.fence) && strings.Trim(text, f.fence[:1]) == "" {
			f.fence = ""
		}
		return true
	}
	if mark := fenceMark(text); mark != "" {
		f.fence, f.started, f.blank = mark, true, false
		return true
	}
	if text == "" {
		f.blank, f.diff = true, false
		return false
	}
	indented := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
	f.code = indented && !isListItem(text) && (f.code || f.blank || !f.started)
	f.diff = isDiffHead(text) || f.diff && strings.ContainsRune("+- @", rune(line[0]))
	f.blank, f.started = false, true
	return f.code || f.diff || strings.HasPrefix(text, ">") || isLog(line, text) || isCode(text)
}

// fenceMark gives the mark of a line that opens a code block.
func fenceMark(text string) string {
	for _, c := range [...]string{"`", "~"} {
		n := len(text) - len(strings.TrimLeft(text, c))
		if n >= 3 && !strings.Contains(text[n:], c) {
			return text[:n]
		}
	}
	return ""
}

func isListItem(text string) bool {
	if rest := strings.TrimLeft(text, "0123456789"); rest != text {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "+ ") ||
		strings.HasPrefix(text, "• ")
}

func isDiffHead(text string) bool {
	return strings.HasPrefix(text, "diff --git ") || strings.HasPrefix(text, "@@ -") ||
		strings.HasPrefix(text, "+++ ") || strings.HasPrefix(text, "--- a/")
}

// isLog knows lines that programs print.
func isLog(line, text string) bool {
	for _, p := range [...]string{
		"Traceback (most recent call last)", "goroutine ", "panic: ", "Caused by: ", "npm ERR!", "npm error ", "npm WARN", "npm warn ",
		"--- FAIL: ", "--- PASS: ", "--- SKIP: ", "=== RUN", "=== PAUSE", "=== CONT", "FAIL\t", "ok  \t", "PASS\t", "exit status ",
		"error[E", "$ ", "E   ", "Exception in thread ", "make: *** ", "make[", "fatal: ",
	} {
		if strings.HasPrefix(text, p) {
			return p != "goroutine " || strings.HasSuffix(text, ":")
		}
	}
	if line != text && strings.HasPrefix(text, "at ") && strings.ContainsAny(text, "(:") {
		return true // a frame of a stack
	}
	if strings.HasPrefix(text, `File "`) && strings.Contains(text, ", line ") {
		return true
	}
	first, rest, _ := strings.Cut(text, " ")
	return isStamp(text) || isLevel(first, rest) || isPlace(first) || isErrorName(first) || isShell(first)
}

// isStamp knows a time at the start of a line: "2026-11-30T02:14", "[02:14:05".
func isStamp(text string) bool {
	text = strings.TrimLeft(text, "[(")
	for _, p := range [...]string{"0000-00-00T00:00", "0000-00-00 00:00", "0000/00/00 00:00", "00:00:00"} {
		if len(text) >= len(p) && matches(text, p) {
			return true
		}
	}
	return false
}

// matches compares the start of a text with a pattern in which 0 is a digit.
func matches(text, pattern string) bool {
	for i := range len(pattern) {
		digit := text[i] >= '0' && text[i] <= '9'
		if pattern[i] == '0' != digit || !digit && text[i] != pattern[i] {
			return false
		}
	}
	return true
}

// isLevel knows "ERROR:", "[WARN]", "INFO  started", but not "INFO" in a
// sentence that begins with it.
func isLevel(first, rest string) bool {
	word := strings.Trim(first, "[]():|")
	switch word {
	case "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "PANIC", "CRITICAL":
		return word != first || strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "[") || strings.HasPrefix(first+rest, word+"\t")
	}
	before, _, tab := strings.Cut(first, "\t")
	return tab && isLevel(before, " ")
}

// isPlace knows "main.go:12:3:", "src/a.ts(4,2):" and "main.go:12:".
func isPlace(first string) bool {
	if !strings.HasSuffix(first, ":") {
		return false
	}
	name, _, ok := strings.Cut(first, ":")
	if strings.HasSuffix(name, ")") {
		name, _, _ = strings.Cut(name, "(")
		return strings.Contains(name, ".")
	}
	rest := strings.Trim(first[len(name):], ":0123456789")
	return ok && rest == "" && strings.ContainsAny(name, "./") && strings.ContainsAny(first[len(name):], "0123456789")
}

// isErrorName knows "TypeError:", "java.lang.IllegalStateException:".
func isErrorName(first string) bool {
	name, ok := strings.CutSuffix(first, ":")
	if !ok || !strings.HasSuffix(name, "Error") && !strings.HasSuffix(name, "Exception") {
		return false
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	return name != "Error" && name != "Exception" && name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// isShell knows a prompt: "dev@host:~/project$".
func isShell(first string) bool {
	return strings.Contains(first, "@") && strings.Contains(first, ":") &&
		(strings.HasSuffix(first, "$") || strings.HasSuffix(first, "#"))
}

// isCode knows lines that no prose looks like.
func isCode(text string) bool {
	switch text {
	case "{", "}", "};", "),", ");", "})", "});", "]", "],", "},", "};)":
		return true
	}
	if strings.HasPrefix(text, `"`) {
		if _, after, ok := strings.Cut(text[1:], `"`); ok && strings.HasPrefix(strings.TrimSpace(after), ":") {
			return true
		}
	}
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		return true
	}
	end := text[len(text)-1]
	return (end == ';' || end == '{') && strings.ContainsAny(text, "(){}=<>\"'[]")
}

// withoutLinks drops addresses and keeps the words of links.
func withoutLinks(line string) string {
	line = linkWords(line)
	if !strings.Contains(line, "://") && !strings.Contains(line, "www.") && !strings.Contains(line, "mailto:") {
		return line
	}
	var b strings.Builder
	for i, word := range strings.Split(line, " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		at := linkStart(word)
		if at < 0 {
			b.WriteString(word)
			continue
		}
		end := at + linkLength(word[at:])
		b.WriteString(strings.TrimRight(word[:at], "<") + strings.TrimLeft(word[end:], ">"))
	}
	return b.String()
}

// linkWords makes "words" of "[words](address)" and "![words](address)".
func linkWords(line string) string {
	var b strings.Builder
	for {
		mid := strings.Index(line, "](")
		if mid < 0 {
			break
		}
		open, end := strings.LastIndexByte(line[:mid], '['), strings.IndexByte(line[mid:], ')')
		if open < 0 || end < 0 {
			b.WriteString(line[:mid+2])
			line = line[mid+2:]
			continue
		}
		b.WriteString(strings.TrimSuffix(line[:open], "!") + line[open+1:mid])
		line = line[mid+end+1:]
	}
	return b.String() + line
}

// linkStart finds where an address begins in a word.
func linkStart(word string) int {
	if i := strings.Index(word, "://"); i > 0 {
		for i > 0 && (word[i-1] >= 'a' && word[i-1] <= 'z' || word[i-1] >= 'A' && word[i-1] <= 'Z' || strings.IndexByte("+-.", word[i-1]) >= 0) {
			i--
		}
		return i
	}
	if i := strings.Index(word, "mailto:"); i >= 0 {
		return i
	}
	return strings.Index(word, "www.")
}

// linkLength is the length of the address at the start of s. Scripts without
// spaces may go on right after it.
func linkLength(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("<>\"`）」】，。、！？", r) ||
			unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
	if end < 0 {
		end = len(s)
	}
	return len(strings.TrimRight(s[:end], ".,;:!?)]}'"))
}

// withoutSpans drops inline code.
func withoutSpans(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '`')
		if i < 0 {
			break
		}
		n := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		mark := s[i : i+n]
		length := spanEnd(s[i+n:], mark)
		b.WriteString(s[:i])
		if length < 0 {
			b.WriteString(mark)
			s = s[i+n:]
			continue
		}
		s = s[i+n+length+n:]
	}
	return b.String() + s
}

// spanEnd finds the mark that closes a span, in the same paragraph and of the
// same length.
func spanEnd(s, mark string) int {
	if p := strings.Index(s, "\n\n"); p >= 0 {
		s = s[:p]
	}
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return -1
		}
		i += at
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == len(mark) {
			return i
		}
		at = i + run
	}
}

// tidy closes the gaps that were left: at most one blank between words where
// something was taken out, at most one empty line.
func tidy(s string) string {
	var out []string
	blank := true
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" && blank {
			continue
		}
		blank = line == ""
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
