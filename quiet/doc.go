// Package quiet decides when a session gets its recap: after a window of
// stillness, once per tail, never for a session that nobody touched.
//
// It is a state machine and nothing else: no timers, no I/O, no clock. Keep one
// [State] for each session, made by [New] when the session is first heard of.
// Hand each [Event] to [Step] in the order in which it was seen, one at a time
// for a session, and carry out the [Action] values it gives, in their order.
// Two sessions share nothing, so one never blocks another. [AppendStep] is
// Step for callers that reuse the slice of actions.
//
//	s := quiet.New(now)
//	s, actions := quiet.Step(s, quiet.Busy{}, now, window)
//	for _, a := range actions {
//		switch a.Kind {
//		case quiet.ArmTimer:        // in a.After: read the tail, hand in Tick{a.ID, tail}
//		case quiet.CancelTimer:     // stop timer a.ID
//		case quiet.StartGeneration: // read, call, read again, write; then hand in Settled{Run: a.ID, ...}
//		case quiet.AbortGeneration: // cancel the context of run a.ID; its Settled still has to come
//		}
//	}
//
// # Events
//
// [Idle] and [Busy] are levels: a source may repeat them. Busy stands for busy,
// retry and every other status that is not idle. [Background] counts as busy:
// agents at work, an approval that is pending, a queued prompt, a compaction.
// A source says Idle only when none of these is left. [UserMessage] is a
// message of the person, as often as the agent emits it. [Tick] says that a
// timer has gone off. [Settled] ends a run. [SettingsOff] says that nothing
// may be made for the session any more, [SettingsOn] that it may again. [Gone]
// says that the session was deleted, archived, turned into a child, or moved
// to another directory or server. [Stop] ends the following of it. [Wake] says
// that the machine slept or that its clock was set.
//
// A read that shows content which no event announced is an activity: hand in
// Busy, and Idle if the session is idle.
//
// # What the caller owes
//
//   - Every StartGeneration is answered by exactly one Settled, aborted or
//     not. A run that never settles holds back the next one of its session.
//   - A Tick carries the ID of its timer, a Settled that of its run. Timers and
//     runs that are no longer wanted may report late: they are told apart by
//     their ids and change nothing.
//   - A Tick carries the tail that was read once the timer went off, if it was.
//     The read may be slow: what happens meanwhile outdates the Tick.
//   - now is the wall clock. Jumps are noticed from the times of ticks too, but
//     earlier by a Wake to every session.
//
// # What is promised
//
//   - At most one timer, one run and one waiting run. A timer is canceled
//     before the next is armed. A run starts after the one before has settled.
//   - A run starts only after a whole window without activity. Activity cancels
//     the timer, drops the waiting run and aborts the run.
//   - A window that ends while an aborted run still settles keeps one waiting
//     run. It starts as soon as that one has settled, and is not lost.
//   - A tail that was answered, stored or discarded or failed, makes no second
//     run as long as the tail is handed in, or as long as nothing was seen to
//     move.
//   - A session in which no activity was seen makes no run: those that were
//     quiet before we came, those that were quiet when the settings came on.
//   - A failed tail is parked until the session moves on. When the provider
//     named a time, the next run waits for it too, at most [MaxHold].
//   - A repeated Idle starts the window anew, at most until three windows after
//     the first: a source that repeats itself does not starve the recap.
//   - A user message that was seen before changes nothing. One that was created
//     at or after the arming is activity. One that was not seen and is older
//     than the arming starts the window anew: should it be new and late, no
//     run has passed it by; should it be old and sent again, no recap is lost.
//     At rest it changes nothing.
//   - After sleep and after a change of the clock the window counts from
//     waking. Nothing fires at once.
//   - After Stop there is no timer and no run that was not aborted, and no event
//     brings one.
//
// The picture of the machine and its whole table are in docs/quiet.md.
package quiet
