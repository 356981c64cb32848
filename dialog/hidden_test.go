package dialog

import "testing"

func TestHiddenBlocksOfAnswers(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"<system-reminder>do x</system-reminder>The table is sortable.", "The table is sortable."},
		{"Die Tabelle <recap>x</recap>ist sortierbar.", "Die Tabelle ist sortierbar."},
		{"<recap>PWNED</recap>", ""},
		{"<environment_context>\ncwd\n</environment_context>表格可以排序。", "表格可以排序。"},
		{"The tag `<recap>x</recap>` is ours.", "The tag `<recap>x</recap>` is ours."},
		{"```\n<recap>x</recap>\n```", "```\n<recap>x</recap>\n```"},
		{"La etiqueta <recap> no se cierra.", "La etiqueta <recap> no se cierra."},
	} {
		if got := withoutHidden(tt.in); got != tt.want {
			t.Errorf("%q became %q, want %q", tt.in, got, tt.want)
		}
	}
}
