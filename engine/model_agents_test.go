package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/claudecode"
	"github.com/sessionrecap/recap/agent/codex"
	"github.com/sessionrecap/recap/agent/geminicli"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/agent/qwencode"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
)

// TestModelOfEachAgent goes the whole way from an agent's files to the model,
// with the catalogue of the program.
func TestModelOfEachAgent(t *testing.T) {
	small := func(provider string) string {
		k, ok := llm.Catalogue().Provider(provider)
		if !ok || k.Small == "" {
			t.Fatalf("the catalogue has no small model of %s", provider)
		}
		return k.Small
	}
	const (
		codexConfig = "[model_providers.gw]\nbase_url = \"http://127.0.0.1:9/v1\"\nenv_key = \"GW\"\n"
		dash        = "https://dashscope.aliyuncs.com/compatible-mode/v1"
	)
	for _, c := range []struct {
		name, agent string
		files       map[string]string // in the agent's home, or below "~/"
		env         map[string]string
		session     string
		logins      []llm.Provider // of the environment
		want        string         // step, provider, model, address, or a code
	}{
		{"claude, key", "claude", nil, map[string]string{"ANTHROPIC_API_KEY": "k"}, "anthropic/claude-opus-4-5", nil, "4 anthropic/" + small("anthropic") + " https://api.anthropic.com"},
		{"claude, subscription", "claude", map[string]string{".credentials.json": "{}"}, nil, "anthropic/claude-opus-4-5", nil, "no-provider-login"},
		{"claude, subscription, other logins", "claude", map[string]string{".credentials.json": "{}"}, nil, "anthropic/claude-opus-4-5", []llm.Provider{{ID: "openai", Key: llm.NewKey("k")}}, "no-permitted-model"},
		{"claude, gateway by token", "claude", map[string]string{"settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://gw.example","ANTHROPIC_AUTH_TOKEN":"t"}}`}, nil, "anthropic/claude-opus-4-5", nil, "5 anthropic@gw.example/claude-opus-4-5 https://gw.example"},
		{"claude, gateway, key of the environment's own address", "claude", map[string]string{"settings.json": `{"env":{"ANTHROPIC_BASE_URL":"https://gw.example"}}`}, nil, "anthropic/claude-opus-4-5", []llm.Provider{{ID: "anthropic", Key: llm.NewKey("k"), BaseURL: "https://api.anthropic.com"}}, "no-permitted-model"},
		{"claude, small model", "claude", map[string]string{"settings.json": `{"env":{"ANTHROPIC_SMALL_FAST_MODEL":"s","ANTHROPIC_API_KEY":"k"}}`}, nil, "anthropic/claude-opus-4-5", nil, "3 anthropic/s https://api.anthropic.com"},
		{"claude, Bedrock", "claude", nil, map[string]string{"CLAUDE_CODE_USE_BEDROCK": "1"}, "anthropic/claude-opus-4-5", nil, "provider-unsupported"},
		{"codex, key", "codex", map[string]string{"auth.json": `{"OPENAI_API_KEY":"k"}`}, nil, "openai/gpt-5.5", nil, "4 openai/" + small("openai") + " https://api.openai.com/v1"},
		{"codex, ChatGPT", "codex", map[string]string{"auth.json": `{"auth_mode":"chatgpt","tokens":{"access_token":"t"}}`}, nil, "openai/gpt-5.5", nil, "no-provider-login"},
		{"codex, own provider", "codex", map[string]string{"config.toml": codexConfig}, map[string]string{"GW": "k"}, "gw/m", nil, "5 gw/m http://127.0.0.1:9/v1"},
		{"codex, Ollama", "codex", nil, nil, "ollama/llama", nil, "5 ollama/llama http://127.0.0.1:11434/v1"},
		{"gemini, key", "gemini", map[string]string{".env": "GEMINI_API_KEY=k"}, nil, "google/gemini-pro", nil, "4 google/" + small("gemini") + " https://generativelanguage.googleapis.com"},
		{"gemini, Google login", "gemini", map[string]string{"oauth_creds.json": "{}"}, nil, "google/gemini-pro", nil, "no-provider-login"},
		{"gemini, Vertex", "gemini", nil, map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "true"}, "google/gemini-pro", nil, "provider-unsupported"},
		{"gemini, loopback", "gemini", nil, map[string]string{"GEMINI_API_KEY": "k", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}, "google/gemini-pro", nil, "5 gemini@127.0.0.1:9/gemini-pro http://127.0.0.1:9"},
		{"qwen, Alibaba", "qwen", nil, map[string]string{"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": dash, "OPENAI_MODEL": "qwen3-coder-plus"}, "qwen/qwen3-coder-plus", nil, "4 alibaba-cn/" + small("alibaba-cn") + " " + dash},
		{"qwen, login", "qwen", map[string]string{"oauth_creds.json": "{}"}, nil, "qwen/coder-model", []llm.Provider{{ID: "alibaba-cn", Key: llm.NewKey("k")}}, "no-permitted-model"},
		{"qwen, loopback without a key", "qwen", nil, map[string]string{"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m"}, "qwen/m", nil, "5 openai@127.0.0.1:9/m http://127.0.0.1:9/v1"},
		{"opencode, auth.json", "opencode", map[string]string{"auth.json": `{"anthropic":{"type":"api","key":"k"}}`}, nil, "anthropic/claude-opus-4-5", nil, "4 anthropic/" + small("anthropic") + " https://api.anthropic.com"},
		{"opencode, subscription", "opencode", map[string]string{"auth.json": `{"anthropic":{"type":"oauth","refresh":"t"}}`}, nil, "anthropic/claude-opus-4-5", nil, "no-provider-login"},
		{"opencode, small_model elsewhere", "opencode", map[string]string{"auth.json": `{"openai":{"type":"api","key":"k"}}`, "~/.config/opencode/opencode.json": `{"small_model":"openai/gpt-s"}`}, nil, "anthropic/claude-opus-4-5", nil, "3 openai/gpt-s https://api.openai.com/v1"},
		{"opencode, small_model without a login", "opencode", map[string]string{"auth.json": `{"anthropic":{"type":"api","key":"k"}}`, "~/.config/opencode/opencode.json": `{"small_model":"openai/gpt-s"}`}, nil, "anthropic/claude-opus-4-5", nil, "no-provider-login"},
		{"opencode, loopback", "opencode", map[string]string{"~/.config/opencode/opencode.json": `{"provider":{"fake":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"http://127.0.0.1:9/v1","apiKey":"k"}}}}`}, nil, "fake/large", nil, "5 fake/large http://127.0.0.1:9/v1"},
		{"opencode, Copilot", "opencode", map[string]string{"auth.json": `{"github-copilot":{"type":"oauth","refresh":"t"}}`}, nil, "github-copilot/gpt", nil, "provider-unsupported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			root := filepath.Join(dir, "agent")
			for name, text := range c.files {
				p := filepath.Join(root, name)
				if rest, ok := strings.CutPrefix(name, "~/"); ok {
					p = filepath.Join(dir, rest)
				}
				if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var src agent.Source
			switch c.agent {
			case "claude":
				src = claudecode.New(claudecode.Config{Root: root})
			case "codex":
				src = codex.New(codex.Config{Root: root})
			case "gemini":
				src = geminicli.New(geminicli.Config{Root: root})
			case "qwen":
				src = qwencode.New(qwencode.Config{Root: root})
			case "opencode":
				src = opencode.New(opencode.Config{Root: root})
			}
			m, ok := src.(agent.Modeler)
			if !ok {
				t.Fatal("the source knows no models")
			}
			env := func(n string) string {
				if n == "HOME" {
					return dir
				}
				return c.env[n]
			}
			s, err := m.Models(t.Context(), recap.Session{Directory: filepath.Join(dir, "src"), Model: recap.ParseModelRef(c.session)}, env)
			if err != nil {
				t.Fatal(err)
			}
			choice, err := engine.Resolve(engine.Candidates{
				AgentSmall: s.Small, AgentSmallOrigin: s.SmallOrigin, Session: s.Session, Catalogue: llm.Catalogue(),
				Providers: engine.MergeProviders(nil, engine.AgentProviders(s.Providers), c.logins),
			})
			got := fmt.Sprintf("%d %s/%s %s", choice.Step, choice.Provider.ID, choice.Model, choice.Provider.BaseURL)
			if err != nil {
				got = string(recap.CodeOf(err))
			}
			if got != c.want {
				t.Errorf("got %s, want %s (%v, %+v)", got, c.want, err, choice.Rejected)
			}
		})
	}
}
