// Package openai asks a model by the chat completions of OpenAI, which most
// providers and every local server speak: Ollama, llama.cpp, LM Studio, vLLM,
// OpenRouter, DeepSeek and many more, by their base URL.
//
// Call [New]. What differs between servers is data of the catalogue (how JSON
// is asked for, which switch turns reasoning off) or a rule about OpenAI's own
// model names, see names.go. A server that knows no response_format is marked
// by the PlainJSON of its provider; nothing is tried twice here: the error of a
// server that refuses it says so (Form), and the caller decides.
package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/wire"
)

type client struct{ conn *wire.Conn }

// New makes a client; a nil hc means the default of package wire. A base URL
// of this machine without a path means its "/v1".
func New(p llm.Provider, hc *http.Client) llm.Client { return client{wire.New(p, hc)} }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model               string          `json:"model"`
	Messages            []message       `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ReasoningEffort     string          `json:"reasoning_effort,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Stream              bool            `json:"stream"`
}

type responseFormat struct {
	Type       string      `json:"type"`
	JSONSchema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema map[string]any `json:"schema"`
}

// Complete makes one call.
func (c client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	body, extra := c.body(req)
	raw, err := c.conn.Post(ctx, req, wire.Out{
		Path:      c.path(),
		KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Body: body, Extra: extra,
	})
	if err != nil {
		return llm.Response{}, err
	}
	return c.read(req, raw)
}

func (c client) path() string {
	const end = "/chat/completions"
	switch p := c.conn.Path(); {
	case strings.HasSuffix(p, end):
		return p
	case p == "" && c.conn.Local():
		return "/v1" + end
	default:
		return p + end
	}
}

func (c client) body(req llm.Request) (request, json.RawMessage) {
	known := c.conn.Known()
	b := request{Model: req.Model, Temperature: &req.Temperature}
	if req.System != "" {
		b.Messages = append(b.Messages, message{"system", req.System})
	}
	b.Messages = append(b.Messages, message{"user", req.Prompt})
	var extra json.RawMessage
	switch n := nameOf(req.Model); {
	case n.reasons:
		b.MaxCompletionTokens, b.Temperature, b.ReasoningEffort = req.MaxOutput, nil, n.effort
	case c.conn.Provider().NewLimits:
		b.MaxCompletionTokens, b.Temperature = req.MaxOutput, nil
	case known.ID == "openai" && !c.conn.Local():
		b.MaxCompletionTokens = req.MaxOutput
	default:
		b.MaxTokens = req.MaxOutput
		if req.Reasons {
			extra = known.Quiet
		}
	}
	if len(req.Fields) > 0 {
		switch known.JSON {
		case llm.JSONSchema:
			b.ResponseFormat = &responseFormat{"json_schema", &jsonSchema{"recap", true, wire.Schema(req.Fields)}}
		case llm.JSONObject:
			b.ResponseFormat = &responseFormat{Type: "json_object"}
		case llm.JSONPlain:
		}
	}
	return b, extra
}

type response struct {
	Model   string `json:"model"`
	Choices []struct {
		FinishReason string          `json:"finish_reason"`
		Error        json.RawMessage `json:"error"`
		Message      struct {
			Content          content           `json:"content"`
			Refusal          string            `json:"refusal"`
			ReasoningContent string            `json:"reasoning_content"`
			Reasoning        string            `json:"reasoning"`
			ToolCalls        []json.RawMessage `json:"tool_calls"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		Prompt     wire.Count `json:"prompt_tokens"`
		Completion wire.Count `json:"completion_tokens"`
		Total      wire.Count `json:"total_tokens"`
		CacheHit   wire.Count `json:"prompt_cache_hit_tokens"` // DeepSeek
		PromptMore struct {
			Cached wire.Count `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionMore struct {
			Reasoning wire.Count `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
}

// content is a string, null, or a list of parts of which the text counts.
type content string

// UnmarshalJSON reads either form.
func (c *content) UnmarshalJSON(b []byte) error {
	var s *string
	if json.Unmarshal(b, &s) == nil {
		if s != nil {
			*c = content(*s)
		}
		return nil
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" || p.Type == "output_text" {
			*c += content(p.Text)
		}
	}
	return nil
}

func (c client) read(req llm.Request, raw []byte) (llm.Response, error) {
	var r response
	if json.Unmarshal(raw, &r) != nil {
		return llm.Response{}, c.conn.Unreadable(req, "the reply is no chat completion")
	}
	u := r.Usage
	a := wire.Answer{Response: llm.Response{Model: r.Model, Usage: recap.Usage{
		InputTokens: int64(u.Prompt), OutputTokens: int64(u.Completion), CachedTokens: int64(max(u.PromptMore.Cached, u.CacheHit)),
	}}}
	thought := u.CompletionMore.Reasoning
	// xAI counts reasoning beside the completion.
	if thought > 0 && u.Total == u.Prompt+u.Completion+thought {
		a.Usage.OutputTokens += int64(thought)
	}
	if len(r.Choices) == 0 {
		return a.Response, c.conn.Unreadable(req, "the reply has no choices")
	}
	ch := r.Choices[0]
	if len(ch.Error) > 0 && string(ch.Error) != "null" { // OpenRouter
		return a.Response, c.conn.Refused(req, ch.Error)
	}
	m := ch.Message
	a.Text = string(m.Content)
	a.Finish = finish(ch.FinishReason)
	a.Reasoned = m.ReasoningContent != "" || m.Reasoning != "" || thought > 0
	switch {
	case m.Refusal != "":
		a.Stopped = "the model refused"
	case ch.FinishReason == "content_filter":
		a.Stopped = "the provider's filter stopped the reply"
	case ch.FinishReason == "error":
		a.Stopped = "the provider failed in the middle of the reply"
	}
	return c.conn.Finish(req, a)
}

func finish(s string) recap.Finish {
	switch s {
	case "stop", "eos", "end_turn", "eos_token", "stop_sequence":
		return recap.FinishStop
	case "length", "max_tokens", "model_length":
		return recap.FinishLength
	case "tool_calls", "function_call":
		return recap.FinishToolCalls
	case "":
		return ""
	}
	return recap.FinishOther
}
