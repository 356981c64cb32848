package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// doc is what the columns of a record don't hold.
type doc struct {
	Recap        string                       `json:"recap,omitempty"`
	Suggestion   string                       `json:"suggestion,omitempty"`
	Away         string                       `json:"away,omitempty"`
	Digest       string                       `json:"digest,omitempty"`
	Request      string                       `json:"request,omitempty"`
	ForMessageID string                       `json:"forMessageID,omitempty"`
	Language     string                       `json:"language,omitempty"`
	Source       recap.Origin                 `json:"source,omitempty"`
	FieldSources map[recap.Field]recap.Origin `json:"fieldSources,omitempty"`
	Status       []recap.Status               `json:"status,omitempty"`
	WaitingFor   string                       `json:"waitingFor,omitempty"`
	TodosOpen    int                          `json:"todosOpen,omitempty"`
	TodosDone    int                          `json:"todosDone,omitempty"`
	Model        *recap.ModelRef              `json:"model,omitempty"`
	Usage        *recap.Usage                 `json:"usage,omitempty"`
	Receipts     []recap.Receipt              `json:"receipts,omitempty"`
	Title        string                       `json:"title,omitempty"`
	Branch       string                       `json:"branch,omitempty"`
}

func toDoc(r recap.Record) ([]byte, error) {
	return json.Marshal(doc{
		Recap: r.Recap, Suggestion: r.Suggestion, Away: r.Away, Digest: r.Digest,
		Request: r.Request, ForMessageID: r.ForMessageID, Language: r.Language, Source: r.Source,
		FieldSources: r.FieldSources, Status: r.Status, WaitingFor: r.WaitingFor,
		TodosOpen: r.TodosOpen, TodosDone: r.TodosDone, Model: r.Model, Usage: r.Usage,
		Receipts: r.Receipts, Title: r.Title, Branch: r.Branch,
	})
}

func (d doc) fill(r *recap.Record) {
	r.Recap, r.Suggestion, r.Away, r.Digest = d.Recap, d.Suggestion, d.Away, d.Digest
	r.Request, r.ForMessageID, r.Language, r.Source = d.Request, d.ForMessageID, d.Language, d.Source
	r.FieldSources, r.Status, r.WaitingFor = d.FieldSources, d.Status, d.WaitingFor
	r.TodosOpen, r.TodosDone, r.Model, r.Usage = d.TodosOpen, d.TodosDone, d.Model, d.Usage
	r.Receipts, r.Title, r.Branch = d.Receipts, d.Title, d.Branch
}

const (
	selectRecord = `SELECT agent, root, id, project, directory, updated_at, generated_at, fingerprint, stamp, doc FROM record `
	newestFirst  = ` ORDER BY updated_at DESC, agent, root, id`
	whereRef     = ` WHERE agent = ? AND root = ? AND id = ?`
)

type scanner interface{ Scan(dest ...any) error }

func scanRecord(row scanner) (recap.Record, error) {
	var (
		r                  recap.Record
		updated, generated int64
		raw                []byte
		d                  doc
	)
	err := row.Scan(&r.Session.Agent, &r.Session.Root, &r.Session.ID, &r.Project, &r.Directory,
		&updated, &generated, &r.Fingerprint, &r.Stamp, &raw)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return r, err
	}
	d.fill(&r)
	r.UpdatedAt, r.GeneratedAt = fromNanos(updated), fromNanos(generated)
	return r, nil
}

// Record implements [store.Records].
func (s *Store) Record(ctx context.Context, ref recap.SessionRef) (recap.Record, error) {
	r, err := scanRecord(s.queryRow(ctx, selectRecord+whereRef, string(ref.Agent), ref.Root, ref.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return recap.Record{}, store.ErrNotFound
	}
	if err != nil {
		return recap.Record{}, s.fail(ctx, "read the record", err)
	}
	return r, nil
}

// refsAtOnce is how many sessions one statement asks for.
const refsAtOnce = 300

// Records implements [store.Records].
func (s *Store) Records(ctx context.Context, refs []recap.SessionRef) ([]recap.Record, error) {
	if refs == nil {
		return s.records(ctx, selectRecord+newestFirst)
	}
	seen := make(map[recap.SessionRef]bool, len(refs))
	refs = slices.DeleteFunc(slices.Clone(refs), func(ref recap.SessionRef) bool {
		again := seen[ref]
		seen[ref] = true
		return again
	})
	var out []recap.Record
	for chunk := range slices.Chunk(refs, refsAtOnce) {
		args := make([]any, 0, 3*len(chunk))
		for _, ref := range chunk {
			args = append(args, string(ref.Agent), ref.Root, ref.ID)
		}
		query := selectRecord + "WHERE (agent, root, id) IN (VALUES (?,?,?)" + strings.Repeat(",(?,?,?)", len(chunk)-1) + ")"
		found, err := s.records(ctx, query, args...)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortFunc(out, func(a, b recap.Record) int {
		return cmp.Or(
			cmp.Compare(toNanos(b.UpdatedAt), toNanos(a.UpdatedAt)),
			cmp.Compare(a.Session.Agent, b.Session.Agent),
			cmp.Compare(a.Session.Root, b.Session.Root),
			cmp.Compare(a.Session.ID, b.Session.ID),
		)
	})
	return out, nil
}

func (s *Store) records(ctx context.Context, query string, args ...any) ([]recap.Record, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.fail(ctx, "read the records", err)
	}
	defer func() { _ = rows.Close() }()
	var out []recap.Record
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return nil, s.fail(ctx, "read the records", err)
		}
		out = append(out, r)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail(ctx, "read the records", err)
	}
	return out, nil
}

