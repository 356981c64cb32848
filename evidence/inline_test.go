package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// The marks of an agent's Markdown go; signs that belong to a name, a pattern,
// a formula or a tag that is spoken of stay.
func TestE55_InlineMarks(t *testing.T) {
	for _, c := range []struct{ in, answer, request string }{
		{"Because __init__.py only marks; src/__tests__/a.ts and __pycache__ are ignored.", "", ""},
		{"I changed count = a*b*c to a*b+c.", "", ""},
		{"lint src/**/*.ts and **/*.go", "", ""},
		{"Use int *p and int **q.", "", ""},
		{"set FOO_BAR to *args and **kwargs in __init__", "", ""},
		{"Vec<i> became Vec<u>, Option<a> stays.", "", ""},
		{"if x <a then y> b", "", ""},
		{"The <div> is now a <section>, and <br> is gone from index.html.", "", ""},
		{"_private_var, self.__x and rate_limit_per_user", "", ""},
		{"5 * 3 * 2 of *.go and *.ts", "", ""},
		{"call f[i](x)", "", ""},
		{"~/src and ~user", "", ""},
		{"rename `__init__.py` to `__main__.py`", "rename __init__.py to __main__.py", "rename __init__.py to __main__.py"},
		{"why is `<div>` not closed in App.tsx", "why is <div> not closed in App.tsx", "why is <div> not closed in App.tsx"},
		{"email <a@b.c> and <https://x.y/z>", "email <a@b.c> and https://x.y/z", "email <a@b.c> and https://x.y/z"},
		{"Escaped &amp; and &lt;div&gt;.", "Escaped & and <div>.", "Escaped &amp; and &lt;div&gt;."},
		{"**Bold**, *it*, _it_, __two words__ and ~~gone~~.", "Bold, it, it, two words and gone.", "Bold, *it*, _it_, __two words__ and ~~gone~~."},
		{"这是**重点**内容，*斜体*。", "这是重点内容，斜体。", "这是重点内容，*斜体*。"},
		{"**a *b* c** and ***both***", "a b c and both", "a *b* c and both"},
		{"**`code`**: see [x](http://a)", "code: see x", "code: see x"},
		{"one<br>two", "one two", "one<br>two"},
		{`a \*b\* c`, "a *b* c", `a \*b\* c`},
	} {
		answer, request := c.answer, c.request
		if answer == "" {
			answer, request = c.in, c.in
		}
		if got := inline(c.in); got != answer {
			t.Errorf("an answer's %q became %q, want %q", c.in, got, answer)
		}
		if got := inlineTyped(c.in); got != request {
			t.Errorf("a request's %q became %q, want %q", c.in, got, request)
		}
	}
	if got := oneLine(inline("a <b>bold</b> and <em>other</em> word")); got != "a bold and other word" {
		t.Errorf("tags around words became %q", got)
	}
}

// A request is shown in the person's own words, with the names it holds.
func TestRequestsKeepTheirSigns(t *testing.T) {
	for _, s := range []string{
		"rename __init__.py to __main__.py",
		"set FOO_BAR to *args and **kwargs in __init__",
		"replace <div> with <section> in index.html",
		"use <b> not <strong> in the mail",
		"the <p> inside <li> has a wrong margin",
		"std::vector<p> leaks in pool.cpp",
		"# of users is wrong in the report",
		"count = a*b*c is wrong",
	} {
		in := Input{Turns: []recap.Turn{{UserID: "u", Text: s, Authored: s}}}
		in.Turns[0].Typed = s
		if d := Free(in); !strings.HasPrefix(d.Recap, s) {
			t.Errorf("%q is shown as %q", s, d.Recap)
		}
	}
}

// The code and links that stand in a request are a part of it.
func TestRequestsKeepTheirCode(t *testing.T) {
	for _, c := range []struct{ typed, authored, want string }{
		{"what does `foo()` return?", "what does return?", "what does foo() return?"},
		{"rename `a_b` to `__c__`", "rename to", "rename a_b to __c__"},
		{"run `rm -rf build` then `make`", "run then", "run rm -rf build then make"},
		{"`date` prints the wrong zone", "prints the wrong zone", "date prints the wrong zone"},
		{"see https://example.com/issues/3 and fix it", "see and fix it", "see https://example.com/issues/3 and fix it"},
	} {
		in := Input{Turns: []recap.Turn{{UserID: "u", Text: c.typed, Authored: c.authored, Typed: c.typed}}}
		if d := Free(in); d.Recap != c.want {
			t.Errorf("%q is shown as %q", c.typed, d.Recap)
		}
	}
}

// Marks that nothing ends cost no more than their length.
func TestInlineIsLinear(t *testing.T) {
	for _, s := range []string{"*a ", "**a", "_a ", "<b>", "[a](", "`", "``a", "~~a", "<a "} {
		long := strings.Repeat(s, 200_000/len(s))
		if got := inline(long); len(got) > len(long)+1 {
			t.Errorf("%q grew", s)
		}
	}
}
