package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// Draft is a free recap: texts quoted from the session, and what is proven.
type Draft struct {
	Recap, Away, Digest string
	// Request is the newest substantive request, one sentence of it.
	Request    string
	Language   string // BCP 47 of the request, "" where unknown
	Status     []recap.Status
	WaitingFor string
	// TodosOpen and TodosDone count the newest to-do list.
	TodosOpen, TodosDone int
	Receipts             []recap.Receipt
}

// Marks of a draft. They belong to no language.
const (
	markArrow     = " → "
	markArrowLeft = " ← " // in scripts that run from right to left
	markNext      = " · "
	markDash      = " — "
	markTodo      = "☐ "
	markList      = "; "
)

// Words of a recap and of an away text that a long request may take where the
// result needs the rest.
const (
	recapRequestWords = 8
	awayRequestWords  = 12
	awayNextWords     = 10
	// A question this long at most stands in a recap beside the result.
	recapQuestionWords = 8
)

// Free composes the recap that costs nothing.
func Free(in Input) Draft {
	in.Turns, in.Session.Title = withoutOrders(in.Turns), calmed(in.Session.Title, true)
	f := collect(in.Turns, &in.Session)
	return free(&in, &f, &scratchpad{})
}

func free(in *Input, f *Facts, sp *scratchpad) Draft {
	d := Draft{}
	proofs := prove(f, in, sp)
	for _, p := range proofs {
		d.Status = append(d.Status, p.status)
	}
	open, done, next := todos(f.Todos)
	d.TodosOpen, d.TodosDone = open, done
	d.WaitingFor = waitingFor(in, proofs)

	req := findRequest(in, sp)
	d.Request = req.text
	ask := strings.TrimRight(req.text, ".。:： ")
	told := toldFailure(in.Turns, sp)
	res := findResult(in, f, req, told, sp)
	question := ""
	for _, p := range proofs {
		if p.status == recap.StatusWaitingAnswer {
			question = p.receipt.Detail
			if p.receipt.MessageID != "" && in.newest() != nil && strings.HasPrefix(question, "question: ") && len(f.Questions) == 0 {
				question = strings.TrimPrefix(question, "question: ")
			}
		}
	}
	if question != "" {
		question = oneLine(inline(question))
	}
	arrow := markArrow
	if rightToLeft(ask) || ask == "" && rightToLeft(res.text) {
		arrow = markArrowLeft
	}

	c := composer{f: f, sp: sp, told: told}
	if lang := answerLanguage(in, res.text); res.quoted || !hasLexicon(lang) {
		c.quotes, c.lang = true, lang
	}
	short := res.text
	shortID := res.id
	if short == "" && question != "" {
		short, shortID = question, f.questionID(in)
	}
	var usedResult string
	words, chars, tail := recap.RecapWords, recap.RecapChars, ""
	if question != "" && question != short && !isOffer(question, sp) && language.Words(question) <= recapQuestionWords {
		// What the person must decide comes first; the result gets the rest.
		tail = markNext + question
		words -= language.Words(question)
		chars -= utf8.RuneCountInString(tail)
	}
	d.Recap, usedResult = c.join(ask, short, arrow, words, chars, recapRequestWords)
	d.Recap += tail
	d.Receipts = fieldReceipts(d.Receipts, recap.FieldRecap, req, ask, shortID, usedResult)

	more := ""
	switch {
	case question != "" && question != short:
		more = question
	case question != "":
	case len(f.asked) > 0:
		more = f.asked[0]
	case next != "" && open > 0:
		more = next
	}
	d.Away, usedResult = c.away(ask, res, short, more, arrow)
	d.Receipts = fieldReceipts(d.Receipts, recap.FieldAway, req, ask, shortID, usedResult)

	d.Digest, usedResult = c.digest(req.text, res, f.Todos)
	d.Receipts = fieldReceipts(d.Receipts, recap.FieldDigest, req, req.text, res.id, usedResult)

	for _, p := range proofs {
		d.Receipts = append(d.Receipts, p.receipt)
	}
	d.Language = draftLanguage(in, &d)
	return d
}

func (f *Facts) questionID(in *Input) string {
	if t := in.newest(); t != nil && len(f.Questions) == 0 && t.AnswerID != "" {
		return t.AnswerID
	}
	return in.last()
}

// isOffer: the question is an offer of more ("Shall I commit this?").
func isOffer(q string, sp *scratchpad) bool {
	r := sp.read(q)
	start, _ := r.opening()
	return start&mOffer != 0 || r.marks&mOffer != 0 && r.toks[0].run
}

