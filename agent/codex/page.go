package codex

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const (
	// maxOver is how many rows a page reads beyond what was asked for to end
	// before a person's prompt; then any place will do at which no result
	// waits for its call.
	maxOver = 4000
	// maxOverBytes bounds the same in bytes.
	maxOverBytes = 32 << 20
)

// position is a place in a history: a file of it and a place in that.
type position struct {
	key   string // of the file
	off   int64  // the row before this byte is next; -1: the end that holds
	inode uint64
	human bool // a prompt of the thread's own was given already
	mid   bool // the place lies in the midst of a turn
	skip  int  // prompts still to be taken back by a rollback
}

func (p position) cursor() agent.Cursor {
	h := 0
	if p.human {
		h = 1
	}
	if p.mid {
		h += 2
	}
	return agent.Cursor(strings.Join([]string{
		p.key, strconv.FormatInt(p.off, 10), strconv.FormatUint(p.inode, 16), strconv.Itoa(h), strconv.Itoa(p.skip),
	}, "/"))
}

var errCursor = errors.New("cursor is not of a rollout")

func parseCursor(c agent.Cursor) (position, error) {
	f := strings.Split(string(c), "/")
	n := len(f)
	if n < 5 {
		return position{}, errCursor
	}
	off, err := strconv.ParseInt(f[n-4], 10, 64)
	inode, err2 := strconv.ParseUint(f[n-3], 16, 64)
	h, err3 := strconv.Atoi(f[n-2])
	skip, err4 := strconv.Atoi(f[n-1])
	if errors.Join(err, err2, err3, err4) != nil || off < -1 || skip < 0 {
		return position{}, errCursor
	}
	return position{key: strings.Join(f[:n-4], "/"), off: off, inode: inode, human: h&1 > 0, mid: h&2 > 0, skip: skip}, nil
}

// Page reads the newest n records before the cursor. A history that goes
// through several files is read as one.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	s.mu.Lock()
	cat, exclude := s.known, s.exclude
	s.mu.Unlock()
	if cat == nil || cat.threads[ref.ID] == nil || before == "" && !cat.fresh() {
		var err error
		if cat, err = s.scan(ctx, exclude, func(*agent.Problem) {}); err != nil {
			return agent.Page{}, err
		}
	}
	page, err := s.page(ctx, cat, ref, before, n)
	if errors.Is(err, fs.ErrNotExist) { // archived or compressed meanwhile
		if cat, err = s.scan(ctx, exclude, func(*agent.Problem) {}); err != nil {
			return agent.Page{}, err
		}
		page, err = s.page(ctx, cat, ref, before, n)
	}
	return page, err
}

func (s *Source) page(ctx context.Context, cat *catalog, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	own, foreign := cat.chain(ref.ID)
	if len(own) == 0 || ref.Agent != recap.Codex || ref.Root != s.home.Root {
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "no such session"}
	}
	p := &pager{
		want: max(n, 1), links: slices.Concat(own, foreign), own: len(own),
		at: position{off: -1}, counts: map[string]int{},
	}
	p.parser = s.parsers.Get()
	defer s.parsers.Put(p.parser)
	if before != "" {
		var err error
		if p.at, err = parseCursor(before); err != nil {
			return agent.Page{}, err
		}
		if p.after = afterTurn; p.at.mid {
			p.after = afterPart
		}
		p.link = slices.IndexFunc(p.links, func(l link) bool { return l.key() == p.at.key })
		if p.link < 0 {
			return agent.Page{}, filelog.ErrChanged
		}
	}
	if err := p.read(ctx); err != nil {
		return agent.Page{}, err
	}
	return p.finish(), nil
}

// pager reads one page.
type pager struct {
	parser *fastjson.Parser
	want   int
	links  []link
	own    int // how many of the links are the thread's own

	after  after    // what stands behind the page
	link   int      // the file that is being read
	at     position // where the page ends so far
	done   bool
	rows   []row // newest first
	bytes  int64
	counts map[string]int // problems
	// changed is when the newest file that was read was last changed.
	changed int64

	records int
	human   bool // the page is full and may end with its oldest prompt
	over    int
	full    int64 // bytes when the page was full
	open    map[string]bool
	starts  bool   // beginnings of turns were seen
	begun   bool   // the page ends with the beginning of a turn
	made    bool   // its turns were made up when the rollout was migrated
	said    bool   // the answer that is being read has a text
	dropped string // turn that a rollback takes back
}

