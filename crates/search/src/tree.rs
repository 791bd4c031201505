//! The interface between a game and alpha-beta search.

/// Score of a won position. A win in `n` plies scores `MATE - n`.
pub const MATE: i32 = 1_000_000;
/// Scores at least this far from zero are forced wins or losses.
pub const FORCED: i32 = MATE - 10_000;

/// Result of a finished game for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Lost,
    Drawn,
}

/// A game whose moves are made and unmade in place.
pub trait Tree {
    /// A move, small and comparable.
    type Move: Copy + Eq;

    /// A hash of the position and the side to move.
    fn key(&self) -> u64;

    /// The result, if the game is over.
    fn end(&self) -> Option<End>;

    /// Static evaluation for the side to move, far below [`FORCED`].
    fn evaluate(&mut self) -> i32;

    /// A result that the game proves without further search, in plies to the end. Positive: a win of the side to move.
    fn proof(&mut self, depth: u32) -> Option<i32>;

    /// Legal candidate moves, most promising first. The game may prune moves.
    fn moves(&mut self, into: &mut Vec<Self::Move>);

    /// Plays a move that [`Tree::moves`] gave.
    fn make(&mut self, chosen: Self::Move);

    /// Unmakes the last move.
    fn unmake(&mut self, chosen: Self::Move);
}
