package qwencode

import (
	"cmp"
	"context"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

var _ agent.Modeler = (*Source)(nil)

// Models reads Qwen Code's settings (the person's, the project's, the
// machine's, the last wins), the first .env file that Qwen Code finds, and the
// environment, which wins over both. A file of the project chooses among the
// models of the person's own settings, and nothing else: where it would change
// a provider, that is barred. Of a Qwen login it is only seen that there is
// one: the file with it is never opened.
func (s *Source) Models(ctx context.Context, x recap.Session, env func(string) string) (agent.ModelSettings, error) {
	if err := ctx.Err(); err != nil {
		return agent.ModelSettings{}, err
	}
	var out agent.ModelSettings
	problem := func(p *agent.Problem) {
		if p != nil && !slices.ContainsFunc(out.Problems, func(q agent.Problem) bool { return q.Path == p.Path }) {
			out.Problems = append(out.Problems, *p)
		}
	}
	l, own := &lookup{env: env}, &lookup{env: env} // all layers, and the person's alone
	problem(l.find(x.Directory, s.cfg.Root))
	problem(own.find("", s.cfg.Root))
	small := ""
	read := func(f string, lookups ...*lookup) {
		v, p := filelog.JSONSettings(f)
		problem(p)
		for _, l := range lookups {
			l.settings = filelog.Merge(l.settings, v)
		}
		if filelog.TextAt(v, "fastModel") != "" {
			small = f
		}
	}
	read(filepath.Join(s.cfg.Root, "settings.json"), l, own)
	project := filepath.Join(x.Directory, ".qwen")
	if filepath.IsAbs(project) && project != filepath.Clean(s.cfg.Root) {
		l.project = filepath.Join(project, "settings.json")
		read(l.project, l)
	}
	read(machine(env), l, own)
	own.env = filelog.OwnEnv(env, "QWEN_CODE", func(name string) string {
		if v := l.vars[name]; v != "" && l.file != own.file {
			return v
		}
		if v := filelog.TextAt(l.settings, "env", name); v != filelog.TextAt(own.settings, "env", name) {
			return v
		}
		return ""
	})
	m, all := s.models(own, x.Model.ID), s.models(l, x.Model.ID)
	out.Session = m.session(x.Model)
	fast := filelog.Expand(filelog.TextAt(l.settings, "fastModel"), l.value)
	out.Small = m.named(fast)
	out.Providers = m.providers(x.Model.ID)
	theirs := all.providers(x.Model.ID)
	if !same(out.Providers, theirs, out.Session.Provider, all.session(x.Model).Provider) {
		out.SessionBarred = l.decided(own)
	}
	if named := all.named(fast); !same(out.Providers, theirs, out.Small.Provider, named.Provider) || named.ID != out.Small.ID {
		// No variable is filled for the project, not even in what is shown.
		out.SmallBarred, out.Small = l.decided(own), recap.ModelRef{ID: filelog.TextAt(l.settings, "fastModel")}
	}
	if out.Small.ID != "" {
		out.SmallOrigin = "fastModel of " + small
	} else if small != "" {
		out.Notes = append(out.Notes, agent.Problem{Path: small, Reason: "fastModel is no model of the login", Count: 1})
	}
	return out, nil
}

// same reports that the provider id of a list is the provider other of another.
func same(list, others []agent.ProviderSettings, id, other string) bool {
	if id != other {
		return false
	}
	find := func(list []agent.ProviderSettings) agent.ProviderSettings {
		if i := slices.IndexFunc(list, func(p agent.ProviderSettings) bool { return p.ID == id }); i >= 0 {
			return list[i]
		}
		return agent.ProviderSettings{}
	}
	return find(list).Same(find(others))
}

// providers are those of the entries. Of two entries for one provider, that of
// the model counts, else the first.
func (m *models) providers(model string) []agent.ProviderSettings {
	entries := slices.Clone(m.entries)
	slices.SortStableFunc(entries, func(a, b entry) int {
		if used := a.model == model; used != (b.model == model) {
			if used {
				return -1
			}
			return 1
		}
		return 0
	})
	var out []agent.ProviderSettings
	for _, e := range entries {
		if !slices.ContainsFunc(out, func(p agent.ProviderSettings) bool { return p.ID == e.provider.ID }) {
			out = append(out, e.provider)
		}
	}
	return out
}

// machine is where the machine's keeper puts settings that win over all.
func machine(env func(string) string) string {
	if f := env("QWEN_CODE_SYSTEM_SETTINGS_PATH"); filepath.IsAbs(f) {
		return f
	}
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/QwenCode/settings.json"
	}
	return "/etc/qwen-code/settings.json"
}

// lookup is the environment as Qwen Code sees it: the environment, then its
// .env file, then the "env" block of its settings.
type lookup struct {
	env      func(string) string
	vars     map[string]string
	file     string
	settings map[string]any
	project  string // the settings of the project, "" for none
}

