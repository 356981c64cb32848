package language

import "unicode"

// Script is a writing system.
type Script uint8

// The scripts that are told apart. Other is every letter of none of them.
const (
	Unknown Script = iota
	Latin
	Cyrillic
	Han
	Kana
	Hangul
	Arabic
	Devanagari
	Hebrew
	Greek
	Thai
	Armenian
	Georgian
	Bengali
	Gurmukhi
	Gujarati
	Tamil
	Telugu
	Kannada
	Malayalam
	Sinhala
	Khmer
	Lao
	Myanmar
	Tibetan
	Ethiopic
	Other
)

// scriptInfo is what is known of a script: its name, its letters and, where one
// language is by far the most written in it, that language.
type scriptInfo struct {
	name  string
	table *unicode.RangeTable
	lang  string
}

var scriptTable = [...]scriptInfo{
	Unknown:    {name: "Unknown"},
	Latin:      {name: "Latin", table: unicode.Latin},
	Cyrillic:   {name: "Cyrillic", table: unicode.Cyrillic},
	Han:        {name: "Han", table: unicode.Han, lang: "zh"},
	Kana:       {name: "Kana", table: unicode.Hiragana, lang: "ja"}, // and Katakana
	Hangul:     {name: "Hangul", table: unicode.Hangul, lang: "ko"},
	Arabic:     {name: "Arabic", table: unicode.Arabic},
	Devanagari: {name: "Devanagari", table: unicode.Devanagari, lang: "hi"},
	Hebrew:     {name: "Hebrew", table: unicode.Hebrew, lang: "he"},
	Greek:      {name: "Greek", table: unicode.Greek, lang: "el"},
	Thai:       {name: "Thai", table: unicode.Thai, lang: "th"},
	Armenian:   {name: "Armenian", table: unicode.Armenian, lang: "hy"},
	Georgian:   {name: "Georgian", table: unicode.Georgian, lang: "ka"},
	Bengali:    {name: "Bengali", table: unicode.Bengali, lang: "bn"},
	Gurmukhi:   {name: "Gurmukhi", table: unicode.Gurmukhi, lang: "pa"},
	Gujarati:   {name: "Gujarati", table: unicode.Gujarati, lang: "gu"},
	Tamil:      {name: "Tamil", table: unicode.Tamil, lang: "ta"},
	Telugu:     {name: "Telugu", table: unicode.Telugu, lang: "te"},
	Kannada:    {name: "Kannada", table: unicode.Kannada, lang: "kn"},
	Malayalam:  {name: "Malayalam", table: unicode.Malayalam, lang: "ml"},
	Sinhala:    {name: "Sinhala", table: unicode.Sinhala, lang: "si"},
	Khmer:      {name: "Khmer", table: unicode.Khmer, lang: "km"},
	Lao:        {name: "Lao", table: unicode.Lao, lang: "lo"},
	Myanmar:    {name: "Myanmar", table: unicode.Myanmar, lang: "my"},
	Tibetan:    {name: "Tibetan", table: unicode.Tibetan, lang: "bo"},
	Ethiopic:   {name: "Ethiopic", table: unicode.Ethiopic, lang: "am"},
	Other:      {name: "Other"},
}

// String is the English name of the script.
func (s Script) String() string {
	if int(s) < len(scriptTable) {
		return scriptTable[s].name
	}
	return scriptTable[Unknown].name
}

// scriptOf is the script of a letter, Unknown for what is no letter. Vowel signs
// count: Devanagari and Thai write half of their words with them.
func scriptOf(r rune) Script {
	switch {
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return Latin
		}
		return Unknown
	case r == 'µ' || r == 'ª' || r == 'º':
		return Unknown
	case r == 'ー', unicode.Is(unicode.Katakana, r):
		return Kana
	case !unicode.IsLetter(r) && !unicode.IsMark(r):
		return Unknown
	}
	for s := Latin; s < Other; s++ {
		if unicode.Is(scriptTable[s].table, r) {
			return s
		}
	}
	if unicode.IsLetter(r) {
		return Other
	}
	return Unknown
}

// Scripts counts the letters of a text by script. Give it Prose(text) to leave
// code, names and quoted words out.
func Scripts(text string) map[Script]int {
	var counts [len(scriptTable)]int
	for _, r := range text {
		counts[scriptOf(r)]++
	}
	out := map[Script]int{}
	for s, n := range counts {
		if n > 0 && Script(s) != Unknown {
			out[Script(s)] = n
		}
	}
	return out
}

// spaceless reports scripts that put no blanks between words.
func spaceless(s Script) bool {
	switch s {
	case Han, Kana, Thai, Lao, Khmer, Myanmar, Tibetan:
		return true
	}
	return false
}

// weight makes letters of scripts comparable: a syllable or an idea in one sign
// weighs as much as a few Latin letters.
func weight(s Script) int {
	switch s {
	case Han, Hangul:
		return 3
	case Kana:
		return 2
	}
	return 1
}

// mainScript is the script that most of the text is in, by weight, and the
// letters of all. Han and Kana are one: Kana, if there is any.
func mainScript(counts map[Script]int) (Script, int) {
	best, most, letters := Unknown, 0, 0
	east := counts[Han]*weight(Han) + counts[Kana]*weight(Kana)
	for s := Latin; s <= Other; s++ {
		n := counts[s]
		letters += n
		w := n * weight(s)
		if s == Han || s == Kana {
			w = east
		}
		if n > 0 && w > most {
			best, most = s, w
		}
	}
	if best == Han && counts[Kana] > 0 {
		best = Kana
	}
	return best, letters
}
