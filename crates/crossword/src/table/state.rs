//! The full state of a table: the puzzle with its solution, the written letters, the seats.

use super::{Action, SolvingSession};
use game::{Seat, SeatSet};

/// A crossword being solved by one or more seats. Holds the solution, so it is never sent.
#[derive(Clone, PartialEq)]
pub struct State {
    pub(super) solve: SolvingSession,
    pub(super) seats: SeatSet,
    pub(super) log: Vec<(Seat, Action)>,
}
