package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/anthropic"
	"github.com/sessionrecap/recap/llm/gemini"
	"github.com/sessionrecap/recap/llm/openai"
	"github.com/sessionrecap/recap/llm/wire"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// clients gives the client for a provider's protocol, through the proxy of the
// environment.
func clients(proxy config.Proxy) func(llm.Provider) (llm.Client, error) {
	hc := wire.NewHTTP(proxy.For)
	return func(p llm.Provider) (llm.Client, error) { return client(p, hc) }
}

func client(p llm.Provider, hc *http.Client) (llm.Client, error) {
	switch p.Protocol {
	case llm.OpenAI:
		return openai.New(p, hc), nil
	case llm.Anthropic:
		return anthropic.New(p, hc), nil
	case llm.Gemini:
		return gemini.New(p, hc), nil
	}
	return nil, &llm.Error{Code: recap.CodeProviderUnsupported, Provider: p.ID}
}

// asking wires what a model call needs.
func (a *app) asking(st store.Store) *engine.Asking {
	catalogue, cfg := llm.Catalogue(), a.settings()
	var plain func(string) (string, int, error) // package redact
	if !cfg.Bool("privacy.redact") {
		plain = func(s string) (string, int, error) { return s, 0, nil }
	}
	k := &engine.Asking{
		Sender: engine.Resting(outbound.New(outbound.Options{
			Client: clients(cfg.Proxy()), Ledger: st, Now: a.s.Now, Log: a.logger(), Redact: plain,
			Caps: store.Caps{
				DayTokens: int64(cfg.Limit("budget.daily_tokens")), DayUSD: cfg.Limit("budget.daily_usd"),
				SessionTokens: int64(cfg.Limit("budget.session_tokens")),
			},
		}), st, a.s.Now, a.logger()),
		Catalogue: catalogue, Env: cfg.Env, Override: recap.ParseModelRef(cfg.Text("model.override")),
		AllowCross: cfg.Bool("model.allow_cross_provider"), Owner: a.owner(),
	}
	if l := cfg.Text("language"); l != "auto" {
		k.Language = language.Tag(l)
		if k.Language == "" {
			k.Language = l
		}
	}
	for _, p := range cfg.Providers() {
		known, _ := catalogue.Provider(p.Name)
		q := llm.Provider{
			ID: p.Name, Protocol: llm.Protocol(p.Protocol), BaseURL: p.BaseURL, Key: llm.NewKey(p.Key), Headers: p.Headers,
			SessionHeader: p.SessionHeader, Models: p.Models, Origin: p.Origin, Problem: p.Problem, Keyless: p.Key == "" && p.Problem == "",
		}
		if q.BaseURL == "" {
			q.BaseURL = known.BaseURL
		}
		if q.Protocol == "" {
			q.Protocol = known.Protocol
		}
		if q.Protocol == "" && q.BaseURL != "" {
			q.Protocol = llm.OpenAI
		}
		k.Own = append(k.Own, q)
	}
	k.Logins = logins(catalogue, cfg.Env)
	return k
}

