package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the search for a value around a name.
const (
	nearBytes  = 120 // after the name
	nearTokens = 9
	keyTokens  = 4
	backBytes  = 96 // before the name
	backTokens = 5
	maxToken   = 96
)

// kind of a byte of a clause.
type kind uint8

const (
	ofGap    kind = iota // blanks, quotation marks, what is masked
	ofValue              // what a value is made of
	ofScript             // what is no ASCII
	ofBreak              // the end of a line
)

var kinds = func() (t [256]kind) {
	for c := range 256 {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = ofScript
		case c == '\n' || c == '\r':
			t[c] = ofBreak
		case c > ' ' && c < 0x7f && !strings.ContainsRune("\"'`<>|\\", rune(c)):
			t[c] = ofValue
		}
	}
	return t
}()

func ofToken(c byte) bool { return kinds[c] == ofValue }

// clause finds what a clause says is the password, the login or the key, whose
// name stands at [at, after): the value somewhere behind the name, or before it
// where the clause says so. It must be beyond doubt by its own look. In a view
// without its line breaks it finds nothing that the other views do not hold.
func (v *view) clause(r *Rule, at, after int) (start, end int, ok bool) {
	if len(v.joins) > 0 || !v.leads(r.lead, at) {
		return 0, 0, false
	}
	s := v.text
	if isAlnum(s[after-1]) { // the rest of the name
		rest := runOf(s[after:min(len(s), after+maxName)], func(c byte) bool { return isAlnum(c) || c == '_' })
		if after += rest; rest == maxName {
			return 0, 0, false
		}
	}
	c := clauseOf{s: s[:min(len(s), after+nearBytes)], sure: surePassword, least: 6, tokens: nearTokens}
	switch r.take {
	case takeLogin:
		c.sure, c.login = sureLogin, true
	case takeKey:
		if after < len(s) && (s[after] == '+' || s[after] == '/' || strings.HasPrefix(s[after:], "---")) { // base64, armor
			return 0, 0, false
		}
		c.sure, c.least, c.tokens = sureKey, leastKey, keyTokens
	}
	start, end, ok = c.behind(after)
	if !ok && r.take != takeLogin {
		start, end, ok = c.before(at)
	}
	return start, end, ok && !v.follows(r.not, at)
}

// leastKey is the least length of a key that nothing but a clause names.
const leastKey = 20

// clauseOf is a text in which a name stands, and what is looked for.
type clauseOf struct {
	s      string
	sure   func(string) bool
	least  int  // bytes
	tokens int  // words up to the value
	login  bool // it may be one word: the user, a colon, the password
}

// behind finds the first word after the byte at that is sure, within the clause.
func (c *clauseOf) behind(at int) (start, end int, ok bool) {
	s := c.s
	tokens := c.tokens
	plain := true // nothing but blanks and signs yet
	for i := at; i < len(s); {
		switch kinds[s[i]] {
		case ofGap:
			i++
			continue
		case ofBreak:
			if !plain {
				return 0, 0, false
			}
			return valueAlone(s, i, c.sure)
		case ofScript:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == '。' || r == '！' || r == '？' {
				return 0, 0, false
			}
			plain = plain && !unicode.IsLetter(r)
			i += n
			continue
		}
		j := i + 1
		for j < len(s) && ofToken(s[j]) {
			j++
		}
		if j-i >= c.least && j-i <= maxToken && (j < len(s) || j-at < nearBytes) { // else it may go on
			if start, end, ok = c.word(i, j); ok {
				return start, end, true
			}
		}
		if last := s[j-1]; (last == '.' || last == '!' || last == '?') && (j == len(s) || s[j] <= ' ') {
			return 0, 0, false
		}
		if j-i > 1 || isAlnum(s[i]) {
			plain = false
			if tokens--; tokens == 0 {
				return 0, 0, false
			}
		}
		i = j
	}
	return 0, 0, false
}

// word is the value in a word.
func (c *clauseOf) word(i, j int) (start, end int, ok bool) {
	for i < j && strings.IndexByte("([{*_,:;=-", c.s[i]) >= 0 {
		i++
	}
	for j > i && strings.IndexByte(".,:;?)]}>*_", c.s[j-1]) >= 0 {
		j--
	}
	word := c.s[i:j]
	if len(word) >= c.least && c.sure(word) {
		return i, j, true
	}
	if c.login {
		if k := strings.IndexByte(word, ':'); k > 0 && k < 32 && all(word[:k], inWord) && !namedID(word) && c.sure(word[k+1:]) {
			return i + k + 1, j, true
		}
	}
	return 0, 0, false
}

// valueAlone finds a value that has the line after its name to itself.
func valueAlone(s string, at int, sure func(string) bool) (start, end int, ok bool) {
	start = at + len(s[at:]) - len(strings.TrimLeft(s[at:], "\r\n \t"))
	if strings.Count(s[at:start], "\n") > 2 {
		return 0, 0, false
	}
	end = start
	for end < len(s) && ofToken(s[end]) {
		end++
	}
	if rest := strings.TrimLeft(s[end:], " \t"); rest != "" && rest[0] != '\n' && rest[0] != '\r' || start == end || !sure(s[start:end]) {
		return 0, 0, false
	}
	return start, end, true
}

// asWords say in front of a name that what stands before is the value.
var asWords = [...]string{"as", "als", "comme", "como", "come", "как", "як", "jako", "som", "olarak", "is", "ist", "作为", "作為", "当", "当作", "當", "为", "を", "로", "으로"}

