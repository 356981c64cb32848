package codex

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/agent/filewatch"
)

// seen lists once and gives the state of the only thread, and the events.
func (st *stage) seen(t *testing.T) (state recap.State, waits string, events []string) {
	t.Helper()
	for x, err := range st.live.list(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		state, waits = x.State, x.WaitingFor
		for _, e := range st.track.See(x) {
			events = append(events, e.Kind.String())
		}
	}
	for _, e := range st.track.End(true) {
		events = append(events, e.Kind.String())
	}
	return state, waits, events
}

func (st *stage) want(t *testing.T, when string, state recap.State, waits string, events ...string) {
	t.Helper()
	got, w, e := st.seen(t)
	if got != state || w != waits || !slices.Equal(e, events) {
		t.Errorf("%s: %s %q %v, want %s %q %v", when, got, w, e, state, waits, events)
	}
}

const day = "sessions/2026/11/30"

// a gives rows of one rollout.
func a(n int, rows ...string) []step {
	id := threadID(n)
	rel := day + "/rollout-2026-11-30T00-00-00-" + id + ".jsonl"
	out := make([]step, 0, len(rows))
	for i, r := range rows {
		r = strings.ReplaceAll(r, "$ID", id)
		out = append(out, step{rel: rel, row: fmt.Appendf(nil, `{"timestamp":"2026-11-30T00:%02d:%02d.000Z","ordinal":%d,%s}`+"\n", n, i, i, r)})
	}
	return out
}

func threadID(n int) string { return fmt.Sprintf("01a229c4-0000-7000-8000-%012d", n) }

const (
	rMeta    = `"type":"session_meta","payload":{"id":"$ID","cwd":"/home/dev/x","source":"cli","history_mode":"paginated"}`
	rBegin   = `"type":"event_msg","payload":{"type":"task_started","turn_id":"t1"}`
	rPrompt  = `"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Do it"}]}`
	rText    = `"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}]}`
	rCall    = `"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{\"cmd\":\"make\"}"}`
	rAsks    = `"type":"response_item","payload":{"type":"function_call","name":"exec_command","call_id":"c1","arguments":"{\"cmd\":\"make\",\"sandbox_permissions\":\"require_escalated\"}"}`
	rOutput  = `"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"done"}`
	rDone    = `"type":"event_msg","payload":{"type":"task_complete","turn_id":"t1","last_agent_message":"I look."}`
	rAborted = `"type":"event_msg","payload":{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`
)

func sub(parent int) string {
	return `"type":"session_meta","payload":{"id":"$ID","cwd":"/home/dev/x","thread_source":"subagent","history_mode":"paginated","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + threadID(parent) + `","depth":1}}}}`
}

// TestKilled holds what is said of a thread whose process dies in each moment
// of a turn. No row tells of it.
func TestKilled(t *testing.T) {
	for name, rows := range map[string][]string{
		"prompt written":   {rMeta, rBegin, rPrompt},
		"answer written":   {rMeta, rBegin, rPrompt, rText},
		"tool running":     {rMeta, rBegin, rPrompt, rText, rCall},
		"result written":   {rMeta, rBegin, rPrompt, rText, rCall, rOutput},
		"approval pending": {rMeta, rBegin, rPrompt, rText, rAsks},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.play(t, a(1, rows...)...)
			state, waits := recap.StateBusy, ""
			if name == "approval pending" {
				state, waits = recap.StateWaiting, "approval: exec_command make"
			}
			st.want(t, "at work", state, waits)
			asked := st.procs.asked
			for range 5 {
				st.want(t, "still at work", state, waits)
			}
			if st.procs.asked != asked {
				t.Errorf("the processes were looked through %d times while the one that is known lives", st.procs.asked-asked)
			}
			st.procs.dead = true
			st.want(t, "killed", recap.StateInterrupted, waits, "idle")
			st.want(t, "later", recap.StateInterrupted, waits)

			// Somebody who is not seen goes on: that is not known.
			none := newStage(t)
			none.play(t, a(1, rows...)...)
			none.procs.dead = true
			none.want(t, "killed", recap.StateInterrupted, waits, "idle")
			none.play(t, a(1, append(rows, strings.ReplaceAll(rBegin, "t1", "t2"), rPrompt)...)[len(rows):]...)
			none.want(t, "unseen", recap.StateUnknown, "")

			// It is taken up again: another process goes on in the file.
			st.procs.dead = false
			st.live.writers.find = func([]string) map[string][]process {
				return map[string][]process{filepath.Join(st.root, filepath.FromSlash(a(1, "")[0].rel)): {{pid: 2, start: "2"}}}
			}
			st.live.writers.lives = func(p process) bool { return p.pid == 2 }
			more := a(1, append(rows, strings.ReplaceAll(rBegin, "t1", "t2"), rPrompt, strings.ReplaceAll(rDone, "t1", "t2"))...)[len(rows):]
			st.play(t, more[:2]...)
			st.want(t, "taken up again", recap.StateBusy, "")
			st.play(t, more[2])
			st.want(t, "and over", recap.StateIdle, "")
		})
	}
}

