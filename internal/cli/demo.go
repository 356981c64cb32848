package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/internal/demo"
)

func demoCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "demo [COMMAND...]",
		Short: "Everything on bundled sample sessions of five agents",
		Long: `Runs a command of recap on bundled sample sessions, in a scratch home that is removed afterwards. Without a command it
lists them. Your own sessions and settings are not touched.`,
		Example: "  recap demo\n  recap demo away\n  recap demo list --json\n  recap demo show last",
		Args:    cobra.ArbitraryArgs,
		// What follows are the words of the other command, flags included.
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
				return cmd.Help()
			}
			if len(args) > 0 && (args[0] == "demo" || args[0] == "config") {
				return usageError("recap demo "+recap.Line(args[0])+" does nothing", "recap demo --help")
			}
			if len(args) == 0 || strings.HasPrefix(args[0], "-") {
				args = append([]string{"list", "--all"}, args...)
			}
			code, err := a.runDemo(cmd.Context(), args)
			if err == nil {
				a.exit = code
			}
			return err
		},
	}
	return c
}

// runDemo runs a command in a scratch home with the sample sessions.
func (a *app) runDemo(ctx context.Context, args []string) (code int, err error) {
	dir, err := os.MkdirTemp("", "recap-demo-")
	if err != nil {
		return exitFailed, err
	}
	defer func() {
		if e := os.RemoveAll(dir); e != nil && err == nil {
			err = fmt.Errorf("the scratch home could not be removed: %w", e)
		}
	}()
	if err := demo.Install(filepath.Join(dir, "agents")); err != nil {
		return exitFailed, err
	}
	env := map[string]string{
		"RECAP_CONFIG":    filepath.Join(dir, "config.toml"),
		"XDG_CONFIG_HOME": filepath.Join(dir, "config"),
		"XDG_DATA_HOME":   filepath.Join(dir, "data"),
		"XDG_STATE_HOME":  filepath.Join(dir, "state"),
		"XDG_CACHE_HOME":  filepath.Join(dir, "cache"),
	}
	homes := demo.Homes(filepath.Join(dir, "agents"))
	for agent, home := range homes {
		env[config.EnvName("sources."+string(agent))] = home
	}
	if err := os.WriteFile(env["RECAP_CONFIG"], nil, 0o600); err != nil {
		return exitFailed, err
	}
	outer := a.s.Env
	if outer == nil {
		outer = a.cfg.Env
	}
	s := a.s
	s.Now = func() time.Time { return demo.Now().In(a.s.Now().Location()) } // ages as on the day of the recording
	s.Env = func(name string) string {
		if v, ok := env[name]; ok {
			return v
		}
		switch name {
		case "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "OPENCODE_DB":
			return ""
		}
		if strings.HasPrefix(name, "RECAP_") {
			return ""
		}
		return outer(name)
	}
	return Run(ctx, args, s), nil
}
