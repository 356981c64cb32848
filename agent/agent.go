// Package agent is the contract of a session source: what recap asks of the
// reader of one coding agent, and the optional powers a reader may have.
//
// A source reads an agent's transcripts and never writes beside them. It is
// made for one home of one agent. Ask [Source.Sessions] for the sessions, then
// [Source.Page] for the end of one of them. Both are safe for concurrent use.
//
// Sources promise:
//   - Sessions reads at most [EndBytes] at each end of a file whose stamp
//     changed since it was last listed, and nothing of the others. Where those
//     bytes hold nothing of the conversation it may read what was appended
//     since, at most 1 MB. What was learnt stands in the [Index] that was given
//     to the source.
//   - Page reads backward from the end; its cost follows what it returns.
//   - A broken row, file or folder is a [Problem], counted and named; the rest
//     works. An error is only what stops the whole answer.
//   - Nothing is opened for writing and no file appears beside another
//     program's files.
//   - Records come as the agent wrote them, whole up to the limits below. They
//     are not redacted here. A session's title and what it waits for are one
//     line each, cut, and for that free of secrets before: see [Line]. So are
//     the notes of an [Entry] that come from a conversation.
package agent

import (
	"context"
	"iter"
	"time"

	recap "github.com/sessionrecap/recap"
)

// EndBytes is the most that listing reads at each end of a changed file.
const EndBytes = 64 << 10

// MaxScan is the most a source scans backward for one session, in bytes.
const MaxScan = 256 << 20

// Source reads the sessions of one home of one agent.
type Source interface {
	// Agent names the agent.
	Agent() recap.Agent
	// Home says where this source reads.
	Home() Home
	// Sessions yields the sessions newest first (by UpdatedAt). An error
	// that is a *Problem concerns one file; the sequence goes on after it.
	// Any other error is the last value.
	Sessions(ctx context.Context, q Query) iter.Seq2[recap.Session, error]
	// Page reads the newest n records before the cursor ("" = the end). A
	// file source may return more, so that it never cuts a record or parts a
	// tool call from its result, and fewer where more would cost much: only
	// an empty Next is the beginning. A session that is gone is
	// recap.CodeSessionNotFound.
	Page(ctx context.Context, ref recap.SessionRef, before Cursor, n int) (Page, error)
}

// Home is the place a source reads.
type Home struct {
	// Name in the settings (sources.NAME); the agent's own name for the
	// usual home.
	Name string
	// Root is the absolute path (or the server's address).
	Root string
	// Origin says how the root was chosen: "default", "env CLAUDE_CONFIG_DIR",
	// "config".
	Origin string
	// Found is false where nothing is there.
	Found bool
	// Problem says why a home that is there can't be read, "" where it can.
	Problem string
}

// Query narrows a listing. The zero value asks for every session of a person
// that is not archived.
type Query struct {
	// Since leaves out sessions whose newest content is older.
	Since time.Time
	// Archived includes archived sessions.
	Archived bool
	// Subagents includes the sessions of subagents.
	Subagents bool
	// Exclude are absolute directories that are never read: sessions in them
	// or below are left out and nothing of them is remembered.
	Exclude []string
}

// Cursor is a place in a transcript. Opaque; "" is the end when asked for,
// and the beginning of the history when returned.
type Cursor string

// Page is a piece of a transcript.
type Page struct {
	// Records are oldest first.
	Records []recap.Message
	// Next asks for what came before; "" where nothing did.
	Next Cursor
	// Bytes is how much of the transcript was read for this page.
	Bytes int64
	// Problems are rows that were skipped.
	Problems []Problem
}

// Problem is a row, a file or a folder that could not be used.
type Problem struct {
	// Path of the file, "" where it is the session's own.
	Path string
	// Reason is a short fixed phrase: "row over 32 MB", "not a regular file",
	// "permission denied". It never holds text of a transcript.
	Reason string
	// Count is how often it happened, at least 1.
	Count int
	Err   error
}

// Error says what could not be used.
func (p *Problem) Error() string {
	s := p.Reason
	if p.Path != "" {
		s = p.Path + ": " + s
	}
	return s
}

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Resumer knows the agent's own command that continues a session.
type Resumer interface {
	// ResumeCommand gives the directory to run in and the command.
	ResumeCommand(s recap.Session) (dir string, argv []string)
}

// Index remembers what listing learnt about each file, between runs. Entries
// of files that are gone are dropped by whoever keeps the index.
type Index interface {
	Lookup(path string) (Entry, bool)
	Remember(path string, e Entry)
}

// Entry is what listing learnt about one file. An agent may keep a session in
// several files: the source merges their entries.
type Entry struct {
	// Size, ModTime (Unix nanoseconds) and Change (an opaque number that
	// moves when the file's content or name changes: the change time where
	// the system has one) tell whether the file has to be read again.
	Size, ModTime int64
	Change        uint64
	// Head and Tail are hashes of both ends, compared where the times moved
	// and the size did not.
	Head, Tail uint64
	// Session is what the file says of its session; a zero Ref.ID means that
	// the file holds none, and Skip says why.
	Session recap.Session
	Skip    string
	// Broken is how many rows of what was read could not be used.
	Broken int
	// Facts are the source's own notes, needed to merge files.
	Facts []string
}

// NoIndex remembers nothing.
type NoIndex struct{}

// Lookup finds nothing.
func (NoIndex) Lookup(string) (Entry, bool) { return Entry{}, false }

// Remember does nothing.
func (NoIndex) Remember(string, Entry) {}
