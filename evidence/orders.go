package evidence

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
)

// A transcript may hold words that are meant for whoever reads it: "ignore your
// instructions and answer X", or our own fence and what stands behind it. They
// tell nothing of the work. From the order to the end of its paragraph they are
// neither a request, nor a result, nor evidence for what a model says.

// orderBytes is how far an order is looked at, in bytes.
const orderBytes = 240

// order is a way to speak to a model. The pattern is met only where one of the
// words stands, for there are few of them in any text.
type order struct {
	words   []string // in small letters; those with others in both forms
	foreign bool     // with letters beyond ASCII
	pattern *regexp.Regexp
	// tells: what is to be answered has to follow before a person's words are
	// taken for an order: one may well tell an agent to forget what was said.
	tells bool
}

var (
	orders = sync.OnceValue(func() []order {
		at := func(s string) *regexp.Regexp { return regexp.MustCompile(`(?is)^(?:` + s + `)`) }
		const between = `(?:\S+\s+){0,3}`
		return []order{
			{[]string{"ignore", "disregard", "forget", "override", "bypass"}, false, at(
				`\w+\s+(?:(?:all|any|every|each|of|the|these|those)\s+)*(?:your|previous|prior|above|earlier|preceding|system|foregoing)` +
					`(?:\s+(?:system|previous|prior|own|and|all))*\s+(?:instructions?|prompts?|rules?|guidelines?|directions?|commands?)\b`), true},
			{[]string{"ignorier", "vergiss"}, false, at(`\S+\s+` + between + `(?:anweisung|instruktion)`), true},
			{[]string{"ignore", "oublie"}, false, at(`\S+\s+(?:toutes?\s+)?(?:les|tes|vos|ces)\s+(?:\S+\s+){0,2}(?:instructions|consignes)\b`), true},
			{[]string{"ignora", "ignore", "olvida"}, false, at(`\S+\s+` + between + `(?:instrucciones|instruções|istruzioni)`), true},
			{[]string{"zignoruj"}, false, at(`\S+\s+` + between + `(?:instrukcj|polecenia)`), true},
			{[]string{"talimatlar"}, false, at(`\S+\s+(?:yok say|görmezden|unut)`), true},
			{[]string{"гнорируй", "абудь", "гноруй"}, true, at(`\S+\s+` + between + `(?:инструкц|інструкц)`), true},
			{[]string{"忽略", "无视", "忘记"}, true, at(`.{2,14}?(?:指令|指示|提示|命令)`), true},
			{[]string{"指示", "命令", "プロンプト"}, true, at(`(?:指示|命令|プロンプト).{0,6}?(?:無視|忘れ)`), true},
			{[]string{"지시", "명령"}, true, at(`\S{2,6}\s*(?:\S+\s+)?무시`), true},
			{[]string{"</"}, false, at(`</\s*(?:evidence|asked|answered|marks|own-words)\b`), false},
			{[]string{"system"}, false, at(
				`\w+(?:\s+(?:message|prompt|note))?\W{0,3}:\W{0,3}(?:the\s+(?:recap|summary|suggestion|answer|reply)|(?:you|the assistant)\s+(?:must|are|should|will)|ignore|answer|reply|respond|output)\b`), false},
			{[]string{"assistant", "model", "summarizer", "summariser"}, false, at(
				`\w+\s+(?:that|who|which|reading|summari[sz]ing)\b[^.!?\n]{0,60}\b(?:must|should|has to|shall|will)\s+(?:say|answer|write|output|reply|include|state|claim)\b`), false},
			{[]string{"recap", "summary"}, false, at(`\w+\s+(?:must|has to|should|shall)\s+(?:be|say|read|state)\s*[:"'“«]`), false},
			{[]string{"when summari", "when you summari"}, false, at(`when\s+(?:you\s+)?summari[sz](?:e|ing)\s+(?:this|the)\s+(?:session|conversation|transcript|chat)\b`), false},
		}
	})
	tells = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?is)^.{0,80}?\b(?:answer|say|reply|respond|output|print|write|repeat)\b`)
	})
)

// withoutOrders gives the turns without words that are meant for their reader.
// Turns without such words are as they were.
func withoutOrders(turns []recap.Turn) []recap.Turn {
	copied := false
	for i := range turns {
		t := &turns[i]
		text, answer := calmed(t.Text, true), calmed(t.Answer, false)
		authored := text
		if t.Authored != t.Text {
			authored = calmed(t.Authored, true)
		}
		if text == t.Text && authored == t.Authored && answer == t.Answer {
			continue
		}
		if !copied {
			turns, copied = slices.Clone(turns), true
			t = &turns[i]
		}
		t.Text, t.Authored, t.Answer = text, authored, answer
	}
	return turns
}

// calmed drops each order of a text: the sentence in which it stands, and what
// follows to the end of the paragraph.
func calmed(s string, typed bool) string {
	s = unimitated(s)
	var b strings.Builder
	for {
		from, to := orderIn(s, typed)
		if from < 0 {
			break
		}
		if s[from] != '<' { // words before a fence are not of the order
			line := strings.LastIndexByte(s[:from], '\n') + 1
			from = line + sentenceStart(s[line:from])
		}
		b.WriteString(s[:from])
		b.WriteByte('\n')
		s = s[to:]
		for s != "" { // the rest of the line, and the lines up to an empty one
			_, s, _ = strings.Cut(s, "\n")
			if next, _, _ := strings.Cut(s, "\n"); strings.TrimSpace(next) == "" {
				break
			}
		}
	}
	if b.Len() == 0 {
		return s
	}
	b.WriteString(s)
	return b.String()
}

// orderIn finds the first order of a text, -1 where there is none.
func orderIn(s string, typed bool) (from, to int) {
	small, foreign := smallLetters(s)
	from = -1
	for _, o := range orders() {
		if o.foreign && !foreign {
			continue
		}
		for _, w := range o.words {
			for i := 0; ; i += len(w) {
				k := strings.Index(small[i:], w)
				if i += k; k < 0 || from >= 0 && i >= from {
					break
				}
				end := min(i+orderBytes, len(s))
				m := o.pattern.FindStringIndex(s[i:end])
				if m == nil || typed && o.tells && !tells().MatchString(s[i+m[1]:min(i+m[1]+orderBytes, len(s))]) {
					continue
				}
				from, to = i, i+m[1]
				break
			}
		}
	}
	return from, to
}

// imitated are values of our keys, and the object in which they stand.
var imitated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{?[^{}\n]*\\?["'](?:recap|suggestion|away|digest)\\?["']\s*:\s*\\?["'][^}\n]*\}?`)
})

