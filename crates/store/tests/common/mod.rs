//! Stores to test on.

use sqlx::Connection;
use std::sync::atomic::{AtomicU32, Ordering};
use store::Store;

/// Runs a check on a fresh store of each kind; the check gets the store and its address, to open it again.
pub async fn on_each<F: AsyncFn(Store, &str)>(check: F) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = format!("sqlite:{}", folder.path().join("test.db").display());
    check(Store::open(&address).await.expect("SQLite opens"), &address).await;
    if let Ok(server) = std::env::var("PARLOUR_TEST_POSTGRES") {
        let address = fresh_database(&server).await;
        check(Store::open(&address).await.expect("PostgreSQL opens"), &address).await;
    }
}

/// A database of its own for one test.
async fn fresh_database(server: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("store_test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut connection = sqlx::PgConnection::connect(server).await.expect("the test server answers");
    let create = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::query(create).execute(&mut connection).await.expect("a database can be made");
    let (base, _) = server.rsplit_once('/').expect("an address ends with a database");
    format!("{base}/{name}")
}
