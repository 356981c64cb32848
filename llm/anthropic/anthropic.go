// Package anthropic asks a model by the messages of Anthropic's API.
//
// Call [New]. Rules about Claude's model names are in names.go. Other vendors
// serve the same protocol under their base URL; of their models no more is
// assumed than the protocol's first version. No cache mark is sent: the calls
// of this program are too short or never repeat.
package anthropic

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/wire"
)

// version of the protocol, sent with each request.
const version = "2023-06-01"

type client struct{ conn *wire.Conn }

// New makes a client; a nil hc means the default of package wire. The base URL
// may end with "/v1" or not.
func New(p llm.Provider, hc *http.Client) llm.Client { return client{wire.New(p, hc)} }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model        string    `json:"model"`
	MaxTokens    int       `json:"max_tokens"`
	System       string    `json:"system,omitempty"`
	Messages     []message `json:"messages"`
	Temperature  *float64  `json:"temperature,omitempty"`
	Thinking     *kind     `json:"thinking,omitempty"`
	OutputConfig *output   `json:"output_config,omitempty"`
}

type kind struct {
	Type string `json:"type"`
}

type output struct {
	Effort string  `json:"effort,omitempty"`
	Format *format `json:"format,omitempty"`
}

type format struct {
	Type   string         `json:"type"`
	Schema map[string]any `json:"schema"`
}

// Complete makes one call.
func (c client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	raw, err := c.conn.Post(ctx, req, wire.Out{
		Path:      c.path(),
		KeyHeader: "X-Api-Key",
		Header:    map[string]string{"Anthropic-Version": version},
		Body:      c.body(req),
	})
	if err != nil {
		return llm.Response{}, err
	}
	return c.read(req, raw)
}

func (c client) path() string {
	p := c.conn.Path()
	if strings.HasSuffix(p, "/v1") {
		return p + "/messages"
	}
	return p + "/v1/messages"
}

func (c client) body(req llm.Request) request {
	n := nameOf(req.Model)
	b := request{
		Model: req.Model, MaxTokens: req.MaxOutput, System: req.System,
		Messages: []message{{"user", req.Prompt}},
	}
	if n.temperature() {
		b.Temperature = &req.Temperature
	}
	var out output
	b.Thinking, out.Effort = n.quiet()
	if len(req.Fields) > 0 && n.schema() && c.conn.Known().JSON == llm.JSONSchema {
		out.Format = &format{"json_schema", wire.Schema(req.Fields)}
	}
	if out != (output{}) {
		b.OutputConfig = &out
	}
	return b
}

type response struct {
	Type       string `json:"type"`
	Model      string `json:"model"`
	StopReason string `json:"stop_reason"`
	Content    []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Usage struct {
		Input      wire.Count `json:"input_tokens"`
		Output     wire.Count `json:"output_tokens"`
		CacheRead  wire.Count `json:"cache_read_input_tokens"`
		CacheWrite wire.Count `json:"cache_creation_input_tokens"`
	} `json:"usage"`
}

func (c client) read(req llm.Request, raw []byte) (llm.Response, error) {
	var r response
	if json.Unmarshal(raw, &r) != nil || r.Type != "message" && r.Content == nil {
		return llm.Response{}, c.conn.Unreadable(req, "the reply is no message")
	}
	u := r.Usage
	a := wire.Answer{Response: llm.Response{Model: r.Model, Finish: finish(r.StopReason), Usage: recap.Usage{
		// What was cached is not part of their input_tokens.
		InputTokens: int64(u.Input + u.CacheRead + u.CacheWrite), OutputTokens: int64(u.Output), CachedTokens: int64(u.CacheRead),
	}}}
	var text strings.Builder
	for _, p := range r.Content {
		switch p.Type {
		case "text":
			text.WriteString(p.Text)
		case "thinking", "redacted_thinking":
			a.Reasoned = true
		}
	}
	a.Text = text.String()
	if r.StopReason == "refusal" {
		a.Stopped = "the model refused"
	}
	return c.conn.Finish(req, a)
}

func finish(s string) recap.Finish {
	switch s {
	case "end_turn", "stop_sequence":
		return recap.FinishStop
	case "max_tokens", "model_context_window_exceeded":
		return recap.FinishLength
	case "tool_use":
		return recap.FinishToolCalls
	case "":
		return ""
	}
	return recap.FinishOther
}
