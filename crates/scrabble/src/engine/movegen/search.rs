//! The GADDAG search from an anchor: leftwards, through the turning point, rightwards (Gordon 1994).

use super::bound::Bounds;
use super::rack::{MAX_RACK, Rack};
use super::sink::{AllSink, PlaySink, Spelled};
use crate::rules::{ANY, BINGO, BLANK, Layout, MAX_SIDE, Orientation, Play, TileBoard};
use lexicon::{Tile, WalkArc, WalkGraph};

/// Squares of a lane with one empty square of margin on the left and two on the right.
pub(super) const LANE: usize = MAX_SIDE + 3;

/// One lane of the board, unpacked; square `i` of the board is entry `i + 1`.
#[derive(Clone)]
pub(super) struct Lane {
    pub tiles: [u8; LANE],
    pub cross_set: [u64; LANE],
    pub cross_score: [i32; LANE],
    pub letter: [i32; LANE],
    pub word: [i32; LANE],
    /// Multiplier of a tile's value in the cross-word: the word premium, 0 where there is none.
    pub across: [i32; LANE],
    /// The squares without a tile, as a bit set.
    pub empty: u32,
}

/// Layout premiums per lane in both directions, and tile values: what does not change during a game.
pub struct MoveGenerator<'a, A> {
    pub(super) graph: &'a WalkGraph<A>,
    pub(super) values: &'a [i32; 64],
    pub(super) layout: &'a Layout,
    premiums: [Vec<([i32; LANE], [i32; LANE])>; 2],
    pub(super) full_rack: usize,
}

/// Where a search starts: a run of tiles, or one empty square that gets a tile first.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    pub first: usize,
    pub last: usize,
    /// Tiles laid on it: 1 for an empty square.
    pub laid: usize,
    /// The leftmost square new tiles may take.
    pub limit: usize,
}

/// State of a search.
pub(super) struct State<'r> {
    pub lane: Lane,
    pub direction: Orientation,
    pub lane_number: u8,
    anchor: Anchor,
    pub side: usize,
    pub rack: &'r Rack,
    /// Tiles of each letter the rack still has.
    counts: [u8; 64],
    pub laid: usize,
    /// Letters laid so far, by square of the lane.
    pub placed: [u8; LANE + MAX_SIDE],
    /// Where the word starts and how many tiles lie left of the anchor, once the search goes to the right.
    start: usize,
    lefts: usize,
    pub bounds: Bounds,
}

/// What remains of the rack.
#[derive(Clone, Copy)]
struct RackLeft {
    letters: u64,
    blanks: u32,
}

/// What must follow a letter that does not end a word; without it the branch is dead.
#[derive(Clone, Copy)]
struct Follow {
    /// The turning point, where a turn is of use.
    turn: u64,
    /// Letters of which one must follow: after a letter that a blank stands for, and after one from the rack.
    letters: [u64; 2],
    /// Whether the letter that follows would be the last, so that it must end a word.
    ends: bool,
}

impl Follow {
    /// Whether to lay it. Branch-free: the branches are unpredictable, and a misprediction delays the next load.
    #[inline(always)]
    fn allows<A: WalkArc>(&self, next: A, natural: usize) -> bool {
        let letters = if self.ends { next.endings() } else { next.follows() };
        let wanted = next.follows() & self.turn | letters & self.letters[natural & 1];
        next.accepts() | (wanted != 0)
    }
}

/// Sums along the main word.
#[derive(Clone, Copy)]
struct Sums {
    main: i32,
    multiplier: i32,
    across: i32,
}

impl<'a, A: WalkArc> MoveGenerator<'a, A> {
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
    pub fn all(&self, board: &TileBoard, rack: &Rack, plays: &mut Vec<Play>) {
        let mut state = self.state(board, rack);
        let mut sink = AllSink(plays);
        for direction in Orientation::BOTH {
            for lane in 0..board.side() {
                let mut loaded = false;
                self.for_anchors(board, direction, lane, |anchor| {
                    if !loaded {
                        self.load(board, direction, lane, &mut state);
                        loaded = true;
                    }
                    self.search(&mut state, anchor, &mut sink);
                });
            }
        }
    }

    /// All legal plays of one lane, appended to `plays`.
    pub fn lane(&self, board: &TileBoard, rack: &Rack, direction: Orientation, lane: usize, plays: &mut Vec<Play>) {
        let mut state = self.state(board, rack);
        let mut sink = AllSink(plays);
        self.load(board, direction, lane, &mut state);
        self.for_anchors(board, direction, lane, |anchor| self.search(&mut state, anchor, &mut sink));
    }

