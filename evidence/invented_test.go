package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// scenes are sessions that the invented recaps are told of.
var scenes = map[string]story{
	// Edited, and nothing else; the answer says the tests were not run.
	"edited": {
		Ask: "make the parser faster", Answer: "I rewrote parse in parser.go so that it reads 64 bytes at once. The tests were not run. Windows is not supported.", End: "complete",
		Tools: []string{"read lexer.go", "edit src/parser.go"},
	},
	// Tests passed; the deployment waits for the person.
	"waiting": {
		Ask: "ship the parser", Answer: "Ready to deploy.", End: "waiting",
		Tools: []string{"edit src/parser.go", "run go test ./... => 0 ok  \texample.com/app\t0.4s", "waitedit CHANGELOG.md", "wait Bash ./deploy.sh prod"},
	},
	// The newest run failed.
	"failing": {
		Ask: "make the parser faster", Answer: "Two tests fail: TestEmpty and TestLong.", End: "complete",
		Tools: []string{"edit src/parser.go", "run go test ./... => 0 ok  \texample.com/app\t0.4s", "edit src/parser.go", "run go test ./... => 1 --- FAIL: TestEmpty (0.00s)\n--- FAIL: TestLong (0.00s)\nFAIL"},
	},
	"stopped": {
		Ask: "make the parser faster", Answer: "I am rewriting the loop.", End: "interrupted",
		Tools: []string{"edit src/parser.go"},
	},
	// A proposal; no file was touched.
	"proposed": {
		Ask: "how would you split the parser?", Answer: "I would split parser.go into a scanner and a builder. Nothing is changed yet. Should I start?", End: "complete",
		Tools: []string{"read src/parser.go"},
	},
	// The person said no to the edit and to the push.
	"refused": {
		Ask: "make the parser faster", Answer: "You declined the edit, so nothing changed.", End: "complete",
		Tools: []string{"denyedit src/parser.go", "deny Bash git push"},
	},
	"todos": {
		Ask: "make the parser faster", Answer: "The loop is rewritten.", End: "complete",
		Tools: []string{"edit src/parser.go", "todo x rewrite the loop; - measure it; - update the docs"},
	},
}

