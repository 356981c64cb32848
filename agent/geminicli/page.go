package geminicli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/valyala/fastjson"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

// unquote decodes the inside of a JSON string.
func unquote(b []byte) string {
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, b...), '"'), &s) != nil {
		return ""
	}
	return s
}

// Page reads backward from the cursor. A session in one event log is paged; one
// in several files, or in a document, is given whole: its files only make sense
// together.
func (s *Source) Page(ctx context.Context, ref recap.SessionRef, before agent.Cursor, n int) (agent.Page, error) {
	paths, err := s.paths(ctx, ref)
	if err != nil {
		return agent.Page{}, err
	}
	c := collector{seen: map[string]bool{}, late: map[string]entry{}, problems: map[string]int{}, void: map[string]bool{}}
	c.p = s.parsers.Get()
	defer s.parsers.Put(c.p)
	if len(paths) == 1 && isLog(paths[0]) {
		err = c.log(ctx, paths[0], before, n)
	} else if before == "" {
		for _, path := range paths {
			if isLog(path) {
				err = c.log(ctx, path, "", 1<<30)
			} else {
				err = c.document(path)
			}
			if err != nil {
				break
			}
		}
		c.sort = c.sort || len(paths) > 1
	}
	if errors.Is(err, fs.ErrNotExist) {
		return agent.Page{}, &recap.Error{Code: recap.CodeSessionNotFound, Message: "the transcript is gone", Err: err}
	}
	page := agent.Page{Records: c.out, Next: c.next, Bytes: c.bytes}
	slices.Reverse(page.Records)
	if c.sort {
		slices.SortStableFunc(page.Records, func(a, b recap.Message) int { return a.Created.Compare(b.Created) })
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
	p        *fastjson.Parser
	out      []recap.Message
	seen     map[string]bool
	late     map[string]entry // from lists, not yet seen as a row of their own
	next     agent.Cursor
	bytes    int64
	problems map[string]int
	sort     bool
	void     map[string]bool // rewinds to a message that does not exist
}

func (c *collector) take(e entry) {
	delete(c.late, e.id)
	if c.seen[e.id] {
		return
	}
	if e.id != "" {
		c.seen[e.id] = true
	}
	if !e.drop {
		c.out = append(c.out, e.msg)
	}
}

// log reads an event log backward until n records are found.
func (c *collector) log(ctx context.Context, path string, before agent.Cursor, n int) error {
	r, err := filelog.Open(path)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	defer func() { c.bytes += r.Bytes() }()
	if before != "" {
		if err := r.Seek(before); err != nil {
			return err
		}
	}
	var (
		skip string // rows are gone down to this message
		mark agent.Cursor
	)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.Bytes() > agent.MaxScan {
			return nil
		}
		line, err := r.Prev()
		if errors.Is(err, io.EOF) {
			if skip != "" && mark != "" {
				// Gemini itself drops all for an unknown id; a recap would
				// rather show what was there.
				c.void[skip] = true
				skip = ""
				if err := r.Seek(mark); err != nil {
					return err
				}
				continue
			}
			c.rest()
			return nil
		}
		if err != nil {
			return err
		}
		if bookkeeping(line.Data) {
			continue
		}
		b, err := r.Load(line)
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
		switch row.kind {
		case message:
			if skip != "" {
				if row.msg.id == skip {
					skip = ""
				}
				c.seen[row.msg.id] = true
				delete(c.late, row.msg.id)
				continue
			}
			fresh := !c.seen[row.msg.id]
			c.take(row.msg)
			if fresh && row.msg.human && len(c.out) >= n {
				c.next = r.Cursor(line)
				return nil
			}
		case replace:
			if skip != "" {
				continue
			}
			for _, e := range row.list {
				if _, ok := c.late[e.id]; !ok && !c.seen[e.id] && e.id != "" {
					c.late[e.id] = e
				}
			}
		case rewindTo:
			if skip == "" && !c.void[row.target] {
				skip, mark = row.target, r.Cursor(line)
			}
		case noise, header, patch:
		}
	}
}

// rest takes the messages that stood in lists alone.
func (c *collector) rest() {
	if len(c.late) == 0 {
		return
	}
	c.sort = true
	left := make([]entry, 0, len(c.late))
	for _, e := range c.late {
		left = append(left, e)
	}
	slices.SortFunc(left, func(a, b entry) int { return b.msg.Created.Compare(a.msg.Created) })
	for _, e := range left {
		c.take(e)
	}
}

// document reads a session of the older form.
func (c *collector) document(path string) error {
	f, err := filelog.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	if f.File().Size > filelog.MaxRow {
		c.problems["document over 32 MB"]++
		return nil
	}
	b, err := f.Whole()
	c.bytes += f.Bytes()
	if errors.Is(err, filelog.ErrRowTooLong) {
		c.problems["document too long"]++
		return nil
	}
	if err != nil {
		return err
	}
	r, ok := document(c.p, b)
	if !ok {
		c.problems["document is not JSON"]++
		return nil
	}
	for i := len(r.list) - 1; i >= 0; i-- {
		c.take(r.list[i])
	}
	return nil
}
