package agenttest

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// testName: a session names the home it was found in, also where the index
// knows it from a home of another name.
func testName(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	for _, name := range []string{"work", "other", ""} {
		want := name
		if name == "" {
			want = string(m.Agent)
		}
		h.src = m.Open(h.root, name, h.index)
		for range 2 { // learnt, then remembered
			if s := h.find(id); s.Home != want {
				t.Errorf("home %q is %q in its session", want, s.Home)
			}
		}
		if got := h.src.Home().Name; got != want {
			t.Errorf("home %q is %q", want, got)
		}
	}
}

// testUnreadable: a transcript of which nothing can be used is a problem with
// a reason, each time it is listed, and never a session.
func testUnreadable(t *testing.T, m Member) {
	noise := make([]byte, 300<<10)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	wide := func(b []byte) []byte {
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(string(b))) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	}
	for _, c := range []struct {
		name string
		of   func(b []byte) []byte
	}{
		{"UTF-16", wide},
		{"UTF-16, longer than both ends", func(b []byte) []byte { return wide(bytes.Repeat(b, 1+(300<<10)/len(b))) }},
		{"CR alone", func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r")) }},
		{"CR alone, longer than both ends", func(b []byte) []byte {
			return bytes.ReplaceAll(bytes.Repeat(b, 1+(300<<10)/len(b)), []byte("\n"), []byte("\r"))
		}},
		{"HTML", func([]byte) []byte { return []byte("<html><body>504 Gateway</body></html>") }},
		{"random bytes", func([]byte) []byte { return noise[:9000] }},
		{"random bytes, longer than both ends", func([]byte) []byte { return noise }},
		{"NUL bytes", func([]byte) []byte { return make([]byte, 9000) }},
		{"a torn row with an end", func(b []byte) []byte { return append(slices.Clone(b[:40]), '\n') }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t, m)
			good := h.session(work, 0, 1, "apples")
			bad := h.session(work, 10, 1, "pears")
			file := main(t, h, bad)
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, c.of(b), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, when := range []string{"read", "remembered"} {
				list, problems := h.listed(agent.Query{})
				if len(list) != 1 || list[0].Ref.ID != good {
					t.Errorf("%s: listed %+v", when, list)
				}
				if len(problems) != 1 || problems[0].Error() != file+": no readable row" {
					t.Errorf("%s: problems %v", when, problems)
				}
			}
		})
	}
	t.Run("an empty one is none", func(t *testing.T) {
		h := newHome(t, m)
		if err := os.WriteFile(main(t, h, h.session(work, 10, 1, "pears")), []byte("\n\n \n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if list := h.list(agent.Query{}); len(list) > 0 {
			t.Errorf("listed %+v", list)
		}
	})
}

// testLinked: a folder of transcripts that is a link is read.
func testLinked(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 1, "apples")
	rel, err := filepath.Rel(h.root, main(t, h, id))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	folder := filepath.Join(h.root, parts[0], parts[1]) // <root>/projects/<project>
	away := filepath.Join(t.TempDir(), "moved away")
	if err := os.Rename(folder, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(away, folder); err != nil {
		t.Skip("no links here")
	}
	if list := h.list(agent.Query{}); len(list) != 1 || list[0].Ref.ID != id {
		t.Errorf("listed %+v", list)
	}
	if got := texts(h.read(id), recap.RoleAssistant); !slices.Equal(got, []string{"Done with apples 1."}) {
		t.Errorf("answers %q", got)
	}
}

var stamped = regexp.MustCompile(`"timestamp":"[^"]*"`)

// testTimes: an answer is not lost for a time that is missing or wrong, state
// and records agree, and no time is far beyond that of the file.
func testTimes(t *testing.T, m Member) {
	for _, c := range []struct {
		name, to string
		newest   bool // only the newest row
	}{
		{"missing", `"nothing":"here"`, false},
		{"a number", `"timestamp":1796005718712`, false},
		{"a huge number", `"timestamp":1e300`, false},
		{"no time", `"timestamp":"yesterday"`, false},
		{"another century", `"timestamp":"2126-01-01T00:00:00.000Z"`, false},
		{"the end of time", `"timestamp":"9999-12-31T23:59:59Z"`, false},
		{"missing in the newest row", `"nothing":"here"`, true},
		{"another century in the newest row", `"timestamp":"2126-01-01T00:00:00.000Z"`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t, m)
			id := h.session(work, 0, 3, "apples")
			file := main(t, h, id)
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			from := 0
			if c.newest {
				from = bytes.LastIndex(b, []byte(`"timestamp":"`))
			}
			b = append(b[:from:from], stamped.ReplaceAll(b[from:], []byte(c.to))...)
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
			changed := at(60)
			if err := os.Chtimes(file, changed, changed); err != nil {
				t.Fatal(err)
			}
			s := h.find(id)
			if s.State != recap.StateIdle {
				t.Errorf("state %q", s.State)
			}
			if s.UpdatedAt.IsZero() || s.UpdatedAt.After(changed) || s.CreatedAt.IsZero() || s.CreatedAt.After(s.UpdatedAt) {
				t.Errorf("created %v, updated %v", s.CreatedAt, s.UpdatedAt)
			}
			for _, n := range []int{1, 50} {
				records, _, err := h.pages(id, n)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := texts(records, recap.RoleAssistant), []string{"Done with apples 1.", "Done with apples 2.", "Done with apples 3."}; !slices.Equal(got, want) {
					t.Errorf("answers %q", got)
				}
				last := records[len(records)-1]
				if last.Finish != recap.FinishStop || last.Completed.IsZero() {
					t.Errorf("the newest answer is not complete: %+v", last)
				}
				var before time.Time
				for _, r := range records {
					if r.Created.IsZero() || r.Created.After(changed) || r.Completed.After(changed) || n == 50 && r.Created.Before(before) {
						t.Errorf("created %v after %v, completed %v", r.Created, before, r.Completed)
					}
					before = r.Created
				}
			}
		})
	}
}
