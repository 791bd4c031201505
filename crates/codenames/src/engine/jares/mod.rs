//! Spymaster and operative of Jareš 2019 (sections 5.4 and 5.5), each part measurable by itself.

mod agreement;
mod memory;
mod operative;
mod spymaster;
mod why;

pub use memory::{Debt, Memory};
pub(crate) use operative::{next, rank};
pub(crate) use spymaster::best_clues;
pub use spymaster::{NumberScore, hypernym_clue, score_ranking};
