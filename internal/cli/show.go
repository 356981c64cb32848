package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
)

// sessionArg resolves the one session argument of a command.
func (a *app) sessionArg(cmd *cobra.Command, args []string) (*engine.Engine, recap.Session, error) {
	e, err := a.engine(cmd.Context())
	if err != nil {
		return nil, recap.Session{}, err
	}
	s, err := e.Find(cmd.Context(), args[0])
	return e, s, err
}

func showCommand(a *app) *cobra.Command {
	var turns bool
	c := &cobra.Command{
		Use:     "show SESSION",
		Short:   "The recap with its evidence, or the turns it stands on",
		Example: "  recap show last\n  recap show claude:7d51 --turns",
		Args:    one("a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, s, err := a.sessionArg(cmd, args)
			if err != nil {
				return err
			}
			if turns {
				return a.showTurns(cmd, e, s)
			}
			r := e.Recap(cmd.Context(), s)
			if a.json {
				return a.showResult(r)
			}
			if r.Record == nil {
				return a.showResult(r)
			}
			a.problems(r.Problems)
			if err := a.print(a.card(r) + a.receipts(r)); err != nil {
				return err
			}
			return a.explain(r)
		},
	}
	c.Flags().BoolVar(&turns, "turns", false, "the human turns the recap stands on")
	return c
}

// receipts draws the proofs and facts of a record.
func (a *app) receipts(r engine.Result) string {
	c, rec := a.scr, r.Record
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			b.WriteString(c.hang(c.style(dim, name+": ")+value, "  ", "    ", c.width))
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
	field("in one line", c.plainText(rec.Recap))
	indent := "    "
	if c.width > 0 && c.width < narrow { // an id of 36 has room
		indent = "  "
	}
	if proofs := distinct(rec.Receipts); len(proofs) > 0 {
		b.WriteString("\n  " + c.style(bold, "Evidence") + "\n")
		for _, x := range proofs {
			line := string(x.Kind) + ": " + recap.Line(x.Claim)
			if x.Detail != "" && x.Detail != x.Claim {
				line += "  (" + recap.Line(x.Detail) + ")"
			}
			line = c.plainText(line)
			if x.MessageID != "" {
				line += "  " + c.style(dim, recap.Line(x.MessageID))
			}
			b.WriteString(c.hang(line, indent, indent+"  ", c.width))
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
	field("title", r.Session.Title)
	field("session", recap.Line(nameOf(r.Session)))
	field("directory", r.Session.Directory)
	field("last activity", a.clock(r.Session.UpdatedAt))
	field("made", a.clock(rec.GeneratedAt)+", "+origin(rec))
	if !r.Gone {
		field("resume", "recap resume "+recap.Line(nameOf(r.Session)))
	}
	return b.String()
}

// distinct leaves out receipts that prove the same for another field, or with
// less of the same words.
func distinct(all []recap.Receipt) []recap.Receipt {
	var out []recap.Receipt
	for _, x := range all {
		words := strings.TrimSuffix(x.Claim, "…")
		same := func(y recap.Receipt) bool {
			return y.Kind == x.Kind && y.MessageID == x.MessageID && y.Detail == x.Detail
		}
		if i := slices.IndexFunc(out, func(y recap.Receipt) bool {
			return same(y) && strings.HasPrefix(x.Claim, strings.TrimSuffix(y.Claim, "…"))
		}); i >= 0 {
			out[i] = x
			continue
		}
		if !slices.ContainsFunc(out, func(y recap.Receipt) bool { return same(y) && strings.HasPrefix(y.Claim, words) }) {
			out = append(out, x)
		}
	}
	return out
}

// clockForm is how a time is written for people.
const clockForm = "Mon, 2 Jan 2006 15:04 MST"

// clock writes a time for people, in their zone.
func (a *app) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(a.s.Now().Location()).Format(clockForm)
}

func origin(r *recap.Record) string {
	if r.Source == recap.FromModel && r.Model != nil {
		return "by " + r.Model.String()
	}
	return "quoted from the session, no model"
}

func (a *app) showTurns(cmd *cobra.Command, e *engine.Engine, s recap.Session) error {
	d, problems, err := e.Turns(cmd.Context(), s)
	if err != nil {
		if a.json && recap.CodeOf(err) == recap.CodeNothing {
			a.exit = exitNothing
			return a.printJSON(api.Turns{Turns: []api.Turn{}})
		}
		return err
	}
	if a.json {
		return a.printJSON(api.FromTurns(d.Last, d.Turns))
	}
	a.problems(problems)
	c := a.scr
	var b strings.Builder
	for i, t := range d.Turns {
		if i > 0 {
			b.WriteByte('\n')
		}
		when := ""
		if !t.At.IsZero() {
			when = c.dot() + ago(t.At, a.s.Now())
		}
		b.WriteString(c.style(bold, "you") + c.style(dim, when) + "\n")
		c.body(&b, t.Text)
		head := "no answer recorded"
		switch {
		case t.Interrupted:
			head = "unfinished: interrupted"
		case t.Failure != nil:
			head = "failed: " + recap.Line(t.Failure.Code)
		case t.Complete:
			head = ""
		case t.Answer != "":
			head = "unfinished"
		}
		if head != "" {
			head = c.dot() + head
		}
		b.WriteString(c.wrap(c.style(bold, s.Ref.Agent.DisplayName())+c.style(yellow, head), "", c.width) + "\n")
		c.body(&b, t.Answer)
	}
	return a.print(b.String())
}

// body writes a text of several lines, indented.
func (c *screen) body(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(c.wrap(strings.ReplaceAll(line, "\t", "    "), "  ", c.width) + "\n")
	}
}

