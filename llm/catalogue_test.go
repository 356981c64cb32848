package llm

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
)

func TestCatalogueDataIsWhole(t *testing.T) {
	c := Catalogue()
	if _, err := time.Parse(time.DateOnly, c.Dated()); err != nil {
		t.Errorf("overrides.json is not dated: %v", err)
	}
	if !strings.Contains(catalogueTSV, "charm.land/catwalk v") || !strings.Contains(catalogueTSV, "taken 20") {
		t.Error("catalogue.tsv does not say where and when it is from")
	}
	for line := range strings.Lines(catalogueTSV) {
		if n := strings.Count(line, "\t"); line[0] != '#' && n != 7 && (line[0] != '@' || n != 4) {
			t.Errorf("a line of %d fields: %q", n+1, line)
		}
	}
	if n := len(c.Providers()); n < 40 {
		t.Errorf("%d providers, want at least 40", n)
	}
	models := 0
	for _, id := range c.Providers() {
		k, ok := c.Provider(id)
		if !ok || k.ID != id {
			t.Errorf("%s: %+v, %v", id, k, ok)
		}
		switch k.Protocol {
		case OpenAI, Anthropic, Gemini, "":
		default:
			t.Errorf("%s: protocol %q", id, k.Protocol)
		}
		if k.Protocol != "" && !strings.HasPrefix(k.BaseURL, "http") {
			t.Errorf("%s: no base URL", id)
		}
		if k.Protocol != "" && !k.Keyless && len(k.KeyVars) == 0 {
			t.Errorf("%s: no key variable", id)
		}
		switch k.JSON {
		case JSONPlain, JSONObject, JSONSchema:
		default:
			t.Errorf("%s: JSON mode %q", id, k.JSON)
		}
		if k.Quiet != nil && !json.Valid(k.Quiet) {
			t.Errorf("%s: quiet is no JSON", id)
		}
		ms := c.Models(id)
		models += len(ms)
		for _, m := range ms {
			if m.Context < 0 || m.In < 0 || m.Out < 0 || m.Cached > m.In {
				t.Errorf("%s: %+v", id, m)
			}
		}
		// A small model of a listed provider must be one that can be priced.
		if _, ours := c.over.Providers[id]; ours && len(ms) > 0 && k.Small != "" && k.Protocol != "" {
			if m, ok := c.Model(id, k.Small); !ok || m.ID != k.Small {
				t.Errorf("%s: its small model %q is not in the data", id, k.Small)
			}
		}
	}
	if models < 1000 {
		t.Errorf("%d models, want at least 1000", models)
	}
	for alias, id := range c.over.Aliases {
		if _, ok := c.Provider(id); !ok {
			t.Errorf("alias %s leads to %s, which is not known", alias, id)
		}
		if _, listed := c.sections[alias]; listed {
			t.Errorf("alias %s hides a provider of that id", alias)
		}
	}
}

func TestSmallModels(t *testing.T) {
	for _, c := range []struct{ provider, small string }{
		{"anthropic", "claude-haiku"}, {"openai", "-mini"}, {"google", "flash-lite"}, {"gemini", "flash-lite"}, {"deepseek", "flash"}, {"openrouter", "haiku"},
	} {
		k, ok := Catalogue().Provider(c.provider)
		if !ok || !strings.Contains(k.Small, c.small) {
			t.Errorf("%s: small model %q, want one with %q", c.provider, k.Small, c.small)
		}
		big := 0.0
		for _, m := range Catalogue().Models(c.provider) {
			big = max(big, m.Out)
		}
		if m, _ := Catalogue().Model(c.provider, k.Small); !m.Priced || m.Out > big/2 {
			t.Errorf("%s: %s costs %g of at most %g", c.provider, k.Small, m.Out, big)
		}
	}
}

func TestProviderAliases(t *testing.T) {
	c := Catalogue()
	for _, p := range [][2]string{{"google", "gemini"}, {"Google", "gemini"}, {"moonshotai", "moonshot"}, {"qwen", "dashscope"}, {"opencode", "opencode-zen"}} {
		if !c.Same(p[0], p[1]) {
			t.Errorf("%s and %s are not the same", p[0], p[1])
		}
	}
	if c.Same("openai", "openrouter") {
		t.Error("openai is not openrouter")
	}
	if k, _ := c.Provider("google"); k.ID != "gemini" || !slices.Contains(k.KeyVars, "GEMINI_API_KEY") || k.Protocol != Gemini {
		t.Errorf("google: %+v", k)
	}
	for _, id := range []string{"copilot", "bedrock", "vertexai", "azure"} {
		if k, ok := c.Provider(id); !ok || k.Protocol != "" {
			t.Errorf("%s can't be asked by us: %+v", id, k)
		}
	}
	if k, ok := c.Provider("no such"); ok || k.ID != "" {
		t.Errorf("unknown provider: %+v", k)
	}
}

