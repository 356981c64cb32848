package filelog

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSectionGivesAPieceAndCountsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	text := strings.Repeat("0123456789", 30_000)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // read only
	for _, c := range []struct{ start, end int64 }{{0, 300_000}, {5, 15}, {299_999, 300_000}, {7, 7}, {0, 1 << 40}} {
		before := r.Bytes()
		b, err := io.ReadAll(r.Section(c.start, c.end))
		if err != nil {
			t.Fatal(err)
		}
		want := text[c.start:min(c.end, int64(len(text)))]
		if string(b) != want {
			t.Errorf("%d to %d: %d bytes, want %d", c.start, c.end, len(b), len(want))
		}
		if n := r.Bytes() - before; n != int64(len(want)) {
			t.Errorf("%d to %d: %d bytes counted, want %d", c.start, c.end, n, len(want))
		}
	}
}

func TestLoadOfALongRowCountsWhatItReads(t *testing.T) {
	row := `{"a":"` + strings.Repeat("x", 3*MaxInline) + `"}`
	r := NewReader(strings.NewReader(row+"\n{}\n"), int64(len(row))+4)
	if _, err := r.Prev(); err != nil {
		t.Fatal(err)
	}
	long, err := r.Prev()
	if err != nil || !long.Long {
		t.Fatal(long.Long, err)
	}
	before := r.Bytes()
	b, err := r.Load(long)
	if err != nil || len(b) > MaxInline || !strings.HasPrefix(string(b), `{"a":"xxx`) || !strings.HasSuffix(string(b), `xxx"}`) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if n := r.Bytes() - before; n != int64(len(row)) {
		t.Errorf("%d bytes counted, want %d", n, len(row))
	}
}