// read goes back through the files until the page is full.
func (p *pager) read(ctx context.Context) error {
	p.open = map[string]bool{}
	for p.link < len(p.links) {
		if p.link >= p.own && p.at.human {
			break // the parent's work is not this thread's
		}
		l := p.links[p.link]
		p.at.key = l.key()
		p.changed = max(p.changed, l.file.ModTime)
		end, err := p.file(ctx, l)
		if err != nil || end {
			return err
		}
		p.link++
		p.at.off, p.at.inode = -1, 0
	}
	p.done = true
	return nil
}

// rowReader is what a file gives its rows by.
type rowReader interface {
	Prev() (filelog.Row, error)
	Load(filelog.Row) ([]byte, error)
	Bytes() int64
}

// file reads one file back. It reports that the page ends in it.
func (p *pager) file(ctx context.Context, l link) (bool, error) {
	if l.zst {
		return p.packed(ctx, l)
	}
	r, err := filelog.Open(l.file.Path)
	if err != nil {
		return false, err
	}
	defer r.Close() //nolint:errcheck // read only
	inode, byOrdinal := r.File().Inode, false
	switch {
	case p.at.off >= 0:
		if p.at.inode == 0 { // the place was named while the file was compressed
			p.at.inode = inode
		}
		if err := r.Seek(placeIn(p.at.off, p.at.inode)); err != nil {
			return false, err
		}
	case l.endOffset >= 0 && r.Seek(placeIn(l.endOffset, inode)) != nil:
		// The file was rewritten since: now the ordinals tell.
		if byOrdinal = true; l.endOrdinal < 0 {
			p.counts["history base not found"]++
			return false, nil
		}
	}
	p.at.inode = inode
	end, err := p.rowsOf(ctx, r, l, byOrdinal)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return end, err
}

// placeIn words a place as a reader of lines wants it.
func placeIn(off int64, inode uint64) agent.Cursor {
	return agent.Cursor(strconv.FormatInt(off, 10) + "." + strconv.FormatUint(inode, 16))
}

// packed reads a compressed file back, one window after another.
func (p *pager) packed(ctx context.Context, l link) (bool, error) {
	end := p.at.off
	byOrdinal := false
	if end < 0 && l.endOffset >= 0 {
		end = l.endOffset
	}
	for {
		t, err := lastOf(ctx, l.file.Path, end, window, MaxInflate)
		switch {
		case errors.Is(err, errTooLong):
			p.counts["compressed rollout over 2 GB"]++
			return false, nil
		case errors.Is(err, filelog.ErrChanged) && p.at.off < 0:
			byOrdinal, err = true, nil // shorter than the place that was named
		case err != nil && t.size > 0 && ctx.Err() == nil && !errors.Is(err, filelog.ErrChanged):
			p.counts["compressed rollout breaks off"]++
			err = nil
		}
		if err == nil && end > 0 && !byOrdinal && !t.atBreak() {
			if p.at.off >= 0 {
				return false, filelog.ErrChanged
			}
			byOrdinal, end = true, -1
			continue
		}
		if err != nil {
			return false, err
		}
		if byOrdinal && l.endOrdinal < 0 {
			p.counts["history base not found"]++
			return false, nil
		}
		r := filelog.NewReader(t, t.size)
		done, err := p.rowsOf(ctx, r, l, byOrdinal)
		if !errors.Is(err, errBefore) {
			if errors.Is(err, io.EOF) {
				return false, nil
			}
			return done, err
		}
		if end = p.at.off; end < 0 || end >= t.size {
			// A row longer than the window.
			p.counts["row over 32 MB"]++
			end = t.rowStart
			p.at.off = end
		}
		if end == 0 {
			return false, nil
		}
	}
}

// rowsOf takes rows until the page is full (true) or the reader ends (its
// error).
func (p *pager) rowsOf(ctx context.Context, r rowReader, l link, byOrdinal bool) (bool, error) {
	from := r.Bytes()
	read := p.bytes
	defer func() { p.bytes = read + r.Bytes() - from }()
	for {
		p.bytes = read + r.Bytes() - from
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if p.bytes >= agent.MaxScan {
			return true, nil
		}
		line, err := r.Prev()
		if err != nil {
			return false, err
		}
		if bookkeeping(line.Data) {
			p.at.off = line.Start
			continue
		}
		row, ok := p.parse(r, line)
		if !ok {
			p.at.off = line.Start
			continue
		}
		if l.endOrdinal >= 0 && row.ordinal >= l.endOrdinal || byOrdinal && row.ordinal < 0 {
			p.at.off = line.Start
			continue
		}
		if p.stop(&row) {
			return true, nil
		}
		p.at.off = line.Start
		if p.take(&row) {
			return true, nil
		}
	}
}

