package agenttest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

func isCanceled(err error) bool {
	return errors.Is(err, context.Canceled) || recap.CodeOf(err) == recap.CodeCanceled
}

func testReplaced(t *testing.T, m Member) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, file string)
		fail   bool
	}{
		{"cut below the cursor", func(t *testing.T, file string) {
			if err := os.Truncate(file, 10); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"cut to nothing", func(t *testing.T, file string) {
			if err := os.Truncate(file, 0); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"replaced by another file", func(t *testing.T, file string) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b = bytes.ReplaceAll(b, []byte("apples"), []byte("a cheese of another length"))
			if err := os.WriteFile(file+".new", b, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(file+".new", file); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"grown", func(t *testing.T, file string) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, append(b, b[:bytes.IndexByte(b, '\n')+1]...), 0o600); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t, m)
			id := h.session(work, 0, 10, "apples")
			all := texts(h.read(id), recap.RoleAssistant)
			p, err := h.src.Page(t.Context(), h.ref(id), "", 1)
			if err != nil || p.Next == "" {
				t.Fatal(err, p.Next)
			}
			c.change(t, main(t, h, id))
			seen := 0
			for cur := p.Next; cur != ""; {
				p, err := h.src.Page(t.Context(), h.ref(id), cur, 2)
				if err != nil {
					return // an honest error
				}
				for _, s := range texts(p.Records, recap.RoleAssistant) {
					if !slices.Contains(all, strings.ReplaceAll(s, "a cheese of another length", "apples")) {
						t.Errorf("garbage: %q", s)
					}
					seen++
				}
				cur = p.Next
			}
			if c.fail {
				t.Errorf("%d answers of a file that is gone, and no error", seen)
			}
		})
	}
}

