package dialog_test

import (
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

// A compaction changes nothing of what was asked and answered: the session
// stands as it did, and only a model is not asked (E33).
func TestE33_CompactionIsLookedPast(t *testing.T) {
	t.Parallel()
	mark := recap.Part{Kind: recap.PartMarker}
	sum := func(m *recap.Message) { m.Summary = true }
	// As OpenCode keeps it: a request of the person's, and an answer to that.
	asked := with(user("c", mark), sum)
	summary := with(answer("s", "c", text("SUMMARY")), sum)
	// As Claude Code keeps it: a user row that nobody typed.
	inserted := with(user("s", synthetic("SUMMARY")), sum)
	failed := with(summary, func(m *recap.Message) {
		m.Failure, m.Finish = &recap.Failure{Code: "529"}, ""
	})
	aborted := with(summary, func(m *recap.Message) { m.Interrupted = true })
	open := with(summary, func(m *recap.Message) { m.Completed, m.Finish = time.Time{}, "" })

	done := []recap.Message{user("u1", text("one")), step("a0", "u1", tool("t", recap.ToolDone)), answer("a1", "u1", text("done"))}
	working := done[:2]
	for _, tt := range []struct {
		name     string
		before   []recap.Message
		then     []recap.Message
		end      dialog.End
		notReady string
		complete bool
	}{
		{"an answer directly", done, []recap.Message{with(answer("s", "u1", text("SUMMARY")), sum)}, dialog.EndComplete, "summary", true},
		{"asked for and done", done, []recap.Message{asked, summary}, dialog.EndComplete, "summary", true},
		{"asked for, not done yet", done, []recap.Message{asked}, dialog.EndComplete, "summary", true},
		{"asked for, being written", done, []recap.Message{asked, open}, dialog.EndComplete, "summary", true},
		{"asked for, failed", done, []recap.Message{asked, failed}, dialog.EndComplete, "summary", true},
		{"asked for, stopped", done, []recap.Message{asked, aborted}, dialog.EndComplete, "summary", true},
		{"inserted", done, []recap.Message{inserted}, dialog.EndComplete, "summary", true},
		{"inserted, a notice after it", done, []recap.Message{inserted, service("x")}, dialog.EndComplete, "summary", true},
		{"twice", done, []recap.Message{asked, summary, with(user("c2", mark), sum), with(answer("s2", "c2", text("SUMMARY")), sum)}, dialog.EndComplete, "summary", true},
		{"of a failure", []recap.Message{user("u1", text("one")), with(answer("a1", "u1"), func(m *recap.Message) {
			m.Failure = &recap.Failure{Code: "529"}
		})}, []recap.Message{asked, summary}, dialog.EndFailed, "summary", false},
		{"of work that was stopped", []recap.Message{user("u1", text("one")), with(answer("a1", "u1", text("half")), func(m *recap.Message) {
			m.Interrupted = true
		})}, []recap.Message{inserted}, dialog.EndInterrupted, "summary", false},
		{"of a request without an answer", []recap.Message{user("u1", text("one"))}, []recap.Message{inserted}, dialog.EndUnanswered, "summary", false},
		{"in the midst of work", working, []recap.Message{inserted}, dialog.EndWorking, "summary", false},
		{"by the agent itself, which will go on", done, []recap.Message{user("c", mark), summary}, dialog.EndWorking, "summary", true},
		{"by the agent itself, which goes on", working, []recap.Message{user("c", mark), summary, user("c2", synthetic("Continue"))}, dialog.EndWorking, "working", false},
		{"by the agent itself, failed", working, []recap.Message{user("c", mark), failed}, dialog.EndFailed, "summary", false},
		{"by the agent itself, stopped", working, []recap.Message{user("c", mark), aborted}, dialog.EndInterrupted, "summary", false},
		{"and then a new request", done, []recap.Message{asked, summary, user("u2", text("two"))}, dialog.EndUnanswered, "unanswered", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			records := append(append([]recap.Message{}, tt.before...), tt.then...)
			newest := ""
			for _, m := range records {
				if m.Role != recap.RoleService {
					newest = m.ID
				}
			}
			d := read(t, records...)
			if d.End != tt.end || d.Last != newest || d.Ready || d.NotReady != tt.notReady {
				t.Errorf("end %s, last %s, ready %v (%s)", d.End, d.Last, d.Ready, d.NotReady)
			}
			if (d.Failure != nil) != (tt.end == dialog.EndFailed) {
				t.Errorf("failure %v", d.Failure)
			}
			if turn := d.Turns[len(d.Turns)-1]; turn.Complete != tt.complete {
				t.Errorf("turn %+v", turn)
			}
			for _, x := range d.Messages {
				if x.Text == "SUMMARY" {
					t.Errorf("the summary is shown: %+v", d.Messages)
				}
			}
			l := dialog.FileLimits()
			l.StopUnready = true
			stopped, err := dialog.Read(t.Context(), &session{records: records}, l)
			if err != nil || stopped.NotReady == "" || stopped.Last != d.Last ||
				stopped.End != d.End && stopped.End != dialog.EndSummary {
				t.Errorf("stopping where no model may be called: %+v %v", stopped, err)
			}
		})
	}

	plain, after := read(t, done...), read(t, append(append([]recap.Message{}, done...), asked, summary)...)
	if plain.Fingerprint() != after.Fingerprint() {
		t.Error("what was recapped before the compaction is stale after it")
	}
	if after.Turns[0].Answer != "done" {
		t.Errorf("answer %q", after.Turns[0].Answer)
	}
	if d := read(t, inserted); d.End != dialog.EndSummary || d.Last != "s" || d.Ready {
		t.Errorf("a summary alone: %+v", d)
	}
	again := read(t, append(append([]recap.Message{}, done...), asked, summary, user("u2", text("two")), answer("a2", "u2", text("more")))...)
	if !again.Ready {
		t.Errorf("the session went on: %s", again.NotReady)
	}
}
