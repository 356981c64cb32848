package outbound

import (
	"errors"
	"net/http"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
)

const (
	// defaultOutput is the most output where a request names none: what a
	// model that reasons is given.
	defaultOutput = 1200
	// A token is about four bytes; a request has some around its text.
	bytesPerToken = 4
	aroundTokens  = 64
	// overloaded is the status of a provider that did not take the request.
	overloaded = 529
)

// Estimate is what a request is booked at before it is made: the input by its
// length, the output at the most it may be.
func Estimate(r llm.Request) recap.Usage {
	if r.MaxOutput <= 0 {
		r.MaxOutput = defaultOutput
	}
	return recap.Usage{
		InputTokens:  int64((len(r.System)+len(r.Prompt)+bytesPerToken-1)/bytesPerToken + aroundTokens),
		OutputTokens: int64(r.MaxOutput),
	}
}

// used is what a call that left is counted at.
func used(r llm.Request, estimate recap.Usage, resp llm.Response, err error) recap.Usage {
	u := resp.Usage
	counted := u.InputTokens > 0 || u.OutputTokens > 0
	switch {
	case counted && u.InputTokens <= 0: // half counted
		u.InputTokens = estimate.InputTokens
	case counted:
	case err == nil: // the provider does not count
		u = estimate
		u.OutputTokens = min(u.OutputTokens, int64((len(resp.Text)+bytesPerToken-1)/bytesPerToken))
		if r.Reasons { // what it thought is not in the text
			u.OutputTokens = estimate.OutputTokens
		}
	case refused(err):
		u = recap.Usage{}
	default: // cut, timed out, answered with something else: nobody knows
		u = estimate
	}
	return u
}

// refused: the provider answered that it did not do the work.
func refused(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return false
	}
	switch e.Status {
	case http.StatusServiceUnavailable, overloaded:
		return true
	case http.StatusRequestTimeout: // it may have begun
		return false
	}
	return e.Status >= 400 && e.Status < 500
}
