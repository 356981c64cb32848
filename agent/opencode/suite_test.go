package opencode

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// TestSuite holds the source to the contract of package agent.
func TestSuite(t *testing.T) {
	t.Parallel()
	agenttest.Run(t, agenttest.Member{
		Agent: recap.OpenCode,
		Build: func(_ *testing.T, root string) agenttest.Builder { return &builder{root: root} },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
	})
}

// TestWatcher holds it to what watchers promise.
func TestWatcher(t *testing.T) {
	agenttest.RunWatcher(t, agenttest.Watched{
		Member: agenttest.Member{
			Agent: recap.OpenCode,
			Build: func(t *testing.T, root string) agenttest.Builder { return &running{builder: builder{root: root}, t: t} },
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx})
			},
		},
		Remove: func(t *testing.T, root, id string) {
			t.Helper()
			b := &builder{root: root}
			for _, table := range []string{"part", "message"} {
				b.exec(t, []any{`DELETE FROM ` + table + ` WHERE session_id = ?`, id})
			}
			b.exec(t, []any{`DELETE FROM session WHERE id = ?`, id})
		},
		Retitle: func(t *testing.T, root, id string) {
			t.Helper()
			(&builder{root: root}).exec(t, []any{`UPDATE session SET title = 'another', metadata = '{"recap":{}}', time_updated = time_updated + 1 WHERE id = ?`, id})
		},
	})
}

// running writes while a process has the database open, as OpenCode has.
type running struct {
	builder
	t    *testing.T
	open bool
}

// Begin implements agenttest.Builder.
func (r *running) Begin(t testing.TB, dir string, at time.Time) string {
	t.Helper()
	id := r.builder.Begin(t, dir, at)
	if !r.open {
		r.open = true
		startWriter(r.t, filepath.Join(r.root, "opencode.db")).do("SELECT count(*) FROM session")
	}
	return id
}

// builder writes as OpenCode does and lets the database go after each write.
type builder struct {
	root string
	n    int
	last string // id of the newest user message
}

