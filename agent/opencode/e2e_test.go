package opencode

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// e2eEnv names the real program: RECAP_E2E_OPENCODE=/path/to/opencode.
const e2eEnv = "RECAP_E2E_OPENCODE"

// The real server, on loopback against a scripted model: the source sees what
// the server shows, while it runs and after it stopped, and leaves nothing.
func TestE2E_RealServer(t *testing.T) {
	bin := os.Getenv(e2eEnv)
	if bin == "" {
		t.Skip(e2eEnv + " is not set")
	}
	home, project := t.TempDir(), t.TempDir()
	if err := exec.CommandContext(t.Context(), "git", "-C", project, "init", "-q").Run(); err != nil {
		t.Fatal(err)
	}
	model := httptest.NewServer(scriptedModel(t))
	t.Cleanup(model.Close)
	srv := startServer(t, bin, home, project, model.URL)
	root := filepath.Join(home, ".local", "share", "opencode")
	s := New(Config{Name: "opencode", Root: root, Index: newMemory()})

	var made struct{ ID string }
	srv.call("POST", "/session", map[string]any{"title": "end to end"}, &made)
	prompt := func(text string) map[string]any {
		return map[string]any{"parts": []any{map[string]any{"type": "text", "text": text}}}
	}
	srv.call("POST", "/session/"+made.ID+"/message", prompt("[tool] please"), nil)
	// A change of metadata is no content.
	before := only(t, s).UpdatedAt
	srv.call("PATCH", "/session/"+made.ID, map[string]any{"metadata": map[string]any{"recap": map[string]any{"x": 1}}}, nil)

	ses := only(t, s)
	if ses.Ref.ID != made.ID || ses.Title != "end to end" || ses.Directory != project || ses.State != recap.StateIdle {
		t.Errorf("session %+v", ses)
	}
	if !ses.UpdatedAt.Equal(before) || ses.Model.String() != "fake/fake-large" {
		t.Errorf("session %+v", ses)
	}
	want := srv.records(made.ID)
	live, err := s.Page(t.Context(), ses.Ref, "", 50)
	if err != nil || len(live.Problems) != 0 || !reflect.DeepEqual(live.Records, want) {
		t.Errorf("%v %v\n got %s\nwant %s", err, live.Problems, encode(t, live.Records), encode(t, want))
	}
	if got := fmt.Sprint(tools(live.Records)); got != "[bash echo from-the-tool done 0]" {
		t.Errorf("tools %s", got)
	}

	// Waiting for the person's approval, and refused.
	srv.call("POST", "/session/"+made.ID+"/prompt_async", prompt("[ask] clean up"), nil)
	waitFor(t, "question for approval", func() bool { return only(t, s).State == recap.StateWaiting })
	if got := only(t, s).WaitingFor; got != "approval: bash rm -rf dup" {
		t.Errorf("waiting for %q", got)
	}
	var asked []struct{ ID string }
	waitFor(t, "permission", func() bool { srv.call("GET", "/permission", nil, &asked); return len(asked) == 1 })
	srv.call("POST", "/permission/"+asked[0].ID+"/reply", map[string]any{"reply": "reject"}, nil)
	waitFor(t, "end of the refused answer", func() bool { return only(t, s).State != recap.StateWaiting && only(t, s).State != recap.StateBusy })
	refused, err := s.Page(t.Context(), ses.Ref, "", 1)
	if err != nil || !strings.Contains(encode(t, refused.Records), `"Status":"rejected"`) || !refused.Records[0].Interrupted {
		t.Errorf("refused: %v %s", err, encode(t, refused.Records))
	}

	// In the middle of an answer.
	srv.call("POST", "/session/"+made.ID+"/prompt_async", prompt("[hang] go on"), nil)
	waitFor(t, "a second answer", func() bool {
		p, err := s.Page(t.Context(), ses.Ref, "", 1)
		return err == nil && len(p.Records) == 1 && p.Records[0].Role == recap.RoleAssistant && p.Records[0].Completed.IsZero()
	})
	if got := only(t, s); got.State != recap.StateBusy {
		t.Errorf("while it answers: %s", got.State)
	}
	for name := range state(t, root) {
		if strings.HasPrefix(name, "opencode") && name != "opencode.db" && name != "opencode.db-wal" && name != "opencode.db-shm" {
			t.Errorf("a file appeared: %s", name)
		}
	}

	srv.kill()
	atRest := state(t, root)
	if got := only(t, s); got.State != recap.StateInterrupted {
		t.Errorf("after it was killed: %s", got.State)
	}
	p, err := s.Page(t.Context(), ses.Ref, "", 50)
	if err != nil || len(p.Records) < len(want)+4 || !reflect.DeepEqual(p.Records[:len(want)], want) {
		t.Errorf("after it was killed: %v\n got %s\nwant %s", err, encode(t, p.Records), encode(t, want))
	}
	if last := p.Records[len(p.Records)-1]; !last.Interrupted {
		t.Errorf("newest %+v", last)
	}
	if after := state(t, root); !reflect.DeepEqual(atRest, after) {
		t.Errorf("files changed: %v -> %v", atRest, after)
	}
}

