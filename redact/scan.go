package redact

import (
	"slices"
	"strings"
	"sync"
)

// compiled is the rule table made ready: the search for all keywords and the
// patterns.
type compiled struct {
	rules    []*Rule
	patterns []pattern
	byID     map[string]int // the first rule of each id
	keywords *finder
	uses     []use   // of the first keyword, of the second and so on
	first    []int   // of each keyword: where its uses begin
	told     []int32 // of each keyword: the rule of keys that are looked for in two pieces, plus 1
}

// use is a rule that has a keyword, and which of its keywords that is.
type use struct{ rule, keyword int32 }

// table is made at the first call: a process that redacts nothing pays nothing.
var table = sync.OnceValue(newTable)

func newTable() *compiled {
	n := len(ruleTable) + len(proseTable) + len(contextTable)
	c := &compiled{rules: make([]*Rule, 0, n), patterns: make([]pattern, n), byID: make(map[string]int, n)}
	all := 0
	for _, t := range [...][]Rule{ruleTable[:], proseTable[:], contextTable[:]} {
		for i := range t {
			c.rules = append(c.rules, &t[i])
			all += len(t[i].Keywords)
		}
	}
	index := make(map[string]int32, all)
	words := make([]string, 0, all)
	least := make([]int, 0, all) // that each rule of the keyword wants before it
	ids := make([]int32, 0, all) // of the keywords of the rules
	c.first = make([]int, all+1)
	for i, r := range c.rules {
		if _, ok := c.byID[r.ID]; !ok {
			c.byID[r.ID] = i
		}
		for _, k := range r.Keywords {
			id, ok := index[k]
			if !ok {
				id = int32(len(words)) //nolint:gosec // a few hundred
				index[k] = id
				words = append(words, k)
				least = append(least, r.least)
			}
			if r.back != backDigits && r.back != backWord && r.back != backAlnum {
				least[id] = 0
			}
			least[id] = min(least[id], r.least)
			ids = append(ids, id)
			c.first[id+1]++
		}
	}
	for i := range words {
		c.first[i+1] += c.first[i]
	}
	c.uses, c.told = make([]use, all), make([]int32, len(words))
	next := slices.Clone(c.first)
	at := 0
	for i, r := range c.rules {
		for nth := range r.Keywords {
			id := ids[at]
			at++
			c.uses[next[id]] = use{int32(i), int32(nth)}
			if (r.folds || r.glues) && r.back == backNone && c.told[id] == 0 {
				c.told[id] = int32(i) + 1
			}
			next[id]++
		}
	}
	c.keywords = newFinder(words, least)
	return c
}

// usesOf are the rules that have the keyword.
func (c *compiled) usesOf(word int) []use { return c.uses[c.first[word]:c.first[word+1]] }

// Rules returns a copy of the rule table.
func Rules() []Rule {
	return slices.Concat(ruleTable[:], proseTable[:], contextTable[:])
}

// scan finds the secrets that are not masked yet.
func (d *document) scan() []span {
	raw := d.rawView()
	found := raw.rests(raw.scan(nil))
	flat, broken := raw.joined()
	if broken {
		found = flat.scan(found)
	}
	line := raw // as it would stand on one line
	if bare, ok := raw.bare(); ok {
		found = bare.scan(found)
		line = bare
	}
	if broken {
		if bare, ok := flat.bare(); ok {
			found = bare.scan(found)
		}
	}
	if folded, ok := line.folded(); ok {
		found = folded.scanFolded(found)
	}
	return found
}

