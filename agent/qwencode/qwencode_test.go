package qwencode

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

func open(t *testing.T, home string) *Source {
	t.Helper()
	root, err := filepath.Abs(home)
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Root: root, Alive: func(int, time.Time) (bool, bool) { return false, true }})
}

func TestGolden(t *testing.T) {
	for name, home := range map[string]string{
		"qwen": "testdata/qwen", "qwen-0.5": "testdata/qwen-0.5", "samples": "../../internal/demo/sessions/qwen",
	} {
		t.Run(name, func(t *testing.T) {
			agenttest.Golden(t, open(t, home), filepath.Join("testdata", name+".golden"))
		})
	}
}

// human gives the texts of the records a person made.
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

// TestTypedPrompts holds the human turns against the agent's own log of typed
// prompts. Each line of the log is a turn or of a named class; each turn is in
// the log or of a named class.
func TestTypedPrompts(t *testing.T) {
	b, err := os.ReadFile("testdata/qwen/logs.json")
	if err != nil {
		t.Fatal(err)
	}
	var log []struct{ SessionID, Message string }
	if err := json.Unmarshal(b, &log); err != nil {
		t.Fatal(err)
	}
	// What the person did with /rewind took these out again.
	rewound := []string{"print resumed qwen"}
	s := open(t, "testdata/qwen")
	seen := map[string]int{}
	var main recap.SessionRef
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range humans(agenttest.Records(t, s, x.Ref, 50)) {
			seen[squash(h)]++
		}
		if x.Ref.ID == log[0].SessionID {
			main = x.Ref
		}
	}
	typed := map[string]int{}
	for _, l := range log {
		text := squash(strip(l.Message))
		typed[text]++
		switch {
		case strings.HasPrefix(text, "/"): // built-in slash command
			if seen[text] > 0 {
				t.Errorf("the slash command %q is a turn", text)
			}
		case slices.Contains(rewound, text):
			if seen[text] > 0 {
				t.Errorf("the rewound prompt %q is a turn", text)
			}
		case seen[text] == 0:
			t.Errorf("typed and no turn: %q", text)
		}
	}
	extra := 0
	for _, m := range agenttest.Records(t, s, main, 50) {
		for _, h := range humans([]recap.Message{m}) {
			if typed[squash(h)] == 0 { // steering, or -p
				extra++
				if !strings.Contains(h, "steer") && !strings.Contains(h, "slowly") && !strings.Contains(h, "resumed") {
					t.Errorf("a turn that nobody typed: %q", h)
				}
			}
		}
	}
	if extra == 0 {
		t.Error("the steering prompts of the recording are not found")
	}
	for text := range seen {
		for _, injected := range []string{"<qwen:", "<system-reminder>", "<task-notification>", "CTX-FROM"} {
			if strings.Contains(text, injected) {
				t.Errorf("injected text is a turn: %q", text)
			}
		}
	}
}

func squash(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), `" @@`, `"@@`)
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
	s := open(t, "../../internal/demo/sessions/qwen")
	got := map[string]recap.Session{}
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		got[x.Ref.ID] = x
	}
	n := 0
	for _, st := range stories {
		if st.Agent != "qwen" {
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
	if n == 0 {
		t.Error("no stories")
	}
}

var at0 = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func made(t *testing.T, fill func(w *writer, id string)) (*Source, recap.Session) {
	t.Helper()
	w := &writer{root: t.TempDir(), files: map[string]string{}}
	id := w.Begin(t, "/home/dev/src/app", at0)
	fill(w, id)
	s := open(t, w.root)
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		return s, x
	}
	return s, recap.Session{}
}

