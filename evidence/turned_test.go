package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// vetTest is a text on a session, and whether all of it may be shown.
type vetTest struct {
	name  string
	s     story
	text  string
	shows bool
}

func vetAll(t *testing.T, tests []vetTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped, _ := NewGuard(tt.s.input(t)).Vet(recap.FieldRecap, tt.text)
			if (kept == tt.text) != tt.shows {
				t.Errorf("kept %q, dropped %q", kept, dropped)
			}
		})
	}
}

// TestH3_ACauseIsOfTheSession: a cause in words that the session does not hold
// is not told.
func TestH3_ACauseIsOfTheSession(t *testing.T) {
	fr := story{Ask: "ajoute la pagination à la liste des factures", Answer: "La pagination de la liste des factures est en place. Deux tests échouent encore, car ils attendent la liste complète.", Tools: []string{"edit src/Invoices.php", "run vendor/bin/phpunit => 1 Tests: 64, Failures: 2"}}
	zh := story{Ask: "给短信模块升级 SDK", Answer: "SDK 已经升级，发送接口也改好了。有 5 个测试失败：新版的回调签名算法变了。", Tools: []string{"edit sms/sender.py", "run pytest => 1 5 failed, 71 passed"}}
	vetAll(t, []vetTest{
		{"French", fr, "La pagination de la liste des factures est en place ; deux tests échouent à cause d'un encodage mal configuré.", false},
		{"French, true", fr, "La pagination de la liste des factures est en place ; deux tests échouent car ils attendent la liste complète.", true},
		{"Chinese", zh, "短信 SDK 已经升级，有 5 个测试失败，原因是网络连接超时设置太短。", false},
		{"Chinese, true", zh, "短信 SDK 已经升级，有 5 个测试失败，原因是回调签名算法变了。", true},
	})
}

// TestH3_ThePersonDidNotChoose: a choice is the person's only where a message
// of theirs holds it.
func TestH3_ThePersonDidNotChoose(t *testing.T) {
	en := story{Ask: "How would you get rid of the slow queries?", Answer: "I see two ways: eager-load the customers, which is small, or build a read model table, which is more work. Which one should I do?", Tools: []string{"read app/orders.php"}}
	asked := story{Ask: "Use the read model table, not eager loading. What would the read model cost?", Answer: "The read model table would take two days. Should I start?", Tools: []string{"read app/orders.php"}}
	de := story{Ask: "Wie werden wir die langsamen Abfragen los?", Answer: "Es gibt zwei Wege: die Kunden gleich mitladen, oder eine Lesetabelle aufbauen. Welchen Weg soll ich gehen?", Tools: []string{"read app/orders.php"}}
	ja := story{Ask: "権限設計はどうするのがいいと思う？", Answer: "案は二つです。役割を三つに固定する方法と、権限を個別に割り当てる方法です。どちらで進めますか。", Tools: []string{"read docs/admin.md"}}
	vetAll(t, []vetTest{
		{"English", en, "Two ways to get rid of the slow queries were laid out, and the user chose the read model table.", false},
		{"English, open", en, "Two ways to get rid of the slow queries were laid out: eager-loading the customers, or a read model table.", true},
		{"English, asked", asked, "The person chose the read model table, which would take two days.", true},
		{"German", de, "Für die langsamen Abfragen gibt es zwei Wege, und der Nutzer hat sich für die Lesetabelle entschieden.", false},
		{"Japanese", ja, "権限設計の案は二つあり、ユーザーは権限を個別に割り当てる方法を選びました。", false},
	})
}

// TestH3_StagingIsNotProduction: what runs on staging is not told to run in
// production.
func TestH3_StagingIsNotProduction(t *testing.T) {
	en := story{Ask: "get 2.4.0 ready for prod", Answer: "The 2.4.0 image is built, and staging runs it with healthy checks. Production still runs 2.3.7. Say the word and I'll roll it out there.", Tools: []string{"edit VERSION", "run kubectl --context staging set image deploy/api api=registry.acme.io/api:2.4.0 => 0 deployment.apps/api image updated", "run kubectl --context staging rollout status deploy/api => 0 successfully rolled out"}}
	es := story{Ask: "prepara la versión 2.4.0", Answer: "La imagen 2.4.0 ya corre en staging con los controles en verde. Producción sigue con la versión 2.3.7.", Tools: []string{"edit VERSION", "run kubectl --context staging set image deploy/api api=registry.acme.io/api:2.4.0 => 0 deployment.apps/api image updated"}}
	ja := story{Ask: "夜間バッチが遅い理由を調べて", Answer: "created_at の索引の削除が原因です。索引を戻す移行ファイルは書きましたが、本番への適用は承認をいただいてからにします。", Tools: []string{"edit migrations/0087_restore_idx.sql"}}
	vetAll(t, []vetTest{
		{"English", en, "Version 2.4.0 is live in production after a healthy run on staging.", false},
		{"English, true", en, "Staging runs the 2.4.0 image with healthy checks; production still runs 2.3.7.", true},
		{"Japanese", ja, "本番に created_at の索引を戻しました。", false},
		{"Spanish", es, "La versión 2.4.0 ya está desplegada en producción.", false},
	})
}

