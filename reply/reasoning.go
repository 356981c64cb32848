package reply

import (
	"regexp"
	"strings"
	"sync"
)

// Spellings of the tags around reasoning. A new model with a new one gets a
// line here and a line in testdata/corpus.jsonl.
const (
	thinkNames = `seed:think|antml:thinking|longcat_think|chain[_-]of[_-]thought|inner[_-]monologue|internal[_-]thoughts?|thought[_-]process|` +
		`thinking|think|thoughts?|reasoning|reflection|reflect|analysis|scratchpad|monologue|rationale|deliberation|cot`
	bracketNames = `thinking|think|thoughts?|reasoning`
)

// maxTag is the longest tag, in bytes.
const maxTag = 200

// reasoningTag matches a tag at the beginning of a text.
var reasoningTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` + strings.Join([]string{
		`[<＜◁⟨]\s*/?\s*\|?\s*(?:/\s*)?(?:` + thinkNames + `)(?:[\s|:=-][^<>＜＞◁▷]{0,80})?\s*/?\s*\|?[>＞▷⟩]`,
		`\[\s*/?\s*(?:` + bracketNames + `)\s*\]`,
		`&lt;\s*/?\s*(?:` + thinkNames + `)\s*&gt;`,
		`<\|\s*(?:begin|start|end)_(?:of_)?(?:thought|thinking|think|reasoning)\s*\|>`,
		`<\|channel\|?>\s*(?:analysis|commentary|thoughts?|thinking|final)`,
		`<channel\|>`,
		`<unused9[45]>`,
		`<details\b[^<>]{0,80}reasoning[^<>]{0,80}>`,
		`</details>`,
		`<\|end\|>`,
	}, "|") + `)`)
})

// thoughtFence matches a fence at the beginning of a line: one that opens a
// block of reasoning, or one that may close it.
var thoughtFence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)^```(?:thinking|think|reasoning|thoughts?)?[ \t]*(?:\n|$)")
})

// tags gives the places of all tags of reasoning.
func tags(s string) [][2]int {
	var out [][2]int
	for i := 0; i < len(s); {
		re := reasoningTag
		switch s[i] {
		case '<', '[', '&', '\xe2', '\xef':
			if !mayBeTag(s[i:]) {
				i++
				continue
			}
		case '`':
			if i > 0 && s[i-1] != '\n' {
				i++
				continue
			}
			re = thoughtFence
		default:
			i++
			continue
		}
		m := re().FindStringIndex(s[i:min(len(s), i+maxTag)])
		if m == nil {
			i++
			continue
		}
		out = append(out, [2]int{i, i + m[1]})
		i += m[1]
	}
	return out
}

// mayBeTag reports whether a tag may begin here: behind its opening sign and
// what may follow that, there is a letter that one of the names begins with.
func mayBeTag(s string) bool {
	for _, sign := range [...]string{"<", "[", "&lt;", "◁", "＜", "⟨"} {
		rest, ok := strings.CutPrefix(s, sign)
		if !ok {
			continue
		}
		if len(rest) > maxTag {
			rest = rest[:maxTag]
		}
		rest = strings.TrimLeft(rest, " \t\r\n/|")
		return rest != "" && strings.IndexByte("abcdeilmrstuABCDEILMRSTU", rest[0]) >= 0
	}
	return false
}

// tagKind says what a tag does.
type tagKind uint8

const (
	opensThought tagKind = iota
	closesThought
	opensChannel // closed by <|end|> too
	opensFence   // closed by a fence
	opensDetails // closed by </details>
	endsChannel
	endsFence
	endsDetails
	standsAlone // a self-closing tag
)

// kindOf says what the tag does.
func kindOf(tag string) tagKind {
	low := strings.ToLower(strings.Join(strings.Fields(tag), ""))
	switch {
	case low == "<|end|>":
		return endsChannel
	case low == "</details>":
		return endsDetails
	case low == "```":
		return endsFence
	case strings.HasPrefix(low, "```"):
		return opensFence
	case strings.HasPrefix(low, "<details"):
		return opensDetails
	case low == "<channel|>", strings.HasPrefix(low, "<|channel") && strings.HasSuffix(low, "final"), low == "<unused95>":
		return closesThought
	case strings.HasPrefix(low, "<|channel"):
		return opensChannel
	case strings.HasPrefix(low, "<|end_"):
		return closesThought
	case strings.HasSuffix(low, "/>"):
		return standsAlone
	case strings.HasPrefix(strings.TrimPrefix(strings.TrimLeft(low, "<＜◁⟨[&|"), "lt;"), "/"):
		return closesThought
	}
	return opensThought
}

// withoutReasoning gives what is left of a text without reasoning. Everything
// before a closing tag without an opening one is reasoning, and everything
// behind an opening one that is not closed (unclosed). Tags in backticks or
// quotes are talk about tags.
func withoutReasoning(s string) (rest string, thought, unclosed bool) {
	if body, ok := harmony(s); ok {
		return body, true, body == ""
	}
	if !strings.ContainsAny(s, "<＜◁⟨[&`") {
		return strings.TrimSpace(s), false, false
	}
	var b strings.Builder
	pos := 0
	inside, opened := false, opensThought
	for _, m := range tags(s) {
		if mentioned(s, m[0], m[1]) {
			continue
		}
		kind := kindOf(s[m[0]:m[1]])
		switch {
		case inside:
			ends := kind == closesThought || kind == endsChannel && opened == opensChannel ||
				kind == endsFence && opened == opensFence || kind == endsDetails && opened == opensDetails
			if ends {
				inside, pos = false, m[1]
			}
		case kind == closesThought:
			b.Reset()
			thought, pos = true, m[1]
		case kind == standsAlone:
			b.WriteString(s[pos:m[0]])
			pos = m[1]
		case kind <= opensDetails:
			b.WriteString(s[pos:m[0]])
			thought, inside, opened, pos = true, true, kind, m[1]
		}
	}
	if inside {
		return strings.TrimSpace(b.String()), true, true
	}
	b.WriteString(s[pos:])
	return strings.TrimSpace(b.String()), thought, false
}

// mentioned reports whether the tag at s[start:end] stands in backticks or
// quotes of its own.
func mentioned(s string, start, end int) bool {
	if start == 0 || end >= len(s) || s[start] == '`' {
		return false
	}
	switch q := s[start-1]; q {
	case '`':
		return s[end] == q
	case '\'', '"':
		// "<think>" is a mention; {"recap":"<think>"} is one too, and empty.
		return s[end] == q
	}
	return false
}

// harmony reads channels whose marks a server has taken away: analysis runs
// into the text, and the answer begins behind "assistantfinal".
func harmony(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "analysis")
	if !ok || rest == "" || rest[0] < 'A' || rest[0] > 'Z' {
		return "", false
	}
	if i := strings.LastIndex(rest, "assistantfinal"); i >= 0 {
		return strings.TrimSpace(rest[i+len("assistantfinal"):]), true
	}
	return "", true
}
