//! Settings of a table.

use game::RuleError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::formats::plain;
use crate::rules::{Color, Position, PositionSetup, Rule, Stone};

/// How the first stones are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// Black begins, stones alternate.
    #[default]
    Free,
    /// The first player places three stones; the second takes a colour or adds two more and lets the first take one.
    Swap2,
}

/// The settings of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Points per side, 5 to 22.
    pub size: u8,
    pub rule: Rule,
    pub opening: Opening,
    /// Stones to start from, in plain notation and alternating from black (`h8i9`); only with a free opening.
    pub stones: String,
    /// Who moves first after `stones`; by default the side whose turn follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Color>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { size: 15, rule: Rule::Freestyle, opening: Opening::Free, stones: String::new(), to_move: None }
    }
}

impl Settings {
    /// The position a table with these settings starts from.
    pub fn start(&self) -> Result<Position, RuleError> {
        let refuse = |message: String| RuleError::new("gomoku.settings", message);
        let mut setup = PositionSetup::empty(self.rule, self.size);
        // The size is checked first, so that errors about points never mention an impossible board.
        setup.position().map_err(|error| refuse(error.to_string()))?;
        if self.opening == Opening::Swap2 && (!self.stones.is_empty() || self.to_move.is_some()) {
            return Err(refuse("swap2 begins on an empty board; leave out stones and to_move".to_owned()));
        }
        let points = plain::read(&self.stones, self.size).map_err(|error| refuse(format!("stones: {error}")))?;
        for (i, point) in points.into_iter().enumerate() {
            setup.stones.push(Stone { point, color: Color::of_stone(i) });
        }
        setup.to_move = self.to_move.unwrap_or(Color::of_stone(setup.stones.len()));
        setup.position().map_err(|error| refuse(error.to_string()))
    }
}
