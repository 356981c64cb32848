package redact_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sessionrecap/recap/redact"
)

// around are what stands right before and after a secret where people copy it
// from, and how it is written there.
var around = []struct {
	name string
	text func(string) string
}{
	{"added line", func(s string) string { return "@@ -1,2 +1,2 @@\n context\n+" + s + "\n context" }},
	{"removed line", func(s string) string { return "@@ -1,2 +1,2 @@\n context\n-" + s + "\n context" }},
	{"both lines", func(s string) string { return "-" + s + "\n+" + s + "\n" }},
	{"first line added", func(s string) string { return "+" + s }},
	{"dot", func(s string) string { return "." + s }},
	{"digit and dot", func(s string) string { return "1." + s }},
	{"quoted line", func(s string) string { return "He wrote:\n>" + s + "\n> and more" }},
	{"box", func(s string) string { return "|" + s + "|" }},
	{"double quotes", func(s string) string { return `say("` + s + `")` }},
	{"single quotes", func(s string) string { return "say('" + s + "')" }},
	{"code", func(s string) string { return "run `" + s + "` now" }},
	{"bold", func(s string) string { return "run **" + s + "** now" }},
	{"brackets", func(s string) string { return "[" + s + "] (" + s + ") {" + s + "} <" + s + ">" }},
	{"equals", func(s string) string { return "VALUE=" + s }},
	{"colon", func(s string) string { return "value:" + s }},
	{"comma", func(s string) string { return "a," + s + ",b" }},
	{"grep", func(s string) string { return "src/app.env:12:" + s }},
	{"grep context", func(s string) string { return "src/app.env-12-" + s }},
	{"numbered", func(s string) string { return "    12\t" + s }},
	{"numbered by an arrow", func(s string) string { return "    12→" + s }},
	{"blame", func(s string) string { return "^a1b2c3d (Dev 2026-01-02 10:00:00 +0000 12) " + s }},
	{"log", func(s string) string { return "2026-03-01T10:00:00Z stdout F " + s }},
	{"time", func(s string) string { return "[10:00:00]" + s }},
	{"zero width", func(s string) string { return "x\u200b" + s + "\u200by" }},
	{"mark of order", func(s string) string { return "\ufeff" + s }},
	{"no-break space", func(s string) string { return "x\u00a0" + s + "\u00a0y" }},
	{"Chinese", func(s string) string { return "使用" + s + "部署" }},
	{"full-width colon", func(s string) string { return "值：" + s + "，好" }},
	{"Russian", func(s string) string { return "ключ«" + s + "»здесь" }},

	{"color", func(s string) string { return "\x1b[32m" + s + "\x1b[0m" }},
	{"color behind a word", func(s string) string { return "ok\x1b[1;32m" + s + "\x1b[0mok" }},
	{"color of 256", func(s string) string { return "ok\x1b[38;5;2m" + s + "\x1b[0m" }},
	{"color, ESC lost", func(s string) string { return "[32m" + s + "[0m" }},
	{"color in a line, ESC lost", func(s string) string { return "found [32m" + s + "[0m here" }},
	{"bold color, ESC lost", func(s string) string { return "[1;32m" + s + "[0m" }},
	{"color of 256, ESC lost", func(s string) string { return "[38;5;2m" + s + "[39m" }},
	{"color of 24 bits, ESC lost", func(s string) string { return "x[38;2;10;200;30m" + s + "[39m" }},
	{"reset, ESC lost", func(s string) string { return "[m" + s + "[m" }},
	{"match of grep, ESC lost", func(s string) string { return "[01;31m[K" + s + "[m[K" }},
	{"match of grep", func(s string) string { return "\x1b[01;31m\x1b[K" + s + "\x1b[m\x1b[K" }},
	{"section of a pipeline, ESC lost", func(s string) string { return "[0Ksection[0K" + s }},
	{"color, caret", func(s string) string { return "^[[32m" + s + "^[[0m" }},
	{"color, JSON", func(s string) string { return `{"out":"\u001b[32m` + s + `\u001b[0m"}` }},
	{"color, JSON twice", func(s string) string { return `{"out":"\\u001b[32m` + s + `\\u001b[0m"}` }},
	{"color, hexadecimal", func(s string) string { return `\x1b[32m` + s + `\x1b[0m` }},
	{"color, octal", func(s string) string { return `echo -e "\033[0;32m` + s + `\033[0m"` }},
	{"color, shell", func(s string) string { return `\e[0;32m` + s + `\e[0m` }},
	{"color, picture", func(s string) string { return "␛[32m" + s + "␛[0m" }},

	{"line of JSON", func(s string) string { return `{"a":"x\n` + s + `\ny"}` }},
	{"line of JSON twice", func(s string) string { return `{"a":"x\\n` + s + `\\ny"}` }},
	{"tab of JSON", func(s string) string { return `{"a":"x\t` + s + `\ty"}` }},
	{"return of JSON", func(s string) string { return `{"a":"x\r\n` + s + `\r\ny"}` }},
	{"quotes of JSON", func(s string) string { return `{"a":"say \"` + s + `\" to"}` }},
	{"quotes of JSON twice", func(s string) string { return `{"a":"say \\\"` + s + `\\\" to"}` }},
	{"escaped and", func(s string) string { return `{"a":"x\u0026` + s + `\u0026y"}` }},
	{"escaped less", func(s string) string { return `{"a":"\u003c` + s + `\u003e"}` }},
	{"escaped equals", func(s string) string { return `{"a":"x\u003d` + s + `"}` }},
	{"hexadecimal equals", func(s string) string { return `x\x3d` + s }},
	{"encoded equals", func(s string) string { return "a%3D" + s + "%26b" }},
	{"encoded quote", func(s string) string { return "a%22" + s + "%22" }},
	{"encoded blank", func(s string) string { return "a%20" + s + "%20b" }},
	{"encoded line", func(s string) string { return "a%0A" + s + "%0Ab" }},
	{"boundary of a pattern", func(s string) string { return `/\b` + s + `\b/` }},
	{"line of PowerShell", func(s string) string { return "\"x`n" + s + "`n\"" }},
	{"printable equals", func(s string) string { return "a=3D" + s + "=20" }},
	{"entity of a quote", func(s string) string { return "a=&quot;" + s + "&quot;" }},
	{"entity by number", func(s string) string { return "a=&#34;" + s + "&#34;" }},
	{"entity of less", func(s string) string { return "&lt;" + s + "&gt;" }},
	{"tags", func(s string) string { return "<b>" + s + "</b>" }},
	{"comment of a shell", func(s string) string { return "#" + s }},
	{"comment of code", func(s string) string { return "//" + s }},
	{"option", func(s string) string { return "--value=" + s }},
	{"variable", func(s string) string { return "$X=" + s + ";" }},
	{"mail", func(s string) string { return "@" + s }},
}

