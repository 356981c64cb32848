package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// kind is the type of a setting.
type kind int

const (
	boolean  kind = iota
	text          // a string
	duration      // a text that Go reads as a duration, above zero
	minutes       // a duration, or a number of minutes; zero or less is the default
	count         // a whole number >= 0
	limit         // a number >= 0, or "unlimited"
	list          // a list of strings; in the environment separated by the system's list separator
	texts         // a table of strings
	switched      // false, true, or the path of a directory
)

func (k kind) String() string {
	return [...]string{
		"true or false", "a text", `a duration such as "60s"`, `a duration such as "5m", or a number of minutes`, "a whole number",
		`a number or "unlimited"`, "a list of texts", "a table of texts", "true, false or a directory",
	}[k]
}

// Setting is a key that a person may set.
type Setting struct {
	// Key is dotted; NAME in it stands for a name of the person's choice.
	Key     string
	kind    kind
	Default any // nil: not set
	Doc     string
	// choice narrows a text.
	choice []string
	// valid says what is wrong with a value of the right type; nil: nothing
	// ever is.
	valid func(v any) error
	// narrow says that a project file may set it, to these values only.
	narrow func(v any) bool
	// secret values are not shown.
	secret bool
}

// Type says in words what values the setting takes.
func (s Setting) Type() string {
	if len(s.choice) > 0 {
		return "one of " + strings.Join(s.choice, ", ")
	}
	return s.kind.String()
}

// Narrows says that the file of a project may set it, to narrow.
func (s Setting) Narrows() bool { return s.narrow != nil }

// Choices are the values that a key can have, nil where there are too many.
func Choices(key string) []string {
	s, ok := setting(key)
	switch {
	case !ok:
		return nil
	case len(s.choice) > 0:
		return slices.Clone(s.choice)
	case s.kind == boolean, s.kind == switched:
		return []string{"true", "false"}
	case s.kind == limit:
		return []string{"unlimited"}
	}
	return nil
}

// DefaultText is the default as the file would have it, "" where there is none.
func (s Setting) DefaultText() string {
	if s.Default == nil {
		return ""
	}
	return format(s.Default)
}

func off(v any) bool    { b, ok := v.(bool); return ok && !b }
func on(v any) bool     { b, ok := v.(bool); return ok && b }
func anything(any) bool { return true }

// Unlimited is the value of a limit that is not there.
const Unlimited = -1

// Settings are all keys but those of the tables sources.NAME and
// model.providers.NAME.
func Settings() []Setting {
	return []Setting{
		{Key: "assist.auto", kind: boolean, Default: false, narrow: off, Doc: "model calls in the background; asked once at recap serve"},
		{Key: "assist.recap", kind: boolean, Default: true, narrow: off, Doc: "make recaps"},
		{Key: "assist.suggestion", kind: boolean, Default: true, narrow: off, Doc: "make suggestions"},
		{Key: "assist.quiet_window", kind: duration, Default: 60 * time.Second, Doc: "stillness until a recap is due"},
		{Key: "away.enabled", kind: boolean, Default: false, narrow: off, Doc: "recap on return to the terminal"},
		{Key: "away.threshold", kind: minutes, Default: 5 * time.Minute, Doc: "absence until a recap on return"},
		{Key: "model.override", kind: text, Default: "", valid: textCheck("PROVIDER/MODEL", isModel), Doc: "provider/model for every recap"},
		{Key: "model.allow_cross_provider", kind: boolean, Default: false, Doc: "may another provider with a login serve"},
		{Key: "model.manual", kind: boolean, Default: false, Doc: "recap without flags asks a model too"},
		{Key: "budget.daily_tokens", kind: limit, Default: 500000.0, Doc: "tokens a day; 0 allows none. A cap refuses background calls always, others unless --over-budget"},
		{Key: "budget.daily_usd", kind: limit, Default: 1.0, Doc: "dollars a day; 0 allows none but local models. A cap refuses background calls always, others unless --over-budget"},
		{Key: "budget.session_tokens", kind: limit, Default: 50000.0, Doc: "tokens a session; 0 allows none. A cap refuses background calls always, others unless --over-budget"},
		{Key: "privacy.redact", kind: boolean, Default: true, narrow: on, Doc: "replace secrets before anything is shown, stored or sent"},
		{Key: "privacy.exclude", kind: list, Default: []string{}, valid: validDirectories, narrow: anything, Doc: "directories that are never read, with all below them; where this can't be understood, nothing is read"},
		{Key: "recent.days", kind: count, Default: 7, Doc: "how far back the recent-sessions block reaches"},
		{Key: "recent.max", kind: count, Default: 10, Doc: "entries of the block"},
		{Key: "recent.tokens", kind: count, Default: 600, Doc: "tokens of the block, about"},
		{Key: "recent.scope", kind: text, Default: "project", choice: []string{"project", "all"}, Doc: "sessions of this project, or all"},
		{Key: "language", kind: text, Default: "auto", valid: textCheck(`auto, a language or its tag, such as "de"`, isLanguage), Doc: "language of recaps; outranks detection"},
		{Key: "server.listen", kind: text, Default: "127.0.0.1:4747", valid: textCheck("HOST:PORT", isListen), Doc: "address of the daemon"},
		{Key: "server.token", kind: text, Default: "", secret: true, Doc: "bearer token; needed off loopback"},
		{Key: "log.level", kind: text, Default: "info", choice: []string{"debug", "info", "warn", "error"}, Doc: "what is logged"},
		{Key: "log.file", kind: text, Default: "", valid: validPath("a file"), Doc: "log file; empty is `recap/recap.log` in the state directory; `RECAP_LOG=off` for none"},
		{Key: storeKey, kind: text, Default: "sqlite", secret: true, valid: textCheck("sqlite, sqlite:PATH with an absolute path, or postgres://HOST/...", isStore), Doc: "`sqlite`, `sqlite:PATH` or `postgres://...`"},
	}
}

