//! The study's players, faithful and separately measurable (sections 5.4 and 5.5).

mod gender;
mod give;
mod memory;
mod operative;
mod why;

pub(super) use give::give;
pub use give::{Scored, hypernym_clue, score_ranking};
pub use memory::{Debt, Memory};
pub(super) use operative::{next, rank};
