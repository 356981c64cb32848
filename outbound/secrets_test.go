package outbound_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/redact"
)

// planted is a made-up secret in its context.
type planted struct{ kind, before, secret, after string }

// noise gives made-up characters, the same for the same seed.
type noise uint64

func (n *noise) of(chars string, length int) string {
	b := make([]byte, length)
	for i := range b {
		*n ^= *n << 13
		*n ^= *n >> 7
		*n ^= *n << 17
		b[i] = chars[uint64(*n>>33)%uint64(len(chars))]
	}
	return string(b)
}

func sets() map[string]string {
	const digits, lower, upper = "0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return map[string]string{
		"digit": "123456789", "hex": digits + "abcdef", "letter": lower + upper, "alnum": digits + lower + upper,
		"base64": digits + lower + upper + "+/", "web64": digits + lower + upper + "-_", "UPPER": upper + digits,
		"UPPER32": upper + "234567", "BECH": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	}
}

// plant makes one secret of each kind in testdata.
func plant(t testing.TB, seed uint64) []planted {
	t.Helper()
	b, err := os.ReadFile("testdata/secrets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := noise(seed*2654435761 + 88172645463325252)
	var out []planted
	for line := range strings.Lines(string(b)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("line %q", line)
		}
		for i := range f {
			f[i] = strings.ReplaceAll(f[i], `\n`, "\n")
		}
		f[2] = expand(t, f[2], &n)
		out = append(out, planted{f[0], f[1], f[2], f[3]})
	}
	return out
}

func expand(t testing.TB, spec string, n *noise) string {
	t.Helper()
	var b strings.Builder
	for spec != "" {
		text, rest, found := strings.Cut(spec, "{")
		b.WriteString(text)
		if !found {
			break
		}
		var set string
		var length int
		hole, after, _ := strings.Cut(rest, "}")
		if _, err := fmt.Sscanf(strings.Replace(hole, ":", " ", 1), "%s %d", &set, &length); err != nil || sets()[set] == "" {
			t.Fatalf("spec %q: %v", spec, err)
		}
		b.WriteString(n.of(sets()[set], length))
		spec = after
	}
	return b.String()
}

// split cuts the secret in two by the given separator, unless it has lines
// already.
func (p planted) split(separator string) planted {
	if strings.Contains(p.secret, "\n") {
		p.secret = strings.ReplaceAll(p.secret, "\n", separator)
		return p
	}
	half := len(p.secret) / 2
	p.secret = p.secret[:half] + separator + p.secret[half:]
	return p
}

func (p planted) text() string { return p.before + p.secret + p.after }

// in says whether the text still holds the secret, or a piece of it.
func (p planted) in(text string) bool {
	if strings.Contains(text, p.secret) {
		return true
	}
	for piece := range strings.FieldsSeq(strings.NewReplacer("> ", "\n", "| ", "\n").Replace(p.secret)) {
		if len(piece) >= 8 && strings.Contains(text, piece) {
			return true
		}
	}
	return false
}

// places are the six where a secret may stand in what leaves, each with how a
// text is broken over lines there.
func places() map[string]struct {
	separator string
	put       func(prompt, header *string, text string)
} {
	type place = struct {
		separator string
		put       func(prompt, header *string, text string)
	}
	within := func(before, after string) func(prompt, header *string, text string) {
		return func(prompt, _ *string, text string) {
			*prompt = "Evidence follows.\n" + before + text + after + "\nEnd of evidence. Write the recap."
		}
	}
	return map[string]place{
		"the person's words": {"\n", within("Person: please use ", " for the deploy")},
		"the answer":         {"\n", within("Agent: I wrote ", " into the file.")},
		"tool output":        {"\n", within("Tool: $ env\n", "\nexit 0")},
		"a quoted source":    {"\n> ", within("> ", "\n> end\nComment: why?")},
		"a file name":        {"\n", within("Files: /home/dev/x ", " /home/dev/y")},
		"the session header": {"\n", func(_, header *string, text string) { *header = text }},
	}
}

// TestH2_NoSecretLeaves plants each kind in each place, whole and split, in
// the request, in the reply and in the provider's error, and looks for it in
// all that leaves or is kept.
func TestH2_NoSecretLeaves(t *testing.T) {
	kinds := plant(t, 1)
	if len(kinds) < 30 || len(places()) != 6 {
		t.Fatalf("%d kinds, %d places", len(kinds), len(places()))
	}
	tried := 0
	var left, put strings.Builder
	for _, name := range slices.Sorted(maps.Keys(places())) {
		for _, p := range kinds {
			for _, broken := range []bool{false, true} {
				place := places()[name]
				if broken {
					p = p.split(place.separator)
				}
				c := call("s")
				place.put(&c.Prompt, &c.Request.Session, p.text())
				put.WriteString(c.Prompt + "\n" + c.Request.Session + "\n\n")
				for kind, reply := range map[string]func(llm.Request) (llm.Response, error){
					"reply": func(llm.Request) (llm.Response, error) { return llm.Response{Text: "You used " + p.text()}, nil },
					"error": func(llm.Request) (llm.Response, error) {
						return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Status: 400, Detail: "bad: " + p.text(), Err: errors.New(p.text())}
					},
					"bare error": func(llm.Request) (llm.Response, error) {
						return llm.Response{}, errors.Join(errBoom, errors.New(p.text()))
					},
				} {
					var sent llm.Request
					r := newRig(t, client(func(_ context.Context, q llm.Request) (llm.Response, error) {
						sent = q
						return reply(q)
					}))
					r.opts.Redact = nil
					resp, err := r.send(c)
					tried++
					for where, text := range map[string]string{
						"request": dump(sent), "reply": resp.Text, "error": whole(err), "log": r.log.String(),
						"ledger": dump(r.entries()), "egress log": dump(r.egress()),
					} {
						left.WriteString(text + "\n\n")
						if p.in(text) {
							t.Errorf("%s in %s (split: %v, %s): left in the %s: %q", p.kind, name, broken, kind, where, text)
						}
					}
					if n := r.egress()[0].Redactions; n < 1 {
						t.Errorf("%s in %s (split: %v): %d redactions counted", p.kind, name, broken, n)
					}
				}
			}
		}
	}
	t.Logf("%d calls", tried)
	forOracle(t, "put", put.String())
	forOracle(t, "left", left.String())
}

