package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// statements keeps what is asked again and again prepared. The few that a
// command asks once are prepared and asked as before.
type statements struct {
	mu    sync.Mutex
	ready sync.Map // query to *sql.Stmt
}

// prepare makes the statements that are not there yet. It is called outside of
// transactions: there is one connection that writes.
func (p *statements) prepare(ctx context.Context, db *sql.DB, queries ...string) error {
	for _, q := range queries {
		if p.of(q) != nil {
			continue
		}
		if err := p.add(ctx, db, q); err != nil {
			return err
		}
	}
	return nil
}

func (p *statements) add(ctx context.Context, db *sql.DB, query string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of(query) != nil {
		return nil
	}
	st, err := db.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	p.ready.Store(query, st)
	return nil
}

// of is the statement of a query, nil where it is not prepared.
func (p *statements) of(query string) *sql.Stmt {
	v, _ := p.ready.Load(query)
	st, _ := v.(*sql.Stmt)
	return st
}

// close gives the statements up.
func (p *statements) close() {
	p.ready.Range(func(query, v any) bool {
		if st, ok := v.(*sql.Stmt); ok {
			_ = st.Close() // its connection is about to close
		}
		p.ready.Delete(query)
		return true
	})
}

// writing is a write transaction on the one connection that writes; who has it
// holds the lock. It takes prepared statements where there are some. None of
// them is interrupted: they wait for nobody, to watch a context takes a
// goroutine, and a connection that was interrupted is given up, with what was
// written on it. Between two statements the end of the context is seen.
type writing struct {
	db *sql.DB
	p  *statements
}

// ExecContext runs a statement.
func (t writing) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return t.run(context.WithoutCancel(ctx), query, args...)
}

func (t writing) run(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if st := t.p.of(query); st != nil { //nolint:sqlclosecheck // it is kept until the store is closed
		return st.ExecContext(ctx, args...)
	}
	return t.db.ExecContext(ctx, query, args...)
}

// QueryRowContext asks for one row.
func (t writing) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx = context.WithoutCancel(ctx)
	if st := t.p.of(query); st != nil { //nolint:sqlclosecheck // it is kept until the store is closed
		return st.QueryRowContext(ctx, args...)
	}
	return t.db.QueryRowContext(ctx, query, args...)
}

// QueryContext asks for rows. They are closed before the next statement: there
// is one connection.
func (t writing) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.db.QueryContext(context.WithoutCancel(ctx), query, args...)
}

// query asks a prepared statement of the readers for a few rows: too short to
// be watched for the end of its context.
func (s *Store) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := s.ready(ctx, query); err != nil {
		return nil, err
	}
	return s.reads.of(query).QueryContext(context.WithoutCancel(ctx), args...) //nolint:sqlclosecheck // it is kept until the store is closed
}

// queryRow is query for one row.
func (s *Store) queryRow(ctx context.Context, query string, args ...any) scanner {
	if err := s.ready(ctx, query); err != nil {
		return noRow{err}
	}
	return s.reads.of(query).QueryRowContext(context.WithoutCancel(ctx), args...) //nolint:sqlclosecheck // it is kept until the store is closed
}

// ready prepares a query, if the context has not ended.
func (s *Store) ready(ctx context.Context, query string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.reads.prepare(ctx, s.read, query)
}

// noRow is the row of a query that could not be asked.
type noRow struct{ err error }

// Scan implements [scanner].
func (r noRow) Scan(...any) error { return r.err }
