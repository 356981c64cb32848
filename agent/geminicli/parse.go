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

// kind says what a row of an event log is to us.
type kind int

const (
	noise    kind = iota
	header        // sessionId, projectHash
	message       // one message
	replace       // {"$set":{"messages":[…]}}
	patch         // {"$set":{…}} without messages
	rewindTo      // {"$rewindTo": id}
)

// row is a row of an event log.
type row struct {
	kind    kind
	session string // header
	hash    string // header: sha256 of the project's path
	sub     bool   // header of a subagent
	start   time.Time
	summary string   // patch
	target  string   // rewindTo
	msg     entry    // message
	list    []entry  // replace
	dirs    []string // header: directories, where the version notes them
}

// entry is a message of the log. What stands for nothing a person would count
// has drop set; its id still counts for rewinds.
type entry struct {
	id    string
	msg   recap.Message
	human bool
	drop  bool
	text  string // of a person's prompt
	open  string // what a call waits for, "" where none does
	calls bool
}

// bookkeeping reports by its first bytes that a row holds nothing of anybody.
func bookkeeping(b []byte) bool {
	return strings.HasPrefix(string(b[:min(len(b), 22)]), `{"$set":{"lastUpdated"`)
}

func str(v *fastjson.Value, keys ...string) string { return string(v.GetStringBytes(keys...)) }

func when(v *fastjson.Value, key string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, str(v, key))
	if err != nil {
		return time.Time{}
	}
	return t
}

// parse decodes a row. ok is false where it is no row at all.
func parse(p *fastjson.Parser, b []byte) (r row, ok bool) {
	v, err := p.ParseBytes(b)
	if err != nil || v.Type() != fastjson.TypeObject {
		return row{}, false
	}
	switch {
	case v.Exists("$rewindTo"):
		return row{kind: rewindTo, target: str(v, "$rewindTo")}, true
	case v.Exists("$set"):
		set := v.Get("$set")
		if m := set.Get("messages"); m != nil && m.Type() == fastjson.TypeArray {
			return row{kind: replace, list: list(m)}, true
		}
		return row{kind: patch, summary: str(set, "summary")}, true
	case v.Exists("projectHash"), v.Exists("sessionId") && !v.Exists("id"):
		return head(v), true
	case v.Exists("id"):
		return row{kind: message, msg: decode(v)}, true
	}
	return row{}, true
}

func head(v *fastjson.Value) row {
	r := row{kind: header, session: str(v, "sessionId"), hash: str(v, "projectHash"), sub: str(v, "kind") == "subagent", start: when(v, "startTime"), summary: str(v, "summary")}
	for _, d := range v.GetArray("directories") {
		if s := string(d.GetStringBytes()); s != "" {
			r.dirs = append(r.dirs, s)
		}
	}
	return r
}

// document decodes a session of the older form: one JSON document.
func document(p *fastjson.Parser, b []byte) (r row, ok bool) {
	v, err := p.ParseBytes(b)
	if err != nil || v.Type() != fastjson.TypeObject || !v.Exists("sessionId") {
		return row{}, false
	}
	r = head(v)
	r.list = list(v.Get("messages"))
	return r, true
}

// list decodes the messages of a whole list. The model's word of thanks for an
// injected text (context, summary of the history) is nobody's answer.
func list(v *fastjson.Value) []entry {
	if v == nil || v.Type() != fastjson.TypeArray {
		return nil
	}
	arr := v.GetArray()
	out := make([]entry, 0, len(arr))
	injected := false
	for _, x := range arr {
		if x.Type() != fastjson.TypeObject {
			continue
		}
		e := decode(x)
		if injected && e.msg.Role == recap.RoleAssistant && !x.Exists("tokens") {
			e.drop = true
		}
		injected = str(x, "type") == "user" && e.drop && !e.calls
		out = append(out, e)
	}
	return out
}

var hook = regexp.MustCompile(`^\s*<hook_context>(?s:.*?)</hook_context>\s*`)

// decode makes a message.
func decode(v *fastjson.Value) entry {
	at := when(v, "timestamp")
	e := entry{id: str(v, "id")}
	e.msg = recap.Message{ID: e.id, Created: at}
	switch str(v, "type") {
	case "user":
		e.user(v, at)
	case "gemini", "model", "assistant":
		e.answer(v, at)
	case "info":
		text := strings.TrimSpace(text(v.Get("content")))
		if text != "Request cancelled." {
			e.drop = true
			break
		}
		e.msg.Role, e.msg.Interrupted = recap.RoleAssistant, true
	case "error":
		e.msg.Role = recap.RoleAssistant
		e.msg.Failure = failure(text(v.Get("content")))
	default:
		e.drop = true
	}
	return e
}

