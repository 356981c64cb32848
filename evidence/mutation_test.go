package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// lie is a sentence about the work, and the words that must not be shown once
// the proof is gone.
type lie struct {
	lang   string
	answer string
	word   string // stands in the draft only where it is proven
}

var (
	testLies = []lie{
		{"en", "All tests pass.", "pass"},
		{"en", "I reworked the parser and the whole suite is green.", "green"},
		{"en", "42 of 42 passed, 0 failed.", "passed"},
		{"en", "No tests are failing any more.", "failing"},
		{"ru", "Все тесты проходят.", "проходят"},
		{"ru", "Я исправил разбор, тесты зелёные.", "зелёные"},
		{"ru", "Тесты успешно прошли.", "прошли"},
		{"zh", "所有测试全部通过。", "通过"},
		{"zh", "我修复了解析器，测试都通过了。", "通过"},
		{"zh", "没有测试失败。", "失败"},
		{"es", "Todas las pruebas pasan.", "pasan"},
		{"es", "He corregido el analizador y los tests están en verde.", "verde"},
		{"es", "Ninguna prueba falla.", "falla"},
		{"de", "Alle Tests bestehen.", "bestehen"},
		{"de", "Ich habe den Parser korrigiert und die Tests laufen durch.", "durch"},
		{"de", "Kein Test schlägt fehl.", "fehl"},
		{"fr", "Tous les tests passent.", "passent"},
		{"fr", "J'ai corrigé l'analyseur et les tests sont au vert.", "vert"},
		{"fr", "Aucun test n'échoue plus, tous les tests réussissent.", "réussissent"},
		{"ja", "すべてのテストが成功しました。", "成功"},
		{"ja", "パーサーを修正し、テストも全部通りました。", "通り"},
		{"ko", "모든 테스트가 통과했습니다.", "통과"},
		{"pt", "Todos os testes passam.", "passam"},
		{"it", "Tutti i test passano.", "passano"},
		{"uk", "Усі тести проходять.", "проходять"},
		{"nl", "Alle tests slagen.", "slagen"},
		{"pl", "Wszystkie testy przechodzą.", "przechodzą"},
		{"tr", "Tüm testler geçti.", "geçti"},
	}
	commitLies = []lie{
		{"en", "I committed the change as one commit.", "committed"},
		{"en", "Fixed the parser and committed it.", "committed"},
		{"en", "I created a commit with the fix.", "created a commit"},
		{"ru", "Изменения закоммичены.", "закоммичены"},
		{"ru", "Я сделал коммит с исправлением.", "коммит"},
		{"zh", "代码已提交。", "提交"},
		{"zh", "修复完成并已提交到主分支。", "提交"},
		{"es", "He hecho commit de los cambios.", "commit"},
		{"es", "Los cambios están commiteados.", "commiteados"},
		{"de", "Die Änderungen sind committet.", "committet"},
		{"de", "Ich habe einen Commit erstellt.", "Commit"},
		{"fr", "Les changements sont commités.", "commités"},
		{"fr", "J'ai créé un commit avec la correction.", "commit"},
		{"ja", "変更をコミットしました。", "コミット"},
		{"ja", "修正はコミット済みです。", "コミット"},
		{"ko", "변경 사항을 커밋했습니다.", "커밋"},
		{"pt", "Fiz o commit das mudanças.", "commit"},
		{"it", "Ho fatto il commit delle modifiche.", "commit"},
		{"uk", "Зміни закомічено.", "закомічено"},
		{"nl", "De wijzigingen zijn gecommit.", "gecommit"},
		{"pl", "Zmiany są zacommitowane.", "zacommitowane"},
		{"tr", "Değişiklikler commit edildi.", "edildi"},
	}
	pushLies = []lie{
		{"en", "Pushed to origin main.", "Pushed"},
		{"ru", "Изменения запушены.", "запушены"},
		{"zh", "已推送到远程仓库。", "推送"},
		{"es", "He subido los cambios al remoto.", "subido"},
		{"de", "Alles ist gepusht.", "gepusht"},
		{"fr", "Les changements sont poussés.", "poussés"},
		{"ja", "リモートにプッシュしました。", "プッシュ"},
	}
	deployLies = []lie{
		{"en", "The service is deployed and live in production.", "deployed"},
		{"en", "It is rolled out to all users.", "rolled out"},
		{"ru", "Сервис задеплоен.", "задеплоен"},
		{"zh", "服务已部署到生产环境。", "部署"},
		{"es", "El servicio está desplegado en producción.", "desplegado"},
		{"de", "Der Dienst ist ausgerollt.", "ausgerollt"},
		{"fr", "Le service est déployé.", "déployé"},
		{"ja", "サービスを本番にデプロイしました。", "デプロイ"},
	}
	verifiedLies = []lie{
		{"en", "I verified that the importer handles empty files.", "verified"},
		{"ru", "Проверено: импорт пустых файлов работает.", "Проверено"},
		{"zh", "已验证空文件可以导入。", "验证"},
		{"es", "Verifiqué que se importan los archivos vacíos.", "Verifiqué"},
		{"de", "Ich habe verifiziert, dass leere Dateien gehen.", "verifiziert"},
		{"fr", "J'ai vérifié que les fichiers vides passent.", "vérifié"},
		{"ja", "空のファイルの取り込みを検証しました。", "検証"},
	}
)

