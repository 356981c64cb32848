package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/dialog"
)

// process writes the file of a process that has the session open.
func (m *made) process(pid int, id, status string, alive bool) {
	m.t.Helper()
	dir := filepath.Join(m.root, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		m.t.Fatal(err)
	}
	row := obj{"pid": pid, "sessionId": id, "procStart": "88957", "kind": "interactive"}
	if status != "" {
		row["status"] = status
	}
	if status == "waiting" {
		row["waitingFor"] = "permission prompt"
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(pid, ".json")), []byte(q(row)), 0o600); err != nil {
		m.t.Fatal(err)
	}
	m.src.cfg.Alive = func(p int, start, _ string) (bool, bool) { return alive && p == pid && start == "88957", true }
}

func TestStates(t *testing.T) {
	type tail func(m *made, id string)
	prompt := func(m *made, id string) { m.ask(id, "do it") }
	done := func(m *made, id string) { m.ask(id, "do it"); m.say(id, "done") }
	tool := func(m *made, id string) {
		m.ask(id, "do it")
		m.block(m.t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": "Bash", "input": obj{"command": "go test ./..."}}, "tool_use")
	}
	question := func(m *made, id string) {
		m.ask(id, "do it")
		m.block(m.t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": "AskUserQuestion", "input": obj{"questions": []any{obj{"question": "Which port?"}}}}, "tool_use")
	}
	work := func(m *made, id string) {
		m.ask(id, "do it")
		m.Add(m.t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "ls"})
	}
	none := "none" // no sessions folder at all
	for _, c := range []struct {
		name   string
		tail   tail
		status string // none, dead, or what a living process says
		state  recap.State
		asked  string
		tool   recap.ToolStatus
	}{
		{"done, nothing known", done, none, recap.StateIdle, "", ""},
		{"done, dead", done, "dead", recap.StateIdle, "", ""},
		{"done, idle", done, "idle", recap.StateIdle, "", ""},
		{"done, busy", done, "busy", recap.StateBusy, "", ""},
		{"prompt, nothing known", prompt, none, recap.StateUnknown, "", ""},
		{"prompt, killed", prompt, "dead", recap.StateInterrupted, "", ""},
		{"prompt, busy", prompt, "busy", recap.StateBusy, "", ""},
		{"prompt, no status", prompt, "", recap.StateBusy, "", ""},
		{"results, busy", work, "busy", recap.StateBusy, "", recap.ToolDone},
		{"results, killed", work, "dead", recap.StateInterrupted, "", recap.ToolDone},
		{"tool, nothing known", tool, none, recap.StateUnknown, "", recap.ToolPending},
		{"tool, killed", tool, "dead", recap.StateInterrupted, "", recap.ToolStopped},
		{"tool, runs", tool, "busy", recap.StateBusy, "", recap.ToolPending},
		{"tool, waits", tool, "waiting", recap.StateWaiting, "approval: Bash go test ./...", recap.ToolWaiting},
		{"tool, no status", tool, "", recap.StateWaiting, "approval: Bash go test ./...", recap.ToolWaiting},
		{"question, waits", question, "waiting", recap.StateWaiting, "question: Which port?", recap.ToolWaiting},
		{"question, busy", question, "busy", recap.StateWaiting, "question: Which port?", recap.ToolWaiting},
		{"results, at rest", work, "idle", recap.StateInterrupted, "", recap.ToolDone},
		{"tool, at rest", tool, "idle", recap.StateInterrupted, "", recap.ToolStopped},
		{"done, waits for something else", done, "waiting", recap.StateWaiting, "approval: permission prompt", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			c.tail(m, id)
			switch c.status {
			case none:
			case "dead":
				m.process(4711, id, "busy", false)
			default:
				m.process(4711, id, c.status, true)
			}
			s := m.listed()[id]
			if s.State != c.state || s.WaitingFor != c.asked {
				t.Errorf("state = %q %q, want %q %q", s.State, s.WaitingFor, c.state, c.asked)
			}
			d := read(t, m.src, id, 1)
			if says := d.End == dialog.EndWorking || d.End == dialog.EndWaiting; says && s.State == recap.StateInterrupted {
				t.Errorf("the newest record is %s of a session that is %s", d.End, s.State)
			}
			if c.tool != "" && (len(d.Turns[0].Tools) != 1 || d.Turns[0].Tools[0].Status != c.tool) {
				t.Errorf("tools = %+v", d.Turns[0].Tools)
			}
			// The state of a process is never kept.
			if c.status != none {
				if err := os.RemoveAll(filepath.Join(m.root, "sessions")); err != nil {
					t.Fatal(err)
				}
				want := recap.StateUnknown
				if strings.HasPrefix(c.name, "done") {
					want = recap.StateIdle
				}
				if got := m.listed()[id].State; got != want {
					t.Errorf("without the process: %q", got)
				}
			}
		})
	}
}

