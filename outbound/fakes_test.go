package outbound_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
)

// noon is the tests' now.
func noon() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }

func session(id string) recap.SessionRef {
	return recap.SessionRef{Agent: recap.Claude, Root: "/home/dev/.claude", ID: id}
}

// price is a dollar for a thousand tokens.
func price(u recap.Usage) *float64 {
	p := float64(u.InputTokens+u.OutputTokens) / 1000
	return &p
}

// call is one that may go.
func call(id string) outbound.Call {
	return outbound.Call{
		Request:  llm.Request{Model: "a/small", System: "Say what was done.", Prompt: "fix the parser", MaxOutput: 100, Session: id},
		Provider: llm.Provider{ID: "prov", Protocol: llm.OpenAI, BaseURL: "https://user:pass@api.example.com:8443/v1?key=k", Key: llm.NewKey("k-1")},
		Session:  session(id), Fields: []recap.Field{recap.FieldRecap, recap.FieldSuggestion},
		Permitted: true, Price: price, Day: noon(),
	}
}

// limits are caps: tokens and dollars a day, tokens a session.
func limits(dayTokens int64, dayUSD float64, sessionTokens int64) store.Caps {
	return store.Caps{DayTokens: dayTokens, DayUSD: dayUSD, SessionTokens: sessionTokens}
}

// client is a function as a client.
type client func(ctx context.Context, r llm.Request) (llm.Response, error)

func (c client) Complete(ctx context.Context, r llm.Request) (llm.Response, error) { return c(ctx, r) }

func says(text string) client {
	return func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: text, Finish: recap.FinishStop, Usage: recap.Usage{InputTokens: 30, OutputTokens: 10}}, nil
	}
}

func fails(err error) client {
	return func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{}, err }
}

// rig is a Sender with all that stands around it in the open.
type rig struct {
	t     *testing.T
	store store.Store
	opts  outbound.Options
	log   *bytes.Buffer
	mu    sync.Mutex
	steps []string
	// fail makes a step of this name fail.
	fail map[string]error
}

func newRig(t *testing.T, c llm.Client) *rig {
	t.Helper()
	r := &rig{t: t, store: memory.New(), log: &bytes.Buffer{}, fail: map[string]error{}}
	r.opts = outbound.Options{
		Client: func(llm.Provider) (llm.Client, error) {
			if err := r.step("client"); err != nil {
				return nil, err
			}
			return client(func(ctx context.Context, q llm.Request) (llm.Response, error) {
				name := "call"
				if _, limited := ctx.Deadline(); limited {
					name = "call with a time limit"
				}
				if err := r.step(name); err != nil {
					return llm.Response{}, err
				}
				return c.Complete(ctx, q)
			}), nil
		},
		Ledger: watched{r.store, r}, Now: noon, Caps: store.NoCaps,
		Redact: func(s string) (string, int, error) {
			if err := r.step("redact"); err != nil {
				return "", 0, err
			}
			return s, 0, nil
		},
		Log: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	return r
}

// step notes that a step was come to, once in a row.
func (r *rig) step(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.steps) == 0 || r.steps[len(r.steps)-1] != name {
		r.steps = append(r.steps, name)
	}
	return r.fail[name]
}

func (r *rig) send(c outbound.Call) (llm.Response, error) {
	return outbound.New(r.opts).Send(r.t.Context(), c)
}

func (r *rig) came(want ...string) {
	r.t.Helper()
	if !slices.Equal(r.steps, want) {
		r.t.Errorf("steps %q, want %q", r.steps, want)
	}
}

func (r *rig) entries() []store.Entry {
	r.t.Helper()
	es, err := r.store.Entries(r.t.Context(), time.Time{}, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	return es
}

func (r *rig) egress() []store.Egress {
	r.t.Helper()
	es, err := r.store.Egress(r.t.Context(), time.Time{}, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	return es
}

// watched is a ledger that notes what is asked of it.
type watched struct {
	store.Ledger
	r *rig
}

func (w watched) Reserve(ctx context.Context, r store.Reservation, c store.Caps, leaves ...store.Egress) (int64, error) {
	name := "reserve"
	if len(leaves) == 1 {
		name = "reserve and log"
	}
	if err := w.r.step(name); err != nil {
		return 0, err
	}
	return w.Ledger.Reserve(ctx, r, c, leaves...)
}

func (w watched) Settle(ctx context.Context, id int64, s store.Settlement) error {
	if err := w.r.step("settle"); err != nil {
		return err
	}
	return w.Ledger.Settle(ctx, id, s)
}

// web is a client that speaks to a server over HTTP, as the real ones do.
type web struct {
	p    llm.Provider
	http *http.Client
}

func (w web) Complete(ctx context.Context, q llm.Request) (llm.Response, error) {
	fail := func(code recap.Code, status int, err error) (llm.Response, error) {
		return llm.Response{}, &llm.Error{Code: code, Provider: w.p.ID, Status: status, Err: err}
	}
	body, err := json.Marshal(map[string]any{"model": q.Model, "system": q.System, "prompt": q.Prompt})
	if err != nil {
		return fail(recap.CodeInvalidRequest, 0, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.p.BaseURL, bytes.NewReader(body))
	if err != nil {
		return fail(recap.CodeInvalidRequest, 0, err)
	}
	req.Header.Set("Authorization", "Bearer "+w.p.Key.Reveal())
	req.Header.Set("X-Session", q.Session)
	res, err := w.http.Do(req)
	if err != nil {
		return fail(recap.CodeProviderError, 0, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fail(recap.CodeProviderError, res.StatusCode, nil)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return fail(recap.CodeProviderError, 0, err)
	}
	return llm.Response{Text: string(text), Usage: recap.Usage{InputTokens: 30, OutputTokens: 10}}, nil
}

// overWeb makes the rig speak to the server at the address.
func (r *rig) overWeb(address string) outbound.Call {
	r.t.Helper()
	h := &http.Client{Transport: &http.Transport{}}
	r.t.Cleanup(h.CloseIdleConnections)
	r.opts.Client = func(p llm.Provider) (llm.Client, error) { return web{p, h}, nil }
	c := call("s")
	c.Provider.BaseURL = address
	return c
}

func code(t *testing.T, err error, want recap.Code) {
	t.Helper()
	if got := recap.CodeOf(err); got != want {
		t.Errorf("%v: code %q, want %q", err, got, want)
	}
}

var errBoom = errors.New("boom")

func dump(v any) string { return fmt.Sprintf("%+v", v) }
