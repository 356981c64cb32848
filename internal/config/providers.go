package config

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"github.com/sessionrecap/recap/agent"
)

// Provider is a table model.providers.NAME with its references resolved.
type Provider struct {
	Name, Protocol, BaseURL, SessionHeader string

	// Key is the secret itself; Origin says where it came from.
	Key, Origin string
	Models      []string
	Headers     map[string]string
	// Problem says why it can't be used, "" where it can.
	Problem string
}

// Providers are the providers of the settings file, by name.
func (c *Config) Providers() []Provider {
	const prefix = "model.providers."
	var names []string
	for key := range c.values {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			if name, _, ok := strings.Cut(rest, "."); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	out := make([]Provider, 0, len(names))
	for _, name := range names {
		at := prefix + name + "."
		p := Provider{
			Name: name, Protocol: c.Text(at + "protocol"), BaseURL: c.Text(at + "base_url"), SessionHeader: c.Text(at + "session_header"),
			Models: c.List(at + "models"), Origin: "config",
		}
		if h, ok := c.values[at+"headers"].Value.(map[string]string); ok {
			p.Headers = make(map[string]string, len(h))
			for k, v := range h {
				value, _, problem := c.secret(v)
				if problem != "" && strings.HasPrefix(v, "{") {
					p.Problem = "header " + k + ": " + problem
				}
				if problem != "" && !strings.HasPrefix(v, "{") {
					value = v // a header may be written out: it need not be a secret
				}
				p.Headers[k] = value
			}
		}
		if ref := c.Text(at + "key"); ref != "" {
			key, origin, problem := c.secret(ref)
			p.Key = key
			if origin != "" {
				p.Origin = "config, " + origin
			}
			if problem != "" {
				p.Problem = agent.KeyProblem + problem
			}
		}
		out = append(out, p)
	}
	return out
}

// maxSecret is the longest file that is read for a key.
const maxSecret = 16 << 10

// secret resolves "{env:NAME}" or "{file:PATH}".
func (c *Config) secret(ref string) (value, origin, problem string) {
	body, ok := strings.CutSuffix(ref, "}")
	if name, is := strings.CutPrefix(body, "{env:"); ok && is {
		v := c.env(name)
		if v == "" {
			return "", "", "the variable " + name + " is not set"
		}
		return v, "env " + name, ""
	}
	if path, is := strings.CutPrefix(body, "{file:"); ok && is {
		path = expand(path, xdg.Home)
		fi, err := os.Stat(path)
		if err != nil || !fi.Mode().IsRegular() {
			return "", "", "the file " + path + " can't be read"
		}
		f, err := os.Open(path) //nolint:gosec // the person's settings name it
		if err != nil {
			return "", "", "the file " + path + " can't be read"
		}
		defer f.Close() //nolint:errcheck // read only
		b, err := io.ReadAll(io.LimitReader(f, maxSecret))
		if err != nil {
			return "", "", "the file " + path + " can't be read"
		}
		return strings.TrimSpace(string(b)), "file " + path, ""
	}
	return "", "", "write {env:NAME} or {file:PATH}, no secret stands in the settings"
}
