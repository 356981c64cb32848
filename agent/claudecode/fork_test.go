package claudecode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
)

// copyOf writes a new session that begins with the rows of another, as the
// agent does: the same uuids, the session's id rewritten. mark changes each
// row of the conversation.
func (m *made) copyOf(from string, mark func(row map[string]any)) string {
	m.t.Helper()
	b, err := os.ReadFile(m.path(from))
	if err != nil {
		m.t.Fatal(err)
	}
	to := m.uuid()
	m.dirs[to], m.leaf[to] = m.dirs[from], m.leaf[from]
	m.write(m.t, to, fmt.Sprintf(`{"type":"mode","mode":"normal","sessionId":%q}`, to))
	for line := range bytes.Lines(b) {
		var row map[string]any
		if err := json.Unmarshal(line, &row); err != nil {
			m.t.Fatal(err)
		}
		if row["uuid"] == nil {
			continue
		}
		row["sessionId"] = to
		mark(row)
		// The order of members is the agent's, not the alphabet's.
		text := strings.Replace(string(line), `"sessionId":"`+from+`"`, `"sessionId":"`+to+`"`, 1)
		var extra strings.Builder
		for _, k := range []string{"requestSessionId", "forkedFrom", "sessionKind"} {
			if row[k] != nil {
				fmt.Fprintf(&extra, `,%q:%s`, k, q(row[k]))
			}
		}
		m.write(m.t, to, strings.TrimSuffix(strings.TrimSpace(text), "}")+extra.String()+"}")
	}
	return to
}

func TestF9_ForksShowTheirOwnWork(t *testing.T) {
	m := newMade(t)
	parent := m.begin()
	m.ask(parent, "one")
	m.say(parent, "first")
	m.ask(parent, "two")
	m.say(parent, "second")
	links := map[string]func(map[string]any){
		"answers name their request's session": func(r map[string]any) {
			if r["type"] == "assistant" {
				r["requestSessionId"] = parent
			}
		},
		"rows name their origin": func(r map[string]any) {
			r["forkedFrom"] = obj{"sessionId": parent, "messageUuid": r["uuid"]}
		},
		"no link at all": func(map[string]any) {},
	}
	for name, mark := range links {
		t.Run(name, func(t *testing.T) {
			fork := m.copyOf(parent, mark)
			if _, ok := m.listed()[fork]; ok {
				t.Error("a copy without work of its own is listed")
			}
			m.ask(fork, "three in the fork")
			m.say(fork, "third")
			m.ask(fork, "four in the fork")
			m.say(fork, "fourth")
			list := m.listed()
			if s := list[fork]; s.ForkedFrom != parent {
				t.Errorf("%+v", s)
			}
			if s, ok := list[parent]; !ok || s.ForkedFrom != "" {
				t.Errorf("parent: %+v", s)
			}
			for _, n := range []int{1, 2, 50} {
				got := agenttest.Records(t, m.src, recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: fork}, n)
				if len(got) != 4 {
					t.Errorf("pages of %d: %d records", n, len(got))
				}
			}
			m.want(fork, "three in the fork → third", "four in the fork → fourth")
			if err := os.Remove(m.path(fork)); err != nil {
				t.Fatal(err)
			}
		})
	}
	m.want(parent, "one → first", "two → second")
}

func TestF9_ForkOfAFork(t *testing.T) {
	m := newMade(t)
	a := m.begin()
	m.ask(a, "one")
	m.say(a, "first")
	link := func(from string) func(map[string]any) {
		return func(r map[string]any) {
			if r["type"] == "assistant" && r["requestSessionId"] == nil {
				r["requestSessionId"] = from
			}
		}
	}
	b := m.copyOf(a, link(a))
	m.ask(b, "two")
	m.say(b, "second")
	c := m.copyOf(b, link(b))
	// So much work of its own that the copied rows are in the head alone.
	for i := range 3 {
		m.ask(c, fmt.Sprint("three ", i))
		m.Add(t, c, agenttest.Event{Kind: agenttest.Noise, At: at(m.n), Size: 100 << 10})
		m.say(c, "third")
	}
	list := m.listed()
	if len(list) != 3 || list[b].ForkedFrom != a || list[c].ForkedFrom == "" {
		t.Errorf("%+v", list)
	}
	m.want(a, "one → first")
	m.want(b, "two → second")
	m.want(c, "three 0 → third", "three 1 → third", "three 2 → third")
}

