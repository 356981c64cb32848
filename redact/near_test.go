package redact_test

import (
	"strings"
	"testing"

	"github.com/sessionrecap/recap/redact"
)

// What stands around a secret stays, and so does the host and the user of an
// address.
func TestH2_WhatStandsAroundStays(t *testing.T) {
	key := "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	const mark = "[redacted:github-token]"
	pw := "vauWv1" + "zh87mTa5"
	at := "p@ss" + "w0rdX9"
	for in, want := range map[string]string{
		"+postgres://app:" + pw + "@db.example.com:5432/shop":        "+postgres://app:[redacted:url-password]@db.example.com:5432/shop",
		"-redis://:" + pw + "@cache:6379/0":                          "-redis://:[redacted:url-password]@cache:6379/0",
		".https://bob:" + pw + "@git.example.com/x.git":              ".https://bob:[redacted:url-password]@git.example.com/x.git",
		"1postgres://app:" + pw + "@db":                              "1postgres://app:[redacted:url-password]@db",
		"postgres://app:" + at + "@db/x":                             "postgres://app:[redacted:url-password]@db/x",
		"mysql://root:Tr0ub" + "@dor3xQ@db:3306/x":                   "mysql://root:[redacted:url-password]@db:3306/x",
		"redis://:x9" + "@K2mQ8vv@cache:6379/0":                      "redis://:[redacted:url-password]@cache:6379/0",
		"smtp://bob@corp.example.com:" + at + "@mail.example.com:25": "smtp://bob@corp.example.com:[redacted:url-password]@mail.example.com:25",
		"postgres://app:p@ss/" + "w0rd#1@db:5432/shop, and":          "postgres://app:[redacted:url-password]@db:5432/shop, and",
		"postgres://app:pa" + "#ss/w0rd@db/shop":                     "postgres://app:[redacted:url-password]@db/shop",
		"git+https://ci:" + pw + "@git.example.com/a/b.git@v1.2.0":   "git+https://ci:[redacted:url-password]@git.example.com/a/b.git@v1.2.0",
		"https://ci:" + pw + "@npm.example.com/@scope/pkg@1.0.0":     "https://ci:[redacted:url-password]@npm.example.com/@scope/pkg@1.0.0",
		"postgres://a:" + pw + "@h1/x,postgres://b:" + at + "@h2/y":  "postgres://a:[redacted:url-password]@h1/x,postgres://b:[redacted:url-password]@h2/y",
		"mongodb://svc:" + pw + "@h1:27017,h2:27017/x?replicaSet=a":  "mongodb://svc:[redacted:url-password]@h1:27017,h2:27017/x?replicaSet=a",
		`{"u":"postgres:\/\/app:` + pw + `@db\/x"}`:                  `{"u":"postgres:\/\/app:[redacted:url-password]@db\/x"}`,
		"u=postgres%3A%2F%2Fapp%3A" + pw + "%40db&v=2":               "u=postgres%3A%2F%2Fapp%3A[redacted:url-password]%40db&v=2",
		"postgres://app:p%40" + pw + "@db/x":                         "postgres://app:[redacted:url-password]@db/x",
		`"postgres://app:p\u0026` + pw + `@db/x"`:                    `"postgres://app:[redacted:url-password]@db/x"`,
		"[32m" + key + "[0m":                                         "[32m" + mark + "[0m",
		"found [1;32m" + key + "[0m in x[0]":                         "found [1;32m" + mark + "[0m in x[0]",
		`\u001b[32m` + key + `\u001b[0m and m[K]`:                    `\u001b[32m` + mark + `\u001b[0m and m[K]`,
		"^[[32m" + key + "^[[0m":                                     "^[[32m" + mark + "^[[0m",
		"[01;31m[K" + key[:4] + "[m[K" + key[4:]:                     "[01;31m[K" + mark,
		"[32mAPI_KEY=" + pw + "[0m":                                  "[32mAPI_KEY=[redacted:secret-setting][0m",
		"\n+ey" + "J" + strings.Repeat("hbGciOiJ", 4) + ".ey" + "J" + strings.Repeat("zdWIiOiI", 4) + ".abc_DEF-123\n": "\n+[redacted:jwt]\n",
		"x=3D" + key + "=20": "x=3D" + mark + "=20",
	} {
		if got := mustText(t, in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// What looks like it and is no secret.
func TestH2_NoSecretsAround(t *testing.T) {
	n := &noise{state: 17}
	for _, s := range []string{
		"git+https://github.com/team/app.git@v1.2.0#egg=app", "git+ssh://git@github.com:team/app.git#semver:^5.0", "http://localhost:4873/@scope/pkg/-/pkg@1.0.0.tgz", "http://localhost:3000/@vite/client?t=1@x:8080/",
		"+https://example.net:8080/a/@scope/b", "-ssh://git@example.net:22/team/app.git", ".http://localhost:3000/x", "see https://example.net/a:b@c, or mail dev@example.net", "http://localhost:8080\\nmail dev@example.net",
		"https://example.net/@dev/posts/12", "postgres://localhost:5432/app?user=@x", "[32mok[0m 12 tests", "[1;31mFAIL[0m internal/store [0.2s]", "Map[K, V] and Set[K]", "a[0m]", "x[12]", "%d of %s: 100%25 and %20x", "50%de", `C:\users\u00e9\dev`,
		`"\u003cp\u003e\u0026amp;"`, "a\\/b\\/c", "url=https%3A%2F%2Fexample.net%3A8080%2Fa%40b", "a=3Db and =20", "^[[0m", "\\e[1m bold \\e[0m", "use printf '\\033[1m%s\\033[0m'",
		"-----BEGIN PUBLIC KEY-----\n" + n.of(base64, 64) + "\n-----END PUBLIC KEY-----", "data:image/png;base64," + n.of(base64, 60) + "+eyJ" + n.of(base64, 30),
		"an ordinary line\n-----END CERTIFICATE-----", "- [x] token: done\n+ token: open", "@@ -1,4 +1,4 @@\n-password: required\n+password: optional",
	} {
		if got := mustText(t, s); got != s {
			t.Errorf("touched: %q became %q", s, got)
		}
	}
}

// notSecrets are ordinary texts with the names, commands and forms that the
// rules of clauses look for.
var notSecrets = []string{
	"the login page shows TestLogin2", "login fails with HTTP401Error", "password field uses UTF8String", "the password hash uses Argon2Hasher", "key is AES256GCM", "token bucket of 100Mb/s", "use OAuth2Token for the password grant", "seed the database with users, orders and items",
	"the mnemonic is easy to remember for people who read it", "kind: Secret", "docker run -p 8080:80 --user 1000:1000 app", "unzip -p archive.zip file.txt", "zip -r out.zip src", "echo done | tee login.txt", "echo \"hello\" | ./login.sh", "root: /var/www", "admin: true", "credentials: include", "see creds.json2",
	"AUTH PLAIN", "/invite/new-user-registration-form-2024", "https://example.net/share/quarterly-report-2024-final-version", "Authorization: Bearer token is required for admins", "x-api-key: header is required", "psql host=db user=app password=secret", "mysql --password=",
	"kind: Secret\nmetadata:\n  name: db\ntype: Opaque\n", "kind: ConfigMap\ndata:\n  LOG_LEVEL: debug\n  PASSWORD_MIN: \"8\"\n", "the key is in m[key2]", "key: AbstractSingletonProxyFactoryBean2", "token in internal/auth/token2_test.go:12", "public key AbCdEf123456GhIjKl7890MnOp", "cache key user:12:AbC",
	"ENABLE_PASSWORD=false", "RESET_PASSWORD_URL=/reset", "DB_PASSWORD: string", "DB_PASSWORD=", "DB_PASSWORD=changeme", "SHOW_PASSWORD=required", "USER_PASSWORD=null", "identified by \"id\"", "PASSWORD('password')", "auth=('user', 'pass')", "requests.get(url, auth=(user, password))",
	"the seed phrase has twelve words and must never be sent to anybody who asks for it", "recovery phrase: write it down on paper and keep it", "random seed: 42, 43, 44, 45, 46, 47, 48", "seed data: users orders items carts reviews tags", "the passphrase \"not a good one at all\"", "passphrase: \"enter your passphrase here\"", "Enter passphrase for key '/home/dev/.ssh/id_ed25519'",
	"the password for user2 was reset", "reset the password of bob@example2.net", "password reset token expires in 30min", "The password must contain 8 characters, 1 upper, 1 digit (e.g. A1)", "changed password hashing from SHA256 to Argon2id", "password fields in LoginForm2.tsx", "login with GitHub OAuth2 works", "login redirects to /dashboard?tab=2",
	"log in as admin2 and open Settings", "sign in with Google (OIDC2)", "the root user id is 0", "postgres: 16.2-alpine", "image: postgres:16.2-alpine3", "root:x:0:0:root:/root:/bin/bash", "admin:Users2", "use UTF-8 as the password encoding", "TestResetV2 as the password test", "npm ERR! code E401 login", "ghp_ tokens, then 8f9b7a231096", "my key idea is to use CamelCaseNames2",
	"token: ses_AbCdEf1234567890GhIjKlMnOp", "key h1:52Kd+WetKETH3bpeNmUfs0R5m+jQSyZ0IpCkIENtE2S=", "secret sha256-AbCdEf1234567890GhIjKlMnOp=", "import key from './Key2Store'", "das Passwort muss 8 Zeichen haben, z. B. Abc1", "le mot de passe doit avoir 8 caractères", "пароль должен содержать 8 символов", "密码长度至少8位", "パスワードは8文字以上", "비밀번호는 8자 이상",
	"$1$ and $2$ are groups", "sed 's/a/$1$2/'", "price is $5$ each", "a<<<b", "git diff HEAD~1 <<< x", "cat <<EOF > token.txt", "-n 5 -k 3 -b 2", "tar -xzf rar.tar -p", "gzip -p4 x", "xargs -P 4 zip", "ssh-keygen -t ed25519 -f key -N \"\"", "docker build -t token:latest .", "flask run --host=0.0.0.0 --port=8080", "https://hooks.example.net/hooks/use-effect-cleanup", "import x from '@/hooks/useauthenticationprovider'", "src/hooks/useinfinitescrollpagination.ts",
	"{\"d\":\"M10 10 L20 20 Z\",\"k\":\"v\"}", "{\"p\":\"internal/store\",\"q\":\"select\"}", "http -a", "http POST :8080/login user=bob", "2FA code that will work with many", "totp: enabled", "MFA from last week will need more", "the -key: header", "x-trace-key: abc", "X-Request-Id: 4f9a7b2c-1d3e-4a5b-8c9d-0e1f2a3b4c5d",
	"a live_ prefix", "is_live_2024_release_candidate_number_one", "user_api_response_handler_for_v2_endpoint", "get_token_from_request_header_v2_with_cache", "my_secret_key_name_in_the_vault_of_prod1", "foo_key_AbstractSingletonProxyFactory", "test_token_count_for_session_2024_11_30",
	"export PWD=/home/dev/app2", "PWD: /home/dev/App2Server", "pw = playwright.chromium2", "pass is now 12 of 12", "all pass: 12/12 in 3.2s", "pass = true", "const pass = await bcrypt.hash(pw, 10)", "mdp = MarkdownParser2()", "psk = None",
	"Server=localhost;Database=app;Trusted_Connection=True", "host=localhost user=app password=$PASS", "nmcli dev wifi connect Home password <password>", "--set image.tag=v1.2.3 --set password.length=12", "bob/x@y", "see user/repo@v1.2.3:5432", "http://localhost:5432/", "db:5432/app", "localhost:6379",
}

func TestH2_ClausesWithoutSecretsStay(t *testing.T) {
	for _, s := range notSecrets {
		if got := mustText(t, s); got != s {
			t.Errorf("touched: %q became %q", s, got)
		}
	}
}

// Long runs of what is looked at again and again come to an end: the work for
// each of them grows with its length, not with the square of it.
func TestLongRunsEnd(t *testing.T) {
	for _, unit := range []string{`\`, `\/`, `\u0041`, `\u001b[0m`, "[0m", "[[0;0;0", "%41", "%2525", "=41", "*", "<a", "a://b:", "a://b@c:d", "a://b:@@", "://", "+a\n", "x: " + strings.Repeat("A", 60) + "\n-----END"} {
		s := strings.Repeat(unit, 1<<17/len(unit)) + "@x"
		if got := mustText(t, s); unit != "a://b:@@" && unit != "a://b:" && got != s {
			t.Errorf("%d times %q is touched", 1<<17/len(unit), unit)
		}
	}
}

// What is looked for in a clause, in a list or in another message is bounded,
// too.
func TestLongRunsOfNamesEnd(t *testing.T) {
	for _, unit := range []string{
		"sk" + "-ant-a1b2 ", "gh" + "p_a1b2c3 x9Y8z7 ", "password ", "key key ", "token is as ", "seed: is ", "seed phrase of ", "kind: Secret\n", "kind: Secret\ndata:\n a: \n", "login a:b ", "as password ", "passwordpassword", "пароль ", "密码", "data: ", "echo x | login ", "AUTH a ", "a/b@c:5432 ",
	} {
		s := strings.Repeat(unit, 1<<17/len(unit))
		if got := mustText(t, s); got != s {
			t.Errorf("%d times %q is touched: %q", 1<<17/len(unit), unit, got[:80])
		}
	}
}

// A name and its value in lines of their own.
func TestNamedValues(t *testing.T) {
	for text, secret := range map[string]string{
		"env:\n- name: DB_PASS\n  value: \"8IlMXX!khMBpQ\"\n":                       "8IlMXX!khMBpQ",
		"- name: SMTP_PASSWORD\n  value: Tr0ub4dor3xQ\n":                            "Tr0ub4dor3xQ",
		`{"name": "DB_PASSWORD", "value": "hunter2Xk9"}`:                            "hunter2Xk9",
		`"{\"name\":\"API_KEY\",\"value\":\"a8F3kQ9zLm2Pq7Rt5Vw1Xy\"}"`:             "a8F3kQ9zLm2Pq7Rt5Vw1Xy",
		"+        - name: JWT_SECRET\n+          value: 9fK2mQ8vvZx7Lp3Wn5Rt1Yb6\n": "9fK2mQ8vvZx7Lp3Wn5Rt1Yb6",
	} {
		if got, hits, err := redact.Text(text); err != nil || strings.Contains(got, secret) || len(hits) == 0 {
			t.Errorf("%q is left: %q", text, got)
		}
	}
	for _, text := range []string{
		"- name: TOKEN_LIMIT\n  value: \"5000\"\n", "- name: DB_PASS\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: password\n",
		"- name: DB_PASSWORD\n  value: \"\"\n", "- name: DB_PASSWORD\n  value: ${DB_PASSWORD}\n", "- name: LOG_LEVEL\n  value: debug\n", "name: token bucket\nvalue: the rate\n",
		`{"name": "tokenizer", "value": "cl100k_base"}`, "name: passenger\nvalue: 3\n",
	} {
		if got, hits, err := redact.Text(text); err != nil || len(hits) > 0 {
			t.Errorf("%q is touched: %q", text, got)
		}
	}
}

// A word that stands for a secret is one at an edge: in the middle of a key it is
// chance. So is it that a key has no digit.
func TestH2_KeysThatHoldAWord(t *testing.T) {
	for _, key := range []string{
		"gl" + "pat-RrronpoqHRIAAuJjuqBp", "gl" + "pat-LsVUqLwILUQRnazywZPI", "sk_" + "live_IISNSNySNUYUeKwaROxfPHiI",
		"sk-" + "proj-WnWo88kfakeKDb9KT3jyTeCysMS1Us2Vt9jMAB40Aykx7FVy",
		"sk-" + "ant-api03-yYMqS77S7kAnBb8ikQHSXxxxMLjJOcBIaEziSK49DV32M-LX_rc8y6jlxqCnJ8WlNpufDt9yc-L8bbKOxCJ4gqq1j0q97AA",
		"sk-" + "proj-WnWo88kyourKDb9KT3jyTesampleS1Us2Vt9jMAB40Aykx7FVy",
	} {
		text := "use " + key + " for staging"
		if got, hits, err := redact.Text(text); err != nil || len(hits) == 0 || strings.Contains(got, key[len(key)-12:]) {
			t.Errorf("%q is left: %q", text, got)
		}
	}
	for _, text := range []string{
		"set OPENAI_API_KEY=your-key-here", "export TOKEN=yourtokengoeshere", "password: examplepassword", "api_key = \"insert-key\"", "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"UserAccountServiceFactoryBean", "parseHTTPResponseHeaders", "class MyXMLHttpRequestHandlerFactory",
	} {
		if got, hits, err := redact.Text(text); err != nil || len(hits) > 0 {
			t.Errorf("%q is touched: %q", text, got)
		}
	}
}
