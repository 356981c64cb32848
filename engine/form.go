package engine

import (
	"strings"
	"sync"

	"github.com/sessionrecap/recap/prompt"
)

// plainServers remembers, while the process lives, which servers refused the
// structured output that they were asked for: they are asked by the prompt
// alone from then on.
type plainServers struct{ bases sync.Map }

func (p *plainServers) has(base string) bool {
	_, ok := p.bases.Load(base)
	return ok
}

func (p *plainServers) note(base string) { p.bases.Store(base, true) }

// instructionOf is what of a user prompt is not evidence.
func instructionOf(p prompt.Prompt) string {
	return p.User[strings.LastIndex(p.User, "</evidence>")+1:]
}
