package codex

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/sessionrecap/recap/agent"
	"github.com/sessionrecap/recap/agent/filelog"
)

const (
	// MaxInflateList is the most that listing unpacks of one compressed
	// rollout, in bytes of the rollout. What is longer is listed by its head
	// and by the time of its file.
	MaxInflateList = 64 << 20
	// MaxInflate is the most that a page unpacks, in bytes of the rollout.
	MaxInflate = 2 << 30

	// window is how much of a rollout a page holds: a row of the greatest
	// length and then some.
	window = filelog.MaxRow + 1<<20
	// block is the unit in which the window moves.
	block = 256 << 10
	// maxFrame is the greatest window of a frame that is unpacked. Codex
	// writes 8 MB.
	maxFrame = 128 << 20
)

var (
	errTooLong = errors.New("compressed rollout is too long")
	// errBefore is the error for a place before the window.
	errBefore = errors.New("before the window")
)

// inflate gives the unpacked bytes of a compressed rollout to each, in order,
// until it says false, limit bytes are reached (errTooLong) or the end.
func inflate(ctx context.Context, path string, limit int64, each func([]byte) bool) error {
	if _, err := filelog.Stat(path); err != nil {
		return err
	}
	f, err := os.Open(path) //nolint:gosec // the path was found by walking the agent's home
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // read only
	d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxFrame))
	if err != nil {
		return err
	}
	defer d.Close()
	buf := make([]byte, block)
	for left := limit; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := d.Read(buf)
		left -= int64(n)
		if n > 0 && !each(buf[:n]) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if left <= 0 {
			return errTooLong
		}
	}
}

// tail keeps the last bytes of a stream. It is an io.ReaderAt for them.
type tail struct {
	keep   int
	blocks [][]byte
	spare  []byte // a block to use again
	size   int64  // bytes seen
	lo     int64  // first byte kept
	// rowStart is where the row begins that covers lo.
	rowStart int64
}

func (t *tail) write(b []byte) {
	t.size += int64(len(b))
	for len(b) > 0 {
		k := len(t.blocks)
		if k == 0 || len(t.blocks[k-1]) == block {
			if t.spare == nil {
				t.spare = make([]byte, 0, block)
			}
			t.blocks = append(t.blocks, t.spare)
			t.spare = nil
			k++
		}
		last := t.blocks[k-1]
		n := min(block-len(last), len(b))
		t.blocks[k-1] = append(last, b[:n]...)
		b = b[n:]
		for t.held()-block > t.keep {
			if i := bytes.LastIndexByte(t.blocks[0], '\n'); i >= 0 {
				t.rowStart = t.lo + int64(i) + 1
			}
			t.lo += block
			t.spare = t.blocks[0][:0]
			t.blocks = append(t.blocks[:0], t.blocks[1:]...)
		}
	}
}

// atBreak reports that the last byte ends a row.
func (t *tail) atBreak() bool {
	k := len(t.blocks) - 1
	return k >= 0 && bytes.HasSuffix(t.blocks[k], []byte("\n"))
}

func (t *tail) held() int {
	if len(t.blocks) == 0 {
		return 0
	}
	return (len(t.blocks)-1)*block + len(t.blocks[len(t.blocks)-1])
}

// ReadAt implements io.ReaderAt.
func (t *tail) ReadAt(p []byte, off int64) (int, error) {
	if off < t.lo {
		return 0, errBefore
	}
	n := 0
	for off -= t.lo; n < len(p); {
		i, at := int(off/block), int(off%block)
		if i >= len(t.blocks) || at >= len(t.blocks[i]) {
			return n, io.EOF
		}
		c := copy(p[n:], t.blocks[i][at:])
		n += c
		off += int64(c)
	}
	return n, nil
}

// lastOf unpacks a rollout up to a place (-1: its end) and keeps what stands
// before that place.
func lastOf(ctx context.Context, path string, end int64, keep int, limit int64) (*tail, error) {
	t := &tail{keep: keep}
	err := inflate(ctx, path, limit, func(b []byte) bool {
		if end >= 0 && t.size+int64(len(b)) > end {
			b = b[:max(0, end-t.size)]
		}
		t.write(b)
		return end < 0 || t.size < end
	})
	if err == nil && end >= 0 && t.size < end {
		err = filelog.ErrChanged
	}
	return t, err
}

// zstEnds reads both ends of a compressed rollout as filelog.ReadEnds does of
// a plain one; the entry is that of the compressed file. Where the rollout is
// over MaxInflateList there is no tail.
func zstEnds(ctx context.Context, path string) (filelog.Ends, agent.Entry, error) {
	e, err := filelog.ReadEnds(path)
	if err != nil {
		return e, agent.Entry{}, err
	}
	entry := e.Entry()
	head := make([]byte, 0, agent.EndBytes)
	t := &tail{keep: agent.EndBytes}
	limit := int64(MaxInflateList)
	if e.File.Size >= limit {
		limit = agent.EndBytes // it unpacks to more than that
	}
	err = inflate(ctx, path, limit, func(b []byte) bool {
		if room := agent.EndBytes - len(head); room > 0 {
			head = append(head, b[:min(room, len(b))]...)
		}
		t.write(b)
		return true
	})
	long := errors.Is(err, errTooLong)
	// A stream that breaks off is read up to where it does.
	if err != nil && !long && (len(head) == 0 || ctx.Err() != nil) {
		return e, entry, err
	}
	e.Head, e.Tail, e.TailStart, e.File.Size = head, nil, t.size, t.size
	switch {
	case long:
	case t.size <= agent.EndBytes:
		e.Tail, e.TailStart = head, 0
	default:
		n := min(int64(agent.EndBytes), t.size)
		e.Tail, e.TailStart = make([]byte, n), t.size-n
		if _, err := t.ReadAt(e.Tail, e.TailStart); err != nil {
			return e, entry, err
		}
	}
	return e, entry, nil
}
