package opencode

import (
	"cmp"
	"context"
	"maps"
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

// disabled is the problem of a provider that the settings take out.
const disabled = "disabled in OpenCode's settings"

// Models reads all layers of OpenCode's configuration for the session's
// directory, and its store of logins. Later layers win: the person's own, the
// file that OPENCODE_CONFIG names, the project's (the nearest last), the
// .opencode folders, OPENCODE_CONFIG_DIR, OPENCODE_CONFIG_CONTENT, and the
// machine's. The project's layers choose among the providers of the others, and
// may take some out: where they would define or change one, that is barred, and
// what they name in braces is not read. Nothing is written and no server is
// asked.
func (s *Source) Models(ctx context.Context, x recap.Session, env func(string) string) (agent.ModelSettings, error) {
	c := &layers{env: env, from: map[string]string{}, byProject: map[string]string{}, defined: map[string]string{}}
	c.home = filelog.UserHome(env)
	configDir := filepath.Join(c.home, ".config", "opencode")
	if d := env("XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		configDir = filepath.Join(d, "opencode")
	}
	if home, ok := strings.CutSuffix(filepath.ToSlash(s.cfg.Root), "/.local/share/opencode"); ok && s.cfg.Origin == "config" {
		c.home = filepath.FromSlash(home) // another person's home, or a copy
		configDir = filepath.Join(c.home, ".config", "opencode")
	}
	if c.home != "" || filepath.IsAbs(configDir) {
		c.file(filepath.Join(configDir, "config.json"))
		c.file(filepath.Join(configDir, "opencode.json"))
		c.file(filepath.Join(configDir, "opencode.jsonc"))
	}
	if f := env("OPENCODE_CONFIG"); f != "" {
		c.read(c.path(f, x.Directory), c.inProject(f, x.Directory))
	}
	c.folders(x.Directory)
	if text := env("OPENCODE_CONFIG_CONTENT"); text != "" {
		v, err := filelog.ParseJSON([]byte(text))
		if err != nil {
			c.problem("OPENCODE_CONFIG_CONTENT", err.Error())
		}
		c.add(v, "env OPENCODE_CONFIG_CONTENT", "", false)
	}
	c.pair(managed(), false)
	if err := ctx.Err(); err != nil {
		return agent.ModelSettings{}, err
	}
	return c.settings(x, s.cfg.Root), nil
}

// managed is where the machine's keeper puts settings that win over all.
func managed() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/opencode"
	}
	return "/etc/opencode"
}

// layers merges the layers of the configuration.
type layers struct {
	env  func(string) string
	home string
	// own are the layers of the person and the machine, merged are all.
	own, merged map[string]any
	from        map[string]string // key of the configuration → where its value stands
	byProject   map[string]string // the same, only where that is a file of the project
	defined     map[string]string // id of a provider → file of the project that says something of it
	problems    []agent.Problem
}

func (c *layers) problem(path, reason string) {
	c.problems = append(c.problems, agent.Problem{Path: path, Reason: reason, Count: 1})
}

// path gives the file that a setting names.
func (c *layers) path(f, dir string) string {
	if rest, ok := strings.CutPrefix(f, "~/"); ok && c.home != "" {
		return filepath.Join(c.home, rest)
	}
	if !filepath.IsAbs(f) {
		return filepath.Join(dir, f)
	}
	return filepath.Clean(f)
}

// inProject reports that a variable of the environment names a file that the
// project has: another in each, or one in this. A repository that holds the
// person's home is no project.
func (c *layers) inProject(f, dir string) bool {
	if c.home != "" && strings.HasPrefix(f, "~/") {
		f = c.path(f, dir)
	}
	if !filepath.IsAbs(f) {
		return true
	}
	root := ""
	for _, d := range filelog.Upward(dir) {
		if filelog.Exists(filepath.Join(d, ".git")) {
			root = d
			break
		}
	}
	root = cmp.Or(root, dir)
	return filepath.IsAbs(root) && agent.Within(f, root) && !agent.Within(c.home, root)
}

