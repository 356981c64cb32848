package redact

import (
	"slices"
	"sort"
	"strings"
)

// barrier stands in a view for what is masked. No pattern matches it.
const barrier = 0

// view is the document as the rules see it: masked stretches are one barrier
// byte each. In the joined view the line breaks are gone as well, so that a
// secret broken over lines is whole again.
type view struct {
	text  string
	runs  []run // where the bytes come from, sorted
	joins []int // offsets of the bytes that follow a removed break, sorted
	doc   string
	whole bool  // marks inside a match belong to it
	edits []int // of a bare view: where it differs from the view it was made of, sorted
	words []keywordAt
	seek  int // while it is made: the place in the runs of the view it is made of
}

// stretch says that the bytes of a view from at on are those of the view it was
// made of from from to to.
type stretch struct{ at, from, to int }

// run says that the bytes of the view from at on are those of the document
// from src on, up to the next run. A wide run is one byte, which stands for
// wide bytes of the document.
type run struct{ at, src, wide int }

// rawView is the document with the masked stretches as barriers.
func (d *document) rawView() view {
	if len(d.spans) == 0 {
		return view{text: d.text, runs: []run{{}}, doc: d.text, words: table().keywords.find(d.text)}
	}
	var b strings.Builder
	b.Grow(len(d.text))
	v := view{doc: d.text}
	at := 0
	for _, s := range d.spans {
		v.runs = append(v.runs, run{at: b.Len(), src: at})
		b.WriteString(d.text[at:s.start])
		v.runs = append(v.runs, run{at: b.Len(), src: s.start})
		b.WriteByte(barrier)
		at = s.end
	}
	v.runs = append(v.runs, run{at: b.Len(), src: at})
	b.WriteString(d.text[at:])
	v.text = b.String()
	v.words = table().keywords.find(v.text)
	return v
}

// source is the place in the document of a byte of the view.
func (v *view) source(at int) int {
	if len(v.runs) == 1 {
		return v.runs[0].src + at - v.runs[0].at
	}
	i := sort.Search(len(v.runs), func(i int) bool { return v.runs[i].at > at }) - 1
	return v.runs[i].src + at - v.runs[i].at
}

// isJoin reports whether a break was taken out right before the byte at.
func (v *view) isJoin(at int) bool {
	i := sort.SearchInts(v.joins, at)
	return i < len(v.joins) && v.joins[i] == at
}

// isEdit reports whether a mark was taken out right before the byte at, or the
// byte was written in another way.
func (v *view) isEdit(at int) bool {
	_, ok := slices.BinarySearch(v.edits, at)
	return ok
}

