package outbound_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"strings"
	"sync"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/redact/redacttest"
)

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
	kinds := redacttest.Plant(1)
	search := redacttest.NewSearch(kinds...)
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
					p = p.Split(place.separator)
				}
				c := call("s")
				place.put(&c.Prompt, &c.Request.Session, p.Text())
				put.WriteString(c.Prompt + "\n" + c.Request.Session + "\n\n")
				for kind, reply := range map[string]func(llm.Request) (llm.Response, error){
					"reply": func(llm.Request) (llm.Response, error) { return llm.Response{Text: "You used " + p.Text()}, nil },
					"error": func(llm.Request) (llm.Response, error) {
						return llm.Response{}, &llm.Error{Code: recap.CodeProviderError, Status: 400, Detail: "bad: " + p.Text(), Err: errors.New(p.Text())}
					},
					"bare error": func(llm.Request) (llm.Response, error) {
						return llm.Response{}, errors.Join(errBoom, errors.New(p.Text()))
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
						for _, found := range search.In(text) {
							t.Errorf("%s in %s (split: %v, %s): left in the %s: %q", p.Kind, name, broken, kind, where, found)
						}
					}
					if n := r.egress()[0].Redactions; n < 1 {
						t.Errorf("%s in %s (split: %v): %d redactions counted", p.Kind, name, broken, n)
					}
				}
			}
		}
	}
	t.Logf("%d calls", tried)
	redacttest.Oracle(t, "put", put.String())
	redacttest.Oracle(t, "left", left.String())
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
	kinds := redacttest.Plant(1)
	search := redacttest.NewSearch(kinds...)
	for _, p := range kinds {
		for _, q := range []redacttest.Secret{p, p.Split("\n")} {
			var sent llm.Request
			r := newRig(t, client(func(_ context.Context, s llm.Request) (llm.Response, error) {
				sent = s
				return llm.Response{Text: "x"}, nil
			}))
			c := call("s")
			c.Prompt = q.Text()
			if _, err := r.send(c); err != nil || len(search.In(sent.Prompt)) != 1 {
				t.Errorf("%s: not seen in %q, %v", q.Kind, sent.Prompt, err)
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
	kinds := redacttest.Plant(2)
	for _, p := range kinds {
		r := newRig(t, nil)
		c := r.overWeb(server.URL)
		r.opts.Redact = nil
		c.Prompt = "Person: " + p.Text() + "\nwrite the recap"
		c.Request.Session = strings.ReplaceAll(p.Text(), "\n", " ")
		if _, err := r.send(c); err != nil {
			t.Errorf("%s: %v", p.Kind, err)
		}
	}
	for _, found := range redacttest.NewSearch(kinds...).In(wire.String()) {
		t.Errorf("on the wire: %q", found)
	}
	redacttest.Oracle(t, "wire", wire.String())
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
	r = newRig(t, fails(&llm.Error{Code: recap.CodeRateLimited, Status: 429, Reset: noon(), Err: errors.Join(context.Canceled, errors.New(redacttest.Plant(3)[0].Text()))}))
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
