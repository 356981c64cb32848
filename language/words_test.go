package language_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"github.com/sessionrecap/recap/language"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "   ": 0, "…": 0, "one": 1, "one two  three\nfour": 4, "don't split main.go or v1.2": 5, "— a — b —": 2,
		"日本語": 2, "四十文字": 2, "修复了bug": 3, "修复 main.go": 2, "ภาษาไทย": 4, "안녕 세상": 2, "मेरा नाम": 2,
		"and/or": 1, "a, b; c.": 3, "2,000 characters": 2,
		strings.Repeat("字", 40): 20,
	} {
		if got := language.Words(text); got != want {
			t.Errorf("Words(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestChars(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "e\u0301": 1, "가": 1, "\u1100\u1161": 1, "👩‍👩‍👧": 5, "日本": 2} {
		if got := language.Chars(text); got != want {
			t.Errorf("Chars(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestClampWords(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		words, chars int
		want         string
	}{
		{"within the limits", "Fixed the parser.", 20, 320, "Fixed the parser."},
		{"by words", "one two three four five", 3, 320, "one two three…"},
		{"by characters on a word", "Fixed the date parser today", 20, 24, "Fixed the date parser…"},
		{"no boundary near", "Donaudampfschifffahrtsgesellschaft", 20, 10, "Donaudamp…"},
		{"boundary too far back", "an incomprehensibilities", 20, 15, "an incomprehen…"},
		{"no comma before the mark", "one, two, three", 2, 99, "one, two…"},
		{"file name stays whole", "The fix is in internal/store.go now", 5, 99, "The fix is in internal/store.go…"},
		{"Chinese", strings.Repeat("字", 50), 20, 320, strings.Repeat("字", 40) + "…"},
		{"family stays whole", "ab 👩‍👩‍👧‍👧 cd", 9, 6, "ab…"},
		{"flag stays whole", "🇩🇪🇫🇷🇮🇹", 9, 4, "🇩🇪…"},
		{"decomposed counts once", "e\u0301e\u0301e\u0301", 9, 3, "ééé"},
		{"E36 nothing allowed", "text", 0, 10, ""},
		{"E36 no characters", "text", 5, 0, ""},
		{"E36 room for the mark only", "text", 5, 1, "…"},
		{"E37 Korean", "회의록을 정리하고 결론을 앞에 두었습니다", 3, 100, "회의록을 정리하고 결론을…"},
		{"E37 Russian", "Вывод остаётся в тексте целиком", 99, 16, "Вывод остаётся…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := language.ClampWords(c.text, c.words, c.chars); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// checkClamp holds what a clamp promises, for any input.
func checkClamp(t *testing.T, text string, words, chars int) {
	t.Helper()
	got := language.ClampWords(text, words, chars)
	if !utf8.ValidString(got) {
		t.Fatalf("not UTF-8: %q", got)
	}
	if words <= 0 || chars <= 0 {
		if got != "" {
			t.Fatalf("%q in no room", got)
		}
		return
	}
	if n := language.Chars(got); n > chars {
		t.Fatalf("%d characters of %d: %q", n, chars, got)
	}
	if n := language.Words(got); n > words {
		t.Fatalf("%d words of %d: %q", n, words, got)
	}
	whole := strings.TrimSpace(norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")))
	if got == whole {
		return
	}
	kept, ok := strings.CutSuffix(got, "…")
	if !ok || !strings.HasPrefix(whole, kept) {
		t.Fatalf("%q is no cut of %q", got, whole)
	}
	ends := map[int]bool{0: true}
	for g, at := uniseg.NewGraphemes(whole), 0; g.Next(); {
		at += len(g.Str())
		ends[at] = true
	}
	if !ends[len(kept)] {
		t.Fatalf("%q is cut inside a character of %q", kept, whole)
	}
}

func TestE36_ClampAtEveryLimit(t *testing.T) {
	for _, text := range []string{
		"Fixed the date parser: leap days no longer shift the report (internal/report.go).",
		"日付の解析を直しました。テストはすべて通っています。", "ทดสอบภาษาไทยที่ไม่มีช่องว่าง", "नमस्ते दुनिया क्षत्रिय", "e\u0301\u0302a\u0308 👩‍👩‍👧‍👧🇩🇪 ok", "\u0301x \xff\xfe y",
	} {
		for chars := range 90 {
			for _, words := range []int{0, 1, 2, 5, 40} {
				checkClamp(t, text, words, chars)
			}
		}
	}
}

func FuzzClampWords(f *testing.F) {
	f.Add("Fixed the parser, all tests pass.", 3, 12)
	f.Add("日本語のテキスト🇩🇪👩‍👩‍👧", 3, 5)
	f.Add("e\u0301\u0301\u0301 \xff a\u200db", 2, 3)
	f.Add("\u1100\u1161\u11a8x", 1, 1)
	f.Fuzz(func(t *testing.T, text string, words, chars int) {
		checkClamp(t, text, words, chars)
	})
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "All tests pass. The branch is pushed! Anything else?", []string{"All tests pass.", "The branch is pushed!", "Anything else?"}},
		{"versions and names", "Upgraded to v1.2 in main.go. See https://a.example/b.c?d=e. Done.", []string{"Upgraded to v1.2 in main.go.", "See https://a.example/b.c?d=e.", "Done."}},
		{"decimals", "Coverage is 81.5 percent. It was 80.", []string{"Coverage is 81.5 percent.", "It was 80."}},
		{"abbreviations", "Use a queue, e.g. Redis. Names, i.e. keys, stay.", []string{"Use a queue, e.g. Redis.", "Names, i.e. keys, stay."}},
		{"ellipsis", "Wait... it still runs. Loading… Then it stops.", []string{"Wait... it still runs.", "Loading… Then it stops."}},
		{"code spans", "Call `a. b. c!` first. Then `x`.", []string{"Call `a. b. c!` first.", "Then `x`."}},
		{"quotes and brackets", `He said "stop." Then he left. (It was late.) Bye.`, []string{`He said "stop."`, "Then he left.", "(It was late.)", "Bye."}},
		{"German ordinals", "Am 3. März ist Abgabe. Bitte prüfe z.B. den Export.", []string{"Am 3. März ist Abgabe.", "Bitte prüfe z.B. den Export."}},
		{"list", "Changes:\n1. Fixed the parser\n2. Added a test.\n- Moved a file", []string{"Changes:", "1. Fixed the parser", "2. Added a test.", "- Moved a file"}},
		{"wrapped line", "The parser is\nfixed now.\nNext is the docs.", []string{"The parser is fixed now.", "Next is the docs."}},
		{"fence", "Run this:\n```sh\ngo test. now.\n```\nAll good.", []string{"Run this:", "```sh\ngo test. now.\n```", "All good."}},
		{"Chinese", "解析器修好了。测试通过！还要提交吗？", []string{"解析器修好了。", "测试通过！", "还要提交吗？"}},
		{"Japanese quotes", "「完了。」と言った。次へ。", []string{"「完了。」", "と言った。", "次へ。"}},
		{"Arabic", "هل انتهى العمل؟ نعم. كل الاختبارات ناجحة.", []string{"هل انتهى العمل؟", "نعم.", "كل الاختبارات ناجحة."}},
		{"Hindi", "परीक्षण पास हो गए। अब आगे क्या?", []string{"परीक्षण पास हो गए।", "अब आगे क्या?"}},
		{"Greek", "Τελείωσε; Ναι.", []string{"Τελείωσε;", "Ναι."}},
		{"Russian", "Тесты прошли, т.е. всё готово. Дальше?", []string{"Тесты прошли, т.е. всё готово.", "Дальше?"}},
		{"lower case typist", "fix the parser. then run the tests", []string{"fix the parser.", "then run the tests"}},
		{"marks together", "Really?! Yes.", []string{"Really?!", "Yes."}},
		{"bold", "**Done.** Next.", []string{"**Done.**", "Next."}},
		{"empty", " \n\n ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := language.Sentences(c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("All tests pass. v1.2 is out… `a. b` Done?\n```\nx. y\n```")
	f.Add("解析。テスト！ 3. März z.B. \xff.")
	f.Fuzz(func(t *testing.T, text string) {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		var all strings.Builder
		for _, s := range language.Sentences(text) {
			if s != strings.TrimSpace(s) || s == "" {
				t.Fatalf("not trimmed: %q", s)
			}
			all.WriteString(s)
		}
		if squeeze(all.String()) != squeeze(text) {
			t.Fatalf("text lost: %q became %q", text, all.String())
		}
	})
}
