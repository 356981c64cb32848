package codex

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
)

func parse(t testing.TB, line string) row {
	t.Helper()
	var p fastjson.Parser
	r, err := parseRow(&p, []byte(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return r
}

// event and item make lines as Codex writes them.
func event(payload string) string {
	return `{"timestamp":"2026-11-30T00:05:03.000Z","type":"event_msg","payload":` + payload + `}`
}

func item(payload string) string {
	return `{"timestamp":"2026-11-30T00:05:03.000Z","type":"response_item","payload":` + payload + `}`
}

func user(texts ...string) string {
	var c []string
	for _, t := range texts {
		b, err := json.Marshal(t)
		if err != nil {
			panic(err)
		}
		c = append(c, `{"type":"input_text","text":`+string(b)+`}`)
	}
	return item(`{"type":"message","role":"user","content":[` + strings.Join(c, ",") + `]}`)
}

const agentsMD = "# AGENTS.md instructions for /home/dev/x\n\n<INSTRUCTIONS>\nbe nice\n</INSTRUCTIONS>"

func TestF13_OnlyThePromptIsThePersons(t *testing.T) {
	env := "<environment_context>\n<cwd>/home/dev/x</cwd>\n</environment_context>"
	for _, c := range []struct {
		name string
		line string
		want string
	}{
		{"plain", user("Fix it"), "Fix it"},
		{"environment before the prompt in one text", user(env + "\n\nFix it"), "Fix it"},
		{"AGENTS.md, environment and prompt in one text", user(agentsMD + "\n\n" + env + "\nFix it"), "Fix it"},
		{"AGENTS.md, environment and prompt as items", user(agentsMD, env, "Fix it"), "Fix it"},
		{"stacked wrappers hide no other", user("<recommended_plugins>\na\n</recommended_plugins>\n" + env + "\nFix it"), "Fix it"},
		{"AGENTS.md alone", user(agentsMD), ""},
		{"environment alone", user(env), ""},
		{"old instructions", user("<user_instructions>\nbe nice\n</user_instructions>"), ""},
		{"abort", user("<turn_aborted>\nThe user interrupted\n</turn_aborted>"), ""},
		{"shell line", user("<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>"), ""},
		{"subagent", user("<subagent_notification>\n{}\n</subagent_notification>"), ""},
		{"skill", user("<skill>\n<name>x</name>\n</skill>"), ""},
		{"goal", user(`<codex_internal_context source="goal">go on</codex_internal_context>`), ""},
		{"goal without its end", user(`<codex_internal_context source="goal">go on`), ""},
		{"hook", user(`<hook_prompt hook_run_id="1">go on</hook_prompt>`), ""},
		{"summary of a compaction", user("Another language model started to solve this problem and produced a summary of its thinking process. x"), ""},
		{"IDE", user("# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nFix it\nnow"), "Fix it\nnow"},
		{"IDE with nothing asked", user("# Context from my IDE setup:\n\n## My request for Codex:\n"), ""},
		{"the same words in a sentence", user("What does ## My request for Codex: mean?"), "What does ## My request for Codex: mean?"},
		{"a tag of the person's own", user("<skills> are what?"), "<skills> are what?"},
		{"a tag in the middle", user("Why <environment_context>?"), "Why <environment_context>?"},
		{"marked as the person's", item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"rules"},{"type":"input_text","text":"Fix it"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["agents_md.instructions","user.text"]}}`), "Fix it"},
		{"a wrapper that the person pasted", item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<skill> what is this tag?"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}}`), "<skill> what is this tag?"},
		{"marked by provenance", item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"rules"},{"type":"input_text","text":"Fix it"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["unknown","unknown"],"content_item_metadata":[{"provenance":{"type":"harness"}},{"provenance":{"type":"user"}}]}}`), "Fix it"},
		{"marked as unknown", item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix it"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["unknown"]}}`), "Fix it"},
		{"developer", item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"Fix it"}]}`), ""},
		{"bare row of 2025", `{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix it"}]}`, "Fix it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.line)
			if r.text != c.want || (r.kind == rowHuman) != (c.want != "") {
				t.Errorf("kind %d, text %q, want %q", r.kind, r.text, c.want)
			}
		})
	}
}

