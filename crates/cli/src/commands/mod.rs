//! One file per sub-command; each has `Args` (clap) and `run`.

pub mod bench;
pub mod lexicon;
pub mod scrabble;
pub mod version;
