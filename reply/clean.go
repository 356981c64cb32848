package reply

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// maxValue is how many bytes of a value are cleaned: several times what the
// longest field may hold.
const maxValue = 16 << 10

// clean gives the text of a value for a field, or why there is none, with the
// error where a notice stands in its place.
func (v value) clean(f recap.Field) (text, why string, notice *recap.Error) {
	switch {
	case v.cut:
		return "", WhyCut, nil
	case !v.isString:
		return "", WhyType, nil
	}
	s, thought, unclosed := withoutReasoning(v.text)
	if unclosed {
		return "", WhyReasoning, nil
	}
	if s == "" && thought {
		return "", WhyReasoning, nil
	}
	if len(s) > maxValue {
		s = strings.ToValidUTF8(s[:maxValue], "")
	}
	if inner, _, ok := lastTag(s, string(f)); ok {
		s = inner
	}
	if bare := unfence(s); strings.HasPrefix(bare, "{") {
		if o, _, ok := lastObject(bare, []recap.Field{f}); ok {
			nested := o.values([]recap.Field{f})[f]
			if !nested.isString || nested.cut {
				return "", WhyType, nil
			}
			s = nested.text
		}
	}
	if n := noticeOf(s); n != nil {
		return "", WhyNotice, n
	}
	raw := s
	s = Clean(s)
	if f != recap.FieldSuggestion { // "okay" may be the answer to a question
		s = withoutTalk(s)
	}
	s = withoutLabel(s, f)
	if placeholder(s, f) {
		return "", WhyEmpty, nil
	}
	if s != raw {
		if n := noticeOf(s); n != nil {
			return "", WhyNotice, n
		}
	}
	if f != recap.FieldSuggestion && musing(s) {
		return "", WhyReasoning, nil
	}
	if s = clamp(s, f); s == "" || s == "…" {
		return "", WhyEmpty, nil
	}
	return s, "", nil
}

// clamp cuts a text to the limits of its field.
func clamp(s string, f recap.Field) string {
	switch f {
	case recap.FieldRecap:
		return language.ClampWords(s, recap.RecapWords, recap.RecapChars)
	case recap.FieldAway:
		return language.ClampWords(s, recap.AwayWords, recap.AwayChars)
	case recap.FieldDigest:
		return language.ClampWords(s, recap.DigestWords, recap.DigestChars)
	}
	return language.ClampWords(s, recap.SuggestionChars, recap.SuggestionChars)
}

// markup finds what is taken away or unwrapped.
type markup struct {
	comment, special, image, link, ours, html, autolink *regexp.Regexp
}

