package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxReset is the furthest reset that is believed.
const maxReset = 31 * 24 * time.Hour

// resetAt gives when the provider can be asked again, zero where it does not
// say: Retry-After first, then what the body says, then the limits that are
// used up by their own headers.
func resetAt(h http.Header, after time.Duration, now time.Time) time.Time {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return sane(now.Add(seconds(ms/1000)), now)
	}
	if t := when(h.Get("Retry-After"), now); !t.IsZero() {
		return t
	}
	if after > 0 {
		return sane(now.Add(after), now)
	}
	return limits(h, now)
}

// limits reads the families x-ratelimit-reset-<what>, x-ratelimit-reset and
// anthropic-ratelimit-<what>-reset. A limit with something remaining is not
// the one that was hit; of several hit ones the last counts.
func limits(h http.Header, now time.Time) time.Time {
	var hit, last time.Time
	for name := range h {
		var left string
		switch n := strings.ToLower(name); {
		case strings.HasPrefix(n, "anthropic-ratelimit-") && strings.HasSuffix(n, "-reset"):
			left = strings.TrimSuffix(n, "reset") + "remaining"
		case n == "x-ratelimit-reset" || strings.HasPrefix(n, "x-ratelimit-reset-"):
			left = strings.Replace(n, "reset", "remaining", 1)
		default:
			continue
		}
		t := when(h.Get(name), now)
		if t.After(last) {
			last = t
		}
		if n, err := strconv.ParseFloat(h.Get(left), 64); err == nil && n <= 0 && t.After(hit) {
			hit = t
		}
	}
	if !hit.IsZero() {
		return hit
	}
	return last
}

// when reads a point in time in any of the forms in use: seconds from now, a
// duration ("6m0s"), seconds or milliseconds since 1970, an HTTP date, RFC 3339.
func when(s string, now time.Time) time.Time {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case n > 1e12:
			return sane(time.UnixMilli(int64(min(n, 1e15))), now)
		case n > 1e9:
			return sane(time.Unix(int64(n), 0), now)
		}
		return sane(now.Add(seconds(n)), now)
	}
	if d, err := time.ParseDuration(s); err == nil {
		return sane(now.Add(d), now)
	}
	if t, err := http.ParseTime(s); err == nil {
		return sane(t, now)
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return sane(t, now)
	}
	return time.Time{}
}

// seconds is bounded; what is no number is 0.
func seconds(n float64) time.Duration {
	if math.IsNaN(n) {
		return 0
	}
	return time.Duration(min(max(n, 0), maxReset.Seconds()) * float64(time.Second))
}

// sane drops what lies in the past and cuts what lies too far ahead.
func sane(t, now time.Time) time.Time {
	if !t.After(now) {
		return time.Time{}
	}
	if far := now.Add(maxReset); t.After(far) {
		return far
	}
	return t
}
