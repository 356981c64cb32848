package sqlite

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// No connection may make a temporary file: SQLite puts those into folders that
// are not ours.
func TestNoTemporaryFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recap.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ro, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ro.Close() }()
	for _, tt := range []struct {
		name string
		pool *sql.DB
		size int
	}{{"readers", s.read, readers}, {"writer", s.write, 1}, {"read only", ro.read, readers}} {
		for range tt.size { // all are held, so each is another
			conn, err := tt.pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			var where int
			if err := conn.QueryRowContext(t.Context(), "PRAGMA temp_store").Scan(&where); err != nil || where != 2 {
				t.Errorf("%s: temp_store %d, %v", tt.name, where, err)
			}
		}
	}
}
