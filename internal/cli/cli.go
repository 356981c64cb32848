// Package cli is the command line of recap, and its wiring: the only place
// that chooses agents' sources and the store.
//
// [Run] runs one command with the given streams and gives the exit code:
// 0 done, 1 failed, 2 wrong usage, 3 nothing to recap, 4 refused. Data goes
// to Out, notices and errors to Err; under --json also errors go to Out, as
// {"error": {...}}.
package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
)

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Env reads the environment; nil is the process's.
	Env func(string) string
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// Exit codes.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNothing = 3
	exitRefused = 4
)

// exitOf maps the code of an error to the exit code: the one table of it.
func exitOf(code recap.Code) int {
	switch code {
	case "":
		return exitDone
	case recap.CodeUsage, recap.CodeAmbiguousSession:
		return exitUsage
	case recap.CodeNothing, recap.CodeNotEnough:
		return exitNothing
	case recap.CodeBusy, recap.CodeRunning, recap.CodeMuted, recap.CodeExcluded, recap.CodeNoModel, recap.CodeProviderUnsupported, recap.CodeBudget:
		return exitRefused
	case recap.CodeConfig, recap.CodeSessionNotFound, recap.CodeUnreadable, recap.CodeUnsupported, recap.CodeRedaction, recap.CodeStore,
		recap.CodeStoreTooNew, recap.CodeCanceled, recap.CodeInternal,
		recap.CodeInvalidRequest, recap.CodeNoLogin, recap.CodeContextTooSmall, recap.CodeRateLimited, recap.CodeOutputExhausted,
		recap.CodeProviderError, recap.CodeModelUnavailable, recap.CodeTimeout, recap.CodeGuarded:
	}
	return exitFailed
}

// Run runs a command.
func Run(ctx context.Context, args []string, s Streams) int {
	if s.Now == nil {
		s.Now = time.Now
	}
	a := &app{s: s}
	root := newRoot(a)
	root.SetArgs(numbers(args))
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	cmd, err := root.ExecuteContextC(ctx)
	a.close()
	switch {
	case err == nil:
		return a.exit
	case errors.Is(err, syscall.EPIPE): // the reader has seen enough
		return a.exit
	case !a.parsed && !a.json: // the flags were not understood, so --json may stand behind the fault
		a.json = asksJSON(args)
	}
	return a.fail(ctx, cmd, err)
}

// numbers puts a number below zero, the value of `recap config set`, behind the
// flags: it is none.
func numbers(args []string) []string {
	var words []string
	value := -1
	for i, arg := range args {
		switch {
		case arg == "--":
			return args
		case len(arg) > 1 && arg[0] == '-' && (arg[1] == '.' || arg[1] >= '0' && arg[1] <= '9'):
			value = i
		case !strings.HasPrefix(arg, "-"):
			words = append(words, arg)
		}
	}
	if value < 0 || len(words) != 3 || words[0] != "config" || words[1] != "set" {
		return args
	}
	return append(slices.Delete(slices.Clone(args), value, value+1), "--", args[value])
}

func asksJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// usageError marks an error of the command line itself.
func usageError(message, hint string) error {
	return &recap.Error{Code: recap.CodeUsage, Message: message, Hint: hint}
}

// fail tells an error and gives its exit code.
func (a *app) fail(ctx context.Context, cmd *cobra.Command, err error) int {
	if _, ok := errors.AsType[*recap.Error](err); !ok {
		switch {
		case ctx.Err() != nil:
			err = &recap.Error{Code: recap.CodeCanceled, Message: "stopped"}
		case a.parsed:
			err = &recap.Error{Code: recap.CodeInternal, Message: "it did not work", Err: err}
		default: // cobra's own words about flags and arguments
			err = usageError(plainFlag(err.Error()), cmd.CommandPath()+" --help")
		}
	}
	a.tell(err)
	return exitOf(recap.CodeOf(err))
}

// plainFlag takes the names of Go's functions out of a message about a flag.
func plainFlag(message string) string {
	what, _, ok := strings.Cut(message, ": strconv.")
	if !ok {
		return message
	}
	if strings.Contains(message, "ParseBool") {
		return what + ": must be true or false"
	}
	return what + ": must be a whole number"
}

// one wants exactly one argument of a command, which is a what.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return usageError("name "+what, cmd.CommandPath()+" --help")
		}
		return usageError("name one "+strings.TrimPrefix(strings.TrimPrefix(what, "an "), "a ")+" only", cmd.CommandPath()+" --help")
	}
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "recap [SESSION]",
		Short: "Where was I, and what next?",
		Long: `recap says where you were in your sessions with coding agents (Claude Code, Codex, Gemini CLI, OpenCode, Qwen Code).

Without a session it speaks of the newest one of this project. It only reads the agents' files, needs no model and no key,
and nothing leaves this machine.

A session is named by its id, a unique prefix of it, agent:id, agent@home:id, or "last".

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to recap, 4 refused.`,
		Example: `  recap                 where you were in this project
  recap away            what moved while you were gone
  recap list            your sessions, newest first
  recap show last       a recap with its evidence`,
		Version:       version().Version,
		Args:          a.atMostOne,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.parsed = true
			return a.prepare(cmd)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.runRecap(cmd.Context(), args) },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("recap {{.Version}}\n")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no notices, no progress")
	a.ask.register(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(plainFlag(err.Error()), cmd.CommandPath()+" --help")
	})
	root.SetHelpFunc(a.help)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "help [command]", Short: "Help about a command", Hidden: true, RunE: func(cmd *cobra.Command, args []string) error {
		c, rest, err := cmd.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return usageError("no command "+recap.Line(strings.Join(args, " ")), "recap --help lists the commands")
		}
		c.InitDefaultHelpFlag()
		return c.Help()
	}})
	root.AddGroup(
		&cobra.Group{ID: "look", Title: "Look:"},
		&cobra.Group{ID: "go", Title: "Go on:"},
		&cobra.Group{ID: "live", Title: "While you work:"},
		&cobra.Group{ID: "keep", Title: "Keep in hand:"},
		&cobra.Group{ID: "self", Title: "About recap:"},
	)
	root.SetHelpCommandGroupID("self")
	root.AddCommand(
		in("look", awayCommand(a)), in("look", listCommand(a)), in("look", searchCommand(a)), in("look", showCommand(a)), in("look", whyCommand(a)),
		in("look", example(spendCommand(a), "  recap spend\n  recap spend --since 7d --json")),
		in("look", example(egressCommand(a), "  recap egress\n  recap egress --since 7d --json")),
		in("go", resumeCommand(a)), in("go", promptCommand(a)),
		in("live", serveCommand(a)),
		in("keep", muteCommand(a)), in("keep", forgetCommand(a)), in("keep", configCommand(a)),
		in("self", doctorCommand(a)), in("self", demoCommand(a)), in("self", versionCommand(a)), in("self", completionCommand(a)),
	)
	a.complete(root)
	return root
}

func example(c *cobra.Command, text string) *cobra.Command {
	c.Example = text
	return c
}

func in(group string, c *cobra.Command) *cobra.Command {
	c.GroupID = group
	return c
}
