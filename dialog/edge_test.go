package dialog_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

func TestE26_AnswerToAContinuationCountsForTheOpenTurn(t *testing.T) {
	t.Parallel()
	summary := with(answer("sum", "c1", text("SUMMARY")), func(m *recap.Message) { m.Summary = true })
	d := read(t,
		user("u1", text("big job")), step("a1", "u1", text("on it"), tool("t1", recap.ToolDone)),
		user("c1", recap.Part{Kind: recap.PartMarker}), summary,
		user("c2", synthetic("Continue if you have next steps")),
		step("a2", "c2", tool("t2", recap.ToolDone)), answer("a3", "c2", text("all done")),
	)
	if ids(d) != "u1>a3 " || !d.Ready || !d.Turns[0].Complete || d.Turns[0].Answer != "all done" {
		t.Errorf("%q ready %v %+v", ids(d), d.Ready, d.Turns)
	}
	if got := calls(d.Turns[0]); got != "t1 t2 " {
		t.Errorf("tools %q", got)
	}
	for _, l := range d.Messages {
		if strings.Contains(l.Text, "SUMMARY") || strings.Contains(l.Text, "Continue") {
			t.Errorf("in the dialog view: %+v", l)
		}
	}
}

// Records with the same time may stand in any order.
func TestE26_AnswerBeforeItsContinuation(t *testing.T) {
	t.Parallel()
	d := read(t,
		user("u", text("q")), answer("a1", "c1", text("first"), tool("t1", recap.ToolDone)), user("c1", synthetic("go on")),
		step("a2", "u", tool("t2", recap.ToolDone)), user("c2", synthetic("go on")),
	)
	if ids(d) != "u>a1 " || calls(d.Turns[0]) != "t1 t2 " || d.Turns[0].Complete {
		t.Errorf("%q %+v", ids(d), d.Turns)
	}
}

func TestRecordSeenTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	records := []recap.Message{user("u0", text("old")), user("u", text("q"))}
	for i := range 200 {
		records = append(records, step(fmt.Sprintf("s%d", i), "u", tool(fmt.Sprintf("t%d", i), recap.ToolDone)))
	}
	records = append(records, answer("a", "u", text("done")))
	p := &script{pages: []dialog.Page{{Records: records[2:], Next: "1"}, {Records: records}}}
	d, err := dialog.Read(t.Context(), p, dialog.FileLimits())
	if err != nil || d.Records != len(records) || len(d.Turns) != 2 || len(d.Turns[1].Tools) != 200 {
		t.Errorf("%d records of %d, %d turns, %v", d.Records, len(records), len(d.Turns), err)
	}
	none := with(service(""), func(m *recap.Message) { m.Parts = []recap.Part{tool("t", recap.ToolDone)} })
	if d = read(t, user("u", text("q")), none, none, answer("a", "u", text("done"))); len(d.Turns[0].Tools) != 2 {
		t.Errorf("records without an id are not one record: %+v", d.Turns)
	}
}

func TestE27_LateAnswerIsNotGivenToANewerRequest(t *testing.T) {
	t.Parallel()
	d := read(t,
		user("u1", text("first")), step("a1", "u1", text("looking")),
		user("u2", text("second")),
		answer("late", "u1", text("answer to the first"), tool("t1", recap.ToolDone)),
		answer("a2", "u2", text("answer to the second"), tool("t2", recap.ToolDone)),
	)
	if ids(d) != "u1>a1 u2>a2 " || !d.Ready {
		t.Errorf("%q, ready %v", ids(d), d.Ready)
	}
	if d.Turns[0].Complete {
		t.Error("a late answer completed the older turn")
	}
	if calls(d.Turns[0]) != "t1 " || calls(d.Turns[1]) != "t2 " {
		t.Errorf("tools %q and %q", calls(d.Turns[0]), calls(d.Turns[1]))
	}

	d = read(t, user("u1", text("first")), user("u2", text("second")), answer("late", "u1", text("answer to the first")))
	if d.Ready || d.NotReady != dialog.NoRequest || d.End != dialog.EndUnanswered || d.Turns[1].Answer != "" {
		t.Errorf("newest is a late answer: ready %v (%s), %s, %+v", d.Ready, d.NotReady, d.End, d.Turns)
	}
}

