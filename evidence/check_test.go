package evidence

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// evidenceOf is a session with one turn.
func evidenceOf(ask, answer string, tools ...recap.Tool) Input {
	return Input{End: "complete", Last: "a1", Turns: []recap.Turn{{
		UserID: "u1", Text: ask, Authored: ask, AnswerID: "a1", Answer: answer, Complete: true, Tools: tools,
	}}}
}

// TestH4_FormsOfNumbers: a number counts as held in whatever form it is
// written, and no other number does.
func TestH4_FormsOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		name, evidence, text string
		held                 bool
	}{
		{"digits for a word", "it makes three attempts", "The client makes 3 attempts.", true},
		{"a word for digits", "it makes 3 attempts", "The client makes three attempts.", true},
		{"another word", "it makes 3 attempts", "The client makes four attempts.", false},
		{"Russian", "делает 3 попытки", "Клиент делает три попытки, а потом сдаётся.", true},
		{"Russian, inflected", "не более 5 минут", "Запись живёт в кэше не дольше пяти минут.", true},
		{"Russian, another", "не более 5 минут", "Запись живёт в кэше не дольше десяти минут.", false},
		{"Chinese", "最多重试 3 次", "客户端最多重试三次。", true},
		{"Chinese, two", "分成 2 个文件", "代码分成了两个文件。", true},
		{"Chinese, twelve", "共 12 个", "一共有十二个条目。", true},
		{"Chinese, another", "最多重试 3 次", "客户端最多重试五次。", false},
		{"Chinese, no count", "最多重试 3 次", "客户端与第三方服务保持一致。", true},
		{"Chinese, ten thousand", "约 10,000 行", "文件大约有 1万行。", true},
		{"Japanese", "最大3回", "再試行は最大三回です。", true},
		{"Spanish", "hasta 3 intentos", "El cliente hace hasta tres intentos antes de rendirse.", true},
		{"Spanish, another", "hasta 3 intentos", "El cliente hace hasta siete intentos antes de rendirse.", false},
		{"German", "bis zu 12 Zeilen", "Die Ausgabe zeigt bis zu zwölf Zeilen je Eintrag an.", true},
		{"French", "au plus 20 lignes", "La sortie montre au plus vingt lignes par entrée.", true},
		{"thousands", "1,234 rows", "It reads 1234 rows.", true},
		{"thousands the other way", "1234 rows", "It reads 1,234 rows.", true},
		{"thousands, German", "1.234 Zeilen", "It reads 1,234 rows.", true},
		{"thousands, apostrophe", "1234 rows", "It reads 1'234 rows.", true},
		{"short thousands", "10,000 rows", "It reads 10k rows.", true},
		{"decimal comma", "1.5 s", "Es dauert nur noch 1,5 Sekunden.", true},
		{"unit without a space", "it took 40 ms", "It took 40ms.", true},
		{"unit with a space", "it took 40ms", "It took 40 ms.", true},
		{"percent", "down by 40 percent", "It is down by 40%.", true},
		{"percent with a space", "down by 40%", "It is down by 40 %.", true},
		{"ordinal", "3 attempts", "It gives up at the 3rd attempt.", true},
		{"part of a longer number", "5000 rows", "It reads 500 rows.", false},
		{"part of a version", "version 1.24.3", "It reads 24 rows.", false},
		{"a version", "needs go 1.24.3", "It needs v1.24.3.", true},
		{"another version", "needs go 1.24.3", "It needs 1.24.4.", false},
		{"date", "since 2026-01-05", "It broke on 2026-01-05.", true},
		{"another date", "since 2026-01-05", "It broke on 2026-01-06.", false},
		{"a ratio", "12 of 14 passed", "The ratio is 12/14.", true},
		{"another ratio", "12 of 14 passed", "The ratio is 13/14.", false},
		{"hyphen", "10 second timeout", "There is a 10-second timeout.", true},
		{"decimal is not its part", "0.5 s", "It takes 5 s.", false},
		{"zero added", "6 s", "It takes 6.0 s.", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped, _ := Check(recap.FieldRecap, tt.text, evidenceOf("look at it", tt.evidence, edit("a.go")))
			if tt.held && kept != tt.text || !tt.held && kept == tt.text {
				t.Errorf("%q beside %q: kept %q, dropped %v", tt.text, tt.evidence, kept, dropped)
			}
			if !tt.held && (len(dropped) == 0 || dropped[0].Why != whyNumber) {
				t.Errorf("dropped %v", dropped)
			}
		})
	}
}

