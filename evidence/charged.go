package evidence

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// chargedIndexes give the words of the table of a language, each compiled when
// it is first needed; under "+" stand those of all languages with what bears
// them out.
var chargedIndexes = sync.OnceValue(func() map[string]func() *index {
	lists := map[string][]*charged{}
	for _, table := range [...][]charged{chargedTime[:], chargedDegree[:], chargedReach[:]} {
		for i := range table {
			w := &table[i]
			if w.lang != "+" {
				lists[w.lang] = append(lists[w.lang], w)
			}
			if w.means != 0 {
				lists["+"] = append(lists["+"], w)
			}
		}
	}
	all := make(map[string]func() *index, len(lists))
	for lang, list := range lists {
		all[lang] = sync.OnceValue(func() *index {
			ix := newIndex(16*len(list), 8*len(list))
			ix.plain = true
			for _, w := range list {
				for p := range strings.SplitSeq(w.phrases, "|") {
					ix.add(p, w.means)
				}
			}
			return ix
		})
	}
	return all
})

// chargedIndex gives the words of a language, nil where the table has none.
func chargedIndex(lang string) *index {
	if ix := chargedIndexes()[lang]; ix != nil {
		return ix()
	}
	return nil
}

// heardTurns is how many of the newest turns bear a charged word out, and
// maxHeard how many characters of a message of theirs.
const (
	heardTurns = 3
	maxHeard   = 16000
)

// heardWords are the charges of a sentence of the session, with the words that
// it and its neighbours tell something with.
type heardWords struct {
	means mark
	stems []string
	asked bool // by the person
}

// sentenceHeard is a sentence, the telling words of which are read once, and
// only where they are asked for.
type sentenceHeard struct {
	text  string
	stems []string
	read  bool
}

func (s *sentenceHeard) words() []string {
	if !s.read {
		s.stems, s.read = tellingStems(s.text), true
	}
	return s.stems
}

// hears reads what the session charges, when it is first asked for.
func (c *checker) hears() []heardWords {
	if c.heard != nil {
		return c.heard
	}
	c.heard = []heardWords{}
	ix, now := chargedIndex("+"), lookupStrict()
	var toks []token
	var hits []hit
	var last, here sentenceHeard // the sentence before the newest, and that; zero where none is
	near := -1                   // of heard: what the newest sentence may follow
	typed := false
	note := func(s string) {
		toks = tokenize(s, toks[:0])
		var m mark
		hits = now.scan(toks, hits[:0])
		for _, h := range hits {
			if h.mark&mNow != 0 {
				m |= chEarlier // what is so now was not so before
			}
			if h.mark&mEdited != 0 && takers().all(toks)&(wordRemoves|wordGone) == 0 {
				m |= chNew // what was changed, and not taken away
			}
		}
		hits = ix.scan(toks, hits[:0])
		for _, h := range hits {
			m |= h.mark
		}
		last, here = here, sentenceHeard{text: s}
		if near >= 0 {
			c.heard[near].stems = append(c.heard[near].stems, here.words()...)
		}
		near = -1
		if m == 0 {
			return // nobody asks for its words
		}
		if len(here.words()) > 0 {
			near = len(c.heard)
		}
		c.heard = append(c.heard, heardWords{m, slices.Concat(here.words(), last.words()), typed})
	}
	fresh := func() { here, near = sentenceHeard{}, -1 }
	for i := len(c.in.Turns) - 1; i >= 0 && i >= len(c.in.Turns)-heardTurns; i-- {
		t := &c.in.Turns[i]
		for k, text := range [...]string{t.Text, t.Answer} {
			fresh()
			typed = k == 0
			for _, seg := range c.sp.segments(clip(text, maxHeard)) {
				note(seg.text)
			}
		}
		for j := range t.Tools {
			fresh()
			note(clip(t.Tools[j].Command, 300)) // what a commit is called
			for _, q := range t.Tools[j].Questions {
				note(q)
			}
			for _, td := range t.Tools[j].Todos {
				note(td.Text)
			}
		}
	}
	return c.heard
}

