package evidence

import (
	"testing"

	"github.com/sessionrecap/recap"
)

// TestH3_ANumberKeepsItsUnit: a number that the session has with one unit is not
// told with another.
func TestH3_ANumberKeepsItsUnit(t *testing.T) {
	queue := story{Ask: "Why do long tasks block the queue?", Answer: "A long task keeps its transaction open for up to 15 minutes. Retries come after 120 seconds. Two workers share the queue; a fix takes half a day.", Tools: []string{"read queue/worker.go"}}
	for _, tt := range []struct {
		name  string
		s     story
		text  string
		shows bool
	}{
		{"another", queue, "Long tasks in the queue keep their transaction open for 15 seconds.", false},
		{"the same", queue, "Long tasks in the queue keep their transaction open for 15 minutes.", true},
		{"in words", queue, "Long tasks in the queue keep their transaction open for fifteen minutes.", true},
		{"short", queue, "Long tasks in the queue keep their transaction open for 15 min.", true},
		{"glued", queue, "Long tasks in the queue keep their transaction open for 15s.", false},
		{"converted", queue, "The retries of long tasks in the queue come after 2 minutes.", true},
		{"of another thing", queue, "Long tasks block the queue; a fix takes two days.", false},
		{
			"Russian",
			story{Ask: "Как работает блокировка в очереди?", Answer: "Долгая задача держит транзакцию открытой до 15 минут. Код я не менял.", Tools: []string{"read queue/worker.go"}},
			"Долгая задача в очереди держит транзакцию открытой до 15 секунд.", false,
		},
		{
			"German",
			story{Ask: "Warum ist der Build so langsam?", Answer: "Der Schritt install dauert jetzt 4 Minuten statt 40 Sekunden.", Tools: []string{"read ci.yml"}},
			"Der Schritt install im Build dauert 40 Minuten.", false,
		},
		{
			"Chinese",
			story{Ask: "帮我看看合同里的押金条款", Answer: "第 6 条规定提前退租要扣两个月押金，第 9 条允许房东随时进屋。", Tools: []string{"read 合同.txt"}},
			"合同第 6 条规定提前退租要扣一个月押金。", false,
		},
		{
			"Chinese, in digits",
			story{Ask: "帮我看看合同里的押金条款", Answer: "第 6 条规定提前退租要扣两个月押金，第 9 条允许房东随时进屋。", Tools: []string{"read 合同.txt"}},
			"合同第 6 条规定提前退租要扣 2 个月押金。", true,
		},
		{
			"Japanese",
			story{Ask: "権限設計の見積もりを出して", Answer: "役割を固定する実装は二日ほどかかります。", Tools: []string{"read docs/admin.md"}},
			"役割を固定する権限設計の実装は二週間ほどかかります。", false,
		},
		{
			"French",
			story{Ask: "Pourquoi le serveur répond-il si tard ?", Answer: "Le serveur SMTP met parfois 45 secondes à répondre.", Tools: []string{"read config/queue.php"}},
			"Le serveur SMTP met parfois 45 minutes à répondre.", false,
		},
		{
			"sizes",
			story{Ask: "Sube el límite", Answer: "El límite de subida es ahora de 20 MB en upload.yml.", Tools: []string{"edit config/upload.yml"}},
			"El límite de subida es ahora de 20 GB en upload.yml.", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kept, dropped, _ := NewGuard(tt.s.input(t)).Vet(recap.FieldRecap, tt.text)
			if (kept == tt.text) != tt.shows {
				t.Errorf("kept %q, dropped %q", kept, dropped)
			}
		})
	}
}
