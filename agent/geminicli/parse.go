package geminicli

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
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
	dirs    []string // header: directories, where the version notes them
	summary string   // header, patch
	target  string   // rewindTo
	msg     entry    // message
	list    []entry  // replace
}

// entry is a message of the log.
type entry struct {
	id  string
	msg recap.Message
	// drop: it stands for nothing a person would count.
	drop bool
	// place is where a message stands in its list.
	place int
	// human: a person sent it; text is what was typed.
	human bool
	text  string
	// injected: context that the program put there. thanks: the words with
	// which the program lets the model accept it.
	injected, thanks bool
	workspace        string // the directory that the context names
	open             string // what a call waits for, "" where none does
	more             bool   // the model said more than the text: it calls a tool
}

// size is about what an entry holds in memory.
func (e *entry) size() int {
	n := 400
	for _, p := range e.msg.Parts {
		n += 100 + len(p.Text)
		if p.Tool != nil {
			n += 300 + len(p.Tool.Output) + len(p.Tool.Command)
		}
	}
	return n
}

// Rows begin with these, as the program writes them.
const (
	patchStart = `{"$set":{"lastUpdated"`
	listStart  = `{"$set":{"messages":[`
	idStart    = `{"id":"`
	typeKey    = `"type":"`
	cancelled  = "Request cancelled."
)

// bookkeeping reports by its first bytes that a row holds nothing of anybody:
// a new time, or a notice that is not the end of a turn.
func bookkeeping(b []byte) bool {
	b = b[:min(len(b), 400)]
	if bytes.HasPrefix(b, []byte(patchStart)) {
		return true
	}
	if !bytes.HasPrefix(b, []byte(idStart)) {
		return false
	}
	_, b, ok := bytes.Cut(b, []byte(typeKey))
	if !ok {
		return false
	}
	for _, notice := range []string{`info"`, `warning"`} {
		if bytes.HasPrefix(b, []byte(notice)) {
			return !bytes.Contains(b, []byte(cancelled))
		}
	}
	return false
}

// isList reports that a row replaces the list of messages.
func isList(b []byte) bool { return bytes.HasPrefix(b, []byte(listStart)) }

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
		if set.Exists("messages") {
			return row{kind: replace, list: list(set.Get("messages"))}, true
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

// one decodes a message that stands alone, as elements finds it.
func one(p *fastjson.Parser, b []byte) (entry, bool) {
	v, err := p.ParseBytes(b)
	if err != nil || v.Type() != fastjson.TypeObject {
		return entry{}, false
	}
	return decode(v), true
}

// list decodes the messages of a whole list.
func list(v *fastjson.Value) []entry {
	arr := v.GetArray()
	out := make([]entry, 0, len(arr))
	for _, x := range arr {
		if x.Type() == fastjson.TypeObject {
			out = append(out, decode(x))
		}
	}
	return settle(out)
}

// settle drops the model's words of thanks for injected context.
func settle(es []entry) []entry {
	for i := 1; i < len(es); i++ {
		if es[i].thanks && es[i-1].injected {
			es[i].drop = true
		}
	}
	return es
}

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
		if text != cancelled {
			e.drop = true
			break
		}
		e.msg.Role, e.msg.Interrupted = recap.RoleAssistant, true
	case "error":
		what := text(v.Get("content"))
		if strings.HasPrefix(what, "Unknown command") { // of the program, not of a turn
			e.drop = true
			break
		}
		e.msg.Role, e.msg.Failure = recap.RoleAssistant, failure(what)
	default:
		e.drop = true
	}
	return e
}

// text joins the texts of a content: a string, a part, or a list of parts.
func text(v *fastjson.Value) string { return strings.Join(each(v), "\n\n") }

func each(v *fastjson.Value) []string {
	if v == nil {
		return nil
	}
	switch v.Type() {
	case fastjson.TypeString:
		return []string{string(v.GetStringBytes())}
	case fastjson.TypeObject:
		return []string{str(v, "text")}
	case fastjson.TypeArray:
		var out []string
		for _, p := range v.GetArray() {
			if p.Type() == fastjson.TypeString {
				out = append(out, string(p.GetStringBytes()))
			} else if t := str(p, "text"); t != "" && !p.GetBool("thought") {
				out = append(out, t)
			}
		}
		return out
	default:
		return nil
	}
}

func (e *entry) answer(v *fastjson.Value, at time.Time) {
	e.msg.Role, e.msg.Model = recap.RoleAssistant, recap.ModelRef{Provider: "google", ID: str(v, "model")}
	if t := text(v.Get("content")); strings.TrimSpace(t) != "" {
		e.thanks = strings.HasPrefix(t, "Got it. Thanks") && !v.Exists("tokens")
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartText, Text: t})
	}
	if len(v.GetArray("thoughts")) > 0 {
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartReasoning})
	}
	calls := false
	for _, c := range v.GetArray("toolCalls") {
		if c.Type() != fastjson.TypeObject {
			continue
		}
		calls = true
		t := tool(c, at)
		switch {
		case len(t.Questions) > 0 && (t.Status == recap.ToolWaiting || t.Status == recap.ToolPending):
			t.Status = recap.ToolWaiting // nobody but the person ends it
			e.open = "question: " + t.Questions[0]
		case t.Status == recap.ToolWaiting:
			e.open = "approval: " + t.Name + "\n" + about(t)
		}
		e.msg.Parts = append(e.msg.Parts, recap.Part{Kind: recap.PartTool, Tool: &t})
	}
	e.more = !calls && beyond(v)
	switch {
	case calls:
		e.msg.Finish, e.msg.Completed = recap.FinishToolCalls, at
	case len(e.msg.Parts) > 0 && e.msg.Parts[0].Kind == recap.PartText:
		e.msg.Finish, e.msg.Completed = recap.FinishStop, at
	}
}

// beyond reports that an answer took more tokens than its text has bytes, and
// some: no text does. The rest is a call, which the program writes down when it
// has ended.
func beyond(v *fastjson.Value) bool {
	n := v.GetInt("tokens", "output") - v.GetInt("tokens", "thoughts")
	return n > len(text(v.Get("content")))+framing
}

// framing is more than an answer takes besides what it says, in tokens.
const framing = 32

var errorCode = regexp.MustCompile(`"code":\s*(\d{3})`)

func failure(text string) *recap.Failure {
	f := &recap.Failure{Code: "error", Message: text}
	if m := errorCode.FindStringSubmatch(text); m != nil {
		f.Code = m[1]
	}
	return f
}
