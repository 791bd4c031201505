//! One file per sub-command; each has `Args` (clap) and `run`.

pub mod arena;
pub mod bench;
pub mod gomoku;
pub mod lexicon;
pub mod scrabble;
#[cfg(feature = "server")]
pub mod serve;
pub mod version;