// charges gives the first word of a part of a sentence that claims something
// by itself, of time, order, degree, certainty or reach, and that nothing in
// the newest turns bears out; "" where there is none.
func (c *checker) charges(s string) string {
	toks := tokenize(s, nil)
	var hits []hit
	var stems []string
	for _, lang := range [...]string{c.tongue, ""} {
		ix := chargedIndex(lang)
		if ix == nil {
			continue
		}
		hits = ix.scan(toks, hits[:0])
		for _, h := range hits {
			if h.mark&chChecked != 0 && c.unreviewed(lower(s[h.start:h.end]), s, toks) {
				return s[h.start:h.end]
			}
			if h.mark == 0 || c.proves(h.mark, s, toks, h) {
				continue
			}
			if stems == nil {
				stems = tellingStems(s)
			}
			if h.mark&chSelf != 0 {
				return s[h.start:h.end] // the note is not the agent's
			}
			if h.mark&chPlaces != 0 && !toks[h.tok].run && c.grounds().holds(lower(s[h.start:h.end]), spaced) {
				continue
			}
			if !slices.ContainsFunc(c.hears(), func(x heardWords) bool {
				return x.means&h.mark != 0 && !(x.asked && h.mark&(chAll|chWholly) != 0 && c.standings().limits) &&
					(len(stems) < 2 || akin(stems, x.stems) || x.asked && h.mark&chChecked != 0 && c.standings().untouched) // to look at it was all that was asked
			}) {
				return s[h.start:h.end]
			}
		}
	}
	return ""
}

// reviews are how words of what somebody else has looked at or agreed to begin.
var reviews = [...]string{
	"review", "approv", "sign-off", "signed off", "lgtm", "begutacht", "abgenommen", "freigegeben", "freigabe", "genehmigt", "approuv", "approbation", "aprob", "aprovad", "approvat", "revisionat",
	"отревью", "ревью", "одобр", "审核", "审查", "评审", "批准", "レビュー", "承認", "검토", "승인",
}

// unreviewed: the word is of a review or an approval of work that was done, and
// nothing in the newest turns speaks of one. That a run passed is none.
func (c *checker) unreviewed(w, s string, toks []token) bool {
	return len(c.f.Edits) > 0 && slices.ContainsFunc(reviews[:], func(p string) bool { return strings.HasPrefix(w, p) }) &&
		!c.saysNo(toks) && steps().all(toks)&stepWaits == 0 && !c.reads(s, mNeg|mNegAdj|mFuture|mCond) &&
		!slices.ContainsFunc(reviews[:], func(p string) bool { return strings.Contains(c.wordsIn().body, p) })
}

// youConfirmed: the part says that the person confirmed something, and no message
// of the person does.
func (c *checker) youConfirmed(s string) bool {
	person, confirmed := false, false
	toks := tokenize(s, nil)
	for _, t := range toks {
		if t.run {
			person = person || strings.Contains(t.text, "你") || strings.Contains(t.text, "您") || strings.Contains(t.text, "用户")
			confirmed = confirmed || strings.Contains(t.text, "确认") && !strings.Contains(t.text, "待") && !strings.Contains(t.text, "等")
			continue
		}
		switch t.text {
		case "you", "du", "ihr", "tu", "vous", "tú", "usted", "você", "ты", "вы", "user", "person", "nutzer", "utilisateur", "usuario", "usuário", "utente", "пользователь":
			person = true
		case "confirmed", "bestätigt", "confirmé", "confirmaste", "confirmado", "confirmó", "confirmou", "confermato", "подтвердил", "подтвердила", "подтвердили":
			confirmed = true
		}
	}
	if !person || !confirmed {
		return false
	}
	t := c.in.newest()
	return t != nil && language.Words(t.Text) > 6 && !c.saysNo(toks) && steps().all(toks)&stepWaits == 0 && !c.reads(s, mNeg|mFuture|mCond) && !strings.Contains(lower(t.Text), "confirm") && !isQuestion(s)
}

