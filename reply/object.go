package reply

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
)

// object is a JSON object, its members in order.
type object []member

type member struct {
	key string
	value
}

// state says how a scan ended.
type state uint8

const (
	bad   state = iota // no JSON
	whole              // an object
	cut                // the text ended inside an object
)

const (
	maxNesting = 32
	// maxWork bounds the bytes that are scanned, for each byte of the text.
	maxWork = 24
)

// lastObject finds the last object with a wanted key, and where it stands.
// Objects written as JSON count first; where there is none, those with quotes
// that a reader understands all the same.
func lastObject(s string, fields []recap.Field) (o object, at [2]int, ok bool) {
	for _, loose := range [...]bool{false, true} {
		work := maxWork * (len(s) + 64)
		var part object
		partAt := [2]int{-1}
		for i := 0; i < len(s) && work > 0; {
			if s[i] != '{' {
				j := strings.IndexByte(s[i:], '{')
				if j < 0 {
					break
				}
				i += j
			}
			found, end, st := scan(s, i, loose)
			work -= end - i
			switch {
			case st == whole && found.holds(fields):
				o, at, ok = found, [2]int{i, end}, true
				i = end
				continue
			case st == cut && !loose && found.holds(fields) && partAt[0] < 0:
				part, partAt = found, [2]int{i, len(s)}
			}
			i++
		}
		if partAt[0] >= 0 && (!ok || at[0] < partAt[0]) {
			return part, partAt, true
		}
		if ok {
			return o, at, true
		}
	}
	return nil, at, false
}

// scanner reads one object.
type scanner struct {
	s     string
	i     int
	loose bool
}

// scan reads the object at s[i], and says where it ended. Of an object that
// was cut it gives the members so far, the last one marked.
func scan(s string, i int, loose bool) (object, int, state) {
	c := scanner{s: s, i: i, loose: loose}
	o, st := c.object(0)
	return o, c.i, st
}

// until is the beginning of s up to and with the mark.
func until(s, mark string) string {
	before, _, ok := strings.Cut(s, mark)
	if !ok {
		return s
	}
	return s[:len(before)+len(mark)]
}

