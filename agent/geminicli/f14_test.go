package geminicli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func TestF14_RewindsListsAndCopies(t *testing.T) {
	for _, c := range []struct {
		name    string
		fill    func(w *writer, id string)
		want    []string // prompts
		answers []string
	}{
		{"the prompt of a cancelled turn is kept", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "second")
			w.cancel(t, id, sec(4))
			w.prompt(t, id, sec(5), "third")
			w.answer(t, id, sec(6), "three")
		}, []string{"first", "second", "third"}, []string{"one", "three"}},
		{"a rewind to a prompt", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.answer(t, id, sec(4), "two")
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
			w.set(t, id, sec(5), w.lists[id][:2]...)
			w.prompt(t, id, sec(6), "third")
			w.answer(t, id, sec(7), "three")
		}, []string{"first", "third"}, []string{"one", "three"}},
		{"a rewind at the end", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.answer(t, id, sec(4), "two")
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
		}, []string{"first"}, []string{"one"}},
		{"two rewinds, one inside the other", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.answer(t, id, sec(4), "two")
			q := w.prompt(t, id, sec(5), "third")
			w.raw(t, id, `{"$rewindTo":"`+q+`"}`)
			w.prompt(t, id, sec(6), "fourth")
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
			w.prompt(t, id, sec(7), "fifth")
		}, []string{"first", "fifth"}, []string{"one"}},
		{"a rewind past a list that has what it takes away", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.answer(t, id, sec(4), "two")
			w.set(t, id, sec(5), w.lists[id]...)
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "third"}, []string{"one"}},
		{"a rewind to a message that was written twice", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "second")
			m := w.uuid()
			w.add(t, id, gemini(m, sec(4), "two", nil), sec(4))
			w.raw(t, id, gemini(m, sec(4), "two", obj{"toolCalls": []obj{{"id": "c", "name": "x"}}}))
			w.raw(t, id, `{"$rewindTo":"`+m+`"}`)
		}, []string{"first", "second"}, []string{"one"}},
		{"and again after others", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.answer(t, id, sec(4), "two")
			w.raw(t, id, w.lists[id][2])
			w.answer(t, id, sec(5), "more")
			w.set(t, id, sec(5), w.lists[id]...)
			w.raw(t, id, w.lists[id][2])
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
		}, []string{"first"}, []string{"one"}},
		{"and a message before it is written again between", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "second")
			w.raw(t, id, w.lists[id][1])
			w.raw(t, id, w.lists[id][2])
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
		}, []string{"first"}, []string{"one"}},
		{"a list that still has it", func(w *writer, id string) {
			w.set(t, id, sec(5), append(slices.Clone(w.lists[id]), user("x", sec(3), "second"), gemini("y", sec(4), "two", nil))...)
			w.raw(t, id, user("x", sec(3), "second"))
			w.raw(t, id, `{"$rewindTo":"x"}`)
		}, []string{"first"}, []string{"one"}},
		{"a rewind to an unknown message takes all that was before", func(w *writer, id string) {
			w.raw(t, id, `{"$rewindTo":"nobody"}`)
			w.prompt(t, id, sec(6), "third")
			w.answer(t, id, sec(7), "three")
		}, []string{"third"}, []string{"three"}},
		{"but what the list says is left", func(w *writer, id string) {
			w.raw(t, id, `{"$rewindTo":"nobody"}`)
			w.set(t, id, sec(5), w.lists[id]...)
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "third"}, []string{"one"}},
		{"a rewind to a message that only a list has", func(w *writer, id string) {
			w.set(t, id, sec(5), append(slices.Clone(w.lists[id]), user("x", sec(3), "second"), gemini("y", sec(4), "two", nil))...)
			w.raw(t, id, `{"$rewindTo":"x"}`)
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "third"}, []string{"one"}},
		{"and what was cancelled before it", func(w *writer, id string) {
			list := slices.Clone(w.lists[id])
			w.prompt(t, id, sec(3), "cancelled")
			w.cancel(t, id, sec(3))
			w.set(t, id, sec(6), append(list, user("x", sec(4), "second"), gemini("y", sec(5), "two", nil))...)
			w.raw(t, id, `{"$rewindTo":"x"}`)
			w.prompt(t, id, sec(7), "third")
		}, []string{"first", "cancelled", "third"}, []string{"one"}},
		{"messages that only a list has", func(w *writer, id string) {
			w.set(t, id, sec(5), append(slices.Clone(w.lists[id]), user("x", sec(3), "second"), gemini("y", sec(4), "two", nil))...)
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "second", "third"}, []string{"one", "two"}},
		{"the same message again", func(w *writer, id string) {
			w.raw(t, id, w.lists[id][1])
			w.prompt(t, id, sec(6), "third")
			w.raw(t, id, w.lists[id][2])
		}, []string{"first", "third"}, []string{"one"}},
		{"the whole history again", func(w *writer, id string) {
			w.prompt(t, id, sec(6), "third")
			w.answer(t, id, sec(7), "three")
			for _, m := range w.lists[id][:2] {
				w.raw(t, id, m)
			}
		}, []string{"first", "third"}, []string{"one", "three"}},
		{"the newest state of a message counts", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "second")
			m := w.uuid()
			w.add(t, id, gemini(m, sec(4), "tw", nil), sec(4))
			w.raw(t, id, gemini(m, sec(4), "two", nil))
		}, []string{"first", "second"}, []string{"one", "two"}},
		{"compressed", func(w *writer, id string) {
			w.set(t, id, sec(5), user("s", sec(5), "<state_snapshot>x</state_snapshot>"), msgJSON("g", sec(5), "gemini", obj{"content": []obj{{"text": "Got it. Thanks for the additional context!"}}}))
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "third"}, []string{"one"}},
		{"compressed, in rows of their own", func(w *writer, id string) {
			w.add(t, id, user("s", sec(5), "<state_snapshot>x</state_snapshot>"), sec(5))
			w.add(t, id, msgJSON("g", sec(5), "gemini", obj{"content": []obj{{"text": "Got it. Thanks for the additional context!"}}}), sec(5))
			w.prompt(t, id, sec(6), "third")
		}, []string{"first", "third"}, []string{"one"}},
		{"thanks that the model means", func(w *writer, id string) {
			w.prompt(t, id, sec(6), "third")
			w.answer(t, id, sec(7), "Got it. Thanks for the hint.")
		}, []string{"first", "third"}, []string{"one", "Got it. Thanks for the hint."}},
	} {
		for _, size := range []int{1, 2, 50} {
			t.Run(fmt.Sprintf("%s, pages of %d", c.name, size), func(t *testing.T) {
				s, x := made(t, func(w *writer, id string) {
					w.prompt(t, id, sec(1), "first")
					w.answer(t, id, sec(2), "one")
					w.lists[id] = w.lists[id][:2:2]
					c.fill(w, id)
				})
				recs := agenttest.Records(t, s, x.Ref, size)
				if size < 50 { // over pages, a reader counts a record once
					recs = once(recs)
				}
				if got := humans(recs); !slices.Equal(got, c.want) {
					t.Errorf("prompts %q, want %q", got, c.want)
				}
				if got := answers(recs); !slices.Equal(got, c.answers) {
					t.Errorf("answers %q, want %q", got, c.answers)
				}
			})
		}
	}
}

