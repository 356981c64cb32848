package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/internal/daemon"
	"github.com/sessionrecap/recap/quiet"
	"github.com/sessionrecap/recap/store"
)

const autoKey = "assist.auto"

// gcPercent is how much a daemon's memory may grow between two collections: it
// lives long, and its work is small.
const gcPercent = 20

func serveCommand(a *app) *cobra.Command {
	var auto, verbose bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Follow your sessions, and make a recap when one goes quiet",
		Long: `Follows the sessions of all agents until it is stopped (Ctrl-C). When one has been quiet for a minute its recap is made,
once. recap list shows them, recap why SESSION what was decided.

The recaps are free ones unless model calls are allowed: for this run with --auto, for good with "recap config set assist.auto
true". The first time on a terminal it asks. Where there is no terminal, nobody was asked, and no model is.

One daemon follows a store. recap doctor shows what it does. Settings are read again when their file changes, and on SIGHUP. A
second signal ends it at once. Exit codes: 0 stopped in order, 1 failed, 4 another one runs.`,
		Example: "  recap serve\n  recap serve --auto --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), auto, verbose) },
	}
	c.Flags().BoolVar(&auto, "auto", false, "allow model calls in the background, for this run")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "a line for each recap, also where the output is no terminal")
	return c
}

// serve runs the daemon until ctx is over.
func (a *app) serve(ctx context.Context, auto, verbose bool) error {
	load := func() *config.Config {
		o := config.Options{Env: a.s.Env}
		if auto {
			o.Flags = map[string]any{autoKey: true}
		}
		return config.Load(o)
	}
	a.cfg = load()
	a.told = true // the error says it
	if _, err := a.store(ctx); err != nil {
		return err
	}
	if a.lost != nil {
		return storeError(a.lost)
	}
	a.told = false
	lockPath, statusPath := daemon.LockPath(a.cfg.StorePath()), a.cfg.StatusPath()
	// Who runs already is said before anything is asked.
	if seen := daemon.Look(lockPath, statusPath); seen.Running {
		return a.running(seen.Status.Holder)
	}
	a.serving = true
	if _, err := a.engine(ctx); err != nil {
		return err
	}
	if why := a.tryLog(); why != "" && a.logTold.CompareAndSwap(false, true) {
		a.notice(why)
	}
	if err := a.firstRun(ctx); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	a.live = newLive(load(), load, a.logger())
	a.oc = opencode.NewLive(a.src.local, a.src.servers)
	a.live.looked = func() {
		a.narrow.forget()
		a.eng.Reconsider()
	}
	a.live.changed = func(c *config.Config) {
		a.eng.Renew(c.Exclude())
		a.renew()
		a.mu.Lock()
		d := a.daemon
		a.mu.Unlock()
		if d != nil {
			d.Reloaded()
		}
	}
	shown := &served{a: a, lines: verbose || a.scr.terminal, auto: auto}
	d, err := daemon.Start(ctx, daemon.Options{
		Follower: narrowing{a.eng, &a.narrow}, Watchers: a.watchers(), Settings: a.live.follow, Lock: lockPath, Status: statusPath, Build: thisBuild(),
		Store: a.cfg.StorePath(), AtStart: a.live.begun,
		Now: a.s.Now, Log: a.logger(), Recap: shown.recap, Problem: shown.problem, Servers: a.serverStates, LogProblem: a.tryLog, Count: a.cfg.Env("RECAP_DEBUG") != "",
	})
	if other, ok := errors.AsType[*daemon.RunningError](err); ok {
		return a.running(other.Holder)
	}
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.daemon = d
	a.mu.Unlock()
	err = a.wait(ctx, d, func() error {
		a.rewatch() // the settings may have changed before anything was followed
		return shown.started(d)
	})
	if stopped := d.Stop(); err == nil {
		err = stopped
	}
	if err != nil {
		return err
	}
	return shown.stopped(d)
}

// narrowing has each project's own file narrow what is made.
type narrowing struct {
	*engine.Engine
	files *projectFiles
}

