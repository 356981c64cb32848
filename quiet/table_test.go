package quiet

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const window = time.Minute

var (
	t0    = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	tailA = TailOf("a") // answered in every state of the table
	tailB = TailOf("b") // not answered
)

// name gives the state's row in the table.
func name(s State) string {
	n := s.phase.String()
	switch {
	case s.phase == Window && !s.owed:
		n = "recheck"
	case s.phase == Rest && s.owed:
		n = "canceled"
	}
	if s.Settling() && s.phase != Waiting {
		n += "+"
	}
	return n
}

// eventNames are the columns of the table, in the order in which they are shown.
var eventNames = []string{
	"idle", "busy", "background", "msg.new", "msg.resent", "msg.older",
	"tick.over", "tick.moved", "tick.same", "tick.early", "tick.asleep", "tick.stale",
	"settled.stored", "settled.late", "settled.discarded", "settled.failed", "settled.held", "settled.canceled", "settled.stale",
	"off", "on", "gone", "stop", "wake",
}

// eventOf makes a column's event fit a state, and the time at which it comes.
func eventOf(t testing.TB, column string, s State, now time.Time) (Event, time.Time) {
	t.Helper()
	timer, run, due := s.timer, s.run, now
	same, moved, made := s.tail, tailB, s.next
	if same == (Tail{}) {
		same = tailA
	}
	if same == tailB {
		moved = tailA
	}
	if made == (Tail{}) {
		made = moved
	}
	if timer == 0 {
		timer = s.seq
	} else {
		due = time.UnixMicro(s.due).UTC()
	}
	if run == 0 {
		run = s.seq
	}
	switch column {
	case "idle":
		return Idle{}, now
	case "busy":
		return Busy{}, now
	case "background":
		return Background{}, now
	case "msg.new":
		return UserMessage{ID: "m-new", Created: now}, now
	case "msg.resent":
		return UserMessage{ID: "m1", Created: t0.Add(-time.Hour)}, now
	case "msg.older":
		return UserMessage{ID: "m-older", Created: t0.Add(-time.Minute)}, now
	case "tick.over":
		return Tick{Timer: timer}, due
	case "tick.moved":
		return Tick{Timer: timer, Tail: moved}, due
	case "tick.same":
		return Tick{Timer: timer, Tail: same}, due
	case "tick.early":
		return Tick{Timer: timer, Tail: moved}, due.Add(-time.Second)
	case "tick.asleep":
		return Tick{Timer: timer, Tail: moved}, due.Add(8 * time.Hour)
	case "tick.stale":
		return Tick{Timer: timer + 1000, Tail: tailB}, due
	case "settled.stored":
		return Settled{Run: run, Outcome: Stored}, now
	case "settled.late":
		return Settled{Run: run, Outcome: Stored, Tail: made}, now
	case "settled.discarded":
		return Settled{Run: run, Outcome: Discarded}, now
	case "settled.failed":
		return Settled{Run: run, Outcome: Failed}, now
	case "settled.held":
		return Settled{Run: run, Outcome: Failed, RetryAfter: time.Hour}, now
	case "settled.canceled":
		return Settled{Run: run, Outcome: Canceled}, now
	case "settled.stale":
		return Settled{Run: run + 1000, Outcome: Stored, Tail: tailB}, now
	case "off":
		return SettingsOff{}, now
	case "on":
		return SettingsOn{}, now
	case "gone":
		return Gone{}, now
	case "stop":
		return Stop{}, now
	case "wake":
		return Wake{}, now
	}
	t.Fatalf("no event %q", column)
	return nil, now
}

