package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func at(minute int) time.Time { return start.Add(time.Duration(minute) * time.Minute) }

// made is a home that a test writes.
type made struct {
	*builder
	t   testing.TB
	src *Source
	n   int // minutes
}

func newMade(t testing.TB) *made {
	t.Helper()
	root := t.TempDir()
	return &made{builder: newBuilder(root), t: t, src: open(root, agenttest.NewIndex())}
}

func (m *made) begin() string {
	m.n++
	return m.Begin(m.t, "/home/dev/src/app", at(m.n))
}

func (m *made) ask(id, text string) string {
	m.n++
	return m.prompt(m.t, id, at(m.n), text)
}

func (m *made) say(id, text string) {
	m.n++
	m.Add(m.t, id, agenttest.Event{Kind: agenttest.Answer, At: at(m.n), Text: text})
}

// user writes a user row with this content (JSON) and these further members.
func (m *made) user(id, content, after string) string {
	m.n++
	return m.chain(m.t, id, at(m.n), `"promptId":"p","type":"user","message":{"role":"user","content":`+content+`}`, after)
}

func (m *made) queue(id, attachment string) {
	m.n++
	m.chain(m.t, id, at(m.n), `"attachment":{"type":"queued_command",`+attachment+`},"type":"attachment"`, "")
}

// turns gives "request → answer" of each turn.
func (m *made) turns(id string) []string {
	m.t.Helper()
	var out []string
	for _, x := range read(m.t, m.src, id, 1000).Turns {
		out = append(out, x.Text+" → "+x.Answer)
	}
	return out
}

func (m *made) want(id string, want ...string) {
	m.t.Helper()
	if got := m.turns(id); !slices.Equal(got, want) {
		m.t.Errorf("turns = %q\nwant    %q", got, want)
	}
}

func (m *made) listed() map[string]recap.Session {
	m.t.Helper()
	out := map[string]recap.Session{}
	for _, s := range sessions(m.t, m.src, agent.Query{}) {
		out[s.Ref.ID] = s
	}
	return out
}

func TestF5_FormatIsNotJudgedByTheFirstRow(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	p := m.path(id)
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, append([]byte(`{"type":"quantum-latch","uuid":{"a":1}}`+"\n"+`{"kind":"unheard of"}`+"\n"), b...), 0o600); err != nil {
		t.Fatal(err)
	}
	m.ask(id, "one")
	m.chain(t, id, at(m.n), `"type":"never-seen","message":{"role":"user","content":"not a prompt"}`, "")
	m.write(t, id, `{"type":"future","message":{"role":"user","content":"no prompt either"}}`)
	m.say(id, "first")
	if s := m.listed()[id]; s.Title != "one" || s.State != recap.StateIdle {
		t.Errorf("%+v", s)
	}
	m.want(id, "one → first")
}

func TestF6_NothingIsLostForAChain(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	// Parents that were never written, again and again the same one.
	for i := range 4 {
		m.leaf[id] = "99999999-0000-4000-8000-000000000000"
		if i%2 == 0 {
			m.leaf[id] = m.uuid()
		}
		m.ask(id, fmt.Sprint("ask ", i))
		// The chain passes through progress rows.
		m.chain(t, id, at(m.n), `"type":"progress","data":{"type":"hook_progress"}`, "")
		m.say(id, fmt.Sprint("say ", i))
	}
	// The same missing parent under two prompts is no branch that was left:
	// the rule asks for a parent that exists. Both stand.
	m.want(id, "ask 0 → say 0", "ask 1 → say 1", "ask 2 → say 2", "ask 3 → say 3")
	// Rows before and after a compaction; the boundary has no parent.
	m.leaf[id] = ""
	m.chain(t, id, at(m.n), `"logicalParentUuid":"x","type":"system","subtype":"compact_boundary","content":"Conversation compacted"`, "")
	m.user(id, `"This session is being continued from a previous conversation that ran out of context."`, `,"isCompactSummary":true,"isVisibleInTranscriptOnly":true`)
	m.ask(id, "after")
	m.say(id, "and on")
	m.want(id, "ask 0 → say 0", "ask 1 → say 1", "ask 2 → say 2", "ask 3 → say 3", "after → and on")
}

