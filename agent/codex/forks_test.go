package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

func TestF11_Rewind(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	first := cat([]string{h.meta(0, id, `,"history_mode":"paginated"`)}, h.turn(1000, 1, "t1", "one", "1"), h.turn(60_000, 5, "t2", "two", "2"), h.turn(120_000, 9, "t3", "three", "3"))
	h.file(id+".jsonl", first...)
	if got := h.prompts(id); got != "one|two|three" {
		t.Errorf("prompts = %q", got)
	}
	// Back to before "three", nothing asked yet.
	seg := "seg-a"
	second := []string{h.meta(180_000, id, base(id, 9, first[:9]...))}
	h.file(id+"_"+seg+".jsonl", second...)
	x := h.one()
	if !x.Reverted || x.Title != "one" || x.State != recap.StateIdle {
		t.Errorf("gone back: %+v", x)
	}
	if got := h.prompts(id); got != "one|two" {
		t.Errorf("prompts = %q", got)
	}
	// A new prompt clears it.
	second = append(second, h.turn(190_000, 10, "t4", "other three", "4")...)
	h.file(id+"_"+seg+".jsonl", second...)
	if x = h.one(); x.Reverted || x.Title != "one" || x.State != recap.StateIdle || !x.UpdatedAt.Equal(h.at.Add(191_001*time.Millisecond)) {
		t.Errorf("gone on: %+v", x)
	}
	if got := h.prompts(id); got != "one|two|other three" {
		t.Errorf("prompts = %q", got)
	}
	// Back again, behind the first segment, to before "two".
	h.file(id+"_seg-b.jsonl", cat([]string{h.meta(300_000, id, base(id, 5, first[:5]...))}, h.turn(310_000, 6, "t5", "other two", "5"))...)
	if got := h.prompts(id); got != "one|other two" {
		t.Errorf("prompts = %q", got)
	}
	// And from there back into itself, to the beginning of all.
	h.file(id+"_seg-c.jsonl", cat([]string{h.meta(400_000, id, base(id, 1, first[:1]...))}, h.turn(410_000, 1, "t6", "anew", "6"))...)
	if x = h.one(); x.Title != "anew" {
		t.Errorf("title = %q", x.Title)
	}
	if got := h.prompts(id); got != "anew" {
		t.Errorf("prompts = %q", got)
	}
}

func TestF11_RewindOfARewrittenFile(t *testing.T) {
	// The place in bytes is wrong (the file was rewritten): the ordinals tell.
	for _, name := range []string{".jsonl", ".jsonl.zst"} {
		h := newRollouts(t)
		id := h.tid(0)
		first := cat([]string{h.meta(0, id, `,"history_mode":"paginated"`)}, h.turn(1000, 1, "t1", "one", "1"), h.turn(60_000, 5, "t2", "two", "2"))
		h.file(id+name, first...)
		for _, off := range []string{"", "x", strings.Repeat("long ", 1000)} {
			h.file(id+"_seg.jsonl", cat([]string{h.meta(180_000, id, base(id, 5, append(slices.Clone(first[:5]), off)...))}, h.turn(190_000, 5, "t3", "other two", "2"))...)
			if got := h.prompts(id); got != "one|other two" {
				t.Errorf("%s, %d bytes off: prompts = %q", name, len(off), got)
			}
		}
	}
}

func TestF11_RolledBack(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	lines := cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"), h.turn(60_000, -1, "t2", "two", "2"), h.turn(120_000, -1, "t3", "three", "3"),
		[]string{h.line(180_000, -1, "event_msg", `{"type":"thread_rolled_back","num_turns":2}`)})
	h.file(id+".jsonl", lines...)
	if x := h.one(); !x.Reverted {
		t.Errorf("session = %+v", x)
	}
	if got := h.prompts(id); got != "one" {
		t.Errorf("prompts = %q", got)
	}
	lines = cat(lines, h.turn(190_000, -1, "t4", "four", "4"), h.turn(200_000, -1, "t5", "five", "5"), []string{h.line(210_000, -1, "event_msg", `{"type":"thread_rolled_back","num_turns":1}`)},
		h.turn(220_000, -1, "t6", "six", "6"))
	h.file(id+".jsonl", lines...)
	if x := h.one(); x.Reverted {
		t.Errorf("session = %+v", x)
	}
	if got := h.prompts(id); got != "one|four|six" {
		t.Errorf("prompts = %q", got)
	}
}

