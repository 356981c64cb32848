package evidence

import (
	"strings"
	"testing"
)

// TestLanguagesWithoutALexiconAreQuoted: what cannot be read is shown as the
// agent's words, and nothing else is.
func TestLanguagesWithoutALexiconAreQuoted(t *testing.T) {
	for _, tt := range []struct{ ask, answer, open, closing string }{
		{"sửa bộ phân tích danh sách lồng nhau", "Đã sửa bộ phân tích, mọi kiểm thử đều qua, đã commit và triển khai.", "“", "”"},
		{"पार्सर को ठीक करो", "पार्सर ठीक हो गया, सभी टेस्ट पास हुए और तैनात कर दिया।", "“", "”"},
		{"أصلح المحلل", "تم إصلاح المحلل، وجميع الاختبارات ناجحة، وتم النشر.", "«", "»"},
		{"תקן את המנתח", "המנתח תוקן, כל הבדיקות עברו והשינוי נפרס לייצור.", "“", "”"},
		{"แก้ตัวแยกวิเคราะห์", "แก้ตัวแยกวิเคราะห์แล้ว การทดสอบทั้งหมดผ่าน และดีพลอยแล้ว", "“", "”"},
		{"διόρθωσε τον αναλυτή", "Ο αναλυτής διορθώθηκε, όλα τα τεστ περνούν και ανέβηκε στην παραγωγή.", "«", "»"},
		{"oprav prosím parser vnořených seznamů", "Parser vnořených seznamů je opravený, všechny testy procházejí a změna je nasazená.", "„", "“"},
	} {
		d := said(tt.ask, tt.answer)
		if !strings.Contains(d.Recap, tt.open) || !strings.HasSuffix(d.Recap, tt.closing) {
			t.Errorf("%q is not quoted in %q", tt.answer, d.Recap)
		}
	}
	for _, tt := range [][2]string{
		{"fix the parser", "The parser now accepts nested lists."},
		{"repariere den Parser", "Der Parser nimmt jetzt verschachtelte Listen an."},
		{"修复解析器", "解析器现在接受嵌套列表。"},
		{"パーサーを直して", "パーサーは入れ子のリストを受け付けるようになりました。"},
		{"ayrıştırıcıyı düzelt", "Ayrıştırıcı artık iç içe listeleri kabul ediyor."},
		{"corrige le parseur", "Le parseur accepte maintenant les listes imbriquées."},
		{"почини парсер", "Парсер теперь принимает вложенные списки."},
	} {
		if d := said(tt[0], tt[1]); strings.ContainsAny(d.Recap, "“”„«»") {
			t.Errorf("quoted without need: %q", d.Recap)
		}
	}
}
