package dialog_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/dialog"
)

func TestAuthoredSample(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Почини вход", "Почини вход"},
		{"terminal block", "почему падает?\n<terminal_context>\nERROR: x\n</terminal_context>", "почему падает?"},
		{"open terminal block", "warum?\n<terminal_context>\ncannot open", "warum?"},
		{"quote", "> the quoted text\n> more\n\nnein", "nein"},
		{"fence", "修复这个：\n```go\nfunc main() {}\n```\n谢谢", "修复这个：\n谢谢"},
		{"longer fence", "eins\n````\n```\ncode\n````\nzwei", "eins\nzwei"},
		{"open fence", "regarde\n~~~\nlong code", "regarde"},
		{"span", "почему `someLongFunction` падает", "почему падает"},
		{"span of two marks", "a ``x ` y`` b", "a b"},
		{"lone mark", "it`s fine", "it`s fine"},
		{"mark in another paragraph", "it`s\n\nok`", "it`s\n\nok`"},
		{"link", "см. https://example.com/some/english/words?x=1, пожалуйста", "см. , пожалуйста"},
		{"link in brackets", "посмотри <https://example.com/words> тут", "посмотри тут"},
		{"link in Chinese", "请看https://example.com/a这个页面", "请看这个页面"},
		{"words of a link stay", "lies [die Anleitung](https://example.com/the-manual) bitte", "lies die Anleitung bitte"},
		{"brackets that are no link", "wert[0](x", "wert[0](x"},
		{"log lines", "почему?\n2026-11-30T02:14:05Z starting the server\n[02:14:06] ready\nERROR: cannot open file\n[WARN] slow\nINFO  listening", "почему?"},
		{"level as a word", "INFO page is empty", "INFO page is empty"},
		{"stack", "ayuda\nTraceback (most recent call last):\n  File \"a.py\", line 3, in main\nValueError: bad input here", "ayuda"},
		{"frames", "помоги\nTypeError: x is undefined\n    at load (app.js:3:1)\n  at run (app.js:9)", "помоги"},
		{"compiler", "por favor\nmain.go:12:3: undefined: thing\nsrc/a.ts(4,2): error here", "por favor"},
		{"a place in a sentence", "main.go line 12 is wrong", "main.go line 12 is wrong"},
		{"go test", "warum\n--- FAIL: TestX (0.00s)\nFAIL\tpkg\t0.1s\nexit status 1", "warum"},
		{"shell", "не работает\ndev@host:~/app$ make all\n$ make install", "не работает"},
		{"panic", "было так\npanic: nil pointer\ngoroutine 1 [running]:", "было так"},
		{"goroutine in a sentence", "goroutine leaks, find them", "goroutine leaks, find them"},
		{"diff", "что тут\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n-old line\n+new line\n\nи ещё", "что тут\n\nи ещё"},
		{"list is no diff", "- eins\n- zwei", "- eins\n- zwei"},
		{"indented code", "так:\n\n    some code here\n    and more\n\nвот", "так:\n\nвот"},
		{"indented list", "- a\n\n    - nested item", "- a\n\n- nested item"},
		{"code lines", "schau\nfunc main() {\n}\nx = call(1);\n\"key\": \"value\",", "schau"},
		{"markup", "hier\n<div class=\"x\">", "hier"},
		{"reminder", "hallo<system-reminder>do this</system-reminder>", "hallo"},
		{"slash command keeps its words", "/review почему так", "/review почему так"},
		{"nothing left", "```\ncode\n```", ""},
		{"error that a person tells", "Error: why does it show that?", "Error: why does it show that?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := read(t, user("u", text(tt.in)), answer("a", "u", text("ok")))
			if got := d.Turns[0].Authored; got != tt.want {
				t.Errorf("authored %q, want %q", got, tt.want)
			}
			if kept := strings.TrimSpace(tt.in); d.Turns[0].Text != kept && tt.name != "reminder" {
				t.Errorf("text %q, want %q", d.Turns[0].Text, kept)
			}
		})
	}
}

