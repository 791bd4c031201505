//! The search from a core: leftwards, turn, rightwards.

use super::bound::Bounds;
use super::rack::{MAX_RACK, Rack};
use crate::rules::{ANY, BLANK, Board, Direction, Layout, MAX_SIDE, Play};
use lexicon::{Tile, WalkArc, WalkGraph};

/// Squares of a lane with one empty square of margin on each side.
pub(super) const LANE: usize = MAX_SIDE + 3;

/// One lane of the board, unpacked; square `i` of the board is entry `i + 1`.
#[derive(Clone)]
pub(super) struct Lane {
    pub tiles: [u8; LANE],
    pub cross_set: [u64; LANE],
    pub cross_score: [i32; LANE],
    pub letter: [i32; LANE],
    pub word: [i32; LANE],
}

/// Layout premiums per lane in both directions, and tile values: what does not change during a game.
pub struct Generator<'a, A> {
    graph: &'a WalkGraph<A>,
    values: &'a [i32; 64],
    layout: &'a Layout,
    premiums: [Vec<([i32; LANE], [i32; LANE])>; 2],
    full_rack: usize,
}

/// The best play found and its equity in thousandths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    pub play: Play,
    pub equity: i32,
    /// The rack slots that are kept.
    pub kept: usize,
}

/// Where a search starts: a run of tiles, or one empty square that takes a tile first.
#[derive(Clone, Copy)]
pub(super) struct Core {
    pub first: usize,
    pub last: usize,
    /// Tiles laid on it: 1 for an empty square.
    pub laid: usize,
    /// The leftmost square new tiles may take.
    pub limit: usize,
}

/// A core waiting for its search.
#[derive(Clone, Copy)]
struct Anchor {
    bound: i32,
    direction: Direction,
    lane: u8,
    core: Core,
    bounds: u16,
}

/// Where found plays go, and which branches are worth following.
trait Sink {
    /// Whether bounds are wanted at all.
    const BOUNDED: bool;
    /// Whether a branch with this bound may still matter.
    fn wants(&self, bound: i32) -> bool;
    fn play(&mut self, found: Found<'_>);
}

/// A play as the search finds it.
struct Found<'s> {
    score: i32,
    used: usize,
    keep: i32,
    start: usize,
    end: usize,
    laid: usize,
    state: &'s State<'s>,
}

impl Found<'_> {
    #[inline(always)]
    fn build(&self) -> Play {
        let mut word = [0; MAX_SIDE];
        word.copy_from_slice(&self.state.placed[self.start..self.start + MAX_SIDE]);
        Play::from_parts(
            self.state.direction,
            self.state.lane_number,
            self.start as u8 - 1,
            (self.end + 1 - self.start) as u8,
            self.laid as u8,
            self.score as i16,
            word,
        )
    }
}

struct BestSink {
    best: Option<Best>,
    threshold: i32,
    full: usize,
}

impl Sink for BestSink {
    const BOUNDED: bool = true;
    #[inline(always)]
    fn wants(&self, bound: i32) -> bool {
        bound > self.threshold
    }
    #[inline(always)]
    fn play(&mut self, found: Found<'_>) {
        let equity = found.score * 1000 + found.keep;
        if equity > self.threshold {
            self.threshold = equity;
            self.best = Some(Best { play: found.build(), equity, kept: self.full & !found.used });
        }
    }
}

struct AllSink<'v>(&'v mut Vec<Play>);

impl Sink for AllSink<'_> {
    const BOUNDED: bool = false;
    #[inline(always)]
    fn wants(&self, _: i32) -> bool {
        true
    }
    #[inline(always)]
    fn play(&mut self, found: Found<'_>) {
        self.0.push(found.build());
    }
}

/// Everything a search reads and changes.
struct State<'r> {
    lane: Lane,
    direction: Direction,
    lane_number: u8,
    core: Core,
    side: usize,
    counts: [u8; 64],
    letters: u64,
    used: usize,
    rack: &'r Rack,
    /// Tiles laid so far, by square of the lane.
    placed: [u8; LANE + MAX_SIDE],
    bounds: Bounds,
}

/// Sums along the main word.
#[derive(Clone, Copy)]
struct Sums {
    main: i32,
    multiplier: i32,
    across: i32,
}

