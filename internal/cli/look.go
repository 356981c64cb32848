package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
)

// runRecap is `recap` and `recap SESSION`.
func (a *app) runRecap(ctx context.Context, args []string) error {
	ask, model, err := a.ask.ask(a.cfg.Bool("model.manual"))
	if err != nil {
		return err
	}
	e, err := a.engine(ctx)
	if err != nil {
		return err
	}
	var s recap.Session
	if len(args) == 1 {
		if s, err = e.Find(ctx, args[0]); recap.CodeOf(err) == recap.CodeSessionNotFound {
			err = a.noSuch(args[0], err)
		}
	} else {
		var dir string
		if dir, err = config.WorkDir(); err != nil {
			return &recap.Error{Code: recap.CodeInternal, Message: "the current directory is gone", Hint: "change to a directory that exists", Err: err}
		}
		if err := a.leftOut(e, dir); err != nil {
			return err
		}
		var l engine.Listing
		s, l, err = e.Newest(ctx, dir)
		if !a.json {
			a.warn(l, false)
		}
	}
	if err != nil {
		return err
	}
	var barred error
	if model {
		ask, barred = a.wanted(e, s, ask)
	}
	switch {
	case a.ask.dryRun:
		return a.dryRun(ctx, e, s, ask, barred)
	case barred != nil:
		err := a.answered(e.Recap(ctx, s), ask, barred)
		if a.exit != exitDone {
			a.exit = exitRefused
		}
		return err
	case model:
		return a.askModel(ctx, e, s, ask)
	}
	return a.showResult(e.Recap(ctx, s))
}

// noSuch hints at the command that was meant: a word that is none is taken
// for a session.
func (a *app) noSuch(name string, err error) error {
	hint := "recap list shows the sessions and their ids, recap --help the commands"
	if near := newRoot(&app{}).SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean recap " + near[0] + "? recap --help lists the commands"
	}
	if h := a.modelApart([]string{name}); h != "" {
		hint = h
	}
	return &recap.Error{Code: recap.CodeSessionNotFound, Message: err.Error(), Hint: hint}
}

// atMostOne wants at most one session.
func (a *app) atMostOne(_ *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	hint := a.modelApart(args)
	if hint == "" {
		hint = "recap list shows the sessions and their ids, recap --help the commands"
	}
	return usageError("name one session only", hint)
}

// modelApart is the hint for a model that stands apart from its flag, where it
// is taken for a session; "" where none does.
func (a *app) modelApart(args []string) string {
	if a.ask.model != anyModel {
		return ""
	}
	for _, arg := range args {
		if m := recap.ParseModelRef(arg); m.Provider != "" && m.ID != "" {
			return "a model is named behind =: --model=" + recap.Line(arg)
		}
	}
	return ""
}

// noModelReason says why no model spoke.
func noModelReason(r engine.Result) *api.Reason {
	if r.Err != nil {
		return reason(r.Err, recap.Line(nameOf(r.Session)))
	}
	if r.Record != nil && r.Record.Source == recap.Extractive {
		return &api.Reason{Code: string(recap.CodeNoModel), Message: "no model was asked: the free recap quotes the session", Hint: "recap --model asks one"}
	}
	return nil
}

// reason says why something is not there.
func reason(err error, session string) *api.Reason {
	return &api.Reason{Code: string(recap.CodeOf(err)), Message: recap.Line(err.Error()), Hint: recap.Line(nextOf(err, session))}
}

// showResult prints one recap.
func (a *app) showResult(r engine.Result) error {
	code := recap.CodeOf(r.Err)
	if a.json {
		if err := a.printJSON(api.Result{
			Session: api.FromSession(r.Session), Record: api.FromRecord(r.Record), Reason: noModelReason(r), Fresh: r.Fresh, Gone: r.Gone,
		}); err != nil {
			return err
		}
		a.exit = exitOf(code)
		if r.Gone {
			a.exit = exitDone
		}
		return nil
	}
	a.problems(r.Problems)
	if r.Record == nil {
		if r.Err != nil {
			return r.Err
		}
		return &recap.Error{Code: recap.CodeNothing, Message: "nothing to recap"}
	}
	if err := a.print(a.card(r)); err != nil {
		return err
	}
	return a.explain(r)
}

