package claudecode

import (
	"bytes"
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

// builder writes sessions with the rows of version 2.1.332.
type builder struct {
	root string
	n    int
	dirs map[string]string // id → directory
	leaf map[string]string // id → newest uuid
}

func newBuilder(root string) *builder {
	return &builder{root: root, dirs: map[string]string{}, leaf: map[string]string{}}
}

func (b *builder) uuid() string {
	b.n++
	return fmt.Sprintf("%08x-1111-4222-8333-%012x", b.n*7919, b.n)
}

func (b *builder) Begin(t testing.TB, dir string, at time.Time) string {
	t.Helper()
	id := b.uuid()
	b.dirs[id] = dir
	b.write(t, id, fmt.Sprintf(`{"type":"last-prompt","leafUuid":"%s","sessionId":"%s"}`, b.uuid(), id),
		fmt.Sprintf(`{"type":"mode","mode":"normal","sessionId":"%s"}`, id))
	b.attachment(t, id, at, "hook_success", 200)
	return id
}

func (b *builder) path(id string) string {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, b.dirs[id])
	if len(slug) > 200 {
		slug = slug[:200] + "-1a2b3c"
	}
	return filepath.Join(b.root, "projects", slug, id+".jsonl")
}

func (b *builder) Files(id string) []string { return []string{b.path(id)} }

