//! A board of row counts: for every row of five cells, the number of stones of each side.
//!
//! The heuristic and the baseline player know nothing else. Rows with stones of one side only have a value for that
//! side;
//! every move updates the counts.

use crate::rules::{Board, Color, Direction, Point, PointState, Position, Rule, forbidden, run_wins};

const STRIDE: usize = 24;
const CELLS: usize = STRIDE * STRIDE;

/// Value of a row of five by its number of own stones, without opponent stones.
const WORTH: [i32; 6] = [0, 1, 8, 40, 160, 0];
/// Attack value of a cell in such a row, by the own stones already in it.
const ATTACK: [i32; 5] = [2, 12, 70, 800, 100_000];
/// Defence value of a cell, by the opponent stones already in the row.
const DEFEND: [i32; 5] = [1, 8, 50, 500, 40_000];

/// A cell's place in the padded grid.
pub type Index = usize;

/// The board with its row counts.
#[derive(Clone)]
pub struct RowCounts {
    rule: Rule,
    board: Board,
    to_move: Color,
    /// Stones by direction, first cell of the row, and colour.
    rows: Box<[[[u8; 2]; CELLS]; 4]>,
    /// Whether a row of five that starts here lies on the board.
    valid: Box<[[bool; CELLS]; 4]>,
    /// How many stones lie within two cells.
    near: Box<[u8; CELLS]>,
    /// Rows by their number of stones of one side, without stones of the other.
    pure: [[u16; 6]; 2],
    value: i32,
    key: u64,
}

/// The value of an empty cell from the rows through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellValue {
    /// For the given side.
    pub attack: i32,
    /// Against the other side.
    pub defend: i32,
    /// The largest number of own stones in a row through the cell without opponent stones.
    pub own: u8,
    /// The same for the other side.
    pub other: u8,
}

