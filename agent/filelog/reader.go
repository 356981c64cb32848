package filelog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sessionrecap/recap/agent"
)

const (
	// MaxInline is the longest row that is held whole, in bytes.
	MaxInline = 1 << 20
	// MaxRow is the longest row that is looked into at all.
	MaxRow = 32 << 20
	// headBytes is how much of a long row's start is given for its type.
	headBytes = 512

	// chunkMin bounds what is read and not needed; who reads growAfter bytes
	// and more is going a long way and gets larger pieces.
	chunkMin, chunkMax = 64 << 10, 256 << 10
	growAfter          = 4 << 20
)

// ErrRowTooLong is the error of Load for a row over MaxRow, or one that is
// too long even with its strings cut.
var ErrRowTooLong = errors.New("row too long")

// ErrChanged is the error for a cursor whose file was replaced or cut.
var ErrChanged = errors.New("transcript changed while it was read")

// ErrLongAhead says that the row before is over MaxInline bytes: reading on
// crosses it. Only a Reader with WarnLong gives it, once for each such row.
var ErrLongAhead = errors.New("long row ahead")

// Row is one line of a file.
type Row struct {
	// Start and End are its place in the file, without the line break.
	Start, End int64
	// Data is the row, trimmed, or its first bytes where Long. Valid until
	// the next call of Prev.
	Data []byte
	// Long rows are over MaxInline: Load gives their content.
	Long bool
	// Open is set on the last row when no line break follows: it may be torn.
	Open bool
}

// Reader gives the rows of a file from a place back to the start. Not safe for
// concurrent use.
type Reader struct {
	src    io.ReaderAt
	closer io.Closer
	file   File
	size   int64
	bytes  int64
	chunk  int

	buf        []byte // holds file bytes [lo, lo+end-start) at buf[start:end]
	start, end int
	lo         int64
	breaks     []int64 // places of line breaks in [lo, end), ascending
	atEnd      bool

	warn bool
	long *longRow // the row that was warned of
}

// longRow is a long row whose end was found and whose start was not.
type longRow struct {
	end  int64
	open bool
}

// Open opens a file for reading backward from its end as of now.
func Open(path string) (*Reader, error) {
	f, d, err := open(path)
	if err != nil {
		return nil, err
	}
	r := NewReader(f, d.Size)
	r.file, r.closer = d, f
	return r, nil
}

// NewReader reads size bytes of src backward.
func NewReader(src io.ReaderAt, size int64) *Reader {
	return &Reader{src: src, size: size, file: File{Size: size}, lo: size, chunk: chunkMin, atEnd: true}
}

// File describes the file as it was opened.
func (r *Reader) File() File { return r.file }

// Bytes is how much was read so far.
func (r *Reader) Bytes() int64 { return r.bytes }

// Close closes the file.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// WarnLong makes Prev give ErrLongAhead before it crosses a long row, so that
// a caller who has enough need not pay for it. The next Prev crosses.
func (r *Reader) WarnLong() { r.warn = true }

// Seek goes to a place that Cursor gave.
func (r *Reader) Seek(c agent.Cursor) error {
	off, ino, ok := strings.Cut(string(c), ".")
	at, err := strconv.ParseInt(off, 10, 64)
	if !ok || err != nil || at < 0 {
		return fmt.Errorf("cursor %q is not of a file", c)
	}
	id, err := strconv.ParseUint(ino, 16, 64)
	if err != nil {
		return fmt.Errorf("cursor %q is not of a file", c)
	}
	if id != r.file.Inode || at > r.size {
		return ErrChanged
	}
	if at > 0 {
		var b [1]byte
		if _, err := r.src.ReadAt(b[:], at-1); err != nil {
			return err
		}
		r.bytes++
		if b[0] != '\n' {
			return ErrChanged
		}
	}
	r.start, r.end, r.lo, r.breaks = 0, 0, at, r.breaks[:0]
	r.atEnd, r.long = at == r.size, nil
	return nil
}

// Cursor names the place before the row, "" at the start of the file.
func (r *Reader) Cursor(row Row) agent.Cursor {
	if row.Start == 0 {
		return ""
	}
	return agent.Cursor(strconv.FormatInt(row.Start, 10) + "." + strconv.FormatUint(r.file.Inode, 16))
}

// Prev gives the row before the current place; io.EOF at the start of the
// file. Empty rows are passed over.
func (r *Reader) Prev() (Row, error) {
	for {
		row, err := r.prev()
		if err != nil || len(row.Data) > 0 || row.Long {
			return row, err
		}
	}
}

