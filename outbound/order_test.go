package outbound_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// TestOrder stops a call at each step: what comes before was done, what comes
// after was not.
func TestOrder(t *testing.T) {
	refused := call("s")
	refused.Permitted, refused.Refusal = false, "the session is another provider's"
	for _, tt := range []struct {
		name  string
		call  outbound.Call
		fail  string
		caps  store.Caps
		code  recap.Code
		steps []string
		sent  bool // the entry is settled as sent
	}{
		{"all goes well", call("s"), "", store.NoCaps, "", []string{"redact", "reserve and log", "client", "call with a time limit", "settle", "redact"}, true},
		{"E61 not permitted", refused, "", store.NoCaps, recap.CodeNoModel, nil, false},
		{"redaction fails", call("s"), "redact", store.NoCaps, recap.CodeRedaction, []string{"redact"}, false},
		{"over budget", call("s"), "", limits(10, -1, -1), recap.CodeBudget, []string{"redact", "reserve and log", "redact"}, false},
		{"the ledger fails", call("s"), "reserve and log", store.NoCaps, recap.CodeStore, []string{"redact", "reserve and log", "redact"}, false},
		{"no client", call("s"), "client", store.NoCaps, recap.CodeProviderUnsupported, []string{"redact", "reserve and log", "client", "settle", "redact"}, false},
		{"the settlement fails", call("s"), "settle", store.NoCaps, "", []string{"redact", "reserve and log", "client", "call with a time limit", "settle", "redact"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, says("done"))
			r.opts.Caps = tt.caps
			if tt.fail != "" {
				r.fail[tt.fail] = errBoom
			}
			resp, err := r.send(tt.call)
			code(t, err, tt.code)
			r.came(tt.steps...)
			if (err == nil) != (resp.Text == "done") {
				t.Errorf("text %q with error %v", resp.Text, err)
			}
			es := r.entries()
			for _, e := range es {
				if tt.fail != "settle" && (e.Settled == nil || e.Settled.Sent != tt.sent || e.Settled.Code != codeWant(tt.code, tt.sent)) {
					t.Errorf("settled %+v, want sent %v", e.Settled, tt.sent)
				}
				if tt.fail == "settle" && (e.Settled != nil || e.Tokens() < 100) {
					t.Errorf("an entry that can't be settled counts %d", e.Tokens())
				}
			}
			if booked := strings.Contains(strings.Join(tt.steps, " "), "settle"); booked != (len(es) == 1) {
				t.Errorf("%d entries", len(es))
			}
			if want := tt.sent || tt.fail == "settle"; want != (len(r.egress()) == 1) {
				t.Errorf("egress log %+v", r.egress())
			}
		})
	}
}

func codeWant(c recap.Code, sent bool) recap.Code {
	if sent {
		return ""
	}
	return c
}

func TestE62_ProvidersThatCannotBeAsked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(p *llm.Provider)
		code   recap.Code
	}{
		{"no key", func(p *llm.Provider) { p.Key = llm.Key{} }, recap.CodeNoLogin},
		{"a key that is none", func(p *llm.Provider) { p.Key = llm.NewKey("public") }, recap.CodeNoLogin},
		{"subscription", func(p *llm.Provider) { p.Problem = "subscription login" }, recap.CodeProviderUnsupported},
		{"no address", func(p *llm.Provider) { p.BaseURL = "" }, recap.CodeProviderUnsupported},
		{"protocol", func(p *llm.Provider) { p.Protocol = "gopher" }, recap.CodeProviderUnsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, says("x"))
			c := call("s")
			tt.change(&c.Provider)
			_, err := r.send(c)
			code(t, err, tt.code)
			r.came()
			if len(r.entries()) != 0 || len(r.egress()) != 0 {
				t.Error("booked or logged")
			}
		})
	}
	r := newRig(t, says("x"))
	c := call("s")
	c.Permitted, c.Refusal = false, "not chosen for this session"
	_, err := r.send(c)
	if err == nil || !strings.Contains(err.Error(), "not chosen for this session") || recap.HintOf(err) == "" {
		t.Errorf("E61: %v, hint %q", err, recap.HintOf(err))
	}
	if r.log.Len() != 0 {
		t.Errorf("E61: not silent: %s", r.log)
	}
}

func TestNoLedger(t *testing.T) {
	r := newRig(t, says("x"))
	r.opts.Ledger = nil
	_, err := r.send(call("s"))
	code(t, err, recap.CodeStore)
	if !errors.Is(err, store.ErrNoLedger) {
		t.Errorf("%v, want ErrNoLedger", err)
	}
	r.came("redact")
}

