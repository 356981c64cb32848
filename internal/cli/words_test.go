package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
)

func TestApprovalsAreInWordsForPeople(t *testing.T) {
	t.Parallel()
	for waiting, want := range map[string]string{
		"approval: Bash rm -rf dup":               " of `rm -rf dup`",
		"approval: exec_command rm -rf index":     " of `rm -rf index`",
		"approval: run_shell_command go test ./x": " of `go test ./x`",
		"approval: bash":                          " of a command",
		"approval: ExitPlanMode":                  " of a plan",
		"approval: exit_plan_mode {}":             " of a plan",
		"approval: Edit /home/dev/a.go":           " of a change to /home/dev/a.go",
		"approval: apply_patch":                   " of a change",
		"approval: WebFetch https://example.com":  " of WebFetch https://example.com",
		"approval: permission prompt":             " of permission prompt",
		"":                                        "",
	} {
		if got := about(waiting); got != want {
			t.Errorf("%q: %q, want %q", waiting, got, want)
		}
	}
}

func TestJSONEscapesWhatIsMoreThanText(t *testing.T) {
	t.Parallel()
	text := "a\u007f\u009b2J\u202eb\u2028c\u2029\u061c\u200f\ufeff\U000e0041 d <é> 家計簿 👩‍👩‍👧"
	line, err := encode(map[string]any{"id\u202e": text})
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]string
	if err := json.Unmarshal(line, &v); err != nil || v["id\u202e"] != text {
		t.Errorf("%v %q", err, v)
	}
	if got := string(line); strings.ContainsFunc(got, escaped) || !strings.Contains(got, `\u009b`) || !strings.Contains(got, `\udb40\udc41`) ||
		!strings.Contains(got, " d <é> 家計簿 👩‍👩‍👧") || strings.Count(got, "\n") != 1 {
		t.Errorf("%s", got)
	}
}

func TestK6_NoLocale(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"TERM": "xterm-256color"}, true},
		{map[string]string{"TERM": "vt220"}, false},
		{map[string]string{"TERM": "dumb"}, false},
		{map[string]string{"TERM": "vt220", "LANG": "de_DE.UTF-8"}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LC_ALL": "POSIX", "LANG": "C.UTF-8"}, false},
		{map[string]string{"LC_CTYPE": "UTF-8"}, true},
		{map[string]string{"LANG": "de_DE"}, true},
	} {
		if got := utf8Locale(func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%v: %v", tt.env, got)
		}
	}
}

// The short id stands on the head line of a row at every width, the home's name
// as long as there is room.
func TestK6_RowsKeepTheirID(t *testing.T) {
	t.Parallel()
	r := engine.Result{Session: recap.Session{
		Ref: recap.SessionRef{Agent: recap.Claude, ID: "7d51ab"}, Home: "work", Project: "/home/dev/src/a-project-with-a-long-name", Branch: "main",
		State: recap.StateWaiting,
	}}
	for _, tt := range []struct {
		width  int
		want   string
		wanted string // the state
	}{
		{80, "a-project-with-a-long-name · claude@work · main · waiting · 7d51ab", ""},
		{60, "a-project-with-a-long-name · @work · waiting · 7d51ab", ""},
		{49, "a-project-with-a-long-na… · waiting · 7d51ab", ""},
		{40, "a-project-with-… · waiting · 7d51ab", ""},
		{20, "a-pro… · 7d51ab", "waiting"},
	} {
		a := &app{scr: &screen{terminal: true, width: tt.width, unicode: true}}
		n := tt.width - 5
		line, left := a.head(r, "7d51ab", "waiting", n)
		if uniseg.StringWidth(line) > n || !strings.HasSuffix(line, " · 7d51ab") || left != tt.wanted || line != tt.want {
			t.Errorf("%d: %q, %q", tt.width, line, left)
		}
	}
}

func TestK6_HelpFits(t *testing.T) {
	t.Parallel()
	for _, width := range []int{20, 40, 80, 100} {
		c := &screen{terminal: true, width: width, unicode: true}
		for _, cmd := range append(newRoot(&app{}).Commands(), newRoot(&app{})) {
			cmd.InitDefaultHelpFlag()
			text := usage(cmd)
			got := c.reflow(text)
			for line := range strings.Lines(got) {
				if w := uniseg.StringWidth(strings.TrimRight(line, " \n")); w > width && width >= 40 {
					t.Errorf("%s at %d: %d columns: %q", cmd.Name(), width, w, line)
				}
			}
			if want, have := strings.Fields(text), strings.Fields(got); width >= 40 && strings.Join(want, "") != strings.Join(have, "") {
				t.Errorf("%s at %d: other words", cmd.Name(), width)
			}
		}
	}
}

// A flag that may have a value is written as it is typed.
func TestHelpOfTheModel(t *testing.T) {
	t.Parallel()
	if text := usage(newRoot(&app{})); !strings.Contains(text, "      --model[=PROVIDER/MODEL]  ask a model") || strings.Contains(text, "string[") {
		t.Errorf("%s", text)
	}
}

func TestK6_LinesEndAtSpaces(t *testing.T) {
	t.Parallel()
	c := &screen{}
	for _, tt := range []struct {
		name, text string
		n          int
		want       string
	}{
		{"a flag", "for this run with --auto or so", 21, "for this run with\n  --auto or so"},
		{"an id", "state: 80b94fb8-7b56-4e0a", 22, "state:\n  80b94fb8-7b56-4e0a"},
		{"an id that fits nowhere", "80b94fb8-7b56", 10, "80b94fb8\n  -7b56"},
		{"it fits", "one two", 7, "one two"},
		{"no limit", strings.Repeat("a-b ", 40) + "c", 0, strings.Repeat("a-b ", 40) + "c"},
		{"text that has the stand-in", "aaaa" + hyphen + "bb-ccc d", 12, "aaaa" + hyphen + "bb-\n  ccc d"},
	} {
		if got := c.hang(tt.text, "", "  ", tt.n); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPhasesAreInWords(t *testing.T) {
	t.Parallel()
	got := phases(map[string]int{"rest": 3, "window": 1, "working": 2, "generating": 0, "new-one": 4})
	if want := []string{"2 at work", "1 in the quiet window", "3 at rest", "4 new-one"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
