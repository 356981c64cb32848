package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// grounds are the words that a session holds, in whatever form: a text about
// it is made of them for the most part. Words of the person, of the agent, of
// commands, paths, to-dos and questions count; what commands printed does not,
// since no model saw it.
type grounds struct {
	set   hashSet
	lower []rune
	joins bool // its language writes compounds in one word
}

// hashSet is a set of hashes, open addressing.
type hashSet struct {
	slots []uint64
	n     int
}

func (h *hashSet) grow() {
	old := h.slots
	h.slots = make([]uint64, max(1<<10, 4*len(old)))
	h.n = 0
	for _, k := range old {
		if k != 0 {
			h.add(k)
		}
	}
}

// add reports whether the hash is new.
func (h *hashSet) add(k uint64) bool {
	if 2*h.n >= len(h.slots) {
		h.grow()
	}
	mask := uint64(len(h.slots) - 1) //nolint:gosec // a length
	for i := k >> 7 & mask; ; i = (i + 1) & mask {
		switch h.slots[i] {
		case k:
			return false
		case 0:
			h.slots[i] = k
			h.n++
			return true
		}
	}
}

func (h *hashSet) has(k uint64) bool {
	if len(h.slots) == 0 {
		return false
	}
	mask := uint64(len(h.slots) - 1) //nolint:gosec // a length
	for i := k >> 7 & mask; ; i = (i + 1) & mask {
		switch h.slots[i] {
		case k:
			return true
		case 0:
			return false
		}
	}
}

const hashSeed = 14695981039346656037

func hashRune(h uint64, r rune) uint64 {
	h = (h ^ uint64(r)) * 0x9E3779B97F4A7C15 //nolint:gosec // a character
	return h ^ h>>29
}

// plainLetter is a letter in small and without its accent.
func plainLetter(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	r = unicode.ToLower(r)
	if r >= 0xe0 && r <= 0xff {
		return rune("aaaaaaaceeeeiiiidnooooo/ouuuuyty"[r-0xe0])
	}
	if r == 'ё' {
		return 'е'
	}
	return r
}

// bounds gives the lengths of the beginnings by which a word of n letters is
// known in its other forms: from least on.
func bounds(n int, hangul bool) (least int) {
	switch {
	case hangul:
		return min(n, 2)
	case n <= 3:
		return n
	case n == 4:
		return 3
	}
	return max(4, 6*n/10)
}

// add notes the words of a text. Words of plain letters, which are most, go
// the short way.
func (g *grounds) add(text string) {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf && !isAlnum(c) {
			i++
			continue
		}
		start, h := i, uint64(hashSeed)
		for i < len(text) && isAlnum(text[i]) {
			h = hashRune(h, smallASCII(text[i]))
			i++
		}
		if i == len(text) || text[i] < utf8.RuneSelf {
			if n := i - start; g.note(h, n) {
				g.addHumps(text[start:i])
				if g.joins {
					g.addParts(text[start:i])
				}
				least := bounds(n, false)
				h = hashSeed
				for k := range n {
					h = hashRune(h, smallASCII(text[start+k]))
					if k+1 >= least {
						g.set.add(h | 1)
					}
				}
			}
			continue
		}
		for i < len(text) && (text[i] >= utf8.RuneSelf || isAlnum(text[i])) {
			i++
		}
		words(text[start:i], g.addWord)
	}
}

// addHumps notes the words of a name such as OrderList.
func (g *grounds) addHumps(name string) {
	if len(name) > maxWord {
		return
	}
	from := 0
	for i := 1; i <= len(name); i++ {
		if i < len(name) && !(name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a') {
			continue
		}
		if i-from >= 3 && i-from < len(name) {
			g.addWord(name[from:i], spaced, 0)
		}
		from = i
	}
}

func smallASCII(c byte) rune {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return rune(c)
}

// addWord notes a word, or a run, of any script.
func (g *grounds) addWord(w string, kind script, _ int) {
	if kind == dense {
		var prev rune
		for _, r := range w {
			if hanDigit(r) > 1 {
				g.set.add(hashRune(hashSeed+4, r) | 1)
			}
			if prev != 0 {
				g.set.add(pair(prev, r))
			}
			prev = r
		}
		return
	}
	h := uint64(hashSeed)
	n := 0
	for _, r := range w {
		h = hashRune(h, plainLetter(r))
		n++
	}
	if !g.note(h, n) {
		return
	}
	if g.joins && kind == spaced {
		g.addParts(w)
	}
	least := bounds(n, kind == hangul)
	h, n = hashSeed, 0
	for _, r := range w {
		h = hashRune(h, plainLetter(r))
		if n++; n >= least {
			g.set.add(h | 1)
		}
	}
}

// note reports whether a word of n letters is new: most come again and again.
func (g *grounds) note(h uint64, n int) bool {
	return n <= maxWord && g.set.add((h^wholeWord)|1)
}

const (
	// wholeWord tells the hash of a word that was noted from those of its
	// beginnings.
	wholeWord = 0xA5A5A5A5A5A5A5A4
	// maxWord is the longest word in letters; what is longer is data.
	maxWord = 60
)

