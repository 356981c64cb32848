package engine

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// Resting gives a Sender that keeps in the store until when a provider wants no
// further call, where one says so in a refusal. Whatever process makes the next
// call nobody asked for heeds it: one of [Engine.Follow], and one of
// [Ask.Once]. A call that a person asks for is made all the same,
// and where it is answered the provider rests no longer.
//
// Only a refusal writes, and an answer that ends a rest. now is the clock, log may
// be nil.
//
// A provider that did not accept the key is asked no more in the background by
// this Sender for [KeyRest], or until it has another key or address, or a
// person's call is answered: each call would send the text of a session to
// nobody. That is not stored, so that a new program tries the key.
func Resting(next outbound.Sender, marks store.Marks, now func() time.Time, log *slog.Logger) outbound.Sender {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &resting{next: next, marks: marks, now: now, log: log, refused: map[string]refusedKey{}}
}

// KeyRest is how long a key that was refused is not tried in the background.
const KeyRest = time.Hour

type resting struct {
	next  outbound.Sender
	marks store.Marks
	now   func() time.Time
	log   *slog.Logger

	mu      sync.Mutex
	refused map[string]refusedKey // by provider
}

// refusedKey is a login that a provider did not accept.
type refusedKey struct {
	at      time.Time
	key     llm.Key
	baseURL string
}

// barred gives the refusal of a background call whose key was refused before.
func (r *resting) barred(c outbound.Call) error {
	if !c.Background {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	was, ok := r.refused[c.Provider.ID]
	if since := r.now().Sub(was.at); !ok || since < 0 || since >= KeyRest || was.key != c.Provider.Key || was.baseURL != c.Provider.BaseURL {
		return nil
	}
	return &llm.Error{
		Code: recap.CodeNoLogin, Provider: c.Provider.ID, Detail: "its key was refused a while ago, and is tried again within the hour, or when it is another",
		Hint: "give it another key; recap --model tries this one at once",
	}
}

// tried notes whether a provider accepted the key.
func (r *resting) tried(c outbound.Call, err error) {
	x, failed := errors.AsType[*llm.Error](err)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		delete(r.refused, c.Provider.ID)
	case failed && x.Code == recap.CodeNoLogin && (x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden):
		r.refused[c.Provider.ID] = refusedKey{r.now(), c.Provider.Key, c.Provider.BaseURL}
	}
}

// Send implements [outbound.Sender].
func (r *resting) Send(ctx context.Context, c outbound.Call) (llm.Response, error) {
	if err := r.barred(c); err != nil {
		return llm.Response{}, err
	}
	began := r.now()
	resp, err := r.next.Send(ctx, c)
	r.tried(c, err)
	// Also where the caller has gone: the provider said it.
	kept := context.WithoutCancel(ctx)
	switch until, ok := reset(err); {
	case ok:
		r.keep(kept, c.Provider.ID, store.Rest{Since: r.now(), Until: until})
	case err == nil && !c.Background:
		// What it said to another call meanwhile still holds.
		if was, err := store.RestOf(kept, r.marks, c.Provider.ID); err == nil && was.Stands(r.now()) && !was.Since.After(began) {
			r.keep(kept, c.Provider.ID, store.Rest{Since: was.Since, Until: r.now()})
		}
	}
	return resp, err
}

// Check implements [outbound.Checker]. A rest refuses no call that a person asks
// for.
func (r *resting) Check(ctx context.Context, c outbound.Call) error {
	if k, ok := r.next.(outbound.Checker); ok {
		return k.Check(ctx, c)
	}
	return nil
}

func (r *resting) keep(ctx context.Context, provider string, rest store.Rest) {
	if err := store.SetRest(ctx, r.marks, provider, rest); err != nil {
		r.log.WarnContext(ctx, "rest of a provider not stored", "provider", provider, "code", recap.CodeStore)
	}
}

// reset gives the time that a provider named in a refusal. That of a server which
// loads its model is no rest: it is asked again within the call.
func reset(err error) (until time.Time, ok bool) {
	x, ok := errors.AsType[*llm.Error](err)
	if !ok || x.Reset.IsZero() || x.Loading {
		return time.Time{}, false
	}
	switch x.Code {
	case recap.CodeRateLimited, recap.CodeModelUnavailable, recap.CodeProviderError:
		return x.Reset, true
	}
	return time.Time{}, false
}

// heed takes from the store which providers rest, also where another process was
// told so. What can't be read is as it was known before.
func (e *Engine) heed(ctx context.Context) {
	rests, err := store.Rests(ctx, e.o.Store)
	if err != nil || len(rests) == 0 {
		return
	}
	now := e.o.Now()
	e.backOff.mu.Lock()
	defer e.backOff.mu.Unlock()
	if e.backOff.until == nil {
		e.backOff.until = map[string]time.Time{}
	}
	for provider, r := range rests {
		delete(e.backOff.until, provider)
		if r.Stands(now) {
			e.backOff.until[provider] = r.Until
		}
	}
}
