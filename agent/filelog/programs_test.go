package filelog

import "testing"

func TestF18_PromptsOfPrograms(t *testing.T) {
	for text, want := range map[string]bool{
		"Please write a 5-10 word title for the following conversation:\n\nuser: hi": true,
		"  you are a claude-mem, a specialised observer tool":                        true,
		"Context: This summary will be shown in a list to help users":                true,
		"":                        false,
		"Please write a 5-10 wor": false,
		"Why does it say \"You are a Claude-Mem\"?":             false,
		"You are a pirate. Fix the test":                        false,
		"Summarize the README":                                  false,
		"Generate a concise title for the page in src/home.tsx": false,
	} {
		if got := OfProgram(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
