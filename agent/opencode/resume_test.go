package opencode

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
)

func TestResumeCommandOfAMovedHome(t *testing.T) {
	for _, c := range []struct{ name, root, db, origin, id, want string }{
		{"a data directory of the environment", "/srv/x/opencode", "", "env XDG_DATA_HOME", "ses_1", "opencode --session ses_1"},
		{"a data directory of our settings", "/srv/x/opencode", "", "config", "ses_1", "env XDG_DATA_HOME=/srv/x opencode --session ses_1"},
		{"one of another name", "/srv/old", "", "config", "ses_1", "env OPENCODE_DB=/srv/old/opencode.db opencode --session ses_1"},
		{"a database", "/srv/x/opencode", "/srv/y.db", "config", "ses_1", "env OPENCODE_DB=/srv/y.db opencode --session ses_1"},
		{"an option as an id", "/srv/x/opencode", "", "default", "--port", ""},
		{"no id", "/srv/x/opencode", "", "default", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := recap.Session{Ref: recap.SessionRef{ID: c.id}, Directory: "/home/dev/app"}
			dir, argv := New(Config{Root: c.root, DB: c.db, Origin: c.origin}).ResumeCommand(x)
			if strings.Join(argv, " ") != c.want || c.want != "" && dir != "/home/dev/app" {
				t.Errorf("%q %q", dir, argv)
			}
		})
	}
}
