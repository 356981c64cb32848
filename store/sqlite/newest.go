package sqlite

import (
	"context"
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

var _ store.Newest = (*Store)(nil)

// newestOf walks the index of times; only what is given is decoded. Its
// arguments are the project, the same with a separator at its end, and the
// limit.
const newestOf = selectRecord + `WHERE (project = ?1 OR directory = ?1
		OR substr(project, 1, length(?2)) = ?2 OR substr(directory, 1, length(?2)) = ?2)
	AND json_extract(doc, '$.recap') IS NOT NULL` + newestFirst + ` LIMIT ?3`

// Newest implements [store.Newest].
func (s *Store) Newest(ctx context.Context, project string, n int) ([]recap.Record, error) {
	if project == "" || n <= 0 {
		return nil, nil
	}
	separator := "/"
	if strings.HasPrefix(project, `\\`) || (len(project) > 1 && project[1] == ':') {
		separator = `\`
	}
	trimmed := strings.TrimRight(project, `/\`)
	if separator == "/" {
		trimmed = strings.TrimRight(project, "/")
	}
	return s.records(ctx, newestOf, project, trimmed+separator, n)
}
