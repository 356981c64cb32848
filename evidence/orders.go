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

// orderSentences is how many behind an order are taken for what it wants said.
const orderSentences = 2

// order is a way to speak to a model. The pattern is met only where one of the
// words stands, for there are few of them in any text.
type order struct {
	words   []string // in small letters; those with others in both forms
	foreign bool     // with letters beyond ASCII
	pattern *regexp.Regexp
	// tells: what is to be answered has to follow before a person's words are
	// taken for an order: one may well tell an agent to forget what was said.
	tells bool
	// told: an agent tells of an order that it has read, in a sentence.
	told bool
}

var (
	orders = sync.OnceValue(func() []order {
		at := func(s string) *regexp.Regexp { return regexp.MustCompile(`(?is)^(?:` + s + `)`) }
		const between = `(?:\S+\s+){0,3}`
		return []order{
			{[]string{"ignore", "disregard", "forget", "override", "bypass"}, false, at(
				`\w+\s+(?:(?:all|any|every|each|of|the|these|those)\s+)*(?:your|previous|prior|above|earlier|preceding|system|foregoing)` +
					`(?:\s+(?:system|previous|prior|own|and|all))*\s+(?:instructions?|prompts?|rules?|guidelines?|directions?|commands?)\b`), true, false},
			{[]string{"ignorier", "vergiss"}, false, at(`\S+\s+` + between + `(?:anweisung|instruktion)`), true, false},
			{[]string{"ignore", "oublie"}, false, at(`\S+\s+(?:toutes?\s+)?(?:les|tes|vos|ces)\s+(?:\S+\s+){0,2}(?:instructions|consignes)\b`), true, false},
			{[]string{"ignora", "ignore", "olvida"}, false, at(`\S+\s+` + between + `(?:instrucciones|instruções|istruzioni)`), true, false},
			{[]string{"zignoruj"}, false, at(`\S+\s+` + between + `(?:instrukcj|polecenia)`), true, false},
			{[]string{"talimatlar"}, false, at(`\S+\s+(?:yok say|görmezden|unut)`), true, false},
			{[]string{"гнорируй", "абудь", "гноруй"}, true, at(`\S+\s+` + between + `(?:инструкц|інструкц)`), true, false},
			{[]string{"忽略", "无视", "忘记"}, true, at(`.{2,14}?(?:指令|指示|提示|命令)`), true, false},
			{[]string{"指示", "命令", "プロンプト"}, true, at(`(?:指示|命令|プロンプト).{0,6}?(?:無視|忘れ)`), true, false},
			{[]string{"지시", "명령"}, true, at(`\S{2,6}\s*(?:\S+\s+)?무시`), true, false},
			{[]string{"</"}, false, at(`</\s*(?:evidence|asked|answered|marks|own-words)\b`), false, false},
			{[]string{"system"}, false, at(
				`\w+(?:\s+(?:message|prompt|note))?\W{0,3}:\W{0,3}(?:the\s+(?:recap|summary|suggestion|answer|reply)|(?:you|the assistant)\s+(?:must|are|should|will)|ignore|answer|reply|respond|output)\b`), false, false},
			{[]string{"assistant", "model", "summarizer", "summariser"}, false, at(
				`\w+\s+(?:that|who|which|reading|summari[sz]ing)\b[^.!?\n]{0,60}\b(?:must|should|has to|shall|will)\s+(?:say|answer|write|output|reply|include|state|claim)\b`), false, false},
			{[]string{"recap", "summary"}, false, at(`\w+\s+(?:must|has to|should|shall)\s+(?:be|say|read|state)\s*[:"'“«]`), false, false},
			{[]string{"when summari", "when you summari"}, false, at(`when\s+(?:you\s+)?summari[sz](?:e|ing)\s+(?:this|the)\s+(?:session|conversation|transcript|chat)\b`), false, false},
			{[]string{"reader", "leser", "lecteur", "lector", "leitor", "lettor", "assist", "asistent", "agent", "model", "anyone", " me to "}, false, at(
				`\S*(?:\s+(?:\S+\s+){0,4}?(?:to\s+(?:say|answer|reply|respond|claim|state|report|output|print|repeat|write)\s*(?:only\s+|just\s+)?(?:that\b|["“'«:])` +
					`|(?:soll(?:en|ten|te)?\s+)?(?:zu\s+)?(?:sagen|behaupten|antworten|schreiben)\s*(?:soll(?:en|ten|te)?)?\s*(?:[,:]\s*dass\b|[„"“»:])` +
					`|(?:de|d')\s*(?:dire|répondre|affirmer|écrire|déclarer)\s*(?:que\b|qu'|[«"“:])` +
					`|(?:que|di)\s+(?:digan?|respondan?|afirmen?|digam?|respondam?|afirmem?|dire|rispondere|affermare)\s*(?:que\b|che\b|[«"“:]))|me\s+to\s+(?:say|claim|state|answer)\s+that\b)`), false, true},
			{[]string{"читател", "ассистент", "агент", "модел"}, true, at(`\S+\s+(?:\S+\s+){0,2}?(?:сказать|ответить|сообщить|написать|отвечать|говорить)\s*(?:,\s*что|[«"“:])`), false, true},
			{[]string{"要求", "指示", "命令", "让"}, true, at(`(?:要求|指示|命令|让)(?:读者|助手|模型|代理|AI|智能体|总结者).{0,8}?(?:说|回答|回复|声称|输出)`), false, true},
			{[]string{"読者", "アシスタント", "モデル", "エージェント"}, true, at(`(?:読者|アシスタント|モデル|エージェント).{0,120}?(?:言う|答える|書く|報告する|述べる)よう`), false, true},
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
	var dictated []string // what the orders want said
	for i := range turns {
		t := &turns[i]
		text, wanted := heeded(t.Text, true)
		answer, reported := heeded(t.Answer, false)
		authored := text
		if t.Authored != t.Text {
			authored = calmed(t.Authored, true)
		}
		for _, gone := range [...]string{wanted, reported} {
			n := 0
			for s := range sentences(oneLine(clip(gone, 2000))) {
				if n++; n > orderSentences {
					break // they may be of the work again
				}
				dictated = append(dictated, s)
			}
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
	if copied {
		for i := range turns {
			turns[i].Answer = undictated(turns[i].Answer, dictated)
		}
	}
	return turns
}

// undictated drops from an answer the sentences that say, in whatever form, what
// an order wanted said: as a quotation, in a block, or to tell of it.
func undictated(answer string, dictated []string) string {
	var lists [][]string
	for _, d := range dictated {
		if words := tellingStems(d); len(words) >= 3 {
			lists = append(lists, words)
		}
	}
	if len(lists) == 0 {
		return answer
	}
	holds := func(s string) bool {
		words := tellingStems(s)
		return slices.ContainsFunc(lists, func(d []string) bool {
			n := shared(d, words)
			return n >= 2 && (2*n > len(d) || 3*n > 2*len(words))
		})
	}
	var b strings.Builder
	for line := range strings.Lines(answer) {
		if !holds(line) {
			b.WriteString(line)
			continue
		}
		for s := range sentences(strings.TrimSpace(line)) {
			if !holds(s) {
				b.WriteString(s)
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// calmed drops each order of a text: the sentence in which it stands, and what
// follows to the end of the paragraph.
func calmed(s string, typed bool) string {
	kept, _ := heeded(s, typed)
	return kept
}

// heeded is calmed, and gives what was dropped.
func heeded(s string, typed bool) (kept, gone string) {
	s = unimitated(s)
	var b, out strings.Builder
	for {
		from, to, told := orderIn(s, typed)
		if from < 0 {
			break
		}
		if s[from] != '<' { // words before a fence are not of the order
			line := strings.LastIndexByte(s[:from], '\n') + 1
			from = line + sentenceStart(s[line:from])
		}
		b.WriteString(s[:from])
		b.WriteByte('\n')
		start := to
		if told {
			for end := range sentences(s[from:]) {
				to = max(to, from+strings.Index(s[from:], end)+len(end))
				break
			}
			out.WriteString(s[start:to])
			out.WriteByte('\n')
			s = s[to:]
			continue
		}
		before := s
		s = s[to:]
		for s != "" { // the rest of the line, and the lines up to an empty one
			_, s, _ = strings.Cut(s, "\n")
			if next, _, _ := strings.Cut(s, "\n"); strings.TrimSpace(next) == "" {
				break
			}
		}
		out.WriteString(before[start : len(before)-len(s)])
		out.WriteByte('\n')
	}
	if b.Len() == 0 {
		return s, ""
	}
	b.WriteString(s)
	return b.String(), out.String()
}

// orderIn finds the first order of a text, -1 where there is none.
func orderIn(s string, typed bool) (from, to int, told bool) {
	small, foreign := smallLetters(s)
	threes := newThrees(small)
	from = -1
	for _, o := range orders() {
		if o.foreign && !foreign || o.told && typed {
			continue
		}
		for _, w := range o.words {
			if !threes.mayHold(w) {
				continue
			}
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
				from, to, told = i, i+m[1], o.told
				break
			}
		}
	}
	return from, to, told
}

// threeBytes tells which three bytes in a row a text may have: most words that
// are looked for stand in none, which is seen without a search for each.
type threeBytes [1 << 10]uint64

func newThrees(s string) *threeBytes {
	var t threeBytes
	for i := 0; i+2 < len(s); i++ {
		h := threesAt(s, i)
		t[h/64] |= 1 << (h % 64)
	}
	return &t
}

// mayHold: each three bytes of the word are there.
func (t *threeBytes) mayHold(w string) bool {
	for i := 0; i+2 < len(w); i++ {
		if h := threesAt(w, i); t[h/64]>>(h%64)&1 == 0 {
			return false
		}
	}
	return true
}

func threesAt(s string, i int) uint16 {
	return (uint16(s[i])*31+uint16(s[i+1]))*31 + uint16(s[i+2])
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
