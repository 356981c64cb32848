package engine

import (
	"context"
	"strings"
	"sync"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/dialog"
	"github.com/sessionrecap/recap/evidence"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/prompt"
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
	// Owner names this process for claims. No two processes have the same.
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
	// Background calls are made by nobody's wish: the caps bind them always.
	Background bool
	// Once: nobody asked for this call by name. What a model wrote of the same
	// end of the session serves, and a provider that rests is left alone: then no
	// call is made. It holds for every background call.
	Once bool
	// Still, if not nil, is asked right before what the model said is stored:
	// only these of the fields are kept. Its error says why nothing is.
	Still func() ([]recap.Field, error)
}

// Plan is a model call that could be made: who would be asked, why, what
// would leave, and what it would cost.
type Plan struct {
	Session recap.Session
	Choice  Choice
	// Prompt is what would leave, secrets replaced.
	Prompt prompt.Prompt
	// Estimate is what the call is booked at: the tokens in, the most that may
	// come out, and the price, nil where that is unknown.
	Estimate recap.Usage
	// Local: a server on the person's own machine or network that asks for no
	// key. Its price is 0.
	Local bool
	// Redactions counts the secrets that were replaced in what would leave.
	Redactions int
	// Err says why it would be refused, nil where it may be made.
	Err error

	price   func(recap.Usage) *float64
	session recap.Session // as it was listed
	dialog  dialog.Dialog
	raw     string   // fingerprint of the dialog before it was cleaned
	print   string   // fingerprint of the clean one
	sample  []string // what the person wrote, for the language
	ahead   *ahead
	cleaner *cleaner
	// settling are the calls that are still being settled.
	settling *sync.WaitGroup
}

// sampleChars is how much of a message of the person's tells its language, as
// in the prompt.
const sampleChars = 1200

// Plan prepares a call and makes none. The plan is whole as far as it goes;
// its Err says what stands in the way, a cap too, as the ledger stands now.
func (e *Engine) Plan(ctx context.Context, s recap.Session, a Ask) Plan {
	p := e.plan(ctx, s, a, false)
	// Outbound looks at the whole prompt once more; what it would replace is
	// replaced here too, so that a dry run shows the bytes that leave.
	clean, err := e.redact(p.Prompt.User)
	if err != nil {
		p.Prompt = prompt.Prompt{}
		if p.Err == nil {
			p.Err = err
		}
	}
	p.Prompt.User, p.Redactions = clean, redacted(clean)
	if p.Err == nil {
		if k, ok := e.asking().Sender.(outbound.Checker); ok {
			p.Err = k.Check(ctx, e.call(p, a))
		}
	}
	return p
}

// redacted counts the marks of replaced secrets.
func redacted(s string) int { return strings.Count(s, "[redacted:") }

// excluded says that nothing of a session may be read.
func excluded() error {
	return &recap.Error{Code: recap.CodeExcluded, Message: "its directory is excluded (privacy.exclude, or off in its " + projectFile + ")"}
}

// barred says that the person wants no recap of the session.
func (e *Engine) barred(ctx context.Context, s recap.Session) error {
	return e.barredBy(e.muted(ctx), s)
}

// barredBy is barred where the mutes are known.
func (e *Engine) barredBy(muted map[string]string, s recap.Session) error {
	if e.isExcluded(s) {
		return excluded()
	}
	if which := e.muteOf(muted, s); which != notMuted {
		return &recap.Error{Code: recap.CodeMuted, Message: "recaps are muted for " + which.what(), Hint: which.lift(s)}
	}
	return nil
}

// plan prepares a call. What a reply will be held to is read beside that where
// one is expected: who asked for it waits for the end of ahead.
func (e *Engine) plan(ctx context.Context, s recap.Session, a Ask, expected bool) Plan {
	p := Plan{Session: e.cleanSession(s), session: s}
	if p.Err = e.barred(ctx, s); p.Err != nil {
		return p
	}
	p.cleaner = e.cleaner()
	d, _, err := e.raw(ctx, s, p.cleaner)
	if err == nil {
		p.raw = d.Fingerprint()
		p.print = p.raw
		var changed bool
		if changed, err = e.cleanDialog(&d, p.cleaner); changed {
			p.print = d.Fingerprint()
		}
	}
	if err != nil {
		p.Err = err
		return p
	}
	p.dialog = d
	for _, t := range d.Sample() {
		p.sample = append(p.sample, prompt.Excerpt(t, sampleChars))
	}
	p.ahead = newAhead(evidence.Input{Session: p.Session, Turns: d.Turns, End: string(d.End), Failure: d.Failure, Last: d.Last, Now: e.o.Now()})
	p.Err = mayAsk(s, d)
	choice, err := e.Choose(ctx, s, a)
	p.Choice = choice
	if err != nil {
		if p.Err == nil {
			p.Err = err
		}
		return p
	}
	if p.Err == nil && expected {
		p.ahead.begin(e, p)
	}
	if err := p.fill(e, a, ""); err != nil && p.Err == nil {
		p.Err = err
	}
	return p
}

