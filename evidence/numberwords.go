package evidence

import "strings"

// moreCardinals are dozens, and numbers that a language writes in one word of
// its own.
var moreCardinals = [...]numberWords{
	{"en", "dozen=12|dozens=12"},
	{"ru", "тринадцать=13|тринадцати=13|четырнадцать=14|четырнадцати=14|пятнадцати=15|шестнадцать=16|шестнадцати=16|семнадцать=17|семнадцати=17|восемнадцать=18|восемнадцати=18|девятнадцать=19|девятнадцати=19|одиннадцати=11|двенадцати=12|двадцатью=20|сорока=40|пятидесяти=50|шестьдесят=60|шестидесяти=60|семьдесят=70|семидесяти=70|восемьдесят=80|восьмидесяти=80|девяносто=90|девяноста=90|двести=200|двухсот=200|триста=300|трёхсот=300|четыреста=400|пятьсот=500|шестьсот=600|семьсот=700|восемьсот=800|девятьсот=900|дюжина=12|дюжину=12|дюжины=12"},
	{"es", "trece=13|catorce=14|dieciséis=16|diecisiete=17|dieciocho=18|diecinueve=19|sesenta=60|setenta=70|ochenta=80|noventa=90|ciento=100|doscientos=200|doscientas=200|trescientos=300|trescientas=300|cuatrocientos=400|cuatrocientas=400|quinientos=500|docena=12|veintiuno=21|veintiún=21|veintiuna=21|veintidós=22|veintitrés=23|veinticuatro=24|veinticinco=25|veintiséis=26|veintisiete=27|veintiocho=28|veintinueve=29"},
	{"pt", "treze=13|catorze=14|quatorze=14|dezesseis=16|dezasseis=16|dezessete=17|dezassete=17|dezoito=18|dezenove=19|dezanove=19|sessenta=60|setenta=70|oitenta=80|noventa=90|cento=100|duzentos=200|duzentas=200|trezentos=300|trezentas=300|quatrocentos=400|quatrocentas=400|quinhentos=500|dúzia=12"},
	{"it", "tredici=13|quattordici=14|sedici=16|diciassette=17|diciotto=18|diciannove=19|sessanta=60|settanta=70|ottanta=80|novanta=90|dozzina=12"},
	{"de", "dreizehn=13|vierzehn=14|sechzehn=16|siebzehn=17|achtzehn=18|neunzehn=19|sechzig=60|siebzig=70|achtzig=80|neunzig=90|dutzend=12"},
	{"nl", "dertien=13|veertien=14|vijftien=15|zestien=16|zeventien=17|achttien=18|negentien=19|veertig=40|vijftig=50|zestig=60|zeventig=70|tachtig=80|negentig=90|dozijn=12"},
	{"fr", "treize=13|quatorze=14|seize=16|soixante=60|cents=100|quatre-vingts=80|quatre-vingt=80|douzaine=12|septante=70|nonante=90"},
	{"pl", "tuzin=12|czterdzieści=40|pięćdziesiąt=50"},
	{"tr", "kırk=40|elli=50|altmış=60|yetmiş=70|seksen=80|doksan=90|düzine=12"},
}

// oneWords are those for one, which count where they end a compound.
func oneWord(w string) bool {
	switch w {
	case "one", "ein", "eins", "eine", "un", "une", "uno", "una", "um", "uma", "один", "одна", "одну", "одного", "одной", "één", "een", "bir", "jeden":
		return true
	}
	return false
}

// small gives the value of a word that may end a compound.
func small(w, lang string) int {
	if oneWord(w) {
		return 1
	}
	return cardinalOfIndex(w, lang)
}

