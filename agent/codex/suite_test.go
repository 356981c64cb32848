package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// TestSuite holds the source to the contract of package agent, with rollouts
// in each of the forms that Codex writes.
func TestSuite(t *testing.T) {
	for _, c := range []struct {
		name              string
		legacy, migr, zst bool
	}{{name: "paginated"}, {name: "legacy", legacy: true}, {name: "migrated", migr: true}, {name: "compressed", zst: true}} {
		t.Run(c.name, func(t *testing.T) {
			agenttest.Run(t, agenttest.Member{
				Agent: recap.Codex,
				Build: func(_ *testing.T, root string) agenttest.Builder {
					return &writer{root: root, legacy: c.legacy, migrated: c.migr, zst: c.zst, files: map[string]*thread{}}
				},
				Open: func(root, name string, idx agent.Index) agent.Source {
					return New(Config{Root: root, Name: name, Index: idx})
				},
				Lines: !c.zst,
				Quick: c.name != "paginated" && !long(),
			})
		})
	}
}

// writer writes rollouts as Codex does.
type writer struct {
	root                  string
	legacy, migrated, zst bool
	files                 map[string]*thread
	made                  int
}

type thread struct {
	path    string
	ordinal int
	calls   int
	turn    string
	open    bool
	plain   bytes.Buffer // of a compressed file
}

type obj = map[string]any

// uuid7 makes a UUID of version 7 of a time and a number.
func uuid7(at time.Time, n int) string {
	ms := at.UnixMilli()
	return fmt.Sprintf("%08x-%04x-7%03x-8000-%012x", ms>>16, ms&0xffff, n&0xfff, n)
}

func (w *writer) Begin(t testing.TB, dir string, at time.Time) string {
	t.Helper()
	w.made++
	id := uuid7(at, w.made)
	day := filepath.Join(w.root, "sessions", at.Format("2006"), at.Format("01"), at.Format("02"))
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	name := "rollout-" + at.Format("2006-01-02T15-04-05") + "-" + id + ".jsonl"
	if w.zst {
		name += ".zst"
	}
	th := &thread{path: filepath.Join(day, name)}
	w.files[id] = th
	meta := obj{"id": id, "timestamp": at.Format(time.RFC3339Nano), "cwd": dir, "originator": "codex-tui", "source": "cli", "model_provider": "fake"}
	if !w.legacy {
		meta["history_mode"] = "paginated"
	}
	w.row(t, th, at, "session_meta", meta)
	return id
}

func (w *writer) Files(id string) []string {
	if th := w.files[id]; th != nil {
		return []string{th.path}
	}
	return nil
}

func (w *writer) row(t testing.TB, th *thread, at time.Time, typ string, payload obj) {
	t.Helper()
	p, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	// Codex writes the kind of a payload first.
	if k, ok := payload["type"]; ok {
		p = append([]byte(fmt.Sprintf(`{"type":%q,`, k)), p[1:]...)
	}
	ordinal := ""
	if !w.legacy {
		ordinal = fmt.Sprintf(`"ordinal":%d,`, th.ordinal)
		th.ordinal++
	}
	line := fmt.Sprintf(`{"timestamp":%q,%s"type":%q,"payload":%s}`+"\n", at.Format("2006-01-02T15:04:05.000Z"), ordinal, typ, p)
	th.write(t, line, w.zst)
}