func fieldReceipts(out []recap.Receipt, field recap.Field, req request, ask, resultID, result string) []recap.Receipt {
	if ask != "" {
		out = append(out, recap.Receipt{Field: field, Claim: ask, Kind: recap.ReceiptRequest, MessageID: req.id})
	}
	if result != "" {
		out = append(out, recap.Receipt{Field: field, Claim: result, Kind: recap.ReceiptAnswer, MessageID: resultID})
	}
	return out
}

// waitingFor says what a waiting session waits for, in the session's words.
func waitingFor(in *Input, proofs []proof) string {
	for _, p := range proofs {
		kind := ""
		switch p.status {
		case recap.StatusWaitingApproval:
			kind = "approval: "
		case recap.StatusWaitingAnswer:
			kind = "question: "
		default:
			continue
		}
		if in.Session.WaitingFor != "" && strings.HasPrefix(in.Session.WaitingFor, kind[:8]) {
			return clip(oneLine(in.Session.WaitingFor), 300)
		}
		return strings.TrimSuffix(kind+strings.TrimPrefix(p.receipt.Detail, kind), ": ")
	}
	return ""
}

func draftLanguage(in *Input, d *Draft) string {
	for _, v := range slices.Backward(in.Turns) {
		if det := language.Target([]string{ends(v.Authored)}); det.Lang != "" && det.Reliable {
			return det.Lang
		}
	}
	// Too little was asked to tell. An agent answers as it is asked.
	whole := language.Target([]string{d.Request + " " + d.Recap})
	for _, v := range slices.Backward(in.Turns) {
		if det := language.Detect(ends(v.Answer)); det.Lang != "" && det.Reliable && (det.Lang == whole.Lang || !whole.Reliable) {
			return det.Lang
		}
	}
	if whole.Reliable {
		return whole.Lang
	}
	return ""
}

// ends gives the start and the end of a text that is long: they tell its
// language.
func ends(s string) string { return bothEnds(s, 400) }

// bothEnds gives so many bytes of either end of a text that is longer.
func bothEnds(s string, part int) string {
	if len(s) <= 2*part+1 {
		return s
	}
	head, rest := part, len(s)-part
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for rest < len(s) && !utf8.RuneStart(s[rest]) {
		rest++
	}
	return s[:head] + "\n" + s[rest:]
}

func rightToLeft(s string) bool {
	for _, r := range s {
		switch {
		case r >= 0x590 && r <= 0x8ff, r >= 0xfb1d && r <= 0xfdff, r >= 0xfe70 && r <= 0xfeff:
			return true
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r > 0x8ff:
			return false
		}
	}
	return false
}

// composer puts texts together within limits, and reads again what a cut
// left: a cut must not turn a denial into a claim.
type composer struct {
	f    *Facts
	sp   *scratchpad
	told bool
	// quotes: the result is shown as a quotation, since its words are not known
	// or its language is not. That is lang.
	quotes bool
	lang   string
}

// join gives "request → result" and the part of the result in it.
func (c *composer) join(ask, res, arrow string, words, chars, askWords int) (text, used string) {
	if ask == "" {
		used = c.cut(res, words, chars)
		return used, used
	}
	n := language.Words(ask)
	m := language.Words(res)
	if n+m > words {
		n = min(n, max(askWords, words-m))
	}
	ask = wholeSentence(shorten(ask, n, chars*2/5), ask)
	left := words - language.Words(ask)
	used = c.cut(res, left, chars-utf8.RuneCountInString(ask)-utf8.RuneCountInString(arrow))
	if used == "" {
		return language.ClampWords(ask, words, chars), ""
	}
	return language.ClampWords(ask+arrow+used, words, chars), used
}

// wholeSentence drops the first words of a sentence that a cut left behind
// another one.
func wholeSentence(short, whole string) string {
	if short == whole {
		return short
	}
	for _, end := range [...]string{". ", "。", "! ", "? "} {
		if i := strings.LastIndex(short, end); i > 0 && language.Words(short[i:]) <= 2 {
			return trimStop(short[:i+len(strings.TrimRight(end, " "))])
		}
	}
	return short
}

