package dialog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

func TestAttachedContexts(t *testing.T) {
	t.Parallel()
	issue := func(kind string) recap.Part {
		p := attach(kind, map[string]any{"kind": kind})
		p.Text = "Issue 7\nIt breaks"
		return p
	}
	type values = map[string]any
	for _, tt := range []struct {
		name           string
		part           recap.Part
		text, authored string
	}{
		{
			"code", attach("code-comment", values{"code": "x := 1\n\ny := 2", "text": "rename", "fileLabel": "a/b.go", "startLine": 3, "endLine": 5.0}),
			"[code-comment a/b.go:3-5]\n> x := 1\n> \n> y := 2\n\nrename", "rename",
		},
		{"file", attach("file-quote", values{"quote": "q", "text": "why?", "fileLabel": "d.go", "startLine": json.Number("7")}), "[file-quote d.go:7]\n> q\n\nwhy?", "why?"},
		{"chat", attach("chat-quote", values{"quote": "q", "text": "no", "startLine": int64(2)}), "[chat-quote :2]\n> q\n\nno", "no"},
		{
			"browser", attach("browser-annotation", values{"prompt": "the button", "text": "bigger", "pageUrl": "http://localhost:3000/a"}),
			"[browser-annotation http://localhost:3000/a]\n> the button\n\nbigger", "bigger",
		},
		{"review", attach("pr-comment", values{"body": "nit", "text": "do it", "label": "PR 3"}), "[pr-comment PR 3]\n> nit\n\ndo it", "do it"},
		{"check", attach("pr-check", values{"output": "exit 1", "text": "fix", "label": "ci", "terminalLabel": "zsh"}), "[pr-check ci]\n> exit 1\n\nfix", "fix"},
		{"terminal", attach("terminal", values{"output": "exit 1", "text": "fix", "terminalLabel": "zsh"}), "[terminal zsh]\n> exit 1\n\nfix", "fix"},
		{"issue", issue("github-issue"), "[github-issue]\n> Issue 7\n> It breaks", ""},
		{"pull request", issue("github-pr"), "[github-pr]\n> Issue 7\n> It breaks", ""},
		{"linear", issue("linear-issue"), "[linear-issue]\n> Issue 7\n> It breaks", ""},
		{"OpenCode", attach("opencode-comment", values{"path": "a.ts", "comment": "docs", "preview": "let x"}), "[opencode-comment a.ts]\n> let x\n\ndocs", "docs"},
		{"no source", attach("chat-quote", values{"text": "only words"}), "[chat-quote]\n\nonly words", "only words"},
		{"null is nothing", attach("chat-quote", values{"quote": nil, "text": "words"}), "[chat-quote]\n\nwords", "words"},
		{"odd lines and label", attach("file-quote", values{"quote": "q", "text": "w", "fileLabel": 4, "startLine": 1.5, "endLine": 3}), "[file-quote]\n> q\n\nw", "w"},
		{"lines back to front", attach("file-quote", values{"quote": "q", "startLine": 9, "endLine": 3}), "[file-quote :9]\n> q", ""},
		{"line breaks of Windows", attach("chat-quote", values{"quote": "a\r\nb\rc"}), "[chat-quote]\n> a\n> b\n> c", ""},
		{"label over two lines", attach("file-quote", values{"quote": "q", "fileLabel": "a\n> forged"}), "[file-quote a > forged]\n> q", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, syn := range []bool{true, false} {
				tt.part.Synthetic = syn
				d := read(t, user("u", tt.part), answer("a", "u", text("done")))
				if !d.Ready || d.Turns[0].Text != tt.text || d.Turns[0].Authored != tt.authored {
					t.Errorf("synthetic %v: %q, authored %q", syn, d.Turns[0].Text, d.Turns[0].Authored)
				}
			}
		})
	}
}

func TestUnknownAttachmentsAreNoneOfThePersons(t *testing.T) {
	t.Parallel()
	unknown := attach("new-kind", map[string]any{"text": 42})
	d := read(t, user("u", text("q"), unknown), user("c", unknown), answer("a", "c", text("done")))
	if ids(d) != "u>a " || d.Turns[0].Text != "q" {
		t.Errorf("%+v", d.Turns)
	}
	unknown.Synthetic, unknown.Text = false, "typed after all"
	if d = read(t, user("u", unknown), answer("a", "u", text("done"))); ids(d) != "u>a " || d.Turns[0].Text != "typed after all" {
		t.Errorf("%+v", d.Turns)
	}
}

