package claudecode

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// TestAProcessThatIsKilled: its file stays, and says that it works.
func TestAProcessThatIsKilled(t *testing.T) {
	child := exec.CommandContext(t.Context(), "sleep", "600")
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	pid := child.Process.Pid
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		child.Process.Kill() //nolint:errcheck // this system tells nothing of processes
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	begun := strings.Fields(rest)[19]

	root := t.TempDir()
	m := &made{t: t, builder: newBuilder(root), src: New(Config{Root: root})}
	id := m.Begin(t, "/home/dev/src/app", time.Now())
	m.chain(t, id, time.Now(), `"promptId":"p","type":"user","message":{"role":"user","content":"go"}`, humanMarks)
	if err := os.MkdirAll(filepath.Join(root, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	note := q(obj{"pid": pid, "sessionId": id, "procStart": begun, "startedAt": 1, "status": "busy"})
	if err := os.WriteFile(filepath.Join(root, "sessions", fmt.Sprint(pid, ".json")), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var got []agent.EventKind
	for e, err := range m.src.Watch(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == agent.EventReady {
			continue
		}
		if got = append(got, e.Kind); e.Kind == agent.EventBusy {
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			child.Wait() //nolint:errcheck // it was killed
			continue
		}
		if e.Session.State != recap.StateInterrupted {
			t.Errorf("state = %q", e.Session.State)
		}
		break
	}
	if !slices.Equal(got, []agent.EventKind{agent.EventBusy, agent.EventIdle}) {
		t.Errorf("told %v", got)
	}
}
