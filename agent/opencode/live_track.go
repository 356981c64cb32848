package opencode

import (
	"hash/fnv"
	"slices"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

const (
	// settleFor is how long a change of an idle session waits for the work that
	// usually follows it, before it is told of as work that is over.
	settleFor = 15 * time.Second
	// maxTracks is how many sessions of a server are remembered; beyond it
	// those that rest are forgotten.
	maxTracks = 20_000
	// maxFamily bounds how far up the parents of a subagent are followed.
	maxFamily = 16
)

// work is what a server says of a session.
type work uint8

const (
	workUnknown work = iota // it said nothing
	workIdle
	workBusy
)

// track is what a server's stream told of a session. There are many: it is
// kept small.
type track struct {
	dir              string // one text for all sessions of a directory
	more             *more  // nil where there is nothing of it
	home             *Source
	created, updated int64
	// content is the time of the newest content, in Unix milliseconds.
	content int64
	user    uint64 // hash of the id of the newest message of the person
	userAt  int64
	moved   int64 // when content moved while it rested, in Unix milliseconds; 0: it did not, or work followed
	work    work
	last    agent.EventKind // the newest level that was told

	archived bool
	known    bool // what the session is was seen
	placed   bool // home is right
	compact  bool
	told     bool // an event was made of it, and no Gone since
	doubtful bool // whether it works, or waits, has to be asked
}

// more is what few sessions have.
type more struct {
	parent, revert string
	asked          map[string]bool
	kids           map[string]bool // subagents at work
	held           []happening     // not told yet: it could not be placed
}

// few gives what few sessions have, for reading.
func (t *track) few() more {
	if t.more == nil {
		return more{}
	}
	return *t.more
}

// own gives what few sessions have, for writing.
func (t *track) own() *more {
	if t.more == nil {
		t.more = &more{}
	}
	return t.more
}

func (t *track) ask(id string) {
	o := t.own()
	if o.asked == nil {
		o.asked = map[string]bool{}
	}
	o.asked[id] = true
}

// info is what the session is, as far as it is kept.
func (t *track) info(id string) info {
	f := t.few()
	return info{id: id, dir: t.dir, parent: f.parent, revert: f.revert, created: t.created, updated: t.updated, archived: t.archived}
}

// level is what the session does; 0 where nothing is known.
func (t *track) level() agent.EventKind {
	switch f := t.few(); {
	case len(f.kids) > 0, len(f.asked) > 0, t.compact:
		return agent.EventBackground
	case t.work == workBusy:
		return agent.EventBusy
	case t.work == workIdle:
		return agent.EventIdle
	}
	return 0
}

// atWork reports that the session is not known to rest, and known not to.
func (t *track) atWork() bool {
	l := t.level()
	return l == agent.EventBusy || l == agent.EventBackground
}

// hashOf tells ids apart; 0 is of none.
func hashOf(id string) uint64 {
	if id == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(id)) //nolint:gosec // a hash never fails
	return h.Sum64()
}

// happening is an event of a server, before its session is named for others.
type happening struct {
	kind    agent.EventKind
	id      string
	message string
	created int64
	// unasked: it rests, and was not told to work. It counts where somebody
	// else told that.
	unasked bool
}

// tracks turn a server's signals into what happened. They do no I/O and are
// not safe for concurrent use.
type tracks struct {
	of   map[string]*track
	dirs map[string]string // the texts of directories
	// due are the sessions that wait for a look: moved or doubtful.
	due map[string]bool
	// since is when following began, by the server's clock in Unix
	// milliseconds. What is older and is only sent again is nothing new.
	since int64
	began time.Time // when following began
	heard time.Time // when the server was heard last
	left  *track    // the session that was deleted last
	out   []happening
}

func newTracks() *tracks {
	return &tracks{of: map[string]*track{}, dirs: map[string]string{}, due: map[string]bool{}, left: &track{}}
}

func (m *tracks) get(id string) *track {
	t := m.of[id]
	if t == nil {
		if len(m.of) >= maxTracks {
			m.forget()
		}
		t = &track{}
		m.of[id] = t
	}
	return t
}

// take takes what a session is.
func (m *tracks) take(t *track, i info) {
	dir, ok := m.dirs[i.dir]
	if !ok {
		if len(m.dirs) >= maxTracks {
			clear(m.dirs)
		}
		dir = i.dir
		m.dirs[dir] = dir
	}
	if i.created == 0 {
		i.created = t.created
	}
	t.dir, t.created, t.updated, t.archived, t.known = dir, i.created, i.updated, i.archived, true
	if i.parent != "" || i.revert != "" || t.more != nil {
		o := t.own()
		o.parent, o.revert = i.parent, i.revert
	}
}

