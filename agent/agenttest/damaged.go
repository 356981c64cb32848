package agenttest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// damage is a way in which a row is broken.
type damage struct {
	name string
	of   func(row []byte) []byte
}

var damages = [...]damage{
	{"a stray byte before it", func(row []byte) []byte { return append([]byte{0xff}, row...) }},
	{"cut in half", func(row []byte) []byte { return row[:len(row)/2] }},
	{"its end alone", func(row []byte) []byte { return row[len(row)/2:] }},
	{"another text", func([]byte) []byte { return []byte("Segmentation fault") }},
}

// testDamaged breaks each row in turn, then all rows of a kind: what is lost by
// that is told with a count, and neither the session nor its neighbour vanishes.
func testDamaged(t *testing.T, m Member) {
	h := newHome(t, m)
	id := h.session(work, 0, 2, "apples")
	neighbour := h.session(work, 30, 1, "pears")
	file := main(t, h, id)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h.list(agent.Query{})
	said := words(h.read(id))
	rows := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	try := func(t *testing.T, how damage, broken func(i int) bool, mayHide bool) {
		t.Helper()
		out := slices.Clone(rows)
		for i := range out {
			if broken(i) {
				out[i] = how.of(rows[i])
			}
		}
		if err := os.WriteFile(file, append(bytes.Join(out, []byte("\n")), '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		told := 0
		for range 2 { // read, then remembered
			list, problems := h.listed(agent.Query{})
			now := 0
			for _, err := range problems {
				p, ok := errors.AsType[*agent.Problem](err)
				if !ok || p.Path != file {
					t.Errorf("a problem of something else: %v", err)
					continue
				}
				now += p.Count
			}
			if told > 0 && now != told {
				t.Errorf("%d problems, then %d of the same file", told, now)
			}
			told = now
			if !slices.ContainsFunc(list, func(s recap.Session) bool { return s.Ref.ID == neighbour }) {
				t.Error("its neighbour vanished")
			}
			listed := slices.ContainsFunc(list, func(s recap.Session) bool { return s.Ref.ID == id })
			switch {
			case listed:
			case told == 0:
				t.Error("the session vanished without a word")
			case !mayHide:
				t.Errorf("the session is not listed: %v", problems)
			}
			if !listed {
				return
			}
		}
		got, problems, err := h.pages(id, 50)
		if err != nil {
			t.Fatal(err)
		}
		left := words(got)
		lost := slices.DeleteFunc(slices.Clone(said), func(s string) bool { return slices.Contains(left, s) })
		if len(lost) > 0 && (told == 0 || len(problems) == 0) {
			t.Errorf("%q lost; listed with %d problems, read with %v", lost, told, problems)
		}
	}
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			for i := range rows {
				// The first row may be all that names the session.
				try(t, d, func(k int) bool { return k == i }, i == 0)
			}
			holding := func(text string) func(int) bool {
				return func(i int) bool { return bytes.Contains(rows[i], []byte(text)) }
			}
			try(t, d, holding("Please look at"), false)
			try(t, d, holding("Done with"), false)
			try(t, d, func(int) bool { return true }, true)
		})
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, problems := h.listed(agent.Query{})
	if len(problems) != 1 {
		t.Errorf("an empty file: %v", problems)
	}
}

// words are what was asked, answered and done.
func words(records []recap.Message) []string {
	out := append(texts(records, recap.RoleUser), texts(records, recap.RoleAssistant)...)
	for i, x := range tools(records) {
		out = append(out, fmt.Sprint(i, x.Command, x.Output))
	}
	return out
}