func testTorn(t *testing.T, m Member) {
	build := func(t *testing.T) (h *home, id string, whole []byte, from int) {
		h = newHome(t, m)
		id = h.session(work, 0, 2, "apples")
		file := main(t, h, id)
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		h.build.Add(t, id, Event{Kind: Prompt, At: at(9), Text: "And the last one, please"})
		whole, err = os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(whole, before) {
			t.Fatal("the builder does not append")
		}
		return h, id, whole, len(before)
	}
	h, id, whole, from := build(t)
	want := len(h.read(id))
	file := main(t, h, id)
	// Cut after each of some bytes of what was appended last.
	for _, cut := range []int{from + 1, from + 2, from + 20, (from + len(whole)) / 2, len(whole) - 3, len(whole) - 2, len(whole) - 1} {
		if err := os.WriteFile(file, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		list := h.list(agent.Query{})
		if len(list) != 1 {
			t.Fatalf("cut at %d of %d: %d sessions", cut, len(whole), len(list))
		}
		got := texts(h.read(id), recap.RoleAssistant)
		if len(got) != 2 || got[1] != "Done with apples 2." {
			t.Errorf("cut at %d of %d: answers %q", cut, len(whole), got)
		}
	}
	// Without its line break alone, the last row still counts; and written
	// whole, all is there.
	if got := len(h.read(id)); got != want {
		t.Errorf("without the last line break: %d records, want %d", got, want)
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	h.list(agent.Query{})
	if got := len(h.read(id)); got != want {
		t.Errorf("written on: %d records, want %d", got, want)
	}
}

func testGiant(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 2, "apples")
	h.build.Add(t, id, Event{Kind: Picture, At: at(5), Text: "A picture too large", Size: 33 << 20})
	h.turn(id, 6, "pears")
	h.turn(id, 8, "plums")
	if n := len(h.list(agent.Query{})); n != 1 {
		t.Fatalf("%d sessions", n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records, problems, bytes, err := readAll(t, h.src, h.ref(id), 3)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(records, recap.RoleAssistant); len(got) != 4 {
		t.Errorf("answers = %q", got)
	}
	count := 0
	for _, p := range problems {
		count += p.Count
	}
	if count != 1 {
		t.Errorf("problems = %+v, want one row", problems)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d MB were allocated", n>>20)
	}
	if bytes > 35<<20 {
		t.Errorf("%d MB were read", bytes>>20)
	}
}

func testLong(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	h.build.Add(t, id, Event{Kind: Picture, At: at(5), Text: "What does it show?", Size: 5 << 20},
		Event{Kind: Answer, At: at(6), Text: "A cat."})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records, problems, _, err := readAll(t, h.src, h.ref(id), 50)
	runtime.ReadMemStats(&after)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if got := texts(records, recap.RoleUser); len(got) != 2 || got[1] != "What does it show?" {
		t.Errorf("prompts = %q", got)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d MB were allocated", n>>20)
	}
}

func testNoise(t *testing.T, m Member) {
	var bytes []int64
	for _, noise := range []int{1 << 20, 8 << 20} {
		h := newHome(t, m)
		id := h.build.Begin(t, work, at(0))
		h.build.Add(t, id, Event{Kind: Noise, At: at(0), Size: noise})
		for i := range 10 {
			h.turn(id, 2*i, "apples")
		}
		p, err := h.src.Page(t.Context(), h.ref(id), "", 3)
		if err != nil || len(p.Records) < 3 {
			t.Fatal(err, len(p.Records))
		}
		bytes = append(bytes, p.Bytes)
		if n := len(texts(h.read(id), recap.RoleUser)); n != 10 {
			t.Errorf("%d prompts", n)
		}
	}
	if bytes[0] != bytes[1] || bytes[0] == 0 || bytes[0] > 512<<10 {
		t.Errorf("a page cost %d bytes in the small file and %d in the large", bytes[0], bytes[1])
	}
}

func testStrangers(t *testing.T, m Member) {
	h := newHome(t, m)
	good := h.session(work, 0, 1, "apples")
	var strangers []string
	for i, make := range []func(string) error{
		func(p string) error { return os.Symlink(p, p) },
		mkfifo,
		func(p string) error { return os.Mkdir(p, 0o700) },
		func(p string) error { return os.Symlink("/dev/zero", p) },
	} {
		id := h.session(work, 10+i, 1, "pears")
		file := main(t, h, id)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := make(file); err != nil {
			t.Skipf("not possible here: %v", err)
		}
		strangers = append(strangers, file)
		if _, err := h.src.Page(t.Context(), h.ref(id), "", 1); err == nil {
			t.Error("a page of a file that is none")
		}
	}
	if err := os.Symlink(h.root, filepath.Join(filepath.Dir(main(t, h, good)), "loop")); err != nil {
		t.Fatal(err)
	}
	list, got := h.listed(agent.Query{})
	if len(list) != 1 || list[0].Ref.ID != good {
		t.Errorf("listed: %+v", list)
	}
	for _, file := range strangers {
		if !slices.ContainsFunc(got, func(err error) bool {
			p, ok := errors.AsType[*agent.Problem](err)
			return ok && p.Path == file
		}) {
			t.Errorf("no word of %s: %v", file, got)
		}
	}
}

func testBroken(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	file := main(t, h, id)
	deep := strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000)
	for i, junk := range []string{
		"", "\r", "null", "[]", "17", `"text"`, "{}", "{", "not json at all", "\x00\x00\x00", "\xff\xfe{\x00}\x00", "\xef\xbb\xbf{}",
		`{"type":null}`, `{"type":{}}`, `{"type":"never seen","uuid":7}`, deep, `{"type":"user","message":` + deep + `}`,
		`{"type":"assistant","message":{"content":` + strings.Repeat(`{"a":`, 10_000) + `1` + strings.Repeat(`}`, 10_000) + `}}`,
		`{"payload":` + deep + `}`, `{"a":"` + "\xff\xc0\x80" + `"}`, `{"a":"\ud800"}`,
	} {
		appendTo(t, file, junk+"\n")
		h.turn(id, 10+2*i, "pears")
	}
	list, _ := h.listed(agent.Query{})
	if len(list) != 1 {
		t.Fatalf("%d sessions", len(list))
	}
	records, _, err := h.pages(id, 4)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(texts(records, recap.RoleUser)); n != 22 {
		t.Errorf("%d prompts, want 22", n)
	}
	if n := len(tools(records)); n != 22 {
		t.Errorf("%d tool calls, want 22", n)
	}
	// Line breaks of Windows, a byte order mark, no line break at the end.
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b = append([]byte("\xef\xbb\xbf"), bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))...)
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	records, _, err = h.pages(id, 4)
	if n := len(texts(records, recap.RoleUser)); err != nil || n != 22 {
		t.Errorf("CRLF: %d prompts, want 22: %v", n, err)
	}
}

func appendTo(t testing.TB, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
