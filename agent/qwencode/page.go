package qwencode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// Page reads backward from the cursor: at least n records, ending just before
// a person's prompt where no result waits for its call.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	path, err := s.path(ctx, ref)
	if err != nil {
		return agent.Page{}, err
	}
	r, err := filelog.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "the transcript is gone", Err: err}
		}
		return agent.Page{}, err
	}
	defer r.Close() //nolint:errcheck // read only
	if before != "" {
		if err := r.Seek(before); err != nil {
			return agent.Page{}, err
		}
	}
	c := collector{r: r, pending: map[string]outcome{}, problems: map[string]int{}, void: map[string]bool{}}
	c.p = s.parsers.Get()
	defer s.parsers.Put(c.p)
	err = c.run(ctx, n)
	page := agent.Page{Records: c.out, Next: c.next, Bytes: r.Bytes()}
	slices.Reverse(page.Records)
	filelog.Times(page.Records, r.File().ModTime)
	if before == "" {
		s.settle(page.Records, path, filelog.Plausible(c.updated, r.File().ModTime))
	}
	for reason, count := range c.problems {
		page.Problems = append(page.Problems, agent.Problem{Reason: reason, Count: count})
	}
	slices.SortFunc(page.Problems, func(a, b agent.Problem) int { return b.Count - a.Count })
	if err != nil {
		return page, fmt.Errorf("read session: %w", err)
	}
	return page, nil
}

// collector gathers records newest first.
type collector struct {
	r        *filelog.Reader
	p        *fastjson.Parser
	out      []recap.Message
	next     agent.Cursor
	pending  map[string]outcome // results whose call is still to come
	problems map[string]int
	skipTo   string          // rows are gone until this one
	mark     agent.Cursor    // where the rewind in force stands
	void     map[string]bool // rewinds to a row that does not exist: they drop nothing
	updated  time.Time       // of the newest content
}

func (c *collector) run(ctx context.Context, n int) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.r.Bytes() > agent.MaxScan {
			return nil
		}
		line, err := c.r.Prev()
		if errors.Is(err, io.EOF) {
			if c.skipTo == "" || c.mark == "" {
				return nil
			}
			// The row was never found: the rewind names a row that is not
			// there, so nothing may be dropped for it.
			c.void[c.skipTo] = true
			c.skipTo = ""
			if err := c.r.Seek(c.mark); err != nil {
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
		b, err := c.r.Load(line)
		if errors.Is(err, filelog.ErrRowTooLong) {
			c.problems["row over 32 MB"]++
			continue
		}
		if err != nil {
			return err
		}
		row, ok := parse(c.p, b)
		if !ok {
			if !line.Open {
				c.problems["row is not JSON"]++
			}
			continue
		}
		if c.skipTo != "" {
			if row.uuid != c.skipTo {
				continue
			}
			c.skipTo = ""
		}
		c.take(row, line)
		if row.kind == human && len(c.out) >= n && len(c.pending) == 0 {
			c.next = c.r.Cursor(line)
			return nil
		}
	}
}

func (c *collector) take(r row, line filelog.Row) {
	switch r.kind {
	case noise, title, compacted, rewind:
	default:
		if r.at.After(c.updated) {
			c.updated = r.at
		}
	}
	switch r.kind {
	case human, injected:
		c.out = append(c.out, r.msg)
	case answer:
		for i := range r.msg.Parts {
			if t := r.msg.Parts[i].Tool; t != nil {
				if o, ok := c.pending[t.CallID]; ok {
					o.attach(t)
					delete(c.pending, t.CallID)
				}
			}
		}
		c.out = append(c.out, r.msg)
	case result:
		c.pending[r.callID] = r.outcome
	case apiError:
		// A failed call that was tried again with success is no failure.
		if k := len(c.out); k > 0 && c.out[k-1].Role == recap.RoleAssistant {
			return
		}
		c.out = append(c.out, recap.Message{
			ID: r.uuid, Role: recap.RoleAssistant, Created: r.at,
			Failure: &recap.Failure{Code: r.failure.code, Message: r.failure.message},
		})
	case rewind:
		if c.void[r.parent] {
			return
		}
		clear(c.pending)
		if r.parent == "" { // back to the very start: nothing before it counts
			c.skipTo = "\x00"
			c.mark = ""
			return
		}
		c.skipTo, c.mark = r.parent, c.r.Cursor(line)
	case noise, title, compacted:
	}
}
