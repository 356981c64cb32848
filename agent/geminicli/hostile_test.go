package geminicli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// TestF4_WrongTypesInEveryField puts each JSON type in the place of each field
// of each row: nothing panics, and what is JSON stays a row.
func TestF4_WrongTypesInEveryField(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/gemini/tmp/*/chats/*.jsonl", "testdata/gemini-0.28/tmp/*/chats/*", samples + "/tmp/weather-cli/chats/*"} {
		f, err := filepath.Glob(pattern)
		if err != nil || len(f) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, f...)
	}
	lists := 0
	var p fastjson.Parser
	n := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rows := []string{string(b)}
		if isLog(file) {
			rows = strings.Split(strings.TrimSpace(string(b)), "\n")
		}
		for _, line := range rows {
			if isList([]byte(line)) {
				if lists++; lists > 3 {
					continue // they are long, and much the same
				}
			}
			var doc any
			if err := json.Unmarshal([]byte(line), &doc); err != nil {
				t.Fatal(err)
			}
			agenttest.Mutate(doc, func() {
				n++
				text := []byte(marshal(t, doc))
				_ = bookkeeping(text)
				if _, ok := parse(&p, text); !ok {
					if _, object := doc.(map[string]any); object {
						t.Error("a row that is JSON is none")
					}
				}
				whole, _ := pieces(strings.NewReader(string(text)), 0, text)
				for _, m := range whole {
					if _, ok := one(&p, m); !ok {
						t.Error("a message that is JSON is none")
					}
				}
			}, "resultDisplay") // never looked at, and large
		}
	}
	if n < 5000 {
		t.Errorf("only %d mutations", n)
	}
}

// TestF4_BrokenDocuments: what can be read of a document is read.
func TestF4_BrokenDocuments(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for _, c := range []struct {
		name     string
		msgs     []string
		want     int
		problems int
		listed   int
	}{
		{"deep nesting in a message", []string{user("a", at0, "first"), `{"id":"x","timestamp":"t","type":"user","content":` + deep + `}`, user("b", sec(1), "second")}, 2, 1, 1},
		{"no objects", []string{user("a", at0, "first"), "7", "null", `"text"`, deep, "[{}]", user("b", sec(1), "second")}, 2, 0, 1},
		{"broken bytes", []string{user("a", at0, "first"), "{\"id\":\"x\",\"type\":\"user\",\"content\":\"\xff\xc0 \\ud800 \x00\"}", user("b", sec(1), "second")}, 3, 0, 0},
		{"wrong types", []string{user("a", at0, "first"), `{"id":7,"timestamp":[],"type":{},"content":null}`, `{}`, user("b", sec(1), "second")}, 2, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, "tmp", "h", "chats", "session-x.json"), documentOf("s1", "h", c.msgs...))
			s := open(t, root)
			var list []recap.Session
			told := 0
			for x, err := range s.Sessions(t.Context(), agent.Query{}) {
				if p, ok := errors.AsType[*agent.Problem](err); ok {
					told += p.Count
				} else {
					list = append(list, x)
				}
			}
			if len(list) != 1 || list[0].Title != "first" || told != c.listed {
				t.Fatalf("%+v, %d problems", list, told)
			}
			p, err := s.Page(t.Context(), list[0].Ref, "", 50)
			if err != nil {
				t.Fatal(err)
			}
			if got := humans(p.Records); len(got) != c.want {
				t.Errorf("%q, want %d", got, c.want)
			}
			if len(p.Problems) != c.problems {
				t.Errorf("problems %+v", p.Problems)
			}
		})
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		in    string
		want  []string
		found bool
	}{
		{`{"messages":[{"a":1},{"b":{"c":[{}]}}]}`, []string{`{"a":1}`, `{"b":{"c":[{}]}}`}, true},
		{`{"$set":{"messages":[{}],"x":[{}]}}`, []string{`{}`}, true},
		{"{ \"messages\" :\n [ {\"a\":\"}\\\"]\"} , 7 ] }", []string{`{"a":"}\"]"}`}, true},
		{`{"x":"messages","y":[{}]}`, nil, false},
		{`{"messages":{"a":[{}]}}`, nil, false},
		{`{"xmessages":[{}],"messagesx":[{}]}`, nil, false},
		{`{"a long key before":"a long value before","messages":[{}`, []string{`{}`}, true},
		{`{"messages":[{"a`, nil, true},
		{`]]]}}}{"messages":[{}]`, nil, false},
		{`{"a":{"b":{"messages":[{}]}}}`, nil, false},
		{`{"messages":[{"a":1]},{"b":2}]}`, nil, true},
		{`{"messages":[{"a":1}},{"b":2}]}`, []string{`{"a":1}`}, true},
		{`{"messages":[[1},{"b":2}]}`, []string{`{"b":2}`}, true},
		{``, nil, false},
	} {
		for _, size := range []int{1, 7, 1000} {
			spans, found, err := elements(&slow{c.in, size}, 0)
			var got []string
			for _, x := range spans {
				got = append(got, c.in[x.start:x.end])
			}
			if err != nil || found != c.found || !slices.Equal(got, c.want) {
				t.Errorf("%q in pieces of %d: %q %v %v, want %q", c.in, size, got, found, err, c.want)
			}
		}
	}
}

// slow gives a text in small pieces.
type slow struct {
	s string
	n int
}

func (r *slow) Read(p []byte) (int, error) {
	n := copy(p[:min(len(p), r.n)], r.s)
	r.s = r.s[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/gemini/tmp/*/chats/*.jsonl", samples + "/tmp/*/chats/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal(files, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for line := range strings.SplitSeq(string(b), "\n") {
				f.Add([]byte(line))
			}
		}
	}
	f.Add([]byte(strings.Repeat("[", 10000)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p fastjson.Parser
		_, _ = bookkeeping(b), isList(b)
		r, _ := parse(&p, b)
		for _, e := range append(r.list, r.msg) {
			if e.human && (e.drop || len(e.msg.Parts) == 0 || e.msg.Role != recap.RoleUser) {
				t.Fatalf("a prompt of nothing: %+v", e)
			}
			for _, part := range e.msg.Parts {
				if part.Kind == recap.PartTool && (part.Tool == nil || len([]rune(part.Tool.Output)) > recap.MaxToolOutput) {
					t.Fatalf("%+v", part)
				}
			}
		}
	})
}

