package codex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// TestPagesOfAnySizeAgree makes threads of everything that can happen and
// reads each in pages of every size: what is read is the same.
func TestPagesOfAnySizeAgree(t *testing.T) {
	for _, form := range []string{"marked", "unmarked", "legacy", "migrated", "compressed"} {
		t.Run(form, func(t *testing.T) {
			seeds := uint64(10)
			if long() {
				seeds = 100
			}
			for seed := range seeds {
				r := rand.New(rand.NewPCG(seed, 7))
				h := newRollouts(t)
				id := h.tid(0)
				name := id + ".jsonl"
				if form == "compressed" {
					name += ".zst"
				}
				h.file(name, anything(h, r, id, form)...)
				if l, _ := all(t, h.src, agent.Query{}); len(l) != 1 {
					t.Fatalf("seed %d: %d sessions", seed, len(l))
				}
				whole, _ := records(t, h.src, id, 100_000)
				for _, n := range []int{1, 2, 3, 7} {
					if parts, _ := records(t, h.src, id, n); joined(parts) != joined(whole) {
						t.Fatalf("seed %d, pages of %d:\n%s\nwant:\n%s", seed, n, joined(parts), joined(whole))
					}
				}
			}
		})
	}
}

// anything makes the rows of a thread.
func anything(h *rollouts, r *rand.Rand, id, form string) []string {
	lines := []string{h.meta(0, id, "")}
	if form == "marked" || form == "compressed" {
		lines[0] = h.meta(0, id, `,"history_mode":"paginated"`)
	}
	ms, calls := 1000, 0
	turn, late := "", ""
	add := func(typ, payload string) {
		ms += 1000
		lines = append(lines, h.line(ms, -1, typ, payload))
	}
	pass := func() string {
		if form == "unmarked" || form == "legacy" || form == "migrated" {
			return ""
		}
		return `,"internal_chat_message_metadata_passthrough":{"turn_id":"` + turn + `","content_item_kinds":["user.text"]}`
	}
	say := func(role, text string) {
		add("response_item", `{"type":"message","role":"`+role+`","content":[{"type":"input_text","text":"`+text+`"}]`+pass()+`}`)
	}
	for k := range 3 + r.IntN(8) {
		turn = fmt.Sprintf("t%d", k)
		if form == "migrated" { // the prompt, the end of the turn before, the beginning
			say("user", fmt.Sprintf("ask %d", k))
			if late != "" {
				add("event_msg", late)
			}
			turn, late = fmt.Sprintf("rollout-%d", k), ""
		}
		if form != "legacy" {
			add("event_msg", `{"type":"task_started","turn_id":"`+turn+`"}`)
		}
		if form == "migrated" {
			add("event_msg", `{"type":"token_count"}`)
		} else {
			add("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\nx\n</environment_context>"}]}`)
		}
		add("turn_context", `{"model":"m`+turn+`"}`)
		if form != "migrated" {
			say("user", fmt.Sprintf("ask %d", k))
		}
		for range r.IntN(5) {
			switch r.IntN(4) {
			case 0:
				say("assistant", fmt.Sprintf("say %d", ms))
			case 1, 2:
				for range 1 + r.IntN(2) {
					calls++
					add("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"c %d\"}","call_id":"c%d"}`, calls, calls))
				}
				add("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"Exit code: 0\nOutput:\nx"}`, calls))
			case 3:
				add("event_msg", `{"type":"token_count"}`)
				if form == "marked" || form == "compressed" { // steering
					say("user", fmt.Sprintf("steer %d", ms))
				}
			}
		}
		end := `{"type":"task_complete","turn_id":"` + turn + `"}`
		if form == "migrated" {
			say("assistant", fmt.Sprintf("done %d", k))
			late = end
			continue
		}
		switch r.IntN(6) {
		case 0:
			add("event_msg", `{"type":"turn_aborted","turn_id":"`+turn+`"}`)
		case 1:
			if form != "legacy" {
				add("event_msg", `{"type":"task_complete","turn_id":"`+turn+`","error":{"message":"x"}}`)
			}
		case 2: // the agent died
		case 3:
			say("assistant", fmt.Sprintf("done %d", k))
			if form != "legacy" {
				add("event_msg", end)
			}
			if r.IntN(3) == 0 {
				add("event_msg", fmt.Sprintf(`{"type":"thread_rolled_back","num_turns":%d}`, 1+r.IntN(2)))
			}
		default:
			say("assistant", fmt.Sprintf("done %d", k))
			if form != "legacy" {
				add("event_msg", end)
			}
		}
	}
	if late != "" {
		add("event_msg", late)
	}
	return lines
}

func TestHostileCursors(t *testing.T) {
	s := open(t, "codex")
	const id = "01a229c4-e647-77d3-a6db-98b4d064cf4d"
	for _, c := range []agent.Cursor{"x", "/", "////", id + "/-2/0/0/0", id + "/1/0/0/0", id + "/99999999/0/0/0", id + "/0/zz/0/0", id + "/5/0/0/-1", "other/0/0/0/0", id + "/9223372036854775807/0/0/0"} {
		p, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.Codex, Root: s.home.Root, ID: id}, c, 5)
		if err == nil {
			t.Errorf("cursor %q gives %d records", c, len(p.Records))
		}
	}
}
