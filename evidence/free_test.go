package evidence

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// bare keeps the letters and digits of a text.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, norm.NFC.String(s))
}

// checkDraft holds what is promised for every draft.
func checkDraft(t interface {
	Errorf(string, ...any)
	Helper()
}, in Input, d Draft,
) {
	t.Helper()
	for _, f := range []struct {
		field        recap.Field
		text         string
		words, chars int
	}{
		{recap.FieldRecap, d.Recap, recap.RecapWords, recap.RecapChars},
		{recap.FieldAway, d.Away, recap.AwayWords, recap.AwayChars},
		{recap.FieldDigest, d.Digest, recap.DigestWords, recap.DigestChars},
		{"request", d.Request, 1000, maxRequestChars + 10},
	} {
		if n := language.Words(f.text); n > f.words {
			t.Errorf("%s has %d words: %q", f.field, n, f.text)
		}
		if n := utf8.RuneCountInString(f.text); n > f.chars {
			t.Errorf("%s has %d characters: %q", f.field, n, f.text)
		}
		if !utf8.ValidString(f.text) || strings.ContainsFunc(f.text, func(r rune) bool { return unicode.IsControl(r) || dropped(r) }) {
			t.Errorf("%s has characters it must not: %q", f.field, f.text)
		}
	}
	var all strings.Builder
	all.WriteString(in.Session.Title + " " + in.Session.WaitingFor)
	for _, turn := range in.Turns {
		all.WriteString(" " + turn.Text + " " + turn.Authored + " " + turn.Answer)
		for _, tool := range turn.Tools {
			all.WriteString(" " + tool.Command + " " + strings.Join(tool.Questions, " "))
			for _, td := range tool.Todos {
				all.WriteString(" " + td.Text)
			}
		}
	}
	if strings.ContainsFunc(all.String(), func(r rune) bool { return r == 0x1b || r >= 0x80 && r < 0xa0 }) || !utf8.ValidString(all.String()) {
		return // what a broken sequence swallows depends on what stands around it
	}
	hay := bare(oneLine(all.String()))
	for _, text := range []string{d.Recap, d.Away, d.Digest, d.Request} {
		for w := range strings.FieldsSeq(text) {
			if b := bare(w); b != "" && !strings.Contains(hay, b) {
				t.Errorf("%q of %q is no word of the session", w, text)
			}
		}
	}
}

var rawTexts = []string{
	"fix the watcher test", "yes", "commit this, thanks", "All tests pass.", "Committed and pushed.", "I fixed the race in `watch.go`.", "- Added a flag\n- Updated the docs", "```\ncode\n```", "> quoted", "## Heading",
	"修复测试", "すべてのテストが通りました。", "Все тесты проходят, изменения закоммичены.", "نعم، أصلح الاختبار", "👩‍👩‍👧‍👦 é", "\x1b[31mred\x1b[0m", "\u202eevil\u202c", "Which one?", "Let me check.", "**bold** [link](http://x.y)", "※ recap: old", "{\"recap\":\"x\"}", strings.Repeat("word ", 300), strings.Repeat("字", 500), strings.Repeat("x", 3000), "a\x00b\xffc",
}

func genText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(rawTexts), rapid.String()), 0, 6).Draw(t, "parts")
		return strings.Join(parts, rapid.SampledFrom([]string{" ", "\n", "\n\n"}).Draw(t, "sep"))
	})
}

func genInput() *rapid.Generator[Input] {
	return rapid.Custom(func(t *rapid.T) Input {
		in := Input{End: rapid.SampledFrom([]string{"", "complete", "working", "unanswered", "interrupted", "failed", "cut", "waiting", "summary", "no-text", "empty"}).Draw(t, "end")}
		for range rapid.IntRange(0, 3).Draw(t, "turns") {
			text := genText().Draw(t, "text")
			turn := recap.Turn{UserID: "u", Text: text, Authored: text, AnswerID: "a", Answer: genText().Draw(t, "answer"), Complete: rapid.Bool().Draw(t, "complete"), Interrupted: rapid.Bool().Draw(t, "interrupted")}
			for range rapid.IntRange(0, 4).Draw(t, "tools") {
				turn.Tools = append(turn.Tools, recap.Tool{
					Name: "Bash", Kind: rapid.SampledFrom([]recap.ToolKind{recap.ToolCommand, recap.ToolEdit, recap.ToolTodo, recap.ToolQuestion, recap.ToolPlan, recap.ToolSubagent}).Draw(t, "kind"),
					Status:    rapid.SampledFrom([]recap.ToolStatus{recap.ToolDone, recap.ToolFailed, recap.ToolPending, recap.ToolWaiting, recap.ToolRejected}).Draw(t, "status"),
					Command:   rapid.OneOf(rapid.SampledFrom([]string{"go test ./...", "git commit -m x && git push", "ls | wc", "bash -lc 'npm test'"}), rapid.String()).Draw(t, "command"),
					Paths:     []string{"a.go"},
					Questions: []string{genText().Draw(t, "question")},
					Todos:     []recap.Todo{{Text: genText().Draw(t, "todo")}},
				})
			}
			in.Turns = append(in.Turns, turn)
		}
		return in
	})
}

func TestFreeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput().Draw(t, "in")
		d := Free(in)
		checkDraft(t, in, d)
		if again := Free(in); !reflect.DeepEqual(d, again) {
			t.Errorf("not the same twice: %+v %+v", d, again)
		}
	})
}

func TestGalleryKeepsThePromises(t *testing.T) {
	for _, scenes := range galleryScenes(t) {
		for _, s := range scenes {
			d := Free(s.in)
			checkDraft(t, s.in, d)
			for _, st := range d.Status {
				if !slices.ContainsFunc(d.Receipts, func(r recap.Receipt) bool { return r.Field == "" && r.Claim == string(st) }) {
					t.Errorf("%s: no receipt for %s", s.name, st)
				}
			}
			for _, r := range d.Receipts {
				if r.MessageID == "" {
					t.Errorf("%s: receipt without a message: %+v", s.name, r)
				}
			}
			if d.Recap == "" {
				t.Errorf("%s: empty recap", s.name)
			}
		}
	}
}

func TestE33_EachEndHasItsState(t *testing.T) {
	base := func() Input {
		return Input{Last: "m9", Turns: []recap.Turn{{UserID: "u1", Text: "port the CLI to cobra", Authored: "port the CLI to cobra"}}}
	}
	for _, tt := range []struct {
		end  string
		mod  func(*Input)
		want recap.Status
	}{
		{"working", nil, recap.StatusWorking},
		{"unanswered", nil, recap.StatusNoAnswer},
		{"unanswered", func(in *Input) { in.Session.State = recap.StateBusy }, recap.StatusWorking},
		{"interrupted", nil, recap.StatusInterrupted},
		{"failed", func(in *Input) { in.Failure = &recap.Failure{Code: "529"} }, recap.StatusFailed},
		{"cut", nil, recap.StatusNoAnswer},
		{"summary", nil, recap.StatusNoAnswer},
		{"no-text", nil, recap.StatusNoAnswer},
		{"waiting", func(in *Input) {
			in.Session.State = recap.StateWaiting
			in.Session.WaitingFor = "approval: Bash rm -rf build"
		}, recap.StatusWaitingApproval},
		{"waiting", func(in *Input) {
			in.Turns[0].Tools = []recap.Tool{{Kind: recap.ToolQuestion, Status: recap.ToolWaiting, Questions: []string{"Which port?"}}}
		}, recap.StatusWaitingAnswer},
	} {
		in := base()
		in.End = tt.end
		if tt.mod != nil {
			tt.mod(&in)
		}
		d := Free(in)
		if d.Recap != "port the CLI to cobra" && d.Recap != "port the CLI to cobra → Which port?" {
			t.Errorf("%s: recap %q", tt.end, d.Recap)
		}
		if len(d.Status) != 1 || d.Status[0] != tt.want {
			t.Errorf("%s: status %v, want %s", tt.end, d.Status, tt.want)
		}
		if tt.end == "failed" && d.Receipts[len(d.Receipts)-1].Detail != "529" {
			t.Errorf("the code of the failure is not in the receipts: %+v", d.Receipts)
		}
		if tt.want == recap.StatusWaitingApproval && d.WaitingFor != "approval: Bash rm -rf build" {
			t.Errorf("waiting for %q", d.WaitingFor)
		}
	}
}

