package quiet

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/quiet.md anew")

const page = "../docs/quiet.md"

// move is what Step does in a state of a row.
type move struct {
	column, next, actions string
}

// moves gives what Step does in each row whose state it changes.
func moves(t *testing.T, row string) []move {
	t.Helper()
	var out []move
	for _, column := range eventNames {
		var m move
		for _, outcome := range outcomes(row) {
			s, now := reach(t, row, outcome)
			ev, at := eventOf(t, column, s, now)
			got, actions := Step(s, ev, at, window)
			next := name(got)
			if m.column != "" && !strings.Contains(m.next, next) {
				next = m.next + " or " + next
			}
			m = move{column, next, kinds(actions)}
		}
		if m.next != row || m.actions != "" {
			out = append(out, m)
		}
	}
	return out
}

// group joins moves that do the same; the order is that of the first event.
func group(ms []move) []move {
	var out []move
	for _, m := range ms {
		i := slices.IndexFunc(out, func(o move) bool { return o.next == m.next && o.actions == m.actions })
		if i < 0 {
			out = append(out, m)
			continue
		}
		out[i].column += " " + m.column
	}
	return out
}

// node gives the phase a row is drawn as.
func node(row string) string {
	row = strings.TrimSuffix(row, "+")
	switch row {
	case "recheck":
		return "window"
	case "canceled":
		return "rest"
	}
	return row
}

// inner are the phases of a session that is followed with the settings on.
var inner = []string{"dormant", "working", "window", "generating", "waiting", "rest", "parked"}

// short gives an event's word in the picture.
func short(column, from, to string) string {
	switch {
	case slices.Contains([]string{"busy", "background", "msg.new"}, column):
		return "activity"
	case column == "msg.older":
		return "late message"
	case column == "tick.early", column == "tick.asleep":
		return "clock set, slept"
	case strings.HasPrefix(column, "tick.") && (to == "rest" || to == "parked"):
		return "nothing moved"
	case strings.HasPrefix(column, "tick."):
		return "window over"
	case column == "settled.held":
		return "held back"
	case column == "settled.late" && from == "waiting":
		return "stored after all"
	case column == "settled.late":
		return "stored"
	case strings.HasPrefix(column, "settled.") && from == "waiting":
		return "settled"
	}
	return strings.TrimPrefix(column, "settled.")
}

// edge is an arrow of the picture, with the words on it.
type edge struct {
	from, to, actions string
	words             []string
}

func (e edge) String() string {
	text := strings.Join(e.words, ", ")
	if e.actions != "" {
		text += " / " + strings.ReplaceAll(e.actions, " ", ", ")
	}
	return id(fmt.Sprintf("%s --> %s: %s", e.from, e.to, text))
}

// diagram draws the table. Rows that are drawn as one node share their edges.
func diagram(t *testing.T, rows []string) string {
	t.Helper()
	var edges []edge
	add := func(from, to, column, actions string) {
		i := slices.IndexFunc(edges, func(e edge) bool { return e.from == from && e.to == to && e.actions == actions })
		if i < 0 {
			i = len(edges)
			edges = append(edges, edge{from: from, to: to, actions: actions})
		}
		if w := short(column, from, to); !slices.Contains(edges[i].words, w) {
			edges[i].words = append(edges[i].words, w)
		}
	}
	leave := map[string][]string{} // event and target: the inner phases it moves
	for _, row := range rows {
		for _, m := range moves(t, row) {
			from := node(row)
			for next := range strings.SplitSeq(m.next, " or ") {
				to := node(next)
				k := m.column + " " + to
				switch leaves := slices.Contains([]string{"off", "gone", "stop"}, m.column); {
				case from == to && m.actions == "":
				case leaves && slices.Contains(inner, from) && !slices.Contains(leave[k], from):
					leave[k] = append(leave[k], from)
				case leaves && slices.Contains(inner, from):
				default:
					add(from, to, m.column, m.actions)
				}
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(leave)) {
		column, to, _ := strings.Cut(k, " ")
		from := "followed"
		if len(leave[k]) == 1 {
			from = leave[k][0]
		}
		add(from, to, column, "")
	}
	var b, outside strings.Builder
	b.WriteString("stateDiagram-v2\n    [*] --> dormant\n    state followed {\n")
	for _, e := range edges {
		if slices.Contains(inner, e.from) && slices.Contains(inner, e.to) {
			fmt.Fprintf(&b, "        %v\n", e)
		} else {
			fmt.Fprintf(&outside, "    %v\n", e)
		}
	}
	return b.String() + "    }\n" + outside.String()
}

// id makes names that Mermaid takes.
func id(text string) string { return strings.ReplaceAll(text, "off-working", "off_working") }

const head = `# When a session is quiet

Written by a test of package ` + "`quiet/`" + ` from what the machine does (` + "`go test ./quiet -update`" + `): do not edit.

A session gets its recap once it has been still for a whole window. This is the life of one session. The word before the stroke
is what happened, the words after it are what is done: *arm* and *cancel* the timer, *start* and *abort* the run. Activity is: the
agent is busy, something works in the background, or a new message of the person came. *Window over* means that the tail
wants a run; *nothing moved* that it was answered before. A *late message* was not seen before and is older than the window. In
*off* and *stopped* there is no timer and no run; what leaves *followed* cancels the timer and aborts the run.

`

const middle = `
## The whole table

A ` + "`+`" + ` says that an aborted run has yet to settle (in *waiting* one always has). *Recheck* is a window in which nothing was seen to move: only a tail
that reads differently starts a run. *Canceled* is rest after a run that ended early, not by us: the next idle may try again. What
is not named changes nothing.

| event | means |
|---|---|
| idle, busy, background | what the agent does |
| msg.new | a message of the person that was created at or after the arming |
| msg.older | one that was not seen before and is older than the arming |
| msg.resent | one that was seen before |
| tick.over | the window is over, the tail was not read |
| tick.moved, tick.same | the window is over, the tail is another than the one answered, or the same |
| tick.early, tick.asleep | the clock was set back, the machine slept |
| tick.stale, settled.stale | of a timer or a run that is no longer ours |
| settled.stored, .discarded, .failed, .canceled | the run is over |
| settled.held | it failed, and the provider named a time |
| settled.late | an aborted run had stored the tail that waits |
| off, on, gone, stop, wake | settings, the session deleted or moved, following ended, the machine woke |

| state | event | next | do |
|---|---|---|---|
`

func TestDiagramIsOfTheTable(t *testing.T) {
	_, rows := readTable(t)
	var b strings.Builder
	b.WriteString(head + "```mermaid\n" + diagram(t, rows) + "```\n" + middle)
	for _, row := range rows {
		for _, m := range group(moves(t, row)) {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row, strings.ReplaceAll(m.column, " ", ", "), m.next, strings.ReplaceAll(m.actions, " ", ", "))
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s is not what the machine does: run go test ./quiet -update", page)
	}
}
