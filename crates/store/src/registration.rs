//! Registration of a server at a store: exclusive on an SQLite file, shared on a PostgreSQL database.

use crate::StoreError;
use crate::peers::Peers;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The registration of a server. Dropping it releases the store.
pub struct ServerRegistration {
    peers: Option<Peers>,
    opened: Arc<AtomicI64>,
    /// The lock file. The system releases its lock when the process ends.
    _alone: Option<File>,
}

impl ServerRegistration {
    /// Registers exclusively at an SQLite file.
    pub(crate) fn alone(path: &Path, now: i64) -> Result<Self, StoreError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push("-serving");
        let cannot = |error: std::io::Error| StoreError::Database(format!("{}: {error}", beside.display()));
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&beside).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Served(format!(
                    "--store sqlite:{}: another server uses this file; an SQLite file allows one server, \
                     several servers need --store postgres://USER@HOST/DATABASE",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        Ok(Self { peers: None, opened: Arc::new(AtomicI64::new(now)), _alone: Some(file) })
    }

    /// Registers beside other servers.
    pub(crate) fn with(peers: Peers, opened: Arc<AtomicI64>) -> Self {
        Self { peers: Some(peers), opened, _alone: None }
    }

    /// The other servers; `None` on SQLite.
    pub fn peers(&self) -> Option<&Peers> {
        self.peers.as_ref()
    }

    /// Time since which at least one server has been running without a gap.
    pub fn opened_ms(&self) -> i64 {
        self.opened.load(Ordering::Acquire)
    }
}
