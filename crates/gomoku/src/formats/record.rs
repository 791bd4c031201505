//! A recorded game, independent of the file format.

use crate::rules::{Color, Point, Position, PositionSetup, Rule, SetupError, Stone};

/// How a recorded game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordResult {
    Won(Color),
    Drawn,
}

/// A game read from a file or ready to be written to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub size: u8,
    /// The rule set, where the file names one.
    pub rule: Option<Rule>,
    /// Stones in the order they were placed.
    pub stones: Vec<Stone>,
    /// Thinking time of each stone in milliseconds, as far as known (as long as `stones` or empty).
    pub times: Vec<u64>,
    pub black: String,
    pub white: String,
    pub result: Option<RecordResult>,
}

impl Record {
    /// A game without names: stones that alternate from black.
    pub fn of_points(size: u8, points: impl IntoIterator<Item = Point>) -> Self {
        let stones =
            points.into_iter().enumerate().map(|(i, point)| Stone { point, color: Color::of_stone(i) }).collect();
        Self { size, rule: None, stones, times: Vec::new(), black: String::new(), white: String::new(), result: None }
    }

    /// Whether black began and the stones alternate, as plain notation and psq need it.
    pub fn alternates(&self) -> bool {
        self.stones.iter().enumerate().all(|(i, stone)| stone.color == Color::of_stone(i))
    }

    /// The last position of the game, under its rule or else `rule`.
    pub fn position(&self, rule: Rule) -> Result<Position, SetupError> {
        let to_move = self.stones.last().map_or(Color::Black, |stone| stone.color.opponent());
        PositionSetup { rule: self.rule.unwrap_or(rule), size: self.size, stones: self.stones.clone(), to_move }
            .position()
    }
}
