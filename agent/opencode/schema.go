package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	recap "github.com/sessionrecap/recap"
)

const versionsHint = "recap reads the databases of OpenCode 1.2 to 1.18"

// schema holds the columns of the tables of one database. OpenCode adds
// columns and tables as it grows: what is there is read, what isn't is done
// without.
type schema map[string]map[string]bool

// readSchema fails where something is missing that no session can be read
// without.
func readSchema(ctx context.Context, db *sql.DB) (schema, error) {
	s := schema{}
	rows, err := db.QueryContext(ctx, `SELECT t.column1 || '.' || c.name FROM (VALUES
		('session'), ('message'), ('part'), ('todo'), ('event_sequence'), ('workspace'), ('session_message')) t, pragma_table_info(t.column1) c`)
	if err != nil {
		return nil, err
	}
	names, err := column(rows)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		t, c, _ := strings.Cut(n, ".")
		if s[t] == nil {
			s[t] = map[string]bool{}
		}
		s[t][c] = true
	}
	for _, need := range []string{
		"session.id", "session.directory", "session.time_created", "session.time_updated",
		"message.id", "message.session_id", "message.time_created", "message.data",
		"part.id", "part.message_id", "part.data",
	} {
		if t, c, _ := strings.Cut(need, "."); !s.has(t, c) {
			return nil, &recap.Error{
				Code:    recap.CodeUnsupported,
				Message: "database of another version of OpenCode: no " + need,
				Hint:    versionsHint,
			}
		}
	}
	return s, nil
}

func (s schema) has(table, col string) bool { return s[table][col] }

// text gives a bounded text column, "" where there is none or it is longer
// than so many bytes.
func (s schema) text(table, col string, longest int) string {
	if !s.has(table, col) {
		return "''"
	}
	c := table + "." + col
	return fmt.Sprintf("CASE WHEN octet_length(%[1]s) <= %[2]d THEN CAST(%[1]s AS TEXT) ELSE '' END", c, longest)
}

// integer gives an integer column, 0 where there is none.
func (s schema) integer(table, col string) string {
	if !s.has(table, col) {
		return "0"
	}
	return "CAST(ifnull(" + table + "." + col + ", 0) AS INTEGER)"
}

// column reads and closes rows of one text.
func column(rows *sql.Rows) ([]string, error) {
	defer rows.Close() //nolint:errcheck // the rows' own error tells
	var out []string
	for rows.Next() {
		var v sql.NullString
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v.String)
	}
	return out, rows.Err()
}