// ways leads from rest (or parked) to each row of the table.
var ways = map[string]string{
	"dormant":      "gone",
	"dormant+":     "busy idle tick.moved gone",
	"working":      "busy",
	"working+":     "busy idle tick.moved busy",
	"window":       "busy idle",
	"window+":      "busy idle tick.moved busy idle",
	"recheck":      "idle",
	"recheck+":     "busy idle tick.moved busy idle tick.same idle",
	"generating":   "busy idle tick.moved",
	"waiting":      "busy idle tick.moved busy idle tick.moved",
	"rest":         "",
	"rest+":        "busy idle tick.moved busy idle tick.same",
	"canceled":     "busy idle tick.moved settled.canceled",
	"parked":       "",
	"parked+":      "busy idle tick.moved busy idle tick.same",
	"off":          "off",
	"off+":         "busy idle tick.moved off",
	"off-working":  "busy off",
	"off-working+": "busy idle tick.moved busy off",
	"stopped":      "stop",
	"stopped+":     "busy idle tick.moved stop",
}

// reach gives a state of the row, whose tail a was stored or failed.
func reach(t testing.TB, row string, outcome Outcome) (State, time.Time) {
	t.Helper()
	s, now := New(t0), t0
	step := func(ev Event, at time.Time) { now = at; s, _ = Step(s, ev, now, window) }
	step(UserMessage{ID: "m1", Created: t0.Add(-time.Hour)}, now)
	step(Busy{}, now.Add(time.Second))
	step(Idle{}, now.Add(time.Second))
	step(Tick{Timer: s.timer, Tail: tailA}, now.Add(window))
	step(Settled{Run: s.run, Outcome: outcome}, now.Add(time.Second))
	for column := range strings.FieldsSeq(ways[row]) {
		ev, at := eventOf(t, column, s, now.Add(time.Second))
		step(ev, at)
	}
	if got := name(s); got != row {
		t.Fatalf("the way to %s leads to %s", row, got)
	}
	return s, now.Add(time.Second)
}

// outcomes are those with which a row can be reached.
func outcomes(row string) []Outcome {
	switch strings.TrimSuffix(row, "+") {
	case "rest":
		return []Outcome{Stored, Discarded}
	case "parked":
		return []Outcome{Failed}
	}
	return []Outcome{Stored, Discarded, Failed}
}

// cell is one place of the table.
type cell struct {
	next    string
	actions string
}

type key struct{ row, column string }

// readTable gives the table and its rows in order.
func readTable(t testing.TB) (map[key]cell, []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/table.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, rows := map[key]cell{}, []string(nil)
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			rows = append(rows, line)
		default:
			columns, does, ok := strings.Cut(line, "->")
			if !ok || len(rows) == 0 {
				t.Fatalf("table.txt:%d: %s", i+1, line)
			}
			row := rows[len(rows)-1]
			next, actions, _ := strings.Cut(strings.TrimSpace(does), " ")
			for c := range strings.FieldsSeq(columns) {
				if _, twice := table[key{row, c}]; twice || !slices.Contains(eventNames, c) {
					t.Errorf("table.txt:%d: %s: %s stands there twice or is no event", i+1, row, c)
				}
				table[key{row, c}] = cell{next, actions}
			}
		}
	}
	return table, rows
}

func kinds(actions []Action) string {
	var names []string
	for _, a := range actions {
		names = append(names, a.Kind.String())
	}
	return strings.Join(names, " ")
}

func TestTable(t *testing.T) {
	table, rows := readTable(t)
	if got, want := slices.Sorted(slices.Values(rows)), slices.Sorted(maps.Keys(ways)); !slices.Equal(got, want) {
		t.Fatalf("rows %v, want %v", got, want)
	}
	cells := 0
	for _, row := range rows {
		for _, column := range eventNames {
			want, ok := table[key{row, column}]
			if !ok {
				t.Errorf("%s: %s is missing", row, column)
				continue
			}
			for _, outcome := range outcomes(row) {
				cells++
				s, now := reach(t, row, outcome)
				ev, at := eventOf(t, column, s, now)
				got, actions := Step(s, ev, at, window)
				next := want.next
				switch {
				case next == "same":
					next = row
				case strings.HasPrefix(next, "rested") && outcome == Failed:
					next = "parked" + strings.TrimPrefix(next, "rested")
				case strings.HasPrefix(next, "rested"):
					next = "rest" + strings.TrimPrefix(next, "rested")
				}
				if name(got) != next || kinds(actions) != want.actions {
					t.Errorf("%s (tail %d): %s: got %s %q, want %s %q", row, outcome, column, name(got), kinds(actions), next, want.actions)
				}
				if untouched(column) && got != s {
					t.Errorf("%s: %s changed the state: %+v, was %+v", row, column, got, s)
				}
				checkActions(t, row+" "+column, s, got, actions, at)
			}
		}
	}
	t.Logf("%d states, %d events, %d cells checked", len(rows), len(eventNames), cells)
}

