package engine_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store/memory"
)

// wide gives the full-width form of ASCII.
func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r + 0xfee0
		}
		return r
	}, s)
}

// A key that markup, escapes or line breaks hold apart is together where it is
// shown: no piece of it may be in a result, in the store or in a turn.
func TestH2_SplitKeysStayOut(t *testing.T) {
	key := "gh" + "p_" + "A1b2C3d4E5f6G7h8" + "I9j0K1l2M3n4O5p6Q7r8"
	model := "sk" + "-ant-" + "api03-" + strings.Repeat("Zx9Yw8Vu7", 10) + "AA"
	for name, split := range map[string]func(a, b string) string{
		"whole":      func(a, b string) string { return a + b },
		"bold":       func(a, b string) string { return a + "**" + b + "**" },
		"italic":     func(a, b string) string { return "*" + a + "*" + b },
		"underlined": func(a, b string) string { return "__" + a + "__" + b },
		"code":       func(a, b string) string { return a + "`" + b + "`" },
		"both":       func(a, b string) string { return "**" + a + "**`" + b + "`" },
		"escape":     func(a, b string) string { return a + "\x1b[1m" + b + "\x1b[0m" },
		"zero width": func(a, b string) string { return a + "\u200b" + b },
		"hyphen":     func(a, b string) string { return a + "\u00ad" + b },
		"control":    func(a, b string) string { return a + "\x07" + b },
		"nul":        func(a, b string) string { return a + "\x00" + b },
		"tag":        func(a, b string) string { return a + "<b>" + b + "</b>" },
		"entity":     func(a, b string) string { return strings.Replace(a, "_", "&#95;", 1) + b },
		"backslash":  func(a, b string) string { return strings.Replace(a, "_", `\_`, 1) + b },
		"link":       func(a, b string) string { return "[" + a + "](" + b + ")" },
		"literals":   func(a, b string) string { return `"` + a + `" + "` + b + `"` },
		"full width": func(a, b string) string { return wide(a + b) },
		"line":       func(a, b string) string { return a + "\n" + b },
		"lines":      func(a, b string) string { return a + "\n    " + b[:10] + "\n    " + b[10:] },
		"blank":      func(a, b string) string { return a + " " + b },
	} {
		for _, secret := range []string{key, model} {
			for _, cut := range []int{12, 20} {
				t.Run(name, func(t *testing.T) {
					broken := split(secret[:cut], secret[cut:])
					src := newSource(recap.Claude, "/homes/claude")
					m := talk("aaa", "use "+broken+" for the upload", "It uses "+broken+" now. Shall I keep "+broken+"?")
					m[1].Parts = append(m[1].Parts, recap.Part{Kind: recap.PartTool, Tool: &recap.Tool{
						Kind: recap.ToolCommand, Status: recap.ToolDone, Command: "git commit -m 'use " + broken + "'", Output: "[main abc1234] use " + broken + "\n 1 file changed", At: noon,
					}})
					s := src.add("aaa", "/home/dev/src/shop", time.Hour, m...)
					src.change("aaa", func(x *recap.Session) {
						x.Title, x.WaitingFor, x.Branch = "use "+broken+" for it", broken, "feat/"+broken
					})
					s = src.sessions[s.Ref.ID]
					w := newWorld(t, nil, []agent.Source{src}...)
					res := w.Recap(t.Context(), s)
					if res.Record == nil {
						t.Fatalf("no record: %v", res.Err)
					}
					stored, err := w.store.Record(t.Context(), s.Ref)
					if err != nil {
						t.Fatal(err)
					}
					d, _, err := w.Turns(t.Context(), s)
					if err != nil {
						t.Fatal(err)
					}
					line, err := engine.CleanLine(s.Title)
					if err != nil {
						t.Fatal(err)
					}
					for what, x := range map[string]any{"result": res, "store": stored, "turns": d, "line": line, "session": w.Clean(s)} {
						noPiece(t, what, x, secret)
					}
				})
			}
		}
	}
}

// noPiece looks for eight characters of a secret in all texts of x.
func noPiece(t *testing.T, what string, x any, secret string) {
	t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Map(func(r rune) rune {
		if r > 0xff00 && r < 0xff5f {
			return r - 0xfee0
		}
		return r
	}, string(b))
	for i := len("sk-ant-"); i+8 <= len(secret); i++ {
		if piece := secret[i : i+8]; strings.Contains(text, piece) {
			at := strings.Index(text, piece)
			t.Errorf("%s holds %q: …%s…", what, piece, text[max(0, at-60):min(len(text), at+60)])
			return
		}
	}
}