func TestE41_OwnWordsAreNoEvidence(t *testing.T) {
	own := []string{
		"※ recap: Shipping the zebra feature.",
		"## Recent sessions (last 7 days)\n- **Aug 23, 10:30** — zebra work\n- **Aug 22, 10:30** — more zebra work",
		`{"recap":"zebra","suggestion":"","generatedAt":1}`,
	}
	for _, o := range own {
		in := Input{End: "complete", Turns: []recap.Turn{{
			UserID: "u1", Text: o + "\n\nadd a log line", Authored: o + "\n\nadd a log line", AnswerID: "a1", Answer: o + "\n\nAdded the log line to main.go.", Complete: true,
		}}}
		d := Free(in)
		if strings.Contains(texts(d)+d.Request, "zebra") || d.Recap != "add a log line → Added the log line to main.go" {
			t.Errorf("%q: %q / %q", o, d.Recap, d.Away)
		}
		in.Turns[0].Text, in.Turns[0].Authored, in.Turns[0].Answer = o, o, o
		if d := Free(in); strings.Contains(texts(d)+d.Request, "zebra") {
			t.Errorf("alone %q: %+v", o, d)
		}
	}
}

func TestE55_NoMarkupNoControls(t *testing.T) {
	in := Input{End: "complete", Turns: []recap.Turn{{
		UserID: "u1", Text: "explain \x1b]0;title\x07 **this** \u202ething\u202c", AnswerID: "a1",
		Answer: "# Title\n\nThe \x1b[31mcause\x1b[0m is **a `nil` map** in [load](https://x.y/z) — see `cfg_load`\u2066.\x00\u2069\r\n", Complete: true,
	}}}
	d := Free(in)
	if d.Recap != "explain this thing → The cause is a nil map in load — see cfg_load" {
		t.Errorf("%q", d.Recap)
	}
	checkDraft(t, in, d)
}

