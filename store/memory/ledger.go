package memory

import (
	"context"
	"slices"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// Reserve implements [store.Ledger].
func (s *Store) Reserve(ctx context.Context, r store.Reservation, caps store.Caps, leaves ...store.Egress) (int64, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	r = r.Sane()
	r.At = r.At.Round(0) // the time of the wall, as a file keeps it
	if err := caps.Check(r, s.used(r)); err != nil {
		return 0, err
	}
	id := int64(len(s.entries) + 1)
	s.entries = append(s.entries, store.Entry{ID: id, Reservation: r})
	for _, e := range leaves {
		e.At, e.Ledger = e.At.Round(0), id
		s.egress = append(s.egress, e)
	}
	return id, nil
}

// Used implements [store.Ledger].
func (s *Store) Used(ctx context.Context, r store.Reservation) (store.Used, error) {
	if err := s.lock(ctx); err != nil {
		return store.Used{}, err
	}
	defer s.mu.Unlock()
	return s.used(r), nil
}

func (s *Store) used(r store.Reservation) store.Used {
	var u store.Used
	today, tomorrow := store.CountedDays(r.At)
	for _, e := range s.entries {
		if d := store.Day(e.At); d == today || d == tomorrow {
			u.DayTokens += e.Tokens()
			if usd := e.USD(); usd != nil {
				u.DayUSD += *usd
			}
		}
		if e.Session == r.Session && r.Session != (recap.SessionRef{}) {
			u.SessionTokens += e.Tokens()
		}
	}
	return u
}

// Settle implements [store.Ledger].
func (s *Store) Settle(ctx context.Context, id int64, st store.Settlement) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if id < 1 || id > int64(len(s.entries)) || s.entries[id-1].Settled != nil {
		return store.ErrNotFound
	}
	e := &s.entries[id-1]
	st = st.Sane()
	st.At = st.At.In(e.At.Location())
	e.Settled = &st
	if e.Session == (recap.SessionRef{}) { // forgotten meanwhile
		st.At = e.At
	}
	if !st.Sent {
		s.egress = slices.DeleteFunc(s.egress, func(g store.Egress) bool { return g.Ledger == id })
	}
	return nil
}

// Entries implements [store.Ledger].
func (s *Store) Entries(ctx context.Context, since time.Time, n int) ([]store.Entry, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	out := newest(s.entries, func(e store.Entry) time.Time { return e.At }, since, n)
	for i, e := range out {
		e.CostUSD = copied(e.CostUSD)
		if e.Settled != nil {
			st := *e.Settled
			st.Usage.CostUSD = copied(st.Usage.CostUSD)
			e.Settled = &st
		}
		out[i] = e
	}
	return out, nil
}

// Egress implements [store.Ledger].
func (s *Store) Egress(ctx context.Context, since time.Time, n int) ([]store.Egress, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return newest(s.egress, func(e store.Egress) time.Time { return e.At }, since, n), nil
}

// anonymise takes the session and the time of day from its entries, and its
// lines from the egress log.
func (s *Store) anonymise(ref recap.SessionRef) {
	for i, e := range s.entries {
		if e.Session == ref && ref != (recap.SessionRef{}) {
			s.entries[i] = e.Anonymous()
		}
	}
	s.egress = slices.DeleteFunc(s.egress, func(e store.Egress) bool { return e.Session == ref })
}

// newest gives a copy of the newest n since a time, newest first; of two at
// one time the one that was added later is newer.
func newest[T any](all []T, at func(T) time.Time, since time.Time, n int) []T {
	var out []T
	for _, e := range slices.Backward(all) {
		if !at(e).Before(since) {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b T) int { return at(b).Compare(at(a)) })
	if n > 0 && len(out) > n {
		out = out[:n]
	}
	return out
}

func copied(p *float64) *float64 {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
