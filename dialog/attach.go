package dialog

import (
	"slices"
	"strconv"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// kind says where the texts of an attached context stand among its values.
type kind struct {
	source  string // "" is the part's own text
	max     int
	comment string // "" where there is none
	labels  []string
}

// kindOf knows the attached contexts.
func kindOf(name string) (kind, bool) {
	switch name {
	case "code-comment":
		return kind{"code", MaxSource, "text", []string{"fileLabel"}}, true
	case "file-quote", "chat-quote":
		return kind{"quote", MaxSource, "text", []string{"fileLabel"}}, true
	case "browser-annotation":
		return kind{"prompt", MaxSource, "text", []string{"pageUrl"}}, true
	case "pr-comment":
		return kind{"body", MaxSource, "text", []string{"label"}}, true
	case "pr-check", "terminal":
		return kind{"output", MaxSource, "text", []string{"label", "terminalLabel"}}, true
	case "github-issue", "github-pr", "linear-issue":
		return kind{"", MaxIssue, "", nil}, true
	case "opencode-comment":
		return kind{"preview", MaxSource, "comment", []string{"path"}}, true
	}
	return kind{}, false
}

// attached tells whether the part carries a context of a known kind.
func attached(p *recap.Part) bool {
	if p.Attached == nil {
		return false
	}
	_, ok := kindOf(p.Attached.Kind)
	return ok
}

// block is a paragraph of a person's message.
type block struct {
	text string
	// quote: text is a quoted source under its label. It gives way to the
	// other blocks.
	quote bool
	kind  string // of the source: "code-comment"
	place string // where it is from, whole: "main.go"
	lines string // ":3-5"
	max   int    // of the source
}

// attachment makes the two blocks of an attached context, its source and its
// comment.
func attachment(p *recap.Part) ([]block, error) {
	k, _ := kindOf(p.Attached.Kind)
	source, comment := p.Text, ""
	var err error
	if k.source != "" {
		if source, err = textValue(p.Attached, k.source); err != nil {
			return nil, err
		}
	}
	if k.comment != "" {
		if comment, err = textValue(p.Attached, k.comment); err != nil {
			return nil, err
		}
	}
	place, lines := placeOf(p.Attached, k)
	return []block{
		{text: strings.TrimSpace(source), quote: true, kind: p.Attached.Kind, place: place, lines: lines, max: k.max},
		{text: strings.TrimSpace(comment)},
	}, nil
}

// textValue gives a value that has to be a text where it is there.
func textValue(a *recap.Attached, key string) (string, error) {
	switch v := a.Values[key].(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	return "", unreadable("an attached text is not a string: " + a.Kind + "." + key)
}

// placeOf says where a source is from.
func placeOf(a *recap.Attached, k kind) (place, lines string) {
	for _, key := range k.labels {
		if v, ok := a.Values[key].(string); ok && strings.TrimSpace(v) != "" {
			place = v
			break
		}
	}
	if from, ok := integer(a.Values["startLine"]); ok {
		lines = ":" + strconv.FormatInt(from, 10)
		if to, ok := integer(a.Values["endLine"]); ok && to > from {
			lines += "-" + strconv.FormatInt(to, 10)
		}
	}
	return place, lines
}

// label gives the line over a quoted source: "[code-comment main.go:3-5]".
func (b *block) label() string {
	s := ""
	if words := strings.Join(strings.Fields(b.place), " "); words != "" {
		s = " " + strings.Join(strings.Fields(prompt.Excerpt(words, MaxLabel)), " ")
	}
	if s == "" && b.lines != "" {
		s = " "
	}
	return "[" + b.kind + s + b.lines + "]"
}

// integer reads a whole number of any type a decoder makes of one.
func integer(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		if n == float64(int64(n)) {
			return int64(n), true
		}
	case interface{ Int64() (int64, error) }: // json.Number
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}

// join makes the message of its blocks, in at most limit characters. Where it
// is too long the quoted sources shrink first, each to an equal share of the
// room; then the labels go; then the person's own texts shrink likewise, so
// that something of each is there.
func join(blocks []block, limit int) string {
	blocks = slices.DeleteFunc(slices.Clone(blocks), func(b block) bool { return b.text == "" && !b.quote })
	own, labels, sources := make([]int, len(blocks)), 0, make([]int, len(blocks))
	for i, b := range blocks {
		if b.quote {
			labels += prompt.Length(b.label()) + 1
			sources[i] = prompt.Length(quote(prompt.Excerpt(b.text, b.max)))
			continue
		}
		blocks[i].text = prompt.Normalize(b.text)
		own[i] = prompt.Length(b.text)
	}
	gaps := 2 * max(len(blocks)-1, 0)
	room := limit - gaps - sum(own) - labels
	bare := room < 0
	if bare { // no place for any source
		blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.quote })
		own = slices.DeleteFunc(own, func(n int) bool { return n == 0 })
		share(own, limit-2*max(len(blocks)-1, 0))
	} else {
		share(sources, room)
	}
	out := make([]string, 0, len(blocks))
	for i, b := range blocks {
		switch {
		case !b.quote:
			out = append(out, prompt.Excerpt(b.text, own[i]))
		default:
			s := b.label()
			if q := quoteWithin(b.text, min(sources[i], room), b.max); q != "" {
				s += "\n" + q
			}
			out = append(out, s)
		}
	}
	return prompt.Excerpt(strings.TrimSpace(strings.Join(out, "\n\n")), limit)
}

// share lowers the wants until they fit into the room: small ones are met,
// the others get equal parts of what is left.
func share(wants []int, room int) {
	room = max(room, 0)
	order := make([]int, len(wants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return wants[a] - wants[b] })
	for k, i := range order {
		wants[i] = min(wants[i], room/(len(order)-k))
		room -= wants[i]
	}
}

func sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

// quoteWithin quotes as much of a source as fits into n characters with the
// marks of the quote, at most limit characters of it.
func quoteWithin(source string, n, limit int) string {
	if source == "" {
		return ""
	}
	if q := quote(prompt.Excerpt(source, min(n, limit))); prompt.Length(q) <= n {
		return q
	}
	best, low, high := "", 1, min(n, limit)
	for low <= high {
		mid := (low + high) / 2
		if q := quote(prompt.Excerpt(source, mid)); prompt.Length(q) <= n {
			best, low = q, mid+1
		} else {
			high = mid - 1
		}
	}
	return best
}

// quote puts "> " before each line.
func quote(s string) string {
	if s == "" {
		return ""
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return "> " + strings.ReplaceAll(s, "\n", "\n> ")
}