// TestNobodyKnown holds that an open turn is never idle where the system does
// not tell who writes the rollout.
func TestNobodyKnown(t *testing.T) {
	st := newStage(t)
	st.procs.none = true
	st.play(t, a(1, rMeta, rBegin, rPrompt, rText, rAsks)...)
	for range 3 {
		st.want(t, "open", recap.StateUnknown, "approval: exec_command make")
	}
	if strings.Contains(st.out.String(), "IDLE") {
		t.Errorf("said to be idle:\n%s", st.out.String())
	}
	// An open turn of before the watch is not spoken of at all.
	late := newStage(t)
	late.root, late.procs.none = st.root, true
	late.live.s = New(Config{Root: st.root}).live().s
	late.track = filewatch.NewTracker(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	late.want(t, "at the beginning", recap.StateUnknown, "approval: exec_command make")
	late.want(t, "later", recap.StateUnknown, "approval: exec_command make")
}

// TestTornReplay writes each row of the recordings in two pieces: while the
// second is missing no thread in a turn is idle, and none is gone.
func TestTornReplay(t *testing.T) {
	homes := []string{"codex-0.98", "demo"}
	if long() {
		homes = append(homes, "codex")
	}
	for _, home := range homes {
		t.Run(home, func(t *testing.T) {
			st := newStage(t)
			all := rowsOf(t, filepath.Join("testdata", home))
			for i := range all {
				s := all[i]
				if strings.HasPrefix(s.rel, "archived_sessions/") {
					continue
				}
				half := s
				cut := len(s.row) / 2
				if i%3 == 0 {
					cut = len(s.row) - 1 // all but its line break
				}
				half.row, s.row = s.row[:cut], s.row[cut:]
				st.play(t, half)
				whole := all[i]
				path := filepath.Join(st.root, filepath.FromSlash(s.rel))
				appendTo(t, path, s.row)
				st.turns(t, &whole)
				st.look(t, s.at, "rest")
			}
			for _, lie := range st.lies {
				t.Error(lie)
			}
			if strings.Contains(st.out.String(), "GONE") {
				t.Errorf("gone:\n%s", st.out.String())
			}
		})
	}
}

// TestSubagentsHoldTheirParent holds that a thread is not idle while a thread
// below it is at work, and that one that died does not hold it for ever.
func TestSubagentsHoldTheirParent(t *testing.T) {
	parent := a(1, rMeta, rBegin, rPrompt, rDone)
	for name, c := range map[string]struct {
		steps []step
		none  bool
		want  recap.State
	}{
		"at work":                    {steps: slices.Concat(parent, a(2, sub(1), rBegin, rPrompt)), want: recap.StateBusy},
		"at work, nobody is known":   {steps: slices.Concat(parent, a(2, sub(1), rBegin, rPrompt)), none: true, want: recap.StateUnknown},
		"over":                       {steps: slices.Concat(parent, a(2, sub(1), rBegin, rPrompt, rDone)), want: recap.StateIdle},
		"stopped":                    {steps: slices.Concat(parent, a(2, sub(1), rBegin, rPrompt, rAborted)), want: recap.StateIdle},
		"below one that is over":     {steps: slices.Concat(parent, a(2, sub(1), rBegin, rPrompt, rDone), a(3, sub(2), rBegin, rPrompt)), want: recap.StateBusy},
		"of another":                 {steps: slices.Concat(parent, a(2, sub(9), rBegin, rPrompt)), want: recap.StateIdle},
		"each of the other":          {steps: slices.Concat(parent, a(2, sub(3), rBegin, rPrompt), a(3, sub(2), rBegin, rPrompt)), want: recap.StateIdle},
		"left behind, nobody known":  {steps: slices.Concat(a(0, sub(1), rBegin, rPrompt), parent), none: true, want: recap.StateIdle},
		"begun before and lives":     {steps: slices.Concat(a(0, sub(1), rBegin, rPrompt), parent), want: recap.StateBusy},
		"asks, and its parent waits": {steps: slices.Concat(a(1, rMeta, rBegin, rPrompt), a(2, sub(1), rBegin, rPrompt, rAsks)), want: recap.StateBusy},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.procs.none = c.none
			st.play(t, c.steps...)
			var got recap.State
			for x, err := range st.live.list(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if x.Ref.ID != threadID(1) {
					t.Errorf("told of %s", x.Ref.ID)
				}
				got = x.State
			}
			if got != c.want {
				t.Errorf("state %s, want %s", got, c.want)
			}
			// The listing knows of no process, and says no more than it knows.
			for x, err := range New(Config{Root: st.root}).Sessions(t.Context(), agent.Query{}) {
				if err != nil {
					t.Fatal(err)
				}
				if x.State == recap.StateBusy || c.want == recap.StateUnknown && x.State != recap.StateUnknown {
					t.Errorf("listed as %s", x.State)
				}
			}
		})
	}
}

