package agent

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
)

// The index file is a head of indexHead bytes and a body. The head holds the
// magic, the version, the number of entries, the length of the body and its
// CRC-32C, in little-endian numbers. The body holds each entry as a length and
// that many bytes: the path, then the fields of the entry in the order of
// encodeEntry. Numbers are varints, texts a length and their bytes.
const (
	indexMagic = "recapidx"
	// indexVersion is raised with every change to Entry or recap.Session, and
	// when a source learns something else from the same bytes.
	indexVersion = 5
	indexHead    = 32
	// maxIndex is the longest index that is read, in bytes.
	maxIndex = 1 << 30
)

// FileIndex is an [Index] kept in one file. It is a cache: a file that is
// missing, broken or of another version is an empty index. It is safe for
// concurrent use; of two programs that save, the last one's file stands.
type FileIndex struct {
	path string

	mu      sync.Mutex
	entries map[string]indexed
	changed bool
	prune   bool
}

// indexed is an entry as it stands in the file, path and all: what was loaded
// is a piece of one string, and is taken apart when it is looked up.
type indexed struct {
	raw  string
	used bool // looked up or remembered in this run
}

var _ Index = (*FileIndex)(nil)

// OpenIndex loads the index at path, which need not exist.
func OpenIndex(path string) *FileIndex {
	x := &FileIndex{path: path}
	if body, count, ok := readIndex(path); ok {
		x.entries = parseIndex(body, count)
	}
	if x.entries == nil {
		x.entries = map[string]indexed{}
	}
	return x
}

// Lookup implements [Index].
func (x *FileIndex) Lookup(path string) (Entry, bool) {
	x.mu.Lock()
	i, ok := x.entries[path]
	if ok && !i.used {
		i.used = true
		x.entries[path] = i
	}
	x.mu.Unlock()
	if !ok {
		return Entry{}, false
	}
	_, e, err := decodeEntry(i.raw)
	return e, err == nil
}

// Remember implements [Index]. Times are kept as instants, in UTC.
func (x *FileIndex) Remember(path string, e Entry) {
	raw := string(encodeEntry(path, e))
	x.mu.Lock()
	defer x.mu.Unlock()
	old, ok := x.entries[path]
	if !ok || old.raw != raw {
		x.changed = true
		// The path as a piece of the entry: the key keeps nothing else alive.
		p, _, _ := takeString(raw)
		path = p
		delete(x.entries, path)
		old.raw = raw
	}
	old.used = true
	x.entries[path] = old
}

// Forget removes the entries whose session is chosen, and says how many. The
// next listing learns them again if their files are still there.
func (x *FileIndex) Forget(chosen func(recap.Session) bool) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := 0
	maps.DeleteFunc(x.entries, func(_ string, i indexed) bool {
		_, e, err := decodeEntry(i.raw)
		if err == nil && !chosen(e.Session) {
			return false
		}
		n++
		return true
	})
	x.changed = x.changed || n > 0
	return n
}

// Prune lets Save drop the entries that were neither looked up nor remembered
// in this run. Call it after everything was listed.
func (x *FileIndex) Prune() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.prune = true
}

// Save writes the index to its file if anything changed: beside it first, then
// in its place, so that no reader sees half a file.
func (x *FileIndex) Save() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.prune {
		before := len(x.entries)
		maps.DeleteFunc(x.entries, func(_ string, i indexed) bool { return !i.used })
		x.changed = x.changed || len(x.entries) != before
	}
	if !x.changed {
		return nil
	}
	if err := writeIndex(x.path, x.encode()); err != nil {
		return err
	}
	x.changed = false
	return nil
}

