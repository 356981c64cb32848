package config

import (
	"errors"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/sessionrecap/recap/language"
)

// A check says what is wrong with a value of the right type, nil where nothing
// is. Its words go on "KEY ".

var errControl = errors.New("must be a text without control characters")

// plain refuses what no setting can mean.
func plain(v any) error {
	texts, _ := v.([]string)
	switch t := v.(type) {
	case string:
		texts = []string{t}
	case map[string]string:
		for name, x := range t {
			texts = append(texts, name, x)
		}
	}
	for _, t := range texts {
		if strings.ContainsFunc(t, unicode.IsControl) {
			return errControl
		}
	}
	return nil
}

// textCheck makes a check of texts; an empty one is always right.
func textCheck(message string, right func(s string) bool) func(v any) error {
	return func(v any) error {
		if s, ok := v.(string); ok && s != "" && !right(s) {
			return errors.New("must be " + message)
		}
		return nil
	}
}

// fixed reports whether a path means the same wherever recap is run.
func fixed(p string) bool { return filepath.IsAbs(p) || p == "~" || strings.HasPrefix(p, "~/") }

func validPath(what string) func(v any) error {
	return textCheck("the absolute path of "+what+" (~ is your home)", fixed)
}

var errList = errors.New(`must be a list of directories, such as ["/a", "/b"]`)

// validDirectories refuses lists that became one text.
func validDirectories(v any) error {
	dirs, _ := v.([]string)
	for _, d := range dirs {
		if strings.HasPrefix(d, "[") || strings.ContainsAny(d, `"'`) && !fixed(d) {
			return errList
		}
	}
	return nil
}

// fixedDirectories is what a command line may give: there is no telling what
// begins where.
func fixedDirectories(v any) error {
	dirs, _ := v.([]string)
	for _, d := range dirs {
		if !fixed(d) {
			return errors.New("must be absolute directories (~ is your home), and " + strconv.Quote(d) + " is not")
		}
	}
	return nil
}

func isLanguage(s string) bool { return s == "auto" || language.Tag(s) != "" }

func isModel(s string) bool {
	provider, id, ok := strings.Cut(s, "/")
	return ok && provider != "" && id != "" && !strings.ContainsAny(provider, " \t")
}

// isListen takes HOST:PORT, and a socket.
func isListen(s string) bool {
	if path, ok := strings.CutPrefix(s, "unix:"); ok {
		return fixed("/"+strings.TrimLeft(path, "/")) && strings.HasPrefix(path, "/")
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	n, err := strconv.Atoi(port)
	return err == nil && n >= 0 && n <= 65535 && !strings.ContainsFunc(host, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("/@?#\\", r)
	})
}

func isStore(s string) bool {
	if path, ok := strings.CutPrefix(s, "sqlite:"); ok {
		return fixed(path)
	}
	u, err := url.Parse(s)
	return s == "sqlite" || err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") && u.Host != ""
}

func isWeb(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// isHeader is a token of HTTP.
func isHeader(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	})
}
