// Package config finds recap's settings: flags, the environment, the settings
// file, defaults, in this order of rank, each value with where it came from.
//
// [Load] never fails: what is wrong in a file is a [Problem] with key and line,
// the rest of the file counts, and a broken file leaves the defaults. Ask
// [Config.Refusal] before any transcript is read: a file that may name
// directories to leave out, and can't be understood, takes out everything. A
// project's .recap.toml is read by [ReadProject]; it can only narrow.
// [Config.Set] changes one key of the file and nothing else in it.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	Name   string
	Agent  string
	Root   string // absolute; "" for a server
	Origin string
	// Chosen: the root comes from recap's own settings, so the agent would not
	// find it by itself.
	Chosen  bool
	Enabled bool
	// URL is the address of OpenCode's server, "" for none. It may stand beside
	// a home.
	URL string
	// Username and Password are the login of the server; PasswordProblem says
	// why the password can't be had.
	Username, Password, PasswordProblem string
	// Namespace is where recaps stand in the metadata of OpenCode's sessions.
	Namespace string
	// Database is OpenCode's database where it is not in Root.
	Database string
}

// Config is the settings of one run.
type Config struct {
	// Path is the settings file, whether or not it exists.
	Path string
	// Problems are in the order of their lines; those of the environment have
	// none, and come first.
	Problems []Problem
	Sources  []Source

	values map[string]Value
	lines  map[string]int // of the keys of the file
	names  []string       // NAME of every table sources.NAME
	env    func(string) string
	home   string
	// refusal is what is wrong with the directories that are never read.
	refusal *Problem
	broken  bool // the settings file could not be understood
}

// Options of Load.
type Options struct {
	// Env reads the environment; nil is the process's.
	Env func(string) string
	// Flags are values that outrank all, by key.
	Flags map[string]any
	// Home is the person's home directory; "" is that of HOME, else of the
	// system's list of users.
	Home string
	// UserHome gives the home directory of the system's list of users, "" where
	// the person is not in it; nil asks the system.
	UserHome func() string
}

// Load reads the settings.
func Load(o Options) *Config {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	c := &Config{values: map[string]Value{}, env: o.Env, home: o.Home}
	c.findHome(o.UserHome)
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		if v := o.Env(name); v != "" && !filepath.IsAbs(v) {
			c.ignored(name)
		}
	}
	if c.Path = o.Env("RECAP_CONFIG"); c.Path != "" {
		c.Path = expand(c.Path, c.home)
	} else {
		c.Path = filepath.Join(c.base("XDG_CONFIG_HOME"), "recap", "config.toml")
	}
	for _, s := range Settings() {
		c.values[s.Key] = Value{Key: s.Key, Value: s.Default, Origin: "default"}
	}
	if c.home == "" {
		return c
	}
	c.readFile()
	n := len(c.Problems)
	c.readEnv()
	for _, key := range slices.Sorted(maps.Keys(o.Flags)) {
		if s, ok := setting(key); ok {
			c.set(s, o.Flags[key], "flag", "flag")
		}
	}
	c.judgeExclude(n)
	c.findSources()
	slices.SortStableFunc(c.Problems, func(a, b Problem) int { return a.Line - b.Line })
	return c
}

// judgeExclude finds what may have hidden a directory to leave out: a list in
// the environment that can't be understood, else one of the first n problems,
// those of the file.
func (c *Config) judgeExclude(n int) {
	for _, p := range c.Problems[n:] {
		if p.Key == excludeKey {
			c.refusal = &p
			return
		}
	}
	if o := c.values[excludeKey].Origin; o == "flag" || strings.HasPrefix(o, "env ") {
		c.refusal = nil // it outranks the file
		return
	}
	for _, p := range c.Problems[:n] {
		if p.Origin == c.Path && (p.Key == excludeKey || p.Key == "privacy" || strings.Contains(p.Message, "did you mean "+excludeKey)) {
			c.refusal = &p
			return
		}
	}
}

// excludeKey is the setting that must hold or stop everything, storeKey the one
// that has no substitute.
const (
	excludeKey = "privacy.exclude"
	storeKey   = "store.url"
)

