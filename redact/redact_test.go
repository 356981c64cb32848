package redact_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/redact"
)

// places are where a secret turns up.
var places = []struct {
	name string
	text func(string) string
}{
	{"prompt", func(s string) string { return "Please use " + s + " for the staging deploy, then run the tests again." }},
	{"file name", func(s string) string { return "/home/dev/app/backup-" + s + ".txt" }},
	{"json", func(s string) string {
		b, err := json.Marshal(map[string]any{"cmd": "deploy", "value": s, "ok": true})
		if err != nil {
			panic(err)
		}
		return string(b)
	}},
	{"shell", func(s string) string { return "$ export X='" + s + "' && make deploy" }},
	{"tool output", func(s string) string { return "2026-03-01T10:00:00Z INFO config loaded: " + s + " (from env)" }},
	{"url", func(s string) string { return "https://api.example.net/v1/items?page=2&q=" + s + "&sort=asc" }},
}

var markers = regexp.MustCompile(`\[redacted:[a-z0-9-]+\]`)

// leaked is the longest piece of the secret that still stands in the text, when
// it is long enough to matter.
func leaked(text, secret string) string {
	const enough = 6
	text = markers.ReplaceAllString(text, "<>")
	for n := len(secret); n >= enough; n-- {
		for i := 0; i+n <= len(secret); i++ {
			if strings.Contains(text, secret[i:i+n]) {
				return secret[i : i+n]
			}
		}
	}
	return ""
}

func mustText(t *testing.T, s string) string {
	t.Helper()
	clean, _, err := redact.Text(s)
	if err != nil {
		t.Fatalf("Text: %v", err)
	}
	return clean
}

func TestH2_PlantedSecretsNeverSurvive(t *testing.T) {
	for seed := range uint64(2) {
		for _, p := range plant(seed + 1) {
			for _, place := range places {
				t.Run(fmt.Sprintf("%s/%s/%d", p.kind, place.name, seed), func(t *testing.T) {
					checkPlanted(t, p, place.text)
				})
			}
		}
	}
}

func checkPlanted(t *testing.T, p planted, place func(string) string) {
	t.Helper()
	whole := place(p.text)
	clean, hits, err := redact.Text(whole)
	if err != nil {
		t.Fatal(err)
	}
	if l := leaked(clean, p.secret); l != "" {
		t.Fatalf("whole: %q of %q survives in %q", l, whole, clean)
	}
	if len(hits) == 0 || !strings.Contains(clean, "[redacted:") {
		t.Fatalf("whole: no visible marker in %q", clean)
	}
	if !redact.Contains(whole) || redact.Contains(clean) {
		t.Fatalf("Contains is wrong about %q or %q", whole, clean)
	}
	at := strings.Index(p.text, p.secret)
	for _, cut := range []int{at + len(p.secret)/2, at + len(p.secret)/3, at + len(p.secret)*3/4, at + 3} {
		checkSplit(t, p, place, cut)
	}
}

func checkSplit(t *testing.T, p planted, place func(string) string, cut int) {
	t.Helper()
	for name, sep := range map[string]string{"line": "\n", "indented": "  \n    ", "continued": "\\\n"} {
		broken := place(p.text[:cut] + sep + p.text[cut:])
		if l := leaked(mustText(t, broken), p.secret); l != "" {
			t.Errorf("%s: %q of %q survives in %q", name, l, broken, mustText(t, broken))
		}
	}
	whole := place(p.text)
	i := strings.Index(whole, p.text)
	if i < 0 { // written with escapes
		return
	}
	parts := []string{"An earlier part.", whole[:i+cut], whole[i+cut:], "A later part."}
	clean, hits, err := redact.Parts(parts)
	if err != nil || len(clean) != len(parts) {
		t.Fatalf("Parts: %d parts, %v", len(clean), err)
	}
	if l := leaked(strings.Join(clean, "\n"), p.secret); l != "" {
		t.Errorf("parts: %q of %q survives in %q", l, parts, clean)
	}
	for _, h := range hits {
		if h.Start < 0 || h.End > len(parts[h.Part]) || h.Start >= h.End {
			t.Errorf("parts: hit out of its part: %+v of %q", h, parts)
		}
	}
	if clean[0] != parts[0] || clean[3] != parts[3] {
		t.Errorf("parts: an ordinary part was touched: %q", clean)
	}
}

