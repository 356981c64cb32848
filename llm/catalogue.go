package llm

import (
	_ "embed"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	recap "github.com/sessionrecap/recap"
)

//go:generate go run gen.go

//go:embed data/catalogue.tsv
var catalogueTSV string

//go:embed overrides.json
var overridesJSON []byte

// UnknownContext is the context window, in tokens, of a model of which none is
// known.
const UnknownContext = 64_000

// JSONMode says how a provider is asked for a JSON object.
type JSONMode string

// JSON modes.
const (
	JSONPlain  JSONMode = ""       // by the prompt alone
	JSONObject JSONMode = "object" // any object: OpenAI's json_object
	JSONSchema JSONMode = "schema" // an object of these fields
)

// Known is what the catalogue knows of a provider.
type Known struct {
	// ID is the catalogue's own, whichever alias was asked for.
	ID string
	// Protocol is "" where none of ours fits, or only the vendor's own
	// programs may ask.
	Protocol Protocol
	// BaseURL is "" where each customer has another.
	BaseURL string
	// KeyVars and URLVars are the names of the usual environment variables,
	// the first that is set counts.
	KeyVars, URLVars []string
	// Small is the id of the small model, "" for none.
	Small string
	// Keyless: a server on this machine.
	Keyless bool
	JSON    JSONMode
	// Quiet is a JSON object whose members in a request keep a model of this
	// provider from reasoning, nil where there is no such switch.
	Quiet json.RawMessage
}

// Model is what the catalogue knows of a model. Zero values are unknown.
type Model struct {
	ID string
	// Context is the context window in tokens; see Window.
	Context int
	// MaxOutput is the most output, in tokens, that is usually asked for.
	MaxOutput int
	// Priced: In and Out are known, and they may be 0.
	Priced bool
	// In, Out and Cached are US dollars per million tokens: read, written,
	// and read from the provider's cache. Cached is In where it is unknown.
	In, Out, Cached float64
	// Reasons: the model can reason before it answers.
	Reasons bool
	// Efforts are the levels of reasoning it knows, the least first.
	Efforts []string
}

// Window is the context window, or UnknownContext.
func (m Model) Window() int {
	if m.Context > 0 {
		return m.Context
	}
	return UnknownContext
}

// Price gives what a call cost in US dollars, or nil where the model's price
// is not known.
func Price(m Model, u recap.Usage) *float64 {
	if !m.Priced {
		return nil
	}
	cached := min(max(u.CachedTokens, 0), u.InputTokens)
	p := (float64(u.InputTokens-cached)*m.In + float64(cached)*m.Cached + float64(u.OutputTokens)*m.Out) / 1e6
	return &p
}

// Catalog answers what is known of providers and models, from dated data in
// the program. It is read-only and safe for concurrent use.
type Catalog struct {
	over overrides
	// sections are the lines of each provider; a look-up reads one of them.
	sections map[string]string
}

type overrides struct {
	Dated     string              `json:"dated"`
	Aliases   map[string]string   `json:"aliases"`
	Providers map[string]override `json:"providers"`
}

type override struct {
	Protocol Protocol        `json:"protocol"`
	URL      string          `json:"url"`
	URLVars  []string        `json:"urlVars"`
	Keys     []string        `json:"keys"`
	Small    string          `json:"small"`
	Keyless  bool            `json:"keyless"`
	JSON     JSONMode        `json:"json"`
	Quiet    json.RawMessage `json:"quiet"`
}

var catalogue = sync.OnceValue(func() *Catalog { return readCatalogue(catalogueTSV, overridesJSON) })

// Catalogue gives the catalogue. It is read on the first call.
func Catalogue() *Catalog { return catalogue() }

func readCatalogue(tsv string, over []byte) *Catalog {
	c := &Catalog{sections: map[string]string{}}
	// The file is ours and a test reads it; broken, it holds nothing.
	if err := json.Unmarshal(over, &c.over); err != nil {
		c.over = overrides{}
	}
	for rest := tsv; ; {
		start := strings.Index(rest, "\n@")
		if start < 0 {
			return c
		}
		rest = rest[start+2:]
		end := strings.Index(rest, "\n@")
		if end < 0 {
			end = len(rest)
		}
		id, _, _ := strings.Cut(rest[:end], "\t")
		c.sections[id] = rest[:end]
		rest = rest[end:]
	}
}

// Dated is the day of our own facts, "2006-01-02".
func (c *Catalog) Dated() string { return c.over.Dated }