// TestOldRowsDoNotTell holds that a version that does not write when an answer
// is whole is never said to be idle; the list still shows it as such.
func TestOldRowsDoNotTell(t *testing.T) {
	st := newStage(t)
	st.procs.none = true
	rel := day + "/rollout-2026-11-30T00-00-00-" + threadID(1) + ".jsonl"
	for i, r := range []string{`"type":"session_meta","payload":{"id":"` + threadID(1) + `","cwd":"/home/dev/x"}`, rPrompt, rText} {
		st.play(t, step{rel: rel, row: fmt.Appendf(nil, `{"timestamp":"2026-11-30T00:00:%02d.000Z",%s}`+"\n", i, r)})
	}
	st.want(t, "watched", recap.StateUnknown, "")
	for x, err := range New(Config{Root: st.root}).Sessions(t.Context(), agent.Query{}) {
		if err != nil || x.State != recap.StateIdle {
			t.Errorf("listed as %s (%v)", x.State, err)
		}
	}
	// A whole answer, and an error, end a turn of the versions after that.
	usage := fmt.Appendf(nil, `{"timestamp":"2026-11-30T00:00:09.000Z","type":"event_msg","payload":{"type":"token_count","info":null}}`+"\n")
	st.play(t, step{rel: rel, row: usage})
	st.want(t, "whole", recap.StateIdle, "")
	st.play(t, step{rel: rel, row: []byte(`{"timestamp":"2026-11-30T00:01:00.000Z",` + rPrompt + "}\n")})
	st.want(t, "next", recap.StateUnknown, "")
	st.play(t, step{rel: rel, row: []byte(`{"timestamp":"2026-11-30T00:01:01.000Z",` + rText + "}\n")})
	st.want(t, "its text", recap.StateUnknown, "")
	st.play(t, step{rel: rel, row: []byte(`{"timestamp":"2026-11-30T00:01:02.000Z","type":"event_msg","payload":{"type":"error","message":"usage limit"}}` + "\n")})
	st.want(t, "failed", recap.StateFailed, "")
}

// TestWritersOf asks the system itself: a process that has the file open for
// writing is found, one that reads it is not, and it is missed when it is gone.
func TestWritersOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	file := filepath.Join(t.TempDir(), "rollout-2026-11-30T00-00-00-"+threadID(1)+".jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := writersOf([]string{file}); len(found) > 0 {
		t.Fatalf("found %v", found)
	}
	start := func(redirect string) *exec.Cmd {
		t.Helper()
		c := exec.CommandContext(t.Context(), "sh", "-c", "exec 3"+redirect+` "$0"; echo ready; read x`, file)
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			in.Close()       //nolint:errcheck // it ends the script
			c.Process.Kill() //nolint:errcheck // it may have ended
			c.Wait()         //nolint:errcheck // killed
		})
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatal(line, err)
		}
		return c
	}
	start("<")
	if found := writersOf([]string{file}); len(found) > 0 {
		t.Fatalf("a reader was taken for a writer: %v", found)
	}
	w := start(">>")
	other := filepath.Join(t.TempDir(), filepath.Base(file)) // of the same name
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := writersOf([]string{file, other})
	if len(found[file]) != 1 || found[file][0].pid != w.Process.Pid || len(found[other]) > 0 {
		t.Fatalf("found %v, want %d", found, w.Process.Pid)
	}
	p := found[file][0]
	if !running(p) || running(process{p.pid, "1"}) {
		t.Error("the process is not known by its number and its start")
	}
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	w.Wait() //nolint:errcheck // killed
	if running(p) {
		t.Error("it is dead")
	}
}

