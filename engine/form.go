package engine

import (
	"strings"
	"sync"

	"github.com/sessionrecap/recap/prompt"
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
