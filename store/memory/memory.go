// Package memory is a store that lives in memory: for tests of what stands on
// a store. [New] gives one. It passes the same suite as every other member,
// and forgets everything when it is dropped.
package memory

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// Store is a store in memory. All methods are safe for concurrent use.
type Store struct {
	mu        sync.Mutex
	closed    bool
	records   map[recap.SessionRef]recap.Record
	claims    map[recap.SessionRef]held
	decisions map[recap.SessionRef][]store.Decision // oldest first
	marks     map[mark]string
	entries   []store.Entry // by id, from 1
	egress    []store.Egress
}

type held struct {
	store.Claim
	until time.Time
}

type mark struct{ name, scope string }

var (
	_ store.Store = (*Store)(nil)

	errClosed = errors.New("store is closed")
)

// New gives an empty store.
func New() *Store {
	return &Store{
		records:   map[recap.SessionRef]recap.Record{},
		claims:    map[recap.SessionRef]held{},
		decisions: map[recap.SessionRef][]store.Decision{},
		marks:     map[mark]string{},
	}
}

// lock takes the lock, or says why the call can't be made.
func (s *Store) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return &recap.Error{Code: recap.CodeStore, Message: "the store can't be used", Err: errClosed}
	}
	return nil
}

// Close closes the store. Other calls fail from then on.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

// Record implements [store.Records].
func (s *Store) Record(ctx context.Context, ref recap.SessionRef) (recap.Record, error) {
	if err := s.lock(ctx); err != nil {
		return recap.Record{}, err
	}
	defer s.mu.Unlock()
	r, ok := s.records[ref]
	if !ok {
		return recap.Record{}, store.ErrNotFound
	}
	return clone(r), nil
}

// Records implements [store.Records].
func (s *Store) Records(ctx context.Context, refs []recap.SessionRef) ([]recap.Record, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if refs == nil {
		refs = slices.Collect(maps.Keys(s.records))
	}
	found := map[recap.SessionRef]recap.Record{}
	for _, ref := range refs {
		if r, ok := s.records[ref]; ok {
			found[ref] = clone(r)
		}
	}
	return newestFirst(slices.Collect(maps.Values(found))), nil
}

// Put implements [store.Records].
func (s *Store) Put(ctx context.Context, r recap.Record, cond store.Condition) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if c := cond.Claim; c != nil && (c.Session != r.Session || !s.holds(*c)) {
		return store.ErrStale
	}
	stored, have := s.records[r.Session]
	if cond.Previous != nil && stored.Fingerprint != *cond.Previous {
		return store.ErrStale
	}
	if have && store.Loses(r, stored.Fingerprint, stored.Source) {
		return store.ErrStale
	}
	if have && cond.Newest && store.Newer(stored.Fingerprint, stored.UpdatedAt, r) {
		return store.ErrNewer
	}
	s.records[r.Session] = clone(r)
	if cond.Claim != nil && cond.Release {
		delete(s.claims, r.Session)
	}
	if cond.Decision != nil {
		s.decide(*cond.Decision)
	}
	return nil
}

// Search implements [store.Records].
func (s *Store) Search(ctx context.Context, words []string, limit int) ([]recap.Record, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	words = store.SearchWords(words)
	if len(words) == 0 {
		return nil, nil
	}
	var out []recap.Record
	for _, r := range s.records {
		text := store.SearchText(r)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, clone(r))
		}
	}
	out = newestFirst(out)
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out, nil
}

// Forget implements [store.Records].
func (s *Store) Forget(ctx context.Context, w store.Which) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	if err := w.Check(); err != nil {
		return 0, err
	}
	gone := map[recap.SessionRef]bool{}
	forget := func(ref recap.SessionRef) {
		if w.All || w.Selects(s.records[ref]) || (w.Session != nil && *w.Session == ref) {
			gone[ref] = true
		}
	}
	for ref := range s.records {
		forget(ref)
	}
	if w.All || w.Session != nil {
		for ref := range s.claims {
			forget(ref)
		}
		for ref := range s.decisions {
			forget(ref)
		}
		for m := range s.marks {
			if ref, ok := store.ScopeRef(m.scope); ok {
				forget(ref)
			}
		}
		for _, e := range s.entries {
			if e.Session != (recap.SessionRef{}) {
				forget(e.Session)
			}
		}
		for _, e := range s.egress {
			if e.Session != (recap.SessionRef{}) {
				forget(e.Session)
			}
		}
	}
	for ref := range gone {
		delete(s.records, ref)
		delete(s.claims, ref)
		delete(s.decisions, ref)
		maps.DeleteFunc(s.marks, func(m mark, _ string) bool { return m.scope == store.Scope(ref) })
		s.anonymise(ref)
	}
	return len(gone), nil
}

