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