// Follow implements daemon.Follower.
func (n narrowing) Follow(ctx context.Context, o engine.FollowOptions) error {
	o.Narrow = n.files.follow
	return n.Engine.Follow(ctx, o)
}

// running refuses a second daemon.
func (a *app) running(h daemon.Holder) error {
	err := &daemon.RunningError{Holder: h}
	hint := recap.HintOf(err)
	if word := daemon.Compare(h.Build, thisBuild()); word != "" {
		hint = "it is " + word + "; " + hint
	}
	return &recap.Error{Code: recap.CodeRunning, Message: err.Error(), Hint: hint}
}

func thisBuild() daemon.Build {
	v := version()
	return daemon.Build{Version: v.Version, Commit: v.Commit, Date: v.Date}
}

// wait waits for the end: a signal, or following that ended by itself. started
// is called when all that is followed has been looked at.
func (a *app) wait(ctx context.Context, d *daemon.Daemon, started func() error) error {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	out := make(chan os.Signal, 1)
	notifyStatus(out)
	defer signal.Stop(out)
	had := a.onTerminal()
	ready := d.Ready()
	for {
		select {
		case <-ready:
			ready = nil
			if err := started(); err != nil {
				return err
			}
		case <-ctx.Done():
			// The next signal finds nobody who handles it, and ends the program.
			signal.Reset(os.Interrupt, syscall.SIGTERM)
			return nil
		case <-d.Done():
			return nil // Stop says why
		case <-out:
			d.Tell(ctx)
		case <-hup:
			if had && !a.onTerminal() {
				a.logger().InfoContext(ctx, "the terminal is gone")
				return nil
			}
			a.live.refresh(true)
		}
	}
}

