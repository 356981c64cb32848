package outbound

import (
	"context"
	"errors"
	"log/slog"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/store"
)

// reservation books the call before it is made, with its line of the egress
// log, and settles it after.
type reservation struct {
	ledger store.Ledger
	caps   store.Caps
	now    func() time.Time
	log    *slog.Logger
	next   step
}

// settleWait is the longest that a call which is over waits for its settlement.
const settleWait = 10 * time.Second

// wanted is what is booked, and the caps that it is held to.
func (r reservation) wanted(t *trip) (store.Reservation, store.Caps) {
	caps := r.caps
	if t.OverBudget && !t.Background {
		caps = store.NoCaps
	}
	estimate := t.price(Estimate(t.Request))
	return store.Reservation{
		At: t.Day, Session: t.Session, Provider: t.Provider.ID, Model: t.Model, Background: t.Background,
		InputTokens: estimate.InputTokens, OutputTokens: estimate.OutputTokens, CostUSD: estimate.CostUSD,
	}, caps
}

// check gives the refusal of a cap, and books nothing.
func (r reservation) check(ctx context.Context, t *trip) error {
	if r.ledger == nil {
		return storeError(store.ErrNoLedger)
	}
	booked, caps := r.wanted(t)
	used, err := r.ledger.Used(ctx, booked)
	if err != nil {
		return storeError(stopped(ctx, err, t.Provider.ID))
	}
	return caps.Check(booked, used)
}

func (r reservation) send(ctx context.Context, t *trip) (llm.Response, error) {
	if r.ledger == nil {
		return llm.Response{}, storeError(store.ErrNoLedger)
	}
	if t.Settling != nil {
		t.Settling.Wait() // what the call before took counts, not its estimate
	}
	booked, caps := r.wanted(t)
	estimate := recap.Usage{InputTokens: booked.InputTokens, OutputTokens: booked.OutputTokens, CostUSD: booked.CostUSD}
	var err error
	t.entry, err = r.ledger.Reserve(ctx, booked, caps, t.leaves(r.now()))
	if over, ok := errors.AsType[*store.OverBudget](err); ok {
		return llm.Response{}, over
	}
	if err != nil {
		return llm.Response{}, storeError(stopped(ctx, err, t.Provider.ID))
	}
	start := r.now()
	resp, err := r.next.send(ctx, t)
	end := r.now()
	st := store.Settlement{At: end, Sent: t.left, Code: codeOf(err)}
	if t.left {
		st.Usage = t.price(used(t.Request, estimate, resp, err))
		resp.Usage = st.Usage
	}
	settle := func() {
		// Also where the caller has gone: the call was made.
		sctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWait)
		defer cancel()
		serr := r.ledger.Settle(sctx, t.entry, st)
		r.report(ctx, t, st, end.Sub(start), serr)
	}
	if t.Settling != nil {
		t.Settling.Go(settle)
	} else {
		settle()
	}
	return resp, err
}

// report writes the call's line. A call that can't be settled counts at its
// estimate, so that is no failure of the call.
func (r reservation) report(ctx context.Context, t *trip, st store.Settlement, took time.Duration, serr error) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.Int64("entry", t.entry), slog.String("session", t.Session.String()),
		slog.String("provider", t.Provider.ID), slog.String("model", t.Model), slog.Bool("background", t.Background),
		slog.Bool("sent", st.Sent), slog.Int64("inputTokens", st.Usage.InputTokens), slog.Int64("outputTokens", st.Usage.OutputTokens),
		slog.Int64("ms", took.Milliseconds()), slog.Int("redactions", t.redactions), slog.String("code", string(st.Code)),
	}
	if serr != nil {
		level = slog.LevelWarn
		attrs = append(attrs, slog.String("unsettled", string(recap.CodeOf(serr))))
	}
	r.log.LogAttrs(context.WithoutCancel(ctx), level, "model call", attrs...)
}

func (t *trip) price(u recap.Usage) recap.Usage {
	u.CostUSD = nil
	if t.Price != nil {
		u.CostUSD = t.Price(u)
	}
	return u
}

func codeOf(err error) recap.Code {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e.Code
	}
	return recap.CodeOf(err)
}