func once(recs []recap.Message) []recap.Message {
	seen := map[string]bool{}
	var out []recap.Message
	for _, m := range slices.Backward(recs) {
		if !seen[m.ID] {
			out = append(out, m)
		}
		seen[m.ID] = true
	}
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b recap.Message) int { return a.Created.Compare(b.Created) })
	return out
}

func documentOf(id, hash string, msgs ...string) string {
	return fmt.Sprintf("{\n  \"sessionId\": %q,\n  \"projectHash\": %q,\n  \"startTime\": %q,\n  \"lastUpdated\": %q,\n  \"messages\": [\n    %s\n  ]\n}",
		id, hash, iso(at0), iso(at0), strings.Join(msgs, ",\n    "))
}

func TestF14_ThreeFilesAndStubs(t *testing.T) {
	const dir = "/home/dev/src/app"
	w := newWriter(t.TempDir())
	id := w.Begin(t, dir, at0)
	old := []string{user("a", sec(1), "first"), gemini("b", sec(2), "one", nil), user("c", sec(3), "second"), gemini("d", sec(4), "two", nil)}
	name := strings.TrimSuffix(filepath.Base(w.files[id]), "l")
	write(t, filepath.Join(w.root, "tmp", hashOf(dir), "chats", name), documentOf(id, hashOf(dir), append(old, user("z", sec(5), "only in the old copy"))...))
	write(t, filepath.Join(filepath.Dir(w.files[id]), name), documentOf(id, hashOf(dir), old...))
	for _, m := range old[:2] { // the log has a part of it
		w.raw(t, id, m)
	}
	w.prompt(t, id, sec(60), "third")
	w.answer(t, id, sec(61), "three")
	w.prompt(t, id, sec(70), "fourth")
	w.answer(t, id, sec(71), "four")
	// A stub of a later resume.
	main := w.files[id]
	w.files[id] = strings.Replace(main, "09-00", "09-30", 1)
	w.header(t, id, hashOf(dir), sec(1800))

	s := open(t, w.root)
	list := sessions(t, s)
	if len(list) != 1 {
		t.Fatalf("%d sessions", len(list))
	}
	x := list[0]
	if x.Ref.ID != id || x.Directory != dir || x.Title != "first" || !x.UpdatedAt.Equal(sec(71)) || x.State != recap.StateIdle {
		t.Errorf("%+v", x)
	}
	want := []string{"first", "second", "only in the old copy", "third", "fourth"}
	for _, size := range []int{1, 2, 3, 50} {
		recs := agenttest.Records(t, s, x.Ref, size)
		if got := humans(recs); !slices.Equal(got, want) {
			t.Errorf("pages of %d: %q, want %q", size, got, want)
		}
		if got := answers(recs); !slices.Equal(got, []string{"one", "two", "three", "four"}) {
			t.Errorf("pages of %d: %q", size, got)
		}
	}
	// The stamp follows each of the files.
	for _, file := range []string{main, w.files[id], filepath.Join(filepath.Dir(main), name)} {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("\n"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		again := sessions(t, s)
		if again[0].Stamp == x.Stamp {
			t.Errorf("%s grew and the stamp stayed", filepath.Base(file))
		}
		x = again[0]
	}
}

func TestF14_TwoLogsOfASession(t *testing.T) {
	const dir = "/home/dev/src/app"
	w := newWriter(t.TempDir())
	id := w.Begin(t, dir, at0)
	w.prompt(t, id, sec(1), "first")
	w.answer(t, id, sec(2), "one")
	kept := slices.Clone(w.lists[id])
	w.files[id] = filepath.Join(w.root, "tmp", "other", "chats", filepath.Base(w.files[id]))
	write(t, w.files[id], "")
	w.header(t, id, hashOf(dir), sec(10))
	w.raw(t, id, kept[0])
	w.prompt(t, id, sec(11), "second")
	w.answer(t, id, sec(12), "two")
	s := open(t, w.root)
	list := sessions(t, s)
	if len(list) != 1 || !list[0].UpdatedAt.Equal(sec(12)) || !list[0].CreatedAt.Equal(at0) {
		t.Fatalf("%+v", list)
	}
	recs := agenttest.Records(t, s, list[0].Ref, 1)
	if got := append(humans(recs), answers(recs)...); !slices.Equal(got, []string{"first", "second", "one", "two"}) {
		t.Errorf("%q", got)
	}
}
