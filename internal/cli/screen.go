package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"golang.org/x/term"

	recap "github.com/sessionrecap/recap"
)

// screen knows what the output can show.
type screen struct {
	terminal bool // Out is a terminal
	width    int  // columns; 0 where Out is no terminal: no wrapping, no cutting
	errWidth int  // columns of Err, 0 where it is no terminal
	colour   bool
	unicode  bool
}

const (
	defaultWidth = 80
	maxWidth     = 110 // longer lines are hard to read
	minWidth     = 16
)

func newScreen(s Streams, json bool) *screen {
	env := s.Env
	if env == nil {
		env = os.Getenv //nolint:forbidigo // the process's environment is the default of Streams.Env
	}
	c := &screen{unicode: utf8Locale(env), width: columns(s.Out, env), errWidth: columns(s.Err, env)}
	if json {
		c.width = 0
	}
	c.terminal = c.width > 0
	if c.terminal {
		c.width = max(minWidth, min(c.width, maxWidth))
	}
	c.colour = c.terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
	return c
}

// columns is the width of a terminal, 0 where w is none.
func columns(w io.Writer, env func(string) string) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
		return n
	}
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return defaultWidth
}

// utf8Locale reports whether the terminal can be expected to show more than
// ASCII. The first of LC_ALL, LC_CTYPE and LANG that is set decides. No locale
// at all is what containers, cron and many remote shells have in front of a
// UTF-8 terminal, and the person's own words come in UTF-8 anyway: it counts as
// UTF-8, unless the terminal is known to be an old one.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := env(name); v != "" {
			u := strings.ToUpper(v)
			return strings.Contains(u, "UTF-8") || strings.Contains(u, "UTF8") || u != "C" && u != "POSIX" && !strings.Contains(u, ".")
		}
	}
	kind := env("TERM")
	return kind != "dumb" && !strings.HasPrefix(kind, "vt")
}

// Styles of text on a terminal.
const (
	bold   = "1"
	dim    = "2"
	italic = "3"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (c *screen) style(code, s string) string {
	if !c.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// glyph gives a sign, or its ASCII form where the locale has no other.
func (c *screen) glyph(u, ascii string) string {
	if c.unicode {
		return u
	}
	return ascii
}

func (c *screen) dot() string { return c.glyph(" · ", " - ") }

// plainText gives our own marks their ASCII form where needed. The person's
// and the agent's words stay as they are.
func (c *screen) plainText(s string) string {
	if c.unicode {
		return s
	}
	return strings.NewReplacer("→", "->", "←", "<-", "…", "...", "—", "-", "·", "-", "☐", "[ ]", "“", `"`, "”", `"`).Replace(s)
}

// fit cuts a line to n columns, 0 for no cut.
func (c *screen) fit(s string, n int) string {
	if n <= 0 || uniseg.StringWidth(ansi.Strip(s)) <= n {
		return s
	}
	tail := c.glyph("…", "...")
	return ansi.Truncate(s, n, tail)
}

// head is a heading, cut to the width.
func (c *screen) head(s string) string { return c.fit(s, c.width) + "\n" }

// wrap breaks text into lines of at most n columns, each with the indent. 0 is
// no limit.
func (c *screen) wrap(s, indent string, n int) string {
	if n <= 0 {
		return indent + s
	}
	var b strings.Builder
	room := max(n-uniseg.StringWidth(indent), 8)
	for i, line := range strings.Split(wrapWords(s, room), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(indent)
		b.WriteString(strings.TrimRight(line, " "))
	}
	return b.String()
}

// hyphen stands for one that no line ends behind. It is for private use, so that
// no text has it.
const hyphen = "\uE02D"

// wrapWords breaks text at its spaces: ids, flags and paths are taken whole
// where they fit into a line.
func wrapWords(s string, n int) string {
	if strings.Contains(s, hyphen) {
		return ansi.Wrap(s, n, "")
	}
	return strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(s, "-", hyphen), n, ""), hyphen, "-")
}

// hang is wrap with more indent from the second line on, so that one item of a
// list is told from the next.
func (c *screen) hang(s, indent, rest string, n int) string {
	if n <= 0 || uniseg.StringWidth(ansi.Strip(s))+len(indent) <= n {
		return indent + s
	}
	return indent + c.wrap(s, rest, n)[len(rest):]
}

// errIndent is that of what stands below a line of Err: behind "recap: ", where
// there is room.
func (c *screen) errIndent() string {
	if c.errWidth > 0 && c.errWidth < narrow {
		return "  "
	}
	return "       "
}

// age says how long ago a time was, in the shortest form a person reads.
func age(t, now time.Time) string {
	if t.IsZero() {
		return "?"
	}
	t = t.In(now.Location())
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	case d < 14*24*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	case t.Year() == now.Year():
		return t.Format("Jan 2")
	}
	return t.Format("Jan 2006")
}

