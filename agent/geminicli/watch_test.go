package geminicli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/agent/filelog"
	"github.com/sessionrecap/recap/agent/filewatch"
)

func TestWatcher(t *testing.T) {
	agenttest.RunWatcher(t, agenttest.Watched{Member: agenttest.Member{
		Agent: recap.Gemini,
		Build: func(_ *testing.T, root string) agenttest.Builder { return newWriter(root) },
		Open: func(root, name string, idx agent.Index) agent.Source {
			return New(Config{Root: root, Name: name, Index: idx})
		},
	}})
}

// label says what a row is.
func label(b []byte) string {
	v, err := fastjson.ParseBytes(b)
	if err != nil {
		return "broken"
	}
	var words []string
	switch {
	case v.Exists("$rewindTo"):
		words = append(words, "rewind")
	case v.Exists("$set", "messages"):
		words = append(words, fmt.Sprintf("list of %d", len(v.GetArray("$set", "messages"))))
	case v.Exists("$set"):
		words = append(words, "set")
	case v.Exists("sessionId"):
		words = append(words, "header", str(v, "kind"))
	default:
		words = append(words, str(v, "type"))
		for _, p := range v.GetArray("content") {
			if p.Exists("functionResponse") {
				words = append(words, "result")
			}
		}
		if t := text(v.Get("content")); t != "" {
			words = append(words, fmt.Sprintf("%.30q", t))
		}
		for _, c := range v.GetArray("toolCalls") {
			words = append(words, "call", str(c, "name"), str(c, "status"))
		}
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// logs are the event logs of a home.
func logs(t *testing.T, home string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(home), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && isLog(path) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestReplay writes recorded sessions row by row and holds what a watch sees.
// The golden files were looked at line by line. While a tool runs after a text
// that may be the whole answer the session looks idle: only those lines say so
// in the middle of a turn.
func TestReplay(t *testing.T) {
	for _, home := range []string{"gemini", "demo", "gemini-migrated-0.28-to-0.61"} {
		t.Run(home, func(t *testing.T) {
			from := filepath.Join("testdata", home)
			got := agenttest.Replay{
				From: from, Files: logs(t, from), Label: label, All: true,
				Open: func(root string, idx agent.Index) agent.Source {
					return New(Config{Root: filepath.Join(root), Index: idx}).own()
				},
			}.Run(t)
			agenttest.GoldenText(t, got, filepath.Join("testdata", "replay-"+home+".golden"))
		})
	}
}

// FuzzTorn holds that no whole document is taken for a piece of one, and no
// piece of a whole one for a document.
func FuzzTorn(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":"}"}`, "{\n  \"a\": [\n    {}\n  ]\n}", `{"a":"\\\""}`, "{\n}", `{"a":[{"b":"x]"}]} `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ends := func(b []byte) filelog.Ends {
			return filelog.Ends{File: filelog.File{Path: "x.json", Size: int64(len(b))}, Head: b, Tail: b}
		}
		var doc map[string]any
		if json.Unmarshal(b, &doc) != nil {
			torn(ends(b))
			return
		}
		if doc == nil {
			return // null
		}
		for _, indent := range []string{"", "  "} {
			whole, err := json.MarshalIndent(doc, "", indent)
			if err != nil {
				t.Fatal(err)
			}
			if torn(ends(whole)) {
				t.Errorf("torn: %s", whole)
			}
			for n := range whole {
				if !torn(ends(whole[:n])) {
					t.Errorf("%d bytes taken for whole: %s", n, whole)
				}
			}
		}
	})
}

// eye looks at a home as a watch does.
type eye struct {
	src   *Source
	track *filewatch.Tracker
}

func newEye(root string) *eye {
	return &eye{src: New(Config{Root: root}).own(), track: filewatch.NewTracker(time.Time{})}
}

func (e *eye) look(t *testing.T) (states []recap.State, events []string) {
	t.Helper()
	for x, err := range e.src.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, x.State)
		for _, ev := range e.track.See(x) {
			events = append(events, ev.Kind.String())
		}
	}
	for _, ev := range e.track.End(true) {
		events = append(events, ev.Kind.String())
	}
	return states, events
}

