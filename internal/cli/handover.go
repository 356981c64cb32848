package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	recap "github.com/sessionrecap/recap"
)

// handOver gives the terminal to the agent's own command: in the place of this
// program where the system can do that, else as a child.
func (a *app) handOver(ctx context.Context, dir string, argv []string) error {
	if dir != "" {
		if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
			return &recap.Error{
				Code: recap.CodeInternal, Message: "the session's directory " + dir + " is gone", Hint: "recap resume --print shows the command",
			}
		}
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return &recap.Error{
			Code: recap.CodeInternal, Message: argv[0] + " is not on your PATH", Hint: "install it, or recap resume --print shows the command", Err: err,
		}
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if a.s.In == os.Stdin && a.s.Out == os.Stdout && a.s.Err == os.Stderr && canReplace {
		return replace(dir, path, argv)
	}
	// Ctrl-C goes to the agent too, which knows what to do with it.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, argv[1:]...) //nolint:gosec // the agent's own resume command
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, a.s.In, a.s.Out, a.s.Err
	if err := cmd.Run(); err != nil {
		if xe, ok := errors.AsType[*exec.ExitError](err); ok {
			a.exit = max(xe.ExitCode(), exitFailed)
			a.notice(fmt.Sprintf("%s ended with exit status %d", filepath.Base(path), xe.ExitCode()))
			return nil
		}
		return err
	}
	return nil
}
