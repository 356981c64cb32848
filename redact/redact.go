package redact

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// MaxBytes is the most that one call takes, all parts together.
const MaxBytes = 16 << 20

// maxRounds bounds how often a text is looked at again after something was
// taken out of it. Ordinary texts need two.
const maxRounds = 8

var (
	// ErrTooLarge says that the input is longer than MaxBytes.
	ErrTooLarge = errors.New("redact: input too large")
	// ErrInternal says that the redaction itself failed.
	ErrInternal = errors.New("redact: internal failure")
)

// Hit is one secret that was replaced, or one piece of a secret that was split.
type Hit struct {
	// Rule is the id of the rule, as in the marker.
	Rule string
	// Start and End are byte offsets into the text that was given, or into
	// the part Part.
	Start, End int
	// Part is the index of the part, 0 for Text.
	Part int
}

// Text replaces the secrets of s. On an error clean is empty, and nothing of s
// may leave.
func Text(s string) (clean string, hits []Hit, err error) {
	out, hits, err := Parts([]string{s})
	if err != nil {
		return "", nil, err
	}
	return out[0], hits, nil
}

// Parts replaces the secrets of texts that follow each other. The answer has
// as many parts as the input. On an error it is nil, and nothing may leave.
func Parts(parts []string) (clean []string, hits []Hit, err error) {
	defer func() {
		if p := recover(); p != nil {
			clean, hits, err = nil, nil, fmt.Errorf("%w: %T", ErrInternal, p)
		}
	}()
	size := 0
	for _, p := range parts {
		size += len(p)
		if size > MaxBytes {
			return nil, nil, fmt.Errorf("%w: over %d bytes", ErrTooLarge, MaxBytes)
		}
	}
	doc := newDocument(parts)
	for round := 0; ; round++ {
		if round == maxRounds {
			return nil, nil, fmt.Errorf("%w: no end of hits", ErrInternal)
		}
		found := doc.scan()
		if len(found) == 0 {
			break
		}
		doc.mask(found)
	}
	clean, hits = doc.render()
	return clean, hits, nil
}

// Contains reports whether s holds a secret. It answers true when it cannot
// tell.
func Contains(s string) bool {
	_, hits, err := Text(s)
	return err != nil || len(hits) > 0
}

// Marker is what stands in the place of a secret that the rule found.
func Marker(rule string) string { return "[redacted:" + rule + "]" }

// span is a masked stretch of the document. rule is its place in the table. A
// span that stands on a marker of the input has old set.
type span struct {
	start, end int
	rule       int
	old        bool
}

// document is the input as one text, parts divided by a line feed, with the
// masked stretches of it, sorted and apart.
type document struct {
	text  string
	seams []int // offsets of the line feeds between the parts
	spans []span
}

func newDocument(parts []string) *document {
	d := &document{text: strings.Join(parts, "\n")}
	at := 0
	for i, p := range parts {
		at += len(p)
		if i < len(parts)-1 {
			d.seams = append(d.seams, at)
			at++
		}
	}
	d.spans = oldMarkers(d.text)
	return d
}

// oldMarkers finds the markers of known rules in s. A marker with another name
// is text like any other, so that nobody hides a secret in one.
func oldMarkers(s string) []span {
	const open = "[redacted:"
	var out []span
	for at := 0; ; {
		i := strings.Index(s[at:], open)
		if i < 0 {
			return out
		}
		start := at + i
		at = start + len(open)
		n := strings.IndexByte(s[at:min(len(s), at+48)], ']')
		if n < 0 {
			continue
		}
		if r, ok := table().byID[s[at:at+n]]; ok {
			at += n + 1
			out = append(out, span{start: start, end: at, rule: r, old: true})
		}
	}
}

// mask adds what a scan found. Stretches that overlap become one, under the
// name of the rule that stands first in the table; a stretch over the seam of
// two parts becomes two. What was masked before is never found again, so old
// and new stretches do not overlap.
func (d *document) mask(found []span) {
	byStart := func(a, b span) int { return a.start - b.start }
	slices.SortStableFunc(found, byStart)
	merged := found[:0]
	for _, f := range found {
		if n := len(merged); n > 0 && f.start < merged[n-1].end {
			last := &merged[n-1]
			last.end = max(last.end, f.end)
			last.rule = min(last.rule, f.rule)
			continue
		}
		merged = append(merged, f)
	}
	for _, f := range merged {
		for _, seam := range d.seamsIn(f) {
			if seam > f.start {
				d.spans = append(d.spans, span{start: f.start, end: seam, rule: f.rule})
			}
			f.start = seam + 1
		}
		if f.end > f.start {
			d.spans = append(d.spans, f)
		}
	}
	slices.SortFunc(d.spans, byStart)
}

func (d *document) seamsIn(s span) []int {
	from, _ := slices.BinarySearch(d.seams, s.start)
	to, _ := slices.BinarySearch(d.seams, s.end)
	return d.seams[from:to]
}

// whole gives the parts as they were.
func (d *document) whole() []string {
	parts := make([]string, 0, len(d.seams)+1)
	start := 0
	for _, seam := range d.seams {
		parts = append(parts, d.text[start:seam])
		start = seam + 1
	}
	return append(parts, d.text[start:])
}

// render gives the clean parts and the hits.
func (d *document) render() ([]string, []Hit) {
	if len(d.spans) == 0 {
		return d.whole(), nil
	}
	parts := make([]string, 0, len(d.seams)+1)
	var hits []Hit
	next := 0
	start := 0
	for p := range len(d.seams) + 1 {
		end := len(d.text)
		if p < len(d.seams) {
			end = d.seams[p]
		}
		var b strings.Builder
		at := start
		for ; next < len(d.spans) && d.spans[next].start < end; next++ {
			s := d.spans[next]
			b.WriteString(d.text[at:s.start])
			b.WriteString(Marker(table().rules[s.rule].ID))
			at = s.end
			if !s.old {
				hits = append(hits, Hit{Rule: table().rules[s.rule].ID, Start: s.start - start, End: s.end - start, Part: p})
			}
		}
		b.WriteString(d.text[at:end])
		parts = append(parts, b.String())
		start = end + 1
	}
	return parts, hits
}
