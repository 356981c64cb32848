package quiet

import "time"

const (
	// MaxHold is the longest that a provider's word holds back the next run.
	MaxHold = 24 * time.Hour

	// lateness is how late a tick may be before the machine is taken to
	// have slept; a longer window allows as much as itself.
	lateness = 30 * time.Second

	// maxWindows bounds how often a repeated Idle pushes the window back.
	maxWindows = 3
)

// Step gives the state after an event and what has to be done, in order. now is
// the wall clock, window the length of the quiet window; a change of it counts
// from the next arming.
func Step(s State, ev Event, now time.Time, window time.Duration) (State, []Action) {
	return AppendStep(nil, s, ev, now, window)
}

// AppendStep is Step that appends the actions to dst.
func AppendStep(dst []Action, s State, ev Event, now time.Time, window time.Duration) (State, []Action) {
	m := machine{State: s, out: dst, now: now, at: now.UnixMicro(), window: max(window, 0).Microseconds()}
	m.since = min(m.since, m.at) // later: the clock was set back
	switch ev := ev.(type) {
	case Idle:
		m.idle()
	case Busy, Background:
		m.active()
	case UserMessage:
		m.message(ev)
	case Tick:
		m.tick(ev)
	case Settled:
		m.settled(ev)
	case SettingsOff:
		m.off()
	case SettingsOn:
		m.on()
	case Gone:
		m.gone()
	case Stop:
		m.end(Stopped)
	case Wake:
		m.wake()
	}
	return m.State, m.out
}

// machine is one step under way.
type machine struct {
	State
	out    []Action
	now    time.Time
	at     int64 // now, in microseconds
	window int64 // microseconds
}

func (m *machine) idle() {
	switch m.phase {
	case Working, Rest, Parked:
		m.open()
	case Window:
		if m.at+m.window <= m.since+maxWindows*m.window {
			m.cancel()
			m.arm(m.at + m.window)
		}
	case OffWorking:
		m.phase = Off
	case Dormant, Generating, Waiting, Off, Stopped:
	}
}

func (m *machine) active() {
	switch m.phase {
	case Off:
		m.phase = OffWorking
	case OffWorking, Stopped:
	case Dormant, Working, Window, Generating, Waiting, Rest, Parked:
		m.drop()
		m.phase, m.owed = Working, true
	}
}

func (m *machine) message(ev UserMessage) {
	if m.phase == Stopped || ev.ID != "" && !m.remember(ev) {
		return
	}
	// Agents keep milliseconds; within one of them a message counts as new.
	if ev.Created.IsZero() || ev.Created.UnixMilli() >= m.since/1000 {
		m.active()
		return
	}
	if ev.ID == "" {
		return
	}
	switch m.phase {
	case Window, Generating, Waiting:
		m.drop()
		m.owed = true
		m.open()
	case Dormant, Working, Rest, Parked, Off, OffWorking, Stopped:
	}
}

// remember reports whether the message was not seen before, and keeps it in
// mind. An id with another time is another message: some agents make ids of
// texts.
func (m *machine) remember(ev UserMessage) bool {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(ev.ID) {
		h = (h ^ uint64(ev.ID[i])) * prime
	}
	ms := uint64(0)
	if !ev.Created.IsZero() {
		ms = uint64(ev.Created.UnixMilli())
	}
	for range 8 {
		h = (h ^ ms&0xff) * prime
		ms >>= 8
	}
	h = max(h, 1) // 0 is an empty place
	for _, old := range m.seen {
		if old == h {
			return false
		}
	}
	m.seen[m.oldest] = h
	m.oldest = (m.oldest + 1) % remembered
	return true
}

func (m *machine) tick(ev Tick) {
	if ev.Timer == 0 || ev.Timer != m.timer {
		return
	}
	m.timer = 0
	switch late := m.at - m.due; {
	case late < 0: // the clock was set back, or the caller is early
		m.arm(min(m.due, m.at+m.window))
	case late > max(m.window, lateness.Microseconds()): // the machine slept
		m.open()
	case !m.owes(ev.Tail):
		m.rest()
	case m.held() > m.at: // an aborted run was told to wait meanwhile
		m.owed = true
		m.arm(m.at)
	case m.run != 0:
		m.phase, m.owed, m.next = Waiting, true, ev.Tail
	default:
		m.start(ev.Tail)
	}
}

