package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
)

// Tags of the user prompt.
const (
	tagEvidence = "evidence"
	tagAsked    = "asked"
	tagAnswered = "answered"
	tagMarks    = "marks"
	tagOwnWords = "ownwords" // written own-words; hyphens do not count
)

// reserved are the words that no tag in quoted text may carry, as fold writes
// them.
func reserved() [9]string {
	return [...]string{
		tagEvidence, tagAsked, tagAnswered, tagMarks, tagOwnWords,
		string(recap.FieldRecap), string(recap.FieldSuggestion), string(recap.FieldAway), string(recap.FieldDigest),
	}
}

// calm stands for the sign that was taken away.
const calm = "\u00b7"

// blockHeading begins the block of past sessions that a new session gets.
const blockHeading = "recentsessions"

// maxFolded bounds how far a word is looked for behind a sign.
const maxFolded = 48

// Calm gives text of a session in the form in which it may be quoted in a
// fence: normalised, line breaks as \n, no control, escape, direction or hidden
// characters, and none of the tags, keys and headings that a prompt or a reply
// of ours is made of, in any spelling that looks the same. Such a text keeps
// its length: its first sign is replaced.
func Calm(s string) string {
	s = Normalize(s)
	if strings.IndexFunc(s, suspect) < 0 {
		return strings.TrimSpace(s)
	}
	if hides(s) {
		s = Normalize(recap.Safe(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")))
	}
	var b strings.Builder
	done := 0
	lineStart := true
	for i, r := range s {
		sign := calm
		switch {
		case r == '&' && entity(s[i:]) && named(s[i+1+strings.IndexByte(s[i+1:], ';')+1:]):
			sign = "+"
		case opens(r) && named(s[i+utf8.RuneLen(r):]):
		case quotes(r) && key(s[i+utf8.RuneLen(r):]):
		case lineStart && (r == '#' || r == '＃') && headed(s[i:]):
		case hidden(r):
			sign = ""
		default:
			lineStart = r == '\n' || lineStart && (unicode.IsSpace(r) || r == '>')
			continue
		}
		b.WriteString(s[done:i])
		b.WriteString(sign)
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return strings.TrimSpace(s)
	}
	b.WriteString(s[done:])
	return strings.TrimSpace(Normalize(b.String()))
}

// suspect reports whether a character asks for a closer look.
func suspect(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '<' || r == '&' || r == '#' || r == '"' || r == '\''
	}
	return r < 0xa0 || opens(r) || quotes(r) || r == '＃' || hidden(r) || direction(r)
}

// hides reports whether recap.Safe would change the text.
func hides(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || direction(r)
	})
}

func direction(r rune) bool {
	switch {
	case r < 0x61c:
		return false
	case r == 0x061c || r == 0x200e || r == 0x200f || r == 0xfeff:
		return true
	}
	return r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f
}

// hidden are characters that print nothing and join nothing.
func hidden(r rune) bool {
	switch r {
	case 0xad, 0x200b, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x180e, 0x034f:
		return true
	}
	return false
}

// opens are the characters that look like what opens a tag.
func opens(r rune) bool {
	switch r {
	case '<', '\u2039', '\u00ab', '\u02c2', '\u1438', '\u2264', '\u226a', '\u22d6', '\u2329', '\u276e', '\u2770', '\u27e8', '\u27ea',
		'\u2a7d', '\u3008', '\u300a', '\ufe3d', '\ufe3f', '\ufe64', '\uff1c', '\u16b2', '\u2991', '\u29fc', '\u226e', '\u25c1', '\u25c0', '\u2c1d':
		return true
	}
	return false
}

// quotes are the characters that look like what opens a key.
func quotes(r rune) bool {
	switch r {
	case '"', '\'', '`', '\u2018', '\u201b', '\u201c', '\u201d', '\u201e', '\u201f', '\u2033', '\u02ba', '\u3003', '\uff02', '\uff07', '\u301d', '\u301e', '\u275d':
		return true
	}
	return false
}

// entity reports whether s begins with an HTML spelling of <.
func entity(s string) bool {
	end := strings.IndexByte(s[:min(len(s), 12)], ';')
	if end < 0 {
		return false
	}
	switch strings.TrimLeft(strings.ToLower(s[1:end]), "#0x") {
	case "lt", "60", "3c", "laquo", "lang", "lsaquo":
		return true
	}
	return false
}

// named reports whether what follows an opening sign is one of our tags. Where
// a blank parts the two it is one only with a slash or with its closing sign:
// "a < marks" is a comparison.
func named(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	w := word(s, false)
	for _, name := range reserved() {
		end, ok := w.cut(name)
		switch {
		case !ok, letter(w.at(end)):
		case !unicode.IsSpace(first), w.at(w.skip(end, " ")) == '>', slashed(s):
			return true
		}
	}
	return false
}

// slashed reports whether a slash stands before the first word.
func slashed(s string) bool {
	i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
	if i < 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return slash(r) || r == '\\'
}

// headed reports whether our heading begins here.
func headed(s string) bool {
	w := word(s, true)
	_, ok := w.cut(blockHeading)
	return ok
}

// key reports whether what follows an opening quote is one of our keys, with
// its quote and its colon.
func key(s string) bool {
	w := word(s, false)
	for _, r := range rules() {
		end, ok := w.cut(string(r.field))
		quote := w.skip(end, " \\")
		if ok && w.at(quote) == '"' && w.at(w.skip(quote+1, " ")) == ':' {
			return true
		}
	}
	return false
}

