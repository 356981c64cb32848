package claudecode

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// kind says what a row is to the conversation.
type kind int

const (
	none      kind = iota // nothing of the conversation
	person                // a person's prompt
	inserted              // a prompt that the agent inserted: a background task's notice
	summary               // compaction
	results               // results of tool calls
	interrupt             // the person stopped the agent
	answer                // a block of an answer
	turnEnd               // the agent noted the end of a turn
)

// row is one line of a transcript.
type row struct {
	kind         kind
	uuid, parent string
	at           time.Time
	cwd, branch  string
	session      string
	entry        string // what kind of program wrote it: "cli", "sdk-cli"
	// foreign is the id of the session the row was copied from, if it says so.
	foreign string
	// background: the row is of a copy that the agent made to work on unseen.
	background bool
	// headless: the prompt came from a program, not from a terminal.
	headless bool

	parts []recap.Part // prompts, answers
	// An answer's.
	message string // id of the answer the block belongs to
	model   string
	finish  recap.Finish
	aborted bool
	failure *recap.Failure
	// ops are the changes of the list of tasks among the calls.
	ops map[*recap.Tool]taskOp
	// delivery is what tells a queued prompt from another with its text.
	delivery string
	// pending is how many background agents work on after a turn's end.
	pending int
	// launched is the agent that was sent to work in the background; finished
	// is the one whose end is noticed.
	launched, finished string
	// local: a command of the agent's own, which sends no prompt.
	local bool
	// results may come with an interrupt, or with what the person said to a
	// call that was refused.
	results     []result
	said        string
	interrupted bool
}

// result is what a tool gave.
type result struct {
	call       string
	text       string
	failed     bool
	rejected   bool
	stopped    bool
	background bool
	// interpreted: the program read an exit status other than 0 as success.
	interpreted bool
	// What the result says of tasks.
	task    string
	tasks   []task
	refused bool
}

// peekBytes is how much of a row's start is looked at before it is decoded.
const peekBytes = 400

// skip reports, by the first bytes of a row, that it is bookkeeping and need
// not be decoded: four fifths of a transcript. sidechain is true where the
// file is a subagent's own and its rows are the conversation.
func skip(b []byte, sidechain bool) bool {
	if len(b) > peekBytes {
		b = b[:peekBytes]
	}
	if t, ok := bytes.CutPrefix(b, []byte(`{"type":"`)); ok {
		t, _, _ := bytes.Cut(t, []byte(`"`))
		switch string(t) {
		case "user", "assistant", "system", "attachment":
		default:
			return true
		}
	}
	// Nothing after these keys is the row's own envelope.
	envelope := b
	for _, key := range [...]string{`"message":`, `"attachment":`, `"toolUseResult":`, `"data":`} {
		if i := bytes.Index(envelope, []byte(key)); i >= 0 {
			envelope = envelope[:i]
		}
	}
	if !sidechain && bytes.Contains(envelope, []byte(`"isSidechain":true`)) {
		return true
	}
	if rest := b[len(envelope):]; bytes.HasPrefix(rest, []byte(`"attachment":{"type":"`)) {
		return !bytes.HasPrefix(rest, []byte(`"attachment":{"type":"queued_command"`))
	}
	if bytes.Contains(envelope, []byte(`"type":"progress"`)) {
		return true
	}
	if bytes.Contains(envelope, []byte(`"type":"system"`)) {
		return bytes.Contains(envelope, []byte(`"subtype":"`)) && !bytes.Contains(envelope, []byte(`"subtype":"turn_duration"`))
	}
	return false
}

var errNotObject = errors.New("row is not a JSON object")

// parser decodes rows. Not safe for concurrent use.
type parser struct {
	json fastjson.Parser
	// sidechain rows are the conversation: a subagent's own file.
	sidechain bool
}

// parse decodes one row. The row holds nothing of b.
func (p *parser) parse(b []byte) (row, error) {
	v, err := p.json.ParseBytes(b)
	if err != nil {
		return row{}, err
	}
	if v.Type() != fastjson.TypeObject {
		return row{}, errNotObject
	}
	if !p.sidechain && v.GetBool("isSidechain") {
		return row{}, nil
	}
	r := row{
		uuid: str(v, "uuid"), parent: str(v, "parentUuid"), at: when(v.Get("timestamp")),
		cwd: str(v, "cwd"), branch: str(v, "gitBranch"), session: str(v, "sessionId"), entry: str(v, "entrypoint"), foreign: foreign(v),
		background: string(v.GetStringBytes("sessionKind")) == "bg",
	}
	switch string(v.GetStringBytes("type")) {
	case "user":
		user(v, &r)
	case "assistant":
		assistant(v, &r)
	case "attachment":
		queued(v.Get("attachment"), &r)
	case "system":
		if string(v.GetStringBytes("subtype")) == "turn_duration" {
			r.kind = turnEnd
			r.pending = v.GetInt("pendingBackgroundAgentCount")
		}
	}
	return r, nil
}

