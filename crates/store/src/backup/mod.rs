//! Backups: everything a store holds in one file that either database reads.
//!
//! The file is text, one JSON value a line: a head (`{"parlour-backup":1,…}`), for each table its name and columns,
//! its rows as arrays, and last the number of rows and the SHA-256 of all bytes before. A backup is one moment of the
//! store, also while servers write to it; a restore is one transaction: all of it or nothing.

pub(crate) mod file;
pub(crate) mod schema;

pub use file::FORMAT;

use crate::registration::ServerRegistration;
use crate::store::{Backend, Store};
use crate::{StoreError, migrations, postgres, sqlite};
use file::{Reader, Writer};
use std::io::{BufRead, Seek, Write};

/// Why a store was not backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the file: {0}")]
    File(#[from] std::io::Error),
    /// The file is not a whole backup.
    #[error("line {line}: {what}")]
    Form { line: u64, what: String },
    /// The store has something in it.
    #[error("the store is not empty ({0} rows): it is left as it is unless overwriting is asked for")]
    NotEmpty(i64),
    /// The backup was made by a newer program.
    #[error(
        "the backup has schema {found}, this program knows up to {known}: use the program that made it, or a newer one"
    )]
    Newer { found: i64, known: i64 },
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What a backup holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    pub tables: usize,
    pub rows: u64,
}

/// Reads a backup to its end without a store: every line, the number of rows, the sum.
pub fn check(from: impl BufRead) -> Result<Contents, BackupError> {
    Reader::check(from)
}

/// Runs one statement on a connection of its own: what is left open by a failure ends with it.
macro_rules! alone {
    ($store:ident, $statement:ident($($argument:expr),*)) => {
        match &$store.backend {
            Backend::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await?.detach();
                sqlite::backup_statements::$statement(&mut connection, $($argument),*).await
            }
            Backend::Postgres { pool, .. } => {
                let mut connection = pool.acquire().await?.detach();
                postgres::backup_statements::$statement(&mut connection, $($argument),*).await
            }
        }
    };
}

impl Store {
    /// Writes everything in the store, as of one moment.
    pub async fn backup(&self, out: &mut (dyn Write + Send)) -> Result<Contents, BackupError> {
        let mut writer = Writer::begin(out, migrations::newest())?;
        alone!(self, dump(&mut writer))?;
        Ok(writer.end()?)
    }

    /// Puts a backup into the store, all of it or nothing. What is in the store stays, unless `overwrite` says that it
    /// may go.
    pub async fn restore<R: BufRead + Seek + Send>(
        &self,
        mut from: R,
        overwrite: bool,
    ) -> Result<Contents, BackupError> {
        // a server would go on with tables that are no longer so; servers of a PostgreSQL have to be stopped by hand
        let _place = match &self.backend {
            Backend::Sqlite { path, .. } => Some(ServerRegistration::alone(path, 0)?),
            Backend::Postgres { .. } => None,
        };
        // read to its end before anything is touched
        let contents = Reader::check(&mut from)?;
        from.rewind()?;
        let mut reader = Reader::begin(from)?;
        alone!(self, load(&mut reader, overwrite))?;
        Ok(contents)
    }
}
