package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/store/sqlite"
)

// isCompletion reports whether a shell asks for completions.
func isCompletion(cmd *cobra.Command) bool {
	return cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd
}

const (
	completionLimit = 50              // sessions offered
	completionWait  = 2 * time.Second // for a listing, where the store knows nothing yet
)

// complete teaches the shells the values of flags and arguments.
func (a *app) complete(root *cobra.Command) {
	sessions := func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.completeSessions(cmd.Context(), begun), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		switch {
		case c == root, strings.Contains(c.Use, "SESSION"):
			c.ValidArgsFunction = sessions
		case c.ValidArgs == nil && c.Name() != "config" && c.Name() != "demo":
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
		if c.Flags().Lookup("agent") != nil {
			c.RegisterFlagCompletionFunc("agent", completeAgents) //nolint:errcheck,gosec // the flag is there, and has none yet
		}
		if c.Name() == "config" {
			for _, sub := range c.Commands() {
				sub.ValidArgsFunction = completeKeys(sub.Name())
			}
		}
	}
}

func completeAgents(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out := make([]cobra.Completion, 0, len(recap.Agents()))
	for _, x := range recap.Agents() {
		out = append(out, cobra.CompletionWithDesc(string(x), x.DisplayName()))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// completeKeys offers the keys of settings, and to "set" the values that a key
// can have.
func completeKeys(command string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []cobra.Completion
		switch {
		case command == "path" || len(args) > 1:
		case len(args) == 1 && command == "set":
			out = config.Choices(args[0])
		case len(args) == 0:
			for _, s := range config.Settings() {
				out = append(out, cobra.CompletionWithDesc(s.Key, s.Doc))
			}
			for _, s := range config.Tables() {
				if below, ok := strings.CutPrefix(s.Key, "sources.NAME"); ok && strings.HasPrefix(begun, "sources") {
					for _, x := range recap.Agents() {
						out = append(out, cobra.CompletionWithDesc("sources."+string(x)+below, s.Doc))
					}
				}
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSessions offers the newest sessions that the store knows, with their
// titles. Where it knows none they are listed, for a moment. It never fails.
func (a *app) completeSessions(ctx context.Context, begun string) []cobra.Completion {
	if a.cfg == nil || a.cfg.Refusal() != nil {
		return nil
	}
	found := a.storedSessions(ctx)
	if len(found) == 0 {
		short, stop := context.WithTimeout(ctx, completionWait)
		defer stop()
		if e, err := a.engine(short); err == nil {
			if l, err := e.Sessions(short, engine.Query{}); err == nil {
				found = l.Sessions
			}
		}
	}
	named := slices.ContainsFunc(recap.Agents(), func(x recap.Agent) bool { return strings.HasPrefix(begun, string(x)) })
	ids := shortIDs(found)
	out := []cobra.Completion{cobra.CompletionWithDesc("last", "the newest session")}
	for _, s := range found {
		name := ids[s.Ref]
		if named || homeSuffix(s) != "" {
			name = string(s.Ref.Agent) + homeSuffix(s) + ":" + name
		}
		if strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' }) || !strings.HasPrefix(name, begun) {
			continue
		}
		text := strings.Join(slices.DeleteFunc([]string{where(s), s.Ref.Agent.DisplayName(), s.Title}, func(t string) bool { return t == "" }), ", ")
		out = append(out, cobra.CompletionWithDesc(name, recap.Line(text)))
		if len(out) > completionLimit {
			break
		}
	}
	return out
}

// storedSessions are the sessions of the store, which is neither made nor
// changed.
func (a *app) storedSessions(ctx context.Context) []recap.Session {
	if a.cfg.StorePath() == "" {
		return nil
	}
	st, err := sqlite.OpenReadOnly(ctx, a.cfg.StorePath())
	if err != nil {
		return nil
	}
	defer st.Close() //nolint:errcheck // read only
	var homes []recap.Session
	e := engine.New(engine.Options{
		Store: st, Now: a.s.Now, Exclude: a.cfg.Exclude(), Excluded: a.narrow.excluded, NoRedaction: !a.cfg.Bool("privacy.redact"),
	})
	found, err := e.Remembered(ctx)
	if err != nil {
		return nil
	}
	for _, s := range found {
		for _, x := range a.cfg.Sources {
			if x.Agent == string(s.Ref.Agent) && x.Root == s.Ref.Root {
				s.Home = x.Name
			}
		}
		homes = append(homes, s)
	}
	return homes
}
