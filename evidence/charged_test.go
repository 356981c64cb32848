package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// TestChargedWordsMustBeHeard: a word of time, order, degree, certainty or
// reach is shown only where the session has one of its meaning. Each sentence
// stands for both: without the word it is shown, with it only where the answer
// has it too.
func TestChargedWordsMustBeHeard(t *testing.T) {
	type words struct{ plain, charged, answer string }
	for lang, list := range map[string][]words{
		"en": {
			{"The parser reads 64 bytes at once.", "The parser recently read 64 bytes at once.", "Lately the parser read 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "Yesterday the parser read 64 bytes at once.", "It read 64 bytes at once yesterday, the parser."},
			{"The parser reads 64 bytes at once.", "The parser always reads 64 bytes at once.", "The parser reads 64 bytes every time."},
			{"The parser reads 64 bytes at once.", "The parser already reads 64 bytes at once.", "The parser already reads 64 bytes at once, so nothing is left."},
			{"The parser reads 64 bytes at once.", "Only the parser reads 64 bytes at once.", "The parser alone reads 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "The parser reads everything at once, 64 bytes.", "The parser reads all 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "The parser automatically reads 64 bytes at once.", "The parser reads 64 bytes at once by itself."},
			{"The parser reads 64 bytes at once.", "The parser completely reads 64 bytes at once.", "The parser reads the whole 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "The parser definitely reads 64 bytes at once.", "The parser certainly reads 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "The parser is significantly faster with 64 bytes at once.", "The parser is much faster with 64 bytes at once."},
			{"The parser reads 64 bytes at once.", "The parser reads 64 bytes at once for the team.", "For other people the parser reads 64 bytes at once, the team included."},
			{"The parser reads 64 bytes at once.", "The parser sometimes reads 64 bytes at once.", "Now and then the parser reads 64 bytes at once."},
		},
		"de": {
			{"Der Parser liest 64 Bytes auf einmal.", "Der Parser liest kürzlich 64 Bytes auf einmal.", "Der Parser liest seit kurzem, also neulich, 64 Bytes auf einmal."},
			{"Der Parser liest 64 Bytes auf einmal.", "Der Parser liest bereits 64 Bytes auf einmal.", "Der Parser liest schon 64 Bytes auf einmal."},
			{"Der Parser liest 64 Bytes auf einmal.", "Der Parser liest immer 64 Bytes auf einmal.", "Der Parser liest stets 64 Bytes auf einmal."},
			{"Der Parser liest 64 Bytes auf einmal.", "Der Parser liest fast 64 Bytes auf einmal.", "Der Parser liest beinahe 64 Bytes auf einmal."},
			{"Der Parser liest 64 Bytes auf einmal.", "Der Parser liest gestern 64 Bytes auf einmal.", "Gestern: der Parser liest 64 Bytes auf einmal."},
		},
		"fr": {
			{"L'analyseur lit 64 octets à la fois.", "L'analyseur lit récemment 64 octets à la fois.", "L'analyseur lit dernièrement 64 octets à la fois."},
			{"L'analyseur lit 64 octets à la fois.", "L'analyseur lit déjà 64 octets à la fois.", "L'analyseur lit déjà 64 octets à la fois."},
			{"L'analyseur lit 64 octets à la fois.", "L'analyseur lit hier 64 octets à la fois.", "Hier, l'analyseur a lu 64 octets à la fois."},
			{"L'analyseur lit 64 octets à la fois.", "L'analyseur lit souvent 64 octets à la fois.", "L'analyseur lit fréquemment 64 octets à la fois."},
		},
		"es": {
			{"El analizador lee 64 bytes de una vez.", "El analizador lee siempre 64 bytes de una vez.", "El analizador lee cada vez 64 bytes."},
			{"El analizador lee 64 bytes de una vez.", "El analizador lee recientemente 64 bytes de una vez.", "Hace poco el analizador lee 64 bytes de una vez."},
			{"El analizador lee 64 bytes de una vez.", "El analizador lee ayer 64 bytes de una vez.", "Ayer el analizador lee 64 bytes de una vez."},
			{"El analizador lee 64 bytes de una vez.", "El analizador lee casi 64 bytes de una vez.", "El analizador lee prácticamente 64 bytes de una vez."},
		},
		"pt": {
			{"O analisador lê 64 bytes de uma vez.", "O analisador lê sempre 64 bytes de uma vez.", "O analisador lê 64 bytes toda vez."},
			{"O analisador lê 64 bytes de uma vez.", "O analisador lê ontem 64 bytes de uma vez.", "Ontem o analisador lê 64 bytes de uma vez."},
		},
		"it": {
			{"Il parser legge 64 byte alla volta.", "Il parser legge sempre 64 byte alla volta.", "Il parser legge ogni volta 64 byte."},
			{"Il parser legge 64 byte alla volta.", "Il parser legge ieri 64 byte alla volta.", "Ieri il parser legge 64 byte alla volta."},
		},
		"ru": {
			{"Парсер читает по 64 байта за раз.", "Парсер недавно читает по 64 байта за раз.", "Парсер только что читает по 64 байта за раз."},
			{"Парсер читает по 64 байта за раз.", "Парсер уже читает по 64 байта за раз.", "Парсер уже читает по 64 байта за раз."},
			{"Парсер читает по 64 байта за раз.", "Парсер всегда читает по 64 байта за раз.", "Парсер каждый раз читает по 64 байта."},
			{"Парсер читает по 64 байта за раз.", "Парсер вчера читает по 64 байта за раз.", "Вчера парсер читает по 64 байта за раз."},
			{"Парсер читает по 64 байта за раз.", "Парсер автоматически читает по 64 байта за раз.", "Парсер сам собой, то есть автоматически, читает по 64 байта за раз."},
		},
		"zh": {
			{"解析器一次读取 64 字节。", "解析器最近一次读取 64 字节。", "解析器近期一次读取 64 字节。"},
			{"解析器一次读取 64 字节。", "解析器之前一次读取 64 字节。", "解析器以前一次读取 64 字节。"},
			{"解析器一次读取 64 字节。", "解析器总是一次读取 64 字节。", "解析器每次读取 64 字节。"},
			{"解析器一次读取 64 字节。", "解析器昨天一次读取 64 字节。", "解析器昨天一次读取 64 字节。"},
			{"解析器一次读取 64 字节。", "解析器自动一次读取 64 字节。", "解析器自动一次读取 64 字节。"},
		},
		"ja": {
			{"パーサーは一度に64バイト読みます。", "パーサーは最近一度に64バイト読みます。", "パーサーは先ほど一度に64バイト読みます。"},
			{"パーサーは一度に64バイト読みます。", "パーサーは常に一度に64バイト読みます。", "パーサーはいつも一度に64バイト読みます。"},
			{"パーサーは一度に64バイト読みます。", "パーサーは昨日一度に64バイト読みます。", "パーサーは昨日一度に64バイト読みます。"},
			{"パーサーは一度に64バイト読みます。", "パーサーはすでに一度に64バイト読みます。", "パーサーは既に一度に64バイト読みます。"},
		},
		"ko": {
			{"파서가 한 번에 64바이트를 읽습니다.", "파서가 최근 한 번에 64바이트를 읽습니다.", "파서가 방금 한 번에 64바이트를 읽습니다."},
			{"파서가 한 번에 64바이트를 읽습니다.", "파서가 항상 한 번에 64바이트를 읽습니다.", "파서가 언제나 한 번에 64바이트를 읽습니다."},
			{"파서가 한 번에 64바이트를 읽습니다.", "파서가 이미 한 번에 64바이트를 읽습니다.", "파서가 이미 한 번에 64바이트를 읽습니다."},
		},
	} {
		for _, w := range list {
			t.Run(lang+" "+w.charged, func(t *testing.T) {
				without := evidenceOf("parser.go", w.plain, edit("src/parser.go"))
				if kept, dropped, _ := NewGuard(without).Vet(recap.FieldAway, w.plain); kept != w.plain {
					t.Fatalf("the plain sentence: kept %q, dropped %q", kept, dropped)
				}
				kept, dropped, _ := NewGuard(without).Vet(recap.FieldAway, w.charged)
				if kept == w.charged || len(dropped) == 0 || dropped[0].Why != whyCharged {
					t.Errorf("not said: kept %q, dropped %q", kept, dropped)
				}
				if w.answer == w.plain {
					return
				}
				heard := evidenceOf("parser.go", w.plain+" "+w.answer, edit("src/parser.go"))
				if kept, dropped, _ := NewGuard(heard).Vet(recap.FieldAway, w.charged); kept != w.charged {
					t.Errorf("said: kept %q, dropped %q", kept, dropped)
				}
			})
		}
	}
}

// TestChargedWordsThatFactsProve: what is proven needs no word.
func TestChargedWordsThatFactsProve(t *testing.T) {
	open := evidenceOf("make the parser faster, with docs", "The parser reads 64 bytes at once. The docs are to come.", edit("src/parser.go"))
	repaired := doneSession()
	for _, tt := range []struct {
		name, text string
		in         Input
	}{
		{"all tests", "The lookup compares addresses with a plus sign; all tests pass.", repaired},
		{"already committed", "The lookup compares addresses with a plus sign, already committed.", repaired},
		{"a repair restores", "Emails with a plus sign can log in again.", repaired},
		{"correctly, where tests pass", "The lookup compares addresses with a plus sign, all tests pass.", repaired},
		{"still, where work is left", "The parser reads 64 bytes at once; the docs are still to come.", open},
		{"only a number", "The parser reads only 64 bytes at once.", open},
		{"the one file", "Only parser.go changed: the parser reads 64 bytes at once.", open},
		{"what is so now was not before", "Previously the lookup decoded the plus sign as a space.", repaired},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if kept, dropped, _ := NewGuard(tt.in).Vet(recap.FieldAway, tt.text); kept != tt.text {
				t.Errorf("kept %q, dropped %q", kept, dropped)
			}
		})
	}
}