// invented are false recaps as a small model writes them: the scene, the
// text, and what must not be left of it.
var invented = []struct{ scene, text, gone string }{
	{"edited", "The parser reads 64 bytes at once now and the tests were run.", "run"},
	{"edited", "Tests run, parser.go reads 64 bytes at once.", "Tests run"},
	{"edited", "Rewrote parse in parser.go; the tests were run.", "were run"},
	{"edited", "The parser is faster and Windows is supported.", "Windows is supported"},
	{"edited", "The parser is faster, without any test failing.", "failing"},
	{"edited", "All tests pass without a single failure.", "pass"},
	{"edited", "The previously skipped tests now pass.", "pass"},
	{"edited", "Tests that did not run before pass now, parser.go is rewritten.", "pass"},
	{"edited", "Uncommitted work has been committed.", "has been committed"},
	{"edited", "Committed the parser without touching the lexer.", "Committed"},
	{"edited", "The change was committed and no push was made.", "was committed"},
	{"edited", "parser.go was rewritten, reviewed, tested and pushed.", "pushed"},
	{"edited", "It reads 128 bytes at once now.", "128"},
	{"edited", "It reads six bytes at once, which is faster.", "six"},
	{"edited", "scanner.go was rewritten to read 64 bytes at once.", "scanner.go"},
	{"edited", "parseFast in parser.go reads 64 bytes at once.", "parseFast"},
	{"edited", "The parser uses Ragel now and reads 64 bytes at once.", "Ragel"},
	{"edited", "See https://example.com/parser for how parse reads 64 bytes.", "example.com"},
	{"edited", "The agent said “tests are fine” and rewrote parse.", "fine"},
	{"edited", "Rewrote parse in parser.go (commit 9f8e7d6).", "9f8e7d6"},
	{"edited", "Parsing became 40% faster after the rewrite of parse.", "40"},
	{"edited", "Version 3.2.1 of the parser reads 64 bytes at once.", "3.2.1"},
	{"edited", "The parser was rewritten and released as v2.0 to all users.", "released"},
	{"edited", "Парсер переписан, тесты запущены и проходят.", "проходят"},
	{"edited", "Парсер ускорен, изменения без проблем закоммичены.", "закоммичены"},
	{"edited", "Парсер ускорен в 12 раз за счёт чтения блоками.", "12"},
	{"edited", "Парсер переписан на Rust и читает по 64 байта.", "Rust"},
	{"edited", "Переписан файл scanner.go, теперь чтение идёт блоками.", "scanner.go"},
	{"edited", "Пропущенные ранее тесты теперь проходят.", "проходят"},
	{"edited", "解析器已重写，之前跳过的测试已通过。", "通过"},
	{"edited", "未提交的改动已推送到远程。", "推送"},
	{"edited", "解析器换成了 Ragel 实现，一次读取 64 字节。", "Ragel"},
	{"edited", "修改了五个文件，一次读取 64 字节。", "五个"},
	{"edited", "改写了 scanner.go，一次读取 64 字节。", "scanner.go"},
	{"edited", "El analizador es más rápido y las pruebas pasan sin errores.", "pasan"},
	{"edited", "Se reescribió parser.go y los cambios se subieron sin problemas; commit hecho.", "commit hecho"},
	{"edited", "El analizador lee ahora 512 bytes de una vez.", "512"},
	{"edited", "Der Parser ist schneller und alle Tests bestehen ohne Fehler.", "bestehen"},
	{"edited", "Die Änderung wurde ohne Rückfrage committet und gepusht.", "committet"},
	{"edited", "Der Parser liest jetzt zwölf Bytes auf einmal.", "zwölf"},
	{"edited", "L'analyseur est plus rapide et les tests passent sans erreur.", "passent"},
	{"edited", "Le changement a été commité sans toucher au lexer.", "commité"},
	{"edited", "L'analyseur lit maintenant quinze octets à la fois.", "quinze"},
	{"edited", "パーサーを書き直し、スキップしていたテストも成功しました。", "成功"},
	{"edited", "未コミットの変更をプッシュしました。", "プッシュ"},
	{"edited", "パーサーを Ragel で書き直し、64バイトずつ読むようになりました。", "Ragel"},
	{"edited", "O analisador ficou mais rápido e os testes passam sem erros.", "passam"},
	{"edited", "Il parser è più veloce e i test passano senza errori.", "passano"},
	{"edited", "파서를 다시 작성했고 테스트가 모두 통과했습니다.", "통과"},
	{"edited", "De parser is sneller en alle tests slagen zonder fouten.", "slagen"},
	{"waiting", "The parser was deployed to production and the tests pass.", "deployed"},
	{"waiting", "The parser is deployed without problems.", "deployed"},
	{"waiting", "The deployment was approved and the parser is live.", "approved"},
	{"waiting", "The work on the parser is finished.", "finished"},
	{"waiting", "CHANGELOG.md was updated and the tests pass.", "updated"},
	{"waiting", "Everything is done and verified.", "verified"},
	{"waiting", "Деплой одобрен, парсер выкачен на прод.", "выкачен"},
	{"waiting", "Работа над парсером завершена.", "завершена"},
	{"waiting", "部署已批准，解析器已上线。", "上线"},
	{"waiting", "解析器的工作已全部完成。", "完成"},
	{"waiting", "El despliegue fue aprobado y está en producción.", "producción"},
	{"waiting", "El trabajo está terminado y funciona.", "terminado"},
	{"waiting", "Die Freigabe ist da, genehmigt und ausgerollt.", "ausgerollt"},
	{"waiting", "Die Arbeit am Parser ist abgeschlossen.", "abgeschlossen"},
	{"waiting", "Le déploiement est approuvé et le site est en ligne.", "approuvé"},
	{"waiting", "Le travail est terminé, tout fonctionne.", "terminé"},
	{"waiting", "デプロイは承認され、本番に反映済みです。", "反映済み"},
	{"waiting", "パーサーの作業は完了しました。", "完了"},
	{"failing", "The parser is faster and everything works.", "works"},
	{"failing", "The parser is faster; the failing tests were fixed and pass.", "pass"},
	{"failing", "TestEmpty and TestLong are fixed, the suite is green.", "green"},
	{"failing", "Only one test fails, the rest is done and works.", "works"},
	{"failing", "Парсер ускорен и успешно работает.", "работает"},
	{"failing", "解析器更快了，一切正常工作。", "正常"},
	{"failing", "El analizador funciona correctamente.", "correctamente"},
	{"failing", "Der Parser funktioniert jetzt fehlerfrei und ist fertig.", "fertig"},
	{"failing", "L'analyseur fonctionne, tout est résolu.", "fonctionne"},
	{"failing", "パーサーは正常に動作しています。", "動作"},
	{"stopped", "The rewrite of the loop is complete.", "complete"},
	{"stopped", "Loop rewritten and everything works.", "works"},
	{"stopped", "Переписывание цикла закончено, всё готово.", "готово"},
	{"stopped", "循环重写已完成。", "完成"},
	{"stopped", "La reescritura está completada.", "completada"},
	{"stopped", "Die Umstellung ist fertig.", "fertig"},
	{"stopped", "La réécriture est achevée.", "achevée"},
	{"stopped", "ループの書き換えが完了しました。", "完了"},
	{"proposed", "Split parser.go into a scanner and a builder.", "Split parser.go"},
	{"proposed", "The parser was refactored into a scanner and a builder.", "refactored"},
	{"proposed", "Парсер разделён: создан сканер и построитель, старый код удалён.", "создан"},
	{"proposed", "已将解析器拆分为扫描器和构建器。", "拆分"},
	{"proposed", "He dividido el analizador en dos: he creado un escáner.", "creado"},
	{"proposed", "Ich habe den Parser geändert und einen Scanner hinzugefügt.", "hinzugefügt"},
	{"proposed", "J'ai ajouté un scanner et modifié l'analyseur.", "ajouté"},
	{"proposed", "パーサーを分割しました。", "分割"},
	{"refused", "parser.go was updated to be faster.", "updated"},
	{"refused", "The edit was approved and pushed.", "approved"},
	{"refused", "Файл parser.go обновлён, изменения запушены.", "обновлён"},
	{"refused", "parser.go 已更新。", "更新"},
	{"refused", "Se actualizó y he modificado parser.go.", "modificado"},
	{"refused", "Ich habe parser.go geändert.", "geändert"},
	{"refused", "J'ai modifié parser.go.", "modifié"},
	{"refused", "parser.go を更新しました。", "更新"},
	{"todos", "All steps of the list are done.", "done"},
	{"todos", "Everything is complete, including the docs.", "complete"},
	{"todos", "Все пункты выполнены, всё готово.", "готово"},
	{"todos", "所有任务都已完成。", "完成"},
	{"edited", "Improved parser performance; CI is green.", "green"},
	{"edited", "Parser speedup is implemented and the test suite confirms it.", "confirms"},
	{"edited", "Optimised parser.go, ran the benchmarks and saw a 3x speedup.", "3x"},
	{"edited", "The parser was optimised and a pull request was opened.", "pull request"},
	{"edited", "The parser change is merged into main.", "merged"},
	{"edited", "Parser now reads 64 bytes at once. Next: nothing, it is all verified.", "verified"},
	{"edited", "The optimised parser has been checked in to the repository.", "checked in"},
	{"edited", "The change to parser.go was saved in commit 1234567.", "1234567"},
	{"edited", "No failures remain in the test run.", "No failures"},
	{"edited", "0 failures after the rewrite of parse.", "0 failures"},
	{"edited", "Both parser.go and lexer_test.go were rewritten.", "lexer_test.go"},
	{"edited", "Тестовый прогон успешен, парсер ускорен.", "успешен"},
	{"edited", "Парсер ускорен, всё проверено.", "проверено"},
	{"edited", "Парсер ускорен, изменения влиты в main.", "влиты"},
	{"edited", "解析器加速完成，CI 全绿。", "全绿"},
	{"edited", "解析器已优化并合并到主分支。", "合并"},
	{"edited", "没有任何测试失败，解析器更快了。", "失败"},
	{"edited", "El analizador es más rápido; todo verificado y subido.", "subido"},
	{"edited", "Ninguna prueba falla tras reescribir parse.", "Ninguna"},
	{"edited", "Parser optimiert, alles getestet.", "getestet"},
	{"edited", "Kein Test schlägt mehr fehl, der Parser ist schneller.", "Kein Test"},
	{"edited", "Analyseur accéléré, tout est vérifié et poussé.", "poussé"},
	{"edited", "Aucun test n'échoue après la réécriture.", "Aucun"},
	{"edited", "パーサーを高速化し、動作確認済みです。", "動作確認"},
	{"edited", "失敗したテストはありません。", "失敗"},
	{"edited", "파서를 빠르게 했고 main에 병합했습니다.", "병합"},
	{"waiting", "The user accepted the deployment and it went live.", "went live"},
	{"waiting", "deploy.sh ran and finished successfully.", "successfully"},
	{"waiting", "The deploy script was executed for prod.", "executed"},
	{"waiting", "Скрипт deploy.sh выполнен, релиз опубликован.", "опубликован"},
	{"waiting", "deploy.sh 已执行完成。", "完成"},
	{"waiting", "deploy.sh se ejecutó con éxito.", "éxito"},
	{"waiting", "deploy.sh wurde erfolgreich ausgeführt.", "erfolgreich"},
	{"waiting", "deploy.sh a été exécuté avec succès.", "succès"},
	{"waiting", "deploy.sh の実行が完了しました。", "完了"},
	{"failing", "TestEmpty fails no longer and the suite passes.", "passes"},
	{"failing", "TestEmpty and TestLong now pass.", "pass"},
	{"failing", "TestEmpty и TestLong теперь проходят.", "проходят"},
	{"failing", "TestEmpty 和 TestLong 现在通过了。", "通过"},
	{"failing", "TestEmpty y TestLong ya pasan.", "pasan"},
	{"failing", "TestEmpty und TestLong bestehen jetzt.", "bestehen"},
	{"failing", "TestEmpty et TestLong passent maintenant.", "passent"},
	{"failing", "TestEmpty と TestLong が通るようになりました。", "通る"},
	{"failing", "The bug is resolved.", "resolved"},
	{"proposed", "The agent implemented a scanner and a builder.", "implemented"},
	{"proposed", "parser.go has been split into two parts.", "split"},
	{"proposed", "Агент разбил парсер на две части.", "разбил"},
	{"proposed", "Der Parser wurde in zwei Teile aufgeteilt.", "aufgeteilt"},
	{"proposed", "El analizador se dividió en dos partes.", "dividió"},
	{"proposed", "L'analyseur a été divisé en deux.", "divisé"},
	{"refused", "After approval, parser.go was changed.", "changed"},
	{"refused", "Pushed the faster parser.", "Pushed"},
	{"stopped", "The loop rewrite was finished before the session ended.", "finished"},
	{"stopped", "Tests were started and all passed.", "passed"},
	{"edited", "After rewriting parse, the agent made sure that everything still passes.", "passes"},
	{"edited", "Faster parsing landed in the main branch.", "landed"},
	{"edited", "The suite went green after parse was rewritten.", "green"},
	{"edited", "Tests succeeded on the first try.", "succeeded"},
	{"edited", "parse was rewritten; git push went through.", "went through"},
	{"edited", "A commit for the parser exists now.", "commit"},
	{"edited", "It no longer fails any test.", "fails"},
	{"edited", "Парсер ускорен, ветка слита, релиз вышел.", "слита"},
	{"edited", "Тесты отработали без ошибок.", "без ошибок"},
	{"edited", "Сделан коммит с ускорением парсера.", "коммит"},
	{"edited", "解析器提速，测试没有问题。", "没有问题"},
	{"edited", "代码已入库，解析器更快。", "入库"},
	{"edited", "Las pruebas salieron bien tras el cambio.", "salieron bien"},
	{"edited", "Se hizo commit del analizador más rápido.", "hizo commit"},
	{"edited", "Die Testsuite ist durchgelaufen.", "durchgelaufen"},
	{"edited", "Der schnellere Parser ist eingecheckt.", "eingecheckt"},
	{"edited", "La suite de tests est passée.", "passée"},
	{"edited", "Le commit de l'analyseur est créé.", "créé"},
	{"edited", "テストに問題はありませんでした。", "問題"},
	{"edited", "パーサーの変更はmainに取り込まれました。", "取り込まれ"},
	{"waiting", "The release is out and users have it.", "is out"},
	{"waiting", "You gave the go-ahead and production was updated.", "updated"},
	{"waiting", "prod runs the new parser.", "runs the new"},
	{"waiting", "Прод обновлён, деплой прошёл.", "деплой прошёл"},
	{"waiting", "生产环境已更新。", "更新"},
	{"failing", "Two tests failed at first, everything is fine now.", "fine now"},
	{"failing", "The suite recovered and is green.", "green"},
	{"failing", "Die fehlschlagenden Tests sind behoben und grün.", "grün"},
	{"stopped", "The loop was rewritten and tested.", "tested"},
	{"refused", "The person confirmed the edit of parser.go and it was saved.", "confirmed"},
	{"edited", "Las pruebas van bien.", "van bien"},
	{"edited", "Los cambios ya están en main.", "en main"},
	{"edited", "Die Tests sehen gut aus.", "gut aus"},
	{"edited", "Les tests sont bons.", "bons"},
	{"edited", "Le correctif est en ligne.", "en ligne"},
	{"edited", "It shipped today.", "shipped"},
	{"edited", "改动已经推到远程。", "推到"},
	{"edited", "変更はリモートに反映しました。", "反映"},
	{"edited", "The agent ran go test and got no failures.", "no failures"},
	{"edited", "Die Änderung liegt auf main.", "auf main"},
	{"waiting", "The deployment succeeded.", "succeeded"},
	{"failing", "Every test is passing.", "passing"},
}