impl<'a, A: WalkArc> Generator<'a, A> {
    /// A generator for one lexicon and board layout.
    pub fn new(graph: &'a WalkGraph<A>, values: &'a [i32; 64], layout: &'a Layout) -> Self {
        let side = layout.side();
        let lanes = |down: bool| {
            let lane = |lane: usize| {
                let (mut letter, mut word) = ([1; LANE], [1; LANE]);
                for at in 0..side {
                    let premium = layout.premium(if down { at * side + lane } else { lane * side + at });
                    letter[at + 1] = premium.letter.into();
                    word[at + 1] = premium.word.into();
                }
                (letter, word)
            };
            (0..side).map(lane).collect()
        };
        Self { graph, values, layout, premiums: [lanes(false), lanes(true)], full_rack: MAX_RACK }
    }

    /// All legal plays, each exactly once, appended to `plays`.
    pub fn all(&self, board: &Board, rack: &Rack, plays: &mut Vec<Play>) {
        let mut state = self.state(board, rack);
        let mut sink = AllSink(plays);
        for direction in Direction::BOTH {
            for lane in 0..board.side() {
                let mut loaded = false;
                self.for_cores(board, direction, lane, |core| {
                    if !loaded {
                        self.load(board, direction, lane, &mut state);
                        loaded = true;
                    }
                    self.search(&mut state, core, &mut sink);
                });
            }
        }
    }

    /// All legal plays of one lane, appended to `plays`.
    pub fn lane(&self, board: &Board, rack: &Rack, direction: Direction, lane: usize, plays: &mut Vec<Play>) {
        let mut state = self.state(board, rack);
        let mut sink = AllSink(plays);
        self.load(board, direction, lane, &mut state);
        self.for_cores(board, direction, lane, |core| self.search(&mut state, core, &mut sink));
    }

    /// The play with the highest equity (score plus worth of the tiles kept), if any exceeds `floor`.
    pub fn best(&self, board: &Board, rack: &Rack, floor: i32) -> Option<Best> {
        let mut state = self.state(board, rack);
        let full = (1usize << rack.len()) - 1;
        let mut sink = BestSink { best: None, threshold: floor, full };
        let mut anchors: Vec<Anchor> = Vec::with_capacity(128);
        let mut bounds: Vec<Bounds> = Vec::with_capacity(128);
        let shadow = super::bound::RackBound::new(rack, self.values, self.full_rack, self.graph);
        let directions = if board.placed() == 0 && self.layout.is_symmetric() { 1 } else { 2 };
        for &direction in &Direction::BOTH[..directions] {
            for lane in 0..board.side() {
                let mut loaded = false;
                self.for_cores(board, direction, lane, |core| {
                    if !loaded {
                        self.load(board, direction, lane, &mut state);
                        loaded = true;
                    }
                    let found = shadow.core(&state.lane, core, state.side);
                    if found.best > floor {
                        anchors.push(Anchor {
                            bound: found.best,
                            direction,
                            lane: lane as u8,
                            core,
                            bounds: bounds.len() as u16,
                        });
                        bounds.push(found);
                    }
                });
            }
        }
        anchors.sort_unstable_by_key(|a| std::cmp::Reverse((a.bound, a.bounds)));
        for anchor in anchors {
            if !sink.wants(anchor.bound) {
                break;
            }
            self.load(board, anchor.direction, anchor.lane as usize, &mut state);
            state.bounds = bounds[anchor.bounds as usize];
            self.search(&mut state, anchor.core, &mut sink);
        }
        sink.best
    }