// An id is shown, stored and logged as it is: a session whose id is a key is
// left out, and told of without it.
func TestH2_AnIDThatIsAKey(t *testing.T) {
	key := "gh" + "p_" + "A1b2C3d4E5f6G7h8" + "I9j0K1l2M3n4O5p6Q7r8"
	src := newSource(recap.Claude, "/homes/claude")
	src.add(key, "/home/dev/src/shop", time.Hour, talk("a", loginAsk, loginAnswer)...)
	src.add("0196f2a1-7c3d-7e52-9b41-5d2f8a7c6e10", "/home/dev/src/shop", time.Hour, talk("b", loginAsk, loginAnswer)...)
	src.add("ses_dd5ad6c4effeQ7r8S9t0U1v2W3", "/home/dev/src/shop", time.Hour, talk("c", loginAsk, loginAnswer)...)
	src.add("my-session-2", "/home/dev/src/shop", time.Hour, talk("d", loginAsk, loginAnswer)...)
	e := engine.New(engine.Options{Sources: []agent.Source{src}, Store: memory.New(), Now: func() time.Time { return noon }})
	l, err := e.Sessions(t.Context(), engine.Query{})
	if err != nil || len(l.Sessions) != 3 || len(l.Problems) != 1 {
		t.Fatalf("%d sessions, problems %v, %v", len(l.Sessions), l.Problems, err)
	}
	out, err := json.Marshal(l)
	if err != nil || strings.Contains(string(out), key[4:]) {
		t.Errorf("the key is in %s, %v", out, err)
	}
}

// What is taken out of a person's words, or cut from a long text, may be the
// part by which a key is known: the prompt holds no piece of it all the same.
func TestH2_WhatIsLeftOfAKeyStaysOut(t *testing.T) {
	hash := func(seed, n int) string {
		const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
		var b strings.Builder
		for i := range n {
			seed = (seed*1103515245 + 12345 + i) & 0x7fffffff
			b.WriteByte(letters[seed>>8%len(letters)])
		}
		return b.String()
	}
	long := strings.Repeat("The page keeps its values after a failed attempt. ", 500)
	for name, c := range map[string]func(key string) (asked, answered string, secret string){
		"URL over two lines": func(k string) (string, string, string) {
			return "Call https://api.example.com/v1?api_key=" + k[:20] + "\n" + k[20:] + " and tell me what it says.", "", k
		},
		"indented": func(k string) (string, string, string) {
			return "Use https://oauth2:" + k[:12] + "\n    " + k[12:] + "@git.example.com/x.git for it.", "", k
		},
		"continued": func(k string) (string, string, string) {
			return "Call https://api.example.com/v1?access_token=" + k[:20] + "\\\n" + k[20:] + " then.", "", k
		},
		"named in a span": func(k string) (string, string, string) {
			return "The `password`: " + k + " is the one, log in with it.", "", k
		},
		"set in a span": func(k string) (string, string, string) {
			return "Use `OPENAI_API_KEY`=" + k + " for the calls, please.", "", k
		},
		"named in a block": func(k string) (string, string, string) {
			return "It is this:\n```\nexport API_TOKEN=\n```\n" + k + "\nplease use it from now on.", "", k
		},
		"two parts": nil,
		"cut at the tail": func(k string) (string, string, string) {
			return long[:8999] + " gh" + "p_" + k[:36] + " " + long[:3970], "", k[:36]
		},
		"cut at the head": func(k string) (string, string, string) {
			return long[:3969] + " gh" + "p_" + k[:36] + " " + long[:9000], "", k[:36]
		},
		"cut in the answer": func(k string) (string, string, string) {
			return loginAsk, long[:9000] + long[:8999] + " gh" + "p_" + k[:36] + " " + long[:7960], k[:36]
		},
		"head of the answer": func(k string) (string, string, string) {
			return loginAsk, long[:7969] + " gh" + "p_" + k[:36] + " " + long[:18000], k[:36]
		},
	} {
		for seed := range 4 {
			for shift := range 8 {
				key := hash(100*seed+7, 44)
				asked, answered, secret := "", "", key
				if c == nil {
					asked = "Call https://api.example.com/v1?api_key=" + key[:20]
				} else {
					asked, answered, secret = c(key)
				}
				// Move what is cut over the cut.
				asked = strings.Repeat("x", 5*shift) + " " + asked
				if answered == "" {
					answered = loginAnswer
				} else {
					answered = strings.Repeat("y", 5*shift) + " " + answered
				}
				m := login("a", edit("src/login.go"))
				m[0].Parts[0].Text = asked
				if c == nil {
					m[0].Parts = append(m[0].Parts, recap.Part{Kind: recap.PartText, Text: key[20:] + " and tell me what it says."})
				}
				last := len(m) - 1
				m[last].Parts[len(m[last].Parts)-1].Text = answered
				a := newAsker(t, says(trueReply), nil, m...)
				p := a.Plan(t.Context(), a.s, engine.Ask{Fields: all()})
				if p.Err != nil || p.Prompt.User == "" {
					t.Fatalf("%s: %v", name, p.Err)
				}
				noPiece(t, name, p.Prompt.User, "sk-ant-"+secret)
				res := a.Recap(t.Context(), a.s)
				noPiece(t, name, res, "sk-ant-"+secret)
			}
		}
	}
}
