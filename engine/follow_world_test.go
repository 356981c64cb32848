package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/outbound"
	"github.com/sessionrecap/recap/store"
)

// followed world: sessions that move by virtual time, one model for all, and
// daemons that follow them over one store. It judges each write as it happens.
type liveWorld struct {
	mu       sync.Mutex
	names    []string
	sessions map[string]*liveSession
	store    store.Store
	settings engine.FollowSettings

	feeds   map[*feed]bool
	calls   int // model calls begun
	caller  *daemon
	stored  map[string]map[int64]bool
	flaws   []string
	written []string // what was written, in order
	told    []string // what was announced, in order

	exact bool // no reading lags: what is read is so at that time
	// flying are the calls under way, by session and tail.
	flying map[string][]call

	// How the outside behaves; nil for at once and well.
	model func(ctx context.Context, n int, id string) (llm.Response, error)
	page  func(ctx context.Context, id string) error
	list  func(ctx context.Context) error
	lag   func() time.Duration // of an event
}

// call is a model call under way.
type call struct {
	ctx context.Context //nolint:containedctx // it tells whether the call was ended
	d   *daemon
	n   int
}

type liveSession struct {
	id      string
	turns   int
	records []recap.Message
	state   recap.State
	moved   time.Time // the newest activity
	gone    bool
	ses     recap.Session
	mirror  []recap.Record
}

const liveRoot = "/home/dev/.opencode"

func newLiveWorld(st store.Store, n int) *liveWorld {
	w := &liveWorld{
		sessions: map[string]*liveSession{}, store: st, flying: map[string][]call{}, exact: true, feeds: map[*feed]bool{}, stored: map[string]map[int64]bool{},
		settings: engine.FollowSettings{Recap: true, Suggestion: true, Auto: true, Window: time.Minute},
	}
	for i := range n {
		id := fmt.Sprintf("s%d", i+1)
		w.names = append(w.names, id)
		s := &liveSession{id: id, state: recap.StateIdle}
		s.ses = recap.Session{
			Ref: recap.SessionRef{Agent: recap.OpenCode, Root: liveRoot, ID: id}, Title: "session " + id, Directory: "/home/dev/src/" + id,
			Model: recap.ModelRef{Provider: "anthropic", ID: "claude-opus-4-5"},
		}
		w.sessions[id] = s
		s.turn(time.Now().Add(-time.Hour))
	}
	return w
}

// turn adds a whole turn at once.
func (s *liveSession) turn(at time.Time) {
	s.ask(at)
	s.answer(at)
}

func (s *liveSession) ask(at time.Time) {
	s.turns++
	s.records = append(slices.Clip(s.records), recap.Message{
		ID: fmt.Sprintf("%s-u%d", s.id, s.turns), Role: recap.RoleUser, Created: at,
		Parts: []recap.Part{{Kind: recap.PartText, Text: fmt.Sprintf("Rename the file %s%d.go to %sb%d.go, please.", s.id, s.turns, s.id, s.turns)}},
	})
	s.state, s.moved = recap.StateBusy, at
	s.ses.UpdatedAt = at
}

func (s *liveSession) answer(at time.Time) {
	s.records = append(slices.Clip(s.records), recap.Message{
		ID: fmt.Sprintf("%s-a%d", s.id, s.turns), Role: recap.RoleAssistant, Created: at, Completed: at, Finish: recap.FinishStop,
		Parts: []recap.Part{{Kind: recap.PartText, Text: s.result()}},
	})
	s.state = recap.StateIdle
	s.ses.UpdatedAt = at
}

// result is what the newest answer says: the tail in words.
func (s *liveSession) result() string {
	return fmt.Sprintf("The file %s%d.go is called %sb%d.go now.", s.id, s.turns, s.id, s.turns)
}

func (s *liveSession) session() recap.Session {
	x := s.ses
	x.State, x.Stamp = s.state, fmt.Sprintf("%s.%d.%d", s.state, len(s.records), s.moved.UnixNano())
	return x
}