// Tables are the keys of the tables that a person names.
func Tables() []Setting {
	return []Setting{
		{Key: "sources.NAME", kind: switched, valid: textCheck("true, false or the absolute path of a directory (~ is your home)", fixed), Doc: "an agent's home: `claude`, `codex`, `gemini`, `opencode`, `qwen`, or a name of yours; off, or where it is"},
		{Key: "sources.NAME.enabled", kind: boolean, Doc: "read this home"},
		{Key: "sources.NAME.agent", kind: text, choice: agentNames(), Doc: "whose home it is, where NAME is a name of yours"},
		{Key: "sources.NAME.home", kind: text, valid: validPath("a directory"), Doc: "the agent's home directory"},
		{Key: "sources.NAME.database", kind: text, valid: validPath("a file"), Doc: "OpenCode's database, where it is not in its home"},
		{Key: "sources.NAME.url", kind: text, valid: textCheck("an address such as http://HOST:PORT", isWeb), Doc: "address of OpenCode's server, `http://HOST:PORT`; beside its home, or under a name of yours for each further one"},
		{Key: "sources.NAME.username", kind: text, Doc: "login of the server; `opencode` if not set"},
		{Key: "sources.NAME.password", kind: text, secret: true, Doc: "its password, best as `{env:NAME}` or `{file:PATH}`"},
		{Key: "sources.NAME.metadata_namespace", kind: text, Doc: "where recaps stand in OpenCode's session metadata; `recap` if not set"},
		{Key: "model.providers.NAME.protocol", kind: text, choice: []string{"openai", "anthropic", "gemini"}, Doc: "what the provider speaks"},
		{Key: "model.providers.NAME.base_url", kind: text, valid: textCheck("an address such as https://HOST/v1", isWeb), Doc: "its address, with `/v1` for openai only"},
		{Key: "model.providers.NAME.key", kind: text, secret: true, Doc: "`{env:NAME}` or `{file:PATH}`"},
		{Key: "model.providers.NAME.models", kind: list, Doc: "ids of its models"},
		{Key: "model.providers.NAME.headers", kind: texts, secret: true, Doc: "headers of every request"},
		{Key: "model.providers.NAME.session_header", kind: text, valid: textCheck("the name of a header", isHeader), Doc: "header that carries the session's id"},
	}
}

// setting finds the setting of a key, also in the tables.
func setting(key string) (Setting, bool) {
	for _, s := range Settings() {
		if s.Key == key {
			return s, true
		}
	}
	parts := strings.Split(key, ".")
	for _, s := range Tables() {
		pattern := strings.Split(s.Key, ".")
		if len(parts) == len(pattern) && !slices.ContainsFunc(parts, func(p string) bool { return p == "" }) {
			i := slices.Index(pattern, "NAME")
			pattern[i] = parts[i]
			if slices.Equal(parts, pattern) {
				s.Key = key
				return s, true
			}
		}
	}
	return Setting{}, false
}

// isTable reports whether settings stand below the key.
func isTable(key string) bool {
	for _, s := range slices.Concat(Settings(), Tables()) {
		if strings.HasPrefix(s.Key, key+".") {
			return true
		}
	}
	return false
}

