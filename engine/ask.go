package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/prompt"
	"github.com/sessionrecap/recap/reply"
	"github.com/sessionrecap/recap/store"
)

// Asking is what the engine needs to ask a model. Without it no model is ever
// asked.
type Asking struct {
	Sender    outbound.Sender
	Catalogue Catalogue
	// Own are the providers of recap's own settings.
	Own []llm.Provider
	// Env reads the environment, for the agents' configurations.
	Env func(string) string
	// Logins are providers with a key in the environment.
	Logins []llm.Provider
	// Override is model.override.
	Override recap.ModelRef
	// AllowCross is model.allow_cross_provider.
	AllowCross bool
	// Language is a stated preference, "" to follow the person.
	Language string
	// Owner names this process for claims.
	Owner string
}

// Ask says what a model is asked for.
type Ask struct {
	// Fields that are wanted.
	Fields []recap.Field
	// Model is the one named for this call, zero for none.
	Model recap.ModelRef
	// OverBudget lets a manual call go beyond a cap.
	OverBudget bool
	// Background calls count against the caps and are made by nobody's wish.
	Background bool
}

// Plan is a model call that could be made: who would be asked, why, what
// would leave, and what it would cost.
type Plan struct {
	Session recap.Session
	Choice  Choice
	Prompt  prompt.Prompt
	// CostUSD is the estimate, nil where the price is unknown.
	CostUSD *float64
	// Redactions counts the secrets that were replaced in what would leave.
	Redactions int
	// Err says why it would be refused, nil where it may be made.
	Err error

	price  func(recap.Usage) *float64
	dialog dialog.Dialog
	input  evidence.Input
}

// lease is how long a claim on a session lasts without renewal.
const lease = 30 * time.Second

// Plan prepares a call and makes none. The plan is whole as far as it goes;
// its Err says what stands in the way.
func (e *Engine) Plan(ctx context.Context, s recap.Session, a Ask) Plan {
	p := Plan{Session: e.cleanSession(s)}
	if e.isExcluded(s) {
		p.Err = &recap.Error{Code: recap.CodeExcluded, Message: "its directory is excluded (privacy.exclude, or off in its " + projectFile + ")"}
		return p
	}
	if which := e.muteOf(e.muted(ctx), s); which != notMuted {
		p.Err = &recap.Error{Code: recap.CodeMuted, Message: "recaps are muted for " + which.what(), Hint: which.lift(s)}
		return p
	}
	d, _, err := e.read(ctx, s)
	if err != nil {
		p.Err = err
		return p
	}
	p.dialog = d
	p.input = evidence.Input{Session: p.Session, Turns: d.Turns, End: string(d.End), Failure: d.Failure, Last: d.Last, Now: e.o.Now()}
	if err := mayAsk(s, d); err != nil {
		p.Err = err
	}
	choice, err := e.Choose(ctx, s, a)
	p.Choice = choice
	if err != nil {
		if p.Err == nil {
			p.Err = err
		}
		return p
	}
	p.fill(e, a, "")
	return p
}

// mayAsk is the rule of when a model recap may be made at all.
func mayAsk(s recap.Session, d dialog.Dialog) error {
	switch {
	case d.End == dialog.EndEmpty || len(d.Turns) == 0:
		return &recap.Error{Code: recap.CodeNothing, Message: "nothing was asked in it yet"}
	case s.State == recap.StateBusy:
		return &recap.Error{Code: recap.CodeBusy, Message: "the agent works on it right now", Hint: "the free recap is marked working"}
	case s.ParentID != "":
		return &recap.Error{Code: recap.CodeNothing, Message: "it is a subagent's session"}
	case s.Archived:
		return &recap.Error{Code: recap.CodeNothing, Message: "it is archived"}
	case s.Reverted:
		return &recap.Error{Code: recap.CodeNothing, Message: "it was taken back to an earlier point"}
	case !d.Ready:
		return &recap.Error{Code: recap.CodeNotEnough, Message: "there is no complete answer to recap (" + d.NotReady + ")"}
	}
	return nil
}

