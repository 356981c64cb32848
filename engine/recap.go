package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/store"
)

// composer is the version of the rules that make a free recap. A stored
// extractive record of another version is made anew.
const composer = 3

// stampOf is what a record remembers of the session it was made of: its
// transcript, its state, and the rules.
func stampOf(s recap.Session) string {
	if s.Stamp == "" {
		return ""
	}
	return s.Stamp + "#" + string(s.State) + "#" + strconv.Itoa(composer)
}

// storeTrouble notes what the store could not do. A caller that left is no
// trouble of the store's.
func (e *Engine) storeTrouble(ctx context.Context, err error) {
	if ctx.Err() == nil {
		e.o.Log.WarnContext(ctx, "store", "code", recap.CodeStore, "error", err.Error())
	}
}

// Recap says where the person was in the session: the stored record while it
// is fresh, else a free recap made now and stored. The result always holds the
// session; Err says why there is no fresh record.
func (e *Engine) Recap(ctx context.Context, s recap.Session) Result { return e.recapIf(ctx, s, nil) }

// recapIf is Recap where may, if there is one, is asked once the session was
// read: its error says why nothing is stored.
func (e *Engine) recapIf(ctx context.Context, s recap.Session, may func() error) Result {
	stored, err := e.o.Store.Record(ctx, s.Ref)
	have := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		e.storeTrouble(ctx, err)
	}
	muted := e.muted(ctx)
	res := e.recapWith(ctx, s, stored, have, muted, may)
	if recap.CodeOf(res.Err) == recap.CodeMuted {
		// A list leaves muted sessions alone; asked for by name, one is refused.
		e.journal(ctx, s.Ref, actionRefused, recap.CodeMuted, []store.Gate{gate("muted", "yes", false)})
	}
	return res
}

func (e *Engine) recapWith(ctx context.Context, s recap.Session, stored recap.Record, have bool, muted map[string]string, may func() error) Result {
	res := Result{Session: e.cleanSession(s)}
	if res.Err = e.barredBy(muted, s); res.Err != nil {
		return res
	}
	if have && e.isOf(stored, s) {
		res.show(stored, true)
		res.Stored = true
		return res
	}
	gates := []store.Gate{
		gate("excluded", "no", true), gate("muted", "no", true), gate("state", string(s.State), s.State == recap.StateIdle),
		gate("stored record", older(have), false),
	}
	d, problems, err := e.read(ctx, s)
	res.Problems = problems
	if err != nil {
		res.Err = err
		if have {
			res.Gone = recap.CodeOf(err) == recap.CodeSessionNotFound
			res.show(stored, false)
		}
		if code := recap.CodeOf(err); code != recap.CodeCanceled && code != recap.CodeSessionNotFound {
			e.journal(ctx, s.Ref, actionRefused, code, append(gates, gate("transcript", string(code), false)))
		}
		return res
	}
	if may != nil {
		if res.Err = may(); res.Err != nil {
			return res
		}
	}
	gates = append(gates, gate("transcript", "readable", true), gate("newest record", string(d.End), d.End == dialog.EndComplete))
	r := e.compose(s, d)
	if have && stored.Source == recap.FromModel && stored.Fingerprint == r.Fingerprint {
		r = keepModel(r, stored)
	}
	same := have && saysSame(r, stored)
	if same { // the file moved, the session did not
		r.GeneratedAt = stored.GeneratedAt
	}
	switch err := e.keep(ctx, r, stored.Fingerprint, have); {
	case errors.Is(err, store.ErrStale):
		r = e.beside(ctx, r)
	default:
		res.Unkept = err
	}
	res.show(r, true)
	if same {
		return res // nothing was decided
	}
	action := actionMade
	if r.Source == recap.FromModel {
		action = actionKept
	}
	if res.Record == nil {
		action = actionRefused
	}
	e.journal(ctx, s.Ref, action, recap.CodeOf(res.Err), gates)
	return res
}

