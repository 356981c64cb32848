package prompt_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// sets are all sets of fields.
func sets() [][]recap.Field {
	all := []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest}
	var out [][]recap.Field
	for mask := 1; mask < 1<<len(all); mask++ {
		var set []recap.Field
		for i, f := range all {
			if mask&(1<<i) != 0 {
				set = append(set, f)
			}
		}
		out = append(out, set)
	}
	return out
}

// The bytes are held by a file, so they cannot differ between two processes,
// two machines or two orders of the fields.
func TestSystemPromptsAreConstants(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	seen := map[string]bool{}
	for _, set := range sets() {
		system := prompt.System(set)
		if seen[system] {
			t.Errorf("%v has the prompt of another set", set)
		}
		seen[system] = true
		turned := slices.Clone(set)
		slices.Reverse(turned)
		if got := prompt.System(append(turned, set[0], "unknown")); got != system {
			t.Errorf("%v: the order of the fields changes the prompt", set)
		}
		all.WriteString("=== " + strings.Trim(strings.ReplaceAll(strings.Join(names(set), " "), "  ", " "), " ") + "\n" + system)
	}
	golden := filepath.Join("testdata", "system.golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(golden, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Error("the system prompts have changed: look at them, then run with UPDATE_GOLDEN=1")
	}
	if prompt.System(nil) != "" || prompt.MaxOutput(nil, true) != 0 {
		t.Error("no field: no prompt")
	}
}

func names(fields []recap.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	return out
}

func TestEachSetAsksForItsKeysAlone(t *testing.T) {
	t.Parallel()
	for _, set := range sets() {
		system := prompt.System(set)
		for _, f := range []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest} {
			if got, want := strings.Contains(system, `"`+string(f)+`"`), slices.Contains(set, f); got != want {
				t.Errorf("%v: key %s named: %v", set, f, got)
			}
		}
		if got, want := strings.Contains(system, "</away>"), len(set) == 1 && set[0] == recap.FieldAway; got != want {
			t.Errorf("%v: the tag form is offered: %v", set, got)
		}
		if !strings.Contains(system, `exactly these keys: "`+strings.Join(names(set), `", "`)+`".`) {
			t.Errorf("%v: the keys are not asked for", set)
		}
	}
}

func TestE52_SystemPromptsNameNoLanguageAndGiveNoExample(t *testing.T) {
	t.Parallel()
	system := strings.ToLower(prompt.System(sets()[len(sets())-1]) + prompt.System([]recap.Field{recap.FieldAway}))
	for word := range strings.FieldsSeq(`english german french spanish portuguese italian dutch polish russian ukrainian chinese japanese korean
		arabic hindi turkish thai vietnamese hebrew greek latin cyrillic example e.g. i.e. instance such python golang javascript typescript react
		docker login server database button readme`) {
		if strings.Contains(system, word) {
			t.Errorf("the system prompts hold %q", word)
		}
	}
	if strings.IndexFunc(system, func(r rune) bool { return r > 0x7e }) >= 0 {
		t.Error("the system prompts hold a character beyond ASCII")
	}
}

// docs/prompt-rules.md holds each line of the prompts, and the prompts hold
// each sentence of it.
func TestRulesAreVisibleInThePrompts(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "docs", "prompt-rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]int{}
	listed := map[string][]string{}
	for line := range strings.SplitSeq(string(doc), "\n") {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], "| `") {
			continue
		}
		file := strings.Trim(cells[0], "|` ")
		sentence := strings.TrimSuffix(strings.TrimSpace(cells[2]), " |")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if sentence == "" || !strings.Contains(string(text), sentence) {
			t.Errorf("%s does not say %q", file, sentence)
		}
		rules[file]++
		listed[file] = append(listed[file], sentence)
	}
	for file, n := range map[string]int{"recap.md": 14, "suggestion.md": 14, "away.md": 7, "digest.md": 4, "head.md": 7, "form.md": 1, "form-away.md": 1, "build.go": 1} {
		if rules[file] != n {
			t.Errorf("%d rules of %s in the table, want %d", rules[file], file, n)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if rule, ok := strings.CutPrefix(line, "- "); ok && !slices.Contains(listed[file], rule) {
				t.Errorf("%s: not in the table: %s", file, rule)
			}
		}
	}
	for _, f := range []recap.Field{recap.FieldRecap, recap.FieldSuggestion, recap.FieldAway, recap.FieldDigest} {
		text := prompt.System([]recap.Field{f})
		for _, s := range slices.Concat(listed[string(f)+".md"], listed["head.md"], listed["form.md"]) {
			if !strings.Contains(text, s) {
				t.Errorf("the prompt of %s does not say %q", f, s)
			}
		}
	}
}

func TestE50_MaxOutput(t *testing.T) {
	t.Parallel()
	if got := prompt.MaxOutput([]recap.Field{recap.FieldAway}, false); got != 300 {
		t.Errorf("away alone: %d, want 300", got)
	}
	for _, set := range sets() {
		plain, reasons := prompt.MaxOutput(set, false), prompt.MaxOutput(set, true)
		if len(set) > 1 && plain <= 300 || plain > 1200 {
			t.Errorf("%v: %d", set, plain)
		}
		if reasons != 1200 {
			t.Errorf("%v: %d for a model that reasons, want 1200", set, reasons)
		}
	}
}
