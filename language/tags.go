package language

import (
	"slices"
	"strings"
)

// Tag is the BCP 47 primary tag of a stated language: a tag ("pt-BR"), a locale
// ("de_DE.UTF-8") or a name in English or in the language itself. It is "" for
// what names none ("auto").
func Tag(stated string) string {
	s := strings.ToLower(strings.TrimSpace(stated))
	if i := strings.IndexAny(s, "-_.@"); i >= 2 && i <= 3 {
		s = s[:i]
	}
	for _, line := range languageNames {
		names := strings.Fields(line)
		if slices.Contains(names, s) {
			return names[0]
		}
	}
	if len(s) == 2 && slices.Contains(strings.Fields(twoLetters), s) {
		return s
	}
	return ""
}

// twoLetters are the codes of ISO 639-1.
const twoLetters = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv " +
	"ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my " +
	"na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty " +
	"ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"

// languageNames are a tag and its names.
var languageNames = [...]string{
	"en english eng", "de german deutsch deu ger", "fr french français francais fra fre", "es spanish español espanol castellano spa", "pt portuguese português portugues por",
	"it italian italiano ita", "nl dutch nederlands nld dut", "pl polish polski pol", "cs czech čeština česky cestina ces cze", "sk slovak slovenčina slk", "tr turkish türkçe turkce tur",
	"vi vietnamese vie", "sv swedish svenska swe", "da danish dansk dan", "nb norwegian norsk no nn nob nor", "fi finnish suomi fin", "ru russian русский rus", "uk ukrainian українська ukr",
	"be belarusian беларуская", "bg bulgarian български bul", "sr serbian српски srp", "mk macedonian македонски", "hr croatian hrvatski bs sh", "sl slovenian slovenščina", "zh chinese 中文 汉语 漢語 普通话 zho chi cmn mandarin",
	"ja japanese 日本語 jpn", "ko korean 한국어 kor", "ar arabic العربية عربي ara", "fa persian farsi فارسی fas per", "ur urdu اردو urd", "he hebrew עברית heb iw", "hi hindi हिन्दी हिंदी hin", "th thai ไทย ภาษาไทย tha",
	"el greek ελληνικά ell gre", "ro romanian română romana ron rum", "hu hungarian magyar hun", "id indonesian indonesia ind ms malay melayu", "ca catalan català cat", "et estonian eesti", "lt lithuanian lietuvių", "lv latvian latviešu",
	"sq albanian shqip", "sw swahili kiswahili",
}

// scriptOfLang is the script that a language is written in, Latin where nothing
// else is known.
func scriptOfLang(lang string) Script {
	switch lang {
	case "ja":
		return Kana
	case "mr", "ne":
		return Devanagari
	case "yi":
		return Hebrew
	case "ps", "ckb", "ug", "sd":
		return Arabic
	case "kk", "ky", "mn", "tg", "tt":
		return Cyrillic
	}
	for _, set := range []struct {
		lexicons []lexicon
		script   Script
	}{{latinLexicons[:], Latin}, {cyrillicLexicons[:], Cyrillic}, {arabicLexicons[:], Arabic}} {
		for _, l := range set.lexicons {
			if l.lang == lang {
				return set.script
			}
		}
	}
	for s, info := range scriptTable {
		if info.lang == lang {
			return Script(s)
		}
	}
	return Latin
}
