package opencode

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const (
	// indexVersion changes when what the index holds changes its meaning.
	indexVersion = "opencode/4"
	// busyFor is how long an answer that has no end counts as being worked
	// on while OpenCode runs, since the session's last row.
	busyFor = 24 * time.Hour
)

// Notes in the index on an answer that has no end yet: what the session is
// doing depends on whether OpenCode runs, which no row tells.
const (
	endKnown   = ""
	endOpen    = "open"
	endWaiting = "waiting"
	endSummary = "summary" // a summary the person asked for is being written
)

// row is a session as its table has it.
type row struct {
	id, title, dir, parent, revert, model, workspace string
	created, updated, seq                            int64
	archived                                         bool
	newest                                           string // id of the newest message, "" for none
	newestAt                                         int64
	v2                                               bool
	noID                                             bool // its id is no text
	odd                                              bool // its directory or a time is of a wrong type
}

// key tells whether something of the session changed that its row in the
// session table does not hold.
func (r row) key() string {
	return fmt.Sprintf("%s %d %d %d %s %s", indexVersion, r.updated, r.seq, r.newestAt, r.newest, r.revert)
}

// dbStamp is the state of the files of a database.
func dbStamp(path string, exclude []string) (agent.Entry, error) {
	main, err := statFile(path)
	if err != nil {
		return agent.Entry{}, err
	}
	wal, err := statFile(path + "-wal")
	if err != nil {
		return agent.Entry{}, err
	}
	h := fnv.New64a()
	for _, v := range []int64{main.chg, wal.size, wal.mod, wal.chg} {
		_ = binary.Write(h, binary.BigEndian, v)
	}
	// What was left out has to be read again when it no longer is.
	_, _ = h.Write([]byte(strings.Join(exclude, "\x00")))
	return agent.Entry{Size: main.size, ModTime: max(main.mod, wal.mod), Change: h.Sum64()}, nil
}

// list gives the sessions of one database. Where its files did not change
// since the index saw them, it is not opened.
func (s *Source) list(ctx context.Context, path string, q agent.Query) ([]recap.Session, []*agent.Problem, error) {
	stamp, err := dbStamp(path, q.Exclude)
	if err != nil {
		return nil, nil, err
	}
	if got, ok := s.remembered(path, stamp); ok {
		return s.settled(got, path, stamp), got.problems(path), nil
	}
	var got listing
	err = s.read(ctx, path, func(db *sql.DB) error {
		got = listing{}
		return s.listRows(ctx, db, path, stamp.ModTime, q, &got)
	})
	s.judge(path, stamp, err)
	if err != nil {
		if recap.CodeOf(err) == recap.CodeUnsupported {
			stamp.Skip = problemOf(path, err).Reason
			stamp.Facts = []string{indexVersion}
			s.cfg.Index.Remember(path, stamp)
		}
		return nil, nil, err
	}
	// In order, so that what is remembered needs no sorting.
	slices.SortFunc(got.entries, func(a, b agent.Entry) int { return newestFirst(&a.Session, &b.Session) })
	stamp.Facts = []string{indexVersion, strconv.Itoa(got.v2), strconv.Itoa(got.noID), strconv.Itoa(got.odd)}
	for _, e := range got.entries {
		stamp.Facts = append(stamp.Facts, e.Session.Ref.ID)
		s.cfg.Index.Remember(entryPath(path, e.Session.Ref.ID), e)
	}
	s.cfg.Index.Remember(path, stamp)
	return s.settled(got, path, stamp), got.problems(path), nil
}

// listing is what one database holds.
type listing struct {
	entries []agent.Entry
	v2      int    // sessions with messages in the form of OpenCode 2
	noID    int    // rows of sessions without a usable id
	odd     int    // rows of sessions with a field of a wrong type
	skip    string // why nothing can be read
}

// Facts of the index: of a database its version, the counts of listing, then
// the ids of its sessions; of a session its key, how its newest answer ends,
// how many rows that were looked at could not be used, and a hash of its title.
const dbFacts, sessionFacts = 4, 4

