package reply

import (
	"testing"

	recap "github.com/sessionrecap/recap"
)

// What a model says to the one that asked it is no part of a text.
func TestTalkAboutTheTask(t *testing.T) {
	const said = "The 500 came from Users.Find, which now compares addresses directly."
	for _, c := range []struct{ text, want string }{
		{said, said},
		{"Here is the recap: " + said, said},
		{"Here's a short summary: \"" + said + "\"", said},
		{"Okay, here is your one-line recap: the 500 came from Users.Find.", "The 500 came from Users.Find."},
		{"Recap in 20 words: " + said, said},
		{"Final recap: " + said, said},
		{"Okay, " + said, said},
		{"Sure! " + said, said},
		{said + " Let me know if you need more.", said},
		{said + " I hope this helps!", said},
		{"Hier ist die Zusammenfassung: Users.Find vergleicht jetzt direkt.", "Users.Find vergleicht jetzt direkt."},
		{"Voici le résumé : Users.Find compare les adresses.", "Users.Find compare les adresses."},
		{"Aquí está el resumen: Users.Find compara las direcciones.", "Users.Find compara las direcciones."},
		{"Вот краткое резюме: Users.Find теперь сравнивает адреса.", "Users.Find теперь сравнивает адреса."},
		{"以下是总结：Users.Find 现在直接比较地址。", "Users.Find 现在直接比较地址。"},
		{"要約：Users.Find は直接比較します。", "Users.Find は直接比較します。"},
		{"The evidence shows the 500 came from Users.Find.", ""},
		{"Based on the evidence, the 500 came from Users.Find.", ""},
		{"The marks say tests-passed, committed; the 500 came from Users.Find.", ""},
		{"The transcript indicates that Users.Find was too strict.", ""},
		{"analysis The 500 is in Users.Find final The 500 came from Users.Find.", ""},
		{"The 500 came from Users.Find… wait, the handler used a nil user.", ""},
		{"The task is to write a recap of the session.", ""},
		{"Your session for the login page has expired, please log in again.", ""},
		// These are the session's.
		{"The prompt is cut because the context length of the bot was exceeded.", "The prompt is cut because the context length of the bot was exceeded."},
		{"The task is done by a worker now, no longer by the request.", "The task is done by a worker now, no longer by the request."},
		{"The summary page now loads in one query: the joins are gone.", "The summary page now loads in one query: the joins are gone."},
		{"The recap command prints one line: the title.", "The recap command prints one line: the title."},
		{"Well-known ports are refused now.", "Well-known ports are refused now."},
		{"The transcript parser keeps tabs now.", "The transcript parser keeps tabs now."},
		{"The evidence folder was renamed to receipts.", "The evidence folder was renamed to receipts."},
		{"Claro.js was replaced by dayjs.", "Claro.js was replaced by dayjs."},
		{"The analysis of the final report is in notes.md.", "The analysis of the final report is in notes.md."},
		{"Summary tables are built at night: three of them.", "Summary tables are built at night: three of them."},
		{"The form lets people know when a field is empty.", "The form lets people know when a field is empty."},
	} {
		v := value{text: c.text, isString: true}
		if got, why, _ := v.clean(recap.FieldRecap); got != c.want {
			t.Errorf("%q: %q (%s), want %q", c.text, got, why, c.want)
		}
	}
}
