package evidence

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap"
)

// mayChange: the call changed something, or may have.
func mayChange(t *recap.Tool) bool {
	switch t.Kind {
	case recap.ToolEdit:
		return t.Status == recap.ToolDone
	case recap.ToolSubagent, recap.ToolOther:
		return true
	case recap.ToolCommand:
		return t.Status != recap.ToolRejected && t.Status != recap.ToolWaiting && !onlyReads(t.Command)
	}
	return false
}

// onlyReads: each part of a command line is known to change no file of the
// project.
func onlyReads(line string) bool {
	line = quietRedirects.Replace(clip(line, 2000))
	if strings.ContainsAny(line, "><`") || strings.Contains(line, "$(") {
		return false
	}
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|;&\n", r) }) {
		w := strings.Fields(part)
		if len(w) == 0 {
			continue
		}
		second := ""
		if len(w) > 1 {
			second = w[1]
		}
		switch baseName(w[0]) {
		case "cd", "ls", "cat", "head", "tail", "grep", "egrep", "fgrep", "rg", "ag", "ack", "wc", "sort", "uniq", "cut", "tr", "jq", "echo", "printf", "pwd", "file", "stat", "du", "df", "ps", "which", "type", "tree", "less", "diff", "cmp", "date", "env", "uname", "nl", "column", "true",
			"pytest", "jest", "vitest", "tsc", "eslint", "mypy", "ctest", "rspec":
		case "find", "fd":
			if strings.Contains(part, "-delete") || strings.Contains(part, "-exec") {
				return false
			}
		case "sed":
			if second != "-n" {
				return false
			}
		case "git":
			if !slices.Contains([]string{"log", "show", "diff", "status", "blame", "branch", "grep", "ls-files", "rev-parse", "shortlog", "describe"}, second) {
				return false
			}
		case "go", "cargo", "npm", "pnpm", "yarn", "bun", "make", "dotnet", "mvn", "gradle":
			if !slices.Contains([]string{"test", "vet", "list", "doc", "check", "clippy", "ls", "version", "t"}, second) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

var quietRedirects = strings.NewReplacer("2>&1", "", "2>/dev/null", "", ">/dev/null", "", "> /dev/null", "")