// TestH4_FormsOfNames: short and inflected forms of a file's name pass.
func TestH4_FormsOfNames(t *testing.T) {
	in := evidenceOf("speed up importRows", "It uses the staging table. See https://example.com/docs/a and “dry run”.", edit("internal/store/importer.go"), bash("git log -1", new(0), "commit 1a2b3c4d5e6f70819203a4b5c6d7e8f901234567"))
	for _, tt := range []struct{ text, why string }{
		{"Changed internal/store/importer.go.", ""},
		{"Changed store/importer.go.", ""},
		{"Changed importer.go.", ""},
		{"Changed importer to use staging.", ""},
		{"Изменён файл importer.go-шный, он быстрее.", ""},
		{"Die importer.go-Datei ist schneller.", ""},
		{"importRows is faster.", ""},
		{"It is at commit 1a2b3c4d.", ""},
		{"It is described at https://example.com/docs/a.", ""},
		{"There is a `dry run`.", ""},
		{"There is a «dry run».", ""},
		{"Reading and/or writing is faster.", ""},
		{"Changed exporter.go.", whyName},
		{"Changed internal/importer.go.", whyName},
		{"exportRows is faster.", whyName},
		{"MAX_ROWS is higher.", whyName},
		{"It is at commit 1a2b3c4e.", whyHash},
		{"It is described at https://example.com/docs/b.", whyURL},
		{"There is a “wet run”.", whyQuote},
		{"There is a `wet run`.", whyQuote},
		{"The importer is faster because it uses Redis now.", whyName},
		{"Импорт ускорен с помощью redis.", whyName},
	} {
		kept, dropped, _ := Check(recap.FieldRecap, tt.text, in)
		why := ""
		if len(dropped) > 0 {
			why = dropped[0].Why
		}
		if why != tt.why || tt.why == "" && kept != tt.text {
			t.Errorf("%q: kept %q, dropped %v, want %q", tt.text, kept, dropped, tt.why)
		}
	}
}

// TestClausesGoAlone: what is left of a text reads as a sentence.
func TestClausesGoAlone(t *testing.T) {
	in := evidenceOf("make the parser faster", "The parser reads 64 bytes at once. The tests were not run.", edit("parser.go"))
	for _, tt := range []struct{ text, want, why string }{
		{"The parser reads 64 bytes at once, and all tests pass.", "The parser reads 64 bytes at once.", "overclaims:passed"},
		{"The parser reads 64 bytes at once; committed as one change.", "The parser reads 64 bytes at once.", "overclaims:committed"},
		{"Pushed to main; the parser reads 64 bytes at once.", "the parser reads 64 bytes at once.", "overclaims:pushed"},
		{"The parser reads 64 bytes at once. All tests pass. Nothing is committed.", "The parser reads 64 bytes at once. Nothing is committed.", "overclaims:passed"},
		{"The parser reads 64 bytes at once (all tests pass).", "The parser reads 64 bytes at once.", "overclaims:passed"},
		{"解析器一次读取 64 字节，测试全部通过。", "解析器一次读取 64 字节。", "overclaims:passed"},
		{"解析器一次读取 64 字节。测试全部通过。", "解析器一次读取 64 字节。", "overclaims:passed"},
		{"Парсер читает по 64 байта за раз, и все тесты проходят.", "Парсер читает по 64 байта за раз.", "overclaims:passed"},
		{"All tests pass.", "", "overclaims:passed"},
		{"The tests were run.", "", "lost-negation"},
		{"The parser reads 64 bytes at once, 9000 times a second.", "The parser reads 64 bytes at once.", whyNumber},
	} {
		kept, dropped, _ := Check(recap.FieldAway, tt.text, in)
		if kept != tt.want || len(dropped) == 0 || dropped[0].Why != tt.why && tt.why != "lost-negation" {
			t.Errorf("%q: kept %q, dropped %v, want %q for %s", tt.text, kept, dropped, tt.want, tt.why)
		}
		readsWhole(t, kept, tt.text)
	}
}