func TestRewoundPromptsAreNoTurns(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.say(id, "first")
	fork := m.leaf[id]
	m.ask(id, "left")
	m.say(id, "left answer")
	m.ask(id, "left too")
	m.say(id, "left answer too")
	m.leaf[id] = fork
	m.ask(id, "left again")
	m.Add(t, id, agenttest.Event{Kind: agenttest.Interrupt, At: at(m.n)})
	m.leaf[id] = fork
	m.ask(id, "two")
	m.say(id, "second")
	m.ask(id, "three")
	m.say(id, "third")
	m.want(id, "one → first", "two → second", "three → third")
	for _, n := range []int{1, 2, 3, 4, 5, 50} {
		var got []string
		for _, r := range agenttest.Records(t, m.src, recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: id}, n) {
			if r.Role == recap.RoleUser {
				got = append(got, r.Parts[0].Text)
			}
			if r.Interrupted {
				t.Errorf("pages of %d: the interrupt of a branch that was left stands", n)
			}
		}
		if !slices.Equal(got, []string{"one", "two", "three"}) {
			t.Errorf("pages of %d: %q", n, got)
		}
	}
}

func TestF7_PromptsTypedWhileTheAgentWorked(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.Add(t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "sleep 9"})
	steer := `"prompt":"also the docs","commandMode":"prompt","delivery_id":"d1","origin":{"kind":"human"},"humanTurn":true`
	m.queue(id, steer)
	m.queue(id, steer) // delivered once, written twice
	m.queue(id, `"prompt":"<task-notification>\n<task-id>x</task-id></task-notification>","commandMode":"task-notification","origin":{"kind":"task-notification"}`)
	m.queue(id, `"prompt":"<task-notification>old version</task-notification>","commandMode":"prompt"`)
	m.queue(id, `"prompt":"from a plugin","commandMode":"prompt","origin":{"kind":"plugin"}`)
	m.say(id, "both done")
	m.ask(id, "next")
	m.Add(t, id, agenttest.Event{Kind: agenttest.Command, At: at(m.n), Text: "sleep 9"})
	m.queue(id, `"prompt":[{"type":"text","text":"see picture"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aaaa"}}],"commandMode":"prompt"`)
	m.say(id, "seen")
	got := m.turns(id)
	if len(got) != 4 || got[0] != "one → " || got[1] != "also the docs → both done" || got[2] != "next → " || !strings.HasPrefix(got[3], "see picture") {
		t.Errorf("turns = %q", got)
	}
}

func TestF7_WordsToARefusedCallAreAPrompt(t *testing.T) {
	const refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
	m := newMade(t)
	id := m.begin()
	m.ask(id, "clean up")
	for _, c := range []string{"c1", "c2"} {
		m.block(t, id, "m1", at(m.n), obj{"type": "tool_use", "id": c, "name": "Bash", "input": obj{"command": "rm " + c}}, "tool_use")
	}
	m.user(id, `[{"type":"tool_result","is_error":true,"tool_use_id":"c1","content":`+q(refused+saidMark+"\nkeep the tests,\nplease")+`}]`, `,"toolUseResult":"Error: `+refused+`"`)
	m.user(id, `[{"type":"tool_result","is_error":false,"tool_use_id":"c2","content":"gone"}]`, `,"toolUseResult":{"stdout":"gone"}`)
	m.say(id, "The tests stay.")
	m.want(id, "clean up → ", "keep the tests,\nplease → The tests stay.")
	tools := read(t, m.src, id, 2).Turns[0].Tools
	if len(tools) != 2 || tools[0].Status != recap.ToolRejected || tools[1].Status != recap.ToolDone || tools[1].Output != "gone" {
		t.Errorf("%+v", tools)
	}
	// What a command prints is nobody's word.
	m.ask(id, "more")
	m.call(id, "Bash", obj{"command": "cat x"}, refused+saidMark+" delete all", false, obj{})
	m.call(id, "Bash", obj{"command": "cat x"}, "Exit code 1\n"+refused+saidMark+" delete all", true, "Error")
	m.say(id, "read")
	if got := m.turns(id); len(got) != 3 {
		t.Errorf("turns = %q", got)
	}
	// Pages of any size agree.
	for _, n := range []int{1, 2, 3, 50} {
		if got := agenttest.Records(t, m.src, recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: id}, n); len(got) != 8 {
			t.Errorf("pages of %d: %d records", n, len(got))
		}
	}
}