func TestWhatIsBookedAndLogged(t *testing.T) {
	r := newRig(t, says("done"))
	zone := time.FixedZone("", 9*3600)
	c := call("s")
	c.Background, c.Day = true, noon().In(zone)
	c.Prompt = "e\u0301 \u4fee\u590d" // four characters, of which one is two code points
	resp, err := r.send(c)
	if err != nil {
		t.Fatal(err)
	}
	if u := resp.Usage; u.InputTokens != 30 || u.OutputTokens != 10 || u.CostUSD == nil || *u.CostUSD != 0.04 {
		t.Errorf("usage %s", dump(u))
	}
	e := r.entries()[0]
	estimate := outbound.Estimate(c.Request)
	if e.Session != c.Session || e.Provider != "prov" || e.Model != "a/small" || !e.Background || store.Day(e.At) != "2026-03-04" ||
		e.InputTokens != estimate.InputTokens || e.OutputTokens != 100 || *e.CostUSD != *price(estimate) || *e.USD() != 0.04 || e.Tokens() != 40 {
		t.Errorf("entry %s", dump(e))
	}
	want := store.Egress{
		At: r.egress()[0].At, Session: c.Session, Provider: "prov", Model: "a/small", Host: "api.example.com:8443", Purpose: "recap,suggestion",
		Characters: len("Say what was done.") + 4, Ledger: e.ID,
	}
	if got := r.egress()[0]; got != want || !got.At.Equal(noon()) {
		t.Errorf("egress %+v, want %+v", got, want)
	}
	// E66: who, with what, how much. E67: no text.
	for _, s := range []string{"provider=prov", "model=a/small", "background=true", "inputTokens=30", "outputTokens=10", "session=claude:s", "entry=1"} {
		if !strings.Contains(r.log.String(), s) {
			t.Errorf("the log lacks %s: %s", s, r.log)
		}
	}
	for _, s := range []string{"Say what", "\u4fee", "done", "k-1", "pass"} {
		if strings.Contains(r.log.String(), s) {
			t.Errorf("E67: %q in the log: %s", s, r.log)
		}
	}
}

// TestWhatACallCounts: what is known is counted, what is not known counts at
// its estimate, and what did not leave counts nothing.
func TestWhatACallCounts(t *testing.T) {
	const none, estimate = 0, -1
	status := func(n int) error { return &llm.Error{Code: recap.CodeProviderError, Status: n} }
	usage := func(u recap.Usage, text string, err error) client {
		return func(context.Context, llm.Request) (llm.Response, error) {
			return llm.Response{Text: text, Usage: u}, err
		}
	}
	in := outbound.Estimate(call("s").Request).InputTokens
	for _, tt := range []struct {
		name   string
		client client
		sent   bool
		tokens int64
	}{
		{"counted by the provider", says("x"), true, 40},
		{"not counted by the provider", usage(recap.Usage{}, "four", nil), true, in + 1},
		{"output counted alone", usage(recap.Usage{OutputTokens: 7}, "four", nil), true, in + 7},
		{"failed, and counted", usage(recap.Usage{InputTokens: 30, OutputTokens: 100}, "", &llm.Error{Code: recap.CodeOutputExhausted, Status: 200}), true, 130},
		{"cut", fails(&llm.Error{Code: recap.CodeProviderError, Err: errors.New("unexpected EOF")}), true, estimate},
		{"timed out", fails(&llm.Error{Code: recap.CodeTimeout, Err: context.DeadlineExceeded}), true, estimate},
		{"an error of no kind", fails(errBoom), true, estimate},
		{"answered with something else", fails(status(200)), true, estimate},
		{"gateway timeout", fails(status(504)), true, estimate},
		{"401", fails(status(401)), true, none},
		{"429", fails(status(429)), true, none},
		{"503", fails(status(503)), true, none},
		{"overloaded", fails(status(529)), true, none},
		{"no connection", fails(&llm.Error{Code: recap.CodeProviderError, Err: &net.OpError{Op: "dial", Err: errBoom}}), false, none},
		{"given up before it was sent", fails(&llm.Error{Code: recap.CodeInvalidRequest}), false, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.client)
			_, _ = r.send(call("s"))
			e := r.entries()[0]
			want := tt.tokens
			if want == estimate {
				want = in + 100
			}
			if e.Settled == nil || e.Settled.Sent != tt.sent || e.Tokens() != want {
				t.Errorf("counts %d, %+v; want %d, sent %v", e.Tokens(), e.Settled, want, tt.sent)
			}
			if usd := e.USD(); usd == nil || *usd != float64(want)/1000 {
				t.Errorf("dollars %v, want %v", usd, float64(want)/1000)
			}
			if logged := len(r.egress()) == 1; logged != tt.sent {
				t.Errorf("in the egress log: %v", logged)
			}
		})
	}
}

