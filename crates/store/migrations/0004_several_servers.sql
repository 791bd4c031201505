-- Facts about the whole house that servers share (since when it is open), and a quick way to the games that go on by
-- themselves. The same text runs on SQLite and PostgreSQL.

CREATE TABLE house (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);

CREATE INDEX games_to_wake ON games (updated_ms) WHERE wake = 1;
