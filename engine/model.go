package engine

import (
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/llm"
)

// Catalogue answers what is known of providers and models. *llm.Catalog is
// one.
type Catalogue interface {
	// Provider gives what is known of a provider, by any of its names.
	Provider(id string) (llm.Known, bool)
	// At gives the provider behind an address.
	At(baseURL string) (llm.Known, bool)
	// Same reports whether two ids name one provider.
	Same(a, b string) bool
	// Model gives what is known of a model.
	Model(provider, id string) (llm.Model, bool)
}

// Candidates are what a model is chosen from.
type Candidates struct {
	// Explicit is --model or the request's model, Override the setting
	// model.override. Zero where not given.
	Explicit, Override recap.ModelRef
	// AgentSmall is the small model of the agent's own configuration, and
	// AgentSmallOrigin says where it stands.
	AgentSmall       recap.ModelRef
	AgentSmallOrigin string
	// Session is the provider and model of the session's newest answer.
	Session recap.ModelRef
	// AgentSmallBarred and SessionBarred say why the providers of these two
	// must not be asked: a file of the session's project would send the agent
	// elsewhere, or with another login. "" where they may.
	AgentSmallBarred, SessionBarred string
	// AgentSmallByProject says that a file of the project chose AgentSmall: it
	// serves only with the session's provider, or with one that has an address
	// or a login of the person's. "" else.
	AgentSmallByProject string
	// Unread is a file of the agent's settings that can't be understood: it may
	// name another provider, so nothing is chosen for the agent. "" where none.
	Unread string
	// AllowCross is the setting model.allow_cross_provider.
	AllowCross bool
	// Providers are those of MergeProviders.
	Providers []llm.Provider
	Catalogue Catalogue
}

// Steps of the resolution.
const (
	StepExplicit = iota + 1
	StepOverride
	StepAgentSmall
	StepProviderSmall
	StepSessionModel
	StepCross
)

// Choice is the model to ask.
type Choice struct {
	Provider llm.Provider
	// Model is the id that the provider knows.
	Model string
	// Known is what the catalogue knows of the model: only its ID where it is
	// not listed.
	Known llm.Model
	// Why names the step for people: "--model", "model.override", "small model
	// of the session's provider".
	Why  string
	Step int
	// Rejected are the steps before it.
	Rejected []Rejection
}

// Rejection is a step that gave no model.
type Rejection struct {
	Step int
	// What was looked at, Why it was not taken. Neither holds a secret.
	What, Why string
}

// Names of the steps.
const (
	whyExplicit      = "--model"
	whyOverride      = "model.override"
	whyAgentSmall    = "small model of the agent's configuration"
	whyProviderSmall = "small model of the session's provider"
	whySession       = "the session's own model"
	whyCross         = "another provider with a login"
	notGiven         = "not set"
)