func TestReceiptsNameCommandAndStatus(t *testing.T) {
	turns := turnOf(edit("a.go"), bash("cd app && go test ./...", new(1), "FAIL\n"))
	d := Free(Input{Turns: turns, End: "complete"})
	var got []recap.Receipt
	for _, r := range d.Receipts {
		if r.Field == "" {
			got = append(got, r)
		}
	}
	want := []recap.Receipt{
		{Claim: "tests-failed", Kind: recap.ReceiptTest, MessageID: "a1", Detail: "go test ./... · exit 1"},
		{Claim: "uncommitted", Kind: recap.ReceiptEdit, MessageID: "a1", Detail: "a.go"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

// TestLateAnswerOfAClosing: thanks and commits recap the work behind them, a
// "go on" recaps what came of it.
func TestClosingTakesTheWorkBehindIt(t *testing.T) {
	mk := func(ask, answer, bye, last string) Draft {
		return Free(Input{End: "complete", Turns: []recap.Turn{
			{UserID: "u1", Text: ask, Authored: ask, AnswerID: "a1", Answer: answer, Complete: true},
			{UserID: "u2", Text: bye, Authored: bye, AnswerID: "a2", Answer: last, Complete: true},
		}})
	}
	if d := mk("add a flag", "Added the flag to list.", "thanks!", "You're welcome!"); d.Recap != "add a flag → Added the flag to list" {
		t.Errorf("%q", d.Recap)
	}
	if d := mk("add a flag", "I would add it to list. Shall I?", "go on", "Added the flag to list and show."); d.Recap != "add a flag → Added the flag to list and show" {
		t.Errorf("%q", d.Recap)
	}
}

func FuzzFree(f *testing.F) {
	for _, s := range rawTexts {
		f.Add(s, s, "go test ./... | tail", "complete")
	}
	f.Add("x", "y", "bash -lc \"git commit -m \\\"$(cat <<'E'\nx\nE\n)\\\"\"", "working")
	f.Fuzz(func(t *testing.T, ask, answer, command, end string) {
		in := Input{End: end, Turns: []recap.Turn{{
			UserID: "u1", Text: ask, Authored: ask, AnswerID: "a1", Answer: answer, Complete: true,
			Tools: []recap.Tool{{Kind: recap.ToolCommand, Status: recap.ToolDone, Command: command, Output: answer}},
		}}}
		d := Free(in)
		checkDraft(t, in, d)
		guard(answer, Collect(in.Turns), in.Turns)
	})
}

func FuzzCollect(f *testing.F) {
	for _, s := range []string{"a && b || c | d & e; f", "if x; then y; fi", "bash -c 'sh -c \"go test\"'", "$(a $(b)) `c` <(d)", "git commit -m \"x", "a <<E\nb\nE\nc", "((((", "'\\"} {
		f.Add(s, "1 failed, 2 passed", 1)
	}
	f.Fuzz(func(t *testing.T, command, output string, code int) {
		fs := Collect(turnOf(bash(command, &code, output)))
		for _, r := range fs.Tests {
			if r.Passed && (r.Failed || code != 0 && readVerdict(stripEscapes(output)).fail) {
				t.Errorf("%q exits %d: %+v", command, code, r)
			}
		}
		if _, err := json.Marshal(fs); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkFree(b *testing.B) {
	answer := strings.Repeat("I looked at the parser and found that the buffer is too small, so the last row is lost. ", 40) +
		"\n\n- Added `grow` in buf.go\n- Updated the tests\n\n" + strings.Repeat("После этого все тесты проходят. 所有测试全部通过。 ", 60) + "\n\nAll tests pass."
	in := Input{End: "complete", Turns: []recap.Turn{
		{UserID: "u1", Text: strings.Repeat("please fix the parser ", 40), Authored: "please fix the parser", AnswerID: "a1", Answer: answer, Complete: true},
		{UserID: "u2", Text: "go on", Authored: "go on", AnswerID: "a2", Answer: answer, Complete: true, Tools: slices.Repeat([]recap.Tool{
			edit("a.go"), bash("cd app && go test ./... 2>&1 | tail -20", new(0), strings.Repeat("ok  \texample.com/a\t0.1s\n", 80)),
		}, 20)},
		{UserID: "u3", Text: "yes", Authored: "yes", AnswerID: "a3", Answer: answer, Complete: true},
	}}
	b.ReportAllocs()
	b.SetBytes(int64(3 * len(answer)))
	for b.Loop() {
		Free(in)
	}
}

// TestStoppedWhileItWaited: a session whose agent has ended says that it was
// stopped and what it waited for.
func TestStoppedWhileItWaited(t *testing.T) {
	turn := recap.Turn{UserID: "u1", Text: "clean the index", Authored: "clean the index", AnswerID: "a1", Tools: []recap.Tool{edit("a.go")}}
	for _, tt := range []struct {
		name, end, waitingFor string
		state                 recap.State
		stopped               bool
		want                  []recap.Status
	}{
		{"approval, interrupted", "interrupted", "approval: Bash rm -rf index", recap.StateInterrupted, true, []recap.Status{recap.StatusWaitingApproval, recap.StatusInterrupted, recap.StatusUncommitted}},
		{"question, interrupted", "interrupted", "question: Which one?", recap.StateInterrupted, true, []recap.Status{recap.StatusWaitingAnswer, recap.StatusInterrupted, recap.StatusUncommitted}},
		{"approval, unknown", "working", "approval: Bash rm -rf index", recap.StateUnknown, false, []recap.Status{recap.StatusWaitingApproval, recap.StatusUncommitted}},
		{"nothing, interrupted", "interrupted", "", recap.StateInterrupted, true, []recap.Status{recap.StatusInterrupted, recap.StatusUncommitted}},
		{"working, state unknown", "working", "", recap.StateUnknown, false, []recap.Status{recap.StatusNoAnswer, recap.StatusUncommitted}},
		{"working, state interrupted", "working", "", recap.StateInterrupted, false, []recap.Status{recap.StatusInterrupted, recap.StatusUncommitted}},
		{"working, state busy", "working", "", recap.StateBusy, false, []recap.Status{recap.StatusWorking, recap.StatusUncommitted}},
		{"idle keeps no wait", "complete", "approval: Bash rm -rf index", recap.StateIdle, false, []recap.Status{recap.StatusUncommitted}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turn := turn
			turn.Interrupted = tt.stopped
			turn.Complete = tt.end == "complete"
			d := Free(Input{Turns: []recap.Turn{turn}, End: tt.end, Session: recap.Session{State: tt.state, WaitingFor: tt.waitingFor}})
			if !slices.Equal(d.Status, tt.want) {
				t.Errorf("status %v, want %v", d.Status, tt.want)
			}
			if waits := strings.HasPrefix(string(d.Status[0]), "waiting"); waits && d.WaitingFor != tt.waitingFor || !waits && d.WaitingFor != "" {
				t.Errorf("waiting for %q", d.WaitingFor)
			}
		})
	}
}

// A text that any language could hold names none.
func TestLanguageOfNeutralWords(t *testing.T) {
	for _, c := range []struct{ request, answer, want string }{
		{"hi", "Hello! How can I help?", "en"},
		{"hi", "", ""},
		{"ok", "Fine.", ""},
		{"Perbaiki tes login", "Sudah diperbaiki.", "id"},
		{"commit", "Готово: коммит создан, тесты проходят.", "ru"},
		{"corrige el inicio de sesión que falla", "Fixed the login form and its test.", "es"},
	} {
		if d := said(c.request, c.answer); d.Language != c.want {
			t.Errorf("%q, %q: language %q, want %q", c.request, c.answer, d.Language, c.want)
		}
	}
}
