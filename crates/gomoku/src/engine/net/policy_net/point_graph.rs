//! The sparse graph of the policy network: empty cells near stones, then stones, and their neighbours on lines.

use crate::engine::geometry::{CELLS, Cell, STRIDE};

/// How far a point sees along its lines: as far as a stone can share a five with it.
const REACH: usize = 4;
/// Neighbours of a point: itself and the points on its lines.
pub(super) const TAPS: usize = 1 + 8 * REACH;

/// Columns and rows of a step in the four directions.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Index steps to the neighbours: itself, then per direction forth and back, under a symmetry from 0 to 7 of the board.
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

/// The tap of the reverse edge.
pub(super) fn opposite(tap: usize) -> usize {
    if tap == 0 { 0 } else { ((tap - 1) ^ 1) + 1 }
}

/// Nodes and edges.
#[derive(Default)]
pub(in crate::engine::net) struct PointGraph {
    pub(in crate::engine::net) cells: Vec<Cell>,
    /// For each node its neighbours as indices in `cells`; the number of nodes where there is none.
    pub(super) stars: Vec<[u16; TAPS]>,
    /// Node of every cell of the padded board.
    places: Vec<u16>,
}

impl PointGraph {
    /// Builds the graph of these distinct cells.
    pub(in crate::engine::net) fn set(&mut self, cells: impl Iterator<Item = Cell>) {
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

    /// Orders the edges as on a board under a symmetry from 0 to 7.
    pub(super) fn turn(&mut self, symmetry: usize) {
        let steps = star(symmetry);
        let around = |cell: &Cell| {
            steps.map(|step| self.places[Cell::from_index((cell.index() as isize + step) as usize).index()])
        };
        self.stars.clear();
        self.stars.extend(self.cells.iter().map(around));
    }
}
