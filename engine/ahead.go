package engine

import (
	"sync"
	"sync/atomic"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/language"
)

// ahead reads the session while the call is made ready and the model is at
// work: the language that its reply must be in, the free recap that it goes
// over, and then, as far as there is time, what it will be held to.
type ahead struct {
	statuses []recap.Status
	expect   func() language.Expectation

	mu       sync.Mutex // of the guard, as long as it is read ahead
	guard    *evidence.Guard
	answered atomic.Bool // the guard is wanted

	freed  chan struct{} // the record is there; nil: not begun
	record recap.Record  // the free recap, clean
	failed any
	done   sync.WaitGroup
}

// newAhead reads the statuses, which the prompt has.
func newAhead(in evidence.Input) *ahead {
	guard := evidence.NewGuard(in)
	return &ahead{guard: guard, statuses: guard.Statuses()}
}

// begin starts the reading for a plan, of which the prompt is not there yet.
func (a *ahead) begin(e *Engine, p Plan) {
	a.expect = sync.OnceValue(func() language.Expectation { return language.Expect(p.sample, e.asking().Language) })
	a.freed = make(chan struct{})
	a.done.Go(func() {
		func() {
			defer close(a.freed)
			defer func() { a.failed = recover() }()
			a.expect()
			a.record = e.composeBy(p.session, p.dialog, p.print, a.guard.Free)
		}()
		a.mu.Lock()
		defer a.mu.Unlock()
		defer func() { _ = recover() }() // it fails again where it is asked for
		a.guard.Prepare(a.answered.Load)
	})
}

// read gives the guard. From then on it is the caller's.
func (a *ahead) read() *evidence.Guard {
	a.answered.Store(true)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.guard
}

// end stops the reading and waits for it.
func (a *ahead) end() {
	if a != nil {
		a.answered.Store(true)
		a.done.Wait()
	}
}

// free is the record of the free recap, for what the session says of itself
// now. It is the caller's: it is given once. What failed there fails here.
func (a *ahead) free(e *Engine, s recap.Session, p Plan) recap.Record {
	guard := a.read()
	if a.freed == nil {
		return e.composeBy(s, p.dialog, p.print, guard.Free)
	}
	<-a.freed
	if a.failed != nil {
		panic(a.failed)
	}
	if s != p.session {
		return e.composeBy(s, p.dialog, p.print, guard.Free)
	}
	r := a.record
	r.GeneratedAt = e.o.Now().UTC().Truncate(time.Millisecond)
	return r
}
