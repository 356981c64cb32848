package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sessionrecap/recap/agent/opencode/opencodetest"
)

// serving is `recap serve` as a person runs it, beside a real OpenCode server
// whose model, and recap's, follows a script.
type serving struct {
	t     *testing.T
	oc    *opencodetest.Server
	model *opencodetest.Model
	bin   string
	env   []string
	home  string

	mu      sync.Mutex
	cmd     *exec.Cmd
	ended   chan struct{}
	recaps  map[string][]served // by session
	hold    map[string]chan struct{}
	broken  map[string]bool
	asked   map[string]int // recap calls by session
	aborted map[string]int
}

// served is a record that the daemon told of.
type served struct {
	Recap, Suggestion, Source, ForMessageID string
}

// newServing starts the server and, after the story's beginning, the daemon.
func newServing(t *testing.T) *serving {
	bin := opencodetest.Binary(t)
	model := opencodetest.StartModel(t)
	s := &serving{
		t: t, model: model, oc: opencodetest.Start(t, opencodetest.Options{Bin: bin, Model: model}), bin: filepath.Join(t.TempDir(), "recap"),
		home: t.TempDir(), recaps: map[string][]served{}, hold: map[string]chan struct{}{}, broken: map[string]bool{}, asked: map[string]int{}, aborted: map[string]int{},
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", s.bin, "../../cmd/recap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	model.Answer(s.answer)
	s.env = append(s.oc.Environ(), "RECAP_CONFIG="+filepath.Join(s.home, "config.toml"), "XDG_STATE_HOME="+s.home, "XDG_CACHE_HOME="+s.home,
		"RECAP_STORE_URL=sqlite:"+filepath.Join(s.home, "recap.db"), "RECAP_LOG_LEVEL=debug")
	s.config("")
	return s
}

// config writes the settings.
func (s *serving) config(more string) {
	s.t.Helper()
	text := fmt.Sprintf("[assist]\nauto = true\nquiet_window = \"1s\"\n%s\n[sources.opencode]\nurl = %q\n", more, s.oc.URL)
	if err := os.WriteFile(filepath.Join(s.home, "config.toml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			s.t.Fatal(err)
		}
	}
}

// answer plays the small model: it repeats what was done, under the name of the
// session that stands in the request.
func (s *serving) answer(req opencodetest.Request) (string, bool) {
	if !req.Has("json_schema") {
		return "", false // OpenCode's own
	}
	name := ""
	for _, w := range strings.FieldsFunc(string(req.Body), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') }) {
		if rest, ok := strings.CutPrefix(w, "story"); ok && rest != "" {
			name = "story" + rest
		}
	}
	s.mu.Lock()
	s.asked[name]++
	hold, broken := s.hold[name], s.broken[name]
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-req.Gone:
			s.mu.Lock()
			s.aborted[name]++
			s.mu.Unlock()
			return "{}", true
		}
	}
	if broken {
		return "I am afraid that I can't.", true
	}
	b, err := json.Marshal(map[string]string{"recap": answerOf(name), "away": answerOf(name), "suggestion": ""})
	if err != nil {
		return "", true
	}
	return string(b), true
}

// answerOf is what the agent answers in a story, and what the model recaps.
func answerOf(name string) string { return "The file " + name + ".go has its new name now." }

// ask is a prompt of a story.
func ask(name, more string) string {
	return "Give the file " + name + ".go a new name. [say:" + answerOf(name) + "]" + more
}

func (s *serving) start() {
	s.t.Helper()
	cmd := exec.Command(s.bin, "serve", "--json")
	cmd.Env, cmd.Dir, cmd.Stderr = s.env, s.home, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ready, ended := make(chan struct{}), make(chan struct{})
	s.mu.Lock()
	s.cmd, s.ended = cmd, ended
	s.mu.Unlock()
	go func() {
		defer close(ended)
		in := bufio.NewScanner(out)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var ev struct {
				Event   string
				Session struct{ ID string }
				Record  served
			}
			if err := json.Unmarshal(in.Bytes(), &ev); err != nil {
				s.t.Errorf("%v: %s", err, in.Text())
				continue
			}
			switch ev.Event {
			case "started":
				close(ready)
			case "recap":
				s.mu.Lock()
				s.recaps[ev.Session.ID] = append(s.recaps[ev.Session.ID], ev.Record)
				s.mu.Unlock()
			}
		}
		_ = cmd.Wait()
	}()
	s.t.Cleanup(func() { s.stop() })
	select {
	case <-ready:
	case <-ended:
		s.t.Fatal("recap serve ended")
	}
}

func (s *serving) stop() {
	s.mu.Lock()
	cmd, ended := s.cmd, s.ended
	s.cmd = nil
	s.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	}
}

func (s *serving) got(id string) []served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]served(nil), s.recaps[id]...)
}

func (s *serving) calls(name string) (asked, aborted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name], s.aborted[name]
}

// held makes the small model wait about a story, and gives what lets it go.
func (s *serving) held(name string) (free func()) {
	c := make(chan struct{})
	s.mu.Lock()
	s.hold[name] = c
	s.mu.Unlock()
	return sync.OnceFunc(func() {
		s.mu.Lock()
		delete(s.hold, name)
		s.mu.Unlock()
		close(c)
	})
}

