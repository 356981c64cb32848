package codex

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

// rowKind says what a row of a rollout is to us.
type rowKind uint8

const (
	rowOther     rowKind = iota // of no use, or unknown
	rowMeta                     // session_meta
	rowContext                  // turn_context: model, directory
	rowHuman                    // a person's prompt
	rowInjected                 // a message that nobody typed
	rowAnswer                   // text of the model
	rowReasoning                // thoughts of the model
	rowCall                     // a tool call
	rowResult                   // its result
	rowRan                      // an event that tells how a command or an edit ended
	rowAsk                      // the agent waits for the person
	rowStart                    // a turn begins
	rowEnd                      // a turn is over, maybe with an error
	rowAbort                    // a turn was stopped
	rowError                    // an error event of older versions
	rowCompacted                // the history was summarised
	rowRollback                 // the last turns were taken back
	rowUsage                    // the model's answer to a request is whole
)

// row is what is kept of one line.
type row struct {
	kind    rowKind
	at      time.Time
	ordinal int64 // -1: none
	turn    string
	id      string
	text    string // prompt, answer, thought, last answer of a turn, summary
	files   []recap.File
	tool    recap.Tool // of a call or a question; of a result: what it tells
	run     string     // of a result or a call: id of a command that went on in the background
	failure *recap.Failure
	turns   int // of a rollback
	meta    *meta
	model   string
	cwd     string
	asks    bool // of a call: it asks to leave the sandbox
	unasked bool // of a context: nobody is asked for approval
}

// meta is the first row of a rollout.
type meta struct {
	id, parent, forkedFrom     string
	at                         time.Time
	cwd, branch, provider      string
	source, threadSource, kind string // kind: the kind of sub-agent
	originator                 string
	paginated                  bool
	base                       string
	baseOrdinal, baseOffset    int64
}

var errNotARow = errors.New("row is not a JSON object")

// wantedEvents are the events that tell something no response_item does.
func wantedEvent(t string) bool {
	switch t {
	case "task_started", "turn_started", "task_complete", "turn_complete", "turn_aborted", "error",
		"exec_command_end", "patch_apply_end", "exec_approval_request", "apply_patch_approval_request",
		"request_user_input", "elicitation_request", "request_permissions", "item_completed", "thread_rolled_back":
		return true
	}
	return false
}

// bookkeeping reports, by the first bytes of a row, that it holds nothing for
// us. In doubt it says no.
func bookkeeping(b []byte) bool {
	b = b[:min(len(b), 480)]
	typ, rest := quoted(b, `"type":"`)
	switch typ {
	case "world_state", "token_usage_record":
		return true
	case "event_msg":
		ev, rest := quoted(rest, `"payload":{"type":"`)
		if ev == "" {
			return false
		}
		if ev == "item_completed" {
			item, _ := quoted(rest, `"item":{"type":"`)
			return item != "" && !wantedItem(item)
		}
		return !wantedEvent(ev)
	}
	return false
}

// usage reports a row of bookkeeping that tells that an answer of the model is
// whole: versions that write no ends of turns write this behind each.
func usage(b []byte) bool {
	typ, rest := quoted(b[:min(len(b), 480)], `"type":"`)
	if typ != "event_msg" {
		return false
	}
	ev, _ := quoted(rest, `"payload":{"type":"`)
	return ev == "token_count"
}

func wantedItem(t string) bool {
	return t == "CommandExecution" || t == "FileChange"
}

// quoted gives the string after the first occurrence of key, and what follows.
func quoted(b []byte, key string) (string, []byte) {
	_, b, ok := bytes.Cut(b, []byte(key))
	if !ok {
		return "", nil
	}
	v, rest, ok := bytes.Cut(b, []byte(`"`))
	if !ok {
		return "", nil
	}
	return string(v), rest
}

// parseRow reads one line. Rows of no use come back as rowOther without an
// error; an error is a line that is no JSON object.
func parseRow(p *fastjson.Parser, b []byte) (row, error) {
	v, err := p.ParseBytes(b)
	if err != nil {
		return row{}, err
	}
	if v.Type() != fastjson.TypeObject {
		return row{}, errNotARow
	}
	r := row{at: moment(str(v, "timestamp")), ordinal: -1}
	if o := v.Get("ordinal"); o != nil && o.Type() == fastjson.TypeNumber {
		r.ordinal = o.GetInt64()
	}
	pl := v.Get("payload")
	typ := str(v, "type")
	if pl == nil { // versions of 2025 wrote the items bare
		switch {
		case typ == "" && str(v, "id") != "" && !r.at.IsZero():
			typ, pl = "session_meta", v
		case typ == "message" || typ == "function_call" || typ == "function_call_output" || typ == "local_shell_call":
			typ, pl = "response_item", v
		default:
			return r, nil
		}
	}
	switch typ {
	case "session_meta":
		r.kind, r.meta = rowMeta, parseMeta(pl)
		if r.meta.id == "" {
			r.kind = rowOther
		}
	case "turn_context":
		r.kind, r.turn, r.model, r.cwd = rowContext, str(pl, "turn_id"), str(pl, "model"), str(pl, "cwd")
		reviewer := str(pl, "approvals_reviewer")
		r.unasked = str(pl, "approval_policy") == "never" || reviewer != "" && reviewer != "user"
	case "response_item":
		r.item(pl)
	case "event_msg":
		r.event(pl)
	case "compacted":
		r.kind, r.text = rowCompacted, str(pl, "message")
	}
	return r, nil
}

