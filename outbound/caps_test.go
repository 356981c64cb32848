package outbound_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// counts is a client that counts how often it was asked, and answers nothing
// before all of a batch were let through or refused.
type counts struct {
	calls atomic.Int64
	hold  chan struct{}
}

func (c *counts) Complete(context.Context, llm.Request) (llm.Response, error) {
	c.calls.Add(1)
	if c.hold != nil {
		<-c.hold
	}
	return llm.Response{Text: "x", Usage: recap.Usage{InputTokens: 30, OutputTokens: 10}}, nil
}

func handle(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestWhoIsHeldByCaps(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		caps                   store.Caps
		background, overBudget bool
		made                   bool
	}{
		{"background, no caps", store.NoCaps, true, false, true},
		{"background, none allowed", limits(0, -1, -1), true, false, false},
		{"background has no way round", limits(0, -1, -1), true, true, false},
		{"manual, none allowed", limits(0, -1, -1), false, false, false},
		{"manual, over budget", limits(0, 0, 0), false, true, true},
		{"manual, no money allowed", limits(-1, 0, -1), false, false, false},
		{"manual, no tokens of a session allowed", limits(-1, -1, 0), false, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := &counts{}
			r := newRig(t, n)
			r.opts.Caps = tt.caps
			c := call("s")
			c.Background, c.OverBudget = tt.background, tt.overBudget
			_, err := r.send(c)
			if tt.made {
				code(t, err, "")
			} else {
				code(t, err, recap.CodeBudget)
				if _, ok := errors.AsType[*store.OverBudget](err); !ok || recap.HintOf(err) == "" {
					t.Errorf("%T %v, hint %q", err, err, recap.HintOf(err))
				}
			}
			if made := n.calls.Load() == 1; made != tt.made || (len(r.entries()) == 1) != tt.made || (len(r.egress()) == 1) != tt.made {
				t.Errorf("made %v, %d entries, %d in the egress log", made, len(r.entries()), len(r.egress()))
			}
		})
	}
}

// 100 calls at once, in one process and over two handles on one file: as many
// as fit by their estimates are made, and no more.
func TestCapsWith100AtOnce(t *testing.T) {
	one := outbound.Estimate(call("s").Request)
	tokens := one.InputTokens + one.OutputTokens
	for name, caps := range map[string]store.Caps{
		"tokens a day":     {DayTokens: 9*tokens + tokens/2, DayUSD: -1, SessionTokens: -1},
		"dollars a day":    {DayTokens: -1, DayUSD: float64(9*tokens+tokens/2) / 1000, SessionTokens: -1},
		"tokens a session": {DayTokens: -1, DayUSD: -1, SessionTokens: 9*tokens + tokens/2},
	} {
		for _, handles := range []int{1, 2} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "recap.db")
				n := &counts{hold: make(chan struct{})}
				senders := make([]outbound.Sender, handles)
				var s store.Ledger
				for i := range senders {
					s = handle(t, path)
					senders[i] = outbound.New(outbound.Options{
						Client: func(llm.Provider) (llm.Client, error) { return n, nil }, Ledger: s, Now: noon, Caps: caps,
					})
				}
				var over atomic.Int64
				var refused, all sync.WaitGroup
				refused.Add(91)
				for i := range 100 {
					c := call("s")
					c.Background = i%3 == 0
					all.Go(func() {
						switch _, err := senders[i%handles].Send(t.Context(), c); recap.CodeOf(err) {
						case "":
						case recap.CodeBudget:
							over.Add(1)
							refused.Done()
						default:
							t.Errorf("%v", err)
						}
					})
				}
				refused.Wait() // while the nine that fit are still at the provider
				close(n.hold)
				all.Wait()
				if n.calls.Load() != 9 || over.Load() != 91 {
					t.Errorf("%d made, %d refused, want 9 and 91", n.calls.Load(), over.Load())
				}
				es, err := s.Entries(t.Context(), time.Time{}, 0)
				if err != nil || len(es) != 9 {
					t.Errorf("%d entries, %v, want 9", len(es), err)
				}
				// What they really used leaves room for more.
				if _, err := senders[0].Send(t.Context(), call("s")); err != nil {
					t.Errorf("after they were settled: %v", err)
				}
			})
		}
	}
}

// The cap is reached in the middle of ten queued calls, and it goes on at
// midnight in the person's zone.
func TestH6_CapInTheMiddle(t *testing.T) {
	n := &counts{}
	r := newRig(t, n)
	r.opts.Caps = store.Caps{DayTokens: 300, DayUSD: -1, SessionTokens: -1}
	zone := time.FixedZone("", -5*3600)
	day := time.Date(2026, 3, 4, 23, 59, 0, 0, zone)
	var until time.Time
	for i := range 10 {
		c := call("s")
		c.Background, c.Day = true, day
		_, err := r.send(c)
		over, refused := errors.AsType[*store.OverBudget](err)
		// 40 tokens are used by each, and about 170 are booked for the next.
		if refused != (i > 3) || (err != nil && !refused) {
			t.Fatalf("call %d: %v", i, err)
		}
		if refused {
			until = over.Until
		}
	}
	if n.calls.Load() != 4 || len(r.egress()) != 4 {
		t.Errorf("%d calls, %d in the egress log, want 4", n.calls.Load(), len(r.egress()))
	}
	if !until.Equal(time.Date(2026, 3, 5, 0, 0, 0, 0, zone)) {
		t.Errorf("it goes on at %v", until)
	}
	for _, tt := range []struct {
		name string
		at   time.Time
		made bool
	}{
		{"a second before midnight", until.Add(-time.Second), false},
		{"H9 the clock set back an hour", day.Add(-time.Hour), false},
		{"midnight somewhere else", until.In(time.UTC).Add(-5*time.Hour - time.Minute), false},
		{"midnight", until, true},
		{"H9 the clock set back an hour, over midnight", until.Add(-time.Hour), false},
	} {
		c := call("s")
		c.Background, c.Day = true, tt.at
		if _, err := r.send(c); (err == nil) != tt.made {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// H9: a laptop that slept through the night makes no storm of what was queued.
func TestH9_AwakeAfterANight(t *testing.T) {
	n := &counts{}
	r := newRig(t, n)
	r.opts.Caps = store.Caps{DayTokens: 300, DayUSD: -1, SessionTokens: -1}
	for range 50 {
		c := call("s")
		c.Background, c.Day = true, noon().AddDate(0, 0, 1)
		_, _ = r.send(c)
	}
	if n.calls.Load() != 4 {
		t.Errorf("%d calls, want 4", n.calls.Load())
	}
}
