package opencode

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fastjson"
)

// replay runs recorded events through the tracks and gives what is told, a
// letter a session.
func replay(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := newTracks()
	names := map[string]string{}
	var out []string
	in := bufio.NewScanner(bytes.NewReader(b))
	in.Buffer(nil, maxEvent)
	for in.Scan() {
		sig, ok := parseSignal(bytes.TrimPrefix(in.Bytes(), []byte("data: ")))
		if !ok || sig.kind == sigAlive || sig.kind == sigDisposed {
			continue
		}
		for _, h := range m.apply(sig, time.UnixMilli(startMS)) {
			if names[h.id] == "" {
				names[h.id] = string(rune('a' + len(names)))
			}
			out = append(out, fmt.Sprint(names[h.id], " ", h.kind))
		}
	}
	return out
}

func TestReplayOfRecordedStreams(t *testing.T) {
	t.Parallel()
	const turn = "a user-message, a busy, a idle"
	for name, want := range map[string]string{
		"global-event-permission": "a user-message, a busy, a background, a busy, a idle",
		"global-event-multidir":   turn,
		// A prompt, a second, a third, a compaction by hand; one that grows too
		// large is compacted in the middle; two after a revert.
		"event-compaction-revert": turn + ", " + turn + ", a user-message, a background, a busy, a idle, " + turn +
			", a user-message, a busy, a user-message, a background, a user-message, a busy, a idle, " + turn,
		// The last is stopped with a prompt in the queue.
		"event-scenarios": turn + ", " + turn + ", " + turn + ", a user-message, a busy, a user-message, a idle",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(replay(t, "testdata/"+name+".jsonl"), ", "); got != want {
				t.Errorf("told %s\nwant %s", got, want)
			}
		})
	}
}

// BenchmarkStream reads a recorded stream: one operation is one event.
func BenchmarkStream(b *testing.B) {
	data, err := os.ReadFile("testdata/global-event-permission.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	one := []byte("data: " + strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", "\n\ndata: ") + "\n\n")
	n := bytes.Count(one, []byte("\n\n"))
	m := newTracks()
	at := time.UnixMilli(startMS)
	parser := new(fastjson.Parser)
	b.ReportAllocs()
	for i := 0; i < b.N; i += n {
		_ = events(bytes.NewReader(one), func() {}, func(data []byte) error {
			if sig, ok := readSignal(parser, data); ok && sig.kind != sigAlive && sig.kind != sigDisposed {
				m.apply(sig, at)
			}
			return nil
		})
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
