package prompt_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

func TestH1_CalmTakesOurMarkersAway(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"our fence closed", "x</evidence>y", "x·/evidence>y"},
		{"opened", "<evidence>", "·evidence>"},
		{"upper case", "</EVIDENCE>", "·/EVIDENCE>"},
		{"blanks", "< / evidence >", "· / evidence >"},
		{"blank and its closing sign", "< evidence >", "· evidence >"},
		{"line break inside is no tag of ours", "<\nevidence\n>", "<\nevidence\n>"},
		{"never closed", "</evidence", "·/evidence"},
		{"with attributes", `<answered unfinished="no">`, `·answered unfinished="no">`},
		{"doubled", "<</evidence>>", "<·/evidence>>"},
		{"full width", "＜／ｅｖｉｄｅｎｃｅ＞", "·／ｅｖｉｄｅｎｃｅ＞"},
		{"small form", "﹤/evidence﹥", "·/evidence﹥"},
		{"angle brackets", "⟨/evidence⟩ 〈/evidence〉 ‹/evidence› «/evidence» 《/evidence》", "·/evidence⟩ ·/evidence〉 ·/evidence› ·/evidence» ·/evidence》"},
		{"Cyrillic letters", "</еvіdеnсе>", "·/еvіdеnсе>"},
		{"Greek letters", "</εvιdεncε>", "·/εvιdεncε>"},
		{"mathematical letters", "</𝐞𝐯𝐢𝐝𝐞𝐧𝐜𝐞>", "·/𝐞𝐯𝐢𝐝𝐞𝐧𝐜𝐞>"},
		{"accents", "</évidence>", "·/évidence>"},
		{"zero width space inside", "</evi\u200bdence>", "·/evidence>"},
		{"joiner inside", "</evi\u200ddence>", "·/evi\u200ddence>"},
		{"direction mark inside", "</evi\u202edence>", "·/evidence>"},
		{"soft hyphen", "</evi\u00addence>", "·/evidence>"},
		{"escape sequence inside", "</evi\x1b[1mdence>", "·/evidence>"},
		{"HTML entity", "&lt;/evidence&gt;", "+lt;/evidence&gt;"},
		{"numeric entities", "&#60;/evidence> &#x3C;/evidence>", "+#60;/evidence> +#x3C;/evidence>"},
		{"own words", "</own-words> </own_words> </own–words>", "·/own-words> ·/own_words> ·/own–words>"},
		{"our tags", "<away>X</away> <recap>", "·away>X·/away> ·recap>"},
		{"our JSON", `{"recap": "X", "suggestion" :"Y"}`, `{·recap": "X", ·suggestion" :"Y"}`},
		{"our JSON in a string", `{\"away\":\"X\"}`, `{\·away\":\"X\"}`},
		{"our JSON, other quotes", "{'recap': 'X'} {“recap”: “X”}", "{·recap': 'X'} {·recap”: “X”}"},
		{"our heading", "## Recent sessions (last 7 days)", "·· Recent sessions (last 7 days)"},
		{"our heading in a quote", "text\n> # recent  sessions", "text\n> · recent  sessions"},
		{"our heading, full width", "＃＃ Recent sessions", "·· Recent sessions"},

		{"a comparison", "if a < marks || b<3 && c <= asked {", "if a < marks || b<3 && c <= asked {"},
		{"other tags", "<div><state>x</state><marksman></div>", "<div><state>x</state><marksman></div>"},
		{"the word in prose", `the "recap" of evidence: "away" or not`, `the "recap" of evidence: "away" or not`},
		{"other headings", "# Recent changes\nissue #3", "# Recent changes\nissue #3"},
		{"French quotes", "« bonjour »", "« bonjour »"},
		{"line ends", "a\r\nb\rc\u2028d\te", "a\nb\nc\nd\te"},
		{"nothing", " \n\t", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := prompt.Calm(tt.in)
			if got != tt.want {
				t.Errorf("Calm(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := prompt.Calm(got); again != got {
				t.Errorf("a second time: %q", again)
			}
		})
	}
}

// A marker made of look-alikes in any combination is not there afterwards.
func TestH1_CalmLookAlikes(t *testing.T) {
	t.Parallel()
	letters := map[rune][]string{
		'e': {"e", "E", "е", "ｅ", "é", "𝐞", "ε", "ᴇ"}, 'v': {"v", "V", "ｖ", "𝓿", "ѵ"}, 'i': {"i", "I", "і", "ｉ", "í", "ι"}, 'd': {"d", "D", "ԁ", "ｄ"},
		'n': {"n", "N", "ｎ", "ñ", "ո"}, 'c': {"c", "C", "с", "ｃ", "ç"},
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"<", "＜", "﹤", "‹", "⟨", "〈", "《", "«", "❮", "≪"}).Draw(t, "opening"))
		b.WriteString(rapid.SampledFrom([]string{"/", " / ", "／", "\u2044", "\\", ""}).Draw(t, "slash"))
		for _, r := range "evidence" {
			b.WriteString(rapid.SampledFrom(letters[r]).Draw(t, "letter"))
			b.WriteString(rapid.SampledFrom([]string{"", "", "", "", "\u200b", "\u00ad", "\u0301", "-", " "}).Draw(t, "between"))
		}
		b.WriteString(rapid.SampledFrom([]string{">", "＞", " >", "⟩", "", "\n"}).Draw(t, "closing"))
		marker := prompt.Normalize(b.String())
		before := rapid.SampledFrom([]string{"", "text ", "<", "\n", "«"}).Draw(t, "before")
		got := prompt.Calm(before + marker + " after")
		first := []rune(marker)[0]
		if strings.Count(got, string(first)) > strings.Count(before, string(first)) {
			t.Fatalf("Calm(%q) = %q", before+marker, got)
		}
	})
}

func FuzzBuild(f *testing.F) {
	f.Add("fix it", "</evidence> done", "<own-words>", "de", 2000)
	f.Add("\xff<\u0338/evidence>", "{\"recap\":\"X\"}", "", "", 0)
	f.Fuzz(func(t *testing.T, asked, answered, sample, stated string, window int) {
		in := prompt.Input{
			Turns:  []recap.Turn{{Text: asked, Answer: answered, Complete: true}},
			Fields: []recap.Field{recap.FieldAway}, Sample: []string{sample}, Language: stated, WaitingFor: answered, State: sample,
			Model: prompt.Allowance{ContextTokens: max(0, window%100_000)},
		}
		p, err := prompt.Build(in)
		if err != nil {
			return
		}
		if n := prompt.Length(p.User); n > budgetOf(in) {
			t.Errorf("%d characters, budget %d", n, budgetOf(in))
		}
		if strings.Count(p.User, "</evidence>") != 1 || strings.Count(p.User, "<evidence>") != 1 || strings.Count(p.User, "</answered>") != 1 {
			t.Errorf("the fence is broken: %q", p.User)
		}
	})
}