// foreign gives the id of another session that the row names as its origin.
func foreign(v *fastjson.Value) string {
	own := v.GetStringBytes("sessionId")
	for _, o := range [...][]byte{v.GetStringBytes("forkedFrom", "sessionId"), v.GetStringBytes("requestSessionId"), v.GetStringBytes("session_id")} {
		if len(o) > 0 && len(own) > 0 && !bytes.Equal(o, own) {
			return string(o)
		}
	}
	return ""
}

func user(v *fastjson.Value, r *row) {
	origin := string(v.GetStringBytes("origin", "kind"))
	source := string(v.GetStringBytes("promptSource"))
	r.headless = source == "sdk" || origin == "" && source == "" && string(v.GetStringBytes("entrypoint")) == "sdk-cli"
	content := v.Get("message", "content")
	if v.GetBool("isCompactSummary") {
		r.kind, r.parts = summary, blocks(content)
		return
	}
	if v.GetBool("isMeta") {
		return
	}
	toolResults(v, content, r)
	if a := v.Get("toolUseResult"); a != nil && a.Type() == fastjson.TypeObject && a.GetBool("isAsync") {
		r.launched = str(a, "agentId")
	}
	parts := blocks(content)
	r.interrupted = isInterrupt(parts)
	switch {
	case len(r.results) > 0:
		r.kind = results
		return
	case r.interrupted:
		r.kind = interrupt
		return
	case v.Exists("toolUseResult"):
		return
	}
	typed(parts, origin, source, r)
}

// queued reads a prompt that was typed while the agent worked.
func queued(a *fastjson.Value, r *row) {
	if string(a.GetStringBytes("type")) != "queued_command" || a.GetBool("isMeta") {
		return
	}
	origin := string(a.GetStringBytes("origin", "kind"))
	if m := string(a.GetStringBytes("commandMode")); m != "" && m != "prompt" && origin == "" {
		origin = m
	}
	r.delivery = str(a, "delivery_id")
	if r.delivery == "" {
		r.delivery = str(a, "source_uuid")
	}
	typed(blocks(a.Get("prompt")), origin, "", r)
	if r.delivery == "" && len(r.parts) > 0 {
		r.delivery = r.at.String() + r.parts[0].Text
	}
}

const human = "human"