// Resolve chooses the model for a session. The first of these that answers
// wins: the explicit model, the override, the small model of the agent's
// configuration, the small model of the session's provider, the session's own
// model, and, only where the session has no provider that can be asked and
// AllowCross is set, another provider with a login.
//
// A model that is named (the first three) and can't be asked is an error: the
// text does not go elsewhere instead. No other step leaves the provider that
// the person chose for the session, but for the last.
//
// Where a file of the session's project has the agent go elsewhere than the
// person's own settings say, nothing goes there, and nothing to another
// provider instead, the crossing included: recap.CodeNoModel. The first two
// steps are the person's word and go where they say.
//
// The error has recap.CodeNoModel, recap.CodeNoLogin or
// recap.CodeProviderUnsupported. The choice then holds only what was rejected.
// Nothing is sent.
func Resolve(c Candidates) (Choice, error) {
	r := resolver{c: c}
	named := []struct {
		ref  recap.ModelRef
		step int
		why  string
	}{
		{c.Explicit, StepExplicit, whyExplicit},
		{c.Override, StepOverride, whyOverride},
		{c.AgentSmall, StepAgentSmall, whyAgentSmall},
	}
	if c.AgentSmallOrigin != "" {
		named[2].why = c.AgentSmallOrigin
	}
	for _, n := range named {
		if n.ref == (recap.ModelRef{}) {
			r.reject(n.step, n.why, notGiven)
			continue
		}
		if n.step == StepAgentSmall && c.Unread != "" {
			r.reject(n.step, n.why+" "+n.ref.String(), c.Unread+" can't be understood")
			continue
		}
		if why := c.AgentSmallBarred; n.step == StepAgentSmall && why != "" {
			r.reject(n.step, n.why+" "+n.ref.String(), why)
			return Choice{Rejected: r.rejected}, barred(n.ref.Provider, why)
		}
		p, err := r.named(n.ref)
		if err == nil && n.step == StepAgentSmall && c.AgentSmallByProject != "" && !r.had(n.ref.Provider) {
			err = barred(n.ref.Provider, c.AgentSmallByProject)
		}
		if err != nil {
			r.reject(n.step, n.why+" "+n.ref.String(), err.Detail)
			return Choice{Rejected: r.rejected}, err
		}
		return r.choose(p, n.ref.ID, n.step, n.why), nil
	}
	own, failed := r.session()
	if failed == nil {
		id, why := r.small(own)
		if why == "" {
			return r.choose(own, id, StepProviderSmall, whyProviderSmall), nil
		}
		r.reject(StepProviderSmall, own.ID, why)
		if c.Session.ID != "" {
			return r.choose(own, c.Session.ID, StepSessionModel, whySession), nil
		}
		r.reject(StepSessionModel, own.ID, "the session names no model")
		r.reject(StepCross, whyCross, "the session's provider can be asked")
		return Choice{Rejected: r.rejected}, &llm.Error{Code: recap.CodeNoModel, Provider: own.ID, Detail: "no model of the session's provider is known"}
	}
	r.reject(StepProviderSmall, r.sessionName(), failed.Detail)
	r.reject(StepSessionModel, r.sessionName(), failed.Detail)
	if c.SessionBarred != "" || c.Unread != "" {
		r.reject(StepCross, whyCross, "what bars the session's provider bars others too")
		return Choice{Rejected: r.rejected}, failed
	}
	return r.cross(failed)
}

// barred refuses a provider for what a file of the project says.
func barred(provider, why string) *llm.Error {
	return &llm.Error{
		Code: recap.CodeNoModel, Provider: provider, Detail: why,
		Hint: "put it into your own settings, or name a model of yours: recap --model=PROVIDER/MODEL, or model.override",
	}
}

type resolver struct {
	c        Candidates
	rejected []Rejection
}

func (r *resolver) reject(step int, what, why string) {
	r.rejected = append(r.rejected, Rejection{step, what, why})
}

func (r *resolver) choose(p llm.Provider, model string, step int, why string) Choice {
	known, _ := r.c.Catalogue.Model(p.ID, model)
	if !listed(known) {
		// The provider may go by another name at this address.
		if at, ok := r.c.Catalogue.At(p.BaseURL); ok {
			known, _ = r.c.Catalogue.Model(at.ID, model)
		}
	}
	known.ID = model
	return Choice{Provider: p, Model: model, Known: known, Why: why, Step: step, Rejected: r.rejected}
}

func listed(m llm.Model) bool { return m.Context > 0 || m.Priced || m.MaxOutput > 0 }

// named finds the provider of a model that was named.
func (r *resolver) named(ref recap.ModelRef) (llm.Provider, *llm.Error) {
	switch {
	case ref.ID == "":
		return llm.Provider{}, &llm.Error{Code: recap.CodeNoModel, Provider: ref.Provider, Detail: "no model is named, only a provider"}
	case ref.Provider == "":
		// The person's own session says which provider is meant.
		p, failed := r.session()
		switch {
		case failed == nil:
			return p, nil
		case r.c.SessionBarred != "", r.c.Unread != "":
			return llm.Provider{}, failed
		}
		return llm.Provider{}, &llm.Error{Code: recap.CodeNoModel, Detail: "name the provider too: provider/model"}
	}
	return r.provider(ref.Provider)
}

// had reports that the person has a provider: it is the session's, or something
// of it is set up. Others are known to the catalogue alone, and some of those
// ask for no key.
func (r *resolver) had(id string) bool {
	if id == "" || r.c.Catalogue.Same(id, r.c.Session.Provider) {
		return true
	}
	return slices.ContainsFunc(r.c.Providers, func(p llm.Provider) bool {
		return (strings.EqualFold(p.ID, id) || r.c.Catalogue.Same(p.ID, id)) && (p.BaseURL != "" || p.Key.Set() || signed(p.Headers))
	})
}

