package qwencode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
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
		{"environment, no address", nil, map[string]string{"OPENAI_API_KEY": "sk-made-1"}, "big", "openai", "", []string{"openai|openai||sk-made-1|env OPENAI_API_KEY|"}, ""},
		{"E62 a sentinel at a local server", map[string]string{user: "{" + openai + "}"}, map[string]string{"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "http://127.0.0.1:5/v1", "OPENAI_MODEL": "big"}, "big", "openai@127.0.0.1:5", "", []string{"openai@127.0.0.1:5|openai|http://127.0.0.1:5/v1|||"}, ""},
		{".qwen/.env of the project", map[string]string{"src/.qwen/.env": "OPENAI_API_KEY=sk-made-2", "src/.env": "OPENAI_API_KEY=sk-made-3"}, nil, "big", "openai", "", []string{"openai|openai||sk-made-2|OPENAI_API_KEY of @/src/.qwen/.env|"}, ""},
		{"the person's .env", map[string]string{"home/.qwen/.env": "OPENAI_API_KEY=sk-made-2"}, nil, "big", "openai", "", []string{"openai|openai||sk-made-2|OPENAI_API_KEY of @/home/.qwen/.env|"}, ""},
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
			dir := t.TempDir()
			for name, text := range c.files {
				p := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
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
			checkProblems(t, got.Problems, c.problem)
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