// forget makes room: what rests, or was never told of, comes again by itself.
func (m *tracks) forget() {
	for id, t := range m.of {
		if !t.atWork() && !m.due[id] {
			delete(m.of, id)
		}
	}
}

// apply takes a signal and gives what happened. The events are valid until the
// next call.
func (m *tracks) apply(sig signal, now time.Time) []happening {
	m.out = m.out[:0]
	if sig.kind == sigDeleted {
		if t := m.of[sig.session]; t != nil {
			m.left = t
		}
		m.gone(sig.session)
		delete(m.due, sig.session)
		m.leave(sig.session)
		delete(m.of, sig.session)
		return m.out
	}
	t := m.get(sig.session)
	switch sig.kind {
	case sigSession:
		m.session(sig.session, t, sig.info, now)
	case sigStatus:
		m.status(sig.session, t, sig.busy)
	case sigMessage:
		m.message(sig, t, now)
	case sigRemoved:
		m.touch(sig.session, t, now)
	case sigCompact:
		t.compact = sig.busy
		m.tell(sig.session, t)
	case sigAsked:
		if sig.id != "" {
			t.ask(sig.id)
			m.tell(sig.session, t)
		}
	case sigAnswered:
		delete(t.few().asked, sig.id)
		m.tell(sig.session, t)
	}
	return m.out
}

// session takes what a session is now.
func (m *tracks) session(id string, t *track, i info, now time.Time) {
	known, was := t.known, t.info(id)
	m.take(t, i)
	switch {
	case !known:
		m.tell(id, t)
	case i.archived && !was.archived, i.parent != was.parent, i.dir != was.dir:
		m.leaveParent(id, was.parent)
		m.gone(id)
		m.tell(id, t) // in its new place, if it works there
	case i.revert != was.revert:
		m.touch(id, t, now) // other messages count now
	}
}

func (m *tracks) status(id string, t *track, busy bool) {
	if busy {
		t.work = workBusy
	} else {
		t.work, t.compact = workIdle, false
		if len(t.few().asked) > 0 { // what was asked usually ends with the turn, and is not always told
			t.doubtful, m.due[id] = true, true
		}
	}
	m.tell(id, t)
}

// message takes a message that is new or was written again.
func (m *tracks) message(sig signal, t *track, now time.Time) {
	if sig.created < t.created {
		return // copied from the session that this one was forked from
	}
	at, id := max(sig.created, sig.completed), hashOf(sig.id)
	if at < m.since || sig.user && sig.created < m.since {
		if sig.user && sig.created >= t.userAt {
			t.user, t.userAt = id, sig.created
		}
		t.content = max(t.content, at)
		return
	}
	fresh := at > t.content
	t.content = max(t.content, at)
	if sig.user && sig.created >= t.userAt && id != t.user {
		t.user, t.userAt = id, sig.created
		if m.tells(t) {
			t.told = true
			m.out = append(m.out, happening{kind: agent.EventUserMessage, id: sig.session, message: sig.id, created: sig.created})
			if t.last == agent.EventIdle {
				t.last = 0 // whoever waited for quiet waits no more
			}
		}
		m.touch(sig.session, t, now)
		return
	}
	if fresh {
		m.touch(sig.session, t, now)
	}
}

// touch notes that content moved. Where the session rests and nothing more
// comes, that was all the work.
func (m *tracks) touch(id string, t *track, now time.Time) {
	if t.atWork() {
		return
	}
	t.moved, m.due[id] = now.UnixMilli(), true
}

// tells reports whether the session is one that is told of.
func (m *tracks) tells(t *track) bool { return t.few().parent == "" && !t.archived }

// tell tells of the level where it is another than was told.
func (m *tracks) tell(id string, t *track) {
	l := t.level()
	if l == 0 {
		return
	}
	if l != agent.EventIdle {
		t.moved = 0
		if !t.doubtful {
			delete(m.due, id)
		}
	}
	m.family(id, t)
	if !m.tells(t) || l == t.last {
		return
	}
	if l == agent.EventIdle && !t.told { // what rested before is not told of, unless its database showed work
		m.out = append(m.out, happening{kind: l, id: id, unasked: true})
		return
	}
	if l == agent.EventIdle {
		t.moved = 0
		if !t.doubtful {
			delete(m.due, id)
		}
	}
	t.told, t.last = true, l
	m.out = append(m.out, happening{kind: l, id: id})
}

