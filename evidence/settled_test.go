package evidence

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// settledSession is a session of one turn or more.
type settledSession struct {
	rungSession
	Before []story
}

func settledSessions(t testing.TB, files ...string) map[string]Input {
	t.Helper()
	out := map[string]Input{}
	for _, file := range files {
		b, err := os.ReadFile("testdata/guard/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(b)) {
			var s settledSession
			if err := json.Unmarshal([]byte(l), &s); err != nil {
				t.Fatal(err)
			}
			in := s.input(t)
			for _, b := range slices.Backward(s.Before) {
				in.Turns = append(b.input(t).Turns, in.Turns...)
			}
			in.Session.Directory, in.Session.Branch, in.Session.Model.ID = "/home/dev/src/shop", "main", "claude-opus-5-5"
			out[s.Lang+" "+s.Session] = in
		}
	}
	return out
}

// TestH3_Settled: what waits, was changed in its sense, or is older than the
// newest edit is not told as done; and what is true of it is shown whole.
func TestH3_Settled(t *testing.T) {
	for _, x := range []struct {
		sessions []string
		set      weighedSet
	}{
		{[]string{"settled-sessions.jsonl", "rungs-sessions.jsonl"}, weighedSet{"settled.txt", 65, 0, 35, 1}},
		{[]string{"settled-unseen-sessions.jsonl"}, weighedSet{"settled-unseen.txt", 40, 0, 25, 1}},
		{[]string{"settled-unseen-sessions.jsonl"}, weighedSet{"settled-third.txt", 20, 0, 12, 1}},
	} {
		x.set.weigh(t, settledSessions(t, x.sessions...))
	}
}

// TestH3_WhatWaitsHasNotRun: what a command that waits would do is not told as
// done.
func TestH3_WhatWaitsHasNotRun(t *testing.T) {
	install := story{Ask: "Install left-pad and pad the names", Answer: "I added padding to names.js and will now install left-pad.", Tools: []string{"edit /home/dev/src/shop/names.js", "wait Bash npm install left-pad"}, End: "waiting"}
	drop := story{Ask: "Drop the old tables", Answer: "The script drop_old.sql is written; now it runs against the database.", Tools: []string{"edit /home/dev/src/shop/drop_old.sql", "wait Bash psql shop -f drop_old.sql"}, End: "waiting"}
	for _, tt := range []struct {
		s          story
		text, kept string
	}{
		{install, "Padding was added to names.js and left-pad was installed.", "Padding was added to names.js."},
		{install, "left-pad is in place and names.js pads names.", ""},
		{install, "Padding was added to names.js; the install of left-pad waits for approval.", "Padding was added to names.js; the install of left-pad waits for approval."},
		{install, "Padding was added to names.js; npm install left-pad needs your approval.", "Padding was added to names.js; npm install left-pad needs your approval."},
		{drop, "The script drop_old.sql was written and ran against the database.", "The script drop_old.sql was written."},
		{drop, "The old tables were dropped with drop_old.sql.", ""},
		{drop, "psql dropped the old tables.", ""},
		{drop, "drop_old.sql is written; running it with psql waits for your approval.", "drop_old.sql is written; running it with psql waits for your approval."},
	} {
		in := tt.s.input(t)
		in.Session.State, in.Session.WaitingFor = recap.StateWaiting, "approval: Bash"
		if kept, dropped, _ := NewGuard(in).Vet(recap.FieldAway, tt.text); kept != tt.kept {
			t.Errorf("%q: kept %q, dropped %q", tt.text, kept, dropped)
		}
	}
}