func TestF15_CancelledNotificationSteeringRewind(t *testing.T) {
	t.Run("an answer without usage was cancelled", func(t *testing.T) {
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "explain the cache")
			w.row(t, id, at0.Add(time.Second), "assistant", "assistant_output", "", parts("model", obj{"text": "The cache is"}))
		})
		if x.State != recap.StateInterrupted {
			t.Errorf("state %s", x.State)
		}
		recs := agenttest.Records(t, s, x.Ref, 50)
		if m := recs[len(recs)-1]; !m.Interrupted || m.Finish != "" || m.Parts[0].Text != "The cache is" {
			t.Errorf("%+v", m)
		}
	})
	t.Run("a notification is a continuation of the turn", func(t *testing.T) {
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "look around")
			w.answer(t, id, at0.Add(time.Second), "started")
			w.row(t, id, at0.Add(2*time.Second), "user", "system", "notification", parts("user", obj{"text": "<task-notification>secret</task-notification>"}))
			w.answer(t, id, at0.Add(3*time.Second), "it is done")
		})
		if got := humans(agenttest.Records(t, s, x.Ref, 50)); !slices.Equal(got, []string{"look around"}) {
			t.Errorf("%q", got)
		}
	})
	t.Run("steering is a person's", func(t *testing.T) {
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "do it")
			w.row(t, id, at0.Add(time.Second), "user", "real_user", "mid_turn_user_message", parts("user", obj{"text": "and the docs too"}))
			w.answer(t, id, at0.Add(2*time.Second), "done")
		})
		if got := humans(agenttest.Records(t, s, x.Ref, 50)); !slices.Equal(got, []string{"do it", "and the docs too"}) {
			t.Errorf("%q", got)
		}
	})
	t.Run("a rewind takes the rows after its parent away", func(t *testing.T) {
		for _, size := range []int{1, 2, 50} {
			s, x := made(t, func(w *writer, id string) {
				w.prompt(t, id, at0, "first")
				w.answer(t, id, at0.Add(time.Second), "one")
				keep := w.last
				w.prompt(t, id, at0.Add(2*time.Second), "second")
				w.answer(t, id, at0.Add(3*time.Second), "two")
				w.rowOf(t, id, w.uuid(), keep, at0.Add(4*time.Second), "system", "system", "rewind", obj{"systemPayload": obj{"truncatedCount": 2}})
				w.prompt(t, id, at0.Add(5*time.Second), "third")
				w.answer(t, id, at0.Add(6*time.Second), "three")
			})
			if got := humans(agenttest.Records(t, s, x.Ref, size)); !slices.Equal(got, []string{"first", "third"}) {
				t.Errorf("pages of %d: %q", size, got)
			}
		}
	})
	t.Run("a rewind to a row that is not there drops nothing", func(t *testing.T) {
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "first")
			w.answer(t, id, at0.Add(time.Second), "one")
			w.rowOf(t, id, w.uuid(), "00000000-dead-4000-8000-000000000000", at0.Add(2*time.Second), "system", "system", "rewind", obj{})
			w.prompt(t, id, at0.Add(3*time.Second), "second")
		})
		if got := humans(agenttest.Records(t, s, x.Ref, 50)); !slices.Equal(got, []string{"first", "second"}) {
			t.Errorf("%q", got)
		}
	})
	t.Run("a failed call without an answer is a failure", func(t *testing.T) {
		fail := obj{"systemPayload": obj{"uiEvent": obj{"event.name": "qwen-code.api_error", "error_message": "429 slow down", "error_type": "RateLimit", "status_code": 429}}}
		s, x := made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "go")
			w.row(t, id, at0.Add(time.Second), "system", "system", "ui_telemetry", fail)
			w.row(t, id, at0.Add(2*time.Second), "system", "system", "ui_telemetry", fail)
		})
		recs := agenttest.Records(t, s, x.Ref, 50)
		if x.State != recap.StateFailed || len(recs) != 2 || recs[1].Failure == nil || recs[1].Failure.Code != "429" {
			t.Errorf("state %s, %+v", x.State, recs)
		}
		s, x = made(t, func(w *writer, id string) {
			w.prompt(t, id, at0, "go")
			w.row(t, id, at0.Add(time.Second), "system", "system", "ui_telemetry", fail)
			w.answer(t, id, at0.Add(2*time.Second), "worked at the second try")
		})
		if recs := agenttest.Records(t, s, x.Ref, 50); x.State != recap.StateIdle || len(recs) != 2 {
			t.Errorf("state %s, %+v", x.State, recs)
		}
	})
}

