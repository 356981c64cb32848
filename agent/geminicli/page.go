package geminicli

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const (
	// pageScan is how many bytes a page may cost before it ends inside a turn.
	pageScan = 32 << 20
	// listScan is how far a page looks for rows of messages in a log that shows
	// nothing but lists; each list is the whole history.
	listScan = 8 << 20
	// copyScan is how much is read of another log of the same session.
	copyScan = 16 << 20
	// lateRoom is what messages from lists and documents may hold in memory.
	lateRoom = 16 << 20
)

// Page reads backward from the cursor. The newest event log is paged; what
// lists, documents and other logs of the session hold beyond it is put in where
// its time says.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	paths, err := s.paths(ctx, ref)
	if err != nil {
		return agent.Page{}, err
	}
	c := newCollector(ctx, s.parsers.Get(), n)
	defer s.parsers.Put(c.p)
	err = c.run(paths, before)
	if errors.Is(err, fs.ErrNotExist) {
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "the transcript is gone", Err: err}
	}
	page := agent.Page{Records: c.records(), Next: c.next, Bytes: c.bytes}
	filelog.Times(page.Records, c.changed)
	for reason, count := range c.problems {
		page.Problems = append(page.Problems, agent.Problem{Reason: reason, Count: count})
	}
	slices.SortFunc(page.Problems, func(a, b agent.Problem) int { return strings.Compare(a.Reason, b.Reason) })
	if err != nil {
		return page, fmt.Errorf("read session: %w", err)
	}
	return page, nil
}

// collector gathers messages newest first.
type collector struct {
	ctx      context.Context //nolint:containedctx // one page is one call
	p        *fastjson.Parser
	n        int
	scan     int64 // bytes after which it stops for good
	until    time.Time
	out      []entry
	seen     map[string]bool
	sort     bool
	next     agent.Cursor
	low      time.Time // messages from elsewhere must be newer; zero: all
	bytes    int64
	problems map[string]int

	late map[string]entry // of lists and other files, not met as a row
	room int
	rows bool // a row of a message was met
	list bool // a list was met
	long int  // lists that were not read at all

	changed int64     // when the newest file that was read was last changed
	newer   time.Time // of the row that was met last

	target string         // a rewind: rows are gone down to this message
	mark   agent.Cursor   // before the newest list that has the target
	gone   map[string]int // targets that were met, and how much was gathered then
}

func newCollector(ctx context.Context, p *fastjson.Parser, n int) *collector {
	return &collector{
		ctx: ctx, p: p, n: n, scan: agent.MaxScan, room: lateRoom,
		seen: map[string]bool{}, late: map[string]entry{}, gone: map[string]int{}, problems: map[string]int{},
	}
}

func (c *collector) run(paths []string, before agent.Cursor) error {
	place, err := c.resume(before)
	if err != nil {
		return err
	}
	for i, path := range paths {
		switch {
		case !isLog(path):
			err = c.document(path)
		case i == 0:
			err = c.log(path, place)
		default:
			err = c.copy(path)
		}
		if err != nil {
			return err
		}
	}
	if !isLog(paths[0]) && before != "" {
		return filelog.ErrChanged
	}
	c.rest()
	if c.long > 0 && !c.rows {
		c.problems["row over 32 MB"] += c.long
	}
	return nil
}

// A cursor is the place in the log, the time that messages from elsewhere may
// not exceed, and the id of the message at the place: an earlier row may have
// it too.
func cursor(place agent.Cursor, e entry) agent.Cursor {
	if place == "" {
		return ""
	}
	id := e.id
	if len(id) > 100 {
		id = ""
	}
	return agent.Cursor(string(place) + "@" + strconv.FormatInt(e.msg.Created.UnixNano(), 16) + "@" + hex.EncodeToString([]byte(id)))
}

func (c *collector) resume(before agent.Cursor) (agent.Cursor, error) {
	if before == "" {
		return "", nil
	}
	parts := strings.Split(string(before), "@")
	if len(parts) != 3 {
		return "", fmt.Errorf("cursor %q is not of a session", before)
	}
	at, err1 := strconv.ParseInt(parts[1], 16, 64)
	id, err2 := hex.DecodeString(parts[2])
	if err := errors.Join(err1, err2); err != nil || parts[0] == "" {
		return "", fmt.Errorf("cursor %q is not of a session", before)
	}
	c.until, c.rows = time.Unix(0, at), true
	if len(id) > 0 {
		c.seen[string(id)] = true
	}
	return agent.Cursor(parts[0]), nil
}