// onTerminal reports whether a person can be asked.
func (a *app) onTerminal() bool {
	in, ok := a.s.In.(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// firstRun asks whether models may be asked in the background, where that was
// never said, and keeps the answer.
func (a *app) firstRun(ctx context.Context) error {
	v, _ := a.cfg.Get(autoKey)
	if v.Origin != "default" {
		return nil
	}
	if !a.onTerminal() || a.scr.errWidth == 0 || a.json {
		a.unasked(ctx)
		return nil
	}
	models, none, err := a.couldAsk(ctx)
	if err != nil {
		return err
	}
	if len(models) == 0 {
		a.notice(none)
		return nil
	}
	a.prog.hide()
	text := fmt.Sprintf("May recap ask a model in the background when a session goes quiet? It would ask %s, and spend %s. "+
		"The end of the session goes there, secrets replaced. recap spend shows what it took.", strings.Join(models, ", "), a.dailyCap(a.cfg))
	fmt.Fprint(a.s.Err, a.scr.wrap(text, "", a.scr.errWidth)+" [y/N] ") //nolint:errcheck // a terminal
	answer, err := a.answer(ctx)
	if err != nil {
		return err
	}
	yes := "false"
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		yes = "true"
	}
	if err := a.cfg.Set(autoKey, yes); err != nil {
		a.notice("the answer is not kept: " + setError(err).Error())
	}
	a.logger().InfoContext(ctx, "first run", autoKey, yes)
	return nil
}

// markUnasked is when it was logged that nobody could be asked.
const markUnasked = "unasked"

// unasked logs, once, that nobody could be asked whether models may be.
func (a *app) unasked(ctx context.Context) {
	if _, err := a.st.Mark(ctx, markUnasked, ""); !errors.Is(err, store.ErrNotFound) {
		return
	}
	a.logger().InfoContext(ctx, "model calls are off: nobody could be asked", "setting", autoKey)
	if err := a.st.SetMark(ctx, markUnasked, "", a.s.Now().UTC().Format(time.RFC3339)); err != nil {
		a.logger().WarnContext(ctx, "store", "code", recap.CodeOf(err), "error", err.Error())
	}
}

// answer reads a line of the terminal, until the person stops the program.
func (a *app) answer(ctx context.Context) (string, error) {
	line := make(chan string, 1)
	go func() { // ends with the program
		s, err := bufio.NewReader(io.LimitReader(a.s.In, 1000)).ReadString('\n')
		if err != nil && s == "" {
			fmt.Fprintln(a.s.Err) //nolint:errcheck // a terminal
		}
		line <- s
	}()
	select {
	case s := <-line:
		return s, nil
	case <-ctx.Done():
		fmt.Fprintln(a.s.Err) //nolint:errcheck // a terminal
		return "", &recap.Error{Code: recap.CodeCanceled, Message: "stopped"}
	}
}

// couldAsk names the models that would be asked, or says why none is.
func (a *app) couldAsk(ctx context.Context) (models []string, none string, err error) {
	l, err := a.eng.Sessions(ctx, engine.Query{})
	if err != nil {
		return nil, "", err
	}
	could := a.doctorModels(ctx, a.eng, l.Sessions)
	for _, m := range could {
		if name := recap.Line(m.Provider + "/" + m.Model); m.Problem == "" && !slices.Contains(models, name) {
			models = append(models, name)
		}
	}
	if len(could) == 0 {
		return nil, "there is no session yet to say which model it would be: a later start asks whether one may be asked in the background; the free recap serves", nil
	}
	return models, "no model could be asked in the background (recap doctor says why); the free recap serves", nil
}

// dailyCap says in words what background calls may take a day.
func (a *app) dailyCap(c *config.Config) string {
	usd, tokens := c.Limit("budget.daily_usd"), c.Limit("budget.daily_tokens")
	var parts []string
	if usd != config.Unlimited {
		parts = append(parts, fmt.Sprintf("$%.2f", usd))
	}
	if tokens != config.Unlimited {
		parts = append(parts, fmt.Sprintf("%.0f tokens", tokens))
	}
	if len(parts) == 0 {
		return "without a cap"
	}
	return "at most " + strings.Join(parts, " and ") + " a day"
}

// served prints what a daemon does.
type served struct {
	a     *app
	lines bool // one for each recap
	auto  bool
}

// event prints an event under --json.
func (s *served) event(e api.ServeEvent) error {
	e.At = s.a.s.Now().UTC()
	return s.a.printJSON(e)
}

func (s *served) started(d *daemon.Daemon) error {
	a := s.a
	found := 0
	for _, h := range a.homes() {
		if h.Found && !strings.Contains(h.Root, "://") {
			found++
		}
	}
	auto, servers := a.live.follow().Auto, len(a.reads().servers)
	if a.json {
		return s.event(api.ServeEvent{Event: "started", PID: d.Status().PID, Auto: auto, Homes: found, Servers: servers})
	}
	text := fmt.Sprintf("following %d %s", found, plural(found, "home", "homes"))
	if servers > 0 {
		text += fmt.Sprintf(", %d OpenCode %s", servers, plural(servers, "server", "servers"))
	}
	if d.Late() > 0 {
		text += " (not all has been looked at yet)"
	}
	switch {
	case auto:
		text += "; model calls: on, " + a.dailyCap(a.live.config())
	default:
		text += "; model calls: off (recap config set assist.auto true)"
	}
	return a.say(text)
}

func (s *served) recap(r recap.Record) {
	a := s.a
	ses := recap.Session{
		Ref: r.Session, Title: r.Title, Directory: r.Directory, Project: r.Project, Branch: r.Branch, UpdatedAt: r.UpdatedAt, State: recap.StateIdle,
	}
	for _, h := range a.homes() {
		if h.Root == r.Session.Root && h.agent == r.Session.Agent {
			ses.Home = h.Name
		}
	}
	if a.json {
		x := api.FromSession(ses)
		s.event(api.ServeEvent{Event: "recap", Session: &x, Record: api.FromRecord(&r)}) //nolint:errcheck,gosec // a reader that is gone stops no daemon
		return
	}
	if !s.lines {
		return
	}
	c := a.scr
	text := r.Recap
	if text == "" {
		text = r.Away
	}
	line := strings.Join([]string{
		a.s.Now().Local().Format(time.TimeOnly), c.style(bold, recap.Line(where(ses))), string(r.Session.Agent) + homeSuffix(ses), c.plainText(text),
	}, c.dot())
	a.say(line) //nolint:errcheck,gosec // a reader that is gone stops no daemon
}

func (s *served) problem(p *agent.Problem) {
	text := s.a.eng.CleanText(p.Error())
	if s.a.json {
		code := recap.CodeUnreadable
		if p.Err != nil {
			code = recap.CodeOf(p.Err)
		}
		s.event(api.ServeEvent{Event: "problem", Reason: &api.Reason{Code: string(code), Message: recap.Line(text)}}) //nolint:errcheck,gosec // as above
		return
	}
	s.a.notice(text)
}

func (s *served) stopped(d *daemon.Daemon) error {
	st := d.Status()
	if s.a.json {
		return s.event(api.ServeEvent{Event: "stopped", PID: st.PID, Recaps: st.Recaps, ByModel: st.ByModel})
	}
	if s.a.scr.terminal {
		s.a.print("\r") //nolint:errcheck,gosec // over the ^C that the terminal shows
	}
	return s.a.say(fmt.Sprintf("stopped: %d %s made, %d by a model", st.Recaps, plural(st.Recaps, "recap", "recaps"), st.ByModel))
}

// doctorDaemon is what doctor says of the daemon. log is why this command can't
// write its log, "" where it can.
func (a *app) doctorDaemon(log string) (api.Daemon, []string) {
	var out api.Daemon
	if a.cfg.StorePath() == "" {
		return out, nil
	}
	seen := daemon.Look(daemon.LockPath(a.cfg.StorePath()), a.cfg.StatusPath())
	if !seen.Running {
		var problems []string
		for _, s := range daemon.Elsewhere(a.cfg.StatusPath()) {
			text := fmt.Sprintf("a recap serve runs that keeps another store, %s: ", recap.Line(s.Store))
			if a.cfg.Broken() { // and may name that very store
				text += "once the settings file can be understood this command looks at the store that it names"
			} else {
				text += fmt.Sprintf("if store.url was changed since, stop it (kill %d) and start it again", s.PID)
			}
			problems = append(problems, text)
		}
		return out, problems
	}
	s := seen.Status
	out = api.Daemon{Running: true, PID: s.PID, Version: s.Version, Servers: []api.DaemonServer{}}
	if !s.StartedAt.IsZero() {
		at := s.StartedAt.UTC()
		out.Since = &at
	}
	var problems []string
	if word := daemon.Compare(s.Build, thisBuild()); word != "" {
		out.Differs = word
		problems = append(problems, fmt.Sprintf("the recap serve that runs is %s: stop it (kill %d) and start it again", word, s.PID))
	}
	// Of a file that can't be understood nothing is known that could differ.
	if keys := differ(s.AtStart, atStart(a.cfg)); len(keys) > 0 && !a.cfg.Broken() {
		problems = append(problems, fmt.Sprintf("the recap serve that runs was started with other settings of %s: stop it (kill %d) and start it again",
			strings.Join(keys, ", "), s.PID))
	}
	if !seen.Told {
		out.Problem = "it has not said yet what it does"
		return out, problems
	}
	out.Auto, out.Known, out.Phases, out.Runs, out.Parked = &s.Auto, s.Known, s.Phases, s.Runs, s.Parked
	out.Capped, out.Cap = s.Capped, recap.Line(s.Cap)
	out.Recaps, out.ByModel, out.LastAt, out.Problem = s.Recaps, s.ByModel, s.LastAt, recap.Line(s.Problem)
	for _, x := range s.Servers {
		y := api.DaemonServer{Name: recap.Line(x.Name), URL: recap.Line(x.URL), Connected: x.Connected, Problem: recap.Line(x.Problem)}
		out.Servers = append(out.Servers, y)
		if !x.Connected {
			problems = append(problems, fmt.Sprintf("the daemon has no connection to OpenCode's server %s: %s", y.Name, y.Problem))
		}
	}
	if out.Problem != "" {
		problems = append(problems, "the daemon keeps nothing: "+out.Problem)
	}
	if s.LogProblem != "" && s.LogProblem != log {
		problems = append(problems, "the daemon says: "+recap.Line(s.LogProblem))
	}
	return out, problems
}

// usedToday says what model calls used of the day's caps, "" where that is not
// known.
func (a *app) usedToday(ctx context.Context) string {
	u, err := a.st.Used(ctx, store.Reservation{At: a.s.Now()})
	if err != nil {
		return ""
	}
	tokens, usd := strconv.FormatInt(u.DayTokens, 10), fmt.Sprintf("$%.2f", u.DayUSD)
	if most := a.cfg.Limit(store.CapDayTokens); most != config.Unlimited {
		tokens += fmt.Sprintf(" of %.0f", most)
	}
	if most := a.cfg.Limit(store.CapDayUSD); most != config.Unlimited {
		usd += fmt.Sprintf(" of $%.2f", most)
	}
	return tokens + " tokens and " + usd + " used today"
}

// phases says in words how many sessions are in each phase of the quiet window,
// in its order.
func phases(counts map[string]int) []string {
	words := []struct {
		phase quiet.Phase
		says  string
	}{
		{quiet.Working, "at work"},
		{quiet.Window, "in the quiet window"},
		{quiet.Waiting, "about to get a recap"},
		{quiet.Generating, "getting a recap"},
		{quiet.Rest, "at rest"},
		{quiet.Parked, "at rest without a recap, for it failed"},
		{quiet.OffWorking, "at work, recaps off"},
		{quiet.Off, "at rest, recaps off"},
	}
	var out []string
	left := maps.Clone(counts)
	for _, w := range words {
		if n := counts[w.phase.String()]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, w.says))
		}
		delete(left, w.phase.String())
	}
	for _, p := range slices.Sorted(maps.Keys(left)) { // of another version
		out = append(out, fmt.Sprintf("%d %s", left[p], recap.Line(p)))
	}
	return out
}