func tools(records []recap.Message) []string {
	var out []string
	for _, r := range records {
		for _, p := range r.Parts {
			if p.Tool != nil && p.Tool.Exit != nil {
				out = append(out, fmt.Sprintf("%s %s %s %d", p.Tool.Name, p.Tool.Command, p.Tool.Status, *p.Tool.Exit))
			}
		}
	}
	return out
}

func only(t *testing.T, s *Source) recap.Session {
	t.Helper()
	ses, probs := listed(t, s, agent.Query{})
	if len(ses) != 1 || len(probs) != 0 {
		t.Fatalf("%d sessions, %v", len(ses), probs)
	}
	return ses[0]
}

// waitFor asks until the real program got there.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("no %s", what)
		case <-tick.C:
		}
	}
}

type server struct {
	t    *testing.T
	url  string
	kill func()
}

func startServer(t *testing.T, bin, home, project, model string) *server {
	t.Helper()
	config := encode(t, map[string]any{
		"autoupdate": false, "share": "disabled", "snapshot": false,
		"model": "fake/fake-large", "small_model": "fake/fake-large", "enabled_providers": []string{"fake"},
		"provider": map[string]any{"fake": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Fake",
			"options": map[string]any{"baseURL": model + "/v1", "apiKey": "none"},
			"models":  map[string]any{"fake-large": map[string]any{"name": "L", "tool_call": true, "limit": map[string]any{"context": 128000, "output": 8192}}},
		}},
		"permission": map[string]any{"edit": "allow", "bash": map[string]any{"*": "allow", "rm *": "ask"}},
	})
	cmd := exec.CommandContext(t.Context(), bin, "serve", "--hostname", "127.0.0.1", "--port", "0")
	cmd.Dir = project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "OPENCODE_CONFIG_CONTENT=" + config,
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER=1",
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &server{t: t}
	done := make(chan struct{})
	s.kill = func() {
		_ = cmd.Process.Kill()
		<-done
	}
	t.Cleanup(s.kill)
	urls := make(chan string, 1)
	go func() {
		defer close(done)
		in := bufio.NewScanner(out)
		for in.Scan() {
			if u, ok := strings.CutPrefix(in.Text(), "opencode server listening on "); ok {
				urls <- u
			}
		}
		_ = cmd.Wait()
	}()
	select {
	case s.url = <-urls:
	case <-done:
		t.Fatal("the server ended")
	case <-time.After(90 * time.Second):
		t.Fatal("the server does not listen")
	}
	return s
}

func (s *server) call(method, path string, body, into any) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 120*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader([]byte(encode(s.t, body))))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %d %v %.200s", method, path, res.StatusCode, err, b)
	}
	if into != nil {
		if err := json.Unmarshal(b, into); err != nil {
			s.t.Fatal(err)
		}
	}
}

// records are the messages as the server gives them.
func (s *server) records(id string) []recap.Message {
	s.t.Helper()
	var rows []struct {
		Info  json.RawMessage
		Parts []json.RawMessage
	}
	ctx := s.t.Context()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/session/"+id+"/message", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(&rows); err != nil {
		s.t.Fatal(err)
	}
	var out []recap.Message
	for _, r := range rows {
		m, err := ParseMessage("", r.Info)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, p := range r.Parts {
			part, err := ParsePart(p)
			if err != nil {
				s.t.Fatal(err)
			}
			m.Parts = append(m.Parts, part)
		}
		out = append(out, m)
	}
	return out
}

// scriptedModel answers in the protocol of chat completions: [tool] and
// [ask] call bash once, [hang] begins an answer and never ends it.
func scriptedModel(t *testing.T) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
			Tools []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
			return
		}
		last, answered := "", false
		for _, m := range req.Messages {
			switch m.Role {
			case "user":
				last, answered = string(m.Content), false
			case "tool":
				answered = true
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(delta map[string]any, finish any) {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", encode(t, map[string]any{
				"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake-large",
				"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
			}))
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
		}
		switch {
		case strings.Contains(last, "[tool]") && !answered && len(req.Tools) > 0:
			send(map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
				"index": 0, "id": "call_1", "type": "function",
				"function": map[string]any{"name": "bash", "arguments": `{"command":"echo from-the-tool","description":"say it"}`},
			}}}, nil)
			send(map[string]any{}, "tool_calls")
		case strings.Contains(last, "[ask]") && !answered && len(req.Tools) > 0:
			send(map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
				"index": 0, "id": "call_2", "type": "function",
				"function": map[string]any{"name": "bash", "arguments": `{"command":"rm -rf dup","description":"clean"}`},
			}}}, nil)
			send(map[string]any{}, "tool_calls")
		case strings.Contains(last, "[hang]"):
			send(map[string]any{"role": "assistant", "content": "I begin "}, nil)
			<-r.Context().Done()
			return
		default:
			send(map[string]any{"role": "assistant", "content": "The tool has spoken."}, nil)
			send(map[string]any{}, "stop")
		}
		_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
	})
}
