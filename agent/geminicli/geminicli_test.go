package geminicli

import (
	"encoding/json"
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

func open(t testing.TB, home string) *Source {
	t.Helper()
	root, err := filepath.Abs(home)
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Root: root})
}

const samples = "../../internal/demo/sessions/gemini"

func TestGolden(t *testing.T) {
	for name, home := range map[string]string{
		"gemini": "testdata/gemini", "gemini-0.28": "testdata/gemini-0.28",
		"gemini-migrated-0.28-to-0.61": "testdata/gemini-migrated-0.28-to-0.61", "samples": samples,
	} {
		t.Run(name, func(t *testing.T) {
			before := agenttest.Snapshot(t, home)
			agenttest.Golden(t, open(t, home), filepath.Join("testdata", name+".golden"))
			if after := agenttest.Snapshot(t, home); marshal(t, before) != marshal(t, after) {
				t.Error("the home was touched")
			}
		})
	}
}

// humans gives the texts of the records a person made.
func humans(recs []recap.Message) []string {
	var out []string
	for _, m := range recs {
		if m.Role != recap.RoleUser {
			continue
		}
		for _, p := range m.Parts {
			if p.Kind == recap.PartText && !p.Synthetic {
				out = append(out, p.Text)
			}
		}
	}
	return out
}

func answers(recs []recap.Message) []string {
	var out []string
	for _, m := range recs {
		for _, p := range m.Parts {
			if m.Role == recap.RoleAssistant && p.Kind == recap.PartText {
				out = append(out, p.Text)
			}
		}
	}
	return out
}

