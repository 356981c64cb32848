package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/store"
)

const (
	whereHeld    = whereRef + ` AND owner = ? AND fingerprint = ?`
	releaseClaim = `DELETE FROM claim` + whereHeld
)

// Claim implements [store.Claims].
func (s *Store) Claim(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	n, err := s.exec(ctx, "claim the session", `INSERT INTO claim (agent, root, id, owner, fingerprint, expires_at)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (agent, root, id) DO UPDATE SET
			owner = excluded.owner, fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
		WHERE claim.owner = excluded.owner OR claim.expires_at <= ?`,
		string(c.Session.Agent), c.Session.Root, c.Session.ID, c.Owner, c.Fingerprint, toNanos(now.Add(lease)), toNanos(now))
	if err == nil && n == 0 {
		return store.ErrClaimed
	}
	return err
}

// Renew implements [store.Claims].
func (s *Store) Renew(ctx context.Context, c store.Claim, now time.Time, lease time.Duration) error {
	n, err := s.exec(ctx, "renew the claim", `UPDATE claim SET expires_at = ?`+whereHeld,
		toNanos(now.Add(lease)), string(c.Session.Agent), c.Session.Root, c.Session.ID, c.Owner, c.Fingerprint)
	if err == nil && n == 0 {
		return store.ErrStale
	}
	return err
}

// Release implements [store.Claims].
func (s *Store) Release(ctx context.Context, c store.Claim) error {
	_, err := s.exec(ctx, "release the claim", releaseClaim,
		string(c.Session.Agent), c.Session.Root, c.Session.ID, c.Owner, c.Fingerprint)
	return err
}

const (
	insertDecision = `INSERT INTO decision (agent, root, id, at, action, code, gates) VALUES (?, ?, ?, ?, ?, ?, ?)`
	pruneDecisions = `DELETE FROM decision` + whereRef + ` AND seq <= (
			SELECT seq FROM decision` + whereRef + ` ORDER BY seq DESC LIMIT 1 OFFSET ?)`
)

// Decide implements [store.Journal].
func (s *Store) Decide(ctx context.Context, d store.Decision) error {
	row, err := decisionRow(d)
	if err != nil {
		return s.fail(ctx, "keep the decision", err)
	}
	return s.change(ctx, "keep the decision", func(tx writing) error { return decide(ctx, tx, row) }, insertDecision, pruneDecisions)
}

// decisionRow is what insertDecision takes; it begins with the session.
func decisionRow(d store.Decision) ([]any, error) {
	gates, err := json.Marshal(d.Gates)
	return []any{string(d.Session.Agent), d.Session.Root, d.Session.ID, toNanos(d.At), d.Action, string(d.Code), string(gates)}, err
}

// decide keeps a decision, and drops the oldest beyond those that are kept.
func decide(ctx context.Context, tx writing, row []any) error {
	if _, err := tx.ExecContext(ctx, insertDecision, row...); err != nil {
		return err
	}
	ref := row[:3]
	_, err := tx.ExecContext(ctx, pruneDecisions, append(slices.Concat(ref, ref), store.MaxDecisions)...)
	return err
}

// Decisions implements [store.Journal].
func (s *Store) Decisions(ctx context.Context, ref recap.SessionRef, n int) ([]store.Decision, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT at, action, code, gates FROM decision`+whereRef+` ORDER BY seq DESC LIMIT ?`,
		string(ref.Agent), ref.Root, ref.ID, max(n, 0))
	if err != nil {
		return nil, s.fail(ctx, "read the decisions", err)
	}
	defer func() { _ = rows.Close() }()
	var out []store.Decision
	for rows.Next() {
		var (
			at    int64
			gates []byte
			d     = store.Decision{Session: ref}
		)
		err := rows.Scan(&at, &d.Action, &d.Code, &gates)
		if err == nil {
			err = json.Unmarshal(gates, &d.Gates)
		}
		if err != nil {
			return nil, s.fail(ctx, "read the decisions", err)
		}
		d.At = fromNanos(at)
		out = append(out, d)
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail(ctx, "read the decisions", err)
	}
	return out, nil
}

// Mark implements [store.Marks].
func (s *Store) Mark(ctx context.Context, name, scope string) (string, error) {
	var v string
	err := s.queryRow(ctx, `SELECT value FROM mark WHERE name = ? AND scope = ?`, name, scope).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return "", store.ErrNotFound
	}
	if err != nil {
		return "", s.fail(ctx, "read the mark", err)
	}
	return v, nil
}

// SetMark implements [store.Marks].
func (s *Store) SetMark(ctx context.Context, name, scope, value string) error {
	if value == "" {
		_, err := s.exec(ctx, "remove the mark", `DELETE FROM mark WHERE name = ? AND scope = ?`, name, scope)
		return err
	}
	_, err := s.exec(ctx, "set the mark", `INSERT INTO mark (name, scope, value) VALUES (?, ?, ?)
		ON CONFLICT (name, scope) DO UPDATE SET value = excluded.value`, name, scope, value)
	return err
}

// Marked implements [store.Marks].
func (s *Store) Marked(ctx context.Context, name string) (map[string]string, error) {
	rows, err := s.query(ctx, `SELECT scope, value FROM mark WHERE name = ?`, name)
	if err != nil {
		return nil, s.fail(ctx, "read the marks", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string]string{}
	for rows.Next() {
		var scope, value string
		if err := rows.Scan(&scope, &value); err != nil {
			return nil, s.fail(ctx, "read the marks", err)
		}
		out[scope] = value
	}
	if err := rows.Err(); err != nil {
		return nil, s.fail(ctx, "read the marks", err)
	}
	return out, nil
}
