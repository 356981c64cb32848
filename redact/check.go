package redact

import (
	"encoding/base64"
	"math"
	"slices"
	"strings"
)

// accept reports whether what a pattern found is a secret by its own look.
// before is the matched text up to it; flag says that the name is a command
// line flag.
func accept(c check, secret, before string, flag bool) bool {
	switch c {
	case checkNone:
		return true
	case checkToken:
		return !filler(secret)
	case checkMixed, checkQuery:
		return !filler(secret) && !placeholder(secret) && mixed(secret)
	case checkSettingValue:
		return acceptSetting(secret, "=", true)
	case checkNoHash:
		return !filler(secret) && !placeholder(secret) && mixed(secret) && !ordinaryID(secret)
	case checkBase64:
		return upper(secret) && lower(secret) && digit(secret)
	case checkURL:
		return acceptURL(secret)
	case checkHeader:
		return acceptHeader(secret)
	case checkSetting:
		return acceptSetting(secret, before, flag)
	case checkPassword:
		return acceptPassword(secret, before, flag)
	case checkProse:
		return acceptProse(secret, false)
	case checkPlain:
		return acceptProse(secret, true)
	case checkArgument:
		return acceptArgument(secret)
	case checkPiece:
		return acceptPiece(secret)
	case checkCode:
		return len(secret) != 4 || secret[:2] != "19" && secret[:2] != "20"
	case checkBareWord:
		return acceptBareWords(secret)
	case checkWord:
		return acceptWord(secret)
	case checkEncoded:
		return acceptEncoded(secret)
	case checkEnv:
		return acceptEnv(secret)
	case checkGroups:
		plain := strings.ReplaceAll(secret, " ", "")
		return !lower(plain) || digit(plain) || longestConsonants(plain) >= 5
	case checkPartial:
		return !filler(secret) && !placeholder(secret) && strong(secret)
	}
	return true
}

// acceptPhrase reports whether what is quoted behind the name of a password is
// one of several words: each has a digit, or the name says that it is a phrase.
func acceptPhrase(s, name string) bool {
	words := strings.Fields(s)
	if strings.Contains(strings.ToLower(name), "phrase") && len(words) >= 3 && all(strings.Join(words, ""), isLower) {
		return !slices.ContainsFunc(words, func(w string) bool { return !seedWord(w) || aboutPassword(w) })
	}
	for _, w := range words {
		if len(w) < 4 || !digit(w) || !upper(w) && !lower(w) {
			return false
		}
	}
	return looksRandom(strings.Join(words, ""))
}

// acceptEnv reports whether the value of a variable named after a password is
// one: any word will do that says nothing about passwords.
func acceptEnv(s string) bool {
	return !placeholder(s) && !codeLike(s) && !strings.ContainsAny(s, "/\\") && !strings.HasPrefix(s, "-") && acceptWord(s)
}

