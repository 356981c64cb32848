package geminicli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func TestF3_ListsThatRepeatTheHistory(t *testing.T) {
	long := strings.Repeat("The history grows. ", 20_000) // 380 KB an answer
	for _, rows := range []bool{true, false} {
		t.Run(fmt.Sprintf("rows %v", rows), func(t *testing.T) {
			w := newWriter(t.TempDir())
			id := w.Begin(t, "/home/dev/src/app", at0)
			var msgs []string
			for i := range 8 {
				msgs = append(msgs, user(fmt.Sprint("p", i), sec(10*i), fmt.Sprint("prompt ", i)), gemini(fmt.Sprint("a", i), sec(10*i+5), long, nil))
				if rows {
					for _, m := range msgs[2*i:] {
						w.raw(t, id, m)
					}
				}
				for range 2 {
					w.set(t, id, sec(10*i+9), msgs...)
				}
			}
			if rows {
				w.prompt(t, id, sec(100), "the last one")
				w.answer(t, id, sec(101), "is short")
			}
			fi, err := os.Stat(w.files[id])
			if err != nil || fi.Size() < 20<<20 {
				t.Fatal(fi.Size(), err)
			}
			s := open(t, w.root)
			ref := sessions(t, s)[0].Ref
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, err := s.Page(t.Context(), ref, "", 2)
			runtime.ReadMemStats(&after)
			if err != nil || len(p.Problems) > 0 {
				t.Fatal(err, p.Problems)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
				t.Errorf("%d MB were allocated", n>>20)
			}
			if rows {
				if p.Bytes > 256<<10 {
					t.Errorf("%d KB were read for the newest turn", p.Bytes>>10)
				}
				if got := humans(p.Records); !slices.Equal(got, []string{"the last one"}) {
					t.Errorf("%q", got)
				}
			} else if p.Bytes > 16<<20 {
				t.Errorf("%d MB were read of %d MB", p.Bytes>>20, fi.Size()>>20)
			}
			all, err := s.Page(t.Context(), ref, "", 1000)
			if err != nil || all.Bytes > fi.Size()+16<<20 {
				t.Errorf("%d MB were read of %d MB: %v", all.Bytes>>20, fi.Size()>>20, err)
			}
			recs := agenttest.Records(t, s, ref, 3)
			want := 8
			if rows {
				want = 9
			}
			if got := humans(recs); len(got) != want || len(answers(recs)) != want {
				t.Errorf("prompts %q, %d answers", got, len(answers(recs)))
			}
		})
	}
}

func TestF3_WhatListsLeaveInMemoryIsBounded(t *testing.T) {
	c := newCollector(t.Context(), nil, 1)
	text := strings.Repeat("x", 100_000)
	for i := range 1000 {
		c.keep(entry{id: strconv.Itoa(i), msg: recap.Message{Parts: []recap.Part{{Kind: recap.PartText, Text: text}}}})
	}
	if n := len(c.late); n < 100 || n > lateRoom/len(text) {
		t.Errorf("%d messages are kept", n)
	}
	if _, ok := c.late["0"]; !ok {
		t.Error("the first that came, the newest, is not")
	}
}

func TestF3_APageEndsInsideAGiantTurn(t *testing.T) {
	s, x := made(t, func(w *writer, id string) {
		w.prompt(t, id, at0, "do a lot")
		for i := range 60 {
			w.call(t, id, sec(i), "run_shell_command", obj{"command": fmt.Sprint("step ", i), "x": strings.Repeat("x", 700_000)}, "Output: x", "success")
		}
		w.answer(t, id, sec(100), "done")
	})
	p, err := s.Page(t.Context(), x.Ref, "", 5)
	if err != nil || p.Next == "" || len(p.Records) < 5 || p.Bytes > pageScan+2<<20 {
		t.Fatal(err, p.Next, len(p.Records), p.Bytes)
	}
	var steps []string
	for _, m := range agenttest.Records(t, s, x.Ref, 5) {
		for _, part := range m.Parts {
			if part.Tool != nil {
				steps = append(steps, part.Tool.Command)
			}
		}
	}
	if len(steps) != 60 || steps[0] != "step 0" || steps[59] != "step 59" {
		t.Errorf("%d steps: %q", len(steps), steps)
	}
}

