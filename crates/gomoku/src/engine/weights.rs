//! Pattern weights: how much shapes and their combinations are worth.

use super::shape::Shape;
use super::tables::{Class, Weight, class_of};

/// Number of threat situations told apart by [`threat_index`].
pub const THREATS: usize = 256;

/// Worth of one direction's shape for its owner, the owner to move; by [`Shape`].
const MINE: [i16; 15] = [0, 0, 1, 4, 6, 14, 18, 22, 24, 40, 48, 50, 60, 60, 0];
/// The same with the other side to move.
const THEIRS: [i16; 15] = [0, 0, 1, 3, 4, 8, 11, 14, 12, 24, 30, 30, 60, 60, 0];
/// Extra worth of the whole cell, owner to move; by [`Class`].
const MINE_CLASS: [i16; 14] = [0, 0, 0, 10, 15, 0, 20, 50, 0, 10, 150, 0, 0, 0];
/// Extra worth of the whole cell, other side to move.
const THEIRS_CLASS: [i16; 14] = [0, 0, 0, 5, 8, 0, 10, 20, 0, 5, 60, 0, 0, 0];
/// Urgency of taking a cell for oneself; by [`Class`].
const ATTACK_CLASS: [i16; 14] = [0, 10, 12, 30, 35, 60, 80, 140, 60, 90, 400, 1000, 4000, 0];
/// Urgency of taking a cell from the opponent; by [`Class`].
const DEFEND_CLASS: [i16; 14] = [0, 6, 8, 22, 25, 40, 55, 110, 35, 60, 250, 500, 3000, 0];
/// Urgency by shape, own.
const ATTACK: [i16; 15] = [0, 0, 1, 4, 6, 14, 17, 20, 18, 34, 38, 30, 0, 0, 0];
/// Urgency by shape, opponent's.
const DEFEND: [i16; 15] = [0, 0, 1, 3, 4, 10, 12, 14, 12, 25, 28, 20, 0, 0, 0];

/// The weights of a cell with these four shapes.
pub fn weight_of(shapes: [Shape; 4]) -> Weight {
    let class = class_of(shapes) as usize;
    let sum = |by_shape: &[i16; 15]| shapes.iter().map(|&s| by_shape[s as usize]).sum::<i16>();
    Weight {
        mine: sum(&MINE) + MINE_CLASS[class],
        theirs: sum(&THEIRS) + THEIRS_CLASS[class],
        attack: sum(&ATTACK) + ATTACK_CLASS[class],
        defend: sum(&DEFEND) + DEFEND_CLASS[class],
    }
}

/// Which threats both sides have, as an index: how many cells of each class there are, by side.
///
/// Bits from the lowest: the mover's four-three, four, double three, three; then the other side's
/// open four, four-three, four, double three or three.
#[inline(always)]
pub fn threat_index(mover: &[u16; 16], other: &[u16; 16]) -> usize {
    let has = |counts: &[u16; 16], class: Class| usize::from(counts[class as usize] != 0);
    has(mover, Class::FourThree)
        | (has(mover, Class::Four) | has(mover, Class::FourPlus)) << 1
        | has(mover, Class::DoubleThree) << 2
        | (has(mover, Class::Three) | has(mover, Class::ThreePlus)) << 3
        | has(other, Class::OpenFour) << 4
        | has(other, Class::FourThree) << 5
        | (has(other, Class::Four) | has(other, Class::FourPlus)) << 6
        | (has(other, Class::DoubleThree) | has(other, Class::Three) | has(other, Class::ThreePlus)) << 7
}

/// Bonus of each threat situation for the side to move.
pub fn threat_table() -> [i16; THREATS] {
    std::array::from_fn(|index| {
        let bit = |n: usize| (index >> n & 1) as i16;
        bit(0) * 350 + bit(2) * 120 * (1 - bit(4)) + bit(3) * 30 - bit(4) * 120 - bit(5) * 60 - bit(7) * 10
    })
}
