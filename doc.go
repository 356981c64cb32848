// Package recap holds the words the whole program speaks: sessions of coding
// agents, their messages and human turns, and the record that recap keeps of
// each session.
//
// A [Session] is one conversation with one agent. Its [Message] values are
// what a person would count: the rows an agent writes for one answer are
// joined, tool results are attached to their calls, bookkeeping is gone. A
// [Turn] runs from a person's prompt to the end of the work on it. A [Record]
// is what recap says of a session, with the [Receipt] values that prove it.
//
// The package is pure data: no I/O, no clock. Package dialog makes turns of
// messages, package evidence makes a record of turns, package engine does both
// for the sessions of a machine.
package recap
