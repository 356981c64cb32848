package filelog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionrecap/recap/agent"
)

// naive splits a file as the reader should: from the end, without empty rows.
func naive(b []byte) []Row {
	var rows []Row
	end := len(b)
	for first := true; end >= 0; first = false {
		begin := bytes.LastIndexByte(b[:end], '\n') + 1
		data := trim(b[begin:end])
		if len(data) > 0 || end-begin > MaxInline {
			r := Row{Start: int64(begin), End: int64(end), Data: data, Open: first && end == len(b) && len(b) > 0}
			if end-begin > MaxInline {
				r.Long, r.Data = true, trim(b[begin:begin+headBytes])
			}
			rows = append(rows, r)
		}
		end = begin - 1
	}
	return rows
}

func readAll(t testing.TB, r *Reader) []Row {
	t.Helper()
	var rows []Row
	for {
		row, err := r.Prev()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if errors.Is(err, ErrLongAhead) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		row.Data = bytes.Clone(row.Data)
		rows = append(rows, row)
	}
}

func sameRows(t testing.TB, got, want []Row) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.Start != w.Start || g.End != w.End || g.Long != w.Long || g.Open != w.Open || !bytes.Equal(g.Data, w.Data) {
			t.Fatalf("row %d = {%d %d long %v open %v %.40q}, want {%d %d long %v open %v %.40q}",
				i, g.Start, g.End, g.Long, g.Open, g.Data, w.Start, w.End, w.Long, w.Open, w.Data)
		}
	}
}

func rowOf(n int, c byte) []byte { return bytes.Repeat([]byte{c}, n) }

func TestReaderAgainstANaiveSplit(t *testing.T) {
	join := func(rows ...[]byte) []byte { return bytes.Join(rows, []byte("\n")) }
	around := func(n int) (out [][]byte) {
		for _, d := range []int{-2, -1, 0, 1, 2} {
			out = append(out, rowOf(n+d, 'a'))
		}
		return out
	}
	cases := map[string][]byte{
		"empty":                 nil,
		"one line break":        []byte("\n"),
		"line breaks alone":     []byte("\n\n\n"),
		"one row, no break":     []byte("row"),
		"one row":               []byte("row\n"),
		"CRLF":                  []byte("one\r\ntwo\r\n\r\nthree"),
		"empty rows between":    []byte("one\n\n\ntwo\n \t \nthree\n\n"),
		"NUL bytes and BOM":     []byte("\xef\xbb\xbfone\n\x00\x00two\n\x00\n"),
		"around the chunk":      join(around(chunkMin)...),
		"around two chunks":     join(around(2 * chunkMin)...),
		"around the long limit": join(around(MaxInline)...),
		"around limit + chunk":  join(around(MaxInline + chunkMin)...),
		"long rows in a row":    join(rowOf(3*MaxInline, 'a'), rowOf(2*MaxInline, 'b'), []byte("short"), rowOf(MaxInline+chunkMax, 'c')),
		"long row first":        append(rowOf(2*MaxInline, 'a'), "\nshort\n"...),
		"long row last, torn":   append([]byte("short\n"), rowOf(2*MaxInline, 'a')...),
		"long row and break":    append(rowOf(2*MaxInline, 'a'), '\n'),
		"long row of spaces":    append(rowOf(2*MaxInline, ' '), "\nx"...),
		"break at each chunk":   bytes.Repeat(append(rowOf(chunkMin-1, 'a'), '\n'), 5),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var b []byte
		for range rng.IntN(400) {
			n := rng.IntN(200)
			switch rng.IntN(40) {
			case 0:
				n = rng.IntN(300 << 10)
			case 1:
				n = chunkMin + rng.IntN(5) - 2
			}
			b = append(b, rowOf(n, byte('a'+rng.IntN(26)))...)
			b = append(b, []string{"\n", "\r\n", "\n\n"}[rng.IntN(3)]...)
		}
		if rng.IntN(2) == 0 {
			b = append(b, "torn"...)
		}
		cases[fmt.Sprint("random ", i)] = b
	}
	for name, b := range cases {
		t.Run(name, func(t *testing.T) {
			want := naive(b)
			r := NewReader(bytes.NewReader(b), int64(len(b)))
			sameRows(t, readAll(t, r), want)
			if r.Bytes() > int64(len(b))+int64(headBytes*8) {
				t.Errorf("%d bytes were read of %d", r.Bytes(), len(b))
			}
			if _, err := r.Prev(); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v", err)
			}
			// The same with a warning before each long row.
			r = NewReader(bytes.NewReader(b), int64(len(b)))
			r.WarnLong()
			sameRows(t, readAll(t, r), want)
			// And from the cursor of each of some rows.
			for i := 0; i < len(want); i += 1 + len(want)/7 {
				c := r.Cursor(want[i])
				if want[i].Start == 0 {
					if c != "" {
						t.Errorf("cursor at the start = %q", c)
					}
					continue
				}
				if err := r.Seek(c); err != nil {
					t.Fatal(err)
				}
				sameRows(t, readAll(t, r), want[i+1:])
			}
		})
	}
}

