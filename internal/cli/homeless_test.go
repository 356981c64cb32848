package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A home directory that does not exist is not made, by no command.
func TestAHomeThatDoesNotExistIsNotMade(t *testing.T) {
	t.Parallel()
	d := samples(t)
	home := filepath.Join(d.home, "nohome", "deep")
	d.env["HOME"] = home
	for _, name := range []string{"RECAP_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		delete(d.env, name)
	}
	for _, tt := range []struct {
		args string
		code int
		said string
	}{
		{"list", 0, home + ", does not exist"},
		{"search index", -1, home + ", does not exist"},
		{"away", 0, home + ", does not exist"},
		{"show last", 0, home + ", does not exist"},
		{"config", 0, ""},
		{"prompt", -1, ""},
		{"doctor", 0, ""},
		{"mute last", 1, home + ", does not exist"},
		{"serve", 1, home + ", does not exist"},
		{"forget --all", 1, home + ", does not exist"},
		{"config set language de", 1, "the home directory does not exist"},
	} {
		a := d.run(t, strings.Fields(tt.args)...)
		if tt.code >= 0 && a.code != tt.code || tt.said != "" && strings.Count(strings.Join(strings.Fields(a.err), " "), tt.said) != 1 {
			t.Errorf("recap %s: %d %q, want %d %q", tt.args, a.code, a.err, tt.code, tt.said)
		}
		if _, err := os.Lstat(filepath.Dir(home)); err == nil {
			t.Fatalf("recap %s made %s", tt.args, home)
		}
	}
	// What stands elsewhere is made.
	d.env["XDG_DATA_HOME"] = filepath.Join(d.home, "data")
	if a := d.run(t, "list"); a.code != 0 || a.err != "" && strings.Contains(a.err, "nothing is kept") {
		t.Errorf("%+v", a)
	}
	if _, err := os.Stat(filepath.Join(d.home, "data", "recap", "recap.db")); err != nil {
		t.Error(err)
	}
}
