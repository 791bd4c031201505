//! Upper bounds for the plays from an anchor, without searching the lexicon (the shadow pass).
//!
//! For every window of `l` tiles left and `r` tiles right of an anchor, the rack's highest-value tiles go on the best
//! premiums. Open squares differ only in their letter premium, so the best sum is a few look-ups in prefix sums of the
//! sorted tile values; squares with a cross-set take the highest-value tile that fits. Where no tile on the board
//! takes part, only tile sets that spell a word count.

use super::rack::{MAX_RACK, Rack};
use super::search::{Anchor, Lane};
use crate::rules::{ANY, BLANK};
use lexicon::{Tile, WalkArc, WalkGraph};

/// The bound where no play is possible.
pub(super) const NO_PLAY: i32 = i32::MIN / 4;

/// Bounds of one anchor, in thousandths of a point.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub best: i32,
    /// Best over at least this many tiles left of the anchor.
    pub left: [i32; MAX_RACK + 1],
    /// For a number of tiles left: best over at least this many tiles right of the anchor.
    pub right: [[i32; MAX_RACK + 1]; MAX_RACK + 1],
}

impl Default for Bounds {
    fn default() -> Self {
        Self { best: NO_PLAY, left: [NO_PLAY; MAX_RACK + 1], right: [[NO_PLAY; MAX_RACK + 1]; MAX_RACK + 1] }
    }
}

/// Rack data the bounds need.
pub(super) struct RackBound<'r> {
    rack: &'r Rack,
    values: &'r [i32; 64],
    /// Sum of the n highest tile values.
    top_values: [i32; MAX_RACK + 1],
    /// Distinct letters by descending value.
    by_value: [Tile; MAX_RACK],
    distinct: usize,
    /// Best leave value after laying this many tiles.
    pub keep_after: [i32; MAX_RACK + 1],
    /// The same when the laid tiles alone must spell a word; [`NO_PLAY`] where none do.
    keep_after_word: [i32; MAX_RACK + 1],
    full_rack: usize,
}

/// A window as it grows.
#[derive(Clone, Copy)]
struct Window {
    tiles: usize,
    through: i32,
    through_squares: usize,
    multiplier: i32,
    /// Open squares whose letter premium is at least 1, 2, 3, 4.
    at_least: [usize; 4],
    closed_main: i32,
    closed_across: i32,
    length: usize,
}

impl<'r> RackBound<'r> {
    pub(super) fn new<A: WalkArc>(
        rack: &'r Rack,
        values: &'r [i32; 64],
        full_rack: usize,
        graph: &WalkGraph<A>,
    ) -> Self {
        let mut sorted_values = [0; MAX_RACK];
        for (to, &tile) in sorted_values.iter_mut().zip(rack.tiles()) {
            *to = values[tile as usize & 63];
        }
        sorted_values[..rack.len()].sort_unstable_by_key(|&v| -v);
        let mut top_values = [0; MAX_RACK + 1];
        for n in 0..MAX_RACK {
            top_values[n + 1] = top_values[n] + if n < rack.len() { sorted_values[n] } else { 0 };
        }
        let mut by_value = [0; MAX_RACK];
        let mut distinct = 0;
        let mut rest = rack.letters;
        while rest != 0 {
            by_value[distinct] = rest.trailing_zeros() as Tile;
            distinct += 1;
            rest &= rest - 1;
        }
        by_value[..distinct].sort_unstable_by_key(|&t| -values[t as usize & 63]);
        let best = rack.best_keep();
        let mut keep_after = [NO_PLAY; MAX_RACK + 1];
        for laid in 0..=rack.len() {
            keep_after[laid] = best[rack.len() - laid];
        }
        let keep_after_word = if rack.counts[0] == 0 {
            let mut spell = WordSpeller {
                graph,
                rack,
                counts: rack.counts,
                letters: rack.letters,
                used: 0,
                best: [NO_PLAY; MAX_RACK + 1],
            };
            spell.from(graph.dawg(), 0);
            spell.best
        } else {
            keep_after
        };
        Self { rack, values, top_values, by_value, distinct, keep_after, keep_after_word, full_rack }
    }

