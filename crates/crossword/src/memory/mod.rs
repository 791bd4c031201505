//! A memory of clues and their answers that the user imports: exact and fuzzy look-up over millions of pairs.
//!
//! The file is read in place (memory-mapped by whoever opens it): pairs sorted by answer length, so that the postings of a
//! word of a clue are one contiguous piece per length.

mod build;
mod layout;
mod lookup;
pub mod words;

pub use build::{BuildError, Builder, MAX_PAIRS};
pub use layout::{ClueMemory, MemoryError};
pub use lookup::{Match, Recalled};
