package engine

import (
	"strings"
	"sync"

	"github.com/sessionrecap/recap/prompt"
	"github.com/sessionrecap/recap/reply"
)

// knownServers remembers, while the process lives, which servers refused a way
// of asking, so that they are asked otherwise from then on: by the prompt alone
// where it was the structured output.
type knownServers struct{ bases sync.Map }

func (p *knownServers) has(base string) bool {
	_, ok := p.bases.Load(base)
	return ok
}

func (p *knownServers) note(base string) { p.bases.Store(base, true) }

// instructionOf is what of a user prompt is not evidence.
func instructionOf(p prompt.Prompt) string {
	return p.User[strings.LastIndex(p.User, "</evidence>")+1:]
}

// toldOnce keeps the words of system prompts, of which there is one for each
// set of fields.
type toldOnce struct {
	mu      sync.Mutex
	prompts map[string]reply.Instructions
}

func (t *toldOnce) of(system string) reply.Instructions {
	t.mu.Lock()
	defer t.mu.Unlock()
	told, ok := t.prompts[system]
	if !ok {
		if t.prompts == nil {
			t.prompts = map[string]reply.Instructions{}
		}
		told = reply.Told(system)
		t.prompts[system] = told
	}
	return told
}
