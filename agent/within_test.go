package agent

import "testing"

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/a/b", "/a/b", true},
		{"/a/b/c", "/a/b", true},
		{"/a/b/c", "/a/b/", true},
		{"/a/bc", "/a/b", false},
		{"/a", "/a/b", false},
		{"/a/b/../c", "/a/b", false},
		{"/a/x/../b/c", "/a/b", true},
		{"/a//b/./c", "/a/b", true},
		{"/a/b", "/", true},
		{"", "/a", false},
		{"/a", "", false},
		{`C:\src\app`, `C:\src`, true},
		{`C:\src2`, `C:\src`, false},
	} {
		if got := Within(c.path, c.dir); got != c.want {
			t.Errorf("Within(%q, %q) = %v", c.path, c.dir, got)
		}
		if got := Excluded(c.path, []string{"/elsewhere", c.dir}); got != c.want {
			t.Errorf("Excluded(%q) by %q = %v", c.path, c.dir, got)
		}
	}
}