func TestE28_ImageOrFileAloneOpensATurn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		parts []recap.Part
		want  string
	}{
		{"E28 image only", []recap.Part{file("image/png")}, "[1 image]"},
		{"E28 file only", []recap.Part{file("application/pdf")}, "[1 file]"},
		{"E28 several", []recap.Part{file("image/png"), file("text/plain"), file("image/jpeg")}, "[2 images, 1 file]"},
		{"E28 with text", []recap.Part{text("what is this?"), file("image/png")}, "what is this?\n\n[1 image]"},
		{"E28 file without a type", []recap.Part{{Kind: recap.PartFile}}, "[1 file]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := read(t, user("u1", text("before")), answer("a1", "u1", text("ok")), user("u2", tt.parts...), answer("a2", "u2", text("seen")))
			if ids(d) != "u1>a1 u2>a2 " || d.Turns[1].Text != tt.want {
				t.Errorf("%q %q", ids(d), d.Turns[1].Text)
			}
			if strings.Contains(d.Turns[1].Authored, "image") {
				t.Errorf("authored %q", d.Turns[1].Authored)
			}
		})
	}
	d := read(t, user("u1", text("look")), user("c", recap.Part{Kind: recap.PartFile, Synthetic: true}), answer("a", "c", text("seen")))
	if ids(d) != "u1>a " || d.Turns[0].Text != "look" {
		t.Errorf("a synthetic file opened a turn: %q", ids(d))
	}
}

func TestE31_FailedPageAndRepeatedCursorAreErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("502")
	for _, tt := range []struct {
		name  string
		pages []dialog.Page
		err   error
		code  recap.Code
	}{
		{"E31 failed first page", nil, broken, recap.CodeInternal},
		{"E31 failed later page", []dialog.Page{{Records: []recap.Message{answer("a", "u", text("x"))}, Next: "1"}}, broken, recap.CodeInternal},
		{"E31 same cursor twice", []dialog.Page{{Next: "1"}, {Next: "1"}}, broken, recap.CodeUnreadable},
		{"E31 circle of three", []dialog.Page{{Next: "1"}, {Next: "2"}, {Next: "3"}, {Next: "1"}}, broken, recap.CodeUnreadable},
		{"E31 code of the source", nil, &recap.Error{Code: recap.CodeSessionNotFound}, recap.CodeSessionNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := dialog.Read(t.Context(), &script{pages: tt.pages, err: tt.err}, dialog.FileLimits())
			if recap.CodeOf(err) != tt.code {
				t.Errorf("error %v, want code %s", err, tt.code)
			}
			if tt.code == recap.CodeInternal && !errors.Is(err, broken) {
				t.Errorf("error %v lost its cause", err)
			}
			if d.Ready || d.Last != "" {
				t.Errorf("dialog beside the error: %+v", d)
			}
		})
	}
}

// script gives fixed pages, then its error.
type script struct {
	pages []dialog.Page
	err   error
	calls int
}

func (s *script) Page(context.Context, string, int) (dialog.Page, error) {
	s.calls++
	if s.calls > len(s.pages) {
		return dialog.Page{}, s.err
	}
	return s.pages[s.calls-1], nil
}

// endless gives empty pages for ever.
type endless struct{ calls int }

func (e *endless) Page(context.Context, string, int) (dialog.Page, error) {
	e.calls++
	return dialog.Page{Next: strconv.Itoa(e.calls)}, nil
}