// flaw notes what must not be. The lock is held.
func (w *liveWorld) flaw(format string, args ...any) {
	w.flaws = append(w.flaws, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// tell sends an event to every daemon that follows.
func (w *liveWorld) tell(id string, kind agent.EventKind) {
	s := w.sessions[id]
	ses := s.session()
	ev := agent.Event{Kind: kind, Ref: s.ses.Ref, Session: &ses}
	if kind == agent.EventUserMessage {
		ev.MessageID, ev.Created = s.lastUser()
	}
	for f := range w.feeds {
		lag := time.Duration(0)
		if w.lag != nil {
			lag = w.lag()
		}
		f.put(ev, lag)
	}
}

func (s *liveSession) lastUser() (string, time.Time) {
	for _, m := range slices.Backward(s.records) {
		if m.Role == recap.RoleUser {
			return m.ID, m.Created
		}
	}
	return "", time.Time{}
}

// prompt begins a turn, done ends it, both as a server tells it.
func (w *liveWorld) prompt(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sessions[id].ask(time.Now())
	w.tell(id, agent.EventUserMessage)
	w.tell(id, agent.EventBusy)
}

func (w *liveWorld) finish(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.sessions[id]; s.state == recap.StateBusy {
		s.answer(time.Now())
	}
	w.tell(id, agent.EventIdle)
}

// say repeats an event without content.
func (w *liveWorld) say(id string, kind agent.EventKind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tell(id, kind)
}

func (w *liveWorld) change(id string, f func(*liveSession)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w.sessions[id])
}

func (w *liveWorld) allow(f func(*engine.FollowSettings)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(&w.settings)
}

// daemon follows the world.
type daemon struct {
	w     *liveWorld
	name  string
	eng   *engine.Engine
	feed  *feed
	stop  context.CancelFunc
	ended chan struct{}
	began time.Time

	mu    sync.Mutex
	dead  bool // a crash: nothing it does has an effect any more
	steps int
	crash int // dies at that step, 0 for never
}

// errDead is what the calls of a daemon that crashed give.
var errDead = errors.New("crashed")

// step counts one thing that a daemon does outside itself.
func (d *daemon) step() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps++
	if d.crash > 0 && d.steps >= d.crash {
		d.dead = true
	}
	if d.dead {
		return errDead
	}
	return nil
}

func (d *daemon) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.steps
}

func (d *daemon) alive() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.dead
}

// liveNow is the wall clock of that world.
func liveNow() time.Time { return time.Now().UTC().Round(0) }

func (w *liveWorld) start(name string, crash int) *daemon {
	d := &daemon{w: w, name: name, ended: make(chan struct{}), began: time.Now(), crash: crash}
	d.feed = &feed{w: w, d: d, more: make(chan struct{}, 1)}
	k := &engine.Asking{
		Sender: engine.Resting(liveModel{d}, liveStore{w.store, d}, liveNow, nil), Catalogue: llm.Catalogue(), Own: []llm.Provider{ownProvider()}, Env: func(string) string { return "" }, Owner: name,
	}
	d.eng = engine.New(engine.Options{
		Sources: []agent.Source{liveSource{d}}, Store: liveStore{w.store, d}, Now: liveNow,
		Asking: func() *engine.Asking { return k },
	})
	w.mu.Lock()
	w.feeds[d.feed] = true
	w.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	go func() {
		defer close(d.ended)
		err := d.eng.Follow(ctx, engine.FollowOptions{
			Watchers: []agent.Watcher{d.feed},
			Settings: func() engine.FollowSettings {
				w.mu.Lock()
				defer w.mu.Unlock()
				return w.settings
			},
			Changed: d.announced,
		})
		if err != nil {
			w.mu.Lock()
			w.flaw("follow: %v", err)
			w.mu.Unlock()
		}
	}()
	return d
}

// announced hears of a record.
func (d *daemon) announced(r recap.Record) {
	if !d.alive() {
		return
	}
	d.w.mu.Lock()
	defer d.w.mu.Unlock()
	d.w.told = append(d.w.told, fmt.Sprintf("%s %s", r.Source, time.Since(d.began).Truncate(time.Second)))
}

// end stops a daemon and waits for it.
func (d *daemon) end() {
	d.w.mu.Lock()
	delete(d.w.feeds, d.feed)
	d.w.mu.Unlock()
	d.stop()
	<-d.ended
}

// kill ends a daemon as a crash does.
func (d *daemon) kill() {
	d.mu.Lock()
	d.dead = true
	d.mu.Unlock()
	d.end()
}

// feed is the watcher of one daemon, and its mirror.
type feed struct {
	w    *liveWorld
	d    *daemon
	mu   sync.Mutex
	todo []agent.Event
	more chan struct{}
}