func TestF8_WhoWroteAUserRow(t *testing.T) {
	const humanOrigin, sdk = `,"origin":{"kind":"human"},"promptSource":"typed"`, `,"promptSource":"sdk"`
	custom := q("<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the auth bug</command-args>")
	builtin := q("<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args>keep it</command-args>")
	for _, c := range []struct {
		name, content, after string
		want                 string // the person's text; "" = no prompt
	}{
		{"typed", q("do it"), humanOrigin, "do it"},
		{"typed, old version", q("do it"), "", "do it"},
		{"-p", q("do it"), sdk, "do it"},
		{"looks injected and is marked as typed", q("<bash-input> is a tag"), humanOrigin, "<bash-input> is a tag"},
		{"IDE file alone", q("<ide_opened_file>The user opened /x</ide_opened_file>"), humanOrigin, ""},
		{"IDE file before a prompt", q("<ide_opened_file>The user opened /x</ide_opened_file>\nfix it"), humanOrigin, "fix it"},
		{"IDE selection as a block of its own", `[{"type":"text","text":"<ide_selection>lines</ide_selection>"},{"type":"text","text":"fix it"}]`, "", "fix it"},
		{"reminders before and after", q("<system-reminder>a</system-reminder><system-reminder>b</system-reminder>\nfix it\n<system-reminder>c</system-reminder>"), "", "fix it"},
		{"a reminder alone", q("<system-reminder>\nnamed\n</system-reminder>"), "", ""},
		{"custom command", custom, humanOrigin, "/review the auth bug"},
		{"custom command, old version", custom, "", "/review the auth bug"},
		{"built-in command", builtin, "", ""},
		{"shell line", q("<bash-input>ls</bash-input>"), "", ""},
		{"shell output", q("<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"), `,"turnOrigin":"human"`, ""},
		{"command output", q("<local-command-stdout>ok</local-command-stdout>"), "", ""},
		{"command error", q("<local-command-stderr>no</local-command-stderr>"), "", ""},
		{"caveat", q("Caveat: The messages below were generated by the user while running local commands."), "", ""},
		{"caveat of today", q("<local-command-caveat>x</local-command-caveat>"), `,"isMeta":true`, ""},
		{"meta", q("Continue from where you left off."), `,"isMeta":true`, ""},
		{"notification", q("<task-notification>x</task-notification>"), `,"origin":{"kind":"task-notification"},"promptSource":"system"`, ""},
		{"notification, old version", q("<task-notification>x</task-notification>"), "", ""},
		{"teammate", q(`<teammate-message from="x">hello</teammate-message>`), "", ""},
		{"another session", q("Another Claude session sent a message: hi"), "", ""},
		{"coordinator", q("go"), `,"origin":{"kind":"coordinator"}`, ""},
		{"auto continuation", q("go"), `,"origin":{"kind":"auto-continuation"}`, ""},
		{"system source", q("go"), `,"promptSource":"system"`, ""},
		{"a cut reminder", q("<system-reminder>never closed"), "", ""},
		{"empty", q("  "), humanOrigin, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMade(t)
			id := m.begin()
			m.ask(id, "before")
			m.say(id, "answer")
			m.user(id, c.content, c.after)
			got := m.turns(id)
			switch {
			case c.want == "" && len(got) != 1:
				t.Errorf("turns = %q", got)
			case c.want != "" && (len(got) != 2 || got[1] != c.want+" → "):
				t.Errorf("turns = %q, want %q", got, c.want)
			}
		})
	}
}

func TestF8_Interrupts(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.Add(t, id, agenttest.Event{Kind: agenttest.Interrupt, At: at(m.n)})
	m.ask(id, "two")
	m.block(t, id, "msg_partial", at(m.n), obj{"type": "text", "text": "half an ans"}, "")
	m.user(id, `[{"type":"text","text":"[Request interrupted by user]"}]`, `,"rowSource":"harness"`)
	m.ask(id, "three")
	m.block(t, id, "msg_tool", at(m.n), obj{"type": "tool_use", "id": "toolu_x", "name": "Bash", "input": obj{"command": "rm -r x"}}, "tool_use")
	m.user(id, `[{"type":"tool_result","content":"The user doesn't want to proceed with this tool use. The tool use was rejected.","is_error":true,"tool_use_id":"toolu_x"}]`, `,"toolUseResult":"User rejected tool use"`)
	m.user(id, `[{"type":"text","text":"[Request interrupted by user for tool use]"}]`, `,"rowSource":"harness"`)
	turns := read(t, m.src, id, 10).Turns
	if len(turns) != 3 {
		t.Fatalf("%d turns", len(turns))
	}
	for i, x := range turns {
		if !x.Interrupted || x.Complete {
			t.Errorf("turn %d = %+v", i, x)
		}
	}
	if turns[1].Answer != "half an ans" {
		t.Errorf("progress = %q", turns[1].Answer)
	}
	if x := turns[2].Tools; len(x) != 1 || x[0].Status != recap.ToolRejected || x[0].Exit != nil {
		t.Errorf("tools = %+v", x)
	}
	if s := m.listed()[id]; s.State != recap.StateInterrupted {
		t.Errorf("state = %q", s.State)
	}
	// Typed on, it is no longer interrupted.
	m.ask(id, "four")
	m.say(id, "done")
	if s := m.listed()[id]; s.State != recap.StateIdle {
		t.Errorf("state = %q", s.State)
	}
}