func TestKilledWhileItWaited(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "do it")
	m.block(t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": "Edit", "input": obj{"file_path": "/x/y.go"}}, "tool_use")
	m.process(4711, id, "waiting", false)
	if s := m.listed()[id]; s.State != recap.StateInterrupted || s.WaitingFor != "approval: Edit /x/y.go" {
		t.Errorf("%+v", s)
	}
	turn := read(t, m.src, id, 1).Turns[0]
	if turn.Tools[0].Status != recap.ToolWaiting || !turn.Interrupted {
		t.Errorf("%+v", turn)
	}
	// Of a machine that can't be seen, its word is taken.
	m.src.cfg.Alive = func(int, string, string) (bool, bool) { return false, false }
	if s := m.listed()[id]; s.State != recap.StateWaiting || s.WaitingFor != "approval: Edit /x/y.go" {
		t.Errorf("%+v", s)
	}
}

func TestOnlyTerminalsAreNoted(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.write(t, id, strings.Replace(m.row(id, "u1", "", at(1), `"type":"user","message":{"role":"user","content":"do it"}`, `,"promptSource":"sdk"`), `"entrypoint":"cli"`, `"entrypoint":"claude-vscode"`, 1))
	m.process(4711, "another", "busy", true)
	if s := m.listed()[id]; s.State != recap.StateUnknown {
		t.Errorf("state = %q: no note means nothing here", s.State)
	}
}

