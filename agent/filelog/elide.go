package filelog

import (
	"bytes"
	"errors"
	"io"
)

const (
	// elideHead and elideTail are what is kept of a long string, in bytes.
	elideHead, elideTail = 48 << 10, 48 << 10
	elideMark            = "…"
)

// Elide copies JSON and cuts the middle out of each string that is longer than
// elideHead+elideTail bytes. Escapes and characters are never cut. The result
// is at most MaxInline bytes, else ErrRowTooLong. It does not check the JSON.
func Elide(src io.Reader) ([]byte, error) {
	e := elider{out: make([]byte, 0, 64<<10)}
	buf := make([]byte, chunkMax)
	for {
		n, err := src.Read(buf)
		e.write(buf[:n])
		if len(e.out) > MaxInline {
			return nil, ErrRowTooLong
		}
		if errors.Is(err, io.EOF) {
			e.closeString()
			return e.out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// elider is the state between two pieces of input.
type elider struct {
	out    []byte
	str    bool // inside a string
	esc    int  // bytes of an escape still to come; -1: the byte after a backslash
	digit  byte // the first hex digit of an escape
	high   bool // the escape just read is the first half of a character
	kept   int  // bytes of this string written
	cut    bool // this string is over its head: bytes go to ring
	ring   []byte
	starts []bool // whether the byte at the same place begins a character or an escape
	pos    int
	lost   bool // ring has overflowed
}

func (e *elider) write(b []byte) {
	for len(b) > 0 {
		if !e.str {
			i := bytes.IndexByte(b, '"')
			if i < 0 {
				e.out = append(e.out, b...)
				return
			}
			e.out = append(e.out, b[:i+1]...)
			b = b[i+1:]
			e.str, e.esc, e.high, e.kept, e.cut, e.pos, e.lost = true, 0, false, 0, false, 0, false
			continue
		}
		// Of a long plain stretch of a string that is being cut, only the end
		// can be kept.
		if e.cut && e.esc == 0 && len(b) >= elideTail {
			q := bytes.IndexByte(b, '"')
			s := bytes.IndexByte(b, '\\')
			n := len(b)
			if q >= 0 {
				n = q
			}
			if s >= 0 {
				n = min(n, s)
			}
			if n >= elideTail {
				e.keep(b[n-elideTail : n])
				b = b[n:]
				continue
			}
		}
		b = b[e.step(b):]
	}
}

// keep makes b the whole of the ring.
func (e *elider) keep(b []byte) {
	copy(e.ring, b)
	for i, c := range b {
		e.starts[i] = c&0xC0 != 0x80
	}
	e.pos, e.lost, e.high = elideTail, true, false
}

// step takes bytes of a string until it ends or b does.
func (e *elider) step(b []byte) int {
	for i, c := range b {
		starts := e.esc == 0 && c&0xC0 != 0x80 && (!e.high || c != '\\')
		if e.esc == 0 {
			e.high = false
		}
		switch {
		case e.esc == -1:
			e.esc = 0
			if c == 'u' {
				e.esc = 4
			}
		case e.esc > 0:
			switch e.esc {
			case 4:
				e.digit = c
			case 3: // \ud800 to \udbff: a second escape completes it
				e.high = (e.digit == 'd' || e.digit == 'D') && bytes.IndexByte([]byte("89abAB"), c) >= 0
			}
			e.esc--
		case c == '\\':
			e.esc = -1
		case c == '"':
			e.closeString()
			e.out = append(e.out, '"')
			return i + 1
		}
		if !e.cut && e.kept >= elideHead && starts {
			e.cut = true
			if e.ring == nil {
				e.ring, e.starts = make([]byte, elideTail), make([]bool, elideTail)
			}
		}
		if e.cut {
			k := e.pos % elideTail
			e.ring[k], e.starts[k] = c, starts
			e.pos++
			e.lost = e.lost || e.pos > elideTail
			continue
		}
		e.out = append(e.out, c)
		e.kept++
	}
	return len(b)
}

// closeString writes the kept end of a string.
func (e *elider) closeString() {
	if e.str && e.cut {
		n := min(e.pos, elideTail)
		first := e.pos - n
		if e.lost {
			e.out = append(e.out, elideMark...)
			for first < e.pos && !e.starts[first%elideTail] {
				first++
			}
		}
		for k := first; k < e.pos; k++ {
			e.out = append(e.out, e.ring[k%elideTail])
		}
	}
	e.str = false
}
