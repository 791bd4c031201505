//! The schema and its changes, run when a store is opened.

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use std::borrow::Cow;

/// Every change of the schema in order; one that was released is never edited, only followed.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "house", include_str!("../migrations/0001_house.sql")),
    (2, "jobs", include_str!("../migrations/0002_jobs.sql")),
    (3, "accounts", include_str!("../migrations/0003_accounts.sql")),
    (4, "several servers", include_str!("../migrations/0004_several_servers.sql")),
];

/// The number of the newest change.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, ..)| *version)
}

/// Brings a database from any earlier schema to the present one.
pub(crate) fn migrator() -> Migrator {
    let migration = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, SqlStr::from_static(sql), false)
    };
    Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect())
}
