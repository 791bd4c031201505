//! An unchecked position, before validation.

use super::board::{Board, PointState};
use super::{Color, MAX_SIZE, MIN_SIZE, Point, Position, Rule, winning_line};

/// A stone of a given colour at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    pub point: Point,
    pub color: Color,
}

/// An unchecked position: any stones, any side to move. [`PositionSetup::position`] checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSetup {
    pub rule: Rule,
    pub size: u8,
    /// Stones in the order they were placed, as far as that is known.
    pub stones: Vec<Stone>,
    pub to_move: Color,
}

/// Why a stated position cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board size is not supported.
    #[error("a board of {0} is not played; sizes run from {MIN_SIZE} to {MAX_SIZE}")]
    Size(u32),
    /// A stone beyond the edge.
    #[error("stone {number} at {x},{y} is outside the board of {size}; coordinates run from 0 to {}", size - 1)]
    Outside { number: usize, x: u8, y: u8, size: u8 },
    /// Two stones on one point.
    #[error("stone {number} stands at {point}, which is already taken")]
    Taken { number: usize, point: String },
    /// Both sides have a winning line.
    #[error("both sides have a winning line; one of them must have come later")]
    BothWon,
}

impl PositionSetup {
    /// An empty board with black to move.
    pub const fn empty(rule: Rule, size: u8) -> Self {
        Self { rule, size, stones: Vec::new(), to_move: Color::Black }
    }

    /// Stones that alternate from black, and the side whose turn follows.
    pub fn alternating(rule: Rule, size: u8, points: impl IntoIterator<Item = Point>) -> Self {
        let stones: Vec<Stone> =
            points.into_iter().enumerate().map(|(i, point)| Stone { point, color: Color::of_stone(i) }).collect();
        let to_move = Color::of_stone(stones.len());
        Self { rule, size, stones, to_move }
    }

    /// Checks the stones and gives the position they make. A finished line is allowed: such a position is over.
    pub fn position(&self) -> Result<Position, SetupError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(SetupError::Size(u32::from(self.size)));
        }
        let mut board = Board::new(self.size);
        for (i, stone) in self.stones.iter().enumerate() {
            let (number, point) = (i + 1, stone.point);
            if !point.on(self.size) {
                return Err(SetupError::Outside { number, x: point.x, y: point.y, size: self.size });
            }
            if board.get(point) != PointState::Empty {
                return Err(SetupError::Taken { number, point: point.name(self.size).to_string() });
            }
            board.set(point, Some(stone.color));
        }
        let mut won: [Option<Vec<Point>>; 2] = [None, None];
        for stone in &self.stones {
            let slot = &mut won[stone.color as usize];
            if slot.is_none() {
                *slot = winning_line(&board, self.rule, stone.point);
            }
        }
        let winner = match won {
            [Some(_), Some(_)] => return Err(SetupError::BothWon),
            [Some(line), None] => Some((Color::Black, line)),
            [None, Some(line)] => Some((Color::White, line)),
            [None, None] => None,
        };
        Ok(Position::from_checked(self.rule, board, &self.stones, self.to_move, winner))
    }
}
