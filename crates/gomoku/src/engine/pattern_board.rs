//! The board with line patterns: shapes, classes and evaluation sums are updated by every move and undo.

use super::geometry::{CELLS, Cell, CellSet, MAX_SIZE, MIN_SIZE, PAD, STEPS, STRIDE};
use super::pattern_tables::{Class, Code, PatternTables, Urgency};
use super::shape::EDGE;
use super::weights::{FRACTION, threat_index};
use crate::rules::{Color, Point, Rule};

/// The state of one empty cell: its four shapes and its class for both colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
struct CellState {
    code: [Code; 2],
    class: [u8; 2],
    /// The cell's own index, so that a saved state knows where it belongs.
    place: u16,
    mine: [i16; 2],
    theirs: [i16; 2],
}

/// State that every move changes and every undo restores as a whole.
#[derive(Clone, Copy)]
struct Frame {
    hash: u64,
    /// Cells near stones.
    near: CellSet,
    /// How many empty cells have each class, by colour.
    counts: [[u16; 16]; 2],
    /// Sums of pattern values over empty cells, by colour, as mover and as the other side.
    mine: [i32; 2],
    theirs: [i32; 2],
    last: Cell,
    log_start: u32,
}

/// A board of stones with incremental patterns.
///
/// Invariants: every cell of the padding holds [`EDGE`] in all four packed lines, so windows never
/// leave the arrays; `states` of occupied cells keep the values they had before they were taken.
#[derive(Clone)]
pub struct PatternBoard {
    rule: Rule,
    size: usize,
    tables: &'static PatternTables,
    lines: [[u64; 2 * STRIDE]; 4],
    states: Box<[CellState; CELLS]>,
    stones: CellSet,
    board: CellSet,
    /// Empty cells of class four and above, by colour (also forbidden ones).
    hot: [CellSet; 2],
    now: Frame,
    past: Vec<Frame>,
    /// States before they were changed, by all moves on the board.
    log: Vec<CellState>,
    moves: Vec<(Cell, Color)>,
}

/// Random words of the hash, from splitmix64 over the cell and colour.
const fn zobrist(n: u64) -> u64 {
    numerics::mix64(n.wrapping_add(1).wrapping_mul(numerics::GOLDEN_GAMMA))
}

static ZOBRIST: [[u64; CELLS]; 2] = {
    let mut table = [[0; CELLS]; 2];
    let mut i = 0;
    while i < CELLS {
        table[0][i] = zobrist(i as u64);
        table[1][i] = zobrist((i + CELLS) as u64);
        i += 1;
    }
    table
};

/// Rows of the neighbourhood of a stone, as bits around column 3: two cells in every direction and
/// three along lines.
const NEIGHBOURS: [u32; 7] = [0b1001001, 0b0111110, 0b0111110, 0b1111111, 0b0111110, 0b0111110, 0b1001001];

/// Drops the middle cell of a packed window of `2 * R + 1` cells.
#[inline(always)]
fn compact<const R: usize>(window: u64) -> u64 {
    let mask = (1u64 << (2 * R)) - 1;
    (window & mask) | (window >> 2 & mask << (2 * R))
}

/// Classes from here on are in the hot sets.
const HOT: u8 = Class::Four as u8;

impl PatternBoard {
    /// An empty board; `None` if the size is not 5 to 22.
    pub fn new(rule: Rule, size: u8) -> Option<Self> {
        Self::with_tables(rule, size, PatternTables::of(rule))
    }