// scan appends the stretches of the document that the rules match in the view.
func (v *view) scan(found []span) []span {
	t := table()
	var skip []int // a rule does not look again inside its own match
	for _, k := range v.words {
		at := k.start
		for _, u := range t.usesOf(k.word) {
			r := int(u.rule)
			rule := t.rules[r]
			if rule.take >= takePassword && len(v.joins) > 0 || skip != nil && at < skip[r] || v.unedited(rule, at) {
				continue
			}
			after := at + t.keywords.length[k.word]
			if !rule.take.clause() && !t.patterns[r].mayMatch(rule, int(u.keyword), v.text[after:min(len(v.text), at+rule.far())]) {
				continue
			}
			if rule.take != takeMatch {
				values, end := v.take(rule, at, after)
				for _, value := range values {
					found = append(found, v.pieces(value[0], value[1], r)...)
				}
				if skip == nil && end > at {
					skip = make([]int, len(t.rules))
				}
				if end > at {
					skip[r] = end
				}
				continue
			}
			start, end, ok := v.try(r, at, len(v.text))
			if !ok {
				continue
			}
			if skip == nil {
				skip = make([]int, len(t.rules))
			}
			skip[r] = end
			if !t.rules[r].block {
				end = v.trim(r, at, start, end)
			}
			if v.proseOver(t.rules[r].check, start, end) {
				continue
			}
			found = append(found, v.pieces(start, end, r)...)
			if n := v.behindBlank(start, end); n > 0 && !rule.block {
				found = append(found, v.pieces(end+1, end+1+n, r)...)
			}
		}
	}
	return found
}

// take gives what a name at [at, after) leads to. The rule does not look again
// before the byte end.
func (v *view) take(r *Rule, at, after int) (values [][2]int, end int) {
	var start int
	ok := false
	switch r.take {
	case takeManifest:
		return v.manifest(at)
	case takeSeed:
		start, end, ok = v.seedWords(after)
	default:
		start, end, ok = v.clause(r, at, after)
	}
	if !ok {
		return nil, 0
	}
	return [][2]int{{start, end}}, max(after, end)
}

// far is how many bytes after the start of a keyword the pattern sees.
func (r *Rule) far() int {
	if r.reach == 0 {
		return defaultReach
	}
	return r.reach
}

// try applies a rule at a keyword; the match must end at limit or before.
func (v *view) try(rule, at, limit int) (start, end int, ok bool) {
	t := table()
	r := t.rules[rule]
	from := v.stepBack(r.back, at)
	glued := !v.leads(r.lead, from)
	if at-from < r.least || glued && (!r.glues || !v.gluedTo(from)) || !v.isNear(r.near, from) || v.follows(r.not, at) || len(r.right) > 0 && !v.followsWord(r.right, at) {
		return 0, 0, false
	}
	window := v.text[from:min(limit, at+r.far())]
	if r.until != "" {
		if i := strings.Index(window[at-from+1:], r.until); i >= 0 {
			window = window[:at-from+1+i]
		}
	}
	if !containsAny(window, r.must) {
		return 0, 0, false
	}
	m := t.patterns[rule].find(r.Pattern, window)
	if m == nil {
		return 0, 0, false
	}
	start, end = m[0], m[1]
	for i := 2; i < len(m); i += 2 {
		if start, end = m[i], m[i+1]; start >= 0 {
			break
		}
	}
	if r.value {
		start, end = valueAfter(v.text[:min(limit, from+m[1]+maxValue)], from+m[1], r.prose)
		start, end = start-from, end-from
	}
	if start < 0 || start == end {
		return 0, 0, false
	}
	before := v.text[from : from+start]
	secret := v.text[from+start : from+end]
	start, end = from+start, from+end
	if r.ends && end < len(v.text) && end < limit && isAlnum(v.text[end]) && !v.isJoin(end) && (!r.glues || !isLower(v.text[end]) || lower(secret)) {
		// It may have run on into the line after the secret.
		if i := v.firstJoin(end, 0) - 1; i >= 0 && v.joins[i] > start {
			return v.try(rule, at, v.joins[i])
		}
		return 0, 0, false
	}
	if r.quotes() && end < len(v.text) && v.text[end] == ' ' {
		if n := restOfQuote(before, v.text[end:min(limit, len(v.text), end+maxQuoted)]); n > 0 {
			if whole := v.text[start : end+n]; accept(r.check, secret, before, v.flagBefore(at)) || acceptPhrase(whole, before) {
				return start, end + n, true
			}
		}
	}
	if !accept(r.check, secret, before, v.flagBefore(at)) || glued && !distinct(secret) || r.strong && !distinctive(secret) {
		return 0, 0, false
	}
	return start, end, true
}