// explain says why a record that was shown is not fresh. One whose transcript
// is gone is all there is, and no failure.
func (a *app) explain(r engine.Result) error {
	if r.Err == nil {
		return nil
	}
	a.notice(r.Err.Error() + paren(nextOf(r.Err, recap.Line(nameOf(r.Session)))))
	if !r.Gone {
		a.exit = exitOf(recap.CodeOf(r.Err))
	}
	return nil
}

func (a *app) problems(ps []agent.Problem) {
	for _, p := range ps {
		a.notice(fmt.Sprintf("skipped in the transcript: %s (%d)", p.Reason, p.Count))
	}
}

// card draws one recap: a head line, the text, the marks.
func (a *app) card(r engine.Result) string {
	c := a.scr
	now := a.s.Now()
	var b strings.Builder
	head := []string{c.style(bold, where(r.Session)), r.Session.Ref.Agent.DisplayName() + homeSuffix(r.Session), ago(r.Session.UpdatedAt, now)}
	if r.Session.Branch != "" {
		head = append(head, r.Session.Branch)
	}
	if !r.Fresh {
		head = append(head, c.style(yellow, "as it was "+ago(r.Record.GeneratedAt, now)))
	}
	b.WriteString(c.fit(strings.Join(head, c.dot()), c.width))
	b.WriteByte('\n')
	text := r.Record.Away
	if text == "" {
		text = r.Record.Recap
	}
	if text != "" {
		b.WriteString(c.wrap(c.plainText(text), "  ", c.width))
		b.WriteByte('\n')
	}
	b.WriteString(a.next(r))
	if m := c.marks(*r.Record, "  "); m != "" {
		b.WriteString(m)
		b.WriteByte('\n')
	}
	return b.String()
}

func awayCommand(a *app) *cobra.Command {
	var peek bool
	var limit int
	c := &cobra.Command{
		Use:   "away",
		Short: "What moved while you were gone, what waits for you first",
		Long: `Shows the sessions of all agents that moved since you last looked, those that wait for you first, with what they wait for.
Looking resets it; --peek does not. The first time it shows the last day.`,
		Example: "  recap away\n  recap away --peek --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			e, err := a.engine(ctx)
			if err != nil {
				return err
			}
			w, err := e.Away(ctx, peek, limit)
			if err != nil {
				return err
			}
			if a.json {
				out := api.Away{Sessions: rows(w.Rows), More: w.More}
				if !w.Since.IsZero() {
					t := w.Since.UTC()
					out.Since = &t
				}
				return a.printJSON(out)
			}
			a.warn(w.Listing, true)
			since := "in the last day"
			if !w.Since.IsZero() {
				since = "since you looked " + ago(w.Since, a.s.Now())
			}
			if len(w.Rows) == 0 {
				return a.aside("Nothing moved " + since + ".")
			}
			head := fmt.Sprintf("%d %s moved %s", len(w.Rows)+w.More, plural(len(w.Rows)+w.More, "session", "sessions"), since)
			if w.Waiting > 0 {
				head += fmt.Sprintf(", %d %s for you", w.Waiting, plural(w.Waiting, "waits", "wait"))
			}
			if err := a.aside(head + ":"); err != nil {
				return err
			}
			if err := a.printRows(w.Rows, w.Listing.Sessions); err != nil {
				return err
			}
			if w.More > 0 {
				a.notice(fmt.Sprintf("and %d more: recap list", w.More))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&peek, "peek", false, "do not count this as having looked")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "most sessions shown, 0 for all")
	return c
}