func TestErrorsOfTheServiceAreNoAnswers(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.chain(t, id, at(m.n), `"type":"assistant","message":{"id":"e1","model":"<synthetic>","role":"assistant","stop_reason":"stop_sequence","content":[{"type":"text","text":"API Error: 529 overloaded"}]},"error":"unknown","isApiErrorMessage":true,"apiErrorStatus":529`, "")
	if s := m.listed()[id]; s.State != recap.StateFailed || s.Model.ID != "" {
		t.Errorf("%+v", s)
	}
	turn := read(t, m.src, id, 1).Turns[0]
	if turn.Answer != "" || turn.Complete || turn.Failure == nil || turn.Failure.Code != "529" {
		t.Errorf("turn = %+v", turn)
	}
	m.chain(t, id, at(m.n), `"type":"assistant","message":{"id":"e2","model":"<synthetic>","role":"assistant","stop_reason":"stop_sequence","content":[{"type":"text","text":"No response requested."}]}`, "")
	if got := m.turns(id); got[0] != "one → " {
		t.Errorf("turns = %q", got)
	}
}

func TestF10_SideChainsAreSkippedBeforeDecoding(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	for range 404 {
		// What is never decoded may be broken.
		m.write(t, id, `{"parentUuid":null,"isSidechain":true,"userType":"external","cwd":"/elsewhere","type":"user","message":{"role":"user","content":"sub agent`)
		m.write(t, id, `{"parentUuid":"a","isSidechain":false,"attachment":{"type":"skill_listing","content":broken`)
		m.write(t, id, `{"type":"api-request-shape","broken`)
		m.write(t, id, `{"parentUuid":"a","isSidechain":false,"type":"system","subtype":"stop_hook_summary",broken`)
	}
	m.say(id, "first")
	p, err := m.src.Page(t.Context(), recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: id}, "", 50)
	if err != nil || len(p.Problems) > 0 || len(p.Records) != 2 {
		t.Errorf("%d records, problems %+v, %v", len(p.Records), p.Problems, err)
	}
	if s := m.listed()[id]; s.Directory != "/home/dev/src/app" {
		t.Errorf("directory = %q", s.Directory)
	}
}

func TestOldVersionsWroteNoStopReason(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.block(t, id, "m1", at(m.n), obj{"type": "text", "text": "I look."}, "")
	m.block(t, id, "m1", at(m.n), obj{"type": "tool_use", "id": "c1", "name": "Bash", "input": obj{"command": "ls"}}, "")
	m.user(id, `[{"tool_use_id":"c1","type":"tool_result","content":"a.txt","is_error":false}]`, `,"toolUseResult":{"stdout":"a.txt","stderr":"","interrupted":false}`)
	m.block(t, id, "m2", at(m.n), obj{"type": "text", "text": "There is a.txt."}, "")
	m.ask(id, "two")
	m.block(t, id, "m3", at(m.n), obj{"type": "text", "text": "Last."}, "")
	d := read(t, m.src, id, 5)
	if !d.Ready || !d.Turns[0].Complete || d.Turns[0].Answer != "There is a.txt." || !d.Turns[1].Complete {
		t.Errorf("%+v", d)
	}
	if s := m.listed()[id]; s.State != recap.StateIdle {
		t.Errorf("state = %q", s.State)
	}
	// While a process works on it, nobody knows.
	m.process(1, id, "busy", true)
	if d := read(t, m.src, id, 5); d.Ready || d.Turns[1].Complete || !d.Turns[0].Complete {
		t.Errorf("%+v", d)
	}
}

