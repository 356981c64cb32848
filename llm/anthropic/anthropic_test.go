package anthropic

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

func TestE49cParametersByModelName(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct {
		model       string
		temperature bool
		reasoning   string // a part of what is said about it
		schema      bool
	}{
		{"claude-3-5-haiku-latest", true, "", false},
		{"claude-3-haiku-20240307", true, "", false},
		{"claude-3-7-sonnet-20250219", true, "", false},
		{"claude-sonnet-4-20250514", true, "", false},
		{"claude-opus-4-20250514", true, "", false},
		{"claude-opus-4-1-20250805", true, "", true},
		{"claude-haiku-4-5", true, "", true},
		{"claude-haiku-4-5-20251001", true, "", true},
		{"claude-sonnet-4-6", true, "", true},
		{"anthropic/claude-opus-4.6", true, "", true},
		{"claude-opus-4-7", false, "", true},
		{"claude-opus-4-8", false, "", true},
		{"claude-opus-5", false, "disabled", true},
		{"claude-opus-5-5", false, "low", true},
		{"claude-sonnet-5", false, "disabled", true},
		{"claude-sonnet-5-5", false, "between_tools", true},
		{"claude-haiku-5-5", false, "disabled", true},
		{"claude-fable-5", false, "low", true},
		{"claude-mythos-5", false, "low", true},
		{"MiniMax-M2.7", true, "", false},
		{"kimi-for-coding", true, "", false},
		{"claude-", true, "", false},
		{"claude-9", true, "", false},
	} {
		req := llm.Request{Model: c.model, Prompt: "p", MaxOutput: 300, Temperature: 0.3, Fields: []string{"recap"}}
		if _, err := New(srv.Provider(llm.Anthropic), nil).Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		a := srv.Last().Asked()
		if (a.Temperature != nil) != c.temperature {
			t.Errorf("%s: temperature %v", c.model, a.Temperature)
		}
		if !strings.Contains(a.Reasoning, c.reasoning) || c.reasoning == "" && a.Reasoning != "" {
			t.Errorf("%s: reasoning %q, want %q", c.model, a.Reasoning, c.reasoning)
		}
		if (a.JSON == "schema") != c.schema {
			t.Errorf("%s: JSON %q", c.model, a.JSON)
		}
		if v := srv.Last().Header.Get("Anthropic-Version"); v != version {
			t.Errorf("version %q", v)
		}
	}
}

// TestOtherVendors: a vendor that speaks the protocol is not asked for what
// only Anthropic's own server is known to have.
func TestOtherVendors(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct{ base, path, json string }{
		{"http://api.anthropic.com", "/v1/messages", "schema"},
		{"http://api.anthropic.com/v1/", "/v1/messages", "schema"},
		{"http://api.minimax.io/anthropic", "/anthropic/v1/messages", ""},
		{"http://gateway.example.com", "/v1/messages", ""},
	} {
		p := llm.Provider{ID: "anthropic", Protocol: llm.Anthropic, BaseURL: c.base, Key: llm.NewKey(llmtest.Key)}
		req := llm.Request{Model: "claude-haiku-4-5", Prompt: "p", MaxOutput: 300, Fields: []string{"recap"}}
		if _, err := New(p, srv.Client()).Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if r := srv.Last(); r.Path != c.path || r.Asked().JSON != c.json {
			t.Errorf("%s: %s, JSON %q", c.base, r.Path, r.Asked().JSON)
		}
	}
}

func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"type":"message","content":[{"type":"thinking"},{"type":"text","text":"A"}],"stop_reason":"end_turn"}`))
	f.Add([]byte(`{"content":null,"usage":{"input_tokens":1}}`))
	c, ok := New(llm.Provider{ID: "fuzz", BaseURL: "http://127.0.0.1:1"}, nil).(client)
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
