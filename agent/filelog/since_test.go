package filelog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSince(t *testing.T) {
	row := func(i, size int) string { return fmt.Sprintf(`{"n":%d,"x":"%s"}`, i, strings.Repeat("x", size)) }
	for _, c := range []struct {
		name         string
		first, later []int // sizes of rows
		seen, more   bool
	}{
		{"nothing came", []int{10}, nil, true, false},
		{"a little came", []int{10, 90_000, 90_000}, []int{10, 10}, true, false},
		{"a long row came", []int{10, 90_000, 90_000}, []int{130_000}, true, true},
		{"a long row among others came", []int{10, 90_000, 90_000}, []int{10, 130_000, 10}, true, true},
		{"too much came", []int{10, 90_000, 90_000}, []int{700_000, 700_000}, false, false},
		{"the last row was torn", []int{10, 90_000, 90_000, 0}, []int{130_000}, false, false},
		{"cut", []int{90_000, 90_000, 90_000}, []int{-1}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := filepath.Join(t.TempDir(), "a.jsonl")
			var b bytes.Buffer
			n := 0
			add := func(sizes []int) (rows []string) {
				for _, s := range sizes {
					if s < 0 {
						b.Truncate(b.Len() / 2)
						continue
					}
					rows = append(rows, row(n, s))
					b.WriteString(rows[len(rows)-1])
					if s > 0 {
						b.WriteString("\n")
					}
					n++
				}
				if err := os.WriteFile(p, b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				return rows
			}
			add(c.first)
			was, err := ReadEnds(p)
			if err != nil {
				t.Fatal(err)
			}
			later := add(c.later)
			ends, err := ReadEnds(p)
			if err != nil {
				t.Fatal(err)
			}
			got, seen := ends.Since(was.Entry())
			if seen != c.seen || (got.TailStart < ends.TailStart) != c.more {
				t.Fatalf("seen %v, tail at %d, was at %d", seen, got.TailStart, ends.TailStart)
			}
			if !seen {
				return
			}
			var rows []string
			for r := range got.TailRows {
				rows = append(rows, string(r))
			}
			slices.Reverse(rows)
			if len(rows) < len(later) || !slices.Equal(rows[len(rows)-len(later):], later) {
				t.Errorf("%d rows came, %d are in the tail", len(later), len(rows))
			}
		})
	}
}
