package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/opencode"
	"github.com/sessionrecap/recap/api"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
	"github.com/sessionrecap/recap/internal/daemon"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
	"github.com/sessionrecap/recap/store/sqlite"
)

// app is one run of the program. Its parts are made when a command asks.
type app struct {
	s      Streams
	parsed bool
	json   bool
	quiet  bool
	ask    modelFlags
	exit   int

	cfg     *config.Config
	live    *live // of a daemon: the settings as they are now
	owner   func() string
	eng     *engine.Engine
	src     sources // of a daemon: under mu
	serving bool    // a daemon: it may wait for a server
	// oc follows OpenCode for a daemon; renewing is held while what is followed
	// is changed.
	oc       *opencode.Live
	renewing sync.Mutex
	st       store.Store
	indexes  []*agent.FileIndex // under mu
	log      *slog.Logger
	logFile  *logFile
	logTold  atomic.Bool // that the log can't be written
	narrow   projectFiles
	// lost says why nothing is kept: the store can't be used.
	lost error
	mu   sync.Mutex
	told bool // of what could not be kept
	// daemon is the one that runs, nil in every command but serve.
	daemon *daemon.Daemon
	prog   *progress
	scr    *screen
}

// prepare reads the settings; what is wrong in them is a notice, never a stop.
func (a *app) prepare(cmd *cobra.Command) error {
	a.scr = newScreen(a.s, a.json)
	switch cmd.Name() {
	case "version", "completion", "help":
		return nil
	}
	for _, name := range []string{"limit", "width"} {
		if f := cmd.Flags().Lookup(name); f != nil && strings.HasPrefix(f.Value.String(), "-") {
			return usageError("--"+name+" can't be below 0", "0 is no limit")
		}
	}
	a.cfg = config.Load(config.Options{Env: a.s.Env})
	if a.cfg.Home() == "" {
		return &recap.Error{Code: recap.CodeConfig, Message: "your home directory is not known", Hint: "set HOME to its absolute path"}
	}
	if isCompletion(cmd) {
		a.quiet = true
	}
	if cmd.Name() == "doctor" || cmd.Name() == "prompt" { // the one tells it among the data, the other is a part of a shell's prompt
		a.logTold.Store(true)
	} else if !a.quiet {
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
	a.prog.hide()
	fmt.Fprintln(a.s.Err, a.scr.hang("recap: "+recap.Line(text), "", a.scr.errIndent(), a.scr.errWidth)) //nolint:errcheck // nowhere else to tell
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
	var st *sqlite.Store
	err := a.homeless(path)
	if err == nil {
		st, err = sqlite.Open(ctx, path)
	}
	switch {
	case err == nil:
		a.st = st
	case errors.Is(err, store.ErrTooNew):
		return nil, err
	case ctx.Err() != nil:
		return nil, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: err}
	default:
		a.logger().WarnContext(ctx, "store", "code", recap.CodeOf(err), "error", err.Error())
		a.lost = err
		a.unkept(err)
		a.st = memory.New()
	}
	return a.st, nil
}

// homeless is an error where a path lies in a home directory that does not
// exist: recap makes its own folders, and not that.
func (a *app) homeless(path string) error {
	home := a.cfg.Home()
	if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) || !agent.Within(path, home) {
		return nil
	}
	return &recap.Error{Code: recap.CodeStore, Message: "your home directory, " + home + ", does not exist", Hint: "make it, or set HOME to another"}
}

// unkept tells once that nothing can be stored.
func (a *app) unkept(err error) {
	a.mu.Lock()
	told, daemon := a.told, a.daemon
	a.told = true
	a.mu.Unlock()
	if daemon != nil {
		daemon.Unkept(err)
		return
	}
	if !told {
		a.notice("the store can't be used, so nothing is kept this time: " + err.Error() + hint(err))
	}
}

