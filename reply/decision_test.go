package reply_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionrecap/recap/reply"
)

// verdict is a line of testdata/decisions.jsonl: a suggestion, the questions
// of the agent that are open, and why it is dropped, "" where it is not.
type verdict struct {
	Lang       string   `json:"lang"`
	Suggestion string   `json:"suggestion"`
	Questions  []string `json:"questions"`
	Why        string   `json:"why"`
}

func TestH10_Decision(t *testing.T) {
	t.Parallel()
	f, err := os.Open(filepath.Join("testdata", "decisions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	dropped, shown := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Why == "" {
			shown[v.Lang]++
		} else {
			dropped[v.Lang]++
		}
		t.Run(v.Lang+" "+v.Suggestion, func(t *testing.T) {
			t.Parallel()
			ok, why := reply.Decision(v.Suggestion, v.Questions)
			if ok != (v.Why == "") || (why == "") != ok {
				t.Errorf("ok %v, why %q, want why %q", ok, why, v.Why)
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "de", "ru", "zh", "ja", "es", "fr"} {
		if dropped[lang] < 10 || shown[lang] < 5 {
			t.Errorf("%s: %d dropped and %d shown, want at least 10 and 5", lang, dropped[lang], shown[lang])
		}
	}
}

func FuzzDecision(f *testing.F) {
	f.Add("Use port 3000.", "Which port, 3000 or 8080?")
	f.Add("删除旧数据", "要删除吗？")
	f.Add("\xff(¿", "")
	f.Fuzz(func(t *testing.T, suggestion, question string) {
		ok, why := reply.Decision(suggestion, []string{question})
		if ok != (why == "") {
			t.Errorf("ok %v, why %q", ok, why)
		}
	})
}
