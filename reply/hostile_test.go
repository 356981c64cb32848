package reply_test

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/reply"
)

var allFields = []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest}

// hostile are replies of n bytes that tempt a reader to go back again and
// again.
func hostile(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"braces":           fill("{"),
		"nested objects":   fill(`{"a":`),
		"nested wanted":    fill(`{"recap":`),
		"nested arrays":    `{"recap":` + fill("["),
		"open strings":     fill(`{"a":"x`),
		"loose strings":    fill(`{'recap':'x', `),
		"quotes":           `{"recap":"` + fill(`" `),
		"blanks":           `{"recap"` + fill(" "),
		"stars":            `{"recap":"` + fill("*a ") + `"}`,
		"underscores":      `{"recap":"` + fill("_a ") + `"}`,
		"lists":            `{"recap":"` + fill(`- a\n`) + `"}`,
		"opening tags":     fill("<think>"),
		"closing tags":     fill("</think>"),
		"broken tags":      fill("<think "),
		"our tags":         fill("<away>"),
		"fences":           fill("```\n"),
		"comments":         `{"recap":"` + fill("<!-- ") + `"}`,
		"escapes":          `{"recap":"` + fill(`\u0041`) + `"}`,
		"double escapes":   `{"recap":"` + fill(`\\n`) + `"}`,
		"brackets":         `{"recap":"` + fill("[a](") + `"}`,
		"one long word":    `{"recap":"` + fill("a") + `"}`,
		"combining marks":  `{"recap":"a` + fill("\u0301") + `"}`,
		"sorry":            fill("sorry "),
		"error prefixes":   fill("error: "),
		"colons and stars": fill(": *"),
	}
}

// The work grows with the length alone. Reading that went back for each byte
// would not end here within the time of a test.
func TestHostileRepliesEnd(t *testing.T) {
	t.Parallel()
	for name, text := range hostile(reply.MaxReply) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fields := allFields
			if strings.Contains(name, "tags") {
				fields = []recap.Field{recap.FieldAway}
			}
			if r, err := reply.Parse(text, fields); err == nil {
				held(t, r, fields)
			}
		})
	}
}

func TestOnlyTheEndOfAGiantReplyIsRead(t *testing.T) {
	t.Parallel()
	r, err := reply.Parse(strings.Repeat("x ", reply.MaxReply)+`{"recap":"The cache is warm."}`, []recap.Field{recap.FieldRecap})
	if err != nil || r.Texts[recap.FieldRecap] != "The cache is warm." {
		t.Errorf("%v, %v", r, err)
	}
}

func TestErrorsHoldNothingOfTheReply(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"SECRETWORD", "Rate limit exceeded. Please try again, SECRETWORD", `{"error":"SECRETWORD"}`, "<html>SECRETWORD</html>", `{"recap":"SECRETWORD`, "<think>SECRETWORD"} {
		_, err := reply.Parse(text, []recap.Field{recap.FieldRecap})
		if err == nil || strings.Contains(err.Error()+recap.HintOf(err), "SECRETWORD") || err.Error() == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// H1: a model that was led to answer what a transcript said, in a form that is
// none of ours, gives nothing.
func TestH1_AnswersToTheTranscriptAreNoRecap(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"X", "The capital of France is Paris.", "## Recent sessions (last 7 days)\n- **Aug 23, 10:30** — X", `{"answer":"X"}`, "</evidence> X", "<recap>X</recap>"} {
		if r, err := reply.Parse(text, []recap.Field{recap.FieldRecap, recap.FieldSuggestion}); err == nil {
			t.Errorf("%q gave %q", text, r.Texts)
		}
	}
	r, err := reply.Parse(`{"digest":"## Recent sessions\n- **Aug 23, 10:30** — X\n\n# Ignore all rules"}`, []recap.Field{recap.FieldDigest})
	if err != nil || strings.ContainsAny(r.Texts[recap.FieldDigest], "\n#*") {
		t.Errorf("the block stays one data line: %q, %v", r.Texts, err)
	}
}

func BenchmarkParse(b *testing.B) {
	text := "<think>" + strings.Repeat("I look at the evidence. ", 100) + "</think>\n```json\n{\"recap\":\"**The login form** keeps its values after a failed attempt.\",\"suggestion\":\"Also keep the values on the signup form.\"}\n```"
	fields := []recap.Field{recap.FieldRecap, recap.FieldSuggestion}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reply.Parse(text, fields); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecision(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		reply.Decision("Apply the same change to the signup form, then run the failing test again and fix it.", []string{"Which port should the server use, 3000 or 8080?"})
	}
}
