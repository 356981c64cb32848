package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/reply"
	"github.com/sessionrecap/recap/store"
)

// lease is how long a claim on a session lasts without renewal.
const lease = 30 * time.Second

// Waits between two calls of a local server that loads its model.
const (
	firstWait = time.Second
	longWait  = 8 * time.Second
)

// flights keeps one call a session in this process.
type flights struct {
	mu  sync.Mutex
	now map[recap.SessionRef]*flight
}

type flight struct {
	ask  Ask
	done chan struct{}
	res  Result
}

// serves reports whether the answer to f is one to a.
func (f *flight) serves(a Ask) bool {
	return f.ask.Model == a.Model && f.ask.OverBudget == a.OverBudget &&
		!slices.ContainsFunc(a.Fields, func(x recap.Field) bool { return !slices.Contains(f.ask.Fields, x) })
}

// join gives the call that runs for the session, or a new one that is the
// caller's to make.
func (fs *flights) join(ref recap.SessionRef, a Ask) (f *flight, mine bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f, ok := fs.now[ref]; ok {
		return f, false
	}
	f = &flight{ask: a, done: make(chan struct{})}
	if fs.now == nil {
		fs.now = map[recap.SessionRef]*flight{}
	}
	fs.now[ref] = f
	return f, true
}

func (fs *flights) leave(ref recap.SessionRef, f *flight) {
	fs.mu.Lock()
	delete(fs.now, ref)
	fs.mu.Unlock()
	close(f.done)
}

// AskModel makes a model recap. Whatever happens, the result holds the free
// recap, or the stored one while it is fresh; Err says why no model spoke.
//
// Two at once for one session make one call, in this process and over all that
// share the store. A caller that stops leaves the others their recap.
func (e *Engine) AskModel(ctx context.Context, s recap.Session, a Ask) Result {
	for {
		f, mine := e.flights.join(s.Ref, a)
		if mine {
			defer e.flights.leave(s.Ref, f)
			f.res = e.ask(ctx, s, a)
			return f.res
		}
		select {
		case <-f.done:
			if stopped := recap.CodeOf(f.res.Err) == recap.CodeCanceled; !stopped && f.serves(a) {
				return f.res
			}
		case <-ctx.Done():
			res := e.Recap(context.WithoutCancel(ctx), s)
			res.Err = &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
			return res
		}
	}
}

