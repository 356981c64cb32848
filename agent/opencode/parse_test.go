package opencode

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
)

func TestParseMessage(t *testing.T) {
	at := func(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
	cases := []struct {
		name, info string
		want       recap.Message
	}{
		{
			"user", `{"role":"user","time":{"created":1795997300376},"agent":"build","model":{"providerID":"p","modelID":"org/m"},"summary":{"diffs":[]}}`,
			recap.Message{ID: "msg_1", Role: recap.RoleUser, Created: at(1795997300376), Model: recap.ModelRef{Provider: "p", ID: "org/m"}},
		},
		{
			"answer", `{"role":"assistant","parentID":"msg_0","modelID":"m","providerID":"p","time":{"created":1000,"completed":2000},"finish":"stop"}`,
			recap.Message{ID: "msg_1", ParentID: "msg_0", Role: recap.RoleAssistant, Created: at(1000), Completed: at(2000), Finish: recap.FinishStop, Model: recap.ModelRef{Provider: "p", ID: "m"}},
		},
		{
			"step", `{"role":"assistant","time":{"created":1000,"completed":2000},"finish":"tool-calls"}`,
			recap.Message{ID: "msg_1", Role: recap.RoleAssistant, Created: at(1000), Completed: at(2000), Finish: recap.FinishToolCalls},
		},
		{
			"filtered", `{"role":"assistant","finish":"content-filter"}`,
			recap.Message{ID: "msg_1", Role: recap.RoleAssistant, Finish: recap.FinishOther},
		},
		{
			"summary", `{"role":"assistant","summary":true,"finish":"stop"}`,
			recap.Message{ID: "msg_1", Role: recap.RoleAssistant, Summary: true, Finish: recap.FinishStop},
		},
		{
			"aborted", `{"role":"assistant","error":{"name":"MessageAbortedError","data":{"message":"Aborted"}},"time":{"completed":2000}}`,
			recap.Message{ID: "msg_1", Role: recap.RoleAssistant, Interrupted: true, Completed: at(2000)},
		},
		{
			"G5 failed", `{"role":"assistant","error":{"name":"APIError","data":{"message":"fake bad request","statusCode":400}}}`,
			recap.Message{ID: "msg_1", Role: recap.RoleAssistant, Failure: &recap.Failure{Code: "APIError", Message: "fake bad request"}},
		},
		{
			"times out of range", `{"role":"user","time":{"created":-5,"completed":1e300}}`,
			recap.Message{ID: "msg_1", Role: recap.RoleUser},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParseMessage("msg_1", []byte(c.info))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v\n got %+v\nwant %+v", err, got, c.want)
			}
		})
	}
	for _, bad := range []string{``, `[]`, `null`, `{}`, `{"role":"system"}`, `{"role":1}`, `{"role":"user"`, strings.Repeat(`{"a":`, 10000)} {
		if m, err := ParseMessage("msg_1", []byte(bad)); err == nil {
			t.Errorf("%.20s: %+v", bad, m)
		}
	}
	if m, err := ParseMessage("", []byte(`{"id":"msg_server","role":"user"}`)); err != nil || m.ID != "msg_server" {
		t.Errorf("the server's form: %+v %v", m, err)
	}
}

// The messages that the server gives are read by the same parser.
func TestParseTheServersForm(t *testing.T) {
	b, err := os.ReadFile("testdata/messages-after-compaction.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Info  json.RawMessage
		Parts []json.RawMessage
	}
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		m, err := ParseMessage("", r.Info)
		if err != nil || m.ID == "" {
			t.Fatalf("%+v %v", m, err)
		}
		line := []string{string(m.Role), string(m.Finish)}
		if m.Summary {
			line = append(line, "summary")
		}
		for _, p := range r.Parts {
			part, err := ParsePart(p)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, string(part.Kind))
		}
		got = append(got, strings.Join(line, " "))
	}
	if !strings.Contains(strings.Join(got, "\n"), "user  marker\nassistant stop summary marker text marker") {
		t.Errorf("no compaction in:\n%s", strings.Join(got, "\n"))
	}
}