// records gives what was gathered, oldest first.
func (c *collector) records() []recap.Message {
	slices.Reverse(c.out)
	if c.sort {
		slices.SortStableFunc(c.out, func(a, b entry) int { return a.msg.Created.Compare(b.msg.Created) })
	}
	out := make([]recap.Message, 0, len(c.out))
	for i, e := range c.out {
		// Where calls follow a text, its answer was not over.
		if e.msg.Finish == recap.FinishStop && i+1 < len(c.out) && c.out[i+1].msg.Finish == recap.FinishToolCalls {
			e.msg.Finish = recap.FinishToolCalls
		}
		out = append(out, e.msg)
	}
	return out
}

// take counts a message that has a row of its own.
func (c *collector) take(e entry) {
	delete(c.late, e.id)
	if k := len(c.out) - 1; e.injected && k >= 0 && c.out[k].thanks {
		c.out = c.out[:k]
	}
	if e.drop {
		return
	}
	if c.seen[e.id] { // an earlier state of it, or of its place
		c.sort = true
		return
	}
	if e.id != "" {
		c.seen[e.id] = true
	}
	c.out = append(c.out, e)
}

// keep remembers a message that stands elsewhere than in a row of its own.
func (c *collector) keep(e entry) {
	if _, known := c.late[e.id]; known || e.drop || e.id == "" || c.seen[e.id] {
		return
	}
	if !c.until.IsZero() && e.msg.Created.After(c.until) { // of a page before
		return
	}
	if c.room -= e.size(); c.room < 0 {
		return
	}
	c.late[e.id] = e
}

// keepAll remembers the messages of a list. Those without a time take that of
// the one before, or else of the one after: their order tells.
func (c *collector) keepAll(es []entry) {
	at := func(i int) *time.Time { return &es[i].msg.Created }
	for i := range es {
		if *at(i) = filelog.Plausible(*at(i), c.changed); at(i).IsZero() && i > 0 {
			*at(i) = *at(i - 1)
		}
	}
	for i := len(es) - 1; i >= 0; i-- {
		if at(i).IsZero() {
			if *at(i) = time.Unix(0, c.changed).UTC(); i+1 < len(es) {
				*at(i) = *at(i + 1)
			}
		}
		es[i].place = i
		c.keep(es[i])
	}
}

// rest takes the messages from elsewhere that belong to this page.
func (c *collector) rest() {
	left := make([]entry, 0, len(c.late))
	for _, e := range c.late {
		if c.low.IsZero() || e.msg.Created.After(c.low) {
			left = append(left, e)
		}
	}
	clear(c.late)
	slices.SortFunc(left, func(a, b entry) int {
		if x := b.msg.Created.Compare(a.msg.Created); x != 0 {
			return x
		}
		return cmp.Or(b.place-a.place, strings.Compare(b.id, a.id))
	})
	for _, e := range left {
		c.take(e)
		c.sort = true
	}
}