// typed decides who wrote a user row that is neither result nor interrupt.
func typed(parts []recap.Part, origin, source string, r *row) {
	foreignOrigin := origin != "" && origin != human || source == "system"
	kept := parts[:0]
	for _, p := range parts {
		if p.Kind == recap.PartText {
			p.Text = strip(p.Text)
			if strings.TrimSpace(p.Text) == "" {
				continue
			}
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 {
		return
	}
	first := ""
	if kept[0].Kind == recap.PartText {
		first = strings.TrimSpace(kept[0].Text)
	}
	if cmd, custom := command(first); cmd != "" {
		if foreignOrigin || !custom && origin != human {
			r.local = true // a built-in command
			return
		}
		r.kind = person
		r.parts = append([]recap.Part{{Kind: recap.PartText, Text: cmd}}, kept[1:]...)
		return
	}
	if foreignOrigin || origin != human && noticed(first) {
		r.kind, r.finished = inserted, between(first, "<task-id>", "</task-id>")
		for i := range kept {
			kept[i].Synthetic = true
		}
		r.parts = kept
		return
	}
	if origin != human && injected(first) {
		return
	}
	r.kind, r.parts = person, kept
}

// envelopes stand around what a person typed.
var envelopes = [...]string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics"}

// strip takes envelopes off the start, and reminders off the end.
func strip(s string) string {
	for again := true; again; {
		again = false
		t := strings.TrimLeft(s, " \t\r\n")
		for _, e := range envelopes {
			if !strings.HasPrefix(t, "<"+e+">") {
				continue
			}
			end := strings.Index(t, "</"+e+">")
			if end < 0 {
				return "" // cut in the middle: no word of it is the person's
			}
			s, again = strings.TrimLeft(t[end+len(e)+3:], " \t\r\n"), true
			break
		}
	}
	const open, shut = "<system-reminder>", "</system-reminder>"
	for t := strings.TrimRight(s, " \t\r\n"); strings.HasSuffix(t, shut); t = strings.TrimRight(s, " \t\r\n") {
		i := strings.LastIndex(t, open)
		if i < 0 {
			break
		}
		s = strings.TrimRight(t[:i], " \t\r\n")
	}
	return s
}

// injected reports that the text of a row without a mark of origin is no
// person's prompt: output of commands, and shell lines, which are an action.
func injected(s string) bool {
	for _, p := range [...]string{
		"<local-command-caveat>", "Caveat: The messages below", "<local-command-stdout>", "<local-command-stderr>",
		"<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user-memory-input>",
	} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// noticed reports that the text is a notice of another program or session.
func noticed(s string) bool {
	for _, p := range [...]string{"<task-notification>", "<teammate-message", "Another Claude session sent a message", "<agent-notification>"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// command reads the wrapper of a slash command: what the person typed, and
// whether it is one that sends a prompt. Those write the message first.
func command(s string) (line string, custom bool) {
	custom = strings.HasPrefix(s, "<command-message>")
	if !custom && !strings.HasPrefix(s, "<command-name>") {
		return "", false
	}
	name := strings.TrimSpace(between(s, "<command-name>", "</command-name>"))
	if name == "" {
		name = strings.TrimSpace(between(s, "<command-message>", "</command-message>"))
	}
	if name == "" {
		return "", false
	}
	if name[0] != '/' {
		name = "/" + name
	}
	args := strings.TrimSpace(between(s, "<command-args>", "</command-args>"))
	return strings.TrimSpace(name + " " + args), custom
}

func between(s, open, shut string) string {
	_, s, ok := strings.Cut(s, open)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, shut)
	return s
}

func isInterrupt(parts []recap.Part) bool {
	for _, p := range parts {
		if p.Kind == recap.PartText && interruptText(p.Text) {
			return true
		}
	}
	return false
}

func interruptText(s string) bool {
	switch strings.TrimSpace(s) {
	case "[Request interrupted by user]", "[Request interrupted by user for tool use]":
		return true
	}
	return false
}

// blocks gives the texts and files of a message's content.
func blocks(content *fastjson.Value) []recap.Part {
	if content != nil && content.Type() == fastjson.TypeString {
		return []recap.Part{{Kind: recap.PartText, Text: text(content)}}
	}
	var out []recap.Part
	for _, b := range content.GetArray() {
		switch string(b.GetStringBytes("type")) {
		case "text":
			if s := str(b, "text"); s != "" {
				out = append(out, recap.Part{Kind: recap.PartText, Text: s})
			}
		case "image", "document":
			name := str(b, "title")
			if name == "" {
				name = str(b, "name")
			}
			mime := str(b, "source", "media_type")
			if mime == "" && string(b.GetStringBytes("type")) == "image" {
				mime = "image/*"
			}
			out = append(out, recap.Part{Kind: recap.PartFile, File: &recap.File{Name: name, MIME: mime}})
		}
	}
	return out
}

func assistant(v *fastjson.Value, r *row) {
	m := v.Get("message")
	r.message = str(m, "id")
	if r.message == "" {
		r.message = r.uuid
	}
	r.finish = finish(string(m.GetStringBytes("stop_reason")))
	r.aborted = v.GetBool("isAbortedMidStream")
	model := str(m, "model")
	if v.GetBool("isApiErrorMessage") {
		r.kind, r.failure, r.finish = answer, failure(v, m), ""
		return
	}
	if model == "<synthetic>" {
		return // "No response requested." and the like: the program's words
	}
	r.kind, r.model = answer, model
	content := m.Get("content")
	if content != nil && content.Type() == fastjson.TypeString {
		r.parts = []recap.Part{{Kind: recap.PartText, Text: text(content)}}
		return
	}
	for _, b := range content.GetArray() {
		switch string(b.GetStringBytes("type")) {
		case "text":
			if s := str(b, "text"); s != "" {
				r.parts = append(r.parts, recap.Part{Kind: recap.PartText, Text: s})
			}
		case "thinking", "redacted_thinking":
			r.parts = append(r.parts, recap.Part{Kind: recap.PartReasoning, Text: str(b, "thinking")})
		case "tool_use", "server_tool_use":
			t := tool(b)
			t.At = r.at
			if op, ok := taskCall(t.Name, b.Get("input")); ok {
				if r.ops == nil {
					r.ops = map[*recap.Tool]taskOp{}
				}
				r.ops[t] = op
			}
			r.parts = append(r.parts, recap.Part{Kind: recap.PartTool, Tool: t})
		}
	}
}

func failure(v, m *fastjson.Value) *recap.Failure {
	f := &recap.Failure{Code: str(v, "error")}
	if status := v.GetInt("apiErrorStatus"); (f.Code == "" || f.Code == "unknown") && status != 0 {
		f.Code = strconv.Itoa(status)
	}
	if f.Code == "" {
		f.Code = "APIError"
	}
	for _, p := range blocks(m.Get("content")) {
		if p.Kind == recap.PartText && f.Message == "" {
			f.Message = p.Text
		}
	}
	return f
}

func finish(stop string) recap.Finish {
	switch stop {
	case "":
		return ""
	case "end_turn", "stop_sequence":
		return recap.FinishStop
	case "tool_use":
		return recap.FinishToolCalls
	case "max_tokens", "model_context_window_exceeded":
		return recap.FinishLength
	}
	return recap.FinishOther
}

// str copies a string out of the parser; "" where there is none.
func str(v *fastjson.Value, keys ...string) string {
	return valid(v.GetStringBytes(keys...))
}

func text(v *fastjson.Value) string { return valid(v.GetStringBytes()) }

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// when reads a time; the zero time where there is none.
func when(v *fastjson.Value) time.Time {
	t, err := time.Parse(time.RFC3339Nano, string(v.GetStringBytes()))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