// encode gives the whole file. The order is that of the paths, so that one
// index is one file.
func (x *FileIndex) encode() []byte {
	size := indexHead
	for _, i := range x.entries {
		size += binary.MaxVarintLen32 + len(i.raw)
	}
	b := make([]byte, indexHead, size)
	for _, path := range slices.Sorted(maps.Keys(x.entries)) {
		b = appendString(b, x.entries[path].raw)
	}
	copy(b, indexMagic)
	binary.LittleEndian.PutUint32(b[8:], indexVersion)
	binary.LittleEndian.PutUint32(b[12:], uint32(len(x.entries)))   //nolint:gosec // far fewer
	binary.LittleEndian.PutUint64(b[16:], uint64(len(b)-indexHead)) //nolint:gosec // a length
	binary.LittleEndian.PutUint32(b[24:], crc32.Checksum(b[indexHead:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

func writeIndex(path string, b []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// readIndex gives the body of a whole and fitting index file.
func readIndex(path string) (body string, count int, ok bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex {
		return "", 0, false
	}
	f, err := os.Open(path) //nolint:gosec // our own file
	if err != nil {
		return "", 0, false
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", 0, false
	}
	return readBody(f, info.Size())
}

// readBody checks the head before it makes room for the body, and the sum
// after.
func readBody(r io.Reader, size int64) (body string, count int, ok bool) {
	head := make([]byte, indexHead)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:8]) != indexMagic {
		return "", 0, false
	}
	length := size - indexHead
	if binary.LittleEndian.Uint32(head[8:]) != indexVersion || length < 0 ||
		binary.LittleEndian.Uint64(head[16:]) != uint64(length) {
		return "", 0, false
	}
	// A builder gives its bytes away as a string without a copy.
	var b strings.Builder
	b.Grow(int(length))
	var sum uint32
	table := crc32.MakeTable(crc32.Castagnoli)
	buf := make([]byte, min(length, 256<<10))
	for length > 0 {
		n, err := io.ReadFull(r, buf[:min(length, int64(len(buf)))])
		if err != nil {
			return "", 0, false
		}
		sum = crc32.Update(sum, table, buf[:n])
		b.Write(buf[:n])
		length -= int64(n)
	}
	if sum != binary.LittleEndian.Uint32(head[24:]) {
		return "", 0, false
	}
	return b.String(), int(binary.LittleEndian.Uint32(head[12:])), true
}

// parseIndex finds the entries in a body; nil where it is broken.
func parseIndex(body string, count int) map[string]indexed {
	if count > len(body)/2 { // the shortest entry is longer
		return nil
	}
	entries := make(map[string]indexed, count)
	for len(body) > 0 {
		raw, rest, err := takeString(body)
		if err != nil {
			return nil
		}
		path, _, err := takeString(raw)
		if err != nil {
			return nil
		}
		entries[path] = indexed{raw: raw}
		body = rest
	}
	if len(entries) != count {
		return nil
	}
	return entries
}

var errIndexEntry = errors.New("broken index entry")

// Bits of an entry's flags.
const (
	flagArchived = 1 << iota
	flagReverted
)

func encodeEntry(path string, e Entry) []byte {
	s := e.Session
	b := appendString(nil, path)
	b = binary.AppendVarint(b, e.Size)
	b = binary.AppendVarint(b, e.ModTime)
	for _, n := range []uint64{e.Change, e.Head, e.Tail} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	for _, t := range sessionTexts(&s) {
		b = appendString(b, *t)
	}
	b = appendString(b, string(s.Ref.Agent))
	b = appendString(b, string(s.State))
	b = appendString(b, e.Skip)
	b = appendTime(b, s.CreatedAt)
	b = appendTime(b, s.UpdatedAt)
	var flags byte
	if s.Archived {
		flags |= flagArchived
	}
	if s.Reverted {
		flags |= flagReverted
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(max(e.Broken, 0)))
	b = binary.AppendUvarint(b, uint64(len(e.Facts)))
	for _, f := range e.Facts {
		b = appendString(b, f)
	}
	return b
}

func decodeEntry(raw string) (path string, e Entry, err error) {
	d := decoder{rest: raw}
	path = d.text()
	e.Size, e.ModTime = d.varint(), d.varint()
	e.Change, e.Head, e.Tail = d.fixed(), d.fixed(), d.fixed()
	s := &e.Session
	for _, t := range sessionTexts(s) {
		*t = d.text()
	}
	s.Ref.Agent, s.State, e.Skip = recap.Agent(d.text()), recap.State(d.text()), d.text()
	s.CreatedAt, s.UpdatedAt = d.time(), d.time()
	flags := d.byte()
	s.Archived, s.Reverted = flags&flagArchived != 0, flags&flagReverted != 0
	if n := d.uvarint(); n > math.MaxInt32 {
		d.broken = true
	} else {
		e.Broken = int(n)
	}
	if n := d.uvarint(); n > uint64(len(d.rest)) {
		d.broken = true
	} else if n > 0 {
		e.Facts = make([]string, n)
		for i := range e.Facts {
			e.Facts[i] = d.text()
		}
	}
	if d.broken || d.rest != "" {
		return "", Entry{}, errIndexEntry
	}
	return path, e, nil
}

// sessionTexts are the texts of a session in the order of the file.
func sessionTexts(s *recap.Session) [13]*string {
	return [...]*string{
		&s.Ref.Root, &s.Ref.ID, &s.Home, &s.Title, &s.Directory, &s.Project, &s.Branch,
		&s.ParentID, &s.ForkedFrom, &s.WaitingFor, &s.Stamp, &s.Model.Provider, &s.Model.ID,
	}
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// appendTime writes the seconds and one more than the nanoseconds; a zero time
// is a zero.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(t.Nanosecond())+1) //nolint:gosec // 0 to 999,999,999
	return binary.AppendVarint(b, t.Unix())
}

// takeString takes a length and a text from the beginning of s.
func takeString(s string) (text, rest string, err error) {
	d := decoder{rest: s}
	text = d.text()
	if d.broken {
		return "", "", errIndexEntry
	}
	return text, d.rest, nil
}

// decoder takes values from the beginning of a string. After a value that is
// not whole it is broken, and gives zeros.
type decoder struct {
	rest   string
	broken bool
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.broken = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) uvarint() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		b := d.byte()
		if shift == 63 && b > 1 {
			break
		}
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.broken = true
	return 0
}

func (d *decoder) varint() int64 {
	n := d.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) fixed() uint64 {
	if len(d.rest) < 8 {
		d.broken, d.rest = true, ""
		return 0
	}
	var n uint64
	for i := range 8 {
		n |= uint64(d.rest[i]) << (8 * i)
	}
	d.rest = d.rest[8:]
	return n
}

func (d *decoder) text() string {
	n := d.uvarint()
	if d.broken || n > uint64(len(d.rest)) {
		d.broken, d.rest = true, ""
		return ""
	}
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) time() time.Time {
	nanos := d.uvarint()
	if nanos == 0 || nanos > 1e9 {
		d.broken = d.broken || nanos != 0
		return time.Time{}
	}
	return time.Unix(d.varint(), int64(nanos-1)).UTC()
}