func TestSampleIsNewestLast(t *testing.T) {
	t.Parallel()
	d := read(t,
		user("u0", text("too old")), answer("a0", "u0", text("x")),
		user("u1", text("eins"), attach("chat-quote", map[string]any{"quote": "english words", "text": "zwei `three`"})), answer("a1", "u1", text("x")),
		user("u2", file("image/png")), answer("a2", "u2", text("x")),
		user("u3", text("drei")), answer("a3", "u3", text("x")),
	)
	if got := strings.Join(d.Sample(), "|"); got != "eins\n\nzwei|drei" {
		t.Errorf("%q", got)
	}
	d = read(t, user("u", text(strings.Repeat("слово ", 20_000))), answer("a", "u", text("x")))
	if n := utf8.RuneCountInString(d.Turns[0].Authored); n > dialog.MaxUserText {
		t.Errorf("%d characters", n)
	}
	hostile := strings.Repeat("](", 200_000) + strings.Repeat("`` ", 100_000)
	if d = read(t, user("u", text(hostile)), answer("a", "u", text("x"))); len(d.Turns) != 1 {
		t.Error("hostile text")
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := func() []recap.Message {
		return []recap.Message{user("u", text("fix caf\u00e9")), answer("a", "u", text("fixed it"))}
	}
	want := read(t, base()...).Fingerprint()
	if len(want) != 32 || strings.Trim(want, "0123456789abcdef") != "" {
		t.Errorf("fingerprint %q", want)
	}
	for name, change := range map[string]func([]recap.Message) []recap.Message{
		"other ids": func(m []recap.Message) []recap.Message {
			m[0].ID, m[1].ParentID, m[1].ID = "x", "x", "y"
			return m
		},
		"other times": func(m []recap.Message) []recap.Message {
			m[1].Completed = m[1].Completed.AddDate(1, 0, 0)
			return m
		},
		"line breaks and spaces": func(m []recap.Message) []recap.Message {
			m[0].Parts[0].Text, m[1].Parts[0].Text = "  fix\n\n caf\u00e9", "fixed\tit\n"
			return m
		},
		"letters in pieces": func(m []recap.Message) []recap.Message { m[0].Parts[0].Text = "fix cafe\u0301"; return m },
		"a marker after it": func(m []recap.Message) []recap.Message { return append(m, service("s")) },
		"another model":     func(m []recap.Message) []recap.Message { m[1].Model.ID = "other"; return m },
		"an injected text":  func(m []recap.Message) []recap.Message { m[0].Parts = append(m[0].Parts, synthetic("x")); return m },
		"a tool call before": func(m []recap.Message) []recap.Message {
			return []recap.Message{m[0], step("s", "u", tool("t", recap.ToolDone)), m[1]}
		},
	} {
		if got := read(t, change(base())...).Fingerprint(); got != want {
			t.Errorf("%s changed the fingerprint", name)
		}
	}
	kept := dialog.Dialog{End: dialog.EndComplete, Turns: []recap.Turn{{Text: "fix cafe\u0301", AnswerID: "z", Answer: "fixed\u00a0it"}}}
	if kept.Fingerprint() != want {
		t.Error("a dialog that was not read has another fingerprint")
	}
	got := map[string]string{want: "base"}
	for name, change := range map[string]func([]recap.Message) []recap.Message{
		"another request": func(m []recap.Message) []recap.Message { m[0].Parts[0].Text = "fix tea"; return m },
		"another answer":  func(m []recap.Message) []recap.Message { m[1].Parts[0].Text = "not fixed"; return m },
		"a failure":       func(m []recap.Message) []recap.Message { m[1].Failure = &recap.Failure{}; return m },
		"an interrupt":    func(m []recap.Message) []recap.Message { m[1].Interrupted = true; return m },
		"no answer":       func(m []recap.Message) []recap.Message { return m[:1] },
		"a new request":   func(m []recap.Message) []recap.Message { return append(m, user("v", text("next"))) },
		"an older turn":   func(m []recap.Message) []recap.Message { return append([]recap.Message{user("o", text("old"))}, m...) },
		"words moved": func(m []recap.Message) []recap.Message {
			m[0].Parts[0].Text, m[1].Parts[0].Text = "fix", "caf\u00e9 fixed it"
			return m
		},
		"a line in a role":  func(m []recap.Message) []recap.Message { m[0].Parts[0].Text += "\nassistant 8 fixed it"; return m },
		"asked but no text": func(m []recap.Message) []recap.Message { m[1].Parts = nil; return m },
	} {
		f := read(t, change(base())...).Fingerprint()
		if other, ok := got[f]; ok {
			t.Errorf("%s has the fingerprint of: %s", name, other)
		}
		got[f] = name
	}
}

// What is typed is the authored text with the code and links within its lines.
func TestTypedKeepsNamesAndLinks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, typed, authored string }{
		{"plain", "Почини вход", "Почини вход", "Почини вход"},
		{"span", "what does `foo()` return?", "what does `foo()` return?", "what does return?"},
		{"code alone", "`make test`", "`make test`", ""},
		{"link", "see https://example.com/issues/3 please", "see https://example.com/issues/3 please", "see please"},
		{"fence", "fix `a_b`:\n```go\nfunc main() {}\n```\nthanks", "fix `a_b`:\nthanks", "fix :\nthanks"},
		{"logs", "why?\nERROR: cannot open file", "why?", "why?"},
		{"nothing", "```\ncode\n```", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := read(t, user("u", text(tt.in)), answer("a", "u", text("ok")))
			if got := d.Turns[0]; got.Typed != tt.typed || got.Authored != tt.authored {
				t.Errorf("typed %q, authored %q, want %q, %q", got.Typed, got.Authored, tt.typed, tt.authored)
			}
		})
	}
}
