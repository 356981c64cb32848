package dialog

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	recap "github.com/sessionrecap/recap"
)

const (
	// seenRecords is how many ids are remembered at least, to find records
	// that stand on two pages.
	seenRecords = 1 << 15
	// maxIdle is how many pages in a row may bring neither a record nor a
	// byte.
	maxIdle = 1_000
)

// Read reads backward from the end of a session until it has the turns that
// the limits ask for, the history begins, or a limit is reached.
//
// Errors: what the pager or the context says, wrapped; recap.CodeUnreadable
// where a cursor comes again or an attached text is not a string. The Dialog
// is empty then.
func Read(ctx context.Context, p Pager, l Limits) (Dialog, error) {
	l.Turns, l.PageSize = orDefault(l.Turns, 3), orDefault(l.PageSize, 50)
	r := reader{limits: l}
	cursor, idle := "", 0
	asked := map[string]bool{}
	for {
		if err := ctx.Err(); err != nil {
			return Dialog{}, err
		}
		page, err := p.Page(ctx, cursor, l.PageSize)
		if err != nil {
			return Dialog{}, fmt.Errorf("page %d: %w", r.d.Pages+1, err)
		}
		r.d.Pages++
		r.d.Bytes += page.Bytes
		for i := len(page.Records) - 1; i >= 0 && !r.done; i-- {
			if err := r.record(&page.Records[i]); err != nil {
				return Dialog{}, err
			}
		}
		if r.done || page.Next == "" {
			break
		}
		if asked[page.Next] {
			return Dialog{}, unreadable("the history repeats a cursor")
		}
		if l.MaxPages > 0 && r.d.Pages >= l.MaxPages || l.MaxBytes > 0 && r.d.Bytes >= l.MaxBytes {
			r.d.Truncated = true
			break
		}
		if idle++; len(page.Records) > 0 || page.Bytes > 0 {
			idle = 0
		}
		if idle > maxIdle {
			return Dialog{}, unreadable("the history has only empty pages")
		}
		asked[page.Next] = true
		cursor = page.Next
	}
	return r.finish(), nil
}

func orDefault(n, def int) int {
	if n <= 0 {
		return def
	}
	return n
}

func unreadable(message string) error {
	return &recap.Error{Code: recap.CodeUnreadable, Message: message}
}

// reader is the state between two records, the newer one read first.
type reader struct {
	limits Limits
	d      Dialog // Turns and Messages newest first until finish
	done   bool
	seen   seen
	seq    int // of the record read last; the newest is 1
	// lastSeq is the newest content record's that is no compaction.
	lastSeq int
	// compaction is the newest record, where that is one, or asks for one.
	compaction *compaction
	// stopped: a service record newer than all content says that the person
	// stopped the work.
	stopped bool
	// newest is the newest turn's last counted record, 0 where it has none.
	newest int
	seg    segment
	late   []owned // tool calls made for requests that are older than where they stand
	lines  lines
}

// record takes the next older record.
func (r *reader) record(m *recap.Message) error {
	if !r.seen.add(m.ID) {
		return nil
	}
	r.d.Records++
	r.seq++
	human := m.Role == recap.RoleUser && isHuman(m)
	switch {
	case m.Role == recap.RoleUser && !human && onlyIgnored(m):
		return nil // a notice that nobody sent to the agent
	case m.Role == recap.RoleUser, m.Role == recap.RoleAssistant:
		switch {
		case r.lastSeq > 0:
		case !m.Summary:
			r.content(m, human)
		case r.compaction == nil:
			r.compaction = &compaction{end: endOf(m, human), failure: m.Failure}
			r.d.Last, r.d.LastAt = strings.Clone(m.ID), at(m)
		}
	default:
		r.stopped = r.stopped || r.lastSeq == 0 && m.Interrupted
		r.seg.service(m, r.seq)
		return nil
	}
	switch {
	case human:
		if err := r.close(m); err != nil {
			return err
		}
	case m.Role == recap.RoleUser:
		r.seg.continuation(m.ID)
	default:
		text := ""
		if !m.Summary && (r.lines.open() || r.seg.wantsText(m.ParentID)) {
			var err error
			if text, err = r.limits.answerText(m); err != nil {
				return err
			}
		}
		r.lines.add(recap.RoleAssistant, m.ID, text)
		r.seg.answer(m, text, r.seq)
	}
	if r.limits.StopUnready && (r.compaction != nil || r.lastSeq > 0 && r.d.End != EndComplete) {
		r.done = true
	}
	return nil
}

