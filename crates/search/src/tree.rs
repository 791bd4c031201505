//! What a game tells the search.

/// The score of having won now; a win in `n` plies is worth `MATE - n`.
pub const MATE: i32 = 1_000_000;
/// Scores at least this far from zero are forced wins or losses.
pub const FORCED: i32 = MATE - 10_000;

/// How a finished game looks to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Lost,
    Drawn,
}

/// A game tree walked in place.
pub trait Tree {
    /// A move, small and comparable.
    type Move: Copy + Eq;

    /// A hash of the position and the side to move.
    fn key(&self) -> u64;

    /// How the game ended, if it did.
    fn end(&self) -> Option<End>;

    /// The worth of the position to the side to move, far below [`FORCED`].
    fn evaluate(&mut self) -> i32;

    /// A result the game can prove without searching on, as plies to the end: positive for a win of the side to move.
    fn proof(&mut self, depth: u32) -> Option<i32>;

    /// Candidate moves, most promising first; all of them legal. Leaving moves out is the game's choice.
    fn moves(&mut self, into: &mut Vec<Self::Move>);

    /// Plays a move that [`Tree::moves`] gave.
    fn make(&mut self, chosen: Self::Move);

    /// Takes back the last move made.
    fn unmake(&mut self, chosen: Self::Move);
}
