package redact_test

import (
	encoding "encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/redact"
)

// splits put something between two pieces of a key that a reader does not see,
// or that is gone where the text is shown.
var splits = []struct {
	name string
	text func(a, b string) string
}{
	{"bold", func(a, b string) string { return a + "**" + b + "**" }},
	{"bold piece", func(a, b string) string { return "**" + a + "**" + b }},
	{"italic", func(a, b string) string { return "*" + a + "*" + b }},
	{"underlined", func(a, b string) string { return "__" + a + "__" + b }},
	{"code", func(a, b string) string { return "`" + a + "`" + b }},
	{"bold and code", func(a, b string) string { return "**" + a + "**`" + b + "`" }},
	{"struck", func(a, b string) string { return "~~" + a + "~~" + b }},
	{"escape", func(a, b string) string { return a + "\x1b[1m" + b + "\x1b[0m" }},
	{"link of a terminal", func(a, b string) string { return a + "\x1b]8;;https://example.net\x1b\\" + b }},
	{"zero width space", func(a, b string) string { return a + "\u200b" + b }},
	{"joiners", func(a, b string) string { return a + "\u200d\u2060\ufeff" + b }},
	{"soft hyphen", func(a, b string) string { return a + "\u00ad" + b }},
	{"direction", func(a, b string) string { return a + "\u202e\u202c" + b }},
	{"tag characters", func(a, b string) string { return a + "\U000e0041" + b }},
	{"private use", func(a, b string) string { return a + "\ue000" + b }},
	{"not UTF-8", func(a, b string) string { return a + "\xff" + b }},
	{"tag", func(a, b string) string { return a + "<b>" + b + "</b>" }},
	{"comment", func(a, b string) string { return a + "<!-- x -->" + b }},
	{"link", func(a, b string) string { return "[" + a + "](" + b + ")" }},
	{"literals", func(a, b string) string { return `"` + a + `" + "` + b + `"` }},
	{"entity", func(a, b string) string { return strings.ReplaceAll(a, "_", "&#95;") + b }},
	{"hexadecimal entity", func(a, b string) string {
		return strings.ReplaceAll(strings.ReplaceAll(a, "_", "&#x5f;"), "-", "&#x2D;") + b
	}},
	{"named entity", func(a, b string) string {
		return strings.ReplaceAll(strings.ReplaceAll(a, "_", "&lowbar;"), "-", "&hyphen;") + b
	}},
	{"backslash", func(a, b string) string { return strings.ReplaceAll(strings.ReplaceAll(a, "_", `\_`), "-", `\-`) + b }},
	{"full width", func(a, b string) string { return strings.Map(wide, a+b) }},
	{"half of it full width", func(a, b string) string { return a + strings.Map(wide, b) }},
	{"mathematical", func(a, b string) string { return a + strings.Map(mathematical, b) }},
	{"bold over lines", func(a, b string) string { return "**" + a + "**\n  **" + b + "**" }},
	{"folded line", func(a, b string) string { return a + " " + b }},
}

func wide(r rune) rune {
	if r > ' ' && r < 0x7f {
		return r + 0xfee0
	}
	return r
}

func mathematical(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 0x1d41a
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 0x1d400
	case r >= '0' && r <= '9':
		return r - '0' + 0x1d7ce
	}
	return r
}

// same is the text with the letters that only look otherwise made plain.
func same(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r > 0xff00 && r < 0xff5f:
			return r - 0xfee0
		case r >= 0x1d400 && r < 0x1d41a:
			return r - 0x1d400 + 'A'
		case r >= 0x1d41a && r < 0x1d434:
			return r - 0x1d41a + 'a'
		case r >= 0x1d7ce && r < 0x1d7d8:
			return r - 0x1d7ce + '0'
		}
		return r
	}, s)
}

