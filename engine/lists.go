package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/store"
)

// List gives the newest sessions with their records: stored ones while fresh,
// free ones made for the rest. With the archived ones come those whose
// transcript is gone. limit 0 means all. total counts the sessions that
// matched.
func (e *Engine) List(ctx context.Context, q Query, limit int) (rows []Result, total int, l Listing, err error) {
	l, err = e.scan(ctx, q)
	if err != nil {
		return nil, 0, l, err
	}
	var lost []Result
	if q.Archived {
		lost = e.lost(ctx, q, l)
	}
	total = len(l.Sessions) + len(lost)
	shown := l.Sessions
	if limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	if rows, err = e.recapAll(ctx, shown); err != nil {
		return nil, 0, l, err
	}
	if len(lost) > 0 {
		rows = append(rows, lost...)
		slices.SortStableFunc(rows, func(a, b Result) int { return b.Session.UpdatedAt.Compare(a.Session.UpdatedAt) })
		if limit > 0 && len(rows) > limit {
			rows = rows[:limit]
		}
	}
	return rows, total, l, nil
}

// lost gives what is kept of sessions that match and whose transcript the
// agent has deleted.
func (e *Engine) lost(ctx context.Context, q Query, l Listing) []Result {
	recs, err := e.o.Store.Records(ctx, nil)
	if err != nil {
		e.storeTrouble(ctx, err)
		return nil
	}
	live := make(map[recap.SessionRef]bool, len(l.Sessions))
	for _, s := range l.Sessions {
		live[s.Ref] = true
	}
	failed := func(ref recap.SessionRef) bool {
		return slices.ContainsFunc(l.Failed, func(f HomeError) bool { return f.Agent == ref.Agent && f.Home.Root == ref.Root })
	}
	muted := e.muted(ctx)
	var out []Result
	for _, r := range recs {
		s := e.sessionOf(r)
		if live[r.Session] || failed(r.Session) || e.isExcluded(s) || e.isMuted(muted, s) ||
			q.Agent != "" && q.Agent != r.Session.Agent || q.Home != "" && q.Home != s.Home || q.State != "" && q.State != s.State ||
			s.UpdatedAt.Before(q.Since) || q.Project != "" && !e.inProject(s, e.cleanPath(q.Project)) {
			continue
		}
		if !e.isGone(ctx, r.Session) {
			continue
		}
		res := Result{Session: e.cleanSession(s), Err: gone(), Stored: true, Gone: true}
		if res.show(r, false); res.Record != nil {
			out = append(out, res)
		}
	}
	return out
}

// isGone reports whether the transcript of a session that was not listed is
// gone: one that is there and not listed (a subagent's, our own) is not.
func (e *Engine) isGone(ctx context.Context, ref recap.SessionRef) bool {
	src, ok := e.source(ref)
	if !ok {
		return false
	}
	_, err := src.Page(ctx, ref, "", 1)
	return recap.CodeOf(err) == recap.CodeSessionNotFound
}

// recapAll gives the results of the sessions, in their order.
func (e *Engine) recapAll(ctx context.Context, sessions []recap.Session) ([]Result, error) {
	stored := e.storedOf(ctx, sessions)
	t := &tally{}
	for _, s := range sessions {
		if !e.isOf(stored[s.Ref], s) {
			t.of++
		}
	}
	return e.recapSome(ctx, sessions, stored, t)
}

// tally counts the recaps that one command makes.
type tally struct {
	made atomic.Int64
	of   int
}

// isOf reports whether a record was made of the session as it is listed now.
func (e *Engine) isOf(r recap.Record, s recap.Session) bool {
	return r.Stamp != "" && r.Stamp == stampOf(s) && r.Directory == e.cleanPath(s.Directory)
}

// storedOf gives the records of the sessions.
func (e *Engine) storedOf(ctx context.Context, sessions []recap.Session) map[recap.SessionRef]recap.Record {
	stored := make(map[recap.SessionRef]recap.Record, len(sessions))
	if len(sessions) == 0 {
		return stored
	}
	refs := make([]recap.SessionRef, len(sessions))
	for i, s := range sessions {
		refs[i] = s.Ref
	}
	recs, err := e.o.Store.Records(ctx, refs)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		e.storeTrouble(ctx, err)
	}
	for _, r := range recs {
		stored[r.Session] = r
	}
	return stored
}