func (th *thread) write(t testing.TB, line string, zst bool) {
	t.Helper()
	if !zst {
		f, err := os.OpenFile(th.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // a test's file
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
		return
	}
	th.plain.WriteString(line)
	if err := os.WriteFile(th.path, pack(t, th.plain.Bytes()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func pack(t testing.TB, b []byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	return e.EncodeAll(b, nil)
}

func (w *writer) message(th *thread, role, kind string, content ...any) obj {
	m := obj{"type": "message", "role": role, "content": content}
	if !w.legacy && !w.migrated {
		kinds := make([]any, len(content))
		for i := range kinds {
			kinds[i] = kind
		}
		m["id"] = fmt.Sprintf("msg_%s_%d", filepath.Base(th.path), th.ordinal)
		m["internal_chat_message_metadata_passthrough"] = obj{"turn_id": th.turn, "content_item_kinds": kinds}
	}
	return m
}

func (w *writer) begin(t testing.TB, th *thread, at time.Time) {
	t.Helper()
	w.end(t, th, at)
	if w.legacy {
		return
	}
	th.turn = uuid7(at, th.ordinal)
	if w.migrated {
		th.turn = fmt.Sprintf("rollout-%d", th.ordinal)
	}
	th.open = true
	w.row(t, th, at, "event_msg", obj{"type": "task_started", "turn_id": th.turn})
}

func (w *writer) end(t testing.TB, th *thread, at time.Time) {
	t.Helper()
	if th.open && !w.legacy {
		w.row(t, th, at, "event_msg", obj{"type": "task_complete", "turn_id": th.turn, "last_agent_message": nil})
	}
	th.open = false
}

func (w *writer) prompt(t testing.TB, th *thread, at time.Time, content ...any) {
	t.Helper()
	if w.migrated { // the prompt stands before the end of the turn before
		w.row(t, th, at, "response_item", w.message(th, "user", "user.text", content...))
		w.begin(t, th, at)
	} else {
		w.begin(t, th, at)
		w.row(t, th, at, "response_item", w.message(th, "user", "environments.environment_context",
			obj{"type": "input_text", "text": "<environment_context>\n<cwd>/x</cwd>\n</environment_context>"}))
	}
	w.row(t, th, at, "turn_context", obj{"turn_id": th.turn, "model": "gpt-5.2-codex"})
	if !w.migrated {
		w.row(t, th, at, "response_item", w.message(th, "user", "user.text", content...))
	}
}

func (w *writer) Add(t testing.TB, id string, events ...agenttest.Event) {
	t.Helper()
	th := w.files[id]
	for _, e := range events {
		switch e.Kind {
		case agenttest.Prompt:
			w.prompt(t, th, e.At, obj{"type": "input_text", "text": e.Text})
		case agenttest.Picture:
			w.prompt(t, th, e.At, obj{"type": "input_text", "text": e.Text},
				obj{"type": "input_image", "image_url": "data:image/png;base64," + strings.Repeat("A", e.Size)})
		case agenttest.Answer:
			w.row(t, th, e.At, "response_item", w.message(th, "assistant", "unknown", obj{"type": "output_text", "text": e.Text}))
			if w.legacy {
				w.row(t, th, e.At, "event_msg", obj{"type": "token_count", "info": nil})
			}
			if !w.migrated {
				w.end(t, th, e.At)
			}
		case agenttest.Command:
			th.calls++
			call := fmt.Sprintf("call_%d", th.calls)
			args, err := json.Marshal(obj{"cmd": e.Text})
			if err != nil {
				t.Fatal(err)
			}
			w.row(t, th, e.At, "response_item", obj{"type": "function_call", "name": "exec_command", "arguments": string(args), "call_id": call})
			w.row(t, th, e.At, "response_item", obj{
				"type": "function_call_output", "call_id": call,
				"output": fmt.Sprintf("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code %d\nOutput:\n%s\n", e.Exit, e.Output),
			})
		case agenttest.Interrupt:
			w.row(t, th, e.At, "response_item", w.message(th, "user", "generic.turn_aborted", obj{"type": "input_text", "text": "<turn_aborted>\nstopped\n</turn_aborted>"}))
			w.row(t, th, e.At, "event_msg", obj{"type": "turn_aborted", "turn_id": th.turn, "reason": "interrupted"})
			th.open = false
		case agenttest.Noise:
			for n := 0; n < e.Size; n += 4000 {
				w.row(t, th, e.At, "event_msg", obj{"type": "token_count", "info": strings.Repeat("x", 3900)})
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
			args, err := json.Marshal(input(text))
			if err != nil {
				t.Fatal(err)
			}
			w.row(t, w.files[id], at, "response_item", obj{"type": "function_call", "name": tool, "arguments": string(args), "call_id": "c1"})
		}
	}
	agenttest.RunSecrets(t, agenttest.Titled{
		Member: agenttest.Member{
			Agent: recap.Codex,
			Build: func(_ *testing.T, root string) agenttest.Builder {
				w = &writer{root: root, files: map[string]*thread{}}
				return w
			},
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx})
			},
		},
		Titles: map[string]func(*testing.T, string, string){
			"name": func(t *testing.T, id, title string) {
				t.Helper()
				b, err := json.Marshal(obj{"id": id, "thread_name": title})
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(w.root, "session_index.jsonl"), append(b, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			},
		},
		Asks: map[string]func(*testing.T, string, time.Time, string){
			"command":  waits("exec_command", func(s string) obj { return obj{"cmd": s, "sandbox_permissions": "require_escalated"} }),
			"question": waits("request_user_input", func(s string) obj { return obj{"questions": []obj{{"question": s}}} }),
		},
	})
}
