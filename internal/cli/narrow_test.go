package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mistake in a project's file is named where that project is asked about. An
// answer about all says in one line what it may lack.
func TestMistakesOfOtherProjectsAreNotNamed(t *testing.T) {
	d := newDesk(t)
	w := filepath.Join(d.home, "w")
	for id, dir := range map[string]string{
		"aaaaaaaa-0000-4000-8000-000000000001": "fine",
		"aaaaaaaa-0000-4000-8000-000000000002": "broken",
		"aaaaaaaa-0000-4000-8000-000000000003": "raises",
	} {
		if err := os.MkdirAll(filepath.Join(w, dir, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		d.claude(t, id, filepath.Join(w, dir), "rebuild the index of "+dir)
	}
	write(t, filepath.Join(w, "broken/.recap.toml"), "off = [[[")
	write(t, filepath.Join(w, "raises/.recap.toml"), "budget.daily_usd = 100\nassist.auto = true\n")
	const others = "recap: sessions may be left out by 1 .recap.toml of other projects that can't be understood; recap doctor names it\n"
	for _, tt := range []struct {
		dir  string
		args []string
		code int
		want string   // all of Err
		some []string // else parts of it
	}{
		{"fine", nil, 0, "", nil},
		{"fine", []string{"list", "--project"}, 0, "", nil},
		{"fine", []string{"list"}, 0, others, nil},
		{"fine", []string{"search", "index"}, 0, others, nil},
		{"fine", []string{"away", "--peek"}, 0, others + "2 sessions moved in the last day:\n", nil},
		{"fine", []string{"list", "--json"}, 0, "", nil},
		{"raises", nil, 0, "", []string{"raises/.recap.toml:1: budget.daily_usd", "raises/.recap.toml:2: assist.auto"}},
		{"raises", []string{"list"}, 0, "", []string{"raises/.recap.toml:1: budget.daily_usd", others}},
		{"broken", nil, 4, "", []string{"broken/.recap.toml:1"}},
		{"broken", []string{"list"}, 0, "", []string{"broken/.recap.toml:1"}},
	} {
		t.Run(tt.dir+" "+strings.Join(tt.args, " "), func(t *testing.T) {
			t.Chdir(filepath.Join(w, tt.dir))
			a := d.run(t, tt.args...)
			if a.code != tt.code || tt.some == nil && a.err != tt.want {
				t.Errorf("%d, %q, want %d, %q", a.code, a.err, tt.code, tt.want)
			}
			for _, s := range tt.some {
				if strings.Count(a.err, s) != 1 {
					t.Errorf("%q does not say %q once", a.err, s)
				}
			}
			if tt.dir == "broken" && strings.Contains(a.err, others) || tt.dir != "raises" && strings.Contains(a.err, "budget") {
				t.Errorf("too much: %q", a.err)
			}
		})
	}
	t.Chdir(filepath.Join(w, "fine"))
	report := d.ok(t, "doctor", "--json")
	for _, s := range []string{"broken/.recap.toml:1", "raises/.recap.toml:1", "raises/.recap.toml:2"} {
		if !strings.Contains(report, s) {
			t.Errorf("doctor does not name %s", s)
		}
	}
}