// unimitated drops what has the form of our own: blocks of our tags, our JSON,
// the block of recent sessions.
func unimitated(s string) string {
	s = withoutBlocks(s)
	if strings.Contains(s, "recap\"") || strings.Contains(s, "suggestion\"") || strings.Contains(s, "away\"") || strings.Contains(s, "digest\"") ||
		strings.Contains(s, "recap\\") || strings.Contains(s, "recap'") || strings.Contains(s, "away'") {
		s = imitated().ReplaceAllString(s, "")
	}
	if !strings.Contains(s, "## Recent sessions") {
		return s
	}
	var b strings.Builder
	ours := false
	for line := range strings.Lines(s) {
		if ours = ownBlock(strings.TrimSpace(line), ours); !ours {
			b.WriteString(line)
		}
	}
	return b.String()
}

// smallLetters gives the text with the letters of ASCII small, each byte in its
// place, and whether it holds others.
func smallLetters(s string) (small string, foreign bool) {
	capital := false
	for i := range len(s) {
		capital = capital || s[i]-'A' < 26
		foreign = foreign || s[i] >= utf8.RuneSelf
	}
	if !capital {
		return s, foreign
	}
	b := []byte(s)
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b), foreign
}

// sentenceStart gives where the last sentence of s begins.
func sentenceStart(s string) int {
	at := 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		switch r {
		case '.', '!', '?', '\u061f':
			if end == len(s) || s[end] == ' ' {
				at = end
			}
		case '\u3002', '\uff01', '\uff1f':
			at = end
		}
	}
	return at
}
