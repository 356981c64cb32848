package language

import (
	"strings"
	"sync"
	"unicode"

	"github.com/abadojack/whatlanggo"
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
	script, letters := mainScript(counts)
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
		d.Reliable = share > 0.5 && letters >= 2
	}
	return d
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

// model is a set of lexicons made ready.
type model struct {
	langs    []string
	exact    map[string][]int // word to languages
	folded   map[string][]int // word without accents to languages
	letters  []map[rune]bool  // letters beyond ASCII that the language uses
	starts   map[string][]int
	endings  map[string][]int
	inner    map[string][]int
	marks    map[rune][]int // telling letters
	whitelst map[whatlanggo.Lang]bool
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
		exact: map[string][]int{}, folded: map[string][]int{}, starts: map[string][]int{}, endings: map[string][]int{},
		inner: map[string][]int{}, marks: map[rune][]int{}, whitelst: map[whatlanggo.Lang]bool{},
	}
	add := func(to map[string][]int, key string, id int) {
		for _, have := range to[key] {
			if have == id {
				return
			}
		}
		to[key] = append(to[key], id)
	}
	for id, l := range lexicons {
		m.langs = append(m.langs, l.lang)
		m.letters = append(m.letters, map[rune]bool{})
		for word := range strings.FieldsSeq(l.words) {
			add(m.exact, word, id)
			add(m.folded, fold(word), id)
			for _, r := range word {
				if r > 127 {
					m.letters[id][r] = true
				}
			}
		}
		for mark := range strings.FieldsSeq(l.marks) {
			runes := []rune(mark)
			switch {
			case strings.HasPrefix(mark, "-"):
				add(m.endings, mark[1:], id)
			case strings.HasSuffix(mark, "-"):
				add(m.starts, mark[:len(mark)-1], id)
			case len(runes) == 1:
				m.marks[runes[0]] = append(m.marks[runes[0]], id)
				m.letters[id][runes[0]] = true
			default:
				add(m.inner, mark, id)
			}
		}
	}
	for lang := range whatlanggo.Langs {
		for _, have := range m.langs {
			if tagOf(lang) == have {
				m.whitelst[lang] = true
			}
		}
	}
	return m
}

func tagOf(l whatlanggo.Lang) string {
	switch l {
	case whatlanggo.Nob, whatlanggo.Nno:
		return "nb"
	case whatlanggo.Pes:
		return "fa"
	}
	return l.Iso6391()
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
	return 1.5 / float64(langs)
}

// scoresOf weighs the words of a text for the languages of a script.
func scoresOf(script Script, prose string) scores {
	m := modelOf(script)
	sum := make([]float64, len(m.langs))
	words := wordsOf(prose, script)
	for _, w := range words {
		m.weigh(sum, w)
	}
	out := scores{words: len(words)}
	if lang, conf := m.trigrams(prose, len(words)); conf > 0 {
		for id, l := range m.langs {
			if l == lang {
				sum[id] += conf
			}
		}
	}
	for id, l := range m.langs {
		out.all = append(out.all, scored{l, max(0, sum[id])})
	}
	return out
}

// trigrams asks the second opinion, and how much it is worth here.
func (m *model) trigrams(prose string, words int) (string, float64) {
	if words < 4 {
		return "", 0
	}
	info := whatlanggo.DetectWithOptions(prose, whatlanggo.Options{Whitelist: m.whitelst})
	if info.Lang < 0 || info.Confidence <= 0.02 {
		return "", 0
	}
	return tagOf(info.Lang), min(1.2, 0.3+info.Confidence*2)
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
	runes := []rune(word)
	foreign := make([]bool, len(m.langs))
	told := false
	for _, r := range runes {
		if r <= 127 && !unicode.Is(unicode.Cyrillic, r) {
			continue
		}
		if ids := m.marks[r]; len(ids) > 0 && !told {
			told = len(ids) <= 2
			for _, id := range ids {
				sum[id] += 0.5 * share(len(ids))
			}
		}
		for id := range m.langs {
			foreign[id] = foreign[id] || !m.letters[id][r]
		}
	}
	for id, is := range foreign {
		if is {
			sum[id] -= 0.5
		}
	}
	if known || len(runes) < 4 {
		return
	}
	for n := 2; n <= 5 && n < len(runes); n++ {
		gain(sum, m.endings[string(runes[len(runes)-n:])], 0.3)
		gain(sum, m.starts[string(runes[:n])], 0.15)
		for i := 0; i+n <= len(runes); i++ {
			gain(sum, m.inner[string(runes[i:i+n])], 0.15)
		}
	}
}

func gain(sum []float64, ids []int, weight float64) {
	for _, id := range ids {
		sum[id] += weight * share(len(ids))
	}
}

// lookUp adds the evidence of a common word.
func (m *model) lookUp(sum []float64, word string) bool {
	weight := 1.0
	if len(word) == 1 {
		weight = 0.5
	}
	ids := m.exact[word]
	gain(sum, ids, weight)
	folded := fold(word)
	if more := m.folded[folded]; folded == word && len(more) > len(ids) {
		// Typed without accents: the other languages may be meant.
		for _, id := range more {
			if !contains(ids, id) {
				sum[id] += 0.6 * weight * share(len(more))
			}
		}
		return true
	}
	return len(ids) > 0
}

func contains(ids []int, id int) bool {
	for _, have := range ids {
		if have == id {
			return true
		}
	}
	return false
}
