// Package llm is the contract of one model call: a system prompt and a user
// prompt in, text out. One package below it speaks each wire protocol.
//
// A client makes one attempt, follows no redirect to another host, sends the
// key to the provider's base URL alone, and ends at once when its context does:
// the socket is closed and no goroutine stays. It sends no tools. It never
// logs, and no error holds the key, the prompt or the reply.
//
// What went wrong is an [*Error] with a code; what the provider wrote about it
// is kept short and is only for `why`.
package llm

import (
	"context"
	"strings"
	"time"
	"unicode"

	recap "github.com/sessionrecap/recap"
)

// Client makes one completion.
type Client interface {
	// Complete asks the model once. An error is an [*Error]; where tokens were
	// spent all the same (output-exhausted), the Response beside it says how
	// many.
	Complete(ctx context.Context, req Request) (Response, error)
}

// Request is one completion to make.
type Request struct {
	// Model is the id the provider knows, without the provider.
	Model string
	// System is byte-identical between calls for the same set of fields.
	System string
	Prompt string
	// MaxOutput is the most output tokens.
	MaxOutput   int
	Temperature float64
	// Fields, where not empty, asks for a JSON object with these string
	// fields, by the provider's structured output where it has one.
	Fields []string
	// Reasons: the model is known to reason; it is asked to do so as little
	// as the provider lets us.
	Reasons bool
	// Session is put into the provider's session header, where it has one.
	Session string
}

// Response is what the model said.
type Response struct {
	// Text is the visible text: no reasoning that came apart from it.
	Text   string
	Finish recap.Finish
	// Usage as the provider counts it; CostUSD is nil.
	Usage recap.Usage
	// Model as the provider names it, "" where it does not.
	Model string
}

// Error is a failed call.
type Error struct {
	// Code is one of the codes of a model call in package recap.
	Code recap.Code
	// Provider is the id of the provider.
	Provider string
	// Status is the HTTP status, 0 where none came.
	Status int
	// Reset is when the provider says that it can be asked again.
	Reset time.Time
	// Detail is what the provider wrote, one line of at most 200 characters,
	// without anything that looks like a secret.
	Detail string
	// Hint is the next step, "" for that of the code.
	Hint string
	// Loading: a server says that it is still loading the model, so that the
	// same call may well succeed in a moment. Code is model-unavailable.
	Loading bool
	// Form: the server does not take the structured output that was asked
	// for. The same call to the provider with PlainJSON may well succeed.
	Form bool
	// Limits: the server knows the limit of the reply by its newer name, and may
	// take no temperature. The same call to the provider with NewLimits may well
	// succeed.
	Limits bool
	Err    error
}

