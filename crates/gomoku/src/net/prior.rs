//! What patterns say before the net: log-odds of the result, and of every move.

use crate::engine::Score;
use crate::engine::geometry::Cell;
use crate::engine::position::Position;
use crate::rules::Color;

/// The patterns' opinion that a net adds to.
pub struct Prior;

/// Points of urgency per unit of log-odds.
pub const URGENCY: f32 = 100.0;

impl Prior {
    /// Log-odds of a win for the side to move.
    #[inline(always)]
    pub fn value(position: &Position, mover: Color) -> f32 {
        position.evaluate(mover) as f32 / Score::LOGIT
    }

    /// Log-odds of an empty cell as the next move, up to a constant, in points of urgency.
    #[inline(always)]
    pub fn urgency(position: &Position, mover: Color, cell: Cell) -> i32 {
        i32::from(position.urgency(cell, mover).attack) + i32::from(position.urgency(cell, mover.opponent()).defend)
    }
}