func TestProcessFilesThatAreNone(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "do it")
	m.process(4711, "another", "busy", true)
	dir := filepath.Join(m.root, "sessions")
	for name, text := range map[string]string{
		"12.key":   q(obj{"pid": 12, "sessionId": id, "status": "busy"}), // never read: a token
		"x.json":   q(obj{"pid": 12, "sessionId": id, "status": "busy"}),
		"-5.json":  q(obj{"pid": -5, "sessionId": id, "status": "busy"}),
		"13.json":  "{",
		"14.json":  q(obj{"pid": "14", "sessionId": 7, "status": []int{}}),
		"15.json":  strings.Repeat(" ", 1<<20) + q(obj{"sessionId": id, "status": "busy"}),
		"16.json~": q(obj{"pid": 16, "sessionId": id, "status": "busy"}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.src.cfg.Alive = func(int, string, string) (bool, bool) { return true, true }
	if s := m.listed()[id]; s.State != recap.StateUnknown {
		t.Errorf("state = %q: a note that is being written may be this session's", s.State)
	}
	m.src.cfg.Alive = func(pid int, _, _ string) (bool, bool) { return pid != 13, true }
	if s := m.listed()[id]; s.State != recap.StateInterrupted {
		t.Errorf("state = %q", s.State)
	}
}

// TestWordsThatAreOld: a process says that it is idle, or waits, until it says
// something else; rows that are newer than its word tell more.
func TestWordsThatAreOld(t *testing.T) {
	call := func(m *made, id string) {
		m.block(m.t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": "Bash", "input": obj{"command": "ls"}}, "tool_use")
	}
	for _, c := range []struct {
		name, status string
		since        int // minutes
		begun        int
		rows         func(m *made, id string)
		state        recap.State
	}{
		{"idle, then a prompt", "idle", 1, 0, func(m *made, id string) { m.ask(id, "go") }, recap.StateBusy},
		{"a prompt, then idle", "idle", 900, 0, func(m *made, id string) { m.ask(id, "go") }, recap.StateInterrupted},
		{"idle, then an answer", "idle", 1, 0, func(m *made, id string) { m.ask(id, "go"); m.say(id, "done") }, recap.StateIdle},
		{"idle, then a call", "idle", 1, 0, func(m *made, id string) { m.ask(id, "go"); call(m, id) }, recap.StateWaiting},
		{"waiting, then an answer", "waiting", 1, 0, func(m *made, id string) { m.ask(id, "go"); m.say(id, "done") }, recap.StateIdle},
		{"a call, then waiting", "waiting", 900, 0, func(m *made, id string) { m.ask(id, "go"); call(m, id) }, recap.StateWaiting},
		{"a prompt, then another process", "", 0, 900, func(m *made, id string) { m.ask(id, "go") }, recap.StateInterrupted},
		{"a call, then another process", "", 0, 900, func(m *made, id string) { m.ask(id, "go"); call(m, id) }, recap.StateInterrupted},
		{"another process that works", "busy", 900, 900, func(m *made, id string) { m.ask(id, "go") }, recap.StateBusy},
		{"agents, then another process", "idle", 900, 900, func(m *made, id string) {
			m.ask(id, "go")
			m.say(id, "They work.")
			m.chain(m.t, id, at(m.n), `"type":"system","subtype":"turn_duration","durationMs":5,"pendingBackgroundAgentCount":2`, "")
		}, recap.StateIdle},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			c.rows(m, id)
			m.process(4711, id, c.status, true)
			p := filepath.Join(m.root, "sessions", "4711.json")
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			b = []byte(strings.Replace(string(b), "{", fmt.Sprintf(`{"statusUpdatedAt":%d,"startedAt":%d,`, at(c.since).UnixMilli(), at(c.begun).UnixMilli()), 1))
			if err := os.WriteFile(p, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if s := m.listed()[id]; s.State != c.state {
				t.Errorf("state = %q, want %q", s.State, c.state)
			}
		})
	}
}

func TestRunningAsksTheSystem(t *testing.T) {
	pid := os.Getpid()
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/stat", pid)); err != nil {
		t.Skip("no /proc here")
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	begun := strings.Fields(rest)[19]
	for _, c := range []struct {
		name          string
		pid           int
		start, domain string
		alive, known  bool
	}{
		{"this one", pid, begun, "", true, true},
		{"this one, start not noted", pid, "", "", true, true},
		{"another of the same number", pid, begun + "1", "", false, true},
		{"none", 1 << 22, "", "", false, true},
		{"none, of another machine", 1 << 22, "", "linux:0000:pid:[1]", false, false},
		{"this one, whatever the machine is called", pid, begun, "linux:0000:pid:[1]", true, true},
	} {
		if alive, known := running(c.pid, c.start, c.domain); alive != c.alive || known != c.known {
			t.Errorf("%s: %v %v", c.name, alive, known)
		}
	}
}

// TestQueue: a prompt in the queue is work that is left, until it is delivered
// or taken out.
func TestQueue(t *testing.T) {
	for _, c := range []struct {
		name, ops string
		state     recap.State // where nothing is known of the process
	}{
		{"one waits", "enqueue", recap.StateUnknown},
		{"it was taken out", "enqueue remove", recap.StateIdle},
		{"one of two was taken out", "enqueue enqueue remove", recap.StateUnknown},
		{"it is about to be delivered", "enqueue dequeue", recap.StateUnknown},
		{"it was delivered", "enqueue dequeue prompt answer", recap.StateIdle},
		{"it was absorbed by the turn before", "enqueue queued answer remove", recap.StateIdle},
		{"it was a command of the agent's own", "enqueue dequeue local", recap.StateIdle},
		{"and another waits", "enqueue dequeue local enqueue", recap.StateUnknown},
		{"all were taken back", "enqueue enqueue popAll", recap.StateIdle},
		{"taken out before what was read", "remove", recap.StateIdle},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			m.ask(id, "go")
			m.say(id, "done")
			for op := range strings.FieldsSeq(c.ops) {
				switch op {
				case "prompt":
					m.ask(id, "more")
				case "answer":
					m.say(id, "done")
				case "queued":
					m.chain(t, id, at(m.n), `"attachment":{"type":"queued_command","prompt":"more","commandMode":"prompt","origin":{"kind":"human"}},"type":"attachment"`, "")
				case "local":
					m.chain(t, id, at(m.n), `"type":"system","subtype":"local_command","content":"<command-name>/cost</command-name>"`, "")
				default:
					m.write(t, id, fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":%q,"sessionId":%q,"content":"more"}`, op, at(m.n).Format("2006-01-02T15:04:05.000Z"), id))
				}
			}
			if s := m.listed()[id]; s.State != c.state {
				t.Errorf("state = %q, want %q", s.State, c.state)
			}
			m.process(4711, id, "", true)
			want := recap.StateIdle
			if c.state == recap.StateUnknown {
				want = recap.StateBusy
			}
			if s := m.listed()[id]; s.State != want {
				t.Errorf("while the process lives: %q, want %q", s.State, want)
			}
			m.process(4711, id, "idle", true)
			if s := m.listed()[id]; s.State != want {
				t.Errorf("while the process says that it is idle: %q, want %q", s.State, want)
			}
			m.process(4711, id, "", false)
			if s := m.listed()[id]; s.State != recap.StateIdle {
				t.Errorf("after the process died: %q", s.State)
			}
		})
	}
}

