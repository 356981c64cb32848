package claudecode

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// enough is from how many bytes on a page ends at the next prompt, however few
// its records: who wants more asks again.
const enough = 64 << 10

// longTurn is from how many bytes on a page may end inside a turn.
const longTurn = 8 << 20

// place is a cursor: which file of the session, whether a turn is open there,
// and where in the file ("" = its end).
type place struct {
	file    int
	midTurn bool
	at      agent.Cursor
}

func (p place) cursor() agent.Cursor {
	mid := ""
	if p.midTurn {
		mid = "m"
	}
	return agent.Cursor(strconv.Itoa(p.file) + mid + ":" + string(p.at))
}

func parseCursor(c agent.Cursor) (place, error) {
	if c == "" {
		return place{}, nil
	}
	file, at, ok := strings.Cut(string(c), ":")
	file, mid := strings.CutSuffix(file, "m")
	n, err := strconv.Atoi(file)
	if !ok || err != nil || n < 0 {
		return place{}, unreadable(fmt.Errorf("cursor %q is of no session of Claude Code", c))
	}
	return place{file: n, midTurn: mid, at: agent.Cursor(at)}, nil
}

func unreadable(err error) error {
	return &recap.Error{Code: recap.CodeUnreadable, Message: "the transcript can't be read", Err: err}
}

// Page implements agent.Source.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	if err := ctx.Err(); err != nil {
		return agent.Page{}, err
	}
	x, err := s.resolve(ctx, ref)
	if err != nil {
		return agent.Page{}, err
	}
	from, err := parseCursor(before)
	if err != nil {
		return agent.Page{}, err
	}
	if from.file > len(x.older) {
		return agent.Page{}, unreadable(filelog.ErrChanged)
	}
	var l life
	if before == "" {
		l = s.lives(ctx).session(ref.ID, x.terminal).at(x.UpdatedAt)
	}
	pr := pager{
		n: max(n, 1), x: x, source: s,
		col:      newCollector(before == "", from.midTurn, l),
		parser:   parser{sidechain: x.sidechain},
		problems: map[string]*agent.Problem{},
	}
	return pr.run(ctx, from)
}

// pager reads one page.
type pager struct {
	n      int
	x      *session
	source *Source

	col      *collector
	parser   parser
	page     agent.Page
	problems map[string]*agent.Problem
	changed  int64 // when the newest file that was read was
}

func (p *pager) run(ctx context.Context, from place) (agent.Page, error) {
	for p.page.Next == "" && from.file <= len(p.x.older) {
		part := p.x
		if from.file > 0 {
			part = p.x.older[from.file-1]
		}
		if err := p.file(ctx, part, from); err != nil {
			if ctxErr := ctx.Err(); ctxErr != nil {
				return agent.Page{}, ctxErr
			}
			return agent.Page{}, unreadable(err)
		}
		from = place{file: from.file + 1}
		if from.file <= len(p.x.older) && p.page.Next == "" && len(p.col.records) >= p.n && p.col.settled() {
			p.page.Next = from.cursor()
		}
	}
	p.page.Records = p.col.finish()
	filelog.Times(p.page.Records, p.changed)
	for _, reason := range slices.Sorted(maps.Keys(p.problems)) {
		p.page.Problems = append(p.page.Problems, *p.problems[reason])
	}
	return p.page, nil
}

func (p *pager) problem(reason string, err error) {
	if x := p.problems[reason]; x != nil {
		x.Count++
		return
	}
	p.problems[reason] = &agent.Problem{Reason: reason, Count: 1, Err: err}
}

// file reads back through one file until the page is full or the file, or
// what of it is the session's own, is at its start.
func (p *pager) file(ctx context.Context, x *session, from place) error {
	r, err := filelog.Open(x.path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	if from.at != "" {
		if err := r.Seek(from.at); err != nil {
			return err
		}
	}
	r.WarnLong()
	p.changed = max(p.changed, r.File().ModTime)
	known := p.page.Bytes
	defer func() { p.page.Bytes = known + r.Bytes() }()
	shared, err := p.source.shared(ctx, x, &p.page.Bytes)
	if err != nil {
		return err
	}
	known = p.page.Bytes
	f := reading{p: p, r: r, x: x, file: from.file, shared: shared}
	return f.run(ctx)
}

// reading is one file being read for a page.
type reading struct {
	p      *pager
	r      *filelog.Reader
	x      *session
	file   int
	shared map[uint64]struct{}

	// end is where the page ends if the newest prompt turns out to be no
	// branch: its parent is still looked for.
	end agent.Cursor
	// prompt is the last place at which the page could have ended, and kept
	// how many records it would have had.
	prompt agent.Cursor
	kept   int
	drops  int
	// cut is where the page may end inside a turn that is too long.
	cut  agent.Cursor
	last agent.Cursor
}

func (f *reading) run(ctx context.Context) error {
	col := f.p.col
	for i := 0; ; i++ {
		if i%64 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if f.p.page.Bytes+f.r.Bytes() > agent.MaxScan {
				f.next(f.last, true)
				return nil
			}
		}
		line, err := f.r.Prev()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, filelog.ErrLongAhead):
			if f.back() {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		f.last = f.r.Cursor(line)
		if skip(line.Data, f.p.parser.sidechain) {
			if len(col.open) > 0 {
				col.scan(line.Data)
				if f.full(line.Start) {
					return nil
				}
			}
			continue
		}
		rw, ok := f.row(line)
		if !ok {
			// It may be the parent that is looked for: nothing tells.
			f.end = ""
			clear(col.open)
			continue
		}
		if f.foreign(&rw) {
			return nil
		}
		if f.before(&rw, line.Start) {
			return nil
		}
		turn := col.add(&rw, line.Start)
		if turn && col.settled() {
			f.prompt, f.kept, f.drops = f.r.Cursor(line), len(col.records), col.drops
			if len(col.records) >= f.p.n || f.r.Bytes() >= enough {
				f.end = f.prompt
				if f.full(line.Start) {
					return nil
				}
			}
		}
		if rw.kind == answer && col.settled() {
			f.cut = f.r.Cursor(line)
		}
	}
}