// decided names what a file of the project changes of the person's own
// settings.
func (l *lookup) decided(own *lookup) string {
	for _, protocol := range []string{"openai", "anthropic", "gemini"} {
		key, base, _ := usual(protocol)
		for _, name := range []string{base, key} {
			switch v := l.value(name); {
			case v == own.value(name):
				continue
			case v == "": // a file stands before the person's own
				return agent.ByProject("", cmp.Or(l.file, l.project))
			case l.vars[name] == "":
				return agent.ByProject(name, l.project)
			}
			return agent.ByProject(name, l.file)
		}
	}
	for _, keys := range [][]string{
		{"security", "auth", "baseUrl"},
		{"security", "auth", "apiKey"},
		{"security", "auth", "selectedType"},
		{"selectedAuthType"},
		{"modelProviders"},
		{"providerProtocol"},
		{"model", "name"},
		{"fastModel"},
	} {
		if !reflect.DeepEqual(filelog.At(l.settings, keys...), filelog.At(own.settings, keys...)) {
			return agent.ByProject(strings.Join(keys, "."), l.project)
		}
	}
	return agent.ByProject("", cmp.Or(l.file, l.project))
}

// find reads the first .env file there is, from dir upward; the person's own
// alone where there is no dir.
func (l *lookup) find(dir, root string) *agent.Problem {
	var files []string
	for _, d := range filelog.Upward(dir) {
		files = append(files, filepath.Join(d, ".qwen", ".env"), filepath.Join(d, ".env"))
	}
	files = append(files, filepath.Join(root, ".env"), filepath.Join(filepath.Dir(root), ".env"))
	for _, f := range files {
		if !filelog.Exists(f) {
			continue
		}
		l.file = f
		if filelog.Folder(f) { // some keep programs in it: the agent reads nothing
			return nil
		}
		b, p := filelog.Settings(f)
		l.vars = filelog.DotEnv(b)
		return p
	}
	return nil
}

func (l *lookup) get(name string) (value, origin string) {
	if v := strings.TrimSpace(l.env(name)); v != "" {
		return v, "env " + name
	}
	if v := strings.TrimSpace(l.vars[name]); v != "" {
		return v, name + " of " + l.file
	}
	return filelog.TextAt(l.settings, "env", name), name + " of settings.json"
}

func (l *lookup) value(name string) string {
	v, _ := l.get(name)
	return v
}

// text gives a text of the settings with its variables filled.
func (l *lookup) text(keys ...string) string {
	return strings.TrimSpace(filelog.Expand(filelog.TextAt(l.settings, keys...), l.value))
}

// entry is a model that Qwen Code can use, "" for any, and where it is.
type entry struct {
	kind     string // of the login: openai, anthropic, gemini, …
	model    string
	provider agent.ProviderSettings
}

// oauthKind is the login at qwen.ai.
const oauthKind = "qwen-oauth"

// models is what the settings and the environment offer.
type models struct {
	chosen  string // kind of the login that is chosen
	entries []entry
}

// usual are the variables of the kinds of login.
func usual(protocol string) (key, base, model string) {
	switch protocol {
	case "anthropic":
		return "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"
	case "gemini":
		return "GEMINI_API_KEY", "GEMINI_BASE_URL", "GEMINI_MODEL"
	}
	return "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"
}

func (s *Source) models(l *lookup, model string) *models {
	m := &models{chosen: l.text("security", "auth", "selectedType")}
	if m.chosen == "" {
		m.chosen = l.text("selectedAuthType")
	}
	if m.chosen == "" {
		m.chosen = s.guess(l, model)
	}
	lists, _ := l.settings["modelProviders"].(map[string]any)
	for kind, x := range lists {
		list, _ := x.([]any)
		protocol := kind
		if p := l.text("providerProtocol", kind); p != "" {
			protocol = p
		}
		for _, x := range list {
			if x, ok := x.(map[string]any); ok {
				m.entries = append(m.entries, l.entry(kind, protocol, x))
			}
		}
	}
	slices.SortStableFunc(m.entries, func(a, b entry) int { // the chosen kind first
		return strings.Compare(order(a.kind, m.chosen), order(b.kind, m.chosen))
	})
	if e := s.login(m.chosen, l); e.kind != "" && !slices.ContainsFunc(m.entries, func(x entry) bool { return x.kind == e.kind && x.model == e.model }) {
		m.entries = append(m.entries, e)
	}
	return m
}

func order(kind, chosen string) string {
	if kind == chosen {
		return ""
	}
	return "1" + kind
}

// guess tells the login where the settings choose none: that of a key in Qwen
// Code's own files, or of one in the environment where the model can be its
// provider's. That key may be there for another program, and text must not go to
// a provider for that.
func (s *Source) guess(l *lookup, model string) string {
	for _, kind := range []string{"openai", "anthropic", "gemini"} {
		key, base, name := usual(kind)
		switch {
		case l.value(key) == "":
		case l.vars[key] != "", filelog.TextAt(l.settings, "env", key) != "":
			return kind
		case model != "" && l.value(name) == model, vendors(kind, model), kind == "openai" && l.value(base) != "":
			return kind
		}
	}
	if filelog.Exists(filepath.Join(s.cfg.Root, "oauth_creds.json")) {
		return oauthKind
	}
	return ""
}

