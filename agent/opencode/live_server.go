package opencode

import (
	"context"
	"errors"
	"net/http"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

const (
	// Pauses between connections, before they are spread by chance.
	firstRest   = time.Second
	longestRest = time.Minute
	// backRest is the longest before a server that was there is tried again.
	backRest = 5 * time.Second
	// goodAfter is how long a connection has to hold for the pauses to begin
	// anew.
	goodAfter = time.Minute
	// queued is how many signals wait while something is asked.
	queued = 256

	// What is asked at most when a server is there again.
	maxDirs, maxLooks = 32, 32
	// lately is how far back sessions at work are looked for at first.
	lately = time.Hour
	// slackOf is how much earlier than the break changes are looked for.
	slackOf = time.Minute
)

// note is what a server or a file source told.
type note struct {
	part   *part
	server *Server // nil of a file source
	event  agent.Event
	err    error
	broken bool // the server's stream is no longer there
	// unasked: see happening.
	unasked bool
}

// follow keeps a stream open and sends what it tells, until ctx is over. wake
// ends a pause, known is what was told before. Who follows a server that is
// followed waits for the end of that.
//
// It says Ready when it has looked, or could not: once.
func (s *Server) follow(ctx context.Context, send func(note) bool, wake <-chan struct{}, known *tracks) {
	select {
	case s.follower <- struct{}{}:
	case <-ctx.Done():
		return
	}
	s.mu.Lock()
	s.tracks = known
	if known.began.IsZero() {
		known.began = time.Now()
	}
	s.mu.Unlock()
	ready := false
	looked := func() bool {
		was := ready
		ready = true
		return was || send(note{event: agent.Event{Kind: agent.EventReady}})
	}
	defer func() {
		s.mu.Lock()
		s.connected = false
		s.mu.Unlock()
		<-s.follower
	}()
	pause := firstRest
	told := ""
	for ctx.Err() == nil {
		begun := time.Now()
		err := s.connect(ctx, func(n note) bool {
			told = "" // it works
			return send(n)
		}, looked)
		s.mu.Lock()
		was := s.connected
		s.connected = false
		s.mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		s.heard(err)
		if was && !send(note{broken: true}) {
			return
		}
		if p := s.fault(err); p.Reason != told {
			told = p.Reason
			if !send(note{err: p}) {
				return
			}
		}
		if !looked() {
			return
		}
		switch {
		case was && time.Since(begun) > goodAfter:
			pause = firstRest
		case was:
			pause = min(pause, backRest)
		}
		t := time.NewTimer(pause/2 + time.Duration(s.cfg.Rand()*float64(pause/2)))
		select {
		case <-ctx.Done():
		case <-t.C:
		case <-wake: // its database moved: it may be back
		}
		t.Stop()
		pause = min(2*pause, longestRest)
	}
}

// connect follows the server until something breaks. looked is told when the
// levels were read.
func (s *Server) connect(ctx context.Context, send func(note) bool, looked func() bool) error {
	// Before anything else it must be seen to answer: one that is starting
	// takes connections and forgets them.
	if err := s.c.health(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan signal, queued)
	ended := make(chan error, 1)
	go func() {
		ended <- s.c.stream(ctx, func(sig signal) error {
			select {
			case signals <- sig:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
		close(signals)
	}()
	defer func() { // the reader is gone when this returns
		cancel()
		for range signals {
		}
	}()
	f := &following{s: s, send: send, looked: looked}
	for sig := range signals {
		if err := f.take(ctx, sig); err != nil {
			return err
		}
	}
	return <-ended
}

// following is one connection to a server.
type following struct {
	s      *Server
	send   func(note) bool
	looked func() bool
}

var errStop = errors.New("nobody listens")

// take takes a signal. An error is one that breaks the connection.
func (f *following) take(ctx context.Context, sig signal) error {
	s := f.s
	if !s.connected { // only this goroutine sets it
		if err := f.again(ctx); err != nil {
			return err
		}
		if !f.looked() {
			return errStop
		}
	}
	s.mu.Lock()
	s.tracks.heard = time.Now()
	s.mu.Unlock()
	switch sig.kind {
	case sigAlive:
		return f.tick(ctx)
	case sigDisposed:
		s.mu.Lock()
		s.tracks.doubt(sig.dir)
		s.mu.Unlock()
		return nil
	case sigSession:
		if err := f.know(ctx, sig.info.parent); err != nil {
			return err
		}
	case sigDeleted:
	default:
		if err := f.know(ctx, sig.session); err != nil {
			return err
		}
	}
	s.mu.Lock()
	got := append([]happening(nil), s.tracks.apply(sig, time.Now())...)
	s.mu.Unlock()
	return f.tell(ctx, got)
}

// know asks for a session that nothing is known of, and for its parents.
func (f *following) know(ctx context.Context, id string) error {
	for range maxFamily {
		if id == "" {
			return nil
		}
		f.s.mu.Lock()
		t := f.s.tracks.get(id)
		known, up := t.known, t.few().parent
		f.s.mu.Unlock()
		if !known {
			i, err := f.s.c.session(ctx, id)
			if err != nil {
				return f.grave(ctx, err)
			}
			i.metadata = nil
			f.s.mu.Lock()
			f.s.tracks.learn(i)
			f.s.mu.Unlock()
			up = i.parent
		}
		id = up
	}
	return nil
}

// grave keeps an error that concerns the server, and drops one that concerns a
// session or a directory.
func (f *following) grave(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, ok := errors.AsType[*recap.Error](err); ok && e.Err != nil || recap.CodeOf(err) == recap.CodeConfig {
		return err
	}
	return nil
}

// tell sends what happened, under the reference by which each session is read.
func (f *following) tell(ctx context.Context, list []happening) error {
	s := f.s
	for _, h := range list {
		s.mu.Lock()
		t := s.tracks.of[h.id]
		if t == nil { // deleted: it was placed when it was told of
			t = s.tracks.left
		}
		placed, dir := t.placed, t.dir
		s.mu.Unlock()
		if agent.Excluded(dir, s.cfg.Exclude) {
			continue
		}
		if !placed {
			home, err := s.locate(ctx, h.id)
			if err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				s.mu.Lock()
				o := t.own()
				o.held = append(o.held[max(0, len(o.held)-7):], h)
				s.tracks.due[h.id] = true
				s.mu.Unlock()
				continue
			}
			s.mu.Lock()
			t.placed, t.home = true, home
			s.mu.Unlock()
		}
		s.mu.Lock()
		i, home := t.info(h.id), t.home
		s.mu.Unlock()
		ses := s.asSession(i)
		if home != nil {
			switch h.kind {
			case agent.EventIdle:
				home.rests.note(h.id, ses.UpdatedAt)
			case agent.EventBusy, agent.EventBackground:
				home.rests.clear(h.id)
			}
			ses.Ref.Root, ses.Home = home.cfg.Root, home.cfg.Name
			ses.Stamp = ""
		}
		ev := agent.Event{Kind: h.kind, Ref: ses.Ref, Session: &ses, MessageID: h.message}
		if h.kind == agent.EventUserMessage {
			ev.Created = timeOf(h.created)
		}
		if !f.send(note{event: ev, unasked: h.unasked}) {
			return errStop
		}
	}
	return nil
}

// tick looks after what is due: what moved and was followed by no work, what
// may no longer wait, and what could not be placed.
func (f *following) tick(ctx context.Context) error {
	s := f.s
	now := time.Now()
	s.mu.Lock()
	held, dirs := s.tracks.overdue(now)
	s.mu.Unlock()
	if err := f.tell(ctx, held); err != nil {
		return err
	}
	for dir, ids := range dirs {
		busy, asked, err := f.levels(ctx, dir)
		if err != nil {
			if err := f.grave(ctx, err); err != nil {
				return err
			}
			continue
		}
		for _, id := range ids {
			s.mu.Lock()
			got := append([]happening(nil), s.tracks.settle(id, busy[id] != "", asked[id])...)
			s.mu.Unlock()
			if err := f.tell(ctx, got); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *following) levels(ctx context.Context, dir string) (busy map[string]string, asked map[string][]string, err error) {
	if busy, err = f.s.c.statuses(ctx, dir); err != nil {
		return nil, nil, err
	}
	asked, err = f.s.c.asked(ctx, dir)
	return busy, asked, err
}

// again reads the levels of a server that is there, or there again, and tells
// what happened meanwhile.
func (f *following) again(ctx context.Context) error {
	s := f.s
	now := time.Now()
	s.mu.Lock()
	m := s.tracks
	first := m.heard.IsZero()
	since := m.heard.Add(-slackOf)
	moved := since // content that is newer is new
	if first {
		since, moved = now.Add(-lately), m.began
		m.since = now.Add(s.c.ahead() - slackOf/2).UnixMilli()
	}
	since, moved = since.Add(s.c.ahead()), moved.Add(s.c.ahead())
	var atWork []string
	for id, t := range m.of {
		if t.atWork() {
			atWork = append(atWork, id)
		}
	}
	s.mu.Unlock()

	look := map[string]map[string]bool{} // sessions by directory
	add := func(dir, id string) {
		if dir == "" || agent.Excluded(dir, s.cfg.Exclude) || look[dir] == nil && len(look) >= maxDirs {
			return
		}
		if look[dir] == nil {
			look[dir] = map[string]bool{}
		}
		look[dir][id] = true
	}
	for _, id := range atWork {
		i, err := s.c.session(ctx, id)
		if errors.Is(err, errNotFound) {
			s.mu.Lock()
			got := append([]happening(nil), m.apply(signal{kind: sigDeleted, session: id}, now)...)
			s.mu.Unlock()
			if err := f.tell(ctx, got); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			if err := f.grave(ctx, err); err != nil {
				return err
			}
			continue
		}
		if err := f.changed(ctx, i); err != nil {
			return err
		}
		add(i.dir, id)
	}
	changed, err := f.changes(ctx, since, moved)
	if err != nil {
		return err
	}
	still := map[string]bool{} // since before following began
	for _, i := range changed {
		add(i.dir, i.id)
		still[i.id] = i.updated < moved.UnixMilli()
	}
	looks := 0
	for dir, ids := range look {
		busy, asked, err := f.levels(ctx, dir)
		if err != nil {
			if err := f.grave(ctx, err); err != nil {
				return err
			}
			continue
		}
		for id := range busy {
			ids[id] = true
		}
		for id := range ids {
			if busy[id] != "" {
				if err := f.know(ctx, id); err != nil {
					return err
				}
			}
			if busy[id] == "" && !still[id] {
				if looks++; looks <= maxLooks {
					if err := f.content(ctx, id, moved, now); err != nil {
						return err
					}
				}
			}
			s.mu.Lock()
			var got []happening
			if t := m.of[id]; t != nil && (busy[id] != "" || t.atWork() || t.moved != 0) {
				got = append(got, m.settle(id, busy[id] != "", asked[id])...)
			}
			s.mu.Unlock()
			if err := f.tell(ctx, got); err != nil {
				return err
			}
		}
	}
	s.mu.Lock()
	s.connected = true
	s.mu.Unlock()
	s.heard(nil)
	return nil
}

// changes lists the sessions that were touched since, where no database of
// this machine tells that. Of those that were touched later than told it is
// told what they are now.
func (f *following) changes(ctx context.Context, since, told time.Time) ([]info, error) {
	s := f.s
	s.mu.Lock()
	same := s.same
	s.mu.Unlock()
	if same != nil {
		return nil, nil
	}
	list, _, err := s.c.sessions(ctx, since.UnixMilli(), 0, true, false, listPage)
	if err != nil {
		return nil, err
	}
	var out []info
	for _, i := range list {
		home, err := s.locate(ctx, i.id)
		if err != nil || home != nil {
			return nil, ctx.Err() // its database tells
		}
		i.metadata = nil
		s.mu.Lock()
		t := s.tracks.of[i.id]
		moved := t == nil || !t.known || i.updated > t.updated
		s.mu.Unlock()
		if i.updated >= told.UnixMilli() {
			if err := f.changed(ctx, i); err != nil {
				return nil, err
			}
		}
		if moved && i.parent == "" && !i.archived {
			out = append(out, i)
		}
	}
	return out, nil
}

// changed takes what a session is now.
func (f *following) changed(ctx context.Context, i info) error {
	i.metadata = nil
	f.s.mu.Lock()
	got := append([]happening(nil), f.s.tracks.apply(signal{kind: sigSession, session: i.id, info: i}, time.Now())...)
	f.s.mu.Unlock()
	return f.tell(ctx, got)
}

// content looks whether the content of a session moved while the server was
// not heard. What has no end is not idle.
func (f *following) content(ctx context.Context, id string, since, now time.Time) error {
	s := f.s
	var page agent.Page
	list, _, _, err := s.messages(ctx, id, "", 1, &page)
	if err != nil {
		return f.grave(ctx, err)
	}
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	at := max(last.Created.UnixMilli(), last.Completed.UnixMilli())
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tracks.of[id]
	if t == nil || at <= t.content || t.content == 0 && at < since.UnixMilli() {
		return nil
	}
	t.content = at
	over := !last.Completed.IsZero() && last.Finish != recap.FinishToolCalls || last.Failure != nil || last.Interrupted
	if over && last.Role == recap.RoleAssistant && !t.atWork() {
		t.moved = now.UnixMilli()
	}
	return nil
}

// ahead is how far the server's clock is ahead of ours.
func (c *client) ahead() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skew
}

// clock compares the server's clock with ours.
func (c *client) clock(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return
	}
	skew := time.Until(at)
	if skew.Abs() < 2*time.Second {
		skew = 0 // the header counts seconds
	}
	c.mu.Lock()
	c.skew = skew
	c.mu.Unlock()
}
