package opencode

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const (
	defaultPage, maxPageRecords = 50, 1000
	// pageBytes is when a page ends before it has the records asked for, so
	// that memory stays bounded.
	pageBytes = 8 << 20
	// maxParts is the most of one message's parts that are read.
	maxParts = 5000
	// maxMarkers is how many of those that hold no text of anybody are looked
	// at for a request to summarise.
	maxMarkers = 8

	// Rows up to smallRow are read whole. Of longer ones SQL picks what is
	// needed; text is whole up to wholeText, then both ends of cutText
	// characters. Rows over maxRow are skipped.
	smallRow, wholeText, maxRow = 8 << 10, 1 << 20, 16 << 20
	cutText, cutOutput          = 64 << 10, recap.MaxToolOutput + 100
)

// Reasons of problems.
const (
	reasonHuge    = "row over 16 MB"
	reasonCut     = "text over 1 MB was cut"
	reasonInvalid = "row is not valid JSON"
	reasonParts   = "message with over 5,000 parts was cut"
	reasonNoID    = "session without a usable id"
	reasonOdd     = "session with a directory or time of a wrong type"
)

// place is where a page ends: only records before it are older. It has the
// form of OpenCode's own cursor.
type place struct {
	ID   string `json:"id"`
	Time int64  `json:"time"`
}

func (p place) cursor() agent.Cursor {
	b, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	return agent.Cursor(base64.RawURLEncoding.EncodeToString(b))
}

func parseCursor(c agent.Cursor) (place, error) {
	var p place
	b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(string(c), "="))
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	if err != nil || p.ID == "" {
		return place{}, &recap.Error{Code: recap.CodeUsage, Message: "not a cursor of OpenCode", Err: err}
	}
	return p, nil
}

// Page reads the newest n records before the cursor. It gives fewer where they
// are very large; Next goes on. Messages after the point to which a person
// reverted are not part of the session.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	if n <= 0 {
		n = defaultPage
	}
	n = min(n, maxPageRecords)
	var from *place
	if before != "" {
		p, err := parseCursor(before)
		if err != nil {
			return agent.Page{}, err
		}
		from = &p
	}
	db, err := s.databaseOf(ctx, ref)
	if err != nil {
		return agent.Page{}, err
	}
	var page agent.Page
	err = s.read(ctx, db, func(d *sql.DB) error {
		page = agent.Page{}
		sch, err := readSchema(ctx, d)
		if err != nil {
			return err
		}
		r, err := newReader(ctx, s, d, sch, &page)
		if err != nil {
			return err
		}
		defer r.close()
		return r.read(ctx, ref.ID, from, n)
	})
	if err != nil {
		return agent.Page{}, s.pageError(ctx, db, err)
	}
	if stamp, err := dbStamp(db, nil); err == nil {
		filelog.Times(page.Records, stamp.ModTime)
	}
	live := openElsewhere(db)
	if k := len(page.Records); live != liveNo && before == "" && k > 0 {
		last := page.Records[k-1]
		if at := last.Created; s.rests.known(ref.ID, at) && s.rests.known(ref.ID, last.Completed) {
			live = liveNo
		}
	}
	settleTools(page.Records, before == "", live)
	return page, nil
}

// pageError gives an error a code.
func (s *Source) pageError(ctx context.Context, db string, err error) error {
	if _, ok := errors.AsType[*recap.Error](err); ok || ctx.Err() != nil {
		return err
	}
	return problemOf(db, err)
}

func notFound(ref recap.SessionRef) error {
	return &recap.Error{Code: recap.CodeSessionNotFound, Message: fmt.Sprintf("no session %q in OpenCode's database", ref.ID)}
}

