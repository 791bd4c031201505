-- Accounts, further sessions of a person, what an account keeps besides games, and ratings by finished games.

CREATE TABLE accounts (
    guest_id   TEXT   NOT NULL PRIMARY KEY REFERENCES guests (id) ON DELETE CASCADE,
    login      TEXT   NOT NULL UNIQUE,
    password   TEXT   NOT NULL,
    created_ms BIGINT NOT NULL
);

CREATE TABLE sessions (
    secret_hash TEXT   NOT NULL PRIMARY KEY,
    guest_id    TEXT   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    created_ms  BIGINT NOT NULL
);
CREATE INDEX sessions_by_guest ON sessions (guest_id);

CREATE TABLE keepsakes (
    guest_id   TEXT   NOT NULL REFERENCES guests (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    body       TEXT   NOT NULL,
    updated_ms BIGINT NOT NULL,
    PRIMARY KEY (guest_id, name)
);

CREATE TABLE rated (
    game_id TEXT   NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    at_ms   BIGINT NOT NULL
);

ALTER TABLE ratings ADD COLUMN volatility DOUBLE PRECISION NOT NULL DEFAULT 0.06;
