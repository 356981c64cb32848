package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/dialog"
)

// pages lets package dialog read a session of a source.
type pages struct {
	src agent.Source
	ref recap.SessionRef
}

func (p pages) Page(ctx context.Context, before string, n int) (dialog.Page, error) {
	x, err := p.src.Page(ctx, p.ref, agent.Cursor(before), n)
	return dialog.Page{Records: x.Records, Next: string(x.Next), Bytes: x.Bytes}, err
}

// turns reads all human turns of a session.
func turns(t *testing.T, s *Source, id string) dialog.Dialog {
	t.Helper()
	d, err := dialog.Read(t.Context(), pages{s, recap.SessionRef{Agent: recap.Codex, Root: s.home.Root, ID: id}},
		dialog.Limits{Turns: 1000, PageSize: 3})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func askedOf(d dialog.Dialog) []string {
	var out []string
	for _, x := range d.Turns {
		out = append(out, x.Text)
	}
	return out
}

// TestClasses compares the human turns with Codex's own log of typed prompts.
// Each line of the log is a turn, or of one of two classes; each turn stands
// in the log, or is of one of two others.
func TestClasses(t *testing.T) {
	s := open(t, "codex")
	list, _ := all(t, s, agent.Query{Archived: true})
	body, err := os.ReadFile(filepath.Join("testdata", "codex", "history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	logged := map[string][]string{}
	for line := range strings.Lines(string(body)) {
		var l struct {
			ID   string `json:"session_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		logged[l.ID] = append(logged[l.ID], l.Text)
	}
	classes := map[string]int{}
	rewound := map[string]bool{"plain question before rewind": true}
	exec := map[string]bool{"01a229c4-2431-7520-8540-f0b3a764e0cb": true, "01a229c4-8eb9-7be0-847e-dec884599f22": true, "01a229c4-be62-7280-810f-49cbefaf889c": true}
	total := 0
	for _, x := range list {
		got := askedOf(turns(t, s, x.Ref.ID))
		for _, l := range logged[x.Ref.ID] {
			switch {
			case slices.Contains(got, l):
				classes["turn"]++
			case strings.HasPrefix(l, "!"):
				classes["shell line"]++
			case rewound[l]:
				classes["rewound"]++
			default:
				t.Errorf("%s: typed and not found: %q", x.Ref.ID, l)
			}
			total++
		}
		for _, g := range got {
			switch {
			case slices.Contains(logged[x.Ref.ID], g):
			case exec[x.Ref.ID]:
				classes["exec"]++
			default:
				t.Errorf("%s: a turn that nobody typed: %q", x.Ref.ID, g)
			}
		}
	}
	want := map[string]int{"turn": 10, "shell line": 1, "rewound": 1, "exec": 3}
	if fmt.Sprint(classes) != fmt.Sprint(want) || total != 12 {
		t.Errorf("classes of %d lines = %v, want %v", total, classes, want)
	}
}

// TestNothingIsWritten reads every recording in every way and compares.
func TestNothingIsWritten(t *testing.T) {
	before := tree(t, "testdata")
	for _, home := range homes() {
		s := open(t, home)
		list, _ := all(t, s, agent.Query{Archived: true, Subagents: true})
		for _, x := range list {
			records(t, s, x.Ref.ID, 2)
		}
	}
	after := tree(t, "testdata")
	if len(before) != len(after) {
		t.Fatalf("%d files before, %d after", len(before), len(after))
	}
	for path, b := range before {
		if after[path] != b {
			t.Errorf("%s changed", path)
		}
	}
}

// rollouts is a home made of lines.
type rollouts struct {
	t    *testing.T
	root string
	src  *Source
	at   time.Time
}

func newRollouts(t *testing.T) *rollouts {
	t.Helper()
	root := t.TempDir()
	return &rollouts{t: t, root: root, src: New(Config{Root: root}), at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
}

// tid gives the id of a thread made n minutes after the beginning.
func (h *rollouts) tid(n int) string { return uuid7(h.at.Add(time.Duration(n)*time.Minute), n) }

// file writes a rollout below sessions; name is what follows the time.
func (h *rollouts) file(name string, lines ...string) string {
	h.t.Helper()
	path := filepath.Join(h.root, "sessions", "2026", "03", "01", "rollout-2026-03-01T09-00-00-"+name)
	return h.put(path, lines...)
}

func (h *rollouts) put(path string, lines ...string) string {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	b := []byte(strings.Join(lines, "\n") + "\n")
	if strings.HasSuffix(path, ".zst") {
		b = pack(h.t, b)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// line makes a row of a time in milliseconds after the beginning.
func (h *rollouts) line(ms, ordinal int, typ, payload string) string {
	o := ""
	if ordinal >= 0 {
		o = fmt.Sprintf(`"ordinal":%d,`, ordinal)
	}
	return fmt.Sprintf(`{"timestamp":%q,%s"type":%q,"payload":%s}`, h.at.Add(time.Duration(ms)*time.Millisecond).Format("2006-01-02T15:04:05.000Z"), o, typ, payload)
}

func (h *rollouts) meta(ms int, id, more string) string {
	return h.line(ms, -1, "session_meta", `{"id":"`+id+`","timestamp":"`+h.at.Add(time.Duration(ms)*time.Millisecond).Format(time.RFC3339Nano)+`","cwd":"/home/dev/x","source":"cli"`+more+`}`)
}

// turn makes the rows of a turn with an id, from an ordinal on (-1: none).
func (h *rollouts) turn(ms, ordinal int, id, prompt, answer string) []string {
	n := func(k int) int {
		if ordinal < 0 {
			return -1
		}
		return ordinal + k
	}
	pass := `,"internal_chat_message_metadata_passthrough":{"turn_id":"` + id + `","content_item_kinds":["user.text"]}`
	if id == "" {
		pass = ""
	}
	var l []string
	if id != "" {
		l = append(l, h.line(ms, n(0), "event_msg", `{"type":"task_started","turn_id":"`+id+`"}`))
	}
	l = append(l, h.line(ms, n(1), "response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+prompt+`"}]`+pass+`}`))
	if answer != "" {
		l = append(l, h.line(ms+1000, n(2), "response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+answer+`"}]}`))
		if id != "" {
			l = append(l, h.line(ms+1001, n(3), "event_msg", `{"type":"task_complete","turn_id":"`+id+`","last_agent_message":"`+answer+`"}`))
		}
	}
	return l
}

func (h *rollouts) list(q agent.Query) []recap.Session {
	h.t.Helper()
	l, problems := all(h.t, h.src, q)
	if len(problems) > 0 {
		h.t.Errorf("problems: %v", problems)
	}
	return l
}

func (h *rollouts) one() recap.Session {
	h.t.Helper()
	l := h.list(agent.Query{Archived: true})
	if len(l) != 1 {
		h.t.Fatalf("%d sessions: %+v", len(l), l)
	}
	return l[0]
}

func (h *rollouts) prompts(id string) string {
	h.t.Helper()
	a := strings.Join(askedOf(turns(h.t, h.src, id)), "|")
	recs, _ := records(h.t, h.src, id, 1000)
	var b []string
	for _, m := range recs {
		if m.Role == recap.RoleUser {
			b = append(b, m.Parts[0].Text)
		}
	}
	if s := strings.Join(b, "|"); s != a {
		h.t.Errorf("one page gives %q, small pages give %q", s, a)
	}
	return a
}

func cat(lists ...[]string) []string { return slices.Concat(lists...) }

// base names the place up to which earlier lines hold.
func base(key string, ordinal int, lines ...string) string {
	return fmt.Sprintf(`,"history_mode":"paginated","history_base":{"thread_id":%q,"end_ordinal_exclusive":%d,"end_byte_offset":%d}`,
		key, ordinal, len(strings.Join(lines, "\n"))+1)
}

func TestF12_RenamedTitles(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"))...)
	index := filepath.Join(h.root, "session_index.jsonl")
	name := func(s string) string {
		return `{"id":"` + id + `","thread_name":"` + s + `","updated_at":"2026-03-01T09:00:00Z"}`
	}
	stamp := h.one().Stamp
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{name("first")}, "first"},
		{[]string{name("first"), "not json", `{"id":7,"thread_name":[]}`, name("second\\nline  here"), `{"id":"other","thread_name":"x"}`}, "second line here"},
		{[]string{name("first"), name(strings.Repeat("é", 300))}, strings.Repeat("é", 199) + "…"},
		{[]string{name("")}, "one"},
		{[]string{strings.Repeat(name("old")+"\n", 100_000), name("last")}, "last"},
	} {
		h.put(index, c.lines...)
		x := h.one()
		if x.Title != c.want {
			t.Errorf("title = %q, want %q", x.Title, c.want)
		}
		if x.Stamp != stamp {
			t.Error("a name is no part of the transcript")
		}
	}
}

func TestF5_FirstRowsOfUnknownTypes(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{`{"timestamp":"2026-03-01T09:00:00Z","type":"brand_new","payload":{"id":"nobody"}}`, "17", h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"))...)
	list, problems := all(t, h.src, agent.Query{})
	if len(list) != 1 || list[0].Ref.ID != id || list[0].Title != "one" {
		t.Errorf("sessions = %+v", list)
	}
	if len(problems) != 1 || problems[0].Count != 1 {
		t.Errorf("the number is no row: %v", problems)
	}
	if got := h.prompts(id); got != "one" {
		t.Errorf("prompts = %q", got)
	}
	// Without a session_meta at all the name tells the id.
	other := h.tid(5)
	h.file(other+".jsonl", h.turn(400_000, -1, "t1", "nameless", "1")...)
	if got := h.prompts(other); got != "nameless" {
		t.Errorf("prompts = %q", got)
	}
}

func TestF4_UTF16AndNoise(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"))...)
	h.file(h.tid(1)+".jsonl", "\xff\xfe"+strings.Join(strings.Split(h.meta(0, h.tid(1), ""), ""), "\x00")+"\x00")
	h.file(h.tid(2)+".jsonl", "\x00\x00\x00", "no rows", "here")
	list, problems := all(t, h.src, agent.Query{})
	if len(list) != 1 || list[0].Ref.ID != id {
		t.Errorf("listed: %+v", list)
	}
	if len(problems) != 2 || problems[0].Reason != skipUnreadable {
		t.Errorf("problems: %v", problems)
	}
}

func TestF2_FirstRowLongerThanTheHead(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{h.line(0, 0, "session_meta", `{"id":"`+id+`","timestamp":"2026-03-01T09:00:00Z","cwd":"/home/dev/x","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}},"base_instructions":{"text":"`+strings.Repeat("x", 300_000)+`"},"history_mode":"paginated"}`)},
		h.turn(1000, 1, "t1", "one", ""))...)
	l := h.list(agent.Query{Subagents: true})
	if len(l) != 1 || l[0].ParentID != "p" || l[0].Directory != "/home/dev/x" || l[0].State != recap.StateUnknown {
		t.Errorf("listed: %+v", l)
	}
	if got := h.prompts(id); got != "one" {
		t.Errorf("prompts = %q", got)
	}
}

func TestF17_DirectoryOfTheNewestRow(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	long := "/home/dev/" + strings.Repeat("длинный_каталог ", 30)
	h.file(id+".jsonl", cat([]string{h.meta(0, id, `,"git":{"branch":"main"}`), h.line(1, -1, "turn_context", `{"cwd":"/home/dev/a b_ü","model":"m1"}`)}, h.turn(1000, -1, "t1", "one", "1"),
		[]string{h.line(60_000, -1, "turn_context", `{"cwd":"`+long+`","model":"m2"}`)}, h.turn(60_001, -1, "t2", "two", "2"))...)
	if x := h.one(); x.Directory != long || x.Model.ID != "m2" || x.Branch != "main" {
		t.Errorf("session = %+v", x)
	}
}

func TestF18_WhoseSessionsAreListed(t *testing.T) {
	exec := `,"originator":"codex_exec","source":"exec"`
	sub := func(s string) string { return `,"source":{"subagent":` + s + `}` }
	for _, c := range []struct {
		name, meta, prompt string
		want               string // listed, subagent, no
	}{
		{"a person's", "", "Fix the test", "listed"},
		{"a person's own call of exec", exec, "Fix the test in a.go and run it", "listed"},
		{"a call of exec that casts a role", exec, "You are a commit message writer. Summarise the diff.", "no"},
		{"a call of exec for a program", exec, "Summarise what follows. Return only valid JSON with the keys a and b.", "no"},
		{"a call of exec with a whole transcript", exec, strings.Repeat("user: hello there ", 1000), "no"},
		{"a person who casts a role on the screen", "", "You are a pirate. Fix the test", "listed"},
		{"a title generator in an app", "", "You are a helpful assistant. You will be presented with a user prompt, and your job is to provide a short title for it", "no"},
		{"a sub-agent", sub(`{"thread_spawn":{"parent_thread_id":"p","depth":1}}`) + `,"thread_source":"subagent"`, "Look at a.go", "subagent"},
		{"a sub-agent by its parent alone", `,"parent_thread_id":"p","thread_source":"subagent"`, "Look at a.go", "subagent"},
		{"a review", sub(`"review"`), "Review the changes", "no"},
		{"a guardian", sub(`{"other":"guardian"}`), "Judge this", "no"},
		{"a guardian by its thread source", `,"thread_source":"guardian_review"`, "Judge this", "no"},
		{"the system's", `,"thread_source":"system"`, "Tidy up", "no"},
		{"memories", sub(`"memory_consolidation"`), "Remember", "no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newRollouts(t)
			id := h.tid(0)
			meta := strings.Replace(h.meta(0, id, ""), `,"source":"cli"}`, c.meta+`}`, 1)
			h.file(id+".jsonl", cat([]string{meta}, h.turn(1000, -1, "t1", c.prompt, "1"))...)
			got := "no"
			if l := h.list(agent.Query{Subagents: true}); len(l) == 1 {
				if got = "listed"; l[0].ParentID != "" {
					got = "subagent"
				}
			}
			if n := len(h.list(agent.Query{})); n > 0 != (c.want == "listed") {
				t.Errorf("%d in the usual list", n)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	// A headless session that a person goes on with is the person's.
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{strings.Replace(h.meta(0, id, ""), `"source":"cli"`, `"source":"exec"`, 1)}, h.turn(1000, -1, "t1", "You are a reviewer.", "1"), h.turn(60_000, -1, "t2", "And now fix it", "2"))...)
	h.one()
}

func TestF20_DeletedTranscript(t *testing.T) {
	h := newRollouts(t)
	index := agenttest.NewIndex()
	h.src = New(Config{Root: h.root, Index: index})
	id := h.tid(0)
	path := h.file(id+".jsonl", cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "one", "1"))...)
	h.one()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if l := h.list(agent.Query{}); len(l) != 0 {
		t.Errorf("listed: %+v", l)
	}
	if e, ok := index.Lookup(path); !ok || e.Session.Ref.ID != id {
		t.Error("what was known is gone") // its keeper decides, not the source
	}
	if _, err := h.src.Page(t.Context(), recap.SessionRef{Agent: recap.Codex, Root: h.root, ID: id}, "", 1); recap.CodeOf(err) != recap.CodeSessionNotFound {
		t.Errorf("err = %v", err)
	}
}

// escalated is a call with further arguments.
func escalated(more string) string {
	args, err := json.Marshal(`{"cmd":"rm -rf index",` + more + `}`)
	if err != nil {
		panic(err)
	}
	return `{"type":"function_call","name":"exec_command","arguments":` + string(args) + `,"call_id":"c9"}`
}

func TestStates(t *testing.T) {
	call := `{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"go test\"}","call_id":"c1"}`
	for _, c := range []struct {
		name    string
		rows    []string // event or item payloads after the prompt
		state   recap.State
		waiting string
		end     dialog.End
	}{
		{"asked", nil, recap.StateUnknown, "", dialog.EndUnanswered},
		{"works", []string{call}, recap.StateUnknown, "", dialog.EndWorking},
		{"complete", []string{`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}`, `{"type":"task_complete","turn_id":"t1"}`}, recap.StateIdle, "", dialog.EndComplete},
		{"text without the end of the turn", []string{`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}`}, recap.StateUnknown, "", dialog.EndWorking},
		{"the answer stands in the event alone", []string{`{"type":"task_complete","turn_id":"t1","last_agent_message":"ok"}`}, recap.StateIdle, "", dialog.EndComplete},
		{"stopped", []string{call, `{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`}, recap.StateInterrupted, "", dialog.EndInterrupted},
		{"stopped before it began", []string{`{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`}, recap.StateInterrupted, "", dialog.EndInterrupted},
		{"failed", []string{`{"type":"task_complete","turn_id":"t1","error":{"message":"limit","codex_error_info":{"http_connection_failed":{"http_status_code":429}}}}`}, recap.StateFailed, "", dialog.EndFailed},
		{"failed, older", []string{`{"type":"error","message":"limit","codex_error_info":"usage_limit_exceeded"}`, `{"type":"task_complete","turn_id":"t1"}`}, recap.StateFailed, "", dialog.EndFailed},
		{"approval", []string{call, `{"type":"exec_approval_request","call_id":"c1","command":["bash","-lc","go test"]}`}, recap.StateWaiting, "approval: exec_command go test", dialog.EndWaiting},
		{"approval of a patch", []string{call, `{"type":"apply_patch_approval_request","call_id":"c1","changes":{"/home/dev/x/a.go":{}}}`}, recap.StateWaiting, "approval: apply_patch /home/dev/x/a.go", dialog.EndWaiting},
		{"approved", []string{call, `{"type":"exec_approval_request","call_id":"c1","command":["ls"]}`, `{"type":"function_call_output","call_id":"c1","output":"ok"}`}, recap.StateUnknown, "", dialog.EndWorking},
		{"asks to leave the sandbox", []string{escalated(`"sandbox_permissions":"require_escalated","justification":"May I?"`)}, recap.StateUnknown, "approval: exec_command rm -rf index", dialog.EndWaiting},
		{"asks, older", []string{escalated(`"with_escalated_permissions":true`)}, recap.StateUnknown, "approval: exec_command rm -rf index", dialog.EndWaiting},
		{"gives a reason", []string{escalated(`"justification":"May I?"`)}, recap.StateUnknown, "approval: exec_command rm -rf index", dialog.EndWaiting},
		{"asks for nothing", []string{escalated(`"sandbox_permissions":"use_default","justification":""`)}, recap.StateUnknown, "", dialog.EndWorking},
		{"two calls, one asks and one is done", []string{escalated(`"sandbox_permissions":"require_escalated"`), call, `{"type":"function_call_output","call_id":"c1","output":"ok"}`}, recap.StateUnknown, "approval: exec_command rm -rf index", dialog.EndWaiting},
		{"asked and allowed", []string{escalated(`"sandbox_permissions":"require_escalated"`), `{"type":"function_call_output","call_id":"c9","output":"ok"}`}, recap.StateUnknown, "", dialog.EndWorking},
		{"asked and stopped", []string{escalated(`"sandbox_permissions":"require_escalated"`), `{"type":"turn_aborted","turn_id":"t1"}`}, recap.StateInterrupted, "", dialog.EndInterrupted},
		{"nobody is asked", []string{`{"type":"turn_context","approval_policy":"never"}`, escalated(`"sandbox_permissions":"require_escalated"`)}, recap.StateUnknown, "", dialog.EndWorking},
		{"another program is asked", []string{`{"type":"turn_context","approval_policy":"on-request","approvals_reviewer":"guardian"}`, escalated(`"sandbox_permissions":"require_escalated"`)}, recap.StateUnknown, "", dialog.EndWorking},
		{"question", []string{`{"type":"function_call","name":"request_user_input","arguments":"{\"questions\":[{\"question\":\"Which port?\"}]}","call_id":"c1"}`}, recap.StateWaiting, "question: Which port?", dialog.EndWaiting},
		{"question, stopped", []string{`{"type":"function_call","name":"request_user_input","arguments":"{\"questions\":[{\"question\":\"Which port?\"}]}","call_id":"c1"}`, `{"type":"turn_aborted","turn_id":"t1"}`}, recap.StateInterrupted, "", dialog.EndInterrupted},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newRollouts(t)
			id := h.tid(0)
			lines := cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "Do it", ""))
			for i, r := range c.rows {
				typ := "event_msg"
				if strings.HasPrefix(r, `{"type":"function`) || strings.HasPrefix(r, `{"type":"message`) {
					typ = "response_item"
				}
				if strings.HasPrefix(r, `{"type":"turn_context`) {
					typ = "turn_context"
				}
				lines = append(lines, h.line(2000+i, -1, typ, r))
			}
			h.file(id+".jsonl", append(lines, h.line(9000, -1, "event_msg", `{"type":"token_count","info":null}`))...)
			x := h.one()
			if x.State != c.state || x.WaitingFor != c.waiting {
				t.Errorf("state %s %q, want %s %q", x.State, x.WaitingFor, c.state, c.waiting)
			}
			if want := h.at.Add(time.Duration(1999+len(c.rows)) * time.Millisecond); len(c.rows) > 0 && !x.UpdatedAt.Equal(want) {
				t.Errorf("updated %v, want %v", x.UpdatedAt, want)
			}
			d := turns(t, h.src, id)
			if d.End != c.end {
				t.Errorf("the dialog ends %q, want %q", d.End, c.end)
			}
			// The next turn begins: whatever had no end is over now.
			h.file(id+".jsonl", cat(lines, h.turn(60_000, -1, "t2", "Next", "done"))...)
			d = turns(t, h.src, id)
			if len(d.Turns) != 2 || !d.Turns[1].Complete {
				t.Fatalf("turns = %+v", d.Turns)
			}
			open := c.state == recap.StateUnknown || c.state == recap.StateWaiting
			if first := d.Turns[0]; first.Interrupted != (open || c.state == recap.StateInterrupted) {
				t.Errorf("the turn before: interrupted = %v", first.Interrupted)
			}
		})
	}
}