// logins are the known providers with a key in the environment.
func logins(c *llm.Catalog, env func(string) string) []llm.Provider {
	var out []llm.Provider
	for _, id := range c.Providers() {
		known, ok := c.Provider(id)
		if !ok || known.Protocol == "" {
			continue
		}
		for _, name := range known.KeyVars {
			if v := env(name); v != "" {
				p := llm.Provider{ID: id, Protocol: known.Protocol, BaseURL: known.BaseURL, Key: llm.NewKey(v), Origin: "env " + name}
				for _, u := range known.URLVars {
					if at := env(u); at != "" {
						p.BaseURL = at
						break
					}
				}
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// owner names this process for claims. Machines may share a name, and
// containers their first process's number.
func owner() string {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	return host + ":" + strconv.Itoa(os.Getpid()) + ":" + rand.Text()[:8]
}

// modelFlags are the flags of `recap` that concern a model.
type modelFlags struct {
	model      string // "auto" or provider/model
	no         bool
	dryRun     bool
	suggest    bool
	overBudget bool
}

// anyModel is the value of --model without one.
const anyModel = "auto"

func (f *modelFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.model, "model", "", "ask a model, that one or the one recap chooses")
	c.Flags().Lookup("model").NoOptDefVal = anyModel
	c.Flags().BoolVar(&f.no, "no-model", false, "never ask a model")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show which model would be asked, what would be sent and what it would cost; send nothing")
	c.Flags().BoolVar(&f.suggest, "suggest", false, "ask the model for the next message too")
	c.Flags().BoolVar(&f.overBudget, "over-budget", false, "ask also beyond a cap")
}

// ask says what the flags ask for; no: no model.
func (f *modelFlags) ask(manual bool) (ask engine.Ask, yes bool, err error) {
	if f.no && (f.model != "" || f.dryRun || f.suggest) {
		return engine.Ask{}, false, usageError("--no-model goes with none of --model, --dry-run and --suggest", "recap --help")
	}
	wanted := f.model != "" || f.dryRun || f.suggest
	if f.overBudget && !wanted && (f.no || !manual) {
		return engine.Ask{}, false, usageError("--over-budget goes with --model or --suggest", "recap --model --over-budget")
	}
	if f.no || !manual && !wanted {
		return engine.Ask{}, false, nil
	}
	// A wish asks anew; the setting alone is content with what a model wrote.
	ask = engine.Ask{Fields: []recap.Field{recap.FieldRecap, recap.FieldAway}, OverBudget: f.overBudget, Once: !wanted}
	if f.suggest {
		ask.Fields = append(ask.Fields, recap.FieldSuggestion)
	}
	if f.model != "" && f.model != anyModel {
		ask.Model = recap.ParseModelRef(f.model)
		if ask.Model.Provider == "" || ask.Model.ID == "" {
			return engine.Ask{}, false, usageError("name the model as PROVIDER/MODEL", "recap doctor lists the models")
		}
	}
	return ask, true, nil
}

// askModel asks and shows what came, the free recap where nothing did. Where
// only the setting model.manual asks, no model is no failure.
func (a *app) askModel(ctx context.Context, e *engine.Engine, s recap.Session, ask engine.Ask) error {
	if !a.quiet {
		a.prog.say("recap: asking a model; Ctrl-C stops it")
	}
	r := e.AskModel(ctx, s, ask)
	a.prog.hide()
	return a.answered(r, ask, r.Err)
}

// answered shows a result of a model call, and the exit code of what failed in
// it, if anything did.
func (a *app) answered(r engine.Result, ask engine.Ask, failed error) error {
	r.Err = told(failed, recap.Line(nameOf(r.Session)))
	if err := a.showResult(r); err != nil {
		return err
	}
	switch {
	case failed == nil:
		if !a.json && r.Record != nil && !r.Stored {
			a.notice(asked(r.Record))
		}
	case ask.Once && r.Record != nil:
		a.exit = exitDone
	default:
		a.exit = exitOfCall(failed)
	}
	return nil
}

// asked says whom a recap was asked of, and what it took.
func asked(r *recap.Record) string {
	if r.Source != recap.FromModel || r.Model == nil || r.Usage == nil {
		return "the model was asked, and had nothing to say"
	}
	return fmt.Sprintf("asked %s: %d tokens in, %d out, %s", r.Model, r.Usage.InputTokens, r.Usage.OutputTokens, price(r.Usage.CostUSD))
}

// told is an error of a model call in words.
func told(err error, session string) error {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return toldEnd(err, session)
	}
	if e.Code == recap.CodeNoLogin && e.Detail != "" && !sent(err) { // no provider said so
		return &recap.Error{Code: e.Code, Message: whyNone(err), Hint: nextOf(err, session)}
	}
	words := llm.Words(e.Code)
	var more []string
	for _, x := range []string{e.Provider, plainDetail(e.Detail)} {
		if x != "" {
			more = append(more, x)
		}
	}
	if !e.Reset.IsZero() && !strings.HasPrefix(e.Detail, askedToWait) {
		more = append(more, "it can be asked again at "+e.Reset.Local().Format(clockForm)+", and calls in the background wait until then")
	}
	if len(more) > 0 {
		words += " (" + strings.Join(more, ": ") + ")"
	}
	next := nextOf(err, session)
	if e.Code == recap.CodeNoLogin && e.Hint == "" { // there is one, and the provider refused it
		next = "recap doctor says which key that is and where it comes from"
	}
	return &recap.Error{Code: e.Code, Message: words, Hint: next}
}

// toldEnd puts into words how a session ends that has no answer to recap: the
// engine names it in brackets.
func toldEnd(err error, session string) error {
	e, ok := errors.AsType[*recap.Error](err)
	if !ok || e.Code != recap.CodeNotEnough {
		return err
	}
	about, ok := plainEnd(e.Message, session)
	if !ok {
		return err
	}
	return &recap.Error{Code: e.Code, Message: about.says, Hint: cmp.Or(e.Hint, about.next), Err: e.Err}
}

// exitOfCall is the exit code of a model call that gave nothing: a refusal,
// before anything was sent, or a failure.
func exitOfCall(err error) int {
	switch code := recap.CodeOf(err); code {
	case recap.CodeNoLogin, recap.CodeContextTooSmall, recap.CodeNoModel, recap.CodeProviderUnsupported:
		if sent(err) {
			return exitFailed
		}
		return exitRefused
	case recap.CodeNotEnough: // the free recap is there
		return exitRefused
	default:
		return exitOf(code)
	}
}

// sent reports that a provider answered: the call was made.
func sent(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && e.Status != 0
}

// next draws the message that a model suggests.
func (a *app) next(r engine.Result) string {
	if r.Record == nil || r.Record.Suggestion == "" || !r.Fresh {
		return ""
	}
	c := a.scr
	return c.wrap(c.style(cyan, c.glyph("→", "->")+" next:")+" "+c.plainText(r.Record.Suggestion), "  ", c.width) + "\n"
}

// dryRun shows a call and makes none. Barred says why none may be made.
func (a *app) dryRun(ctx context.Context, e *engine.Engine, s recap.Session, ask engine.Ask, barred error) error {
	p := engine.Plan{Session: s, Err: barred}
	if barred == nil {
		p = e.Plan(ctx, s, ask)
	}
	name := recap.Line(nameOf(s))
	a.prog.hide()
	switch {
	case barred != nil:
		a.exit = exitRefused
	case p.Err != nil:
		a.exit = exitOfCall(p.Err)
	}
	if a.json {
		out := api.DryRun{
			System: p.Prompt.System, Prompt: p.Prompt.User, Fields: make([]string, 0, len(ask.Fields)), InputTokensEstimate: p.Estimate.InputTokens,
			CostUSDEstimate: p.Estimate.CostUSD, Redactions: p.Redactions, Permitted: p.Err == nil,
		}
		for _, f := range ask.Fields {
			out.Fields = append(out.Fields, string(f))
		}
		if p.Choice.Model != "" {
			out.Model = &api.PlannedModel{Provider: p.Choice.Provider.ID, ID: p.Choice.Model, Why: p.Choice.Why, Origin: p.Choice.Provider.Origin}
		}
		if p.Err != nil {
			out.Reason = reason(told(p.Err, name), name)
		}
		return a.printJSON(out)
	}
	c := a.scr
	var b strings.Builder
	line := func(name, value string) {
		b.WriteString(c.hang(c.style(dim, name+": ")+recap.Line(value), "", "  ", c.width) + "\n")
	}
	if p.Err != nil {
		failed := told(p.Err, name)
		line("refused", failed.Error()+paren(nextOf(failed, name)))
	}
	if p.Choice.Model != "" {
		line("model", p.Choice.Provider.ID+"/"+p.Choice.Model)
		line("because", p.Choice.Why)
		line("key", p.Choice.Provider.Origin)
	}
	was := ""
	for _, r := range p.Choice.Rejected { // two steps may end at the same provider
		if not := r.What + " (" + r.Why + ")"; not != was {
			line("not", not)
			was = not
		}
	}
	if p.Prompt.User != "" {
		line("size", fmt.Sprintf("about %d tokens in, at most %d out, %d secrets replaced", p.Estimate.InputTokens, p.Estimate.OutputTokens, p.Redactions))
		line("price", planPrice(p))
		b.WriteString("\n" + c.style(bold, "system") + "\n" + recap.Safe(p.Prompt.System) + "\n\n" + c.style(bold, "prompt") + "\n" + recap.Safe(p.Prompt.User) + "\n")
	}
	b.WriteString("\n" + c.style(dim, "nothing was sent") + "\n")
	return a.print(b.String())
}

// planPrice says what a call would cost.
func planPrice(p engine.Plan) string {
	switch {
	case p.Local:
		return "free (local)"
	case p.Estimate.CostUSD == nil:
		return price(nil)
	}
	return price(p.Estimate.CostUSD) + " at most"
}

// dollars never shows a cost as nothing.
func dollars(usd float64) string {
	switch {
	case usd <= 0 || usd >= 0.00005:
		return fmt.Sprintf("$%.4f", usd)
	case usd < 0.0000005:
		return "under $0.000001"
	}
	return fmt.Sprintf("$%.6f", usd)
}

func price(usd *float64) string {
	if usd == nil {
		return "price unknown"
	}
	if *usd == 0 {
		return "free"
	}
	return dollars(*usd)
}

// sinceOrDay reads --since; without it the day counts.
func (a *app) sinceOrDay(since string) (time.Time, error) {
	now := a.s.Now()
	if since != "" {
		return sinceFlag(since, now)
	}
	y, m, d := now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, now.Location()), nil
}

func spendCommand(a *app) *cobra.Command {
	var since string
	c := &cobra.Command{
		Use:   "spend",
		Short: "What model calls used, against the caps",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := a.sinceOrDay(since)
			if err != nil {
				return err
			}
			st, err := a.store(cmd.Context())
			if err != nil {
				return err
			}
			entries, err := st.Entries(cmd.Context(), from, 0)
			if err != nil {
				return storeError(err)
			}
			sum := spendOf(entries)
			out := api.Spend{Since: from.UTC(), Calls: len(entries), Tokens: sum.tokens, CostUSD: sum.usd, PriceUnknown: sum.unknown, Entries: []api.SpendEntry{}}
			for _, key := range []string{"budget.daily_tokens", "budget.daily_usd", "budget.session_tokens"} {
				v, _ := a.cfg.Get(key)
				out.Caps = append(out.Caps, api.Cap{Key: key, Limit: jsonValue(v)})
			}
			for _, x := range entries {
				out.Entries = append(out.Entries, spendEntry(x))
			}
			if a.json {
				return a.printJSON(out)
			}
			return a.print(a.drawSpend(out))
		},
	}
	c.Flags().StringVar(&since, "since", "", "from a time on, for instance 7d; without it today")
	return c
}

