package redact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naive is what find must give: each keyword looked for at each place.
func naive(f *finder, s string) []keywordAt {
	ids := map[string]int{}
	for i, w := range f.words {
		if len(w) > 1 {
			ids[w] = i
		}
	}
	low := []byte(s)
	for i := range low {
		low[i] = lowered(low[i])
	}
	var out []keywordAt
	for end := range len(low) + 1 {
		for start := range end {
			if w, ok := ids[string(low[start:end])]; ok {
				out = append(out, keywordAt{w, start})
			}
		}
	}
	return out
}

func longer(f *finder, found []keywordAt) []keywordAt {
	return slices.DeleteFunc(slices.Clone(found), func(k keywordAt) bool { return f.length[k.word] == 1 })
}

// mixture is a text of pieces of keywords, whole ones, and others.
func mixture(r *rand.Rand, f *finder) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		w := f.words[r.IntN(len(f.words))]
		switch r.IntN(4) {
		case 0:
			w = w[:r.IntN(len(w)+1)]
		case 1:
			w = strings.ToUpper(w[r.IntN(len(w)+1):])
		case 2:
			w = []string{"", "é", "a", "-", " login ", "\x00", "sk", "密", "\xd0"}[r.IntN(9)]
		}
		b.WriteString(w)
	}
	return b.String()
}

func TestKeywordsAreThoseOfASlowSearch(t *testing.T) {
	f := table().keywords
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		s := mixture(r, f)
		if got, want := longer(f, f.find(s)), naive(f, s); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", s, got, want)
		}
	}
}

// A text put together from stretches of another has the keywords it would have
// alone.
func TestKeywordsOfStretches(t *testing.T) {
	f := table().keywords
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		s := mixture(r, f)
		var out strings.Builder
		var stretches []stretch
		for at := 0; at < len(s); {
			to := at + 1 + r.IntN(len(s)-at)
			stretches = append(stretches, stretch{out.Len(), at, to})
			out.WriteString(s[at:to])
			at = to + r.IntN(3)
			if r.IntN(3) == 0 {
				out.WriteString([]string{"_", "a", "ek", " "}[r.IntN(4)])
			}
		}
		if got, want := f.findIn(out.String(), f.find(s), stretches), f.find(out.String()); !slices.Equal(got, want) {
			t.Fatalf("%q of %q, %v: %v, want %v", out.String(), s, stretches, got, want)
		}
	}
}

// Every process that redacts pays for the tables once.
func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = newTable()
	}
}
