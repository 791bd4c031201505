//! The evaluation interface of the search, and the evaluation by patterns.

use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use crate::rules::Color;

/// Evaluates positions; the search reports every move to it, so that it can update by difference.
pub trait Evaluator {
    /// Starts from an arbitrary position.
    fn reset(&mut self, position: &PatternBoard);
    /// `cell` has just been placed in `position`.
    fn placed(&mut self, position: &PatternBoard, cell: Cell, colour: Color);
    /// The last stone was removed.
    fn undone(&mut self);
    /// Value for the side to move, in points of [`super::Score::LOGIT`] per unit of log-odds.
    fn value(&mut self, position: &PatternBoard, mover: Color) -> i32;
    /// As [`Evaluator::value`], but it may be rough where it is far outside the window (lazy evaluation).
    #[inline(always)]
    fn value_within(&mut self, position: &PatternBoard, mover: Color, _alpha: i32, _beta: i32) -> i32 {
        self.value(position, mover)
    }
    /// Adds ordering points for the side to move at a node of this depth to those of patterns. The default adds none.
    fn order(&mut self, _position: &PatternBoard, _mover: Color, _depth: i32, _moves: &mut [(i32, Cell)]) {}
}

/// Evaluates by pattern weights, which the board itself keeps up to date.
#[derive(Clone, Copy, Debug, Default)]
pub struct PatternEvaluator;

impl Evaluator for PatternEvaluator {
    fn reset(&mut self, _position: &PatternBoard) {}

    #[inline(always)]
    fn placed(&mut self, _position: &PatternBoard, _cell: Cell, _colour: Color) {}

    #[inline(always)]
    fn undone(&mut self) {}

    #[inline(always)]
    fn value(&mut self, position: &PatternBoard, mover: Color) -> i32 {
        position.evaluate(mover)
    }
}