// TestH3_ANoStaysANo: what the person asked, and the answer denies in a word, is
// not told as so.
func TestH3_ANoStaysANo(t *testing.T) {
	en := story{Ask: "Is it safe to delete the legacy_tokens table?", Answer: "Not yet. The code no longer writes to it, but the mobile endpoint still reads it as a fallback. Once the old login is retired you can drop it.", Tools: []string{"run rg -n legacy_tokens => 0 api/v1/login.py:88"}}
	de := story{Ask: "Läuft der Export auch mit mehr als 1000 Zeilen?", Answer: "Nein. Ab 1000 Zeilen bricht der Export mit einem Zeitlimit ab.", Tools: []string{"read src/export.py"}}
	ru := story{Ask: "Можно ли уже удалить таблицу старых токенов?", Answer: "Пока нет. Мобильный вход всё ещё читает её.", Tools: []string{"read api/login.py"}}
	vetAll(t, []vetTest{
		{"English", en, "The legacy_tokens table is safe to delete.", false},
		{"English, goes on", en, "The legacy_tokens table should stay, because the mobile endpoint reads it as a fallback and keeps writing to it.", false},
		{"English, true", en, "The legacy_tokens table is not safe to delete yet: the mobile endpoint still reads it as a fallback.", true},
		{"German", de, "Der Export läuft auch mit mehr als 1000 Zeilen.", false},
		{"German, true", de, "Der Export bricht ab 1000 Zeilen mit einem Zeitlimit ab.", true},
		{"Russian", ru, "Таблицу старых токенов уже удаляют.", false},
	})
}

// TestH3_TheContraryOfAWord: a text that has the words of an answer, and the
// contrary of one, contradicts it.
func TestH3_TheContraryOfAWord(t *testing.T) {
	pt := story{Ask: "quanto gastei com mercado este ano?", Answer: "Foram R$ 9.842,30 em mercado de janeiro a novembro. O mês mais caro foi agosto, com R$ 1.310,00.", Tools: []string{"run python soma.py gastos.csv => 0 total 9842.30"}}
	en := story{Ask: "is the new parser worth it?", Answer: "The new parser is slower, but its memory peak is lower. The flag PARSER=v2 is off by default.", Tools: []string{"run python bench.py => 0 ok"}}
	ja := story{Ask: "夜間バッチが遅い理由を調べて", Answer: "11 月 22 日に created_at の索引が削除されたのが原因で、夜間の集計が遅くなっています。", Tools: []string{"read batch/aggregate.sql"}}
	sum := story{Ask: "what's going on with the total of Q3?", Answer: "The Q3 total is too low because SUM skips the rows that hold text instead of numbers.", Tools: []string{"read sales.csv"}}
	cron := story{Ask: "migrate the cron scripts to the new scheduler", Answer: "backup and report now run as scheduler jobs. The old crontab entries are removed.", Tools: []string{"edit jobs/backup.yaml", "edit crontab.txt"}}
	vetAll(t, []vetTest{
		{"Portuguese", pt, "Foram R$ 9.842,30 em mercado este ano, e agosto foi o mês mais barato.", false},
		{"Portuguese, true", pt, "Foram R$ 9.842,30 em mercado este ano, e agosto foi o mês mais caro.", true},
		{"English", en, "The new parser is slower, and PARSER=v2 is now the default.", false},
		{"English, true", en, "The new parser is slower, and PARSER=v2 is off by default.", true},
		{"Japanese", ja, "11 月 22 日に created_at の索引が追加されたのが原因で、夜間の集計が遅くなっています。", false},
		{"beside an instead", sum, "The Q3 total is too high because SUM skips the rows that hold text instead of numbers.", false},
		{"beside an instead, true", sum, "The Q3 total is too low because SUM skips the rows that hold text instead of numbers.", true},
		{"kept", cron, "backup and report now run as scheduler jobs, and the old crontab entries were kept.", false},
		{"kept, true", cron, "backup and report now run as scheduler jobs, and the old crontab entries were removed.", true},
	})
}