// compound gives the value of a number that is written in one word of several:
// "twenty-one", "einundzwanzig", "ventidue", "zweihundert"; 0 where it is none.
func compound(w, lang string) int {
	if parts := strings.Split(w, "-"); len(parts) > 1 {
		total := 0
		for i, p := range parts {
			v := small(p, lang)
			switch {
			case p == "et" && i > 0:
			case v == 0 || i == 0 && (v < 20 || v%10 != 0):
				return 0
			default:
				var ok bool
				if total, ok = joinNumbers(total, v); !ok {
					return 0
				}
			}
		}
		return total
	}
	switch lang {
	case "", "de", "nl", "it":
	default:
		return 0
	}
	for _, und := range [...]string{"und", "en", "ën"} {
		for at := 0; ; {
			i := strings.Index(w[at:], und)
			if i <= 0 && at == 0 || i < 0 {
				break
			}
			at += i
			ones, tens := small(w[:at], lang), cardinalOfIndex(w[at+len(und):], lang)
			if ones > 0 && ones < 10 && tens >= 20 && tens < 100 && tens%10 == 0 {
				return tens + ones
			}
			at++
		}
	}
	for _, big := range [...]struct {
		word  string
		value int
	}{{"tausend", 1000}, {"hundert", 100}, {"duizend", 1000}, {"honderd", 100}} {
		before, after, ok := strings.Cut(w, big.word)
		if !ok || before == "" && after == "" {
			continue
		}
		n, rest := 1, 0
		if before != "" {
			n = max(small(before, lang), compoundOf(before, lang))
		}
		if after != "" {
			if rest = max(small(after, lang), compoundOf(after, lang)); rest == 0 {
				continue
			}
		}
		if n > 0 {
			return n*big.value + rest
		}
	}
	if lang == "it" || lang == "" {
		for i, tens := range [...]string{"vent", "trent", "quarant", "cinquant", "sessant", "settant", "ottant", "novant"} {
			rest, ok := strings.CutPrefix(w, tens)
			if !ok {
				continue
			}
			if rest == "uno" || rest == "otto" || rest == "un" {
				if rest == "otto" {
					return 10*(i+2) + 8
				}
				return 10*(i+2) + 1
			}
			if len(rest) > 1 && (rest[0] == 'i' || rest[0] == 'a') {
				if v := cardinalOfIndex(strings.Replace(rest[1:], "tré", "tre", 1), "it"); v > 1 && v < 10 {
					return 10*(i+2) + v
				}
			}
		}
	}
	return 0
}

// compoundOf is compound for what is shorter.
func compoundOf(w, lang string) int {
	if len(w) < 6 {
		return 0
	}
	return compound(w, lang)
}

// joinNumbers adds a word of a number to those before it: "twenty" and "one",
// "four" and "thousand".
func joinNumbers(total, v int) (int, bool) {
	last := total % 1000
	switch {
	case total == 0:
		return v, true
	case v == 100 && last > 0 && last < 10:
		return total - last + last*100, true
	case v == 1000 && total < 1000:
		return total * 1000, true
	case v < 10 && last%100 >= 20 && last%10 == 0, v < 20 && (last%100 == 60 || last%100 == 80):
		return total + v, true
	case v < 100 && total >= 100 && total%100 == 0, v < 1000 && total >= 1000 && total%1000 == 0:
		return total + v, true
	case v == 20 && last%100 == 4 && last/100*100+4 == last:
		return total - 4 + 80, true // quatre-vingts
	}
	return total, false
}

// wordNumber is a number in several words of a text.
type wordNumber struct{ start, end, value int }

// wordNumbers gives the numbers of a text, in small letters, that take more
// than one word: "vingt et un", "двадцать одна", "four thousand two hundred".
func wordNumbers(s, lang string) []wordNumber {
	var out []wordNumber
	var now wordNumber
	n := 0      // words of it
	joins := -1 // where a word such as "and" ended
	last := 0   // where the word before ended
	end := func() {
		if n > 1 {
			out = append(out, now)
		}
		now, n, joins = wordNumber{}, 0, -1
	}
	words(s, func(w string, kind script, at int) {
		before := last
		last = at + len(w)
		if kind != spaced {
			end()
			return
		}
		if n > 0 && strings.Trim(s[before:at], "-\u00a0 ") != "" {
			end()
		}
		low := lower(w)
		if n > 0 && joins < 0 {
			switch low {
			case "and":
				if now.value%100 == 0 {
					joins = at
				}
			case "et", "y", "e", "и":
				if now.value%10 == 0 && now.value%100 >= 20 || now.value%100 == 0 {
					joins = at
				}
			}
			if joins >= 0 {
				return
			}
		}
		v := small(low, lang)
		if n > 0 && v > 0 {
			if sum, ok := joinNumbers(now.value, v); ok {
				now.value, now.end = sum, at+len(w)
				n++
				joins = -1
				return
			}
		}
		end()
		if v > 1 {
			now, n = wordNumber{at, at + len(w), v}, 1
		}
	})
	end()
	return out
}

// wordNumbers are those of a text that take several words.
func (h *haystack) wordNumbers(s string) []wordNumber {
	if h.lang == "" {
		return nil
	}
	return wordNumbers(s, h.lang)
}

// withNumbers adds those that hold a word such as "and", as in "vingt et un".
func (h *haystack) withNumbers(s string, whole []span) []span {
	and := ""
	switch h.lang {
	case "fr":
		and = " et "
	case "es":
		and = " y "
	case "pt":
		and = " e "
	case "en":
		and = " hundred and "
	}
	if and == "" || !strings.Contains(s, and) {
		return whole
	}
	for _, n := range wordNumbers(s, h.lang) {
		whole = append(whole, span{n.start, n.end})
	}
	return whole
}