func TestF1_TornLastRowIsMarked(t *testing.T) {
	r := NewReader(strings.NewReader("whole\ntorn"), 10)
	rows := readAll(t, r)
	if len(rows) != 2 || !rows[0].Open || rows[1].Open {
		t.Errorf("%+v", rows)
	}
}

func TestF2_GiantRowsCostNoMemory(t *testing.T) {
	giant := int64(64 << 20)
	src := &sparse{size: giant + 12, text: map[int64]string{0: "first\n", giant + 6: "\nlast\n"}}
	r := NewReader(src, src.size)
	r.WarnLong()
	row, err := r.Prev()
	if err != nil || string(row.Data) != "last" {
		t.Fatalf("%q %v", row.Data, err)
	}
	if _, err := r.Prev(); !errors.Is(err, ErrLongAhead) {
		t.Fatalf("no warning: %v", err)
	}
	if r.Bytes() > 2<<20 {
		t.Errorf("%d bytes were read before the warning", r.Bytes())
	}
	row, err = r.Prev()
	if err != nil || !row.Long || row.Start != 6 || row.End != giant+6 || len(row.Data) != headBytes {
		t.Fatalf("%+v %v", row, err)
	}
	if cap(r.buf) > 4<<20 {
		t.Errorf("a buffer of %d bytes", cap(r.buf))
	}
	if _, err := r.Load(row); !errors.Is(err, ErrRowTooLong) {
		t.Errorf("load: %v", err)
	}
	row, err = r.Prev()
	if err != nil || string(row.Data) != "first" {
		t.Fatalf("%q %v", row.Data, err)
	}
	if n := r.Bytes(); n > giant+1<<20 {
		t.Errorf("%d bytes were read of %d", n, giant)
	}
}

// sparse is a large file of x, but for some texts.
type sparse struct {
	size int64
	text map[int64]string
}

func (s *sparse) ReadAt(p []byte, at int64) (int, error) {
	if at >= s.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), s.size-at))
	for i := range n {
		p[i] = 'x'
	}
	for from, t := range s.text {
		for i := range len(t) {
			if k := from + int64(i) - at; k >= 0 && k < int64(n) {
				p[k] = t[i]
			}
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func TestF4_WhatStandsAroundARowIsNoPartOfIt(t *testing.T) {
	b := "\xef\xbb\xbf{1}\r\n\x00\x00{2}\r\n \t{3}\x00\n\xff\xfe{\x00}\x00"
	var got []string
	for _, r := range readAll(t, NewReader(strings.NewReader(b), int64(len(b)))) {
		got = append(got, string(r.Data))
	}
	if want := []string{"\xff\xfe{\x00}", "{3}", "{2}", "{1}"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestF16_CursorsOfFilesThatChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.jsonl")
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *Reader {
		t.Helper()
		r, err := Open(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		return r
	}
	write("one\ntwo\nthree\n")
	r := open()
	row, err := r.Prev()
	if err != nil {
		t.Fatal(err)
	}
	c := r.Cursor(row)
	write("one\ntwo\nthree\nfour\n") // grown: the same file
	r = open()
	if err := r.Seek(c); err != nil {
		t.Error(err)
	}
	if row, err := r.Prev(); err != nil || string(row.Data) != "two" || row.Open {
		t.Errorf("%q %v %v", row.Data, row.Open, err)
	}
	write("one\n")
	if err := open().Seek(c); !errors.Is(err, ErrChanged) {
		t.Errorf("cut: %v", err)
	}
	write("one two three four five\n")
	if err := open().Seek(c); !errors.Is(err, ErrChanged) {
		t.Errorf("no row begins there: %v", err)
	}
	if err := os.Rename(file, file+".old"); err != nil {
		t.Fatal(err)
	}
	write("one\ntwo\nthree\n")
	if r := open(); r.File().Inode != 0 {
		if err := r.Seek(c); !errors.Is(err, ErrChanged) {
			t.Errorf("replaced: %v", err)
		}
	}
	for _, bad := range []agent.Cursor{"", "x", "1", "1.", ".1", "-1.0", "1.xyz", "99999999999999999999.1"} {
		if err := open().Seek(bad); err == nil {
			t.Errorf("cursor %q was taken", bad)
		}
	}
	// Cut while it is open.
	write(strings.Repeat("row\n", 100_000))
	r = open()
	if _, err := r.Prev(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 100); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err = r.Prev(); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrChanged) {
		t.Errorf("cut while open: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("one\ntwo\r\n\nthree"), uint16(0))
	f.Add([]byte("\n\n"), uint16(3))
	f.Add([]byte("x"), uint16(65535))
	f.Fuzz(func(t *testing.T, b []byte, pad uint16) {
		// Padding moves the rows over the edges of the pieces.
		b = append(append(bytes.Clone(b), rowOf(int(pad), 'p')...), b...)
		r := NewReader(bytes.NewReader(b), int64(len(b)))
		sameRows(t, readAll(t, r), naive(b))
	})
}