// convert checks a value from the file against the kind of its key.
func (s Setting) convert(v any) (any, error) {
	out, err := s.kind.convert(v)
	if err != nil {
		return nil, err
	}
	if s.kind == minutes && out == time.Duration(0) {
		return s.Default, nil
	}
	if len(s.choice) > 0 {
		if t, ok := out.(string); ok && !slices.Contains(s.choice, t) {
			return nil, fmt.Errorf("must be one of %s", strings.Join(s.choice, ", "))
		}
	}
	if err := plain(out); err != nil {
		return nil, err
	}
	if s.valid != nil {
		if err := s.valid(out); err != nil {
			return nil, err
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
	case switched:
		switch t := v.(type) {
		case bool:
			return t, nil
		case string:
			if t != "" {
				return t, nil
			}
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
	case minutes:
		return toMinutes(v)
	case count:
		switch n := v.(type) {
		case int64:
			if n >= 0 && n < 1<<31 {
				return int(n), nil
			}
			if n < 0 {
				return nil, fmt.Errorf("must be %s that is not below 0", k)
			}
		case int:
			if n >= 0 {
				return n, nil
			}
		}
	case limit:
		return toLimit(v)
	case list:
		return toList(v)
	case texts:
		if t, ok := v.(map[string]any); ok {
			out := make(map[string]string, len(t))
			for name, x := range t {
				s, ok := x.(string)
				if !ok {
					return nil, fmt.Errorf("must be %s", k)
				}
				out[name] = s
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("must be %s", k)
}

// toMinutes gives zero for a number or a duration that is not above zero.
func toMinutes(v any) (any, error) {
	const most = 100 * 365 * 24 * 60
	number := math.NaN()
	switch t := v.(type) {
	case time.Duration:
		return max(0, t), nil
	case int64:
		number = float64(t)
	case float64:
		number = t
	case string:
		if d, err := time.ParseDuration(t); err == nil {
			return max(0, d), nil
		}
	}
	if math.IsNaN(number) || number > most {
		return nil, fmt.Errorf("must be %s", minutes)
	}
	return time.Duration(max(0, number) * float64(time.Minute)), nil
}

var errBelow = errors.New(`must be a number that is not below 0, or "unlimited"`)

func toLimit(v any) (any, error) {
	switch t := v.(type) {
	case int64:
		if t >= 0 {
			return float64(t), nil
		}
		return nil, errBelow
	case float64:
		if t >= 0 && !math.IsInf(t, 0) {
			return t, nil
		}
		if t < 0 && !math.IsInf(t, 0) {
			return nil, errBelow
		}
	case string:
		if t == "unlimited" {
			return float64(Unlimited), nil
		}
	}
	return nil, fmt.Errorf("must be %s", limit)
}

func toList(v any) (any, error) {
	switch xs := v.(type) {
	case []string:
		return xs, nil
	case []any:
		out := make([]string, 0, len(xs))
		for _, x := range xs {
			t, ok := x.(string)
			if !ok {
				return nil, fmt.Errorf("must be %s", list)
			}
			out = append(out, t)
		}
		return out, nil
	}
	return nil, fmt.Errorf("must be %s", list)
}

// parse makes a value of text, as the environment and `recap config set` give
// it, in the form the file would have.
func (k kind) parse(s string, separator string) any {
	switch k {
	case boolean, switched:
		switch strings.ToLower(s) {
		case "1", "true", "on", "yes":
			return true
		case "0", "false", "off", "no":
			return false
		}
	case count:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case limit, minutes:
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n
		}
	case list:
		return parseList(s, separator)
	case text, duration, texts:
	}
	return s
}

// parseList reads a list as the file would have it, ["/a", "/b"], or divided by
// the separator. What begins like the first and is none stays a text.
func parseList(s, separator string) any {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") {
		var doc struct{ X []string }
		if err := toml.Unmarshal([]byte("x = "+s+"\n"), &doc); err != nil {
			return s
		}
		out := make([]any, len(doc.X))
		for i, t := range doc.X {
			out[i] = t
		}
		return out
	}
	out := []any{}
	for t := range strings.SplitSeq(s, separator) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// EnvName is the variable of a key.
func EnvName(key string) string {
	return "RECAP_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// format writes a value as the file would have it.
func format(v any) string {
	switch t := v.(type) {
	case string:
		return quote(t)
	case time.Duration:
		s := t.String()
		if strings.HasSuffix(s, "m0s") {
			s = strings.TrimSuffix(s, "0s")
		}
		if strings.HasSuffix(s, "h0m") {
			s = strings.TrimSuffix(s, "0m")
		}
		return quote(s)
	case float64:
		if t == Unlimited {
			return `"unlimited"`
		}
		return strconv.FormatFloat(t, 'f', -1, 64)
	case []string:
		q := make([]string, len(t))
		for i, x := range t {
			q[i] = quote(x)
		}
		return "[" + strings.Join(q, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// quote writes a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r) // what is no UTF-8 becomes U+FFFD
		}
	}
	b.WriteByte('"')
	return b.String()
}

var errNotText = errors.New("is no UTF-8 text")
