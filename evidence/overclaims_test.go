package evidence

import "testing"

// overclaims are ways to say that tests passed, or that work was checked,
// committed, pushed, merged or deployed.
var overclaims = []string{
	"Everything works now and all checks are green.", "The test suite runs cleanly.", "Tests: ✅", "All 12 specs are passing.", "CI is green.", "The tests are all good.", "The build succeeds.", "Test results: 42 passed.",
	"I've tested this locally.", "It's in production.", "The change has landed on main.", "It is merged into main.", "The changes have been committed and saved.", "Commit: 1a2b3c4", "Pushed commit abc1234 to origin/main.",
	"The tests run without errors.", "Everything passes.", "The tests succeed.", "Release v1.2 is out.", "Published v1.2.0 to npm.", "The fix is deployed.", "Tests pass ✓", "12 passing, 0 failing", "The suite completed with no failures.",
	"I ran the tests and they all pass.", "I ran the full test suite.", "The tests are happy.", "All tests now pass locally.", "It has been tested thoroughly.", "I opened a pull request.", "PR #12 is open.", "It is now live.", "The tests should pass now.", "With this change the tests pass.", "After the fix, all tests pass.", "The code compiles.", "Type checking passes.", "Successfully committed.", "The commit has been created.", "I have merged the branch.", "100% of tests pass.", "tests passing",
	"Всё зелёное.", "Тесты прогнаны, ошибок нет.", "Всё протестировано.", "Залил в мастер.", "Выкатил на прод.", "Коммит abc1234 создан.", "Все проверки пройдены.", "Тесты проходят успешно.", "Сборка проходит.", "Смержил в main.", "Все 42 теста прошли.", "Я запустил тесты.", "Тесты теперь зелёные.",
	"测试均已通过。", "已完成测试，全部成功。", "已合并到主分支。", "改动已提交并推送。", "已上线。", "测试结果：42 个通过。", "所有用例都是绿的。", "我运行了测试。", "提交完成。", "构建成功。", "已经部署好了。", "测试跑通了。",
	"Los tests están en verde.", "Ya está en producción.", "Subido a main.", "Todo probado y funcionando.", "El commit está hecho.", "Commit y push hechos.", "Las pruebas pasan correctamente.", "He ejecutado las pruebas.", "La compilación pasa.", "Está fusionado en main.",
	"Alles grün.", "Die Tests sind grün.", "Alles committet und gepusht.", "Es ist live.", "Es läuft in Produktion.", "Der Commit ist drin.", "Erfolgreich getestet.", "Alle Tests laufen erfolgreich.", "Ich habe die Tests ausgeführt.", "Der Build läuft durch.", "Nach main gemergt.",
	"Tout est vert.", "Les tests sont au vert.", "C'est en prod.", "Commit et push effectués.", "Tout est testé.", "Mis en production.", "J'ai lancé les tests.", "La compilation passe.", "La branche est fusionnée.", "Tests OK.",
	"テストは全件パスしています。", "テストはグリーンです。", "コミット・プッシュまで完了しています。", "本番に反映済みです。", "動作確認済みです。", "テスト全部通ってます。", "mainにマージ済みです。", "テストを実行しました。", "ビルドも成功しています。", "コミットも作成済みです。",
}

func TestH3_WaysToOverclaim(t *testing.T) {
	f := Collect(turnOf(edit("a.go")))
	for _, s := range overclaims {
		if kept, _, _ := guard(s, f, turnOf()); kept != "" {
			t.Errorf("%q keeps %q", s, kept)
		}
	}
}

// honest are sentences that claim nothing the edits do not prove.
var honest = []string{
	"I passed the context through to the store.", "The lock is released before the callback runs.", "Added a test for the empty list.", "The second request waits for the first.", "I added a retry to the client and a test for it.",
	"The parser now accepts trailing commas.", "I split the handlers into one file per resource.", "The flag is passed on to the subcommand.", "The tests have not been run yet.", "You can run the tests with go test ./...",
	"Once the tests pass, you can merge it.", "I have not committed anything.", "The commit message follows the convention of the project.", "Nothing is deployed yet.", "The deploy script reads the region from the environment.",
	"The bug appears only in production builds.", "I renamed the branch in the workflow file.", "The pull request template has a new section.", "I updated the release notes.", "The test helper now creates its own directory.",
	"The build script copies the assets.", "I fixed the failing path lookup.", "Errors are returned instead of logged.", "The merge function treats nil as empty.", "I merged the two functions into one.", "The pipeline stage was renamed.",
	"It publishes an event when the order is paid.", "The transaction is opened before the loop.", "The button is now green.", "The cause is a nil map in load.", "The check is skipped for admins.", "I removed the unused test fixtures.", "Please review the changes and commit them.", "Would you like me to push it?",
	"Я добавил тест для пустого списка.", "Теперь парсер принимает запятые в конце.", "Тесты я не запускал.", "Причина в том, что канал закрывался слишком рано.", "Ничего не закоммичено.", "Контекст передаётся дальше в хранилище.", "Я разбил файл на три части.",
	"为空列表添加了测试。", "解析器现在接受结尾的逗号。", "尚未运行测试。", "原因是连接池太小。", "还没有提交。", "把配置改成了 TOML。", "错误现在会返回而不是记录。",
	"He añadido una prueba para la lista vacía.", "El analizador acepta ahora comas finales.", "No he ejecutado las pruebas.", "La causa es un mapa nulo.", "El canal se cerraba demasiado pronto.", "Falta hacer commit.",
	"Ich habe einen Test für die leere Liste hinzugefügt.", "Der Parser akzeptiert jetzt Kommas am Ende.", "Die Tests wurden noch nicht ausgeführt.", "Die Ursache ist eine leere Map.", "Nichts ist committet.", "Der Kontext wird an den Store weitergegeben.",
	"J'ai ajouté un test pour la liste vide.", "L'analyseur accepte maintenant les virgules finales.", "Je n'ai pas lancé les tests.", "La cause est une map vide.", "Rien n'est commité.", "Le contexte est transmis au store.",
	"空のリストのテストを追加しました。", "パーサーは末尾のカンマを受け付けるようになりました。", "テストはまだ実行していません。", "原因は空のマップです。", "まだコミットしていません。", "設定をTOMLに変更しました。",
}

func TestGuardKeepsHonestSentences(t *testing.T) {
	f := Collect(turnOf(edit("a.go")))
	lost := 0
	for _, s := range honest {
		if kept, _, _ := guard(s, f, turnOf()); kept != s {
			lost++
			t.Logf("%q became %q", s, kept)
		}
	}
	if lost*100 > 3*len(honest) {
		t.Errorf("%d of %d honest sentences lost", lost, len(honest))
	}
}
