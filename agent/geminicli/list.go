package geminicli

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const maxTitle = 200

// glance gathers what a session shows of itself.
type glance struct {
	x                    recap.Session
	summary, first, last string
	tail                 bool // the state is known
	sub                  bool
}

// older takes a message into account; messages come newest first.
func (g *glance) older(e entry) {
	if e.drop {
		return
	}
	if g.x.UpdatedAt.IsZero() || e.msg.Created.After(g.x.UpdatedAt) {
		g.x.UpdatedAt = e.msg.Created
	}
	if e.human {
		g.first = e.text
		if g.last == "" {
			g.last = e.text
		}
	}
	if g.x.Model.ID == "" && e.msg.Role == recap.RoleAssistant {
		g.x.Model = e.msg.Model
	}
	if g.tail {
		return
	}
	g.tail = true
	switch {
	case e.msg.Failure != nil:
		g.x.State = recap.StateFailed
	case e.msg.Interrupted:
		g.x.State = recap.StateInterrupted
	case e.open != "" && strings.HasPrefix(e.open, "question: "), e.open != "" && waits(e):
		g.x.State, g.x.WaitingFor = recap.StateWaiting, cut(e.open)
	case e.msg.Finish == recap.FinishStop:
		g.x.State = recap.StateIdle
	default: // an answer is due, and nothing tells whether anybody works on it
		g.x.State = recap.StateUnknown
	}
}

// waits reports that a call is known to wait for the person.
func waits(e entry) bool {
	for _, p := range e.msg.Parts {
		if p.Tool != nil && p.Tool.Status == recap.ToolWaiting {
			return true
		}
	}
	return false
}

// derive makes the entry of a file from both its ends.
func (s *Source) derive(ends filelog.Ends) agent.Entry {
	e := ends.Entry()
	g := glance{}
	var hash string
	if isLog(ends.File.Path) {
		hash = s.log(ends, &g)
	} else {
		hash = s.document(ends, &g)
	}
	e.Facts = []string{hash}
	switch {
	case g.x.Ref.ID == "":
		e.Skip = "no session"
		return e
	case g.sub:
		e.Skip = "of a subagent"
		g.x.Ref.ID = ""
		return e
	case g.first == "":
		e.Skip = "nothing was asked"
	}
	for _, t := range []string{g.summary, g.first} {
		if t = recap.Line(t); t != "" && g.x.Title == "" && !strings.HasPrefix(t, "<") {
			g.x.Title = cut(t)
		}
	}
	if g.x.UpdatedAt.IsZero() {
		g.x.UpdatedAt = g.x.CreatedAt
	}
	e.Session = g.x
	return e
}

// log looks at both ends of an event log and gives its project hash.
func (s *Source) log(ends filelog.Ends, g *glance) (hash string) {
	p := s.parsers.Get()
	defer s.parsers.Put(p)
	firstPrompt := ""
	for b := range ends.HeadRows {
		if bookkeeping(b) {
			continue
		}
		r, ok := parse(p, b)
		if !ok {
			continue
		}
		switch r.kind {
		case header:
			if g.x.Ref.ID == "" {
				g.x.Ref.ID, hash, g.sub, g.x.CreatedAt = r.session, r.hash, r.sub, r.start
				if len(r.dirs) > 0 {
					g.x.Directory = r.dirs[0]
				}
			}
		case message:
			if firstPrompt == "" && r.msg.human {
				firstPrompt = r.msg.text
			}
		case replace:
			for _, m := range r.list {
				if firstPrompt == "" && m.human {
					firstPrompt = m.text
				}
			}
		case patch:
			if r.summary != "" {
				g.summary = r.summary
			}
		case noise, rewindTo:
		}
	}
	skip := ""
	summary := ""
	for b := range ends.TailRows {
		if bookkeeping(b) {
			continue
		}
		r, ok := parse(p, b)
		if !ok {
			continue
		}
		switch r.kind {
		case message:
			if skip != "" {
				if r.msg.id == skip {
					skip = ""
				}
				continue
			}
			g.older(r.msg)
		case replace:
			if skip == "" && !g.tail {
				// The list stands for the state where no message came after it.
				for i := len(r.list) - 1; i >= 0; i-- {
					if m := r.list[i]; !m.drop && m.msg.Role == recap.RoleAssistant && m.msg.Finish == recap.FinishStop {
						continue
					}
				}
			}
		case patch:
			if summary == "" {
				summary = r.summary
			}
		case rewindTo:
			skip = r.target
		case noise, header:
		}
	}
	if g.first == "" { // only in a list, or beyond the tail
		g.first = firstPrompt
	}
	if firstPrompt != "" {
		g.first = firstPrompt
	}
	if !g.tail {
		g.x.State = recap.StateIdle
	}
	if summary != "" {
		g.summary = summary
	}
	return hash
}

// document looks at a document of the older form. One that fits into both ends
// is decoded; of a larger one the first and the last fields are found by their
// names.
func (s *Source) document(ends filelog.Ends, g *glance) (hash string) {
	if ends.Whole() {
		p := s.parsers.Get()
		defer s.parsers.Put(p)
		r, ok := document(p, ends.Head)
		if !ok {
			return ""
		}
		g.x.Ref.ID, g.sub, g.x.CreatedAt, g.summary = r.session, r.sub, r.start, r.summary
		for i := len(r.list) - 1; i >= 0; i-- {
			g.older(r.list[i])
		}
		if !g.tail {
			g.x.State = recap.StateIdle
		}
		return r.hash
	}
	g.x.Ref.ID = field(ends.Head, "sessionId")
	g.x.CreatedAt = timeOf(field(ends.Head, "startTime"))
	g.x.UpdatedAt = timeOf(field(ends.Head, "lastUpdated"))
	if t := timeOf(lastField(ends.Tail, "timestamp")); !t.IsZero() {
		g.x.UpdatedAt = t
	}
	g.first = field(ends.Head, "text")
	if g.first == "" {
		g.first = field(ends.Head, "content")
	}
	if g.first == "" {
		g.first = "(long session)"
	}
	g.x.State = recap.StateUnknown
	return field(ends.Head, "projectHash")
}

func timeOf(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// field finds the first string value of a key in JSON that may be cut.
func field(b []byte, key string) string { return value(b, bytes.Index(b, []byte(`"`+key+`"`)), key) }

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
	for j := 1; j < len(b); j++ {
		switch b[j] {
		case '\\':
			j++
		case '"':
			return unquote(b[1:j])
		}
	}
	return ""
}

func cut(s string) string {
	s = recap.Line(s)
	if utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	r := []rune(s)
	return string(r[:maxTitle-1]) + "…"
}
