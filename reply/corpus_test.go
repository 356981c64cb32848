package reply_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
	"github.com/sessionrecap/recap/reply"
)

// example is a line of testdata/corpus.jsonl: what a model said, and what is
// right.
type example struct {
	Name    string                 `json:"name"`
	Fields  []recap.Field          `json:"fields"`
	Reply   string                 `json:"reply"`
	Want    map[recap.Field]string `json:"want"`
	Dropped map[recap.Field]string `json:"dropped"`
	Code    recap.Code             `json:"code"`
}

// clamped stands in the corpus for any text of the greatest length.
const clamped = "@clamped"

func corpus(t testing.TB) []example {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []example
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e example
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("line %d: %v", len(out)+1, err)
		}
		out = append(out, e)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	all := corpus(t)
	if len(all) < 150 {
		t.Fatalf("%d examples, want at least 150", len(all))
	}
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			r, err := reply.Parse(e.Reply, e.Fields)
			if got := recap.CodeOf(err); got != e.Code {
				t.Fatalf("code %q (%v), want %q; texts %q", got, err, e.Code, r.Texts)
			}
			if err != nil {
				if r.Texts != nil {
					t.Errorf("texts beside the error: %q", r.Texts)
				}
				return
			}
			for f, want := range e.Want {
				if want == clamped && utf8.RuneCountInString(r.Texts[f]) > recap.SuggestionChars-100 {
					e.Want[f] = r.Texts[f]
				}
			}
			if !maps.Equal(r.Texts, e.Want) && len(r.Texts)+len(e.Want) > 0 {
				t.Errorf("texts %q, want %q", r.Texts, e.Want)
			}
			if !maps.Equal(r.Dropped, e.Dropped) && len(r.Dropped)+len(e.Dropped) > 0 {
				t.Errorf("dropped %q, want %q", r.Dropped, e.Dropped)
			}
			held(t, r, e.Fields)
		})
	}
}

// held checks what holds of every reply.
func held(t interface{ Errorf(string, ...any) }, r reply.Reply, fields []recap.Field) {
	limits := map[recap.Field][2]int{
		recap.FieldRecap: {recap.RecapWords, recap.RecapChars}, recap.FieldAway: {recap.AwayWords, recap.AwayChars},
		recap.FieldDigest: {recap.DigestWords, recap.DigestChars}, recap.FieldSuggestion: {recap.SuggestionChars, recap.SuggestionChars},
	}
	for f, s := range r.Texts {
		if !slices.Contains(fields, f) {
			t.Errorf("%s was not asked for", f)
		}
		if s == "" || s != strings.TrimSpace(s) || s != recap.Line(s) || !utf8.ValidString(s) {
			t.Errorf("%s is not a clean line: %q", f, s)
		}
		if language.Words(s) > limits[f][0] || language.Chars(s) > limits[f][1] {
			t.Errorf("%s is too long: %d words, %d characters", f, language.Words(s), language.Chars(s))
		}
		if strings.IndexFunc(s, unicode.IsControl) >= 0 {
			t.Errorf("%s holds a control character: %q", f, s)
		}
		if _, both := r.Dropped[f]; both {
			t.Errorf("%s is both there and dropped", f)
		}
	}
	for _, f := range fields {
		_, there := r.Texts[f]
		_, dropped := r.Dropped[f]
		if !there && !dropped {
			t.Errorf("%s is neither there nor dropped", f)
		}
	}
}

func FuzzParse(f *testing.F) {
	for i, e := range corpus(f) {
		f.Add(e.Reply, uint8(i))
	}
	all := []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest}
	f.Fuzz(func(t *testing.T, text string, set uint8) {
		var fields []recap.Field
		for i, field := range all {
			if set&(1<<i) != 0 {
				fields = append(fields, field)
			}
		}
		r, err := reply.Parse(text, fields)
		if again, errAgain := reply.Parse(text, fields); !maps.Equal(r.Texts, again.Texts) || recap.CodeOf(err) != recap.CodeOf(errAgain) {
			t.Error("the same reply, another answer")
		}
		if err != nil {
			if recap.CodeOf(err) == recap.CodeInternal || len(r.Texts) > 0 {
				t.Errorf("error %v beside %q", err, r.Texts)
			}
			return
		}
		held(t, r, fields)
	})
}
