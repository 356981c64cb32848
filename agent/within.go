package agent

import (
	"path/filepath"
	"slices"
	"strings"
)

// Excluded reports whether a directory is one of those that are never read, or
// lies below one. A directory that is not known ("") is not.
func Excluded(dir string, exclude []string) bool {
	return dir != "" && slices.ContainsFunc(exclude, func(x string) bool { return Within(dir, x) })
}

// Within reports whether a path is dir or lies below it, as texts: nothing is
// looked up. Either slash parts them, since a transcript may come from another
// system.
func Within(path, dir string) bool {
	if path == "" || dir == "" {
		return false
	}
	rest, ok := strings.CutPrefix(filepath.Clean(path), strings.TrimRight(filepath.Clean(dir), `/\`))
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
}