func letter(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// folded is the beginning of a text as word gives it.
type folded struct {
	buf [maxFolded]byte
	n   int
}

// at gives the byte at i, 0 behind the end.
func (f *folded) at(i int) byte {
	if i < f.n {
		return f.buf[i]
	}
	return 0
}

// skip gives the first place at or after i that holds none of the bytes.
func (f *folded) skip(i int, none string) int {
	for i < f.n && strings.IndexByte(none, f.buf[i]) >= 0 {
		i++
	}
	return i
}

// cut looks for a name at the beginning; blanks may part its letters. It gives
// the place behind the name.
func (f *folded) cut(name string) (end int, ok bool) {
	i := 0
	for j := range len(name) {
		if i = f.skip(i, " "); f.at(i) != name[j] {
			return 0, false
		}
		i++
	}
	return i, true
}

// firstLetters are those of all reserved words and of the heading.
const firstLetters = "eamorsd"

// word folds the beginning of s: letters that look like ASCII letters become
// those, other signs of the markers their ASCII form, blanks one blank. Hyphens,
// slashes, marks and what prints nothing are left out. It stops at what can be
// no part of a marker: that becomes a full stop.
func word(s string, heading bool) (f folded) {
	looked := 0
	for _, r := range s {
		if looked++; looked > 3*maxFolded || f.n > maxFolded-8 {
			break
		}
		n := f.n
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == ':':
			f.add(byte(r)) //nolint:gosec // ASCII
		case r >= 'A' && r <= 'Z':
			f.add(byte(r) + 'a' - 'A')
		case quotes(r):
			f.add('"')
		case r == '\\' && n > 0:
			f.add('\\')
		case r == '\\':
		case closes(r):
			f.add('>')
		case unicode.IsSpace(r) && r != '\n':
			if n > 0 && f.buf[n-1] != ' ' {
				f.add(' ')
			}
		case ignored(r), heading && (r == '#' || r == '＃'):
		default:
			f.fold(r)
		}
		if n == 0 && f.n > 0 && strings.IndexByte(firstLetters, f.buf[0]) < 0 || f.n > 0 && f.buf[f.n-1] == '.' {
			break
		}
	}
	return f
}

func (f *folded) add(c byte) {
	f.buf[f.n] = c
	f.n++
}

// fold adds the ASCII letters that r looks like, a full stop where none.
func (f *folded) fold(r rune) {
	if c, ok := lookAlike(unicode.ToLower(r)); ok {
		f.add(c)
		return
	}
	switch {
	case r < utf8.RuneSelf, r >= 0x3040 && r < 0x3100, r >= 0x3400 && r < 0xa000, r >= 0xac00 && r < 0xd7a4: // Kana, Han, Hangul
		f.add('.')
		return
	}
	n := f.n
	for i, d := range norm.NFKD.String(string(r)) {
		d = unicode.ToLower(d)
		c, alike := lookAlike(d)
		switch {
		case i >= 8*utf8.UTFMax || f.n > maxFolded-2:
			return
		case d >= 'a' && d <= 'z', d >= '0' && d <= '9', d == ':', d == '"', d == '>':
			f.add(byte(d)) //nolint:gosec // ASCII
		case unicode.Is(unicode.Mn, d):
		case alike:
			f.add(c)
		default:
			f.add('.')
			return
		}
	}
	if f.n == n {
		f.add('.')
	}
}

// ignored are the characters that do not keep a marker from being read.
func ignored(r rune) bool {
	switch r {
	case '-', '_', '|', '*', '\u2212':
		return true
	}
	return slash(r) || r >= utf8.RuneSelf && (unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Pd, unicode.Zs) || hidden(r))
}

// slash are the characters that look like a slash.
func slash(r rune) bool {
	switch r {
	case '/', '\u2044', '\u2215', '\u29f8', '\uff0f', '\u2571', '\u27cb', '\u1735':
		return true
	}
	return false
}

// closes are the characters that look like what closes a tag.
func closes(r rune) bool {
	switch r {
	case '>', '\u203a', '\u00bb', '\u02c3', '\u1433', '\u2265', '\u226b', '\u22d7', '\u232a', '\u276f', '\u2771', '\u27e9', '\u27eb',
		'\u3009', '\u300b', '\ufe65', '\uff1e', '\u2992', '\u29fd', '\u226f', '\u25b7', '\u25b6':
		return true
	}
	return false
}

// lookAlike gives the ASCII letter that a letter of another script looks like.
func lookAlike(r rune) (letter byte, ok bool) {
	switch r {
	case 'а', 'α', 'ɑ', 'ᴀ':
		return 'a', true
	case 'с', 'ᴄ', 'ϲ':
		return 'c', true
	case 'ԁ', 'ժ', 'ᴅ':
		return 'd', true
	case 'е', 'є', 'ε', 'ҽ', 'ᴇ':
		return 'e', true
	case 'ɡ', 'ɢ':
		return 'g', true
	case 'і', 'ι', 'ı', 'ɩ', 'ǃ':
		return 'i', true
	case 'к', 'κ', 'ᴋ':
		return 'k', true
	case 'м', 'ᴍ':
		return 'm', true
	case 'п', 'ո', 'η', 'ɴ':
		return 'n', true
	case 'о', 'ο', 'σ', 'օ', 'ᴏ':
		return 'o', true
	case 'р', 'ρ', 'ᴘ':
		return 'p', true
	case 'г', 'ʀ':
		return 'r', true
	case 'ѕ', 'ꜱ':
		return 's', true
	case 'т', 'τ', 'ᴛ':
		return 't', true
	case 'υ', 'ս', 'ᴜ':
		return 'u', true
	case 'ѵ', 'ν', 'ᴠ':
		return 'v', true
	case 'ԝ', 'ω', 'ш', 'ᴡ':
		return 'w', true
	case 'у', 'γ', 'ʏ':
		return 'y', true
	case '∶', 'ː', '꞉', '：':
		return ':', true
	}
	return 0, false
}
