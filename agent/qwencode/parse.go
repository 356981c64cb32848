package qwencode

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// kind says what a row is to us.
type kind int

const (
	noise     kind = iota // bookkeeping
	human                 // a person's prompt, also one typed while the agent worked
	injected              // a user row that no person typed
	answer                // one answer of the model
	result                // what a tool returned
	apiError              // a call of the model failed
	title                 // a title
	rewind                // the person went back: rows after the parent are gone
	compacted             // history was compressed for the model
)

// row is a row that matters.
type row struct {
	kind    kind
	uuid    string
	parent  string
	session string
	at      time.Time
	cwd     string
	branch  string
	fork    string // id of the session it was copied from
	title   string
	manual  bool // the person's own title
	msg     recap.Message
	callID  string     // of a result
	outcome outcome    // of a result
	failure failure    // of an apiError
	open    []openCall // calls of an answer, for the state
	// launched: the result is of an agent that works in the background; finished
	// is the call whose agent is noticed to have ended.
	launched bool
	finished string
}

type openCall struct{ id, name, about string }

type failure struct{ code, message string }

// outcome is what a tool returned.
type outcome struct {
	text   string
	failed bool
	status string
}

// bookkeeping reports by a row's first bytes that it holds nothing of anybody:
// such rows are never decoded.
func bookkeeping(b []byte) bool {
	head := b[:min(len(b), 700)]
	if !bytes.Contains(head, []byte(`"type":"system"`)) {
		return false
	}
	_, sub, ok := bytes.Cut(head, []byte(`"subtype":"`))
	if !ok {
		return false
	}
	if j := bytes.IndexByte(sub, '"'); j >= 0 {
		sub = sub[:j]
	}
	switch string(sub) {
	case "ui_telemetry":
		return !bytes.Contains(head, []byte("api_error"))
	case "custom_title", "rewind", "chat_compression":
		return false
	}
	return true
}

// parse decodes a row. ok is false where it is no row at all.
func parse(p *fastjson.Parser, b []byte) (r row, ok bool) {
	v, err := p.ParseBytes(b)
	if err != nil || v.Type() != fastjson.TypeObject {
		return row{}, false
	}
	r = row{
		uuid: str(v, "uuid"), parent: str(v, "parentUuid"), session: str(v, "sessionId"), cwd: str(v, "cwd"), branch: str(v, "gitBranch"),
		fork: str(v, "forkedFrom", "sessionId"),
	}
	if t, err := time.Parse(time.RFC3339Nano, str(v, "timestamp")); err == nil {
		r.at = t
	}
	switch str(v, "type") {
	case "user":
		r.user(v)
	case "assistant":
		r.assistant(v)
	case "tool_result":
		r.result(v)
	case "system":
		r.system(v)
	}
	return r, true
}

func str(v *fastjson.Value, keys ...string) string { return string(v.GetStringBytes(keys...)) }

var (
	reminder = regexp.MustCompile(`^\s*<system-reminder>(?s:.*?)</system-reminder>\s*`)
	exitCode = regexp.MustCompile(`(?m)^Exit Code: (-?\d+)\s*$`)
)

// strip takes reminders off the front of a text.
func strip(s string) string {
	for {
		loc := reminder.FindStringIndex(s)
		if loc == nil {
			return s
		}
		s = s[loc[1]:]
	}
}

func (r *row) user(v *fastjson.Value) {
	r.kind = injected
	r.msg = recap.Message{ID: r.uuid, Role: recap.RoleUser, Created: r.at, Completed: r.at}
	prov, sub := str(v, "provenance"), str(v, "subtype")
	person := (prov == "" || prov == "real_user") && (sub == "" || sub == "mid_turn_user_message")
	var texts []string
	var files []recap.Part
	notice := ""
	for _, part := range v.GetArray("message", "parts") {
		if t := str(part, "text"); t != "" && !part.GetBool("thought") {
			texts = append(texts, t)
			if notice == "" {
				notice = t
			}
		}
		for _, key := range []string{"inlineData", "fileData"} {
			if f := part.Get(key); f != nil && f.Type() == fastjson.TypeObject {
				name := str(f, "displayName")
				if name == "" {
					name = str(f, "fileUri")
				}
				files = append(files, recap.Part{Kind: recap.PartFile, File: &recap.File{Name: name, MIME: str(f, "mimeType")}})
			}
		}
	}
	if shown := str(v, "systemPayload", "displayText"); shown != "" {
		texts = []string{shown}
	}
	if person {
		kept := texts[:0]
		for _, t := range texts {
			if t = strip(t); strings.TrimSpace(t) != "" && !strings.HasPrefix(strings.TrimSpace(t), "<qwen:") {
				kept = append(kept, t)
			}
		}
		person = len(kept) > 0 || len(files) > 0
		if person {
			r.kind = human
			for _, t := range kept {
				r.msg.Parts = append(r.msg.Parts, recap.Part{Kind: recap.PartText, Text: t})
			}
			r.msg.Parts = append(r.msg.Parts, files...)
			return
		}
	}
	r.msg.Parts = []recap.Part{{Kind: recap.PartText, Synthetic: true}}
	if sub == "notification" {
		_, id, _ := strings.Cut(notice, "<tool-use-id>")
		r.finished, _, _ = strings.Cut(id, "</tool-use-id>")
	}
}

