package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
)

// promptRecord finds the newest record of this project: no source is asked, and
// the store is neither made nor changed.
func (a *app) promptRecord(cmd *cobra.Command) (recap.Record, bool) {
	ctx := cmd.Context()
	dir, err := config.WorkDir()
	if err != nil || a.cfg.StorePath() == "" || a.cfg.Refusal() != nil {
		return recap.Record{}, false
	}
	st, err := sqlite.OpenReadOnly(ctx, a.cfg.StorePath())
	if err != nil {
		return recap.Record{}, false
	}
	a.st = st
	e := engine.New(engine.Options{
		Store: st, Now: a.s.Now, Exclude: a.cfg.Exclude(), Excluded: a.narrow.excluded, NoRedaction: !a.cfg.Bool("privacy.redact"),
	})
	r, err := e.NewestStored(ctx, dir)
	return r, err == nil
}

func muteCommand(a *app) *cobra.Command {
	var project, lift, list bool
	c := &cobra.Command{
		Use:   "mute [SESSION]",
		Short: "No recaps for a session, or with --project for this project",
		Long: `No recaps are made or shown for a muted session, and it is not in "recap away". Lists name it without a recap.
What recap already keeps of it stays until it is forgotten.`,
		Example: "  recap mute claude:7d51\n  recap mute --project\n  recap mute --list\n  recap mute --off claude:7d51",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if list {
				return a.listMutes(cmd)
			}
			e, err := a.keeper(ctx)
			if err != nil {
				return err
			}
			switch {
			case project && len(args) == 0:
				dir, err := config.WorkDir()
				if err != nil {
					return err
				}
				p := e.Project(dir)
				if err := e.Mute(ctx, nil, p, !lift); err != nil {
					return storeError(err)
				}
				return a.muted("project", e.CleanText(p), "--project", !lift)
			case project:
				return usageError("give a session or --project, not both", "recap mute --help")
			case len(args) == 0:
				return usageError("name a session, or give --project", "recap mute --help")
			}
			s, err := e.Find(ctx, args[0])
			if err != nil {
				return err
			}
			if err := e.Mute(ctx, &s.Ref, "", !lift); err != nil {
				return storeError(err)
			}
			return a.muted("session", nameOf(s), nameOf(s), !lift)
		},
	}
	c.Flags().BoolVar(&project, "project", false, "the project of this directory")
	c.Flags().BoolVar(&lift, "off", false, "lift the mute")
	c.Flags().BoolVar(&list, "list", false, "what is muted")
	return c
}

func storeError(err error) error {
	if _, ok := errors.AsType[*recap.Error](err); ok {
		return err
	}
	return &recap.Error{Code: recap.CodeStore, Message: "the store could not be changed", Hint: "recap doctor", Err: err}
}

func (a *app) muted(what, name, arg string, on bool) error {
	if a.json {
		return a.printJSON(map[string]any{what: name, "muted": on})
	}
	if on {
		return a.say(fmt.Sprintf("Muted %s %s; recap mute --off %s lifts it.", what, recap.Line(name), recap.Line(arg)))
	}
	return a.say(fmt.Sprintf("The mute of %s %s is lifted.", what, recap.Line(name)))
}

func (a *app) listMutes(cmd *cobra.Command) error {
	st, err := a.store(cmd.Context())
	if err != nil {
		return err
	}
	marked, err := st.Marked(cmd.Context(), store.MarkMuted)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return storeError(err)
	}
	names := make([]string, 0, len(marked))
	for scope := range marked {
		if ref, ok := store.ScopeRef(scope); ok {
			s := recap.Session{Ref: ref}
			for _, x := range a.cfg.Sources {
				if x.Agent == string(ref.Agent) && x.Root == ref.Root {
					s.Home = x.Name
				}
			}
			names = append(names, nameOf(s))
		} else {
			names = append(names, scope)
		}
	}
	slices.Sort(names)
	if a.json {
		return a.printJSON(map[string]any{"muted": names})
	}
	if len(names) == 0 {
		return a.print("Nothing is muted.\n")
	}
	return a.print(recap.Safe(strings.Join(names, "\n")) + "\n")
}

func forgetCommand(a *app) *cobra.Command {
	var (
		before  string
		all     bool
		project bool
	)
	c := &cobra.Command{
		Use:   "forget [SESSION]",
		Short: "Remove what recap keeps of a session; the agent's files stay",
		Long: `Removes recap's own copies: records, decisions, marks and index entries. The agents' transcripts stay untouched, so the
session is read anew when it is listed the next time; mute it to prevent that.`,
		Example: "  recap forget claude:7d51\n  recap forget --before 90d\n  recap forget --all",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			chosen := len(args)
			for _, on := range []bool{before != "", all, project} {
				if on {
					chosen++
				}
			}
			if chosen != 1 {
				return usageError("give a session, --before, --project or --all", "recap forget --help")
			}
			e, err := a.keeper(ctx)
			if err != nil {
				return err
			}
			var w store.Which
			switch {
			case all:
				w.All = true
			case project:
				dir, err := config.WorkDir()
				if err != nil {
					return err
				}
				w.Project = e.Project(dir)
			case before != "":
				if w.Before, err = sinceFlag(before, a.s.Now()); err != nil {
					return err
				}
			default:
				s, err := e.FindKept(ctx, args[0])
				if err != nil {
					return err
				}
				w.Session = &s.Ref
			}
			n, err := e.Forget(ctx, w)
			if err != nil {
				return err
			}
			if err := a.dropIndexes(); err != nil {
				return storeError(err)
			}
			if a.json {
				return a.printJSON(map[string]any{"forgotten": n})
			}
			return a.say(fmt.Sprintf("Forgot %d %s.", n, plural(n, "session", "sessions")))
		},
	}
	c.Flags().StringVar(&before, "before", "", "every session last active before a time: 90d, 2026-01-31")
	c.Flags().BoolVar(&all, "all", false, "everything")
	c.Flags().BoolVar(&project, "project", false, "every session of this project")
	return c
}

