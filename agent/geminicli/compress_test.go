package geminicli

import (
	"context"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
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

// compress writes what /compress, or the program by itself, leaves: a list of
// the context, the snapshot, the words of thanks and what was kept of the talk.
func (w *writer) compress(t *testing.T, id string, n int, kept ...string) {
	t.Helper()
	w.raw(t, id, `{"$set":{"sessionId":"`+id+`"}}`)
	w.set(t, id, sec(n), append([]string{
		user("ctx", at0, "<session_context>\nThis is the Gemini CLI.\n</session_context>"),
		user("snap"+iso(sec(n)), sec(n), "<state_snapshot><overall_goal>SUMMARY</overall_goal></state_snapshot>"),
		msgJSON("thx"+iso(sec(n)), sec(n), "gemini", obj{"content": []obj{{"text": "Got it. Thanks for the additional context!"}}}),
	}, kept...)...)
	w.raw(t, id, msgJSON(w.uuid(), sec(n), "info", obj{"content": ""}))
}

// A session stands after a compression as it stood before it, and the recap
// still has its last answer; one in the midst of work stays there. The listing
// and the transcript say the same.
func TestCompressionLeavesTheSessionAsItStood(t *testing.T) {
	done := func(w *writer, id string) { w.answer(t, id, sec(3), "It is done.") }
	work := func(w *writer, id string) {
		w.call(t, id, sec(2), "run_shell_command", obj{"command": "ls"}, "Output: x", "success")
	}
	for _, c := range []struct {
		name   string
		tail   func(w *writer, id string)
		state  recap.State
		asked  string
		end    dialog.End
		answer string
	}{
		{"complete", func(w *writer, id string) { work(w, id); done(w, id) }, recap.StateIdle, "", dialog.EndComplete, "It is done."},
		{"work", work, recap.StateUnknown, "", dialog.EndWorking, ""},
		{"not answered", func(*writer, string) {}, recap.StateUnknown, "", dialog.EndUnanswered, ""},
		{"stopped", func(w *writer, id string) { w.cancel(t, id, sec(3)) }, recap.StateInterrupted, "", dialog.EndInterrupted, ""},
		{"failed", func(w *writer, id string) {
			w.add(t, id, msgJSON("e", sec(3), "error", obj{"content": "[API Error: slow down]"}), sec(3))
		}, recap.StateFailed, "", dialog.EndFailed, ""},
		{"question", func(w *writer, id string) {
			w.add(t, id, gemini("m", sec(3), "", obj{"toolCalls": []obj{{"id": "c", "name": "ask_user", "args": obj{"questions": []obj{{"question": "Which port?"}}}, "status": "executing"}}}), sec(3))
		}, recap.StateWaiting, "question: Which port?", dialog.EndWaiting, ""},
	} {
		for _, how := range []string{"", "compressed", "compressed twice", "some kept"} {
			t.Run(c.name+" "+how, func(t *testing.T) {
				s, x := made(t, func(w *writer, id string) {
					w.prompt(t, id, sec(1), "do it")
					c.tail(w, id)
					switch how {
					case "compressed":
						w.compress(t, id, 10)
					case "compressed twice":
						w.compress(t, id, 10)
						w.compress(t, id, 20)
					case "some kept":
						w.compress(t, id, 10, w.lists[id][len(w.lists[id])-1:]...)
					}
				})
				if x.State != c.state || x.WaitingFor != c.asked || x.Title != "do it" {
					t.Errorf("%q is %s %q, want %s", x.Title, x.State, x.WaitingFor, c.state)
				}
				d, err := dialog.Read(t.Context(), pages{s, x.Ref}, dialog.FileLimits())
				if err != nil {
					t.Fatal(err)
				}
				if d.End != c.end || len(d.Turns) != 1 || d.Turns[0].Answer != c.answer || d.Turns[0].Text != "do it" {
					t.Errorf("end %s, want %s: %+v", d.End, c.end, d.Turns)
				}
			})
		}
	}
	t.Run("in the midst of work that goes on", func(t *testing.T) {
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, sec(1), "do it")
			work(w, id)
			w.compress(t, id, 5)
			w.answer(t, id, sec(9), "It is done.")
		})
		d, err := dialog.Read(t.Context(), pages{s, x.Ref}, dialog.FileLimits())
		if err != nil || x.State != recap.StateIdle || !d.Ready || len(d.Turns) != 1 || len(d.Turns[0].Tools) != 1 {
			t.Errorf("%s, %s: %+v %v", x.State, d.NotReady, d.Turns, err)
		}
	})
}
