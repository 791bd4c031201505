//! Actions of a seat and their notation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::{Point, PointError};

/// One action at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Action {
    /// Place a stone: `x` from the left, `y` from the top, both from 0.
    Place { x: u8, y: u8 },
    /// Swap2: play black from here on.
    TakeBlack,
    /// Swap2: play white from here on.
    TakeWhite,
    /// Swap2: place two more stones and let the other side choose.
    AddTwo,
}

impl Action {
    /// The action of placing a stone at `point`.
    pub const fn place(point: Point) -> Self {
        Self::Place { x: point.x, y: point.y }
    }

    /// The action in notation: a point name, or the word of a choice.
    pub fn write(self, size: u8) -> String {
        match self {
            Self::Place { x, y } => Point { x, y }.name(size).to_string(),
            Self::TakeBlack => "take-black".to_owned(),
            Self::TakeWhite => "take-white".to_owned(),
            Self::AddTwo => "add-two".to_owned(),
        }
    }

    /// Reads what [`Action::write`] writes, and short forms.
    pub fn read(text: &str, size: u8) -> Result<Self, PointError> {
        let text = text.trim();
        match text.to_ascii_lowercase().as_str() {
            "take-black" | "black" => Ok(Self::TakeBlack),
            "take-white" | "white" => Ok(Self::TakeWhite),
            "add-two" | "two" => Ok(Self::AddTwo),
            _ => Point::parse(text, size).map(Self::place),
        }
    }
}