func TestF11_ForkByReference(t *testing.T) {
	h := newRollouts(t)
	id, fork := h.tid(0), h.tid(10)
	first := cat([]string{h.meta(0, id, `,"history_mode":"paginated"`)}, h.turn(1000, 1, "t1", "one", "1"), h.turn(60_000, 5, "t2", "two", "2"))
	h.file(id+".jsonl", first...)
	head := h.meta(600_000, fork, `,"forked_from_id":"`+id+`"`+base(id, 9, first...))
	h.file(fork+".jsonl", head)
	list := h.list(agent.Query{})
	if len(list) != 2 || list[0].Ref.ID != fork || list[0].ForkedFrom != id || list[0].Title != "one" || list[0].Reverted || list[0].ParentID != "" || list[0].State != recap.StateIdle {
		t.Fatalf("listed: %+v", list)
	}
	if got := h.prompts(fork); got != "one|two" {
		t.Errorf("a fork without work of its own: %q", got)
	}
	h.file(fork+".jsonl", cat([]string{head}, h.turn(610_000, 10, "t3", "in the fork", "3"), h.turn(620_000, 14, "t4", "more", "4"))...)
	if got := h.prompts(fork); got != "in the fork|more" {
		t.Errorf("its own work: %q", got)
	}
	if got := h.prompts(id); got != "one|two" {
		t.Errorf("the parent: %q", got)
	}
	// The fork goes back to its beginning: nothing of its own is left.
	h.file(fork+"_seg.jsonl", h.meta(700_000, fork, base(fork, 10, head)))
	if got := h.prompts(fork); got != "one|two" {
		t.Errorf("gone back to the fork: %q", got)
	}
	for _, x := range h.list(agent.Query{}) {
		if x.Reverted != (x.Ref.ID == fork) {
			t.Errorf("%s: reverted = %v", x.Ref.ID, x.Reverted)
		}
	}
	// A parent that was deleted.
	if err := os.Remove(filepath.Join(h.root, "sessions", "2026", "03", "01", "rollout-2026-03-01T09-00-00-"+id+".jsonl")); err != nil {
		t.Fatal(err)
	}
	if got := h.prompts(fork); got != "" {
		t.Errorf("without the parent: %q", got)
	}
}

func TestF11_ForkThatCopies(t *testing.T) {
	for _, c := range []struct {
		name string
		turn func(h *rollouts, minute int, own bool) string
	}{
		{"turn ids", func(h *rollouts, minute int, _ bool) string { return h.tid(minute) }},
		{"no turn ids", func(*rollouts, int, bool) string { return "" }},
		{"made up turn ids", func(_ *rollouts, minute int, _ bool) string { return fmt.Sprintf("rollout-%d", minute) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newRollouts(t)
			parent, fork := h.tid(0), h.tid(10)
			h.file(parent+".jsonl", cat([]string{h.meta(0, parent, "")}, h.turn(1000, -1, c.turn(h, 1, false), "one", "1"), h.turn(120_000, -1, c.turn(h, 2, false), "two", "2"))...)
			const forked = 600_000
			copied := []string{h.meta(forked, fork, `,"forked_from_id":"`+parent+`"`), h.meta(forked+1, parent, "")}
			for i, p := range []string{"one", "two"} { // re-stamped to the time of the copy
				for _, l := range h.turn(forked+2, -1, c.turn(h, i+1, false), p, "x") {
					copied = append(copied, strings.Replace(l, "09:10:01.00", "09:10:00.00", 1))
				}
			}
			h.file(fork+".jsonl", copied...)
			list := h.list(agent.Query{})
			if len(list) != 2 || list[0].Ref.ID != fork || list[0].ForkedFrom != parent {
				t.Fatalf("listed: %+v", list)
			}
			if got := h.prompts(fork); got != "one|two" {
				t.Errorf("a fork without work of its own: %q", got)
			}
			h.file(fork+".jsonl", cat(copied, h.turn(forked+30_000, -1, c.turn(h, 11, true), "in the fork", "3"), h.turn(forked+60_000, -1, c.turn(h, 12, true), "more", "4"))...)
			if got := h.prompts(fork); got != "in the fork|more" {
				t.Errorf("its own work: %q", got)
			}
			if x := h.list(agent.Query{})[0]; x.Title != "in the fork" || x.State != recap.StateIdle {
				t.Errorf("session = %+v", x)
			}
			if got := h.prompts(parent); got != "one|two" {
				t.Errorf("the parent: %q", got)
			}
		})
	}
}

// TestF11_RewindWithLongInstructions: the place in the history stands behind
// the instructions, beyond what a listing reads of the head.
func TestF11_RewindWithLongInstructions(t *testing.T) {
	for _, name := range []string{".jsonl", ".jsonl.zst"} {
		for _, size := range []int{70_000, 500_000, 2 << 20} {
			h := newRollouts(t)
			id := h.tid(0)
			first := cat([]string{h.meta(0, id, `,"history_mode":"paginated"`)}, h.turn(1000, 1, "t1", "one", "1"), h.turn(60_000, 5, "t2", "two", "2"))
			h.file(id+".jsonl", first...)
			long := `,"base_instructions":{"text":"` + strings.Repeat("x", size) + `"}`
			h.file(id+"_seg"+name, cat([]string{h.meta(180_000, id, long+base(id, 5, first[:5]...))}, h.turn(190_000, 5, "t3", "other two", strings.Repeat("y", 100_000)))...)
			want := "one|other two"
			if size > maxFirst {
				want = "other two" // too far: the file's own work is what is left
			}
			if got := h.prompts(id); got != want {
				t.Errorf("%s with %d bytes: prompts = %q", name, size, got)
			}
		}
	}
}