// log reads an event log backward from a place until n messages are found.
func (c *collector) log(path string, place agent.Cursor) error {
	r, err := filelog.Open(path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	defer func() { c.bytes += r.Bytes() }()
	if place != "" {
		if err := r.Seek(place); err != nil {
			return err
		}
	}
	c.changed = max(c.changed, r.File().ModTime)
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if r.Bytes() > c.scan || !c.rows && r.Bytes() > listScan && len(c.late) >= c.n {
			return nil
		}
		line, err := r.Prev()
		if errors.Is(err, io.EOF) {
			if c.target == "" || c.mark == "" {
				return nil
			}
			// The message that the rewind names stands in a list alone: what
			// came before that list is not gone.
			c.gone[c.target] = len(c.out)
			c.target = ""
			if err := r.Seek(c.mark); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if bookkeeping(line.Data) {
			continue
		}
		full, err := c.row(r, line)
		if full || err != nil {
			return err
		}
	}
}

// row takes a row; full says that the page ends with it.
func (c *collector) row(r *filelog.Reader, line filelog.Row) (full bool, err error) {
	if line.Long && isList(line.Data) {
		es, err := c.longList(r, line)
		if err == nil {
			c.union(es, r.Cursor(line))
		}
		return false, err
	}
	b, err := r.Load(line)
	if errors.Is(err, filelog.ErrRowTooLong) {
		c.problems["row over 32 MB"]++
		return false, nil
	}
	if err != nil {
		return false, err
	}
	x, ok := parse(c.p, b)
	if !ok {
		if !line.Open {
			c.problems["row is not JSON"]++
		}
		return false, nil
	}
	switch x.kind {
	case message:
		if c.target != "" {
			if x.msg.id == c.target {
				c.gone[c.target], c.seen[c.target] = len(c.out), true
				c.target, c.mark = "", ""
			}
			return false, nil
		}
		if n, ok := c.gone[x.msg.id]; ok && n < len(c.out) {
			// The message that a rewind took away stood here first: what came
			// between is gone too.
			for _, e := range c.out[n:] {
				delete(c.seen, e.id)
			}
			c.out = c.out[:n]
		}
		c.mend(&x.msg.msg)
		c.rows = c.rows || !x.msg.drop
		fresh := !c.seen[x.msg.id] && !x.msg.drop && !x.msg.msg.Created.IsZero()
		c.take(x.msg)
		if fresh && len(c.out) >= c.n && (x.msg.human || r.Bytes() > pageScan) {
			c.next, c.low = cursor(r.Cursor(line), x.msg), x.msg.msg.Created
			if c.next == "" {
				c.low = time.Time{}
			}
			return true, nil
		}
	case replace:
		c.union(x.list, r.Cursor(line))
	case rewindTo:
		if c.target == "" && x.target != "" {
			c.target, c.mark = x.target, ""
		}
	case noise, header, patch:
	}
	return false, nil
}

// mend gives a message whose row has no time that of the row after it.
func (c *collector) mend(m *recap.Message) {
	if m.Created = filelog.Plausible(m.Created, c.changed); m.Created.IsZero() {
		m.Created = cmp.Or(c.newer, time.Unix(0, c.changed).UTC())
	}
	c.newer = m.Created
}

// union takes the messages of a row that replaces the list. What the program
// took out of its list is still part of the session, so lists only add. before
// is the place before the row.
func (c *collector) union(es []entry, before agent.Cursor) {
	if c.target != "" {
		i := slices.IndexFunc(es, func(e entry) bool { return e.id == c.target })
		if i < 0 {
			return
		}
		if c.mark == "" {
			c.mark = before
		}
		es = es[:i]
	}
	if i := slices.IndexFunc(es, func(e entry) bool { _, ok := c.gone[e.id]; return ok }); i >= 0 {
		es = es[:i]
	}
	c.keepAll(es)
	c.list = c.list || len(es) > 0
}

// longList gives the messages of a list that is too long to be held whole. The
// newest list is enough: it repeats those before.
func (c *collector) longList(r *filelog.Reader, line filelog.Row) ([]entry, error) {
	if c.list {
		return nil, nil
	}
	if line.End-line.Start > filelog.MaxRow {
		c.long++
		return nil, nil
	}
	return c.decode(r, line.Start, line.End)
}

// decode gives the messages of the list between two places, the newest as far
// as there is room.
func (c *collector) decode(r *filelog.Reader, start, end int64) ([]entry, error) {
	spans, found, err := elements(r.Section(start, end), start)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoList
	}
	var out []entry
	room := lateRoom
	for _, x := range slices.Backward(spans) {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		b, err := r.Load(filelog.Row{Start: x.start, End: x.end, Long: true})
		if errors.Is(err, filelog.ErrRowTooLong) {
			c.problems["row over 32 MB"]++
			continue
		}
		if err != nil {
			return nil, err
		}
		e, ok := one(c.p, b)
		if !ok {
			c.problems["row is not JSON"]++
			continue
		}
		if room -= e.size(); room < 0 {
			break
		}
		out = append(out, e)
	}
	slices.Reverse(out)
	return settle(out), nil
}

var errNoList = errors.New("no messages")

// document reads a session of the older form: one document.
func (c *collector) document(path string) error {
	r, err := filelog.Open(path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	defer func() { c.bytes += r.Bytes() }()
	size := r.File().Size
	c.changed = max(c.changed, r.File().ModTime)
	if size > c.scan {
		c.problems["document over 256 MB"]++
		return nil
	}
	es, err := c.decode(r, 0, size)
	if errors.Is(err, errNoList) {
		c.problems["document is not JSON"]++
		return nil
	}
	c.keepAll(es)
	return err
}

// copy reads another log of the same session.
func (c *collector) copy(path string) error {
	d := newCollector(c.ctx, c.p, 1<<30)
	d.scan, d.until, d.problems, d.changed = copyScan, c.until, c.problems, c.changed
	err := d.log(path, "")
	d.rest()
	c.bytes += d.bytes
	for _, e := range d.out {
		c.keep(e)
	}
	return err
}