// TestNothingLeft: that nothing is left to do is no news of work that is not
// done, and that something is left is.
func TestNothingLeft(t *testing.T) {
	open := func(ask, answer string) Input {
		return evidenceOf(ask, answer, edit("src/order.go"), recap.Tool{Kind: recap.ToolTodo, Status: recap.ToolDone, Todos: []recap.Todo{{Text: "a", Status: "completed"}, {Text: "b", Status: "pending"}}})
	}
	zh := open("修好满减和退款测试", "满减边界改好了，退款测试还没有写。")
	es := open("arregla los pedidos y traduce las etiquetas", "Los pedidos se calculan bien. Queda sin traducir el catalán en las etiquetas.")
	ja := open("割引を直して返金のテストも書いて", "割引の境界を直しました。返金のテストはまだ書いていません。")
	for _, tt := range []struct {
		text string
		in   Input
		keep bool
	}{
		{"满减边界改好了，还剩退款测试没有写。", zh, true},
		{"满减边界改好了，退款测试没有剩下的。", zh, false},
		{"En las etiquetas queda sin traducir el catalán.", es, true},
		{"En los pedidos y las etiquetas no queda nada por traducir.", es, false},
		{"割引の境界を直し、残りの返金のテストはまだ書いていません。", ja, true},
	} {
		if kept, dropped, _ := NewGuard(tt.in).Vet(recap.FieldAway, tt.text); (kept == tt.text) != tt.keep {
			t.Errorf("%q: kept %q, dropped %q", tt.text, kept, dropped)
		}
	}
}

