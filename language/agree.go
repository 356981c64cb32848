package language

import (
	"fmt"
	"strings"
	"unicode"
)

// Sample is what a person wrote in a session, newest last.
type Sample struct{ Texts []string }

// Target is that of the texts.
func (s Sample) Target() Detection { return Target(s.Texts) }

// Agree asks for a field, see the function of the same name.
func (s Sample) Agree(field, preferred string) (ok bool, reason string) {
	return Agree(field, s.Texts, preferred)
}

// enough is how many letters, in Latin ones, make a text that tells a language.
const enough = 12

// Target tells the language of the newest text, newest last, that has enough
// letters outside code. Neutral ones ("ok", "commit") fall back to the one
// before. Without any it is what little is known of the newest.
func Target(sample []string) Detection {
	d, _ := target(len(sample), func(i int) string { return Prose(sample[i]) })
	return d
}

// target is Target of n texts, of which prose gives the prose, with the index of
// the text it stands on, -1 for none.
func target(n int, prose func(int) string) (Detection, int) {
	var newest Detection
	for i := n - 1; i >= 0; i-- {
		prose := prose(i)
		d := detectProse(prose)
		if newest.Script == Unknown {
			newest = d
		}
		if !neutral(prose, d) {
			return d, i
		}
	}
	newest.Reliable = false
	newest.Confidence /= 2
	return newest, -1
}

// neutral reports texts that do not tell which language a person writes.
func neutral(prose string, d Detection) bool {
	if d.Script == Unknown {
		return true
	}
	counts := Scripts(prose)
	letters := totalWeight(counts)
	switch d.Script {
	case Latin, Cyrillic, Arabic:
	case Han, Kana, Hangul:
		return letters < 9
	default:
		return letters < enough
	}
	telling := 0
	for _, w := range wordsOf(prose, d.Script) {
		if !neutralWord(w) {
			telling++
		}
	}
	if letters < enough || telling < 2 {
		return true
	}
	return d.Lang == "" && letters < 3*enough
}

// neutralWord reports words that people of all languages type to an agent.
func neutralWord(w string) bool {
	switch w {
	case "ok", "okay", "yes", "no", "y", "n", "yep", "yeah", "sure", "thanks", "thank", "thx", "ty", "lgtm", "commit", "push", "merge", "pull", "rebase", "deploy", "build", "test", "tests",
		"run", "go", "on", "continue", "next", "stop", "retry", "done", "and", "please", "pls", "it", "this", "now", "good", "great", "nice", "perfect", "ship", "release", "fix", "review", "hi", "hello", "hey", "proceed",
		"да", "нет", "ок", "окей", "давай", "спасибо", "хорошо", "дальше", "так", "ні", "коммит", "пуш", "ja", "nein", "nee", "si", "oui", "non", "sim", "tak", "nie", "ano", "evet", "tamam", "weiter", "danke", "merci", "gracias", "نعم", "لا", "بله":
		return true
	}
	return false
}

// Agree reports whether a field may be shown to the person who wrote the sample
// (newest last), and if not, why. Scripts come first: one that the person does
// not use fails; Chinese inside Japanese passes. Then, where languages share
// the script and the field is long enough, its language must be the target's.
// Another language of the sample passes only where the newest text is neutral.
// A preferred language (a BCP 47 tag or a name) takes the target's place.
// Without a sample all is well.
func Agree(field string, sample []string, preferred string) (ok bool, reason string) {
	return Expect(sample, preferred).Agree(field)
}

// Expectation is what [Agree] measures fields by.
type Expectation struct {
	none bool
	w    wanted
}

// Expect reads a sample once, for several fields.
func Expect(sample []string, preferred string) Expectation {
	if len(sample) == 0 {
		return Expectation{none: true}
	}
	return Expectation{w: wantedOf(sample, preferred)}
}

// Agree is the function of the same name.
func (e Expectation) Agree(field string) (ok bool, reason string) {
	if e.none {
		return true, ""
	}
	prose := Prose(field)
	counts := Scripts(prose)
	main, _ := mainOf(prose, counts)
	w := e.w
	if main == Unknown || w.script == Unknown {
		return true, ""
	}
	if reason := w.scripts(prose, counts, main); reason != "" {
		return false, reason
	}
	if main != w.script {
		return true, "" // another script of the sample, or Chinese in Japanese
	}
	if reason := w.languages(prose); reason != "" {
		// The person's own words are in the person's language, however few.
		if w.said(prose) {
			return true, ""
		}
		return false, reason
	}
	list := Sentences(prose)
	if len(list) == 1 {
		return true, "" // the same words again
	}
	for _, s := range list {
		if Words(s) >= 6 {
			if reason := w.clearlyOther(s); reason != "" {
				return false, reason
			}
		}
	}
	return true, ""
}

// said: the words stand in a row in the text that tells the language.
func (w wanted) said(prose string) bool {
	plain := func(s string) string {
		return " " + strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }), " ") + " "
	}
	return w.telling != "" && strings.Contains(plain(w.telling), plain(prose))
}

// wanted is what a field is measured against.
type wanted struct {
	script Script
	langs  []string        // any of them will do; empty: only the script counts
	used   map[Script]bool // that the person has used
	// telling is the text that tells the language, "" where a stated one does.
	telling string
}

