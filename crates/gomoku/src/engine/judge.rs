//! How the search judges quiet positions: a judge follows moves and gives a value.

use super::geometry::Cell;
use super::position::Position;
use crate::rules::Color;

/// Follows a search move by move and judges the positions it is asked about.
pub trait Judge {
    /// The position as a whole has changed; starts from it.
    fn reset(&mut self, position: &Position);
    /// `cell` has just been taken in `position`.
    fn placed(&mut self, position: &Position, cell: Cell, colour: Color);
    /// The last stone was taken back (`position` is the one before it).
    fn undone(&mut self);
    /// Value for the side to move, in points of [`super::Score::LOGIT`] per unit of log-odds.
    fn value(&mut self, position: &Position, mover: Color) -> i32;
    /// Like [`Judge::value`], but may be rough where it is far outside the window.
    #[inline(always)]
    fn value_within(&mut self, position: &Position, mover: Color, _alpha: i32, _beta: i32) -> i32 {
        self.value(position, mover)
    }
    /// Ordering points of the cells for the side to move at a node of this depth, added to those of patterns, if the
    /// judge has an opinion.
    fn order(&mut self, _position: &Position, _mover: Color, _depth: i32, _moves: &mut [(i32, Cell)]) {}
}

/// Judges by pattern weights, which the position keeps itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternJudge;

impl Judge for PatternJudge {
    fn reset(&mut self, _position: &Position) {}

    #[inline(always)]
    fn placed(&mut self, _position: &Position, _cell: Cell, _colour: Color) {}

    #[inline(always)]
    fn undone(&mut self) {}

    #[inline(always)]
    fn value(&mut self, position: &Position, mover: Color) -> i32 {
        position.evaluate(mover)
    }
}
