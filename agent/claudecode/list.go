package claudecode

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// What an open tail waits for.
const (
	openPrompt = "prompt" // no answer yet
	openTool   = "tool"   // a call without result
	openWork   = "work"   // results without an answer to them
	openAgents = "agents" // nothing; agents in the background still work
	openQueue  = "queue"  // nothing; a prompt stands in the queue
)

// facts are what merging and the live check need of a file.
type facts struct {
	forkOf     string   // copied from this session
	ownWork    bool     // it holds work of its own after the copy
	continued  string   // goes on in this session
	start      string   // the directory it began in
	first      string   // id of the first row of the conversation
	leaf       string   // id of the newest row of the conversation
	summaries  []string // "leaf text": titles of conversations by their newest row
	titled     bool     // the title is a title, no prompt
	headless   bool     // every prompt seen came from a program
	prompts    int      // prompts seen
	parent     string   // the session whose agent's rows these are
	template   string   // hash of the start of the only prompt
	internal   bool     // the only prompt is a known program's template
	terminal   bool     // the newest row was written in a terminal
	open       string   // what the tail waits for
	asked      string   // what a call without result would wait for
	background bool     // a copy that the agent made to work in the background
	asks       []string // marks of the newest prompts, the newest first

	// Not kept: the newest rows hold nothing of the conversation, or only results
	// of calls further back; they end a turn; they name a directory, a kind of
	// program.
	blank, lost, ended, placed, entered bool
	// Nor this: rows that are none.
	broken int
}

// maxAsks is how many of the newest prompts are remembered, to tell a copy
// that goes on from one that does not.
const maxAsks = 16

// learn derives what a listing shows from both ends of a file.
// skip says why there is nothing to show, "" where there is.
func learn(e filelog.Ends, p *parser) (s recap.Session, f facts, skip string) {
	l := learner{p: p, facts: facts{ownWork: true}, prompts: map[string]bool{}, fromTail: map[*string]bool{}}
	l.changed = e.File.ModTime
	l.tail(e)
	l.head(e)
	if e.Unreadable(l.good) {
		return l.s, l.facts, skipUnreadable
	}
	if l.s.UpdatedAt.IsZero() {
		l.s.UpdatedAt = l.stamp
	}
	if l.s.UpdatedAt.IsZero() {
		l.s.UpdatedAt = time.Unix(0, e.File.ModTime).UTC()
	}
	if l.s.CreatedAt.IsZero() {
		l.s.CreatedAt = l.s.UpdatedAt
	}
	l.title(e)
	l.facts.headless = l.facts.prompts > 0 && l.typed == 0
	if l.facts.prompts == 1 && l.facts.headless {
		l.facts.template, l.facts.internal = template(l.prompt), internal(l.prompt)
	}
	// A file whose every row was seen and that holds no conversation was
	// opened and left; nothing is to be found again in it.
	if !l.conversation && (e.Whole() || e.TailStart == 0) {
		return l.s, l.facts, skipEmpty
	}
	return l.s, l.facts, ""
}

type learner struct {
	p            *parser
	s            recap.Session
	facts        facts
	conversation bool
	typed        int
	prompt       string // the first of the own work
	copied       string // the first of the copy
	lastPrompt   string
	entry        string
	custom, ai   string
	stamp        time.Time // the newest of any row
	changed      int64     // when the file was
	good         int       // rows that are some
	torn         bool      // the row at hand may be in the midst of being written
	prompts      map[string]bool
	fromTail     map[*string]bool
	background
}

