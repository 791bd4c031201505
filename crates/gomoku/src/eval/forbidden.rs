//! Checks the fast forbidden-point test against the slow oracle on random crowded boards.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::rules::oracle::SlowBoard;
use crate::rules::{
    Board, Color, Forbidden, MAX_SIZE, MIN_SIZE, Point, PointState, PositionSetup, Rule, Stone, forbidden_points,
};

/// Totals of a run of comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForbiddenCheck {
    pub positions: u64,
    /// Empty points tested by both.
    pub points: u64,
    pub overlines: u64,
    pub double_fours: u64,
    pub double_threes: u64,
    /// The first disagreement, if any; the run stops there.
    pub mismatch: Option<Mismatch>,
}

/// A board on which the two checks disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub setup: PositionSetup,
    pub point: Point,
    pub quick: Option<Forbidden>,
    pub slow: Option<Forbidden>,
}

/// Compares both checks on every empty point of `positions` random boards; the same seed gives the same boards.
pub fn check_forbidden(positions: u64, seed: u64) -> ForbiddenCheck {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut found = ForbiddenCheck::default();
    for _ in 0..positions {
        let setup = crowded_setup(&mut rng);
        compare(&setup, &mut found);
        if found.mismatch.is_some() {
            break;
        }
    }
    found
}

/// A random board with stones crowded into one region, black in the majority, so that forbidden points are common.
pub fn crowded_setup(rng: &mut impl RngExt) -> PositionSetup {
    // Small boards have the most edges and the fewest empty regions; every size occurs.
    let largest = if rng.random_range(0..10) == 0 { MAX_SIZE } else { 10 };
    let size = rng.random_range(MIN_SIZE..=largest);
    let side = rng.random_range(5..=size.min(11));
    let (left, top) = (rng.random_range(0..=size - side), rng.random_range(0..=size - side));
    let black_share = rng.random_range(15..45);
    let white_share = rng.random_range(0..25);
    let mut setup = PositionSetup::empty(Rule::Renju, size);
    for y in top..top + side {
        for x in left..left + side {
            let roll = rng.random_range(0..100);
            let color = if roll < black_share {
                Color::Black
            } else if roll < black_share + white_share {
                Color::White
            } else {
                continue;
            };
            setup.stones.push(Stone { point: Point { x, y }, color });
        }
    }
    setup
}

fn compare(setup: &PositionSetup, found: &mut ForbiddenCheck) {
    let mut board = Board::new(setup.size);
    for stone in &setup.stones {
        board.set(stone.point, Some(stone.color));
    }
    let quick = forbidden_points(&board);
    let mut slow = SlowBoard::new(setup.size, &setup.stones);
    let mut quick_left = quick.iter().peekable();
    found.positions += 1;
    for point in Point::all(setup.size).filter(|&point| board.get(point) == PointState::Empty) {
        found.points += 1;
        let quick = quick_left.next_if(|(at, _)| *at == point).map(|&(_, why)| why);
        let slow = slow.forbidden(point);
        match slow {
            Some(Forbidden::Overline) => found.overlines += 1,
            Some(Forbidden::DoubleFour) => found.double_fours += 1,
            Some(Forbidden::DoubleThree) => found.double_threes += 1,
            None => {}
        }
        if quick != slow {
            found.mismatch = Some(Mismatch { setup: setup.clone(), point, quick, slow });
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_and_slow_agree_and_every_reason_occurs() {
        let found = check_forbidden(1_000, 7);
        assert_eq!(found.mismatch, None);
        assert!(found.overlines > 50 && found.double_fours > 50 && found.double_threes > 50, "{found:?}");
    }
}