// acceptEncoded reports whether base64 that begins with the start of a key goes
// on as one. Its first characters may be those of what stands before the key.
func acceptEncoded(s string) bool {
	const (
		look = 28 // characters
		key  = 16 // bytes that are of the key
	)
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	for _, before := range [...]string{"", "AA", "AAA"} {
		text := before + plain[:min(len(plain), look)]
		b, err := base64.RawStdEncoding.DecodeString(text[:len(text)/4*4])
		if err == nil && len(b) >= len(before)+key && all(string(b[len(before):len(before)+key]), inWord) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func has(s string, in func(byte) bool) bool {
	for i := range len(s) {
		if in(s[i]) {
			return true
		}
	}
	return false
}

func all(s string, in func(byte) bool) bool {
	for i := range len(s) {
		if !in(s[i]) {
			return false
		}
	}
	return true
}

func upper(s string) bool { return has(s, isUpper) }
func lower(s string) bool { return has(s, isLower) }
func digit(s string) bool { return has(s, isDigit) }

// mixed reports whether letters and digits, or the cases of letters inside
// words, are mixed.
func mixed(s string) bool {
	return digit(s) && (upper(s) || lower(s)) || looksRandom(s) || jumbled(s)
}

// jumbled reports letters alone whose case changes as in no name: again and
// again, and in runs of capitals.
func jumbled(s string) bool {
	changes, run, longest := 0, 0, 0
	for i := range len(s) {
		up, low := s[i]-'A' < 26, s[i]-'a' < 26
		if i > 0 && (up && s[i-1]-'a' < 26 || low && s[i-1]-'A' < 26) {
			changes++
		}
		if run++; !up {
			run = 0
		}
		longest = max(longest, run)
	}
	return len(s) >= 16 && changes >= 5 && longest >= 2
}

// filler reports a run of one filling character, as in sk-xxxxxxxx.
func filler(s string) bool {
	n := 0
	for i := range len(s) {
		if i > 0 && s[i] == s[i-1] && strings.IndexByte("xX*.0-_?", s[i]) >= 0 {
			n++
			if n >= 5 {
				return true
			}
		} else {
			n = 0
		}
	}
	return false
}

// placeholder reports values that stand for a secret.
func placeholder(s string) bool {
	if s == "" || strings.IndexByte("$<{%[", s[0]) >= 0 && !strings.HasPrefix(s, "%2") {
		return true
	}
	l := strings.ToLower(s)
	for _, w := range [...]string{
		"change_me", "change-me", "****", "....", "${", "{{", "<token", "process.env", "os.environ", "getenv", "{env:", "{file:", "secrets.", "_here", "-here", "not-a-", "placeholder", "changeme", "redacted",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	if strings.Contains(s, "xxxx") || strings.Contains(s, "XXXX") {
		return true
	}
	for _, w := range [...]string{"your", "example", "insert", "dummy", "replace", "todo", "sample", "fake"} {
		if standsApart(l, w) {
			return true
		}
	}
	return false
}

// standsApart reports whether a word begins or ends at an edge, one of four
// letters begins and is no part of a longer run of letters and digits behind it
// unless it begins the whole: in the middle of a key it is chance.
func standsApart(s, w string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], w)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(w)
		before, after := i == 0 || !isAlnum(s[i-1]), from == len(s) || !isAlnum(s[from])
		if before && (after || i == 0 || len(w) > 4 || w == "your") || after && len(w) > 4 {
			return true
		}
	}
}

// namedID reports values whose prefix says that they are a digest or the id of
// a session, message, call or run.
func namedID(s string) bool {
	for _, p := range []string{"ses_", "msg_", "prt_", "call_", "toolu_", "chatcmpl-", "req_", "run_", "thread_", "resp_", "sha256:", "sha256-", "sha512-", "sha1-", "h1:"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// ordinaryID reports digests, UUIDs and the ids of sessions and messages.
func ordinaryID(s string) bool {
	if namedID(s) {
		return true
	}
	switch len(s) {
	case 32, 40, 64:
		return all(s, isHex)
	}
	return isUUID(s)
}

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && all(strings.ReplaceAll(s, "-", ""), isHex)
}

// entropy is the bits per byte of s.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// looksRandom reports whether s is no word, no identifier and no path: digits
// among letters, capitals inside words, or letters without vowels.
func looksRandom(s string) bool {
	for piece := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < 128 && !isAlnum(byte(r)) }) { //nolint:gosec // ASCII
		if randomPiece(piece) {
			return true
		}
	}
	// Symbols between all of it: short pieces, many kinds.
	return len(s) >= 10 && digit(s) && upper(s) && lower(s) && entropy(s) >= 3
}

// belongs reports whether s, at the start of the line after a secret, is the
// rest of head and no word. It is generous: it is asked only next to a secret.
func belongs(head, s string) bool {
	if i := strings.IndexAny(s, "=:"); i > 2 && settingName(s[:i]) && !settingName(head) {
		return false
	}
	if strings.HasSuffix(s, "=") {
		return true
	}
	s = strings.TrimRight(s, ".:!?")
	if len(s) < 3 {
		return false
	}
	letters := upper(s) || lower(s)
	switch {
	case digit(s) && letters:
		return true
	case !letters:
		return len(s) >= 4
	case !lower(s) && (!lower(head) || strings.Contains(s, "_")):
		return true
	case lower(s) && upper(s[1:]):
		return true
	}
	return looksRandom(s) || longestConsonants(s) >= 5
}

