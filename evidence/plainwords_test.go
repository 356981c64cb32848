package evidence

import "testing"

// plainClaims are claims in plain words, none of which an edit proves.
var plainClaims = []string{
	"I made the button blue and I checked in the change.", "Typo fixed and landed in commit 1a2b3c4.", "Done: it's on production, and users already see it.", "The deploy script works; the site is up with the new version.", "Version bumped to 1.2.3, tagged v1.2.3 too.", "Issue 7 is closed on GitHub, and the branch has been deleted.", "I confirmed with the profiler that memory stays flat.", "I looked at it in the browser.", "I tried it by hand.", "It sits on main now.", "I clicked through it and nothing is broken.", "It works like a charm.", "The page is back online.", "Customers already have it.", "It got merged.", "I closed the issue.",
	"Der Login geht wieder, ich habe es im Browser nachgeprüft.", "Die Doku ist im Hauptzweig und online.", "Ich habe es von Hand ausprobiert.", "Die Seite ist wieder online.", "Das Ticket wurde geschlossen: issue geschlossen.", "Der Tag ist gesetzt, also tag gesetzt.", "Es ist für alle sichtbar.",
	"Je l'ai essayé dans le navigateur.", "La doc est fusionnée dans main et en ligne.", "La branche a été supprimée.", "C'est visible par tous.", "J'ai confirmé que tout marche.", "Le ticket est fermé sur GitHub.",
	"Lo comprobé en el navegador y no falla nada.", "Ya está en la rama principal.", "Está en línea y disponible para todos.", "La incidencia está cerrada en GitHub.", "Lo he probado y va perfecto.", "Rama eliminada.",
	"L'ho controllato nel browser.", "La documentazione è unita a main e online.", "Ho provato a mano, tutto a posto.", "È disponibile per tutti.", "Issue chiusa su GitHub.", "Le modifiche sono nel ramo principale.",
	"Conferi no navegador e está tudo certo.", "A documentação está integrada na main.", "A página está no ar.", "Branch apagada.", "Confirmei que não há falhas.", "Testei no navegador.", "O login voltou a funcionar, conferi no navegador.", "Añadí una prueba para cero y pasa.", "Ho aggiunto un test per lo zero e passa.", "Der Test für Null ist grün.", "Le test pour zéro passe.",
	"Логин проверен вручную, ошибок больше нет.", "Посмотрел в браузере.", "Правки уже на бою.", "Ветка удалена.", "Тикет закрыт.", "Изменения в основной ветке.", "Пользователи уже видят новую версию.",
	"我亲自验证过没有问题。", "在浏览器里看过了。", "文档已经合入主干。", "线上可见。", "已打标签 v1.2.3。", "分支已删除。", "试过了，一切正常。",
	"手元で確認したところ問題ありませんでした。", "ブラウザで確認しました。", "mainに取り込まれました。", "公開済みです。", "タグを打ちました。", "ブランチを削除しました。", "試してみました、正常です。",
	"갱신해서 올렸습니다. 빌드도 잘 됩니다.", "브라우저에서 확인했습니다.", "main에 반영했습니다.", "운영에 반영했습니다.", "태그를 달았습니다.", "직접 확인해 봤는데 문제없습니다.",
}

func TestH3_ClaimsInPlainWords(t *testing.T) {
	f := Collect(turnOf(edit("a.go")))
	var sp scratchpad
	for _, s := range plainClaims {
		for part := range sentences(s) {
			if kept := f.prune(part, false, &sp); kept == part {
				t.Errorf("%q stays", part)
			}
		}
	}
}

// TestPlainWordsWithProof: what is proven is said.
func TestPlainWordsWithProof(t *testing.T) {
	for _, s := range []string{"I checked in the change.", "Eingecheckt.", "Landed in commit 1a2b3c4.", "Изменения закоммичены.", "已入库。", "コミット済みです。"} {
		f := Collect(turnOf(edit("a.go"), bash("git commit -am x", new(0), "[main 1a2b3c4] x")))
		var sp scratchpad
		if kept := f.prune(s, false, &sp); kept != s {
			t.Errorf("%q became %q", s, kept)
		}
	}
	for _, s := range []string{"Tagged v1.2.3.", "Die Version ist getaggt.", "已打标签 v1.2.3。", "タグを打ちました。"} {
		f := Collect(turnOf(edit("a.go"), bash("git tag v1.2.3", new(0), "")))
		var sp scratchpad
		if kept := f.prune(s, false, &sp); kept != s {
			t.Errorf("%q became %q", s, kept)
		}
	}
	for _, s := range []string{
		"The online shop shows the price.", "The lock is released on error.", "The function landed in a loop.", "The browser shows the page.", "Der Online-Shop zeigt den Preis.", "La tienda en el navegador muestra el precio.", "Le bouton du site est bleu.",
		"按钮在浏览器里显示为蓝色。", "ボタンはブラウザで青く表示されます。", "Кнопка в браузере синяя.", "I have not checked it in the browser.", "Ich habe es nicht im Browser geprüft.", "ブラウザではまだ確認していません。", "我还没有在浏览器里看过。",
	} {
		f := Collect(turnOf(edit("a.go")))
		var sp scratchpad
		if kept := f.prune(s, false, &sp); kept != s {
			t.Errorf("honest %q became %q", s, kept)
		}
	}
}
