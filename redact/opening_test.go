package redact

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// written makes up a text that the expression matches.
func written(r *rand.Rand, b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && c < 0x80 && r.IntN(2) == 0 {
				b.WriteString(strings.ToUpper(string(c)))
				continue
			}
			b.WriteRune(c)
		}
	case syntax.OpCharClass:
		i := 2 * r.IntN(len(re.Rune)/2)
		lo, hi := re.Rune[i], re.Rune[i+1]
		b.WriteRune(lo + rune(r.IntN(min(int(hi-lo), 90)+1)))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteString([]string{"x", "é", "-"}[r.IntN(3)])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := 0, 3
		switch re.Op {
		case syntax.OpPlus:
			least = 1
		case syntax.OpQuest:
			most = 1
		case syntax.OpRepeat:
			least, most = re.Min, re.Max
			if most < 0 {
				most = least + 4
			}
		}
		for range least + r.IntN(most-least+1) {
			written(r, b, re.Sub[0])
		}
	case syntax.OpAlternate:
		written(r, b, re.Sub[r.IntN(len(re.Sub))])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			written(r, b, sub)
		}
	}
}

// folded is s with small ASCII letters.
func folded(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] = lowered(b[i])
	}
	return string(b)
}

// What a pattern matches its table never rules out.
func TestOpeningsRuleOutNoMatch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	seen, ruledOut := 0, 0
	for _, rule := range Rules() {
		re, err := syntax.Parse(rule.Pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		o := newOpening(&rule)
		pattern := regexp.MustCompile(rule.Pattern)
		for i := range 60 {
			var b strings.Builder
			written(r, &b, re)
			if i%2 == 1 { // nearly one
				s := b.String()
				at := r.IntN(len(s))
				b.Reset()
				b.WriteString(s[:at] + []string{" ", "x", "", "7", "é"}[r.IntN(5)] + s[min(len(s), at+r.IntN(2)):])
			}
			b.WriteString([]string{"", " end", "\n", "é"}[r.IntN(4)])
			s := b.String()
			matches := pattern.MatchString(s)
			for nth, word := range rule.Keywords {
				at := strings.Index(folded(s), word)
				if at < 0 || at > 0 && rule.back == backNone {
					continue
				}
				may := o.mayMatch(nth, s[at+len(word):])
				if matches && !may {
					t.Fatalf("%s: %q matches %q, and was ruled out after %q", rule.ID, rule.Pattern, s, word)
				}
				seen++
				if !may {
					ruledOut++
				}
			}
		}
	}
	if seen < 5000 || ruledOut < 100 {
		t.Errorf("%d seen, %d ruled out", seen, ruledOut)
	}
}

func BenchmarkOpening(b *testing.B) {
	rules := Rules()
	b.ReportAllocs()
	for b.Loop() {
		for i := range rules {
			_ = newOpening(&rules[i]).mayMatch(0, `s": 12, "more": 4`)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(rules)), "us/rule")
}
