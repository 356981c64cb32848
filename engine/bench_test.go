package engine_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// long is a session whose prompt has about n characters.
func long(n int) []recap.Message {
	const words = "The login page keeps its values after a failed attempt, as src/login.go does for the others. "
	ask, answer := loginAsk, loginAnswer
	for len(ask)+len(answer)+len(words) < min(n, 22_000) {
		if len(ask) < n/3 {
			ask = words + ask
		} else {
			answer = words + answer
		}
	}
	records := talk("a", "Look at the login page, please.", "It is a form of three fields.")
	if n > 22_000 { // a message has its own limit
		half := long(n - 22_000)
		records = append(records, half[len(half)-2:]...)
	}
	last := talk(fmt.Sprint("b", n), ask, answer)
	last[1].Parts = append([]recap.Part{edit("src/login.go"), command("go test ./...", 0)}, last[1].Parts...)
	return append(records, last...)
}

// BenchmarkAsk is the time of a recap by a model that answers at once, beside
// the bare client with the same request. Both are made in turns, in a database
// on the disk, 200 calls a day; the figures are the median of the difference, and that of the
// best of each, which the machine's other work does not touch: scripts/bench.sh holds that one
// to the limit. The session is forgotten after 20 calls, which is more than its cap allows.
func BenchmarkAsk(b *testing.B) {
	for _, c := range []struct {
		size  int
		limit time.Duration
	}{{2_000, 2 * time.Millisecond}, {32_000, 10 * time.Millisecond}} {
		b.Run(strconv.Itoa(c.size), func(b *testing.B) {
			srv := llmtest.NewServer(b)
			srv.Answer(llmtest.Reply{Text: trueReply, Input: 1, Output: 1})
			st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "recap.db"))
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = st.Close() }()
			now := noon
			k := &engine.Asking{
				Sender: outbound.New(outbound.Options{
					Client: open, Ledger: st, Now: func() time.Time { return now }, Caps: store.Caps{DayTokens: 1 << 40, DayUSD: 1e9, SessionTokens: 1 << 40},
				}),
				Catalogue: llm.Catalogue(), Own: []llm.Provider{srv.Provider(llm.OpenAI)}, Env: func(string) string { return "" }, Owner: "this:1",
			}
			ask := engine.Ask{Fields: all()}
			e, s, p := sized(b, c.size, ask, func(src agent.Source) *engine.Engine {
				return engine.New(engine.Options{
					Sources: []agent.Source{src}, Store: st, Now: func() time.Time { return now }, Asking: func() *engine.Asking { return k },
				})
			})
			bare, err := open(srv.Provider(llm.OpenAI))
			if err != nil {
				b.Fatal(err)
			}
			req := llm.Request{
				Model: p.Choice.Model, System: p.Prompt.System, Prompt: p.Prompt.User, MaxOutput: p.Prompt.MaxOutput,
				Temperature: p.Prompt.Temperature, Fields: []string{"recap", "suggestion", "away"}, Reasons: p.Choice.Known.Reasons,
			}
			var alone, whole, over []time.Duration
			for i := 0; b.Loop(); i++ {
				now = noon.AddDate(0, 0, i/200)
				if i%20 == 0 {
					if _, err := st.Forget(b.Context(), store.Which{Session: &s.Ref}); err != nil {
						b.Fatal(err)
					}
				}
				t0 := time.Now()
				if _, err := bare.Complete(b.Context(), req); err != nil {
					b.Fatal(err)
				}
				t1 := time.Now()
				if r := e.AskModel(b.Context(), s, ask); r.Err != nil {
					b.Fatal(r.Err)
				}
				alone = append(alone, t1.Sub(t0))
				whole = append(whole, time.Since(t1))
				over = append(over, whole[len(whole)-1]-alone[len(alone)-1])
			}
			if a := srv.Last().Asked(); a.User != p.Prompt.User {
				b.Fatal("another prompt than the bare client's")
			}
			b.ReportMetric(float64(utf8.RuneCountInString(p.Prompt.User)), "characters")
			b.ReportMetric(ms(median(alone)), "bare-ms")
			b.ReportMetric(ms(median(over)), "overhead-ms")
			b.ReportMetric(ms(slices.Min(whole)-slices.Min(alone)), "least-overhead-ms")
			b.ReportMetric(ms(c.limit), "limit-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// sized is a session whose prompt has about that many characters: 32,000 is the
// most that a prompt may have.
func sized(b *testing.B, size int, ask engine.Ask, open func(agent.Source) *engine.Engine) (*engine.Engine, recap.Session, engine.Plan) {
	b.Helper()
	for n := size / 2; n < 2*size; n += 50 {
		src := newSource(recap.OpenCode, "/home/dev/.local/share/opencode")
		src.add("a", "/home/dev/src/shop", time.Hour, long(n)...)
		src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "openai", ID: "the-large-one"} })
		e := open(src)
		s, err := e.Find(b.Context(), "a")
		if err != nil {
			b.Fatal(err)
		}
		p := e.Plan(b.Context(), s, ask)
		if p.Err != nil {
			b.Fatal(p.Err)
		}
		got := utf8.RuneCountInString(p.Prompt.User)
		if got >= size-size/100 {
			return e, s, p
		}
		n += max(0, (size-got)/2-50)
	}
	b.Fatalf("no session has a prompt of %d characters", size)
	return nil, recap.Session{}, engine.Plan{}
}

func median(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkPlan is what is done before a call: reading, redaction, the prompt.
func BenchmarkPlan(b *testing.B) {
	for _, size := range []int{2_000, 32_000} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			src := newSource(recap.OpenCode, "/home/dev/.local/share/opencode")
			src.add("a", "/home/dev/src/shop", time.Hour, long(size-1_400)...)
			src.change("a", func(x *recap.Session) { x.Model = recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"} })
			k := &engine.Asking{Sender: says(trueReply), Catalogue: llm.Catalogue(), Own: []llm.Provider{ownProvider()}, Env: func(string) string { return "" }}
			e := engine.New(engine.Options{
				Sources: []agent.Source{src}, Store: noStore(b), Now: func() time.Time { return noon }, Asking: func() *engine.Asking { return k },
			})
			s, err := e.Find(b.Context(), "a")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if p := e.Plan(b.Context(), s, engine.Ask{Fields: all()}); p.Err != nil {
					b.Fatal(p.Err)
				}
			}
		})
	}
}

func noStore(b *testing.B) store.Store {
	b.Helper()
	st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "recap.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	return st
}
