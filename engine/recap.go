package engine

import (
	"context"
	"errors"
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
const composer = 1

// stampOf is what a record remembers of the session it was made of: its
// transcript, its state, and the rules.
func stampOf(s recap.Session) string {
	if s.Stamp == "" {
		return ""
	}
	return s.Stamp + "#" + string(s.State) + "#" + strconv.Itoa(composer)
}

// Here gives the recap of the newest session of the project dir lies in.
func (e *Engine) Here(ctx context.Context, dir string) (Result, error) {
	s, err := e.Newest(ctx, dir)
	if err != nil {
		return Result{}, err
	}
	return e.Recap(ctx, s), nil
}

// Recap says where the person was in the session: the stored record while it
// is fresh, else a free recap made now and stored. The result always holds the
// session; Err says why there is no fresh record.
func (e *Engine) Recap(ctx context.Context, s recap.Session) Result {
	stored, err := e.o.Store.Record(ctx, s.Ref)
	have := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		e.o.Log.Warn("store", "code", recap.CodeStore, "error", err.Error())
	}
	return e.recapWith(ctx, s, stored, have, e.muted(ctx))
}

func (e *Engine) recapWith(ctx context.Context, s recap.Session, stored recap.Record, have bool, muted map[string]string) Result {
	res := Result{Session: e.cleanSession(s)}
	switch {
	case e.excluded(s.Directory):
		res.Err = &recap.Error{Code: recap.CodeExcluded, Message: "its directory is excluded (privacy.exclude)"}
		return res
	case isMuted(muted, s):
		res.Err = &recap.Error{Code: recap.CodeMuted, Message: "recaps are muted for it", Hint: "recap mute --off " + s.Ref.ID}
		return res
	}
	if have && stored.Stamp != "" && stored.Stamp == stampOf(s) {
		res.Record, res.Fresh, res.Stored = &stored, true, true
		return res
	}
	d, problems, err := e.read(ctx, s)
	res.Problems = problems
	if err != nil {
		res.Err = err
		if have {
			res.Record = &stored
		}
		return res
	}
	if d.End == dialog.EndEmpty || len(d.Turns) == 0 {
		res.Err = &recap.Error{Code: recap.CodeNothing, Message: "nothing was asked in it yet"}
		return res
	}
	r := e.compose(s, d)
	if have && stored.Source == recap.FromModel && stored.Fingerprint == r.Fingerprint {
		stored.Stamp, stored.Status, stored.WaitingFor = r.Stamp, r.Status, r.WaitingFor
		r = stored
	}
	res.Record, res.Fresh = &r, true
	e.keep(ctx, r, stored.Fingerprint, have)
	return res
}

// keep stores a record unless somebody else stored a newer one meanwhile.
func (e *Engine) keep(ctx context.Context, r recap.Record, previous string, have bool) {
	if !have {
		previous = ""
	}
	err := e.o.Store.Put(ctx, r, store.Condition{Previous: &previous})
	if err != nil && !errors.Is(err, store.ErrStale) {
		e.o.Log.Warn("record not stored", "agent", r.Session.Agent, "session", r.Session.ID, "code", recap.CodeStore, "error", err.Error())
	}
}

// compose makes the free recap of a dialog whose texts are clean.
func (e *Engine) compose(s recap.Session, d dialog.Dialog) recap.Record {
	s = e.cleanSession(s)
	now := e.o.Now()
	draft := evidence.Free(evidence.Input{
		Session: s, Turns: d.Turns, End: string(d.End), Failure: d.Failure, Last: d.Last, Now: now,
	})
	r := recap.Record{
		Session: s.Ref, Recap: draft.Recap, Away: draft.Away, Digest: draft.Digest, Request: draft.Request,
		ForMessageID: d.Last, Fingerprint: d.Fingerprint(), Stamp: stampOf(s), GeneratedAt: now.UTC().Truncate(time.Millisecond),
		Language: draft.Language, Source: recap.Extractive, FieldSources: map[recap.Field]recap.Origin{},
		Status: draft.Status, WaitingFor: draft.WaitingFor, TodosOpen: draft.TodosOpen, TodosDone: draft.TodosDone, Receipts: draft.Receipts,
		Title: s.Title, Directory: s.Directory, Project: s.Project, Branch: s.Branch, UpdatedAt: s.UpdatedAt,
	}
	for _, f := range []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldDigest} {
		if r.Text(f) != "" {
			r.FieldSources[f] = recap.Extractive
		}
	}
	return r
}

// read reads the newest turns of a session and cleans their texts.
func (e *Engine) read(ctx context.Context, s recap.Session) (dialog.Dialog, []agent.Problem, error) {
	src, ok := e.source(s.Ref)
	if !ok {
		return dialog.Dialog{}, nil, &recap.Error{
			Code: recap.CodeSessionNotFound, Message: "its transcript is gone; recap kept its own copy", Hint: "recap show prints the stored record",
		}
	}
	p := &pager{src: src, ref: s.Ref}
	d, err := dialog.Read(ctx, p, dialog.FileLimits())
	if err != nil {
		if ctx.Err() != nil {
			return dialog.Dialog{}, p.problems, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
		}
		if recap.CodeOf(err) == recap.CodeInternal {
			err = &recap.Error{Code: recap.CodeUnreadable, Message: "its transcript could not be read", Hint: "recap doctor", Err: err}
		}
		return dialog.Dialog{}, p.problems, err
	}
	if d.LastAt.After(s.UpdatedAt) {
		e.o.Log.Debug("session went on while it was read", "agent", s.Ref.Agent, "session", s.Ref.ID)
	}
	if err := e.cleanDialog(&d); err != nil {
		return dialog.Dialog{}, p.problems, err
	}
	return d, p.problems, nil
}

// Turns gives the human turns a record stands on, redacted and safe.
func (e *Engine) Turns(ctx context.Context, s recap.Session) (dialog.Dialog, []agent.Problem, error) {
	if e.excluded(s.Directory) {
		return dialog.Dialog{}, nil, &recap.Error{Code: recap.CodeExcluded, Message: "its directory is excluded (privacy.exclude)"}
	}
	d, problems, err := e.read(ctx, s)
	if err == nil && len(d.Turns) == 0 {
		err = &recap.Error{Code: recap.CodeNothing, Message: "nothing was asked in it yet"}
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

// cleanDialog redacts every text of a dialog.
func (e *Engine) cleanDialog(d *dialog.Dialog) error {
	var err error
	scrub := func(s *string) {
		if err != nil || *s == "" {
			return
		}
		var t string
		if t, err = e.redact(*s); err == nil {
			*s = recap.Safe(t)
		}
	}
	for i := range d.Turns {
		t := &d.Turns[i]
		scrub(&t.Text)
		scrub(&t.Authored)
		scrub(&t.Answer)
		if t.Failure != nil {
			f := *t.Failure
			scrub(&f.Message)
			t.Failure = &f
		}
		for j := range t.Tools {
			x := &t.Tools[j]
			scrub(&x.Command)
			scrub(&x.Output)
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
		scrub(&f.Message)
		d.Failure = &f
	}
	return err
}
