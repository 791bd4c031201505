//! Models from the user's own corpus: text preparation, co-occurrence counting with bounded memory, training of vectors.
//!
//! A prepared corpus is one sentence a line, words separated by spaces.

mod chunk;
pub mod count;
mod matrix;
pub mod prepare;
mod rows;
mod runs;
pub mod senses;
pub mod shards;
pub mod train;
pub mod vocabulary;

use std::path::{Path, PathBuf};

/// Why a corpus could not be processed.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Settings or text that do not allow the work.
    #[error("{0}")]
    Unfit(String),
    /// A saved state or result that cannot be read.
    #[error(transparent)]
    Pack(#[from] crate::pack::PackError),
}

pub(crate) fn at<T>(path: &Path, result: std::io::Result<T>) -> Result<T, CorpusError> {
    result.map_err(|source| CorpusError::Io { path: path.to_owned(), source })
}