func TestF2_LongDocuments(t *testing.T) {
	var msgs []string
	for i := range 40 {
		msgs = append(msgs, user(fmt.Sprint("p", i), sec(10*i), fmt.Sprint("prompt ", i)),
			gemini(fmt.Sprint("a", i), sec(10*i+5), fmt.Sprint("answer ", i), obj{"toolCalls": []obj{{"id": strconv.Itoa(i), "name": "read_file", "args": obj{"x": strings.Repeat("y", 90_000)}}}}))
	}
	msgs = append(msgs, message40(), gemini("end", sec(999), "the end", nil))
	for _, c := range []struct {
		name string
		text string
		want int
	}{
		{"whole", documentOf("s1", "h", msgs...), 41},
		{"on one line", strings.ReplaceAll(documentOf("s1", "h", msgs...), "\n", ""), 41},
		{"F1 cut", documentOf("s1", "h", msgs...)[:2_000_000], 23},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			write(t, filepath.Join(root, "tmp", "h", "chats", "session-2026-03-01T09-00-s1.json"), c.text)
			s := open(t, root)
			list := sessions(t, s)
			if len(list) != 1 || list[0].Title != "prompt 0" {
				t.Fatalf("%+v", list)
			}
			if c.want == 41 && (!list[0].UpdatedAt.Equal(sec(999)) || list[0].State != recap.StateIdle) {
				t.Errorf("%+v", list[0])
			}
			p, err := s.Page(t.Context(), list[0].Ref, "", 5)
			if err != nil || len(p.Problems) > 0 || p.Next != "" {
				t.Fatal(err, p.Problems, p.Next)
			}
			if got := humans(p.Records); len(got) != c.want {
				t.Errorf("%d prompts, want %d", len(got), c.want)
			}
			if _, err := s.Page(t.Context(), list[0].Ref, "7.7@1@", 5); err == nil {
				t.Error("a document has no cursor, and one was taken")
			}
		})
	}
}

// message40 is a prompt with a picture of 3 MB.
func message40() string {
	return msgJSON("pic", sec(998), "user", obj{"content": []obj{{"text": "what is this"}, {"inlineData": obj{"mimeType": "image/png", "data": strings.Repeat("A", 3<<20)}}}})
}

func TestTitle(t *testing.T) {
	long := strings.Repeat("многословно ", 12_000) // 270 KB
	for _, c := range []struct {
		name string
		fill func(w *writer, id string)
		want string
	}{
		{"the first prompt", func(w *writer, id string) {
			w.prompt(t, id, sec(1), "first\nline")
			w.prompt(t, id, sec(2), "second")
		}, "first line"},
		{"the summary", func(w *writer, id string) {
			w.prompt(t, id, sec(1), "first")
			w.raw(t, id, `{"$set":{"summary":"Fix the cache","memoryScratchpad":{}}}`)
		}, "Fix the cache"},
		{"never a snapshot", func(w *writer, id string) {
			w.prompt(t, id, sec(1), "first")
			w.raw(t, id, `{"$set":{"summary":"<state_snapshot>x</state_snapshot>"}}`)
		}, "first"},
		{"a prompt that begins as markup", func(w *writer, id string) { w.prompt(t, id, sec(1), "<div> is wrong") }, "<div> is wrong"},
		{"a first prompt that the listing cuts", func(w *writer, id string) { w.prompt(t, id, sec(1), long) }, agent.Line(long)},
		{"and more after it", func(w *writer, id string) {
			w.prompt(t, id, sec(1), long)
			w.answer(t, id, sec(2), "one")
		}, agent.Line(long)},
		{"a first list that the listing cuts", func(w *writer, id string) {
			w.set(t, id, sec(2), user("a", sec(1), "first"), gemini("b", sec(2), long, nil))
			w.prompt(t, id, sec(3), "second")
		}, "first"},
		{"context that the listing cuts", func(w *writer, id string) {
			w.add(t, id, user("a", sec(1), "<session_context>"+long), sec(1))
			w.prompt(t, id, sec(3), "second")
		}, "second"},
		{"a picture alone", func(w *writer, id string) {
			w.add(t, id, msgJSON("a", sec(1), "user", obj{"content": []obj{{"inlineData": obj{"mimeType": "image/png", "data": "AAAA"}}}}), sec(1))
			w.prompt(t, id, sec(2), "what is it")
		}, "what is it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, x := made(t, func(w *writer, id string) { c.fill(w, id) })
			if x.Title != c.want {
				t.Errorf("%q, want %q", x.Title, c.want)
			}
		})
	}
}

