package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// TestDoubtful: what shows that a model did not do what it was asked.
func TestDoubtful(t *testing.T) {
	type texts = map[recap.Field]string
	good := texts{recap.FieldRecap: "The lookup compares the addresses as they are.", recap.FieldAway: "The login lookup compares addresses as they are.", recap.FieldSuggestion: "Write the missing test for the lookup."}
	for _, tt := range []struct {
		name          string
		said, stopped texts
		want          bool
	}{
		{"all well", good, nil, false},
		{"no suggestion", texts{recap.FieldRecap: good[recap.FieldRecap]}, texts{recap.FieldSuggestion: "empty"}, false},
		{"recap and away alike", texts{recap.FieldRecap: "a b c d e", recap.FieldAway: "a b c d e"}, nil, false},
		{"an unproven claim", good, texts{recap.FieldRecap: "overclaims:passed"}, false},
		{"a suggestion of what is done", good, texts{recap.FieldSuggestion: whyDone}, false},
		{"a suggestion that was asked before", good, texts{recap.FieldSuggestion: whyRequest}, false},
		{"the suggestion is the recap", texts{recap.FieldRecap: "The lookup compares the addresses.", recap.FieldSuggestion: "The lookup compares the addresses"}, nil, true},
		{"the suggestion is the answer", good, texts{recap.FieldSuggestion: whyAnswer}, true},
		{"the suggestion is the question", good, texts{recap.FieldSuggestion: whyQuestion}, false},
		{"L1 E48 no key of the suggestion", texts{recap.FieldRecap: good[recap.FieldRecap]}, texts{recap.FieldSuggestion: "missing"}, false},
		{"L1 E48 no key of the recap", texts{recap.FieldAway: good[recap.FieldAway]}, texts{recap.FieldRecap: "missing"}, false},
		{"L1 E48 an empty recap", texts{recap.FieldAway: good[recap.FieldAway]}, texts{recap.FieldRecap: "empty"}, false},
		{"a suggestion that says nothing", good, texts{recap.FieldSuggestion: whySilent}, false},
		{"a suggestion that was cut", good, texts{recap.FieldSuggestion: "cut"}, false},
		{"the recap is the request, the other is not", good, texts{recap.FieldRecap: whyRequest}, false},
		{"says nothing", good, texts{recap.FieldAway: whySilent}, true},
		{"cut", good, texts{recap.FieldAway: "cut"}, true},
		{"another language", good, texts{recap.FieldAway: "language: en"}, true},
		{"a word of the form", good, texts{recap.FieldAway: "instruction"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Doubtful(tt.said, tt.stopped); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestDoubtKeepsQuotations: of a doubtful reply only what an answer says word
// for word is shown, and words of the session in another order are not.
func TestDoubtKeepsQuotations(t *testing.T) {
	in := evidenceOf("the login page 500s when the email has a plus sign, find out why and fix it",
		"The 500 came from `Users.Find`: it built a regular expression from the email, so `+` was an operator, nobody was found and the handler used a nil user. It now compares the addresses directly, ignoring case, and **all tests pass**. Shall I commit it?",
		edit("users.go"), bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"))
	g := NewGuard(in)
	g.Doubt(true)
	for _, tt := range []struct{ text, want string }{
		{"The 500 came from Users.Find: it built a regular expression from the email, so + was an operator.", "The 500 came from Users.Find: it built a regular expression from the email, so + was an operator."},
		{"It now compares the addresses directly, ignoring case, and all tests pass.", "It now compares the addresses directly, ignoring case, and all tests pass."},
		{"The 500 was a regular expression from the email, so it was a test pass. It now has a new user.", ""},
		{"The 500 was a regular expression from the email, so + was an operator. It now compares the addresses directly, ignoring case, and all tests pass.", "It now compares the addresses directly, ignoring case, and all tests pass."},
	} {
		if kept, dropped, _ := g.Vet(recap.FieldAway, tt.text); kept != tt.want {
			t.Errorf("%q: kept %q, dropped %q", tt.text, kept, dropped)
		}
	}
	if kept, _, _ := g.Vet(recap.FieldSuggestion, "Shall I commit it?"); kept != "" {
		t.Errorf("suggestion %q", kept)
	}
	g.Doubt(false)
	const own = "Emails with a plus sign log in: the lookup compares addresses directly now, ignoring case."
	if kept, dropped, _ := g.Vet(recap.FieldAway, own); kept != own {
		t.Errorf("kept %q, dropped %q", kept, dropped)
	}
}

// TestOvertakenIsNotShown: what an older answer said of what was still open then
// is not so now.
func TestOvertakenIsNotShown(t *testing.T) {
	in := evidenceOf("weiter", "Rechnungen werden jetzt kaufmännisch gerundet, aber der Test für Gutschriften schlägt noch fehl. Offen sind die negativen Beträge.",
		edit("vat.go"), bash("go test ./...", new(1), "--- FAIL: TestGutschrift (0.00s)\nFAIL\n"))
	first := in.Turns[0]
	first.UserID, first.AnswerID, first.Tools, first.Text, first.Authored = "u0", "a0", nil, "Die Mehrwertsteuer auf der Rechnung ist falsch.", "Die Mehrwertsteuer auf der Rechnung ist falsch."
	first.Answer = "Der Fehler ist nachgestellt: `VAT` schneidet ab, statt zu runden. Geändert habe ich an der Berechnung noch nichts."
	in.Turns = append([]recap.Turn{first}, in.Turns...)
	for _, tt := range []struct{ text, want string }{
		{"Geändert habe ich an der Berechnung noch nichts.", ""},
		{"Der Fehler ist nachgestellt: VAT schneidet ab, statt zu runden.", "Der Fehler ist nachgestellt: VAT schneidet ab, statt zu runden."},
		{"Rechnungen werden jetzt kaufmännisch gerundet, aber der Test für Gutschriften schlägt noch fehl. Geändert habe ich an der Berechnung noch nichts.", "Rechnungen werden jetzt kaufmännisch gerundet, aber der Test für Gutschriften schlägt noch fehl."},
		{"Offen sind die negativen Beträge.", "Offen sind die negativen Beträge."},
	} {
		if kept, dropped, _ := NewGuard(in).Vet(recap.FieldAway, tt.text); kept != tt.want {
			t.Errorf("%q: kept %q, dropped %q", tt.text, kept, dropped)
		}
	}
}
