package prompt_test

import (
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/prompt"
)

// The limits of a prompt and of a call, in figures.
func TestLimitsInFigures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]int{
		"characters of the user prompt": {prompt.MaxPrompt, 32_000}, "least characters": {prompt.MinPrompt, 1_000}, "kept free": {prompt.Margin, 512},
		"least text of the newest pair": {prompt.MinText, 128}, "sample of a turn": {prompt.SampleTurn, 1_200}, "sample": {prompt.SampleMax, 3_600},
		"tokens of an unknown context": {prompt.UnknownContext, 64_000},
		"output of away alone":         {prompt.MaxOutput([]recap.Field{recap.FieldAway}, false), 300},
		"output of one that reasons":   {prompt.MaxOutput([]recap.Field{recap.FieldAway}, true), 1_200},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
	if prompt.Temperature != 0.3 {
		t.Errorf("temperature %v", prompt.Temperature)
	}
}
