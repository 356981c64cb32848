package qwencode

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/dialog"
)

// pages reads a session of a source as package dialog asks for it.
type pages struct {
	src *Source
	ref recap.SessionRef
}

func (p pages) Page(ctx context.Context, before string, n int) (dialog.Page, error) {
	x, err := p.src.Page(ctx, p.ref, agent.Cursor(before), n)
	return dialog.Page{Records: x.Records, Next: string(x.Next), Bytes: x.Bytes}, err
}

// The listing and the transcript say the same of a session, whether its process
// lives or not, and a compression at its end changes nothing of it.
func TestListingAndTranscriptAgree(t *testing.T) {
	call := func(w *writer, id, name string, args obj) {
		w.row(t, id, at0.Add(time.Second), "assistant", "assistant_output", "", withUsage(parts("model",
			obj{"functionCall": obj{"id": "c1", "name": name, "args": args}})))
	}
	type tail func(w *writer, id string)
	done := func(w *writer, id string) { w.answer(t, id, at0.Add(time.Second), "It is done.") }
	work := func(w *writer, id string) {
		w.Add(t, id, agenttest.Event{Kind: agenttest.Command, At: at0.Add(time.Second), Text: "ls"})
	}
	question := func(w *writer, id string) {
		call(w, id, "ask_user_question", obj{"questions": []obj{{"question": "Which port?"}}})
	}
	plan := func(w *writer, id string) { call(w, id, "exit_plan_mode", obj{"plan": "1. look"}) }
	command := func(w *writer, id string) { call(w, id, "run_shell_command", obj{"command": "ls"}) }
	prompt := func(*writer, string) {}
	for _, c := range []struct {
		name, process string
		tail          tail
		state         recap.State
		asked         string
		end           dialog.End
		tool          recap.ToolStatus
	}{
		{"done", "lives", done, recap.StateIdle, "", dialog.EndComplete, ""},
		{"done", "gone", done, recap.StateIdle, "", dialog.EndComplete, ""},
		{"question", "lives", question, recap.StateWaiting, "question: Which port?", dialog.EndWaiting, recap.ToolWaiting},
		{"question", "gone", question, recap.StateInterrupted, "question: Which port?", dialog.EndInterrupted, recap.ToolWaiting},
		{"question", "newer", question, recap.StateInterrupted, "question: Which port?", dialog.EndInterrupted, recap.ToolWaiting},
		{"question", "unknown", question, recap.StateUnknown, "question: Which port?", dialog.EndWorking, recap.ToolPending},
		{"plan", "lives", plan, recap.StateWaiting, "approval: exit_plan_mode", dialog.EndWaiting, recap.ToolWaiting},
		{"plan", "gone", plan, recap.StateInterrupted, "approval: exit_plan_mode", dialog.EndInterrupted, recap.ToolWaiting},
		{"command", "lives", command, recap.StateWaiting, "approval: run_shell_command ls", dialog.EndWaiting, recap.ToolWaiting},
		{"command", "gone", command, recap.StateInterrupted, "approval: run_shell_command ls", dialog.EndInterrupted, recap.ToolWaiting},
		{"work", "lives", work, recap.StateBusy, "", dialog.EndWorking, recap.ToolDone},
		{"work", "gone", work, recap.StateInterrupted, "", dialog.EndInterrupted, recap.ToolDone},
		{"work", "unknown", work, recap.StateUnknown, "", dialog.EndWorking, recap.ToolDone},
		{"prompt", "lives", prompt, recap.StateBusy, "", dialog.EndUnanswered, ""},
		{"prompt", "gone", prompt, recap.StateInterrupted, "", dialog.EndUnanswered, ""},
	} {
		for _, compressed := range []string{"", ", compressed"} {
			t.Run(c.name+", "+c.process+compressed, func(t *testing.T) {
				w := &writer{root: t.TempDir(), files: map[string]string{}}
				id := w.Begin(t, "/home/dev/src/app", at0)
				w.prompt(t, id, at0, "do it")
				c.tail(w, id)
				if compressed != "" {
					w.row(t, id, at0.Add(time.Hour), "system", "runtime", "chat_compression", obj{"systemPayload": obj{
						"info": obj{"newTokenCount": 1}, "compressedHistory": []obj{{"role": "user", "parts": []obj{{"text": "SUMMARY"}}}},
					}})
				}
				begun := "1"
				if c.process == "newer" {
					begun = "4102444800"
				}
				side := strings.TrimSuffix(w.files[id], ".jsonl") + ".runtime.json"
				if err := os.WriteFile(side, []byte(`{"pid":4711,"session_id":"x","started_at":`+begun+`}`), 0o600); err != nil {
					t.Fatal(err)
				}
				s := New(Config{Root: w.root, Alive: func(int, time.Time) (bool, bool) {
					return c.process != "gone", c.process != "unknown"
				}})
				n := 0
				for x, err := range s.Sessions(t.Context(), agent.Query{}) {
					if n++; err != nil || x.State != c.state || x.WaitingFor != c.asked {
						t.Errorf("%s %q, want %s %q (%v)", x.State, x.WaitingFor, c.state, c.asked, err)
					}
				}
				d, err := dialog.Read(t.Context(), pages{s, recap.SessionRef{Agent: recap.Qwen, Root: w.root, ID: id}}, dialog.FileLimits())
				if err != nil || n != 1 {
					t.Fatal(n, err)
				}
				if d.End != c.end || len(d.Turns) != 1 || (d.Turns[0].Answer != "") != (c.name == "done") {
					t.Errorf("end %s, want %s: %+v", d.End, c.end, d.Turns)
				}
				if c.tool != "" && (len(d.Turns[0].Tools) != 1 || d.Turns[0].Tools[0].Status != c.tool) {
					t.Errorf("tools %+v", d.Turns[0].Tools)
				}
			})
		}
	}
}