func TestF17_Directories(t *testing.T) {
	const dir = "/home/dev/src/go projects/демо_app.x"
	deep := "/home/dev/" + strings.Repeat("long/", 50) + "app"
	for _, c := range []struct {
		name, folder string
		dir          string
		files        map[string]string
		want         string
	}{
		{"the folder's own root", "app-1", dir, map[string]string{"tmp/app-1/.project_root": dir + "\n"}, dir},
		{"projects.json", "app-1", dir, map[string]string{"projects.json": `{"projects":{"` + dir + `":"app-1"}}`}, dir},
		{"a folder named by a hash, projects.json", hashOf(dir), dir, map[string]string{"projects.json": `{"projects":{"` + dir + `":"app-1"}}`}, dir},
		{"a folder named by a hash, another folder's root", hashOf(dir), dir, map[string]string{"tmp/zzz/.project_root": dir}, dir},
		{"a folder named by a hash, a trusted folder", hashOf(dir), dir, map[string]string{"trustedFolders.json": `{"` + dir + `":"TRUST_FOLDER"}`}, dir},
		{"the hash in the transcript", "renamed", dir, map[string]string{"trustedFolders.json": `{"` + dir + `":"TRUST_FOLDER"}`}, dir},
		{"over 200 characters", hashOf(deep), deep, map[string]string{"projects.json": `{"projects":{"` + deep + `":"app"}}`}, deep},
		{"a file that was edited", "gone", "/home/dev/src/edited", nil, "/home/dev/src/edited"},
		{"nothing tells", "home-dev-src-app", "/home/dev/src/nobody", nil, ""},
		{"broken side files", "home-dev-src-app", "/home/dev/src/nobody", map[string]string{"projects.json": `{"projects":[`, "trustedFolders.json": `[]`, "tmp/home-dev-src-app/.project_root": "not absolute"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWriter(t.TempDir())
			id := "00000001-0000-4000-8000-000000000001"
			w.files[id] = filepath.Join(w.root, "tmp", c.folder, "chats", "session-x.jsonl")
			write(t, w.files[id], "")
			w.header(t, id, hashOf(c.dir), at0)
			w.prompt(t, id, sec(1), "first")
			w.call(t, id, sec(2), "write_file", obj{"file_path": "/home/dev/src/edited/a/b.go"}, "ok", "success")
			for name, text := range c.files {
				write(t, filepath.Join(w.root, filepath.FromSlash(name)), text)
			}
			x := sessions(t, open(t, w.root))[0]
			if x.Directory != c.want {
				t.Errorf("%q, want %q", x.Directory, c.want)
			}
			if where, argv := open(t, w.root).ResumeCommand(x); where != c.want || !slices.Equal(argv, []string{"gemini", "--resume", id}) {
				t.Errorf("%q %q", where, argv)
			}
		})
	}
	t.Run("the context names it", func(t *testing.T) {
		w := newWriter(t.TempDir())
		id := "00000001-0000-4000-8000-000000000001"
		w.files[id] = filepath.Join(w.root, "tmp", "gone", "chats", "session-x.jsonl")
		write(t, w.files[id], "")
		w.raw(t, id, `{"sessionId":"`+id+`","projectHash":"?","startTime":"`+iso(at0)+`"}`)
		w.set(t, id, at0, user("c", at0, "<session_context>\n- **Workspace Directories:**\n  - "+dir+"\n- **Directory Structure:**\n</session_context>"))
		w.prompt(t, id, sec(1), "first")
		if x := sessions(t, open(t, w.root))[0]; x.Directory != dir {
			t.Errorf("%q", x.Directory)
		}
	})
}

func TestExcludedFoldersLeaveNothingInTheIndex(t *testing.T) {
	w := newWriter(t.TempDir())
	id := w.Begin(t, "/home/dev/private/diary", at0)
	w.prompt(t, id, at0, "secret")
	idx := agenttest.NewIndex()
	s := New(Config{Root: w.root, Index: idx})
	for range 3 {
		for x, err := range s.Sessions(t.Context(), agent.Query{Exclude: []string{"/home/dev/private"}}) {
			t.Errorf("%+v %v", x, err)
		}
	}
	want := map[string]agent.Entry{w.files[id]: {Skip: outside}}
	if got := idx.Entries(); marshal(t, got) != marshal(t, want) || idx.Remembered() != 1 {
		t.Errorf("%+v, remembered %d times", got, idx.Remembered())
	}
}

// TestAPageTeachesTheIndexNothing: it is not told what is excluded.
func TestAPageTeachesTheIndexNothing(t *testing.T) {
	w := newWriter(t.TempDir())
	id := w.Begin(t, "/home/dev/private/diary", at0)
	w.prompt(t, id, at0, "secret")
	idx := agenttest.NewIndex()
	s := New(Config{Root: w.root, Index: idx})
	p, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.Gemini, Root: w.root, ID: id}, "", 1)
	if err != nil || len(p.Records) != 1 || idx.Remembered() != 0 {
		t.Errorf("%v, %d records, remembered %d times", err, len(p.Records), idx.Remembered())
	}
}

