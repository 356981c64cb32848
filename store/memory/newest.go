package memory

import (
	"context"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

var _ store.Newest = (*Store)(nil)

// Newest implements [store.Newest].
func (s *Store) Newest(ctx context.Context, project string, n int) ([]recap.Record, error) {
	if project == "" {
		return nil, nil
	}
	all, err := s.Records(ctx, nil)
	if err != nil {
		return nil, err
	}
	var out []recap.Record
	for _, r := range all {
		if len(out) < n && r.Recap != "" && (store.Which{Project: project}).Selects(r) {
			out = append(out, r)
		}
	}
	return out, nil
}
