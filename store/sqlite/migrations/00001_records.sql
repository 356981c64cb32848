-- +goose Up
CREATE TABLE record (
    rid          INTEGER PRIMARY KEY,
    agent        TEXT    NOT NULL,
    root         TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    project      TEXT    NOT NULL,
    directory    TEXT    NOT NULL,
    updated_at   INTEGER NOT NULL,
    generated_at INTEGER NOT NULL,
    fingerprint  TEXT    NOT NULL,
    stamp        TEXT    NOT NULL,
    doc          TEXT    NOT NULL,
    text         TEXT    NOT NULL,
    UNIQUE (agent, root, id)
) STRICT;

CREATE INDEX record_newest ON record (updated_at DESC, agent, root, id);

-- The text comes folded, so the tokenizer leaves it as it is.
CREATE VIRTUAL TABLE record_text USING fts5 (
    text,
    content = 'record',
    content_rowid = 'rid',
    tokenize = 'trigram case_sensitive 1'
);

-- +goose StatementBegin
CREATE TRIGGER record_insert AFTER INSERT ON record BEGIN
    INSERT INTO record_text (rowid, text) VALUES (new.rid, new.text);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER record_delete AFTER DELETE ON record BEGIN
    INSERT INTO record_text (record_text, rowid, text) VALUES ('delete', old.rid, old.text);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER record_update AFTER UPDATE OF text ON record WHEN old.text <> new.text BEGIN
    INSERT INTO record_text (record_text, rowid, text) VALUES ('delete', old.rid, old.text);
    INSERT INTO record_text (rowid, text) VALUES (new.rid, new.text);
END;
-- +goose StatementEnd

CREATE TABLE claim (
    agent       TEXT    NOT NULL,
    root        TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    owner       TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (agent, root, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE decision (
    seq    INTEGER PRIMARY KEY,
    agent  TEXT    NOT NULL,
    root   TEXT    NOT NULL,
    id     TEXT    NOT NULL,
    at     INTEGER NOT NULL,
    action TEXT    NOT NULL,
    code   TEXT    NOT NULL,
    gates  TEXT    NOT NULL
) STRICT;

CREATE INDEX decision_session ON decision (agent, root, id, seq);

CREATE TABLE mark (
    name  TEXT NOT NULL,
    scope TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name, scope)
) STRICT, WITHOUT ROWID;

-- "recp" in ASCII: this file is recap's.
PRAGMA application_id = 1919247216;
PRAGMA user_version = 1;
