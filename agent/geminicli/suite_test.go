package geminicli

import (
	"encoding/json"
	"fmt"
	"maps"
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
		Agent: recap.Gemini,
		Build: func(_ *testing.T, root string) agenttest.Builder { return newWriter(root) },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
		Lines: true,
	})
}

// writer writes transcripts as Gemini CLI does.
type writer struct {
	root  string
	files map[string]string
	slugs map[string]string // directory → folder
	n     int
	lists map[string][]string
}

type obj = map[string]any

func newWriter(root string) *writer {
	return &writer{root: root, files: map[string]string{}, slugs: map[string]string{}, lists: map[string][]string{}}
}

func (w *writer) uuid() string {
	w.n++
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", w.n, w.n)
}

// folder makes the folder of a directory, as current versions do.
func (w *writer) folder(t testing.TB, dir string) string {
	t.Helper()
	if w.slugs[dir] == "" {
		w.slugs[dir] = fmt.Sprintf("project-%d", len(w.slugs)+1)
	}
	folder := filepath.Join(w.root, "tmp", w.slugs[dir])
	if err := os.MkdirAll(filepath.Join(folder, "chats"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, ".project_root"), dir)
	write(t, filepath.Join(w.root, "projects.json"), marshal(t, obj{"projects": w.slugs}))
	return filepath.Join(folder, "chats")
}

func (w *writer) Begin(t testing.TB, dir string, at time.Time) string {
	t.Helper()
	id := w.uuid()
	w.files[id] = filepath.Join(w.folder(t, dir), "session-"+at.UTC().Format("2006-01-02T15-04")+"-"+id[:8]+".jsonl")
	w.header(t, id, hashOf(dir), at)
	return id
}

func (w *writer) header(t testing.TB, id, hash string, at time.Time) {
	t.Helper()
	w.raw(t, id, fmt.Sprintf(`{"sessionId":%q,"projectHash":%q,"startTime":%q,"lastUpdated":%q,"kind":"main"}`, id, hash, iso(at), iso(at)))
	w.set(t, id, at, msgJSON(w.uuid(), at, "user", obj{"content": []obj{{"text": "<session_context>\nThis is the Gemini CLI.\n</session_context>"}}}))
}

func (w *writer) Files(id string) []string { return []string{w.files[id]} }

