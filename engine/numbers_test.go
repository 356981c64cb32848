package engine

import (
	"testing"
	"time"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
)

// Limits that other tests meet by name only.
func TestLimitsInFigures(t *testing.T) {
	for name, c := range map[string][2]time.Duration{
		"lease of a claim": {lease, 30 * time.Second}, "call in the background": {outbound.BackgroundTimeout, 2 * time.Minute},
		"call of a route": {outbound.CallTimeout, 55 * time.Second}, "route": {outbound.RouteTimeout, time.Minute},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	for name, c := range map[string][2]int{
		"bytes read at an end": {agent.EndBytes, 64 << 10}, "bytes read backward": {agent.MaxScan, 256 << 20}, "tokens of an unknown context": {llm.UnknownContext, 64_000},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}
