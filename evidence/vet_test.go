package evidence

import (
	"testing"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// TestTrueRecapsPassTheVet: of true recaps, as a good model writes them, at
// least 97 of 100 are shown whole.
func TestTrueRecapsPassTheVet(t *testing.T) {
	lost, n := 0, 0
	for _, s := range stories(t) {
		n++
		kept, dropped, _ := NewGuard(s.input(t)).Vet(recap.FieldAway, s.Text)
		if kept != s.Text {
			lost++
			t.Logf("%s: %q became %q, %q", s.Lang, s.Text, kept, dropped)
		}
	}
	if lost*100 > 3*n {
		t.Errorf("%d of %d true recaps lost something", lost, n)
	}
	t.Logf("%d of %d true recaps lost something", lost, n)
}

// TestFreshRecapsPassTheVet: recaps that were written after the checks, and
// for which nothing was mended.
func TestFreshRecapsPassTheVet(t *testing.T) {
	lost, gone, n := 0, 0, 0
	for _, s := range storiesOf(t, "fresh.jsonl") {
		n++
		kept, dropped, _ := NewGuard(s.input(t)).Vet(recap.FieldAway, s.Text)
		if kept != s.Text {
			lost++
			t.Logf("%s: %q became %q, %q", s.Lang, s.Text, kept, dropped)
		}
		if kept == "" {
			gone++
		}
	}
	if lost*10 > n || gone > 0 {
		t.Errorf("of %d fresh recaps %d lost something, %d all", n, lost, gone)
	}
	t.Logf("of %d fresh recaps %d lost something, %d all", n, lost, gone)
}

// TestOtherSessionsDoNotPassTheVet: what is true of one session is not shown
// of another.
func TestOtherSessionsDoNotPassTheVet(t *testing.T) {
	all := stories(t)
	shown, n := 0, 0
	for i, s := range all {
		in := s.input(t)
		for k := 1; k < len(all); k += 5 {
			o := all[(i+k)%len(all)]
			if o.Lang != s.Lang {
				continue
			}
			n++
			if kept, _, _ := NewGuard(in).Vet(recap.FieldAway, o.Text); kept != "" {
				shown++
				t.Logf("%q shown as %q of %q, %q", o.Text, kept, s.Ask, s.Answer)
			}
		}
	}
	if shown*200 > n {
		t.Errorf("%d of %d recaps of other sessions are shown", shown, n)
	}
	t.Logf("%d of %d recaps of other sessions are shown", shown, n)
}

// done is a session in which all is proven: tests, commit.
func doneSession() Input {
	in := evidenceOf("fix the login for emails with a plus sign and commit it", "The lookup decoded the plus sign as a space. It compares the addresses as they are now, all tests pass. Committed as one change.",
		edit("internal/login/users.go"), bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"), bash("git commit -am x", new(0), "[main 1a2b3c4] x\n 1 file changed"))
	return in
}

func failingSession() Input {
	in := evidenceOf("runde die Rechnungen kaufmännisch, mit Tests", "Rechnungen werden jetzt kaufmännisch gerundet, aber der Test für Gutschriften schlägt noch fehl: es kommen −9 statt −10 Cent heraus.",
		edit("vat.go"), bash("go test ./...", new(1), "--- FAIL: TestGutschrift (0.00s)\nFAIL\n"))
	return in
}

// TestVet: what is shown of a text, and why not more.
func TestVet(t *testing.T) {
	for _, tt := range []struct {
		name, text, kept, why string
		in                    Input
	}{
		{"true", "Login works for emails with a plus sign; the lookup compares addresses as they are.", "=", "", doneSession()},
		{"paraphrase", "Emails with a plus sign can log in again because the lookup no longer decodes the sign; tests pass and it is committed.", "=", "", doneSession()},
		{"denies a commit", "The login lookup for plus signs is fixed but not committed.", "The login lookup for plus signs is fixed.", "contradicts:committed", doneSession()},
		{"denies the tests", "The lookup compares addresses with a plus sign. The tests do not pass.", "The lookup compares addresses with a plus sign.", "contradicts:passed", doneSession()},
		{"denies the work", "The lookup of emails with a plus sign is not done.", "", "contradicts:done", doneSession()},
		{"only denies the work", "The code is not done.", "", "contradicts:done", doneSession()},
		{"what the answer leaves open is open", "The lookup compares addresses with a plus sign; the docs are not done yet.", "=", "", evidenceOf("fix the login for emails with a plus sign, with docs", "The lookup compares the addresses as they are, the plus sign stays. The docs are still missing.", edit("users.go"), bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"), bash("git commit -am x", new(0), "[main 1a2b3c4] x\n 1 file changed"))},
		{"a question that was answered", "The lookup compares addresses with a plus sign as they are. Shall I commit the login fix?", "The lookup compares addresses with a plus sign as they are.", "answered-already", doneSession()},
		{"a question that is open", "The parser can be split into a scanner and a builder. Should the agent start?", "=", "", evidenceOf("how would you split the parser?", "I would split parser.go into a scanner and a builder. Should I start?")},
		{"mostly wrong", "The plus sign decoded the lookup, unicorns danced around happy meadows, dragons and wizards were feasting on golden apples.", "", "not-in-session", doneSession()},
		{"a sentence that a limit cut", "The lookup compares addresses with a plus sign as they are. Shall…", "The lookup compares addresses with a plus sign as they are.", "unfinished-text", doneSession()},
		{"one sentence that a limit cut", "The lookup compares addresses with a plus sign as they are, all…", "=", "", doneSession()},
		{"babble", "The lookup of the plus sign decoded the lookup of the plus sign and the lookup of the plus sign and the lookup.", "", "says-nothing", doneSession()},
		{"what an older answer left", "计算现在按单价乘以数量，测试全部通过。还剩两项没有做。", "计算现在按单价乘以数量，测试全部通过。", "number-not-in-evidence", evidenceOf("修好总额计算", "现在按单价乘以数量计算，测试全部通过。还剩两项没有做。", edit("a.go"), bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"), recap.Tool{Kind: recap.ToolTodo, Status: recap.ToolDone, Todos: []recap.Todo{{Text: "满减边界", Status: "completed"}, {Text: "修复", Status: "completed"}, {Text: "退款测试", Status: "pending"}}})},
		{"empty talk", "The user asked a question and the assistant answered it.", "", "says-nothing", doneSession()},
		{"empty praise", "The task was completed successfully and everything works as expected.", "", "says-nothing", doneSession()},
		{"status alone", "All tests pass and the change is committed.", "", "says-nothing", doneSession()},
		{"one word", "remark", "", "says-nothing", doneSession()},
		{"a number", "64", "", "says-nothing", evidenceOf("make it read 64 bytes", "It reads 64 bytes.", edit("a.go"))},
		{"two words", "plus sign", "", "says-nothing", doneSession()},
		{"in the air", "The lookup of emails compares addresses with a plus sign:", "", "unfinished-text", doneSession()},
		{"codes", "tests-passed, committed", "", "says-nothing", doneSession()},
		{"another subject", "The footer of the settings page sticks to the bottom on small screens.", "", "not-in-session", doneSession()},
		{"the request again", "Fix the login for emails with a plus sign and commit it.", "", "repeats-a-request", doneSession()},
		{"babble of the session's words", "Rechaza la lookup que decoded estás ahora plus quieres sign tampoco.", "", "", doneSession()},
		{"tests without their failure", "Rechnungen werden kaufmännisch gerundet. Der Test für Gutschriften ist neu.", "Rechnungen werden kaufmännisch gerundet.", "overclaims:passed", failingSession()},
		{"tests with their failure", "Rechnungen werden kaufmännisch gerundet, der Test für Gutschriften schlägt noch fehl.", "=", "", failingSession()},
		{"a broken failure", "Schreiben kauf der Rechnung, die erzusetzen kann, können die kaufenden Test für Gutschriften schlägt nicht.", "", "", failingSession()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped, _ := NewGuard(tt.in).Vet(recap.FieldRecap, tt.text)
			want := tt.kept
			if want == "=" {
				want = tt.text
			}
			if kept != want {
				t.Errorf("kept %q, dropped %q, want %q", kept, dropped, want)
			}
			found := tt.why == "" || kept == tt.text
			for _, d := range dropped {
				found = found || d.Why == tt.why
			}
			if !found {
				t.Errorf("dropped %q, want %s", dropped, tt.why)
			}
		})
	}
}

// TestVetOfSuggestions: a suggestion goes on with work that is not done, and
// says something new.
func TestVetOfSuggestions(t *testing.T) {
	open := evidenceOf("make the parser faster and measure it, then commit it", "The parser in parser.go reads 64 bytes at once. The benchmark is still missing.", edit("src/parser.go"))
	shop := evidenceOf("make the parser faster", "The parser in parser.go reads 64 bytes at once. The tests were not run.", edit("src/parser.go"))
	for _, tt := range []struct {
		name, text, why string
		in              Input
	}{
		{"goes on", "Write the benchmark for parser.go and show me the figures.", "", open},
		{"goes on and commits", "Write the missing benchmark, then commit the parser.", "", open},
		{"runs tests that were not run", "Run the tests for parser.go.", "", shop},
		{"commits unasked", "Commit the change to parser.go.", "not-asked-for", shop},
		{"pushes unasked", "Push the parser to origin.", "not-asked-for", open},
		{"deploys unasked", "Deploy the parser to production.", "not-asked-for", open},
		{"repeats the request", "make the parser faster and measure it, then commit it", "repeats-a-request", open},
		{"repeats it with other signs", "Make the parser faster, and measure it.", "repeats-a-request", open},
		{"repeats the answer", "The parser in parser.go reads 64 bytes at once.", "repeats-the-answer", open},
		{"repeats two answers", "The parser in parser.go reads 64 bytes at once. The benchmark is still missing. The parser in parser.go reads blocks of old files now.", "repeats-the-answer", func() Input {
			in := open
			first := in.Turns[0]
			first.UserID, first.AnswerID, first.Answer = "u0", "a0", "The parser in parser.go reads blocks of old files now."
			in.Turns = append([]recap.Turn{first}, in.Turns...)
			return in
		}()},
		{"commits again", "Commit the login fix.", "done-already", doneSession()},
		{"tests again", "Run the tests.", "done-already", doneSession()},
		{"where all is done", "Compare the addresses of the lookup in users.go once more.", "nothing-unfinished", doneSession()},
		{"another subject", "Add a dark theme to the footer of the shop.", "not-in-session", open},
		{"says nothing", "remark", "says-nothing", open},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped, receipts := NewGuard(tt.in).Vet(recap.FieldSuggestion, tt.text)
			if tt.why == "" {
				if kept != tt.text || receipts != nil {
					t.Errorf("kept %q, dropped %q", kept, dropped)
				}
				return
			}
			if kept != "" || len(dropped) != 1 || dropped[0].Why != tt.why {
				t.Errorf("kept %q, dropped %q, want %s", kept, dropped, tt.why)
			}
		})
	}
	sessions := rungSessions(t, "rungs-sessions.jsonl")
	for _, tt := range []struct{ session, text, why string }{
		{"en C", "Add tests for limit and offset.", whyNoWork},
		{"en C", "Add paging to the customers list too.", whyNoWork},
		{"en Q", "Explain the 4200 queries.", whyPerson},
		{"en Q", "Change ExportCustomers that way.", whyQuestion},
		{"zh Q", "好,这样修改 ExportCustomers。", whyQuestion},
		{"en P", "Write the three attempts with a pause.", whyNoWork},
		{"en U", "Run the tests for config.go and loader.go.", ""},
		{"en F", "Fix TestListOrdersCursor so that it gets 20 rows.", ""},
		{"en H", "Translate the reminder, the cancellation and the newsletter too.", ""},
		{"de H", "Übersetze auch Mahnung, Storno und Newsletter.", ""},
		{"ja H", "督促、取消、お知らせも訳してください。", ""},
	} {
		kept, dropped, _ := NewGuard(sessions[tt.session]).Vet(recap.FieldSuggestion, tt.text)
		if tt.why == "" && kept != tt.text || tt.why != "" && (kept != "" || dropped[0].Why != tt.why) {
			t.Errorf("%s: %q: kept %q, dropped %q, want %q", tt.session, tt.text, kept, dropped, tt.why)
		}
	}
	const text = "The benchmark of parser.go is still to be written."
	if kept, dropped, _ := NewGuard(open).Vet(recap.FieldSuggestion, text, "", text); kept != "" || dropped[0].Why != "repeats-the-recap" {
		t.Errorf("kept %q, %q", kept, dropped)
	}
}

func BenchmarkVet(b *testing.B) {
	all := stories(b)
	in := all[0].input(b)
	t := in.Turns[0]
	for len(in.Turns) < 8 {
		in.Turns = append(in.Turns, t)
	}
	for i := range in.Turns {
		turn := &in.Turns[i]
		for n := 0; len(turn.Answer) < 4000; n++ {
			turn.Answer += " " + all[(i*7+n)%50].Answer
		}
	}
	b.Run("words of 32,000 characters", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := checker{in: &in}
			c.grounds()
		}
	})
	b.Run("a text", func(b *testing.B) {
		g := NewGuard(in)
		g.Vet(recap.FieldRecap, all[0].Text)
		b.ReportAllocs()
		for b.Loop() {
			g.Vet(recap.FieldRecap, all[0].Text)
		}
	})
}

// FuzzVet: whatever a session and a text hold, what is kept is of the text, for
// each field, and comes to an end.
func FuzzVet(f *testing.F) {
	f.Add("fix the login for plus signs", "Login works for `a+b` now; 21 rows instead of 20. I did not run the tests.", "Login works now, from 20 to 21 rows because of `a+b`.")
	f.Add("修好登录", "登录已修复，12 个测试通过，退款测试还没有写。", "登录修好了，退款测试也写好了，12 分钟。")
	f.Add("почини вход", "Вход работает, но тест падает: 15 минут вместо 10.", "Вход работает, потому что тест прошёл за 15 секунд.")
	f.Add("ログインを直して", "直しました。割引の境界は確認していません。案 A と案 B があります。", "直し、割引の境界も確認しました。A 案です。")
	f.Add("a", "(A) x; (B) y. Not yet: production still runs 2.3.7, staging 2.4.0.", "2.4.0 is live in production; the user picked B.")
	f.Fuzz(func(t *testing.T, ask, answer, text string) {
		in := evidenceOf(ask, answer, edit("src/a.go"), bash("go test ./...", new(1), "FAIL"))
		g := NewGuard(in)
		for _, field := range []recap.Field{recap.FieldRecap, recap.FieldAway, recap.FieldSuggestion} {
			kept, _, _ := g.Vet(field, text)
			if utf8.ValidString(text) && utf8.RuneCountInString(kept) > utf8.RuneCountInString(text)+1 {
				t.Errorf("%q became %q", text, kept)
			}
		}
	})
}
