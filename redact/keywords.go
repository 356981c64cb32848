package redact

import (
	"slices"
	"strings"
)

// finder finds all keywords in one pass, ASCII case folded. Three bytes of the
// text at a time are looked up in a table of bits; where they may begin a
// keyword, the text is compared. It is made anew in each process, so making it
// is kept cheap.
type finder struct {
	words   []string
	length  []int // of each keyword
	longest int
	// mix spreads a byte over the bits of a place. Three of them in a row, each
	// moved by shift bits, are the place in the table.
	mix   [256]uint32
	begin bitmap      // places of the first three bytes of keywords
	inner bitmap      // places of any three
	start []uint32    // of each keyword: its first bytes as one number
	slots [4096]int32 // the last keyword in its slot, plus 1
	next  []int32     // of each keyword: the one before it in its slot, plus 1
	one   []single
}

// A byte has left the place after three moves.
const (
	places = 1 << 17
	shift  = 6
)

type bitmap [places / 64]uint64

func (b *bitmap) set(p uint32)      { b[p/64] |= 1 << (p % 64) }
func (b *bitmap) has(p uint32) bool { return b[p/64]>>(p%64)&1 != 0 }

// single is a keyword of one byte. Such bytes are frequent, and what must stand
// before them is looked at right away.
type single struct {
	word  int
	char  byte
	least int // letters, digits, - and _ that stand before it
}

// newFinder prepares the keywords. Those of one byte need least of them.
func newFinder(words []string, least []int) *finder {
	f := &finder{words: words, length: make([]int, len(words)), next: make([]int32, len(words)), start: make([]uint32, len(words))}
	for c := range 256 {
		f.mix[c] = uint32(lowered(byte(c))) * 0x9e3779b1 >> 13 & (places - 1)
	}
	for i, w := range words {
		f.length[i] = len(w)
		f.longest = max(f.longest, len(w))
		switch len(w) {
		case 1:
			f.one = append(f.one, single{i, w[0], least[i]})
			continue
		case 2:
			for c := range 256 {
				f.begin.set(f.place(w[0], w[1], byte(c)))
				f.inner.set(f.place(w[0], w[1], byte(c)))
			}
			f.start[i] = number(w[0], w[1], 0)
		default:
			f.begin.set(f.place(w[0], w[1], w[2]))
			for j := range len(w) - 2 {
				f.inner.set(f.place(w[j], w[j+1], w[j+2]))
			}
			f.start[i] = number(w[0], w[1], w[2])
		}
		slot := slotOf(f.start[i])
		f.next[i], f.slots[slot] = f.slots[slot], int32(i)+1
	}
	return f
}

func (f *finder) place(a, b, c byte) uint32 {
	return (f.mix[a]<<(2*shift) ^ f.mix[b]<<shift ^ f.mix[c]) & (places - 1)
}

// number is the first bytes of a keyword as one, 0 for none.
func number(a, b, c byte) uint32 {
	return uint32(lowered(a)) | uint32(lowered(b))<<8 | uint32(lowered(c))<<16
}

func slotOf(n uint32) uint32 { return n * 0x9e3779b1 >> 20 }

