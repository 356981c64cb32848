package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionrecap/recap/internal/config"
)

// A settings file that is broken while the daemon runs switches nothing on: who
// is followed stays as it was said last, and nothing is made until it is mended.
func TestLiveSettingsThatBreak(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, "config.toml")
	load := func() *config.Config {
		return config.Load(config.Options{Home: home, Env: func(name string) string {
			if name == "RECAP_CONFIG" {
				return path
			}
			return ""
		}})
	}
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[assist]\nauto = true\nquiet_window = \"7s\"\n[sources]\nclaude = false\n")
	l := newLive(load(), load, slog.New(slog.DiscardHandler))
	changes := 0
	l.changed = func(*config.Config) { changes++ }
	if s := l.follow(); !s.Recap || !s.Auto || s.Window.Seconds() != 7 {
		t.Fatalf("whole: %+v", s)
	}
	write("[assist]\nauto = true\nquiet_window = \"7s\"\n[sources]\nclaude = false\n[model")
	if s := l.follow(); s.Recap || s.Suggestion || s.Auto || s.Window.Seconds() != 7 {
		t.Errorf("broken: %+v", s)
	}
	if changes != 0 || l.config().Broken() {
		t.Errorf("%d changes were told of, the settings are broken: %v", changes, l.config().Broken())
	}
	write("[assist]\nrecap = false\nquiet_window = \"9s\"\n")
	if s := l.follow(); s.Recap || !s.Suggestion || s.Window.Seconds() != 9 || changes != 1 {
		t.Errorf("mended: %+v, %d changes", s, changes)
	}
	write("[model")
	if s := newLive(load(), load, slog.New(slog.DiscardHandler)).follow(); s.Recap || s.Suggestion || s.Auto {
		t.Errorf("broken from the start: %+v", s)
	}
}
