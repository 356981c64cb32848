package quiet

import (
	"hash/fnv"
	"time"
)

// Phase is where a session stands.
type Phase uint8

// Phases of a session.
const (
	Dormant    Phase = iota // no activity seen yet, or the session is gone
	Working                 // the agent is at work
	Window                  // idle, the quiet window runs
	Generating              // idle, a run is making the recap
	Waiting                 // the window is over, an aborted run has yet to settle
	Rest                    // idle, the tail is answered
	Parked                  // idle, the tail failed
	Off                     // settings off
	OffWorking              // settings off, the agent is at work
	Stopped                 // for good
)

// String gives the phase's name, lower case.
func (p Phase) String() string {
	switch p {
	case Dormant:
		return "dormant"
	case Working:
		return "working"
	case Window:
		return "window"
	case Generating:
		return "generating"
	case Waiting:
		return "waiting"
	case Rest:
		return "rest"
	case Parked:
		return "parked"
	case Off:
		return "off"
	case OffWorking:
		return "off-working"
	case Stopped:
		return "stopped"
	}
	return "unknown"
}

// Tail stands for the fingerprint of a session's newest content. The zero
// value is a tail that is not known.
type Tail [16]byte

// TailOf gives the tail of a fingerprint; "" is not known.
func TailOf(fingerprint string) Tail {
	var t Tail
	if fingerprint == "" {
		return t
	}
	h := fnv.New128a()
	h.Write([]byte(fingerprint))
	h.Sum(t[:0])
	return t
}

// remembered is how many user messages a state keeps in mind.
const remembered = 4

// State is what the machine keeps of one session. It is small, holds no
// pointers and is comparable. The zero value is a session first heard of at
// the beginning of time; use [New].
type State struct {
	phase Phase
	// owed: there was activity that no run has answered.
	owed bool
	// failed: what came of tail was a failure.
	failed bool
	// oldest is the place in seen that is overwritten next.
	oldest uint8

	seq   uint32 // the newest id given out
	timer uint32 // the armed timer, 0 for none
	run   uint32 // the run that has not settled, 0 for none; aborted unless Generating

	// Microseconds of the wall clock.
	due       int64 // when the window ends
	since     int64 // the arming: when the stillness began
	notBefore int64 // the time the provider named, 0 for none
	hold      int64 // how far away notBefore was when it was named

	tail Tail // the newest tail that was answered
	next Tail // the tail of the run, or of the waiting run
	seen [remembered]uint64
}

// New gives the state of a session that is first heard of now.
func New(now time.Time) State { return State{since: now.UnixMicro()} }

// Phase says where the session stands.
func (s State) Phase() Phase { return s.phase }

// Settling reports whether an aborted run has yet to settle.
func (s State) Settling() bool { return s.run != 0 && s.phase != Generating }

// Due gives the time at which the armed timer goes off; false: none is armed.
func (s State) Due() (time.Time, bool) {
	if s.timer == 0 {
		return time.Time{}, false
	}
	return time.UnixMicro(s.due).UTC(), true
}

// HeldUntil gives the time before which the provider wants no further call;
// false: it named none since the last success.
func (s State) HeldUntil() (time.Time, bool) {
	if s.notBefore == 0 {
		return time.Time{}, false
	}
	return time.UnixMicro(s.notBefore).UTC(), true
}

// Event is something that happened to a session: one of the types below.
type Event interface{ event() }

// The events.
type (
	// Idle says that the agent does nothing and nothing is pending.
	Idle struct{}
	// Busy says that the agent works, retries, or is in any other state but
	// idle.
	Busy struct{}
	// Background says that agents are at work, an approval is pending, a
	// prompt is queued or a compaction runs. It counts as busy.
	Background struct{}
	// UserMessage is a message of the person, new or sent again. ID may be
	// empty and Created zero where the agent has none.
	UserMessage struct {
		ID      string
		Created time.Time
	}
	// Tick says that a timer went off. Tail is what was read after that, zero where
	// nothing was read.
	Tick struct {
		Timer uint32
		Tail  Tail
	}
	// Settled says that a run is over, aborted or not. Tail is the one it was about,
	// zero for that of the Tick. RetryAfter is how long the provider wants
	// to be left alone after a failure, zero where it named nothing.
	Settled struct {
		Run        uint32
		Outcome    Outcome
		Tail       Tail
		RetryAfter time.Duration
	}
	// SettingsOff says that nothing may be made for this session.
	SettingsOff struct{}
	// SettingsOn says that something may be made again.
	SettingsOn struct{}
	// Gone says that the session was deleted, archived, turned into a child
	// or moved elsewhere.
	Gone struct{}
	// Stop says that the session is not followed any more.
	Stop struct{}
	// Wake says that the machine slept, or that its clock was set.
	Wake struct{}
)

func (Idle) event()        {}
func (Busy) event()        {}
func (Background) event()  {}
func (UserMessage) event() {}
func (Tick) event()        {}
func (Settled) event()     {}
func (SettingsOff) event() {}
func (SettingsOn) event()  {}
func (Gone) event()        {}
func (Stop) event()        {}
func (Wake) event()        {}

// Outcome is what came of a run.
type Outcome uint8

// Outcomes of a run.
const (
	Discarded Outcome = iota // nothing to say, or a guard said no: the tail is done with
	Stored                   // written
	Failed                   // the tail is parked
	Canceled                 // ended before it was done; without an abort of ours the next Idle may try again
)

// ActionKind says what is to be done.
type ActionKind uint8

// Kinds of actions.
const (
	ArmTimer        ActionKind = iota + 1 // hand in Tick{Timer: ID} after After, at At
	CancelTimer                           // timer ID is no longer wanted; it may have gone off
	StartGeneration                       // begin run ID
	AbortGeneration                       // end run ID early
)

// String gives the kind's name.
func (k ActionKind) String() string {
	switch k {
	case ArmTimer:
		return "arm"
	case CancelTimer:
		return "cancel"
	case StartGeneration:
		return "start"
	case AbortGeneration:
		return "abort"
	}
	return "unknown"
}

// Action is something the caller has to do. IDs of timers and runs of one
// state are never used twice.
type Action struct {
	Kind ActionKind
	ID   uint32
	// At and After are of ArmTimer: the same moment, by the clock and from
	// now. A timer that runs by After is not moved by a change of the clock.
	At    time.Time
	After time.Duration
}
