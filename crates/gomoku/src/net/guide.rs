//! Patterns judge, the net says which moves are likely: only where the search looks deep, so that it costs little.

use std::sync::Arc;

use super::infer::{Asked, NetJudge};
use super::weights::Net;
use crate::engine::geometry::Cell;
use crate::engine::judge::{Judge, PatternJudge};
use crate::engine::position::Position;
use crate::rules::Color;

/// Values by patterns, order of moves by a net from some depth on.
#[derive(Clone)]
pub struct Guide(NetJudge);

impl Guide {
    /// A judge that asks this net at nodes of at least this depth.
    pub fn new(net: Arc<Net>, depth: i32) -> Self {
        Self(NetJudge::asked(net, Asked { depth, certain: 0 }))
    }
}

impl Judge for Guide {
    fn reset(&mut self, position: &Position) {
        self.0.reset(position);
    }

    #[inline(always)]
    fn placed(&mut self, _position: &Position, _cell: Cell, _colour: Color) {}

    #[inline(always)]
    fn undone(&mut self) {}

    #[inline(always)]
    fn value(&mut self, position: &Position, mover: Color) -> i32 {
        PatternJudge.value(position, mover)
    }

    fn order(&mut self, position: &Position, mover: Color, depth: i32, moves: &mut [(i32, Cell)]) {
        self.0.order(position, mover, depth, moves);
    }
}