// readyFor: the part says that the work may be merged, released or deployed now,
// and no answer says that anything is ready.
func (c *checker) readyFor(s string) bool {
	toks := tokenize(s, nil)
	ready, step := false, false
	for _, t := range toks {
		if t.run {
			ready = ready || strings.Contains(t.text, "可以") || strings.Contains(t.text, "准备好") || strings.Contains(t.text, "準備")
			step = step || strings.Contains(t.text, "合并") || strings.Contains(t.text, "上线") || strings.Contains(t.text, "发布") || strings.Contains(t.text, "マージ") || strings.Contains(t.text, "リリース")
			continue
		}
		w := t.text
		ready = ready || slices.Contains([]string{"ready", "bereit", "prêt", "prête", "listo", "lista", "pronto", "pronta", "готов", "готова", "готово", "готовы"}, w)
		step = step || slices.ContainsFunc([]string{"merge", "release", "ship", "deploy", "production", "prod", "zusammenführ", "auslief", "veröffentlich", "fusion", "publi", "despleg", "mescl", "lanç", "rilasci", "слия", "релиз", "выкат", "деплой"}, func(p string) bool { return strings.HasPrefix(w, p) })
	}
	return ready && step && !c.saysNo(toks) && !c.reads(s, mNeg|mCond) && !slices.ContainsFunc([]string{"ready", "bereit", "prêt", "listo", "lista ", "pronto", "pronta", "готов", "可以", "准备", "準備"}, func(p string) bool { return strings.Contains(c.wordsIn().body, p) })
}

// noneFails: the part says that nothing fails, without an exception.
func (c *checker) noneFails(s string) bool {
	toks := tokenize(s, nil)
	denied := c.saysNo(toks)
	for i := range toks {
		switch toks[i].text {
		case "zero", "null", "cero", "zéro", "zero's", "ноль", "нуль", "ни", "0", "keinerlei", "kein", "keine":
			denied = true
		case "other", "others", "else", "more", "andere", "anderen", "weitere", "sonst", "mehr", "autre", "autres", "plus", "otro", "otra", "otros", "más", "outro", "outros", "mais", "altro", "altri", "più", "другие", "других", "больше", "only", "except", "but", "still", "yet", "noch", "encore", "todavía", "ainda", "ancora", "ещё":
			return false
		}
		if toks[i].run && (strings.Contains(toks[i].text, "其他") || strings.Contains(toks[i].text, "他の") || strings.Contains(toks[i].text, "还") || strings.Contains(toks[i].text, "まだ")) {
			return false
		}
	}
	return denied && !isQuestion(s)
}

// tongueOf gives the language by which the charged words of a text are read:
// its own, where that is sure, else that of the answers, else one of its
// script.
func tongueOf(d language.Detection, answers *language.Detection) string {
	all := chargedIndexes()
	if all[d.Lang] != nil && d.Reliable {
		return d.Lang
	}
	if answers != nil && all[answers.Lang] != nil && answers.Script == d.Script {
		return answers.Lang
	}
	if all[d.Lang] != nil {
		return d.Lang
	}
	switch d.Lang {
	case "ca", "gl", "ast":
		return "es"
	case "af":
		return "nl"
	}
	switch d.Script {
	case language.Cyrillic:
		return "ru"
	case language.Han:
		return "zh"
	case language.Kana:
		return "ja"
	case language.Hangul:
		return "ko"
	}
	return d.Lang
}