func TestE28_ImageOnly(t *testing.T) {
	r := parse(t, item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"</image>"}]}`))
	if r.kind != rowHuman || r.text != "" || len(r.files) != 1 || r.files[0].MIME != "image/png" {
		t.Errorf("row = %+v", r)
	}
}

// tools builds the calls of rows in one open turn.
func toolsOf(t *testing.T, lines ...string) []recap.Tool {
	t.Helper()
	rows := []row{parse(t, event(`{"type":"task_started","turn_id":"t1"}`)), parse(t, user("Do it"))}
	for _, l := range lines {
		rows = append(rows, parse(t, l))
	}
	var out []recap.Tool
	for _, m := range newBuilder("p", "m", true).build(rows, afterNothing).records {
		for _, p := range m.Parts {
			if p.Tool != nil {
				out = append(out, *p.Tool)
			}
		}
	}
	return out
}

func show(x recap.Tool) string {
	exit := "-"
	if x.Exit != nil {
		exit = strconv.Itoa(*x.Exit)
	}
	return fmt.Sprintf("%s %s %s cmd=%q exit=%s bg=%v paths=%q out=%q", x.Name, x.Kind, x.Status, x.Command, exit, x.Background, x.Paths, x.Output)
}

func call(name, args string) string {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return item(`{"type":"function_call","name":"` + name + `","arguments":` + string(b) + `,"call_id":"c1"}`)
}

func output(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return item(`{"type":"function_call_output","call_id":"c1","output":` + string(b) + `}`)
}

func TestTools(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** Add File: b/c.go\n+z\n*** Update File: d.go\n*** Move to: e.go\n*** End Patch"
	jpatch, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	heredoc, err := json.Marshal(map[string]any{"command": []string{"bash", "-lc", "cd /x && apply_patch <<'EOF'\n" + patch + "\nEOF"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{
			"shell, exit in metadata",
			[]string{call("shell", `{"command":["bash","-lc","go test ./..."]}`), output(`{"output":"FAIL\n","metadata":{"exit_code":1,"duration_seconds":0.1}}`)},
			`shell command done cmd="go test ./..." exit=1 bg=false paths=[] out="FAIL\n"`,
		},
		{
			"shell without a shell",
			[]string{call("container.exec", `{"command":["git","commit","-m","two words"]}`), output("Exit code: 0\nWall time: 0 seconds\nOutput:\nok\n")},
			`container.exec command done cmd="git commit -m 'two words'" exit=0 bg=false paths=[] out="ok\n"`,
		},
		{
			"exec_command",
			[]string{call("exec_command", `{"cmd":"ls"}`), output("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nno\n")},
			`exec_command command done cmd="ls" exit=2 bg=false paths=[] out="no\n"`,
		},
		{
			"an output that only speaks of an exit",
			[]string{call("exec_command", `{"cmd":"cat log"}`), output("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nProcess exited with code 7\n")},
			`exec_command command done cmd="cat log" exit=0 bg=false paths=[] out="Process exited with code 7\n"`,
		},
		{
			"exit from the event",
			[]string{call("shell", `{"command":["ls"]}`), event(`{"type":"exec_command_end","call_id":"c1","exit_code":3,"aggregated_output":"no"}`), output("no")},
			`shell command done cmd="ls" exit=3 bg=false paths=[] out="no"`,
		},
		{
			"exit from the item",
			[]string{call("exec_command", `{"cmd":"ls"}`), event(`{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","command":["/bin/bash","-lc","ls"],"status":"failed","aggregated_output":"no","exit_code":4}}`)},
			`exec_command command done cmd="ls" exit=4 bg=false paths=[] out="no"`,
		},
		{
			"goes on in the background",
			[]string{call("exec_command", `{"cmd":"make"}`), output("Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 77\nOutput:\nstart\n")},
			`exec_command command done cmd="make" exit=- bg=true paths=[] out="start\n"`,
		},
		{
			"rejected",
			[]string{call("exec_command", `{"cmd":"rm -rf x"}`), output("exec command rejected by user")},
			`exec_command command rejected cmd="rm -rf x" exit=- bg=false paths=[] out="exec command rejected by user"`,
		},
		{
			"declined",
			[]string{call("exec_command", `{"cmd":"rm -rf x"}`), event(`{"type":"item_completed","item":{"type":"CommandExecution","id":"c1","status":"declined","exit_code":-1}}`)},
			`exec_command command rejected cmd="rm -rf x" exit=- bg=false paths=[] out=""`,
		},
		{
			"stopped",
			[]string{call("shell", `{"command":["sleep","9"]}`), output("aborted by user after 3.2s")},
			`shell command stopped cmd="sleep 9" exit=- bg=false paths=[] out="aborted by user after 3.2s"`,
		},
		{
			"no result",
			[]string{call("exec_command", `{"cmd":"ls"}`)},
			`exec_command command pending cmd="ls" exit=- bg=false paths=[] out=""`,
		},
		{
			"no result, turn aborted",
			[]string{call("exec_command", `{"cmd":"ls"}`), event(`{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`)},
			`exec_command command stopped cmd="ls" exit=- bg=false paths=[] out=""`,
		},
		{
			"approval asked for",
			[]string{call("exec_command", `{"cmd":"ls"}`), event(`{"type":"exec_approval_request","call_id":"c1","command":["bash","-lc","ls"]}`)},
			`exec_command command waiting cmd="ls" exit=- bg=false paths=[] out=""`,
		},
		{
			"local shell",
			[]string{item(`{"type":"local_shell_call","call_id":"c1","status":"completed","action":{"type":"exec","command":["bash","-lc","pwd"]}}`)},
			`local_shell command pending cmd="pwd" exit=- bg=false paths=[] out=""`,
		},
		{
			"patch",
			[]string{item(`{"type":"custom_tool_call","status":"completed","call_id":"c1","name":"apply_patch","input":` + string(jpatch) + `}`), item(`{"type":"custom_tool_call_output","call_id":"c1","output":"{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"}`)},
			`apply_patch edit done cmd="" exit=0 bg=false paths=["a.go" "b/c.go" "d.go" "e.go"] out="Success."`,
		},
		{
			"patch that failed",
			[]string{item(`{"type":"custom_tool_call","call_id":"c1","name":"apply_patch","input":` + string(jpatch) + `}`), item(`{"type":"custom_tool_call_output","call_id":"c1","output":"apply_patch verification failed: no such line"}`)},
			`apply_patch edit failed cmd="" exit=- bg=false paths=["a.go" "b/c.go" "d.go" "e.go"] out="apply_patch verification failed: no such line"`,
		},
		{
			"patch through the shell",
			[]string{call("shell", string(heredoc)), output("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n")},
			`shell edit done cmd="" exit=0 bg=false paths=["a.go" "b/c.go" "d.go" "e.go"] out="Success.\n"`,
		},
		{
			"output of an object",
			[]string{call("read_file", `{"path":"a.go"}`), item(`{"type":"function_call_output","call_id":"c1","output":{"content":"x","success":false}}`)},
			`read_file read failed cmd="" exit=- bg=false paths=["a.go"] out="x"`,
		},
		{
			"output of items",
			[]string{call("mcp__a__b", `{}`), item(`{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]}`)},
			`mcp__a__b other done cmd="" exit=- bg=false paths=[] out="a\nb"`,
		},
		{
			"run by a script of the model",
			[]string{item(`{"type":"custom_tool_call","call_id":"c1","name":"exec","input":"await tools.exec_command({cmd:'ls'})"}`), event(`{"type":"item_completed","item":{"type":"CommandExecution","id":"n1","source":"agent","command":["/bin/bash","-lc","ls"],"status":"completed","aggregated_output":"a","exit_code":0}}`)},
			"exec other pending cmd=\"\" exit=- bg=false paths=[] out=\"\"\nexec_command command done cmd=\"ls\" exit=0 bg=false paths=[] out=\"a\"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range toolsOf(t, c.lines...) {
				got = append(got, show(x))
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

func TestBackgroundCommandEndsLater(t *testing.T) {
	got := toolsOf(
		t,
		call("exec_command", `{"cmd":"go test ./..."}`),
		output("Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 77\nOutput:\nstart\n"),
		strings.ReplaceAll(call("write_stdin", `{"session_id":77,"chars":""}`), "c1", "c2"),
		strings.ReplaceAll(output("Chunk ID: 2\nWall time: 3 seconds\nProcess exited with code 1\nOutput:\nFAIL\n"), "c1", "c2"),
	)
	if len(got) != 2 || got[0].Exit == nil || *got[0].Exit != 1 || got[0].Background || !strings.Contains(got[0].Output, "FAIL") {
		t.Errorf("got %v", got)
	}
}

func TestTodosAndQuestions(t *testing.T) {
	got := toolsOf(t, call("update_plan", `{"plan":[{"step":"a","status":"completed"},{"step":"b","status":"in_progress"},{"step":"c","status":"pending"},{"status":"pending"}]}`))
	want := []recap.Todo{{Text: "a", Status: recap.TodoDone}, {Text: "b", Status: recap.TodoActive}, {Text: "c", Status: recap.TodoOpen}}
	if len(got) != 1 || got[0].Kind != recap.ToolTodo || fmt.Sprint(got[0].Todos) != fmt.Sprint(want) {
		t.Errorf("todos = %+v", got)
	}
	got = toolsOf(t, call("request_user_input", `{"questions":[{"id":"q","header":"Port","question":"Which port?","options":[]}]}`))
	if len(got) != 1 || got[0].Kind != recap.ToolQuestion || got[0].Status != recap.ToolWaiting || fmt.Sprint(got[0].Questions) != "[Which port?]" {
		t.Errorf("question = %+v", got)
	}
}

// TestHostileFields puts every kind of JSON value in the place of every field
// of every recorded row: nothing may panic, and a row of another line is never
// harmed.
func TestHostileFields(t *testing.T) {
	values := []any{nil, -1.5e300, true, "x", []any{1, nil, "x"}, map[string]any{"type": []any{}}}
	if !long() {
		values = []any{nil, -1.5e300, map[string]any{"type": []any{}}}
	}
	var p fastjson.Parser
	n := 0
	for _, line := range recorded(t) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		var visit func(x any, set func(any))
		visit = func(x any, set func(any)) {
			for _, w := range values {
				set(w)
				b, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				bookkeeping(b)
				if r, err := parseRow(&p, b); err == nil {
					newBuilder("p", "m", true).build([]row{r, parse(t, user("Do it")), r}, afterNothing)
				}
				n++
			}
			set(x)
			switch x := x.(type) {
			case map[string]any:
				for k, y := range x {
					visit(y, func(z any) { x[k] = z })
				}
			case []any:
				for i, y := range x {
					visit(y, func(z any) { x[i] = z })
				}
			}
		}
		if m, ok := v.(map[string]any); ok {
			for k, y := range m {
				visit(y, func(z any) { m[k] = z })
			}
		}
	}
	if n < 800*len(values) {
		t.Errorf("only %d rows were tried", n)
	}
}

