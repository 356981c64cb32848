package outbound

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"sync/atomic"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// attempt is the call itself, made once. It notes whether something left.
type attempt struct {
	client func(llm.Provider) (llm.Client, error)
}

func (a attempt) send(ctx context.Context, t *trip) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	client, err := a.client(t.Provider)
	if err != nil {
		if _, ok := errors.AsType[*llm.Error](err); !ok {
			err = &llm.Error{Code: recap.CodeProviderUnsupported, Provider: t.Provider.ID, Err: err}
		}
		return llm.Response{}, err
	}
	var w wire
	t.left = true // until it is known that nothing did
	resp, err := client.Complete(httptrace.WithClientTrace(ctx, w.trace()), t.Request)
	t.left = w.left(err)
	return resp, err
}

// wire watches whether a request came as far as a connection: before that,
// nothing of it has left.
type wire struct{ asked, connected atomic.Bool }

func (w *wire) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { w.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { w.connected.Store(true) },
	}
}

// left says whether something may have left, in doubt that it has.
func (w *wire) left(err error) bool {
	switch {
	case err == nil, w.connected.Load():
		return true
	case w.asked.Load():
		return false
	}
	// The client speaks by other means, or gave up before it spoke.
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return false
	}
	e, ok := errors.AsType[*llm.Error](err)
	if !ok || e.Status != 0 {
		return true
	}
	switch e.Code {
	case recap.CodeInvalidRequest, recap.CodeNoLogin, recap.CodeNoModel, recap.CodeContextTooSmall, recap.CodeProviderUnsupported:
		return false
	}
	return true
}