// TestH2_SplitAnywhere cuts each secret, with the name before it, at every
// place.
func TestH2_SplitAnywhere(t *testing.T) {
	for i, p := range plant(11) {
		for cut := 1; cut < len(p.text); cut++ {
			broken := places[(i+cut)%len(places)].text(p.text[:cut] + "\n" + p.text[cut:])
			if l := leaked(mustText(t, broken), p.secret); l != "" {
				t.Errorf("%s at %d: %q of %q survives in %q", p.kind, cut, l, broken, mustText(t, broken))
			}
		}
	}
}

func TestH2_SplitOverManyLines(t *testing.T) {
	for _, p := range plant(12) {
		at := strings.Index(p.text, p.secret)
		third := len(p.secret) / 3
		lines := []string{"use " + p.text[:at+third], p.secret[third : 2*third], p.secret[2*third:] + p.text[at+len(p.secret):] + " now"}
		if clean := mustText(t, strings.Join(lines, "\n")); leaked(clean, p.secret) != "" {
			t.Errorf("%s in three lines: %q became %q", p.kind, lines, clean)
		}
		clean, _, err := redact.Parts(lines)
		if err != nil || leaked(strings.Join(clean, "\n"), p.secret) != "" {
			t.Errorf("%s in three parts: %q became %q (%v)", p.kind, lines, clean, err)
		}
	}
}

// A secret of bounded length that is split, with a word on the line after it.
func TestH2_SplitBeforeAWord(t *testing.T) {
	n := &noise{state: 77}
	for _, p := range plant(5) {
		if p.secret != p.text || len(p.secret) < 24 {
			continue
		}
		for _, tail := range []string{"\nexit 0", "\n> end\n", "\nend", "\nzebra9 crossing"} {
			cut := 8 + n.intn(len(p.secret)-16)
			clean, hits, err := redact.Text("saw " + p.secret[:cut] + "\n> " + p.secret[cut:] + tail)
			if err != nil || len(hits) == 0 || strings.Contains(clean, p.secret[cut:]) {
				t.Errorf("%s, cut at %d, before %q: %q, %v", p.kind, cut, tail, clean, err)
			}
		}
	}
}

func TestCommandLines(t *testing.T) {
	secret := "hunter" + "Zx9!" + "42qW"
	for _, s := range []string{
		"curl -u dev:" + secret + " https://api.example.net", "curl -s --user dev:" + secret + " https://api.example.net/x", "mysql -h db -u root -p" + secret + " app",
		"sshpass -p " + secret + " ssh dev@host", "docker login -u dev -p " + secret, "redis-cli -h cache -a " + secret + " ping", "PGPASSWORD=" + secret + " psql -h db",
		"psql --password=" + secret, "mongo --password '" + secret + "'", "the password is " + secret + ", keep it", `{"password": "` + secret + `"}`, `{\"password\":\"` + secret + `\"}`,
		"пароль: " + secret, "パスワード: " + secret, "Passwort = " + secret, "https://x.example/?password=" + secret, "password%3D" + secret,
	} {
		if clean := mustText(t, s); leaked(clean, secret) != "" {
			t.Errorf("%q became %q", s, clean)
		}
	}
	for _, s := range []string{"docker run -u 1000:1000 -p 8080:80 app", "mkdir -p internal/store2", "curl -u $USER:$PASS https://x.example", "ssh -p 2222 dev@host"} {
		if clean := mustText(t, s); clean != s {
			t.Errorf("touched: %q became %q", s, clean)
		}
	}
}

func TestH2_KindsAreEnough(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range redact.Rules() {
		ids[r.ID] = true
		if _, err := regexp.Compile(r.Pattern); err != nil {
			t.Errorf("rule %s: %v", r.ID, err)
		}
		if r.Note == "" || len(r.Keywords) == 0 || !strings.HasPrefix(r.Pattern, "^") {
			t.Errorf("rule %s lacks a note, a keyword or an anchor", r.ID)
		}
		for _, k := range r.Keywords {
			if k == "" || strings.ContainsAny(k, uppers) {
				t.Errorf("rule %s: keyword %q is not lower case", r.ID, k)
			}
		}
	}
	if len(ids) < 40 {
		t.Errorf("%d kinds, want 40 at least", len(ids))
	}
}

