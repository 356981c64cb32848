package llmtest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/sessionrecap/recap/llm"
)

// Request is a request as it came in.
type Request struct {
	Method, Path, Query string
	Header              http.Header
	Body                []byte
}

// Protocol tells the protocol by the path, "" for none.
func (r Request) Protocol() llm.Protocol {
	switch {
	case r.Method != http.MethodPost:
		return ""
	case strings.HasSuffix(r.Path, "/chat/completions"):
		return llm.OpenAI
	case strings.HasSuffix(r.Path, "/messages"):
		return llm.Anthropic
	case strings.HasSuffix(r.Path, ":generateContent"):
		return llm.Gemini
	}
	return ""
}

// Holds reports whether s stands anywhere in the request: path, query, headers
// or body, there also as JSON writes it.
func (r Request) Holds(s string) bool {
	if strings.Contains(r.Path+"?"+r.Query, s) || bytes.Contains(r.Body, []byte(s)) {
		return true
	}
	for k, vs := range r.Header {
		if strings.Contains(k, s) || strings.Contains(strings.Join(vs, "\n"), s) {
			return true
		}
	}
	quoted, err := json.Marshal(s)
	return err == nil && bytes.Contains(r.Body, quoted[1:len(quoted)-1])
}

// Key gives the key and the name of the header it came in, "" where none did.
func (r Request) Key() (header, key string) {
	if v := r.Header.Get("Authorization"); v != "" {
		return "Authorization", strings.TrimPrefix(v, "Bearer ")
	}
	for _, h := range []string{"X-Api-Key", "X-Goog-Api-Key"} {
		if v := r.Header.Get(h); v != "" {
			return h, v
		}
	}
	return "", ""
}

// Asked is what a request says, whatever its protocol.
type Asked struct {
	Model        string
	System, User string
	MaxOutput    int
	// Temperature is nil where none was sent.
	Temperature *float64
	// JSON is "schema", "object" or "".
	JSON string
	// Fields are the properties of the schema, sorted.
	Fields []string
	// Tools: the request offers tools. Stream: it asks for a stream.
	Tools, Stream bool
	// Reasoning is what it says about reasoning, "" for nothing.
	Reasoning string
	// Messages counts them without the system prompt.
	Messages int
	// Members are the names at the top of the body, sorted.
	Members []string
}

type wireRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	System              string          `json:"system"`
	MaxTokens           int             `json:"max_tokens"`
	MaxCompletionTokens int             `json:"max_completion_tokens"`
	Temperature         *float64        `json:"temperature"`
	Tools               json.RawMessage `json:"tools"`
	ToolChoice          json.RawMessage `json:"tool_choice"`
	Stream              bool            `json:"stream"`
	ReasoningEffort     string          `json:"reasoning_effort"`
	ResponseFormat      *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Schema schema `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	Thinking     json.RawMessage `json:"thinking"`
	OutputConfig struct {
		Effort string `json:"effort"`
		Format *struct {
			Schema schema `json:"schema"`
		} `json:"format"`
	} `json:"output_config"`
	SystemInstruction struct {
		Parts []struct{ Text string } `json:"parts"`
	} `json:"systemInstruction"`
	Contents []struct {
		Role  string                  `json:"role"`
		Parts []struct{ Text string } `json:"parts"`
	} `json:"contents"`
	GenerationConfig struct {
		Temperature      *float64        `json:"temperature"`
		MaxOutputTokens  int             `json:"maxOutputTokens"`
		ResponseMIMEType string          `json:"responseMimeType"`
		ResponseSchema   *schema         `json:"responseSchema"`
		ThinkingConfig   json.RawMessage `json:"thinkingConfig"`
	} `json:"generationConfig"`
}

type schema struct {
	Properties map[string]struct {
		Type string `json:"type"`
	} `json:"properties"`
	Required             []string `json:"required"`
	AdditionalProperties *bool    `json:"additionalProperties"`
}

func (s schema) fields() []string {
	var out []string
	for _, f := range slices.Sorted(maps.Keys(s.Properties)) {
		if strings.EqualFold(s.Properties[f].Type, "string") && slices.Contains(s.Required, f) {
			out = append(out, f)
		}
	}
	return out
}

// Asked reads the body; what is no JSON of the protocol gives zero values.
func (r Request) Asked() Asked {
	var w wireRequest
	var top map[string]json.RawMessage
	if json.Unmarshal(r.Body, &w) != nil || json.Unmarshal(r.Body, &top) != nil {
		return Asked{}
	}
	a := Asked{
		Model: w.Model, System: w.System, MaxOutput: max(w.MaxTokens, w.MaxCompletionTokens), Temperature: w.Temperature,
		Tools: w.Tools != nil || w.ToolChoice != nil, Stream: w.Stream, Members: slices.Sorted(maps.Keys(top)),
	}
	for _, m := range w.Messages {
		if m.Role == "system" {
			a.System += m.Content
			continue
		}
		a.User += m.Content
		a.Messages++
	}
	switch r.Protocol() {
	case llm.OpenAI:
		a.Reasoning = w.ReasoningEffort
		if f := w.ResponseFormat; f != nil {
			a.JSON = strings.TrimPrefix(f.Type, "json_")
			a.Fields = f.JSONSchema.Schema.fields()
		}
	case llm.Anthropic:
		a.Reasoning = strings.Trim(string(w.Thinking), "{}") + w.OutputConfig.Effort
		if f := w.OutputConfig.Format; f != nil {
			a.JSON, a.Fields = "schema", f.Schema.fields()
		}
	case llm.Gemini:
		g := w.GenerationConfig
		_, model, _ := strings.Cut(r.Path, "/models/")
		a.Model = strings.TrimSuffix(model, ":generateContent")
		a.MaxOutput, a.Temperature, a.Reasoning = g.MaxOutputTokens, g.Temperature, string(g.ThinkingConfig)
		for _, p := range w.SystemInstruction.Parts {
			a.System += p.Text
		}
		for _, c := range w.Contents {
			for _, p := range c.Parts {
				a.User += p.Text
			}
			a.Messages++
		}
		if g.ResponseMIMEType == "application/json" {
			a.JSON = "object"
		}
		if g.ResponseSchema != nil {
			a.JSON, a.Fields = "schema", g.ResponseSchema.fields()
		}
	}
	return a
}
