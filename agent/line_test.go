package agent_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/agenttest"
	"github.com/sessionrecap/recap/redact"
)

func TestLine(t *testing.T) {
	words := strings.Repeat("word ", 100)
	family := strings.Repeat("👩‍👩‍👧‍👦", 40)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"blank", " \n\t ", ""},
		{"plain", "fix the login", "fix the login"},
		{"lines", "  fix\n\n the\tlogin \r\n", "fix the login"},
		{"escapes", "fix \x1b[31mthe\x1b[0m login\u202e\u200b", "fix the login"},
		{"not UTF-8", "fix\xff the\xc3 login", "fix the login"},
		{"200 characters", strings.Repeat("é", 200), strings.Repeat("é", 200)},
		{"201 characters", strings.Repeat("é", 201), strings.Repeat("é", 199) + "…"},
		{"between words", words, strings.TrimSpace(words[:199-4]) + "…"},
		{"clusters", family, strings.Repeat("👩‍👩‍👧‍👦", 28) + "…"},
		{"decomposed characters count once", strings.Repeat("e\u0301", 200), strings.Repeat("e\u0301", 200)},
		{"much of one word", strings.Repeat("x", 100<<10), strings.Repeat("x", 199) + "…"},
		{"blanks before", strings.Repeat(" \n", 5000) + "fix the login", "fix the login"},
		{"too many blanks before", strings.Repeat(" \n", 50_000) + "fix the login", ""},
		{"a mark is not cut", strings.Repeat("é", 190) + "," + agenttest.Secrets(1)[0].Secret, strings.Repeat("é", 190) + ",…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := agent.Line(c.text); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A key that the look at the beginning of a long text cuts is nowhere near what
// is kept, even where most of what stands before it goes.
func TestLineLooksFarEnough(t *testing.T) {
	jwt := agenttest.Secrets(3)[6].Secret
	all := agenttest.Secrets(4)
	for _, s := range []agenttest.Secret{all[0], all[7], all[8], all[10]} {
		secret := s.Before + s.Secret + s.After
		for name, filler := range map[string]string{
			"words": "see how it goes ", "characters of three bytes": "会議", "secrets": jwt + " ", "broken secrets": jwt[:80] + "\n" + jwt[80:] + "\n", "blanks": " \n ", "what shows nothing": "\u200b", "escapes": "\x1b[31m\x1b[0m",
			"one word": "x",
		} {
			for _, end := range []int{200, 3200, 4096, 32 << 10} {
				for _, after := range []int{8, 20} { // bytes of it before that place
					n := max(0, end-after-len(s.Before))
					text := strings.Repeat(filler, n/len(filler)) + strings.Repeat("-", n%len(filler)) + "\n" + secret + "\n" + strings.Repeat("and more ", 1000)
					got := agent.Line(text)
					if p := s.In(got); len(p) >= 6 {
						t.Errorf("%s after %d of %s: %q in %q", s.Kind, end, name, p, got)
					}
					if utf8.RuneCountInString(got) > 200 {
						t.Errorf("%d characters", utf8.RuneCountInString(got))
					}
				}
			}
		}
	}
}

// Of a text that is not whole nothing is shown that may be the beginning of a
// key.
func TestBeginning(t *testing.T) {
	for _, s := range agenttest.Secrets(5) {
		for n := 6; n <= len(s.Secret); n += 9 {
			for _, text := range []string{s.Before + s.Secret[:n], s.Split()[:len("use this:\n")+len(s.Before)+n]} {
				for _, lead := range []string{"", "see how it goes ", strings.Repeat("see how it goes ", 12), strings.Repeat("see how it goes ", 3000)} {
					got := agent.Line(agent.Beginning(lead + text))
					if p := s.In(got); len(p) >= 6 {
						t.Fatalf("%s: %q in %q", s.Kind, p, got)
					}
					if len(lead) > 40_000 && len(got) < 150 {
						t.Fatalf("%q", got)
					}
				}
			}
		}
	}
	if got := agent.Beginning(strings.Repeat("x", 100<<10)); len(got) < 90<<10 {
		t.Errorf("%d bytes of a long word", len(got))
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range agenttest.Secrets(6) {
		f.Add(s.Split())
		f.Add(s.Across(0))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := agent.Line(text)
		if utf8.RuneCountInString(got) > 4*200 || strings.ContainsAny(got, "\n\r\t\x1b") || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
		if redact.Contains(got) {
			t.Fatalf("a secret in %q", got)
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, text := range map[string]string{
		"short": "Fix the login of the shop", "prompt": strings.Repeat("Please look at the parser test in internal/store/store_test.go:12, it failed.\n", 5),
		"long": strings.Repeat("Please look at the parser test in internal/store/store_test.go:12, it failed.\n", 500),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if agent.Line(text) == "" {
					b.Fatal("empty")
				}
			}
		})
	}
}