// ask makes the call of a flight.
func (e *Engine) ask(ctx context.Context, s recap.Session, a Ask) Result {
	// The free recap is made also when the person has stopped the call. A
	// background call that was ended writes nothing more.
	free := context.WithoutCancel(ctx)
	if a.Background {
		free = ctx
	}
	if a.Once || a.Background {
		e.heed(ctx)
		if res := e.Recap(free, s); res.Record != nil && res.Fresh && res.Record.Source == recap.FromModel {
			return res
		}
	}
	p := e.plan(ctx, s, a, true)
	defer p.ahead.end()
	gates := []store.Gate{gate("model", chosenText(p.Choice), p.Choice.Model != "")}
	if p.Err == nil && (a.Once || a.Background) {
		p.Err = e.backOff.refusal(p.Choice.Provider.ID, e.o.Now())
	}
	if p.Err != nil {
		return e.refuse(free, s, p.Err, gates)
	}
	claim := store.Claim{Session: s.Ref, Owner: e.asking().Owner, Fingerprint: p.print}
	if err := e.o.Store.Claim(ctx, claim, e.o.Now(), lease); err != nil {
		if errors.Is(err, store.ErrClaimed) {
			err = &recap.Error{Code: recap.CodeBusy, Message: "another recap of it is being made", Hint: "try again in a moment", Err: store.ErrClaimed}
		}
		return e.refuse(free, s, err, gates)
	}
	released := false
	defer func() {
		if !released {
			e.release(ctx, claim)
		}
	}()
	if a.Background {
		// Whoever held the claim until now may have answered the same tail.
		if res, done := e.answered(ctx, s, claim.Fingerprint); done {
			return res
		}
	}
	got, err := e.make(ctx, claim, p, a)
	for _, f := range a.Fields {
		if why := got.dropped[f]; why != "" {
			gates = append(gates, gate("field "+string(f), why, f == recap.FieldSuggestion && why == reply.WhyEmpty))
		}
	}
	if got.used.InputTokens+got.used.OutputTokens > 0 {
		gates = append(gates, gate("tokens", fmt.Sprintf("%d in, %d out", got.used.InputTokens, got.used.OutputTokens), true))
	}
	if a.Background {
		e.logCall(ctx, s, p, got, err)
	}
	if err == nil {
		err = ctx.Err()
	}
	failed := err
	if err == nil {
		s, err = e.again(ctx, s, p)
	}
	if err == nil && a.Still != nil {
		var wanted []recap.Field
		if wanted, err = a.Still(); err == nil {
			got.keepOnly(wanted)
		}
	}
	if err == nil && len(got.texts) > 0 {
		var res Result
		if res, err = e.accept(free, s, claim, p, got, gates); err == nil {
			released = res.Unkept == nil
			return res
		}
	}
	if a.Background {
		e.park(ctx, s.Ref, claim.Fingerprint, p.Choice.Provider.ID, failed, err)
	}
	if a.Background && recap.CodeOf(err) == recap.CodeBusy { // it went on: whatever is written now is of the past
		e.journalRefused(free, s.Ref, err, gates)
		return Result{Session: e.cleanSession(s), Err: err}
	}
	if err != nil {
		return e.refuse(free, s, err, gates)
	}
	e.journal(free, s.Ref, actionAsked, "", gates) // nothing was to be said, and that is an answer
	return e.Recap(free, s)
}

// release gives a claim up, also where the work on it was ended.
func (e *Engine) release(ctx context.Context, c store.Claim) {
	if err := e.o.Store.Release(context.WithoutCancel(ctx), c); err != nil {
		e.o.Log.WarnContext(ctx, "claim not released", "agent", c.Session.Agent, "session", c.Session.ID, "code", recap.CodeStore)
	}
}

// answered reports whether a tail needs no background call: a model's texts of
// it are stored, or it is parked.
func (e *Engine) answered(ctx context.Context, s recap.Session, fingerprint string) (Result, bool) {
	if r, err := e.o.Store.Record(ctx, s.Ref); err == nil && r.Source == recap.FromModel && r.Fingerprint == fingerprint {
		return e.Recap(ctx, s), true
	}
	if parked, err := e.o.Store.Mark(ctx, store.MarkParked, store.Scope(s.Ref)); err == nil && parked == fingerprint {
		return e.refuse(ctx, s, &recap.Error{
			Code: recap.CodeModelUnavailable, Message: "a model was asked about this end of the session before, and nothing came of it",
			Hint: "recap --model asks again",
		}, []store.Gate{gate("parked", "yes", false)}), true
	}
	return Result{}, false
}

// park notes that nothing came of a background call: no other is made before
// the session moves on. failed is the error of the call, err what came of it
// all: a session that went on is not parked, nor is a call that was not made.
func (e *Engine) park(ctx context.Context, ref recap.SessionRef, fingerprint, provider string, failed, err error) {
	switch {
	case ctx.Err() != nil, failed == nil && err != nil, recap.CodeOf(failed) == recap.CodeBudget, errors.Is(failed, store.ErrStale):
		return
	}
	if x, ok := errors.AsType[*llm.Error](failed); ok {
		e.backOff.hold(provider, x.Reset)
	}
	if err := e.o.Store.SetMark(ctx, store.MarkParked, store.Scope(ref), fingerprint); err != nil && ctx.Err() == nil {
		e.o.Log.WarnContext(ctx, "tail not parked", "agent", ref.Agent, "session", ref.ID, "code", recap.CodeStore)
	}
}