type spending struct {
	tokens  int64
	usd     float64
	unknown int
}

func spendOf(entries []store.Entry) spending {
	var s spending
	for _, e := range entries {
		s.tokens += e.Tokens()
		switch cost := cost(e); {
		case cost != nil:
			s.usd += *cost
		case e.Tokens() > 0:
			s.unknown++
		}
	}
	return s
}

// cost is what an entry counts in dollars, nil where the price is unknown.
func cost(e store.Entry) *float64 {
	if e.Settled == nil {
		return e.CostUSD
	}
	if !e.Settled.Sent {
		zero := 0.0
		return &zero
	}
	return e.Settled.Usage.CostUSD
}

func spendEntry(e store.Entry) api.SpendEntry {
	x := api.SpendEntry{
		At: e.At.UTC(), Agent: string(e.Session.Agent), Session: e.Session.ID, Provider: e.Provider, Model: e.Model,
		Background: e.Background, Tokens: e.Tokens(), CostUSD: cost(e), State: "reserved",
	}
	if e.Settled != nil {
		x.State, x.Code = "settled", string(e.Settled.Code)
		if !e.Settled.Sent {
			x.State = "not-sent"
		}
	}
	return x
}

func (a *app) drawSpend(s api.Spend) string {
	c := a.scr
	var b strings.Builder
	sum := fmt.Sprintf("%d %s since %s: %d tokens, %s", s.Calls, plural(s.Calls, "call", "calls"), s.Since.Local().Format("Jan 2 15:04"), s.Tokens, dollars(s.CostUSD))
	if s.PriceUnknown > 0 {
		sum += fmt.Sprintf(", and %d of unknown price", s.PriceUnknown)
	}
	b.WriteString(c.hang(sum, "", "  ", c.width) + "\n")
	for _, x := range s.Caps {
		b.WriteString(c.hang(c.style(dim, fmt.Sprintf("%s = %v", x.Key, x.Limit)), "", "  ", c.width) + "\n")
	}
	const most = 20
	for i, x := range s.Entries {
		if i == most {
			fmt.Fprintf(&b, "and %d more: recap spend --json\n", len(s.Entries)-most)
			break
		}
		state := ""
		switch {
		case x.Code != "":
			state = "  " + aboutCode(recap.Code(x.Code), recap.Line(x.Session)).says
		case x.State == "reserved":
			state = "  under way, or left by a crash: counted at its estimate"
		case x.State == "not-sent":
			state = "  nothing was sent"
		}
		b.WriteString(c.fit(fmt.Sprintf("%s  %s/%s  %d tokens  %s  %s:%s%s", x.At.Local().Format("15:04"), x.Provider, x.Model, x.Tokens, price(x.CostUSD),
			x.Agent, recap.Line(x.Session), state), c.width) + "\n")
	}
	return b.String()
}

