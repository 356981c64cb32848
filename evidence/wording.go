package evidence

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// There are more ways to say that all is well than any list of words holds. So
// a sentence of an answer has to earn its place. Where each of its clauses says
// what is known and borne out, it stands as it is. In other words it must at
// least name something that the session worked on, and stands as what it is,
// the agent's words, in quotation marks. Beside a failure it is not shown, but
// for what admits it.

// standing is how a sentence of an answer may be shown.
type standing uint8

const (
	unborne  standing = iota // not at all
	asQuoted                 // in quotation marks
	borne                    // as it is
)

// wording tells the standing of sentences of one session.
type wording struct {
	f       *Facts
	turns   []recap.Turn
	worked  bool // something was changed, tested or committed
	failing bool // a run of the tests failed, or the newest other command
	tested  bool // the tests pass
	about   *grounds
	tongue  string // see tongueOf

	toks         []token // used again for each sentence
	first, other []hit
}

func newWording(f *Facts, turns []recap.Turn) *wording {
	w := &wording{f: f, turns: turns, worked: len(f.Edits)+len(f.Tests)+len(f.Commits) > 0, tested: f.testsPass(false)}
	if t, ok := f.lastTest(); ok && !t.Passed {
		w.failing = true
	}
	_, open := f.unanswered()
	_, command := f.failedCommand()
	w.failing = w.failing || open || command
	return w
}

// stand gives what may be shown of a sentence that [Facts.prune] kept, and how.
func (w *wording) stand(s string, sp *scratchpad) (kept string, how standing) {
	if !w.worked || isQuestion(s) {
		return s, borne
	}
	r := sp.read(s)
	if len(r.clauses) == 0 { // no word of it is known
		r.clauses = append(r.clauses, clause{end: len(s)})
	}
	first, run, unknown, admits := -1, -1, false, false
	for i := range r.clauses {
		c := &r.clauses[i]
		switch part := s[c.start:c.end]; {
		case w.known(s, c):
			admits = admits || w.admits(s, c)
			if first < 0 {
				first = i
			}
			if !unknown {
				run = i
			}
		case !bareNames(part):
			if first >= 0 && !unknown {
				run = i - 1
			}
			unknown = true
		}
	}
	edits := w.onlyEdits(s, &r)
	praise := (unknown || edits) && w.praises(s)
	if !unknown && !praise && (!w.failing || !edits) {
		return s, borne
	}
	names, telling := w.names(s)
	switch {
	case !unknown && !praise && (names || telling >= specific):
		return s, borne
	case unknown && !names && w.f.stateProven(s, sp):
		return s, borne
	case unknown && admits, names && !w.failing && !praise, w.tested && telling >= specific && !praise:
		return s, asQuoted
	case !unknown || first < 0 || first > 0 && !standsAlone(s, r.clauses[first].start):
		return "", unborne
	}
	// The clauses that are known, from the first on, while they stand together.
	part := withoutOpening(trimClause(s[r.clauses[first].start:r.clauses[max(run, first)].end]))
	if language.Words(part) < 3 || open(part, sp) || dangles(part) || len(part) >= len(s) {
		return "", unborne
	}
	if kept, how = w.stand(part, sp); kept != part || how != borne {
		return "", unborne
	}
	return part, borne
}

// praises: a word says that the work is perfect, looked at by others, or
// where people use it, and the session has no such word.
func (w *wording) praises(s string) bool {
	if w.tongue == "" {
		w.tongue = "en"
		if n := len(w.turns); n > 0 {
			w.tongue = tongueOf(language.Detect(ends(w.turns[n-1].Answer)), nil)
		}
	}
	ix := chargedIndex(w.tongue)
	if ix == nil {
		return false
	}
	doubtful := chPublic | chRelease | chTrunk | chRemote | chMerge
	if !w.tested {
		doubtful |= chForGood | chWholly | chWell | chGreen | chChecked
	}
	w.toks = tokenize(s, w.toks[:0])
	w.first, w.other = ix.scan(w.toks, w.first[:0]), lookup().scan(w.toks, w.other[:0])
	return slices.ContainsFunc(w.first, func(h hit) bool {
		if h.mark&doubtful == 0 || !w.toks[h.tok].run && w.subject().holds(lower(s[h.start:h.end]), spaced) {
			return false
		}
		from, to := part(w.toks, h.tok)
		return !slices.ContainsFunc(w.other, func(x hit) bool {
			return x.mark&mNeg != 0 && x.tok >= from && x.tok <= to
		})
	})
}

