package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
)

// ServerConfig says which server a [Server] asks.
type ServerConfig struct {
	// Name of the table in the settings (sources.NAME), "opencode" where empty.
	Name string
	// URL is the server's address: http or https, without a query.
	URL string
	// Username is "opencode" where empty. No password: none is sent.
	Username, Password string
	// Origin says how the address was chosen.
	Origin string
	// Namespace is the key of the session's metadata below which records are
	// kept, "recap" where empty.
	Namespace string
	// Local are the sources of this machine. A session that one of them has is
	// that source's: it is listed, read and told of under its reference.
	Local []*Source
	// Exclude are absolute directories whose sessions Watch does not tell of.
	Exclude []string
	// Transport carries the requests; nil is one without a proxy.
	Transport http.RoundTripper
	// Rand gives numbers in [0, 1) that spread the reconnections; nil is random.
	Rand func() float64
}

// Server is the sessions of one running OpenCode server, by HTTP. It is safe
// for concurrent use.
//
// One Watch follows it at a time; a second waits for the end of the first.
//
// As an agent.Source it lists and reads what no local source has. As an
// agent.Watcher and agent.Mirror it is a [Live] with one server.
type Server struct {
	cfg ServerConfig
	c   *client

	mu        sync.Mutex
	tracks    *tracks
	connected bool
	same      *Source // the local source that has this server's sessions
	problem   string  // of the newest request, "" where it was answered
	asked     time.Time
	written   map[string]string // fingerprint of the record written, by session

	writer   chan struct{} // held by who writes
	follower chan struct{} // held by who follows
	live     *Live
}

// NewServer makes a server. Nothing is asked yet. An address or a namespace
// that can't be used is an error.
func NewServer(cfg ServerConfig) (*Server, error) {
	cfg.Name = cmp.Or(cfg.Name, string(recap.OpenCode))
	cfg.Namespace = cmp.Or(cfg.Namespace, "recap")
	if strings.TrimSpace(cfg.Namespace) != cfg.Namespace || len(cfg.Namespace) > 64 {
		return nil, &recap.Error{
			Code: recap.CodeConfig, Message: "the namespace of OpenCode's metadata can't be used",
			Hint: "set sources." + cfg.Name + ".metadata_namespace to a short word",
		}
	}
	if cfg.Rand == nil {
		cfg.Rand = rand.Float64
	}
	c, err := newClient(cfg.URL, cfg.Username, cfg.Password, "sources."+cfg.Name, cfg.Transport)
	if err != nil {
		return nil, err
	}
	cfg.URL, cfg.Password = "", "" // the client has them
	s := &Server{cfg: cfg, c: c, tracks: newTracks(), written: map[string]string{}, writer: make(chan struct{}, 1), follower: make(chan struct{}, 1)}
	s.live = NewLive(nil, []*Server{s})
	return s, nil
}

// Agent names OpenCode.
func (s *Server) Agent() recap.Agent { return recap.OpenCode }

// homeFresh is how long the answer of Home is not asked for again.
const homeFresh = 30 * time.Second

// Home says where this source reads, and whether the server answers.
func (s *Server) Home() agent.Home {
	s.mu.Lock()
	old := !s.connected && time.Since(s.asked) > homeFresh
	s.mu.Unlock()
	if old {
		err := s.c.health(context.Background())
		s.heard(err)
	}
	h, _ := s.State()
	return h
}

// State is Home as it is known, and whether the server's stream is followed.
// Nothing is asked.
func (s *Server) State() (h agent.Home, followed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return agent.Home{Name: s.cfg.Name, Root: s.c.address(), Origin: s.cfg.Origin, Found: true, Problem: s.problem}, s.connected
}

// heard notes how a request went.
func (s *Server) heard(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.problem = time.Now(), ""
	if err == nil {
		return
	}
	s.problem = err.Error()
	if e, ok := errors.AsType[*recap.Error](err); ok {
		s.problem = e.Message
		if e.Hint != "" {
			s.problem += ": " + e.Hint
		}
	}
}

// fault makes a problem of this server of an error.
func (s *Server) fault(err error) *agent.Problem {
	p := &agent.Problem{Path: s.c.address(), Reason: "can't be followed", Count: 1, Err: err}
	if e, ok := errors.AsType[*recap.Error](err); ok {
		p.Reason = strings.ReplaceAll(e.Message, " at "+s.c.address(), "")
	} else if err != nil {
		p.Reason = err.Error()
	}
	return p
}

// listPage is how many sessions are asked for at once.
const listPage = 50

// Sessions yields the sessions that no local source has, newest first. Nothing
// of a session's messages is read: that would start OpenCode in the session's
// directory. What a session does is known where it is followed.
func (s *Server) Sessions(ctx context.Context, q agent.Query) iter.Seq2[recap.Session, error] {
	return func(yield func(recap.Session, error) bool) {
		err := s.c.health(ctx)
		s.heard(err)
		if err == nil {
			var local map[string]bool
			if local, err = s.localIDs(ctx); err != nil {
				err = fmt.Errorf("sessions of the server that the database may have are left out: %w", err)
			} else {
				var list []recap.Session
				if list, err = s.list(ctx, q, local); err == nil {
					for _, ses := range list {
						if !yield(ses, nil) {
							return
						}
					}
					return
				}
			}
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		} else {
			err = s.fault(err)
		}
		yield(recap.Session{}, err)
	}
}

