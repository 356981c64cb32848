package evidence

import "testing"

func TestGreetingsAreNotCutOutOfASentence(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"hello() returns nil instead of a greeting, fix it", ""},
		{`"hello" should print with quotes in the log`, ""},
		{"hello world prints twice", ""},
		{"please.go does not compile", ""},
		{"hi-res images are blurry", ""},
		{"good docs are missing for the flag", ""},
		{"next page is broken on mobile", ""},
		{"just the first row is wrong", ""},
		{"thanks page shows a 404", ""},
		{"ok-button does nothing on the form", ""},
		{"hallo() gibt nichts zurück", ""},
		{"Danke-Seite zeigt einen Fehler 404", ""},
		{"Kannst du bitte die Login-Seite reparieren?", ""},
		{"Könnten Sie die Fußzeile anpassen?", ""},
		{"¿puedes explicarme cómo funciona la caché?", ""},
		{"¿me puedes arreglar la página de login?", ""},
		{"Você pode corrigir a página de login?", ""},
		{"Puoi sistemare la pagina di login?", ""},
		{"Pourrais-tu corriger la page de login ?", ""},
		{"Можешь починить страницу входа?", ""},
		{"Kun je de loginpagina repareren?", ""},
		{"请求头没有设置，修一下", ""},
		{"好像登录页坏了", ""},
		{"네트워크가 느려요, 확인해 줘", ""},
		{"あとで消すファイルを一覧にして", ""},
		{"hello there, first prompt of the day", "first prompt of the day"},
		{"hello, fix the footer", "fix the footer"},
		{"please fix the footer", "fix the footer"},
		{"hey can you fix the footer", "fix the footer"},
		{"Hallo, repariere die Fußzeile", "repariere die Fußzeile"},
		{"Bonjour, corrige le pied de page", "corrige le pied de page"},
		{"¡Hola! Arregla el pie de página", "Arregla el pie de página"},
		{"Привет! Почини подвал страницы", "Почини подвал страницы"},
		{"请帮我修一下登录页面", "修一下登录页面"},
		{"你好，修一下登录页面", "修一下登录页面"},
		{"すみません、フッターを直してください", "フッターを直してください"},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if d := said(tt.in, "The footer."); d.Request != want {
			t.Errorf("%q became %q", tt.in, d.Request)
		}
	}
}

func TestThanksAndPraiseAskForNothing(t *testing.T) {
	for _, s := range []string{
		"ありがとうございます", "本当にありがとうございました", "お疲れ様でした、完璧です", "obrigado, ficou ótimo", "obrigada, ficou perfeito!", "valeu, muito obrigado", "danke dir", "super, ich danke dir", "vielen Dank für deine Hilfe", "das war's, danke", "merci à toi", "merci beaucoup, c'est top", "gracias a ti", "muchísimas gracias por todo, quedó genial", "grazie a te, ottimo lavoro",
		"спасибо большое", "спасибо тебе большое, всё работает", "谢谢你，效果很好", "非常感谢，辛苦了", "정말 감사합니다, 최고예요", "çok teşekkürler, eline sağlık", "dzięki wielkie, działa", "thanks a million, works like a charm", "tack så mycket", "شكرا لك", "👍", "🎉🎉", "❤️",
	} {
		if d := said("make the footer sticky", "The footer stays at the bottom.", s, "You're welcome!"); d.Request != "make the footer sticky" || d.Recap != "make the footer sticky → The footer stays at the bottom" {
			t.Errorf("%q: request %q, recap %q", s, d.Request, d.Recap)
		}
	}
}

func TestCourtesyIsNoResult(t *testing.T) {
	for _, s := range []string{"You're welcome!", "どういたしまして。", "Gern geschehen!", "De rien !", "¡De nada!", "不客气！", "천만에요!", "Пожалуйста!"} {
		if d := said("make the footer sticky", "The footer stays at the bottom.", "thanks", s); d.Recap != "make the footer sticky → The footer stays at the bottom" {
			t.Errorf("%q: %q", s, d.Recap)
		}
	}
}

func TestRequestsThatReferBackKeepWhatTheyReferTo(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"There are old logs in the cache folder. Verify it and remove them.", ""},
		{"В кэше лежат старые логи сборки. удали их", ""},
		{"Die Fußzeile ist auf dem Handy verrutscht. Bring es in Ordnung.", ""},
		{"Il y a de vieux journaux dans le cache. Supprime-les.", ""},
		{"Hay registros viejos en la carpeta de caché. Bórralos.", ""},
		{"Há registros velhos na pasta de cache. Apague eles.", ""},
		{"缓存目录里有旧的日志文件。把它们删掉。", ""},
		{"キャッシュに古いログが残っています。それを消してください。", ""},
		{"캐시에 오래된 로그가 있어요. 그걸 지워 줘.", ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if d := said(tt.in, "Done."); d.Request != want {
			t.Errorf("%q became %q", tt.in, d.Request)
		}
	}
}
