package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/store"
)

func whyCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "why SESSION",
		Short:   "Each gate of its recap, its value, the last decisions",
		Example: "  recap why last\n  recap why codex:01a2 --json",
		Args:    one("a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			e, s, err := a.sessionArg(cmd, args)
			if err != nil {
				return err
			}
			gates, decisions, err := e.Why(cmd.Context(), s)
			if err != nil {
				return err
			}
			w := a.why(cmd.Context(), e, s, gates, decisions)
			if a.json {
				return a.printJSON(w)
			}
			return a.print(a.drawWhy(w, e.Clean(s)))
		},
	}
}

// why is the answer, each gate that is not passed and each decision with its
// words.
func (a *app) why(ctx context.Context, e *engine.Engine, s recap.Session, gates []store.Gate, decisions []store.Decision) api.Why {
	name := recap.Line(nameOf(s))
	out := api.Why{Session: api.FromSession(e.Clean(s)), Gates: []api.Gate{}, Decisions: []api.Decision{}}
	barred := slices.ContainsFunc(gates, func(g store.Gate) bool {
		return !g.Pass && (g.Name == "source" || g.Name == "excluded" || g.Name == "muted")
	})
	for _, g := range gates {
		x := api.Gate{Name: g.Name, Value: g.Value, Pass: g.Pass}
		if !g.Pass {
			about := aboutGate(g, name)
			if g.Name == "model" {
				if _, err := e.Choose(ctx, s, engine.Ask{}); err != nil {
					about = plain{"no model may be asked about it: " + recap.Line(whyNone(err)), nextOf(err, name)}
				}
			}
			if barred && strings.HasPrefix(g.Name, "stored record") { // none is made before that is mended
				about.next = ""
			}
			x.Message, x.Hint = about.says, about.next
		}
		out.Gates = append(out.Gates, x)
	}
	if choice, err := e.Choose(ctx, s, engine.Ask{}); err == nil {
		if until := a.resting(ctx, choice.Provider.ID); !until.IsZero() {
			about := aboutGate(store.Gate{Name: gateProvider, Value: recap.Line(choice.Provider.ID) + " wants no call before " + a.clock(until)}, name)
			out.Gates = append(out.Gates, api.Gate{Name: gateProvider, Value: "rests until " + until.UTC().Format(time.RFC3339), Message: about.says, Hint: about.next})
		}
	}
	for _, d := range decisions {
		about := aboutDecision(d, name)
		x := api.Decision{At: d.At.UTC(), Action: d.Action, Code: string(d.Code), Gates: []api.Gate{}, Message: about.says, Hint: about.next}
		for _, g := range d.Gates {
			y := api.Gate{Name: g.Name, Value: g.Value, Pass: g.Pass}
			if !g.Pass && strings.HasPrefix(g.Name, "field ") {
				y.Message = aboutGate(g, name).says
			}
			x.Gates = append(x.Gates, y)
		}
		out.Decisions = append(out.Decisions, x)
	}
	return out
}

// gateProvider is the gate of a provider that rests.
const gateProvider = "provider"

// resting is when a provider can be asked again, zero where it can be now.
func (a *app) resting(ctx context.Context, provider string) time.Time {
	r, err := store.RestOf(ctx, a.st, provider)
	if err != nil || !r.Stands(a.s.Now()) {
		return time.Time{}
	}
	return r.Until
}

// passed is the value of a gate that is passed.
func (a *app) passed(g api.Gate) string {
	if at, source, ok := strings.Cut(g.Value, " "); ok && g.Name == "stored record" {
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			by := "by a model"
			if source == string(recap.Extractive) {
				by = "quoted from the session, no model"
			}
			return a.clock(t) + ", " + by
		}
	}
	return recap.Line(g.Value)
}

// drawWhy draws it. A step to take stands once, behind the first that leads to
// it.
func (a *app) drawWhy(w api.Why, s recap.Session) string {
	c := a.scr
	var b strings.Builder
	item := func(text, indent string) { b.WriteString(c.hang(text, indent, indent+"  ", c.width) + "\n") }
	told := map[string]bool{"": true}
	next := func(step, indent string) {
		if !told[step] {
			told[step] = true
			item(c.style(dim, c.glyph("→ ", "-> ")+recap.Line(step)), indent)
		}
	}
	item(c.style(bold, recap.Line(where(s)))+c.dot()+recap.Line(nameOf(s)), "")
	for _, g := range w.Gates {
		if g.Pass {
			item(c.style(green, c.glyph("✓", "[ok]"))+" "+g.Name+": "+a.passed(g), "  ")
			continue
		}
		item(c.style(yellow, c.glyph("○", "[  ]"))+" "+g.Name+": "+recap.Line(g.Message), "  ")
		next(g.Hint, "    ")
	}
	if len(w.Decisions) > 0 {
		b.WriteString(c.head(c.style(bold, "Last decisions")))
	}
	for _, d := range w.Decisions {
		line := ago(d.At, a.s.Now()) + ": " + recap.Line(d.Message)
		if d.Code != "" {
			line += paren(d.Code)
		}
		item(line, "  ")
		for _, g := range d.Gates {
			if g.Message != "" && !strings.Contains(d.Message, g.Name[len("field "):]+": ") {
				item(recap.Line(g.Message), "    ")
			}
		}
		next(d.Hint, "    ")
	}
	return b.String()
}
