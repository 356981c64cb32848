package prompt_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sessionrecap/recap/prompt"
)

const family = "👨‍👩‍👧‍👦"

func TestExcerpt(t *testing.T) {
	t.Parallel()
	m := prompt.OmissionMarker
	for _, tt := range []struct {
		name, in string
		n        int
		want     string
	}{
		{"empty", "", 5, ""},
		{"zero", "abc", 0, ""},
		{"negative", "abc", -3, ""},
		{"fits", "abc", 3, "abc"},
		{"no room for the marker: head", "abcdefghijkl", 3, "abc"},
		{"room for the marker alone: head", "abcdefghijkl", 7, "abcdefg"},
		{"room for one end: head", "abcdefghijkl", 8, "abcdefgh"},
		{"both ends", "abcdefghijkl", 9, "a" + m + "l"},
		{"head longer by one", "abcdefghijkl", 10, "ab" + m + "l"},
		{"even", "abcdefghijkl", 11, "ab" + m + "kl"},
		{"counted after NFC", "e\u0301e\u0301", 2, "éé"},
		{"NFC may be longer", "\u0958", 1, ""},
		{"characters, not bytes", "ёжик", 4, "ёжик"},
		{"family too long", family + "x", 3, ""},
		{"family whole or not", "ab" + family, 4, "ab"},
		{"flags", "🇩🇪🇫🇷", 3, "🇩🇪"},
		{"CR LF stays together", "a\r\nb", 2, "a"},
		{"invalid UTF-8", "a\xffb", 3, "a\uFFFDb"},
		{"family at the cut", strings.Repeat("a", 20) + family + strings.Repeat("b", 30), 49, strings.Repeat("a", 20) + m + strings.Repeat("b", 20)},
		{"head shortened to match", strings.Repeat("a", 30) + strings.Repeat("b\u0489\u0489", 30), 17, "aaaa" + m + "b\u0489\u0489"},
		{"E37 Korean", "시작" + strings.Repeat("가", 100) + "끝났습니다", 21, "시작가가가가가" + m + "가가끝났습니다"},
		{"E37 Russian", "Начало" + strings.Repeat("п", 100) + "Конец", 17, "Начал" + m + "Конец"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := prompt.Excerpt(tt.in, tt.n); got != tt.want {
				t.Errorf("Excerpt(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
			}
		})
	}
}

// A mark of a thousand code points at one end must not cost the other end
// most of its room.
func TestExcerptWithAGiantCluster(t *testing.T) {
	t.Parallel()
	giant := "x" + strings.Repeat("\u0323\u0489", 500)
	if got := prompt.Excerpt(strings.Repeat("a", 100)+giant, 50); got != strings.Repeat("a", 50) {
		t.Errorf("giant at the tail: %q", got)
	}
	if got := prompt.Excerpt(giant+strings.Repeat("a", 100), 50); got != "" {
		t.Errorf("giant at the head: %q", got)
	}
	giant = "x" + strings.Repeat("\u0323\u0489", 10)
	got := prompt.Excerpt(strings.Repeat("a", 100)+giant, 57)
	if got != strings.Repeat("a", 25)+prompt.OmissionMarker+"aaaa"+norm.NFC.String(giant) {
		t.Errorf("middling: %q", got)
	}
}

func TestE36_ExcerptAtAnyLimit(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		strings.Repeat("a", 40),
		strings.Repeat(family, 12),
		strings.Repeat("🇩🇪", 30),
		strings.Repeat("e\u0301\u0323", 30),
		strings.Repeat("क्षि ", 20),
		strings.Repeat("กำ", 30),
		strings.Repeat("aำ", 30),
		strings.Repeat("각", 20) + strings.Repeat("\u1100\u1161\u11a8", 20),
		"a" + family + "b\r\n" + family + "c" + family,
	} {
		for n := range 90 {
			check(t, s, n)
		}
	}
}

// Equal ends are given up where they would lose most of the text.
func TestExcerptWithUnequalClusters(t *testing.T) {
	t.Parallel()
	ten, seven := "x"+strings.Repeat("\u0489", 9), "y"+strings.Repeat("\u0489", 6)
	s := "a" + strings.Repeat(ten, 20) + strings.Repeat(seven, 20) + "b"
	if got, want := prompt.Excerpt(s, 47), "a"+ten+prompt.OmissionMarker+seven+seven+"b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// check proves what Excerpt promises for one input.
func check(t interface{ Errorf(string, ...any) }, s string, n int) {
	whole := prompt.Normalize(s)
	got := prompt.Excerpt(s, n)
	if c := utf8.RuneCountInString(norm.NFC.String(got)); c > max(n, 0) {
		t.Errorf("Excerpt(%q, %d) has %d characters", s, n, c)
	}
	if got != prompt.Normalize(got) {
		t.Errorf("Excerpt(%q, %d) is not normalised", s, n)
	}
	if utf8.RuneCountInString(whole) <= max(n, 0) {
		if got != whole {
			t.Errorf("Excerpt(%q, %d) = %q changed a text that fits", s, n, got)
		}
		return
	}
	ok := map[int]bool{0: true}
	at, clusters := 0, uniseg.NewGraphemes(whole)
	for clusters.Next() {
		at += len(clusters.Str())
		ok[at] = true
	}
	if ok[len(got)] && strings.HasPrefix(whole, got) {
		return // the head alone
	}
	for i := range len(got) {
		rest, found := strings.CutPrefix(got[i:], prompt.OmissionMarker)
		if found && ok[i] && ok[len(whole)-len(rest)] && i > 0 && rest != "" &&
			strings.HasPrefix(whole, got[:i]) && strings.HasSuffix(whole, rest) {
			if isASCII(s) && !strings.Contains(s, "\r") {
				if d := i - len(rest); d < 0 || d > 1 {
					t.Errorf("Excerpt(%q, %d): head longer by %d", s, n, d)
				}
			}
			return
		}
	}
	t.Errorf("Excerpt(%q, %d) = %q is not two whole ends around the marker", s, n, got)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func TestExcerptProperties(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"a", "word ", "\n", "\r\n", "\r", "é", "e\u0301", "\u0301", "\u200d", family, "🇩", "🇪", "👍🏽", "한", "\u1100", "\u1161", "\u11a8",
		"क", "\u094d", "षि", "ย", "ำ", "漢", "か\u3099", "が", "ﾞ", "\u0958", "\u0600", "\xff", "Ж", prompt.OmissionMarker,
	})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 8, 60).Draw(t, "pieces"), "")
		check(t, s, rapid.IntRange(-1, 80).Draw(t, "n"))
	})
}

func FuzzExcerpt(f *testing.F) {
	f.Add("hello world, this is long enough", 20)
	f.Add(strings.Repeat(family, 5), 30)
	f.Add("a\xff\u0301\r\n", 2)
	f.Fuzz(func(t *testing.T, s string, n int) { check(t, s, n%500) })
}

func BenchmarkExcerptLong(b *testing.B) {
	s := strings.Repeat("Das ist ein längerer Satz. ", 20_000)
	for b.Loop() {
		prompt.Excerpt(s, 16_000)
	}
}
