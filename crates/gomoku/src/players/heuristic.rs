//! The heuristic player: counts rows and looks at no replies; with a blunder model for the weak levels.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::row_counts::{CellValue, Index, RowCounts};
use crate::rules::{Board, Point, Position, Status};

/// The blunder model of a weak level: the player overlooks whole lines, diagonals more easily, and confuses moves of
/// similar value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlunderModel {
    /// Probability of overlooking what the opponent has on one line through a cell.
    pub overlook_other: f64,
    /// The same for own stones.
    pub overlook_own: f64,
    /// Factor on both for diagonals.
    pub slant: f64,
    /// Width of the noise on the value of a move, as a share of that value.
    pub blur: f64,
}

impl BlunderModel {
    /// No blunders.
    pub const FULL: Self = Self { overlook_other: 0.0, overlook_own: 0.0, slant: 1.0, blur: 0.0 };
}

/// The move with the highest row count; `None` where there is no legal move.
pub fn choose(position: &Position, blunders: BlunderModel, rng: &mut ChaCha8Rng) -> Option<Point> {
    if *position.status() != Status::Running {
        return None;
    }
    let grid = RowCounts::new(position);
    let me = grid.to_move();
    let lines = MissedLines::draw(blunders, rng);
    let mut best: Option<(f64, Index)> = None;
    for index in grid.candidates().filter(|&index| !grid.forbidden(index, me)) {
        let own = grid.cell_worth(index, me, |d, at| !lines.own(d, at));
        let other = grid.cell_worth(index, me, |d, at| !lines.other(d, at));
        let worth = worth(CellValue { defend: other.defend, other: other.other, ..own });
        let worth = worth * (1.0 + blunders.blur * (rng.random::<f64>() - 0.5));
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, index));
        }
    }
    if let Some((_, index)) = best {
        return Some(Board::point(index));
    }
    let middle = position.size() / 2;
    let middle = Point::new(middle, middle);
    if position.check(middle).is_ok() { Some(middle) } else { position.legal_points().next() }
}

/// The value of a cell without looking at replies.
fn worth(cell: CellValue) -> f64 {
    f64::from(cell.attack + cell.defend)
}

/// The lines overlooked on this move. A line is a direction and its offset, so that all its cells agree.
struct MissedLines {
    blunders: BlunderModel,
    salt: u64,
}

impl MissedLines {
    fn draw(blunders: BlunderModel, rng: &mut ChaCha8Rng) -> Self {
        Self { blunders, salt: rng.random() }
    }

    fn own(&self, direction: usize, at: Index) -> bool {
        self.missed(direction, at, 0, self.blunders.overlook_own)
    }

    fn other(&self, direction: usize, at: Index) -> bool {
        self.missed(direction, at, 1, self.blunders.overlook_other)
    }

    fn missed(&self, direction: usize, at: Index, side: u64, chance: f64) -> bool {
        if chance == 0.0 {
            return false;
        }
        let (x, y) = (at % 24, at / 24);
        let offset = match direction {
            0 => y,
            1 => x,
            2 => 24 + x - y,
            _ => x + y,
        };
        let chance = if direction >= 2 { chance * self.blunders.slant } else { chance };
        let line = offset as u64 * 8 + direction as u64 * 2 + side;
        let z = numerics::mix64(self.salt ^ line.wrapping_mul(numerics::GOLDEN_GAMMA));
        (z >> 11) as f64 / (1u64 << 53) as f64 <= chance
    }
}