func parseMeta(v *fastjson.Value) *meta {
	m := &meta{
		id: str(v, "id"), parent: str(v, "parent_thread_id"), forkedFrom: str(v, "forked_from_id"),
		at: moment(str(v, "timestamp")), cwd: str(v, "cwd"), branch: str(v, "git", "branch"),
		provider: str(v, "model_provider"), source: str(v, "source"), threadSource: str(v, "thread_source"),
		originator: str(v, "originator"), paginated: str(v, "history_mode") == "paginated",
		base: str(v, "history_base", "thread_id"), baseOrdinal: -1, baseOffset: -1,
	}
	if n := v.Get("history_base", "end_ordinal_exclusive"); n != nil && n.Type() == fastjson.TypeNumber {
		m.baseOrdinal = n.GetInt64()
	}
	if n := v.Get("history_base", "end_byte_offset"); n != nil && n.Type() == fastjson.TypeNumber {
		m.baseOffset = n.GetInt64()
	}
	switch sub := v.Get("source", "subagent"); {
	case sub == nil:
	case sub.Type() == fastjson.TypeString:
		m.kind = str(sub)
	case sub.Type() == fastjson.TypeObject:
		sub.GetObject().Visit(func(k []byte, s *fastjson.Value) {
			m.kind = string(k)
			if p := str(s, "parent_thread_id"); p != "" && m.parent == "" {
				m.parent = p
			}
		})
	}
	if m.kind == "" && m.threadSource == "subagent" {
		m.kind = "thread_spawn"
	}
	if root := str(v, "session_id"); m.kind != "" && m.parent == "" && root != m.id {
		m.parent = root
	}
	return m
}

// item reads a response_item.
func (r *row) item(v *fastjson.Value) {
	pass := v.Get("internal_chat_message_metadata_passthrough")
	r.id, r.turn = str(v, "id"), str(pass, "turn_id")
	switch str(v, "type") {
	case "message":
		switch str(v, "role") {
		case "assistant":
			r.kind, r.text = rowAnswer, answerText(v)
		case "user":
			r.kind = rowInjected
			r.text, r.files = typedPrompt(v, pass)
			if r.text != "" || len(r.files) > 0 {
				r.kind = rowHuman
			}
		default:
			r.kind = rowInjected
		}
	case "reasoning":
		r.kind = rowReasoning
		var t []string
		for _, s := range v.GetArray("summary") {
			if x := str(s, "text"); x != "" {
				t = append(t, x)
			}
		}
		r.text = strings.Join(t, "\n\n")
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "image_generation_call":
		r.kind, r.tool = rowCall, parseCall(v)
		r.tool.At, r.asks = r.at, escalates(v)
		if r.tool.Name == "write_stdin" {
			r.run = lookedAt(v)
		}
	case "function_call_output", "custom_tool_call_output", "tool_search_output":
		r.kind = rowResult
		r.tool.CallID = str(v, "call_id")
		r.result(v.Get("output"))
	}
}

// event reads an event_msg.
func (r *row) event(v *fastjson.Value) {
	r.turn = str(v, "turn_id")
	switch t := str(v, "type"); t {
	case "task_started", "turn_started":
		r.kind = rowStart
	case "task_complete", "turn_complete":
		r.kind, r.text = rowEnd, str(v, "last_agent_message")
		if e := v.Get("error"); e != nil && e.Type() != fastjson.TypeNull {
			r.failure = failure(e)
		}
	case "turn_aborted":
		r.kind = rowAbort
	case "error":
		r.kind, r.failure = rowError, failure(v)
	case "thread_rolled_back":
		if n := v.GetInt("num_turns"); n > 0 {
			r.kind, r.turns = rowRollback, n
		}
	case "exec_command_end", "patch_apply_end":
		r.kind = rowRan
		r.ran(v, str(v, "call_id"))
		if t == "patch_apply_end" {
			r.tool.Kind = recap.ToolEdit
		}
	case "item_completed":
		item := v.Get("item")
		switch str(item, "type") {
		case "CommandExecution":
			r.kind = rowRan
			r.ran(item, str(item, "id"))
		case "FileChange":
			r.kind = rowRan
			r.ran(item, str(item, "id"))
			r.tool.Kind = recap.ToolEdit
		}
	case "exec_approval_request", "apply_patch_approval_request", "request_permissions", "elicitation_request", "request_user_input":
		r.kind = rowAsk
		r.tool = waiting(t, v)
		r.tool.At = r.at
	}
}

func failure(v *fastjson.Value) *recap.Failure {
	f := &recap.Failure{Message: str(v, "message"), Code: "error"}
	switch c := v.Get("codex_error_info"); {
	case c == nil:
	case c.Type() == fastjson.TypeString:
		f.Code = str(c)
	case c.Type() == fastjson.TypeObject:
		c.GetObject().Visit(func(k []byte, _ *fastjson.Value) { f.Code = string(k) })
	}
	if v.Type() == fastjson.TypeString {
		f.Message = str(v)
	}
	return f
}

func answerText(v *fastjson.Value) string {
	var t []string
	for _, c := range v.GetArray("content") {
		if x := str(c, "text"); x != "" {
			t = append(t, x)
		}
	}
	s := strings.Join(t, "\n\n")
	if strings.Contains(s, "<proposed_plan>") {
		s = strings.NewReplacer("<proposed_plan>", "", "</proposed_plan>", "").Replace(s)
	}
	return strings.TrimSpace(s)
}

// str gives the string at a path, "" where there is none.
func str(v *fastjson.Value, keys ...string) string {
	if v == nil {
		return ""
	}
	return strings.ToValidUTF8(string(v.GetStringBytes(keys...)), "\uFFFD")
}

func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
