package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
	"github.com/sessionrecap/recap/store/sqlite"
)

func newest(t *testing.T, s store.Newest, project string, n int) string {
	t.Helper()
	recs, err := s.Newest(t.Context(), project, n)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range recs {
		b.WriteString(r.Session.ID + " ")
	}
	return b.String()
}

// Both stores give the same newest records of a project.
func TestNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recap.db")
	file, mem := open(t, path), memory.New()
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, r := range []struct{ id, project, directory, text string }{
		{"old", "/src/shop", "/src/shop", "x"},
		{"deep", "/src/shop", "/src/shop/cmd", "x"},
		{"tree", "/src/shop", "/src/shop-fix", "x"},
		{"inside", "/src/shop/vendor", "/src/shop/vendor", "x"},
		{"near", "/src/shopping", "/src/shopping", "x"},
		{"silent", "/src/shop", "/src/shop", ""},
		{"sign", "/src/sh%p", "/src/sh%p", "x"},
		{"windows", `C:\src\shop`, `C:\src\shop\cmd`, "x"},
		{"nowhere", "", "", "x"},
	} {
		rec := recap.Record{
			Session: recap.SessionRef{Agent: recap.Claude, Root: "/h", ID: r.id}, Recap: r.text, Project: r.project, Directory: r.directory,
			UpdatedAt: at.Add(time.Duration(i) * time.Minute), Fingerprint: r.id,
		}
		for _, s := range []store.Store{file, mem} {
			if err := s.Put(t.Context(), rec, store.Condition{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	readOnly, err := sqlite.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close() //nolint:errcheck // read only
	for _, tt := range []struct {
		project string
		n       int
		want    string
	}{
		{"/src/shop", 9, "inside tree deep old "},
		{"/src/shop", 2, "inside tree "},
		{"/src/shop", 0, ""},
		{"/src/shop/cmd", 9, "deep "},
		{"/src/sh%p", 9, "sign "},
		{`C:\src`, 9, "windows "},
		{"/", 9, "sign near inside tree deep old "},
		{"/else", 9, ""},
		{"", 9, ""},
	} {
		for name, s := range map[string]store.Newest{"sqlite": file, "read-only": readOnly, "memory": mem} {
			if got := newest(t, s, tt.project, tt.n); got != tt.want {
				t.Errorf("%s: %q, %d: got %q, want %q", name, tt.project, tt.n, got, tt.want)
			}
		}
	}
}

// The line of a prompt does not pay for the records of other projects.
func BenchmarkNewest(b *testing.B) {
	s, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "recap.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // of a benchmark
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i := range 10_000 {
		dir := fmt.Sprintf("/src/p%d", i%500)
		r := recap.Record{
			Session: recap.SessionRef{Agent: recap.Claude, Root: "/h", ID: strconv.Itoa(i)}, Recap: "what was asked and done", Project: dir, Directory: dir,
			UpdatedAt: at.Add(time.Duration(i) * time.Minute), Fingerprint: "f",
		}
		if err := s.Put(b.Context(), r, store.Condition{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := s.Newest(b.Context(), "/src/p7", 1); err != nil {
			b.Fatal(err)
		}
	}
}
