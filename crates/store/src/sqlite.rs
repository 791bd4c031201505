//! The statements, compiled for SQLite.

pub(crate) type Db = sqlx::Sqlite;

/// Begins to read one moment: with a write-ahead log others go on writing meanwhile.
pub(crate) const SNAPSHOT: &str = "BEGIN";
/// Begins to write.
pub(crate) const WRITING: &str = "BEGIN IMMEDIATE";
/// Table, column and declared type of everything that is ours.
pub(crate) const TABLES: &str = "SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c \
     WHERE m.type = 'table' AND m.name NOT LIKE '\\_%' ESCAPE '\\' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
     ORDER BY m.name, c.name";

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "statements.rs"]
pub(crate) mod statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "job_statements.rs"]
pub(crate) mod job_statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "account_statements.rs"]
pub(crate) mod account_statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "metrics_statements.rs"]
pub(crate) mod metrics_statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "backup/statements.rs"]
pub(crate) mod backup_statements;
