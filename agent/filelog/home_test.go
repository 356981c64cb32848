package filelog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionrecap/recap/agent"
)

func TestFindHome(t *testing.T) {
	root := t.TempDir()
	home, below, file, shut := filepath.Join(root, "home"), filepath.Join(root, "home", "below"), filepath.Join(root, "file"), filepath.Join(root, "shut")
	for _, dir := range []string{below, shut} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		folders []string
		want    agent.Home
	}{
		"nothing there":         {[]string{filepath.Join(root, "none"), below}, agent.Home{}},
		"all there":             {[]string{home, below}, agent.Home{Found: true}},
		"the folder is missing": {[]string{home, filepath.Join(home, "none")}, agent.Home{Found: true}},
		"a file":                {[]string{file}, agent.Home{Root: file, Found: true, Problem: "not a folder"}},
		"a file below":          {[]string{home, file}, agent.Home{Found: true, Problem: file + ": not a folder"}},
		"not to be read":        {[]string{home, shut}, agent.Home{Found: true, Problem: shut + ": permission denied"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "not to be read" {
				if _, err := os.ReadDir(shut); err == nil {
					t.Skip("this user may read everything")
				}
			}
			c.want.Name = "claude"
			if got := FindHome(agent.Home{Name: "claude", Root: c.want.Root}, c.folders...); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
