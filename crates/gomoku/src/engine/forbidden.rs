//! Forbidden points of renju on a board with patterns.

use super::geometry::Cell;
use super::pattern_board::PatternBoard;
use super::pattern_tables::{Class, shapes_of};
use super::shape::Shape;
use crate::rules::{Color, Rule};

impl PatternBoard {
    /// Whether black is forbidden to play here (always false outside renju).
    ///
    /// A double three counts only if both threes can become a straight four by a move that is itself allowed. That is
    /// decided by playing it out (Renju International Federation, rule 9).
    pub fn is_forbidden(&mut self, cell: Cell) -> bool {
        if self.rule() != Rule::Renju || self.class(cell, Color::Black) != Class::Forbidden as u8 {
            return false;
        }
        let shapes = shapes_of(self.code(cell, Color::Black));
        let fours = shapes.iter().filter(|&&s| s == Shape::Four || s == Shape::OpenFour).count();
        if shapes.contains(&Shape::Overline) || shapes.contains(&Shape::DoubleFour) || fours >= 2 {
            return true;
        }
        self.place(cell, Color::Black);
        let mut threes = 0;
        for (d, shape) in shapes.iter().enumerate() {
            if matches!(shape, Shape::Three | Shape::ThreeNarrow) && self.three_is_real(cell, d) {
                threes += 1;
            }
        }
        self.undo();
        threes >= 2
    }

    /// Whether the black stone on `cell` can become a straight four in this direction, by an allowed move that does not
    /// make five at the same time.
    fn three_is_real(&mut self, cell: Cell, direction: usize) -> bool {
        [-1, 1].into_iter().any(|sign| {
            let mut next = cell.step(direction, sign);
            while self.stone(next) == Some(Color::Black) {
                next = next.step(direction, sign);
            }
            self.is_empty(next)
                && shapes_of(self.code(next, Color::Black))[direction] == Shape::OpenFour
                && self.class(next, Color::Black) != Class::Five as u8
                && !self.is_forbidden(next)
        })
    }

    /// Whether a side may play on this empty cell.
    #[inline]
    pub fn is_allowed(&mut self, cell: Cell, colour: Color) -> bool {
        colour == Color::White || !self.is_forbidden(cell)
    }

    /// Whether a stone here would make a four or more, whatever its class says.
    pub(crate) fn makes_four(&self, cell: Cell, colour: Color) -> bool {
        let class = self.class(cell, colour);
        if class == Class::Forbidden as u8 {
            shapes_of(self.code(cell, colour)).iter().any(|&s| s >= Shape::Four)
        } else {
            class >= Class::Four as u8
        }
    }
}