// cut shortens a result and drops what the cut made of it where it claims too
// much.
func (c *composer) cut(s string, words, chars int) string {
	if s == "" || words < 2 || chars < 8 {
		return ""
	}
	if c.quotes {
		chars -= 4
	}
	short := shorten(strings.TrimRight(s, " "), words, chars)
	if short != s {
		if body, ok := strings.CutSuffix(short, "…"); ok && withoutOpening(body) != body {
			short = withoutOpening(body) + "…"
		}
		if c.f.prune(short, c.told, c.sp) != short || c.f.boast(short, nil, c.sp) {
			return ""
		}
	}
	if c.quotes {
		return asQuotation(trimStop(short), c.lang)
	}
	return trimStop(short)
}

// answerLanguage gives the language of a result: its own where it is long
// enough to tell, else that of the whole answer.
func answerLanguage(in *Input, text string) string {
	if text == "" {
		return ""
	}
	if det := language.Detect(text); det.Reliable && det.Lang != "" {
		return det.Lang
	}
	if t := in.newest(); t != nil {
		if det := language.Detect(clip(t.Answer, 2000)); det.Reliable {
			return det.Lang
		}
	}
	return ""
}

// trimStop drops the full stop at the end of a line that is no sentence of
// ours. Other signs carry meaning.
func trimStop(s string) string {
	if strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") {
		return strings.TrimSuffix(s, ".")
	}
	return strings.TrimSuffix(s, "。")
}

// shorten cuts at the end of a clause where one lies in the last part of the
// limit, else at a word.
func shorten(s string, words, chars int) string {
	if language.Words(s) <= words && utf8.RuneCountInString(s) <= chars {
		return s
	}
	cut := language.ClampWords(s, words, chars)
	body := strings.TrimSuffix(cut, "…")
	best := -1
	for i, r := range body {
		switch r {
		case ',', ';', '，', '；', '、', '—', '–', '(', '（', '،':
			// Not the comma of "10,000" or of "f(a,b)".
			if rest := s[i+utf8.RuneLen(r):]; i*10 >= len(body)*6 && (r > 0x2000 || r == '(' && strings.HasSuffix(body[:i], " ") || strings.HasPrefix(rest, " ")) {
				best = i
			}
		}
	}
	if best > 0 {
		return strings.TrimRight(body[:best], " ,;，；、—–(（،") + "…"
	}
	return cut
}

// away gives "request → result · next".
func (c *composer) away(ask string, res result, short, next, arrow string) (text, used string) {
	words, chars := recap.AwayWords, recap.AwayChars
	if next != "" {
		room := recap.AwayWords - language.Words(ask) - language.Words(short)
		next = shorten(next, max(awayNextWords, room), 160)
		words -= language.Words(next)
		chars -= utf8.RuneCountInString(next) + utf8.RuneCountInString(markNext)
	}
	long := short
	if short == res.text {
		for _, m := range res.more {
			joined := trimStop(long) + m.mark + m.text
			if language.Words(ask)+language.Words(joined) > words-1 {
				break
			}
			long = joined
		}
	}
	text, used = c.join(ask, long, arrow, words, chars, awayRequestWords)
	if next != "" {
		if text == "" {
			text = next
		} else {
			text += markNext + next
		}
	}
	return language.ClampWords(text, recap.AwayWords, recap.AwayChars), used
}

// digest gives "request — result — ☐ to-do; to-do".
func (c *composer) digest(ask string, res result, list []recap.Todo) (text, used string) {
	const askWords, todoWords = 25, 18
	ask = shorten(strings.TrimRight(ask, ".。 "), askWords, 250)
	long := res.text
	for _, m := range res.more {
		if language.Words(long)+language.Words(m.text) > 30 {
			break
		}
		long = trimStop(long) + m.mark + m.text
	}
	var open strings.Builder
	left := todoWords
	for _, t := range list {
		if t.Status == recap.TodoDone || t.Status == recap.TodoCancelled {
			continue
		}
		item := shorten(oneLine(inline(t.Text)), min(left, 10), 120)
		n := language.Words(item)
		if item == "" || n > left {
			break
		}
		left -= n
		if open.Len() > 0 {
			open.WriteString(markList)
		}
		open.WriteString(markTodo)
		open.WriteString(item)
	}
	room := recap.DigestWords - language.Words(ask) - language.Words(open.String())
	used = c.cut(long, min(room, 34), 350)
	parts := make([]string, 0, 3)
	for _, p := range [...]string{ask, used, open.String()} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return language.ClampWords(strings.Join(parts, markDash), recap.DigestWords, recap.DigestChars), used
}