// wait waits until so many recaps of a session were told, the last by a model.
func (s *serving) wait(id string, n int) served {
	s.t.Helper()
	opencodetest.WaitFor(s.t, "recap "+strconv.Itoa(n)+" of "+id, func() bool { return len(s.got(id)) >= n })
	return s.got(id)[n-1]
}

// barrier is a session of its own that goes through all of it: what another
// session was to get by then, it has got. Stillness is shown without a clock.
func (s *serving) barrier(name string) {
	s.t.Helper()
	id := s.oc.Create(name)
	s.oc.Prompt(id, ask(name, ""))
	s.wait(id, 1)
}

// assist is what stands in a session's metadata for clients.
func (s *serving) assist(id string) map[string]any {
	m, _ := s.oc.Metadata(id)["recap"].(map[string]any)
	a, _ := m["assist"].(map[string]any)
	return a
}

func (s *serving) newest(id string) string {
	s.t.Helper()
	var list []struct{ Info struct{ ID string } }
	s.oc.Call("GET", "/session/"+id+"/message?limit=1", nil, &list)
	return list[len(list)-1].Info.ID
}

// The whole of session assist, with the real OpenCode server and the real
// program: exactly one recap of what went quiet.
func TestE2E_Serve(t *testing.T) {
	s := newServing(t)
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(s.home, "recap", "recap.log"))
			t.Logf("the log:\n%s", log)
		}
	})
	old := s.oc.Create("storyold")
	s.oc.Prompt(old, ask("storyold", "")) // quiet before the daemon came (E11)
	s.start()

	t.Run("a tool call, then quiet", func(t *testing.T) {
		id := s.oc.CreateIn(s.oc.Project, map[string]any{"title": "storytool", "metadata": map[string]any{"other": map[string]any{"kept": 1.0}}})
		s.oc.Prompt(id, "Give the file storytool.go a new name. [tool:echo renamed] [say:"+answerOf("storytool")+"]")
		r := s.wait(id, 1)
		if r.Source != "model" || r.Recap != answerOf("storytool") || r.Suggestion != "" || r.ForMessageID != s.newest(id) {
			t.Errorf("record %+v", r)
		}
		opencodetest.WaitFor(t, "metadata", func() bool { return s.assist(id)["recap"] != nil })
		a := s.assist(id)
		if a["recap"] != answerOf("storytool") || a["forMessageID"] != r.ForMessageID || a["generatedAt"] == nil {
			t.Errorf("metadata %v", a)
		}
		if m, _ := s.oc.Metadata(id)["other"].(map[string]any); m["kept"] != 1.0 {
			t.Errorf("foreign metadata is gone: %v", s.oc.Metadata(id))
		}
		// A second idle for the same answer (E9), and our own write (G4).
		s.oc.Call("POST", "/session/"+id+"/abort", nil, nil)
		s.barrier("storybarone")
		if n, _ := s.calls("storytool"); n != 1 || len(s.got(id)) != 1 {
			t.Errorf("%d calls, %d recaps", n, len(s.got(id)))
		}
	})
	t.Run("E2 a new message while generating", func(t *testing.T) {
		id := s.oc.Create("storynew")
		free := s.held("storynew")
		defer free()
		s.oc.Prompt(id, ask("storynew", ""))
		opencodetest.WaitFor(t, "call", func() bool { n, _ := s.calls("storynew"); return n == 1 })
		s.oc.Async(id, ask("storynew", "[slow:3000]"))
		opencodetest.WaitFor(t, "end of the request", func() bool { _, n := s.calls("storynew"); return n == 1 })
		if s.assist(id) != nil {
			t.Errorf("written: %v", s.assist(id))
		}
		free()
		if r := s.wait(id, 1); r.ForMessageID != s.newest(id) || r.Source != "model" {
			t.Errorf("record %+v", r)
		}
		if n, _ := s.calls("storynew"); n != 2 {
			t.Errorf("%d calls", n)
		}
	})
	for name, change := range map[string]func(id string){
		"archived": func(id string) {
			s.oc.Call("PATCH", "/session/"+id, map[string]any{"time": map[string]any{"archived": 1}}, nil)
		},
		"reverted": func(id string) {
			var list []struct{ Info struct{ ID, Role string } }
			s.oc.Call("GET", "/session/"+id+"/message", nil, &list)
			s.oc.Call("POST", "/session/"+id+"/revert", map[string]any{"messageID": list[0].Info.ID}, nil)
		},
		"deleted": func(id string) { s.oc.Call("DELETE", "/session/"+id, nil, nil) },
	} {
		t.Run("E8 "+name+" while generating", func(t *testing.T) {
			story := "story" + name
			id := s.oc.Create(story)
			free := s.held(story)
			defer free()
			s.oc.Prompt(id, ask(story, ""))
			opencodetest.WaitFor(t, "call", func() bool { n, _ := s.calls(story); return n == 1 })
			change(id)
			free()
			s.barrier("storybar" + name)
			if got := s.got(id); len(got) != 0 {
				t.Errorf("%+v", got)
			}
			if name != "deleted" && s.assist(id) != nil {
				t.Errorf("metadata %v", s.assist(id))
			}
		})
	}
	t.Run("a child is no session of the person", func(t *testing.T) {
		parent := s.oc.Create("storyparent")
		id := s.oc.CreateIn(s.oc.Project, map[string]any{"title": "storychild", "parentID": parent})
		s.oc.Prompt(id, ask("storychild", ""))
		s.barrier("storybarchild")
		if n, _ := s.calls("storychild"); n != 0 || len(s.got(id)) != 0 {
			t.Errorf("%d calls, %+v", n, s.got(id))
		}
	})
	t.Run("G7 a fork carries its parent's metadata", func(t *testing.T) {
		id := s.oc.Create("storyfork")
		s.oc.Prompt(id, ask("storyfork", ""))
		first := s.wait(id, 1)
		opencodetest.WaitFor(t, "metadata", func() bool { return s.assist(id) != nil })
		var fork struct{ ID string }
		s.oc.Call("POST", "/session/"+id+"/fork", map[string]any{}, &fork)
		s.oc.Prompt(fork.ID, ask("storyfork", ""))
		r := s.wait(fork.ID, 1)
		opencodetest.WaitFor(t, "metadata of the fork", func() bool { return s.assist(fork.ID)["forMessageID"] == r.ForMessageID })
		if r.ForMessageID == first.ForMessageID || r.ForMessageID != s.newest(fork.ID) {
			t.Errorf("fork %+v, parent %+v", r, first)
		}
	})
	t.Run("E12 two sessions, one failing", func(t *testing.T) {
		s.mu.Lock()
		s.broken["storybad"] = true
		s.mu.Unlock()
		bad, good := s.oc.Create("storybad"), s.oc.Create("storygood")
		s.oc.Async(bad, ask("storybad", ""))
		s.oc.Prompt(good, ask("storygood", ""))
		if r := s.wait(good, 1); r.Source != "model" {
			t.Errorf("%+v", r)
		}
		if r := s.wait(bad, 1); r.Source != "extractive" || r.Recap == "" {
			t.Errorf("%+v", r)
		}
	})
	t.Run("E6 settings off while generating", func(t *testing.T) {
		id := s.oc.Create("storyoff")
		free := s.held("storyoff")
		defer free()
		s.oc.Prompt(id, ask("storyoff", ""))
		opencodetest.WaitFor(t, "call", func() bool { n, _ := s.calls("storyoff"); return n == 1 })
		s.config("recap = false\nsuggestion = false")
		free()
		opencodetest.WaitFor(t, "end of the run", func() bool { return s.runs() == 0 })
		if s.assist(id) != nil || len(s.got(id)) != 0 {
			t.Errorf("%v %+v", s.assist(id), s.got(id))
		}
		s.config("")
		s.barrier("storybaroff")
	})
	t.Run("G2 the server dies and comes back", func(t *testing.T) {
		// In the window, and while generating: what was said stays said.
		id := s.oc.Create("storydies")
		free := s.held("storydies")
		defer free()
		s.oc.Prompt(id, ask("storydies", ""))
		opencodetest.WaitFor(t, "call", func() bool { n, _ := s.calls("storydies"); return n == 1 })
		s.oc.Kill()
		free()
		if r := s.wait(id, 1); r.Source != "model" || r.Recap != answerOf("storydies") {
			t.Errorf("%+v", r) // the database is still there to read
		}
		s.oc.Again()
		s.config("") // its new address
		window := s.oc.Create("storywindow")
		s.oc.Prompt(window, ask("storywindow", ""))
		s.oc.Again()
		s.config("")
		s.wait(window, 1)
		s.barrier("storybarback")
		if n, _ := s.calls("storywindow"); n != 1 {
			t.Errorf("%d calls", n)
		}
		next := s.oc.Create("storynext")
		s.oc.Prompt(next, ask("storynext", ""))
		r := s.wait(next, 1)
		opencodetest.WaitFor(t, "metadata", func() bool { return s.assist(next)["forMessageID"] == r.ForMessageID })
	})
	if n, _ := s.calls("storyold"); n != 0 || len(s.got(old)) != 0 || s.assist(old) != nil {
		t.Errorf("a session that was quiet before has %d calls, %+v, %v", n, s.got(old), s.assist(old))
	}
	s.stop()
	log, err := os.ReadFile(filepath.Join(s.home, "recap", "recap.log"))
	if err != nil || strings.Contains(string(log), "new name") {
		t.Errorf("the log (%v) holds text of a transcript:\n%s", err, log)
	}
}

// runs asks doctor how many recaps are being made.
func (s *serving) runs() int {
	cmd := exec.CommandContext(s.t.Context(), s.bin, "doctor", "--json")
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		return -1
	}
	var d struct{ Daemon struct{ Runs int } }
	if err := json.Unmarshal(out, &d); err != nil {
		s.t.Fatalf("%v: %s", err, out)
	}
	return d.Daemon.Runs
}