// projectFile is where a project may take itself out.
const projectFile = ".recap.toml"

// show puts a record into the result. The record of a session without any
// request says nothing; it is kept so that the session is not read again.
func (res *Result) show(r recap.Record, fresh bool) {
	res.Fresh = fresh
	if r.Recap == "" && r.Away == "" && len(r.Status) == 0 {
		if res.Err == nil {
			res.Err = nothing(r.ForMessageID, res.Problems)
		}
		return
	}
	res.Record = &r
}

// nothing says of a session without a request why there is none to recap: last
// is its newest record, "" where it has none.
func nothing(last string, problems []agent.Problem) error {
	if last == "" && len(problems) == 0 {
		return &recap.Error{Code: recap.CodeNothing, Message: "nothing was asked in it yet"}
	}
	err := &recap.Error{Code: recap.CodeNothing, Message: "no request can be read in it"}
	if len(problems) > 0 {
		err.Hint = "recap doctor names the rows that could not be used"
	}
	return err
}

func older(have bool) string {
	if have {
		return "of an older state of the session"
	}
	return "none"
}

// keepModel gives the new record with the texts a model wrote for the same
// tail.
func keepModel(r, stored recap.Record) recap.Record {
	written := func(f recap.Field) bool { return stored.FieldSources[f] == recap.FromModel }
	for f, p := range map[recap.Field]*string{
		recap.FieldRecap: &r.Recap, recap.FieldAway: &r.Away, recap.FieldDigest: &r.Digest, recap.FieldSuggestion: &r.Suggestion,
	} {
		if written(f) {
			*p = stored.Text(f)
			r.FieldSources[f] = recap.FromModel
		}
	}
	r.Receipts = slices.DeleteFunc(r.Receipts, func(x recap.Receipt) bool { return written(x.Field) })
	for _, x := range stored.Receipts {
		if written(x.Field) {
			r.Receipts = append(r.Receipts, x)
		}
	}
	r.GeneratedAt, r.Language, r.Source, r.Model, r.Usage = stored.GeneratedAt, stored.Language, stored.Source, stored.Model, stored.Usage
	return r
}

// saysSame reports whether two records say the same of the same tail. What they
// keep of the session beside that may differ.
func saysSame(a, b recap.Record) bool {
	return a.Fingerprint == b.Fingerprint && a.ForMessageID == b.ForMessageID && a.Request == b.Request &&
		a.Recap == b.Recap && a.Away == b.Away && a.Digest == b.Digest && a.Suggestion == b.Suggestion &&
		a.Source == b.Source && maps.Equal(a.FieldSources, b.FieldSources) && a.Language == b.Language &&
		a.WaitingFor == b.WaitingFor && a.TodosOpen == b.TodosOpen && a.TodosDone == b.TodosDone &&
		slices.Equal(a.Status, b.Status) && slices.Equal(a.Receipts, b.Receipts)
}

// Actions of the journal.
const (
	actionMade    = "made-free"  // a free recap was made
	actionKept    = "kept-model" // a model's texts still answer the tail
	actionRefused = "refused"
	actionAsked   = "made-by-model" // a model wrote it
)

func gate(name, value string, pass bool) store.Gate {
	return store.Gate{Name: name, Value: value, Pass: pass}
}

// journal notes a decision. A journal that can't be written stops nothing.
func (e *Engine) journal(ctx context.Context, ref recap.SessionRef, action string, code recap.Code, gates []store.Gate) {
	e.decide(ctx, e.decision(ref, action, code, gates))
}

func (e *Engine) decision(ref recap.SessionRef, action string, code recap.Code, gates []store.Gate) store.Decision {
	return store.Decision{Session: ref, At: e.o.Now().UTC(), Action: action, Code: code, Gates: gates}
}