    pub(super) fn state<'r>(&self, board: &TileBoard, rack: &'r Rack) -> State<'r> {
        State {
            lane: Lane {
                tiles: [0; LANE],
                cross_set: [0; LANE],
                cross_score: [0; LANE],
                letter: [1; LANE],
                word: [1; LANE],
                across: [0; LANE],
                empty: 0,
            },
            direction: Orientation::Across,
            lane_number: 0,
            anchor: Anchor { first: 1, last: 1, laid: 1, limit: 1 },
            side: board.side(),
            rack,
            counts: rack.counts,
            laid: 0,
            placed: [0; LANE + MAX_SIDE],
            start: 1,
            lefts: 0,
            bounds: Bounds::default(),
        }
    }

    /// Calls `f` for every anchor of a lane, from left to right, in lane coordinates (first square = 1).
    ///
    /// A play belongs to the leftmost run of tiles or square with a cross-set that it covers, so every play has
    /// exactly one anchor, and the search begins with the letters that are already fixed.
    #[inline]
    pub(super) fn for_anchors(
        &self,
        board: &TileBoard,
        direction: Orientation,
        lane: usize,
        mut f: impl FnMut(Anchor),
    ) {
        let side = board.side();
        if board.placed() == 0 {
            let (row, column) = (self.layout.start() / side, self.layout.start() % side);
            let (line, at) = if direction == Orientation::Across { (row, column) } else { (column, row) };
            if line == lane {
                f(Anchor { first: at + 1, last: at + 1, laid: 1, limit: 1 });
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
                f(Anchor { first, last: at + 1, laid: 0, limit });
                // a tile right after the run would make the run part of the play
                limit = at + 3;
                at += 2;
            } else {
                if cross[at] != ANY {
                    f(Anchor { first: at + 1, last: at + 1, laid: 1, limit });
                    limit = at + 2;
                }
                at += 1;
            }
        }
    }

    #[inline]
    pub(super) fn load(&self, board: &TileBoard, direction: Orientation, lane: usize, state: &mut State<'_>) {
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
        into.empty = 0;
        for at in 1..=side {
            into.across[at] = if into.cross_set[at] != ANY { word[at] } else { 0 };
            into.empty |= ((into.tiles[at] == 0) as u32) << at;
        }
        state.direction = direction;
        state.lane_number = lane as u8;
    }

    pub(super) fn search<S: PlaySink>(&self, state: &mut State<'_>, anchor: Anchor, sink: &mut S) {
        state.anchor = anchor;
        let rack = RackLeft { letters: state.rack.letters, blanks: state.rack.counts[0].into() };
        let mut sums = Sums { main: 0, multiplier: 1, across: 0 };
        let mut arc = self.graph.gaddag();
        if anchor.laid == 1 {
            let fits = Self::fits(state, anchor.first, arc, rack, false);
            let follow = Self::follow_left(state, anchor.first, rack);
            self.lay(state, anchor.first, arc, (fits, follow), (rack, sums), |state, next, rack, sums| {
                self.after_left(state, anchor.first, next, rack, sums, sink);
            });
            return;
        }
        for at in (anchor.first..=anchor.last).rev() {
            match self.through(state, at, arc, &mut sums) {
                Some(next) => arc = next,
                None => return,
            }
        }
        self.after_left(state, anchor.first, arc, rack, sums, sink);
    }

    /// Steps over a tile on the board.
    #[inline(always)]
    fn through(&self, state: &State<'_>, at: usize, arc: A, sums: &mut Sums) -> Option<A> {
        let tile = state.lane.tiles[at];
        if tile & BLANK == 0 {
            sums.main += self.values[tile as usize & 63];
        }
        self.graph.step(arc, tile & !BLANK)
    }

    /// The candidate letters of an empty square: on the rack, or a blank can stand for them.
    /// `ends` says that nothing can follow, so only letters that end a word qualify.
    #[inline(always)]
    fn fits(state: &State<'_>, at: usize, arc: A, rack: RackLeft, ends: bool) -> u64 {
        let any = if rack.blanks > 0 { !1 } else { 0 };
        let follows = if ends { arc.endings() } else { arc.follows() };
        follows & state.lane.cross_set[at] & (rack.letters | any)
    }

    /// What may follow a letter laid on square `at`, at the anchor or left of it: a turn, or a letter further left.
    #[inline(always)]
    fn follow_left(state: &State<'_>, at: usize, rack: RackLeft) -> Follow {
        let (lane, right) = (&state.lane, state.anchor.last + 1);
        let left_over = state.rack.len() - state.laid - 1;
        let room = at > state.anchor.limit && left_over > 0;
        // a anchor has no tile on its left; squares left of it take any letter
        let after = |blanks: u32| match (room, blanks) {
            (false, _) => 0,
            (true, 0) => rack.letters,
            (true, _) => !1,
        };
        let turn = lane.tiles[right] != 0 || (lane.cross_set[right] != 0 && left_over > 0);
        Follow {
            turn: turn as u64,
            letters: [after(rack.blanks.saturating_sub(1)), after(rack.blanks)],
            ends: left_over == 1 && lane.tiles[right] == 0,
        }
    }

    /// What may follow a letter laid on square `at` right of the anchor.
    #[inline(always)]
    fn follow_right(state: &State<'_>, at: usize, rack: RackLeft) -> Follow {
        let lane = &state.lane;
        let left_over = state.rack.len() - state.laid - 1;
        let after = |blanks: u32| match (lane.tiles[at + 1], left_over, blanks) {
            (1.., _, _) => ANY,
            (0, 0, _) => 0,
            (0, _, 0) => lane.cross_set[at + 1] & rack.letters,
            (0, _, _) => lane.cross_set[at + 1],
        };
        Follow {
            turn: 0,
            letters: [after(rack.blanks.saturating_sub(1)), after(rack.blanks)],
            ends: left_over == 1 && lane.tiles[at + 1] == 0 && lane.tiles[at + 2] == 0,
        }
    }

    /// Lays every letter that fits: from the rack, or with a blank once the rack has no more of it.
    /// Which of equal letters the blank stands for is decided when a word is found.
    #[inline(always)]
    fn lay(
        &self,
        state: &mut State<'_>,
        at: usize,
        arc: A,
        (mut fits, follow): (u64, Follow),
        (rack, sums): (RackLeft, Sums),
        mut then: impl FnMut(&mut State<'_>, A, RackLeft, Sums),
    ) {
        let lane = &state.lane;
        let (letter, across) = (lane.letter[at], lane.across[at]);
        let multiplier = sums.multiplier * lane.word[at];
        let base = sums.across + across * lane.cross_score[at];
        // the graph exceeds the cache: prefetch every branch before following the first
        let mut rest = fits;
        while rest != 0 {
            let tile = rest.trailing_zeros() as Tile;
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            let next = self.graph.child(arc, tile);
            self.graph.prefetch(next);
            let allowed = follow.allows(next, (rack.letters >> tile & 1) as usize);
            fits &= !bit | (allowed as u64).wrapping_neg();
        }
        state.laid += 1;
        while fits != 0 {
            let tile = fits.trailing_zeros() as Tile;
            fits &= fits - 1;
            let next = self.graph.child(arc, tile);
            let natural = (rack.letters >> tile & 1) as u8;
            let t = tile as usize & 63;
            let scored = self.values[t] * letter;
            let sums = Sums { main: sums.main + scored, multiplier, across: base + scored * across };
            state.placed[at] = tile;
            let count = state.counts[t];
            state.counts[t] = count - natural;
            let gone = (natural & (count == 1) as u8) as u64;
            let rest = RackLeft { letters: rack.letters ^ gone << tile, blanks: rack.blanks - (1 - natural) as u32 };
            then(state, next, rest, sums);
            state.counts[t] = count;
        }
        state.laid -= 1;
        state.placed[at] = 0;
    }

    /// Lays the last tile where nothing can follow it: every letter of `fits` ends the word from `start` to `end`.
    #[inline(always)]
    fn lay_last<S: PlaySink>(
        &self,
        state: &mut State<'_>,
        at: usize,
        (start, end): (usize, usize),
        mut fits: u64,
        (rack, sums): (RackLeft, Sums),
        sink: &mut S,
    ) {
        let lane = &state.lane;
        let (letter, across) = (lane.letter[at], lane.across[at]);
        let multiplier = sums.multiplier * lane.word[at];
        let base = sums.across + across * lane.cross_score[at];
        state.laid += 1;
        while fits != 0 {
            let tile = fits.trailing_zeros() as Tile;
            fits &= fits - 1;
            let scored = self.values[tile as usize & 63] * letter;
            let sums = Sums { main: sums.main + scored, multiplier, across: base + scored * across };
            state.placed[at] = tile;
            let blanks = rack.blanks - (rack.letters >> tile & 1 == 0) as u32;
            self.found(state, start, end, blanks, sums, sink);
        }
        state.laid -= 1;
        state.placed[at] = 0;
    }

    /// The word reaches to square `at` on the left: it may be complete, turn at the anchor, or continue to the left.
    #[inline(always)]
    fn after_left<S: PlaySink>(
        &self,
        state: &mut State<'_>,
        mut at: usize,
        mut arc: A,
        rack: RackLeft,
        mut sums: Sums,
        sink: &mut S,
    ) {
        while state.lane.tiles[at - 1] != 0 {
            at -= 1;
            match self.through(state, at, arc, &mut sums) {
                Some(next) => arc = next,
                None => return,
            }
        }
        let anchor = state.anchor;
        let lefts = state.laid - anchor.laid;
        let right_is_empty = state.lane.tiles[anchor.last + 1] == 0;
        if arc.accepts() && state.laid > 0 && anchor.last > at && right_is_empty {
            self.found(state, at, anchor.last, rack.blanks, sums, sink);
        }
        if arc.follows() & 1 == 1 && (!S::BOUNDED || sink.wants(state.bounds.right[lefts & 7][0])) {
            state.start = at;
            state.lefts = lefts;
            self.after_right(state, anchor.last, self.graph.child(arc, 0), rack, sums, sink);
        }
        if at > anchor.limit
            && state.laid < state.rack.len()
            && (!S::BOUNDED || sink.wants(state.bounds.left[(lefts + 1) & 7]))
        {
            let last = state.laid + 1 == state.rack.len();
            let ends = last && right_is_empty && state.lane.tiles[at - 2] == 0;
            let fits = Self::fits(state, at - 1, arc, rack, ends);
            if fits != 0 && ends {
                self.lay_last(state, at - 1, (at - 1, anchor.last), fits, (rack, sums), sink);
            } else if fits != 0 {
                self.left(state, (at - 1, fits), arc, rack, sums, sink);
            }
        }
    }

    /// Lays a tile on square `at` left of the anchor and continues.
    fn left<S: PlaySink>(
        &self,
        state: &mut State<'_>,
        (at, fits): (usize, u64),
        arc: A,
        rack: RackLeft,
        sums: Sums,
        sink: &mut S,
    ) {
        let follow = Self::follow_left(state, at, rack);
        self.lay(state, at, arc, (fits, follow), (rack, sums), |state, next, rack, sums| {
            self.after_left(state, at, next, rack, sums, sink);
        });
    }

    /// The word reaches to square `at` on the right: it may be complete or continue.
    #[inline(always)]
    fn after_right<S: PlaySink>(
        &self,
        state: &mut State<'_>,
        mut at: usize,
        mut arc: A,
        rack: RackLeft,
        mut sums: Sums,
        sink: &mut S,
    ) {
        while state.lane.tiles[at + 1] != 0 {
            at += 1;
            match self.through(state, at, arc, &mut sums) {
                Some(next) => arc = next,
                None => return,
            }
        }
        if arc.accepts() {
            self.found(state, state.start, at, rack.blanks, sums, sink);
        }
        let rights = state.laid - state.anchor.laid - state.lefts;
        if state.laid < state.rack.len()
            && (!S::BOUNDED || sink.wants(state.bounds.right[state.lefts & 7][(rights + 1) & 7]))
        {
            let last = state.laid + 1 == state.rack.len();
            let ends = last && state.lane.tiles[at + 2] == 0;
            let fits = Self::fits(state, at + 1, arc, rack, ends);
            if fits != 0 && ends {
                self.lay_last(state, at + 1, (state.start, at + 1), fits, (rack, sums), sink);
            } else if fits != 0 {
                self.right(state, (at + 1, fits), arc, rack, sums, sink);
            }
        }
    }

    /// Lays a tile on square `at` right of the anchor and continues.
    fn right<S: PlaySink>(
        &self,
        state: &mut State<'_>,
        (at, fits): (usize, u64),
        arc: A,
        rack: RackLeft,
        sums: Sums,
        sink: &mut S,
    ) {
        let follow = Self::follow_right(state, at, rack);
        self.lay(state, at, arc, (fits, follow), (rack, sums), |state, next, rack, sums| {
            self.after_right(state, at, next, rack, sums, sink);
        });
    }

    /// Passes a complete word to the sink with every placement of blanks; `blanks` are left over.
    #[inline(always)]
    fn found<S: PlaySink>(&self, state: &State<'_>, start: usize, end: usize, blanks: u32, sums: Sums, sink: &mut S) {
        // a single tile that makes words both ways is found reading across
        if state.laid == 1 && state.direction == Orientation::Down {
            let single = (start..=end).find(|&at| state.lane.tiles[at] == 0).unwrap_or(start);
            if state.lane.cross_set[single] != ANY {
                return;
            }
        }
        let mut score = sums.main * sums.multiplier + sums.across;
        if state.laid == self.full_rack {
            score += BINGO;
        }
        if !sink.wants_word(score, state.laid) {
            return;
        }
        let word = Spelled { state, start, end, score, multiplier: sums.multiplier };
        let blanks_held = state.rack.counts[0] as u32;
        if !S::BOUNDED && blanks_held == 0 {
            sink.play(&word.build(), score, &[], 0);
        } else {
            word.emit_blank_placements(self.values, blanks_held - blanks, sink);
        }
    }
}