// written are other spellings of a whole text.
var written = []struct {
	name string
	text func(string) string
}{
	{"percent", url.QueryEscape},
	{"percent of a path", url.PathEscape},
	{"percent twice", func(s string) string { return url.PathEscape(url.PathEscape(s)) }},
	{"slashes", func(s string) string { return strings.ReplaceAll(s, "/", `\/`) }},
	{"JSON of Go", func(s string) string {
		return strings.NewReplacer("&", `\u0026`, "<", `\u003c`, ">", `\u003e`, "=", `\u003d`, "@", `\u0040`, ":", `\u003a`, "/", `\u002f`).Replace(s)
	}},
	{"entities", func(s string) string {
		return strings.NewReplacer("&", "&amp;", "=", "&#61;", "@", "&#64;", ":", "&#58;", "/", "&#x2F;", `"`, "&quot;").Replace(s)
	}},
	{"printable", func(s string) string { return strings.ReplaceAll(s, "=", "=3D") }},
	{"JSON of Python", func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			if u < 0x80 {
				b.WriteByte(byte(u))
			} else {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
		return b.String()
	}},
	{"hexadecimal", func(s string) string {
		return strings.NewReplacer("=", `\x3d`, "@", `\x40`, ":", `\x3a`, "/", `\x2f`, "_", `\x5f`, "-", `\x2D`).Replace(s)
	}},
	{"Markdown", func(s string) string { return strings.NewReplacer("_", `\_`, "-", `\-`, "*", `\*`).Replace(s) }},
}