// texts gives all that a draft says.
func texts(d Draft) string { return d.Recap + "\n" + d.Away + "\n" + d.Digest }

func draftOf(answer string, tools ...recap.Tool) Draft {
	return Free(Input{End: "complete", Turns: []recap.Turn{{
		UserID: "u1", Text: "§§", Authored: "§§", AnswerID: "a1", Answer: answer, Complete: true, Tools: tools,
	}}})
}

// mutant is a session without the proof.
type mutant struct {
	name  string
	tools []recap.Tool
}

// TestH3_ClaimsNeedProof flips statuses, removes calls and leaves approvals
// open: the claim disappears. With the proof in place it may be quoted, so
// that the test can fail both ways.
func TestH3_ClaimsNeedProof(t *testing.T) {
	waiting := func(cmd string) recap.Tool {
		return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolWaiting, Command: cmd}
	}
	rejected := func(cmd string) recap.Tool {
		return recap.Tool{Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolRejected, Command: cmd}
	}
	e := edit("parser.go")
	good := bash("go test ./...", new(0), "ok  \texample.com/a\t0.1s\n")
	bad := bash("go test ./...", new(1), "FAIL\n")
	commit := bash("git commit -m x", new(0), "[main 1a2b3c4] x\n")
	push := bash("git push", new(0), "  main -> main")
	deploy := bash("kubectl apply -f k8s/", new(0), "")
	groups := []struct {
		name    string
		lies    []lie
		proof   []recap.Tool
		mutants []mutant
	}{
		{"tests", testLies, []recap.Tool{e, good}, []mutant{
			{"exit status flipped", []recap.Tool{e, bad}},
			{"never run", []recap.Tool{e}},
			{"edited after", []recap.Tool{good, e}},
			{"failed after", []recap.Tool{e, good, bad}},
			{"rejected", []recap.Tool{e, rejected("go test ./...")}},
			{"waits for approval", []recap.Tool{e, waiting("go test ./...")}},
			{"status hidden", []recap.Tool{e, bash("go test ./... | tail -1", new(0), "done")}},
			{"only a subagent", []recap.Tool{e, {Kind: recap.ToolSubagent, Status: recap.ToolDone, Output: "ok"}}},
		}},
		{"commit", commitLies, []recap.Tool{e, commit}, []mutant{
			{"removed", []recap.Tool{e}},
			{"failed", []recap.Tool{e, bash("git commit -m x", new(1), "pre-commit hook failed")}},
			{"nothing to commit", []recap.Tool{e, bash("git commit -m x", new(1), "nothing to commit, working tree clean")}},
			{"waits for approval", []recap.Tool{e, waiting("git commit -m x")}},
			{"rejected", []recap.Tool{e, rejected("git commit -m x")}},
		}},
		{"push", pushLies, []recap.Tool{e, commit, push}, []mutant{
			{"removed", []recap.Tool{e, commit}},
			{"rejected by the remote", []recap.Tool{e, commit, bash("git push", new(1), " ! [rejected] main -> main")}},
			{"waits for approval", []recap.Tool{e, commit, waiting("git push")}},
			{"committed after", []recap.Tool{e, push, commit}},
		}},
		{"deploy", deployLies, []recap.Tool{e, deploy}, []mutant{
			{"removed", []recap.Tool{e}},
			{"failed", []recap.Tool{e, bash("kubectl apply -f k8s/", new(1), "error")}},
			{"waits for approval", []recap.Tool{e, waiting("kubectl apply -f k8s/")}},
			{"dry run", []recap.Tool{e, bash("kubectl apply -f k8s/ --dry-run=client", new(0), "")}},
		}},
		{"verified", verifiedLies, []recap.Tool{e, good}, []mutant{
			{"never run", []recap.Tool{e}},
			{"failed", []recap.Tool{e, bad}},
			{"an approval is pending", []recap.Tool{e, good, waiting("rm -rf build")}},
			{"edited after", []recap.Tool{good, e}},
		}},
	}
	cases := 0
	langs := map[string]bool{}
	for _, g := range groups {
		for _, l := range g.lies {
			langs[l.lang] = true
			if d := draftOf(l.answer, g.proof...); !strings.Contains(texts(d), l.word) {
				t.Errorf("%s/%s: %q is proven and not quoted: %q", g.name, l.lang, l.answer, d.Away)
			}
			for _, m := range g.mutants {
				cases++
				for _, answer := range []string{l.answer, "Rewrote the lexer. " + l.answer, l.answer + " " + l.answer} {
					d := draftOf(answer, m.tools...)
					// The command that waits is named as what comes next.
					said := strings.ReplaceAll(texts(d), "git commit -m x", "")
					if strings.Contains(said, l.word) {
						t.Errorf("%s/%s/%s: %q is in %q", g.name, m.name, l.lang, answer, d.Away)
					}
				}
				f := Collect(turnOf(m.tools...))
				if kept, _, _ := guard(l.answer, f, turnOf(m.tools...)); strings.Contains(kept, l.word) {
					t.Errorf("%s/%s/%s: the guard keeps %q", g.name, m.name, l.lang, kept)
				}
			}
		}
	}
	if cases < 60 || len(langs) < 7 {
		t.Errorf("%d cases in %d languages", cases, len(langs))
	}
	t.Logf("%d mutations in %d languages, each in three texts and through the guard", cases, len(langs))
}

