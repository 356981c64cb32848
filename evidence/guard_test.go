package evidence

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// story is a session in short, and a true recap of it as a small model would
// put it.
type story struct {
	Lang, Ask, Answer string
	Tools             []string
	End               string
	Text              string
}

func stories(t testing.TB) []story {
	t.Helper()
	return storiesOf(t, "true.jsonl")
}

func storiesOf(t testing.TB, name string) []story {
	t.Helper()
	file, err := os.Open("testdata/guard/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // only read
	var out []story
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var s story
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("line %d: %v", len(out)+1, err)
		}
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// input builds the session of a story.
func (s *story) input(t testing.TB) Input {
	t.Helper()
	turn := recap.Turn{UserID: "u1", Text: s.Ask, Authored: s.Ask, AnswerID: "a1", Answer: s.Answer, Complete: s.End == "complete"}
	in := Input{End: s.End, Last: "a1"}
	switch s.End {
	case "interrupted":
		turn.Interrupted = true
	case "failed":
		turn.Failure = &recap.Failure{Code: "503", Message: "service unavailable"}
		in.Failure = turn.Failure
	}
	for _, line := range s.Tools {
		turn.Tools = append(turn.Tools, tool(t, line))
	}
	in.Turns = []recap.Turn{turn}
	return in
}

// tool reads "edit a.go b.go", "read a.go", "run CMD => EXIT OUTPUT",
// "wait Bash CMD", "deny Bash CMD", "waitedit a.go", "denyedit a.go" and
// "todo x done; - open".
func tool(t testing.TB, line string) recap.Tool {
	t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "edit":
		return recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolDone, Paths: strings.Fields(rest)}
	case "waitedit":
		return recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolWaiting, Paths: strings.Fields(rest)}
	case "denyedit":
		return recap.Tool{Name: "Edit", Kind: recap.ToolEdit, Status: recap.ToolRejected, Paths: strings.Fields(rest)}
	case "read":
		return recap.Tool{Name: "Read", Kind: recap.ToolRead, Status: recap.ToolDone, Paths: strings.Fields(rest)}
	case "wait":
		name, cmd, _ := strings.Cut(rest, " ")
		return recap.Tool{Name: name, Kind: recap.ToolCommand, Status: recap.ToolWaiting, Command: cmd}
	case "deny":
		name, cmd, _ := strings.Cut(rest, " ")
		return recap.Tool{Name: name, Kind: recap.ToolCommand, Status: recap.ToolRejected, Command: cmd}
	case "todo":
		out := recap.Tool{Name: "TodoWrite", Kind: recap.ToolTodo, Status: recap.ToolDone}
		for item := range strings.SplitSeq(rest, "; ") {
			status := recap.TodoOpen
			if item[0] == 'x' {
				status = recap.TodoDone
			}
			out.Todos = append(out.Todos, recap.Todo{Text: item[2:], Status: status})
		}
		return out
	case "run":
		cmd, result, ok := strings.Cut(rest, " => ")
		code, output, _ := strings.Cut(result, " ")
		n, err := strconv.Atoi(code)
		if !ok || err != nil {
			t.Fatalf("%q", line)
		}
		return bash(cmd, new(n), output)
	}
	t.Fatalf("%q", line)
	return recap.Tool{}
}

// TestH3_TrueRecapsPass: true recaps of a model, none of them quoted, pass
// whole.
func TestH3_TrueRecapsPass(t *testing.T) {
	all := stories(t)
	langs := map[string]int{}
	lost := 0
	for _, s := range all {
		langs[s.Lang]++
		in := s.input(t)
		kept, dropped, receipts := Check(recap.FieldAway, s.Text, in)
		if kept != s.Text {
			lost++
			t.Logf("%s: %q\n\tbecame %q\n\tdropped %+v", s.Lang, s.Text, kept, dropped)
			continue
		}
		if len(receipts) == 0 {
			t.Errorf("%q has no receipt", s.Text)
		}
		for _, r := range receipts {
			if r.Field != recap.FieldAway || r.Claim == "" || r.MessageID == "" {
				t.Errorf("%q: %+v", s.Text, r)
			}
		}
	}
	if len(all) < 100 || len(langs) < 12 || len(all)-langs["en"] < 60 {
		t.Errorf("%d recaps in %d languages, %d of them English", len(all), len(langs), langs["en"])
	}
	if lost*100 > 3*len(all) {
		t.Errorf("%d of %d true recaps did not pass whole", lost, len(all))
	}
	t.Logf("%d of %d true recaps in %d languages pass whole", len(all)-lost, len(all), len(langs))
}

