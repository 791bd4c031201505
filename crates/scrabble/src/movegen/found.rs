//! Words the search has spelled out: where blanks may stand in them, and who receives the plays.

use super::rack::{MAX_RACK, Rack};
use super::search::State;
use crate::rules::{BLANK, MAX_SIDE, Play};
use lexicon::Tile;

/// The best play found and its equity in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    pub play: Play,
    pub equity: i32,
    /// The rack slots that are kept.
    pub kept: usize,
}

/// Where plays go, and which branches are worth following.
pub(super) trait Sink {
    /// Whether bounds are wanted at all.
    const BOUNDED: bool;
    /// Whether a branch with this bound may still matter.
    fn wants(&self, bound: i32) -> bool;
    /// Whether any play of this word may matter; `score` is what it scores without blanks.
    fn wants_word(&self, score: i32, laid: usize) -> bool;
    /// Takes a play: `used` are the slots used, `blanks` the squares of tiles that are blanks.
    fn play(&mut self, word: &Spelled<'_>, score: i32, used: usize, blanks: &[u8]);
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

/// For every number of tiles laid, all choices of some of them, the smaller choices first, and how many choices have
/// at most so many tiles.
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

/// The tiles a word lays, in order.
struct Laid {
    squares: [u8; MAX_RACK],
    letters: [Tile; MAX_RACK],
    /// For every letter, which tiles stand for it.
    orders: [u8; 64],
    /// What the word loses when the tile is a blank.
    loss: [i32; MAX_RACK],
}

impl Spelled<'_> {
    #[inline(always)]
    fn build(&self, score: i32, blanks: &[u8]) -> Play {
        let state = self.state;
        let mut word = [0; MAX_SIDE];
        word.copy_from_slice(&state.placed[self.start..self.start + MAX_SIDE]);
        for &square in blanks {
            word[square as usize - self.start] |= BLANK;
        }
        Play::from_parts(
            state.direction,
            state.lane_number,
            self.start as u8 - 1,
            (self.end + 1 - self.start) as u8,
            state.laid as u8,
            score as i16,
            word,
        )
    }

    fn laid(&self, values: &[i32; 64]) -> Laid {
        let lane = &self.state.lane;
        let mut laid = Laid { squares: [0; MAX_RACK], letters: [0; MAX_RACK], orders: [0; 64], loss: [0; MAX_RACK] };
        let mut order = 0;
        for at in self.start..=self.end {
            if lane.tiles[at] != 0 {
                continue;
            }
            let letter = self.state.placed[at];
            laid.squares[order] = at as u8;
            laid.letters[order] = letter;
            laid.orders[letter as usize & 63] |= 1 << order;
            laid.loss[order] = values[letter as usize & 63] * lane.letter[at] * (self.multiplier + lane.across[at]);
            order += 1;
        }
        laid
    }

    /// Hands over every way to use blanks for the word: any of the tiles may be one as long as the rack has the others.
    pub(super) fn hand_over<S: Sink>(&self, values: &[i32; 64], sink: &mut S) {
        let rack = self.state.rack;
        let laid = self.laid(values);
        let count = self.state.laid;
        // letters the rack has none of are blanks in any case, of others some may have to be
        let (mut forced, mut scarce, mut scarces) = (0u8, [(0u8, 0u8); MAX_RACK], 0);
        for order in 0..count {
            let letter = laid.letters[order] as usize & 63;
            let (has, same) = (rack.counts[letter], laid.orders[letter]);
            if has == 0 {
                forced |= 1 << order;
            } else if same.count_ones() as u8 > has && same.trailing_zeros() as usize == order {
                scarce[scarces] = (same, has);
                scarces += 1;
            }
        }
        let free = (rack.counts[0] as u32 - forced.count_ones()) as usize;
        let choices = ALL_CHOICES.up_to[count][free] as usize;
        for &chosen in &ALL_CHOICES.sets[count][..choices] {
            let blanks = chosen | forced;
            let lacks = |&(same, has): &(u8, u8)| (same & !blanks).count_ones() as u8 > has;
            if chosen & forced != 0 || scarce[..scarces].iter().any(lacks) {
                continue;
            }
            let (mut score, mut squares, mut number) = (self.score, [0; MAX_RACK], 0);
            let mut rest = blanks;
            while rest != 0 {
                let order = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                score -= laid.loss[order];
                squares[number] = laid.squares[order];
                number += 1;
            }
            let used = if S::BOUNDED { self.used(&laid, blanks) } else { 0 };
            sink.play(self, score, used, &squares[..number]);
        }
    }

    /// The rack slots used when these tiles are blanks.
    fn used(&self, laid: &Laid, blanks: u8) -> usize {
        let mut used = (1usize << blanks.count_ones()) - 1;
        for order in (0..self.state.laid).filter(|order| blanks >> order & 1 == 0) {
            let letter = laid.letters[order] as usize & 63;
            let before = (laid.orders[letter] & !blanks & ((1 << order) - 1)).count_ones();
            used |= 1 << (self.state.rack.first_slot[letter] as u32 + before);
        }
        used
    }
}

/// Keeps the best play.
pub(super) struct BestSink<'r> {
    best: Option<Best>,
    threshold: i32,
    rack: &'r Rack,
    full: usize,
    /// The most that keeping so many tiles can be worth.
    best_keep: [i32; MAX_RACK + 1],
}

impl<'r> BestSink<'r> {
    /// Only plays above `floor` count.
    pub(super) fn new(rack: &'r Rack, floor: i32) -> Self {
        let full = (1usize << rack.len()) - 1;
        Self { best: None, threshold: floor, rack, full, best_keep: rack.best_keep() }
    }

    pub(super) fn into_best(self) -> Option<Best> {
        self.best
    }
}

impl Sink for BestSink<'_> {
    const BOUNDED: bool = true;
    #[inline(always)]
    fn wants(&self, bound: i32) -> bool {
        bound > self.threshold
    }
    #[inline(always)]
    fn wants_word(&self, score: i32, laid: usize) -> bool {
        score * 1000 + self.best_keep[self.rack.len() - laid] > self.threshold
    }
    #[inline(always)]
    fn play(&mut self, word: &Spelled<'_>, score: i32, used: usize, blanks: &[u8]) {
        let kept = self.full & !used;
        let equity = score * 1000 + self.rack.keep_value(kept & ((1 << MAX_RACK) - 1));
        if equity > self.threshold {
            self.threshold = equity;
            self.best = Some(Best { play: word.build(score, blanks), equity, kept });
        }
    }
}

/// Keeps all plays.
pub(super) struct AllSink<'v>(pub &'v mut Vec<Play>);

impl Sink for AllSink<'_> {
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
    fn play(&mut self, word: &Spelled<'_>, score: i32, _: usize, blanks: &[u8]) {
        self.0.push(word.build(score, blanks));
    }
}