func TestF18_WhatIsNoSession(t *testing.T) {
	w := newWriter(t.TempDir())
	stub := w.Begin(t, "/home/dev/src/app", at0)
	chats := filepath.Dir(w.files[stub])
	slash := w.Begin(t, "/home/dev/src/app", sec(60))
	w.prompt(t, slash, sec(61), "/help")
	sub := `{"sessionId":"sub","projectHash":"h","startTime":"` + iso(at0) + `","kind":"subagent"}` + "\n" + user("a", at0, "do a part") + "\n"
	for name, text := range map[string]string{
		"session-2026-03-01T09-00-aaaa.jsonl":                  sub,
		"00000001-0000-4000-8000-000000000001/session-1.jsonl": strings.Replace(sub, "subagent", "main", 1),
		"session-2026-03-01T09-00-bbbb.jsonl.unreadable-1":     strings.Replace(sub, "subagent", "main", 1),
		"session-2026-03-01T09-00-bbbb.jsonl.tmp-1":            strings.Replace(sub, "subagent", "main", 1),
		"other.jsonl":                                                        strings.Replace(sub, "subagent", "main", 1),
		"session-2026-03-01T09-00-cccc.jsonl":                                "",
		"session-2026-03-01T09-00-dddd.json":                                 "{}",
		"session-2026-03-01T09-00-eeee.json":                                 "[1,2",
		"session-2026-03-01T09-00-ffff.json":                                 `{"sessionId":"none","messages":[]}`,
		"session-2026-03-01T09-00-0000.json":                                 "\xff\xfe{\x00\"\x00",
		filepath.Join("..", "logs.json"):                                     `[{"sessionId":"x","message":"typed"}]`,
		filepath.Join("..", "..", "session-2026-03-01T09-00-gggg.jsonl"):     strings.Replace(sub, "subagent", "main", 1),
		filepath.Join("..", "checkpoints", "session-2026-03-01T09-00.jsonl"): strings.Replace(sub, "subagent", "main", 1),
	} {
		write(t, filepath.Join(chats, name), text)
	}
	s := open(t, w.root)
	var problems []string
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		if err == nil {
			t.Errorf("listed: %+v", x)
			continue
		}
		problems = append(problems, filepath.Base(err.Error()))
	}
	slices.Sort(problems)
	if want := []string{"session-2026-03-01T09-00-0000.json: no readable row", "session-2026-03-01T09-00-cccc.jsonl: empty file", "session-2026-03-01T09-00-eeee.json: no readable row"}; !slices.Equal(problems, want) {
		t.Errorf("C18: problems %q", problems)
	}
	for _, id := range []string{stub, slash, "sub", "none", "../../etc/passwd"} {
		_, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.Gemini, Root: w.root, ID: id}, "", 10)
		if recap.CodeOf(err) != recap.CodeSessionNotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestF5_TheFirstRowDecidesNothing(t *testing.T) {
	w := newWriter(t.TempDir())
	id := "s1"
	w.files[id] = filepath.Join(w.root, "tmp", "x", "chats", "session-x.jsonl")
	write(t, w.files[id], `{"$never":"seen"}`+"\n"+`{"type":"new thing","id":"n1"}`+"\n")
	w.header(t, id, "h", at0)
	w.raw(t, id, `{"id":"n2","timestamp":"`+iso(at0)+`","type":"hologram","content":"x"}`)
	w.prompt(t, id, sec(1), "first")
	w.header(t, id, "h", sec(2)) // headers may come again
	w.answer(t, id, sec(3), "one")
	s := open(t, w.root)
	list := sessions(t, s)
	if len(list) != 1 || list[0].Ref.ID != id || !list[0].CreatedAt.Equal(at0) {
		t.Fatalf("%+v", list)
	}
	recs := agenttest.Records(t, s, list[0].Ref, 50)
	if got := append(humans(recs), answers(recs)...); !slices.Equal(got, []string{"first", "one"}) || len(recs) != 2 {
		t.Errorf("%q", got)
	}
}

func TestF20_DeletedTranscript(t *testing.T) {
	s, x := made(t, func(w *writer, id string) { w.prompt(t, id, at0, "first") })
	files, err := filepath.Glob(filepath.Join(s.cfg.Root, "tmp", "*", "chats", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Page(t.Context(), x.Ref, "", 5); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("%v", err)
	}
	if n := len(sessions(t, s)); n != 0 {
		t.Errorf("%d sessions", n)
	}
}

func TestCursorsThatAreNone(t *testing.T) {
	s, x := made(t, func(w *writer, id string) {
		for i := range 5 {
			w.prompt(t, id, sec(2*i), "more")
		}
	})
	p, err := s.Page(t.Context(), x.Ref, "", 1)
	if err != nil || p.Next == "" {
		t.Fatal(err)
	}
	parts := strings.Split(string(p.Next), "@")
	for _, c := range []string{"x", "@@", parts[0], parts[0] + "@" + parts[1], "@" + parts[1] + "@" + parts[2], parts[0] + "@zz@", parts[0] + "@1@zz", "7.7@1@", string(p.Next) + "@"} {
		if _, err := s.Page(t.Context(), x.Ref, agent.Cursor(c), 1); err == nil {
			t.Errorf("cursor %q was taken", c)
		}
	}
}