func (f *feed) put(ev agent.Event, lag time.Duration) {
	add := func() {
		f.mu.Lock()
		f.todo = append(f.todo, ev)
		f.mu.Unlock()
		select {
		case f.more <- struct{}{}:
		default:
		}
	}
	if lag > 0 {
		// Not AfterFunc: what it runs in a bubble makes the race detector of Go
		// 1.26 crash after some thousands (golang.org/issue/78156).
		go func() {
			time.Sleep(lag)
			add()
		}()
		return
	}
	add()
}

func (f *feed) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		if !yield(agent.Event{Kind: agent.EventReady}, nil) {
			return
		}
		for {
			f.mu.Lock()
			todo := f.todo
			f.todo = nil
			f.mu.Unlock()
			for _, ev := range todo {
				if !yield(ev, nil) {
					return
				}
			}
			select {
			case <-f.more:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (f *feed) PutRecord(_ context.Context, ref recap.SessionRef, r recap.Record) error {
	if err := f.d.step(); err != nil {
		return err
	}
	f.w.mu.Lock()
	defer f.w.mu.Unlock()
	s := f.w.sessions[ref.ID]
	f.w.judge(f.d.name+" mirrors", ref, r)
	s.mirror = append(s.mirror, r)
	return nil
}

// judge looks whether a write is of the session as it is now. The lock is held.
func (w *liveWorld) judge(what string, ref recap.SessionRef, r recap.Record) {
	s := w.sessions[ref.ID]
	last := s.records[len(s.records)-1].ID
	w.written = append(w.written, fmt.Sprintf("%s %s %s %s", time.Now().UTC().Format("15:04:05.000"), what, r.Source, r.ForMessageID))
	switch {
	case r.Session != ref || !strings.HasPrefix(r.ForMessageID, ref.ID+"-"):
		w.flaw("%s into %s what is of %s (%s)", what, ref.ID, r.Session.ID, r.ForMessageID)
	case r.ForMessageID != last:
		w.flaw("%s %s of %s, which went on to %s", what, r.Source, r.ForMessageID, last)
	case !w.settings.Recap && !w.settings.Suggestion:
		w.flaw("%s %s of %s, and all is off", what, r.Source, r.ForMessageID)
	case w.exact && s.state == recap.StateBusy:
		w.flaw("%s %s of %s, which is at work", what, r.Source, r.ForMessageID)
	case r.Source != recap.FromModel:
	case s.ses.Archived, s.ses.Reverted, s.gone, s.ses.Directory != r.Directory:
		w.flaw("%s %s of %s, which is archived, reverted, gone or moved", what, r.Source, r.ForMessageID)
	}
}

// liveSource reads the world for one daemon.
type liveSource struct{ d *daemon }

func (s liveSource) Agent() recap.Agent { return recap.OpenCode }

func (s liveSource) Home() agent.Home {
	return agent.Home{Name: "opencode", Root: liveRoot, Origin: "default", Found: true}
}

func (s liveSource) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		err := s.d.step()
		if err == nil && s.d.w.list != nil {
			err = s.d.w.list(ctx)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(recap.Session{}, err)
			return
		}
		s.d.w.mu.Lock()
		all := make([]recap.Session, 0, len(s.d.w.names))
		for _, id := range s.d.w.names {
			if x := s.d.w.sessions[id]; !x.gone && (q.Archived || !x.ses.Archived) {
				all = append(all, x.session())
			}
		}
		s.d.w.mu.Unlock()
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

func (s liveSource) Page(ctx context.Context, ref recap.SessionRef, _ agent.Cursor, _ int) (agent.Page, error) {
	err := s.d.step()
	if err == nil && s.d.w.page != nil {
		err = s.d.w.page(ctx, ref.ID)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return agent.Page{}, err
	}
	s.d.w.mu.Lock()
	defer s.d.w.mu.Unlock()
	x := s.d.w.sessions[ref.ID]
	if x == nil || x.gone {
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "gone"}
	}
	return agent.Page{Records: x.records}, nil
}

// liveModel answers with the truth about the session as it was when asked. The
// number of the call stands in the usage.
type liveModel struct{ d *daemon }

func (m liveModel) Send(ctx context.Context, c outbound.Call) (llm.Response, error) {
	if err := m.d.step(); err != nil {
		return llm.Response{}, err
	}
	w := m.d.w
	w.mu.Lock()
	w.calls++
	w.caller = m.d
	n := w.calls
	text := w.sessions[c.Session.ID].result()
	for _, x := range w.flying[text] {
		if x.ctx.Err() == nil && x.d.alive() {
			w.flaw("%s calls about %q beside %s", m.d.name, text, x.d.name)
		}
	}
	w.flying[text] = append(w.flying[text], call{ctx, m.d, n})
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.flying[text] = slices.DeleteFunc(w.flying[text], func(x call) bool { return x.n == n })
	}()
	model := w.model
	w.mu.Unlock()
	res := llm.Response{
		Text: fields("recap", text, "away", text, "suggestion", ""), Finish: recap.FinishStop,
		Usage: recap.Usage{InputTokens: int64(n), OutputTokens: 60},
	}
	if model != nil {
		other, err := model(ctx, n, c.Session.ID)
		if err != nil {
			return llm.Response{}, err
		}
		if other.Text != "" {
			res.Text = other.Text
		}
	}
	if err := ctx.Err(); err != nil {
		return llm.Response{}, &llm.Error{Code: recap.CodeCanceled, Provider: "anthropic", Err: err}
	}
	if !m.d.alive() {
		return llm.Response{}, errDead
	}
	return res, nil
}

