package agent

import (
	"context"
	"errors"
	"iter"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Watcher tells what happens to sessions while it happens.
//
// Watchers promise:
//   - Nothing is said of a session that has been still since before Watch was
//     called: there is no backfill. One that is at work then is said to be busy.
//     One whose newest content is of a time since then is told of, also where
//     it is at rest again before it is first looked at.
//   - Ready is said once, when all that is watched has been looked at for the
//     first time. What can't be looked at is a Problem, and holds Ready up no
//     longer than its first try.
//   - Idle is said only when nothing is left to do: no answer under way, no
//     subagent, no approval or question pending, no queued prompt, no
//     compaction. What is not known is not idle. A turn that was interrupted
//     or failed is over: idle.
//   - New content of a session that is idle again when it is noticed is Busy,
//     then Idle.
//   - What moves no content (a title, bookkeeping, our own metadata) is no event.
//   - A stream or a server that breaks makes no session idle. After it came
//     back, what happened meanwhile is told.
//   - Each session is told of under one Ref, the one that Source reads it by.
//   - While no session is at work nothing is polled.
//   - Subagents and archived sessions are not told of, unless they were told of
//     before: then they are Gone.
type Watcher interface {
	// Watch yields events in the order in which they were seen, until ctx is
	// over. An error that is a *Problem concerns one file or server; the
	// sequence goes on after it. Any other error is the last value.
	Watch(ctx context.Context) iter.Seq2[Event, error]
}

// EventKind says what happened to a session.
type EventKind uint8

// Kinds of events. Busy, Background and Idle are levels and may repeat.
const (
	EventBusy        EventKind = iota + 1 // the agent works
	EventBackground                       // it waits for the person or for others, a prompt is queued, a compaction runs
	EventIdle                             // nothing is left to do
	EventUserMessage                      // a message of the person, new or sent again
	EventGone                             // deleted, archived, turned into a child, moved
	EventReady                            // the watcher has looked; of no session, Ref is zero
)

// String gives the kind's name.
func (k EventKind) String() string {
	switch k {
	case EventBusy:
		return "busy"
	case EventBackground:
		return "background"
	case EventIdle:
		return "idle"
	case EventUserMessage:
		return "user-message"
	case EventGone:
		return "gone"
	case EventReady:
		return "ready"
	}
	return "unknown"
}

// Event is something that happened to a session.
type Event struct {
	Kind EventKind
	Ref  recap.SessionRef
	// Session is the session as the watcher knows it, nil where it knows no
	// more than Ref.
	Session *recap.Session
	// MessageID and Created are of EventUserMessage.
	MessageID string
	Created   time.Time
}

// Mirror keeps a record where the agent's own clients can read it.
type Mirror interface {
	// PutRecord writes the texts of a record to the agent's own metadata of
	// the session, and keeps what others wrote there. It writes once for each
	// fingerprint. A session that no mirror reaches is ErrNoMirror.
	PutRecord(ctx context.Context, ref recap.SessionRef, r recap.Record) error
}

// ErrNoMirror says that a session's agent is not there to keep a record.
var ErrNoMirror = errors.New("no server of the agent has this session")