func (e *Engine) decide(ctx context.Context, d store.Decision) {
	if err := e.o.Store.Decide(ctx, d); err != nil && ctx.Err() == nil {
		e.o.Log.DebugContext(ctx, "decision not stored", "agent", d.Session.Agent, "session", d.Session.ID, "code", recap.CodeOf(err))
	}
}

// keep stores a record unless somebody else stored another meanwhile: then the
// error is store.ErrStale.
func (e *Engine) keep(ctx context.Context, r recap.Record, previous string, have bool) error {
	if !have {
		previous = ""
	}
	err := e.o.Store.Put(ctx, r, store.Condition{Previous: &previous})
	if err != nil && !errors.Is(err, store.ErrStale) && ctx.Err() == nil {
		e.o.Log.WarnContext(ctx, "record not stored", "agent", r.Session.Agent, "session", r.Session.ID, "code", recap.CodeStore, "error", err.Error())
		e.o.Unkept(err)
	}
	return err
}

// beside gives the record to show where another was stored while this one was
// made: with the texts a model wrote meanwhile, if they are of the same tail.
func (e *Engine) beside(ctx context.Context, r recap.Record) recap.Record {
	stored, err := e.o.Store.Record(ctx, r.Session)
	if err != nil || stored.Source != recap.FromModel || stored.Fingerprint != r.Fingerprint {
		return r
	}
	r = keepModel(r, stored)
	_ = e.keep(ctx, r, stored.Fingerprint, true) // it is logged there
	return r
}

// compose makes the free recap of a dialog whose texts are clean.
func (e *Engine) compose(s recap.Session, d dialog.Dialog) recap.Record {
	return e.composeBy(s, d, d.Fingerprint(), func(s recap.Session, now time.Time) evidence.Draft {
		return evidence.Free(evidence.Input{
			Session: s, Turns: d.Turns, End: string(d.End), Failure: d.Failure, Last: d.Last, Now: now,
		})
	})
}

// composeBy is compose where the draft may be known already.
func (e *Engine) composeBy(s recap.Session, d dialog.Dialog, fingerprint string, free func(recap.Session, time.Time) evidence.Draft) recap.Record {
	s = e.cleanSession(s)
	now := e.o.Now()
	var draft evidence.Draft // of a session without a request: nothing
	if len(d.Turns) > 0 {
		draft = free(s, now)
	}
	r := recap.Record{
		Session: s.Ref, Recap: draft.Recap, Away: draft.Away, Digest: draft.Digest, Request: draft.Request,
		ForMessageID: d.Last, Fingerprint: fingerprint, Stamp: stampOf(s), GeneratedAt: now.UTC().Truncate(time.Millisecond),
		Language: draft.Language, Source: recap.Extractive, FieldSources: map[recap.Field]recap.Origin{},
		Status: draft.Status, WaitingFor: draft.WaitingFor, TodosOpen: draft.TodosOpen, TodosDone: draft.TodosDone, Receipts: draft.Receipts,
		Title: s.Title, Directory: s.Directory, Project: s.Project, Branch: s.Branch, UpdatedAt: s.UpdatedAt,
	}
	e.scrubRecord(&r)
	for _, f := range []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldDigest} {
		if r.Text(f) != "" {
			r.FieldSources[f] = recap.Extractive
		}
	}
	return r
}

// read reads the newest turns of a session and cleans their texts.
func (e *Engine) read(ctx context.Context, s recap.Session) (dialog.Dialog, []agent.Problem, error) {
	c := e.cleaner()
	d, problems, err := e.raw(ctx, s, c)
	if err != nil {
		return d, problems, err
	}
	if _, err := e.cleanDialog(&d, c); err != nil {
		return dialog.Dialog{}, problems, err
	}
	return d, problems, nil
}

