package qwencode

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Facts of an entry: how the tail stands, what a pending call wants, and when
// the newest of the agents was sent that still work in the background, in Unix
// milliseconds.
const (
	tailDone     = "done"
	tailOpen     = "open"     // an answer is due
	tailCalls    = "calls"    // a call has no result
	tailQuestion = "question" // a call asks the person
	tailStopped  = "stopped"
	tailFailed   = "failed"
	tailLost     = "lost" // it stands further back than was read
)

// Why a file holds no session to be shown, where that is a problem.
const (
	skipUnreadable = "no readable row"
	skipNoID       = "no session id"
)

// skipProgram marks a session in which only a program asked.
const skipProgram = "a program's"

// derive makes the entry of a file from both its ends.
func (s *Source) derive(ends filelog.Ends) agent.Entry {
	e := ends.Entry()
	p := s.parsers.Get()
	defer s.parsers.Put(p)

	var (
		x           recap.Session
		firstPrompt string
		autoTitle   string
		manualTitle string
		lastPrompt  string
		tail        string
		tailAbout   string
		results     = map[string]bool{}
		talk        bool // somebody said something
		persons     bool // some prompt is no program's
		good        int  // rows that are some
		broken      int  // rows that are none
		skipTo      string
		finished    = map[string]bool{} // agents in the background
		launched    string
	)
	stem := strings.TrimSuffix(filepath.Base(ends.File.Path), ".jsonl")
	for b := range ends.HeadRows {
		if bookkeeping(b) && !x.CreatedAt.IsZero() {
			continue
		}
		r, ok := parse(p, b)
		if !ok {
			if ends.TailStart > 0 { // else the tail is the file
				broken++
			}
			continue
		}
		good++
		if x.CreatedAt.IsZero() && !r.at.IsZero() {
			x.CreatedAt = r.at
		}
		if x.Ref.ID == "" || r.session == stem { // a damaged id is not the file's name
			x.Ref.ID = r.session
		}
		if x.ForkedFrom == "" {
			x.ForkedFrom = r.fork
		}
		talk = talk || r.kind == human || r.kind == answer
		if r.kind == title {
			setTitle(r, &manualTitle, &autoTitle)
		}
		if r.kind == human {
			t := textOf(r.msg)
			persons = persons || !filelog.OfProgram(t)
			if firstPrompt == "" {
				firstPrompt = t
			}
		}
		if r.cwd != "" && x.Directory == "" {
			x.Directory = r.cwd
		}
	}
	var newestManual, newestAuto string
	seenDir := false
	torn := ends.Torn()
	for b := range ends.TailRows {
		last := torn
		torn = false
		if bookkeeping(b) && seenDir {
			continue
		}
		r, ok := parse(p, b)
		if !ok {
			if !last {
				broken++
			}
			continue
		}
		good++
		if !seenDir && r.cwd != "" {
			x.Directory, x.Branch, seenDir = r.cwd, r.branch, true
		}
		if x.Ref.ID == "" || r.session == stem { // a damaged id is not the file's name
			x.Ref.ID = r.session
		}
		if skipTo != "" {
			if r.uuid != skipTo {
				continue
			}
			skipTo = ""
		}
		switch r.kind {
		case title:
			if newestManual == "" && r.manual {
				newestManual = r.title
			}
			if newestAuto == "" && !r.manual {
				newestAuto = r.title
			}
			continue
		case rewind:
			skipTo = r.parent
			continue
		case result:
			results[r.callID] = true
			if r.launched && !finished[r.callID] && launched == "" {
				launched = strconv.FormatInt(r.at.UnixMilli(), 10)
			}
			if tail == "" {
				tail = tailOpen
			}
		case human:
			talk = true
			t := textOf(r.msg)
			persons = persons || !filelog.OfProgram(t)
			if lastPrompt == "" {
				lastPrompt = t
			}
			if tail == "" {
				tail = tailOpen
			}
		case injected:
			finished[r.finished] = true
			if tail == "" {
				tail = tailOpen
			}
		case answer:
			talk = true
			if x.Model.ID == "" {
				x.Model = r.msg.Model
			}
			for _, c := range r.open {
				if !results[c.id] && tail == "" {
					tail, tailAbout = tailCalls, "approval: "+c.name+"\n"+c.about
					if c.name == "ask_user_question" {
						tail, tailAbout = tailQuestion, "question: "+c.about
					}
				}
			}
			if tail == "" {
				switch {
				case r.msg.Interrupted:
					tail = tailStopped
				case r.msg.Finish == recap.FinishStop:
					tail = tailDone
				default:
					tail = tailOpen
				}
			}
		case apiError:
			if tail == "" {
				tail = tailFailed
			}
		case noise, compacted:
			continue
		}
		if x.UpdatedAt.IsZero() || r.at.After(x.UpdatedAt) {
			x.UpdatedAt = r.at
		}
	}
	if newestManual != "" {
		manualTitle = newestManual
	}
	if newestAuto != "" {
		autoTitle = newestAuto
	}
	e.Broken = broken
	switch {
	case ends.Unreadable(good):
		e.Skip = skipUnreadable
		return e
	case talk && x.Ref.ID == "":
		e.Skip = skipNoID
		return e
	case !talk && x.Ref.ID == "":
		e.Skip = "no rows of a session"
		return e
	case !talk:
		e.Skip = "nothing was asked"
		return e
	case ends.Whole() && !persons && firstPrompt+lastPrompt != "":
		e.Skip = skipProgram
		return e
	}
	for _, t := range []string{manualTitle, autoTitle, firstPrompt, lastPrompt} {
		if x.Title = agent.Line(t); x.Title != "" {
			break
		}
	}
	// Without a time in any row the file's own is the best there is.
	changed := time.Unix(0, ends.File.ModTime).UTC()
	if x.UpdatedAt.IsZero() {
		x.UpdatedAt = cmp.Or(x.CreatedAt, changed)
	}
	if x.CreatedAt.IsZero() {
		x.CreatedAt = x.UpdatedAt
	}
	x.CreatedAt, x.UpdatedAt = filelog.Plausible(x.CreatedAt, ends.File.ModTime), filelog.Plausible(x.UpdatedAt, ends.File.ModTime)
	if tail == "" && ends.TailStart > 0 {
		tail = tailLost
	}
	e.Session, e.Facts = x, []string{tail, agent.Line(tailAbout), launched}
	return e
}

func setTitle(r row, manual, auto *string) {
	if r.manual {
		*manual = r.title
	} else {
		*auto = r.title
	}
}

// textOf is the text of a prompt.
func textOf(m recap.Message) string {
	for _, p := range m.Parts {
		if p.Kind == recap.PartText && strings.TrimSpace(p.Text) != "" {
			return p.Text
		}
	}
	return ""
}
