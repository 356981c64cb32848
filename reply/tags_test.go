package reply

import "testing"

// Tags that mark words up go; one that is spoken of is a word.
func TestE55_Tags(t *testing.T) {
	for in, want := range map[string]string{
		"replace <div> with <section> in index.html":      "replace <div> with <section> in index.html",
		"why is `<div>` not closed by `</div>`":           "why is <div> not closed by </div>",
		"Use Vec<i> and Option<a>":                        "Use Vec<i> and Option<a>",
		"use <b> not <strong>":                            "use <b> not <strong>",
		"The <div> is a <section> now, and <br> is gone.": "The <div> is a <section> now, and <br> is gone.",
		"one<br>two": "one two",
		"**Bold** <b>x</b> <p class=\"a\">para</p>":             "Bold x para",
		"<recap>text</recap>":                                   "text",
		"a </b> alone":                                          "a </b> alone",
		"<B>loud</b> and <i>soft <b>both</b></i> and <i> alone": "loud and soft both and <i> alone",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
