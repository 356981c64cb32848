package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
)

// build says what this program was built of.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Date     string `json:"date"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// version comes from the build information alone.
func version() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Version, commit and platform", Args: cobra.NoArgs, Example: "  recap version --json",
		RunE: func(*cobra.Command, []string) error {
			v := version()
			if a.json {
				return a.printJSON(v)
			}
			line := "recap " + v.Version
			if v.Commit != "" {
				line += " " + v.Commit[:min(12, len(v.Commit))]
			}
			return a.print(line + " (" + v.Go + ", " + v.Platform + ")\n")
		},
	}
}

func completionCommand(*app) *cobra.Command {
	c := &cobra.Command{
		Use:   "completion SHELL",
		Short: "Completion script for bash, zsh, fish or powershell",
		Example: `  source <(recap completion bash)
  recap completion zsh > "${fpath[1]}/_recap"
  recap completion fish > ~/.config/fish/completions/recap.fish`,
		Args:      one("a shell"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return usageError("unknown shell "+recap.Line(args[0]), "bash, zsh, fish or powershell")
		},
	}
	return c
}

// doctorAgent is an agent's home as doctor shows it.
type doctorAgent struct {
	Agent    string `json:"agent"`
	Name     string `json:"name"`
	Found    bool   `json:"found"`
	Home     string `json:"home"`
	Sessions int    `json:"sessions"`
	Origin   string `json:"origin"`
	Problem  string `json:"problem"`
	Skipped  int    `json:"skipped"` // files and rows that could not be used
}

type doctorSetting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"`
}

type doctorReport struct {
	Agents   []doctorAgent     `json:"agents"`
	Models   []api.DoctorModel `json:"models"`
	Settings []doctorSetting   `json:"settings"`
	Problems []string          `json:"problems"`
	Daemon   api.Daemon        `json:"daemon"`
	Store    string            `json:"store"`
	Log      string            `json:"log"`
	Config   string            `json:"config"`
	Proxy    string            `json:"proxy"` // of model calls, empty where there is none
	used     string            // of the day's caps, in words
}

func doctorCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Agents, models and settings, each with where it came from, and what is wrong",
		Long: `Shows where recap looks for sessions and what it finds, which settings are not the default and where they come from, where
its own files are, and every file, row or setting that could not be used.`,
		Example: "  recap doctor\n  recap doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := a.examine(cmd)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			return a.print(a.drawReport(r))
		},
	}
}