func (b *builder) write(t testing.TB, id string, rows ...string) {
	t.Helper()
	p := b.path(id)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(p, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := f.WriteString(r + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func q(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// chain writes a row of the conversation. before and after are the members
// that stand before and after the envelope's.
func (b *builder) chain(t testing.TB, id string, at time.Time, before, after string) string {
	t.Helper()
	uuid := b.uuid()
	b.write(t, id, b.row(id, uuid, b.leaf[id], at, before, after))
	b.leaf[id] = uuid
	return uuid
}

func (b *builder) row(id, uuid, parent string, at time.Time, before, after string) string {
	p := "null"
	if parent != "" {
		p = q(parent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,%s,"uuid":%s,"timestamp":%s%s,"userType":"external","entrypoint":"cli","cwd":%s,"sessionId":%s,"version":"2.1.332","gitBranch":"main"}`,
		p, before, q(uuid), q(at.UTC().Format("2006-01-02T15:04:05.000Z")), after, q(b.dirs[id]), q(id))
}

const humanMarks = `,"permissionMode":"default","origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human"`

func (b *builder) attachment(t testing.TB, id string, at time.Time, kind string, size int) {
	t.Helper()
	b.chain(t, id, at, fmt.Sprintf(`"attachment":{"type":%s,"content":%s},"type":"attachment"`, q(kind), q(strings.Repeat("x", size))), "")
}

func (b *builder) block(t testing.TB, id, msg string, at time.Time, block any, stop string) string {
	t.Helper()
	s := "null"
	if stop != "" {
		s = q(stop)
	}
	return b.chain(t, id, at, fmt.Sprintf(`"message":{"id":%s,"type":"message","role":"assistant","model":"claude-opus-5-5","content":[%s],"stop_reason":%s,"usage":{"input_tokens":1,"output_tokens":1}},"requestRef":"r","type":"assistant"`,
		q(msg), q(block), s), "")
}

type obj map[string]any

func (b *builder) Add(t testing.TB, id string, events ...agenttest.Event) {
	t.Helper()
	for _, e := range events {
		switch e.Kind {
		case agenttest.Prompt:
			b.prompt(t, id, e.At, e.Text)
		case agenttest.Picture:
			content := []any{obj{"type": "text", "text": e.Text}, obj{"type": "image", "source": obj{"type": "base64", "media_type": "image/png", "data": strings.Repeat("iVBO", e.Size/4)}}}
			b.chain(t, id, e.At, `"promptId":"p","type":"user","message":{"role":"user","content":`+q(content)+`}`, humanMarks)
		case agenttest.Answer:
			b.block(t, id, "msg_"+b.uuid(), e.At, obj{"type": "text", "text": e.Text}, "end_turn")
			b.chain(t, id, e.At, `"type":"system","subtype":"turn_duration","durationMs":5`, "")
		case agenttest.Command:
			b.command(t, id, e)
		case agenttest.Interrupt:
			b.chain(t, id, e.At, `"promptId":"p","type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]},"rowSource":"harness"`, "")
		case agenttest.Noise:
			for n := 0; n < e.Size; n += 4096 {
				b.write(t, id, fmt.Sprintf(`{"type":"api-request-blob","sessionId":%s,"hash":"h","message":{"role":"user","content":%s}}`, q(id), q(strings.Repeat("n", 4000))))
			}
			b.attachment(t, id, e.At, "prompt_snapshot", 3000)
		}
	}
}

func (b *builder) prompt(t testing.TB, id string, at time.Time, text string) string {
	t.Helper()
	b.write(t, id, fmt.Sprintf(`{"type":"file-history-snapshot","messageId":"m","snapshot":{"timestamp":%s}}`, q(at)))
	u := b.chain(t, id, at, `"promptId":"p","type":"user","message":{"role":"user","content":`+q(text)+`}`, humanMarks)
	b.attachment(t, id, at, "hook_additional_context", 100)
	return u
}

func (b *builder) command(t testing.TB, id string, e agenttest.Event) {
	t.Helper()
	msg, call := "msg_"+b.uuid(), "toolu_"+b.uuid()
	b.block(t, id, msg, e.At, obj{"type": "tool_use", "id": call, "name": "Bash", "input": obj{"command": e.Text}}, "tool_use")
	text, failed := e.Output, e.Exit != 0
	whole := q(obj{"stdout": e.Output, "stderr": "", "interrupted": false})
	if failed {
		text = fmt.Sprintf("Exit code %d\n%s", e.Exit, e.Output)
		whole = q("Error: " + text)
	}
	b.chain(t, id, e.At, fmt.Sprintf(`"promptId":"p","type":"user","message":{"role":"user","content":[{"tool_use_id":%s,"type":"tool_result","content":%s,"is_error":%v}]}`, q(call), q(text), failed),
		`,"toolUseResult":`+whole)
}

func open(root string, idx agent.Index) *Source {
	return New(Config{Name: "claude", Root: root, Origin: "default", Index: idx})
}

func TestSuite(t *testing.T) {
	agenttest.Run(t, agenttest.Member{
		Agent: recap.Claude,
		Build: func(_ *testing.T, root string) agenttest.Builder { return newBuilder(root) },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
		Lines: true,
	})
}

// TestSecrets holds titles, and what sessions wait for, free of secrets.
func TestSecrets(t *testing.T) {
	var b *builder
	waits := func(tool string, input func(string) obj) func(*testing.T, string, time.Time, string) {
		return func(t *testing.T, id string, at time.Time, text string) {
			t.Helper()
			b.block(t, id, "m1", at, obj{"type": "tool_use", "id": "c1", "name": tool, "input": input(text)}, "tool_use")
			(&made{t: t, builder: b, src: open(b.root, nil)}).process(77, id, "waiting", true)
		}
	}
	agenttest.RunSecrets(t, agenttest.Titled{
		Member: agenttest.Member{
			Agent: recap.Claude,
			Build: func(_ *testing.T, root string) agenttest.Builder {
				b = newBuilder(root)
				return b
			},
			Open: func(root, name string, idx agent.Index) agent.Source {
				return New(Config{Root: root, Name: name, Index: idx, Alive: func(int, string, string) (bool, bool) { return true, true }})
			},
		},
		Titles: map[string]func(*testing.T, string, string){
			"person's title": func(t *testing.T, id, title string) {
				t.Helper()
				b.write(t, id, `{"type":"custom-title","customTitle":`+q(title)+`}`)
			},
			"agent's title": func(t *testing.T, id, title string) {
				t.Helper()
				b.write(t, id, `{"type":"ai-title","aiTitle":`+q(title)+`}`)
			},
			"summary": func(t *testing.T, id, title string) {
				t.Helper()
				b.write(t, id, `{"type":"summary","summary":`+q(title)+`,"leafUuid":`+q(b.leaf[id])+`}`)
			},
		},
		Asks: map[string]func(*testing.T, string, time.Time, string){
			"command":  waits("Bash", func(s string) obj { return obj{"command": s} }),
			"file":     waits("Edit", func(s string) obj { return obj{"file_path": s} }),
			"question": waits("AskUserQuestion", func(s string) obj { return obj{"questions": []any{obj{"question": s}}} }),
			"reason": func(t *testing.T, id string, _ time.Time, text string) {
				t.Helper()
				note(t, b.root, id, text)
			},
		},
	})
}

// note writes the file of a process that waits, in its own words.
func note(t *testing.T, root, id, reason string) {
	t.Helper()
	dir := filepath.Join(root, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	row := q(obj{"pid": 77, "sessionId": id, "procStart": "88957", "status": "waiting", "waitingFor": reason})
	if err := os.WriteFile(filepath.Join(dir, "77.json"), []byte(row), 0o600); err != nil {
		t.Fatal(err)
	}
}