func TestF9_CopyWhoseOriginalIsGoneIsWhole(t *testing.T) {
	m := newMade(t)
	parent := m.begin()
	m.ask(parent, "one")
	m.say(parent, "first")
	fork := m.copyOf(parent, func(r map[string]any) { r["forkedFrom"] = obj{"sessionId": parent} })
	if err := os.Remove(m.path(parent)); err != nil {
		t.Fatal(err)
	}
	if _, ok := m.listed()[fork]; !ok {
		t.Error("not listed")
	}
	m.want(fork, "one → first")
}

func TestF9_BackgroundCopies(t *testing.T) {
	m := newMade(t)
	parent := m.begin()
	m.ask(parent, "one")
	m.say(parent, "first")
	bg := m.copyOf(parent, func(r map[string]any) { r["sessionKind"] = "bg" })
	m.ask(bg, "work on it")
	m.say(bg, "worked")
	m.ask(parent, "meanwhile") // the original moved last, and is still the original
	m.say(parent, "second")
	list := m.listed()
	if len(list) != 2 || list[bg].ForkedFrom != parent || list[parent].ForkedFrom != "" {
		t.Errorf("%+v", list)
	}
	m.want(bg, "work on it → worked")
	m.want(parent, "one → first", "meanwhile → second")
}

func TestF9_ContinuedInIsFollowed(t *testing.T) {
	m := newMade(t)
	a := m.begin()
	m.ask(a, "one")
	m.say(a, "first")
	b := m.begin()
	m.write(t, a, fmt.Sprintf(`{"type":"continued-in","continuedInSessionId":%q,"sessionId":%q}`, b, a))
	if _, ok := m.listed()[a]; !ok {
		t.Error("continued in a session without conversation, and not listed")
	}
	m.ask(b, "two")
	m.say(b, "second")
	c := m.copyOf(b, func(r map[string]any) {
		if r["type"] == "assistant" {
			r["requestSessionId"] = b
		}
	})
	m.write(t, b, fmt.Sprintf(`{"type":"continued-in","continuedInSessionId":%q,"sessionId":%q}`, c, b))
	m.ask(c, "three")
	m.say(c, "third")
	list := m.listed()
	if s := list[c]; len(list) != 1 || s.Title != "one" || s.ForkedFrom != "" || !s.CreatedAt.Equal(at(1)) {
		t.Errorf("%+v", list)
	}
	m.want(c, "one → first", "two → second", "three → third")
	for _, n := range []int{1, 2, 3, 4, 50} {
		if got := agenttest.Records(t, m.src, recap.SessionRef{Agent: recap.Claude, Root: m.root, ID: c}, n); len(got) != 6 {
			t.Errorf("pages of %d: %d records", n, len(got))
		}
	}
	// A circle: nothing is lost, nothing hangs.
	m.write(t, c, fmt.Sprintf(`{"type":"continued-in","continuedInSessionId":%q,"sessionId":%q}`, a, c))
	if list := m.listed(); len(list) != 3 {
		t.Errorf("in a circle: %+v", list)
	}
}

func TestOneSessionInTwoFolders(t *testing.T) {
	m := newMade(t)
	id := m.begin()
	m.ask(id, "one")
	m.say(id, "first")
	b, err := os.ReadFile(m.path(id))
	if err != nil {
		t.Fatal(err)
	}
	m.dirs[id] = "/home/dev/src/moved"
	m.write(t, id, strings.TrimSpace(string(b)))
	m.ask(id, "two")
	m.say(id, "second")
	if list := m.listed(); len(list) != 1 || list[id].Directory != "/home/dev/src/moved" {
		t.Errorf("%+v", list)
	}
	m.want(id, "one → first", "two → second")
}

func TestSubagentsHaveTheirOwnSessions(t *testing.T) {
	src := fixture(t, "current")
	n := 0
	for _, s := range sessions(t, src, agent.Query{Subagents: true}) {
		if s.ParentID != "" {
			n++
			if s.ParentID != "d7413b95-f120-43d8-a8b0-e81c2a8e9040" {
				t.Errorf("%+v", s)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d subagents", n)
	}
	for _, s := range sessions(t, src, agent.Query{}) {
		if s.ParentID != "" {
			t.Errorf("listed without being asked for: %+v", s)
		}
	}
}
