//! Lines of fire: the cells between shooter and target, and the damage that gets through (Šindelář 2024, sections 1.2

use std::sync::LazyLock;

use super::geometry::{Floor, GridSquare};
use super::map::{Cover, Map};

/// Damage of one shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Damage {
    /// Out of range or behind long cover.
    None,
    /// Through short cover.
    Half,
    /// A clear line.
    Full,
}

impl Damage {
    /// Hit points taken.
    pub fn points(self) -> u8 {
        match self {
            Damage::None => 0,
            Damage::Half => 5,
            Damage::Full => 10,
        }
    }
}

/// A shot reaches 4.5 cells between centres, which on whole cells means a squared distance of at most 20.
pub(crate) const RANGE_SQUARED: i32 = 20;

/// A cover on a line of fire and whether it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Where it stands.
    pub square: GridSquare,
    /// The cover.
    pub cover: Cover,
    /// False for short cover right in front of the shooter, who shoots over it.
    pub counts: bool,
}

/// A line of fire with everything that stands on it, for explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FireLine {
    /// Shooter.
    pub from: GridSquare,
    /// Target.
    pub to: GridSquare,
    /// Damage that gets through.
    pub damage: Damage,
    /// False if the target is too far away.
    pub in_range: bool,
    /// Squares the line passes, ends excluded.
    pub passes: Vec<GridSquare>,
    /// Covers among them.
    pub obstacles: Vec<Obstacle>,
}

/// A reachable offset from shooter to target with the cover-site offsets between them.
struct Ray {
    dx: i32,
    dy: i32,
    /// Odd cells on the line; the flag marks the shooter's orthogonal neighbours (distance below 2).
    sites: Vec<(i32, i32, bool)>,
}

/// Offsets of the squares between `(0, 0)` and `(dx, dy)`: the union of a walk along x and one along y.
///
/// Where a walk meets the border of two cells exactly, both belong to the line.
fn between(dx: i32, dy: i32) -> Vec<(i32, i32)> {
    let mut cells = Vec::new();
    for step in 1..dx.abs() {
        let x = step * dx.signum();
        let (low, high) = round_both(dy * step, dx.abs());
        cells.extend((low..=high).map(|y| (x, y)));
    }
    for step in 1..dy.abs() {
        let y = step * dy.signum();
        let (low, high) = round_both(dx * step, dy.abs());
        cells.extend((low..=high).map(|x| (x, y)));
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// The whole numbers nearest to `numerator / denominator`: one, or two at an exact half.
fn round_both(numerator: i32, denominator: i32) -> (i32, i32) {
    let low = (2 * numerator + denominator - 1).div_euclid(2 * denominator);
    let high = (2 * numerator + denominator).div_euclid(2 * denominator);
    (low, high)
}

/// All rays within range between cells of equal parity.
static RAYS: LazyLock<Vec<Ray>> = LazyLock::new(|| {
    let reach = -4..=4;
    reach
        .clone()
        .flat_map(|dx| reach.clone().map(move |dy| (dx, dy)))
        .filter(|&(dx, dy)| {
            let squared = dx * dx + dy * dy;
            squared > 0 && squared <= RANGE_SQUARED && (dx + dy) % 2 == 0
        })
        .map(|(dx, dy)| Ray {
            dx,
            dy,
            sites: between(dx, dy)
                .into_iter()
                .filter(|(x, y)| (x + y) % 2 != 0)
                .map(|(x, y)| (x, y, x * x + y * y < 4))
                .collect(),
        })
        .collect()
});

fn through(cover: Cover, beside_shooter: bool) -> Damage {
    match cover {
        Cover::Long => Damage::None,
        Cover::Short if !beside_shooter => Damage::Half,
        _ => Damage::Full,
    }
}

/// Calls `record` with every (shooter, target, damage) of a map whose damage is not zero.
pub(crate) fn damage_pairs(map: &Map, mut record: impl FnMut(Floor, Floor, Damage)) {
    let size = map.size();
    for from in size.all_floors() {
        let origin = size.floor_square(from);
        let (x, y) = (i32::from(origin.x), i32::from(origin.y));
        for ray in RAYS.iter() {
            let Some(target) = size.square(x + ray.dx, y + ray.dy) else {
                continue;
            };
            let mut damage = Damage::Full;
            for &(sx, sy, beside) in &ray.sites {
                // both ends are on the board and the line stays inside their bounding box
                let square = GridSquare { x: (x + sx) as u8, y: (y + sy) as u8 };
                damage = damage.min(through(map.cover_at(square), beside));
            }
            if damage != Damage::None {
                let to = size.floor_at(target).expect("rays keep the parity");
                record(from, to, damage);
            }
        }
    }
}

/// The line of fire between two floor cells with everything on it.
pub(crate) fn line(map: &Map, from: Floor, to: Floor) -> FireLine {
    let size = map.size();
    let (a, b) = (size.floor_square(from), size.floor_square(to));
    let (dx, dy) = (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    let passes: Vec<GridSquare> =
        between(dx, dy).into_iter().filter_map(|(x, y)| size.square(i32::from(a.x) + x, i32::from(a.y) + y)).collect();
    let obstacles: Vec<Obstacle> = passes
        .iter()
        .map(|&square| (square, map.cover_at(square)))
        .filter(|(_, cover)| *cover != Cover::None)
        .map(|(square, cover)| Obstacle {
            square,
            cover,
            counts: cover == Cover::Long || square.distance_squared(a) >= 4,
        })
        .collect();
    let in_range = from != to && a.distance_squared(b) <= RANGE_SQUARED;
    let damage = if in_range {
        obstacles.iter().map(|obstacle| through(obstacle.cover, !obstacle.counts)).min().unwrap_or(Damage::Full)
    } else {
        Damage::None
    };
    FireLine { from: a, to: b, damage, in_range, passes, obstacles }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_belong_to_both_cells() {
        assert_eq!(round_both(1, 2), (0, 1));
        assert_eq!(round_both(-1, 2), (-1, 0));
        assert_eq!(round_both(3, 2), (1, 2));
        assert_eq!(round_both(2, 3), (1, 1));
        assert_eq!(round_both(-2, 3), (-1, -1));
        assert_eq!(round_both(0, 3), (0, 0));
    }

    #[test]
    fn a_pure_diagonal_is_never_obstructed() {
        for ray in RAYS.iter().filter(|ray| ray.dx.abs() == ray.dy.abs()) {
            assert!(ray.sites.is_empty(), "({}, {})", ray.dx, ray.dy);
        }
    }

    #[test]
    fn a_straight_shot_passes_every_cell_between() {
        assert_eq!(between(4, 0), vec![(1, 0), (2, 0), (3, 0)]);
        assert_eq!(between(0, -2), vec![(0, -1)]);
    }
}