// file reads a layer of the person's own.
func (c *layers) file(path string) { c.read(path, false) }

func (c *layers) read(path string, project bool) {
	v, p := filelog.JSONSettings(path)
	if p != nil {
		c.problems = append(c.problems, *p)
	}
	c.add(v, path, filepath.Dir(path), project)
}

// pair reads the two files that a folder may have.
func (c *layers) pair(dir string, project bool) {
	c.read(filepath.Join(dir, "opencode.json"), project)
	c.read(filepath.Join(dir, "opencode.jsonc"), project)
}

// folders reads the project's files from its root down to the directory, and
// then the .opencode folders in the same order.
func (c *layers) folders(dir string) {
	var up []string
	if off := c.env("OPENCODE_DISABLE_PROJECT_CONFIG"); off == "" || off == "0" || off == "false" {
		up = filelog.Upward(dir)
		for i, d := range up {
			if filelog.Exists(filepath.Join(d, ".git")) {
				up = up[:i+1]
				break
			}
		}
		slices.Reverse(up)
	}
	for _, d := range up {
		c.pair(d, true)
	}
	for _, d := range up {
		if d != c.home {
			c.pair(filepath.Join(d, ".opencode"), true)
		}
	}
	if c.home != "" {
		c.pair(filepath.Join(c.home, ".opencode"), false)
	}
	if d := c.env("OPENCODE_CONFIG_DIR"); d != "" {
		c.pair(c.path(d, dir), c.inProject(d, dir))
	}
}

// add lays what a layer says of models over the layers before it. What one of
// the project says is taken as it stands.
func (c *layers) add(v map[string]any, from, dir string, project bool) {
	take := map[string]any{}
	for _, k := range []string{"model", "small_model", "provider", "enabled_providers", "disabled_providers"} {
		x, ok := v[k]
		if !ok || x == nil {
			continue
		}
		c.from[k] = from
		delete(c.byProject, k)
		if project {
			c.byProject[k] = from
		} else {
			x = c.filled(x, from, dir)
		}
		take[k] = x
	}
	c.merged = filelog.Merge(c.merged, take)
	if !project {
		c.own = filelog.Merge(c.own, take)
		return
	}
	providers, _ := take["provider"].(map[string]any)
	for id := range providers {
		c.defined[id] = from
	}
}

// filled replaces {env:NAME} and {file:path} in all texts of a value.
func (c *layers) filled(v any, from, dir string) any {
	switch v := v.(type) {
	case string:
		return c.text(v, from, dir)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.filled(v[i], from, dir)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = c.filled(x, from, dir)
		}
		return out
	}
	return v
}

func (c *layers) text(s, from, dir string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		inner, after, closed := strings.Cut(rest, "}")
		name, isEnv := strings.CutPrefix(inner, "env:")
		file, isFile := strings.CutPrefix(inner, "file:")
		switch {
		case closed && isEnv && name != "":
			out.WriteString(c.env(name))
			s = after
		case closed && isFile && file != "":
			out.WriteString(c.content(file, from, dir))
			s = after
		default:
			out.WriteByte('{')
			s = rest
		}
	}
}

// content is what a layer names as {file:path}. A layer without a folder of
// its own may name no file of the project.
func (c *layers) content(file, from, dir string) string {
	if dir == "" && !filepath.IsAbs(file) && (c.home == "" || !strings.HasPrefix(file, "~/")) {
		c.problem(strings.TrimPrefix(from, "env "), "names a file of the project")
		return ""
	}
	b, p := filelog.Settings(c.path(file, dir))
	if p != nil {
		c.problems = append(c.problems, *p)
	} else if b == nil {
		c.problem(from, "names a file that does not exist")
	}
	return strings.TrimSpace(string(b))
}

