package qwencode

import (
	"testing"
	"time"
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
			_, x := made(t, func(w *writer, id string) {
				for i, p := range c.prompts {
					w.prompt(t, id, at0.Add(time.Duration(2*i)*time.Second), p)
					w.answer(t, id, at0.Add(time.Duration(2*i+1)*time.Second), "ok")
				}
			})
			if listed := x.Ref.ID != ""; listed != c.listed {
				t.Errorf("listed: %v, %q", listed, x.Title)
			}
		})
	}
}