func TestE32_EmptyAndServicePagesAreReadPast(t *testing.T) {
	t.Parallel()
	p := &script{pages: []dialog.Page{
		{Next: "1"},
		{Records: []recap.Message{service("s1"), service("s2")}, Next: "2"},
		{Records: []recap.Message{user("u", text("q")), answer("a", "u", text("r")), service("s0")}},
	}}
	d, err := dialog.Read(t.Context(), p, dialog.ServerLimits())
	if err != nil || !d.Ready || d.Last != "a" || d.Pages != 3 || d.Records != 5 {
		t.Errorf("%+v %v", d, err)
	}

	e := &endless{}
	d, err = dialog.Read(t.Context(), e, dialog.ServerLimits())
	if err != nil || e.calls != 8 || !d.Truncated || d.End != dialog.EndEmpty || d.NotReady != "empty" {
		t.Errorf("bound of pages: %d calls, %+v %v", e.calls, d, err)
	}
	if _, err = dialog.Read(t.Context(), &endless{}, dialog.FileLimits()); recap.CodeOf(err) != recap.CodeUnreadable {
		t.Errorf("empty pages for ever: %v", err)
	}
}

func TestE33_NewestRecordThatIsNoCompleteAnswer(t *testing.T) {
	t.Parallel()
	change := func(f func(*recap.Message)) recap.Message { return with(answer("a2", "u2", text("half of it")), f) }
	for _, tt := range []struct {
		name   string
		newest recap.Message
		end    dialog.End
		answer string
	}{
		{"E33 error", change(func(m *recap.Message) { m.Failure = &recap.Failure{Code: "529"} }), dialog.EndFailed, "half of it"},
		{"E33 interrupted", change(func(m *recap.Message) { m.Interrupted = true }), dialog.EndInterrupted, "half of it"},
		{"E33 tool call", change(func(m *recap.Message) { m.Finish = recap.FinishToolCalls }), dialog.EndWorking, "half of it"},
		{"E33 not completed", change(func(m *recap.Message) { m.Completed, m.Finish = time.Time{}, "" }), dialog.EndWorking, "half of it"},
		{"E33 tool at work", change(func(m *recap.Message) {
			m.Finish, m.Parts = "", append(m.Parts, tool("t", recap.ToolPending))
		}), dialog.EndWorking, "half of it"},
		{"E33 tool waits", change(func(m *recap.Message) {
			m.Finish, m.Completed, m.Parts = recap.FinishToolCalls, time.Time{}, append(m.Parts, tool("t", recap.ToolWaiting))
		}), dialog.EndWaiting, "half of it"},
		{"E33 length", change(func(m *recap.Message) { m.Finish = recap.FinishLength }), dialog.EndCut, "half of it"},
		{"E33 filter", change(func(m *recap.Message) { m.Finish = recap.FinishOther }), dialog.EndCut, "half of it"},
		{"E33 no text", change(func(m *recap.Message) { m.Parts = []recap.Part{tool("t", recap.ToolDone)} }), dialog.EndNoText, ""},
		{"E33 user", user("u3", text("and now this")), dialog.EndUnanswered, ""},
		{"E33 stopped user", with(user("u3", text("and now this")), func(m *recap.Message) { m.Interrupted = true }), dialog.EndInterrupted, ""},
		{"E33 continuation", user("c", synthetic("Continue")), dialog.EndWorking, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			records := []recap.Message{user("u1", text("one")), answer("a1", "u1", text("done")), user("u2", text("two")), tt.newest, service("s")}
			d := read(t, records...)
			if d.Ready || d.NotReady != string(tt.end) || d.End != tt.end || d.Last != tt.newest.ID {
				t.Fatalf("ready %v (%s), end %s, last %s", d.Ready, d.NotReady, d.End, d.Last)
			}
			last := d.Turns[len(d.Turns)-1]
			if last.Answer != tt.answer || last.Complete {
				t.Errorf("last turn %+v", last)
			}
			if (last.Failure != nil) != (tt.end == dialog.EndFailed) || (d.Failure != nil) != (tt.end == dialog.EndFailed) {
				t.Errorf("failure %v %v", last.Failure, d.Failure)
			}
			if last.Interrupted != (tt.end == dialog.EndInterrupted) {
				t.Errorf("interrupted %v", last.Interrupted)
			}
			if d.Turns[0].UserID != "u1" || !d.Turns[0].Complete {
				t.Errorf("first turn %+v", d.Turns[0])
			}

			s := &session{records: records, n: 1}
			l := dialog.ServerLimits()
			l.StopUnready = true
			stopped, err := dialog.Read(t.Context(), s, l)
			if err != nil || s.calls != 2 || stopped.End != d.End || stopped.NotReady != d.NotReady || stopped.Last != d.Last {
				t.Errorf("stopping where no model may be called: %d pages, %+v %v", s.calls, stopped, err)
			}
		})
	}
	for name, a := range map[string]recap.Message{
		"a reason that the agent does not tell": answer("a", "u", text("done")),
		"a command left in the background":      answer("a", "u", tool("t", recap.ToolPending), text("done")),
	} {
		if d := read(t, user("u", text("q")), a); !d.Ready || d.End != dialog.EndComplete {
			t.Errorf("%s: %+v", name, d)
		}
	}
	d := read(t, user("u", text("q")), with(answer("a", "u", text("done")), func(m *recap.Message) { m.Finish = "" }))
	if !d.Ready {
		t.Errorf("completed without a reason: %s", d.NotReady)
	}
}