const (
	holdsClaim  = `SELECT count(*) FROM claim` + whereHeld
	whatIsThere = `SELECT fingerprint, updated_at, '' FROM record` + whereRef
	whoseIsIt   = `SELECT fingerprint, updated_at, coalesce(json_extract(doc, '$.source'), '') FROM record` + whereRef
	putRecord   = `INSERT INTO record
		(agent, root, id, project, directory, updated_at, generated_at, fingerprint, stamp, doc, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (agent, root, id) DO UPDATE SET
			project = excluded.project, directory = excluded.directory,
			updated_at = excluded.updated_at, generated_at = excluded.generated_at,
			fingerprint = excluded.fingerprint, stamp = excluded.stamp,
			doc = excluded.doc, text = excluded.text`
)

// Put implements [store.Records].
func (s *Store) Put(ctx context.Context, r recap.Record, cond store.Condition) error {
	raw, err := toDoc(r)
	if err != nil {
		return s.fail(ctx, "write the record", err)
	}
	ref := []any{string(r.Session.Agent), r.Session.Root, r.Session.ID}
	there := whatIsThere
	if store.Loses(r, r.Fingerprint, recap.FromModel) { // to one of a model's
		there = whoseIsIt
	}
	queries := []string{there, putRecord}
	var note []any
	if cond.Decision != nil {
		if note, err = decisionRow(*cond.Decision); err != nil {
			return s.fail(ctx, "write the record", err)
		}
		queries = append(queries, insertDecision, pruneDecisions)
	}
	if cond.Claim != nil {
		queries = append(queries, holdsClaim, releaseClaim)
	}
	return s.change(ctx, "write the record", func(tx writing) error {
		if c := cond.Claim; c != nil {
			if c.Session != r.Session {
				return store.ErrStale
			}
			if err := held(ctx, tx, *c, cond.Release); err != nil {
				return err
			}
		}
		var stored, source string
		var updated int64
		err := tx.QueryRowContext(ctx, there, ref...).Scan(&stored, &updated, &source)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if cond.Previous != nil && stored != *cond.Previous {
			return store.ErrStale
		}
		if err == nil && store.Loses(r, stored, recap.Origin(source)) {
			return store.ErrStale
		}
		if err == nil && cond.Newest && store.Newer(stored, fromNanos(updated), r) {
			return store.ErrNewer
		}
		_, err = tx.ExecContext(ctx, putRecord,
			append(slices.Clone(ref), r.Project, r.Directory, toNanos(r.UpdatedAt), toNanos(r.GeneratedAt),
				r.Fingerprint, r.Stamp, string(raw), store.SearchText(r))...)
		if err == nil && cond.Decision != nil {
			err = decide(ctx, tx, note)
		}
		return err
	}, queries...)
}

// held gives store.ErrStale unless the claim is held; it may be given up by the
// same step.
func held(ctx context.Context, tx writing, c store.Claim, release bool) error {
	ref := []any{string(c.Session.Agent), c.Session.Root, c.Session.ID, c.Owner, c.Fingerprint}
	var n int64
	if release {
		res, err := tx.ExecContext(ctx, releaseClaim, ref...)
		if err != nil {
			return err
		}
		if n, err = res.RowsAffected(); err != nil {
			return err
		}
	} else if err := tx.QueryRowContext(ctx, holdsClaim, ref...).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return store.ErrStale
	}
	return nil
}

// The index narrows a search by a few of its longest words; every word is
// then looked for in the text itself.
const (
	indexedWords = 8
	indexedRunes = 64
	trigram      = 3
)

// Search implements [store.Records].
func (s *Store) Search(ctx context.Context, words []string, limit int) ([]recap.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	words = store.SearchWords(words)
	if len(words) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(words)
	if err != nil {
		return nil, s.fail(ctx, "search", err)
	}
	match := indexQuery(words)
	var args []any
	if match != "" {
		args = append(args, match)
	}
	args = append(args, string(list))
	if limit > 0 {
		args = append(args, limit)
	}
	return s.records(ctx, searchQuery(match != "", limit > 0), args...)
}

// searchQuery takes, in this order, what is asked of the index, the list of
// all words, and the limit.
func searchQuery(indexed, limited bool) string {
	query := selectRecord + "WHERE "
	if indexed {
		query += "rid IN (SELECT rowid FROM record_text WHERE record_text MATCH ?) AND "
	}
	query += "NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(record.text, value) = 0)" + newestFirst
	if limited {
		query += " LIMIT ?"
	}
	return query
}