// session finds the session's own provider.
func (r *resolver) session() (llm.Provider, *llm.Error) {
	if r.c.Unread != "" {
		return llm.Provider{}, &llm.Error{
			Code: recap.CodeNoModel, Provider: r.c.Session.Provider, Detail: r.c.Unread + " can't be understood, and it may name another provider",
			Hint: "mend that file, or name a model of yours: recap --model=PROVIDER/MODEL, or model.override",
		}
	}
	if r.c.SessionBarred != "" {
		return llm.Provider{}, barred(r.c.Session.Provider, r.c.SessionBarred)
	}
	if r.c.Session.Provider == "" {
		return llm.Provider{}, &llm.Error{Code: recap.CodeNoModel, Detail: "the session does not say which provider it used"}
	}
	return r.provider(r.c.Session.Provider)
}

func (r *resolver) sessionName() string {
	if r.c.Session.Provider == "" {
		return "the session's provider"
	}
	return r.c.Session.Provider
}

// provider finds a provider that can be asked, or says why it can't.
func (r *resolver) provider(id string) (llm.Provider, *llm.Error) {
	p := llm.Provider{ID: id}
	i := indexOf(r.c.Providers, id)
	if i < 0 {
		i = slices.IndexFunc(r.c.Providers, func(p llm.Provider) bool { return r.c.Catalogue.Same(p.ID, id) })
	}
	if i >= 0 {
		p = r.c.Providers[i]
	}
	known, ok := r.c.Catalogue.Provider(p.ID)
	p = finish(p, known, ok)
	fail := func(code recap.Code, why string) (llm.Provider, *llm.Error) {
		return llm.Provider{}, &llm.Error{Code: code, Provider: id, Detail: why}
	}
	switch {
	case p.Problem == agent.SubscriptionLogin, p.Problem == agent.CommandLogin, strings.HasPrefix(p.Problem, agent.KeyProblem):
		return fail(recap.CodeNoLogin, p.Problem)
	case p.Problem != "":
		return fail(recap.CodeProviderUnsupported, p.Problem)
	case i < 0 && !ok:
		return fail(recap.CodeProviderUnsupported, "recap does not know this provider")
	case p.Protocol != llm.OpenAI && p.Protocol != llm.Anthropic && p.Protocol != llm.Gemini:
		return fail(recap.CodeProviderUnsupported, agent.OtherProtocol)
	case !p.Keyless && !p.Key.Set():
		return fail(recap.CodeNoLogin, noKey(known))
	case p.Broken():
		return fail(recap.CodeNoLogin, "its key or a header of it holds a line break or another control character")
	case p.BaseURL == "":
		return fail(recap.CodeProviderUnsupported, "its address is not known")
	}
	return p, nil
}

func noKey(k llm.Known) string {
	if len(k.KeyVars) == 0 {
		return "there is no key for it"
	}
	return "there is no key for it: " + strings.Join(k.KeyVars, " or ") + " is not set"
}

// finish fills from the catalogue what the settings leave open.
func finish(p llm.Provider, known llm.Known, ok bool) llm.Provider {
	if ok && p.BaseURL == "" && (p.Protocol == "" || p.Protocol == known.Protocol) {
		p.BaseURL = known.BaseURL
	}
	if p.Protocol == "" {
		switch {
		case ok:
			p.Protocol = known.Protocol
		case p.BaseURL != "": // what agents take it for, too
			p.Protocol = llm.OpenAI
		}
	}
	if ok && sameHost(p.BaseURL, known.BaseURL) {
		p.Keyless = known.Keyless // whatever the settings leave out
	}
	p.Keyless = p.Keyless || keyless(p)
	return p
}

// keyless reports a server on the person's own network, or a provider whose
// headers hold the login.
func keyless(p llm.Provider) bool {
	return p.Problem == "" && !p.Key.Set() && (local(p.BaseURL) || signed(p.Headers))
}