func wantedOf(sample []string, preferred string) wanted {
	w := wanted{used: map[Script]bool{}}
	proses := make([]string, len(sample))
	for i, text := range sample {
		proses[i] = Prose(text)
		for s := range Scripts(proses[i]) {
			w.used[s] = true
		}
	}
	if lang := Tag(preferred); lang != "" {
		w.langs = []string{lang}
		w.script = scriptOfLang(lang)
		return w
	}
	d, at := target(len(proses), func(i int) string { return proses[i] })
	w.script = d.Script
	if at >= 0 {
		w.telling = proses[at]
	}
	if d.Lang != "" && at >= 0 {
		w.langs = []string{d.Lang}
	}
	if at == len(sample)-1 || at < 0 {
		return w
	}
	for _, prose := range proses[:at+1] {
		if o := detectProse(prose); o.Reliable && !neutral(prose, o) {
			w.langs = append(w.langs, o.Lang)
		}
	}
	return w
}

// scripts says what is wrong with the scripts of a field, "" if nothing.
func (w wanted) scripts(prose string, counts map[Script]int, main Script) string {
	want := map[Script]bool{w.script: true}
	for _, lang := range w.langs {
		want[scriptOfLang(lang)] = true
	}
	if want[Kana] {
		want[Han] = true
	}
	if !want[main] {
		return fmt.Sprintf("written in %s, the person writes %s", main, w.script)
	}
	if word := mixed(prose, main); word != "" && !strings.Contains(w.telling, word) {
		return "a word in two alphabets: " + word
	}
	total := totalWeight(counts)
	for s := Latin; s <= Other; s++ {
		n := counts[s]
		if n == 0 || s == main || want[s] {
			continue
		}
		switch {
		case s == Latin:
			// Names of the trade are in Latin letters everywhere; sentences are not.
			if n*weight(s)*5 > total*2 && latinSentence(prose) {
				return "sentences in Latin letters, the person writes " + w.script.String()
			}
		case n < 2 || s == Greek && n < 4:
		case w.used[s] && n*weight(s)*10 < total*3:
		default:
			return fmt.Sprintf("%s letters, the person writes %s", s, w.script)
		}
	}
	return ""
}

// mixed gives the first word of a text of the main script in which a letter or
// two are of another alphabet than all others, "" where there is none. Symbols
// such as "μs" are no words, and a name may have an ending ("PDFка").
func mixed(prose string, main Script) string {
	for _, word := range strings.FieldsFunc(prose, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		own, other := 0, 0
		for _, r := range word {
			switch s := scriptOf(r); s {
			case main:
				own++
			case Latin, Cyrillic, Greek:
				other++
			}
		}
		if own >= 2 && other > 0 && (other == 1 || other == 2 && main == Latin) {
			return word
		}
	}
	return ""
}

// latinSentence reports whether the Latin words of a text are more than names.
func latinSentence(prose string) bool {
	first, _ := scoresOf(Latin, prose).best("")
	return first.score >= 2.5
}

// languages says which other language a field is in, "" if none.
func (w wanted) languages(prose string) string {
	if len(w.langs) == 0 || modelOf(w.script) == nil {
		return ""
	}
	s := scoresOf(w.script, prose)
	other, own, ownLang := w.compare(s)
	if s.words < 3 || other.score < leastScore {
		return ""
	}
	if own < other.score*marginFor(ownLang, other.lang) {
		return fmt.Sprintf("written in %s, the person writes %s", other.lang, strings.Join(w.langs, ", "))
	}
	return ""
}

// clearlyOther is the same for one sentence, where the evidence must be beyond
// doubt.
func (w wanted) clearlyOther(sentence string) string {
	if len(w.langs) == 0 || modelOf(w.script) == nil {
		return ""
	}
	other, own, ownLang := w.compare(scoresOf(w.script, sentence))
	if other.score >= 3 && own*2.5 < other.score*marginFor(ownLang, other.lang) {
		return fmt.Sprintf("a sentence in %s, the person writes %s", other.lang, strings.Join(w.langs, ", "))
	}
	return ""
}

// compare gives the strongest language that is not wanted, and the evidence for
// the strongest that is.
func (w wanted) compare(s scores) (other scored, own float64, ownLang string) {
	for _, lang := range w.langs {
		if got := s.of(lang); got >= own {
			own, ownLang = got, lang
		}
	}
	for _, x := range s.all {
		is := false
		for _, lang := range w.langs {
			is = is || same(lang, x.lang)
		}
		if is {
			own = max(own, x.score)
		} else if x.score > other.score {
			other = x
		}
	}
	return other, own, ownLang
}

// same reports tags that mean one written language here.
func same(a, b string) bool { return group(a) == group(b) }

func group(lang string) string {
	switch lang {
	case "no", "nn":
		return "nb"
	case "bs", "sh", "hr":
		return "hr"
	case "ms":
		return "id"
	}
	return lang
}

// marginFor is how much of the other's evidence the own language must have.
// Neighbours share most words, so a little less is still no proof.
func marginFor(own, other string) float64 {
	pair := own + other
	switch pair {
	case "danb", "nbda", "svda", "dasv", "svnb", "nbsv", "cssk", "skcs", "hrsl", "slhr", "esca", "caes", "srmk", "mksr", "bgmk", "mkbg", "rube", "beru", "ptgl":
		return 0.6
	}
	return 1
}