// quotes reports a rule whose secret may be quoted, with blanks in it.
func (r *Rule) quotes() bool {
	return r.check == checkArgument || r.check == checkEnv || r.check == checkPassword && r.value
}

// maxQuoted bounds a quoted value with blanks.
const maxQuoted = 80

// restOfQuote is how much of s, which a blank in a value begins, is of the
// value: all up to the quote that was opened before it, on the same line.
func restOfQuote(before, s string) int {
	q := strings.LastIndexAny(before, "\"'")
	if q < 0 || q > 0 && strings.IndexByte(" =:(,[{>\\", before[q-1]) < 0 || strings.ContainsAny(before[q:], " \t") {
		return 0
	}
	i := strings.IndexAny(s, before[q:q+1]+"\r\n\\\x00")
	if i < 0 || s[i] != before[q] {
		return 0
	}
	return i
}

// gluedTo reports whether a key may begin at the byte at though a letter or a
// digit stands before it: that is a word and not the inside of something that
// is encoded.
func (v *view) gluedTo(at int) bool {
	const most = 24
	n := 0
	for i := at - 1; i >= 0 && n <= most && (inWord(v.text[i]) || v.text[i] == '+' || v.text[i] == '/' || v.text[i] == '='); i-- {
		n++
	}
	return n <= most
}

// maxValue bounds the value of a setting.
const maxValue = 400

// valueAfter finds the value of a setting: what is quoted, without blanks, or
// what stands before a blank or the sign that ends a literal. In prose the
// value goes up to white space, a quotation mark or a script without blanks.
func valueAfter(s string, at int, prose bool) (start, end int) {
	start = at + openingQuote(s[at:min(len(s), at+8)])
	stop := " \t\r\n\"'`\\\x00"
	bare := start == at
	switch {
	case prose:
		start += skipOpening(s[start:])
		stop += "\u00a0\u3000“”„«»「」『』‘’"
	case bare && at > 0 && (s[at-1] == ' ' || s[at-1] == '\t'):
		stop += "<>,;)]}" // no query of a URL
	case bare:
		stop += "<>,;&)]}"
	}
	end = len(s)
	if i := strings.IndexAny(s[start:], stop); i >= 0 {
		end = start + i
	}
	if i := codeIn(s[start:end]); i >= 0 {
		end = start + i
	}
	if prose {
		if i := strings.Index(s[start:end], "</"); i > 0 {
			end = start + i
		}
		if i := strings.IndexFunc(s[start:end], func(r rune) bool { return r >= 0x2e80 }); i >= 0 {
			end = start + i
		}
		end = start + len(strings.TrimRight(s[start:end], ".,:;?)]}>*_"))
	} else if bare {
		end = start + len(strings.TrimRight(s[start:end], ".:"))
	}
	return start, end
}

// skipOpening is the length of the opening marks of a quotation and of markup.
func skipOpening(s string) int {
	return len(s) - len(strings.TrimLeft(s, "*_`\"'“„«「『‘<("))
}

// followsWord is follows for whole words.
func (v *view) followsWord(words []string, at int) bool {
	before := strings.ToLower(v.text[max(0, at-24):at])
	for _, w := range words {
		if rest, ok := strings.CutSuffix(before, w); ok && (rest == "" || !isAlnum(rest[len(rest)-1]) || v.escapeEnds(max(0, at-len(w))) > 0 || v.spelledEnds(at-len(w))) {
			return true
		}
	}
	return false
}

// follows reports whether one of the words stands right before the byte at.
func (v *view) follows(words []string, at int) bool {
	if len(words) == 0 {
		return false
	}
	for _, w := range words {
		if at >= len(w) && foldedEqual(v.text[at-len(w):at], w) {
			return true
		}
	}
	return false
}

// maxNear bounds how far before a match the words may stand that it needs.
const maxNear = 240

// isNear reports whether one of the words stands on the line before the byte
// at. No words: it does.
func (v *view) isNear(words []string, at int) bool {
	if len(words) == 0 {
		return true
	}
	line := v.text[max(0, at-maxNear):at]
	return containsAny(line[strings.LastIndexByte(line, '\n')+1:], words)
}

