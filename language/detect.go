package language

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Detection is what is known of the language of a text.
type Detection struct {
	// Lang is the BCP 47 primary tag, "" when unknown.
	Lang string
	// Script is the one that most of the text is in.
	Script Script
	// Confidence is between 0 and 1.
	Confidence float64
	// Letters counts the letters outside code and names.
	Letters int
	// Reliable says that the text was long and clear enough to go by.
	Reliable bool
}

// Detect tells the language of the prose of a text.
func Detect(text string) Detection { return detectProse(Prose(text)) }

func detectProse(prose string) Detection {
	counts := Scripts(prose)
	script, letters := mainOf(prose, counts)
	d := Detection{Script: script, Letters: letters}
	if script == Unknown {
		return d
	}
	switch script {
	case Latin, Cyrillic, Arabic:
		s := scoresOf(script, prose)
		best, second := s.best("")
		if best.score >= leastScore {
			d.Lang = best.lang
			d.Confidence = min(1, (best.score-second.score)/best.score*min(1, best.score/4)*1.5)
			d.Reliable = best.score >= goodScore && best.score >= second.score*1.25
		}
	default:
		d.Lang = scriptTable[script].lang
		share := float64(counts[script]*weight(script)) / float64(totalWeight(counts))
		if script == Kana {
			share = float64(counts[Kana]*weight(Kana)+counts[Han]*weight(Han)) / float64(totalWeight(counts))
		}
		d.Confidence = share
		d.Reliable = letters >= 2
	}
	return d
}

// mainOf is mainScript, but that Latin names do not outweigh the script that the
// sentence around them is in.
func mainOf(prose string, counts map[Script]int) (Script, int) {
	script, letters := mainScript(counts)
	if script != Latin || counts[Latin] == letters {
		return script, letters
	}
	rest := map[Script]int{}
	for s, n := range counts {
		if s != Latin {
			rest[s] = n
		}
	}
	other, _ := mainScript(rest)
	if totalWeight(rest)*6 >= totalWeight(counts) && !latinSentence(prose) {
		return other, letters
	}
	return script, letters
}

func totalWeight(counts map[Script]int) int {
	n := 0
	for s, c := range counts {
		n += c * weight(s)
	}
	return max(n, 1)
}

// leastScore is the evidence that names a language at all, goodScore that which
// one may go by. A common word of one language only is worth 1.
const (
	leastScore = 0.9
	goodScore  = 1.6
)

// enoughBytes is how much of a text is weighed: more tells nothing new.
const enoughBytes = 2000

// scored is a language with its evidence.
type scored struct {
	lang  string
	score float64
}

// scores are those of the languages of one script.
type scores struct {
	all   []scored
	words int // words looked at
}

// best are the two languages with most evidence, without one.
func (s scores) best(without string) (first, second scored) {
	for _, x := range s.all {
		switch {
		case x.lang == without:
		case x.score > first.score:
			first, second = x, first
		case x.score > second.score:
			second = x
		}
	}
	return first, second
}

func (s scores) of(lang string) float64 {
	for _, x := range s.all {
		if x.lang == lang {
			return x.score
		}
	}
	return 0
}

// langSet has a bit for each language of a model.
type langSet uint32

func (s langSet) size() int { return bits.OnesCount32(uint32(s)) }

// model is a set of lexicons made ready.
type model struct {
	langs   []string
	exact   map[string]langSet // word to languages
	folded  map[string]langSet // word that lost its accents to languages
	letters map[rune]langSet   // letters beyond ASCII to the languages that use them
	marks   map[rune]langSet   // letters that tell
	starts  map[string]langSet
	endings map[string]langSet
	inner   map[string]langSet
}

var (
	latinModel    = sync.OnceValue(func() *model { return newModel(latinLexicons[:]) })
	cyrillicModel = sync.OnceValue(func() *model { return newModel(cyrillicLexicons[:]) })
	arabicModel   = sync.OnceValue(func() *model { return newModel(arabicLexicons[:]) })
)

func modelOf(s Script) *model {
	switch s {
	case Latin:
		return latinModel()
	case Cyrillic:
		return cyrillicModel()
	case Arabic:
		return arabicModel()
	}
	return nil
}

func newModel(lexicons []lexicon) *model {
	m := &model{
		exact: make(map[string]langSet, 4096), folded: make(map[string]langSet, 1024), letters: map[rune]langSet{}, marks: map[rune]langSet{},
		starts: map[string]langSet{}, endings: map[string]langSet{}, inner: map[string]langSet{},
	}
	for id, l := range lexicons {
		m.langs = append(m.langs, l.lang)
		m.addWords(l.words, 1<<id)
		m.addMarks(l.marks, 1<<id)
	}
	return m
}

func (m *model) addWords(words string, bit langSet) {
	for word := range strings.FieldsSeq(words) {
		m.exact[word] |= bit
		if ascii(word) {
			continue
		}
		if plain := fold(word); plain != word {
			m.folded[plain] |= bit
		}
		for _, r := range word {
			if r > 127 {
				m.letters[r] |= bit
			}
		}
	}
}