func (r *Reader) prev() (Row, error) {
	if l := r.long; l != nil {
		r.long = nil
		return r.cross(l.end, l.open)
	}
	hi := r.lo + int64(r.end-r.start) // end of what is not yet given
	if hi == 0 {
		return Row{}, io.EOF
	}
	open := false
	if r.end == r.start {
		if err := r.fill(); err != nil {
			return Row{}, err
		}
	}
	end := hi
	if r.buf[r.end-1] == '\n' {
		end--
		r.breaks = r.breaks[:len(r.breaks)-1]
	} else {
		open = r.atEnd
	}
	r.atEnd = false
	for len(r.breaks) == 0 && r.lo > 0 {
		if r.end-r.start+r.chunk > MaxInline+chunkMax {
			if r.warn {
				r.long = &longRow{end: end, open: open}
				return Row{}, ErrLongAhead
			}
			return r.cross(end, open)
		}
		if err := r.fill(); err != nil {
			return Row{}, err
		}
	}
	begin := int64(0)
	if n := len(r.breaks); n > 0 {
		begin = r.breaks[n-1] + 1
	}
	from := r.start + int(begin-r.lo)
	data := r.buf[from : r.start+int(end-r.lo)]
	r.end = from
	row := Row{Start: begin, End: end, Open: open}
	if len(data) > MaxInline {
		row.Data, row.Long = trim(data[:headBytes]), true
		return row, nil
	}
	row.Data = trim(data)
	return row, nil
}

// fill reads the chunk before lo into the buffer.
func (r *Reader) fill() error {
	n := int(min(int64(r.chunk), r.lo))
	have := r.end - r.start
	if r.start < n {
		need := have + n
		if cap(r.buf) < need {
			grown := make([]byte, max(2*cap(r.buf), need, 2*chunkMin))
			copy(grown[len(grown)-have:], r.buf[r.start:r.end])
			r.buf = grown
		} else {
			r.buf = r.buf[:cap(r.buf)]
			copy(r.buf[len(r.buf)-have:], r.buf[r.start:r.end])
		}
		r.start, r.end = len(r.buf)-have, len(r.buf)
	}
	b := r.buf[r.start-n : r.start]
	if err := r.read(b, r.lo-int64(n)); err != nil {
		return err
	}
	r.start -= n
	r.lo -= int64(n)
	if r.bytes > growAfter {
		r.chunk = min(2*r.chunk, chunkMax)
	}
	r.breaks = collect(r.breaks, b, r.lo)
	return nil
}

// cross finds the start of a row that is not worth holding.
func (r *Reader) cross(end int64, open bool) (Row, error) {
	for {
		n := int(min(int64(chunkMax), r.lo))
		b := r.buf[:n]
		if err := r.read(b, r.lo-int64(n)); err != nil {
			return Row{}, err
		}
		r.lo -= int64(n)
		r.breaks = collect(r.breaks[:0], b, r.lo)
		if len(r.breaks) == 0 && r.lo > 0 {
			continue
		}
		begin := int64(0)
		if k := len(r.breaks); k > 0 {
			begin = r.breaks[k-1] + 1
		}
		r.start, r.end = 0, int(begin-r.lo)
		head := make([]byte, min(headBytes, end-begin))
		if err := r.read(head, begin); err != nil {
			return Row{}, err
		}
		return Row{Start: begin, End: end, Data: trim(head), Long: true, Open: open}, nil
	}
}

func (r *Reader) read(b []byte, at int64) error {
	n, err := r.src.ReadAt(b, at)
	r.bytes += int64(n)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return ErrChanged // shorter than it was
	}
	return err
}

func collect(to []int64, b []byte, at int64) []int64 {
	for i := 0; ; {
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			return to
		}
		to = append(to, at+int64(i+j))
		i += j + 1
	}
}

// Load gives the content of a row: Data where it is not Long, else the row
// with each long string cut in its middle (see Elide).
func (r *Reader) Load(row Row) ([]byte, error) {
	if !row.Long {
		return row.Data, nil
	}
	if row.End-row.Start > MaxRow {
		return nil, ErrRowTooLong
	}
	b, err := Elide(r.Section(row.Start, row.End))
	return trim(b), err
}

// Section gives the bytes from start to end of the file, for agents that keep a
// whole session in one piece of JSON. What is read of it counts in Bytes.
func (r *Reader) Section(start, end int64) io.Reader {
	return &section{r: r, src: io.NewSectionReader(r.src, start, end-start)}
}

type section struct {
	r   *Reader
	src io.Reader
}

func (s *section) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.r.bytes += int64(n)
	return n, err
}
