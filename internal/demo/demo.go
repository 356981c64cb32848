// Package demo holds the bundled sample sessions of five agents, recorded
// with the real programs, and lays them out as a home of each agent.
//
// [Install] writes them below a folder; [Homes] says where each agent's home
// then is. `recap demo` shows them, and tests read them.
package demo

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	recap "github.com/sessionrecap/recap"
)

// sessions is one folder an agent, laid out as in the agent's home. Names that
// start with a dot or "_" need the "all:" prefix.
//
//go:embed all:sessions
var sessions embed.FS

// Now is a time shortly after the newest of the sample sessions: what shows
// them takes it for the present, so that their ages are those of the recording.
func Now() time.Time { return time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC) }

// Install writes the sample sessions below dir.
func Install(dir string) error {
	return fs.WalkDir(sessions, "sessions", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(path, "sessions")))
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		b, err := sessions.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o600)
	})
}

// Homes gives each agent's home below dir.
func Homes(dir string) map[recap.Agent]string {
	out := make(map[recap.Agent]string, len(recap.Agents()))
	for _, a := range recap.Agents() {
		out[a] = filepath.Join(dir, string(a))
	}
	return out
}

// File gives one file of the sample sessions by its path below them.
func File(path string) ([]byte, error) { return sessions.ReadFile("sessions/" + path) }