func (a *app) examine(cmd *cobra.Command) (doctorReport, error) {
	r := doctorReport{
		Agents: []doctorAgent{}, Models: []api.DoctorModel{}, Settings: []doctorSetting{}, Problems: []string{},
		Store: a.cfg.StorePath(), Log: a.cfg.LogPath(), Config: a.cfg.Path,
		Proxy: recap.Line(a.cfg.Proxy().String()),
	}
	for _, p := range a.cfg.Problems {
		r.Problems = append(r.Problems, recap.Line(p.String()))
	}
	for _, v := range a.cfg.Values() {
		r.Settings = append(r.Settings, doctorSetting{v.Key, jsonValue(v), v.Origin})
	}
	a.logger().InfoContext(cmd.Context(), "doctor", "version", version().Version) // a line tries the log
	log := a.tryLog()
	if log != "" {
		r.Problems = append(r.Problems, log)
	}
	var problems []string
	r.Daemon, problems = a.doctorDaemon(log)
	a.told = true // what is wrong with the store is a problem of the report
	e, err := a.engine(cmd.Context())
	if err != nil {
		if recap.CodeOf(err) == recap.CodeCanceled {
			return r, err
		}
		r.Problems = append(append(r.Problems, problems...), withHint(err))
		return r, nil
	}
	l, err := e.Sessions(cmd.Context(), engine.Query{Archived: true, Self: true})
	if err != nil {
		return r, err
	}
	if err := a.tryStore(cmd.Context()); err != nil {
		r.Problems = append(r.Problems, withHint(err))
	}
	r.used = a.usedToday(cmd.Context())
	r.Problems = append(r.Problems, a.projectProblems(e)...)
	r.Models = a.doctorModels(cmd.Context(), e, l.Sessions)
	counts := map[string]int{}
	for _, s := range l.Sessions {
		counts[s.Ref.Root+"\x00"+string(s.Ref.Agent)]++
	}
	failed := map[string]string{}
	for _, f := range l.Failed {
		failed[f.Home.Root+"\x00"+string(f.Agent)] = e.CleanText(f.Err.Error())
	}
	origins := map[string]string{}
	for _, s := range a.cfg.Sources {
		origins[s.Agent+"\x00"+s.Name] = s.Origin
	}
	wrong := map[string]string{} // with a home, by its root
	for _, h := range e.Homes() {
		if why := cmp.Or(h.Home.Problem, failed[h.Home.Root+"\x00"+string(h.Agent)]); why != "" {
			wrong[h.Home.Root] = recap.Line(why)
			r.Problems = append(r.Problems, h.Agent.DisplayName()+": "+wrong[h.Home.Root])
		}
	}
	// What the daemon and the listing say of a home as a whole is the same.
	r.Problems = append(r.Problems, slices.DeleteFunc(problems, func(text string) bool {
		for _, why := range wrong {
			if strings.HasSuffix(text, ": "+why) {
				return true
			}
		}
		return false
	})...)
	below := slices.DeleteFunc(slices.Clone(l.Problems), func(p agent.Problem) bool { return wrong[p.Path] != "" })
	for _, h := range e.Homes() {
		d := doctorAgent{
			Agent: string(h.Agent), Name: h.Home.Name, Found: h.Home.Found, Home: h.Home.Root, Sessions: counts[h.Home.Root+"\x00"+string(h.Agent)],
			Origin: origins[string(h.Agent)+"\x00"+h.Home.Name], Problem: wrong[h.Home.Root],
		}
		if n, first := problemsBelow(below, h.Home.Root); n > 0 {
			d.Skipped = n
			if d.Sessions == 0 && d.Problem == "" { // an empty home is not what it is
				d.Problem = e.CleanText(first.Reason)
			}
		}
		r.Agents = append(r.Agents, d)
	}
	for _, s := range a.cfg.Sources {
		if !s.Enabled {
			r.Agents = append(r.Agents, doctorAgent{Agent: s.Agent, Name: s.Name, Home: s.Root, Origin: s.Origin, Problem: "switched off"})
		}
	}
	for _, p := range below {
		text := e.CleanText(p.Error())
		if p.Count > 1 {
			text += fmt.Sprintf(" (%d times)", p.Count)
		}
		r.Problems = append(r.Problems, text)
	}
	return r, nil
}

// problemsBelow counts what could not be used in a home.
func problemsBelow(ps []agent.Problem, root string) (n int, first agent.Problem) {
	for _, p := range ps {
		if agent.Within(p.Path, root) {
			if n == 0 {
				first = p
			}
			n += p.Count
		}
	}
	return n, first
}

func withHint(err error) string {
	return recap.Line(err.Error()) + paren(recap.Line(nextOf(err, anySession)))
}

// markTried is written and removed to see whether the store can be written.
const markTried = "tried"

