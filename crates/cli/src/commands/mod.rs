//! One file per sub-command; each has `Args` (clap) and `run`.

pub mod arena;
#[cfg(feature = "server")]
pub mod backup;
pub mod bench;
pub mod codenames;
pub mod completions;
pub mod crossword;
#[cfg(feature = "server")]
pub mod doctor;
pub mod gomoku;
pub mod homeguard;
#[cfg(feature = "queue")]
pub mod jobs;
pub mod lexicon;
pub mod models;
#[cfg(feature = "server")]
mod operator;
pub mod play;
pub mod queue;
pub mod scrabble;
pub mod semantics;
#[cfg(feature = "server")]
pub mod serve;
pub mod version;
#[cfg(feature = "queue")]
pub mod worker;
