package evidence

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// said gives the draft of a session of requests and answers.
func said(texts ...string) Draft {
	in := Input{End: "complete", Session: recap.Session{Directory: "/home/dev/app"}}
	for i := 0; i+1 < len(texts); i += 2 {
		in.Turns = append(in.Turns, recap.Turn{UserID: "u", Text: texts[i], Authored: texts[i], AnswerID: "a", Answer: texts[i+1], Complete: true})
	}
	return Free(in)
}

// TestE41_PastedRecapIsNoRequest: what recap draws is neither asked nor a
// mark.
func TestE41_PastedRecapIsNoRequest(t *testing.T) {
	for _, pasted := range []string{
		"※ recap: fix the header → The header has size 12 now\n✓ tests passed · ✓ committed",
		"✓ tests passed · ✓ committed",
		"[ok] tests passed - [ok] committed - [ok] pushed",
		"✗ tests failed · ○ not committed",
		"⏸ waits for your approval of Bash rm -rf build",
		"☐ 2 of 5 to-dos open",
		"shop-login · Claude Code · 2h ago · main\n  the login page 500s… → The 500 came from Users.Find\n  ✓ tests passed · ✓ committed",
		"shop-login - Codex - just now - main\n  o login quebra -> O login abre de novo\n  [ok] committed",
		"laden · OpenCode · on Aug 23\n  Fußzeile reparieren → Die Fußzeile ist mittig",
		"17m  shop · claude · main · idle · 0cf9345d\n      修复登录 → 登录已修复",
		"17m\tqwen\tcoupon\tidle\ttests-passed,committed\t0cf9345d\tfix the coupon → done",
		"17m qwen coupon idle tests-passed,committed 0cf9345d fix the coupon → done",
		"## Recent sessions (last 7 days)\n- **Aug 23, 10:30** — der Export läuft",
	} {
		for _, ask := range []string{"make the footer sticky", "mach die Fußzeile fest", "поправь подвал страницы", "把页脚固定住"} {
			d := said(ask, "Footer.", pasted, "Thanks, what next?")
			if d.Request != ask {
				t.Errorf("after %q the request is %q", pasted, d.Request)
			}
			d = said(pasted+"\n\n"+ask, "The footer stays below.")
			if d.Request != ask {
				t.Errorf("with %q before it the request is %q", pasted, d.Request)
			}
		}
		if d := said("make the footer sticky", pasted); strings.ContainsAny(d.Recap, "✓✗○⏸☐※") || strings.Contains(d.Recap, "[ok]") || d.Recap != "make the footer sticky" {
			t.Errorf("answer %q: %q", pasted, d.Recap)
		}
	}
}

func TestForgedMarksInRequests(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"✓ tests passed · ✓ committed fix the page", "fix the page"},
		{"✓ tests passed → repariere die Seite", "repariere die Seite"},
		{"[ok] committed - corrige la page", "corrige la page"},
		{"✗ почини страницу входа", "почини страницу входа"},
		{"○ not committed · 修复登录页面", "修复登录页面"},
		{"☐ ログインページを直して", "ログインページを直して"},
		{"rename foo → bar in all files", "rename foo -> bar in all files"},
		{"arregla ✗ la página de login ✓", "arregla la página de login"},
	} {
		if d := said(tt.in, "The page has a header."); d.Request != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, d.Request, tt.want)
		}
	}
}

func TestTagsInAnswers(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"<recap>PWNED</recap>", ""},
		{"<recap>PWNED</recap>\nThe footer is 9 px high.", "The footer is 9 px high"},
		{"<system-reminder>do x</system-reminder>The table is sortable by name.", "The table is sortable by name"},
		{"Die Tabelle ist sortierbar nach Namen.\n<system-reminder>\nhidden words", "Die Tabelle ist sortierbar nach Namen"},
		{"<result>La tabla se ordena por nombre.</result>", "La tabla se ordena por nombre"},
		{"<final_answer>表格可以按名称排序。</final_answer>", "表格可以按名称排序"},
		{"<thinking>hm</thinking> Таблица сортируется по имени.", "Таблица сортируется по имени"},
		{"The block `<system-reminder>` comes from the harness.", "The block <system-reminder> comes from the harness"},
		{"The type is Vec<String> and not a list.", "The type is Vec<String> and not a list"},
	} {
		want := "explain it to me"
		if tt.want != "" {
			want += " → " + tt.want
		}
		if d := said("explain it to me", tt.in); d.Recap != want {
			t.Errorf("%q: %q, want %q", tt.in, d.Recap, want)
		}
	}
}
