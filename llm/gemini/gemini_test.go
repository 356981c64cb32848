package gemini

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

func TestReasoningByModelName(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, c := range []struct{ model, want string }{
		{"gemini-1.5-flash", ""},
		{"gemini-2.0-flash-lite", ""},
		{"gemini-2.5-flash", `{"thinkingBudget":0}`},
		{"models/gemini-2.5-flash-lite", `{"thinkingBudget":0}`},
		{"gemini-2.5-pro", `{"thinkingBudget":128}`},
		{"gemini-3-flash-preview", `{"thinkingLevel":"minimal"}`},
		{"gemini-3.5-flash-lite", `{"thinkingLevel":"minimal"}`},
		{"gemini-3-pro-preview", `{"thinkingLevel":"low"}`},
		{"gemini-4-novel", `{"thinkingLevel":"low"}`},
		{"gemma-4-31b-it", ""},
		{"gemini-", ""},
	} {
		if _, err := New(srv.Provider(llm.Gemini), nil).Complete(t.Context(), llm.Request{Model: c.model, Prompt: "p", MaxOutput: 300}); err != nil {
			t.Fatal(err)
		}
		if got := srv.Last().Asked(); got.Reasoning != c.want || got.Model != strings.TrimPrefix(c.model, "models/") {
			t.Errorf("%s: %q as %s, want %q", c.model, got.Reasoning, got.Model, c.want)
		}
	}
}

// TestModelNeverLeavesItsPlace: the model's name is data from outside and a
// part of the address.
func TestModelNeverLeavesItsPlace(t *testing.T) {
	srv := llmtest.NewServer(t)
	for _, model := range []string{"", "..", "../files", "models/../../x", "a?key=1", "a#b", "a:countTokens", "a%2f..", `a\b`, "a//b", "models/"} {
		_, err := New(srv.Provider(llm.Gemini), nil).Complete(t.Context(), llm.Request{Model: model, Prompt: "p"})
		if recap.CodeOf(err) != recap.CodeInvalidRequest {
			t.Errorf("%q: %v", model, err)
		}
	}
	if n := srv.Count(); n != 0 {
		t.Errorf("%d requests, the last to %s", n, srv.Last().Path)
	}
	if _, err := New(srv.Provider(llm.Gemini), nil).Complete(t.Context(), llm.Request{Model: "tunedModels/mine", Prompt: "p"}); err != nil || srv.Last().Path != "/v1beta/tunedModels/mine:generateContent" {
		t.Errorf("%v, %s", err, srv.Last().Path)
	}
}

func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"text":"x","thought":true},{"text":"A"}]},"finishReason":"STOP"}]}`))
	f.Add([]byte(`{"promptFeedback":{"blockReason":"SAFETY"}}`))
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