func TestParsePart(t *testing.T) {
	zero, three := 0, 3
	ms := time.UnixMilli(1795997320772).UTC()
	cases := []struct {
		name, data string
		want       recap.Part
	}{
		{"text", `{"type":"text","text":"hello","time":{"start":1}}`, recap.Part{Kind: recap.PartText, Text: "hello"}},
		{"synthetic", `{"type":"text","text":"x","synthetic":true}`, recap.Part{Kind: recap.PartText, Text: "x", Synthetic: true}},
		{"ignored", `{"type":"text","text":"x","ignored":true}`, recap.Part{Kind: recap.PartText, Text: "x", Ignored: true}},
		{"signed text is still text", `{"type":"text","text":"x","metadata":{"anthropic":{"signature":"s"}}}`, recap.Part{Kind: recap.PartText, Text: "x"}},
		{"reasoning", `{"type":"reasoning","text":"hm"}`, recap.Part{Kind: recap.PartReasoning, Text: "hm"}},
		{
			"picture", `{"type":"file","mime":"image/png","filename":"a.png","url":"data:image/png;base64,AAAA"}`,
			recap.Part{Kind: recap.PartFile, File: &recap.File{Name: "a.png", MIME: "image/png"}},
		},
		{
			"file without a name", `{"type":"file","mime":"text/plain","url":"file:///home/dev/app/main.go"}`,
			recap.Part{Kind: recap.PartFile, File: &recap.File{Name: "main.go", MIME: "text/plain"}},
		},
		{"subtask", `{"type":"subtask","prompt":"review it","description":"d","agent":"general","command":"review"}`, recap.Part{Kind: recap.PartText, Text: "review it"}},
		{"compaction", `{"type":"compaction","auto":true}`, recap.Part{Kind: recap.PartMarker}},
		{"step", `{"type":"step-start"}`, recap.Part{Kind: recap.PartMarker}},
		{"unknown", `{"type":"future","text":"x"}`, recap.Part{Kind: recap.PartMarker}},

		{
			"attached by a client", `{"type":"text","text":"t","synthetic":true,"metadata":{"aiworkerContext":{"kind":"code-comment","code":"c","text":"why?","startLine":35}}}`,
			recap.Part{Kind: recap.PartText, Text: "t", Synthetic: true, Attached: &recap.Attached{
				Kind: "code-comment", Values: map[string]any{"kind": "code-comment", "code": "c", "text": "why?", "startLine": 35.0},
			}},
		},
		{
			"attached by another client", `{"type":"text","text":"t","metadata":{"openchamberContext":{"kind":"file-quote","quote":"q"}}}`,
			recap.Part{Kind: recap.PartText, Text: "t", Attached: &recap.Attached{Kind: "file-quote", Values: map[string]any{"kind": "file-quote", "quote": "q"}}},
		},
		{
			"OpenCode's own comment", `{"type":"text","text":"t","synthetic":true,"metadata":{"opencodeComment":{"path":"a.ts","comment":"see","preview":"p"}}}`,
			recap.Part{Kind: recap.PartText, Text: "t", Synthetic: true, Attached: &recap.Attached{
				Kind: "opencode-comment", Values: map[string]any{"path": "a.ts", "comment": "see", "preview": "p"},
			}},
		},
		{"attached of another type", `{"type":"text","text":"t","metadata":{"aiworkerContext":[1]}}`, recap.Part{Kind: recap.PartText, Text: "t"}},

		{
			"command", `{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"go test ./...","description":"d"},"output":"ok\n","metadata":{"output":"ok\n","exit":0},"time":{"start":1795997320772,"end":1795997321214}}}`,
			toolPart(recap.Tool{CallID: "c", Name: "bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "go test ./...", Exit: &zero, Output: "ok\n", At: ms}),
		},
		{
			"command that failed", `{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"false"},"output":"no","metadata":{"exit":3}}}`,
			toolPart(recap.Tool{Name: "bash", Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "false", Exit: &three, Output: "no"}),
		},
		{
			"command stopped by the person", `{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"sleep 9"},"output":"\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>","metadata":{"exit":null}}}`,
			toolPart(recap.Tool{Name: "bash", Kind: recap.ToolCommand, Status: recap.ToolStopped, Command: "sleep 9"}),
		},
		{
			"refused", `{"type":"tool","tool":"bash","state":{"status":"error","input":{"command":"rm x"},"error":"The user rejected permission to use this specific tool call."}}`,
			toolPart(recap.Tool{Name: "bash", Kind: recap.ToolCommand, Status: recap.ToolRejected, Command: "rm x", Output: "The user rejected permission to use this specific tool call."}),
		},
		{
			"aborted", `{"type":"tool","tool":"webfetch","state":{"status":"error","input":{},"error":"Tool execution aborted","metadata":{"interrupted":true}}}`,
			toolPart(recap.Tool{Name: "webfetch", Kind: recap.ToolRead, Status: recap.ToolStopped, Output: "Tool execution aborted"}),
		},
		{
			"failed", `{"type":"tool","tool":"edit","state":{"status":"error","input":{"filePath":"/a/b.go"},"error":"oldString not found"}}`,
			toolPart(recap.Tool{Name: "edit", Kind: recap.ToolEdit, Status: recap.ToolFailed, Paths: []string{"/a/b.go"}, Output: "oldString not found"}),
		},
		{
			"patch with result", `{"type":"tool","tool":"apply_patch","state":{"status":"completed","input":{"patchText":"*** Update File: c.go\n"},"output":"Success","metadata":{"files":[{"filePath":"/a/c.go","type":"move","movePath":"/a/d.go"}]}}}`,
			toolPart(recap.Tool{Name: "apply_patch", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: []string{"/a/c.go", "/a/d.go"}, Output: "Success"}),
		},
		{
			"patch that waits", `{"type":"tool","tool":"apply_patch","state":{"status":"running","input":{"patchText":"*** Begin Patch\n*** Add File: x.go\n+a\n*** Delete File: y.go\n*** End Patch"}}}`,
			toolPart(recap.Tool{Name: "apply_patch", Kind: recap.ToolEdit, Status: recap.ToolPending, Paths: []string{"x.go", "y.go"}}),
		},
		{
			"read", `{"type":"tool","tool":"grep","state":{"status":"completed","input":{"pattern":"x"},"output":"3"}}`,
			toolPart(recap.Tool{Name: "grep", Kind: recap.ToolRead, Status: recap.ToolDone, Output: "3"}),
		},
		{
			"todos", `{"type":"tool","tool":"todowrite","state":{"status":"completed","input":{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"},{"content":"d","status":"cancelled"},7]},"output":"[]"}}`,
			toolPart(recap.Tool{Name: "todowrite", Kind: recap.ToolTodo, Status: recap.ToolDone, Output: "[]", Todos: []recap.Todo{
				{Text: "a", Status: recap.TodoDone}, {Text: "b", Status: recap.TodoActive}, {Text: "c", Status: recap.TodoOpen}, {Text: "d", Status: recap.TodoCancelled},
			}}),
		},
		{
			"question dismissed", `{"type":"tool","tool":"question","state":{"status":"error","input":{"questions":[{"question":"Which port?","header":"Port"},{"question":"TLS?"}]},"error":"The user dismissed this question"}}`,
			toolPart(recap.Tool{Name: "question", Kind: recap.ToolQuestion, Status: recap.ToolRejected, Questions: []string{"Which port?", "TLS?"}, Output: "The user dismissed this question"}),
		},
		{
			"subagent", `{"type":"tool","tool":"task","state":{"status":"pending","input":{}}}`,
			toolPart(recap.Tool{Name: "task", Kind: recap.ToolSubagent, Status: recap.ToolPending}),
		},
		{
			"plan", `{"type":"tool","tool":"plan_exit","state":{"status":"running"}}`,
			toolPart(recap.Tool{Name: "plan_exit", Kind: recap.ToolPlan, Status: recap.ToolPending}),
		},
		{
			"of a server", `{"type":"tool","tool":"github_create_issue","state":{"status":"completed","output":"#1"}}`,
			toolPart(recap.Tool{Name: "github_create_issue", Kind: recap.ToolOther, Status: recap.ToolDone, Output: "#1"}),
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParsePart([]byte(c.data))
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v\n got %+v %+v\nwant %+v %+v", err, got, got.Tool, c.want, c.want.Tool)
			}
		})
	}
}