// proves: the facts bear a charged word out, or it claims nothing where it
// stands.
func (c *checker) proves(m mark, s string, toks []token, h hit) bool {
	f := c.f
	passed := func() bool {
		return f.testsPass(false) || f.commandPassed(classBuild) || f.commandPassed(classOther)
	}
	switch {
	case m&chSelf != 0:
		return s[h.start:h.end] == "i" || c.fromAnswers(s) >= mostEcho || isQuestion(s)
	case m&(chSoFar|chForNow|chPartly) != 0:
		return true // says less
	case m&chStill != 0 && c.unfinished():
		return true
	case m&(chStill|chLater) != 0 && c.reads(s, mNeg|mNegAdj|mFuture):
		return true
	case m&chOnly != 0 && c.onlyLess(s):
		return true
	case m&chOnly != 0 && (c.onlyTalk(s) || c.onlyFile(s) || c.unfinished() && c.half(toks)):
		return true
	case m&(chWell|chGreen|chWholly|chChecked) != 0 && passed() && c.reads(s, mTest|mBuild|mPass|mVerified):
		return true
	case m&(chWell|chGreen) != 0 && c.passedCount(toks):
		return true
	case m&chAlready != 0 && c.provenClaim(s[:h.start]+s[h.end:]), m&(chAll|chAlways) != 0 && c.provenClaim(s):
		return true
	case m&chOnly != 0 && countBehind(s, toks, h, c.tongue):
		return true
	case m&(chTrunk|chRepo) != 0 && c.committed(), m&chRelease != 0 && f.commandPassed(classDeploy), m&(chMerge|chTrunk) != 0 && f.merged(), m&(chRemote|chTrunk) != 0 && f.pushed(), m&(chRemote|chPR) != 0 && f.commandPassed(classPR):
		return true
	case m&chAll != 0:
		open, done, _ := todos(f.Todos)
		return open == 0 && done > 0
	case m&(chRelease|chMerge|chChecked) != 0:
		return c.reads(s, mNeg|mNegAdj|mFuture)
	case m&chGreen != 0:
		return len(f.Tests) > 0 && c.saysNo(toks)
	case m&(chRemote|chTrunk|chPublic|chPR|chRepo) != 0:
		return c.saysNo(toks)
	case m&chFault != 0:
		return !c.reads(s, mNeg) || passed()
	}
	return false
}

func (c *checker) committed() bool {
	_, ok := c.f.lastCommit()
	return ok
}

// nothingLeft: the part says that nothing is left to do, and something is.
func (c *checker) nothingLeft(s string) bool {
	open, _, _ := todos(c.f.Todos)
	t := c.in.newest()
	return (c.stuck || open > 0 || t == nil || !t.Complete) && tellsLeft(lower(s)) && c.saysNothing(tokenize(s, nil))
}

// saysNothing: the words say that there is nothing, not that something is not
// done.
func (c *checker) saysNothing(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		if t.run {
			return slices.ContainsFunc([]string{"没有剩", "没剩", "不剩", "没有遗留", "没有未完成", "残りはありません", "残りはない", "残っていません", "残っていない", "作業はありません", "ものはありません"}, func(w string) bool { return strings.Contains(t.text, w) }) ||
				strings.Contains(t.text, "없")
		}
		switch t.text {
		case "no":
			return c.tongue == "en"
		case "nothing", "none", "nichts", "kein", "keine", "keinerlei", "rien", "aucun", "aucune", "nada", "ningún", "ninguna", "ninguno", "nenhum", "nenhuma", "nulla", "niente", "nessun", "nessuna", "ничего", "нечего", "нічого", "niets", "geen":
			return true
		}
		return false
	})
}

