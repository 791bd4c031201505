//! Line windows and their indices: nine cells, the middle included; mirror images share an index.

use std::sync::OnceLock;

use crate::engine::shape::{Classifier, EDGE, EMPTY, FiveRule, OTHER, OWN, Shape};

/// Cells on each side of the middle.
pub const REACH: usize = 4;
/// Bits of a packed window, the middle included.
pub const KEY_BITS: usize = 2 * (2 * REACH + 1);
/// States of one side of a window: up to four cells of three kinds before the edge.
const HALF: usize = 1 + 3 + 9 + 27 + 81;
/// Different windows: the middle is empty, own or the opponent's.
pub const WINDOWS: usize = 3 * HALF * (HALF + 1) / 2;
/// Different pairs of shapes with the middle's state.
pub const SHAPE_PAIRS: usize = 3 * 15 * 15;

/// Windows with one kind of middle.
const BY_MIDDLE: usize = HALF * (HALF + 1) / 2;
/// Ways to pack one side of a window.
const SIDES: usize = 1 << (2 * REACH);

/// Packed window → index, as one colour sees it.
///
/// The index is computed from the codes of both sides instead of being looked up as a whole: the codes stay in the L1
/// cache, a table of all windows would not.
pub struct WindowIndexer {
    /// Code of the cells before the middle, and of those after it; of the middle.
    before: [u8; SIDES],
    after: [u8; SIDES],
    middle: [u16; 4],
    /// First index of the windows whose larger code is this one.
    rows: [u16; HALF],
}

impl WindowIndexer {
    /// The index of a window that can occur on a board.
    #[inline(always)]
    pub fn number(&self, key: u32) -> usize {
        let before = self.before[key as usize & (SIDES - 1)];
        let after = self.after[(key >> (2 * REACH + 2)) as usize & (SIDES - 1)];
        let (low, high) = if before < after { (before, after) } else { (after, before) };
        let middle = self.middle[(key >> (2 * REACH)) as usize & 3];
        (middle + self.rows[usize::from(high)] + u16::from(low)) as usize
    }
}

/// Indices of packed windows.
pub struct Windows {
    pub black: WindowIndexer,
    pub white: WindowIndexer,
    /// Window → pair of shapes.
    pub pair: Vec<u16>,
}

/// The indices, built at first use.
pub fn windows() -> &'static Windows {
    static BUILT: OnceLock<Windows> = OnceLock::new();
    BUILT.get_or_init(build)
}

/// The code of one side, from the middle outwards; none if stones lie beyond the edge.
fn half(cells: [u32; REACH]) -> Option<usize> {
    let mut offset = 0;
    let mut code = 0;
    let mut power = 1;
    for (i, &cell) in cells.iter().enumerate() {
        if cell == EDGE {
            return cells[i..].iter().all(|&c| c == EDGE).then_some(offset + code);
        }
        offset += power;
        code += power * cell as usize;
        power *= 3;
    }
    Some(offset + code)
}

/// The window with colours swapped.
fn swap(key: u32) -> u32 {
    (key & 0x5555_5555) << 1 | key >> 1 & 0x5555_5555
}

fn indexer(seen: impl Fn(u32) -> u32) -> WindowIndexer {
    let cell = |side: usize, place: usize| seen(side as u32) >> (2 * place) & 3;
    // sides that cannot occur are never looked up
    let code = |cells: [u32; REACH]| half(cells).unwrap_or(0) as u8;
    WindowIndexer {
        before: std::array::from_fn(|side| code(std::array::from_fn(|i| cell(side, REACH - 1 - i)))),
        after: std::array::from_fn(|side| code(std::array::from_fn(|i| cell(side, i)))),
        middle: std::array::from_fn(|middle| (seen(middle as u32).min(OTHER) as usize * BY_MIDDLE) as u16),
        rows: std::array::from_fn(|high| (high * (high + 1) / 2) as u16),
    }
}

/// Whether a packed window can occur: the middle is on the board, and beyond the edge there are no stones.
fn occurs(key: u32) -> bool {
    let cell = |place: usize| key >> (2 * place) & 3;
    cell(REACH) != EDGE
        && half(std::array::from_fn(|i| cell(REACH - 1 - i))).is_some()
        && half(std::array::from_fn(|i| cell(REACH + 1 + i))).is_some()
}

fn build() -> Windows {
    // an edge stays an edge
    let (black, white) = (indexer(|key| key), indexer(swap));
    let mut classifier = Classifier::new(FiveRule::AtLeast, REACH);
    let mut pair = vec![0u16; WINDOWS];
    for key in (0..1u32 << KEY_BITS).filter(|&key| occurs(key)) {
        let sides = (key & 0xFF) | (key >> 10) << 8;
        let middle = key >> (2 * REACH) & 3;
        let own = if middle == OTHER { Shape::Dead } else { classifier.shape(sides) };
        let other = if middle == OWN { Shape::Dead } else { classifier.shape(swap(sides)) };
        debug_assert!(middle <= OTHER && EMPTY == 0);
        pair[black.number(key)] = (middle as usize * 225 + own as usize * 15 + other as usize) as u16;
    }
    Windows { black, white, pair }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_has_a_number_and_mirrors_share_it() {
        let windows = windows();
        let mut seen = vec![Vec::new(); WINDOWS];
        for key in (0..1u32 << KEY_BITS).filter(|&key| occurs(key)) {
            let n = windows.black.number(key);
            seen[n].push(key);
            let mirrored = (0..9).fold(0, |m, place| m | (key >> (2 * place) & 3) << (2 * (8 - place)));
            assert_eq!(windows.black.number(mirrored), n);
            assert_eq!(windows.white.number(swap(key)), n);
        }
        // nothing but mirror images share a number
        assert!(seen.iter().all(|keys| (1..=2).contains(&keys.len())));
    }
}
