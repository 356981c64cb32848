package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// help prints the help of a command, on a terminal in lines that fit.
func (a *app) help(cmd *cobra.Command, _ []string) {
	if a.scr == nil {
		a.scr = newScreen(a.s, false)
	}
	out := usage(cmd)
	if a.scr.width > 0 {
		out = a.scr.reflow(out)
	}
	a.print(out) //nolint:errcheck,gosec // cobra's help takes no error
}

// usage is the text of a command's help.
func usage(cmd *cobra.Command) string {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	text += "\n\n" + cmd.UsageString()
	// How pflag writes that a flag may have a value is not how it is typed.
	return strings.Replace(text, `--model string[="`+anyModel+`"]   `, "--model[=PROVIDER/MODEL]  ", 1)
}

// reflow breaks a text of paragraphs and lists at words. The lines of a
// paragraph are joined first; what is behind two spaces in a list stays in its
// column.
func (c *screen) reflow(text string) string {
	var b strings.Builder
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			b.WriteString(c.wrap(strings.Join(paragraph, " "), "", c.width) + "\n")
			paragraph = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if line != "" && line[0] != ' ' && !strings.HasSuffix(line, ":") {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		b.WriteString(c.item(line) + "\n")
	}
	flush()
	return b.String()
}

// item breaks one line of a list.
func (c *screen) item(line string) string {
	if len(line) <= c.width {
		return line
	}
	rest := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(rest)]
	name, what, ok := strings.Cut(rest, "  ")
	if !ok {
		return c.wrap(rest, indent, c.width)
	}
	what = strings.TrimLeft(what, " ")
	column := len(line) - len(what)
	if column > c.width/2 { // no room beside the name
		return c.wrap(name, indent, c.width) + "\n" + c.wrap(what, indent+"  ", c.width)
	}
	body := c.wrap(what, strings.Repeat(" ", column), c.width)
	return line[:column] + body[column:]
}