// Error says what went wrong in words.
func (e *Error) Error() string {
	s := string(e.Code)
	if e.Provider != "" {
		s = e.Provider + ": " + s
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Unwrap gives the cause and the coded error of the program.
func (e *Error) Unwrap() []error {
	next := e.Hint
	if next == "" {
		next = Next(e.Code)
	}
	out := []error{&recap.Error{Code: e.Code, Message: Words(e.Code), Hint: next}}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}

// Words says for people what a code of a model call means.
func Words(c recap.Code) string {
	switch c {
	case recap.CodeInvalidRequest:
		return "the provider did not understand the request"
	case recap.CodeNoLogin:
		return "the provider did not accept the key, or there is none"
	case recap.CodeNoModel:
		return "no model may be asked about this session"
	case recap.CodeContextTooSmall:
		return "the model's context is too small for this session"
	case recap.CodeProviderUnsupported:
		return "this provider can't be asked by recap"
	case recap.CodeRateLimited:
		return "the provider's limit is reached"
	case recap.CodeOutputExhausted:
		return "the model spent its output before it said anything"
	case recap.CodeProviderError:
		return "the provider failed"
	case recap.CodeModelUnavailable:
		return "the model is not available"
	case recap.CodeTimeout:
		return "the model took too long"
	case recap.CodeBudget:
		return "the budget is used up"
	case recap.CodeGuarded:
		return "the model's reply did not pass the checks"
	case recap.CodeCanceled:
		return "stopped"
	}
	return string(c)
}

// Next says for people which step to take after a code of a model call. The free
// recap is there after each of them.
func Next(c recap.Code) string {
	switch c {
	case recap.CodeNoLogin, recap.CodeNoModel, recap.CodeProviderUnsupported:
		return "recap doctor shows which models may be asked, and why"
	case recap.CodeInvalidRequest:
		return "is that the right address and model? recap doctor shows both; another one: recap --model=PROVIDER/MODEL"
	case recap.CodeContextTooSmall:
		return "name a model with a larger context: recap --model=PROVIDER/MODEL"
	case recap.CodeBudget:
		return "recap spend shows what was used; --over-budget asks all the same"
	case recap.CodeRateLimited:
		return "the free recap is always there; recap --model=PROVIDER/MODEL asks another provider"
	case recap.CodeOutputExhausted, recap.CodeGuarded:
		return "ask again, or name another model: recap --model=PROVIDER/MODEL"
	case recap.CodeProviderError:
		return "ask again in a moment, or name another model: recap --model=PROVIDER/MODEL"
	case recap.CodeModelUnavailable:
		return "ask again when it is there, or name another model: recap --model=PROVIDER/MODEL"
	case recap.CodeTimeout:
		return "ask again, or name a quicker model: recap --model=PROVIDER/MODEL"
	case recap.CodeCanceled:
		return "recap --model asks again"
	}
	return ""
}

// Protocol is a wire protocol.
type Protocol string

// Protocols.
const (
	OpenAI    Protocol = "openai"    // chat completions
	Anthropic Protocol = "anthropic" // messages
	Gemini    Protocol = "gemini"    // generateContent
)

// Key is a secret. It prints as a mark; Reveal gives it to the one who sends it.
type Key struct{ value string }

// NewKey wraps a secret, without the byte order mark and the white space that a
// file has around it.
func NewKey(s string) Key { return Key{strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))} }

// Reveal gives the secret.
func (k Key) Reveal() string { return k.value }

// Set reports whether there is a key that can be one: sentinels such as
// "public" or "dummy" are none.
func (k Key) Set() bool {
	switch k.value {
	case "", "public", "none", "null", "undefined":
		return false
	}
	return true
}

// String hides the secret.
func (k Key) String() string {
	if k.value == "" {
		return ""
	}
	return "(key)"
}

// GoString hides the secret from %#v.
func (k Key) GoString() string { return "llm.Key{(key)}" }

// MarshalText hides the secret from encoders.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Provider is a provider that can be asked.
type Provider struct {
	ID       string
	Protocol Protocol
	// BaseURL of the API. For OpenAI-compatible ones with "/v1".
	BaseURL string
	Key     Key
	// Keyless: a local server that needs no key.
	Keyless bool
	Headers map[string]string
	// SessionHeader is the name of a header for the session's id, "" for none.
	SessionHeader string
	// PlainJSON: the server knows no structured output; Fields are asked for
	// by the prompt alone.
	PlainJSON bool
	// NewLimits: the server is asked with max_completion_tokens, and without a
	// temperature, whatever the model is called.
	NewLimits bool
	// Models are the ids the person listed, may be empty.
	Models []string
	// Origin says where each part came from, for doctor: "env OPENAI_API_KEY",
	// "opencode auth.json", "config".
	Origin string
	// Problem says why it can't be used, "" where it can: "subscription login".
	Problem string
}

// Broken reports that the key, or a header, holds a line break or another control
// character, so that no request can carry it.
func (p Provider) Broken() bool {
	odd := func(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
	for name, v := range p.Headers {
		if odd(name) || odd(v) {
			return true
		}
	}
	return odd(p.Key.value)
}

// Usable reports whether the provider can be asked.
func (p Provider) Usable() bool {
	return p.Problem == "" && p.BaseURL != "" && (p.Keyless || p.Key.Set()) && (p.Protocol == OpenAI || p.Protocol == Anthropic || p.Protocol == Gemini)
}