// databaseOf finds the database a session stands in: the only one, or the one
// in which it was used last.
func (s *Source) databaseOf(ctx context.Context, ref recap.SessionRef) (string, error) {
	dbs, problems := s.databases()
	if ref.Agent != recap.OpenCode || ref.Root != s.cfg.Root {
		return "", notFound(ref)
	}
	if len(dbs) == 1 {
		return dbs[0], nil
	}
	var best string
	var bestAt int64 = -1
	var broken error
	for _, p := range problems {
		broken = cmp.Or[error](broken, p)
	}
	for _, db := range dbs {
		at := int64(-1)
		err := s.read(ctx, db, func(d *sql.DB) error {
			at = -1
			if _, err := readSchema(ctx, d); err != nil {
				return err
			}
			err := d.QueryRowContext(ctx, `SELECT CAST(time_updated AS INTEGER) FROM session WHERE id = ?`, ref.ID).Scan(&at)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			return err
		})
		if err != nil {
			broken = cmp.Or(broken, s.pageError(ctx, db, err))
		}
		if at > bestAt {
			best, bestAt = db, at
		}
	}
	switch {
	case best != "":
		return best, nil
	case broken != nil:
		return "", broken
	}
	return "", notFound(ref)
}

// settleTools says of answers without an end, and of the calls in them,
// whether they can still go on: only the newest answer, and only while
// OpenCode runs. A call that waited for the person when OpenCode ended is
// still known to have waited.
func settleTools(records []recap.Message, atEnd bool, live liveness) {
	newer := false // an answer after this one was seen
	later := false // and one that is no summary
	for i := range slices.Backward(records) {
		m := &records[i]
		if m.Role != recap.RoleAssistant {
			continue
		}
		open := m.Completed.IsZero() && m.Failure == nil && !m.Interrupted
		dead := newer || live == liveNo
		over := newer || !atEnd || m.Interrupted || m.Failure != nil
		if open && dead {
			m.Interrupted = true
		}
		for j := range m.Parts {
			t := m.Parts[j].Tool
			if t == nil || (t.Status != recap.ToolPending && t.Status != recap.ToolWaiting) {
				continue
			}
			switch {
			case dead && !over && t.Status == recap.ToolWaiting: // as it was left
			case dead || m.Interrupted:
				t.Status = recap.ToolStopped
			case live != liveYes || !atEnd:
				t.Status = recap.ToolPending // not known to wait
			}
		}
		if atEnd && !later && refused(*m) {
			m.Interrupted = true
		}
		newer, later = true, later || !m.Summary
	}
	if atEnd && live == liveNo {
		giveUp(records)
	}
}

// giveUp marks the newest record where work stands open in it that nobody goes
// on with: calls that were made, or a request that OpenCode put there itself.
func giveUp(records []recap.Message) {
	told := false // a summary says itself how it ended
	for i := range slices.Backward(records) {
		m := &records[i]
		if m.Summary || m.Role == recap.RoleService {
			told = told || m.Failure != nil
			continue
		}
		human := func(p recap.Part) bool { return p.Kind != recap.PartMarker && !p.Synthetic || p.Attached != nil }
		if m.Role == recap.RoleAssistant && m.Finish == recap.FinishToolCalls && m.Failure == nil ||
			m.Role == recap.RoleUser && !told && len(m.Parts) > 0 && !slices.ContainsFunc(m.Parts, human) {
			m.Interrupted = true
		}
		return
	}
}

// reader reads the messages of one database.
type reader struct {
	src  *Source
	db   *sql.DB
	sch  schema
	page *agent.Page // where bytes and problems are counted; may be nil
	// broken counts the rows that are not valid JSON; written is when the
	// database was last written, in Unix nanoseconds.
	broken  int
	written int64

	messages, partsOf *sql.Stmt
}

func newReader(ctx context.Context, s *Source, db *sql.DB, sch schema, page *agent.Page) (*reader, error) {
	r := &reader{src: s, db: db, sch: sch, page: page}
	var err error
	if r.messages, err = db.PrepareContext(ctx, messageQuery()); err != nil {
		return nil, err
	}
	if r.partsOf, err = db.PrepareContext(ctx, partQuery()); err != nil {
		_ = r.messages.Close()
		return nil, err
	}
	return r, nil
}

func (r *reader) close() {
	_ = r.messages.Close()
	_ = r.partsOf.Close()
}

// cut is a place from which on nothing is shown. The zero cut shows all.
type cut struct {
	at      place
	partID  string // parts of the message at the place from this one on
	byIDs   bool   // the message is gone: ids tell what came after
	present bool
}

// where gives the condition; its arguments begin at number n.
func (c cut) where(n int) string {
	switch {
	case !c.present:
		return "1"
	case c.byIDs:
		return fmt.Sprintf("id < ?%d", n)
	case c.partID != "":
		return fmt.Sprintf("(time_created, id) <= (?%d, ?%d)", n, n+1)
	}
	return fmt.Sprintf("(time_created, id) < (?%d, ?%d)", n, n+1)
}

