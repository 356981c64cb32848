package geminicli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Why a file holds no session to be shown, where that is a problem.
const (
	skipUnreadable = "no readable row"
	skipNoID       = "no session id"
)

// ofSubagent marks the log of a subagent. Its newest content is noted.
const ofSubagent = "of a subagent"

// glance gathers what the ends of a file show of its session.
type glance struct {
	x       recap.Session
	hash    string // of the directory
	sub     bool
	summary string
	first   string // what was asked first
	asked   bool
	good    int // rows, or a document, that are some
	broken  int // rows that are none
	changed int64
	es      []entry // what was seen, in no order
}

// opening takes a message from the start of the file.
func (g *glance) opening(e entry) {
	g.es = append(g.es, e)
	if g.x.Directory == "" {
		g.x.Directory = e.workspace
	}
	if e.human {
		g.asked = true
		if g.first == "" {
			g.first = e.text
		}
	}
}

// closing takes the messages at the end of the file, the newest first.
func (g *glance) closing(newest []entry) {
	g.es = append(g.es, newest...)
	last := ""
	for _, e := range newest {
		if e.drop {
			continue
		}
		if at := filelog.Plausible(e.msg.Created, g.changed); at.After(g.x.UpdatedAt) {
			g.x.UpdatedAt = at
		}
		if e.human {
			g.asked, last = true, e.text
		}
		if g.x.Model.ID == "" && e.msg.Role == recap.RoleAssistant {
			g.x.Model = e.msg.Model
		}
	}
	if g.first == "" {
		g.first = last
	}
}

// stand says how the session stands by its newest message.
func (g *glance) stand(newest []entry) {
	i := slices.IndexFunc(newest, func(e entry) bool { return !e.drop })
	if i < 0 {
		return
	}
	e := newest[i]
	switch {
	case e.msg.Failure != nil:
		g.x.State = recap.StateFailed
	case e.msg.Interrupted:
		g.x.State = recap.StateInterrupted
	case e.open != "":
		g.x.State, g.x.WaitingFor = recap.StateWaiting, agent.Line(e.open)
	case e.more: // a call that is not written down yet
		g.x.State = recap.StateUnknown
	case e.msg.Finish == recap.FinishStop:
		g.x.State = recap.StateIdle
	default: // an answer is due, and nothing tells whether anybody works on it
		g.x.State = recap.StateUnknown
	}
}

// derive makes the entry of a file from both its ends.
func (s *Source) derive(ends filelog.Ends) agent.Entry {
	e := ends.Entry()
	g := glance{changed: ends.File.ModTime}
	g.x.State = recap.StateUnknown
	if isLog(ends.File.Path) {
		s.log(ends, &g)
	} else {
		s.document(ends, &g)
	}
	e.Facts, e.Broken = []string{g.hash}, g.broken
	if torn(ends) {
		g.x.State, g.x.WaitingFor = recap.StateUnknown, ""
	}
	switch {
	case torn(ends) && g.good == 0 && bytes.HasPrefix(bytes.TrimSpace(ends.Head), []byte("{")) && !bytes.Contains(ends.Head, []byte("\x00")):
		e.Skip = "has no end yet"
		return e
	case ends.Unreadable(g.good), !isLog(ends.File.Path) && g.good == 0 && len(bytes.TrimSpace(ends.Head)) > 0:
		e.Skip = skipUnreadable
		return e
	case g.x.Ref.ID == "" && len(g.es) > 0:
		e.Skip = skipNoID
		return e
	case g.x.Ref.ID == "":
		e.Skip = "no session"
		return e
	}
	if g.sub {
		e.Skip = ofSubagent
		e.Facts = append(e.Facts, strconv.FormatInt(g.x.UpdatedAt.UnixNano(), 10))
		return e
	}
	switch {
	case !ends.Whole():
	case !g.asked && g.broken > 0 && slices.ContainsFunc(g.es, kept): // what was asked can't be read
	case !g.asked:
		e.Skip = "nothing was asked"
	case filelog.OfProgram(g.first) && !slices.ContainsFunc(g.es, func(x entry) bool { return x.human && !filelog.OfProgram(x.text) }):
		e.Skip = "a program's" // and nobody went on with it
	}
	if dir := guess(g.hash, g.es); dir != "" && hashOf(g.x.Directory) != g.hash {
		g.x.Directory = dir
	}
	if t := agent.Line(g.summary); !strings.HasPrefix(t, "<") {
		g.x.Title = t
	}
	if g.x.Title == "" {
		g.x.Title = agent.Line(g.first)
	}
	// Without a time in any row the file's own is the best there is.
	if g.x.UpdatedAt.IsZero() {
		g.x.UpdatedAt = cmp.Or(g.x.CreatedAt, time.Unix(0, g.changed).UTC())
	}
	if g.x.CreatedAt.IsZero() {
		g.x.CreatedAt = g.x.UpdatedAt
	}
	g.x.CreatedAt, g.x.UpdatedAt = filelog.Plausible(g.x.CreatedAt, g.changed), filelog.Plausible(g.x.UpdatedAt, g.changed)
	e.Session = g.x
	return e
}