// TestH3_DenialsSurvive: what the agent says it did not do is kept.
func TestH3_DenialsSurvive(t *testing.T) {
	for _, s := range []string{
		"The tests were not run.", "Nothing has been committed.", "I did not push.", "I could not deploy it.",
		"Тесты я не запускал.", "Ничего не закоммичено.", "测试尚未运行。", "代码未提交。", "No he ejecutado las pruebas.", "No hice commit.",
		"Die Tests wurden nicht ausgeführt.", "Nichts ist committet.", "Je n'ai pas lancé les tests.", "Rien n'est commité.", "テストは実行していません。", "まだコミットしていません。",
	} {
		f := Collect(turnOf(edit("a.go")))
		if kept, dropped, _ := guard(s, f, turnOf()); kept != s {
			t.Errorf("%q became %q, dropped %q", s, kept, dropped)
		}
		if d := draftOf(s, edit("a.go")); !strings.Contains(d.Away, strings.TrimRight(s, ".。")) {
			t.Errorf("%q is not in %q", s, d.Away)
		}
	}
}

// TestE54_VerifiedWhileAnApprovalIsPending shows the claim nowhere, and the
// state in the status.
func TestE54_VerifiedWhileAnApprovalIsPending(t *testing.T) {
	turns := []recap.Turn{{
		UserID: "u1", Text: "Ship the fix", Authored: "Ship the fix", AnswerID: "a1", Answer: "Fixed and verified. Shipping it now.",
		Tools: []recap.Tool{edit("a.go"), {Name: "Bash", Kind: recap.ToolCommand, Status: recap.ToolWaiting, Command: "./deploy.sh"}},
	}}
	d := Free(Input{Turns: turns, End: "waiting"})
	if strings.Contains(texts(d), "verified") {
		t.Errorf("%+v", d)
	}
	if len(d.Status) == 0 || d.Status[0] != recap.StatusWaitingApproval || d.WaitingFor != "approval: Bash ./deploy.sh" {
		t.Errorf("status %v, waiting for %q", d.Status, d.WaitingFor)
	}
}