var patterns = sync.OnceValue(func() markup {
	return markup{
		comment:  regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`),
		special:  regexp.MustCompile(`<\|[a-zA-Z_|-]{1,30}\|>|<\|?/?(?:end_of_turn|start_of_turn|eos|bos)\|?>|</?s>|\[/?INST\]`),
		image:    regexp.MustCompile(`!\[([^\[\]]*)\]\([^()\s]*(?:\s+"[^"]*")?\)`),
		link:     regexp.MustCompile(`\[([^\[\]]+)\]\([^()\s]+(?:\s+"[^"]*")?\)`),
		ours:     regexp.MustCompile(`(?i)</?(?:recap|suggestion|away|digest|answer|response|output|final|result)\b(?:\s[^<>]*)?/?>`),
		html:     regexp.MustCompile(`(?i)<(/?)(b|i|u|em|strong|code|p|br|span|div|ul|ol|li|pre|h[1-6]|a|sup|sub|kbd|mark|small)\b(?:\s[^<>]*)?/?>`),
		autolink: regexp.MustCompile(`<(https?://[^<>\s]+)>`),
	}
})

// Clean makes one plain line of a text: no markdown, no tags of ours or of a
// page, no control, escape and direction characters, no line breaks, no quotes
// around the whole.
func Clean(s string) string {
	p := patterns()
	if strings.ContainsAny(s, "<[") {
		s = p.comment.ReplaceAllString(s, "")
		s = p.special.ReplaceAllString(s, "")
		s = p.image.ReplaceAllString(s, "$1")
		s = p.link.ReplaceAllString(s, "$1")
		s = withoutTags(s, p)
		s = p.autolink.ReplaceAllString(s, "$1")
	}
	s = lines(recap.Safe(realBreaks(s)))
	s = emphasis(s, "***")
	s = emphasis(s, "**")
	s = emphasis(s, "__")
	s = emphasis(s, "~~")
	s = emphasis(s, "*")
	s = emphasis(s, "_")
	s = strings.ReplaceAll(s, "`", "")
	s = strings.Map(func(r rune) rune {
		switch r {
		case 0xad, 0x200b, 0x2060, 0x180e, utf8.RuneError:
			return -1
		}
		if r >= 0xe000 && r <= 0xf8ff {
			return -1
		}
		return r
	}, s)
	return norm.NFC.String(unquote(recap.Line(s)))
}

// withoutTags takes tags of ours away, and those of a page that mark words up:
// one of a pair, or a line break between words. A tag alone, or in code, is
// spoken of.
func withoutTags(s string, p markup) string {
	s = p.ours.ReplaceAllString(s, " ")
	all := p.html.FindAllStringSubmatchIndex(s, -1)
	if len(all) == 0 {
		return s
	}
	gone := make([]bool, len(all))
	open := map[string][]int{} // the tags that nothing closed yet
	for k, m := range all {
		if strings.Count(s[:m[0]], "`")%2 == 1 {
			continue
		}
		name := strings.ToLower(s[m[4]:m[5]])
		switch {
		case name == "br":
			gone[k] = m[0] > 0 && s[m[0]-1] != ' ' || m[1] < len(s) && s[m[1]] != ' '
		case m[2] == m[3]:
			open[name] = append(open[name], k)
		case len(open[name]) > 0:
			last := len(open[name]) - 1
			gone[open[name][last]], gone[k] = true, true
			open[name] = open[name][:last]
		}
	}
	var b strings.Builder
	at := 0
	for k, m := range all {
		if gone[k] {
			b.WriteString(s[at:m[0]])
			b.WriteByte(' ')
			at = m[1]
		}
	}
	return b.String() + s[at:]
}

// realBreaks makes line breaks of \n that was escaped twice.
func realBreaks(s string) string {
	if !strings.Contains(s, `\n`) {
		return s
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, `\n`)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if before == "" || after == "" || unicode.IsSpace(last) || unicode.IsPunct(last) && last != ':' && last != '\\' && last != '/' ||
			unicode.IsSpace(next) || strings.ContainsRune("-*#\\", next) {
			b.WriteByte('\n')
		} else {
			b.WriteString(`\n`)
		}
		s = after
	}
}

// lines joins the lines of a text: marks of quotes, headings, lists and fences
// go, items of a list are parted by semicolons.
func lines(s string) string {
	if !strings.ContainsAny(s, "\n#>-*+•`|0123456789=_") {
		return s
	}
	all := strings.Split(s, "\n")
	numbered := 0
	for _, l := range all {
		if _, ok := cutNumber(strings.TrimSpace(l)); ok {
			numbered++
		}
	}
	var b strings.Builder
	item := false
	for _, l := range all {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			continue
		}
		for {
			rest, ok := strings.CutPrefix(l, ">")
			if !ok {
				break
			}
			l = strings.TrimSpace(rest)
		}
		if h := strings.TrimLeft(l, "#"); h != l && (h == "" || h[0] == ' ') {
			l = strings.TrimSpace(strings.TrimRight(h, "#"))
		}
		if len(l) >= 3 && strings.Trim(l, "-*_= |:+") == "" {
			continue // a rule
		}
		isItem := false
		for _, bullet := range [...]string{"- ", "* ", "+ ", "• ", "– ", "‣ "} {
			if rest, ok := strings.CutPrefix(l, bullet); ok {
				l, isItem = strings.TrimSpace(rest), true
				break
			}
		}
		for _, box := range [...]string{"[ ] ", "[x] ", "[X] "} {
			if rest, ok := strings.CutPrefix(l, box); ok && isItem {
				l = rest
			}
		}
		if rest, ok := cutNumber(l); ok && numbered > 1 {
			l, isItem = rest, true
		}
		if l == "" {
			continue
		}
		if b.Len() > 0 {
			if item && isItem && endsOpen(b.String()) {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
		}
		b.WriteString(l)
		item = isItem
	}
	return b.String()
}