func (m *machine) settled(ev Settled) {
	if ev.Run == 0 || ev.Run != m.run {
		return
	}
	m.run = 0
	switch {
	case ev.Outcome == Stored:
		m.notBefore, m.hold = 0, 0
	case ev.Outcome == Failed && ev.RetryAfter > 0:
		m.hold = min(ev.RetryAfter, MaxHold).Microseconds()
		m.notBefore = m.at + m.hold
	}
	if m.phase == Generating {
		m.answered(ev)
		return
	}
	// The run was aborted. What it stored all the same is not made again.
	if ev.Outcome == Stored && ev.Tail != (Tail{}) {
		m.tail, m.failed = ev.Tail, false
	}
	if m.phase != Waiting {
		return
	}
	next := m.next
	m.next = Tail{}
	switch {
	case !m.owes(next):
		m.rest()
	case m.held() > m.at:
		m.since = m.at
		m.arm(m.at)
	default:
		m.start(next)
	}
}

// answered ends a run that was not aborted.
func (m *machine) answered(ev Settled) {
	tail := ev.Tail
	if tail == (Tail{}) {
		tail = m.next
	}
	m.next = Tail{}
	if ev.Outcome == Canceled {
		m.phase = Rest // still owed
		return
	}
	m.tail, m.failed = tail, ev.Outcome == Failed
	m.rest()
}

func (m *machine) off() {
	switch m.phase {
	case Working:
		m.end(OffWorking)
	case Dormant, Window, Generating, Waiting, Rest, Parked:
		m.end(Off)
	case Off, OffWorking, Stopped:
	}
}

func (m *machine) on() {
	switch m.phase {
	case Off:
		m.phase, m.since = Dormant, m.at
	case OffWorking:
		m.phase, m.owed = Working, true
	case Dormant, Working, Window, Generating, Waiting, Rest, Parked, Stopped:
	}
}

func (m *machine) gone() {
	switch m.phase {
	case Off, OffWorking:
		m.end(Off)
	case Dormant, Working, Window, Generating, Waiting, Rest, Parked:
		m.end(Dormant)
		m.since = m.at
	case Stopped:
	}
}

func (m *machine) wake() {
	if m.phase == Window {
		m.cancel()
		m.open()
	}
}

// open begins a quiet window.
func (m *machine) open() {
	m.since = m.at
	m.arm(m.at + m.window)
}

// arm sets the timer for due, or for when the provider's word allows it.
func (m *machine) arm(due int64) {
	due = max(due, m.held())
	m.seq++
	m.phase, m.timer, m.due = Window, m.seq, due
	after := time.Duration(due-m.at) * time.Microsecond
	m.out = append(m.out, Action{Kind: ArmTimer, ID: m.timer, At: m.now.Add(after), After: after})
}

// held gives the time before which no run may start.
func (m *machine) held() int64 {
	if m.notBefore-m.at > m.hold { // the clock was set back
		m.notBefore = m.at + m.hold
	}
	return m.notBefore
}

func (m *machine) cancel() {
	if m.timer != 0 {
		m.out = append(m.out, Action{Kind: CancelTimer, ID: m.timer})
		m.timer = 0
	}
}

// drop leaves no timer, no waiting run and no run that is not aborted.
func (m *machine) drop() {
	m.cancel()
	if m.phase == Generating {
		m.out = append(m.out, Action{Kind: AbortGeneration, ID: m.run})
	}
	m.next = Tail{}
}

// end drops everything that was owed.
func (m *machine) end(p Phase) {
	m.drop()
	m.phase, m.owed = p, false
}

func (m *machine) start(tail Tail) {
	m.seq++
	m.phase, m.run, m.owed, m.next = Generating, m.seq, true, tail
	m.out = append(m.out, Action{Kind: StartGeneration, ID: m.run})
}

// rest ends a stillness that owes nothing more.
func (m *machine) rest() {
	m.phase, m.owed = Rest, false
	if m.failed {
		m.phase = Parked
	}
}

// owes reports whether a tail wants a run. Where nothing was seen to move, only
// a tail that differs from the one answered does.
func (m *machine) owes(tail Tail) bool {
	if tail == (Tail{}) || m.tail == (Tail{}) {
		return m.owed
	}
	return tail != m.tail
}
