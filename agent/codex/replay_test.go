package codex

import (
	"bytes"
	"fmt"
	"io/fs"
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
	"github.com/sessionrecap/recap/agent/filewatch"
)

// step is a row as it was written, or something else that happens to files.
type step struct {
	rel  string
	at   string
	row  []byte
	name string // of what else happens
	do   func(t *testing.T, root string)
}

func (s *step) kind() string {
	if s.do != nil {
		return s.name
	}
	v, err := fastjson.ParseBytes(s.row)
	if err != nil {
		return "torn"
	}
	words := []string{str(v, "type")}
	for _, k := range [][]string{{"payload", "type"}, {"payload", "role"}, {"payload", "item", "type"}, {"payload", "name"}} {
		if w := str(v, k...); w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// rowsOf gives the rows of all plain rollouts of a home in the order in which
// they were written.
func rowsOf(t *testing.T, home string) []step {
	t.Helper()
	var all []step
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || !strings.HasPrefix(d.Name(), "rollout-") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(home, path)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			v, err := fastjson.ParseBytes(line)
			if err != nil {
				return err
			}
			all = append(all, step{rel: filepath.ToSlash(rel), at: str(v, "timestamp"), row: line})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(all, func(a, b step) int { return strings.Compare(a.at, b.at) })
	return all
}

// stage plays steps into a home and tells what is seen of it.
type stage struct {
	root  string
	live  *live
	track *filewatch.Tracker
	out   strings.Builder
	last  string // the states told last
	procs *fakeProcs
	// open are the turns that have begun and not ended, by thread; lies the
	// moments at which a thread with one was said to be still.
	open map[string]string
	lies []string
}

// fakeProcs is a system in which one process writes all rollouts.
type fakeProcs struct {
	none  bool // the system does not tell
	dead  bool
	asked int
}

func newStage(t *testing.T) *stage {
	t.Helper()
	st := &stage{root: t.TempDir(), track: filewatch.NewTracker(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)), procs: &fakeProcs{}, open: map[string]string{}}
	st.live = New(Config{Root: st.root}).live()
	st.live.writers.find = func(paths []string) map[string][]process {
		st.procs.asked++
		found := map[string][]process{}
		for _, p := range paths {
			if !st.procs.none && !st.procs.dead {
				found[p] = []process{{pid: 1, start: "1"}}
			}
		}
		return found
	}
	st.live.writers.lives = func(process) bool { return !st.procs.dead }
	st.look(t, "", "nothing")
	return st
}

// look lists once, as the watch does.
func (st *stage) look(t *testing.T, at, kind string) {
	t.Helper()
	var states, events []string
	for x, err := range st.live.list(t.Context()) {
		if err != nil {
			t.Fatalf("%s %s: %v", at, kind, err)
		}
		s := fmt.Sprintf("%s=%s", short(x.Ref.ID), x.State)
		if still := x.State == recap.StateIdle || x.State == recap.StateInterrupted || x.State == recap.StateFailed; still &&
			st.open[x.Ref.ID] != "" && !st.procs.dead {
			st.lies = append(st.lies, fmt.Sprintf("%s %s: %s in the turn %s", clock(at), kind, s, st.open[x.Ref.ID]))
		}
		if x.WaitingFor != "" {
			s += fmt.Sprintf("(%s)", x.WaitingFor)
		}
		states = append(states, s)
		for _, e := range st.track.See(x) {
			events = append(events, eventText(e))
		}
	}
	for _, e := range st.track.End(true) {
		events = append(events, eventText(e))
	}
	slices.Sort(states)
	line := fmt.Sprintf("%s %s", clock(at), kind)
	now := strings.Join(states, " ")
	if now != st.last {
		line += "  |  " + now
		st.last = now
	}
	if len(events) > 0 {
		line += "  |  " + strings.Join(events, ", ")
	}
	st.out.WriteString(line + "\n")
}

func eventText(e agent.Event) string {
	return fmt.Sprintf("%s %s", strings.ToUpper(e.Kind.String()), short(e.Ref.ID))
}

func short(id string) string { return id[max(0, len(id)-4):] }

func clock(at string) string {
	if len(at) > 23 {
		return at[11:23]
	}
	return "            "
}

func (st *stage) play(t *testing.T, steps ...step) {
	t.Helper()
	for i := range steps {
		s := &steps[i]
		if s.do != nil {
			s.do(t, st.root)
		} else {
			appendTo(t, filepath.Join(st.root, filepath.FromSlash(s.rel)), s.row)
			st.turns(t, s)
		}
		kind := s.kind()
		if s.rel != "" {
			kind = short(strings.TrimSuffix(strings.TrimSuffix(s.rel, ".zst"), ".jsonl")) + " " + kind
		}
		st.look(t, s.at, kind)
	}
}

// turns notes which turns the rows begin and end, by rules of its own. A parent
// is in the turn of its sub-agent too.
func (st *stage) turns(t *testing.T, s *step) {
	t.Helper()
	thread, _, _, ok := parseName(filepath.Base(s.rel))
	v, err := fastjson.ParseBytes(s.row)
	if err != nil || !ok {
		return
	}
	switch pl := v.Get("payload"); str(pl, "type") {
	case "task_started":
		st.open[thread] = str(pl, "turn_id")
	case "task_complete", "turn_aborted":
		delete(st.open, thread)
	case "user_message": // of versions that write no turns
		st.open[thread] = "of " + str(pl, "message")
	case "agent_message":
		if strings.HasPrefix(str(pl, "message"), "Tool finished") || strings.HasSuffix(str(pl, "message"), "second question") {
			delete(st.open, thread) // its last text, as who made the recording knows
		}
	}
}

func appendTo(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// moved writes a file's contents, maybe changed, to another place.
func moved(from, to string, change func([]byte) []byte) step {
	return step{name: "moved to " + to, do: func(t *testing.T, root string) {
		t.Helper()
		path, dst := filepath.Join(root, filepath.FromSlash(from)), filepath.Join(root, filepath.FromSlash(to))
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			b = change(b)
		}
		if err := os.MkdirAll(filepath.Dir(dst), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dst, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if from == to {
			return
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}}
}

// TestReplay plays each recording row by row, as it was written, and holds
// what a watch sees at each row. The golden files were read by a person: each
// state beside its row, each event beside the change.
func TestReplay(t *testing.T) {
	again := step{name: "a second look", do: func(*testing.T, string) {}}
	for name, steps := range map[string]func(t *testing.T, home string) []step{
		"codex": func(t *testing.T, home string) []step {
			t.Helper()
			// The archived thread was begun among the others and moved later.
			all := rowsOf(t, home)
			var kept []step
			var archived string
			for _, s := range all {
				if strings.HasPrefix(s.rel, "archived_sessions/") {
					archived = s.rel
					continue
				}
				kept = append(kept, s)
			}
			from := "sessions/2026/11/30/" + filepath.Base(archived)
			return append(kept, moved(from, archived, nil), again)
		},
		"codex-0.98": func(t *testing.T, home string) []step {
			t.Helper()
			all := rowsOf(t, home)
			migrated := rowsOf(t, filepath.Join("testdata", "codex-migrated"))
			return append(all, moved(all[0].rel, all[0].rel, func([]byte) []byte {
				var b []byte
				for _, s := range migrated {
					b = append(b, s.row...)
				}
				return b
			}), again)
		},
		"codex-zst": func(t *testing.T, home string) []step {
			t.Helper()
			all := rowsOf(t, home)
			rel := all[0].rel
			return append(all, moved(rel, rel+".zst", func(b []byte) []byte { return pack(t, b) }), again)
		},
		"demo": rowsOf,
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.play(t, steps(t, filepath.Join("testdata", name))...)
			agenttest.GoldenText(t, st.out.String(), filepath.Join("testdata", "replay-"+name+".golden"))
			for _, lie := range st.lies {
				t.Error(lie)
			}
		})
	}
}