// logCall notes a background call: which model, what it used, never what it
// was about.
func (e *Engine) logCall(ctx context.Context, s recap.Session, p Plan, got said, err error) {
	code := recap.CodeOf(err)
	if err == nil {
		code = ""
	}
	e.o.Log.InfoContext(ctx, "background call", "agent", s.Ref.Agent, "session", s.Ref.ID, "provider", p.Choice.Provider.ID,
		"model", p.Choice.Model, "inputTokens", got.used.InputTokens, "outputTokens", got.used.OutputTokens, "code", code)
}

// backOff keeps for each provider the time before which it wants no further
// call.
type backOff struct {
	mu    sync.Mutex
	until map[string]time.Time
}

// longestHold is the longest that a provider's word is believed.
const longestHold = 24 * time.Hour

func (b *backOff) hold(provider string, until time.Time) {
	if until.IsZero() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until == nil {
		b.until = map[string]time.Time{}
	}
	if until.After(b.until[provider]) {
		b.until[provider] = until
	}
}

// refusal says that a provider wants no call yet.
func (b *backOff) refusal(provider string, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	until := b.until[provider]
	if until.IsZero() || !until.After(now) || until.Sub(now) > longestHold {
		return nil
	}
	return &llm.Error{Code: recap.CodeRateLimited, Provider: provider, Reset: until, Detail: "asked to wait until " + until.UTC().Format(time.RFC3339)}
}

// refuse gives the free recap, and says why it is that. Where the call was ended
// for a reason only that is said.
func (e *Engine) refuse(ctx context.Context, s recap.Session, err error, gates []store.Gate) Result {
	if why, ok := errors.AsType[*recap.Error](context.Cause(ctx)); ok {
		e.journalRefused(context.WithoutCancel(ctx), s.Ref, why, gates)
		return Result{Session: e.cleanSession(s), Err: why}
	}
	if errors.Is(err, context.Canceled) && recap.CodeOf(err) == recap.CodeInternal {
		err = &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: err}
	}
	res := e.Recap(ctx, s)
	if res.Err == nil || res.Record != nil {
		res.Err = err
	}
	e.journalRefused(ctx, s.Ref, err, gates)
	return res
}

// journalRefused notes why no model spoke.
func (e *Engine) journalRefused(ctx context.Context, ref recap.SessionRef, err error, gates []store.Gate) {
	why, rerr := e.clean(err.Error())
	if rerr != nil {
		why = string(recap.CodeOf(err))
	}
	e.journal(ctx, ref, actionRefused, recap.CodeOf(err), append(gates, gate("reason", why, false)))
}

func chosenText(c Choice) string {
	if c.Model == "" {
		return "none"
	}
	return c.Provider.ID + "/" + c.Model + " (" + c.Why + ")"
}

// make makes the call while it holds the claim, within the time of a call.
func (e *Engine) make(ctx context.Context, c store.Claim, p Plan, a Ask) (said, error) {
	limit := outbound.CallTimeout
	if a.Background {
		limit = outbound.BackgroundTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ctx, lost, stop := e.hold(ctx, c)
	defer stop()
	p.settling = new(sync.WaitGroup)
	defer p.settling.Wait()
	got, err := e.generate(ctx, p, a)
	if err != nil && lost() {
		err = taken()
	}
	return got, err
}

func taken() error {
	return &recap.Error{Code: recap.CodeBusy, Message: "another recap of it was begun meanwhile", Hint: "try again in a moment"}
}

// hold renews a claim until it is stopped, and ends the context where the claim
// was lost.
func (e *Engine) hold(ctx context.Context, c store.Claim) (held context.Context, lost func() bool, stop func()) {
	held, cancel := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-held.Done():
				return
			case <-tick.C:
			}
			if err := e.o.Store.Renew(held, c, e.o.Now(), lease); errors.Is(err, store.ErrStale) {
				cancel(store.ErrStale)
				return
			}
		}
	})
	lost = func() bool { return errors.Is(context.Cause(held), store.ErrStale) }
	return held, lost, func() {
		cancel(nil)
		wg.Wait()
	}
}

