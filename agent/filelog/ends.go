package filelog

import (
	"bytes"
	"errors"
	"hash/fnv"
	"io"

	"github.com/sessionrecap/recap/agent"
)

// Ends are both ends of a file.
type Ends struct {
	File File
	// Head are the first bytes, Tail the last; at most agent.EndBytes each.
	// Where the file is no longer than that, Tail is Head.
	Head, Tail []byte
	// TailStart is where Tail begins in the file.
	TailStart int64
	// HeadSum and TailSum are hashes for agent.Entry.
	HeadSum, TailSum uint64
	// Bytes is how much was read.
	Bytes int64
}

// ReadEnds reads both ends of the file.
func ReadEnds(path string) (Ends, error) {
	f, d, err := open(path)
	if err != nil {
		return Ends{}, err
	}
	defer f.Close() //nolint:errcheck // read only
	e := Ends{File: d}
	e.Head = make([]byte, min(d.Size, agent.EndBytes))
	n, err := f.ReadAt(e.Head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Ends{}, err
	}
	e.Head, e.Bytes = e.Head[:n], int64(n)
	e.Tail = e.Head
	if d.Size > agent.EndBytes {
		e.TailStart = max(d.Size-agent.EndBytes, agent.EndBytes)
		e.Tail = make([]byte, d.Size-e.TailStart)
		n, err := f.ReadAt(e.Tail, e.TailStart)
		if err != nil && !errors.Is(err, io.EOF) {
			return Ends{}, err
		}
		e.Tail = e.Tail[:n]
		e.Bytes += int64(n)
		if d.Size <= 2*agent.EndBytes { // the whole file was read: give it whole
			e.Tail = append(bytes.Clone(e.Head), e.Tail...)
			e.Head, e.TailStart = e.Tail, 0
		}
	}
	e.HeadSum, e.TailSum = sum(e.Head), sum(e.Tail)
	return e, nil
}

// Whole reports whether Head is the whole file.
func (e Ends) Whole() bool { return int64(len(e.Head)) == e.File.Size }

// Unreadable reports that the file holds something and none of it is a row.
// good is how many rows of both ends were found to be some. A single row that
// has no end yet is being written, or longer than what was read: it may be good.
func (e Ends) Unreadable(good int) bool {
	head := bytes.TrimSpace(bytes.TrimPrefix(e.Head, bom))
	if good > 0 || len(head) == 0 {
		return false
	}
	rows := 0
	for range e.HeadRows {
		rows++
	}
	if e.TailStart > 0 {
		for range e.TailRows {
			rows++
		}
	}
	ended := e.Whole() && e.Head[len(e.Head)-1] == '\n'
	return rows > 1 || ended || head[0] != '{' || bytes.Contains(head, oldMac)
}

// Torn reports that the last row has no line break: it may be in the midst of
// being written, and is no broken one.
func (e Ends) Torn() bool { return len(e.Tail) > 0 && e.Tail[len(e.Tail)-1] != '\n' }

// IsRow tells a row that is not decoded from what is none: it looks like one
// object of JSON.
func IsRow(b []byte) bool {
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}' && !bytes.Contains(b, oldMac)
}

// oldMac stands between rows where a carriage return alone ends a line.
var oldMac = []byte("}\r{")

// Entry begins the entry of the index for this file.
func (e Ends) Entry() agent.Entry {
	return agent.Entry{Size: e.File.Size, ModTime: e.File.ModTime, Change: e.File.Change, Head: e.HeadSum, Tail: e.TailSum}
}

// HeadRows yields the complete rows of the head in order; a row that is cut
// at the end of the head is left out.
func (e Ends) HeadRows(yield func([]byte) bool) {
	b := e.Head
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			if e.Whole() {
				if r := trim(b); len(r) > 0 {
					yield(r)
				}
			}
			return
		}
		if r := trim(b[:i]); len(r) > 0 && !yield(r) {
			return
		}
		b = b[i+1:]
	}
}

// TailRows yields the complete rows of the tail, newest first; the first,
// which may be cut at its start, is left out unless the tail is the file. A
// last row without its line break comes too: it may be torn.
func (e Ends) TailRows(yield func([]byte) bool) {
	b := e.Tail
	for len(b) > 0 {
		i := bytes.LastIndexByte(b, '\n')
		if i < 0 && e.TailStart > 0 {
			return
		}
		if r := trim(b[i+1:]); len(r) > 0 && !yield(r) {
			return
		}
		if i < 0 {
			return
		}
		b = b[:i]
	}
}

func sum(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b) //nolint:gosec // a hash never fails
	return h.Sum64()
}

var bom = []byte("\xef\xbb\xbf")

// trim takes off what stands around a row but is no part of it: NUL bytes and
// a byte order mark before it, white space around it.
func trim(b []byte) []byte {
	b = bytes.TrimPrefix(b, bom)
	for len(b) > 0 && (b[0] == 0 || b[0] == ' ' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return bytes.TrimRight(b, " \t\r\x00")
}

// maxSince is how much of what was appended to a file is read at once.
const maxSince = 1 << 20

// Since gives the same ends with a tail that holds all that was appended since
// the entry was made. false where the file did not just grow, or by too much.
// It reads nothing more where the tail holds it all.
func (e Ends) Since(was agent.Entry) (Ends, bool) {
	size := e.TailStart + int64(len(e.Tail))
	if was.Size > size || was.Size > e.TailStart {
		return e, was.Size <= size
	}
	if size-was.Size > maxSince || was.Size == 0 {
		return e, false
	}
	f, _, err := open(e.File.Path)
	if err != nil {
		return e, false
	}
	defer f.Close() //nolint:errcheck // read only
	// From the line break of the row that was the last.
	from := was.Size - 1
	more := make([]byte, e.TailStart-from, size-from)
	if n, _ := f.ReadAt(more, from); n < len(more) || more[0] != '\n' {
		return e, false // cut meanwhile; or that row was torn
	}
	e.Bytes += int64(len(more))
	e.Tail, e.TailStart = append(more, e.Tail...), from
	return e, true
}