func TestUnknownPrice(t *testing.T) {
	for name, p := range map[string]func(recap.Usage) *float64{"no prices": nil, "not this one": func(recap.Usage) *float64 { return nil }} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, says("x"))
			r.opts.Caps = store.Caps{DayTokens: -1, DayUSD: 0.001, SessionTokens: -1}
			c := call("s")
			c.Price = p
			resp, err := r.send(c)
			if err != nil {
				t.Fatal(err)
			}
			if e := r.entries()[0]; resp.Usage.CostUSD != nil || e.CostUSD != nil || e.USD() != nil || e.Settled.Usage.CostUSD != nil || e.Tokens() != 40 {
				t.Errorf("entry %s, usage %s", dump(e), dump(resp.Usage))
			}
		})
	}
}

func TestTimeLimit(t *testing.T) {
	hangs := client(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		<-ctx.Done()
		return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Err: ctx.Err()}
	})
	for _, tt := range []struct {
		name  string
		limit time.Duration // of the options
		back  bool          // nobody waits for it
		ctx   func(context.Context) (context.Context, context.CancelFunc)
		code  recap.Code
		cause error
		after time.Duration
	}{
		{"the default", 0, false, context.WithCancel, recap.CodeTimeout, context.DeadlineExceeded, outbound.CallTimeout},
		{"nobody waits", 0, true, context.WithCancel, recap.CodeTimeout, context.DeadlineExceeded, 2 * time.Minute},
		{"the options'", 7 * time.Second, true, context.WithCancel, recap.CodeTimeout, context.DeadlineExceeded, 7 * time.Second},
		{"the caller's", 0, false, func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Second)
		}, recap.CodeTimeout, context.DeadlineExceeded, time.Second},
		{"E68 the caller goes", 0, false, func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(3*time.Second, cancel)
			return ctx, cancel
		}, recap.CodeCanceled, context.Canceled, 3 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, hangs)
				r.opts.Timeout = tt.limit
				ctx, cancel := tt.ctx(t.Context())
				defer cancel()
				start := time.Now()
				c := call("s")
				c.Background = tt.back
				_, err := outbound.New(r.opts).Send(ctx, c)
				if took := time.Since(start); took != tt.after {
					t.Errorf("ended after %v, want %v", took, tt.after)
				}
				code(t, err, tt.code)
				if !errors.Is(err, tt.cause) {
					t.Errorf("%v is not %v", err, tt.cause)
				}
				if e := r.entries()[0]; e.Settled == nil || !e.Settled.Sent || e.Tokens() < 100 || e.Settled.Code != tt.code {
					t.Errorf("entry %s, %+v: not settled at its estimate", dump(e), e.Settled)
				}
			})
		})
	}
	if outbound.CallTimeout >= outbound.RouteTimeout {
		t.Error("E68: the inner limit is not below the outer")
	}
}

// A call that is canceled before it begins does nothing.
func TestCanceledBefore(t *testing.T) {
	r := newRig(t, says("x"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := outbound.New(r.opts).Send(ctx, call("s"))
	code(t, err, recap.CodeCanceled)
	if len(r.entries()) != 0 || len(r.egress()) != 0 {
		t.Error("booked or logged")
	}
}

// TestOverTheWire: what a real connection says about whether something left.
func TestOverTheWire(t *testing.T) {
	seen := make(chan struct{}, 1)
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		sent    bool
		code    recap.Code
	}{
		{"answered", func(http.ResponseWriter, *http.Request) {}, true, ""},
		{"cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true, recap.CodeProviderError},
		{"refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, true, recap.CodeProviderError},
		{"nobody there", nil, false, recap.CodeProviderError},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { tt.handler(w, q) }))
			defer server.Close()
			if tt.handler == nil {
				server.Close()
			}
			r := newRig(t, nil)
			_, err := r.send(r.overWeb(server.URL))
			code(t, err, tt.code)
			if e := r.entries()[0]; e.Settled.Sent != tt.sent || (len(r.egress()) == 1) != tt.sent {
				t.Errorf("settled %+v, %d in the egress log, want sent %v", e.Settled, len(r.egress()), tt.sent)
			}
		})
	}
	t.Run("E68 the caller goes: the server sees it", func(t *testing.T) {
		gone := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
			_, _ = io.Copy(io.Discard, q.Body) // only then is the connection watched
			seen <- struct{}{}
			<-q.Context().Done()
			close(gone)
		}))
		defer server.Close()
		r := newRig(t, nil)
		c := r.overWeb(server.URL)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-seen
			cancel()
		}()
		_, err := outbound.New(r.opts).Send(ctx, c)
		code(t, err, recap.CodeCanceled)
		<-gone
		if e := r.entries()[0]; !e.Settled.Sent || e.Tokens() < 100 {
			t.Errorf("settled %+v", e.Settled)
		}
	})
}

