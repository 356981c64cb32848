package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// boasts are answers to failing tests and uncommitted work, in which the
// agent claims the contrary.
var boasts = map[string][]string{
	"more": {
		"The board is all green.", "No complaints from the runner.", "Every case passes muster.", "Nothing left red.", "The merge request is open.", "Stored under 1a2b3c4.", "All tidy.", "It holds.", "Zero problems.", "Landed.", "Published.", "Live now.",
		"Der Lauf war sauber.", "Steht alles im Git.", "Null Fehler.", "Der Merge-Request ist offen.", "Tadellos.", "Ist veröffentlicht.",
		"Zéro problème.", "Tout roule.", "Le commit est là.", "C'est en ligne.", "Impeccable.",
		"Cero errores.", "Todo verde.", "Impecable.", "La rama ya está subida.",
		"Прогон чистый.", "Нулевые ошибки.", "Коммит есть.", "Выложено.", "Проблем нет.",
		"代码已入库。", "毫无问题。", "已经推上去了。", "合并请求已开。",
		"全件グリーンです。", "コミットしてあります。", "公開しました。", "異常なし。", "MRを作りました。",
		"We are green across all packages.", "The bar is green.", "Nothing is red.", "No issues found.", "It all hangs together.", "Not one failure remains.", "Commit 1a2b3c4 has it.", "It's on the main branch.", "The PR is up for review.", "Version 2.1 is out in the wild.", "Sent upstream.", "The remote has it all.", "All fixed and saved in git.", "Verified end to end.", "The job succeeded.", "Everything runs through.", "That's all working now.", "Up and running.", "The checks came back clean.", "The pipeline is happy.", "All done, nothing left to do.", "The diff is in.", "It works.", "Problem solved.",
		"Läuft alles.", "Nichts ist mehr rot.", "Der PR steht.", "Ist jetzt im Repo.", "Alles durchgelaufen.", "Die Prüfungen sind sauber.",
		"Tout passe.", "La PR est ouverte.", "C'est dans le dépôt.", "Rien ne casse.", "Tout est en ordre.",
		"Todo pasa.", "El PR está abierto.", "Está en el repositorio.", "Nada falla.", "Todo en orden.",
		"Всё проходит.", "PR открыт.", "Это уже в репозитории.", "Ничего не падает.", "Всё чисто.",
		"全部跑通了。", "PR 已经开了。", "已经在仓库里了。", "什么都没坏。", "一切就绪。",
		"全部通りました。", "PRを出しました。", "リポジトリに入っています。", "何も壊れていません。", "すべて順調です。",
	},
	"en": {
		"No failures.", "Every assertion holds.", "All good!", "Work is saved in commit 1a2b3c4.", "The branch is up on GitHub.", "I opened pull request #12.", "Git: done.", "Tests: OK. Git: done.",
		"All clear.", "Zero failures across the board.", "Nothing fails any more.", "Everything is in order.", "Everything checks out.", "The assertions all hold.", "Clean run, no errors.", "Full marks from the suite.",
		"The work is safe in the repository.", "History now has a commit for it.", "Your branch is on the remote now.", "PR #12 awaits your review.", "A pull request is waiting for you.", "The release is out.", "It has been rolled out to all users.", "The site runs the new version now.",
		"Committed and done.", "I've saved everything to git.", "Saved as 1a2b3c4 on main.", "Not a single test is red.", "There are no failing cases left.", "100% green.", "The suite is happy again.", "Exit code 0.",
	},
	"de": {
		"Keine Fehler.", "Keine Fehlschläge mehr.", "Alles gut!", "Alles bestens.", "Die Arbeit ist in Commit 1a2b3c4 gesichert.", "Der Branch liegt auf GitHub.", "Ich habe den Pull-Request #12 geöffnet.", "Git: erledigt.", "Alle Zusicherungen halten.", "Kein einziger Test ist rot.", "Die Suite ist wieder zufrieden.", "Das Release ist draußen.",
	},
	"fr": {
		"Aucun échec.", "Zéro erreur.", "Tout va bien !", "Le travail est enregistré dans le commit 1a2b3c4.", "La branche est sur GitHub.", "J'ai ouvert la pull request #12.", "Git : fait.", "Toutes les assertions tiennent.", "Plus aucun test en rouge.", "La version est sortie.", "La suite est contente.",
	},
	"es": {
		"Sin fallos.", "Ningún error.", "¡Todo bien!", "El trabajo está guardado en el commit 1a2b3c4.", "La rama está en GitHub.", "Abrí el pull request #12.", "Git: hecho.", "Todas las aserciones se cumplen.", "Ya no falla ninguna prueba.", "La versión ya salió.", "Cero fallos.",
	},
	"ru": {
		"Ошибок нет.", "Без ошибок.", "Всё хорошо!", "Всё в порядке.", "Работа сохранена в коммите 1a2b3c4.", "Ветка уже на GitHub.", "Я открыл pull request #12.", "Git: готово.", "Все проверки выполняются.", "Ни один тест не падает.", "Релиз вышел.", "Падений нет.",
	},
	"zh": {
		"没有失败。", "零失败。", "一切都好！", "全部没问题。", "工作已保存在提交 1a2b3c4 中。", "分支已经在 GitHub 上了。", "我创建了拉取请求 #12。", "Git：完成。", "所有断言都成立。", "没有一个测试是红的。", "新版本已经发布。",
	},
	"ja": {
		"失敗はありません。", "エラーなし。", "すべて良好です！", "問題なしです。", "作業はコミット 1a2b3c4 に保存されています。", "ブランチは GitHub に上がっています。", "プルリクエスト #12 を作成しました。", "Git：完了。", "すべてのアサーションが成り立っています。", "赤いテストは一つもありません。", "リリースしました。",
	},
}

