package agent

import (
	"context"
	"maps"

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
	// Providers are those the person uses with this agent. Nothing of them
	// comes from a file of the session's project: no address, no key, no
	// header, no definition.
	Providers []ProviderSettings
	// SessionBarred and SmallBarred say why the provider of Session, or of
	// Small, must not be asked: in this project the agent goes elsewhere, or
	// with another login, than the person's own settings and environment say,
	// because a file of the project says so ([ByProject]). "" where it may.
	SessionBarred, SmallBarred string
	// SmallByProject says that a file of the project chose Small, so that it
	// may be asked only if the person has that provider; "" else.
	SmallByProject string
	// Problems are files that could not be understood: what they say may be
	// anything. Notes are settings that were understood and lead nowhere.
	Problems, Notes []Problem
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

// Same reports that two settings lead to the same place with the same login,
// wherever they stand.
func (p ProviderSettings) Same(q ProviderSettings) bool {
	return p.ID == q.ID && p.Protocol == q.Protocol && p.BaseURL == q.BaseURL && p.Key == q.Key && p.Problem == q.Problem && maps.Equal(p.Headers, q.Headers)
}

// ByProject is the reason why a provider is barred: what names a setting, and
// file is the project's that has it.
func ByProject(what, file string) string {
	if what != "" {
		what += " of "
	}
	return what + file + ": a project's file must not decide where text or a key goes"
}
