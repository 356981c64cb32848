package evidence

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// waysOf calls f for the words between which a sentence says that something
// went: "from English to Japanese", "英語から日本語に".
func waysOf(toks []token, f func(pairOf)) {
	for i := range toks {
		t := &toks[i]
		switch {
		case t.run:
			if old, now, ok := runWay(t.text); ok {
				f(pairOf{now, old})
			}
		case t.sign == 0 && wayFrom(t.text):
			from, k := wayWord(toks, i+1)
			if from == "" {
				continue
			}
			for n := k + 1; n < len(toks) && n <= k+3; n++ {
				if !wayTo(toks[n].text) {
					continue
				}
				if to, _ := wayWord(toks, n+1); to != "" && to != from {
					f(pairOf{to, from})
				}
				break
			}
		}
	}
}

func wayFrom(w string) bool {
	switch w {
	case "from", "von", "vom", "aus", "de", "del", "du", "desde", "do", "da", "dal", "dall", "с", "со", "из":
		return true
	}
	return false
}

func wayTo(w string) bool {
	switch w {
	case "to", "into", "nach", "auf", "zu", "zum", "ins", "in", "à", "a", "al", "au", "en", "vers", "para", "ao", "hacia", "на", "в", "до":
		return true
	}
	return false
}

// wayWord gives the telling word at toks[i], behind an article, by its
// beginning.
func wayWord(toks []token, i int) (w string, at int) {
	for n := i; n < len(toks) && n <= i+1; n++ {
		t := &toks[n]
		if t.sign != 0 || t.run {
			return "", 0
		}
		size := utf8.RuneCountInString(t.text)
		if size < 3 && n == i || n == i && neutralWords()[t.text] {
			continue // an article
		}
		if size < 3 || neutralWords()[t.text] {
			return "", 0
		}
		return clip(t.text, max(4, size-2)), n
	}
	return "", 0
}

// runWay does it for a run of a script without spaces.
func runWay(s string) (old, now string, ok bool) {
	if a, b, found := strings.Cut(s, "から"); found {
		return wayEnds(a, b)
	}
	_, rest, found := strings.Cut(s, "从")
	if !found {
		return "", "", false
	}
	for _, to := range [...]string{"到", "至", "成", "为"} {
		if a, b, found := strings.Cut(rest, to); found && a != "" && b != "" {
			return firstRunes(a), firstRunes(b), true
		}
	}
	return "", "", false
}

// wayEnds gives the word that a ends with, and that which b begins with.
func wayEnds(a, b string) (old, now string, ok bool) {
	tail := strings.LastIndexFunc(a, isHiragana)
	if tail >= 0 {
		_, n := utf8.DecodeRuneInString(a[tail:])
		tail += n
	}
	old = a[max(tail, 0):]
	end := strings.IndexFunc(b, isHiragana)
	if end <= 0 || old == "" || !strings.HasPrefix(b[end:], "に") && !strings.HasPrefix(b[end:], "へ") {
		return "", "", false
	}
	return old, b[:end], true
}

// firstRunes are the first two characters.
func firstRunes(s string) string { return clip(s, 2) }

// fixedSince: the text says of what was told before that it was changed.
func (c *checker) fixedSince(s string) bool {
	toks := tokenize(clip(s, 160), nil)
	if c.saysNo(toks) || proposals().all(toks)&(wordProposes|wordOffers|wordPlans) != 0 {
		return false
	}
	fixed, points := false, false
	for i := range toks {
		t := &toks[i]
		switch {
		case t.sign != 0 && fixed && points:
			return true
		case t.sign != 0:
			fixed, points = false, false
		case t.run:
			if slices.ContainsFunc([]string{"已改", "改正", "已修", "修复了", "改过来", "更正", "それを直し", "これを直し", "修正しました", "직했", "고쳤", "수정했"}, func(w string) bool { return strings.Contains(t.text, w) }) {
				return true
			}
		default:
			fixed = fixed || slices.ContainsFunc([]string{"fixed", "changed", "corrected", "switched", "swapped", "umgestellt", "behoben", "korrigiert", "geändert", "umgedreht", "getauscht", "corrig", "modifi", "remplac", "changé", "inversé", "corregi", "cambi", "arregl", "inverti", "alter", "troquei", "trocad", "corrett", "corretto", "исправ", "поправ", "измен", "поменя", "замен"}, func(p string) bool { return strings.HasPrefix(t.text, p) })
			points = points || slices.Contains([]string{"that", "this", "it", "both", "das", "dies", "es", "beides", "cela", "ça", "c'est", "l'ai", "eso", "esto", "lo", "isso", "isto", "ciò", "questo", "l'ho", "это", "его", "её"}, t.text)
		}
	}
	return fixed && points
}

// otherSide: the sentence gives to the old one of two the number that the
// session says it came to, or the other way round.
func (c *checker) otherSide(s string, toks []token) bool {
	side := func(p span) (old, now bool) {
		for i := range toks {
			if t := &toks[i]; t.start >= p.start && t.end <= p.end {
				o, n := sideOfWord(t)
				old, now = old || o, now || n
			}
		}
		return old, now
	}
	if old, now := side(span{0, len(s)}); !old && !now {
		return false
	}
	var list []value
	for _, p := range clausesOf(s, toks) {
		old, now := side(p)
		if old == now {
			continue
		}
		if list == nil {
			list = c.values(s, toks)
		}
		for i := range list {
			v := &list[i]
			if !v.number || v.start < p.start || v.end > p.end {
				continue
			}
			came, went := false, false
			for q := range c.places().pairs {
				came, went = came || q.new == v.text, went || q.old == v.text
			}
			if old && came && !went || now && went && !came {
				return true
			}
		}
	}
	return false
}

// sideOfWord: the word calls one of two the old one, or the new one.
func sideOfWord(t *token) (old, now bool) {
	if t.run {
		return strings.Contains(t.text, "旧"), strings.Contains(t.text, "新") && !strings.Contains(t.text, "更新") && !strings.Contains(t.text, "最新")
	}
	switch t.text {
	case "old", "alte", "alten", "alter", "altes", "ancien", "ancienne", "antiguo", "antigua", "antigo", "antiga", "viejo", "vieja", "vecchio", "vecchia", "старый", "старая", "старое", "старого", "старой", "старом":
		return true, false
	case "new", "neue", "neuen", "neuer", "neues", "nouveau", "nouvelle", "nuevo", "nueva", "novo", "nova", "nuovo", "nuova", "новый", "новая", "новое", "нового", "новой", "новом":
		return false, true
	}
	return false, false
}