// A service record may say that the person stopped the work.
func TestServiceRecordThatSaysStopped(t *testing.T) {
	t.Parallel()
	stop := with(service("s"), func(m *recap.Message) { m.Interrupted = true })
	d := read(t, user("u", text("q")), step("a", "u", text("half"), tool("t", recap.ToolStopped)), stop)
	if d.End != dialog.EndInterrupted || !d.Turns[0].Interrupted || d.Last != "a" {
		t.Errorf("%s %+v", d.End, d.Turns)
	}
	d = read(t, user("u", text("q")), stop)
	if d.End != dialog.EndInterrupted || !d.Turns[0].Interrupted {
		t.Errorf("before any answer: %s %+v", d.End, d.Turns)
	}
	d = read(t, user("u", text("q")), stop, answer("a", "u", text("went on")))
	if !d.Ready || d.Turns[0].Interrupted {
		t.Errorf("went on: %s %+v", d.End, d.Turns)
	}
	d = read(t, user("u", text("q")), answer("a", "u", text("done")), stop)
	if !d.Ready || d.Turns[0].Interrupted {
		t.Errorf("after the end: %s %+v", d.End, d.Turns)
	}
}

func TestE34_InjectedTextIsInNoView(t *testing.T) {
	t.Parallel()
	d := read(t,
		user("u", synthetic("SECRET skill list"), text("please fix it<system-reminder>SECRET</system-reminder>"),
			recap.Part{Kind: recap.PartText, Text: "SECRET", Ignored: true}),
		user("n", recap.Part{Kind: recap.PartText, Text: "SECRET notice", Ignored: true}),
		user("r", text("<system-reminder>SECRET</system-reminder>")),
		step("a1", "u", recap.Part{Kind: recap.PartReasoning, Text: "SECRET"},
			recap.Part{Kind: recap.PartTool, Text: "SECRET", Tool: &recap.Tool{CallID: "t", Output: "SECRET"}}),
		answer("a2", "u", synthetic("SECRET"), text("<think>SECRET</think>\nfixed"), recap.Part{Kind: recap.PartText, Text: "SECRET", Ignored: true}),
	)
	turn := d.Turns[0]
	if ids(d) != "u>a2 " || turn.Text != "please fix it" || turn.Answer != "fixed" || turn.Authored != "please fix it" {
		t.Errorf("%q %+v", ids(d), d.Turns)
	}
	if s := fmt.Sprint(d.Messages, d.Sample(), turn.Text, turn.Answer); strings.Contains(s, "SECRET") {
		t.Error(s)
	}
	ignored := recap.Part{Kind: recap.PartText, Text: "SECRET notice", Ignored: true}
	if d = read(t, user("u", text("q")), answer("a", "u", text("done")), user("n", ignored)); !d.Ready || d.Last != "a" {
		t.Errorf("a notice after the answer: %s, last %q", d.NotReady, d.Last)
	}
}