// space skips blanks, and comments, which are no JSON but are written.
func (c *scanner) space() {
	for c.i < len(c.s) {
		r, w := utf8.DecodeRuneInString(c.s[c.i:])
		switch rest := c.s[c.i:]; {
		case unicode.IsSpace(r), r == 0xfeff:
			c.i += w
		case strings.HasPrefix(rest, "//"):
			c.i += len(until(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			c.i += len(until(rest, "*/"))
		default:
			return
		}
	}
}

func (c *scanner) over() bool { return c.i >= len(c.s) }

func (c *scanner) object(depth int) (object, state) {
	if depth > maxNesting {
		return nil, bad
	}
	c.i++ // the brace
	var o object
	for {
		c.space()
		if c.over() {
			return o, cut
		}
		switch c.s[c.i] {
		case '}':
			c.i++
			return o, whole
		case ',':
			if len(o) == 0 {
				return o, bad
			}
			c.i++
			continue
		}
		key, st := c.key()
		if st != whole {
			return o, st
		}
		c.space()
		if c.over() {
			return append(o, member{key, value{cut: true}}), cut
		}
		if rest, ok := strings.CutPrefix(c.s[c.i:], "："); ok && c.loose {
			c.i = len(c.s) - len(rest)
		} else if c.s[c.i] == ':' {
			c.i++
		} else {
			return o, bad
		}
		v, st := c.value(depth)
		if st == bad {
			return o, bad
		}
		v.cut = st == cut
		o = append(o, member{key, v})
		if st == cut {
			return o, cut
		}
	}
}

func (c *scanner) key() (string, state) {
	if q := c.quote(); q != "" {
		return c.text(q, true)
	}
	if !c.loose {
		return "", bad
	}
	end := c.i
	for end < len(c.s) && (c.s[end] == '_' || c.s[end] >= 'a' && c.s[end] <= 'z' || c.s[end] >= 'A' && c.s[end] <= 'Z') {
		end++
	}
	if end == c.i {
		return "", bad
	}
	key := c.s[c.i:end]
	c.i = end
	return key, whole
}

// quote gives what closes the string that opens here, "" where none opens.
func (c *scanner) quote() string {
	switch s := c.s[c.i:]; {
	case strings.HasPrefix(s, `"`):
		return `"`
	case !c.loose:
	case strings.HasPrefix(s, "'"):
		return "'"
	case strings.HasPrefix(s, "“"):
		return "”"
	}
	return ""
}

func (c *scanner) value(depth int) (value, state) {
	c.space()
	if c.over() {
		return value{}, cut
	}
	if q := c.quote(); q != "" {
		s, st := c.text(q, false)
		if c.loose && swallowed(s) {
			return value{}, bad
		}
		return value{text: s, isString: true}, st
	}
	switch c.s[c.i] {
	case '{':
		_, st := c.object(depth + 1)
		return value{}, st
	case '[':
		return value{}, c.array(depth + 1)
	}
	start := c.i
	for c.i < len(c.s) && strings.IndexByte("0123456789+-.eEtrufalsnTFNon", c.s[c.i]) >= 0 {
		c.i++
	}
	switch lit := c.s[start:c.i]; {
	case c.over():
		return value{}, cut
	case lit == "true", lit == "false", lit == "null", lit == "None", lit == "True", lit == "False":
		return value{}, whole
	default:
		if _, err := strconv.ParseFloat(lit, 64); err != nil {
			return value{}, bad
		}
		return value{}, whole
	}
}

func (c *scanner) array(depth int) state {
	if depth > maxNesting {
		return bad
	}
	c.i++ // the bracket
	for {
		c.space()
		if c.over() {
			return cut
		}
		switch c.s[c.i] {
		case ']':
			c.i++
			return whole
		case ',':
			c.i++
			continue
		}
		if _, st := c.value(depth); st != whole {
			return st
		}
	}
}

// text reads a string that ends with the quote. Line breaks in it are let
// pass. A loose reader takes a quote for the end only where JSON goes on
// behind it.
func (c *scanner) text(quote string, key bool) (string, state) {
	_, w := utf8.DecodeRuneInString(c.s[c.i:])
	c.i += w
	start := c.i
	var b strings.Builder
	for c.i < len(c.s) {
		switch rest := c.s[c.i:]; {
		case strings.HasPrefix(rest, quote) && (!c.loose || c.ends(c.i+len(quote), key)):
			b.WriteString(c.s[start:c.i])
			c.i += len(quote)
			return b.String(), whole
		case rest[0] == '\\':
			b.WriteString(c.s[start:c.i])
			r, w := unescape(rest)
			if w == 0 {
				c.i = len(c.s)
				return b.String(), cut
			}
			b.WriteString(r)
			c.i += w
			start = c.i
		default:
			c.i++
		}
	}
	return "", cut
}

// swallowed reports whether a string that was read loosely holds the next key.
func swallowed(s string) bool {
	for _, f := range [...]recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest} {
		for _, q := range [...]string{`"`, "'", "”"} {
			if _, after, ok := strings.Cut(s, string(f)+q); ok && strings.HasPrefix(strings.TrimLeft(after, " "), ":") {
				return true
			}
		}
	}
	return false
}

// ends reports whether JSON goes on at i as it does behind a string.
func (c *scanner) ends(i int, key bool) bool {
	rest := strings.TrimLeftFunc(c.s[i:], unicode.IsSpace)
	switch {
	case key:
		return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
	case rest == "":
		return false
	case rest[0] == '}', rest[0] == ']':
		return true
	case rest[0] != ',':
		return false
	}
	rest = strings.TrimLeftFunc(rest[1:], unicode.IsSpace)
	if rest == "" || rest[0] == '}' {
		return true
	}
	name := strings.TrimLeft(rest, `"'“`)
	end := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r >= utf8.RuneSelf || !unicode.IsLetter(r)) })
	if end <= 0 {
		return false
	}
	return strings.HasPrefix(strings.TrimLeft(name[end:], "\"'” "), ":")
}

// unescape gives what an escape stands for and its length; 0 where the text
// ends inside it. An unknown escape stands for its character.
func unescape(s string) (string, int) {
	if len(s) < 2 {
		return "", 0
	}
	switch s[1] {
	case 'n', 'r':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'b', 'f':
		return " ", 2
	case 'u':
		if len(s) < 6 {
			return "", 0
		}
		r, ok := hex(s)
		if !ok {
			return "u", 2
		}
		if utf16.IsSurrogate(r) {
			if low, ok := hex(s[6:]); ok {
				if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
					return string(pair), 12
				}
			}
			return "\uFFFD", 6
		}
		return string(r), 6
	}
	_, w := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+w], 1 + w
}

// hex reads \uXXXX.
func hex(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// stringLiteral gives the text of a reply that is one JSON string.
func stringLiteral(s string) (string, bool) {
	s = unfence(strings.TrimSpace(s))
	if !strings.HasPrefix(s, `"`) {
		return "", false
	}
	c := scanner{s: s}
	text, st := c.text(`"`, false)
	return text, st == whole && strings.TrimSpace(s[c.i:]) == ""
}
