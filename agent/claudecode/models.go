package claudecode

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

var _ agent.Modeler = (*Source)(nil)

// Models reads the "env" blocks of Claude Code's settings, which win over the
// environment: the person's, the project's, the project's local ones, the
// machine's, the last wins. The project's choose the small model, and nothing
// else: where they would change the provider, it is barred. Of a subscription
// it is only seen that there is one: the file with its login is never opened. A
// command that makes keys is never run.
func (s *Source) Models(ctx context.Context, x recap.Session, env func(string) string) (agent.ModelSettings, error) {
	l, own := newLookup(env), newLookup(env) // all layers, and the person's alone
	both := func(path string) {
		v := l.file(path)
		own.take(v, path)
	}
	both(filepath.Join(s.cfg.Root, "settings.json"))
	if filepath.IsAbs(x.Directory) {
		folder := filepath.Join(projectOf(x.Directory, s.cfg.Root), ".claude")
		read := func(path string) { l.project = append(l.project, path); l.file(path) }
		if folder == filepath.Clean(s.cfg.Root) {
			read = both
		}
		read(filepath.Join(folder, "settings.json"))
		read(filepath.Join(folder, "settings.local.json"))
	}
	both(managed())
	if err := ctx.Err(); err != nil {
		return agent.ModelSettings{}, err
	}
	own.env = filelog.OwnEnv(env, "CLAUDECODE", func(name string) string {
		if slices.Contains(l.project, l.from[name]) {
			return l.block[name]
		}
		return ""
	})
	p := s.provider(own)
	out := agent.ModelSettings{Session: x.Model, Providers: []agent.ProviderSettings{p}, Problems: l.problems}
	if out.Session.ID != "" {
		out.Session.Provider = p.ID
	}
	if !p.Same(s.provider(l)) {
		out.SessionBarred = l.decided(own)
		out.SmallBarred = out.SessionBarred
	}
	for _, name := range []string{"ANTHROPIC_DEFAULT_HAIKU_MODEL", "ANTHROPIC_SMALL_FAST_MODEL"} {
		if id := l.get(name); id != "" && out.Small.ID == "" {
			out.Small = recap.ModelRef{Provider: p.ID, ID: withoutWindow(id)}
			out.SmallOrigin = l.origin(name)
		}
	}
	return out, nil
}

// withoutWindow takes Claude Code's own mark of a long context off a model.
func withoutWindow(id string) string { return strings.TrimSuffix(id, "[1m]") }

// managed is where the machine's keeper puts settings that win over all.
func managed() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	}
	return "/etc/claude-code/managed-settings.json"
}

// projectOf gives the nearest folder from dir upward that has settings of a
// project, up to the repository's root. The home of the agent is none.
func projectOf(dir, root string) string {
	for _, d := range filelog.Upward(dir) {
		own := filepath.Join(d, ".claude")
		if own != filepath.Clean(root) && (filelog.Exists(filepath.Join(own, "settings.json")) || filelog.Exists(filepath.Join(own, "settings.local.json"))) {
			return d
		}
		if filelog.Exists(filepath.Join(d, ".git")) {
			break
		}
	}
	return dir
}

// lookup is the environment as Claude Code sees it.
type lookup struct {
	env      func(string) string
	block    map[string]string
	from     map[string]string // name → file
	helper   string            // the file that has a command make the keys
	forced   string            // the login that has to be used, "" for any
	project  []string          // files of the project
	problems []agent.Problem
}

func newLookup(env func(string) string) *lookup {
	return &lookup{env: env, block: map[string]string{}, from: map[string]string{}}
}

func (l *lookup) file(path string) map[string]any {
	v, p := filelog.JSONSettings(path)
	if p != nil {
		l.problems = append(l.problems, *p)
	}
	l.take(v, path)
	return v
}

