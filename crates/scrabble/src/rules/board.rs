//! The board with tiles on it, kept twice (rows, and columns as rows) with cross-sets up to date after every move.

use super::layout::{Layout, MAX_SIDE};
use super::play::Play;
use lexicon::{Tile, WalkArc, WalkGraph};

/// Squares of the largest board.
pub const MAX_SQUARES: usize = MAX_SIDE * MAX_SIDE;

/// Marks a tile on the board that is a blank; the rest is the letter it stands for.
pub const BLANK: u8 = 0x80;

/// The cross-set of a square with no neighbour across: anything goes and nothing is scored.
pub const ANY: u64 = u64::MAX;

/// The letter a tile on the board stands for.
#[inline(always)]
pub fn letter(tile: u8) -> Tile {
    tile & !BLANK
}

/// The direction a word is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    Across,
    Down,
}

impl Orientation {
    pub const BOTH: [Self; 2] = [Self::Across, Self::Down];

    /// The other direction.
    pub fn turned(self) -> Self {
        match self {
            Self::Across => Self::Down,
            Self::Down => Self::Across,
        }
    }
}

/// One way of reading the board: lane by lane, with what words across allow and score at each square.
#[derive(Clone, PartialEq, Eq)]
pub struct Lanes {
    pub tiles: [u8; MAX_SQUARES],
    pub cross_set: [u64; MAX_SQUARES],
    pub cross_score: [i16; MAX_SQUARES],
}

/// A board in play.
#[derive(Clone, PartialEq, Eq)]
pub struct TileBoard {
    side: usize,
    placed: usize,
    lanes: [Lanes; 2],
}

/// Some of the board's lanes, in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneSet([u32; 2]);

impl LaneSet {
    /// Every lane.
    pub const ALL: Self = Self([u32::MAX; 2]);

    /// Whether a lane is among them.
    #[inline(always)]
    pub fn has(self, direction: Orientation, lane: usize) -> bool {
        self.0[direction as usize] >> lane & 1 == 1
    }

