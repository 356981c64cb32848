package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
)

func searchCommand(a *app) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "search WORDS",
		Short: "Find sessions by words in their recaps and requests",
		Long: `Finds the sessions that hold every word in their recap, request, title or the name of their project, newest first. Any
script; capitals do not matter. All sessions are looked into: the first search makes the recaps that are missing, so it takes longer.`,
		Example: "  recap search login page\n  recap search 検索 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			words := strings.Fields(strings.Join(args, " "))
			if len(words) == 0 {
				return usageError("give the words to look for", "recap search --help")
			}
			e, err := a.engine(ctx)
			if err != nil {
				return err
			}
			f, err := e.Search(ctx, words, limit)
			if err != nil {
				return err
			}
			return a.showFound(f)
		},
	}
	c.Flags().IntVarP(&limit, "limit", "n", 20, "most sessions shown, 0 for all")
	return c
}

// showFound prints what a search found, and what it could not look into.
func (a *app) showFound(f engine.Found) error {
	if !a.json {
		a.warn(f.Listing, true)
	}
	if f.Unread > 0 {
		a.notice(fmt.Sprintf("%d %s could not be read as %s now, so not searched; recap list -n 0 says why",
			f.Unread, plural(f.Unread, "session", "sessions"), plural(f.Unread, "it is", "they are")))
	}
	switch {
	case a.json:
		if len(f.Rows) == 0 {
			a.exit = exitNothing
		}
		if err := a.printJSON(anyRows(f.Rows)...); err != nil {
			return err
		}
	case len(f.Rows) == 0:
		message := "no session has all of these words"
		if f.Unread > 0 || len(f.Listing.Failed) > 0 {
			message = "no session that could be read has all of these words"
		}
		return &recap.Error{Code: recap.CodeNothing, Message: message, Hint: "fewer words, or recap list --all"}
	default:
		sessions := make([]recap.Session, len(f.Rows))
		for i, r := range f.Rows {
			sessions[i] = r.Session
		}
		if err := a.printRows(f.Rows, sessions); err != nil {
			return err
		}
	}
	if f.Total > len(f.Rows) {
		a.notice(fmt.Sprintf("%d of %d sessions that have these words; -n 0 shows all", len(f.Rows), f.Total))
	}
	return nil
}
