package filelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

const kept = elideHead + elideTail

func TestElide(t *testing.T) {
	for _, c := range []struct {
		name, in string
		same     bool
	}{
		{"nothing", "", true},
		{"no strings", `{"a":[1,2,null,true]}`, true},
		{"short strings", `{"a":"b","c":"d\"e\\"}`, true},
		{"as long as is kept", `{"a":"` + strings.Repeat("x", kept) + `"}`, true},
		{"one longer", `{"a":"` + strings.Repeat("x", kept+1) + `"}`, false},
		{"a picture", `{"a":"` + strings.Repeat("iVBORw0K", 1<<20) + `","b":"after"}`, false},
		{"many", `["` + strings.Repeat(strings.Repeat("x", 200_000)+`","`, 8) + `"]`, false},
		{"escapes", `{"a":"` + strings.Repeat(`\n\"\\`, 100_000) + `"}`, false},
		{"escaped characters", `{"a":"` + strings.Repeat(`\u00e9\ud83d\ude00`, 50_000) + `"}`, false},
		{"characters of four bytes", `{"a":"` + strings.Repeat("🙂", 100_000) + `"}`, false},
		{"characters of three bytes", `{"a":"` + strings.Repeat("語", 100_000) + `x"}`, false},
		{"a key", `{"` + strings.Repeat("k", 200_000) + `":1}`, false},
		{"cut off", `{"a":"` + strings.Repeat("x", 200_000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Elide(strings.NewReader(c.in))
			if err != nil {
				t.Fatal(err)
			}
			check(t, []byte(c.in), got)
			if (string(got) == c.in) != c.same {
				t.Errorf("%d bytes of %d", len(got), len(c.in))
			}
			// The same, whatever the pieces.
			again, err := Elide(iotest.OneByteReader(strings.NewReader(c.in)))
			if err != nil || !bytes.Equal(got, again) {
				t.Errorf("byte by byte: %d bytes, not %d: %v", len(again), len(got), err)
			}
		})
	}
}

// check holds an elided text against what it was made of.
func check(t *testing.T, in, got []byte) {
	t.Helper()
	if json.Valid(in) != json.Valid(got) {
		t.Fatalf("valid %v became %v", json.Valid(in), json.Valid(got))
	}
	if utf8.Valid(in) && !utf8.Valid(got) {
		t.Error("a character was cut")
	}
	if !json.Valid(in) {
		return
	}
	var a, b any
	if err := decode(in, &a); err != nil {
		t.Fatal(err)
	}
	if err := decode(got, &b); err != nil {
		t.Fatal(err)
	}
	sameEnds(t, a, b)
}

// decode reads JSON with numbers of any size.
func decode(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(v)
}

func sameEnds(t *testing.T, a, b any) {
	t.Helper()
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		if !ok {
			t.Fatalf("%T became %T", a, b)
		}
		if x == y {
			return
		}
		head, tail, ok := strings.Cut(y, elideMark)
		if !ok || !strings.HasPrefix(x, head) || !strings.HasSuffix(x, tail) {
			t.Errorf("an end is lost: %.20q…%.20q", head, tail)
		}
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			t.Fatalf("%d elements became %T", len(x), b)
		}
		for i := range x {
			sameEnds(t, x[i], y[i])
		}
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			t.Fatalf("%d members became %T", len(x), b)
		}
		for k := range x {
			if _, ok := y[k]; ok {
				sameEnds(t, x[k], y[k])
			}
		}
	}
}

func TestElideOfTooMuch(t *testing.T) {
	many := io.MultiReader(strings.NewReader("["), bytes.NewReader(bytes.Repeat([]byte("1234567,"), 1<<18)))
	if _, err := Elide(many); !errors.Is(err, ErrRowTooLong) {
		t.Errorf("2 MB of numbers: %v", err)
	}
	if _, err := Elide(iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a broken source: %v", err)
	}
}

func TestLoadElidesLongRows(t *testing.T) {
	row := `{"type":"user","message":{"content":[{"type":"image","data":"` + strings.Repeat("A", 9<<20) + `"},{"type":"text","text":"what is it?"}]}}`
	b := "first\n" + row + "\nlast\n"
	r := NewReader(strings.NewReader(b), int64(len(b)))
	rows := readAll(t, r)
	if len(rows) != 3 || !rows[1].Long {
		t.Fatalf("%d rows", len(rows))
	}
	before := r.Bytes()
	got, err := r.Load(rows[1])
	if err != nil || !json.Valid(got) || !bytes.HasSuffix(got, []byte(`"text":"what is it?"}]}}`)) || len(got) > kept+200 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if n := r.Bytes() - before; n != int64(len(row)) {
		t.Errorf("%d bytes counted for a row of %d", n, len(row))
	}
	if got, err := r.Load(rows[0]); err != nil || string(got) != "last" {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzElide(f *testing.F) {
	f.Add([]byte(`{"a":"b"}`), uint32(0))
	f.Add([]byte(`"\u00e9\\`), uint32(40_000))
	f.Add([]byte("\"\xf0\x9f\x99\x82"), uint32(70_000))
	f.Fuzz(func(t *testing.T, b []byte, times uint32) {
		// Repeated, so that strings get long enough to be cut.
		n := int(times % 100_000)
		in := []byte(`{"a":"`)
		for len(in) < n && len(b) > 0 {
			in = append(in, b...)
		}
		in = append(append(in, `","b":`...), b...)
		in = append(in, '}')
		got, err := Elide(bytes.NewReader(in))
		if errors.Is(err, ErrRowTooLong) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > len(in)+len(elideMark)*(1+bytes.Count(in, []byte(`"`))) {
			t.Errorf("%d bytes became %d", len(in), len(got))
		}
		check(t, in, got)
	})
}

func BenchmarkElidePicture(b *testing.B) {
	row := []byte(`{"a":"` + strings.Repeat("iVBORw0K", 2<<20) + `"}`)
	b.SetBytes(int64(len(row)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Elide(bytes.NewReader(row)); err != nil {
			b.Fatal(err)
		}
	}
}