func TestProviderByHost(t *testing.T) {
	c := Catalogue()
	if k, ok := c.At("https://API.deepseek.com/v1/"); !ok || k.ID != "deepseek" {
		t.Errorf("deepseek's host: %+v", k)
	}
	for _, u := range []string{"", "http://127.0.0.1:4000/v1", "https://llm.example.com/v1", "://"} {
		if k, ok := c.At(u); ok {
			t.Errorf("%q: %+v", u, k)
		}
	}
}

func TestModelIDs(t *testing.T) {
	c := Catalogue()
	for _, m := range []struct{ provider, ask, want string }{
		{"anthropic", "claude-haiku-4-5", "claude-haiku-4-5-20251001"},
		{"anthropic", "claude-haiku-4-5-20251001", "claude-haiku-4-5-20251001"},
		{"anthropic", "claude-haiku-4-5-latest", "claude-haiku-4-5-20251001"},
		{"anthropic", "claude-haiku-4-5@20251001", "claude-haiku-4-5-20251001"},
		{"openai", "gpt-4o-mini-2024-07-18", "gpt-4o-mini"},
		{"google", "models/gemini-2.5-flash", "gemini-2.5-flash"},
		{"openrouter", "anthropic/claude-haiku-4.5", "anthropic/claude-haiku-4.5"},
	} {
		if got, ok := c.Model(m.provider, m.ask); !ok || got.ID != m.want {
			t.Errorf("%s/%s: %q %v, want %q", m.provider, m.ask, got.ID, ok, m.want)
		}
	}
	for _, m := range []struct{ provider, id string }{{"openai", "gpt-4"}, {"openai", "gpt"}, {"openai", ""}, {"ollama", "qwen3"}, {"no such", "gpt-5"}} {
		if got, ok := c.Model(m.provider, m.id); ok || got.Window() != UnknownContext || got.Priced {
			t.Errorf("%s/%s: %+v", m.provider, m.id, got)
		}
	}
}

func TestPrice(t *testing.T) {
	m, ok := Catalogue().Model("anthropic", "claude-haiku-4-5")
	if !ok || m.In != 1 || m.Out != 5 || m.Cached != 0.1 || m.Context != 200_000 {
		t.Fatalf("%+v", m)
	}
	for _, c := range []struct {
		name string
		m    Model
		u    recap.Usage
		want float64
	}{
		{"input and output", m, recap.Usage{InputTokens: 1_000_000, OutputTokens: 200_000}, 2},
		{"cached input is cheaper", m, recap.Usage{InputTokens: 1_000_000, CachedTokens: 500_000}, 0.55},
		{"cached can't exceed the input", m, recap.Usage{InputTokens: 1_000_000, CachedTokens: 9_000_000}, 0.1},
		{"unknown cached price is the full one", modelOf("x\t1\t1\t2\t4\t\t\t"), recap.Usage{InputTokens: 1_000_000, CachedTokens: 1_000_000}, 2},
		{"free is known", modelOf("x:free\t1\t1\t0\t0\t0\t\t"), recap.Usage{InputTokens: 5}, 0},
	} {
		if got := Price(c.m, c.u); got == nil || math.Abs(*got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %g", c.name, got, c.want)
		}
	}
	for _, c := range []struct{ provider, id string }{{"openai", "no such"}, {"kimi-coding", "kimi-for-coding"}} {
		m, _ := Catalogue().Model(c.provider, c.id)
		if got := Price(m, recap.Usage{InputTokens: 5}); got != nil {
			t.Errorf("%s/%s: price %g, want unknown", c.provider, c.id, *got)
		}
	}
}

func TestBrokenDataHoldsNothing(t *testing.T) {
	for _, tsv := range []string{"", "\n@", "\n@x", "\n@x\ty\nm", "\n@x\ty\nm\t1\n@\n@"} {
		c := readCatalogue(tsv, []byte("{"))
		for _, id := range []string{"x", "", "m"} {
			if m, _ := c.Model(id, "m"); m.Priced || m.Window() != UnknownContext {
				t.Errorf("%q: %+v", tsv, m)
			}
			if k, _ := c.Provider(id); k.Protocol == OpenAI {
				t.Errorf("%q: %+v", tsv, k)
			}
			c.Models(id)
		}
	}
}

func BenchmarkCatalogue(b *testing.B) {
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			readCatalogue(catalogueTSV, overridesJSON)
		}
	})
	b.Run("model", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Catalogue().Model("openrouter", "anthropic/claude-haiku-4.5")
		}
	})
}
