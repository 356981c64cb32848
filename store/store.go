// Package store is the contract of what recap remembers: records, claims,
// decisions, what model calls cost, when the person last looked, and what is
// muted.
//
// Every text that reaches a store is redacted before. Times are passed in; a
// store reads no clock. All methods are safe for concurrent use, also from
// several processes on one database.
package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Errors of stores. Test with errors.Is.
var (
	// ErrNotFound: no such record, claim or mark.
	ErrNotFound = errors.New("not found")
	// ErrClaimed: another owner holds the claim.
	ErrClaimed = errors.New("claimed by another owner")
	// ErrStale: the compare of a compare-and-set failed; nothing was written.
	ErrStale = errors.New("stale write refused")
	// ErrNewer is the ErrStale of Condition.Newest.
	ErrNewer = fmt.Errorf("%w: a record of a newer state is stored", ErrStale)
	// ErrTooNew: the database was written by a newer program.
	ErrTooNew = errors.New("store is newer than this program")
	// ErrReadOnly: the database can't be written.
	ErrReadOnly = errors.New("store is read-only")
)

// Store is the whole of it. Callers take the part they need.
type Store interface { //nolint:interfacebloat // it only joins the parts
	Records
	Claims
	Journal
	Marks
	Ledger
	// Close releases the store. It may be called twice.
	Close() error
}

// Records keeps one record a session.
type Records interface {
	// Record gives the session's record, or ErrNotFound.
	Record(ctx context.Context, ref recap.SessionRef) (recap.Record, error)
	// Records gives the records of these sessions that exist; nil refs means
	// all, newest UpdatedAt first.
	Records(ctx context.Context, refs []recap.SessionRef) ([]recap.Record, error)
	// Put writes the record if cond holds, else ErrStale, and with it what
	// cond names: all or nothing. A record without a model's texts never takes
	// the place of one with them that has the same fingerprint: ErrStale too.
	Put(ctx context.Context, r recap.Record, cond Condition) error
	// Search finds records whose texts, request or title hold every word,
	// newest first. Any script; words of one character work.
	Search(ctx context.Context, words []string, limit int) ([]recap.Record, error)
	// Forget removes the record, claim, decisions and marks of the sessions
	// that match, and their names from the ledger; it says of how many sessions
	// something was removed.
	Forget(ctx context.Context, w Which) (int, error)
}

// Condition of a write, and what is done in one step with it.
type Condition struct {
	// Previous, if not nil, must be the fingerprint of the stored record
	// ("" = none stored).
	Previous *string
	// Claim, if not nil, must still be held by its owner with its fence.
	Claim *Claim
	// Newest: the stored record must not be of another fingerprint and a later
	// UpdatedAt, else ErrNewer.
	Newest bool

	// Release gives Claim up.
	Release bool
	// Decision, if not nil, is appended to the journal.
	Decision *Decision
}

// Which selects sessions to forget; set exactly one.
type Which struct {
	Session *recap.SessionRef
	Project string    // and everything below that directory
	Before  time.Time // UpdatedAt of the record before
	All     bool
}

// Claims makes a generation single, in one process and over machines.
type Claims interface {
	// Claim takes the session for the owner until now+lease. The same owner
	// may claim again. Held by a live other: ErrClaimed. An expired claim is
	// taken over.
	Claim(ctx context.Context, c Claim, now time.Time, lease time.Duration) error
	// Renew extends a claim that is still held, else ErrStale.
	Renew(ctx context.Context, c Claim, now time.Time, lease time.Duration) error
	// Release gives the claim up. Not held: no error.
	Release(ctx context.Context, c Claim) error
}

// Claim on a session. The fingerprint is its fence.
type Claim struct {
	Session     recap.SessionRef
	Owner       string
	Fingerprint string
}

// Journal keeps the last decisions about each session, for `recap why`.
type Journal interface {
	// Decide appends a decision; of each session the newest 50 are kept.
	Decide(ctx context.Context, d Decision) error
	// Decisions gives the newest n of the session, newest first.
	Decisions(ctx context.Context, ref recap.SessionRef, n int) ([]Decision, error)
}

// Decision is one outcome, with the gates that led to it.
type Decision struct {
	Session recap.SessionRef
	At      time.Time
	// Action is what was decided: "shown-stored", "made-free", "refused".
	Action string
	Code   recap.Code
	Gates  []Gate
}

// Gate is a condition that was looked at.
type Gate struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Pass  bool   `json:"pass"`
}

// Marks keeps small facts by name: when the person last looked, what is
// muted. A mark has a scope (a session's ref as text, a project, or "").
type Marks interface {
	// Mark gives the value, or ErrNotFound.
	Mark(ctx context.Context, name, scope string) (string, error)
	// SetMark writes the value; "" removes it.
	SetMark(ctx context.Context, name, scope, value string) error
	// Marked gives the values of all scopes with the mark.
	Marked(ctx context.Context, name string) (map[string]string, error)
}

// Names of marks.
const (
	MarkLooked = "looked" // RFC 3339 time the person last looked
	MarkMuted  = "muted"  // scope: session scope or project directory
	// MarkWorktree: the project of a worktree, whose root is the scope.
	MarkWorktree = "worktree"
	// MarkParked: the fingerprint of the tail for which no model is asked
	// again unasked: a call failed, or said nothing. Scope: session scope.
	MarkParked = "parked"
)

// Scope is the text form of a session's ref as a mark's scope.
func Scope(ref recap.SessionRef) string {
	return string(ref.Agent) + "\x1f" + ref.Root + "\x1f" + ref.ID
}
