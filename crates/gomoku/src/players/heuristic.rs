//! The heuristic player: counts runs, looks at no replies; and the same with lines overlooked, as people overlook them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::grid::{CellWorth, Grid, Index};
use crate::rules::{Board, Point, Position, Status};

/// How a player's attention fails: whole lines are overlooked, slanting ones more easily, and near-equal moves are confused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attention {
    /// Chance not to see what the other side has on one line through a cell.
    pub overlook_other: f64,
    /// The same for own chances.
    pub overlook_own: f64,
    /// How much more easily a slanting line is overlooked.
    pub slant: f64,
    /// Spread of the judgement, as a share of a move's worth.
    pub blur: f64,
}

impl Attention {
    /// Sees everything.
    pub const FULL: Self = Self { overlook_other: 0.0, overlook_own: 0.0, slant: 1.0, blur: 0.0 };
}

/// The best-looking move for the side to move; `None` where it has none.
pub fn choose(position: &Position, attention: Attention, rng: &mut ChaCha8Rng) -> Option<Point> {
    if *position.status() != Status::Running {
        return None;
    }
    let grid = Grid::new(position);
    let me = grid.to_move();
    let lines = Overlooked::draw(attention, rng);
    let mut best: Option<(f64, Index)> = None;
    for index in grid.candidates().filter(|&index| !grid.forbidden(index, me)) {
        let own = grid.cell_worth(index, me, |d, at| !lines.own(d, at));
        let other = grid.cell_worth(index, me, |d, at| !lines.other(d, at));
        let worth = worth(CellWorth { defend: other.defend, other: other.other, ..own });
        let worth = worth * (1.0 + attention.blur * (rng.random::<f64>() - 0.5));
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

/// What a cell is worth to a player who looks no further than his next stone.
fn worth(cell: CellWorth) -> f64 {
    f64::from(cell.attack + cell.defend)
}

/// Which lines are overlooked this move. A line is a direction and its offset, so that all its cells agree.
struct Overlooked {
    attention: Attention,
    salt: u64,
}

impl Overlooked {
    fn draw(attention: Attention, rng: &mut ChaCha8Rng) -> Self {
        Self { attention, salt: rng.random() }
    }

    fn own(&self, direction: usize, at: Index) -> bool {
        self.missed(direction, at, 0, self.attention.overlook_own)
    }

    fn other(&self, direction: usize, at: Index) -> bool {
        self.missed(direction, at, 1, self.attention.overlook_other)
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
        let chance = if direction >= 2 { chance * self.attention.slant } else { chance };
        let mut z = self.salt ^ (offset as u64 * 8 + direction as u64 * 2 + side).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 <= chance
    }
}
