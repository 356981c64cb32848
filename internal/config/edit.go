package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/sessionrecap/recap/agent"
)

// place is where a key with a value stands in a file.
type place struct {
	key   []string
	table int // how many parts of the key the table's header gives
	// at is where the key begins; start and end are the value's.
	at, start, end int
	inline         bool // inside an inline table
	braces         bool // the value is an inline table
	empty          bool // the inline table holds nothing
}

// header is a [table] of a file.
type header struct {
	key   []string
	at    int
	array bool
}

// scan finds the keys and tables of a TOML file that parses.
func scan(b []byte) (places []place, headers []header) {
	var p unstable.Parser
	p.Reset(b)
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind { //nolint:exhaustive // a comment has no key
		case unstable.Table, unstable.ArrayTable:
			key, at, _ := keyOf(n.Key())
			table = key
			headers = append(headers, header{key: key, at: at, array: n.Kind == unstable.ArrayTable})
		case unstable.KeyValue:
			places = scanValue(places, b, n, table, false)
		}
	}
	return places, headers
}

func scanValue(places []place, b []byte, n *unstable.Node, above []string, inline bool) []place {
	key, at, end := keyOf(n.Key())
	pl := place{key: slices.Concat(above, key), table: len(above), at: at, inline: inline}
	eq := bytes.IndexByte(b[end:], '=')
	if eq < 0 {
		return places
	}
	pl.start = end + eq + 1
	pl.end = int(n.Raw.Offset + n.Raw.Length)
	if pl.start > pl.end || pl.end > len(b) {
		return places
	}
	pl.start += len(b[pl.start:pl.end]) - len(bytes.TrimLeft(b[pl.start:pl.end], " \t"))
	pl.end -= len(b[pl.start:pl.end]) - len(bytes.TrimRight(b[pl.start:pl.end], " \t\r\n"))
	v := n.Value()
	if v.Kind != unstable.InlineTable {
		return append(places, pl)
	}
	pl.braces, pl.empty = true, true
	i := len(places)
	places = append(places, pl)
	for it := v.Children(); it.Next(); {
		if c := it.Node(); c.Kind == unstable.KeyValue {
			places[i].empty = false
			places = scanValue(places, b, c, pl.key, true)
		}
	}
	return places
}

// keyOf gives the parts of a key, and where it begins and ends.
func keyOf(it unstable.Iterator) (parts []string, at, end int) {
	for it.Next() {
		n := it.Node()
		if len(parts) == 0 {
			at = int(n.Raw.Offset)
		}
		end = int(n.Raw.Offset + n.Raw.Length)
		parts = append(parts, string(n.Data))
	}
	return parts, at, end
}

func lineOf(b []byte, offset int) int {
	return 1 + bytes.Count(b[:min(offset, len(b))], []byte("\n"))
}

// keyLines gives the line of every key and table, and of the tables that
// dotted keys imply.
func keyLines(b []byte) map[string]int {
	out := map[string]int{}
	note := func(key []string, at int) {
		line := lineOf(b, at)
		for n := len(key); n > 0; n-- {
			name := strings.Join(key[:n], ".")
			if _, ok := out[name]; !ok {
				out[name] = line
			}
		}
	}
	places, headers := scan(b)
	for _, h := range headers {
		note(h.key, h.at)
	}
	for _, p := range places {
		out[strings.Join(p.key, ".")] = lineOf(b, p.at)
		note(p.key, p.at)
	}
	return out
}

// errByHand: no edit that is known to be safe sets the key.
var errByHand = errors.New("can't be changed safely: set it by hand")

// edit sets a key to a value in TOML text. Everything else, comments and order
// too, stays as it is: an edit that would change another key is not made.
func edit(b []byte, key []string, value string) ([]byte, error) {
	var want, set map[string]any
	if err := toml.Unmarshal(b, &want); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal([]byte("x = "+value), &set); err != nil {
		return nil, err
	}
	if want == nil {
		want = map[string]any{}
	}
	if !put(want, key, set["x"]) {
		return nil, errByHand
	}
	for out := range edits(b, key, value) {
		var got map[string]any
		if err := toml.Unmarshal(out, &got); err == nil && reflect.DeepEqual(got, want) {
			return out, nil
		}
	}
	return nil, errByHand
}

// put sets a value in a document; false where something else is in the way.
func put(doc map[string]any, key []string, v any) bool {
	for _, k := range key[:len(key)-1] {
		below, ok := doc[k]
		if !ok {
			below = map[string]any{}
			doc[k] = below
		}
		t, ok := below.(map[string]any)
		if !ok {
			return false
		}
		doc = t
	}
	doc[key[len(key)-1]] = v
	return true
}

