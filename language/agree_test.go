package language_test

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap/language"
)

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"Fix main.go and snake_case now":                   "Fix and now",
		"Rename getUserName to --user-name in a.b.c":       "Rename to in",
		"See https://a.example/x?y=z, then /etc/hosts.":    "See then",
		"either read/write or and/or":                      "either read/write or and/or",
		"run `go test ./...` twice":                        "run twice",
		"before\n```go\nfunc main() {}\n```\nafter":        "before after",
		"unclosed\n```\nthe rest is code":                  "unclosed",
		"> quoted line\nmy words":                          "my words",
		`the label "Guten Tag" stays`:                      "the label stays",
		"l'utilisateur d'abord":                            "l'utilisateur d'abord",
		"don't use 'alte Namen' here":                      "don't use here",
		"修复main.go中的错误":                                    "修复 中的错误",
		"ラベル「名前」を直す":                                       "ラベル を直す",
		"v1.2 and sha256 and 3 files":                      "and and files",
		"mail me@host.example or ask @team":                "mail or ask",
		"open ./cmd/recap, ../x and C:\\new\\table please": "open and please",
		"END. Next sentence":                               "END. Next sentence",
	} {
		clean := func(s string) string {
			return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \n,", r) }), " ")
		}
		got := clean(language.Prose(text))
		if strings.TrimRight(got, " .") != strings.TrimRight(want, " .") {
			t.Errorf("Prose(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestFewWordsOfANeighbour: five words of Portuguese are not Spanish, and the
// person's own words never are in another language.
func TestFewWordsOfANeighbour(t *testing.T) {
	const pt = "os contatos com acento aparecem no fim da lista, Álvaro tem que vir antes de Bruno. corrige e faz o commit"
	const es = "los contactos con acento aparecen al final de la lista. corrige y haz commit"
	for _, tt := range []struct {
		field, sample string
		ok            bool
	}{
		{"corrige e faz o commit", pt, true},
		{"Corrige e faz o commit.", pt, true},
		{"os contatos com acento", pt, true},
		{"corrige el error y haz el commit", pt, false},
		{"corrige y haz commit", es, true},
		{"corrige e faz o commit", es, false},
		{"corrige l'erreur et fais le commit", es, false},
	} {
		if ok, why := language.Agree(tt.field, []string{tt.sample}, ""); ok != tt.ok {
			t.Errorf("%q: %v %s", tt.field, ok, why)
		}
	}
	if got := language.Detect("corrige e faz o commit"); got.Lang != "pt" {
		t.Errorf("%+v", got)
	}
}

func TestScripts(t *testing.T) {
	got := language.Scripts("abc где 日本 かな カナ 한글 ע α ไทย हिन्दी م")
	for s, n := range map[language.Script]int{
		language.Latin: 3, language.Cyrillic: 3, language.Han: 2, language.Kana: 4, language.Hangul: 2, language.Hebrew: 1,
		language.Greek: 1, language.Thai: 3, language.Devanagari: 6, language.Arabic: 1,
	} {
		if got[s] != n {
			t.Errorf("%s: %d, want %d", s, got[s], n)
		}
	}
	if language.Kana.String() != "Kana" || language.Script(200).String() != "Unknown" {
		t.Error("names of scripts")
	}
}

func TestDetectByScript(t *testing.T) {
	for text, want := range map[string]string{
		"テストを直す": "ja", "修复测试": "zh", "테스트를 고친다": "ko", "בדיקה": "he", "დოკუმენტი": "ka", "": "", "main.go --flag": "", "123 !?": "",
	} {
		if got := language.Detect(text); got.Lang != want {
			t.Errorf("Detect(%q) = %+v, want %q", text, got, want)
		}
	}
}

func TestTarget(t *testing.T) {
	const english = "Please fix the parser and write a test for it"
	const german = "Bitte behebe den Fehler und schreibe einen Test dafür"
	const japanese = "テストを直してからコミットしてください"
	for _, c := range []struct {
		name   string
		sample []string
		want   string
	}{
		{"newest wins", []string{german, english}, "en"},
		{"change in the last message", []string{english, english, german}, "de"},
		{"ok falls back", []string{german, "ok"}, "de"},
		{"commit falls back twice", []string{german, "yes", "commit and push"}, "de"},
		{"da falls back", []string{"Исправь разбор дат и напиши тест", "да"}, "ru"},
		{"short Japanese falls back to nothing older", []string{japanese, "ok"}, "ja"},
		{"code alone is neutral", []string{german, "```go\nfunc main() { fmt.Println() }\n```"}, "de"},
		{"paths alone are neutral", []string{german, "internal/store/store.go https://a.example/the/and/of"}, "de"},
		{"Chinese needs few signs", []string{english, "请修复解析器"}, "zh"},
		{"two signs are neutral", []string{english, "好的"}, "en"},
		{"no text", nil, ""},
		{"only neutral", []string{"ok", "push"}, ""},
		{"hashes and numbers", []string{english, "3f2a9c1 42"}, "en"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := language.Target(c.sample)
			if c.name == "only neutral" {
				if d.Reliable {
					t.Errorf("called reliable: %+v", d)
				}
				return
			}
			if d.Lang != c.want {
				t.Errorf("got %+v, want %q", d, c.want)
			}
			if s := (language.Sample{Texts: c.sample}); s.Target() != d {
				t.Error("Sample.Target differs")
			}
		})
	}
}

func TestAgree(t *testing.T) {
	const (
		english  = "Please fix the parser and write a test for it"
		german   = "Bitte behebe den Fehler und schreibe einen Test dafür"
		french   = "Corrige l'analyseur et ajoute un test pour les dates"
		japanese = "テストを直してからコミットしてください"
		chinese  = "请修复解析器并补上测试"
		russian  = "Исправь разбор дат и напиши на это тест"
	)
	for _, c := range []struct {
		name, field string
		sample      []string
		preferred   string
		want        bool
	}{
		{"E51 no sample", "한국어 문장입니다", nil, "", true},
		{"E51 Korean in Japanese", "테스트를 고쳤습니다", []string{japanese}, "", false},
		{"E51 Chinese in Japanese", "修复测试完成", []string{japanese}, "", true},
		{"E51 Japanese in Chinese", "テストを直しました", []string{chinese}, "", false},
		{"E51 Korean in English", "테스트를 고쳤습니다", []string{english}, "", false},
		{"E51 a foreign word in an English field", "Fixed the parser for 名前字段 rows", []string{english}, "", false},
		{"E51 the person's own foreign word", "Fixed the parser for 名前 rows and the test", []string{"Please fix the rows of 名前 in the parser"}, "", true},
		{"quoted foreign words do not count", "Renamed the label 「名前」 and \"Имя\" in the form", []string{english}, "", true},
		{"E52 German in English", "Der Parser ist repariert und alle Tests laufen wieder.", []string{english}, "", false},
		{"E52 French in English", "L'analyseur est corrigé et tous les tests passent.", []string{english}, "", false},
		{"E52 English in French", "The parser is fixed and all the tests pass again.", []string{french}, "", false},
		{"E52 a preference wins", "Der Parser ist repariert und alle Tests laufen wieder.", []string{english}, "de", true},
		{"E52 a preference by name", "The parser is fixed and all the tests pass again.", []string{english}, "German", false},
		{"E52 a locale", "The parser is fixed and all the tests pass again.", []string{german}, "en_US.UTF-8", true},
		{"preference in another script", "Тесты проходят, разбор исправлен.", []string{english}, "русский", true},
		{"preference against the script", "The parser is fixed and all the tests pass again.", []string{english}, "zh-Hans", false},
		{"unknown preference", "The parser is fixed and all the tests pass again.", []string{english}, "auto", true},
		{"English in Russian", "The parser is fixed and all the tests pass again.", []string{russian}, "", false},
		{"names in Russian", "Docker Compose и PostgreSQL обновлены, deploy прошёл", []string{russian}, "", true},
		{"names lead in Chinese", "PostgreSQL 迁移完成，Docker Compose 已更新", []string{chinese}, "", true},
		{"half English in Chinese", "The tests are all passing now and the parser is fixed. 完成。", []string{chinese}, "", false},
		{"identifiers only", "`main.go` internal/store.go --flag", []string{japanese}, "", true},
		{"Ukrainian in Russian", "Розбір дат виправлено, усі тести знову проходять.", []string{russian}, "", false},
		{"loan words in German", "Commit und Push sind durch, der Build im Workflow ist grün.", []string{german}, "", true},
		{"another language where the newest is neutral", "Der Parser ist repariert und alle Tests laufen.", []string{german, english, "ok"}, "", true},
		{"another language where the newest is clear", "Der Parser ist repariert und alle Tests laufen.", []string{german, english}, "", false},
		{"a strange sentence in the field", "Der Parser ist repariert. The next step is to write the tests for the export.", []string{german}, "", false},
		{"short field", "Parser fixed.", []string{english}, "", true},
		{"empty field", "", []string{english}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ok, reason := language.Agree(c.field, c.sample, c.preferred)
			if ok != c.want {
				t.Errorf("%q after %q: %v (%s)", c.field, c.sample, ok, reason)
			}
			if ok != (reason == "") {
				t.Errorf("%v with reason %q", ok, reason)
			}
		})
	}
}

func TestTag(t *testing.T) {
	for stated, want := range map[string]string{
		"": "", "auto": "", "xx-notalang": "", "eo": "eo", "yo-NG": "yo", "de": "de", "pt-BR": "pt", "de_DE.UTF-8": "de", "German": "de", "deutsch": "de", "日本語": "ja", "zh-Hant-TW": "zh", "Français": "fr", "no": "nb", "same as mine": "",
	} {
		if got := language.Tag(stated); got != want {
			t.Errorf("Tag(%q) = %q, want %q", stated, got, want)
		}
	}
}

// A letter of another alphabet in a word looks like one of its own.
func TestAgreeKnowsAWordInTwoAlphabets(t *testing.T) {
	for _, c := range []struct {
		field, sample string
		ok            bool
	}{
		{"Тhe login page works for plus-sign emails now.", "fix the login page for emails with a plus sign", false},
		{"The ρegular expression in login.go was too strict.", "fix the login page for emails with a plus sign", false},
		{"Вход снова рaботает для адресов с плюсом.", "почини вход для адресов с плюсом", false},
		{"The delay is 40 μs now and Δt is logged in each frame.", "log the delay of each frame", true},
		{"Экспорт в PDFку работает, в SQLную базу пишется дата.", "сделай экспорт отчёта", true},
		{"Кнопка «Wi-Fi» и API-ключ проверены на странице входа.", "проверь страницу входа", true},
		{"The brand is СoffeeЯus on every page of the site now.", "write СoffeeЯus as the brand on every page of the site", true},
		{"登录页面现在支持带加号的邮箱，App端也一样。", "修复登录页面，支持带加号的邮箱", true},
	} {
		if ok, why := language.Agree(c.field, []string{c.sample}, ""); ok != c.ok {
			t.Errorf("%q: %v, %q", c.field, ok, why)
		}
	}
}