// liveStore is the store as one daemon sees it: a daemon that crashed has no
// effect on it any more.
type liveStore struct {
	store.Store
	d *daemon
}

func (s liveStore) Put(ctx context.Context, r recap.Record, cond store.Condition) error {
	if err := s.d.step(); err != nil {
		return err
	}
	w := s.d.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := s.Store.Put(ctx, r, cond); err != nil {
		return err
	}
	w.judge(s.d.name+" stores", r.Session, r)
	if r.Source == recap.FromModel {
		if by := r.FieldSources; w.fresh(r) && (!w.settings.Auto || by[recap.FieldRecap] == recap.FromModel && !w.settings.Recap) {
			w.flaw("%s stores call %d of %s, which the settings forbid", s.d.name, r.Usage.InputTokens, r.Session.ID)
		}
		if w.stored[r.Fingerprint] == nil {
			w.stored[r.Fingerprint] = map[int64]bool{}
		}
		w.stored[r.Fingerprint][r.Usage.InputTokens] = true
		if n := len(w.stored[r.Fingerprint]); n > 1 {
			w.flaw("%s stores call %d, the %dth of one tail of %s", s.d.name, r.Usage.InputTokens, n, r.Session.ID)
		}
	}
	return nil
}

func (s liveStore) Record(ctx context.Context, ref recap.SessionRef) (recap.Record, error) {
	if err := s.d.step(); err != nil {
		return recap.Record{}, err
	}
	return s.Store.Record(ctx, ref)
}

func (s liveStore) Claim(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	if err := s.d.step(); err != nil {
		return err
	}
	return s.Store.Claim(ctx, c, now, lease)
}

func (s liveStore) Renew(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	if err := s.d.step(); err != nil {
		return err
	}
	return s.Store.Renew(ctx, c, now, lease)
}

func (s liveStore) Release(ctx context.Context, c store.Claim) error {
	if err := s.d.step(); err != nil {
		return err
	}
	return s.Store.Release(ctx, c)
}

func (s liveStore) Decide(ctx context.Context, x store.Decision) error {
	if err := s.d.step(); err != nil {
		return err
	}
	return s.Store.Decide(ctx, x)
}

func (s liveStore) SetMark(ctx context.Context, name, scope, value string) error {
	if err := s.d.step(); err != nil {
		return err
	}
	return s.Store.SetMark(ctx, name, scope, value)
}

// fresh reports whether a model's record is stored for the first time. The lock
// is held.
func (w *liveWorld) fresh(r recap.Record) bool { return !w.stored[r.Fingerprint][r.Usage.InputTokens] }

// record is what is stored of a session.
func (w *liveWorld) record(id string) (recap.Record, bool) {
	r, err := w.store.Record(context.Background(), w.sessions[id].ses.Ref)
	return r, err == nil
}

// sleep waits for virtual time, or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// What tests ask while daemons are at work.

func (w *liveWorld) called() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls
}

func (w *liveWorld) last() *daemon {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.caller
}

func (w *liveWorld) log() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.written)
}

func (w *liveWorld) announced() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.told)
}

func (w *liveWorld) mirrored(id string) []recap.Record {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sessions[id].mirror)
}

func (w *liveWorld) result(id string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sessions[id].result()
}
