package prompt

import (
	_ "embed"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
)

// The text of the system prompts. docs/prompt-rules.md says which sentence
// holds which rule.
var (
	//go:embed head.md
	headText string
	//go:embed recap.md
	recapText string
	//go:embed suggestion.md
	suggestionText string
	//go:embed away.md
	awayText string
	//go:embed digest.md
	digestText string
	//go:embed form.md
	formText string
	//go:embed form-away.md
	formAwayText string
)

// Output tokens to ask for.
const (
	// ReasoningOutput is the cap for models that reason: a smaller one
	// starves the reply.
	ReasoningOutput = 1_200

	recapOutput      = 300
	suggestionOutput = 300
	awayOutput       = 300
	digestOutput     = 400
)

// fieldRule is what a field adds to a call.
type fieldRule struct {
	field  recap.Field
	text   string
	output int
}

// rules are the fields in the order in which they are asked for.
func rules() [4]fieldRule {
	return [...]fieldRule{
		{recap.FieldRecap, recapText, recapOutput},
		{recap.FieldSuggestion, suggestionText, suggestionOutput},
		{recap.FieldAway, awayText, awayOutput},
		{recap.FieldDigest, digestText, digestOutput},
	}
}

// Fields gives the known ones of the fields, each once, in the order in which
// they are asked for.
func Fields(fields []recap.Field) []recap.Field {
	var out []recap.Field
	for _, r := range rules() {
		if slices.Contains(fields, r.field) {
			out = append(out, r.field)
		}
	}
	return out
}

// System is the system prompt for a set of fields: always the same bytes for
// the same set, in whatever order it is given. It is empty for no field.
func System(fields []recap.Field) string {
	fields = Fields(fields)
	if len(fields) == 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(len(headText) + len(recapText) + len(suggestionText) + len(awayText) + len(digestText) + len(formText) + len(formAwayText) + 64)
	b.WriteString(headText)
	for _, r := range rules() {
		if slices.Contains(fields, r.field) {
			b.WriteString(r.text)
		}
	}
	b.WriteString(strings.TrimSpace(formText))
	b.WriteByte(' ')
	writeKeys(&b, fields)
	b.WriteString(".\n")
	if awayAlone(fields) {
		b.WriteString(formAwayText)
	}
	return b.String()
}

// writeKeys writes the fields as the keys of a JSON object.
func writeKeys(b *strings.Builder, fields []recap.Field) {
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('"')
		b.WriteString(string(f))
		b.WriteByte('"')
	}
}

func awayAlone(fields []recap.Field) bool {
	return len(fields) == 1 && fields[0] == recap.FieldAway
}

// MaxOutput is how many output tokens to ask for: 300 for away alone, more for
// several fields, never more than [ReasoningOutput], which is what a model that
// reasons gets. It is 0 for no known field.
func MaxOutput(fields []recap.Field, reasons bool) int {
	n := 0
	for _, r := range rules() {
		if slices.Contains(fields, r.field) {
			n += r.output
		}
	}
	if reasons && n > 0 {
		return ReasoningOutput
	}
	return min(n, ReasoningOutput)
}
