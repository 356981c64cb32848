package filelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/sessionrecap/recap/agent"
)

// MaxSettings is the most bytes of a settings file that are read.
const MaxSettings = 1 << 20

var errTooLong = errors.New("settings file over 1 MB")

// Settings reads a settings file whole. A file that is not there is no
// problem: both results are nil. A problem never holds text of the file.
func Settings(path string) ([]byte, *agent.Problem) {
	b, err := settings(path)
	switch {
	case err == nil:
		return b, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errTooLong):
		return nil, &agent.Problem{Path: path, Reason: errTooLong.Error(), Count: 1}
	}
	return nil, ProblemOf(path, err)
}

func settings(path string) ([]byte, error) {
	f, d, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	if d.Size > MaxSettings {
		return nil, errTooLong
	}
	b, err := io.ReadAll(io.LimitReader(f, MaxSettings+1))
	if err == nil && len(b) > MaxSettings {
		err = errTooLong // it grew meanwhile
	}
	return b, err
}

// JSONSettings reads a settings file of JSON, which may have comments and
// commas at the end of a list. A file that is not there or empty is nil.
func JSONSettings(path string) (map[string]any, *agent.Problem) {
	b, p := Settings(path)
	if p != nil {
		return nil, p
	}
	v, err := ParseJSON(b)
	if err != nil {
		// The cause may quote the file: it is left out.
		return nil, &agent.Problem{Path: path, Reason: err.Error(), Count: 1}
	}
	return v, nil
}

var errNoObject = errors.New("not a JSON object")

// ParseJSON reads an object of JSON as JSONSettings does. Its error does not
// quote the text.
func ParseJSON(b []byte) (map[string]any, error) {
	b = PlainJSON(b)
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, nil
	}
	var v map[string]any
	if json.Unmarshal(b, &v) != nil {
		return nil, errNoObject
	}
	return v, nil
}

// PlainJSON takes comments, commas before a closing bracket and the byte order
// mark out of JSON. Strings stay as they are.
func PlainJSON(b []byte) []byte {
	b = bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF"))
	out := make([]byte, 0, len(b))
	comma := -1 // place in out of a comma that nothing came after
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			n := stringEnd(b[i:])
			out = append(out, b[i:i+n]...)
			comma, i = -1, i+n
		case c == '/' && i+1 < len(b) && b[i+1] == '/':
			n := bytes.IndexByte(b[i:], '\n')
			if n < 0 {
				n = len(b) - i
			}
			i += n
		case c == '/' && i+1 < len(b) && b[i+1] == '*':
			n := bytes.Index(b[i+2:], []byte("*/"))
			if n < 0 {
				return out
			}
			out = append(out, ' ')
			i += n + 4
		default:
			switch c {
			case ',':
				comma = len(out)
			case ']', '}':
				if comma >= 0 {
					out[comma] = ' '
				}
				comma = -1
			case ' ', '\t', '\r', '\n':
			default:
				comma = -1
			}
			out = append(out, c)
			i++
		}
	}
	return out
}

// stringEnd is the length of the JSON string that b begins with.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// At gives the value at a path of keys, nil where there is none.
func At(v map[string]any, keys ...string) any {
	var x any = v
	for _, k := range keys {
		m, ok := x.(map[string]any)
		if !ok {
			return nil
		}
		x = m[k]
	}
	return x
}

// TextAt gives the text at a path of keys, trimmed, "" where there is none.
func TextAt(v map[string]any, keys ...string) string {
	s, _ := At(v, keys...).(string)
	return strings.TrimSpace(s)
}

// Merge lays one object over another, object by object. Neither is changed.
func Merge(under, over map[string]any) map[string]any {
	out := make(map[string]any, len(under)+len(over))
	maps.Copy(out, under)
	for k, v := range over {
		a, okA := out[k].(map[string]any)
		b, okB := v.(map[string]any)
		if okA && okB {
			v = Merge(a, b)
		}
		out[k] = v
	}
	return out
}

// DotEnv reads the lines of a .env file: NAME=value, with quotes, comments and
// "export" as they are usual. Lines that are none are passed over.
func DotEnv(b []byte) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(string(bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")))) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "export "))
		name, v, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.HasPrefix(name, "#") || strings.ContainsAny(name, " \t\"'") || !utf8.ValidString(v) {
			continue
		}
		out[name] = dotValue(strings.TrimSpace(v))
	}
	return out
}

func dotValue(v string) string {
	if v == "" {
		return ""
	}
	if q := v[0]; q == '"' || q == '\'' || q == '`' {
		if end := strings.IndexByte(v[1:], q); end >= 0 {
			v = v[1 : 1+end]
			if q == '"' {
				v = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(v)
			}
			return v
		}
	}
	if i := strings.IndexByte(v, '#'); i >= 0 {
		v = strings.TrimSpace(v[:i])
	}
	return v
}

// Expand replaces $NAME, ${NAME} and ${NAME:-other} by the environment's
// values. What has no value stays as it is.
func Expand(s string, env func(string) string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			return out.String() + s
		}
		out.WriteString(s[:i])
		s = s[i:]
		name, other, n := variable(s)
		switch v := env(name); {
		case n == 0:
			out.WriteByte('$')
			n = 1
		case v != "":
			out.WriteString(v)
		case other != "":
			out.WriteString(other)
		default:
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
}

// variable reads the variable that s begins with, n bytes long.
func variable(s string) (name, other string, n int) {
	if strings.HasPrefix(s, "${") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return "", "", 0
		}
		name, other, _ = strings.Cut(s[2:end], ":-")
		return name, other, end + 1
	}
	n = 1
	for n < len(s) && (s[n] == '_' || s[n] >= '0' && s[n] <= '9' && n > 1 || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	if n == 1 {
		return "", "", 0
	}
	return s[1:n], "", n
}

// OwnEnv is the environment without what stands in a project's file with the
// same value, where marker says that an agent's shell made it: agents hand on
// to their programs what they read there.
func OwnEnv(env func(string) string, marker string, project func(name string) string) func(string) string {
	if env(marker) == "" {
		return env
	}
	return func(name string) string {
		v := env(name)
		if v != "" && strings.TrimSpace(v) == strings.TrimSpace(project(name)) {
			return ""
		}
		return v
	}
}

// maxUp bounds how far settings are looked for above a folder.
const maxUp = 64

// Upward gives a folder and those above it, the nearest first; none for a
// path that is not absolute.
func Upward(dir string) []string {
	if !filepath.IsAbs(dir) {
		return nil
	}
	var out []string
	for dir = filepath.Clean(dir); len(out) < maxUp; {
		out = append(out, dir)
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return out
}

// UserHome is the person's home as the environment has it, "" where it has
// none.
func UserHome(env func(string) string) string {
	for _, v := range []string{env("HOME"), env("USERPROFILE")} {
		if filepath.IsAbs(v) {
			return filepath.Clean(v)
		}
	}
	return ""
}

// Exists reports whether something stands at a path. It opens nothing.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Folder reports whether a folder stands at a path.
func Folder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