// Refusal says why no transcript may be read: the settings file may name
// directories that are never read, and that part of it can't be understood.
// Nil where nothing is wrong.
func (c *Config) Refusal() *Problem { return c.refusal }

// Broken reports that the settings file could not be understood as a whole, so
// that nothing is known of what it says.
func (c *Config) Broken() bool { return c.broken }

// NoCalls says why no model may be asked: what bounds spending, chooses a
// provider or keeps text here can't be understood. Nil where nothing is wrong.
func (c *Config) NoCalls() *Problem {
	for i, p := range c.Problems {
		if c.broken && p.Origin == c.Path {
			return &c.Problems[i]
		}
		for _, table := range [...]string{"budget", "model", "privacy"} {
			if p.Key == table || strings.HasPrefix(p.Key, table+".") {
				return &c.Problems[i]
			}
		}
	}
	return nil
}

// readEnv takes the variables of all settings, and of the five agents' tables.
func (c *Config) readEnv() {
	keys := Settings()
	for _, s := range Tables() {
		if below, ok := strings.CutPrefix(s.Key, "sources.NAME"); ok && below != ".agent" {
			for _, a := range agentNames() {
				s.Key = "sources." + a + below
				keys = append(keys, s)
			}
		}
	}
	for _, s := range keys {
		name := EnvName(s.Key)
		if v := c.env(name); v != "" {
			x := s.kind.parse(v, string(filepath.ListSeparator))
			if path, ok := x.(string); ok && s.valid != nil && s.valid(path) != nil && s.valid("/"+path) == nil {
				x = expand(path, c.home) // a path that begins where recap is run
			}
			c.set(s, x, "environment", "env "+name)
		}
	}
}

// set takes a value; where names the file or what else it comes from.
func (c *Config) set(s Setting, v any, where, origin string) {
	x, err := s.convert(v)
	if err != nil {
		line := 0
		if where == c.Path {
			line = c.lines[s.Key]
		}
		c.Problems = append(c.Problems, Problem{Origin: where, Line: line, Key: s.Key, Message: err.Error()})
		if t, ok := v.(string); ok && s.Key == storeKey {
			c.values[s.Key] = Value{Key: s.Key, Value: t, Origin: origin} // nothing is kept elsewhere for that
		}
		return
	}
	if s.kind == switched { // the short form of two keys
		s.Key += ".enabled"
		if path, ok := x.(string); ok {
			c.values[s.Key] = Value{Key: s.Key, Value: true, Origin: origin}
			s.Key = strings.TrimSuffix(s.Key, ".enabled") + ".home"
			x = path
		}
	}
	c.values[s.Key] = Value{Key: s.Key, Value: x, Origin: origin}
}

// readFile reads the settings file.
func (c *Config) readFile() {
	if c.Path == os.DevNull { // no settings at all
		return
	}
	b, err := readSmall(c.Path)
	c.take(b, err)
}

// take reads the settings file that was read, or was not.
func (c *Config) take(b []byte, err error) {
	if err != nil {
		missing := errors.Is(err, fs.ErrNotExist)
		if !missing || c.env("RECAP_CONFIG") != "" {
			p := Problem{Origin: c.Path, Message: "can't be read: " + cause(err)}
			c.Problems = append(c.Problems, p)
			if !missing {
				c.refusal, c.broken = &p, true
			}
		}
		return
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		p := Problem{Origin: c.Path, Message: "is no TOML, so the defaults serve: " + err.Error()}
		p.Line, p.Key = decodePlace(err)
		c.Problems = append(c.Problems, p)
		c.broken = true
		if mentions(b, "exclud") {
			c.refusal = &p
		}
		return
	}
	c.lines = keyLines(b)
	c.walk(doc, "")
}

// mentions reports whether a file holds a word, in UTF-16 too.
func mentions(b []byte, word string) bool {
	return bytes.Contains(bytes.ToLower(bytes.ReplaceAll(b, []byte{0}, nil)), []byte(word))
}

