package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// call writes a call and, where result is not "", its result.
func (m *made) call(id, name string, in obj, result string, failed bool, whole any) {
	call := "toolu_" + m.uuid()
	m.block(m.t, id, "msg_"+m.uuid(), at(m.n), obj{"type": "tool_use", "id": call, "name": name, "input": in}, "tool_use")
	if result != "" {
		m.user(id, fmt.Sprintf(`[{"tool_use_id":%s,"type":"tool_result","content":%s,"is_error":%v}]`, q(call), q(result), failed), `,"toolUseResult":`+q(whole))
	}
}

func TestCommands(t *testing.T) {
	exit := func(n int) *int { return &n }
	for _, c := range []struct {
		name, result string
		in           obj
		failed       bool
		whole        any
		status       recap.ToolStatus
		exit         *int
		background   bool
	}{
		{"success", "ok", obj{"command": "x"}, false, obj{"stdout": "ok", "interrupted": false}, recap.ToolDone, exit(0), false},
		{"exit 1", "Exit code 1\nFAIL", obj{"command": "x"}, true, "Error: Exit code 1\nFAIL", recap.ToolDone, exit(1), false},
		{"exit 127 alone", "Exit code 127", obj{"command": "x"}, true, "Error: Exit code 127", recap.ToolDone, exit(127), false},
		{"with the word of old versions", "Error: Exit code 2\nno", obj{"command": "x"}, true, "", recap.ToolDone, exit(2), false},
		{"failed without a number", "Command timed out after 2m 0.0s", obj{"command": "x"}, true, "Error", recap.ToolFailed, nil, false},
		{"says it and did not fail", "Exit code 3 is what the program printed", obj{"command": "x"}, false, obj{}, recap.ToolDone, exit(0), false},
		{"interpreted", "No matches found", obj{"command": "grep x y"}, false, obj{"returnCodeInterpretation": "No matches found"}, recap.ToolDone, nil, false},
		{"in the background", "Command running in background with ID: b1", obj{"command": "x", "run_in_background": true}, false, obj{"backgroundTaskId": "b1"}, recap.ToolDone, nil, true},
		{"moved to the background", "moved", obj{"command": "x"}, false, obj{"backgroundTaskId": "b1"}, recap.ToolDone, nil, true},
		{"stopped", "partly", obj{"command": "x"}, false, obj{"stdout": "partly", "interrupted": true}, recap.ToolStopped, nil, false},
		{"rejected", "The user doesn't want to proceed with this tool use. The tool use was rejected.", obj{"command": "x"}, true, "User rejected tool use", recap.ToolRejected, nil, false},
		{"forbidden", "Permission to use Bash with command x has been denied.", obj{"command": "x"}, true, "Error: Permission", recap.ToolRejected, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			m.ask(id, "go")
			m.call(id, "Bash", c.in, c.result, c.failed, c.whole)
			m.say(id, "done")
			x := read(t, m.src, id, 1).Turns[0].Tools[0]
			if x.Kind != recap.ToolCommand || x.Command != c.in["command"] || x.Status != c.status || x.Background != c.background || (x.Exit == nil) != (c.exit == nil) {
				t.Fatalf("%+v", x)
			}
			if c.exit != nil && *x.Exit != *c.exit {
				t.Errorf("exit = %d", *x.Exit)
			}
			if x.At.IsZero() || x.Output != c.result {
				t.Errorf("%+v", x)
			}
		})
	}
}

func TestKindsOfTools(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "go")
	long := strings.Repeat("ä line of output\n", 1000)
	m.call(id, "Edit", obj{"file_path": "/x/a.go", "old_string": "a", "new_string": "b"}, "updated", false, obj{})
	m.call(id, "Write", obj{"file_path": "/x/b.go", "content": "x"}, "created", false, obj{})
	m.call(id, "MultiEdit", obj{"file_path": "/x/c.go", "edits": []any{}}, "updated", false, obj{})
	m.call(id, "NotebookEdit", obj{"notebook_path": "/x/n.ipynb"}, "updated", false, obj{})
	m.call(id, "Read", obj{"file_path": "/x/d.go"}, long, false, obj{})
	m.call(id, "TodoWrite", obj{"todos": []any{obj{"content": "one", "status": "completed"}, obj{"content": "two", "status": "in_progress"}, obj{"content": "three", "status": "pending"}}}, "ok", false, obj{})
	m.call(id, "AskUserQuestion", obj{"questions": []any{obj{"question": "Which port?"}, obj{"question": "Which host?"}}}, "answers", false, obj{})
	m.call(id, "ExitPlanMode", obj{"plan": "# Plan"}, "User has approved your plan.", false, obj{})
	m.call(id, "Task", obj{"prompt": "look"}, "found", false, obj{})
	m.call(id, "mcp__x__y", obj{"a": 1}, "failed", true, "Error: failed")
	m.say(id, "done")
	tools := read(t, m.src, id, 1).Turns[0].Tools
	var kinds []recap.ToolKind
	var paths []string
	for _, x := range tools {
		kinds = append(kinds, x.Kind)
		paths = append(paths, x.Paths...)
		if x.Exit != nil || len([]rune(x.Output)) > recap.MaxToolOutput {
			t.Errorf("%+v", x)
		}
	}
	if want := []recap.ToolKind{recap.ToolEdit, recap.ToolEdit, recap.ToolEdit, recap.ToolEdit, recap.ToolRead, recap.ToolTodo, recap.ToolQuestion, recap.ToolPlan, recap.ToolSubagent, recap.ToolOther}; !slices.Equal(kinds, want) {
		t.Errorf("kinds = %v", kinds)
	}
	if want := []string{"/x/a.go", "/x/b.go", "/x/c.go", "/x/n.ipynb"}; !slices.Equal(paths, want) {
		t.Errorf("paths = %q", paths)
	}
	if want := []recap.Todo{{Text: "one", Status: recap.TodoDone}, {Text: "two", Status: recap.TodoActive}, {Text: "three", Status: recap.TodoOpen}}; !slices.Equal(tools[5].Todos, want) {
		t.Errorf("to-dos = %v", tools[5].Todos)
	}
	if want := []string{"Which port?", "Which host?"}; !slices.Equal(tools[6].Questions, want) {
		t.Errorf("questions = %q", tools[6].Questions)
	}
	if last := tools[9]; last.Status != recap.ToolFailed {
		t.Errorf("%+v", last)
	}
}

