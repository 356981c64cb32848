package store

import (
	"context"
	"errors"
	"strings"
	"time"
)

// MarkResting is the mark of a provider that refused a call and named a time: it
// wants no other before. Scope: the id of the provider. See [Rest].
const MarkResting = "resting"

// LongestRest is the longest that a provider's word is believed.
const LongestRest = 24 * time.Hour

// clockSlack is how far a clock may be set back without a rest being taken for
// one of another time.
const clockSlack = time.Minute

// Rest is the word of a provider that refused a call: none before Until. It is of
// the time Since.
type Rest struct{ Since, Until time.Time }

// Stands reports whether the provider is to be left alone now. A rest that ends
// later than it was long is of a clock that was set back since, and does not
// stand: nobody rests for ever.
func (r Rest) Stands(now time.Time) bool {
	left := r.Until.Sub(now)
	return left > 0 && left <= min(r.Until.Sub(r.Since), LongestRest)+clockSlack
}

// SetRest keeps what a provider said, over what it said before; of a longer time
// than [LongestRest] only that much.
func SetRest(ctx context.Context, m Marks, provider string, r Rest) error {
	if most := r.Since.Add(LongestRest); r.Until.After(most) {
		r.Until = most
	}
	return m.SetMark(ctx, MarkResting, provider, r.Since.UTC().Format(time.RFC3339Nano)+" "+r.Until.UTC().Format(time.RFC3339Nano))
}

// RestOf gives what a provider said last; the zero Rest, which stands never, where
// it said nothing.
func RestOf(ctx context.Context, m Marks, provider string) (Rest, error) {
	text, err := m.Mark(ctx, MarkResting, provider)
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	r, _ := parseRest(text)
	return r, err
}

// Rests gives what each provider said last, those too that stand no longer.
func Rests(ctx context.Context, m Marks) (map[string]Rest, error) {
	marked, err := m.Marked(ctx, MarkResting)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Rest, len(marked))
	for provider, text := range marked {
		if r, ok := parseRest(text); ok {
			out[provider] = r
		}
	}
	return out, nil
}

// parseRest reads what SetRest wrote. What another program wrote says nothing.
func parseRest(text string) (r Rest, ok bool) {
	since, until, _ := strings.Cut(text, " ")
	from, err := time.Parse(time.RFC3339Nano, since)
	if err != nil {
		return Rest{}, false
	}
	to, err := time.Parse(time.RFC3339Nano, until)
	if err != nil {
		return Rest{}, false
	}
	return Rest{from, to}, true
}