// compaction is a summary that is newer than all content. Nothing was asked or
// answered with it: the session stands as it did before.
type compaction struct {
	end     End
	failure *recap.Failure
}

// content notes how the newest content record stands.
func (r *reader) content(m *recap.Message, human bool) {
	r.lastSeq = r.seq
	if r.compaction == nil {
		r.d.Last, r.d.LastAt = strings.Clone(m.ID), at(m)
	}
	r.d.Failure = m.Failure
	r.d.End = endOf(m, human)
	if r.stopped && r.d.End != EndComplete {
		r.d.End = EndInterrupted
	}
	if c := r.compaction; c != nil && r.d.End == EndWorking && (c.end == EndFailed || c.end == EndInterrupted) {
		r.d.End, r.d.Failure = c.end, c.failure // the work ended in it
	}
}

// close ends the segment at the record that opens its turn.
func (r *reader) close(m *recap.Message) error {
	text, authored, typed, err := r.limits.userText(m)
	if err != nil {
		return err
	}
	r.lines.add(recap.RoleUser, m.ID, text)
	turn, last, late := r.seg.close(m, r.late)
	turn.Text, turn.Authored, turn.Typed = text, authored, typed
	if len(r.d.Turns) == 0 {
		r.newest = last
	}
	r.d.Turns = append(r.d.Turns, turn)
	r.late, r.seg = late, segment{}
	r.done = r.done || len(r.d.Turns) >= r.limits.Turns
	return nil
}

// finish puts the dialog in its order and judges it.
func (r *reader) finish() Dialog {
	d := r.d
	slices.Reverse(d.Turns)
	d.Messages = r.lines.view()
	switch {
	case r.lastSeq == 0 && r.compaction == nil:
		d.End, d.NotReady = EndEmpty, string(EndEmpty)
	case r.lastSeq == 0:
		d.End, d.Failure, d.NotReady = EndSummary, r.compaction.failure, string(EndSummary)
	case d.End != EndComplete:
		d.NotReady = string(d.End)
	case len(d.Turns) == 0, r.newest != r.lastSeq:
		d.NotReady = NoRequest
		if len(d.Turns) > 0 && r.newest == 0 {
			d.End = EndUnanswered
		}
	default:
		d.Ready = true
	}
	if r.compaction != nil {
		d.Ready, d.NotReady = false, string(EndSummary)
	}
	return d
}

// seen remembers the ids of records, the newest seenRecords at least, as
// hashes: a session may have millions.
type seen struct{ now, before map[uint64]struct{} }

// add tells whether the id is new. A record without an id always is.
func (s *seen) add(id string) bool {
	if id == "" {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(id)) //nolint:gosec // a hash never fails
	key := h.Sum64()
	if _, ok := s.now[key]; ok {
		return false
	}
	if _, ok := s.before[key]; ok {
		return false
	}
	if s.now == nil || len(s.now) >= seenRecords {
		s.before, s.now = s.now, make(map[uint64]struct{}, 64)
	}
	s.now[key] = struct{}{}
	return true
}

// lines collects the dialog view, newest first.
type lines struct {
	list  []Line
	users int
}

// open tells whether another answer's text is wanted.
func (l *lines) open() bool { return len(l.list) < MaxMessages }

func (l *lines) add(role recap.Role, id, text string) {
	user := role == recap.RoleUser
	switch {
	case text == "" && !user:
		return
	case l.open():
	case l.users > 0 || !user:
		return
	default: // no user line among the last ones: reach back to one
		l.list = l.list[:MaxMessages-1]
	}
	l.list = append(l.list, Line{Role: role, ID: strings.Clone(id), Text: text})
	if user {
		l.users++
	}
}

// view gives the lines oldest first, from the first user line on.
func (l *lines) view() []Line {
	out := slices.Clone(l.list)
	slices.Reverse(out)
	first := slices.IndexFunc(out, func(x Line) bool { return x.Role == recap.RoleUser })
	if first < 0 {
		return nil
	}
	return out[first:]
}
