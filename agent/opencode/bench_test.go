package opencode

import (
	"fmt"
	"testing"

	"github.com/sessionrecap/recap/agent"
)

// BenchmarkList lists 10,000 sessions: for the first time, after one changed,
// and when nothing did.
func BenchmarkList(b *testing.B) {
	const n = 10000
	m := makeBenchDB(b, n)
	drain := func(ix agent.Index) {
		got := 0
		for _, err := range New(Config{Root: m.dir, Index: ix}).Sessions(b.Context(), agent.Query{}) {
			if err != nil {
				b.Fatal(err)
			}
			got++
		}
		if got != n {
			b.Fatalf("%d sessions", got)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			drain(newMemory())
		}
	})
	ix := newMemory()
	drain(ix)
	b.Run("one changed", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			m.exec(`UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?`, fmt.Sprintf("ses_%05d", i%n))
			drain(ix)
		}
	})
	drain(ix)
	b.Run("nothing changed", func(b *testing.B) {
		for b.Loop() {
			drain(ix)
		}
	})
}

func makeBenchDB(b *testing.B, n int) *made {
	b.Helper()
	m := makeDB(b, "opencode.db")
	m.exec(`BEGIN`)
	for i := range n {
		id := fmt.Sprintf("ses_%05d", i)
		m.session(id, "/home/dev/app")
		m.message(id, userInfo, "question")
		m.message(id, doneInfo, "answer")
	}
	m.exec(`COMMIT`)
	m.checkpoint()
	return m
}