// raw is read without all of the cleaning: only the messages are redacted, as
// they come. What it gives must not leave the engine.
func (e *Engine) raw(ctx context.Context, s recap.Session, c *cleaner) (dialog.Dialog, []agent.Problem, error) {
	src, ok := e.source(s.Ref)
	if !ok {
		return dialog.Dialog{}, nil, gone()
	}
	p := &pager{src: src, ref: s.Ref}
	limits := dialog.FileLimits()
	limits.Redact = c.texts
	d, err := dialog.Read(ctx, p, limits)
	if err != nil {
		if ctx.Err() != nil {
			return dialog.Dialog{}, p.problems, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
		}
		if coded, ok := errors.AsType[*recap.Error](err); ok {
			err = coded // which page it was helps nobody
		} else {
			err = &recap.Error{Code: recap.CodeUnreadable, Message: "its transcript could not be read", Hint: "recap doctor", Err: err}
		}
		if recap.CodeOf(err) == recap.CodeSessionNotFound {
			err = gone()
		}
		return dialog.Dialog{}, p.problems, err
	}
	if !s.UpdatedAt.IsZero() && d.LastAt.After(s.UpdatedAt) {
		e.o.Log.DebugContext(ctx, "session went on while it was read", "agent", s.Ref.Agent, "session", s.Ref.ID)
	}
	return d, p.problems, nil
}

func gone() error {
	return &recap.Error{
		Code: recap.CodeSessionNotFound, Message: "its transcript is gone; what recap keeps of it stays",
		Hint: "recap forget removes that too",
	}
}

// Turns gives the human turns a record stands on, redacted and safe.
func (e *Engine) Turns(ctx context.Context, s recap.Session) (dialog.Dialog, []agent.Problem, error) {
	if e.isExcluded(s) {
		return dialog.Dialog{}, nil, &recap.Error{Code: recap.CodeExcluded, Message: "its directory is excluded (privacy.exclude, or off in its " + projectFile + ")"}
	}
	d, problems, err := e.read(ctx, s)
	if err == nil && len(d.Turns) == 0 {
		err = nothing(d.Last, problems)
	}
	return d, problems, err
}

// pager lets package dialog page through a source.
type pager struct {
	src      agent.Source
	ref      recap.SessionRef
	problems []agent.Problem
}

// Page implements dialog.Pager.
func (p *pager) Page(ctx context.Context, before string, n int) (dialog.Page, error) {
	page, err := p.src.Page(ctx, p.ref, agent.Cursor(before), n)
	p.problems = append(p.problems, page.Problems...)
	return dialog.Page{Records: page.Records, Next: string(page.Next), Bytes: page.Bytes}, err
}

// cleanDialog redacts every text of a dialog, and reports whether one was
// changed.
func (e *Engine) cleanDialog(d *dialog.Dialog, c *cleaner) (changed bool, err error) {
	scrub := func(s *string) {
		if err != nil || *s == "" {
			return
		}
		var t string
		if t, err = c.text(*s); err != nil {
			return
		}
		changed = changed || t != *s
		*s = t
	}
	for i := range d.Turns {
		t := &d.Turns[i]
		scrub(&t.Text)
		scrub(&t.Authored)
		scrub(&t.Typed)
		scrub(&t.Answer)
		if t.Failure != nil {
			f := *t.Failure
			scrub(&f.Code)
			scrub(&f.Message)
			t.Failure = &f
		}
		for j := range t.Tools {
			x := &t.Tools[j]
			scrub(&x.Command)
			scrub(&x.Output)
			// What the source gave may be its own.
			x.Paths, x.Questions, x.Todos = slices.Clone(x.Paths), slices.Clone(x.Questions), slices.Clone(x.Todos)
			for k := range x.Paths {
				scrub(&x.Paths[k])
			}
			for k := range x.Questions {
				scrub(&x.Questions[k])
			}
			for k := range x.Todos {
				scrub(&x.Todos[k].Text)
			}
		}
	}
	for i := range d.Messages {
		scrub(&d.Messages[i].Text)
	}
	if d.Failure != nil {
		f := *d.Failure
		scrub(&f.Code)
		scrub(&f.Message)
		d.Failure = &f
	}
	return changed, err
}