// header takes the first header; a session that was taken over from a document
// has a second one, which may bring the summary.
func (g *glance) header(r row) {
	if g.summary == "" {
		g.summary = r.summary
	}
	if g.x.Ref.ID != "" {
		if !r.start.IsZero() && r.start.Before(g.x.CreatedAt) {
			g.x.CreatedAt = r.start
		}
		return
	}
	g.x.Ref.ID, g.hash, g.sub, g.x.CreatedAt = r.session, r.hash, r.sub, r.start
	if len(r.dirs) > 0 {
		g.x.Directory = r.dirs[0]
	}
}

// log looks at both ends of an event log.
func (s *Source) log(ends filelog.Ends, g *glance) {
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	for b := range ends.HeadRows {
		if bookkeeping(b) {
			g.good++
			continue
		}
		r, ok := parse(p, b)
		if ok {
			g.good++
		} else if ends.TailStart > 0 { // else the tail is the file
			g.broken++
		}
		switch r.kind {
		case header:
			g.header(r)
		case message:
			g.opening(r.msg)
		case replace:
			for _, e := range r.list {
				g.opening(e)
			}
		case patch:
			if r.summary != "" {
				g.summary = r.summary
			}
		case noise, rewindTo:
		}
	}
	if !g.asked && !ends.Whole() { // the row that the head cuts
		b := ends.Head[bytes.LastIndexByte(ends.Head, '\n')+1:]
		if bytes.HasPrefix(b, []byte(idStart)) || isList(b) {
			s.opened(g, b, false)
		}
	}
	var t ending
	torn := ends.Torn()
	for b := range ends.TailRows {
		last := torn
		torn = false
		if bookkeeping(b) {
			g.good++
			continue
		}
		r, ok := parse(p, b)
		if ok {
			g.good++
		} else if !last {
			g.broken++
		}
		t.row(&r)
	}
	if s.deep && ends.TailStart > 0 && !t.tells() {
		t = ending{}
		t.further(p, ends.File.Path)
	}
	if t.summary != "" {
		g.summary = t.summary
	}
	slices.Reverse(t.list)
	g.closing(t.newest)
	if g.stand(t.newest); !slices.ContainsFunc(t.newest, kept) {
		// Nothing but a list: it is what there is, if the rest is in view or
		// was taken back.
		g.closing(t.list)
		if ends.Whole() || t.target != "" {
			g.stand(t.list)
		} else if at := timeOf(lastField(ends.Tail, "lastUpdated")); at.After(g.x.UpdatedAt) {
			g.x.UpdatedAt = at
		}
	}
	if t.rewound { // whoever goes back is at the prompt
		g.x.State, g.x.WaitingFor, g.x.Reverted = recap.StateIdle, "", true
	}
}

// ending gathers what the last rows of a log tell, the newest first.
type ending struct {
	newest  []entry // messages
	list    []entry // the newest list
	summary string
	target  string // of a rewind that was met, until it is found
	rewound bool   // nothing came after a rewind
}

func (t *ending) row(r *row) {
	switch r.kind {
	case message:
		if t.target == "" {
			t.newest = append(t.newest, r.msg)
		} else if r.msg.id == t.target {
			t.target = ""
		}
	case replace:
		if t.target == "" && t.list == nil && len(t.newest) == 0 {
			t.list = r.list
		}
	case patch:
		if t.summary == "" {
			t.summary = r.summary
		}
	case rewindTo:
		if t.target == "" {
			t.target = r.target
			t.rewound = !slices.ContainsFunc(t.newest, kept)
		}
	case noise, header:
	}
}

// tells reports that the rows say how the session stands.
func (t *ending) tells() bool { return t.rewound || slices.ContainsFunc(t.newest, kept) }

// furtherScan is how far a watch reads back in a log whose last rows tell
// nothing: a list is the whole history, and a notice stands before it.
const furtherScan = 32 << 20

// further reads a log back until its rows tell how the session stands.
func (t *ending) further(p *fastjson.Parser, path string) {
	r, err := filelog.Open(path)
	if err != nil {
		return // gone: the next listing sees it
	}
	defer r.Close() //nolint:errcheck // read only
	for r.Bytes() < furtherScan && !t.tells() {
		line, err := r.Prev()
		if err != nil {
			return
		}
		if bookkeeping(line.Data) || line.Long && isList(line.Data) {
			continue
		}
		b, err := r.Load(line)
		if err != nil {
			continue
		}
		if x, ok := parse(p, b); ok {
			t.row(&x)
		}
	}
}