// tail reads the newest rows, and the state they leave.
func (l *learner) tail(e filelog.Ends) {
	c := newCollector(true, false, life{})
	whole := e.TailStart == 0
	own, foreign := 0, false
	n := int64(0)
	for b := range e.TailRows {
		n--
		l.torn = n == -1 && e.Torn()
		if l.meta(b, true) || skip(b, l.p.sidechain) {
			if l.stamp.IsZero() {
				l.stamp = filelog.Plausible(peekTime(b), l.changed)
			}
			if filelog.IsRow(b) {
				l.good++
			}
			c.scan(b)
			l.queue(b)
			continue
		}
		r, ok := l.parse(b)
		if !ok {
			continue
		}
		l.place(&r)
		l.row(&r)
		if l.stamp.IsZero() {
			l.stamp = r.at
		}
		if r.foreign != "" && !foreign {
			foreign, l.facts.forkOf = true, r.foreign
			own = content(c.records)
			l.facts.ownWork = own > 0
		}
		if r.kind != none && l.facts.leaf == "" && r.uuid != "" {
			l.facts.leaf = r.uuid
		}
		if isContent(r.kind) {
			l.conversation = true
			if l.s.UpdatedAt.IsZero() {
				l.s.UpdatedAt = r.at
			}
		}
		if r.kind == answer && l.s.Model.ID == "" && r.model != "" {
			l.s.Model = model(r.model)
		}
		if r.kind == person {
			l.person(&r)
			if r.uuid != "" && len(l.facts.asks) < maxAsks {
				l.facts.asks = append(l.facts.asks, strconv.FormatUint(hash(r.uuid)>>24, 36))
			}
			if !foreign {
				l.prompt = firstText(r.parts)
			} else {
				l.copied = firstText(r.parts)
			}
		}
		l.facts.background = l.facts.background || r.background
		if whole {
			if isContent(r.kind) && r.uuid != "" {
				l.facts.first = r.uuid
			}
			if r.cwd != "" {
				l.facts.start = r.cwd
			}
		}
		c.add(&r, n)
	}
	if !whole {
		l.prompt, l.copied = "", "" // not the first
	}
	l.s.State, l.facts.open, l.facts.asked = state(c)
	if l.facts.open == "" {
		l.facts.open = l.left()
	}
	l.facts.blank, l.facts.ended = !l.conversation, c.ended
	l.facts.lost = len(c.records) == 0 && !c.ended
	l.facts.placed, l.facts.entered = l.s.Directory != "", l.entry != ""
}

// parse decodes a row and counts it; false where it is none.
func (l *learner) parse(b []byte) (row, bool) {
	r, err := l.p.parse(b)
	if l.count(err == nil); err != nil {
		return row{}, false
	}
	r.at = filelog.Plausible(r.at, l.changed)
	return r, true
}

// count counts a row. One that is being written is no broken one.
func (l *learner) count(good bool) {
	switch {
	case good:
		l.good++
	case !l.torn:
		l.facts.broken++
	}
}

// person counts a prompt once.
func (l *learner) person(r *row) {
	if l.prompts[r.uuid] && r.uuid != "" {
		return
	}
	l.prompts[r.uuid] = true
	l.facts.prompts++
	if !r.headless {
		l.typed++
	}
}

// place notes the newest directory and branch, and the first time.
func (l *learner) place(r *row) {
	if l.s.Directory == "" {
		l.s.Directory = r.cwd
	}
	if l.s.Branch == "" {
		l.s.Branch = r.branch
	}
	if l.entry == "" {
		l.entry = r.entry
		l.facts.terminal = r.entry == "cli"
	}
	if l.facts.parent == "" && l.p.sidechain {
		l.facts.parent = r.session
	}
}

// head reads the oldest rows, for the beginning and the first prompt.
func (l *learner) head(e filelog.Ends) {
	whole := e.TailStart == 0
	l.torn = false
	headModel := ""
	for b := range e.HeadRows {
		if l.s.CreatedAt.IsZero() {
			l.s.CreatedAt = filelog.Plausible(peekTime(b), l.changed)
		}
		if whole {
			if !l.s.CreatedAt.IsZero() {
				return
			}
			continue // the tail was the file
		}
		if l.meta(b, false) || skip(b, l.p.sidechain) {
			if filelog.IsRow(b) {
				l.good++
			}
			continue
		}
		r, ok := l.parse(b)
		if !ok {
			continue
		}
		l.place(&r)
		if l.facts.start == "" {
			l.facts.start = r.cwd
		}
		if isContent(r.kind) {
			l.conversation = true
			if l.facts.first == "" {
				l.facts.first = r.uuid
			}
		}
		if r.kind == answer && r.model != "" {
			headModel = r.model
		}
		if l.facts.forkOf == "" && r.foreign != "" {
			l.facts.forkOf = r.foreign // and the tail is its own
		}
		if r.kind != person {
			continue
		}
		l.person(&r)
		if l.copied == "" && l.facts.forkOf != "" {
			l.copied = firstText(r.parts)
		} else if l.prompt == "" && l.facts.forkOf == "" {
			l.prompt = firstText(r.parts)
		}
	}
	if headModel == "" {
		// Told to the model before the first answer.
		headModel = valid([]byte(between(string(e.Head), `"attachment":{"type":"model","identity":{"modelId":"`, `"`)))
	}
	if l.s.Model.ID == "" && headModel != "" {
		l.s.Model = model(headModel)
	}
}

