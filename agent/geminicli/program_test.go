package geminicli

import (
	"testing"

	"github.com/sessionrecap/recap/agent"
)

// What a program asked for itself is no session of the person's, until a person
// goes on with it.
func TestF18_SessionsOfPrograms(t *testing.T) {
	for _, c := range []struct {
		name    string
		prompts []string
		listed  bool
	}{
		{"a template alone", []string{"Please write a 5-10 word title for the following conversation:"}, false},
		{"templates alone", []string{"PROGRESS SUMMARY CHECKPOINT", "PROGRESS SUMMARY CHECKPOINT 2"}, false},
		{"a person goes on", []string{"PROGRESS SUMMARY CHECKPOINT", "and now fix it"}, true},
		{"a person's, then a template", []string{"fix it", "PROGRESS SUMMARY CHECKPOINT"}, true},
		{"a person asks about one", []string{"What is a PROGRESS SUMMARY CHECKPOINT?"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWriter(t.TempDir())
			id := w.Begin(t, "/home/dev/src/app", at0)
			for i, p := range c.prompts {
				w.prompt(t, id, sec(1+2*i), p)
				w.answer(t, id, sec(2+2*i), "ok")
			}
			n := 0
			for _, err := range open(t, w.root).Sessions(t.Context(), agent.Query{}) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if listed := n == 1; listed != c.listed {
				t.Errorf("%d listed", n)
			}
		})
	}
}