func (e *Engine) recapSome(ctx context.Context, sessions []recap.Session, stored map[recap.SessionRef]recap.Record, t *tally) ([]Result, error) {
	muted := e.muted(ctx)
	rows := make([]Result, len(sessions))
	var todo []int
	for i, s := range sessions {
		if r, ok := stored[s.Ref]; ok && e.isOf(r, s) {
			rows[i] = e.recapWith(ctx, s, r, true, muted, nil)
			continue
		}
		todo = append(todo, i)
	}
	each(ctx, len(todo), func(k int) {
		i := todo[k]
		r, ok := stored[sessions[i].Ref]
		rows[i] = e.recapWith(ctx, sessions[i], r, ok, muted, nil)
		if n := int(t.made.Add(1)); e.o.Progress != nil {
			e.o.Progress(Progress{Agent: sessions[i].Ref.Agent, Made: n, Of: t.of})
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: err}
	}
	return rows, nil
}

// awayDepth is how many of the sessions that moved are looked into for a
// question to the person.
const awayDepth = 200

// firstLook is how far back the first "while you were gone" reaches.
const firstLook = 24 * time.Hour

// Away is what moved since the person last looked.
type Away struct {
	// Since is when they last looked, zero the first time (then the last day
	// is shown).
	Since time.Time
	// Rows are the sessions that moved: those that wait for the person first,
	// then newest first.
	Rows []Result
	// More counts sessions that moved and are beyond the limit.
	More int
	// Waiting counts the sessions that wait for the person, of all that moved.
	Waiting int
	// Listing holds the problems of the scan.
	Listing Listing
}

// Away says what moved since the person last looked, over all agents. Looking
// resets it unless peek is set. Muted sessions are left out.
func (e *Engine) Away(ctx context.Context, peek bool, limit int) (Away, error) {
	now := e.o.Now()
	var a Away
	since := now.Add(-firstLook)
	if v, err := e.o.Store.Mark(ctx, store.MarkLooked, ""); err == nil {
		if t, err := time.Parse(time.RFC3339Nano, v); err == nil && !t.After(now) {
			a.Since, since = t, t
		}
	}
	l, err := e.scan(ctx, Query{Since: since})
	if err != nil {
		return a, err
	}
	a.Listing = l
	muted := e.muted(ctx)
	moved := slices.DeleteFunc(slices.Clone(l.Sessions), func(s recap.Session) bool {
		return !s.UpdatedAt.After(since) || e.isMuted(muted, s)
	})
	slices.SortStableFunc(moved, func(x, y recap.Session) int { return rank(x) - rank(y) })
	dropped := 0
	if limit > 0 && len(moved) > max(limit, awayDepth) {
		dropped = len(moved) - max(limit, awayDepth)
		moved = moved[:len(moved)-dropped]
	}
	if a.Rows, err = e.recapAll(ctx, moved); err != nil {
		return a, err
	}
	// A question stands in the answer's text, which the listing does not know:
	// order once more by what the records prove.
	slices.SortStableFunc(a.Rows, func(x, y Result) int { return rankResult(x) - rankResult(y) })
	for _, r := range a.Rows {
		a.Waiting += 1 - rankResult(r)
	}
	if limit > 0 && len(a.Rows) > limit {
		a.More = len(a.Rows) - limit
		a.Rows = a.Rows[:limit]
	}
	a.More += dropped
	if !peek {
		if err := e.o.Store.SetMark(ctx, store.MarkLooked, "", now.UTC().Format(time.RFC3339Nano)); err != nil && ctx.Err() == nil {
			e.o.Log.WarnContext(ctx, "last look not stored", "code", recap.CodeStore, "error", err.Error())
			e.o.Unkept(err)
		}
	}
	return a, nil
}

func rank(s recap.Session) int {
	if s.State == recap.StateWaiting {
		return 0
	}
	return 1
}

// Waits reports whether the session waits for the person.
func (r Result) Waits() bool { return rankResult(r) == 0 }

func rankResult(r Result) int {
	if r.Session.State == recap.StateWaiting {
		return 0
	}
	if r.Record != nil && (slices.Contains(r.Record.Status, recap.StatusWaitingApproval) || slices.Contains(r.Record.Status, recap.StatusWaitingAnswer)) {
		return 0
	}
	return 1
}

// atOnce is how many records a search holds at a time while it makes those
// that are missing.
const atOnce = 256

// Found is what a search found.
type Found struct {
	// Rows are the sessions that have every word, newest first, up to the
	// limit.
	Rows []Result
	// Total counts all that have them.
	Total int
	// Unread counts the sessions that could not be looked into as they are now.
	Unread int
	// Listing holds the problems of the scan.
	Listing Listing
}

// Search finds sessions by words in their recaps, requests, titles and the
// names of their projects, newest first. All sessions are looked into: those
// without a record of their present state get one first. A search that is
// stopped keeps what it made, and the next goes on from there. The records of
// sessions whose transcript is gone are found too. limit 0 means all.
func (e *Engine) Search(ctx context.Context, words []string, limit int) (Found, error) {
	var f Found
	var err error
	if f.Listing, err = e.scan(ctx, Query{Archived: true}); err != nil {
		return f, err
	}
	live := make(map[recap.SessionRef]recap.Session, len(f.Listing.Sessions))
	for _, s := range f.Listing.Sessions {
		live[s.Ref] = s
	}
	unkept, err := e.complete(ctx, &f)
	if err != nil {
		return f, err
	}
	// What is muted or excluded is left out before the limit counts.
	recs, err := e.o.Store.Search(ctx, words, 0)
	switch {
	case ctx.Err() != nil:
		return f, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
	case err != nil:
		return f, &recap.Error{Code: recap.CodeStore, Message: "the store could not be searched", Hint: "recap doctor", Err: err}
	}
	recs = withUnkept(recs, unkept, words)
	muted := e.muted(ctx)
	for _, r := range recs {
		s, ok := live[r.Session]
		if !ok {
			s = e.sessionOf(r)
		}
		if e.isExcluded(s) || e.isMuted(muted, s) {
			continue
		}
		if f.Total++; limit > 0 && len(f.Rows) == limit {
			continue
		}
		res := Result{Session: e.cleanSession(s), Stored: true}
		if !ok && e.isGone(ctx, r.Session) {
			res.Gone, res.Err = true, gone()
		}
		res.show(r, ok && e.isOf(r, s))
		f.Rows = append(f.Rows, res)
	}
	return f, nil
}

// complete makes the records that are missing, and gives those that could not
// be stored.
func (e *Engine) complete(ctx context.Context, f *Found) (unkept []recap.Record, err error) {
	muted := e.muted(ctx)
	var todo []recap.Session
	for part := range slices.Chunk(f.Listing.Sessions, atOnce) {
		stored := e.storedOf(ctx, part)
		for _, s := range part {
			if !e.isOf(stored[s.Ref], s) && !e.isMuted(muted, s) {
				todo = append(todo, s)
			}
		}
	}
	t := &tally{of: len(todo)}
	for part := range slices.Chunk(todo, atOnce) {
		rows, err := e.recapSome(ctx, part, e.storedOf(ctx, part), t)
		if err != nil {
			if recap.CodeOf(err) == recap.CodeCanceled {
				err = &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Hint: "what was made so far is kept: the same search goes on from there", Err: ctx.Err()}
			}
			return nil, err
		}
		for _, r := range rows {
			switch recap.CodeOf(r.Err) {
			case "", recap.CodeNothing, recap.CodeMuted, recap.CodeExcluded, recap.CodeSessionNotFound:
			default:
				f.Unread++
			}
			if r.Unkept != nil && r.Record != nil {
				unkept = append(unkept, *r.Record)
			}
		}
	}
	return unkept, nil
}