// meta reads the rows that say something of the whole session. newest is true
// while rows come newest first: then the first one counts, else the last.
func (l *learner) meta(b []byte, newest bool) bool {
	t, ok := bytes.CutPrefix(b, []byte(`{"type":"`))
	if !ok {
		return false
	}
	t, _, _ = bytes.Cut(t, []byte(`"`))
	set := func(to *string, keys ...string) {
		if newest && *to != "" || !newest && l.fromTail[to] {
			return
		}
		if v := l.decode(b); v != nil {
			if s := str(v, keys...); s != "" {
				*to = s
				l.fromTail[to] = newest
			}
		}
	}
	switch string(t) {
	case "custom-title":
		set(&l.custom, "customTitle")
	case "ai-title":
		set(&l.ai, "aiTitle")
	case "last-prompt":
		set(&l.lastPrompt, "lastPrompt")
	case "continued-in":
		set(&l.facts.continued, "continuedInSessionId")
	case "relocated":
		set(&l.s.Directory, "relocatedCwd")
	case "summary":
		if v := l.decode(b); v != nil && len(l.facts.summaries) < 8 {
			if leaf, text := str(v, "leafUuid"), str(v, "summary"); leaf != "" && text != "" {
				l.facts.summaries = append(l.facts.summaries, leaf+" "+agent.Line(text))
			}
		}
	default:
		return false
	}
	return true
}

func (l *learner) decode(b []byte) *fastjson.Value {
	v, err := l.p.json.ParseBytes(b)
	if err != nil {
		return nil
	}
	return v
}

// title chooses the person's title, the agent's, a summary, the first prompt.
func (l *learner) title(e filelog.Ends) {
	for _, s := range []string{l.custom, l.ai} {
		if t := agent.Line(s); t != "" {
			l.s.Title, l.facts.titled = t, true
			return
		}
	}
	for _, x := range l.facts.summaries {
		leaf, text, _ := strings.Cut(x, " ")
		id := []byte(`"uuid":"` + leaf + `"`)
		if bytes.Contains(e.Tail, id) || bytes.Contains(e.Head, id) {
			l.s.Title, l.facts.titled = text, true
			return
		}
	}
	for _, s := range []string{l.prompt, l.copied, l.lastPrompt} {
		if t := agent.Line(s); t != "" {
			l.s.Title = t
			return
		}
	}
}

func isContent(k kind) bool {
	switch k {
	case person, inserted, summary, results, interrupt, answer:
		return true
	}
	return false
}

// content counts the records that are somebody's words or work.
func content(records []*recap.Message) int {
	n := 0
	for _, m := range records {
		if m.Role != recap.RoleService && !m.Summary {
			n++
		}
	}
	return n
}

