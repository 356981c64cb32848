package store

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	recap "github.com/sessionrecap/recap"
)

// MaxDecisions is how many decisions a store keeps of one session.
const MaxDecisions = 50

// ErrWhich is the error of a [Which] that selects by nothing, or by more than one thing.
var ErrWhich = errors.New("set exactly one of session, project, before, all")

// Check gives ErrWhich unless exactly one field is set.
func (w Which) Check() error {
	n := 0
	for _, set := range []bool{w.Session != nil, w.Project != "", !w.Before.IsZero(), w.All} {
		if set {
			n++
		}
	}
	if n != 1 {
		return ErrWhich
	}
	return nil
}

// Selects says whether the record is one of those to forget. A project
// selects the sessions of the project, and those that worked in its directory
// or below.
func (w Which) Selects(r recap.Record) bool {
	switch {
	case w.All:
		return true
	case w.Session != nil:
		return r.Session == *w.Session
	case w.Project != "":
		return within(r.Project, w.Project) || within(r.Directory, w.Project)
	case !w.Before.IsZero():
		return r.UpdatedAt.Before(w.Before)
	}
	return false
}

// within says whether path is dir or lies below it. Paths are compared as
// text; a path of Windows is known by its drive or share.
func within(path, dir string) bool {
	separators := "/"
	if strings.HasPrefix(dir, `\\`) || (len(dir) > 1 && dir[1] == ':') {
		separators = `/\`
	}
	trimmed := strings.TrimRight(dir, separators)
	rest, ok := strings.CutPrefix(path, trimmed)
	if !ok || path == "" {
		return false
	}
	return rest == "" || strings.ContainsRune(separators, rune(rest[0]))
}

// ScopeRef is the reverse of [Scope]. It is false for the scope of a project
// and for the empty scope.
func ScopeRef(scope string) (recap.SessionRef, bool) {
	agent, rest, ok := strings.Cut(scope, "\x1f")
	if !ok {
		return recap.SessionRef{}, false
	}
	root, id, ok := strings.Cut(rest, "\x1f")
	if !ok {
		return recap.SessionRef{}, false
	}
	return recap.SessionRef{Agent: recap.Agent(agent), Root: root, ID: id}, true
}

// SearchText is what Search looks in: the title, the request and the texts of
// the record, the names of its project and of its directory, folded, each on a
// line of its own.
func SearchText(r recap.Record) string {
	var b strings.Builder
	names := []string{lastName(r.Project), lastName(r.Directory)}
	if names[0] == names[1] {
		names = names[:1]
	}
	for _, s := range append([]string{r.Title, r.Request, r.Recap, r.Away, r.Suggestion, r.Digest}, names...) {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Fold(s))
	}
	return b.String()
}

// lastName is the last part of a path: the folders above it say nothing of a
// session.
func lastName(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// SearchWords folds the words of a query and leaves out empty and repeated
// ones. A search for no words finds nothing.
func SearchWords(words []string) []string {
	seen := make(map[string]bool, len(words))
	var out []string
	for _, w := range words {
		w = strings.TrimSpace(Fold(w))
		if w == "" || seen[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

// Fold brings text into the form in which Search compares it: composed, one
// form for upper, lower and final letters of every script, control characters
// as spaces.
func Fold(s string) string {
	return strings.Map(foldRune, norm.NFC.String(s))
}

func foldRune(r rune) rune {
	if r <= unicode.MaxASCII {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + ('a' - 'A')
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}
	if unicode.IsControl(r) {
		return ' '
	}
	r = unicode.ToLower(r)
	// The smallest of all forms stands for them: σ and ς, k and K (kelvin).
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return unicode.ToLower(least)
}

// Loses reports whether a record must not take the place of the stored one,
// whose fingerprint and origin are given: what a model wrote of a tail is not
// lost to a free recap of the same tail.
func Loses(r recap.Record, fingerprint string, source recap.Origin) bool {
	return r.Source != recap.FromModel && source == recap.FromModel && r.Fingerprint == fingerprint
}

// Newer reports whether a stored record, whose fingerprint and UpdatedAt are
// given, is of a newer state of the session than r.
func Newer(fingerprint string, updated time.Time, r recap.Record) bool {
	return fingerprint != r.Fingerprint && updated.After(r.UpdatedAt)
}