// cutNumber takes the number of a list item away.
func cutNumber(l string) (string, bool) {
	rest := strings.TrimLeft(l, "0123456789")
	if rest == l || len(l)-len(rest) > 2 || len(rest) < 3 || rest[0] != '.' && rest[0] != ')' || rest[1] != ' ' {
		return l, false
	}
	return strings.TrimSpace(rest[2:]), true
}

// endsOpen reports whether a text ends without a sign that ends something.
func endsOpen(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '`' || r == ')' || r == '"' || r == '*'
}

// emphasis takes the marks away that stand around words. Marks inside names,
// paths and patterns (**/*.go, __init__, a*b) stay.
func emphasis(s, mark string) string {
	if !strings.Contains(s, mark) {
		return s
	}
	var b strings.Builder
	for {
		i := opening(s, mark)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		j := closing(s, i+len(mark), mark)
		if j < 0 {
			b.WriteString(s[:i+len(mark)])
			s = s[i+len(mark):]
			continue
		}
		b.WriteString(s[:i])
		b.WriteString(s[i+len(mark) : j])
		s = s[j+len(mark):]
	}
}

func opening(s, mark string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return -1
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(mark):])
		free := i == 0 || unicode.IsSpace(before) || strings.ContainsRune("([{\"'“‘«:;,.!?—–-。，、：；（「『", before) || mark[0] != '_' && unicode.In(before, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		if free && i+len(mark) < len(s) && !unicode.IsSpace(after) && after != rune(mark[0]) && after != '/' && after != '.' {
			return i
		}
		at = i + len(mark)
	}
}

func closing(s string, from int, mark string) int {
	for at := from; ; {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return -1
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(mark):])
		end := i + len(mark)
		free := end == len(s) || unicode.IsSpace(after) || strings.ContainsRune(")]}\"'”’»:;,.!?—–-。，、：；）」』", after) || mark[0] != '_' && unicode.In(after, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		name := mark == "__" && !strings.ContainsRune(s[from:i], ' ')
		if free && i > from && !unicode.IsSpace(before) && before != rune(mark[0]) && before != '/' && !name && !strings.Contains(s[from:i], "\n") {
			return i
		}
		at = end
	}
}

// unquote takes quotes around the whole text away.
func unquote(s string) string {
	for _, q := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"‘", "’"}} {
		rest, ok := strings.CutPrefix(s, q[0])
		if !ok {
			continue
		}
		if inner, ok := strings.CutSuffix(rest, q[1]); ok && !strings.Contains(inner, q[0]) && !strings.Contains(inner, q[1]) {
			return strings.TrimSpace(inner)
		}
	}
	return s
}

// withoutLabel takes the name of the field away where it stands in front.
func withoutLabel(s string, f recap.Field) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "※"))
	for _, label := range [...]string{string(f), "recap", "summary", "tl;dr", "tldr"} {
		if len(s) > len(label) && strings.EqualFold(s[:len(label)], label) {
			rest := strings.TrimLeft(s[len(label):], " ")
			for _, colon := range [...]string{":", "："} {
				if text, ok := strings.CutPrefix(rest, colon); ok {
					return unquote(strings.TrimSpace(text))
				}
			}
		}
	}
	return s
}

