package sqlite

import (
	"context"
	"database/sql"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

// anonymise takes the session and the time of day from its entries; what they
// count stays.
const anonymise = `UPDATE ledger SET agent = '', root = '', id = '', at = day_start,
	settled_at = iif(settled_at IS NULL, NULL, day_start)` + whereRef + ` AND (agent, root, id) <> ('', '', '')`

const (
	sumOfDays = `SELECT coalesce(sum(tokens), 0), coalesce(sum(usd), 0.0) FROM ledger WHERE day IN (?, ?)`
	sumOfOne  = `SELECT coalesce(sum(tokens), 0) FROM ledger` + whereRef

	insertEntry = `INSERT INTO ledger (at, zone, day, day_start, agent, root, id, provider, model,
			background, input_tokens, output_tokens, cost, tokens, usd)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	insertEgress = `INSERT INTO egress (at, zone, agent, root, id, provider, model, host, purpose, characters, redactions, ledger)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	// Where the session was forgotten meanwhile, the time of day is too.
	settleEntry = `UPDATE ledger SET settled_at = iif((agent, root, id) = ('', '', ''), day_start, ?),
			sent = ?, used_input = ?, used_output = ?, used_cached = ?, used_cost = ?, code = ?, tokens = ?,
			usd = iif(?, coalesce(?, cost), 0.0)
		WHERE seq = ? AND settled_at IS NULL`
)

// Reserve implements [store.Ledger].
func (s *Store) Reserve(ctx context.Context, r store.Reservation, caps store.Caps, leaves ...store.Egress) (int64, error) {
	r = r.Sane()
	var id int64
	err := s.change(ctx, "reserve the call", func(tx writing) error {
		used, err := used(ctx, tx, r, caps)
		if err != nil {
			return err
		}
		if err := caps.Check(r, used); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, insertEntry,
			toNanos(r.At), zone(r.At), store.Day(r.At), toNanos(store.DayStart(r.At)),
			string(r.Session.Agent), r.Session.Root, r.Session.ID, r.Provider, r.Model,
			r.Background, r.InputTokens, r.OutputTokens, r.CostUSD, r.InputTokens+r.OutputTokens, r.CostUSD)
		if err != nil {
			return err
		}
		if id, err = res.LastInsertId(); err != nil {
			return err
		}
		for _, e := range leaves {
			_, err := tx.ExecContext(ctx, insertEgress,
				toNanos(e.At), zone(e.At), string(e.Session.Agent), e.Session.Root, e.Session.ID, e.Provider, e.Model, e.Host, e.Purpose,
				e.Characters, e.Redactions, id)
			if err != nil {
				return err
			}
		}
		return nil
	}, sumOfDays, sumOfOne, insertEntry, insertEgress)
	if err != nil {
		return 0, err
	}
	return id, nil
}

// Used implements [store.Ledger].
func (s *Store) Used(ctx context.Context, r store.Reservation) (store.Used, error) {
	u, err := used(ctx, s.read, r, store.Caps{})
	if err != nil {
		return store.Used{}, s.fail(ctx, "read the ledger", err)
	}
	return u, nil
}

// used sums what the caps of the reservation are compared with.
func used(ctx context.Context, tx queryer, r store.Reservation, caps store.Caps) (u store.Used, err error) {
	if caps.DayTokens >= 0 || caps.DayUSD >= 0 {
		today, tomorrow := store.CountedDays(r.At)
		err = tx.QueryRowContext(ctx, sumOfDays, today, tomorrow).Scan(&u.DayTokens, &u.DayUSD)
	}
	if err == nil && caps.SessionTokens >= 0 && r.Session != (recap.SessionRef{}) {
		err = tx.QueryRowContext(ctx, sumOfOne,
			string(r.Session.Agent), r.Session.Root, r.Session.ID).Scan(&u.SessionTokens)
	}
	return u, err
}

