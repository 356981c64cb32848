package redact

import "strings"

// Bounds of the search for the rest of a key that was told in two pieces.
const (
	restBytes = 1200 // after the first piece
	headMost  = 220
	headLeast = 4 // of the key, after its prefix
	restLeast = 6
	restTries = 8 // words that may be one
)

// rests appends the second pieces of keys, and the first: one that is cut off
// early, or at the end of what was said, goes on in a word of a later message.
// Together they must be a key, or the word must be nothing but a piece of one.
func (v *view) rests(found []span) []span {
	t := table()
	done := 0
	for _, k := range v.words {
		r := int(t.told[k.word]) - 1
		if r < 0 || k.start < done {
			continue
		}
		head, rest, ok := v.rest(r, k.start, t.keywords.length[k.word])
		if !ok {
			continue
		}
		done = rest[1]
		found = append(found, v.pieces(k.start, head, r)...)
		found = append(found, v.pieces(rest[0], rest[1], r)...)
	}
	return found
}

// rest finds the end of the first piece of a key whose prefix stands at the byte
// at, and its second piece.
func (v *view) rest(rule, at, prefix int) (head int, rest [2]int, ok bool) {
	t := table()
	r := t.rules[rule]
	s := v.text
	head = at + prefix
	for head < len(s) && head-at < headMost && ofPiece(s[head]) {
		head++
	}
	body := s[at+prefix : head]
	if len(body) < headLeast || !headOf(body) || identifier(body) || filler(body) || placeholder(body) || !v.leads(r.lead, at) {
		return 0, rest, false
	}
	m := t.patterns[rule].find(r.Pattern, s[at:head])
	whole := m != nil
	if whole && (m[1] < head-at || t.patterns[rule].find(r.Pattern, s[at:head-1]) == nil) {
		return 0, rest, false // another word, or a key of fixed length, complete
	}
	stop := min(len(s), head+restBytes)
	tries := 0
	for i := head; i < stop && tries < restTries; {
		if !ofPiece(s[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(s) && j-i <= headMost && ofPiece(s[j]) {
			j++
		}
		end := j
		for end > i && (s[end-1] == '.' || s[end-1] == '-' || s[end-1] == '_') {
			end--
		}
		if piece := s[i:end]; len(piece) >= restLeast && j-i <= headMost && restOf(piece, s[at:head], whole) {
			if whole {
				return head, [2]int{i, end}, true
			}
			tries++
			if m := t.patterns[rule].find(r.Pattern, s[at:head]+piece); m != nil && m[1] == head-at+len(piece) {
				return head, [2]int{i, end}, true
			}
		}
		i = j
	}
	return 0, rest, false
}

// behindBlank is the length of what goes on behind the blank after a secret, where
// a line break was made one: a word that is nothing but a piece of a key.
func (v *view) behindBlank(start, end int) int {
	s := v.text
	if end+1 >= len(s) || s[end] != ' ' || !ofPiece(s[end+1]) {
		return 0
	}
	n := runOf(s[end+1:min(len(s), end+1+headMost)], ofPiece)
	if n == headMost || end+1+n < len(s) && strings.IndexByte(" \t\r\n\"'`,;)]}<|\\.…", s[end+1+n]) < 0 {
		return 0
	}
	piece := strings.TrimRight(s[end+1:end+1+n], ".-_")
	head := s[start:end]
	if restOf(piece, head, true) || len(head) >= 12 && len(piece) >= 12 && !ordinaryID(piece) && all(piece, isHex) && digit(piece) && all(head[len(head)-12:], isHex) {
		return len(piece)
	}
	return 0
}

// headOf reports what is random enough for the first piece of a key.
func headOf(s string) bool {
	return looksRandom(s) || digit(s) && (upper(s) && lower(s) || len(s) >= 8 && all(s, isHex))
}

// ofPiece reports bytes that keys are made of.
func ofPiece(c byte) bool { return ofKey(c) || c == '+' || c == '/' || c == '=' }

// restOf reports whether a word may be the rest of a key that begins with head.
// Of one that could be whole without it, it must be random beyond doubt.
func restOf(s, head string, whole bool) bool {
	if namedID(s) || identifier(s) || named(s) || filler(s) || wordy(s) || camelName(s) {
		return false
	}
	if whole {
		return strong(s) && !ordinaryID(s)
	}
	if all(s, isHex) && len(s) >= 8 {
		return all(head[len(head)-headLeast:], isHex)
	}
	return looksRandom(s) && !isUUID(s)
}