// ago is age in a sentence: "2h ago", "on Aug 23".
func ago(t, now time.Time) string {
	a := age(t, now)
	switch {
	case a == "now":
		return "just now"
	case a == "?":
		return "at an unknown time"
	case now.Sub(t) < 14*24*time.Hour:
		return a + " ago"
	}
	return "on " + a
}

// mark draws a status.
func (c *screen) mark(s recap.Status, r recap.Record) string {
	switch s {
	case recap.StatusTestsPassed:
		return c.style(green, c.glyph("✓", "[ok]")+" tests passed")
	case recap.StatusTestsFailed:
		return c.style(red, c.glyph("✗", "[!!]")+" tests failed")
	case recap.StatusTestsNotRun:
		return c.style(yellow, c.glyph("○", "[ ]")+" not tested since the last edit")
	case recap.StatusCommandFailed:
		return c.style(red, c.glyph("✗", "[!!]")+" last command failed")
	case recap.StatusCommitted:
		return c.style(green, c.glyph("✓", "[ok]")+" committed")
	case recap.StatusPushed:
		return c.style(green, c.glyph("✓", "[ok]")+" pushed")
	case recap.StatusUncommitted:
		return c.style(yellow, c.glyph("○", "[ ]")+" not committed")
	case recap.StatusWaitingApproval:
		return c.style(yellow, c.glyph("⏸", "[?]")+" waits for your approval"+about(r.WaitingFor))
	case recap.StatusWaitingAnswer:
		return c.style(yellow, c.glyph("?", "[?]")+" waits for your answer")
	case recap.StatusTodosOpen:
		return c.style(yellow, fmt.Sprintf("%s %d of %d to-dos open", c.glyph("☐", "[ ]"), r.TodosOpen, r.TodosOpen+r.TodosDone))
	case recap.StatusWorking:
		return c.style(cyan, c.glyph("▶", "[>]")+" working")
	case recap.StatusInterrupted:
		return c.style(red, c.glyph("⊘", "[x]")+" interrupted")
	case recap.StatusFailed:
		return c.style(red, c.glyph("✗", "[!!]")+" failed")
	case recap.StatusNoAnswer:
		return c.style(yellow, c.glyph("○", "[ ]")+" no answer recorded")
	}
	return string(s)
}

// about says what a session wants approved, in words for people: the command
// itself, the file to be changed, a plan. The agent's own name of a tool is
// shown only where there is nothing better.
func about(waiting string) string {
	_, what, ok := strings.Cut(waiting, ": ")
	if !ok || what == "" {
		return ""
	}
	tool, rest, _ := strings.Cut(what, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(tool) {
	case "bash", "shell", "exec_command", "local_shell", "run_shell_command", "powershell", "container.exec":
		if rest == "" {
			return " of a command"
		}
		return " of `" + rest + "`"
	case "exitplanmode", "exit_plan_mode", "plan_exit":
		return " of a plan"
	case "edit", "multiedit", "write", "notebookedit", "apply_patch", "patch", "write_file", "edit_file", "replace":
		if rest == "" {
			return " of a change"
		}
		return " of a change to " + rest
	}
	return " of " + what
}

// marks draws all statuses of a record, "" where it has none. A line ends
// between two marks if it can.
func (c *screen) marks(r recap.Record, indent string) string {
	var b strings.Builder
	used := 0
	for i, s := range r.Status {
		m := c.mark(s, r)
		n := uniseg.StringWidth(ansi.Strip(m))
		switch {
		case i == 0:
		case c.width > 0 && used+n+len(" · ") > c.width-len(indent):
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteString(c.dot())
			used += len(" · ")
		}
		if used == 0 {
			m = c.wrap(m, indent, c.width)
		}
		b.WriteString(m)
		used += n
	}
	return b.String()
}

// where names the project for people: the last element of its path, with what
// lies below it where the session ran deeper.
func where(s recap.Session) string {
	p := s.Project
	if p == "" {
		p = s.Directory
	}
	if p == "" {
		return "(no directory)"
	}
	p = strings.TrimRight(strings.ReplaceAll(p, `\`, "/"), "/")
	name := p[strings.LastIndexByte(p, '/')+1:]
	if name == "" {
		return "/"
	}
	return name
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// shortIDs gives each session the shortest prefix of its id that no other
// listed session has, at least six characters.
func shortIDs(sessions []recap.Session) map[recap.SessionRef]string {
	const least = 6
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.Ref.ID
	}
	sorted := slices.Sorted(slices.Values(ids))
	out := make(map[recap.SessionRef]string, len(sessions))
	for _, s := range sessions {
		id := s.Ref.ID
		n := least
		i, _ := slices.BinarySearch(sorted, id)
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(sorted) && sorted[j] != id {
				n = max(n, common(sorted[j], id)+1)
			}
		}
		// A cut inside a group of a UUID reads badly: go on to its end when near.
		if k := strings.IndexByte(id[min(n, len(id)):], '-'); k >= 0 && k <= 2 {
			n += k
		}
		out[s.Ref] = id[:min(n, len(id))]
	}
	return out
}
