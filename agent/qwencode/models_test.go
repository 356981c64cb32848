package qwencode

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// keyMark stands in every key of these tests.
const keyMark = "sk-made-"

func TestModels(t *testing.T) {
	const (
		user = "home/.qwen/settings.json"
		dash = "https://dashscope.aliyuncs.com/compatible-mode/v1"
		two  = `"modelProviders":{"openai":[
			{"id":"big","baseUrl":"` + dash + `","envKey":"DASH"},
			{"id":"small","baseUrl":"` + dash + `","envKey":"DASH"}],
			"anthropic":[{"id":"claude-x","envKey":"ANT"}]}`
		openai = `"security":{"auth":{"selectedType":"openai"}}`
		oauth  = `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`
	)
	keys := map[string]string{"DASH": "sk-made-d", "ANT": "sk-made-a"}
	const dashProvider = "alibaba-cn|openai|" + dash + "|sk-made-d|env DASH|"
	for _, c := range []struct {
		name    string
		files   map[string]string
		env     map[string]string
		model   string // of the session
		session string // its provider
		small   string
		want    []string
		problem string
	}{
		{"nothing at all", nil, nil, "big", "", "", nil, ""},
		{"environment", nil, map[string]string{"OPENAI_API_KEY": "sk-made-1", "OPENAI_BASE_URL": dash + "/", "OPENAI_MODEL": "big"}, "big", "alibaba-cn", "", []string{"alibaba-cn|openai|" + dash + "|sk-made-1|env OPENAI_API_KEY|"}, ""},
		{"environment, no address", nil, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "gpt-big", "openai", "", []string{"openai|openai||sk-made-1|env OPENAI_API_KEY|"}, ""},
		{"environment, a model of its name", nil, map[string]string{"ANTHROPIC_API_KEY": "sk-made-1", "ANTHROPIC_MODEL": "big"}, "big", "anthropic", "", []string{"anthropic|anthropic||sk-made-1|env ANTHROPIC_API_KEY|"}, ""},
		{"E61 the key of another program", nil, map[string]string{"ANTHROPIC_API_KEY": "sk-made-1", "OPENAI_API_KEY": "sk-made-2", "GEMINI_API_KEY": "sk-made-3"}, "qwen3-coder-plus", "", "", nil, ""},
		{"E61 the key and the address of another program", nil, map[string]string{"ANTHROPIC_API_KEY": "sk-made-1", "ANTHROPIC_BASE_URL": "http://127.0.0.1:5"}, "qwen3-coder-plus", "", "", nil, ""},
		{"E61 the key of another program beside a Qwen login", map[string]string{"home/.qwen/oauth_creds.json": `{}`}, map[string]string{"ANTHROPIC_API_KEY": "sk-made-1", "OPENAI_API_KEY": "sk-made-2", "GEMINI_API_KEY": "sk-made-3"}, "qwen3-coder-plus", "qwen-oauth", "", []string{"qwen-oauth||||Qwen login|subscription login"}, ""},
		{"the key of another program before its own", nil, map[string]string{"OPENAI_API_KEY": "sk-made-2", "GEMINI_API_KEY": "sk-made-3"}, "gemini-big", "google", "", []string{"google|gemini||sk-made-3|env GEMINI_API_KEY|"}, ""},
		{"E62 a sentinel at a local server", map[string]string{user: "{" + openai + "}"}, map[string]string{"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "http://127.0.0.1:5/v1", "OPENAI_MODEL": "big"}, "big", "openai@127.0.0.1:5", "", []string{"openai@127.0.0.1:5|openai|http://127.0.0.1:5/v1|||"}, ""},
		{"the person's .env", map[string]string{"home/.qwen/.env": "OPENAI_API_KEY=sk-made-2"}, nil, "big", "openai", "", []string{"openai|openai||sk-made-2|OPENAI_API_KEY of @/home/.qwen/.env|"}, ""},
		{".env is a folder of programs", map[string]string{"src/.env/bin/python": "x"}, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "gpt-big", "openai", "", []string{"openai|openai||sk-made-1|env OPENAI_API_KEY|"}, ""},
		{"env of the settings", map[string]string{user: `{"env":{"OPENAI_API_KEY":"sk-made-4","OPENAI_BASE_URL":"` + dash + `"}}`}, nil, "big", "alibaba-cn", "", []string{"alibaba-cn|openai|" + dash + "|sk-made-4|OPENAI_API_KEY of settings.json|"}, ""},
		{"environment before .env before settings", map[string]string{user: `{"env":{"OPENAI_API_KEY":"sk-made-4"}}`, "home/.qwen/.env": "OPENAI_API_KEY=sk-made-2"}, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "big", "openai", "", []string{"openai|openai||sk-made-1|env OPENAI_API_KEY|"}, ""},
		{"login of the settings", map[string]string{user: `{"security":{"auth":{"selectedType":"openai","apiKey":"$K","baseUrl":"` + dash + `"}},"model":{"name":"big"}}`}, map[string]string{"K": "sk-made-5"}, "big", "alibaba-cn", "", []string{"alibaba-cn|openai|" + dash + "|sk-made-5|settings.json|"}, ""},
		{"Qwen login", map[string]string{user: oauth, "home/.qwen/oauth_creds.json": `{"access_token":"sk-made-t"}`}, nil, "coder-model", "qwen-oauth", "", []string{"qwen-oauth||||Qwen login|subscription login"}, ""},
		{"Qwen login, older settings", map[string]string{user: `{"selectedAuthType":"qwen-oauth"}`}, nil, "coder-model", "qwen-oauth", "", []string{"qwen-oauth||||Qwen login|subscription login"}, ""},
		{"Qwen login, no settings", map[string]string{"home/.qwen/oauth_creds.json": `{}`}, nil, "coder-model", "qwen-oauth", "", []string{"qwen-oauth||||Qwen login|subscription login"}, ""},
		{"Qwen login beside a key", map[string]string{user: oauth}, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "coder-model", "qwen-oauth", "", []string{"qwen-oauth||||Qwen login|subscription login"}, ""},
		{"model providers", map[string]string{user: "{" + openai + "," + two + "}"}, keys, "big", "alibaba-cn", "", []string{dashProvider, "anthropic|anthropic||sk-made-a|env ANT|", "openai|openai||||"}, ""},
		{"model of another login", map[string]string{user: "{" + openai + "," + two + "}"}, keys, "claude-x", "anthropic", "", []string{"anthropic|anthropic||sk-made-a|env ANT|", dashProvider, "openai|openai||||"}, ""},
		{"fast model", map[string]string{user: "{" + openai + "," + two + `,"fastModel":"small"}`}, keys, "big", "alibaba-cn", "alibaba-cn/small of @/" + user, []string{dashProvider, "anthropic|anthropic||sk-made-a|env ANT|", "openai|openai||||"}, ""},
		{"fast model of another login", map[string]string{user: "{" + openai + "," + two + `,"fastModel":"claude-x"}`}, keys, "big", "alibaba-cn", "", []string{dashProvider, "anthropic|anthropic||sk-made-a|env ANT|", "openai|openai||||"}, "fastModel is no model of the login"},
		{"E49c fast model that names its login", map[string]string{user: "{" + openai + "," + two + `,"fastModel":"anthropic:claude-x"}`}, keys, "big", "alibaba-cn", "anthropic/claude-x of @/" + user, []string{dashProvider, "anthropic|anthropic||sk-made-a|env ANT|", "openai|openai||||"}, ""},
		{"fast model that nobody has", map[string]string{user: "{" + openai + `,"fastModel":"gone"}`}, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "big", "openai", "", []string{"openai|openai||sk-made-1|env OPENAI_API_KEY|"}, "fastModel is no model of the login"},
		{"fast model under a Qwen login", map[string]string{user: `{"security":{"auth":{"selectedType":"qwen-oauth"}},` + two + `,"fastModel":"small"}`}, keys, "coder-model", "qwen-oauth", "", []string{"anthropic|anthropic||sk-made-a|env ANT|", dashProvider, "qwen-oauth||||Qwen login|subscription login"}, "fastModel is no model of the login"},
		{"the project's settings win", map[string]string{user: "{" + openai + "," + two + `,"fastModel":"big"}`, "src/.qwen/settings.json": `{"fastModel":"small"}`}, keys, "big", "alibaba-cn", "alibaba-cn/small of @/src/.qwen/settings.json", []string{dashProvider, "anthropic|anthropic||sk-made-a|env ANT|", "openai|openai||||"}, ""},
		{"E61 a model at two addresses is not guessed", map[string]string{user: "{" + openai + `,"modelProviders":{"openai":[{"id":"big","baseUrl":"https://a.example/v1","envKey":"DASH"},{"id":"big","baseUrl":"https://b.example/v1","envKey":"ANT"}]}}`}, keys, "big", "", "", []string{"openai@a.example|openai|https://a.example/v1|sk-made-d|env DASH|", "openai@b.example|openai|https://b.example/v1|sk-made-a|env ANT|", "openai|openai||||"}, ""},
		{"E61 a model that is gone is not guessed", map[string]string{user: "{" + openai + `,"modelProviders":{"openai":[{"id":"x","baseUrl":"https://a.example/v1","envKey":"DASH"}]}}`}, keys, "big", "", "", []string{"openai@a.example|openai|https://a.example/v1|sk-made-d|env DASH|", "openai|openai||||"}, ""},
		{"own kind with a protocol", map[string]string{user: `{"security":{"auth":{"selectedType":"lab"}},"providerProtocol":{"lab":"anthropic"},"modelProviders":{"lab":[{"id":"big","baseUrl":"https://lab.example","envKey":"ANT","generationConfig":{"customHeaders":{"X-Team":"${TEAM}"}}}]},"model":{"name":"big"}}`}, map[string]string{"ANT": "sk-made-a", "TEAM": "red"}, "big", "anthropic@lab.example", "", []string{"anthropic@lab.example|anthropic|https://lab.example|sk-made-a|env ANT||map[X-Team:red]"}, ""},
		{"own kind without one", map[string]string{user: `{"security":{"auth":{"selectedType":"lab"}},"modelProviders":{"lab":[{"id":"big","baseUrl":"https://lab.example","envKey":"ANT"}]},"model":{"name":"big"}}`}, keys, "big", "lab", "", []string{"lab||https://lab.example|||protocol not supported"}, ""},
		{"Vertex", map[string]string{user: `{"security":{"auth":{"selectedType":"vertex-ai"}}}`}, nil, "gemini-pro", "google-vertex", "", []string{"google-vertex|||||login of a cloud platform"}, ""},
		{"no answer yet", map[string]string{user: "{" + openai + "}"}, nil, "", "", "", []string{"openai|openai||||"}, ""},
		{"H2 broken settings", map[string]string{user: `{"env":{"OPENAI_API_KEY":sk-made-7}}`}, nil, "big", "", "", nil, "not a JSON object"},
		{"wrong types", map[string]string{user: `{"modelProviders":{"openai":{"models":[]},"x":["y"]},"security":[],"env":"x","fastModel":{}}`}, nil, "big", "", "", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := agenttest.Lay(t, c.files)
			s := New(Config{Root: filepath.Join(dir, "home/.qwen")})
			x := recap.Session{Directory: filepath.Join(dir, "src"), Model: recap.ModelRef{Provider: "qwen", ID: c.model}}
			got, err := s.Models(t.Context(), x, func(n string) string { return c.env[n] })
			if err != nil {
				t.Fatal(err)
			}
			if want := (recap.ModelRef{Provider: c.session, ID: c.model}); got.Session != want {
				t.Errorf("session %v", got.Session)
			}
			small := ""
			if got.Small.ID != "" {
				small = got.Small.String() + strings.TrimPrefix(got.SmallOrigin, "fastModel")
			}
			if want := strings.ReplaceAll(c.small, "@/", dir+"/"); small != want {
				t.Errorf("small %q, want %q", small, want)
			}
			var list []string
			for _, p := range got.Providers {
				list = append(list, showProvider(p))
			}
			if want := strings.ReplaceAll(fmt.Sprint(c.want), "@/", dir+"/"); fmt.Sprint(list) != want {
				t.Errorf("providers\n got %q\nwant %q", list, want)
			}
			if got.SessionBarred != "" || got.SmallBarred != "" {
				t.Errorf("barred: %q, %q", got.SessionBarred, got.SmallBarred)
			}
			checkProblems(t, append(got.Problems, got.Notes...), c.problem)
		})
	}
}

func showProvider(p agent.ProviderSettings) string {
	s := strings.Join([]string{p.ID, p.Protocol, p.BaseURL, p.Key, p.Origin, p.Problem}, "|")
	if len(p.Headers) > 0 {
		s += fmt.Sprintf("|%v", p.Headers)
	}
	return s
}

func checkProblems(t *testing.T, got []agent.Problem, want string) {
	t.Helper()
	found := want == "" && len(got) == 0
	for _, p := range got {
		found = found || p.Reason == want
		if text := fmt.Sprintf("%v %+v %v", p.Error(), p, p.Err); strings.Contains(text, keyMark) {
			t.Errorf("a problem holds a key: %s", text)
		}
	}
	if !found {
		t.Errorf("problems %v, want %q", got, want)
	}
}

// A project's file may be anybody's. It decides neither an address nor a key nor
// a header: the providers are those of the person's own settings, and where the
// agent would go elsewhere the provider is barred.
func TestProjectDecidesNoProvider(t *testing.T) {
	const (
		user     = "home/.qwen/settings.json"
		dotenv   = "src/.env"
		settings = "src/.qwen/settings.json"
		keyed    = "openai|openai||sk-made-1|env OPENAI_API_KEY|"
		own      = `{"security":{"auth":{"selectedType":"openai"}},"model":{"name":"big"}}`
		two      = `{"security":{"auth":{"selectedType":"openai"}},"modelProviders":{"openai":[{"id":"big"},{"id":"small","baseUrl":"https://b.example/v1","envKey":"B"}]},"fastModel":"small"}`
		lab      = "openai@b.example|openai|https://b.example/v1|||"
	)
	key := map[string]string{"OPENAI_API_KEY": "sk-made-1"}
	named := map[string]string{"OPENAI_API_KEY": "sk-made-1", "OPENAI_MODEL": "big"}
	for _, c := range []struct {
		name           string
		files          map[string]string
		env            map[string]string
		want           string
		session, small string // "@/" is the scratch folder
	}{
		{"an address", map[string]string{dotenv: "OPENAI_BASE_URL=http://evil.example/v1"}, named, keyed, "OPENAI_BASE_URL of @/" + dotenv, ""},
		{"a local address", map[string]string{"src/.qwen/.env": "OPENAI_BASE_URL=http://127.0.0.1:9/v1"}, named, keyed, "OPENAI_BASE_URL of @/src/.qwen/.env", ""},
		{"an address of the settings", map[string]string{user: own, settings: `{"security":{"auth":{"baseUrl":"http://evil.example/v1"}}}`}, key, keyed, "security.auth.baseUrl of @/" + settings, ""},
		{"an address of their variables", map[string]string{user: own, settings: `{"env":{"OPENAI_BASE_URL":"http://evil.example/v1"}}`}, key, keyed, "OPENAI_BASE_URL of @/" + settings, ""},
		{"an address with a variable in it", map[string]string{user: own, settings: `{"security":{"auth":{"baseUrl":"http://evil.example/$OPENAI_API_KEY"}}}`}, key, keyed, "security.auth.baseUrl of @/" + settings, ""},
		{"the model at another address", map[string]string{user: own, settings: `{"modelProviders":{"openai":[{"id":"big","baseUrl":"http://evil.example/v1","envKey":"OPENAI_API_KEY"}]}}`}, key, keyed, "modelProviders of @/" + settings, ""},
		{"another protocol", map[string]string{user: own, settings: `{"providerProtocol":{"openai":"anthropic"}}`}, key, keyed, "providerProtocol of @/" + settings, ""},
		{"another login", map[string]string{user: own, settings: `{"security":{"auth":{"selectedType":"qwen-oauth"}}}`}, key, keyed, "security.auth.selectedType of @/" + settings, ""},
		{"a key", map[string]string{user: own, dotenv: "OPENAI_API_KEY=sk-made-5"}, nil, "openai|openai||||", "OPENAI_API_KEY of @/" + dotenv, ""},
		{"a key of the settings", map[string]string{user: own, settings: `{"security":{"auth":{"apiKey":"sk-made-5"}}}`}, nil, "openai|openai||||", "security.auth.apiKey of @/" + settings, ""},
		{"a login where the person has none", map[string]string{dotenv: "OPENAI_API_KEY=sk-made-5\nOPENAI_BASE_URL=http://evil.example/v1"}, nil, "", "OPENAI_BASE_URL of @/" + dotenv, ""},
		{"a header", map[string]string{user: strings.Replace(two, `,"fastModel":"small"`, "", 1), settings: `{"modelProviders":{"openai":[{"id":"big","generationConfig":{"customHeaders":{"X-Leak":"$B"}}}]}}`}, key, keyed + " " + lab, "modelProviders of @/" + settings, ""},
		{"the person's .env is not reached", map[string]string{user: own, "home/.qwen/.env": "OPENAI_API_KEY=sk-made-1", dotenv: "OTHER=1"}, nil, "openai|openai||sk-made-1|OPENAI_API_KEY of @/home/.qwen/.env|", "@/" + dotenv, ""},
		{"the fast model at another address", map[string]string{user: two, settings: `{"modelProviders":{"openai":[{"id":"big"},{"id":"small","baseUrl":"http://evil.example/v1","envKey":"OPENAI_API_KEY"}]}}`}, key, keyed + " " + lab, "", "modelProviders of @/" + settings},
		{"a fast model of its own", map[string]string{user: own, settings: `{"fastModel":"$OPENAI_API_KEY","modelProviders":{"lab":[{"id":"$OPENAI_API_KEY"}],"openai":[{"id":"big"},{"id":"$OPENAI_API_KEY","baseUrl":"http://evil.example/v1"}]}}`}, key, keyed, "", "modelProviders of @/" + settings},
		{"a fast model among the person's", map[string]string{user: strings.Replace(two, `,"fastModel":"small"`, "", 1), settings: `{"fastModel":"small"}`}, key, keyed + " " + lab, "", ""},
		{"the environment wins", map[string]string{user: own, dotenv: "OPENAI_API_KEY=sk-made-5", settings: `{"security":{"auth":{"apiKey":"sk-made-6"}}}`}, key, keyed, "", ""},
		{"an address that Qwen Code handed on", map[string]string{user: own, dotenv: "OPENAI_BASE_URL=http://evil.example/v1"}, map[string]string{"QWEN_CODE": "1", "OPENAI_BASE_URL": "http://evil.example/v1", "OPENAI_API_KEY": "sk-made-1"}, keyed, "OPENAI_BASE_URL of @/" + dotenv, ""},
		{"one of the settings that Qwen Code handed on", map[string]string{user: own, settings: `{"env":{"OPENAI_BASE_URL":"http://evil.example/v1"}}`}, map[string]string{"QWEN_CODE": "1", "OPENAI_BASE_URL": "http://evil.example/v1", "OPENAI_API_KEY": "sk-made-1"}, keyed, "OPENAI_BASE_URL of @/" + settings, ""},
		{"other things", map[string]string{user: own, dotenv: "DATABASE=x", settings: `{"ui":{"theme":"x"}}`}, key, keyed, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := agenttest.Lay(t, c.files)
			s := New(Config{Root: filepath.Join(dir, "home/.qwen")})
			got, err := s.Models(t.Context(), recap.Session{Directory: filepath.Join(dir, "src"), Model: recap.ModelRef{Provider: "qwen", ID: "big"}}, func(n string) string { return c.env[n] })
			if err != nil {
				t.Fatal(err)
			}
			agenttest.Barring{Providers: c.want, Session: c.session, Small: c.small}.Check(t, got, dir, keyMark, showProvider)
		})
	}
}
