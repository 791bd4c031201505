-- The house: guests, tables, seats, the log of events, ratings. The same text runs on SQLite and PostgreSQL.

CREATE TABLE guests (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    secret_hash TEXT   NOT NULL UNIQUE,
    created_ms  BIGINT NOT NULL,
    seen_ms     BIGINT NOT NULL
);

CREATE TABLE games (
    id            TEXT   NOT NULL PRIMARY KEY,
    game          TEXT   NOT NULL,
    rules_version BIGINT NOT NULL,
    settings      TEXT   NOT NULL,
    seats         BIGINT NOT NULL,
    seed          BIGINT NOT NULL,
    terms         TEXT   NOT NULL,
    listed        BIGINT NOT NULL,
    state         TEXT   NOT NULL,
    wake          BIGINT NOT NULL,
    head          BIGINT NOT NULL,
    summary       TEXT   NOT NULL,
    created_ms    BIGINT NOT NULL,
    updated_ms    BIGINT NOT NULL
);
CREATE INDEX games_by_state ON games (state, updated_ms);

CREATE TABLE seats (
    game_id    TEXT   NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seat       BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    guest_id   TEXT,
    level      TEXT,
    token_hash TEXT,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX seats_by_guest ON seats (guest_id);

CREATE TABLE events (
    game_id TEXT   NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq     BIGINT NOT NULL,
    at_ms   BIGINT NOT NULL,
    body    TEXT   NOT NULL,
    PRIMARY KEY (game_id, seq)
);

CREATE TABLE ratings (
    player     TEXT             NOT NULL,
    game       TEXT             NOT NULL,
    pool       TEXT             NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    deviation  DOUBLE PRECISION NOT NULL,
    games      BIGINT           NOT NULL,
    updated_ms BIGINT           NOT NULL,
    PRIMARY KEY (player, game, pool)
);