func (w *writer) raw(t testing.TB, id, line string) {
	t.Helper()
	f, err := os.OpenFile(w.files[id], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // a test's file
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
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

func iso(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// msgJSON is a message in the agent's order of keys.
func msgJSON(id string, at time.Time, typ string, rest obj) string {
	b, err := json.Marshal(rest)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"id":%q,"timestamp":%q,"type":%q,%s`, id, iso(at), typ, b[1:])
}

// add appends a message of its own.
func (w *writer) add(t testing.TB, id, msg string, at time.Time) {
	t.Helper()
	w.raw(t, id, msg)
	w.raw(t, id, fmt.Sprintf(`{"$set":{"lastUpdated":%q}}`, iso(at)))
	w.lists[id] = append(w.lists[id], msg)
}

// set replaces the list of messages.
func (w *writer) set(t testing.TB, id string, at time.Time, msgs ...string) {
	t.Helper()
	w.raw(t, id, fmt.Sprintf(`{"$set":{"messages":[%s],"lastUpdated":%q}}`, strings.Join(msgs, ","), iso(at)))
}

func user(id string, at time.Time, text string) string {
	return msgJSON(id, at, "user", obj{"content": []obj{{"text": text}}})
}

func gemini(id string, at time.Time, text string, more obj) string {
	o := obj{"content": text, "thoughts": []obj{}, "tokens": obj{"input": 1, "output": 1, "total": 2}, "model": "gemini-2.5-pro"}
	maps.Copy(o, more)
	return msgJSON(id, at, "gemini", o)
}

func (w *writer) prompt(t testing.TB, id string, at time.Time, text string) string {
	t.Helper()
	m := w.uuid()
	w.add(t, id, user(m, at, text), at)
	return m
}

func (w *writer) answer(t testing.TB, id string, at time.Time, text string) string {
	t.Helper()
	m := w.uuid()
	w.add(t, id, gemini(m, at, text, nil), at)
	return m
}

func (w *writer) info(t testing.TB, id string, at time.Time, text string) {
	t.Helper()
	w.add(t, id, msgJSON(w.uuid(), at, "info", obj{"content": text}), at)
}

// cancel does what Esc does: the notice, then the list without the prompt.
func (w *writer) cancel(t testing.TB, id string, at time.Time) {
	t.Helper()
	w.info(t, id, at, "Request cancelled.")
	w.set(t, id, at, user(w.uuid(), at, "<session_context>x</session_context>"))
}

func (w *writer) call(t testing.TB, id string, at time.Time, tool string, args obj, output, status string) {
	t.Helper()
	m, call := w.uuid(), tool+"_"+w.uuid()
	response := []obj{{"functionResponse": obj{"id": call, "name": tool, "response": obj{"output": output}}}}
	w.add(t, id, gemini(m, at, "", nil), at)
	w.raw(t, id, gemini(m, at, "", obj{"toolCalls": []obj{{
		"id": call, "name": tool, "args": args, "result": response, "status": status, "timestamp": iso(at),
	}}}))
	w.add(t, id, msgJSON(w.uuid(), at, "user", obj{"content": response}), at)
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
			out := "<untrusted_context>\nOutput: " + e.Output
			if e.Exit != 0 {
				out += fmt.Sprintf("\nExit Code: %d", e.Exit)
			}
			w.call(t, id, e.At, "run_shell_command", obj{"command": e.Text, "description": "x"}, out+"\nProcess Group PGID: 7698\n</untrusted_context>", "success")
		case agenttest.Interrupt:
			w.cancel(t, id, e.At)
		case agenttest.Picture:
			w.add(t, id, msgJSON(w.uuid(), e.At, "user", obj{"content": []obj{
				{"text": e.Text}, {"inlineData": obj{"mimeType": "image/png", "data": strings.Repeat("A", e.Size)}},
			}}), e.At)
		case agenttest.Noise:
			for size := 0; size < e.Size; size += 4000 {
				w.raw(t, id, fmt.Sprintf(`{"$set":{"lastUpdated":%q,"x":%q}}`, iso(e.At), strings.Repeat("x", 3600)))
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
			w.raw(t, id, gemini("m", at, "", obj{"toolCalls": []obj{{"id": "c", "name": tool, "args": input(text), "status": "awaiting_approval"}}}))
		}
	}
	agenttest.RunSecrets(t, agenttest.Titled{
		Member: agenttest.Member{
			Agent: recap.Gemini,
			Build: func(_ *testing.T, root string) agenttest.Builder {
				w = newWriter(root)
				return w
			},
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx})
			},
		},
		Titles: map[string]func(*testing.T, string, string){
			"summary": func(t *testing.T, id, title string) {
				t.Helper()
				w.raw(t, id, marshal(t, obj{"$set": obj{"summary": title}}))
			},
		},
		Asks: map[string]func(*testing.T, string, time.Time, string){
			"command":  waits("run_shell_command", func(s string) obj { return obj{"command": s} }),
			"question": waits("ask_user", func(s string) obj { return obj{"questions": []obj{{"question": s}}} }),
		},
	})
}

// A first prompt that the end of what is read cuts is shown up to where a key
// may begin.
func TestSecretsAtTheEndOfWhatIsRead(t *testing.T) {
	for _, s := range agenttest.Secrets(8) {
		for _, lead := range []int{60, 600} {
			for _, seen := range []int{7, 20} {
				root := t.TempDir()
				w := newWriter(root)
				id := w.Begin(t, "/home/dev/src/app", at0)
				lines := strings.Repeat("see it ", lead/7) + "\n" + s.Before
				size := len(read(t, w.files[id]))
				// A notice, so that the prompt begins right before the end of the head.
				const frame = 120 // of both rows
				w.raw(t, id, msgJSON("n", at0, "info", obj{"content": strings.Repeat("n", agent.EndBytes-size-2*frame-len(lines))}))
				row := user("p", at0, lines+s.Secret+s.After+strings.Repeat(" and more", 20_000))
				pad := agent.EndBytes - len(read(t, w.files[id])) - strings.Index(row, s.Secret[:6]) - seen
				w.raw(t, id, strings.Repeat(" ", pad-1))
				w.raw(t, id, row)
				head := read(t, w.files[id])[:agent.EndBytes]
				if got := s.In(head); len(got) < seen {
					t.Fatalf("%d of the secret in the head, want %d", len(got), seen)
				}
				index := agenttest.NewIndex()
				for x, err := range New(Config{Root: root, Index: index}).Sessions(t.Context(), agent.Query{}) {
					if err != nil {
						t.Fatal(err)
					}
					if got := s.In(x.Title); len(got) >= 6 || lead == 600 && x.Title == "" {
						t.Errorf("%s, %d: %q in %q", s.Kind, seen, got, x.Title)
					}
				}
			}
		}
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
