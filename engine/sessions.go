package engine

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/redact"
	"github.com/sessionrecap/recap/store"
)

// Query narrows a listing. The zero value means every session of a person
// that is not archived.
type Query struct {
	Agent     recap.Agent // "" = all
	Home      string      // settings name of a home, "" = all
	Since     time.Time
	Archived  bool
	Subagents bool
	Project   string // root of a project, "" = all
	State     recap.State
	// Self keeps the session that runs this command.
	Self bool
}

// Listing is what a scan found.
type Listing struct {
	// Sessions are newest first, of all agents. Their texts are as the agents
	// wrote them until they leave the engine.
	Sessions []recap.Session
	Problems []agent.Problem
	// Failed are whole homes that could not be read.
	Failed []HomeError
}

// HomeError is a home that could not be read.
type HomeError struct {
	Agent recap.Agent
	Home  agent.Home
	Err   error
}

// Sessions lists the sessions of all homes, newest first. One home that fails
// does not hide the others. Titles and other texts are clean.
func (e *Engine) Sessions(ctx context.Context, q Query) (Listing, error) {
	l, err := e.scan(ctx, q)
	if err != nil {
		return l, err
	}
	for i, s := range l.Sessions {
		l.Sessions[i] = e.cleanSession(s)
	}
	return l, nil
}

// secretID reports whether an id, which is shown, stored and logged as it is,
// would give a secret away. The ids that agents make are known by their form.
func secretID(id string) bool {
	if hex, ok := strings.CutPrefix(id, "ses_"); ok && len(hex) <= 32 {
		return false
	}
	if len(id) == 36 && strings.Trim(id, "0123456789abcdef-") == "" {
		return false
	}
	return redact.Contains(id)
}

// scan is Sessions without cleaning: the texts are raw.
func (e *Engine) scan(ctx context.Context, q Query) (Listing, error) {
	var (
		mu   sync.Mutex
		out  Listing
		seen int
	)
	aq := agent.Query{Since: q.Since, Archived: q.Archived, Subagents: q.Subagents, Exclude: *e.exclude.Load()}
	sources := make([]agent.Source, 0, len(*e.sources.Load()))
	for _, s := range *e.sources.Load() {
		if (q.Agent == "" || q.Agent == s.Agent()) && (q.Home == "" || q.Home == s.Home().Name) {
			sources = append(sources, s)
		}
	}
	whole := q.Archived && q.Subagents && q.Since.IsZero()
	each(ctx, len(sources), func(i int) {
		src := sources[i]
		home := src.Home()
		failed := false
		defer func() {
			if !failed && whole && ctx.Err() == nil && e.o.Listed != nil {
				e.o.Listed(src)
			}
		}()
		for s, err := range src.Sessions(ctx, aq) {
			mu.Lock()
			if err != nil {
				if p, ok := problemOf(err); ok {
					out.Problems = append(out.Problems, *p)
				} else {
					failed = true
					out.Failed = append(out.Failed, HomeError{Agent: src.Agent(), Home: home, Err: err})
				}
				mu.Unlock()
				continue
			}
			if !e.o.NoRedaction && secretID(s.Ref.ID) {
				out.Problems = append(out.Problems, agent.Problem{Path: home.Root, Reason: "a session whose id looks like a secret", Count: 1})
				mu.Unlock()
				continue
			}
			seen++
			s.Home = home.Name // what an index remembers may be of another name
			out.Sessions = append(out.Sessions, s)
			n := seen
			mu.Unlock()
			if e.o.Progress != nil && n%64 == 0 {
				e.o.Progress(Progress{Agent: src.Agent(), Sessions: n})
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return out, &recap.Error{Code: recap.CodeCanceled, Message: "stopped", Err: err}
	}
	for i := range out.Sessions {
		out.Sessions[i].Project = e.projects.of(out.Sessions[i].Directory)
	}
	e.noteWorktrees(ctx)
	out.Sessions = slices.DeleteFunc(out.Sessions, func(s recap.Session) bool {
		return !q.Self && slices.Contains(e.o.Self, s.Ref.ID) || q.State != "" && s.State != q.State || e.isExcluded(s)
	})
	if q.Project != "" {
		out.Sessions = slices.DeleteFunc(out.Sessions, func(s recap.Session) bool { return !e.inProject(s, q.Project) })
	}
	slices.SortStableFunc(out.Sessions, func(a, b recap.Session) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), strings.Compare(a.Ref.String(), b.Ref.String()), strings.Compare(a.Ref.Root, b.Ref.Root))
	})
	out.Sessions = redate(out.Sessions, e.o.Now(), q.Since)
	slices.SortFunc(out.Problems, func(a, b agent.Problem) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Reason, b.Reason))
	})
	slices.SortFunc(out.Failed, func(a, b HomeError) int {
		return cmp.Or(strings.Compare(string(a.Agent), string(b.Agent)), strings.Compare(a.Home.Root, b.Home.Root))
	})
	return out, nil
}

