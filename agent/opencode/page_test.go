package opencode

import (
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The sessions and records of a real database of OpenCode 1.18.33.
func TestGolden(t *testing.T) {
	s := New(Config{Name: "opencode", Root: "testdata"})
	var out strings.Builder
	ses, probs := listed(t, s, agent.Query{Archived: true, Subagents: true})
	if len(probs) != 0 {
		t.Fatal(probs)
	}
	for _, se := range ses {
		se.Stamp = ""
		fmt.Fprintf(&out, "%s\n", encode(t, se))
		var records []recap.Message
		for before, n := agent.Cursor(""), 0; ; n++ {
			p, err := s.Page(t.Context(), se.Ref, before, 3)
			if err != nil || len(p.Problems) != 0 || n > 100 {
				t.Fatal(err, p.Problems)
			}
			records = append(p.Records, records...)
			if before = p.Next; before == "" {
				break
			}
		}
		for _, r := range records {
			fmt.Fprintf(&out, "\t%s\n", encode(t, r))
		}
	}
	const file = "testdata/golden.jsonl"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		got, want := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("line %d:\n got %s\nwant %s", i+1, got[i], want[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}

// Pages of any size give the same records, each once.
func TestPaging(t *testing.T) {
	t.Parallel()
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	var want []string
	for i := range 23 {
		info := userInfo
		if i%2 == 1 {
			info = doneInfo
		}
		text := fmt.Sprintf("text %d", i)
		m.message("ses_1", info, text)
		want = append(want, text)
	}
	// Two records of one moment, in the order of their ids.
	for _, id := range []string{"msg_zzz2", "msg_zzz1"} {
		m.raw("ses_1", id, startMS+500_000_000, encode(t, userInfo), id)
	}
	want = append(want, "msg_zzz1", "msg_zzz2")
	for _, n := range []int{1, 2, 7, 25, 26, 50, 0} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			s := m.source(nil)
			var got []recap.Message
			cursors := map[agent.Cursor]bool{}
			for before := agent.Cursor(""); ; {
				p := m.page(s, "ses_1", before, n)
				got = append(p.Records, got...)
				if n > 0 && len(p.Records) > n {
					t.Fatalf("%d records", len(p.Records))
				}
				if before = p.Next; before == "" {
					break
				}
				if cursors[before] {
					t.Fatal("a cursor came twice")
				}
				cursors[before] = true
			}
			if texts(got) != strings.Join(want, "|") {
				t.Errorf("%s", texts(got))
			}
		})
	}
}