// Words by which a claim is seen in a text, apart from the lexicon.
var (
	passWords = regexp.MustCompile(`\bpass|green|came back clean|survived|is built|the build|проход|зелён|прошли|проходять|通过|通って|成功|テストも通|pasan|en verde|passam|i test passano|laufen durch|bestehen|tests passent|au vert|slagen|przechodzą|testler geçti|통과`)
	// A denial holds no hash and none of these words.
	commitWords = regexp.MustCompile(`[Cc]ommitted as|is committed|committed and|Committed as|commit [0-9a-f]{7}|[Cc]ommit [0-9a-f]{7}|закоммичены|коммите|已提交为|confirmados en|commitée|コミット済み|コミットして`)
	pushWords   = regexp.MustCompile(`is pushed|推送到|está subido|inviato al ramo|poussé|プッシュしました`)
)

// mutation is a session that no longer bears out the recap, or a recap that
// no longer says what the session does, and what must not be left of it.
type mutation struct {
	kind string
	s    story
	gone *regexp.Regexp
}

// change gives the story with its tool lines changed; "" leaves one out.
func (s story) change(f func(string) string) (story, bool) {
	lines := s.Tools
	s.Tools = nil
	changed := false
	for _, l := range lines {
		n := f(l)
		changed = changed || n != l
		if n != "" {
			s.Tools = append(s.Tools, n)
		}
	}
	return s, changed
}

func isTestLine(l string) bool {
	return strings.HasPrefix(l, "run go test") || strings.HasPrefix(l, "run pytest") || strings.HasPrefix(l, "run npm test") || strings.HasPrefix(l, "run npx vitest")
}

// cmdOf gives the command of a tool line.
func cmdOf(l string) string {
	cmd, _, _ := strings.Cut(strings.TrimPrefix(l, "run "), " => ")
	return cmd
}

var (
	digitRun = regexp.MustCompile(`[0-9]+`)
	fileName = regexp.MustCompile(`[A-Za-z0-9_-]+\.[a-z]{2,6}\b`)
	hashWord = regexp.MustCompile(`\b[0-9a-f]{7}\b`)
)