// torn reports a document that is being written again: it is cut and then
// written, so that for a moment it is empty or has no end.
func torn(ends filelog.Ends) bool {
	if isLog(ends.File.Path) {
		return false
	}
	b := bytes.TrimRight(ends.Tail, " \t\r\n\x00")
	switch {
	case len(b) == 0 || b[len(b)-1] != '}':
		return true
	case ends.Whole():
		return !closed(b)
	}
	// What is indented has its own end at the margin.
	return bytes.HasPrefix(ends.Head, []byte("{\n")) && !bytes.HasSuffix(b, []byte("\n}"))
}

// closed reports that all brackets of a JSON document are closed.
func closed(b []byte) bool {
	depth, str := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case str && c == '\\':
			i++
		case c == '"':
			str = !str
		case str:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return depth <= 0 && !str
}

func kept(e entry) bool { return !e.drop }

// opened looks for the first prompt in a document, or a piece of JSON that is
// cut at its end.
func (s *Source) opened(g *glance, b []byte, document bool) {
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	whole, rest := fragments(b)
	if document {
		whole, rest = pieces(bytes.NewReader(b), 0, b)
	}
	for _, f := range whole {
		if e, ok := one(p, f); ok {
			g.opening(e)
		}
	}
	if g.asked {
		return
	}
	// The first prompt is what is cut.
	if field(rest, "type") != "user" || bytes.Contains(rest, []byte(`"functionResponse"`)) {
		return
	}
	t := field(rest, "text")
	if t == "" {
		t = field(rest, "content")
	}
	if t, _ = typed([]string{t}); t != "" {
		g.first, g.asked = t, true
	}
}

// document looks at a document of the older form.
func (s *Source) document(ends filelog.Ends, g *glance) {
	start := beginning.FindIndex(ends.Head)
	head := ends.Head
	if start != nil {
		head = head[:start[0]]
	}
	g.header(row{
		session: field(head, "sessionId"), hash: field(head, "projectHash"), sub: field(head, "kind") == "subagent",
		start: timeOf(field(head, "startTime")), summary: field(head, "summary"),
	})
	if i := bytes.LastIndexByte(ends.Tail, ']'); i >= 0 { // the summary comes last
		if t := field(ends.Tail[i:], "summary"); t != "" {
			g.summary = t
		}
	}
	s.opened(g, ends.Head, true)
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	_, valid := one(p, ends.Head)
	if valid || g.x.Ref.ID != "" {
		g.good++
	}
	var es []entry
	whole, _ := fragments(ends.Tail)
	if ends.Whole() {
		whole, _ = pieces(bytes.NewReader(ends.Tail), 0, ends.Tail)
	}
	for _, f := range whole {
		if e, ok := one(p, f); ok {
			es = append(es, e)
		} else {
			g.broken++
		}
	}
	if ends.Whole() && !valid && !torn(ends) { // what is broken may stand between the messages
		g.broken = max(g.broken, 1)
	}
	es = settle(es)
	slices.Reverse(es)
	g.closing(es)
	g.stand(es)
	if len(es) == 0 && g.x.UpdatedAt.IsZero() {
		g.x.UpdatedAt = timeOf(lastField(ends.Tail, "timestamp"))
	}
}

func timeOf(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// field finds the first string value of a key in JSON that may be cut; a value
// that is cut is given as far as it may be shown.
func field(b []byte, key string) string {
	return value(b, bytes.Index(b, []byte(`"`+key+`"`)), key)
}

func lastField(b []byte, key string) string {
	return value(b, bytes.LastIndex(b, []byte(`"`+key+`"`)), key)
}

func value(b []byte, i int, key string) string {
	if i < 0 {
		return ""
	}
	b = bytes.TrimLeft(b[i+len(key)+2:], " \t\r\n")
	if len(b) == 0 || b[0] != ':' {
		return ""
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) == 0 || b[0] != '"' {
		return ""
	}
	last := 1 // after the last whole character or escape
	for j := 1; j < len(b); j++ {
		switch b[j] {
		case '\\':
			last = j
			if j++; j < len(b) && b[j] == 'u' {
				j += 4
			}
		case '"':
			return unquote(b[1:j])
		default:
			last = j
		}
	}
	return agent.Beginning(strings.TrimRight(unquote(b[1:last]), string(utf8.RuneError)))
}

// unquote decodes the inside of a JSON string.
func unquote(b []byte) string {
	var s string
	if json.Unmarshal([]byte(`"`+string(b)+`"`), &s) != nil {
		return ""
	}
	return s
}