func toolPart(tool recap.Tool) recap.Part { return recap.Part{Kind: recap.PartTool, Tool: &tool} }

func TestBothEnds(t *testing.T) {
	family := "👩‍👩‍👧‍👦" // seven code points
	cases := []struct{ name, in string }{
		{"short", "abc"},
		{"exact", strings.Repeat("é", 2000)},
		{"over by one", strings.Repeat("é", 2001)},
		{"long", strings.Repeat("line\n", 100000)},
		{"families", strings.Repeat(family, 1000)},
		{"marks", "a" + strings.Repeat("\u0301", 5000)},
		{"flags", strings.Repeat("🇫🇷", 3000)},
		{"nothing", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := bothEnds(c.in, 2000)
			if n := utf8.RuneCountInString(got); n > 2000 {
				t.Errorf("%d characters", n)
			}
			if utf8.RuneCountInString(c.in) <= 2000 && got != c.in {
				t.Error("a short text was cut")
			}
			head, tail, cut := strings.Cut(got, cutMark)
			if cut && (!strings.HasPrefix(c.in, head) || !strings.HasSuffix(c.in, tail)) {
				t.Error("not the ends of the text")
			}
			if c.name == "families" && (strings.ReplaceAll(head, family, "") != "" || strings.ReplaceAll(tail, family, "") != "") {
				t.Error("a grapheme was cut")
			}
		})
	}
}

