package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// fixtureRows gives each conversation row of the recordings once a shape.
func fixtureRows(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*/projects/*/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	var out [][]byte
	shapes := map[string]bool{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var row map[string]any
			if json.Unmarshal(line, &row) != nil || len(line) > 8<<10 {
				continue
			}
			msg, _ := row["message"].(map[string]any)
			att, _ := row["attachment"].(map[string]any)
			shape := fmt.Sprint(row["type"], row["subtype"], att["type"], slices.Sorted(maps.Keys(row)), slices.Sorted(maps.Keys(msg)), fmt.Sprintf("%.40v", msg["content"]))
			if !shapes[shape] {
				shapes[shape] = true
				out = append(out, bytes.TrimSpace(line))
			}
		}
	}
	return out
}

// broken gives the row again and again, with one member replaced each time.
func broken(v any, yield func()) {
	wrong := []any{nil, 17, -1.5e300, "text", []any{}, []any{nil, 1, "x", map[string]any{"type": "text"}}, map[string]any{}, map[string]any{"type": 3}, true}
	switch x := v.(type) {
	case map[string]any:
		for k, was := range x {
			for _, w := range wrong {
				x[k] = w
				yield()
			}
			delete(x, k)
			yield()
			x[k] = was
			broken(was, yield)
		}
	case []any:
		for i, was := range x {
			for _, w := range wrong {
				x[i] = w
				yield()
			}
			x[i] = was
			broken(was, yield)
		}
	}
}

func TestF4_WrongTypesInEveryMember(t *testing.T) {
	rows := fixtureRows(t)
	if len(rows) < 30 {
		t.Fatalf("%d shapes of rows", len(rows))
	}
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.say(id, "first")
	n := 0
	var text strings.Builder
	for _, r := range rows {
		var row map[string]any
		if err := json.Unmarshal(r, &row); err != nil {
			t.Fatal(err)
		}
		i := 0
		broken(row, func() {
			if i++; i%3 != 0 { // ten wrong values a member: each member meets three
				return
			}
			n++
			b, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			var p parser
			for _, side := range []bool{false, true} {
				p.sidechain = side
				if !skip(b, side) {
					if _, err := p.parse(b); err != nil {
						t.Errorf("%.200s: %v", b, err)
					}
				}
			}
			if n%5 == 0 {
				text.Write(b)
				text.WriteByte('\n')
			}
		})
	}
	if n < 5000 {
		t.Errorf("only %d broken rows", n)
	}
	m.write(t, id, strings.TrimSpace(text.String()))
	m.leaf[id] = ""
	m.ask(id, "two")
	m.say(id, "second")
	list := m.listed()
	if _, ok := list[id]; !ok {
		t.Error("not listed")
	}
	t.Logf("%d broken rows of %d shapes", n, len(rows))
	got := m.turns(id)
	if len(got) < 2 || got[0] != "one → first" && !strings.HasPrefix(got[0], "one → ") || got[len(got)-1] != "two → second" {
		t.Errorf("%d turns, first %q, last %q", len(got), got[0], got[len(got)-1])
	}
}

func TestF16_MiddleRewrittenMovesTheStamp(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	for i := range 400 {
		m.ask(id, fmt.Sprintf("question %03d %s", i, strings.Repeat("x", 300)))
		m.say(id, "answer")
	}
	was := m.listed()[id]
	p := m.path(id)
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, bytes.Replace(b, []byte("question 200"), []byte("quest!on 200"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	now := m.listed()[id]
	if now.Stamp == was.Stamp {
		t.Error("the stamp did not move")
	}
	now.Stamp = was.Stamp
	if fmt.Sprint(now) != fmt.Sprint(was) {
		t.Errorf("%+v\n%+v", now, was)
	}
}

func TestHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken")
	if err := os.MkdirAll(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "projects"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root           string
		found, problem bool
	}{{filepath.Join(dir, "none"), false, false}, {dir, true, false}, {file, true, true}, {broken, true, true}} {
		h := New(Config{Name: "n", Root: c.root, Origin: "o"}).Home()
		if h.Found != c.found || (h.Problem != "") != c.problem || h.Root != c.root || h.Name != "n" || h.Origin != "o" {
			t.Errorf("%+v", h)
		}
	}
	// And listing says so too, without an end of the whole.
	n := 0
	for _, err := range New(Config{Root: broken}).Sessions(t.Context(), agent.Query{}) {
		if _, ok := errors.AsType[*agent.Problem](err); ok {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d problems", n)
	}
}

func TestCursorsOfOthers(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.say(id, "first")
	ref := recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: id}
	for _, c := range []agent.Cursor{"x", ":", "0:", "0:x", "-1:", "7:", "0:99999999.1", "0:-5.1", "0m", "0:5.", "0:1.zz", "9999999999999999999:"} {
		p, err := m.src.Page(t.Context(), ref, c, 5)
		if c == "0:" { // the end, named otherwise
			if err != nil || len(p.Records) != 2 {
				t.Errorf("%q: %v", c, err)
			}
			continue
		}
		if recap.CodeOf(err) != recap.CodeUnreadable {
			t.Errorf("%q: %v", c, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, r := range fixtureRows(f) {
		f.Add(r)
	}
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"text"}]}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p parser
		for _, side := range []bool{false, true} {
			p.sidechain = side
			skipped := skip(b, side)
			r, err := p.parse(b)
			if err != nil {
				continue
			}
			// What is skipped undecoded is nothing of the conversation, unless
			// a member stands twice.
			if skipped && isContent(r.kind) && bytes.Count(b, []byte(`"type"`)) == 1 && bytes.Count(b, []byte(`"isSidechain"`)) < 2 {
				t.Errorf("skipped: %s", b)
			}
		}
	})
}

// FuzzTranscript reads whole files by pages of any size: they come to an end,
// and no cursor twice.
func FuzzTranscript(f *testing.F) {
	files, err := filepath.Glob("testdata/*/projects/*/*.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		// Small seeds: the fuzzer spends its time on what it can make small.
		var kept []byte
		for line := range bytes.Lines(b) {
			if skip(line, false) || len(line) > 1400 {
				continue
			}
			kept = append(kept, line...)
			if len(kept) > 4<<10 {
				f.Add(kept)
				kept = nil
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		root := t.TempDir()
		dir := filepath.Join(root, "projects", "x")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		src := open(root, agenttest.NewIndex())
		for _, err := range src.Sessions(t.Context(), agent.Query{}) {
			if _, ok := errors.AsType[*agent.Problem](err); err != nil && !ok {
				t.Fatal(err) // a file that is none is a problem
			}
		}
		ref := recap.SessionRef{Agent: recap.Claude, Root: root, ID: "s"}
		for _, n := range []int{1, 7, 1000} {
			cursor := agent.Cursor("")
			for range 1 + len(b) {
				p, err := src.Page(t.Context(), ref, cursor, n)
				if recap.CodeOf(err) == recap.CodeSessionNotFound {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if p.Next == cursor && cursor != "" {
					t.Fatalf("cursor %q again", cursor)
				}
				if cursor = p.Next; cursor == "" {
					break
				}
			}
			if cursor != "" {
				t.Fatal("no end of pages")
			}
		}
	})
}