// Choose finds the model that would be asked about a session.
func (e *Engine) Choose(ctx context.Context, s recap.Session, a Ask) (Choice, error) {
	k := e.asking()
	if k == nil || k.Sender == nil {
		return Choice{}, &recap.Error{Code: recap.CodeNoModel, Message: llm.Words(recap.CodeNoModel), Hint: "recap doctor"}
	}
	c := Candidates{Explicit: a.Model, Override: k.Override, Session: s.Model, AllowCross: k.AllowCross, Catalogue: k.Catalogue}
	var agents []llm.Provider
	if src, ok := e.source(s.Ref); ok {
		if m, ok := src.(agent.Modeler); ok {
			ms, err := m.Models(ctx, s, k.Env)
			if err != nil {
				return Choice{}, err
			}
			c.AgentSmall, c.AgentSmallOrigin = ms.Small, ms.SmallOrigin
			if ms.Session.ID != "" {
				c.Session = ms.Session
			}
			agents = AgentProviders(ms.Providers)
			for i := range agents {
				agents[i].Origin = s.Ref.Agent.DisplayName() + ": " + agents[i].Origin
			}
		}
	}
	c.Providers = MergeProviders(k.Own, agents, k.Logins)
	return Resolve(c)
}

// fill builds the prompt and the estimate of a plan.
func (p *Plan) fill(e *Engine, a Ask, retry string) {
	k := e.asking()
	known := p.Choice.Known
	out := prompt.MaxOutput(a.Fields, known.Reasons)
	statuses := evidence.Statuses(evidence.Collect(p.dialog.Turns), p.input)
	built, err := prompt.Build(prompt.Input{
		Turns: p.dialog.Turns, Fields: a.Fields, Statuses: statuses, WaitingFor: p.Session.WaitingFor, Sample: p.dialog.Sample(),
		Language: k.Language, RetryLanguage: retry, Model: prompt.Allowance{ContextTokens: known.Context, OutputTokens: out},
	})
	if err != nil {
		if p.Err == nil {
			p.Err = err
		}
		return
	}
	built.MaxOutput = out
	p.Prompt = built
	p.Redactions = strings.Count(built.User, "[redacted:")
	if known.Priced {
		p.price = func(u recap.Usage) *float64 { return llm.Price(known, u) }
	}
	p.CostUSD = llm.Price(known, recap.Usage{InputTokens: built.InputTokens, OutputTokens: int64(out)})
}

// flights keeps one call a session in this process.
type flights struct {
	mu  sync.Mutex
	now map[recap.SessionRef]*flight
}

type flight struct {
	done chan struct{}
	res  Result
}

// AskModel makes a model recap. Whatever happens, the result holds the free
// recap, or the stored one while it is fresh; Err says why no model spoke.
// Two at once for one session make one call.
func (e *Engine) AskModel(ctx context.Context, s recap.Session, a Ask) Result {
	e.flights.mu.Lock()
	if f, ok := e.flights.now[s.Ref]; ok {
		e.flights.mu.Unlock()
		select {
		case <-f.done:
			return f.res
		case <-ctx.Done():
			res := e.Recap(context.WithoutCancel(ctx), s)
			res.Err = &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: ctx.Err()}
			return res
		}
	}
	f := &flight{done: make(chan struct{})}
	if e.flights.now == nil {
		e.flights.now = map[recap.SessionRef]*flight{}
	}
	e.flights.now[s.Ref] = f
	e.flights.mu.Unlock()
	defer func() {
		e.flights.mu.Lock()
		delete(e.flights.now, s.Ref)
		e.flights.mu.Unlock()
		close(f.done)
	}()
	f.res = e.ask(ctx, s, a)
	return f.res
}