// untouched are the events that come too late or twice.
func untouched(column string) bool {
	return column == "msg.resent" || strings.HasSuffix(column, ".stale")
}

// checkActions holds the ids and times of actions against the states.
func checkActions(t *testing.T, what string, before, after State, actions []Action, now time.Time) {
	t.Helper()
	for _, a := range actions {
		ok := false
		switch a.Kind {
		case ArmTimer:
			due, armed := after.Due()
			ok = armed && a.ID == after.timer && a.ID > before.seq && due.Equal(a.At) && a.At.Equal(now.Add(a.After)) && a.After >= 0
		case CancelTimer:
			ok = a.ID == before.timer
		case StartGeneration:
			ok = a.ID == after.run && a.ID > before.seq
		case AbortGeneration:
			ok = a.ID == before.run
		}
		if !ok {
			t.Errorf("%s: wrong %v %+v: %+v after %+v", what, a.Kind, a, after, before)
		}
	}
}

// TestTableHoldsEveryState walks from New by every event of the table, and
// finds no state that has no row.
func TestTableHoldsEveryState(t *testing.T) {
	type kind struct {
		name         string
		owed, failed bool
		timer        bool
		answer, next bool
	}
	kindOf := func(s State) kind {
		return kind{name(s), s.owed, s.failed, s.timer != 0, s.tail != Tail{}, s.next != Tail{}}
	}
	type place struct {
		s   State
		now time.Time
	}
	start := New(t0)
	found := map[kind]bool{kindOf(start): true}
	named := map[string]bool{}
	for todo := []place{{start, t0}}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		named[name(at.s)] = true
		for _, column := range eventNames {
			ev, now := eventOf(t, column, at.s, at.now.Add(time.Second))
			s, _ := Step(at.s, ev, now, window)
			if k := kindOf(s); !found[k] {
				found[k] = true
				todo = append(todo, place{s, now})
			}
			if err := sound(s); err != nil {
				t.Fatalf("%s, %s: %v", name(at.s), column, err)
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(named)), slices.Sorted(maps.Keys(ways)); !slices.Equal(got, want) {
		t.Errorf("states found %v\nrows %v", got, want)
	}
}

// sound tells what is wrong with a state, whatever led to it.
func sound(s State) error {
	switch {
	case (s.phase == Window) != (s.timer != 0):
		return fmt.Errorf("%v with timer %d", s.phase, s.timer)
	case s.phase == Generating && s.run == 0, s.phase == Waiting && s.run == 0:
		return fmt.Errorf("%v without a run", s.phase)
	case s.timer > s.seq, s.run > s.seq:
		return fmt.Errorf("ids ahead of the count: %+v", s)
	case s.next != (Tail{}) && s.phase != Generating && s.phase != Waiting:
		return fmt.Errorf("%v keeps the tail of a run", s.phase)
	}
	switch s.phase {
	case Working, Generating, Waiting:
		if !s.owed {
			return fmt.Errorf("%v owes nothing", s.phase)
		}
	case Dormant, Off, OffWorking, Stopped, Parked:
		if s.owed {
			return fmt.Errorf("%v owes", s.phase)
		}
	case Window, Rest:
	}
	return nil
}