func TestTaskLists(t *testing.T) {
	create := func(m *made, id, n, subject string, structured bool) {
		var whole any = "ok"
		if structured {
			whole = obj{"task": obj{"id": n, "subject": subject}}
		}
		m.call(id, "TaskCreate", obj{"subject": subject}, "Task #"+n+" created successfully: "+subject, false, whole)
	}
	update := func(m *made, id string, in obj) {
		m.call(id, "TaskUpdate", in, "Updated", false, obj{"success": true})
	}
	last := func(m *made, id string) (out []string, kind recap.ToolKind) {
		tools := read(m.t, m.src, id, 1).Turns[0].Tools
		x := tools[len(tools)-1]
		for _, todo := range x.Todos {
			out = append(out, todo.Text+" "+string(todo.Status))
		}
		return out, x.Kind
	}
	t.Run("created and changed", func(t *testing.T) {
		m := newMade(t)
		id := m.begin()
		m.ask(id, "go")
		create(m, id, "1", "one", true)
		create(m, id, "2", "two", false)
		create(m, id, "3", "three", true)
		create(m, id, "4", "four", true)
		update(m, id, obj{"taskId": "1", "status": "completed"})
		update(m, id, obj{"taskId": 2, "status": "in_progress", "subject": "two, renamed"})
		m.call(id, "TaskUpdate", obj{"taskId": "3", "status": "completed"}, "blocked", false, obj{"success": false})
		update(m, id, obj{"taskId": "4", "status": "deleted"})
		got, kind := last(m, id)
		if want := []string{"one done", "two, renamed active", "three open"}; kind != recap.ToolTodo || !slices.Equal(got, want) {
			t.Errorf("%s %q", kind, got)
		}
	})
	t.Run("begun before what was read", func(t *testing.T) {
		m := newMade(t)
		id := m.begin()
		m.ask(id, "go")
		create(m, id, "7", "seven", true)
		update(m, id, obj{"taskId": "7", "status": "completed"})
		if got, kind := last(m, id); kind != recap.ToolOther || got != nil {
			t.Errorf("half a list: %s %q", kind, got)
		}
		m.call(id, "TaskList", obj{}, "list", false, obj{"tasks": []any{obj{"id": "6", "subject": "six", "status": "pending"}, obj{"id": "7", "subject": "seven", "status": "completed"}}})
		if got, kind := last(m, id); kind != recap.ToolTodo || !slices.Equal(got, []string{"six open", "seven done"}) {
			t.Errorf("%s %q", kind, got)
		}
		update(m, id, obj{"taskId": "99", "status": "completed"})
		if got, kind := last(m, id); kind != recap.ToolOther || got != nil {
			t.Errorf("an unknown task: %s %q", kind, got)
		}
	})
}

func TestAgentsInTheBackground(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "go")
	m.block(t, id, "m1", at(m.n), obj{"type": "text", "text": "They work."}, "end_turn")
	m.chain(t, id, at(m.n), `"type":"system","subtype":"turn_duration","durationMs":5,"pendingBackgroundAgentCount":2`, "")
	if s := m.listed()[id]; s.State != recap.StateUnknown {
		t.Errorf("nothing known of the process: %q", s.State)
	}
	m.process(4711, id, "idle", true)
	if s := m.listed()[id]; s.State != recap.StateBusy {
		t.Errorf("the process lives: %q", s.State)
	}
	m.process(4711, id, "idle", false)
	if s := m.listed()[id]; s.State != recap.StateIdle {
		t.Errorf("the process died: %q", s.State)
	}
	m.process(4711, id, "idle", true)
	m.user(id, q("<task-notification>done</task-notification>"), `,"origin":{"kind":"task-notification"},"promptSource":"system"`)
	m.say(id, "All done.")
	if s := m.listed()[id]; s.State != recap.StateIdle {
		t.Errorf("after the notice: %q", s.State)
	}
}

func TestSubagentsBesideTheirSessions(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "go")
	m.say(id, "done")
	rows := fmt.Sprintf(`{"parentUuid":null,"isSidechain":true,"userType":"external","cwd":"/x","sessionId":%q,"agentId":"a1","type":"user","message":{"role":"user","content":"look"},"uuid":"u1","timestamp":"2026-03-01T10:00:00.000Z"}`+"\n", id)
	if err := os.WriteFile(filepath.Join(filepath.Dir(m.path(id)), "agent-a1.jsonl"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	if list := m.listed(); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	for _, s := range sessions(t, m.src, agent.Query{Subagents: true}) {
		if s.Ref.ID == "agent-a1" && s.ParentID != id {
			t.Errorf("%+v", s)
		}
	}
	m.want("agent-a1", "look → ")
}