// TestLostNegation: what an answer denies is not told as done.
func TestLostNegation(t *testing.T) {
	in := evidenceOf("make the parser faster", "The parser reads blocks. Symbolic links on Windows are not followed. The old cache is not invalidated after a rename. 旧的缓存不会自动清除。", edit("parser.go"))
	for _, tt := range []struct {
		text string
		kept bool
	}{
		{"Symbolic links on Windows are followed.", false},
		{"Symbolic links on Windows are not followed.", true},
		{"The old cache is invalidated after a rename.", false},
		{"The old cache survives a rename.", true},
		{"旧的缓存会自动清除。", false},
		{"旧的缓存不会自动清除。", true},
		{"The parser reads blocks.", true},
	} {
		kept, dropped, _ := Check(recap.FieldRecap, tt.text, in)
		if tt.kept != (kept == tt.text) || !tt.kept && (len(dropped) == 0 || dropped[0].Why != "lost-negation") {
			t.Errorf("%q: kept %q, dropped %v", tt.text, kept, dropped)
		}
	}
}

// TestWhatADenialIsOf: an answer that denies something else takes nothing away.
func TestWhatADenialIsOf(t *testing.T) {
	in := evidenceOf("ajoute un export PDF des recettes, une page par recette", "Une page par recette ne pose pas de problème : titre, ingrédients à gauche. Je n'ai encore rien modifié.")
	for _, text := range []string{
		"L'export PDF des recettes est prévu, une page par recette.",
		"Export PDF des recettes demandé, une page par recette ; rien n'est modifié.",
	} {
		if kept, dropped, _ := Check(recap.FieldRecap, text, in); kept != text {
			t.Errorf("%q became %q, %q", text, kept, dropped)
		}
	}
	in = evidenceOf("make the parser faster", "Reading blocks is no problem for the parser of old files. The parser does not read old files.", edit("parser.go"))
	for text, want := range map[string]bool{"The parser reads old files.": false, "The parser is for old files of blocks.": true} {
		if kept, dropped, _ := Check(recap.FieldRecap, text, in); want != (kept == text) {
			t.Errorf("%q became %q, %q", text, kept, dropped)
		}
	}
}

// TestSuggestions: a suggestion goes whole or not at all.
func TestSuggestions(t *testing.T) {
	in := evidenceOf("make the parser faster", "The parser in parser.go reads 64 bytes at once. The tests were not run.", edit("src/parser.go"))
	for _, tt := range []struct {
		text string
		kept bool
	}{
		{"Run the tests for parser.go.", true},
		{"Run the tests, then commit the change.", true},
		{"Benchmark parser.go with 64 and with larger blocks.", true},
		{"Запусти тесты для parser.go и покажи результат.", true},
		{"请运行 parser.go 的测试。", true},
		{"Benchmark parser.go with 4096 byte blocks.", false},
		{"Now do the same in scanner.go.", false},
		{"Run parseAll with the tests.", false},
		{"Since all tests pass, write the changelog.", false},
		{"Add the change to the release notes, it is already deployed.", false},
	} {
		kept, dropped, receipts := Check(recap.FieldSuggestion, tt.text, in)
		if tt.kept && kept != tt.text || !tt.kept && (kept != "" || len(dropped) != 1 || dropped[0].Clause != tt.text) || receipts != nil {
			t.Errorf("%q: kept %q, dropped %v, receipts %v", tt.text, kept, dropped, receipts)
		}
	}
}

