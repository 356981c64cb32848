package outbound

import (
	"context"
	"errors"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// timeLimit ends a call that takes too long, and says who ended it.
type timeLimit struct {
	limit time.Duration
	next  step
}

func (l timeLimit) send(ctx context.Context, t *trip) (llm.Response, error) {
	limit := l.limit
	switch {
	case limit > 0:
	case t.Background:
		limit = BackgroundTimeout
	default:
		limit = CallTimeout
	}
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	resp, err := l.next.send(inner, t)
	if err != nil {
		return resp, stopped(inner, err, t.Provider.ID)
	}
	return resp, nil
}

// stopped gives the error of a call whose context ended its own code, whatever
// the client made of it. An answer of the provider that came all the same
// stands.
func stopped(ctx context.Context, err error, provider string) error {
	cause := ctx.Err()
	if cause == nil {
		return err
	}
	if e, ok := errors.AsType[*llm.Error](err); ok && (e.Status != 0 || e.Code == recap.CodeTimeout || e.Code == recap.CodeCanceled) {
		return err
	}
	code := recap.CodeCanceled
	if errors.Is(cause, context.DeadlineExceeded) {
		code = recap.CodeTimeout
	}
	return &llm.Error{Code: code, Provider: provider, Err: cause}
}
