package openai

import (
	"slices"
	"strings"

	"github.com/sessionrecap/recap/llm"
)

// name is what OpenAI's own model names say about a call, 2026-11-30. These
// models refuse max_tokens and any temperature; what they call the least
// reasoning differs.
type name struct {
	reasons bool
	effort  string // "" asks for none in particular
}

// nameOf reads a name with or without a vendor before it: "openai/gpt-5-mini".
func nameOf(model string) name {
	id := model[strings.LastIndexByte(model, '/')+1:]
	rest, gpt := strings.CutPrefix(id, "gpt-")
	switch {
	case gpt && rest != "" && rest[0] >= '5' && rest[0] <= '9' && !strings.Contains(rest, "chat"):
	case len(id) >= 2 && id[0] == 'o' && id[1] >= '1' && id[1] <= '9' && (len(id) == 2 || id[2] == '-'):
		return name{reasons: true, effort: "low"}
	default:
		return name{}
	}
	known, ok := llm.Catalogue().Model("openai", id)
	first := strings.HasPrefix(rest, "5") && !strings.HasPrefix(rest, "5.")
	switch {
	case ok && slices.Contains(known.Efforts, "none"):
		return name{true, "none"}
	case strings.Contains(rest, "pro"):
		// These know few levels: the catalogue's least, else their own choice.
		if ok && len(known.Efforts) > 0 {
			return name{true, known.Efforts[0]}
		}
		return name{reasons: true}
	case first && !strings.Contains(rest, "codex"):
		return name{true, "minimal"} // gpt-5, gpt-5-mini, gpt-5-nano
	}
	return name{true, "low"} // every one knows it
}