    /// An empty board with other pattern weights; the tables belong to the same rule.
    pub fn with_tables(rule: Rule, size: u8, tables: &'static PatternTables) -> Option<Self> {
        let size = size as usize;
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return None;
        }
        let mut position = Self {
            rule,
            size,
            tables,
            lines: [[u64::MAX; 2 * STRIDE]; 4],
            states: Box::new([CellState::default(); CELLS]),
            stones: CellSet::EMPTY,
            board: CellSet::EMPTY,
            hot: [CellSet::EMPTY; 2],
            now: Frame {
                hash: zobrist(0xB0A2D << 20 | size as u64),
                near: CellSet::EMPTY,
                counts: [[0; 16]; 2],
                mine: [0; 2],
                theirs: [0; 2],
                last: Cell::NONE,
                log_start: 0,
            },
            past: Vec::with_capacity(CELLS / 2),
            log: Vec::with_capacity(CELLS * 8),
            moves: Vec::with_capacity(CELLS / 2),
        };
        for y in 0..size {
            for x in 0..size {
                let cell = Cell::at(x, y);
                position.board.insert(cell);
                for d in 0..4 {
                    let (line, place) = cell.on_line(d);
                    position.lines[d][line] &= !(u64::from(EDGE) << (2 * place));
                }
            }
        }
        for cell in position.board.to_vec() {
            let mut state = CellState { place: cell.index() as u16, ..CellState::default() };
            for d in 0..4 {
                let shapes = position.shapes_at(cell, d);
                state.code[0] |= u16::from(shapes & 15) << (4 * d);
                state.code[1] |= u16::from(shapes >> 4) << (4 * d);
            }
            for colour in 0..2 {
                let values = tables.values[state.code[colour] as usize];
                state.class[colour] = values.class[colour];
                state.mine[colour] = values.mine;
                state.theirs[colour] = values.theirs;
                position.now.counts[colour][state.class[colour] as usize] += 1;
                position.now.mine[colour] += i32::from(values.mine);
                position.now.theirs[colour] += i32::from(values.theirs);
            }
            position.states[cell.index()] = state;
        }
        Some(position)
    }

    fn shapes_at(&self, cell: Cell, direction: usize) -> u8 {
        let (line, place) = cell.on_line(direction);
        let r = self.tables.radius;
        let window = self.lines[direction][line] >> (2 * (place - r));
        let key = if r == 4 { compact::<4>(window) } else { compact::<5>(window) };
        self.tables.line[key as usize]
    }

    /// Puts a stone on an empty cell of the board.
    #[inline]
    pub fn place(&mut self, cell: Cell, colour: Color) {
        debug_assert!(self.is_empty(cell));
        if self.tables.radius == 4 {
            self.place_within::<4, true>(cell, colour);
        } else {
            self.place_within::<5, true>(cell, colour);
        }
    }

    /// Puts a stone without updating the evaluation: until this stone is removed,
    /// [`PatternBoard::evaluate`] is undefined.
    #[inline]
    pub(crate) fn place_without_eval(&mut self, cell: Cell, colour: Color) {
        debug_assert!(self.is_empty(cell));
        if self.tables.radius == 4 {
            self.place_within::<4, false>(cell, colour);
        } else {
            self.place_within::<5, false>(cell, colour);
        }
    }

    fn place_within<const R: usize, const EVAL: bool>(&mut self, cell: Cell, colour: Color) {
        self.past.push(self.now);
        self.now.log_start = self.log.len() as u32;
        self.moves.push((cell, colour));
        self.now.last = cell;
        self.now.hash ^= ZOBRIST[colour as usize][cell.index()];
        let taken = self.states[cell.index()];
        self.log.reserve(8 * R + 1);
        self.log.push(taken);
        for c in 0..2 {
            if EVAL {
                self.now.mine[c] -= i32::from(taken.mine[c]);
                self.now.theirs[c] -= i32::from(taken.theirs[c]);
            }
            self.now.counts[c][taken.class[c] as usize & 15] -= 1;
            if taken.class[c] >= HOT {
                self.hot[c].toggle(cell);
            }
        }
        self.stones.insert(cell);
        if EVAL {
            let (row, col) = (cell.row(), cell.col());
            for (k, bits) in NEIGHBOURS.iter().enumerate() {
                let r = row + k - 3;
                self.now.near.0[r & (STRIDE - 1)] |= bits << (col - 3);
            }
        }
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            let word = self.lines[d][line] | (colour as u64 + 1) << (2 * place);
            self.lines[d][line] = word;
            // the window of an empty board cell starts R ≤ PAD cells before it: inside the padded line
            let near = word >> (2 * (place - R));
            let mut empty = !(near | near >> 1) & 0x5555_5555_5555_5555 & ((1u64 << (4 * R + 2)) - 1);
            let first = cell.index() as isize - STEPS[d] * R as isize;
            while empty != 0 {
                let twice = empty.trailing_zeros() as usize;
                empty &= empty - 1;
                let window = word >> (2 * place + twice - 4 * R);
                let key = compact::<R>(window);
                // SAFETY: `key` has 4R bits and `line` has 2^(4R) entries for this R (checked by `place`).
                let shapes = unsafe { *self.tables.line.get_unchecked(key as usize) };
                let other = Cell::from_index((first + STEPS[d] * (twice / 2) as isize) as usize);
                self.update::<EVAL>(other, d, shapes);
            }
        }
    }

    #[inline(always)]
    fn update<const EVAL: bool>(&mut self, cell: Cell, direction: usize, shapes: u8) {
        let shift = 4 * direction;
        let state = &mut self.states[cell.index()];
        let new = [
            state.code[0] & !(15 << shift) | u16::from(shapes & 15) << shift,
            state.code[1] & !(15 << shift) | u16::from(shapes >> 4) << shift,
        ];
        if new == state.code {
            return;
        }
        // SAFETY: `place_within` reserved room for one change per cell of the four windows.
        unsafe {
            let len = self.log.len();
            self.log.as_mut_ptr().add(len).write(*state);
            self.log.set_len(len + 1);
        }
        state.code = new;
        for c in 0..2 {
            // SAFETY: 65536 entries, one for every u16.
            let values = unsafe { *self.tables.values.get_unchecked(new[c] as usize) };
            if EVAL {
                self.now.mine[c] += i32::from(values.mine) - i32::from(state.mine[c]);
                self.now.theirs[c] += i32::from(values.theirs) - i32::from(state.theirs[c]);
                state.mine[c] = values.mine;
                state.theirs[c] = values.theirs;
            }
            let (before, class) = (state.class[c], values.class[c]);
            if class != before {
                self.now.counts[c][before as usize & 15] -= 1;
                self.now.counts[c][class as usize & 15] += 1;
                if (class >= HOT) != (before >= HOT) {
                    self.hot[c].toggle(cell);
                }
                state.class[c] = class;
            }
        }
    }

    /// Removes the last stone; panics on an empty board.
    #[inline]
    pub fn undo(&mut self) {
        let (cell, colour) = self.moves.pop().expect("a stone to take back");
        for d in 0..4 {
            let (line, place) = cell.on_line(d);
            self.lines[d][line] ^= (colour as u64 + 1) << (2 * place);
        }
        self.stones.remove(cell);
        let start = self.now.log_start as usize;
        for &before in &self.log[start + 1..] {
            let cell = Cell::from_index(before.place as usize);
            let state = &mut self.states[cell.index()];
            for c in 0..2 {
                if (state.class[c] >= HOT) != (before.class[c] >= HOT) {
                    self.hot[c].toggle(cell);
                }
            }
            *state = before;
        }
        let taken = self.log[start];
        for c in 0..2 {
            if taken.class[c] >= HOT {
                self.hot[c].toggle(cell);
            }
        }
        self.log.truncate(start);
        self.now = self.past.pop().expect("a frame for every stone");
    }

    /// The rule of the game.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Side of the board.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Stones in the order they were placed.
    pub fn moves(&self) -> &[(Cell, Color)] {
        &self.moves
    }

    /// Whether every cell is taken.
    pub fn is_full(&self) -> bool {
        self.moves.len() == self.size * self.size
    }

    /// Hash of the stones on the board, without the side to move.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.now.hash
    }

    /// The hash after a stone, without placing it.
    #[inline(always)]
    pub fn hash_after(&self, cell: Cell, colour: Color) -> u64 {
        self.now.hash ^ ZOBRIST[colour as usize][cell.index()]
    }

    /// The last stone's cell, or [`Cell::NONE`].
    #[inline(always)]
    pub fn last(&self) -> Cell {
        self.now.last
    }

    /// Whether the cell is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.board.contains(cell) && !self.stones.contains(cell)
    }

    /// Whether the point is on the board.
    pub fn has_point(&self, point: Point) -> bool {
        (point.x as usize) < self.size && (point.y as usize) < self.size
    }

    /// The stone on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        let (line, place) = cell.on_line(0);
        match self.lines[0][line] >> (2 * place) & 3 {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// The class a stone of this colour would have on an empty cell.
    #[inline(always)]
    pub fn class(&self, cell: Cell, colour: Color) -> u8 {
        self.states[cell.index()].class[colour as usize]
    }

    /// The four shapes, packed, a stone of this colour would make on an empty cell.
    #[inline(always)]
    pub fn code(&self, cell: Cell, colour: Color) -> Code {
        self.states[cell.index()].code[colour as usize]
    }

    /// How urgent an empty cell is for and against a colour.
    #[inline(always)]
    pub fn urgency(&self, cell: Cell, colour: Color) -> Urgency {
        // SAFETY: 65536 entries, one for every u16.
        unsafe { *self.tables.urgency.get_unchecked(self.code(cell, colour) as usize) }
    }

    /// How many empty cells have this class for this colour.
    #[inline(always)]
    pub fn count(&self, colour: Color, class: Class) -> u16 {
        self.now.counts[colour as usize][class as usize]
    }

    /// Whether no move decides at once: the mover has no five or open four to make and no five to stop.
    pub fn is_undecided(&self, mover: Color) -> bool {
        self.count(mover, Class::Five) == 0
            && self.count(mover.opponent(), Class::Five) == 0
            && self.count(mover, Class::OpenFour) == 0
    }

    /// Counts of all classes.
    #[inline(always)]
    pub fn counts(&self, colour: Color) -> &[u16; 16] {
        &self.now.counts[colour as usize]
    }

    /// Whether the colour has a cell that makes four or more.
    #[inline(always)]
    pub fn has_four(&self, colour: Color) -> bool {
        let c = &self.now.counts[colour as usize];
        c[Class::Four as usize]
            + c[Class::FourPlus as usize]
            + c[Class::FourThree as usize]
            + c[Class::OpenFour as usize]
            != 0
    }

    /// Whether [`PatternBoard::hot`] has any cell.
    #[inline(always)]
    pub fn has_hot(&self, colour: Color) -> bool {
        let c = &self.now.counts[colour as usize];
        self.has_four(colour) || c[Class::Five as usize] + c[Class::Forbidden as usize] != 0
    }

    /// Empty cells whose class is four or above (forbidden ones too).
    #[inline(always)]
    pub fn hot(&self, colour: Color) -> &CellSet {
        &self.hot[colour as usize]
    }

    /// Empty cells near stones.
    #[inline(always)]
    pub fn candidates(&self) -> CellSet {
        let mut set = self.now.near;
        for row in 0..STRIDE {
            set.0[row] &= self.board.0[row] & !self.stones.0[row];
        }
        set
    }

    /// All empty cells.
    pub fn empties(&self) -> CellSet {
        let mut set = self.board;
        for row in 0..STRIDE {
            set.0[row] &= !self.stones.0[row];
        }
        set
    }

    /// The first cell of this exact class for a colour, among the hot ones.
    #[inline]
    pub fn find(&self, colour: Color, class: Class) -> Option<Cell> {
        for row in PAD..PAD + self.size {
            let mut bits = self.hot[colour as usize].0[row];
            while bits != 0 {
                let cell = Cell::from_index(row * STRIDE + bits.trailing_zeros() as usize);
                bits &= bits - 1;
                if self.class(cell, colour) == class as u8 {
                    return Some(cell);
                }
            }
        }
        None
    }

    /// Evaluation by patterns for the side to move. Precondition: neither side has a five to play.
    #[inline(always)]
    pub fn evaluate(&self, mover: Color) -> i32 {
        let (me, you) = (mover as usize, mover.opponent() as usize);
        let threats = threat_index(&self.now.counts[me], &self.now.counts[you]);
        (self.now.mine[me] - self.now.theirs[you] + i32::from(self.tables.threat[threats])) / FRACTION
    }

    /// Sets the stones to exactly these, keeping the common beginning.
    ///
    /// Returns the first stone that is off the board or on another stone, if any; the position then
    /// holds the stones before it.
    pub fn set(&mut self, stones: &[(Point, Color)]) -> Result<(), Point> {
        let same = self
            .moves
            .iter()
            .zip(stones)
            .take_while(|((cell, colour), (point, other))| cell.point() == *point && colour == other)
            .count();
        while self.moves.len() > same {
            self.undo();
        }
        for &(point, colour) in &stones[same..] {
            if !self.has_point(point) || !self.is_empty(Cell::of(point)) {
                return Err(point);
            }
            self.place(Cell::of(point), colour);
        }
        Ok(())
    }
}
