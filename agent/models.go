package agent

import (
	"context"

	recap "github.com/sessionrecap/recap"
)

// Modeler knows what the agent's own configuration says of models for a
// session: an optional power of a source.
type Modeler interface {
	// Models reads the agent's configuration. env reads the environment. What
	// can't be read is a problem in the settings, not an error.
	Models(ctx context.Context, s recap.Session, env func(string) string) (ModelSettings, error)
}

// ModelSettings is what an agent's configuration says of models.
type ModelSettings struct {
	// Small is the small model that the agent's configuration names, zero
	// where it names none; SmallOrigin says where.
	Small       recap.ModelRef
	SmallOrigin string
	// Session is the provider and model that the session's newest answer came
	// from. Its provider is the id of one of Providers where that is known.
	Session recap.ModelRef
	// Providers are those the person uses with this agent.
	Providers []ProviderSettings
	// Problems are files that could not be understood.
	Problems []Problem
}

// ProviderSettings is a provider as the agent's configuration has it.
type ProviderSettings struct {
	ID string
	// Protocol is "openai", "anthropic" or "gemini"; "" where it follows from
	// the catalogue.
	Protocol string
	BaseURL  string // "" = the catalogue's
	// Key is the secret; it is never logged, stored or shown.
	Key     string
	Headers map[string]string
	// Origin says where the key came from: "env ANTHROPIC_API_KEY",
	// "auth.json", "config.toml". Never the key.
	Origin string
	// Problem says why the login can't be used by another program, "" where it
	// can: "subscription login".
	Problem string
}
