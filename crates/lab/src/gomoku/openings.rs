//! Random balanced openings: stones near each other that the engine evaluates as balanced.

use std::sync::atomic::AtomicBool;

use gomoku::engine::{Engine, SearchLimits};
use gomoku::rules::{Color, Point};

use numerics::SplitMix64;

/// Constraints on an opening.
#[derive(Clone, Debug)]
pub struct OpeningStyle {
    /// Minimum and maximum number of stones.
    pub stones: (usize, usize),
    /// Nodes of the search that evaluates it.
    pub nodes: u64,
    /// Largest absolute score.
    pub margin: i32,
}

impl Default for OpeningStyle {
    fn default() -> Self {
        Self { stones: (2, 8), nodes: 1500, margin: 200 }
    }
}

/// A random balanced opening: points alternate from black.
pub fn balanced(engine: &mut Engine, style: &OpeningStyle, rng: &mut SplitMix64) -> Vec<Point> {
    let size = engine.config().size;
    let stop = AtomicBool::new(false);
    loop {
        let count = style.stones.0 + rng.below(style.stones.1 - style.stones.0 + 1);
        let points = scattered(size, count, rng);
        let stones = alternate(&points);
        let mover = if count.is_multiple_of(2) { Color::Black } else { Color::White };
        let Ok(report) = engine.search(&stones, mover, &SearchLimits::nodes(style.nodes), &stop, &mut |_| {}) else {
            continue;
        };
        if report.lines[0].score.0.abs() <= style.margin && report.nodes > 0 {
            return points;
        }
    }
}

/// Colours for points that alternate from black.
pub fn alternate(points: &[Point]) -> Vec<(Point, Color)> {
    let colours = [Color::Black, Color::White];
    points.iter().enumerate().map(|(i, &p)| (p, colours[i % 2])).collect()
}

/// Distinct points around a random centre, each near an earlier one.
pub(super) fn scattered(size: u8, count: usize, rng: &mut SplitMix64) -> Vec<Point> {
    let free = i32::from(size);
    let margin = (free / 4).min(5);
    let middle = |rng: &mut SplitMix64| margin + rng.below((free - 2 * margin).max(1) as usize) as i32;
    let (cx, cy) = (middle(rng), middle(rng));
    let mut points: Vec<Point> = Vec::new();
    while points.len() < count {
        let (bx, by) = match points.len() {
            0 => (cx, cy),
            n => {
                let p = points[rng.below(n)];
                (i32::from(p.x), i32::from(p.y))
            }
        };
        let reach = if rng.unit() < 0.7 { 2 } else { 3 };
        let x = bx + rng.below(2 * reach + 1) as i32 - reach as i32;
        let y = by + rng.below(2 * reach + 1) as i32 - reach as i32;
        if (0..free).contains(&x) && (0..free).contains(&y) {
            let point = Point { x: x as u8, y: y as u8 };
            if !points.contains(&point) {
                points.push(point);
            }
        }
    }
    points
}