// text joins the texts of a content: a string, a part, or a list of parts.
func text(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	switch v.Type() {
	case fastjson.TypeString:
		return string(v.GetStringBytes())
	case fastjson.TypeObject:
		return str(v, "text")
	case fastjson.TypeArray:
		var parts []string
		for _, p := range v.GetArray() {
			if p.Type() == fastjson.TypeString {
				parts = append(parts, string(p.GetStringBytes()))
			} else if t := str(p, "text"); t != "" && !p.GetBool("thought") {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "\n\n")
	default:
		return ""
	}
}

func (e *entry) user(v *fastjson.Value, at time.Time) {
	e.msg.Role, e.msg.Completed = recap.RoleUser, at
	content := v.Get("content")
	var texts []string
	if content != nil && content.Type() == fastjson.TypeArray {
		for _, p := range content.GetArray() {
			if p.Exists("functionResponse") {
				e.calls = true
			}
			for _, key := range []string{"inlineData", "fileData"} {
				if f := p.Get(key); f != nil && f.Type() == fastjson.TypeObject {
					name := str(f, "displayName")
					if name == "" {
						name = str(f, "fileUri")
					}
					e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartFile, File: &recap.File{Name: name, MIME: str(f, "mimeType")}})
				}
			}
			if t := text(p); t != "" {
				texts = append(texts, t)
			}
		}
	} else if t := text(content); t != "" {
		texts = append(texts, t)
	}
	if e.calls {
		e.drop, e.msg.Parts = true, nil
		return
	}
	if shown := text(v.Get("displayContent")); shown != "" {
		texts = []string{shown}
	}
	var kept []string
	for _, t := range texts {
		for {
			loc := hook.FindStringIndex(t)
			if loc == nil {
				break
			}
			t = t[loc[1]:]
		}
		trimmed := strings.TrimSpace(t)
		if trimmed == "" || strings.HasPrefix(trimmed, "<session_context>") || strings.HasPrefix(trimmed, "<state_snapshot>") {
			continue
		}
		kept = append(kept, t)
	}
	joined := strings.TrimSpace(strings.Join(kept, "\n\n"))
	if joined == "" && len(e.msg.Parts) == 0 || strings.HasPrefix(joined, "/") && !strings.ContainsAny(firstWord(joined)[1:], "/.") || joined == "?" {
		e.drop, e.msg.Parts = true, nil
		return
	}
	e.human, e.text = true, joined
	if joined != "" {
		e.msg.Parts = append([]recap.Part{{Kind: recap.PartText, Text: joined}}, e.msg.Parts...)
	}
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \n\t"); i >= 0 {
		return s[:i]
	}
	return s
}

func (e *entry) answer(v *fastjson.Value, at time.Time) {
	e.msg.Role, e.msg.Model = recap.RoleAssistant, recap.ModelRef{Provider: "google", ID: str(v, "model")}
	if t := text(v.Get("content")); strings.TrimSpace(t) != "" {
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartText, Text: t})
	}
	if len(v.GetArray("thoughts")) > 0 {
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartReasoning})
	}
	for _, c := range v.GetArray("toolCalls") {
		if c.Type() != fastjson.TypeObject {
			continue
		}
		e.calls = true
		t := tool(c, at)
		switch {
		case t.Status == recap.ToolWaiting && len(t.Questions) > 0:
			e.open = "question: " + t.Questions[0]
		case t.Status == recap.ToolWaiting || t.Status == recap.ToolPending && e.open == "":
			e.open = "approval: " + strings.TrimSpace(t.Name+" "+about(t))
		}
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartTool, Tool: &t})
	}
	switch {
	case e.calls:
		e.msg.Finish, e.msg.Completed = recap.FinishToolCalls, at
	case len(e.msg.Parts) > 0 && e.msg.Parts[0].Kind == recap.PartText:
		e.msg.Finish, e.msg.Completed = recap.FinishStop, at
	}
}

func about(t recap.Tool) string {
	if t.Command != "" {
		return t.Command
	}
	if len(t.Paths) > 0 {
		return t.Paths[0]
	}
	return ""
}

var exitCode = regexp.MustCompile(`(?m)^Exit Code: (-?\d+)\s*$`)

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
	out := ""
	for _, r := range c.GetArray("result") {
		for _, key := range []string{"output", "error"} {
			if s := str(r, "functionResponse", "response", key); s != "" {
				out += s
			}
		}
	}
	t.Output = prompt.Excerpt(out, recap.MaxToolOutput)
	switch str(c, "status") {
	case "success":
		t.Status = recap.ToolDone
	case "error":
		t.Status = recap.ToolFailed
	case "cancelled":
		t.Status = recap.ToolRejected
	case "awaiting_approval":
		t.Status = recap.ToolWaiting
	default:
		t.Status = recap.ToolPending
		if out != "" {
			t.Status = recap.ToolDone
		}
	}
	if t.Kind == recap.ToolCommand && t.Status != recap.ToolRejected && out != "" {
		exit(&t, out)
	}
	return t
}

// exit reads the status line of the shell tool: "Exit Code: N" where N is not 0 (old
// versions: always); none where the command ended well.
func exit(t *recap.Tool, out string) {
	if m := exitCode.FindAllStringSubmatch(out, -1); len(m) > 0 {
		if n, err := strconv.Atoi(m[len(m)-1][1]); err == nil {
			t.Exit, t.Status = &n, recap.ToolDone
		}
		return
	}
	body := strings.TrimPrefix(strings.TrimSpace(out), "<untrusted_context>")
	if t.Status == recap.ToolDone && !t.Background && strings.HasPrefix(strings.TrimSpace(body), "Output:") &&
		!strings.Contains(body, "\nSignal: ") && !strings.Contains(body, "\nError: ") {
		zero := 0
		t.Exit = &zero
	}
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

var errorCode = regexp.MustCompile(`"code":\s*(\d{3})`)

func failure(text string) *recap.Failure {
	f := &recap.Failure{Code: "error", Message: text}
	if m := errorCode.FindStringSubmatch(text); m != nil {
		f.Code = m[1]
	}
	return f
}