// family tells a parent whether its subagent works.
func (m *tracks) family(id string, t *track) {
	for range maxFamily {
		up := t.few().parent
		if up == "" || up == id {
			return
		}
		p := m.get(up)
		had := p.few().kids[id]
		if had == t.atWork() {
			return
		}
		if had {
			delete(p.few().kids, id)
		} else {
			o := p.own()
			if o.kids == nil {
				o.kids = map[string]bool{}
			}
			o.kids[id] = true
		}
		if l := p.level(); m.tells(p) && p.known && l != 0 && l != p.last && (l != agent.EventIdle || p.told) {
			p.told, p.last = true, l
			m.out = append(m.out, happening{kind: l, id: up})
		}
		id, t = up, p
	}
}

// leave takes a session out of what its parent waits for.
func (m *tracks) leave(id string) {
	if t := m.of[id]; t != nil {
		m.leaveParent(id, t.few().parent)
	}
}

func (m *tracks) leaveParent(id, parent string) {
	p := m.of[parent]
	if p == nil || !p.few().kids[id] {
		return
	}
	delete(p.few().kids, id)
	m.tell(parent, p)
}

// gone tells that a session that was told of is one no longer.
func (m *tracks) gone(id string) {
	t := m.of[id]
	if t == nil || !t.told {
		return
	}
	t.told, t.last = false, 0
	m.out = append(m.out, happening{kind: agent.EventGone, id: id})
}

// settle takes what a look told of a session that was due: whether it works,
// and what it asks.
func (m *tracks) settle(id string, busy bool, asked []string) []happening {
	m.out = m.out[:0]
	t := m.of[id]
	if t == nil {
		return nil
	}
	moved := t.moved != 0
	t.moved, t.doubtful = 0, false
	delete(m.due, id)
	clear(t.few().asked)
	for _, a := range asked {
		t.ask(a)
	}
	t.work = workIdle
	if busy {
		t.work = workBusy
	} else {
		t.compact = false
	}
	if moved && m.tells(t) && t.level() == agent.EventIdle && t.last != agent.EventBusy && t.last != agent.EventBackground {
		t.told, t.last = true, agent.EventBusy
		m.out = append(m.out, happening{kind: agent.EventBusy, id: id})
	}
	m.tell(id, t)
	return m.out
}

// learn takes what a session is that nothing was known of.
func (m *tracks) learn(i info) {
	t := m.get(i.id)
	m.take(t, i)
	m.family(i.id, t)
}

// doubt says of the sessions at work in a directory ("" of all) that it has to
// be asked whether they are.
func (m *tracks) doubt(dir string) {
	for id, t := range m.of {
		if t.atWork() && (dir == "" || t.dir == dir) {
			t.doubtful, m.due[id] = true, true
		}
	}
}

// overdue gives what is due now: what was held back, and by directory the
// sessions to ask for.
func (m *tracks) overdue(now time.Time) (held []happening, dirs map[string][]string) {
	for id := range m.due {
		t := m.of[id]
		if t == nil {
			delete(m.due, id)
			continue
		}
		if t.more != nil {
			held = append(held, t.more.held...)
			t.more.held = nil
		}
		switch {
		case t.dir != "" && (t.doubtful || t.moved != 0 && now.UnixMilli()-t.moved >= settleFor.Milliseconds()):
			if dirs == nil {
				dirs = map[string][]string{}
			}
			dirs[t.dir] = append(dirs[t.dir], id)
		case !t.doubtful && t.moved == 0:
			delete(m.due, id)
		}
	}
	return held, dirs
}

// state is what a session that a server told of does.
func (t *track) state() recap.State {
	switch t.level() {
	case agent.EventBusy:
		return recap.StateBusy
	case agent.EventBackground:
		if len(t.few().asked) > 0 {
			return recap.StateWaiting
		}
		return recap.StateBusy
	case agent.EventIdle:
		return recap.StateIdle
	}
	return recap.StateUnknown
}

// leave gives what was told of a server that is no longer followed to one that
// takes its place, with these sources beside it.
func (s *Server) leave(local []*Source) *tracks {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.tracks
	s.tracks = newTracks()
	for _, t := range m.of {
		if t.home != nil && !slices.Contains(local, t.home) {
			t.placed, t.home = false, nil
		}
	}
	return m
}