func (r *row) assistant(v *fastjson.Value) {
	r.kind = answer
	r.msg = recap.Message{ID: r.uuid, Role: recap.RoleAssistant, Created: r.at, Model: recap.ModelRef{Provider: "qwen", ID: str(v, "model")}}
	calls := false
	for _, part := range v.GetArray("message", "parts") {
		if t := str(part, "text"); t != "" {
			k := recap.PartText
			if part.GetBool("thought") {
				k = recap.PartReasoning
				t = ""
			}
			r.msg.Parts = append(r.msg.Parts, recap.Part{Kind: k, Text: t})
		}
		if c := part.Get("functionCall"); c != nil && c.Type() == fastjson.TypeObject {
			calls = true
			t := tool(c)
			t.At = r.at
			r.msg.Parts = append(r.msg.Parts, recap.Part{Kind: recap.PartTool, Tool: &t})
			r.open = append(r.open, openCall{t.CallID, t.Name, about(t)})
		}
	}
	usage := v.Get("usageMetadata")
	switch {
	case calls:
		r.msg.Finish, r.msg.Completed = recap.FinishToolCalls, r.at
	case usage != nil && usage.Type() == fastjson.TypeObject:
		r.msg.Finish, r.msg.Completed = recap.FinishStop, r.at
	default:
		r.msg.Interrupted = true
	}
}

func (r *row) result(v *fastjson.Value) {
	r.kind = result
	for _, part := range v.GetArray("message", "parts") {
		f := part.Get("functionResponse")
		if f == nil {
			continue
		}
		r.callID = str(f, "id")
		r.outcome.text = str(f, "response", "output")
		if e := str(f, "response", "error"); e != "" {
			r.outcome.text, r.outcome.failed = e, true
		}
	}
	if id := str(v, "toolCallResult", "callId"); r.callID == "" {
		r.callID = id
	}
	r.outcome.status = str(v, "toolCallResult", "status")
	r.launched = str(v, "toolCallResult", "resultDisplay", "executionMode") == "background"
}

func (r *row) system(v *fastjson.Value) {
	pay := v.Get("systemPayload")
	switch str(v, "subtype") {
	case "ui_telemetry":
		ev := pay.Get("uiEvent")
		if ev == nil || ev.Type() != fastjson.TypeObject || string(ev.GetStringBytes("event.name")) != "qwen-code.api_error" {
			return
		}
		r.kind = apiError
		r.failure = failure{code: str(ev, "error_type"), message: str(ev, "error_message")}
		if n := ev.GetInt("status_code"); n > 0 {
			r.failure.code = strconv.Itoa(n)
		}
		if r.failure.code == "" {
			r.failure.code = "error"
		}
	case "custom_title":
		r.kind, r.title, r.manual = title, str(pay, "customTitle"), str(pay, "titleSource") == "manual"
	case "rewind":
		r.kind = rewind
	case "chat_compression":
		r.kind = compacted
	}
}

// tool makes a call of its JSON.
func tool(c *fastjson.Value) recap.Tool {
	t := recap.Tool{CallID: str(c, "id"), Name: str(c, "name"), Kind: recap.ToolOther, Status: recap.ToolPending}
	args := c.Get("args")
	switch t.Name {
	case "run_shell_command", "shell":
		t.Kind, t.Command, t.Background = recap.ToolCommand, str(args, "command"), args.GetBool("is_background")
	case "edit", "write_file", "replace", "notebook_edit", "multi_edit":
		t.Kind = recap.ToolEdit
		for _, key := range []string{"file_path", "path", "notebook_path", "absolute_path"} {
			if p := str(args, key); p != "" {
				t.Paths = append(t.Paths, p)
				break
			}
		}
	case "read_file", "read_many_files", "glob", "grep_search", "search_file_content", "list_directory", "lsp":
		t.Kind = recap.ToolRead
	case "todo_write":
		t.Kind = recap.ToolTodo
		for _, x := range args.GetArray("todos") {
			t.Todos = append(t.Todos, recap.Todo{Text: str(x, "content"), Status: todoStatus(str(x, "status"))})
		}
	case "ask_user_question":
		t.Kind = recap.ToolQuestion
		for _, q := range args.GetArray("questions") {
			if s := str(q, "question"); s != "" {
				t.Questions = append(t.Questions, s)
			}
		}
		if s := str(args, "question"); s != "" {
			t.Questions = append(t.Questions, s)
		}
	case "exit_plan_mode":
		t.Kind = recap.ToolPlan
	case "agent", "task":
		t.Kind = recap.ToolSubagent
	}
	return t
}

func todoStatus(s string) recap.TodoStatus {
	switch s {
	case "completed", "done":
		return recap.TodoDone
	case "in_progress":
		return recap.TodoActive
	case "cancelled":
		return recap.TodoCancelled
	}
	return recap.TodoOpen
}

// about says in a few words what a call wants to do.
func about(t recap.Tool) string {
	switch {
	case len(t.Questions) > 0:
		return t.Questions[0]
	case t.Command != "":
		return t.Command
	case len(t.Paths) > 0:
		return t.Paths[0]
	}
	return ""
}

// attach gives a call its result.
func (o outcome) attach(t *recap.Tool) {
	t.Output = prompt.Excerpt(o.text, recap.MaxToolOutput)
	t.Status = recap.ToolDone
	if m := exitCode.FindAllStringSubmatch(o.text, -1); t.Kind == recap.ToolCommand && len(m) > 0 {
		// The agent's own line stands after the command's output.
		if n, err := strconv.Atoi(m[len(m)-1][1]); err == nil {
			t.Exit = &n
			return
		}
	}
	low := strings.ToLower(o.text[:min(len(o.text), 200)])
	switch {
	case o.status == "cancelled" || strings.Contains(low, "[operation cancelled]"):
		t.Status = recap.ToolRejected
	case o.failed || o.status == "error":
		t.Status = recap.ToolFailed
	}
}
