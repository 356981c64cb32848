package evidence

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// numberWords are the cardinals of a language with their values, from two on:
// "one" is an article in most languages.
type numberWords struct {
	lang  string
	words string // "two=2|three=3"
}

var cardinals = [...]numberWords{
	{"en", "two=2|three=3|four=4|five=5|six=6|seven=7|eight=8|nine=9|ten=10|eleven=11|twelve=12|thirteen=13|fourteen=14|fifteen=15|sixteen=16|seventeen=17|eighteen=18|nineteen=19|twenty=20|thirty=30|forty=40|fifty=50|sixty=60|seventy=70|eighty=80|ninety=90|hundred=100|thousand=1000|million=1000000"},
	{"ru", "два=2|две=2|двух=2|двумя=2|двум=2|три=3|трёх=3|трех=3|тремя=3|трём=3|трем=3|четыре=4|четырёх=4|четырех=4|четырьмя=4|пять=5|пяти=5|пятью=5|шесть=6|шести=6|семь=7|семи=7|восемь=8|восьми=8|девять=9|девяти=9|десять=10|десяти=10|одиннадцать=11|двенадцать=12|пятнадцать=15|двадцать=20|двадцати=20|тридцать=30|тридцати=30|сорок=40|пятьдесят=50|сто=100|ста=100|тысяча=1000|тысячи=1000|тысяч=1000"},
	{"uk", "два=2|дві=2|двох=2|двома=2|три=3|трьох=3|трьома=3|чотири=4|чотирьох=4|п'ять=5|п'яти=5|шість=6|шести=6|сім=7|семи=7|вісім=8|восьми=8|дев'ять=9|десять=10|десяти=10|двадцять=20|тридцять=30|сто=100"},
	{"es", "dos=2|tres=3|cuatro=4|cinco=5|seis=6|siete=7|ocho=8|nueve=9|diez=10|once=11|doce=12|quince=15|veinte=20|treinta=30|cuarenta=40|cincuenta=50|cien=100|mil=1000"},
	{"pt", "dois=2|duas=2|três=3|quatro=4|cinco=5|seis=6|sete=7|oito=8|nove=9|dez=10|onze=11|doze=12|quinze=15|vinte=20|trinta=30|quarenta=40|cinquenta=50|cem=100|mil=1000"},
	{"it", "due=2|tre=3|quattro=4|cinque=5|sei=6|sette=7|otto=8|nove=9|dieci=10|undici=11|dodici=12|quindici=15|venti=20|trenta=30|quaranta=40|cinquanta=50|cento=100|mille=1000"},
	{"de", "zwei=2|zweier=2|drei=3|vier=4|fünf=5|sechs=6|sieben=7|acht=8|neun=9|zehn=10|elf=11|zwölf=12|fünfzehn=15|zwanzig=20|dreißig=30|vierzig=40|fünfzig=50|hundert=100|tausend=1000"},
	{"nl", "twee=2|drie=3|vier=4|vijf=5|zes=6|zeven=7|acht=8|negen=9|tien=10|elf=11|twaalf=12|twintig=20|dertig=30|honderd=100|duizend=1000"},
	{"fr", "deux=2|trois=3|quatre=4|cinq=5|six=6|sept=7|huit=8|dix=10|onze=11|douze=12|quinze=15|vingt=20|trente=30|quarante=40|cinquante=50|cent=100|mille=1000"},
	{"pl", "dwa=2|dwie=2|dwóch=2|trzy=3|trzech=3|cztery=4|czterech=4|pięć=5|pięciu=5|sześć=6|sześciu=6|siedem=7|osiem=8|dziewięć=9|dziesięć=10|dwanaście=12|dwadzieścia=20|trzydzieści=30|sto=100"},
	{"tr", "iki=2|üç=3|dört=4|beş=5|altı=6|yedi=7|sekiz=8|dokuz=9|on=10|yirmi=20|otuz=30|yüz=100"},
	{"ko", "두=2|세=3|네=4|다섯=5|여섯=6|일곱=7|여덟=8|아홉=9|열=10"},
}

// cardinalIndex finds the words: for each, the value in every language that
// has it.
var cardinalIndex = sync.OnceValue(func() map[string][]cardinalOf {
	m := make(map[string][]cardinalOf, 512)
	for _, l := range slices.Concat(cardinals[:], moreCardinals[:]) {
		for p := range strings.SplitSeq(l.words, "|") {
			w, v, _ := strings.Cut(p, "=")
			m[w] = append(m[w], cardinalOf{l.lang, number(v)})
		}
	}
	return m
})

// cardinalOf is the value of a word in a language.
type cardinalOf struct {
	lang  string
	value int
}