func TestH2_PrivateKeyBlocks(t *testing.T) {
	for seed := range uint64(2) {
		for name, lines := range plantBlocks(seed + 1) {
			forms := map[string][]string{
				"plain":          {"Here is the key:\n" + strings.Join(lines, "\n") + "\nUse it."},
				"indented":       {"key: |\n    " + strings.Join(lines, "\n    ") + "\nport: 22"},
				"json":           {`{"type":"service_account","private_key":"` + strings.Join(lines, `\n`) + `\n","x":1}`},
				"crlf":           {strings.Join(lines, "\r\n")},
				"one line":       {"KEY=\"" + strings.Join(lines, " ") + "\""},
				"two parts":      {"a " + strings.Join(lines[:4], "\n"), strings.Join(lines[4:], "\n") + " b"},
				"cut in header":  {"a " + lines[0][:14], lines[0][14:] + "\n" + strings.Join(lines[1:], "\n")},
				"no end":         {"cat id_rsa\n" + strings.Join(lines[:6], "\n")},
				"no begin":       {"... " + "\n" + strings.Join(lines[2:], "\n") + "\nok"},
				"many parts":     lines,
				"box":            {"│ " + strings.Join(lines, " │\n│ ") + " │"},
				"mail quote":     {"> " + strings.Join(lines, "\n> ")},
				"string literal": {"k := \"" + strings.Join(lines, "\\n\" +\n\t\"") + "\""},
			}
			for form, parts := range forms {
				t.Run(fmt.Sprintf("%s/%s/%d", name, form, seed), func(t *testing.T) {
					clean, _, err := redact.Parts(parts)
					if err != nil {
						t.Fatal(err)
					}
					out := strings.Join(clean, "\n")
					body := lines[1 : len(lines)-1]
					if form == "no begin" {
						body = lines[2 : len(lines)-1]
					}
					for _, l := range body {
						if got := leaked(out, l); len(got) > 6 {
							t.Errorf("%q survives in %q", got, out)
						}
					}
				})
			}
		}
	}
}

func TestOrdinaryTextIsNotTouched(t *testing.T) {
	n := &noise{state: 99}
	for _, s := range []string{
		"", "ok", "The fix is in commit " + n.of(hexa, 40) + ", see PR #12.",
		"session ses_" + n.of(alnum, 26) + " message msg_" + n.of(alnum, 26),
		"id 550e8400-e29b-41d4-a716-446655440000, digest sha256:" + n.of(hexa, 64),
		"![logo](data:image/png;base64,iVBORw0KGgo" + n.of(base64, 400) + "==)",
		`"integrity": "sha512-` + n.of(base64, 86) + `=="`,
		"OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx", "ANTHROPIC_API_KEY=YOUR_API_KEY", "curl -H \"Authorization: Bearer $TOKEN\"",
		"Authorization: Bearer <token>", "password: ${DB_PASSWORD}", `apiKey: "{env:OPENAI_API_KEY}"`, "api_key = os.environ['API_KEY']",
		"token := strings.TrimSpace(line)", "secret: string", "password: z.string().min(8)", "const token = await getToken(user)",
		"max_tokens=4096, token_count: 12345678", "The password is required and the token is invalid.", "tokens used: 12,345",
		"task-list-with-a-very-long-kebab-name-for-css-2", "https://example.net:8080/a/@scope/b", "http://localhost:3000/@vite/client",
		"git@github.com:team/app.git", "ssh://git@example.net:22/team/app.git", "postgres://localhost:5432/app", "postgres://user:password@localhost/app",
		"sk-" + "proj-your-key-here", "gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "type=\"password\" name=\"password\"",
		"Set the cookie banner to hidden.", "The basic authentication flow was kept.", "bearer of good news", "pwd: /home/dev/app",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
		"func TestParseTokenizerWithUnicodeSupport2(t *testing.T)", "go: downloading golang.org/x/text v0.44.0 h1:" + n.of(base64, 43) + "=",
		"AWS_SECRET_ACCESS_KEY is not set", "see docs.example.net/secrets/rotation-2024", "const secretName = \"my-app-secret-1\"",
		"[redacted:github-token] stays", "C:\\new\\table\\readme", "token: Token", "accessToken: result.accessToken,", "credentials: \"same-origin\"",
		"password: userPassword,", "if password == oldPassword {", "api_key: str = Field(...)", "secretKeyRef:\n  name: app-secrets\n  key: token",
	} {
		if got := mustText(t, s); got != s {
			t.Errorf("touched: %q became %q", s, got)
		}
	}
}