// small gives the small model of a provider, or says why there is none.
func (r *resolver) small(p llm.Provider) (id, why string) {
	known, ok := r.c.Catalogue.Provider(p.ID)
	if !ok {
		known, ok = r.c.Catalogue.At(p.BaseURL)
		ok = ok && known.Protocol == p.Protocol
	}
	switch {
	case !ok || known.Small == "":
		return "", "no small model of it is known"
	case len(p.Models) > 0 && !slices.Contains(p.Models, known.Small):
		return "", "its small model is not among those of the settings"
	}
	return known.Small, ""
}

// cross looks for another provider, where that is allowed. failed says why the
// session's own can't be asked.
func (r *resolver) cross(failed *llm.Error) (Choice, error) {
	others := 0
	for _, p := range r.c.Providers {
		if r.c.Session.Provider != "" && r.c.Catalogue.Same(p.ID, r.c.Session.Provider) {
			continue
		}
		q, err := r.provider(p.ID)
		if err != nil {
			if r.c.AllowCross {
				r.reject(StepCross, p.ID, err.Detail)
			}
			continue
		}
		others++
		if !r.c.AllowCross {
			continue
		}
		id, why := r.small(q)
		if why != "" && len(q.Models) > 0 {
			id, why = q.Models[0], ""
		}
		if why == "" {
			return r.choose(q, id, StepCross, whyCross), nil
		}
		r.reject(StepCross, q.ID, why)
	}
	if !r.c.AllowCross {
		r.reject(StepCross, whyCross, "model.allow_cross_provider is false")
	}
	if others > 0 {
		failed = &llm.Error{Code: recap.CodeNoModel, Provider: failed.Provider, Detail: failed.Detail}
	}
	return Choice{Rejected: r.rejected}, failed
}

// MergeProviders joins what is known of each provider: of the person's own
// settings, of the agent's, and of the environment. The order is that of the
// lists, and of two providers with one id in a list the first counts.
//
// A key goes to the address it was given for: the agent's never to one of our
// settings on another host, and one of the environment never to an agent's
// address on another host than its own. An address in our settings gets the
// key of the environment, if none is given beside it: the person wrote both.
func MergeProviders(own, agents, env []llm.Provider) []llm.Provider {
	env = slices.Clone(env)
	for i := range env { // its address is the usual one, where none is set
		known, ok := llm.Catalogue().Provider(env[i].ID)
		env[i] = finish(env[i], known, ok)
	}
	var out []llm.Provider
	taken := map[string]bool{}
	for _, p := range first(own) {
		a, isAgents := partner(p.ID, own, agents)
		e, isEnv := partner(p.ID, own, env)
		taken[a.ID], taken[e.ID] = true, true
		switch {
		case isAgents && isEnv:
			p = over(p, withEnvironment(a, e), e, true)
		case isAgents:
			p = over(p, a, e, false)
		case isEnv:
			p = over(p, e, e, true)
		}
		taken[p.ID] = true
		out = append(out, p)
	}
	var used []string
	for _, p := range first(agents) {
		if taken[p.ID] {
			continue
		}
		if e, ok := partner(p.ID, agents, env); ok {
			p = withEnvironment(p, e)
			used = append(used, e.ID)
		}
		used = append(used, p.ID)
		out = append(out, p)
	}
	for _, p := range first(env) {
		if !taken[p.ID] && !slices.Contains(used, p.ID) {
			out = append(out, p)
		}
	}
	return out
}

// first leaves out what has the id of one before it.
func first(list []llm.Provider) []llm.Provider {
	var out []llm.Provider
	for _, p := range list {
		if indexOf(out, p.ID) < 0 {
			out = append(out, p)
		}
	}
	return out
}

func indexOf(list []llm.Provider, id string) int {
	return slices.IndexFunc(list, func(p llm.Provider) bool { return strings.EqualFold(p.ID, id) })
}

// partner finds in a list the provider that id, of the list from, is. Another
// name of it counts only where neither list has both names: plans of one
// company are logins of their own.
func partner(id string, from, in []llm.Provider) (llm.Provider, bool) {
	if i := indexOf(in, id); i >= 0 {
		return in[i], true
	}
	i := slices.IndexFunc(in, func(p llm.Provider) bool {
		return llm.Catalogue().Same(p.ID, id) && indexOf(from, p.ID) < 0
	})
	if i < 0 {
		return llm.Provider{}, false
	}
	return in[i], true
}

