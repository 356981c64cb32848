package agent

import "testing"

func TestProviderAt(t *testing.T) {
	for _, c := range []struct{ protocol, url, want string }{
		{"openai", "", "openai"},
		{"anthropic", "", "anthropic"},
		{"gemini", "", "google"},
		{"openai", "https://api.openai.com/v1", "openai"},
		{"openai", "https://API.OpenAI.com:443/v1/", "openai"},
		{"anthropic", "https://api.anthropic.com", "anthropic"},
		{"gemini", "https://generativelanguage.googleapis.com", "google"},
		{"openai", "https://dashscope.aliyuncs.com/compatible-mode/v1", "alibaba-cn"},
		{"openai", "https://openrouter.ai/api/v1", "openrouter"},
		{"anthropic", "https://gateway.example.com/anthropic", "anthropic@gateway.example.com"},
		{"openai", "http://127.0.0.1:8080/v1", "openai@127.0.0.1:8080"},
		{"openai", "http://[::1]:8080/v1", "openai@[::1]:8080"},
		{"openai", "http://api.openai.com/v1", "openai@api.openai.com"},
		{"openai", "https://api.openai.com.evil.example/v1", "openai@api.openai.com.evil.example"},
		{"openai", "https://api.openai.com@evil.example/v1", "openai@evil.example"},
		{"openai", "https://api.openai.com:8443/v1", "openai@api.openai.com:8443"},
		{"anthropic", "https://api.openai.com/v1", "anthropic@api.openai.com"},
		{"openai", "localhost:8080", "openai@unknown"},
		{"openai", "://", "openai@unknown"},
	} {
		if got := ProviderAt(c.protocol, c.url); got != c.want {
			t.Errorf("%s at %q: %q, want %q", c.protocol, c.url, got, c.want)
		}
	}
}
