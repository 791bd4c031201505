//! Databases of their own for tests.

use sqlx::Connection;
use std::sync::atomic::{AtomicU32, Ordering};

/// The address of an empty PostgreSQL database for one test; `None` where `PARLOUR_TEST_POSTGRES` names no server.
pub async fn fresh_postgres() -> Option<String> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("PARLOUR_TEST_POSTGRES").ok()?;
    let name = format!("parlour_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut connection = sqlx::PgConnection::connect(&server).await.expect("the test server answers");
    let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::query(create).execute(&mut connection).await.expect("a database can be made");
    let (base, _) = server.rsplit_once('/').expect("an address ends with a database");
    Some(format!("{base}/{name}"))
}
