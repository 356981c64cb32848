package claudecode

import (
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/prompt"
)

// toolKind maps the agent's names of tools.
func toolKind(name string) recap.ToolKind {
	switch name {
	case "Bash", "PowerShell":
		return recap.ToolCommand
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		return recap.ToolEdit
	case "Read", "Grep", "Glob", "LS", "NotebookRead", "WebFetch", "WebSearch":
		return recap.ToolRead
	case "TodoWrite":
		return recap.ToolTodo
	case "AskUserQuestion":
		return recap.ToolQuestion
	case "ExitPlanMode", "exit_plan_mode":
		return recap.ToolPlan
	case "Task", "Agent":
		return recap.ToolSubagent
	}
	return recap.ToolOther
}

// tool reads a call. Its result comes later.
func tool(b *fastjson.Value) *recap.Tool {
	t := &recap.Tool{CallID: str(b, "id"), Name: str(b, "name"), Status: recap.ToolPending}
	t.Kind = toolKind(t.Name)
	in := b.Get("input")
	switch t.Kind {
	case recap.ToolCommand:
		t.Command = str(in, "command")
		t.Background = in.GetBool("run_in_background")
	case recap.ToolEdit:
		for _, key := range [...]string{"file_path", "notebook_path"} {
			if p := str(in, key); p != "" {
				t.Paths = append(t.Paths, p)
			}
		}
	case recap.ToolTodo:
		for _, x := range in.GetArray("todos") {
			if s := str(x, "content"); s != "" {
				t.Todos = append(t.Todos, recap.Todo{Text: s, Status: todoStatus(string(x.GetStringBytes("status")))})
			}
		}
	case recap.ToolQuestion:
		for _, x := range in.GetArray("questions") {
			if s := str(x, "question"); s != "" {
				t.Questions = append(t.Questions, s)
			}
		}
		if s := str(in, "question"); s != "" && len(t.Questions) == 0 {
			t.Questions = []string{s}
		}
	case recap.ToolPlan:
		t.Output = prompt.Excerpt(str(in, "plan"), recap.MaxToolOutput)
	}
	return t
}

func todoStatus(s string) recap.TodoStatus {
	switch s {
	case "completed":
		return recap.TodoDone
	case "in_progress":
		return recap.TodoActive
	case "cancelled", "canceled", "deleted":
		return recap.TodoCancelled
	}
	return recap.TodoOpen
}

// saidMark stands before a person's words in the result of a refused call.
const saidMark = "To tell you how to proceed, the user said:"

// toolResults reads the results in a user row.
func toolResults(v, content *fastjson.Value, r *row) {
	if content == nil || content.Type() != fastjson.TypeArray {
		return
	}
	whole := v.Get("toolUseResult")
	for _, b := range content.GetArray() {
		if string(b.GetStringBytes("type")) != "tool_result" {
			continue
		}
		x := result{call: str(b, "tool_use_id"), failed: b.GetBool("is_error"), rejected: v.Exists("toolDenialKind")}
		var t strings.Builder
		for _, p := range blocks(b.Get("content")) {
			if p.Kind == recap.PartText {
				if t.Len() > 0 {
					t.WriteByte('\n')
				}
				t.WriteString(p.Text)
			}
		}
		x.text = prompt.Excerpt(t.String(), recap.MaxToolOutput)
		switch {
		case string(whole.GetStringBytes()) == "User rejected tool use",
			x.failed && strings.HasPrefix(x.text, "The user doesn't want to proceed with this tool use."),
			x.failed && strings.HasPrefix(x.text, "Permission to use "):
			x.rejected = true
			if _, said, ok := strings.Cut(t.String(), saidMark); ok && x.failed {
				r.said = strings.TrimSpace(strip(said))
			}
		case strings.HasPrefix(x.text, "[Request interrupted by user"), whole.GetBool("interrupted"),
			x.failed && strings.HasPrefix(x.text, "The user doesn't want to take this action right now."):
			x.stopped = true
		}
		x.background = len(whole.GetStringBytes("backgroundTaskId")) > 0
		x.interpreted = len(whole.GetStringBytes("returnCodeInterpretation")) > 0
		r.results = append(r.results, x)
	}
	if len(r.results) == 1 {
		taskResult(whole, &r.results[0])
	}
}

// apply puts the result into its call.
func (x result) apply(t *recap.Tool) {
	t.Output = x.text
	t.Background = t.Background || x.background
	switch {
	case x.rejected:
		t.Status = recap.ToolRejected
		return
	case x.stopped:
		t.Status = recap.ToolStopped
		return
	case x.failed:
		t.Status = recap.ToolFailed
	default:
		t.Status = recap.ToolDone
	}
	if t.Kind != recap.ToolCommand {
		return
	}
	if code, ok := exitCode(x.text); ok && x.failed {
		t.Exit, t.Status = &code, recap.ToolDone
	} else if !x.failed && !t.Background && !x.interpreted {
		t.Exit = new(int) // an exit status other than 0 is an error to the agent
	}
}

// exitCode reads the "Exit code N" that a failed command's result begins with.
func exitCode(s string) (int, bool) {
	s = strings.TrimPrefix(s, "Error: ")
	s, ok := strings.CutPrefix(s, "Exit code ")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	n, err := strconv.Atoi(s[:end])
	return n, err == nil
}

// What a question waits for begins with this.
const questionMark = "question: "

// waitingFor says what a call that waits for the person is about.
func waitingFor(t *recap.Tool) string {
	var what string
	switch {
	case t.Kind == recap.ToolQuestion && len(t.Questions) > 0:
		return agent.Line(questionMark + t.Questions[0])
	case t.Kind == recap.ToolQuestion:
		return agent.Line(questionMark + t.Name)
	case t.Command != "":
		what = t.Command
	case len(t.Paths) > 0:
		what = t.Paths[0]
	}
	return agent.Line("approval: " + t.Name + "\n" + what)
}
