//! Stores to test on.

use store::Store;
use store::testing::fresh_postgres;

/// Runs a check on a fresh store of each kind; the check gets the store and its address, to open it again.
pub async fn on_each<F: AsyncFn(Store, &str)>(check: F) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let address = format!("sqlite:{}", folder.path().join("test.db").display());
    check(Store::open(&address).await.expect("SQLite opens"), &address).await;
    if let Some(address) = fresh_postgres().await {
        check(Store::open(&address).await.expect("PostgreSQL opens"), &address).await;
    }
}
