package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/sqlite"
	"github.com/sessionrecap/recap/store/storetest"
)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return open(t, filepath.Join(t.TempDir(), "recap.db"))
	})
}

func TestShared(t *testing.T) {
	storetest.RunShared(t, func(t *testing.T) (a, b store.Store) {
		path := filepath.Join(t.TempDir(), "recap.db")
		return open(t, path), open(t, path)
	})
}

func TestLedger(t *testing.T) {
	storetest.RunLedger(t, func(t *testing.T) store.Store {
		return open(t, filepath.Join(t.TempDir(), "recap.db"))
	})
}

func TestLedgerShared(t *testing.T) {
	storetest.RunLedgerShared(t, func(t *testing.T) (a, b store.Store) {
		path := filepath.Join(t.TempDir(), "recap.db")
		return open(t, path), open(t, path)
	})
}
