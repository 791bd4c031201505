//! Line windows and their numbers: nine cells, the middle included, mirror images alike.

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

/// Numbers of packed windows.
pub struct Windows {
    /// Packed window seen from black → number; `u16::MAX` if it cannot occur.
    pub black: Vec<u16>,
    /// The same seen from white.
    pub white: Vec<u16>,
    /// Window → pair of shapes.
    pub pair: Vec<u16>,
}

/// The numbering, built at first use.
pub fn windows() -> &'static Windows {
    static BUILT: OnceLock<Windows> = OnceLock::new();
    BUILT.get_or_init(build)
}

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

fn number(key: u32) -> Option<usize> {
    let cell = |place: usize| key >> (2 * place) & 3;
    let middle = cell(REACH);
    if middle == EDGE {
        return None;
    }
    let left = half(std::array::from_fn(|i| cell(REACH - 1 - i)))?;
    let right = half(std::array::from_fn(|i| cell(REACH + 1 + i)))?;
    let (low, high) = if left < right { (left, right) } else { (right, left) };
    Some(middle as usize * (HALF * (HALF + 1) / 2) + high * (high + 1) / 2 + low)
}

fn build() -> Windows {
    let keys = 1u32 << KEY_BITS;
    let mut classifier = Classifier::new(FiveRule::AtLeast, REACH);
    let mut pair = vec![0u16; WINDOWS];
    let swap = |key: u32| (key & 0x5555_5555) << 1 | key >> 1 & 0x5555_5555;
    let mut black = vec![u16::MAX; keys as usize];
    for key in 0..keys {
        if let Some(n) = number(key) {
            black[key as usize] = n as u16;
            let sides = (key & 0xFF) | (key >> 10) << 8;
            let middle = key >> (2 * REACH) & 3;
            let own = if middle == OTHER { Shape::Dead } else { classifier.shape(sides) };
            let other = if middle == OWN { Shape::Dead } else { classifier.shape(swap(sides)) };
            debug_assert!(middle <= OTHER && EMPTY == 0);
            pair[n] = (middle as usize * 225 + own as usize * 15 + other as usize) as u16;
        }
    }
    let white = (0..keys).map(|key| black[swap(key) as usize]).collect();
    Windows { black, white, pair }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_window_has_a_number_and_mirrors_share_it() {
        let windows = windows();
        let mut seen = vec![false; WINDOWS];
        for key in 0..1u32 << KEY_BITS {
            let n = windows.black[key as usize];
            if n == u16::MAX {
                continue;
            }
            seen[n as usize] = true;
            let mirrored = (0..9).fold(0, |m, place| m | (key >> (2 * place) & 3) << (2 * (8 - place)));
            assert_eq!(windows.black[mirrored as usize], n);
        }
        assert!(seen.iter().all(|&s| s));
    }
}
