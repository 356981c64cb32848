package evidence

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// unitWords are units, each with its forms. A star stands for an ending.
var unitWords = [...]struct {
	unit  byte
	forms string
}{
	{'i', "ms|millisecond*|millisekunde*|milliseconde*|milisegund*|millisecond*|миллисекунд*|мс|毫秒|ミリ秒|밀리초"},
	{'s', "s|sec|secs|second|seconds|sekunde*|sek|seconde|secondes|segundo|segundos|secondo|secondi|секунд*|сек|秒|초"},
	{'m', "min|mins|minute*|minuto|minutos|minuti|минут*|мин|分钟|分間|分|분"},
	{'h', "h|hr|hrs|hour|hours|stunde*|std|heure|heures|hora|horas|ora|ore|час|часа|часов|часы|часам|ч|小时|小時|時間|시간"},
	{'d', "day|days|tag|tage|tagen|tages|jour|jours|día|días|dia|dias|giorno|giorni|день|дня|дней|дни|дням|сутки|суток|天|日|일"},
	{'w', "week|weeks|woche*|semaine*|semana*|settiman*|недел*|周|星期|週|주"},
	{'M', "month|months|monat|monate|monaten|monats|mois|mes|meses|mês|mese|mesi|месяц*|个月|個月|ヶ月|か月|カ月|ケ月|箇月|月|개월|달"},
	{'y', "year|years|jahr|jahre|jahren|jahres|ans|année|années|año|años|ano|anos|anno|anni|год|года|лет|году|年|년"},
	{'B', "byte|bytes|octet|octets|байт*|字节|バイト|바이트"},
	{'K', "kb|kib|ko|kilobyte*|кб|килобайт*"},
	{'G', "gb|gib|gigabyte*|гб|гигабайт*"},
	{'T', "tb|tib|terabyte*|тб|терабайт*"},
	{'X', "mb|mib|mo|megabyte*|мб|мегабайт*"},
	{'%', "percent|prozent*|pourcent|процент*|パーセント|퍼센트"},
	{'e', "euro|euros|eur|евро|欧元|ユーロ|유로"},
	{'$', "dollar|dollars|usd|dólar|dólares|dollari|доллар*|美元|ドル|달러"},
	{'r', "рубл*|руб|rubel|rouble*|rublos|卢布"},
	{'j', "yen|円|日元"},
	{'c', "yuan|юан*|元"},
	// No units, though they begin as some do.
	{0, "分之|分支|分类|分類|分页|分组|分割|分け|分岐|分散|分析|分配|日志|日期|日本|日付|日常|元素|元数据|元の|元に|周期|周围|月份|年龄|时间|주요|일부|일괄|분기|분리|분석|초기|초과"},
}

// unitTable finds them.
type unitTable struct {
	words map[string]byte
	stems []unitStem
	runs  []unitStem // the longest first
}

type unitStem struct {
	form string
	unit byte
}

var unitsKnown = sync.OnceValue(func() *unitTable {
	t := &unitTable{words: make(map[string]byte, 256)}
	for _, u := range unitWords {
		for f := range strings.SplitSeq(u.forms, "|") {
			r, _ := utf8.DecodeRuneInString(f)
			stem, open := strings.CutSuffix(f, "*")
			switch {
			case isRun(r):
				t.runs = append(t.runs, unitStem{f, u.unit})
			case open:
				t.stems = append(t.stems, unitStem{stem, u.unit})
			default:
				t.words[f] = u.unit
			}
		}
	}
	slices.SortStableFunc(t.runs, func(a, b unitStem) int { return len(b.form) - len(a.form) })
	return t
})

// measureOf gives the unit that a word names, 0 for others.
func measureOf(w string) byte {
	t := unitsKnown()
	if u := t.words[w]; u != 0 {
		return u
	}
	for _, s := range t.stems {
		if strings.HasPrefix(w, s.form) {
			return s.unit
		}
	}
	return 0
}

// runUnit gives the unit that a run of a script without spaces begins with.
func runUnit(s string) byte {
	for _, u := range unitsKnown().runs {
		if strings.HasPrefix(s, u.form) {
			return u.unit
		}
	}
	return 0
}