// pieces are the stretches of the document that the view's bytes [start, end)
// come from.
func (v *view) pieces(start, end, rule int) []span {
	var out []span
	for start < end {
		i := sort.Search(len(v.runs), func(i int) bool { return v.runs[i].at > start })
		stop := end
		if i < len(v.runs) {
			stop = min(stop, v.runs[i].at)
		}
		src := v.source(start)
		s := span{start: src, end: src + stop - start, rule: rule}
		if wide := v.runs[i-1].wide; wide > 0 {
			s = span{start: v.runs[i-1].src, end: v.runs[i-1].src + wide, rule: rule}
		}
		start = stop
		if n := len(out); n > 0 && v.whole && s.start >= out[n-1].start && !strings.ContainsAny(v.doc[min(out[n-1].end, s.start):s.start], "\r\n") {
			out[n-1].end = max(out[n-1].end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

// joined is the view without its line breaks: real ones and those written as
// \n in JSON, with the indentation, the frame of a terminal box, the backslash
// of a continued command, the quotes and plus of a broken string literal and the
// signs of changed lines.
// It returns false when there is nothing to join.
func (v *view) joined() (view, bool) {
	out := view{doc: v.doc, whole: v.whole}
	s := v.text
	buf := make([]byte, 0, len(s))
	var stretches []stretch
	copied := 0 // s[:copied] is in buf or was left out
	mark := changeMark(s, 0)
	flush := func(to int) {
		if to > copied {
			stretches = append(stretches, stretch{len(buf), copied, to})
			out.addRuns(v, len(buf), copied, to)
			buf = append(buf, s[copied:to]...)
		}
	}
	if n := strings.Count(s, "\n"); n > 0 {
		out.runs, out.joins, stretches = make([]run, 0, n+2+len(v.runs)), make([]int, 0, n), make([]stretch, 0, n+2)
	}
	for i := 0; ; {
		for i < len(s) && !breaking[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		n := breakAt(s, i)
		if n == 0 {
			i++
			continue
		}
		lead := copied + len(trimEnd(s[copied:i]))
		if softBreak(s[copied:i]) {
			lead--
		}
		after := i + n + skipStart(s[i+n:])
		next, was := changeMark(s, after), mark
		if mark = next; mark != 0 && mark == was && !strings.HasPrefix(s[after:], "- ") {
			after++
			after += skipStart(s[after:])
		}
		lead, after = dropQuotes(s, copied, lead, after)
		flush(lead)
		copied, i = after, after
		out.joins = append(out.joins, len(buf))
	}
	if len(out.joins) == 0 {
		return view{}, false
	}
	flush(len(s))
	out.text = string(buf)
	if len(out.runs) == 0 {
		out.runs = []run{{}}
	}
	out.words = table().keywords.findIn(out.text, v.words, stretches)
	return out, true
}

// breaking are the bytes that a break of a line may begin with.
var breaking = [256]bool{'\n': true, '\r': true, '\\': true}

// changeMark is the sign of a changed line at s[i:], 0 if there is none.
func changeMark(s string, i int) byte {
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		return s[i]
	}
	return 0
}

// softBreak reports whether a line ends with the sign of quoted-printable mail
// that it goes on. Such lines are full.
func softBreak(line string) bool {
	return len(line) >= 66 && len(line) <= 77 && line[len(line)-1] == '=' && line[len(line)-2] != '='
}

// addRuns notes that the bytes [from, to) of v are appended at the offset at.
func (v *view) addRuns(src *view, at, from, to int) {
	if len(src.runs) == 1 && from < to { // the document itself
		first := src.runs[0]
		v.runs = append(v.runs, run{at: at, src: first.src + from - first.at, wide: first.wide})
		return
	}
	for from < to {
		i := v.seek // it only goes on
		for i < len(src.runs) && src.runs[i].at <= from {
			i++
		}
		v.seek = i
		stop := to
		if i < len(src.runs) {
			stop = min(stop, src.runs[i].at)
		}
		r := src.runs[i-1]
		v.runs = append(v.runs, run{at: at, src: r.src + from - r.at, wide: r.wide})
		at += stop - from
		from = stop
	}
}

// breakAt is the length of the line break at s[i:], 0 if there is none.
func breakAt(s string, i int) int {
	switch s[i] {
	case '\n', '\r':
		return 1
	case '\\':
		j := i + backslashes(s, i)
		if j < len(s) && (s[j] == 'n' || s[j] == 'r' || s[j] == '\n' || s[j] == '\r') {
			return j - i + 1
		}
	}
	return 0
}

// trimEnd drops blanks and the right side of a terminal box from the end.
func trimEnd(s string) string {
	for {
		t := strings.TrimRight(s, " \t")
		t = strings.TrimSuffix(t, "│")
		t = strings.TrimSuffix(t, "|")
		if len(t) == len(s) {
			return s
		}
		s = t
	}
}

// skipStart is how much of s is more breaks, indentation, quote marks of mail
// and the left side of a terminal box.
func skipStart(s string) int {
	i := 0
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '>' || s[i] == '|':
			i++
		case strings.HasPrefix(s[i:], "│"):
			i += len("│")
		default:
			n := breakAt(s, i)
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// dropQuotes takes the two quotes and the plus away where a string literal is
// continued on the next line.
func dropQuotes(s string, from, lead, after int) (newLead, newAfter int) {
	l, a := lead, after
	plus := func(c byte) bool { return c == '+' || c == '.' || c == '&' }
	quote := func(c byte) bool { return c == '"' || c == '\'' || c == '`' }
	if l > from && plus(s[l-1]) {
		l--
		for l > from && s[l-1] == ' ' {
			l--
		}
	} else if a < len(s) && plus(s[a]) {
		a++
		for a < len(s) && s[a] == ' ' {
			a++
		}
	}
	if l > from && a < len(s) && quote(s[l-1]) && quote(s[a]) {
		return l - 1, a + 1
	}
	return lead, after
}
