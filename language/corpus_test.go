package language_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/language"
)

//go:embed testdata/developer.txt
var developerTexts string

//go:embed testdata/hard.txt
var hardTexts string

type labelled struct{ lang, text string }

func corpus(t testing.TB, raw string) []labelled {
	t.Helper()
	var out []labelled
	for line := range strings.Lines(raw) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		lang, text, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		out = append(out, labelled{lang, text})
	}
	return out
}

func TestDetectDeveloperTexts(t *testing.T) { detectAll(t, developerTexts, 98) }

func TestDetectHardTexts(t *testing.T) { detectAll(t, hardTexts, 95) }

func detectAll(t *testing.T, raw string, percent int) {
	t.Helper()
	texts := corpus(t, raw)
	right, reliable := 0, 0
	for _, x := range texts {
		d := language.Detect(x.text)
		if d.Lang == x.lang {
			right++
			if d.Reliable {
				reliable++
			}
			continue
		}
		t.Logf("%s taken for %q (%.2f): %s", x.lang, d.Lang, d.Confidence, x.text)
	}
	t.Logf("%d of %d right, %d of them called reliable", right, len(texts), reliable)
	if right*100 < len(texts)*percent {
		t.Errorf("%d of %d right", right, len(texts))
	}
}

func TestH11_TheOtherLanguageIsNotShown(t *testing.T) { agreeAll(t, developerTexts, 13) }

func TestH11_HardTexts(t *testing.T) { agreeAll(t, hardTexts, 3) }

// agreeAll lets each text be the field for each other as the session: all of
// the same language, one in so many of the others.
func agreeAll(t *testing.T, raw string, step int) {
	t.Helper()
	texts := corpus(t, raw)
	shown, other, dropped, own := 0, 0, 0, 0
	for i, sample := range texts {
		for j, field := range texts {
			if sample == field || sample.lang != field.lang && (i+j)%step != 0 {
				continue
			}
			ok, reason := language.Agree(field.text, []string{sample.text}, "")
			switch {
			case sample.lang == field.lang:
				own++
				if !ok {
					dropped++
					if dropped < 20 {
						t.Logf("dropped (%s): %s | session: %s", reason, field.text, sample.text)
					}
				}
			case sample.lang == "ja" && field.lang == "zh": // Chinese inside Japanese passes
			default:
				other++
				if ok {
					shown++
					if shown < 20 {
						t.Logf("shown: %s | session: %s", field.text, sample.text)
					}
				}
			}
		}
	}
	t.Logf("shown wrong %d of %d, dropped right %d of %d", shown, other, dropped, own)
	if shown > 0 {
		t.Errorf("%d of %d fields in another language were shown", shown, other)
	}
	if dropped*100 > own*5 {
		t.Errorf("%d of %d fields in the right language were dropped", dropped, own)
	}
}
