//! The pattern prior that a net adds to: log-odds of the result and of every move.

use crate::engine::Score;
use crate::engine::geometry::Cell;
use crate::engine::pattern_board::PatternBoard;
use crate::rules::Color;

/// The prior of patterns for value and policy.
pub struct PatternPrior;

/// Points of urgency per unit of log-odds.
pub const URGENCY: f32 = 100.0;

impl PatternPrior {
    /// Log-odds of a win for the side to move.
    #[inline(always)]
    pub fn value(position: &PatternBoard, mover: Color) -> f32 {
        position.evaluate(mover) as f32 / Score::LOGIT
    }

    /// Log-odds of an empty cell as the next move, up to a constant, in points of urgency.
    #[inline(always)]
    pub fn urgency(position: &PatternBoard, mover: Color, cell: Cell) -> i32 {
        i32::from(position.urgency(cell, mover).attack) + i32::from(position.urgency(cell, mover.opponent()).defend)
    }
}