// part gives the first and the last token around toks[i] that no sign divides
// from it.
func part(toks []token, i int) (from, to int) {
	from, to = i, i
	for from > 0 && toks[from-1].sign == 0 {
		from--
	}
	for to+1 < len(toks) && toks[to+1].sign == 0 {
		to++
	}
	return from, to
}

// specific is how many telling words make a sentence one about some work,
// though none of them is the session's.
const specific = 2

// known: the clause claims what is read and borne out, or admits a failure.
func (w *wording) known(s string, c *clause) bool {
	for _, cl := range c.claims() {
		if cl.kind == claimEdited && c.n == 1 && (cl.negated && w.lacks(s[c.start:c.end]) || !cl.negated && (c.marks&mNeg != 0 || reflexive(s[c.start:c.end]))) {
			return false // "no regressions introduced", "it got faster"
		}
		if cl.cond || cl.kind == claimRan && w.failing || cl.negated && cl.kind.rung() >= RungPushed && w.isSubject(s[c.start:c.end]) {
			return false
		}
	}
	return c.n > 0 || w.admits(s, c)
}

// lacks: what is denied are faults.
func (w *wording) lacks(part string) bool {
	w.toks = tokenize(part, w.toks[:0])
	w.first = lookupState().scan(w.toks, w.first[:0])
	return slices.ContainsFunc(w.first, func(h hit) bool { return h.mark&mFail != 0 })
}

// reflexive: the Russian or Ukrainian verb says what became of a thing, not
// what was done to it.
func reflexive(part string) bool {
	for _, t := range tokenize(part, nil) {
		if t.sign == 0 && (strings.HasSuffix(t.text, "лась") || strings.HasSuffix(t.text, "лось") || strings.HasSuffix(t.text, "лись") || strings.HasSuffix(t.text, "лся") || strings.HasSuffix(t.text, "вся")) {
			return true
		}
	}
	return false
}

// isSubject: a word of releases, pull requests or branches is what the session
// is about. What is denied with it need not be a deployment.
func (w *wording) isSubject(part string) bool {
	toks := tokenize(part, nil)
	return slices.ContainsFunc(lookup().scan(toks, nil), func(h hit) bool {
		return h.mark&(placeMarks|mDeployWeak|mMergeWeak|mPushWeak) != 0 && w.subject().holds(lower(part[h.start:h.end]), scriptOf(firstRune(part[h.start:])))
	})
}