// runs are the pieces of a secret that no spelling changes.
var runs = regexp.MustCompile(`[A-Za-z0-9]{6,}`)

// atURLs are the ends of addresses whose password holds an at sign.
func atURLs(n *noise) []planted {
	var out []planted
	for _, u := range []struct{ before, after string }{
		{"postgres" + "://app:", "@db.example.com:5432/shop"},
		{"https" + "://bob:", "@git.example.com/x.git"},
		{"redis" + "://:", "@cache:6379/0"},
		{"mysql" + "://root:", "@db:3306/x"},
		{"amqp" + "://guest:", "@mq:5672/"},
		{"smtp" + "://bob@corp.example.com:", "@mail.example.com:587"},
		{"mongodb+srv" + "://svc:", "@c0.example.net,c1.example.net/?retryWrites=true"},
	} {
		for _, secret := range []string{n.of(alnum, 5) + "@" + n.of(alnum, 7), "p@" + n.of(alnum, 7), "@" + n.of(alnum, 9) + "@" + n.of(alnum, 6), n.of(alnum, 8) + "@" + n.of(alnum, 3) + "@" + n.of(alnum, 6)} {
			out = append(out, planted{"at in " + u.before, u.before + secret + u.after, secret})
		}
	}
	return out
}

func TestH2_WhateverStandsAround(t *testing.T) {
	n := &noise{state: 61}
	for _, p := range append(plant(21), atURLs(n)...) {
		t.Run(p.kind, func(t *testing.T) {
			for _, a := range around {
				in := a.text(p.text)
				clean, _, err := redact.Text(in)
				if err != nil {
					t.Fatal(err)
				}
				if l := leaked(clean, p.secret); l != "" {
					t.Errorf("%s: %q of %q survives in %q", a.name, l, in, clean)
				}
			}
		})
	}
}

func TestH2_HoweverItIsWritten(t *testing.T) {
	n := &noise{state: 62}
	for _, p := range append(plant(22), atURLs(n)...) {
		t.Run(p.kind, func(t *testing.T) {
			for _, w := range written {
				if w.name == "percent" && (p.kind == "flag" || p.kind == "netrc") { // words with a plus between them
					continue
				}
				for _, in := range []string{w.text(p.text), "x " + w.text(p.text) + " y", `{"a":"` + w.text(p.text) + `"}`, "+" + w.text(p.text)} {
					clean, _, err := redact.Text(in)
					if err != nil {
						t.Fatal(err)
					}
					for _, piece := range runs.FindAllString(p.secret, -1) {
						if l := leaked(clean, piece); l != "" {
							t.Errorf("%s: %q of %q survives in %q", w.name, l, in, clean)
						}
					}
				}
			}
		})
	}
}

func TestH2_TellingsWhateverStandsAround(t *testing.T) {
	secret := "Tr0ub4dor" + "3xx"
	for _, s := range tellings(secret, "Tr0ub4dor"+"&3") {
		for _, a := range around {
			if a.name == "brackets" || a.name == "printable equals" && strings.Contains(s, "moje") { // the same sentence four times; a word before it
				continue
			}
			if clean := mustText(t, a.text(s)); strings.Contains(clean, secret[:6]) {
				t.Errorf("%s: %q became %q", a.name, a.text(s), clean)
			}
		}
		for _, w := range written {
			if w.name == "percent" || w.name == "Markdown" && strings.HasPrefix(s, "<") { // a plus for a blank; no markup
				continue
			}
			if clean := mustText(t, w.text(s)); strings.Contains(clean, secret[:6]) {
				t.Errorf("%s: %q became %q", w.name, w.text(s), clean)
			}
		}
	}
}