func TestPageErrors(t *testing.T) {
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "q")
	s := m.source(nil)
	ref := recap.SessionRef{Agent: recap.OpenCode, Root: m.dir, ID: "ses_1"}
	with := func(f func(*recap.SessionRef)) recap.SessionRef { r := ref; f(&r); return r }
	cases := []struct {
		name   string
		ref    recap.SessionRef
		before agent.Cursor
		code   recap.Code
	}{
		{"gone", with(func(r *recap.SessionRef) { r.ID = "ses_x" }), "", recap.CodeSessionNotFound},
		{"path as id", with(func(r *recap.SessionRef) { r.ID = "../../etc/passwd" }), "", recap.CodeSessionNotFound},
		{"other root", with(func(r *recap.SessionRef) { r.Root = "/home/dev" }), "", recap.CodeSessionNotFound},
		{"other agent", with(func(r *recap.SessionRef) { r.Agent = recap.Codex }), "", recap.CodeSessionNotFound},
		{"cursor of nobody", ref, "%%%", recap.CodeUsage},
		{"cursor without id", ref, "e30", recap.CodeUsage},
		{"cursor of other types", ref, "eyJpZCI6MX0", recap.CodeUsage},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := s.Page(t.Context(), c.ref, c.before, 5); recap.CodeOf(err) != c.code {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("OpenCode's own cursor", func(t *testing.T) {
		p, err := s.Page(t.Context(), ref, "eyJpZCI6Im1zZ18yMjljIiwidGltZSI6MTc5NTk5NzQxMDA1NH0", 5)
		if err != nil || texts(p.Records) != "q" {
			t.Errorf("%v %v", p, err)
		}
	})
}

// 1,000 messages and 22 MB: a page reads its own rows, and of large outputs
// only the ends.
func TestG8_LongSessionInBoundedMemory(t *testing.T) {
	t.Parallel()
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	out := strings.Repeat("0123456789\n", 20<<10/11)
	m.exec(`BEGIN`)
	for i := range 500 {
		m.message("ses_1", userInfo, fmt.Sprintf("question %d", i))
		m.message("ses_1", doneInfo, tool("bash", map[string]any{
			"status": "completed", "input": map[string]any{"command": "cat log"},
			"output": out, "metadata": map[string]any{"output": out, "exit": 0},
		}), "answer")
	}
	m.exec(`COMMIT`)
	m.checkpoint()
	if fi, err := os.Stat(m.path); err != nil || fi.Size() < 20<<20 {
		t.Fatalf("the database is too small to prove anything: %v", err)
	}
	s := m.source(nil)
	p := m.page(s, "ses_1", "", 50)
	if len(p.Records) != 50 || p.Next == "" {
		t.Fatalf("%d records, next %q", len(p.Records), p.Next)
	}
	if got := s.bodies.Load(); got != 50+25*3 {
		t.Errorf("%d bodies read", got)
	}
	if p.Bytes > 25*(6<<10) {
		t.Errorf("%d bytes read", p.Bytes)
	}
	for _, r := range p.Records {
		for _, part := range r.Parts {
			if part.Tool == nil {
				continue
			}
			if n := len([]rune(part.Tool.Output)); n > recap.MaxToolOutput {
				t.Fatalf("output of %d characters", n)
			}
			if !strings.HasPrefix(part.Tool.Output, "0123456789\n01") || !strings.HasSuffix(part.Tool.Output, "89\n") || !strings.Contains(part.Tool.Output, "…") {
				t.Fatalf("output %.40q", part.Tool.Output)
			}
		}
	}
}

// Rows of many megabytes: what is needed of them, or a counted problem.
func TestG8_GiantRows(t *testing.T) {
	t.Parallel()
	big := func(n int) string { return "HEAD " + strings.Repeat("x", n) + " TAIL" }
	picture, _ := json.Marshal(map[string]any{"type": "file", "mime": "image/png", "filename": "shot.png", "url": "data:image/png;base64," + big(1<<20)})
	cases := []struct {
		name    string
		part    any
		check   func(p recap.Part) bool
		problem string
		bytes   int64
	}{
		{"output of 1 MB", tool("bash", map[string]any{
			"status": "completed", "input": map[string]any{"command": "make", "description": big(300 << 10)},
			"output": big(1 << 20), "metadata": map[string]any{"exit": 3, "output": big(1 << 20)},
			"time": map[string]any{"start": startMS},
		}), func(p recap.Part) bool {
			return p.Tool.Command == "make" && *p.Tool.Exit == 3 && p.Tool.Status == recap.ToolDone && !p.Tool.At.IsZero() &&
				strings.HasPrefix(p.Tool.Output, "HEAD") && strings.HasSuffix(p.Tool.Output, "TAIL") && p.Tool.CallID == "call_1"
		}, "", 40 << 10},
		{"write of 1 MB", tool("write", map[string]any{
			"status": "completed", "input": map[string]any{"filePath": "/home/dev/app/big.go", "content": big(1 << 20)}, "output": "ok",
		}), func(p recap.Part) bool {
			return len(p.Tool.Paths) == 1 && p.Tool.Paths[0] == "/home/dev/app/big.go" && p.Tool.Output == "ok"
		}, "", 8 << 10},
		{"patch of 1 MB", tool("apply_patch", map[string]any{
			"status": "completed", "input": map[string]any{"patchText": "*** Begin Patch\n*** Add File: a.go\n" + big(1<<20)},
			"metadata": map[string]any{"files": []any{map[string]any{"filePath": "/x/a.go", "patch": big(200 << 10)}, 7, map[string]any{"movePath": "/x/b.go"}}},
		}), func(p recap.Part) bool { return strings.Join(p.Tool.Paths, " ") == "/x/a.go /x/b.go" }, "", 140 << 10},
		{"rejected with a long error", tool("edit", map[string]any{
			"status": "error", "input": map[string]any{"filePath": "a.go", "newString": big(1 << 20)},
			"error": "The user rejected permission to use this specific tool call.",
		}), func(p recap.Part) bool { return p.Tool.Status == recap.ToolRejected && p.Tool.Paths[0] == "a.go" }, "", 8 << 10},
		{"picture of 1 MB", json.RawMessage(picture), func(p recap.Part) bool {
			return p.File.Name == "shot.png" && p.File.MIME == "image/png" && p.Text == ""
		}, "", 8 << 10},
		{"text of 900 KB is whole", big(900 << 10), func(p recap.Part) bool { return len(p.Text) > 900<<10 }, "", 1 << 20},
		{"text of 2 MB keeps its ends", big(2 << 20), func(p recap.Part) bool {
			return len(p.Text) < 200<<10 && strings.HasPrefix(p.Text, "HEAD") && strings.HasSuffix(p.Text, "TAIL")
		}, reasonCut, 256 << 10},
		{"text of 17 MB", big(17 << 20), nil, reasonHuge, 8 << 10},
		{
			"reasoning of 1 MB", jsonRow(t, map[string]any{"type": "reasoning", "text": big(1 << 20)}),
			func(p recap.Part) bool { return p.Kind == recap.PartReasoning && p.Text == "" }, "", 8 << 10,
		},
		{"2 MB of no JSON", json.RawMessage(big(2 << 20)), nil, reasonInvalid, 8 << 10},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")
			m.message("ses_1", doneInfo, c.part, "after")
			p := m.page(m.source(nil), "ses_1", "", 5)
			parts := p.Records[0].Parts
			if got := parts[len(parts)-1].Text; got != "after" {
				t.Errorf("the part after it: %.20q", got)
			}
			if c.check != nil && (len(parts) != 2 || !c.check(parts[0])) {
				t.Errorf("%d parts, %.300q", len(parts), fmt.Sprintf("%+v %+v", parts[0], parts[0].Tool))
			}
			if (c.problem == "") != (len(p.Problems) == 0) || (c.problem != "" && p.Problems[0].Reason != c.problem) {
				t.Errorf("problems %v", p.Problems)
			}
			if p.Bytes > c.bytes {
				t.Errorf("%d bytes", p.Bytes)
			}
		})
	}
}

