package codex

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
	const apart = "model_provider = \"gw\"\n[model_providers.gw]\nname = \"Gateway\"\nbase_url = \"https://gw.example/v1/\"\nwire_api = \"responses\"\n"
	for _, c := range []struct {
		name, config, auth string
		env                map[string]string
		session, provider  string // what the rollout names, and what it is called
		want               []string
		problem            string
	}{
		{"nothing at all", "", "", nil, "openai", "openai", []string{"openai|openai||||"}, ""},
		{"an old rollout names no provider", "", "", nil, "", "openai", []string{"openai|openai||||"}, ""},
		{"key of the login", "", `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "openai", "openai", []string{"openai|openai||sk-made-1|auth.json|"}, ""},
		{"key of the login, named so", "", `{"auth_mode":"apikey","OPENAI_API_KEY":"sk-made-1","tokens":null}`, nil, "openai", "openai", []string{"openai|openai||sk-made-1|auth.json|"}, ""},
		{"ChatGPT", "", `{"auth_mode":"chatgpt","OPENAI_API_KEY":null,"tokens":{"access_token":"sk-made-t","refresh_token":"sk-made-r"}}`, nil, "openai", "openai", []string{"openai|openai|||auth.json|subscription login"}, ""},
		{"ChatGPT, older", "", `{"OPENAI_API_KEY":"sk-made-2","tokens":{"access_token":"sk-made-t"}}`, nil, "openai", "openai", []string{"openai|openai|||auth.json|subscription login"}, ""},
		{"the key is preferred", "preferred_auth_method = \"apikey\"", `{"OPENAI_API_KEY":"sk-made-2","tokens":{"access_token":"sk-made-t"}}`, nil, "openai", "openai", []string{"openai|openai||sk-made-2|auth.json|"}, ""},
		{"E62 a sentinel is no key", "", `{"OPENAI_API_KEY":"dummy"}`, nil, "openai", "openai", []string{"openai|openai||||"}, ""},
		{"another address is another provider", "openai_base_url = \"https://eu.example/v1\"", `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "openai", "openai@eu.example", []string{"openai@eu.example|openai|https://eu.example/v1|sk-made-1|auth.json|"}, ""},
		{"address in the environment", "", `{"OPENAI_API_KEY":"sk-made-1"}`, map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:7/v1"}, "openai", "openai@127.0.0.1:7", []string{"openai@127.0.0.1:7|openai|http://127.0.0.1:7/v1|sk-made-1|auth.json|"}, ""},
		{"the built-in can't be replaced", "[model_providers.openai]\nbase_url = \"https://evil.example/v1\"", `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "openai", "openai", []string{"openai|openai||sk-made-1|auth.json|"}, ""},
		{"own provider, key of a variable", apart + "env_key = \"GW_KEY\"", "", map[string]string{"GW_KEY": "sk-made-3"}, "gw", "gw", []string{"gw|openai|https://gw.example/v1|sk-made-3|env GW_KEY|", "openai|openai||||"}, ""},
		{"own provider, variable not set", apart + "env_key = \"GW_KEY\"", `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1|||key: the variable GW_KEY is not set", "openai|openai||sk-made-1|auth.json|"}, ""},
		{"own provider, key in the file", apart + "experimental_bearer_token = \"sk-made-4\"", "", nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1|sk-made-4|config.toml|", "openai|openai||||"}, ""},
		{"own provider, login of Codex", apart + "requires_openai_auth = true", `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1|sk-made-1|auth.json|", "openai|openai||sk-made-1|auth.json|"}, ""},
		{"own provider, ChatGPT", apart + "requires_openai_auth = true", `{"tokens":{"access_token":"sk-made-t"}}`, nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1||auth.json|subscription login", "openai|openai|||auth.json|subscription login"}, ""},
		{"own provider takes no other's key", apart, `{"OPENAI_API_KEY":"sk-made-1"}`, nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1|||", "openai|openai||sk-made-1|auth.json|"}, ""},
		{"headers", apart + "http_headers = { \"X-Team\" = \"red\" }\nenv_http_headers = { \"X-Key\" = \"GW_H\", \"X-None\" = \"NONE\" }", "", map[string]string{"GW_H": "sk-made-5"}, "gw", "gw", []string{"gw|openai|https://gw.example/v1||||map[X-Key:sk-made-5 X-Team:red]", "openai|openai||||"}, ""},
		{"a command makes the key", apart + "[model_providers.gw.auth]\ncommand = \"print-token\"", "", nil, "gw", "gw", []string{"gw|openai|https://gw.example/v1|||the key comes from a command", "openai|openai||||"}, ""},
		{"query parameters", apart + "env_key = \"K\"\nquery_params = { api-version = \"2025-04-01\" }", "", map[string]string{"K": "sk-made-6"}, "gw", "gw", []string{"gw|openai|https://gw.example/v1|||protocol not supported", "openai|openai||||"}, ""},
		{"Bedrock", "[model_providers.amazon-bedrock.aws]\nprofile = \"x\"", "", nil, "amazon-bedrock", "amazon-bedrock", []string{"amazon-bedrock|openai||||login of a cloud platform", "openai|openai||||"}, ""},
		{"a local server by name", "", "", nil, "ollama", "ollama", []string{"ollama|openai|http://127.0.0.1:11434/v1|||", "openai|openai||||"}, ""},
		{"a provider that is gone", "", "", nil, "old", "old", []string{"old|openai||||", "openai|openai||||"}, ""},
		{"H2 broken config", "x = sk-made-7", "", nil, "openai", "openai", []string{"openai|openai||||"}, "not the TOML that Codex writes"},
		{"H2 wrong types", "openai_base_url = [\"sk-made-7\"]", "", nil, "openai", "openai", []string{"openai|openai||||"}, "not the TOML that Codex writes"},
		{"H2 broken login", "", `{"OPENAI_API_KEY":"sk-made-8"`, nil, "openai", "openai", []string{"openai|openai||||"}, "not a JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"config.toml": c.config, "auth.json": c.auth} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := New(Config{Root: dir})
			x := recap.Session{Model: recap.ModelRef{Provider: c.session, ID: "m"}}
			got, err := s.Models(t.Context(), x, func(n string) string { return c.env[n] })
			if err != nil {
				t.Fatal(err)
			}
			if want := (recap.ModelRef{Provider: c.provider, ID: "m"}); got.Session != want || got.Small != (recap.ModelRef{}) {
				t.Errorf("session %v, small %v", got.Session, got.Small)
			}
			var list []string
			for _, p := range got.Providers {
				list = append(list, showProvider(p))
			}
			if fmt.Sprint(list) != fmt.Sprint(c.want) {
				t.Errorf("providers\n got %q\nwant %q", list, c.want)
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