// TestFirstPersonIsAQuotation: a note in the agent's voice is one only where it
// quotes the agent.
func TestFirstPersonIsAQuotation(t *testing.T) {
	in := evidenceOf("let the search forgive typos", "I compare words by their distance in search.go now, so a typo of one letter still finds the product.", edit("src/search.go"))
	for text, want := range map[string]bool{
		"I compare words by their distance in search.go now, so a typo of one letter still finds the product.": true,
		"I compared each product with a typo of one letter in the search.":                                     false,
		"The search compares words by their distance, so a typo of one letter still finds the product.":        true,
		"The search compares words i letters apart by their distance.":                                         true,
	} {
		if kept, dropped, _ := NewGuard(in).Vet(recap.FieldAway, text); (kept == text) != want {
			t.Errorf("%q: kept %q, dropped %q", text, kept, dropped)
		}
	}
}

// TestChargedTable: each row has words, no phrase stands twice in a language
// for one meaning, and every meaning has its words in eleven languages.
func TestChargedTable(t *testing.T) {
	has := map[mark]map[string]bool{}
	for _, table := range [...][]charged{chargedTime[:], chargedDegree[:], chargedReach[:]} {
		for _, w := range table {
			if w.phrases == "" {
				t.Errorf("%+v", w)
			}
			for b := mark(1); b != 0 && b <= w.means; b <<= 1 {
				if w.means&b != 0 {
					if has[b] == nil {
						has[b] = map[string]bool{}
					}
					has[b][w.lang] = true
				}
			}
		}
	}
	for b, langs := range has {
		for _, l := range [...]string{"en", "ru", "zh", "es", "de", "fr", "ja", "ko", "it", "pt"} {
			if !langs[l] && (b != chAlready || l != "es" && l != "pt") {
				t.Errorf("meaning %b has no word in %s", b, l)
			}
		}
	}
}

