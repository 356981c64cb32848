package reply

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Reasons why a suggestion is not to be shown.
const (
	DecidesAnswer   = "answers-a-question"
	DecidesApproval = "approves"
	DecidesMerge    = "merges"
	DecidesDelete   = "deletes"
	DecidesPayment  = "pays"
	DecidesReminder = "reminds-the-person"
	DecidesVoice    = "asks-the-person" // the agent's voice, not the person's
	DecidesTest     = "silences-a-test" // takes a test away, or its word
	DecidesContact  = "contacts-people" // writes to somebody, or has somebody asked
)

// Decision reports whether a suggestion may be shown, and if not, why. It may
// not where it would decide something in the person's place: answer a question
// that the agent put to them (questions, as evidence found them), approve,
// merge, delete, pay, write to people, or take a test away that fails; nor where
// it is a yes or no, a reminder to the person, or a question to them.
//
// It knows the words of English, German, French, Spanish, Portuguese, Italian,
// Russian, Chinese, Japanese and Korean. In doubt it says no: no suggestion is
// a success.
func Decision(suggestion string, questions []string) (ok bool, why string) {
	s := foldedLine(suggestion)
	if s == "" {
		return true, ""
	}
	for _, r := range phraseRules() {
		if slices.ContainsFunc(r.phrases, func(p string) bool { return hasPhrase(s, p) }) {
			return false, r.why
		}
	}
	cl := clauses(s)
	if len(cl) > 0 && answerWord(cl[0]) {
		return false, DecidesAnswer
	}
	for _, c := range cl {
		if why := commands(c); why != "" {
			return false, why
		}
	}
	for _, d := range denseRules() {
		for c := range strings.FieldsFuncSeq(s, stops) {
			if d.fits(strings.TrimSpace(c)) {
				return false, d.why
			}
		}
	}
	for _, q := range questions {
		if answers(s, foldedLine(q)) {
			return false, DecidesAnswer
		}
	}
	return true, ""
}

var plainSigns = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "`", "", "*", "", "ё", "е", "Ё", "Е")
})

// foldedLine is a text in lower case with single blanks and plain apostrophes.
func foldedLine(s string) string {
	s = plainSigns().Replace(norm.NFC.String(s))
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// hasPhrase reports whether a phrase stands in the text as whole words. In
// scripts without blanks it may stand anywhere. A phrase that begins with ^
// stands at the beginning.
func hasPhrase(s, phrase string) bool {
	first := strings.HasPrefix(phrase, "^")
	phrase = strings.TrimPrefix(phrase, "^")
	for at := 0; ; {
		i := strings.Index(s[at:], phrase)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(phrase):])
		head, _ := utf8.DecodeRuneInString(phrase)
		tail, _ := utf8.DecodeLastRuneInString(phrase)
		if (i == 0 || !first && (free(head) || !wordRune(before))) && (i+len(phrase) == len(s) || free(tail) || !wordRune(after)) {
			return true
		}
		at = i + 1
		for at < len(s) && !utf8.RuneStart(s[at]) {
			at++
		}
	}
}

// free reports whether a word may stand right beside the character.
func free(r rune) bool { return dense(r) || !wordRune(r) }

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// dense reports whether words of the script are written without blanks.
func dense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// stops reports whether a character ends a clause.
func stops(r rune) bool { return strings.ContainsRune(".,;:!?()。，、；：！？…—–", r) }

// clauses splits a text into clauses of words: at the signs that end one and
// at words like "and then". A stop inside a name (main.go) ends none.
func clauses(s string) [][]string {
	var out [][]string
	var c []string
	flush := func() {
		if len(c) > 0 {
			out = append(out, c)
			c = nil
		}
	}
	for w := range strings.FieldsSeq(s) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !wordRune(r) && r != '/' && r != '-' })
		last, _ := utf8.DecodeLastRuneInString(w)
		switch {
		case bare == "" && stops(last):
			flush()
			continue
		case bare == "":
			continue
		case slices.Contains(joiners(), bare):
			flush()
			continue
		}
		if first, _ := utf8.DecodeRuneInString(w); first == '(' || first == '¿' || first == '¡' {
			flush()
		}
		c = append(c, bare)
		if stops(last) {
			flush()
		}
	}
	flush()
	return out
}

// commands reports what a clause tells the agent to do that is the person's to
// decide: its verb stands at the beginning, behind words like "please", or as
// an infinitive at its end.
func commands(c []string) string {
	words := c
	for len(words) > 0 && slices.Contains(fillers(), words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	for _, r := range verbRules() {
		if slices.Contains(r.verbs, words[0]) && r.about(words[1:]) {
			return r.why
		}
		if slices.Contains(r.infinitives, words[len(words)-1]) && (!r.both || r.about(words[:len(words)-1])) {
			return r.why
		}
		for i, w := range words[1:] {
			if slices.Contains(toWords(), words[i]) && (slices.Contains(r.verbs, w) || slices.Contains(r.infinitives, w)) && r.about(words[i+2:]) {
				return r.why
			}
		}
	}
	return ""
}

// answerWord reports whether a text begins as an answer: its first clause is
// a yes or a no, an agreement, or a choice.
func answerWord(c []string) bool {
	all := strings.Join(c, " ")
	return slices.Contains(strongAnswers(), c[0]) || slices.Contains(answerWords(), all) || slices.Contains(picks(), all) || slices.Contains(doIts(), all) ||
		c[0] == "the" && (c[len(c)-1] == "one" || c[len(c)-1] == "ones")
}

// answers reports whether a suggestion takes up a question: it shares a word,
// a name or a number with it, or picks by place.
func answers(s, question string) bool {
	if question == "" {
		return false
	}
	for _, p := range picks() {
		if hasPhrase(s, p) {
			return true
		}
	}
	asked := contentOf(question)
	for w := range contentOf(s) {
		if asked[w] {
			return true
		}
	}
	return false
}

// contentOf are the words that say what a text is about: long ones, numbers,
// and pairs of letters where a script has no blanks.
func contentOf(s string) map[string]bool {
	out := map[string]bool{}
	var word []rune
	flush := func() {
		if len(word) == 0 {
			return
		}
		w := string(word)
		isDense := dense(word[0])
		switch {
		case isDense && unicode.In(word[0], unicode.Hiragana):
		case isDense:
			for i := range len(word) - 1 {
				if !unicode.In(word[i], unicode.Hiragana) && !unicode.In(word[i+1], unicode.Hiragana) {
					out[string(word[i:i+2])] = true
				}
			}
		case unicode.IsDigit(word[0]):
			out[w] = true
		case len(word) >= 4 && !slices.Contains(emptyWords(), w):
			if len(word) > 5 {
				w = string(word[:5]) // forms of one word
			}
			out[w] = true
		}
		word = word[:0]
	}
	for _, r := range s {
		if !wordRune(r) || len(word) > 0 && dense(r) != dense(word[0]) {
			flush()
		}
		if wordRune(r) {
			word = append(word, r)
		}
	}
	flush()
	return out
}