// maxSkew is how far a session's time may lie ahead of now: clocks differ.
const maxSkew = 24 * time.Hour

// redate gives a session of another clock, whose time lies ahead by more than
// maxSkew, the time it began, or none where that lies ahead too: it must not
// stay the newest until that day comes. Among those without a time the order
// stays. Where all lie ahead our own clock is wrong, and the times stay. What
// is then older than since is left out.
func redate(sessions []recap.Session, now, since time.Time) []recap.Session {
	end := now.Add(maxSkew)
	late := func(s recap.Session) bool { return s.UpdatedAt.After(end) }
	if !slices.ContainsFunc(sessions, late) || !slices.ContainsFunc(sessions, func(s recap.Session) bool { return !late(s) }) {
		return sessions
	}
	for i := range sessions {
		if s := &sessions[i]; late(*s) {
			if s.UpdatedAt = s.CreatedAt; s.UpdatedAt.After(end) {
				s.CreatedAt, s.UpdatedAt = time.Time{}, time.Time{}
			}
		}
	}
	slices.SortStableFunc(sessions, func(a, b recap.Session) int { return b.UpdatedAt.Compare(a.UpdatedAt) })
	return slices.DeleteFunc(sessions, func(s recap.Session) bool { return s.UpdatedAt.Before(since) })
}

// isExcluded reports whether nothing of the session may be read.
func (e *Engine) isExcluded(s recap.Session) bool { return e.Excluded(s.Directory) }

// Excluded reports whether nothing of a directory may be read: the settings
// or its project's own file take it out.
func (e *Engine) Excluded(dir string) bool {
	if dir == "" {
		return false
	}
	project := e.projects.of(dir)
	if slices.ContainsFunc(*e.exclude.Load(), func(x string) bool { return agent.Within(dir, x) || agent.Within(project, x) }) {
		return true
	}
	return e.o.Excluded != nil && e.off.of(dir, func() bool { return e.o.Excluded(project, dir) })
}

// inProject reports whether a session belongs to the project.
func (e *Engine) inProject(s recap.Session, project string) bool {
	return s.Directory != "" && (agent.Within(s.Project, project) || agent.Within(s.Directory, project))
}

// Newest gives the newest session of the project that dir lies in, and what
// the scan met.
func (e *Engine) Newest(ctx context.Context, dir string) (recap.Session, Listing, error) {
	l, err := e.scan(ctx, Query{})
	if err != nil {
		return recap.Session{}, l, err
	}
	project := e.projects.of(filepath.Clean(dir))
	for _, s := range l.Sessions {
		if e.inProject(s, project) {
			return s, l, nil
		}
	}
	if len(l.Sessions) == 0 {
		return recap.Session{}, l, noSession()
	}
	return recap.Session{}, l, &recap.Error{
		Code: recap.CodeNothing, Message: "no session of any agent in this project",
		Hint: "recap list shows the sessions of all projects",
	}
}

func noSession() error {
	return &recap.Error{
		Code: recap.CodeNothing, Message: "no session of any agent found on this machine",
		Hint: "recap doctor shows where recap looked; recap demo shows sample sessions",
	}
}

// AmbiguousError names the sessions a short name could mean.
type AmbiguousError struct {
	Err        *recap.Error
	Candidates []recap.Session
}

// Error gives the message.
func (e *AmbiguousError) Error() string { return e.Err.Error() }

// Unwrap gives the coded error.
func (e *AmbiguousError) Unwrap() error { return e.Err }

