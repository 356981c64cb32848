package codex

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// kindOf says what one of Codex's tools does.
func kindOf(name, namespace string) recap.ToolKind {
	if strings.HasPrefix(namespace, "multi_agent") {
		return recap.ToolSubagent
	}
	switch name {
	case "shell", "exec_command", "shell_command", "container.exec", "local_shell", "unified_exec", "user_shell":
		return recap.ToolCommand
	case "apply_patch":
		return recap.ToolEdit
	case "update_plan":
		return recap.ToolTodo
	case "request_user_input":
		return recap.ToolQuestion
	case "spawn_agent", "send_input", "send_message", "wait", "wait_agent", "close_agent", "resume_agent", "spawn_agents_on_csv", "followup_task":
		return recap.ToolSubagent
	case "view_image", "read_file", "list_dir", "grep_files", "web_search", "tool_search", "list_mcp_resources", "read_mcp_resource", "list_mcp_resource_templates":
		return recap.ToolRead
	}
	return recap.ToolOther
}

// parseCall reads a tool call.
func parseCall(v *fastjson.Value) recap.Tool {
	t := recap.Tool{CallID: str(v, "call_id"), Name: str(v, "name"), Status: recap.ToolPending}
	if t.CallID == "" {
		t.CallID = str(v, "id")
	}
	switch str(v, "type") {
	case "local_shell_call":
		t.Name, t.Kind = "local_shell", recap.ToolCommand
		t.Command = command(v.Get("action", "command"))
	case "web_search_call": // the provider ran it, there is no result row
		t.Name, t.Kind, t.Status = "web_search", recap.ToolRead, recap.ToolDone
	case "tool_search_call":
		t.Name, t.Kind = "tool_search", recap.ToolRead
	case "image_generation_call":
		t.Name, t.Kind, t.Status = "image_generation", recap.ToolOther, recap.ToolDone
	default:
		t.Kind = kindOf(t.Name, str(v, "namespace"))
		arguments(&t, v)
	}
	if t.Kind == recap.ToolCommand && patchCommand(t.Command) {
		t.Kind, t.Paths, t.Command = recap.ToolEdit, patched(t.Command), ""
	}
	return t
}

// arguments reads what a call was given: JSON in a string, or free text.
func arguments(t *recap.Tool, v *fastjson.Value) {
	raw := v.GetStringBytes("arguments")
	if raw == nil {
		raw = v.GetStringBytes("input")
	}
	a, err := fastjson.ParseBytes(raw)
	if err != nil || a.Type() != fastjson.TypeObject {
		if t.Kind == recap.ToolEdit {
			t.Paths = patched(string(raw))
		}
		return
	}
	switch t.Kind {
	case recap.ToolCommand:
		c := a.Get("cmd")
		if c == nil {
			c = a.Get("command")
		}
		t.Command = command(c)
	case recap.ToolEdit:
		p := str(a, "input")
		if p == "" {
			p = str(a, "patch")
		}
		t.Paths = patched(p)
	case recap.ToolTodo:
		for _, s := range a.GetArray("plan") {
			if step := str(s, "step"); step != "" {
				t.Todos = append(t.Todos, recap.Todo{Text: step, Status: todoStatus(str(s, "status"))})
			}
		}
		t.Status = recap.ToolDone
	case recap.ToolQuestion:
		t.Questions, t.Status = questions(a), recap.ToolWaiting
	case recap.ToolRead:
		if p := str(a, "path"); p != "" {
			t.Paths = []string{p}
		}
	case recap.ToolPlan, recap.ToolSubagent, recap.ToolOther:
	}
}

// escalates reports a call that asks to leave the sandbox: the person is asked
// before it runs.
func escalates(v *fastjson.Value) bool {
	raw := v.GetStringBytes("arguments")
	if !bytes.Contains(raw, []byte("justification")) && !bytes.Contains(raw, []byte("_permissions")) {
		return false
	}
	a, err := fastjson.ParseBytes(raw)
	if err != nil {
		return false
	}
	switch str(a, "sandbox_permissions") {
	case "require_escalated", "with_additional_permissions":
		return true
	case "":
		return a.GetBool("with_escalated_permissions") || strings.TrimSpace(str(a, "justification")) != ""
	}
	return false
}

// lookedAt gives the id of the run that a call of write_stdin continues.
func lookedAt(v *fastjson.Value) string {
	a, err := fastjson.ParseBytes(v.GetStringBytes("arguments"))
	if err != nil {
		return ""
	}
	if n := number(a.Get("session_id")); n != nil {
		return strconv.Itoa(*n)
	}
	return str(a, "session_id")
}

