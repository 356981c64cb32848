package agenttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionrecap/recap/agent"
)

// Secret is a made-up secret in its context.
type Secret struct {
	Kind                  string
	Before, Secret, After string
}

// Secrets makes one secret of each of some kinds, the same for the same seed.
// They are put together from pieces, so that none stands in this file.
func Secrets(seed uint64) []Secret {
	state := seed*2654435761 + 88172645463325252
	next := func(n int) int {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return int(state >> 33 % uint64(n))
	}
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	of := func(chars string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(chars[next(len(chars))])
		}
		return b.String()
	}
	all := digits + lower + upper
	return []Secret{
		{"aws", "", "AK" + "IA" + of(upper+"234567", 16), ""},
		{"github", "", "gh" + "p_" + of(all, 36), ""},
		{"anthropic", "", "sk-" + "ant-api03-" + of(all, 93) + "AA", ""},
		{"google", "", "AI" + "za" + of(all, 35), ""},
		{"slack", "", "xo" + "xb-" + of(digits, 12) + "-" + of(digits, 13) + "-" + of(all, 24), ""},
		{"stripe", "", "sk_" + "live_" + of(all, 24), ""},
		{"jwt", "", "ey" + "J" + of(all, 33) + ".ey" + "J" + of(all, 60) + "." + of(all, 43), ""},
		{"azure", "DefaultEndpointsProtocol=https;AccountName=dev;Account" + "Key=", of(all, 86) + "==", ";EndpointSuffix=core.windows.net"},
		{"url", "postgres" + "://app:", of(all, 20), "@db.internal:5432/app"},
		{"cookie", "Cook" + "ie: sid=", of(all, 32), ""},
		{"netrc", "machine git.example.net login dev pass" + "word ", of(all, 20), ""},
		{"export", `export API_` + `TOKEN="`, of(all, 32), `"`},
		{"bearer", "Authorization: Bea" + "rer ", of(all, 40), ""},
		{"flag", "curl --tok" + "en ", of(all, 40), " https://example.net"},
	}
}

// Split breaks the secret over two lines.
func (s Secret) Split() string {
	h := len(s.Secret) / 2
	return "use this:\n" + s.Before + s.Secret[:h] + "\n" + s.Secret[h:] + s.After + "\nfor the upload"
}

// Across has most of the secret behind the place where a title is cut, after
// lead characters that stand before the text.
func (s Secret) Across(lead int) string {
	const seen = 12
	room := 200 - lead - len(s.Before) - seen
	words := strings.Repeat("see how it goes ", 1+room/16)
	return words[:room-1] + "\n" + s.Before + s.Secret + s.After + "\nfor the upload"
}

// In gives the longest piece of the secret that stands in a text.
func (s Secret) In(text string) string {
	best := ""
	for i := range s.Secret {
		for n := len(best) + 1; i+n <= len(s.Secret) && strings.Contains(text, s.Secret[i:i+n]); n++ {
			best = s.Secret[i : i+n]
		}
	}
	return best
}

// Titled is a source whose agent gives sessions titles and asks before it does
// what a person may not want.
type Titled struct {
	Member
	// Titles give a session a title of its own, one for each place where the
	// agent keeps one.
	Titles map[string]func(t *testing.T, id, title string)
	// Asks have the agent wait for a person: for the approval of a command that
	// its shell tool is to run, for the answer to a question.
	Asks map[string]func(t *testing.T, id string, at time.Time, text string)
}

// RunSecrets fails where a listing shows or remembers a piece of a secret that
// is broken by a line or cut, in a prompt, a title, a command or a question.
func RunSecrets(t *testing.T, m Titled) {
	t.Helper()
	if len(m.Asks) == 0 {
		t.Fatal("every agent asks")
	}
	for _, s := range Secrets(7) {
		for how, text := range map[string]string{
			"split": s.Split(), "cut": s.Across(0), "cut behind a tool": s.Across(len("approval: Bash ")),
			"cut behind another tool": s.Across(len("approval: run_shell_command ")),
		} {
			run := func(place string, put func(t *testing.T, h *home) string) {
				t.Run(s.Kind+", "+how+", "+place, func(t *testing.T) { m.secret(t, s, put) })
			}
			prompt := func(t *testing.T, h *home, text string) string {
				t.Helper()
				id := h.build.Begin(t, work, at(0))
				h.build.Add(t, id, Event{Kind: Prompt, At: at(0), Text: text})
				return id
			}
			for place, ask := range m.Asks {
				run(place, func(t *testing.T, h *home) string {
					id := prompt(t, h, "look at the tests")
					ask(t, id, at(1), text)
					return id
				})
			}
			if strings.HasPrefix(how, "cut behind") {
				continue // only a call stands behind a tool
			}
			run("prompt", func(t *testing.T, h *home) string {
				id := prompt(t, h, text)
				h.build.Add(t, id, Event{Kind: Answer, At: at(1), Text: "Done."})
				return id
			})
			for place, title := range m.Titles {
				run(place, func(t *testing.T, h *home) string {
					id := prompt(t, h, "look at the tests")
					h.build.Add(t, id, Event{Kind: Answer, At: at(1), Text: "Done."})
					title(t, id, text)
					return id
				})
			}
		}
	}
}

// secret lists a session that put makes, twice.
func (m Titled) secret(t *testing.T, s Secret, put func(t *testing.T, h *home) string) {
	t.Helper()
	h := newHome(t, m.Member)
	path := filepath.Join(t.TempDir(), "index")
	id := put(t, h)
	var saved string
	for _, what := range []string{"listing", "listing again"} {
		index := agent.OpenIndex(path)
		h.src = m.Open(h.root, "", index)
		x := h.find(id)
		if err := index.Save(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, shown := range []string{x.Title, x.WaitingFor} {
			if len([]rune(shown)) > 200 || strings.ContainsAny(shown, "\n\t") {
				t.Errorf("%s: shown %q", what, shown)
			}
		}
		if all := x.Title + "\n" + x.WaitingFor; !strings.Contains(all, "use this") && !strings.Contains(all, "see how it") {
			t.Errorf("%s: shown %q", what, all)
		}
		if p := s.In(x.Title + "\n" + x.WaitingFor); len(p) >= 6 {
			t.Errorf("%s: %q of the secret is shown: %q %q", what, p, x.Title, x.WaitingFor)
		}
		if p := s.In(string(b)); len(p) >= 6 {
			t.Errorf("%s: %q of the secret is in the index", what, p)
		}
		if saved != "" && saved != string(b) {
			t.Error("the index of a second listing is another one")
		}
		saved = string(b)
	}
}
