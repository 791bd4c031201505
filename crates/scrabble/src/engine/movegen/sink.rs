//! Complete words of the search: blank placements, and the sinks that receive the plays.

use super::rack::{MAX_RACK, Rack};
use super::search::State;
use crate::rules::{MAX_SIDE, Play};
use lexicon::Tile;

/// The best play found and its equity in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    pub play: Play,
    pub equity: i32,
    /// The rack slots that are kept.
    pub kept: usize,
}

/// Receives plays and decides which branches are searched.
pub(super) trait PlaySink {
    /// Whether bounds are used.
    const BOUNDED: bool;
    /// Whether a branch with this bound can still contribute.
    fn wants(&self, bound: i32) -> bool;
    /// Whether any play of this word can contribute; `score` is its score without blanks.
    fn wants_word(&self, score: i32, laid: usize) -> bool;
    /// Takes a play: `base` with another score, and with blanks on these squares of its word; `used` are the slots
    /// used, for sinks that are bounded.
    fn play(&mut self, base: &Play, score: i32, blanks: &[u8], used: usize);
}

/// A word spelled out on the board.
pub(super) struct Spelled<'s> {
    pub state: &'s State<'s>,
    pub start: usize,
    pub end: usize,
    /// What it scores without blanks.
    pub score: i32,
    /// The product of its word premiums.
    pub multiplier: i32,
}

/// For every number of tiles laid, all subsets in order of size, and the number of subsets up to each size.
struct Choices {
    sets: [[u8; 1 << MAX_RACK]; MAX_RACK + 1],
    up_to: [[u8; MAX_RACK + 1]; MAX_RACK + 1],
}

const CHOICES: Choices = {
    let mut choices = Choices { sets: [[0; 1 << MAX_RACK]; MAX_RACK + 1], up_to: [[0; MAX_RACK + 1]; MAX_RACK + 1] };
    let mut laid = 0;
    while laid <= MAX_RACK {
        let (mut size, mut count) = (0, 0);
        while size <= MAX_RACK {
            let mut set = 0u32;
            while set < 1 << laid {
                if set.count_ones() == size as u32 {
                    choices.sets[laid][count] = set as u8;
                    count += 1;
                }
                set += 1;
            }
            choices.up_to[laid][size] = count as u8;
            size += 1;
        }
        laid += 1;
    }
    choices
};
static ALL_CHOICES: Choices = CHOICES;

impl Choices {
    /// The choices of more than `least` and at most `most` of the tiles laid.
    fn of_more(&self, laid: usize, least: usize, most: usize) -> &[u8] {
        &self.sets[laid][self.up_to[laid][least] as usize..self.up_to[laid][most] as usize]
    }
}

/// The tiles of a word that the rack has: each of them may be a blank instead.
#[derive(Default)]
pub(super) struct Owned {
    count: usize,
    letters: [Tile; MAX_RACK + 1],
    /// Where in the word they lie.
    offsets: [u8; MAX_RACK + 1],
    /// What the word loses when the tile is a blank.
    loss: [i32; MAX_RACK + 1],
}

impl Owned {
    /// The tiles of the same letter as tile `order`, as a bit set.
    fn same(&self, order: usize) -> u8 {
        let same = |&i: &usize| self.letters[i] == self.letters[order];
        (0..self.count).filter(same).fold(0, |set, i| set | 1 << i)
    }

    /// Letters of which the rack has too few, so that some of them must be blanks: which tiles, and how many it has.
    fn scarce(&self, rack: &Rack) -> ([(u8, u32); MAX_RACK], usize) {
        let (mut scarce, mut count) = ([(0, 0); MAX_RACK], 0);
        for order in 0..self.count {
            let (same, has) = (self.same(order), rack.counts[self.letters[order] as usize & 63] as u32);
            if same.count_ones() > has && same.trailing_zeros() as usize == order {
                scarce[count] = (same, has);
                count += 1;
            }
        }
        (scarce, count)
    }

    /// The rack slots used when `blanks` blanks are laid and the `chosen` tiles are among them.
    fn used(&self, rack: &Rack, chosen: u8, blanks: u32) -> usize {
        let mut used = (1usize << blanks) - 1;
        for order in (0..self.count).filter(|order| chosen >> order & 1 == 0) {
            let before = (self.same(order) & !chosen & ((1 << order) - 1)).count_ones();
            used |= 1 << (rack.first_slot[self.letters[order] as usize & 63] as u32 + before);
        }
        used
    }
}

