//! Stones on a grid, and the lines through a point.

use super::{Color, MAX_SIZE, MIN_SIZE, Point};

/// One row of the padded grid; the padding lets lines run off the board without bounds checks.
const STRIDE: usize = MAX_SIZE as usize + 2;
const CELLS: usize = STRIDE * STRIDE;

/// What lies at a point, or beyond the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PointState {
    Black = 0,
    White = 1,
    Empty = 2,
    Edge = 3,
}

impl From<Color> for PointState {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

impl PointState {
    /// The owner of the stone here, if there is a stone.
    pub const fn stone(self) -> Option<Color> {
        match self {
            Self::Black => Some(Color::Black),
            Self::White => Some(Color::White),
            Self::Empty | Self::Edge => None,
        }
    }
}

/// One of the four directions in which lines run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Horizontal,
    Vertical,
    Falling,
    Rising,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Horizontal, Self::Vertical, Self::Falling, Self::Rising];

    /// Column and row step of this direction.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Self::Horizontal => (1, 0),
            Self::Vertical => (0, 1),
            Self::Falling => (1, 1),
            Self::Rising => (1, -1),
        }
    }

    const fn stride(self) -> isize {
        let (dx, dy) = self.step();
        dx as isize + dy as isize * STRIDE as isize
    }
}

/// A square grid with stones. It does not know turns or rules.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: u8,
    stones: u16,
    cells: [PointState; CELLS],
}

/// A cell's place in the padded grid.
pub(crate) type Index = usize;

impl Board {
    /// An empty board. Callers check the size (see [`super::PositionSetup`]).
    pub(crate) fn new(size: u8) -> Self {
        debug_assert!((MIN_SIZE..=MAX_SIZE).contains(&size));
        let mut cells = [PointState::Edge; CELLS];
        for point in Point::all(size) {
            cells[Self::index(point)] = PointState::Empty;
        }
        Self { size, stones: 0, cells }
    }

    /// Points per side.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Number of stones on the board.
    pub const fn stones(&self) -> usize {
        self.stones as usize
    }

    /// Whether no point is empty.
    pub const fn is_full(&self) -> bool {
        self.stones as usize == self.size as usize * self.size as usize
    }

    /// What lies at `point`; [`PointState::Edge`] beyond the board.
    pub fn get(&self, point: Point) -> PointState {
        if point.on(self.size) { self.cells[Self::index(point)] } else { PointState::Edge }
    }

    /// Puts a stone on an empty point or takes it away again.
    pub(crate) fn set(&mut self, point: Point, stone: Option<Color>) {
        let cell = &mut self.cells[Self::index(point)];
        debug_assert!(*cell != PointState::Edge && (*cell == PointState::Empty) == stone.is_some());
        *cell = stone.map_or(PointState::Empty, PointState::from);
        if stone.is_some() { self.stones += 1 } else { self.stones -= 1 }
    }

    /// Empty points, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> {
        Point::all(self.size).filter(|&point| self.get(point) == PointState::Empty)
    }

    pub(crate) const fn index(point: Point) -> Index {
        (point.y as usize + 1) * STRIDE + point.x as usize + 1
    }

    pub(crate) const fn point(index: Index) -> Point {
        Point { x: (index % STRIDE - 1) as u8, y: (index / STRIDE - 1) as u8 }
    }

    pub(crate) fn at(&self, index: Index) -> PointState {
        self.cells[index]
    }

    /// The index `distance` steps from `from` along `direction`.
    pub(crate) const fn walk(from: Index, direction: Direction, distance: isize) -> Index {
        (from as isize + direction.stride() * distance) as usize
    }

    /// As [`Board::walk`], for distances that may lead beyond the padding: such an index is clamped to a corner, which is an edge.
    pub(crate) fn walk_checked(from: Index, direction: Direction, distance: isize) -> Index {
        let to = from as isize + direction.stride() * distance;
        if (0..CELLS as isize).contains(&to) { to as usize } else { 0 }
    }

    /// How many stones of `cell` follow `from` without a gap; `sign` is 1 or −1 along the direction.
    pub(crate) fn run(&self, from: Index, direction: Direction, sign: isize, cell: PointState) -> isize {
        let mut length = 0;
        while self.at(Self::walk(from, direction, sign * (length + 1))) == cell {
            length += 1;
        }
        length
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f)?;
        for y in 0..self.size {
            for x in 0..self.size {
                let mark = match self.get(Point { x, y }) {
                    PointState::Black => 'X',
                    PointState::White => 'O',
                    PointState::Empty | PointState::Edge => '.',
                };
                write!(f, "{mark} ")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
