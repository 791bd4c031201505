//! A cache of plays per lane and rack.

use crate::engine::movegen::{MoveGenerator, Rack};
use crate::rules::{ANY, Orientation, Play, TileBoard};
use lexicon::{Tile, WalkArc};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Identity hasher: keys are already mixed.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(b as u64);
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

pub(super) const K: u64 = 0x9E37_79B9_7F4A_7C15;

#[inline(always)]
pub(super) fn mix(h: u64, x: u64) -> u64 {
    let h = (h ^ x).wrapping_mul(K);
    h ^ h >> 29
}

/// A rack packed into an integer.
pub(super) fn rack_key(rack: &[Tile]) -> u64 {
    rack.iter().fold(rack.len() as u64, |k, &t| k << 6 | t as u64)
}

/// The plays of every lane seen so far.
pub(super) struct LaneCache {
    known: HashMap<u64, (u32, u32), BuildHasherDefault<Mixed>>,
    plays: Vec<Play>,
}

/// The cache is cleared above this number of plays.
const MOST_PLAYS: usize = 4_000_000;

impl LaneCache {
    pub(super) fn new() -> Self {
        Self { known: HashMap::default(), plays: Vec::new() }
    }

    /// Appends all plays of a position to `into`.
    pub(super) fn all<A: WalkArc>(
        &mut self,
        generator: &MoveGenerator<'_, A>,
        board: &TileBoard,
        rack: &Rack,
        into: &mut Vec<Play>,
    ) {
        if self.plays.len() > MOST_PLAYS {
            self.known.clear();
            self.plays.clear();
        }
        // the rack is mixed first so that later terms cannot cancel it
        let rack_key = mix(K, rack_key(rack.tiles()));
        let side = board.side();
        for direction in Orientation::BOTH {
            let lanes = board.lanes(direction);
            for lane in 0..side {
                let range = lane * side..(lane + 1) * side;
                let tiles = &lanes.tiles[range.clone()];
                let cross = &lanes.cross_set[range.clone()];
                let scores = &lanes.cross_score[range];
                let mut hash = mix(rack_key, (lane as u64) << 1 | direction as u64);
                let mut active = false;
                for i in 0..side {
                    let x = if tiles[i] != 0 {
                        active = true;
                        0x8000_0000_0000_0000 | tiles[i] as u64
                    } else if cross[i] != ANY {
                        active = true;
                        cross[i] ^ (scores[i] as u64) << 48
                    } else {
                        0
                    };
                    hash = mix(hash, x);
                }
                if !active {
                    continue;
                }
                let (from, to) = match self.known.get(&hash) {
                    Some(&found) => found,
                    None => {
                        let from = self.plays.len() as u32;
                        generator.lane(board, rack, direction, lane, &mut self.plays);
                        let found = (from, self.plays.len() as u32);
                        self.known.insert(hash, found);
                        found
                    }
                };
                into.extend_from_slice(&self.plays[from as usize..to as usize]);
            }
        }
    }
}
