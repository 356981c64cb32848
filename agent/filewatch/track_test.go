package filewatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

var t0 = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func sess(id string, minute int, s recap.State) recap.Session {
	return recap.Session{
		Ref: recap.SessionRef{Agent: recap.Claude, Root: "/home/dev/.claude", ID: id}, Directory: "/home/dev/src/shop",
		UpdatedAt: t0.Add(time.Duration(minute) * time.Minute), State: s,
	}
}

// look makes one whole look and gives the kinds of events, as "id kind".
func look(t *Tracker, list ...recap.Session) []string {
	var out []string
	add := func(events []agent.Event) {
		for _, e := range events {
			out = append(out, e.Ref.ID+" "+e.Kind.String())
		}
	}
	for _, s := range list {
		add(t.See(s))
	}
	add(t.End(true))
	return out
}

func TestTracker(t *testing.T) {
	const (
		idle, busy, wait, unknown = recap.StateIdle, recap.StateBusy, recap.StateWaiting, recap.StateUnknown
		stopped, failed           = recap.StateInterrupted, recap.StateFailed
	)
	moved := func(s recap.Session, dir string) recap.Session { s.Directory = dir; return s }
	archived := func(s recap.Session) recap.Session { s.Archived = true; return s }
	child := func(s recap.Session) recap.Session { s.ParentID = "p"; return s }
	titled := func(s recap.Session) recap.Session {
		s.Title, s.Stamp, s.Branch, s.WaitingFor, s.Model.ID = "new", "new", "new", "new", "new"
		return s
	}
	type looks [][]recap.Session
	one := func(s recap.Session) []recap.Session { return []recap.Session{s} }
	none := []recap.Session{}
	for _, c := range []struct {
		name  string
		looks looks
		want  string // of all looks, those of one divided by commas
	}{
		{"E11 old sessions that are still", looks{{sess("a", -9, idle), sess("b", -9, failed), sess("c", -9, stopped), sess("d", -9, unknown)}, {sess("a", -9, idle), sess("b", -9, failed), sess("c", -9, stopped), sess("d", -9, unknown)}}, " | "},
		{"at work when it begins", looks{{sess("a", 0, busy), sess("b", 0, wait)}}, "a busy, b background"},
		{"a turn", looks{one(sess("a", -9, idle)), one(sess("a", 1, busy)), one(sess("a", 2, busy)), one(sess("a", 3, idle)), one(sess("a", 3, idle))}, " | a busy |  | a idle | "},
		{"a turn between two looks", looks{one(sess("a", -9, idle)), one(sess("a", 1, idle))}, " | a busy, a idle"},
		{"a turn that nobody is known to work on", looks{one(sess("a", -9, idle)), one(sess("a", 1, unknown)), one(sess("a", 2, unknown)), one(sess("a", 3, idle))}, " | a busy |  | a idle"},
		{"an open turn from before goes on", looks{one(sess("a", -9, unknown)), one(sess("a", 1, unknown)), one(sess("a", 2, idle))}, " | a busy | a idle"},
		{"an open turn from before is found to be over", looks{one(sess("a", -9, unknown)), one(sess("a", -9, stopped))}, " | "},
		{"an approval", looks{one(sess("a", -9, idle)), one(sess("a", 1, busy)), one(sess("a", 2, wait)), one(sess("a", 2, busy)), one(sess("a", 3, idle))}, " | a busy | a background | a busy | a idle"},
		{"a question at once", looks{one(sess("a", -9, idle)), one(sess("a", 1, wait))}, " | a background"},
		{"killed", looks{one(sess("a", 0, busy)), one(sess("a", 0, stopped))}, "a busy | a idle"},
		{"failed", looks{one(sess("a", 0, busy)), one(sess("a", 1, failed))}, "a busy | a idle"},
		{"works before it writes", looks{one(sess("a", -9, idle)), one(sess("a", -9, busy)), one(sess("a", -9, idle))}, " | a busy | a idle"},
		{"nothing is known of it any more", looks{one(sess("a", 0, busy)), one(sess("a", 0, unknown)), one(sess("a", 0, busy))}, "a busy |  | "},
		{"what is not known is not idle", looks{one(sess("a", -9, idle)), one(sess("a", 1, idle)), one(sess("a", 1, unknown))}, " | a busy, a idle | a busy"},
		{"G4 a title, a stamp, a model", looks{one(sess("a", -9, idle)), one(titled(sess("a", -9, idle)))}, " | "},
		{"E9 the same again", looks{one(sess("a", -9, idle)), one(sess("a", 1, idle)), one(sess("a", 1, idle)), one(sess("a", 1, idle))}, " | a busy, a idle |  | "},
		{"went back to an earlier point", looks{one(sess("a", -9, idle)), one(sess("a", 5, idle)), one(sess("a", 2, idle))}, " | a busy, a idle | a busy, a idle"},
		{"a new session", looks{none, one(sess("a", 1, busy)), one(sess("a", 2, idle))}, " | a busy | a idle"},
		{"a new session that is done already", looks{none, one(sess("a", 1, idle))}, " | a busy, a idle"},
		{"an old session that comes back", looks{none, one(sess("a", -60, idle)), one(sess("a", 1, idle))}, " |  | a busy, a idle"},
		{"an old session that comes back at work", looks{none, one(sess("a", -60, busy))}, " | a busy"},
		{"deleted", looks{one(sess("a", 0, busy)), none, none, none}, "a busy |  | a gone | "},
		{"put in another's place", looks{one(sess("a", 0, busy)), none, one(sess("a", 0, busy)), none, none}, "a busy |  |  |  | a gone"},
		{"deleted and never told of", looks{one(sess("a", -9, idle)), none, none}, " |  | "},
		{"archived", looks{one(sess("a", 0, busy)), one(archived(sess("a", 0, idle))), one(archived(sess("a", 0, idle)))}, "a busy |  | a gone"},
		{"E8 turned into a child", looks{one(sess("a", 0, busy)), one(child(sess("a", 0, busy))), one(child(sess("a", 0, busy)))}, "a busy |  | a gone"},
		{"archived and children from the start", looks{{archived(sess("a", 0, busy)), child(sess("b", 0, busy))}, {archived(sess("a", 1, busy)), child(sess("b", 1, busy))}}, " | "},
		{"E7 moved", looks{one(sess("a", 0, busy)), one(sess("a", 1, idle)), one(moved(sess("a", 1, idle), "/x")), one(moved(sess("a", 1, idle), "/x")), one(moved(sess("a", 2, idle), "/x"))}, "a busy | a idle | a gone, a busy, a idle |  | a busy, a idle"},
		{"moved without a word while it works", looks{one(sess("a", 0, busy)), one(moved(sess("a", 0, busy), "/x")), one(moved(sess("a", 0, idle), "/x"))}, "a busy | a gone, a busy | a idle"},
		{"moved while it works", looks{one(sess("a", 0, busy)), one(moved(sess("a", 1, busy), "/x")), one(moved(sess("a", 2, idle), "/x"))}, "a busy |  | a idle"},
		{"moved and never told of", looks{one(sess("a", -9, idle)), one(moved(sess("a", -9, idle), "/x"))}, " | "},
		{"gone and back at work", looks{one(sess("a", 0, busy)), none, none, one(sess("a", 9, idle))}, "a busy |  | a gone | a busy, a idle"},
		{"E12 two at once", looks{{sess("a", -9, idle), sess("b", -9, idle)}, {sess("a", 1, busy), sess("b", 1, idle)}, {sess("b", 1, idle), sess("a", 2, failed)}}, " | a busy, b busy, b idle | a idle"},
		{"listed twice in one look", looks{{sess("a", 0, busy), sess("a", 0, busy)}, {sess("a", 1, idle), sess("a", 1, idle)}}, "a busy | a idle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := NewTracker(t0)
			var got []string
			for _, l := range c.looks {
				got = append(got, strings.Join(look(tr, l...), ", "))
			}
			if s := strings.Join(got, " | "); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

func TestALookThatFailedMakesNothingGone(t *testing.T) {
	tr := NewTracker(t0)
	if e := tr.End(false); e != nil {
		t.Fatal(e)
	}
	// Until a whole look succeeded, all is what was before.
	if e := tr.See(sess("a", -9, recap.StateIdle)); len(e) > 0 {
		t.Fatal(e)
	}
	look(tr, sess("a", 0, recap.StateBusy))
	for range 5 {
		if e := tr.End(false); e != nil {
			t.Fatal(e)
		}
	}
	if got := look(tr, sess("a", 0, recap.StateBusy)); got != nil {
		t.Fatal(got)
	}
}

// TestTrackerHoldsItsPromises checks what a watcher promises over arbitrary
// listings: at work and idle take turns, none is idle that is not still, what
// moved is always told of, and nothing is told of twice.
func TestTrackerHoldsItsPromises(t *testing.T) {
	states := []recap.State{recap.StateIdle, recap.StateBusy, recap.StateWaiting, recap.StateUnknown, recap.StateFailed, recap.StateInterrupted}
	rapid.Check(t, func(t *rapid.T) {
		tr := NewTracker(t0)
		told := map[string]agent.EventKind{}
		seen := map[string]recap.Session{}
		missing := map[string]int{}
		for n := range rapid.IntRange(1, 30).Draw(t, "looks") {
			whole := rapid.IntRange(0, 9).Draw(t, "whole") > 0
			var events []agent.Event
			now := map[string]recap.Session{}
			for _, id := range []string{"a", "b", "c"} {
				s, ok := seen[id]
				switch rapid.IntRange(0, 5).Draw(t, "what") {
				case 0:
					continue // not listed
				case 1, 2: // as it was
					if !ok {
						continue
					}
				default:
					s = sess(id, rapid.IntRange(-9, 40).Draw(t, "minute"), rapid.SampledFrom(states).Draw(t, "state"))
				}
				now[id] = s
				events = append(events, tr.See(s)...)
			}
			events = append(events, tr.End(whole)...)
			count := map[string][]agent.EventKind{}
			for _, e := range events {
				id := e.Ref.ID
				count[id] = append(count[id], e.Kind)
				if e.Kind == told[id] {
					t.Fatalf("look %d: %s is %v twice", n, id, e.Kind)
				}
				if e.Kind == agent.EventIdle && levelOf(now[id].State) != still {
					t.Fatalf("look %d: %s idle in %q", n, id, now[id].State)
				}
				if e.Kind == agent.EventIdle && told[id] != agent.EventBusy && told[id] != agent.EventBackground {
					t.Fatalf("look %d: %s idle after %v", n, id, told[id])
				}
				if e.Kind == agent.EventGone && missing[id] == 0 {
					t.Fatalf("look %d: %s gone, and was not missing", n, id)
				}
				told[id] = e.Kind
			}
			for id, s := range now {
				was, known := seen[id]
				if known && missing[id] < 2 && was.UpdatedAt.Equal(s.UpdatedAt) && was.State == s.State && len(count[id]) > 0 {
					t.Fatalf("look %d: %s did not move: %v", n, id, count[id])
				}
				if known && missing[id] < 2 && !was.UpdatedAt.Equal(s.UpdatedAt) && told[id] == 0 {
					t.Fatalf("look %d: %s moved and nothing was said", n, id)
				}
				if k := told[id]; k != 0 && k != agent.EventGone && k != levelOf(s.State).event() {
					t.Fatalf("look %d: %s is %q and was told to be %v", n, id, s.State, k)
				}
				seen[id], missing[id] = s, 0
			}
			for id := range seen {
				if _, ok := now[id]; !ok && whole {
					missing[id]++
					if k := told[id]; missing[id] == 2 && k != 0 && k != agent.EventGone {
						t.Fatalf("look %d: %s is missing and was told to be %v", n, id, k)
					}
				}
			}
			var at, opened int
			for _, m := range tr.marks {
				switch {
				case m.level == busy || m.level == waiting:
					at++
				case m.level == open && m.told:
					opened++
				}
			}
			if at != tr.Working() || opened != tr.Open() {
				t.Fatalf("%d at work, counted %d; %d open, counted %d", at, tr.Working(), opened, tr.Open())
			}
		}
	})
}

// TestMemoryOfASession: what is kept of a session that nothing happens to.
func TestMemoryOfASession(t *testing.T) {
	const n = 20_000
	list := make([]recap.Session, n)
	for i := range list {
		list[i] = sess(fmt.Sprintf("%08x-1111-4222-8333-%012x", i, i), -9, recap.StateIdle)
	}
	tr := NewTracker(t0)
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			tr = NewTracker(t0)
			look(tr, list...)
		}
	}).AllocedBytesPerOp()
	if tr.Len() != n || got/n > 600 { // with what growing the map leaves behind
		t.Errorf("%d bytes a session, %d sessions", got/n, tr.Len())
	}
	t.Logf("%d bytes a session, growing included", got/n)
	if slices.Contains(look(tr, list...), "") {
		t.Error("an event of nothing")
	}
}