    /// Bounds for all plays from an anchor.
    pub(super) fn anchor_bounds(&self, lane: &Lane, anchor: Anchor, side: usize) -> Bounds {
        let mut bounds = Bounds::default();
        let mut window = Window {
            tiles: 0,
            through: 0,
            through_squares: 0,
            multiplier: 1,
            at_least: [0; 4],
            closed_main: 0,
            closed_across: 0,
            length: 0,
        };
        if anchor.laid == 1 {
            if !self.lay(lane, anchor.first, &mut window) {
                return bounds;
            }
        } else {
            (anchor.first..=anchor.last).for_each(|at| self.through(lane, at, &mut window));
        }
        let mut first = anchor.first;
        for lefts in 0..=self.rack.len() - anchor.laid {
            while lane.tiles[first - 1] != 0 {
                first -= 1;
                self.through(lane, first, &mut window);
            }
            let mut wide = window;
            let mut last = anchor.last;
            for rights in 0..=self.rack.len() - anchor.laid - lefts {
                if rights > 0 {
                    last += 1;
                    if last > side || !self.lay(lane, last, &mut wide) {
                        break;
                    }
                }
                while lane.tiles[last + 1] != 0 {
                    last += 1;
                    self.through(lane, last, &mut wide);
                }
                bounds.right[lefts][rights] = self.value(&wide);
            }
            let row = &mut bounds.right[lefts];
            for rights in (0..MAX_RACK).rev() {
                row[rights] = row[rights].max(row[rights + 1]);
            }
            bounds.left[lefts] = row[0];
            if first <= anchor.limit || !self.lay(lane, first - 1, &mut window) {
                break;
            }
            first -= 1;
        }
        for lefts in (0..MAX_RACK).rev() {
            bounds.left[lefts] = bounds.left[lefts].max(bounds.left[lefts + 1]);
        }
        bounds.best = bounds.left[0];
        bounds
    }

    #[inline(always)]
    fn through(&self, lane: &Lane, at: usize, window: &mut Window) {
        let tile = lane.tiles[at];
        if tile & BLANK == 0 {
            window.through += self.values[tile as usize & 63];
        }
        window.through_squares += 1;
        window.length += 1;
    }

    /// Puts some tile on an empty square; false when none fits.
    #[inline(always)]
    fn lay(&self, lane: &Lane, at: usize, window: &mut Window) -> bool {
        let set = lane.cross_set[at];
        let premium = lane.letter[at];
        if set == ANY {
            for (i, count) in window.at_least.iter_mut().enumerate() {
                *count += (premium > i as i32) as usize;
            }
        } else {
            let fits = |&&tile: &&Tile| set >> tile & 1 == 1;
            let value = match self.by_value[..self.distinct].iter().find(fits) {
                Some(&tile) => self.values[tile as usize & 63],
                None if self.rack.counts[0] > 0 && set != 0 => 0,
                None => return false,
            };
            window.closed_main += value * premium;
            window.closed_across += (value * premium + lane.cross_score[at]) * lane.word[at];
        }
        window.multiplier *= lane.word[at];
        window.tiles += 1;
        window.length += 1;
        true
    }

    #[inline(always)]
    fn value(&self, window: &Window) -> i32 {
        if window.length < 2 || window.tiles == 0 {
            return NO_PLAY;
        }
        let open: i32 = window.at_least.iter().map(|&n| self.top_values[n]).sum();
        let mut score = window.multiplier * (window.through + open + window.closed_main) + window.closed_across;
        if window.tiles == self.full_rack {
            score += 50;
        }
        let keep = if window.through_squares == 0 { &self.keep_after_word } else { &self.keep_after };
        score * 1000 + keep[window.tiles]
    }
}

/// Finds which subsets of a rack spell words, and the best leave value of each size.
struct WordSpeller<'s, A> {
    graph: &'s WalkGraph<A>,
    rack: &'s Rack,
    counts: [u8; 64],
    letters: u64,
    used: usize,
    best: [i32; MAX_RACK + 1],
}

impl<A: WalkArc> WordSpeller<'_, A> {
    fn from(&mut self, arc: A, laid: usize) {
        let mut fits = arc.follows() & self.letters;
        while fits != 0 {
            let tile = fits.trailing_zeros() as usize & 63;
            fits &= fits - 1;
            let bit = 1 << (self.rack.first_slot[tile] + self.rack.counts[tile] - self.counts[tile]);
            let letters = self.letters;
            self.counts[tile] -= 1;
            if self.counts[tile] == 0 {
                self.letters &= !(1 << tile);
            }
            self.used |= bit;
            let next = self.graph.child(arc, tile as Tile);
            if next.accepts() {
                let full = (1usize << self.rack.len()) - 1;
                let keep = self.rack.keep[full & !self.used];
                self.best[laid + 1] = self.best[laid + 1].max(keep);
            }
            self.from(next, laid + 1);
            self.used &= !bit;
            self.letters = letters;
            self.counts[tile] += 1;
        }
    }
}
