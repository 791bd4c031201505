//! Why a move is worth playing, in the words players use: five, open four, four-three, blocks …

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::geometry::Cell;
use crate::engine::pattern_board::PatternBoard;
use crate::engine::pattern_tables::Class;
use crate::players::engine_stones;
use crate::rules::{Color, Point, Position};

/// What a stone on a point makes, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Threat {
    Five,
    /// An open four, or two fours at once.
    OpenFour,
    FourThree,
    Four,
    DoubleThree,
    Three,
}

impl Threat {
    /// The threat that a cell of this class is, if it is one.
    pub const fn of(class: u8) -> Option<Self> {
        const FIVE: u8 = Class::Five as u8;
        const OPEN_FOUR: u8 = Class::OpenFour as u8;
        const FOUR_THREE: u8 = Class::FourThree as u8;
        const FOUR: u8 = Class::Four as u8;
        const FOUR_PLUS: u8 = Class::FourPlus as u8;
        const DOUBLE_THREE: u8 = Class::DoubleThree as u8;
        const THREE: u8 = Class::Three as u8;
        const THREE_PLUS: u8 = Class::ThreePlus as u8;
        match class {
            FIVE => Some(Self::Five),
            OPEN_FOUR => Some(Self::OpenFour),
            FOUR_THREE => Some(Self::FourThree),
            FOUR | FOUR_PLUS => Some(Self::Four),
            DOUBLE_THREE => Some(Self::DoubleThree),
            THREE | THREE_PLUS => Some(Self::Three),
            _ => None,
        }
    }

    /// The threat's English name with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Five => "five in a row",
            Self::OpenFour => "an open four",
            Self::FourThree => "a four-three",
            Self::Four => "a four",
            Self::DoubleThree => "a double three",
            Self::Three => "an open three",
        }
    }
}

/// What a move makes and what it takes from the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveReason {
    pub makes: Option<Threat>,
    pub blocks: Option<Threat>,
}

impl MoveReason {
    /// The reason as one English sentence.
    pub fn sentence(self, point: Point, size: u8) -> String {
        let name = point.name(size);
        match (self.makes, self.blocks) {
            (Some(makes), Some(blocks)) if blocks <= Threat::FourThree => {
                format!("{name} makes {} and stops {}", makes.name(), blocks.name())
            }
            (Some(makes), _) => format!("{name} makes {}", makes.name()),
            (None, Some(blocks)) => format!("{name} stops {}", blocks.name()),
            (None, None) => format!("{name} builds a position"),
        }
    }
}

/// The line patterns of a position.
pub fn patterns(position: &Position) -> Option<PatternBoard> {
    let mut patterns = PatternBoard::new(position.rule(), position.size())?;
    patterns.set(&engine_stones(position)).ok()?;
    Some(patterns)
}

/// Why the side to move might play `point`.
pub fn reason(position: &Position, point: Point) -> MoveReason {
    let Some(patterns) = patterns(position) else { return MoveReason::default() };
    let me = position.to_move();
    let class = |color: Color| Threat::of(patterns.class(Cell::of(point), color));
    MoveReason { makes: class(me), blocks: class(me.opponent()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{Record, plain};
    use crate::rules::Rule;

    fn sentence(stones: &str, point: &str) -> String {
        let position = Record::of_points(15, plain::read(stones, 15).unwrap()).position(Rule::Freestyle).unwrap();
        let point = Point::parse(point, 15).unwrap();
        reason(&position, point).sentence(point, 15)
    }

    #[test]
    fn players_words() {
        // Black on the eighth row: three in a row with open ends.
        assert_eq!(sentence("h8a1i8a3j8a5", "k8"), "K8 makes an open four");
        assert_eq!(sentence("h8a1i8a3j8a5k8b9", "l8"), "L8 makes five in a row");
        assert_eq!(sentence("h8a1i8a3j8", "k8"), "K8 stops an open four");
        assert_eq!(sentence("h8a1", "i8"), "I8 builds a position");
    }
}
