package geminicli

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

var _ agent.Modeler = (*Source)(nil)

// Models reads the environment, the first .env file that Gemini CLI finds (from
// the session's directory upward, .gemini/.env before .env, then the person's
// own), and the kind of login in its settings. A file of the project decides
// nothing: where it would, the provider is barred. Of a Google login it is only
// seen that there is one: the file with it is never opened.
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
	read := func(f string, lookups ...*lookup) {
		v, p := filelog.JSONSettings(f)
		problem(p)
		for _, l := range lookups {
			l.settings = filelog.Merge(l.settings, v)
		}
	}
	read(filepath.Join(s.cfg.Root, "settings.json"), l, own)
	project := filepath.Join(x.Directory, ".gemini")
	if filepath.IsAbs(project) && project != filepath.Clean(s.cfg.Root) {
		read(filepath.Join(project, "settings.json"), l)
	}
	read(machine(env), l, own)
	if l.file != own.file {
		own.env = filelog.OwnEnv(env, "GEMINI_CLI", func(name string) string { return l.vars[name] })
	}
	p := s.provider(own)
	if out.Session = x.Model; out.Session.ID != "" {
		out.Session.Provider = p.ID
	}
	if !p.Same(s.provider(l)) {
		out.SessionBarred = l.decided(own, filepath.Join(project, "settings.json"))
	}
	out.Providers = []agent.ProviderSettings{p}
	return out, nil
}

// machine is where the machine's keeper puts settings that win over all.
func machine(env func(string) string) string {
	if f := env("GEMINI_CLI_SYSTEM_SETTINGS_PATH"); filepath.IsAbs(f) {
		return f
	}
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/GeminiCli/settings.json"
	}
	return "/etc/gemini-cli/settings.json"
}

// lookup is the environment as Gemini CLI sees it: its file fills what the
// environment does not have.
type lookup struct {
	env      func(string) string
	vars     map[string]string
	file     string
	settings map[string]any
}

// kind is the login that the settings choose.
func (l *lookup) kind() string {
	kind := filelog.TextAt(l.settings, "security", "auth", "selectedType")
	if kind == "" {
		kind = filelog.TextAt(l.settings, "selectedAuthType")
	}
	return filelog.Expand(kind, l.value)
}

// decided names what a file of the project changes of the person's own
// settings of a provider. settings is that of the project.
func (l *lookup) decided(own *lookup, settings string) string {
	for _, name := range []string{
		"GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GEMINI_CLI_CUSTOM_HEADERS", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA",
	} {
		if l.value(name) == own.value(name) {
			continue
		}
		if l.vars[name] == "" { // it stands before the person's own file
			name = ""
		}
		return agent.ByProject(name, l.file)
	}
	return agent.ByProject("the login", settings)
}

// find reads the first .env file there is, from dir upward; the person's own
// alone where there is no dir.
func (l *lookup) find(dir, root string) *agent.Problem {
	var files []string
	for _, d := range filelog.Upward(dir) {
		files = append(files, filepath.Join(d, ".gemini", ".env"), filepath.Join(d, ".env"))
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
	return strings.TrimSpace(l.vars[name]), name + " of " + l.file
}

func (l *lookup) value(name string) string {
	v, _ := l.get(name)
	return v
}

// provider says where Gemini CLI sends its requests, and with which login.
func (s *Source) provider(l *lookup) agent.ProviderSettings {
	kind := l.kind()
	base := strings.TrimRight(l.value("GOOGLE_GEMINI_BASE_URL"), "/")
	p := agent.ProviderSettings{ID: agent.ProviderAt("gemini", base), Protocol: "gemini", BaseURL: base, Headers: headers(l.value("GEMINI_CLI_CUSTOM_HEADERS"))}
	vertex := strings.EqualFold(l.value("GOOGLE_GENAI_USE_VERTEXAI"), "true")
	google := strings.EqualFold(l.value("GOOGLE_GENAI_USE_GCA"), "true")
	switch {
	case kind == "vertex-ai", kind == "" && vertex && !google:
		return agent.ProviderSettings{ID: "google-vertex", Origin: "Vertex AI", Problem: agent.CloudLogin}
	case kind == "oauth-personal", kind == "cloud-shell", kind == "compute-default-credentials", kind == "" && google:
		p.Origin, p.Problem = "Google login", agent.SubscriptionLogin
		return p
	}
	for _, name := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"} {
		if k, origin := l.get(name); agent.IsKey(k) {
			p.Key, p.Origin = k, origin
			return p
		}
	}
	if kind == "" && filelog.Exists(filepath.Join(s.cfg.Root, "oauth_creds.json")) {
		p.Origin, p.Problem = "oauth_creds.json", agent.SubscriptionLogin
	}
	return p
}

// headers reads "Name: value, Name: value".
func headers(s string) map[string]string {
	var out map[string]string
	for part := range strings.SplitSeq(s, ",") {
		name, v, ok := strings.Cut(part, ":")
		name, v = strings.TrimSpace(name), strings.TrimSpace(v)
		if !ok || name == "" || v == "" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = v
	}
	return out
}
