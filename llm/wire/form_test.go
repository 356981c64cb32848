package wire_test

import (
	"errors"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/anthropic"
	"github.com/sessionrecap/recap/llm/gemini"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/llm/openai"
)

// TestTheSchemaKeepsTheOrder: the fields stand in the request as the prompt
// names them, in every protocol.
func TestTheSchemaKeepsTheOrder(t *testing.T) {
	srv := llmtest.NewServer(t)
	req := llm.Request{Model: "claude-haiku-4-5", Prompt: "p", MaxOutput: 300, Fields: []string{"recap", "suggestion", "away"}}
	for _, c := range []llm.Client{
		openai.New(srv.Provider(llm.OpenAI), nil), gemini.New(srv.Provider(llm.Gemini), nil),
		anthropic.New(srv.Provider(llm.Anthropic), nil),
	} {
		if _, err := c.Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		body := strings.ToLower(string(srv.Last().Body))
		held := strings.Contains(body, `"properties":{"recap":{"type":"string"},"suggestion":{"type":"string"},"away":{"type":"string"}}`)
		if srv.Last().Asked().JSON == "schema" && !held {
			t.Errorf("%s", body)
		}
	}
	if body := string(srv.Requests()[0].Body); !strings.Contains(body, `"properties":{"recap"`) {
		t.Errorf("%s", body)
	}
}

// TestServersThatRefuseTheForm: it says so, and is not asked again here.
func TestServersThatRefuseTheForm(t *testing.T) {
	for _, x := range []struct {
		name    string
		status  int
		message string
		fields  bool
		plain   bool
		form    bool
	}{
		{"response_format", 400, "Unsupported parameter: 'response_format'", true, false, true},
		{"the schema", 400, "'response_format.type' must be 'text' or 'json_object'", true, false, true},
		{"json_schema", 422, "json_schema is not supported by this server", true, false, true},
		{"the grammar", 400, "failed to parse grammar", true, false, true},
		{"another parameter", 400, "temperature must be at most 1", true, false, false},
		{"nothing was asked for", 400, "grammar failed", false, false, false},
		{"plain already", 400, "grammar failed", true, true, false},
		{"too long", 400, "context_length_exceeded: json_schema", true, false, false},
		{"its own failure", 500, "json_schema", true, false, false},
		{"no key", 401, "response_format", true, false, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			srv := llmtest.NewServer(t)
			srv.Answer(llmtest.Reply{Status: x.status, Message: x.message})
			p := srv.Provider(llm.OpenAI)
			p.PlainJSON = x.plain
			req := llm.Request{Model: "m", Prompt: "p", MaxOutput: 300}
			if x.fields {
				req.Fields = []string{"recap"}
			}
			_, err := openai.New(p, nil).Complete(t.Context(), req)
			e, ok := errors.AsType[*llm.Error](err)
			if !ok || e.Form != x.form || srv.Count() != 1 {
				t.Fatalf("%+v, %d requests", err, srv.Count())
			}
			if x.form && e.Code != recap.CodeInvalidRequest {
				t.Errorf("code %s", e.Code)
			}
		})
	}
}