// mayAsk is the rule of when a model recap may be made at all.
func mayAsk(s recap.Session, d dialog.Dialog) error {
	switch {
	case d.End == dialog.EndEmpty || len(d.Turns) == 0:
		return nothing(d.Last, nil)
	case s.State == recap.StateBusy:
		return &recap.Error{Code: recap.CodeBusy, Message: "the agent works on it right now", Hint: "ask again when it is done; the free recap is marked working"}
	case s.ParentID != "":
		return &recap.Error{Code: recap.CodeNotEnough, Message: "it is a subagent's session"}
	case s.Archived:
		return &recap.Error{Code: recap.CodeNotEnough, Message: "it is archived"}
	case s.Reverted:
		return &recap.Error{Code: recap.CodeNotEnough, Message: "it was taken back to an earlier point"}
	case d.End == dialog.EndComplete && d.NotReady == string(dialog.EndSummary):
		return &recap.Error{Code: recap.CodeNotEnough, Message: "it was compacted after its last answer", Hint: "the free recap has that answer; a model is asked again when the session goes on"}
	case !d.Ready:
		return &recap.Error{Code: recap.CodeNotEnough, Message: "there is no complete answer to recap (" + d.NotReady + ")"}
	}
	return nil
}

// Choose finds the model that would be asked about a session. Of a session that
// is excluded nothing is read, its project's settings neither.
func (e *Engine) Choose(ctx context.Context, s recap.Session, a Ask) (Choice, error) {
	if e.isExcluded(s) {
		return Choice{}, excluded()
	}
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
			c.SessionBarred, c.AgentSmallBarred, c.AgentSmallByProject = ms.SessionBarred, ms.SmallBarred, ms.SmallByProject
			if ms.Session.ID != "" {
				c.Session = ms.Session
			}
			if len(ms.Problems) > 0 {
				c.Unread = ms.Problems[0].Path
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

// fill builds the prompt and the estimate of a plan. retry is the language that
// was missed by the reply before.
func (p *Plan) fill(e *Engine, a Ask, retry string) error {
	known, provider := p.Choice.Known, p.Choice.Provider
	out := prompt.MaxOutput(a.Fields, known.Reasons)
	built, err := prompt.Build(prompt.Input{
		Turns: p.dialog.Turns, Fields: a.Fields, Statuses: p.ahead.statuses,
		WaitingFor: p.Session.WaitingFor, Sample: p.dialog.Sample(), Language: e.asking().Language, RetryLanguage: retry,
		Model: prompt.Allowance{ContextTokens: known.Context, OutputTokens: out},
	})
	if err != nil {
		return err
	}
	built.MaxOutput = out
	p.Prompt = built
	p.Redactions = redacted(built.User)
	p.Local = provider.Keyless && local(provider.BaseURL) && !signed(provider.Headers)
	switch {
	case p.Local:
		p.price = func(recap.Usage) *float64 { return new(float64) }
	case known.Priced:
		p.price = func(u recap.Usage) *float64 { return llm.Price(known, u) }
	}
	p.Estimate = outbound.Estimate(p.request())
	if p.price != nil {
		p.Estimate.CostUSD = p.price(p.Estimate)
	}
	return nil
}

// request is what the model is sent.
func (p *Plan) request() llm.Request {
	return llm.Request{
		Model: p.Choice.Model, System: p.Prompt.System, Prompt: p.Prompt.User, MaxOutput: p.Prompt.MaxOutput,
		Temperature: p.Prompt.Temperature, Fields: fieldNames(p.Prompt.Fields), Session: p.Session.Ref.ID,
		Reasons: p.Choice.Known.Reasons,
	}
}

func fieldNames(fields []recap.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	return out
}

func (e *Engine) call(p Plan, a Ask) outbound.Call {
	return outbound.Call{
		Request: p.request(), Provider: p.Choice.Provider, Session: p.Session.Ref, Fields: a.Fields, Background: a.Background,
		OverBudget: a.OverBudget, Permitted: p.Err == nil, Price: p.price, Day: e.o.Now(), Settling: p.settling,
	}
}
