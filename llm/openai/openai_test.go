package openai

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

func TestE49cParametersByModelName(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct {
		model  string
		own    bool // max_completion_tokens and no temperature
		effort string
	}{
		{"gpt-4o-mini", false, ""},
		{"gpt-4.1", false, ""},
		{"gpt-oss-20b", false, ""},
		{"openai/gpt-oss-20b", false, ""},
		{"gpt-3.5-turbo", false, ""},
		{"gpt-35-turbo", false, ""},
		{"gpt-5-chat-latest", false, ""},
		{"o1", true, "low"},
		{"o3-mini", true, "low"},
		{"o4-mini-2025-04-16", true, "low"},
		{"olmo-2", false, ""},
		{"o1something", false, ""},
		{"gpt-5", true, "minimal"},
		{"gpt-5-nano", true, "minimal"},
		{"openai/gpt-5-mini", true, "minimal"},
		{"gpt-5-codex", true, "low"},
		{"gpt-5-pro", true, ""},
		{"gpt-5.4-pro", true, "medium"},
		{"gpt-5.4-mini", true, "low"},
		{"gpt-5.6-luna", true, "none"},
		{"gpt-6-any", true, "low"},
		{"qwen3:8b", false, ""},
		{"", false, ""},
	} {
		req := llm.Request{Model: c.model, Prompt: "p", MaxOutput: 1200, Temperature: 0.3}
		if _, err := New(srv.Provider(llm.OpenAI), nil).Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		a := srv.Last().Asked()
		own := slices.Contains(a.Members, "max_completion_tokens")
		if own != c.own || own == slices.Contains(a.Members, "max_tokens") || a.MaxOutput != 1200 {
			t.Errorf("%s: members %v", c.model, a.Members)
		}
		if (a.Temperature == nil) != c.own {
			t.Errorf("%s: temperature %v", c.model, a.Temperature)
		}
		if a.Reasoning != c.effort {
			t.Errorf("%s: effort %q, want %q", c.model, a.Reasoning, c.effort)
		}
	}
}

// TestServersByHost: what a server understands is told by its host, and by the
// provider's id for a server of this machine.
func TestServersByHost(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct {
		id, base   string
		path, json string
		tokens     string
		quiet      string
	}{
		{"openai", "http://api.openai.com/v1", "/v1/chat/completions", "schema", "max_completion_tokens", ""},
		{"openai", "http://api.deepseek.com/v1", "/v1/chat/completions", "object", "max_tokens", `"thinking":{"type":"disabled"}`},
		{"zhipu", "http://open.bigmodel.cn/api/paas/v4", "/api/paas/v4/chat/completions", "object", "max_tokens", `"thinking":{"type":"disabled"}`},
		{"openai", "http://gateway.example.com/v1", "/v1/chat/completions", "", "max_tokens", ""},
		{"deepseek", "http://gateway.example.com/v1", "/v1/chat/completions", "", "max_tokens", ""},
		{"mine", "http://llm.example.com/v1/chat/completions", "/v1/chat/completions", "", "max_tokens", ""},
		{"ollama", "http://127.0.0.1:11434", "/v1/chat/completions", "schema", "max_tokens", `"reasoning_effort":"none"`},
		{"mine", "http://localhost:11434/v1", "/v1/chat/completions", "schema", "max_tokens", ""},
		{"llama.cpp", "http://localhost:9000", "/v1/chat/completions", "schema", "max_tokens", `"chat_template_kwargs":{"enable_thinking":false}`},
		{"mine", "http://[::1]:8080", "/v1/chat/completions", "schema", "max_tokens", ""},
	} {
		p := llm.Provider{ID: c.id, Protocol: llm.OpenAI, BaseURL: c.base, Key: llm.NewKey(llmtest.Key)}
		req := llm.Request{Model: "m", Prompt: "p", MaxOutput: 300, Temperature: 0.3, Fields: []string{"recap"}, Reasons: true}
		if _, err := New(p, srv.Client()).Complete(t.Context(), req); err != nil {
			t.Fatal(c.base, err)
		}
		r := srv.Last()
		a := r.Asked()
		if r.Path != c.path || a.JSON != c.json || !slices.Contains(a.Members, c.tokens) {
			t.Errorf("%s at %s: %s, JSON %q, %v", c.id, c.base, r.Path, a.JSON, a.Members)
		}
		body := string(r.Body)
		if !strings.Contains(body, c.quiet) || c.quiet == "" && (strings.Contains(body, "thinking") || strings.Contains(body, "effort")) {
			t.Errorf("%s at %s: %s", c.id, c.base, body)
		}
		if !json.Valid(r.Body) {
			t.Errorf("no JSON: %s", body)
		}
		p.PlainJSON, req.Reasons = true, false
		if _, err := New(p, srv.Client()).Complete(t.Context(), req); err != nil {
			t.Fatal(c.base, err)
		}
		if r := srv.Last(); r.Asked().JSON != "" || c.quiet != "" && strings.Contains(string(r.Body), c.quiet) {
			t.Errorf("%s at %s: plain and not reasoning: %s", c.id, c.base, r.Body)
		}
	}
}