func TestF17_TheDirectoryComesFromTheRows(t *testing.T) {
	m := newMade(t)
	long := "/home/dev/" + strings.Repeat("very long name/", 20) + "Übung_1"
	id := m.Begin(t, long, at(1))
	// The folder's name says something else, as it does after 200 characters.
	m.dirs[id] = long
	m.ask(id, "one")
	m.say(id, "first")
	if s := m.listed()[id]; s.Directory != long {
		t.Errorf("directory = %q", s.Directory)
	}
	old := m.path(id)
	slug := filepath.Join(m.root, "projects", "-somewhere-else")
	if err := os.MkdirAll(slug, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, filepath.Join(slug, id+".jsonl")); err != nil {
		t.Fatal(err)
	}
	if s := m.listed()[id]; s.Directory != long {
		t.Errorf("moved: directory = %q", s.Directory)
	}
	m.want(id, "one → first")
	f, err := os.OpenFile(filepath.Join(slug, id+".jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"type":"relocated","relocatedCwd":"/home/dev/new place","sessionId":"` + id + `"}` + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if s := m.listed()[id]; s.Directory != "/home/dev/new place" {
		t.Errorf("relocated: directory = %q", s.Directory)
	}
}

func TestTitles(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "first\n  line\tand \x1b[31mmore "+strings.Repeat("é", 300))
	m.say(id, "ok")
	title := func() string { return m.listed()[id].Title }
	if got := title(); !strings.HasPrefix(got, "first line and more éé") || len([]rune(got)) != 200 {
		t.Errorf("title = %q", got)
	}
	leaf := m.leaf[id]
	other := m.begin()
	m.write(t, other, fmt.Sprintf(`{"type":"summary","summary":"Told elsewhere","leafUuid":%q}`, leaf))
	m.ask(other, "other")
	m.say(other, "ok")
	m.chain(t, id, at(m.n), `"type":"system","subtype":"away_summary","content":"The agent's own recap"`, "")
	if got := m.listed()[other].Title; got != "other" {
		t.Errorf("title of the other = %q", got)
	}
	m.write(t, id, fmt.Sprintf(`{"type":"summary","summary":"A summary","leafUuid":%q}`, leaf))
	if got := title(); got != "A summary" {
		t.Errorf("title = %q", got)
	}
	m.write(t, id, `{"type":"ai-title","aiTitle":"By the agent"}`)
	if got := title(); got != "By the agent" {
		t.Errorf("title = %q", got)
	}
	m.write(t, id, `{"type":"custom-title","customTitle":"Mine, old"}`, `{"type":"custom-title","customTitle":"Mine"}`, `{"type":"ai-title","aiTitle":"Later by the agent"}`)
	if got := title(); got != "Mine" {
		t.Errorf("title = %q", got)
	}
	m.Add(t, id, agenttest.Event{Kind: agenttest.Noise, At: at(m.n), Size: 300 << 10})
	if got := title(); got != "Mine" {
		t.Errorf("title at the head alone = %q", got)
	}
}

func TestF18_SessionsOfProgramsAreNotListed(t *testing.T) {
	m := newMade(t)
	headless := func(text string) string {
		id := m.begin()
		m.user(id, q(text), `,"promptSource":"sdk","turnOrigin":"sdk"`)
		m.say(id, "ok")
		return id
	}
	person := headless("what does main.go do?")
	warm := headless("Warmup")
	var many []string
	for i := range 6 {
		many = append(many, headless(fmt.Sprintf("You are a helper that sorts the tickets of a project by urgency. Ticket %d: it burns", i)))
	}
	typed := m.begin()
	m.ask(typed, "You are a helper that sorts the tickets of a project by urgency. Ticket 9: it burns")
	m.say(typed, "ok")
	opened := m.begin() // and left
	list := m.listed()
	for _, id := range append([]string{warm, opened}, many...) {
		if _, ok := list[id]; ok {
			t.Errorf("listed: %q", list[id].Title)
		}
	}
	for _, id := range []string{person, typed} {
		if _, ok := list[id]; !ok {
			t.Errorf("%s is not listed", id)
		}
	}
	// They can still be asked for by name.
	m.want(warm, "Warmup → ok")
}

func TestResumeCommand(t *testing.T) {
	s := recap.Session{Ref: recap.SessionRef{ID: "abc"}, Directory: "/home/dev/x y"}
	for _, c := range []struct {
		origin string
		want   string
	}{{"default", "claude --resume abc"}, {"env CLAUDE_CONFIG_DIR", "claude --resume abc"}, {"config", "env CLAUDE_CONFIG_DIR=/home/dev/.claude2 claude --resume abc"}} {
		dir, argv := New(Config{Root: "/home/dev/.claude2", Origin: c.origin}).ResumeCommand(s)
		if dir != "/home/dev/x y" || strings.Join(argv, " ") != c.want {
			t.Errorf("%s: %q %q", c.origin, dir, argv)
		}
	}
	s.Ref.ID = "--dangerously-skip-permissions"
	if _, argv := New(Config{}).ResumeCommand(s); argv != nil {
		t.Errorf("an option as an id: %q", argv)
	}
}
