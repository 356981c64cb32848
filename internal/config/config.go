// Package config finds recap's settings: flags, the environment, the settings
// file, defaults, in this order of rank, each value with where it came from.
//
// [Load] never fails: what is wrong in a file is a [Problem] with key and line,
// the rest of the file counts, and a broken file leaves the defaults. A
// project's .recap.toml is read by [Config.Narrow]; it can only narrow.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/pelletier/go-toml/v2"
)

// Problem is something wrong in a settings file or variable.
type Problem struct {
	Origin  string // the file's path, or "environment"
	Line    int    // 0 where unknown
	Key     string
	Message string
}

// String is one line for people.
func (p Problem) String() string {
	s := p.Origin
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	if p.Key != "" {
		s += ": " + p.Key
	}
	return s + ": " + p.Message
}

// Value is the value of a setting and where it came from.
type Value struct {
	Key    string
	Value  any
	Origin string // "default", "file PATH", "env NAME", "flag"
}

// Text is the value as the file would have it.
func (v Value) Text() string { return format(v.Value) }

// Source is a home of an agent that recap reads.
type Source struct {
	Name    string
	Agent   string
	Root    string // absolute; "" for a server
	Origin  string
	Enabled bool
	URL     string
	// Database is OpenCode's database where it is not in Root.
	Database string
}

// Config is the settings of one run.
type Config struct {
	// Path is the settings file, whether or not it exists.
	Path     string
	Problems []Problem
	Sources  []Source

	values map[string]Value
	env    func(string) string
}

// Options of Load.
type Options struct {
	// Env reads the environment; nil is the process's.
	Env func(string) string
	// Flags are values that outrank all, by key.
	Flags map[string]any
	// Home is the person's home directory; "" is the process's.
	Home string
}

// Load reads the settings.
func Load(o Options) *Config {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Home == "" {
		o.Home = xdg.Home
	}
	c := &Config{values: map[string]Value{}, env: o.Env}
	c.Path = o.Env("RECAP_CONFIG")
	if c.Path == "" {
		c.Path = filepath.Join(dir(o.Env("XDG_CONFIG_HOME"), xdg.ConfigHome), "recap", "config.toml")
	}
	for _, s := range Settings() {
		c.values[s.Key] = Value{Key: s.Key, Value: s.Default, Origin: "default"}
	}
	tables := c.readFile()
	for _, s := range Settings() {
		if v := o.Env(EnvName(s.Key)); v != "" {
			c.set(s, s.kind.parse(v, string(filepath.ListSeparator)), "environment", "env "+EnvName(s.Key), 0)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o.Flags)) {
		if s, ok := setting(key); ok {
			c.set(s, o.Flags[key], "flag", "flag", 0)
		}
	}
	c.findSources(o.Home, tables)
	return c
}

func dir(env, usual string) string {
	if env != "" && filepath.IsAbs(env) {
		return env
	}
	return usual
}

func (c *Config) set(s Setting, v any, where, origin string, line int) {
	x, err := s.convert(v)
	if err != nil {
		c.Problems = append(c.Problems, Problem{Origin: where, Line: line, Key: s.Key, Message: err.Error()})
		return
	}
	c.values[s.Key] = Value{Key: s.Key, Value: x, Origin: origin}
}

// sourceTable is a table sources.NAME as the file has it.
type sourceTable struct {
	values map[string]any
	off    bool
}

// readFile reads the settings file and gives its tables of sources.
func (c *Config) readFile() map[string]sourceTable {
	b, err := os.ReadFile(c.Path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) || c.env("RECAP_CONFIG") != "" {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Message: "can't be read: " + cause(err)})
		}
		return nil
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		p := Problem{Origin: c.Path, Message: "is no TOML: " + err.Error()}
		if de, ok := errors.AsType[*toml.DecodeError](err); ok {
			p.Line, _ = de.Position()
			p.Key = strings.Join(de.Key(), ".")
		}
		c.Problems = append(c.Problems, p)
		return nil
	}
	lines := keyLines(b)
	tables := map[string]sourceTable{}
	c.walk(doc, "", lines, tables)
	return tables
}

