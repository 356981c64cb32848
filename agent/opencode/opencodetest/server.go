package opencodetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Env names the real program: RECAP_E2E_OPENCODE=/path/to/opencode.
const Env = "RECAP_E2E_OPENCODE"

// startWithin is how long a start may take.
const startWithin = 90 * time.Second

// Binary gives the path of the real program, or skips the test.
func Binary(t testing.TB) string {
	t.Helper()
	bin := os.Getenv(Env)
	if bin == "" {
		t.Skip(Env + " is not set")
	}
	return bin
}

// Options of Start. All but Model may be left empty.
type Options struct {
	// Bin is the program; "" asks Binary.
	Bin   string
	Model *Model
	// Home is the person's home, Project the directory of the server; "" makes
	// one of each. Two servers with one home have one database.
	Home, Project string
	// Password of the server, "" for none.
	Password string
	// Config is laid over the settings.
	Config map[string]any
}

// Server is a running OpenCode.
type Server struct {
	t testing.TB
	o Options

	// URL is its address. Root is its data directory.
	URL           string
	Home, Project string
	Root          string

	end func()
}

// Start starts a server and waits until it listens. It ends with the test.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	if o.Bin == "" {
		o.Bin = Binary(t)
	}
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	if o.Project == "" {
		o.Project = Project(t)
	}
	s := &Server{t: t, o: o, Home: o.Home, Project: o.Project, Root: filepath.Join(o.Home, ".local", "share", "opencode")}
	s.start()
	t.Cleanup(func() { s.end() })
	return s
}

// Project makes a directory that is a repository of its own.
func Project(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := exec.CommandContext(t.Context(), "git", "-C", dir, "init", "-q").Run(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (s *Server) settings() string {
	c := map[string]any{
		"autoupdate": false, "share": "disabled", "snapshot": false,
		"model": "fake/fake-large", "small_model": "fake/fake-large", "enabled_providers": []string{"fake"},
		"provider": map[string]any{"fake": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Fake",
			"options": map[string]any{"baseURL": s.o.Model.URL + "/v1", "apiKey": "none"},
			"models":  map[string]any{"fake-large": map[string]any{"name": "L", "tool_call": true, "limit": map[string]any{"context": 128000, "output": 8192}}},
		}},
		"permission": map[string]any{"edit": "allow", "bash": map[string]any{"*": "allow", "rm *": "ask"}},
	}
	maps.Copy(c, s.o.Config)
	b, err := json.Marshal(c)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// Environ is the environment of the server, for other programs of that home.
func (s *Server) Environ() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.Home, "OPENCODE_CONFIG_CONTENT=" + s.settings(),
		"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_EXPERIMENTAL_DISABLE_FILEWATCHER=1",
	}
	if s.o.Password != "" {
		env = append(env, "OPENCODE_SERVER_PASSWORD="+s.o.Password)
	}
	return env
}

func (s *Server) start() {
	s.t.Helper()
	cmd := exec.Command(s.o.Bin, "serve", "--hostname", "127.0.0.1", "--port", "0")
	cmd.Dir, cmd.Env = s.Project, s.Environ()
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	done := make(chan struct{})
	s.end = sync.OnceFunc(func() {
		_ = cmd.Process.Kill() // it does not always end of SIGTERM
		<-done
	})
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
	case s.URL = <-urls:
	case <-done:
		s.t.Fatal("the server ended")
	case <-time.After(startWithin):
		s.end()
		s.t.Fatal("the server does not listen")
	}
}

// Kill ends the server as a crash does.
func (s *Server) Kill() { s.end() }

// Again starts it anew, on another port, with the same home and project.
func (s *Server) Again() {
	s.t.Helper()
	s.end()
	s.start()
}

// Twin starts a second server on the same home.
func (s *Server) Twin() *Server {
	s.t.Helper()
	o := s.o
	o.Home, o.Project = s.Home, s.Project
	return Start(s.t, o)
}

// Run is "opencode run": a process of its own with the same home, which no
// server's stream shows. It gives the process when it runs; Wait for it.
func (s *Server) Run(prompt string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(s.o.Bin, "run", prompt)
	cmd.Dir, cmd.Env = s.Project, s.Environ()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return cmd
}

// Call asks the server. body and into may be nil; a status of 300 or more
// fails the test.
func (s *Server) Call(method, path string, body, into any) {
	s.t.Helper()
	if err := s.Try(s.t.Context(), method, path, body, into); err != nil {
		s.t.Fatal(err)
	}
}

// Try asks the server.
func (s *Server) Try(ctx context.Context, method, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 120*time.Second)
	defer cancel()
	var in io.Reader = http.NoBody
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, in)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.o.Password != "" {
		req.SetBasicAuth("opencode", s.o.Password)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %.200s", method, path, res.StatusCode, b)
	}
	if into != nil {
		return json.Unmarshal(b, into)
	}
	return nil
}

// Create makes a session and gives its id. A title saves the call that makes one.
func (s *Server) Create(title string) string {
	s.t.Helper()
	return s.CreateIn(s.Project, map[string]any{"title": title})
}

// CreateIn makes a session in a directory.
func (s *Server) CreateIn(dir string, body map[string]any) string {
	s.t.Helper()
	var made struct{ ID string }
	s.Call("POST", "/session?directory="+url.QueryEscape(dir), body, &made)
	return made.ID
}

func text(prompt string) map[string]any {
	return map[string]any{"parts": []any{map[string]any{"type": "text", "text": prompt}}}
}

// Prompt sends a prompt and waits for the end of the turn.
func (s *Server) Prompt(id, prompt string) {
	s.t.Helper()
	s.Call("POST", "/session/"+id+"/message", text(prompt), nil)
}

// Async sends a prompt and does not wait.
func (s *Server) Async(id, prompt string) {
	s.t.Helper()
	s.Call("POST", "/session/"+id+"/prompt_async", text(prompt), nil)
}

// Metadata gives the metadata of a session.
func (s *Server) Metadata(id string) map[string]any {
	s.t.Helper()
	var ses struct{ Metadata map[string]any }
	s.Call("GET", "/session/"+id, nil, &ses)
	return ses.Metadata
}

// Asked gives the ids of the approvals that wait in the server's project.
func (s *Server) Asked() []string {
	s.t.Helper()
	var list []struct{ ID string }
	s.Call("GET", "/permission", nil, &list)
	ids := make([]string, len(list))
	for i, a := range list {
		ids[i] = a.ID
	}
	return ids
}

// WaitFor asks again and again, for at most a minute and a half, until it
// holds; the real program takes its time.
func WaitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	over := time.NewTimer(startWithin)
	defer over.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-over.C:
			t.Fatalf("no %s", what)
		case <-tick.C:
		}
	}
}
