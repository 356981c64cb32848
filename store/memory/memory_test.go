package memory_test

import (
	"testing"

	"github.com/sessionrecap/recap/store"
	"github.com/sessionrecap/recap/store/memory"
	"github.com/sessionrecap/recap/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
}

func TestShared(t *testing.T) {
	storetest.RunShared(t, func(*testing.T) (a, b store.Store) {
		s := memory.New()
		return s, s
	})
}

func TestLedger(t *testing.T) {
	storetest.RunLedger(t, func(*testing.T) store.Store { return memory.New() })
}

func TestLedgerShared(t *testing.T) {
	storetest.RunLedgerShared(t, func(*testing.T) (a, b store.Store) {
		s := memory.New()
		return s, s
	})
}