func pair(a, b rune) uint64 { return hashRune(hashRune(hashSeed+2, a), b) | 1 }

// holds: the session has a form of the word.
func (g *grounds) holds(w string, kind script) bool {
	n := utf8.RuneCountInString(w)
	least := bounds(n, kind == hangul)
	h, i := uint64(hashSeed), 0
	for _, r := range w {
		h = hashRune(h, plainLetter(r))
		if i++; i >= least && g.set.has(h|1) || i >= 4 && i < least && i+3 <= n && g.set.has((h^wholeWord)|1) {
			return true // the second: "config" for "configuration"
		}
		if i == n-1 && n >= 4 && w[len(w)-1] == 'y' && g.set.has(hashRune(h, 'i')|1) {
			return true // query, queries
		}
	}
	if at := strings.Index(w, "duj"); at > 0 && kind == spaced {
		return g.holds(w[:at]+"duc"+w[at+3:], kind) // traducido, tradujeron
	}
	return false
}

// holdsRune: the session has the character of a script without spaces in some
// word.
func (g *grounds) holdsRune(r rune) bool { return g.set.has(hashRune(hashSeed+4, r) | 1) }

// script says how words of a script are told apart.
type script uint8

const (
	spaced script = iota + 1
	hangul
	kana  // katakana: written as words, beside others without a space
	dense // two neighbours are a word
)

func scriptOf(r rune) script {
	switch {
	case r < 0x590:
		return spaced
	case r >= 0x1100 && r <= 0x11ff, r >= 0xac00 && r <= 0xd7a3:
		return hangul
	case r >= 0x1e00 && r <= 0x1fff, r >= 0xff21 && r <= 0xff5a:
		return spaced
	case r >= 0x10a0 && r <= 0x10ff:
		return spaced
	case r >= 0x30a0 && r <= 0x30ff:
		return kana
	}
	return dense
}

// words gives the words of a text, in scripts without spaces the runs.
func words(text string, f func(w string, kind script, at int)) {
	start := -1
	var kind script
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		var k script
		if r < utf8.RuneSelf {
			if isAlnum(byte(r)) {
				k = spaced
			}
		} else {
			r, n = utf8.DecodeRuneInString(text[i:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
				k = scriptOf(r)
			}
		}
		if k != kind {
			if start >= 0 && kind != 0 {
				f(text[start:i], kind, start)
			}
			start, kind = i, k
		}
		i += n
	}
	if start >= 0 && kind != 0 {
		f(text[start:], kind, start)
	}
}

// weight is how a text stands to a session: the words it is made of, but for
// those of grammar. A word counts two, a character of a script without spaces
// one.
type weight struct {
	known int // of the session
	odd   int // not of it
	plain int // about sessions as such, or of the status lexicon
	own   int // known, and no number
	exact int // names, and numbers of more than a digit, among the known
}

func (w weight) share() float64 {
	if w.known+w.odd == 0 {
		return 1
	}
	return float64(w.known) / float64(w.known+w.odd)
}

// statusMarks are those of words whose truth the ladder looks after.
const statusMarks = mTest | mBuild | mVerbs | mNeg | mNegAdj | mCond | mHedge | mAll | mSplit | mFuture | mNow | mAspect | mMade | mOpen | mMergeWhat | mDeployWhat | mProd | mPRWhat

// placeMarks are those of words that name where work goes: branches, releases,
// pull requests. Where none was reached the session must have them.
const placeMarks = mMergeWhat | mDeployWhat | mProd | mPRWhat

// nounMarks are those of words that name what the work is about.
const nounMarks = mMergeWhat | mDeployWhat | mProd | mBuild

// praiseMarks are those of words that say that all is well: they bear nothing
// out, whoever else said them.
const praiseMarks = mPass | mTestPass | mBuildPass | mVerified | mVerifyWeak | mDone | mAll

