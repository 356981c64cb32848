-- +goose Up
-- One row a model call. "tokens" and "usd" are what it counts now: the estimate
-- until it is settled. A row whose session was forgotten has an empty session.
CREATE TABLE ledger (
    seq           INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    zone          INTEGER NOT NULL, -- seconds east of UTC
    day           TEXT    NOT NULL, -- of "at" in that zone
    day_start     INTEGER NOT NULL,
    agent         TEXT    NOT NULL,
    root          TEXT    NOT NULL,
    id            TEXT    NOT NULL,
    provider      TEXT    NOT NULL,
    model         TEXT    NOT NULL,
    background    INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost          REAL,             -- NULL: price unknown
    settled_at    INTEGER,          -- NULL: it runs, or a crash left it
    sent          INTEGER NOT NULL DEFAULT 1,
    used_input    INTEGER NOT NULL DEFAULT 0,
    used_output   INTEGER NOT NULL DEFAULT 0,
    used_cached   INTEGER NOT NULL DEFAULT 0,
    used_cost     REAL,
    code          TEXT    NOT NULL DEFAULT '',
    tokens        INTEGER NOT NULL,
    usd           REAL
) STRICT;

CREATE INDEX ledger_day ON ledger (day, tokens, usd);
CREATE INDEX ledger_session ON ledger (agent, root, id, tokens);
CREATE INDEX ledger_newest ON ledger (at DESC, seq DESC);

CREATE TABLE egress (
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    zone       INTEGER NOT NULL,
    agent      TEXT    NOT NULL,
    root       TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    provider   TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    host       TEXT    NOT NULL,
    purpose    TEXT    NOT NULL,
    characters INTEGER NOT NULL,
    redactions INTEGER NOT NULL,
    ledger     INTEGER NOT NULL
) STRICT;

CREATE INDEX egress_session ON egress (agent, root, id);
CREATE INDEX egress_newest ON egress (at DESC, seq DESC);
CREATE INDEX egress_ledger ON egress (ledger);

PRAGMA user_version = 2;