// unitBehind gives the unit that stands behind a number. Bare: nothing does
// that could be one.
func unitBehind(rest string) (unit byte, bare bool) {
	if strings.HasPrefix(rest, "%") || strings.HasPrefix(rest, " %") || strings.HasPrefix(rest, "％") {
		return '%', false
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \u00a0\u202f")
	r, _ := utf8.DecodeRuneInString(rest)
	if isRun(r) {
		return runUnit(rest), false
	}
	n := 0
	for n < len(rest) && n < 48 {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !isWordRune(r) || isRun(r) {
			break
		}
		n += size
	}
	w := rest[:n]
	if u := measureOf(w); u != 0 {
		return u, false
	}
	return 0, w == "" || w[0] >= '0' && w[0] <= '9' || conjunction(w) || between(w)
}

// between: the word stands between the ends of a range.
func between(w string) bool {
	return slices.Contains([]string{"to", "bis", "à", "a", "hasta", "até", "до", "по", "or", "oder", "ou", "o", "или", "instead", "statt", "against", "gegen", "contre", "contra", "против", "times", "mal", "fois", "veces", "vezes", "раз"}, w)
}

// otherMeasure gives where a sentence has a number with a unit, "15 seconds",
// that the session has, and never with that unit; -1 where it does not.
func (c *checker) otherMeasure(s string, toks []token) int {
	for i := range toks {
		t := &toks[i]
		if t.sign != 0 {
			continue
		}
		if t.run {
			at := -1
			hanCounts(t.text, func(v, from, to int) {
				if u := runUnit(t.text[to:]); at < 0 && u != 0 && c.otherUnit([]string{strconv.Itoa(v)}, v, u) {
					at = t.start + from
				}
			})
			if at >= 0 {
				return at
			}
			continue
		}
		number, rest := t.text, s[t.end:]
		v := 0
		var forms []string
		if number[0] >= '0' && number[0] <= '9' {
			k := 0
			for k < len(number) && (number[k] >= '0' && number[k] <= '9' || number[k] == '.') {
				k++
			}
			if number[:k] == "" || strings.HasSuffix(number[:k], ".") || strings.Count(number[:k], ".") > 1 {
				continue
			}
			number, rest = number[:k], lower(s[t.start+k:min(len(s), t.end+24)])
			forms = []string{number}
			v, _ = strconv.Atoi(number)
		} else if v = cardinal(number, c.hay.lang); v > 0 {
			forms = []string{strconv.Itoa(v)}
			rest = lower(rest[:min(len(rest), 48)])
		} else {
			continue
		}
		if u, _ := unitBehind(rest); u != 0 && c.otherUnit(forms, v, u) {
			return t.start
		}
	}
	return -1
}

// hanCounts is hanNumerals with one among them.
func hanCounts(s string, f func(v, from, to int)) {
	for i, r := range s {
		if (r == '一' || r == '１') && (i == 0 || !strings.HasSuffix(s[:i], "第") && !strings.ContainsRune("十百千每毎另统統唯某同任", lastRune(s[:i]))) {
			f(1, i, i+utf8.RuneLen(r))
		}
	}
	hanNumerals(s, f)
}

// otherUnit: the messages have the number, and never with the unit.
func (c *checker) otherUnit(forms []string, v int, unit byte) bool {
	body := c.wordsIn().body
	if v > 0 && v < 1000 {
		forms = append(forms, cardinalForms(v, c.answersLanguage().Lang)...)
	}
	seen := false
	for _, form := range forms {
		for from := 0; ; {
			i := strings.Index(body[from:], form)
			if i < 0 {
				break
			}
			i += from
			from = i + len(form)
			if joinedNumber(body, i, from) {
				continue
			}
			u, bare := unitBehind(body[from:min(len(body), from+64)])
			if u == unit || bare {
				return false
			}
			seen = true
		}
	}
	if v == 1 && !seen {
		return c.counted(unit)
	}
	return seen && !c.converts(v, unit)
}

// counted: the messages have other numbers than one with the unit, in a script
// in which one is written as others are.
func (c *checker) counted(unit byte) bool {
	body := c.wordsIn().body
	for _, u := range unitsKnown().runs {
		if u.unit != unit {
			continue
		}
		for from := 0; ; {
			i := strings.Index(body[from:], u.form)
			if i < 0 {
				break
			}
			i += from
			from = i + len(u.form)
			if r := lastRune(strings.TrimRight(body[max(0, i-8):i], " ")); hanDigit(r) > 1 || r == '十' || r >= '2' && r <= '9' {
				return true
			}
		}
	}
	return false
}

// joinedNumber: what stands at from..to is a part of a longer number or word.
func joinedNumber(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, n := utf8.DecodeRuneInString(s[to:])
	first, _ := utf8.DecodeRuneInString(s[from:])
	switch {
	case first >= '0' && first <= '9':
		if before >= '0' && before <= '9' || from > 0 && strings.IndexByte(".,_-/:#", s[from-1]) >= 0 || isWordRune(before) && !isRun(before) {
			return true
		}
		next, _ := utf8.DecodeRuneInString(s[min(len(s), to+n):])
		return after >= '0' && after <= '9' || (after == '.' || after == ',') && next >= '0' && next <= '9'
	case isRun(first):
		return hanDigit(before) >= 0 || before == '十' || before == '百' || before == '第' || hanDigit(after) >= 0 || after == '十' || after == '百'
	}
	return isWordRune(before) || isWordRune(after)
}

// cardinalForms are the words for a number in a language, and its characters.
func cardinalForms(v int, lang string) []string {
	var out []string
	if w := cardinalNames()[cardinalOf{lang, v}]; w != nil {
		out = append(out, w...)
	}
	if lang == "zh" || lang == "ja" || lang == "ko" {
		const digits = "〇一二三四五六七八九"
		d := []rune(digits)
		switch {
		case v == 2:
			out = append(out, "二", "两", "兩")
		case v < 10:
			out = append(out, string(d[v]))
		case v < 100:
			w := "十"
			if v >= 20 {
				w = string(d[v/10]) + w
			}
			if v%10 > 0 {
				w += string(d[v%10])
			}
			out = append(out, w)
		}
	}
	return out
}

// cardinalNames are the words of each number in each language.
var cardinalNames = sync.OnceValue(func() map[cardinalOf][]string {
	out := make(map[cardinalOf][]string, 512)
	for w, list := range cardinalIndex() {
		for _, k := range list {
			out[k] = append(out[k], w)
		}
	}
	for _, w := range out {
		slices.Sort(w)
	}
	return out
})

// converts: the messages have the measure in a unit next to it: "2 minutes" for
// 120 seconds.
func (c *checker) converts(v int, unit byte) bool {
	if v <= 0 {
		return false
	}
	for _, k := range [...]struct {
		big, small byte
		times      int
	}{{'s', 'i', 1000}, {'m', 's', 60}, {'h', 'm', 60}, {'d', 'h', 24}, {'w', 'd', 7}, {'y', 'M', 12}, {'M', 'w', 4}, {'K', 'B', 1000}, {'K', 'B', 1024}, {'X', 'K', 1000}, {'X', 'K', 1024}, {'G', 'X', 1000}, {'G', 'X', 1024}, {'T', 'G', 1000}, {'T', 'G', 1024}} {
		if unit == k.big && c.measured(v*k.times, k.small) || unit == k.small && v%k.times == 0 && c.measured(v/k.times, k.big) {
			return true
		}
	}
	return false
}

// measured: the messages have the number with the unit.
func (c *checker) measured(v int, unit byte) bool {
	body := c.wordsIn().body
	for _, form := range append(cardinalForms(v, c.answersLanguage().Lang), strconv.Itoa(v)) {
		for from := 0; ; {
			i := strings.Index(body[from:], form)
			if i < 0 {
				break
			}
			i += from
			from = i + len(form)
			if u, _ := unitBehind(body[from:min(len(body), from+64)]); u == unit && !joinedNumber(body, i, from) {
				return true
			}
		}
	}
	return false
}