func TestOrdinaryGeneratedTexts(t *testing.T) {
	n := &noise{state: 4242}
	words := strings.Fields(`the fix parser token session key config deploy secret test build commit branch password header cookie
		server client request response index file module package release cache store record user login auth api update remove
		rename moves returns handles wraps prints opens closes flag value field note review merge rebase`)
	pick := func() string { return words[n.intn(len(words))] }
	makers := []func() string{
		func() string { return n.of(hexa, 40) },
		func() string { return n.of(hexa, 7) },
		func() string { return "sha256:" + n.of(hexa, 64) },
		func() string { return n.of(hexa, 32) },
		func() string {
			return n.of(hexa, 8) + "-" + n.of(hexa, 4) + "-4" + n.of(hexa, 3) + "-a" + n.of(hexa, 3) + "-" + n.of(hexa, 12)
		},
		func() string { return "ses_" + n.of(alnum, 26) },
		func() string { return "msg_" + n.of(hexa, 12) + n.of(alnum, 14) },
		func() string { return "toolu_" + n.of(alnum, 24) },
		func() string { return "call_" + n.of(alnum, 24) },
		func() string { return pick() + "_" + pick() + "_" + pick() + "_" + n.of(digits, 3) },
		func() string {
			return strings.Title(pick()) + strings.Title(pick()) + strings.Title(pick()) + "Handler" + n.of(digits, 1) //nolint:staticcheck // ASCII words
		},
		func() string { return pick() + "-" + pick() + "-" + pick() + "-" + n.of(hexa, 8) },
		func() string { return "internal/" + pick() + "/" + pick() + "_test.go:" + n.of("123456789", 3) },
		func() string {
			return "https://example.net/" + pick() + "/" + n.of(hexa, 24) + "?v=" + n.of(digits, 10)
		},
		func() string { return "data:image/png;base64," + n.of(base64, 200) + "=" },
		func() string { return "h1:" + n.of(base64, 43) + "=" },
		func() string { return "v1.2.3-0.2026030112" + n.of(digits, 4) + "-" + n.of(hexa, 12) },
		func() string { return "01" + n.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24) },
		func() string { return "chatcmpl-" + n.of(alnum, 29) },
		func() string { return "2026-03-01T10:0" + n.of(digits, 1) + ":00.123Z" },
		func() string { return nearMisses[n.intn(len(nearMisses))] },
		func() string { return nearMisses[n.intn(len(nearMisses))] + "." },
		func() string { return "**" + pick() + "** `" + pick() + "_" + n.of(digits, 2) + "`" },
	}
	const texts = 1000
	touched := 0
	for range texts {
		var b strings.Builder
		for range 12 + n.intn(20) {
			if n.intn(3) == 0 {
				b.WriteString(makers[n.intn(len(makers))]())
			} else {
				b.WriteString(pick())
			}
			b.WriteString([]string{" ", " ", " ", " ", " ", " ", " ", "\n", "\n", ", ", ": ", " = "}[n.intn(12)])
		}
		s := b.String()
		if got := mustText(t, s); got != s {
			touched++
			if touched < 30 {
				_, hits, _ := redact.Text(s)
				t.Logf("touched: %+v %q", hits, s[max(0, hits[0].Start-40):hits[0].End])
			}
		}
	}
	t.Logf("%d of %d touched", touched, texts)
	if touched > texts/100 {
		t.Errorf("%d of %d ordinary texts touched, at most 1 %% may be", touched, texts)
	}
}

func TestFailsClosed(t *testing.T) {
	big := strings.Repeat("a", redact.MaxBytes+1)
	clean, hits, err := redact.Text(big)
	if !errors.Is(err, redact.ErrTooLarge) || clean != "" || hits != nil {
		t.Errorf("too large: %d bytes, %d hits, %v", len(clean), len(hits), err)
	}
	half := big[:redact.MaxBytes/2+1]
	parts, _, err := redact.Parts([]string{half, half})
	if !errors.Is(err, redact.ErrTooLarge) || parts != nil {
		t.Errorf("parts too large: %d parts, %v", len(parts), err)
	}
	if !redact.Contains(big) {
		t.Error("Contains must not call a text clean that it cannot look at")
	}
}

func TestHitsPointAtTheSecret(t *testing.T) {
	secret := "gl" + "pat-" + "Ab3dEf6hIj9lMn2pQr5t"
	text := "ключ " + secret + " здесь"
	_, hits, err := redact.Text(text)
	if err != nil || len(hits) != 1 {
		t.Fatalf("%v %v", hits, err)
	}
	if h := hits[0]; text[h.Start:h.End] != secret || h.Rule != "gitlab-token" || h.Part != 0 {
		t.Errorf("hit %+v", h)
	}
}

