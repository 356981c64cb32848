package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// mostListed is the greatest number of things that are counted, and longItem
// how many words an item of a list has at most.
const (
	mostListed = 12
	longItem   = 4
)

// listed gives the numbers of things that the newest answer lists: items of a
// list, names in a row, alternatives. A text may count them in words.
func (c *checker) listed() map[int]bool {
	if c.lists != nil {
		return c.lists
	}
	c.lists = map[int]bool{}
	t := c.in.newest()
	if t == nil {
		return c.lists
	}
	note := func(n int) {
		if n >= 2 && n <= mostListed {
			c.lists[n] = true
		}
	}
	items, block, para := 0, -1, -1
	answer := bothEnds(t.Answer, maxRead)
	var toks []token
	for _, seg := range c.sp.segments(answer) {
		if !seg.list || seg.block != block {
			note(items)
			items = 0
		}
		if seg.list && (seg.para != para || items == 0) {
			items++
			block, para = seg.block, seg.para
		}
		toks = tokenize(seg.text, toks[:0])
		countRow(seg.text, toks, note)
	}
	note(items)
	for _, marks := range [...]string{"ABCDEFG", "abcdefg", "1234567"} {
		n := 0
		for n < len(marks) && (strings.Contains(answer, "("+marks[n:n+1]+")") || strings.Contains(answer, " "+marks[n:n+1]+") ")) {
			n++
		}
		note(n)
	}
	return c.lists
}

// countRow calls note for the things that a sentence names in a row.
func countRow(s string, toks []token, note func(int)) {
	items, words := 0, 0 // whole ones so far, and words of the next
	clause := false      // the first one may be the end of a clause
	row := func(n int) {
		if n > 2 {
			note(n)
			if clause && n > 3 {
				note(n - 1)
			}
		}
	}
	for i := range toks {
		t := &toks[i]
		switch {
		case t.sign == ',' && strings.ContainsRune(",，、", runeAt(s, t.start)):
			switch {
			case items > 0 && words > 0 && words <= longItem:
				items++
			case words > 0:
				items, clause = 1, words > longItem
			}
			words = 0
		case t.sign != 0:
			if items > 1 && words > 0 && words <= longItem && strings.Contains(s, "、") {
				row(items + 1)
			}
			items, words = 0, 0
		case eitherWord(t.text, t.run):
			note(2)
			words++
		case !t.run && joinsItems(t.text):
			if items > 0 && words <= longItem {
				n := items + 1
				if words > 0 {
					n++
				}
				row(n)
			}
			items, words = 0, 0
		default:
			words++
			if n := strings.Count(t.text, "・"); t.run && n > 0 {
				note(n + 1)
			}
			if t.run && items > 0 && strings.ContainsAny(t.text, "和与及") {
				row(items + 2)
			}
		}
	}
}

func runeAt(s string, at int) rune {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return r
}

// joinsItems: the word stands before the last item of a row.
func joinsItems(w string) bool {
	return slices.Contains([]string{"and", "und", "sowie", "et", "y", "e", "и", "та", "en", "i", "ve"}, w) || orWord(w)
}

// eitherWord: what it stands in has two alternatives.
func eitherWord(w string, run bool) bool {
	if run {
		return slices.ContainsFunc([]string{"或者", "还是", "两者", "二选一", "どちら", "いずれか", "または", "両方", "둘 다", "또는", "어느 쪽"}, func(p string) bool { return strings.Contains(w, p) })
	}
	return slices.Contains([]string{"both", "either", "or", "beide", "beides", "entweder", "oder", "ou", "ambos", "ambas", "entrambi", "entrambe", "oppure", "либо", "оба", "обе", "или"}, w)
}

// countsThings: the word is the number of what the session lists, and no
// measure follows.
func (h *haystack) countsThings(w, behind string) bool {
	v := h.cardinal(lower(w))
	if v == 0 || !h.listed()[v] {
		return false
	}
	behind = strings.TrimLeft(behind, " \u00a0")
	end := strings.IndexFunc(behind, func(r rune) bool { return !isWordRune(r) })
	if end < 0 {
		end = len(behind)
	}
	return measureOf(lower(behind[:end])) == 0
}