// Pages end early where rows are large, and go on.
func TestG8_PageOfLargeTexts(t *testing.T) {
	t.Parallel()
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	for range 20 {
		m.message("ses_1", userInfo, strings.Repeat("x", 900<<10))
	}
	s := m.source(nil)
	total := 0
	var before agent.Cursor
	for {
		p := m.page(s, "ses_1", before, 50)
		if p.Bytes > pageBytes+2<<20 {
			t.Errorf("%d bytes in a page", p.Bytes)
		}
		total += len(p.Records)
		if before = p.Next; before == "" {
			break
		}
		runtime.GC()
	}
	if total != 20 {
		t.Errorf("%d records", total)
	}
}

func TestLongInfo(t *testing.T) {
	diffs := map[string]any{"diffs": []any{map[string]any{"patch": strings.Repeat("+line\n", 50000)}}}
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", with(userInfo, "summary", diffs), "q")
	m.message("ses_1", with(with(doneInfo, "parentID", "msg_p"), "error", map[string]any{
		"name": "APIError", "data": map[string]any{"message": "overloaded", "responseBody": strings.Repeat("x", 100<<10)},
	}), "a")
	p := m.page(m.source(nil), "ses_1", "", 5)
	if p.Bytes > 8<<10 || len(p.Records) != 2 {
		t.Fatalf("%d bytes, %d records", p.Bytes, len(p.Records))
	}
	u, a := p.Records[0], p.Records[1]
	if u.Role != recap.RoleUser || u.Model.ID != "large" || u.Created.IsZero() {
		t.Errorf("%+v", u)
	}
	if a.ParentID != "msg_p" || a.Failure == nil || a.Failure.Message != "overloaded" || a.Finish != recap.FinishStop || a.Completed.IsZero() || a.Summary {
		t.Errorf("%+v", a)
	}
}

