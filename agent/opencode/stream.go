package opencode

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/valyala/fastjson"
)

const (
	// deadAfter is how long a stream may be still: a server sends a heartbeat
	// every ten seconds.
	deadAfter = 30 * time.Second
	// maxEvent is the longest event that is looked at. Longer ones are not
	// needed: they carry texts of messages.
	maxEvent = 4 << 20
)

var (
	errDead  = errors.New("the server's stream was still for 30 seconds")
	errEnded = errors.New("the server's stream ended")
)

// events reads the bytes of an event stream and hands each event's data to fn
// until fn or the reader fails. The data is valid until fn returns. An event
// over maxEvent is left out; memory stays bounded whatever is sent. seen is
// called for all that arrives.
func events(r io.Reader, seen func(), fn func(data []byte) error) error {
	br := bufio.NewReaderSize(r, 32<<10)
	var data []byte // of the event that is being read
	var some, tooLong bool
	for {
		line, whole, err := nextLine(br, maxEvent-len(data), seen)
		if err != nil {
			return err
		}
		switch field, value, _ := bytes.Cut(line, []byte(":")); {
		case len(line) == 0 && whole: // the end of the event
			if some && !tooLong {
				if err := fn(data); err != nil {
					return err
				}
			}
			if cap(data) > bigEvent {
				data = nil
			}
			data, some, tooLong = data[:0], false, false
		case string(field) == "data" && !whole:
			tooLong = true
		case string(field) == "data":
			if some {
				data = append(data, '\n')
			}
			data, some = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		}
	}
}

// nextLine reads a line without its end. whole is false where it was longer
// than so many bytes: then it is its beginning.
func nextLine(br *bufio.Reader, most int, seen func()) (line []byte, whole bool, err error) {
	var long []byte
	whole = true
	for {
		part, err := br.ReadSlice('\n')
		if len(part) > 0 {
			seen()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, false, err // what has no end is not looked at
		}
		over := err == nil
		if over && long == nil && len(part) <= most+2 {
			return bytes.TrimRight(part, "\r\n"), true, nil
		}
		if room := most - len(long); len(part) > room+2 {
			part, whole = part[:max(0, room)], false
		}
		if whole || len(long) == 0 {
			long = append(long, part...)
		}
		if over {
			return bytes.TrimRight(long, "\r\n"), whole, nil
		}
	}
}

// stream opens the server's stream of events of all directories and hands on
// those that mean something, until it breaks, is still for too long, or ctx
// is over.
func (c *client) stream(ctx context.Context, fn func(signal) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(deadAfter, func() { cancel(errDead) })
	defer watchdog.Stop()
	awake := func() bool { return watchdog.Reset(deadAfter) }
	req, err := c.request(ctx, http.MethodGet, "/global/event", nil, nil)
	if err != nil {
		return c.fault(ctx, err)
	}
	req.Header.Set("Accept", "text/event-stream")
	res, err := c.http.Do(req)
	if err != nil {
		return c.broken(ctx, err)
	}
	defer res.Body.Close() //nolint:errcheck // nothing was written
	if err := c.refused(res); err != nil {
		return err
	}
	if t := res.Header.Get("Content-Type"); len(t) < len(eventStream) || t[:len(eventStream)] != eventStream {
		return c.stranger()
	}
	awake()
	var stop error
	parser := new(fastjson.Parser)
	err = events(res.Body, func() { awake() }, func(data []byte) error {
		sig, ok := readSignal(parser, data)
		if len(data) > bigEvent {
			parser = new(fastjson.Parser) // it keeps a copy
		}
		if ok {
			watchdog.Stop() // we are slow, not the server
			stop = fn(sig)
			awake()
		}
		return stop
	})
	if stop != nil {
		return stop
	}
	return c.broken(ctx, err)
}

const eventStream = "text/event-stream"

// broken names why a stream ended.
func (c *client) broken(ctx context.Context, err error) error {
	switch {
	case errors.Is(context.Cause(ctx), errDead):
		return errDead
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errEnded
	}
	return c.fault(ctx, err)
}

// signalKind says what an event of a server means here.
type signalKind uint8