func TestRepliesOfServers(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct {
		name, body string
		text       string
		want       recap.Code
		usage      recap.Usage
	}{
		{name: "parts", body: `{"choices":[{"message":{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"A"},{"type":"text","text":"B"}]},"finish_reason":"stop"}]}`, text: "AB"},
		{name: "null usage", body: `{"choices":[{"message":{"content":"A"},"finish_reason":null}],"usage":null,"error":null}`, text: "A"},
		{name: "DeepSeek counts its cache", body: `{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_cache_hit_tokens":8}}`, text: "A", usage: recap.Usage{InputTokens: 9, OutputTokens: 2, CachedTokens: 8}},
		{name: "xAI counts reasoning beside", body: `{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":41,"completion_tokens_details":{"reasoning_tokens":30}}}`, text: "A", usage: recap.Usage{InputTokens: 9, OutputTokens: 32}},
		{name: "OpenAI counts it within", body: `{"choices":[{"message":{"content":"A"}}],"usage":{"prompt_tokens":9,"completion_tokens":32,"total_tokens":41,"completion_tokens_details":{"reasoning_tokens":30}}}`, text: "A", usage: recap.Usage{InputTokens: 9, OutputTokens: 32}},
		{name: "hidden reasoning", body: `{"choices":[{"message":{"content":""},"finish_reason":"stop"}],"usage":{"completion_tokens_details":{"reasoning_tokens":30}}}`, want: recap.CodeOutputExhausted},
		{name: "OpenRouter's reasoning", body: `{"choices":[{"message":{"content":null,"reasoning":"Hm"},"finish_reason":"stop"}]}`, want: recap.CodeOutputExhausted},
		{name: "an error in the choice", body: `{"choices":[{"error":{"code":429,"message":"busy"},"finish_reason":"error","message":{"content":""}}]}`, want: recap.CodeRateLimited},
		{name: "a tool call", body: `{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[{"id":"1"}]}}]}`, want: recap.CodeProviderError},
		{name: "content of another kind", body: `{"choices":[{"message":{"content":{"a":1}}}]}`, want: recap.CodeProviderError},
	} {
		srv.Answer(llmtest.Reply{Body: c.body})
		got, err := New(srv.Provider(llm.OpenAI), nil).Complete(t.Context(), llm.Request{Model: "m", Prompt: "p", MaxOutput: 1})
		if c.want != "" {
			if recap.CodeOf(err) != c.want {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if err != nil || got.Text != c.text || c.usage != (recap.Usage{}) && got.Usage != c.usage {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":[{"type":"text","text":"A"}]},"finish_reason":"stop"}],"usage":{"total_tokens":1}}`))
	f.Add([]byte(`{"choices":[{"error":{"code":429,"details":[{"retryDelay":"1s"}]}}]}`))
	f.Add([]byte(`{"choices":null}`))
	c, ok := New(llm.Provider{ID: "fuzz", BaseURL: "http://127.0.0.1:1/v1"}, nil).(client)
	if !ok {
		f.Fatal("another client")
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := c.read(llm.Request{}, raw)
		if (err == nil) != (strings.TrimSpace(got.Text) != "") {
			t.Errorf("%q: %+v, %v", raw, got, err)
		}
	})
}

// A reply whose usage is no integer was paid for, and is used.
func TestOddUsage(t *testing.T) {
	srv := llmtest.NewServer(t)
	srv.Answer(llmtest.Reply{Status: 200, Body: `{"model":"m","choices":[{"finish_reason":"stop","message":{"content":"Said."}}],
		"usage":{"prompt_tokens":1.5,"completion_tokens":"100","total_tokens":1e30,"prompt_tokens_details":{"cached_tokens":null}}}`})
	r, err := New(srv.Provider(llm.OpenAI), nil).Complete(t.Context(), llm.Request{Model: "m", Prompt: "p", MaxOutput: 100})
	if err != nil || r.Text != "Said." || r.Usage.InputTokens != 2 || r.Usage.OutputTokens != 100 {
		t.Errorf("%+v, %v", r, err)
	}
}