// withUnkept puts the records that could not be stored, and have every word, to
// those that the store found, in place of what it has of the same sessions.
func withUnkept(found, unkept []recap.Record, words []string) []recap.Record {
	if len(unkept) == 0 {
		return found
	}
	words = store.SearchWords(words)
	now := make(map[recap.SessionRef]bool, len(unkept))
	for _, r := range unkept {
		now[r.Session] = true
	}
	found = slices.DeleteFunc(found, func(r recap.Record) bool { return now[r.Session] })
	for _, r := range unkept {
		text := store.SearchText(r)
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b recap.Record) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return found
}

// Why says which gates a recap of the session passes, with their values, and
// the last decisions about it.
func (e *Engine) Why(ctx context.Context, s recap.Session) ([]store.Gate, []store.Decision, error) {
	muted := e.muted(ctx)
	var gates []store.Gate
	add := func(name, value string, pass bool) {
		gates = append(gates, store.Gate{Name: name, Value: value, Pass: pass})
	}
	_, ok := e.source(s.Ref)
	add("source", e.cleanPath(s.Ref.Root), ok)
	add("excluded", yes(e.isExcluded(s)), !e.isExcluded(s))
	add("muted", yes(e.isMuted(muted, s)), !e.isMuted(muted, s))
	add("archived", yes(s.Archived), !s.Archived)
	add("subagent", yes(s.ParentID != ""), s.ParentID == "")
	add("reverted", yes(s.Reverted), !s.Reverted)
	add("state", string(s.State), s.State == recap.StateIdle)
	stored, err := e.o.Store.Record(ctx, s.Ref)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return gates, nil, &recap.Error{Code: recap.CodeStore, Message: "the store could not be read", Hint: "recap doctor", Err: err}
	}
	have := err == nil
	var d dialog.Dialog
	reads := !e.isExcluded(s) && ok
	if reads {
		d, _, err = e.read(ctx, s)
	}
	if have {
		add("stored record", stored.GeneratedAt.UTC().Format(time.RFC3339)+" "+string(stored.Source), true)
		// It is fresh while it answers the end of the session. The file may
		// have moved without it.
		fresh, known := e.isOf(stored, s), reads && err == nil
		fresh = fresh || known && stored.Fingerprint == d.Fingerprint()
		if fresh || known {
			add("stored record fresh", yes(fresh), fresh)
		} else {
			add("stored record fresh", "not known", false)
		}
	} else {
		add("stored record", "none", false)
	}
	switch {
	case !reads:
	case err != nil:
		add("transcript", string(recap.CodeOf(err)), false)
	default:
		add("transcript", "readable", true)
		add("newest record", string(d.End), d.End == dialog.EndComplete)
		add("model recap possible", orYes(d.NotReady), d.Ready)
	}
	choice, err := e.Choose(ctx, s, Ask{})
	if err != nil {
		add("model", "none, the free recap serves: "+recap.Line(err.Error()), false)
	} else {
		add("model", chosenText(choice), true)
	}
	decisions, err := e.o.Store.Decisions(ctx, s.Ref, 10)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return gates, nil, &recap.Error{Code: recap.CodeStore, Message: "the store could not be read", Hint: "recap doctor", Err: err}
	}
	return gates, decisions, nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func orYes(reason string) string {
	if reason == "" {
		return "yes"
	}
	return reason
}