impl RowCounts {
    /// The row counts of a position.
    pub fn new(position: &Position) -> Self {
        let size = position.size();
        let mut grid = Self {
            rule: position.rule(),
            board: Board::new(size),
            to_move: position.to_move(),
            rows: Box::new([[[0; 2]; CELLS]; 4]),
            valid: Box::new([[false; CELLS]; 4]),
            near: Box::new([0; CELLS]),
            pure: [[0; 6]; 2],
            value: 0,
            key: 0,
        };
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            for point in Point::all(size) {
                let start = Board::index(point);
                let whole =
                    (0..5).all(|k| grid.board.at(Board::walk_checked(start, direction, k)) == PointState::Empty);
                grid.valid[d][start] = whole;
            }
        }
        for stone in position.stones() {
            grid.place(Board::index(stone.point), stone.color);
        }
        grid.key ^= if grid.to_move == Color::White { SIDE_KEY } else { 0 };
        grid
    }

    /// Whose turn it is.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// A hash of stones and turn.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Plays a stone of the side to move.
    pub fn make(&mut self, index: Index) {
        self.place(index, self.to_move);
        self.to_move = self.to_move.opponent();
        self.key ^= SIDE_KEY;
    }

    /// Takes it back.
    pub fn unmake(&mut self, index: Index) {
        self.to_move = self.to_move.opponent();
        self.key ^= SIDE_KEY;
        self.lift(index, self.to_move);
    }

    /// Puts a stone of any side.
    pub fn place(&mut self, index: Index, color: Color) {
        self.board.set(Board::point(index), Some(color));
        self.key ^= stone_key(index, color);
        self.count(index, color, true);
    }

    /// Takes a stone of any side away.
    pub fn lift(&mut self, index: Index, color: Color) {
        self.board.set(Board::point(index), None);
        self.key ^= stone_key(index, color);
        self.count(index, color, false);
    }

    fn count(&mut self, index: Index, color: Color, add: bool) {
        let side = color as usize;
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            for k in 0..5 {
                let start = Board::walk_checked(index, direction, -k);
                if !self.valid[d][start] {
                    continue;
                }
                self.value -= self.row_value(d, start, -1);
                let stones = &mut self.rows[d][start][side];
                *stones = if add { *stones + 1 } else { *stones - 1 };
                self.value += self.row_value(d, start, 1);
            }
        }
        let (x, y) = (index % STRIDE, index / STRIDE);
        for ny in y.saturating_sub(2)..=(y + 2).min(STRIDE - 1) {
            for nx in x.saturating_sub(2)..=(x + 2).min(STRIDE - 1) {
                let near = &mut self.near[ny * STRIDE + nx];
                *near = if add { *near + 1 } else { *near - 1 };
            }
        }
    }

    /// The value of a row for black; adds `change` to the count of pure rows.
    fn row_value(&mut self, d: usize, start: Index, change: i32) -> i32 {
        let [black, white] = self.rows[d][start];
        let (side, stones) = match (black, white) {
            (0, 0) => return 0,
            (stones, 0) => (0, stones),
            (0, stones) => (1, stones),
            _ => return 0,
        };
        let slot = &mut self.pure[side][stones as usize];
        *slot = slot.wrapping_add_signed(change as i16);
        if side == 0 { WORTH[stones as usize] } else { -WORTH[stones as usize] }
    }

    /// The sum over all rows for the side to move, with a bonus for the move.
    pub fn evaluate(&self) -> i32 {
        let sign = if self.to_move == Color::Black { 1 } else { -1 };
        let (own, other) = (self.to_move as usize, self.to_move.opponent() as usize);
        // The mover extends a three to a four first; the other side's threes must wait.
        let tempo = 12 + 60 * i32::from(self.pure[own][3] > 0) - 20 * i32::from(self.pure[other][3] > 1);
        sign * self.value + tempo
    }

    /// Whether some row holds `stones` of `color` and none of the other side.
    pub const fn has_row(&self, color: Color, stones: usize) -> bool {
        self.pure[color as usize][stones] > 0
    }

    /// Whether a stone of `color` on the empty cell wins under the rule.
    pub fn wins(&self, index: Index, color: Color) -> bool {
        let cell = PointState::from(color);
        Direction::ALL.into_iter().any(|direction| {
            let back = self.board.run(index, direction, -1, cell);
            let ahead = self.board.run(index, direction, 1, cell);
            back + ahead >= 4 && {
                let before = self.board.at(Board::walk(index, direction, -back - 1));
                let after = self.board.at(Board::walk(index, direction, ahead + 1));
                run_wins(self.rule, color, back + 1 + ahead, before, after)
            }
        })
    }

    /// Whether the rule forbids the empty cell to `color`.
    pub fn forbidden(&self, index: Index, color: Color) -> bool {
        self.rule == Rule::Renju && color == Color::Black && forbidden(&self.board, Board::point(index)).is_some()
    }

    /// Cells on which a stone of `color` wins at once.
    pub fn winning_cells(&self, color: Color) -> impl Iterator<Item = Index> {
        // Only rows of four (with a gap) can be completed.
        let any = self.has_row(color, 4);
        self.candidates().filter(move |&index| any && self.wins(index, color))
    }

    /// Cells that the other side of `color` can take so that `color` no longer wins at once; call it when `color` does.
    pub fn defences(&mut self, color: Color) -> Vec<Index> {
        let fives: Vec<Index> = self.winning_cells(color).collect();
        let other = color.opponent();
        if !matches!(self.rule, Rule::Caro | Rule::CaroExact) {
            // One stone stops one point; two points cannot both be stopped.
            return if let [only] = fives[..]
                && !self.forbidden(only, other)
            {
                vec![only]
            } else {
                Vec::new()
            };
        }
        // In caro a five can also be spoiled from beyond its end.
        let Some(&first) = fives.first() else { return Vec::new() };
        let near: Vec<Index> = self.candidates().filter(|&index| in_line(index, first)).collect();
        near.into_iter()
            .filter(|&index| {
                self.place(index, other);
                let stopped = self.winning_cells(color).next().is_none();
                self.lift(index, other);
                stopped
            })
            .collect()
    }

    /// Empty cells with a stone within two cells.
    pub fn candidates(&self) -> impl Iterator<Item = Index> {
        let size = usize::from(self.board.size());
        (1..=size)
            .flat_map(move |y| (1..=size).map(move |x| y * STRIDE + x))
            .filter(move |&index| self.near[index] > 0 && self.board.at(index) == PointState::Empty)
    }

    /// The value of an empty cell for `color`; `seen` selects the lines that count.
    pub fn cell_worth(&self, index: Index, color: Color, seen: impl Fn(usize, Index) -> bool) -> CellValue {
        let (own, other) = (color as usize, color.opponent() as usize);
        let mut worth = CellValue::default();
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            if !seen(d, index) {
                continue;
            }
            for k in 0..5 {
                let start = Board::walk_checked(index, direction, -k);
                if !self.valid[d][start] {
                    continue;
                }
                let stones = self.rows[d][start];
                if stones[other] == 0 {
                    worth.attack += ATTACK[stones[own].min(4) as usize];
                    worth.own = worth.own.max(stones[own]);
                }
                if stones[own] == 0 {
                    worth.defend += DEFEND[stones[other].min(4) as usize];
                    worth.other = worth.other.max(stones[other]);
                }
            }
        }
        worth
    }

    /// Cells that make a row of four for `color`, each with what completes it.
    pub fn four_cells(&self, color: Color) -> impl Iterator<Item = Index> {
        let any = self.has_row(color, 3);
        self.candidates().filter(move |&index| any && self.cell_worth(index, color, |_, _| true).own == 3)
    }

    /// Whether no empty cell is left.
    pub fn is_full(&self) -> bool {
        self.board.is_full()
    }
}

/// Whether two cells lie on one line, at most six steps apart (or are the same).
fn in_line(a: Index, b: Index) -> bool {
    let (dx, dy) = ((a % STRIDE).abs_diff(b % STRIDE), (a / STRIDE).abs_diff(b / STRIDE));
    dx.max(dy) <= 6 && (dx == 0 || dy == 0 || dx == dy)
}

const SIDE_KEY: u64 = 0x9d39_247e_3377_6d41;

/// A fixed pseudo-random number per stone (the finaliser of SplitMix64, Steele et al. 2014).
fn stone_key(index: Index, color: Color) -> u64 {
    numerics::mix64((index as u64 * 2 + color as u64 + 1).wrapping_mul(numerics::GOLDEN_GAMMA))
}
