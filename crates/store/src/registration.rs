//! A server's place at a store: alone on an SQLite file, one of several on a PostgreSQL database.

use crate::StoreError;
use crate::peers::Peers;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// A server's place at a store; given back when dropped.
pub struct ServerRegistration {
    peers: Option<Peers>,
    opened: Arc<AtomicI64>,
    /// The file whose lock says that the store is served from; the system lets go of it when the process ends.
    _alone: Option<File>,
}

impl ServerRegistration {
    /// Takes the only place at an SQLite file.
    pub(crate) fn alone(path: &Path, now: i64) -> Result<Self, StoreError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push("-serving");
        let cannot = |error: std::io::Error| StoreError::Database(format!("{}: {error}", beside.display()));
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&beside).map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Served(format!(
                    "--store sqlite:{}: another server serves from this file; an SQLite file takes one server, \
                     several servers need --store postgres://USER@HOST/DATABASE",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        Ok(Self { peers: None, opened: Arc::new(AtomicI64::new(now)), _alone: Some(file) })
    }

    /// A place beside others.
    pub(crate) fn with(peers: Peers, opened: Arc<AtomicI64>) -> Self {
        Self { peers: Some(peers), opened, _alone: None }
    }

    /// The other servers; `None` where there cannot be any.
    pub fn peers(&self) -> Option<&Peers> {
        self.peers.as_ref()
    }

    /// Since when at least one server has been serving without a break.
    pub fn opened_ms(&self) -> i64 {
        self.opened.load(Ordering::Acquire)
    }
}