func lowered(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// keywordAt is a keyword and where it stands.
type keywordAt struct{ word, start int }

// find gives the keywords in s in the order of their ends, of those that end
// together the longest first. Those of one byte come after all others.
func (f *finder) find(s string) []keywordAt {
	var found []keywordAt
	p := uint32(0)
	for i := range len(s) {
		p = (p<<shift ^ f.mix[s[i]]) & (places - 1)
		if f.begin.has(p) && i >= 2 {
			found = f.at(s, i-2, number(s[i-2], s[i-1], s[i]), found)
		}
	}
	if n := len(s); n >= 2 {
		found = f.at(s, n-2, number(s[n-2], s[n-1], 0), found)
	}
	f.sort(found)
	return f.singles(s, found)
}

// findIn is find for a text put together from stretches of another, whose
// keywords are known: only where they meet the text is looked at.
func (f *finder) findIn(s string, known []keywordAt, stretches []stretch) []keywordAt {
	found := make([]keywordAt, 0, len(known))
	j := 0
	for _, k := range known {
		end := k.start + f.length[k.word]
		if f.length[k.word] == 1 {
			break
		}
		for j < len(stretches) && stretches[j].to < end {
			j++
		}
		if j < len(stretches) && k.start >= stretches[j].from {
			found = append(found, keywordAt{k.word, k.start - stretches[j].from + stretches[j].at})
		}
	}
	last := 0 // what starts before it was found at an earlier seam
	for j := range len(stretches) + 1 {
		a, b := 0, len(s) // the seam
		if j > 0 {
			a = stretches[j-1].at + stretches[j-1].to - stretches[j-1].from
		}
		if j < len(stretches) {
			b = stretches[j].at
		}
		if a < b || f.mayCross(s, a) {
			for i := max(last, a-f.longest+1); i < b && i+1 < len(s); i++ {
				c := byte(0)
				if i+2 < len(s) {
					c = s[i+2]
				}
				if !f.begin.has(f.place(s[i], s[i+1], c)) {
					continue
				}
				n := len(found)
				found = f.at(s, i, number(s[i], s[i+1], c), found)
				found = append(found[:n], slices.DeleteFunc(found[n:], func(k keywordAt) bool { return k.start+f.length[k.word] <= a })...)
			}
		}
		last = b
	}
	f.sort(found)
	return f.singles(s, found)
}

// mayCross reports whether a keyword may stand over the offset at of s.
func (f *finder) mayCross(s string, at int) bool {
	if at < 1 || at >= len(s) {
		return false
	}
	after := byte(0)
	if at+1 < len(s) {
		after = s[at+1]
	}
	return f.inner.has(f.place(s[at-1], s[at], after)) || at > 1 && f.inner.has(f.place(s[at-2], s[at-1], s[at]))
}

// sort puts what is nearly sorted in order.
func (f *finder) sort(found []keywordAt) {
	before := func(a, b keywordAt) bool {
		x, y := a.start+f.length[a.word], b.start+f.length[b.word]
		return x < y || x == y && a.start < b.start
	}
	for i := 1; i < len(found); i++ {
		if before(found[i], found[i-1]) {
			slices.SortFunc(found, func(a, b keywordAt) int {
				switch {
				case before(a, b):
					return -1
				case before(b, a):
					return 1
				}
				return 0
			})
			return
		}
	}
}

func (f *finder) singles(s string, found []keywordAt) []keywordAt {
	for _, one := range f.one {
		found = one.find(s, found)
	}
	return found
}

// at appends the keywords of two bytes and more that start at s[i]. first are
// the bytes there.
func (f *finder) at(s string, i int, first uint32, found []keywordAt) []keywordAt {
	const two = 1<<16 - 1
	for _, n := range [...]uint32{first, first & two} {
		for k := f.slots[slotOf(n)]; k != 0; k = f.next[k-1] {
			w := f.words[k-1]
			if f.start[k-1] == n && len(w) <= len(s)-i && foldedEqual(s[i+2:i+len(w)], w[2:]) {
				found = append(found, keywordAt{int(k - 1), i})
			}
		}
		if first <= two {
			break
		}
	}
	return found
}

// foldedEqual compares s with a keyword of the same length.
func foldedEqual(s, keyword string) bool {
	for i := range len(keyword) {
		if lowered(s[i]) != keyword[i] {
			return false
		}
	}
	return true
}

func (o single) find(s string, found []keywordAt) []keywordAt {
	for at := 0; ; at++ {
		n := strings.IndexByte(s[at:], o.char)
		if n < 0 {
			return found
		}
		at += n
		if at >= o.least && (o.least == 0 || inWord(s[at-1]) && inWord(s[at-o.least/2]) && inWord(s[at-o.least])) {
			found = append(found, keywordAt{o.word, at})
		}
	}
}

func inWord(c byte) bool { return isAlnum(c) || c == '-' || c == '_' }