// That a run passed is no review, and no approval.
func TestH3_NobodyReviewedIt(t *testing.T) {
	in := evidenceOf("the login page fails for plus signs, fix it", "`Users.Find` compares the addresses directly now, and all tests pass.", edit("users.go"), bash("go test ./...", new(0), "ok  \tlogin\t0.1s\n"))
	for text, want := range map[string]string{
		"Users.Find compares addresses directly now, tests pass, and it was reviewed.": "Users.Find compares addresses directly now, tests pass.",
		"Users.Find compares addresses directly now and is approved.":                  "Users.Find compares addresses directly now.",
		"Users.Find compares addresses directly now; a review is still to come.":       "Users.Find compares addresses directly now; a review is still to come.",
		"Users.Find compares addresses directly now, not yet reviewed.":                "Users.Find compares addresses directly now, not yet reviewed.",
	} {
		if kept, dropped, _ := NewGuard(in).Vet(recap.FieldRecap, text); kept != want {
			t.Errorf("%q became %q, %q", text, kept, dropped)
		}
	}
}

// What a model adds of its own to work that was done: that nothing fails, that the
// person agreed, that it may go out. And a plan is none of it.
func TestH3_AddedToWork(t *testing.T) {
	const ask = "the upload endpoint accepts files of any size, limit it to 10 MB"
	fails := evidenceOf(ask, "The upload endpoint now limits files to 10 MB, but TestLimit still fails.", edit("upload.go"), bash("go test ./...", new(1), "--- FAIL: TestLimit (0.00s)\nFAIL\n"))
	edited := evidenceOf(ask, "The upload endpoint now rejects files over 10 MB. I did not run the tests.", edit("upload.go"))
	plan := evidenceOf(ask, "Plan: 1. add MaxBytesReader to the upload endpoint, 2. return 413, 3. write a test. Shall I start?")
	for _, c := range []struct {
		in         Input
		text, want string
	}{
		{fails, "Uploads are limited to 10 MB and nothing fails.", "Uploads are limited to 10 MB."},
		{fails, "The upload endpoint limits files to 10 MB, zero failures.", "The upload endpoint limits files to 10 MB."},
		{fails, "The upload endpoint limits files to 10 MB without any failing test.", "The upload endpoint limits files to 10 MB."},
		{fails, "The upload endpoint limits files to 10 MB, but TestLimit still fails.", "The upload endpoint limits files to 10 MB, but TestLimit still fails."},
		{edited, "Uploads over 10 MB are rejected, ready to merge.", "Uploads over 10 MB are rejected."},
		{edited, "Uploads over 10 MB are rejected; you approved it.", "Uploads over 10 MB are rejected."},
		{edited, "Uploads over 10 MB are rejected; you confirmed it.", "Uploads over 10 MB are rejected."},
		{plan, "The upload endpoint has MaxBytesReader, returns 413 and has a test.", ""},
		{plan, "Uploads are limited to 10 MB.", ""},
		{plan, "The agent plans to add MaxBytesReader to the upload endpoint and asks whether to start.", "The agent plans to add MaxBytesReader to the upload endpoint and asks whether to start."},
	} {
		if kept, dropped, _ := NewGuard(c.in).Vet(recap.FieldRecap, c.text); kept != c.want {
			t.Errorf("%q became %q, %q", c.text, kept, dropped)
		}
	}
}