// containsAny reports whether one of the words stands in s, or there are none.
func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return len(words) == 0
}

// trim drops the lines after a secret that a greedy pattern took along. A line
// belongs to the secret when the secret is none without it, or when it begins
// with something that is no word.
func (v *view) trim(rule, at, start, end int) int {
	for i := 0; i < len(v.joins); i++ {
		i = v.firstJoin(start+1, i)
		if i == len(v.joins) || v.joins[i] >= end {
			break
		}
		join := v.joins[i]
		if s, e, ok := v.try(rule, at, join); !ok || s != start || e != join {
			continue
		}
		stop := end
		if i+1 < len(v.joins) {
			stop = min(stop, v.joins[i+1])
		}
		n := firstRun(v.text[join:stop])
		if !belongs(v.text[start:join], v.text[join:join+n]) {
			return join
		}
		if join+n < stop {
			return join + n
		}
	}
	return end
}

// proseOver reports whether the value of a setting is put together from the
// lines of a prose: before the break stands a word, or nothing and what follows
// is not beyond doubt.
func (v *view) proseOver(c check, start, end int) bool {
	if c != checkSetting && c != checkPassword && c != checkSettingValue && c != checkProse && c != checkPlain && c != checkQuery {
		return false
	}
	i := v.firstJoin(start+1, 0)
	if v.isJoin(start) {
		if i < len(v.joins) {
			end = min(end, v.joins[i])
		}
		return !strong(v.text[start:end])
	}
	if i == len(v.joins) || v.joins[i] >= end {
		return false
	}
	head := v.text[start:v.joins[i]]
	if len(head) > 3 && (wordlike(head) || filler(head) || finished(head)) || c == checkQuery && !has(head, isAlnum) {
		return true
	}
	for ; i < len(v.joins) && v.joins[i] < end; i++ {
		stop := end
		if i+1 < len(v.joins) {
			stop = min(end, v.joins[i+1])
		}
		if wordlike(v.text[v.joins[i]:stop]) {
			return true
		}
	}
	return false
}

// finished reports the name of a thing, which no line after it belongs to.
func finished(s string) bool {
	s = strings.TrimRight(s, ".,;:")
	return identifier(s) && longestConsonants(s) < 4 || named(s) || ordinaryID(s)
}

func (v *view) firstJoin(at, from int) int {
	lo, hi := from, len(v.joins)
	for lo < hi {
		mid := (lo + hi) / 2
		if v.joins[mid] < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// firstRun is the length of s up to the first blank or bracket.
func firstRun(s string) int {
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '"', '\'', '`', '<', '>', '(', ')', '{', '}', ',', ';', barrier:
			return i
		}
	}
	return len(s)
}

// leads reports whether a match may begin at the byte at.
func (v *view) leads(l lead, at int) bool {
	if at == 0 || l == leadAny || v.isJoin(at) {
		return true
	}
	c := v.text[at-1]
	bad := isAlnum(c)
	if l == leadStrict && (c == '/' || c == '+') {
		// A path or a changed line may begin with it, base64 may hold it.
		bad = !v.plainBefore(at - 1)
	}
	return !bad || v.escapeEnds(at) > 0 || v.isEdit(at) || v.spelledEnds(at)
}

// plainBefore reports whether the slash or plus at the offset looks like one of
// a path, a URL or a changed line and not like a character of base64.
func (v *view) plainBefore(sign int) bool {
	n := 0
	for i := sign - 1; i >= 0 && n < 24; i-- {
		c := v.text[i]
		if !isAlnum(c) && c != '+' {
			return true
		}
		n++
	}
	return n < 24
}

// flagBefore reports whether the word that holds the byte at is a flag, as in
// --api-key.
func (v *view) flagBefore(at int) bool {
	i := at
	for i > 0 && at-i < maxBack && (isAlnum(v.text[i-1]) || v.text[i-1] == '-' || v.text[i-1] == '_') {
		i--
	}
	return i < at && v.text[i] == '-'
}