// edits gives the ways to set a key, the one a person would choose first.
func edits(b []byte, key []string, value string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		eol := "\n"
		if bytes.Contains(b, []byte("\r\n")) {
			eol = "\r\n"
		}
		last := len(key) - 1
		line := func(table int) string { return strings.Join(key[table:], ".") + " = " + value + eol }
		places, headers := scan(b)
		for _, p := range places {
			if slices.Equal(p.key, key) {
				yield(splice(b, p.start, p.end, value)) // no other way is better
				return
			}
		}
		// Below the last key of the same table.
		for _, p := range slices.Backward(places) {
			if !p.inline && slices.Equal(p.key[:len(p.key)-1], key[:last]) && p.table <= last {
				if !yield(below(b, p.end, line(p.table), eol)) {
					return
				}
				break
			}
		}
		// Below the header of the table.
		for _, h := range slices.Backward(headers) {
			if !h.array && slices.Equal(h.key, key[:last]) && !yield(below(b, h.at, line(last), eol)) {
				return
			}
		}
		// Inside the braces of an inline table.
		for _, p := range places {
			if n := len(p.key); p.braces && n <= last && slices.Equal(p.key, key[:n]) {
				text := strings.Join(key[n:], ".") + " = " + value + " "
				at := p.end - 1
				if p.empty {
					text = " " + text
				} else {
					at -= len(b[p.start:at]) - len(bytes.TrimRight(b[p.start:at], " \t"))
					text = ", " + text
					if b[at] != ' ' {
						text = strings.TrimRight(text, " ")
					} else {
						text = strings.TrimRight(text, " ") + " "
						if !yield(splice(b, at, p.end-1, text)) {
							return
						}
					}
				}
				if !yield(splice(b, at, at, text)) {
					return
				}
			}
		}
		// A table of its own at the end.
		if last > 0 {
			text := "[" + strings.Join(key[:last], ".") + "]" + eol + line(last)
			if len(bytes.TrimSpace(b)) > 0 {
				text = eol + text
			}
			if !yield(below(b, len(b), text, eol)) {
				return
			}
		}
		// A dotted key below those of a table above it, or before everything.
		for _, p := range slices.Backward(places) {
			if !p.inline && p.table < len(key) && slices.Equal(p.key[:p.table], key[:p.table]) && !yield(below(b, p.end, line(p.table), eol)) {
				return
			}
		}
		yield(splice(b, 0, 0, line(0)))
	}
}

func splice(b []byte, start, end int, text string) []byte {
	return slices.Concat(b[:start], []byte(text), b[end:])
}

// below puts a text below the line that holds an offset.
func below(b []byte, at int, text, eol string) []byte {
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		at += i + 1
		return splice(b, at, at, text)
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		text = eol + text
	}
	return splice(b, len(b), len(b), text)
}

// FileError is a settings file that can't be read or written: what was asked
// for is right.
type FileError struct {
	Path string
	// Line at which the file can't be understood, 0 where that is not it.
	Line int
	Err  error
}

// Error says what is wrong with the file.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: is no TOML, mend it first: %v", e.Path, e.Line, e.Err)
	}
	return e.Path + ": " + cause(e.Err)
}

// Unwrap gives the cause.
func (e *FileError) Unwrap() error { return e.Err }

// Set writes a setting to the settings file and keeps everything else in it as
// it is. value is in the form of a command line; a list is divided by commas, or
// written as in the file. A value that can't be meant is refused. A file that holds a secret is its owner's alone. Where the file is at fault the
// error is a *FileError.
func (c *Config) Set(key, value string) error {
	s, ok := setting(key)
	if !ok {
		return fmt.Errorf("unknown key %s%s", key, suggestion(key))
	}
	if s.kind == texts {
		return fmt.Errorf("%s is a table: set it by hand in %s", key, c.Path)
	}
	parts := strings.Split(key, ".")
	if slices.ContainsFunc(parts, func(p string) bool { return !bare(p) }) {
		return fmt.Errorf("%s has a name that needs quotes: set it by hand in %s", key, c.Path)
	}
	if !utf8.ValidString(value) {
		return fmt.Errorf("%s %w", key, errNotText)
	}
	v, err := s.convert(s.kind.parse(value, ","))
	if err == nil && key == excludeKey {
		err = fixedDirectories(v)
	}
	if err != nil {
		return fmt.Errorf("%s %w", key, err)
	}
	b, err := readSmall(c.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &FileError{Path: c.Path, Err: err}
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		line, _ := decodePlace(err)
		return &FileError{Path: c.Path, Line: max(line, 1), Err: err}
	}
	out, err := edit(b, parts, format(v))
	if err != nil {
		return fmt.Errorf("%s in %s %w", key, c.Path, err)
	}
	if p := c.newProblem(key, out); p != nil {
		if p.Key != key {
			return fmt.Errorf("%s can't be set: %s: %s", key, p.Key, p.Message)
		}
		return fmt.Errorf("%s %s", key, p.Message)
	}
	if err := writeFile(c.home, c.Path, out, s.secret || c.holdsSecret()); err != nil {
		return &FileError{Path: c.Path, Err: err}
	}
	return nil
}

// newProblem is what a file in place of the present one would have wrong at a
// key or at a table that it stands in, nil where nothing is or was so before. A
// secret need not be there yet.
func (c *Config) newProblem(key string, file []byte) *Problem {
	if strings.HasSuffix(key, ".password") {
		return nil
	}
	problems := func(b []byte, err error) []Problem {
		x := &Config{Path: c.Path, values: map[string]Value{}, env: func(string) string { return "" }, home: c.home}
		x.take(b, err)
		x.findSources()
		return x.Problems
	}
	was := problems(readSmall(c.Path))
	for _, p := range problems(file, nil) {
		if (p.Key == key || strings.HasPrefix(key, p.Key+".")) && !slices.ContainsFunc(was, func(o Problem) bool { return o.Key == p.Key && o.Message == p.Message }) {
			return &p
		}
	}
	return nil
}

// holdsSecret reports whether the file sets something that is not shown.
func (c *Config) holdsSecret() bool {
	for key := range c.values {
		if s, ok := setting(key); ok && s.secret && c.lines[key] > 0 {
			return true
		}
	}
	return false
}

func bare(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}

var errNoHome = errors.New("the home directory does not exist")

// writeFile replaces a file whole or not at all; a link stays a link. A private
// one is closed to others. Folders are made, but not the home directory.
func writeFile(home, path string, b []byte, private bool) error {
	path = linkTarget(path)
	mode := fs.FileMode(0o600)
	if fi, err := os.Stat(path); err == nil {
		mode = fi.Mode().Perm()
	}
	if private {
		mode &= 0o700
	}
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) && agent.Within(path, home) {
		return errNoHome
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck,gosec // the first error counts
	}
	return err
}
