//! Squares of the board and their two classes: floor (soldiers walk here) and cover sites.

use std::fmt;

/// The side length of a board: odd, 7 to 15, so that all four corners are floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

/// A side length that no board can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("board side {0} is not playable: it must be odd and between 7 and 15")]
pub struct SizeError(pub usize);

impl Size {
    /// The default size; the thesis does not state its own.
    pub const DEFAULT: Size = Size(11);
    /// Every side length a board can have.
    pub const ALL: [Size; 5] = [Size(7), Size(9), Size(11), Size(13), Size(15)];

    /// Checks a side length.
    pub fn new(side: usize) -> Result<Self, SizeError> {
        if (7..=15).contains(&side) && side % 2 == 1 { Ok(Size(side as u8)) } else { Err(SizeError(side)) }
    }

    /// Cells along one side.
    pub fn side(self) -> usize {
        usize::from(self.0)
    }

    /// Number of floor cells (even `x + y`).
    pub fn floors(self) -> usize {
        (self.side() * self.side()).div_ceil(2)
    }

    /// Number of cover sites (odd `x + y`).
    pub fn sites(self) -> usize {
        self.side() * self.side() / 2
    }

    /// The square at `(x, y)`, if it is on the board.
    pub fn square(self, x: i32, y: i32) -> Option<GridSquare> {
        let side = i32::from(self.0);
        ((0..side).contains(&x) && (0..side).contains(&y)).then_some(GridSquare { x: x as u8, y: y as u8 })
    }

    /// The floor cell at a square, if the square is floor.
    pub fn floor_at(self, square: GridSquare) -> Option<Floor> {
        (square.x < self.0 && square.y < self.0 && square.is_floor()).then(|| Floor((self.linear(square) / 2) as u8))
    }

    /// The cover site at a square, if the square is one.
    pub fn site_at(self, square: GridSquare) -> Option<Site> {
        (square.x < self.0 && square.y < self.0 && !square.is_floor()).then(|| Site((self.linear(square) / 2) as u8))
    }

    /// Where a floor cell lies. The side is odd, so scan order alternates floor, site, floor, …
    pub fn floor_square(self, floor: Floor) -> GridSquare {
        self.square_of(usize::from(floor.0) * 2)
    }

    /// Where a cover site lies.
    pub fn site_square(self, site: Site) -> GridSquare {
        self.square_of(usize::from(site.0) * 2 + 1)
    }

    /// All floor cells in scan order.
    pub fn all_floors(self) -> impl Iterator<Item = Floor> {
        (0..self.floors()).map(|index| Floor(index as u8))
    }

    /// All cover sites in scan order.
    pub fn all_sites(self) -> impl Iterator<Item = Site> {
        (0..self.sites()).map(|index| Site(index as u8))
    }

    fn linear(self, square: GridSquare) -> usize {
        usize::from(square.y) * self.side() + usize::from(square.x)
    }

    fn square_of(self, linear: usize) -> GridSquare {
        GridSquare { x: (linear % self.side()) as u8, y: (linear / self.side()) as u8 }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}×{0}", self.0)
    }
}

/// One square of the board: `x` to the right, `y` downward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GridSquare {
    /// Column, from the left.
    pub x: u8,
    /// Row, from the top.
    pub y: u8,
}

impl GridSquare {
    /// Floor squares have an even coordinate sum (Šindelář 2024, sections 1.2 and 4.2).
    pub fn is_floor(self) -> bool {
        (self.x + self.y).is_multiple_of(2)
    }

    /// Squared distance between the centres.
    pub fn distance_squared(self, other: GridSquare) -> i32 {
        let dx = i32::from(self.x) - i32::from(other.x);
        let dy = i32::from(self.y) - i32::from(other.y);
        dx * dx + dy * dy
    }

    /// King's-move distance.
    pub fn chebyshev(self, other: GridSquare) -> u8 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }
}

impl fmt::Display for GridSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A floor cell, numbered in scan order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Floor(pub(crate) u8);

impl Floor {
    /// The number of this cell in scan order.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A cover site, numbered in scan order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub(crate) u8);

impl Site {
    /// The number of this site in scan order.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_odd_from_seven_to_fifteen() {
        for side in 0..40 {
            assert_eq!(Size::new(side).is_ok(), [7, 9, 11, 13, 15].contains(&side), "side {side}");
        }
        assert_eq!((Size::DEFAULT.floors(), Size::DEFAULT.sites()), (61, 60));
    }

    #[test]
    fn every_square_is_floor_or_site_and_numbers_round_trip() {
        for size in Size::ALL {
            let (mut floors, mut sites) = (0, 0);
            for y in 0..size.side() {
                for x in 0..size.side() {
                    let square = size.square(x as i32, y as i32).unwrap();
                    match (size.floor_at(square), size.site_at(square)) {
                        (Some(floor), None) => {
                            assert_eq!(floor.index(), floors);
                            assert_eq!(size.floor_square(floor), square);
                            floors += 1;
                        }
                        (None, Some(site)) => {
                            assert_eq!(site.index(), sites);
                            assert_eq!(size.site_square(site), square);
                            sites += 1;
                        }
                        other => panic!("{square}: {other:?}"),
                    }
                }
            }
            assert_eq!((floors, sites), (size.floors(), size.sites()));
        }
    }
}
