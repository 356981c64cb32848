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

func TestWatcher(t *testing.T) {
	agenttest.RunWatcher(t, agenttest.Watched{Member: agenttest.Member{
		Agent: recap.Qwen,
		Build: func(_ *testing.T, root string) agenttest.Builder {
			return &writer{root: root, files: map[string]string{}}
		},
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
	}})
}

// label says what a row is.
func label(row []byte) string {
	var r struct {
		Type, Subtype string
		Usage         *json.RawMessage `json:"usageMetadata"`
		Message       struct {
			Parts []struct {
				Text     string
				Call     struct{ Name string } `json:"functionCall"`
				Response struct{ Name string } `json:"functionResponse"`
			}
		}
		Payload struct {
			Command string `json:"rawCommand"`
			Event   struct {
				Name string `json:"event.name"`
			} `json:"uiEvent"`
		} `json:"systemPayload"`
	}
	if err := json.Unmarshal(row, &r); err != nil {
		return "broken"
	}
	words := []string{r.Type, r.Subtype, r.Payload.Command, strings.TrimPrefix(r.Payload.Event.Name, "qwen-code.")}
	for _, p := range r.Message.Parts {
		if p.Text != "" {
			words = append(words, fmt.Sprintf("%.24q", p.Text))
		}
		if p.Call.Name != "" {
			words = append(words, "call "+p.Call.Name)
		}
		if p.Response.Name != "" {
			words = append(words, "result "+p.Response.Name)
		}
	}
	if r.Type == "assistant" && r.Usage == nil {
		words = append(words, "cut")
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

const demo = "../../internal/demo/sessions/qwen"

// TestReplay writes recorded sessions row by row. The golden files were looked
// at line by line: no session is idle in the middle of a turn.
func TestReplay(t *testing.T) {
	for _, rec := range []struct{ name, from, file string }{
		{"day", "testdata/qwen", "4fb25d76-cddb-419c-ac6f-0896a4265e0e"},
		{"headless", "testdata/qwen", "6b6e192d-526b-4b5a-846c-43bb9d20ac4f"},
		{"old", "testdata/qwen-0.5", "0e355e5a-c440-4d6d-bdc4-b9ad723ee5bd"},
		{"question", demo, "0cf9345d-efb8-4a26-8702-22d696e5a50d"},
		{"todos", demo, "47c8dc8e-f75d-4c0c-851f-09a16b7fa7b7"},
		{"refused", demo, "7651963b-0281-47e0-a60a-4cdcf1e4f422"},
		{"interrupt", demo, "61c5dc11-a04f-4527-9efe-590d908df722"},
	} {
		found, err := filepath.Glob(filepath.Join(rec.from, "projects", "*", "chats", rec.file+".jsonl"))
		if err != nil || len(found) != 1 {
			t.Fatal(rec.file, found, err)
		}
		rel, err := filepath.Rel(rec.from, found[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"nothing known", "process"} {
			t.Run(rec.name+", "+mode, func(t *testing.T) {
				t.Parallel()
				lives := true
				r := agenttest.Replay{From: rec.from, Files: []string{filepath.ToSlash(rel)}, Label: label}
				r.Open = func(root string, idx agent.Index) agent.Source {
					return New(Config{Root: root, Index: idx, Alive: func(int, time.Time) (bool, bool) { return lives, true }})
				}
				if mode == "process" {
					r.Before = func(root string, s agenttest.Step) {
						if s.N == 0 {
							note(t, root, s.File, s.At.Add(-time.Second))
						}
					}
					r.Then = []agenttest.Phase{{Name: "killed", Do: func(string) { lives = false }}}
				}
				agenttest.GoldenText(t, r.Run(t), filepath.Join("testdata", "replay", rec.name+", "+mode+".golden"))
			})
		}
	}
}

// note writes the file that names a session's process.
func note(t *testing.T, root, file string, begun time.Time) {
	t.Helper()
	p := filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(file, ".jsonl")+".runtime.json"))
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, fmt.Appendf(nil, `{"schema_version":1,"pid":4711,"started_at":%d}`, begun.Unix()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAgentsInTheBackground: a turn is over and an agent that it sent works on.
func TestAgentsInTheBackground(t *testing.T) {
	const begun = 1772355600 // 09:00 of the day the rows are of
	for _, c := range []struct {
		name         string
		alive, known bool
		noticed      bool
		begun        int64
		want         recap.State
	}{
		{"it works", true, true, false, begun, recap.StateBusy},
		{"its end was noticed", true, true, true, begun, recap.StateIdle},
		{"the process died", false, true, false, begun, recap.StateIdle},
		{"nothing is known of the process", false, false, false, begun, recap.StateUnknown},
		{"another process has the session open", true, true, false, begun + 90_000, recap.StateIdle},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &writer{root: t.TempDir(), files: map[string]string{}}
			at := time.Unix(begun, 0).Add(time.Hour)
			id := w.Begin(t, "/home/dev/src/app", at)
			w.prompt(t, id, at, "look around")
			w.row(t, id, at, "assistant", "assistant_output", "", withUsage(parts("model", obj{"functionCall": obj{"id": "c1", "name": "agent"}})))
			w.row(t, id, at, "tool_result", "tool_result", "", obj{
				"message":        obj{"role": "user", "parts": []obj{{"functionResponse": obj{"id": "c1", "name": "agent", "response": obj{"output": "launched"}}}}},
				"toolCallResult": obj{"callId": "c1", "status": "success", "resultDisplay": obj{"type": "task_execution", "executionMode": "background"}},
			})
			w.answer(t, id, at, "It looks around.")
			if c.noticed {
				w.row(t, id, at, "user", "system", "notification", parts("user", obj{"text": "<task-notification>\n<task-id>x</task-id>\n<tool-use-id>c1</tool-use-id>\n</task-notification>"}))
				w.answer(t, id, at, "It came back.")
			}
			w.prompt(t, id, at, "and another thing")
			w.answer(t, id, at, "Done.")
			rel, err := filepath.Rel(w.root, w.files[id])
			if err != nil {
				t.Fatal(err)
			}
			note(t, w.root, filepath.ToSlash(rel), time.Unix(c.begun, 0))
			s := New(Config{Root: w.root, Alive: func(int, time.Time) (bool, bool) { return c.alive, c.known }})
			for x, err := range s.Sessions(t.Context(), agent.Query{}) {
				if err != nil || x.State != c.want {
					t.Errorf("%v, want %v (%v)", x.State, c.want, err)
				}
			}
		})
	}
}

// TestMuchBookkeepingAtTheEnd: newest rows that hold nothing of anybody and are
// longer than what is read change nothing of a session that was seen before.
func TestMuchBookkeepingAtTheEnd(t *testing.T) {
	w := &writer{root: t.TempDir(), files: map[string]string{}}
	at := time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)
	id := w.Begin(t, "/home/dev/src/app", at)
	for i := range 40 {
		w.prompt(t, id, at, strings.Repeat(fmt.Sprint("go on ", i, " "), 400))
		w.answer(t, id, at, "Done.")
	}
	idx := agenttest.NewIndex()
	look := func() (out recap.Session) {
		t.Helper()
		for x, err := range New(Config{Root: w.root, Index: idx}).Sessions(t.Context(), agent.Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			out = x
		}
		out.Stamp = ""
		return out
	}
	was := look()
	for _, rows := range []int{1, 30, 1} {
		for range rows {
			w.row(t, id, at.Add(time.Minute), "system", "system", "ui_telemetry", obj{"systemPayload": obj{"uiEvent": obj{"event.name": "qwen-code.api_response", "x": strings.Repeat("x", 70<<10/rows)}}})
		}
		if now := look(); now != was {
			t.Errorf("%d rows: %+v, was %+v", rows, now, was)
		}
	}
	w.prompt(t, id, at.Add(2*time.Minute), "one more")
	for range 30 {
		w.row(t, id, at.Add(3*time.Minute), "system", "system", "ui_telemetry", obj{"systemPayload": obj{"uiEvent": obj{"event.name": "qwen-code.api_response", "x": strings.Repeat("x", 7<<10)}}})
	}
	if now := look(); now.State != recap.StateUnknown || !now.UpdatedAt.Equal(at.Add(2*time.Minute)) {
		t.Errorf("a prompt before them: %+v", now)
	}
}