// forget takes what is remembered of a session out of the index.
func (s *Source) forget(db, id string) {
	if e, ok := s.cfg.Index.Lookup(entryPath(db, id)); ok && e.Session.Ref.ID != "" {
		s.cfg.Index.Remember(entryPath(db, id), agent.Entry{Skip: "excluded"})
	}
}

// forgetAll takes a whole database out of the index.
func (s *Source) forgetAll(db string) {
	e, ok := s.cfg.Index.Lookup(db)
	if !ok || len(e.Facts) < dbFacts {
		return
	}
	for _, id := range e.Facts[dbFacts:] {
		s.forget(db, id)
	}
	s.cfg.Index.Remember(db, agent.Entry{Skip: "excluded"})
}

func entryPath(db, id string) string { return db + "#" + id }

// remembered answers from the index alone.
func (s *Source) remembered(path string, stamp agent.Entry) (listing, bool) {
	e, ok := s.cfg.Index.Lookup(path)
	if !ok || e.Size != stamp.Size || e.ModTime != stamp.ModTime || e.Change != stamp.Change ||
		len(e.Facts) == 0 || e.Facts[0] != indexVersion {
		return listing{}, false
	}
	if e.Skip != "" {
		return listing{skip: e.Skip}, true
	}
	if len(e.Facts) < dbFacts {
		return listing{}, false
	}
	got := listing{entries: make([]agent.Entry, 0, len(e.Facts)-dbFacts)}
	for i, to := range []*int{&got.v2, &got.noID, &got.odd} {
		n, err := strconv.Atoi(e.Facts[i+1])
		if err != nil {
			return listing{}, false
		}
		*to = n
	}
	for _, id := range e.Facts[dbFacts:] {
		se, ok := s.cfg.Index.Lookup(entryPath(path, id))
		if !ok || len(se.Facts) != sessionFacts {
			return listing{}, false
		}
		got.entries = append(got.entries, se)
	}
	return got, true
}

func (l listing) problems(path string) []*agent.Problem {
	var ps []*agent.Problem
	if l.skip != "" {
		ps = append(ps, problemOf(path, &recap.Error{Code: recap.CodeUnsupported, Message: l.skip}))
	}
	if l.v2 > 0 {
		p := problemOf(path, &recap.Error{
			Code:    recap.CodeUnsupported,
			Message: "sessions with messages in the form of OpenCode 2",
			Hint:    "recap reads the sessions of OpenCode 1.2 to 1.18",
		})
		p.Count = l.v2
		ps = append(ps, p)
	}
	broken := 0
	for _, e := range l.entries {
		if n, err := strconv.Atoi(e.Facts[2]); err == nil {
			broken += n
		}
	}
	for _, x := range []struct {
		reason string
		count  int
	}{{reasonNoID, l.noID}, {reasonOdd, l.odd}, {reasonInvalid, broken}} {
		if x.count > 0 {
			ps = append(ps, &agent.Problem{Path: path, Reason: x.reason, Count: x.count})
		}
	}
	return ps
}

// settled gives the sessions of a listing, and settles what a session without an end is doing.
func (s *Source) settled(l listing, path string, stamp agent.Entry) []recap.Session {
	live := liveUnknown
	asked := false
	out := make([]recap.Session, 0, len(l.entries))
	for _, e := range l.entries {
		ses := e.Session
		ses.Home = s.cfg.Name
		if end := e.Facts[1]; end != endKnown {
			if !asked {
				live, asked = openElsewhere(path), true
			}
			lives := live
			switch {
			case live == liveNo:
				s.rests.note(ses.Ref.ID, ses.UpdatedAt)
			case s.rests.known(ses.Ref.ID, ses.UpdatedAt):
				lives = liveNo
			}
			ses.State, ses.WaitingFor = settle(end, lives, ses, time.Unix(0, stamp.ModTime))
		}
		out = append(out, ses)
	}
	return out
}

