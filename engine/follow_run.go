package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/quiet"
	"github.com/sessionrecap/recap/store"
)

// settled is what came of a run.
type settled struct {
	outcome    quiet.Outcome
	retryAfter time.Duration
	// over, if set, is the cap that forbade the call, and is lifted. waits: only
	// calls under way stand in the way.
	over  *store.OverBudget
	waits bool
	said  saying
}

// Tries and waits for a claim that another process holds. One that died holds
// it until its lease is over.
const (
	claimTries = 3
	claimWait  = lease + time.Second
)

// tail reads which tail a session has. Zero: it could not be read, and a run
// finds out.
func (f *follower) tail(ctx context.Context, ref recap.SessionRef) (t quiet.Tail) {
	defer f.caught(ctx, ref)
	if !f.o.Settings().on() {
		return t
	}
	d, _, err := f.e.raw(ctx, recap.Session{Ref: ref}, f.e.cleaner())
	if err != nil {
		return t
	}
	return quiet.TailOf(d.Fingerprint())
}

// caught keeps a defect that one session brings out from ending the others'
// following. It gives no text of the session.
func (f *follower) caught(ctx context.Context, ref recap.SessionRef) {
	if p := recover(); p != nil {
		f.e.o.Log.ErrorContext(ctx, "defect", "agent", ref.Agent, "session", ref.ID, "code", recap.CodeInternal,
			"kind", fmt.Sprintf("%T", p), "stack", string(debug.Stack()))
	}
}

// make makes the recap of a session that went quiet. said is what was said of
// the tail by an earlier try.
func (f *follower) make(ctx context.Context, ref recap.SessionRef, by agent.Watcher, said saying) (out settled) {
	out.outcome = quiet.Failed // of a defect
	defer f.caught(ctx, ref)
	defer func() { out.said = said }()
	e := f.e
	if !f.o.Settings().on() { // nothing is read then
		return settled{outcome: quiet.Discarded}
	}
	s, err := e.lookUp(ctx, ref)
	if err == nil {
		err = worth(s)
	}
	if err != nil {
		return f.settle(ctx, err)
	}
	set := f.allowed(s)
	if !set.Recap && !set.Auto || !set.on() { // a suggestion takes a model
		return settled{outcome: quiet.Discarded}
	}
	res := f.recap(ctx, s)
	if set.Auto && (res.Err == nil || res.Record != nil) && ctx.Err() == nil && !(res.Fresh && byModel(res)) {
		free := res
		var late bool
		if res, late = f.ask(ctx, s, set, free, said); late {
			said = max(said, announced)
		}
		if errors.Is(res.Err, errNoCalls) && ctx.Err() == nil {
			res = free // as if no model had been allowed
		}
	}
	if res.Record == nil || !res.Fresh || ctx.Err() != nil { // where it can't be read, what is stored may be of the past
		err := res.Err
		if err == nil {
			err = &recap.Error{Code: recap.CodeNothing, Message: "nothing to recap"}
		}
		return f.settle(ctx, err)
	}
	if res.Unkept != nil {
		return f.settle(ctx, res.Unkept)
	}
	out = f.settle(ctx, res.Err)
	out.waits = out.over != nil && f.mayHaveRoom(ctx, out.over)
	switch {
	case out.outcome == quiet.Canceled && out.over == nil,
		out.waits && said != overdue, // its model may come soon
		!byModel(res) && said == shown,
		!f.stands(ctx, s, *res.Record):
		return out
	}
	if said < announced || byModel(res) {
		f.announce(ctx, s, *res.Record)
		said = max(said, announced)
	}
	if !out.waits {
		f.mirror(ctx, s, by, *res.Record)
		said = shown
	}
	return out
}

// recap makes the free recap, if it is still wanted when the session was read.
func (f *follower) recap(ctx context.Context, s recap.Session) Result {
	return f.e.recapIf(ctx, s, func() error {
		if !f.allowed(s).on() {
			return errSwitchedOff
		}
		return nil
	})
}

