package evidence

import (
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// maxAfterQuestion is how many sentences and options may follow a question.
const maxAfterQuestion = 8

// openQuestion gives the question to the person that an answer ends in. It is
// the last thing that is said, but for its options and a word such as "let me
// know"; or it is plainly addressed to the person, and what follows does not
// answer it. Courtesies ("anything else?") are none.
func openQuestion(answer string) string {
	segs := segments(withoutOurs(tail(answer, 4000)), maxSegments)
	var sp scratchpad
	spoken := false // something that is no option follows
	for i := len(segs) - 1; i >= 0 && len(segs)-i <= maxAfterQuestion; i-- {
		s := &segs[i]
		if s.asks {
			switch {
			case courtesy(s.text):
				return ""
			case !spoken:
				return s.text
			case addressed(s.text) && !answers(segs[i+1].text, &sp):
				return s.text
			case choice(segs[i+1].text, &sp):
				return s.text
			}
			return ""
		}
		if s.list {
			continue
		}
		if language.Words(s.text) > 12 {
			return ""
		}
		r := sp.read(s.text)
		start, _ := r.opening()
		invites := start&mOffer != 0
		if i > 0 && segs[i-1].para != s.para && !invites {
			// A paragraph of its own, that is no "let me know".
			if strings.HasSuffix(s.text, ":") || strings.HasSuffix(s.text, "：") {
				continue
			}
			return ""
		}
		spoken = spoken || !invites
	}
	return ""
}

// isQuestion: the sentence asks. A question that is quoted, or that stands in
// brackets, is a part of what is told.
func isQuestion(s string) bool {
	t := strings.TrimRight(s, "* ")
	if strings.HasSuffix(t, ")") || strings.HasSuffix(t, "）") || strings.HasSuffix(t, "]") {
		if !strings.HasPrefix(s, "(") && !strings.HasPrefix(s, "（") && !strings.HasPrefix(s, "[") {
			return false
		}
		t = strings.TrimRight(t, ")）] ")
	}
	return strings.HasSuffix(t, "?") || strings.HasSuffix(t, "？") || strings.HasSuffix(t, "؟") || strings.HasSuffix(t, "か。") && !strings.HasSuffix(t, "ましたか。")
}

// addressed: the sentence speaks to the person, or offers to do something.
func addressed(s string) bool {
	var sp scratchpad
	for _, t := range tokenize(s, sp.toks) {
		if t.sign != 0 {
			continue
		}
		if t.run {
			for _, w := range [...]string{"你", "您", "要我", "要不要", "是否", "需要我", "しましょうか", "でしょうか", "ますか", "ですか", "よろしい", "まし", "할까요", "까요", "시겠", "나요", "세요"} {
				if strings.Contains(t.text, w) {
					return true
				}
			}
			continue
		}
		switch t.text {
		case "you", "your", "shall", "should", "may", "okay", "prefer",
			"du", "dir", "dich", "deine", "sie", "ihnen", "soll", "sollen", "darf", "möchtest", "willst", "ich",
			"tu", "te", "toi", "vous", "votre", "dois-je", "puis-je", "veux-tu", "voulez-vous", "souhaitez-vous", "souhaites-tu", "préfères-tu", "préférez-vous", "faut-il",
			"quieres", "prefieres", "deseas", "usted", "ti", "debo", "puedo", "hago", "quiere", "prefiere", "lo",
			"você", "quer", "prefere", "devo", "posso", "deseja", "faço",
			"vuoi", "preferisci", "vuole", "preferisce", "procedo",
			"вы", "вам", "вас", "ты", "тебе", "хотите", "хочешь", "мне", "предпочитаете", "нужно", "стоит", "делать", "ви", "ти", "вам?", "бажаєте", "хочете",
			"je", "jij", "wil", "wilt", "zal", "moet", "czy", "chcesz", "wolisz", "mam", "ister", "istersiniz", "misin", "mısın", "miyim", "mıyım", "bạn", "anda", "kamu", "क्या", "आप":
			return true
		}
	}
	return false
}

// answers: the sentence is the answer to the question before it.
func answers(s string, sp *scratchpad) bool {
	w := lower(s)
	for _, p := range [...]string{
		"because", "since ", "yes", "no,", "no.", "no:", "it's because", "that's because", "simple:", "simply", "the answer", "the reason", "due to",
		"weil", "ja", "nein", "denn ", "ganz einfach", "die antwort", "der grund", "parce", "car ", "oui", "non", "la réponse", "la raison", "porque", "sí", "no ", "la respuesta", "por ", "não", "sim", "a resposta", "perché", "sì", "la risposta",
		"потому", "так как", "да", "нет", "ответ", "дело в", "тому що", "так,", "ні", "因为", "因為", "是因为", "答案", "是的", "不是", "原因", "なぜなら", "はい", "いいえ", "答え", "それは", "왜냐하면", "네,", "아니", "답은", "omdat", "bo ", "ponieważ", "çünkü", "vì ", "karena", "क्योंकि", "لأن",
	} {
		if strings.HasPrefix(w, p) {
			r, _ := utf8.DecodeLastRuneInString(p)
			next, _ := utf8.DecodeRuneInString(w[len(p):])
			if isRun(r) || !isWordRune(r) || !isWordRune(next) {
				return true
			}
		}
	}
	r := sp.read(s)
	start, _ := r.opening()
	return start&mResult != 0 && start&mNow == 0
}

// choice: the sentence names what the person may choose.
func choice(s string, sp *scratchpad) bool {
	r := sp.read(s)
	for _, t := range r.toks {
		switch t.text {
		case "or", "oder", "ou", "o", "или", "або", "of", "lub", "albo", "veya":
			return r.marks&(mHedge|mOffer) != 0
		}
	}
	for _, w := range [...]string{"还是", "或者", "または", "それとも", "아니면"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
