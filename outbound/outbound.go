// Package outbound is what stands around a model call, so that no way leads
// to a provider past it.
//
// [New] gives a [Sender]; [Sender.Send] makes one [Call]. On its way out a call
// passes, in this order:
//
//  1. permission: may this session's text go to this provider at all?
//  2. redaction: secrets are replaced in what leaves, and in what comes back
//  3. reservation: the call is booked in the ledger, or refused by a cap
//  4. egress log: what leaves, when, to whom; in one step with the
//     reservation, so that both are written or neither
//  5. time limit
//  6. the call itself: one attempt
//
// Promises:
//   - It fails closed. What is not permitted, not redacted, not booked or not
//     logged is not sent.
//   - Each request that a provider sees stands in the ledger and in the egress
//     log, also when the program is killed: both are written before.
//   - A call of which nothing left the machine counts nothing. One that left,
//     and of which nobody knows what it cost, counts at its estimate.
//   - A cap refuses background calls always, and others unless
//     Call.OverBudget. A price that is not known is never taken for zero.
//   - Logs and the ledger hold ids, counts and codes, never text. No error
//     holds a secret.
//
// Errors are [*llm.Error] (with its codes of package recap),
// [*store.OverBudget], or [*recap.Error] of the redaction or the store. A
// Sender is safe for concurrent use.
package outbound

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
)

// Time limits of a call. That of a route's call ends before the route does, so
// that the inner one reports first.
const (
	BackgroundTimeout = 120 * time.Second
	RouteTimeout      = 60 * time.Second
	CallTimeout       = 55 * time.Second
)

// Sender makes model calls.
type Sender interface {
	// Send makes the call, once. Usage of the response is what the ledger
	// counts, with its price where that is known.
	Send(ctx context.Context, c Call) (llm.Response, error)
}

// Checker says beforehand what a cap would say to a call. The [Sender] of [New]
// is one.
type Checker interface {
	// Check gives the [*store.OverBudget] that Send would give for the call as
	// the ledger stands now. Nothing is booked and nothing sent.
	Check(ctx context.Context, c Call) error
}

// Call is one model call for a session. A request that names no most output
// is given one, so that it can be booked.
type Call struct {
	llm.Request
	Provider llm.Provider
	// Session is whose text leaves. Request.Session is the id for the
	// provider's header.
	Session recap.SessionRef
	// Fields are the texts that are asked for. Request.Fields may be empty
	// where the prompt alone asks.
	Fields []recap.Field
	// Background: no person waits for it. Its caps have no way round.
	Background bool
	// OverBudget: the person asked for it beyond the caps.
	OverBudget bool
	// Permitted: the text may go to this provider. If not, Refusal says why.
	Permitted bool
	Refusal   string
	// Price says what a usage costs in dollars, nil where that is not known.
	Price func(recap.Usage) *float64
	// Day is the clock's now in the person's zone: its day is the one that
	// is booked. Zero: the options' clock, in its zone.
	Day time.Time
	// Settling, if not nil, lets Send give what the provider said while the
	// call is still being settled, in this group. Send waits for the group
	// before it books a call; the caller waits for it when all is done. A
	// program that is killed before leaves the call at its estimate.
	Settling *sync.WaitGroup
}

// Options of a Sender.
type Options struct {
	// Client gives the client for a provider.
	Client func(llm.Provider) (llm.Client, error)
	Ledger store.Ledger
	// Now is the clock, nil: the machine's.
	Now  func() time.Time
	Caps store.Caps
	// Timeout of the call itself, 0: BackgroundTimeout for one that no person
	// waits for, CallTimeout for all others.
	Timeout time.Duration
	// Redact gives the text without secrets, and how many it replaced. On an
	// error nothing is sent. Nil: package redact.
	Redact func(string) (string, int, error)
	// Log gets one line a call that was made. Nil: none.
	Log *slog.Logger
}

// New gives a Sender.
func New(o Options) Sender {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Redact == nil {
		o.Redact = secrets
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return sender{o, chain(o)}
}

// chain is the order in which a call passes, outermost first.
func chain(o Options) step {
	return permission{
		redaction{
			o.Redact,
			reservation{
				o.Ledger, o.Caps, o.Now, o.Log, // and the egress log
				timeLimit{
					o.Timeout,
					attempt{o.Client},
				},
			},
		},
	}
}

// step is one decorator, or the call itself.
type step interface {
	send(ctx context.Context, t *trip) (llm.Response, error)
}

// trip is a call on its way, and what the steps note for each other.
type trip struct {
	Call
	redactions int
	entry      int64 // of the ledger
	// left: something of it may have left the machine.
	left bool
}

type sender struct {
	o     Options
	first step
}

// Send implements [Sender].
func (s sender) Send(ctx context.Context, c Call) (llm.Response, error) {
	return s.first.send(ctx, s.trip(c))
}

// Check implements [Checker].
func (s sender) Check(ctx context.Context, c Call) error {
	return reservation{ledger: s.o.Ledger, caps: s.o.Caps}.check(ctx, s.trip(c))
}

func (s sender) trip(c Call) *trip {
	if c.Day.IsZero() {
		c.Day = s.o.Now()
	}
	if c.MaxOutput <= 0 {
		c.MaxOutput = defaultOutput
	}
	return &trip{Call: c}
}

// storeError keeps a call from leaving unbooked.
func storeError(err error) error {
	if _, ok := errors.AsType[*recap.Error](err); ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &recap.Error{
		Code: recap.CodeStore, Message: "the call can't be booked, so it was not made",
		Hint: "recap doctor checks the store", Err: err,
	}
}

// secrets is the redaction of package redact.
func secrets(s string) (string, int, error) {
	clean, hits, err := redact.Text(s)
	return clean, len(hits), err
}