// state reads how the newest records leave the session.
func state(c *collector) (s recap.State, open, asked string) {
	if c.stop != nil && len(c.records) == 0 { // its turn is further back
		return recap.StateInterrupted, "", ""
	}
	stopped := false
	for _, m := range c.records {
		switch {
		case m.Role == recap.RoleService:
			stopped = stopped || m.Interrupted
			continue
		case m.Summary:
			continue
		case m.Role == recap.RoleUser && stopped:
			return recap.StateInterrupted, "", ""
		case m.Role == recap.RoleUser:
			return recap.StateUnknown, openPrompt, ""
		case m.Failure != nil:
			return recap.StateFailed, "", ""
		case m.Interrupted:
			return recap.StateInterrupted, "", ""
		case m.Finish == recap.FinishToolCalls:
			return toolState(m)
		case m.Finish == "", !c.sealed && c.unsaid(m):
			return recap.StateUnknown, openWork, ""
		}
		if c.pending {
			return recap.StateIdle, openAgents, ""
		}
		return recap.StateIdle, "", ""
	}
	if stopped {
		return recap.StateInterrupted, "", ""
	}
	switch {
	case c.ended && c.pending:
		return recap.StateIdle, openAgents, ""
	case c.ended:
		return recap.StateIdle, "", ""
	case len(c.results) > 0: // of calls further back
		return recap.StateUnknown, openWork, ""
	}
	return recap.StateUnknown, "", ""
}

func toolState(m *recap.Message) (s recap.State, open, asked string) {
	over, calls := true, false
	for _, p := range m.Parts {
		t := p.Tool
		if t == nil {
			continue
		}
		calls = true
		if t.Status == recap.ToolPending && (asked == "" || asks(t.Kind) && !asksPerson(asked)) {
			open, asked = openTool, waitingFor(t)
		}
		over = over && (t.Status == recap.ToolRejected || t.Status == recap.ToolStopped)
	}
	switch {
	case open != "":
		return recap.StateUnknown, open, asked
	case over && calls:
		return recap.StateInterrupted, "", ""
	}
	return recap.StateUnknown, openWork, "" // its calls are still to come, or their results were not answered
}

func firstText(parts []recap.Part) string {
	for _, p := range parts {
		if p.Kind == recap.PartText {
			return p.Text
		}
	}
	if len(parts) > 0 {
		return "(image)"
	}
	return ""
}

// peekTime finds the time of a row without decoding it.
func peekTime(b []byte) time.Time {
	const key = `"timestamp":"`
	i := bytes.LastIndex(b, []byte(key))
	if i < 0 {
		return time.Time{}
	}
	b = b[i+len(key):]
	i = bytes.IndexByte(b, '"')
	if i < 0 || i > 40 {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, string(b[:i]))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// encode and decode keep facts in an index entry.
func (f facts) encode() []string {
	out := []string{}
	add := func(k, v string) {
		if v != "" {
			out = append(out, k+"="+v)
		}
	}
	flag := func(k string, v bool) {
		if v {
			out = append(out, k)
		}
	}
	add("fork", f.forkOf)
	flag("own", f.ownWork)
	add("cont", f.continued)
	add("start", f.start)
	add("parent", f.parent)
	add("first", f.first)
	add("leaf", f.leaf)
	for _, s := range f.summaries {
		add("sum", s)
	}
	flag("titled", f.titled)
	flag("headless", f.headless)
	add("prompts", strconv.Itoa(f.prompts))
	add("tmpl", f.template)
	flag("internal", f.internal)
	flag("terminal", f.terminal)
	add("open", f.open)
	add("asked", f.asked)
	flag("bg", f.background)
	add("asks", strings.Join(f.asks, " "))
	return out
}

func decodeFacts(in []string) (f facts) {
	for _, s := range in {
		k, v, _ := strings.Cut(s, "=")
		switch k {
		case "fork":
			f.forkOf = v
		case "own":
			f.ownWork = true
		case "cont":
			f.continued = v
		case "start":
			f.start = v
		case "parent":
			f.parent = v
		case "first":
			f.first = v
		case "leaf":
			f.leaf = v
		case "sum":
			f.summaries = append(f.summaries, v)
		case "titled":
			f.titled = true
		case "headless":
			f.headless = true
		case "prompts":
			f.prompts, _ = strconv.Atoi(v)
		case "tmpl":
			f.template = v
		case "internal":
			f.internal = true
		case "terminal":
			f.terminal = true
		case "open":
			f.open = v
		case "asked":
			f.asked = v
		case "bg":
			f.background = true
		case "asks":
			f.asks = strings.Fields(v)
		}
	}
	return f
}
