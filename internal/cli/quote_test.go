package cli

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The shell gives back exactly the words that were quoted, and nothing in the
// line hides.
func TestQuoteIsExact(t *testing.T) {
	t.Parallel()
	words := []string{
		"plain", "", "two words", "it's", `back\slash`, "$HOME `id` $(id) \"x\"", "50%d", "-v", "~", "*", "家計簿 é 👍",
		"a\u200fb", "a\u200bb\u00ad\u2060", "e\x1b[31mx", "tab\there", "two\nlines", "\nfirst", "a\x7fb\u009b", "raw\xffbytes\x80", "-\u202e", "\u202e-n",
		"'\u200f'", `\n` + "\u200f" + `\012`, "%s\u200f%%", "\u200f1234", "👩‍👩‍👧", "\U000e0041tag", "\ufeffbom", "\ufffd\u200f", "a\u2028b",
	}
	line, ok := quote(words)
	if !ok || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("%v %q", ok, line)
	}
	for _, shell := range []string{"sh", "dash", "bash", "zsh", "busybox"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		args := []string{"-c", `printf '%s\000' ` + line}
		if shell == "busybox" {
			args = append([]string{"sh"}, args...)
		}
		out, err := exec.CommandContext(t.Context(), path, args...).Output()
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err != nil || strings.Join(got, "\x00") != strings.Join(words, "\x00") {
			t.Errorf("%s: %v\n%q\nwant\n%q", shell, err, got, words)
		}
	}
	for _, w := range []string{"end\n", "a\x00b", "\u200f\n"} {
		if line, ok := quote([]string{w}); ok {
			t.Errorf("%q became %s", w, line)
		}
	}
}
