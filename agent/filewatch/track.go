package filewatch

import (
	"hash/fnv"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// slack is how far the clock that a session's times are of may be behind ours.
const slack = 5 * time.Minute

// ahead is how far ahead of ours it may be for content to count as come since
// the watch began.
const ahead = 5 * time.Second

// level is what a session does, as far as events tell.
type level uint8

const (
	still   level = iota // nothing is left to do
	busy                 // the agent works
	waiting              // for the person or for others
	open                 // the turn is open and nobody knows whether anybody works on it
)

// levelOf gives the level of a state. What is not known is not idle.
func levelOf(s recap.State) level {
	switch s {
	case recap.StateIdle, recap.StateInterrupted, recap.StateFailed:
		return still
	case recap.StateBusy:
		return busy
	case recap.StateWaiting:
		return waiting
	}
	return open
}

func (l level) event() agent.EventKind {
	switch l {
	case still:
		return agent.EventIdle
	case waiting:
		return agent.EventBackground
	}
	return agent.EventBusy
}

// mark is what is remembered of a session.
type mark struct {
	updated int64  // Unix nanoseconds of the newest content
	dir     uint32 // hash of the directory
	look    uint32 // in which it was seen last
	level   level
	told    bool // an event was made of it
	missing bool // it was not in the newest whole look
}

// Tracker turns listings into events as agent.Watcher promises them. The first
// whole listing is what everything after it is compared with. Not safe for
// concurrent use.
type Tracker struct {
	start time.Time
	marks map[recap.SessionRef]mark
	last  recap.SessionRef // its texts are shared by the keys
	look  uint32
	based bool // a whole listing was seen
	at    [open + 1]int
	gone  int // missing ones that were told of
	moved int
}

// NewTracker makes a tracker for a watch that began at start; the zero time is
// of one to which everything in the first listing is old.
func NewTracker(start time.Time) *Tracker {
	// Agents keep milliseconds: what moved within that of the start moved since.
	return &Tracker{start: start.Truncate(time.Millisecond), marks: map[recap.SessionRef]mark{}, look: 1}
}

// See takes a session as it is now and gives the events of it. A session that
// is archived or a subagent's is as one that is not there.
//
// What counts is the time of the newest content, the state, and the directory.
// Title, stamp and the rest are no events.
func (t *Tracker) See(s recap.Session) []agent.Event {
	if s.Archived || s.ParentID != "" {
		return nil // End finds it missing
	}
	now := mark{updated: s.UpdatedAt.UnixNano(), dir: sum(s.Directory), look: t.look, level: levelOf(s.State)}
	was, known := t.marks[s.Ref]
	if known && was.look == t.look && was.look != 0 && was.updated == now.updated && was.dir == now.dir && was.level == now.level {
		return nil // listed twice
	}
	var kinds []agent.EventKind
	switch {
	case !known && (!t.based && !t.since(s.UpdatedAt) || s.UpdatedAt.Before(t.start.Add(-slack))):
		// Still since before the watch began, or found at work.
		if now.level == busy || now.level == waiting {
			kinds = []agent.EventKind{now.level.event()}
		}
	case !known:
		kinds = moved(still, now.level)
	case was.updated != now.updated && !was.told:
		kinds = moved(still, now.level)
	case was.updated != now.updated:
		kinds = moved(was.level, now.level)
	case was.dir != now.dir && was.told:
		// It is told of again in the place where it is now: the row that says
		// where may be the last of a turn.
		kinds = append([]agent.EventKind{agent.EventGone}, moved(still, now.level)...)
	case was.level == now.level:
	case was.told || now.level == busy || now.level == waiting:
		kinds = []agent.EventKind{now.level.event()}
		if was.level == open && now.level == busy || was.level == busy && now.level == open {
			kinds = nil
		}
	}
	now.told = was.told || len(kinds) > 0
	t.put(s.Ref, was, now)
	if known && (was.updated != now.updated || was.level != now.level) || len(kinds) > 0 {
		t.moved++
	}
	out := make([]agent.Event, 0, len(kinds))
	for _, k := range kinds {
		out = append(out, event(k, s))
	}
	return out
}

// since reports that content came since the watch began. A time that is yet to
// come says nothing: the clock that it is of runs ahead of ours.
func (t *Tracker) since(at time.Time) bool {
	return !t.start.IsZero() && !at.Before(t.start) && !at.After(time.Now().Add(ahead))
}

// moved gives the events of new content.
func moved(was, now level) []agent.EventKind {
	switch {
	case now == still && was == still:
		return []agent.EventKind{agent.EventBusy, agent.EventIdle}
	case now.event() == was.event():
		return nil // and it is still at work
	}
	return []agent.EventKind{now.event()}
}

func event(k agent.EventKind, s recap.Session) agent.Event {
	return agent.Event{Kind: k, Ref: s.Ref, Session: &s}
}

// End ends a look. whole: every session there is was seen in it; what was not
// is missing. A session that is missing twice and was told of is gone: a file
// that is put in another's place is not there for a moment.
func (t *Tracker) End(whole bool) []agent.Event {
	defer func() { t.look++ }()
	if !whole {
		return nil
	}
	t.based = true
	var out []agent.Event
	for ref, m := range t.marks {
		switch {
		case m.look == t.look:
			continue
		case m.missing:
			if m.told {
				out = append(out, agent.Event{Kind: agent.EventGone, Ref: ref})
				t.moved++
			}
			t.drop(ref, m)
		default:
			m.missing = true
			if m.told {
				t.gone++
			}
			t.marks[ref] = m
		}
	}
	return out
}

// Missing is how many sessions that were told of are missing, and are gone if
// the next whole look does not see them.
func (t *Tracker) Missing() int { return t.gone }

// Working is how many sessions are at work; Open how many of those told of
// have an open turn that nobody is known to work on. They are not idle.
func (t *Tracker) Working() int { return t.at[busy] + t.at[waiting] }

// Open is described at Working.
func (t *Tracker) Open() int { return t.at[open] }

// Moved is how often anything was seen to move.
func (t *Tracker) Moved() int { return t.moved }

// Len is how many sessions are remembered.
func (t *Tracker) Len() int { return len(t.marks) }

// put remembers a session. was is the zero mark where it was not known.
func (t *Tracker) put(ref recap.SessionRef, was, now mark) {
	if was.look != 0 {
		t.uncount(was)
	} else {
		// A key keeps its id and nothing of the row it was cut from.
		if ref.Agent == t.last.Agent && ref.Root == t.last.Root {
			ref.Agent, ref.Root = t.last.Agent, t.last.Root
		}
		ref.ID = strings.Clone(ref.ID)
		t.last = ref
	}
	if now.level != open || now.told {
		t.at[now.level]++
	}
	t.marks[ref] = now
}

func (t *Tracker) drop(ref recap.SessionRef, m mark) {
	t.uncount(m)
	delete(t.marks, ref)
}

func (t *Tracker) uncount(m mark) {
	if m.level != open || m.told {
		t.at[m.level]--
	}
	if m.missing && m.told {
		t.gone--
	}
}

func sum(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s)) //nolint:gosec // a hash never fails
	return h.Sum32()
}