func TestE35_OneWordAfterStartUpText(t *testing.T) {
	t.Parallel()
	d := read(t, user("u", synthetic("AGENTS.md ..."), text("hi")), answer("a", "u", text("Hello")))
	if !d.Ready || d.Turns[0].Text != "hi" || len(d.Messages) != 2 {
		t.Errorf("%+v", d)
	}
}

func TestE37_LongAnswersAreCountedInCharacters(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]struct{ head, fill, tail string }{
		"E37 Korean":  {"시작", "가", "결론은 테스트 실패입니다"},
		"E37 Russian": {"Начало", "п", "Вывод: тесты не прошли"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := read(t, user("u", text("q")), answer("a", "u", text(a.head+strings.Repeat(a.fill, 40_000)+a.tail)))
			got := d.Turns[0].Answer
			if n := utf8.RuneCountInString(got); n != dialog.MaxAnswerText || !strings.HasPrefix(got, a.head) || !strings.HasSuffix(got, a.tail) {
				t.Errorf("%d characters", n)
			}
			exact := strings.Repeat(a.fill, dialog.MaxAnswerText)
			if d = read(t, user("u", text("q")), answer("a", "u", text(exact))); d.Turns[0].Answer != exact {
				t.Error("a text that just fits was cut")
			}
		})
	}
}

func TestE38_OnlyToolsIsNoConversation(t *testing.T) {
	t.Parallel()
	d := read(t, user("u", text("run it")), step("a1", "u", tool("t1", recap.ToolDone)), answer("a2", "u", tool("t2", recap.ToolDone)))
	if d.Ready || len(d.Messages) != 1 || calls(d.Turns[0]) != "t1 t2 " {
		t.Errorf("%+v", d)
	}
	d = read(t, user("c", synthetic("start")), answer("a", "c", text("report")))
	if d.Ready || d.NotReady != dialog.NoRequest || len(d.Turns) != 0 || len(d.Messages) != 0 {
		t.Errorf("a session without a person: %+v", d)
	}
	if d = read(t); d.Ready || d.End != dialog.EndEmpty || d.NotReady != "empty" {
		t.Errorf("no records: %+v", d)
	}
}

func TestE41_EarlierRecapsAreNoEvidence(t *testing.T) {
	t.Parallel()
	shown := with(service("r"), func(m *recap.Message) { m.Parts = []recap.Part{text("OLD RECAP")} })
	d := read(t,
		user("u", text("fix the login")), shown,
		user("n", recap.Part{Kind: recap.PartText, Text: "※ recap: OLD RECAP", Ignored: true}),
		answer("a0", "u", text("  **※ recap:** OLD RECAP\n※ recap: OLD RECAP")),
		answer("a", "u", text("fixed\n※ recap: OLD RECAP\nand tested")), shown,
	)
	if !d.Ready || d.Turns[0].Answer != "fixed\nand tested" {
		t.Errorf("%+v", d)
	}
	if s := fmt.Sprint(d.Messages, d.Sample(), d.Turns); strings.Contains(s, "OLD RECAP") {
		t.Error(s)
	}
	d = read(t, user("u", text("q")), answer("a", "u", text("※ recap: OLD RECAP")))
	if d.Ready || d.End != dialog.EndNoText {
		t.Errorf("only a recap: %+v", d)
	}
}
