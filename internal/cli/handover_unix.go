//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const canReplace = true

// replace runs a command in the place of this program. It returns only where
// that failed.
func replace(dir, path string, argv []string) error {
	env := os.Environ()
	if dir != "" {
		if err := os.Chdir(dir); err != nil {
			return err
		}
		if filepath.IsAbs(dir) {
			for i, v := range env {
				if strings.HasPrefix(v, "PWD=") {
					env[i] = "PWD=" + dir
				}
			}
		}
	}
	return syscall.Exec(path, argv, env) //nolint:gosec // the agent's own resume command
}