func (c cut) args() []any {
	switch {
	case !c.present:
		return nil
	case c.byIDs:
		return []any{c.at.ID}
	}
	return []any{c.at.Time, c.at.ID}
}

// cutOf finds the point to which a session was reverted.
func (r *reader) cutOf(ctx context.Context, ro row) (cut, error) {
	msg, part, _ := strings.Cut(ro.revert, " ")
	if msg == "" {
		return cut{}, nil
	}
	c := cut{at: place{ID: msg}, partID: part, present: true}
	err := r.db.QueryRowContext(ctx, `SELECT CAST(time_created AS INTEGER) FROM message WHERE id = ? AND session_id = ?`, msg, ro.id).Scan(&c.at.Time)
	if errors.Is(err, sql.ErrNoRows) {
		c.byIDs, c.partID, err = true, "", nil
	}
	return c, err
}

// read fills the page.
func (r *reader) read(ctx context.Context, id string, from *place, n int) error {
	rows, err := sessionRows(ctx, r.db, r.sch, "AND session.id = ?", id)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return notFound(recap.SessionRef{ID: id})
	}
	ro := rows[0]
	if ro.newest == "" && ro.v2 {
		return &recap.Error{
			Code:    recap.CodeUnsupported,
			Message: "the messages of this session have the form of OpenCode 2",
			Hint:    "recap reads the sessions of OpenCode 1.2 to 1.18",
		}
	}
	hidden, err := r.cutOf(ctx, ro)
	if err != nil {
		return err
	}
	query := `SELECT CAST(id AS TEXT), CAST(time_created AS INTEGER) FROM message WHERE session_id = ?1 AND ` + hidden.where(4)
	args := append([]any{id, nil, nil}, hidden.args()...)
	if from != nil {
		query += ` AND (time_created, id) < (?2, ?3)`
		args[1], args[2] = from.Time, from.ID
	}
	query += fmt.Sprintf(` ORDER BY time_created DESC, id DESC LIMIT %d`, n+1)
	list, err := places(r.db.QueryContext(ctx, query, args...))
	if err != nil {
		return err
	}
	for i, p := range list {
		if i == n || (i > 0 && r.page.Bytes > pageBytes) {
			r.page.Next = list[i-1].cursor()
			break
		}
		until := ""
		if hidden.partID != "" && p.ID == hidden.at.ID {
			until = hidden.partID
		}
		m, ok, err := r.load(ctx, p.ID, until)
		if err != nil {
			return err
		}
		if ok || m.Role == recap.RoleAssistant {
			r.page.Records = append(r.page.Records, m)
		}
	}
	slices.Reverse(r.page.Records)
	if from == nil && ro.revert == "" {
		return r.addTodos(ctx, id)
	}
	return nil
}

func places(rows *sql.Rows, err error) ([]place, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // the rows' own error tells
	var out []place
	for rows.Next() {
		var p place
		var t sql.NullInt64
		if err := rows.Scan(&p.ID, &t); err != nil {
			return nil, err
		}
		p.Time = t.Int64
		out = append(out, p)
	}
	return out, rows.Err()
}

// message reads one message; a broken one is an empty service record.
func (r *reader) message(ctx context.Context, id string) (recap.Message, error) {
	m, ok, err := r.load(ctx, id, "")
	if !ok {
		m = recap.Message{ID: id, Role: recap.RoleService}
	}
	return m, err
}

// load reads one message and its parts before the part named until ("" = all).
// A message whose own row is broken is counted, and false. Where it may have
// been an answer it is one without a text, so that no older answer is taken
// for the last.
func (r *reader) load(ctx context.Context, id, until string) (recap.Message, bool, error) {
	var size int64
	var created sql.NullInt64
	var data []byte
	err := r.messages.QueryRowContext(ctx, id).Scan(&created, &size, &data)
	if err != nil {
		return recap.Message{}, false, err
	}
	r.count(data)
	m, bad := ParseMessage(id, data)
	if bad != nil {
		r.problem(why(size))
		if user.Match(data) {
			return recap.Message{}, false, nil
		}
		at := timeOf(created.Int64)
		return recap.Message{ID: id, Role: recap.RoleAssistant, Created: at, Completed: at, Finish: recap.FinishStop}, false, nil
	}
	if m.Created.IsZero() {
		m.Created = timeOf(created.Int64)
	}
	if m.Role == recap.RoleAssistant && m.Completed.IsZero() && m.Finish != "" && m.Finish != recap.FinishToolCalls && m.Failure == nil && !m.Interrupted {
		m.Completed = m.Created // it ended, and the time is of a wrong type
	}
	return m, true, r.parts(ctx, &m, until)
}