func (s *Server) list(ctx context.Context, q agent.Query, local map[string]bool) ([]recap.Session, error) {
	var out []recap.Session
	seen := map[string]bool{}
	since := int64(0)
	if !q.Since.IsZero() {
		since = q.Since.UnixMilli()
	}
	for cursor := int64(0); ; {
		page, next, err := s.c.sessions(ctx, since, cursor, q.Archived, q.Subagents, listPage)
		if err != nil {
			return nil, err
		}
		news := false
		for _, i := range page {
			if seen[i.id] {
				continue
			}
			seen[i.id], news = true, true
			if local[i.id] || i.created == i.updated || agent.Excluded(i.dir, q.Exclude) {
				continue // or nothing was said in it yet
			}
			if ses := s.asSession(i); wanted(&ses, q) {
				out = append(out, ses)
			}
		}
		if next == 0 || !news {
			break
		}
		cursor = next
	}
	slices.SortFunc(out, func(a, b recap.Session) int { return newestFirst(&a, &b) })
	return out, nil
}

// asSession makes a session of what the server says of it.
func (s *Server) asSession(i info) recap.Session {
	ses := recap.Session{
		Ref: s.ref(i.id), Home: s.cfg.Name, Directory: i.dir, ParentID: i.parent, Archived: i.archived,
		Reverted: i.revert != "", Model: i.model, CreatedAt: timeOf(i.created), State: recap.StateUnknown,
		Stamp: "http " + strconv.FormatInt(i.updated, 10) + " " + i.revert,
	}
	ses.Title = madeTitle(i.title)
	ses.UpdatedAt = timeOf(i.updated)
	// Writing metadata moves the session's own time. Its content is as old as
	// the stream said, or as the answer that our record is of.
	if a, ok := assistOf(i.metadata, s.cfg.Namespace); ok && a.generated > i.created && a.generated <= i.updated && i.updated-a.generated < time.Hour.Milliseconds() {
		if at := timeOfID(a.ForMessageID, a.generated); at > 0 {
			ses.UpdatedAt = timeOf(at)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tracks.of[i.id]; t != nil {
		if t.content > 0 {
			ses.UpdatedAt = timeOf(t.content)
		}
		if s.connected {
			ses.State = t.state()
		}
	}
	return ses
}

// timeOfID reads the time of a message's id: its first six bytes count in
// 4096ths of a millisecond and turn over every 795 days. near is a time soon
// after. 0 where the id has another form.
func timeOfID(id string, near int64) int64 {
	const bits = 36
	_, hex, ok := strings.Cut(id, "_")
	if !ok || len(hex) < 12 {
		return 0
	}
	v, err := strconv.ParseUint(hex[:12], 16, 64)
	if err != nil {
		return 0
	}
	at := near&^(1<<bits-1) | int64(v>>12)
	if at > near {
		at -= 1 << bits
	}
	if near-at > 24*time.Hour.Milliseconds() {
		return 0
	}
	return at
}

func (s *Server) ref(id string) recap.SessionRef {
	return recap.SessionRef{Agent: recap.OpenCode, Root: s.c.address(), ID: id}
}

// Page reads the newest n messages before the cursor, at most 50.
func (s *Server) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	if ref.Agent != recap.OpenCode || ref.Root != s.c.address() {
		return agent.Page{}, notFound(ref)
	}
	if n <= 0 || n > defaultPage {
		n = defaultPage
	}
	if before != "" {
		if _, err := parseCursor(before); err != nil {
			return agent.Page{}, err
		}
	}
	i, err := s.c.session(ctx, ref.ID)
	var got []message
	var page agent.Page
	var next string
	if err == nil {
		got, next, page.Bytes, err = s.messages(ctx, ref.ID, string(before), n, &page)
	}
	switch {
	case errors.Is(err, errNotFound):
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: fmt.Sprintf("no session %q on OpenCode's server", ref.ID)}
	case errors.Is(err, errTooLarge):
		return agent.Page{}, &recap.Error{Code: recap.CodeUnreadable, Message: "a message of the session is over 32 MB"}
	case err != nil:
		return agent.Page{}, err
	}
	if next == string(before) && next != "" {
		return agent.Page{}, &recap.Error{Code: recap.CodeUnreadable, Message: "OpenCode's server gave the same page twice"}
	}
	page.Next = agent.Cursor(next)
	for _, m := range shown(got, i.revert) {
		page.Records = append(page.Records, m.Message)
	}
	live := liveUnknown
	s.mu.Lock()
	if t := s.tracks.of[ref.ID]; t != nil && s.connected {
		switch t.state() {
		case recap.StateBusy, recap.StateWaiting:
			live = liveYes
		case recap.StateIdle:
			live = liveNo
		}
	}
	s.mu.Unlock()
	settleTools(page.Records, before == "", live)
	return page, nil
}

