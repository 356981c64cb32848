package codex

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

var _ agent.Modeler = (*Source)(nil)

// builtin is the provider that Codex has without any settings.
const builtin = "openai"

// providerSettings is a [model_providers.X] of config.toml.
type providerSettings struct {
	BaseURL    string            `toml:"base_url"`
	EnvKey     string            `toml:"env_key"`
	Token      string            `toml:"experimental_bearer_token"`
	Login      bool              `toml:"requires_openai_auth"`
	Headers    map[string]string `toml:"http_headers"`
	EnvHeaders map[string]string `toml:"env_http_headers"`
	Query      map[string]any    `toml:"query_params"`
	Auth       map[string]any    `toml:"auth"`
	AWS        map[string]any    `toml:"aws"`
}

type settings struct {
	BaseURL   string                      `toml:"openai_base_url"`
	Preferred string                      `toml:"preferred_auth_method"`
	Method    string                      `toml:"forced_login_method"`
	Providers map[string]providerSettings `toml:"model_providers"`
}

// Models reads config.toml and auth.json of the Codex home. A project's
// settings can't choose a provider in Codex, so they are not read. Of a ChatGPT
// login only its presence is taken.
func (s *Source) Models(ctx context.Context, x recap.Session, env func(string) string) (agent.ModelSettings, error) {
	if err := ctx.Err(); err != nil {
		return agent.ModelSettings{}, err
	}
	out := agent.ModelSettings{Session: x.Model}
	var c settings
	path := filepath.Join(s.home.Root, "config.toml")
	b, p := filelog.Settings(path)
	if p == nil {
		if err := toml.Unmarshal(b, &c); err != nil {
			// The cause may quote the file: it is left out.
			c, p = settings{}, &agent.Problem{Path: path, Reason: "not the TOML that Codex writes", Count: 1}
		}
	}
	if p != nil {
		out.Problems = append(out.Problems, *p)
	}
	login, p := s.login(&c)
	if p != nil {
		out.Problems = append(out.Problems, *p)
	}
	if out.Session.ID != "" && out.Session.Provider == "" {
		out.Session.Provider = builtin // older rollouts name none
	}
	ids := map[string]bool{builtin: true}
	for id := range c.Providers {
		ids[id] = true
	}
	if id := out.Session.Provider; id != "" {
		ids[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		p := c.provider(id, login, env)
		if out.Session.Provider == id {
			out.Session.Provider = p.ID
		}
		out.Providers = append(out.Providers, p)
	}
	return out, nil
}

// openAILogin is what auth.json holds.
type openAILogin struct{ key, problem string }

func (s *Source) login(c *settings) (openAILogin, *agent.Problem) {
	v, p := filelog.JSONSettings(filepath.Join(s.home.Root, "auth.json"))
	key := filelog.TextAt(v, "OPENAI_API_KEY")
	tokens, _ := filelog.At(v, "tokens").(map[string]any)
	mode := strings.ToLower(filelog.TextAt(v, "auth_mode"))
	if mode == "" && len(tokens) > 0 && c.Preferred != "apikey" && c.Method != "api" {
		mode = "chatgpt"
	}
	switch {
	case strings.HasPrefix(mode, "chatgpt"):
		return openAILogin{problem: agent.SubscriptionLogin}, p
	case agent.IsKey(key):
		return openAILogin{key: key}, p
	case len(tokens) > 0:
		return openAILogin{problem: agent.SubscriptionLogin}, p
	}
	return openAILogin{}, p
}

// provider says where Codex sends the requests of a provider, and with which
// login.
func (c *settings) provider(id string, login openAILogin, env func(string) string) agent.ProviderSettings {
	x, ok := c.Providers[id]
	out := agent.ProviderSettings{ID: id, Protocol: "openai"}
	switch {
	case id == builtin: // its definition can't be replaced
		base := strings.TrimSpace(c.BaseURL)
		if base == "" {
			base = strings.TrimSpace(env("OPENAI_BASE_URL"))
		}
		out.BaseURL = strings.TrimRight(base, "/")
		out.ID = agent.ProviderAt("openai", out.BaseURL)
		login.into(&out)
		return out
	case id == "amazon-bedrock":
		out.Problem = agent.CloudLogin
		return out
	case !ok:
		out.BaseURL = local(id, env)
		return out
	}
	out.BaseURL = strings.TrimRight(strings.TrimSpace(x.BaseURL), "/")
	if out.BaseURL == "" {
		out.BaseURL = local(id, env)
	}
	for name, v := range x.Headers {
		out.Headers = with(out.Headers, name, v)
	}
	for name, variable := range x.EnvHeaders {
		out.Headers = with(out.Headers, name, strings.TrimSpace(env(variable)))
	}
	switch {
	case len(x.AWS) > 0:
		out.Problem = agent.CloudLogin
	case len(x.Query) > 0: // as Azure wants it
		out.Problem = agent.OtherProtocol
	case len(x.Auth) > 0:
		out.Problem = agent.CommandLogin
	case x.EnvKey != "":
		switch k := strings.TrimSpace(env(x.EnvKey)); {
		case k == "":
			out.Problem = agent.KeyProblem + "the variable " + x.EnvKey + " is not set"
		case agent.IsKey(k):
			out.Key, out.Origin = k, "env "+x.EnvKey
		}
	case agent.IsKey(x.Token):
		out.Key, out.Origin = strings.TrimSpace(x.Token), "config.toml"
	case x.Login:
		login.into(&out)
	}
	return out
}

func with(m map[string]string, name, v string) map[string]string {
	if v == "" {
		return m
	}
	if m == nil {
		m = map[string]string{}
	}
	m[name] = v
	return m
}

// into gives a provider the login of Codex itself.
func (l openAILogin) into(p *agent.ProviderSettings) {
	if p.Key, p.Problem = l.key, l.problem; l != (openAILogin{}) {
		p.Origin = "auth.json"
	}
}

// local is the address of a server that Codex knows by name.
func local(id string, env func(string) string) string {
	if u := strings.TrimRight(env("CODEX_OSS_BASE_URL"), "/"); u != "" && (id == "oss" || id == "ollama" || id == "lmstudio") {
		return u
	}
	switch id {
	case "oss", "ollama":
		return "http://127.0.0.1:11434/v1"
	case "lmstudio":
		return "http://127.0.0.1:1234/v1"
	}
	return ""
}