// TestAnswersThatDoNotSayHowTheyEnded: old versions note a reason on the last
// block of an answer, or never.
func TestAnswersThatDoNotSayHowTheyEnded(t *testing.T) {
	text := obj{"type": "text", "text": "I look."}
	for _, c := range []struct {
		name string
		rows func(m *made, id string)
		want recap.State
	}{
		{"none ever said it", func(m *made, id string) {
			m.ask(id, "go")
			m.block(m.t, id, "m1", at(m.n), text, "")
			m.ask(id, "on")
			m.block(m.t, id, "m2", at(m.n), text, "")
		}, recap.StateIdle},
		{"others said it", func(m *made, id string) {
			m.ask(id, "go")
			m.block(m.t, id, "m1", at(m.n), text, "end_turn")
			m.ask(id, "on")
			m.block(m.t, id, "m2", at(m.n), text, "")
		}, recap.StateUnknown},
		{"one of this turn said it", func(m *made, id string) {
			m.ask(id, "go")
			m.command(m.t, id, agenttest.Event{At: at(m.n), Text: "ls"})
			m.block(m.t, id, "m2", at(m.n), text, "")
		}, recap.StateUnknown},
		{"only thought so far", func(m *made, id string) {
			m.ask(id, "go")
			m.block(m.t, id, "m1", at(m.n), obj{"type": "thinking", "thinking": "hm"}, "end_turn")
		}, recap.StateUnknown},
		{"thought, and that was all", func(m *made, id string) {
			m.ask(id, "go")
			m.block(m.t, id, "m1", at(m.n), obj{"type": "thinking", "thinking": "hm"}, "end_turn")
			m.chain(m.t, id, at(m.n), `"type":"system","subtype":"turn_duration","durationMs":5`, "")
		}, recap.StateIdle},
		{"calls are still to come", func(m *made, id string) {
			m.ask(id, "go")
			m.block(m.t, id, "m1", at(m.n), text, "tool_use")
		}, recap.StateUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			c.rows(m, id)
			if s := m.listed()[id]; s.State != c.want {
				t.Errorf("state = %q, want %q", s.State, c.want)
			}
		})
	}
}
