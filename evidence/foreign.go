package evidence

import "strings"

// statusStems are status words of languages that the lexicon does not have:
// done, passed, tested, committed, pushed, deployed, merged, fixed. They only
// tell that a clause makes a claim, not which.
var statusStems = [...]struct{ lang, stems string }{
	{"ar", "نجح|اجتاز|اختبار|الإيداع|إيداع|نشر|دمج|اكتمل|إصلاح|أصلح|تمت|تم |دفع"},
	{"fa", "موفق|گذشت|پاس|تست|آزمون|کامیت|ادغام|مستقر|منتشر|انجام شد|کامل شد|پوش"},
	{"he", "עבר|הצליח|בדיקות|הושלמ|הושלם|קומיט|נדחפ|נדחף|מוזג|נפרס|תוקן|הסתיים"},
	{"hi", "पास|सफल|टेस्ट|परीक्षण|कमिट|पुश|मर्ज|तैनात|पूरा|पूरी|ठीक कर"},
	{"th", "ผ่าน|สำเร็จ|ทดสอบ|คอมมิต|พุช|ดีพลอย|เสร็จ|รวมเข้า|แก้ไขแล้ว"},
	{"el", "πέρασ|περν|επιτυχ|τεστ|δοκιμ|ολοκληρ|ανέβηκ|συγχωνε|αναπτύχθ|διορθώθ|έτοιμ"},
	{"vi", "thành công|đạt|kiểm thử|vượt qua|đã commit|đã push|triển khai|hoàn thành|hoàn tất|đã hợp nhất|đã sửa|đã đẩy|đã chạy"},
	{"id", "berhasil|lulus|lolos|sukses|selesai|sudah di|telah di|dirilis|digabung|diuji"},
	{"ms", "berjaya|lulus|selesai|telah di|diuji"},
	{"cs", "prošl|procház|úspěšn|hotov|dokončen|zacommit|commitnut|nasazen|sloučen|opraven|otestov|odesl"},
	{"sk", "prešl|prechádz|úspešn|hotov|dokončen|nasaden|zlúčen|opraven|otestov"},
	{"sv", "passerar|gick igenom|går igenom|lyckades|lyckad|klar|färdig|committad|committat|pushad|pushat|driftsatt|släppt|åtgärdad|fixad|testad"},
	{"da", "bestået|består|lykkedes|færdig|committet|pushet|udrullet|rettet|testet"},
	{"no", "bestått|består|vellykket|ferdig|committet|pushet|rullet ut|rettet|testet"},
	{"nb", "bestått|består|vellykket|ferdig|committet|pushet|rullet ut|rettet|testet"},
	{"fi", "läpäis|menivät läpi|menee läpi|onnistu|valmis|commitoitu|julkaistu|korjattu|testattu"},
	{"hu", "átment|sikeres|sikerült|kész|elkészült|commitolva|telepítve|javítva|tesztelve|beolvasztva"},
	{"ro", "trec|au trecut|reușit|succes|gata|finalizat|comis|publicat|îmbinat|reparat|testat"},
	{"bg", "премина|минават|успешн|готов|завърш|комитнат|качен|слят|поправен|тестван"},
	{"sr", "прошли|пролазе|успешн|готов|завршен|поправљен|тестиран"},
	{"hr", "prošli|prolaze|uspješn|gotov|završen|popravljen|testiran"},
	{"ca", "passen|han passat|èxit|fet|acabat|confirmat|desplegat|fusionat|corregit|provat"},
	{"bn", "পাস|সফল|পরীক্ষা|কমিট|সম্পন্ন|ঠিক কর"},
	{"ta", "வெற்றி|தேர்ச்சி|சோதனை|முடிந்த|சரிசெய்"},
}

// foreignStatus: the text is in a language without a lexicon and makes a
// claim.
func foreignStatus(s, lang string) bool {
	if lang == "" {
		return false
	}
	for i := range statusStems {
		if statusStems[i].lang != lang {
			continue
		}
		low := lower(s)
		for stem := range strings.SplitSeq(statusStems[i].stems, "|") {
			if strings.Contains(low, stem) {
				return true
			}
		}
		for _, w := range [...]string{"commit", "push", "deploy", "merge", "test", "passed", "✅", "ok"} {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}

// hasLexicon: the status words of the language are known.
func hasLexicon(lang string) bool {
	lang, _, _ = strings.Cut(lang, "-")
	switch lang {
	case "", "und", "en", "ru", "uk", "zh", "es", "pt", "it", "de", "nl", "fr", "pl", "ja", "ko", "tr":
		return true
	}
	return false
}

// quoteMarks are those of a language. What stands in them are the agent's
// words and nobody else's.
func quoteMarks(lang string) (open, closing string) {
	lang, _, _ = strings.Cut(lang, "-")
	switch lang {
	case "ar", "fa", "el", "nb", "no", "hy", "ka", "az", "be", "kk", "ru", "uk", "es", "it", "ca":
		return "«", "»"
	case "fr":
		return "«\u00a0", "\u00a0»"
	case "cs", "sk", "bg", "ro", "hu", "sr", "hr", "sl", "lt", "is", "de":
		return "„", "“"
	case "pl":
		return "„", "”"
	case "sv", "fi":
		return "”", "”"
	case "ja":
		return "「", "」"
	}
	return "“", "”"
}

// innerQuotes are marks of quotations within one.
var innerQuotes = strings.NewReplacer("“", "‘", "”", "’", "„", "‚", "«", "‹", "»", "›", "「", "『", "」", "』")

// asQuotation puts a text that was cut for it into quotation marks.
func asQuotation(s, lang string) string {
	if s == "" {
		return ""
	}
	open, closing := quoteMarks(lang)
	return open + innerQuotes.Replace(s) + closing
}
