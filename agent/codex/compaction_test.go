package codex

import (
	"fmt"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// A session stands after a compaction as it stood before it, and the recap
// still has its last answer; one in the midst of a turn stays there.
func TestCompactionLeavesTheSessionAsItStood(t *testing.T) {
	const (
		event, item = "event_msg", "response_item"
		call        = `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"go test\"}","call_id":"c1"}`
		result      = `{"type":"function_call_output","call_id":"c1","output":"ok"}`
		says        = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}`
		compacted   = `{"message":"Another language model started to solve this problem and produced a summary of its thinking process. HANDOFF: it is done."}`
	)
	type row struct{ typ, payload string }
	begin := func(turn string) row { return row{event, `{"type":"task_started","turn_id":"` + turn + `"}`} }
	end := func(turn, more string) row {
		return row{event, `{"type":"task_complete","turn_id":"` + turn + `"` + more + `}`}
	}
	summary := row{item, fmt.Sprintf(says, "HANDOFF: it is done.")}
	usage := row{event, `{"type":"token_count","info":null}`}
	pack := []row{summary, usage, {"compacted", compacted}, {event, `{"type":"item_completed","item":{"type":"ContextCompaction","id":"x"}}`}}
	asked := append(append([]row{begin("t2")}, pack...), end("t2", `,"last_agent_message":null`))
	complete := []row{{item, call}, {item, result}, {item, fmt.Sprintf(says, "It is done.")}, usage, end("t1", `,"last_agent_message":"It is done."`)}
	failure := `,"error":{"message":"limit","codex_error_info":"usage_limit_exceeded"}`
	const failed = `{"type":"task_complete","turn_id":"t1","error":{"message":"limit","codex_error_info":"usage_limit_exceeded"}}`
	for _, c := range []struct {
		name   string
		rows   [][]row
		state  recap.State
		end    dialog.End
		answer string
	}{
		{"complete", [][]row{complete}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, asked for", [][]row{complete, asked}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, asked for without words", [][]row{complete, {begin("t2"), pack[2], pack[3], end("t2", "")}}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, twice", [][]row{complete, asked, append(append([]row{begin("t3")}, pack...), end("t3", ""))}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, failed", [][]row{complete, {begin("t2"), end("t2", failure)}}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, failed behind it", [][]row{complete, {begin("t2")}, pack, {end("t2", failure)}}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete, stopped", [][]row{complete, {begin("t2"), {event, `{"type":"turn_aborted","turn_id":"t2"}`}}}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"failed", [][]row{{{event, failed}}, asked}, recap.StateFailed, dialog.EndFailed, ""},
		{"stopped", [][]row{{{item, call}, {event, `{"type":"turn_aborted","turn_id":"t1"}`}}, asked}, recap.StateInterrupted, dialog.EndInterrupted, ""},
		{"in the midst of work", [][]row{{{item, call}, {item, result}}, pack}, recap.StateUnknown, dialog.EndWorking, ""},
		{"in the midst of work, stopped", [][]row{{{item, call}, {item, result}}, pack, {{event, `{"type":"turn_aborted","turn_id":"t1"}`}}}, recap.StateInterrupted, dialog.EndInterrupted, ""},
		{"in the midst of work, failed", [][]row{{{item, call}, {item, result}}, pack, {{event, failed}}}, recap.StateFailed, dialog.EndFailed, ""},
		{"in the midst of work that goes on", [][]row{{{item, call}, {item, result}}, pack, complete[2:]}, recap.StateIdle, dialog.EndComplete, "It is done."},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newRollouts(t)
			id := h.tid(0)
			lines := cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "Do it", ""))
			ms := 2000
			for _, part := range c.rows {
				for _, r := range part {
					ms++
					lines = append(lines, h.line(ms, -1, r.typ, r.payload))
				}
			}
			h.file(id+".jsonl", lines...)
			if x := h.one(); x.State != c.state || x.WaitingFor != "" {
				t.Errorf("state %s %q, want %s", x.State, x.WaitingFor, c.state)
			}
			d := turns(t, h.src, id)
			if d.End != c.end || len(d.Turns) != 1 || d.Turns[0].Answer != c.answer || d.Turns[0].Complete != (c.end == dialog.EndComplete) {
				t.Errorf("end %s, want %s: %+v", d.End, c.end, d.Turns)
			}
		})
	}
}