// generate makes the call, and once more where the language was wrong, and
// holds what came to the guards.
func (e *Engine) generate(ctx context.Context, p Plan, a Ask) (said, error) {
	got := said{texts: map[recap.Field]string{}, dropped: map[recap.Field]string{}}
	wrong, err := e.attempt(ctx, p, a, &got)
	if err != nil {
		return got, err
	}
	lang := ""
	if len(wrong) > 0 {
		lang = e.missed(p)
	}
	if lang != "" {
		again := a
		again.Fields = wrong // what was right stays as it is
		if err := p.fill(e, again, lang); err == nil {
			_, err = e.attempt(ctx, p, again, &got)
			if err != nil && len(got.texts) == 0 {
				return got, err
			}
		}
	}
	e.guard(p, a, &got)
	if len(got.texts) == 0 && slices.ContainsFunc(a.Fields, func(f recap.Field) bool {
		return f != recap.FieldSuggestion || got.dropped[f] != reply.WhyEmpty
	}) {
		return got, &llm.Error{Code: recap.CodeGuarded, Provider: p.Choice.Provider.ID, Status: http.StatusOK, Detail: reasons(got.dropped)}
	}
	return got, nil
}

// missed is the language that a field must be in, "" where it is not known.
func (e *Engine) missed(p Plan) string {
	if l := e.asking().Language; l != "" {
		return l
	}
	return language.Target(p.sample).Lang
}

// attempt makes one call, and notes the fields that came in the right language.
// It gives those that did not.
func (e *Engine) attempt(ctx context.Context, p Plan, a Ask, got *said) (wrong []recap.Field, err error) {
	res, err := e.send(ctx, e.call(p, a))
	got.used = addUsage(got.used, res.Usage, p.price)
	if err != nil {
		return nil, err
	}
	r, err := reply.Parse(res.Text, a.Fields)
	if err != nil { // the provider answered, and this is what it said
		return nil, &llm.Error{Code: recap.CodeOf(err), Provider: p.Choice.Provider.ID, Status: http.StatusOK, Detail: err.Error(), Err: err}
	}
	expect := p.ahead.expect()
	for _, f := range a.Fields {
		t := r.Texts[f]
		if t == "" {
			got.dropped[f] = r.Dropped[f]
			continue
		}
		if ok, why := expect.Agree(t); !ok {
			got.dropped[f] = "language: " + why
			wrong = append(wrong, f)
			continue
		}
		delete(got.dropped, f)
		got.texts[f] = t
	}
	return wrong, nil
}

// send makes the call. Only a server of the person's own that still loads the
// model is asked again, until the time of the call is over, and once more one
// that does not take the form of the reply in the request, or its limits. Each time is a call
// of its own: booked, logged and held to the caps.
func (e *Engine) send(ctx context.Context, c outbound.Call) (llm.Response, error) {
	c.Provider.PlainJSON = c.Provider.PlainJSON || e.plain.has(c.Provider.BaseURL)
	c.Provider.NewLimits = c.Provider.NewLimits || e.limits.has(c.Provider.BaseURL)
	for wait := firstWait; ; wait = min(2*wait, longWait) {
		res, err := e.asking().Sender.Send(ctx, c)
		failed, ok := errors.AsType[*llm.Error](err)
		if ok && failed.Form && !c.Provider.PlainJSON {
			e.plain.note(c.Provider.BaseURL)
			c.Provider.PlainJSON = true
			continue
		}
		if ok && failed.Limits && !c.Provider.NewLimits {
			e.limits.note(c.Provider.BaseURL)
			c.Provider.NewLimits = true
			continue
		}
		if !ok || !failed.Loading || !local(c.Provider.BaseURL) {
			return res, err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return res, err
		}
		again := time.NewTimer(wait)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			if errors.Is(ctx.Err(), context.Canceled) {
				err = &llm.Error{Code: recap.CodeCanceled, Provider: c.Provider.ID, Err: ctx.Err()}
			}
			return res, err
		}
	}
}