// TestRoots holds which folders are watched and which changes matter.
func TestRoots(t *testing.T) {
	root := t.TempDir()
	for _, d := range []string{"2025/12/31", "2026/01/02", "2026/01/30", "2026/11/29", "2026/11/30", "other"} {
		if err := os.MkdirAll(filepath.Join(root, "sessions", filepath.FromSlash(d)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := New(Config{Root: root})
	roll := "/rollout-2026-11-30T00-00-00-x.jsonl"
	for _, c := range []struct {
		days int
		rel  string
		dir  bool
		want bool
	}{
		{5, "sessions", true, true},
		{5, "archived_sessions", true, true},
		{5, "log", true, false},
		{5, "sessions/2025", true, true},
		{5, "sessions/2025/12/31", true, true},
		{5, "sessions/2025/12/31" + roll, false, true},
		{5, "sessions/2025/12/31" + roll + ".zst", false, true},
		{5, "sessions/2025/12/31/notes.txt", false, false},
		{5, "archived_sessions" + roll, false, true},
		{5, "archived_sessions/deep", true, false},
		{5, "history.jsonl", false, false}, // all days are watched
		{5, "state_5.sqlite-wal", false, false},
		{3, "sessions/2025", true, false},
		{3, "sessions/2026", true, true},
		{3, "sessions/2026/01", true, true},
		{3, "sessions/2026/01/02", true, false},
		{3, "sessions/2026/01/30", true, true},
		{3, "sessions/2026/12", true, true}, // that is to come
		{3, "sessions/2026/12/01", true, true},
		{3, "sessions/2027/01/01", true, true},
		{3, "sessions/other", true, true},
		{3, "history.jsonl", false, true},
		{3, "state_5.sqlite-wal", false, true},
		{3, "logs_2.sqlite-wal", false, false},
		{3, "config.toml", false, false},
	} {
		if got := s.roots(c.days)[0].Keep(c.rel, c.dir); got != c.want {
			t.Errorf("%d days: %s: %v, want %v", c.days, c.rel, got, c.want)
		}
	}
}

// fakeNotifier is a system that tells what a test tells it.
type fakeNotifier struct {
	changes chan filewatch.Change
	added   []string
}

func (n *fakeNotifier) Add(dir string) error              { n.added = append(n.added, dir); return nil }
func (n *fakeNotifier) Remove(string) error               { return nil }
func (n *fakeNotifier) Changes() <-chan filewatch.Change  { return n.changes }
func (n *fakeNotifier) Close() error                      { return nil }
func (n *fakeNotifier) open() (filewatch.Notifier, error) { return n, nil }

// pass lets time of the bubble pass, and all that is due then happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestOldFolders holds that a thread of a day that is not watched any more is
// noticed when its prompt is written, and that nothing else asks for a look.
func TestOldFolders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		old := "sessions/2025/01/02/rollout-2025-01-02T00-00-00-" + threadID(1) + ".jsonl"
		rows := a(1, rMeta, rBegin, rPrompt, rDone, strings.ReplaceAll(rBegin, "t1", "t2"), rPrompt, strings.ReplaceAll(rDone, "t1", "t2"))
		for _, r := range rows[:4] {
			appendTo(t, filepath.Join(root, old), r.row)
		}
		for _, d := range []string{"29", "30"} {
			if err := os.MkdirAll(filepath.Join(root, "sessions/2026/11", d), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		n := &fakeNotifier{changes: make(chan filewatch.Change)}
		looks := 0
		cfg := New(Config{Root: root}).watching(2)
		list := cfg.List
		cfg.Notifier = n.open
		cfg.List = func(ctx context.Context) iter.Seq2[recap.Session, error] {
			looks++
			return list(ctx)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var got []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e, err := range filewatch.Watch(ctx, cfg) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, e.Kind.String())
			}
		}()
		pass(time.Hour)
		if looks != 1 || !slices.Equal(got, []string{"ready"}) {
			t.Errorf("%d looks and %v while nothing happened", looks, got)
		}
		if slices.ContainsFunc(n.added, func(d string) bool { return strings.Contains(d, "2025") }) || len(n.added) != 6 {
			t.Errorf("watched: %v", n.added)
		}
		appendTo(t, filepath.Join(root, old), rows[4].row)
		appendTo(t, filepath.Join(root, old), rows[5].row)
		n.changes <- filewatch.Change{Path: filepath.Join(root, "log.txt")}
		pass(time.Minute)
		if looks != 1 {
			t.Errorf("%d looks after a change that matters to nobody", looks)
		}
		n.changes <- filewatch.Change{Path: filepath.Join(root, "history.jsonl")}
		pass(time.Minute)
		appendTo(t, filepath.Join(root, old), rows[6].row) // while it is at work it is looked at
		pass(time.Minute)
		if !slices.Equal(got, []string{"ready", "busy", "idle"}) {
			t.Errorf("told: %v", got)
		}
		looks = 0
		pass(time.Hour)
		if looks > 0 {
			t.Errorf("%d looks while none is at work", looks)
		}
		cancel()
		<-done
	})
}

