package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is the type of a setting.
type kind int

const (
	boolean kind = iota
	text
	duration // "60s", "5m"; in the file also a number of minutes for away.threshold
	count    // a whole number >= 0
	limit    // a number >= 0, or "unlimited"
	list     // a list of strings; in the environment separated by the system's list separator
)

func (k kind) String() string {
	return [...]string{"true or false", "a text", `a duration such as "60s"`, "a whole number", `a number or "unlimited"`, "a list of texts"}[k]
}

// Setting is a key that a person may set.
type Setting struct {
	Key     string
	kind    kind
	Default any
	Doc     string
	// choice narrows a text.
	choice []string
	// narrow says that a project file may set it, to these values only.
	narrow func(v any) bool
}

func off(v any) bool    { b, ok := v.(bool); return ok && !b }
func on(v any) bool     { b, ok := v.(bool); return ok && b }
func anything(any) bool { return true }

// Unlimited is the value of a limit that is not there.
const Unlimited = -1

// Settings are all keys but the tables sources.NAME and model.providers.NAME.
func Settings() []Setting {
	return []Setting{
		{Key: "assist.auto", kind: boolean, Default: false, narrow: off, Doc: "model calls in the background; asked once at recap serve"},
		{Key: "assist.recap", kind: boolean, Default: true, narrow: off, Doc: "make recaps"},
		{Key: "assist.suggestion", kind: boolean, Default: true, narrow: off, Doc: "make suggestions"},
		{Key: "assist.quiet_window", kind: duration, Default: 60 * time.Second, Doc: "stillness until a recap is due"},
		{Key: "away.enabled", kind: boolean, Default: false, narrow: off, Doc: "recap on return to the terminal"},
		{Key: "away.threshold", kind: duration, Default: 5 * time.Minute, Doc: "absence until a recap on return"},
		{Key: "model.override", kind: text, Default: "", Doc: "provider/model for every recap"},
		{Key: "model.allow_cross_provider", kind: boolean, Default: false, Doc: "may another provider with a login serve"},
		{Key: "model.manual", kind: boolean, Default: false, Doc: "recap without flags asks a model too"},
		{Key: "budget.daily_tokens", kind: limit, Default: 500000.0, Doc: "tokens a day for background calls"},
		{Key: "budget.daily_usd", kind: limit, Default: 1.0, Doc: "dollars a day for background calls"},
		{Key: "budget.session_tokens", kind: limit, Default: 50000.0, Doc: "tokens a session for background calls"},
		{Key: "privacy.redact", kind: boolean, Default: true, narrow: on, Doc: "replace secrets before anything is shown, stored or sent"},
		{Key: "privacy.exclude", kind: list, Default: []string{}, narrow: anything, Doc: "directories that are never read"},
		{Key: "recent.days", kind: count, Default: 7, Doc: "how far back the recent-sessions block reaches"},
		{Key: "recent.max", kind: count, Default: 10, Doc: "entries of the block"},
		{Key: "recent.tokens", kind: count, Default: 600, Doc: "tokens of the block, about"},
		{Key: "recent.scope", kind: text, Default: "project", choice: []string{"project", "all"}, Doc: "sessions of this project, or all"},
		{Key: "language", kind: text, Default: "auto", Doc: "language of recaps; outranks detection"},
		{Key: "server.listen", kind: text, Default: "127.0.0.1:4747", Doc: "address of the daemon"},
		{Key: "server.token", kind: text, Default: "", Doc: "bearer token; needed off loopback"},
		{Key: "log.level", kind: text, Default: "info", choice: []string{"debug", "info", "warn", "error"}, Doc: "what is logged"},
		{Key: "log.file", kind: text, Default: "", Doc: "log file; empty is the usual place"},
		{Key: "store.url", kind: text, Default: "sqlite", Doc: "sqlite, sqlite:PATH or postgres://..."},
	}
}

func setting(key string) (Setting, bool) {
	i := slices.IndexFunc(Settings(), func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return Settings()[i], true
}

// sourceKeys are the keys of a table sources.NAME.
var sourceKeys = map[string]kind{
	"enabled": boolean, "agent": text, "home": text, "url": text, "username": text, "password": text, "metadata_namespace": text, "database": text,
}

// providerKeys are the keys of a table model.providers.NAME.
var providerKeys = map[string]kind{
	"protocol": text, "base_url": text, "key": text, "models": list, "session_header": text,
}

// convert checks a value from the file against the kind of its key.
func (s Setting) convert(v any) (any, error) {
	out, err := s.kind.convert(v)
	if err != nil {
		return nil, err
	}
	if len(s.choice) > 0 {
		if t, ok := out.(string); ok && !slices.Contains(s.choice, t) {
			return nil, fmt.Errorf("must be one of %s", strings.Join(s.choice, ", "))
		}
	}
	return out, nil
}

func (k kind) convert(v any) (any, error) {
	switch k {
	case boolean:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	case text:
		if t, ok := v.(string); ok {
			return t, nil
		}
	case duration:
		switch t := v.(type) {
		case string:
			if d, err := time.ParseDuration(t); err == nil && d > 0 {
				return d, nil
			}
		case time.Duration:
			return t, nil
		}
	case count:
		if n, ok := v.(int64); ok && n >= 0 && n < 1<<31 {
			return int(n), nil
		}
	case limit:
		switch t := v.(type) {
		case int64:
			if t >= 0 {
				return float64(t), nil
			}
		case float64:
			if t >= 0 {
				return t, nil
			}
		case string:
			if t == "unlimited" {
				return float64(Unlimited), nil
			}
		}
	case list:
		if xs, ok := v.([]any); ok {
			out := make([]string, 0, len(xs))
			for _, x := range xs {
				t, ok := x.(string)
				if !ok {
					return nil, fmt.Errorf("must be %s", k)
				}
				out = append(out, t)
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("must be %s", k)
}

// parse makes a value of text, as the environment and `recap config set` give
// it, in the form the file would have.
func (k kind) parse(s string, separator string) any {
	switch k {
	case boolean:
		if b, err := strconv.ParseBool(s); err == nil {
			return b
		}
	case count:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case limit:
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n
		}
	case list:
		out := []any{}
		for t := range strings.SplitSeq(s, separator) {
			if t != "" {
				out = append(out, t)
			}
		}
		return out
	case text, duration:
	}
	return s
}

// EnvName is the variable of a key.
func EnvName(key string) string {
	return "RECAP_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// format writes a value as the file would have it.
func format(v any) string {
	switch t := v.(type) {
	case string:
		return strconv.Quote(t)
	case time.Duration:
		s := t.String()
		if strings.HasSuffix(s, "m0s") {
			s = strings.TrimSuffix(s, "0s")
		}
		if strings.HasSuffix(s, "h0m") {
			s = strings.TrimSuffix(s, "0m")
		}
		return strconv.Quote(s)
	case float64:
		if t == Unlimited {
			return `"unlimited"`
		}
		return strconv.FormatFloat(t, 'f', -1, 64)
	case []string:
		q := make([]string, len(t))
		for i, x := range t {
			q[i] = strconv.Quote(x)
		}
		return "[" + strings.Join(q, ", ") + "]"
	}
	return fmt.Sprint(v)
}