// failsNow are words that say that something does not work as it stands. "The
// error", "it crashed" are none: so one tells of what was mended.
var failsNow = [...]entry{
	{mFail, "fail|fails|failing|keeps failing|keep failing|breaks|crashes|hangs|deadlocks|panics|times out|does not compile|doesn't compile|won't compile|does not build|doesn't build|is red|are red|stays red|still red|remains red"},
	{mFail, "schlägt fehl|noch fehl|weiter fehl|weiterhin fehl|schlagen fehl|schlägt noch fehl|schlagen noch fehl|fehlschlägt|fehlschlagen|scheitert|scheitern|bricht ab|stürzt ab|ist rot|sind rot|bleibt rot|bleiben rot|kompiliert nicht|baut nicht"},
	{mFail, "échoue|échouent|plante|plantent|ne passe pas|ne passent pas|ne compile pas|est rouge|sont rouges|reste rouge|restent rouges|reste en rouge|s'arrête sur|reste un échec|restent des échecs"},
	{mFail, "falla|fallan|sigue fallando|siguen fallando|no pasa|no pasan|no compila|se cuelga|se rompe|sigue en rojo|siguen en rojo|está en rojo|están en rojo"},
	{mFail, "falha|falham|continua falhando|continuam falhando|não passa|não passam|não compila|nem compila|quebra|quebram|continua quebrando|continuam quebrando|trava|dá vermelho|dão vermelho|dá erro|dão erro|fica vermelho|ficam vermelhos|continua vermelho|continuam vermelhos"},
	{mFail, "fallisce|falliscono|non passa|non passano|non compila|va in crash|va in errore|vanno in errore|va ancora in errore|vanno ancora in errore|dà errore|danno errore|resta rosso|restano rossi|è rosso|sono rossi"},
	{mFail, "падает|падают|не проходит|не проходят|не собирается|не компилируется|ломается|ломаются|зависает|валится|валятся|проваливается|проваливаются|спотыкается|спотыкаются|остаётся красным|остаются красными|красные"},
	{mFail, "падає|падають|не проходить|не проходять|не збирається|не компілюється|ламається|ламаються|зависає|валиться|валяться|провалюється|провалюються|червоні"},
	{mFail, "仍然失败|还是失败|仍失败|都失败|测试失败|依然失败|报错|報錯|不通过|未通过|没通过|没有通过|挂了|编译不过|没过|未过|还没有过|卡死"},
	{mFail, "失敗し|失敗する|落ちる|落ちて|落ちます|失敗します|赤いまま|通りません|通らない|通っていません|コンパイルできません|止まります"},
	{mFail, "실패합니다|실패하|실패해|깨집니다|깨져|깨지|빨간불|빨갛|통과하지못|통과하지않|컴파일되지않|멈춥니다"},
	{mFail, "başarısız|geçmiyor|geçemiyor|patlıyor|zaman aşımına uğruyor|hata veriyor|kırılıyor|derlenmiyor|çöküyor|takılıyor"},
	{mFail, "nie przechodzi|nie przechodzą|pada|padają|kończy się paniką|kończy się błędem|nie kompiluje się|nie buduje się|zawiesza się|wywala się|zgłasza błąd|zgłaszają błąd|jest czerwony|są czerwone|świeci na czerwono"},
	{mFail, "faalt|falen|mislukt|mislukken|faalt nog|falen nog|slaagt niet|slagen niet|blijft rood|nog rood|nog steeds rood|blijven rood|is rood|zijn rood|crasht|loopt vast|compileert niet"},
}

var lookupFails = sync.OnceValue(func() *index { return plainIndex(failsNow[:]) })

// admits: the clause says that something does not work.
func (w *wording) admits(s string, c *clause) bool {
	for _, cl := range c.claims() {
		if (cl.kind == claimTestsFailed || cl.kind == claimBuildFailed) && !cl.negated && !cl.cond {
			return true
		}
	}
	toks := tokenize(s[c.start:c.end], w.toks[:0])
	fails, known := lookupFails().scan(toks, w.first[:0]), lookup().scan(toks, w.other[:0])
	w.toks, w.first, w.other = toks, fails, known
	if notYet(toks) && slices.ContainsFunc(known, func(h hit) bool { return h.mark&mNeg != 0 }) {
		return true
	}
	return slices.ContainsFunc(fails, func(f hit) bool {
		from, to := part(toks, f.tok)
		return !slices.ContainsFunc(known, func(h hit) bool {
			denies := h.mark&(mNeg|mCond|mHedge) != 0 || h.mark&mNow != 0 && c.marks&mTest == 0
			return denies && h.tok >= from && h.tok <= to && (h.start >= f.end || h.end <= f.start)
		})
	})
}

// notYet: the clause has the other half of "not yet".
func notYet(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		if t.run {
			return slices.ContainsFunc([]string{"尚未", "还没", "還沒", "还不", "まだ", "아직"}, func(w string) bool { return strings.Contains(t.text, w) })
		}
		return slices.Contains([]string{"yet", "noch", "encore", "todavía", "aún", "ainda", "ancora", "ещё", "еще", "ще", "henüz", "jeszcze", "nog"}, t.text)
	})
}

// bareNames: signs, addresses and names of code alone.
func bareNames(s string) bool {
	for w := range strings.FieldsSeq(s) {
		if !noRequest(w) && !strings.Contains(w, "://") && !namesIdentifier(w) {
			return false
		}
	}
	return true
}