func questions(v *fastjson.Value) []string {
	var q []string
	for _, x := range v.GetArray("questions") {
		if s := str(x, "question"); s != "" {
			q = append(q, s)
		}
	}
	if s := str(v, "question"); s != "" {
		q = append(q, s)
	}
	return q
}

func todoStatus(s string) recap.TodoStatus {
	switch s {
	case "completed", "done":
		return recap.TodoDone
	case "in_progress", "active":
		return recap.TodoActive
	case "cancelled", "canceled":
		return recap.TodoCancelled
	}
	return recap.TodoOpen
}

// command gives a command as one string. The script of "bash -lc SCRIPT" is
// the command.
func command(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	if v.Type() == fastjson.TypeString {
		return strings.TrimSpace(str(v))
	}
	var words []string
	for _, w := range v.GetArray() {
		words = append(words, str(w))
	}
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c" || strings.EqualFold(words[1], "-Command")) {
		return strings.TrimSpace(words[2])
	}
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'$&|;<>()*?\\") && i > 0 {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// patchCommand reports a shell command that is nothing but a patch.
func patchCommand(c string) bool {
	if !strings.Contains(c, "*** Begin Patch") {
		return false
	}
	if strings.HasPrefix(c, "cd ") {
		if _, rest, ok := strings.Cut(c, "&&"); ok {
			c = strings.TrimSpace(rest)
		}
	}
	return strings.HasPrefix(c, "apply_patch") || strings.HasPrefix(c, "applypatch")
}

// patched gives the files that the headers of a patch name.
func patched(p string) []string {
	var paths []string
	for line := range strings.Lines(p) {
		for _, h := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if f, ok := strings.CutPrefix(line, h); ok {
				paths = appendNew(paths, strings.TrimSpace(f))
			}
		}
	}
	return paths
}

func appendNew(to []string, s string) []string {
	if slices.Contains(to, s) {
		return to
	}
	return append(to, s)
}

// result reads the output of a call in any of its forms: a text, a text that
// is JSON, an object, a list of content.
func (r *row) result(v *fastjson.Value) {
	t := &r.tool
	t.Status = recap.ToolDone
	if v == nil {
		return
	}
	var text string
	switch v.Type() {
	case fastjson.TypeString:
		text = str(v)
	case fastjson.TypeObject:
		text = str(v, "content")
		if text == "" {
			text = content(v.Get("content"))
		}
		if s := v.Get("success"); s != nil && s.Type() == fastjson.TypeFalse {
			t.Status = recap.ToolFailed
		}
	case fastjson.TypeArray:
		text = content(v)
	}
	if strings.HasPrefix(text, "{") {
		if o, err := fastjson.Parse(text); err == nil && o.Get("output") != nil && o.Get("metadata") != nil {
			text = str(o, "output")
			t.Exit = number(o.Get("metadata", "exit_code"))
		}
	}
	head, body := outputHead(text)
	if t.Exit == nil {
		t.Exit = exitIn(head)
	}
	if _, id, ok := strings.Cut(head, "Process running with session ID "); ok {
		r.run, _, _ = strings.Cut(strings.TrimSpace(id), "\n")
		t.Background = t.Exit == nil
	}
	t.Output = excerpt(body, recap.MaxToolOutput)
	if s, ok := outcome(text); ok {
		t.Status = s
	}
}

// outcome knows the sentences that stand in place of a result.
func outcome(text string) (recap.ToolStatus, bool) {
	s := strings.TrimSpace(text[:min(len(text), 200)])
	switch {
	case strings.HasPrefix(s, "exec command rejected by user"), strings.HasPrefix(s, "patch rejected by user"), strings.HasPrefix(s, "rejected by user"):
		return recap.ToolRejected, true
	case s == "aborted", strings.HasPrefix(s, "aborted by user"), strings.Contains(s, "\naborted by user"):
		return recap.ToolStopped, true
	case strings.HasPrefix(s, "apply_patch verification failed"), strings.HasPrefix(s, "failed to parse function arguments"),
		strings.HasPrefix(s, "exec_command failed"), strings.HasPrefix(s, "execution error:"), strings.HasPrefix(s, "unsupported call:"),
		strings.HasPrefix(s, "failed in sandbox"), strings.HasPrefix(s, "This action was rejected due to unacceptable risk"):
		return recap.ToolFailed, true
	}
	return "", false
}

