//! Cells of the padded board: 32 × 32 with five edge cells on every side of the largest board.

use crate::rules::Point;

/// Cells between two rows of the padded board.
pub const STRIDE: usize = 32;
/// Edge cells around the board; a line window reaches at most this far.
pub const PAD: usize = 5;
/// Cells of the padded board.
pub const CELLS: usize = STRIDE * STRIDE;
/// The largest board that fits between the edges.
pub const MAX_SIZE: usize = STRIDE - 2 * PAD;
/// The smallest board on which five fit in a row.
pub const MIN_SIZE: usize = 5;
/// Index steps of the four directions: right, down, down-right, up-right.
pub const STEPS: [isize; 4] = [1, STRIDE as isize, STRIDE as isize + 1, 1 - STRIDE as isize];

/// A cell of the padded board; always below [`CELLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// No cell: a corner of the padding, never on any board.
    pub const NONE: Self = Self(0);

    /// The cell of a point; the caller has checked that it is on the board.
    pub const fn of(point: Point) -> Self {
        Self::at(point.x as usize, point.y as usize)
    }

    /// The cell in column `x` and row `y` of the board.
    pub const fn at(x: usize, y: usize) -> Self {
        Self(((((y + PAD) * STRIDE) + x + PAD) & (CELLS - 1)) as u16)
    }

    /// The cell with this index; indices wrap at [`CELLS`].
    #[inline(always)]
    pub const fn from_index(index: usize) -> Self {
        Self((index & (CELLS - 1)) as u16)
    }

    /// Index into arrays of [`CELLS`] entries.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (CELLS - 1)
    }

    /// The board point; meaningless for cells of the padding.
    pub const fn point(self) -> Point {
        Point { x: (self.col() - PAD) as u8, y: (self.row() - PAD) as u8 }
    }

    /// Column of the padded board.
    #[inline(always)]
    pub const fn col(self) -> usize {
        self.index() % STRIDE
    }

    /// Row of the padded board.
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.index() / STRIDE
    }

    /// The cell `n` steps away in a direction.
    #[inline(always)]
    pub const fn step(self, direction: usize, n: isize) -> Self {
        Self::from_index((self.index() as isize + STEPS[direction] * n) as usize)
    }

    /// Variation number and place on that line, for the packed lines of one direction.
    #[inline(always)]
    pub const fn on_line(self, direction: usize) -> (usize, usize) {
        let (x, y) = (self.col(), self.row());
        match direction {
            0 => (y, x),
            1 => (x, y),
            2 => (x + STRIDE - 1 - y, x),
            _ => (x + y, x),
        }
    }

    /// Whether two cells lie on one row, column or diagonal at most `reach` apart.
    pub fn in_line(self, other: Self, reach: usize) -> bool {
        let dx = self.col().abs_diff(other.col());
        let dy = self.row().abs_diff(other.row());
        dx.max(dy) <= reach && (dx == 0 || dy == 0 || dx == dy)
    }
}

/// A set of cells, one word per row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellSet(pub [u32; STRIDE]);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: Self = Self([0; STRIDE]);

    /// Adds a cell.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.row()] |= 1 << cell.col();
    }

    /// Takes a cell out.
    #[inline(always)]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.row()] &= !(1 << cell.col());
    }

    /// Adds the cell if absent, takes it out if present.
    #[inline(always)]
    pub fn toggle(&mut self, cell: Cell) {
        self.0[cell.row()] ^= 1 << cell.col();
    }

    /// Whether the cell is in the set.
    #[inline(always)]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.row()] >> cell.col() & 1 == 1
    }

    /// Calls `visit` for every cell, row by row.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(Cell)) {
        for (row, &word) in self.0.iter().enumerate().take(STRIDE - PAD).skip(PAD) {
            let mut bits = word;
            while bits != 0 {
                let col = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                visit(Cell::from_index(row * STRIDE + col));
            }
        }
    }

    /// The cells as a list.
    pub fn to_vec(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.for_each(|cell| cells.push(cell));
        cells
    }
}