// Find resolves the name of a session: an agent's own id, a unique prefix of
// it, "agent:id", "agent@home:id", or "last".
func (e *Engine) Find(ctx context.Context, name string) (recap.Session, error) {
	q, id := named(name)
	if id == "" {
		return recap.Session{}, notFound()
	}
	if id == "last" {
		q.Archived, q.Subagents, q.Self = false, false, false
	}
	l, err := e.scan(ctx, q)
	if err != nil {
		return recap.Session{}, err
	}
	if id == "last" {
		if len(l.Sessions) == 0 {
			return recap.Session{}, noSession()
		}
		return l.Sessions[0], nil
	}
	found, _ := matches(l.Sessions, id)
	if len(found) == 0 {
		found, _ = matches(e.remembered(ctx, q), id)
	}
	return e.one(found)
}

// FindKept is Find for what is to be forgotten: a session that is excluded, or
// of a source that is switched off, is found too, as long as anything of it is
// stored.
func (e *Engine) FindKept(ctx context.Context, name string) (recap.Session, error) {
	q, id := named(name)
	s, err := e.Find(ctx, name)
	switch code := recap.CodeOf(err); {
	case id == "", id == "last", err == nil && s.Ref.ID == id:
		return s, err
	case err != nil && code != recap.CodeSessionNotFound && code != recap.CodeAmbiguousSession:
		return s, err
	}
	kept, kerr := e.kept(ctx, q)
	if kerr != nil {
		return s, &recap.Error{Code: recap.CodeStore, Message: "the store could not be read", Hint: "recap doctor", Err: kerr}
	}
	found, exact := matches(kept, id)
	if !exact && recap.CodeOf(err) == recap.CodeAmbiguousSession {
		return s, err
	}
	if !exact && err == nil { // its prefix may be another's too
		found = append(slices.DeleteFunc(found, func(x recap.Session) bool { return x.Ref == s.Ref }), s)
	}
	return e.one(found)
}

// named takes the name of a session apart.
func named(name string) (q Query, id string) {
	q = Query{Archived: true, Subagents: true, Self: true}
	if spec, rest, ok := strings.Cut(name, ":"); ok {
		a, home, _ := strings.Cut(spec, "@")
		if slices.Contains(recap.Agents(), recap.Agent(a)) {
			q.Agent, q.Home = recap.Agent(a), home
			return q, rest
		}
	}
	return q, name
}

// matches gives the sessions with that id, else those with that prefix.
func matches(sessions []recap.Session, id string) (found []recap.Session, exact bool) {
	var prefix []recap.Session
	for _, s := range sessions {
		switch {
		case s.Ref.ID == id:
			found = append(found, s)
		case strings.HasPrefix(s.Ref.ID, id):
			prefix = append(prefix, s)
		}
	}
	if len(found) > 0 {
		return found, true
	}
	return prefix, false
}

// one gives the only session of those that were found.
func (e *Engine) one(found []recap.Session) (recap.Session, error) {
	switch len(found) {
	case 0:
		return recap.Session{}, notFound()
	case 1:
		return found[0], nil
	}
	for i, s := range found {
		found[i] = e.cleanSession(s)
	}
	return recap.Session{}, &AmbiguousError{
		Err: &recap.Error{
			Code: recap.CodeAmbiguousSession, Message: strconv.Itoa(len(found)) + " sessions have that name",
			Hint: "give more of the id, or agent:id, or agent@home:id",
		},
		Candidates: found,
	}
}

func notFound() error {
	return &recap.Error{Code: recap.CodeSessionNotFound, Message: "no such session", Hint: "recap list shows the sessions and their ids"}
}

// remembered gives the sessions of the records, also of those whose transcript
// is gone.
func (e *Engine) remembered(ctx context.Context, q Query) []recap.Session {
	recs, err := e.o.Store.Records(ctx, nil)
	if err != nil {
		e.storeTrouble(ctx, err)
		return nil
	}
	var out []recap.Session
	for _, r := range recs {
		if s := e.sessionOf(r); asked(s, q) && !e.isExcluded(s) {
			out = append(out, s)
		}
	}
	return out
}

// asked reports whether a session is of the agent and the home of a query.
func asked(s recap.Session, q Query) bool {
	return (q.Agent == "" || s.Ref.Agent == q.Agent) && (q.Home == "" || s.Home == q.Home)
}

