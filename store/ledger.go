package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	recap "github.com/sessionrecap/recap"
)

// Ledger counts what model calls cost. Every call is reserved before it is
// sent and settled after; what a crash left reserved counts at its estimate.
//
// When a session is forgotten, its lines of the egress log go, and its entries
// keep neither session nor time of day: what they count goes on counting for
// the day, so that forgetting frees no budget.
type Ledger interface {
	// Reserve books an estimate if no cap is exceeded by it, else *OverBudget,
	// and appends to the egress log what is about to leave, for this entry:
	// both or neither. It is atomic over goroutines and processes, and what it
	// gave an id for is kept, also where the program is killed right after.
	Reserve(ctx context.Context, r Reservation, caps Caps, leaves ...Egress) (id int64, err error)
	// Settle replaces the estimate by what was used. Settling twice, or an
	// unknown id, is ErrNotFound. Where nothing was sent, the entry's lines of
	// the egress log are taken back.
	Settle(ctx context.Context, id int64, s Settlement) error
	// Entries gives the entries since a time, newest first, at most n (0 = all).
	Entries(ctx context.Context, since time.Time, n int) ([]Entry, error)
	// Used is what the caps of a reservation are compared with.
	Used(ctx context.Context, r Reservation) (Used, error)
	// Egress gives the newest n (0 = all) of the egress log since a time,
	// newest first.
	Egress(ctx context.Context, since time.Time, n int) ([]Egress, error)
}

// Reservation is a call about to be made.
type Reservation struct {
	At       time.Time // also says the day, in its own zone
	Session  recap.SessionRef
	Provider string
	Model    string
	// Background calls count against the caps; manual ones are booked too.
	Background bool
	// InputTokens and OutputTokens are estimates, the output the most it may be.
	InputTokens, OutputTokens int64
	// CostUSD is the estimate in money; nil: price unknown.
	CostUSD *float64
}

// Caps are hard limits; a negative one is none.
type Caps struct {
	DayTokens     int64
	DayUSD        float64
	SessionTokens int64
}

// NoCaps has no limit.
var NoCaps = Caps{-1, -1, -1}

// Settlement is what became of a call.
type Settlement struct {
	At time.Time
	// Sent is false where nothing left the machine: then nothing is counted.
	Sent  bool
	Usage recap.Usage
	Code  recap.Code // "" where it worked
}

// Entry is a line of the ledger.
type Entry struct {
	ID int64
	Reservation
	// Settled is nil while the call runs, or where a crash left it.
	Settled *Settlement
}

// Tokens is what the entry counts: what was used, else the estimate.
func (e Entry) Tokens() int64 {
	switch {
	case e.Settled == nil:
		return e.InputTokens + e.OutputTokens
	case !e.Settled.Sent:
		return 0
	}
	return e.Settled.Usage.InputTokens + e.Settled.Usage.OutputTokens
}

// Egress is something that left the machine: what, when, to whom, never the
// text.
type Egress struct {
	At       time.Time
	Session  recap.SessionRef
	Provider string
	Model    string
	Host     string
	Purpose  string // "recap,suggestion"
	// Characters of text that left, and how many secrets were replaced in it.
	Characters, Redactions int
	Ledger                 int64 // id of the ledger's entry; Reserve sets it
}

// OverBudget is a refusal of the ledger.
type OverBudget struct { //nolint:errname // a refusal, told apart by its name
	Cap    string // the setting: "budget.daily_tokens"
	Used   float64
	Wanted float64
	Limit  float64
	// Until is when it goes on by itself, zero where it does not.
	Until time.Time
}

// Error says which cap, in numbers.
func (e *OverBudget) Error() string {
	return fmt.Sprintf("%s: %g used, %g more wanted, limit %g", e.Cap, e.Used, e.Wanted, e.Limit)
}

// Unwrap gives the coded error.
func (e *OverBudget) Unwrap() error {
	return &recap.Error{
		Code: recap.CodeBudget, Message: "the budget is used up: " + e.Error(),
		Hint: "recap spend shows what was used; recap --over-budget asks all the same",
	}
}

// ErrNoLedger is the error of a store that keeps no ledger.
var ErrNoLedger = errors.New("this store keeps no ledger")
