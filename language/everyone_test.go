package language_test

import (
	"slices"
	"testing"

	"github.com/sessionrecap/recap/language"
)

// A model that answers in English where the session is in another language, and
// the other way round: every text against every English one.
func TestH11_EnglishAndEveryOther(t *testing.T) {
	t.Parallel()
	texts := corpus(t, developerTexts)
	if len(texts) < 200 {
		t.Errorf("%d texts, want 200 at least", len(texts))
	}
	var english, others []labelled
	langs := map[string]int{}
	for _, x := range texts {
		langs[x.lang]++
		if x.lang == "en" {
			english = append(english, x)
		} else {
			others = append(others, x)
		}
		if n := language.Words(x.text); n < 5 || n > 40 {
			t.Errorf("%s: %d words: %s", x.lang, n, x.text)
		}
	}
	if len(langs) < 20 {
		t.Errorf("%d languages, want 20 at least", len(langs))
	}
	for _, l := range []string{"ru", "uk", "zh", "ja", "ko", "ar", "he", "hi", "th", "el", "de", "fr", "es", "pt", "tr", "vi", "pl"} {
		if langs[l] < 5 {
			t.Errorf("%d texts in %s", langs[l], l)
		}
	}
	shown := 0
	for _, e := range english {
		for _, o := range others {
			for _, p := range [][2]labelled{{e, o}, {o, e}} {
				if ok, _ := language.Agree(p[1].text, []string{p[0].text}, ""); ok {
					if shown++; shown < 10 {
						t.Errorf("%s shown in a session in %s: %s | session: %s", p[1].lang, p[0].lang, p[1].text, p[0].text)
					}
				}
			}
		}
	}
	if shown > 0 {
		t.Errorf("%d of %d shown", shown, 2*len(english)*len(others))
	}
	if !slices.ContainsFunc(english, func(x labelled) bool {
		ok, _ := language.Agree(x.text, []string{english[0].text}, "")
		return ok
	}) {
		t.Error("nothing is ever shown: the test shows nothing")
	}
}