    fn state<'r>(&self, board: &Board, rack: &'r Rack) -> State<'r> {
        State {
            lane: Lane {
                tiles: [0; LANE],
                cross_set: [0; LANE],
                cross_score: [0; LANE],
                letter: [1; LANE],
                word: [1; LANE],
            },
            direction: Direction::Across,
            lane_number: 0,
            core: Core { first: 1, last: 1, laid: 1, limit: 1 },
            side: board.side(),
            counts: rack.counts,
            letters: rack.letters,
            used: 0,
            rack,
            placed: [0; LANE + MAX_SIDE],
            bounds: Bounds::default(),
        }
    }

    /// Calls `f` for every starting point of a lane, from left to right, in lane coordinates (first square = 1).
    ///
    /// A play belongs to the leftmost run of tiles or square with a cross-set that it covers, so every play has
    /// exactly one starting point, and the search begins with the letters that are already fixed.
    #[inline]
    fn for_cores(&self, board: &Board, direction: Direction, lane: usize, mut f: impl FnMut(Core)) {
        let side = board.side();
        if board.placed() == 0 {
            let (row, column) = (self.layout.start() / side, self.layout.start() % side);
            let (line, at) = if direction == Direction::Across { (row, column) } else { (column, row) };
            if line == lane {
                f(Core { first: at + 1, last: at + 1, laid: 1, limit: 1 });
            }
            return;
        }
        let lanes = board.lanes(direction);
        let tiles = &lanes.tiles[lane * side..(lane + 1) * side];
        let cross = &lanes.cross_set[lane * side..(lane + 1) * side];
        let (mut limit, mut at) = (1, 0);
        while at < side {
            if tiles[at] != 0 {
                let first = at + 1;
                while at + 1 < side && tiles[at + 1] != 0 {
                    at += 1;
                }
                f(Core { first, last: at + 1, laid: 0, limit });
                // a tile right after the run would make the run part of the play
                limit = at + 3;
                at += 2;
            } else {
                if cross[at] != ANY {
                    f(Core { first: at + 1, last: at + 1, laid: 1, limit });
                    limit = at + 2;
                }
                at += 1;
            }
        }
    }

    #[inline]
    fn load(&self, board: &Board, direction: Direction, lane: usize, state: &mut State<'_>) {
        let side = board.side();
        let lanes = board.lanes(direction);
        let range = lane * side..(lane + 1) * side;
        let into = &mut state.lane;
        into.tiles[1..=side].copy_from_slice(&lanes.tiles[range.clone()]);
        into.cross_set[1..=side].copy_from_slice(&lanes.cross_set[range.clone()]);
        for (to, &from) in into.cross_score[1..=side].iter_mut().zip(&lanes.cross_score[range]) {
            *to = from.into();
        }
        let (letter, word) = &self.premiums[direction as usize][lane];
        into.letter = *letter;
        into.word = *word;
        state.direction = direction;
        state.lane_number = lane as u8;
    }

    fn search<S: Sink>(&self, state: &mut State<'_>, core: Core, sink: &mut S) {
        state.core = core;
        let mut sums = Sums { main: 0, multiplier: 1, across: 0 };
        let mut arc = self.graph.gaddag();
        if core.laid == 1 {
            self.lay(state, core.first, arc, sums, sink, |state, next, sums, sink| {
                self.after_left(state, core.first, next, sums, 0, sink);
            });
            return;
        }
        for at in (core.first..=core.last).rev() {
            let tile = state.lane.tiles[at];
            match self.graph.step(arc, tile & !BLANK) {
                Some(next) => arc = next,
                None => return,
            }
            sums = self.through(tile, sums);
        }
        self.after_left(state, core.first, arc, sums, 0, sink);
    }

    /// The worth of a tile laid on a square, added up.
    #[inline(always)]
    fn add(&self, state: &State<'_>, at: usize, value: i32, sums: Sums) -> Sums {
        let lane = &state.lane;
        let scored = value * lane.letter[at];
        let across = if lane.cross_set[at] != ANY { (scored + lane.cross_score[at]) * lane.word[at] } else { 0 };
        Sums { main: sums.main + scored, multiplier: sums.multiplier * lane.word[at], across: sums.across + across }
    }

    /// Tries every tile that fits an empty square.
    #[inline(always)]
    fn lay<S: Sink>(
        &self,
        state: &mut State<'_>,
        at: usize,
        arc: A,
        sums: Sums,
        sink: &mut S,
        mut then: impl FnMut(&mut State<'_>, A, Sums, &mut S),
    ) {
        let fits = arc.follows() & state.lane.cross_set[at];
        let mut natural = fits & state.letters;
        while natural != 0 {
            let tile = natural.trailing_zeros() as Tile;
            natural &= natural - 1;
            let next = self.graph.child(arc, tile);
            self.use_tile(state, at, tile, tile, |state| {
                let sums = self.add(state, at, self.values[tile as usize & 63], sums);
                then(state, next, sums, sink);
            });
        }
        if state.counts[0] > 0 {
            let mut blank = fits & !1;
            while blank != 0 {
                let tile = blank.trailing_zeros() as Tile;
                blank &= blank - 1;
                let next = self.graph.child(arc, tile);
                self.use_tile(state, at, 0, tile | BLANK, |state| {
                    let sums = self.add(state, at, 0, sums);
                    then(state, next, sums, sink);
                });
            }
        }
    }

    #[inline(always)]
    fn use_tile(&self, state: &mut State<'_>, at: usize, tile: Tile, shown: u8, f: impl FnOnce(&mut State<'_>)) {
        let t = tile as usize & 63;
        let index = state.rack.counts[t] - state.counts[t];
        let bit = 1usize << (state.rack.first_slot[t] + index);
        state.counts[t] -= 1;
        let letters = state.letters;
        if state.counts[t] == 0 {
            state.letters &= !(1 << tile);
        }
        state.used |= bit;
        state.placed[at] = shown;
        f(state);
        state.placed[at] = 0;
        state.used &= !bit;
        state.letters = letters;
        state.counts[t] += 1;
    }

    #[inline(always)]
    fn through(&self, tile: u8, mut sums: Sums) -> Sums {
        if tile & BLANK == 0 {
            sums.main += self.values[tile as usize & 63];
        }
        sums
    }

    /// Looks at square `at` left of the core; `lefts` tiles were laid left of the core.
    fn left<S: Sink>(&self, state: &mut State<'_>, at: usize, arc: A, sums: Sums, lefts: usize, sink: &mut S) {
        let tile = state.lane.tiles[at];
        if tile != 0 {
            if let Some(next) = self.graph.step(arc, tile & !BLANK) {
                let sums = self.through(tile, sums);
                self.after_left(state, at, next, sums, lefts, sink);
            }
            return;
        }
        self.lay(state, at, arc, sums, sink, |state, next, sums, sink| {
            self.after_left(state, at, next, sums, lefts + 1, sink);
        });
    }

    #[inline(always)]
    fn after_left<S: Sink>(&self, state: &mut State<'_>, at: usize, arc: A, sums: Sums, lefts: usize, sink: &mut S) {
        if state.lane.tiles[at - 1] != 0 {
            self.left(state, at - 1, arc, sums, lefts, sink);
            return;
        }
        let core = state.core;
        let laid = core.laid + lefts;
        if arc.accepts() && laid > 0 && core.last > at && state.lane.tiles[core.last + 1] == 0 {
            self.found(state, at, core.last, sums, laid, core.first - (laid != core.laid) as usize, sink);
        }
        if arc.follows() & 1 == 1 && core.last < state.side && (!S::BOUNDED || sink.wants(state.bounds.right[lefts][0]))
        {
            let turned = self.graph.child(arc, 0);
            self.right(state, at, core.last + 1, turned, sums, lefts, 0, sink);
        }
        if at > core.limit && laid < state.rack.len() && (!S::BOUNDED || sink.wants(state.bounds.left[lefts + 1])) {
            self.left(state, at - 1, arc, sums, lefts, sink);
        }
    }

    /// Looks at square `at` right of the core; `rights` tiles were laid right of the core.
    #[allow(clippy::too_many_arguments)]
    fn right<S: Sink>(
        &self,
        state: &mut State<'_>,
        start: usize,
        at: usize,
        arc: A,
        sums: Sums,
        lefts: usize,
        rights: usize,
        sink: &mut S,
    ) {
        let tile = state.lane.tiles[at];
        if tile != 0 {
            if let Some(next) = self.graph.step(arc, tile & !BLANK) {
                let sums = self.through(tile, sums);
                self.after_right(state, start, at, next, sums, lefts, rights, sink);
            }
            return;
        }
        let rights = rights + 1;
        if state.core.laid + lefts + rights > state.rack.len()
            || (S::BOUNDED && !sink.wants(state.bounds.right[lefts][rights]))
        {
            return;
        }
        self.lay(state, at, arc, sums, sink, |state, next, sums, sink| {
            self.after_right(state, start, at, next, sums, lefts, rights, sink);
        });
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn after_right<S: Sink>(
        &self,
        state: &mut State<'_>,
        start: usize,
        at: usize,
        arc: A,
        sums: Sums,
        lefts: usize,
        rights: usize,
        sink: &mut S,
    ) {
        if arc.accepts() && state.lane.tiles[at + 1] == 0 {
            let laid = state.core.laid + lefts + rights;
            let single = if rights == 0 { state.core.first } else { state.core.last + 1 };
            self.found(state, start, at, sums, laid, single, sink);
        }
        if at < state.side {
            self.right(state, start, at + 1, arc, sums, lefts, rights, sink);
        }
    }

    /// Hands a play to the sink; `single` is the square of its tile if it lays only one.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn found<S: Sink>(
        &self,
        state: &State<'_>,
        start: usize,
        end: usize,
        sums: Sums,
        laid: usize,
        single: usize,
        sink: &mut S,
    ) {
        // a single tile that makes words both ways is found reading across
        if laid == 1 && state.direction == Direction::Down && state.lane.cross_set[single] != ANY {
            return;
        }
        let mut score = sums.main * sums.multiplier + sums.across;
        if laid == self.full_rack {
            score += 50;
        }
        let full = (1usize << state.rack.len()) - 1;
        let keep = state.rack.keep[full & !state.used & 127];
        sink.play(Found { score, used: state.used, keep, start, end, laid, state });
    }
}