// Claim implements [store.Claims].
func (s *Store) Claim(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if h, ok := s.claims[c.Session]; ok && h.Owner != c.Owner && h.until.After(now) {
		return store.ErrClaimed
	}
	s.claims[c.Session] = held{Claim: c, until: now.Add(lease)}
	return nil
}

// Renew implements [store.Claims].
func (s *Store) Renew(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if !s.holds(c) {
		return store.ErrStale
	}
	s.claims[c.Session] = held{Claim: c, until: now.Add(lease)}
	return nil
}

// Release implements [store.Claims].
func (s *Store) Release(ctx context.Context, c store.Claim) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if s.holds(c) {
		delete(s.claims, c.Session)
	}
	return nil
}

func (s *Store) holds(c store.Claim) bool {
	h, ok := s.claims[c.Session]
	return ok && h.Claim == c
}

// Decide implements [store.Journal].
func (s *Store) Decide(ctx context.Context, d store.Decision) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	s.decide(d)
	return nil
}

func (s *Store) decide(d store.Decision) {
	d.Gates = slices.Clone(d.Gates)
	ds := append(s.decisions[d.Session], d)
	s.decisions[d.Session] = slices.Clone(ds[max(0, len(ds)-store.MaxDecisions):])
}

// Decisions implements [store.Journal].
func (s *Store) Decisions(ctx context.Context, ref recap.SessionRef, n int) ([]store.Decision, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var out []store.Decision
	for _, d := range slices.Backward(s.decisions[ref]) {
		if len(out) >= n {
			break
		}
		d.Gates = slices.Clone(d.Gates)
		out = append(out, d)
	}
	return out, nil
}

// Mark implements [store.Marks].
func (s *Store) Mark(ctx context.Context, name, scope string) (string, error) {
	if err := s.lock(ctx); err != nil {
		return "", err
	}
	defer s.mu.Unlock()
	v, ok := s.marks[mark{name, scope}]
	if !ok {
		return "", store.ErrNotFound
	}
	return v, nil
}

// SetMark implements [store.Marks].
func (s *Store) SetMark(ctx context.Context, name, scope, value string) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if value == "" {
		delete(s.marks, mark{name, scope})
		return nil
	}
	s.marks[mark{name, scope}] = value
	return nil
}

// Marked implements [store.Marks].
func (s *Store) Marked(ctx context.Context, name string) (map[string]string, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	out := map[string]string{}
	for m, v := range s.marks {
		if m.name == name {
			out[m.scope] = v
		}
	}
	return out, nil
}

func newestFirst(rs []recap.Record) []recap.Record {
	slices.SortFunc(rs, func(a, b recap.Record) int {
		return cmp.Or(
			b.UpdatedAt.Compare(a.UpdatedAt),
			cmp.Compare(a.Session.Agent, b.Session.Agent),
			cmp.Compare(a.Session.Root, b.Session.Root),
			cmp.Compare(a.Session.ID, b.Session.ID),
		)
	})
	return rs
}

// clone copies what the caller could change.
func clone(r recap.Record) recap.Record {
	r.FieldSources = maps.Clone(r.FieldSources)
	r.Status = slices.Clone(r.Status)
	r.Receipts = slices.Clone(r.Receipts)
	if r.Model != nil {
		m := *r.Model
		r.Model = &m
	}
	if r.Usage != nil {
		u := *r.Usage
		if u.CostUSD != nil {
			c := *u.CostUSD
			u.CostUSD = &c
		}
		r.Usage = &u
	}
	return r
}
