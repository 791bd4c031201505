//! The whole truth of a table: the puzzle with its solution, what is written, who solves.

use crate::rules::{Action, Solve};
use game::{Seat, SeatSet};

/// A crossword being solved by one or more seats. Holds the solution, so it is never sent.
#[derive(Clone, PartialEq)]
pub struct State {
    pub(super) solve: Solve,
    pub(super) seats: SeatSet,
    pub(super) log: Vec<(Seat, Action)>,
}
