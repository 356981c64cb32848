package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/claudecode"
	"github.com/sessionrecap/recap/agent/codex"
	"github.com/sessionrecap/recap/agent/geminicli"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/agent/qwencode"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
	"github.com/sessionrecap/recap/store/sqlite"
)

// app is one run of the program. Its parts are made when a command asks.
type app struct {
	s       Streams
	parsed  bool
	json    bool
	quiet   bool
	noModel bool
	exit    int

	cfg     *config.Config
	eng     *engine.Engine
	st      store.Store
	indexes []*agent.FileIndex
	log     *slog.Logger
	logFile *logFile
	prog    *progress
	scr     *screen
}

// prepare reads the settings; what is wrong in them is a notice, never a stop.
func (a *app) prepare(cmd *cobra.Command) error {
	a.scr = newScreen(a.s, a.json)
	switch cmd.Name() {
	case "version", "completion", "help", "bash", "zsh", "fish", "powershell":
		return nil
	}
	a.cfg = config.Load(config.Options{Env: a.s.Env})
	if !a.quiet && cmd.Name() != "doctor" && cmd.Name() != "prompt" {
		for _, p := range a.cfg.Problems {
			a.notice("settings: " + p.String())
		}
	}
	return nil
}

// notice tells people something beside the data.
func (a *app) notice(text string) {
	if a.quiet {
		return
	}
	a.prog.clear()
	fmt.Fprintln(a.s.Err, "recap: "+recap.Line(text)) //nolint:errcheck // nowhere else to tell
}

// store opens the store. One that can't be written is replaced by an empty one
// in memory for this run, with a notice; one that is too new is an error.
func (a *app) store(ctx context.Context) (store.Store, error) {
	if a.st != nil {
		return a.st, nil
	}
	path := a.cfg.StorePath()
	if path == "" {
		return nil, &recap.Error{Code: recap.CodeConfig, Message: "store.url names a store this version does not have", Hint: "recap config set store.url sqlite"}
	}
	st, err := sqlite.Open(ctx, path)
	switch {
	case err == nil:
		a.st = st
	case errors.Is(err, store.ErrTooNew):
		return nil, err
	case ctx.Err() != nil:
		return nil, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: err}
	default:
		a.logger().Warn("store", "code", recap.CodeOf(err), "error", err.Error())
		a.notice("the store can't be used, so nothing is kept this time: " + err.Error())
		a.st = memory.New()
	}
	return a.st, nil
}

// engine makes the engine with every source that is on.
func (a *app) engine(ctx context.Context) (*engine.Engine, error) {
	if a.eng != nil {
		return a.eng, nil
	}
	st, err := a.store(ctx)
	if err != nil {
		return nil, err
	}
	a.prog = newProgress(a.scr, a.quiet)
	var sources []agent.Source
	for _, s := range a.cfg.Sources {
		if src := a.source(s); src != nil {
			sources = append(sources, src)
		}
	}
	narrow := &projectFiles{}
	a.eng = engine.New(engine.Options{
		Sources: sources, Store: st, Now: a.s.Now, Exclude: a.cfg.Exclude(), NoRedaction: !a.cfg.Bool("privacy.redact"),
		Excluded: narrow.excluded, Log: a.logger(), Progress: a.prog.update, Self: a.cfg.Self(),
	})
	return a.eng, nil
}

// source makes the source of a home, nil where it is off.
func (a *app) source(s config.Source) agent.Source {
	if !s.Enabled || s.Root == "" {
		return nil
	}
	var idx agent.Index = agent.NoIndex{}
	file := agent.OpenIndex(a.indexPath(s))
	a.indexes = append(a.indexes, file)
	idx = file
	if a.cfg.Bool("privacy.redact") {
		idx = cleanIndex{file}
	}
	switch recap.Agent(s.Agent) {
	case recap.Claude:
		return claudecode.New(claudecode.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx})
	case recap.Codex:
		return codex.New(codex.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx})
	case recap.Gemini:
		return geminicli.New(geminicli.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx})
	case recap.Qwen:
		return qwencode.New(qwencode.Config{Name: s.Name, Root: s.Root, Origin: s.Origin, Index: idx})
	case recap.OpenCode:
		return opencode.New(opencode.Config{Name: s.Name, Root: s.Root, DB: s.Database, Origin: s.Origin, Index: idx})
	}
	return nil
}

func (a *app) indexDir() string { return filepath.Join(a.cfg.CacheDir(), "index") }

func (a *app) indexPath(s config.Source) string {
	h := fnv.New64a()
	io.WriteString(h, s.Root+"\x00"+s.Database) //nolint:errcheck,gosec // a hash never fails
	return filepath.Join(a.indexDir(), fmt.Sprintf("%s-%016x.idx", s.Agent, h.Sum64()))
}

// cleanIndex keeps secrets out of the index file.
type cleanIndex struct{ agent.Index }

// Remember redacts the texts of an entry; one that can't be redacted is not
// remembered.
func (c cleanIndex) Remember(path string, e agent.Entry) {
	for _, p := range []*string{&e.Session.Title, &e.Session.WaitingFor, &e.Session.Branch} {
		t, _, err := redact.Text(*p)
		if err != nil {
			return
		}
		*p = t
	}
	c.Index.Remember(path, e)
}

// projectFiles reads the .recap.toml of projects, once each.
type projectFiles struct {
	mu   sync.Mutex
	seen map[string]config.Narrow
}