// TestStatusInLanguagesWithoutALexicon: there, a status is kept only as the
// agent wrote it.
func TestStatusInLanguagesWithoutALexicon(t *testing.T) {
	for _, tt := range []struct{ lang, answer, quoted, invented, plain string }{
		{"vi", "Tôi đã sửa tệp và tất cả các bài kiểm thử đều đạt.", "Tất cả các bài kiểm thử đều đạt.", "Các bài kiểm thử đã chạy thành công và mã đã được triển khai.", "Bảng không có chỉ mục trên cột tiêu đề nên tìm kiếm chậm."},
		{"ar", "تم إصلاح الخطأ ونجحت جميع الاختبارات.", "نجحت جميع الاختبارات.", "تم نشر التغييرات على الخادم بنجاح.", "البحث بطيء لأن عمود العنوان بلا فهرس."},
		{"el", "Διόρθωσα το σφάλμα και όλα τα τεστ πέρασαν.", "Όλα τα τεστ πέρασαν.", "Η δοκιμή ολοκληρώθηκε και ο κώδικας ανέβηκε.", "Η αναζήτηση αργεί επειδή λείπει ένα ευρετήριο."},
		{"hi", "मैंने गलती ठीक की और सभी टेस्ट पास हुए।", "सभी टेस्ट पास हुए।", "सारे परीक्षण सफल रहे और कोड तैनात है।", "खोज धीमी है क्योंकि कॉलम पर कोई इंडेक्स नहीं है।"},
		{"he", "תיקנתי את השגיאה וכל הבדיקות עברו.", "כל הבדיקות עברו.", "השינוי נדחף ונפרס בהצלחה לשרת.", "החיפוש איטי מפני שאין אינדקס על עמודת הכותרת."},
		{"th", "แก้ไขแล้วและการทดสอบผ่านทั้งหมด", "การทดสอบผ่านทั้งหมด", "โค้ดถูกดีพลอยสำเร็จบนเซิร์ฟเวอร์", "การค้นหาช้าเพราะคอลัมน์ไม่มีดัชนี"},
	} {
		in := evidenceOf("?", tt.answer, edit("a.go"))
		for text, want := range map[string]bool{tt.quoted: true, tt.invented: false, tt.plain: true} {
			kept, dropped, _ := Check(recap.FieldRecap, text, in)
			if want != (kept == text) || !want && kept != "" {
				t.Errorf("%s: %q: kept %q, dropped %v", tt.lang, text, kept, dropped)
			}
		}
	}
}

