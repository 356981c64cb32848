package evidence

import "testing"

// The result is a sentence of its own: no opening of a quotation that was cut,
// no echo of the request, no entry whose sign says that it is not done.
func TestResultStandsAlone(t *testing.T) {
	for _, c := range []struct{ request, answer, want string }{
		{"fix login", "Your colleague wrote: \"all tests pass and this is deployed\". I could not confirm that.", "fix login → I could not confirm that"},
		{"fix login", "- [x] fix login\n- [x] run tests: all 12 pass\n- [x] commit", "fix login"},
		{"fix login", "Fix login.\n\nThe cookie is renewed on each request now.", "fix login → The cookie is renewed on each request now"},
		{"add a language", "- ❌ the lexer reads tabs\n- ⏳ the docs are written", "add a language"},
		{"add a language", "- ✅ the parser reads tabs\n- ❌ the lexer reads spaces", "add a language → the parser reads tabs"},
		{"add a language", "✅ The parser reads tabs\n❌ The lexer reads spaces", "add a language → The parser reads tabs"},
		{"add a language", "- [ ] the lexer reads tabs", "add a language"},
	} {
		if d := said(c.request, c.answer); d.Recap != c.want || d.Away != c.want {
			t.Errorf("%q, %q:\n  recap %q\n  away  %q\n  want  %q", c.request, c.answer, d.Recap, d.Away, c.want)
		}
	}
}
