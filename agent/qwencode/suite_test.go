package qwencode

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// TestSuite holds the source to the contract of package agent.
func TestSuite(t *testing.T) {
	agenttest.Run(t, agenttest.Member{
		Agent: recap.Qwen,
		Build: func(_ *testing.T, root string) agenttest.Builder {
			return &writer{root: root, files: map[string]string{}}
		},
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
		Lines: true,
	})
}

// writer writes transcripts as Qwen Code does.
type writer struct {
	root  string
	files map[string]string
	dirs  map[string]string
	n     int
	last  string // uuid of the newest row
}

type obj = map[string]any

func (w *writer) uuid() string {
	w.n++
	return fmt.Sprintf("00000000-0000-4000-8000-%012x", w.n)
}

func (w *writer) Begin(t testing.TB, dir string, _ time.Time) string {
	t.Helper()
	id := w.uuid()
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, dir)
	chats := filepath.Join(w.root, "projects", slug, "chats")
	if err := os.MkdirAll(chats, 0o700); err != nil {
		t.Fatal(err)
	}
	w.files[id] = filepath.Join(chats, id+".jsonl")
	if w.dirs == nil {
		w.dirs = map[string]string{}
	}
	w.dirs[id] = dir
	return id
}

func (w *writer) Files(id string) []string { return []string{w.files[id]} }

// row appends a row; the order of its first keys is the agent's.
func (w *writer) row(t testing.TB, id string, at time.Time, typ, prov, sub string, rest obj) {
	t.Helper()
	w.rowOf(t, id, w.uuid(), w.last, at, typ, prov, sub, rest)
}

func (w *writer) rowOf(t testing.TB, id, uuid, parent string, at time.Time, typ, prov, sub string, rest obj) {
	t.Helper()
	par := "null"
	if parent != "" {
		par = fmt.Sprintf("%q", parent)
	}
	line := fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":%q,"type":%q,"provenance":%q,"cwd":%s,"version":"0.24.4","gitBranch":"main"`,
		uuid, par, id, at.UTC().Format("2006-01-02T15:04:05.000Z"), typ, prov, marshal(t, w.dirs[id]))
	if sub != "" {
		line += fmt.Sprintf(`,"subtype":%q`, sub)
	}
	if b := marshal(t, rest); len(b) > 2 {
		line += "," + b[1:]
	} else {
		line += "}"
	}
	w.last = uuid
	w.raw(t, id, line+"\n")
}

func (w *writer) raw(t testing.TB, id, line string) {
	t.Helper()
	f, err := os.OpenFile(w.files[id], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // a test's file
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func parts(role string, p ...obj) obj { return obj{"message": obj{"role": role, "parts": p}} }

func withUsage(o obj) obj {
	o["model"] = "qwen3-coder-plus"
	o["usageMetadata"] = obj{"totalTokenCount": 10}
	return o
}

func (w *writer) prompt(t testing.TB, id string, at time.Time, text string) {
	t.Helper()
	w.row(t, id, at, "user", "real_user", "", parts("user", obj{"text": text}))
}

func (w *writer) answer(t testing.TB, id string, at time.Time, text string) {
	t.Helper()
	w.row(t, id, at, "assistant", "assistant_output", "", withUsage(parts("model", obj{"text": text})))
}

func (w *writer) Add(t testing.TB, id string, events ...agenttest.Event) {
	t.Helper()
	for _, e := range events {
		switch e.Kind {
		case agenttest.Prompt:
			w.prompt(t, id, e.At, e.Text)
		case agenttest.Answer:
			w.answer(t, id, e.At, e.Text)
		case agenttest.Command:
			call := "call_" + w.uuid()
			w.row(t, id, e.At, "assistant", "assistant_output", "", withUsage(parts("model",
				obj{"functionCall": obj{"id": call, "name": "run_shell_command", "args": obj{"command": e.Text, "is_background": false}}})))
			out := fmt.Sprintf("Command: %s\nDirectory: (root)\nOutput: %s\nError: (none)\nExit Code: %d\nSignal: (none)", e.Text, e.Output, e.Exit)
			resp := obj{"output": out}
			if e.Exit != 0 {
				resp = obj{"error": out}
			}
			w.row(t, id, e.At, "tool_result", "tool_result", "", parts("user", obj{"functionResponse": obj{"id": call, "name": "run_shell_command", "response": resp}}))
		case agenttest.Interrupt:
			w.row(t, id, e.At, "assistant", "assistant_output", "", parts("model"))
		case agenttest.Picture:
			w.row(t, id, e.At, "user", "real_user", "", parts("user", obj{"inlineData": obj{"mimeType": "image/png", "data": strings.Repeat("A", e.Size)}}, obj{"text": e.Text}))
		case agenttest.Noise:
			for size := 0; size < e.Size; size += 4000 {
				w.row(t, id, e.At, "system", "system", "attribution_snapshot", obj{"systemPayload": obj{"x": strings.Repeat("x", 3600)}})
			}
		}
	}
}

// TestSecrets holds titles, and what sessions wait for, free of secrets.
func TestSecrets(t *testing.T) {
	var w *writer
	waits := func(tool string, input func(string) obj) func(*testing.T, string, time.Time, string) {
		return func(t *testing.T, id string, at time.Time, text string) {
			t.Helper()
			w.row(t, id, at, "assistant", "assistant_output", "", withUsage(parts("model", obj{"functionCall": obj{"id": "c1", "name": tool, "args": input(text)}})))
			side := strings.TrimSuffix(w.files[id], ".jsonl") + ".runtime.json"
			if err := os.WriteFile(side, []byte(`{"pid":4711,"session_id":"x","started_at":1}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	titled := func(source string) func(*testing.T, string, string) {
		return func(t *testing.T, id, title string) {
			t.Helper()
			w.row(t, id, at0, "system", "system", "custom_title", obj{"systemPayload": obj{"customTitle": title, "titleSource": source}})
		}
	}
	agenttest.RunSecrets(t, agenttest.Titled{
		Member: agenttest.Member{
			Agent: recap.Qwen,
			Build: func(_ *testing.T, root string) agenttest.Builder {
				w = &writer{root: root, files: map[string]string{}}
				return w
			},
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx, Alive: func(int, time.Time) (bool, bool) { return true, true }})
			},
		},
		Titles: map[string]func(*testing.T, string, string){"person's title": titled("manual"), "agent's title": titled("auto")},
		Asks: map[string]func(*testing.T, string, time.Time, string){
			"command":  waits("run_shell_command", func(s string) obj { return obj{"command": s} }),
			"question": waits("ask_user_question", func(s string) obj { return obj{"questions": []obj{{"question": s}}} }),
		},
	})
}