// vendors reports whether the model has a name as the maker of the protocol
// gives it.
func vendors(protocol, model string) bool {
	names := []string{"gpt-", "chatgpt-", "codex-", "o1", "o3", "o4"}
	switch protocol {
	case "anthropic":
		names = []string{"claude-"}
	case "gemini":
		names = []string{"gemini-", "gemma-"}
	}
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(model, n) })
}

// entry reads one model of the settings.
func (l *lookup) entry(kind, protocol string, x map[string]any) entry {
	text := func(k string) string { return strings.TrimSpace(filelog.Expand(filelog.TextAt(x, k), l.value)) }
	key, _, _ := usual(protocol)
	if k := text("envKey"); k != "" {
		key = k
	}
	e := entry{kind: kind, model: text("id"), provider: provider(protocol, text("baseUrl"))}
	e.provider.Headers = l.headers(filelog.At(x, "generationConfig", "customHeaders"))
	if e.provider.Problem != "" {
		return e
	}
	if v, origin := l.get(key); agent.IsKey(v) {
		e.provider.Key, e.provider.Origin = v, origin
	}
	return e
}

func (l *lookup) headers(v any) map[string]string {
	m, _ := v.(map[string]any)
	var out map[string]string
	for k, x := range m {
		s, _ := x.(string)
		if s = strings.TrimSpace(filelog.Expand(s, l.value)); s == "" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[k] = s
	}
	return out
}

// login reads the login that is not a list of models: of the environment, or
// of the settings.
func (s *Source) login(kind string, l *lookup) entry {
	switch kind {
	case "":
		return entry{}
	case oauthKind:
		return entry{kind: kind, provider: agent.ProviderSettings{ID: oauthKind, Origin: "Qwen login", Problem: agent.SubscriptionLogin}}
	}
	protocol := kind
	if p := l.text("providerProtocol", kind); p != "" {
		protocol = p
	}
	key, base, model := usual(protocol)
	address := l.value(base)
	if address == "" {
		address = l.text("security", "auth", "baseUrl")
	}
	e := entry{kind: kind, model: l.value(model), provider: provider(protocol, address)}
	if e.model == "" {
		e.model = l.text("model", "name")
	}
	if e.provider.Problem != "" {
		return e
	}
	if v, origin := l.get(key); agent.IsKey(v) {
		e.provider.Key, e.provider.Origin = v, origin
	} else if v := l.text("security", "auth", "apiKey"); agent.IsKey(v) {
		e.provider.Key, e.provider.Origin = v, "settings.json"
	}
	return e
}

// provider makes a provider of an address. Two addresses are two providers.
func provider(protocol, base string) agent.ProviderSettings {
	base = strings.TrimRight(base, "/")
	switch protocol {
	case "openai", "anthropic", "gemini":
		return agent.ProviderSettings{ID: agent.ProviderAt(protocol, base), Protocol: protocol, BaseURL: base}
	case "vertex-ai":
		return agent.ProviderSettings{ID: "google-vertex", Problem: agent.CloudLogin}
	case oauthKind:
		return agent.ProviderSettings{ID: oauthKind, Problem: agent.SubscriptionLogin}
	}
	return agent.ProviderSettings{ID: protocol, BaseURL: base, Problem: agent.OtherProtocol}
}

// session names the provider of the session's model: of the entry of the
// chosen login that has it, else of another login's, else of the chosen login.
// Where that is not one provider it is not guessed: text must not go to
// another than the person chose.
func (m *models) session(used recap.ModelRef) recap.ModelRef {
	used.Provider = "" // the transcript does not say
	for _, fits := range []func(entry) bool{
		func(e entry) bool { return e.kind == m.chosen && e.model == used.ID },
		func(e entry) bool { return e.kind != m.chosen && e.model == used.ID },
		func(e entry) bool { return e.kind == m.chosen },
	} {
		id := ""
		for _, e := range m.entries {
			switch {
			case !fits(e):
			case id != "" && id != e.provider.ID:
				return used
			default:
				id = e.provider.ID
			}
		}
		if id != "" && used.ID != "" {
			return recap.ModelRef{Provider: id, ID: used.ID}
		}
	}
	return used
}

// named finds the model that a setting names: "id", or "kind:id" for another
// login than the chosen one. Zero where no login has it.
func (m *models) named(name string) recap.ModelRef {
	if name == "" {
		return recap.ModelRef{}
	}
	kind, id, ok := strings.Cut(name, ":")
	for _, e := range m.entries {
		if e.kind == m.chosen && e.model == name || ok && e.kind == kind && e.model == id {
			return recap.ModelRef{Provider: e.provider.ID, ID: e.model}
		}
	}
	return recap.ModelRef{}
}
