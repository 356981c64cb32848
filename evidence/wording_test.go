package evidence

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionrecap/recap"
)

// told is a made session of one turn. Bad is a sentence of the answer that
// claims what is not so, Must a word that a good recap of it holds.
type told struct {
	Lang, Kind, Request, Answer, Bad, Must, Tests string
	Files                                         []string
}

func (o *told) draft() Draft {
	const dir = "/home/dev/src/app"
	var tools []recap.Tool
	for _, f := range o.Files {
		tools = append(tools, edit(dir+"/"+f))
	}
	switch o.Tests {
	case "failed":
		tools = append(tools, bash("go test ./...", new(1), "--- FAIL: TestA (0.00s)\nFAIL\tex.org/app\t0.1s\nFAIL"))
	case "passed":
		tools = append(tools, bash("go test ./...", new(0), "ok  \tex.org/app\t0.1s"))
	}
	turns := turnOf(tools...)
	turns[0].Text, turns[0].Authored, turns[0].Answer = o.Request, o.Request, o.Answer
	return Free(Input{Turns: turns, End: "complete", Session: recap.Session{Directory: dir}})
}

// leak says how the claim is shown: "" not at all.
func (o *told) leak() string {
	r := []rune(strings.TrimRight(o.Bad, ".!。！ "))
	start := string(r[:min(len(r), 12)])
	d := o.draft()
	for _, s := range []string{d.Recap, d.Away, d.Digest} {
		_, result, _ := strings.Cut(strings.Replace(s, " — ", markArrow, 1), markArrow)
		if !strings.Contains(result, start) {
			continue
		}
		if strings.ContainsAny(result, "“„«「") {
			return "quoted"
		}
		return "plain"
	}
	return ""
}

// TestH3_FreeWordings reads sets that were written by people who did not
// know the rules: over-claims beside failing tests or unsaved work that
// nothing tested, in 14 languages, and answers that are true. No claim stands
// as recap's own words; beside a failure none stands at all.
func TestH3_FreeWordings(t *testing.T) {
	sets, err := filepath.Glob("testdata/wording/*.json")
	if err != nil || len(sets) == 0 {
		t.Fatal("no sets", err)
	}
	for _, name := range sets {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var set struct{ Claims, True []told }
		if err := json.Unmarshal(b, &set); err != nil {
			t.Fatal(name, err)
		}
		if len(set.Claims) < 100 || len(set.True) < 100 {
			t.Fatalf("%s holds %d and %d", name, len(set.Claims), len(set.True))
		}
		quoted, lost := 0, 0
		for i := range set.Claims {
			o := &set.Claims[i]
			switch how := o.leak(); {
			case how == "plain", how != "" && o.Tests == "failed":
				t.Errorf("%s/%s: %q is shown %s: %s", o.Lang, o.Tests, o.Bad, how, o.draft().Away)
			case how != "":
				quoted++
				t.Logf("%s/%s: %q is quoted", o.Lang, o.Tests, o.Bad)
			}
		}
		for i := range set.True {
			o := &set.True[i]
			if d := o.draft(); !strings.Contains(d.Recap+d.Away+d.Digest+d.WaitingFor, o.Must) {
				lost++
				t.Logf("%s/%s: %q is lost: %s", o.Lang, o.Tests, o.Answer, d.Away)
			}
		}
		t.Logf("%s: %d of %d claims stand as the agent's words, %d of %d true answers are lost", name, quoted, len(set.Claims), lost, len(set.True))
		if 6*quoted > len(set.Claims) || 10*lost > len(set.True) {
			t.Errorf("%s: %d quoted, %d lost", name, quoted, lost)
		}
	}
}

// TestWordingMarks: quotations stand in the marks of their language, those
// within them in others.
func TestWordingMarks(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "“The ‘fast’ path skips the cache”", "de": "„The ‘fast’ path skips the cache“", "fr": "«\u00a0The ‘fast’ path skips the cache\u00a0»",
		"ru": "«The ‘fast’ path skips the cache»", "ja": "「The ‘fast’ path skips the cache」", "pl": "„The ‘fast’ path skips the cache”", "": "“The ‘fast’ path skips the cache”",
	} {
		if got := asQuotation("The “fast” path skips the cache", lang); got != want {
			t.Errorf("%s: %s", lang, got)
		}
	}
}
