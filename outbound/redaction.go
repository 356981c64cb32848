package outbound

import (
	"context"
	"errors"
	"slices"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/redact"
)

// redaction takes the secrets out of what leaves (the prompt and the session
// header; the system prompt is a constant of the program), out of the reply,
// and out of errors.
type redaction struct {
	redact func(string) (string, int, error)
	next   step
}

func (r redaction) send(ctx context.Context, t *trip) (llm.Response, error) {
	for _, s := range []*string{&t.Prompt, &t.Request.Session} {
		clean, n, err := r.redact(*s)
		if err != nil {
			return llm.Response{}, failed("nothing was sent", err)
		}
		*s = clean
		t.redactions += n
	}
	resp, err := r.next.send(ctx, t)
	if err != nil {
		return llm.Response{}, r.clean(err)
	}
	text, _, rerr := r.redact(resp.Text)
	if rerr != nil {
		return llm.Response{}, failed("the reply is not shown", rerr)
	}
	resp.Text = text
	return resp, nil
}

// failed says that the redaction failed. The cause is kept out where it could
// hold the text.
func failed(what string, err error) error {
	e := &recap.Error{Code: recap.CodeRedaction, Message: "secrets could not be looked for: " + what}
	for _, known := range []error{redact.ErrTooLarge, redact.ErrInternal} {
		if errors.Is(err, known) {
			e.Err = known
		}
	}
	return e
}

// clean gives the error as it is where no text in its chain holds a secret,
// else one that says the same without.
func (r redaction) clean(err error) error {
	if !r.dirty(err) {
		return err
	}
	out := &llm.Error{Code: recap.CodeOf(err)}
	if out.Code == recap.CodeInternal {
		out.Code = recap.CodeProviderError
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		out.Code, out.Provider, out.Status, out.Reset = e.Code, e.Provider, e.Status, e.Reset
		if detail, _, rerr := r.redact(e.Detail); rerr == nil {
			out.Detail = detail
		}
	}
	for _, sentinel := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, sentinel) {
			out.Err = sentinel
		}
	}
	return out
}

// dirty looks at each error of the chain: a cause may hold what the whole does
// not say.
func (r redaction) dirty(err error) bool {
	if err == nil {
		return false
	}
	if _, n, rerr := r.redact(err.Error()); rerr != nil || n > 0 {
		return true
	}
	switch e := err.(type) { //nolint:errorlint // the chain is walked by hand
	case interface{ Unwrap() error }:
		return r.dirty(e.Unwrap())
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), r.dirty)
	}
	return false
}