// allowed are the settings of a session as they are now.
func (f *follower) allowed(s recap.Session) FollowSettings {
	set := f.o.Settings()
	if f.o.Narrow != nil {
		set = f.o.Narrow(s.Project, s.Directory, set)
	}
	return set
}

// stands looks once more whether a record is still one of the session as it is:
// a call that came to nothing, and another process's, may have taken minutes.
// Where the session has to be read for that, it is looked up again after.
func (f *follower) stands(ctx context.Context, was recap.Session, r recap.Record) bool {
	now, ok := f.worthStill(ctx, was)
	if !ok {
		return false
	}
	res := f.recap(ctx, now)
	if res.Record == nil || !res.Fresh || res.Record.Fingerprint != r.Fingerprint || ctx.Err() != nil {
		return false
	}
	if !res.Stored {
		_, ok = f.worthStill(ctx, was)
	}
	return ok
}

// worthStill gives a session as it is listed now, where it may still have a
// recap.
func (f *follower) worthStill(ctx context.Context, was recap.Session) (recap.Session, bool) {
	if !f.allowed(was).on() { // nothing is read then
		return was, false
	}
	now, err := f.e.stillThere(ctx, was)
	return now, err == nil && worth(now) == nil
}

func byModel(r Result) bool { return r.Record != nil && r.Record.Source == recap.FromModel }

// errSwitchedOff ends all that is made of a session.
var errSwitchedOff = &recap.Error{Code: recap.CodeCanceled, Message: "recaps were switched off meanwhile, so what was made is not used"}

// errNoCalls ends a call: the free recap serves now.
var errNoCalls = &recap.Error{
	Code: recap.CodeCanceled, Message: "model calls were switched off meanwhile (assist.auto), so the model's recap is not used",
}

// sayFree is how long a model may take before the free recap is announced, which
// is stored already.
const sayFree = 30 * time.Second

// ask asks a model. While another process makes the recap of the session, it
// is waited for: should that one die, its claim ends and this one goes on. told:
// the free recap was announced meanwhile.
func (f *follower) ask(ctx context.Context, s recap.Session, set FollowSettings, free Result, said saying) (res Result, told bool) {
	a := Ask{Fields: set.fields(), Background: true, Still: func() ([]recap.Field, error) { return f.still(s) }}
	work, end := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	late := false
	beside.Go(func() { f.watchSettings(work, end, s) })
	if free.Record != nil && free.Fresh && said < announced {
		beside.Go(func() {
			defer f.caught(ctx, s.Ref)
			late = f.sayLate(work, s, *free.Record)
		})
	}
	defer func() {
		end(nil)
		beside.Wait()
		told = late
	}()
	for try := 1; ; try++ {
		res = f.e.AskModel(work, s, a)
		if !errors.Is(res.Err, store.ErrClaimed) || try == claimTries {
			return res, false
		}
		wait := time.NewTimer(claimWait)
		select {
		case <-wait.C:
		case <-work.Done():
			wait.Stop()
			return res, false
		}
	}
}

// still gives the fields that a model may write of a session now. The error says
// why it may write none.
func (f *follower) still(s recap.Session) ([]recap.Field, error) {
	if f.e.isExcluded(s) {
		return nil, excluded()
	}
	switch now := f.allowed(s); {
	case !now.on():
		return nil, errSwitchedOff
	case !now.Auto:
		return nil, errNoCalls
	default:
		return now.fields(), nil
	}
}