func egressCommand(a *app) *cobra.Command {
	var since string
	var limit int
	c := &cobra.Command{
		Use:   "egress",
		Short: "What left this machine, when, and to whom",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var from time.Time
			if since != "" {
				var err error
				if from, err = sinceFlag(since, a.s.Now()); err != nil {
					return err
				}
			}
			st, err := a.store(cmd.Context())
			if err != nil {
				return err
			}
			sent, err := st.Egress(cmd.Context(), from, limit)
			if err != nil {
				return storeError(err)
			}
			if a.json {
				for _, x := range sent {
					if err := a.printJSON(api.Egress{
						At: x.At.UTC(), Agent: string(x.Session.Agent), Session: x.Session.ID, Provider: x.Provider, Model: x.Model, Host: x.Host,
						Purpose: x.Purpose, Characters: x.Characters, Redactions: x.Redactions,
					}); err != nil {
						return err
					}
				}
				return nil
			}
			if len(sent) == 0 {
				return a.print("Nothing has left this machine.\n")
			}
			var b strings.Builder
			for _, x := range sent {
				b.WriteString(a.scr.fit(fmt.Sprintf("%s  %s (%s/%s)  %d characters, %d secrets replaced  %s  %s", x.At.Local().Format("Jan 2 15:04"), recap.Line(x.Host),
					recap.Line(x.Provider), recap.Line(x.Model), x.Characters, x.Redactions, x.Purpose, recap.Line(x.Session.String())), a.scr.width) + "\n")
			}
			return a.print(b.String())
		},
	}
	c.Flags().StringVar(&since, "since", "", "from a time on, for instance 7d")
	c.Flags().IntVarP(&limit, "limit", "n", 50, "most lines, 0 for all")
	return c
}