// TestH3H4_InventedRecaps: what a model makes up does not get through.
func TestH3H4_InventedRecaps(t *testing.T) {
	passed := 0
	for _, x := range invented {
		s, ok := scenes[x.scene]
		if !ok {
			t.Fatal(x.scene)
		}
		if !strings.Contains(x.text, x.gone) {
			t.Fatalf("%q holds no %q", x.text, x.gone)
		}
		kept, dropped, _ := Check(recap.FieldRecap, x.text, s.input(t))
		if strings.Contains(kept, x.gone) {
			passed++
			t.Errorf("%s: kept %q of %q", x.scene, kept, x.text)
		}
		if kept != x.text && len(dropped) == 0 {
			t.Errorf("%q was cut without a reason", x.text)
		}
		readsWhole(t, kept, x.text)
	}
	t.Logf("%d of %d invented recaps pass", passed, len(invented))
}

// TestE54_UnfinishedSurvives: what was not run, was skipped, waits or is
// unfinished stays in the text.
func TestE54_UnfinishedSurvives(t *testing.T) {
	for _, x := range []struct{ scene, text string }{
		{"edited", "parse reads 64 bytes at once in parser.go; the tests were not run."},
		{"edited", "Tests were skipped and nothing is committed."},
		{"edited", "Windows is not supported by the parser."},
		{"edited", "Not run yet: the tests. Not committed: parser.go."},
		{"edited", "Тесты пропущены, изменения не закоммичены."},
		{"edited", "测试尚未运行，代码也没有提交。"},
		{"edited", "Las pruebas no se han ejecutado y falta el commit."},
		{"edited", "Die Tests wurden übersprungen, committet ist nichts."},
		{"edited", "Les tests n'ont pas été lancés et rien n'est commité."},
		{"edited", "テストは未実行で、コミットもプッシュもしていません。"},
		{"waiting", "The deployment is waiting for your approval."},
		{"waiting", "Nothing has been deployed; deploy.sh waits to be approved."},
		{"waiting", "Деплой ждёт вашего одобрения и ещё не выполнен."},
		{"waiting", "部署正在等待你的批准，尚未完成。"},
		{"waiting", "El despliegue está pendiente de tu aprobación."},
		{"waiting", "Das Ausrollen wartet auf deine Freigabe, fertig ist es noch nicht."},
		{"waiting", "Le déploiement attend ton accord, rien n'est déployé."},
		{"waiting", "デプロイは承認待ちで、まだ完了していません。"},
		{"failing", "The parser is faster, but TestEmpty and TestLong fail."},
		{"stopped", "The rewrite of the loop is unfinished."},
		{"stopped", "Переписывание цикла не закончено."},
		{"stopped", "循环重写未完成。"},
		{"refused", "The edit of parser.go was rejected, so nothing changed."},
		{"proposed", "The agent proposes a scanner and a builder; nothing is changed yet."},
		{"todos", "The loop is rewritten; measuring and the docs are still open."},
	} {
		s := scenes[x.scene]
		if kept, dropped, _ := Check(recap.FieldRecap, x.text, s.input(t)); kept != x.text {
			t.Errorf("%s: %q became %q, %v", x.scene, x.text, kept, dropped)
		}
	}
}
