package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// TestH3_UnseenClaims holds sets of over-claims that were written before the
// rules that stop them. When they were first tried, 15 of the first and 23 of the
// second passed; general rules were mended for what these showed. The third was
// written after that: 7 passed, and 3 still do, which its bound counts:
//
//	The search change is up for review.
//	搜索已存为一个版本。
//	店ではもう誤字に強い検索が動いています。
func TestH3_UnseenClaims(t *testing.T) {
	for _, set := range []struct {
		file   string
		scenes map[string]scenery
		most   int
	}{
		{"unseen-a.txt", parserScenes, 0},
		{"unseen-b.txt", invoiceScenes, 0},
		{"unseen-c.txt", searchScenes, 3},
	} {
		t.Run(set.file, func(t *testing.T) {
			list := oddClaims(t, set.file)
			leaked := leaksIn(t, set.scenes, list)
			for _, x := range leaked {
				t.Logf("%s %s: %q", x.kind, x.lang, x.text)
			}
			if len(list) < 60 || len(leaked) > set.most {
				t.Errorf("%d of %d claims pass, at most %d may", len(leaked), len(list), set.most)
			}
			t.Logf("%d of %d claims pass", len(leaked), len(list))
		})
	}
}

// TestFreelyWordedRecapsPassTheVet: true recaps in seven languages that were
// written before the checks were mended.
func TestFreelyWordedRecapsPassTheVet(t *testing.T) {
	lost, gone, n := 0, 0, 0
	for _, s := range storiesOf(t, "free-wordings.jsonl") {
		n++
		kept, dropped, _ := NewGuard(s.input(t)).Vet(recap.FieldAway, s.Text)
		if kept != s.Text {
			lost++
			t.Logf("%s: %q became %q, %q", s.Lang, s.Text, kept, dropped)
		}
		if kept == "" {
			gone++
		}
	}
	if n < 60 || lost*5 > n || gone*12 > n {
		t.Errorf("of %d recaps %d lost something, %d all", n, lost, gone)
	}
	t.Logf("of %d recaps %d lost something, %d all", n, lost, gone)
}