func sessions(t testing.TB, s *Source) []recap.Session {
	t.Helper()
	var out []recap.Session
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// TestTypedPrompts holds the human turns against the agent's own logs of typed
// prompts. Each line of a log is a turn or a command of the program; each turn
// is in the log or was given on the command line.
func TestTypedPrompts(t *testing.T) {
	for _, c := range []struct {
		home  string
		print []string // given with -p: the log is of the terminal alone
	}{
		{"testdata/gemini", []string{"resumed via print"}},
		{samples, nil},
	} {
		t.Run(filepath.Base(c.home), func(t *testing.T) {
			logs, err := filepath.Glob(filepath.Join(c.home, "tmp", "*", "logs.json"))
			if err != nil || len(logs) == 0 {
				t.Fatal(logs, err)
			}
			s := open(t, c.home)
			turns := map[string][]string{}
			for _, x := range sessions(t, s) {
				turns[x.Ref.ID] = humans(agenttest.Records(t, s, x.Ref, 50))
			}
			for _, file := range logs {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var log []struct{ SessionID, Message string }
				if err := json.Unmarshal(b, &log); err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, l := range log {
					if !strings.HasPrefix(l.Message, "/") {
						want = append(want, l.Message)
					}
				}
				got := slices.DeleteFunc(slices.Clone(turns[log[0].SessionID]), func(s string) bool { return slices.Contains(c.print, s) })
				if !slices.Equal(got, want) {
					t.Errorf("%s: turns %q, typed %q", file, got, want)
				}
				for _, p := range c.print {
					if !slices.Contains(turns[log[0].SessionID], p) {
						t.Errorf("%q is no turn", p)
					}
				}
			}
			for _, texts := range turns {
				for _, text := range texts {
					for _, injected := range []string{"<hook_context>", "<session_context>", "<state_snapshot>", "SYSMSG", "CTX-FROM"} {
						if strings.Contains(text, injected) {
							t.Errorf("injected text is a turn: %q", text)
						}
					}
				}
			}
		})
	}
}

// TestSamples holds the samples to what their list says of state and request.
func TestSamples(t *testing.T) {
	b, err := os.ReadFile("../../internal/demo/sessions/stories.json")
	if err != nil {
		t.Fatal(err)
	}
	var stories []struct {
		Agent, ID, Directory, LastRequest string
		Expect                            struct {
			State  string
			AtRest []string
		}
	}
	if err := json.Unmarshal(b, &stories); err != nil {
		t.Fatal(err)
	}
	s := open(t, samples)
	got := map[string]recap.Session{}
	for _, x := range sessions(t, s) {
		got[x.Ref.ID] = x
	}
	n := 0
	for _, st := range stories {
		if st.Agent != "gemini" {
			continue
		}
		n++
		x, ok := got[st.ID]
		if !ok {
			t.Errorf("%s is not listed", st.ID)
			continue
		}
		if string(x.State) != st.Expect.State && !slices.Contains(st.Expect.AtRest, string(x.State)) || x.Directory != st.Directory {
			t.Errorf("%s: state %s in %s, want %s in %s", st.ID, x.State, x.Directory, st.Expect.State, st.Directory)
		}
		if !slices.Contains(humans(agenttest.Records(t, s, x.Ref, 50)), st.LastRequest) {
			t.Errorf("%s: the request %q is not found", st.ID, st.LastRequest)
		}
	}
	if n != len(got) || n == 0 {
		t.Errorf("%d stories, %d sessions", n, len(got))
	}
}

var at0 = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func sec(n int) time.Time { return at0.Add(time.Duration(n) * time.Second) }

// made writes one session and gives it as it is listed.
func made(t testing.TB, fill func(w *writer, id string)) (*Source, recap.Session) {
	t.Helper()
	w := newWriter(t.TempDir())
	id := w.Begin(t, "/home/dev/src/app", at0)
	fill(w, id)
	s := open(t, w.root)
	for _, x := range sessions(t, s) {
		return s, x
	}
	return s, recap.Session{Ref: recap.SessionRef{Agent: recap.Gemini, Root: w.root, ID: id}}
}

func TestState(t *testing.T) {
	noHooks := func(*writer, string) {}
	for _, c := range []struct {
		name  string
		fill  func(w *writer, id string)
		want  recap.State
		waits string
	}{
		{"answered", noHooks, recap.StateIdle, ""},
		{"a notice of a hook after it", func(w *writer, id string) { w.info(t, id, sec(3), "SYSMSG") }, recap.StateIdle, ""},
		{"asked again", func(w *writer, id string) { w.prompt(t, id, sec(3), "more") }, recap.StateUnknown, ""},
		{"an answer that is due", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.add(t, id, gemini("m", sec(4), "", nil), sec(4))
		}, recap.StateUnknown, ""},
		{"a call that ended", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.call(t, id, sec(4), "run_shell_command", obj{"command": "ls"}, "Output: x", "success")
		}, recap.StateUnknown, ""},
		{"a call that waits", func(w *writer, id string) {
			w.raw(t, id, gemini("m", sec(4), "", obj{"toolCalls": []obj{{"id": "c", "name": "run_shell_command", "args": obj{"command": "rm x"}, "status": "awaiting_approval"}}}))
		}, recap.StateWaiting, "approval: run_shell_command rm x"},
		{"a question", func(w *writer, id string) {
			w.raw(t, id, gemini("m", sec(4), "", obj{"toolCalls": []obj{{"id": "c", "name": "ask_user", "args": obj{"questions": []obj{{"question": "Which port?"}}}, "status": "executing"}}}))
		}, recap.StateWaiting, "question: Which port?"},
		{"cancelled, with the list that follows", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.cancel(t, id, sec(4))
			w.info(t, id, sec(5), "SYSMSG-AfterAgent")
		}, recap.StateInterrupted, ""},
		{"failed", func(w *writer, id string) {
			w.prompt(t, id, sec(3), "more")
			w.add(t, id, msgJSON("e", sec(4), "error", obj{"content": `[API Error: {"error":{"code":429,"message":"slow down"}}]`}), sec(4))
			w.info(t, id, sec(4), "This request failed.")
		}, recap.StateFailed, ""},
		{"an error of the program itself", func(w *writer, id string) {
			w.add(t, id, msgJSON("e", sec(4), "error", obj{"content": "Unknown command: /x"}), sec(4))
		}, recap.StateIdle, ""},
		{"compressed", func(w *writer, id string) {
			w.set(t, id, sec(4), user("s", sec(4), "<state_snapshot>x</state_snapshot>"), msgJSON("g", sec(4), "gemini", obj{"content": []obj{{"text": "Got it. Thanks for the additional context!"}}}))
		}, recap.StateIdle, ""},
		{"rewound to the first answer", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), "more")
			w.add(t, id, gemini("m", sec(4), "", nil), sec(4))
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
			w.set(t, id, sec(5), w.lists[id][:2]...)
		}, recap.StateIdle, ""},
		{"rewound further than a listing reads", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), strings.Repeat("long ", 30_000))
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
			w.set(t, id, sec(5), w.lists[id][:2]...)
		}, recap.StateIdle, ""},
		{"the same without a list after it", func(w *writer, id string) {
			p := w.prompt(t, id, sec(3), strings.Repeat("long ", 30_000))
			w.set(t, id, sec(4), w.lists[id][:2]...)
			w.raw(t, id, `{"$rewindTo":"`+p+`"}`)
		}, recap.StateIdle, ""},
		{"a list longer than what a listing reads", func(w *writer, id string) {
			w.prompt(t, id, sec(3), strings.Repeat("long ", 30_000))
			w.set(t, id, sec(9), w.lists[id]...)
		}, recap.StateUnknown, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, x := made(t, func(w *writer, id string) {
				w.prompt(t, id, at0, "first")
				w.answer(t, id, sec(1), "one")
				c.fill(w, id)
			})
			if strings.HasPrefix(c.name, "a list longer") && !x.UpdatedAt.Equal(sec(9)) {
				t.Errorf("updated %v", x.UpdatedAt)
			}
			if x.State != c.want || x.WaitingFor != c.waits || x.Title != "first" {
				t.Errorf("%s %q %q, want %s %q", x.State, x.WaitingFor, x.Title, c.want, c.waits)
			}
		})
	}
}