func TestShellLineKeepsTheState(t *testing.T) {
	h := newRollouts(t)
	id := h.tid(0)
	h.file(id+".jsonl", cat([]string{h.meta(0, id, "")}, h.turn(1000, -1, "t1", "Do it", ""), []string{
		h.line(2000, -1, "event_msg", `{"type":"turn_aborted","turn_id":"t1"}`),
		h.line(3000, -1, "event_msg", `{"type":"task_started","turn_id":"t2"}`),
		h.line(3001, -1, "event_msg", `{"type":"item_completed","item":{"type":"CommandExecution","id":"x","command":["ls"],"source":"user_shell","exit_code":0}}`),
		h.line(3002, -1, "response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_shell_command>\nls\n</user_shell_command>"}]}`),
		h.line(3003, -1, "event_msg", `{"type":"task_complete","turn_id":"t2","last_agent_message":null}`),
	})...)
	if x := h.one(); x.State != recap.StateInterrupted {
		t.Errorf("state = %s", x.State)
	}
	if d := turns(t, h.src, id); len(d.Turns) != 1 || !d.Turns[0].Interrupted {
		t.Errorf("turns = %+v", d.Turns)
	}
}

// TestLongTurn reads a turn of many calls: a page may end in it, no call is
// parted from its result, and no answer on the way is taken for the last.
func TestLongTurn(t *testing.T) {
	const n = 6000
	for _, c := range []struct {
		name     string
		legacy   bool
		overlap  bool // each call begins before the one before it ended
		minPages int
	}{{name: "turn ids", minPages: 3}, {name: "no turn ids", legacy: true, minPages: 3}, {name: "overlapping calls", overlap: true, minPages: 1}} {
		t.Run(c.name, func(t *testing.T) {
			h := newRollouts(t)
			id := h.tid(0)
			turn, mode := func(s string) string { return s }, `,"history_mode":"paginated"`
			if c.legacy {
				turn, mode = func(string) string { return "" }, ""
			}
			lines := cat([]string{h.meta(0, id, mode)}, h.turn(1000, -1, turn("t0"), "Before", "ok"), h.turn(50_000, -1, turn("t1"), "Do it all", ""))
			result := func(at, i int) string {
				return h.line(at, -1, "response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"c%d","output":"Exit code: 0\nOutput:\n%d"}`, i, i))
			}
			for i := range n {
				at := 60_000 + i*10
				lines = append(lines, h.line(at, -1, "response_item", fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"on %d"}]}`, i)),
					h.line(at+1, -1, "response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"step %d\"}","call_id":"c%d"}`, i, i)))
				if j := i - 1; c.overlap && j >= 0 {
					lines = append(lines, result(at+2, j))
				} else if !c.overlap {
					lines = append(lines, result(at+2, i))
				}
				if !c.overlap { // a text of its own stands before each next call
					lines = append(lines, h.line(at+3, -1, "response_item", fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"did %d"}]}`, i)))
				}
			}
			if c.overlap {
				lines = append(lines, result(890_000, n-1))
			}
			lines = append(lines, h.line(900_000, -1, "response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"All done"}]}`))
			if !c.legacy {
				lines = append(lines, h.line(900_001, -1, "event_msg", `{"type":"task_complete","turn_id":"t1"}`))
			}
			h.file(id+".jsonl", lines...)
			h.one()
			got, pages := records(t, h.src, id, 10)
			if pages < c.minPages {
				t.Errorf("%d pages", pages)
			}
			seen, stops := 0, 0
			for _, m := range got {
				for _, p := range m.Parts {
					if p.Tool == nil {
						continue
					}
					if want := fmt.Sprintf("step %d", seen); p.Tool.Command != want || p.Tool.Status != recap.ToolDone || p.Tool.Output != strconv.Itoa(seen) {
						t.Fatalf("call %d = %s", seen, show(*p.Tool))
					}
					seen++
				}
				if m.Interrupted {
					t.Fatalf("%s is interrupted", m.ID)
				}
				if m.Finish == recap.FinishStop {
					stops++
				}
			}
			if seen != n || stops != 2 {
				t.Errorf("%d calls, %d finished answers", seen, stops)
			}
			if d := turns(t, h.src, id); len(d.Turns) != 2 || !d.Turns[1].Complete || d.Turns[1].Answer != "All done" || !d.Turns[0].Complete {
				t.Errorf("%d turns, end %s", len(d.Turns), d.End)
			}
		})
	}
}

