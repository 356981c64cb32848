package anthropic

import (
	"strconv"
	"strings"
)

// name is the family and version in a Claude model's id; the zero value is a
// model of another kind. What each version accepts was looked up on
// 2026-11-30 in the vendor's migration guides.
type name struct {
	family  string
	version float64 // 4.5; a minor version has one digit
}

// nameOf reads "claude-haiku-4-5-20251001", "anthropic/claude-opus-4.7",
// "claude-3-5-haiku-latest".
func nameOf(model string) name {
	_, id, ok := strings.Cut(strings.ToLower(model), "claude-")
	if !ok {
		return name{}
	}
	var n name
	digits := 0
	for part := range strings.FieldsFuncSeq(id, func(r rune) bool { return r == '-' || r == '.' || r == '@' || r == '/' || r == ':' }) {
		v, err := strconv.Atoi(part)
		switch {
		case err != nil && n.family == "":
			n.family = part
		case err != nil || v > 99:
			return n
		case digits == 0:
			n.version = float64(v)
			digits++
		case digits == 1:
			n.version += float64(v) / 10
			digits++
		}
	}
	return n
}

func (n name) atLeast(family string, version float64) bool {
	return n.family == family && n.version >= version
}

// always: families that came with the fifth generation and think always.
func (n name) always() bool {
	return n.family == "fable" || n.family == "mythos"
}

// temperature reports whether the model takes one; newer ones refuse it.
func (n name) temperature() bool {
	return !n.always() && !n.atLeast("opus", 4.7) && !n.atLeast("sonnet", 5) && !n.atLeast("haiku", 5)
}

// quiet gives what keeps the model from reasoning: where it reasons unless
// told not to, the switch, or the least effort where there is no switch.
func (n name) quiet() (thinking *kind, effort string) {
	switch {
	case n.always(), n.atLeast("opus", 5.5):
		return nil, "low"
	case n.atLeast("sonnet", 5.5):
		return &kind{"between_tools"}, ""
	case n.atLeast("sonnet", 5), n.atLeast("opus", 5), n.atLeast("haiku", 5):
		return &kind{"disabled"}, ""
	}
	return nil, ""
}

// schema reports whether the model has structured output.
func (n name) schema() bool {
	return n.always() || n.atLeast("opus", 4.1) || n.atLeast("sonnet", 4.5) || n.atLeast("haiku", 4.5)
}
