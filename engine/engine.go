// Package engine holds the use cases: list the sessions of a machine, find
// one by name, say where the person was in it, what moved while they were
// away, search, and why. Every face asks the engine and shows what it answers.
//
// Make one with [New] and call its methods from any goroutine. It owns no
// goroutine between calls: [Engine.Follow], which makes the recap of each
// session that goes quiet, is a call that lasts. The clock and all sources and stores are passed in.
//
// Every text that leaves the engine is redacted and safe for a terminal, the
// directory, project and branch of a session too. If redaction fails, the text
// does not leave: the answer is an error with recap.CodeRedaction.
//
// What is made or refused is written to the store's journal, with the gates
// that were looked at; what was stored and is shown again is not.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
)

// Options are what an engine stands on.
type Options struct {
	Sources []agent.Source
	Store   store.Store
	// Now is the clock.
	Now func() time.Time
	// Exclude are directories that are never read.
	Exclude []string
	// Excluded, if not nil, tells whether a project's own settings take a
	// directory out. It is asked once for each directory.
	Excluded func(project, directory string) bool
	// Unkept, if not nil, is told why something could not be stored. It may be
	// called often, and from several goroutines.
	Unkept func(error)
	// NoRedaction switches redaction off (privacy.redact = false).
	NoRedaction bool
	// Log gets ids, counts and codes, never text. Nil: no log.
	Log *slog.Logger
	// Progress, if not nil, is told how far a long scan is. It may be called
	// from several goroutines.
	Progress func(Progress)
	// Listed, if not nil, is told of a source of which every session was listed
	// without a failure: what is remembered of other files may be dropped. It
	// may be called from several goroutines.
	Listed func(agent.Source)
	// Asking gives what model calls need, when the first is wanted; nil: no
	// model is ever asked.
	Asking func() *Asking
	// Self are ids of sessions that run this very command: they are not
	// listed unless asked for by id.
	Self []string
}

// Progress of a scan.
type Progress struct {
	Agent    recap.Agent
	Sessions int // seen so far, of all agents
	Made     int // recaps made so far
	Of       int // recaps to make, 0 while listing
}

// Engine answers the questions of every face.
type Engine struct {
	o        Options
	projects projects
	off      answers
	paths    cleaned
	flights  flights
	backOff  backOff
	plain    knownServers
	limits   knownServers
	told     toldOnce
	follower atomic.Pointer[follower]
	exclude  atomic.Pointer[[]string]
	sources  atomic.Pointer[[]agent.Source]
	asks     atomic.Pointer[func() *Asking]
}

// New makes an engine.
func New(o Options) *Engine {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Unkept == nil {
		o.Unkept = func(error) {}
	}
	if o.Asking == nil {
		o.Asking = func() *Asking { return nil }
	}
	e := &Engine{o: o}
	e.projects.known = e.worktrees
	e.Replace(o.Sources)
	e.Renew(o.Exclude)
	return e
}

// Renew takes settings anew while the engine is in use: the directories that
// are never read, what Options.Asking gives, and what Options.Excluded says.
// What is under way goes on with what it had, and is held to the new ones
// before it is stored. What a cap holds back is tried again.
func (e *Engine) Renew(exclude []string) {
	e.exclude.Store(&exclude)
	once := sync.OnceValue(e.o.Asking)
	e.asks.Store(&once)
	e.off.forget()
	if f := e.follower.Load(); f != nil {
		select {
		case f.renewed <- struct{}{}:
		default:
		}
	}
}

// Replace has these sources read from now on, in place of those before. What
// is under way goes on with what it had.
func (e *Engine) Replace(sources []agent.Source) { e.sources.Store(&sources) }

// Reconsider asks Options.Excluded anew of each directory.
func (e *Engine) Reconsider() { e.off.forget() }

func (e *Engine) asking() *Asking { return (*e.asks.Load())() }

// Result is a session with what recap says of it.
type Result struct {
	Session recap.Session
	// Record is nil where there is nothing to say.
	Record *recap.Record
	// Fresh: the record answers the session as it is now.
	Fresh bool
	// Err says why there is no record, or why it is not fresh.
	Err error
	// Problems are rows of the transcript that could not be used.
	Problems []agent.Problem
	// Stored: the record was there and nothing was read.
	Stored bool
	// Gone: the transcript is gone, the record is what recap kept of it.
	Gone bool
	// Unkept says why the record could not be stored, nil where it was.
	Unkept error
}

// CleanLine redacts a text and makes it one safe line. What escapes, characters
// that show nothing and line breaks held apart is together only then, so it is
// redacted again.
func CleanLine(s string) (string, error) { return cleanLine(s, withoutSecrets) }

func cleanLine(s string, hide func(string) (string, error)) (string, error) {
	s, err := scrub(s, hide)
	if err != nil {
		return "", err
	}
	line := recap.Line(s)
	if line == s {
		return s, nil
	}
	return hide(line)
}

// scrub is cleanLine for a text of several lines.
func scrub(s string, hide func(string) (string, error)) (string, error) {
	t, err := hide(s)
	if err != nil {
		return "", err
	}
	safe := recap.Visible(t)
	if safe == t {
		return t, nil
	}
	return hide(safe)
}