func TestNothingAskedYet(t *testing.T) {
	h := newRollouts(t)
	h.file(h.tid(0)+".jsonl", h.meta(0, h.tid(0), ""), user(agentsMD))
	if l := h.list(agent.Query{Archived: true, Subagents: true}); len(l) != 0 {
		t.Errorf("listed: %+v", l)
	}
}

func TestResumeCommand(t *testing.T) {
	x := recap.Session{Ref: recap.SessionRef{ID: "abc"}, Directory: "/home/dev/x"}
	dir, argv := New(Config{Root: "/home/dev/.codex", Origin: "default"}).ResumeCommand(x)
	if dir != "/home/dev/x" || fmt.Sprint(argv) != "[codex resume abc]" {
		t.Errorf("%s %v", dir, argv)
	}
	if _, argv := New(Config{Root: "/srv/codex", Origin: "config"}).ResumeCommand(x); runtime.GOOS != "windows" && fmt.Sprint(argv) != "[env CODEX_HOME=/srv/codex codex resume abc]" {
		t.Errorf("%v", argv)
	}
	x.Ref.ID = "--help"
	if _, argv := New(Config{Root: "/home/dev/.codex"}).ResumeCommand(x); argv != nil {
		t.Errorf("%v", argv)
	}
}

func TestHome(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		root, problem string
		found         bool
	}{{dir, "", true}, {filepath.Join(dir, "none"), "", false}, {file, "not a folder", true}} {
		h := New(Config{Root: c.root, Origin: "default"}).Home()
		if h.Found != c.found || h.Problem != c.problem || h.Name != "codex" {
			t.Errorf("%s: %+v", c.root, h)
		}
	}
}