// settingName reports the name of a variable of the environment.
func settingName(s string) bool {
	return !lower(s) && isUpper(s[0]) && strings.Contains(s, "_") && all(s, func(c byte) bool { return isAlnum(c) || c == '_' })
}

func longestConsonants(s string) int {
	n, longest := 0, 0
	for i := range len(s) {
		c := s[i] | 0x20
		if isLower(c) && strings.IndexByte("aeiouy", c) < 0 {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}

func randomPiece(p string) bool {
	if len(p) < 4 {
		return false
	}
	var digits, turns, humps, capitals int
	longest := longestConsonants(p)
	for i := range len(p) {
		c := p[i]
		if isDigit(c) {
			digits++
		}
		if isUpper(c) {
			capitals++
		}
		if i > 0 {
			if isDigit(c) != isDigit(p[i-1]) {
				turns++
			}
			if isUpper(c) && isLower(p[i-1]) {
				humps++
			}
		}
	}
	letters := len(p) - digits
	switch {
	case digits > 0 && letters > 0 && turns >= 2:
		return len(p) >= 6
	case digits > 0 && letters > 0:
		// A word with a number at one end is still a word.
		return len(p) >= 8 && (digits >= 5 && capitals > 0 || randomPiece(strings.Trim(p, digitChars)))
	case digits == len(p):
		return len(p) >= 12
	case humps > 0 && len(p)/(humps+1) < 4:
		return len(p) >= 6
	case capitals > 1 && capitals < len(p) && longest >= 5:
		return true
	}
	return len(p) >= 8 && longest >= 6
}

// openingQuote is the length of the quote that the value begins with.
func openingQuote(s string) int {
	i := 0
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		return i + 1
	}
	if i == 0 && strings.HasPrefix(s, "%22") {
		return 3
	}
	return 0
}

// assigned reports whether a sign of assignment or "is" stands before the
// value, or the name is a flag.
func assigned(before string, flag bool) bool {
	tail := before[max(0, len(before)-8):]
	return flag || strings.ContainsAny(tail, "=:：＝") || strings.Contains(strings.ToLower(tail), "%3") || strings.Contains(tail, " is ") || quoted(before)
}

func quoted(before string) bool {
	return before != "" && strings.IndexByte("\"'`", before[len(before)-1]) >= 0 || strings.HasSuffix(before, "%22")
}

func acceptURL(s string) bool {
	if len(s) < 3 || placeholder(s) || filler(s) {
		return false
	}
	if port, _, ok := strings.Cut(s, "/"); ok && all(port, isDigit) {
		return false
	}
	switch strings.ToLower(s) {
	case "password", "pass", "pwd", "passwd", "secret", "token", "pw", "user", "username":
		return false
	}
	return true
}

func acceptHeader(s string) bool {
	if placeholder(s) || filler(s) {
		return false
	}
	for pair := range strings.SplitSeq(s, ";") {
		pair = strings.TrimSpace(pair)
		v := pair
		if name, after, ok := strings.Cut(pair, "="); ok && strings.Trim(after, "=") != "" {
			if strong(name) { // no name: base64 and what was written behind it
				return true
			}
			v = after
		}
		if looksRandom(v) || looksRandom(strings.TrimRight(pair, "=")) && v != pair && strings.HasPrefix(v, "=") || len(v) >= 8 && digit(v) && (upper(v) || lower(v)) {
			return true
		}
	}
	return false
}

// codeLike reports values that are an expression and no literal.
func codeLike(s string) bool {
	return strings.ContainsAny(s, "([") || strings.Contains(s, "://") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "--")
}

// identifier reports names of code: several words in one, a number at most at
// the end.
func identifier(s string) bool {
	words, start := 0, 0
	for i := range len(s) + 1 {
		if i == len(s) || s[i] == '_' || s[i] == '-' || s[i] == '.' || i > 0 && isUpper(s[i]) && isLower(s[i-1]) {
			piece := strings.Trim(s[start:i], "_-.")
			if !all(piece, isAlnum) || randomPiece(strings.TrimRight(piece, digitChars)) || digit(strings.TrimRight(piece, digitChars)) {
				return false
			}
			if piece != "" {
				words++
			}
			start = i
		}
	}
	return words > 1 && len(s) >= 4*words
}