const (
	sigAlive    signalKind = iota + 1 // connected, or a heartbeat
	sigSession                        // made or changed: info
	sigDeleted                        // a session is gone
	sigStatus                         // busy or not
	sigMessage                        // a message: id, user, created, completed
	sigRemoved                        // a message is gone
	sigCompact                        // a compaction begins (busy) or is over
	sigAsked                          // an approval or a question waits: id
	sigAnswered                       // it does no longer
	sigDisposed                       // a directory's state in memory is gone: dir
)

// signal is an event of a server.
type signal struct {
	kind      signalKind
	connected bool // of sigAlive: the first of a stream
	session   string
	dir       string
	id        string
	busy      bool
	user      bool
	created   int64
	completed int64
	info      info
}

// noise tells of the events that come most often, by their first bytes, that
// they mean nothing: pieces of texts, and the second form of each change.
func noise(data []byte) bool {
	head := data[:min(len(data), 1024)]
	_, head, ok := bytes.Cut(head, []byte(`"payload":{`))
	if !ok {
		return false
	}
	head = head[:min(len(head), 128)]
	_, head, ok = bytes.Cut(head, []byte(`"type":"`))
	if !ok {
		return false
	}
	for _, kind := range []string{`sync"`, `message.part.delta"`, `session.diff"`, `plugin.added"`} {
		if bytes.HasPrefix(head, []byte(kind)) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte(`message.part.updated"`)) && !bytes.Contains(data, []byte(`"compaction"`))
}

// bigEvent is the longest event whose memory is used again.
const bigEvent = 256 << 10

// parseSignal is readSignal with a parser of its own.
func parseSignal(data []byte) (signal, bool) { return readSignal(new(fastjson.Parser), data) }

// readSignal reads an event; false where it means nothing, has no session, or
// is no JSON. Fields of a wrong type are as if they were missing. Nothing of
// the parser's memory is kept.
func readSignal(p *fastjson.Parser, data []byte) (signal, bool) {
	if noise(data) {
		return signal{}, false
	}
	v, err := p.ParseBytes(data)
	if err != nil {
		return signal{}, false
	}
	dir := str(v, "directory")
	if p := v.Get("payload"); p != nil {
		v = p
	}
	props := v.Get("properties")
	sig := signal{session: str(props, "sessionID"), dir: dir}
	switch kind := str(v, "type"); kind {
	case "server.connected", "server.heartbeat":
		return signal{kind: sigAlive, connected: kind == "server.connected"}, true
	case "server.instance.disposed", "global.disposed":
		if d := str(props, "directory"); d != "" {
			sig.dir = d
		}
		sig.kind = sigDisposed
		return sig, true
	case "session.created", "session.updated", "session.deleted":
		i, ok := parseInfo(props.Get("info"))
		if !ok {
			return signal{}, false
		}
		i.metadata = nil // it would keep the whole event
		sig.kind, sig.session, sig.info = sigSession, i.id, i
		if kind == "session.deleted" {
			sig.kind = sigDeleted
		}
	case "session.status":
		t := str(props, "status", "type")
		if t == "" {
			return signal{}, false
		}
		sig.kind, sig.busy = sigStatus, t != "idle" // what is not known is not idle
	case "session.idle":
		sig.kind = sigStatus
	case "session.compacted":
		sig.kind = sigCompact
	case "message.updated":
		m := props.Get("info")
		if sig.session == "" {
			sig.session = str(m, "sessionID")
		}
		sig.kind, sig.id, sig.user = sigMessage, str(m, "id"), str(m, "role") == "user"
		sig.created, sig.completed = num(m, "time", "created"), num(m, "time", "completed")
	case "message.removed":
		sig.kind, sig.id = sigRemoved, str(props, "messageID")
	case "message.part.updated":
		part := props.Get("part")
		if str(part, "type") != "compaction" {
			return signal{}, false
		}
		if sig.session == "" {
			sig.session = str(part, "sessionID")
		}
		sig.kind, sig.busy = sigCompact, true
	case "permission.asked", "permission.updated", "permission.v2.asked", "question.asked", "question.v2.asked":
		sig.kind, sig.id = sigAsked, str(props, "id")
	case "permission.replied", "permission.v2.replied", "question.replied", "question.rejected", "question.v2.replied", "question.v2.rejected":
		sig.kind, sig.id = sigAnswered, str(props, "requestID")
		if sig.id == "" {
			sig.id = str(props, "permissionID")
		}
	default:
		return signal{}, false
	}
	return sig, sig.session != ""
}