func TestReverted(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		revert string
		want   string
		marked bool
	}{
		{"to a message", `{"messageID":"msg_000004","snapshot":"x"}`, "one|answer one", true},
		{"to a part", `{"messageID":"msg_000003","partID":"prt_msg_000003_0001"}`, "one|answer one", true},
		{"the message is gone", `{"messageID":"msg_000005zz"}`, "one|answer one|two|answer two", true},
		{"to the beginning", `{"messageID":"msg_000002"}`, "", true},
		{"null", `null`, "one|answer one|two|answer two", false},
		{"broken", `{"messageID`, "one|answer one|two|answer two", false},
		{"of another type", `[1,2]`, "one|answer one|two|answer two", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")              // 1
			m.message("ses_1", userInfo, "one")              // 2
			m.message("ses_1", doneInfo, "answer one", "x2") // 3
			m.exec(`DELETE FROM part WHERE data LIKE '%x2%' AND ? NOT LIKE '%partID%'`, c.revert)
			m.message("ses_1", userInfo, "two")        // 4
			m.message("ses_1", doneInfo, "answer two") // 5
			m.set("ses_1", "revert", c.revert)
			s := m.source(nil)
			p := m.page(s, "ses_1", "", 10)
			if texts(p.Records) != c.want {
				t.Errorf("%q, want %q", texts(p.Records), c.want)
			}
			if len(p.Records) > 1 {
				one := m.page(s, "ses_1", "", 1)
				two := m.page(s, "ses_1", one.Next, 1)
				if len(one.Records) != 1 || len(two.Records) != 1 || two.Records[0].ID >= one.Records[0].ID {
					t.Errorf("paging: %+v %+v", one, two)
				}
			}
			ses, _ := listed(t, s, agent.Query{})
			if c.want == "" {
				if len(ses) != 0 {
					t.Errorf("listed with nothing to show: %v", ses)
				}
				return
			}
			if len(ses) != 1 || ses[0].Reverted != c.marked {
				t.Errorf("%+v", ses)
			}
			if last := p.Records[len(p.Records)-1]; !ses[0].UpdatedAt.Equal(last.Completed) {
				t.Errorf("updated %v, newest shown %v", ses[0].UpdatedAt, last.Completed)
			}
		})
	}
}