// settings makes the answer of the merged layers and the store of logins.
func (c *layers) settings(x recap.Session, root string) agent.ModelSettings {
	out := agent.ModelSettings{Session: x.Model}
	if out.Session.ID == "" {
		out.Session = recap.ModelRef{}
		if m := recap.ParseModelRef(filelog.TextAt(c.merged, "model")); m.Provider != "" {
			out.Session = m
		}
	}
	switch small := recap.ParseModelRef(filelog.TextAt(c.merged, "small_model")); {
	case small.ID == "":
	case small.Provider == "":
		out.Notes = append(out.Notes, agent.Problem{Path: c.from["small_model"], Reason: "small_model names no provider", Count: 1})
	default:
		out.Small, out.SmallOrigin = small, "small_model of "+c.from["small_model"]
	}
	logins, p := filelog.JSONSettings(filepath.Join(root, "auth.json"))
	if p != nil {
		c.problems = append(c.problems, *p)
	}
	configured, _ := c.own["provider"].(map[string]any)
	ids := map[string]bool{}
	for id := range configured {
		ids[id] = true
	}
	for id := range logins {
		ids[strings.TrimRight(id, "/")] = true
	}
	for _, m := range []recap.ModelRef{out.Session, out.Small} {
		if m.Provider != "" {
			ids[m.Provider] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		named := id == out.Session.Provider || id == out.Small.Provider
		if !c.enabled(id) && !named {
			continue
		}
		out.Providers = append(out.Providers, c.provider(id, logins))
	}
	out.SessionBarred = c.barred(out.Session.Provider)
	out.SmallBarred = c.barred(out.Small.Provider)
	if from := c.byProject["small_model"]; from != "" {
		out.SmallByProject = agent.ByProject("small_model", from)
	}
	if from := c.byProject["model"]; from != "" && x.Model.ID == "" && out.SessionBarred == "" {
		out.SessionBarred = agent.ByProject("model", from)
	}
	out.Session.ID, out.Small.ID = c.apiID(out.Session), c.apiID(out.Small)
	out.Problems = c.problems
	return out
}

// barred says why a provider must not be asked in this project.
func (c *layers) barred(id string) string {
	if c.defined[id] == "" || reflect.DeepEqual(routing(c.own, id), routing(c.merged, id)) {
		return ""
	}
	return agent.ByProject("provider."+id, c.defined[id])
}

// routing is what a configuration says of a provider that may lead a request
// elsewhere: all but names, times, and what its models can do.
func routing(config map[string]any, id string) map[string]any {
	p, _ := filelog.At(config, "provider", id).(map[string]any)
	out := maps.Clone(p)
	for _, k := range []string{"name", "models", "whitelist", "blacklist"} {
		delete(out, k)
	}
	if options, ok := p["options"].(map[string]any); ok {
		options = maps.Clone(options)
		for _, k := range []string{"timeout", "chunkTimeout", "setCacheKey"} {
			delete(options, k)
		}
		out["options"] = options
		if len(options) == 0 {
			delete(out, "options")
		}
	}
	models, _ := p["models"].(map[string]any)
	for name, x := range models {
		m, _ := x.(map[string]any)
		for _, k := range []string{"provider", "headers"} {
			if v, ok := m[k]; ok {
				out = filelog.Merge(out, map[string]any{"models": map[string]any{name: map[string]any{k: v}}})
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// enabled reports that neither the person nor the project takes a provider out.
func (c *layers) enabled(id string) bool { return enabledIn(c.own, id) && enabledIn(c.merged, id) }

func enabledIn(config map[string]any, id string) bool {
	in := func(key string) bool {
		l, _ := config[key].([]any)
		return slices.Contains(l, any(id))
	}
	_, only := config["enabled_providers"].([]any)
	return (!only || in("enabled_providers")) && !in("disabled_providers")
}

// apiID gives the id that the provider knows a model by.
func (c *layers) apiID(m recap.ModelRef) string {
	if id := filelog.TextAt(c.merged, "provider", m.Provider, "models", m.ID, "id"); id != "" {
		return id
	}
	return m.ID
}

// provider joins what the configuration and the store of logins say of one.
func (c *layers) provider(id string, logins map[string]any) agent.ProviderSettings {
	at := func(keys ...string) string {
		return filelog.TextAt(c.own, append([]string{"provider", id}, keys...)...)
	}
	p := agent.ProviderSettings{ID: id, BaseURL: at("options", "baseURL"), Headers: headersOf(filelog.At(c.own, "provider", id, "options", "headers"))}
	if p.BaseURL == "" {
		p.BaseURL = at("api")
	}
	p.BaseURL = strings.TrimRight(p.BaseURL, "/")
	var known bool
	p.Protocol, known = protocolOf(id, at("npm"))
	switch p.Protocol {
	case "anthropic": // the package's addresses end in the version, ours do not
		p.BaseURL = strings.TrimSuffix(p.BaseURL, "/v1")
	case "gemini":
		p.BaseURL = strings.TrimSuffix(strings.TrimSuffix(p.BaseURL, "/v1beta"), "/v1")
	}
	switch {
	case !c.enabled(id):
		p.Problem = disabled
		return p
	case !known:
		p.Problem = agent.OtherProtocol
		return p
	}
	if k := at("options", "apiKey"); agent.IsKey(k) {
		p.Key, p.Origin = k, "config"
		return p
	}
	login, ok := logins[id].(map[string]any)
	if !ok {
		login, _ = logins[id+"/"].(map[string]any)
	}
	if typ := filelog.TextAt(login, "type"); typ == "api" {
		if k := filelog.TextAt(login, "key"); agent.IsKey(k) {
			p.Key, p.Origin = k, "auth.json"
			return p
		}
	} else if typ != "" {
		p.Problem, p.Origin = agent.SubscriptionLogin, "auth.json"
		return p
	}
	for _, name := range c.variables(id) {
		if k := strings.TrimSpace(c.env(name)); agent.IsKey(k) {
			p.Key, p.Origin = k, "env "+name
			return p
		}
	}
	return p
}

// variables are the names of the variables that may hold a provider's key:
// those of the configuration, else the usual ones.
func (c *layers) variables(id string) []string {
	var out []string
	list, _ := filelog.At(c.own, "provider", id, "env").([]any)
	for _, n := range list {
		if name, _ := n.(string); name != "" {
			out = append(out, name)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case id == "google":
		return []string{"GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"}
	}
	return []string{strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(id)) + "_API_KEY"}
}

func headersOf(v any) map[string]string {
	m, _ := v.(map[string]any)
	var out map[string]string
	for k, x := range m {
		if s, ok := x.(string); ok && s != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[k] = s
		}
	}
	return out
}

// protocolOf tells by the package that OpenCode loads for a provider which
// protocol it speaks: "" where that follows from the catalogue. Packages that
// need a login of their own are not known.
func protocolOf(id, npm string) (protocol string, known bool) {
	switch npm {
	case "@ai-sdk/openai-compatible", "@ai-sdk/openai", "@openrouter/ai-sdk-provider":
		return "openai", true
	case "@ai-sdk/anthropic":
		return "anthropic", true
	case "@ai-sdk/google":
		return "gemini", true
	case "":
	default:
		return "", !apart(npm)
	}
	switch id {
	case "anthropic":
		return "anthropic", true
	case "google":
		return "gemini", true
	case "openai":
		return "openai", true
	}
	return "", !apart(id)
}

// apart reports a provider whose requests are signed by a cloud's login or by
// a program of its own.
func apart(name string) bool {
	for _, s := range []string{"bedrock", "vertex", "azure", "copilot", "gitlab", "sap-ai", "cloudflare"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
