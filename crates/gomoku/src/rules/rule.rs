//! Which lines win, and which points black may not take.

/// The rule set of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
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

/// A stone's owner. Black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

/// A point of the board: `x` from the left, `y` from the top, both from 0 (the Gomocup protocol's coordinates).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub x: u8,
    pub y: u8,
}