// TestDocumentsAreWrittenAnew plays what versions before 0.39 do: the whole
// document is cut and written again at each change. No look at a piece of it
// tells anything.
func TestDocumentsAreWrittenAnew(t *testing.T) {
	root := t.TempDir()
	found, err := filepath.Glob("testdata/gemini-0.28/tmp/*/chats/*.json")
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	whole, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "tmp", "x", "chats", filepath.Base(found[0]))
	spans, _, err := elements(bytes.NewReader(whole), 0)
	if err != nil {
		t.Fatal(err)
	}
	e := newEye(root)
	e.look(t)
	var seen []string
	for n, s := range spans {
		doc := append(bytes.Clone(whole[:s.end]), "\n  ]\n}"...)
		// Every 50th piece of it, from none to all but one byte.
		for cut := 0; cut < len(doc); cut += 1 + len(doc)/50 {
			write(t, path, string(doc[:cut]))
			states, events := e.look(t)
			if n == 0 {
				for _, st := range states {
					if st != recap.StateUnknown {
						t.Fatalf("%d bytes of the first message: %s", cut, st)
					}
				}
			} else if len(states) != 1 {
				t.Fatalf("message %d, %d of %d bytes: %d sessions", n, cut, len(doc), len(states))
			}
			if len(events) > 0 && (n > 0 || events[0] != "busy" || len(events) > 1) {
				t.Fatalf("message %d, %d of %d bytes: told %v", n, cut, len(doc), events)
			}
			// Who looks for the first time takes a piece for no whole.
			if first, _ := newEye(root).look(t); len(first) > 0 && first[0] == recap.StateIdle {
				t.Fatalf("message %d, %d of %d bytes: %v", n, cut, len(doc), first)
			}
		}
		write(t, path, string(doc))
		states, events := e.look(t)
		seen = append(seen, fmt.Sprintf("%s %v", states[0], events))
	}
	// Prompt, a call with its text, the answer; prompt, answer.
	want := []string{"unknown [busy]", "unknown []", "idle [idle]", "unknown [busy]", "idle [idle]"}
	if got := strings.Join(seen, "; "); got != strings.Join(want, "; ") {
		t.Errorf("seen %s", got)
	}
}

// TestTornLog writes each row of a recording in two pieces: a piece changes
// nothing that was known.
func TestTornLog(t *testing.T) {
	const rel = "tmp/demo-app-x/chats/session-2026-11-30T00-10-a0d9c939.jsonl"
	b, err := os.ReadFile(filepath.Join("testdata", "gemini", rel))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	path := filepath.Join(root, rel)
	e := newEye(root)
	done := 0
	for row := range bytes.Lines(b) {
		before, _ := e.look(t)
		write(t, path, string(b[:done+len(row)/2]))
		if states, events := e.look(t); len(events) > 0 || fmt.Sprint(states) != fmt.Sprint(before) {
			t.Fatalf("half of %.60q: %v became %v, told %v", row, before, states, events)
		}
		done += len(row)
		write(t, path, string(b[:done]))
	}
}