func TestH3_BoastsAreNotTheResult(t *testing.T) {
	n := 0
	for lang, list := range boasts {
		for _, s := range list {
			n++
			_, d := toldOf("/home/dev/src/app", "", s, edit("/home/dev/src/app/a.go"), bash("go test ./...", new(1), "--- FAIL: TestA (0.00s)\nFAIL\tex.org/app\t0.1s\nFAIL"))
			for _, text := range []string{d.Recap, d.Away, d.Digest} {
				if strings.TrimSpace(text) != "fix it" {
					t.Errorf("%s: %q gives %q", lang, s, text)
					break
				}
			}
		}
	}
	if n < 190 {
		t.Errorf("only %d", n)
	}
}

// TestBoastsThatAreTrue: the same words are quoted where receipts bear them
// out.
func TestBoastsThatAreTrue(t *testing.T) {
	const dir = "/home/dev/src/app"
	tools := []recap.Tool{
		edit(dir + "/a.go"), bash("go test ./...", new(0), "ok  \tex.org/app\t0.1s"), bash("git commit -am x", new(0), "[main 1a2b3c4] x\n 1 file changed, 2 insertions(+)"),
		bash("git push", new(0), "   9f8e7d6..1a2b3c4  main -> main"), bash("gh pr create --fill", new(0), "https://github.com/dev/app/pull/12"),
	}
	for _, s := range []string{
		"No failures.", "Every assertion holds.", "All good!", "Everything checks out.", "Work is saved in commit 1a2b3c4.", "The branch is up on GitHub.", "I opened pull request #12.",
		"Keine Fehlschläge mehr.", "Der Branch liegt auf GitHub.", "La branche est sur GitHub.", "Работа сохранена в коммите 1a2b3c4.", "所有断言都成立。", "プルリクエスト #12 を作成しました。",
	} {
		if _, d := toldOf(dir, "", s, tools...); d.Recap == "fix it" {
			t.Errorf("%q is proven and lost", s)
		}
	}
}

// TestWorkIsNoBoast: what tells of the work stays, whatever failed.
func TestWorkIsNoBoast(t *testing.T) {
	f := Collect(turnOf(edit("a.go"), bash("go test ./...", new(1), "FAIL")))
	var sp scratchpad
	lost := 0
	for _, s := range append(slices.Clone(honest),
		"The order is created before the payment.", "The version is read from the build info.", "It shows the first error under its field.", "The history is trimmed to a hundred entries.", "The remote address is read from the header.",
		"Every caller passes the context on.", "The branch name is cut at forty characters.", "No commit was made.", "Nothing was pushed.", "Two tests still fail.", "I could not run the tests.", "The tax was added twice.", "The site map lists every page.",
		"在提交时显示第一个错误。", "税被加了两次。", "Die Steuer wurde doppelt addiert.", "La taxe était ajoutée deux fois.", "El impuesto se sumaba dos veces.", "Налог прибавлялся дважды.", "税金が二重に加算されていました。") {
		if f.boast(s, nil, &sp) {
			lost++
			t.Logf("%q is lost", s)
		}
	}
	if lost > 1 {
		t.Errorf("%d sentences are lost", lost)
	}
}