impl Spelled<'_> {
    /// The play without blanks.
    #[inline(always)]
    pub(super) fn build(&self) -> Play {
        let state = self.state;
        let mut word = [0; MAX_SIDE];
        word.copy_from_slice(&state.placed[self.start..self.start + MAX_SIDE]);
        Play::from_parts(
            state.direction,
            state.lane_number,
            self.start as u8 - 1,
            (self.end + 1 - self.start) as u8,
            state.laid as u8,
            self.score as i16,
            word,
        )
    }

    /// Emits the word with every placement of blanks: any tile may be a blank as long as the rack has the others.
    /// `blanks_laid` is the minimum number of blanks.
    #[inline(never)]
    pub(super) fn emit_blank_placements<S: PlaySink>(&self, values: &[i32; 64], blanks_laid: u32, sink: &mut S) {
        let (rack, lane) = (self.state.rack, &self.state.lane);
        let mut play = self.build();
        let laid = lane.empty & u32::MAX << self.start & u32::MAX >> (31 - self.end);
        let loss = |at: usize| {
            let letter = self.state.placed[at];
            values[letter as usize & 63] * lane.letter[at] * (self.multiplier + lane.across[at])
        };
        // letters the rack has none of are blanks in any case
        let (mut blanks, mut forced, mut score, mut others) = ([0; MAX_RACK + 1], 0, self.score, laid);
        let mut rest = laid;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize & 31;
            rest &= rest - 1;
            if rack.letters >> self.state.placed[at] & 1 == 0 {
                blanks[forced & MAX_RACK] = (at - self.start) as u8;
                score -= loss(at);
                forced += 1;
                others ^= 1 << at;
            }
        }
        let forced = forced as u32;
        if !S::BOUNDED && forced == rack.counts[0] as u32 {
            sink.play(&play, score, &blanks[..forced as usize & MAX_RACK], 0);
            return;
        }
        blanks[..forced as usize & MAX_RACK].iter().for_each(|&offset| play.make_blank(offset));
        let mut owned = Owned::default();
        while others != 0 {
            let at = others.trailing_zeros() as usize & 31;
            others &= others - 1;
            let order = owned.count & 7;
            owned.letters[order] = self.state.placed[at];
            owned.offsets[order] = (at - self.start) as u8;
            owned.loss[order] = loss(at);
            owned.count += 1;
        }
        let free = rack.counts[0] as u32 - forced;
        let (scarce, scarces) = if blanks_laid > forced { owned.scarce(rack) } else { Default::default() };
        let mut hand = |chosen: u8, loss: i32, blanks: &[u8]| {
            if scarces > 0 && scarce[..scarces].iter().any(|&(same, has)| (same & !chosen).count_ones() > has) {
                return;
            }
            let used = if S::BOUNDED { owned.used(rack, chosen, forced + chosen.count_ones()) } else { 0 };
            sink.play(&play, score - loss, blanks, used);
        };
        // sets have two blanks as a rule: up to that many are chosen without looking at bits
        hand(0, 0, &[]);
        if free >= 1 {
            for i in 0..owned.count & 7 {
                hand(1 << i, owned.loss[i], &[owned.offsets[i]]);
            }
        }
        if free >= 2 {
            for j in 1..owned.count & 7 {
                let (loss, offset) = (owned.loss[j], owned.offsets[j]);
                for i in 0..j {
                    hand(1 << i | 1 << j, owned.loss[i] + loss, &[owned.offsets[i], offset]);
                }
            }
        }
        if free >= 3 {
            for &chosen in ALL_CHOICES.of_more(owned.count & 7, 2, free as usize & 7) {
                let (mut blanks, mut count, mut loss) = ([0; MAX_RACK], 0, 0);
                for i in (0..owned.count & 7).filter(|i| chosen >> i & 1 == 1) {
                    blanks[count] = owned.offsets[i];
                    loss += owned.loss[i];
                    count += 1;
                }
                hand(chosen, loss, &blanks[..count]);
            }
        }
    }
}

/// Keeps the best play.
pub(super) struct BestSink<'r> {
    best: Option<Best>,
    threshold: i32,
    rack: &'r Rack,
    full: usize,
    /// Best leave value after laying this many tiles.
    keep_after: &'r [i32; MAX_RACK + 1],
}

impl<'r> BestSink<'r> {
    pub(super) fn new(rack: &'r Rack, keep_after: &'r [i32; MAX_RACK + 1]) -> Self {
        Self { best: None, threshold: i32::MAX, rack, full: (1usize << rack.len()) - 1, keep_after }
    }

    /// Begins anew: only plays above `threshold` count.
    pub(super) fn begin(&mut self, threshold: i32) {
        self.threshold = threshold;
        self.best = None;
    }

    /// The best play since the beginning.
    pub(super) fn best(&self) -> Option<Best> {
        self.best
    }
}

impl PlaySink for BestSink<'_> {
    const BOUNDED: bool = true;
    #[inline(always)]
    fn wants(&self, bound: i32) -> bool {
        bound > self.threshold
    }
    #[inline(always)]
    fn wants_word(&self, score: i32, laid: usize) -> bool {
        score * 1000 + self.keep_after[laid & MAX_RACK] > self.threshold
    }
    #[inline(always)]
    fn play(&mut self, base: &Play, score: i32, blanks: &[u8], used: usize) {
        let kept = self.full & !used;
        let equity = score * 1000 + self.rack.keep_value(kept & ((1 << MAX_RACK) - 1));
        if equity > self.threshold {
            self.threshold = equity;
            let mut play = *base;
            play.score = score as i16;
            blanks.iter().for_each(|&offset| play.make_blank(offset));
            self.best = Some(Best { play, equity, kept });
        }
    }
}

/// Keeps all plays.
pub(super) struct AllSink<'v>(pub &'v mut Vec<Play>);

impl PlaySink for AllSink<'_> {
    const BOUNDED: bool = false;
    #[inline(always)]
    fn wants(&self, _: i32) -> bool {
        true
    }
    #[inline(always)]
    fn wants_word(&self, _: i32, _: usize) -> bool {
        true
    }
    #[inline(always)]
    fn play(&mut self, base: &Play, score: i32, blanks: &[u8], _: usize) {
        // blanks are marked in place: copying a play right after a byte store stalls on store forwarding
        self.0.push(*base);
        if let Some(play) = self.0.last_mut() {
            play.score = score as i16;
            blanks.iter().for_each(|&offset| play.make_blank(offset));
        }
    }
}