// TestH3_ClaimInsideAQuestion: the question is asked, the claim in it is not
// made.
func TestH3_ClaimInsideAQuestion(t *testing.T) {
	for _, q := range []string{"All tests pass, shall I push the branch now?", "Все тесты проходят, запушить ветку в репозиторий?", "测试全部通过，需要我现在推送这个分支吗？"} {
		d := draftOf("Rewrote the lexer.\n\n"+q, edit("a.go"))
		said := []string{texts(d), d.WaitingFor}
		for _, r := range d.Receipts {
			said = append(said, r.Claim, r.Detail)
		}
		all := strings.Join(said, "")
		for _, w := range []string{"pass", "проходят", "通过"} {
			if strings.Contains(strings.ReplaceAll(all, "tests-passed", ""), w) {
				t.Errorf("%q is in %q", w, all)
			}
		}
		if d.Status[0] != recap.StatusWaitingAnswer {
			t.Errorf("status %v", d.Status)
		}
	}
}

// TestH4_NamesNeedEvidence drops what names a file, a number, a hash or a
// quotation that the session does not hold.
func TestH4_NamesNeedEvidence(t *testing.T) {
	turns := []recap.Turn{{
		UserID: "u1", Text: "speed up import_rows in importer.go", AnswerID: "a1", Answer: "It reads 500 rows at once, which took 40 s down to 6 s. See https://example.com/x and commit 1a2b3c4.",
		Tools: []recap.Tool{edit("internal/importer.go")},
	}}
	f := Collect(turns)
	for _, tt := range []struct{ text, want string }{
		{"The importer reads 500 rows at once.", "The importer reads 500 rows at once."},
		{"The importer reads 5000 rows at once.", ""},
		{"The importer reads 50 rows at once.", ""},
		{"Changed exporter.go.", ""},
		{"Changed importer.go.", "Changed importer.go."},
		{"Changed internal/importer.go and internal/exporter.go.", "Changed internal/importer.go."},
		{"See commit 1a2b3c4.", "See commit 1a2b3c4."},
		{"See commit 1a2b3c5.", ""},
		{"See https://example.com/y.", ""},
		{`It is called "import_rows".`, `It is called "import_rows".`},
		{`It is called "export rows".`, ""},
		{"parseRows is faster.", ""},
	} {
		got, _, _ := guard(tt.text, f, turns)
		if tt.want == "" && got != "" && !strings.HasPrefix(tt.text, strings.TrimSuffix(got, ".")) || tt.want != "" && got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
		if tt.want == "" && got != "" {
			t.Logf("%q keeps %q", tt.text, got)
		}
	}
}

// guard checks a text against facts and turns.
func guard(text string, f Facts, turns []recap.Turn) (kept string, dropped []Drop, receipts []recap.Receipt) {
	return newChecker(&f, &Input{Turns: turns}).check(recap.FieldRecap, text)
}
