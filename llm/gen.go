//go:build ignore

// Gen writes data/catalogue.tsv from the provider files of the module
// charm.land/catwalk. Run it by `go generate ./llm` after a change of version.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	module  = "charm.land/catwalk"
	version = "v0.52.1"
	dated   = "2026-11-30"
)

type provider struct {
	ID     string  `json:"id"`
	Type   string  `json:"type"`
	Key    string  `json:"api_key"`
	URL    string  `json:"api_endpoint"`
	Small  string  `json:"default_small_model_id"`
	Models []model `json:"models"`
}

type model struct {
	ID        string   `json:"id"`
	In        float64  `json:"cost_per_1m_in"`
	Out       float64  `json:"cost_per_1m_out"`
	InCached  float64  `json:"cost_per_1m_in_cached"`
	OutCached float64  `json:"cost_per_1m_out_cached"`
	Context   int64    `json:"context_window"`
	MaxOut    int64    `json:"default_max_tokens"`
	Reasons   bool     `json:"can_reason"`
	Levels    []string `json:"reasoning_levels"`
}

func main() {
	log.SetFlags(0)
	out, err := exec.Command("go", "mod", "download", "-json", module+"@"+version).Output()
	check(err)
	var at struct{ Dir string }
	check(json.Unmarshal(out, &at))
	licence, err := os.ReadFile(filepath.Join(at.Dir, "LICENSE"))
	check(err)
	files, err := filepath.Glob(filepath.Join(at.Dir, "internal", "providers", "configs", "*.json"))
	check(err)
	var ps []provider
	for _, f := range files {
		b, err := os.ReadFile(f)
		check(err)
		var p provider
		check(json.Unmarshal(b, &p))
		ps = append(ps, p)
	}
	slices.SortFunc(ps, func(a, b provider) int { return strings.Compare(a.ID, b.ID) })

	var w bytes.Buffer
	fmt.Fprintf(&w, "# %s %s, taken %s, MIT License, see catwalk.LICENSE. Written by gen.go; own facts stand in overrides.json.\n", module, version, dated)
	fmt.Fprintln(&w, "# @provider, protocol, base URL, key variable, small model; below it: model, context, most output, US$ per million in, out, read from the cache, reasons, levels")
	for _, p := range ps {
		fmt.Fprintf(&w, "@%s\n", strings.Join([]string{p.ID, protocol(p.Type), fixed(p.URL), strings.TrimPrefix(p.Key, "$"), p.Small}, "\t"))
		for _, m := range p.Models {
			if strings.ContainsAny(m.ID, "\t\n") {
				log.Fatalf("%s: %q can't be written", p.ID, m.ID)
			}
			in, out, cached := prices(m)
			reasons := ""
			if m.Reasons {
				reasons = "r"
			}
			fmt.Fprintln(&w, strings.Join([]string{
				m.ID, strconv.FormatInt(m.Context, 10), strconv.FormatInt(m.MaxOut, 10),
				in, out, cached, reasons, strings.Join(m.Levels, ","),
			}, "\t"))
		}
	}
	check(os.WriteFile(filepath.Join("data", "catalogue.tsv"), w.Bytes(), 0o644))
	check(os.WriteFile(filepath.Join("data", "catwalk.LICENSE"), licence, 0o644))
}

// protocol names the wire protocol, "" where it is none of ours: requests
// signed by a cloud, deployments as models.
func protocol(kind string) string {
	switch kind {
	case "openai", "openai-compat", "openrouter", "vercel":
		return "openai"
	case "anthropic":
		return "anthropic"
	case "google":
		return "gemini"
	}
	return ""
}

// fixed drops addresses that are the name of a variable.
func fixed(url string) string {
	if strings.HasPrefix(url, "$") {
		return ""
	}
	return url
}

// prices gives the three prices as text, "" for unknown. The source has 0 for
// "free" and for "not known"; only an id that says free is free. Its two cached
// prices are, by provider, the read price alone, in one column or the other,
// or the write price beside the read price; reading is the cheaper one.
func prices(m model) (in, out, cached string) {
	if m.In == 0 && m.Out == 0 {
		if strings.HasSuffix(m.ID, ":free") || strings.HasSuffix(m.ID, "-free") {
			return "0", "0", "0"
		}
		return "", "", ""
	}
	c := m.InCached
	if c <= 0 || m.OutCached > 0 && m.OutCached < c {
		c = m.OutCached
	}
	if c > 0 && c <= m.In {
		cached = price(c)
	}
	return price(m.In), price(m.Out), cached
}

func price(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