// Providers gives the ids of all known providers, sorted.
func (c *Catalog) Providers() []string {
	ids := map[string]bool{}
	for id := range c.sections {
		ids[id] = true
	}
	for id := range c.over.Providers {
		ids[id] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// Same reports whether two ids name the same provider: "google" and "gemini".
func (c *Catalog) Same(a, b string) bool { return c.id(a) == c.id(b) }

func (c *Catalog) id(id string) string {
	id = strings.ToLower(strings.TrimSpace(id))
	if to, ok := c.over.Aliases[id]; ok {
		return to
	}
	return id
}

// Provider gives what is known of a provider, by its id or one of the ids
// that agents use for it.
func (c *Catalog) Provider(id string) (Known, bool) {
	id = c.id(id)
	section, listed := c.sections[id]
	o, ours := c.over.Providers[id]
	if !listed && !ours {
		return Known{}, false
	}
	k := Known{ID: id, Keyless: o.Keyless, JSON: o.JSON, URLVars: o.URLVars, Quiet: o.Quiet}
	if line, _, _ := strings.Cut(section, "\n"); listed {
		f := strings.Split(line, "\t")
		if len(f) >= 5 {
			k.Protocol, k.BaseURL, k.Small = Protocol(f[1]), f[2], f[4]
			if f[3] != "" {
				k.KeyVars = []string{f[3]}
			}
		}
	}
	if o.Protocol != "" {
		k.Protocol = o.Protocol
	}
	if k.Protocol == "none" {
		k.Protocol = ""
	}
	if o.URL != "" {
		k.BaseURL = o.URL
	}
	if o.Small != "" {
		k.Small = o.Small
	}
	if o.Keys != nil {
		k.KeyVars = o.Keys
	}
	return k, true
}

// At gives the provider behind a base URL, whatever it is called: an agent may
// send its "openai" to another host. Only the host is looked at.
func (c *Catalog) At(baseURL string) (Known, bool) {
	host := hostOf(baseURL)
	if host == "" {
		return Known{}, false
	}
	for _, id := range c.Providers() {
		if k, ok := c.Provider(id); ok && hostOf(k.BaseURL) == host {
			return k, true
		}
	}
	return Known{}, false
}

// hostOf gives host and port in small letters, "" where there is none.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// Model gives what is known of a provider's model. An id without its date
// finds the dated one and the other way round. Unknown: only ID is set, and
// Window says UnknownContext.
func (c *Catalog) Model(provider, id string) (Model, bool) {
	_, lines, _ := strings.Cut(c.sections[c.id(provider)], "\n")
	id = strings.TrimPrefix(id, "models/")
	near := ""
	for line := range strings.Lines(lines) {
		name, _, _ := strings.Cut(line, "\t")
		if name == id {
			return modelOf(line), true
		}
		if strings.EqualFold(name, id) || near == "" && undated(name) == undated(id) {
			near = line
		}
	}
	if near != "" {
		return modelOf(near), true
	}
	return Model{ID: id}, false
}

// Models gives a provider's models in the order of the data.
func (c *Catalog) Models(provider string) []Model {
	var out []Model
	_, lines, _ := strings.Cut(c.sections[c.id(provider)], "\n")
	for line := range strings.Lines(lines) {
		out = append(out, modelOf(line))
	}
	return out
}

// undated cuts the date off an id: "-20251001", "-2025-10-01", "@20251001",
// "-latest".
func undated(id string) string {
	id = strings.TrimSuffix(id, "-latest")
	if n := len("-20251001"); len(id) > n && strings.IndexByte("-@", id[len(id)-n]) >= 0 && allDigits(id[len(id)-n+1:]) {
		return id[:len(id)-n]
	}
	if n := len("-2025-10-01"); len(id) > n && id[len(id)-n] == '-' && id[len(id)-6] == '-' && id[len(id)-3] == '-' &&
		allDigits(strings.ReplaceAll(id[len(id)-n+1:], "-", "")) {
		return id[:len(id)-n]
	}
	return id
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func modelOf(line string) Model {
	f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
	if len(f) < 8 {
		return Model{ID: f[0]}
	}
	m := Model{ID: f[0], Context: number(f[1]), MaxOutput: number(f[2]), Priced: f[3] != "" && f[4] != "", Reasons: f[6] != ""}
	m.In, m.Out, m.Cached = price(f[3]), price(f[4]), price(f[5])
	if f[5] == "" {
		m.Cached = m.In
	}
	if f[7] != "" {
		m.Efforts = strings.Split(f[7], ",")
	}
	return m
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func price(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return f
}