// watchSettings ends a call that the person no longer allows, while it runs.
func (f *follower) watchSettings(ctx context.Context, end context.CancelCauseFunc, s recap.Session) {
	look := time.NewTicker(recheck)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if _, err := f.still(s); err != nil {
				end(err)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// sayLate announces the free recap of a session whose model takes long, and
// reports whether it did.
func (f *follower) sayLate(ctx context.Context, s recap.Session, r recap.Record) bool {
	late := time.NewTimer(sayFree)
	defer late.Stop()
	select {
	case <-late.C:
	case <-ctx.Done():
		return false
	}
	if !f.stands(ctx, s, r) {
		return false
	}
	f.announce(ctx, s, r)
	return true
}

// announce tells of a record that was stored.
func (f *follower) announce(ctx context.Context, s recap.Session, r recap.Record) {
	if !f.allowed(s).on() {
		return
	}
	f.e.o.Log.InfoContext(ctx, "recap", "agent", s.Ref.Agent, "session", s.Ref.ID, "source", r.Source, "characters", len([]rune(r.Recap)))
	if f.o.Changed != nil {
		f.o.Changed(r)
	}
}

// mirror hands a record that was stored to the agent's own metadata. A field
// that is switched off is blank there.
func (f *follower) mirror(ctx context.Context, s recap.Session, by agent.Watcher, r recap.Record) {
	m, ok := by.(agent.Mirror)
	if !ok {
		return
	}
	set := f.allowed(s)
	if !set.Recap {
		r.Recap, r.Away = "", ""
	}
	if !set.Suggestion {
		r.Suggestion = ""
	}
	if r.Recap == "" && r.Suggestion == "" {
		return
	}
	if err := m.PutRecord(ctx, s.Ref, r); err != nil && !errors.Is(err, agent.ErrNoMirror) && ctx.Err() == nil {
		f.e.o.Log.WarnContext(ctx, "not mirrored", "agent", s.Ref.Agent, "session", s.Ref.ID, "code", recap.CodeOf(err))
	}
}

// settle says what an error means for the tail.
func (f *follower) settle(ctx context.Context, err error) settled {
	if ctx.Err() != nil {
		return settled{outcome: quiet.Canceled}
	}
	if err == nil {
		return settled{outcome: quiet.Stored}
	}
	switch recap.CodeOf(err) {
	case recap.CodeCanceled, recap.CodeBusy:
		if errors.Is(err, store.ErrClaimed) {
			return settled{outcome: quiet.Failed}
		}
		// It went on, or will: what is told next decides.
		return settled{outcome: quiet.Canceled}
	case recap.CodeSessionNotFound, recap.CodeNothing, recap.CodeNotEnough, recap.CodeMuted, recap.CodeExcluded,
		recap.CodeNoLogin, recap.CodeNoModel, recap.CodeContextTooSmall, recap.CodeProviderUnsupported, recap.CodeGuarded:
		return settled{outcome: quiet.Discarded}
	}
	out := settled{outcome: quiet.Failed}
	if x, ok := errors.AsType[*store.OverBudget](err); ok && x.Until.After(f.e.o.Now()) {
		return settled{outcome: quiet.Canceled, over: x} // it is still owed
	}
	if x, ok := errors.AsType[*llm.Error](err); ok && !x.Reset.IsZero() {
		out.retryAfter = max(x.Reset.Sub(f.e.o.Now()), 0)
	}
	return out
}

// worth says whether a session that went quiet gets a recap at all.
func worth(s recap.Session) error {
	switch {
	case s.Archived, s.ParentID != "", s.Reverted:
		return &recap.Error{Code: recap.CodeNotEnough, Message: "it is archived, reverted, or a subagent's"}
	case s.State == recap.StateBusy, s.State == recap.StateWaiting, s.State == recap.StateUnknown:
		// Unknown is a turn that stands open: somebody asked in the last instant.
		return &recap.Error{Code: recap.CodeBusy, Message: "it is at work"}
	}
	return nil
}

// lookUp finds a session by its ref. Those that are excluded are not found.
func (e *Engine) lookUp(ctx context.Context, ref recap.SessionRef) (recap.Session, error) {
	src, ok := e.source(ref)
	if !ok {
		return recap.Session{}, gone()
	}
	l, err := e.scan(ctx, Query{Agent: ref.Agent, Home: src.Home().Name, Archived: true, Subagents: true, Self: true})
	if err != nil {
		return recap.Session{}, err
	}
	if i := slices.IndexFunc(l.Sessions, func(x recap.Session) bool { return x.Ref == ref }); i >= 0 {
		return l.Sessions[i], nil
	}
	if len(l.Failed) > 0 {
		return recap.Session{}, l.Failed[0].Err
	}
	return recap.Session{}, gone()
}