// A key goes on on the next line, behind the sign that each line begins with.
func TestH2_GoesOnBehindASign(t *testing.T) {
	n := &noise{state: 63}
	for kind, key := range map[string]string{
		"github": "gh" + "p_" + n.of(alnum, 36), "anthropic": "sk" + "-ant-" + "api03-" + n.of(web64, 92) + "3AA", "gitlab": "gl" + "pat-" + n.of(alnum, 19) + "4", "npm": "np" + "m_" + n.of(alnum, 36),
		"jwt": "ey" + "J" + n.of(web64, 33) + ".ey" + "J" + n.of(web64, 60) + "." + n.of(alnum, 43), "aws": "aws_secret" + "_access_key = " + n.of(alnum, 40),
	} {
		for form, text := range map[string]string{
			"added": "+x %s\n+%s\n+y", "removed": "-x %s\n-%s\n-y", "added and indented": "+  x %s\n+    %s\n+y", "added, continued": "+x %s\\\n+%s\n+y", "added, literals": "+x := \"%s\" +\n+\t\"%s\"\n+y",
			"mail": "> x %s\n> %s\n> y", "mail twice": ">> x %s\n>> %s\n>> y", "box": "│ x %s │\n│ %s │", "continued": "x %s\\\n  %s", "windows": "x %s\r\n%s", "soft break": strings.Repeat("=41", 16) + " %s=\r\n%s\r\n", "JSON": `{"d":"@@ -1 +1,2 @@\n+x %s\n+%s\n+y"}`,
		} {
			for _, cut := range []int{len(key) / 2, len(key) * 3 / 4} {
				if form == "soft break" {
					cut = min(cut, 24)
					if cut < 18 || strings.HasPrefix(key, "aws") {
						continue
					}
				}
				in := fmt.Sprintf(text, key[:cut], key[cut:])
				clean := mustText(t, in)
				for _, piece := range runs.FindAllString(key, -1) {
					if l := leaked(clean, piece); l != "" && !strings.Contains("access_key", l) && !strings.Contains("secret", l) {
						t.Errorf("%s, %s: %q survives: %q became %q", kind, form, l, in, clean)
						break
					}
				}
			}
		}
	}
}

func TestH2_BlocksWhateverStandsAround(t *testing.T) {
	for name, lines := range plantBlocks(9) {
		for form, prefix := range map[string]string{
			"added": "+", "removed": "-", "context": " ", "mail": "> ", "tight mail": ">", "mail twice": ">> ", "comment": "# ", "code": "// ", "star": " * ", "added and indented": "+    ", "removed and indented": "-    ",
			"box": "| ", "grep": "id.pem:%d:", "grep context": "id.pem-%d-", "numbered": "  %d\t", "arrow": "   %d→", "log": "2026-03-01T10:00:00Z stdout F ", "blame": "^a1b2c3d (Dev 2026-01-02 10:00:00 +0000 %d) ",
			"color": "\x1b[32m", "color, ESC lost": "[32m", "quote": "\"", "Go": "\t\"", "yaml in a diff": "+      ",
		} {
			for _, cut := range []string{"whole", "no end", "no begin"} {
				t.Run(fmt.Sprintf("%s/%s/%s", name, form, cut), func(t *testing.T) {
					ls := lines
					switch cut {
					case "no end":
						ls = lines[:6]
					case "no begin":
						ls = lines[2:]
					}
					var b strings.Builder
					b.WriteString("seen in the log\n")
					for i, l := range ls {
						p := prefix
						if strings.Contains(p, "%d") {
							p = fmt.Sprintf(p, i+7)
						}
						b.WriteString(p + l)
						switch form {
						case "color":
							b.WriteString("\x1b[0m")
						case "color, ESC lost":
							b.WriteString("[0m")
						case "quote":
							b.WriteString("\\n\"")
						case "Go":
							b.WriteString("\\n\" +")
						}
						b.WriteString("\n")
					}
					b.WriteString("(done here)")
					for _, in := range []string{b.String(), strings.ReplaceAll(b.String(), "\n", "\r\n"), `{"x":"` + strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, "\x1b", `\u001b`, `\`, `\\`).Replace(b.String()) + `"}`} {
						clean := mustText(t, in)
						for _, l := range ls {
							if strings.HasPrefix(l, "---") {
								continue
							}
							if got := leaked(clean, l); len(got) > 6 {
								t.Errorf("%q survives: %q became %q", got, in, clean)
								break
							}
						}
						if !strings.Contains(clean, "(done here)") || !strings.Contains(clean, "seen in") {
							t.Errorf("ordinary lines went: %q", clean)
						}
					}
				})
			}
		}
	}
}
