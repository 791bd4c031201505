//! A slow, obvious damage function that the damage table is tested against.

use super::battlefield::Battlefield;
use super::geometry::GridSquare;
use super::map::{Cover, Map};

/// Line of fire by definition: a cell is passed if, at its column or at its row, the straight line between the
/// centres is at most half a cell away. Works on the whole board with no ray table.
pub fn damage(map: &Map, from: GridSquare, to: GridSquare) -> u8 {
    let (x0, y0) = (i32::from(from.x), i32::from(from.y));
    let (dx, dy) = (i32::from(to.x) - x0, i32::from(to.y) - y0);
    if from == to || 4 * (dx * dx + dy * dy) > 81 {
        return 0;
    }
    let strictly_between = |v: i32, d: i32| v * d.signum() > 0 && v.abs() < d.abs();
    let mut highest = 0;
    for y in 0..map.size().side() as i32 {
        for x in 0..map.size().side() as i32 {
            let (cx, cy) = (x - x0, y - y0);
            let off_line = 2 * (cy * dx - cx * dy).abs();
            let passed = (strictly_between(cx, dx) && off_line <= dx.abs())
                || (strictly_between(cy, dy) && off_line <= dy.abs());
            if !passed {
                continue;
            }
            let square = GridSquare { x: x as u8, y: y as u8 };
            let level = match map.cover_at(square) {
                Cover::None => 0,
                Cover::Short if ((cx * cx + cy * cy) as f64).sqrt() < 2.0 => 0,
                Cover::Short => 1,
                Cover::Long => 2,
            };
            highest = highest.max(level);
        }
    }
    [10, 5, 0][highest]
}

/// A pair of cells whose damage differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamageMismatch {
    pub from: GridSquare,
    pub to: GridSquare,
    /// In the table.
    pub table: u8,
    /// By the oracle.
    pub oracle: u8,
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DamageComparison {
    /// Pairs compared.
    pub pairs: u64,
    /// The first that differs.
    pub wrong: Option<DamageMismatch>,
}

/// Compares the table of a board with the oracle, every ordered pair of floor cells.
pub fn compare(board: &Battlefield) -> DamageComparison {
    let size = board.map().size();
    let mut comparison = DamageComparison::default();
    for from in size.all_floors() {
        for to in size.all_floors() {
            let (a, b) = (size.floor_square(from), size.floor_square(to));
            let (table, oracle) = (board.damage(from, to).points(), damage(board.map(), a, b));
            comparison.pairs += 1;
            if table != oracle && comparison.wrong.is_none() {
                comparison.wrong = Some(DamageMismatch { from: a, to: b, table, oracle });
            }
        }
    }
    comparison
}