func (l *lookup) take(v map[string]any, path string) {
	block, _ := v["env"].(map[string]any)
	for name, x := range block {
		switch x := x.(type) {
		case string:
			l.block[name] = x
		case bool, float64:
			l.block[name] = fmt.Sprint(x)
		default:
			continue
		}
		l.from[name] = path
	}
	if m, ok := v["forceLoginMethod"].(string); ok {
		l.forced = m
	}
	if c, ok := v["apiKeyHelper"].(string); ok {
		l.helper = ""
		if strings.TrimSpace(c) != "" {
			l.helper = path
		}
	}
}

// decided names what a file of the project changes of the person's own
// settings of a provider.
func (l *lookup) decided(own *lookup) string {
	for _, name := range []string{
		"ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_CUSTOM_HEADERS", "CLAUDE_CODE_USE_BEDROCK",
		"CLAUDE_CODE_USE_MANTLE", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_OAUTH_TOKEN",
	} {
		if l.get(name) != own.get(name) {
			return agent.ByProject(name, l.from[name])
		}
	}
	if l.forced != own.forced {
		return agent.ByProject("forceLoginMethod", strings.Join(l.project, ", "))
	}
	return agent.ByProject("apiKeyHelper", cmp.Or(l.helper, strings.Join(l.project, ", ")))
}

func (l *lookup) get(name string) string {
	if v, ok := l.block[name]; ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(l.env(name))
}

func (l *lookup) origin(name string) string {
	if f, ok := l.from[name]; ok {
		return name + " of " + f
	}
	return "env " + name
}

func (l *lookup) on(name string) bool {
	switch strings.ToLower(l.get(name)) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

// provider says where Claude Code sends its requests, and with which login.
func (s *Source) provider(l *lookup) agent.ProviderSettings {
	for _, c := range []struct{ name, id string }{
		{"CLAUDE_CODE_USE_BEDROCK", "amazon-bedrock"},
		{"CLAUDE_CODE_USE_MANTLE", "amazon-bedrock"},
		{"CLAUDE_CODE_USE_VERTEX", "google-vertex"},
		{"CLAUDE_CODE_USE_FOUNDRY", "azure"},
	} {
		if l.on(c.name) {
			return agent.ProviderSettings{ID: c.id, Origin: l.origin(c.name), Problem: agent.CloudLogin}
		}
	}
	base := strings.TrimRight(l.get("ANTHROPIC_BASE_URL"), "/")
	p := agent.ProviderSettings{
		ID: agent.ProviderAt("anthropic", base), Protocol: "anthropic", BaseURL: base,
		Headers: headers(l.get("ANTHROPIC_CUSTOM_HEADERS")),
	}
	token, key := l.get("ANTHROPIC_AUTH_TOKEN"), l.get("ANTHROPIC_API_KEY")
	switch {
	case agent.IsKey(token):
		// Sent as a bearer, not as a key of the interface.
		if p.Headers == nil {
			p.Headers = map[string]string{}
		}
		p.Headers["Authorization"] = "Bearer " + token
		p.Origin = l.origin("ANTHROPIC_AUTH_TOKEN")
	case l.forced == "claudeai": // no key counts then
		p.Problem, p.Origin = agent.SubscriptionLogin, "forceLoginMethod"
	case agent.IsKey(key):
		p.Key, p.Origin = key, l.origin("ANTHROPIC_API_KEY")
	case l.helper != "":
		p.Problem, p.Origin = agent.CommandLogin, "apiKeyHelper"
	case l.get("CLAUDE_CODE_OAUTH_TOKEN") != "":
		p.Problem, p.Origin = agent.SubscriptionLogin, l.origin("CLAUDE_CODE_OAUTH_TOKEN")
	case filelog.Exists(filepath.Join(s.cfg.Root, ".credentials.json")):
		p.Problem, p.Origin = agent.SubscriptionLogin, ".credentials.json"
	}
	return p
}

// headers reads lines of "Name: value".
func headers(s string) map[string]string {
	var out map[string]string
	for line := range strings.Lines(s) {
		name, v, ok := strings.Cut(line, ":")
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