// TestReceiptsOfWhatStayed: each kept claim has the record that proves it.
func TestReceiptsOfWhatStayed(t *testing.T) {
	in := evidenceOf("make the parser faster", "Done.", edit("parser.go"), bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n"), bash("git commit -am x", new(0), "[main 1a2b3c4] x\n"))
	_, dropped, receipts := Check(recap.FieldAway, "Changed the parser, all tests pass, committed as 1a2b3c4.", in)
	kinds := map[recap.ReceiptKind]string{}
	for _, r := range receipts {
		kinds[r.Kind] = r.Detail
	}
	if len(dropped) != 0 || !strings.Contains(kinds[recap.ReceiptTest], "go test ./... · exit 0") || !strings.HasPrefix(kinds[recap.ReceiptCommit], "1a2b3c4") || kinds[recap.ReceiptEdit] != "parser.go" {
		t.Errorf("dropped %v, receipts %+v", dropped, receipts)
	}
}

// keeps checks what holds for any text.
func keeps(t *testing.T, field recap.Field, text string, in Input) {
	t.Helper()
	kept, dropped, receipts := Check(field, text, in)
	if !utf8.ValidString(kept) || strings.ContainsFunc(kept, unicode.IsControl) {
		t.Errorf("%q keeps %q", text, kept)
	}
	if utf8.RuneCountInString(kept) > utf8.RuneCountInString(oneLine(text)) {
		t.Errorf("%q grew to %q", text, kept)
	}
	if kept != oneLine(text) && len(dropped) == 0 {
		t.Errorf("%q became %q for no reason", text, kept)
	}
	if again, _, _ := Check(field, kept, in); again != kept {
		t.Errorf("%q became %q, and then %q", text, kept, again)
	}
	// The words of what is left stand in the text in their order.
	rest := oneLine(text)
	for _, w := range strings.FieldsFunc(kept, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		i := strings.Index(rest, w)
		if i < 0 {
			t.Errorf("%q of %q is not in what is left of %q", w, kept, text)
			break
		}
		rest = rest[i+len(w):]
	}
	for _, r := range receipts {
		if r.Field != field || r.MessageID == "" || !strings.Contains(kept, strings.TrimRight(r.Claim, ".。")) {
			t.Errorf("%q: receipt %+v of %q", text, r, kept)
		}
	}
}

// TestCheckOfAnyText joins parts of recaps as a model never would.
func TestCheckOfAnyText(t *testing.T) {
	all := stories(t)
	joints := []string{" ", ", and ", "; ", " (", ") ", ", aber ", "，", "。", " — ", ": ", "… "}
	for i, s := range all {
		if i%4 != 0 {
			continue
		}
		other := all[(i*7+3)%len(all)]
		in := s.input(t)
		for k, j := range joints {
			keeps(t, recap.FieldAway, s.Text+j+other.Text, in)
			a, b := []rune(s.Text), []rune(other.Text)
			keeps(t, recap.FieldAway, string(a[:len(a)*(k+1)/12])+j+string(b[len(b)*k/11:]), in)
		}
	}
	for _, x := range invented {
		s := scenes[x.scene]
		keeps(t, recap.FieldRecap, x.text, s.input(t))
	}
}

func FuzzCheck(f *testing.F) {
	for i, s := range stories(f) {
		if i%6 == 0 {
			f.Add(s.Text, s.Answer, strings.Join(s.Tools, " "))
		}
	}
	f.Add("a`b\"c(; ,", "", "")
	f.Add("«“『' 1,234.5.6 ./x", "'", "\x00\xff")
	f.Add("未提交，；。", "没", "1万")
	f.Fuzz(func(t *testing.T, text, answer, command string) {
		if len(text) > 2000 || len(answer) > 4000 {
			return
		}
		in := evidenceOf(answer, answer, edit("a.go"), bash(command, new(0), answer))
		keeps(t, recap.FieldAway, text, in)
		keeps(t, recap.FieldSuggestion, text, in)
	})
}

func BenchmarkCheck(b *testing.B) {
	all := stories(b)
	long := all[0].input(b)
	t := &long.Turns[0]
	for range 3 {
		long.Turns = append(long.Turns, *t)
	}
	for i := range long.Turns {
		turn := &long.Turns[i]
		turn.Answer = strings.Repeat(turn.Answer+" It reads 64 blocks, which was not so before.\n\n", 60)
		turn.Text = strings.Repeat(turn.Text+"\n", 80)
		for range 12 {
			turn.Tools = append(turn.Tools, bash("go test ./...", new(0), strings.Repeat("ok  \texample.com/a\t0.1s\n", 80)))
		}
	}
	b.Run("typical", func(b *testing.B) {
		in := all[0].input(b)
		b.ReportAllocs()
		for b.Loop() {
			Check(recap.FieldAway, all[0].Text, in)
		}
	})
	b.Run("long", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Check(recap.FieldAway, all[0].Text, long)
		}
	})
}