// indexQuery asks the index for the words that have trigrams; "" where none
// has.
func indexQuery(words []string) string {
	var long []string
	for _, w := range words {
		if utf8.RuneCountInString(w) >= trigram {
			long = append(long, w)
		}
	}
	slices.SortStableFunc(long, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var parts []string
	for _, w := range long[:min(len(long), indexedWords)] {
		if r := []rune(w); len(r) > indexedRunes {
			w = string(r[:indexedRunes])
		}
		parts = append(parts, `"`+strings.ReplaceAll(w, `"`, `""`)+`"`)
	}
	return strings.Join(parts, " AND ")
}

// Forget implements [store.Records]. The write-ahead log is emptied after, so
// that nothing of what was forgotten stands in a file; where another process
// is reading, that is done when the last one closes the store.
func (s *Store) Forget(ctx context.Context, w store.Which) (int, error) {
	if err := w.Check(); err != nil {
		return 0, err
	}
	count := 0
	err := s.change(ctx, "forget", func(tx writing) error {
		refs, err := selected(ctx, tx, w)
		if err != nil {
			return err
		}
		for _, ref := range refs {
			removed, err := forgetOne(ctx, tx, ref)
			if err != nil {
				return err
			}
			if removed {
				count++
			}
		}
		if count == 0 {
			return nil
		}
		return cleanIndex(ctx, tx)
	})
	if err != nil {
		return 0, err
	}
	if count > 0 {
		s.residue.Store(true)
		if err := s.emptyLog(ctx); err != nil {
			return count, s.fail(ctx, "empty the log of the store", err)
		}
	}
	return count, nil
}

// cleanIndex writes the search index anew, without the terms of texts that
// were forgotten or replaced: until then they stand in it, marked as gone.
// FTS5 can also wipe them one by one, but then each change of a record costs
// a hundred times as much.
func cleanIndex(ctx context.Context, tx writing) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO record_text (record_text)
		SELECT iif(EXISTS (SELECT 1 FROM record), 'optimize', 'delete-all')`)
	return err
}

// selected gives the sessions that may have something to forget.
func selected(ctx context.Context, tx writing, w store.Which) ([]recap.SessionRef, error) {
	if w.Session != nil {
		return []recap.SessionRef{*w.Session}, nil
	}
	query := `SELECT agent, root, id, project, directory, updated_at, '' FROM record`
	if w.All {
		query += ` UNION ALL SELECT agent, root, id, '', '', 0, '' FROM claim
			UNION ALL SELECT DISTINCT agent, root, id, '', '', 0, '' FROM decision
			UNION ALL SELECT DISTINCT agent, root, id, '', '', 0, '' FROM ledger
			UNION ALL SELECT DISTINCT agent, root, id, '', '', 0, '' FROM egress
			UNION ALL SELECT '', '', '', '', '', 0, scope FROM mark`
	}
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	seen := map[recap.SessionRef]bool{}
	var out []recap.SessionRef
	for rows.Next() {
		var (
			r       recap.Record
			updated int64
			scope   string
		)
		if err := rows.Scan(&r.Session.Agent, &r.Session.Root, &r.Session.ID, &r.Project, &r.Directory, &updated, &scope); err != nil {
			return nil, err
		}
		r.UpdatedAt = fromNanos(updated)
		if scope != "" || r.Session == (recap.SessionRef{}) {
			ref, ok := store.ScopeRef(scope)
			if !ok {
				continue
			}
			r.Session = ref
		}
		if w.Selects(r) && !seen[r.Session] {
			seen[r.Session] = true
			out = append(out, r.Session)
		}
	}
	return out, rows.Err()
}

func forgetOne(ctx context.Context, tx writing, ref recap.SessionRef) (bool, error) {
	key := []any{string(ref.Agent), ref.Root, ref.ID}
	removed := false
	for _, d := range []struct {
		query string
		args  []any
	}{
		{`DELETE FROM record` + whereRef, key},
		{`DELETE FROM claim` + whereRef, key},
		{`DELETE FROM decision` + whereRef, key},
		{`DELETE FROM mark WHERE scope = ?`, []any{store.Scope(ref)}},
		{`DELETE FROM egress` + whereRef, key},
		{anonymise, key},
	} {
		res, err := tx.ExecContext(ctx, d.query, d.args...)
		if err != nil {
			return false, err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return false, err
		}
		removed = removed || n > 0
	}
	return removed, nil
}

// Times are kept in Unix nanoseconds; the zero time is the least number, and
// what no such number can say is the nearest that can.
const noTime = math.MinInt64

func toNanos(t time.Time) int64 {
	switch {
	case t.IsZero():
		return noTime
	case t.Before(time.Unix(0, math.MinInt64+1)):
		return math.MinInt64 + 1
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}

func fromNanos(n int64) time.Time {
	if n == noTime {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
