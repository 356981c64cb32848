package claudecode

import (
	"fmt"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/dialog"
)

// compact writes what a compaction leaves: its boundary, the summary and, where
// the person asked for it, the rows of the command.
func (m *made) compact(id, trigger string) {
	m.t.Helper()
	m.n++
	m.leaf[id] = ""
	m.chain(m.t, id, at(m.n), `"type":"system","subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":`+q(trigger)+`,"preTokens":1408}`, "")
	m.chain(m.t, id, at(m.n), `"promptId":"p","type":"user","message":{"role":"user","content":"This session is being continued from a previous conversation that ran out of context. SUMMARY"},"isVisibleInTranscriptOnly":true,"isCompactSummary":true`, "")
	if trigger != "manual" {
		return
	}
	for _, x := range []string{
		`"<local-command-caveat>The command below was run directly.</local-command-caveat>"},"isMeta":true`,
		`"<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args></command-args>"}`,
		`"<local-command-stdout>Compacted</local-command-stdout>"}`,
	} {
		m.chain(m.t, id, at(m.n), `"promptId":"p","type":"user","message":{"role":"user","content":`+x, "")
	}
}

// A session stands after a compaction as it stood before it, and the recap
// still has its last answer; a compaction in the midst of work stays there.
func TestCompactionLeavesTheSessionAsItStood(t *testing.T) {
	use := func(m *made, id, name string, in obj) {
		m.n++
		m.block(m.t, id, fmt.Sprint("m", m.n), at(m.n), obj{"type": "tool_use", "id": "c1", "name": name, "input": in}, "tool_use")
	}
	tails := []struct {
		name   string
		tail   func(m *made, id string)
		state  recap.State
		end    dialog.End
		answer string
	}{
		{"complete", func(m *made, id string) { m.say(id, "It is done.") }, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"complete after tools", func(m *made, id string) {
			m.Add(m.t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "ls"})
			m.say(id, "It is done.")
		}, recap.StateIdle, dialog.EndComplete, "It is done."},
		{"failed", func(m *made, id string) {
			m.n++
			m.chain(m.t, id, at(m.n), `"type":"assistant","message":{"id":"e","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]},"isApiErrorMessage":true,"error":"overloaded","apiErrorStatus":529`, "")
		}, recap.StateFailed, dialog.EndFailed, ""},
		{"stopped", func(m *made, id string) {
			use(m, id, "Bash", obj{"command": "ls"})
			m.Add(m.t, id, agenttest.Event{Kind: agenttest.Interrupt, At: at(m.n)})
		}, recap.StateInterrupted, dialog.EndInterrupted, ""},
		{"not answered", func(*made, string) {}, recap.StateInterrupted, dialog.EndUnanswered, ""},
		{"in the midst of work", func(m *made, id string) {
			m.Add(m.t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "ls"})
		}, recap.StateInterrupted, dialog.EndInterrupted, ""},
	}
	for _, c := range tails {
		for _, trigger := range []string{"none", "manual", "auto", "twice"} {
			t.Run(c.name+", "+trigger, func(t *testing.T) {
				m := newMade(t)
				id := m.begin()
				m.ask(id, "do it")
				c.tail(m, id)
				switch trigger {
				case "none":
				case "twice":
					m.compact(id, "manual")
					m.compact(id, "manual")
				default:
					m.compact(id, trigger)
				}
				m.process(4711, id, "busy", false)
				if s := m.listed()[id]; s.State != c.state || s.WaitingFor != "" {
					t.Errorf("state %q %q, want %q", s.State, s.WaitingFor, c.state)
				}
				d := read(t, m.src, id, 3)
				if d.End != c.end || d.Ready != (c.end == dialog.EndComplete && trigger == "none") {
					t.Errorf("end %q, ready %v (%s), want %q", d.End, d.Ready, d.NotReady, c.end)
				}
				if len(d.Turns) != 1 || d.Turns[0].Answer != c.answer || d.Turns[0].Complete != (c.end == dialog.EndComplete) {
					t.Errorf("turns %+v", d.Turns)
				}
			})
		}
	}
	t.Run("in the midst of work that goes on", func(t *testing.T) {
		m := newMade(t)
		id := m.begin()
		m.ask(id, "do it")
		m.Add(m.t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "ls"})
		m.compact(id, "auto")
		m.process(4711, id, "busy", true)
		if s := m.listed()[id]; s.State != recap.StateBusy {
			t.Errorf("state %q", s.State)
		}
		m.Add(m.t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "make"})
		m.say(id, "It is done.")
		d := read(t, m.src, id, 3)
		if !d.Ready || len(d.Turns) != 1 || d.Turns[0].Text != "do it" || d.Turns[0].Answer != "It is done." || len(d.Turns[0].Tools) != 2 {
			t.Errorf("%s %+v", d.NotReady, d.Turns)
		}
	})
}

// What asks the person waits for them, whatever else the process says, and is
// still known when the process is gone.
func TestCallsThatAskThePerson(t *testing.T) {
	plan := func(name string) (string, obj, string) { return name, obj{"plan": "1. look"}, "approval: " + name }
	question := func() (string, obj, string) {
		return "AskUserQuestion", obj{"questions": []any{obj{"question": "Which port?"}}}, "question: Which port?"
	}
	for _, call := range []struct {
		name string
		of   func() (string, obj, string)
	}{
		{"plan", func() (string, obj, string) { return plan("ExitPlanMode") }},
		{"plan of older versions", func() (string, obj, string) { return plan("exit_plan_mode") }},
		{"question", question},
		{"beside a command", question},
	} {
		for _, c := range []struct {
			status string
			state  recap.State
			end    dialog.End
		}{
			{"busy", recap.StateWaiting, dialog.EndWaiting},
			{"idle", recap.StateWaiting, dialog.EndWaiting},
			{"waiting", recap.StateWaiting, dialog.EndWaiting},
			{"", recap.StateWaiting, dialog.EndWaiting},
			{"dead", recap.StateInterrupted, dialog.EndInterrupted},
			{"left", recap.StateInterrupted, dialog.EndInterrupted},
		} {
			t.Run(call.name+", "+c.status, func(t *testing.T) {
				name, in, want := call.of()
				m := newMade(t)
				id := m.begin()
				m.ask(id, "do it")
				m.n++
				if call.name == "beside a command" {
					m.block(t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c0", "name": "Bash", "input": obj{"command": "ls"}}, "tool_use")
				}
				m.block(t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": name, "input": in}, "tool_use")
				switch c.status {
				case "dead": // the note of the process is gone with it
					m.process(4711, "another", "busy", true)
				case "left":
					m.process(4711, id, "busy", false)
				default:
					m.process(4711, id, c.status, true)
				}
				if s := m.listed()[id]; s.State != c.state || s.WaitingFor != want {
					t.Errorf("state %q %q, want %q %q", s.State, s.WaitingFor, c.state, want)
				}
				d := read(t, m.src, id, 1)
				if d.End != c.end || len(d.Turns) != 1 || len(d.Turns[0].Tools) == 0 || d.Turns[0].Tools[len(d.Turns[0].Tools)-1].Status != recap.ToolWaiting {
					t.Errorf("end %q, turns %+v", d.End, d.Turns)
				}
			})
		}
	}
}