// With a group the reply does not wait for the settlement; the next call does.
func TestSettledBesideTheReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, says("done"))
		r.opts.Caps = limits(1000, -1, -1)
		r.opts.Ledger = slow{r.opts.Ledger}
		sender := outbound.New(r.opts)
		var settling sync.WaitGroup
		c := call("s")
		c.MaxOutput, c.Settling = 700, &settling
		start := time.Now()
		resp, err := sender.Send(t.Context(), c)
		if err != nil || resp.Text != "done" || resp.Usage.InputTokens != 30 || resp.Usage.CostUSD == nil || *resp.Usage.CostUSD != 0.04 {
			t.Fatalf("%+v, %v", resp, err)
		}
		if e := r.entries()[0]; time.Since(start) != 0 || e.Settled != nil || e.Tokens() < 700 {
			t.Errorf("after %v: settled %+v; until then it counts its estimate, %d", time.Since(start), e.Settled, e.Tokens())
		}
		// At its estimate the first would leave no room for the second.
		if _, err := sender.Send(t.Context(), c); err != nil {
			t.Errorf("the second call: %v", err)
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("the second call was made after %v, not when the first was settled", d)
		}
		settling.Wait()
		for _, e := range r.entries() {
			if e.Settled == nil || e.Tokens() != 40 {
				t.Errorf("entry %s", dump(e))
			}
		}
		if n := strings.Count(r.log.String(), "model call"); n != 2 || strings.Contains(r.log.String(), "unsettled") {
			t.Errorf("%d lines in the log: %s", n, r.log)
		}
	})
}

// A caller that goes leaves the settlement to its end.
func TestSettledAfterTheCallerHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, says("done"))
		r.opts.Ledger = slow{r.opts.Ledger}
		var settling sync.WaitGroup
		c := call("s")
		c.Settling = &settling
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := outbound.New(r.opts).Send(ctx, c); err != nil {
			t.Fatal(err)
		}
		cancel()
		settling.Wait()
		if e := r.entries()[0]; e.Settled == nil || e.Tokens() != 40 {
			t.Errorf("entry %s", dump(e))
		}
	})
}

// slow is a ledger that takes a second for a settlement.
type slow struct{ store.Ledger }

func (s slow) Settle(ctx context.Context, id int64, st store.Settlement) error {
	time.Sleep(time.Second)
	return s.Ledger.Settle(ctx, id, st)
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name string
		caps store.Caps
		call func(c *outbound.Call)
		over string
	}{
		{"within", limits(500_000, 1, 50_000), nil, ""},
		{"tokens of the day", limits(150, -1, -1), nil, store.CapDayTokens},
		{"dollars of the day", limits(-1, 0.1, -1), nil, store.CapDayUSD},
		{"tokens of the session", limits(-1, -1, 150), nil, store.CapSessionTokens},
		{"beyond by wish", limits(0, 0, 0), func(c *outbound.Call) { c.OverBudget = true }, ""},
		{"beyond by wish, in the background", limits(0, 0, 0), func(c *outbound.Call) { c.OverBudget, c.Background = true, true }, store.CapDayTokens},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, says("done"))
			r.opts.Caps = tt.caps
			c := call("s")
			if tt.call != nil {
				tt.call(&c)
			}
			sender := outbound.New(r.opts)
			checker, ok := sender.(outbound.Checker)
			if !ok {
				t.Fatal("the Sender of New is no Checker")
			}
			err := checker.Check(t.Context(), c)
			over, ok := errors.AsType[*store.OverBudget](err)
			if ok != (tt.over != "") || ok && over.Cap != tt.over || !ok && err != nil {
				t.Errorf("%v, want %q", err, tt.over)
			}
			if len(r.entries()) != 0 {
				t.Error("asking booked the call")
			}
			_, err = sender.Send(t.Context(), c)
			if _, refused := errors.AsType[*store.OverBudget](err); refused != ok {
				t.Errorf("Send says %v, Check said %v", err, over)
			}
		})
	}
	r := newRig(t, says("done"))
	r.opts.Ledger = nil
	if checker, ok := outbound.New(r.opts).(outbound.Checker); !ok || !errors.Is(checker.Check(t.Context(), call("s")), store.ErrNoLedger) {
		t.Error("no ledger, and no refusal")
	}
}