// Settle implements [store.Ledger].
func (s *Store) Settle(ctx context.Context, id int64, st store.Settlement) error {
	st = st.Sane()
	return s.change(ctx, "settle the call", func(tx writing) error {
		res, err := tx.ExecContext(ctx, settleEntry,
			toNanos(st.At), st.Sent, st.Usage.InputTokens, st.Usage.OutputTokens, st.Usage.CachedTokens, st.Usage.CostUSD,
			string(st.Code), counted(st), st.Sent, st.Usage.CostUSD, id)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrNotFound
		}
		if !st.Sent {
			_, err = tx.ExecContext(ctx, `DELETE FROM egress WHERE ledger = ?`, id)
		}
		return err
	}, settleEntry)
}

func counted(st store.Settlement) int64 { return store.Entry{Settled: &st}.Tokens() }

// Entries implements [store.Ledger].
func (s *Store) Entries(ctx context.Context, since time.Time, n int) ([]store.Entry, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT seq, at, zone, agent, root, id, provider, model, background,
			input_tokens, output_tokens, cost, settled_at, sent, used_input, used_output, used_cached, used_cost, code
		FROM ledger WHERE at >= ? ORDER BY at DESC, seq DESC LIMIT ?`, toNanos(since), atMost(n))
	if err != nil {
		return nil, s.fail(ctx, "read the ledger", err)
	}
	defer func() { _ = rows.Close() }()
	var out []store.Entry
	for rows.Next() {
		var (
			e       store.Entry
			st      store.Settlement
			at      int64
			offset  int
			settled sql.NullInt64
		)
		err := rows.Scan(&e.ID, &at, &offset, &e.Session.Agent, &e.Session.Root, &e.Session.ID, &e.Provider, &e.Model, &e.Background,
			&e.InputTokens, &e.OutputTokens, &e.CostUSD, &settled, &st.Sent, &st.Usage.InputTokens, &st.Usage.OutputTokens,
			&st.Usage.CachedTokens, &st.Usage.CostUSD, &st.Code)
		if err != nil {
			return nil, s.fail(ctx, "read the ledger", err)
		}
		e.At = inZone(at, offset)
		if settled.Valid {
			st.At = inZone(settled.Int64, offset)
			e.Settled = &st
		}
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail(ctx, "read the ledger", err)
	}
	return out, nil
}

// Egress implements [store.Ledger].
func (s *Store) Egress(ctx context.Context, since time.Time, n int) ([]store.Egress, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT at, zone, agent, root, id, provider, model, host, purpose, characters, redactions, ledger
		FROM egress WHERE at >= ? ORDER BY at DESC, seq DESC LIMIT ?`, toNanos(since), atMost(n))
	if err != nil {
		return nil, s.fail(ctx, "read what was sent", err)
	}
	defer func() { _ = rows.Close() }()
	var out []store.Egress
	for rows.Next() {
		var (
			e      store.Egress
			at     int64
			offset int
		)
		err := rows.Scan(&at, &offset, &e.Session.Agent, &e.Session.Root, &e.Session.ID, &e.Provider, &e.Model, &e.Host, &e.Purpose,
			&e.Characters, &e.Redactions, &e.Ledger)
		if err != nil {
			return nil, s.fail(ctx, "read what was sent", err)
		}
		e.At = inZone(at, offset)
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail(ctx, "read what was sent", err)
	}
	return out, nil
}

// atMost is a limit for SQLite, which takes a negative one as none.
func atMost(n int) int {
	if n <= 0 {
		return -1
	}
	return n
}

// zone is the time's offset from UTC, so that its day is known again.
func zone(t time.Time) int {
	_, offset := t.Zone()
	return offset
}

func inZone(nanos int64, offset int) time.Time {
	t := fromNanos(nanos)
	if t.IsZero() || offset == 0 {
		return t
	}
	return t.In(time.FixedZone("", offset))
}
