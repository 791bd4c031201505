//! Points of the board and their two ways of writing: `H8` for people, `x,y` for programs.

use std::fmt;

/// The smallest board that is played.
pub const MIN_SIZE: u8 = 5;
/// The largest board that is played.
pub const MAX_SIZE: u8 = 22;

/// A point of the board: `x` from the left, `y` from the top, both from 0 (the Gomocup protocol's coordinates).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub x: u8,
    pub y: u8,
}

impl Point {
    /// The point at column `x` and row `y`, counted from 0 at the top left.
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// Whether the point lies on a board of `size`.
    pub const fn on(self, size: u8) -> bool {
        self.x < size && self.y < size
    }

    /// The point's name on a board of `size`: column letter (no letter is left out) and row from the bottom, `H8`.
    pub fn name(self, size: u8) -> PointName {
        debug_assert!(self.on(size));
        PointName { column: (b'A' + self.x) as char, row: size.saturating_sub(self.y) }
    }

    /// Reads a name such as `H8` or `h8` on a board of `size`.
    pub fn parse(text: &str, size: u8) -> Result<Self, PointError> {
        let wrong = || PointError::Malformed(text.chars().take(16).collect());
        let mut chars = text.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic).ok_or_else(wrong)?;
        let digits = chars.as_str();
        if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let row: u16 = digits.parse().map_err(|_| wrong())?;
        let column = letter.to_ascii_uppercase() as u8 - b'A';
        if column >= size || row == 0 || row > u16::from(size) {
            return Err(PointError::Outside { name: text.to_owned(), size });
        }
        Ok(Self { x: column, y: size - row as u8 })
    }

    /// All points of a board of `size`, row by row from the top left.
    pub fn all(size: u8) -> impl Iterator<Item = Self> {
        (0..size).flat_map(move |y| (0..size).map(move |x| Self { x, y }))
    }

    /// The larger of the horizontal and the vertical distance to `other`.
    pub const fn distance(self, other: Self) -> u8 {
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        if dx > dy { dx } else { dy }
    }
}

/// A point's name for people, ready to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointName {
    column: char,
    row: u8,
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column, self.row)
    }
}

/// Why a text names no point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointError {
    /// Not a letter followed by a number.
    #[error("{0:?} is not a point; points are written as a column letter and a row number, such as H8")]
    Malformed(String),
    /// A well-formed name beyond the edge.
    #[error("{name} is outside the board; a board of {size} runs from A1 to {}{size}", (b'A' + size - 1) as char)]
    Outside { name: String, size: u8 },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_is_bottom_left_and_i_is_not_skipped() {
        assert_eq!(Point::parse("A1", 15), Ok(Point::new(0, 14)));
        assert_eq!(Point::parse("i15", 15), Ok(Point::new(8, 0)));
        assert_eq!(Point::new(7, 7).name(15).to_string(), "H8");
    }

    #[test]
    fn names_round_trip_on_every_board() {
        for size in MIN_SIZE..=MAX_SIZE {
            for point in Point::all(size) {
                assert_eq!(Point::parse(&point.name(size).to_string(), size), Ok(point));
            }
        }
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let error = Point::parse("P1", 15).unwrap_err().to_string();
        assert_eq!(error, "P1 is outside the board; a board of 15 runs from A1 to O15");
        for text in ["", "8H", "H", "H-1", "H8 ", "HH8", "H9999", "é8"] {
            assert!(matches!(Point::parse(text, 15), Err(PointError::Malformed(_))), "{text}");
        }
    }
}
