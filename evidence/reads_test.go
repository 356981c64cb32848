package evidence

import "testing"

// TestResultsReadWhole: what is left of a sentence reads as one, or shows that
// it goes on.
func TestResultsReadWhole(t *testing.T) {
	for _, tt := range []struct{ ask, answer, want string }{
		{"fix footer", "The footer is at 9 px (tests: ✓)", "The footer is at 9 px"},
		{"fix footer", "The footer is at 9 px (all tests pass) and stays there.", "The footer is at 9 px"},
		{"Fußzeile fix", "Die Fußzeile ist 9 px hoch [Tests: ✅].", "Die Fußzeile ist 9 px hoch"},
		{"corrige le pied", "Le pied fait 9 px (tous les tests passent).", "Le pied fait 9 px"},
		{"修一下页脚", "页脚现在是九个像素高（测试全部通过）。", "页脚现在是九个像素高"},
		{"поправь подвал", "Подвал теперь 9 пикселей (тесты проходят).", "Подвал теперь 9 пикселей"},
		{"パーサーを直して", "パーサーを修正し、全テストが成功しました。", "パーサーを修正し…"},
		{"ログインを直して", "ログインを直し、手元で確認したところ問題ありませんでした。", "ログインを直し…"},
		{"インポートを速くして", "インポートが速くなり、テストは全部グリーンです。", "インポートが速くなり…"},
		{"clean rows", "It now keeps empty cells, and `go test ./...` passes.", "It now keeps empty cells"},
		{"clean rows", "It now keeps empty cells, and go test ./... passes.", "It now keeps empty cells"},
		{"Zeilen säubern", "Leere Zellen bleiben jetzt erhalten, und `go test ./...` läuft durch.", "Leere Zellen bleiben jetzt erhalten"},
		{"limpia las filas", "Ahora conserva las celdas vacías, y `go test ./...` pasa.", "Ahora conserva las celdas vacías"},
		{"which commit broke it", "3ef88b6c1d2e", "3ef88b6c1d2e"},
		{"which commit broke it", "The commit that broke the list in the shop is 3ef88b6c1d2e.", "The commit that broke the list in the shop is 3ef88b6c1d2e"},
		{"welcher Commit war es?", "Der Commit 3ef88b6c.", "Der Commit 3ef88b6c"},
		{"quel commit l'a cassé ?", "C'est le commit 3ef88b6c1d2e.", "C'est le commit 3ef88b6c1d2e"},
		{"qué commit lo rompió", "El commit 3ef88b6c1d2e.", "El commit 3ef88b6c1d2e"},
		{"哪个提交弄坏的", "是提交 3ef88b6c1d2e。", "是提交 3ef88b6c1d2e"},
		{"どのコミットが原因？", "コミット 3ef88b6c1d2e です。", "コミット 3ef88b6c1d2e です"},
		{"какой коммит сломал", "Это коммит 3ef88b6c1d2e.", "Это коммит 3ef88b6c1d2e"},
		{"🚀", "The footer is centred.", "The footer is centred"},
		{"👍👍", "Die Fußzeile ist mittig.", "Die Fußzeile ist mittig"},
	} {
		d := said(tt.ask, tt.answer)
		if want := tt.ask + " → " + tt.want; d.Recap != want {
			t.Errorf("%q: %q, want %q", tt.answer, d.Recap, want)
		}
	}
}
