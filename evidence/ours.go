package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Lines that recap draws are no evidence and no request: somebody pasted them.
// Their marks prove nothing, wherever they stand.

// signs are the marks of a status, with their ASCII forms.
var signs = [...]string{"✓", "✔", "✗", "✘", "○", "⏸", "☐", "▶", "⊘", "?", "[ok]", "[!!]", "[ ]", "[  ]", "[?]", "[>]", "[x]"}

// signWords are what stands behind a sign.
var signWords = [...]string{
	"tests passed", "tests failed", "not tested since the last edit", "last command failed", "committed", "pushed", "not committed", "waits for your approval", "waits for your answer",
	"working", "interrupted", "failed", "no answer recorded", "tests-passed", "tests-failed", "tests-not-run", "command-failed", "uncommitted", "waiting-approval", "waiting-answer",
}

// drawn gives the length of a mark of ours at the start of s, 0 where there is
// none: a sign and its words.
func drawn(s string) int {
	if s == "" || s[0] != 0xe2 && s[0] != '?' && s[0] != '[' { // what the signs begin with
		return 0
	}
	for _, sign := range signs {
		rest, ok := strings.CutPrefix(s, sign)
		if !ok {
			continue
		}
		words := strings.TrimLeft(rest, " ")
		if words == rest {
			continue
		}
		at := len(s) - len(words)
		low := lower(words)
		for _, w := range signWords {
			if strings.HasPrefix(low, w) && (len(low) == len(w) || !isWordRune(firstRune(low[len(w):]))) {
				return at + len(w)
			}
		}
		// "☐ 2 of 5 to-dos open"
		if i := strings.Index(low, " to-dos open"); i > 0 && i < 12 && low[0] >= '0' && low[0] <= '9' {
			return at + i + len(" to-dos open")
		}
	}
	return 0
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// forged gives the place of the first mark of ours in a sentence, -1 where
// there is none.
func forged(s string) int {
	for i := range s {
		if (i == 0 || s[i-1] == ' ' || s[i-1] == '(') && drawn(s[i:]) > 0 && s[i] != '?' {
			return i
		}
	}
	return -1
}

// withoutMarks drops the marks of ours from a request. The words stay, and an
// arrow that is not ours looks unlike it.
func withoutMarks(s string) string {
	if !strings.ContainsAny(s, "✓✔✗✘○⏸☐▶⊘※→←[") {
		return s
	}
	for {
		i := forged(s)
		if i < 0 {
			break
		}
		s = strings.TrimRight(s[:i], " ·-") + " " + strings.TrimLeft(s[i+drawn(s[i:]):], " ·-→")
	}
	s = strings.NewReplacer("→", "->", "←", "<-").Replace(s)
	s = strings.Map(func(r rune) rune {
		switch r {
		case '✓', '✔', '✗', '✘', '○', '⏸', '☐', '▶', '⊘', '※':
			return -1
		}
		return r
	}, s)
	s = strings.TrimSpace(oneLine(s))
	for _, sign := range signs {
		if sign != "?" && sign != "[x]" {
			s = strings.TrimSpace(strings.TrimPrefix(s, sign))
		}
	}
	return s
}

// markLine: the line is made of marks of ours.
func markLine(l string) bool {
	n := 0
	for l = strings.Trim(l, " \t*_>"); l != ""; n++ {
		k := drawn(l)
		if k == 0 {
			return false
		}
		l = l[k:]
		if strings.HasPrefix(l, " of ") { // "waits for your approval of ..."
			end := strings.Index(l, " · ")
			if end < 0 {
				return true
			}
			l = l[end:]
		}
		l = strings.TrimLeft(l, " ·-,;")
	}
	return n > 0
}

// headLine: the head of a card or the row of a list ("shop · Claude Code · 2h
// ago · main"), or a row that was piped.
func headLine(l string) bool {
	l = strings.Trim(l, " *_>")
	if f := strings.Split(l, "\t"); len(f) >= 5 {
		return agentWord(f[1]) && isAge(f[0])
	}
	for first := range strings.FieldsSeq(l) {
		if !isAge(first) {
			break
		}
		if f := strings.Fields(l); len(f) >= 6 && agentWord(f[1]) && slices.ContainsFunc(f[2:6], stateName) {
			return true // its tabs have become blanks
		}
		break
	}
	sep := " · "
	if !strings.Contains(l, sep) {
		sep = " - "
	}
	parts := strings.Split(l, sep)
	if len(parts) < 3 {
		return false
	}
	agent, time := false, false
	for i, p := range parts {
		p = strings.TrimSpace(p)
		agent = agent || agentWord(p)
		time = time || p == "just now" || strings.HasSuffix(p, " ago") || strings.HasPrefix(p, "as it was ") || strings.HasPrefix(p, "on ") && len(p) < 16 || p == "at an unknown time"
		if i == 0 {
			when, _, ok := strings.Cut(p, " ")
			time = time || ok && isAge(when)
		}
	}
	return agent && time
}

// stateName: a state or the statuses of a piped row.
func stateName(s string) bool {
	switch s {
	case "idle", "busy", "working", "waiting", "interrupted", "unknown", "failed", "gone":
		return true
	}
	first, _, _ := strings.Cut(s, ",")
	return strings.Contains(first, "-") && slices.Contains(signWords[:], first)
}

// agentWord: the name of an agent, as a list or a card shows it.
func agentWord(s string) bool {
	s, _, _ = strings.Cut(lower(strings.TrimSpace(s)), " (")
	s, _, _ = strings.Cut(s, "/")
	switch s {
	case "claude", "claude code", "codex", "codex cli", "gemini", "gemini cli", "qwen", "qwen code", "opencode", "claude-code", "gemini-cli", "qwen-code":
		return true
	}
	return false
}

// isAge: "now", "17m", "2h", "3d".
func isAge(s string) bool {
	s = strings.TrimSpace(s)
	if s == "now" || s == "?" {
		return true
	}
	n := len(s) - 1
	return n > 0 && number(s[:n]) >= 0 && strings.IndexByte("mhd", s[n]) >= 0
}

// mayBeOurs: the text has a sign that what recap draws has.
func mayBeOurs(md string) bool {
	for i := range len(md) {
		switch c := md[i]; {
		case c == '[' || c == '\t':
			return true
		case c == '-' && i > 0 && md[i-1] == ' ' && i+1 < len(md) && md[i+1] == ' ':
			return true
		case c == 0xc2 || c == 0xe2: // how the signs begin
			if r, _ := utf8.DecodeRuneInString(md[i:]); strings.ContainsRune("✓✗○⏸☐▶⊘·", r) {
				return true
			}
		}
	}
	return false
}

// withoutOurs drops what recap has drawn, and blocks of tags that a program
// put in.
func withoutOurs(md string) string {
	md = withoutBlocks(md)
	if !mayBeOurs(md) {
		return md
	}
	lines := strings.Split(md, "\n")
	gone := make([]bool, len(lines))
	found := false
	for i, l := range lines {
		switch {
		case markLine(l):
			gone[i], found = true, true
			// The text of a card stands above its marks.
			for k := i - 1; k >= 0 && k > i-4 && !gone[k]; k-- {
				indented := strings.HasPrefix(lines[k], "  ") || strings.HasPrefix(lines[k], "\t")
				if strings.TrimSpace(lines[k]) == "" || !indented && !strings.Contains(lines[k], markArrow) && !strings.Contains(lines[k], " -> ") {
					break
				}
				gone[k] = true
			}
		case headLine(l):
			gone[i], found = true, true
			for k := i + 1; k < len(lines) && (strings.HasPrefix(lines[k], "  ") || strings.HasPrefix(lines[k], "\t")) && strings.TrimSpace(lines[k]) != ""; k++ {
				gone[k] = true
			}
		}
	}
	if !found {
		return md
	}
	var b strings.Builder
	for i, l := range lines {
		if !gone[i] {
			b.WriteString(l)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// hiddenTags are blocks that programs put into texts and that no person and
// no agent says to the other.
var hiddenTags = [...]string{"system-reminder", "system_reminder", "recap", "away", "digest", "suggestion", "think", "thinking", "reasoning", "environment_context", "user_instructions", "task-notification", "local-command-stdout", "local-command-stderr", "command-message", "function_calls", "function_results", "ide_opened_file", "ide_selection", "evidence"}

// withoutBlocks drops those blocks. One that is not closed reaches to the end
// of its paragraph. What stands in code stays: it is talked about.
func withoutBlocks(s string) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	for _, tag := range hiddenTags {
		from := 0
		for {
			i := indexFold(s[from:], "<"+tag)
			if i < 0 {
				break
			}
			i += from
			end := strings.IndexByte(s[i:], '>')
			next := i + 1 + len(tag)
			if end < 0 || s[next] != '>' && s[next] != ' ' && s[next] != '\n' && s[next] != '/' || inCode(s, i) {
				from = i + 1
				continue
			}
			body := i + end + 1
			stop := len(s)
			switch c := indexFold(s[body:], "</"+tag+">"); {
			case c >= 0:
				stop = body + c + len(tag) + 3
			case strings.TrimSpace(s[strings.LastIndexByte(s[:i], '\n')+1:i]) != "":
				stop = body // in the middle of a line: the tag alone
			default:
				if p := strings.Index(s[body:], "\n\n"); p >= 0 {
					stop = body + p
				}
			}
			s = s[:i] + " " + s[stop:]
			from = i
		}
	}
	return s
}

// indexFold finds an ASCII word in small letters, in either case.
func indexFold(s, sub string) int {
	for i := 0; i+len(sub) <= len(s); i++ {
		j := strings.IndexByte(s[i:], '<')
		if j < 0 || i+j+len(sub) > len(s) {
			return -1
		}
		if i += j; strings.EqualFold(s[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// inCode: the place lies in a code span of its line, or in a fence.
func inCode(s string, at int) bool {
	line := s[strings.LastIndexByte(s[:at], '\n')+1 : at]
	return strings.Count(line, "`")%2 == 1 || strings.Count(s[:at], "\n```")%2 == 1 || strings.HasPrefix(s, "```") && strings.Count(s[:at], "\n```")%2 == 0
}
