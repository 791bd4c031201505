//! Solving a crossword at a table, alone or together: writing, checking, revealing, and when it is done.

mod action;
mod state;
mod view;

pub use action::{Action, Filled, HintStep, Scope};
pub use state::{MAX_LETTERS, Refusal, Solve, Square};
pub use view::{CellView, ClueView, HintView, View};
