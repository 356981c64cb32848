package language

import (
	"strings"
	"testing"
)

// TestClampWordsKeepsNumbersAndNamesWhole cuts at every limit.
func TestClampWordsKeepsNumbersAndNamesWhole(t *testing.T) {
	for _, tt := range []struct{ text, name string }{
		{"a search of 10,000 rows takes 40 ms", "10,000"},
		{"a search of 1.250.000 Zeilen dauert", "1.250.000"},
		{"la recherche de 10 000 lignes prend", "10 000"},
		{"la recherche de 1 250 000 lignes prend", "1 250 000"},
		{"поиск по 9 001 250 строкам занимает", "9 001 250"},
		{"it cost us $1,234.56 in credits", "$1,234.56"},
		{"es kostet uns -3,5 Prozent", "-3,5"},
		{"the index holds 5 million rows now", "5 million"},
		{"der Index hat 12 Millionen Zeilen", "12 Millionen"},
		{"el índice tiene 3 millones de filas", "3 millones"},
		{"в индексе 40 тысяч строк", "40 тысяч"},
		{"索引里现在有500万行数据", "500万"},
		{"索引里现在有三千五百行数据", "三千五百"},
		{"索引には12345行あります", "12345"},
		{"use version 2.14.0-rc.1 of it", "2.14.0-rc.1"},
		{"planned on 2026-12-24 at ten", "2026-12-24"},
		{"it sits in internal/orders/list_open.go:142 there", "internal/orders/list_open.go:142"},
		{"see https://example.com/doc?x=1&y=2 for it", "https://example.com/doc?x=1&y=2"},
		{"the cause is parseNestedListOfRows in it", "parseNestedListOfRows"},
		{"the commit is 3ef88b6c1d2e and not this", "3ef88b6c1d2e"},
	} {
		whole := strings.Index(tt.text, tt.name)
		for chars := 2; chars < 60; chars++ {
			for words := 1; words < 9; words++ {
				got, _ := strings.CutSuffix(ClampWords(tt.text, words, chars), ellipsis)
				if len(got) > whole && len(got) < whole+len(tt.name) {
					t.Errorf("%d words, %d characters: %q cuts %q", words, chars, got, tt.name)
				}
			}
		}
	}
}