func (m *model) addMarks(marks string, bit langSet) {
	for mark := range strings.FieldsSeq(marks) {
		switch r, n := utf8.DecodeRuneInString(mark); {
		case strings.HasPrefix(mark, "-"):
			m.endings[mark[1:]] |= bit
		case strings.HasSuffix(mark, "-"):
			m.starts[mark[:len(mark)-1]] |= bit
		case n == len(mark):
			m.marks[r] |= bit
			m.letters[r] |= bit
		default:
			m.inner[mark] |= bit
		}
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] > 127 {
			return false
		}
	}
	return true
}

// fold drops accents, and writes letters that have no plain form the way people
// type them without their keyboard.
func fold(word string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(word) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteString("ss")
		case r == 'ł':
			b.WriteByte('l')
		case r == 'đ':
			b.WriteByte('d')
		case r == 'ı':
			b.WriteByte('i')
		case r == 'ø':
			b.WriteByte('o')
		case r == 'æ':
			b.WriteString("ae")
		case r == 'œ':
			b.WriteString("oe")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// share is the weight of evidence that so many languages have in common.
func share(langs int) float64 {
	switch langs {
	case 1:
		return 1
	case 2:
		return 0.7
	case 3:
		return 0.5
	case 4:
		return 0.4
	}
	return 1.5 / float64(max(langs, 1))
}

// scoresOf weighs the words of a text for the languages of a script.
func scoresOf(script Script, prose string) scores {
	m := modelOf(script)
	if len(prose) > enoughBytes {
		prose = strings.ToValidUTF8(prose[:enoughBytes], "")
	}
	sum := make([]float64, len(m.langs))
	words := wordsOf(prose, script)
	for _, w := range words {
		m.weigh(sum, w)
	}
	out := scores{words: len(words)}
	for id, l := range m.langs {
		out.all = append(out.all, scored{l, max(0, sum[id])})
	}
	return out
}

// wordsOf are the words of one script in lower case. Acronyms tell nothing, but
// where all is in capitals.
func wordsOf(prose string, script Script) []string {
	fields := strings.FieldsFunc(norm.NFC.String(prose), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' && r != '\u200c'
	})
	shouted := 0
	for _, f := range fields {
		if acronym(f) {
			shouted++
		}
	}
	var out []string
	for _, f := range fields {
		r := []rune(f)
		if acronym(f) && shouted*2 <= len(fields) || scriptOf(r[0]) != script && len(r) > 1 && scriptOf(r[1]) != script {
			continue
		}
		w := strings.ToLower(strings.ReplaceAll(f, "’", "'"))
		if w = strings.Trim(w, "'"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func acronym(s string) bool {
	n := 0
	for _, r := range s {
		if !unicode.IsUpper(r) {
			return false
		}
		n++
	}
	return n > 1
}

// weigh adds what one word tells.
func (m *model) weigh(sum []float64, word string) {
	known := m.lookUp(sum, word)
	if !known {
		if before, after, ok := strings.Cut(word, "'"); ok && after != "" {
			known = m.lookUp(sum, before+"'")
			known = m.lookUp(sum, after) || known
			word = after
		}
	}
	at := make([]int, 0, 32) // where its letters begin
	foreign := langSet(0)
	told := false
	for i, r := range word {
		at = append(at, i)
		if r <= 127 {
			continue
		}
		if set := m.marks[r]; set != 0 && !told {
			told = set.size() <= 2
			gain(sum, set, 0.5)
		}
		foreign |= ^m.letters[r]
	}
	if foreign != 0 {
		for id := range sum {
			if foreign>>id&1 == 1 {
				sum[id] -= 0.5
			}
		}
	}
	letters := len(at)
	if known || letters < 4 {
		return
	}
	at = append(at, len(word))
	for n := 2; n <= 5 && n < letters; n++ {
		gain(sum, m.endings[word[at[letters-n]:]], 0.3)
		gain(sum, m.starts[word[:at[n]]], 0.15)
		for i := 0; i+n <= letters; i++ {
			gain(sum, m.inner[word[at[i]:at[i+n]]], 0.15)
		}
	}
}

// gain shares evidence among the languages that have it.
func gain(sum []float64, set langSet, weight float64) {
	each := weight * share(set.size())
	for ; set != 0; set &= set - 1 {
		sum[bits.TrailingZeros32(uint32(set))] += each
	}
}

// lookUp adds the evidence of a common word.
func (m *model) lookUp(sum []float64, word string) bool {
	weight := 1.0
	if len(word) == 1 {
		weight = 0.5
	}
	own := m.exact[word]
	gain(sum, own, weight)
	// Typed without accents: the other languages may be meant.
	more := m.folded[word] &^ own
	each := 0.6 * weight * share(own.size()+more.size())
	for set := more; set != 0; set &= set - 1 {
		sum[bits.TrailingZeros32(uint32(set))] += each
	}
	return own|more != 0
}
