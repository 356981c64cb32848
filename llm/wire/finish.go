package wire

import (
	"encoding/json"
	"net/http"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// Answer is a decoded reply of any protocol.
type Answer struct {
	llm.Response
	// Reasoned: the model reasoned, as text or by its count of tokens.
	Reasoned bool
	// Stopped says in words why the provider held the reply back: a filter, a
	// refusal of the model. "" where it did not.
	Stopped string
}

// Finish gives the response, or the error that a reply without text is.
func (c *Conn) Finish(req llm.Request, a Answer) (llm.Response, error) {
	if strings.TrimSpace(a.Text) != "" {
		return a.Response, nil
	}
	a.Text = ""
	e := llm.Error{Code: recap.CodeProviderError, Status: http.StatusOK, Detail: "the reply has no text"}
	switch {
	case a.Stopped != "":
		e.Detail = a.Stopped
	case a.Finish == recap.FinishToolCalls:
		e.Detail = "the model called a tool, it has none"
	case a.Finish == recap.FinishLength:
		e.Code, e.Detail = recap.CodeOutputExhausted, ""
	case a.Reasoned:
		e.Code, e.Detail = recap.CodeOutputExhausted, "the model reasoned and said nothing"
	}
	return a.Response, c.fail(req, e)
}

// Unreadable is the error of a reply that is JSON and none of the protocol's.
func (c *Conn) Unreadable(req llm.Request, detail string) error {
	return c.fail(req, llm.Error{Code: recap.CodeProviderError, Status: http.StatusOK, Detail: detail})
}

// Invalid is the error of a request that is not sent.
func (c *Conn) Invalid(req llm.Request, detail string) error {
	return c.fail(req, llm.Error{Code: recap.CodeInvalidRequest, Detail: detail})
}

// Refused is the error of a reply that holds an error inside of its answer.
func (c *Conn) Refused(req llm.Request, raw []byte) error {
	f := readFailure(append(append([]byte(`{"error":`), raw...), '}'))
	return c.refusedAs(req, f.status(http.StatusOK), nil, f)
}

// Schema gives the JSON schema of an object with these string fields, all
// required and none besides. The fields keep their order: a server that holds
// a model to the schema makes it write them so, and the prompt names them so.
func Schema(fields []string) map[string]any {
	return map[string]any{"type": "object", "properties": Properties{fields, "string"}, "required": fields, "additionalProperties": false}
}

// Properties are those of a schema, all of one type, in their order.
type Properties struct {
	Fields []string
	Type   string
}

// MarshalJSON writes an object with the fields in their order.
func (p Properties) MarshalJSON() ([]byte, error) {
	typ, err := json.Marshal(p.Type)
	if err != nil {
		return nil, err
	}
	b := []byte{'{'}
	for i, f := range p.Fields {
		name, err := json.Marshal(f)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, name...), `:{"type":`...)
		b = append(append(b, typ...), '}')
	}
	return append(b, '}'), nil
}
