package opencode

import (
	"encoding/json"
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

var errShape = errors.New("not an object of OpenCode")

// ParseMessage reads the info of a message: the data column of the database,
// or the info of the server. Where id is "" the info's own is taken. The parts
// come from [ParsePart]. Fields of a wrong type are as if they were missing;
// an error means that info is no JSON object or has no known role.
func ParseMessage(id string, info []byte) (recap.Message, error) {
	v, err := fastjson.ParseBytes(info)
	if err != nil {
		return recap.Message{}, err
	}
	if v.Type() != fastjson.TypeObject {
		return recap.Message{}, errShape
	}
	if id == "" {
		id = str(v, "id")
	}
	m := recap.Message{
		ID:      id,
		Created: timeOf(num(v, "time", "created")),
		Model:   recap.ModelRef{Provider: str(v, "providerID"), ID: str(v, "modelID")},
	}
	switch str(v, "role") {
	case "user":
		m.Role = recap.RoleUser
		m.Model = recap.ModelRef{Provider: str(v, "model", "providerID"), ID: str(v, "model", "modelID")}
		return m, nil
	case "assistant":
		m.Role = recap.RoleAssistant
	default:
		return recap.Message{}, errShape
	}
	m.ParentID = str(v, "parentID")
	m.Completed = timeOf(num(v, "time", "completed"))
	m.Summary = v.GetBool("summary")
	switch f := str(v, "finish"); f {
	case "":
	case "stop", "tool-calls", "length":
		m.Finish = recap.Finish(f)
	default:
		m.Finish = recap.FinishOther
	}
	switch name := str(v, "error", "name"); name {
	case "":
	case "MessageAbortedError":
		m.Interrupted = true
	default:
		m.Failure = &recap.Failure{Code: name, Message: str(v, "error", "data", "message")}
	}
	return m, nil
}

// Places in the metadata of a part where clients put attached contexts.
const (
	aiworkerContext    = "aiworkerContext"
	openchamberContext = "openchamberContext"
	opencodeComment    = "opencodeComment"
	// kindComment is the kind of OpenCode's own comment mirror.
	kindComment = "opencode-comment"
)

// ParsePart reads a part: the data column of the database, or a part of the
// server. Parts of unknown types are markers. A call that waits for the person
// does so only while OpenCode runs, which a part does not tell. An error means
// that data is no JSON object.
func ParsePart(data []byte) (recap.Part, error) {
	v, err := fastjson.ParseBytes(data)
	if err != nil {
		return recap.Part{}, err
	}
	if v.Type() != fastjson.TypeObject {
		return recap.Part{}, errShape
	}
	switch str(v, "type") {
	case "text":
		return recap.Part{
			Kind: recap.PartText, Text: str(v, "text"),
			Synthetic: v.GetBool("synthetic"), Ignored: v.GetBool("ignored"),
			Attached: attached(v.Get("metadata")),
		}, nil
	case "subtask": // a command of the person's that a subagent runs
		return recap.Part{Kind: recap.PartText, Text: str(v, "prompt")}, nil
	case "reasoning":
		return recap.Part{Kind: recap.PartReasoning, Text: str(v, "text")}, nil
	case "file":
		return recap.Part{Kind: recap.PartFile, File: &recap.File{Name: fileName(v), MIME: str(v, "mime")}}, nil
	case "tool":
		return recap.Part{Kind: recap.PartTool, Tool: parseTool(v)}, nil
	}
	return recap.Part{Kind: recap.PartMarker}, nil
}

// asksSummary reports, by the parts of a user message as they are kept, that it
// is a person's request to summarise the talk and nothing else. Where OpenCode
// asks by itself the work goes on after it.
func asksSummary(m *recap.Message, parts func(yield func([]byte) bool)) bool {
	if m.Role != recap.RoleUser || slices.ContainsFunc(m.Parts, func(p recap.Part) bool { return p.Kind != recap.PartMarker }) {
		return false
	}
	asked := false
	for b := range parts {
		v, err := fastjson.ParseBytes(b)
		if err != nil || str(v, "type") != "compaction" {
			continue
		}
		if v.GetBool("auto") {
			return false
		}
		asked = true
	}
	return asked
}

func attached(meta *fastjson.Value) *recap.Attached {
	for _, place := range []string{aiworkerContext, openchamberContext, opencodeComment} {
		o := meta.Get(place)
		if o == nil || o.Type() != fastjson.TypeObject {
			continue
		}
		var values map[string]any
		if err := json.Unmarshal(o.MarshalTo(nil), &values); err != nil {
			continue
		}
		kind := kindComment
		if place != opencodeComment {
			kind = str(o, "kind")
		}
		return &recap.Attached{Kind: kind, Values: values}
	}
	return nil
}

func fileName(v *fastjson.Value) string {
	if n := str(v, "filename"); n != "" {
		return n
	}
	if p := str(v, "source", "path"); p != "" {
		return p
	}
	if u, err := url.Parse(str(v, "url")); err == nil && u.Scheme == "file" {
		return clean(path.Base(u.Path))
	}
	return ""
}

func toolKind(name string) recap.ToolKind {
	switch name {
	case "bash", "shell":
		return recap.ToolCommand
	case "edit", "write", "patch", "apply_patch", "multiedit":
		return recap.ToolEdit
	case "read", "grep", "glob", "list", "lsp", "codesearch", "webfetch", "websearch":
		return recap.ToolRead
	case "todowrite":
		return recap.ToolTodo
	case "question":
		return recap.ToolQuestion
	case "plan_exit":
		return recap.ToolPlan
	case "task":
		return recap.ToolSubagent
	}
	return recap.ToolOther
}

func parseTool(v *fastjson.Value) *recap.Tool {
	state := v.Get("state")
	in, meta := state.Get("input"), state.Get("metadata")
	t := &recap.Tool{
		CallID: str(v, "callID"), Name: str(v, "tool"), Kind: toolKind(str(v, "tool")),
		At: timeOf(num(state, "time", "start")),
	}
	output := str(state, "output")
	t.Status = toolStatus(t.Kind, state, output)
	if t.Status != recap.ToolDone {
		output = str(state, "error")
	}
	t.Output = bothEnds(output, recap.MaxToolOutput)
	switch t.Kind {
	case recap.ToolCommand:
		t.Command = str(in, "command")
		if e := meta.Get("exit"); e != nil {
			if n, err := e.Int(); err == nil {
				t.Exit = &n
			}
		}
	case recap.ToolEdit:
		t.Paths = editPaths(in, meta)
	case recap.ToolTodo:
		for _, e := range in.GetArray("todos") {
			if text := str(e, "content"); text != "" {
				t.Todos = append(t.Todos, recap.Todo{Text: text, Status: todoStatus(str(e, "status"))})
			}
		}
	case recap.ToolQuestion:
		for _, q := range in.GetArray("questions") {
			if text := str(q, "question"); text != "" {
				t.Questions = append(t.Questions, text)
			}
		}
	}
	return t
}

// toolStatus knows a refusal and a stop by the words OpenCode writes. A shell
// command gets its first metadata when the person, or a rule, has allowed it:
// one that runs without waits for that.
func toolStatus(kind recap.ToolKind, state *fastjson.Value, output string) recap.ToolStatus {
	const aborted = "User aborted the command"
	switch str(state, "status") {
	case "completed":
		if strings.Contains(tail(output, 1024), aborted) && missing(state, "metadata", "exit") {
			return recap.ToolStopped
		}
		return recap.ToolDone
	case "error":
		switch e := str(state, "error"); {
		case state.GetBool("metadata", "interrupted"), strings.Contains(e, "Tool execution aborted"):
			return recap.ToolStopped
		case strings.Contains(e, "rejected permission"), strings.Contains(e, "specified a rule"), strings.Contains(e, "user dismissed"):
			return recap.ToolRejected
		}
		return recap.ToolFailed
	case "running":
		if kind == recap.ToolQuestion || (kind == recap.ToolCommand && missing(state, "metadata")) {
			return recap.ToolWaiting
		}
	}
	return recap.ToolPending
}

func missing(v *fastjson.Value, keys ...string) bool {
	e := v.Get(keys...)
	return e == nil || e.Type() == fastjson.TypeNull
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// editPaths lists the files of an edit: of its input, of its result, or of the
// patch it applies.
func editPaths(in, meta *fastjson.Value) []string {
	var out []string
	add := func(p string) {
		if p != "" && len(out) < 1000 && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	add(str(in, "filePath"))
	for _, f := range meta.GetArray("files") {
		add(str(f, "filePath"))
		add(str(f, "movePath"))
		add(str(f, "file"))
	}
	if len(out) > 0 {
		return out
	}
	for line := range strings.Lines(str(in, "patchText")) {
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if p, ok := strings.CutPrefix(line, mark); ok {
				add(strings.TrimSpace(p))
			}
		}
	}
	return out
}

func todoStatus(s string) recap.TodoStatus {
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

// str gives a string field, "" where it is missing or of another type.
func str(v *fastjson.Value, keys ...string) string {
	return clean(string(v.GetStringBytes(keys...)))
}

// num gives a number field, 0 where it is missing, of another type or too big.
func num(v *fastjson.Value, keys ...string) int64 {
	f := v.GetFloat64(keys...)
	if f != f || f < 0 || f > 1<<53 {
		return 0
	}
	return int64(f)
}

const cutMark = "\n…\n"

// bothEnds keeps at most n characters of a text, both ends, whole graphemes.
func bothEnds(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if head, _ := headOf(s, n); len(head) == len(s) {
		return s
	}
	const mark = 3 // characters of cutMark
	head, used := headOf(s, (n-mark+1)/2)
	return head + cutMark + tailOf(s[len(head):], n-mark-used)
}

// tailOf gives the longest run of whole graphemes at the end of s that has at
// most n characters.
func tailOf(s string, n int) string {
	// Graphemes are found from the front: begin well before the place, at a
	// line where there is one.
	if far := len(s) - 8*n; far > 0 {
		s = strings.ToValidUTF8(s[far:], "")
		if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
			s = s[i+1:]
		}
	}
	total := len([]rune(s))
	state := -1
	for total > n {
		var g string
		g, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		total -= len([]rune(g))
	}
	return s
}