// user finds the role in the row of a message that is no JSON.
var user = regexp.MustCompile(`"role"\s*:\s*"user"`)

// why says why a row gave nothing.
func why(size int64) string {
	if size > maxRow {
		return reasonHuge
	}
	return reasonInvalid
}

func (r *reader) parts(ctx context.Context, m *recap.Message, until string) error {
	if until == "" {
		until = "\U0010FFFF" // after every id
	}
	rows, err := r.partsOf.QueryContext(ctx, m.ID, until)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // the rows' own error tells
	var markers [][]byte
	for n := 0; rows.Next(); n++ {
		if n == maxParts {
			r.problem(reasonParts)
			break
		}
		var size int64
		var isCut bool
		var data []byte
		if err := rows.Scan(&size, &isCut, &data); err != nil {
			return err
		}
		r.count(data)
		p, err := ParsePart(data)
		if err != nil {
			r.problem(why(size))
			continue
		}
		if isCut && p.Kind == recap.PartText {
			r.problem(reasonCut)
		}
		m.Parts = append(m.Parts, p)
		if p.Kind == recap.PartMarker && len(markers) < maxMarkers {
			markers = append(markers, bytes.Clone(data))
		}
	}
	m.Summary = m.Summary || asksSummary(m, slices.Values(markers))
	return rows.Err()
}

// addTodos gives the session's list to its newest answer where no call on the
// page sets it.
func (r *reader) addTodos(ctx context.Context, id string) error {
	last := -1
	for i, m := range r.page.Records {
		if m.Role == recap.RoleAssistant && !m.Summary {
			last = i
		}
		for _, p := range m.Parts {
			if p.Tool != nil && p.Tool.Kind == recap.ToolTodo {
				return nil
			}
		}
	}
	if last < 0 || !r.sch.has("todo", "content") || !r.sch.has("todo", "status") || !r.sch.has("todo", "session_id") {
		return nil
	}
	order := "rowid"
	if r.sch.has("todo", "position") {
		order = "position"
	}
	//nolint:gosec // made of the names of columns
	rows, err := r.db.QueryContext(ctx, `SELECT `+r.sch.text("todo", "content", 64<<10)+`, `+r.sch.text("todo", "status", 64)+`, `+
		r.sch.integer("todo", "time_updated")+` FROM todo WHERE session_id = ? ORDER BY `+order+` LIMIT 200`, id)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // the rows' own error tells
	t := recap.Tool{Name: "todowrite", Kind: recap.ToolTodo, Status: recap.ToolDone}
	var at int64
	for rows.Next() {
		var content, status string
		var ms int64
		if err := rows.Scan(&content, &status, &ms); err != nil {
			return err
		}
		t.Todos = append(t.Todos, recap.Todo{Text: clean(content), Status: todoStatus(status)})
		at = max(at, ms)
	}
	if err := rows.Err(); err != nil || len(t.Todos) == 0 {
		return err
	}
	t.At = timeOf(at)
	parts := &r.page.Records[last].Parts
	*parts = append(*parts, recap.Part{Kind: recap.PartTool, Tool: &t})
	return nil
}

func (r *reader) count(data []byte) {
	r.src.bodies.Add(1)
	if r.page != nil {
		r.page.Bytes += int64(len(data))
	}
}

func (r *reader) problem(reason string) {
	if reason == reasonInvalid {
		r.broken++
	}
	if r.page == nil {
		return
	}
	for i := range r.page.Problems {
		if r.page.Problems[i].Reason == reason {
			r.page.Problems[i].Count++
			return
		}
	}
	r.page.Problems = append(r.page.Problems, agent.Problem{Reason: reason, Count: 1})
}