// onlyEdits: the sentence claims nothing but that something was changed.
func (w *wording) onlyEdits(s string, r *reading) bool {
	for i := range r.clauses {
		for _, cl := range r.clauses[i].claims() {
			if cl.kind != claimEdited || cl.negated {
				return false
			}
		}
		if w.admits(s, &r.clauses[i]) {
			return false
		}
	}
	return true
}

// Bounds of what is read for the subject of a session.
const (
	aboutTurns = 3
	aboutChars = 2000
)

// names: the sentence has a word that tells what the session worked on: of the
// person's messages, a file, a to-do, or an identifier. Telling counts the
// words that are none of grammar, of sessions as such, or of how things stand.
func (w *wording) names(s string) (names bool, telling int) {
	about := w.subject()
	w.toks = tokenize(s, w.toks[:0])
	w.first, w.other = lookupState().scan(w.toks, w.first[:0]), lookup().scan(w.toks, w.other[:0])
	states, known := w.first, w.other
	covered := func(at, end int) bool {
		for _, h := range states {
			if at < h.end && end > h.start {
				return true
			}
		}
		for _, h := range known {
			if h.mark&statusMarks&^nounMarks != 0 && at < h.end && end > h.start {
				return true
			}
		}
		return false
	}
	neutral, generic := neutralWords(), sessionTalk()
	words(s, func(word string, kind script, at int) {
		low := lower(word)
		switch n := utf8.RuneCountInString(low); {
		case kind == dense:
			found, pairs := w.run(word, at, covered)
			names, telling = names || found, telling+pairs/2
		case kind != hangul && n < 3, neutral[low], generic[low], covered(at, at+len(word)), strings.Trim(low, "0123456789") == "":
		default:
			telling++
			names = names || about.holds(low, kind)
		}
	})
	return names || namesIdentifier(s), telling
}

// run looks for two characters, one beside the other, that the session has so
// too, and counts such pairs as tell something.
func (w *wording) run(run string, at int, covered func(int, int) bool) (found bool, pairs int) {
	stop, generic := stopRune(), sessionTalk()
	var prev rune
	prevAt := at
	for i, r := range run {
		here := at + i
		if prev != 0 && !stop[prev] && !stop[r] && !hiragana(prev) && !hiragana(r) && !covered(prevAt, here+utf8.RuneLen(r)) && !generic[string(prev)+string(r)] {
			pairs++
			found = found || w.about.set.has(pair(prev, r))
		}
		prev, prevAt = r, here
	}
	return found, pairs
}

func hiragana(r rune) bool { return r >= 0x3040 && r <= 0x309f }

// subject are the words of the newest turns that the agent did not choose.
func (w *wording) subject() *grounds {
	if w.about != nil {
		return w.about
	}
	w.about = &grounds{}
	for i := len(w.turns) - 1; i >= 0 && i >= len(w.turns)-aboutTurns; i-- {
		t := &w.turns[i]
		w.about.add(clip(t.Text, aboutChars))
		for j := range t.Tools {
			w.about.add(clip(t.Tools[j].Command, 200))
		}
	}
	for _, td := range w.f.Todos {
		w.about.add(clip(td.Text, 200))
	}
	for _, sp := range w.f.spots {
		name, ok := strings.CutPrefix(sp.file, w.f.root)
		if !ok {
			name = baseName(name)
		}
		w.about.add(name)
	}
	return w.about
}

// namesIdentifier: the sentence has a name of code: "parse_shell", "refund.go".
func namesIdentifier(s string) bool {
	for _, t := range tokenize(s, nil) {
		w := s[t.start:t.end]
		if t.sign != 0 || t.run || strings.Trim(w, "0123456789.,:/-") == "" {
			continue
		}
		if (strings.ContainsAny(w, "_/().") || strings.Contains(w, "::") || camel(w)) && w != "GitHub" && w != "GitLab" {
			return true
		}
	}
	return strings.Contains(s, "`")
}

// camel: "parseShell".
func camel(w string) bool {
	for i := 1; i < len(w); i++ {
		if w[i] >= 'A' && w[i] <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' {
			return true
		}
	}
	return false
}