// cleaner scrubs the texts of a session, each of them once: they stand in
// several places, and are read again.
type cleaner struct {
	e    *Engine
	done map[string]string
}

func (e *Engine) cleaner() *cleaner { return &cleaner{e, map[string]string{}} }

func (c *cleaner) text(s string) (string, error) {
	t, ok := c.done[s]
	if ok {
		return t, nil
	}
	t, err := c.e.scrub(s)
	if err == nil {
		c.done[s], c.done[t] = t, t
	}
	return t, err
}

// texts scrubs the texts of one message: a secret may be split over them.
func (c *cleaner) texts(list []string) ([]string, error) {
	out := make([]string, len(list))
	if len(list) > 1 && !c.e.o.NoRedaction {
		clean, hits, err := redact.Parts(list)
		if err != nil {
			return nil, unsearched(err)
		}
		if len(hits) > 0 {
			list = clean
		}
	}
	for i, s := range list {
		var err error
		if out[i], err = c.text(s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// clean is CleanLine unless redaction is off.
func (e *Engine) clean(s string) (string, error) { return cleanLine(s, e.redact) }

func (e *Engine) scrub(s string) (string, error) { return scrub(s, e.redact) }

// scrubRecord redacts the texts of a record once more: they were composed of
// clean pieces, without their markup and line breaks.
func (e *Engine) scrubRecord(r *recap.Record) {
	texts := []*string{&r.Recap, &r.Away, &r.Digest, &r.Suggestion, &r.Request, &r.WaitingFor}
	for i := range r.Receipts {
		texts = append(texts, &r.Receipts[i].Claim, &r.Receipts[i].Detail)
	}
	for _, p := range texts {
		t, err := e.redact(*p)
		if err != nil {
			e.o.Log.Warn("text left out", "agent", r.Session.Agent, "session", r.Session.ID, "code", recap.CodeRedaction)
		}
		*p = t
	}
}

// CleanWords gives words of a command as they may be shown, and whether a
// secret in them was replaced: then they can't be run as shown. A word without
// a secret stays as it is, with control characters and those that show nothing:
// quote them.
func (e *Engine) CleanWords(words []string) (clean []string, changed bool) {
	clean = slices.Clone(words)
	for i, w := range words {
		t, err := e.scrub(w)
		if err != nil {
			t = ""
		}
		if err != nil || t != recap.Visible(w) {
			clean[i], changed = t, true
		}
	}
	return clean, changed
}

func (e *Engine) redact(s string) (string, error) {
	if e.o.NoRedaction {
		return s, nil
	}
	return withoutSecrets(s)
}

func withoutSecrets(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	out, _, err := redact.Text(s)
	if err != nil {
		return "", unsearched(err)
	}
	return out, nil
}

func unsearched(err error) error {
	return &recap.Error{Code: recap.CodeRedaction, Message: "the text could not be searched for secrets, so it is not shown", Err: err}
}

// NameOf is the name of a session that means no other: agent:id, or
// agent@home:id where the home has a name of its own.
func NameOf(s recap.Session) string { return string(s.Ref.Agent) + HomeSuffix(s) + ":" + s.Ref.ID }

// HomeSuffix is "@home" where the home has a name of its own.
func HomeSuffix(s recap.Session) string {
	if s.Home == "" || s.Home == string(s.Ref.Agent) {
		return ""
	}
	return "@" + s.Home
}

// cleanSession redacts the texts of a session. A text that can't be redacted
// is left out: a title must not hide a session.
func (e *Engine) cleanSession(s recap.Session) recap.Session {
	for _, p := range []*string{&s.Title, &s.WaitingFor, &s.Branch, &s.Directory} {
		t, err := e.clean(*p)
		if err != nil {
			e.o.Log.Warn("text left out", "agent", s.Ref.Agent, "session", s.Ref.ID, "code", recap.CodeRedaction)
		}
		*p = t
	}
	s.Title = agent.CutLine(s.Title)
	s.Project = e.cleanPath(s.Project)
	return s
}

// cleanPath gives a project's path as it is shown and stored.
func (e *Engine) cleanPath(path string) string {
	return e.paths.of(path, func() string {
		// Of an address in it, a path has one slash: its password is not known then.
		t, err := e.clean(strings.ReplaceAll(path, ":/", "://"))
		if err == nil && redacted(t) == 0 {
			t, err = e.clean(path)
		}
		if err != nil {
			e.o.Log.Warn("path left out", "code", recap.CodeRedaction)
		}
		return t
	})
}

// cleaned remembers the clean form of each path.
type cleaned struct {
	mu   sync.Mutex
	seen map[string]string
}

func (c *cleaned) of(path string, clean func() string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	got, ok := c.seen[path]
	if !ok {
		got = clean()
		if c.seen == nil {
			c.seen = map[string]string{}
		}
		c.seen[path] = got
	}
	return got
}

// problemOf reports whether err concerns one file only.
func problemOf(err error) (*agent.Problem, bool) {
	return errors.AsType[*agent.Problem](err)
}

// each runs f for every index with at most two at a time: the machine is
// somebody's desk.
func each(ctx context.Context, n int, f func(i int)) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}