func TestShell(t *testing.T) {
	ok := func(n int) *int { return &n }
	for _, c := range []struct {
		name, in string
		failed   bool
		out      string
		exit     *int
	}{
		{"well", "<untrusted_context>\nOutput: a\nb\nProcess Group PGID: 1\n</untrusted_context>", false, "a\nb", ok(0)},
		{"with a status", "<untrusted_context>\nOutput: a\nExit Code: 128\nProcess Group PGID: 1\n</untrusted_context>", false, "a", ok(128)},
		{"nothing printed", "Output: (empty)\nProcess Group PGID: 1", false, "", ok(0)},
		{"nothing below", "Output: x", false, "x", ok(0)},
		{"the command prints the like", "Output: Exit Code: 7\nmore\nProcess Group PGID: 1", false, "Exit Code: 7\nmore", ok(0)},
		{"and ends with it", "Output: x\nExit Code: 7\nok", false, "x\nExit Code: 7\nok", ok(0)},
		{"old", "Command: go test\nDirectory: (root)\nOutput: FAIL\nError: (none)\nExit Code: 1\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 9", false, "FAIL", ok(1)},
		{"old, well", "Command: a\nb\nDirectory: x y\nOutput: fine\nError: (none)\nExit Code: 0\nSignal: (none)", false, "fine", ok(0)},
		{"killed", "Output: x\nSignal: 9\nProcess Group PGID: 1", false, "x", nil},
		{"old, no status", "Command: a\nDirectory: x\nOutput: \nError: spawn ENOENT\nExit Code: (none)\nSignal: (none)", false, "", nil},
		{"not framed", "Command timed out", false, "Command timed out", nil},
		{"a failed call", "Output: x", true, "x", nil},
		{"empty", "", false, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, exit := shell(c.in, !c.failed)
			if out != c.out || (exit == nil) != (c.exit == nil) || exit != nil && *exit != *c.exit {
				t.Errorf("%q %v, want %q %v", out, exit, c.out, c.exit)
			}
		})
	}
}

func TestTyped(t *testing.T) {
	for _, c := range []struct {
		name     string
		in       []string
		want     string
		injected bool
	}{
		{"plain", []string{"do it"}, "do it", false},
		{"two parts", []string{"look at", "@a.go"}, "look at\n@a.go", false},
		{"spaces at the start of a line stay", []string{"a:\n  b"}, "a:\n  b", false},
		{"context of a hook before it", []string{"<hook_context>x</hook_context>\n\ndo it"}, "do it", false},
		{"context of two hooks", []string{"<hook_context>x</hook_context><hook_context>y\nz</hook_context>do it"}, "do it", false},
		{"context after it", []string{"do it", "<hook_context>x</hook_context>"}, "do it", false},
		{"context alone", []string{"<hook_context>x</hook_context>"}, "", true},
		{"session context", []string{"<session_context>\nx\n</session_context>"}, "", true},
		{"snapshot", []string{"<state_snapshot>x</state_snapshot>"}, "", true},
		{"a shell line", []string{"I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```"}, "", true},
		{"a slash command", []string{"/compress now"}, "", false},
		{"help", []string{"?"}, "", false},
		{"a question", []string{"? what"}, "? what", false},
		{"a path", []string{"/etc/hosts is wrong"}, "/etc/hosts is wrong", false},
		{"markup of the person", []string{"<div> is wrong"}, "<div> is wrong", false},
		{"files in parts", []string{"explain @a", "\n--- Content from referenced files ---", "\nContent from @a:\n", "secret", "\n--- End of content ---"}, "explain @a", false},
		{"files in the text", []string{"explain @a\n--- Content from referenced files ---\nsecret\n--- End of content ---\nthen go"}, "explain @a\nthen go", false},
		{"files without an end", []string{"explain @a\n--- Content from referenced files ---\nsecret"}, "explain @a", false},
		{"the program's own go-on", []string{"System: Please continue."}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, injected := typed(c.in); got != c.want || injected != c.injected {
				t.Errorf("%q %v, want %q %v", got, injected, c.want, c.injected)
			}
		})
	}
}

func TestToolStatus(t *testing.T) {
	for _, c := range []struct {
		status, out string
		want        recap.ToolStatus
	}{
		{"success", "Output: x", recap.ToolDone},
		{"error", "no such file", recap.ToolFailed},
		{"cancelled", "[Operation Cancelled] Reason: User did not allow tool call", recap.ToolRejected},
		{"cancelled", "[Operation Cancelled] Reason: User denied execution.", recap.ToolRejected},
		{"cancelled", "[Operation Cancelled] Reason: User cancelled tool execution.", recap.ToolStopped},
		{"executing", "", recap.ToolPending},
		{"awaiting_approval", "", recap.ToolWaiting},
	} {
		t.Run(c.status+" "+c.out, func(t *testing.T) {
			s, x := made(t, func(w *writer, id string) {
				w.prompt(t, id, at0, "first")
				w.call(t, id, sec(1), "run_shell_command", obj{"command": "ls"}, c.out, c.status)
			})
			recs := agenttest.Records(t, s, x.Ref, 50)
			tool := recs[len(recs)-1].Parts[0].Tool
			if tool.Status != c.want || (tool.Exit != nil) != (c.status == "success") {
				t.Errorf("%s, exit %v", tool.Status, tool.Exit)
			}
		})
	}
}
