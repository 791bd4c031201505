//! Rule sets and colours.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The rule set of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Five or more in a row wins for both sides.
    #[default]
    Freestyle,
    /// Exactly five in a row wins; six or more does not.
    Standard,
    /// Black may not make an overline, a double four or a double three, and wins with exactly five; white wins with five or more.
    Renju,
    /// A five with opponent stones (not edges) at both ends does not win; six or more wins.
    Caro,
    /// As [`Rule::Caro`], but only exactly five wins.
    CaroExact,
}

impl Rule {
    /// Every rule set, in the order of their names in menus.
    pub const ALL: [Self; 5] = [Self::Freestyle, Self::Standard, Self::Renju, Self::Caro, Self::CaroExact];

    /// The name used in settings, files and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
            Self::CaroExact => "caro-exact",
        }
    }

    /// The rule set that the Gomocup protocol's `INFO rule` bit mask asks for (1 exactly five, 2 continuous, 4 renju, 8 caro).
    pub const fn from_gomocup_bits(bits: u32) -> Self {
        if bits & 4 != 0 {
            Self::Renju
        } else if bits & 8 != 0 {
            if bits & 1 != 0 { Self::CaroExact } else { Self::Caro }
        } else if bits & 1 != 0 {
            Self::Standard
        } else {
            Self::Freestyle
        }
    }

    /// The Gomocup protocol's bit mask for this rule set.
    pub const fn gomocup_bits(self) -> u32 {
        match self {
            Self::Freestyle => 0,
            Self::Standard => 1,
            Self::Renju => 4,
            Self::Caro => 8,
            Self::CaroExact => 9,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown rule name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule is called {0:?}; there are freestyle, standard, renju, caro and caro-exact")]
pub struct UnknownRule(pub String);

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownRule(text.to_owned()))
    }
}

/// A stone's owner. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Color {
    Black = 0,
    White = 1,
}

impl Color {
    /// The other side.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The side that places stone number `index` (from 0) when stones alternate from the first.
    pub const fn of_stone(index: usize) -> Self {
        if index.is_multiple_of(2) { Self::Black } else { Self::White }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}
