// Package gemini asks a model by generateContent of the Gemini API.
//
// Call [New]. The key goes in a header, never into the address, where proxies
// and logs would see it.
package gemini

import (
	"context"
	"encoding/json"
	"net/http"
	"path"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/wire"
)

type client struct{ conn *wire.Conn }

// New makes a client; a nil hc means the default of package wire. The base URL
// may end with the version of the API or not.
func New(p llm.Provider, hc *http.Client) llm.Client { return client{wire.New(p, hc)} }

type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought,omitempty"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

type request struct {
	System   *content  `json:"systemInstruction,omitempty"`
	Contents []content `json:"contents"`
	Config   config    `json:"generationConfig"`
}

type config struct {
	Temperature float64        `json:"temperature"`
	MaxOutput   int            `json:"maxOutputTokens,omitempty"`
	MIME        string         `json:"responseMimeType,omitempty"`
	Schema      map[string]any `json:"responseSchema,omitempty"`
	Thinking    *thinking      `json:"thinkingConfig,omitempty"`
}

type thinking struct {
	Budget *int   `json:"thinkingBudget,omitempty"`
	Level  string `json:"thinkingLevel,omitempty"`
}

// Complete makes one call.
func (c client) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	p, ok := c.path(req.Model)
	if !ok {
		return llm.Response{}, c.conn.Invalid(req, "the model's name can't be part of an address")
	}
	raw, err := c.conn.Post(ctx, req, wire.Out{Path: p, KeyHeader: "X-Goog-Api-Key", Body: c.body(req)})
	if err != nil {
		return llm.Response{}, err
	}
	return c.read(req, raw)
}

// path gives the address of the model, not ok where its name would lead to
// another one.
func (c client) path(model string) (string, bool) {
	p := c.conn.Path()
	if !strings.HasPrefix(path.Base(p), "v1") {
		p += "/v1beta"
	}
	if !strings.HasPrefix(model, "models/") && !strings.HasPrefix(model, "tunedModels/") {
		model = "models/" + model
	}
	ok := model == path.Clean(model) && !strings.ContainsAny(model, ":?#%\\")
	return p + "/" + model + ":generateContent", ok
}

func (c client) body(req llm.Request) request {
	b := request{
		Contents: []content{{Role: "user", Parts: []part{{Text: req.Prompt}}}},
		Config:   config{Temperature: req.Temperature, MaxOutput: req.MaxOutput, Thinking: quiet(req)},
	}
	if req.System != "" {
		b.System = &content{Parts: []part{{Text: req.System}}}
	}
	if len(req.Fields) > 0 && !c.conn.Provider().PlainJSON {
		b.Config.MIME, b.Config.Schema = "application/json", schema(req.Fields)
	}
	return b
}

// schema is in the protocol's own form, which every version of it knows.
func schema(fields []string) map[string]any {
	return map[string]any{"type": "OBJECT", "properties": wire.Properties{Fields: fields, Type: "STRING"}, "required": fields, "propertyOrdering": fields}
}

// quiet gives the least reasoning that the model knows, as of 2026-11-30:
// a budget in the generation 2.5, of which the pro has a least one, a level
// from the third on. Older ones know neither.
func quiet(req llm.Request) *thinking {
	id := strings.TrimPrefix(req.Model, "models/")
	rest, ok := strings.CutPrefix(id, "gemini-")
	switch {
	case !ok || rest == "" || rest[0] < '2':
		return nil
	case strings.HasPrefix(rest, "2.5"):
		budget := 0
		if strings.Contains(rest, "pro") {
			budget = 128
		}
		return &thinking{Budget: &budget}
	case rest[0] < '3' || rest[0] > '9':
		return nil
	}
	if known, ok := llm.Catalogue().Model("gemini", id); ok && len(known.Efforts) > 0 {
		return &thinking{Level: known.Efforts[0]}
	}
	return &thinking{Level: "low"}
}

type response struct {
	ModelVersion string `json:"modelVersion"`
	Candidates   []struct {
		Content      content `json:"content"`
		FinishReason string  `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage struct {
		Prompt     wire.Count `json:"promptTokenCount"`
		Candidates wire.Count `json:"candidatesTokenCount"`
		Thoughts   wire.Count `json:"thoughtsTokenCount"`
		Cached     wire.Count `json:"cachedContentTokenCount"`
	} `json:"usageMetadata"`
}

func (c client) read(req llm.Request, raw []byte) (llm.Response, error) {
	var r response
	if json.Unmarshal(raw, &r) != nil {
		return llm.Response{}, c.conn.Unreadable(req, "the reply is no generated content")
	}
	u := r.Usage
	a := wire.Answer{
		Response: llm.Response{Model: r.ModelVersion, Usage: recap.Usage{
			InputTokens: int64(u.Prompt), OutputTokens: int64(u.Candidates + u.Thoughts), CachedTokens: int64(u.Cached),
		}},
		Reasoned: u.Thoughts > 0,
	}
	if len(r.Candidates) == 0 {
		detail := "the reply has no candidates"
		if r.PromptFeedback.BlockReason != "" {
			detail = "the provider's filter stopped the request"
		}
		return a.Response, c.conn.Unreadable(req, detail)
	}
	got := r.Candidates[0]
	var text strings.Builder
	for _, p := range got.Content.Parts {
		if p.Thought {
			a.Reasoned = true
			continue
		}
		text.WriteString(p.Text)
	}
	a.Text = text.String()
	a.Finish = finish(got.FinishReason)
	if a.Finish == recap.FinishOther {
		a.Stopped = "the provider stopped the reply (" + got.FinishReason + ")"
	}
	return c.conn.Finish(req, a)
}

func finish(s string) recap.Finish {
	switch s {
	case "STOP":
		return recap.FinishStop
	case "MAX_TOKENS":
		return recap.FinishLength
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		return recap.FinishToolCalls
	case "", "FINISH_REASON_UNSPECIFIED":
		return ""
	}
	return recap.FinishOther
}
