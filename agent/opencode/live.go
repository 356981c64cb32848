package opencode

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filewatch"
)

// Live follows OpenCode on this machine: its databases, and the servers that
// are named in the settings. A server usually works on a database that is read
// here as well: each session is told of once, under the reference by which it
// is read. Give the same sources to the servers as Local.
//
// What a server's stream says of a session outranks what the database shows,
// while the server is there and has told of the session's newest content. What
// another process writes stands in the database alone.
type Live struct {
	mu      sync.Mutex
	files   []*Source
	servers []*Server
	others  chan struct{} // closed when they are others
}

// NewLive makes a watcher and a mirror of sources and servers; either may be
// missing.
func NewLive(files []*Source, servers []*Server) *Live {
	return &Live{files: files, servers: servers, others: make(chan struct{})}
}

// Renew follows these from now on. Those that were there before go on as they
// are: nothing of them is missed. A server that takes the place of another at
// the same address knows what that one told, and tells what happened meanwhile.
// The sessions of those that are left out are Gone.
func (l *Live) Renew(files []*Source, servers []*Server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files, l.servers = files, servers
	close(l.others)
	l.others = make(chan struct{})
}

func (l *Live) now() ([]*Source, []*Server, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.files, l.servers, l.others
}

// Watch implements agent.Watcher.
func (l *Live) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		j := &joined{yield: yield, of: voices{}, notes: make(chan note)}
		defer j.end()
		defer cancel()
		for {
			files, servers, others := l.now()
			if !j.renew(ctx, files, servers) {
				return
			}
			for same := true; same; {
				select {
				case <-ctx.Done():
					return
				case <-others:
					same = false
				case n := <-j.notes:
					if !j.take(n) {
						return
					}
				}
			}
		}
	}
}

// voice is what was told of a session, and what its database shows.
type voice struct {
	content int64 // the time of the newest content in the database
	session *recap.Session
	last    agent.EventKind // the newest level that was told; 0 for none
	file    agent.EventKind // the newest level of the database
	told    bool
}

// voices are those of all sessions, by root and id.
type voices map[string]map[string]*voice

// of gives the voice of a session, a new one where there is none.
func (l voices) of(ref recap.SessionRef) *voice {
	ids := l[ref.Root]
	if ids == nil {
		ids = map[string]*voice{}
		l[ref.Root] = ids
	}
	v := ids[ref.ID]
	if v == nil {
		v = &voice{}
		ids[ref.ID] = v
	}
	return v
}

func (l voices) all() iter.Seq2[recap.SessionRef, *voice] {
	return func(yield func(recap.SessionRef, *voice) bool) {
		for root, ids := range l {
			for id, v := range ids {
				if !yield(recap.SessionRef{Agent: recap.OpenCode, Root: root, ID: id}, v) {
					return
				}
			}
		}
	}
}

// part is a source or a server that is followed.
type part struct {
	file   *Source
	server *Server // nil of a file
	looked bool
	wake   chan struct{} // ends a server's pause
	stop   func()
	done   chan struct{}
}

// joined makes one telling of many.
type joined struct {
	yield func(agent.Event, error) bool
	of    voices
	parts []*part
	notes chan note
	ready bool // it was said
}

// renew follows what is new and ends what is left out; false where nobody
// listens any more.
func (j *joined) renew(ctx context.Context, files []*Source, servers []*Server) bool {
	var gone []*part
	j.parts = slices.DeleteFunc(j.parts, func(p *part) bool {
		stays := p.server != nil && slices.Contains(servers, p.server) || p.file != nil && slices.Contains(files, p.file)
		if !stays {
			p.stop()
			<-p.done
			gone = append(gone, p)
		}
		return !stays
	})
	for _, f := range files {
		if !slices.ContainsFunc(j.parts, func(p *part) bool { return p.file == f }) {
			j.start(ctx, &part{file: f}, func(ctx context.Context, send func(note) bool) {
				for ev, err := range f.Watch(ctx) {
					if !send(note{event: ev, err: err}) {
						return
					}
				}
			})
		}
	}
	for _, s := range servers {
		if slices.ContainsFunc(j.parts, func(p *part) bool { return p.server == s }) {
			continue
		}
		known := newTracks() // nothing was told to this one
		if i := slices.IndexFunc(gone, func(p *part) bool { return p.server != nil && p.server.c.address() == s.c.address() }); i >= 0 {
			known = gone[i].server.leave(s.cfg.Local)
			gone = slices.Delete(gone, i, i+1)
		}
		p := &part{server: s, wake: make(chan struct{}, 1)}
		j.start(ctx, p, func(ctx context.Context, send func(note) bool) { s.follow(ctx, send, p.wake, known) })
	}
	for _, p := range gone {
		if p.server != nil && !j.broken(p.server) || !j.left(p) {
			return false
		}
	}
	return j.looked(nil)
}