func FuzzParseMessage(f *testing.F) {
	for _, s := range []string{
		`{"role":"user","time":{"created":1},"model":{"providerID":"p","modelID":"m"}}`,
		`{"role":"assistant","finish":"stop","error":{"name":"APIError","data":{"message":"x"}},"summary":true}`,
		`{"role":"assistant","time":{"completed":1e18},"finish":1}`, `{`, `[]`, "\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseMessage("id", b)
		if err == nil && (m.ID != "id" || (m.Role != recap.RoleUser && m.Role != recap.RoleAssistant)) {
			t.Fatalf("%+v", m)
		}
		if !utf8.ValidString(fmt.Sprintf("%+v", m)) {
			t.Fatal("invalid UTF-8")
		}
	})
}

func FuzzParsePart(f *testing.F) {
	for _, s := range []string{
		`{"type":"text","text":"x","synthetic":true,"metadata":{"aiworkerContext":{"kind":"terminal","output":"o","startLine":1}}}`,
		`{"type":"tool","tool":"bash","state":{"status":"completed","input":{"command":"x"},"output":"y","metadata":{"exit":1}}}`,
		`{"type":"tool","tool":"apply_patch","state":{"status":"error","error":"user dismissed","input":{"patchText":"*** Add File: a"}}}`,
		`{"type":"tool","tool":"question","state":{"status":"running","input":{"questions":[{"question":"q"}]}}}`,
		`{"type":"file","url":"file:///a%ff"}`, `{`, `1`, "\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePart(b)
		if err != nil {
			return
		}
		if p.Kind == "" || (p.Kind == recap.PartTool) != (p.Tool != nil) || (p.Kind == recap.PartFile) != (p.File != nil) {
			t.Fatalf("%+v", p)
		}
		if p.Tool != nil && utf8.RuneCountInString(p.Tool.Output) > recap.MaxToolOutput {
			t.Fatal("output too long")
		}
		if !utf8.ValidString(p.Text) || (p.Tool != nil && !utf8.ValidString(p.Tool.Output+p.Tool.Command)) {
			t.Fatal("invalid UTF-8")
		}
	})
}
