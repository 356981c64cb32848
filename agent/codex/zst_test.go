package codex

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

func TestF12_Compressed(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	lines := cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"))
	packed := h.file(id+".jsonl.zst", lines...)
	if x := h.one(); x.Title != "one" || x.State != recap.StateIdle || x.Archived {
		t.Errorf("session = %+v", x)
	}
	// Beside a plain file that went on: read once, the plain one.
	h.file(id+".jsonl", cat(lines, h.turn(60_000, -1, "t2", "two", "2"))...)
	h.one()
	if got := h.prompts(id); got != "one|two" {
		t.Errorf("prompts = %q", got)
	}
	// Archived, compressed or not.
	if err := os.Remove(filepath.Join(filepath.Dir(packed), filepath.Base(strings.TrimSuffix(packed, ".zst")))); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(h.root, "archived_sessions", filepath.Base(packed))
	if err := os.MkdirAll(filepath.Dir(archive), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(packed, archive); err != nil {
		t.Fatal(err)
	}
	if got := h.prompts(id); got != "one" { // found though it moved since the listing
		t.Errorf("prompts = %q", got)
	}
	if x := h.one(); !x.Archived {
		t.Errorf("session = %+v", x)
	}
	if l := h.list(agent.Query{}); len(l) != 0 {
		t.Errorf("archived and listed: %+v", l)
	}
	// A live copy wins over an archived one.
	h.file(id+".jsonl", lines...)
	if x := h.one(); x.Archived {
		t.Errorf("session = %+v", x)
	}
}

func TestF16_CompressedWhileItIsPaged(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	lines := []string{h.meta(0, id, "")}
	for i := range 6 {
		lines = append(lines, h.turn(1000+i*10_000, -1, fmt.Sprintf("t%d", i), fmt.Sprintf("ask %d", i), "x")...)
	}
	ref := recap.SessionRef{Agent: recap.Codex, Root: h.root, ID: id}
	forms := []string{id + ".jsonl", id + ".jsonl.zst"}
	for range forms {
		before := h.file(forms[0], lines...)
		h.one()
		p, err := h.src.Page(t.Context(), ref, "", 1)
		if err != nil || len(p.Records) == 0 || p.Next == "" {
			t.Fatal(err, p)
		}
		h.file(forms[1], lines...)
		if err := os.Remove(before); err != nil {
			t.Fatal(err)
		}
		var got []string
		for next := p.Next; next != ""; {
			p, err := h.src.Page(t.Context(), ref, next, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.Records {
				if p.Records[i].Role == recap.RoleUser {
					got = append(got, p.Records[i].Parts[0].Text)
				}
			}
			next = p.Next
		}
		if s := strings.Join(got, "|"); s != "ask 4|ask 3|ask 2|ask 1|ask 0" {
			t.Errorf("from %s to %s: went on with %q", forms[0], forms[1], s)
		}
		slices.Reverse(forms) // and unpacked again, as Codex does to go on
	}
}

// TestF12_BigCompressed holds the memory of a page and of a listing while the
// rollout is many times as large.
func TestF12_BigCompressed(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	lines := cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t0", "the first", "1"))
	noise := h.line(2000, -1, "event_msg", `{"type":"token_count","info":"`+strings.Repeat("x", 64<<10)+`"}`)
	var b bytes.Buffer
	b.WriteString(strings.Join(lines, "\n") + "\n")
	for b.Len() < 66<<20 {
		b.WriteString(noise + "\n")
	}
	size := b.Len()
	b.WriteString(strings.Join(h.turn(60_000, -1, "t1", "the last", "2"), "\n") + "\n")
	path := h.file(id+".jsonl.zst", lines...)
	if err := os.WriteFile(path, pack(t, b.Bytes()), 0o600); err != nil {
		t.Fatal(err)
	}
	b = bytes.Buffer{}
	runtime.GC()
	measure := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if n := measure(func() {
		// Over the bound of a listing: the head, and the file's own time.
		if x := h.one(); x.Title != "the first" || x.State != recap.StateUnknown || x.UpdatedAt.Before(x.CreatedAt) {
			t.Errorf("session = %+v", x)
		}
	}); n > 64<<20 {
		t.Errorf("listing allocated %d MB", n>>20)
	}
	ref := recap.SessionRef{Agent: recap.Codex, Root: h.root, ID: id}
	if n := measure(func() {
		p, err := h.src.Page(t.Context(), ref, "", 1)
		if err != nil || len(p.Records) != 2 || p.Records[0].Parts[0].Text != "the last" || p.Next == "" {
			t.Errorf("page = %+v, %v", p, err)
		}
		if p.Bytes > 1<<20 {
			t.Errorf("%d bytes were looked through", p.Bytes)
		}
	}); n > 64<<20 {
		t.Errorf("a page of %d MB allocated %d MB", size>>20, n>>20)
	}
	if got := h.prompts(id); got != "the first|the last" {
		t.Errorf("prompts = %q", got)
	}
}

func TestF2_GiantRowInACompressedFile(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	picture := h.line(30_000, -1, "response_item", `{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,`+strings.Repeat("A", 35<<20)+`"}]}`)
	h.file(id+".jsonl.zst", cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t0", "one", "1"), []string{picture}, h.turn(60_000, -1, "t1", "two", "2"))...)
	h.one()
	ref := recap.SessionRef{Agent: recap.Codex, Root: h.root, ID: id}
	p, err := h.src.Page(t.Context(), ref, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Records) != 4 || len(p.Problems) != 1 || p.Problems[0].Reason != "row over 32 MB" || p.Problems[0].Count != 1 {
		t.Errorf("%d records, problems %+v", len(p.Records), p.Problems)
	}
}

func TestF12_BrokenCompression(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	lines := []string{h.meta(0, id, "")}
	for i := range 2000 {
		lines = append(lines, h.turn(1000+i*1000, -1, fmt.Sprintf("t%d", i), fmt.Sprintf("ask %d %x", i, i*7919*104729), "x")...)
	}
	path := h.file(id+".jsonl.zst", lines...)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{b[:len(b)/2], b[:10], []byte("not zstd at all"), {}} {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		list, problems := all(t, h.src, agent.Query{})
		if len(list)+len(problems) == 0 && len(bad) > 0 {
			t.Errorf("%d bytes: neither a session nor a problem", len(bad))
		}
		for _, x := range list {
			if _, err := h.src.Page(t.Context(), x.Ref, "", 5); err != nil {
				t.Errorf("%d bytes: %v", len(bad), err)
			}
		}
	}
}