// mutations derives false recaps from a true one.
func mutations(s story) []mutation {
	var out []mutation
	add := func(kind string, m story, gone *regexp.Regexp) { out = append(out, mutation{kind, m, gone}) }
	tests := func(f func(string) string) (story, bool) {
		return s.change(func(l string) string {
			if isTestLine(l) && strings.Contains(l, " => 0 ") {
				return f(l)
			}
			return l
		})
	}
	if passWords.MatchString(s.Text) {
		for kind, f := range map[string]func(string) string{
			"exit flipped":    func(l string) string { return "run " + cmdOf(l) + " => 1 FAIL" },
			"never run":       func(string) string { return "" },
			"run is waiting":  func(l string) string { return "wait Bash " + cmdOf(l) },
			"run is rejected": func(l string) string { return "deny Bash " + cmdOf(l) },
		} {
			if m, ok := tests(f); ok {
				if strings.Contains(strings.Join(m.Tools, "\n"), "run go build ") || strings.Contains(strings.Join(m.Tools, "\n"), "npm run build") {
					continue // the build is still proven
				}
				add(kind, m, passWords)
			}
		}
		if m, ok := tests(func(l string) string { return l + " " }); ok && !strings.Contains(strings.Join(m.Tools, "\n"), "npm run build") {
			m.Tools = append(m.Tools, "edit internal/late.go")
			add("edited after", m, passWords)
		}
	}
	word := func(kind, prefix string, gone *regexp.Regexp) {
		if !gone.MatchString(s.Text) {
			return
		}
		for k, f := range map[string]func(string) string{
			" removed":  func(string) string { return "" },
			" failed":   func(l string) string { return "run " + cmdOf(l) + " => 1 error: failed" },
			" waiting":  func(l string) string { return "wait Bash " + cmdOf(l) },
			" rejected": func(l string) string { return "deny Bash " + cmdOf(l) },
		} {
			if m, ok := s.change(func(l string) string {
				if strings.HasPrefix(l, prefix) {
					return f(l)
				}
				return l
			}); ok {
				add(kind+k, m, gone)
			}
		}
	}
	word("commit", "run git commit", commitWords)
	word("push", "run git push", pushWords)
	// A number of the text changed.
	plain := hashWord.ReplaceAllStringFunc(s.Text, func(h string) string { return strings.Repeat("x", len(h)) })
	for i, at := range digitRun.FindAllStringIndex(plain, -1) {
		if i == 4 {
			break
		}
		n, _ := strconv.Atoi(s.Text[at[0]:at[1]])
		other := strconv.Itoa(n*7 + 1919)
		m := s
		m.Text = s.Text[:at[0]] + other + s.Text[at[1]:]
		add("number changed", m, regexp.MustCompile(other))
	}
	for _, at := range hashWord.FindAllStringIndex(s.Text, -1) {
		if !strings.ContainsAny(s.Text[at[0]:at[1]], "0123456789") {
			continue
		}
		m := s
		m.Text = s.Text[:at[0]] + "0badf0d" + s.Text[at[1]:]
		add("hash changed", m, regexp.MustCompile("0badf0d"))
	}
	// A file of the session renamed.
	for i, name := range fileName.FindAllString(s.Text, -1) {
		if i == 2 {
			break
		}
		m, _ := s.change(func(l string) string {
			return strings.ReplaceAll(l, name, "renamed_"+strings.ToUpper(name[:1])+"x"+name[strings.LastIndexByte(name, '.'):])
		})
		m.Answer = strings.ReplaceAll(s.Answer, name, "another file")
		m.Ask = strings.ReplaceAll(s.Ask, name, "a file")
		add("file renamed", m, regexp.MustCompile(regexp.QuoteMeta(name)))
	}
	return out
}

// TestH3H4_MutationsDoNotPass: no claim outlives its proof, in any language.
func TestH3H4_MutationsDoNotPass(t *testing.T) {
	kinds := map[string]int{}
	langs := map[string]int{}
	total, passed := 0, 0
	for _, s := range stories(t) {
		for _, m := range mutations(s) {
			total++
			kinds[m.kind]++
			langs[s.Lang]++
			kept, _, _ := Check(recap.FieldAway, m.s.Text, m.s.input(t))
			if m.gone.MatchString(kept) {
				passed++
				t.Errorf("%s, %s: kept %q of %q", s.Lang, m.kind, kept, m.s.Text)
			}
			readsWhole(t, kept, m.s.Text)
		}
	}
	if total < 200 || len(kinds) < 12 {
		t.Errorf("%d mutations of %d kinds", total, len(kinds))
	}
	t.Logf("%d of %d mutations pass, of %d kinds %v, in %d languages", passed, total, len(kinds), kinds, len(langs))
}

// readsWhole: what is left is no torso, and made of words of the text.
func readsWhole(t *testing.T, kept, text string) {
	t.Helper()
	if kept == "" {
		return
	}
	if !balanced(kept) || strings.ContainsAny(kept[len(kept)-1:], ",;:([-") || strings.ContainsAny(kept[:1], ",;:)].") {
		t.Errorf("%q is no sentence, from %q", kept, text)
	}
	if len([]rune(kept)) > len([]rune(text)) {
		t.Errorf("%q is longer than %q", kept, text)
	}
	trimmed := strings.TrimRight(kept, ".!?。 ")
	if i := strings.LastIndexByte(trimmed, ' '); conjunction(trimmed[i+1:]) && trimmed[i+1:] != "yet" || dangles(trimmed) {
		t.Errorf("%q ends in the air, from %q", kept, text)
	}
}
