//! Cards, clues, keys, and the legality of clues.

mod clue;
mod deal;
mod legality;
mod role;
mod word_family;

pub use clue::{Clue, Number};
pub use deal::{BOARD, DuetKey, deal_classic, deal_duet, deal_words};
pub use legality::{ClueLegality, ClueRefusal, RefusalKind, Strictness, fold};
pub use role::{CardSide, Role, Team};