func (e *Engine) ask(ctx context.Context, s recap.Session, a Ask) Result {
	refuse := func(err error, gates ...store.Gate) Result {
		// The free recap is made also when the person has stopped the call.
		free := context.WithoutCancel(ctx)
		res := e.Recap(free, s)
		if recap.CodeOf(res.Err) == "" || res.Record != nil {
			res.Err = err
		}
		e.journal(free, s.Ref, actionRefused, recap.CodeOf(err), gates)
		return res
	}
	p := e.Plan(ctx, s, a)
	chosen := gate("model", chosenText(p.Choice), p.Err == nil)
	if p.Err != nil {
		return refuse(p.Err, chosen)
	}
	claim := store.Claim{Session: s.Ref, Owner: e.asking().Owner, Fingerprint: p.dialog.Fingerprint()}
	if err := e.o.Store.Claim(ctx, claim, e.o.Now(), lease); err != nil {
		if errors.Is(err, store.ErrClaimed) {
			err = &recap.Error{Code: recap.CodeBusy, Message: "another recap of it is being made", Hint: "try again in a moment"}
		}
		return refuse(err, chosen, gate("claim", "held by another", false))
	}
	free := context.WithoutCancel(ctx)
	defer func() {
		if err := e.o.Store.Release(free, claim); err != nil {
			e.o.Log.Warn("claim not released", "session", s.Ref.ID, "code", recap.CodeStore)
		}
	}()
	texts, used, receipts, dropped, err := e.generate(ctx, p, a)
	gates := []store.Gate{chosen}
	for _, f := range a.Fields {
		if why := dropped[f]; why != "" {
			gates = append(gates, gate("field "+string(f), why, false))
		}
	}
	if err != nil {
		return refuse(err, gates...)
	}
	return e.accept(free, s, p, texts, used, receipts, gates)
}

func chosenText(c Choice) string {
	if c.Model == "" {
		return "none"
	}
	return c.Provider.ID + "/" + c.Model + " (" + c.Why + ")"
}

// generate makes the call, and once more where the language was wrong, and
// holds what came to the guards.
func (e *Engine) generate(ctx context.Context, p Plan, a Ask) (texts map[recap.Field]string, used recap.Usage, receipts []recap.Receipt, dropped map[recap.Field]string, err error) {
	dropped = map[recap.Field]string{}
	k := e.asking()
	retry := ""
	for attempt := range 2 {
		if retry != "" {
			p.fill(e, a, retry)
		}
		res, err := k.Sender.Send(ctx, e.call(p, a))
		if err != nil {
			if attempt > 0 && len(texts) > 0 {
				break // the first reply had something that may stand
			}
			return nil, used, nil, dropped, err
		}
		used = addUsage(used, res.Usage, p.price)
		said, err := reply.Parse(res.Text, a.Fields)
		if err != nil {
			return nil, used, nil, dropped, err
		}
		for f, why := range said.Dropped {
			dropped[f] = why
		}
		wrong := false
		texts = map[recap.Field]string{}
		sample := p.dialog.Sample()
		for _, f := range a.Fields {
			t := said.Texts[f]
			if t == "" {
				continue
			}
			if ok, why := language.Agree(t, sample, k.Language); !ok {
				wrong, dropped[f] = true, "language: "+why
				continue
			}
			texts[f] = t
		}
		if !wrong || attempt > 0 {
			break
		}
		retry = k.Language
		if retry == "" {
			retry = language.Target(sample).Lang
		}
		if retry == "" {
			break
		}
	}
	facts := p.input
	for _, f := range a.Fields {
		t := texts[f]
		if t == "" {
			continue
		}
		kept, drops, rs := evidence.Check(f, t, facts)
		for _, d := range drops {
			dropped[f] = d.Why
		}
		if f == recap.FieldSuggestion && kept != "" {
			if ok, why := reply.Decision(kept, questions(p)); !ok {
				kept, dropped[f] = "", why
			}
			if len(drops) > 0 { // half of a message is not the message
				kept = ""
			}
		}
		if kept == "" {
			delete(texts, f)
			continue
		}
		texts[f] = kept
		receipts = append(receipts, rs...)
	}
	wanted := slices.DeleteFunc(slices.Clone(a.Fields), func(f recap.Field) bool { return f == recap.FieldSuggestion })
	if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(f recap.Field) bool { return texts[f] != "" }) {
		return nil, used, nil, dropped, &llm.Error{Code: recap.CodeGuarded, Provider: p.Choice.Provider.ID, Detail: reasons(dropped)}
	}
	return texts, used, receipts, dropped, nil
}