// weigh reads a part of a text. It counts words, and in scripts without
// spaces pairs of characters as half of one.
func (c *checker) weigh(s string) weight {
	g := c.grounds()
	c.sp.scan(s)
	hits := c.sp.hits
	var w weight
	covered := func(at, end int, by mark) bool {
		for i := range hits {
			if hits[i].mark&by != 0 && at < hits[i].end && end > hits[i].start {
				return true
			}
		}
		return false
	}
	neutral, generic := neutralWords(), sessionTalk()
	var seen [48]uint64 // words count once
	noted := 0
	fresh := func(low string) bool {
		h := prefixHash(low)
		if noted == len(seen) || slices.Contains(seen[:noted], h) {
			return false
		}
		seen[noted] = h
		noted++
		return true
	}
	before := "" // a word that the session has only joined to the next: "log in"
	words(s, func(word string, kind script, at int) {
		if kind == dense {
			before = ""
			w = add(w, g.dense(word, at, covered))
			return
		}
		low := lower(word)
		n := utf8.RuneCountInString(low)
		joined := before + low
		if before != "" && g.holds(joined, kind) {
			w.odd -= 2
			w.known += 2
			w.own += 2
		}
		before = ""
		switch {
		case strings.ContainsAny(low, "0123456789") || c.hay.lang != "" && cardinal(low, c.hay.lang) > 1:
			w.known += 3 // numbers are looked up as such
			if len(low) > 1 && strings.ContainsAny(low, "0123456789") {
				w.exact++
			}
		case at+len(word) < len(s) && strings.IndexByte("._/", s[at+len(word)]) >= 0 && at+len(word)+1 < len(s) && isAlnum(s[at+len(word)+1]):
			w.exact++ // and names
			if fresh(low) {
				w.known += 4
				w.own += 2
			}
		case kind != hangul && n < 3 || neutral[low]:
		case covered(at, at+len(word), placeMarks) && !g.holds(low, kind) && !c.reached():
			if fresh(low) {
				w.odd += 2
			}
		case covered(at, at+len(word), statusMarks):
			w.plain += 2
			if g.holds(low, kind) && !covered(at, at+len(word), praiseMarks) && fresh(low) {
				w.known += 2
				if !covered(at, at+len(word), statusMarks&^nounMarks) {
					w.own += 2
				}
			}
		case generic[low]:
			w.plain += 2
			if g.holds(low, kind) {
				w.known += 2
			}
		case g.holds(low, kind):
			if fresh(low) {
				w.known += 2
				w.own += 2
			}
		case fresh(low):
			if rest := undenied(low); rest != "" && g.holds(rest, kind) && c.deniesSomething() {
				w.known += 2
				w.own += 2
				return
			}
			if g.joins && joinsWords(c.hay.lang) {
				all, half := g.compound(low)
				switch {
				case all || g.part(low):
					w.known += 2
					w.own += 2
					return
				case half:
					w.plain += 2
					return
				}
			}
			w.odd += 2
			before = low
		}
	})
	return w
}

// reached: a commit, a push, a merge or a deployment was made.
func (c *checker) reached() bool {
	f := c.f
	return c.committed() || len(f.Pushes) > 0 || f.merged() || f.commandPassed(classPR) || f.commandPassed(classDeploy)
}

// prefixHash is that of the beginning of a word, by which its forms are known.
func prefixHash(w string) uint64 {
	n := utf8.RuneCountInString(w)
	least := min(5, bounds(n, false))
	h, i := uint64(hashSeed), 0
	for _, r := range w {
		if i++; i > least {
			break
		}
		h = hashRune(h, plainLetter(r))
	}
	return h
}

func add(a, b weight) weight {
	return weight{a.known + b.known, a.odd + b.odd, a.plain + b.plain, a.own + b.own, a.exact + b.exact}
}

// dense counts the characters of a run: known where one stands beside a
// neighbour as it does in the session.
func (g *grounds) dense(run string, at int, covered func(int, int, mark) bool) weight {
	var w weight
	stop, generic := stopRune(), sessionTalk()
	rs := g.lower[:0]
	ends := make([]int, 0, 32)
	i := at
	for _, r := range run {
		rs = append(rs, r)
		i += utf8.RuneLen(r)
		ends = append(ends, i)
	}
	g.lower = rs
	isGeneric := make([]bool, len(rs))
	for k := range rs {
		for n := 1; n <= 6 && k+n <= len(rs); n++ {
			if generic[string(rs[k:k+n])] {
				for j := k; j < k+n; j++ {
					isGeneric[j] = true
				}
			}
		}
	}
	for k, r := range rs {
		start := at
		if k > 0 {
			start = ends[k-1]
		}
		known := k > 0 && g.set.has(pair(rs[k-1], r)) || k+1 < len(rs) && g.set.has(pair(r, rs[k+1]))
		switch {
		case r >= 0x3040 && r <= 0x309f || unicode.IsMark(r) || stop[r]:
		case covered(start, ends[k], statusMarks) || isGeneric[k]:
			w.plain++
		case known:
			w.known++
			w.own++
		default:
			w.odd++
		}
	}
	return w
}

// grounds are the words of the session, read when they are first asked for.
func (c *checker) grounds() *grounds {
	if c.ground != nil {
		return c.ground
	}
	// Vet has read the language by now.
	g := &grounds{joins: c.language != nil && joinsWords(c.language.Lang)}
	in := c.in
	for _, s := range [...]string{in.Session.Title, in.Session.Directory, in.Session.Branch, in.Session.WaitingFor} {
		g.add(s)
	}
	if in.Failure != nil {
		g.add(in.Failure.Message)
	}
	for i := range in.Turns {
		t := &in.Turns[i]
		g.add(t.Text)
		g.add(t.Answer)
		for j := range t.Tools {
			tool := &t.Tools[j]
			g.add(tool.Command)
			for _, p := range tool.Paths {
				g.add(p)
			}
			for _, q := range tool.Questions {
				g.add(q)
			}
			for _, td := range tool.Todos {
				g.add(td.Text)
			}
		}
	}
	c.ground = g
	return g
}
