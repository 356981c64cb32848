package engine_test

import (
	"testing"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

// A settings file of the agent that can't be understood may name a gateway or a
// cloud: the text goes neither to the agent's provider nor to another one. What
// the person names is asked.
func TestUnreadSettingsReachNobody(t *testing.T) {
	for _, c := range []struct{ name, file, text string }{
		{"Bedrock, half saved", "settings.json", `{"env":{"CLAUDE_CODE_USE_BEDROCK":"1"}`},
		{"a gateway, half saved", "settings.json", `{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:9/gw"}`},
		{"the project's", "~/src/.claude/settings.json", `{"env":`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ac := agentCase{
				agent: recap.Claude, session: recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"}, own: llm.Anthropic,
				key: map[string]string{"ANTHROPIC_API_KEY": llmtest.Key}, ownFile: map[string]string{c.file: c.text},
			}
			w := newTown(t, ac, true, nil)
			r := w.AskModel(t.Context(), w.s, engine.Ask{Fields: all()})
			w.wantFree(t, r, recap.CodeNoModel)
			if got := w.requests(); len(got) > 0 || len(w.asked) > 0 {
				t.Errorf("requests: %v, clients: %v", got, w.asked)
			}
			if p := w.Plan(t.Context(), w.s, engine.Ask{Fields: all()}); p.Err == nil || p.Choice.Model != "" {
				t.Errorf("plan: %v %+v", p.Err, p.Choice)
			}
			r = w.AskModel(t.Context(), w.s, engine.Ask{Fields: all(), Model: recap.ModelRef{Provider: "anthropic", ID: "claude-haiku-4-5"}})
			if len(w.asked) != 1 {
				t.Errorf("named: %v, clients: %v", r.Err, w.asked)
			}
		})
	}
}