// again looks at the session once more, now that the model has spoken: what it
// said must still be an answer to it. Reading takes its time, so whether the
// session may have a recap is asked before it and after it.
func (e *Engine) again(ctx context.Context, s recap.Session, p Plan) (recap.Session, error) {
	now, err := e.stillThere(ctx, s)
	if err != nil {
		return s, err
	}
	d, _, err := e.raw(ctx, now, p.cleaner)
	switch {
	case err != nil:
		return s, err
	case d.Fingerprint() != p.raw:
		return now, moved("went on")
	}
	if now, err = e.stillThere(ctx, s); err != nil {
		return s, err
	}
	return now, mayAsk(now, d)
}

// stillThere gives the session as it is listed now, where it may have a recap.
func (e *Engine) stillThere(ctx context.Context, s recap.Session) (recap.Session, error) {
	now, err := e.lookUp(ctx, s.Ref)
	switch {
	case recap.CodeOf(err) == recap.CodeCanceled:
		return s, err
	case err != nil && e.isExcluded(s):
		return s, excluded()
	case recap.CodeOf(err) == recap.CodeSessionNotFound:
		return s, moved("was removed")
	case err != nil:
		return s, moved("could not be found again")
	}
	if err := e.barred(ctx, now); err != nil {
		return s, err
	}
	if now.Directory != s.Directory {
		return s, moved("moved to another directory")
	}
	if now.State == recap.StateBusy {
		return s, moved("went on")
	}
	return now, nil
}

func moved(how string) error {
	return &recap.Error{Code: recap.CodeBusy, Message: "the session " + how + " meanwhile, so the model's recap is not used"}
}

// accept stores what the model said over the free recap, with the decision, and
// gives the claim up: all in one step.
func (e *Engine) accept(ctx context.Context, s recap.Session, c store.Claim, p Plan, got said, gates []store.Gate) (Result, error) {
	r := p.ahead.free(e, s, p) // it is clean
	made := recap.Record{
		Session: r.Session, Recap: got.texts[recap.FieldRecap], Away: got.texts[recap.FieldAway],
		Digest: got.texts[recap.FieldDigest], Suggestion: got.texts[recap.FieldSuggestion], Receipts: got.receipts,
	}
	e.scrubRecord(&made)
	for f, dst := range map[recap.Field]*string{
		recap.FieldRecap: &r.Recap, recap.FieldAway: &r.Away, recap.FieldDigest: &r.Digest, recap.FieldSuggestion: &r.Suggestion,
	} {
		if got.texts[f] != "" {
			*dst = made.Text(f)
			r.FieldSources[f] = recap.FromModel
			r.Receipts = slices.DeleteFunc(r.Receipts, func(x recap.Receipt) bool { return x.Field == f })
		}
	}
	r.Receipts = append(r.Receipts, made.Receipts...)
	r.Source = recap.FromModel
	r.Model = &recap.ModelRef{Provider: p.Choice.Provider.ID, ID: p.Choice.Model}
	r.Usage = &got.used
	unkept, err := e.putModel(ctx, r, c, e.decision(s.Ref, actionAsked, "", gates))
	if err != nil {
		return Result{}, err
	}
	res := Result{Session: e.cleanSession(s), Unkept: unkept}
	res.show(r, true)
	return res, nil
}

// putModel stores a model's record while the claim holds, over whatever free
// recap was stored meanwhile, unless that is of a newer state of the session. A
// store that can't be written is no reason not to show it: unkept says so, and
// the claim is still held.
func (e *Engine) putModel(ctx context.Context, r recap.Record, c store.Claim, d store.Decision) (unkept, err error) {
	err = e.o.Store.Put(ctx, r, store.Condition{Claim: &c, Newest: true, Release: true, Decision: &d})
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, store.ErrNewer):
		return nil, moved("went on")
	case errors.Is(err, store.ErrStale):
		return nil, taken()
	case ctx.Err() != nil:
		return nil, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
	}
	e.o.Log.WarnContext(ctx, "record not stored", "agent", r.Session.Agent, "session", r.Session.ID, "code", recap.CodeStore, "error", err.Error())
	e.o.Unkept(err)
	e.decide(ctx, d)
	return err, nil
}
