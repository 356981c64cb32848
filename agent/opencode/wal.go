package opencode

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"maps"
)

// The write-ahead log of SQLite: a header of 32 bytes, then frames of a
// header of 24 bytes and a page. See "WAL File Format" in SQLite's documents.
const (
	walHeaderSize   = 32
	frameHeaderSize = 24
	walMagic        = 0x377f0682 // the lowest bit says: checksums are big-endian
	walVersion      = 3007000
	minPage         = 512
	maxPage         = 65536
)

var errWALFormat = errors.New("write-ahead log of another format")

// walIndex says where the committed pages of a log stand.
type walIndex struct {
	header   [walHeaderSize]byte
	pageSize int64
	// frames is how many frames are committed, pages how many pages the
	// database has with them. Both are zero where nothing is committed.
	frames uint32
	pages  uint32
	// at gives the offset of a page's bytes in the log.
	at map[uint32]int64
}

func (w *walIndex) salt() [8]byte { return [8]byte(w.header[16:24]) }

// readWAL reads a log as SQLite's recovery does: frames count up to the last
// commit before the first frame whose salt or checksum is not right. A log
// that is empty or was never begun gives an index without frames.
func readWAL(r io.Reader) (*walIndex, error) {
	w := &walIndex{at: map[uint32]int64{}}
	br := bufio.NewReaderSize(r, 256<<10)
	if _, err := io.ReadFull(br, w.header[:]); err != nil {
		return w, endOfWAL(err)
	}
	h := w.header[:]
	magic := binary.BigEndian.Uint32(h)
	if magic&^1 != walMagic {
		return w, nil // SQLite too takes such a log for an empty one
	}
	var order binary.ByteOrder = binary.LittleEndian
	if magic&1 == 1 {
		order = binary.BigEndian
	}
	size := int64(binary.BigEndian.Uint32(h[8:]))
	sum := checksum(order, [2]uint32{}, h[:24])
	if size < minPage || size > maxPage || size&(size-1) != 0 || !sameSum(sum, h[24:]) {
		return w, nil
	}
	if binary.BigEndian.Uint32(h[4:]) != walVersion {
		return nil, errWALFormat
	}
	w.pageSize = size

	frame := make([]byte, frameHeaderSize+size)
	fresh := map[uint32]int64{} // pages of the transaction that is not yet committed
	for n := uint32(1); ; n++ {
		if _, err := io.ReadFull(br, frame); err != nil {
			return w, endOfWAL(err)
		}
		page := binary.BigEndian.Uint32(frame)
		if page == 0 || [8]byte(frame[8:16]) != w.salt() {
			return w, nil
		}
		sum = checksum(order, sum, frame[:8])
		sum = checksum(order, sum, frame[frameHeaderSize:])
		if !sameSum(sum, frame[16:]) {
			return w, nil
		}
		fresh[page] = walHeaderSize + int64(n-1)*int64(len(frame)) + frameHeaderSize
		if pages := binary.BigEndian.Uint32(frame[4:]); pages != 0 {
			maps.Copy(w.at, fresh)
			clear(fresh)
			w.frames, w.pages = n, pages
		}
	}
}

// endOfWAL takes the end of the file for the end of the log.
func endOfWAL(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// checksum goes on with SQLite's checksum over b, whose length is a multiple
// of eight.
func checksum(order binary.ByteOrder, s [2]uint32, b []byte) [2]uint32 {
	s0, s1 := s[0], s[1]
	if order == binary.LittleEndian {
		for ; len(b) >= 8; b = b[8:] {
			s0 += binary.LittleEndian.Uint32(b) + s1
			s1 += binary.LittleEndian.Uint32(b[4:]) + s0
		}
		return [2]uint32{s0, s1}
	}
	for ; len(b) >= 8; b = b[8:] {
		s0 += binary.BigEndian.Uint32(b) + s1
		s1 += binary.BigEndian.Uint32(b[4:]) + s0
	}
	return [2]uint32{s0, s1}
}

func sameSum(s [2]uint32, b []byte) bool {
	return binary.BigEndian.Uint32(b) == s[0] && binary.BigEndian.Uint32(b[4:]) == s[1]
}