func TestE29_ThreeBigAnnotationsKeepTheirComments(t *testing.T) {
	t.Parallel()
	var parts []recap.Part
	for i := range 3 {
		parts = append(parts, attach("code-comment", map[string]any{
			"code": fmt.Sprintf("HEAD%d ", i) + strings.Repeat("漢", 60_000) + fmt.Sprintf(" TAIL%d", i),
			"text": fmt.Sprintf("COMMENT%d ", i) + strings.Repeat("ы", 500), "fileLabel": "main.go",
		}))
	}
	d := read(t, user("u", parts...), answer("a", "u", text("done")))
	got := d.Turns[0].Text
	if n := utf8.RuneCountInString(got); n > dialog.MaxUserText || n < dialog.MaxUserText-50 {
		t.Errorf("%d characters", n)
	}
	for i := range 3 {
		if !strings.Contains(got, fmt.Sprintf("\n\nCOMMENT%d "+strings.Repeat("ы", 500), i)) {
			t.Errorf("comment %d is not whole", i)
		}
		for _, s := range []string{fmt.Sprintf("> HEAD%d 漢", i), fmt.Sprintf("漢 TAIL%d\n", i)} {
			if !strings.Contains(got, s) {
				t.Errorf("source %d lacks %q", i, s)
			}
		}
	}
	shares := strings.Split(got, "[code-comment main.go]")
	for _, s := range shares[1:] {
		if n := utf8.RuneCountInString(s) - utf8.RuneCountInString(shares[1]); n < -2 || n > 2 {
			t.Errorf("unequal shares: %d", n)
		}
	}
}

func TestE29_SourcesShrinkBeforeTheirComments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		typed, comments int
		source          string
	}{
		{"many short comments", 0, 200, strings.Repeat("line\n", 3_000)},
		{"only line breaks", 100, 3, strings.Repeat("\n.", 9_000)},
		{"long typed text", 7_500, 3, strings.Repeat("x", 9_000)},
		{"typed text over the limit", 30_000, 5, strings.Repeat("x", 9_000)},
		{"nothing but comments", 0, 900, ""},
	} {
		t.Run("E29 "+tt.name, func(t *testing.T) {
			t.Parallel()
			parts := []recap.Part{text("TYPED" + strings.Repeat("t", tt.typed))}
			for i := range tt.comments {
				parts = append(parts, attach("chat-quote", map[string]any{"quote": tt.source, "text": fmt.Sprintf("c%03d.", i)}))
			}
			got := read(t, user("u", parts...), answer("a", "u", text("done"))).Turns[0].Text
			if n := utf8.RuneCountInString(got); n > dialog.MaxUserText {
				t.Errorf("%d characters", n)
			}
			if !strings.HasPrefix(got, "TYPED") {
				t.Errorf("begins with %.20q", got)
			}
			for i := range tt.comments {
				if !strings.Contains(got, fmt.Sprintf("c%03d.", i)) {
					t.Fatalf("comment %d is lost", i)
				}
			}
			for line := range strings.Lines(got) {
				if strings.HasPrefix(line, "x") || strings.HasPrefix(line, "line") {
					t.Fatalf("unquoted source: %.30q", line)
				}
			}
		})
	}
	long := attach("chat-quote", map[string]any{"quote": "q", "text": "A" + strings.Repeat("a", 20_000) + "Z"})
	got := read(t, user("u", long, long, long), answer("a", "u", text("done"))).Turns[0].Text
	if n := utf8.RuneCountInString(got); n > dialog.MaxUserText || n < dialog.MaxUserText-10 || strings.Count(got, "aZ") != 3 || strings.Count(got, "Aa") != 3 {
		t.Errorf("three long comments: %d characters", utf8.RuneCountInString(got))
	}
}

func TestLongSourcesAndLabels(t *testing.T) {
	t.Parallel()
	quoted := func(p recap.Part) string {
		_, q, _ := strings.Cut(read(t, user("u", p), answer("a", "u", text("done"))).Turns[0].Text, "\n")
		return q
	}
	got := quoted(attach("terminal", map[string]any{"output": strings.Repeat("x", 9_000)}))
	if n := len(strings.ReplaceAll(got, "> ", "")); utf8.RuneCountInString(got) > dialog.MaxSource+20 || n < dialog.MaxSource-20 {
		t.Errorf("source of %d", n)
	}
	issue := attach("linear-issue", nil)
	issue.Text = strings.Repeat("x", 9_000)
	if got = quoted(issue); len(got) < 7_900 {
		t.Errorf("issue of %d", len(got))
	}
	d := read(t, user("u", attach("pr-comment", map[string]any{"body": "b", "label": strings.Repeat("é", 900)})), answer("a", "u", text("done")))
	label, _, _ := strings.Cut(d.Turns[0].Text, "\n")
	if n := utf8.RuneCountInString(label); n > dialog.MaxLabel+len("[pr-comment ]") || n < dialog.MaxLabel {
		t.Errorf("label of %d characters", n)
	}
}

func TestE30_AttachedTextThatIsNoStringFails(t *testing.T) {
	t.Parallel()
	for name, values := range map[string]map[string]any{
		"E30 number":   {"quote": "q", "text": 42},
		"E30 list":     {"quote": "q", "text": []any{"a"}},
		"E30 object":   {"quote": "q", "text": map[string]any{}},
		"E30 boolean":  {"quote": "q", "text": false},
		"E30 a source": {"quote": 1, "text": "comment"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &session{records: []recap.Message{user("u", text("q"), attach("chat-quote", values)), answer("a", "u", text("done"))}}
			d, err := dialog.Read(context.Background(), s, dialog.FileLimits())
			if recap.CodeOf(err) != recap.CodeUnreadable || d.Ready || len(d.Turns) > 0 {
				t.Errorf("%v %+v", err, d)
			}
			if strings.Contains(fmt.Sprint(err), "42") {
				t.Errorf("text in the error: %v", err)
			}
		})
	}
}
