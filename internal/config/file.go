package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// place is where a key stands in a file.
type place struct {
	line       int
	start, end int // of the value; 0,0 where it is not a plain one
}

// scan finds the keys of a TOML file that parses.
func scan(b []byte) (keys map[string]place, tables map[string]int) {
	keys, tables = map[string]place{}, map[string]int{}
	var p unstable.Parser
	p.Reset(b)
	prefix := ""
	for p.NextExpression() {
		n := p.Expression()
		name, at := dotted(n.Key())
		if n.Kind == unstable.Table || n.Kind == unstable.ArrayTable {
			prefix = name
			tables[name] = int(at.Offset)
			keys[name] = place{line: lineOf(b, int(at.Offset))}
			continue
		}
		if n.Kind != unstable.KeyValue {
			continue
		}
		if prefix != "" {
			name = prefix + "." + name
		}
		pl := place{line: lineOf(b, int(at.Offset))}
		v := n.Value()
		switch v.Kind { //nolint:exhaustive // only plain values have a place of their own
		case unstable.Bool, unstable.Integer, unstable.Float, unstable.String:
			if v.Raw.Length > 0 {
				pl.start, pl.end = int(v.Raw.Offset), int(v.Raw.Offset+v.Raw.Length)
			} else if i := bytes.Index(b[at.Offset:], v.Data); i >= 0 && len(v.Data) > 0 {
				pl.start = int(at.Offset) + i
				pl.end = pl.start + len(v.Data)
			}
		case unstable.InlineTable:
			it := v.Children()
			for it.Next() {
				c := it.Node()
				if c.Kind == unstable.KeyValue {
					sub, _ := dotted(c.Key())
					keys[name+"."+sub] = place{line: pl.line}
				}
			}
		}
		keys[name] = pl
	}
	return keys, tables
}

func dotted(it unstable.Iterator) (string, unstable.Range) {
	var parts []string
	var at unstable.Range
	for it.Next() {
		n := it.Node()
		if len(parts) == 0 {
			at = n.Raw
		}
		parts = append(parts, string(n.Data))
	}
	return strings.Join(parts, "."), at
}

func lineOf(b []byte, offset int) int {
	return 1 + bytes.Count(b[:min(offset, len(b))], []byte("\n"))
}

func keyLines(b []byte) map[string]int {
	keys, _ := scan(b)
	out := make(map[string]int, len(keys))
	for k, p := range keys {
		out[k] = p.line
	}
	return out
}

// Set writes a setting to the settings file and keeps everything else in it as
// it is. value is in the form of a command line.
func (c *Config) Set(key, value string) error {
	s, ok := setting(key)
	if !ok {
		return fmt.Errorf("unknown key %s%s", key, suggestion(key))
	}
	v, err := s.convert(s.kind.parse(value, ","))
	if err != nil {
		return fmt.Errorf("%s %w", key, err)
	}
	b, err := os.ReadFile(c.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		return fmt.Errorf("%s is no TOML, mend it first: %w", c.Path, err)
	}
	out, err := edit(b, key, format(v))
	if err != nil {
		return err
	}
	if err := toml.Unmarshal(out, &doc); err != nil {
		return fmt.Errorf("%s can't be changed safely, set %s in it by hand: %w", c.Path, key, err)
	}
	return writeFile(c.Path, out)
}

// edit sets key to a value in TOML text.
func edit(b []byte, key, value string) ([]byte, error) {
	keys, tables := scan(b)
	if p, ok := keys[key]; ok {
		if p.end == 0 {
			return nil, fmt.Errorf("%s spans several lines or is a list (line %d): change it by hand", key, p.line)
		}
		start, end := p.start, p.end
		if start > 0 && (b[start-1] == '"' || b[start-1] == '\'') && end < len(b) && b[end] == b[start-1] {
			start, end = start-1, end+1
		}
		return append(append(append([]byte{}, b[:start]...), value...), b[end:]...), nil
	}
	table, name, ok := cutLast(key)
	if !ok {
		// A key of no table stands before all tables.
		return append([]byte(name+" = "+value+"\n"), b...), nil
	}
	if at, ok := tables[table]; ok {
		eol := bytes.IndexByte(b[at:], '\n')
		if eol < 0 {
			return append(append([]byte{}, b...), "\n"+name+" = "+value+"\n"...), nil
		}
		at += eol + 1
		return append(append(append([]byte{}, b[:at]...), name+" = "+value+"\n"...), b[at:]...), nil
	}
	out := append([]byte{}, b...)
	if len(out) > 0 {
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
		out = append(out, '\n')
	}
	return append(out, "["+table+"]\n"+name+" = "+value+"\n"...), nil
}

func cutLast(key string) (table, name string, ok bool) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}

// writeFile replaces a file whole or not at all.
func writeFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp := path + ".new-" + strconv.Itoa(os.Getpid())
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp) //nolint:errcheck,gosec // the first error counts
		return err
	}
	return nil
}

// ProjectFile is the name of a project's settings file.
const ProjectFile = ".recap.toml"

// Narrow is what a project's file takes away.
type Narrow struct {
	// Off: nothing of the project is read.
	Off bool
	// Exclude are directories below the project that are never read.
	Exclude []string
	// NoAuto, NoRecap and NoSuggestion switch a field off.
	NoAuto, NoRecap, NoSuggestion bool
	Problems                      []Problem
}

// ReadProject reads the .recap.toml of a project. Keys that would widen
// anything are problems and do nothing. A file that can't be understood
// switches the project off: it was meant to narrow.
func ReadProject(project string) Narrow {
	var n Narrow
	path := filepath.Join(project, ProjectFile)
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > 64<<10 {
		return n
	}
	b, err := os.ReadFile(path) //nolint:gosec // the project's own settings
	if err != nil {
		n.Off = true
		n.Problems = append(n.Problems, Problem{Origin: path, Message: "can't be read: " + cause(err)})
		return n
	}
	c := &Config{Path: path, values: map[string]Value{}, env: func(string) string { return "" }}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		n.Off = true
		n.Problems = append(n.Problems, Problem{Origin: path, Message: "is no TOML, so the project is left out: " + err.Error()})
		return n
	}
	if v, ok := doc["off"].(bool); ok {
		n.Off = v
		delete(doc, "off")
	}
	lines := keyLines(b)
	c.walk(doc, "", lines, map[string]sourceTable{})
	n.Problems = c.Problems
	for key, v := range c.values {
		s, ok := setting(key)
		if !ok || s.narrow == nil || !s.narrow(v.Value) {
			n.Problems = append(n.Problems, Problem{Origin: path, Line: lines[key], Key: key, Message: "ignored: a project's file can only narrow"})
			continue
		}
		switch key {
		case "assist.auto":
			n.NoAuto = true
		case "assist.recap":
			n.NoRecap = true
		case "assist.suggestion":
			n.NoSuggestion = true
		case "privacy.exclude":
			for _, d := range c.List(key) {
				if !filepath.IsAbs(d) {
					d = filepath.Join(project, d)
				}
				n.Exclude = append(n.Exclude, filepath.Clean(d))
			}
		}
	}
	if doc["sources"] != nil {
		n.Problems = append(n.Problems, Problem{Origin: path, Line: lines["sources"], Key: "sources", Message: "ignored: a project's file can only narrow"})
	}
	return n
}
