//! Cards, clues, keys, and the judge of clues.

mod clue;
mod deal;
mod judge;
mod role;

pub use clue::{Clue, Number};
pub use deal::{BOARD, DuetKey, deal_classic, deal_duet, deal_words};
pub use judge::{Judge, Refusal, RefusalKind, Strictness, fold};
pub use role::{Role, Side, Team};
