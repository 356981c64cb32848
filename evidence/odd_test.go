package evidence

import (
	"os"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// scenery is what a session says, and a true sentence about it.
type scenery struct{ ask, answer, opening string }

// parserScenes are one session in each language: the parser was edited, and
// nothing else is proven.
var parserScenes = map[string]scenery{
	"en": {"make the parser faster", "I rewrote parse in parser.go so that the parser reads 64 bytes at once.", "The parser reads 64 bytes at once."},
	"ru": {"ускорь парсер", "Я переписал parse в parser.go, теперь парсер читает по 64 байта за раз.", "Парсер читает по 64 байта за раз."},
	"zh": {"让解析器更快", "我重写了 parser.go 里的 parse，解析器现在一次读取 64 字节。", "解析器一次读取 64 字节。"},
	"es": {"acelera el analizador", "He reescrito parse en parser.go para que el analizador lea 64 bytes de una vez.", "El analizador lee 64 bytes de una vez."},
	"de": {"mach den Parser schneller", "Ich habe parse in parser.go umgeschrieben, der Parser liest jetzt 64 Bytes auf einmal.", "Der Parser liest 64 Bytes auf einmal."},
	"fr": {"accélère l'analyseur", "J'ai réécrit parse dans parser.go pour que l'analyseur lise 64 octets à la fois.", "L'analyseur lit 64 octets à la fois."},
	"ja": {"パーサーを速くして", "parser.go の parse を書き直し、パーサーは一度に64バイト読むようになりました。", "パーサーは一度に64バイト読みます。"},
	"ko": {"파서를 빠르게 해 줘", "parser.go의 parse를 다시 작성해서 파서가 한 번에 64바이트를 읽습니다.", "파서가 한 번에 64바이트를 읽습니다."},
	"pt": {"deixe o analisador mais rápido", "Reescrevi parse em parser.go para que o analisador leia 64 bytes de uma vez.", "O analisador lê 64 bytes de uma vez."},
}

// invoiceScenes are another session in each language: the export of invoices
// was edited, and nothing else is proven.
var invoiceScenes = map[string]scenery{
	"en": {"export the invoices with decimal commas", "The export in export.py writes invoices with decimal commas, separated by semicolons, so that Excel reads them.", "Invoices are written with decimal commas."},
	"ru": {"экспортируй счета с десятичной запятой", "Экспорт в export.py пишет счета с десятичной запятой, через точку с запятой, чтобы Excel их читал.", "Счета пишутся с десятичной запятой."},
	"zh": {"导出发票时用逗号作小数点", "export.py 里的导出现在用逗号作小数点、分号作分隔符写发票，Excel 可以读取。", "发票用逗号作小数点写出。"},
	"es": {"exporta las facturas con coma decimal", "La exportación en export.py escribe las facturas con coma decimal, separadas por punto y coma, para que Excel las lea.", "Las facturas se escriben con coma decimal."},
	"de": {"exportiere die Rechnungen mit Dezimalkomma", "Der Export in export.py schreibt die Rechnungen mit Dezimalkomma, durch Semikolon getrennt, damit Excel sie liest.", "Rechnungen werden mit Dezimalkomma geschrieben."},
	"fr": {"exporte les factures avec une virgule décimale", "L'export dans export.py écrit les factures avec une virgule décimale, séparées par des points-virgules, pour qu'Excel les lise.", "Les factures sont écrites avec une virgule décimale."},
	"ja": {"請求書を小数点カンマで出力して", "export.py の出力は、請求書を小数点カンマ、セミコロン区切りで書くようになり、Excelで読めます。", "請求書は小数点カンマで書かれます。"},
}

// searchScenes are a third one: the search of a shop was edited.
var searchScenes = map[string]scenery{
	"en": {"let the search forgive typos", "The search in search.go now compares words by their distance, so a typo of one letter still finds the product.", "The search compares words by their distance."},
	"de": {"die Suche soll Tippfehler verzeihen", "Die Suche in search.go vergleicht Wörter jetzt nach ihrem Abstand, ein Tippfehler von einem Buchstaben findet den Artikel also noch.", "Die Suche vergleicht Wörter nach ihrem Abstand."},
	"fr": {"que la recherche pardonne les fautes de frappe", "La recherche dans search.go compare maintenant les mots par leur distance, une faute d'une lettre trouve donc encore l'article.", "La recherche compare les mots par leur distance."},
	"es": {"que la búsqueda perdone las erratas", "La búsqueda en search.go compara ahora las palabras por su distancia, así una errata de una letra todavía encuentra el artículo.", "La búsqueda compara las palabras por su distancia."},
	"ru": {"пусть поиск прощает опечатки", "Поиск в search.go теперь сравнивает слова по расстоянию, поэтому опечатка в одной букве всё ещё находит товар.", "Поиск сравнивает слова по расстоянию."},
	"zh": {"让搜索容忍错别字", "search.go 里的搜索现在按距离比较词语，错一个字也能找到商品。", "搜索按距离比较词语。"},
	"ja": {"検索で誤字を許して", "search.go の検索は単語を距離で比べるようになり、一文字の誤字でも商品が見つかります。", "検索は単語を距離で比べます。"},
}

type oddClaim struct{ kind, lang, text string }

func oddClaims(t testing.TB, file string) []oddClaim {
	t.Helper()
	b, err := os.ReadFile("testdata/guard/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []oddClaim
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		f := strings.SplitN(l, " ", 3)
		if len(f) != 3 || parserScenes[f[1]].ask == "" {
			t.Fatalf("%q", l)
		}
		out = append(out, oddClaim{f[0], f[1], f[2]})
	}
	return out
}

// leaks counts the claims that pass alone or behind a true sentence.
func leaks(t *testing.T, list []oddClaim) []oddClaim {
	t.Helper()
	return leaksIn(t, parserScenes, list)
}

func leaksIn(t *testing.T, scenes map[string]scenery, list []oddClaim) (leaked []oddClaim) {
	t.Helper()
	for _, x := range list {
		sc := scenes[x.lang]
		file := "src/parser.go"
		for _, other := range [...]string{"export.py", "search.go"} {
			if strings.Contains(sc.answer, other) {
				file = "src/" + other
			}
		}
		in := evidenceOf(sc.ask, sc.answer, edit(file))
		if x.kind == "done" {
			in.End = "interrupted"
		}
		bare := strings.TrimRight(x.text, ".。")
		for _, text := range []string{x.text, sc.opening + " " + x.text, strings.TrimRight(sc.opening, ".。") + ", " + x.text} {
			if kept, _, _ := NewGuard(in).Vet(recap.FieldAway, text); strings.Contains(kept, bare) {
				leaked = append(leaked, x)
				break
			}
		}
	}
	return leaked
}

// TestH3_OddWordings: a claim in words that no list has is not shown.
func TestH3_OddWordings(t *testing.T) {
	list := oddClaims(t, "odd.txt")
	kinds, langs := map[string]int{}, map[string]int{}
	leaked := leaks(t, list)
	for _, x := range leaked {
		kinds[x.kind]++
		langs[x.lang]++
		t.Logf("%s %s: %q", x.kind, x.lang, x.text)
	}
	if len(leaked)*50 > len(list) {
		t.Errorf("%d of %d odd claims pass", len(leaked), len(list))
	}
	t.Logf("%d of %d odd claims pass, by kind %v, by language %v", len(leaked), len(list), kinds, langs)
}

// TestH3_UnseenWordings are claims that were written after the checks, and for
// which nothing was mended: how many leak is a figure, with a bound.
func TestH3_UnseenWordings(t *testing.T) {
	list := oddClaims(t, "odd-unseen.txt")
	leaked := leaks(t, list)
	for _, x := range leaked {
		t.Logf("%s %s: %q", x.kind, x.lang, x.text)
	}
	if len(leaked)*10 > len(list) {
		t.Errorf("%d of %d unseen claims pass", len(leaked), len(list))
	}
	t.Logf("%d of %d unseen claims pass", len(leaked), len(list))
}