// tryStore says why the store can't be read or written.
func (a *app) tryStore(ctx context.Context) error {
	if a.lost != nil {
		return a.lost
	}
	if _, err := a.st.Records(ctx, nil); err != nil {
		return err
	}
	if err := a.st.SetMark(ctx, markTried, "", a.s.Now().UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	return a.st.SetMark(ctx, markTried, "", "")
}

// projectProblems are the mistakes in the project files of all sessions and of
// this directory, and whether this directory is left out.
func (a *app) projectProblems(e *engine.Engine) []string {
	dir, err := config.WorkDir()
	out := err == nil && e.Excluded(dir)
	var texts []string
	for _, p := range a.narrow.problems() {
		texts = append(texts, recap.Line(p.String()))
	}
	if out {
		if n, ok := a.narrow.by(e.Project(dir), dir); !ok || len(n.Problems) == 0 {
			texts = append(texts, withHint(a.leftOut(e, dir)))
		}
	}
	return texts
}

func (a *app) drawReport(r doctorReport) string {
	c := a.scr
	var b strings.Builder
	head := func(s string) { b.WriteString(c.wrap(c.style(bold, s), "", c.width) + "\n") }
	item := func(s string) { b.WriteString(c.hang(s, "  ", "    ", c.width) + "\n") }
	head("Agents")
	for _, d := range r.Agents {
		sign := c.style(green, c.glyph("✓", "[ok]"))
		what := fmt.Sprintf("%d %s", d.Sessions, plural(d.Sessions, "session", "sessions"))
		switch {
		case d.Problem != "":
			sign, what = c.style(red, c.glyph("✗", "[!!]")), recap.Line(d.Problem)
		case !d.Found:
			sign, what = c.style(dim, c.glyph("–", "[--]")), "not found"
		}
		if d.Skipped > 0 {
			what += fmt.Sprintf(", %d %s", d.Skipped, plural(d.Skipped, "problem", "problems"))
		}
		name := recap.Agent(d.Agent).DisplayName()
		if d.Name != d.Agent {
			name += " (" + d.Name + ")"
		}
		item(fmt.Sprintf("%s %s: %s  %s", sign, name, what, c.style(dim, recap.Line(d.Home)+" ["+d.Origin+"]")))
	}
	head("Daemon")
	for _, line := range a.drawDaemon(r.Daemon, r.used) {
		item(line)
	}
	head("Models")
	free := false
	if len(r.Models) == 0 {
		item("none: there is no session yet to say which, and the free recap serves")
	}
	for _, m := range r.Models {
		name := recap.Agent(m.Agent).DisplayName()
		if m.Agent == "" {
			name = "any session"
		}
		if m.Home != "" && m.Home != m.Agent {
			name += " (" + m.Home + ")"
		}
		if m.Problem != "" {
			item(fmt.Sprintf("%s: none (%s)", name, m.Problem))
			free = true
			continue
		}
		if m.RestsUntil != nil {
			m.Why += "; it wants no call before " + a.clock(*m.RestsUntil) + ", and calls in the background wait until then"
		}
		item(fmt.Sprintf("%s: %s/%s, %s  %s", name, recap.Line(m.Provider), recap.Line(m.Model), m.Why, c.style(dim, "["+recap.Line(m.Origin)+"]")))
	}
	if free {
		item("Where there is none the free recap serves. A model needs a key in the environment, or a provider of yours: model.providers.NAME in the settings.")
	}
	if r.Proxy != "" {
		item("proxy: " + r.Proxy)
	}
	head("Settings that are not the default")
	n := 0
	for _, s := range r.Settings {
		if s.Origin != "default" {
			item(recap.Line(fmt.Sprintf("%s = %v  [%s]", s.Key, s.Value, s.Origin)))
			n++
		}
	}
	if n == 0 {
		item("none")
	}
	head("Places")
	for _, x := range [][2]string{{"settings", r.Config}, {"store", r.Store}, {"log", r.Log}} {
		if x[1] == "" {
			x[1] = "off"
		}
		item(x[0] + ": " + recap.Line(x[1]) + exists(x[1]))
	}
	head("Problems")
	if len(r.Problems) == 0 {
		item("none")
	}
	for _, p := range r.Problems {
		item(p)
	}
	return b.String()
}

func exists(path string) string {
	if _, err := os.Stat(path); err != nil && path != "off" {
		return " (not made yet)"
	}
	return ""
}
