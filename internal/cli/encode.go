package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// encode writes a value as one line of JSON. What a terminal or a careless
// reader could take for more than text is escaped in every string of it: DEL,
// C1 controls, line separators, bidirectional formatting, tags.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := b.String()
	if !strings.ContainsFunc(text, escaped) {
		return b.Bytes(), nil
	}
	// Outside strings JSON is ASCII, so all of these stand in strings.
	var out strings.Builder
	for _, r := range text {
		switch {
		case !escaped(r):
			out.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return []byte(out.String()), nil
}

func escaped(r rune) bool {
	switch {
	case r < 0x7f:
		return false
	case r <= 0x9f, r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u2028' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\ufeff':
		return true
	}
	return r >= 0xE0000 && r <= 0xE007F
}