// aside tells people something about the rows: above them on a terminal, beside
// them where they go to a program.
func (a *app) aside(text string) error {
	if a.scr.terminal {
		return a.print(a.scr.wrap(text, "", a.scr.width) + "\n")
	}
	if !a.quiet {
		a.prog.hide()
		fmt.Fprintln(a.s.Err, a.scr.wrap(text, "", a.scr.errWidth)) //nolint:errcheck // nowhere else to tell
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// anyRows are rows as objects to print.
func anyRows(rs []engine.Result) []any {
	out := make([]any, 0, len(rs))
	for _, r := range rows(rs) {
		out = append(out, r)
	}
	return out
}

func rows(rs []engine.Result) []api.Row {
	out := make([]api.Row, 0, len(rs))
	for _, r := range rs {
		out = append(out, api.Row{Session: api.FromSession(r.Session), Record: api.FromRecord(r.Record), Fresh: r.Fresh, Gone: r.Gone})
	}
	return out
}

func listCommand(a *app) *cobra.Command {
	var (
		all       bool
		since     string
		agentName string
		limit     int
		project   bool
	)
	c := &cobra.Command{
		Use:   "list",
		Short: "Your sessions, newest first, with age, state and recap",
		Example: `  recap list --since 7d --agent claude
  recap list --all --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			q := engine.Query{Archived: all}
			var err error
			if q.Agent, err = agentFlag(agentName); err != nil {
				return err
			}
			if since != "" {
				if q.Since, err = sinceFlag(since, a.s.Now()); err != nil {
					return err
				}
			}
			if all {
				limit = 0
			}
			e, err := a.engine(ctx)
			if err != nil {
				return err
			}
			if project {
				dir, err := config.WorkDir()
				if err != nil {
					return err
				}
				q.Project = e.Project(dir)
			}
			got, total, l, err := e.List(ctx, q, limit)
			if err != nil {
				return err
			}
			if a.json {
				if err := a.printJSON(anyRows(got)...); err != nil {
					return err
				}
			} else {
				a.warn(l, !project)
			}
			if total == 0 {
				return a.noSessions(l, since != "" || agentName != "" || project)
			}
			if !a.json {
				if err := a.printRows(got, l.Sessions); err != nil {
					return err
				}
			}
			if total > len(got) {
				a.notice(fmt.Sprintf("%d of %d sessions; -n 0 shows all", len(got), total))
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&all, "all", "a", false, "every session, also archived ones and those whose transcript is gone")
	c.Flags().StringVar(&since, "since", "", "only those younger than a time: 90m, 12h, 7d, 2w, or a date")
	c.Flags().StringVar(&agentName, "agent", "", "only those of one agent: claude, codex, gemini, opencode, qwen")
	c.Flags().IntVarP(&limit, "limit", "n", 20, "most sessions shown, 0 for all")
	c.Flags().BoolVar(&project, "project", false, "only those of this project")
	return c
}

// noSessions explains an empty list.
func (a *app) noSessions(l engine.Listing, filtered bool) error {
	hint := "recap doctor shows where recap looked; recap demo shows sample sessions"
	if len(l.Failed) > 0 {
		hint = "some homes could not be read: recap doctor"
	}
	if filtered {
		hint = "recap list --all shows all"
	}
	err := &recap.Error{Code: recap.CodeNothing, Message: "no sessions found", Hint: hint}
	if a.json { // an empty list is an empty list
		a.exit = exitNothing
		return nil
	}
	return err
}

func agentFlag(name string) (recap.Agent, error) {
	if name == "" || slices.Contains(recap.Agents(), recap.Agent(name)) {
		return recap.Agent(name), nil
	}
	names := make([]string, 0, 5)
	for _, x := range recap.Agents() {
		names = append(names, string(x))
	}
	return "", usageError("unknown agent "+recap.Line(name), "one of "+strings.Join(names, ", "))
}

// sinceFlag reads "90m", "12h", "7d", "2w" or a date.
func sinceFlag(s string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	var n int
	var unit string
	if _, err := fmt.Sscanf(s, "%d%s", &n, &unit); err == nil && n >= 0 && n < 100000 {
		per := map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour}[unit]
		if per > 0 {
			return now.Add(-time.Duration(n) * per), nil
		}
	}
	return time.Time{}, usageError("can't read the time "+recap.Line(s), "for instance 90m, 12h, 7d, 2w or 2026-11-30")
}

// printRows draws a list. On a terminal each session has a head line and its
// recap below; in a pipe each session is one line, so that grep works.
func (a *app) printRows(rs []engine.Result, all []recap.Session) error {
	ids := shortIDs(all)
	var b strings.Builder
	for _, r := range rs {
		id, ok := ids[r.Session.Ref]
		if !ok {
			id = r.Session.Ref.ID
		}
		if a.scr.terminal {
			a.row(&b, r, id)
		} else {
			a.pipeRow(&b, r, id)
		}
	}
	return a.print(b.String())
}

const narrow = 50

// gap parts the age of a row from the rest.
const gap = "  "

// head gives the head line of a row in n columns, and the words of its state
// where those did not fit. What is least needed goes first: the branch, the
// agent, then the end of the project's name. The id stays.
func (a *app) head(r engine.Result, id, state string, n int) (line, left string) {
	c := a.scr
	name, agentName, branch := recap.Line(where(r.Session)), string(r.Session.Ref.Agent)+homeSuffix(r.Session), recap.Line(r.Session.Branch)
	if c.width < narrow {
		branch = ""
	}
	draw := func() string {
		var parts []string
		for _, p := range [][2]string{{bold, name}, {"", agentName}, {"", branch}, {cyan, state}, {dim, recap.Line(id)}} {
			switch {
			case p[1] == "":
			case p[0] == "":
				parts = append(parts, p[1])
			default:
				parts = append(parts, c.style(p[0], p[1]))
			}
		}
		return strings.Join(parts, c.dot())
	}
	width := func() int { return uniseg.StringWidth(ansi.Strip(draw())) }
	for _, shrink := range []func(){
		func() { branch = "" },
		func() { agentName = homeSuffix(r.Session) },
		func() { agentName = "" },
	} {
		if width() > n {
			shrink()
		}
	}
	if over := width() - n; over > 0 && state != "" && uniseg.StringWidth(name)-over < fewColumns {
		left, state = state, ""
	}
	if over := width() - n; over > 0 {
		name = c.fit(name, max(uniseg.StringWidth(name)-over, 1))
	}
	return c.fit(draw(), n), left
}

// fewColumns is the shortest that a project's name is cut to for its state.
const fewColumns = 8

func (a *app) row(b *strings.Builder, r engine.Result, id string) {
	c := a.scr
	now := a.s.Now()
	state := stateWord(r.Session)
	if r.Gone {
		state = "transcript gone"
	}
	if r.Record != nil && slices.ContainsFunc(r.Record.Status, isStateStatus) && !r.Gone {
		state = ""
	}
	when := pad(age(r.Session.UpdatedAt, now), 4)
	if c.width < narrow {
		when = strings.TrimLeft(when, " ")
	}
	line, left := a.head(r, id, state, c.width-len(when)-len(gap))
	fmt.Fprintf(b, "%s%s%s\n", c.style(dim, when), gap, line)
	in := "      "
	if c.width < narrow {
		in = "  "
	}
	if left != "" {
		b.WriteString(c.wrap(c.style(cyan, left), in, c.width))
		b.WriteByte('\n')
	}
	text := a.line(r)
	if text != "" {
		b.WriteString(c.wrap(c.plainText(text), in, c.width))
		b.WriteByte('\n')
	}
	if r.Record != nil {
		if m := c.marks(*r.Record, in); m != "" {
			b.WriteString(m)
			b.WriteByte('\n')
		}
	}
}

func pad(s string, n int) string { return strings.Repeat(" ", max(0, n-len(s))) + s }

// line is the text of a row: the recap, else why there is none.
func (a *app) line(r engine.Result) string {
	if r.Record != nil && r.Record.Recap != "" {
		return r.Record.Recap
	}
	if r.Err != nil {
		return a.scr.style(dim, "("+recap.Line(r.Err.Error())+")")
	}
	return r.Session.Title
}

func (a *app) pipeRow(b *strings.Builder, r engine.Result, id string) {
	statuses := "-"
	if r.Record != nil && len(r.Record.Status) > 0 {
		parts := make([]string, len(r.Record.Status))
		for i, s := range r.Record.Status {
			parts[i] = string(s)
		}
		statuses = strings.Join(parts, ",")
	}
	state := string(r.Session.State)
	if r.Gone {
		state = "gone"
	}
	fmt.Fprintf(b, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", age(r.Session.UpdatedAt, a.s.Now()), string(r.Session.Ref.Agent)+homeSuffix(r.Session),
		recap.Line(where(r.Session)), state, statuses, recap.Line(id), a.scr.plainText(a.line(r)))
}

func stateWord(s recap.Session) string {
	switch s.State {
	case recap.StateBusy:
		return "working"
	case recap.StateWaiting:
		return "waiting"
	case recap.StateInterrupted:
		return "interrupted"
	case recap.StateFailed:
		return "failed"
	case recap.StateIdle, recap.StateUnknown:
	}
	return ""
}

func isStateStatus(s recap.Status) bool {
	switch s {
	case recap.StatusWorking, recap.StatusInterrupted, recap.StatusFailed, recap.StatusWaitingApproval, recap.StatusWaitingAnswer, recap.StatusNoAnswer:
		return true
	}
	return false
}