// cardinal gives the value of a word of the language, 0 for others. With no
// language it looks in all of them.
func cardinal(w, lang string) int {
	if len(w) > 48 || len(w) < 2 {
		return 0
	}
	if v := cardinalOfIndex(w, lang); v > 0 {
		return v
	}
	if len(w) < 7 {
		return 0
	}
	return compound(w, lang)
}

// cardinalOfIndex does it for a word that is in the table.
func cardinalOfIndex(w, lang string) int {
	for _, c := range cardinalIndex()[w] {
		if lang == "" || c.lang == lang {
			return c.value
		}
	}
	return 0
}

// hanDigit gives the value of a Chinese or Japanese numeral.
func hanDigit(r rune) int {
	switch r {
	case '零', '〇':
		return 0
	case '一':
		return 1
	case '二', '两', '兩':
		return 2
	case '三':
		return 3
	case '四':
		return 4
	case '五':
		return 5
	case '六':
		return 6
	case '七':
		return 7
	case '八':
		return 8
	case '九':
		return 9
	}
	return -1
}

// measures are the characters that make the numeral before them a count.
const measures = "个個条條项項处處次份行页頁秒天种種张張人倍步台点點件回本つ箇ヶカか日分小百千万萬名轮組组篇"

// hanNumbers calls f for each counted numeral in a run ("三个", "十二件"),
// with its place.
func hanNumbers(s string, f func(value, start, end int)) {
	hanNumerals(s, func(value, start, end int) {
		if next, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && strings.ContainsRune(measures, next) {
			f(value, start, end)
		}
	})
}

// hanNumerals does it for each numeral of two or more.
func hanNumerals(s string, f func(value, start, end int)) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if hanDigit(r) < 0 && r != '十' && r != '百' && r != '千' || strings.HasSuffix(s[:i], "第") {
			i += n
			continue
		}
		start, total, digit := i, 0, 0
		seen := false
		for i < len(s) {
			r, n = utf8.DecodeRuneInString(s[i:])
			if d := hanDigit(r); d >= 0 {
				digit, seen = d, true
			} else if unit := hanUnit(r); unit > 0 {
				if !seen {
					digit = 1
				}
				total += digit * unit
				digit, seen = 0, false
			} else {
				break
			}
			i += n
		}
		total += digit
		if total >= 2 {
			f(total, start, i)
		}
	}
}

func hanUnit(r rune) int {
	switch r {
	case '十':
		return 10
	case '百':
		return 100
	case '千':
		return 1000
	}
	return 0
}

// numeral gives the ways to read a token that starts with a digit: "1,234" is
// 1234 or 1.234, "10k" 10 or 10000, "3rd" 3. None: it is no plain number.
func numeral(w string, out []string) []string {
	i := 0
	for i < len(w) && (w[i] >= '0' && w[i] <= '9' || strings.IndexByte(".,'_", w[i]) >= 0) {
		i++
	}
	digits, unit := strings.TrimRight(w[:i], ".,'_"), w[i:]
	if utf8.RuneCountInString(unit) > 3 && !strings.HasPrefix(unit, "-") || strings.ContainsFunc(unit, func(r rune) bool { return r >= '0' && r <= '9' || r == '/' || r == ':' || r == '_' }) {
		return out
	}
	if digits == "" {
		return out
	}
	groups := 0
	thousands := true
	last := -1
	for k := 0; k <= len(digits); k++ {
		if k < len(digits) && digits[k] >= '0' && digits[k] <= '9' {
			continue
		}
		if n := k - last - 1; last >= 0 && n != 3 || last < 0 && (n > 3 || n == 0) {
			thousands = false
		}
		groups++
		last = k
	}
	plain := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, digits)
	first := len(out)
	switch {
	case groups == 1:
		out = append(out, trimNumber(plain))
	case groups == 2 || thousands:
		if thousands {
			out = append(out, trimNumber(plain))
		}
		if groups == 2 && strings.ContainsAny(digits, ".,") {
			out = append(out, trimNumber(strings.Replace(digits, ",", ".", 1)))
		}
	default:
		return append(out, digits) // a version
	}
	if groups == 2 {
		out = append(out, digits)
	}
	zeros := ""
	switch {
	case unit == "k" || unit == "K" || unit == "千" || unit == "тыс":
		zeros = "000"
	case unit == "万" || unit == "萬":
		zeros = "0000"
	case unit == "M" || unit == "m":
		zeros = "000000"
	}
	if zeros != "" && groups == 1 {
		out = append(out, out[first]+zeros)
	}
	return out
}

// trimNumber drops zeros that count for nothing.
func trimNumber(s string) string {
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	s = strings.TrimLeft(s, "0")
	if s == "" || s[0] == '.' {
		return "0" + s
	}
	return s
}
