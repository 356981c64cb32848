package evidence

import "testing"

func TestLevel(t *testing.T) {
	const n = true
	for _, tt := range []struct {
		s   string
		r   Rung
		neg bool
	}{
		{"All tests pass.", RungPassed, false},
		{"42/42 passed", RungPassed, false},
		{"The tests do not pass yet.", RungPassed, n},
		{"No tests fail any more", RungPassed, false},
		{"Two tests still fail.", RungFailed, false},
		{"I haven't run the tests.", RungRan, n},
		{"The tests were skipped.", RungRan, n},
		{"I ran the linter", RungRan, false},
		{"I committed the change", RungCommitted, false},
		{"Nothing was committed.", RungCommitted, n},
		{"I did not commit or push.", RungPushed, n},
		{"Committed and pushed to main.", RungPushed, false},
		{"It is deployed to production", RungDeployed, false},
		{"If the tests pass I will merge.", RungNone, false},
		{"I fixed the parser", RungEdited, false},
		{"Please pass the flag to the command", RungNone, false},
		{"The function passes the context on", RungNone, false},
		{"Все тесты проходят", RungPassed, false},
		{"Тесты не запускались", RungRan, n},
		{"Тесты я не запускал", RungRan, n},
		{"Изменения закоммичены и запушены", RungPushed, false},
		{"Я не коммитил изменения", RungCommitted, n},
		{"测试全部通过", RungPassed, false},
		{"测试未运行", RungRan, n},
		{"已提交并推送", RungPushed, false},
		{"尚未提交", RungCommitted, n},
		{"请提交代码", RungNone, false},
		{"没有测试失败", RungPassed, false},
		{"已部署到生产环境", RungDeployed, false},
		{"Todas las pruebas pasan", RungPassed, false},
		{"No ejecuté las pruebas", RungRan, n},
		{"Los cambios no se han subido", RungPushed, n},
		{"He hecho commit de los cambios", RungCommitted, false},
		{"Alle Tests bestehen", RungPassed, false},
		{"Die Tests wurden nicht ausgeführt", RungRan, n},
		{"Die Änderungen sind committet und gepusht", RungPushed, false},
		{"Zwei Tests schlagen fehl", RungFailed, false},
		{"Tous les tests passent", RungPassed, false},
		{"Je n'ai pas lancé les tests", RungRan, n},
		{"Les changements ont été commités", RungCommitted, false},
		{"Déployé en production", RungDeployed, false},
		{"すべてのテストが通りました", RungPassed, false},
		{"テストは実行していません", RungRan, n},
		{"コミットしてプッシュしました", RungPushed, false},
		{"まだコミットしていません", RungCommitted, n},
		{"デプロイしました", RungDeployed, false},
		{"모든 테스트가 통과했습니다", RungPassed, false},
		{"커밋하고 푸시했습니다", RungPushed, false},
		{"Corrigi o teste e fiz o commit", RungCommitted, false},
		{"", RungNone, false},
		{"The sky is blue.", RungNone, false},
	} {
		r, neg, known := Level(tt.s)
		if r != tt.r || neg != tt.neg || known != (tt.r != RungNone) {
			t.Errorf("%q: %d negated=%v known=%v, want %d %v", tt.s, r, neg, known, tt.r, tt.neg)
		}
	}
}

func TestClosing(t *testing.T) {
	var sp scratchpad
	for _, s := range []string{
		"yes", "Yes please commit that, thanks!", "go on", "continue", "Continue.", "commit this", "push", "commit and push to main", "ok", "OK 👍", "👍", "lgtm", "LGTM, ship it", "1", "b", "option 2", "sounds good, go ahead", "do it", "thanks, great",
		"да", "Да, продолжай", "закоммить, пожалуйста", "спасибо!", "ок, запушь в мастер", "так, продовжуй", "дякую",
		"好的", "继续", "提交", "好的，请提交代码，谢谢", "是的，继续吧", "谢谢！", "はい", "続けて", "コミットして", "はい、お願いします", "ありがとうございます！", "네", "계속", "네, 커밋해주세요", "감사합니다",
		"sí", "Sí, sigue por favor", "haz commit", "gracias", "sim, pode continuar", "obrigado", "sì, va bene", "grazie mille", "ja", "weiter", "Ja, bitte committe das", "danke", "oui", "continue, merci", "oui, vas-y", "tak, dzięki", "evet, devam et", "teşekkürler", "vâng, tiếp tục", "ya, lanjutkan", "نعم", "شكرا جزيلا", "כן, תודה", "हाँ, जारी रखो", "ja graag", "ναι, συνέχισε",
		"", "...",
	} {
		if !isClosing(s, &sp) {
			t.Errorf("%q should be closing", s)
		}
	}
	for _, s := range []string{
		"yes, but use zod instead", "run the tests again", "fix the test", "commit message should be in English", "continue with the invoices", "no, revert the last change", "why?", "rename it to Foo",
		"да, но используй zod", "исправь тест", "запусти тесты", "继续修复测试", "添加日志", "テストを直して", "はい、次はログを追加して", "테스트를 수정해줘", "sí, pero arregla la prueba", "ja, aber behebe den Test", "oui, mais corrige le test",
	} {
		if isClosing(s, &sp) {
			t.Errorf("%q should not be closing", s)
		}
	}
}

// TestLexiconIsLowerCase keeps the data findable.
func TestLexiconIsLowerCase(t *testing.T) {
	for _, e := range lexicon {
		if lower(e.phrases) != e.phrases {
			t.Errorf("upper case in %.60q", e.phrases)
		}
	}
	if lower(closingWords) != closingWords {
		t.Error("upper case in the closing words")
	}
}