// row decodes a line; false where it can't be used.
func (f *reading) row(line filelog.Row) (row, bool) {
	data, err := f.r.Load(line)
	if errors.Is(err, filelog.ErrRowTooLong) {
		f.p.problem("row over 32 MB", err)
		return row{}, false
	}
	if err != nil {
		f.p.problem("row can't be read", err)
		return row{}, false
	}
	rw, err := f.p.parser.parse(data)
	if err != nil {
		if !line.Open { // else the agent is writing it
			f.p.problem("row is not valid JSON", nil)
		}
		return row{}, false
	}
	rw.at = filelog.Plausible(rw.at, f.r.File().ModTime)
	return rw, true
}

// foreign reports that the row, and with it all before it, was copied from a
// session that is there itself.
func (f *reading) foreign(rw *row) bool {
	if other := f.x.others[rw.foreign]; other != nil && other.Ref.ID != f.x.Ref.ID {
		return true
	}
	if f.shared != nil && rw.uuid != "" && isContent(rw.kind) {
		_, ok := f.shared[hash(rw.uuid)]
		return ok
	}
	return false
}

// before looks at a row that is about to be added, and reports that the page
// ends before it.
func (f *reading) before(rw *row, offset int64) bool {
	col := f.p.col
	if f.end != "" {
		col.met(rw.uuid)
		if f.full(offset) {
			return true
		}
		if isContent(rw.kind) {
			f.end = ""
		}
	}
	if f.cut != "" && rw.kind == answer && col.answers[id(rw.message, offset)] == nil &&
		len(col.records) >= f.p.n && f.r.Bytes() > longTurn {
		col.stop = nil // stands before the cut
		f.next(f.cut, true)
		return true
	}
	return false
}

// full ends the page where it was to end, if no prompt of it is in doubt.
func (f *reading) full(offset int64) bool {
	if f.end == "" || f.p.col.branching(offset) {
		return false
	}
	f.next(f.end, false)
	return true
}

// back ends the page at the last prompt, if there is one, and gives up what
// was read beyond: a row is ahead that costs more than all of it.
func (f *reading) back() bool {
	col := f.p.col
	if f.prompt == "" || f.drops != col.drops {
		return false
	}
	col.records, col.stop = col.records[:f.kept], nil
	f.next(f.prompt, false)
	return true
}

func (f *reading) next(c agent.Cursor, mid bool) {
	if c != "" {
		f.p.page.Next = place{file: f.file, midTurn: mid, at: c}.cursor()
	}
}

// copied are the marks of the rows of some files.
type copied struct {
	mu    sync.Mutex
	stamp string
	rows  map[uint64]struct{}
}

// shared gives the marks of the rows of the sessions that x begins with rows
// of, if it is an unlinked copy. They are read once for all pages.
func (s *Source) shared(ctx context.Context, x *session, bytes *int64) (map[uint64]struct{}, error) {
	if len(x.copyOf) == 0 {
		return nil, nil
	}
	s.marks.mu.Lock()
	defer s.marks.mu.Unlock()
	stamps := make([]string, 0, len(x.copyOf))
	for _, o := range x.copyOf {
		if f, err := filelog.Stat(o.path); err == nil {
			stamps = append(stamps, f.Path+f.Stamp())
		}
	}
	stamp := strings.Join(stamps, "\x00")
	if s.marks.stamp == stamp {
		return s.marks.rows, nil
	}
	rows := map[uint64]struct{}{}
	for _, o := range x.copyOf {
		if err := markRows(ctx, o.path, rows, bytes); err != nil {
			return nil, err
		}
	}
	s.marks.stamp, s.marks.rows = stamp, rows
	return rows, nil
}

// markRows adds the marks of the rows of a file, and what was read to bytes.
func markRows(ctx context.Context, path string, rows map[uint64]struct{}, bytes *int64) error {
	r, err := filelog.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	defer func() { *bytes += r.Bytes() }()
	var p parser
	for r.Bytes() < agent.MaxScan {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := r.Prev()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if line.Long || skip(line.Data, false) {
			continue
		}
		if rw, err := p.parse(line.Data); err == nil && rw.uuid != "" && isContent(rw.kind) {
			rows[hash(rw.uuid)] = struct{}{}
		}
	}
	return nil
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s)) //nolint:gosec // a hash never fails
	return h.Sum64()
}