func FuzzDocument(f *testing.F) {
	files, err := filepath.Glob("testdata/*/tmp/*/chats/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, uint(3))
		f.Add(b[:len(b)/2], uint(1000))
		f.Add(b[len(b)/2:], uint(7))
	}
	f.Fuzz(func(t *testing.T, b []byte, size uint) {
		whole, found, err := elements(&slow{string(b), int(size%5000) + 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		again, found2, _ := elements(&slow{string(b), len(b) + 1}, 0)
		if found != found2 || !slices.Equal(whole, again) {
			t.Fatal("the pieces in which it is read change what is found")
		}
		last := int64(0)
		for _, x := range whole {
			if x.start < last || x.end <= x.start || x.end > int64(len(b)) || b[x.start] != '{' || b[x.end-1] != '}' {
				t.Fatalf("%+v", x)
			}
			last = x.end
		}
		// What a decoder finds, is found.
		var p fastjson.Parser
		if v, err := p.ParseBytes(b); err == nil && bytes.Count(b, []byte("messages")) == 1 && !bytes.Contains(b, []byte(`\`)) {
			n := 0
			for _, m := range v.GetArray("messages") {
				if m.Type() == fastjson.TypeObject {
					n++
				}
			}
			if n > 0 && n != len(whole) {
				t.Fatalf("%d messages, want %d", len(whole), n)
			}
		}
		frags, _ := fragments(b)
		for _, m := range frags {
			one(&p, m)
		}
		_, _ = field(b, "text"), lastField(b, "timestamp")
	})
}
