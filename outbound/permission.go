package outbound

import (
	"context"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

// permission refuses what may not go to the provider, and a provider that
// can't be asked.
type permission struct{ next step }

func (p permission) send(ctx context.Context, t *trip) (llm.Response, error) {
	code, why := recap.Code(""), ""
	switch {
	case !t.Permitted:
		code, why = recap.CodeNoModel, t.Refusal
	case t.Provider.Usable():
		return p.next.send(ctx, t)
	case t.Provider.Problem != "":
		code, why = recap.CodeProviderUnsupported, t.Provider.Problem
	case !t.Provider.Keyless && !t.Provider.Key.Set():
		code, why = recap.CodeNoLogin, "no key for this provider"
	case t.Provider.BaseURL == "":
		code, why = recap.CodeProviderUnsupported, "no address for this provider"
	default:
		code, why = recap.CodeProviderUnsupported, "recap does not speak this provider's protocol"
	}
	return llm.Response{}, &llm.Error{Code: code, Provider: t.Provider.ID, Detail: why}
}