func cause(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// walk takes the values of a document into c.
func (c *Config) walk(doc map[string]any, prefix string, lines map[string]int, tables map[string]sourceTable) {
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		key, v := name, doc[name]
		if prefix != "" {
			key = prefix + "." + name
		}
		bad := func(message string) {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[key], Key: key, Message: message})
		}
		if prefix == "sources" {
			tables[name] = c.sourceTable(key, v, lines)
			continue
		}
		if prefix == "model.providers" {
			if t, ok := v.(map[string]any); ok {
				c.providerTable(key, t, lines)
			} else {
				bad("must be a table")
			}
			continue
		}
		if s, ok := setting(key); ok {
			c.set(s, v, c.Path, "file "+c.Path, lines[key])
			continue
		}
		t, ok := v.(map[string]any)
		if !ok {
			bad("unknown key" + suggestion(key))
			continue
		}
		if key == "sources" || key == "model.providers" || slices.ContainsFunc(Settings(), func(s Setting) bool { return strings.HasPrefix(s.Key, key+".") }) {
			c.walk(t, key, lines, tables)
			continue
		}
		bad("unknown table")
	}
}

func (c *Config) sourceTable(key string, v any, lines map[string]int) sourceTable {
	switch t := v.(type) {
	case bool:
		return sourceTable{off: !t}
	case string:
		return sourceTable{values: map[string]any{"home": t}}
	case map[string]any:
		out := sourceTable{values: map[string]any{}}
		for _, name := range slices.Sorted(maps.Keys(t)) {
			k, ok := sourceKeys[name]
			if !ok {
				c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[key+"."+name], Key: key + "." + name, Message: "unknown key"})
				continue
			}
			x, err := k.convert(t[name])
			if err != nil {
				c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[key+"."+name], Key: key + "." + name, Message: err.Error()})
				continue
			}
			out.values[name] = x
		}
		if e, ok := out.values["enabled"].(bool); ok {
			out.off = !e
		}
		return out
	}
	c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[key], Key: key, Message: "must be true, false, a path or a table"})
	return sourceTable{}
}

func (c *Config) providerTable(key string, t map[string]any, lines map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		full := key + "." + name
		if name == "headers" {
			if _, ok := t[name].(map[string]any); !ok {
				c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[full], Key: full, Message: "must be a table of texts"})
			}
			continue
		}
		k, ok := providerKeys[name]
		if !ok {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[full], Key: full, Message: "unknown key"})
			continue
		}
		x, err := k.convert(t[name])
		if err != nil {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: lines[full], Key: full, Message: err.Error()})
			continue
		}
		c.values[full] = Value{Key: full, Value: x, Origin: "file " + c.Path}
	}
}

// suggestion names the known key that the person may have meant.
func suggestion(key string) string {
	last := key[strings.LastIndexByte(key, '.')+1:]
	for _, s := range Settings() {
		if s.Key[strings.LastIndexByte(s.Key, '.')+1:] == last {
			return "; did you mean " + s.Key + "?"
		}
	}
	return "; recap config lists the keys"
}

// Values lists every setting with its origin, in the order of Settings, then
// the tables by name.
func (c *Config) Values() []Value {
	out := make([]Value, 0, len(c.values))
	for _, s := range Settings() {
		out = append(out, c.values[s.Key])
	}
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		if _, ok := setting(key); !ok {
			v := c.values[key]
			if strings.HasSuffix(key, ".key") {
				v.Value = hide(v.Value)
			}
			out = append(out, v)
		}
	}
	for i, v := range out {
		if v.Key == "server.token" {
			out[i].Value = hide(v.Value)
		}
	}
	return out
}

// hide keeps a secret out of what is shown; a reference to one may be seen.
func hide(v any) any {
	t, ok := v.(string)
	if !ok || t == "" || strings.HasPrefix(t, "{env:") || strings.HasPrefix(t, "{file:") {
		return v
	}
	return "(set)"
}

// Get gives a setting.
func (c *Config) Get(key string) (Value, bool) {
	for _, v := range c.Values() {
		if v.Key == key {
			return v, true
		}
	}
	return Value{}, false
}

// Bool gives a setting of that type; an unknown key is a mistake of ours and
// gives the zero value, as do Text, Duration and List.
func (c *Config) Bool(key string) bool { v, _ := c.values[key].Value.(bool); return v }

// Text gives a text.
func (c *Config) Text(key string) string { v, _ := c.values[key].Value.(string); return v }

// Duration gives a duration.
func (c *Config) Duration(key string) time.Duration {
	v, _ := c.values[key].Value.(time.Duration)
	return v
}

// Count gives a whole number.
func (c *Config) Count(key string) int { v, _ := c.values[key].Value.(int); return v }

// Limit gives a limit; Unlimited where there is none.
func (c *Config) Limit(key string) float64 { v, _ := c.values[key].Value.(float64); return v }

// List gives a list.
func (c *Config) List(key string) []string { v, _ := c.values[key].Value.([]string); return v }