func TestH2_SplitByWhatIsNotShown(t *testing.T) {
	frames := []string{"use %s for the upload, please", "%s", "ключ %s здесь", "使用%s部署"}
	for seed := range uint64(2) {
		n := &noise{state: 31 + seed}
		for kind, key := range map[string]string{
			"github": "gh" + "p_" + n.of(alnum, 35) + "7", "anthropic": "sk" + "-ant-" + "api03-" + n.of(web64, 92) + "3AA", "gitlab": "gl" + "pat-" + n.of(alnum, 19) + "4",
			"npm": "np" + "m_" + n.of(alnum, 36), "stripe": "sk_" + "live_" + n.of(alnum, 24), "hugging face": "h" + "f_" + n.of(alnum, 34),
		} {
			for _, cut := range []int{8, 12, 14, 20} {
				if cut > len(key)-6 {
					continue
				}
				for i, split := range splits {
					frame := frames[(i+cut/2+int(seed))%len(frames)]
					text := strings.ReplaceAll(frame, "%s", split.text(key[:cut], key[cut:]))
					clean := mustText(t, text)
					if l := leaked(same(clean), key[8:]); len(l) >= 8 {
						t.Errorf("%s, %s at %d: %q of %q survives in %q", kind, split.name, cut, l, text, clean)
					}
					if again := mustText(t, clean); again != clean {
						t.Errorf("%s, %s: %q, then %q", kind, split.name, clean, again)
					}
				}
			}
		}
	}
}

