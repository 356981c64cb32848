package config

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// ProjectFile is the name of a project's settings file.
const ProjectFile = ".recap.toml"

// maxFile is the longest settings file that is read.
const maxFile = 1 << 20

// Errors of settings files that are there and not read.
var (
	errNotRegular = errors.New("not a regular file")
	errTooLong    = errors.New("over 1 MB")
)

// readSmall reads a settings file. What is no regular file is not opened: a
// pipe would hold the program for ever.
func readSmall(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.Open(path) //nolint:gosec // the person's settings, or their project's
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = errTooLong
	}
	return b, err
}

// Narrow is what a project's file takes away.
type Narrow struct {
	// Path is the file, "" where there is none.
	Path string
	// Off: nothing of the project is read.
	Off bool
	// Exclude are directories of the project that are never read.
	Exclude []string
	// NoAuto, NoRecap, NoSuggestion and NoAway switch a field off.
	NoAuto, NoRecap, NoSuggestion, NoAway bool
	Problems                              []Problem
}

// ReadProject reads the .recap.toml of a directory, which speaks for everything
// below it. Keys that would widen anything are problems and do nothing. A file
// that can't be understood, or an exclusion that can't, switches the project
// off: it was meant to narrow.
func ReadProject(project string) Narrow {
	var n Narrow
	path := filepath.Join(project, ProjectFile)
	problem := func(line int, key, message string) {
		n.Problems = append(n.Problems, Problem{Origin: path, Line: line, Key: key, Message: message})
	}
	b, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR) {
		return n
	}
	n.Path = path
	if err != nil {
		n.Off = true
		problem(0, "", "can't be read, so the project is left out: "+cause(err))
		return n
	}
	c := &Config{Path: path, values: map[string]Value{}, env: func(string) string { return "" }, lines: keyLines(b)}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		n.Off = true
		line, key := decodePlace(err)
		problem(line, key, "is no TOML, so the project is left out: "+err.Error())
		return n
	}
	if v, ok := doc["off"]; ok {
		isOff, isBool := v.(bool)
		n.Off = isOff || !isBool
		if !isBool {
			problem(c.lines["off"], "off", "must be true or false; the project is left out")
		}
		delete(doc, "off")
	}
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		if near("off", strings.ToLower(name)) || strings.EqualFold(name, "off") {
			n.Off = true
			problem(c.lines[name], name, "unknown key; did you mean off? The project is left out")
			delete(doc, name)
		}
	}
	c.walk(doc, "")
	n.Problems = append(n.Problems, c.Problems...)
	for _, p := range c.Problems {
		if p.Key == excludeKey || p.Key == "privacy" || strings.Contains(p.Message, "did you mean "+excludeKey) {
			n.Off = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		v := c.values[key]
		s, ok := setting(key)
		if !ok || s.narrow == nil || !s.narrow(v.Value) {
			problem(c.lineOf(key), key, "ignored: a project's file can only narrow")
			continue
		}
		switch key {
		case "assist.auto":
			n.NoAuto = true
		case "assist.recap":
			n.NoRecap = true
		case "assist.suggestion":
			n.NoSuggestion = true
		case "away.enabled":
			n.NoAway = true
		case excludeKey:
			for _, d := range c.List(key) {
				if !filepath.IsAbs(d) {
					d = filepath.Join(project, d)
				}
				n.Exclude = append(n.Exclude, filepath.Clean(d))
			}
		}
	}
	return n
}
