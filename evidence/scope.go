package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// mVerbs are the marks of words that a denial can be of.
const mVerbs = mPass | mFail | mTestPass | mBuildPass | mVerified | mEdited | mRan | mCommitted | mPushed | mMerged | mPR | mDeployed | mHosted | mDeployVerb | mWeak | mDone | mApproved

// denied: the word that makes a claim is what the clause denies. "The tests
// that were skipped pass" denies no pass, "未提交的改动已推送" denies the
// commit and not the push.
func (r *reading) denied(s string, hits []hit, key mark) bool {
	made := false
	for k := range hits {
		if hits[k].mark&key == 0 {
			continue
		}
		denied := false
		for n := range hits {
			if hits[n].mark&mNeg != 0 && r.denies(s, hits, n, k) {
				denied = true
				break
			}
		}
		if !denied {
			return false
		}
		made = true
	}
	return made
}

// denies: the denial hits[n] is of the word hits[k].
func (r *reading) denies(s string, hits []hit, n, k int) bool {
	if n == k {
		return true
	}
	neg, key := &hits[n], &hits[k]
	if r.aNumber(s, neg) {
		return false
	}
	if w := s[neg.start:neg.end]; key.mark&mFail != 0 && (w == "아직" || w == "まだ" || lower(w) == "henüz") {
		return false // what still fails
	}
	if key.mark&mFail != 0 && waiting(lower(s[neg.start:neg.end])) {
		return false // who waits denies no failure
	}
	if key.start < neg.start && slices.Contains([]string{"instead of", "rather than", "statt", "вместо"}, lower(s[neg.start:neg.end])) {
		return false // denies what comes behind it
	}
	run := r.toks[neg.tok].run
	if refuses(lower(s[neg.start:neg.end])) && key.start > neg.end && utf8.RuneCountInString(strings.TrimSpace(s[neg.end:key.start])) > 4 {
		return false // what is refused is the work's matter
	}
	weak := key.mark&(mVerbs&^mWeak) == 0
	if neg.mark&(mNegAdj|mVerbs) != 0 {
		return weak // "skipped the commit"; a strong word stands for itself
	}
	if weak && !run {
		return true
	}
	if !run && without(lower(s[neg.start:neg.end])) {
		return k > n && near(hits, n, k)
	}
	if run && suffixed(s[neg.start:neg.end]) {
		return deniedBefore(s, hits, n, k)
	}
	target := -1
	for i := n + 1; i < len(hits); i++ {
		if hits[i].mark&mVerbs != 0 && hits[i].start >= neg.end {
			target = i
			break
		}
	}
	if key.start < neg.start {
		return r.deniedBehind(s, hits, n, k, target)
	}
	for i := target; i >= 0 && i < k; {
		next := i + 1
		for next < k && hits[next].mark&mVerbs == 0 {
			next++
		}
		if !joined(s[hits[i].end:hits[next].start], r.toks[hits[i].tok].run) {
			return false
		}
		i = next
	}
	return true
}

// waiting: the word says that someone or something waits.
func waiting(w string) bool {
	return slices.ContainsFunc([]string{"wait", "await", "pending", "wart", "aussteh", "attend", "en attente", "esper", "pendient", "aguard", "pendent", "attes", "жд", "ожида", "чека", "等待", "待", "대기"}, func(p string) bool { return strings.HasPrefix(w, p) })
}

// refuses: the word says that someone or something refuses.
func refuses(w string) bool {
	return slices.ContainsFunc([]string{"отказ", "отклон", "reject", "abgelehn", "rejet", "rechaz", "rejeit", "rifiut", "拒绝", "拒否", "拒絶"}, func(p string) bool { return strings.HasPrefix(w, p) })
}

// aNumber: the word for nothing stands for a number ("a test for zero").
func (r *reading) aNumber(s string, h *hit) bool {
	switch lower(s[h.start:h.end]) {
	case "zero", "cero", "zéro", "null", "ноль", "零":
	default:
		return false
	}
	if h.tok == 0 {
		return false
	}
	switch r.toks[h.tok-1].text {
	case "for", "of", "to", "with", "by", "on", "at", "is", "the", "para", "por", "con", "a", "el", "per", "lo", "di", "da", "von", "für", "auf", "mit", "bei", "durch", "die", "der", "pour", "le", "de", "sur", "par", "avec", "o", "do", "com", "для", "на", "с", "при":
		return true
	}
	return false
}

// deniedBehind: a denial after the word, which in most languages is of what
// comes next.
func (r *reading) deniedBehind(s string, hits []hit, n, k, target int) bool {
	neg, key := &hits[n], &hits[k]
	if r.toks[neg.tok].run {
		between := strings.Trim(s[key.end:neg.start], "都还還也均尚仍")
		return between == "" && (target < 0 || hits[target].mark&mPass != 0) || (strings.HasPrefix(s[neg.start:], "まだ") || strings.HasPrefix(s[neg.start:], "아직")) && target < 0
	}
	if target >= 0 {
		return false
	}
	switch w := lower(s[neg.start:neg.end]); w {
	case "nicht", "noch nicht", "nichts", "kein", "keine", "keinen", "pas", "rien", "aucun", "aucune", "pas encore", "niet", "geen", "nog niet",
		"değil", "yok", "henüz", "hiçbir", "edilmedi", "etmedim", "yapılmadı", "çalıştırılmadı", "çalıştırmadım", "atlandı":
		return true
	}
	return neg.tok-key.tok <= 1
}