func TestLabelsNameTheVendor(t *testing.T) {
	want := map[string]string{
		"anthropic": "anthropic-api-key", "openrouter": "openrouter-api-key", "openai project": "openai-api-key", "github ghp": "github-token",
		"aws id": "aws-access-key-id", "stripe": "stripe-key", "jwt": "jwt", "postgres": "url-password", "bearer": "authorization-header", "npm": "npm-token",
	}
	for _, p := range plant(7) {
		rule, ok := want[p.kind]
		if !ok {
			continue
		}
		_, hits, err := redact.Text("x=" + p.text)
		if err != nil || !slices.ContainsFunc(hits, func(h redact.Hit) bool { return h.Rule == rule }) {
			t.Errorf("%s: %v, %v, want %s", p.kind, hits, err, rule)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, p := range plant(3) {
		f.Add(places[2].text(p.text), len(p.text)/2)
		f.Add(p.text[:len(p.text)/2]+"\n"+p.text[len(p.text)/2:], 3)
	}
	for _, split := range splits {
		f.Add("use "+split.text("gh"+"p_A1b2C3d4", "E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")+" now", 9)
	}
	for _, s := range nearMisses {
		f.Add(s, 4)
	}
	for _, b := range plantBlocks(3) {
		f.Add(strings.Join(b, "\n"), 100)
		f.Add("-"+strings.Join(b, "\n-"), 100)
		f.Add("a.pem:1:"+strings.Join(b[2:], "\na.pem:1:"), 100)
	}
	for i, p := range plant(4) {
		f.Add(around[i%len(around)].text(p.text), 12)
		f.Add(written[i%len(written)].text(p.text), 12)
	}
	for i, form := range forms(f, 5) {
		f.Add(form.text, i%40)
	}
	f.Add("[redacted:github-token]password=[redacted:jwt]abc\\n\\", 5)
	f.Fuzz(func(t *testing.T, s string, cut int) {
		clean, hits, err := redact.Text(s)
		if err != nil {
			return
		}
		for _, h := range hits {
			if h.Start < 0 || h.Start >= h.End || h.End > len(s) {
				t.Fatalf("hit %+v of %d bytes", h, len(s))
			}
		}
		again, more, err := redact.Text(clean)
		if err != nil || len(more) > 0 || again != clean {
			t.Fatalf("not idempotent: %q, then %q (%v, %v)", clean, again, more, err)
		}
		if cut < 0 || cut > len(s) {
			return
		}
		parts, _, err := redact.Parts([]string{s[:cut], s[cut:]})
		if err != nil {
			return
		}
		if _, more, err := redact.Parts(parts); err != nil || len(more) > 0 {
			t.Fatalf("parts not idempotent: %q (%v, %v)", parts, more, err)
		}
	})
}

func BenchmarkText(b *testing.B) {
	n := &noise{state: 5}
	var sb strings.Builder
	for sb.Len() < 1<<20 {
		sb.WriteString("The parser test in internal/store/store_test.go:12 failed at commit " + n.of(hexa, 40) + ".\n")
		sb.WriteString(`{"id":"msg_` + n.of(alnum, 26) + `","role":"assistant","tokens":{"input":1200,"output":88}}` + "\n")
		sb.WriteString("    if err := s.put(ctx, key, value); err != nil { return fmt.Errorf(\"put: %w\", err) }\n")
	}
	text := sb.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := redact.Text(text); err != nil {
			b.Fatal(err)
		}
	}
}

// A text with much of what a reader does not see, and with addresses.
func BenchmarkMarkedText(b *testing.B) {
	n := &noise{state: 6}
	var sb strings.Builder
	for sb.Len() < 1<<20 {
		sb.WriteString("\x1b[32mok\x1b[0m  see **`internal/store`** and https://example.net/a%20b/" + n.of(hexa, 24) + "?q=%22x%22, or [docs](docs/x.md)[1].\n")
		sb.WriteString(`{"out":"\u003cp\u003e a\/b \u001b[1mx\u001b[0m \"y\"","id":"msg_` + n.of(alnum, 26) + `"}` + "\n")
		sb.WriteString("+\tif err := s.put(ctx, m[key], value); err != nil { return fmt.Errorf(\"put %d%%: %w\", n, err) }\n-\tx = y[0] &amp; z\n")
	}
	text := sb.String()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := redact.Text(text); err != nil {
			b.Fatal(err)
		}
	}
}