// doctorModels says for each agent which model would be asked for its newest
// session, and why. Without a session it says so of a model that serves all.
func (a *app) doctorModels(ctx context.Context, e *engine.Engine, sessions []recap.Session) []api.DoctorModel {
	out := []api.DoctorModel{}
	var seen []string
	for _, s := range sessions {
		key := string(s.Ref.Agent) + "\x00" + s.Ref.Root
		if slices.Contains(seen, key) || s.ParentID != "" || s.Archived {
			continue
		}
		seen = append(seen, key)
		out = append(out, a.doctorModel(ctx, e, s))
	}
	slices.SortStableFunc(out, func(x, y api.DoctorModel) int { return strings.Compare(x.Agent+"\x00"+x.Home, y.Agent+"\x00"+y.Home) })
	if len(out) == 0 {
		if m := a.doctorModel(ctx, e, recap.Session{}); m.Problem == "" || a.settings().Text("model.override") != "" {
			out = append(out, m)
		}
	}
	return out
}

// whyNone says why no model was chosen. Nothing was asked, so it is nothing
// that a provider answered.
func whyNone(err error) string {
	x, ok := errors.AsType[*llm.Error](err)
	switch {
	case !ok || x.Detail == "" || sent(err):
		return told(err, anySession).Error()
	case x.Provider == "":
		return x.Detail
	}
	return x.Provider + ": " + x.Detail
}

func (a *app) doctorModel(ctx context.Context, e *engine.Engine, s recap.Session) api.DoctorModel {
	choice, err := e.Choose(ctx, s, engine.Ask{})
	m := api.DoctorModel{Agent: string(s.Ref.Agent), Home: s.Home, Rejected: []string{}}
	for _, r := range choice.Rejected {
		m.Rejected = append(m.Rejected, recap.Line(r.What+": "+r.Why))
	}
	if err != nil {
		m.Problem = recap.Line(whyNone(err))
	} else {
		m.Provider, m.Model, m.Why, m.Origin = choice.Provider.ID, choice.Model, choice.Why, choice.Provider.Origin
		if until := a.resting(ctx, m.Provider); !until.IsZero() {
			until = until.UTC()
			m.RestsUntil = &until
		}
	}
	return m
}
