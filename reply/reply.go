package reply

import (
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
)

// Reply is what a model said for each wanted field.
type Reply struct {
	// Texts are the texts that are left, none of them empty.
	Texts map[recap.Field]string
	// Dropped says of every other wanted field why it has no text: one of the
	// reasons of this package.
	Dropped map[recap.Field]string
}

// Reasons for a field without a text.
const (
	WhyMissing   = "missing"      // the reply has no such key
	WhyEmpty     = "empty"        // an empty string, "none" or the like
	WhyType      = "not-a-string" // the value is no string
	WhyCut       = "cut"          // the reply ended inside the value
	WhyReasoning = "reasoning"    // reasoning that can't be told from the text
	WhyNotice    = "notice"       // a notice or a refusal in the place of the text
	WhyEcho      = "instruction"  // what the model was told, said again: see [Echoes]
)

// MaxReply is how much of a reply is looked at, in bytes from its end.
const MaxReply = 64 << 10

// Parse gives the wanted fields of a reply.
//
// Errors are *recap.Error and hold nothing of the reply: recap.CodeRateLimited,
// recap.CodeNoLogin, recap.CodeModelUnavailable, recap.CodeContextTooSmall,
// recap.CodeNoModel and recap.CodeTimeout for a notice of such a thing;
// recap.CodeOutputExhausted where the reply is empty, is reasoning alone or was
// cut before a whole value; recap.CodeProviderError for a refusal, an error
// page, and a reply that is not of the form asked for.
//
// A reply whose values are empty is no error: it has no texts.
func Parse(text string, fields []recap.Field) (Reply, error) {
	if len(text) > MaxReply {
		text = text[len(text)-MaxReply:]
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	visible, thought := text, false
	values, found := map[recap.Field]value(nil), false
	if bare := unfence(text); strings.HasPrefix(bare, "{") {
		// Where the whole reply is one object, tags in it are inside values.
		if o, end, state := scan(bare, 0, false); state == whole && strings.TrimSpace(bare[end:]) == "" && o.holds(fields) {
			values, found = o.values(fields), true
		}
	}
	if !found {
		var unclosed bool
		visible, thought, unclosed = withoutReasoning(text)
		thought = thought || unclosed
		values, found = extract(visible, fields)
	}
	if !found {
		return Reply{}, noForm(visible, thought)
	}

	r := Reply{Texts: map[recap.Field]string{}, Dropped: map[recap.Field]string{}}
	var notice *recap.Error
	cut := false
	for _, f := range fields {
		v, ok := values[f]
		if !ok {
			r.Dropped[f] = WhyMissing
			continue
		}
		s, why, n := v.clean(f)
		if why != "" {
			r.Dropped[f] = why
			cut = cut || why == WhyCut
			if n != nil && notice == nil {
				notice = n
			}
			continue
		}
		r.Texts[f] = s
	}
	switch {
	case len(r.Texts) > 0:
	case notice != nil:
		return Reply{}, notice
	case cut:
		return Reply{}, failure(recap.CodeOutputExhausted)
	}
	return r, nil
}

// extract finds the values of the wanted fields: in an object, or for away
// alone between tags, whichever comes last.
func extract(text string, fields []recap.Field) (map[recap.Field]value, bool) {
	o, at, ok := lastObject(text, fields)
	if len(fields) == 1 && fields[0] == recap.FieldAway {
		if inner, span, tagged := lastTag(text, string(recap.FieldAway)); tagged {
			inside := ok && at[0] >= span[0] && at[1] <= span[1]
			if around := ok && at[0] <= span[0] && at[1] >= span[1]; !inside && !around && (!ok || span[0] > at[0]) {
				return map[recap.Field]value{recap.FieldAway: {text: inner, isString: true}}, true
			}
		}
	}
	if ok {
		return o.values(fields), true
	}
	if inner, isString := stringLiteral(text); isString {
		if o, _, ok := lastObject(inner, fields); ok {
			return o.values(fields), true
		}
	}
	return nil, false
}

// noForm says what a reply without any wanted value is.
func noForm(visible string, thought bool) error {
	if n := noticeIn(visible); n != nil {
		return n
	}
	if visible == "" || thought && len(visible) < 16 {
		return failure(recap.CodeOutputExhausted)
	}
	if strings.HasPrefix(visible, "{") && !strings.Contains(visible, "}") {
		return failure(recap.CodeOutputExhausted)
	}
	return &recap.Error{Code: recap.CodeProviderError, Message: "the model's reply is not of the form that was asked for"}
}

// failure is an error of a code in words.
func failure(c recap.Code) *recap.Error {
	msg := map[recap.Code]string{
		recap.CodeRateLimited:      "the model answered with a notice of a usage limit",
		recap.CodeNoLogin:          "the model answered with a notice that a login is missing",
		recap.CodeProviderError:    "the model answered with an error",
		recap.CodeModelUnavailable: "the model answered that it is not available",
		recap.CodeContextTooSmall:  "the model answered that the prompt is too long",
		recap.CodeNoModel:          "the model answered that there is no such model",
		recap.CodeTimeout:          "the model answered that the time was over",
		recap.CodeOutputExhausted:  "the model's reply ended before its text",
	}[c]
	return &recap.Error{Code: c, Message: msg}
}

// unfence takes a code fence around the whole text away.
func unfence(s string) string {
	rest, ok := strings.CutPrefix(s, "```")
	if !ok {
		return s
	}
	if i := strings.IndexByte(rest, '\n'); i >= 0 && i < 20 {
		rest = rest[i+1:]
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "```"))
}

// value is what an object holds for a key.
type value struct {
	text     string
	isString bool
	cut      bool
}

// holds reports whether the object has one of the wanted keys.
func (o object) holds(fields []recap.Field) bool {
	return slices.ContainsFunc(o, func(m member) bool { return slices.Contains(fields, m.field()) })
}

// values gives the values of the wanted keys, of a repeated key the last.
func (o object) values(fields []recap.Field) map[recap.Field]value {
	out := map[recap.Field]value{}
	for _, m := range o {
		if f := m.field(); slices.Contains(fields, f) {
			out[f] = m.value
		}
	}
	return out
}

// field is the key as a field.
func (m member) field() recap.Field {
	return recap.Field(strings.ToLower(strings.TrimSpace(m.key)))
}