func (b *builder) exec(t testing.TB, statements ...[]any) {
	t.Helper()
	path := filepath.Join(b.root, "opencode.db")
	_, err := os.Stat(path)
	fresh := os.IsNotExist(err)
	db, err := sql.Open("sqlite", "file:"+strings.ReplaceAll(path, " ", "%20")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	if fresh {
		schema, err := os.ReadFile("testdata/schema.sql")
		if err != nil {
			t.Fatal(err)
		}
		statements = append([][]any{{string(schema)}}, statements...)
	}
	for _, s := range statements {
		query, ok := s[0].(string)
		if !ok {
			t.Fatalf("not a statement: %v", s[0])
		}
		if _, err := db.ExecContext(t.Context(), query, s[1:]...); err != nil {
			t.Fatal(err)
		}
	}
}

// Begin implements agenttest.Builder.
func (b *builder) Begin(t testing.TB, dir string, at time.Time) string {
	t.Helper()
	b.n++
	id := fmt.Sprintf("ses_%06d", b.n)
	title := "New session - " + at.UTC().Format("2006-01-02T15:04:05.000Z")
	b.exec(t,
		[]any{
			`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?,?,?,?,?,?,?,?)`,
			id, "global", "slug", dir, title, "1.18.33", at.UnixMilli(), at.UnixMilli(),
		},
		[]any{`INSERT INTO event_sequence (aggregate_id, seq) VALUES (?, 0)`, id})
	return id
}

// Files implements agenttest.Builder: sessions live in a database.
func (b *builder) Files(string) []string { return nil }

// Add implements agenttest.Builder.
func (b *builder) Add(t testing.TB, id string, events ...agenttest.Event) {
	t.Helper()
	var todo [][]any
	message := func(at time.Time, info map[string]any, parts ...map[string]any) {
		b.n++
		msg := fmt.Sprintf("msg_%06d", b.n)
		times := map[string]any{"created": at.UnixMilli()}
		if info["role"] == "assistant" {
			times["completed"] = at.Add(time.Second).UnixMilli()
			info["parentID"] = b.last
		} else {
			b.last = msg
		}
		info["time"] = times
		todo = append(todo, []any{`INSERT INTO message VALUES (?,?,?,?,?)`, msg, id, at.UnixMilli(), at.UnixMilli(), encode(t, info)})
		for i, p := range parts {
			todo = append(todo, []any{
				`INSERT INTO part VALUES (?,?,?,?,?,?)`,
				fmt.Sprintf("prt_%06d_%d", b.n, i), msg, id, at.UnixMilli(), at.UnixMilli(), encode(t, p),
			})
		}
		todo = append(todo,
			[]any{`UPDATE session SET time_updated = ? WHERE id = ?`, at.UnixMilli(), id},
			[]any{`UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?`, id})
	}
	text := func(s string) map[string]any { return map[string]any{"type": "text", "text": s} }
	assistant := func(finish string) map[string]any {
		return map[string]any{"role": "assistant", "providerID": "fake", "modelID": "large", "finish": finish}
	}
	for _, e := range events {
		switch e.Kind {
		case agenttest.Prompt:
			message(e.At, map[string]any{"role": "user"}, text(e.Text))
		case agenttest.Answer:
			message(e.At, assistant("stop"), map[string]any{"type": "step-start"}, text(e.Text), map[string]any{"type": "step-finish"})
		case agenttest.Command:
			message(e.At, assistant("tool-calls"), map[string]any{"type": "tool", "tool": "bash", "callID": "call", "state": map[string]any{
				"status": "completed", "input": map[string]any{"command": e.Text}, "output": e.Output,
				"metadata": map[string]any{"exit": e.Exit, "output": e.Output}, "time": map[string]any{"start": e.At.UnixMilli()},
			}})
		case agenttest.Interrupt:
			info := assistant("")
			info["error"] = map[string]any{"name": "MessageAbortedError", "data": map[string]any{"message": "Aborted"}}
			message(e.At, info, map[string]any{"type": "step-start"})
		case agenttest.Picture:
			message(e.At, map[string]any{"role": "user"}, text(e.Text),
				map[string]any{"type": "file", "mime": "image/png", "filename": "a.png", "url": "data:image/png;base64," + strings.Repeat("A", e.Size)})
		case agenttest.Noise:
			for range e.Size / 4096 {
				b.n++
				todo = append(todo, []any{`INSERT INTO event VALUES (?,?,?,?,?)`, strconv.Itoa(b.n), id, b.n, "message.part.updated.1", strings.Repeat("x", 4096)})
			}
		}
	}
	b.exec(t, todo...)
}

// TestSecrets holds titles, and what sessions wait for, free of secrets.
func TestSecrets(t *testing.T) {
	var b *builder
	waits := func(tool string, input func(string) map[string]any) func(*testing.T, string, time.Time, string) {
		return func(t *testing.T, id string, at time.Time, text string) {
			t.Helper()
			info := map[string]any{"role": "assistant", "providerID": "fake", "modelID": "large", "time": map[string]any{"created": at.UnixMilli()}, "parentID": b.last}
			part := map[string]any{"type": "tool", "tool": tool, "callID": "c1", "state": map[string]any{"status": "running", "input": input(text)}}
			b.exec(t,
				[]any{`INSERT INTO message VALUES (?,?,?,?,?)`, "msg_900000", id, at.UnixMilli(), at.UnixMilli(), encode(t, info)},
				[]any{`INSERT INTO part VALUES (?,?,?,?,?,?)`, "prt_900000", "msg_900000", id, at.UnixMilli(), at.UnixMilli(), encode(t, part)},
				[]any{`UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = ?`, id})
		}
	}
	agenttest.RunSecrets(t, agenttest.Titled{
		Member: agenttest.Member{
			Agent: recap.OpenCode,
			Build: func(_ *testing.T, root string) agenttest.Builder {
				b = &builder{root: root}
				return b
			},
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx})
			},
		},
		Titles: map[string]func(*testing.T, string, string){
			"title": func(t *testing.T, id, title string) {
				t.Helper()
				b.exec(t, []any{`UPDATE session SET title = ? WHERE id = ?`, title, id})
			},
		},
		Asks: map[string]func(*testing.T, string, time.Time, string){
			"command": waits("bash", func(s string) map[string]any { return map[string]any{"command": s} }),
			"question": waits("question", func(s string) map[string]any {
				return map[string]any{"questions": []any{map[string]any{"question": s}}}
			}),
		},
	})
}
