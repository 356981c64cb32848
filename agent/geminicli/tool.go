package geminicli

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

func about(t recap.Tool) string {
	if t.Command != "" {
		return t.Command
	}
	if len(t.Paths) > 0 {
		return t.Paths[0]
	}
	return ""
}

func tool(c *fastjson.Value, at time.Time) recap.Tool {
	t := recap.Tool{CallID: str(c, "id"), Name: str(c, "name"), Kind: recap.ToolOther, At: at}
	if x := when(c, "timestamp"); !x.IsZero() {
		t.At = x
	}
	args := c.Get("args")
	switch t.Name {
	case "run_shell_command":
		t.Kind, t.Command, t.Background = recap.ToolCommand, str(args, "command"), args.GetBool("is_background")
	case "write_file", "replace", "edit":
		t.Kind = recap.ToolEdit
		if p := str(args, "file_path"); p != "" {
			t.Paths = []string{p}
		}
	case "read_file", "read_many_files", "glob", "search_file_content", "grep_search", "list_directory":
		t.Kind = recap.ToolRead
	case "write_todos":
		t.Kind = recap.ToolTodo
		for _, x := range args.GetArray("todos") {
			t.Todos = append(t.Todos, recap.Todo{Text: str(x, "description"), Status: todo(str(x, "status"))})
		}
	case "ask_user":
		t.Kind = recap.ToolQuestion
		for _, q := range args.GetArray("questions") {
			if s := str(q, "question"); s != "" {
				t.Questions = append(t.Questions, s)
			}
		}
	case "exit_plan_mode":
		t.Kind = recap.ToolPlan
	case "invoke_agent", "delegate_to_agent", "codebase_investigator":
		t.Kind = recap.ToolSubagent
	}
	var b strings.Builder
	for _, r := range c.GetArray("result") {
		for _, key := range []string{"output", "error"} {
			b.WriteString(str(r, "functionResponse", "response", key))
		}
	}
	out := b.String()
	if t.Kind == recap.ToolCommand {
		out, t.Exit = shell(out, str(c, "status") == "success" && !t.Background)
	}
	t.Output = prompt.Excerpt(out, recap.MaxToolOutput)
	switch str(c, "status") {
	case "success":
		t.Status = recap.ToolDone
	case "error":
		t.Status = recap.ToolFailed
	case "cancelled":
		t.Status, t.Exit = recap.ToolStopped, nil
		if strings.Contains(out, "did not allow") || strings.Contains(out, "denied") {
			t.Status = recap.ToolRejected
		}
	case "awaiting_approval":
		t.Status = recap.ToolWaiting
	default:
		t.Status = recap.ToolPending
		if out != "" {
			t.Status = recap.ToolDone
		}
	}
	if t.Exit != nil && t.Status == recap.ToolFailed { // it ran
		t.Status = recap.ToolDone
	}
	return t
}

// The shell tool frames what the command printed: "Output: " before it (in old
// versions the command and its directory too), and lines of its own below it.
// Only those below tell how it ended: the command may print the like.
var (
	frameHead = regexp.MustCompile(`\A(?:Command: (?s:.*?)\nDirectory: .*\n)?Output: ?`)
	frameTail = regexp.MustCompile(`\n(Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)\z`)
)

// shell reads the frame and gives what the command printed, and its exit status
// where it is known. The status stands below where it is not 0 (in old versions
// always); a framed output without one is of a command that ended well.
func shell(out string, success bool) (printed string, exit *int) {
	out = strings.TrimSpace(out)
	if in, ok := strings.CutPrefix(out, "<untrusted_context>"); ok {
		out = strings.TrimSpace(strings.TrimSuffix(in, "</untrusted_context>"))
	}
	loc := frameHead.FindStringIndex(out)
	if loc == nil {
		return out, nil
	}
	out = "\n" + out[loc[1]:]
	known := success
	for m := frameTail.FindStringSubmatch(out); m != nil; m = frameTail.FindStringSubmatch(out) {
		out = strings.TrimRight(strings.TrimSuffix(out, m[0]), " \r\n")
		value := strings.TrimSpace(m[2])
		switch m[1] {
		case "Exit Code":
			if n, err := strconv.Atoi(value); err == nil {
				exit = &n
			} else {
				known = false
			}
		case "Error", "Signal":
			known = known && value == "(none)"
		}
	}
	if exit == nil && known {
		zero := 0
		exit = &zero
	}
	if out = strings.Trim(out, "\r\n"); out == "(empty)" {
		out = ""
	}
	return out, exit
}

func todo(s string) recap.TodoStatus {
	switch s {
	case "completed":
		return recap.TodoDone
	case "in_progress":
		return recap.TodoActive
	case "cancelled":
		return recap.TodoCancelled
	}
	return recap.TodoOpen
}