func TestStateFollowsTheProcess(t *testing.T) {
	w := &writer{root: t.TempDir(), files: map[string]string{}}
	id := w.Begin(t, "/home/dev/src/app", at0)
	w.prompt(t, id, at0, "run the tests")
	w.row(t, id, at0.Add(time.Second), "assistant", "assistant_output", "", withUsage(parts("model",
		obj{"functionCall": obj{"id": "c1", "name": "run_shell_command", "args": obj{"command": "go test ./..."}}})))
	side := strings.TrimSuffix(w.files[id], ".jsonl") + ".runtime.json"
	if err := os.WriteFile(side, []byte(`{"pid":4711,"session_id":"x","started_at":1772355600.5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		alive, known bool
		want         recap.State
		waits        string
	}{
		{true, true, recap.StateWaiting, "approval: run_shell_command go test ./..."},
		{false, true, recap.StateInterrupted, "approval: run_shell_command go test ./..."},
		{false, false, recap.StateUnknown, "approval: run_shell_command go test ./..."},
	} {
		s := New(Config{Root: w.root, Alive: func(pid int, at time.Time) (bool, bool) {
			if pid != 4711 || at.UnixMilli() != 1772355600500 {
				t.Errorf("asked for %d at %v", pid, at)
			}
			return c.alive, c.known
		}})
		for x, err := range s.Sessions(t.Context(), agent.Query{}) {
			if err != nil || x.State != c.want || x.WaitingFor != c.waits {
				t.Errorf("%v %v: %s %q, want %s (%v)", c.alive, c.known, x.State, x.WaitingFor, c.want, err)
			}
		}
	}
}

// A session keeps its id where that is damaged in some rows.
func TestF4_DamagedID(t *testing.T) {
	for _, n := range []int{0, 1, 2} {
		w := &writer{root: t.TempDir(), files: map[string]string{}}
		id := w.Begin(t, "/home/dev/src/app", at0)
		w.prompt(t, id, at0, "first")
		w.answer(t, id, at0.Add(time.Second), "one")
		b, err := os.ReadFile(w.files[id])
		if err != nil {
			t.Fatal(err)
		}
		rows := strings.SplitAfter(string(b), "\n")
		for i := range n {
			rows[i] = strings.Replace(rows[i], id, "\xff"+id, 1)
		}
		if err := os.WriteFile(w.files[id], []byte(strings.Join(rows, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		for x, err := range open(t, w.root).Sessions(t.Context(), agent.Query{}) {
			if err != nil || (x.Ref.ID == id) != (n < 2) {
				t.Errorf("%d damaged: %q %v", n, x.Ref.ID, err)
			}
		}
	}
}

// TestF4_WrongTypesInEveryField puts each JSON type in the place of each field
// of each kind of row: nothing panics, and the rows around it are read.
func TestF4_WrongTypesInEveryField(t *testing.T) {
	b, err := os.ReadFile("../../internal/demo/sessions/qwen/projects/-home-dev-src-dingdan/chats/47c8dc8e-f75d-4c0c-851f-09a16b7fa7b7.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var p fastjson.Parser
	n := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		var doc any
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatal(err)
		}
		agenttest.Mutate(doc, func() {
			n++
			if _, ok := parse(&p, []byte(marshal(t, doc))); !ok {
				t.Error("a row that is JSON is none")
			}
		})
	}
	if n < 1000 {
		t.Errorf("only %d mutations", n)
	}
}

func TestF18_EmptyAndForeignFilesAreNoSessions(t *testing.T) {
	w := &writer{root: t.TempDir(), files: map[string]string{}}
	id := w.Begin(t, "/home/dev/src/app", at0)
	w.row(t, id, at0, "system", "system", "slash_command", obj{"systemPayload": obj{"rawCommand": "/help"}})
	s := open(t, w.root)
	for x, err := range s.Sessions(t.Context(), agent.Query{}) {
		t.Errorf("listed: %+v %v", x, err)
	}
	_, err := s.Page(t.Context(), recap.SessionRef{Agent: recap.Qwen, Root: w.root, ID: "../../etc/passwd"}, "", 10)
	var re *recap.Error
	if !errors.As(err, &re) || re.Code != recap.CodeSessionNotFound {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{
		"testdata/qwen/projects/-home-dev-src-go-projects-demo-app-x/chats/4fb25d76-cddb-419c-ac6f-0896a4265e0e.jsonl",
		"../../internal/demo/sessions/qwen/projects/-home-dev-src-dingdan/chats/47c8dc8e-f75d-4c0c-851f-09a16b7fa7b7.jsonl",
	} {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.SplitSeq(string(b), "\n") {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte(strings.Repeat("[", 10000)))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p fastjson.Parser
		_ = bookkeeping(b)
		r, ok := parse(&p, b)
		if !ok {
			return
		}
		for _, part := range r.msg.Parts {
			if part.Kind == recap.PartTool && part.Tool == nil {
				t.Fatal("a tool part without a tool")
			}
		}
	})
}
