//! The statements, compiled for PostgreSQL.

pub(crate) type Db = sqlx::Postgres;

/// Begins to read one moment, while others go on writing.
pub(crate) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Begins to write.
pub(crate) const WRITING: &str = "BEGIN";
/// Table, column and declared type of everything that is ours.
pub(crate) const TABLES: &str = "SELECT table_name::text, column_name::text, data_type::text \
     FROM information_schema.columns WHERE table_schema = current_schema() AND left(table_name, 1) <> '_' \
     ORDER BY table_name COLLATE \"C\", column_name COLLATE \"C\"";

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