// parse gives the row of a line, and counts those it can't read. A torn last
// line is no problem: its end will come.
func (p *pager) parse(r rowReader, line filelog.Row) (row, bool) {
	b, err := r.Load(line)
	if err != nil {
		p.counts["row over 32 MB"]++
		return row{}, false
	}
	x, err := parseRow(p.parser, b)
	if err != nil {
		if !line.Open {
			p.counts["row is not JSON"]++
		}
		return row{}, false
	}
	return x, true
}

// stop reports that the page ends after this row, which is not taken.
func (p *pager) stop(r *row) bool {
	if p.records < p.want {
		return false
	}
	if p.human {
		switch r.kind {
		case rowInjected, rowContext, rowMeta, rowStart, rowOther:
			return false
		}
		return true
	}
	p.over++
	if p.over < maxOver && p.bytes-p.full < maxOverBytes || len(p.open) > 0 || len(p.rows) == 0 {
		return false
	}
	// In the midst of a turn: between one answer of the model and the next.
	return answering(p.rows[len(p.rows)-1].kind) && !answering(r.kind)
}

func answering(k rowKind) bool { return k == rowAnswer || k == rowCall || k == rowReasoning }

// take adds a row. It reports that the page ends before it.
func (p *pager) take(r *row) bool {
	if r.kind == rowRollback {
		p.at.skip += r.turns
	}
	if r.kind == rowOther || p.undone(r) {
		return false
	}
	// Calls and thoughts without a text are a record too.
	if k := len(p.rows) - 1; k >= 0 && !answering(r.kind) && answering(p.rows[k].kind) && !p.said {
		p.count()
	}
	p.said = p.said && answering(r.kind)
	p.rows = append(p.rows, *r)
	switch r.kind {
	case rowHuman:
		p.count()
		// Where turns have beginnings the page ends with one. A migrated
		// rollout has them behind the prompt.
		p.human = p.records >= p.want && (p.made || !p.starts && !p.links[p.link].facts.tasks)
		if l := p.links[0]; p.link < p.own && !l.facts.copies {
			p.at.human = true
		}
	case rowAnswer:
		p.count()
		p.said = true
	case rowResult:
		p.open[r.tool.CallID] = true
	case rowCall:
		delete(p.open, r.tool.CallID)
	case rowStart:
		p.made = p.made || strings.HasPrefix(r.turn, migrated)
		p.starts = true
		p.begun = p.records >= p.want && !p.made
		return p.begun
	}
	return false
}

func (p *pager) count() {
	p.records++
	if p.records == p.want {
		p.full = p.bytes
	}
}

// undone reports a row of a turn that was taken back.
func (p *pager) undone(r *row) bool {
	if r.kind == rowRollback || r.kind == rowMeta || r.kind == rowContext {
		return false
	}
	if p.dropped != "" && r.turn == p.dropped {
		return true
	}
	if p.at.skip == 0 {
		return false
	}
	if r.kind == rowHuman {
		p.at.skip--
		p.dropped = r.turn
	}
	return true
}

// finish makes the page of the rows.
func (p *pager) finish() agent.Page {
	slices.Reverse(p.rows)
	last := p.links[0]
	model := last.entry.Session.Model
	b := newBuilder(model.Provider, model.ID, last.facts.tasks)
	b.copied = last.facts.isCopied
	out := b.build(p.rows, p.after)
	p.at.mid = !p.human && !p.begun
	filelog.Times(out.records, p.changed)
	page := agent.Page{Bytes: p.bytes, Records: out.records}
	if last.facts.copies {
		// A fork that copied its parent: its own work alone, once it has some.
		var mine []recap.Message
		for i, m := range out.records {
			if !out.foreign[i] {
				mine = append(mine, m)
				p.at.human = p.at.human || m.Role == recap.RoleUser
			}
		}
		if p.at.human && len(mine) < len(out.records) {
			page.Records, p.done = mine, true
		}
	}
	if !p.done {
		page.Next = p.at.cursor()
	}
	for reason, n := range p.counts {
		page.Problems = append(page.Problems, agent.Problem{Reason: reason, Count: n})
	}
	slices.SortFunc(page.Problems, func(a, b agent.Problem) int { return strings.Compare(a.Reason, b.Reason) })
	return page
}
