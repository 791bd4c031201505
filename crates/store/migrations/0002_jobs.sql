-- The queue: runs, their jobs, results until the run has ended, files for workers. The same text runs on SQLite and
-- PostgreSQL.

CREATE TABLE runs (
    id         TEXT   NOT NULL PRIMARY KEY,
    title      TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    program    TEXT   NOT NULL,
    queue      TEXT   NOT NULL,
    state      TEXT   NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL
);

CREATE TABLE jobs (
    run_id     TEXT             NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number     BIGINT           NOT NULL,
    id         TEXT             NOT NULL,
    state      TEXT             NOT NULL,
    share      DOUBLE PRECISION NOT NULL,
    attempts   BIGINT           NOT NULL,
    worker     TEXT             NOT NULL,
    why        TEXT             NOT NULL,
    updated_ms BIGINT           NOT NULL,
    PRIMARY KEY (run_id, number)
);
CREATE INDEX jobs_by_id ON jobs (id);

CREATE TABLE results (
    job_id TEXT  NOT NULL PRIMARY KEY,
    bytes  BYTEA NOT NULL
);

CREATE TABLE artifacts (
    hash       TEXT   NOT NULL PRIMARY KEY,
    size       BIGINT NOT NULL,
    created_ms BIGINT NOT NULL
);

CREATE TABLE artifact_parts (
    hash  TEXT   NOT NULL,
    part  BIGINT NOT NULL,
    bytes BYTEA  NOT NULL,
    PRIMARY KEY (hash, part)
);

CREATE TABLE run_files (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    hash   TEXT NOT NULL,
    PRIMARY KEY (run_id, hash)
);