func TestTodosOfTheTable(t *testing.T) {
	call := tool("todowrite", map[string]any{"status": "completed", "input": map[string]any{"todos": []any{map[string]any{"content": "in the call", "status": "pending"}}}})
	for _, c := range []struct {
		name  string
		parts []any
		want  string
	}{
		{"no call on the page", []any{"a"}, "[{write tests active} {ship it open}]"},
		{"the call is on the page", []any{"a", call}, "[{in the call open}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := makeDB(t, "opencode.db")
			m.session("ses_1", "/home/dev/app")
			m.message("ses_1", userInfo, "q")
			m.message("ses_1", doneInfo, c.parts...)
			m.exec(`INSERT INTO todo VALUES ('ses_1', 'ship it', 'pending', 'high', 1, 0, 5), ('ses_1', 'write tests', 'in_progress', 'high', 0, 0, 9)`)
			p := m.page(m.source(nil), "ses_1", "", 5)
			var got []string
			for _, part := range p.Records[1].Parts {
				if part.Tool != nil {
					got = append(got, fmt.Sprint(part.Tool.Todos))
				}
			}
			if strings.Join(got, ",") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// Answers without an end, and their calls: only the newest, and only while
// OpenCode runs, can still go on.
func TestCallsWithoutAnEnd(t *testing.T) {
	run := tool("bash", map[string]any{"status": "running", "input": map[string]any{"command": "sleep 9"}, "metadata": map[string]any{"output": "a"}})
	asks := tool("bash", map[string]any{"status": "running", "input": map[string]any{"command": "rm x"}})
	ask := tool("question", map[string]any{"status": "running", "input": map[string]any{"questions": []any{map[string]any{"question": "Port?"}}}})
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.message("ses_1", userInfo, "q")
	m.message("ses_1", openInfo, run)
	m.message("ses_1", userInfo, "again")
	m.message("ses_1", openInfo, ask, run, asks)
	m.message("ses_1", userInfo, "queued")
	m.close()
	show := func() string {
		var out []string
		for _, r := range m.page(m.source(nil), "ses_1", "", 10).Records {
			for _, p := range r.Parts {
				if p.Tool != nil {
					out = append(out, fmt.Sprintf("%s %s %v", p.Tool.Name, p.Tool.Status, r.Interrupted))
				}
			}
		}
		return strings.Join(out, ", ")
	}
	// B16: what waited when OpenCode ended is still known to have waited.
	const dead = "bash stopped true, question waiting true, bash stopped true, bash waiting true"
	if got := show(); got != dead {
		t.Errorf("stopped: %s", got)
	}
	w := startWriter(t, m.path)
	w.do(`SELECT count(*) FROM message`)
	if got := show(); got != "bash stopped true, question waiting false, bash pending false, bash waiting false" {
		t.Errorf("live: %s", got)
	}
	w.end()
	if got := show(); got != dead {
		t.Errorf("after it ended: %s", got)
	}
}

// Hostile rows: wrong types in every field, depth, bytes that are no text.
func TestHostileRows(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}", 10000)
	wrong := []any{nil, true, -1, 1e300, "x", "../../../etc/passwd", []any{}, []any{[]any{1}}, map[string]any{"a": map[string]any{}}}
	m := makeDB(t, "opencode.db")
	m.session("ses_ok", "/home/dev/app")
	m.message("ses_ok", userInfo, "fine")
	m.exec(`BEGIN`)
	m.session("ses/../../x", "/home/dev/../../etc")
	n := 0
	if !long() {
		wrong = []any{nil, 1e300, map[string]any{"a": map[string]any{}}}
	}
	for _, v := range wrong {
		for _, base := range []map[string]any{userInfo, doneInfo} {
			for _, k := range []string{"role", "time", "model", "modelID", "providerID", "parentID", "finish", "error", "summary", "completed"} {
				m.message("ses/../../x", with(base, k, v))
			}
		}
		for _, k := range []string{"type", "text", "synthetic", "ignored", "metadata", "mime", "filename", "url", "tool", "callID", "state", "source", "prompt"} {
			for _, kind := range []string{"text", "file", "tool", "subtask", "reasoning", "patch"} {
				part := map[string]any{"type": kind, "tool": "bash"}
				part[k] = v
				m.message("ses/../../x", userInfo, jsonRow(t, part))
			}
		}
		for _, k := range []string{"status", "input", "output", "metadata", "time", "error"} {
			for _, name := range []string{"bash", "edit", "apply_patch", "todowrite", "question"} {
				m.message("ses/../../x", doneInfo, tool(name, map[string]any{"status": "completed", k: v}))
				m.message("ses/../../x", doneInfo, tool(name, map[string]any{"status": "completed", "input": map[string]any{
					"command": v, "filePath": v, "patchText": v, "todos": v, "questions": v,
				}, "metadata": map[string]any{"exit": v, "files": v, "interrupted": v}}))
			}
		}
	}
	for i, v := range []any{7, 1.5, "", "{", "null", "[]", "\xff\xfe", `{"role":"user","time":{"created":"` + "\xff" + `"}}`, deep, []byte{0, 1, 2}} {
		m.raw("ses/../../x", fmt.Sprintf("msg_z%d", i), startMS+i, v)
		n++
		m.message("ses/../../x", doneInfo, rawPart{v})
	}
	m.message("ses/../../x", userInfo, "bad \xff bytes", json.RawMessage(`{"type":"text","text":"a`+"\xff\xfe"+`b"}`))
	for _, col := range []string{"title", "directory", "parent_id", "revert", "model", "workspace_id", "time_created", "time_updated", "time_archived"} {
		for i, v := range []any{7, 1.5, "text", []byte{0xff, 0xfe}, "\xff", `{"messageID":{"a":1}}`, int64(-1) << 62} {
			id := fmt.Sprintf("ses_%s_%d", col, i)
			m.session(id, "/home/dev/app")
			m.message(id, userInfo, "q")
			m.set(id, col, v)
		}
	}
	m.raw("ses_text_time", "msg_tt", "not a time", encode(t, userInfo), "q")

	m.exec(`COMMIT`)
	s := m.source(newMemory())
	ses, probs := listed(t, s, agent.Query{Archived: true, Subagents: true})
	got := map[string]int{}
	for _, p := range probs {
		got[p.Reason] = p.Count
	}
	// One of the directories and five of the values of each time are of a
	// wrong type: SQLite itself makes texts and numbers of the others.
	if len(got) != 1 || got[reasonOdd] != 11 {
		t.Errorf("problems %v", got)
	}
	if !strings.Contains(ids(ses), "ses_ok") || !strings.Contains(ids(ses), "ses/../../x") {
		t.Errorf("%d sessions", len(ses))
	}
	if len(ses) != 2+9*7 {
		t.Errorf("%d sessions", len(ses))
	}
	pages, broken := 0, 0
	for _, se := range ses {
		for before := agent.Cursor(""); ; pages++ {
			p, err := s.Page(t.Context(), se.Ref, before, 40)
			if err != nil {
				t.Fatalf("%s: %v", se.Ref.ID, err)
			}
			for _, b := range p.Problems {
				broken += b.Count
				if b.Reason != reasonInvalid {
					t.Errorf("%v", b)
				}
			}
			if strings.Contains(fmt.Sprintf("%+v", p.Records), "\xff") {
				t.Error("invalid UTF-8 in a record")
			}
			if before = p.Next; before == "" {
				break
			}
		}
	}
	if pages < 10 || broken < n {
		t.Errorf("%d pages, %d broken rows of %d", pages, broken, n)
	}
}

// rawPart is data of a part as it is.
type rawPart struct{ v any }

func jsonRow(t *testing.T, m map[string]any) json.RawMessage {
	t.Helper()
	return json.RawMessage(encode(t, m))
}

// No text of a row stands in a problem or an error.
func TestH2_ProblemsHoldNoText(t *testing.T) {
	const key = "sk-proj-0123456789abcdefSECRET"
	m := makeDB(t, "opencode.db")
	m.session("ses_1", "/home/dev/app")
	m.set("ses_1", "revert", `{"messageID":"`+key)
	m.raw("ses_1", "msg_1", startMS, `{"role":"user","x":"`+key)
	m.message("ses_1", doneInfo, json.RawMessage(`{"type":"text","text":"`+key))
	s := m.source(nil)
	_, probs := listed(t, s, agent.Query{})
	p := m.page(s, "ses_1", "", 5)
	if len(p.Problems) == 0 {
		t.Fatal("no problem")
	}
	err := s.read(t.Context(), m.path, func(db *sql.DB) error {
		_, err := db.ExecContext(t.Context(), `UPDATE session SET title = 'x'`)
		return err
	})
	if err == nil {
		t.Error("the view can be written")
	}
	all := fmt.Sprintf("%v %+v %v", probs, p.Problems, problemOf(m.path, err))
	if strings.Contains(all, "SECRET") {
		t.Error(all)
	}
}