// placeholder reports whether a text says that there is none.
func placeholder(s string, f recap.Field) bool {
	bare := strings.ToLower(strings.Trim(s, " .,;:!?…-–—_*()[]{}<>\"'“”‘’`。、（）「」/\\|"))
	switch bare {
	case "", string(f), "string", "text", "value", "empty", "empty string", "an empty string", "none", "null", "nil", "n/a", "na", "undefined", "nothing", "no", "false", "not applicable",
		"no suggestion", "no suggestions", "no recap", "no text", "no message", "no next step", "no next steps", "no further action", "no further action needed", "no action needed", "nothing to do",
		"nothing to suggest", "nothing to recap", "none needed", "nothing further", "left empty", "leave empty", "intentionally left blank", "blank", "your recap here", "your text here", "tbd", "todo",
		"keine", "keiner", "nichts", "leer", "kein vorschlag", "entfällt",
		"aucun", "aucune", "rien", "vide", "aucune suggestion", "néant",
		"ninguno", "ninguna", "nada", "vacío", "sin sugerencia", "sin sugerencias", "nenhum", "nenhuma", "vazio", "sem sugestão", "nessuno", "nessuna", "niente", "vuoto",
		"нет", "ничего", "пусто", "нет предложений", "нет предложения", "отсутствует", "немає",
		"无", "無", "空", "没有", "暂无", "无建议", "没有建议", "空字符串", "なし", "無し", "ありません", "特になし", "該当なし", "空文字", "없음", "없습니다", "해당 없음", "brak", "yok", "geen", "ingen":
		return true
	}
	return ofTheForm(bare)
}

// formWords are those of which the form that a reply is asked for in is made:
// the names of the fields, and words of a schema.
var formWords = [...]string{
	"suggestion", "recap", "away", "digest", "additionalproperties", "properties", "required", "jsonschema", "json", "schema", "object", "strings", "string", "values", "value", "texts", "text",
	"types", "type", "keys", "key", "fields", "field", "true", "false", "null", "asked", "answered", "evidence", "marks", "ownwords", "exactly", "one",
}

// ofTheForm reports whether a text holds no letter but of words of the form,
// also where they fell apart ("Awa y").
func ofTheForm(s string) bool {
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, clip(s, 120))
	return madeOf(s, formWords[:])
}

// madeOf reports whether a text is some of the words in a row, or nothing.
func madeOf(s string, words []string) bool {
	if s == "" {
		return true
	}
	for _, w := range words {
		if rest, ok := strings.CutPrefix(s, w); ok && madeOf(rest, words) {
			return true
		}
	}
	return false
}

// clip gives at most n bytes of a text, no character in parts.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Echoes reports whether a text is for the most part one of an instruction:
// its words in runs of four and more. A small model says again what it was
// told.
func Echoes(text string, instructions ...string) bool { return Told(instructions...).Echo(text) }

// Instructions are the words of what a model was told.
type Instructions []instruction

// instruction is one of them, and where in it each word stands.
type instruction struct {
	words []string
	at    map[string][]int
}

// Told splits instructions once, for several texts.
func Told(instructions ...string) Instructions {
	var out Instructions
	for _, in := range instructions {
		words := strings.FieldsFunc(foldedLine(in), func(r rune) bool { return !wordRune(r) })
		at := make(map[string][]int, len(words))
		for i, w := range words {
			at[w] = append(at[w], i)
		}
		out = append(out, instruction{words, at})
	}
	return out
}

// Echo is [Echoes] for one text.
func (t Instructions) Echo(text string) bool {
	words := strings.FieldsFunc(foldedLine(text), func(r rune) bool { return !wordRune(r) })
	if len(words) == 0 {
		return false
	}
	for _, said := range t {
		held := 0
		for i := 0; i < len(words); {
			best := 0
			for _, k := range said.at[words[i]] {
				n := 1
				for i+n < len(words) && k+n < len(said.words) && words[i+n] == said.words[k+n] {
					n++
				}
				best = max(best, n)
			}
			if best >= min(4, max(2, len(words))) {
				held += best
			}
			i += max(best, 1)
		}
		if held*10 >= 6*len(words) {
			return true
		}
	}
	return false
}