func reasons(dropped map[recap.Field]string) string {
	var out []string
	for _, f := range []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldDigest, recap.FieldSuggestion} {
		if why := dropped[f]; why != "" {
			out = append(out, fmt.Sprintf("%s: %s", f, why))
		}
	}
	return strings.Join(out, "; ")
}

// questions are what the agent asked the person in the newest turn.
func questions(p Plan) []string {
	f := evidence.Collect(p.dialog.Turns)
	out := slices.Clone(f.Questions)
	if n := len(p.dialog.Turns); n > 0 {
		for _, s := range language.Sentences(p.dialog.Turns[n-1].Answer) {
			if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟") {
				out = append(out, s)
			}
		}
	}
	return out
}

func (e *Engine) call(p Plan, a Ask) outbound.Call {
	return outbound.Call{
		Request: llm.Request{
			Model: p.Choice.Model, System: p.Prompt.System, Prompt: p.Prompt.User, MaxOutput: p.Prompt.MaxOutput,
			Temperature: p.Prompt.Temperature, Fields: fieldNames(p.Prompt.Fields), Session: p.Session.Ref.ID,
			Reasons: p.Choice.Known.Reasons,
		},
		Provider: p.Choice.Provider, Session: p.Session.Ref, Fields: a.Fields, Background: a.Background, OverBudget: a.OverBudget,
		Permitted: p.Err == nil, Price: p.price, Day: e.o.Now(),
	}
}

func fieldNames(fields []recap.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	return out
}

func addUsage(a, b recap.Usage, price func(recap.Usage) *float64) recap.Usage {
	a.InputTokens += b.InputTokens
	a.OutputTokens += b.OutputTokens
	a.CachedTokens += b.CachedTokens
	a.CostUSD = nil
	if price != nil {
		a.CostUSD = price(a)
	}
	return a
}

// accept looks whether the session is still as it was, and stores the record.
func (e *Engine) accept(ctx context.Context, s recap.Session, p Plan, texts map[recap.Field]string, used recap.Usage, receipts []recap.Receipt, gates []store.Gate) Result {
	res := Result{Session: p.Session}
	now, err := e.again(ctx, s)
	if err == nil && now.Fingerprint() != p.dialog.Fingerprint() {
		err = &recap.Error{Code: recap.CodeBusy, Message: "the session went on meanwhile, so the model's recap is not used"}
	}
	if err != nil {
		res = e.Recap(ctx, s)
		res.Err = err
		e.journal(ctx, s.Ref, actionRefused, recap.CodeOf(err), append(gates, gate("still the same", "no", false)))
		return res
	}
	r := e.compose(s, p.dialog)
	for f, dst := range map[recap.Field]*string{
		recap.FieldRecap: &r.Recap, recap.FieldAway: &r.Away, recap.FieldDigest: &r.Digest, recap.FieldSuggestion: &r.Suggestion,
	} {
		if t := texts[f]; t != "" {
			*dst = t
			r.FieldSources[f] = recap.FromModel
			r.Receipts = slices.DeleteFunc(r.Receipts, func(x recap.Receipt) bool { return x.Field == f })
		}
	}
	r.Receipts = append(r.Receipts, receipts...)
	r.Source = recap.FromModel
	r.Model = &recap.ModelRef{Provider: p.Choice.Provider.ID, ID: p.Choice.Model}
	r.Usage = &used
	stored, err := e.o.Store.Record(ctx, s.Ref)
	e.keep(ctx, r, stored.Fingerprint, err == nil)
	e.journal(ctx, s.Ref, actionAsked, "", append(gates, gate("still the same", "yes", true)))
	res.show(r, true)
	return res
}

// again reads the end of the session once more.
func (e *Engine) again(ctx context.Context, s recap.Session) (dialog.Dialog, error) {
	d, _, err := e.read(ctx, s)
	return d, err
}