func (j *joined) start(ctx context.Context, p *part, follow func(context.Context, func(note) bool)) {
	p.done = make(chan struct{})
	j.parts = append(j.parts, p)
	ctx, p.stop = context.WithCancel(ctx)
	go func() {
		defer close(p.done)
		follow(ctx, func(n note) bool {
			n.part, n.server = p, p.server
			select {
			case j.notes <- n:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
}

// end waits for all that runs.
func (j *joined) end() {
	for _, p := range j.parts {
		p.stop()
		<-p.done
	}
}

// left tells of the sessions of what is no longer followed.
func (j *joined) left(p *part) bool {
	root := ""
	if p.file != nil {
		root = p.file.cfg.Root
	} else {
		root = p.server.c.address()
	}
	if slices.ContainsFunc(j.parts, func(x *part) bool { return x.file != nil && x.file.cfg.Root == root }) {
		return true
	}
	for ref, v := range j.of.all() {
		if ref.Root == root && !j.tell(agent.Event{Kind: agent.EventGone, Ref: ref}, v) {
			return false
		}
	}
	return true
}

// looked notes that a part has looked, and says Ready when all have.
func (j *joined) looked(p *part) bool {
	if p != nil {
		p.looked = true
	}
	if j.ready || slices.ContainsFunc(j.parts, func(p *part) bool { return !p.looked }) {
		return true
	}
	j.ready = true
	return j.yield(agent.Event{Kind: agent.EventReady}, nil)
}

// take takes a note; false where nobody listens any more.
func (j *joined) take(n note) bool {
	switch {
	case n.broken:
		return j.broken(n.server)
	case n.err != nil:
		return j.yield(agent.Event{}, n.err)
	case n.event.Kind == agent.EventReady:
		return j.looked(n.part)
	}
	v := j.of.of(n.event.Ref)
	if n.server == nil {
		j.rouse()
		return j.fromFile(n.event, v)
	}
	if n.unasked && v.last != agent.EventBusy && v.last != agent.EventBackground {
		return true
	}
	return j.fromServer(n.server, n.event, v)
}

// rouse ends the pauses of servers that are not there: what moved in the
// database may be one of them, back again.
func (j *joined) rouse() {
	for _, p := range j.parts {
		select {
		case p.wake <- struct{}{}: // nil of a file
		default:
		}
	}
}

func (j *joined) fromFile(ev agent.Event, v *voice) bool {
	if ev.Kind == agent.EventGone {
		return j.tell(ev, v)
	}
	v.file = ev.Kind
	if ev.Session != nil {
		v.content, v.session = ev.Session.UpdatedAt.UnixMilli(), ev.Session
	}
	if slices.ContainsFunc(j.parts, func(p *part) bool { return p.server != nil && p.server.outranks(ev.Ref, v.content) }) {
		return true
	}
	return j.tell(ev, v)
}

// outranks reports that the server's stream is there and knows more of a
// session than its database shows.
func (s *Server) outranks(ref recap.SessionRef, content int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tracks.of[ref.ID]
	if t == nil || !s.connected || t.home == nil || t.home.cfg.Root != ref.Root || t.last == 0 {
		return false
	}
	return t.atWork() || content <= t.content
}

func (j *joined) fromServer(s *Server, ev agent.Event, v *voice) bool {
	if ev.Kind == agent.EventIdle {
		s.mu.Lock()
		var content int64
		if t := s.tracks.of[ev.Ref.ID]; t != nil {
			content = t.content
		}
		s.mu.Unlock()
		if (v.file == agent.EventBusy || v.file == agent.EventBackground) && v.content > content {
			return true // another process went on with it
		}
		if slices.ContainsFunc(j.parts, func(p *part) bool { return p.server != nil && p.server != s && p.server.worksOn(ev.Ref) }) {
			return true
		}
	}
	return j.tell(ev, v)
}

// worksOn reports that a session is at work on the server.
func (s *Server) worksOn(ref recap.SessionRef) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tracks.of[ref.ID]
	return t != nil && s.connected && t.home != nil && t.home.cfg.Root == ref.Root && t.atWork()
}

// broken takes the end of a server's stream. It makes no session idle. Only
// where the database shows that the work is over, it is.
func (j *joined) broken(s *Server) bool {
	for ref, v := range j.of.all() {
		if v.file != agent.EventIdle || v.last != agent.EventBusy && v.last != agent.EventBackground {
			continue
		}
		s.mu.Lock()
		t := s.tracks.of[ref.ID]
		was := t != nil && t.home != nil && t.home.cfg.Root == ref.Root && t.atWork() && v.content >= t.content
		s.mu.Unlock()
		if was && !j.tell(agent.Event{Kind: v.file, Ref: ref, Session: v.session}, v) {
			return false
		}
	}
	return true
}

// tell yields an event; a level that was told already is not told again.
func (j *joined) tell(ev agent.Event, v *voice) bool {
	switch ev.Kind {
	case agent.EventGone:
		told := v.told
		delete(j.of[ev.Ref.Root], ev.Ref.ID)
		if !told {
			return true
		}
	case agent.EventUserMessage:
		v.told = true
		if v.last == agent.EventIdle {
			v.last = 0
		}
	default:
		if ev.Kind == v.last {
			return true
		}
		v.told, v.last = true, ev.Kind
	}
	return j.yield(ev, nil)
}

// PutRecord implements agent.Mirror: the server that told of the session
// writes, else the first that knows it.
func (l *Live) PutRecord(ctx context.Context, ref recap.SessionRef, r recap.Record) error {
	var candidates, others []*Server
	_, servers, _ := l.now()
	for _, s := range servers {
		switch knows, may := s.serves(ref); {
		case knows:
			candidates = append(candidates, s)
		case may:
			others = append(others, s)
		}
	}
	err := agent.ErrNoMirror
	for _, s := range append(candidates, others...) {
		e := s.put(ctx, ref.ID, r)
		if e == nil || ctx.Err() != nil || errors.Is(e, errMovedOn) || errors.Is(e, errOccupied) {
			return e
		}
		if errors.Is(err, agent.ErrNoMirror) {
			err = e
		}
	}
	return err
}

// serves reports that the server told of a session, or that it may have it.
func (s *Server) serves(ref recap.SessionRef) (knows, may bool) {
	if ref.Agent != recap.OpenCode {
		return false, false
	}
	if ref.Root == s.c.address() {
		return true, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.connected {
		return false, false
	}
	if t := s.tracks.of[ref.ID]; t != nil && t.home != nil && t.home.cfg.Root == ref.Root {
		return true, true
	}
	for _, src := range s.cfg.Local {
		if src.cfg.Root == ref.Root {
			return false, s.same == nil || s.same == src
		}
	}
	return false, false
}

var (
	_ agent.Watcher = (*Live)(nil)
	_ agent.Mirror  = (*Live)(nil)
	_ agent.Watcher = (*Source)(nil)
)

// Watch follows the server alone.
func (s *Server) Watch(ctx context.Context) iter.Seq2[agent.Event, error] { return s.live.Watch(ctx) }

// Watch implements agent.Watcher by the databases: it looks again when one of
// them was written to. This is how sessions of terminals are followed, which
// no server tells of.
func (s *Source) Watch(ctx context.Context) iter.Seq2[agent.Event, error] {
	cfg := s.cfg
	cfg.Index = filewatch.Remember(cfg.Index)
	own := New(cfg)
	own.rests = s.rests
	dir := cfg.Root
	name := ""
	if cfg.DB != "" && cfg.DB != memoryDB {
		dir, name = filepath.Split(cfg.DB)
		dir = filepath.Clean(dir)
	}
	return filewatch.Watch(ctx, filewatch.Config{
		Roots: []filewatch.Root{{Path: dir, Keep: func(rel string, isDir bool) bool {
			db := strings.TrimSuffix(rel, "-wal")
			if isDir || strings.Contains(rel, "/") || !strings.HasSuffix(db, ".db") && name == "" {
				return false
			}
			return name == "" && strings.HasPrefix(db, "opencode") || db == name
		}}},
		List: func(ctx context.Context) iter.Seq2[recap.Session, error] {
			return func(yield func(recap.Session, error) bool) {
				for ses, err := range own.Sessions(ctx, agent.Query{Exclude: cfg.Exclude}) {
					if err == nil && ses.UpdatedAt.Before(ses.CreatedAt) {
						continue // a fork in which nothing happened yet
					}
					if recap.CodeOf(err) == recap.CodeUnsupported && justMade(err) {
						continue // its tables are being made
					}
					if !yield(ses, err) {
						return
					}
				}
			}
		},
	})
}

// justMade reports that a file with a problem was written a moment ago.
func justMade(err error) bool {
	p, ok := errors.AsType[*agent.Problem](err)
	if !ok {
		return false
	}
	id, err := statFile(p.Path)
	return err == nil && id.exists && time.Since(time.Unix(0, id.mod)) < 10*time.Second
}
