//! The statements, compiled for PostgreSQL.

pub(crate) type Db = sqlx::Postgres;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "statements.rs"]
pub(crate) mod statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "job_statements.rs"]
pub(crate) mod job_statements;

#[allow(clippy::duplicate_mod, reason = "one file of statements, compiled for each database")]
#[path = "account_statements.rs"]
pub(crate) mod account_statements;