// What is around the key stays as it is.
func TestH2_NothingElseGoesWithTheMarks(t *testing.T) {
	key := "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	for in, want := range map[string]string{
		"set **" + key[:12] + "**" + key[12:] + " and **go**": "set **[redacted:github-token] and **go**",
		"`" + key + "` and `x`":                               "`[redacted:github-token]` and `x`",
		"a\u200bb " + key[:9] + "\u200b" + key[9:] + ", é":    "a\u200bb [redacted:github-token], é",
		"Ｆｕｌｌ " + strings.Map(wide, key) + " ｗｉｄｅ":            "Ｆｕｌｌ [redacted:github-token] ｗｉｄｅ",
		"fold " + key[:9] + " " + key[9:] + " it":             "fold [redacted:github-token] it",
	} {
		if got := mustText(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Characters of more than one byte stay whole where marks are left out.
func TestH2_MarksInOtherScripts(t *testing.T) {
	for in, want := range map[string]string{
		"пароль: **hunt**er2x9":         "пароль: [redacted:password-setting]",
		"это пар**оль**: hunter2x9, да": "это пар**оль**: [redacted:password-setting], да",
		"这是**密**码：hunter2x9":            "这是**密**码：[redacted:password-setting]",
	} {
		if got := mustText(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestH2_SettingsOnLinesOfTheirOwn(t *testing.T) {
	in := "set\nSTRIPE_KEY=" + "abcDEF123" + "456789xyz\nSMTP_PASS=" + "hunter2" + "hunter\nJWT_SECRET=\"s3cr3t" + "value!!\"\nDATABASE_URL=mysql://u:" + "p4ssw0rd99" + "@h/db"
	want := "set\nSTRIPE_KEY=[redacted:secret-setting]\nSMTP_PASS=[redacted:password-setting]\nJWT_SECRET=\"[redacted:secret-setting]\"\nDATABASE_URL=mysql://u:[redacted:url-password]@h/db"
	if got := mustText(t, in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestH2_EncodedKeys(t *testing.T) {
	n := &noise{state: 3}
	for _, key := range []string{"gh" + "p_" + n.of(alnum, 36), "sk" + "-ant-" + "api03-" + n.of(web64, 93), "AK" + "IA" + n.of(uppers, 16), "-----BEGIN " + "PRIVATE KEY-----\n" + n.of(base64, 64)} {
		in := "echo " + encoding.StdEncoding.EncodeToString([]byte(key)) + " | base64 -d"
		if got := mustText(t, in); got != "echo [redacted:encoded-key] | base64 -d" {
			t.Errorf("%q became %q", in, got)
		}
	}
}

// A key may stand in the middle of what is encoded.
func TestH2_KeysInsideEncodedTexts(t *testing.T) {
	n := &noise{state: 8}
	for _, key := range []string{
		"gh" + "p_" + n.of(alnum, 36), "gh" + "s_" + n.of(alnum, 36), "github" + "_pat_" + n.of(alnum, 50), "gl" + "pat-" + n.of(web64, 22), "sk" + "-ant-" + "api03-" + n.of(web64, 93), "sk" + "-proj-" + n.of(web64, 60),
		"sk" + "-or-" + "v1-" + n.of(hexa, 64), "AK" + "IA" + n.of(uppers, 16), "xox" + "b-" + n.of(digits, 12) + "-" + n.of(alnum, 24), "sk_" + "live_" + n.of(alnum, 24), "np" + "m_" + n.of(alnum, 36), "AI" + "za" + n.of(web64, 35),
	} {
		for _, before := range []string{"", "K=", "KEY=", "token: ", "x-access-token:"} {
			for _, after := range []string{"", "\n", " and more"} {
				text := []byte(before + key + after)
				for name, encoded := range map[string]string{
					"base64": encoding.StdEncoding.EncodeToString(text), "base64url": encoding.RawURLEncoding.EncodeToString(text),
					"hex": hex.EncodeToString(text), "HEX": strings.ToUpper(hex.EncodeToString(text)),
				} {
					clean := mustText(t, "saw "+encoded+" there")
					if !strings.Contains(clean, "[redacted:") {
						t.Errorf("%s of %q stays: %q", name, text, clean)
						continue
					}
					held := encoded[len(encoded)/3 : len(encoded)/3+12]
					if after == "" && before == "" && strings.Contains(clean, held) {
						t.Errorf("%s of %q: %q survives in %q", name, text, held, clean)
					}
				}
			}
		}
	}
	// What is random holds no key, and words that begin as one do are no keys.
	for range 400 {
		s := "data:image/png;base64," + n.of(base64, 900) + " " + n.of(hexa, 400) + " doc1 docfiles dodv FLSUaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		if got := mustText(t, s); got != s {
			t.Fatalf("touched: %q became %q", s, got)
		}
	}
}

// tellings are texts of which the words say what the secret is.
func tellings(secret, odd string) []string {
	return []string{
		// names that end with what they are
		"STRIPE_KEY=" + "abcDEF123" + "456789xyz", "SMTP_PASS=" + "hunter2" + "hunter", "JWT_SECRET=\"s3cr3t" + "value!!\"", "DB_PWD=" + secret, "APP_TOKEN: " + secret + "A1b2", "smtp_pass: " + secret, "--db-pass " + odd,
		// fields
		`{"user":"bob","pass":"` + secret + `"}`, `{\"pass\":\"` + secret + `\"}`, "<password>" + secret + "</password>", "<ns:db-password type=\"x\">" + secret + "</ns:db-password>", "pass: " + secret, "  pass: '" + secret + "'",
		// a login
		"login with user bob / pass " + odd, "login bob, pass " + secret, "user: bob pw " + secret,
		// commands
		"mysql -u root -p" + secret + " shop", "mysqldump -uroot -p'" + secret + "' shop", "sshpass -p " + secret + " ssh dev@host", "docker login -u bob -p " + secret, "redis-cli -a " + secret + " ping",
		"PGPASSWORD=" + secret + " psql -h x", "curl -u admin:" + secret + " https://x.example.net", "curl -uadmin:" + secret + " https://x.example.net", "psql postgres://app:" + secret + "@db/app", "openssl rsa -passin pass:" + secret,
		// signed addresses
		"https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=" + "a1b2c3d4e5f60718" + "a1b2c3d4e5f60718", "https://x.example.net/f?sig=" + secret + secret, "https://x.example.net/f?a=1&token=" + secret, "https://x.example.net/f?access_token=" + secret,
		"https://x.example.net/f?a=1&amp;token=" + secret,
		// sentences
		"the password is " + odd + " and user is bob", "my password is " + secret, "my password is ikEAvst" + "qVVPq", "My password: " + odd, "the password for bob is " + secret + ".", "use the passphrase — " + secret, "**Password:** " + secret, "the `password` is `" + secret + "`",
		"mein Passwort ist " + secret, "das Kennwort lautet " + secret, "mi contraseña es " + secret, "la clave es " + secret, "le mot de passe est " + secret, "mot de passe : " + secret, "la password è " + secret, "minha senha é " + secret,
		"senha: " + secret + " entre", "mijn wachtwoord is " + secret, "moje hasło to " + secret, "heslo je " + secret, "мой пароль " + secret + " войди", "Пароль: " + secret, "пароль — " + secret, "з паролем: " + secret, "şifrem: " + secret,
		"mật khẩu là " + secret, "kata sandi: " + secret, "lösenordet är " + secret, "adgangskoden er " + secret, "salasana on " + secret, "jelszó: " + secret, "ο κωδικός είναι " + secret, "كلمة المرور: " + secret, "הסיסמה: " + secret, "पासवर्ड है " + secret,
		"รหัสผ่าน: " + secret, "密码：" + secret + " 请登录", "密码是 " + secret + " 请登录", "密码是" + secret + "请登录", "密碼：" + secret, "パスワードは " + secret + " です", "パスワードは「" + secret + "」です", "비밀번호는 " + secret + " 로그인해", "비밀번호: " + secret,
	}
}

func TestH2_KindsByTheirWords(t *testing.T) {
	secret := "Tr0ub4dor" + "3xx"
	odd := "Tr0ub4dor" + "&3"
	for _, s := range tellings(secret, odd) {
		clean := mustText(t, s)
		if l := leaked(clean, secret); l != "" || strings.Contains(clean, "dor"+"&3") || strings.HasSuffix(clean, "&3") || !strings.Contains(clean, "[redacted:") || strings.Contains(clean, "ikEA") {
			t.Errorf("%q became %q", s, clean)
		}
		if again := mustText(t, clean); again != clean {
			t.Errorf("%q, then %q", clean, again)
		}
	}
	for _, s := range []string{
		"the OTP is 993311", "otp: 993311", "OTP 993311", "my 2FA code is 993 311", "verification code: 993311", "my pin is 4711", "one-time code 993311.", "Bestätigungscode: 993311", "код подтверждения 993311", "код: 993311", "验证码是 993311", "验证码：993311",
		"認証コードは 993311", "인증번호: 993311", "código de verificación: 993311", "code de vérification : 993311", "codice di verifica: 993311",
	} {
		if clean := mustText(t, s); strings.Contains(clean, "311") || strings.Contains(clean, "4711") || !strings.Contains(clean, "[redacted:one-time-code]") {
			t.Errorf("%q became %q", s, clean)
		}
	}
}

// A password of letters alone is known where the sentence quotes it.
func TestH2_QuotedWordsArePasswords(t *testing.T) {
	for in, want := range map[string]string{
		`the password is "hunter", keep it`: `the password is "[redacted:password-setting]", keep it`, "the password is `swordfish`.": "the password is `[redacted:password-setting]`.", `das "Passwort" lautet "Sommer".`: `das "Passwort" lautet "[redacted:password-setting]".`,
		"пароль: «солнышко»": "пароль: «[redacted:password-setting]»", "das Passwort ist „Sommer“": "das Passwort ist „[redacted:password-setting]“", "la contraseña es 'girasol'": "la contraseña es '[redacted:password-setting]'",
		"le mot de passe est « soleil »": "le mot de passe est « soleil »", "le mot de passe est «soleil»": "le mot de passe est «[redacted:password-setting]»", "密码是「芝麻开门」": "密码是「[redacted:password-setting]」", "パスワードは「ひらけごま」です": "パスワードは「[redacted:password-setting]」です",
		"비밀번호는 “열려라참깨” 입니다": "비밀번호는 “[redacted:password-setting]” 입니다", `la password è "girasole"`: `la password è "[redacted:password-setting]"`,
	} {
		if got := mustText(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, s := range []string{
		`the password is "required"`, "the password is `encrypted`", `the password is "password"`, "the password is **never** stored", `{"password": "Passwort"}`, `password: "hunter"`, "пароль — «обязателен»", "das Passwort ist „falsch“", "la contraseña es 'incorrecta'", "密码：「必填字段」", `password is "string"`,
		"le mot de passe est «obligatoire»", "パスワードは「必須です」", `the password is "not set"`, `if password is "" {`,
	} {
		if got := mustText(t, s); got != s {
			t.Errorf("touched: %q became %q", s, got)
		}
	}
}

// A password of letters alone is known without quotes too, where the clause
// ends with it.
func TestH2_PlainWordsArePasswords(t *testing.T) {
	const mark = "[redacted:password-setting]"
	for in, want := range map[string]string{
		"password: correct" + "horse":                         "password: " + mark,
		"Password: correct" + "horse, please keep it":         "Password: " + mark + ", please keep it",
		"the password is hunter" + " two":                     "the password is " + mark,
		"the password is sword" + "fish.":                     "the password is " + mark + ".",
		"the password is sword" + "fish and the user is bob":  "the password is " + mark + " and the user is bob",
		"The passphrase is orange horse" + " battery staple.": "The passphrase is " + mark + ".",
		"my password is now sun" + "shine, keep it":           "my password is now " + mark + ", keep it",
		"das Passwort ist Sonnen" + "blume.":                  "das Passwort ist " + mark + ".",
		"das Kennwort lautet Sommer" + "wiese":                "das Kennwort lautet " + mark,
		"Passwort: sonnen" + "blume":                          "Passwort: " + mark,
		"la contraseña es gira" + "sol":                       "la contraseña es " + mark,
		"contraseña: gira" + "soles":                          "contraseña: " + mark,
		"le mot de passe est tourne" + "sol":                  "le mot de passe est " + mark,
		"mot de passe : tourne" + "sols":                      "mot de passe : " + mark,
		"a senha é borbo" + "leta":                            "a senha é " + mark,
		"la password è far" + "falla":                         "la password è " + mark,
		"пароль: солнышко" + "лето":                           "пароль: " + mark,
		"user: bob\npassword: correct" + "horse\nhost: x":     "user: bob\npassword: " + mark + "\nhost: x",
	} {
		if got := mustText(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	for _, s := range []string{
		"the password is stored", "the password is not checked.", "the password is visible in the log", "the password is too short.", "password: string", "password: required", "password: userPassword,", "password: undefined", "the password is sent in plain text", "the password is kept in memory.",
		"das Passwort ist noch nicht gesetzt.", "das Passwort ist gespeichert.", "la contraseña es obligatoria.", "le mot de passe est vérifié.", "le mot de passe est trop court.", "la password è salvata.", "a senha é validada.", "password: authentication", "the password is required and hashed", "fix the password: validation fails",
		"password_field: something", "the password is unchanged.", "if password is missing", "Passwort: erforderlich",
	} {
		if got := mustText(t, s); got != s {
			t.Errorf("touched: %q became %q", s, got)
		}
	}
}

// nearMisses speak of passwords, keys and codes and hold none.
var nearMisses = []string{
	"the password is wrong", "password is required", "my password is not accepted", "The password is too short!", "the password is at least 8characters long", "the password is hashed with sha256", "password is sha256-hashed", "the password is bcrypt/argon2id",
	"the password is in auth2.go", "password is UTF-8 encoded", "password is base64", "the password is stored in config/app2.yml", "is the password correct?", "the password is userPassword", "my password field is empty", "password for the admin user is missing",
	"with password reset", "use password auth", "the password is ${DB_PASS}", "the password is <your password>", "the password is [hidden]", "password: required", "Password: ********",
	"das Passwort ist falsch", "mein Passwort ist abgelaufen", "mi contraseña es incorrecta", "la clave es el diseño", "le mot de passe est obligatoire", "a senha é obrigatória", "la password è errata", "het wachtwoord is onjuist", "hasło jest wymagane", "heslo je povinné",
	"пароль неверный", "пароль — обязательное поле", "мой пароль не принимается", "код ошибки 404", "код возврата: 1", "密码是必填项", "密码错误", "密码：必填", "パスワードは必須です", "パスワードが違います", "비밀번호는 필수입니다", "şifre yanlış", "mật khẩu là bắt buộc",
	"--- PASS: TestH2_Login3 (0.00s)", "PASS: TestFoo2", "ok  \texample.net/x\t0.2s", "pass: 12", "first_pass: step2b", "the tests pass again", "all 12 pass", "user tests pass now", "login tests pass in 3s", "users pass it on2",
	"primary_key: user2id", "cache_key = users:12:b3c", "foreign_key: author_id2", "public_key=A1b2C3d4E5f6G7h8", "S3_KEY=uploads/2024/photo1.png", "press any_key = true", "const MAX_KEY = 4096", "sort_key: created_at",
	"docker run -p 8080:80 app", "mkdir -p /tmp/x", "mysql -p shop", "mysql --port=3306 --protocol=tcp", "redis-cli -p 6379 ping", "redis-cli ping", "curl -u $USER:$PASS https://x.example.net", "curl -u user:password https://x.example.net", "ssh -p 2222 dev@host",
	"https://example.net/list?page=2&sort=key", "https://example.net/?code=de", "https://example.net/?token=", "a <token> b </token>", "<password></password>", "<password>password</password>", "<secret/>",
	"the pin is 13", "GPIO pin: 21", "pin the version", "laptop 123456", "the security code review", "verification code is sent", "OTP is required", "otp: 6 digits", "access code: 2026", "error code 993311", "status code: 404404", "exit code 137",
	"the `gh" + "p_` prefix", "gh" + "p_ followed by 36 letters", "sk" + "-ant- keys begin so", "np" + "m_config_registry and np" + "m_package_version", "use **bold**`code` here", "a*b*c and 2**3", "foo__bar__baz", "[token](docs/token.md)", "&amp; &lt;b&gt; &#95;",
	"Ｆｕｌｌ　ｗｉｄｅ", "npm" + "_install 4cea384968bbb52920ff88a97f7ca1be4cea3849", "x\u200by\u00adz", "\x1b[1mbold\x1b[0m text",
}

func TestH2_NearMissesStay(t *testing.T) {
	for _, s := range nearMisses {
		if got := mustText(t, s); got != s {
			_, hits, _ := redact.Text(s)
			t.Errorf("touched: %q became %q (%v)", s, got, hits)
		}
	}
}
