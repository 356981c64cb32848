package geminicli

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
)

func TestResumeCommand(t *testing.T) {
	for _, c := range []struct{ name, root, origin, id, want string }{
		{"the usual home", "/home/dev/.gemini", "default", "abc", "gemini --resume abc"},
		{"a home of the environment", "/srv/g/.gemini", "env GEMINI_CLI_HOME", "abc", "gemini --resume abc"},
		{"a home of our settings", "/srv/g/.gemini", "config", "abc", "env GEMINI_CLI_HOME=/srv/g gemini --resume abc"},
		{"a home that can't be named", "/srv/gemini-old", "config", "abc", ""},
		{"an option as an id", "/home/dev/.gemini", "default", "--yolo", ""},
		{"no id", "/home/dev/.gemini", "default", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := recap.Session{Ref: recap.SessionRef{ID: c.id}, Directory: "/home/dev/app"}
			dir, argv := New(Config{Root: c.root, Origin: c.origin}).ResumeCommand(x)
			if strings.Join(argv, " ") != c.want || c.want != "" && dir != "/home/dev/app" {
				t.Errorf("%q %q", dir, argv)
			}
		})
	}
}