// excluded reports whether the project's own file takes the directory out.
func (p *projectFiles) excluded(project, dir string) bool {
	if project == "" || !filepath.IsAbs(project) {
		return false
	}
	p.mu.Lock()
	n, ok := p.seen[project]
	if !ok {
		n = config.ReadProject(project)
		if p.seen == nil {
			p.seen = map[string]config.Narrow{}
		}
		p.seen[project] = n
	}
	p.mu.Unlock()
	if n.Off {
		return true
	}
	for _, x := range n.Exclude {
		if dir == x || strings.HasPrefix(dir, x+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// saveIndexes writes what listing learnt.
func (a *app) saveIndexes() {
	for _, x := range a.indexes {
		if err := x.Save(); err != nil {
			a.logger().Warn("index not saved", "error", err.Error())
		}
	}
}

func (a *app) close() {
	a.prog.clear()
	a.saveIndexes()
	if a.st != nil {
		if err := a.st.Close(); err != nil {
			a.logger().Warn("store not closed", "error", err.Error())
		}
	}
	a.logFile.close()
}

// logger writes to the log file, made when the first line comes.
func (a *app) logger() *slog.Logger {
	if a.log != nil {
		return a.log
	}
	if a.cfg == nil || a.cfg.LogPath() == "" {
		a.log = slog.New(slog.DiscardHandler)
		return a.log
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.cfg.Text("log.level"))); err != nil {
		level = slog.LevelInfo
	}
	a.logFile = &logFile{path: a.cfg.LogPath()}
	a.log = slog.New(slog.NewTextHandler(a.logFile, &slog.HandlerOptions{Level: level}))
	return a.log
}

// logFile is opened at the first line and rotated once at maxLog.
type logFile struct {
	path string
	mu   sync.Mutex
	f    *os.File
	dead bool
}

const maxLog = 5 << 20

// Write appends to the log. A log that can't be written is given up.
func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return len(b), nil
	}
	if l.f == nil {
		if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
			l.dead = true
			return len(b), nil //nolint:nilerr // a log must not stop the work
		}
		if fi, err := os.Stat(l.path); err == nil && fi.Size() > maxLog {
			os.Rename(l.path, l.path+".1") //nolint:errcheck,gosec // then it grows a little more
		}
		f, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			l.dead = true
			return len(b), nil //nolint:nilerr // a log must not stop the work
		}
		l.f = f
	}
	return l.f.Write(b)
}

func (l *logFile) close() {
	if l == nil || l.f == nil {
		return
	}
	l.f.Close() //nolint:errcheck,gosec // nothing to do about it
}

// printJSON prints one object on one line.
func (a *app) printJSON(v any) error {
	a.prog.clear()
	enc := json.NewEncoder(a.s.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// print prints data for people.
func (a *app) print(text string) error {
	a.prog.clear()
	_, err := io.WriteString(a.s.Out, text)
	return err
}

// tell shows an error: as JSON on Out, else as words on Err.
func (a *app) tell(err error) {
	a.prog.clear()
	code, hint := recap.CodeOf(err), recap.HintOf(err)
	if a.scr == nil {
		a.scr = newScreen(a.s, a.json)
	}
	var candidates []string
	if amb, ok := errors.AsType[*engine.AmbiguousError](err); ok {
		for _, s := range amb.Candidates {
			candidates = append(candidates, string(s.Ref.Agent)+homeSuffix(s)+":"+s.Ref.ID)
		}
	}
	message := recap.Line(err.Error())
	if a.json {
		a.printJSON(api.ErrorBody{Error: api.Error{Code: string(code), Message: message, Hint: hint, Candidates: candidates}}) //nolint:errcheck,gosec // nowhere else to tell
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "recap: %s\n", message)
	for _, c := range candidates {
		fmt.Fprintf(&b, "  %s\n", recap.Line(c))
	}
	if hint != "" {
		fmt.Fprintf(&b, "       %s\n", hint)
	}
	io.WriteString(a.s.Err, b.String()) //nolint:errcheck,gosec // nowhere else to tell
}

// homeSuffix is "@home" where the home has a name of its own.
func homeSuffix(s recap.Session) string {
	if s.Home == "" || s.Home == string(s.Ref.Agent) {
		return ""
	}
	return "@" + s.Home
}

// warn tells about homes that could not be read and counts the rest.
func (a *app) warn(l engine.Listing) {
	for _, f := range l.Failed {
		a.notice(fmt.Sprintf("%s in %s: %v", f.Agent.DisplayName(), f.Home.Root, f.Err))
	}
	n := 0
	for _, p := range l.Problems {
		n += p.Count
	}
	if n > 0 {
		a.notice(fmt.Sprintf("%d file(s) could not be used; recap doctor names them", n))
	}
}

// progress shows how far a long scan is, after half a second, on a terminal.
type progress struct {
	scr   *screen
	mu    sync.Mutex
	timer *time.Timer
	show  bool
	drawn bool
	done  bool
}

const progressAfter = 500 * time.Millisecond

func newProgress(scr *screen, quiet bool) *progress {
	p := &progress{scr: scr}
	if quiet || !scr.errTerminal {
		p.done = true
		return p
	}
	p.timer = time.AfterFunc(progressAfter, func() {
		p.mu.Lock()
		p.show = true
		p.mu.Unlock()
	})
	return p
}

func (p *progress) update(x engine.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.show || p.done {
		return
	}
	p.drawn = true
	if x.Of > 0 {
		fmt.Fprintf(p.scr.s.Err, "\r\x1b[Krecap: making recaps %d of %d", x.Made, x.Of) //nolint:errcheck // a terminal
		return
	}
	fmt.Fprintf(p.scr.s.Err, "\r\x1b[Krecap: reading sessions %d", x.Sessions) //nolint:errcheck // a terminal
}

// clear takes the progress line away. It may be called on nil and often.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.drawn {
		io.WriteString(p.scr.s.Err, "\r\x1b[K") //nolint:errcheck,gosec // a terminal
		p.drawn = false
	}
}
