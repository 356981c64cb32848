package recap

import (
	"testing"
	"unicode/utf8"
)

func TestE55_LineIsSafeForATerminal(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "fix the login page", "fix the login page"},
		{"empty", "", ""},
		{"spaces folded", "  a \t b\n\nc ", "a b c"},
		{"colour", "a \x1b[31mred\x1b[0m b", "a red b"},
		{"title change", "x\x1b]0;owned\x07y", "xy"},
		{"cut escape", "x\x1b[3", "x"},
		{"c1", "a\u009b31mb", "ab"},
		{"bell and backspace", "a\x07\x08b", "a b"},
		{"bidi override", "abc\u202edef\u2066g", "abcdefg"},
		{"tag characters", "a\U000E0041b", "ab"},
		{"line separator", "a\u2028b", "a b"},
		{"emoji family stays", "👨‍👩‍👧 ok", "👨‍👩‍👧 ok"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
		{"nul", "a\x00b", "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Line(c.in); got != c.want {
				t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// A sequence that begins with one sign instead of ESC and another.
func TestE55_SequencesOfOneSign(t *testing.T) {
	for in, want := range map[string]string{
		"a \u009d0;title\u009cb":            "a b",
		"a \u009d8;;http://x\ab":            "a b",
		"\u009b31mred\u009b0m and \u009b2J": "red and ",
		"a \u009d that never ends":          "a   that never ends",
		"a \u009dx\ny\u009c":                "a  x\ny ",
	} {
		if got := Safe(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add("a\x1b[31mb\u202ec")
	f.Add("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\")
	f.Fuzz(func(t *testing.T, s string) {
		got := Line(s)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid UTF-8 from %q", s)
		}
		for _, r := range got {
			if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e {
				t.Fatalf("Line(%q) holds %U", s, r)
			}
		}
		if again := Line(got); again != got {
			t.Fatalf("not stable: %q then %q", got, again)
		}
	})
}

func TestParseModelRefSplitsAtTheFirstSlash(t *testing.T) {
	got := ParseModelRef("openrouter/anthropic/claude-haiku")
	if got.Provider != "openrouter" || got.ID != "anthropic/claude-haiku" {
		t.Errorf("got %+v", got)
	}
	if got.String() != "openrouter/anthropic/claude-haiku" {
		t.Errorf("String() = %q", got.String())
	}
	if got := ParseModelRef("m"); got != (ModelRef{ID: "m"}) || got.String() != "m" {
		t.Errorf("got %+v", got)
	}
}