// oracleEnv names a folder for what was put in and what left, for a scanner of
// others to look at: see internal/oracle.
const oracleEnv = "RECAP_TEST_ORACLE"

func forOracle(t *testing.T, name, text string) {
	t.Helper()
	if dir := os.Getenv(oracleEnv); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// whole is all that an error and its causes say.
func whole(err error) string {
	if err == nil {
		return ""
	}
	said := []string{err.Error()}
	switch e := err.(type) { //nolint:errorlint // the chain is walked by hand
	case interface{ Unwrap() error }:
		said = append(said, whole(e.Unwrap()))
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			said = append(said, whole(cause))
		}
	}
	return strings.Join(said, " ")
}

// What the test above looks for is found where nothing is redacted.
func TestSecretsAreFoundWithoutRedaction(t *testing.T) {
	for _, p := range plant(t, 1) {
		for _, q := range []planted{p, p.split("\n")} {
			var sent llm.Request
			r := newRig(t, client(func(_ context.Context, s llm.Request) (llm.Response, error) {
				sent = s
				return llm.Response{Text: "x"}, nil
			}))
			c := call("s")
			c.Prompt = q.text()
			if _, err := r.send(c); err != nil || !q.in(sent.Prompt) {
				t.Errorf("%s: not seen in %q, %v", q.kind, sent.Prompt, err)
			}
		}
	}
}

// The same, seen from a server: in no byte of the request.
func TestH2_NothingOnTheWire(t *testing.T) {
	var mu sync.Mutex
	var wire strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b, err := httputil.DumpRequest(q, true)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		wire.Write(b)
		_, _ = io.WriteString(w, "done")
	}))
	defer server.Close()
	kinds := plant(t, 2)
	for _, p := range kinds {
		r := newRig(t, nil)
		c := r.overWeb(server.URL)
		r.opts.Redact = nil
		c.Prompt = "Person: " + p.text() + "\nwrite the recap"
		c.Request.Session = strings.ReplaceAll(p.text(), "\n", " ")
		if _, err := r.send(c); err != nil {
			t.Errorf("%s: %v", p.kind, err)
		}
	}
	for _, p := range kinds {
		if p.in(wire.String()) || p.in(strings.ReplaceAll(wire.String(), `\n`, "\n")) {
			t.Errorf("%s on the wire", p.kind)
		}
	}
	forOracle(t, "wire", wire.String())
	if n := strings.Count(wire.String(), "[redacted:"); n < 2*len(kinds) {
		t.Errorf("%d marks on the wire, want %d at least", n, 2*len(kinds))
	}
}

func TestErrorsWithoutSecretsStay(t *testing.T) {
	r := newRig(t, fails(&llm.Error{Code: recap.CodeRateLimited, Status: 429, Detail: "slow down", Reset: noon(), Err: errBoom}))
	r.opts.Redact = nil
	_, err := r.send(call("s"))
	e, ok := errors.AsType[*llm.Error](err)
	if !ok || e.Detail != "slow down" || !e.Reset.Equal(noon()) || !errors.Is(err, errBoom) {
		t.Errorf("error %s", dump(err))
	}
	r = newRig(t, fails(&llm.Error{Code: recap.CodeRateLimited, Status: 429, Reset: noon(), Err: errors.Join(context.Canceled, errors.New(plant(t, 3)[0].text()))}))
	r.opts.Redact = nil
	_, err = r.send(call("s"))
	e, ok = errors.AsType[*llm.Error](err)
	if !ok || e.Code != recap.CodeRateLimited || e.Status != 429 || !e.Reset.Equal(noon()) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %s", dump(err))
	}
}

func TestRedactionFailing(t *testing.T) {
	asked := 0
	for _, tt := range []struct {
		name string
		fail int // at which text
		err  error
		sent bool
	}{
		{"the prompt", 1, redact.ErrTooLarge, false},
		{"the session header", 2, redact.ErrInternal, false},
		{"the reply", 3, errors.New("cause with the text fix the parser"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked = 0
			r := newRig(t, says("done"))
			r.opts.Redact = func(s string) (string, int, error) {
				if asked++; asked == tt.fail {
					return "", 0, tt.err
				}
				return s, 0, nil
			}
			resp, err := r.send(call("s"))
			code(t, err, recap.CodeRedaction)
			if strings.Contains(whole(err), "fix the parser") || resp.Text != "" {
				t.Errorf("text %q, error %s", resp.Text, whole(err))
			}
			if (len(r.entries()) == 1) != tt.sent || (len(r.egress()) == 1) != tt.sent {
				t.Errorf("entries %s, egress %s", dump(r.entries()), dump(r.egress()))
			}
		})
	}
}
