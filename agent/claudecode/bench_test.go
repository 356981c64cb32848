package claudecode

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// transcript writes a session of about size bytes, four fifths of them
// bookkeeping, as version 2.1.332 would. giant > 0 puts a row of that many
// bytes before the newest three turns.
func transcript(t testing.TB, root string, size, giant int64) (id string) {
	t.Helper()
	id = "d7413b95-f120-43d8-a8b0-e81c2a8e9040"
	dir := filepath.Join(root, "projects", "-home-dev-src-app")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, id+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBuilder(root)
	b.dirs[id] = "/home/dev/src/app"
	w := bufio.NewWriterSize(file, 1<<20)
	written := int64(0)
	put := func(row string) {
		n, err := w.WriteString(row + "\n")
		if err != nil {
			t.Fatal(err)
		}
		written += int64(n)
	}
	leaf := ""
	chain := func(minute int, before, after string) {
		u := b.uuid()
		put(b.row(id, u, leaf, at(minute), before, after))
		leaf = u
	}
	shape := fmt.Sprintf(`{"type":"api-request-shape","sessionId":%q,"shapeHash":"h","shape":%q}`, id, strings.Repeat("s", 40<<10))
	blob := fmt.Sprintf(`{"type":"api-request-blob","sessionId":%q,"hash":"h","message":{"role":"user","content":%q}}`, id, strings.Repeat("b", 10<<10))
	snapshot := fmt.Sprintf(`"attachment":{"type":"prompt_snapshot","system":%q},"type":"attachment"`, strings.Repeat("p", 60<<10))
	output := q(strings.Repeat("ok  \texample.com/app\t0.01s\n", 120))
	turn := func(i int) {
		chain(i, `"promptId":"p","type":"user","message":{"role":"user","content":`+q(fmt.Sprintf("Please do part %d of the work, and tell me what came of it.", i))+`}`, humanMarks)
		put(shape)
		for k := range 8 {
			put(blob)
			msg, call := fmt.Sprintf("msg_%d_%d", i, k), fmt.Sprintf("toolu_%d_%d", i, k)
			chain(i, fmt.Sprintf(`"message":{"id":%q,"type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"go test ./..."}}],"stop_reason":"tool_use"},"type":"assistant"`, msg, call), "")
			chain(i, fmt.Sprintf(`"promptId":"p","type":"user","message":{"role":"user","content":[{"tool_use_id":%q,"type":"tool_result","content":%s,"is_error":false}]}`, call, output), `,"toolUseResult":{"stdout":`+output+`,"stderr":"","interrupted":false}`)
		}
		chain(i, snapshot, "")
		chain(i, fmt.Sprintf(`"message":{"id":"msg_%d","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":%s}],"stop_reason":"end_turn"},"type":"assistant"`, i, q(fmt.Sprintf("Part %d is done. %s", i, strings.Repeat("All tests pass. ", 60)))), "")
		chain(i, `"type":"system","subtype":"turn_duration","durationMs":5`, "")
	}
	i := 0
	for ; written < size-giant; i++ {
		turn(i)
	}
	if giant > 0 {
		chain(i, `"promptId":"p","type":"user","message":{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+strings.Repeat("A", int(giant))+`"}}]}`, humanMarks)
	}
	for k := range 3 {
		turn(i + 1 + k)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}

// readThree lists and reads the newest three turns; it returns the bytes read
// of the transcript by paging.
func readThree(t testing.TB, root, id string) int64 {
	t.Helper()
	src := open(root, agenttest.NewIndex())
	if n := len(sessions(t, src, agent.Query{})); n != 1 {
		t.Fatalf("%d sessions", n)
	}
	d := read(t, src, id, 3)
	if len(d.Turns) != 3 || !d.Ready || !strings.HasPrefix(d.Turns[2].Answer, "Part ") || len(d.Turns[2].Tools) != 8 {
		t.Fatalf("%+v", d)
	}
	return d.Bytes
}

func TestF3_TheSameBytesAreReadOfAnySize(t *testing.T) {
	sizes := []int64{10 << 20, 100 << 20}
	if testing.Short() {
		sizes[1] = 30 << 20
	}
	var bytes []int64
	for _, size := range sizes {
		root := t.TempDir()
		bytes = append(bytes, readThree(t, root, transcript(t, root, size, 0)))
	}
	if bytes[0] != bytes[1] {
		t.Errorf("%d bytes were read of 10 MB and %d of 100 MB", bytes[0], bytes[1])
	}
	if bytes[0] > 2<<20 {
		t.Errorf("%d bytes for three turns", bytes[0])
	}
	t.Logf("%d bytes of %v", bytes[0], sizes)
}

func TestF2_AGiantRowBeforeTheNewestTurnsIsNotCrossed(t *testing.T) {
	root := t.TempDir()
	id := transcript(t, root, 80<<20, 64<<20)
	if n := readThree(t, root, id); n > 4<<20 {
		t.Errorf("%d bytes were read", n)
	}
	// Beyond it the talk goes on; the row is counted.
	src := open(root, nil)
	ref := recap.SessionRef{Agent: recap.Claude, Root: root, ID: id}
	problems, prompts := 0, 0
	for c := agent.Cursor(""); ; {
		p, err := src.Page(t.Context(), ref, c, 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range p.Problems {
			problems += x.Count
		}
		for _, r := range p.Records {
			if r.Role == recap.RoleUser {
				prompts++
			}
		}
		if c = p.Next; c == "" {
			break
		}
	}
	if problems != 1 || prompts < 20 {
		t.Errorf("%d problems, %d prompts", problems, prompts)
	}
}

// BenchmarkThreeTurns reads the newest three turns, as a recap does.
func BenchmarkThreeTurns(b *testing.B) {
	root := b.TempDir()
	id := transcript(b, root, 64<<20, 0)
	src := open(root, agenttest.NewIndex())
	sessions(b, src, agent.Query{})
	b.ReportAllocs()
	for b.Loop() {
		if d := read(b, src, id, 3); len(d.Turns) != 3 {
			b.Fatal(len(d.Turns))
		}
	}
}

// BenchmarkCross reads everything: the cost of a byte.
func BenchmarkCross(b *testing.B) {
	root := b.TempDir()
	id := transcript(b, root, 64<<20, 0)
	src := open(root, agenttest.NewIndex())
	b.SetBytes(64 << 20)
	b.ReportAllocs()
	for b.Loop() {
		if d := read(b, src, id, 1<<30); len(d.Turns) < 100 {
			b.Fatal(len(d.Turns))
		}
	}
}

// BenchmarkLearn lists sessions that were never listed before.
func BenchmarkLearn(b *testing.B) {
	root := b.TempDir()
	transcript(b, root, 4<<20, 0)
	b.ReportAllocs()
	for b.Loop() {
		if n := len(sessions(b, open(root, nil), agent.Query{})); n != 1 {
			b.Fatal(n)
		}
	}
}

// BenchmarkLook lists a home of 1,000 sessions that are still, as a watch does
// when one file changed.
func BenchmarkLook(b *testing.B) {
	root := b.TempDir()
	w := newBuilder(root)
	for i := range 1000 {
		id := w.Begin(b, fmt.Sprintf("/home/dev/src/project %d", i%40), at(i))
		w.Add(b, id, agenttest.Event{Kind: agenttest.Prompt, At: at(i), Text: "go on"}, agenttest.Event{Kind: agenttest.Answer, At: at(i), Text: "done"})
	}
	src := New(Config{Root: root, Index: agent.OpenIndex("")})
	src.watches = true
	sessions(b, src, agent.Query{})
	b.ReportAllocs()
	for b.Loop() {
		if n := len(sessions(b, src, agent.Query{})); n != 1000 {
			b.Fatal(n)
		}
	}
}