// settle says what a session is doing whose newest answer has no end. written
// is when the database was last written. A session that OpenCode left while it
// waited still says for what.
func settle(end string, live liveness, ses recap.Session, written time.Time) (recap.State, string) {
	switch {
	case live == liveUnknown:
		return recap.StateUnknown, ""
	case end == endSummary && (live == liveNo || written.Sub(ses.UpdatedAt) > busyFor):
		return ses.State, ses.WaitingFor
	case live == liveNo:
		return recap.StateInterrupted, ses.WaitingFor
	case end == endWaiting:
		return recap.StateWaiting, ses.WaitingFor
	case written.Sub(ses.UpdatedAt) > busyFor:
		return recap.StateInterrupted, ""
	}
	return recap.StateBusy, ""
}

func (s *Source) listRows(ctx context.Context, db *sql.DB, path string, written int64, q agent.Query, out *listing) error {
	sch, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	rows, err := sessionRows(ctx, db, sch, "", "")
	if err != nil {
		return err
	}
	r, err := newReader(ctx, s, db, sch, nil)
	if err != nil {
		return err
	}
	defer r.close()
	r.written = written
	for _, ro := range rows {
		if ro.noID {
			out.noID++
			continue
		}
		if agent.Excluded(ro.dir, q.Exclude) {
			s.forget(path, ro.id)
			continue
		}
		if ro.odd {
			out.odd++
		}
		if ro.revert != "" {
			if err := r.newestBefore(ctx, &ro); err != nil {
				return err
			}
		}
		if ro.newest == "" {
			if ro.v2 {
				out.v2++
			}
			continue
		}
		key := ro.key()
		e, ok := s.cfg.Index.Lookup(entryPath(path, ro.id))
		if !ok || len(e.Facts) != sessionFacts || e.Facts[0] != key {
			if e, err = r.learn(ctx, ro, key); err != nil {
				return err
			}
		}
		if hash := ro.titleHash(); e.Facts[3] != hash { // the title alone is new
			if e.Session.Title, err = r.title(ctx, ro); err != nil {
				return err
			}
			e.Facts = append(slices.Clone(e.Facts[:3]), hash)
		}
		ro.fill(&e.Session)
		e.Session.Ref = recap.SessionRef{Agent: recap.OpenCode, Root: s.cfg.Root, ID: ro.id}
		e.Session.CreatedAt = filelog.Plausible(e.Session.CreatedAt, written)
		if ro.workspace != "" {
			if e.Session.Branch, err = r.branch(ctx, ro.workspace); err != nil {
				return err
			}
		}
		out.entries = append(out.entries, e)
	}
	return nil
}

// fill sets what the session's own row says.
func (r row) fill(ses *recap.Session) {
	ses.Directory = r.dir
	ses.ParentID = r.parent
	ses.CreatedAt = timeOf(r.created)
	ses.Archived = r.archived
	ses.Reverted = r.revert != ""
	ses.Stamp = r.key()
}