const digitChars = "0123456789"

// pieces are the runs of letters and digits in s.
func pieces(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 128 && !isAlnum(byte(r)) }) //nolint:gosec // ASCII
}

// named reports versions, dates, file positions and the names of resources: all
// pieces are words or numbers, but for a short digest at the end.
func named(s string) bool {
	if len(s) > 2 && s[0] == 'v' && isDigit(s[1]) && strings.Contains(s, ".") {
		return true
	}
	parts := pieces(s)
	if len(parts) < 3 {
		return false
	}
	for i, p := range parts {
		if i == len(parts)-1 && len(p) <= 12 && all(p, isHex) {
			return true
		}
		if randomPiece(p) {
			return false
		}
	}
	return !has(s, func(c byte) bool { return strings.IndexByte("!@#$%^&*+=?~", c) >= 0 })
}

// strong reports one long run in which digits and letters of both cases are
// mixed.
func strong(s string) bool {
	for _, p := range pieces(s) {
		if len(p) >= 14 && digit(p) && upper(p) && lower(p) && randomPiece(p) && !identifier(p) {
			return true
		}
	}
	return false
}

// distinctive reports what is random beyond doubt: one long run, or a longer one
// of several pieces.
func distinctive(s string) bool {
	return strong(s) || len(s) >= 24 && digit(s) && upper(s) && lower(s) && entropy(s) >= 4 && !wordy(s) && !identifier(s)
}

// distinct reports a key that is one without a look at what stands before it.
func distinct(s string) bool {
	if distinctive(s) {
		return true
	}
	for _, p := range pieces(s) {
		switch {
		case len(p) >= 16 && digit(p) && (upper(p) || lower(p)) && randomPiece(p) && (len(s) > len(p)+2 || len(p) >= 32):
			return true
		case len(p) >= 30 && upper(p) && lower(p) && randomPiece(p):
			return true
		}
	}
	return upper(s) && !lower(s) && len(s) >= 20 && digit(s)
}

// wordlike reports the start of a value that reads as a word or a name.
func wordlike(s string) bool {
	return s != "" && !digit(s) && !has(s[1:], isUpper) && longestConsonants(s) < 4
}

func acceptSetting(s, before string, flag bool) bool {
	if placeholder(s) || filler(s) || codeLike(s) || len(s) < 8 || namedID(s) || named(s) {
		return false
	}
	if !quoted(before) && identifier(s) {
		return false
	}
	if !assigned(before, flag) {
		return strong(s)
	}
	return looksRandom(s)
}

func acceptPassword(s, before string, flag bool) bool {
	if placeholder(s) || filler(s) || len(s) < 6 || strings.Contains(s, "://") {
		return false
	}
	isQuoted := quoted(before)
	if plain := strings.Trim(s, "*_`"); plain != s && !digit(plain) && all(plain, isLower) {
		return false // a word that is marked
	}
	if namedID(s) || !isQuoted && (codeLike(s) || identifier(s) || named(s) || isUUID(s)) {
		return false
	}
	if isQuoted && strings.HasPrefix(s, "/") && !looksRandom(s) {
		return false
	}
	if !isQuoted && !flag && strings.Contains(before[max(0, len(before)-8):], " is ") {
		return acceptProse(s, false)
	}
	letters := upper(s) || lower(s)
	symbols := has(s, func(c byte) bool { return strings.IndexByte("!@#$%^&*+=?~", c) >= 0 })
	switch {
	case !assigned(before, flag):
		return strong(s) || len(s) >= 8 && len(s) <= 32 && letters && digit(s) && symbols
	case digit(s) && letters, symbols && letters && !strings.HasSuffix(s, "=") && !strings.HasSuffix(s, "?"):
		return true
	case digit(s) && isQuoted:
		return true
	}
	return looksRandom(s)
}
