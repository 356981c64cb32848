package evidence

import (
	"slices"
	"testing"

	"github.com/sessionrecap/recap"
)

func TestWaitsForAnAnswer(t *testing.T) {
	for _, s := range []string{
		"The footer is centred. Shall I do the header too?",
		"Which region do you want? I can do eu or us. Until then nothing is deployed.",
		"The index is built. Should I push?\n\nLet me know.",
		"Two ways are open. Which one do you prefer?\n\n1. a lock\n2. a queue",
		"Der Index steht. Soll ich ihn veröffentlichen?",
		"Welche Datenbank möchtest du? Postgres oder SQLite kann ich nehmen.",
		"La page est prête. Voulez-vous que je la publie ?",
		"El índice está listo. ¿Quieres que lo publique?",
		"Индекс построен. Нужно ли его публиковать?",
		"索引已经建好了。要我推送吗？",
		"インデックスができました。公開してもよろしいでしょうか？",
		"인덱스를 만들었습니다. 배포할까요?",
		"It needs a port. Which port?",
	} {
		if d := said("build the index", s); !slices.Contains(d.Status, recap.StatusWaitingAnswer) {
			t.Errorf("%q waits: %v", s, d.Status)
		}
	}
}

func TestWaitsForNothing(t *testing.T) {
	for _, s := range []string{
		"Why was it slow? Because each row made a query. The fix is one join.",
		"What makes it slow? The cache is off. Turning it on halves the time.",
		"You may ask why it was slow? Because the cache was off.",
		"Warum war es langsam? Weil jede Zeile eine Abfrage macht.",
		"Pourquoi était-ce lent ? Parce que chaque ligne fait une requête.",
		"¿Por qué era lento? Porque cada fila hace una consulta.",
		"Почему медленно? Потому что кэш выключен.",
		"为什么慢？因为缓存没开。打开以后快一倍。",
		"なぜ遅いのか？なぜならキャッシュが無効だからです。",
		"왜 느린가요? 왜냐하면 캐시가 꺼져 있기 때문입니다.",
		"It runs `SELECT * FROM t WHERE a = ?` once per row.",
		"It ends with `SELECT * FROM t WHERE a = ?`",
		"The value is cond ? a : b in the end.",
		"Die Zeile heißt `x ?? y` und `a ? b : c`.",
		"Use `--fast` if you need speed (who does not?). It skips the checks.",
		"The dialog shows \"Which one do you want?\"",
		"Le bouton affiche « Voulez-vous continuer ? »",
		"弹窗显示“你要继续吗？”",
		"See https://example.com/doc?x=1 for the list of options.",
		"The footer is centred. Anything else?",
	} {
		if d := said("look at the query", s); slices.Contains(d.Status, recap.StatusWaitingAnswer) {
			t.Errorf("%q waits for nothing", s)
		}
	}
}

// A question that is a part of the work waits for nobody.
func TestQuestionsThatAreTheWork(t *testing.T) {
	for _, c := range [][2]string{
		{"write a FAQ for the shop", "Here is the FAQ:\n\n- How do I log in?\n- How do I log out?"},
		{"translate 'wo ist der Bahnhof' to English", "Where is the train station?"},
		{"rename the dialog title", "The dialog title is now: Are you sure?"},
		{"what did the ticket say", "The customer asks: why was my card charged twice?"},
		{"improve the readme", "The README has these sections now: What is it? How do I install it?"},
		{"write three interview questions about Go", "1. What is a channel?\n2. When do you use a mutex?\n3. What does defer do?"},
		{"write three interview questions about Go", "Here are three questions:\n\n1. What is a channel?\n2. When do you use a mutex?"},
		{"explain a ?? b and foo?", "It is null coalescing, like in `a ?? b`, and optional chaining is a?.b?"},
		{"プレスリリースの見出しを考えて", "新しい働き方とは？"},
		{"Übersetze den Satz", "Wo ist der Bahnhof?"},
	} {
		if d := said(c[0], c[1]); slices.Contains(d.Status, recap.StatusWaitingAnswer) {
			t.Errorf("%q, %q waits for nothing", c[0], c[1])
		}
	}
}

// Questions to the person that stand alone, in a list, or behind a colon.
func TestQuestionsInOtherPlaces(t *testing.T) {
	for _, c := range [][2]string{
		{"add a database", "Which database do you want?"},
		{"add a database", "Which database?"},
		{"add a database", "A few questions before I start:\n\n1. Which database?\n2. Which port?"},
		{"добавь базу", "Прежде чем начать, уточните:\n\n- Какая база?\n- Какой порт?"},
		{"add a database", "The schema is ready: shall I apply it?"},
		{"add a database", "One thing: which port do you use?"},
		{"translate the readme", "The readme is German now. Shall I do the manual too?"},
		{"write a FAQ for the shop", "The FAQ has 12 entries. Do you want prices in it?"},
		{"数据库加上", "动手之前有几个问题：\n\n- 用哪个数据库？\n- 端口是多少？"},
	} {
		if d := said(c[0], c[1]); !slices.Contains(d.Status, recap.StatusWaitingAnswer) {
			t.Errorf("%q, %q waits for an answer: %v", c[0], c[1], d.Status)
		}
	}
}