// TestWatch follows a home by what the system tells: it is made, a folder of a
// new day appears, a turn is written.
func TestWatch(t *testing.T) {
	root := filepath.Join(t.TempDir(), "home")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	events := make(chan agent.Event)
	go func() {
		defer close(events)
		for e, err := range New(Config{Root: root}).Watch(ctx) {
			if err != nil {
				t.Error(err)
				continue
			}
			events <- e
		}
	}()
	if e := <-events; e.Kind != agent.EventReady {
		t.Fatalf("before anything else %v", e.Kind)
	}
	rows := a(1, rMeta, rBegin, rPrompt, rDone)
	write := func(rel string, steps []step) {
		for _, s := range steps { // as written now
			row := bytes.Replace(s.row, s.row[len(`{"timestamp":"`):][:19], []byte(time.Now().UTC().Format("2006-01-02T15:04:05")), 1)
			appendTo(t, filepath.Join(root, filepath.FromSlash(rel)), row)
		}
	}
	for n, rel := range []string{rows[0].rel, strings.Replace(a(2, "")[0].rel, "11/30", "12/01", 1)} {
		rows = a(n+1, rMeta, rBegin, rPrompt, rDone)
		write(rel, rows[:3])
		if e := <-events; e.Kind != agent.EventBusy || e.Ref.ID != threadID(n+1) || e.Session == nil {
			t.Fatalf("first %v of %v", e.Kind, e.Ref)
		}
		write(rel, rows[3:])
		if e := <-events; e.Kind != agent.EventIdle || e.Ref.ID != threadID(n+1) {
			t.Fatalf("then %v of %v", e.Kind, e.Ref)
		}
	}
	cancel()
	for range events {
		t.Error("an event after the end")
	}
}

func TestWatcher(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		t.Run(fmt.Sprintf("legacy %v", legacy), func(t *testing.T) {
			if legacy && !long() {
				t.Skip("RECAP_TEST_LONG is not set")
			}
			agenttest.RunWatcher(t, agenttest.Watched{Member: agenttest.Member{
				Agent: recap.Codex,
				Build: func(_ *testing.T, root string) agenttest.Builder {
					return &writer{root: root, legacy: legacy, files: map[string]*thread{}}
				},
				Open: func(root, name string, idx agent.Index) agent.Source {
					return New(Config{Root: root, Name: name, Index: idx})
				},
			}})
		})
	}
}

// TestLongEnds holds that a turn's end is found where a listing's last bytes
// hold none of it.
func TestLongEnds(t *testing.T) {
	big := strings.Repeat("long ", 40_000)
	for name, c := range map[string]struct {
		last string
		want recap.State
	}{
		"a long last answer": {strings.Replace(rDone, "I look.", big, 1), recap.StateIdle},
		"a long prompt":      {strings.Replace(rPrompt, "Do it", big, 1), recap.StateUnknown},
		"a long result":      {strings.Replace(rOutput, "done", big, 1), recap.StateUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.procs.none = true
			st.play(t, a(1, rMeta, rBegin, rPrompt, rCall, c.last)...)
			got, _, _ := st.seen(t)
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestWatchLeavesOut holds that nothing of an excluded directory is told or
// remembered.
func TestWatchLeavesOut(t *testing.T) {
	root, idx := t.TempDir(), agenttest.NewIndex()
	l := New(Config{Root: root, Index: idx, Exclude: []string{"/home/dev/x"}}).live()
	for _, s := range a(1, rMeta, rBegin, rPrompt) {
		appendTo(t, filepath.Join(root, s.rel), s.row)
	}
	for range 2 {
		for x, err := range l.list(t.Context()) {
			t.Errorf("told of %v (%v)", x.Ref, err)
		}
	}
	for _, e := range idx.Entries() {
		if e.Session != (recap.Session{}) || !strings.HasPrefix(e.Skip, skipExcluded) {
			t.Errorf("remembered %+v", e)
		}
	}
}