// TestOpenTurns holds each moment of a turn in which nothing may be idle, and
// the ends of turns that are found behind what a listing does not read.
func TestOpenTurns(t *testing.T) {
	sec := func(n int) time.Time { return at0.Add(time.Duration(n) * time.Second) }
	long := strings.Repeat("long ", 30_000)
	answered := func(w *writer, id string) {
		w.prompt(t, id, at0, "first")
		w.answer(t, id, sec(1), "one")
	}
	agentLog := func(w *writer, id string, at time.Time) {
		dir := filepath.Join(filepath.Dir(w.files[id]), id)
		write(t, filepath.Join(dir, "sub.jsonl"), strings.Join([]string{
			fmt.Sprintf(`{"sessionId":"sub","projectHash":"x","startTime":%q,"kind":"subagent"}`, iso(at)),
			user("u", at, "Look"), gemini("g", at, "I looked.", nil), "",
		}, "\n"))
	}
	for _, c := range []struct {
		name string
		fill func(w *writer, id string)
		want recap.State
	}{
		{"a call that the tokens give away", func(w *writer, id string) {
			w.add(t, id, gemini("m", sec(3), "I run the tests.", obj{"tokens": obj{"output": 80, "thoughts": 0}}), sec(3))
		}, recap.StateUnknown},
		{"thoughts are no call", func(w *writer, id string) {
			w.add(t, id, gemini("m", sec(3), "I run the tests.", obj{"tokens": obj{"output": 80, "thoughts": 70}}), sec(3))
		}, recap.StateIdle},
		{"a subagent at work", func(w *writer, id string) { agentLog(w, id, sec(4)) }, recap.StateUnknown},
		{"a subagent that has ended", func(w *writer, id string) {
			agentLog(w, id, sec(4))
			w.answer(t, id, sec(5), "It looked.")
		}, recap.StateIdle},
		{"cancelled while a subagent wrote", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.cancel(t, id, sec(4))
			agentLog(w, id, sec(5))
		}, recap.StateInterrupted},
		{"a subagent of another", func(w *writer, id string) {
			agentLog(w, id, sec(4))
			old := filepath.Join(filepath.Dir(w.files[id]), id)
			if err := os.Rename(old, old+"x"); err != nil {
				t.Fatal(err)
			}
		}, recap.StateIdle},
		{"cancelled in a long session", func(w *writer, id string) {
			w.prompt(t, id, sec(3), long)
			w.info(t, id, sec(4), "Request cancelled.")
			w.set(t, id, sec(4), w.lists[id]...)
		}, recap.StateInterrupted},
		{"asked in a long session", func(w *writer, id string) {
			w.prompt(t, id, sec(3), long)
			w.set(t, id, sec(4), w.lists[id]...)
		}, recap.StateUnknown},
		{"notices without end after an answer", func(w *writer, id string) {
			w.Add(t, id, agenttest.Event{Kind: agenttest.Noise, At: sec(3), Size: 200 << 10})
		}, recap.StateIdle},
		{"notices without end after a prompt", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.Add(t, id, agenttest.Event{Kind: agenttest.Noise, At: sec(3), Size: 200 << 10})
		}, recap.StateUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			w := newWriter(root)
			id := w.Begin(t, "/home/dev/x", at0)
			answered(w, id)
			c.fill(w, id)
			states, _ := newEye(root).look(t)
			if len(states) != 1 || states[0] != c.want {
				t.Errorf("%v, want %s", states, c.want)
			}
		})
	}
}

// TestLongDocumentIsTorn: of a long document only the ends are read.
func TestLongDocumentIsTorn(t *testing.T) {
	var messages []obj
	for range 400 {
		messages = append(messages, obj{"content": []obj{{"text": strings.Repeat("} ", 200)}}})
	}
	whole, err := json.MarshalIndent(obj{"sessionId": "x", "messages": messages}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "session-x.json")
	for n := len(whole) - 150; n <= len(whole); n++ {
		if n < len(whole) && whole[n-1] != '}' {
			continue
		}
		write(t, path, string(whole[:n]))
		ends, err := filelog.ReadEnds(path)
		if err != nil || ends.Whole() {
			t.Fatal(err, ends.Whole())
		}
		if torn(ends) != (n < len(whole)) {
			t.Errorf("%d of %d bytes: torn %v", n, len(whole), torn(ends))
		}
	}
}

// TestWatchLeavesOut holds that nothing of an excluded directory is told or
// remembered.
func TestWatchLeavesOut(t *testing.T) {
	root, idx := t.TempDir(), agenttest.NewIndex()
	w := newWriter(root)
	w.prompt(t, w.Begin(t, "/home/dev/private/x", at0), at0, "secret")
	cfg := New(Config{Root: root, Index: idx, Exclude: []string{"/home/dev/private"}}).watching()
	for range 2 {
		for x, err := range cfg.List(t.Context()) {
			t.Errorf("told of %v (%v)", x.Ref, err)
		}
	}
	for _, e := range idx.Entries() {
		if e.Session != (recap.Session{}) || e.Skip != outside {
			t.Errorf("remembered %+v", e)
		}
	}
}
