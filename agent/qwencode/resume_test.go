package qwencode

import (
	"strings"
	"testing"

	recap "github.com/sessionrecap/recap"
)

func TestResumeCommand(t *testing.T) {
	for _, c := range []struct{ name, origin, id, want string }{
		{"the usual home", "default", "abc", "qwen --resume abc"},
		{"a home of the environment", "env QWEN_HOME", "abc", "qwen --resume abc"},
		{"a home of our settings", "config", "abc", "env QWEN_RUNTIME_DIR=/srv/qwen qwen --resume abc"},
		{"an option as an id", "default", "--yolo", ""},
		{"no id", "default", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := recap.Session{Ref: recap.SessionRef{ID: c.id}, Directory: "/home/dev/app"}
			dir, argv := New(Config{Root: "/srv/qwen", Origin: c.origin}).ResumeCommand(x)
			if strings.Join(argv, " ") != c.want || c.want != "" && dir != "/home/dev/app" {
				t.Errorf("%q %q", dir, argv)
			}
		})
	}
}