// sessionRows reads the session table, or the one session with the id. Texts
// of messages are not touched: the newest message comes from an index.
func sessionRows(ctx context.Context, db *sql.DB, sch schema, where string, arg string) ([]row, error) {
	archived, revert := "0", "''"
	if sch.has("session", "time_archived") {
		archived = "session.time_archived IS NOT NULL"
	}
	if sch.has("session", "revert") {
		revert = sch.text("session", "revert", 64<<20)
		revert = `CASE WHEN json_valid(` + revert + `) THEN ifnull(CAST(json_extract(` + revert + `, '$.messageID') AS TEXT), '')
			|| ' ' || ifnull(CAST(json_extract(` + revert + `, '$.partID') AS TEXT), '') ELSE '' END`
	}
	seq, v2 := "0", "0"
	if sch.has("event_sequence", "aggregate_id") && sch.has("event_sequence", "seq") {
		seq = `ifnull((SELECT CAST(e.seq AS INTEGER) FROM event_sequence e WHERE e.aggregate_id = session.id), 0)`
	}
	if sch.has("session_message", "session_id") {
		// One look tells for all but the few who ran OpenCode 2.
		var some bool
		if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM session_message)`).Scan(&some); err != nil {
			return nil, err
		}
		if some {
			v2 = `EXISTS (SELECT 1 FROM session_message v WHERE v.session_id = session.id)`
		}
	}
	const newest = `ifnull((SELECT CAST(m.time_created AS INTEGER) || ' ' || m.id FROM message m
		WHERE m.session_id = session.id ORDER BY m.time_created DESC, m.id DESC LIMIT 1), '')`
	//nolint:gosec // made of the names of columns
	query := `SELECT CAST(ifnull(session.id, '') AS TEXT), ` + strings.Join([]string{
		sch.text("session", "title", 64<<10), sch.text("session", "directory", 64<<10), sch.text("session", "parent_id", 1024),
		revert, sch.text("session", "model", 64<<10), sch.text("session", "workspace_id", 1024),
		sch.integer("session", "time_created"), sch.integer("session", "time_updated"), archived, seq, newest, v2,
		`typeof(session.id) <> 'text' OR session.id = ''`,
		`typeof(session.directory) <> 'text' OR typeof(session.time_created) <> 'integer' OR typeof(session.time_updated) <> 'integer'`,
	}, ", ") + ` FROM session WHERE 1 ` + where
	var args []any
	if where != "" {
		args = append(args, arg)
	}
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // the rows' own error tells
	var out []row
	for rows.Next() {
		var r row
		var title, dir, parent, rev, model, ws sql.NullString
		var last string
		if err := rows.Scan(&r.id, &title, &dir, &parent, &rev, &model, &ws,
			&r.created, &r.updated, &r.archived, &r.seq, &last, &r.v2, &r.noID, &r.odd); err != nil {
			return nil, err
		}
		r.title, r.dir, r.parent = clean(title.String), clean(dir.String), clean(parent.String)
		r.revert, r.model, r.workspace = strings.TrimSpace(rev.String), model.String, ws.String
		if at, id, ok := strings.Cut(last, " "); ok {
			r.newest = id
			if r.newestAt, err = strconv.ParseInt(at, 10, 64); err != nil {
				r.newestAt = 0
			}
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// newestBefore finds the newest message that a reverted session still shows.
func (r *reader) newestBefore(ctx context.Context, ro *row) error {
	cut, err := r.cutOf(ctx, *ro)
	if err != nil {
		return err
	}
	ro.newest, ro.newestAt = "", 0
	err = r.db.QueryRowContext(ctx, `SELECT CAST(id AS TEXT), CAST(time_created AS INTEGER) FROM message
		WHERE session_id = ?1 AND `+cut.where(2)+` ORDER BY time_created DESC, id DESC LIMIT 1`,
		append([]any{ro.id}, cut.args()...)...).Scan(&ro.newest, &ro.newestAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// learn reads the end of a session that is new or changed.
func (r *reader) learn(ctx context.Context, ro row, key string) (agent.Entry, error) {
	e := agent.Entry{Size: ro.seq, ModTime: ro.updated * int64(time.Millisecond), Facts: []string{key, endKnown, "0", ro.titleHash()}}
	r.broken = 0
	defer func() { e.Facts[2] = strconv.Itoa(r.broken) }()
	e.Session.UpdatedAt = timeOf(ro.newestAt)
	e.Session.State = recap.StateIdle
	e.Session.Model = modelOf([]byte(ro.model))
	m, err := r.message(ctx, ro.newest)
	if err != nil {
		return e, err
	}
	if m.Completed.After(e.Session.UpdatedAt) {
		e.Session.UpdatedAt = m.Completed
	}
	if e.Session.UpdatedAt.IsZero() {
		e.Session.UpdatedAt = timeOf(ro.updated)
	}
	if e.Session.UpdatedAt.IsZero() {
		e.Session.UpdatedAt = time.Unix(0, r.written).UTC()
	}
	e.Session.UpdatedAt = filelog.Plausible(e.Session.UpdatedAt, r.written)
	newest, asked := m, false
	if m.Summary {
		if m, asked, err = r.beforeSummary(ctx, ro, m); err != nil {
			return e, err
		}
	}
	if m.Model.ID != "" {
		e.Session.Model = m.Model
	}
	st := r.standing(m)
	if newest.Summary {
		st = st.after(newest, asked)
	}
	e.Session.State, e.Facts[1], e.Session.WaitingFor = st.state, st.end, st.waits
	e.Session.Title, err = r.title(ctx, ro)
	return e, err
}

// titleHash tells a title from another one.
func (r row) titleHash() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(r.title))
	return strconv.FormatUint(h.Sum64(), 36)
}

// title gives the title that OpenCode or the person made, else the first prompt.
func (r *reader) title(ctx context.Context, ro row) (string, error) {
	if t := madeTitle(ro.title); t != "" {
		return t, nil
	}
	return r.firstPrompt(ctx, ro)
}

// madeTitle is a title as it is shown, "" for one of the date alone.
func madeTitle(s string) string {
	if t := agent.Line(s); !defaultTitle(t) {
		return t
	}
	return ""
}

// firstPrompt gives the beginning of what the person first wrote.
func (r *reader) firstPrompt(ctx context.Context, ro row) (string, error) {
	rows, err := r.db.QueryContext(ctx, `SELECT CAST(id AS TEXT) FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT 3`, ro.id)
	if err != nil {
		return "", err
	}
	list, err := column(rows)
	if err != nil {
		return "", err
	}
	for _, id := range list {
		m, err := r.message(ctx, id)
		if err != nil {
			return "", err
		}
		for _, p := range m.Parts {
			if m.Role == recap.RoleUser && p.Kind == recap.PartText && !p.Synthetic && !p.Ignored {
				if t := agent.Line(p.Text); t != "" {
					return t, nil
				}
			}
		}
	}
	return "", nil
}

// branch gives the branch of a workspace.
func (r *reader) branch(ctx context.Context, id string) (string, error) {
	if !r.sch.has("workspace", "id") || !r.sch.has("workspace", "branch") {
		return "", nil
	}
	var b sql.NullString
	err := r.db.QueryRowContext(ctx, `SELECT `+r.sch.text("workspace", "branch", 1024)+` FROM workspace WHERE id = ?`, id).Scan(&b)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", err
	}
	return clean(b.String), nil
}

// defaultTitle tells whether OpenCode made a title of the date alone.
func defaultTitle(t string) bool {
	for _, kind := range []string{"New session - ", "Child session - "} {
		if date, ok := strings.CutPrefix(t, kind); ok {
			_, err := time.Parse(time.RFC3339Nano, date)
			return err == nil
		}
	}
	return false
}

// modelOf reads the model column of a session.
func modelOf(data []byte) recap.ModelRef {
	v, err := fastjson.ParseBytes(data)
	if err != nil {
		return recap.ModelRef{}
	}
	return recap.ModelRef{Provider: str(v, "providerID"), ID: str(v, "id")}
}

// timeOf makes a time of Unix milliseconds, the zero time of nonsense.
func timeOf(ms int64) time.Time {
	const end = 253402300800000 // the year 10000
	if ms <= 0 || ms >= end {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// clean makes valid UTF-8.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// headOf gives the longest run of whole graphemes at the beginning of s that
// has at most n characters, and how many it has.
func headOf(s string, n int) (string, int) {
	if len(s) <= n {
		return s, utf8.RuneCountInString(s)
	}
	used, end := 0, 0
	state := -1
	for rest := s; rest != ""; {
		var g string
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		c := utf8.RuneCountInString(g)
		if used+c > n {
			break
		}
		used += c
		end += len(g)
	}
	return s[:end], used
}