// keeper is engine for a command that changes the store: without one it has
// nothing to do.
func (a *app) keeper(ctx context.Context) (*engine.Engine, error) {
	quiet := a.quiet
	a.quiet = true // the error says it
	_, err := a.store(ctx)
	a.quiet = quiet
	if err != nil {
		return nil, err
	}
	if a.lost != nil {
		return nil, storeError(a.lost)
	}
	return a.engine(ctx)
}

func hint(err error) string {
	return paren(nextOf(err, anySession))
}

// engine makes the engine with every source that is on.
func (a *app) engine(ctx context.Context) (*engine.Engine, error) {
	if a.eng != nil {
		return a.eng, nil
	}
	if p := a.cfg.Refusal(); p != nil {
		return nil, &recap.Error{
			Code: recap.CodeExcluded, Message: "nothing is read, for the settings file may name directories that must not be: " + p.String(),
			Hint: "mend " + p.Origin,
		}
	}
	// The tables of secrets take two milliseconds to make: meanwhile the store
	// is opened and the agents' folders are walked.
	go func() { _, _, _ = redact.Text("warm") }()
	st, err := a.store(ctx)
	if err != nil {
		return nil, err
	}
	a.prog = newProgress(a.s.Err, a.scr.errWidth, a.quiet)
	a.assemble(a.cfg)
	a.owner = sync.OnceValue(owner)
	a.eng = engine.New(engine.Options{
		Sources: a.src.all, Store: st, Now: a.s.Now, Exclude: a.cfg.Exclude(), NoRedaction: !a.cfg.Bool("privacy.redact"),
		Excluded: a.narrow.excluded, Log: a.logger(), Progress: a.prog.update, Asking: func() *engine.Asking { return a.asking(st) }, Self: a.cfg.Self(),
		Listed: func(src agent.Source) {
			a.mu.Lock()
			x := a.src.index[src]
			a.mu.Unlock()
			if x != nil { // a server has none
				x.Prune()
			}
		},
		Unkept: a.unkept,
	})
	// The engine knows which project a directory belongs to.
	a.narrow.ask = a.eng.Excluded
	return a.eng, nil
}

// settings are those of this run, of a daemon as they are now.
func (a *app) settings() *config.Config {
	if a.live != nil {
		return a.live.config()
	}
	return a.cfg
}

func (a *app) indexDir() string { return filepath.Join(a.cfg.CacheDir(), "index") }

func (a *app) indexPath(s config.Source) string {
	h := fnv.New64a()
	io.WriteString(h, s.Root+"\x00"+s.Database) //nolint:errcheck,gosec // a hash never fails
	return filepath.Join(a.indexDir(), fmt.Sprintf("%s-%016x.idx", s.Agent, h.Sum64()))
}

// cleanIndex keeps secrets, and the texts of excluded projects, out of the
// index file.
type cleanIndex struct {
	agent.Index
	excluded func(dir string) bool
	redact   bool
}

// Remember redacts the texts of an entry. One whose path, directory or notes
// hold a secret, and one that can't be redacted, is not remembered: its file
// is read again next time.
func (c cleanIndex) Remember(path string, e agent.Entry) {
	if e.Session.Directory != "" && c.excluded(e.Session.Directory) {
		e.Session.Title, e.Session.WaitingFor, e.Session.Branch = "", "", ""
	}
	if c.redact {
		if redact.Contains(path) || redact.Contains(e.Session.Directory) || slices.ContainsFunc(e.Facts, redact.Contains) {
			return
		}
		for _, p := range []*string{&e.Session.Title, &e.Session.WaitingFor, &e.Session.Branch} {
			t, err := engine.CleanLine(*p)
			if err != nil {
				return
			}
			*p = t
		}
	}
	c.Index.Remember(path, e)
}

// saveIndexes writes what listing learnt.
func (a *app) saveIndexes() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.indexes) == 0 || a.homeless(a.indexDir()) != nil {
		return
	}
	for _, x := range a.indexes {
		if err := x.Save(); err != nil {
			a.logger().Warn("index not saved", "error", err.Error())
		}
	}
}

