package engine

import (
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/reply"
)

// ahead reads the session while the model is at work: what its reply will be
// held to, and the free recap that it goes over.
type ahead struct {
	guard   *evidence.Guard
	in      evidence.Input
	done    chan struct{} // nil: not begun
	free    evidence.Draft
	expect  language.Expectation
	told    reply.Instructions // the system prompt
	failure any
}

func newAhead(in evidence.Input) *ahead { return &ahead{guard: evidence.NewGuard(in), in: in} }

// begin starts the reading. The guard is its own until it is over.
func (a *ahead) begin(sample []string, preferred, system string) {
	a.done = make(chan struct{})
	go func() {
		defer close(a.done)
		defer func() { a.failure = recover() }()
		a.guard.Prepare()
		a.free = a.guard.Free(a.in.Session, a.in.Now)
		a.told = reply.Told(system)
		a.expect = language.Expect(sample, preferred)
	}()
}

// read gives the guard when the reading is over. What failed there fails here.
func (a *ahead) read() *evidence.Guard {
	if a.done != nil {
		<-a.done
		if a.failure != nil {
			panic(a.failure)
		}
	}
	return a.guard
}

// draft is the free recap for what the session says of itself now.
func (a *ahead) draft(s recap.Session, now time.Time) evidence.Draft {
	guard := a.read()
	if a.done != nil && s == a.in.Session {
		return a.free
	}
	return guard.Free(s, now)
}
