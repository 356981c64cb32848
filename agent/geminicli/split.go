package geminicli

import (
	"bytes"
	"errors"
	"io"
	"regexp"
)

// maxSpans is how many messages of one list are kept in view, the newest.
const maxSpans = 1 << 17

// span is the place of a message in its file.
type span struct{ start, end int64 }

// elements finds the objects in the array that is called "messages", without
// holding any of them: a list of messages may be as large as the history. src
// begins at base. found is false where there is no such array. What stands
// before a cut is found.
func elements(src io.Reader, base int64) (spans []span, found bool, err error) {
	s := splitter{at: base, begin: base - 1, last: base - 1}
	buf := make([]byte, 64<<10)
	for !s.done {
		n, err := src.Read(buf)
		s.write(buf[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.spans, s.array > 0, err
		}
	}
	return s.spans, s.array > 0, nil
}

type splitter struct {
	at    int64 // place of the next byte
	depth int
	array int   // depth inside the array, 0 where it was not met
	begin int64 // of the newest element that is an object
	last  int64 // end of the element before
	spans []span
	done  bool

	str, esc bool
	word     [12]byte // the start of the newest string
	n        int      // its length
	key      bool     // a colon followed it
}

var messagesKey = []byte("messages")

func (s *splitter) write(b []byte) {
	for i := 0; i < len(b) && !s.done; i++ {
		c := b[i]
		if s.str {
			switch {
			case s.esc:
				s.esc = false
			case c == '\\':
				s.esc = true
			case c == '"':
				s.str = false
			case s.n >= len(s.word): // too long for the key: go to its end
				j := bytes.IndexAny(b[i:], `"\`)
				if j < 0 {
					j = len(b) - i
				}
				i += j - 1
				s.at += int64(j)
				continue
			default:
				s.word[s.n] = c
				s.n++
			}
			s.at++
			continue
		}
		s.step(c)
		s.at++
	}
}

// step takes a byte outside strings.
func (s *splitter) step(c byte) {
	key := s.key
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	case '"':
		s.str, s.n = true, 0
	case ':':
		s.key = bytes.Equal(s.word[:min(s.n, len(s.word))], messagesKey)
		return
	case '[', '{':
		if c == '{' && s.array > 0 && s.depth == s.array {
			s.begin = s.at
		}
		s.depth++
		if c == '[' && key && s.array == 0 && s.depth > 1 && s.depth <= 3 {
			s.array = s.depth
		}
	case ']', '}':
		s.depth--
		if s.array > 0 && s.depth < s.array {
			s.done = true
		}
		if s.array > 0 && s.depth == s.array {
			if c == '}' && s.begin > s.last {
				s.spans = append(s.spans, span{s.begin, s.at + 1})
			}
			s.last = s.at
			if len(s.spans) == 2*maxSpans {
				s.spans = append(s.spans[:0], s.spans[maxSpans:]...)
			}
		}
	}
	s.key = false
}

// A message begins like this. In a string the quotes would be escaped, so this
// is never text of anybody.
var beginning = regexp.MustCompile(`\{\s*"id":\s*"[^"\\]*",\s*"timestamp":`)

// fragments gives the whole messages in a piece of a list that is cut at its
// ends, and what stands behind the last of them.
func fragments(b []byte) (whole [][]byte, rest []byte) {
	loc := beginning.FindIndex(b)
	if loc == nil {
		return nil, b
	}
	b = b[loc[0]:]
	head := []byte(`{"messages":[`)
	return pieces(io.MultiReader(bytes.NewReader(head), bytes.NewReader(b)), -int64(len(head)), b)
}

// pieces are the messages of the list that src reads; its bytes from 0 are b.
func pieces(src io.Reader, base int64, b []byte) (whole [][]byte, rest []byte) {
	spans, _, err := elements(src, base)
	if err != nil {
		return nil, b
	}
	for _, x := range spans {
		whole = append(whole, b[x.start:x.end])
	}
	if k := len(spans); k > 0 {
		b = b[spans[k-1].end:]
	}
	return whole, b
}