func promptCommand(a *app) *cobra.Command {
	var width int
	c := &cobra.Command{
		Use:   "prompt",
		Short: "One line for a shell prompt, tmux or a status line, from the store alone",
		Long: `Prints one line about the newest session of this project, from the store alone: no agent's file is read. Prints nothing
where nothing is known. It never fails a prompt: the exit code is 0.`,
		Example: `  PS1='$(recap prompt --width 60)\n\$ '              # bash
  set -g status-right '#(recap prompt --width 60)'  # tmux, in ~/.tmux.conf`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, ok := a.promptRecord(cmd)
			if a.json {
				var out *api.Record
				if ok {
					out = api.FromRecord(&r)
				}
				return a.printJSON(map[string]any{"record": out})
			}
			if !ok {
				return nil
			}
			marks := []string{}
			for _, s := range r.Status {
				if short := a.scr.shortMark(s); short != "" {
					marks = append(marks, short)
				}
			}
			line := a.scr.glyph("※ ", "") + age(r.UpdatedAt, a.s.Now())
			if len(marks) > 0 {
				line += " " + strings.Join(marks, " ")
			}
			return a.print(a.scr.fit(line+" "+a.scr.plainText(r.Recap), width) + "\n")
		},
	}
	c.Flags().IntVar(&width, "width", 80, "most columns")
	return c
}

// shortMark is the mark of a status in one or two signs.
func (c *screen) shortMark(s recap.Status) string {
	switch s {
	case recap.StatusTestsPassed, recap.StatusCommitted, recap.StatusPushed:
		return c.glyph("✓", "ok")
	case recap.StatusTestsFailed, recap.StatusFailed, recap.StatusCommandFailed:
		return c.glyph("✗", "!!")
	case recap.StatusWaitingApproval, recap.StatusWaitingAnswer:
		return "?"
	case recap.StatusWorking:
		return c.glyph("▶", ">")
	case recap.StatusInterrupted:
		return c.glyph("⊘", "x")
	case recap.StatusTestsNotRun, recap.StatusUncommitted, recap.StatusTodosOpen, recap.StatusNoAnswer:
	}
	return ""
}

func resumeCommand(a *app) *cobra.Command {
	var show bool
	c := &cobra.Command{
		Use:   "resume SESSION",
		Short: "Hand over to the agent's own resume command",
		Long: `Runs the agent's own command that continues the session, in the session's directory. The agent takes the place of recap;
its exit code is the command's.`,
		Example: "  recap resume last\n  recap resume claude:7d51 --print",
		Args:    one("a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, s, err := a.sessionArg(cmd, args)
			if err != nil {
				return err
			}
			dir, argv, err := e.Resume(s)
			if err != nil {
				return err
			}
			if a.json || show {
				return a.showCommand(e, dir, argv)
			}
			a.close()
			return a.handOver(cmd.Context(), dir, argv)
		},
	}
	c.Flags().BoolVar(&show, "print", false, "print the command, run nothing")
	return c
}

// showCommand prints what resume would run.
func (a *app) showCommand(e *engine.Engine, dir string, argv []string) error {
	words, changed := e.CleanWords(append([]string{dir}, argv...))
	dir, argv = words[0], words[1:]
	if changed {
		a.notice("a secret in the command is not shown; recap resume runs it as it is")
	}
	if a.json {
		if !utf8.ValidString(strings.Join(words, "")) {
			return unsafe()
		}
		return a.printJSON(map[string]any{"directory": dir, "command": argv})
	}
	line, ok := quote(argv)
	if dir != "" {
		to, can := quote([]string{dir})
		line, ok = "cd "+to+" && "+line, ok && can
	}
	if !ok {
		return unsafe()
	}
	return a.print(line + "\n")
}

// unsafe is the error where a command can be run and not be written.
func unsafe() error {
	return &recap.Error{
		Code: recap.CodeUnsupported, Message: "its name or directory can't be written as a command", Hint: "recap resume without --print runs it as it is",
	}
}

// quote writes words for a POSIX shell, which gives back exactly what they are;
// false where it can't. What shows nothing, or is more than text to a terminal,
// is written in octal.
func quote(words []string) (line string, ok bool) {
	out := make([]string, len(words))
	for i, w := range words {
		switch {
		case !utf8.ValidString(w) || strings.ContainsFunc(w, hides):
			if strings.HasSuffix(w, "\n") || strings.Contains(w, "\x00") {
				return "", false // the shell drops them
			}
			out[i] = octal(w)
		case w != "" && !strings.ContainsFunc(w, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_./=:@%+,", r)
		}):
			out[i] = w
		default:
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " "), true
}

// hides reports whether a character can't be seen, or does more than be seen.
func hides(r rune) bool { return !unicode.IsPrint(r) }

// octal writes a word as what printf makes of a format.
func octal(w string) string {
	var b strings.Builder
	b.WriteString(`"$(printf '`)
	for i := 0; i < len(w); {
		r, n := utf8.DecodeRuneInString(w[i:])
		switch {
		case r == utf8.RuneError && n == 1, hides(r), r == '\'', r == '\\', r == '-' && i == 0:
			for _, c := range []byte(w[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '%':
			b.WriteString("%%")
		default:
			b.WriteRune(r)
		}
		i += n
	}
	b.WriteString(`')"`)
	return b.String()
}
