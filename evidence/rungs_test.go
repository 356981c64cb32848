package evidence

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// rungSession is a session of which texts claim a higher rung than it reached.
type rungSession struct {
	Session string
	story
}

func rungSessions(t testing.TB, file string) map[string]Input {
	t.Helper()
	b, err := os.ReadFile("testdata/guard/" + file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Input{}
	for l := range strings.Lines(string(b)) {
		var s rungSession
		if err := json.Unmarshal([]byte(l), &s); err != nil {
			t.Fatal(err)
		}
		in := s.input(t)
		in.Session.Directory = "/home/dev/src/shop"
		out[s.Lang+" "+s.Session] = in
	}
	return out
}

// rungText is a text of one of them. What is false of it stands between before
// and after.
type rungText struct {
	text, before, after, session string
}

func rungTexts(t testing.TB, file string) (over, truths []rungText) {
	t.Helper()
	b, err := os.ReadFile("testdata/guard/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		f := strings.SplitN(l, " ", 4)
		if len(f) != 4 {
			t.Fatalf("%q", l)
		}
		x := rungText{session: f[1] + " " + f[2], text: f[3]}
		if f[0] == "true" {
			truths = append(truths, x)
			continue
		}
		before, rest, _ := strings.Cut(f[3], "{")
		wrong, after, ok := strings.Cut(rest, "}")
		if f[0] != "over" || !ok {
			t.Fatalf("%q", l)
		}
		x.before, x.after, x.text = before, after, before+wrong+after
		over = append(over, x)
	}
	return over, truths
}

// shows: what is kept of an over-claim holds what is false of it, or is torn.
func (x *rungText) shows(kept string) bool {
	core := strings.TrimRight(kept, ".。;； ")
	return core != "" && !strings.Contains(x.before, core) && !strings.Contains(x.after, core)
}

// weighedSet is a set of texts, with how many of its over-claims may be shown and
// how many of its truths may lose something.
type weighedSet struct {
	texts                   string
	n, most, truths, losing int
}

// weigh fails unless the texts fare as the set says, each as a recap and as an
// away text.
func (set *weighedSet) weigh(t *testing.T, sessions map[string]Input) {
	t.Helper()
	over, truths := rungTexts(t, set.texts)
	if len(over) != set.n || len(truths) != set.truths {
		t.Fatalf("%s: %d over-claims, %d truths", set.texts, len(over), len(truths))
	}
	shown, lost := 0, 0
	for i, x := range slices.Concat(over, truths) {
		bad := i < len(over)
		in, ok := sessions[x.session]
		if !ok {
			t.Fatal(x.session)
		}
		for _, f := range []recap.Field{recap.FieldRecap, recap.FieldAway} {
			kept, dropped, _ := NewGuard(in).Vet(f, x.text)
			if bad && x.shows(kept) {
				shown++
				t.Logf("%s: %q is shown as %q", x.session, x.text, kept)
				break
			}
			if !bad && kept != x.text {
				lost++
				t.Logf("%s: %q became %q, %q", x.session, x.text, kept, dropped)
				break
			}
		}
	}
	t.Logf("%s: %d of %d over-claims are shown, %d of %d truths lost something", set.texts, shown, len(over), lost, len(truths))
	if shown > set.most || lost > set.losing {
		t.Errorf("%s: at most %d over-claims may be shown, and %d truths lose something", set.texts, set.most, set.losing)
	}
}

// TestH3_Rungs: what was only asked, only proposed, or denied, is not told as
// done; and what is true of such a session is shown whole. The second set was
// written before the rules: when it was first tried, 9 over-claims were shown
// and one truth was lost. Two are still shown, that what was to be faster is
// faster, beside a test that fails.
func TestH3_Rungs(t *testing.T) {
	for sessions, set := range map[string]weighedSet{
		"rungs-sessions.jsonl":        {"rungs.txt", 122, 0, 66, 0},
		"rungs-unseen-sessions.jsonl": {"rungs-unseen.txt", 60, 2, 40, 0},
	} {
		set.weigh(t, rungSessions(t, sessions))
	}
}

// TestH3_RungsOfOtherSessions: a proposal is one until a turn changes something,
// and beside work that was done; how things are is no proposal.
func TestH3_RungsOfOtherSessions(t *testing.T) {
	passed := bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n")
	later := evidenceOf("go ahead with it", "Users.Find compares the addresses directly now, and all tests pass.", edit("users.go"), passed)
	first := later.Turns[0]
	first.UserID, first.AnswerID, first.Tools = "u0", "a0", nil
	first.Text, first.Authored = "login fails for plus signs, what would you do?", "login fails for plus signs, what would you do?"
	first.Answer = "I would compare the addresses directly in Users.Find instead of building a regular expression. Should I do that?"
	later.Turns = append([]recap.Turn{first}, later.Turns...)
	reads := evidenceOf("why do uploads retry so often?", "The client retries three times with a growing pause; `src/http.ts` holds the loop. If the token expires, the client will ask for a new one before it retries. You could lower `maxRetries` to one.",
		recap.Tool{Kind: recap.ToolRead, Status: recap.ToolDone, Paths: []string{"src/http.ts"}})
	both := evidenceOf("add a cache to the forecast", "I added a cache of 10 minutes to `Forecast`. I would also suggest a limit of 100 entries; tell me if you want it. The tests pass.", edit("forecast.go"), passed)
	for _, tt := range []struct {
		name, text string
		whole      bool
		in         Input
	}{
		{"done since", "Users.Find compares addresses directly now, and all tests pass.", true, later},
		{"how it is", "Uploads retry three times with a growing pause because of the loop in src/http.ts.", true, reads},
		{"how it will go", "The client asks for a new token before it retries.", true, reads},
		{"an option", "Lowering maxRetries to one is an option.", true, reads},
		{"told as done", "maxRetries was lowered to one.", false, reads},
		{"told as how it is now", "maxRetries is one now.", false, reads},
		{"proposed beside work", "Forecast has a cache of 10 minutes; a limit of 100 entries was suggested.", true, both},
		{"told as done beside work", "Forecast has a cache of 10 minutes with a limit of 100 entries.", false, both},
	} {
		if kept, dropped, _ := NewGuard(tt.in).Vet(recap.FieldRecap, tt.text); (kept == tt.text) != tt.whole {
			t.Errorf("%s: %q is shown as %q, %q", tt.name, tt.text, kept, dropped)
		}
	}
}
