package outbound_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// H9: what can't be booked is not sent.
func TestH9_ReadOnlyStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recap.db")
	handle(t, path)
	s, err := sqlite.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	n := &counts{}
	r := newRig(t, n)
	r.opts.Ledger = s
	_, err = r.send(call("s"))
	code(t, err, recap.CodeStore)
	if !errors.Is(err, store.ErrReadOnly) || n.calls.Load() != 0 {
		t.Errorf("%v, %d calls", err, n.calls.Load())
	}
}

// BenchmarkOverhead is the cost of all that stands around a call which answers
// at once, beside the bare client: 250 calls a day, 20 a session.
func BenchmarkOverhead(b *testing.B) {
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "recap.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	bare := says("Fixed the parser; tests passed.")
	sender := outbound.New(outbound.Options{
		Client: func(llm.Provider) (llm.Client, error) { return bare, nil }, Ledger: s, Now: noon, Caps: store.Caps{DayTokens: 1 << 40, DayUSD: 1e9, SessionTokens: 1 << 40},
	})
	for _, size := range []int{2000, 32000} {
		c := call("s")
		c.Prompt = strings.Repeat("Ran go test ./parser, it passed: 12 tests. ", size/43+1)[:size]
		b.Run(fmt.Sprintf("bare/%d", size), func(b *testing.B) {
			for b.Loop() {
				_, _ = bare.Complete(b.Context(), c.Request)
			}
		})
		b.Run(fmt.Sprintf("outbound/%d", size), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				c.Day, c.Session = noon().AddDate(0, 0, 2*(i/250)), session(fmt.Sprint(size, i/20))
				if _, err := sender.Send(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