// message is a message with the ids of its parts.
type message struct {
	recap.Message
	parts []string
}

// messages asks for a page of messages, oldest first.
func (s *Server) messages(ctx context.Context, id, before string, n int, page *agent.Page) (out []message, next string, size int64, err error) {
	rows, next, size, err := s.c.messages(ctx, id, before, n)
	if err != nil {
		return nil, "", 0, err
	}
	bad := 0
	for _, row := range rows {
		head := row.Get("info")
		if head == nil {
			bad++
			continue
		}
		m, err := ParseMessage("", head.MarshalTo(nil))
		if err != nil {
			bad++
			if str(head, "role") == "user" {
				continue
			}
			// It may have been an answer: no older one is taken for the last.
			m = recap.Message{ID: str(head, "id"), Role: recap.RoleAssistant, Finish: recap.FinishStop}
		}
		msg := message{Message: m}
		for k, p := range row.GetArray("parts") {
			if k == maxParts {
				page.Problems = append(page.Problems, agent.Problem{Reason: reasonParts, Count: 1})
				break
			}
			part, err := ParsePart(p.MarshalTo(nil))
			if err != nil {
				bad++
				continue
			}
			msg.Parts = append(msg.Parts, part)
			msg.parts = append(msg.parts, str(p, "id"))
		}
		msg.Summary = msg.Summary || asksSummary(&msg.Message, func(yield func([]byte) bool) {
			for _, p := range row.GetArray("parts") {
				if !yield(p.MarshalTo(nil)) {
					return
				}
			}
		})
		out = append(out, msg)
	}
	if bad > 0 {
		page.Problems = append(page.Problems, agent.Problem{Reason: reasonInvalid, Count: bad})
	}
	return out, next, size, nil
}

// shown leaves out what the person went back from. Ids ascend.
func shown(list []message, revert string) []message {
	msg, part, _ := strings.Cut(revert, " ")
	if msg == "" {
		return list
	}
	for k, m := range list {
		if m.ID < msg {
			continue
		}
		list = list[:k:k]
		if part == "" || m.ID != msg {
			break
		}
		cut := len(m.Parts)
		for j, id := range m.parts {
			if id >= part {
				cut = j
				break
			}
		}
		m.Parts = m.Parts[:cut]
		return append(list, m)
	}
	return list
}

// localIDs are the ids of the sessions that local sources have.
func (s *Server) localIDs(ctx context.Context) (map[string]bool, error) {
	out := map[string]bool{}
	for _, src := range s.cfg.Local {
		if err := src.ids(ctx, "", func(id string) { out[id] = true }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// locate finds the local source that has a session of this server. An error
// says that it can't be told now.
func (s *Server) locate(ctx context.Context, id string) (*Source, error) {
	s.mu.Lock()
	same := s.same
	s.mu.Unlock()
	if same != nil {
		return same, nil
	}
	for _, src := range s.cfg.Local {
		has := false
		if err := src.ids(ctx, id, func(string) { has = true }); err != nil {
			return nil, err
		}
		if has {
			s.mu.Lock()
			s.same = src
			s.mu.Unlock()
			return src, nil
		}
	}
	return nil, nil
}

// ids gives the ids of all sessions, or the one id where the source has it.
func (s *Source) ids(ctx context.Context, only string, fn func(id string)) error {
	dbs, _ := s.databases()
	for _, path := range dbs {
		var got []string
		err := s.read(ctx, path, func(db *sql.DB) error {
			if _, err := readSchema(ctx, db); err != nil {
				return err
			}
			query, args := `SELECT CAST(id AS TEXT) FROM session`, []any(nil)
			if only != "" {
				query, args = query+` WHERE id = ?`, []any{only}
			}
			rows, err := db.QueryContext(ctx, query, args...)
			if err != nil {
				return err
			}
			got, err = column(rows)
			return err
		})
		if err != nil && recap.CodeOf(problemOf(path, err).Err) != recap.CodeBusy && ctx.Err() == nil {
			continue // no session is read from it at all
		}
		if err != nil {
			return err
		}
		for _, id := range got {
			fn(id)
		}
	}
	return nil
}

// ResumeCommand attaches a terminal to the server.
func (s *Server) ResumeCommand(ses recap.Session) (dir string, argv []string) {
	if ses.Ref.ID == "" || strings.HasPrefix(ses.Ref.ID, "-") {
		return "", nil
	}
	return "", []string{"opencode", "attach", s.c.address(), "--session", ses.Ref.ID}
}

var (
	_ agent.Source  = (*Server)(nil)
	_ agent.Resumer = (*Server)(nil)
	_ agent.Watcher = (*Server)(nil)
	_ agent.Mirror  = (*Server)(nil)
)