// drawDaemon draws it. used is what model calls used today.
func (a *app) drawDaemon(d api.Daemon, used string) []string {
	if !d.Running {
		return []string{"not running (recap serve starts it)"}
	}
	since := "just now"
	if d.Since != nil {
		since = ago(*d.Since, a.s.Now())
	}
	out := []string{fmt.Sprintf("running: pid %d, started %s, %s", d.PID, since, recap.Line(d.Version))}
	if d.Differs != "" {
		out[0] += ", " + d.Differs
	}
	if d.Auto == nil {
		return append(out, d.Problem)
	}
	calls := "off"
	if *d.Auto {
		calls = "on"
		if used != "" {
			calls += ", " + used
		}
	}
	out = append(out, "model calls: "+calls)
	followed := fmt.Sprintf("%d %s followed", d.Known, plural(d.Known, "session", "sessions"))
	if counts := phases(d.Phases); len(counts) > 0 {
		followed += ": " + strings.Join(counts, ", ")
	}
	out = append(out, followed)
	if d.Capped > 0 && *d.Auto {
		out = append(out, fmt.Sprintf("%d %s for a model, with the free recap meanwhile: %s", d.Capped, plural(d.Capped, "session waits", "sessions wait"), d.Cap))
	}
	for _, s := range d.Servers {
		state := "connected"
		if !s.Connected {
			state = "not connected: " + s.Problem
		}
		out = append(out, fmt.Sprintf("server %s %s: %s", s.Name, s.URL, state))
	}
	made := fmt.Sprintf("%d %s made, %d by a model", d.Recaps, plural(d.Recaps, "recap", "recaps"), d.ByModel)
	if d.LastAt != nil {
		made += ", the last " + ago(*d.LastAt, a.s.Now())
	}
	return append(out, made)
}
