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

// Long runs of what is looked at again and again come to an end: the work for
// each of them grows with its length, not with the square of it.
func TestLongRunsEnd(t *testing.T) {
	for _, unit := range []string{`\`, `\/`, `\u0041`, `\u001b[0m`, "[0m", "[[0;0;0", "%41", "%2525", "=41", "*", "<a", "a://b:", "a://b@c:d", "a://b:@@", "://", "+a\n", "x: " + strings.Repeat("A", 60) + "\n-----END"} {
		s := strings.Repeat(unit, 1<<18/len(unit)) + "@x"
		if got := mustText(t, s); unit != "a://b:@@" && unit != "a://b:" && got != s {
			t.Errorf("%d times %q is touched", 1<<18/len(unit), unit)
		}
	}
}

// What is looked for in a clause, in a list or in another message is bounded,
// too.
func TestLongRunsOfNamesEnd(t *testing.T) {
	for _, unit := range []string{
		"sk" + "-ant-a1b2 ", "gh" + "p_a1b2c3 x9Y8z7 ", "password ", "key key ", "token is as ", "seed: is ", "seed phrase of ", "kind: Secret\n", "kind: Secret\ndata:\n a: \n", "login a:b ", "as password ", "passwordpassword", "пароль ", "密码", "data: ", "echo x | login ", "AUTH a ", "a/b@c:5432 ",
	} {
		s := strings.Repeat(unit, 1<<18/len(unit))
		if got := mustText(t, s); got != s {
			t.Errorf("%d times %q is touched: %q", 1<<18/len(unit), unit, got[:80])
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