    /// The lanes of either set.
    pub fn with(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

/// What a move changed, to take it back.
#[derive(Clone, Default)]
pub struct Undo {
    squares: Vec<(u16, u16)>,
    cross: Vec<(u8, u16, u64, i16)>,
}

impl Undo {
    /// The lanes of the board after the move that differ from the board before it. An empty board has no lane in
    /// common with others: words may start in one square of it only.
    pub fn lanes(&self, after: &TileBoard) -> LaneSet {
        let (mut set, side) = (LaneSet::default(), after.side);
        if self.squares.len() == after.placed {
            return LaneSet::ALL;
        }
        for &(across, down) in &self.squares {
            set.0[0] |= 1 << (across as usize / side);
            set.0[1] |= 1 << (down as usize / side);
        }
        for &(direction, index, _, _) in &self.cross {
            set.0[direction as usize] |= 1 << (index as usize / side);
        }
        set
    }
}

impl TileBoard {
    /// An empty board of a layout's size.
    pub fn new(layout: &Layout) -> Self {
        let empty = || Lanes { tiles: [0; MAX_SQUARES], cross_set: [ANY; MAX_SQUARES], cross_score: [0; MAX_SQUARES] };
        Self { side: layout.side(), placed: 0, lanes: [empty(), empty()] }
    }

    /// Squares along one side.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Number of tiles on the board.
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// The tile on a square (row, column): 0 for none, the letter, with [`BLANK`] for a blank.
    pub fn at(&self, row: usize, column: usize) -> u8 {
        self.lanes[0].tiles[row * self.side + column]
    }

    /// The board read in one direction.
    pub fn lanes(&self, direction: Orientation) -> &Lanes {
        &self.lanes[direction as usize]
    }

    /// The tiles row by row.
    pub fn tiles(&self) -> &[u8] {
        &self.lanes[0].tiles[..self.side * self.side]
    }

    /// Puts a tile on a square without updating cross-sets; call [`TileBoard::refresh`] afterwards.
    pub fn put(&mut self, row: usize, column: usize, tile: u8) {
        self.placed += (tile != 0) as usize;
        self.placed -= (self.at(row, column) != 0) as usize;
        self.lanes[0].tiles[row * self.side + column] = tile;
        self.lanes[1].tiles[column * self.side + row] = tile;
    }

    /// Recomputes all cross-sets.
    pub fn refresh<A: WalkArc>(&mut self, graph: &WalkGraph<A>, values: &[i32; 64]) {
        for direction in 0..2 {
            for lane in 0..self.side {
                for at in 0..self.side {
                    let (set, score) = self.cross(graph, values, direction, lane, at);
                    let index = lane * self.side + at;
                    self.lanes[direction].cross_set[index] = set;
                    self.lanes[direction].cross_score[index] = score;
                }
            }
        }
    }

    /// Cross-set and cross-score of one square for words read in `direction`.
    fn cross<A: WalkArc>(
        &self,
        graph: &WalkGraph<A>,
        values: &[i32; 64],
        direction: usize,
        lane: usize,
        at: usize,
    ) -> (u64, i16) {
        let side = self.side;
        // words across this square are read in the other direction, lane `at`, around position `lane`
        let tiles = &self.lanes[1 - direction].tiles[at * side..(at + 1) * side];
        if tiles[lane] != 0 {
            return (0, 0);
        }
        let mut first = lane;
        while first > 0 && tiles[first - 1] != 0 {
            first -= 1;
        }
        let mut end = lane + 1;
        while end < side && tiles[end] != 0 {
            end += 1;
        }
        if first == lane && end == lane + 1 {
            return (ANY, 0);
        }
        let (before, after) = (&tiles[first..lane], &tiles[lane + 1..end]);
        let tile_value = |tile: &u8| if tile & BLANK != 0 { 0 } else { values[*tile as usize] as i16 };
        let score = before.iter().chain(after).map(tile_value).sum();
        let walk = |arc: A, letters: &mut dyn Iterator<Item = Tile>| {
            let mut arc = Some(arc);
            for l in letters {
                arc = arc.and_then(|a| graph.step(a, l));
            }
            arc
        };
        if after.is_empty() {
            let arc = walk(graph.dawg(), &mut before.iter().map(|&t| letter(t)));
            return (arc.map_or(0, |a| a.endings()), score);
        }
        let Some(arc) = walk(graph.gaddag(), &mut after.iter().rev().map(|&t| letter(t))) else {
            return (0, score);
        };
        if before.is_empty() {
            return (arc.endings(), score);
        }
        let mut set = 0;
        let mut rest = arc.follows() & !1;
        while rest != 0 {
            let l = rest.trailing_zeros() as Tile;
            rest &= rest - 1;
            let end = walk(graph.child(arc, l), &mut before.iter().rev().map(|&t| letter(t)));
            set |= (end.is_some_and(A::accepts) as u64) << l;
        }
        (set, score)
    }

    /// Lays a move's tiles and updates the cross-sets around them.
    pub fn place<A: WalkArc>(&mut self, graph: &WalkGraph<A>, values: &[i32; 64], play: &Play) -> Undo {
        let mut undo = Undo::default();
        self.place_into(graph, values, play, &mut undo);
        undo
    }

    /// Same as [`TileBoard::place`] with a reused undo record.
    pub fn place_into<A: WalkArc>(&mut self, graph: &WalkGraph<A>, values: &[i32; 64], play: &Play, undo: &mut Undo) {
        undo.squares.clear();
        undo.cross.clear();
        let side = self.side;
        let (direction, lane) = (play.direction as usize, play.lane as usize);
        let from = play.start as usize;
        for (i, &tile) in play.tiles().iter().enumerate() {
            if tile != 0 {
                let (here, turned) = (lane * side + from + i, (from + i) * side + lane);
                self.lanes[direction].tiles[here] = tile;
                self.lanes[1 - direction].tiles[turned] = tile;
                let pair = if direction == 0 { (here as u16, turned as u16) } else { (turned as u16, here as u16) };
                undo.squares.push(pair);
                self.placed += 1;
            }
        }
        for (i, &tile) in play.tiles().iter().enumerate() {
            if tile != 0 {
                self.update_ends(graph, values, direction, from + i, lane, undo);
            }
        }
        self.update_ends(graph, values, 1 - direction, lane, from, undo);
    }

    /// Updates the two empty squares at the ends of a run that is read across `direction`:
    /// the run lies in lane `lane` of the other direction and covers position `at`.
    fn update_ends<A: WalkArc>(
        &mut self,
        graph: &WalkGraph<A>,
        values: &[i32; 64],
        direction: usize,
        lane: usize,
        at: usize,
        undo: &mut Undo,
    ) {
        let side = self.side;
        let tiles = &self.lanes[1 - direction].tiles[lane * side..(lane + 1) * side];
        let (mut first, mut end) = (at, at + 1);
        while first > 0 && tiles[first - 1] != 0 {
            first -= 1;
        }
        while end < side && tiles[end] != 0 {
            end += 1;
        }
        let ends = [first.checked_sub(1), Some(end).filter(|&e| e < side)];
        for position in ends.into_iter().flatten() {
            let (set, score) = self.cross(graph, values, direction, position, lane);
            let index = position * side + lane;
            let lanes = &mut self.lanes[direction];
            undo.cross.push((direction as u8, index as u16, lanes.cross_set[index], lanes.cross_score[index]));
            lanes.cross_set[index] = set;
            lanes.cross_score[index] = score;
        }
    }

    /// Takes a move back.
    pub fn undo(&mut self, undo: &Undo) {
        for &(direction, index, set, score) in undo.cross.iter().rev() {
            let lanes = &mut self.lanes[direction as usize];
            lanes.cross_set[index as usize] = set;
            lanes.cross_score[index as usize] = score;
        }
        for &(across, down) in &undo.squares {
            self.lanes[0].tiles[across as usize] = 0;
            self.lanes[1].tiles[down as usize] = 0;
        }
        self.placed -= undo.squares.len();
    }
}