// decodePlace gives the line and the key at which a decoder gave up.
func decodePlace(err error) (line int, key string) {
	if de, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ = de.Position()
		key = strings.Join(de.Key(), ".")
	}
	return line, key
}

func cause(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}

// walk takes the values of a document into c.
func (c *Config) walk(doc map[string]any, prefix string) {
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		key, v := name, doc[name]
		if prefix != "" {
			key = prefix + "." + name
		}
		bad := func(message string) {
			c.Problems = append(c.Problems, Problem{Origin: c.Path, Line: c.lines[key], Key: key, Message: message})
		}
		t, below := v.(map[string]any)
		if prefix == "sources" {
			c.names = append(c.names, name)
			if strings.Contains(name, ".") {
				bad("a name can't hold a dot")
				continue
			}
		}
		s, known := setting(key)
		switch {
		case known && (!below || s.kind == texts):
			c.set(s, v, c.Path, "file "+c.Path)
		case known && s.kind != switched:
			bad("must be " + s.Type())
		case below && (known || isTable(key) || prefix == "model.providers"):
			c.walk(t, key)
		case isTable(key) || prefix == "model.providers":
			bad("must be a table")
		case below:
			bad("unknown table" + suggestion(key))
		default:
			bad("unknown key" + suggestion(key))
		}
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
	for _, s := range slices.Concat(Settings(), Tables()) {
		if near(s.Key, key) {
			return "; did you mean " + s.Key + "?"
		}
	}
	return "; recap config lists the keys"
}

// near reports whether two keys differ by one letter too many, missing or
// wrong.
func near(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:] || len(a) > i+2 && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	}
	return a[i+1:] == b[i:]
}

// Values lists every setting with its origin, in the order of Settings, then
// the tables by name. Secrets are not shown.
func (c *Config) Values() []Value {
	out := make([]Value, 0, len(c.values))
	for _, s := range Settings() {
		out = append(out, c.shown(s, c.values[s.Key]))
	}
	n := len(out)
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		if !slices.ContainsFunc(out[:n], func(v Value) bool { return v.Key == key }) {
			if s, ok := setting(key); ok {
				out = append(out, c.shown(s, c.values[key]))
			}
		}
	}
	return out
}

// shown keeps a secret out of what is shown; a reference to one may be seen.
func (c *Config) shown(s Setting, v Value) Value {
	switch t := v.Value.(type) {
	case string:
		address, is := shownAddress(t)
		switch {
		case is && (!s.secret || s.Key == storeKey):
			v.Value = address
		case s.Key == storeKey && strings.HasPrefix(t, "sqlite:"):
		case s.secret && t != "" && t != s.Default && !strings.HasPrefix(t, "{env:") && !strings.HasPrefix(t, "{file:"):
			v.Value = "(set)"
		}
	case map[string]string:
		v.Value = slices.Sorted(maps.Keys(t))
	}
	return v
}

// shownAddress is an address without the secrets in it. It returns false
// where s is none.
func shownAddress(s string) (string, bool) {
	const hidden = "xxxxx" // as net/url writes it
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Opaque != "" {
		return "", false
	}
	changed := false
	if u.User != nil {
		_, both := u.User.Password()
		if changed = true; both {
			u.User = url.UserPassword(u.User.Username(), hidden)
		} else if u.User.Username() != "" { // it may be a token
			u.User = url.User(hidden)
		}
	}
	pairs := strings.Split(u.RawQuery, "&")
	for i, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		if value != "" && isSecretName(name) {
			pairs[i], changed = name+"="+hidden, true
		}
	}
	if !changed { // as it was written
		return s, true
	}
	u.RawQuery = strings.Join(pairs, "&")
	return u.String(), true
}

// isSecretName reports a parameter of an address that holds a secret.
func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "pass", "pwd", "secret", "sig", "auth"}, func(w string) bool { return strings.Contains(name, w) })
}

// Get gives a setting.
func (c *Config) Get(key string) (Value, bool) {
	for _, v := range c.Values() {
		if v.Key == key {
			return v, true
		}
	}
	s, ok := setting(key)
	return Value{Key: s.Key, Value: "", Origin: "not set"}, ok
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