// dropIndexes removes the index files: they are made anew by the next listing.
func (a *app) dropIndexes() error {
	a.indexes = nil
	return os.RemoveAll(a.indexDir())
}

func configCommand(a *app) *cobra.Command {
	show := func(vs []config.Value) error {
		if a.json {
			type value struct {
				Key    string `json:"key"`
				Value  any    `json:"value"`
				Origin string `json:"origin"`
			}
			out := make([]value, 0, len(vs))
			for _, v := range vs {
				out = append(out, value{v.Key, jsonValue(v), v.Origin})
			}
			return a.printJSON(map[string]any{"path": a.cfg.Path, "settings": out})
		}
		var b strings.Builder
		for _, v := range vs {
			fmt.Fprintf(&b, "%s = %s", v.Key, recap.Line(v.Text()))
			if v.Origin != "default" {
				fmt.Fprintf(&b, "  %s", a.scr.style(dim, "# "+v.Origin))
			}
			b.WriteByte('\n')
		}
		return a.print(b.String())
	}
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the settings, each with where it came from; get, set",
		Long: `Shows every setting with its value and, where that is not the default, its origin. Flags outrank the environment (RECAP_ and
the key in capitals, dots as _), the environment outranks the settings file.`,
		Example: "  recap config\n  recap config get store.url\n  recap config set away.enabled true",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return show(a.cfg.Values()) },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "get KEY", Short: "Print one setting", Args: one("a key"), Example: "  recap config get privacy.exclude",
			RunE: func(_ *cobra.Command, args []string) error {
				v, ok := a.cfg.Get(args[0])
				if !ok {
					return usageError("unknown key "+recap.Line(args[0]), "recap config lists the keys")
				}
				if a.json {
					return a.printJSON(map[string]any{"key": v.Key, "value": jsonValue(v), "origin": v.Origin})
				}
				if t, ok := v.Value.(string); ok { // as it is, for scripts
					return a.print(recap.Safe(t) + "\n")
				}
				return a.print(strings.Trim(v.Text(), `"`) + "\n")
			},
		},
		&cobra.Command{
			Use: "set KEY VALUE", Short: "Write one setting to the settings file; comments stay", Args: cobra.ExactArgs(2),
			Long: `Writes one setting to the settings file and keeps everything else in it as it is. A list is divided by commas, or written as in
the file: '["/a", "/b"]'.`,
			Example: "  recap config set privacy.exclude ~/private,~/clients\n  recap config set sources.claude off",
			RunE: func(_ *cobra.Command, args []string) error {
				if err := a.cfg.Set(args[0], args[1]); err != nil {
					return setError(err)
				}
				if a.json {
					return a.printJSON(map[string]any{"key": args[0], "path": a.cfg.Path})
				}
				return a.say(fmt.Sprintf("%s is set in %s.", args[0], a.cfg.Path))
			},
		},
		&cobra.Command{
			Use: "path", Short: "Print the path of the settings file", Args: cobra.NoArgs, Example: `  $EDITOR "$(recap config path)"`,
			RunE: func(*cobra.Command, []string) error {
				if a.json {
					return a.printJSON(map[string]any{"path": a.cfg.Path})
				}
				return a.print(a.cfg.Path + "\n")
			},
		},
	)
	return c
}

// setError tells a file that can't be changed from a wrong key or value.
func setError(err error) error {
	bad, ok := errors.AsType[*config.FileError](err)
	switch {
	case !ok:
		const all = "recap config lists the keys"
		return usageError(strings.TrimSuffix(err.Error(), "; "+all), all)
	case bad.Line > 0:
		return &recap.Error{Code: recap.CodeConfig, Message: err.Error(), Hint: "mend that line, or move the file away: recap config set makes a new one"}
	}
	return &recap.Error{
		Code: recap.CodeConfig, Message: "the settings file can't be changed: " + err.Error(),
		Hint: "check who owns it and its folder, and the space on its disk; RECAP_CONFIG names another file",
	}
}

func jsonValue(v config.Value) any {
	if d, ok := v.Value.(time.Duration); ok {
		return d.String()
	}
	if f, ok := v.Value.(float64); ok && f == config.Unlimited {
		return "unlimited"
	}
	return v.Value
}