// saysNo: a word denies something; one that only waits, or is missing, does
// not.
func (c *checker) saysNo(toks []token) bool {
	for i := range toks {
		if t := &toks[i]; t.run {
			if slices.ContainsFunc([]string{"没有", "没", "不", "无", "未", "尚未", "ません", "ない", "なく", "なし", "없", "않", "안 "}, func(w string) bool { return strings.Contains(t.text, w) }) {
				return true
			}
			continue
		}
		switch w := toks[i].text; w {
		case "no":
			if c.tongue != "pt" { // "in the"
				return true
			}
		case "not", "none", "nothing", "never", "without", "nobody", "neither", "nor", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "didn't", "doesn't", "don't", "won't", "cannot", "can't",
			"nicht", "nichts", "kein", "keine", "keinen", "keiner", "keinem", "nie", "ohne", "weder", "niemand",
			"ne", "pas", "rien", "aucun", "aucune", "jamais", "sans", "ni", "personne",
			"nada", "ningún", "ninguna", "ninguno", "nunca", "sin", "tampoco", "nadie",
			"não", "nenhum", "nenhuma", "sem", "nem", "ninguém", "non", "nulla", "niente", "nessun", "nessuno", "nessuna", "senza", "mai", "né",
			"не", "нет", "ничего", "нечего", "ни", "без", "никто", "никогда", "нельзя", "немає", "нічого", "жоден",
			"niet", "niets", "geen", "zonder", "nooit", "nic", "bez", "żaden", "değil", "yok", "hiçbir":
			return true
		default:
			if strings.HasPrefix(w, "n'") || strings.HasSuffix(w, "n't") {
				return true
			}
		}
	}
	return false
}

// onlyTalk: nothing was changed, and the part tells of no matter of the
// session: "it was only a diagnosis".
func (c *checker) onlyTalk(s string) bool {
	return len(c.f.Edits)+len(c.f.Commits) == 0 && c.weigh(s).own == 0
}

// onlyLess: the part says what is still to come, or that no more was done than
// what it tells: nothing was changed, or an answer says what was not.
func (c *checker) onlyLess(s string) bool {
	st := c.standings()
	if c.reads(s, mEdited|mEditWeak) {
		return st.limits
	}
	return st.untouched || meanings(s)&(wordPends|wordStays) != 0 || c.reads(s, mNegAdj|mFuture)
}

// onlyFile: the part names the one file that was changed.
func (c *checker) onlyFile(s string) bool {
	file := ""
	for i := range c.f.Edits {
		for _, p := range c.f.Edits[i].Paths {
			if b := baseName(p); file == "" || b == file {
				file = b
				continue
			}
			return false
		}
	}
	return file != "" && strings.Contains(lower(s), file)
}

// half: the words say that something is done in part.
func (c *checker) half(toks []token) bool {
	ix := chargedIndex(c.tongue)
	return ix != nil && slices.ContainsFunc(ix.scan(toks, nil), func(h hit) bool { return h.mark&chPartly != 0 })
}

// akin: the two tell of one thing, by the beginning of a word.
func akin(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y || min(len(x), len(y)) >= 4 && utf8.RuneCountInString(x) >= 4 && utf8.RuneCountInString(y) >= 4 && (strings.HasPrefix(x, y) || strings.HasPrefix(y, x)) {
				return true
			}
		}
	}
	return false
}

// passedCount: the words give how many passed of a run.
func (c *checker) passedCount(toks []token) bool {
	t, ok := c.f.lastTest()
	count, _, _ := strings.Cut(t.Count, " ")
	return ok && count != "" && slices.ContainsFunc(toks, func(t token) bool { return t.text == count })
}

// reads: the part has a word of the marks.
func (c *checker) reads(s string, m mark) bool {
	c.sp.scan(s)
	return c.mentions(m)
}

// provenClaim: the part claims a status, and it is proven.
func (c *checker) provenClaim(s string) bool {
	r := c.sp.read(s)
	found := false
	for i := range r.clauses {
		for _, x := range r.clauses[i].claims() {
			if x.negated || x.cond || x.kind == claimEdited || x.kind == claimDone {
				continue
			}
			if !c.f.permits(x) {
				return false
			}
			found = true
		}
	}
	return found
}

// countBehind: a number follows, and numbers are looked up as such.
func countBehind(s string, toks []token, h hit, lang string) bool {
	for i := h.tok; i < len(toks) && i <= h.tok+2; i++ {
		switch t := &toks[i]; {
		case t.run:
			counted := false
			hanNumbers(s[max(t.start, h.end):t.end], func(int, int, int) { counted = true })
			if counted {
				return true
			}
		case t.start >= h.end && t.sign == 0 && (number(t.text) >= 0 || cardinal(t.text, lang) > 1):
			return true
		}
	}
	return false
}