// kept gives every session of which the store has anything that it can name:
// a record, a mark, a line of the ledger.
func (e *Engine) kept(ctx context.Context, q Query) ([]recap.Session, error) {
	var out []recap.Session
	seen := map[recap.SessionRef]bool{{}: true} // of what was forgotten before
	add := func(s recap.Session) {
		if !seen[s.Ref] && asked(s, q) {
			seen[s.Ref] = true
			out = append(out, s)
		}
	}
	recs, err := e.o.Store.Records(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range recs {
		add(e.sessionOf(r))
	}
	for _, name := range []string{store.MarkMuted, store.MarkParked} {
		marked, err := e.o.Store.Marked(ctx, name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		for scope := range marked {
			if ref, ok := store.ScopeRef(scope); ok {
				add(e.sessionOf(recap.Record{Session: ref}))
			}
		}
	}
	entries, err := e.o.Store.Entries(ctx, time.Time{}, 0)
	if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrNoLedger) {
		return nil, err
	}
	for _, x := range entries {
		add(e.sessionOf(recap.Record{Session: x.Session}))
	}
	return out, nil
}

// sessionOf makes a session of a record whose transcript is gone.
func (e *Engine) sessionOf(r recap.Record) recap.Session {
	home := string(r.Session.Agent)
	if src, ok := e.source(r.Session); ok {
		home = src.Home().Name
	}
	return recap.Session{
		Ref: r.Session, Home: home, Title: r.Title, Directory: r.Directory, Project: r.Project, Branch: r.Branch,
		UpdatedAt: r.UpdatedAt, State: recap.StateUnknown,
	}
}

// source finds the source of a session.
func (e *Engine) source(ref recap.SessionRef) (agent.Source, bool) {
	for _, s := range *e.sources.Load() {
		if s.Agent() == ref.Agent && s.Home().Root == ref.Root {
			return s, true
		}
	}
	return nil, false
}

// Resume gives the agent's own command that continues the session.
func (e *Engine) Resume(s recap.Session) (dir string, argv []string, err error) {
	src, ok := e.source(s.Ref)
	if !ok || s.Stamp == "" && s.State == recap.StateUnknown {
		return "", nil, &recap.Error{
			Code: recap.CodeSessionNotFound, Message: "its transcript is gone, so the agent can't continue it", Hint: "recap show prints what recap kept of it",
		}
	}
	r, ok := src.(agent.Resumer)
	if !ok {
		return "", nil, &recap.Error{Code: recap.CodeUnsupported, Message: "this agent has no command that resumes a session"}
	}
	dir, argv = r.ResumeCommand(s)
	if len(argv) == 0 {
		return "", nil, &recap.Error{Code: recap.CodeUnsupported, Message: "no command can name this session safely"}
	}
	return dir, argv, nil
}

// Homes lists where the engine looks.
func (e *Engine) Homes() []HomeError {
	out := make([]HomeError, 0, len(*e.sources.Load()))
	for _, s := range *e.sources.Load() {
		out = append(out, HomeError{Agent: s.Agent(), Home: s.Home()})
	}
	return out
}

// Mute sets or lifts the mute of a session, or of a project where ref is nil.
func (e *Engine) Mute(ctx context.Context, ref *recap.SessionRef, project string, on bool) error {
	scope := e.cleanPath(project)
	if ref != nil {
		scope = store.Scope(*ref)
	}
	value := ""
	if on {
		value = e.o.Now().UTC().Format(time.RFC3339)
	}
	return e.o.Store.SetMark(ctx, store.MarkMuted, scope, value)
}

// muted gives the scopes that are muted.
func (e *Engine) muted(ctx context.Context) map[string]string {
	m, err := e.o.Store.Marked(ctx, store.MarkMuted)
	if err != nil {
		return nil
	}
	return m
}

// mute says by what a session is muted.
type mute int

const (
	notMuted mute = iota
	bySession
	byProject
)

func (m mute) what() string {
	if m == byProject {
		return "its project"
	}
	return "it"
}

// lift is the command that lifts the mute.
func (m mute) lift(s recap.Session) string {
	if m == byProject {
		return "recap mute --project --off, in that project, lifts it"
	}
	return "recap mute --off " + recap.Line(NameOf(s)) + " lifts it"
}

func (e *Engine) muteOf(muted map[string]string, s recap.Session) mute {
	if len(muted) == 0 {
		return notMuted
	}
	if _, ok := muted[store.Scope(s.Ref)]; ok {
		return bySession
	}
	if s.Project != "" {
		if _, ok := muted[e.cleanPath(s.Project)]; ok {
			return byProject
		}
	}
	return notMuted
}

func (e *Engine) isMuted(muted map[string]string, s recap.Session) bool {
	return e.muteOf(muted, s) != notMuted
}