var musings = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:okay|ok|alright|hmm+|well|so|wait|sure)[,.!…]* )*(?:` +
		`let(?:'s|’s| me| us) (?:see|think|look|analy[sz]e|break|start by|figure|summari[sz]e|recap|review|check|examine|parse|understand|re-?read|consider)|` +
		`(?:i|we) (?:need|have|want|should|must|will|am|are)(?: going)?(?: to)? (?:write|produce|output|summari[sz]e|generate|create|provide|return|respond|reply|answer|recap|analy[sz]e|parse|figure)\b|` +
		`the user (?:wants|is asking|asked|needs|would like) (?:me|us)\b|(?:the|this) (?:task|instruction|prompt) (?:is (?:to|asking|about|clear|that)|says|asks|wants)|` +
		`looking at (?:the|this) (?:transcript|evidence|session|conversation)|` +
		`(?:(?:based on|according to|from) )?the (?:evidence|transcript|marks?|receipts?|excerpts?)\b[^.;:]{0,30}?(?:,|\b(?:shows?|says?|states?|indicates?|proves?|lists?|suggests?|tells?|confirms?)\b)|` +
		`(?:here(?:'s|’s| is)) (?:the|a|my|your) (?:json|recap|summary|response|output|object)\b.{0,20}:?$|thinking process)`)
})

// prefaces are the words with which a model hands a text over, up to the colon,
// and before others a word such as "okay"; farewells are the sentence behind it.
var prefaces = sync.OnceValue(func() *regexp.Regexp {
	const thing = `(?:recap|summary|suggestion|answer|zusammenfassung|kurzfassung|résumé|récapitulatif|resumen|resumo|riassunto|riepilogo|резюме|сводка|итог|краткое содержание)`
	return regexp.MustCompile(`(?i)^(?:(?:okay|ok|alright|sure|certainly|of course|well|hmm+|gut|klar|bien sûr|claro|хорошо)[,.!…:]+ +)*` +
		`(?:(?:(?:here(?:'s|’s| is)|this is|hier ist|hier die|voici|aquí (?:está|tienes)|aqui está|ecco|вот) )?(?:(?:the|a|an|my|your|die|eine|deine|le|la|el|un|una|o|il|lo) )?(?:(?:final|short|brief|one[- ]line|quick|updated|kurze|court|breve|краткое|краткая|краткий) )?` +
		thing + `(?: (?:in|of|en|auf|из|за) [^:：.;]{1,30})? ?[:：] *|(?:以下是|这是)?(?:会话|本次)?(?:的)?(?:总结|摘要|回顾)如?下?[:：] *|(?:以下は)?(?:要約|まとめ)(?:です)?[:：] *)?`)
})

var farewells = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)([.!?。！？]) *(?:(?:please )?let me know\b[^.!?]*|(?:i )?hope (?:this|that|it) helps[^.!?]*|(?:please )?feel free to (?:ask|reach|tell)[^.!?]*|anything else[^.!?]*\?|lass es mich wissen[^.!?]*|sag (?:mir )?bescheid, (?:wenn|falls) du (?:noch )?(?:fragen|mehr)[^.!?]*|n'hésite(?:z)? pas à [^.!?]*|no dudes en [^.!?]*|дай(?:те)? (?:мне )?знать, если [^.!?]*|如需[^。！？]*请(?:告诉|随时)[^。！？]*)[.!?。！？]*$`)
})

// withoutTalk takes away what a model says to the one that asked it.
func withoutTalk(s string) string {
	if strings.ContainsAny(clip(s, maxPreface), ":：,!.…") {
		if rest := s[len(prefaces().FindString(s)):]; rest != "" && len(rest) < len(s) {
			r, n := utf8.DecodeRuneInString(rest)
			s = unquote(string(unicode.ToUpper(r)) + rest[n:])
		}
	}
	for _, word := range [...]string{"me know", "helps", "eel free", "nything else", "mich wissen", "escheid", "hésite", "dudes en", "знать", "如需"} {
		if strings.Contains(s, word) {
			return farewells().ReplaceAllString(s, "$1")
		}
	}
	return s
}

// maxPreface is where a preface has its colon at the latest, in bytes.
const maxPreface = 120

// turns are a channel of thought before the final one, and a second thought.
var turns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:analysis|commentary|thought|thinking)\b:? .*\bfinal\b:? |(?:…|\.\.\.|—|–) ?(?:wait|hmm+|no wait|actually)\b[,.!…]`)
})

// musing reports whether a text is reasoning about what to write.
func musing(s string) bool {
	turned := strings.ContainsAny(s, "…—–") || strings.Contains(s, "...") || strings.Contains(s, "final")
	return musings().MatchString(s) || turned && turns().MatchString(s)
}
