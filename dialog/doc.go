// Package dialog reads the end of a session and tells it as human turns.
//
// Call [Read] with a [Pager] and the [Limits] of where it reads: [FileLimits]
// for files and databases, [ServerLimits] for a server. It asks for pages from
// the newest backward, and stops as soon as it has the turns that are wanted.
// The cost follows what is kept, never the size of the session.
//
// What is promised:
//
//   - A turn opens at a record that a person made: typed text, an attached
//     context, an image or a file. What an agent inserts by itself (synthetic
//     records) belongs to the open turn.
//   - An answer counts for the turn that is open where it stands, and only if
//     it answers that turn's request or one of its continuations. A late
//     answer to an older request is given to no turn; its tool calls go to the
//     turn they were made for, if that is kept.
//   - [Dialog.Ready] is true only where the newest content record is a
//     complete answer to the newest turn. Else [Dialog.NotReady] says why not.
//     [Dialog.Turns] and [Dialog.End] are there in both cases.
//   - A page that fails, or a cursor that comes again, is an error and never
//     the end of the history. A record that is seen twice counts once.
//   - The result does not depend on how the records are split into pages.
//   - Reasoning, tool output, ignored and synthetic parts, compaction
//     summaries, system reminders and recaps shown earlier are in no text.
//   - At most the newest [MaxTools] tool calls of a turn are kept, and of
//     their output at most [MaxOutput] bytes, the newest first.
//
// Attached contexts, sources quoted by a client with a person's comment on
// them, are known by their kind. Every comment survives: where a message is
// too long its quoted sources shrink first. An attached text that is not a
// string is an error, because a comment must not be lost in silence.
//
// Nothing here reads a clock or a file, and nothing is redacted.
package dialog