// Forget removes our copies of the sessions that match and says how many.
func (e *Engine) Forget(ctx context.Context, w store.Which) (int, error) {
	w.Project = e.cleanPath(w.Project)
	n, err := e.o.Store.Forget(ctx, w)
	if err == nil {
		err = e.forgetWorktrees(ctx, w)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return n, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
	case err != nil:
		return n, &recap.Error{Code: recap.CodeStore, Message: "the store could not be changed", Hint: "recap doctor", Err: err}
	}
	return n, nil
}

// NewestStored gives the newest stored record with a recap of the project dir
// lies in, from the store alone: nothing of any agent is read. Where there is
// none the error is store.ErrNotFound.
func (e *Engine) NewestStored(ctx context.Context, dir string) (recap.Record, error) {
	project := e.cleanPath(e.projects.of(dir))
	if e.Excluded(dir) {
		return recap.Record{}, store.ErrNotFound
	}
	muted := e.muted(ctx)
	if _, ok := muted[project]; ok {
		return recap.Record{}, store.ErrNotFound
	}
	recs, err := e.newestOf(ctx, project, len(muted)+1)
	if err != nil {
		return recap.Record{}, err
	}
	for _, r := range recs {
		if s := e.sessionOf(r); !e.isMuted(muted, s) && !e.isExcluded(s) {
			return r, nil
		}
	}
	return recap.Record{}, store.ErrNotFound
}

// Remembered gives the sessions of all records that may be shown, newest first,
// from the store alone: nothing of any agent is read.
func (e *Engine) Remembered(ctx context.Context) ([]recap.Session, error) {
	recs, err := e.o.Store.Records(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := make([]recap.Session, 0, len(recs))
	for _, r := range recs {
		if s := e.sessionOf(r); !e.isExcluded(s) {
			out = append(out, e.cleanSession(s))
		}
	}
	return out, nil
}

// newestOf gives the newest n records of a project, cheaply where the store
// can.
func (e *Engine) newestOf(ctx context.Context, project string, n int) ([]recap.Record, error) {
	if x, ok := e.o.Store.(store.Newest); ok {
		return x.Newest(ctx, project, n)
	}
	recs, err := e.o.Store.Records(ctx, nil)
	if err != nil {
		return nil, err
	}
	recs = slices.DeleteFunc(recs, func(r recap.Record) bool { return r.Recap == "" || !e.inProject(e.sessionOf(r), project) })
	return recs[:min(n, len(recs))], nil
}

// Clean gives a session as it may be shown.
func (e *Engine) Clean(s recap.Session) recap.Session { return e.cleanSession(s) }

// CleanText makes one safe line of a text from outside, "" where its secrets
// can't be told from the rest.
func (e *Engine) CleanText(s string) string {
	t, err := e.clean(s)
	if err != nil {
		return ""
	}
	return t
}
