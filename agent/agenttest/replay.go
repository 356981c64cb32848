package agenttest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

// Replay is a recording that is written again, row by row, into a scratch home
// that is looked at after each row.
type Replay struct {
	// From is the recorded home; Files are its transcripts with slashes, below
	// From. Their rows come in the order of their times, those of one file in
	// the order of the file.
	From  string
	Files []string
	// Open opens the source over the scratch home. It is used for all looks.
	Open func(root string, idx agent.Index) agent.Source
	// Label says in a few words what a row is.
	Label func(row []byte) string
	// Before and After, where set, run before and after a row is written: they
	// write what the agent keeps of its processes.
	Before, After func(root string, s Step)
	// Then are looked at after the last row: a process that dies.
	Then []Phase
	// All shows each row, not only those at which something happens.
	All bool
}

// Step is a row.
type Step struct {
	File string
	// N counts the rows of the file from 0.
	N   int
	Row []byte
	// At is the row's time, or that of the one before it.
	At time.Time
}

// Phase is something that happens and writes no row.
type Phase struct {
	Name string
	Do   func(root string)
}

// Run replays and gives a line for each row at which the state of a session or
// an event came: the row, what the listing says of the sessions that changed,
// and the events.
func (r Replay) Run(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	src := r.Open(root, NewIndex())
	track := filewatch.NewTracker(time.Time{})
	var out strings.Builder
	states := map[string]string{}
	look := func(name string) {
		t.Helper()
		var line strings.Builder
		var events []agent.Event
		for s, err := range src.Sessions(t.Context(), agent.Query{}) {
			if p, ok := errors.AsType[*agent.Problem](err); ok {
				line.WriteString(" problem: " + p.Reason)
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			state := string(s.State)
			if s.WaitingFor != "" {
				state += fmt.Sprintf(" %q", s.WaitingFor)
			}
			if states[s.Ref.ID] != state {
				states[s.Ref.ID] = state
				fmt.Fprintf(&line, "  %.8s is %s", s.Ref.ID, state)
			}
			events = append(events, track.See(s)...)
		}
		events = append(events, track.End(true)...)
		for i, e := range events {
			if i == 0 {
				line.WriteString(" ->")
			}
			fmt.Fprintf(&line, " %v", e.Kind)
			if len(states) > 1 {
				fmt.Fprintf(&line, "(%.8s)", e.Ref.ID)
			}
		}
		if line.Len() > 0 || r.All {
			fmt.Fprintf(&out, "%s:%s\n", name, &line)
		}
	}
	look("before")
	for s := range r.steps(t) {
		if r.Before != nil {
			r.Before(root, s)
		}
		p := filepath.Join(root, filepath.FromSlash(s.File))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(p, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(s.Row)
		if err = errors.Join(err, f.Close(), os.Chtimes(p, s.At, s.At)); err != nil {
			t.Fatal(err)
		}
		if r.After != nil {
			r.After(root, s)
		}
		name := filepath.Base(s.File)
		look(fmt.Sprintf("%.8s %3d %s", name, s.N, r.Label(s.Row)))
	}
	for _, p := range r.Then {
		p.Do(root)
		look("- " + p.Name)
	}
	return out.String()
}

// steps gives the rows of all files in the order in which they were written.
func (r Replay) steps(t *testing.T) func(func(Step) bool) {
	t.Helper()
	queues := make([][]Step, len(r.Files))
	for i, name := range r.Files {
		b, err := fs.ReadFile(os.DirFS(r.From), name)
		if err != nil {
			t.Fatal(err)
		}
		var last time.Time
		for n, row := range bytes.SplitAfter(b, []byte("\n")) {
			if len(row) == 0 {
				continue
			}
			if at := rowTime(row); at.After(last) {
				for j := range queues[i] { // rows before the first with a time
					if queues[i][j].At.IsZero() {
						queues[i][j].At = at
					}
				}
				last = at
			}
			queues[i] = append(queues[i], Step{File: name, N: n, Row: row, At: last})
		}
	}
	return func(yield func(Step) bool) {
		for {
			next := -1
			for i, q := range queues {
				if len(q) > 0 && (next < 0 || q[0].At.Before(queues[next][0].At)) {
					next = i
				}
			}
			if next < 0 || !yield(queues[next][0]) {
				return
			}
			queues[next] = queues[next][1:]
		}
	}
}

// rowTime finds the time that a row was written at.
func rowTime(row []byte) time.Time {
	for _, key := range []string{`"timestamp":"`, `"timestamp": "`} {
		_, rest, ok := bytes.Cut(row, []byte(key))
		if !ok {
			continue
		}
		text, _, _ := bytes.Cut(rest, []byte(`"`))
		if at, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
			return at
		}
	}
	return time.Time{}
}

// GoldenText compares a text with a file that a person has looked at. `go test
// -golden` writes it.
func GoldenText(t *testing.T, got, file string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("%s:%d\n got %s\nwant %s", file, i+1, a, b)
		}
	}
}