// before finds "X as the password" and "X, the root password" before the byte at.
func (c *clauseOf) before(at int) (start, end int, ok bool) {
	s := c.s
	from := max(0, at-backBytes)
	if i := strings.LastIndexByte(s[from:at], '\n'); i >= 0 {
		from += i + 1
	}
	if at-from < c.least || s[at-1] != ' ' && s[at-1] < utf8.RuneSelf || !digit(s[from:at]) {
		return 0, 0, false
	}
	says := false
	i := at
	for range backTokens {
		for i > from && (!ofToken(s[i-1]) && s[i-1] < utf8.RuneSelf) {
			i--
		}
		j := i
		for i > from && (s[i-1] >= utf8.RuneSelf || ofToken(s[i-1])) {
			i--
		}
		word := s[i:j]
		if word == "" || i == from && from > 0 && s[from-1] != '\n' {
			return 0, 0, false // it may begin before
		}
		tail := strings.TrimRightFunc(word, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) })
		if tail != word { // a script without blanks, or a word of another one
			k := strings.TrimSpace(word[len(tail):])
			says = says || slices.Contains(asWords[:], k)
			if tail == "" {
				continue
			}
			word = tail
		}
		if k := strings.LastIndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }); k >= 0 {
			_, n := utf8.DecodeRuneInString(word[k:])
			word, i = word[k+n:], i+k+n
		}
		lead := len(word) - len(strings.TrimLeft(word, "([{*_"))
		n := len(strings.TrimRight(word, ".,:;?)]}>*_"))
		if lead < n && c.sure(word[lead:n]) {
			if !says && (c.least == leastKey || n == len(word) || word[n] != ',') {
				return 0, 0, false
			}
			return i + lead, i + n, true
		}
		if !all(word, func(c byte) bool { return isUpper(c) || isLower(c) || c == '-' }) {
			return 0, 0, false
		}
		says = says || slices.Contains(asWords[:], strings.ToLower(word))
	}
	return 0, 0, false
}

// surePassword reports a word that is nothing but a password: it mixes letters
// of both cases, or signs, with digits, and is no name.
func surePassword(s string) bool {
	if len(s) < 6 || len(s) > 64 || !upper(s) && !lower(s) || !digit(s) && (!upper(s) || !lower(s) || !signed(s[1:len(s)-1]) || !looksRandom(s)) || has(s, func(c byte) bool { return strings.IndexByte("()[]{}/|;,", c) >= 0 }) {
		return false
	}
	if i := strings.IndexAny(s, "=:"); i > 0 && i < len(s)-1 && all(s[:i], inWord) {
		return false // a name and its value
	}
	if strings.IndexByte("-#%$&=", s[0]) >= 0 || strings.Contains(s, "@") && strings.Contains(s, ".") || placeholder(s) || filler(s) || namedID(s) || ordinaryID(s) || identifier(s) || named(s) || technical(s) || standsFor(s) {
		return false
	}
	signs := has(s, func(c byte) bool { return strings.IndexByte("!@#$%^&*~+?=", c) >= 0 })
	if upper(s) && lower(s) {
		return signs && len(s) >= 8 || looksRandom(s) && !camelName(s)
	}
	return len(s) >= 8 && signed(s[1:]) && !measure(s)
}

// signed reports one of the signs that stand in passwords and in few words else.
func signed(s string) bool { return strings.ContainsAny(s, "!$%^&*~") }

// sureLogin is surePassword where less is said of what follows.
func sureLogin(s string) bool {
	return surePassword(s) && len(s) >= 8 && (strong(s) || upper(s) && lower(s) && (signed(s) || strings.ContainsAny(s, "@#")))
}

// sureKey reports a word that is nothing but a key.
func sureKey(s string) bool {
	if len(s) < 20 || len(s) > maxToken || !all(s, func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=_-.~", c) >= 0 }) {
		return false
	}
	return distinctive(s) && !placeholder(s) && !filler(s) && !namedID(s) && !named(s) && !wordy(s) && !strings.HasPrefix(s, "AAAA") && !strings.Contains(s, "//")
}

// wordy reports names of code that are long enough for a key: at least half of
// one is words.
func wordy(s string) bool {
	n := 0
	for i := 0; i < len(s); {
		j := i + 1
		for j < len(s) && isLower(s[j]) {
			j++
		}
		switch w := s[i:j]; {
		case len(w) >= 4 && longestConsonants(w) < 4, w == "Key", w == "Hex", w == "Pem", w == "Der", w == "New", w == "Api", w == "Url":
			n += len(w)
		}
		i = j
	}
	return 2*n >= len(s)
}

// camelName reports names such as OAuth2Token and Sha256Sum: what is between
// the digits and the capitals are words.
func camelName(s string) bool {
	words := 0
	for i := 0; i < len(s); {
		if !isUpper(s[i]) && !isLower(s[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(s) && isLower(s[j]) {
			j++
		}
		if j == i+1 { // capitals, or a letter alone
			for j < len(s) && isUpper(s[j]) && (j+1 == len(s) || !isLower(s[j+1])) {
				j++
			}
			if j-i > 5 || isLower(s[i]) && j-i == 1 && i > 0 {
				return false
			}
		} else if w := s[i:j]; len(w) < 3 || longestConsonants(w) >= 4 || longestConsonants(w) == len(w) {
			return false
		} else {
			words++
		}
		i = j
	}
	return words > 0
}