// withEnvironment gives an agent's provider what the environment has.
func withEnvironment(a, e llm.Provider) llm.Provider {
	if a.Protocol == "" {
		a.Protocol = e.Protocol
	}
	if a.Protocol != e.Protocol || a.BaseURL != "" && !sameHost(a.BaseURL, e.BaseURL) {
		return a
	}
	if a.BaseURL == "" {
		a.BaseURL = e.BaseURL
	}
	replaced := a.Problem == agent.SubscriptionLogin || a.Problem == agent.CommandLogin
	if e.Key.Set() && !a.Key.Set() && (a.Problem == "" || replaced) {
		a.Key, a.Problem, a.Origin = e.Key, "", e.Origin
	}
	return a
}

// over lays our own settings of a provider over what else is known of it.
func over(m, a, e llm.Provider, isEnv bool) llm.Provider {
	switch {
	case m.Key.Set() || keyless(m):
		// An address, if none is given, is the environment's or the usual one.
		if m.BaseURL == "" && isEnv && (m.Protocol == "" || m.Protocol == e.Protocol) {
			m.BaseURL, m.Protocol = e.BaseURL, e.Protocol
		}
	case m.BaseURL == "" || sameHost(m.BaseURL, a.BaseURL):
		if m.BaseURL == "" {
			m.BaseURL = a.BaseURL
		}
		if m.Protocol == "" {
			m.Protocol = a.Protocol
		}
		if a.Key.Set() || a.Keyless || a.Problem != "" {
			m.Key, m.Keyless, m.Problem = a.Key, a.Keyless, a.Problem
		}
		m.Headers = headersOver(m.Headers, a.Headers)
		m.Origin = origins(m.Origin, a.Origin)
	case isEnv && e.Key.Set():
		m.Key, m.Keyless, m.Origin = e.Key, false, origins(m.Origin, e.Origin)
	}
	if m.SessionHeader == "" {
		m.SessionHeader = a.SessionHeader
	}
	return m
}

// origins joins two places for people.
func origins(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + ", " + b
}

func headersOver(top, under map[string]string) map[string]string {
	if len(under) == 0 {
		return top
	}
	out := maps.Clone(under)
	for name, v := range top {
		for old := range out {
			if strings.EqualFold(old, name) {
				delete(out, old)
			}
		}
		out[name] = v
	}
	return out
}

// AgentProviders makes providers of an agent's settings. A server on the
// person's own network needs no key, nor does one whose headers hold the login.
func AgentProviders(list []agent.ProviderSettings) []llm.Provider {
	out := make([]llm.Provider, 0, len(list))
	for _, s := range list {
		p := llm.Provider{
			ID: s.ID, Protocol: llm.Protocol(s.Protocol), BaseURL: s.BaseURL, Key: llm.NewKey(s.Key),
			Headers: maps.Clone(s.Headers), Origin: s.Origin, Problem: s.Problem,
		}
		p.Keyless = keyless(p)
		out = append(out, p)
	}
	return out
}

// signed reports headers that hold a login.
func signed(headers map[string]string) bool {
	for name, v := range headers {
		switch strings.ToLower(name) {
		case "authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization", "cf-access-client-secret":
			if v != "" {
				return true
			}
		}
	}
	return false
}

// local reports an address on this machine or the person's own network.
func local(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	for _, s := range []string{".local", ".lan", ".internal", ".home.arpa", ".localhost"} {
		if strings.HasSuffix(host, s) {
			return true
		}
	}
	return host != "" && !strings.Contains(host, ".")
}

// sameHost compares scheme, host and port: a key for one is not for another.
func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	if err != nil || u.Host == "" {
		return false
	}
	v, err := url.Parse(b)
	return err == nil && strings.EqualFold(u.Scheme, v.Scheme) && strings.EqualFold(hostPort(u), hostPort(v))
}

func hostPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	switch strings.ToLower(u.Scheme) {
	case "https":
		return u.Host + ":443"
	case "http":
		return u.Host + ":80"
	}
	return u.Host
}
