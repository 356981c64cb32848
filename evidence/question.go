package evidence

import (
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/language"
)

// maxAfterQuestion is how many sentences and options may follow a question.
const maxAfterQuestion = 8

// question is one that an answer ends in, and where it stands in it.
type question struct {
	text  string
	list  bool   // it is an entry of a list
	intro string // the sentence that opens the list
	told  bool   // it stands behind a colon: "the title is now: Are you sure?"
	lone  bool   // the answer says nothing else
}

// openQuestion gives the question to the person that an answer ends in. It is
// the last thing that is said, but for its options and a word such as "let me
// know"; or it is plainly addressed to the person, and what follows does not
// answer it. Courtesies ("anything else?") are none.
func openQuestion(answer string) question {
	segs := segments(withoutOurs(tail(answer, 4000)), maxSegments)
	var sp scratchpad
	spoken := false // something that is no option follows
	for i := len(segs) - 1; i >= 0 && len(segs)-i <= maxAfterQuestion; i-- {
		s := &segs[i]
		if s.asks {
			switch {
			case courtesy(s.text):
				return question{}
			case !spoken, addressed(s.text) && !answers(segs[i+1].text, &sp), choice(segs[i+1].text, &sp):
				return placed(segs, i)
			}
			return question{}
		}
		if s.list {
			continue
		}
		if language.Words(s.text) > 12 {
			return question{}
		}
		r := sp.read(s.text)
		start, _ := r.opening()
		invites := start&mOffer != 0
		if i > 0 && segs[i-1].para != s.para && !invites {
			// A paragraph of its own, that is no "let me know".
			if strings.HasSuffix(s.text, ":") || strings.HasSuffix(s.text, "：") {
				continue
			}
			return question{}
		}
		spoken = spoken || !invites
	}
	return question{}
}

// placed is the question at i.
func placed(segs []segment, i int) question {
	q := question{text: segs[i].text, list: segs[i].list, lone: len(segs) == 1}
	if q.list {
		for k := i - 1; k >= 0; k-- {
			if !segs[k].list {
				q.intro = segs[k].text
				break
			}
		}
		return q
	}
	// Questions in a row stand where the first of them stands.
	for i > 0 && segs[i-1].para == segs[i].para && segs[i-1].asks {
		i--
	}
	before, _, found := cutColon(segs[i].text)
	q.told = found && language.Words(before) > 2 && !announces(before)
	return q
}

// cutColon parts a sentence at the colon after which it says something.
func cutColon(s string) (before, after string, found bool) {
	if before, after, found = strings.Cut(s, "："); found {
		return before, after, true
	}
	return strings.Cut(s, ": ")
}

// toThePerson: somebody waits for the answer to it, in a session whose newest
// request is that. A question that is a part of the work, in a list of a
// document, as the title of a dialog, as a translation, is none.
func (q question) toThePerson(request string, sp *scratchpad) bool {
	if q.text == "" {
		return false
	}
	text := q.text
	if q.told {
		_, text, _ = cutColon(text)
		text = strings.TrimSpace(text)
	}
	r := sp.read(text)
	start, _ := r.opening()
	offers := start&mOffer != 0
	switch {
	case offers && (q.told || !q.lone):
		return true
	case q.told:
		return decides(text)
	case q.list:
		return announces(q.intro) && !wantsText(request)
	case wantsText(request):
		return offers || !q.lone && addressed(q.text)
	}
	return true
}

// decides: the question opens by asking what is to be done.
func decides(s string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(lower(s), "¿ "), " ")
	switch first {
	case "should", "shall", "may", "soll", "sollen", "darf", "dois-je", "puis-je", "faut-il", "debo", "debemos", "puedo", "devo", "posso", "devemos", "нужно", "стоит", "можно", "мне", "чи", "moet", "zal", "czy":
		return true
	}
	for _, w := range [...]string{"要不要", "是否", "要我", "需要我", "しましょうか", "でしょうか", "할까요"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// announces: the words announce a question to the person.
func announces(s string) bool {
	return holdsAny(lower(s), []string{
		"question", "decide", "decision", "clarif", "need to know", "tell me", "let me know", "confirm", "before i", "your call", "choose", "open point",
		"frage", "entscheid", "klären", "bevor ich", "sag mir", "wähl", "avant de", "précis", "confirmez", "choisi", "décid", "dites-moi", "dis-moi",
		"pregunta", "antes de", "decid", "confirma", "elige", "aclar", "dime", "pergunta", "escolh", "esclare", "diga", "domand", "prima di", "scegli", "chiar", "dimmi",
		"вопрос", "уточн", "решите", "решить", "прежде чем", "скажите", "скажи", "выбер", "питан", "уточні", "перш ніж", "问题", "问一下", "确认", "決め", "决定", "告诉我", "之前", "請", "请",
		"質問", "確認", "教えて", "ください", "前に", "질문", "확인", "알려", "결정", "pytani", "zanim", "vraag", "vragen", "soru", "önce", "câu hỏi", "pertanyaan", "प्रश्न", "सवाल", "سؤال", "أسئلة",
	})
}

// wantsText: the request is for words, which may be questions: a translation,
// a title, questions of an interview.
func wantsText(s string) bool {
	return holdsAny(lower(s), []string{
		"translat", "headline", "slogan", "title", "caption", "question", "faq", "quiz", "survey", "rephrase", "reword", "wording", "subject line", "tagline", "poem", "joke", "riddle",
		"übersetz", "überschrift", "titel", "fragen", "frage", "umfrage", "rätsel", "witz", "tradui", "traduc", "traduz", "titre", "título", "titolo", "pregunta", "pergunta", "domande", "domanda", "encuesta", "sondage",
		"перевед", "перевод", "заголов", "вопрос", "опрос", "загадк", "переклад", "翻译", "翻譯", "标题", "標題", "口号", "提问", "谜语", "訳", "見出し", "タイトル", "質問", "クイズ", "번역", "제목", "질문", "퀴즈", "przetłumacz", "pytani", "vertaal", "vragen", "çevir", "soru",
	})
}

func holdsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// isQuestion: the sentence asks. A question that is quoted, or that stands in
// brackets, is a part of what is told.
func isQuestion(s string) bool {
	t := strings.TrimRight(s, "* ")
	if last := strings.TrimRight(t[strings.LastIndexByte(t, ' ')+1:], "?"); strings.Contains(last, "?") {
		return false // "a?.b?" is code
	}
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
