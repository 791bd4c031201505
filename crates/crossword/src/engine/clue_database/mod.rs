//! A database of clues and answers that the user imports: exact and similarity lookup over millions of pairs.
//!
//! The file is read in place (memory-mapped by the caller opens it): pairs sorted by answer length, so that the postings of a
//! word of a clue are one contiguous piece per length.

mod build;
pub mod clue_text;
mod layout;
mod lookup;

pub use build::{ClueDatabaseBuildError, ClueDatabaseBuilder, MAX_PAIRS};
pub use layout::{ClueDatabase, ClueDatabaseError};
pub use lookup::{ClueMatch, DatabaseAnswer};