func (a *app) close() {
	a.prog.stop()
	a.saveIndexes()
	if a.st != nil {
		if err := a.st.Close(); err != nil {
			a.logger().Warn("store not closed", "error", err.Error())
		}
	}
	a.logFile.close()
}

// printJSON prints each object on a line of its own.
func (a *app) printJSON(vs ...any) error {
	var b bytes.Buffer
	for _, v := range vs {
		line, err := encode(v)
		if err != nil {
			return err
		}
		b.Write(line)
	}
	a.prog.hide()
	_, err := a.s.Out.Write(b.Bytes())
	return outputError(err)
}

// print prints data for people.
func (a *app) print(text string) error {
	a.prog.hide()
	_, err := io.WriteString(a.s.Out, text)
	return outputError(err)
}

// say prints one line for people, broken where it does not fit.
func (a *app) say(text string) error {
	return a.print(a.scr.hang(text, "", "  ", a.scr.width) + "\n")
}

func outputError(err error) error {
	if err == nil {
		return nil
	}
	return &recap.Error{Code: recap.CodeInternal, Message: "the output could not be written", Hint: "free some space, or write it elsewhere", Err: pathless(err)}
}

// pathless is what the system says of a file, without its path.
func pathless(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// maxCandidates is how many sessions an ambiguous name is answered with.
const maxCandidates = 20

// nameOf is the name of a session that means no other.
func nameOf(s recap.Session) string { return engine.NameOf(s) }

// tell shows an error: as JSON on Out, else as words on Err.
func (a *app) tell(err error) {
	a.prog.hide()
	code, hint := recap.CodeOf(err), nextOf(err, anySession)
	if a.scr == nil {
		a.scr = newScreen(a.s, a.json)
	}
	var candidates []string
	more := 0
	if amb, ok := errors.AsType[*engine.AmbiguousError](err); ok {
		shown := amb.Candidates[:min(len(amb.Candidates), maxCandidates)]
		more = len(amb.Candidates) - len(shown)
		for _, s := range shown {
			candidates = append(candidates, nameOf(s))
		}
	}
	message := recap.Line(err.Error())
	if code == recap.CodeCanceled {
		message, hint = "stopped", recap.HintOf(err)
	}
	if a.json && a.printJSON(api.ErrorBody{Error: api.Error{Code: string(code), Message: message, Hint: hint, Candidates: candidates}}) == nil {
		return // else words, where they can be read
	}
	var b strings.Builder
	b.WriteString(a.scr.hang("recap: "+message, "", a.scr.errIndent(), a.scr.errWidth) + "\n")
	for _, c := range candidates {
		fmt.Fprintf(&b, "  %s\n", recap.Line(c))
	}
	if more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	if hint != "" {
		b.WriteString(a.scr.wrap(hint, a.scr.errIndent(), a.scr.errWidth) + "\n")
	}
	io.WriteString(a.s.Err, b.String()) //nolint:errcheck,gosec // nowhere else to tell
}

// homeSuffix is "@home" where the home has a name of its own.
func homeSuffix(s recap.Session) string { return engine.HomeSuffix(s) }

// warn tells about homes that could not be read and counts the rest. all: the
// answer is about all projects.
func (a *app) warn(l engine.Listing, all bool) {
	for _, f := range l.Failed {
		a.notice(fmt.Sprintf("%s in %s: %v", f.Agent.DisplayName(), f.Home.Root, a.eng.CleanText(f.Err.Error())))
	}
	n := 0
	for _, p := range l.Problems {
		n += p.Count
	}
	if n > 0 {
		a.notice(fmt.Sprintf("%d %s could not be used; recap doctor names what", n, plural(n, "file or row", "files or rows")))
	}
	a.tellProjectFiles(all)
}