func content(v *fastjson.Value) string {
	var t []string
	if v != nil {
		for _, c := range v.GetArray() {
			if s := str(c, "text"); s != "" {
				t = append(t, s)
			}
		}
	}
	return strings.Join(t, "\n")
}

// outputHead parts the lines that Codex puts before an output from it.
func outputHead(s string) (head, body string) {
	for _, p := range []string{"Exit code: ", "Chunk ID: ", "Wall time: "} {
		if strings.HasPrefix(s, p) {
			h, b, ok := strings.Cut(s, "\nOutput:\n")
			if !ok {
				h, b, _ = strings.Cut(s, "\nOutput:")
			}
			return h, b
		}
	}
	return "", s
}

// exitIn finds the exit status in those lines.
func exitIn(head string) *int {
	for line := range strings.Lines(head) {
		for _, p := range []string{"Exit code: ", "Process exited with code "} {
			if n, ok := strings.CutPrefix(line, p); ok {
				if c, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
					return &c
				}
			}
		}
	}
	return nil
}

func number(v *fastjson.Value) *int {
	if v == nil || v.Type() != fastjson.TypeNumber {
		return nil
	}
	n := v.GetInt()
	return &n
}

// ran reads an event that tells how a command or an edit ended.
func (r *row) ran(v *fastjson.Value, id string) {
	t := &r.tool
	*t = recap.Tool{CallID: id, Kind: recap.ToolCommand, Command: command(v.Get("command")), Exit: number(v.Get("exit_code")), At: r.at}
	out := str(v, "aggregated_output")
	if out == "" {
		out = str(v, "stdout") + str(v, "stderr")
	}
	t.Output = excerpt(out, recap.MaxToolOutput)
	switch str(v, "status") {
	case "declined":
		t.Status, t.Exit = recap.ToolRejected, nil
	case "in_progress", "inProgress":
		t.Status = recap.ToolPending
	case "failed":
		t.Status = recap.ToolDone // for a command, Exit tells more
		if t.Exit == nil {
			t.Status = recap.ToolFailed
		}
	default:
		t.Status = recap.ToolDone
	}
	if s := v.Get("success"); s != nil && s.Type() == fastjson.TypeFalse {
		t.Status = recap.ToolFailed
	}
	switch ch := v.Get("changes"); {
	case ch == nil:
	case ch.Type() == fastjson.TypeObject:
		ch.GetObject().Visit(func(k []byte, _ *fastjson.Value) {
			t.Paths = appendNew(t.Paths, strings.ToValidUTF8(string(k), "\uFFFD"))
		})
	case ch.Type() == fastjson.TypeArray:
		for _, c := range ch.GetArray() {
			if p := str(c, "path"); p != "" {
				t.Paths = appendNew(t.Paths, p)
			}
		}
	}
	if len(t.Paths) > 0 {
		t.Name = "apply_patch"
	}
	switch str(v, "source") {
	case "": // an old event: whose command it was is not said
	case "user_shell", "userShell":
		t.Name = "user_shell"
	default:
		t.Name = "exec_command"
	}
}

// waiting reads a request for approval or an answer.
func waiting(typ string, v *fastjson.Value) recap.Tool {
	t := recap.Tool{CallID: str(v, "call_id"), Status: recap.ToolWaiting, Kind: recap.ToolOther, Name: typ}
	switch typ {
	case "exec_approval_request":
		t.Name, t.Kind, t.Command = "exec_command", recap.ToolCommand, command(v.Get("command"))
	case "apply_patch_approval_request":
		t.Name, t.Kind = "apply_patch", recap.ToolEdit
		if o := v.GetObject("changes"); o != nil {
			o.Visit(func(k []byte, _ *fastjson.Value) {
				t.Paths = appendNew(t.Paths, strings.ToValidUTF8(string(k), "\uFFFD"))
			})
		}
	case "request_user_input":
		t.Kind, t.Questions = recap.ToolQuestion, questions(v)
	case "elicitation_request":
		t.Kind = recap.ToolQuestion
		if m := str(v, "message"); m != "" {
			t.Questions = []string{m}
		} else if m := str(v, "request", "message"); m != "" {
			t.Questions = []string{m}
		}
	}
	return t
}

// waitingFor words what a waiting call waits for, in lines as they came.
func waitingFor(t recap.Tool) string {
	if t.Kind == recap.ToolQuestion {
		return "question: " + strings.Join(t.Questions, "\n")
	}
	s := "approval: " + t.Name
	switch {
	case t.Command != "":
		s += "\n" + t.Command
	case len(t.Paths) > 0:
		s += "\n" + strings.Join(t.Paths, "\n")
	}
	return s
}
