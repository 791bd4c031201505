//! The points that a reader looks at: empty cells near stones, then stones; and who stands next to whom.

use crate::engine::geometry::{CELLS, Cell, STRIDE};

/// How far a point reads along its lines: as far as a stone can take part in a five.
const REACH: usize = 4;
/// Points that a point reads: itself and those on its lines.
pub(super) const TAPS: usize = 1 + 8 * REACH;

/// Columns and rows of a step in the four directions.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Index steps to them: itself, then direction by direction, forth and back, as a board turned by a symmetry from 0 to 7
/// sees them.
fn star(symmetry: usize) -> [isize; TAPS] {
    std::array::from_fn(|tap| {
        let Some(tap) = tap.checked_sub(1) else { return 0 };
        let n = (tap / 2 % REACH + 1) as isize * if tap % 2 == 0 { 1 } else { -1 };
        let (dx, dy) = LINES[tap / 2 / REACH];
        let (dx, dy) = (if symmetry & 1 == 0 { dx } else { -dx }, if symmetry & 2 == 0 { dy } else { -dy });
        let (dx, dy) = if symmetry & 4 == 0 { (dx, dy) } else { (dy, dx) };
        n * (dx + dy * STRIDE as isize)
    })
}

/// The tap that looks back.
pub(super) fn opposite(tap: usize) -> usize {
    if tap == 0 { 0 } else { ((tap - 1) ^ 1) + 1 }
}

/// Cells and their neighbours.
#[derive(Default)]
pub(in crate::net) struct Ground {
    pub(in crate::net) cells: Vec<Cell>,
    /// For each cell its star as places in `cells`; the number of cells where there is none.
    pub(super) stars: Vec<[u16; TAPS]>,
    /// Place of every cell of the padded board, kept for its memory.
    places: Vec<u16>,
}

impl Ground {
    /// Takes these cells, each once.
    pub(in crate::net) fn set(&mut self, cells: impl Iterator<Item = Cell>) {
        self.cells.clear();
        self.cells.extend(cells);
        let nobody = self.cells.len() as u16;
        self.places.clear();
        self.places.resize(CELLS, nobody);
        for (place, cell) in self.cells.iter().enumerate() {
            self.places[cell.index()] = place as u16;
        }
        self.turn(0);
    }

    /// Looks at the cells as on a board turned by a symmetry from 0 to 7.
    pub(super) fn turn(&mut self, symmetry: usize) {
        let steps = star(symmetry);
        let around = |cell: &Cell| {
            steps.map(|step| self.places[Cell::from_index((cell.index() as isize + step) as usize).index()])
        };
        self.stars.clear();
        self.stars.extend(self.cells.iter().map(around));
    }
}