// suffixed: the denial stands behind its verb, as in Japanese and Korean.
func suffixed(w string) bool {
	switch w {
	case "まだ", "아직", "미완", "안", "불가":
		return false
	}
	r, _ := utf8.DecodeRuneInString(w)
	return r >= 0x3040 && r <= 0x309f || r >= 0xac00 && r <= 0xd7a3 || w == "待ち" || w == "不可"
}

// deniedBefore: the word is the last before the denial, or joined to it.
func deniedBefore(s string, hits []hit, n, k int) bool {
	if hits[k].start > hits[n].start {
		return false
	}
	last := -1
	for i := n - 1; i >= k; i-- {
		if hits[i].mark&mVerbs == 0 {
			continue
		}
		if last >= 0 && !joined(s[hits[i].end:hits[last].start], true) {
			return false
		}
		last = i
	}
	return last == k
}

// joined: what stands between two words makes one of them, so that a denial
// is of both.
func joined(between string, run bool) bool {
	between = strings.TrimSpace(lower(between))
	if between == "" {
		return true
	}
	if run && slices.Contains([]string{"も", "や", "と", "・", "및", "이나", "도", "하거나", "或", "和", "与", "或者", "とか", "または"}, between) {
		return true
	}
	words := strings.Fields(between)
	if len(words) > 3 {
		return false
	}
	for _, w := range words {
		switch w {
		case "or", "nor", "/", "oder", "noch", "ni", "ou", "o", "или", "ни", "або", "anche", "né", "of", "lub", "ani", "veya", "ne", "and", "und", "y", "et", "e", "и":
			return true
		}
	}
	return false
}

// ahead: what is still to come is no claim: "will be committed", "needs to be
// pushed", "muss noch committet werden". A test that should pass claims all
// the same.
func (r *reading) ahead(s string, hits []hit, k kind, key mark) bool {
	if !r.strict || k == claimTestsPassed || k == claimBuildPassed || k == claimVerified || k == claimDone {
		return false
	}
	for i := range hits {
		if hits[i].mark&key == 0 {
			continue
		}
		if !aheadOf(r, s, hits, i) {
			return false
		}
	}
	return true
}

func aheadOf(r *reading, s string, hits []hit, k int) bool {
	if t := &r.toks[hits[k].tok]; t.run && slices.ContainsFunc([]string{"等你", "等您", "等用户", "等待", "待批", "待审", "待你", "待您", "待ち", "待って"}, func(w string) bool { return strings.Contains(t.text, w) }) {
		return true
	}
	for i := k - 1; i >= 0; i-- {
		if hits[i].mark&(mFuture|mOffer) != 0 {
			return true
		}
		if hits[i].mark&mVerbs != 0 && !joined(s[hits[i].end:hits[k].start], r.toks[hits[k].tok].run) {
			break
		}
	}
	for i := k; i < len(hits); i++ {
		h := &hits[i]
		switch {
		case h.mark&mFuture == 0:
			if i > k && h.mark&mVerbs != 0 {
				return false
			}
		case r.toks[h.tok].run:
			return true
		case i > k:
			switch lower(s[h.start:h.end]) {
			case "muss", "müssen", "soll", "sollen", "steht aus", "stehen aus", "gerekiyor", "bekliyor":
				return h.tok-hits[k].tok <= 2
			}
		}
	}
	return false
}

// conditional: the words of the key stand behind an "if" or a "before".
func (r *reading) conditional(s string, hits []hit, key mark) bool {
	for k := range hits {
		if hits[k].mark&key == 0 {
			continue
		}
		found := false
		for i := k - 1; i >= 0 && !found; i-- {
			if r.toks[hits[i].tok].run {
				return false
			}
			// "Before pass" is the adverb, "before tests pass" is not.
			if found = hits[i].mark&mCond != 0 && hits[k].tok-hits[i].tok > 1 && !r.beforeHash(s, hits[i]); found {
				break
			}
			if hits[i].mark&mVerbs != 0 && !joined(s[hits[i].end:hits[k].start], false) {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// without: the denial is of the noun behind it alone.
func without(w string) bool {
	switch w {
	case "without", "ohne", "sans", "sin", "без", "senza", "sem", "zonder", "bez":
		return true
	}
	return false
}

// near: nothing but the subject of the word stands between.
func near(hits []hit, n, k int) bool {
	gap := hits[k].tok - hits[n].tok - 1
	for i := n + 1; i < k; i++ {
		if hits[i].mark&(mTest|mBuild|mAll) != 0 && hits[i].mark&mVerbs == 0 {
			gap--
		}
	}
	return gap <= 0
}