// recorded gives one line of each kind from the recordings, long texts
// shortened.
func recorded(t testing.TB) []string {
	t.Helper()
	seen := map[string]bool{}
	var lines []string
	for _, home := range []string{"codex", "codex-0.98", "codex-migrated"} {
		for path, body := range tree(t, filepath.Join("testdata", home)) {
			if !strings.HasSuffix(path, ".jsonl") || !strings.Contains(path, "rollout-") {
				continue
			}
			for line := range strings.Lines(body) {
				v, err := fastjson.Parse(line)
				if err != nil {
					t.Fatal(err)
				}
				k := home + str(v, "type") + str(v, "payload", "type") + str(v, "payload", "item", "type") + str(v, "payload", "role") + str(v, "payload", "history_base", "thread_id")
				if !seen[k] {
					seen[k] = true
					if pl := v.Get("payload"); pl.Exists("base_instructions") {
						pl.Del("base_instructions")
						line = v.String()
					}
					lines = append(lines, strings.TrimSpace(line))
				}
			}
		}
	}
	return lines
}

func FuzzRow(f *testing.F) {
	for _, l := range recorded(f) {
		f.Add([]byte(l))
	}
	f.Add([]byte(`{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","changes":[{"path":1}]}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		skip := bookkeeping(b)
		var p fastjson.Parser
		r, err := parseRow(&p, b)
		if err != nil {
			return
		}
		if strings.Contains(r.text, "<environment_context>") && r.kind == rowHuman && strings.HasPrefix(r.text, "<environment_context>") {
			t.Error("an envelope is a prompt")
		}
		out := newBuilder("p", "m", skip).build([]row{r, r}, afterNothing)
		for _, m := range out.records {
			if m.ID == "" {
				t.Error("record without an id")
			}
		}
	})
}

func TestBookkeepingIsKnownByItsFirstBytes(t *testing.T) {
	read, skipped := 0, 0
	var p fastjson.Parser
	body, err := os.ReadFile(filepath.Join("testdata", "codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T00-04-59-01a229c4-e647-77d3-a6db-98b4d064cf4d.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(body)) {
		r, err := parseRow(&p, []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if !bookkeeping([]byte(line)) {
			read++
		} else if skipped++; r.kind != rowOther {
			t.Errorf("passed over: %.200s", line)
		}
	}
	if skipped < 50 || read < 50 {
		t.Errorf("%d read, %d passed over", read, skipped)
	}
}
