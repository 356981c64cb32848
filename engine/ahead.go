package engine

import (
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/prompt"
	"github.com/sessionrecap/recap/reply"
)

// ahead reads the session while the call is made ready and the model is at
// work: what its reply will be held to, and the free recap that it goes over.
type ahead struct {
	guard     *evidence.Guard
	statuses  []recap.Status
	done      chan struct{} // nil: not begun
	record    recap.Record  // the free recap, clean
	expect    language.Expectation
	questions []string // of the newest turn to the person
	failure   any

	asked chan struct{}      // nil: nothing was asked yet
	told  reply.Instructions // what the model is told, beside the evidence
	task  string             // the one of it that a retry changes
}

// newAhead reads the statuses, which the prompt has.
func newAhead(in evidence.Input) *ahead {
	guard := evidence.NewGuard(in)
	return &ahead{guard: guard, statuses: guard.Statuses()}
}

// begin starts the reading for a plan, of which the prompt is not there yet.
// The guard is its own until it is over.
func (a *ahead) begin(e *Engine, p Plan) {
	a.done = make(chan struct{})
	go func() {
		defer close(a.done)
		defer func() { a.failure = recover() }()
		a.guard.Prepare()
		a.expect = language.Expect(p.sample, e.asking().Language)
		a.questions = questions(a.guard, p)
		a.record = e.composeBy(p.session, p.dialog, p.print, a.guard.Free)
	}()
}

// ask reads what the model is told.
func (a *ahead) ask(p prompt.Prompt) {
	a.asked = make(chan struct{})
	go func() {
		defer close(a.asked)
		a.task = instructionOf(p)
		a.told = reply.Told(a.task, p.System)
	}()
}

// over waits for what was begun.
func (a *ahead) over() {
	if a == nil {
		return
	}
	for _, c := range []chan struct{}{a.done, a.asked} {
		if c != nil {
			<-c
		}
	}
}

// read gives the guard when the reading is over. What failed there fails here.
func (a *ahead) read() *evidence.Guard {
	a.over()
	if a.failure != nil {
		panic(a.failure)
	}
	return a.guard
}

// free is the record of the free recap, for what the session says of itself
// now. It is the caller's: it is given once.
func (a *ahead) free(e *Engine, s recap.Session, p Plan) recap.Record {
	guard := a.read()
	if a.done == nil || s != p.session {
		return e.composeBy(s, p.dialog, p.print, guard.Free)
	}
	r := a.record
	r.GeneratedAt = e.o.Now().UTC().Truncate(time.Millisecond)
	return r
}
