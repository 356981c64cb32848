package claudecode

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func TestWatcher(t *testing.T) {
	agenttest.RunWatcher(t, agenttest.Watched{Member: agenttest.Member{
		Agent: recap.Claude,
		Build: func(_ *testing.T, root string) agenttest.Builder { return newBuilder(root) },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
	}})
}

// TestMemoryOfAWatch: what is kept of a session that is still, the index
// included.
func TestMemoryOfAWatch(t *testing.T) {
	const n = 400
	root := t.TempDir()
	b := newBuilder(root)
	for i := range n {
		id := b.Begin(t, fmt.Sprintf("/home/dev/src/project %d", i%40), at(i))
		b.Add(t, id,
			agenttest.Event{Kind: agenttest.Prompt, At: at(i), Text: strings.Repeat("please look at the tests ", 10)},
			agenttest.Event{Kind: agenttest.Answer, At: at(i), Text: "done"})
	}
	m := &made{t: t, builder: b, src: New(Config{Root: root})}
	id := m.begin()
	m.ask(id, "go")
	m.process(4711, id, "busy", true)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, err := range m.src.Watch(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		break // the first event comes after all was listed
	}
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / n
	t.Logf("%d bytes a session", each)
	if each > 2048 {
		t.Errorf("%d bytes a session", each)
	}
}
